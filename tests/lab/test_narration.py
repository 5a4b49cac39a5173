"""`playmill show`: boards as they change, and step by step."""

from __future__ import annotations

import io
import re
import sys
import time
from dataclasses import replace
from itertools import islice, pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from common.found import FOLDERS
from playmill.agents.agent_specs import seats_for
from playmill.cli import main
from playmill.engine.contract.game import game_names, load_game
from playmill.lab.replays import narration, replay
from playmill.lab.replays.narration import moments, narrate, tell
from playmill.texts import LANGUAGES, Lang, PlaymillError

PIG = "examples/pig"


class Keyboard(io.StringIO):
    """Somebody at a terminal who types this."""

    def isatty(self) -> bool:
        return True


def told(name: str, lang: Lang = "en", **more: Any) -> list[list[str]]:
    """The first moments of a game of random players."""
    game = load_game(name)
    settings: dict[str, Any] = {"players": game.players[0], "seed": 3, "agents": ["random"], "config": game.config()}
    return [*islice(moments(game, lang=lang, **settings, **more), 12)]


@pytest.mark.parametrize("name", [*game_names(), PIG])
def test_every_game_shows_what_changes(name: str) -> None:
    for lang in LANGUAGES:
        plain, drawn = told(name, lang), told(name, lang, boards=True)
        assert [lines[: len(words)] for lines, words in zip(drawn, plain, strict=True)] == plain, "the words stay"
        boards = [lines[-2] for lines, words in zip(drawn, plain, strict=True) if len(lines) > len(words)]
        assert boards and all(was != now for was, now in pairwise(boards)), "and it has changed"


def test_the_words_alone_are_the_lines_of_a_trace() -> None:
    game = load_game(PIG)
    settings: dict[str, Any] = {"players": 2, "seed": 3, "agents": ["random"], "config": game.config(), "lang": "en"}
    lines = [line for lines in moments(game, **settings) for line in lines]
    assert lines == list(narrate(game, **settings)) and len(lines) > 10


def step(monkeypatch: Any, capsys: Any, typed: str, lang: str = "en") -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    status = main(["show", PIG, "--seed", "3", "--step", "--lang", lang])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.mark.parametrize(("typed", "actions"), [("\n\n", 2), ("\nq\n", 1), ("\nй\n", 1), ("", 0), ("\n\n\n\nQ\n", 4)])
def test_enter_goes_on_and_q_or_the_end_of_input_stops(monkeypatch: Any, capsys: Any, typed: str, actions: int) -> None:
    status, out, err = step(monkeypatch, capsys, typed)
    assert status == 0
    assert sum(line.startswith("Player ") for line in out.splitlines()) == actions
    assert err.count("[Enter: go on, q: stop]") == actions + 1


def test_enough_enters_tell_the_whole_game(monkeypatch: Any, capsys: Any) -> None:
    status, out, _ = step(monkeypatch, capsys, "\n" * 5000, "ru")
    whole = main(["show", PIG, "--seed", "3", "--boards", "--lang", "ru"]), capsys.readouterr().out
    assert (status, out) == whole


def test_ctrl_c_while_waiting_stops(monkeypatch: Any, capsys: Any) -> None:
    class Impatient(Keyboard):
        def readline(self, *_: Any) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Impatient())
    assert main(["show", PIG, "--step"]) == 1
    assert "playmill: stopped" in capsys.readouterr().err


def test_step_needs_somebody_at_the_keyboard(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n"))
    assert main(["show", PIG, "--step"]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("playmill: --step waits for Enter") and printed.out == ""
    with pytest.raises(PlaymillError, match="--boards shows the same"):
        tell([["a"]], "en", step=True)


def test_a_replay_is_shown_the_same_way(monkeypatch: Any, capsys: Any, tmp_path: Any) -> None:
    path = str(tmp_path / "game.json")
    assert main(["record", PIG, "--seed", "3", "--out", path]) == 0
    capsys.readouterr()
    for option in ("--boards", "--step"):
        monkeypatch.setattr(sys, "stdin", Keyboard("\n" * 5000))
        assert main(["show", PIG, "--seed", "3", option]) == 0
        shown = capsys.readouterr().out
        monkeypatch.setattr(sys, "stdin", Keyboard("\n" * 5000))
        assert main(["replay", path, "--game", PIG, option]) == 0
        assert capsys.readouterr().out == shown


@pytest.mark.parametrize("words", [["show"], ["record", "--out", "game.json"]])
def test_whoever_stops_it_is_told_which_agent_was_silent(
    words: list[str], pig: Any, monkeypatch: Any, tmp_path: Any, capsys: Any
) -> None:
    class Silent:
        """Where agents are asked; whoever waits there for long is stopped."""

        def do(self, question: Any, stopped: Any) -> Any:
            raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def choose(decision):\n    return decision.actions[0]\n")
    seats = [replace(seat, host=Silent()) for seat in seats_for(pig, 2, ["bot.py"])]
    for module in (narration, replay):
        monkeypatch.setattr(module, "seats_for", lambda *given: seats)
    long_ago = time.monotonic() - 9
    monkeypatch.setattr(narration, "time", SimpleNamespace(monotonic=lambda: long_ago))
    assert main([words[0], str(FOLDERS["pig"]), *words[1:], "--lang", "ru"]) == 1
    said = capsys.readouterr().err
    assert re.fullmatch(r"playmill: остановлено; агент bot не отвечал уже \d+ с\n", said), said
    assert not (tmp_path / "game.json").exists()
