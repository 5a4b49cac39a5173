"""Positions made by hand, in letters, and played by the interpreter; and counts compared with chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from scipy.stats import chisquare

from common.found import game_of
from common.interpreter import new_legal, new_rng, rule_of
from playmill import Game
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.modules.load_modules import COUNTING
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import STREAMS


class Position:
    """A position with its config and its random numbers; `source` is the record itself.

    A game's tests make their own kind, `class Mine(Position, game="mine")`, which says how actions are written.
    """

    game: ClassVar[Game]
    #: The run from whose games the random numbers are taken.
    seed: ClassVar[int]
    _rules: ClassVar[Mapping[str, Callable[..., Any]]]

    def __init_subclass__(cls, *, game: str, seed: int = 5) -> None:
        cls.game, cls.seed = game_of(game), seed
        cls._rules = {name: rule_of(cls.game, name) for name in cls.game.rules}

    def __init__(self, config: RuleConfig, players: int, number: int = 0, *, cfg: Any = None) -> None:
        """An empty table with the random numbers of game `number`; `cfg` is the packed config, if it is at hand."""
        self.config = config
        self.players = players
        self.cfg = plain(config.pack(players))[0] if cfg is None else cfg
        self.source = np.zeros(1, self.game.state)
        self.s = plain(self.source)[0]
        self.rng = new_rng(number, self.seed)
        self.options = new_legal(self.game)

    def again(self, number: int = 0) -> Self:
        """A copy of the position with the random numbers of another game."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.source = self.source.copy()
        twin.s = plain(twin.source)[0]
        twin.rng = new_rng(number, self.seed)
        return twin

    def deal(self) -> Self:
        """Begins the game as the rules do."""
        self._rules["setup"](self.cfg, self.s, self.rng)
        return self

    # What can be done, and doing it

    def text(self, action: int) -> str:
        """An action in letters."""
        raise NotImplementedError

    def legal_ids(self) -> list[int]:
        """The ids of the options of the player to move, as they are listed."""
        return list(self.options.ids[: self._rules["legal_actions"](self.cfg, self.s, self.options)])

    def counted_ids(self) -> list[int]:
        """The same options, counted and picked by number, in a game that can do so."""
        count, nth = (self._rules[name] for name in COUNTING)
        return [nth(self.cfg, self.s, self.options, k) for k in range(count(self.cfg, self.s, self.options))]

    def legal(self) -> list[str]:
        """The options of the player to move, the same listed and counted."""
        ids = self.legal_ids()
        assert COUNTING[0] not in self._rules or sorted(self.counted_ids()) == ids
        return [self.text(action) for action in ids]

    def do(self, *texts: str) -> Self:
        """Does actions one after another, each of which must be legal; returns the position itself."""
        for text in texts:
            # Of options that read alike the first is meant.
            ids = dict(zip(reversed(self.legal()), reversed(self.legal_ids()), strict=True))
            assert text in ids, f"{text!r} is not among {self.legal()}"
            self.do_id(ids[text])
        return self

    def do_id(self, action: int) -> None:
        """Does an action by its id."""
        self._rules["apply_action"](self.cfg, self.s, action, self.rng)

    def conceal(self, player: int = 0) -> Self:
        """Deals anew what a player cannot know; returns the position itself."""
        self._rules["conceal"](self.cfg, self.s, player, self.rng)
        return self

    # What there is

    def streams(self) -> list[int]:
        """Where the random streams stand."""
        return [self.rng.stream[number] for number in range(STREAMS)]

    def observation(self, player: int = 0) -> list[int]:
        """What a player sees."""
        out = np.zeros(self.game.observation, np.int32)
        self._rules["observe"](self.cfg, self.s, player, plain(out))
        return out.tolist()

    def outcome(self) -> Any:
        """The row of a finished game."""
        rows = np.zeros(1, self.game.outcome)
        self._rules["outcome"](self.cfg, self.s, plain(rows)[0])
        return rows[0]

    def returns(self) -> Any:
        """What the game has brought each player."""
        out = np.zeros(self.players)
        self._rules["returns"](self.cfg, self.s, plain(out))
        return out.tolist()


# Counts and chances


def tried(game: Position, times: int, seen: Callable[[Any], Any], *texts: str) -> dict[Any, int]:
    """How often each thing is seen after the same actions with the random numbers of so many games."""
    counts: dict[Any, int] = {}
    for number in range(times):
        found = seen(game.again(number).do(*texts))
        counts[found] = counts.get(found, 0) + 1
    return counts


def uniform(things: Sequence[Any]) -> dict[Any, float]:
    """Equal chances."""
    return {thing: 1 / len(things) for thing in things}


def assert_fits(counts: Mapping[Any, int], chances: Mapping[Any, float], least: float = 1e-3) -> None:
    """What was counted agrees with the chances (chi-square), and nothing impossible happened."""
    assert abs(sum(chances.values()) - 1) < 1e-9, "chances must add up to one"
    impossible = {key: count for key, count in counts.items() if count and not chances.get(key)}
    assert not impossible
    cells = [key for key, chance in chances.items() if chance]
    games = sum(counts.values())
    seen = [counts.get(key, 0) for key in cells]
    expected = [games * float(chances[key]) for key in cells]
    assert min(expected) >= 5, "too few games for this test"
    if len(cells) > 1:
        assert chisquare(seen, expected).pvalue > least, dict(zip(cells, zip(seen, expected, strict=True), strict=True))


def assert_even(counts: Mapping[Any, int], expected: Iterable[Any]) -> None:
    """All expected things, and no others, were seen, and about equally often."""
    wanted = list(expected)
    assert set(counts) == set(wanted)
    assert chisquare([counts[thing] for thing in wanted]).pvalue > 1e-3, counts
