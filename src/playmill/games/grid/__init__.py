"""Grid: draft cards onto a board of your own; patterns score and give rewards."""
