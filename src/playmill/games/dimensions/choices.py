"""What may be chosen for Battle of Dimensions, by name: the mode and the anomalies."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.engine.choices import Choices, named
from playmill.games.dimensions.config import ANOMALY_NAMES, Config
from playmill.games.dimensions.names import ANOMALY_TITLES
from playmill.texts import Text

_MODES = {"baseline": Text("plain", "простой"), "epic": Text("Epic", "эпический")}


def choices(config: Config) -> Mapping[str, Choices]:
    """Names for what the config names by keys."""
    anomalies = dict(zip(ANOMALY_NAMES, ANOMALY_TITLES, strict=True))
    return {"mode": Choices(named(_MODES), first=True), "anomaly_pool": Choices(named(anomalies))}
