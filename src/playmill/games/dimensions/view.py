"""The table of Battle of Dimensions as one SVG picture; what can be clicked carries its action in `data-a`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import groupby

import numpy as np

from playmill.games.dimensions import names, story, words
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
from playmill.games.dimensions.drawing import (
    AT_NIGHT,
    COLOURS,
    HALO,
    RIM,
    TINTS,
    Scene,
    anomaly_card,
    card_back,
    clickable,
    disc,
    faction_card,
    lines,
    star,
)
from playmill.games.dimensions.tables import ATTACK, CAPTAIN_AVAILABLE, NOBODY, REINFORCE
from playmill.games.lettering import width_of
from playmill.games.svg import (
    ACCENT,
    EMBER,
    FAINT,
    GROUND,
    INK,
    LINE,
    NIGHT,
    PANEL,
    RAISED,
    box,
    pill,
    sentence,
    sheet,
    text,
)
from playmill.texts import Lang, Text

WIDTH = 1280
_MARGIN = 20
_GAP = 12
_ROW = 32

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

_STYLE = sheet("playmill-dimensions", AT_NIGHT)


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The table as one player sees it, or a spectator (None), who sees no hand.

    `legal` are the actions of the player to move; they are offered to that player only, since they tell her hand.
    """
    mine = player is not None and player == s["player"]
    scene = Scene(config, s, player, frozenset(map(int, legal)) if mine else frozenset(), lang)
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
    ground = box(0, 0, WIDTH, total, GROUND, stroke="none", radius=18)
    arrow = '<marker id="pm-arrow" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto"'
    arrow += f'><path d="M0 1 9 5 0 9z" fill="{FAINT}"/></marker>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playmill-dimensions" viewBox="0 0 {WIDTH} {total:g}" '
        f"lang=\"{lang}\" font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\">"
        f"<title>{escape(scene.say(words.TITLE))}</title><style>{_STYLE}</style><defs>{arrow}</defs>"
        f"{ground}{''.join(parts)}</svg>"
    )


def _header(scene: Scene) -> str:
    """The title, the phases with the present one marked, and who decides or has won."""
    s = scene.s
    parts = [text(_MARGIN + 4, 44, scene.say(words.TITLE), 24, weight=700)]
    parts.append(text(_MARGIN + 4, 70, _TURN.of(scene.lang).format(s["turns"]), 14, fill=FAINT))
    x, right = _MARGIN + 90.0, WIDTH - _MARGIN
    if s["player"] == NOBODY:
        parts.append(disc(x + 12, 65, 12, int(s["winner"]), scene.lang))
        result = sentence(scene.say(story.ending(scene.config, s)))
        size = 15 * min(1.0, (right - x - 32) / width_of(result, 15, bold=True))
        return "".join(parts) + text(x + 32, 70, result, size, weight=700)
    for kind, name in names.DECISION_NAMES.items():
        now = kind == names.decision_kind(s)
        label = pill(x, 53, scene.say(name), NIGHT if now else PANEL, "#ffffff" if now else FAINT)
        parts.append(label[0])
        x += label[1] + 6
    badges = [names.FINAL_TURN] * bool(s["final"]) + [names.ANOMALY_TITLES[TIME_LOOP]] * bool(s["loop"])
    for badge in badges:
        label = pill(x + 8, 53, sentence(scene.say(badge)), EMBER, "#ffffff")
        parts.append(label[0])
        x += label[1] + 8
    who = names.player_name(s, s["player"])
    line = f"{sentence(scene.say(who))} {scene.say(_DECIDES)}"
    parts.append(text(right, 46, line, 17, "end", weight=700))
    if s["player"] == scene.viewer:
        parts.append(text(right, 68, scene.say(_YOU), 14, "end", EMBER, 700))
    return "".join(parts)


def _spiral(scene: Scene) -> str:
    """The five factions in a ring; an arrow leads from each to the one it beats."""
    x, y, ring, radius = _MARGIN, 92.0, 62.0, 20.0
    centre_x, centre_y = x + 125, y + 116
    parts = [box(x, y, 250, 214), text(x + 16, y + 26, scene.say(names.SPIRAL_WORD), 14, weight=700)]
    places = []
    for place in range(FACTIONS):
        angle = math.tau * place / FACTIONS - math.pi / 2
        places.append((centre_x + ring * math.cos(angle), centre_y + ring * math.sin(angle) + 6))
    for (x1, y1), (x2, y2) in zip(places, places[1:] + places[:1], strict=True):
        length = math.dist((x1, y1), (x2, y2))
        dx, dy = (x2 - x1) / length * (radius + 4), (y2 - y1) / length * (radius + 4)
        parts.append(
            f'<line x1="{x1 + dx:.1f}" y1="{y1 + dy:.1f}" x2="{x2 - dx:.1f}" y2="{y2 - dy:.1f}" '
            f'stroke="{FAINT}" stroke-width="2.5" marker-end="url(#pm-arrow)"/>'
        )
    for faction, (place_x, place_y) in zip(scene.s["spiral"], places, strict=True):
        parts.append(disc(place_x, place_y, radius, int(faction), scene.lang))
    parts.append(text(x + 234, y + 26, scene.say(_BEATS), 12, "end", FAINT))
    return "".join(parts)


def _middle(scene: Scene) -> str:
    """The battle cards: to a player her own, since nobody sees who has laid one; to a spectator all, face down.

    Then the deck and the Black Hole pile.
    """
    s, x, y = scene.s, _MARGIN + 250.0 + _GAP, 92.0
    parts = [box(x, y, 640, 214), text(x + 16, y + 26, scene.say(names.DECISION_NAMES["battle"]), 14, weight=700)]
    for player in range(scene.players):
        card_x, card_y = x + 16 + player * 72, y + 42
        if not s["committed"][player] or scene.viewer not in (None, player):
            parts.append(box(card_x, card_y, 58, 80, "none", 8, 'stroke-dasharray="4 4"'))
        elif player == scene.viewer:
            parts.append(faction_card(scene, card_x, card_y, 58, 80, int(s["committed"][player]) - 1))
        else:
            parts.append(card_back(card_x, card_y, 58, 80))
        parts.append(text(card_x + 29, y + 140, f"{scene.say(names.PLAYER_WORD)} {player + 1}", 11, "middle", FAINT))
    parts.append(text(x + 400, y + 26, scene.say(names.DECK_WORD), 14, weight=700))
    parts.append(box(x + 400, y + 46, 58, 80, "none", 8, 'stroke-dasharray="4 4"'))
    for layer in range(min(3, int(s["deck_size"]))):
        parts.append(card_back(x + 400 + layer * 3, y + 46 - layer * 3, 58, 80))
    parts.append(text(x + 432, y + 140, str(s["deck_size"]), 15, "middle", weight=700))
    pile = int(s["hole"].sum()) + int(s["hole_anomalies"]).bit_count()
    parts.append(text(x + 500, y + 26, scene.say(names.ANOMALY_TITLES[BLACK_HOLE]), 14, weight=700))
    for radius, shade in ((42, HALO), (34, RIM), (26, NIGHT)):
        parts.append(f'<circle cx="{x + 560}" cy="{y + 83}" r="{radius}" fill="{shade}"/>')
    parts.append(text(x + 560, y + 89, str(pile), 17, "middle", "#ffffff", 700))
    chip_x = x + 28
    for colour in range(FACTIONS):
        kinds = [kind for kind in names.cards_of(s["hole"]) if names.colour_of(kind) == colour]
        if kinds:
            parts.append(disc(chip_x, y + 178, 11, colour, scene.lang))
            values = [names.kind_key(scene.config, kind)[1:] for kind in kinds]
            note = f"×{len(kinds)}" + (f" ({', '.join(values)})" if values[0] else "")
            parts.append(text(chip_x + 16, y + 183, note, 12))
            chip_x += 42 + len(note) * 7.2
    titles = [scene.say(names.ANOMALY_TITLES[anomaly]) for anomaly in names.anomalies_of(s["hole_anomalies"])]
    parts.append(text(x + 16, y + 206, ", ".join(titles), 11, fill=FAINT))
    parts.append(f'<line x1="{x + 16}" y1="{y + 156}" x2="{x + 624}" y2="{y + 156}" stroke="{LINE}"/>')
    return "".join(parts)


def _standing(scene: Scene) -> str:
    """How many cards count for each player's faction, and how near its instant win is."""
    s, x, y = scene.s, _MARGIN + 250.0 + 640 + 2 * _GAP, 92.0
    width = WIDTH - _MARGIN - x
    parts = [box(x, y, width, 214), text(x + 16, y + 26, scene.say(_STANDING), 14, weight=700)]
    if scene.config.mode == "epic":
        parts.append(text(x + width - 14, y + 26, scene.say(_AT_ONCE), 12, "end", FAINT))
    for player in range(scene.players):
        faction, line = int(s["faction"][player]), y + 54 + player * 33
        count = names.count_of(s, faction)
        parts.append(disc(x + 29, line, 13, faction, scene.lang))
        bar = max(3, min(count, 16) * 9)
        parts.append(box(x + 52, line - 8, bar, 16, COLOURS[faction], 5, stroke="none"))
        parts.append(text(x + 60 + bar, line + 5, str(count), 14, weight=700))
        parts.append(text(x + width - 14, line + 5, _goal(scene, faction), 12, "end", FAINT))
    return "".join(parts)


def _goal(scene: Scene, faction: int) -> str:
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


def _rows_in(scene: Scene, dimension: int) -> int:
    s = scene.s
    return int((s["table"][dimension] > 0).sum()) + (s["captain_at"] == dimension) + (s["aura"][dimension] > 0)


def _dimension(scene: Scene, dimension: int, y: float, height: float) -> str:
    """One Dimension: its owner, its squads with what can be done to them, and the owner's hand from behind."""
    s, lang, faction = scene.s, scene.lang, int(scene.s["faction"][dimension])
    width = (WIDTH - 2 * _MARGIN - _GAP * (scene.players - 1)) / scene.players
    x = _MARGIN + dimension * (width + _GAP)
    active = s["active"] == dimension and s["player"] != NOBODY
    edge = (ACCENT, 3) if active else (LINE, 1)
    parts = [box(x, y, width, height, extra=f'stroke-width="{edge[1]}"', stroke=edge[0])]
    parts.append(box(x + 6, y + 6, width - 12, 46, TINTS[faction], 9, stroke="none"))
    parts.append(disc(x + 28, y + 29, 14, faction, lang))
    parts.append(text(x + 50, y + 26, f"{scene.say(names.DIMENSION_WORD)} {dimension + 1}", 15, weight=700))
    owner = scene.say(names.player_name(s, dimension)) + (f" – {scene.say(_YOU)}" if dimension == scene.viewer else "")
    parts.append(text(x + 50, y + 44, owner, 12, fill=FAINT))
    if active:
        parts.append(text(x + width - 16, y + 26, scene.say(_ON_TURN), 12, "end", EMBER, 700))
    row = y + 82
    for kind in np.flatnonzero(s["table"][dimension]):
        parts.append(_squad(scene, dimension, int(kind), x, row, width))
        row += _ROW
    if s["captain_at"] == dimension:
        parts += [star(x + 28, row, 13), text(x + 48, row + 5, scene.say(_CAPTAIN), 13, weight=600)]
        parts.append(_targets(scene, Action("move_captain"), x + width - 12, row))
        row += _ROW
    if s["aura"][dimension]:
        parts.append(box(x + 16, row - 12, 24, 24, NIGHT, 12, 'stroke-width="3"', COLOURS[PURPLE]))
        parts.append(text(x + 28, row + 5, scene.say(_AURA_LETTER), 13, "middle", "#ffffff", 700))
        parts.append(text(x + 48, row + 5, f"×{s['aura'][dimension]} {scene.say(_AURAS)}", 13, weight=600))
        parts.append(_attackers(scene, dimension, AURA, x + width - 12, row))
        row += _ROW
    if row == y + 82:
        parts.append(text(x + width / 2, y + 96, scene.say(names.EMPTY_WORD), 14, "middle", FAINT))
    held, bottom = int(s["hand_size"][dimension]), y + height - 38
    if dimension != scene.viewer:
        held += scene.viewer is not None and bool(s["committed"][dimension])
        parts.append(text(x + 16, bottom + 19, f"{scene.say(names.HAND_WORD)} {held}", 12, fill=FAINT))
        parts += [card_back(x + 76 + i * 16, bottom, 20, 28) for i in range(held)]
    if faction == RED and s["captain_at"] == CAPTAIN_AVAILABLE:
        parts.append(f"<g>{star(x + width - 24, y + 40, 8)}<title>{escape(scene.say(_AVAILABLE))}</title></g>")
    return "".join(parts)


def _squad(scene: Scene, dimension: int, kind: int, x: float, y: float, width: float) -> str:
    """One row of a Dimension: the cards of one kind, where they can go, and who can attack them."""
    s, config, colour = scene.s, scene.config, names.colour_of(kind)
    first_blue = kind >= FIRST_VALUE_KIND and not s["table"][dimension, FIRST_VALUE_KIND:kind].any()
    count = f"×{s['table'][dimension, kind]}" if kind < FIRST_VALUE_KIND or s["table"][dimension, kind] > 1 else ""
    note = f"Σ {s['blue_sum'][dimension]}" if first_blue else ""
    chip = disc(x + 28, y, 13, colour, scene.lang)
    if kind >= FIRST_VALUE_KIND:
        chip = box(x + 15, y - 13, 44, 26, COLOURS[BLUE], 13, stroke="none")
        chip += text(x + 37, y + 5, names.kind_key(config, kind, scene.lang), 13, "middle", "#ffffff", 700)
    left = x + (64 if kind >= FIRST_VALUE_KIND else 48)
    parts = [chip, text(left, y + 5, " ".join(filter(None, (count, note))), 13, weight=600)]
    parts.append(_targets(scene, Action("move", kind=kind, source=dimension), x + width - 12, y))
    if kind < FIRST_VALUE_KIND or first_blue:
        parts.append(_attackers(scene, dimension, colour, x + width - 12, y))
    return "".join(parts)


def _targets(scene: Scene, action: Action, right: float, y: float) -> str:
    """One small button for each Dimension an action can aim at, ending at `right`."""
    ids = [put_together(action._replace(target=target)) for target in range(scene.players)]
    able = [(target, action_id) for target, action_id in enumerate(ids) if action_id in scene.legal]
    parts = []
    for place, (target, action_id) in enumerate(reversed(able)):
        x = right - 24 - place * 26
        face = box(x, y - 11, 24, 22, RAISED, 7, 'class="face"', FAINT)
        parts.append(
            clickable(scene, action_id, face + text(x + 12, y + 4, f"→{target + 1}", 11.5, "middle", weight=700))
        )
    return "".join(parts)


def _attackers(scene: Scene, dimension: int, target: int, right: float, y: float) -> str:
    """One small button for each squad that can attack this one, ending at `right`."""
    if scene.s["phase"] != ATTACK or scene.s["player"] != dimension:
        return ""
    ids = [put_together(Action("attack", faction=colour, target=target)) for colour in range(FACTIONS)]
    able = [(colour, action_id) for colour, action_id in enumerate(ids) if action_id in scene.legal]
    parts = []
    for place, (colour, action_id) in enumerate(reversed(able)):
        x = right - 36 - place * 39
        face = box(x, y - 12, 36, 24, RAISED, 8, 'class="face"', COLOURS[RED])
        swords = f'<path d="M{x + 6} {y - 4}l7 8m0 -8l-7 8" stroke="{INK}" stroke-width="2" stroke-linecap="round"/>'
        parts.append(clickable(scene, action_id, face + swords + disc(x + 25, y, 8, colour, scene.lang)))
    return "".join(parts)


def _hand(scene: Scene, player: int, y: float, height: float) -> str:
    """The viewer's own cards, face up, each with what it can do, and the button for doing nothing."""
    s, x = scene.s, _MARGIN + 20.0
    parts = [box(_MARGIN, y, WIDTH - 2 * _MARGIN, height), text(x, y + 26, scene.say(_YOUR_HAND), 14, weight=700)]
    step = max(92, scene.players * 26 + 14) if height > 160 else 92
    for kind in names.cards_of(s["hand"][player]):
        card = faction_card(scene, x, y + 40, 76, 104, kind)
        parts.append(clickable(scene, PLAY + kind, card))
        parts.append(_targets(scene, Action("put", kind=kind), x + scene.players * 26 - 2, y + 164))
        x += step
    for anomaly in names.anomalies_of(s["hand_anomalies"][player]):
        action = {BIG_BANG: BANG, TIME_LOOP: LOOP}.get(anomaly, NOBODY)
        parts.append(clickable(scene, action, anomaly_card(scene, x, y + 40, anomaly)))
        x += max(step, 124)
    if s["faction"][player] == RED and s["captain_at"] == CAPTAIN_AVAILABLE:
        parts.append(box(x, y + 40, 76, 104, TINTS[RED], 10, stroke=COLOURS[RED]) + star(x + 38, y + 82, 24))
        parts.append(lines(x + 38, y + 120, scene.say(names.CAPTAIN_WORD), 11, INK))
        parts.append(_targets(scene, Action("put_captain"), x + scene.players * 26 - 2, y + 164))
    for action in scene.legal & {SKIP, STAY, HOLD}:
        line = sentence(scene.say(words.describe(scene.config, action)))
        face = box(WIDTH - _MARGIN - 216, y + 66, 196, 52, NIGHT, 12, 'class="face"')
        label = text(WIDTH - _MARGIN - 118, y + 97, line, 15, "middle", "#ffffff", 700)
        parts.append(clickable(scene, action, face + label))
    return "".join(parts)


def _options(scene: Scene, y: float) -> tuple[str, float]:
    """A list of all legal actions in words, by act, in as many columns as fit; and its height."""
    parts: list[str] = []
    row = y + 44
    for _, group in groupby(sorted(scene.legal), key=lambda action: take_apart(action).act):
        actions = list(group)
        texts = [sentence(scene.say(words.describe(scene.config, action))) for action in actions]
        columns = max(1, min(5, int(1208 / (max(map(len, texts)) * 6.8 + 50))))
        width = (WIDTH - 2 * _MARGIN - 32 - 8 * (columns - 1)) / columns
        deep = math.ceil(len(actions) / columns)
        for i, (action, line) in enumerate(zip(actions, texts, strict=True)):
            x, top = _MARGIN + 16 + i // deep * (width + 8), row + i % deep * 29
            part = take_apart(action)
            colour = names.colour_of(part.kind) if part.kind >= 0 else part.faction
            face = box(x, top, width, 26, RAISED, 7, 'class="face"')
            chip = disc(x + 17, top + 13, 8, colour, scene.lang) if 0 <= colour < FACTIONS else ""
            parts.append(clickable(scene, action, face + chip + text(x + 33, top + 18, line, 12), listed=True))
        row += deep * 29 + 8
    height = row - y + 4
    title = text(_MARGIN + 16, y + 28, scene.say(_YOUR_OPTIONS), 14, weight=700)
    return box(_MARGIN, y, WIDTH - 2 * _MARGIN, height) + title + "".join(parts), height
