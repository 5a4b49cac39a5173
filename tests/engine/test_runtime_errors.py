"""Mistakes that show only when rules run: whoever runs them is told in one sentence where they are."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from playmill import Batch, Game, PlaymillError, State, load_game
from playmill.cli import main
from playmill.engine.contract.game import folder_of
from playmill.engine.errors.located import RuleMistakeError
from playmill.starters import begin

_NUMBERS = itertools.count()
Failing = Callable[[str], Game]

SETUP, PUT = "    s.winner = -1\n", "    s.board[row, column] = s.player + 1\n"
LUCK = ("from playmill.author import rule", "from playmill.author import below, rule")
HALF = ("@rule\ndef returns", "@rule\ndef half(x: int) -> Any:\n    return x / 2\n\n\n@rule\ndef returns")
#: What is written in place of what, the line that is quoted, and what is said of it in English and in Russian.
FAILING = {
    "a narrow field": (
        ((PUT, "    s.winner = 100 + 100 * (action + 1)\n" + PUT),),
        "s.winner = 100 + 100 * (action + 1)",
        "a number does not fit where it is kept",
        "число не помещается",
    ),
    "a place beyond": (
        ((PUT, "    s.board[row + 3, column] = 1\n"),),
        "s.board[row + 3, column] = 1",
        "a place beyond the end of an array",
        "место за концом массива",
    ),
    "a fraction as a place": (
        (HALF, (PUT, "    s.board[row, half(column)] = 1\n")),
        "s.board[row, half(column)] = 1",
        "write // to divide without a rest",
        "для деления нацело пишите //",
    ),
    "no such stream": (
        (LUCK, (SETUP, "    s.player = below(rng, 20, 2)\n" + SETUP)),
        "s.player = below(rng, 20, 2)",
        "there is no stream 20 of luck: there are 16, 0 … 15",
        "потока случая 20 нет: их 16, 0 … 15",
    ),
    "too little room for options": (
        (("MAX_ACTIONS = 2, ROWS * COLUMNS", "MAX_ACTIONS = 2, 4"), ("range(MAX_ACTIONS)", "range(ROWS * COLUMNS)")),
        "out.ids[n] = action",
        "more options than the 4 there is room for: make MAX_LEGAL of rules.py larger",
        "больше, чем места для них (4): увеличьте MAX_LEGAL в rules.py",
    ),
    "a fraction in a field": (
        ((PUT, PUT + "    s.winner = action / 1 - action - 1\n"),),
        "s.winner = action / 1 - action - 1",
        "fields are whole numbers, and this is none",
        "а здесь не целое",
    ),
    "a bound of luck below 1": (
        (
            ("from playmill.author import rule\n", "from playmill.author import below, rule\n"),
            (PUT, PUT + "    s.winner = below(rng, 0, row - row) - 1\n"),
        ),
        "s.winner = below(rng, 0, row - row) - 1",
        "below(rng, stream, n) draws one of 0 … n - 1, and here n is 0",
        "выбирает из 0 … n - 1, а здесь n равно 0",
    ),
    "a turn of nobody": (
        (("else 1 - s.player", "else s.player + 1"),),
        "def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:",
        "the player to move must be one of the players, 0 … 1, not 2",
        "ходить должен один из игроков, 0 … 1, а не 2",
    ),
    "luck of Python's own": (
        (
            ("from playmill.author import rule\n", "from random import randint\n\nfrom playmill.author import rule\n"),
            ("    s.winner = -1\n", "    s.winner = randint(-1, -1)\n"),
        ),
        "s.winner = randint(-1, -1)",
        "luck comes from the argument rng",
        "случай берут из аргумента rng",
    ),
    "a shift by less than nothing": (
        ((PUT, PUT + "    s.winner = -1 + (1 << row - 9)\n"),),
        "s.winner = -1 + (1 << row - 9)",
        "a shift by less than 0 bits",
        "сдвиг на отрицательное число битов",
    ),
    "a return without an end": (
        (("out[seat] = 0.0 if s.winner < 0 else (1.0", "out[seat] = 0.0 if s.winner < 0 else (np.inf"),),
        "out[seat] = 0.0 if s.winner < 0 else (np.inf if s.winner == seat else -1.0)",
        "`returns` pays inf, and no result can be counted with that",
        "`returns` платит inf, а такой итог не сосчитать",
    ),
    "a rule that returns nothing": (
        (
            (
                "@rule\ndef returns",
                "@rule\ndef kept(s: Any) -> Any:\n    while True:\n        break\n\n\n@rule\ndef returns",
            ),
            (PUT, PUT + "    s.winner = kept(s) - 1\n"),
        ),
        "s.winner = kept(s) - 1",
        "a rule that is called here has returned nothing",
        "ничего не вернуло",
    ),
}

BEYOND = """
from playmill.engine.contract.agent import CompiledAgent
from playmill.engine.lang.rule import rule


@rule
def first(cfg, s, legal, n, rng, params):
    return legal.ids[n + 50]


AGENTS = {"first": CompiledAgent(first, "takes the first cell")}
"""


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Failing:
    """A game that was begun with `playmill new`, and whose author has made one of these mistakes."""

    def make(what: str) -> Game:
        name = f"failing{next(_NUMBERS)}"
        folder = tmp_path_factory.mktemp("failing")
        begin(name, "board", "en", folder)
        file = folder / name / "rules.py"
        text = file.read_text(encoding="utf-8")
        for was, now in FAILING[what][0]:
            assert text.count(was) >= 1, was
            text = text.replace(was, now)
        file.write_text(text, encoding="utf-8")
        return load_game(str(folder / name))

    return make


@pytest.mark.parametrize("what", FAILING)
def test_a_mistake_that_shows_at_run_time_is_one_sentence(
    failing: Failing, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(folder_of(failing(what)))
    _, line, en, ru = FAILING[what]
    for command, lang, wanted in (("show", "en", en), ("simulate", "ru", ru), ("check", "en", en)):
        assert main([command, folder, "--lang", lang]) == 2
        said = capsys.readouterr().err.strip().splitlines()
        assert len(said) == 1 and f"`{line}`:" in said[0] and wanted in said[0], said


def test_a_game_that_is_recorded_ends_in_the_sentence_and_leaves_no_file(
    failing: Failing, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    assert main(["record", str(folder_of(failing("a place beyond"))), "--out", str(file), "--lang", "en"]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and "a place beyond" in said[0] and not file.exists()


@pytest.mark.parametrize("command", ["show", "record"])
def test_a_mistake_in_words_or_in_what_is_paid_is_told_in_the_same_way(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for room, was, now in (("words", "'abc'[", "''["), ("rules", "        out[seat] = ", "        out[seat + 9] = ")):
        name = f"{command}_{room}"
        begin(name, "board", "en", tmp_path)
        file = tmp_path / name / f"{room}.py"
        text = file.read_text(encoding="utf-8")
        assert was in text
        file.write_text(text.replace(was, now, 1), encoding="utf-8")
        for lang, line in (("en", "line"), ("ru", "строка")):
            assert main([command, f"./{name}", "--lang", lang]) == 2
            said = capsys.readouterr().err.strip().splitlines()
            assert len(said) == 1 and f"{room}.py, {line} " in said[0] and "IndexError" in said[0], said


def test_an_agent_that_reads_beyond_its_options_is_not_told_to_make_room(tmp_path: Path) -> None:
    begin("reads_beyond", "board", "en", tmp_path)
    (tmp_path / "reads_beyond" / "agents.py").write_text(BEYOND, encoding="utf-8")
    with pytest.raises(RuleMistakeError, match="a place beyond the end") as caught:
        State(load_game(str(tmp_path / "reads_beyond")), interpreted=True).choice_of(1)
    assert "MAX_LEGAL" not in str(caught.value) and caught.value.file.endswith("agents.py")


def test_in_python_it_is_a_playmill_error_that_knows_its_place(failing: Failing) -> None:
    game = failing("a place beyond")
    state = State(game, interpreted=True)
    with pytest.raises(RuleMistakeError, match="a place beyond the end") as caught:
        state.apply_action(0)
    assert isinstance(caught.value, PlaymillError) and caught.value.file == str(folder_of(game) / "rules.py")
    assert isinstance(caught.value.__cause__, IndexError), "a debugger still finds what happened"
    batch = Batch(game, 2, interpreted=True)
    with pytest.raises(RuleMistakeError, match="a place beyond the end"):
        batch.step([0, 0])


def test_what_is_no_mistake_of_the_author_is_left_as_it_is(failing: Failing, monkeypatch: pytest.MonkeyPatch) -> None:
    from playmill.engine.errors import located as mistakes

    monkeypatch.setattr(mistakes, "last_place", lambda error, folder: None)
    with pytest.raises(IndexError):
        State(failing("a place beyond"), interpreted=True).apply_action(0)
