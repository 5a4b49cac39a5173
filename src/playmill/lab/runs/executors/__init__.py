"""Executors, which play the games of a plan: the threads of this machine, its GPU, or a Ray cluster."""

from __future__ import annotations

from playmill.lab.runs.executors.where import Where, offered, where_of

__all__ = ["Where", "offered", "where_of"]
