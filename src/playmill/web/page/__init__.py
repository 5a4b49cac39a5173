"""Rendering of HTML pages, their texts, and the settings form."""
