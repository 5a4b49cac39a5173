"""Worked examples for the rules in words: a few cells before and after, as the rules play them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from playmill import State
from playmill.author import Lang, Text
from playmill.drawing.svg import FAINT, FONT, GROUND, INK, box, sheet, text
from playmill.games.influence import words
from playmill.games.influence.config import Config
from playmill.games.influence.maps.model import Map
from playmill.games.influence.view.shapes import (
    AT_NIGHT,
    BARE,
    BARE_EDGE,
    EDGES,
    SEAM,
    SOCKET,
    STRONG_SIZE,
    WEAK_SIZE,
    hexagon,
    ink_on,
    promise,
    shade,
    sign,
)
from playmill.games.influence.words.names import board_of, chance_of

WIDTH, _PITCH, _ROOT3 = 800, 64, 3**0.5
#: Room between frames, where the arrow is, above the first row of them, and for the words over one.
_BETWEEN, _MARGIN, _LINE = 84, 24, 26
_NAME = "playmill-influence-example"
_STYLE = sheet(_NAME, AT_NIGHT)
_SUCCESS, _FAILURE = Text("success", "успех"), Text("failure", "неудача")
#: Games that are looked through for luck as wished.
_GAMES = 200


class Frame(NamedTuple):
    """Some cells of a small field at one moment, with words over them."""

    config: Config
    owners: Sequence[int]
    influence: Sequence[int]
    shown: Sequence[int]
    caption: Text = Text("", "")

    @property
    def columns(self) -> float:
        """How wide it is, in cells."""
        places = board_of(self.config).places
        return max(places[cell][1] + 1 + places[cell][0] % 2 / 2 for cell in self.shown)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        places = board_of(self.config).places
        return 1 + max(places[cell][0] for cell in self.shown)


def steps(config: Config, lang: Lang) -> str | None:
    """Influence that goes on from cell to cell and leaves 1 behind: 3, 2, 1."""
    small = _small(config, ["www.w"], [[0, 0], [0, 4]], [3, 1])
    return _picture([_played(small, range(3), ["a0.0e", "a0.1e"])], lang)


def overflow(config: Config, lang: Lang) -> str | None:
    """A full strong cell that goes into an empty weak one."""
    small = _small(config, ["Sw.w"], [[0, 0], [0, 3]], [config.strong_capacity, 1])
    return _picture([_played(small, range(2), ["a0.0e"])], lang)


def sure(config: Config, lang: Lang) -> str | None:
    """3 against 1."""
    return _fight(config, [3, 1], lang)


def chance(config: Config, lang: Lang) -> str | None:
    """2 against 2: what comes of success, and what of failure."""
    return _fight(config, [2, 2], lang)


def points(config: Config, lang: Lang) -> str | None:
    """Four cells after an attack, and four points placed on them."""
    small = _small(config, ["ww.w", "ww.."], [[0, 0], [0, 3]], [5, 1])
    moves = ["a0.0e", "a0.1sw", "a1.0e", "+0.0", "+1.0", "+1.1", "+1.1"]
    frames = _played(small, (0, 1, 3, 4), moves)
    return _picture([[frames[3], frames[-1]]], lang)


def _small(config: Config, rows: list[str], starts: list[list[int]], influence: list[int]) -> Config:
    """The same rules on a few cells, with that influence to begin with."""
    field = Map(name="example", rows=rows, starts={"2": starts})
    plain = {"min_start_distance": 1, "first_turn_attacks": True, "turn_order": "fixed"}
    return config.model_copy(update={"map": field, "start_influence": influence, **plain})


def _fight(config: Config, influence: list[int], lang: Lang) -> str | None:
    """An attack of one cell on another: each way it can end, with its chance where there are two."""
    small = _small(config, ["ww"], [[0, 0], [0, 1]], influence)
    won, lost = (
        next((frames for frames in _fights(small) if (frames[1].owners[1] == 1) == wished), None)
        for wished in (True, False)
    )
    ways = [
        [frames[0], frames[1]._replace(caption=caption if won and lost else Text("", ""))]
        for frames, caption in ((won, _SUCCESS), (lost, _FAILURE))
        if frames
    ]
    return _picture(ways, lang, promised=chance_of(config, influence[0], influence[1], 1))


def _fights(config: Config) -> Iterable[list[Frame]]:
    """The same attack with the luck of one game after another."""
    return (_played(config, range(2), ["a0.0e"], number=number) for number in range(_GAMES))


def _played(config: Config, shown: Iterable[int], moves: Sequence[str], number: int = 0) -> list[Frame]:
    """The cells before the first of some moves, and after each of them."""
    state = State("influence", players=2, config=config, number=number, interpreted=True)
    frames = [_frame(config, state.record, tuple(shown))]
    for move in moves:
        state.apply_action(words.parse(config, move))
        frames.append(_frame(config, state.record, frames[0].shown))
    return frames


def _frame(config: Config, s: np.void, shown: Sequence[int]) -> Frame:
    return Frame(config, s["owner"].tolist(), s["influence"].tolist(), shown)


def _picture(ways: Sequence[Sequence[Frame]], lang: Lang, promised: int | None = None) -> str | None:
    """Frames in a row with arrows between them; of several ways the first frame is the same, and is drawn once."""
    if not ways:
        return None
    first, *_ = ways[0]
    frame_wide, frame_deep = first.columns * _PITCH, (1.5 * first.rows + 0.5) * _PITCH / _ROOT3
    row_deep = frame_deep + (_LINE if len(ways) > 1 else 0)
    height = 2 * _MARGIN + row_deep * len(ways) + _MARGIN * (len(ways) - 1)
    wide = len(ways[0]) * frame_wide + (len(ways[0]) - 1) * _BETWEEN
    left = (WIDTH - wide) / 2
    middle = height / 2 - frame_deep / 2
    parts = [_drawn(first, left, middle, promised)]
    for number, frames in enumerate(ways):
        top = _MARGIN + number * (row_deep + _MARGIN) + (_LINE if len(ways) > 1 else 0)
        for place, frame in enumerate(frames[1:], 1):
            x = left + place * (frame_wide + _BETWEEN)
            begun = middle if place == 1 else top
            parts.append(_arrow(x - _BETWEEN + 14, begun + frame_deep / 2, x - 14, top + frame_deep / 2))
            parts.append(_drawn(frame, x, top))
            if caption := frame.caption.of(lang):
                parts.append(text(x + frame_wide / 2, top - 10, caption, 20, "middle", FAINT))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{_NAME}" viewBox="0 0 {WIDTH} {height:.0f}" lang="{lang}" '
        f'font-family="{FONT}"><style>{_STYLE}</style>{box(0, 0, WIDTH, round(height), GROUND, 14, stroke="none")}'
        f"{''.join(parts)}</svg>"
    )


def _drawn(frame: Frame, left: float, top: float, promised: int | None = None) -> str:
    """The cells of a frame with their owners and influence; a chance stands between the first two."""
    board, config = board_of(frame.config), frame.config
    radius, most, parts, middles = _PITCH / _ROOT3, max(config.weak_capacity, config.strong_capacity), [], []
    for cell in frame.shown:
        row, column = board.places[cell]
        x, y = left + _PITCH * (column + 0.5 + row % 2 / 2), top + radius * (1.5 * row + 1)
        middles.append((x, y))
        parts.append(f'<path d="{hexagon(x, y, radius)}" fill="{SOCKET}" stroke="{SEAM}" stroke-width="2"/>')
        outline = hexagon(x, y, radius * (STRONG_SIZE if board.strong[cell] else WEAK_SIZE))
        owner, held = frame.owners[cell] - 1, frame.influence[cell]
        if owner < 0:
            parts.append(f'<path d="{outline}" fill="{BARE}" stroke="{BARE_EDGE}"/>')
            continue
        fill = shade(owner, held, most)
        parts.append(f'<path d="{outline}" fill="{fill}" stroke="{EDGES[owner]}" stroke-width="4"/>')
        parts.append(text(x, y + _PITCH * 0.1, str(held), 28, "middle", ink_on(fill), 700))
        parts.append(f'<g stroke-linecap="round">{sign(owner, [(x, y + _PITCH * 0.26)], _PITCH, ink_on(fill))}</g>')
    if promised is not None:
        parts.append(promise((middles[0][0] + middles[1][0]) / 2, middles[0][1] - _PITCH * 0.42, 14, promised))
    return "".join(parts)


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """An arrow between two frames."""
    long = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    dx, dy = (to_x - x) / long * 12, (to_y - y) / long * 12
    head = f"M{to_x - dx - dy * 0.6:.1f} {to_y - dy + dx * 0.6:.1f}L{to_x:.1f} {to_y:.1f}"
    head += f"L{to_x - dx + dy * 0.6:.1f} {to_y - dy - dx * 0.6:.1f}"
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}{head}" fill="none" stroke="{INK}" stroke-width="2.5"/>'
