"""State of a table: the game under way, rebuilt from its facts and the log of decisions.

It is plain and synchronous; queueing is the business of `live/actor.py`, what anybody may see that of `observation.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from playmill.engine.compile.fingerprint import rules_fingerprint
from playmill.engine.config.input_files import sealed
from playmill.engine.config.model import RuleConfig, differences
from playmill.engine.contract.game import Game
from playmill.engine.errors.located import RuleMistakeError
from playmill.engine.run.state import State
from playmill.texts import PlaymillError, Text
from playmill.web.table import undo
from playmill.web.table.history import NOBODY, Moment
from playmill.web.table.store import GRACE, UNDO, Chair, LoggedDecision, TableFacts, TableNote

#: Decisions that can be taken back, one after the other.
_MOST_UNDONE = 20

OVER = Text("the game is over", "партия окончена")
_UNKNOWN_GAME = Text(
    "the game {0} is not on offer: start the server with its folder, playmill serve FOLDER",
    "игры {0} здесь нет: запустите сервер с её папкой, playmill serve ПАПКА",
)
_OTHER_RULES = Text(
    "the rules of {0} have changed since this table began: it can be looked at but not played on",
    "правила {0} изменились с начала этой партии: на стол можно посмотреть, но играть дальше нельзя",
)


@dataclass
class GameTable:
    """A game under way. `version` grows by one with every moment; a moment is never changed."""

    facts: TableFacts
    game: Game | None
    chairs: list[Chair]
    trouble: Text | None = None
    #: The same for whoever runs the server, if rules have failed.
    mistake: Text | None = None
    #: Errors of the author's text and pictures: the message for the server's log, and that for those at the table.
    flaws: dict[Text, Text] = field(default_factory=dict)
    entries: list[LoggedDecision] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    #: Seats whose players are present, and the number of spectators.
    present: set[int] = field(default_factory=set)
    #: Lines about a moment besides those of the game, by its version.
    remarks: dict[int, Text] = field(default_factory=dict)
    spectators: int = 0
    #: Caches of `observation.py` and `concealed.py`: pictures and known positions by moment and seat.
    drawn: dict[tuple[int, int | None, str, bool], str] = field(default_factory=dict)
    known: dict[tuple[int, int | None], np.void] = field(default_factory=dict)
    #: What happened besides the game, and how many seconds a player may be away.
    notes: list[TableNote] = field(default_factory=list)
    grace: int = GRACE
    #: The table at which somebody wants to play the same once more.
    again: str | None = None

    def __post_init__(self) -> None:
        self._moves = {entry.move: entry.seat for entry in self.entries}
        self._decided: deque[undo.UndoPoint] = deque(maxlen=_MOST_UNDONE)
        self._refusals: dict[tuple[int, int | None], Text | None] = {}
        self._state: State | None = None

    @property
    def version(self) -> int:
        """The number of the last moment."""
        return len(self.moments) - 1

    @property
    def state(self) -> State:
        """The state of the game; a table in trouble has none."""
        assert self._state is not None
        return self._state

    @property
    def turn(self) -> int:
        """Whose decision it is; NOBODY when the game is over, has not begun, or cannot be played on."""
        return self._state.current_player() if self._state is not None and self.started else NOBODY

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._state is not None and self._state.is_terminal()

    @property
    def started(self) -> bool:
        """A table starts when everybody has sat down and, where several people sit, all of them have said so.

        After the first decision a seat may be empty for a while.
        """
        people = [chair for chair in self.chairs if chair.person]
        alone = len({chair.token for chair in people}) < 2
        agreed = alone or not any(chair.waits for chair in people)
        return bool(self.entries) or (agreed and not any(chair.open for chair in self.chairs))

    @property
    def why_not_started(self) -> Text:
        """What a table that has not started waits for."""
        if any(chair.open for chair in self.chairs):
            return Text("the game has not begun: a seat is free", "партия не началась: есть свободное место")
        return Text("the game has not begun: not everybody is ready", "партия не началась: готовы ещё не все")

    @property
    def last_decider(self) -> int | None:
        """The seat whose decision was the last that could be taken back."""
        return self._decided[-1].seat if self._decided else None

    @cached_property
    def config(self) -> RuleConfig:
        """The config in force."""
        assert self.game is not None
        with sealed():
            return self.game.config.read(dict(self.facts.config))

    @cached_property
    def changes(self) -> dict[str, Any]:
        """The settings that differ from the default."""
        return differences(self.config)

    def begin(self) -> None:
        """Deals the game and replays the log; if that fails, the table is in trouble and cannot be played on."""
        if self.trouble is not None:
            return
        try:
            self._state = State(
                self.game or "",
                players=self.facts.players,
                config=self.config,
                seed=self.facts.seed,
                observer=self._observe,
                interpreted=True,
            )
            if not self.moments:
                self._remember(NOBODY, NOBODY, self._state.record.copy())
            self._state.check_goes_on()
            for entry in self.entries:
                self._follow(entry)
        except PlaymillError as error:
            self._fail(error)

    def _fail(self, error: PlaymillError) -> None:
        """Puts the table in trouble; those at the table get a message without paths of the machine."""
        self._state, self.trouble, self.mistake = None, error.public, error.text

    def _remember(self, seat: int, action: int, after: np.void, before: np.void | None = None) -> None:
        before = after if before is None else before
        self.moments.append(Moment(len(self.moments), seat, action, before, after))

    def _observe(self, before: np.void, action: int, after: np.void) -> None:
        if not self.moments:
            self._remember(NOBODY, NOBODY, before.copy())
        self._remember(int(before["player"]), action, after.copy(), self.moments[-1].after)

    def _follow(self, entry: LoggedDecision) -> None:
        """Applies a line of the log."""
        if entry.action == UNDO:
            last = self._decided.pop()
            before = self.moments[-1].after
            self._state = last.before.clone()
            self._remember(entry.seat, UNDO, self.state.record.copy(), before)
            return
        self._decided.append(undo.UndoPoint(entry.seat, entry.action, self.version, self.state.clone()))
        self.state.apply_action(entry.action)
        self.state.check_goes_on()

    def knows(self, move: str, seats: Collection[int]) -> bool:
        """Whether one of these seats has made a move with this id before; an id that another has used raises."""
        if move in self._moves and self._moves[move] not in seats:
            raise PlaymillError("this move was made by somebody else", "этот ход сделал кто-то другой")
        return move in self._moves

    def check(self, seat: int, action: int, version: int) -> None:
        """Raises unless a seat may make this decision now."""
        if self.trouble is not None:
            raise PlaymillError(*self.trouble)
        if self.over:
            raise PlaymillError(*OVER)
        if not self.started:
            raise PlaymillError(*self.why_not_started)
        if seat != self.turn:
            raise PlaymillError("it is not your turn", "сейчас не ваш ход")
        if version != self.version:
            raise PlaymillError("the table has moved on", "на столе уже другая позиция")
        if action not in self.state.legal_actions():
            raise PlaymillError(f"there is no option {action} now", f"варианта {action} сейчас нет")

    def record(self, entry: LoggedDecision) -> None:
        """Applies a decision that was checked and stored; rules that fail at it put the table in trouble."""
        try:
            self._follow(entry)
        except RuleMistakeError as mistake:
            self._fail(mistake)
        self.entries.append(entry)
        self._moves[entry.move] = entry.seat

    def undo_refused(self, seat: int | None) -> Text | None:
        """Why a seat cannot undo; None if it can."""
        if self.trouble is not None or self._state is None:
            return self.trouble
        if self.over:
            return OVER
        asked = (self.version, seat)
        if asked not in self._refusals:
            last = self._decided[-1] if self._decided else None
            self._refusals = {asked: undo.refusal(last, seat, self.state, self.moments)}
        return self._refusals[asked]

    def seats_of(self, *hashes: str) -> tuple[int, ...]:
        """The seats that these tokens hold."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.token and chair.token in hashes)


@cache
def rules_fingerprint_of(game: Game) -> str:
    """The fingerprint of a game's rules, cached while the server runs."""
    return rules_fingerprint(game)


def open_table(
    games: Mapping[str, Game],
    facts: TableFacts,
    chairs: Sequence[Chair],
    entries: Sequence[LoggedDecision] = (),
    *,
    notes: Sequence[TableNote] = (),
    grace: int = GRACE,
    again: str | None = None,
) -> GameTable:
    """Rebuilds a table from the store; one whose game is not on offer or has other rules is in trouble."""
    game = games.get(facts.game)
    trouble = None
    if game is None:
        trouble = _UNKNOWN_GAME
    elif (game.version, rules_fingerprint_of(game)) != (facts.version, facts.rules):
        trouble = _OTHER_RULES
    name = game.title if game is not None else Text(facts.game, facts.game)
    message = trouble.format(name) if trouble else None
    table = GameTable(
        facts, game, list(chairs), message, entries=list(entries), notes=list(notes), grace=grace, again=again
    )
    table.begin()
    return table
