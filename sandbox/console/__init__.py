"""The sandbox's page: a small Discord in the browser, two members side by side."""

from sandbox.console.server import Console

__all__ = ["Console"]
