"""What is logged and measured, and what must never be."""
