"""The table of Dice as one SVG picture; what can be clicked carries its action in `data-a`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

import numpy as np

from playmill.games.dice import names, story, words
from playmill.games.dice.actions import CHOOSE, EVERY_DIE
from playmill.games.dice.config import Config
from playmill.games.dice.drawing import (
    AT_NIGHT,
    COLUMN,
    CREAM,
    GAP,
    GOLD,
    INSIDE,
    LEFT,
    LILAC,
    MARGIN,
    PLANK,
    RIGHT,
    ROOM,
    SEAM,
    TRAY,
    WOOD,
    Scene,
    badge,
    cards,
    clickable,
    die,
    group_of_saves,
    padlock,
    panel,
    paragraph,
    progress,
    small_dice,
    tilt_of,
    titled,
)
from playmill.games.dice.effects import BANKED, BUSTED, LOG, SHIELDED, THREW
from playmill.games.dice.names import Line, Saving
from playmill.games.dice.rules import NOBODY
from playmill.games.dice.tables import DICE, PLAYERS
from playmill.games.lettering import fit, width_of, wrapped
from playmill.games.svg import ACCENT, EMBER, FAINT, GREEN, GROUND, INK, NIGHT, box, sentence, sheet, text
from playmill.games.svg import RED as BLOOD
from playmill.texts import Lang, Text

WIDTH = 2 * COLUMN
_DIE, _STEP = 54, ROOM / DICE
#: Where the dice end, and where a longer list of saves goes on under them.
_TABLE_ENDS = 420
#: Most lines of the log that are shown, the latest ones.
_MOST_LINES = 10

_TO_GO = Text("turn {} · first to {}", "ход {} · игра до {}")
_YOU = Text("you", "вы")
_ROLL = Text("Roll {}", "Бросок {}")
_HOT = Text("hot dice", "горячие кости")
_POINTS = Text("this turn", "за ход")
_ASIDE = Text("set aside", "отложены")
_OVER = Text("The match is over", "Матч окончен")
_LOG = Text("What happened", "Что произошло")
_THROWS = Text("{} throws", "{} бросает")
_WHAT = Text("What do you save?", "Что сохранить?")
_DECIDES = Text("{} decides what to save", "Что сохранить, решает {}")
_LESSER = Text("Smaller saves", "Сохранения поменьше")
_CLICK = Text("Click a die on the table.", "Выберите кость на столе.")
_WEIGHTS = Text("weights", "веса")
_NOW = Text("until the turn ends", "до конца хода")
_LOCKED = Text("locked", "закреплена")

_STYLE = sheet("playmill-dice", AT_NIGHT, extra=".playmill-dice{max-width:1240px}")

Section = Callable[[Scene, float], tuple[str, float]]


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The table as one player sees it, or a spectator (None): everything lies open.

    `legal` are the actions of the player to move; they are offered to that player only. On a narrow page the two
    columns become one.
    """
    mine = player is not None and player == s["player"]
    scene = Scene(config, s, player, frozenset(map(int, legal)) if mine else frozenset(), lang)
    parts, tops, down = [], [0.0, 0.0], 0.0
    blocks: tuple[tuple[Section, ...], ...] = (
        (_scores, _table, _log),
        (_decision,),
        (_lesser,),
        (_items,),
        (_modifiers,),
    )
    for number, sections in enumerate(blocks):
        drawn, height = _stack(scene, sections)
        if not drawn:
            continue
        column = int(tops[1] < tops[0]) if number > 2 else number % 2
        place = f'transform="translate({column * COLUMN} {MARGIN + tops[column]:g})"'
        parts.append(f'<g class="part" {place} style="--y:{2 * (MARGIN + down):g}px;--k:2">{drawn}</g>')
        tops[column] += height
        down += height
    height, narrow = (2 * MARGIN - GAP + used for used in (max(tops), down))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playmill-dice" viewBox="0 0 {WIDTH} {height:g}" '
        f'preserveAspectRatio="xMinYMin meet" style="--narrow:{COLUMN}/{narrow:g}" lang="{lang}" '
        "font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\">"
        f"<title>{escape(scene.say(words.TITLE))}</title><style>{_STYLE}</style>"
        f'<g class="ground">{box(0, 0, WIDTH, height, GROUND, 14, stroke="none")}</g>{"".join(parts)}</svg>'
    )


def _stack(scene: Scene, sections: Iterable[Section]) -> tuple[str, float]:
    """Sections under each other, and their height with the gaps between them."""
    parts, y = [], 0.0
    for section in sections:
        drawn, height = section(scene, y)
        parts.append(drawn)
        y += height + GAP if height else 0
    return "".join(parts), y


def _who(scene: Scene, player: int) -> str:
    return sentence(scene.say(names.player_name(player)))


def _scores(scene: Scene, y: float) -> tuple[str, float]:
    """The title, and each player's total on the way to the target, with the flags set."""
    s, target = scene.s, scene.config.target_score
    parts, top = [text(LEFT, y + 28, scene.say(words.TITLE), 21, weight=700)], y + 42
    parts.append(text(RIGHT, y + 27, scene.say(_TO_GO).format(s["turns"], target), 13.5, "end", FAINT))
    for player in range(PLAYERS):
        moves = bool(player == s["player"])
        who = _who(scene, player) + (f" – {scene.say(_YOU)}" if player == scene.viewer else "")
        if moves:
            parts.append(box(MARGIN + 4, top + 2, 4, 40, ACCENT, 2, stroke="none"))
        parts.append(text(LEFT, top + 17, who, 15, weight=700, fill=EMBER if moves else INK))
        total, gain = str(s["total"][player]), int(s["points"]) if moves else 0
        right = float(RIGHT)
        for line, size, fill in ((names.signed(gain) if gain else "", 15, EMBER), (total, 18, INK)):
            parts.append(text(right, top + 18, line, size, "end", fill, 700))
            right -= width_of(line, size, bold=True) + 8 if line else 0
        drawn, rows = _flags(scene, player, LEFT + width_of(who, 15, bold=True) + 12, right, top)
        parts.append(drawn + progress(LEFT, top + 28, ROOM, s["total"][player] / target, gain / target, NIGHT))
        top += 50 + 25 * rows
    return panel(y, top - y + 4) + "".join(parts), top - y + 4


def _flags(scene: Scene, player: int, left: float, right: float, top: float) -> tuple[str, int]:
    """The flags set on a player as badges, from right to left beside her total and then in rows under it; how many."""
    drawn, y, rows = "", top + 3, 0
    for flag, turns in names.flags_set(scene.config, scene.s, player):
        line = fit(scene.say(flag.short) + (f" · {turns}" if turns else ""), 12.5, ROOM - 14, bold=True)
        body, wide = badge(right, y, line, NIGHT if flag.place else GREEN)
        if right - wide < left:
            left, right, rows = float(LEFT), float(RIGHT), rows + 1
            y = top + 21 + 25 * rows
            body, wide = badge(right, y, line, NIGHT if flag.place else GREEN)
        drawn += titled(body, sentence(scene.say(story.flag_told(flag, turns))))
        right -= wide + 6
    return drawn, rows


def _table(scene: Scene, y: float) -> tuple[str, float]:
    """The wooden table: the points of the turn, the dice by position, and those set aside."""
    s, height = scene.s, 226
    parts = [box(MARGIN, y, INSIDE, height, WOOD, 12, stroke=SEAM)]
    for plank in range(4):
        shade = PLANK if plank % 2 else WOOD
        parts.append(box(MARGIN + 2, y + 4 + plank * 55, INSIDE - 4, 53, shade, 4, 'stroke-width="1.2"', SEAM))
    over = s["player"] == NOBODY
    head = scene.say(_OVER) if over else scene.say(_ROLL).format(s["rolls"])
    head += f" · {scene.say(_HOT)}" if s["hot"] and not over else ""
    parts.append(text(LEFT, y + 28, head, 15, fill=CREAM, weight=600))
    if not over:
        points = names.number(s["points"])
        parts.append(text(RIGHT, y + 31, points, 24, "end", GOLD, 700))
        parts.append(text(RIGHT - width_of(points, 24, bold=True) - 8, y + 28, scene.say(_POINTS), 13.5, "end", CREAM))
    parts.append(box(LEFT - 6, y + 152, ROOM + 12, 62, TRAY, 10, stroke=SEAM))
    parts.append(text(LEFT + 2, y + 167, scene.say(_ASIDE), 12, fill="#cdb48f"))
    player, faces = _thrower(s), names.faces_of(s["roll"])
    single = max((action & EVERY_DIE).bit_count() for action in scene.legal) == 1 if _chooses(scene) else False
    useful = _useful(scene)
    for place in range(DICE):
        middle = LEFT + _STEP * (place + 0.5)
        parts.append(_die(scene, player, place, faces[place], middle, y, bool(useful >> place & 1), single))
    return "".join(parts), height


def _thrower(s: np.void) -> int:
    """Whose dice lie on the table."""
    if s["player"] != NOBODY:
        return int(s["player"])
    thrown = [line.which >> 6 for line in names.log_of(s) if line.kind == THREW]
    return thrown[-1] if thrown else max(0, int(s["winner"]))


def _chooses(scene: Scene) -> bool:
    return any(action >= CHOOSE for action in scene.legal)


def _useful(scene: Scene) -> int:
    """The dice that can be saved or chosen."""
    if scene.s["player"] == NOBODY:
        return 0
    sets = names.savable_sets(scene.s) or [action & EVERY_DIE for action in scene.legal if action >= CHOOSE]
    useful = 0
    for dice in sets:
        useful |= dice
    return useful


def _die(scene: Scene, player: int, place: int, face: int, middle: float, y: float, useful: bool, single: bool) -> str:
    """One die with its position and, if it is loaded, its code; on the table or set aside."""
    profile, weights = (
        names.setting(scene.config).dice[player][place],
        names.weights_of(scene.config, scene.s, player, place),
    )
    changed = scene.s["changed"] >> place & 1 and player == scene.s["player"]
    loaded = len(set(weights)) > 1
    name = f"{place + 1}: {scene.say(names.die_name(scene.config, player, place))}, "
    name += f"{scene.say(_WEIGHTS)} {':'.join(map(str, weights))}" + (f", {scene.say(_NOW)}" if changed else "")
    locked = bool(scene.s["locked"] >> place & 1) and player == scene.s["player"]
    name += f"; {scene.say(_LOCKED)}" if locked else ""
    mark = f"{profile.code}*" if changed else profile.code if loaded else ""
    if face:
        drawn = die(middle - _DIE / 2, y + 54, _DIE, face, GOLD if useful else "", tilt_of(place, face))
        action = CHOOSE + (1 << place)
        drawn += padlock(middle + _DIE / 2 - 3, y + 54) if locked else ""
        drawn = clickable(scene, action, drawn, _action(scene, action)) if single else titled(drawn, name)
    else:
        kept = names.faces_of(scene.s["kept"])[place]
        drawn = titled(die(middle - 17, y + 173, 34, kept), f"{name}; {scene.say(_ASIDE)}")
        drawn += box(middle - _DIE / 2, y + 54, _DIE, _DIE, "none", 11, 'stroke-dasharray="4 4"', "#9c7650")
    drawn += text(middle, y + 128, str(place + 1), 13, "middle", CREAM)
    return drawn + text(middle, y + 144, fit(mark, 13, _STEP - 4), 13, "middle", GOLD, 700)


def _action(scene: Scene, action: int) -> str:
    return scene.say(words.describe(scene.config, action))


def _log(scene: Scene, y: float) -> tuple[str, float]:
    """What the last action led to, the latest lines of it: throws as small dice, busts, content, points banked.

    A throw that lies on the table as it fell is not told twice.
    """
    log = [line for line in names.log_of(scene.s) if names.is_worth_telling(scene.config, line)]
    if not log or (len(log) == 1 and log[0].kind == THREW):
        return "", 0
    shown = log[-_MOST_LINES:]
    parts, row = [], y + 34
    if len(shown) < len(log):
        parts.append(text(LEFT, row + 10, "…", 14, fill=FAINT))
        row += 20
    for line in shown:
        drawn, height = _log_line(scene, line, row)
        parts.append(drawn)
        row += height
    if scene.s["noted"] == LOG:
        parts.append(text(LEFT, row + 10, "…", 14, fill=FAINT))
        row += 20
    height = row - y + 6
    return panel(y, height, scene.say(_LOG)) + "".join(parts), height


def _log_line(scene: Scene, line: Line, y: float) -> tuple[str, float]:
    if line.kind == THREW:
        who = scene.say(_THROWS).format(_who(scene, line.which >> 6))
        drawn = text(LEFT, y + 15, who, 13.5)
        faces, thrown = names.faces_of(line.value), line.which & EVERY_DIE
        x = LEFT + width_of(who, 13.5) + 8
        for place, face in enumerate(faces):
            if face:
                faint = "" if thrown >> place & 1 else ' opacity="0.4"'
                drawn += f"<g{faint}>{small_dice(x, y + 1, 19, [face])}</g>"
                x += 22
        return drawn, 25
    colour = {BUSTED: BLOOD, SHIELDED: GREEN, BANKED: GREEN}.get(line.kind, INK)
    told = sentence(scene.say(story.line_told(scene.config, scene.s, line)))
    lines = wrapped(told, 13.5, ROOM - 12)
    return paragraph(LEFT + 12, y + 14, lines, 13.5, colour), len(lines) * 13.5 * 1.35 + 5


def _decision(scene: Scene, y: float) -> tuple[str, float]:
    """What is to be decided, with a button for everything that can be done; or how the match ended."""
    s = scene.s
    if s["player"] == NOBODY:
        result, _, totals = scene.say(story.ending(scene.config, s)).partition(": ")
        drawn = panel(y, 92) + text(LEFT, y + 42, fit(sentence(result), 21, ROOM, bold=True), 21, "start", EMBER, 700)
        return drawn + text(LEFT, y + 72, totals, 17, fill=FAINT), 92
    if s["choosing"]:
        return _choice(scene, y)
    who = scene.say(_DECIDES).format(scene.say(names.player_name(s["player"])))
    return _saves(scene, y, scene.say(_WHAT) if scene.legal else sentence(who), _shared_out(scene)[0])


def _lesser(scene: Scene, y: float) -> tuple[str, float]:
    """The saves that bring least, where there are so many that they go under the table."""
    rest = _shared_out(scene)[1]
    return _saves(scene, y, scene.say(_LESSER), rest) if rest else ("", 0)


def _shared_out(scene: Scene) -> tuple[list[list[Saving]], list[list[Saving]]]:
    """The groups of saves beside the table and those under it: in the picture both columns end at about one height."""
    groups = scene.saves
    heights = [group_of_saves(scene, group, 0)[1] for group in groups]
    beside = len(groups)
    while sum(heights[: beside - 1]) > _TABLE_ENDS + sum(heights[beside - 1 :]):
        beside -= 1
    return groups[:beside], groups[beside:]


def _saves(scene: Scene, y: float, title: str, groups: Sequence[Sequence[Saving]]) -> tuple[str, float]:
    """A panel of groups of saves, and its height."""
    parts, row = [], y + 36
    for group in groups:
        drawn, height = group_of_saves(scene, group, row)
        parts.append(drawn)
        row += height
    height = row - y + 6
    return panel(y, height, title) + "".join(parts), height


def _choice(scene: Scene, y: float) -> tuple[str, float]:
    """The sets of dice that can be chosen for an item; where it is one die, the dice on the table are clicked."""
    entry = int(scene.s["choosing"]) - 1
    title = scene.say(story.choice_asked(scene.config, entry))
    sets = [action & EVERY_DIE for action in sorted(scene.legal)]
    many = any(dice.bit_count() > 1 for dice in sets)
    head = wrapped(title, 15, ROOM, bold=True)
    drawn = "".join(text(LEFT, y + 24 + 20 * line, told, 15, weight=700) for line, told in enumerate(head))
    desc = wrapped(scene.say(names.entry_desc(scene.config, entry)), 13, ROOM)
    if sets and not many:
        desc.append(scene.say(_CLICK))
    top = y + 24 + 20 * len(head)
    drawn, x, row = drawn + paragraph(LEFT, top, desc, 13), float(LEFT), top + 17.5 * len(desc)
    for dice in sorted(sets, key=lambda dice: (dice.bit_count(), names.positions(dice))) if many else ():
        faces = names.faces_in(scene.s["roll"], dice)
        wide = max(34.0, len(faces) * 22 + 12)
        if x + wide > RIGHT:
            x, row = float(LEFT), row + 54
        face = box(x, row, wide, 48, LILAC, 8, 'class="face"', NIGHT)
        face += small_dice(x + wide / 2 - len(faces) * 11 + 1, row + 6, 19, faces, names.positions(dice))
        drawn += clickable(scene, CHOOSE + dice, face, _action(scene, CHOOSE + dice))
        x += wide + 6
    height = row - y + (58 if many else 0)
    return panel(y, height) + drawn, height


def _modifiers(scene: Scene, y: float) -> tuple[str, float]:
    """The modifiers of the match."""
    return cards(scene, y, story.MODIFIERS_WORD, items=False)


def _items(scene: Scene, y: float) -> tuple[str, float]:
    """The items of both players: which are ready, and a button for each that can be used."""
    return cards(scene, y, story.ITEMS_WORD, items=True)
