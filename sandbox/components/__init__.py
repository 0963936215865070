"""Components of messages and modals: what Discord accepts, refuses and returns."""

from sandbox.components.message import read_components
from sandbox.components.modal import read_modal
from sandbox.components.tree import ComponentType

__all__ = ["ComponentType", "read_components", "read_modal"]
