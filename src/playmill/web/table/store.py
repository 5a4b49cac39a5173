"""SQLite store of all tables: facts, seats, notes and an append-only log of decisions, written before they count."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from playmill.engine.config.json_input import reason_of
from playmill.home import make_private, open_private
from playmill.texts import PlaymillError, Text

#: Schema version of the file; an older one is migrated, a newer one refused.
FORM = 4
#: Limit of tables: a stranger cannot fill the disk.
MOST_TABLES = 20_000
#: Limit of decisions of a table, and of its notes, of which the last are kept.
MOST_ENTRIES, MOST_NOTES = 50_000, 200
#: Seconds a player may be away before an agent stands in, 0 for ever; and the longest there is.
GRACE, LONGEST_GRACE = 60, 86_400

_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, made REAL NOT NULL, game TEXT NOT NULL, version INTEGER NOT NULL, rules TEXT NOT NULL,
    config TEXT NOT NULL, players INTEGER NOT NULL, seed INTEGER NOT NULL, owner TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat INTEGER NOT NULL, agent TEXT NOT NULL,
    name TEXT NOT NULL, token TEXT NOT NULL, PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL, move TEXT NOT NULL,
    seat INTEGER NOT NULL, action INTEGER NOT NULL, made REAL NOT NULL, PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX moves ON entries (table_id, move);
"""
#: Migrations: what each schema version added to the one before.
_STEPS = {
    2: f"""
ALTER TABLE tables ADD COLUMN grace INTEGER NOT NULL DEFAULT {GRACE};
ALTER TABLE seats ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
CREATE TABLE notes (
    table_id TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, number INTEGER NOT NULL, version INTEGER NOT NULL,
    seat INTEGER NOT NULL, what TEXT NOT NULL, who TEXT NOT NULL, PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
""",
    3: "ALTER TABLE tables ADD COLUMN hints INTEGER NOT NULL DEFAULT 1;",
    4: "ALTER TABLE tables ADD COLUMN again TEXT REFERENCES tables(id) ON DELETE SET NULL;",
}
#: In place of an action: the last decision is taken back.
UNDO = -1


@dataclass(frozen=True)
class TableFacts:
    """What never changes about a table: its game, the rules it began with, and its seed."""

    id: str
    game: str
    version: int
    rules: str
    config: Mapping[str, Any]
    players: int
    seed: int
    owner: str
    hints: bool = True


@dataclass(frozen=True)
class Chair:
    """Who sits in a seat: an agent, a person with a token, or, with neither, nobody yet.

    With both, the agent stands in for the person. A person who `waits` has not yet agreed that the game begins.
    """

    agent: str = ""
    name: str = ""
    token: str = ""
    waits: bool = False

    @property
    def open(self) -> bool:
        """Whether a person may sit down here."""
        return not self.agent and not self.token

    @property
    def person(self) -> bool:
        """Whether a person plays here, there or away."""
        return bool(self.token) and not self.agent


@dataclass(frozen=True)
class LoggedDecision:
    """One line of a table's log: who decided what, under an id that is never used twice."""

    move: str
    seat: int
    action: int


@dataclass(frozen=True)
class TableNote:
    """An event at a table that is no part of the game: what, at which version, to whom."""

    number: int
    version: int
    seat: int
    what: str
    who: str = ""


class ListedTable(NamedTuple):
    """A table in its owner's list: when it was made and last played at, and who sits there."""

    id: str
    game: str
    players: int
    made: float
    decisions: int
    last: float
    who: str


def hashed(token: str) -> str:
    """The hash of a token: whoever reads the file cannot take a seat with it."""
    return hashlib.sha256(token.encode()).hexdigest()


class TableStore:
    """The SQLite file; may be used from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            make_private(path.parent)
            os.close(open_private(path, os.O_RDWR))  # SQLite's own files beside it get the same rights
            self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10)
            self._base.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")
            self._prepare()
        except OSError as error:
            raise _trouble(path, reason_of(error)) from None
        except sqlite3.Error as error:
            raise _trouble(path, Text(str(error), str(error))) from None

    def _prepare(self) -> None:
        form = self._base.execute("PRAGMA user_version").fetchone()[0]
        if form < FORM:
            steps = [_SCHEMA if form == 0 else "", *(step for to, step in _STEPS.items() if to > form)]
            self._base.executescript(f"BEGIN; {''.join(steps)} PRAGMA user_version={FORM}; COMMIT;")
        elif form != FORM:
            raise _trouble(
                self.path,
                Text(
                    f"it is of form {form}; this Playmill keeps {FORM}", f"форма {form}, а этот Playmill ведёт {FORM}"
                ),
            )

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._base.close()

    def _do(self, *steps: tuple[str, Sequence[Any]]) -> None:
        """Runs statements in one transaction; when this returns it is on the disk."""
        with self._lock:
            try:
                self._base.execute("BEGIN IMMEDIATE")
                for statement, values in steps:
                    self._base.execute(statement, values)
                self._base.execute("COMMIT")
            except sqlite3.Error as error:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise _trouble(self.path, Text(str(error), str(error))) from None

    def _rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock, closing(self._base.execute(statement, values)) as found:
            return found.fetchall()

    def begin(self, facts: TableFacts, chairs: Sequence[Chair], grace: int = GRACE) -> None:
        """Stores a new table."""
        if self.count() >= MOST_TABLES:
            raise PlaymillError(
                f"there are {MOST_TABLES} tables already: remove some first",
                f"столов уже {MOST_TABLES}: сначала уберите лишние",
            )
        text = json.dumps(facts.config, ensure_ascii=False, separators=(",", ":"))
        row = (facts.id, time.time(), facts.game, facts.version, facts.rules, text, facts.players, facts.seed)
        self._do(
            ("INSERT INTO tables VALUES (?,?,?,?,?,?,?,?,?,?,?,NULL)", (*row, facts.owner, grace, facts.hints)),
            *(
                ("INSERT INTO seats VALUES (?,?,?,?,?,?)", (facts.id, seat, *_columns(chair)))
                for seat, chair in enumerate(chairs)
            ),
        )

    def count(self) -> int:
        """The number of tables."""
        return int(self._rows("SELECT count(*) FROM tables")[0][0])

    def listed(self) -> list[ListedTable]:
        """All tables, those last played at first."""
        found = self._rows(
            "SELECT t.id, t.game, t.players, t.made, count(e.number), coalesce(max(e.made), t.made),"
            " (SELECT group_concat(coalesce(nullif(s.agent, ''), nullif(s.name, ''), '–'), ', ')"
            " FROM seats s WHERE s.table_id = t.id)"
            " FROM tables t LEFT JOIN entries e ON e.table_id = t.id GROUP BY t.id ORDER BY 6 DESC"
        )
        return [ListedTable(*row) for row in found]

    def expire(self, before: float, keep: Collection[str] = ()) -> int:
        """Removes tables made before a time at which nothing was ever decided; returns their number."""
        empty = self._rows(
            "SELECT id FROM tables WHERE made < ? AND NOT EXISTS (SELECT 1 FROM entries WHERE table_id = id)", before
        )
        gone = [table for (table,) in empty if table not in keep]
        self._do(*(("DELETE FROM tables WHERE id = ?", (table,)) for table in gone))
        return len(gone)

    def find(self, table: str) -> tuple[TableFacts, list[Chair], list[LoggedDecision]] | None:
        """All that is stored of a table, if there is one."""
        found = self._rows(
            "SELECT id, game, version, rules, config, players, seed, owner, hints FROM tables WHERE id = ?", table
        )
        if not found:
            return None
        facts = TableFacts(*found[0])
        facts = replace(facts, config=json.loads(str(facts.config)), hints=bool(facts.hints))
        chairs = self._rows("SELECT agent, name, token, waits FROM seats WHERE table_id = ? ORDER BY seat", table)
        entries = self._rows("SELECT move, seat, action FROM entries WHERE table_id = ? ORDER BY number", table)
        return (
            facts,
            [Chair(agent, name, token, bool(waits)) for agent, name, token, waits in chairs],
            [LoggedDecision(*entry) for entry in entries],
        )

    def append(self, table: str, number: int, entry: LoggedDecision) -> None:
        """Appends line `number` to the log of a table; when this returns it is on the disk."""
        if number >= MOST_ENTRIES:
            raise PlaymillError(
                f"a table keeps {MOST_ENTRIES} decisions at most", f"у стола не больше {MOST_ENTRIES} решений"
            )
        values = (table, number, entry.move, entry.seat, entry.action, time.time())
        self._do(("INSERT INTO entries VALUES (?,?,?,?,?,?)", values))

    def seat(self, table: str, seat: int, chair: Chair) -> None:
        """Stores who sits in a seat."""
        statement = "UPDATE seats SET agent = ?, name = ?, token = ?, waits = ? WHERE table_id = ? AND seat = ?"
        self._do((statement, (*_columns(chair), table, seat)))

    def grace(self, table: str) -> int:
        """Seconds a player may be away before an agent stands in; 0 is for ever."""
        found = self._rows("SELECT grace FROM tables WHERE id = ?", table)
        return int(found[0][0]) if found else GRACE

    def set_grace(self, table: str, seconds: int) -> None:
        """Stores how long a player may be away."""
        self._do(("UPDATE tables SET grace = ? WHERE id = ?", (seconds, table)))

    def again(self, table: str) -> str | None:
        """The table at which somebody wants to play once more, if there is one."""
        found = self._rows("SELECT again FROM tables WHERE id = ?", table)
        return found[0][0] if found else None

    def set_again(self, table: str, other: str) -> None:
        """Stores the table at which somebody wants to play once more; the link goes when that table is removed."""
        self._do(("UPDATE tables SET again = ? WHERE id = ?", (other, table)))

    def notes(self, table: str) -> list[TableNote]:
        """The last notes of a table, oldest first."""
        found = self._rows("SELECT number, version, seat, what, who FROM notes WHERE table_id = ? ORDER BY 1", table)
        return [TableNote(*note) for note in found]

    def note(self, table: str, note: TableNote) -> None:
        """Stores a note, and drops the oldest."""
        values = (table, note.number, note.version, note.seat, note.what, note.who)
        self._do(
            ("INSERT INTO notes VALUES (?,?,?,?,?,?)", values),
            ("DELETE FROM notes WHERE table_id = ? AND number <= ?", (table, note.number - MOST_NOTES)),
        )

    def remove(self, table: str) -> None:
        """Removes a table with all that was decided at it."""
        self._do(("DELETE FROM tables WHERE id = ?", (table,)))


def _columns(chair: Chair) -> tuple[str, str, str, int]:
    return chair.agent, chair.name, chair.token, int(chair.waits)


def _trouble(path: Path, why: Text) -> PlaymillError:
    return PlaymillError(f"the tables in {path} cannot be kept: {why.en}", f"столы в {path} не сохранить: {why.ru}")
