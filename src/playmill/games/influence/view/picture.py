"""Draws the field of Influence as one SVG; what can be clicked are things (see `playmill.drawing.things`)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from playmill.author import Lang, Text
from playmill.drawing.layout import GAP, MARGIN, Part, Spot, framed, one_column, panel, placed
from playmill.drawing.lettering import fit, width_of
from playmill.drawing.scene import OVER, YOU, button
from playmill.drawing.svg import (
    ACCENT,
    EMBER,
    FAINT,
    INK,
    LINE,
    WASH,
    box,
    paragraph,
    sentence,
    sheet,
    text,
)
from playmill.drawing.things import UNSEEN, whole
from playmill.games.influence import words
from playmill.games.influence.actions import AUTO, END_ATTACK
from playmill.games.influence.config import Config
from playmill.games.influence.constants import NOBODY
from playmill.games.influence.view.clickable import things_of
from playmill.games.influence.view.scene import InfluenceScene
from playmill.games.influence.view.shapes import (
    ACROSS,
    AT_NIGHT,
    BARE,
    BARE_EDGE,
    EDGES,
    SOCKET,
    STRONG_SIZE,
    WEAK_SIZE,
    badge,
    hexagon,
    ink_on,
    promise,
    shade,
    sign,
)
from playmill.games.influence.words import names, position_text

WIDTH = 1100
#: Width of a panel, and of what stands in it.
_PANEL, _PAD = 336, 16
_ROOM = _PANEL - 2 * _PAD
#: On a narrow page, where everything is one column: how deep the field may get, the largest distance between its cells.
_DEEPEST, _LARGEST = 3000, 200
#: There the field has at least this depth, so that there is something to look at when one looks closer.
_SHALLOWEST = 600
#: Beside a list of moves, where there is little room: the field's share of the width, unless it is a wide one.
_FIELD = 0.63
#: Right edges of the columns of the table of players.
_COLUMNS = (160, 228, _ROOM)

_MAP = Text("map {}", "карта {}")
_ROUND = Text("Round {} of {}", "Раунд {} из {}")
_LEFT = Text("Points left: {}", "Осталось очков: {}")
_CLICK_ATTACK = Text("Click a cell of yours, then its target.", "Нажмите на свою клетку, затем на цель.")
_CLICK_CELL = Text("Click a cell, or turn the wheel over it.", "Нажимайте на клетку или крутите над ней колесо.")
_NO_ATTACK = Text("No cell can attack.", "Атаковать не с чего.")
_END = Text("End the attack", "Закончить атаку")
_AUTO = Text("Place the rest automatically", "Распределить автоматически")
_PLAYERS = Text("Players", "Игроки")
_OUT = Text("out", "вне игры")
_HEADS = (Text("cells", "клетки"), Text("influence", "влияние"), Text("result", "результат"))
_RESULT = Text(
    "Influence at the start of the turn, added up over the last {} turns",
    "Влияние в начале хода, сумма за последние ходы (до {})",
)
_WEAK = Text("weak, up to {}", "слабая, до {}")
_STRONG = Text("strong, up to {}", "сильная, до {}")
_DARKER = Text("the darker, the more influence", "чем темнее, тем больше")
_CHANCE = Text("chance of an attack on one weaker by", "шанс атаки: на сколько соперник слабее")
_STRONGER = ("≤ −2", "−1", "0", "+1", "≥ +2")

_STYLE = sheet(
    "playmill-influence",
    AT_NIGHT,
    middle=860,
    extra=".playmill-influence .field{stroke-linecap:round;stroke-linejoin:round}"
    f".playmill-influence {UNSEEN}"
    ".playmill-influence svg{overflow:visible}"
    "@media (max-width:720px){.playmill-influence svg{--lens:var(--deep)}}"
    ".playmill-influence .hit{fill:#fff;fill-opacity:0}"
    ".playmill-influence .act:hover .hit,.playmill-influence .act:focus .hit{fill-opacity:.4}"
    ".playmill-influence .promise{pointer-events:none}"
    ".playmill-influence .aim .ring{stroke-opacity:0}"
    ".playmill-influence [data-mark] .ring{stroke-opacity:1;stroke-width:var(--thick);stroke-dasharray:none}"
    ".playmill-influence [data-next] .ring{stroke-opacity:1}",
)


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The field as one player sees it, or a spectator (None): everything lies open.

    `legal` are the actions of the player to move; they are offered to that player only. On a narrow page everything
    stands in one column.
    """
    scene = InfluenceScene.seen(config, s, player, legal, lang)
    field, panels = _field(scene), [_status(scene), _players(scene), _legend(scene)]
    places, height = _wide(scene.geometry.across, field, panels)
    most = min(_DEEPEST / field.height, _LARGEST / scene.geometry.pitch)
    narrow, deep = one_column(field, panels, WIDTH, most=most, least=_SHALLOWEST)
    between, middle = _middle(scene.geometry.across, field, panels)
    parts = []
    for part, (x, y), thin, less in zip((field, *panels), places, narrow, between, strict=True):
        depth = f";--deep:{max(part.height, _SHALLOWEST / thin[2]):.1f}px" if part is field else ""
        parts.append(placed(part, x, y, thin, less, depth))
    return framed(
        "playmill-influence",
        scene.say(words.TITLE),
        _STYLE,
        lang,
        width=WIDTH,
        height=height,
        deep=deep,
        body="".join(parts),
        middle=middle,
    )


def _wide(across: bool, field: Part, panels: Sequence[Part]) -> tuple[list[tuple[float, float]], float]:
    """Where the field and the panels stand on a wide page, and the height of that."""
    if across:
        top = MARGIN + field.height + GAP
        places = [((WIDTH - field.width) / 2, float(MARGIN))]
        places += [(MARGIN + n * (_PANEL + (ACROSS - 3 * _PANEL) / 2), top) for n in range(len(panels))]
        return places, top + max(panel.height for panel in panels) + MARGIN
    left, y = WIDTH - MARGIN - _PANEL, float(MARGIN)
    beside = []
    for part in panels:
        beside.append((left, y))
        y += part.height + GAP
    height = max(y - GAP, MARGIN + field.height) + MARGIN
    at = ((left - field.width) / 2, (height - field.height) / 2 if field.height < y - MARGIN else MARGIN)
    return [at, *((float(x), y) for x, y in beside)], height


def _middle(across: bool, field: Part, panels: Sequence[Part]) -> tuple[list[Spot], float]:
    """Where all stands beside a list of moves, with its scale, and the height: the words larger than the field.

    What is asked stands beside the field, or under a wide one; the other panels share what is left.
    """
    room = WIDTH - 2 * MARGIN - GAP
    half, share = room / 2, room if across else _FIELD * room
    status, players, legend = panels
    grown = share / field.width
    places = [(float(MARGIN), float(MARGIN), grown)]
    top = MARGIN + field.height * grown + GAP
    if across:
        first, second = [(status, 0), (players, 1)], [(legend, 0)]
    else:
        scale = (room - share) / _PANEL
        places.append((MARGIN + share + GAP, float(MARGIN), scale))
        top = max(top, MARGIN + status.height * scale + GAP)
        first, second = [(players, 0), (legend, 1)], []
    scale = half / _PANEL
    for row in filter(None, (first, second)):
        places += [(MARGIN + column * (half + GAP), top, scale) for _, column in row]
        top += max(part.height for part, _ in row) * scale + GAP
    return places, top - GAP + MARGIN


def _field(scene: InfluenceScene) -> Part:
    """The cells with their owners and influence, and what can be done there."""
    drawn, owners, influence = scene.geometry, scene.owners, scene.influence
    bare: list[str] = []
    same: dict[tuple[int, int], list[int]] = {}
    for cell, outline in enumerate(drawn.outlines):
        if owners[cell]:
            same.setdefault((owners[cell] - 1, influence[cell]), []).append(cell)
        else:
            bare.append(outline)
    edge = max(1.5, drawn.pitch * 0.06)
    close = drawn.pitch < 26
    large, low, under = (0.54, 0.12, 0.31) if close else (0.46, 0.1, 0.26)
    parts = [drawn.ground, f'<path d="{"".join(bare)}" fill="{BARE}" stroke="{BARE_EDGE}"/>']
    parts.append(f'<g stroke-width="{edge:.2g}">')
    numbers: dict[str, list[str]] = {}
    signs: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for (player, held), cells in sorted(same.items()):
        fill = shade(player, held, scene.most)
        path = "".join([drawn.outlines[cell] for cell in cells])
        parts.append(f'<path d="{path}" fill="{fill}" stroke="{EDGES[player]}"/>')
        ink, size = ink_on(fill), drawn.pitch * (large if held < 100 else 0.34)
        lines, spots = numbers.setdefault(f"{ink}:{size:.3g}", []), signs.setdefault((player, ink), [])
        for cell in cells:
            x, y = drawn.middles[cell]
            name = names.number_of(cell)
            lines.append(f'<text data-spot="{name}" x="{x:g}" y="{y + drawn.pitch * low:.1f}">{held}</text>')
            spots.append((x, y + drawn.pitch * under))
    parts.append("</g>")
    parts += [sign(player, spots, drawn.pitch, ink) for (player, ink), spots in signs.items()]
    for key, lines in numbers.items():
        ink, _, wide = key.partition(":")
        parts.append(f'<g fill="{ink}" font-size="{wide}" font-weight="700" text-anchor="middle">{"".join(lines)}</g>')
    parts += things_of(scene)
    # The page looks closer by showing less of it.
    shape = f'width="{drawn.width:g}" height="{drawn.height:g}"'
    around = f"0 0 {drawn.width:g} {drawn.height:g}"
    lens = f'<svg {shape} viewBox="{around}" data-zoom="{around}"><g class="field">{"".join(parts)}</g></svg>'
    return Part(lens, drawn.width, drawn.height)


def _status(scene: InfluenceScene) -> Part:
    """The title, the map, the round, who does what, and the buttons; or how the game ended."""
    s, config = scene.s, scene.config
    title = scene.say(words.TITLE)
    parts = [text(_PAD, 34, title, 22, weight=700)]
    room = _ROOM - width_of(title, 22, bold=True) - 12
    name = fit(scene.say(_MAP, config.map.name), 13, room)
    parts.append(text(_PANEL - _PAD, 32, name, 13, "end", FAINT))
    parts.append(text(_PAD, 60, scene.say(_ROUND, s["rounds"], config.round_limit), 15, fill=FAINT))
    if scene.over:
        return _ended(scene, parts)
    player = int(s["player"])
    parts.append(badge(_PAD + 14, 87, player))
    parts.append(text(_PAD + 36, 93, sentence(scene.say(position_text.activity(s))), 16, weight=700))
    # The field must not move from picture to picture: there is room for a button where there is none, too.
    y, defends = 116.0, names.decision_kind(s) == names.DEFENCE
    if scene.legal:
        hint = _CLICK_CELL if defends else _CLICK_ATTACK if len(scene.legal) > 1 else _NO_ATTACK
        parts.append(paragraph(_PAD, y + (26 if defends else 6), scene.say(hint), 13.5, _ROOM, FAINT)[0])
    if defends:
        parts.append(text(_PAD, y + 6, scene.say(_LEFT, s["points"]), 16, fill=INK, weight=600))
    y += 66
    for action, label in ((END_ATTACK, _END), (AUTO, _AUTO)):
        if action in scene.legal:
            face, title = button(_PAD, y, _ROOM, scene.say(label), height=40), scene.say(words.describe(config, action))
            parts.append(whole(action, title, face, thing="end" if action == END_ATTACK else "auto"))
    return panel("".join(parts), _PANEL, y + 54)


def _ended(scene: InfluenceScene, parts: list[str]) -> Part:
    """The end of the status: who has won and why."""
    winner = int(scene.s["winner"])
    parts.append(text(_PANEL - _PAD, 60, scene.say(OVER), 15, "end", FAINT))
    if winner != NOBODY:
        parts.append(badge(_PAD + 16, 94, winner, 17))
    x = _PAD if winner == NOBODY else _PAD + 42
    parts.append(text(x, 101, sentence(scene.say(position_text.verdict(scene.s))), 20, fill=EMBER, weight=700))
    why, y = paragraph(_PAD, 130, sentence(scene.say(position_text.reason(scene.s))), 13.5, _ROOM)
    return panel("".join(parts) + why, _PANEL, y)


def _players(scene: InfluenceScene) -> Part:
    """A row for each player: cells, influence and result, with a bar that shows the influence."""
    s = scene.s
    players = range(names.players_of(s))
    parts = [text(_PAD, 27, scene.say(_PLAYERS), 14, weight=700)]
    result = escape(scene.say(_RESULT, scene.config.result_rounds))
    for head, right in zip(_HEADS, _COLUMNS, strict=True):
        parts.append(f"<g><title>{result}</title>" if head is _HEADS[2] else "<g>")
        parts.append(text(_PAD + right, 27, scene.say(head), 12, "end", FAINT) + "</g>")
    largest = max(1, *(int(total) for total in s["total"]))
    y = 38.0
    for player in players:
        parts.append(_row(scene, player, y, largest))
        y += 46
    return panel("".join(parts), _PANEL, y + 4)


def _row(scene: InfluenceScene, player: int, y: float, largest: int) -> str:
    s = scene.s
    moves, lives = bool(player == s["player"]), bool(s["cells"][player] > 0)
    parts = []
    if moves or player == s["winner"]:
        parts.append(box(6, y + 1, _PANEL - 12, 43, WASH, 8, stroke=ACCENT))
    parts.append(f'<g opacity="{1 if lives else 0.45}">{badge(_PAD + 13, y + 21, player, 13)}</g>')
    name = sentence(scene.say(names.player_name(player)))
    parts.append(text(_PAD + 33, y + 21, name, 14.5, fill=INK if lives else FAINT, weight=700))
    note = _OUT if not lives else YOU if player == scene.viewer else Text("", "")
    parts.append(text(_PAD + 33, y + 37, scene.say(note), 12, fill=FAINT))
    if lives:
        for field, right in zip(("cells", "total", "result"), _COLUMNS, strict=True):
            parts.append(text(_PAD + right, y + 22, str(s[field][player]), 15, "end", weight=600))
        width = (_ROOM - 105) * int(s["total"][player]) / largest
        parts.append(box(_PAD + 105, y + 30, _ROOM - 105, 7, LINE, 3.5, stroke="none"))
        parts.append(box(_PAD + 105, y + 30, round(max(7.0, width), 1), 7, EDGES[player], 3.5, stroke="none"))
    return "".join(parts)


def _legend(scene: InfluenceScene) -> Part:
    """The two kinds of cells, what their shade means, and the chances of attacks."""
    config, parts = scene.config, []
    for x, size, word, most in (
        (26, WEAK_SIZE, _WEAK, config.weak_capacity),
        (26 + _ROOM / 2, STRONG_SIZE, _STRONG, config.strong_capacity),
    ):
        parts.append(f'<path d="{hexagon(x, 26, 16)}" fill="{SOCKET}"/>')
        parts.append(f'<path d="{hexagon(x, 26, 16 * size)}" fill="{BARE}" stroke="{BARE_EDGE}"/>')
        parts.append(text(x + 20, 31, scene.say(word, most), 13, fill=FAINT))
    player = max(0, int(scene.s["player"]), int(scene.s["winner"]))
    for n in range(4):
        held = 1 + round(n * (scene.most - 1) / 3)
        fill = shade(player, held, scene.most)
        place = hexagon(26 + n * 24, 64, 12)
        parts.append(f'<path d="{place}" fill="{fill}" stroke="{EDGES[player]}" stroke-width="1.5"/>')
    parts.append(text(122, 69, scene.say(_DARKER), 13, fill=FAINT))
    parts.append(text(_PAD, 105, scene.say(_CHANCE), 13, fill=FAINT))
    for n, (stronger, chance) in enumerate(zip(_STRONGER, names.chances(config), strict=True)):
        x = _PAD + 28 + n * 61
        parts.append(text(x, 126, stronger, 13, "middle", INK) + promise(x, 144, 13, chance))
    return panel("".join(parts), _PANEL, 164)
