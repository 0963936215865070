"""Figures, each printed beside what it is compared with."""
