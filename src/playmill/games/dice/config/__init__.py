"""The settings of Dice, and their packed form."""

from __future__ import annotations

from playmill.games.dice.config.model import Config, Side

__all__ = ["Config", "Side"]
