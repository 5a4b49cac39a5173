"""Draws the list of patterns of Grid: shape, rules of ranks and colours, points and reward."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.author import Text
from playmill.drawing.layout import Part, panel
from playmill.drawing.scene import COLUMN, PAD, ROOM, SMALL
from playmill.drawing.svg import ACCENT, FAINT, WASH, box, label, text
from playmill.games.grid.config.lists import Pattern
from playmill.games.grid.constants import NO_REWARD
from playmill.games.grid.view.scene import GridScene
from playmill.games.grid.view.shapes import GOLD, UNUSED, ZONE, ZONE_EDGE
from playmill.games.grid.words import names

_ROW = 68
_TITLE = Text("Patterns", "Паттерны")
_ZONE = Text("protected zone: closed to opponents' rewards", "зона закрыта для наград соперников")
_RESOLVED = Text("pattern being resolved", "разыгрываемый паттерн")
_CHOICE = Text("can be chosen", "можно выбрать")
_RULES = {
    "R1_line_sequence_step1": Text("ranks in a row", "ранги подряд"),
    "R2_line_all_equal": Text("equal ranks", "ранги равны"),
    "R3_square_stripes": Text("ranks in stripes", "ранги полосами"),
    "R4_square_two_axes": Text("ranks step both ways", "ранги по обеим осям"),
    "C1_line_monochrome": Text("one colour", "один цвет"),
    "C2_line_all_distinct": Text("all colours differ", "цвета разные"),
    "C3_square_flag": Text("colours as a flag", "цвета флагом"),
    "C4_square_latin": Text("no colour twice in a line", "цвета в линиях разные"),
}


def patterns(scene: GridScene) -> list[Part]:
    """All patterns in two columns, and under them what the frames on the boards mean."""
    kept = scene.config.patterns
    half = (len(kept) + 1) // 2
    columns = [_column(scene, kept[:half]), _column(scene, kept[half:])]
    bottom = max(y for _, y in columns)
    legend, height = _legend(scene, bottom + 4)
    return [panel(drawn, COLUMN, height) for drawn in (columns[0][0] + legend, columns[1][0])]


def _column(scene: GridScene, kept: Sequence[Pattern]) -> tuple[str, float]:
    drawn, y = text(PAD, 28, scene.say(_TITLE), SMALL, weight=700), 42.0
    for pattern in kept:
        drawn += _sketch(pattern, y)
        number = names.reward_number(pattern)
        reward = scene.say(names.NO_REWARD_NAME if number == NO_REWARD else names.REWARD_NAMES[number])
        ranks, colours = (scene.say(_RULES[rule]) for rule in (pattern.rank_rule, pattern.color_rule))
        head = f"{pattern.id} · {scene.say(names.points(pattern.vp))} · {ranks}"
        drawn += label(PAD + 62, y + 14, head, SMALL, ROOM - 62)
        drawn += label(PAD + 62, y + 34, colours, SMALL, ROOM - 62, bold=False)
        drawn += label(PAD + 62, y + 54, f"→ {reward}", SMALL, ROOM - 62, fill=FAINT, bold=False)
        y += _ROW
    return drawn, y


def _sketch(pattern: Pattern, y: float) -> str:
    """The shape of a pattern: a line of so many cards, or a square."""
    square = pattern.shape.startswith("square")
    across, step = (3, 14) if square else (pattern.size_cards, 10)
    cells = [(n % 3, n // 3) for n in range(9)] if square else [(n, 0) for n in range(pattern.size_cards)]
    left, top = PAD + 25 - across * step / 2, y + (6 if square else 22)
    ground = box(PAD, y + 4, 50, 46, UNUSED, 7, stroke="none")
    return ground + "".join(
        box(left + column * step, top + row * step, step - 1.5, step - 1.5, GOLD, 2, stroke="none")
        for column, row in cells
    )


def _legend(scene: GridScene, y: float) -> tuple[str, float]:
    drawn = ""
    signs = ((_ZONE, ZONE, ZONE_EDGE, 'stroke-dasharray="4 3"'), (_RESOLVED, "none", GOLD, 'stroke-width="3"'))
    for word, fill, stroke, extra in (*signs, (_CHOICE, WASH, ACCENT, 'stroke-width="2"')):
        drawn += box(PAD, y, 18, 18, fill, 4, extra, stroke)
        drawn += label(PAD + 28, y + 14.5, scene.say(word), SMALL, ROOM - 28, fill=FAINT, bold=False)
        y += 27
    return drawn, y + 6
