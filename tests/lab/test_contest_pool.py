"""Several tables at once: the same results in the same order, however many play, and nothing is left running."""

from __future__ import annotations

import shlex
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from playmill import load_game
from playmill.interrupts import Stop
from playmill.lab.contests.tournament import pool
from playmill.lab.contests.tournament.deal_results import DealResults
from playmill.lab.contests.tournament.deal_task import PairingTask, TaskResult, order_of, play_order, result_of
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals
from playmill.lab.contests.tournament.pool import LocalPool
from playmill.lab.contests.tournament.pool_process import PoolProcess
from playmill.lab.contests.tournament.run import tournament
from playmill.lab.runs.executors.task import RefusedTaskError

PIG = "examples/pig"
BOT = """
import json, sys, time
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif m["type"] == "act":
        time.sleep(SLEEP)
        print(json.dumps({"type": "answer", "number": m["number"], "index": int(m["seen"]["pot"] >= HOLD)}), flush=True)
"""


def bot(folder: Path, name: str, hold: int, sleep: float = 0) -> str:
    """An entrant that holds at some number of points."""
    (folder / name).mkdir()
    text = BOT.replace("HOLD", str(hold)).replace("SLEEP", str(sleep))
    (folder / name / "bot.py").write_text(text, encoding="utf-8")
    (folder / name / "bot.toml").write_text(f"run = '{shlex.quote(sys.executable)} -I -S bot.py'\n", encoding="utf-8")
    return f"{name}=program:{folder / name}"


def pairing(*entrants: Entrant, named: str = PIG) -> Pairing:
    game = load_game(PIG)
    return Pairing(game, named, RuleSetting("—", game.config(target=30)), entrants, 1, interpreted=True)


class Hand:
    """A helper that plays in this process, or cannot play."""

    able = True

    def __init__(self, number: int) -> None:
        self.ended = False

    def play(self, task: PairingTask) -> TaskResult | None:
        return TaskResult(piece(task.deals), 0.1) if self.able else None

    def end(self) -> None:
        self.ended = True


def piece(deals: range) -> DealResults:
    return DealResults(np.array([deals.start], np.uint8))


def tasks(count: int) -> list[PairingTask]:
    table = pairing(Entrant("a", "random"), Entrant("b", "random"))
    return [PairingTask(table, range(number, number + 1)) for number in range(count)]


@pytest.mark.parametrize("able", [True, False])
def test_results_come_in_the_order_in_which_they_were_asked_for(monkeypatch: pytest.MonkeyPatch, able: bool) -> None:
    """The first table is finished last; a helper that cannot play is no loss."""
    monkeypatch.setattr(pool, "START_AFTER", -1.0)
    monkeypatch.setattr(pool, "PoolProcess", Hand)
    monkeypatch.setattr(Hand, "able", able)
    later = threading.Event()

    def play(table: Pairing, deals: range, stop: Stop, workers: int | None) -> DealResults:
        if deals.start == 0 and able:
            assert later.wait(60)
        return piece(deals)

    def given() -> Iterator[PairingTask]:
        for task in tasks(8):
            if task.deals.start == 5:
                later.set()
            yield task

    played = LocalPool(3).play(given(), play, Stop(), kinds={"program"}, count=8)
    found = [one.piece.ranks[0] for one in played if one]
    assert found == list(range(8))


def test_who_is_to_stop_gives_up_what_is_not_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Stop()

    def play(table: Pairing, deals: range, halt: Stop, workers: int | None) -> DealResults | None:
        if deals.start == 0:
            return piece(deals)
        stop.times = 1
        while not halt():
            time.sleep(0.01)
        return None

    found = list(LocalPool(2).play(tasks(4), play, stop, kinds={"program"}, count=4))
    assert [one and one.piece.ranks[0] for one in found] == [0, None]


def test_an_order_is_for_the_very_same_table_or_for_none(tmp_path: Path) -> None:
    entrants = Entrant("a", bot(tmp_path, "a", 20)[2:]), Entrant("b", "random")
    table = pairing(*entrants)
    task = PairingTask(table, range(2))
    played = result_of(play_order(order_of(task)[0]), task).piece
    assert (played.ranks == play_deals(table, range(2), Stop()).ranks).all()
    (tmp_path / "a" / "bot.py").write_text("pass", encoding="utf-8")
    with pytest.raises(RefusedTaskError, match="the rules or agents of pig are others there"):
        play_order(order_of(task)[0])


def test_tables_of_programs_are_the_same_however_many_are_played_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "START_AFTER", -1.0)
    asked: list[range] = []
    play = PoolProcess.play

    def heard(self: PoolProcess, task: PairingTask) -> TaskResult | None:
        found = play(self, task)
        asked.extend([task.deals] if found is not None else [])
        return found

    monkeypatch.setattr(PoolProcess, "play", heard)
    entrants = [bot(tmp_path, name, hold) for name, hold in (("low", 5), ("mid", 15), ("high", 25))]
    found = [
        tournament(
            PIG, [*entrants, "random"], deals=3, set=["target=25"], workers=workers, keep=False, backend="interpreted"
        ).json()["results"]
        for workers in (1, 2)
    ]
    assert found[0] == found[1]
    assert asked, "another process has played some of them"


def test_a_helper_ends_with_whoever_hired_it_and_its_bots_with_it(tmp_path: Path) -> None:
    """Its input ends when the process beside it does, however that ends."""
    slow = bot(tmp_path, "slow", 20, sleep=600)[5:]
    helper = PoolProcess(2)
    table = pairing(Entrant("slow", slow), Entrant("b", "random"))
    thread = threading.Thread(target=helper.play, args=(PairingTask(table, range(1)),), daemon=True)
    thread.start()
    while not (found := _running(tmp_path)):
        time.sleep(0.05)
    assert helper._process and helper._process.stdin
    helper._process.stdin.close()
    thread.join()
    while any(_alive(number) for number in found):
        time.sleep(0.05)


def _running(folder: Path) -> list[int]:
    """The processes at work in a folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if (place / "cwd").readlink().is_relative_to(folder):
                found.append(int(place.name))
        except OSError:
            continue
    return found


def _alive(number: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
