"""Agents of one table: which agent plays a seat, and a random fallback if it gives no valid answer in time."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial

from playmill.engine.run.state import State
from playmill.texts import PlaymillError, Text
from playmill.web.agents.file_agents import LATE, AgentTimeoutError, FileAgents
from playmill.web.agents.offered import USUAL, Answer, OfferedAgent, SeatedAgent, find_agent
from playmill.web.agents.precompile import Precompiler
from playmill.web.table.state import GameTable

#: Seconds after which an agent is not waited for any more; the first answer may need the compiler.
PATIENCE = 300.0

AT_RANDOM = Text(
    "its agent gave no answer that could be used: a random choice instead",
    "его агент не дал годного ответа: вместо него случайный выбор",
)

_log = logging.getLogger("playmill.web")


class TableAgents:
    """The agents of one table; each has a memory during the game."""

    def __init__(
        self, table: GameTable, agents: Mapping[str, OfferedAgent], precompiler: Precompiler, file_agents: FileAgents
    ) -> None:
        self._table = table
        self._offered = agents
        self._precompiler = precompiler
        self._file_agents = file_agents
        self._players: dict[int, SeatedAgent] = {}
        self._late: set[int] = set()

    async def answer(self, seat: int, state: State, threads: Executor) -> Answer:
        """Asks the agent of a seat in a copy of the game; a random action replaces an invalid or late answer."""
        try:
            answer = await self._asked(seat, state, threads)
        except AgentTimeoutError as error:
            self._late.add(seat)
            answer = Answer(secrets.choice(state.legal_actions()), error.text)
        except Exception as error:  # an agent may do anything
            self._players.pop(seat, None)  # it may be at it still
            answer = Answer(secrets.choice(state.legal_actions()), Text(repr(error), repr(error)))
        if answer.trouble is not None:
            _log.warning("agent of seat %d chose at random: %s", seat + 1, answer.trouble.en)
        return answer

    async def _asked(self, seat: int, state: State, threads: Executor) -> Answer:
        """Asks an agent; one from a file that was late once is not asked again at this table."""
        player = self._player(seat)
        if player.file:
            if seat in self._late:
                raise AgentTimeoutError
            return await self._file_agents.ask(player.file, partial(player.choose, state), PATIENCE)
        thought = asyncio.get_running_loop().run_in_executor(threads, player.choose, state)
        return await asyncio.wait_for(thought, PATIENCE)

    def remark(self, seat: int) -> Text:
        """The line of the log about a random action in place of an agent's."""
        return LATE if seat in self._late else AT_RANDOM

    def forget(self, seat: int) -> None:
        """Drops the agent of a seat: somebody else plays it from now on."""
        self._players.pop(seat, None)
        self._late.discard(seat)

    def forget_all(self) -> None:
        """Drops all memories, after an undo."""
        self._players.clear()

    def _player(self, seat: int) -> SeatedAgent:
        """The agent of a seat, created if need be; after an undo it is another, as the old one may still be at work."""
        if seat not in self._players:
            assert self._table.game is not None
            self._players[seat] = SeatedAgent(
                self._table.game, self._table.facts.players, self._offered_agent(seat), self._precompiler
            )
        return self._players[seat]

    def _offered_agent(self, seat: int) -> OfferedAgent:
        """The agent that was chosen for a seat; the usual one in place of one that is not on offer any more."""
        assert self._table.game is not None
        with suppress(PlaymillError):
            found = find_agent(self._offered, self._table.game, self._table.chairs[seat].agent)
            if found is not None:
                return found
        return self._offered[USUAL]
