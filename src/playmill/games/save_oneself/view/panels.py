"""Draws the panels around the island of Save Oneself: lives, score, ship, signals, deck, all cards."""

from __future__ import annotations

from itertools import combinations

from playmill.author import Text
from playmill.drawing.layout import Part, panel
from playmill.drawing.lettering import width_of, wrapped
from playmill.drawing.scene import OVER, button
from playmill.drawing.svg import EMBER, FAINT, GREEN, INK, LINE, NIGHT, box, label, paragraph, sentence, text
from playmill.drawing.things import titled, whole
from playmill.games.save_oneself import lookups, words
from playmill.games.save_oneself.actions import SKIP, WAIVE
from playmill.games.save_oneself.constants import CARDS, FRONT, MESSAGE, NE, NW, SE, SOS, STRIDE
from playmill.games.save_oneself.view.scene import MOVE, TURN_OVER, IslandScene
from playmill.games.save_oneself.view.shapes import (
    BACK,
    BACK_EDGE,
    FACE,
    FACE_EDGE,
    LIT,
    LOST,
    PAD,
    PANEL,
    RED,
    ROOM,
    SEA,
    SPENT,
    SPENT_EDGE,
    TILE,
    TROUGH,
    card_text,
    heart,
    ship,
    star,
)
from playmill.games.save_oneself.view.symbols import symbol
from playmill.games.save_oneself.words import names
from playmill.games.save_oneself.words.voices import VOICES

#: With more lives than this they are a bar, not hearts.
_HEARTS = 16
_MINI = 35
#: In the list of all cards: room for its title, and for the symbols of a card.
_HEAD, _TEXT = 28, 84

_ROUND = Text("round {}", "раунд {}")
_LIVES = Text("Lives", "Жизни")
_OF = Text("{} of {}", "{} из {}")
_TILES = (Text("in the deck", "в колоде"), Text("moves left", "ходы"), Text("score now", "счёт сейчас"))
#: The phases of a round that one sees, in their order; it is asked in the first and the third.
_PHASES = (Text("Move", "Ход"), Text("Life", "Жизнь"), Text("Turn over", "Переворот"), Text("Ship", "Корабль"))
_SCORE = Text("score: cards {} + lives {} + placed {}", "счёт: карты {} + жизни {} + выложено {}")
_YOUR_MOVE = Text("Your move", "Ваш ход")
_CLICK_CELL = Text("Click a neighbouring cell.", "Нажмите на соседнюю клетку.")
_YOUR_TURN = Text("Turn a card over?", "Перевернуть карту?")
_CLICK_CARD = Text("Click a card with a dashed frame.", "Нажмите на карту в пунктирной рамке.")
_BUTTONS = {WAIVE: Text("Stay here", "Остаться на месте"), SKIP: Text("Turn nothing over", "Ничего не переворачивать")}
_NOW = Text("Now: {}", "Сейчас: {}")
_SHIP = Text("The ship", "Корабль")
_NO_SHIP = Text("No ship yet: {} can bring one.", "Корабля пока нет. Его могут привести: {}.")
_NEVER = Text("No ship will come any more.", "Корабль больше не придёт.")
_TURN = Text("turn {} over, {}", "перевернуть {}, {}")
_SEEN_ROW = Text("Seen from row {}", "Виден из ряда {}")
_SEEN_COLUMN = Text("Seen from column {}", "Виден из столбца {}")
_SEEN_BESIDE = Text("Seen from the cells beside it", "Видно с соседних клеток")
_AT_CORNER = Text("Not seen at a corner of the island", "В углу острова не видно")
_INLAND = Text("Too far from the sea to be seen", "Слишком далеко от моря, не видно")
_DECK = Text("Still in the deck", "Ещё в колоде")
_EMPTY = Text("The deck is empty.", "Колода пуста.")
_LAST_LOSES = Text("the last card loses, unless it wins", "последняя карта — поражение, если не спасёт")
_CORNER_KEY = Text("a blue corner: brings a ship there", "синий угол: сюда придёт корабль")
_CARDS = Text("All cards", "Все карты")
_KEY = Text("back → front, and when it turns over", "что становится чем и когда")


# Lives, score and what is to be done


def status(scene: IslandScene) -> Part:
    """The title, the round and its phases, lives, deck and score, and what is to be decided, with its buttons."""
    s = scene.s
    parts = [text(PAD, 34, scene.say(words.TITLE), 22, weight=700)]
    parts.append(text(PANEL - PAD, 33, scene.say(_ROUND, s["rounds"]), 15, "end", FAINT))
    parts.append(_phases(scene, 46))
    parts.append(_lives(scene, 84))
    parts.append(_tiles(scene, 134))
    score = lookups.score_of(scene.config, s)
    parts.append(label(PANEL / 2, 214, scene.say(_SCORE, *score), 12.5, ROOM, "middle", FAINT, bold=False))
    drawn, y = _decision(scene, 226)
    notes, y = _voice(scene, y)
    return panel("".join(parts) + drawn + notes, PANEL, round(y))


def _phases(scene: IslandScene, y: float) -> str:
    """The phases of a round, the present one marked; those that passed before it light up first, one after the other.

    A style begins anew where its name changes, so it has one for even rounds and one for odd: what was lit in the
    picture before, such as life while a card was to be turned over, is not lit again.
    """
    s = scene.s
    now = -1 if scene.over else MOVE if names.decision_kind(s) == names.MOVE_KIND else TURN_OVER
    since, whole_time = {}, 0
    for phase in scene.passed:
        since[phase] = whole_time
        whole_time += LIT[phase]
    marks = [(scene.say(phase), number == now) for number, phase in enumerate(_PHASES)]
    wides = [width_of(line, 12, bold=True) + 14 for line, _ in marks]
    gap = (ROOM - sum(wides)) / (len(marks) - 1)
    drawn, x = "", float(PAD)
    for place, ((line, here), wide) in enumerate(zip(marks, wides, strict=True)):
        chip = box(x, y, wide, 25, NIGHT if here else TILE, 12.5, stroke="none")
        chip += text(x + wide / 2, y + 17, line, 12, "middle", "#ffffff" if here else FAINT, 600)
        how = ""
        if place in since:
            number = int(s["rounds"]) - (len(since) > 1 and not scene.over)
            how = f' class="passed in-{number % 2}" style="--at:{since[place]}ms;--for:{LIT[place]}ms"'
        elif here and whole_time:
            how = f' class="reached in-{s["rounds"] % 2}" style="--for:{whole_time}ms"'
        drawn += f'<g data-thing="phase-{place}"{how}>{chip}</g>'
        x += wide
        if place + 1 < len(marks):
            middle = x + gap / 2 - 2
            drawn += f'<path d="M{middle:.1f} {y + 8.5:g}l4 4-4 4" fill="none" stroke="{FAINT}" stroke-width="1.6"/>'
            x += gap
    return drawn


def _voice(scene: IslandScene, y: float) -> tuple[str, float]:
    """What the castaway says of the card they stand on, beside its symbol; and where that ends."""
    here = lookups.card_at(scene.s, int(scene.s["here"]))
    if here is None:
        return "", y
    side = lookups.side_up(scene.s, here)
    drawn, top = paragraph(PAD + 50, y + 26, scene.say(VOICES[side]), 14, ROOM - 58)
    bottom = max(top - 6, y + 48)
    bubble = box(PAD + 38, y, ROOM - 38, bottom - y, TILE, 12, stroke="none")
    bubble += f'<path d="M{PAD + 40:g} {y + 16:g}l-9 7 9 7z" fill="{TILE}"/>'
    sign = f'<g data-thing="voice-{side}" class="flip">{symbol(side, PAD + 14, y + 23, 28)}</g>'
    return sign + bubble + drawn, bottom + 14


def _lives(scene: IslandScene, y: float) -> str:
    """Lives as hearts, or as a bar where there are many, with their number."""
    lives, most = int(scene.s["lives"]), scene.config.lives
    drawn = text(PAD, y + 15, scene.say(_LIVES), 14, fill=FAINT)
    count = text(PANEL - PAD, y + 16, scene.say(_OF, lives, most), 16, "end", RED if lives < 5 else INK, 700)
    drawn += f'<g class="jump" data-thing="lives-{lives}">{count}</g>'
    if most > _HEARTS:
        drawn += box(PAD, y + 25, ROOM, 16, TROUGH, 8, stroke="none")
        return drawn + box(PAD, y + 25, max(16.0, ROOM * lives / most), 16, RED, 8, stroke="none")
    step = ROOM / max(most, 10)
    for number in range(most):
        full = number < lives
        x = PAD + step * (number + 0.5)
        beats = heart(x, y + 33, 0.88, RED if full else SPENT, "#8c1f1a" if full else SPENT_EDGE)
        drawn += f'<g class="jump" data-thing="heart-{number}-{"full" if full else "gone"}">{beats}</g>'
    return drawn


def _tiles(scene: IslandScene, y: float) -> str:
    """Three numbers: cards in the deck, moves left in this round, the score as it stands."""
    s, gap = scene.s, 8
    moves = 0 if scene.over or names.decision_kind(s) != names.MOVE_KIND else int(s["moves"])
    numbers = (len(lookups.cards_in_deck(s)), moves, lookups.score_of(scene.config, s).total)
    wide, parts = (ROOM - 2 * gap) / 3, []
    for place, (number, word) in enumerate(zip(numbers, _TILES, strict=True)):
        x = PAD + place * (wide + gap)
        parts.append(box(x, y, wide, 60, TILE, 10, stroke=LINE))
        parts.append(text(x + wide / 2, y + 31, str(number), 25, "middle", INK, 700))
        parts.append(text(x + wide / 2, y + 50, scene.say(word), 12.5, "middle", FAINT))
    return "".join(parts)


def _decision(scene: IslandScene, y: float) -> tuple[str, float]:
    """What is to be decided, and how that is done; or how the game ended. And where it ends."""
    if scene.over:
        return _ended(scene, y)
    kind = names.decision_kind(scene.s)
    if not scene.legal:
        line = scene.say(_NOW, scene.say(names.DECISION_NAMES[kind]).lower())
        return text(PAD, y + 22, line, 16, weight=700), y + 40
    head, hint = (_YOUR_MOVE, _CLICK_CELL) if kind == names.MOVE_KIND else (_YOUR_TURN, _CLICK_CARD)
    drawn = text(PAD, y + 22, scene.say(head), 17, fill=EMBER, weight=700)
    drawn += text(PAD, y + 43, scene.say(hint), 13.5, fill=FAINT)
    y += 58
    for action, word in _BUTTONS.items():
        if action in scene.legal:
            face = button(PAD, y, ROOM, scene.say(word), height=40)
            drawn += whole(action, scene.say(words.describe(scene.config, action)), face)
            y += 54
    return drawn, y


def _ended(scene: IslandScene, y: float) -> tuple[str, float]:
    won = lookups.is_won(scene.s)
    drawn = text(PAD, y + 22, scene.say(OVER), 17, fill=GREEN if won else LOST, weight=700)
    why, y = paragraph(PAD, y + 44, sentence(scene.say(names.WHY[int(scene.s["ending"])])), 14, ROOM)
    return drawn + why, y


# The ship and the signals


def ship_and_signals(scene: IslandScene) -> Part:
    """Where the ship is and what it will do, and from where each signal is seen or how it is made."""
    drawn = ship(PAD + 18, 32, 38, west=False) + text(PAD + 48, 27, scene.say(_SHIP), 15, weight=700)
    line, y = paragraph(PAD + 48, 46, _ship_line(scene), 13, ROOM - 48, FAINT)
    drawn, y = drawn + line, max(y, 62.0) - 4
    for signal in lookups.SIGNALS:
        row, height = _signal(scene, signal, y)
        drawn += row
        y += height
    return panel(drawn, PANEL, round(y + 8))


def _ship_line(scene: IslandScene) -> str:
    if scene.ship:
        return sentence(scene.say(names.ship_text(scene.s)))
    left = [card for card in lookups.cards_in_deck(scene.s) if lookups.corner_of(scene.config, card) is not None]
    return scene.say(_NO_SHIP, Text.join(names.SIDE_NAMES[card] for card in left)) if left else scene.say(_NEVER)


def _signal(scene: IslandScene, signal: int, y: float) -> tuple[str, float]:
    """A signal: in full colour where it is up, with where it is seen from; and the height it takes."""
    up = lookups.is_up(scene.s, signal)
    line, seen = _seen_from(scene, signal) if up else (_missing(scene, signal), False)
    lines, bottom = paragraph(PAD + 48, y + 36, line, 13, ROOM - 48, GREEN if seen else FAINT)
    height = max(44.0, bottom - y - 10)
    parts = [f'<line x1="{PAD}" y1="{y:g}" x2="{PANEL - PAD}" y2="{y:g}" stroke="{LINE}"/>']
    parts.append(f'<g opacity="{1 if up else 0.5}">{symbol(signal, PAD + 18, y + height / 2, 32)}</g>')
    parts.append(text(PAD + 48, y + 19, scene.say(names.SIDE_NAMES[signal]), 14, fill=INK if up else FAINT, weight=700))
    return "".join(parts) + lines, height


def _missing(scene: IslandScene, signal: int) -> str:
    """What it takes to make a signal."""
    back = signal - FRONT
    return sentence(scene.say(_TURN, names.side_name(back), names.need_of(scene.config, back)))


def _seen_from(scene: IslandScene, signal: int) -> tuple[str, bool]:
    """From where a signal that is up can be seen, and whether it can be seen at all."""
    row, column = divmod(int(scene.s["cell"][signal - FRONT]), STRIDE)
    if signal == SOS:
        return scene.say(_SEEN_ROW, names.row_name(row)), True
    if signal != MESSAGE:
        return scene.say(_SEEN_COLUMN, names.column_name(column)), True
    if not scene.ship or any(found == MESSAGE for found, _ in lookups.winning_places(scene.s)):
        return scene.say(_SEEN_BESIDE), True
    return scene.say(_AT_CORNER if lookups.is_island_corner(scene.s, row, column) else _INLAND), False


# The deck


def deck(scene: IslandScene) -> Part:
    """The cards still to come, in the order of the rules: nobody knows that of the deck."""
    left = lookups.cards_in_deck(scene.s)
    drawn = text(PAD, 26, scene.say(_DECK), 15, weight=700)
    drawn += text(PANEL - PAD, 26, str(len(left)), 16, "end", weight=700)
    if not left:
        return panel(drawn + text(PAD, 48, scene.say(_EMPTY), 13, fill=FAINT), PANEL, 62)
    step = ROOM / 8
    for place, card in enumerate(left):
        x, y = PAD + step * (place % 8 + 0.5), 58 + 42 * (place // 8)
        drawn += _mini(scene, card, x, y)
    y = 58 + 42 * ((len(left) - 1) // 8) + 38
    drawn += text(PAD, y, scene.say(_CORNER_KEY), 12.5, fill=FAINT)
    if scene.config.lose_on_empty_deck:
        y += 17
        drawn += text(PAD, y, scene.say(_LAST_LOSES), 12.5, fill=FAINT)
    return panel(drawn, PANEL, round(y + 12))


def _mini(scene: IslandScene, card: int, x: float, y: float) -> str:
    """A small card with the corner to which it brings a ship."""
    half = _MINI / 2
    drawn = box(x - half, y - half, _MINI, _MINI, BACK, 7, stroke=BACK_EDGE)
    corner = lookups.corner_of(scene.config, card)
    if corner is not None:
        right, down = (1 if corner in (NE, SE) else -1), (-1 if corner in (NE, NW) else 1)
        path = f"M{x + right * (half - 2):g} {y + down * (half - 2):g}h{-11 * right}l{11 * right} {-11 * down}z"
        drawn += f'<path d="{path}" fill="{SEA}" stroke="{SEA}" stroke-width="2"/>'
    drawn += symbol(card, x, y, 25)
    return titled(card_text(scene, card), drawn)


# All cards


def reference(scene: IslandScene) -> list[Part]:
    """All cards in three columns of about one height: both sides, when each turns over, and what it is needed for."""
    rows = [_entry(scene, card) for card in range(CARDS)]
    heights = [height for _, height in rows]

    def deepest(cuts: tuple[int, int]) -> float:
        return max(_HEAD + sum(heights[: cuts[0]]), sum(heights[cuts[0] : cuts[1]]), sum(heights[cuts[1] :]))

    cuts = min(combinations(range(1, CARDS), 2), key=deepest)
    parts = []
    for first, last in ((0, cuts[0]), cuts, (cuts[1], CARDS)):
        drawn, y = "", 6.0
        if first == 0:
            drawn = text(PAD, 26, scene.say(_CARDS), 15, weight=700)
            drawn += text(PANEL - PAD, 26, scene.say(_KEY), 12, "end", FAINT)
            y += _HEAD
        for body, height in rows[first:last]:
            drawn += f'<g transform="translate(0 {y:g})">{body}</g>'
            y += height
        parts.append(drawn)
    return [panel(drawn, PANEL, round(deepest(cuts) + 12)) for drawn in parts]


def _entry(scene: IslandScene, card: int) -> tuple[str, float]:
    """Both sides of a card and what is said of them; the side that is up has a frame."""
    config, front = scene.config, card + FRONT
    parts = [_side(scene, card, PAD + 15), _side(scene, front, PAD + 57)]
    worth, taken = _worth(scene, front)
    back, face = (scene.say(names.SIDE_NAMES[side]) for side in (card, front))
    heads = [f"{back} → {face}"]
    if width_of(heads[0], 13.5, bold=True) > ROOM - _TEXT - taken:
        heads = [f"{back} →", face]
    lines: list[str] = []
    notes = [names.need_of(config, card), names.lives_text(config, card), *names.effects_of(config, card)]
    notes.append(names.needed_for(config, card))
    if (purpose := names.needed_for(config, front)) is not None:
        notes.append(Text("{} is {}", "карта {} {}").format(names.side_name(front), purpose))
    for note in notes:
        lines += wrapped(sentence(scene.say(note)), 12.5, ROOM - _TEXT) if note is not None else []
    y = 19.0
    for line in heads:
        parts.append(text(PAD + _TEXT, y, line, 13.5, weight=700))
        y += 17
    for line in lines:
        parts.append(text(PAD + _TEXT, y, line, 12.5, fill=FAINT))
        y += 16
    return "".join(parts) + worth, max(46.0, y - 7)


def _side(scene: IslandScene, side: int, x: float) -> str:
    """A side as a symbol: framed if it is up, pale if not."""
    fill, edge = (FACE, FACE_EDGE) if side >= FRONT else (BACK, BACK_EDGE)
    if not lookups.is_up(scene.s, side):
        return f'<g opacity="0.6">{box(x - 17, 6, 34, 34, fill, 8, stroke="none")}{symbol(side, x, 23, 27)}</g>'
    return box(x - 18, 5, 36, 36, fill, 8, 'stroke-width="2.5"', edge) + symbol(side, x, 23, 27)


def _worth(scene: IslandScene, front: int) -> tuple[str, float]:
    """What a front gives and scores, at the right edge, and the room it takes."""
    drawn, x = "", float(PANEL - PAD)
    points, lives = lookups.points_of(scene.config, front), lookups.lives_of(scene.config, front)
    for line, sign in ((str(points) if points else "", star), (f"{lives:+}".replace("-", "−") if lives else "", heart)):
        if line:
            wide = width_of(line, 13, bold=True)
            drawn += text(x, 19, line, 13, "end", INK, 700) + sign(x - wide - 9, 14.5, 0.62)
            x -= wide + 24
    return drawn, PANEL - PAD - x
