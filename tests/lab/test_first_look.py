"""Before compiled code plays an author's game, the interpreter looks at a few games: once, whatever the command."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from playmill import Batch, PlaymillError, load_game
from playmill.cli import main
from playmill.engine.run import preflight as first_look
from playmill.engine.run.match import Match
from playmill.engine.run.preflight import preflight
from playmill.starters import begin

_NUMBERS = itertools.count()
NEIGHBOUR = "if card > 0 and s.where[card - 1] == HELD + seat:"
BEYOND = "if s.where[card + 1] == HELD + seat:"
COMMANDS = {
    "simulate": ["--games", "100"],
    "audit": ["--quick"],
    "compare": ["--games", "100", "--b", "pair=7"],
    "tune": ["--free", "pair:1..9", "--goal", "high:decisions", "--trials", "2"],
    "tournament": ["--entrants", "random", "other=random"],
    "sweep": ["--over", "pair=1..3", "--show", "decisions", "--games", "100"],
    "bench": [],
}


def written(folder: Path, was: str, now: str, *, room: str = "rules") -> str:
    """The folder of a game that was begun with `playmill new` and then changed."""
    name = f"looked_at{next(_NUMBERS)}"
    begin(name, "cards", "en", folder)
    file = folder / name / f"{room}.py"
    text = file.read_text(encoding="utf-8")
    assert was in text
    file.write_text(text.replace(was, now, 1), encoding="utf-8")
    return str(folder / name)


@pytest.fixture(scope="module")
def beyond(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game that reads a place beyond the end of an array."""
    return written(tmp_path_factory.mktemp("beyond"), NEIGHBOUR, BEYOND)


def match_of(folder: str, *, agent: int = 0, **changes: int) -> Match:
    game = load_game(folder)
    config = game.config.model_validate(changes)
    return Match(game, config, 2, 1, (agent, agent), (0, 0), ((), ()))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_plays_tells_a_place_beyond_an_array(
    beyond: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, wanted in (("en", "a place beyond the end of an array"), ("ru", "место за концом массива")):
        assert main([command, beyond, *COMMANDS[command], "--lang", lang]) == 2
        told = capsys.readouterr().err.strip().splitlines()
        assert len(told) == 1 and f"`{BEYOND}`" in told[0] and wanted in told[0], told


def test_so_does_a_batch(beyond: str) -> None:
    with pytest.raises(PlaymillError, match="a place beyond the end of an array"):
        Batch(load_game(beyond), 2)


def test_a_place_below_0_is_told_too(tmp_path: Path) -> None:
    with pytest.raises(PlaymillError, match=r"\[-1\]: places are counted from 0"):
        preflight(match_of(written(tmp_path, NEIGHBOUR, NEIGHBOUR.replace("card > 0 and ", ""))))


def test_it_is_paid_once_also_by_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path / "cache"))
    folder = written(tmp_path, "pair", "pair")
    looks: list[Match] = []
    monkeypatch.setattr(first_look, "_look", lambda match, *_: looks.append(match))
    preflight(match_of(folder))
    monkeypatch.setattr(first_look, "_looked", set())  # as another process begins
    preflight(match_of(folder))
    assert len(looks) == 1
    preflight(match_of(folder, pair=9))
    preflight(match_of(folder, pair=9))
    assert [match.config.model_dump()["pair"] for match in looks] == [5, 9], "other numbers are another game"


def test_other_invariants_are_tried_though_the_rules_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path / "cache"))
    folder = written(tmp_path, "pair", "pair")

    def told() -> str:
        code = f"""
from playmill import load_game
from playmill.engine.run.match import Match
from playmill.engine.run.preflight import preflight

game = load_game({folder!r})
preflight(Match(game, game.config(), 2, 1, (0, 0), (0, 0), ((), ())))
"""
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr

    assert told() == ""
    invariants = "from playmill.author.invariants import holds\nINVARIANTS = [holds('none', lambda config, s: False)]\n"
    (Path(folder) / "invariants.py").write_text(invariants, encoding="utf-8")
    assert "the invariant “none” does not hold" in told()


def test_what_was_told_is_told_again(beyond: str) -> None:
    for _ in range(2):
        with pytest.raises(PlaymillError, match="a place beyond the end of an array"):
            preflight(match_of(beyond))


def test_a_stuck_game_and_an_answer_that_cannot_be_are_told(tmp_path: Path) -> None:
    with pytest.raises(PlaymillError, match="is to move and has no options"):
        preflight(match_of(written(tmp_path, "s.player >= 0 and s.row[place]", "s.row[place] > 3 and s.row[place]")))
    folder = written(tmp_path, "pair", "pair")
    (Path(folder) / "agents.py").write_text(
        "from playmill import CompiledAgent, rule\n\n\n@rule\ndef third(cfg, s, legal, n, rng, params):\n"
        "    return 2\n\n\nAGENTS = {'third': CompiledAgent(third, 'takes the third card', honest=True)}\n",
        encoding="utf-8",
    )
    with pytest.raises(PlaymillError, match=r"agent third, game 0, decision .*: answered 2, which is not among its"):
        preflight(match_of(folder, agent=1))


def test_games_of_playmill_are_proven_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_look, "_disk_cache", None)
    game = load_game("save_oneself")
    preflight(Match(game, game.config(), 1, 0, (0,), (0,), ((),)))
