"""The agents at one table: who plays a seat, and what is answered in its place if nothing comes that can be used."""

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
from playmill.web.minds import USUAL, Answer, Mind, Player, mind_of
from playmill.web.strangers import LATE, LateError, Strangers
from playmill.web.table import Table
from playmill.web.warming import Warming

#: An agent that has not answered after so many seconds is not waited for; the first answer may need the compiler.
PATIENCE = 300.0

AT_RANDOM = Text(
    "its agent gave no answer that could be used: a random choice instead",
    "его агент не дал годного ответа: вместо него случайный выбор",
)

_log = logging.getLogger("playmill.web")


class Thinkers:
    """The agents of one table; each remembers during the game."""

    def __init__(self, table: Table, minds: Mapping[str, Mind], warming: Warming, strangers: Strangers) -> None:
        self._table = table
        self._minds = minds
        self._warming = warming
        self._strangers = strangers
        self._players: dict[int, Player] = {}
        self._late: set[int] = set()

    async def answer(self, seat: int, state: State, threads: Executor) -> Answer:
        """What the agent of a seat does in a copy of the game, or at random what is done in its place."""
        try:
            answer = await self._asked(seat, state, threads)
        except LateError as error:
            self._late.add(seat)
            answer = Answer(secrets.choice(state.legal_actions()), error.text)
        except Exception as error:  # an agent may do anything
            self._players.pop(seat, None)  # it may be at it still
            answer = Answer(secrets.choice(state.legal_actions()), Text(repr(error), repr(error)))
        if answer.trouble is not None:
            _log.warning("agent of seat %d chose at random: %s", seat + 1, answer.trouble.en)
        return answer

    async def _asked(self, seat: int, state: State, threads: Executor) -> Answer:
        """What an agent answers; one out of a file that was late once is not asked again at this table."""
        player = self._player(seat)
        if player.file:
            if seat in self._late:
                raise LateError
            return await self._strangers.ask(player.file, partial(player.choose, state), PATIENCE)
        thought = asyncio.get_running_loop().run_in_executor(threads, player.choose, state)
        return await asyncio.wait_for(thought, PATIENCE)

    def remark(self, seat: int) -> Text:
        """What the log says of a random choice in place of an agent's."""
        return LATE if seat in self._late else AT_RANDOM

    def forget(self, seat: int) -> None:
        """Somebody else plays a seat from now on."""
        self._players.pop(seat, None)
        self._late.discard(seat)

    def forget_all(self) -> None:
        """What they remember has been taken back."""
        self._players.clear()

    def _player(self, seat: int) -> Player:
        """Who plays a seat; one that thinks about what was taken back in the meantime is another."""
        if seat not in self._players:
            assert self._table.game is not None
            self._players[seat] = Player(self._table.game, self._table.facts.players, self._mind(seat), self._warming)
        return self._players[seat]

    def _mind(self, seat: int) -> Mind:
        """The agent of a seat; one that is not on offer any more is stood in for by the usual one."""
        assert self._table.game is not None
        with suppress(PlaymillError):
            found = mind_of(self._minds, self._table.game, self._table.chairs[seat].agent)
            if found is not None:
                return found
        return self._minds[USUAL]
