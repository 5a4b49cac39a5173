"""Choices for settings of Battle of Dimensions: mode, factions, anomalies, how ties are broken."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.author import Text
from playmill.author.words import Choices, named
from playmill.games.dimensions.actions import FACTIONS
from playmill.games.dimensions.config import ANOMALY_NAMES, FACTION_KEYS, TIE_BREAKS, Config
from playmill.games.dimensions.words.names import ANOMALY_TITLES, FACTION_NAMES

_TIES = (
    Text("by the Spiral: who beats every other tied one", "по Спирали: кто бьёт всех остальных равных"),
    Text(
        "by the Spiral: the only one no other tied one beats", "по Спирали: единственный, кого никто из равных не бьёт"
    ),
    Text("by lot", "жребий"),
)
_MODES = {"baseline": Text("plain", "простой"), "epic": Text("Epic", "эпический")}


def choices(config: Config) -> Mapping[str, Choices]:
    """Names for what the config names by keys."""
    factions = dict(zip(FACTION_KEYS, FACTION_NAMES, strict=True))
    anomalies = dict(zip(ANOMALY_NAMES, ANOMALY_TITLES, strict=True))
    return {
        "mode": Choices(named(_MODES), first=True),
        "anomaly_pool": Choices(named(anomalies)),
        "factions": Choices(named(factions)),
        "spiral": Choices(named(factions), places=FACTIONS),
        "tie_break": Choices(named(dict(zip(TIE_BREAKS, _TIES, strict=True)))),
    }
