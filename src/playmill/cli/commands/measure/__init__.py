"""Commands that play many games and measure."""
