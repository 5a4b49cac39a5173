"""Pieces drawn: dice, cards, tokens, piles and buttons, each of the size it needs to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from playmill.drawing.kit.arrange import Leaf
from playmill.drawing.kit.parts import Button, Card, Die, Piece, Pile, Token
from playmill.drawing.kit.scene import TableScene
from playmill.drawing.kit.shapes import SUITS, deep, die, ink_on, suit_ink, suit_sign, token
from playmill.drawing.lettering import width_of, wrapped
from playmill.drawing.svg import FAINT, INK, LINE, NIGHT, RAISED, box, card_back, label, pill, sentence, text
from playmill.texts import Text

DIE, TOKEN = 56.0, 40.0
#: The name of a card, its text, and the least that words may be.
_NAME, _TEXT, LEAST = 16.0, 14.5, 14.5
#: A card with a few letters, one that has a name, one with a text; their sides; and none is wider than that.
_PLAIN, _NAMED, _WITH_TEXT, _TALL, _WIDEST = 76.0, 104.0, 156.0, 1.38, 230.0
_EDGE = 9.0
#: What must be seen of a card in a fan that has nothing but its rank, and of one that lies face down.
_CORNER, _BACK = 38.0, 20.0
_FEW = 3
_DOWN = Text("face down", "рубашкой вверх")
_COUNTED = Text("{}: {}", "{}: {}")


@dataclass(frozen=True)
class CardSize:
    """The size of cards that lie together, whether they stand in a fan, and whether any has a text."""

    width: float
    height: float
    fanned: bool = False
    has_text: bool = False


def as_card(face: Card | str | None) -> Card:
    """The card of a face; None is one that lies face down."""
    return face if isinstance(face, Card) else Card(down=True) if face is None else Card(face)


def plain_rank(scene: TableScene, card: Card) -> Card:
    """The same card where letters that are a rank and a suit stand in its corner."""
    name = scene.say(card.name)
    if not card.rank and not card.suit and len(name) <= 3 and name[-1:] in SUITS:
        return replace(card, name="", rank=name[:-1], suit=name[-1:])
    return card


def size_of(scene: TableScene, cards: Sequence[Card], room: float) -> CardSize:
    """The size that all of these cards can have: no word of them is cut, no text too long."""
    backs = [one for one in cards if one.down]
    cards = [plain_rank(scene, one) for one in cards if not one.down]
    if not cards:  # a few are as large as others, many take less room
        return CardSize(_PLAIN, round(_PLAIN * _TALL)) if len(backs) <= _FEW else CardSize(52, 72)
    width = _PLAIN
    for card in cards:
        name, body_text = scene.say(card.name), scene.say(card.text)
        if len(name) > 3:
            width = max(width, _NAMED, _longest(name, _NAME, bold=True) + 2 * _EDGE)
        if body_text:
            width = max(width, _WITH_TEXT, _longest(body_text, _TEXT) + 2 * _EDGE)
    width = min(width, _WIDEST, room)
    text = any(scene.say(one.text) for one in cards)
    return CardSize(
        width, max(0 if text else width * _TALL, *(_depth(scene, one, width) for one in cards)), has_text=text
    )


def _longest(line: str, size: float, *, bold: bool = False) -> float:
    return max(width_of(word, size, bold) for word in line.split(" "))


def _name_lines(name: str, width: float) -> list[str]:
    return wrapped(name, _NAME, width - 2 * _EDGE + 1, bold=True) if len(name) > 3 else []


def _depth(scene: TableScene, card: Card, width: float) -> float:
    """How high a card must be for all that stands on it."""
    name, body_text = scene.say(card.name), scene.say(card.text)
    lines = _name_lines(name, width) or [name] * bool(
        name and body_text
    )  # over a text a short name stands in a line, too
    depth = _head(card) + 20 * len(lines) + (8 if body_text else _head(card))
    if body_text:
        depth += 6 + 19 * len(wrapped(body_text, _TEXT, width - 2 * _EDGE)) + 6
    return max(depth, _PLAIN * _TALL)


def _head(card: Card) -> float:
    """The height of the band with rank and suit."""
    return 44.0 if card.rank != "" or card.suit else 12.0


def reach_of(scene: TableScene, cards: Sequence[Card], size: CardSize) -> float:
    """How much of each card must be seen in a fan: those with names or texts are never covered."""
    if all(card.down for card in cards):
        return _BACK
    plain = [plain_rank(scene, card) for card in cards]
    bare = all(card.down or (not scene.say(card.name) and not scene.say(card.text)) for card in plain)
    return _CORNER if bare else size.width + 6


def card_face(scene: TableScene, card: Card, size: CardSize) -> str:
    """A card from (0, 0) on."""
    wide, high = size.width, size.height
    shadow = box(1.5, 3, wide, high, "#00000022", 10, stroke="none")
    if card.down:
        return shadow + card_back(0, 0, wide, high, 'class="face"')
    card = plain_rank(scene, card)
    name, body_text = scene.say(card.name), scene.say(card.text)
    if not size.has_text:
        return shadow + _large_face(card, name, size)
    ink, head = ink_on(card.colour) if card.colour is not None else suit_ink(card.suit), _head(card)
    face = shadow + box(0, 0, wide, high, RAISED, 10, 'class="face"')
    if card.colour is not None:
        deepness = head - 6 if head > 12 else 8
        band = f"M1 {deepness:g}V10Q1 1 10 1H{wide - 10:g}Q{wide - 1:g} 1 {wide - 1:g} 10V{deepness:g}z"
        face += f'<path d="{band}" fill="{deep(card.colour)}"/>'
    face += _corner(card, wide, ink)
    y = head + 14
    for line in _name_lines(name, wide) or [name] * bool(name):
        face += text(wide / 2, y, line, _NAME, "middle", weight=700)
        y += 20
    if body_text:
        face += f'<path d="M{_EDGE} {y - 9:g}H{wide - _EDGE:g}" stroke="{LINE}"/>' if name else ""
        y += 9 if name else 0
        for line in wrapped(body_text, _TEXT, wide - 2 * _EDGE):
            face += text(_EDGE, y, line, _TEXT)
            y += 19
    return face


def _corner(card: Card, wide: float, ink: str) -> str:
    """The rank on the left and the suit on the right of the band."""
    drawn = label(_EDGE, 30, str(card.rank), 24, wide - 2 * _EDGE - (24 if card.suit else 0), "start", ink)
    return drawn + (suit_sign(wide - _EDGE - 9, 22, 18, card.suit, ink) if card.suit else "")


def _large_face(card: Card, name: str, size: CardSize) -> str:
    """A card without a text: its name in the middle, a short one large, and its rank and suit in the corner."""
    wide, high, rank = size.width, size.height, str(card.rank)
    plain = card.colour is None
    ink = suit_ink(card.suit) if plain else ink_on(card.colour)
    face = box(
        0, 0, wide, high, RAISED if plain else deep(card.colour), 10, 'class="face"', LINE if plain else "#ffffff"
    )
    if not plain:
        face += box(4, 4, wide - 8, high - 8, "none", 7, 'stroke-opacity="0.5"', ink)
        ring = f'<circle cx="{wide / 2:g}" cy="{high / 2:g}" r="{wide * 0.38:g}" fill="none" stroke="{ink}" '
        face += ring + 'stroke-opacity="0.3" stroke-width="2"/>'
    big = name if len(name) <= 3 else ""
    big = big or ("" if name or card.suit or size.fanned else rank)
    if big:
        face += label(wide / 2, high / 2 + 13, big, 36, wide - 2 * _EDGE, "middle", ink)
    lines = _name_lines(name, wide)
    for row, line in enumerate(lines):
        face += text(wide / 2, high / 2 + 6 + 20 * (row - (len(lines) - 1) / 2), line, _NAME, "middle", ink, 700)
    if rank and rank != big:
        face += label(_EDGE, 30, rank, 24, wide - 2 * _EDGE, "start", ink)
    if card.suit:
        at = (_EDGE + 9, 52.0) if rank else (_EDGE + 9, 24.0)
        face += suit_sign(*at, 18, card.suit, ink)
        face += "" if name else suit_sign(wide * 0.62, high * 0.66, wide * 0.44, card.suit, ink)
    return face


def card_title(scene: TableScene, card: Card) -> str:
    """What a card is, in words."""
    if card.title:
        return scene.say(card.title)
    if card.down:
        return scene.say(_DOWN)
    name = " ".join(one for one in (f"{card.rank}{card.suit}", scene.say(card.name)) if one)
    body_text = scene.say(card.text)
    return f"{name}: {body_text}" if body_text and name else body_text or name


def card_leaf(scene: TableScene, card: Card, size: CardSize, place: str) -> Leaf:
    """A card that can be clicked, if it is an option or a part of one."""
    name = scene.named("card", card.key, place)
    body = card_face(scene, card, size)
    drawn = scene.thing(card.action, name, body, seen=card_title(scene, card), why=card.why, origin=card.origin)
    return Leaf(drawn, size.width, size.height, name)


def die_title(scene: TableScene, one: Die) -> str:
    """What a die shows, in words."""
    return scene.say(one.title) or ("" if one.face is None else str(one.face))


def die_leaf(scene: TableScene, one: Die, place: str) -> Leaf:
    """A die; one that was thrown tumbles, and lies a little askew."""
    size = DIE
    tilt = 0.0 if one.face is None else (len(place) * 7 + sum(map(ord, place)) * 3 + one.face * 5) % 11 - 5.0
    body = die(4, 4, size, one.face, tilt=tilt, pips=one.sides == 6, colour=one.colour)
    if one.throw is not None:
        body = f'<g data-stir="{one.throw}">{body}</g>'
    name = scene.named("die", one.key, place)
    drawn = scene.thing(one.action, name, body, seen=die_title(scene, one), why=one.why, origin=one.origin)
    return Leaf(drawn, size + 8, size + 10, name, floats=True)


def token_title(scene: TableScene, one: Token) -> str:
    """What a token is, in words."""
    whose = scene.players[one.colour] if isinstance(one.colour, int) and one.colour < len(scene.players) else ""
    letters, owner = scene.say(one.text), scene.say(whose)
    said = scene.say(one.title) or (f"{letters} ({owner})" if letters and owner else letters or owner)
    return f"{said} ×{one.count}" if one.count is not None and said else said


def token_leaf(scene: TableScene, one: Token, place: str, ink: str = INK) -> Leaf:
    """A token, with its number beside it if there are several."""
    size = TOKEN
    body = token(size / 2, size / 2, size / 2 - 1, one.colour, one.shape, scene.say(one.text))
    width = size
    if one.count is not None:
        body += text(size + 5, size / 2 + 6, f"×{one.count}", 17, fill=ink, weight=700)
        width += 5 + width_of(f"×{one.count}", 17, bold=True)
    name = scene.named("token", one.key, place)
    drawn = scene.thing(one.action, name, body, seen=token_title(scene, one), why=one.why, origin=one.origin)
    return Leaf(drawn, width, size, name, floats=True)


def pile_leaf(scene: TableScene, pile: Pile, size: CardSize, place: str, *, ink: str = FAINT) -> Leaf:
    """A stack of cards with the number in it, and its name below."""
    wide, high = size.width, size.height
    name = scene.say(pile.name)
    across = max(wide + 8, min(width_of(name, LEAST), wide * 1.6))
    left = (across - wide) / 2
    below = "".join(
        f'<g transform="translate({left + 2.5 * n:g} {7.5 - 2.5 * n:g})">{card_back(0, 0, wide, high)}</g>'
        for n in range(min(3, pile.count - 1))
    )
    far = 2.5 * max(0, min(3, pile.count - 1))
    if pile.count <= 0:
        top = box(0, 7.5, wide, high, "none", 10, 'class="face" stroke-dasharray="5 5" stroke-width="1.5"', ink)
    else:
        top = card_face(scene, pile.top or Card(down=True), size)
    top = f'<g transform="translate({left + far:g} {7.5 - far if pile.count > 0 else 0:g})">{top}</g>'
    face, broad = pill(0, 0, str(pile.count), NIGHT, "#ffffff", LEAST)
    badge = f'<g transform="translate({left + wide - broad + 8:g} {high - 18:g})">{face}</g>'
    words = label(across / 2, high + 26, sentence(name), LEAST, across, "middle", ink, bold=False)
    seen = scene.say(pile.title) or scene.say(_COUNTED, name, pile.count)
    thing = scene.named("pile", pile.key, place)
    drawn = scene.thing(pile.action, thing, below + top + badge, seen=seen, why=pile.why, origin=pile.origin)
    return Leaf(drawn + words, across, high + 32, thing)


def button_leaf(scene: TableScene, one: Button, place: str, room: float) -> Leaf:
    """A button as wide as its words, which are wrapped where there is no room."""
    lines = wrapped(sentence(scene.say(one.words)), 17, room - 34, bold=True)
    width = min(room, max(96.0, max(width_of(line, 17, bold=True) for line in lines) + 34))
    height = 22.0 + 21 * len(lines)
    enabled = bool(scene.offered(one.action))
    body = box(0, 0, width, height, NIGHT if enabled else RAISED, 11, 'class="face key"', NIGHT if enabled else LINE)
    ink = "#ffffff" if enabled else FAINT
    for number, line in enumerate(lines):
        body += text(width / 2, 27.5 + 21 * number, line, 17, "middle", ink, 700)
    name = scene.named("button", one.key, place)
    seen = scene.say(one.title) or (scene.say(one.words) if not isinstance(one.action, int) else "")
    drawn = scene.thing(one.action, name, body, seen=seen, why=one.why, origin=one.origin, go=one.go, until=one.until)
    return Leaf(drawn, width, height, name, floats=True)


def leaves_of(scene: TableScene, pieces: Sequence[Piece], place: str, room: float, ink: str = FAINT) -> list[Leaf]:
    """Pieces that lie together: their cards have one size."""
    cards = [one for one in pieces if isinstance(one, Card)]
    size = size_of(scene, [*cards, *(one.top for one in pieces if isinstance(one, Pile) and one.top)], room)
    stacks = CardSize(max(size.width, _PLAIN), max(size.height, _PLAIN * _TALL))
    made = []
    for number, one in enumerate(pieces):
        at = f"{place}-{number}"
        if isinstance(one, Die):
            made.append(die_leaf(scene, one, at))
        elif isinstance(one, Card):
            made.append(card_leaf(scene, one, size, at))
        elif isinstance(one, Token):
            made.append(token_leaf(scene, one, at, ink if ink != FAINT else INK))
        elif isinstance(one, Pile):
            made.append(pile_leaf(scene, one, stacks, at, ink=ink))
        else:
            made.append(button_leaf(scene, one, at, room))
    return made
