"""Where an audit plays: the game, its players and their cast, and what all its parts ask for."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from playmill.agents.search import NAME as SEARCH
from playmill.agents.search import Thinker
from playmill.agents.seats import Seat, seats_for
from playmill.engine.books import open_book
from playmill.engine.compiled import interpreted_kernels, kernels_of
from playmill.engine.config import RuleConfig
from playmill.engine.game import Game
from playmill.engine.match import Match
from playmill.engine.play import default_workers
from playmill.engine.probe import NO_TAGS, Answer, Member, Probe, Tags, jobs_of
from playmill.engine.record import RecordArray
from playmill.engine.slips import no_action
from playmill.engine.state import State
from playmill.engine.stepping import Steps
from playmill.lab.audit.budget import Budget
from playmill.lab.audit.kinds import Kinds, kinds_of
from playmill.lab.playouts import shares_of
from playmill.stopping import WORKERS
from playmill.texts import PlaymillError

Numbers = np.ndarray[Any, np.dtype[np.float64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
One = TypeVar("One")
Other = TypeVar("Other")


@dataclass(frozen=True)
class Stage:
    """A game with one config and number of players, who plays it well, and how much may be played."""

    game: Game
    named: str
    config: RuleConfig
    players: int
    #: The compiled agent that stands for a player who knows the game.
    player: str
    seed: int
    budget: Budget
    #: What differs from the rules, as `--set` takes it.
    changes: tuple[str, ...] = ()
    interpreted: bool = False
    workers: int | None = None

    @property
    def solo(self) -> bool:
        """Whether there is one player, who wins or not."""
        return self.players == 1

    @property
    def fair(self) -> float:
        """What each of equal players wins."""
        return 1 / self.players

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The compiled agents of the cast: the player first, then the others of the game."""
        return (self.player, *(name for name in self.game.agents if name != self.player.partition(":")[0]))

    @cached_property
    def seats(self) -> dict[str, Seat]:
        """The agents of the cast as somebody who sits down."""
        return {name: seats_for(self.game, self.players, [name])[0] for name in self.agents}

    @cached_property
    def probe(self) -> Probe:
        """What plays games of the cast."""
        cast = [Member(seat.number, seat.params) for seat in self.seats.values()]
        return Probe(self.game, self.config, self.players, cast, interpreted=self.interpreted, workers=self.workers)

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of its actions."""
        return kinds_of(self.game, self.config)

    def prepare(self, *, steps: bool, thinks: bool) -> None:
        """Has everything compiled that will be needed: the clock of an audit is about playing."""
        self.probe.play(jobs_of(1, self.players, seed=self.seed))
        if steps:
            Sitting(self, [self.player] * self.players).play(0)
        if thinks:
            Sitting(self, [searching(1)] * self.players).play(0)

    def play(self, jobs: RecordArray, *, positions: RecordArray | None = None, tags: Tags = NO_TAGS) -> Answer:
        """Plays jobs of the cast; raises if somebody asked to stop."""
        found = self.probe.play(jobs, positions=positions, tags=tags, stop=self.budget.stop)
        self.budget.check()
        return found

    def payoffs(self, paid: Any) -> Numbers:
        """What games were worth to each seat: 1 to the winner, shared by those who are on top together.

        Alone one wins if the game brings 1 or more.
        """
        return shares_of(paid)

    def decisions(self, number: int) -> Iterator[State]:
        """A game of good players, stopped at each of its decisions, and once more when it is over."""
        seat = self.seats[self.player]
        state = State(
            self.game,
            players=self.players,
            config=self.config,
            seed=self.seed,
            number=number,
            interpreted=self.interpreted,
        )
        while not state.is_terminal():
            self.budget.check()
            yield state
            state.apply_action(state.choice_of(seat.number, seat.params))
        yield state

    def command(self, name: str, *words: object) -> str:
        """A command line about this game under its settings."""
        line = ["playmill", name, self.named, *map(str, words)]
        if self.players != self.game.players[0]:
            line += ["--players", str(self.players)]
        return shlex.join([*line, *(["--set", *self.changes] if self.changes else [])])

    def each(self, work: Callable[[One], Other], things: Iterable[One]) -> list[Other]:
        """What comes of a work on each of some things, in their order, on all cores."""
        many = list(things)

        def checked(one: One) -> Other:
            self.budget.check()
            return work(one)

        workers = 1 if self.interpreted else self.workers or default_workers()
        if workers == 1 or len(many) < 2:
            return [checked(one) for one in many]
        with ThreadPoolExecutor(workers, thread_name_prefix=WORKERS) as pool:
            return list(pool.map(checked, many))


def searching(iterations: int) -> str:
    """`search` with so many games in the head for one decision."""
    return f"{SEARCH}:iterations={iterations}"


class Sitting:
    """Plays games decision by decision with those who sit here, compiled or thinking; one seat may be forbidden a kind.

    Who is forbidden something and thinks takes the best of the rest. If there is nothing else, it is allowed.
    """

    def __init__(self, stage: Stage, who: Sequence[str]) -> None:
        game = stage.game
        self._stage = stage
        self._seats = seats_for(game, stage.players, tuple(who))
        self._kernels = interpreted_kernels(game) if stage.interpreted else kernels_of(game)
        numbers = tuple(seat.number for seat in self._seats)
        self._book = open_book(game, stage.config, numbers)
        params = tuple(seat.params if seat.compiled else () for seat in self._seats)
        match = Match(game, stage.config, stage.players, stage.seed, numbers, numbers, params, self._book)
        self._steps = Steps(match, interpreted=stage.interpreted)
        self._desk = self._steps.desk
        self._thinkers = {
            place: Thinker(game, seat.params, judge=seat.judge, interpreted=stage.interpreted, stop=stage.budget.stop)
            for place, seat in enumerate(self._seats)
            if seat.thinks
        }
        #: What the seat that was looked at has chosen in the last game.
        self.chosen: set[int] = set()

    def play(self, number: int, *, seat: int = -1, forbidden: Flags | None = None) -> Numbers:
        """Plays the game dealt under a number; returns what it was worth to each seat."""
        steps = self._steps
        self.chosen = set()
        options = steps.begin(self._stage.seed, number)
        for thinker in self._thinkers.values():
            thinker.new_game()
        while options > 0:
            action = steps.ids[0]
            if options > 1:
                mover = steps.mover[0]
                action = self._choice(mover, options, forbidden if mover == seat else None)
                if mover == seat:
                    self.chosen.add(action)
                self._stage.budget.check()
            options = steps.step(action)
        return self._stage.payoffs(steps.pay()[: self._stage.players])

    def _choice(self, mover: int, options: int, forbidden: Flags | None) -> int:
        if mover not in self._thinkers:
            chosen = int(self._kernels.agent_choice(self._desk, self._book.pages, self._seats[mover].number, options))
            if chosen < 0:
                raise no_action(self._stage.game, int(self._desk["slip"][0]))
            return chosen
        thinker = self._thinkers[mover]
        favourite = thinker.choose(self._desk)
        if forbidden is None or not forbidden[favourite]:
            return favourite
        left = [option for option in thinker.weighed(self._desk) if not forbidden[option.action]]
        if not left:
            return favourite
        return max(left, key=lambda option: (option.tries, option.mean, -option.action)).action


def check_player(game: Game, players: int, player: str) -> None:
    """Raises unless an agent is one of the game's compiled ones: thousands of games are played by it."""
    seat = seats_for(game, players, [player])[0]
    if not seat.compiled:
        known = ", ".join(game.agents)
        raise PlaymillError(
            f"an audit plays thousands of games: --agent is one of {known}, not {player}",
            f"аудит играет тысячи партий: --agent — один из {known}, а не {player}",
        )
