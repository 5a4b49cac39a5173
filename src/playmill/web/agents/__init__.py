"""Agents at tables: which are on offer, how they are run, hints, compilation in the background."""
