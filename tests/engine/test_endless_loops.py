"""A rule that never ends is broken off, wherever it runs, and told at its loop; compiled ones get an advice."""

from __future__ import annotations

import itertools
import math
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from playmill import PlaymillError, State, load_game
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.python.agent_thread import GivenUpError
from playmill.agents.python.reply import PythonAgent
from playmill.cli import main
from playmill.engine.contract.game import Game
from playmill.engine.errors.located import RuleMistakeError
from playmill.engine.lint import endless_loops as endless
from playmill.engine.lint.endless_loops import Call, Moment, plays_games, still_at_work
from playmill.engine.run.backends import Interpreted
from playmill.engine.run.match import Match
from playmill.starters import begin

_NUMBERS = itertools.count()
PUT = "    s.board[row, column] = s.player + 1\n"
TRIP = "\n\n@rule\ndef trip(n: int) -> int:\n    return (n + 1) % 9\n"
LOOP = "    n = 0\n    while s.board[row, column] > 0:\n        n = trip(n)\n"


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call may take less than a second."""
    monkeypatch.setattr(endless, "_PAUSE", 0.05)
    monkeypatch.setenv(endless.PATIENCE, "0.4")


def looping(folder: Path, was: str = PUT, now: str = PUT + LOOP, *, room: str = "rules", more: str = TRIP) -> str:
    """The folder of a game that was begun with `playmill new`, and in which something then never ends."""
    name = f"looping{next(_NUMBERS)}"
    begin(name, "board", "en", folder)
    file = folder / name / f"{room}.py"
    text = file.read_text(encoding="utf-8")
    assert was in text
    file.write_text(text.replace(was, now, 1) + more, encoding="utf-8")
    return str(folder / name)


@pytest.mark.usefixtures("in_a_hurry")
@pytest.mark.parametrize(
    ("command", "lang", "wanted"),
    [
        ("show", "ru", "этот цикл не кончается: один вызов apply_action длится"),
        ("check", "en", "this loop does not end: it has been at work for"),
    ],
)
def test_the_loop_is_named_not_what_it_calls(
    command: str, lang: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, looping(tmp_path), "--lang", lang]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1 and "`while s.board[row, column] > 0:`" in told[0] and wanted in told[0], told
    assert "column = " in told[0] and (command == "show" or "; game 0, decision 0 (looping" in told[0])


@pytest.mark.usefixtures("in_a_hurry")
def test_it_is_found_in_any_thread(tmp_path: Path) -> None:
    state = State(load_game(looping(tmp_path)), interpreted=True)
    found: list[PlaymillError] = []

    def move() -> None:
        try:
            state.apply_action(4)
        except PlaymillError as error:
            found.append(error)

    thread = threading.Thread(target=move)
    thread.start()
    thread.join()
    assert isinstance(found[0], RuleMistakeError) and found[0].file.endswith("rules.py")


@pytest.mark.usefixtures("in_a_hurry")
def test_words_that_never_end_are_found_by_a_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    phrase = '    return f"takes'
    folder = looping(tmp_path, phrase, "    while True:\n        pass\n" + phrase, room="words", more="")
    assert main(["check", folder, "--lang", "en"]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1 and "words.py, line" in told[0] and "`while True:`: this loop does not end" in told[0], told


@pytest.mark.usefixtures("in_a_hurry")
def test_words_are_watched_though_no_rule_was_called(tmp_path: Path) -> None:
    file = tmp_path / "words.py"
    code = compile("def tell():\n    while True:\n        pass\n", str(file), "exec")
    file.write_text("def tell():\n    while True:\n        pass\n", encoding="utf-8")
    words: dict[str, Any] = {}
    exec(code, words)
    endless.watched(lambda: None, tmp_path)

    @endless.watched_inside
    def narrates() -> None:
        words["tell"]()

    until = time.monotonic() + 30
    while endless._Watchdog.awake and time.monotonic() < until:
        time.sleep(0.05)
    assert not endless._Watchdog.awake
    with pytest.raises(RuleMistakeError, match="this loop does not end"):
        narrates()


def test_games_may_be_loaded_while_threads_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = {f"/nowhere/{number}/" for number in range(1000)}
    monkeypatch.setattr(endless, "_folders", folders)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    over = threading.Event()

    def load() -> None:
        for number in itertools.count(1000):
            if over.is_set():
                return
            folders.add(f"/nowhere/{number}/")
            folders.remove(f"/nowhere/{number - 1000}/")

    thread = threading.Thread(target=load)
    thread.start()
    try:
        for _ in range(300):
            assert endless._inside(sys._getframe()) == (False, [])
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(before)


def test_patience_that_is_no_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("long", "-1", "inf", "nan"):
        monkeypatch.setenv(endless.PATIENCE, wrong)
        with pytest.raises(PlaymillError, match="expected how many seconds one call of a rule may take") as caught:
            endless._patience()
        assert f"PLAYMILL_PATIENCE равно {wrong!r}; нужно, сколько секунд" in caught.value.text.ru


def test_one_call_after_the_other_is_not_one_that_lasts() -> None:
    def rule() -> Any:
        return sys._getframe()

    first, second = rule(), rule()
    call = Call(Moment(0.0, 0.0), [first])
    assert call.seen([first, second]) and call.frames == [first]
    assert not call.seen([second]) and not call.seen([])


def test_the_clock_stands_while_others_have_the_machine_and_goes_no_faster_than_time() -> None:
    assert Moment(100.0, 2.0).since(Moment(0.0, 0.5)) == 1.5
    assert Moment(3.0, 40.0).since(Moment(1.0, 0.0)) == 2.0


class Playing:
    """Somebody who plays, in a thread or here, a game of which nobody knows whether it ends."""

    def __init__(self, reference: str, *, interpreted: bool = False, begun: float = 0.0) -> None:
        self.game, self.interpreted, self.begun = load_game(reference), interpreted, begun
        self.at_work, self.over = threading.Event(), threading.Event()

    @plays_games
    def play(self) -> None:
        self.at_work.set()
        self.over.wait()

    @plays_games
    def is_broken_off(self) -> None:
        raise KeyboardInterrupt


@pytest.mark.parametrize(("reference", "told"), [("examples/pig", True), ("save_oneself", False)])
@pytest.mark.parametrize("interpreted", [False, True])
def test_whoever_stops_a_game_that_goes_on_is_told_what_finds_it(reference: str, told: bool, interpreted: bool) -> None:
    playing = Playing(reference, interpreted=interpreted)
    thread = threading.Thread(target=playing.play)
    thread.start()
    playing.at_work.wait()
    found = still_at_work()
    playing.over.set()
    thread.join()
    assert (found is not None) == told and still_at_work() is None
    assert found is None or ("playmill check " in found.en and ("--backend" in found.ru) == (not interpreted))


@pytest.mark.parametrize(("begun", "told"), [(-math.inf, True), (math.inf, False)])
def test_so_is_who_breaks_off_a_game_played_here_unless_it_had_just_begun(
    begun: float, told: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    playing = Playing("examples/pig", interpreted=True, begun=begun)
    monkeypatch.setattr("playmill.agents.mixed_match.MixedMatch.play", lambda *_: playing.is_broken_off())
    assert main(["simulate", "examples/pig", "--games", "3", "--backend", "interpreted", "--lang", "ru"]) == 1
    said = capsys.readouterr().err
    assert "остановлено" in said and ("партия pig всё ещё шла" in said) == told
    assert "interpreted" not in said and ("playmill check examples/pig скажет почему" in said) == told


@pytest.mark.parametrize(("asked", "seconds", "told"), [("bot", 60, True), ("bot", -60, False), ("", 60, False)])
def test_whoever_stops_a_run_is_told_which_agent_has_not_answered_for_long(
    asked: str,
    seconds: int,
    told: bool,
    pig: Game,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = MixedMatch(Match(pig, pig.config(), 2, 0, (-1, -1), (0, 0), ()), [], interpreted=True)
    reason: BaseException = GivenUpError()

    def stops(*_: object) -> Iterator[None]:
        table.asked, table.asked_at = asked, time.monotonic() - seconds
        yield
        raise reason

    monkeypatch.setattr(MixedMatch, "_play_all", stops)
    assert table.play(0, 3).games == 0
    assert bool(re.fullmatch(r"playmill: .* bot .* \d+ .*\n", capsys.readouterr().err)) == told
    reason = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt) as caught:
        table.play(0, 3)
    found = still_at_work(caught.value)
    assert (found is not None) == told
    assert found is None or ("agent bot had not answered" in found.en and "агент bot не отвечал уже" in found.ru)


def test_the_agent_that_is_asked_is_known_while_it_is(pig: Game) -> None:
    seen: list[str] = []

    def choose(decision: Any) -> int:
        seen.append(table.asked)
        return int(decision.actions[-1])

    player = PythonAgent(SimpleNamespace(choose=choose))
    seats = [SimpleNamespace(name="bot", player=player, host=None, thinks=False, program=None, compiled=False)] * 2
    table = MixedMatch(Match(pig, pig.config(), 2, 0, (-1, -1), (0, 0), ()), cast(Any, seats), interpreted=True)
    for question in table._play_one(0):
        assert table.asked == "bot"
        question.reply = question.put()
    assert {*seen} == {"bot"} and table.asked == ""


def test_what_only_compiles_plays_nothing(pig: Game) -> None:
    player = Interpreted(Match(pig, pig.config(), 2, 0, (0, 0), (0, 0), ()))
    player.play(0, 0)
    assert player.begun == math.inf
    player.play(0, 1)
    assert player.begun < math.inf


def test_a_chain_of_forced_moves_without_an_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playmill.engine.run.state.FORCED", 50)
    free = "if s.player >= 0 and s.board[action // COLUMNS, action % COLUMNS] == 0:"
    folder = looping(tmp_path, free, "if action == 0:", more="")
    with pytest.raises(PlaymillError, match=r"50 decisions in a row had one option each"):
        State(load_game(folder), interpreted=True, observer=lambda before, action, after: None)
