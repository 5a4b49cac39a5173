"""Error messages for games that cannot be loaded: what was looked for, what is there instead, where a file fails."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb

from playmill.engine.errors.located import RuleMistakeError, guessed_encoding, last_place, shown_path
from playmill.engine.errors.python_messages import python_message
from playmill.engine.lang.game_folder import holds_game, holds_module
from playmill.engine.lang.module_names import NEEDED
from playmill.texts import PlaymillError, Text, near_to

_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_CIRCLE = re.compile(r"cannot import name '(\w+)' from partially initialized module '[\w.]*?(\w+)'")
_UNTYPED = re.compile(r"Field '(\w+)' requires a type annotation|non-annotated attribute was detected: `(\w+)")
_BRACKETS = Text("write @rule, without brackets", "пишите @rule, без скобок")
#: Of what lies in a folder so much is named, and this stands for the rest.
_NAMED, _MORE = 8, "…"


def no_game(name: str, known: Collection[str]) -> PlaymillError:
    """The error for a name that is neither a game's nor a folder's."""
    listed, here = ", ".join(sorted(known)), _games_in(Path())
    near = near_to(name, [*known, *here])
    own = Text(
        f"games in folders here: {', '.join(here)}" if here else "one of your own is found by its folder",
        f"игры в папках здесь: {', '.join(here)}" if here else "свою находят по её папке",
    )
    return PlaymillError(
        f"there is no game {name!r}{near.en}; known games: {listed}; no folder here is called so, either; {own.en}",
        f"игры {name!r} нет{near.ru}; есть: {listed}; папки с таким именем здесь тоже нет; {own.ru}",
    )


def no_game_in(folder: Path) -> PlaymillError:
    """The error for a folder in which there is no game."""
    shown = shown_path(str(folder))
    if folder.is_file():
        near = shown_path(str(folder.parent))
        return PlaymillError(
            f"{shown} is a file; a game is a folder: name {near}, if rules.py lies there",
            f"{shown} — файл, а игра — это папка: назовите {near}, если rules.py лежит там",
        )
    if not folder.is_dir():
        return PlaymillError(
            f"there is no game in {shown}: there is no such folder; playmill new {folder.name} makes one",
            f"в {shown} нет игры: такой папки нет; playmill new {folder.name} её создаст",
        )
    if games := [one if one == _MORE else shown_path(str(folder / one)) for one in _games_in(folder)]:
        return PlaymillError(
            f"there is no game in {shown}: no rules.py; but in folders of it: name one of {', '.join(games)}",
            f"в {shown} нет игры: нет rules.py; но игры есть в папках внутри, назовите одну: {', '.join(games)}",
        )
    found = sorted(one.name for one in folder.iterdir() if not one.name.startswith((".", "__")))
    more = _MORE if len(found) > _NAMED else ""
    there = ", ".join(found[:_NAMED]) + more
    modules = ", ".join(f"{name}.py" for name in NEEDED)
    return PlaymillError(
        f"there is no game in {shown}: no rules.py ({f'it has {there}' if found else 'it is empty'}); a game needs"
        f" {modules}, and playmill new NAME makes one",
        f"в {shown} нет игры: нет rules.py ({f'есть {there}' if found else 'папка пуста'}); игре нужны {modules},"
        " а playmill new ИМЯ создаст их",
    )


def _games_in(folder: Path) -> list[str]:
    """Names of the folders in a folder that are games, the first few."""
    try:
        found = sorted(one.name for one in folder.iterdir() if holds_game(one))
    except OSError:
        return []
    return [*found[:_NAMED], *(_MORE for _ in found[_NAMED : _NAMED + 1])]


def check_alone(folder: Path) -> None:
    """Raises if the name of a folder shadows another package or module."""
    name = folder.name
    found: object = None
    if name in sys.stdlib_module_names:
        found = f"{name}.py"
    else:
        try:
            module = import_module(name)
        except (Exception, SystemExit):  # whatever is wrong with it is reported when its modules are loaded
            return
        places = [Path(place).resolve() for place in getattr(module, "__path__", ())]
        if folder in places:
            return
        found = places[0] if places else getattr(module, "__file__", None) or name
    raise PlaymillError(
        f"the game in {folder} cannot be loaded: to Python the name {name!r} means {found} already; rename the folder",
        f"игра из {folder} не загружается: имя {name!r} для Python уже значит {found}; переименуйте папку",
    )


def cannot_load(name: str, package: str, error: Exception | SystemExit) -> PlaymillError:
    """The error for a module that cannot be imported, with its place in the game's files if that is known."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec is not None else None
    folder = Path(next(iter(places))) if places else None
    # Of a zero byte Python says now this, now that, by its version.
    found = _unreadable(folder) if isinstance(error, SyntaxError | ValueError) and folder is not None else None
    why = found[1] if found is not None else _why(error, folder)
    message = Text(f"the game {name!r} cannot be loaded: {why.en}", f"игра {name!r} не загружается: {why.ru}")
    where = found[0] if found is not None else _where(error, folder)
    return PlaymillError(*message) if where is None else RuleMistakeError(*where, message)


def _unreadable(folder: Path) -> tuple[tuple[str, int], Text] | None:
    """The first file that is no text in UTF-8: where it is not, and what to do."""
    for file in sorted(folder.rglob("*.py")):
        try:
            text = file.read_bytes()
        except OSError:
            continue
        try:
            text.decode("utf-8")
            wrong = text.index(b"\0")
        except UnicodeDecodeError as error:
            kind = guessed_encoding(text)
            message = Text(
                f"the file is not saved in UTF-8 (it looks like {kind}); save it anew with the encoding UTF-8",
                f"файл сохранён не в UTF-8 (похоже на {kind}); сохраните его заново в кодировке UTF-8",
            )
            return (str(file), 1 if kind == "utf-16" else text.count(b"\n", 0, error.start) + 1), message
        except ValueError:
            continue
        message = Text(
            "there is a zero byte in this line, which no text has; delete it, or save the file anew as UTF-8",
            "в этой строке есть нулевой байт, в тексте его не бывает; сотрите его или сохраните файл заново в UTF-8",
        )
        return (str(file), text.count(b"\n", 0, wrong) + 1), message
    return None


def _where(error: Exception | SystemExit, folder: Path | None) -> tuple[str, int] | None:
    if folder is None:
        return None
    where = last_place(error, folder)
    if where is not None and (untyped := _UNTYPED.search(str(error))) is not None:
        lines = Path(where[0]).read_text(encoding="utf-8", errors="replace").splitlines()
        pattern = re.compile(rf"\s+{untyped[1] or untyped[2]}\s*=")
        found = [place for place, line in enumerate(lines, 1) if pattern.match(line)]
        return (where[0], found[0]) if found else where
    return where


def _why(error: Exception | SystemExit, folder: Path | None) -> Text:
    """Why a module cannot be imported, in one line, and a remedy."""
    message = python_message(error)
    if (circle := _CIRCLE.search(str(error))) is not None:
        return Text(
            f"files import each other in a circle, and {circle[2]}.py has no {circle[1]} yet; rules.py imports no"
            " words, pictures or agents: put what both need into rules.py, or into a file of its own",
            f"файлы импортируют друг друга по кругу, и {circle[1]} в {circle[2]}.py ещё нет; rules.py не импортирует"
            " слова, картинки и агентов: нужное обоим положите в rules.py или в отдельный файл",
        )
    if (
        isinstance(error, ModuleNotFoundError)
        and folder is not None
        and error.name
        and holds_module(folder, error.name)
    ):
        return Text(
            f"a file of the game itself is imported with a dot: from .{error.name} import …",
            f"файл самой игры импортируют с точкой: from .{error.name} import …",
        )
    if isinstance(error, ImportError) and (error.name or "").startswith("playmill.engine"):
        return Text(
            f"{message.en}; what a game imports is in playmill.author and its modules: from playmill.author import …",
            f"{message.ru}; то, что импортирует игра, лежит в playmill.author и её модулях: from playmill.author import"
            " …",
        )
    if (found := _IMPORT.search(str(error))) is not None:
        near = near_to(found[1], dir(sys.modules.get(found[2], object)))
        return Text(f"ImportError: {found[0]}{near.en}", f"ImportError: в {found[2]} нет имени {found[1]}{near.ru}")
    if isinstance(error, NameError) and error.name:
        spaces = [frame.f_globals for frame, _ in walk_tb(error.__traceback__)]
        near = near_to(error.name, [*(spaces[-1] if spaces else ()), *dir(builtins)])
        return Text.join((message, near), "")
    if (untyped := _UNTYPED.search(str(error))) is not None:
        wanted = f"{untyped[1] or untyped[2]}: int = …"
        return Text(f"a setting needs its type: {wanted}", f"у настройки нужно указать тип: {wanted}")
    if "rule() missing 1 required positional argument" in message.en:
        return Text(f"{_BRACKETS.en} ({message.en})", f"{_BRACKETS.ru} ({message.en})")
    return message
