"""Analysis of the decisions of a recorded game: what an expert would have done, and what it cost to do otherwise.

At every decision the strongest agent of the game chooses from what the player could know there: at a glance, where it
is a compiled agent, and after thinking (`search`). What it chooses and what was done are then played on to the end many
times, on luck of their own and the same for both: the difference is what the decision cost. The largest of many
measured costs are the unluckiest, too: so those that look worst are measured once more by play-outs they were not
chosen on, and called mistakes only if that is sure for all of them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from playmill.agents import experts
from playmill.agents.agent_specs import seats_for, with_parameters
from playmill.agents.levels import strongest
from playmill.agents.search.search_agent import NAME, Thinker
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.state import State
from playmill.interrupts import Stop
from playmill.lab.audit.playouts import LAPSE, PlayOuts, Shares, shares_of
from playmill.lab.replays.replay import Replay
from playmill.lab.replays.win_chances import course_of, paired
from playmill.lab.runs.evenly_spaced import evenly_spaced
from playmill.stats.critical_values import LEVEL, Z95
from playmill.stats.estimates import Estimate, value_and_ends
from playmill.texts import Text

#: In place of an action: nobody has decided anything.
NONE = -1
#: Iterations of the search at a decision, and play-outs of what it chooses and of what was done.
THOUGHTS, PLAYOUTS = 400, 400
#: Decisions that are analysed at most; a longer game has some of them, evenly spread.
MOST_DECISIONS = 300
#: This many of the costliest are measured once more, with this many times the play-outs.
CANDIDATES, _AGAIN = 12, 4
#: The share of the play-outs by which what is chosen at a glance is held against what is chosen after thinking.
_RIVALS = 0.25
#: A cost below this share is none that anybody need look at.
_SMALL = 0.01
#: A range of what games bring above this is no longer that of winning or not.
_WIN_OR_NOT = 2
_WORD = (1 << 64) - 1


@dataclass(frozen=True)
class AnalysedDecision:
    """A decision: after how many actions, by whom, what was done, what the expert would have done, and what it cost.

    `glance` is what the expert does without thinking (NONE: it cannot), `sure` the share of its iterations that its
    choice got. The cost is a share of a win, or where games bring more than that, what a game brings less.
    """

    at: int
    player: int
    action: int
    best: int
    glance: int
    sure: float
    cost: Estimate

    def json(self) -> dict[str, Any]:
        """Returns the JSON form."""
        made = {"at": self.at, "player": self.player, "action": self.action, "best": self.best}
        return {**made, "glance": self.glance, "sure": round(self.sure, 4), "cost": value_and_ends(self.cost)}


@dataclass(frozen=True)
class PlayerSummary:
    """Of a player: the decisions, how many were those of the expert, and what one cost on average.

    Whoever always did as the expert has no cost: nothing was measured, and an interval of nothing would promise much.
    """

    decisions: int
    agreed: int
    cost: Estimate | None

    def json(self) -> dict[str, Any]:
        """Returns the JSON form."""
        cost = value_and_ends(self.cost) if self.cost is not None else None
        return {"decisions": self.decisions, "agreed": self.agreed, "cost": cost}


@dataclass(frozen=True)
class DecisionAnalysis:
    """What is known so far of the decisions of a game; `share` says how much of the work is done.

    `mistakes` are the decisions that surely cost something, the worst first; their intervals hold for all together.
    `pays` says that costs are what games bring, not shares of a win. `words` name every action that is mentioned.
    """

    decisions: tuple[AnalysedDecision, ...]
    mistakes: tuple[AnalysedDecision, ...]
    players: tuple[PlayerSummary, ...]
    expert: str
    playouts: int
    pays: bool
    share: float
    words: dict[int, Text]

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved and sent."""
        return {
            "expert": self.expert,
            "playouts": self.playouts,
            "pays": self.pays,
            "share": self.share,
            "decisions": [one.json() for one in self.decisions],
            "mistakes": [one.json() for one in self.mistakes],
            "players": [one.json() for one in self.players],
            "words": {str(action): list(text) for action, text in self.words.items()},
        }


def _called(game: Game, players: int, config: RuleConfig, spec: str) -> str:
    """What the strongest agent is called: an agent of the game that is its expert, by its own name."""
    named = experts.expert_spec(game, players, config) if spec == experts.NAME else spec
    return named if named in game.agents else spec


class Expert:
    """The strongest agent of a game, asked for its choice at single positions."""

    def __init__(
        self,
        game: Game,
        players: int,
        config: RuleConfig,
        *,
        thoughts: int = THOUGHTS,
        interpreted: bool = False,
        stop: Stop | None = None,
    ) -> None:
        spec = strongest(game, config)
        seat = seats_for(game, players, [spec], config)[0]
        #: Who plays positions on to the end: the expert, if it is compiled, else whoever plays on inside a search.
        self.plays_on = spec if seat.compiled else game.search.rollout
        named = game.search.rollout
        heuristic = seats_for(game, players, [named])[0] if named != "random" else None
        self._quick = seat if seat.compiled else heuristic
        thinks = with_parameters(
            game, seat if seat.thinks else seats_for(game, players, [NAME])[0], {"iterations": str(thoughts)}
        )
        self.name = str(thinks.spec) if seat.thinks and seat.network is None else _called(game, players, config, spec)
        self._thinker = Thinker(game, thinks.params, judge=thinks.network, interpreted=interpreted, stop=stop)
        self._state = State(game, players=players, config=config, interpreted=interpreted)

    def options(self, position: np.void) -> list[int]:
        """Returns the options at a position, which is laid out for the next questions."""
        put = np.zeros(1, self._state.game.state)
        put[0] = position
        self._state.put_record(put)
        return self._state.legal_actions() if not self._state.is_terminal() else []

    def glance(self) -> int:
        """Returns what it does at the position that is laid out without thinking; NONE if nobody can tell."""
        if self._quick is None:
            return NONE
        quick = self._quick
        return self._state.clone().choice_of(quick.number, quick.params, quick.table)

    def think(self, number: int) -> tuple[int, float]:
        """Returns what it chooses after thinking, and the share of its iterations that this got."""
        rng = self._state.workspace["agent_rng"]["stream"][0]
        rng[:] = [(number + seat * 0x9E3779B97F4A7C15) & _WORD for seat in range(SEATS)]
        self._thinker.new_game()
        self._thinker.think(self._state.workspace)
        weighed = self._thinker.weighed(self._state.workspace)
        best = max(weighed, key=lambda option: (option.tries, option.mean, -option.action))
        return best.action, best.tries / max(1, sum(option.tries for option in weighed))


def analyse(
    replay: Replay,
    source: str = "replay",
    *,
    playouts: int = PLAYOUTS,
    thoughts: int = THOUGHTS,
    lapse: float = LAPSE,
    workers: int | None = None,
    stop: Stop | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> DecisionAnalysis:
    """Analyses the decisions of a recorded game."""
    game = replay.rules_of(source)
    positions, actions = course_of(replay, source)
    config = game.config.read(replay.config)
    expert = Expert(game, replay.players, config, thoughts=thoughts, stop=stop)
    playing = PlayOuts(game, players=replay.players, config=config, agent=expert.plays_on, lapse=lapse, workers=workers)
    found = _nothing(expert, playing, playouts)
    for found in follow_decisions(positions, actions, playing, expert, playouts=playouts, stop=stop or Stop()):
        if progress is not None:
            progress(round(1000 * found.share), 1000)
    return found


def follow_decisions(
    positions: Sequence[np.void],
    actions: Sequence[int],
    playing: PlayOuts,
    expert: Expert,
    *,
    playouts: int = PLAYOUTS,
    stop: Stop | None = None,
) -> Iterator[DecisionAnalysis]:
    """Yields what is known of the decisions while more becomes known; stopped, it ends with that.

    Positions are those before and after every action; `actions` are what led to each.
    """
    work = _Analysis(positions, playing, expert, playouts)
    decided = [
        (at, action)
        for at, action in enumerate(actions[1:])
        if action >= 0 and len(options := expert.options(positions[at])) > 1 and action in options
    ]
    decided = [decided[place] for place in evenly_spaced(len(decided), MOST_DECISIONS)]
    for done, (at, action) in enumerate(decided, 1):
        if stop is not None and stop():
            return
        work.look(at, action)
        yield work.found(0.9 * done / len(decided))
    mistakes = work.mistakes(stop)
    if mistakes is not None:
        yield work.found(1.0, mistakes)


def _nothing(expert: Expert, playing: PlayOuts, playouts: int) -> DecisionAnalysis:
    return _Analysis((), playing, expert, playouts).found(0.0)


class _Analysis:
    """Decisions of one game, one after the other."""

    def __init__(self, positions: Sequence[np.void], playing: PlayOuts, expert: Expert, playouts: int) -> None:
        self._positions, self._playing, self._expert, self._playouts = positions, playing, expert, playouts
        stakes = playing.game.stakes(playing.config, playing.players)
        self._range = float(stakes.most - stakes.least)
        #: Whether a game brings more than a win, as poker does: there the chance to win says little.
        self._pays = stakes.together is not None and self._range > _WIN_OR_NOT
        rivals = max(8, round(_RIVALS * playouts))
        #: Play-outs that choose between what is done at a glance and after thinking, that measure, and that confirm.
        self._choosing = range(rivals)
        self._measuring = range(rivals, rivals + playouts)
        self._confirming = range(rivals + playouts, rivals + playouts * (1 + _AGAIN))
        self._decisions: list[AnalysedDecision] = []
        self._errors: list[float] = []
        self._words: dict[int, Text] = {}

    def look(self, at: int, action: int) -> None:
        """Analyses one decision."""
        position, expert = self._positions[at], self._expert
        player = int(position["player"])
        expert.options(position)
        glance = expert.glance()
        thought, sure = expert.think(at)
        best = thought
        if glance not in (NONE, thought):
            ahead, error = self._difference(at, glance, thought, self._choosing)
            best = glance if ahead > 2 * error else thought
        value, error = (0.0, 0.0) if best == action else self._difference(at, best, action, self._measuring)
        cost = self._estimate(value, Z95 * error, len(self._measuring) if best != action else 0)
        self._decisions.append(AnalysedDecision(at, player, action, best, glance, sure, cost))
        self._errors.append(error)
        for one in (action, best, glance):
            if one != NONE and one not in self._words:
                self._words[one] = self._playing.game.words.describe(self._playing.config, one)

    def mistakes(self, stop: Stop | None) -> list[AnalysedDecision] | None:
        """Returns the decisions that surely cost something, measured anew; None if it was stopped."""
        from scipy.special import ndtri

        looked = zip(self._decisions, self._errors, strict=True)
        least = _SMALL * (self._range if self._pays else 1.0)
        suspects = [one for one, error in looked if one.cost.value > max(least, 2 * error * self._scale)]
        suspects = sorted(suspects, key=lambda one: -one.cost.value)[:CANDIDATES]
        z = -float(ndtri(LEVEL / 2 / max(1, len(suspects))))
        found = []
        for one in suspects:
            if stop is not None and stop():
                return None
            value, error = self._difference(one.at, one.best, one.action, self._confirming)
            cost = self._estimate(value, z * error, len(self._confirming))
            if cost.low > 0 and cost.value > least:
                found.append(replace(one, cost=cost))
        return sorted(found, key=lambda one: (-one.cost.value, one.at))

    def found(self, share: float, mistakes: Sequence[AnalysedDecision] = ()) -> DecisionAnalysis:
        """Returns what is known."""
        players = tuple(self._player(player) for player in range(self._playing.players))
        return DecisionAnalysis(
            tuple(self._decisions),
            tuple(mistakes),
            players,
            self._expert.name,
            self._playouts,
            self._pays,
            share,
            dict(self._words),
        )

    @property
    def _scale(self) -> float:
        """What a difference between -1 and 1 is worth."""
        return self._range if self._pays else 1.0

    def _player(self, player: int) -> PlayerSummary:
        places = [place for place, one in enumerate(self._decisions) if one.player == player]
        n = len(places)
        agreed = sum(self._decisions[place].action == self._decisions[place].best for place in places)
        if agreed == n:
            return PlayerSummary(n, agreed, None)
        value = sum(self._decisions[place].cost.value for place in places) / n
        # What is measured is this game: only the play-outs are a sample.
        half = Z95 * self._scale * sqrt(sum(self._errors[place] ** 2 for place in places)) / n
        return PlayerSummary(n, agreed, Estimate(value, value - half, value + half, n))

    def _difference(self, at: int, one: int, other: int, games: range) -> tuple[float, float]:
        """Returns how much more one action brings than another, from -1 to 1, and the standard error."""
        position = self._positions[at]
        player = int(position["player"])
        paid = self._playing.after(position, [one, other], games, known=player)
        brings: Shares = paid / self._range if self._pays else shares_of(paid)
        values, errors = paired((brings[0] - brings[1])[:, player : player + 1])
        return float(values[0]), float(errors[0])

    def _estimate(self, value: float, half: float, n: int) -> Estimate:
        scale = self._scale
        return Estimate(value * scale, (value - half) * scale, (value + half) * scale, n)
