"""`playmill new`: a folder that plays at once, in the author's language, and nothing of hers is touched."""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from common.language import CYRILLIC
from common.pictures import offered
from playmill import State, load_game
from playmill.cli import main
from playmill.starters import KINDS, begin, written
from playmill.texts import LANGUAGES, Lang

EACH = [(kind, lang) for kind in KINDS for lang in LANGUAGES]


@pytest.mark.parametrize(("kind", "lang"), EACH)
def test_what_is_new_plays_at_once_and_every_option_can_be_clicked(kind: str, lang: Lang, tmp_path: Path) -> None:
    name = f"fresh_{kind}_{lang}"
    begin(name, kind, lang, tmp_path)
    game = load_game(str(tmp_path / name))
    for players in range(game.players[0], game.players[1] + 1):
        state = State(game, players=players, seed=players, interpreted=True)
        while not state.is_terminal():
            assert sorted(offered(state.view(state.current_player(), lang))) == state.legal_actions()
            state.apply_action(state.choice_of(0))
        assert state.view(None, lang)


@pytest.mark.parametrize(("kind", "lang"), EACH)
def test_the_test_that_comes_with_it_passes(
    kind: str, lang: Lang, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clauses; that it keeps the contract is asked for once for each kind, in the interpreter."""
    name = f"tested_{kind}_{lang}"
    begin(name, kind, lang, tmp_path)
    spec = importlib.util.spec_from_file_location(f"test_{name}", tmp_path / name / f"test_{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    clauses = [key for key in vars(module) if key.startswith("test_") and key != "test_it_keeps_the_contract"]
    assert len(clauses) >= 2
    for clause in clauses:
        getattr(module, clause)()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_it_writes_is_clean_code(lang: Lang, tmp_path: Path) -> None:
    for kind in KINDS:
        begin(f"clean_{kind}", kind, lang, tmp_path)
    rules = ["--isolated", "--no-cache", "--line-length=120"]
    for words in (["check", "--select=E,F,I,UP,B,SIM,D100,D101,D102"], ["format", "--check"]):
        # Beside her games, where Playmill is a library like any other.
        command = [sys.executable, "-m", "ruff", *words, *rules, "."]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_each_author_reads_one_language() -> None:
    for kind in KINDS:
        for file, text in written(kind, "mine", "en").items():
            assert not re.search(f"{CYRILLIC}|[«»|]\\w", text.replace("int | None", "")), (kind, file)
            assert "TITLE_OF_THE_GAME" not in text
        assert re.search(CYRILLIC, written(kind, "mine", "ru")["rules.py"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_next_steps_are_told(
    lang: Lang, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"stepped_{lang}"
    assert main(["new", name, "--like", "hidden", "--lang", lang]) == 0
    told = capsys.readouterr().out
    for step in ("check", "show", "simulate", "serve"):
        assert f"playmill {step} {name} " in told
    page = "docs/new_game.md" if lang == "en" else "docs/ru/new_game.md"
    assert page in told and "pip install pytest" in told and (Path(__file__).parents[2] / page).is_file()
    assert (tmp_path / name / "hidden.py").is_file()
    assert load_game(name).title.en == name.replace("_", " ").capitalize(), "a folder beside is found by its name"


@pytest.mark.parametrize(
    ("name", "en", "ru"),
    [
        ("Chess", "expected small Latin letters", "нужны строчные латинские буквы"),
        ("игра", "expected small Latin letters", "нужны строчные латинские буквы"),
        ("../up", "expected small Latin letters", "нужны строчные латинские буквы"),
        ("class", "expected small Latin letters", "нужны строчные латинские буквы"),
        ("dice", "there is a game 'dice' already", "игра 'dice' уже есть"),
        ("json", "a module of Python", "модуля Python"),
        ("there", "is there already", "уже есть"),
    ],
)
def test_a_name_that_will_not_do_says_why(
    name: str, en: str, ru: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    for lang, wanted in (("en", en), ("ru", ru)):
        assert main(["new", name, "--lang", lang]) == 2
        assert wanted in capsys.readouterr().err
    assert [*tmp_path.rglob("*.py")] == []


def test_nothing_is_left_of_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "write_text", full)
    for lang, told in (("en", "cannot write 'mine': no space left"), ("ru", "записать 'mine': на диске нет места")):
        assert main(["new", "mine", "--lang", lang]) == 2
        assert told in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []
