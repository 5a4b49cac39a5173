"""Games that cannot be loaded: what was looked for, what is there, and the line at which a file breaks off."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from playmill import PlaymillError, load_game
from playmill.engine.errors.located import RuleMistakeError
from playmill.engine.errors.python_messages import python_message
from playmill.starters import begin

_NUMBERS = itertools.count()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a game that was begun with `playmill new`."""
    name = f"loaded{next(_NUMBERS)}"
    begin(name, "board", "en", tmp_path)
    return tmp_path / name


def told_of(name: str) -> tuple[str, str]:
    """What is said of a game that is not found."""
    with pytest.raises(PlaymillError) as caught:
        load_game(name)
    assert not isinstance(caught.value, RuleMistakeError)
    return caught.value.text


def broken(folder: Path) -> RuleMistakeError:
    """The mistake at which a game is not loaded."""
    with pytest.raises(RuleMistakeError) as caught:
        load_game(str(folder))
    return caught.value


def test_a_folder_that_holds_games_names_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    for name in (".", str(folder.parent)):
        en, ru = told_of(name)
        assert f"no rules.py; but in folders of it: name one of {folder.name}" in en
        assert f"нет rules.py; но игры есть в папках внутри, назовите одну: {folder.name}" in ru


def test_a_module_of_a_game_may_be_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "rules").mkdir()
    (folder / "rules.py").rename(folder / "rules" / "turns.py")
    (folder / "rules" / "__init__.py").write_text("from .turns import *\n", encoding="utf-8")
    assert load_game(str(folder)).name == folder.name
    monkeypatch.chdir(folder.parent)
    assert folder.name in told_of(".")[0] and folder.name in told_of("nowhere")[0]


def test_a_folder_without_a_game_says_what_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m").mkdir()
    assert told_of("m")[0].startswith(
        "there is no game in m: no rules.py (it is empty); a game needs config.py, rules.py"
    )
    (tmp_path / "m" / "notes.txt").touch()
    assert "(it has notes.txt)" in told_of("m")[0] and "(есть notes.txt)" in told_of("m")[1]


def test_a_file_names_the_folder_it_lies_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    en, ru = told_of("rules.py")
    assert en == "rules.py is a file; a game is a folder: name ., if rules.py lies there"
    assert ru == "rules.py — файл, а игра — это папка: назовите ., если rules.py лежит там"


def test_a_name_that_is_nowhere_is_told_with_the_games_that_are_near(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    en, ru = told_of("dise")
    assert en.startswith("there is no game 'dise'; did you mean 'dice'? known games: dice") or "'dice'?" in en
    assert en.endswith(f"no folder here is called so, either; games in folders here: {folder.name}")
    assert ru.endswith(f"папки с таким именем здесь тоже нет; игры в папках здесь: {folder.name}")


def test_a_folder_with_the_name_of_a_module_of_python_is_to_be_renamed(tmp_path: Path) -> None:
    for name in ("random", "statistics"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.py").touch()
        en, ru = told_of(str(tmp_path / name))
        assert f"to Python the name {name!r} means {name}.py already; rename the folder" in en
        assert f"имя {name!r} для Python уже значит {name}.py; переименуйте папку" in ru


@pytest.mark.parametrize(
    ("room", "was", "now", "line", "en", "ru"),
    [
        (
            "words",
            b'"Loaded',
            b'"\xca\xf0\xee\xeb\xe8\xea\xe8',
            'TITLE = "Кролики',
            "not saved in UTF-8 (it looks like cp1251)",
            "сохранён не в UTF-8 (похоже на cp1251)",
        ),
        ("rules", b"s.winner = -1\n", b"s.winner = -1\0\n", "s.winner = -1\\x00", "a zero byte", "нулевой байт"),
        (
            "rules",
            b"        s.winner = s.player\n",
            b"\ts.winner = s.player\n",
            "s.winner = s.player",
            "TabError: inconsistent use of tabs and spaces",
            "TabError: в отступах смешаны табуляции и пробелы",
        ),
        (
            "rules",
            b"range(MAX_ACTIONS):",
            b"range(MAX_ACTIONS)",
            "for action in range(MAX_ACTIONS)",
            "SyntaxError: expected ':'",
            "SyntaxError: пропущено двоеточие",
        ),
        (
            "rules",
            b"@rule\ndef setup",
            b"raise SystemExit(2)\ndef setup",
            "raise SystemExit(2)",
            "SystemExit: 2",
            "SystemExit: 2",
        ),
        *(
            (
                "rules",
                b"from playmill.author import rule\n",
                b"from playmill.author import rule\nfrom playmill.engine.%s import below\n" % module,
                f"from playmill.engine.{module.decode()} import below",
                "what a game imports is in playmill.author and its modules: from playmill.author import …",
                "то, что импортирует игра, лежит в playmill.author и её модулях: from playmill.author import …",
            )
            for module in (b"rng", b"config")
        ),
        (
            "rules",
            b"from playmill.author import rule\n",
            b"from playmill.author import rule\nfrom .words import TITLE\n",
            "from .rules import COLUMNS",
            "files import each other in a circle, and rules.py has no COLUMNS yet",
            "файлы импортируют друг друга по кругу, и COLUMNS в rules.py ещё нет",
        ),
        (
            "words",
            b"from .rules import",
            b"from rules import",
            "from rules import COLUMNS",
            "a file of the game itself is imported with a dot: from .rules import",
            "файл самой игры импортируют с точкой: from .rules import",
        ),
        (
            "config",
            b"line: int = Field(",
            b"line = Field(",
            "line = Field(",
            "a setting needs its type: line: int",
            "у настройки нужно указать тип: line: int",
        ),
        (
            "rules",
            b"2, ROWS * COLUMNS",
            b"2, ROWS * COLUMS",
            "MAX_PLAYERS, MAX_ACTIONS = 2, ROWS * COLUMS",
            "name 'COLUMS' is not defined; did you mean 'COLUMNS'?",
            "имени COLUMS нет; может быть, 'COLUMNS'?",
        ),
    ],
)
def test_a_file_that_breaks_off_is_told_at_its_line(
    folder: Path, room: str, was: bytes, now: bytes, line: str, en: str, ru: str
) -> None:
    file = folder / f"{room}.py"
    text = file.read_bytes()
    assert was in text
    file.write_bytes(text.replace(was, now, 1))
    error = broken(folder)
    assert f".py, line {error.line}: `{line}" in error.text.en and en in error.text.en, error.text.en
    assert f".py, строка {error.line}: `{line}" in error.text.ru and ru in error.text.ru, error.text.ru


def test_a_file_in_utf_16_is_to_be_saved_anew(folder: Path) -> None:
    file = folder / "words.py"
    file.write_bytes(file.read_text(encoding="utf-8").encode("utf-16"))
    assert "words.py, line 1:" in broken(folder).text.en and "(it looks like utf-16)" in broken(folder).text.en


def test_an_empty_file_is_told_with_what_it_lacks(folder: Path) -> None:
    (folder / "words.py").write_bytes(b"")
    en, ru = told_of(str(folder))
    assert en.endswith("lacks TITLE, ABOUT, describe; the file is empty")
    assert ru.endswith("нет TITLE, ABOUT, describe; файл пуст")


def test_a_mark_of_utf_8_harms_nobody(folder: Path) -> None:
    file = folder / "words.py"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert load_game(str(folder)).title.en


@pytest.mark.parametrize(
    ("code", "ru"),
    [
        ("if x\n    pass", "SyntaxError: пропущено двоеточие"),
        ("f((1, 2)", "SyntaxError: скобка ( не закрыта"),
        ("f)", "SyntaxError: лишняя скобка )"),
        ("f(]", "SyntaxError: скобка ] закрывает не ту: ("),
        ("x = 'a", "SyntaxError: кавычка не закрыта до конца строки"),
        ("x = “a”", "SyntaxError: кавычки в Python прямые: \" или ', а здесь “ (U+201C)"),
        ("x\u00a0= 1", "SyntaxError: невидимый знак U+00A0: сотрите его и поставьте обычный пробел"),
        ("if 1:\nx = 1", "IndentationError: после if в строке 1 нужен отступ"),
        ("def f():\nx = 1", "IndentationError: после def в строке 1 нужен отступ"),
        ("x = 1\n  y = 1", "IndentationError: лишний отступ"),
        ("if x = 1: pass", "SyntaxError: сравнивают двойным знаком ==, а здесь одиночный ="),
        ("return 1", "SyntaxError: return стоит вне функции или цикла"),
        ("x = [1 2]", "SyntaxError: непонятно написано; может быть, пропущена запятая?"),
        ("print 1", "SyntaxError: print вызывают со скобками: print(…)"),
        ("1 + 'a'", "TypeError: int и str не соединить знаком +"),
        ("unknown", "NameError: имени unknown нет"),
        ("[][3]", "IndexError: такого места нет: их меньше"),
        ("raise KeyError('of its own')", "KeyError: 'of its own'"),
    ],
)
def test_what_python_says_is_told_in_russian_too(code: str, ru: str) -> None:
    with pytest.raises(Exception) as caught:
        exec(compile(code, "x.py", "exec"), {})
    told = python_message(caught.value)
    assert told.ru == ru and told.en.startswith(f"{type(caught.value).__name__}: ")
