"""Draws the table of Battle of Dimensions as one SVG: cards are clicked, then the place they go to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.drawing.layout import GAP, MARGIN, Part, panel, picture
from playmill.drawing.scene import COLUMN, OVER, PAD, ROOM, SMALL, button, header, phase_strip
from playmill.drawing.svg import (
    ACCENT,
    EMBER,
    FAINT,
    INK,
    RAISED,
    box,
    paragraph,
    sentence,
    sheet,
    text,
)
from playmill.drawing.things import whole
from playmill.games.dimensions import words
from playmill.games.dimensions.actions import (
    BANG,
    BIG_BANG,
    FIRST_VALUE_KIND,
    HOLD,
    LOOP,
    PLAY,
    RED,
    SKIP,
    STAY,
    TIME_LOOP,
)
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.constants import CAPTAIN_AVAILABLE, MOVEMENT
from playmill.games.dimensions.view.board import battle, dimensions, sky, value_name
from playmill.games.dimensions.view.scene import DimensionsScene
from playmill.games.dimensions.view.shapes import (
    AT_NIGHT,
    CARD,
    COLOURS,
    TALL,
    TINTS,
    anomaly_card,
    disc,
    faction_card,
    lines,
    star,
    thing,
)
from playmill.games.dimensions.words import names, position_text

WIDTH = 2 * COLUMN + GAP + 2 * MARGIN
_INSIDE = WIDTH - 2 * MARGIN

_TURN = Text("turn {}", "ход {}")
_YOUR_HAND = Text("Your hand", "Ваша рука")
_NO_CARDS = Text("no cards", "карт нет")
#: What is done by clicking, by phase.
_HINTS = (
    Text(
        "Click a card: everybody lays one face down, then all are turned up.",
        "Нажмите на карту: каждый кладёт одну рубашкой вверх, потом все открываются.",
    ),
    Text("Click a card of your hand, then the Dimension it goes to.", "Нажмите на карту в руке, затем на Измерение."),
    Text(
        "Click a card on the table, then the Dimension it goes to; or an anomaly in your hand, then what it acts on.",
        "Нажмите на карту на столе, затем на Измерение; или на аномалию в руке, затем на её цель.",
    ),
    Text(
        "Click a squad in your Dimension, then the swords of the one it attacks.",
        "Нажмите на отряд в своём Измерении, затем на мечи у того, кого он атакует.",
    ),
)
_NOTHING = {
    SKIP: Text("Keep the Captain back", "Придержать Капитана"),
    STAY: Text("Move nothing", "Ничего не перемещать"),
    HOLD: Text("Attack nobody", "Никого не атаковать"),
}
#: Why a card of the hand cannot be played now.
_NO_ANOMALY = Text("anomalies are played in the third phase only", "аномалии играют только в третьей фазе")
_NO_TARGET = Text("there is nothing on the table it could act on", "на столе нет ничего, на что она бы подействовала")
_NO_CARD = Text(
    "cards of the hand are laid in the battle and in reinforcement",
    "карты с руки кладут в битве и при усилении",
)
_NO_CAPTAIN = Text("the Captain is placed in reinforcement", "Капитана выставляют при усилении")

#: A whole Dimension can be clicked when a card was chosen; until then it looks as it always does.
_ZONE = ".playmill-dimensions [data-thing^=dimension]"
_STYLE = sheet(
    "playmill-dimensions",
    AT_NIGHT,
    extra=f"{_ZONE}[data-off]{{opacity:1!important;cursor:default}}"
    f"{_ZONE}[data-next]>.face{{stroke:{ACCENT};stroke-width:4;stroke-dasharray:9 6}}"
    f".playmill-dimensions .act:not([data-off],[data-thing^=dimension]) .face{{filter:drop-shadow(0 0 3px {ACCENT})}}",
)
_ARROW = (
    '<defs><marker id="pm-arrow" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
    f'<path d="M0 1 9 5 0 9z" fill="{FAINT}"/></marker></defs>'
)


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The table as one player sees it, or a spectator (None), who sees no hand.

    `legal` are the actions of the player to move; they are offered to that player only, since they tell the hand.
    """
    scene = DimensionsScene.seen(config, s, player, legal, lang)
    head, phases, above, fight = _header(scene), _phases(scene), sky(scene), battle(scene)
    fields = dimensions(scene, _INSIDE)
    wide: list[list[Part]] = [[head, phases], fields]
    narrow: list[list[Part]] = [[head], [phases]]
    if player is not None:
        hand, doing = _hand(scene, player), _doing(scene)
        wide.append([hand, doing])
        narrow += [[hand], [doing]]
    elif scene.over:
        ended = _doing(scene)
        wide.append([ended])
        narrow.append([ended])
    wide.append([fight, above])
    narrow += _by_twos(fields) if scene.players > 3 else [[field] for field in fields]
    narrow += [[fight], [above]]
    title = scene.say(words.TITLE)
    return picture("playmill-dimensions", title, _STYLE, lang, width=WIDTH, wide=wide, narrow=narrow, defs=_ARROW)


def _by_twos(parts: Sequence[Part]) -> list[list[Part]]:
    """Parts of one size in rows of two; in the last row there may be room for one more."""
    rows = [list(parts[first : first + 2]) for first in range(0, len(parts), 2)]
    if len(rows[-1]) < 2:
        rows[-1].append(Part("", parts[0].width, 0))
    return rows


def _header(scene: DimensionsScene) -> Part:
    """The title, the turn and whose it is, and who decides or has won."""
    s, turn = scene.s, scene.say(_TURN, scene.s["turns"])
    if scene.over:
        result = sentence(scene.say(position_text.ending(scene.config, s))).partition(": ")[0]
        sign = disc(PAD + 14, 64, 14, int(s["winner"]), scene.lang) if s["winner"] >= 0 else ""
        return header(scene, words.TITLE, turn, result, sign=sign)
    turn += f", {scene.say(names.PLAYER_WORD)} {s['active'] + 1}"
    sign = disc(PAD + 14, 64, 14, int(s["faction"][s["player"]]), scene.lang)
    return header(scene, words.TITLE, turn, scene.decides(names.player_name(s, s["player"])), sign=sign)


def _phases(scene: DimensionsScene) -> Part:
    """The phases with the present one marked, and what is special about the turn."""
    s, present = scene.s, "" if scene.over else names.decision_kind(scene.s)
    phases = enumerate(names.PHASE_NAMES.items(), 1)
    marks = [(f"{number} {scene.say(name)}", kind == present) for number, (kind, name) in phases]
    badges = [names.FINAL_TURN] * bool(s["final"]) + [names.ANOMALY_TITLES[TIME_LOOP]] * bool(s["loop"])
    return phase_strip(marks, map(scene.say, badges if present else ()))


def _hand(scene: DimensionsScene, player: int) -> Part:
    """The viewer's own cards, face up: those of one kind in a stack, anomalies, and a Captain who waits."""
    s, cards = scene.s, []
    for kind in np.flatnonzero(s["hand"][player]):
        cards.append(_card(scene, int(kind), int(s["hand"][player, kind])))
    for anomaly in names.anomalies_of(s["hand_anomalies"][player]):
        cards.append((_anomaly(scene, anomaly), 138.0))
    if s["faction"][player] == RED and s["captain_at"] == CAPTAIN_AVAILABLE:
        cards.append((_captain(scene), CARD + 10.0))
    parts, x, y = [], float(PAD), 44.0
    for drawn, wide in cards:
        if x + wide - 10 > COLUMN - PAD:
            x, y = float(PAD), y + TALL + 14
        parts.append(f'<g transform="translate({x:g} {y:g})">{drawn}</g>')
        x += wide
    if not cards:
        parts.append(text(PAD, 80, scene.say(_NO_CARDS), 17, fill=FAINT))
    head = text(PAD, 30, scene.say(_YOUR_HAND), SMALL, weight=700)
    return panel(head + "".join(parts), COLUMN, y + TALL + 20)


def _card(scene: DimensionsScene, kind: int, count: int) -> tuple[str, float]:
    """The cards of a kind in the hand, one over the other, and their width."""
    spread = 16
    top = spread * (count - 1)
    drawn = "".join(
        box(spread * n, 0, CARD, TALL, COLOURS[names.colour_of(kind)], 10, stroke="#ffffff") for n in range(count - 1)
    )
    drawn += faction_card(scene, top, 0, CARD, TALL, kind)
    if count > 1:
        drawn += box(top + CARD - 34, TALL - 28, 36, 26, RAISED, 9) + text(
            top + CARD - 16, TALL - 9, f"×{count}", SMALL, "middle", weight=700
        )
    title = scene.say(names.card_phrase(scene.config, kind))
    wide = CARD + spread * (count - 1) + 10.0
    if PLAY + kind in scene.legal:
        return whole(PLAY + kind, scene.phrase(PLAY + kind), drawn, thing=_held(scene, kind)), wide
    puts = scene.those(lambda act: act.act == "put" and act.kind == kind)
    return thing(scene, _held(scene, kind), puts, sentence(title), drawn, _NO_CARD), wide


def _held(scene: DimensionsScene, kind: int) -> str:
    return value_name(scene, kind, "hand") if kind >= FIRST_VALUE_KIND else f"hand-{kind}"


def _anomaly(scene: DimensionsScene, anomaly: int) -> str:
    drawn, title = anomaly_card(scene, 0, 0, anomaly), scene.say(names.ANOMALY_TITLES[anomaly])
    at_once = {BIG_BANG: BANG, TIME_LOOP: LOOP}.get(anomaly, -1)
    if at_once in scene.legal:
        return whole(at_once, scene.phrase(at_once), drawn, thing=f"anomaly-{anomaly}")
    act = ("entanglement", "wormhole", "black_hole", "", "")[anomaly]
    why = _NO_TARGET if scene.s["phase"] == MOVEMENT else _NO_ANOMALY
    return thing(scene, f"anomaly-{anomaly}", scene.those(lambda found: found.act == act), title, drawn, why)


def _captain(scene: DimensionsScene) -> str:
    drawn = box(0, 0, CARD, TALL, TINTS[RED], 10, 'class="face"', COLOURS[RED]) + star(CARD / 2, 40, 24)
    drawn += lines(CARD / 2, 84, scene.say(names.CAPTAIN_WORD), SMALL, CARD - 6, INK)
    puts = scene.those(lambda act: act.act == "put_captain")
    return thing(scene, "captain-card", puts, scene.say(names.CAPTAIN_WORD), drawn, _NO_CAPTAIN)


def _doing(scene: DimensionsScene) -> Part:
    """What is to be done and how, with the button for doing nothing."""
    if scene.over:
        ending = sentence(scene.say(position_text.ending(scene.config, scene.s)))
        drawn, y = paragraph(PAD, 66, ending, SMALL, ROOM, FAINT)
        return panel(text(PAD, 38, scene.say(OVER), 18, fill=EMBER, weight=700) + drawn, COLUMN, y + 4)
    phase = int(scene.s["phase"])
    head = names.DECISION_NAMES[names.decision_kind(scene.s)]
    drawn = text(PAD, 34, scene.say(head), 18, fill=EMBER if scene.legal else INK, weight=700)
    waiting = scene.decides(names.player_name(scene.s, scene.s["player"]))
    hint, y = paragraph(PAD, 62, scene.say(_HINTS[phase]) if scene.legal else waiting, SMALL, ROOM, FAINT)
    for action in sorted(scene.legal & {SKIP, STAY, HOLD}):
        hint += whole(action, scene.phrase(action), button(PAD, y, ROOM, scene.say(_NOTHING[action]), height=44))
        y += 58
    return panel(drawn + hint, COLUMN, max(y, 92.0))
