"""Benchmarks: games per second here, against an earlier measurement, another checkout, or other libraries."""
