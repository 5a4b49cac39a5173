"""Drawing helpers for games: SVG primitives, layout, clickable parts, text metrics."""
