"""Benchmarks; each prints its figures next to what they're compared with."""
