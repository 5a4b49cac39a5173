"""Patterns A to J: what each asks for, what only looks like it, and jokers against every card they may stand for."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, permutations, product
from typing import Any

import pytest
from grid_position import COLOURS, Position, deck_of, matching, off, position, rules_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill.engine.lang.record import plain
from playmill.games.grid.constants import JOKER, LINE_4, LINE_5, SQUARE

SIZES = {SQUARE: 9, LINE_5: 5, LINE_4: 4}
ANY_RANK = "game.joker.matches_any_rank"
ANY_COLOUR = "game.joker.matches_any_color"


def windows(made: Position, size: int) -> list[int]:
    """The numbers of the windows of a size."""
    return [number for number in range(made.cfg.windows) if SIZES[made.cfg.window_shape[number]] == size]


def letters_in(made: Position, number: int, cards: Sequence[str]) -> str:
    """The letters of the patterns that cards make in a window of player 0's board."""
    texts = {made.card(card): card for card in range(1, made.cfg.cards + 1)} | {"J": JOKER}
    for place, card in enumerate(cards):
        made.s.board[0, made.cfg.window_cell[number, place]] = texts[card]
    found = matching(made.cfg, made.s, 0, number)
    return "".join(pattern.id for place, pattern in enumerate(made.config.patterns) if found >> place & 1)


def letters(cards: str, changes: Sequence[str] = ()) -> str:
    """The letters of the patterns that cards make: in every window of their number alike."""
    texts = cards.replace("/", " ").split()
    made = Position(changes, 2)
    found = {letters_in(made, number, texts) for number in windows(made, len(texts))}
    assert len(found) == 1, "rows and columns must agree"
    return found.pop()


# Where patterns can lie


def test_board_has_10_lines_of_5_and_20_of_4_and_9_squares() -> None:
    made = Position((), 2)
    assert [len(windows(made, size)) for size in (5, 4, 9)] == [10, 20, 9]


def test_lines_are_rows_and_columns_and_no_diagonals() -> None:
    made = Position((), 2)
    seen = set()
    for size in (4, 5):
        for number in windows(made, size):
            cells = [divmod(cell, 5) for cell in made.cfg.window_cell[number][:size]]
            steps = {(y1 - y0, x1 - x0) for (y0, x0), (y1, x1) in pairwise(cells)}
            assert steps in ({(0, 1)}, {(1, 0)})
            seen.add(tuple(cells))
    assert len(seen) == 30


@pytest.mark.parametrize(
    "board",
    [
        "1a / . 2a / . . 3a / . . . 4a / . . . . .",
        ". . . . . / . . . 1a / . . 2a / . 3a / 4a",
        ". 1a / . . 2a / . . . 3a",
    ],
)
def test_diagonal_is_no_line(board: str) -> None:
    game = position([board], place="5a", deck=3)
    assert game.do("place 4,4").asked == "pick"


@pytest.mark.parametrize("gap", range(4))
def test_window_with_an_empty_cell_never_matches(gap: int) -> None:
    row = ["1a", "2a", "3a", "4a"]
    row[gap] = "."
    assert position([" ".join(row)], place="6e").do("place 4,4").asked == "pick"


def test_line_does_not_go_round_the_edge() -> None:
    assert position([". . . 1a 2a / 3a"], place="4a").do("place 1,1").asked == "pick"


def test_three_cards_are_no_line() -> None:
    assert position(["1a 2a"], place="3a").do("place 2,0").asked == "pick"


def test_square_of_2_is_no_square() -> None:
    assert position(["1a 1a / 2b"], place="2b").do("place 1,1").asked == "pick"


# Lines of five


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("1a 2a 3a 4a 5a", "E"),
        ("6c 5c 4c 3c 2c", "E"),
        ("2e 3e 4e 5e 6e", "E"),
        ("1a 2a 3a 4a 5b", ""),
        ("1a 2a 3a 4a 6a", ""),
        ("1a 2a 3a 2a 1a", ""),
        ("2a 1a 3a 4a 5a", ""),
        ("5a 6a 1a 2a 3a", ""),
        ("1a 2b 3c 4d 5e", "F"),
        ("6b 5a 4e 3d 2c", "F"),
        ("1a 2b 3c 4d 5a", ""),
        ("1a 2b 4c 5d 6e", ""),
        ("3a 3b 3c 3d 3e", "G"),
        ("6e 6a 6d 6b 6c", "G"),
        ("3a 3b 3c 3d 3d", ""),
        ("3a 3b 3c 3d 4e", ""),
        ("3a 3a 3a 3a 3a", ""),
    ],
)
def test_line_of_five(cards: str, found: str) -> None:
    assert letters(cards) == found
    assert letters(" ".join(reversed(cards.split()))) == found


# Lines of four


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        ("1a 2a 3a 4a", "H"),
        ("6d 5d 4d 3d", "H"),
        ("1a 2a 3a 4b", ""),
        ("1a 2a 3a 5a", ""),
        ("1a 2a 2a 3a", ""),
        ("4a 5a 6a 1a", ""),
        ("1a 2b 3c 4d", "I"),
        ("6e 5b 4d 3a", "I"),
        ("1a 2b 3c 4a", ""),
        ("1a 2b 3c 4c", ""),
        ("1a 2b 3c 3d", ""),
        ("3a 3b 3c 3d", "J"),
        ("1e 1a 1d 1b", "J"),
        ("3a 3b 3c 3a", ""),
        ("3a 3b 3c 4d", ""),
        ("3a 3a 3a 3a", ""),
    ],
)
def test_line_of_four(cards: str, found: str) -> None:
    assert letters(cards) == found
    assert letters(" ".join(reversed(cards.split()))) == found


# Squares


def turned(cards: str) -> str:
    """A square with rows and columns exchanged."""
    rows = [row.split() for row in cards.split("/")]
    return " / ".join(" ".join(row[x] for row in rows) for x in range(3))


def mirrored(cards: str) -> str:
    """A square seen from the back."""
    return " / ".join(" ".join(reversed(row.split())) for row in cards.split("/"))


SQUARES = [
    ("1a 1a 1a / 2b 2b 2b / 3c 3c 3c", "A"),
    ("1a 2a 3a / 1b 2b 3b / 1c 2c 3c", "A"),
    ("4a 5b 6c / 4a 5b 6c / 4a 5b 6c", "A"),
    ("6a 5b 4c / 6a 5b 4c / 6a 5b 4c", "A"),
    ("1a 1a 1a / 2b 2b 2b / 3a 3a 3a", ""),
    ("1a 1a 1a / 2a 2a 2a / 3a 3a 3a", ""),
    ("1a 1a 1a / 2b 2b 2b / 4c 4c 4c", ""),
    ("1a 1a 1a / 2b 2b 2b / 1c 1c 1c", ""),
    ("2a 2a 2a / 2b 2b 2b / 2c 2c 2c", ""),
    ("1a 1a 1a / 2b 2b 2b / 3c 3c 3b", ""),
    ("1a 1a 1a / 2b 2b 2b / 3c 3c 4c", ""),
    ("1a 1b 1c / 2b 2c 2a / 3c 3a 3b", "B"),
    ("1a 1b 1c / 2b 2c 2d / 3c 3d 3e", "B"),
    ("1a 1b 1c / 2d 2e 2a / 3b 3c 3d", "B"),
    ("1a 1b 1c / 2b 2c 2a / 3a 3b 3c", ""),
    ("1a 1b 1a / 2b 2c 2d / 3c 3a 3b", ""),
    ("1a 1b 1c / 3b 3c 3a / 2c 2a 2b", ""),
    ("1a 2a 3a / 2b 3b 4b / 3c 4c 5c", "C"),
    ("3a 2a 1a / 4b 3b 2b / 5c 4c 3c", "C"),
    ("2a 3b 4c / 3a 4b 5c / 4a 5b 6c", "C"),
    ("1a 2a 3a / 2b 3b 4b / 3c 4c 6c", ""),
    ("1a 2a 3a / 2b 3b 4b / 3c 4c 5b", ""),
    ("1a 2a 3a / 2b 3b 4b / 3a 4a 5a", ""),
    ("1a 2a 3a / 2b 3b 4b / 1c 2c 3c", ""),
    ("1a 2a 3a / 3b 4b 5b / 5c 6c 6c", ""),
    ("1a 2b 3c / 2b 3c 4a / 3c 4a 5b", "D"),
    ("3a 2b 1c / 4d 3e 2a / 5b 4c 3d", "D"),
    ("1a 2b 3c / 2b 3c 4a / 3c 4a 5c", ""),
    ("1a 2b 3c / 2b 3c 4a / 3c 4a 4b", ""),
    ("1a 2a 3a / 2a 3a 4a / 3a 4a 5a", ""),
]


@pytest.mark.parametrize(("cards", "found"), SQUARES)
def test_square(cards: str, found: str) -> None:
    for square in (cards, turned(cards), mirrored(cards), turned(mirrored(cards)), mirrored(turned(cards))):
        assert letters(square) == found, square


def test_shape_of_a_card_is_ignored() -> None:
    made = Position((), 2)
    number = windows(made, 4)[0]
    by_text: dict[str, list[int]] = {}
    for card in range(1, made.cfg.cards + 1):
        by_text.setdefault(made.card(card), []).append(card)
    for chosen in product(*(by_text[text] for text in ("1a", "2a", "3a", "4a"))):
        for place, card in enumerate(chosen):
            made.s.board[0, made.cfg.window_cell[number, place]] = card
        assert matching(made.cfg, made.s, 0, number) == 1 << 7


# Vectors of an independent implementation

VECTORS = """
5d,6d,1a,6d,J,5a,2d,J,5a -      5c,6b,5d,2c,J,6d,J,6b,3d -      2d,J,J,J,J,3c,4c,5d,6e -
1a,2c,3b,1c,2c,3b,1c,2c,3b -    4a,3e,2c,2a,2e,1c,2a,1e,1c -    3b,2b,1b,J,J -
6a,6a,6a,J,1c -                 6c,J,J,J,6c -                   1c,2a,6d,3d,4c -
5a,4e,3c,2d,1e -                J,5b,5b,4c -                    J,2b,2a,4a -
J,5a,2d,J -                     1e,6e,5e,4e -                   3d,5d,6d,6b -
3d,4d,5d,3c,4c,5c,3e,4e,5e A    4d,4a,4b,3d,3a,3b,2d,2a,2b A    4a,5d,6e,J,5d,6e,4a,5d,6e A
4e,3e,2e,4c,3c,J,4a,3a,2a A     4b,4c,4d,3c,3d,3e,2d,2e,2a B    4b,4c,4d,5c,5d,5e,6d,6e,6a B
6a,J,4c,6c,5d,J,6e,5a,J B       4d,4b,J,J,J,3d,J,J,2a B         2c,3c,4c,3b,4b,5b,4a,5a,6a C
4c,5a,6e,3c,4a,5e,2c,3a,4e C    1b,2b,3b,2c,3c,4c,3d,4d,J C     5d,J,3a,J,3b,2a,J,J,1a C
3e,2a,1b,4b,3c,2d,5d,4e,3a D    6b,5c,4d,5c,4d,3e,4d,3e,2a D    J,2e,3a,2a,J,4c,3c,4d,5e D
2b,J,4d,3c,J,5e,4d,J,6a D       5e,4e,3e,2e,1e E                2d,3d,4d,5d,6d E
J,2d,3d,4d,J E                  6e,J,4e,J,2e E                  J,J,J,J,J EFG
2d,3e,4a,5b,6c F                1b,2c,3d,4e,5a F                5b,J,3d,J,1a F
1a,2b,3c,J,5e F                 3e,3a,3b,3c,3d G                4d,4e,4a,4b,4c G
J,6d,J,J,J G                    J,J,1c,J,J G                    5d,4d,3d,2d H
5a,4a,3a,2a H                   6b,J,4b,J H                     3a,4a,J,6a H
J,2a,J,J HIJ                    J,J,J,J HIJ                     2c,3d,4e,5a I
2d,3e,4a,5b I                   J,4a,J,2c I                     1c,2d,3e,J I
4a,4b,4c,4d J                   3a,3b,3c,3d J                   J,J,6b,J J
5d,J,5a,5b J
"""
#: The same with the number of ranks and of colours in front.
OTHER_DECKS = """
1 4 1c,J,J,1b J     5 4 1d,2b,3c,J I    4 4 4d,4a,J,4c J     1 6 J,1c,1f,J J    6 6 J,2f,J,4b I
5 5 J,J,J,2e HIJ    1 4 1b,1a,J,1d J    5 4 J,J,J,J,J E      1 5 J,J,J,J,1e G   2 6 J,1c,1d,1e J
7 3 3c,3a,J,4a,4b,4c,5b,5c,5a B         4 4 J,3c,J,2d,2c,2a,1d,J,1a A
3 3 2b,J,1a,J,1c,J,J,J,J -              3 1 J,J,J,J,J,J,J,J,J -
3 5 J,1b,J,1b,J,J,2c,J,J -              2 4 J,J,J,J,J,2b,2a,J,1b -
3 2 2a,J,J,J,J,J,J,J,3a -               1 3 J,J,1b,J,1b,J,J,J,J -
"""


def test_vectors_of_an_independent_implementation() -> None:
    words = VECTORS.split()
    assert set("".join(words[1::2])) == set("ABCDEFGHIJ-")
    for cards, found in zip(words[::2], words[1::2], strict=True):
        assert (letters(cards.replace(",", " ")) or "-") == found, cards


def test_vectors_with_other_decks() -> None:
    words = OTHER_DECKS.split()
    for ranks, colours, cards, found in zip(*(words[start::4] for start in range(4)), strict=True):
        changes = deck_of(range(1, int(ranks) + 1), int(colours), 1)
        assert (letters(cards.replace(",", " "), changes) or "-") == found, (ranks, colours, cards)


# The rules of the page, for windows without jokers


def is_run(ranks: Sequence[int]) -> bool:
    """R1: ranks one after another, up or down."""
    steps = {after - before for before, after in pairwise(ranks)}
    return steps in ({1}, {-1})


def is_one(values: Sequence[int]) -> bool:
    """R2 and C1: all equal."""
    return len(set(values)) == 1


def is_distinct(colours: Sequence[int]) -> bool:
    """C2: all different."""
    return len(set(colours)) == len(colours)


def rows_of(square: Sequence[int]) -> list[Sequence[int]]:
    return [square[start : start + 3] for start in (0, 3, 6)]


def columns_of(square: Sequence[int]) -> list[Sequence[int]]:
    return [square[start::3] for start in range(3)]


def is_striped(ranks: Sequence[int]) -> bool:
    """R3: a run along one axis, equal along the other."""
    return any(
        all(map(is_one, stripes)) and is_run([stripe[0] for stripe in stripes])
        for stripes in (rows_of(ranks), columns_of(ranks))
    )


def is_slope(ranks: Sequence[int]) -> bool:
    """R4: rank(x, y) = r0 + dx·x + dy·y."""
    return any(
        all(ranks[3 * y + x] == ranks[0] + dx * x + dy * y for y in range(3) for x in range(3))
        for dx in (1, -1)
        for dy in (1, -1)
    )


def is_flag(colours: Sequence[int]) -> bool:
    """C3: stripes of one colour each, all different."""
    return any(
        all(map(is_one, stripes)) and is_distinct([stripe[0] for stripe in stripes])
        for stripes in (rows_of(colours), columns_of(colours))
    )


def is_latin(colours: Sequence[int]) -> bool:
    """C4: three colours in each row and each column."""
    return all(map(is_distinct, [*rows_of(colours), *columns_of(colours)]))


Rule = Callable[[Sequence[int]], bool]
PAGE: dict[str, tuple[int, Rule, Rule]] = {
    "A": (9, is_striped, is_flag),
    "B": (9, is_striped, is_latin),
    "C": (9, is_slope, is_flag),
    "D": (9, is_slope, is_latin),
    "E": (5, is_run, is_one),
    "F": (5, is_run, is_distinct),
    "G": (5, is_one, is_distinct),
    "H": (4, is_run, is_one),
    "I": (4, is_run, is_distinct),
    "J": (4, is_one, is_distinct),
}


@cache  # patterns share their rules
def can_keep(rule: Rule, values: tuple[int | None, ...], allowed: Sequence[int]) -> bool:
    """Whether some values of the jokers (None) keep a rule: every one of them is tried."""
    jokers = [place for place, value in enumerate(values) if value is None]
    filled = [value or 0 for value in values]
    for chosen in product(allowed, repeat=len(jokers)):
        for place, value in zip(jokers, chosen, strict=True):
            filled[place] = value
        if rule(filled):
            return True
    return False


def page_letters(cards: Sequence[str], ranks: Sequence[int], colours: int) -> str:
    """The letters of the patterns by the words of the page."""
    mine = tuple(None if card == "J" else int(card[:-1]) for card in cards)
    hues = tuple(None if card == "J" else COLOURS.index(card[-1]) for card in cards)
    return "".join(
        letter
        for letter, (size, rank_rule, colour_rule) in PAGE.items()
        if size == len(cards) and can_keep(rank_rule, mine, ranks) and can_keep(colour_rule, hues, range(colours))
    )


def patterned(dice: random.Random, letter: str, ranks: Sequence[int], colours: int) -> list[str] | None:
    """Random cards that keep a pattern, or nothing if the deck has none."""
    size, rank_rule, colour_rule = PAGE[letter]
    start, across, down = dice.choice(ranks), dice.choice((-1, 0, 1)), dice.choice((-1, 0, 1))
    width = 3 if size == 9 else size
    values = [start + across * (place % width) + down * (place // width) for place in range(size)]
    hues = dice.sample(range(colours), colours)
    paint: dict[Rule, Callable[[int], int]] = {
        is_one: lambda place: 0,
        is_distinct: lambda place: place,
        is_flag: lambda place: place // 3,
        is_latin: lambda place: (place % 3 + place // 3) % 3,
    }
    painted = [hues[paint[colour_rule](place) % colours] for place in range(size)]
    if not rank_rule(values) or not colour_rule(painted) or not set(values) <= set(ranks):
        return None
    return [f"{rank}{COLOURS[hue]}" for rank, hue in zip(values, painted, strict=True)]


@pytest.mark.parametrize(
    ("ranks", "colours", "shapes"),
    [
        ((1, 2, 3, 4, 5, 6), 5, 3),
        ((1, 2, 3, 4, 5, 6), 4, 3),
        ((1, 2, 3, 4, 5), 3, 3),
        ((1, 2, 3, 5, 6), 3, 3),
        ((2, 3, 4, 6, 7, 8, 9), 4, 3),
        ((1, 3, 4, 5, 6, 8), 5, 3),
        ((1, 2), 5, 3),
        ((8, 9, 10, 11, 12), 2, 3),
        ((1, 3, 5, 7, 9), 5, 1),
        ((4, 3, 2, 1), 3, 1),
    ],
)
def test_jokers_stand_for_any_card_of_the_deck(ranks: tuple[int, ...], colours: int, shapes: int) -> None:
    """Random cards and broken patterns, some turned into jokers: each is found or not as if every joker were tried."""
    dice = random.Random(f"{ranks} {colours}")
    made = Position(deck_of(ranks, colours, shapes), 2)
    places = {size: windows(made, size) for size in (4, 5, 9)}
    most = {4: 4, 5: 5 if max(colours, len(ranks)) < 6 else 4, 9: 6 if max(colours, len(ranks)) < 4 else 4}
    found: dict[str, int] = {}
    for _ in range(350):
        letter = dice.choice("ABCDEFGHIJ")
        size = PAGE[letter][0]
        cards = patterned(dice, letter, ranks, colours)
        if cards is None:
            cards = [f"{dice.choice(ranks)}{COLOURS[dice.randrange(colours)]}" for _ in range(size)]
        for place in dice.sample(range(size), dice.choice((0, 0, 1, 2))):
            cards[place] = f"{dice.choice(ranks)}{COLOURS[dice.randrange(colours)]}"
        for place in dice.sample(range(size), dice.randint(0, most[size])):
            cards[place] = "J"
        wanted = page_letters(cards, ranks, colours)
        assert letters_in(made, dice.choice(places[size]), cards) == wanted, cards
        found[wanted] = found.get(wanted, 0) + 1
    assert len(found) > 1


CARDS = st.sampled_from(["J", "J", "J", *(f"{rank}{colour}" for rank in (1, 2, 3) for colour in "abc")])


@settings(max_examples=share(250), deadline=None, derandomize=True, database=None)
@given(st.one_of(*(st.lists(CARDS, min_size=size, max_size=size) for size in (4, 9, 9))))
@example(["J"] * 9)
@example(["1a", "J", "J", "J", "1b", "J", "J", "J", "1c"])
def test_windows_full_of_jokers_with_three_colours_and_ranks(cards: list[str]) -> None:
    made = Position(deck_of((1, 2, 3), 3, 1), 2)
    wanted = page_letters(cards, (1, 2, 3), 3)
    assert letters_in(made, windows(made, len(cards))[-1], cards) == wanted


@pytest.mark.parametrize("colours", [3, 4])
def test_latin_square_of_jokers_and_every_two_rows(colours: int) -> None:
    """A third row is possible or not, as trying them all says."""
    made = Position(deck_of((1, 2, 3), colours, 1), 2)
    number = windows(made, 9)[0]
    rows = list(permutations(range(colours), 3))
    for first, second in product(rows[:2], rows):
        cards = [f"1{COLOURS[hue]}" for hue in first] + [f"2{COLOURS[hue]}" for hue in second] + ["J"] * 3
        possible = any(is_latin([*first, *second, *third]) for third in rows)
        assert ("B" in letters_in(made, number, cards)) == possible, cards


def test_latin_square_with_a_joker_between_four_colours_needs_a_fifth() -> None:
    """No two cards clash, but the joker's row and column have used up four colours."""
    cards = "1d 1c 1a / 2a J 2b / 3b 3d 3c"
    assert letters(cards, deck_of((1, 2, 3), 5, 3)) == "B"
    assert letters(cards, deck_of((1, 2, 3), 4, 3)) == ""


@pytest.mark.parametrize("colours", [3, 4, 5])
def test_latin_square_of_any_colours_and_jokers(colours: int) -> None:
    """Random squares in which no two colours clash, found or not as if every joker were tried."""
    dice = random.Random(colours)
    made = Position(deck_of((1, 2, 3), colours, 1), 2)
    number = windows(made, 9)[0]
    for _ in range(150):
        hues: list[int | None] = [None] * 9
        for place in dice.sample(range(9), dice.randint(4, 8)):
            around = [hues[other] for other in range(9) if other // 3 == place // 3 or other % 3 == place % 3]
            hues[place] = dice.choice([None, *(hue for hue in range(colours) if hue not in around)])
        cards = ["J" if hue is None else f"{1 + place // 3}{COLOURS[hue]}" for place, hue in enumerate(hues)]
        if cards.count("J") < 6:
            wanted = can_keep(is_latin, tuple(hues), range(colours))
            assert ("B" in letters_in(made, number, cards)) == wanted, cards


# Jokers by the words of the page


def test_window_of_jokers_alone_matches_every_pattern_of_its_shape() -> None:
    assert letters("J J J J") == "HIJ"
    assert letters("J J J J J") == "EFG"
    assert letters("J J J / J J J / J J J") == "ABCD"


def test_run_with_jokers_stays_within_the_ranks_of_the_deck() -> None:
    assert letters("6a J J J") == "HIJ"
    assert letters("J 6a J J") == "J"
    assert letters("J J 1a J") == "J"
    assert letters("J 2a J J J") == "EFG"
    assert letters("J 6a J J J") == "G"


def test_run_with_jokers_needs_every_rank_between() -> None:
    gap = deck_of((1, 2, 4, 5, 6), 5, 3)
    assert letters("1a 2a J 4a", gap) == ""
    assert letters("J 4a 5a 6a", gap) == ""
    assert letters("J J J J", gap) == "J"


def test_distinct_colours_with_jokers_need_enough_colours() -> None:
    assert letters("1a 1b J J J") == "G"
    assert letters("1a 1b J J", deck_of((1, 2, 3, 4), 4, 3)) == "J"
    assert letters("1a 1b J J", deck_of((1, 2, 3, 4), 3, 3)) == ""
    assert letters("1a 1a J J") == ""


def test_several_jokers_may_differ() -> None:
    assert letters("J 2a 3a J") == "H"
    assert letters("J 2a 3b J") == "I"
    assert letters("J J J / 2b J 2b / J J J") == "A"


def test_joker_stands_for_one_rank_and_colour_in_one_check_and_others_in_the_next() -> None:
    game = position(["1a 2a 3a . . / . . . 4d / . . . 4e / . . . 4c"], place="J")
    assert game.do("place 3,0").legal() == ["resolve H row 0,0", "resolve J column 3,0"]


@pytest.mark.parametrize("switch", [ANY_RANK, ANY_COLOUR])
@pytest.mark.parametrize("cards", ["1a 2a 3a J", "1a 1b 1c 1d J", "J J J J", "1a 1a 1a / 2b 2b 2b / 3c 3c J"])
def test_joker_that_matches_no_rank_or_no_colour_spoils_every_window(cards: str, switch: str) -> None:
    assert letters(cards)
    assert letters(cards, off(switch)) == ""


@pytest.mark.parametrize("switch", [ANY_RANK, ANY_COLOUR])
def test_windows_without_jokers_do_not_mind_that_switch(switch: str) -> None:
    for cards, found in [("1a 2a 3a 4a", "H"), ("3a 3b 3c 3d 3e", "G"), SQUARES[0], ("1a 2b 3c 4d", "I")]:
        assert letters(cards, off(switch)) == found


# Patterns of other files


def test_file_may_have_fewer_patterns_and_other_rules_for_a_letter() -> None:
    data: Any = rules_of().model_dump(mode="json")
    kept = [pattern for pattern in data["patterns"] if pattern["id"] in "JH"]
    kept[0]["color_rule"] = "C2_line_all_distinct"
    config = type(rules_of()).read({**data, "patterns": kept[::-1]})
    made = Position((), 2)
    made.config = config
    made.cfg = plain(config.pack(2))[0]
    number = windows(made, 4)[0]
    assert [pattern.id for pattern in config.patterns] == ["H", "J"], "the order of the file has no say"
    assert letters_in(made, number, ["1a", "2a", "3a", "4a"]) == ""
    assert letters_in(made, number, ["1a", "2b", "3c", "4d"]) == "H"
    assert letters_in(made, number, ["4a", "4b", "4c", "4d"]) == "J"
