"""PostgreSQL servers with a database that has the current tables, copied from one template.

Creating a server's folder and migrating a database in it takes twice the CPU of unpacking a copy.
"""

from contextlib import contextmanager
from pathlib import Path

from tests.support.cluster import NAME, Client, Cluster, ServerDatabase, made
from tests.support.made_databases import once


def started() -> Cluster:
    """Start a server that has the database already."""
    cluster = Cluster(once("server.tar", _pack))
    cluster.start()
    return cluster


def database_of(cluster: Cluster) -> ServerDatabase:
    """The database of such a server, with a client."""
    address = cluster.address(NAME)
    return ServerDatabase(address, Client(address))


@contextmanager
def own_database():
    """A database on its own server, for a test that may leave it in any condition."""
    cluster = started()
    found = database_of(cluster)
    yield found
    found.client.close()
    cluster.remove()


def _pack(archive: Path) -> None:
    cluster = Cluster()
    cluster.start()
    made(cluster).client.close()
    cluster.stop()
    cluster.pack(archive)
    cluster.remove()
