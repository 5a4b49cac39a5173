"""Draws the table of Dice: the dice that are clicked, those set aside, and the buttons of a save."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from playmill.author import Text
from playmill.drawing.kit.shapes import CREAM, GOLD, WOOD, die
from playmill.drawing.kit.shapes import WOOD_EDGE as SEAM
from playmill.drawing.lettering import fit, width_of
from playmill.drawing.svg import NIGHT, box, label, sentence, text
from playmill.drawing.things import lying, part, refused, shown_for, whole
from playmill.games.dice import words
from playmill.games.dice.actions import CHOOSE, CONTINUE, EVERY_DIE, FACE, PASS, USE
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE, MAX_ROLLS, NOBODY
from playmill.games.dice.rules.effects import THREW
from playmill.games.dice.view.scene import DiceScene
from playmill.games.dice.view.shapes import (
    HONEY,
    IDLE,
    INSIDE,
    LEFT,
    MARGIN,
    PLANK,
    RIGHT,
    ROOM,
    SLATE,
    TRAY,
    padlock,
    sign,
    tilt_of,
)
from playmill.games.dice.words import event_text, names, position_text
from playmill.games.dice.words.consequences import passing, throwing
from playmill.games.dice.words.names import Saving

_DIE, _STEP = 56, ROOM / DICE
#: Height of the table without the room for buttons, and the size of a button with its margin.
_TRAY_ENDS, _BUTTON, _WIDE = 226, 68, (ROOM - 10) / 2

_ROLL = Text("Roll {}", "Бросок {}")
_HOT = Text("hot dice", "горячие кости")
_WHICH, _WHICH_ONE = Text("Which dice?", "Какие кости?"), Text("Which die?", "Какую кость?")
_WHICH_FACE = Text("Which face?", "Какую грань?")
_POINTS = Text("this turn", "за ход")
_ASIDE = Text("set aside", "отложены")
_OVER = Text("The match is over", "Матч окончен")
_DECIDES = Text("{} decides what to save", "Что сохранить, решает {}")
_LOCKED = Text("locked", "закреплена")
_CONTINUE = Text("Save & Continue", "Сохранить и бросать")
_PASS = Text("Save & Pass", "Сохранить и пас")
_CHOSEN = Text("These dice", "Эти кости")
_CLICK = Text("click the dice that score", "выберите очковые кости")
_CLICK_SOME = Text("click dice on the table", "выберите кости на столе")
_EVERY_ONE = Text(
    "Choose dice that score; every one of them has to count", "Выберите очковые кости; каждая должна что-то давать"
)
_HOT_ROLLS = Text("all six saved have to be thrown again", "все шесть сохранённых придётся бросить снова")
_LOCKED_LEFT = Text("then only locked dice would be left to throw", "иначе бросать останется только закреплённые")
_NO_MORE = Text(
    "After {} throws one has to pass", "После стольких бросков ({}) остаётся только пас"
)  # a limit that no sensible turn comes near
_ALONE = Text(
    "A {0} scores only as one of three alike or in a straight",
    "{0} приносит очки только в тройке одинаковых или в стрите",
)
_NO_FACE = Text("It would change nothing, or nothing would score", "Это ничего не изменит, или очков не останется")
_NOT_FOR_IT = Text("It would not change this die", "На эту кость он не подействует")


def tabletop(scene: DiceScene, y: float) -> tuple[str, float]:
    """The table: the points of the turn, the dice by position, those set aside, and the buttons; and its height."""
    s, height = scene.s, _TRAY_ENDS + _BUTTON + 10
    parts = [box(MARGIN, y, INSIDE, height, WOOD, 12, stroke=SEAM)]
    for plank in range(5):
        shade = PLANK if plank % 2 else WOOD
        deep = (height - 8) / 5
        parts.append(box(MARGIN + 2, y + 4 + plank * deep, INSIDE - 4, deep - 2, shade, 4, 'stroke-width="1.2"', SEAM))
    over = scene.over
    head = scene.say(_OVER) if over else scene.say(_ROLL, s["rolls"])
    head += f" · {scene.say(_HOT)}" if s["hot"] and not over else ""
    if s["choosing"]:
        most = names.match_names(scene.config).cfg.chooses[int(s["choosing"]) - 1]
        head = scene.say(_WHICH_FACE if s["facing"] else _WHICH_ONE if most == 1 else _WHICH)
    parts.append(text(LEFT, y + 28, head, 15, fill=CREAM, weight=600))
    if not over:
        points = names.number(s["points"])
        parts.append(text(RIGHT, y + 31, points, 24, "end", GOLD, 700))
        left = RIGHT - width_of(points, 24, bold=True) - 8
        parts.append(text(left, y + 28, scene.say(_POINTS), 14.5, "end", CREAM))
        if s["pass_delta"]:
            parts.append(
                text(RIGHT, y + 47, scene.say(position_text.pass_text(int(s["pass_delta"]))), 13.5, "end", CREAM)
            )
    parts.append(box(LEFT - 6, y + 152, ROOM + 12, 62, TRAY, 10, stroke=SEAM))
    parts.append(text(LEFT + 2, y + 167, scene.say(_ASIDE), 13.5, fill="#cdb48f"))
    parts += [_place(scene, place, y) for place in range(DICE)]
    parts.append(_last_words(scene, y + _TRAY_ENDS))
    return "".join(parts), height


def thrower(s: np.void) -> int:
    """Whose dice lie on the table."""
    if s["player"] != NOBODY:
        return int(s["player"])
    thrown = [line.which >> 6 for line in names.log_of(s) if line.kind == THREW]
    return thrown[-1] if thrown else max(0, int(s["winner"]))


def thing_of(place: int) -> str:
    """What the die at a position is called as a thing of the picture."""
    return f"die-{place + 1}"


def _place(scene: DiceScene, place: int, y: float) -> str:
    """A position of the table: its number, the mark of a loaded die, and the die or the place it has left."""
    s, player, middle = scene.s, thrower(scene.s), LEFT + _STEP * (place + 0.5)
    weights = names.weights_of(scene.config, s, player, place)
    changed = bool(s["changed"] >> place & 1) and player == s["player"]
    code = names.match_names(scene.config).dice[player][place].code
    mark = f"{code}*" if changed else code if len(set(weights)) > 1 else ""
    drawn = text(middle, y + 128, str(place + 1), 14, "middle", CREAM)
    drawn += text(middle, y + 144, fit(mark, 13, _STEP - 4), 13, "middle", GOLD, 700)
    face, title = (
        names.faces_of(s["roll"])[place],
        sentence(scene.say(event_text.die_text(scene.config, s, player, place))),
    )
    if face:
        title = f"{face} · {title}"  # what whoever cannot see it wants to know first
        return drawn + _on_table(scene, place, face, title, middle, y)
    kept = names.faces_of(s["kept"])[place]
    title = f"{kept} · {title}" if kept else title
    drawn += box(middle - _DIE / 2, y + 54, _DIE, _DIE, "none", 11, 'stroke-dasharray="4 4"', "#9c7650")
    return drawn + lying(thing_of(place), die(middle - 17, y + 173, 34, kept), title=f"{title}; {scene.say(_ASIDE)}")


def _on_table(scene: DiceScene, place: int, face: int, title: str, middle: float, y: float) -> str:
    """A die that lies on the table: one that can be saved or chosen is clicked, another says why not."""
    s = scene.s
    useful = _useful(scene) >> place & 1
    body = die(middle - _DIE / 2, y + 54, _DIE, face, GOLD if useful else "", tilt_of(place, face))
    if s["locked"] >> place & 1 and s["player"] != NOBODY:
        body += padlock(middle + _DIE / 2 - 3, y + 54)
        title += f"; {scene.say(_LOCKED)}"
    stir = f' data-stir="{s["turns"]}.{s["rolls"]}"' if s["thrown"] >> place & 1 else ""
    body = f"<g{stir}>{body}</g>"
    name, having = thing_of(place), [action for action in scene.legal if _takes(action, place)]
    if not scene.legal or s["facing"]:
        return lying(name, body, title=title)
    if not having:
        why = _NOT_FOR_IT if s["choosing"] else _ALONE
        return refused(name, scene.say(why, face), body, title=title)
    if s["choosing"] and not chooses_several(scene):
        action = CHOOSE + (1 << place)
        return whole(action, scene.say(words.describe(scene.config, action)), body, thing=name)
    return part(name, having, title, body)


def _takes(action: int, place: int) -> bool:
    """Whether an action saves or chooses the die at a position."""
    return action < FACE and not USE <= action < CHOOSE and bool(action >> place & 1)


def chooses_several(scene: DiceScene) -> bool:
    """Whether more than one die can be chosen for an item."""
    return any((action & EVERY_DIE).bit_count() > 1 for action in scene.legal)


def _useful(scene: DiceScene) -> int:
    """The dice that can be saved or chosen."""
    if scene.s["player"] == NOBODY:
        return 0
    if scene.s["facing"]:
        return int(scene.s["chosen"])
    sets = names.savable_sets(scene.s) or [action & EVERY_DIE for action in scene.legal if action >= CHOOSE]
    useful = 0
    for dice in sets:
        useful |= dice
    return useful


def _last_words(scene: DiceScene, y: float) -> str:
    """The buttons under the dice, with what they would bring; or who decides."""
    s = scene.s
    if s["player"] == NOBODY:
        return ""
    if not scene.legal:
        who = sentence(scene.say(_DECIDES, names.player_name(s["player"])))
        return text(LEFT, y + 34, fit(who, 15, ROOM, bold=True), 15, fill=CREAM, weight=600)
    if s["facing"]:
        return "".join(_face(scene, face, y) for face in range(1, 7))
    if s["choosing"]:
        if not chooses_several(scene):
            return text(LEFT, y + 34, sentence(scene.say(_CLICK_SOME)), 15, fill=CREAM, weight=600)
        body = _button(LEFT, y, ROOM, scene.say(_CHOSEN), scene.say(_CLICK_SOME), (), NIGHT, "#ffffff", "")
        return part("choose", scene.legal, scene.say(_CHOSEN), body, go=True, until=scene.say(_CLICK_SOME))
    forced = scene.say(_NO_MORE, MAX_ROLLS) if s["rolls"] >= MAX_ROLLS else ""
    locked = f"; {scene.say(_LOCKED_LEFT)}" if s["locked"] else ""
    hot = f"; {scene.say(_HOT_ROLLS)}" if scene.config.hot_dice_must_roll else ""
    on = _last_word(scene, LEFT, y, CONTINUE, forced or scene.say(_EVERY_ONE) + locked)
    return on + _last_word(scene, RIGHT - _WIDE, y, PASS, scene.say(_EVERY_ONE) + hot)


def _face(scene: DiceScene, face: int, y: float) -> str:
    """A face that can be chosen for an item, or says that it would change nothing."""
    body = die(LEFT + _STEP * (face - 0.5) - 22, y + 4, 44, face)
    if FACE + face not in scene.legal:
        faded = f'<g opacity=".35">{body}</g>'
        return refused(f"face-{face}", scene.say(_NO_FACE), faded, title=str(face))
    return whole(FACE + face, scene.say(words.describe(scene.config, FACE + face)), body, thing=f"face-{face}")


def _last_word(scene: DiceScene, x: float, y: float, first: int, until: str) -> str:
    """The button that continues after a save or passes; where no save allows it, it says why."""
    thing, name, telling, fill, ink = {
        CONTINUE: ("on", scene.say(_CONTINUE), throwing, NIGHT, "#ffffff"),
        PASS: ("pass", scene.say(_PASS), passing, HONEY, SLATE),
    }[first]
    actions = _all(scene, first)
    if not actions:
        return refused(thing, until, _button(x, y, _WIDE, name, "", (), IDLE, "#ffffff", thing), title=name)
    lines = _button_lines(scene, actions, first, telling)
    body = _button(x, y, _WIDE, name, scene.say(_CLICK), lines, fill, ink, thing)
    return part(thing, actions, name, body, go=True, until=until)


def _all(scene: DiceScene, first: int) -> list[int]:
    return [action for action in scene.legal if first < action <= first + EVERY_DIE]


def _button_lines(
    scene: DiceScene, actions: Iterable[int], first: int, telling: Callable[[Config, np.void, Saving], tuple[str, Text]]
) -> Iterable[tuple[tuple[str, str], list[int]]]:
    """What is said on a button, the points and a note, each with the options it is said of."""
    lines: dict[tuple[str, str], list[int]] = {}
    savings = {saving.dice: saving for group in scene.saves for saving in group}
    for action in actions:
        points, note = telling(scene.config, scene.s, savings[action - first])
        lines.setdefault((points, scene.say(note)), []).append(action)
    return lines.items()


def _button(
    x: float,
    y: float,
    wide: float,
    line: str,
    otherwise: str,
    lines: Iterable[tuple[tuple[str, str], list[int]]],
    fill: str,
    ink: str,
    icon: str,
) -> str:
    """A button with its words and, under them, what the dice chosen would bring."""
    middle, room = x + wide / 2 + (8 if icon else 0), wide - (36 if icon else 16)
    drawn = box(x, y, wide, _BUTTON - 6, fill, 9, 'class="face"', CREAM)
    drawn += label(middle, y + 20, line, 15, room, "middle", ink)
    drawn += sign(icon, x + 16, y + 31, ink) if icon else ""
    drawn += f'<g data-else="">{label(middle, y + 43, otherwise, 14, room, "middle", ink, bold=False)}</g>'
    for (points, note), actions in lines:
        points_label = label(middle, y + 40, points, 17, room, "middle", ink)
        drawn += shown_for(actions, points_label + label(middle, y + 55, note, 13.5, room, "middle", ink, bold=False))
    return drawn
