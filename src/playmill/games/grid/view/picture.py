"""Draws the table of Grid as one SVG: cards and cells are clicked."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.drawing.layout import GAP, MARGIN, Part, panel, picture
from playmill.drawing.lettering import width_of
from playmill.drawing.scene import COLUMN, OVER, PAD, ROOM, SMALL, button, header, phase_strip
from playmill.drawing.svg import (
    ACCENT,
    EMBER,
    FAINT,
    INK,
    NIGHT,
    PANEL,
    RAISED,
    box,
    card_back,
    label,
    paragraph,
    sentence,
    sheet,
    text,
)
from playmill.games.grid import words
from playmill.games.grid.actions import ACCEPT, FROM_DISCARD, NO_MATCH, PASS, PICK, REFUSE
from playmill.games.grid.config import Config
from playmill.games.grid.constants import EMPTY, NOBODY, PLACEMENT, REF, RESOLVE
from playmill.games.grid.view.board import boards
from playmill.games.grid.view.card_in_question import in_question
from playmill.games.grid.view.pattern_list import patterns
from playmill.games.grid.view.scene import GridScene
from playmill.games.grid.view.shapes import AT_NIGHT, GOLD, UNUSED, card, clickable, slot
from playmill.games.grid.words import names, position_text

WIDTH = 2 * COLUMN + GAP + 2 * MARGIN
_CELL = 66

_TURN = Text("turn {}", "ход {}")
_PICKED = Text("Picked", "Взято")
_YES = Text("Take the reward", "Применить награду")
_NO = Text("Refuse", "Отказаться")
_NONE = Text("Resolve none", "Не разыгрывать")
#: What is asked, by kind of decision.
_ASKS = (
    Text("Place the card on a free cell", "Разместить карту на свободной клетке"),
    Text("Pick an open card for the own board", "Взять себе одну из открытых карт"),
    Text("Pass an open card to the next player", "Передать открытую карту следующему игроку"),
    Text("Resolve one of the patterns found", "Разыграть один из найденных паттернов"),
    Text("Take the reward or refuse it", "Применить награду или отказаться"),
    Text("Choose a card of the own board", "Выбрать карту на своём поле"),
    Text("Choose a free cell of the own board", "Выбрать свободную клетку на своём поле"),
    Text("Choose an opponent", "Выбрать соперника"),
    Text("Choose a card of the opponent", "Выбрать карту соперника"),
    Text("Choose a free cell of the opponent", "Выбрать свободную клетку соперника"),
    Text("Choose a card of the discard pile", "Выбрать карту из сброса"),
)

_STYLE = sheet("playmill-grid", AT_NIGHT)


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The table as one player sees it, or a spectator (None): all but the order of the deck lies open.

    `legal` are the actions of the player to move; they are offered to that player only.
    """
    scene = GridScene.seen(config, s, player, legal, lang)
    head, strip, cards, now = _header(scene), _decisions(scene), _cards(scene), _now(scene)
    fields, pattern_rows = boards(scene, WIDTH - 2 * MARGIN), patterns(scene)
    across = 3 if scene.players == 3 else 2
    rows = [fields[first : first + across] for first in range(0, len(fields), across)]
    # On a phone one's own board comes first, right under what is asked.
    first = 0 if player is None else player
    mine_first = [[field] for field in fields[first:] + fields[:first]]
    return picture(
        "playmill-grid",
        scene.say(words.TITLE),
        _STYLE,
        lang,
        width=WIDTH,
        wide=[[head, strip], [cards, now], *rows, pattern_rows],
        at_once=3,
        narrow=[[head], [strip], [now], [cards], *mine_first, *([part] for part in pattern_rows)],
    )


def _header(scene: GridScene) -> Part:
    """The title, the turn, and who decides or how the game ended."""
    s, turn = scene.s, scene.say(_TURN, scene.s["turns"])
    if scene.over:
        return header(scene, words.TITLE, turn, scene.say(OVER))
    turn += f" · {scene.say(names.PHASE_NAMES[s['phase']])}"
    return header(scene, words.TITLE, turn, scene.decides(names.player_name(s["player"])))


def _decisions(scene: GridScene) -> Part:
    """The kinds of decisions with the present one marked, and whether an extra turn follows."""
    present = "" if scene.over else names.decision_kind(scene.s)
    kinds = [(scene.say(name), kind == present) for kind, name in names.DECISION_NAMES.items()]
    return phase_strip(kinds, [scene.say(names.EXTRA_WORD)] if scene.s["extra"] and present else [])


def _cards(scene: GridScene) -> Part:
    """The deck from behind, the top of the discard pile, the open cards of the draft, and those picked."""
    s, reveal = scene.s, scene.config.game.draft.reveal
    parts, pile = [], names.discard_of(s)
    piles = ((PAD, names.DECK_WORD, s["deck_size"]), (PAD + 80, names.DISCARD_WORD, s["discard_size"]))
    for edge, word, count in piles:
        parts.append(label(edge, 28, scene.say(word), SMALL, 126))
        parts.append(text(edge + _CELL / 2, 138, str(count), 18, "middle", FAINT, 600))
    parts.append(card_back(PAD, 42, _CELL, _CELL) if s["deck_size"] else slot(PAD, 42, _CELL))
    x = PAD + 80.0
    parts.append(card(scene, x, 42, _CELL, pile[-1], "discard") if pile else slot(x, 42, _CELL))
    picked = [int(number) for number in s["picked"][: s["picked_size"]]]
    left = PAD + 210.0
    size = min(_CELL, (COLUMN - PAD - left) / max(3, reveal) - 8)
    parts.append(label(left, 28, scene.say(names.OPEN_WORD), SMALL, COLUMN - PAD - left))
    for place in range(reveal):
        x, number = left + place * (size + 8), int(s["revealed"][place])
        action = next((first + place for first in (PICK, PASS) if first + place in scene.legal), NOBODY)
        top = 42 + (_CELL - size) / 2
        parts.append(card(scene, x, top, size, number, f"open-{place}", action) if number else slot(x, top, size))
    if picked:
        parts.append(text(left, 144, scene.say(_PICKED), SMALL, weight=700))
        x = left + width_of(scene.say(_PICKED), SMALL, bold=True) + 12
        parts += [card(scene, x + i * 46, 124, 40, number, f"picked-{i}") for i, number in enumerate(picked)]
    return panel("".join(parts), COLUMN, 172)


def _now(scene: GridScene) -> Part:
    """What is asked, the card, pattern and reward in question, and everything that is answered by a button."""
    s, config = scene.s, scene.config
    if scene.over:
        result, _, reason = scene.say(position_text.ending(config, s)).partition(": ")
        drawn = label(PAD, 44, sentence(result), 21, ROOM, fill=EMBER)
        pattern_rows, _ = paragraph(PAD, 76, sentence(reason), SMALL, ROOM, FAINT)
        return panel(drawn + pattern_rows, COLUMN, 172)
    drawn = label(PAD, 32, scene.say(_ASKS[s["kind"]]), 17, ROOM, fill=EMBER if scene.legal else INK)
    number, x, y = in_question(s), float(PAD), 74.0
    lines = [names.card_name(config, number)] if number != EMPTY else []
    if number != EMPTY:
        drawn += card(scene, x, 50, 84, number, "now" if s["kind"] == PLACEMENT else "-now")
        x += 102
    if s["pattern_cells"]:
        lines += [names.pattern_name(config, int(s["pattern"])), names.reward_name(int(s["reward"]))]
    for row, line in enumerate(lines):
        drawn += label(x, y, sentence(scene.say(line)), 17, COLUMN - PAD - x, bold=row == 0)
        y += 25
    y = max(y, 146.0 if number != EMPTY else 54.0)
    for part, height in (_answers(scene, y), _matches(scene, y), _pile(scene, y)):
        drawn += part
        y += height
    return panel(drawn, COLUMN, max(172.0, y + 6))


def _answers(scene: GridScene, y: float) -> tuple[str, float]:
    """The buttons for yes and no, and their height."""
    buttons = ((ACCEPT, _YES, NIGHT, "#ffffff"), (REFUSE, _NO, PANEL, NIGHT), (NO_MATCH, _NONE, PANEL, NIGHT))
    found = [one for one in buttons if one[0] in scene.legal]
    drawn, x = "", float(PAD)
    for action, line, fill, ink in found:
        wide = (ROOM - 10) / 2
        drawn += clickable(scene, action, button(x, y, wide, scene.say(line), fill=fill, ink=ink))
        x += wide + 10
    return drawn, 52.0 if found else 0.0


def _matches(scene: GridScene, y: float) -> tuple[str, float]:
    """A button for each pattern found, with a sketch of where it lies; and the height of them all."""
    found = sorted(scene.legal - {NO_MATCH}) if scene.s["kind"] == RESOLVE else []
    grid = scene.config.game.grid
    step, drawn, top = 42 / max(grid.width, grid.height), "", y
    for action in found:
        done = words.ACTS.decode(action)
        cells = names.window_kind(scene.config, done.window)[1]
        face = box(PAD, top, ROOM, 58, RAISED, 9, 'class="face"', ACCENT)
        for cell in range(grid.width * grid.height):
            column, row = names.coordinates(scene.config, cell)
            fill = GOLD if cell in cells else UNUSED
            place = PAD + 9 + column * step, top + 8 + row * step
            face += box(*place, step - 1.5, step - 1.5, fill, 1.5, stroke="none")
        name = sentence(scene.say(names.pattern_name(scene.config, done.pattern)))
        line = scene.say(names.reward_name(names.reward_number(scene.config.patterns[done.pattern])))
        face += label(PAD + 62, top + 25, name, 17, ROOM - 70)
        face += label(PAD + 62, top + 47, line, SMALL, ROOM - 70, fill=FAINT, bold=False)
        drawn += clickable(scene, action, face)
        top += 66
    return drawn, top - y


def _pile(scene: GridScene, y: float) -> tuple[str, float]:
    """The whole discard pile from the bottom to the top, when a card of it can be chosen; and its height."""
    if scene.s["kind"] != REF or not scene.legal:
        return "", 0.0
    pile, across = names.discard_of(scene.s), 8
    drawn = ""
    for place, number in enumerate(pile):
        x, top = PAD + place % across * 54, y + place // across * 54
        drawn += card(scene, x, top, 48, number, f"-pile-{place}", FROM_DISCARD + place)
    return drawn, math.ceil(len(pile) / across) * 54.0
