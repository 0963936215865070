"""PostgreSQL servers with a database of today's tables, made once for all workers of a run.

To make the folder of a server and to migrate a database in it takes twice the CPU that it takes to
unpack a copy of that folder.
"""

from contextlib import contextmanager
from pathlib import Path

from tests.support.cluster import NAME, Client, Cluster, ServerDatabase, made
from tests.support.made_databases import once


def started() -> Cluster:
    """A server that has the database already."""
    cluster = Cluster(once("server.tar", _pack))
    cluster.start()
    return cluster


def database_of(cluster: Cluster) -> ServerDatabase:
    """The database of such a server, and who asks it."""
    address = cluster.address(NAME)
    return ServerDatabase(address, Client(address))


@contextmanager
def own_database():
    """The same on a server that is started for it: what uses it may die in the middle of it."""
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
