"""The settings of Influence, and their packed form."""

from __future__ import annotations

from playmill.games.influence.config.model import DEFAULT_MAP, Config

__all__ = ["DEFAULT_MAP", "Config"]
