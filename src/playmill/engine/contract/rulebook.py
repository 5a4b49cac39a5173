"""Rulebook templates: the rules a game keeps as Markdown for players, filled in with the values of a config.

A game's folder holds `rules.en.md` and `rules.ru.md`, plain Markdown with headings, paragraphs, lists, tables and bold;
its module `rulebook`, if there is one, says where pictures come from, and what the text calls by a name. In the text

- `{blue_goal}` is a value of the config by its path, or a name of `terms`; `{hand_size|card|cards}` puts the noun after
  it in the form its number needs, in Russian `{hand_size|карта|карты|карт}`;
- `{table NAME}` and `{list NAME}`, alone on a line, are what `tables` and `lists` of the module make of the config;
- `{if mode=epic}`, `{if not joker}`, `{else}` and `{end}`, alone on a line, keep what holds;
- `![caption](NAME)`, alone on a line, is the picture of a position that PICTURES finds, or one that it draws.

Whatever is not as in the standard rules is marked, and says what it is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.config.model import RuleConfig, value_at
from playmill.engine.contract.game import Game
from playmill.engine.contract.modules import RulebookModule
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, plural

STANDARD = Text("normally {}", "обычно {}")
_CHANGED = Text("Changed:", "Изменено:")
#: A value that is bold as a whole may be bold for being changed: then it is so once.
_SLOT = re.compile(r"(\*\*)?\{([^{}\n]+)\}(?(1)\*\*)")
_ORDER = re.compile(r"\{(table|list|if|else|end)\b *([^{}]*)\}")
_PICTURE = re.compile(r"!\[(.+)\]\((\w+)\)")
_BULLET = re.compile(r"(\s*(?:[-*]|\d+\.) +)?(.*)", re.DOTALL)
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!])")


@dataclass(frozen=True)
class Position:
    """A position worth a picture: the first that `shows` accepts in games played by this agent, or, without it, the
    first of all; it is drawn as whoever is to move sees it.

    `set` changes the config, for what the standard game does not have on the table.
    """

    shows: Callable[[Any, np.void], bool] | None = None
    agent: str = "random"
    players: int | None = None
    set: Sequence[str] = ()


@dataclass(frozen=True)
class Drawing:
    """A picture that a game draws by itself, such as a worked example; None where a config never comes to it."""

    draw: Callable[[Any, Lang], str | None]


class Words(NamedTuple):
    """A stretch of Markdown."""

    markdown: str


class Figure(NamedTuple):
    """A place for a picture: which one of PICTURES, and its caption."""

    name: str
    caption: str


class Entry(NamedTuple):
    """An entry of a list: what it is called, the facts about it, each a sentence or so, and entries within it."""

    name: str
    facts: Sequence[str]
    within: Sequence[Entry] = ()


def render_rulebook(game: Game, config: RuleConfig, lang: Lang) -> list[Words | Figure]:
    """Renders the rules of a game for a config; a game without such files and the module `rulebook` has none."""
    name, folder = f"rules.{lang}.md", resources.files(game.package)
    file = folder / name
    if game.rulebook is None and not any((folder / f"rules.{one}.md").is_file() for one in LANGUAGES):
        return []
    if not file.is_file():
        raise PlaymillError(f"the game {game.name!r} has no {name}", f"у игры {game.name!r} нет {name}")
    return list(_parts(_RulebookTemplate(game.rulebook, config, lang, name).filled(file.read_text(encoding="utf-8"))))


def _parts(lines: Sequence[str]) -> Iterator[Words | Figure]:
    """Words and pictures in their order."""
    words: list[str] = []
    for line in lines:
        if not (found := _PICTURE.fullmatch(line.strip())):
            words.append(line)
            continue
        if "".join(words).strip():
            yield Words("\n".join(words))
        yield Figure(found[2], found[1])
        words = []
    if "".join(words).strip():
        yield Words("\n".join(words))


class _RulebookTemplate:
    """Renders a text for one config, marking what differs from the standard one."""

    def __init__(self, module: RulebookModule | None, config: RuleConfig, lang: Lang, file: str) -> None:
        self._lang, self._file = lang, file
        self._now, self._normal = (_Known(module, one, lang) for one in (config, type(config)()))
        self._line = 0

    def filled(self, text: str) -> list[str]:
        """The lines of the text, filled in."""
        lines: list[str] = []
        #: For each condition that is open: whether its lines are kept, and whether they are so only here.
        open_: list[tuple[bool, bool]] = []
        mark = False
        for self._line, line in enumerate(text.splitlines(), 1):
            order = _ORDER.fullmatch(line.strip())
            if order and order[1] == "if":
                holds = self._holds(order[2], self._now)
                open_.append((holds, holds != self._holds(order[2], self._normal)))
                mark = open_[-1][1]
            elif order and order[1] in ("else", "end"):
                if not open_:
                    raise self._mistake(f"{{{order[1]}}} without {{if …}}", f"{{{order[1]}}} без {{if …}}")
                kept, changed = open_.pop()
                mark = order[1] == "else" and changed
                if order[1] == "else":
                    open_.append((not kept, changed))
            elif all(kept for kept, _ in open_):
                made = self._directive(order[1], order[2]) if order else [self._filled(line)]
                if mark and line.strip() and not line.lstrip().startswith(("|", "!", "#")):
                    made[0], mark = self._marked(made[0]), False
                lines += made
        if open_:
            raise self._mistake("{if …} without {end}", "{if …} без {end}")
        return lines

    def _marked(self, line: str) -> str:
        found = _BULLET.fullmatch(line)
        assert found
        return f"{found[1] or ''}**{_CHANGED.of(self._lang)}** {found[2]}"

    def _holds(self, asked: str, known: _Known) -> bool:
        """Whether a condition holds: a value that is true, or `path=value`; `not` turns it round."""
        plain = asked.strip()
        turned = plain.startswith("not ")
        path, equals, wanted = plain.removeprefix("not ").strip().partition("=")
        value = self._value(path.strip(), known)
        return (str(value) == wanted.strip() if equals else bool(value)) != turned

    def _filled(self, line: str) -> str:
        return _SLOT.sub(lambda found: self._slot(found[2], bold=found[1] is not None), line)

    def _slot(self, asked: str, *, bold: bool) -> str:
        """A value in the text, with its noun, marked if it is not the standard one."""
        path, *forms = asked.split("|")
        now, normal = (self._value(path.strip(), known) for known in (self._now, self._normal))
        shown = escaped(_shown(now)) + (f"\N{NO-BREAK SPACE}{plural(now, '|'.join(forms))}" if forms else "")
        shown = f"**{shown}**" if bold or now != normal else shown
        return shown if now == normal else f"{shown} ({self._standard(_shown(normal))})"

    def _standard(self, shown: str) -> str:
        return STANDARD.of(self._lang).format(escaped(shown) or "–")

    def _value(self, path: str, known: _Known) -> Any:
        try:
            return known.value(path)
        except LookupError:
            raise self._mistake(
                f"{path!r} is neither a name of terms nor a path of the config",
                f"{path!r} — это и не имя из terms, и не путь конфига",
            ) from None

    def _directive(self, kind: str, name: str) -> list[str]:
        made = {"table": self._table, "list": self._list}[kind]
        try:
            return made(name.strip())
        except LookupError:
            raise self._mistake(f"there is no {kind} {name.strip()!r}", f"{kind} {name.strip()!r} нет") from None

    def _table(self, name: str) -> list[str]:
        """A table, its first row the head; rows are compared with the standard ones by their first cells."""
        head, *rows = self._now.tables[name]
        normal = {row[0]: row for row in self._normal.tables[name][1:]}
        lines = [_row(map(escaped, head)), _row("---" for _ in head)]
        for row in rows:
            was = normal.get(row[0], row)
            lines.append(_row(self._compared(cell, old) for cell, old in zip(row, was, strict=True)))
        return lines

    def _list(self, name: str) -> list[str]:
        return list(self._entries(self._now.lists[name], self._normal.lists[name], ""))

    def _entries(self, now: Sequence[Entry], normal: Sequence[Entry], indent: str) -> Iterator[str]:
        """The lines of a list; facts are compared with the standard ones where there are as many."""
        known = {entry.name: entry for entry in normal}
        for entry in now:
            was = known.get(entry.name, entry)
            if len(was.facts) == len(entry.facts):
                facts = [self._compared(fact, old) for fact, old in zip(entry.facts, was.facts, strict=True)]
            else:
                facts = [f"**{_CHANGED.of(self._lang)}**", *map(escaped, entry.facts)]
            yield f"{indent}- **{escaped(entry.name)}** {' '.join(filter(None, facts))}"
            yield from self._entries(entry.within, was.within, f"{indent}  ")

    def _compared(self, now: str, was: str) -> str:
        if now == was:
            return escaped(now)
        if not was:
            return f"**{_CHANGED.of(self._lang)} {escaped(now)}**"
        return f"**{escaped(now)}** ({self._standard(was)})" if now else f"({self._standard(was)})"

    def _mistake(self, en: str, ru: str) -> PlaymillError:
        return PlaymillError(f"{self._file}, line {self._line}: {en}", f"{self._file}, строка {self._line}: {ru}")


class _Known:
    """Values that a text can name: those of a config, and what the module makes of it."""

    def __init__(self, module: RulebookModule | None, config: RuleConfig, lang: Lang) -> None:
        self._data = config.model_dump(mode="json")
        self._terms = module.terms(config, lang) if module else {}
        self.tables: Mapping[str, Sequence[Sequence[str]]] = module.tables(config, lang) if module else {}
        self.lists: Mapping[str, Sequence[Entry]] = module.lists(config, lang) if module else {}

    def value(self, path: str) -> Any:
        """A term, or else a value of the config."""
        return self._terms[path] if path in self._terms else value_at(self._data, path)


def escaped(text: str) -> str:
    """A text as it stands, whatever Markdown would make of it, in one line."""
    return _MARKUP.sub(r"\\\1", text.replace("\n", " "))


def _row(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
