"""Blocks of a kept run: whatever is finished in whichever order, the same files, few of them, and the same figures."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest

from playmill import PlaymillError, simulate
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.game_ranges import GameRanges, joined_ranges
from playmill.lab.runs.resolved_plan import resolve_plan
from playmill.lab.runs.simulate import How, report_of, resume
from playmill.lab.runs.sparse_counts import cells
from playmill.lab.runs.store import find_run, runs_folder
from playmill.lab.runs.store.blocks import block_sizes, in_blocks
from playmill.lab.runs.store.manifest import Manifest
from playmill.lab.runs.store.merge_runs import merge
from playmill.lab.runs.store.writer import open_writer
from playmill.report.files.writing import results_text

#: Games of a chunk here: 16 chunks make a block, 256 a larger one.
CHUNK = 16
GAMES = 300 * CHUNK + 7


@pytest.fixture(autouse=True)
def _small(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("playmill.lab.runs.plan._COMPILED", CHUNK)


def chunks_of(name: str) -> list[dict]:
    return [chunk.json() for chunk in find_run(name).chunks]


def sizes_of(name: str) -> list[int]:
    return [chunk.games for chunk in find_run(name).chunks]


def test_chunks_that_lie_together_are_one_file(pig):
    kept = simulate(pig, games=GAMES, keep="mine")
    assert sizes_of("mine") == [256 * CHUNK, *[16 * CHUNK] * 2, *[CHUNK] * 12, 7]
    assert results_text(kept.results) == results_text(simulate(pig, games=GAMES).results)
    assert results_text(report_of(find_run("mine")).results) == results_text(kept.results)
    files = sorted(path.name for path in (runs_folder() / "mine" / "counts").iterdir())
    assert files == sorted(Path(chunk["files"]["counts"]["path"]).name for chunk in chunks_of("mine"))


def test_a_run_with_single_games_keeps_its_chunks_apart(pig):
    simulate(pig, games=40 * CHUNK, keep="mine", rows=True)
    assert sizes_of("mine") == [CHUNK] * 40


@pytest.mark.parametrize("rotate", [False, True])
def test_the_files_do_not_depend_on_when_chunks_were_finished(pig, monkeypatch, rotate):
    given = {"agents": ["threshold", "random"], "rotate": rotate}
    simulate(pig, games=GAMES, keep="whole", **given)
    resolved = resolve_plan(pig, **given)
    with monkeypatch.context() as patch:
        _without_blocks(patch)
        simulate(pig, games=GAMES, keep="apart", **given)
    single = list(find_run("apart").parts())
    games = max(part.end for part in single)
    random.Random(3).shuffle(single)
    monkeypatch.setattr("playmill.lab.runs.store.writer._PAUSE", 0.0)
    monkeypatch.setattr("playmill.lab.runs.store.writer._SHARE", 0.0)
    for some in (single[:100], single[100:200], single[200:]):  # sessions that end without a word
        with open_writer(resolved, range(games), name="shuffled", about={"backend": "cpu", "workers": 1}) as writer:
            for part in some:
                writer.add(part)
    assert chunks_of("shuffled") == chunks_of("whole")
    assert len([*(runs_folder() / "shuffled" / "counts").iterdir()]) == len(chunks_of("whole"))


def _played(pig, first: int, end: int, given: dict) -> list[FinishedGames]:
    parts: list[FinishedGames] = []
    simulate(pig, first=first, games=end, keep=False, on_part=parts.append, workers=1, **given)
    return parts


def _without_blocks(monkeypatch) -> pytest.MonkeyPatch:
    """Runs as they were kept before there were blocks."""
    monkeypatch.setattr("playmill.lab.runs.store.blocks._COMPILED", 0)
    return monkeypatch


def test_a_run_kept_before_there_were_blocks_is_read_and_goes_on(pig, monkeypatch):
    with monkeypatch.context() as patch:
        _without_blocks(patch)
        simulate(pig, games=200 * CHUNK + 5, keep="old")
    assert sizes_of("old") == [*[CHUNK] * 200, 5]
    assert Manifest.read(runs_folder() / "old" / "manifest.json", "old").form == 1
    before = results_text(report_of(find_run("old")).results)
    assert before == results_text(simulate(pig, games=200 * CHUNK + 5).results)
    simulate(pig, games=GAMES, keep="whole")
    grown = resume(find_run("old"), How(), end=GAMES)
    assert results_text(grown.results) == results_text(simulate(pig, games=GAMES).results)
    assert chunks_of("old") == chunks_of("whole")
    assert Manifest.read(runs_folder() / "old" / "manifest.json", "old").form == 2


@pytest.mark.parametrize("spoil", ["cut", "gone"])
def test_a_damaged_block_is_told_and_played_again(pig, spoil):
    whole = simulate(pig, games=GAMES, keep="mine")
    before = chunks_of("mine")
    path = find_run("mine").files("counts")[1]
    path.unlink() if spoil == "gone" else path.write_bytes(path.read_bytes()[:20])
    first, end = 256 * CHUNK, 272 * CHUNK
    with pytest.raises(PlaymillError, match=rf"missing or damaged \(games {first} … {end - 1}\)"):
        report_of(find_run("mine"))
    again = resume(find_run("mine"), How())
    assert again.again == 16 * CHUNK
    assert results_text(again.results) == results_text(whole.results)
    assert chunks_of("mine") == before


def test_a_chunk_that_is_damaged_is_not_put_into_a_block(pig):
    simulate(pig, games=20 * CHUNK, keep="other", seed=1)
    simulate(pig, games=15 * CHUNK, keep="mine")
    path = find_run("mine").files("counts")[3]
    resolved = resolve_plan(pig)
    with open_writer(resolved, range(16 * CHUNK), name="mine", about={"backend": "cpu", "workers": 1}) as writer:
        path.write_bytes(b"{}")
        (last,) = _played(pig, 15 * CHUNK, 16 * CHUNK, {})
        writer.add(last)
        writer.write()
    assert sizes_of("mine") == [CHUNK] * 16
    assert len(find_run("mine").damaged()) == 1
    resume(find_run("mine"), How())
    assert sizes_of("mine") == [16 * CHUNK]


def test_a_report_is_made_while_files_are_put_together(pig):
    simulate(pig, games=15 * CHUNK, keep="mine")
    reader = find_run("mine")
    grown = resume(find_run("mine"), How(), end=16 * CHUNK)
    assert results_text(report_of(reader).results) == results_text(grown.results)


def test_pieces_become_the_files_of_the_whole(pig):
    simulate(pig, games=GAMES, keep="whole")
    edges = [0, 10 * CHUNK, 100 * CHUNK, 200 * CHUNK, GAMES]
    for number, (first, end) in enumerate(pairwise(edges)):
        simulate(pig, first=first, games=end, keep=f"piece-{number}")
    simulate(pig, first=32 * CHUNK, games=150 * CHUNK, keep="twice")
    names = ["twice", "piece-2", "piece-0", "piece-3", "piece-1"]
    made = merge([find_run(name) for name in names], "merged")
    assert made.complete
    assert chunks_of("merged") == chunks_of("whole")
    assert len([*(runs_folder() / "merged" / "counts").iterdir()]) == len(chunks_of("whole"))


def test_single_games_of_a_run_in_blocks_are_played_again_and_compared(pig, tmp_path):
    from playmill.lab.runs.csv_export import write_csv

    games = 40 * CHUNK + 3
    simulate(pig, games=games, keep="mine")
    write_csv(find_run("mine"), tmp_path / "rows.csv")
    plain = simulate(pig, games=games)
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8") == plain.seats.write_csv()
    run = find_run("mine")
    simulate(pig, games=games, seed=1, keep="other")
    wrong = find_run("other")
    wrong.manifest.plan = run.manifest.plan
    wrong.manifest.write(run.folder / "manifest.json")
    with pytest.raises(PlaymillError, match=r"games 0 … 255, played again, do not come out as they were counted"):
        write_csv(find_run("mine"), tmp_path / "wrong.csv")


def test_a_million_million_games_are_few_lines(pig, monkeypatch):
    monkeypatch.setattr("playmill.lab.runs.plan._COMPILED", 1 << 14)
    resolved = resolve_plan(pig)
    chunk, games = resolved.plan.chunk, 10**12
    largest = block_sizes(resolved.plan)[-1]
    assert largest == 16**4 * chunk
    one = cells(0, [0, 3], [5, 7])
    about = {"backend": "cpu", "workers": 1}
    with open_writer(resolved, range(games), name="long", about=about) as writer:
        assert writer.missing == [range(games)]
        end = games - games % largest
        # All that was played before, as it would have become.
        for first in range(0, end, largest):
            writer.add(FinishedGames(first, largest, one))
        for first in range(end, games, chunk):
            writer.add(FinishedGames(first, min(chunk, games - first), one))
        writer.write()
    run = find_run("long")
    assert run.complete
    assert run.missing() == []
    assert len(run.chunks) < 1_000
    assert (run.folder / "manifest.json").stat().st_size < 250_000
    assert int(run.total().counts.cells()["value"].sum()) == 12 * (end // largest + -(-(games - end) // chunk))


def test_games_of_a_task_come_in_the_largest_blocks_they_fill(pig):
    plan = resolve_plan(pig).plan
    for first, end in ((0, 300), (5, 40), (5, 300), (17, 31), (255, 513)):
        games = range(first * CHUNK, end * CHUNK)
        pieces = [FinishedGames(at, CHUNK, cells(0, [at // CHUNK % 5], [1])) for at in games[::CHUNK]]
        found = list(in_blocks(pieces, plan, games))
        assert [one.end for one in found[:-1]] == [one.first for one in found[1:]]
        assert (found[0].first, found[-1].end) == (games.start, games.stop)
        assert sum(int(one.cells["value"].sum()) for one in found) == len(pieces)
        whole = [at for at in range(0, games.stop, 16 * CHUNK) if at >= games.start and at + 16 * CHUNK <= games.stop]
        assert sum(one.games == CHUNK for one in found) == len(pieces) - 16 * len(whole)


def test_ranges_are_a_set_of_games():
    luck = random.Random(1)
    ranges = GameRanges([range(0, 50), range(50, 60), range(70, 100)])
    left = {*range(60), *range(70, 100)}
    assert [*ranges] == [range(60), range(70, 100)]
    while left:
        first = luck.choice(sorted(left))
        end = first + 1
        while end in left and luck.random() < 0.8:
            end += 1
        assert ranges.covers(range(first, end))
        ranges.remove(range(first, end))
        left -= {*range(first, end)}
        assert {game for one in ranges for game in one} == left
        assert [game in ranges for game in range(-1, 101)] == [game in left for game in range(-1, 101)]
        assert not ranges.covers(range(first, end))
    assert joined_ranges([range(0), range(3), range(3, 4), range(6, 6), range(7, 9)]) == [range(4), range(7, 9)]


@pytest.mark.parametrize("sign", [1, -1])
def test_sums_that_do_not_fit_are_told_and_never_wrong(pig, sign):
    resolved = resolve_plan(pig)
    part = FinishedGames(0, CHUNK, cells(0, [3], [sign * 2**60]))
    with (
        pytest.raises(PlaymillError, match="after 48 games their sums no longer fit into 64 bits"),
        open_writer(resolved, range(10 * CHUNK), name="full", about={"backend": "cpu", "workers": 1}) as writer,
    ):
        for number in range(10):
            writer.add(FinishedGames(number * CHUNK, CHUNK, part.cells))
            assert sign * int(writer.total.counts.cells()["value"].sum()) == (number + 1) * 2**60
