"""Resolves a plan: loads its game, config and agents, checks that they match, and makes what plays it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, agent_name, seats_by_rules, seats_for
from playmill.agents.fallbacks import Fallbacks
from playmill.agents.mixed_match import MixedMatch
from playmill.engine.compile.play_kernels import compiled, kernels_of
from playmill.engine.config.model import Changes, RuleConfig, change_texts, differences, set_texts
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game, as_config, as_game, reference_of
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.backends import ChunkPlayer, backend_maker
from playmill.engine.run.lookup_tables import LookupTables, load_lookup_tables
from playmill.engine.run.match import Backend, GroupCounts, Match, check_seed, new_workspace
from playmill.interrupts import Stop
from playmill.lab.runs.finished_games import FinishedGames, StretchCounts
from playmill.lab.runs.plan import Plan, changes, make_plan
from playmill.lab.runs.rotation import GroupCounter, Rotating, around, rotated
from playmill.lab.runs.sparse_counts import Cells, cells, cells_of, joined
from playmill.texts import PlaymillError, Text


@dataclass(frozen=True)
class ResolvedPlan:
    """A plan with its loaded game, config and agents; `reference` finds the game again (name or folder)."""

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
    def guarantees(self) -> Mapping[str, str]:
        """What holds each guarantee of the sandbox around programs started here; they are the same for all."""
        return next((seat.program.guarantees for seat in self.seats if seat.program and seat.program.guarantees), {})

    def would_compile(self, *, strict: bool = False) -> bool:
        """Returns whether only compiled agents play, and something must be compiled first."""
        if not all(seat.compiled for seat in self.seats) or compiler.is_off():
            return False
        return not compiled(self.game, strict=strict).can_play([seat.number for seat in self.seats])

    def seated(self, rotation: int) -> tuple[Seat, ...]:
        """Returns who sits where in the games of one rotation."""
        return around(self.seats, rotation)

    def learn(self, preparing: Preparing | None = None) -> Mapping[str, Any]:
        """Computes what the agents have to know by heart, and returns the facts they tell about it."""
        return self._lookup_tables(preparing).facts

    def _lookup_tables(self, preparing: Preparing | None = None) -> LookupTables:
        numbers, tables = [seat.number for seat in self.seats], [seat.table for seat in self.seats]
        return load_lookup_tables(self.game, self.config, numbers, tables, preparing=preparing)

    def match(self) -> Match:
        """Returns the match of the first rotation."""
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
            lookup_tables=self._lookup_tables(),
        )

    def player_maker(self, work: ExecutionOptions) -> Callable[[], ChunkPlayer[FinishedGames]]:
        """Returns what makes the workers that play the games."""
        match, rotations = self.match(), self.plan.rotations
        makers = [self._backend_maker(match, step, work) for step in range(rotations)]
        if self.plan.groups == 1:
            return lambda: _RangePlayer(makers[0](), work.fallbacks)

        def rotating() -> ChunkPlayer[FinishedGames]:
            backends = [make() for make in makers]
            interpreted = work.backend == "interpreted"
            grouping = self.plan.grouping
            counted = self._counts_on_device(work)
            made = Rotating(
                match, backends, grouping, by_deal=not self.threads, counted=counted, interpreted=interpreted
            )
            return _RangePlayer(made, work.fallbacks)

        return rotating

    def _counts_on_device(self, work: ExecutionOptions) -> bool:
        """Returns whether a GPU counts games by group: nobody wants their rows, nor chunks of them."""
        return work.backend == "cuda" and self.plan.groups > 1 and not work.rows and not work.edge

    def _backend_maker(self, first: Match, rotation: int, work: ExecutionOptions) -> Callable[[], Backend]:
        """Returns the compiled loops, or a table where each decision is asked for, of one rotation."""
        match, seats = rotated(first, rotation), self.seated(rotation)
        compiled = all(seat.compiled for seat in seats)
        # The loops themselves try no invariants: then each position is looked at from outside.
        tries = work.invariants or (work.backend == "interpreted" and bool(self.game.invariants))
        searched = work.backend == "cuda" and not compiled
        if (compiled or searched) and not tries:
            grouped = self.plan.groups > 1  # those are counted by their rows, unless a GPU does it
            counted = self._counts_on_device(work)
            return (_search_maker(seats, work.stop) if searched else partial(backend_maker, work.backend))(
                match,
                rows=work.rows or (grouped and not counted),
                edge=0 if grouped else work.edge,
                grouping=self.plan.grouping if counted else None,
                strict=work.strict,
                rotation=rotation,
                rotations=self.plan.rotations,
            )
        return lambda: MixedMatch(
            match,
            seats,
            strict=work.strict or compiled,
            fallbacks=work.fallbacks,
            interpreted=work.backend == "interpreted",
            stop=work.stop,
            rotation=rotation,
            rotations=self.plan.rotations,
            invariants=tries,
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
        """Returns the command line that plays these games, for given players or agents if there are several runs."""
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
        """Returns what differs from the rules, as `--set` takes it."""
        return set_texts(differences(self.config))

    def tally(self, first: int, rows: RecordArray) -> Cells:
        """Returns the counts of finished games."""
        rotations = self.plan.rotations
        if self.plan.groups == 1:
            counts: RecordArray = np.zeros(1, self.game.tally)
            kernels_of(self.game).tally_rows(new_workspace(self.match()), rows, counts)
            return cells_of(counts)
        counter = GroupCounter(self.match(), rotations, self.plan.grouping)
        return cells_of(counter.count(first // rotations, rows))


@dataclass(frozen=True)
class ExecutionOptions:
    """How games are played: backend, strictness, stop, output; none of it changes the games."""

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
    #: Whether the invariants of the game are tried after every action, whatever the backend.
    invariants: bool = False


def _search_maker(seats: Sequence[Seat], stop: Stop) -> Callable[..., Callable[[], Backend]]:
    """Returns what makes the constructor of workers that search on a GPU."""
    from playmill.agents.search.gpu_search import search_maker

    return partial(search_maker, seats, stop=stop)


class _RangePlayer:
    """Plays ranges of games on a backend and returns them as finished games with sparse counts."""

    def __init__(self, backend: Backend, fallbacks: Fallbacks) -> None:
        self.sizes = backend.sizes
        self._backend = backend
        self._fallbacks = fallbacks

    def play(self, first: int, count: int) -> FinishedGames:
        """Plays these games."""
        chunk = self._backend.play(first, count)
        rows = chunk.rows if len(chunk.rows) == chunk.games else None
        if not chunk.edge:
            return FinishedGames(first, chunk.games, cells_of(chunk.counts), rows, self._fallbacks.take())
        counts = chunk.counts if isinstance(chunk.counts, GroupCounts) else _sparse(chunk.counts)
        every = joined([cells(0, counts.places, counts.values)])
        return FinishedGames(
            first, chunk.games, every, rows, self._fallbacks.take(), apart=StretchCounts(chunk.edge, counts)
        )


def _sparse(counts: RecordArray) -> GroupCounts:
    """Returns several tallies without their zeros."""
    numbers = counts.view(np.int64).reshape(len(counts), -1)
    groups, places = np.nonzero(numbers != 0)
    return GroupCounts(groups, places, numbers[groups, places])


def resolve_plan(
    game: str | Game,
    *,
    players: int | None = None,
    agents: Any = ("random",),
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    rotate: bool = False,
    grouped: bool = False,
) -> ResolvedPlan:
    """Resolves a run as a user asks for it."""
    chosen = as_game(game)
    players = players if players is not None else chosen.players[0]
    check_seed(seed)
    settings = as_config(chosen, config)
    settings = settings.changed(change_texts(set)) if set else settings
    given = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
    seats = seats_for(chosen, players, given, settings)
    settings.pack(players)
    plan = make_plan(chosen, settings, players, seats, rotated=rotate, seed=seed, grouped=grouped)
    reference = reference_of(chosen)
    return ResolvedPlan(plan, chosen, settings, seats, reference, _written(given), _found(given, seats))


def with_setting(
    resolved: ResolvedPlan, config: RuleConfig, *, seats: Sequence[Seat] | None = None, seed: int | None = None
) -> ResolvedPlan:
    """Returns a resolved plan with another config, other numbers of its agents, or another seed."""
    plan = resolved.plan
    seated = seats_by_rules(resolved.game, plan.players, seats if seats is not None else resolved.seats, config)
    made = make_plan(
        resolved.game,
        config,
        plan.players,
        seated,
        rotated=plan.rotated,
        seed=plan.seed if seed is None else seed,
        grouped=True,
    )
    found = tuple(seat.spec or name for name, seat in zip(resolved.found, seated, strict=False))
    return replace(resolved, plan=made, config=config, seats=seated, found=found)


def resolve_saved_plan(plan: Plan, reference: str, specs: Sequence[str], source: str) -> ResolvedPlan:
    """Resolves a plan that was made before, here or elsewhere; raises if it would be another run."""
    found = resolve_same_plan(plan, reference, specs, source)
    if isinstance(found, ResolvedPlan):
        return found
    raise changed(source, found)


def resolve_same_plan(plan: Plan, reference: str, specs: Sequence[str], source: str) -> ResolvedPlan | list[Text]:
    """Resolves a plan, or returns what differs here so that it would be another run."""
    game = as_game(reference)
    try:
        config = game.config.read(plan.config, source)
    except PlaymillError as error:
        return [error.text]
    game.check_players(plan.players)
    seats = seats_for(game, plan.players, specs, config)
    # A file is found by its whole path, an agent with fitted numbers by these; what it is called is as it was.
    seats = tuple(
        replace(seat, name=agent.name) if seat.player is not None or _kind(seat.name) == _kind(agent.name) else seat
        for seat, agent in zip(seats, plan.agents, strict=True)
    )
    now = make_plan(game, config, plan.players, seats, rotated=plan.rotated, seed=plan.seed, grouped=plan.grouped)
    if now != plan:
        return changes(plan, now)
    given = specs if len({*specs}) > 1 else specs[:1]
    return ResolvedPlan(plan, game, config, seats, reference, _written(given), _found(given, seats))


def _kind(name: str) -> str:
    return name.partition(":")[0]


def _written(agents: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(agent_name, agents))


def _found(agents: Sequence[Any], seats: Sequence[Seat]) -> tuple[str, ...]:
    """Returns what finds each agent again; an object of Python has only its name."""
    return tuple(seat.spec or agent_name(agent) for agent, seat in zip(agents, seats, strict=False))


def changed(source: str, changes: Sequence[Text]) -> PlaymillError:
    """Returns the error about a run that cannot go on because it would become another one."""
    return PlaymillError(
        f"run {source} cannot go on: {'; '.join(text.en for text in changes)}",
        f"прогон {source} нельзя продолжить: {'; '.join(text.ru for text in changes)}",
    )
