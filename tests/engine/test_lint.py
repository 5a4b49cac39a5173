"""The mistakes that authors make first, each told in one sentence: the file, the line, what is wrong, what to do."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from common.found import GAMES, game_of
from playmill import Game, PlaymillError, check_game, load_game
from playmill.cli import main
from playmill.engine.check.findings import CheckError
from playmill.engine.contract.game import folder_of
from playmill.engine.errors.located import RuleMistakeError, author_error, compiler_error
from playmill.engine.lint.lint_rules import lint_game, lint_rules
from playmill.starters import begin
from playmill.texts import LANGUAGES

_NUMBERS = itertools.count()
Broken = Callable[..., Game]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Broken:
    """A game that was begun with `playmill new`, in which its author has then changed a line."""

    def make(was: str, now: str, room: str = "rules", kind: str = "board") -> Game:
        name = f"broken{next(_NUMBERS)}"
        folder = tmp_path_factory.mktemp("broken")
        begin(name, kind, "en", folder)
        file = folder / name / f"{room}.py"
        text = file.read_text(encoding="utf-8")
        assert text.count(was) >= 1, was
        file.write_text(text.replace(was, now, 1), encoding="utf-8")
        return load_game(str(folder / name))

    return make


SETUP, PUT = "    s.winner = -1\n", "    s.board[row, column] = s.player + 1\n"
OPTIONS = "    n = 0\n    for action in"
#: What is written in place of what, the line that is quoted, and what is said of it in English and in Russian.
MISTAKES = {
    "a misspelt field": (
        SETUP,
        "    s.winer = -1\n",
        "the state has no field 'winer'; did you mean 'winner'?",
        "'winner'?",
    ),
    "a field that is nowhere": (
        SETUP,
        "    s.zzz = 1\n",
        "no field 'zzz'; there are: player, winner, board",
        "в состоянии нет поля 'zzz'; есть: player",
    ),
    "a misspelt setting": (">= cfg.line", ">= cfg.lines", "the record of the config has no field 'lines'", "'line'?"),
    "an undefined name": (
        "range(MAX_ACTIONS)",
        "range(MAX_ACTION)",
        "there is no 'MAX_ACTION'; did you mean 'MAX_ACTIONS'?",
        "имени 'MAX_ACTION' нет; может быть, 'MAX_ACTIONS'?",
    ),
    "a list": (OPTIONS, "    free = []\n" + OPTIONS, "a list, dictionary or set is made here", "создаётся список"),
    "a comprehension": (
        OPTIONS,
        "    free = [i for i in range(9)]\n" + OPTIONS,
        "a list, dictionary or set is made here",
        "создаётся список",
    ),
    "a list of the module": (
        "DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))",
        "DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]",
        "DIRECTIONS is a list; constants that rules use are numbers, tuples",
        "DIRECTIONS — list",
    ),
    "a new array": (OPTIONS, "    x = np.zeros(9)\n" + OPTIONS, "a new array is made here", "новый массив"),
    "luck of NumPy": (
        SETUP,
        "    s.player = np.random.randint(2)\n",
        "luck comes from the argument rng",
        "из аргумента rng",
    ),
    "luck as a method": (SETUP, "    s.player = rng.integers(2)\n", "below(rng, stream, n)", "below(rng, stream, n)"),
    "raising": (
        PUT,
        "    if action > 9:\n        raise ValueError\n" + PUT,
        "must not raise, catch or assert",
        "нельзя",
    ),
    "asserting": (PUT, "    assert action < 9\n" + PUT, "must not raise, catch or assert", "нельзя"),
    "a text": (SETUP, '    kind = "first"\n' + SETUP, "rules deal in numbers", "правила работают с числами"),
    "None": (SETUP, "    best = None\n" + SETUP, "use -1 for nothing", "берите -1"),
    "a rule without @rule": (
        "@rule\ndef is_full(s: Any)",
        "def is_full(s: Any)",
        "is_full is a plain function, and rules call rules alone: put @rule above it",
        "поставьте над ней @rule",
    ),
    "the contract without @rule": ("@rule\ndef setup", "def setup", "setup is no rule: put @rule above it", "@rule"),
    "too few arguments": (
        "def setup(cfg: Any, s: Any, rng: Any)",
        "def setup(cfg: Any, s: Any)",
        "expected setup(cfg, s, rng)",
        "нужно setup(cfg, s, rng)",
    ),
    "a rule called with too few": (
        "if wins(cfg, s, row, column):",
        "if wins(cfg, s, row):",
        "wins is called with 3 arguments; expected wins(cfg, s, row, column)",
        "нужно wins(cfg, s, row, column)",
    ),
    "recursion": (
        "    n = 0\n    y, x",
        "    n = same(s, row, column, down, right)\n    y, x",
        "calls itself, at once or by way of others",
        "вызывает сама себя",
    ),
    "no answer": (
        "            n += 1\n    return n\n",
        "            n += 1\n",
        "may end here without a number",
        "без числа",
    ),
    "no answer of a rule that is called": (
        "x = n + 1, y + down, x + right\n    return n\n",
        "x = n + 1, y + down, x + right\n",
        "same may end here without a number; it must return one on every way",
        "same может закончиться здесь без числа",
    ),
    "a whole array written": (SETUP, "    s.board = 0\n", "s.board is an array: write its cells", "s.board — массив"),
    "options without ids": ("out.ids[n] = action", "out[n] = action", "it has: out.ids", "out — запись"),
    "the config changed": (SETUP, "    cfg.line = 4\n", "must not be changed", "менять их нельзя"),
    "a variable of the module": (
        SETUP,
        "    global ROWS\n" + SETUP,
        "must not change variables of the module",
        "модуля",
    ),
    "a method of an array": (
        "    for row in range(ROWS):\n        for column",
        "    if s.board.all():\n        return True\n    for row in range(ROWS):\n        for column",
        "has no methods in a rule",
        "нет методов",
    ),
    "a fraction as a place": (
        "s.board[action // COLUMNS, action % COLUMNS] == 0",
        "s.board[action / COLUMNS, action % COLUMNS] == 0",
        "write // to divide without a rest",
        "деления нацело",
    ),
    "one place too many": (PUT, "    s.board[row, column, 0] = 1\n", "has 2 dimensions, and 3 places", "измерений: 2"),
    "a place that is not there": (
        PUT,
        "    s.board[3, column] = 1\n",
        "there is no place 3 in s.board",
        "места 3 в s.board",
    ),
    "a place below 0 of something else": (
        SETUP,
        "    rng.stream[-1] = rng.stream[0]\n" + SETUP,
        "there is no place -1 in rng.stream: places are counted from 0",
        "места -1 в rng.stream нет: места считают от 0",
    ),
    "a place below 0": (PUT, "    s.board[-1, column] = 1\n", "there is no place -1 in s.board", "места -1"),
    "a number as an array": (SETUP, "    s.winner[0] = -1\n", "s.winner is a single number", "одно число"),
    "a function inside": (SETUP, "    def inner():\n        pass\n" + SETUP, "inside a rule", "внутри правила"),
    "a field by its name": (
        SETUP,
        '    s["winner"] = -1\n',
        "in rules a field is written with a dot: s.winner",
        "в правилах поле пишут через точку: s.winner",
    ),
    "a comparison for an assignment": (SETUP, "    s.winner == -1\n", "write = instead of ==", "пишите = вместо =="),
    "numbers compared as objects": (
        SETUP,
        "    if s.player is not s.winner:\n        s.winner = -1\n",
        "compare numbers with == and !=",
        "числа сравнивают через ==",
    ),
    "a piece of a grid": (SETUP, "    s.board[0, 1:3] = 0\n", "a piece of an array", "кусок многомерного массива"),
    "a file": (
        SETUP,
        "    with open('x') as file:\n        s.winner = -1\n",
        "rules must not look at the clock, files or the system",
        "нельзя смотреть на часы, файлы",
    ),
    "an answer that nobody takes": (
        PUT,
        PUT + "    return s\n",
        "nobody takes what apply_action returns",
        "то, что возвращает apply_action, никому не нужно",
    ),
    "an Enum": (
        "s.winner = -1\n",
        "s.winner = Piece.NONE\n\n\nfrom enum import Enum\n\n\nclass Piece(Enum):\n    NONE = -1\n",
        "an Enum is no number",
        "Enum — не число",
    ),
    "a class": (
        "s.winner = -1\n",
        "s.winner = Seats.NOBODY\n\n\nclass Seats:\n    NOBODY = -1\n",
        "a class of Python is no number",
        "класс Python — не число",
    ),
    "luck from a module": (
        SETUP,
        "    s.player = randint(0, 1)\n\n\nfrom random import randint\n",
        "luck comes from the argument rng",
        "из аргумента rng",
    ),
    "an array of the module that is changed": (
        SETUP,
        SETUP + "    COUNT[0] += 1\n\n\nCOUNT = np.zeros(1, np.int32)\n",
        "a rule must not change variables of the module",
        "правилу нельзя менять переменные модуля",
    ),
    "an argument that is given another meaning": (
        "        out[seat] = 0.0",
        "        out = 0.0",
        "this name is an argument, and to give it another meaning changes nothing",
        "это имя — аргумент, и новое значение имени",
    ),
    "arguments in another order": (
        "def apply_action(cfg: Any, s: Any,",
        "def apply_action(s: Any, cfg: Any,",
        "apply_action is called with its arguments in another order: (cfg, s, action, rng)",
        "аргументы apply_action идут в другом порядке: (cfg, s, action, rng)",
    ),
    "a list for a default": (
        "down: int, right: int) -> int:",
        "down: int, right: int, most: Any = []) -> int:",
        "an argument of a rule may have a number for a default",
        "у аргумента правила может быть только число",
    ),
    "options that are appended": (
        "            out.ids[n] = action\n",
        "            out.append(action)\n",
        "out.ids[n] = action, n += 1, and in the end return n",
        "варианты пишут в out.ids по номерам",
    ),
    "a name in letters of two alphabets": (
        SETUP,
        "    \u0455.winner = -1\n",
        "is written with Cyrillic letters that look like Latin ones: type 's' anew",
        "есть русские буквы, похожие на латинские: наберите 's' заново",
    ),
    "a function that the compiler does not know": (
        "if wins(cfg, s, row, column):",
        "if any(s.board[row]):",
        "the compiler does not know this function of Python",
        "этой функции Python компилятор не знает",
    ),
    "no number for a number": (
        "out[seat] = 0.0",
        "out[seat] = np.nan",
        "nan is no number",
        "nan — не число",
    ),
    "printing": (SETUP, "    print(s.player)\n" + SETUP, "--backend interpreted", "--backend interpreted"),
    "printing texts": (
        SETUP,
        '    print("begins", f"{s.player=}")\n' + SETUP,
        "this works only where rules are interpreted (--backend interpreted)",
        "только в интерпретаторе",
    ),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_in_a_rule_is_told_where_it_is(broken: Broken, what: str) -> None:
    was, now, en, ru = MISTAKES[what]
    game = broken(was, now)
    with pytest.raises(RuleMistakeError) as caught:
        lint_game(game)
    error = caught.value
    line = Path(error.file).read_text(encoding="utf-8").splitlines()[error.line - 1].strip()
    assert error.file.endswith(f"{game.name}/rules.py")
    assert f"rules.py, line {error.line}: `{line}`: " in error.text.en and en in error.text.en, error.text.en
    assert f"rules.py, строка {error.line}: `{line}`: " in error.text.ru and ru in error.text.ru, error.text.ru
    assert "\n" not in str(error)
    elsewhere = ("a list of the module", "a rule without @rule", "no answer")  # where it is used, or ends
    assert what in elsewhere or any(part.strip() in line for part in now.splitlines() if part.strip()), line


def test_a_state_without_a_player_says_what_it_needs(broken: Broken) -> None:
    game = broken('("player", np.int8), ', "")
    with pytest.raises(RuleMistakeError, match="the state needs a field `player`"):
        lint_game(game)


def test_what_only_a_debugger_needs_may_be_interpreted(broken: Broken) -> None:
    lint_game(broken(SETUP, "    print(s.player)\n" + SETUP), compiled=False)


def test_an_interpreted_rule_prints_texts(broken: Broken, capsys: pytest.CaptureFixture[str]) -> None:
    shown = '    print("row", row, f"{column=}", [s.board[row, x] for x in range(COLUMNS)], sep=" | ")\n'
    game = broken(PUT, shown + PUT)
    words = ["simulate", str(folder_of(game)), "--games", "1", "--backend", "interpreted", "--quiet"]
    assert main(words) == 0
    assert re.search(r"^row \| \d \| column=\d \| \[0, 0, 0\]$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(
    ("printed", "told"),
    [('print("won by", s.winer)', "the state has no field 'winer'"), ('print(f"{wha}")', "there is no 'wha'")],
)
def test_what_is_printed_must_be_there(broken: Broken, printed: str, told: str) -> None:
    with pytest.raises(RuleMistakeError, match=told):
        lint_game(broken(SETUP, f"    {printed}\n" + SETUP), compiled=False)


def test_a_rule_that_is_called_for_what_it_does_need_not_answer(broken: Broken) -> None:
    head = "@rule\ndef apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:\n"
    head += '    """Puts a piece there and passes the turn, or ends the game."""\n'
    clear = "@rule\ndef clear(s: Any) -> None:\n    s.winner = -1\n\n\n"
    lint_game(broken(head, f"{clear}{head}    clear(s)\n    if action > 90:\n        return clear(s)\n"))


def test_a_handed_on_state_is_still_the_state(broken: Broken) -> None:
    with pytest.raises(RuleMistakeError, match="the state has no field 'bord'"):
        lint_game(broken("s.board[y, x] ==", "s.bord[y, x] =="))


@pytest.mark.parametrize("name", GAMES)
def test_no_game_is_blamed_for_nothing(name: str) -> None:
    lint_rules(game_of(name))


@pytest.mark.parametrize(
    ("was", "now", "room", "told"),
    [
        (
            "def setup(cfg: Any, s: Any, rng: Any) -> None:",
            "def setup(cfg, s, rng)",
            "rules",
            "SyntaxError: expected ':'",
        ),
        ("MAX_ACTIONS = 2, ROWS", "MAX_ACTIONS = 2, ROW", "rules", "NameError: name 'ROW' is not defined"),
        ("import RuleConfig", "import RulesConfig", "config", "ImportError: cannot import name 'RulesConfig'"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told_with_its_line(
    broken: Broken, was: str, now: str, room: str, told: str
) -> None:
    with pytest.raises(RuleMistakeError) as caught:
        broken(was, now, room)
    assert f"{room}.py, line {caught.value.line}: `" in str(caught.value) and told in str(caught.value)


def test_a_name_that_is_missing_is_named(broken: Broken) -> None:
    with pytest.raises(PlaymillError, match=r"rules of the game 'broken\d+' lacks returns"):
        broken("def returns", "def payoffs")


def test_a_setting_without_a_default_is_named(broken: Broken) -> None:
    with pytest.raises(PlaymillError, match="every setting needs a default, and line of config") as caught:
        broken("default=3,", "", "config")
    assert "значение по умолчанию" in caught.value.text.ru


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_command_line_ends_with_status_2(broken: Broken, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = broken(SETUP, "    s.winer = -1\n")
    folder = str(folder_of(game))
    for command in ("check", "show", "simulate"):
        assert main([command, folder, "--lang", lang]) == 2
        told = capsys.readouterr().err.strip().splitlines()
        assert len(told) == 1 and "`s.winer = -1`" in told[0]


def test_what_only_the_compiler_sees_is_told_at_its_place(broken: Broken) -> None:
    """A number and a tuple in one variable: the reader has no types of numbers."""
    game = broken(SETUP, "    pair = (1, 2)\n    if s.player == 0:\n        pair = 3\n    s.winner = pair\n")
    from playmill.engine.run.backends import Cpu
    from playmill.engine.run.match import Match

    with pytest.raises(RuleMistakeError) as caught:
        Cpu(Match(game, game.config(), 2, 1, (0, 0), (0, 0), ((), ()))).play(0, 1)
    assert "the compiler cannot do this" in str(caught.value) and caught.value.file.endswith("rules.py")


def test_a_loop_over_numbers_of_several_kinds_is_told_with_its_remedy(tmp_path: Path) -> None:
    file = tmp_path / "mixed_loop.py"
    file.write_text("def both(me):\n    n = 0\n    for who in (me, 1 - me):\n        n += who\n    return n\n")
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    with pytest.raises(numba.TypingError) as caught:
        numba.njit(space["both"]).compile((numba.int8,))
    told = compiler_error(caught.value, tmp_path)
    assert "mixed_loop.py, line 3: `for who in (me, 1 - me):`: a loop over a tuple needs numbers of one kind" in str(
        told
    )
    remedy = "who = me if i == 0 else 1 - me"
    assert remedy in str(told) and remedy in told.text.ru and "одного вида" in told.text.ru
    remedied = file.read_text().replace("for who in (me, 1 - me):", f"for i in range(2):\n        {remedy}")
    exec(compile(remedied, "remedied", "exec"), space)
    assert numba.njit(space["both"])(np.int8(1)) == 1


@pytest.mark.parametrize(
    ("now", "en", "ru"),
    [
        (
            '    return "abc"[action]\n',
            "a place beyond the end of a list, a text or an array: it has fewer things than were asked for (IndexError",
            "место за концом списка, строки или массива",
        ),
        ("    return config.lines\n", "AttributeError: 'Config' object has no attribute 'lines'", "AttributeError"),
    ],
)
def test_a_mistake_in_words_is_told_as_what_it_is(broken: Broken, now: str, en: str, ru: str) -> None:
    head = "def describe(config: Any, action: int) -> str:\n"
    with pytest.raises(CheckError) as caught:
        check_game(broken(head, head + now, "words"), games=1)
    assert "words.py, line " in caught.value.text.en and en in caught.value.text.en, caught.value.text.en
    assert "compiled" not in caught.value.text.en and ru in caught.value.text.ru, caught.value.text.ru


@pytest.mark.parametrize(
    ("asked", "en", "ru"),
    [
        ("winner", 'write s["winner"], not s.winner', 'пишите s["winner"], а не s.winner'),
        ("winer", "the state has no field 'winer'; did you mean 'winner'?", "может быть, 'winner'?"),
    ],
)
def test_a_field_with_a_dot_in_words_is_told_with_brackets(broken: Broken, asked: str, en: str, ru: str) -> None:
    head = "def describe(config: Any, action: int) -> str:\n"
    seen = f"def decision_kind(s):\n    return str(s.{asked})\n\n\n"
    with pytest.raises(CheckError) as caught:
        check_game(broken(head, seen + head, "words"), games=1)
    assert en in caught.value.text.en and ru in caught.value.text.ru, caught.value.text


def test_a_misspelt_function_of_the_rules_is_found(broken: Broken) -> None:
    with pytest.raises(PlaymillError, match="lacks legal_actions; is it 'legal_action', misspelt") as caught:
        broken("def legal_actions", "def legal_action")
    assert "может быть, это 'legal_action'?" in caught.value.text.ru


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "a place beyond the end of a list, a text"), ("ru", "место за концом")]
)
def test_a_mistake_in_words_is_one_sentence_for_whoever_shows_them(
    broken: Broken, lang: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "def describe(config: Any, action: int) -> str:\n"
    game = broken(head, head + '    return ""[action]\n', "words")
    assert main(["show", str(folder_of(game)), "--lang", lang]) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and "words.py" in said[0] and told in said[0], said


def test_a_mistake_of_ours_keeps_its_traceback() -> None:
    with pytest.raises(AttributeError) as caught:
        game_of("dimensions").words.seen(None, None, 0, "en")
    assert author_error(caught.value) is None
