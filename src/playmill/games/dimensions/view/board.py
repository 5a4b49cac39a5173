"""Draws what lies on the table of Battle of Dimensions: the Spiral, piles, the battle, each Dimension."""

from __future__ import annotations

import math

import numpy as np

from playmill.author import Text
from playmill.drawing.layout import Part, panel
from playmill.drawing.lettering import width_of
from playmill.drawing.scene import COLUMN, PAD, ROOM, SMALL, YOU
from playmill.drawing.svg import ACCENT, EMBER, FAINT, INK, LINE, NIGHT, RAISED, box, card_back, label, sentence, text
from playmill.drawing.things import lying, part
from playmill.games.dimensions.actions import (
    AURA,
    BLACK_HOLE,
    BLUE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    PURPLE,
    RED,
    YELLOW,
)
from playmill.games.dimensions.constants import ATTACK, CAPTAIN_AVAILABLE, MOVEMENT
from playmill.games.dimensions.view.scene import DimensionsScene
from playmill.games.dimensions.view.shapes import COLOURS, HALO, RIM, TINTS, disc, faction_card, star, swords, thing
from playmill.games.dimensions.words import names
from playmill.games.dimensions.words.acts import PAIRED

_ROW = 37
_BEATS = Text("→ beats", "→ побеждает")
_STANDING = Text("Cards on the table", "Карты на столе")
_AT_ONCE = Text("to win at once", "до победы")
_CAPTAIN = Text("Captain", "Капитан")
_AURAS = Text("Auras", "Ауры")
_AURA_LETTER = Text("A", "А")
_AVAILABLE = Text("Captain ready", "Капитан готов")
_SQUAD = Text("the {} squad", "отряд: {}")
_AIM = Text("attack: {}", "атаковать: {}")
#: Why something lies there and cannot be taken.
_NOT_MOVED = Text("its cards move one by one: click one of them", "карты отряда ходят по одной: нажмите на нужную")
_ELSEWHERE = Text("you attack in your own Dimension only", "атаковать можно только в своём Измерении")
_BEATS_NONE = Text(
    "this squad beats nobody here: it is not larger, and it does not beat their colour in the Spiral",
    "этот отряд здесь никого не побеждает: он не больше и не сильнее по Спирали",
)
_NOT_YOURS = Text("only red moves the Captain", "Капитана двигают только красные")
_AURAS_STAY = Text("Auras cannot be moved", "Ауры нельзя перемещать")


def sky(scene: DimensionsScene) -> Part:
    """The Spiral of Forces, the deck and the Black Hole with what lies in it."""
    s, x = scene.s, 250.0
    parts = [_spiral(scene), text(x, 30, scene.say(names.DECK_WORD), SMALL, weight=700)]
    parts.append(box(x, 50, 62, 84, "none", 8, 'stroke-dasharray="4 4"'))
    for layer in range(min(3, int(s["deck_size"]))):
        parts.append(card_back(x + layer * 3, 50 - layer * 3, 62, 84))
    parts.append(text(x + 34, 158, str(s["deck_size"]), 18, "middle", weight=700))
    pile, middle = int(s["hole"].sum()) + int(s["hole_anomalies"]).bit_count(), COLUMN - PAD - 56
    parts.append(label(COLUMN - PAD, 30, scene.say(names.ANOMALY_TITLES[BLACK_HOLE]), SMALL, 126, "end"))
    for radius, shade in ((46, HALO), (37, RIM), (28, NIGHT)):
        parts.append(f'<circle cx="{middle}" cy="92" r="{radius}" fill="{shade}"/>')
    parts.append(text(middle, 98, str(pile), 18, "middle", "#ffffff", 700))
    drawn, bottom = _swallowed(scene, 242)
    return panel("".join(parts) + drawn, COLUMN, bottom)


def _swallowed(scene: DimensionsScene, y: float) -> tuple[str, float]:
    """What lies in the Black Hole, colour by colour, and where that ends."""
    s, parts, x = scene.s, [], float(PAD)
    for colour in range(FACTIONS):
        kinds = [kind for kind in names.cards_of(s["hole"]) if names.colour_of(kind) == colour]
        if kinds:
            values = [names.kind_key(scene.config, kind)[1:] for kind in kinds]
            note = f"×{len(kinds)}" + (f" ({', '.join(values)})" if values[0] else "")
            wide = 33 + width_of(note, SMALL, bold=True) + 14
            if x > PAD and x + wide > COLUMN - PAD:
                x, y = float(PAD), y + 34
            parts.append(disc(x + 14, y, 14, colour, scene.lang) + label(x + 33, y + 5.5, note, SMALL, ROOM - 28))
            x += wide
    titles = [scene.say(names.ANOMALY_TITLES[anomaly]) for anomaly in names.anomalies_of(s["hole_anomalies"])]
    if titles:
        y += 27 if x > PAD else 0
        parts.append(label(PAD, y + 5, ", ".join(titles), SMALL, ROOM, fill=FAINT, bold=False))
    return "".join(parts), y + 22


def _spiral(scene: DimensionsScene) -> str:
    """The five factions in a ring; an arrow leads from each to the one it beats."""
    ring, radius, centre_x, centre_y = 66.0, 22.0, 124.0, 140.0
    parts = [text(PAD, 30, scene.say(names.SPIRAL_WORD), SMALL, weight=700)]
    parts.append(text(PAD, 51, scene.say(_BEATS), SMALL, fill=FAINT))
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
    for faction, (x, y) in zip(map(int, scene.s["spiral"]), places, strict=True):
        swaps = [action for action, act in scene.options if act.act == "entanglement" and faction in PAIRED[act.pair]]
        name = scene.say(names.FACTION_NAMES[faction])
        drawn = disc(round(x, 1), round(y, 1), radius, faction, scene.lang)
        parts.append(thing(scene, f"spiral-{faction}", swaps, name, drawn))
    return "".join(parts)


def battle(scene: DimensionsScene) -> Part:
    """The battle cards: to a player their own, since nobody sees who has laid one; to a spectator all, face down.

    Under them how many cards count for each player's faction, and how near its instant win is.
    """
    s = scene.s
    parts = [text(PAD, 30, scene.say(names.DECISION_NAMES["battle"]), SMALL, weight=700)]
    for player in range(scene.players):
        x = PAD + player * 88.0
        if not s["committed"][player] or scene.viewer not in (None, player):
            parts.append(box(x, 44, 62, 84, "none", 8, 'stroke-dasharray="4 4"'))
        elif player == scene.viewer:
            parts.append(lying(f"battle-{player}", faction_card(scene, x, 44, 62, 84, int(s["committed"][player]) - 1)))
        else:
            parts.append(lying(f"battle-{player}", card_back(x, 44, 62, 84)))
        name = f"{scene.say(names.PLAYER_WORD)} {player + 1}"
        parts.append(label(x + 31, 148, name, SMALL, 84, "middle", FAINT, bold=False))
    parts.append(f'<line x1="{PAD}" y1="164" x2="{COLUMN - PAD}" y2="164" stroke="{LINE}"/>')
    parts.append(text(PAD, 190, scene.say(_STANDING), SMALL, weight=700))
    if scene.config.mode == "epic":
        parts.append(text(COLUMN - PAD, 190, scene.say(_AT_ONCE), SMALL, "end", FAINT))
    for player in range(scene.players):
        faction, line = int(s["faction"][player]), 216 + player * 32
        count = names.count_of(s, faction)
        parts.append(disc(PAD + 14, line, 14, faction, scene.lang))
        bar = max(3, min(count, 16) * 8)
        parts.append(box(PAD + 36, line - 8, bar, 16, COLOURS[faction], 5, stroke="none"))
        parts.append(text(PAD + 44 + bar, line + 5.5, str(count), SMALL, weight=700))
        goal, room = _goal(scene, faction), ROOM - bar - 64
        parts.append(label(COLUMN - PAD, line + 5.5, goal, SMALL, room, "end", FAINT, bold=False))
    return panel("".join(parts), COLUMN, 216 + scene.players * 32 - 6)


def _goal(scene: DimensionsScene, faction: int) -> str:
    """A faction's instant win, and how far it has come: green and blue in one Dimension, yellow in all."""
    config, squads = scene.config, scene.s["squad"][: scene.players]
    if config.mode != "epic" or faction not in names.INSTANT_WINS:
        return ""
    name = scene.say(names.INSTANT_WINS[faction])
    if faction == GREEN:
        return f"{name} {squads[:, GREEN].max()} / {config.green_goal}"
    if faction == YELLOW:
        places = int((squads[:, YELLOW] > 0).sum())
        return f"{name} {squads[:, YELLOW].sum()} / {config.yellow_goal} · {places} / {scene.players}"
    sums = [int(total) for total in scene.s["blue_sum"][: scene.players]]
    return f"{name} Σ {min(sums, key=lambda total: abs(config.blue_goal - total))} / {config.blue_goal}"


# Dimensions


def dimensions(scene: DimensionsScene, width: float) -> list[Part]:
    """All Dimensions, each so wide that they lie side by side and as high as the fullest."""
    across = (width - 12 * (scene.players - 1)) / scene.players
    drawn = [_squads(scene, dimension, across) for dimension in range(scene.players)]
    height = max(180.0, max(bottom for _, bottom in drawn) + 48)
    return [
        Part(_panel(scene, dimension, across, height) + squads, across, height)
        for dimension, (squads, _) in enumerate(drawn)
    ]


def _panel(scene: DimensionsScene, dimension: int, width: float, height: float) -> str:
    """A Dimension as a place where cards can go: its owner, and their hand from behind."""
    s, faction = scene.s, int(scene.s["faction"][dimension])
    active = bool(s["active"] == dimension and not scene.over)
    edge = (ACCENT, 3) if active else (LINE, 1)
    face = box(0, 0, width, height, extra=f'class="face" stroke-width="{edge[1]}"', stroke=edge[0])
    face += f'<rect class="hit" width="{width:g}" height="62" fill="transparent"/>'  # never under a squad
    title = f"{scene.say(names.DIMENSION_WORD)} {dimension + 1}"
    goals = scene.those(lambda act: act.target == dimension and act.act in _GOING)
    parts = [part(f"dimension-{dimension}", goals, title, face, go=True) if goals else face]
    head = [box(6, 6, width - 12, 54, TINTS[faction], 9, stroke="none"), disc(29, 33, 16, faction, scene.lang)]
    waits = bool(faction == RED and s["captain_at"] == CAPTAIN_AVAILABLE)
    head.append(label(54, 29, title, 17, width - 62))
    notes = [sentence(scene.say(names.PLAYER_WORD)) + f" {dimension + 1}"]
    notes += [scene.say(YOU)] * (dimension == scene.viewer)
    head.append(label(54, 50, " · ".join(notes), SMALL, width - 62, fill=EMBER if active else FAINT, bold=False))
    if waits:
        head.append(lying("captain", star(18, 48, 10), title=scene.say(_AVAILABLE)))
    parts.append(f'<g pointer-events="none">{"".join(head)}</g>')
    held = int(s["hand_size"][dimension])
    if dimension != scene.viewer:
        held += scene.viewer is not None and bool(s["committed"][dimension])
        backs = "".join(
            card_back(14 + i * min(20.0, (width - 90) / max(held, 1)), height - 42, 24, 32) for i in range(held)
        )
        count = f"{scene.say(names.HAND_WORD)} {held}"
        parts.append(f'<g pointer-events="none">{backs}{text(width - 12, height - 20, count, SMALL, "end", FAINT)}</g>')
    return "".join(parts)


#: Acts whose last word is a Dimension.
_GOING = ("put", "put_captain", "move", "move_captain", "wormhole")


def _squads(scene: DimensionsScene, dimension: int, width: float) -> tuple[str, float]:
    """The squads of a Dimension one under the other, and where they end."""
    s, y = scene.s, 84.0
    parts = []
    for colour in range(FACTIONS):
        kinds = [int(kind) for kind in np.flatnonzero(s["table"][dimension]) if names.colour_of(int(kind)) == colour]
        if not kinds and not (colour == RED and s["captain_at"] == dimension):
            continue
        if kinds:
            drawn, y = _squad(scene, dimension, colour, kinds, y, width)
            parts.append(drawn)
        if colour == RED and s["captain_at"] == dimension:
            parts.append(_captain(scene, dimension, y, width, alone=not kinds))
            y += _ROW
    if s["aura"][dimension]:
        parts.append(_auras(scene, dimension, y, width))
        y += _ROW
    if not parts:
        empty = text(width / 2, 108, scene.say(names.EMPTY_WORD), 17, "middle", FAINT)
        return f'<g pointer-events="none">{empty}</g>', 108.0
    return "".join(parts), y - 6


def _squad(
    scene: DimensionsScene, dimension: int, colour: int, kinds: list[int], y: float, width: float
) -> tuple[str, float]:
    """The cards of one colour, and a chip for each value of blue ones; and where the next begins."""
    s = scene.s
    valued = kinds[0] >= FIRST_VALUE_KIND
    count = int(s["squad"][dimension, colour])
    note = f"×{count}" + (f" Σ {s['blue_sum'][dimension]}" if valued else "")
    moves = [] if valued else _moves(scene, dimension, kinds[0])
    whole = moves + scene.those(
        lambda act: (
            (act.act in ("wormhole", "black_hole") and (act.source, act.faction) == (dimension, colour))
            or (act.act == "attack" and act.faction == colour and dimension == s["player"])
        )
    )
    title = sentence(scene.say(_SQUAD, names.FACTION_NAMES[colour]))
    body = box(10, y - 17, 40 + width_of(note, 17, bold=True), 34, "transparent", 17, 'class="face"', "none")
    body += disc(27, y, 14, colour, scene.lang) + text(48, y + 6, note, 17, weight=700)
    parts = [thing(scene, f"squad-{dimension}-{colour}", whole, title, body, _why_not(scene, dimension))]
    parts.append(_target(scene, dimension, colour, y, width))
    x, y = 12.0, y + _ROW
    for kind in kinds if valued else ():
        drawn, wide = _value(scene, dimension, kind, y, x)
        if x > 12 and x + wide > width - 6:
            x, y = 12.0, y + 32
            drawn, wide = _value(scene, dimension, kind, y, x)
        parts.append(drawn)
        x += wide + 5
    return "".join(parts), y + (_ROW - 2 if valued else 0)


def _value(scene: DimensionsScene, dimension: int, kind: int, y: float, x: float) -> tuple[str, float]:
    """The chip of a blue value, which moves by itself, and its width."""
    line = names.kind_key(scene.config, kind, scene.lang)
    count = int(scene.s["table"][dimension, kind])
    line += f" ×{count}" if count > 1 else ""
    wide = round(width_of(line, SMALL, bold=True) + 16)
    face = box(x, y - 14, wide, 28, COLOURS[BLUE], 14, 'class="face"', "none")
    face += text(x + wide / 2, y + 5.5, line, SMALL, "middle", "#ffffff", 700)
    title, why = sentence(scene.say(names.card_phrase(scene.config, kind))), _why_not(scene, dimension)
    return thing(scene, value_name(scene, kind, dimension), _moves(scene, dimension, kind), title, face, why), wide


def value_name(scene: DimensionsScene, kind: int, place: int | str) -> str:
    """What a card with a value is called wherever it lies; where there are several of the value, there."""
    value = names.blue_kinds(scene.config)[kind - FIRST_VALUE_KIND]
    return f"blue-{value}" if scene.config.blue_values.count(value) == 1 else f"blue-{value}-{place}"


def _moves(scene: DimensionsScene, dimension: int, kind: int) -> list[int]:
    return scene.those(lambda act: act.act == "move" and (act.source, act.kind) == (dimension, kind))


def _captain(scene: DimensionsScene, dimension: int, y: float, width: float, *, alone: bool) -> str:
    """The Captain, with the swords of whoever attacks with him alone."""
    moves = scene.those(lambda act: act.act == "move_captain")
    if alone:
        moves += scene.those(lambda act: act.act == "attack" and act.faction == RED and dimension == scene.s["player"])
    name = scene.say(_CAPTAIN)
    body = box(10, y - 17, 42 + width_of(name, 17, bold=True), 34, "transparent", 17, 'class="face"', "none")
    body += star(27, y, 15) + label(48, y + 6, name, 17, width - 58)
    why = _NOT_YOURS if scene.s["phase"] == MOVEMENT else _why_not(scene, dimension)
    return thing(scene, "captain", moves, name, body, why)


def _auras(scene: DimensionsScene, dimension: int, y: float, width: float) -> str:
    """The stack of Auras of a Dimension."""
    takes = scene.those(lambda act: act.act == "black_hole" and (act.source, act.faction) == (dimension, AURA))
    note = f"×{scene.s['aura'][dimension]} {scene.say(_AURAS)}"
    body = (
        f'<circle class="face" cx="27" cy="{y:g}" r="14" fill="{NIGHT}" stroke="{COLOURS[PURPLE]}" stroke-width="3"/>'
    )
    body += text(27, y + 6, scene.say(_AURA_LETTER), SMALL, "middle", "#ffffff", 700)
    body += label(48, y + 6, note, 17, width - 96)
    why = _AURAS_STAY if scene.s["phase"] == MOVEMENT else None
    drawn = thing(scene, f"auras-{dimension}", takes, scene.say(names.AURAS_WORD), body, why)
    return drawn + _target(scene, dimension, AURA, y, width)


def _target(scene: DimensionsScene, dimension: int, target: int, y: float, width: float) -> str:
    """Swords at the right edge of a squad that can be attacked."""
    if scene.s["player"] != dimension:
        return ""
    hits = scene.those(lambda act: act.act == "attack" and act.target == target)
    if not hits:
        return ""
    face = box(width - 48, y - 16, 38, 32, RAISED, 9, 'class="face"', COLOURS[RED]) + swords(width - 29, y, INK)
    name = names.AURAS_WORD if target == AURA else names.FACTION_NAMES[target]
    return part(f"hit-{dimension}-{target}", hits, scene.say(_AIM, name), face, go=True)


def _why_not(scene: DimensionsScene, dimension: int) -> Text | None:
    """Why a squad that is part of no option is of none."""
    phase = scene.s["phase"]
    if phase == ATTACK:
        return _BEATS_NONE if dimension == scene.s["player"] else _ELSEWHERE
    return _NOT_MOVED if phase == MOVEMENT else None
