"""The table of Battle of Dimensions as one SVG picture; what can be clicked carries its action in `data-a`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

import numpy as np

from playmill.games.dimensions import words
from playmill.games.dimensions.actions import (
    AURA,
    BANG,
    BIG_BANG,
    BLACK_HOLE,
    BLUE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    HOLD,
    LOOP,
    PLAY,
    PURPLE,
    RED,
    SKIP,
    STAY,
    TIME_LOOP,
    YELLOW,
    Action,
    put_together,
    take_apart,
)
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.rules import ATTACK, CAPTAIN_AVAILABLE, NOBODY, REINFORCE
from playmill.texts import Lang, Text

WIDTH = 1280
_MARGIN = 20
_GAP = 12
_ROW = 32

_INK, _FAINT, _LINE, _PANEL, _GROUND = "#2b2a33", "#6d6a75", "#ddd6c8", "#fffdf8", "#f1ede4"
_ACCENT, _NIGHT = "#c8741a", "#2d2748"
_COLOURS = ("#c73e4f", "#2a8456", "#f0b429", "#2767c7", "#7a46b5")
_TINTS = ("#fbe9e9", "#e6f3ea", "#fdf3d6", "#e6eefb", "#f0e8f8")
_ON = ("#ffffff", "#ffffff", "#3a2b00", "#ffffff", "#ffffff")

_TURN = Text("turn {}", "ход {}")
_ON_TURN = Text("on turn", "ходит")
_DECIDES = Text("decides", "решает")
_YOU = Text("you", "вы")
_YOUR_HAND = Text("Your hand", "Ваша рука")
_YOUR_OPTIONS = Text("What you can do", "Что можно сделать")
_BEATS = Text("→ beats", "→ побеждает")
_STANDING = Text("Cards on the table", "Карты на столе")
_AT_ONCE = Text("to win at once", "до победы")
_CAPTAIN = Text("Captain", "Капитан")
_AURAS = Text("Auras", "Ауры")
_AURA_LETTER = Text("A", "А")
_AVAILABLE = Text("Captain ready", "Капитан готов")

_STYLE = (
    ".playmill-dimensions text{user-select:none}"
    ".playmill-dimensions .act{cursor:pointer}"
    f".playmill-dimensions .act:hover .face,.playmill-dimensions .act:focus .face{{stroke:{_ACCENT};stroke-width:3}}"
    ".playmill-dimensions .act:focus{outline:none}"
)


@dataclass(frozen=True)
class _Scene:
    """What is drawn, for whom, and what that player can do."""

    config: Config
    s: np.void
    viewer: int | None
    legal: frozenset[int]
    lang: Lang

    @property
    def players(self) -> int:
        return words.players_of(self.s)

    def say(self, text: Text) -> str:
        return text.of(self.lang)


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The table as one player sees it, or a spectator (None), who sees no hand.

    `legal` are the actions of the player to move; they are offered to that player only, since they tell her hand.
    """
    mine = player is not None and player == s["player"]
    scene = _Scene(config, s, player, frozenset(map(int, legal)) if mine else frozenset(), lang)
    parts = [_header(scene), _spiral(scene), _middle(scene), _standing(scene)]
    y, rows = 318.0, max(_rows_in(scene, dimension) for dimension in range(scene.players))
    height = 66 + max(rows, 2) * _ROW + 44
    parts += [_dimension(scene, dimension, y, height) for dimension in range(scene.players)]
    y += height + _GAP
    if player is not None:
        height = 184 if mine and s["phase"] == REINFORCE else 158
        parts.append(_hand(scene, player, y, height))
        y += height + _GAP
    if scene.legal:
        drawn, used = _options(scene, y)
        parts.append(drawn)
        y += used + _GAP
    total = y + _MARGIN - _GAP
    ground = _box(0, 0, WIDTH, total, _GROUND, stroke="none", radius=18)
    arrow = '<marker id="pm-arrow" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto"'
    arrow += f'><path d="M0 1 9 5 0 9z" fill="{_FAINT}"/></marker>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playmill-dimensions" viewBox="0 0 {WIDTH} {total:g}" '
        f"lang=\"{lang}\" font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\">"
        f"<title>{escape(scene.say(words.TITLE))}</title><style>{_STYLE}</style><defs>{arrow}</defs>"
        f"{ground}{''.join(parts)}</svg>"
    )


def _header(scene: _Scene) -> str:
    """The title, the phases with the present one marked, and who decides or has won."""
    s = scene.s
    parts = [_text(_MARGIN + 4, 44, scene.say(words.TITLE), 24, weight=700)]
    parts.append(_text(_MARGIN + 4, 70, _TURN.of(scene.lang).format(s["turns"]), 14, fill=_FAINT))
    x, right = _MARGIN + 90.0, WIDTH - _MARGIN
    if s["player"] == NOBODY:
        parts.append(_disc(x + 12, 65, 12, int(s["winner"]), scene.lang))
        result = _sentence(scene.say(words.ending(scene.config, s)))
        return "".join(parts) + _text(x + 32, 70, result, 15, weight=700)
    for kind, name in words.DECISION_NAMES.items():
        now = kind == words.decision_kind(s)
        label = _label(x, 53, scene.say(name), _NIGHT if now else _PANEL, "#ffffff" if now else _FAINT)
        parts.append(label[0])
        x += label[1] + 6
    badges = [words.FINAL_TURN] * bool(s["final"]) + [words.ANOMALY_TITLES[TIME_LOOP]] * bool(s["loop"])
    for badge in badges:
        label = _label(x + 8, 53, _sentence(scene.say(badge)), _ACCENT, "#ffffff")
        parts.append(label[0])
        x += label[1] + 8
    who = words.player_name(s, s["player"])
    line = f"{_sentence(scene.say(who))} {scene.say(_DECIDES)}"
    parts.append(_text(right, 46, line, 17, "end", weight=700))
    if s["player"] == scene.viewer:
        parts.append(_text(right, 68, scene.say(_YOU), 14, "end", _ACCENT, 700))
    return "".join(parts)


def _spiral(scene: _Scene) -> str:
    """The five factions in a ring; an arrow leads from each to the one it beats."""
    x, y, ring, disc = _MARGIN, 92.0, 62.0, 20.0
    centre_x, centre_y = x + 125, y + 116
    parts = [_box(x, y, 250, 214), _text(x + 16, y + 26, scene.say(words.SPIRAL_WORD), 14, weight=700)]
    places = []
    for place in range(FACTIONS):
        angle = math.tau * place / FACTIONS - math.pi / 2
        places.append((centre_x + ring * math.cos(angle), centre_y + ring * math.sin(angle) + 6))
    for (x1, y1), (x2, y2) in zip(places, places[1:] + places[:1], strict=True):
        length = math.dist((x1, y1), (x2, y2))
        dx, dy = (x2 - x1) / length * (disc + 4), (y2 - y1) / length * (disc + 4)
        parts.append(
            f'<line x1="{x1 + dx:.1f}" y1="{y1 + dy:.1f}" x2="{x2 - dx:.1f}" y2="{y2 - dy:.1f}" '
            f'stroke="{_FAINT}" stroke-width="2.5" marker-end="url(#pm-arrow)"/>'
        )
    for faction, (place_x, place_y) in zip(scene.s["spiral"], places, strict=True):
        parts.append(_disc(place_x, place_y, disc, int(faction), scene.lang))
    parts.append(_text(x + 234, y + 26, scene.say(_BEATS), 12, "end", _FAINT))
    return "".join(parts)


def _middle(scene: _Scene) -> str:
    """The battle cards, face down but for the viewer's own; the deck; the Black Hole pile."""
    s, x, y = scene.s, _MARGIN + 250.0 + _GAP, 92.0
    parts = [_box(x, y, 640, 214), _text(x + 16, y + 26, scene.say(words.DECISION_NAMES["battle"]), 14, weight=700)]
    for player in range(scene.players):
        card_x, card_y = x + 16 + player * 72, y + 42
        if not s["committed"][player]:
            parts.append(_box(card_x, card_y, 58, 80, "none", 8, 'stroke-dasharray="4 4"'))
        elif player == scene.viewer:
            parts.append(_card(scene, card_x, card_y, 58, 80, int(s["committed"][player]) - 1))
        else:
            parts.append(_back(card_x, card_y, 58, 80))
        parts.append(_text(card_x + 29, y + 140, f"{scene.say(words.PLAYER_WORD)} {player + 1}", 11, "middle", _FAINT))
    parts.append(_text(x + 400, y + 26, scene.say(words.DECK_WORD), 14, weight=700))
    parts.append(_box(x + 400, y + 46, 58, 80, "none", 8, 'stroke-dasharray="4 4"'))
    for layer in range(min(3, int(s["deck_size"]))):
        parts.append(_back(x + 400 + layer * 3, y + 46 - layer * 3, 58, 80))
    parts.append(_text(x + 432, y + 140, str(s["deck_size"]), 15, "middle", weight=700))
    pile = int(s["hole"].sum()) + int(s["hole_anomalies"]).bit_count()
    parts.append(_text(x + 500, y + 26, scene.say(words.ANOMALY_TITLES[BLACK_HOLE]), 14, weight=700))
    for radius, shade in ((42, "#d9d2e6"), (34, "#8d80b3"), (26, _NIGHT)):
        parts.append(f'<circle cx="{x + 560}" cy="{y + 83}" r="{radius}" fill="{shade}"/>')
    parts.append(_text(x + 560, y + 89, str(pile), 17, "middle", "#ffffff", 700))
    chip_x = x + 28
    for colour in range(FACTIONS):
        kinds = [kind for kind in words.cards_of(s["hole"]) if words.colour_of(kind) == colour]
        if kinds:
            parts.append(_disc(chip_x, y + 178, 11, colour, scene.lang))
            values = [words.kind_key(scene.config, kind)[1:] for kind in kinds]
            note = f"×{len(kinds)}" + (f" ({', '.join(values)})" if values[0] else "")
            parts.append(_text(chip_x + 16, y + 183, note, 12))
            chip_x += 42 + len(note) * 7.2
    titles = [scene.say(words.ANOMALY_TITLES[anomaly]) for anomaly in words.anomalies_of(s["hole_anomalies"])]
    parts.append(_text(x + 16, y + 206, ", ".join(titles), 11, fill=_FAINT))
    parts.append(f'<line x1="{x + 16}" y1="{y + 156}" x2="{x + 624}" y2="{y + 156}" stroke="{_LINE}"/>')
    return "".join(parts)


def _standing(scene: _Scene) -> str:
    """How many cards count for each player's faction, and how near its instant win is."""
    s, x, y = scene.s, _MARGIN + 250.0 + 640 + 2 * _GAP, 92.0
    width = WIDTH - _MARGIN - x
    parts = [_box(x, y, width, 214), _text(x + 16, y + 26, scene.say(_STANDING), 14, weight=700)]
    if scene.config.mode == "epic":
        parts.append(_text(x + width - 14, y + 26, scene.say(_AT_ONCE), 12, "end", _FAINT))
    for player in range(scene.players):
        faction, line = int(s["faction"][player]), y + 54 + player * 33
        count = words.count_of(s, faction)
        parts.append(_disc(x + 29, line, 13, faction, scene.lang))
        bar = max(3, min(count, 16) * 9)
        parts.append(_box(x + 52, line - 8, bar, 16, _COLOURS[faction], 5, stroke="none"))
        parts.append(_text(x + 60 + bar, line + 5, str(count), 14, weight=700))
        parts.append(_text(x + width - 14, line + 5, _goal(scene, faction), 12, "end", _FAINT))
    return "".join(parts)


def _goal(scene: _Scene, faction: int) -> str:
    """How far a faction has come to its instant win: green and blue in one Dimension, yellow in all."""
    config, squads = scene.config, scene.s["squad"][: scene.players]
    if config.mode != "epic" or faction not in (GREEN, YELLOW, BLUE):
        return ""
    if faction == GREEN:
        return f"{squads[:, GREEN].max()} / {config.green_goal}"
    if faction == YELLOW:
        places = int((squads[:, YELLOW] > 0).sum())
        return f"{squads[:, YELLOW].sum()} / {config.yellow_goal} · {places} / {scene.players}"
    sums = [int(total) for total in scene.s["blue_sum"][: scene.players]]
    return f"Σ {min(sums, key=lambda total: abs(config.blue_goal - total))} / {config.blue_goal}"


def _rows_in(scene: _Scene, dimension: int) -> int:
    s = scene.s
    return int((s["table"][dimension] > 0).sum()) + (s["captain_at"] == dimension) + (s["aura"][dimension] > 0)


def _dimension(scene: _Scene, dimension: int, y: float, height: float) -> str:
    """One Dimension: its owner, its squads with what can be done to them, and the owner's hand from behind."""
    s, lang, faction = scene.s, scene.lang, int(scene.s["faction"][dimension])
    width = (WIDTH - 2 * _MARGIN - _GAP * (scene.players - 1)) / scene.players
    x = _MARGIN + dimension * (width + _GAP)
    active = s["active"] == dimension and s["player"] != NOBODY
    edge = (_ACCENT, 3) if active else (_LINE, 1)
    parts = [_box(x, y, width, height, extra=f'stroke-width="{edge[1]}"', stroke=edge[0])]
    parts.append(_box(x + 6, y + 6, width - 12, 46, _TINTS[faction], 9, stroke="none"))
    parts.append(_disc(x + 28, y + 29, 14, faction, lang))
    parts.append(_text(x + 50, y + 26, f"{scene.say(words.DIMENSION_WORD)} {dimension + 1}", 15, weight=700))
    owner = scene.say(words.player_name(s, dimension)) + (f" – {scene.say(_YOU)}" if dimension == scene.viewer else "")
    parts.append(_text(x + 50, y + 44, owner, 12, fill=_FAINT))
    if active:
        parts.append(_text(x + width - 16, y + 26, scene.say(_ON_TURN), 12, "end", _ACCENT, 700))
    row = y + 82
    for kind in np.flatnonzero(s["table"][dimension]):
        parts.append(_squad(scene, dimension, int(kind), x, row, width))
        row += _ROW
    if s["captain_at"] == dimension:
        parts += [_star(x + 28, row, 13), _text(x + 48, row + 5, scene.say(_CAPTAIN), 13, weight=600)]
        parts.append(_targets(scene, Action("move_captain"), x + width - 12, row))
        row += _ROW
    if s["aura"][dimension]:
        parts.append(_box(x + 16, row - 12, 24, 24, _NIGHT, 12, 'stroke-width="3"', _COLOURS[PURPLE]))
        parts.append(_text(x + 28, row + 5, scene.say(_AURA_LETTER), 13, "middle", "#ffffff", 700))
        parts.append(_text(x + 48, row + 5, f"×{s['aura'][dimension]} {scene.say(_AURAS)}", 13, weight=600))
        parts.append(_attackers(scene, dimension, AURA, x + width - 12, row))
        row += _ROW
    if row == y + 82:
        parts.append(_text(x + width / 2, y + 96, scene.say(words.EMPTY_WORD), 14, "middle", "#a39f97"))
    held, bottom = int(s["hand_size"][dimension]), y + height - 38
    if dimension != scene.viewer:
        parts.append(_text(x + 16, bottom + 19, f"{scene.say(words.HAND_WORD)} {held}", 12, fill=_FAINT))
        parts += [_back(x + 76 + i * 16, bottom, 20, 28) for i in range(held)]
    if faction == RED and s["captain_at"] == CAPTAIN_AVAILABLE:
        parts.append(f"<g>{_star(x + width - 24, y + 40, 8)}<title>{escape(scene.say(_AVAILABLE))}</title></g>")
    return "".join(parts)


def _squad(scene: _Scene, dimension: int, kind: int, x: float, y: float, width: float) -> str:
    """One row of a Dimension: the cards of one kind, where they can go, and who can attack them."""
    s, config, colour = scene.s, scene.config, words.colour_of(kind)
    first_blue = kind >= FIRST_VALUE_KIND and not s["table"][dimension, FIRST_VALUE_KIND:kind].any()
    count = f"×{s['table'][dimension, kind]}" if kind < FIRST_VALUE_KIND or s["table"][dimension, kind] > 1 else ""
    note = f"Σ {s['blue_sum'][dimension]}" if first_blue else ""
    chip = _disc(x + 28, y, 13, colour, scene.lang)
    if kind >= FIRST_VALUE_KIND:
        chip = _box(x + 15, y - 13, 44, 26, _COLOURS[BLUE], 13, stroke="none")
        chip += _text(x + 37, y + 5, words.kind_key(config, kind, scene.lang), 13, "middle", "#ffffff", 700)
    left = x + (64 if kind >= FIRST_VALUE_KIND else 48)
    parts = [chip, _text(left, y + 5, " ".join(filter(None, (count, note))), 13, weight=600)]
    parts.append(_targets(scene, Action("move", kind=kind, source=dimension), x + width - 12, y))
    if kind < FIRST_VALUE_KIND or first_blue:
        parts.append(_attackers(scene, dimension, colour, x + width - 12, y))
    return "".join(parts)


def _targets(scene: _Scene, action: Action, right: float, y: float) -> str:
    """One small button for each Dimension an action can aim at, words.ending at `right`."""
    ids = [put_together(action._replace(target=target)) for target in range(scene.players)]
    able = [(target, action_id) for target, action_id in enumerate(ids) if action_id in scene.legal]
    parts = []
    for place, (target, action_id) in enumerate(reversed(able)):
        x = right - 24 - place * 26
        face = _box(x, y - 11, 24, 22, "#ffffff", 7, 'class="face"', _FAINT)
        parts.append(_act(scene, action_id, face + _text(x + 12, y + 4, f"→{target + 1}", 11.5, "middle", weight=700)))
    return "".join(parts)


def _attackers(scene: _Scene, dimension: int, target: int, right: float, y: float) -> str:
    """One small button for each squad that can attack this one, words.ending at `right`."""
    if scene.s["phase"] != ATTACK or scene.s["player"] != dimension:
        return ""
    ids = [put_together(Action("attack", faction=colour, target=target)) for colour in range(FACTIONS)]
    able = [(colour, action_id) for colour, action_id in enumerate(ids) if action_id in scene.legal]
    parts = []
    for place, (colour, action_id) in enumerate(reversed(able)):
        x = right - 36 - place * 39
        face = _box(x, y - 12, 36, 24, "#ffffff", 8, 'class="face"', _COLOURS[RED])
        swords = f'<path d="M{x + 6} {y - 4}l7 8m0 -8l-7 8" stroke="{_INK}" stroke-width="2" stroke-linecap="round"/>'
        parts.append(_act(scene, action_id, face + swords + _disc(x + 25, y, 8, colour, scene.lang)))
    return "".join(parts)


def _hand(scene: _Scene, player: int, y: float, height: float) -> str:
    """The viewer's own cards, face up, each with what it can do, and the button for doing nothing."""
    s, x = scene.s, _MARGIN + 20.0
    parts = [_box(_MARGIN, y, WIDTH - 2 * _MARGIN, height), _text(x, y + 26, scene.say(_YOUR_HAND), 14, weight=700)]
    step = max(92, scene.players * 26 + 14) if height > 160 else 92
    for kind in words.cards_of(s["hand"][player]):
        card = _card(scene, x, y + 40, 76, 104, kind)
        parts.append(_act(scene, PLAY + kind, card))
        parts.append(_targets(scene, Action("put", kind=kind), x + scene.players * 26 - 2, y + 164))
        x += step
    for anomaly in words.anomalies_of(s["hand_anomalies"][player]):
        action = {BIG_BANG: BANG, TIME_LOOP: LOOP}.get(anomaly, NOBODY)
        parts.append(_act(scene, action, _anomaly_card(scene, x, y + 40, anomaly)))
        x += max(step, 124)
    if s["faction"][player] == RED and s["captain_at"] == CAPTAIN_AVAILABLE:
        parts.append(_box(x, y + 40, 76, 104, _TINTS[RED], 10, stroke=_COLOURS[RED]) + _star(x + 38, y + 82, 24))
        parts.append(_lines(x + 38, y + 120, scene.say(words.CAPTAIN_WORD), 11, _INK))
        parts.append(_targets(scene, Action("put_captain"), x + scene.players * 26 - 2, y + 164))
    for action in scene.legal & {SKIP, STAY, HOLD}:
        line = _sentence(scene.say(words.describe(scene.config, action)))
        face = _box(WIDTH - _MARGIN - 216, y + 66, 196, 52, _NIGHT, 12, 'class="face"')
        label = _text(WIDTH - _MARGIN - 118, y + 97, line, 15, "middle", "#ffffff", 700)
        parts.append(_act(scene, action, face + label))
    return "".join(parts)


def _options(scene: _Scene, y: float) -> tuple[str, float]:
    """A list of all legal actions in words, by act, in as many columns as fit; and its height."""
    parts: list[str] = []
    row = y + 44
    for _, group in groupby(sorted(scene.legal), key=lambda action: take_apart(action).act):
        actions = list(group)
        texts = [_sentence(scene.say(words.describe(scene.config, action))) for action in actions]
        columns = max(1, min(5, int(1208 / (max(map(len, texts)) * 6.8 + 50))))
        width = (WIDTH - 2 * _MARGIN - 32 - 8 * (columns - 1)) / columns
        deep = math.ceil(len(actions) / columns)
        for i, (action, line) in enumerate(zip(actions, texts, strict=True)):
            x, top = _MARGIN + 16 + i // deep * (width + 8), row + i % deep * 29
            part = take_apart(action)
            colour = words.colour_of(part.kind) if part.kind >= 0 else part.faction
            face = _box(x, top, width, 26, "#ffffff", 7, 'class="face"')
            chip = _disc(x + 17, top + 13, 8, colour, scene.lang) if 0 <= colour < FACTIONS else ""
            parts.append(_act(scene, action, face + chip + _text(x + 33, top + 18, line, 12), listed=True))
        row += deep * 29 + 8
    height = row - y + 4
    title = _text(_MARGIN + 16, y + 28, scene.say(_YOUR_OPTIONS), 14, weight=700)
    return _box(_MARGIN, y, WIDTH - 2 * _MARGIN, height) + title + "".join(parts), height


def _act(scene: _Scene, action: int, body: str, listed: bool = False) -> str:
    """Something drawn, made clickable if it stands for a legal action; rows of the list can be reached by keys."""
    if action not in scene.legal:
        return body
    line = escape(_sentence(scene.say(words.describe(scene.config, action))))
    keys = ' role="button" tabindex="0"' if listed else ""
    return f'<g class="act" data-a="{action}"{keys}><title>{line}</title>{body}</g>'


def _sentence(line: str) -> str:
    return line[:1].upper() + line[1:]


def _text(
    x: float, y: float, line: str, size: float, anchor: str = "start", fill: str = _INK, weight: int = 400
) -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="{fill}" font-weight="{weight}">{escape(line)}</text>' if line else ""


def _lines(x: float, y: float, line: str, size: float, fill: str) -> str:
    """Words one under the other, centred."""
    return "".join(_text(x, y + i * (size + 2), w, size, "middle", fill, 600) for i, w in enumerate(line.split()))


def _box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str = _PANEL,
    radius: float = 12,
    extra: str = "",
    stroke: str = _LINE,
) -> str:
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}" {extra}/>'


def _label(x: float, y: float, line: str, fill: str, ink: str) -> tuple[str, float]:
    """A pill with words on it, and its width."""
    width = len(line) * 8.6 + 26
    return _box(x, y, width, 26, fill, 13) + _text(x + width / 2, y + 18, line, 13, "middle", ink, 600), width


def _disc(x: float, y: float, radius: float, faction: int, lang: Lang) -> str:
    letter = _text(
        x, y + radius * 0.38, words.FACTION_LETTERS[faction].of(lang), radius * 1.1, "middle", _ON[faction], 700
    )
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{_COLOURS[faction]}"/>{letter}'


def _star(x: float, y: float, radius: float) -> str:
    points = []
    for i in range(10):
        angle, reach = math.pi * i / 5 - math.pi / 2, radius if i % 2 == 0 else radius * 0.45
        points.append(f"{x + reach * math.cos(angle):.1f},{y + reach * math.sin(angle):.1f}")
    return f'<polygon points="{" ".join(points)}" fill="{_COLOURS[RED]}" stroke="#7d1f2c" stroke-linejoin="round"/>'


def _back(x: float, y: float, width: float, height: float) -> str:
    """A card from behind."""
    middle = f'cx="{x + width / 2:g}" cy="{y + height / 2:g}"'
    sizes = (width * 0.12, width * 0.24, width * 0.36)
    rings = "".join(f'<circle {middle} r="{size:g}" fill="none" stroke="#9d90c9"/>' for size in sizes)
    return _box(x, y, width, height, _NIGHT, width / 8, stroke="#ffffff") + rings


def _card(scene: _Scene, x: float, y: float, width: float, height: float, kind: int) -> str:
    """A faction card, face up: its letter or value large, its name below."""
    colour = words.colour_of(kind)
    big = words.kind_key(scene.config, kind, scene.lang)
    name = scene.say(words.kind_name(scene.config, kind)).split()[0]
    ink = _ON[colour]
    face = _box(x, y, width, height, _COLOURS[colour], 10, 'class="face"', "#ffffff")
    frame = _box(x + 4, y + 4, width - 8, height - 8, "none", 7, 'stroke-opacity="0.55"', ink)
    letter = _text(x + width / 2, y + height * 0.55, big, width * (0.5 if len(big) < 2 else 0.34), "middle", ink, 700)
    return (
        face
        + frame
        + letter
        + _text(x + width / 2, y + height - 12, name, width * min(0.15, 1.2 / len(name)), "middle", ink)
    )


def _anomaly_card(scene: _Scene, x: float, y: float, anomaly: int) -> str:
    face = _box(x, y, 110, 104, _NIGHT, 10, 'class="face"', "#9d90c9")
    star = f'<path d="M{x + 55} {y + 14}l6 18 18 6 -18 6 -6 18 -6 -18 -18 -6 18 -6z" fill="#f0b429"/>'
    return face + star + _lines(x + 55, y + 80, scene.say(words.ANOMALY_TITLES[anomaly]), 11, "#ffffff")
