"""Games of Battle of Dimensions counted by hand, for the tests of its report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from common import reports
from common.found import game_of
from playmill.games.dimensions.actions import BIG_BANG, GREEN, PURPLE, RED, WORMHOLE, YELLOW
from playmill.games.dimensions.outcome import Tally
from playmill.games.dimensions.tables import BY_COUNT, TIE_BY_LOT, TIE_BY_SPIRAL

GAME = game_of("dimensions")
RUN = reports.run_of(GAME, ("dealer", "tactical", "dealer"), 10, {"mode": "epic"})
ALONE = replace(RUN, agents=("dealer",) * 3)
BASELINE = replace(RUN, config={"mode": "baseline"})


def counts() -> np.void:
    """Ten games of dealer (two seats) against tactical; blue never took part."""
    tally = np.zeros(1, Tally)[0]
    tally["games"] = 10
    # Five times 60 and five times 65.
    tally["decisions"], tally["decisions_squared"] = 625, 5 * 3600 + 5 * 4225
    tally["turns"][12] = 4
    tally["turns"][15] = 5
    tally["turns"][20] = 1
    tally["ends"][[GREEN, YELLOW, BY_COUNT]] = 2, 1, 7
    tally["ties"][[0, TIE_BY_SPIRAL, TIE_BY_LOT]] = 7, 2, 1
    tally["first_wins"] = 4
    tally["seat_wins"][:3] = 2, 5, 3
    tally["participates"][0, [RED, GREEN, YELLOW, PURPLE]] = 6, 5, 5, 4
    tally["participates"][1, [RED, GREEN, YELLOW]] = 2, 4, 4
    tally["wins"][0, [RED, GREEN, PURPLE]] = 2, 2, 1
    tally["wins"][1, [GREEN, YELLOW]] = 3, 2
    tally["cards"][RED], tally["cards_squared"][RED] = 40, 220
    tally["anomaly_plays"][[WORMHOLE, BIG_BANG]] = 3, 5
    tally["anomaly_games"][[WORMHOLE, BIG_BANG]] = 3, 4
    tally["anomaly_wins"][[WORMHOLE, BIG_BANG]] = 2, 1
    return tally
