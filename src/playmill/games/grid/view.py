"""The table of Grid as one SVG picture; what can be clicked carries its action in `data-a`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np

from playmill.games.grid import names, story, words
from playmill.games.grid.actions import (
    ACCEPT,
    EMPTY,
    FROM_DISCARD,
    JOKER,
    MOVE_OWN,
    NO_MATCH,
    OPPONENT_EMPTY,
    PASS,
    PICK,
    PLACE,
    PLACEMENT,
    PUT_OTHER,
    PUT_SELF,
    REF,
    REFUSE,
    RESOLVE,
    SELF_EMPTY,
    SPAWN_JOKER,
    STEAL,
    TAKE_ANY,
    TAKE_OTHER,
    TAKE_SELF,
    TARGET,
    take_apart,
)
from playmill.games.grid.config import Config
from playmill.games.grid.config_parts import REWARD_IDS
from playmill.games.grid.drawing import (
    AT_NIGHT,
    FREE,
    GOLD,
    UNUSED,
    ZONE,
    ZONE_EDGE,
    Scene,
    button,
    card,
    card_back,
    clickable,
    slot,
)
from playmill.games.grid.rules import NOBODY
from playmill.games.svg import ACCENT, EMBER, FAINT, GROUND, LINE, NIGHT, PANEL, WASH, box, pill, sentence, sheet, text
from playmill.texts import Lang, Text

WIDTH = 1280
_MARGIN = 20
_GAP = 12
_STRIP = 158
_CELL = 72
_SMALL = 36
_ENTRY = 42
#: Left of the columns of the strip under the header, and their ends.
_PILES, _DRAFT, _NOW = (20, 264), (276, 760), (772, 1260)

_TURN = Text("turn {}", "ход {}")
_ON_TURN = Text("on turn", "ходит")
_DECIDES = Text("{} decides", "решает {}")
_YOU = Text("you", "вы")
_PICKED = Text("Picked", "Взято")
_OVER = Text("The game is over", "Партия окончена")
_PATTERNS = Text("Patterns", "Паттерны")
_FOUND = Text("Patterns found: which one first?", "Найдены паттерны: какой сначала?")
_WHICH = Text("Discard pile, from the bottom to the top", "Сброс, снизу вверх")
_ZONE = Text("protected zone: closed to opponents' rewards", "защищённая зона: закрыта для наград соперников")
_RESOLVED = Text("pattern being resolved", "разыгрываемый паттерн")
_CHOICE = Text("can be chosen", "можно выбрать")
_CHOOSE = Text("Choose player {}", "Выбрать игрока {}")
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
    mine = player is not None and player == s["player"]
    scene = Scene(config, s, player, frozenset(map(int, legal)) if mine else frozenset(), lang)
    y = 92.0
    parts = [_header(scene), _piles(scene, y), _draft(scene, y), _now(scene, y)]
    y += _STRIP + _GAP
    for section in (_matches, _pile, _boards, _legend):
        drawn, used = section(scene, y)
        parts.append(drawn)
        y += used
    total = y + _MARGIN - _GAP
    ground = box(0, 0, WIDTH, total, GROUND, 18, stroke="none")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playmill-grid" viewBox="0 0 {WIDTH} {total:g}" '
        f"lang=\"{lang}\" font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\">"
        f"<title>{escape(scene.say(words.TITLE))}</title><style>{_STYLE}</style>"
        f"{ground}{''.join(parts)}</svg>"
    )


def _header(scene: Scene) -> str:
    """The title, the phase, the decisions with the present one marked, and who decides; or how the game ended."""
    s = scene.s
    parts = [text(_MARGIN + 4, 44, scene.say(words.TITLE), 24, weight=700)]
    parts.append(text(_MARGIN + 4, 70, scene.say(_TURN).format(s["turns"]), 14, fill=FAINT))
    x = _MARGIN + 110.0
    if s["player"] == NOBODY:
        return "".join(parts) + text(x, 44, scene.say(_OVER), 16, weight=600)
    parts.append(text(x, 44, sentence(scene.say(names.PHASE_NAMES[s["phase"]])), 16, weight=600))
    for kind, name in names.DECISION_NAMES.items():
        now = kind == names.decision_kind(s)
        drawn, width = pill(x, 55, scene.say(name), NIGHT if now else PANEL, "#ffffff" if now else FAINT)
        parts.append(drawn)
        x += width + 6
    if s["extra"]:
        parts.append(pill(x + 8, 55, sentence(scene.say(names.EXTRA_WORD)), EMBER, "#ffffff")[0])
    who = scene.say(_DECIDES).format(scene.say(names.player_name(s["player"])))
    return "".join(parts) + text(WIDTH - _MARGIN - 4, 44, sentence(who), 16, "end", EMBER, 700)


def _piles(scene: Scene, y: float) -> str:
    """The deck from behind and the top of the discard pile."""
    (left, right), s = _PILES, scene.s
    parts = [box(left, y, right - left, _STRIP)]
    for x, word, count in (
        (left + 22, names.DECK_WORD, s["deck_size"]),
        (left + 134, names.DISCARD_WORD, s["discard_size"]),
    ):
        parts.append(text(x, y + 28, scene.say(word), 14, weight=700))
        parts.append(text(x + _CELL / 2, y + 138, str(count), 16, "middle", FAINT, 600))
    parts.append(card_back(left + 22, y + 42, _CELL) if s["deck_size"] else slot(left + 22, y + 42, _CELL))
    pile = names.discard_of(s)
    parts.append(card(scene, left + 134, y + 42, _CELL, pile[-1]) if pile else slot(left + 134, y + 42, _CELL))
    return "".join(parts)


def _draft(scene: Scene, y: float) -> str:
    """The open cards of the draft, and those picked that are not yet placed."""
    (left, right), s, reveal = _DRAFT, scene.s, scene.config.game.draft.reveal
    parts = [box(left, y, right - left, _STRIP), text(left + 16, y + 28, scene.say(names.OPEN_WORD), 14, weight=700)]
    picked = [int(number) for number in s["picked"][: s["picked_size"]]]
    taken = len(picked) * 54 + 20 if picked else 0
    size = min(_CELL, (right - left - 32 - taken) / reveal - 10)
    for place in range(reveal):
        x, number = left + 16 + place * (size + 10), int(s["revealed"][place])
        action = next((first + place for first in (PICK, PASS) if first + place in scene.legal), NOBODY)
        top = y + 42 + (_CELL - size) / 2
        parts.append(card(scene, x, top, size, number, action) if number else slot(x, top, size))
        parts.append(text(x + size / 2, y + 138, str(place + 1), 13, "middle", FAINT))
    if picked:
        x = right - 16 - len(picked) * 54 + 6
        parts.append(text(x, y + 28, scene.say(_PICKED), 14, weight=700))
        parts += [card(scene, x + i * 54, y + 54, 48, number) for i, number in enumerate(picked)]
    return "".join(parts)


def _now(scene: Scene, y: float) -> str:
    """What is asked, the card, pattern and reward in question, and the buttons for yes and no."""
    (left, right), s, config = _NOW, scene.s, scene.config
    parts = [box(left, y, right - left, _STRIP)]
    if s["player"] == NOBODY:
        result, _, reason = scene.say(story.ending(config, s)).partition(": ")
        parts.append(text(left + 16, y + 72, sentence(result), 19, weight=700))
        return "".join(parts) + text(left + 16, y + 104, reason, 15, fill=FAINT)
    parts.append(text(left + 16, y + 28, scene.say(_ASKS[s["kind"]]), 15, weight=700))
    number, x = _in_question(s), left + 16.0
    if number != EMPTY:
        parts.append(card(scene, x, y + 50, 84, number))
        x += 104
    lines = [names.card_name(config, number)] if number != EMPTY else []
    if s["pattern_cells"]:
        lines += [names.pattern_name(config, int(s["pattern"])), names.reward_name(int(s["reward"]))]
    for row, line in enumerate(lines):
        parts.append(text(x, y + 64 + row * 23, sentence(scene.say(line)), 15, weight=600 if row == 0 else 400))
    buttons = ((ACCEPT, _YES, NIGHT, "#ffffff"), (REFUSE, _NO, PANEL, NIGHT), (NO_MATCH, _NONE, PANEL, NIGHT))
    for action, label, fill, ink in buttons:
        if action in scene.legal:
            parts.append(button(scene, x, y + 108, 180, action, fill, ink, scene.say(label)))
            x += 192
    return "".join(parts)


def _in_question(s: np.void) -> int:
    """The card that is to be placed or moved, if it is known already."""
    if s["kind"] == PLACEMENT:
        return int(s["card"])
    source = _source(s)
    if source[0] != NOBODY:
        return int(s["board"][source])
    if s["kind"] != SELF_EMPTY:
        return EMPTY
    if s["reward"] == SPAWN_JOKER:
        return JOKER
    return int(s["discard"][s["ref"] if s["reward"] == TAKE_ANY else s["discard_size"] - 1])


def _source(s: np.void) -> tuple[int, int]:
    """Whose card a reward is moving, and from which cell; or nobody's."""
    if s["kind"] == OPPONENT_EMPTY or (s["kind"] == SELF_EMPTY and s["reward"] in (MOVE_OWN, STEAL)):
        return int(s["active"] if s["reward"] == MOVE_OWN else s["target"]), int(s["source"])
    return NOBODY, NOBODY


def _matches(scene: Scene, y: float) -> tuple[str, float]:
    """A button for each pattern found, with a sketch of where it lies; and the height of them all."""
    found = sorted(scene.legal - {NO_MATCH}) if scene.s["kind"] == RESOLVE else []
    if not found:
        return "", 0
    width, columns = (WIDTH - 2 * _MARGIN - 32 - 16) / 3, 3
    height = 44 + math.ceil(len(found) / columns) * 64 + 4
    parts = [box(_MARGIN, y, WIDTH - 2 * _MARGIN, height)]
    parts.append(text(_MARGIN + 16, y + 28, scene.say(_FOUND), 14, weight=700))
    grid = scene.config.game.grid
    step = 42 / max(grid.width, grid.height)
    for i, action in enumerate(found):
        x, top = _MARGIN + 16 + i % columns * (width + 8), y + 44 + i // columns * 64
        _, window, pattern = take_apart(action)
        cells = names.window_kind(scene.config, window)[1]
        face = box(x, top, width, 56, "#ffffff", 9, 'class="face"', ACCENT)
        for cell in range(grid.width * grid.height):
            column, row = names.coordinates(scene.config, cell)
            fill = GOLD if cell in cells else UNUSED
            place = x + 8 + column * step, top + 7 + row * step
            face += box(*place, step - 1.5, step - 1.5, fill, 1.5, stroke="none")
        name = sentence(scene.say(names.pattern_name(scene.config, pattern)))
        line = scene.say(names.reward_name(REWARD_IDS.index(scene.config.patterns[pattern].reward.id)))
        face += text(x + 60, top + 24, name, 14, weight=700) + text(x + 60, top + 43, line, 12, fill=FAINT)
        parts.append(clickable(scene, action, face))
    return "".join(parts), height + _GAP


def _pile(scene: Scene, y: float) -> tuple[str, float]:
    """The whole discard pile, when a card of it can be chosen; and its height."""
    if scene.s["kind"] != REF or not scene.legal:
        return "", 0
    pile, across = names.discard_of(scene.s), 24
    height = 44 + math.ceil(len(pile) / across) * 50 + 6
    parts = [box(_MARGIN, y, WIDTH - 2 * _MARGIN, height)]
    parts.append(text(_MARGIN + 16, y + 28, scene.say(_WHICH), 14, weight=700))
    for place, number in enumerate(pile):
        x, top = _MARGIN + 18 + place % across * 50, y + 44 + place // across * 50
        parts.append(card(scene, x, top, 42, number, FROM_DISCARD + place))
    return "".join(parts), height + _GAP


def _boards(scene: Scene, y: float) -> tuple[str, float]:
    """All boards side by side, each with its player's hand; and their height."""
    grid, s = scene.config.game.grid, scene.s
    width = (WIDTH - 2 * _MARGIN - _GAP * (scene.players - 1)) / scene.players
    cell = min(_CELL, (width - 46) / grid.width, 430 / grid.height)
    aside = width - 46 - cell * grid.width > 3 * _SMALL + 24
    room = width - 60 - cell * grid.width if aside else width - 32
    across = max(1, int(room / (_SMALL + 6)))
    rows = max(1, *(math.ceil(int(held) / across) for held in s["hand_size"][: scene.players]))
    chooses = any(TARGET + player in scene.legal for player in range(scene.players))
    below = 52 + rows * (_SMALL + 6) + _pattern_rows(scene, room) * 18
    height = 84 + cell * grid.height + (44 if chooses else 0) + (0 if aside else below)
    height = max(height, 84 + below) if aside else height
    parts = []
    for player in range(scene.players):
        x = _MARGIN + player * (width + _GAP)
        parts.append(_panel(scene, player, x, y, width, height))
        left = x + 30 if aside else x + (width - cell * grid.width) / 2 + 7
        parts.append(_board(scene, player, left, y + 74, cell))
        under = y + 84 + cell * grid.height
        if chooses and TARGET + player in scene.legal:
            label = scene.say(_CHOOSE).format(player + 1)
            parts.append(button(scene, left, under, cell * grid.width, TARGET + player, NIGHT, "#ffffff", label))
        at = (left + cell * grid.width + 18, y + 74) if aside else (x + 16, under + (44 if chooses else 0))
        parts.append(_hand(scene, player, *at, room, across))
    return "".join(parts), height + _GAP


def _panel(scene: Scene, player: int, x: float, y: float, width: float, height: float) -> str:
    """The frame of a board: whose it is, her victory points, whether it is her turn or she must skip one."""
    s = scene.s
    active = bool(s["active"] == player and s["player"] != NOBODY)
    edge = (ACCENT, 3) if active else (LINE, 1)
    parts = [box(x, y, width, height, extra=f'stroke-width="{edge[1]}"', stroke=edge[0])]
    name = sentence(scene.say(names.player_name(player)))
    name += f" – {scene.say(_YOU)}" if player == scene.viewer else ""
    parts.append(text(x + 16, y + 28, name, 16, weight=700))
    notes = [_ON_TURN] * active + [names.SKIPS_WORD] * bool(s["skip"][player])
    parts.append(text(x + 16, y + 46, scene.say(names.join(notes)), 12.5, fill=EMBER, weight=600))
    return "".join(parts) + text(
        x + width - 16, y + 36, scene.say(names.points(s["vp"][player])), 24, "end", weight=700
    )


def _board(scene: Scene, player: int, left: float, top: float, size: float) -> str:
    """The cells of a board with their coordinates, the protected zone, and what is being resolved or chosen."""
    config, s = scene.config, scene.s
    grid, zone, edge = config.game.grid, names.zone_of(config), config.game.grid.protected_zone.size * size
    x0, y0 = (grid.width * size - edge) / 2, (grid.height * size - edge) / 2
    dash = 'stroke-width="2" stroke-dasharray="7 4"'
    parts = [box(left + x0 - 1, top + y0 - 1, edge + 2, edge + 2, ZONE, 10, dash, ZONE_EDGE)]
    for i in range(max(grid.width, grid.height)):
        middle = i * size + size / 2
        if i < grid.width:
            parts.append(text(left + middle, top - 6, str(i), 11, "middle", FAINT))
        if i < grid.height:
            parts.append(text(left - 8, top + middle + 4, str(i), 11, "middle", FAINT))
    resolved = names.cells_of(s["pattern_cells"]) if s["active"] == player else []
    firsts = (PLACE, TAKE_SELF, PUT_SELF) if s["active"] == player else (TAKE_OTHER, PUT_OTHER)
    able = s["active"] == player or s["target"] == player
    moving = _source(s) if s["player"] != NOBODY else (NOBODY, NOBODY)
    for cell in range(grid.width * grid.height):
        column, row = names.coordinates(config, cell)
        x, y, inner = left + column * size + 3, top + row * size + 3, size - 6
        action = next((first + cell for first in firsts if able and first + cell in scene.legal), NOBODY)
        number = int(s["board"][player, cell])
        if number != EMPTY:
            parts.append(card(scene, x, y, inner, number, action))
        elif action >= 0:
            face = box(x, y, inner, inner, WASH, inner * 0.16, 'class="face" stroke-width="2"', ACCENT)
            plus = text(x + inner / 2, y + inner * 0.66, "+", inner * 0.5, "middle", EMBER, 700)
            parts.append(clickable(scene, action, face + plus))
        else:
            parts.append(slot(x, y, inner, ZONE if cell in zone else FREE))
        if cell in resolved:
            extra = 'stroke-width="4" pointer-events="none"'
            parts.append(box(x - 2, y - 2, inner + 4, inner + 4, "none", inner * 0.18, extra, GOLD))
        if (player, cell) == moving:
            extra = 'stroke-width="4" stroke-dasharray="5 3" pointer-events="none"'
            parts.append(box(x - 1, y - 1, inner + 2, inner + 2, "none", inner * 0.18, extra, NIGHT))
    return "".join(parts)


def _hand(scene: Scene, player: int, x: float, y: float, room: float, across: int) -> str:
    """A player's hand, in the order received, and the patterns resolved so far."""
    hand, done = names.hand_of(scene.s, player), names.resolved_by(scene.config, scene.s, player)
    parts = [text(x, y + 14, f"{scene.say(names.HAND_WORD)}: {len(hand)}", 13, weight=700)]
    for place, number in enumerate(hand):
        at = x + place % across * (_SMALL + 6), y + 22 + place // across * (_SMALL + 6)
        parts.append(card(scene, *at, _SMALL, number))
    y += 38 + max(1, math.ceil(len(hand) / across)) * (_SMALL + 6)
    parts.append(text(x, y, f"{scene.say(_PATTERNS)}: {sum(done.values())}", 13, weight=700))
    for place, (letter, count) in enumerate(done.items()):
        row, column = divmod(place, _patterns_across(room))
        parts.append(text(x + column * _ENTRY, y + 18 + row * 18, f"{letter}×{count}", 13, fill=FAINT))
    return "".join(parts)


def _patterns_across(room: float) -> int:
    return max(1, int(room / _ENTRY))


def _pattern_rows(scene: Scene, room: float) -> int:
    """Lines that the resolved patterns take where most of them lie."""
    most = max(len(names.resolved_by(scene.config, scene.s, player)) for player in range(scene.players))
    return math.ceil(most / _patterns_across(room))


def _legend(scene: Scene, y: float) -> tuple[str, float]:
    """What the frames on the boards mean; and the height of that."""
    x, parts = _MARGIN + 4.0, []
    signs = ((_ZONE, ZONE, ZONE_EDGE, 'stroke-dasharray="4 3"'), (_RESOLVED, "none", GOLD, 'stroke-width="3"'))
    for word, fill, stroke, extra in (*signs, (_CHOICE, WASH, ACCENT, 'stroke-width="2"')):
        parts.append(
            box(x, y + 2, 16, 16, fill, 4, extra, stroke) + text(x + 24, y + 15, scene.say(word), 12.5, fill=FAINT)
        )
        x += 24 + len(scene.say(word)) * 7.4 + 30
    return "".join(parts), 22 + _GAP
