"""What a game lends to the tests of every game: by itself what it ships, and more if its own tests have more."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from common.effort import share
from common.found import ROOT, game_of
from common.interpreter import Played, Step, options, play
from common.reports import Counted, run_of
from playmill import Game
from playmill.engine.config.model import RuleConfig
from playmill.engine.run.backends import Interpreted, Match
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.report.model.tables import RunInfo
from playmill.texts import PlaymillError


class Scene(NamedTuple):
    """A position to be drawn."""

    config: RuleConfig
    players: int
    s: np.void


@dataclass(frozen=True, repr=False)
class Stock:
    """A game with all that the tests of every game try it with."""

    name: str
    #: Configs under which actions are put into words; without any, the default one.
    configs: Sequence[RuleConfig] = ()
    #: Parts of the config that may be files, whose readers have sentences of their own.
    files: frozenset[str] = frozenset()
    #: Games played by the interpreter; without any, a few played at random.
    games: Callable[[], Sequence[Played]] | None = None
    #: Other ways to write a short form, which are read as well.
    respelt: Callable[[str], Sequence[str]] = lambda short: [f"  {short.upper()} "]
    #: Texts that are nearly the short form of an action.
    nearly: st.SearchStrategy[str] = field(default_factory=st.nothing)
    #: Whether a text that was read says what it was taken for, a short form.
    means: Callable[[str, str], bool] = lambda text, short: (
        "".join(text.lower().split()) == "".join(short.lower().split())
    )
    #: Texts that are no actions under the last of the configs, with what is said of each in English and in Russian.
    wrong: Sequence[tuple[str, str, str]] = ()
    #: Texts too long to be quoted.
    endless: Sequence[str] = ("x" * 1_000_000,)
    #: Texts that are the same in both languages.
    same: frozenset[str] = frozenset({""})
    #: A pattern of what stays as it is in Russian: names of the rules in Latin letters.
    latin: str = ""
    #: The rooms in which Russian has no other Latin letters; elsewhere keys of files are named, too.
    spoken: Sequence[str] = ("names", "words", "story", "view")
    #: Whether something is hidden in every game of it.
    secret: bool = False
    #: Positions to be looked at in a browser, by name; without any, some of the games played.
    positions: Callable[[], Mapping[str, Scene]] | None = None
    #: Selects what is drawn to scale in the picture, and the words there that are to be read.
    drawn: str = ""
    sized: str = ""
    #: Selects what must not spill over, and what it must stay within.
    stays_within: tuple[str, str] | None = None
    #: How wide the narrowest page is on which everything must be whole.
    phone: int = 360
    #: How small words, and words in what is drawn to scale, may be in a picture: its name, the width of the page.
    words_over: Callable[[str, int], float] = lambda name, width: 9
    drawn_over: Callable[[str, int], float] = lambda name, width: 0
    #: Whether a thing of the picture may be clicked besides the button that stands for its action.
    twice: bool = False
    #: Runs with what was counted in them; without any, a few games played by the interpreter.
    runs: Callable[[], Sequence[Counted]] | None = None
    #: Tables with numbers that are known before the first game.
    known_tables: frozenset[str] = frozenset()
    #: Widths of a terminal that every table fits as such; where it does not, its rows are told in paragraphs.
    table_widths: Sequence[int] = ()

    def __repr__(self) -> str:
        return f"stock of {self.name}"

    @cached_property
    def game(self) -> Game:
        """The game itself."""
        return game_of(self.name)

    @cached_property
    def settings(self) -> Sequence[RuleConfig]:
        """The configs to try."""
        return self.configs or (self.game.config(),)

    @cached_property
    def played(self) -> Sequence[Played]:
        """Games to look at, made once."""
        if self.games:
            return self.games()
        low, high = self.game.players
        return [play(self.game, self.game.config(), low + seed % (high - low + 1), seed) for seed in range(3)]

    def steps(self, most: int = 10_000) -> list[tuple[RuleConfig, int, Step]]:
        """So many of the steps that were played, spread evenly, and besides them the last ones of some games."""
        found = [(config, players, step) for config, players, steps in self.played for step in steps]
        ends = [(config, players, steps[-1]) for config, players, steps in self.played if steps]
        most = share(most)
        return found[:: ceil(len(found) / most)] + ends[:: ceil(4 * len(ends) / most)]

    @cached_property
    def scenes(self) -> Mapping[str, Scene]:
        """Positions to be drawn, by name."""
        if self.positions:
            return self.positions()
        found = {}
        for number, (config, players, steps) in enumerate(self.played[:2]):
            busiest = max(steps, key=lambda step: len(step[1]))
            found[f"{number} first"] = Scene(config, players, steps[0][0])
            found[f"{number} busiest"] = Scene(config, players, busiest[0])
            found[f"{number} last"] = Scene(config, players, steps[-1][3])
        return found

    @cached_property
    def counted(self) -> Sequence[Counted]:
        """Runs to be reported on; one in which agents differ also as if they had taken turns in all seats."""
        found = [*(self.runs() if self.runs else self._few())]
        mixed = next((run for run, _ in found if len(run.agent_names) > 1), None)
        if mixed is None:
            return found
        counts = next(counts for run, counts in found if run is mixed)
        return [*found, Counted(replace(mixed, rotations=mixed.players), counts)]

    def _few(self) -> Sequence[Counted]:
        """Two runs of a few games each."""
        names = [name for name, agent in self.game.agents.items() if not agent.knows]
        alone = self._simulated(("random",) * self.game.players[0])
        mixed = self._simulated(tuple(names[seat % len(names)] for seat in range(self.game.players[1])))
        return [alone, mixed]

    @cached_property
    def one_by_one(self) -> tuple[RunInfo, Any]:
        """A run of a few games at random, and the tally of each of them."""
        agents = ("random",) * self.game.players[0]
        run, played = self._interpreted(agents, 3)
        return run, np.concatenate([played.play(game, 1).counts[:1] for game in range(run.games)])

    def _simulated(self, agents: tuple[str, ...], games: int = 4) -> Counted:
        """A run of a few games, without a compiler."""
        run, played = self._interpreted(agents, games)
        return Counted(run, played.play(0, games).counts[0])

    def _interpreted(self, agents: tuple[str, ...], games: int) -> tuple[RunInfo, Interpreted]:
        """A run, and what plays it without a compiler."""
        config, names = self.game.config(), list(dict.fromkeys(agents))
        numbers = tuple(list(self.game.agents).index(agent) for agent in agents)
        params = tuple(
            tuple(number.default for number in self.game.agents[agent].parameters.values()) for agent in agents
        )
        kinds = tuple(names.index(agent) for agent in agents)
        lookup_tables = load_lookup_tables(self.game, config, numbers)
        match = Match(self.game, config, len(agents), 1, numbers, kinds, params, lookup_tables)
        return run_of(self.game, agents, games, config.model_dump(mode="json")), Interpreted(match)

    def meaningful(self, config: RuleConfig) -> list[int]:
        """All actions there are under a config."""
        found = []
        for action in range(self.game.actions):
            try:
                self.game.words.describe(config, action)
            except PlaymillError:
                continue
            found.append(action)
        return found

    def options(self, scene: Scene) -> list[int]:
        """The legal actions of a position."""
        return options(self.game, scene.config, scene.players, scene.s)

    def view(self, scene: Scene, viewer: int | None, legal: Sequence[int], lang: Any) -> str:
        """The picture of a position."""
        return self.game.view(scene.config, scene.s, viewer, legal, lang)


@cache
def stock_of(name: str) -> Stock:
    """What a game lends: the `STOCK` of its own tests, or what it ships."""
    folder = ROOT / "tests" / "games" / name
    if not (folder / f"{name}_stock.py").is_file():
        return Stock(name)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    found: Stock = importlib.import_module(f"{name}_stock").STOCK
    return found
