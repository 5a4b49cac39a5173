"""The engine: runs rules in plain Python interpreted, compiled for the CPU, and on a GPU, with identical results."""
