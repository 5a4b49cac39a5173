"""Games to begin with: small, whole, and written out in the language of their author."""

from __future__ import annotations

import keyword
import re
import shutil
from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from playmill.texts import LANGUAGES, Lang, PlaymillError, Text

KINDS: Mapping[str, Text] = {
    "board": Text("pieces on a board that everybody sees", "фишки на поле, которое видят все"),
    "cards": Text("open cards and luck, 2 to 4 players", "открытые карты и случай, от 2 до 4 игроков"),
    "dice": Text("dice and a track, 2 to 4 players", "кости и дорожка, от 2 до 4 игроков"),
    "hidden": Text("hands of cards that nobody else sees", "карты на руках, которых не видит соперник"),
}
#: Two texts in one place of a starter: English, a bar, Russian.
_BOTH = re.compile("«([^«»|]*)\\|([^«»|]*)»")
_TITLE = "TITLE_OF_THE_GAME"


def begin(name: str, kind: str, lang: Lang, where: Path) -> list[Path]:
    """Writes a new game into a folder of its name; returns its files. Nothing that is there is touched."""
    _check_name(name)
    folder = where / name
    if folder.exists():
        raise PlaymillError(
            f"{folder} is there already; choose another name", f"{folder} уже есть; выберите другое имя"
        )
    if find_spec(name) is not None:  # not before: a game in this very folder would be such a module
        raise PlaymillError(
            f"{name!r} is the name of a module of Python that is installed here; choose another one",
            f"{name!r} — имя установленного здесь модуля Python; выберите другое",
        )
    found = {f"test_{name}.py" if file == "test.py" else file: text for file, text in written(kind, name, lang).items()}
    folder.mkdir(parents=True)  # what somebody else has made meanwhile is not removed
    try:
        for file, text in found.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return [folder / file for file in found]


def written(kind: str, name: str, lang: Lang) -> dict[str, str]:
    """The files of a starter in one language, by their names."""
    made = {"__init__.py": f'"""{title_of(name)}."""\n'}
    for file in sorted(files(__name__).joinpath(kind).iterdir(), key=lambda file: file.name):
        text = _BOTH.sub(lambda found: found[1 + LANGUAGES.index(lang)], file.read_text(encoding="utf-8"))
        made[file.name.removesuffix(".txt")] = text.replace(_TITLE, title_of(name))
    return made


def title_of(name: str) -> str:
    """A name as people write it."""
    return name.replace("_", " ").strip().capitalize()


def _check_name(name: str) -> None:
    """Raises unless a game, and so a package of Python, can have this name."""
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise PlaymillError(
            f"{name!r} cannot be the name of a game: expected small Latin letters, digits and _, such as my_game",
            f"{name!r} не подходит для имени игры: нужны строчные латинские буквы, цифры и _, например my_game",
        )
    from playmill.engine.contract.game import game_names

    if name in game_names():
        raise PlaymillError(
            f"there is a game {name!r} already; choose another name", f"игра {name!r} уже есть; выберите другое имя"
        )
