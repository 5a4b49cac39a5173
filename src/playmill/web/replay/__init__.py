"""Replays in the browser: pages, positions, win chances, self-contained files."""
