"""Incoming clicks and commands: routed, limited, and answered when they fail."""
