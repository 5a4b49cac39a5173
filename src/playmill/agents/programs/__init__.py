"""Agents that are programs of their own, in any language: they read JSON lines and answer with JSON lines.

`spec` reads what a user writes, `limits` says what a bot may use, `protocol` what is said, `running` holds one process,
`launch` puts up the walls around it, and `player` is the agent that sits in a seat.
"""
