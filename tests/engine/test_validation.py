"""What stands in the rooms of an author's game and is not what its name says: one sentence at its line."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from playmill import State, check_game, load_game
from playmill.engine.check.findings import CheckError
from playmill.engine.errors.located import RuleMistakeError
from playmill.starters import begin

_NUMBERS = itertools.count()
PUT = "    s.board[row, column] = s.player + 1\n"
_AGENTS = """from playmill import CompiledAgent, rule


@rule
def first(cfg, s, legal, n, rng, params):
    return legal.ids[0]


"""
#: In which room, what stands there instead of what (or is the room), the line that is quoted, and what is said.
WRONG_CONTENTS = {
    "a config of another kind": (
        (
            "config",
            "from playmill.author import RuleConfig",
            "from pydantic import BaseModel as RuleConfig",
        ),
        "class Config(RuleConfig):",
        "the config is a class based on RuleConfig",
        "настройки — класс на основе RuleConfig",
    ),
    "a default that is no number": (
        ("config", "default=3", "default='three'"),
        "line: int = Field(",
        'of its own setting: line is "three"; expected a whole number; change',
        'к своей же настройке: line равно "three"; ожидается: целое число; исправьте',
    ),
    "a default beyond its own bounds": (
        ("config", "default=3", "default=99"),
        "line: int = Field(",
        "a default breaks the bounds or the kind of its own setting: line is 99; expected at most 3; change",
        "значение по умолчанию не подходит к своей же настройке: line равно 99; ожидается: не больше 3; исправьте",
    ),
    "a default that is a fraction": (
        ("config", "default=3", "default=2.5"),
        "line: int = Field(",
        "line is 2.5; expected a whole number",
        "line равно 2.5; ожидается: целое число",
    ),
    "a default that no file may hold": (
        ("config", "default=3", "default=object()"),
        "class Config(RuleConfig):",
        "a default is nothing that a file may hold",
        "значение по умолчанию нельзя записать в файл",
    ),
    "a title that is a number": (
        ("words", "TITLE =", "TITLE = 4\nNAME ="),
        "TITLE = 4",
        "TITLE is 4; it must be a text",
        "TITLE — это 4, а нужен текст",
    ),
    "a setting without a default": (
        ("config", "        default=3,\n", ""),
        "line: int = Field(",
        "every setting needs a default",
        "значение по умолчанию",
    ),
    "a setting that is a list": (
        (
            "config",
            "line: int = Field(\n        default=3,\n        ge=2,\n        le=3,",
            "line: list[int] = Field(default=[3],",
        ),
        "line: list[int] = Field(default=[3],",
        "neither a whole number, a number nor a switch",
        "не целое число",
    ),
    "a field of fractions": (
        ("rules", '("winner", np.int8)', '("winner", float)'),
        "State = np.dtype(",
        "a field 'winner' of the type float64",
        "поле 'winner' типа float64",
    ),
    "a decorator with brackets": (
        ("rules", "@rule\ndef setup", "@rule()\ndef setup"),
        "@rule()",
        "write @rule, without brackets",
        "пишите @rule, без скобок",
    ),
    "a misspelt import": (
        ("rules", "from playmill.author import rule", "from playmill.author import rulle"),
        "from playmill.author import rulle",
        "from 'playmill.author'; did you mean 'rule'?",
        "может быть, 'rule'?",
    ),
    "words with other arguments": (
        ("words", "def describe(config: Any, action: int)", "def describe(action: int)"),
        "def describe(action: int) -> str:",
        "it is called as describe(config, action)",
        "её вызывают так: describe(config, action)",
    ),
    "a player without a sign": (
        ("rules", '("player", np.int8)', '("player", np.uint8)'),
        "State = np.dtype(",
        "and -1 at the end: a single number with a sign, np.int8, and not uint8",
        "а в конце -1: одно число со знаком, np.int8, а не uint8",
    ),
    "a player for each seat": (
        ("rules", '("player", np.int8)', '("player", np.int8, (2,))'),
        "State = np.dtype(",
        "a single number with a sign, np.int8, and not int8 × 2",
        "одно число со знаком, np.int8, а не int8 × 2",
    ),
    "a field of letters": (
        ("rules", '("winner", np.int8)', '("winner", "U5")'),
        "State = np.dtype(",
        "the field 'winner' is of the type <U5, and a state is made of numbers",
        "поле 'winner' — типа <U5, а состояние — это числа",
    ),
    "agents in a list": (
        ("agents", "", _AGENTS + "AGENTS = [first]\n"),
        "AGENTS = [first]",
        "AGENTS is a dictionary of agents by their names",
        "AGENTS — словарь агентов по именам",
    ),
    "a bare rule as an agent": (
        ("agents", "", _AGENTS + "AGENTS = {'first': first}\n"),
        "AGENTS = {'first': first}",
        "AGENTS is a dictionary of agents by their names",
        "AGENTS — словарь агентов по именам",
    ),
    "a view that is none": (
        ("view", "", "x = 1\n"),
        "x = 1",
        "view.py needs a function table(config, s, player, lang), or view(",
        "в view.py нужна функция table(",
    ),
}
#: A line that counts, and what is said of it.
COUNTS = {
    "more players than seats": ("MAX_PLAYERS = 9", "a table has 6 seats: write 6 or less", "мест за столом 6"),
    "players in quotes": ("MAX_PLAYERS = '2'", ": write 2, without quotes", ": напишите 2, без кавычек"),
    "no players": ("MIN_PLAYERS = 0", "MIN_PLAYERS is 0; it must be a whole", "MIN_PLAYERS равно 0, а должно быть"),
    "more at least than at most": (
        "MIN_PLAYERS = 3",
        "MIN_PLAYERS is 3 and MAX_PLAYERS is 2",
        "равно 3, а MAX_PLAYERS",
    ),
    "a fraction of actions": ("MAX_ACTIONS = 18 / 2", ": write 9, and // to divide", ": напишите 9, а делите через //"),
    "options in quotes": ("MAX_LEGAL = 'all'", "MAX_LEGAL is 'all'; it must be a", "MAX_LEGAL равно 'all', а должно"),
    "more options than actions": (
        "MAX_LEGAL = 10",
        "MAX_LEGAL is 10 and MAX_ACTIONS is 9: no decision has more options",
        "MAX_LEGAL равно 10, а MAX_ACTIONS — 9: вариантов в решении не бывает больше",
    ),
    "no options": ("MAX_LEGAL = 0", "MAX_LEGAL is 0; it must be a whole number, 1", "MAX_LEGAL равно 0, а должно быть"),
    "actions below 0": ("MAX_ACTIONS = -4", "MAX_ACTIONS is -4; it must be", "MAX_ACTIONS равно -4, а должно"),
    "more actions than can be listed": (
        "MAX_ACTIONS = 10**9",
        "is 1000000000, more than the 1000000 there is room for",
        "места хватит самое большее на 1000000",
    ),
    "a version in quotes": ("VERSION = '1.0'", "VERSION is '1.0'; it must be a whole", "VERSION равно '1.0', а должно"),
    "a switch": ("MAX_ACTIONS = True", "MAX_ACTIONS is True; it must be", "MAX_ACTIONS равно True, а должно"),
    "one number for stakes": ("STAKES = 15", "STAKES are 15; they must be (least, most)", "STAKES — это 15, а нужны ("),
    "stakes upside down": ("STAKES = (2, 0)", "STAKES are (2, 0); they must", "STAKES — это (2, 0), а нужны ("),
    "stakes in quotes": ("STAKES = (0, '2')", "STAKES are (0, '2'); they must", "STAKES — это (0, '2'), а нужны ("),
    "an observation in quotes": ("OBSERVATION = '39'", ": write 39, without quotes", ": напишите 39, без кавычек"),
}


@pytest.mark.parametrize("what", COUNTS)
def test_what_a_game_counts_by_is_whole_and_fits_a_table(what: str, tmp_path: Path) -> None:
    line, en, ru = COUNTS[what]
    constant = line.split(" = ")[0]
    room = "hidden" if constant == "OBSERVATION" else "rules"
    name = f"furnished{next(_NUMBERS)}"
    begin(name, "hidden", "en", tmp_path)
    file = tmp_path / name / f"{room}.py"
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    with pytest.raises(RuleMistakeError) as caught:
        load_game(str(tmp_path / name))
    told = caught.value.text
    assert f"{room}.py, line {caught.value.line}: `{line}`" in told.en and en in told.en, told
    assert f"{room}.py, строка {caught.value.line}: `{line}`" in told.ru and ru in told.ru, told


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("what", WRONG_CONTENTS)
def test_what_is_of_another_kind_than_its_name_says_is_told_at_its_line(what: str, tmp_path: Path) -> None:
    (room, was, now), line, en, ru = WRONG_CONTENTS[what]
    name = f"furnished{next(_NUMBERS)}"
    begin(name, "board", "en", tmp_path)
    file = tmp_path / name / f"{room}.py"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert was in text
    file.write_text(text.replace(was, now, 1) if was else now, encoding="utf-8")
    with pytest.raises(RuleMistakeError) as caught:
        State(load_game(str(tmp_path / name)), interpreted=True)
    told = caught.value.text
    assert f"{room}.py, line {caught.value.line}: `{line}" in told.en and en in told.en, told
    assert f"{room}.py, строка {caught.value.line}: `{line}" in told.ru and ru in told.ru, told


@pytest.mark.parametrize(
    ("room", "was", "now", "told"),
    [
        (
            "words",
            '    return f"takes',
            '    f"takes',
            "describe must return a text, a string or Text(english, russian)",
        ),
        (
            "view",
            "",
            "def table(config, s, player, lang):\n    return None\n",
            "table must return a list of things (Board",
        ),
        (
            "words",
            "TITLE =",
            "def position(config, s, lang):\n    return s['winer']\n\n\nTITLE =",
            "did you mean 'winner'?",
        ),
        (
            "rules",
            "1 - s.player\n",
            "1 - s.player\n    k = 5 // (action - action)\n",
            "a division by 0; compiled rules",
        ),
        ("rules", PUT, "    if action > 99:\n        k = 1\n    s.winner = k\n", "a variable has no value here"),
        ("rules", ", align=True", "", "State must be an aligned dtype"),
    ],
)
def test_check_tells_what_shows_only_when_it_is_asked_at_its_line(
    room: str, was: str, now: str, told: str, tmp_path: Path
) -> None:
    name = f"furnished{next(_NUMBERS)}"
    begin(name, "board", "en", tmp_path)
    file = tmp_path / name / f"{room}.py"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert was in text
    file.write_text(text.replace(was, now, 1) if was else now, encoding="utf-8")
    with pytest.raises(CheckError, match=rf"{room}\.py, line \d+: `") as caught:
        check_game(load_game(str(tmp_path / name)), games=1)
    assert told in caught.value.text.en
