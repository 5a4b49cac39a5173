"""Games of Battle of Dimensions counted by hand, for the tests of its report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from common import reports
from common.found import game_of
from playmill.games.dimensions.actions import BIG_BANG, GREEN, PURPLE, RED, WORMHOLE, YELLOW
from playmill.games.dimensions.constants import BATTLE, BY_COUNT, MOVEMENT, REINFORCE, TIE_BY_LOT, TIE_BY_SPIRAL
from playmill.games.dimensions.outcome import LOST, MADE, Tally

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
    tally["tied"][[1 << RED | 1 << GREEN, 1 << RED | 1 << PURPLE]] = 2, 1
    tally["tied_wins"][1 << RED | 1 << GREEN, [RED, GREEN]] = 1, 1
    tally["tied_wins"][1 << RED | 1 << PURPLE, PURPLE] = 1
    tally["instant_wins"][GREEN, [BATTLE, REINFORCE]] = 1
    tally["instant_wins"][YELLOW, MOVEMENT] = 1
    tally["plain_cards"][RED], tally["plain_cards_squared"][RED] = 35, 180
    tally["count_wins"][[RED, GREEN, YELLOW, PURPLE]] = 2, 3, 1, 1
    tally["owed_wins"][RED] = 1
    # Auras: 4 and 2 in two games; one was lost to an attack.
    tally["auras"][[MADE, LOST]], tally["auras_squared"][[MADE, LOST]] = (6, 1), (20, 1)
    tally["aura_games"][[MADE, LOST]] = 2, 1
    # The Captain: placed in six of eight games, four times at home, twice at Green's; moved there and back in one.
    tally["captain_placed"][[1, 2, 5]] = 3, 2, 1
    tally["captain_moved"][7] = 1
    tally["captain_with"][[RED, GREEN, YELLOW, PURPLE]] = 6, 5, 4, 3
    tally["captain_placed_in"][[RED, GREEN]] = 4, 2
    tally["captain_moves"][[RED, GREEN]] = tally["captain_moves_squared"][[RED, GREEN]] = 1
    tally["all_captain_moves_squared"] = 4
    return tally
