"""All tables of a server: made, found, put away while nobody needs them."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from playmill.agents.seats import seats_for
from playmill.engine.config.paths import sealed
from playmill.engine.contract.game import Game
from playmill.lab.runs.content import Pieces
from playmill.stopping import WORKERS
from playmill.texts import PlaymillError
from playmill.web.forms import SettingsForm
from playmill.web.hints import Hints
from playmill.web.ledger import GRACE, LONGEST_GRACE, Chair, Facts, Ledger, hashed
from playmill.web.minds import USUAL, Mind, file_key, mind_of, minds_for
from playmill.web.polite import thinking_threads
from playmill.web.protocol import TOKEN_BYTES
from playmill.web.room import Room, Threads
from playmill.web.strangers import Strangers
from playmill.web.table import Table, open_table, rules_of
from playmill.web.warming import Warming

#: A table nobody has been at for so many seconds leaves the memory; the log brings it back.
_PUT_AWAY = 300.0
#: So many tables are in memory at the same time.
MOST_ROOMS = 1000
#: So many tables can be made in a minute, and of one address in an hour.
MOST_NEW, MOST_OF_ONE = 60, 100
#: A table at which nothing was decided goes after so many seconds, and so many pass between two looks for such.
EXPIRY, _EXPIRING = 7 * 86_400.0, 3600.0
#: A seat for whoever makes the table, one for somebody else at the same screen, and one for anybody who comes.
ME, HERE, ANYBODY = "me", "here", "anybody"
#: How long somebody may be away, in seconds, that a page offers; 0 is for ever.
GRACES = (30, 60, 300, 0)


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play: a game, by how many, who sits where, and with which numbers changed."""

    game: str
    players: int | None = None
    seats: Sequence[str] = ()
    changes: Sequence[str] = ()
    #: What was typed into the form of settings, by path, and a whole config that was pasted there.
    typed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    file: str = ""
    name: str = ""
    grace: int = GRACE
    hints: bool = True


class Tables:
    """The tables of one ledger."""

    def __init__(
        self, ledger: Ledger, games: Mapping[str, Game], files: Sequence[str] = (), *, compiles: bool = True
    ) -> None:
        self.ledger = ledger
        #: Content of a game that is kept on this server.
        self.kept: Callable[[Game], Pieces] = lambda game: {}
        self.warming = Warming(makes=compiles)
        self.games = dict(games)
        self.files = {file_key(file) for file in files}
        self.minds: dict[str, dict[str, Mind]] = {name: minds_for(game, files) for name, game in games.items()}
        cores = os.cpu_count() or 1
        self._drawing = ThreadPoolExecutor(max(2, cores), thread_name_prefix=f"{WORKERS} draws")
        self._thinking = thinking_threads(max(4, cores), "thinks")
        self._strangers = Strangers()
        self.hints = Hints(self.warming)
        self._idle = Threads(
            ThreadPoolExecutor(1, thread_name_prefix=f"{WORKERS} draws idly"),
            thinking_threads(2, "thinks idly"),
        )
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._made: deque[float] = deque(maxlen=MOST_NEW)
        self._made_by: dict[str, deque[float]] = {}
        self._expired = float("-inf")

    def settings(self, game: Game, wish: Wish) -> SettingsForm:
        """The rules that a wish asks for, with all that is kept to choose from."""
        return SettingsForm(game, wish.typed, wish.changes, wish.file, self.kept(game))

    def make(self, wish: Wish, by: str | None = None) -> tuple[str, str]:
        """Makes a table: its id, and the token of its owner, which holds her seat too if she has one.

        `by` is the address of a guest, who may make so many.
        """
        self._slow_down(by)
        game = self.game(wish.game)
        players = game.players[0] if wish.players is None else wish.players
        game.check_players(players)
        config = self.settings(game, wish).config(players)
        owner = secrets.token_urlsafe(TOKEN_BYTES)
        wanted = list(wish.seats) or [ME, *[USUAL] * (players - 1)]
        chairs = self._chairs(game, players, wanted, hashed(owner), wish.name)
        table = secrets.token_urlsafe(TOKEN_BYTES)
        facts = Facts(
            id=table,
            game=game.name,
            version=game.version,
            rules=rules_of(game),
            config=config.model_dump(mode="json"),
            players=players,
            seed=secrets.randbits(63),
            owner=hashed(owner),
            hints=wish.hints,
        )
        self.ledger.begin(facts, chairs, min(max(wish.grace, 0), LONGEST_GRACE))
        return table, owner

    def make_like(self, table: str, mine: int | None, by: str | None = None) -> tuple[str, str]:
        """The same table once more: the same rules and agents, whoever asks in her seat, the other people's free."""
        self._slow_down(by)
        found = self.ledger.find(table)
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
            rules=rules_of(game),
            seed=secrets.randbits(63),
            owner=hashed(owner),
        )
        self.ledger.begin(new, again, self.ledger.grace(table))
        return new.id, owner

    def _chairs(self, game: Game, players: int, wanted: Sequence[str], mine: str, name: str) -> list[Chair]:
        if len(wanted) != players or wanted.count(ME) > 1:
            raise PlaymillError(
                f"there are {players} seats; say for each who sits there, and sit in one at most",
                f"мест {players}; скажите про каждое, кто там, и займите не больше одного",
            )
        chairs = []
        for wish in wanted:
            if wish in (ME, HERE):
                chairs.append(Chair(name=name if wish == ME else "", token=mine, waits=True))
            elif wish == ANYBODY:
                chairs.append(Chair())
            elif mind_of(self.minds[game.name], game, wish) is not None:
                chairs.append(Chair(agent=wish))
            else:
                known = ", ".join((ME, HERE, ANYBODY, *self.minds[game.name]))
                raise PlaymillError(
                    f"nobody called {wish!r} can sit here; expected one of {known}",
                    f"{wish!r} сюда не посадить; можно: {known}",
                )
        return chairs

    def _slow_down(self, by: str | None) -> None:
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
            self.ledger.expire(time.time() - EXPIRY, self._rooms)

    async def remove(self, table: str) -> None:
        """Removes a table for good; whoever is there has to leave."""
        room = self._rooms.get(table)
        await asyncio.get_running_loop().run_in_executor(self._drawing, self.ledger.remove, table)
        if room is not None:
            room.remove()

    def game(self, name: str) -> Game:
        """A game on offer."""
        if name not in self.games:
            known = ", ".join(self.games)
            raise PlaymillError(f"there is no game {name!r}; there are {known}", f"игры {name!r} нет; есть {known}")
        return self.games[name]

    async def room(self, table: str) -> Room | None:
        """The room of a table, opened if need be; None if there is no such table. Raises if no more can be open."""
        async with self._opening.setdefault(table, asyncio.Lock()):
            if table in self._rooms and self._rooms[table].removed:
                self._rooms.pop(table).close()
            if table not in self._rooms:
                self._make_room()
                opened = await asyncio.get_running_loop().run_in_executor(self._drawing, self._open, table)
                if opened is None:
                    self._opening.pop(table, None)
                    return None
                minds = self.minds.get(opened.facts.game, {})
                self._rooms[table] = Room(
                    opened,
                    self.ledger,
                    minds,
                    busy=Threads(self._drawing, self._thinking),
                    idle=self._idle,
                    hints=self.hints,
                    warming=self.warming,
                    strangers=self._strangers,
                )
                self._thinking.submit(self._warm, opened)
            room = self._rooms[table]
            room.touched = time.monotonic()
            return room

    def _open(self, table: str) -> Table | None:
        found = self.ledger.find(table)
        if found is None:
            return None
        notes, grace, again = self.ledger.notes(table), self.ledger.grace(table), self.ledger.again(table)
        return open_table(self.games, *found, notes=notes, grace=grace, again=again)

    def _warm(self, table: Table) -> None:
        """Lets what the agents of a table need be made before it is their turn."""
        if table.game is None or table.trouble is not None or table.over:
            return
        for key in {chair.agent for chair in table.chairs}:
            mind = self.minds[table.game.name].get(key)
            if mind is not None and mind.key not in self.files:
                self.warming.ready(table.game, seats_for(table.game, table.facts.players, [mind.spec])[0], table.config)

    def _make_room(self) -> None:
        """Lets go of the table that nobody has been at for longest if no more can be open; raises if all are in use."""
        if len(self._rooms) < MOST_ROOMS:
            return
        idle = [(room.touched, table) for table, room in self._rooms.items() if room.idle]
        if not idle:
            raise PlaymillError(
                "too many tables are open here: try again later", "открыто слишком много столов: попробуйте позже"
            )
        table = min(idle)[1]
        self._rooms.pop(table).close()
        self._opening.pop(table, None)

    def put_away(self, now: float | None = None) -> None:
        """Lets go of tables at which nobody is."""
        now = time.monotonic() if now is None else now
        for table, room in list(self._rooms.items()):
            if room.idle and now - room.touched > _PUT_AWAY:
                room.close()
                del self._rooms[table]
                self._opening.pop(table, None)

    @property
    def open_rooms(self) -> Mapping[str, Room]:
        """The tables in memory."""
        return self._rooms

    def close(self) -> None:
        """Ends everything; what was decided is kept."""
        self.warming.close()
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()
        self._drawing.shutdown(wait=True, cancel_futures=True)
        self._idle.drawing.shutdown(wait=True, cancel_futures=True)
        for thinking in (self._thinking, self._idle.thinking):
            thinking.shutdown(wait=False, cancel_futures=True)
        self.hints.close()
        self.ledger.close()


def ledger_path(home: Path) -> Path:
    """Where the tables of a home are kept."""
    return home / "tables.sqlite3"
