"""How strong `search` is: against the best heuristic of each game, every deal from every seat, paired with another run.

    python tools/strength.py dimensions --search search:iterations=100 --deals 200 --save after.json
    python tools/strength.py dimensions --search search:iterations=100 --deals 200 --against before.json

A game counts 1 for whoever has most, shared among equals; a game for one counts 1 if it is won. Intervals are over
deals. With `--against` the same deals of another run, of another version or with other numbers, are subtracted one by
one. Time is that of the processor: beside other programs the clock says little.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from playmill import Game, State, load_game
from playmill.agents.search import Thinker
from playmill.agents.seats import seats_for
from playmill.engine.kernels import agent_numbers
from playmill.report.model import Estimate


@dataclass(frozen=True)
class Bout:
    """A game with its best heuristic, as it is measured by itself."""

    heuristic: str
    players: int
    config: dict[str, object]


BOUTS = {
    "dimensions": Bout("tactical", 3, {}),
    "grid": Bout("greedy", 2, {}),
    "dice": Bout("greedy", 2, {}),
    "influence": Bout("cautious", 2, {"map": "small"}),
    "save_oneself": Bout("survivor", 1, {}),
}


@dataclass(frozen=True)
class Deal:
    """What one deal brought `search`, the mean of all seats, and what its thinking cost."""

    score: float
    decisions: int
    thoughts: int
    seconds: float


def play_deal(number: int, *, name: str, spec: str, seed: int) -> Deal:
    """One deal from every seat."""
    game, bout = load_game(name), BOUTS[name]
    played = [_play(game, bout, spec, seed, number, seat) for seat in range(bout.players)]
    return Deal(
        sum(one.score for one in played) / len(played),
        sum(one.decisions for one in played),
        sum(one.thoughts for one in played),
        sum(one.seconds for one in played),
    )


def _play(game: Game, bout: Bout, spec: str, seed: int, number: int, seat: int) -> Deal:
    state = State(
        game,
        players=bout.players,
        config=game.config().changed([f"{k}={v}" for k, v in bout.config.items()]),
        seed=seed,
        number=number,
    )
    thinker = Thinker(game, seats_for(game, bout.players, [spec])[0].params)
    other = agent_numbers(game)[bout.heuristic]
    decisions, thoughts, spent = 0, 0, 0.0
    while not state.is_terminal():
        if state.current_player() == seat:
            begun = time.process_time()
            thoughts += thinker.think(state.desk)
            action = thinker.favourite(state.desk)
            spent += time.process_time() - begun
            decisions += 1
        else:
            action = state.choice_of(other, [one.default for one in game.agents[bout.heuristic].parameters.values()])
        state.apply_action(action)
    return Deal(_score(state.returns(), seat), decisions, thoughts, spent)


def _score(returns: list[float], seat: int) -> float:
    if len(returns) == 1:
        return float(returns[0] >= 1)
    best = max(returns)
    return (returns[seat] == best) / returns.count(best)


def estimate(scores: list[float]) -> Estimate:
    """The mean of scores with its interval."""
    value, wide = fmean(scores), 1.96 * stdev(scores) / sqrt(len(scores))
    return Estimate(value, value - wide, value + wide, len(scores))


def main() -> None:
    """Plays, prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=BOUTS)
    parser.add_argument("--search", default="search:iterations=100")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args()
    play = partial(play_deal, name=given.game, spec=given.search, seed=given.seed)
    play(0)  # compiled before others ask for it
    with ProcessPoolExecutor(given.workers) as pool:
        deals = list(pool.map(play, range(given.deals), chunksize=4))
    scores = [deal.score for deal in deals]
    found = estimate(scores)
    decisions, thoughts = sum(deal.decisions for deal in deals), sum(deal.thoughts for deal in deals)
    seconds = sum(deal.seconds for deal in deals)
    print(
        f"{given.game} {given.search} v {BOUTS[given.game].heuristic}: {given.deals} deals, "
        f"{100 * found.value:.2f} % [{100 * found.low:.2f}, {100 * found.high:.2f}], "
        f"{thoughts / decisions:.0f} thoughts and {1000 * seconds / decisions:.3f} ms a decision, "
        f"{thoughts / seconds:.0f} iterations/s",
        flush=True,
    )
    if given.save:
        given.save.write_text(json.dumps(scores), encoding="utf-8")
    if given.against:
        before = json.loads(given.against.read_text(encoding="utf-8"))
        paired = [new - old for new, old in zip(scores, before, strict=False)]
        change = estimate(paired)
        print(
            f"  than {given.against.name}: {100 * change.value:+.2f} "
            f"[{100 * change.low:+.2f}, {100 * change.high:+.2f}], {len(paired)} deals"
        )


if __name__ == "__main__":
    main()
