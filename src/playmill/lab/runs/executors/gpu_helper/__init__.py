"""GPU helper: a process that keeps the GPU ready between questions; games can always be played without."""
