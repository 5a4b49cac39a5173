"""Battle of Dimensions: factions fight for Dimensions by cards, the Spiral of Forces and one anomaly."""
