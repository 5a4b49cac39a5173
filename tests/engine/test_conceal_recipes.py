"""The recipes for `conceal` on the page about new games: what they deal is possible, and all of it equally likely."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playmill.author import redeal_rule
from playmill.engine.lang import rng
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import SPECTATOR, interpreted

PAGE = Path(__file__).parents[2] / "docs" / "new_game.md"
#: Four cards of two suits in three hands; seat 0 holds card 0, the others three of the rest.
STATE = np.dtype(
    [
        ("players", np.int8),
        ("holder", np.int8, (4,)),
        ("void", np.int8, (3, 2)),
        ("bid", np.int8, (3,)),
        ("bids_made", np.int8),
    ],
    align=True,
)
CONFIG = np.dtype([("most", np.int32)], align=True)


@pytest.fixture(scope="module")
def conceal() -> Any:
    """The recipe as it stands on the page, for a deck of four cards."""
    found = re.search(r"^```python\n(((?!```).)*?def holds.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None
    space: dict[str, Any] = {"__name__": "recipes"}
    exec(found[1].replace("CARDS, RANKS = 52, 13", "CARDS, RANKS = 4, 2"), space)
    return interpreted(redeal_rule(STATE, space["HIDDEN"], space["possible"]))


def dealt(conceal: Any, player: int, luck: int, *, void: bool, bids: int) -> tuple[list[int], list[int]]:
    cfg, s = np.array([(5,)], CONFIG), np.zeros(1, STATE)
    made = tuple(bid if seat < bids else -1 for seat, bid in enumerate((5, 4, 0)))
    s["players"], s["holder"], s["bid"], s["bids_made"] = 3, (0, 1, 2, 2), made, bids
    s["void"][0, 1, 1] = void
    chance = plain(np.zeros(1, rng.GameRng))[0]
    interpreted(rng.seed_game_rng)(chance, 1, luck)
    conceal(plain(cfg)[0], plain(s)[0], player, chance)
    return s["holder"][0].tolist(), s["bid"][0].tolist()


def test_hands_are_dealt_evenly_and_her_own_stays(conceal: Any) -> None:
    hands = Counter(tuple(dealt(conceal, 0, luck, void=False, bids=3)[0]) for luck in range(300))
    assert set(hands) == {(0, 1, 2, 2), (0, 2, 1, 2), (0, 2, 2, 1)}
    assert min(hands.values()) > 60  # of 100 each


def test_nobody_is_dealt_a_suit_that_she_could_not_follow(conceal: Any) -> None:
    hands = Counter(tuple(dealt(conceal, 0, luck, void=True, bids=3)[0]) for luck in range(30))
    assert set(hands) == {(0, 1, 2, 2)}  # cards 2 and 3 are of the suit that seat 1 lacks
    watched = {tuple(dealt(conceal, SPECTATOR, luck, void=True, bids=3)[0]) for luck in range(100)}
    assert watched == {(0, 1, 2, 2), (1, 0, 2, 2), (2, 1, 0, 2), (2, 1, 2, 0), (1, 2, 0, 2), (1, 2, 2, 0)}


def test_bids_are_secret_until_all_are_made(conceal: Any) -> None:
    bids = [dealt(conceal, 0, luck, void=False, bids=2)[1] for luck in range(100)]
    assert {bid[0] for bid in bids} == {5} and {bid[1] for bid in bids} == set(range(6))
    assert {bid[2] for bid in bids} == {-1}  # she has not bid yet
    assert dealt(conceal, 0, 1, void=False, bids=3)[1] == [5, 4, 0]
