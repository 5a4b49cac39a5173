"""Draws the boards of Grid with what can be done there, hands, and the patterns resolved."""

from __future__ import annotations

import math

from playmill.author import Text
from playmill.drawing.layout import GAP, Part
from playmill.drawing.scene import COLUMN, PAD, SMALL, button
from playmill.drawing.svg import ACCENT, EMBER, FAINT, LINE, NIGHT, WASH, box, label, text
from playmill.drawing.things import refused
from playmill.games.grid.actions import PLACE, PUT_OTHER, PUT_SELF, TAKE_OTHER, TAKE_SELF, TARGET
from playmill.games.grid.constants import EMPTY, NOBODY, OPPONENT_CARD, OPPONENT_EMPTY, PLACEMENT, SELF_CARD, SELF_EMPTY
from playmill.games.grid.view.card_in_question import source_of
from playmill.games.grid.view.scene import GridScene
from playmill.games.grid.view.shapes import FREE, GOLD, ZONE, ZONE_EDGE, card, clickable, slot
from playmill.games.grid.words import names

#: A cell of a board, a card of a hand, the word in front of it, and a pattern that was resolved.
_CELL, _HELD, _WORD, _ENTRY = 78, 52, 84, 54

_ON_TURN = Text("on turn", "ходит")
_PATTERNS = Text("Patterns", "Паттерны")
_CHOOSE = Text("Choose player {}", "Выбрать игрока {}")
#: Why a cell or a card cannot be chosen.
_TAKEN = Text("this cell is taken", "эта клетка занята")
_OWN_ONLY = Text("cards are placed on your own board only", "карты кладут только на своё поле")
_CLOSED = Text("the protected zone is closed to opponents' rewards", "защищённая зона закрыта для наград соперников")
_OTHER_BOARD = Text("this reward acts on another board", "эта награда действует на другом поле")
_NO_CARD = Text("there is no card here", "здесь нет карты")


def boards(scene: GridScene, width: float) -> list[Part]:
    """A board for each player, with their hand, all of one size: two in a row, or three."""
    across = COLUMN if scene.players != 3 else (width - 2 * GAP) / 3
    grid, s = scene.config.game.grid, scene.s
    cell = min(_CELL, (across - 46) / grid.width, 460 / grid.height)
    held = max(1, int((across - 2 * PAD - _WORD) / (_HELD + 6)))
    rows = max(1, *(math.ceil(int(size) / held) for size in s["hand_size"][: scene.players]))
    chooses = any(TARGET + player in scene.legal for player in range(scene.players))
    entries = max(1, int((across - 2 * PAD) / _ENTRY))
    done = max(len(names.resolved_by(scene.config, s, player)) for player in range(scene.players))
    under = 94 + cell * grid.height + (54 if chooses else 0)
    height = under + 6 + rows * (_HELD + 6) + 34 + math.ceil(done / entries) * 22
    parts = []
    for player in range(scene.players):
        left = (across - cell * grid.width) / 2 + 9
        drawn = _frame(scene, player, across, height) + _board(scene, player, left, 84, cell)
        if chooses and TARGET + player in scene.legal:
            face = button(PAD, under - 54, across - 2 * PAD, scene.say(_CHOOSE, player + 1))
            drawn += clickable(scene, TARGET + player, face)
        drawn += _hand(scene, player, under, held) + _resolved(scene, player, under + 28 + rows * (_HELD + 6), entries)
        parts.append(Part(drawn, across, height))
    return parts


def _frame(scene: GridScene, player: int, width: float, height: float) -> str:
    """The frame of a board: whose it is, victory points, whether it is their turn or they must skip one."""
    s = scene.s
    active = bool(s["active"] == player and not scene.over)
    edge = (ACCENT, 3) if active else (LINE, 1)
    parts = [box(0, 0, width, height, extra=f'stroke-width="{edge[1]}"', stroke=edge[0])]
    parts.append(label(PAD, 30, scene.name(names.player_name(player), player), 18, width - 140))
    notes = [_ON_TURN] * active + [names.SKIPS_WORD] * bool(s["skip"][player])
    parts.append(label(PAD, 51, scene.say(Text.join(notes)), SMALL, width - 140, fill=EMBER))
    score = scene.say(names.points(s["vp"][player]))
    return "".join(parts) + text(width - PAD, 40, score, 25, "end", weight=700)


def _board(scene: GridScene, player: int, left: float, top: float, size: float) -> str:
    """The cells of a board with their coordinates, the protected zone, and what is being resolved or chosen."""
    config, s = scene.config, scene.s
    grid, edge = config.game.grid, config.game.grid.protected_zone.size * size
    x0, y0 = (grid.width * size - edge) / 2, (grid.height * size - edge) / 2
    dash = 'stroke-width="2" stroke-dasharray="7 4"'
    parts = [box(left + x0 - 1, top + y0 - 1, edge + 2, edge + 2, ZONE, 10, dash, ZONE_EDGE)]
    for i in range(max(grid.width, grid.height)):
        middle = i * size + size / 2
        if i < grid.width:
            parts.append(text(left + middle, top - 7, str(i), SMALL, "middle", FAINT))
        if i < grid.height:
            parts.append(text(left - 11, top + middle + 5, str(i), SMALL, "middle", FAINT))
    resolved = names.cells_of(s["pattern_cells"]) if s["active"] == player else []
    moving = (NOBODY, NOBODY) if scene.over else source_of(s)
    for cell in range(grid.width * grid.height):
        column, row = names.coordinates(config, cell)
        x, y, inner = left + column * size + 3, top + row * size + 3, size - 6
        parts.append(_cell(scene, player, cell, x, y, inner))
        if cell in resolved:
            extra = 'stroke-width="4" pointer-events="none"'
            parts.append(box(x - 2, y - 2, inner + 4, inner + 4, "none", inner * 0.18, extra, GOLD))
        if (player, cell) == moving:
            extra = 'stroke-width="4" stroke-dasharray="5 3" pointer-events="none"'
            parts.append(box(x - 1, y - 1, inner + 2, inner + 2, "none", inner * 0.18, extra, NIGHT))
    return "".join(parts)


def _cell(scene: GridScene, player: int, cell: int, x: float, y: float, size: float) -> str:
    """A cell: its card, a plus where one can be put, or a free place."""
    s, zone = scene.s, names.zone_of(scene.config)
    firsts = (PLACE, TAKE_SELF, PUT_SELF) if s["active"] == player else (TAKE_OTHER, PUT_OTHER)
    able = s["active"] == player or s["target"] == player
    action = next((first + cell for first in firsts if able and first + cell in scene.legal), NOBODY)
    number, place = int(s["board"][player, cell]), f"{player}-{cell}"
    why = _why_not(scene, player, cell) if scene.legal and action < 0 else None
    if number != EMPTY:
        return card(scene, x, y, size, number, place, action, why)
    if action >= 0:
        face = box(x, y, size, size, WASH, size * 0.16, 'class="face" stroke-width="2"', ACCENT)
        plus = text(x + size / 2, y + size * 0.66, "+", size * 0.5, "middle", EMBER, 700)
        return clickable(scene, action, face + plus)
    drawn = slot(x, y, size, ZONE if cell in zone else FREE)
    return refused(f"cell-{place}", scene.say(why), drawn) if why else drawn


def _why_not(scene: GridScene, player: int, cell: int) -> Text | None:
    """Why a cell cannot be chosen in the present decision; None where nobody would ask."""
    s, kind, own = scene.s, int(scene.s["kind"]), scene.s["active"] == player
    taken = bool(s["board"][player, cell] != EMPTY)
    if kind in (PLACEMENT, SELF_EMPTY):
        return _TAKEN if own else _OWN_ONLY if not taken else None
    if kind == SELF_CARD:
        return _NO_CARD if own else _OTHER_BOARD
    if kind not in (OPPONENT_CARD, OPPONENT_EMPTY):
        return None
    if s["target"] != player:
        return _OTHER_BOARD
    if taken != (kind == OPPONENT_CARD):
        return _TAKEN if taken else _NO_CARD
    return _CLOSED if cell in names.zone_of(scene.config) else None


def _hand(scene: GridScene, player: int, y: float, across: int) -> str:
    """A player's hand, in the order received."""
    hand = names.hand_of(scene.s, player)
    parts = [text(PAD, y + 32, f"{scene.say(names.HAND_WORD)}: {len(hand)}", SMALL, weight=700)]
    for place, number in enumerate(hand):
        at = PAD + _WORD + place % across * (_HELD + 6), y + place // across * (_HELD + 6)
        parts.append(card(scene, *at, _HELD, number, f"hand-{player}-{place}"))
    return "".join(parts)


def _resolved(scene: GridScene, player: int, y: float, across: int) -> str:
    """The patterns that a player has resolved so far."""
    done = names.resolved_by(scene.config, scene.s, player)
    parts = [text(PAD, y, f"{scene.say(_PATTERNS)}: {sum(done.values())}", SMALL, weight=700)]
    for place, (letter, count) in enumerate(done.items()):
        row, column = divmod(place, across)
        parts.append(text(PAD + column * _ENTRY, y + 22 + row * 22, f"{letter}×{count}", SMALL, fill=FAINT))
    return "".join(parts)
