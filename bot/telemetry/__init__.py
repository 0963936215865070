"""What is logged and measured, and what never is."""
