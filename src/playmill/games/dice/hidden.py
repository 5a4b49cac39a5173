"""What a player of Dice observes: everything; nothing is hidden."""

from __future__ import annotations

from typing import Any

from playmill.author import rule
from playmill.games.dice.constants import DICE, EFFECTS, FLAGS, PLAYERS
from playmill.games.dice.scoring import ONE, SIX, showing

OBSERVATION = 16 + 2 * DICE + PLAYERS * (1 + FLAGS) + EFFECTS
#: What each of them is: sets of dice are bits, a die that is banked shows 0.
NAMES = (
    *("player", "turns", "rolls", "points", "hot", "choosing", "table", "saved", "base", "thrown", "winner", "changed"),
    *("locked", "facing", "chosen", "pass_delta"),
    *(f"face[{die}]" for die in range(DICE)),
    *(f"profile[{die}]" for die in range(DICE)),
    *(
        name
        for seat in range(PLAYERS)
        for name in (f"total[{seat}]", *(f"flag[{seat}, {flag}]" for flag in range(FLAGS)))
    ),
    *(f"cooldown[{item}]" for item in range(EFFECTS)),
)


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Whose turn it is, the dice (0: banked) with their weights, points, flags (and the turns they last), items."""
    out[0] = s.player
    out[1] = s.turns
    out[2] = s.rolls
    out[3] = s.points
    out[4] = s.hot
    out[5] = s.choosing
    out[6] = s.table
    out[7] = s.saved
    out[8] = s.base
    out[9] = s.thrown
    out[10] = s.winner
    out[11] = s.changed
    out[12] = s.locked
    out[13] = s.facing
    out[14] = s.chosen
    out[15] = s.pass_delta
    place = 16
    for position in range(DICE):
        face = 0
        for shift in range(ONE, SIX + 1, 6):
            if showing(s.roll, shift) >> position & 1:
                face = shift // 6 + 1
        out[place] = face
        out[place + DICE] = s.profile[position] if s.changed >> position & 1 else 0
        place += 1
    place += DICE
    for owner in range(PLAYERS):
        out[place] = s.total[owner]
        place += 1
        for flag in range(FLAGS):
            out[place] = (s.flags[owner] >> flag & 1) * max(1, s.flag_turns[owner, flag])
            place += 1
    for item in range(EFFECTS):
        out[place] = s.cooldown[item]
        place += 1


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """There is nothing to guess."""
