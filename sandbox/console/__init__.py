"""The sandbox's page: a small Discord in the browser with two members side by side."""

from sandbox.console.server import Console

__all__ = ["Console"]
