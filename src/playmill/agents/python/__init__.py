"""Agents written in plain Python: the decision they are asked, their thread, and how their answers are read."""
