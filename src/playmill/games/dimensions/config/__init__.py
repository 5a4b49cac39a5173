"""The settings of Battle of Dimensions, and their packed form."""

from __future__ import annotations

from playmill.games.dimensions.config.model import ANOMALY_NAMES, FACTION_KEYS, TIE_BREAKS, Config, FactionName

__all__ = ["ANOMALY_NAMES", "FACTION_KEYS", "TIE_BREAKS", "Config", "FactionName"]
