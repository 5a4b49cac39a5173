"""Plays matches decision by decision with any mix of agents: compiled, `search`, Python and programs."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from playmill.agents.agent_specs import Seat
from playmill.agents.fallbacks import Fallback, Fallbacks, reason_of
from playmill.agents.python.agent_thread import GivenUpError, Work
from playmill.agents.python.decision import DecisionMaker
from playmill.agents.python.reply import Reply, one_question, printable
from playmill.agents.search.search_agent import Thinker
from playmill.engine.compile.play_kernels import Compiled, interpreted_kernels, kernels_of
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS
from playmill.engine.lint.endless_loops import asks_agents, silent_agent
from playmill.engine.run.invalid_actions import stuck
from playmill.engine.run.invariant_checks import BrokenInvariantError, InvariantCheck, show_command
from playmill.engine.run.match import Chunk, Match, Numbers, Sizes
from playmill.engine.run.preflight import preflight
from playmill.engine.run.stepper import Steps
from playmill.interrupts import Stop
from playmill.stdio import complain
from playmill.texts import PlaymillError, user_language


class MixedMatch:
    """Plays a match one decision after the other; `search` agents keep their trees during a game, and only then.

    It may be one of the rotations of a run: then what it plays are deals, and errors tell the number of the game.
    """

    sizes = Sizes(1, 64)

    def __init__(
        self,
        match: Match,
        seats: Sequence[Seat],
        *,
        strict: bool = False,
        fallbacks: Fallbacks | None = None,
        interpreted: bool = False,
        stop: Stop | None = None,
        rotation: int = 0,
        rotations: int = 1,
        invariants: bool = False,
    ) -> None:
        self._match = match
        self._invariants = InvariantCheck(match.game, match.config) if invariants else None
        self._stop = stop or Stop()
        self._seats = seats
        self._strict = strict
        self._rotation, self._rotations = rotation, rotations
        self._fallbacks = fallbacks or Fallbacks()
        if not interpreted:
            preflight(match, rotation=rotation, rotations=rotations)
        self._kernels = interpreted_kernels(match.game) if interpreted else kernels_of(match.game)
        self._steps = Steps(match, interpreted=interpreted)
        self._workspace = self._steps.workspace
        self._host = next((seat.host for seat in seats if seat.host is not None), None)
        self._given_up = False
        self._finished = 0
        #: How often each seat was asked in the game that is being played.
        self._asked = [0] * len(seats)
        #: The agent whose answer is awaited, nobody if it is "", and since when.
        self.asked, self.asked_at = "", 0.0
        #: What was chosen in the last game, decision by decision.
        self.chosen: list[int] = []
        #: Fallbacks of the game that is being played: they count when it is finished.
        self._troubles: list[tuple[str, str, Fallback | None]] = []
        self._thinkers = {
            number: Thinker(
                match.game, seat.params, judge=seat.network, interpreted=interpreted, strict=strict, stop=self._stop
            )
            for number, seat in enumerate(seats)
            if seat.thinks
        }
        self._programs = {number: seat.program for number, seat in enumerate(seats) if seat.program is not None}
        self._questions = {
            number: DecisionMaker(
                match.game, match.config, players=match.players, seed=match.seed, interpreted=interpreted
            )
            for number, seat in enumerate(seats)
            if seat.player is not None
        }

    @asks_agents
    def play(self, first: int, count: int) -> Chunk:
        """Plays these games one after the other; on a stop it gives up the unfinished one.

        With a count of 0 it only compiles what is needed, so that this is not measured as playing.
        """
        if not count:
            self._prepare()
        rows: RecordArray = np.zeros(count, self._match.game.outcome)
        counts: RecordArray = np.zeros(1, self._match.game.tally)
        paid = np.zeros((count, SEATS))
        self._finished = 0
        work = self._play_all(rows, paid, first)
        try:
            if self._host is not None:
                self._host.do(work, self._stop)
            else:
                for _ in work:
                    pass
        except GivenUpError:
            rows = rows[: self._finished]
            if (message := silent_agent(self)) is not None:
                complain(message.of(user_language()))
        finally:
            # An agent that still thinks goes on in its thread: when it has answered, its game is left.
            self._given_up = self._finished < count
        self._kernels.tally_rows(self._workspace, rows, counts)
        return Chunk(first, len(rows), rows, counts, paid[: len(rows), : len(self._seats)])

    def _prepare(self) -> None:
        self._steps.begin(self._match.seed, 0)
        for thinker in self._thinkers.values():
            thinker.prepare(self._workspace)
        if isinstance(self._kernels, Compiled):
            self._kernels.prepare([seat.number for seat in self._seats if seat.compiled])

    def _play_all(self, rows: RecordArray, paid: Numbers, first: int) -> Work[None]:
        for place in range(len(rows)):
            self._troubles.clear()
            decisions = yield from self._play_one(first + place)
            rows[place] = self._steps.finish(decisions)[0]
            paid[place] = self._steps.pay()
            for trouble in self._troubles:
                self._fallbacks.add(*trouble)
            self._finished = place + 1

    def _play_one(self, number: int) -> Work[int]:
        """Plays one game; returns the number of decisions."""
        steps = self._steps
        options = steps.begin(self._match.seed, number)
        for thinker in self._thinkers.values():
            thinker.new_game(self._workspace)
        for program in self._programs.values():
            program.begin(number * self._rotations + self._rotation)
        self._asked = [0] * len(self._seats)
        self.chosen = []
        decisions = 0
        if self._invariants is not None:
            self._try_invariants(number, None, -1)
        while options > 0:
            action = steps.ids[0]
            if options > 1 or self._is_asked_anyway(steps.mover[0]):
                decisions += options > 1
                action = yield from self._choice(number, decisions, options)
                if self._stop() or self._given_up:
                    raise GivenUpError
                if options > 1:
                    self.chosen.append(action)
            options = self._step(number, action)
        if steps.mover[0] >= 0:
            state = self._workspace["states"][0, LIVE]
            raise stuck(self._match, state, number * self._rotations + self._rotation, decisions)
        if self._programs:
            returns: list[float] = steps.pay()[: self._match.players].tolist()
            for place, program in self._programs.items():
                program.over(place, returns)
        return decisions

    def _step(self, number: int, action: int) -> int:
        """Does an action, and tries the invariants of the game if that was asked for; returns the next options."""
        if self._invariants is None:
            return self._steps.step(action)
        before = self._workspace["states"][0, LIVE].copy()
        options = self._steps.step(action)
        self._try_invariants(number, before, action)
        return options

    def _try_invariants(self, number: int, before: np.void | None, action: int) -> None:
        assert self._invariants is not None
        state, match = self._workspace["states"][0, LIVE], self._match
        try:
            if before is None:
                self._invariants.begin(state)
            else:
                self._invariants.step(before, action, state)
        except BrokenInvariantError as error:
            agents = [seat.spec or seat.name for seat in self._seats]
            shown = show_command(match.game, match.config, match.players, match.seed, number, agents)
            raise error.at(number * self._rotations + self._rotation, match.seed, shown) from None

    def _is_asked_anyway(self, place: int) -> bool:
        """Whether a seat is asked even where there is one option, as a game's own methods are specified."""
        player = self._seats[place].player
        return player is not None and player.by_methods

    def _choice(self, number: int, step: int, options: int) -> Work[int]:
        place = self._steps.mover[0]
        seat = self._seats[place]
        if seat.player is None and not seat.compiled:
            return self._thinkers[place].choose(self._workspace)
        actions = self._steps.ids[:options].tolist()
        if seat.compiled:
            chosen = int(
                self._kernels.agent_choice(self._workspace, self._match.lookup_tables.values, seat.number, options)
            )
            if chosen in actions:
                return chosen
            answer = chosen if chosen >= 0 else int(self._workspace["invalid_action"][0])
            kind = self._match.game.words.decision_kind(self._workspace["states"][0, LIVE])
            # It may have made a list of its own where ours lay.
            self._steps.options()
            return self._instead(place, number, step, kind, Reply(answer, str(answer)), options)
        assert seat.player is not None
        decision = self._questions[place].ask(self._workspace, actions, number=number, asked=self._asked[place])
        self._asked[place] += 1
        kind = decision.kind
        self.asked, self.asked_at = seat.name, time.monotonic()
        reply = yield from one_question(seat.player, decision)
        self.asked = ""
        if reply.action in actions or self._stop() or self._given_up:
            return reply.action or 0
        return self._instead(place, number, step, kind, reply, options)

    def _instead(self, place: int, number: int, step: int, kind: str, reply: Reply, options: int) -> int:
        """The fallback for an invalid answer; if the run is strict, raises."""
        agent, reason = self._seats[place].name, reason_of(reply)
        game = number * self._rotations + self._rotation
        if self._strict:
            raise PlaymillError(
                f"agent {agent}, game {game}, decision {kind}: {reason.en}",
                f"агент {agent}, партия {game}, решение {kind}: {reason.ru}",
            )
        chosen = reply.instead
        if chosen is None or chosen not in self._steps.ids[:options]:
            chosen = self._steps.chance(options)
        trouble = None
        if self._fallbacks.listens():
            words, config = self._match.game.words, self._match.config
            seen = words.seen(config, self._workspace["states"][0, LIVE], place, "en")
            instead = words.describe(config, chosen)
            trouble = Fallback(
                players=self._match.players,
                game=game,
                turn=seen.get("turn", seen.get("round")),
                step=step,
                seat=place,
                agent=agent,
                decision=kind,
                answer=printable(reply.answer) or None,
                reason=reason.en,
                reason_ru=reason.ru,
                replacement=instead.en,
                replacement_ru=instead.ru,
            )
        self._troubles.append((agent, kind, trouble))
        return chosen
