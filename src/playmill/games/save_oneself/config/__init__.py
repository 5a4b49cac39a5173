"""The settings of Save Oneself, and their packed form."""

from __future__ import annotations

from playmill.games.save_oneself.config.model import Config, Need

__all__ = ["Config", "Need"]
