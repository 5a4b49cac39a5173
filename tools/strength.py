"""How strong `search` is: against the best heuristic of each game, or against the `search` of another checkout.

    python tools/strength.py dimensions --iterations 100 --deals 200 --save after.json
    python tools/strength.py dimensions --iterations 100 --deals 200 --against before.json
    python tools/strength.py influence --iterations 100 --deals 100 --rival ../before/src/playmill/agents
    python tools/strength.py influence --cpu 2 --deals 100 --rival ../before/src/playmill/agents
    python tools/strength.py leduc --iterations 100 --deals 300 --net examples/learning/leduc.npz

Every deal is played from every seat. A game counts 1 for whoever has most, shared among equals; a game for one counts 1
if it is won. Intervals are over deals. With `--against` the same deals of another run, of another version or with other
numbers, are subtracted one by one; a game for one is compared with a rival so, too. With `--rival` both play this
version's rules. Time is that of the processor: beside other programs the clock says little. With `--cpu` each side gets
the iterations that took so many milliseconds a decision in a few deals played before, which do not count. With `--net`
a `search` that thinks with a network plays against one without, or against a heuristic that is named.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from types import ModuleType
from typing import Any

from playmill import Game, State, load_game
from playmill.agents.agent_specs import seats_for
from playmill.agents.search import search_agent as own_search
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.report.model.tables import Estimate

#: Deals by which iterations are found that take as much time, and how many they begin with.
_TRIALS, _TRIAL_ITERATIONS = 3, 60
#: Their numbers lie beyond those of the deals that count.
_TRIALS_FROM = 1_000_000


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
    "influence": Bout("calculating", 2, {"map": "small"}),
    "save_oneself": Bout("survivor", 1, {}),
    "pig": Bout("threshold", 2, {}),
    "leduc": Bout("plain", 2, {}),
}
_EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass(frozen=True)
class Side:
    """Who sits at a table: an agent of the game by name, or `search`, of this version or out of a folder."""

    spec: str
    folder: str = ""
    iterations: int = 0

    @property
    def thinks(self) -> bool:
        """Whether it is a `search`."""
        return self.iterations > 0

    def sits(self, game: Game, players: int) -> Any:
        """A mind for one game."""
        made = search_of(self.folder).Thinker if self.folder else own_search.Thinker
        spec = f"search:iterations={self.iterations}" + (f",{self.spec}" if self.spec else "")
        seat = seats_for(game, players, [spec])[0]
        return made(game, seat.params, judge=seat.judge) if seat.judge is not None else made(game, seat.params)


@dataclass
class Spent:
    """What the thinking of one side cost."""

    decisions: int = 0
    thoughts: int = 0
    seconds: float = 0.0

    def add(self, other: Spent) -> None:
        """Both together."""
        self.decisions += other.decisions
        self.thoughts += other.thoughts
        self.seconds += other.seconds

    @property
    def rate(self) -> float:
        """Iterations a second of the processor."""
        return self.thoughts / max(self.seconds, 1e-9)

    def __str__(self) -> str:
        many = max(1, self.decisions)
        return (
            f"{self.thoughts / many:.0f} iterations and {1000 * self.seconds / many:.3f} ms a decision, "
            f"{self.rate:.0f} iterations/s"
        )


def game_of(name: str) -> Game:
    """A game of the package, or one of the examples."""
    return load_game(str(_EXAMPLES / name) if (_EXAMPLES / name).is_dir() else name)


@cache
def search_of(folder: str) -> ModuleType:
    """The `search` that lies in another checkout, for the games of this one."""
    _loaded("rival_mcts", Path(folder) / "search" / "mcts.py", lambda text: text)
    own, rival = "from playmill.agents.search import mcts\n", "import rival_mcts as mcts\n"
    return _loaded("rival_search", Path(folder) / "search" / "search_agent.py", lambda text: text.replace(own, rival))


def _loaded(name: str, path: Path, changed: Any) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    exec(compile(changed(path.read_text(encoding="utf-8")), str(path), "exec"), module.__dict__)
    return module


def play_deal(number: int, *, name: str, one: Side, other: Side, seed: int) -> tuple[float, Spent, Spent]:
    """One deal from every seat: what it brought one side on average, and what thinking cost both."""
    bout, scores, spent = BOUTS[name], 0.0, (Spent(), Spent())
    for seat in range(bout.players):
        scores += _play(
            game_of(name),
            bout,
            [one if at == seat else other for at in range(bout.players)],
            seed,
            number,
            seat,
            spent,
        )
    return scores / bout.players, *spent


def _play(
    game: Game, bout: Bout, sides: list[Side], seed: int, number: int, seat: int, spent: tuple[Spent, Spent]
) -> float:
    config = game.config().changed([f"{key}={value}" for key, value in bout.config.items()])
    state = State(game, players=bout.players, config=config, seed=seed, number=number)
    minds = [side.sits(game, bout.players) if side.thinks else None for side in sides]
    while not state.is_terminal():
        player = state.current_player()
        mind, side = minds[player], sides[player]
        if mind is not None:
            begun = time.process_time()
            thoughts = mind.think(state.workspace)
            action = mind.favourite(state.workspace)
            spent[player != seat].add(Spent(1, thoughts, time.process_time() - begun))
        else:
            numbers = [one.default for one in game.agents[side.spec].parameters.values()]
            action = state.choice_of(agent_numbers(game)[side.spec], numbers)
        state.apply_action(action)
    return _score(state.returns(), seat)


def _score(returns: list[float], seat: int) -> float:
    if len(returns) == 1:
        return float(returns[0] >= 1)
    best = max(returns)
    return (returns[seat] == best) / returns.count(best)


def in_time(name: str, side: Side, milliseconds: float, seed: int) -> Side:
    """The side with as many iterations as take so long a decision."""
    if not side.thinks:
        return side
    tried = replace(side, iterations=_TRIAL_ITERATIONS)
    opponent = Side(BOUTS[name].heuristic)
    spent = Spent()
    for number in range(_TRIALS_FROM, _TRIALS_FROM + _TRIALS):
        spent.add(play_deal(number, name=name, one=tried, other=opponent, seed=seed)[1])
    return replace(side, iterations=max(1, round(spent.rate * milliseconds / 1000)))


def estimate(scores: list[float]) -> Estimate:
    """The mean of scores with its interval."""
    value, wide = fmean(scores), 1.96 * stdev(scores) / sqrt(len(scores))
    return Estimate(value, value - wide, value + wide, len(scores))


def percent(found: Estimate, sign: str = "") -> str:
    """An estimate in percent."""
    return f"{100 * found.value:{sign}.2f} % [{100 * found.low:{sign}.2f}, {100 * found.high:{sign}.2f}]"


def main() -> None:
    """Plays, prints and saves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=BOUTS)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--cpu", type=float, metavar="MS", help="as many iterations as take so long a decision")
    parser.add_argument("--set", default="", metavar="NUMBERS", help="other numbers of search, as explore=0.5,trust=0")
    parser.add_argument("--heuristic", help="the agent it plays against")
    parser.add_argument("--rival", default="", metavar="FOLDER", help="the folder `agents` of another checkout")
    parser.add_argument("--net", metavar="FILE", help="a network to think with, against thinking without")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args()
    name = given.game
    one = Side(given.set, iterations=given.iterations)
    other = Side(given.heuristic or BOUTS[name].heuristic)
    if given.rival and BOUTS[name].players > 1:
        other = Side("", given.rival, given.iterations)
    elif given.rival:
        one = Side("", given.rival, given.iterations)
    if given.net:
        other = one if given.heuristic is None else other
        one = replace(one, spec=",".join(filter(None, [one.spec, f"net={given.net}"])))
    play_deal(_TRIALS_FROM, name=name, one=one, other=other, seed=given.seed)  # compiled before others ask for it
    if given.cpu:
        one, other = (in_time(name, side, given.cpu, given.seed) for side in (one, other))
    play = partial(play_deal, name=name, one=one, other=other, seed=given.seed)
    with ProcessPoolExecutor(given.workers) as pool:
        deals = list(pool.map(play, range(given.deals), chunksize=4))
    scores, spent = [deal[0] for deal in deals], (Spent(), Spent())
    for deal in deals:
        spent[0].add(deal[1])
        spent[1].add(deal[2])
    against = "the rival" if other.thinks else other.spec
    print(f"{name}, {given.deals} deals, search v {against}: {percent(estimate(scores))}\n  search: {spent[0]}")
    if other.thinks:
        print(f"  rival:  {spent[1]}")
    if given.save:
        given.save.write_text(json.dumps(scores), encoding="utf-8")
    if given.against:
        before = json.loads(given.against.read_text(encoding="utf-8"))
        paired = [new - old for new, old in zip(scores, before, strict=False)]
        print(f"  than {given.against.name}: {percent(estimate(paired), '+')}, {len(paired)} deals")


if __name__ == "__main__":
    main()
