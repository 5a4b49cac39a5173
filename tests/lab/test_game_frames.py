"""Tables of single games: what their columns are called, who sat where, and their files."""

from __future__ import annotations

import re
from io import BytesIO

import numpy as np
import polars
import pytest

from common.found import GAMES, game_of
from playmill import Game
from playmill.lab.runs.game_frames import games_frame, parquet_rows, seats_frame

#: Words that are no names of columns in SQL unless they are quoted.
RESERVED = {"all", "and", "as", "asc", "case", "check", "column", "default", "desc", "distinct", "do", "else", "end"}
RESERVED |= {"except", "for", "from", "group", "having", "in", "limit", "not", "null", "offset", "on", "only", "or"}
RESERVED |= {"order", "select", "some", "table", "then", "to", "union", "unique", "using", "when", "where", "with"}


def rows_of(game: Game, count: int = 12) -> np.ndarray:
    """Made-up rows: every field holds small numbers that its names, if it has any, cover."""
    rows = np.zeros(count, game.outcome)
    values = (game.outcome.metadata or {}).get("values", {})
    luck = np.random.default_rng(1)
    for name in game.outcome.names or ():
        rows[name] = luck.integers(-1, len(values.get(name, range(4))), size=rows[name].shape)
    return rows


@pytest.mark.parametrize("name", GAMES)
def test_columns_are_words_that_sql_takes_without_quotes(name: str) -> None:
    game = game_of(name)
    players = game.players[1]
    for frame in (
        games_frame(rows_of(game), 0, players=players),
        seats_frame(rows_of(game), 0, ["random"] * players, players),
    ):
        folded = [column.casefold() for column in frame.columns]
        assert len(set(folded)) == len(folded), "SQL does not tell capital letters from small ones"
        assert [column for column in folded if not re.fullmatch("[a-z][a-z0-9_]*", column)] == []
        assert not RESERVED & set(folded)


def test_the_deal_and_the_rotation_follow_the_game(dimensions: Game) -> None:
    frame = games_frame(rows_of(dimensions, 5), 7, 3)
    assert frame.columns[:3] == ["game", "deal", "rotation"]
    assert frame["game"].to_list() == [7, 8, 9, 10, 11]
    assert frame["deal"].to_list() == [2, 2, 3, 3, 3]
    assert frame["rotation"].to_list() == [1, 2, 0, 1, 2]
    assert games_frame(rows_of(dimensions, 5), 7).columns[:2] == ["game", "decisions"], "no rotations, no such columns"


def test_the_agent_of_a_seat_is_the_one_who_sat_there(dimensions: Game) -> None:
    frame = seats_frame(rows_of(dimensions, 4), 2, ["a", "b", "c"], 3)
    sat = frame.group_by("game", maintain_order=True).agg("rotation", "agent")
    assert sat["agent"].to_list() == [["c", "a", "b"], ["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]
    assert sat["rotation"].to_list() == [[2] * 3, [0] * 3, [1] * 3, [2] * 3]
    pairs = seats_frame(rows_of(dimensions, 2), 0, ["a", "b", "a", "b"], 2)
    assert pairs["agent"].to_list() == ["a", "b", "a", "b", "b", "a", "b", "a"]


def test_seats_are_told_whether_they_won(pig: Game) -> None:
    rows = rows_of(pig)
    rows["winner"][:3] = (1, -1, 0)
    won = seats_frame(rows, 0, ["a", "b"])["won"].to_list()
    assert won[:6] == [0, 1, 0, 0, 1, 0]
    assert "won" not in games_frame(rows, 0).columns


def test_a_game_that_says_itself_whether_it_was_won_is_believed() -> None:
    rows = rows_of(game_of("save_oneself"))
    assert seats_frame(rows, 0, ["a"])["won"].to_list() == rows["won"].tolist()


def test_attacks_won_are_not_taken_for_games_won(influence: Game) -> None:
    frame = seats_frame(rows_of(influence), 0, ["a", "b"])
    assert frame["won"].to_list() == (frame["winner"] == frame["seat"]).cast(polars.Int8).to_list()
    assert "won_zero" in frame.columns


def test_empty_seats_have_no_columns_where_the_players_are_known(dimensions: Game) -> None:
    columns = games_frame(rows_of(dimensions), 0, players=3).columns
    assert "faction_2" in columns and "faction_3" not in columns
    assert "faction_4" in games_frame(rows_of(dimensions), 0).columns
    assert "anomaly_plays_time_loop" in columns, "only seats are left out"


def test_a_number_below_zero_is_nothing(dimensions: Game) -> None:
    rows = np.zeros(2, dimensions.outcome)
    rows["faction"][1] = -1
    assert games_frame(rows, 0)["faction_0"].to_list() == ["red", ""]


@pytest.mark.parametrize("name", GAMES)
def test_a_parquet_file_is_the_frame_with_small_numbers_left_small(name: str) -> None:
    game = game_of(name)
    agents = [f"agent {seat}" for seat in range(game.players[1])]
    files = parquet_rows(rows_of(game), 2**40, agents, len(agents))
    games = polars.read_parquet(BytesIO(files.games))
    assert games.equals(games_frame(rows_of(game), 2**40, len(agents), players=len(agents)))
    seats = polars.read_parquet(BytesIO(files.seats))
    assert seats.equals(seats_frame(rows_of(game), 2**40, agents, len(agents)))
    assert games.schema["game"] == polars.Int64 and games["game"][0] == 2**40
    assert seats.schema["seat"] == polars.Int8


def test_equal_games_have_equal_bytes(dimensions: Game) -> None:
    many = np.resize(rows_of(dimensions), 300_000)
    assert parquet_rows(many, 5, ["a", "b", "c"]) == parquet_rows(many.copy(), 5, ["a", "b", "c"])
    assert parquet_rows(many[:9], 6, ["a", "b", "c"]).games != parquet_rows(many[:9], 5, ["a", "b", "c"]).games


def test_a_name_in_bytes_that_are_no_text_is_written_all_the_same(pig: Game) -> None:
    frame = seats_frame(rows_of(pig, 1), 0, ["bot\udcff.py", "b"])
    assert frame["agent"].to_list() == ["bot\\udcff.py", "b"]
