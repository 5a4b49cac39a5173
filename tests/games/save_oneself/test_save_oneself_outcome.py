"""The row of a finished game of Save Oneself, and how rows are added up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from save_oneself_games import counted, games

from playmill import Game, load_game
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.backends import Cpu, Interpreted
from playmill.engine.run.match import Match
from playmill.games.save_oneself import constants, rules
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, CARDS, FRONT_IDS, ROUNDS, SIDE_IDS
from playmill.games.save_oneself.outcome import ENDINGS, MAX_ROUNDS, MAX_SCORE, WINS, Outcome, Tally, outcome
from playmill.lab.runs.game_frames import games_frame

_outcome = interpreted(outcome)


@pytest.fixture(scope="module")
def save_oneself() -> Game:
    return load_game("save_oneself")


def row_of(*, up: str = "", overturned: str = "", lives_at: tuple[int, ...] = (), **fields: int) -> Any:
    """The row of a state in which these sides are up; it is written over a row full of other numbers."""
    source = np.zeros(1, rules.State)
    source["player"] = constants.NOBODY
    source["sides"] = sum(1 << SIDE_IDS.index(side) for side in up.split())
    source["overturned"] = sum(1 << CARD_IDS.index(card) for card in overturned.split())
    source["lives_at"][0, : len(lives_at)] = lives_at
    for name, value in fields.items():
        source[name] = value
    made = np.full(1, 77, np.uint8).repeat(Outcome.itemsize).view(Outcome)
    _outcome(plain(Config().pack(1))[0], plain(source)[0], plain(made)[0])
    return made[0]


# The row


@pytest.mark.parametrize(
    ("ending", "name", "won"),
    [
        (constants.BY_SOS, "sos", 1),
        (constants.BY_BEACON, "beacon", 1),
        (constants.BY_MESSAGE, "message", 1),
        (constants.NO_LIVES, "lives", 0),
        (constants.SHIP_GONE, "ship", 0),
        (constants.NO_CARDS, "deck", 0),
    ],
)
def test_the_ending_of_the_rules_has_its_name(ending: int, name: str, won: int) -> None:
    row = row_of(ending=ending)
    assert ENDINGS[row["ended_by"]] == name
    assert row["won"] == won == (row["ended_by"] < WINS)


def test_a_row_tells_what_the_state_held() -> None:
    row = row_of(ending=constants.BY_SOS, lives=7, placed=11, ships=2, rounds=3, lives_at=(16, 14, 9))
    assert [int(row[name]) for name in ("lives", "cards_placed", "ships", "rounds")] == [7, 11, 2, 3]
    assert row["lives_at"].tolist() == [16, 14, 9] + [0] * (ROUNDS - 3)


def test_score_is_fronts_lives_and_a_point_for_four_cards() -> None:
    fronts = "shelter torch spear message lit-beacon ship-sighted sos treasure"
    points = 2 + 2 + 2 + 3 + 7 + 1 + 5 + 10
    assert row_of(ending=constants.BY_SOS, up=fronts, lives=7, placed=11)["score"] == points + 7 + 2
    assert row_of(ending=constants.NO_LIVES, up=fronts, placed=3)["score"] == points
    others = "fish waterfall coconuts meat tornado sea-serpent compass rum"
    assert row_of(ending=constants.NO_LIVES, up=others + " " + " ".join(CARD_IDS), placed=16)["score"] == 4


def test_a_card_that_turned_back_was_turned_over_all_the_same() -> None:
    row = row_of(ending=constants.SHIP_GONE, up="vines fish", overturned="vines hook storm")
    assert [name for name, turned in zip(FRONT_IDS, row["turned"], strict=True) if turned] == [
        "shelter",
        "fish",
        "tornado",
    ]


# The tally


def test_games_are_counted() -> None:
    counts = counted(games())
    assert (counts["games"], counts["decisions"]) == (4, 27)
    assert counts["ended_by"].tolist() == [1, 0, 1, 1, 1, 0]
    assert np.flatnonzero(counts["score"]).tolist() == [2, 8, 13, 20]
    assert counts["rounds"][:6].tolist() == [0, 1, 1, 1, 1, 0]
    assert counts["cards_placed"].nonzero()[0].tolist() == [5, 6, 8, 9]
    assert counts["ships"].tolist() == [1, 2, 1, 0]


def test_turned_cards_are_counted_with_the_games_they_won() -> None:
    counts = counted(games())
    found = {
        name: (int(turned), int(won))
        for name, turned, won in zip(FRONT_IDS, counts["turned"], counts["turned_and_won"], strict=True)
        if turned
    }
    assert found == {"torch": (2, 1), "message": (1, 1), "sos": (1, 1), "compass": (1, 1)}


def test_lives_are_added_up_by_round() -> None:
    counts = counted(games())
    assert counts["reached"][:5].tolist() == [4, 3, 2, 1, 0]
    assert counts["lives"][:5].tolist() == [16 + 16 + 14 + 16, 15 + 15 + 9, 14 + 4, 1, 0]
    assert counts["lives_squared"][:5].tolist() == [3 * 256 + 196, 225 + 225 + 81, 196 + 16, 1, 0]


def test_a_game_longer_than_any_config_allows_is_counted_apart() -> None:
    row = games()[:1].copy()
    row["rounds"], row["lives_at"] = MAX_ROUNDS + 5, 3
    counts = counted(row)
    assert counts["rounds"].tolist() == [0] * (MAX_ROUNDS + 1) + [1]
    assert counts["reached"].tolist() == [1] * ROUNDS
    assert counts["lives"].sum() == 3 * ROUNDS


def test_the_highest_score_of_any_config_has_its_place() -> None:
    top = Config().changed(["lives=60", "cards_per_point=1", *(f"cards.{card}.front.score=20" for card in CARD_IDS)])
    numbers = top.pack(1)[0]
    assert numbers["points"].sum() + numbers["lives"] + CARDS == MAX_SCORE
    assert np.iinfo(Outcome["score"]).max >= MAX_SCORE
    assert Tally["score"].shape == (MAX_SCORE + 2,), "and one place for what has none"


def test_counts_are_whole_numbers_of_64_bits() -> None:
    assert {np.dtype(kind).base for kind, *_ in (Tally.fields or {}).values()} == {np.dtype(np.int64)}


def recounted(rows: Any) -> dict[str, list[int]]:
    """The counts of games, from their rows by other means."""
    won = rows["ended_by"] < WINS
    came = np.arange(ROUNDS) < rows["rounds"][:, None]
    lives = np.where(came, rows["lives_at"].astype(np.int64), 0)
    turned = rows["turned"].astype(np.int64)
    return {
        "games": [len(rows)],
        "decisions": [int(rows["decisions"].sum())],
        "decisions_squared": [int((rows["decisions"].astype(np.int64) ** 2).sum())],
        "ended_by": np.bincount(rows["ended_by"], minlength=len(ENDINGS)).tolist(),
        "score": np.bincount(rows["score"], minlength=MAX_SCORE + 2).tolist(),
        "rounds": np.bincount(rows["rounds"], minlength=MAX_ROUNDS + 2).tolist(),
        "cards_placed": np.bincount(rows["cards_placed"], minlength=CARDS + 2).tolist(),
        "ships": np.bincount(rows["ships"], minlength=4).tolist(),
        "turned": turned.sum(0).tolist(),
        "turned_and_won": turned[won].sum(0).tolist(),
        "reached": came.sum(0).tolist(),
        "lives": lives.sum(0).tolist(),
        "lives_squared": (lives**2).sum(0).tolist(),
    }


@pytest.mark.parametrize("changes", [[], ["lives=60"], ["lives=1"], ["cards.water.lives=-3", "moves=3"]])
def test_the_tally_of_a_run_is_that_of_its_rows(save_oneself: Game, changes: list[str]) -> None:
    match = Match(save_oneself, save_oneself.config().changed(changes), 1, 5, (0,), (0,), ((),))
    compiled = Cpu(match).play(0, 3000)
    assert {name: np.atleast_1d(compiled.counts[0][name]).tolist() for name in Tally.names or ()} == recounted(
        compiled.rows
    )
    slow = Interpreted(match).play(0, 40)
    assert slow.rows.tobytes() == compiled.rows[:40].tobytes()
    assert {name: np.atleast_1d(slow.counts[0][name]).tolist() for name in Tally.names or ()} == recounted(slow.rows)


def test_won_says_what_the_ending_says(save_oneself: Game) -> None:
    rows = Cpu(Match(save_oneself, save_oneself.config(), 1, 5, (0,), (0,), ((),))).play(0, 3000).rows
    assert (rows["won"] == (rows["ended_by"] < WINS)).all()
    assert ((rows["lives"] == 0) == (rows["ended_by"] == ENDINGS.index("lives"))).all()


def test_rows_have_columns_by_name_for_files() -> None:
    frame = games_frame(games(), 0)
    assert frame["ended_by"].to_list() == ["sos", "message", "lives", "ship"]
    assert frame["turned_torch"].to_list() == [1, 0, 1, 0]
    assert frame["lives_at_2"].to_list() == [15, 15, 9, 0]
