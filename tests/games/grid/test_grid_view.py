"""The picture of Grid's table: well-formed, clickable where something is legal, whole without anything from outside."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from grid_scenes import LARGE, SHIPPED

from common.language import kept_to
from common.pictures import SVG, acts, check_layout, offered, panel_size, parts, readable, tree
from playmill.games.grid import constants, rules, words
from playmill.games.grid.actions import (
    ACCEPT,
    FROM_DISCARD,
    MATCH,
    NO_MATCH,
    PASS,
    PICK,
    PLACE,
    PUT_OTHER,
    PUT_SELF,
    REFUSE,
    TAKE_OTHER,
    TAKE_SELF,
    TARGET,
)
from playmill.games.grid.config import Config
from playmill.games.grid.constants import (
    APPLY,
    DRAFT_PASS,
    DRAFT_PICK,
    JOKER,
    MOVE_OTHERS,
    OPPONENT,
    OPPONENT_CARD,
    OPPONENT_EMPTY,
    PATTERNS,
    PLACEMENT,
    REF,
    RESOLVE,
    SELF_CARD,
    SELF_EMPTY,
    STEAL,
)
from playmill.games.grid.view import WIDTH, view
from playmill.games.grid.view.shapes import COLOURS, hue
from playmill.games.grid.words import names
from playmill.texts import LANGUAGES, Lang, Text

KINDS = range(11)


def table(players: int = 3, config: Config = SHIPPED, **changes: Any) -> np.void:
    """A state in the middle of a game: the second player is on turn, boards are half full, a joker lies about."""
    s: np.void = np.zeros(1, rules.State)[0]
    s["players"], s["turns"], s["deck_size"], s["winner"] = players, 12, 40, constants.NOBODY
    s["active"] = s["player"] = 1
    s["phase"], s["card"], s["vp"][:players] = constants.FROM_DRAFT, 31, 7
    for player in range(players):
        s["board"][player, :8] = range(1 + 8 * player, 9 + 8 * player)
        s["hand"][player, :2], s["hand_size"][player] = (80 + player, 85 + player), 2
    s["board"][1, 3] = JOKER
    s["discard"][:3], s["discard_size"] = (40, JOKER, 41), 3
    s["revealed"][: config.game.draft.reveal] = range(50, 50 + config.game.draft.reveal)
    s["target"], s["source"], s["patterns"][1, :3] = 0, 2, (1, 0, 2)
    for name, value in changes.items():
        s[name] = value
    return s


def options(kind: int, config: Config = SHIPPED) -> list[int]:
    """Some legal actions of the player on turn for each kind of decision."""
    cells = config.game.grid.width * config.game.grid.height
    free, zone = range(8, cells), names.zone_of(config)
    return {
        PLACEMENT: [PLACE + cell for cell in free],
        DRAFT_PICK: [PICK + place for place in range(3)],
        DRAFT_PASS: [PASS + place for place in (0, 1, 2)],
        RESOLVE: [MATCH + 2, MATCH + PATTERNS, *([NO_MATCH] if config is LARGE else [])],
        APPLY: [REFUSE, ACCEPT],
        SELF_CARD: [TAKE_SELF + cell for cell in range(8)],
        SELF_EMPTY: [PUT_SELF + cell for cell in free],
        OPPONENT: [TARGET, TARGET + 2],
        OPPONENT_CARD: [TAKE_OTHER + cell for cell in range(8) if cell not in zone],
        OPPONENT_EMPTY: [PUT_OTHER + cell for cell in free if cell not in zone],
        REF: [FROM_DISCARD + place for place in range(3)],
    }[kind]


def resolving(kind: int, players: int = 3, config: Config = SHIPPED) -> np.void:
    """A state that waits for a decision of a kind."""
    s = table(players, config, kind=kind)
    if kind >= APPLY:
        s["pattern"], s["pattern_cells"], s["card"] = 9, 0b11110, 0
        s["reward"] = MOVE_OTHERS if kind == OPPONENT_EMPTY else STEAL
    return s


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("players", "config"), [(3, SHIPPED), (4, LARGE)])
def test_exactly_the_legal_actions_can_be_clicked_each_once(
    players: int, config: Config, kind: int, lang: Lang
) -> None:
    svg = view(config, resolving(kind, players, config), 1, options(kind, config), lang)
    assert sorted(offered(svg)) == sorted(options(kind, config))
    assert all(row.attrib["class"] == "act" and row.attrib["role"] == "button" for row in acts(svg))
    assert tree(svg).attrib["viewBox"].startswith(f"0 0 {WIDTH} ")


def test_each_language_is_kept_to() -> None:
    for kind in KINDS:
        s = resolving(kind)
        s["skip"][2], s["extra"] = 1, 1
        english, russian = (readable(view(SHIPPED, s, 1, options(kind), lang)) for lang in LANGUAGES)
        kept_to(english, "en")
        kept_to(russian, "ru", r"RWD\d+|END\d|\b[A-J]\b")
        assert "skips a turn" in english and "пропустит ход" in russian
        assert "Extra turn" in english and "Дополнительный ход" in russian


def test_every_card_has_its_rank_and_the_letter_of_its_colour() -> None:
    s = table()
    s["board"][0, :5] = (1, 4, 7, 10, 13)
    for lang, letters in zip(LANGUAGES, ("RBGYP", "КСЗЖФ"), strict=True):
        assert set(letters) <= set(readable(view(SHIPPED, s, None, [], lang)).split())


def test_colours_of_a_deck_have_faces_of_their_own() -> None:
    deck = ["game.deck.colors=[3,1,99,8,40,41,5,6]", "game.deck.ranks=[1,2,3,4,5]", "game.deck.total_cards=120"]
    config = SHIPPED.changed(deck)
    assert sorted(hue(config, colour) for colour in config.game.deck.colors) == sorted(COLOURS)
    assert "#99" in readable(view(config, table(discard=9, discard_size=1), None, [], "en"))


def test_what_is_in_question_is_shown() -> None:
    assert names.card_name(SHIPPED, 31).en.capitalize() in readable(view(SHIPPED, table(), 1, [], "en"))
    shown = readable(view(SHIPPED, resolving(OPPONENT_EMPTY), 1, [], "en"))
    assert "Red triangle 1" in shown and "Pattern J (9 VP)" in shown and "RWD7, move an opponent's card" in shown
    gold = re.findall('stroke="#e0a100"', view(SHIPPED, resolving(APPLY), 1, [], "en"))
    assert len(gold) == 4 + 1, "the four cells of the pattern, and the legend"


def test_a_finished_game_shows_its_ending() -> None:
    s = table(player=constants.NOBODY, winner=2, end=constants.END2, vp=(1, 2, 30, 0))
    svg = view(SHIPPED, s, 0, [], "en")
    assert "Player 3 wins with 30 VP" in readable(svg) and "END2, no free cell" in readable(svg)
    assert "Партия окончена" in readable(view(SHIPPED, s, None, [], "ru"))
    assert offered(svg) == []


def test_everything_lies_within_the_picture() -> None:
    s = table(2, hand_size=(40, 2, 0, 0))
    s["hand"][0, :40] = range(1, 41)
    s["patterns"][:2] = 1
    for players, config in ((2, SHIPPED), (2, LARGE), (4, LARGE)):
        s["players"] = players
        svg = view(config, s, 1, options(PLACEMENT, config), "ru")
        sizes = [size for part in parts(svg) if (size := panel_size(part)) is not None]
        check_layout(svg, WIDTH, sizes)
        for part, (width, height) in zip(parts(svg), sizes, strict=True):
            for rect in part.iter(f"{SVG}rect"):
                x, y, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
                assert x >= 0 and y >= 0 and x + w <= width and y + h <= height


def test_a_card_is_called_the_same_wherever_it_lies() -> None:
    for kind in KINDS:
        svg = tree(view(SHIPPED, resolving(kind), 1, options(kind), "en"))
        called = [group.attrib["data-thing"] for group in svg.iter(f"{SVG}g") if "data-thing" in group.attrib]
        assert len(called) == len(set(called)), "no two things have one name"
        assert {f"card-{number}" for number in (1, 8, 41, 80, 50)} <= set(called)
    placing = view(SHIPPED, table(kind=PLACEMENT), 1, options(PLACEMENT), "en")
    assert "card-31" in placing, "the card to be placed slides from there to its cell"


def test_a_cell_that_cannot_be_chosen_says_why() -> None:
    def why(kind: int) -> dict[str, str]:
        groups = tree(view(SHIPPED, resolving(kind), 1, options(kind), "en")).iter(f"{SVG}g")
        return {group.attrib["data-thing"]: group.attrib["data-why"] for group in groups if "data-why" in group.attrib}

    assert why(PLACEMENT)["card-9"] == "This cell is taken"
    assert why(PLACEMENT)["cell-0-20"] == "Cards are placed on your own board only"
    assert why(OPPONENT_EMPTY)["cell-0-12"] == why(OPPONENT_CARD)["card-7"]
    assert why(OPPONENT_CARD)["card-7"] == "The protected zone is closed to opponents' rewards"
    assert why(OPPONENT_CARD)["card-10"] == "This reward acts on another board"


def test_every_pattern_is_told_with_what_it_brings() -> None:
    told = readable(view(SHIPPED, table(), None, [], "en"))
    for pattern in SHIPPED.patterns:
        assert f"{pattern.id} · {pattern.vp} VP" in told
    assert "ranks in a row one colour → an extra turn" in told


def test_texts_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "describe", lambda config, action: Text("<script>&\"'", "<script>&\"'"))
    monkeypatch.setattr(names, "player_name", lambda player: Text("<b>&", "<b>&"))
    svg = view(SHIPPED, table(), 1, options(PLACEMENT), "en")
    tree(svg)
    assert "<script" not in svg and "<b>" not in svg and "&lt;script&gt;" in svg and "&lt;b&gt;" in svg.lower()
