"""Bilingual argument parser with one-sentence errors, and parsers of numbers, sizes and paths."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, near_to

_USAGE = Text("usage: ", "вызов: ")
_POSITIONALS = Text("positional arguments", "аргументы")
_OPTIONS = Text("options", "параметры")
_HELP = Text("show this help message and exit", "показать эту справку и выйти")
_LANG = Text("language of texts: en or ru", "язык текстов: en или ru")

#: A title, and what is listed under it: names and what they do.
Section = tuple[Text, Sequence[tuple[str, Text]]]


class Parser(argparse.ArgumentParser):
    """Argument parser with help and errors in the user's language.

    `sections` stand in its help in place of the plain list of its commands.
    """

    def __init__(self, *, lang: Lang, about: Text, sections: Sequence[Section] = (), **how: Any) -> None:
        super().__init__(description=about.of(lang), add_help=False, allow_abbrev=False, **how)
        self.lang = lang
        self._words: list[str] = []
        self._sections = sections
        #: The options that name files to be written.
        self.outputs: list[str] = []
        self._positionals.title = _POSITIONALS.of(lang)
        self._optionals.title = _OPTIONS.of(lang)
        self.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help=_HELP.of(lang))
        self.option("--lang", _LANG, choices=LANGUAGES, default=argparse.SUPPRESS)

    def option(
        self, name: str, about: Text, *, within: argparse._MutuallyExclusiveGroup | None = None, **how: Any
    ) -> None:
        """Adds an option or an argument with its help; `within` a group at most one of them may be given."""
        (within or self).add_argument(name, help=about.of(self.lang).replace("%", "%%"), **how)

    def flag(self, name: str, about: Text, **how: Any) -> None:
        """Adds an option without a value."""
        self.option(name, about, action="store_true", **how)

    def file(self, name: str, about: Text, **how: Any) -> None:
        """Adds an option or an argument that is the path of a file, or with `nargs` of several."""
        self.option(name, about, type=path, metavar="FILE", **how)

    def output(self, name: str, about: Text, **how: Any) -> None:
        """Adds an option that is the path of a file to write; whatever else a command line names is read."""
        self.file(name, about, **how)
        self.outputs.append(name)

    def protect(self, options: argparse.Namespace) -> None:
        """Notes the files that a command line names to be read; raises if one would be written over."""
        from playmill.engine.config.input_files import check_not_read, note_named

        there = self._asked()
        assert isinstance(there, Parser)
        written = [name.lstrip("-").replace("-", "_") for name in there.outputs]
        for name, value in vars(options).items():
            for word in _words_in(value) if name not in written else ():
                note_named(word)
        for option, name in zip(there.outputs, written, strict=True):
            if isinstance(given := getattr(options, name, None), Path):
                check_not_read(given, option)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self._words = list(args if args is not None else sys.argv[1:])
        return super().parse_known_args(args, namespace)

    def _swallowed(self, missing: str) -> Text | None:
        """Which option has taken a word that an argument is missing, if there is one: it takes all words after it."""
        greedy = {
            name: action
            for action in self._actions
            for name in action.option_strings
            if action.nargs in ("?", "+", "*")
        }
        option = taken = None
        for word, following in pairwise([*self._words, "-"]):
            if word.startswith("-"):
                option = word if word in greedy else None
            elif option is not None and following.startswith("-"):
                taken = (option, word)
        if taken is None:
            return None
        option, word = taken
        return Text(
            f"{missing} is missing: {option} has taken {word!r} for itself; name {missing} first",
            f"не хватает {missing}: слово {word!r} взял себе параметр {option}; назовите {missing} первым",
        )

    def error(self, message: str) -> NoReturn:
        if found := re.fullmatch(r"the following arguments are required: (\w+)", message):
            swallowed = self._swallowed(found[1])
            if swallowed is not None:
                raise PlaymillError(
                    f"{swallowed.en} (see: {self.prog} --help)", f"{swallowed.ru} (см. {self.prog} --help)"
                )
        there, shown = self._asked(), message
        if found := re.fullmatch(r"(argument \S+: invalid choice: '(.*)') \(choose from (.*)\)", message, re.DOTALL):
            near = near_to(found[2], re.findall("'([^']*)'", found[3]))
            shown = found[1] if near.en else message
        elif found := re.fullmatch(r"unrecognized arguments: (--\S+).*", message, re.DOTALL):
            name = found[1].partition("=")[0]
            near = near_to(_ELSEWHERE.get(name, name), there._option_string_actions, likeness=0.75)
        elif message.endswith(_NO_PLAYERS):
            near = self._played_by()
        else:
            near = Text("", "")
        help_of = there if message.startswith("unrecognized") else self
        raise PlaymillError(
            f"{shown}{near.en} (see: {help_of.prog} --help)", f"{_russian(shown)}{near.ru} (см. {help_of.prog} --help)"
        )

    def _played_by(self) -> Text:
        """Returns the end of a sentence on players: how many can play the game that the words name, or nothing."""
        from playmill.engine.contract.game import load_game

        for word in self._words:
            if not word.startswith("-"):
                with suppress(PlaymillError, OSError):
                    message = load_game(word).played_by
                    return Text(f"; {message.en}", f"; {message.ru}")
        return Text("", "")

    def _asked(self) -> argparse.ArgumentParser:
        """Returns the parser of the command that the words name, which is asked for help; itself, if they name none."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                named = next((word for word in self._words if word in action.choices), None)
                if named is not None:
                    chosen = action.choices[named]
                    return chosen._asked() if isinstance(chosen, Parser) else chosen
        return self

    def format_help(self) -> str:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups, _USAGE.of(self.lang))
        formatter.add_text(self.description)
        for title, entries in self._sections:
            formatter.start_section(title.of(self.lang))
            formatter.add_arguments(self._listed(entries))
            formatter.end_section()
        for group in self._action_groups:
            if group is not self._positionals or not self._sections:
                formatter.start_section(group.title)
                formatter.add_arguments(group._group_actions)
                formatter.end_section()
        return formatter.format_help()

    def _listed(self, entries: Iterable[tuple[str, Text]]) -> list[argparse.Action]:
        return [argparse.Action([], name, help=about.of(self.lang).replace("%", "%%")) for name, about in entries]


def _words_in(value: object) -> Iterable[str]:
    """Yields the words of an option's value: one, a list of them, or lists of lists."""
    if isinstance(value, str | Path):
        yield str(value)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _words_in(one)


#: How the sentence on such a word ends; what the game allows follows.
#: Who plays is called otherwise where they are rated.
_ELSEWHERE = {"--agents": "--entrants", "--entrants": "--agents"}
_NO_PLAYERS = " is no number of players"
_ARGPARSE = (
    (r"the following arguments are required: (.*)", r"не хватает аргументов: \1"),
    (r"unrecognized arguments: (.*)", r"непонятные аргументы: \1"),
    (r"argument (\S+): invalid choice: (.*) \(choose from (.*)\)", r"аргумент \1: нет значения \2; есть: \3"),
    (r"argument (\S+): invalid choice: (.*)", r"аргумент \1: нет значения \2"),
    (r"argument (\S+): not allowed with argument (\S+)", r"аргумент \1: вместе с \2 нельзя"),
    (r"argument (\S+): expected one argument", r"аргумент \1: нужно значение"),
    (r"argument (\S+): expected at least one argument", r"аргумент \1: нужно хотя бы одно значение"),
    (r"argument (\S+): invalid int value: (.*)", r"аргумент \1: \2 — не целое число"),
    (r"argument (\S+): invalid float value: (.*)", r"аргумент \1: \2 — не число"),
    (
        r"argument (\S+): (.*) is no whole number from (\S+) to (\S+)",
        r"аргумент \1: \2 — не целое число от \3 до \4",
    ),
    (rf"argument (\S+): (.*){_NO_PLAYERS}", r"аргумент \1: \2 — не число игроков"),
    (r"argument (\S+): (.*) is no number above 0", r"аргумент \1: \2 — не число больше 0"),
    (r"argument (\S+): (.*) is no size such as (.*)", r"аргумент \1: \2 — не размер вроде \3"),
    (r"argument (\S+): (.*) is no number", r"аргумент \1: \2 — не число"),
    (r"argument (\S+): (.*) is not a name of a file", r"аргумент \1: \2 — не имя файла"),
    (r"argument (\S+): (.*) is not a name", r"аргумент \1: \2 — не имя"),
    (r"ambiguous option: (\S+) could match (.*)", r"неоднозначно: \1 может значить \2"),
)


def _russian(message: str) -> str:
    for english, russian in _ARGPARSE:
        if found := re.fullmatch(english, message, re.DOTALL):
            return found.expand(russian)
    return message


#: Seeds and numbers of games are words of 64 bits.
WORD = 2**63


def whole(low: int, high: int = WORD - 1) -> Callable[[str], int]:
    """Returns a parser of whole numbers of a range, also written 1e6 or 1_000_000."""

    def read(text: str) -> int:
        with suppress(ValueError, ArithmeticError):
            number = Decimal(text.replace("_", ""))
            if low <= number <= high and number == int(number):
                return int(number)
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {low} to {high}")

    return read


def sizes(text: str) -> tuple[int, ...]:
    """Parses a number of games, or one for each of those who play, with commas: 10000 or 10000,10000,300."""
    return tuple(whole(1)(part) for part in text.split(","))


#: Any such word; what it has to be is for the game to say.
NUMBER = whole(-WORD)


def number_of_players(text: str) -> int:
    """Parses a number of players; which ones there are is for the game to say."""
    try:
        return NUMBER(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r}{_NO_PLAYERS}") from None


def amount(text: str, *, least: float | None = 0.0) -> float:
    """Parses a number above the least, also written as a share: 2%."""
    share = text.rstrip().endswith("%")
    with suppress(ValueError):
        number = float(text.rstrip().rstrip("%").replace("_", "")) / (100 if share else 1)
        if isfinite(number) and (least is None or number > least):
            return number
    raise argparse.ArgumentTypeError(f"{text!r} is no number" + ("" if least is None else f" above {least:g}"))


def bytes_of(text: str) -> int:
    """Parses a size of memory, such as 512M or 8G."""
    if (found := re.fullmatch(r"(\d{1,6})([MG])", text)) and int(found[1]):
        return int(found[1]) * 2 ** (20 if found[2] == "M" else 30)
    raise argparse.ArgumentTypeError(f"{text!r} is no size such as 512M, 8G")


def path(text: str) -> Path:
    """Parses the path of a file; an empty one, which Python takes for the current folder, is an error."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a name of a file")
    return Path(text)


def name(text: str) -> str:
    """Parses a name; an empty one, as an unset variable leaves it, is an error."""
    if not text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a name")
    return text
