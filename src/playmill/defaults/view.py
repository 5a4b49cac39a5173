"""Default `view`: an SVG of the table model (boards, hands, facts) with clickable things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from playmill.defaults.players import PLAYER, players_in, verdict
from playmill.defaults.shapes import CELL, COLOURS, card, disc, thing
from playmill.defaults.table_model import Board, Click, Facts, Hand, Table, Thing
from playmill.drawing.layout import GAP, MARGIN, Part, panel, picture
from playmill.drawing.scene import Scene
from playmill.drawing.svg import ACCENT, FAINT, NIGHT, PANEL, Dark, box, label, sentence, sheet
from playmill.engine.config.model import RuleConfig
from playmill.engine.errors.located import at_code
from playmill.texts import Lang, PlaymillError, Text

_NAME = "playmill-usual"
_WIDTH = 1100
#: A board is so wide and so high at most; what stands beside it, or two of them side by side, so wide.
_BOARD, _TALL = 620, 560
_HALF = (_WIDTH - 2 * MARGIN - GAP) / 2
_PAD = 16
_ROW, _BUTTON = 34, 44
#: Room beside a board for the names of its rows or columns.
_EDGE = 30
_TURN = Text("{} to move", "ходит {}")
#: Of this many buttons or more two stand side by side.
_MANY = 5
#: Cards of a hand in one row.
_CARDS = 6

_STYLE = sheet(_NAME, {**{colour: Dark(shape) for colour, shape in COLOURS}, CELL: Dark("#2f2c3a")})


@dataclass(frozen=True)
class _Scene(Scene[RuleConfig]):
    """What is drawn, for whom, and which options are drawn already."""

    words: ModuleType
    done: set[int] = field(default_factory=set)

    def title(self, action: int) -> str:
        return self.say(self.words.describe(self.config, action))

    def clickable(self, click: Click, name: str, body: str, *, seen: str = "") -> str:
        """A thing that is an option, a part of some, or lies there."""
        offered = [one for one in ([click] if isinstance(click, int) else click or ()) if one in self.legal]
        self.done.update(offered)
        title = self.title(offered[0]) if isinstance(click, int) and offered else seen
        return thing(name, body, title, whole=isinstance(click, int), actions=offered)


def drawn(
    rules: ModuleType,
    words: ModuleType,
    table: Table,
    config: RuleConfig,
    s: np.void,
    player: int | None,
    legal: Sequence[int],
    lang: Lang,
) -> str:
    """Draws a position as somebody sees it."""
    mover = int(s["player"])
    offered = Scene.seen(config, s, player, legal, lang).legal
    scene = _Scene(config, s, player, offered, lang, words)
    things = table(config, s, player, lang)
    if not isinstance(things, Sequence) or not all(isinstance(one, Thing) for one in things):
        raise _no_things(table, things)
    for one in things:
        if not _fits(one):
            raise _at_table(
                table,
                Text(
                    "as many clicks are needed as there are cards, or cells, each None where a click does nothing:"
                    f" {type(one).__name__} has others",
                    "щелчков нужно столько же, сколько карт или клеток (None, где щелчок ничего не делает), а в"
                    f" {type(one).__name__} не так",
                ),
            )
    boards = [_board(scene, number, one) for number, one in enumerate(things) if isinstance(one, Board)]
    hands = [_hand(scene, number, one) for number, one in enumerate(things) if isinstance(one, Hand)]
    wide = _WIDTH - 2 * MARGIN - GAP - boards[0].width if len(boards) == 1 else _HALF
    turn = verdict(rules, config, s) if scene.over else _TURN.format(PLAYER[mover])
    side = _side(scene, turn, mover, players_in(rules, s), [one for one in things if isinstance(one, Facts)], wide)
    parts = [*boards, side, *hands] if len(boards) == 1 else [*boards, *hands, side]
    rows = [parts[place : place + 2] for place in range(0, len(parts), 2)]
    title, narrow = scene.say(words.TITLE), [[part] for part in parts]
    return picture(_NAME, title, _STYLE, lang, width=_WIDTH, wide=rows, narrow=narrow)


def _no_things(table: Any, found: object) -> PlaymillError:
    """The error for a `table` that does not return things."""
    message = Text(
        f"table must return a list of Board, Hand and Facts (from playmill.defaults), and returned {found!r}",
        f"table должна вернуть список из Board, Hand и Facts (из playmill.defaults), а вернула {found!r}",
    )
    return _at_table(table, message)


def _at_table(table: Any, message: Text) -> PlaymillError:
    code = getattr(table, "__code__", None)
    return at_code(code, message) if code is not None else PlaymillError(*message)


def _fits(one: Thing) -> bool:
    """Whether there is a click, or none, for every card or cell, where there are clicks at all."""
    if isinstance(one, Hand):
        return not one.clicks or len(one.clicks) == len(one.cards)
    return not isinstance(one, Board) or not one.clicks or [*map(len, one.clicks)] == [*map(len, one.cells)]


def _board(scene: _Scene, number: int, board: Board) -> Part:
    """A board: cells that do the same are one thing."""
    rows, columns = len(board.cells), max(map(len, board.cells), default=1)
    left, top = _PAD + (_EDGE if board.rows else 0), _PAD + (_EDGE if board.columns else 0)
    side = min((_BOARD - _PAD - left) / columns, (_TALL - _PAD - top) / max(rows, 1), 110)
    groups: dict[str, tuple[Click, list[str], str]] = {}
    for row, cells in enumerate(board.cells):
        for column, cell in enumerate(cells):
            click = board.clicks[row][column] if board.clicks else None
            shared = isinstance(click, int) and click in scene.legal
            name = f"board-{number}-{click}" if shared else f"board-{number}-{row}-{column}"
            seen = scene.say(PLAYER[cell]) if isinstance(cell, int) else cell or ""
            called = board.names[row][column] if board.names else ""
            body = _cell(left + column * side, top + row * side, side, cell, called, _lettering(columns, side))
            groups.setdefault(name, (click, [], seen))[1].append(body)
    inside = "".join(
        scene.clickable(click, name, "".join(bodies), seen=seen) for name, (click, bodies, seen) in groups.items()
    )
    width, height = left + columns * side + _PAD, top + rows * side + _PAD
    size = _lettering(columns, side)
    for place, called in enumerate(board.columns[:columns]):
        inside += label(left + (place + 0.5) * side, top - 10, called, size, side, "middle", FAINT, bold=False)
    for place, called in enumerate(board.rows[:rows]):
        middle = top + (place + 0.5) * side
        inside += label(_PAD + _EDGE / 2 - 5, middle + size * 0.36, called, size, _EDGE, "middle", FAINT, bold=False)
    return panel(inside, width, height)


def _lettering(columns: int, side: float) -> float:
    """How large names on a board are: a phone shows it at half its size, and they are read there, too."""
    return max(16.0, round(0.034 * (columns * side + 2 * _PAD + _EDGE), 1))


def _cell(x: float, y: float, side: float, cell: int | str | None, called: str, size: float) -> str:
    # Around it the whole square can be hit: a hand does not aim between cells.
    face = box(x, y, side, side, "transparent", 0, stroke="none")
    face += box(x + 2, y + 2, side - 4, side - 4, CELL, min(10, side / 6), 'class="face"')
    if isinstance(cell, int):
        return face + disc(x + side / 2, y + side / 2, side * 0.38, cell)
    if not cell and called:
        return face + label(
            x + side / 2, y + side / 2 + size * 0.36, called, size, side - 10, "middle", FAINT, bold=False
        )
    return face + label(x + side / 2, y + side * 0.64, cell or "", side * 0.42, side - 10, "middle")


def _hand(scene: _Scene, number: int, hand: Hand) -> Part:
    """Cards in rows under their title."""
    wide, tall = (_HALF - 2 * _PAD) / _CARDS, 112
    top = _PAD + 28
    inside = label(_PAD, _PAD + 18, sentence(scene.say(hand.title)), 18, _HALF - 2 * _PAD)
    for place, face in enumerate(hand.cards):
        row, column = divmod(place, _CARDS)
        click = hand.clicks[place] if hand.clicks else None
        body = card(_PAD + column * wide, top + row * tall, wide - 8, tall - 8, face)
        seen = face or scene.say(Text("face down", "рубашкой вверх"))
        inside += scene.clickable(click, f"hand-{number}-{place}", body, seen=seen)
    height = top + tall * max(1, -(-len(hand.cards) // _CARDS)) + _PAD - 8
    return panel(inside, _HALF, height)


def _side(scene: _Scene, turn: Text, mover: int, players: int | None, facts: Sequence[Facts], width: float) -> Part:
    """Whose turn it is, who plays, what is to be known, and a button for each option that is nowhere else."""
    inner_width = width - 2 * _PAD
    y = float(_PAD + 22)
    inside = label(_PAD, y, sentence(turn.of(scene.lang)), 21, inner_width)
    y += 14
    for seat in range(players or 0) if players != 1 else ():
        mark = box(_PAD, y + 2, inner_width, _ROW - 4, PANEL, 8, stroke=ACCENT if seat == mover else "none")
        name = label(_PAD + 38, y + 23, scene.name(PLAYER[seat], seat), 17, inner_width - 46, bold=seat == mover)
        inside += mark + disc(_PAD + 20, y + _ROW / 2, 10, seat) + name
        y += _ROW
    for what, value in [line for one in facts for line in one.lines]:
        message = scene.say(value) if not isinstance(value, int) else str(value)
        inside += label(_PAD, y + 23, sentence(scene.say(what)), 17, inner_width * 0.6, fill=FAINT, bold=False)
        inside += label(_PAD + inner_width, y + 23, message, 17, inner_width * 0.38, "end")
        y += _ROW
    rest = [action for action in scene.legal if action not in scene.done]
    y += 8 if rest else 0
    columns = 2 if len(rest) >= _MANY else 1
    wide = inner_width / columns
    for place, action in enumerate(rest):
        row, column = divmod(place, columns)
        x, top = _PAD + column * wide, y + row * _BUTTON
        face = box(x + 2, top, wide - 4, _BUTTON - 6, NIGHT, 10, 'class="face"', stroke="none")
        words = label(x + wide / 2, top + 25, sentence(scene.title(action)), 17, wide - 24, "middle", "#ffffff")
        inside += scene.clickable(action, f"option-{action}", face + words)
    return panel(inside, width, y + -(-len(rest) // columns) * _BUTTON + _PAD)
