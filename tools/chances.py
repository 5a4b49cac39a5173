"""How honest chances to win are: those of Pig, which arithmetic knows, against the bands that play-outs give.

`python tools/chances.py [GAMES]` records games of Pig between agents that hold at 20, works out the course of each, and
counts how often a band holds the true chance, how often all changes called moments hold the true change, and how often
a moment has the wrong sign. The same of the cost of decisions: how often its interval holds the true one, and how often
what is called a mistake was none.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from playmill import load_game
from playmill.lab.replays.decision_analysis import AnalysedDecision, analyse
from playmill.lab.replays.replay import Replay, record
from playmill.lab.replays.win_chances import chances, positions_of

PIG = str(Path(__file__).parent.parent / "examples" / "pig")
TARGET, HOLD, FACES = 100, 20, 6
ROLLS = 0
PLAYOUTS = 600


@cache
def banked(score: int, pot: int) -> dict[int, float]:
    """With which chance how much is banked by who has so much, and so much at stake; 0 is the turn that is lost."""
    if pot >= HOLD or score + pot >= TARGET:
        return {pot: 1.0}
    found = {0: 1 / FACES}
    for face in range(2, FACES + 1):
        for points, chance in banked(score, pot + face).items():
            found[points] = found.get(points, 0.0) + chance / FACES
    return found


@cache
def at_turn(mine: int, theirs: int) -> float:
    """The chance of who begins a turn: both sides of the same two scores are found together."""
    (own, lost), (other, other_lost) = _parts(mine, theirs), _parts(theirs, mine)
    # own + lost · (1 - y) = x and other + other_lost · (1 - x) = y, where x and y are the chances of the two.
    return (own + lost * (1 - other - other_lost)) / (1 - lost * other_lost)


def _parts(mine: int, theirs: int) -> tuple[float, float]:
    """The chance to win after banking something, and the chance to bank nothing."""
    turn = banked(mine, 0)
    kept = sum(
        chance * (1.0 if mine + points >= TARGET else 1 - at_turn(theirs, mine + points))
        for points, chance in turn.items()
        if points
    )
    return kept, turn.get(0, 0.0)


def truth(position: np.void) -> float:
    """The chance of player 1 in a position."""
    player, pot = int(position["player"]), int(position["pot"])
    if player < 0:
        return 1.0 if int(position["winner"]) == 0 else 0.0
    mine, theirs = (int(position["total"][seat]) for seat in (player, 1 - player))
    if pot == 0:
        chance = at_turn(mine, theirs)
    else:
        chance = sum(
            part * (1.0 if mine + points >= TARGET else 1 - at_turn(theirs, mine + points))
            for points, part in banked(mine, pot).items()
        )
    return chance if player == 0 else 1 - chance


def after(position: np.void, action: int) -> float:
    """The chance of whoever is to move, after rolling or holding."""
    player, pot = int(position["player"]), int(position["pot"])
    mine, theirs = (int(position["total"][seat]) for seat in (player, 1 - player))
    if action != ROLLS:
        return 1.0 if mine + pot >= TARGET else 1 - at_turn(theirs, mine + pot)
    rolled = (1 - at_turn(theirs, mine)) / FACES
    for face in range(2, FACES + 1):
        position["pot"] = pot + face
        chance = truth(position)
        rolled += (chance if player == 0 else 1 - chance) / FACES
    position["pot"] = pot
    return rolled


class Costs:
    """How often the cost of decisions is told right."""

    def __init__(self) -> None:
        self.measured = self.held = self.named = self.none = self.whole = self.games = 0

    def add(self, replay: Replay) -> None:
        """Analyses one game."""
        positions = positions_of(replay)
        found = analyse(replay, playouts=PLAYOUTS, lapse=0)

        def holds(one: AnalysedDecision) -> bool:
            return one.cost.low <= self._cost(positions, one) <= one.cost.high

        measured = [one for one in found.decisions if one.best != one.action]
        self.measured += len(measured)
        self.held += sum(map(holds, measured))
        self.named += len(found.mistakes)
        self.none += sum(self._cost(positions, one) <= 0 for one in found.mistakes)
        self.games += 1
        self.whole += all(map(holds, found.mistakes))

    @staticmethod
    def _cost(positions: list[np.void], one: AnalysedDecision) -> float:
        position = positions[one.at].copy()
        return after(position, one.best) - after(position, one.action)


def main(games: int) -> None:
    """Prints what was counted."""
    sys.setrecursionlimit(100_000)
    game = load_game(PIG)
    points = held = moments = wrong = whole = named = 0
    costs = Costs()
    for seed in range(games):
        made = record(game, players=2, config=game.config(), seed=seed, agents=["random", "threshold"])
        replay = replace(made, folder=PIG)
        positions = positions_of(replay)
        course = chances(replay, playouts=PLAYOUTS, lapse=0)
        true = [truth(position) for position in positions]
        for point in course.points:
            if int(positions[point.at]["player"]) >= 0:
                points += 1
                held += point.sides[0].low <= true[point.at] <= point.sides[0].high
        changes = [(one.change, true[one.to] - true[one.since]) for one in course.moments]
        moments += len(changes)
        wrong += sum(change.value * exact < 0 for change, exact in changes)
        named += bool(changes)
        whole += all(change.low <= exact <= change.high for change, exact in changes)
        costs.add(replay)
    print(f"{games} games, {PLAYOUTS} play-outs of each position")
    print(f"bands that hold the true chance: {held} of {points} ({held / points:.1%})")
    print(f"moments: {moments}, with the wrong sign: {wrong}")
    print(f"games in which all moments hold the true change: {whole} of {games}; games with moments: {named}")
    print(f"costs whose interval holds the true one: {costs.held} of {costs.measured}")
    print(f"decisions called mistakes: {costs.named}, that were none: {costs.none}")
    print(f"games in which all of them hold the true cost: {costs.whole} of {costs.games}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
