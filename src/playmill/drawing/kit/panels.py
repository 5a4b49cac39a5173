"""Panels drawn: what lies in each as blocks that find their places, and the ground under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from playmill.drawing.kit.arrange import PAD, Block, Fitted, Flow, Leaf, Line, Paged, Sheet, Stack
from playmill.drawing.kit.boards import board_leaf
from playmill.drawing.kit.parts import (
    Area,
    Board,
    Button,
    Buttons,
    Card,
    Facts,
    Hand,
    Header,
    Note,
    Phases,
    Places,
    Player,
    Scores,
    Thing,
    Track,
    Words,
)
from playmill.drawing.kit.pieces import LEAST, as_card, button_leaf, card_leaf, leaves_of, reach_of, size_of
from playmill.drawing.kit.scene import TableScene
from playmill.drawing.kit.shapes import (
    CREAM,
    FELT,
    FELT_EDGE,
    GOLD,
    WOOD,
    WOOD_EDGE,
    hue,
    progress,
    tint,
    token,
)
from playmill.drawing.lettering import width_of, wrapped
from playmill.drawing.svg import ACCENT, EMBER, FAINT, GROUND, INK, LINE, NIGHT, PANEL, box, label, pill, sentence, text
from playmill.texts import Text

#: A board is so high at most.
_TALL = 560
_TITLE, _WORDS, _NOTE = 17.0, 16.0, 15.5
_HEAD = 26.0
#: Pieces are so much larger than drawn where there is room.
_GROWN = 1.45
_OUT = Text("out of the game", "вне игры")
_NONE = Text("none", "нет")


class _Ground:
    """The ground of a panel: its colours, a band at its top, and whose area it is."""

    def __init__(self, fill: str = PANEL, edge: str = LINE, *, band: str = "", heavy: bool = False) -> None:
        self._fill, self._edge, self._band, self._heavy = fill, edge, band, heavy

    def __call__(self, x: float, y: float, width: float, height: float) -> str:
        drawn = box(x, y, width, height, self._fill, 12, 'stroke-width="2"' if self._heavy else "", self._edge)
        if self._band:
            deep = min(PAD + _HEAD, height - 10)
            drawn += box(x + 5, y + 5, width - 10, deep, self._band, 8, stroke="none")
        return drawn


def natural_leaf(scene: TableScene, thing: Thing, number: int, room: float) -> Leaf | None:
    """A board, which has a size of its own."""
    if isinstance(thing, (Board, Track, Places)):
        return board_leaf(scene, thing, number, room, _TALL)
    return None


def sheet_of(scene: TableScene, thing: Thing, number: int, widths: tuple[float, float], board: Leaf | None) -> Sheet:
    """A panel with all that lies in it, drawn for the narrower of its two places: on a wide page, on a phone."""
    wide, narrow = (width - 2 * PAD for width in widths)
    room = min(wide, narrow)
    if board is not None:
        assert isinstance(thing, (Board, Track, Places))
        fitted: Block = Fitted(board)
        if board.narrow:
            fitted = Paged(fitted, Fitted(board, board.narrow, board.most), narrow)
        return Sheet(Stack([*_titled(scene, thing.title, wide, narrow), fitted]), _Ground())
    if isinstance(thing, Header):
        return _header(scene, thing, wide, narrow)
    if isinstance(thing, Player):
        return _player(scene, thing, number, wide, narrow)
    if isinstance(thing, Area):
        return _area(scene, thing, number, wide, narrow)
    titled = _titled(scene, "" if isinstance(thing, Phases) else thing.title, wide, narrow)
    if isinstance(thing, Hand):
        return _hand(scene, thing, number, room, titled)
    if isinstance(thing, Buttons):
        return _buttons(scene, thing, number, room, titled)
    if isinstance(thing, Phases):
        return Sheet(_phases(scene, thing), _Ground())
    if isinstance(thing, Scores):
        return Sheet(Stack([*titled, *_scores(scene, thing, wide, narrow)], 10), _Ground())
    if isinstance(thing, Facts):
        return Sheet(Stack([*titled, *_facts(scene, thing.lines, room)], 7), _Ground())
    assert isinstance(thing, Note)
    said = sentence(scene.say(thing.text))
    return Sheet(Stack([*titled, _paged(lambda lines, room: Line(lines(said, _NOTE, room)), wide, narrow)]), _Ground())


def words_leaf(line: str, size: float, room: float, fill: str = INK, *, bold: bool = False) -> Leaf:
    """Words in one line."""
    drawn = label(0, size, line, size, room, "start", fill, bold=bold, least=LEAST)
    return Leaf(drawn, min(room, width_of(line, size, bold)), size * 1.3)


def _lines_leaf(line: str, size: float, room: float, fill: str = INK, *, bold: bool = False) -> Leaf:
    """Words in as many lines as they need."""
    lines = wrapped(line, size, room, bold)
    step = round(size * 1.3)
    drawn = "".join(
        text(0, size + step * n, one, size, fill=fill, weight=700 if bold else 400) for n, one in enumerate(lines)
    )
    width = max((width_of(one, size, bold) for one in lines), default=0)
    return Leaf(drawn, min(room, width), max(1, len(lines)) * step)


def _paged(block: Callable[[Callable[..., Leaf], float], Block], wide: float, narrow: float) -> Block:
    """Words set for the width of each page; those that break in the same way are drawn once for both."""
    made: dict[str, Leaf] = {}

    def lines(*words: Any, bold: bool = False) -> Leaf:
        leaf = _lines_leaf(*words, bold=bold)
        return made.setdefault(leaf.drawn, leaf)

    return Paged(block(lines, wide), block(lines, narrow), narrow)


def _titled(scene: TableScene, title: Words, wide: float, narrow: float) -> list[Block]:
    said = sentence(scene.say(title))
    return [_paged(lambda lines, room: Line(lines(said, _TITLE, room, bold=True)), wide, narrow)] if said else []


def _beside(title: Leaf, note: Leaf | None, room: float) -> Block:
    """A title with a note at the right, or below it where there is no room."""
    if note is None or title.width + 16 + note.width <= room:
        return Line(title, note)
    return Stack([Line(title), Line(note)], 2)


def _header(scene: TableScene, header: Header, wide: float, narrow: float) -> Sheet:
    """The title with a note beside it, and below whose turn it is or who has won."""
    note, mine = scene.say(header.note), scene.over or scene.s["player"] == scene.viewer
    status = sentence(scene.say(scene.status))

    def head(lines: Callable[..., Leaf], room: float) -> Block:
        beside = lines(note, _NOTE, room, FAINT) if note else None
        name = _beside(lines(scene.say(scene.title), 25, room, bold=True), beside, room)
        return Stack([name, Line(lines(status, 18, room, EMBER if mine else INK, bold=True))], 6)

    return Sheet(_paged(head, wide, narrow), _Ground())


def _facts(scene: TableScene, lines: Sequence[tuple[Words, Words | int]], room: float) -> list[Block]:
    made: list[Block] = []
    for what, value in lines:
        shown = str(value) if isinstance(value, int) else scene.say(value)
        right = _lines_leaf(shown, _WORDS, room * 0.6, bold=True)
        made.append(Line(_lines_leaf(sentence(scene.say(what)), _WORDS, room - right.width - 12, FAINT), right))
    return made


def _player(scene: TableScene, area: Player, number: int, wide: float, narrow: float) -> Sheet:
    """The area of a player under a band of their colour; a frame shows who is to move."""
    room = min(wide, narrow)
    named = area.name or (scene.players[area.seat] if area.seat < len(scene.players) else str(area.seat + 1))
    moves = not scene.over and int(scene.s["player"]) == area.seat
    chip = f'<g transform="translate(13 13)">{token(0, 0, 12, area.seat)}</g>'
    head = label(
        34, 19, scene.name(Text("{}", "{}").format(named), area.seat), _TITLE, room - 34, bold=True, least=LEAST
    )
    edges = (box(-7, -7, width + 14, _HEAD + 14, "transparent", 8, 'class="face"', "none") for width in (wide, narrow))
    face = '<g class="wide">{}</g><g class="narrow" display="none">{}</g>'.format(*edges)
    seen = scene.say(named) if area.action is not None else ""
    thing = scene.named("", f"player-{area.seat}", "")
    face = scene.thing(area.action, thing, face + chip + head, seen=seen, why=area.why)
    bare = not (area.tags or area.out or area.facts or area.pieces)
    blocks: list[Block] = [Line(Leaf(face, room, _HEAD), below=-6 if bare else 6)]
    tags = [(tag, NIGHT) for tag in area.tags] + ([(_OUT, "")] if area.out else [])
    if tags:
        blocks.append(Flow([_pill(sentence(scene.say(tag)), fill) for tag, fill in tags], 6))
    blocks += _facts(scene, area.facts, room)
    if area.pieces:
        blocks.append(_flow(scene, area.pieces, f"player-{area.seat}-{number}", room))
    band = GROUND if area.out else tint(area.seat)
    return Sheet(Stack(blocks), _Ground(edge=ACCENT if moves else LINE, band=band, heavy=moves))


def _pill(line: str, fill: str) -> Leaf:
    face, width = pill(0, 0, line, fill or PANEL, "#ffffff" if fill else FAINT, LEAST)
    return Leaf(face, width, LEAST * 2)


def _flow(
    scene: TableScene, pieces: Sequence[object], place: str, room: float, ink: str = FAINT, *, centred: bool = False
) -> Flow:
    """Pieces in rows; cards that are all face down, or show nothing but a rank, may cover each other."""
    cards = [one for one in pieces if isinstance(one, Card)]
    if len(cards) == len(pieces) > 1:
        return _fan(scene, cards, place, room, centred=centred)
    return Flow(leaves_of(scene, pieces, place, room, ink), most=_GROWN, centred=centred)  # type: ignore[arg-type]


def _fan(scene: TableScene, cards: Sequence[Card], place: str, room: float, *, centred: bool = False) -> Flow:
    size = size_of(scene, cards, room)
    reach = reach_of(scene, cards, size)
    if len(cards) * (size.width + 8) - 8 > room and reach < size.width:
        size = replace(size, fanned=True)
    leaves = [card_leaf(scene, one, size, f"{place}-{n}") for n, one in enumerate(cards)]
    return Flow(leaves, 8, reach, most=1.0 if all(card.down for card in cards) else _GROWN, centred=centred)


def _area(scene: TableScene, area: Area, number: int, wide: float, narrow: float) -> Sheet:
    """Pieces under their title, on felt or wood if that is wanted."""
    ink, room = CREAM if area.surface else INK, min(wide, narrow)
    title, note = sentence(scene.say(area.title)), scene.say(area.note)
    blocks: list[Block] = []

    def head(lines: Callable[..., Leaf], room: float) -> Block:
        beside = lines(note, 20, room, GOLD if area.surface else INK, bold=True) if note else None
        return _beside(lines(title, _TITLE, room, ink, bold=True), beside, room)

    if title or note:
        blocks.append(_paged(head, wide, narrow))
    if area.pieces:
        blocks.append(
            _flow(
                scene, area.pieces, f"area-{number}", room, ink if area.surface else FAINT, centred=bool(area.surface)
            )
        )
    else:
        blocks.append(Line(words_leaf(scene.say(_NONE), _NOTE, room, ink if area.surface else FAINT)))
    ground = {"felt": _Ground(FELT, FELT_EDGE), "wood": _Ground(WOOD, WOOD_EDGE)}.get(area.surface, _Ground())
    return Sheet(Stack(blocks), ground)


def _hand(scene: TableScene, hand: Hand, number: int, room: float, blocks: list[Block]) -> Sheet:
    cards = []
    for place, face in enumerate(hand.cards):
        card = as_card(face)
        click = hand.clicks[place] if hand.clicks else None
        cards.append(card if click is None else _clicked(card, click))
    if cards:
        blocks.append(_fan(scene, cards, f"hand-{number}", room))
    else:
        blocks.append(Line(words_leaf(scene.say(_NONE), _NOTE, room, FAINT)))
    return Sheet(Stack(blocks), _Ground())


def _clicked(card: Card, click: int | Sequence[int]) -> Card:
    return replace(card, action=click)


def _buttons(scene: TableScene, panel: Buttons, number: int, room: float, blocks: list[Block]) -> Sheet:
    """Buttons of the author's, then one for each option that is nowhere else."""
    made = [button_leaf(scene, one, f"buttons-{number}-{place}", room) for place, one in enumerate(panel.buttons)]
    for action in scene.left:
        made.append(button_leaf(scene, Button(scene.describe(action), action=action), f"option-{action}", room))
    if made:
        blocks.append(Flow(made, 8))
    elif not blocks:
        blocks.append(Line(words_leaf(sentence(scene.say(scene.status)), _NOTE, room, FAINT)))
    return Sheet(Stack(blocks), _Ground(), least=43 + 2 * PAD)


def _phases(scene: TableScene, phases: Phases) -> Block:
    pills = []
    for place, line in enumerate(phases.names):
        face, width = pill(
            0, 0, sentence(scene.say(line)), *((NIGHT, "#ffffff") if place == phases.now else (PANEL, FAINT)), _NOTE
        )
        pills.append(Leaf(face, width, _NOTE * 2))
    for line in phases.notices:
        face, width = pill(0, 0, sentence(scene.say(line)), EMBER, "#ffffff", _NOTE)
        pills.append(Leaf(face, width, _NOTE * 2))
    return Flow(pills, 5)


def _scores(scene: TableScene, scores: Scores, wide: float, narrow: float) -> list[Block]:
    """A bar for each player, drawn for both pages, and the number at its end."""
    room, goal = min(wide, narrow), max(1, scores.goal)
    made: list[Block] = []
    for seat, value in enumerate(scores.values):
        more = scores.more[seat] if scores.more else 0
        named = scene.players[seat] if seat < len(scene.players) else str(seat + 1)
        moves = not scene.over and int(scene.s["player"]) == seat
        total = str(value) + (f" +{more}" if more else "")
        right = words_leaf(total, 20, room * 0.4, EMBER if more else INK, bold=True)
        name = words_leaf(
            scene.name(Text("{}", "{}").format(named), seat),
            _WORDS,
            room - right.width - 34,
            EMBER if moves else INK,
            bold=True,
        )
        chip = f'<g data-thing="{scene.named("", f"score-{seat}", "")}">{token(10, 10, 9, seat)}</g>'
        head = Leaf(f'{chip}<g transform="translate(26 0)">{name.drawn}</g>', name.width + 26, name.height)
        long, short = (progress(0, 0, width, value / goal, more / goal, hue(seat)) for width in (wide, narrow))
        bars = f'<g class="wide">{long}</g><g class="narrow" display="none">{short}</g>'
        made.append(Stack([Line(head, right), Line(Leaf(bars, room, 12))], 3))
    return made
