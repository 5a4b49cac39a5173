"""Agents that are programs of their own, in any language: they read JSON lines and answer with JSON lines.

`spec` parses what a user writes, `limits` are time and memory, `protocol` the messages, `bot_process` holds one
process, `sandbox/` isolates it, and `program_agent` is the agent in a seat.
"""
