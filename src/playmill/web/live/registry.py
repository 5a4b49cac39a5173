"""Registry of all tables: creates them, opens their actors, closes idle ones, removes expired tables."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from playmill.agents.agent_specs import seats_for
from playmill.engine.config.input_files import sealed
from playmill.engine.contract.game import Game
from playmill.interrupts import WORKERS
from playmill.lab.runs.content import Pieces
from playmill.texts import PlaymillError
from playmill.web.agents.file_agents import FileAgents
from playmill.web.agents.hints import HintService
from playmill.web.agents.offered import USUAL, OfferedAgent, file_key, find_agent, offered_agents
from playmill.web.agents.precompile import Precompiler
from playmill.web.agents.threads import low_priority_threads
from playmill.web.live.actor import TableActor, Threads
from playmill.web.live.setup import ANYBODY, HERE, ME, TableSetup
from playmill.web.page.settings_form import SettingsForm
from playmill.web.table.protocol import TOKEN_BYTES
from playmill.web.table.state import GameTable, open_table, rules_fingerprint_of
from playmill.web.table.store import LONGEST_GRACE, Chair, TableFacts, TableStore, hashed

#: Seconds after which an idle table leaves the memory; the store brings it back.
_PUT_AWAY = 300.0
#: Tables in memory at the same time.
MOST_OPEN = 1000
#: New tables in a minute, and of one address in an hour.
MOST_NEW, MOST_OF_ONE = 60, 100
#: Seconds after which a table without decisions is removed, and between two checks for such tables.
EXPIRY, _EXPIRING = 7 * 86_400.0, 3600.0


class TableRegistry:
    """The tables of one store, and the actors of those in memory."""

    def __init__(
        self, store: TableStore, games: Mapping[str, Game], files: Sequence[str] = (), *, compiles: bool = True
    ) -> None:
        self.store = store
        #: Content of a game that is saved on this server.
        self.kept: Callable[[Game], Pieces] = lambda game: {}
        self.precompiler = Precompiler(makes=compiles)
        self.games = dict(games)
        self.files = {file_key(file) for file in files}
        self.agents: dict[str, dict[str, OfferedAgent]] = {
            name: offered_agents(game, files) for name, game in games.items()
        }
        cores = os.cpu_count() or 1
        self._drawing = ThreadPoolExecutor(max(2, cores), thread_name_prefix=f"{WORKERS} draws")
        self._thinking = low_priority_threads(max(4, cores), "thinks")
        self._file_agents = FileAgents()
        self.hints = HintService(self.precompiler)
        self._idle = Threads(
            ThreadPoolExecutor(1, thread_name_prefix=f"{WORKERS} draws idly"),
            low_priority_threads(2, "thinks idly"),
        )
        self._actors: dict[str, TableActor] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._made: deque[float] = deque(maxlen=MOST_NEW)
        self._made_by: dict[str, deque[float]] = {}
        self._expired = float("-inf")

    def settings(self, game: Game, setup: TableSetup) -> SettingsForm:
        """The settings form of a set-up, with all saved content to choose from."""
        return SettingsForm(game, setup.typed, setup.changes, setup.file, self.kept(game))

    def make(self, setup: TableSetup, by: str | None = None) -> tuple[str, str]:
        """Creates a table; returns its id and the token of its owner, which also holds the owner's seats.

        `by` is the address of a guest, for whom the number of new tables is limited.
        """
        self._check_rate(by)
        game = self.game(setup.game)
        players = game.players[0] if setup.players is None else setup.players
        game.check_players(players)
        config = self.settings(game, setup).config(players)
        owner = secrets.token_urlsafe(TOKEN_BYTES)
        wanted = list(setup.seats) or [ME, *[USUAL] * (players - 1)]
        chairs = self._chairs(game, players, wanted, hashed(owner), setup.name)
        table = secrets.token_urlsafe(TOKEN_BYTES)
        facts = TableFacts(
            id=table,
            game=game.name,
            version=game.version,
            rules=rules_fingerprint_of(game),
            config=config.model_dump(mode="json"),
            players=players,
            seed=secrets.randbits(63),
            owner=hashed(owner),
            hints=setup.hints,
        )
        self.store.begin(facts, chairs, min(max(setup.grace, 0), LONGEST_GRACE))
        return table, owner

    def make_again(self, table: str, mine: int | None, by: str | None = None) -> tuple[str, str]:
        """Creates the same table once more: same rules and agents, same seats for who asks, other people's free."""
        self._check_rate(by)
        found = self.store.find(table)
        if found is None:
            raise PlaymillError("there is no such table", "такого стола нет")
        facts, chairs, _ = found
        game = self.game(facts.game)
        owner = secrets.token_urlsafe(TOKEN_BYTES)
        again = [Chair(agent=chair.agent) for chair in chairs]
        asks = chairs[mine] if mine is not None and mine < len(chairs) else Chair()
        for seat, chair in enumerate(chairs):
            if chair.token:
                same = chair.token == asks.token
                again[seat] = Chair(name=chair.name, token=hashed(owner), waits=True) if same else Chair()
        with sealed():
            game.config.read(dict(facts.config))
        new = replace(
            facts,
            id=secrets.token_urlsafe(TOKEN_BYTES),
            version=game.version,
            rules=rules_fingerprint_of(game),
            seed=secrets.randbits(63),
            owner=hashed(owner),
        )
        self.store.begin(new, again, self.store.grace(table))
        return new.id, owner

    def _chairs(self, game: Game, players: int, wanted: Sequence[str], mine: str, name: str) -> list[Chair]:
        if len(wanted) != players or wanted.count(ME) > 1:
            raise PlaymillError(
                f"there are {players} seats; say for each who sits there, and sit in one at most",
                f"мест {players}; скажите про каждое, кто там, и займите не больше одного",
            )
        chairs = []
        for occupant in wanted:
            if occupant in (ME, HERE):
                chairs.append(Chair(name=name if occupant == ME else "", token=mine, waits=True))
            elif occupant == ANYBODY:
                chairs.append(Chair())
            elif find_agent(self.agents[game.name], game, occupant) is not None:
                chairs.append(Chair(agent=occupant))
            else:
                known = ", ".join((ME, HERE, ANYBODY, *self.agents[game.name]))
                raise PlaymillError(
                    f"nobody called {occupant!r} can sit here; expected one of {known}",
                    f"{occupant!r} сюда не посадить; можно: {known}",
                )
        return chairs

    def _check_rate(self, by: str | None) -> None:
        now = time.monotonic()
        if len(self._made) == MOST_NEW and now - self._made[0] < 60:
            raise PlaymillError("too many new tables: wait a minute", "слишком много новых столов: подождите минуту")
        if by is not None:
            self._made_by = {who: made for who, made in self._made_by.items() if now - made[-1] < 3600}
            mine = self._made_by.setdefault(by, deque(maxlen=MOST_OF_ONE))
            if len(mine) == MOST_OF_ONE and now - mine[0] < 3600:
                raise PlaymillError(
                    f"from here {MOST_OF_ONE} tables were made within an hour: play at one of those, or wait",
                    f"отсюда за час сделано столов: {MOST_OF_ONE}; сядьте за один из них или подождите",
                )
            mine.append(now)
        self._made.append(now)

    def expire(self) -> None:
        """Now and then removes tables at which nothing was ever decided."""
        if time.monotonic() - self._expired > _EXPIRING:
            self._expired = time.monotonic()
            self.store.expire(time.time() - EXPIRY, self._actors)

    async def remove(self, table: str) -> None:
        """Removes a table for good and disconnects everybody."""
        actor = self._actors.get(table)
        await asyncio.get_running_loop().run_in_executor(self._drawing, self.store.remove, table)
        if actor is not None:
            actor.remove()

    def game(self, name: str) -> Game:
        """A game on offer; raises for an unknown name."""
        if name not in self.games:
            known = ", ".join(self.games)
            raise PlaymillError(f"there is no game {name!r}; there are {known}", f"игры {name!r} нет; есть {known}")
        return self.games[name]

    async def actor(self, table: str) -> TableActor | None:
        """The actor of a table, opened if need be; None if there is no such table. Raises if no more can be open."""
        async with self._opening.setdefault(table, asyncio.Lock()):
            if table in self._actors and self._actors[table].removed:
                self._actors.pop(table).close()
            if table not in self._actors:
                self._close_one()
                opened = await asyncio.get_running_loop().run_in_executor(self._drawing, self._open, table)
                if opened is None:
                    self._opening.pop(table, None)
                    return None
                agents = self.agents.get(opened.facts.game, {})
                self._actors[table] = TableActor(
                    opened,
                    self.store,
                    agents,
                    busy=Threads(self._drawing, self._thinking),
                    idle=self._idle,
                    hints=self.hints,
                    precompiler=self.precompiler,
                    file_agents=self._file_agents,
                )
                self._thinking.submit(self._warm, opened)
            actor = self._actors[table]
            actor.touched = time.monotonic()
            return actor

    def _open(self, table: str) -> GameTable | None:
        found = self.store.find(table)
        if found is None:
            return None
        notes, grace, again = self.store.notes(table), self.store.grace(table), self.store.again(table)
        return open_table(self.games, *found, notes=notes, grace=grace, again=again)

    def _warm(self, table: GameTable) -> None:
        """Has what the agents of a table need compiled before it is their turn."""
        if table.game is None or table.trouble is not None or table.over:
            return
        for key in {chair.agent for chair in table.chairs}:
            agent = self.agents[table.game.name].get(key)
            if agent is not None and agent.key not in self.files:
                self.precompiler.ready(
                    table.game, seats_for(table.game, table.facts.players, [agent.spec], table.config)[0], table.config
                )

    def _close_one(self) -> None:
        """Closes the table that has been idle for longest if no more can be open; raises if all are in use."""
        if len(self._actors) < MOST_OPEN:
            return
        idle = [(actor.touched, table) for table, actor in self._actors.items() if actor.idle]
        if not idle:
            raise PlaymillError(
                "too many tables are open here: try again later", "открыто слишком много столов: попробуйте позже"
            )
        table = min(idle)[1]
        self._actors.pop(table).close()
        self._opening.pop(table, None)

    def close_idle(self, now: float | None = None) -> None:
        """Closes tables that have been idle for a while."""
        now = time.monotonic() if now is None else now
        for table, actor in list(self._actors.items()):
            if actor.idle and now - actor.touched > _PUT_AWAY:
                actor.close()
                del self._actors[table]
                self._opening.pop(table, None)

    @property
    def open_actors(self) -> Mapping[str, TableActor]:
        """The tables in memory."""
        return self._actors

    def close(self) -> None:
        """Ends everything; what was decided is in the store."""
        self.precompiler.close()
        for actor in self._actors.values():
            actor.close()
        self._actors.clear()
        self._drawing.shutdown(wait=True, cancel_futures=True)
        self._idle.drawing.shutdown(wait=True, cancel_futures=True)
        for thinking in (self._thinking, self._idle.thinking):
            thinking.shutdown(wait=False, cancel_futures=True)
        self.hints.close()
        self.store.close()


def store_path(home: Path) -> Path:
    """The path of the store in a folder."""
    return home / "tables.sqlite3"
