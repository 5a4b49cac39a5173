"""Draws a match of Dice as one SVG; what can be clicked are things (see `playmill.drawing.things`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.drawing.kit.shapes import progress, small_dice
from playmill.drawing.layout import Part, framed, placed
from playmill.drawing.lettering import fit, width_of, wrapped
from playmill.drawing.svg import (
    ACCENT,
    EMBER,
    FAINT,
    GREEN,
    INK,
    NIGHT,
    PANEL,
    box,
    label,
    sentence,
    sheet,
    text,
)
from playmill.drawing.svg import RED as BLOOD
from playmill.drawing.things import UNSEEN, pick, titled
from playmill.games.dice import words
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.config import Config
from playmill.games.dice.constants import PLAYERS
from playmill.games.dice.rules.effects import BANKED, BUSTED, SHIELDED, THREW
from playmill.games.dice.view.board import tabletop, thing_of
from playmill.games.dice.view.scene import DiceScene
from playmill.games.dice.view.shapes import (
    AT_NIGHT,
    COLUMN,
    GAP,
    LEFT,
    MARGIN,
    RIGHT,
    ROOM,
    SMALL,
    SPACED,
    badge,
    cards,
    panel,
    paragraph,
)
from playmill.games.dice.words import event_text, names, position_text
from playmill.games.dice.words.names import LogLine

WIDTH = 2 * COLUMN
#: Most lines of the log that are shown, the latest ones.
_MOST_LINES = 10

_TO_GO = Text("turn {} · first to {}", "ход {} · игра до {}")
_LOG = Text("What happened", "Что произошло")
_WHAT = Text("What scores", "Что приносит очки")
_EARLIER = Text("… {} before that: see the log of the table", "… до этого ещё {}: см. журнал стола")
_CHOOSES = Text("Choose {0}: {1}", "Выбрать {0}: {1}")
_THROWS = Text("{} throws", "{} бросает")

_STYLE = sheet(
    "playmill-dice",
    AT_NIGHT,
    room=820,
    extra=".playmill-dice{max-width:1240px}"
    f".playmill-dice {UNSEEN}"
    ".playmill-dice .not[data-thing^=die]{opacity:.6}"
    ".playmill-dice [data-thing^=die][data-mark]>g{transform:translateY(-9px)}"
    ".playmill-dice [data-mark] .ring{stroke:#ff8a1f;stroke-width:7}"
    "@media (prefers-reduced-motion:no-preference){.playmill-dice [data-thing^=die]>g{transition:transform .15s}}",
)

Section = Callable[[DiceScene, float], tuple[str, float]]


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The table as one player sees it, or a spectator (None): everything lies open.

    `legal` are the actions of the player to move; they are offered to that player only. On a narrow page the two
    columns become one.
    """
    scene = DiceScene.seen(config, s, player, legal, lang)
    parts, tops, down = [], [0.0, 0.0], 0.0
    # What is clicked stands where it stood in the last picture, however much there is to be told beside it.
    for column, sections in enumerate(((_scores, tabletop, _items), (_decision, _log, _modifiers))):
        drawn, height = _stack(scene, sections)
        part = Part(drawn, COLUMN, height)
        parts.append(placed(part, column * COLUMN, MARGIN, (0, 2 * (MARGIN + down), 2)))
        tops[column] = height
        down += height
    height, narrow = (2 * MARGIN - GAP + used for used in (max(tops), down))
    title, body = scene.say(words.TITLE), "".join(parts)
    return framed("playmill-dice", title, _STYLE, lang, width=WIDTH, height=height, deep=2 * narrow, body=body)


def _stack(scene: DiceScene, sections: Iterable[Section]) -> tuple[str, float]:
    """Sections under each other, and their height with the gaps between them."""
    parts, y = [], 0.0
    for section in sections:
        drawn, height = section(scene, y)
        parts.append(drawn)
        y += height + GAP if height else 0
    return "".join(parts), y


def _scores(scene: DiceScene, y: float) -> tuple[str, float]:
    """The title, and each player's total on the way to the target, with the flags set."""
    s, target = scene.s, scene.config.target_score
    parts, top = [text(LEFT, y + 28, scene.say(words.TITLE), 21, weight=700)], y + 42
    parts.append(text(RIGHT, y + 27, scene.say(_TO_GO, s["turns"], target), SMALL, "end", FAINT))
    for player in range(PLAYERS):
        moves = bool(player == s["player"])
        who = scene.name(names.player_name(player), player)
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


def _flags(scene: DiceScene, player: int, left: float, right: float, top: float) -> tuple[str, int]:
    """The flags set on a player as badges, from right to left beside the total and then in rows under it; how many."""
    drawn, y, rows = "", top + 3, 0
    for flag, turns in names.flags_set(scene.config, scene.s, player):
        line = fit(scene.say(flag.short) + (f" · {turns}" if turns else ""), 12.5, ROOM - 14, bold=True)
        body, wide = badge(right, y, line, NIGHT if flag.place else GREEN)
        if right - wide < left:
            left, right, rows = float(LEFT), float(RIGHT), rows + 1
            y = top + 21 + 25 * rows
            body, wide = badge(right, y, line, NIGHT if flag.place else GREEN)
        drawn += titled(scene.say(position_text.flag_text(flag, turns)), body)
        right -= wide + 6
    return drawn, rows


def _log(scene: DiceScene, y: float) -> tuple[str, float]:
    """What the last action led to, the latest lines of it: throws as small dice, busts, content, points banked.

    A throw that lies on the table as it fell is not told twice.
    """
    log = [line for line in names.log_of(scene.s) if names.is_worth_telling(scene.config, line)]
    if not log or (len(log) == 1 and log[0].kind == THREW):
        return "", 0
    shown = log[-_MOST_LINES:]
    parts, row = [], y + 34
    if len(shown) < len(log):
        parts.append(text(LEFT, row + 14, scene.say(_EARLIER, len(log) - len(shown)), SMALL, fill=FAINT))
        row += SPACED + 5
    for line in shown:
        drawn, height = _log_line(scene, line, row)
        parts.append(drawn)
        row += height
    if names.left_out(scene.s):
        lines = wrapped(scene.say(position_text.cut_text(scene.s)), SMALL, ROOM - 12)
        parts.append(paragraph(LEFT, row + 14, lines, SMALL))
        row += len(lines) * SPACED + 5
    height = row - y + 6
    return panel(y, height, scene.say(_LOG)) + "".join(parts), height


def _log_line(scene: DiceScene, line: LogLine, y: float) -> tuple[str, float]:
    if line.kind == THREW:
        who = sentence(scene.say(_THROWS, names.player_name(line.which >> 6)))
        drawn = text(LEFT, y + 15, who, SMALL)
        faces, thrown = names.faces_of(line.value), line.which & EVERY_DIE
        x = LEFT + width_of(who, SMALL) + 8
        for place, face in enumerate(faces):
            if face:
                faint = "" if thrown >> place & 1 else ' opacity="0.4"'
                drawn += f"<g{faint}>{small_dice(x, y + 1, 19, [face])}</g>"
                x += 22
        return drawn, 25
    colour = {BUSTED: BLOOD, SHIELDED: GREEN, BANKED: GREEN}.get(line.kind, INK)
    words_of_line = sentence(scene.say(position_text.line_text(scene.config, scene.s, line)))
    lines = wrapped(words_of_line, SMALL, ROOM - 12)
    return paragraph(LEFT + 12, y + 14, lines, SMALL, colour), len(lines) * SPACED + 5


def _decision(scene: DiceScene, y: float) -> tuple[str, float]:
    """What the dice on the table bring; or what an item asks for; or how the match ended."""
    s = scene.s
    if scene.over:
        result, _, totals = scene.say(position_text.ending(scene.config, s)).partition(": ")
        drawn = panel(y, 92) + text(LEFT, y + 42, fit(sentence(result), 21, ROOM, bold=True), 21, "start", EMBER, 700)
        return drawn + text(LEFT, y + 72, totals, 17, fill=FAINT), 92
    return _choice(scene, y) if s["choosing"] else _saves(scene, y)


def _saves(scene: DiceScene, y: float) -> tuple[str, float]:
    """What scores now, the best first; to whoever decides each line is a short cut to its dice."""
    parts, row = [], y + 36
    for group in scene.saves:
        saving = group[0]
        face = box(LEFT - 6, row - 4, ROOM + 12, 30, PANEL, 8, 'class="face"', "none")
        face += small_dice(LEFT, row, 22, saving.faces)
        face += label(RIGHT, row + 17, names.signed(saving.gain), 16, 200, "end", INK)
        if scene.legal:
            things = (thing_of(place - 1) for place in names.positions(saving.dice))
            face = pick(things, scene.say(_CHOOSES, names.dice_name(saving.dice), names.signed(saving.gain)), face)
        parts.append(face)
        row += 32
    height = row - y + 6
    return panel(y, height, scene.say(_WHAT)) + "".join(parts), height


def _choice(scene: DiceScene, y: float) -> tuple[str, float]:
    """Which dice an item asks for, or which face; they are clicked on the table."""
    entry = int(scene.s["choosing"]) - 1
    head = wrapped(scene.say(event_text.choice_asked(scene.config, scene.s)), 15, ROOM, bold=True)
    drawn = "".join(
        text(LEFT, y + 24 + 20 * line, words_of_line, 15, weight=700) for line, words_of_line in enumerate(head)
    )
    desc = wrapped(scene.say(names.entry_desc(scene.config, entry)), SMALL, ROOM)
    top = y + 24 + 20 * len(head)
    height = top + SPACED * len(desc) - y
    return panel(y, height) + drawn + paragraph(LEFT, top, desc, SMALL), height


def _modifiers(scene: DiceScene, y: float) -> tuple[str, float]:
    """The modifiers of the match."""
    return cards(scene, y, position_text.MODIFIERS_WORD, items=False)


def _items(scene: DiceScene, y: float) -> tuple[str, float]:
    """The items of both players: which are ready, and a button for each that can be used."""
    return cards(scene, y, position_text.ITEMS_WORD, items=True)
