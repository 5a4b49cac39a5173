"""Grid's agents beside themselves as first defined: the same choices, decision by decision, and how much sooner.

    python tools/grid_agents.py              every table: all choices compared
    python tools/grid_agents.py --speed      only the shipped rules: time for a decision, by turns in one process

As first defined (`tests/games/grid/slow_agents.py`) they look at every window anew for every card in every cell. To
compare choices both are asked at every decision, with the same luck; an agent whose answers differ answers with what is
no action, and the game, the decision and the seat are told. Time is that of the processor, least of several turns.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from playmill import CompiledAgent, Game, Text, load_game, rule
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.contract.agent import RuleFunction
from playmill.engine.run.backends import Cpu
from playmill.engine.run.match import Match

_SLOW = Path(__file__).parent.parent / "tests" / "games" / "grid" / "slow_agents.py"
_ABOUT = Text("as measured", "для замера")
#: Rules to compare choices by: other boards, decks with many patterns and with hardly any, rewards of every kind.
TABLES: dict[str, tuple[str, ...]] = {
    "as shipped": (),
    "few ranks": ("game.deck.ranks=[1,2,3]", "game.deck.total_cards=45"),
    "three colours": ("game.deck.colors=[1,2,3]", "game.deck.total_cards=54"),
    "a large board": ("game.grid.width=7", "game.grid.height=7"),
    "a flat board": ("game.grid.width=7", "game.grid.height=3"),
    "moving and stealing": ("patterns.H.reward.id=RWD7", "patterns.J.reward.id=RWD10", "patterns.G.reward.id=RWD3"),
    "dull jokers": ("game.joker.matches_any_rank=false", "patterns.J.reward.id=RWD9"),
    "worth a thousand": ("patterns.A.vp=1000", "patterns.H.vp=1000", "patterns.J.vp=1000"),
}


def with_slow_agents(game: Game) -> Game:
    """The game with its agents as first defined, and with those that are asked together with them."""
    spec = importlib.util.spec_from_file_location("slow_agents", _SLOW)
    assert spec is not None and spec.loader is not None
    slow = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(slow)
    agents = dict(game.agents)
    for name in ("greedy", "disruptor"):
        first = slow.SLOW[f"slow_{name}"]
        agents[f"slow_{name}"] = first
        agents[f"both_{name}"] = CompiledAgent(both(game.agents[name].choose, first.choose), _ABOUT, honest=True)
    return replace(game, agents=agents)


def both(one: RuleFunction, other: RuleFunction) -> RuleFunction:
    """An agent that asks two, and answers with what is no action if they do not agree."""

    @rule
    def ask_both(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
        luck = rng.stream[s.player]
        first = one(cfg, s, legal, n, rng, params)
        after = rng.stream[s.player]
        rng.stream[s.player] = luck
        second = other(cfg, s, legal, n, rng, params)
        return first if first == second and rng.stream[s.player] == after else -1

    return ask_both


def at_table(game: Game, names: list[str], changes: tuple[str, ...]) -> Cpu:
    """A table with these agents."""
    seats = tuple(agent_numbers(game)[name] for name in names)
    parameters = [game.agents[name].parameters.values() for name in names]
    numbers = tuple(tuple(one.default for one in given) for given in parameters)
    return Cpu(Match(game, game.config().changed(changes), len(seats), 1, seats, (0,) * len(seats), numbers))


def compare(game: Game, games: int) -> None:
    """Tells at how many decisions both chose the same; the first at which they did not is an error."""
    for told, changes in TABLES.items():
        for players in (2, 3, 4):
            names = ["both_greedy", "both_disruptor", "specialist", "both_greedy"][:players]
            rows = at_table(game, names, changes).play(0, games).rows
            print(f"{told}, {players} players: {rows['decisions'].sum():,} decisions, all the same", flush=True)


def measure(game: Game, games: int, turns: int) -> None:
    """Tells how much sooner an agent decides than as first defined, in the same games."""
    for name in ("greedy", "disruptor"):
        for players in (2, 4):
            least = {}
            for turn in range(turns + 1):  # the first one compiles
                for asked in (name, f"slow_{name}"):
                    table = at_table(game, [asked] * players, ())
                    table.play(0, 1)
                    begun = time.process_time()
                    rows = table.play(0, games).rows
                    took = (time.process_time() - begun) / rows["decisions"].sum()
                    least[asked] = took if turn == 0 else min(least[asked], took)
            quick, slow = least.values()
            print(
                f"{name}, {players} players: {1e6 * quick:.2f} µs a decision, {1e6 * slow:.2f} as first defined:"
                f" {slow / quick:.1f} times as fast",
                flush=True,
            )


def main() -> None:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", action="store_true", help="measure time instead of comparing choices")
    parser.add_argument("--games", type=int, default=200, help="games of each line")
    parser.add_argument("--turns", type=int, default=5, help="turns, of which the least time counts")
    given = parser.parse_args()
    game = with_slow_agents(load_game("grid"))
    if given.speed:
        measure(game, given.games, given.turns)
    else:
        compare(game, given.games)


if __name__ == "__main__":
    main()
