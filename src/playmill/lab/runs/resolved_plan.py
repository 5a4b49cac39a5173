"""A cast: a plan with everything at hand that plays it, the game, its config, and who sits in each seat."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.agents.seats import Seat, agent_name, seats_for
from playmill.agents.table import Table
from playmill.engine.compile.play_kernels import kernels_of
from playmill.engine.config.model import RuleConfig, differences
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game, as_config, as_game, reference_of
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.backends import Player, backend_maker
from playmill.engine.run.lookup_tables import Book, open_book
from playmill.engine.run.match import Backend, GroupCounts, Match, check_luck, new_desk
from playmill.lab.runs.counts import Cells, cells, cells_of, joined
from playmill.lab.runs.parts import Apart, Part
from playmill.lab.runs.plan import Plan, changes, make_plan
from playmill.lab.runs.rotation import GroupCounter, Rotating, around, rotated
from playmill.stopping import Stop
from playmill.texts import PlaymillError, Text


@dataclass(frozen=True)
class Cast:
    """Who plays a plan. `reference` finds the game again: its name, or the folder it lies in."""

    plan: Plan
    game: Game
    config: RuleConfig
    seats: tuple[Seat, ...]
    #: What finds the game from any folder.
    reference: str
    #: The agents as a user writes them, and so that they are found from any folder.
    written: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def threads(self) -> bool:
        """Whether several games can be played at once: what is written in Python plays one after the other."""
        return all(seat.compiled or seat.thinks for seat in self.seats)

    @property
    def walls(self) -> Mapping[str, str]:
        """What holds each wall around the programs that were started here; one system puts the same around all."""
        return next((seat.program.walls for seat in self.seats if seat.program and seat.program.walls), {})

    def seated(self, rotation: int) -> tuple[Seat, ...]:
        """Who sits where in the games of one rotation."""
        return around(self.seats, rotation)

    def learn(self, preparing: Preparing | None = None) -> Mapping[str, Any]:
        """Computes what the agents have to know by heart, and returns the facts they tell about it."""
        return self._book(preparing).facts

    def _book(self, preparing: Preparing | None = None) -> Book:
        return open_book(self.game, self.config, [seat.number for seat in self.seats], preparing)

    def match(self) -> Match:
        """The match of the first rotation."""
        names = list(dict.fromkeys(self.plan.names))
        seats = self.seats
        return Match(
            game=self.game,
            config=self.config,
            players=self.plan.players,
            seed=self.plan.seed,
            seats=tuple(seat.number for seat in seats),
            agents=tuple(names.index(seat.name) for seat in seats),
            params=tuple(seat.params for seat in seats),
            book=self._book(),
        )

    def player_maker(self, work: Work) -> Callable[[], Player[Part]]:
        """What makes the workers that play the games."""
        match, rotations = self.match(), self.plan.rotations
        makers = [self._backend_maker(match, step, work) for step in range(rotations)]
        if self.plan.groups == 1:
            return lambda: _Parts(makers[0](), work.fallbacks)

        def rotating() -> Player[Part]:
            backends = [make() for make in makers]
            interpreted = work.backend == "interpreted"
            grouping = self.plan.grouping
            made = Rotating(match, backends, grouping, by_deal=not self.threads, interpreted=interpreted)
            return _Parts(made, work.fallbacks)

        return rotating

    def _backend_maker(self, first: Match, rotation: int, work: Work) -> Callable[[], Backend]:
        """The compiled loops, or a table where each decision is asked for, of one rotation."""
        match, seats = rotated(first, rotation), self.seated(rotation)
        if all(seat.compiled for seat in seats):
            grouped = self.plan.groups > 1  # those are counted by their rows
            return backend_maker(
                work.backend,
                match,
                rows=work.rows or grouped,
                edge=0 if grouped else work.edge,
                strict=work.strict,
                rotation=rotation,
                rotations=self.plan.rotations,
            )
        return lambda: Table(
            match,
            seats,
            strict=work.strict,
            fallbacks=work.fallbacks,
            interpreted=work.backend == "interpreted",
            stop=work.stop,
            rotation=rotation,
            rotations=self.plan.rotations,
        )

    def command(
        self,
        games: range,
        *,
        players: Sequence[int] = (),
        among: Sequence[str] = (),
        backend: str = "cpu",
        strict: bool = False,
        more: Sequence[str] = (),
    ) -> str:
        """The command line that plays these games: by so many players or among these, if there are several runs."""
        plan = self.plan
        words = ["playmill", "simulate", self.reference, "--players", *map(str, players or (plan.players,))]
        words += ["--from", str(games.start), "--to", str(games.stop)] if games.start else ["--games", str(games.stop)]
        words += ["--seed", str(plan.seed), *(("--among", *among) if among else ("--agents", *self.found))]
        for change in self.changes():
            words += ["--set", change]
        if plan.rotated:
            words.append("--rotate")
        if backend != "cpu":
            words += ["--backend", backend]
        if strict:
            words.append("--strict")
        return shlex.join([*words, *more])

    def changes(self) -> list[str]:
        """What differs from the rules, as `--set` takes it."""
        return [
            f"{path}={value if isinstance(value, str) else json.dumps(value, separators=(',', ':'))}"
            for path, value in differences(self.config).items()
        ]

    def tally(self, first: int, rows: RecordArray) -> Cells:
        """The counts of finished games."""
        rotations = self.plan.rotations
        if self.plan.groups == 1:
            counts: RecordArray = np.zeros(1, self.game.tally)
            kernels_of(self.game).tally_rows(new_desk(self.match()), rows, counts)
            return cells_of(counts)
        counter = GroupCounter(self.match(), rotations, self.plan.grouping)
        by_rotation = [np.ascontiguousarray(rows[rotation::rotations]) for rotation in range(rotations)]
        return cells_of(counter.count(first // rotations, by_rotation))


@dataclass(frozen=True)
class Work:
    """How games are played: not what they are."""

    backend: str
    strict: bool
    fallbacks: Fallbacks
    stop: Stop
    #: Whether anybody wants the rows of single games.
    rows: bool = True
    #: A multiple of it is the edge of a chunk, and chunks are counted apart; 0: there are none.
    edge: int = 0
    #: Whether the interpreter plays the first games, and all if they are few, before anything is compiled.
    at_once: bool = False


class _Parts:
    """Plays games on a backend, and hands them on as parts of a run."""

    def __init__(self, backend: Backend, fallbacks: Fallbacks) -> None:
        self.sizes = backend.sizes
        self._backend = backend
        self._fallbacks = fallbacks

    def play(self, first: int, count: int) -> Part:
        """Plays these games."""
        chunk = self._backend.play(first, count)
        rows = chunk.rows if len(chunk.rows) == chunk.games else None
        if not chunk.edge:
            return Part(first, chunk.games, cells_of(chunk.counts), rows, self._fallbacks.take())
        counts = chunk.counts if isinstance(chunk.counts, GroupCounts) else _sparse(chunk.counts)
        every = joined([cells(0, counts.places, counts.values)])
        return Part(first, chunk.games, every, rows, self._fallbacks.take(), apart=Apart(chunk.edge, counts))


def _sparse(counts: RecordArray) -> GroupCounts:
    """Several tallies without their zeros."""
    numbers = counts.view(np.int64).reshape(len(counts), -1)
    groups, places = np.nonzero(numbers)
    return GroupCounts(groups, places, numbers[groups, places])


def gather(
    game: str | Game,
    *,
    players: int | None = None,
    agents: Any = ("random",),
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Sequence[str] = (),
    seed: int = 0,
    rotate: bool = False,
    grouped: bool = False,
) -> Cast:
    """The cast of a run as a user asks for it."""
    chosen = as_game(game)
    players = players if players is not None else chosen.players[0]
    check_luck(seed)
    settings = as_config(chosen, config)
    settings = settings.changed(set) if set else settings
    given = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
    seats = seats_for(chosen, players, given)
    settings.pack(players)
    plan = make_plan(chosen, settings, players, seats, rotated=rotate, seed=seed, grouped=grouped)
    reference = reference_of(chosen)
    return Cast(plan, chosen, settings, seats, reference, _written(given), _found(given, seats))


def gather_again(plan: Plan, reference: str, specs: Sequence[str], source: str) -> Cast:
    """The cast of a plan that was made before, here or elsewhere; raises if it would not be the same run."""
    found = same_cast(plan, reference, specs, source)
    if isinstance(found, Cast):
        return found
    raise changed(source, found)


def same_cast(plan: Plan, reference: str, specs: Sequence[str], source: str) -> Cast | list[Text]:
    """The cast of a plan, or what is different here, so that it would be another run."""
    game = as_game(reference)
    try:
        config = game.config.read(plan.config, source)
    except PlaymillError as error:
        return [error.text]
    game.check_players(plan.players)
    seats = seats_for(game, plan.players, specs)
    # A file is found by its whole path; what it is called is as it was.
    seats = tuple(
        replace(seat, name=agent.name) if seat.player is not None else seat
        for seat, agent in zip(seats, plan.agents, strict=True)
    )
    now = make_plan(game, config, plan.players, seats, rotated=plan.rotated, seed=plan.seed, grouped=plan.grouped)
    if now != plan:
        return changes(plan, now)
    given = specs if len({*specs}) > 1 else specs[:1]
    return Cast(plan, game, config, seats, reference, _written(given), _found(given, seats))


def _written(agents: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(agent_name, agents))


def _found(agents: Sequence[Any], seats: Sequence[Seat]) -> tuple[str, ...]:
    """What finds each agent again; an object of Python has but its name."""
    return tuple(seat.spec or agent_name(agent) for agent, seat in zip(agents, seats, strict=False))


def changed(source: str, told: Sequence[Text]) -> PlaymillError:
    """The sentence about a run that cannot go on, since it would become another one."""
    return PlaymillError(
        f"run {source} cannot go on: {'; '.join(text.en for text in told)}",
        f"прогон {source} нельзя продолжить: {'; '.join(text.ru for text in told)}",
    )
