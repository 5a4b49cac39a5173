"""Context of an audit, shared by its sections: game, config, agents, budget, and helpers that play games."""

from __future__ import annotations

import shlex
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.search.search_agent import NAME as SEARCH
from playmill.agents.search.search_agent import PARAMETERS, Thinker
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.rollouts import AS_IT_IS, NO_TAGS, PUBLIC, RolloutAgent, RolloutResult, Rollouts, Tags, jobs_of
from playmill.engine.run.state import State
from playmill.lab.audit.action_kinds import ActionKinds, kinds_of
from playmill.lab.audit.budget import AuditBudget
from playmill.lab.audit.decision_play import DecisionPlayer, DecisionProbe
from playmill.lab.audit.observations import Observations, Work
from playmill.lab.audit.playouts import shares_of
from playmill.texts import PlaymillError, Text

Numbers = np.ndarray[Any, np.dtype[np.float64]]
#: Simulations of the player who stands for a good one where a game has no heuristic: as many of these as fit.
_THOUGHTS = (400, 200, 100, 50, 25)
#: Steps of simulations that one game of such players should take for each minute of an audit; the fewest thoughts
#: may take more, up to this many times as many. And games at random to see how long one is.
_STEPS, _AT_MOST, _LOOKED_AT = 20_000, 10, 16
#: Parts that play decision by decision, and those in which somebody thinks: for these there is more to compile.
_STEPPING, _THINKING = {"skill", "drama", "choices", "uses"}, {"skill", "choices", "uses"}
#: Games that are remembered decision by decision, since several are looked at in turn.
_RECENT = 8
Made = TypeVar("Made")


class Observer(Protocol):
    """Runs works, here or elsewhere."""

    def observe(self, context: AuditContext, work: Work, numbers: range, arguments: tuple[Any, ...]) -> Observations:
        """Returns what a work observes of some numbers, in their order; raises if somebody asked to stop."""


@dataclass(frozen=True)
class AuditContext:
    """A game with one config and number of players, the agent that stands for a good player, and the budget."""

    game: Game
    named: str
    config: RuleConfig
    players: int
    #: The agent that stands for a player who knows the game: compiled, or `search`.
    player: str
    seed: int
    budget: AuditBudget
    #: What differs from the rules, as `--set` takes it.
    changes: tuple[str, ...] = ()
    interpreted: bool = False
    #: The parts that are asked for.
    wanted: tuple[str, ...] = ()
    #: Who runs the works; without one they run here and now.
    runner: Observer | None = None

    @property
    def solo(self) -> bool:
        """Whether there is one player, who wins or not."""
        return self.players == 1

    @property
    def fair(self) -> float:
        """What each of equal players wins."""
        return 1 / self.players

    @property
    def thinks(self) -> bool:
        """Whether the player thinks, so that far fewer games can be played."""
        return self.seats[self.player].thinks

    @property
    def called(self) -> Text:
        """The player in words."""
        return agent_text(self.player)

    @property
    def among(self) -> Text:
        """Among whom something was found, at the beginning of a sentence."""
        alone = Text("For a player like {}", "У игрока, играющего как {}")
        return (alone if self.solo else Text("Among players like {}", "Среди играющих как {}")).format(self.called)

    def with_players(self, verdict: Text) -> Text:
        """Returns a verdict that says among whom."""
        pairs = zip(self.among, verdict, strict=True)
        return Text(*(f"{who}: {sentence[:1].lower()}{sentence[1:]}" for who, sentence in pairs))

    def fewer(self, games: int) -> int:
        """Number of games played at once before the clock is read; fewer where the player thinks."""
        return max(2, games // 8) if self.thinks else games

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The agents at hand: the player first, then the compiled ones of the game."""
        return (self.player, *(name for name in self.game.agents if name != self.player.partition(":")[0]))

    @cached_property
    def compiled(self) -> tuple[str, ...]:
        """The compiled agents at hand."""
        return tuple(name for name, seat in self.seats.items() if seat.compiled)

    @cached_property
    def seats(self) -> dict[str, Seat]:
        """The agents as seats."""
        return {name: seats_for(self.game, self.players, [name], self.config)[0] for name in self.agents}

    @cached_property
    def rollouts(self) -> Rollouts:
        """Plays games of these agents in the compiled loop."""
        # Whoever thinks does not sit there: a place is kept, so that all are known by the same numbers.
        free = list(self.game.agents).index("random")
        members = [
            RolloutAgent(seat.number, seat.params, seat.table) if seat.compiled else RolloutAgent(free)
            for seat in self.seats.values()
        ]
        return Rollouts(self.game, self.config, self.players, members, interpreted=self.interpreted, workers=1)

    @cached_property
    def decision_probe(self) -> DecisionProbe:
        """Plays games in which one of the agents thinks."""
        return DecisionProbe(self)

    @cached_property
    def kinds(self) -> ActionKinds:
        """The kinds of its actions."""
        return kinds_of(self.game, self.config)

    def prepare(self) -> None:
        """Has everything compiled that will be needed: the clock of an audit is about playing."""
        self.rollouts.play(jobs_of(1, self.players, seed=self.seed))
        if _STEPPING & {*self.wanted}:
            DecisionPlayer(self, [self.player] * self.players).play(0)
        if _THINKING & {*self.wanted}:
            DecisionPlayer(self, [searching(1)] * self.players).play(0)

    def observe(self, work: Work, numbers: range, *arguments: Any) -> Observations:
        """Returns what a work observes of some numbers, in their order; raises if somebody asked to stop."""
        if self.runner is None:
            return work(self, numbers, *arguments)
        return self.runner.observe(self, work, numbers, arguments)

    def recent(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Returns what was made under a key before, if that is not long ago, else makes it."""
        found = self._recent.get(key)
        if found is None:
            found = self._recent[key] = make()
            while len(self._recent) > _RECENT:
                self._recent.popitem(last=False)
        return cast("Made", found)

    @cached_property
    def _recent(self) -> OrderedDict[Hashable, Any]:
        return OrderedDict()

    def play(self, jobs: RecordArray, *, positions: RecordArray | None = None, tags: Tags = NO_TAGS) -> RolloutResult:
        """Plays jobs here, on one core; raises if somebody asked to stop."""
        thinking = [place for place, seat in enumerate(self.seats.values()) if not seat.compiled]
        if np.isin(jobs["who"][:, : self.players], thinking).any():
            return self.decision_probe.play(jobs, positions=positions, tags=tags)
        found = self.rollouts.play(jobs, positions=positions, tags=tags, stop=self.budget.stop)
        self.budget.check()
        return found

    def play_out(self, positions: RecordArray, games: range, *, seed: int) -> Numbers:
        """What each side got of a win in these play-outs of each position, which is known as far as it is open to all.

        Play-out k of two positions has the same rng.
        """
        jobs = jobs_of(len(positions) * len(games), self.players, seed=seed)
        jobs["position"] = np.repeat(np.arange(len(positions)), len(games))
        jobs["rng_game"] = jobs["agent_rng_game"] = np.tile(np.arange(games.start, games.stop), len(positions))
        # Of a game that is over nothing is dealt anew: its end might read what would be.
        jobs["known"] = np.where(positions["player"][jobs["position"]] < 0, AS_IT_IS, PUBLIC)
        paid = self.payoffs(self.play(jobs, positions=positions).paid)
        return paid.reshape(len(positions), len(games), self.players)

    def payoffs(self, paid: Any) -> Numbers:
        """Returns what games were worth to each seat: 1 to the winner, shared by those who are on top together.

        Alone one wins if the game brings 1 or more.
        """
        return shares_of(paid)

    def decisions(self, number: int) -> Iterator[State]:
        """Yields a game of good players, stopped at each of its decisions, and once more when it is over."""
        seat = self.seats[self.player]
        state = State(
            self.game,
            players=self.players,
            config=self.config,
            seed=self.seed,
            number=number,
            interpreted=self.interpreted,
        )
        thinkers: dict[int, Thinker] = {}
        if seat.thinks:
            for place in range(self.players):
                thinkers[place] = Thinker(
                    self.game, seat.params, judge=seat.network, interpreted=self.interpreted, stop=self.budget.stop
                )
                thinkers[place].new_game(state.workspace)
        while not state.is_terminal():
            self.budget.check()
            yield state
            if seat.thinks:
                state.apply_action(thinkers[state.current_player()].choose_evenly(state.workspace))
            else:
                state.apply_action(state.choice_of(seat.number, seat.params, seat.table))
        yield state

    def command(self, name: str, *words: object) -> str:
        """Returns a command line about this game under its settings."""
        line = ["playmill", name, self.named, *map(str, words)]
        if self.players != self.game.players[0]:
            line += ["--players", str(self.players)]
        return shlex.join([*line, *(["--set", *self.changes] if self.changes else [])])

    def simulation(self, *words: object) -> str:
        """Returns the command that plays many games of players like this one."""
        return self.command("simulate", "--agents", self.player, "--games", 400 if self.thinks else 100_000, *words)


def searching(iterations: int) -> str:
    """Returns the spec of `search` with n simulations per decision."""
    return f"{SEARCH}:iterations={iterations}"


def agent_text(agent: str) -> Text:
    """Returns an agent in words: `search` by how much it thinks."""
    head, _, iterations = agent.partition("search:iterations=")
    if head or not iterations.isdecimal():
        return Text(agent, agent)
    return Text(f"search ({iterations} thoughts)", f"search (мыслей: {iterations})")


def good_player(
    game: Game, config: RuleConfig, players: int, minutes: float | None = None, *, interpreted: bool = False
) -> str:
    """Chooses the agent that stands for a good player: the one `search` plays on by, else `search` itself.

    How much it thinks depends on the length of random games and the minutes of an audit, never on a clock.
    """
    if game.search.rollout != "random":
        return game.search.rollout
    random = RolloutAgent(list(game.agents).index("random"))
    rollouts = Rollouts(game, config, players, [random], interpreted=interpreted, workers=1)
    decisions = float(rollouts.play(jobs_of(_LOOKED_AT, players, seed=0)).notes["decisions"].mean())
    # From each decision on, simulations are half as long as the game, on average.
    wanted = _STEPS * (1.0 if minutes is None else minutes) / (decisions * decisions / 2)
    fitting = [thoughts for thoughts in _THOUGHTS if thoughts <= wanted]
    least = _THOUGHTS[-1]
    return searching(fitting[0] if fitting else least) if fitting or least <= _AT_MOST * wanted else "random"


def check_player(game: Game, config: RuleConfig, players: int, player: str) -> None:
    """Raises unless an agent is compiled or `search` without a clock: it plays thousands, repeatably."""
    seat = seats_for(game, players, [player], config)[0]
    by_clock = seat.thinks and dict(zip(PARAMETERS, seat.params, strict=False)).get("ms", 0) > 0
    if by_clock or not (seat.compiled or seat.thinks):
        known = ", ".join((*game.agents, SEARCH))
        raise PlaymillError(
            f"an audit plays thousands of games, and the same again: --agents is one of {known}, not {player}",
            f"аудит играет тысячи партий и может их повторить: --agents — один из {known}, а не {player}",
        )
