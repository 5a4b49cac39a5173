"""Rooms that are alike in most games: what a game has whose author says nothing of it, and pictures made of words."""

from __future__ import annotations

from playmill.usual.table import Board, Facts, Hand

__all__ = ["Board", "Facts", "Hand"]
