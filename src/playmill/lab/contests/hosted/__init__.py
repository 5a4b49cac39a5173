"""A contest that is served: entrants register and hand in by HTTP, another process checks and plays what arrives."""
