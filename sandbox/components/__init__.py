"""Components of messages and modals: what Discord takes, refuses, and gives back."""

from sandbox.components.kinds import Kind
from sandbox.components.message import read_components
from sandbox.components.modal import read_modal

__all__ = ["Kind", "read_components", "read_modal"]
