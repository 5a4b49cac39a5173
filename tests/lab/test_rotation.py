"""Rotated runs: every deal from every seat, on any backend and in pieces of any size, counted by groups of deals."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.found import FOLDERS, game_of
from common.reports import counted
from playmill import simulate
from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.cli import main
from playmill.engine.compile.play_kernels import kernels_of
from playmill.engine.run.backends import Cpu, Interpreted, add_counts
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Chunk, GroupCounts, Grouping, Match
from playmill.lab.replays.narration import narrate
from playmill.lab.runs.rotation import Rotating, around, period, rotated
from playmill.report.files.writing import results_text

#: A game, its agents, and how many different rotations they have.
TABLES = (
    ("dice", ("threshold", "random"), 2),
    ("dimensions", ("dealer", "random", "random"), 3),
    ("dimensions", ("dealer", "random", "dealer", "random"), 2),
    ("influence", ("greedy", "random", "cautious"), 3),
    ("pig", ("threshold", "threshold:n=5"), 2),
)
GROUPING = Grouping(8, 5)


def match_of(name: str, agents: Sequence[Any], **changes: Any) -> tuple[Match, tuple[Seat, ...]]:
    """A match with these agents, numbered as a run numbers them, and its seats."""
    game = game_of(name)
    seats = seats_for(game, len(agents), agents)
    names = list(dict.fromkeys(seat.name for seat in seats))
    numbers = tuple(seat.number for seat in seats)
    config = game.config(**changes)
    made = Match(
        game=game,
        config=config,
        players=len(agents),
        seed=11,
        seats=numbers,
        agents=tuple(names.index(seat.name) for seat in seats),
        params=tuple(seat.params for seat in seats),
        lookup_tables=load_lookup_tables(game, config, numbers),
    )
    return made, seats


def rotating(match: Match, rotations: int, kind: Any = Cpu) -> Rotating:
    """A backend that plays so many rotations of a match."""
    backends = [kind(rotated(match, rotation)) for rotation in range(rotations)]
    return Rotating(match, backends, GROUPING, interpreted=kind is Interpreted)


def total_of(chunks: Sequence[Chunk], match: Match) -> Any:
    """The counts of all groups."""
    total = np.zeros(GROUPING.groups, match.game.tally)
    for chunk in chunks:
        add_counts(total, chunk.counts)
    return total


@pytest.mark.parametrize(("game", "agents", "rotations"), TABLES)
def test_a_rotated_run_is_its_rotations_game_by_game(game: str, agents: Sequence[str], rotations: int) -> None:
    match, _ = match_of(game, agents)
    assert period(agents) == rotations
    found = rotating(match, rotations).play(2 * rotations, 60 * rotations)
    assert (found.first, len(found.rows)) == (2 * rotations, 60 * rotations)
    for rotation in range(rotations):
        seated = tuple(agents[(seat + rotation) % len(agents)] for seat in range(len(agents)))
        alone = Cpu(match_of(game, seated)[0]).play(2, 60).rows
        # As bytes: what lies between two fields of a record is left to chance when records are copied.
        every = found.rows.view(np.uint8).reshape(len(found.rows), -1)
        assert every[rotation::rotations].tobytes() == alone.tobytes()


@pytest.mark.parametrize(("game", "agents", "rotations"), TABLES)
def test_groups_count_their_deals_by_the_agents_who_sat_there(game: str, agents: Sequence[str], rotations: int) -> None:
    match, _ = match_of(game, agents)
    found = rotating(match, rotations).play(0, 70 * rotations)
    groups = total_of([found], match)
    where = GROUPING.of(np.arange(70))
    for group in range(GROUPING.groups):
        expected = np.zeros(1, match.game.tally)
        for rotation in range(rotations):
            rows = found.rows[rotation::rotations][where == group]
            seated = np.array(around(match.agents, rotation))
            tally = np.atleast_1d(counted(match.game, np.ascontiguousarray(rows), seated))
            expected.view(np.int64)[:] += tally.view(np.int64)
        assert groups[group : group + 1].tobytes() == expected.tobytes()


@pytest.mark.parametrize("sizes", [(90,), (1,) * 60, (1, 2, 4, 8, 16, 32, 64), (7, 0, 83), (45, 5, 1, 44)])
def test_pieces_of_any_size_give_the_same_rows_and_counts(sizes: Sequence[int]) -> None:
    match, _ = match_of("dimensions", ("dealer", "random", "random"))
    table = rotating(match, 3)
    chunks, deal = [], 0
    for size in sizes:
        chunks.append(table.play(3 * deal, 3 * size))
        deal += size
    whole = rotating(match, 3).play(0, 3 * deal)
    assert b"".join(chunk.rows.tobytes() for chunk in chunks) == whole.rows.tobytes()
    assert total_of(chunks, match).tobytes() == total_of([whole], match).tobytes()
    assert total_of([whole], match)["games"].tolist() == (3 * GROUPING.sizes(0, deal)).tolist()


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 300), st.integers(0, 300))
def test_the_size_of_groups_is_that_of_their_deals(groups: int, stretch: int, first: int, deals: int) -> None:
    grouping = Grouping(groups, stretch)
    counts = np.bincount(grouping.of(np.arange(first, first + deals)), minlength=groups)
    assert grouping.sizes(first, deals).tolist() == counts.tolist()


class CountsGroups(Cpu):
    """Counts its games by group and keeps no rows, as a GPU does."""

    def play(self, first: int, count: int) -> Chunk:
        chunk = super().play(first, count)
        if not count:
            return Chunk(first, 0, chunk.rows, np.zeros(1, self.game.tally))
        tallies = np.zeros(GROUPING.groups, self.game.tally)
        for group in range(GROUPING.groups):
            rows = chunk.rows[GROUPING.of(np.arange(first, first + count)) == group]
            tallies[group] = counted(self.game, np.ascontiguousarray(rows), np.array(self._match.agents))
        numbers = tallies.view(np.int64).reshape(len(tallies), -1)
        groups, places = np.nonzero(numbers)
        return Chunk(first, count, chunk.rows[:0], GroupCounts(groups, places, numbers[groups, places]))


def test_backends_may_count_groups_themselves() -> None:
    match, _ = match_of("dimensions", ("dealer", "random", "random"))
    backends = [CountsGroups(rotated(match, rotation)) for rotation in range(3)]
    table, plain = Rotating(match, backends, GROUPING, counted=True), rotating(match, 3)
    for first, deals in ((0, 0), (0, 5), (5, 60)):
        found, expected = (one.play(3 * first, 3 * deals) for one in (table, plain))
        assert (found.first, found.games, len(found.rows)) == (3 * first, 3 * deals, 0)
        assert total_of([found], match).tobytes() == total_of([expected], match).tobytes()


def test_the_interpreter_plays_the_same() -> None:
    match, _ = match_of("pig", ("threshold", "random"), target=20)
    slow, fast = rotating(match, 2, Interpreted).play(4, 24), rotating(match, 2).play(4, 24)
    assert slow.rows.tobytes() == fast.rows.tobytes()
    assert total_of([slow], match).tobytes() == total_of([fast], match).tobytes()


def test_a_table_plays_the_same() -> None:
    match, seats = match_of("dimensions", ("dealer", "random", "random"))
    tables = [MixedMatch(rotated(match, rotation), around(seats, rotation)) for rotation in range(3)]
    asked, fast = Rotating(match, tables, GROUPING, by_deal=True).play(3, 18), rotating(match, 3).play(3, 18)
    assert asked.rows.tobytes() == fast.rows.tobytes()
    assert total_of([asked], match).tobytes() == total_of([fast], match).tobytes()


class Remembers:
    """Notes the games it is asked in, and its seat in each."""

    name = "remembers"

    def __init__(self) -> None:
        self.met: list[tuple[int, int]] = []

    def choose(self, decision: Any) -> Any:
        here = (decision.number, decision.player)
        if not self.met or self.met[-1] != here:
            self.met.append(here)
        return decision.options[0]


@pytest.mark.parametrize("sizes", [(4,), (1, 3), (1, 1, 1, 1)])
def test_agents_that_remember_meet_the_games_in_their_order(sizes: Sequence[int]) -> None:
    agent = Remembers()
    match, seats = match_of("dimensions", (agent, "random", "random"))
    tables = [MixedMatch(rotated(match, rotation), around(seats, rotation)) for rotation in range(3)]
    backend, deal = Rotating(match, tables, GROUPING, by_deal=True), 0
    for size in sizes:
        backend.play(3 * deal, 3 * size)
        deal += size
    # The agent named first sits last in the first rotation.
    assert agent.met == [(deal, seat) for deal in range(4) for seat in (0, 2, 1)]


class Tired(Cpu):
    """Stops after some games."""

    left = 0

    def play(self, first: int, count: int) -> Chunk:
        found = super().play(first, min(count, self.left))
        self.left -= len(found.rows)
        return found


@pytest.mark.parametrize("by_deal", [False, True])
def test_of_a_run_that_is_stopped_only_whole_deals_are_kept(by_deal: bool) -> None:
    match, _ = match_of("dimensions", ("dealer", "random", "random"))
    backends = [Tired(rotated(match, rotation)) for rotation in range(3)]
    for backend, left in zip(backends, (9, 7, 20), strict=True):
        backend.left = left
    found = Rotating(match, backends, GROUPING, by_deal=by_deal).play(0, 30)
    whole = rotating(match, 3).play(0, 21)
    assert found.rows.tobytes() == whole.rows.tobytes()
    assert total_of([found], match).tobytes() == total_of([whole], match).tobytes()


def test_counting_by_groups_compiles_nothing_more() -> None:
    match, _ = match_of("dimensions", ("dealer", "random", "random"))
    Cpu(match).play(0, 1)
    table = rotating(match, 3)
    table.play(0, 0)
    tally = kernels_of(match.game).tally_groups
    known = len(tally.entries)
    for count in (3, 30, 3000):
        table.play(0, count)
    assert len(tally.entries) == known == 1


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6))
def test_the_period_is_the_number_of_different_seatings(agents: list[str]) -> None:
    seatings = {around(agents, rotation) for rotation in range(len(agents))}
    assert period(agents) == len(seatings)


@pytest.mark.parametrize(("agents", "turns"), [("aaa", 1), ("a", 1), ("abb", 3), ("abab", 2), ("aabb", 4), ("ab", 2)])
def test_agents_all_alike_need_no_rotation(agents: str, turns: int) -> None:
    assert period(agents) == turns


def test_deals_are_grouped_one_by_one_in_turn_and_later_by_chunks() -> None:
    grouping = Grouping(4, 10)
    assert grouping.of(np.array([0, 1, 5, 39])).tolist() == [0, 1, 1, 3]
    assert grouping.of(np.array([40, 49, 50, 71])).tolist() == [0, 0, 1, 3]


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 20))
def test_sizes_of_groups_are_the_deals_in_them(first: int, deals: int, chunk: int) -> None:
    grouping = Grouping(8, chunk)
    found = [int(group) for group in grouping.of(np.arange(first, first + deals))]
    assert grouping.sizes(first, deals).tolist() == [found.count(group) for group in range(8)]


def test_figures_by_agent_are_those_of_the_seats_they_sat_in() -> None:
    run = simulate("dimensions", players=3, games=600, agents=("dealer", "random", "random"), seed=5, rotate=True)
    assert (run.info.rotations, run.info.blocks, run.info.games) == (3, 200, 600)
    seats = run.seats
    assert seats.group_by("agent").len().sort("agent")["len"].to_list() == [600, 1200]
    for name, found in run.results["agents"].items():
        won = seats.filter((pl.col("agent") == name) & (pl.col("seat") == pl.col("winner")))
        assert len(won) == found["wins"]
    # Every agent was as often in every seat.
    assert seats.group_by("agent", "seat").len().sort("agent", "seat")["len"].to_list() == [200] * 3 + [400] * 3


@pytest.mark.parametrize(
    ("game", "agents", "path"),
    [
        ("dice", ("threshold", "random"), ("win_rate", "agents", "{}")),
        ("grid", ("random", "greedy"), ("winrate", "{}")),
        ("influence", ("greedy", "random", "cautious"), ("agents", "{}", "win_rate")),
        ("pig", ("threshold", "random"), ("agents", "{}")),
    ],
)
def test_wins_by_agent_are_those_of_single_games(game: str, agents: Sequence[str], path: Sequence[str]) -> None:
    run = simulate(game_of(game), players=len(agents), games=60, agents=agents, seed=2, rotate=True)
    for name in agents:
        found: Any = run.results
        for key in path:
            found = found[key.format(name)]
        won = run.seats.filter(pl.col("agent") == name)["won"].sum()
        assert found["value"] == pytest.approx(won / 60)


def test_intervals_of_a_rotated_run_are_over_deals() -> None:
    run = simulate("dimensions", players=3, games=6000, agents=("dealer", "random", "random"), seed=5, rotate=True)
    won = run.seats.filter((pl.col("agent") == "dealer") & (pl.col("seat") == pl.col("winner")))["deal"].to_numpy()
    deals = np.bincount(won, minlength=2000) / 3
    groups = np.array([deals[group::64].mean() for group in range(64)])
    found = run.results["agents"]["dealer"]["win_rate"]
    assert found["value"] == pytest.approx(deals.mean())
    half = 1.998 * groups.std(ddof=1) / 8
    assert found["high"] - found["low"] == pytest.approx(2 * half, rel=0.05)


def test_agents_all_alike_are_played_as_ever() -> None:
    plain, rotated_ = (simulate("dimensions", players=3, games=300, seed=5, rotate=rotate) for rotate in (False, True))
    assert rotated_.info.rotations == 1
    assert results_text(rotated_.results) == results_text(plain.results)


def test_a_run_of_whole_deals_is_as_long_as_was_asked_for_or_longer() -> None:
    run = simulate("dimensions", players=3, games=100, agents=("dealer", "random", "random"), rotate=True)
    assert (run.info.games, run.info.blocks, run.info.complete) == (102, 34, True)


def test_fallbacks_tell_the_game_and_the_seat_of_the_run() -> None:
    def wrong(decision: Any) -> str:
        return "nonsense"

    run = simulate(game_of("pig"), games=6, agents=("threshold", wrong), rotate=True)
    met = {(entry["game"], entry["seat"]) for entry in run.info.extra["fallback_log"]}
    assert met <= {(game, 1 - game % 2) for game in range(6)}
    assert {game for game, _ in met} == set(range(6))


def test_the_command_rotates_tells_and_writes_the_games_as_they_were_played(tmp_path: Path, capsys: Any) -> None:
    pig, out, rows = str(FOLDERS["pig"]), tmp_path / "a.json", tmp_path / "a.csv"
    words = ("simulate", pig, "--agents", "threshold", "threshold:n=5", "--rotate", "--games", "3", "--trace", "3")
    assert main([*words, "--out", str(out), "--csv", str(rows)]) == 0
    assert "seats rotated" in capsys.readouterr().out.replace("\u00a0", " ")
    meta = json.loads(out.read_text(encoding="utf-8"))["meta"]
    assert (meta["games"], meta["rotations"], meta["blocks"]) == (4, 2, 2)
    assert "--rotate" in meta["command"].split()
    games = list(csv.DictReader(rows.open(encoding="utf-8")))
    assert [row["agent"] for row in games] == ["threshold", "threshold:n=5", "threshold:n=5", "threshold"] * 2
    assert [row["deal"] for row in games] == ["0"] * 4 + ["1"] * 4
    story = out.with_suffix(".trace.txt").read_text(encoding="utf-8").split("=== game ")[1:]
    for number, game in enumerate(story):
        agents = around(("threshold", "threshold:n=5"), number % 2)
        settings = {"players": 2, "seed": 0, "agents": agents, "number": number // 2}
        alone = narrate(game_of("pig"), config=game_of("pig").config(), lang="en", **settings)
        assert game.partition("\n")[2].rstrip() == "\n".join(alone).rstrip()
