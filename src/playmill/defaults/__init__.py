"""Default modules: what a game gets for each module its author left out."""
