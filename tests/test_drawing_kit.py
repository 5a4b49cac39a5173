"""The kit of a table: what its parts say, what a click on each does, where they lie; no word leaves its card."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from common.pages import Page, needs_chromium
from common.pictures import SVG, all_titles, composed, offered, pieces, readable, refusals, titles, tree
from playmill.author import PlaymillError, Text
from playmill.author.table import (
    HOLE,
    Area,
    Board,
    Button,
    Buttons,
    Card,
    Cell,
    Die,
    Facts,
    Hand,
    Header,
    Note,
    Phases,
    Pile,
    Places,
    Player,
    Row,
    Scores,
    Token,
    Track,
)
from playmill.drawing.kit import TableScene, table_picture
from playmill.texts import LANGUAGES, Lang

_PLAYERS = tuple(Text(f"player {n}", f"игрок {n}") for n in range(1, 5))
_STATE = np.dtype([("player", np.int8)])
#: Names that differ only where a careless card would cut them.
PRINCES = ("Принц", "Принцесса", "Принц-консорт", "Превосходительство")


def scene(legal: Sequence[int] = (), *, viewer: int | None = 0, lang: Lang = "en", players: int = 2) -> TableScene:
    return TableScene(
        None,
        np.zeros(1, _STATE)[0],
        viewer,
        dict.fromkeys(legal).keys(),
        lang,
        title=Text("The table", "Стол"),
        players=_PLAYERS[:players],
        status=Text("player 1 to move", "ходит игрок 1"),
        describe=lambda action: Text(f"does {action}", f"делает {action}"),
    )


def drawn(rows: Sequence[Row], legal: Sequence[int] = (), **how: Any) -> str:
    return table_picture(scene(legal, **how), rows)


def thing(svg: str, name: str) -> Any:
    return next(group for group in tree(svg).iter(f"{SVG}g") if group.attrib.get("data-thing") == name)


EVERY_PIECE = [
    Die(3, action=0, key=1, title="a die"),
    Card("Prince", rank=5, text="somebody discards", action=1, key=2),
    Token("red", "A", action=2, key=3, title="a token"),
    Pile("deck", 12, action=3, key="deck"),
    Button("stop", action=4),
]


def test_every_piece_is_an_option_with_a_title_and_a_name() -> None:
    svg = drawn([Area("all", EVERY_PIECE)], range(5))
    assert sorted(offered(svg)) == [0, 1, 2, 3, 4]
    assert all(title.startswith(f"Does {action}") for action, title in titles(svg).items())
    names = {group.attrib.get("data-thing") for group in tree(svg).iter(f"{SVG}g")}
    assert {"die-1", "card-2", "token-3", "deck"} <= names
    assert "Prince: somebody discards" in titles(svg)[1], "a screen reader is told what it is"


def test_what_is_not_legal_lies_there_and_says_what_it_is() -> None:
    svg = drawn([Area("all", EVERY_PIECE)])
    assert offered(svg) == []
    for said in ("A die", "5 Prince: somebody discards", "A token", "Deck: 12"):
        assert said in all_titles(svg)


def test_a_piece_that_cannot_be_had_says_why_to_whoever_can_do_something() -> None:
    rows: list[Row] = [Area("all", [Card("7", action=1, why="it does not follow suit", key=7), Card("8", action=2)])]
    assert refusals(drawn(rows, [2])) == {"card-7": "It does not follow suit"}
    assert refusals(drawn(rows)) == {}


def test_an_option_of_a_card_and_a_player_is_put_together() -> None:
    rows: list[Row] = [
        [Player(seat, action=[seat, 2 + seat]) for seat in range(2)],
        Hand("mine", [Card("a", action=[0, 1]), Card("b", action=[2, 3])]),
    ]
    assert {action: len(things) for action, things in composed(drawn(rows, range(4))).items()} == dict.fromkeys(
        range(4), 2
    )
    assert {group.attrib["data-thing"] for group in pieces(drawn(rows, [0]))} == {"player-0", "hand-3-0"}


def test_a_last_word_is_said_when_the_rest_is_chosen() -> None:
    save = Button("save", action=[1, 2], go=True, until="choose a die")
    svg = drawn([Area("dice", [Die(1, action=[1]), Die(2, action=[1, 2]), save])], [1, 2])
    (last,) = [group for group in pieces(svg) if "data-go" in group.attrib]
    assert last.attrib["data-until"] == "Choose a die"


def test_a_key_is_an_identity_and_an_origin_where_it_comes_from() -> None:
    svg = drawn([Area("row", [Pile("deck", 3, key="deck"), Card("7", key=7, origin="deck"), Card("7", key=7)])])
    assert thing(svg, "card-7").attrib["data-from"] == "deck"
    assert thing(svg, "card-7-2") is not None, "no two things have one name"


def test_a_die_that_was_thrown_again_tumbles_and_others_do_not() -> None:
    marks = re.findall('data-stir="(.)"', drawn([Area("", [Die(1, throw=4), Die(2)])]))
    assert marks == ["4"]


@pytest.mark.parametrize("face", ["K♠", "10♥", "A♦", "Q♣"])
def test_suits_are_drawn_and_ranks_stand_in_the_corner(face: str) -> None:
    svg = drawn([Hand("mine", [face])])
    assert face[:-1] in readable(svg).split() and face[-1] not in readable(svg) and face in all_titles(svg)


def test_a_card_face_down_shows_nothing() -> None:
    svg = drawn([Hand("theirs", [Card("Princess", text="secret", down=True), None])])
    assert "Princess" not in svg and "secret" not in svg and all_titles(svg).count("Face down") == 2


def test_a_pile_tells_how_many_and_an_empty_one_is_a_place() -> None:
    assert "12" in readable(drawn([Area("", [Pile("deck", 12)])]))
    assert "stroke-dasharray" in drawn([Area("", [Pile("deck", 0)])])


def test_a_player_to_move_is_framed_one_who_is_out_is_told() -> None:
    svg = drawn([[Player(0, tags=["protected"]), Player(1, out=True, facts=[("tricks", 2)])]])
    assert "Player 1 – you" in readable(svg) and "Protected" in readable(svg) and "Out of the game" in readable(svg)
    assert "Tricks" in readable(svg)


def test_a_board_has_holes_several_pieces_in_a_cell_and_rows_of_hexes() -> None:
    cells: list[list[Any]] = [[HOLE, [Token(0), Token(1)]], [None, "x"]]
    square = drawn([Board(cells, [[None, 1], [2, None]], names=[["", ""], ["a2", "b2"]])], [1, 2])
    assert sorted(offered(square)) == [1, 2]
    faces = [one for one in tree(square).iter() if "cell" in (one.get("class") or "").split()]
    assert len(faces) == 3, "a hole is no cell"
    assert "Player 1, player 2" in all_titles(square)
    hexes = drawn([Board(cells, hexes=True)])
    assert len([one for one in tree(hexes).iter(f"{SVG}polygon") if "cell" in one.get("class", "")]) == 3


def test_a_piece_in_a_cell_lets_clicks_through_unless_it_is_an_option_itself() -> None:
    svg = drawn([Board([[Cell(Token(0, key="mine"), action=1), Token(1, action=2)]])], [1, 2])
    through = [group for group in tree(svg).iter(f"{SVG}g") if group.get("pointer-events") == "none"]
    assert [group[0].attrib["data-thing"] for group in through] == ["mine"]
    assert sorted(offered(svg)) == [1, 2]


def test_a_track_turns_back_and_places_are_joined() -> None:
    track = drawn([Track("way", [Cell(action=n) for n in range(6)], across=3)], range(6))
    spots = {n: thing(track, f"board-0-action-{n}").find(f"{SVG}rect").attrib for n in range(6)}
    assert spots[2]["x"] == spots[3]["x"] and spots[2]["y"] != spots[3]["y"], "the fourth lies under the third"
    assert spots[0]["x"] == spots[5]["x"]
    places = drawn([Places("map", {"a": 0, "b": Cell(action=3)}, {"a": (0, 0), "b": (2, 1)}, [("a", "b")])], [3])
    assert offered(places) == [3] and "<line" in places


def pawn(seat: int, letter: str, action: int) -> Token:
    return Token(seat, letter, shape="pawn", key=f"{seat}{letter}", action=[action])


#: A track of more squares than a phone has room for, with stacks, a crowd, holes, ladders and slides.
MOUNTAIN = Track(
    "mountain",
    [
        Cell([pawn(seat, "A", seat) for seat in range(4)], name="camp"),
        Cell([pawn(seat, "B", 4 + seat) for seat in range(4)], stack=True),
        Cell([pawn(0, "C", 8), pawn(1, "C", 9)], stack=True, title="ice"),
        *(HOLE if place in (8, 9, 12) else Cell(action=7 + place) for place in range(3, 36)),
    ],
    across=9,
    first=0,
    up=True,
    links=[(2, 11), (15, 10), (33, 20, "red")],
)


def test_a_stack_is_told_from_the_bottom_up_and_stands_in_that_order() -> None:
    svg = drawn([MOUNTAIN], range(43), players=4)
    told = "B (player 1), B (player 2), B (player 3), B (player 4)"
    assert f"1: from the bottom up: {told}" in all_titles(svg)
    assert "Ice: from the bottom up: C (player 1), C (player 2)" in all_titles(svg)
    assert "Camp: A (player 1), A (player 2)" in all_titles(svg), "where nobody stands on anybody no order is told"
    tops = [
        float(top) for top in re.findall(r'translate\([\d.]+ ([\d.]+)\) scale\([\d.]+\)"><g [^>]*-thing="\dB"', svg)
    ]
    assert len(tops) == 4 and tops == sorted(tops, reverse=True)
    dice = drawn([Board([[Cell([Die(3), Card("K♠"), Token(0)], stack=True)]])])
    assert "From the bottom up: 3, K♠, player 1" in all_titles(dice)


def test_a_track_is_numbered_holes_too_and_keeps_a_number_beside_a_name() -> None:
    plain = readable(drawn([Track("way", [None, HOLE, Cell(name="★"), Cell(0)], first=41)])).split()
    assert [word for word in plain if word[0] in "4★"] == ["41", "★", "43", "44"]
    named = readable(drawn([Track("way", [Cell(name="47"), Cell(name="★"), Cell(0, name="49")], first=41)])).split()
    assert [word for word in named if word[0] in "4★"] == ["47", "★", "49"], "numbers of the author's are the only ones"
    spots = {n: next(thing(drawn([MOUNTAIN]), f"board-0-{n}").iter(f"{SVG}rect")) for n in (0, 10, 35)}
    left, high = ({n: float(spot.attrib[axis]) for n, spot in spots.items()} for axis in "xy")
    assert high[35] < high[10] < high[0] and left[0] == left[35] == 0 < left[10], "it climbs from the bottom left"


def test_the_path_of_a_track_has_straight_corners_and_links_lead_over_it() -> None:
    svg = drawn([MOUNTAIN])
    wide, narrow = (
        [tuple(map(float, one.split(","))) for one in path.split()]
        for path in re.findall('<polyline points="([^"]*)"', svg)
    )
    for points in (wide, narrow):
        assert len(points) == 36
        assert all(x == to_x or y == to_y for (x, y), (to_x, to_y) in pairwise(points)), "no line is askew"
    assert len({x for x, _ in wide}) == 9 and len({x for x, _ in narrow}) == 5
    assert drawn([Track("none", [])]) and drawn([Track("all holes", [HOLE, HOLE])])
    assert svg.count("<polygon") == 4, "two slides end in an arrow, on each page"
    assert "#c43d3d" in svg, "a link has the colour it was given"
    assert "15 → 10" in all_titles(svg) and "33 → 20" in all_titles(svg), "a screen reader is told where it leads"
    with pytest.raises(PlaymillError, match="no square 4 to link; they are numbered 1 to 3"):
        Track("way", [None] * 3, links=[(1, 4)])
    with pytest.raises(PlaymillError, match="Track has no colour 'mauve'"):
        Track("way", [None] * 3, links=[(1, 2, "mauve")])


_SMALL = """least => [...document.querySelectorAll('[data-thing] .face')].filter(face => {
    const box = face.closest('[data-thing]').getBoundingClientRect();
    return face.closest('[data-in]') && Math.max(box.width, box.height) < least;
}).map(face => face.closest('[data-thing]').dataset.thing)"""


@needs_chromium
@pytest.mark.parametrize(("width", "light"), [(1100, "light"), (380, "dark")])
def test_every_piece_of_a_track_can_be_hit_and_its_links_are_seen(
    browser: Any, tmp_path: Path, width: int, light: str
) -> None:
    page = Page(browser, tmp_path, width, light)
    page.open_picture(drawn([MOUNTAIN], range(43), players=4))
    assert page.hidden() == [] and page.weak() == []
    assert page.page.evaluate(_SMALL, 27) == [], "a finger finds each piece"
    seen = page.look("", "")
    assert seen["outside"] == seen["beyond"] == [] and seen["words"] > 9 and seen["wide"] <= width
    inks = "[...document.querySelectorAll('[pointer-events] path')].map(one => getComputedStyle(one).stroke)"
    brown = "rgb(125, 82, 48)" if light == "light" else "rgb(150, 104, 63)"
    assert brown in page.page.evaluate(inks)
    page.close()


LONG = "Ночью по леднику никто не ходит, а утром всё начинается сначала"
NOTES: list[Row] = [
    Note(LONG),
    [
        Header("ход 17 из 160, до темноты осталось совсем немного времени"),
        Area("Альпинист B в пути к вершине", [Die(3)], surface="wood", note="3 из 6 граней — провал в трещину ледника"),
    ],
    [
        Area("Столбик на 11, снизу вверх", [Token(0)], note="риск"),
        Area("Очки", [Token(1)], note="12"),
        Facts([("очень длинное название", "и такое же длинное значение, которому нужно место")]),
    ],
]


@needs_chromium
@pytest.mark.parametrize("width", [1100, 380])
def test_notes_and_titles_are_wrapped_and_never_cut(browser: Any, tmp_path: Path, width: int) -> None:
    svg = drawn(NOTES, lang="ru")
    page = Page(browser, tmp_path, width, "light")
    page.open_picture(svg)
    shown = page.page.evaluate(
        "[...document.querySelectorAll('svg text')].filter(one => one.getClientRects().length)"
        ".map(one => one.textContent)"
    )
    assert (LONG in shown) is (width > 720), "in one line where there is room for it"
    shown = " ".join(shown)
    for said in (
        LONG,
        "совсем немного времени",
        "3 из 6 граней — провал в трещину ледника",
        "Столбик на 11, снизу вверх",
    ):
        assert shown.count(said) == 1, "once on each page"
    assert "…" not in shown and "длинное значение, которому нужно место" in shown
    seen = page.look("", "")
    assert seen["outside"] == seen["beyond"] == seen["clashes"] == []
    page.close()


def test_scores_phases_facts_and_notes_are_read() -> None:
    rows: list[Row] = [
        [Header("turn 3"), Phases(["draw", "play"], 1, ["last round"])],
        [Scores([20, 35], 50, [7, 0]), Facts([("pot", 12)], title="known"), Note("Click a card.")],
    ]
    said = readable(drawn(rows))
    for line in (
        "The table",
        "turn 3",
        "Draw",
        "Play",
        "Last round",
        "20 +7",
        "35",
        "Known",
        "Pot",
        "12",
        "Click a card.",
    ):
        assert line in said
    assert said.count("The table") == 1, "a header that was given does not come twice"


def test_options_without_a_place_get_buttons_where_the_author_wants_them() -> None:
    svg = drawn([Hand("mine", ["K"], [1])], [1, 5, 6])
    assert sorted(offered(svg)) == [1, 5, 6] and "Does 5" in readable(svg)
    assert offered(drawn([Buttons("do"), Hand("mine", ["K"], [1])], [1, 5])) in ([1, 5], [5, 1])


def test_nobody_but_whoever_is_to_move_is_offered_anything() -> None:
    assert offered(drawn([Area("all", EVERY_PIECE)], (), viewer=None)) == []


def test_none_is_no_words_at_all() -> None:
    """As a helper of an author's passes on what it was not given."""
    pieces: list[Any] = [Card("Tea", rank=None, text=None, title=None, why=None), Token(0, None, title=None, why=None)]
    rows: list[Row] = [Area(None, pieces, note=None), Player(0, why=None, name=None), Note("told", None), Header(None)]
    given: list[Row] = [Area("", [Card("Tea"), Token(0)]), Player(0), Note("told"), Header()]
    assert drawn(rows, [1]) == drawn(given, [1]) and "None" not in drawn(rows, [1])


@pytest.mark.parametrize("cards", [[Card("Tea", rank=1, text="lands"), Card("Fog"), Card(down=True)], [Card("Fog")]])
def test_cards_and_backs_that_lie_together_have_one_size(cards: list[Card]) -> None:
    lying: list[Any] = [
        *cards,
        Pile("deck", 3),
        Pile("played", 2, top=Card("Customs", text="looks under the tarpaulin")),
    ]
    for rows in ([Area("all", lying)], [Player(0, lying)], [Hand("all", cards)]):
        root = tree(drawn(rows))
        things = [
            one for one in root.iter(f"{SVG}g") if re.match(r"(area|player|hand)-.*-\d", one.get("data-thing", ""))
        ]
        faces = [rect for one in things for rect in one.iter(f"{SVG}rect") if rect.get("class") == "face"]
        assert len(faces) >= len(cards) and len({(face.get("width"), face.get("height")) for face in faces}) == 1


def test_an_unknown_colour_is_told_with_those_there_are() -> None:
    with pytest.raises(PlaymillError, match="Token has no colour 'mauve'; there are red, yellow, "):
        Token("mauve")
    with pytest.raises(PlaymillError, match="Token has no shape 'ball'; there are disc, cube, "):
        Token("red", shape=cast(Any, "ball"))


def test_numbers_of_a_state_will_do_as_they_are() -> None:
    """What `s["field"]` gives is of NumPy: a number, a row of a board."""
    small = np.arange(6, dtype=np.int8)
    rows: list[Row] = [
        Board(small.reshape(2, 3) % 2, small.reshape(2, 3)),
        [Player(small[0], facts=[("place", small[2])]), Scores(small[:2], small[5])],
        Area("", [Die(small[3], action=small[5], throw=small[1]), Pile("deck", small[4], key=small[1])]),
    ]
    svg = drawn(rows, [1, 5])
    assert offered(svg) == [1, 5, 5] and "Deck: 4" in all_titles(svg)


def test_the_same_picture_in_both_languages_differs_in_words_alone() -> None:
    rows: list[Row] = [Area(Text("deck", "колода"), [Card(Text("Prince", "Принц"), action=1, key=1)])]
    english, russian = (drawn(rows, [1], lang=lang) for lang in LANGUAGES)
    names = [re.findall('data-thing="([^"]*)"', svg) for svg in (english, russian)]
    assert names[0] == names[1] and "Принц" in readable(russian) and "Делает 1" in all_titles(russian)


CARDS: list[Row] = [
    Hand("рука", [Card(name, rank=8, text=f"{name} сбрасывает руку и выбывает из игры") for name in PRINCES]),
    [Hand("узко", [Card(name) for name in PRINCES]), Player(1, [Card(name, rank=n) for n, name in enumerate(PRINCES)])],
    [Player(seat, [Card(name) for name in PRINCES]) for seat in range(4)],
    Player(0, [Card("Чай", rank=1, text="свезти на берег"), Card("Ром", text="свезти на берег"), Card(down=True)]),
    Hand("много", [f"{rank}{suit}" for suit in "♠♥♣♦" for rank in range(2, 11)]),
]
#: Words of a card that leave it, and those of a card that another one covers.
_SPILT = """() => {
    const cards = [...document.querySelectorAll('[data-thing]')].filter(one => one.querySelector('.face'));
    const texts = cards.flatMap(card => [...card.querySelectorAll('text')].map(text => [card, text]));
    return texts.filter(([card, text]) => {
        const drawn = [...card.querySelectorAll('.face')].find(face => face.getClientRects().length);
        const [face, box] = [drawn, text].map(one => one.getBoundingClientRect());
        return box.left < face.left - 0.5 || box.right > face.right + 0.5 || box.bottom > face.bottom + 0.5
            || box.top < face.top - 0.5;
    }).map(([, text]) => text.textContent);}"""
_COVERED = """() => [...document.querySelectorAll('[data-thing] text')].filter(text => {
        text.scrollIntoView({block: 'center'});
        const box = text.getBoundingClientRect();
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return hit?.closest('[data-thing]') !== text.closest('[data-thing]');
    }).map(text => text.textContent)"""


@needs_chromium
@pytest.mark.parametrize(("width", "light"), [(1100, "light"), (380, "dark"), (320, "light")])
def test_no_word_leaves_its_card_and_long_names_are_told_apart(
    browser: Any, tmp_path: Path, width: int, light: str
) -> None:
    page = Page(browser, tmp_path, width, light)
    page.open_picture(drawn(CARDS, range(4), lang="ru", players=4))
    assert page.page.evaluate(_SPILT) == [], "no text is outside of its card"
    assert page.page.evaluate(_COVERED) == [], "in a fan everything can be read"
    shown = readable(drawn(CARDS, lang="ru", players=4))
    assert "…" not in shown
    for name in PRINCES:  # one of 18 letters takes two lines where four players sit side by side
        assert shown.replace(" ", "").count(name) >= 8, f"{name} is written in full on each of its cards"
    seen = page.look("", "")
    assert seen["outside"] == seen["beyond"] == [] and seen["wide"] <= width
    assert seen["words"] > 9
    assert page.weak() == []
    page.close()


_CUED = """() => [...document.querySelectorAll('.face')].map(face => {
    const style = getComputedStyle(face);
    return [Boolean(face.closest('.act')), style.stroke, style.fill, style.filter];})"""


@needs_chromium
@pytest.mark.parametrize("light", ["light", "dark"])
def test_what_can_be_clicked_is_seen_before_the_first_click(browser: Any, tmp_path: Path, light: str) -> None:
    rows: list[Row] = [
        [Board([[None, None]], [[0, 1]]), Area("dice", [Die(1, action=2), Die(2, action=3), Card("7", action=4)])]
    ]
    page = Page(browser, tmp_path, 1100, light)
    page.open_picture(drawn(rows, [0, 2]))
    found = page.page.evaluate(_CUED)
    edge = "rgb(200, 116, 26)" if light == "light" else "rgb(240, 160, 75)"
    assert [cued for cued, *_ in found].count(True) == 2
    for cued, stroke, *_ in found:
        assert (stroke == edge) is cued
    page.close()


def test_the_example_of_the_documentation_is_drawn() -> None:
    """The view of 40 lines, in both languages: its cards, its players, its options of two clicks."""
    page = (Path(__file__).parents[1] / "docs" / "new_game.md").read_text(encoding="utf-8")
    (code,) = [one for one in re.findall("```python\n(.*?)```", page, re.DOTALL) if "NAMES = (Text(" in one]
    names: dict[str, Any] = {}
    exec(code, names)  # our own page
    state = np.dtype(
        [
            *((name, np.int8) for name in ("player", "players", "left", "round")),
            *((name, np.int8, (4,)) for name in ("tokens", "out", "protected")),
            ("hand", np.int8, (4, 2)),
            ("discard", np.int8, (8,)),
        ]
    )
    s = np.zeros(1, state)[0]
    s["players"], s["left"], s["hand"], s["discard"][2:] = 3, 7, -1, -1
    s["hand"][:3, 0], s["hand"][0, 1], s["protected"][1], s["out"][2] = (0, 1, 2), 2, 1, 1
    legal = [1, 2, 9, 10]
    for lang in LANGUAGES:
        svg = drawn(names["table"](None, s, 0, lang), legal, lang=lang, players=3)
        assert sorted(composed(svg)) == legal
        assert ("Принцесса" if lang == "ru" else "Princess") in readable(svg)
        assert ("Под защитой" if lang == "ru" else "Protected") in readable(svg)
    assert len(code.splitlines()) < 60
