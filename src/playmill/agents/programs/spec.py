"""Parses program specs: `program:COMMAND`, `program:FOLDER`, with limits `program:move=2,memory=256:COMMAND`."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

from playmill.agents.programs.interpreters import (
    PATH,
    holds_more,
    interpreters,
    is_interpreter,
    is_of_system,
    rights_of,
    shebang,
)
from playmill.agents.programs.limits import PARAMETERS, Limits
from playmill.texts import PlaymillError
from playmill.toml import read_toml

PREFIX = "program:"
_NUMBERS = re.compile(r"((?:[a-z]+=[^,:=]*)(?:,[a-z]+=[^,:=]*)*):(.*)", re.DOTALL)
#: A folder without `bot.toml` is run by the first of these that it holds.
_BY_NAME = ("bot", "bot.py", "bot.js")
#: What runs a file that is not to be run by itself.
_RUN_BY = {".py": "python3", ".js": "node"}
_MOST_HASHED = 64 << 20
_LONGEST_RUN = 4096


@dataclass(frozen=True)
class Program:
    """A parsed program: its command, its folder, its limits, and its name in reports."""

    name: str
    command: tuple[str, ...]
    folder: Path
    limits: Limits = field(default_factory=Limits)
    #: Nothing but this may be read in the folder; all of it if there are none.
    only: tuple[Path, ...] = ()
    #: Whether it was named by its folder.
    by_folder: bool = False
    #: Its hash where it was first named, if this is a copy of it elsewhere.
    known_code: str | None = None

    @property
    def spec(self) -> str:
        """A spec that finds it again from any folder."""
        usual = Limits().numbers()
        changed = [f"{key}={value:g}" for key, value in self.limits.numbers().items() if value != usual[key]]
        return (
            PREFIX
            + (f"{','.join(changed)}:" if changed else "")
            + (str(self.folder) if self.by_folder else shlex.join(self.command))
        )

    @property
    def readable(self) -> tuple[Path, ...]:
        """Paths it may read and run besides those of the system: its own, and what runs it.

        What runs it is what the caller named, or one of the host's interpreters; a bot's own words grant it nothing.
        """
        found = list(self.only or (self.folder.resolve(),))
        first = Path(self.command[0])
        if not self.by_folder or is_interpreter(first):
            found += rights_of(first)
        if (named := shebang(first)) is not None and is_interpreter(named):
            found += rights_of(named)
        return tuple(dict.fromkeys(found))

    @property
    def code(self) -> str:
        """A hash of all the files it is made of."""
        if self.known_code is not None:
            return self.known_code
        digest = hashlib.sha256(repr(self.command[1:]).encode())
        files = self.only or sorted(path for path in self.folder.rglob("*") if path.is_file())
        size = 0
        for path in files:
            try:
                size += path.stat().st_size
                if size > _MOST_HASHED:
                    break
                digest.update(f"\0{path.name}\0".encode(errors="surrogateescape") + path.read_bytes())
            except OSError:
                continue
        return digest.hexdigest()


def is_program(spec: object) -> bool:
    """Whether an agent is written as a program."""
    return isinstance(spec, str) and spec.startswith(PREFIX)


def program_of(word: str) -> Program:
    """Parses the command or folder of a bot, with or without the prefix of agents."""
    return read_program(word if is_program(word) else PREFIX + word)


def read_program(spec: str, limits: Limits | None = None) -> Program:
    """Parses a spec; raises unless the program is there and can be run."""
    if os.name == "nt":
        raise PlaymillError(
            f"agent {spec}: programs can be agents on Linux and macOS only",
            f"агент {spec}: программы могут быть агентами только в Linux и macOS",
        )
    rest = spec.removeprefix(PREFIX)
    usual = limits or Limits()
    if (found := _NUMBERS.fullmatch(rest)) and not Path(rest).exists():
        usual, rest = usual.changed(_read_numbers(found[1])), found[2]
    if not rest.strip():
        raise PlaymillError(
            f"agent {spec}: after program: comes a command or a folder",
            f"агент {spec}: после program: нужна команда или папка",
        )
    if Path(rest).is_dir():
        return _of_folder(spec, Path(rest).absolute(), usual)
    _check_signs(spec, rest)
    try:
        words = shlex.split(rest)
    except ValueError:
        raise PlaymillError(
            f"agent {spec}: a quotation mark is open in the command", f"агент {spec}: в команде не закрыта кавычка"
        ) from None
    return _of_command(spec, words, Path.cwd(), usual)


def _read_numbers(text: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for part in text.split(","):
        key, _, number = part.partition("=")
        try:
            values[key] = float(number)
        except ValueError:
            known = ", ".join(PARAMETERS)
            raise PlaymillError(
                f"program: cannot read the limit {part!r}; expected key=number with one of: {known}",
                f"program: непонятен предел {part!r}; нужно ключ=число, ключи: {known}",
            ) from None
    return values


def _of_folder(spec: str, folder: Path, limits: Limits) -> Program:
    """The bot of a folder: as its `bot.toml` says, else by the name of its file."""
    if holds_more(folder):
        raise PlaymillError(
            f"agent {spec}: the folder holds more than a bot, and a bot may read all of it: give it one of its own",
            f"агент {spec}: в папке не только бот, а бот может читать всю свою папку: отведите ему отдельную",
        )
    words = _declared_command(folder / "bot.toml")
    if words is None:
        words = [str(folder / file) for file in _BY_NAME if (folder / file).is_file()][:1]
    if not words:
        raise PlaymillError(
            f'agent {spec}: the folder holds no bot.toml with a line run = "…", nor a file bot, bot.py or bot.js',
            f'агент {spec}: в папке нет ни bot.toml со строкой run = "…", ни файла bot, bot.py или bot.js',
        )
    return _of_command(spec, words, folder, limits, own=folder)


def _declared_command(file: Path) -> list[str] | None:
    """The words of the command in a `bot.toml`; None where there is no such file."""
    try:
        run = read_toml(file, follow_links=False).get("run")
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise PlaymillError(f"{file} is a link: only files", f"{file} — ссылка: нужны файлы") from None
        run = None
    try:
        words = shlex.split(run) if isinstance(run, str) and len(run) <= _LONGEST_RUN else []
    except ValueError:
        words = []
    if not words:
        raise PlaymillError(
            f'{file}: expected a line run = "python3 bot.py"', f'{file}: нужна строка run = "python3 bot.py"'
        )
    _check_signs(str(file), *words)
    return words


def _check_signs(source: str, *words: str) -> None:
    """Raises for a word that no system takes in a command, such as one with a zero in it."""
    for word in words:
        if any(sign < " " or sign == "\x7f" for sign in word):
            raise PlaymillError(
                f"{source}: a command cannot have the control character in {word!r}",
                f"{source}: в команде не может быть управляющего символа, как в {word!r}",
            )


def _of_command(spec: str, words: list[str], here: Path, limits: Limits, own: Path | None = None) -> Program:
    """A command, its files by whole paths, and the folder it may read."""
    script = here / words[0]
    if (runs := _RUN_BY.get(script.suffix)) and _is_file(script) and not _runs_itself(script):
        words = [runs, *words]
    first = _executable(spec, words[0], here) if own is None else _executable_of_bot(spec, words[0], own)
    for word in words[1:] if own is not None else ():
        _check_inside(spec, word, here)
    rest = [str(here / word) if _is_file(here / word) else word for word in words[1:]]
    files = [Path(word) for word in (str(first), *rest) if Path(word).is_absolute() and _is_file(Path(word))]
    own_files = [file for file in files if not is_of_system(file) and not _is_our_python(file)]
    folder = own or (own_files[0] if own_files else first).parent
    only = tuple(own_files) if own is None and holds_more(folder) else ()
    return Program(spec, (str(first), *rest), folder, limits, only, own is not None)


def _runs_itself(script: Path) -> bool:
    """Whether a script may be run and names what runs it."""
    return os.access(script, os.X_OK) and shebang(script) is not None


def _check_inside(spec: str, word: str, folder: Path) -> None:
    """Raises for a word of a bot's own command that is a path out of its folder, by itself or by a link."""
    path = Path(word)
    names_file = path.is_absolute() or ".." in path.parts or _is_file(folder / path)
    if names_file and not Path(os.path.realpath(folder / path)).is_relative_to(os.path.realpath(folder)):
        raise PlaymillError(
            f"agent {spec}: {word} is not in the bot's folder, and a bot has nothing else",
            f"агент {spec}: {word} лежит не в папке бота, а другого у него нет",
        )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a word too long for a name, or one with a zero in it
        return False


def _executable(spec: str, word: str, here: Path) -> Path:
    """The file that a caller wants run: by its path, looked for as `PATH` says, or one that lies here."""
    place = None if os.sep in word else interpreters().get(word) or shutil.which(word, path=PATH) or shutil.which(word)
    return Path(place).absolute() if place is not None else _own_executable(spec, word, here)


def _executable_of_bot(spec: str, word: str, folder: Path) -> Path:
    """The file that a bot's own command names: an interpreter of the host, a program of the system, or its own file."""
    if os.sep not in word:
        place = interpreters().get(word) or shutil.which(word, path=PATH)
        if place is not None:
            return Path(place).absolute()
    elif Path(word).is_absolute() and (is_interpreter(Path(word)) or is_of_system(Path(word))):
        return Path(word)
    _check_inside(spec, word, folder)
    return _own_executable(spec, word, folder)


def _own_executable(spec: str, word: str, here: Path) -> Path:
    found = here / word
    if _is_file(found) and os.access(found, os.X_OK):
        return found.absolute()
    if os.sep in word or _is_file(found):
        raise PlaymillError(
            f"agent {spec}: {word} is not a file that can be run",
            f"агент {spec}: {word} — не файл, который можно запустить",
        )
    raise PlaymillError(f"agent {spec}: there is no program {word}", f"агент {spec}: программы {word} нет")


def _is_our_python(file: Path) -> bool:
    return any(Path(root) in file.parents for root in (sys.prefix, sys.base_prefix))
