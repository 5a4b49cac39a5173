"""Save Oneself: alone on an island, sixteen two-sided cards, one passing ship."""
