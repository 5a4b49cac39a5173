"""Settings as a form, made from nothing but a game's config and what the game offers to choose among.

What was typed is kept as it was typed, right or wrong. A setting that is as the rules say is no change; what differs
becomes a change `path=value`, as on the command line, and mistakes are told at the settings they are about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from playmill.engine.config.json_input import parsed, sound
from playmill.engine.config.model import Mistake, RefusedConfigError, RuleConfig
from playmill.engine.config.paths import sealed
from playmill.engine.config.settings import Kind, Setting, settings_of
from playmill.engine.contract.choices import Choice, Choices, Offered, offered
from playmill.engine.contract.game import Game
from playmill.lab.runs.content import with_kept, without_unused
from playmill.texts import PlaymillError, Text

#: How the names of the form's fields begin.
PREFIX = "v:"
YES, NO, NOTHING = Text("yes", "да"), Text("no", "нет"), Text("none", "нет")
OWN = Text("your own", "своё")
_PATH = re.compile(r"[\w.\-]{1,200}")
_BETWEEN = re.compile(r"[,;\s]+")
#: A raw value is shown on one line if it is so short.
_ONE_LINE = 60
_FILE = Text("the config", "конфиг")
_OBJECT = Text("a JSON object with the settings", "JSON-объект с настройками")


@dataclass(frozen=True)
class Option:
    """One thing to choose: its key, what is read of it, where its picture is, and whether it is chosen or usual."""

    key: str
    name: Text
    about: Text | None
    picture: int | None
    chosen: bool
    usual: bool


@dataclass(frozen=True)
class Field:
    """A setting to be asked for: how, what stands there as text, and what is wrong with it."""

    path: str
    name: Text
    about: Text
    widget: str
    texts: Sequence[str]
    usual: Sequence[str]
    usually: Text
    low: float | None = None
    high: float | None = None
    options: Sequence[Sequence[Option]] = ()
    ordered: bool = False
    mistakes: Sequence[Text] = ()

    @property
    def text(self) -> str:
        """What stands there, if it is one text."""
        return self.texts[0] if self.texts else ""

    @property
    def lines(self) -> int:
        """So many lines its text needs."""
        return min(16, self.text.count("\n") + 1)

    @property
    def differs(self) -> bool:
        """Whether it is not as the rules say."""
        return [text.strip() for text in self.texts] != list(self.usual)

    @property
    def changed(self) -> int:
        """How many settings are not as the rules say."""
        return int(self.differs)

    @property
    def wrong(self) -> int:
        """How many mistakes there are."""
        return len(self.mistakes)


@dataclass(frozen=True)
class Group:
    """Settings that belong together."""

    path: str
    name: Text
    about: Text
    parts: Sequence[Field | Group]

    @property
    def changed(self) -> int:
        """How many settings are not as the rules say."""
        return sum(part.changed for part in self.parts)

    @property
    def wrong(self) -> int:
        """How many mistakes there are."""
        return sum(part.wrong for part in self.parts)


@dataclass(frozen=True)
class Sheet:
    """A form to be shown: what is to be chosen first, all the rest, and mistakes that belong to no setting of it."""

    first: Sequence[Field | Group]
    rest: Sequence[Field | Group]
    mistakes: Sequence[Text] = ()


@dataclass(frozen=True)
class SettingsForm:
    """What somebody typed into the form of a game: by setting, as free `path=value` lines, or a whole config."""

    game: Game
    typed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    free: Sequence[str] = ()
    file: str = ""
    #: Pieces of content that somebody keeps, by kind: they can be chosen, and those chosen become part of the config.
    kept: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    @cached_property
    def base(self) -> RuleConfig:
        """The config that was pasted, else the rules as they are."""
        if not self.file.strip():
            return self.game.config()
        data = sound(parsed(self.file, _FILE.en, wanted=_OBJECT, alone=_OBJECT), _FILE.en)
        with sealed():
            return self.game.config.read(data, _FILE.en)

    @cached_property
    def _usual(self) -> Mapping[str, Setting]:
        return {one.path: one for one in settings_of(self.game.config()).leaves()}

    def changes(self) -> list[str]:
        """What differs from the rules, a line each; a free line goes before the field of the same path."""
        return [*self._made(offered(self.game, _with_all(self, _readable(self)))), *self.free]

    def _made(self, choices: Offered) -> list[str]:
        free = {line.partition("=")[0].strip() for line in self.free}
        made = []
        for path, texts in self.typed.items():
            if _PATH.fullmatch(path) and path not in free:
                one = self._usual.get(path)
                value = _value(one, choices.at(path), texts)
                if one is None or value != one.usual:
                    made.append(f"{path}={_written(value)}")
        return made

    def config(self, players: int) -> RuleConfig:
        """The config that was wished for; whatever is wrong is a PlaymillError, with its places if they are known."""
        changes = self.changes()
        with sealed():
            if self.kept:
                config = without_unused(self.game, self._stocked().changed(self._chosen(changes)), self.kept)
            else:
                config = self.base.changed(changes) if changes else self.base
            config.pack(players)
        return config

    def _chosen(self, changes: Sequence[str]) -> list[str]:
        """Those changes that choose among what is offered, and the free ones."""
        return [line for line in changes if line in self.free or self._is_offered(line)]

    def _is_offered(self, change: str) -> bool:
        return self._offers.at(change.partition("=")[0]) is not None

    @cached_property
    def _offers(self) -> Offered:
        return offered(self.game, self.base)

    def _unchosen(self) -> RuleConfig:
        """The config with all that was typed but not chosen among what is offered."""
        typed = [line for line in self._made(self._offers) if not self._is_offered(line)]
        with sealed():
            return self.base.changed(typed) if typed else self.base

    def _stocked(self) -> RuleConfig:
        """The same with all that is kept."""
        return with_kept(self.game, self._unchosen(), self.kept)

    def sheet(self, error: PlaymillError | None = None) -> Sheet:
        """The form with what was typed, and with mistakes where they belong."""
        config = _readable(self)
        mistakes = error.mistakes if isinstance(error, RefusedConfigError) else []
        filling = _Filling(self, offered(self.game, _with_all(self, config)), mistakes)
        parts = [part for one in settings_of(config).parts if (part := filling.part(one)) is not None]
        first = [part for part in parts if filling.is_first(part)]
        homeless = [mistake.text for mistake in mistakes if mistake not in filling.placed]
        return Sheet(first, [part for part in parts if part not in first], homeless)


def filled(game: Game, file: str) -> dict[str, list[str]]:
    """What would have been typed to get the settings of a config."""
    form = SettingsForm(game, file=file)
    _ = form.base  # whatever is wrong with it is said at once
    sheet = form.sheet()
    return {one.path: list(one.texts) for one in fields_of([*sheet.first, *sheet.rest]) if one.differs}


def fields_of(parts: Sequence[Field | Group]) -> Iterator[Field]:
    """All fields of some parts, those within groups too."""
    for part in parts:
        if isinstance(part, Group):
            yield from fields_of(part.parts)
        else:
            yield part


def _readable(form: SettingsForm) -> RuleConfig:
    """The config as far as it can be read: with all that was typed, else without it, else the rules as they are."""
    for read in (SettingsForm._unchosen if form.kept else _tried, _base):
        with suppress(PlaymillError):
            return read(form)
    return form.game.config()


def _with_all(form: SettingsForm, config: RuleConfig) -> RuleConfig:
    """A config with all that is kept, as far as that goes with it."""
    with suppress(PlaymillError):
        return with_kept(form.game, config, form.kept) if form.kept else config
    return config


def _base(form: SettingsForm) -> RuleConfig:
    return form.base


def _tried(form: SettingsForm) -> RuleConfig:
    """The config of what was typed, but for what needs to know what is offered."""
    plain = [
        f"{path}={_written(_value(form._usual.get(path), None, texts))}"
        for path, texts in form.typed.items()
        if path not in form._usual or form._usual[path].kind is Kind.RAW
    ]
    with sealed():
        return form.base.changed(plain) if plain else form.base


class _Filling:
    """A form being filled in."""

    def __init__(self, form: SettingsForm, choices: Offered, mistakes: Sequence[Mistake]) -> None:
        self._form = form
        self._choices = choices
        self._mistakes = mistakes
        self.placed: set[Mistake] = set()
        self._first: set[str] = set()

    def part(self, one: Setting) -> Field | Group | None:
        """A setting, or a group of them; what cannot be changed is not asked for."""
        if one.fixed:
            return None
        choices = self._choices.at(one.path)
        if choices is None and one.kind is Kind.GROUP and one.path not in self._form.typed:
            parts = [part for each in one.parts if (part := self.part(each)) is not None]
            name = self._choices.label(one.path) or one.name
            return Group(one.path, name, one.about, parts) if parts else None
        if choices is not None and choices.first:
            self._first.add(one.path)
        return self._field(one, choices)

    def is_first(self, part: Field | Group) -> bool:
        """Whether a part has something that is to be chosen before all else."""
        if isinstance(part, Field):
            return part.path in self._first
        return any(self.is_first(each) for each in part.parts)

    def _field(self, one: Setting, choices: Choices | None) -> Field:
        choices = choices or _plain_choices(one)
        widget = _widget(one, choices)
        texts = self._form.typed.get(one.path)
        if texts is None:
            texts = _texts(one.value, widget, choices)
        elif widget in ("many", "places"):
            texts = [text for text in texts if text]
        elif widget in ("switch", "choice", "cards"):
            texts = texts[-1:]
        usual = _texts(one.usual, widget, choices)
        return Field(
            path=one.path,
            name=self._choices.label(one.path) or one.name,
            about=_in_short(one.about) if any(choice.about for choice in choices.among) else one.about,
            widget=widget,
            texts=texts,
            usual=usual,
            usually=_told(usual, widget, choices),
            low=one.low,
            high=one.high,
            options=list(_options(one, widget, choices, texts, usual)),
            ordered=widget == "many" and choices.ordered,
            mistakes=list(self._mistakes_of(one)),
        )

    def _mistakes_of(self, one: Setting) -> Iterator[Text]:
        for mistake in self._mistakes:
            if any(mistake.path == place or mistake.path.startswith(f"{place}.") for place in (one.place, one.path)):
                self.placed.add(mistake)
                yield mistake.text


def _in_short(about: Text) -> Text:
    """The first sentence: how a list is written is of no concern to whoever chooses."""
    return Text(*(f"{line.split('. ')[0].rstrip('.')}." if line else "" for line in about))


def _plain_choices(one: Setting) -> Choices:
    """What the config itself lets one choose among."""
    names = {None: NOTHING, True: YES, False: NO}
    return Choices(
        [Choice(_key(value), value, names.get(value, Text(str(value), str(value)))) for value in one.options]
    )


def _key(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _widget(one: Setting, choices: Choices) -> str:
    """How a setting is asked for; a list that no choice could make is asked for as it is written."""
    known = [choice.value for choice in choices.among]
    if choices.places:
        return "places" if _is_list(one.value, known, len_=choices.places) else "raw"
    if isinstance(one.value, list) and known:
        inside = _is_list(one.value, known) and (
            choices.ordered or one.value == [value for value in known if value in one.value]
        )
        return "many" if inside else "raw"
    if known and one.kind in (Kind.CHOICE, Kind.TEXT, Kind.RAW, Kind.GROUP):
        return "cards" if any(choice.picture for choice in choices.among) else "choice"
    if one.listed:
        return Kind.NUMBERS.value
    return one.kind.value if one.kind is not Kind.GROUP else "raw"


def _is_list(value: Any, known: Sequence[Any], len_: int | None = None) -> bool:
    return isinstance(value, list) and all(one in known for one in value) and len_ in (None, len(value))


def _texts(value: Any, widget: str, choices: Choices) -> list[str]:
    """A value as a form holds it."""
    keys = [choice.key for one in (value if isinstance(value, list) else [value]) for choice in _with(choices, one)]
    if widget in ("many", "places"):
        return keys
    if widget in ("choice", "cards"):
        return keys or [json.dumps(value, ensure_ascii=False)]
    if widget == "switch":
        return ["true" if value else "false"]
    if widget == "numbers":
        return [", ".join(map(str, value if isinstance(value, list) else [value]))]
    if widget == "raw":
        short = json.dumps(value, ensure_ascii=False)
        return [short if len(short) <= _ONE_LINE else json.dumps(value, ensure_ascii=False, indent=1)]
    return [str(value)]


def _with(choices: Choices, value: Any) -> list[Choice]:
    return [choice for choice in choices.among if choice.value == value and type(choice.value) is type(value)]


def _told(texts: Sequence[str], widget: str, choices: Choices) -> Text:
    """What is usual, in words."""
    if widget == "switch":
        return YES if texts == ["true"] else NO
    if widget in ("choice", "cards", "many", "places"):
        names = [choices.by_key[key].name if key in choices.by_key else OWN for key in dict.fromkeys(texts)]
        told = Text(", ".join(name.en for name in names), ", ".join(name.ru for name in names))
        return told if names else NOTHING
    short = " ".join(texts[0].split()) if texts else ""
    short = short if len(short) <= _ONE_LINE else f"{short[: _ONE_LINE - 1]}…"
    return Text(short, short)


def _options(
    one: Setting, widget: str, choices: Choices, texts: Sequence[str], usual: Sequence[str]
) -> Iterator[list[Option]]:
    """The options of a choice; where there is one for each place, those of each."""
    if widget not in ("choice", "cards", "many", "places"):
        return
    among = list(choices.among)
    if widget in ("choice", "cards") and texts and texts[0] not in choices.by_key:
        among.append(Choice(texts[0], None, OWN))
    if widget == "many" and choices.ordered:
        at_first = {key: place for place, key in enumerate(texts)}
        among.sort(key=lambda choice: at_first.get(choice.key, len(at_first)))
    for place in range(choices.places if widget == "places" else 1):
        chosen = set(texts[place : place + 1] if widget == "places" else texts)
        mine = set(usual[place : place + 1] if widget == "places" else usual)
        yield [
            Option(one_.key, one_.name, one_.about, at if one_.picture else None, one_.key in chosen, one_.key in mine)
            for at, one_ in enumerate(among)
        ]


def _value(one: Setting | None, choices: Choices | None, texts: Sequence[str]) -> Any:
    """What typed texts mean; what means nothing stays a text, and the config says what is wrong with it."""
    text = texts[-1].strip() if texts else ""
    if one is None:
        return _json(text)
    if choices is not None or one.kind in (Kind.CHOICE, Kind.MANY):
        by_key = (choices or _plain_choices(one)).by_key
        if isinstance(one.usual, list):
            listed = [by_key[key].value if key in by_key else key for key in texts if key]
            return listed if all(key in by_key for key in texts if key) else _list_of(texts, by_key)
        return by_key[text].value if text in by_key else _json(text)
    if one.kind is Kind.SWITCH:
        return text == "true"
    if one.listed and not text:
        return one.usual
    if one.kind is Kind.NUMBERS or one.listed:
        listed = _json(text)
        if isinstance(listed, list) or (one.listed and isinstance(listed, int)):
            return listed
        return [_json(part) for part in _BETWEEN.split(text.strip("[]")) if part]
    if one.kind is Kind.TEXT:
        return text
    return _json(text) if text else one.usual


def _list_of(texts: Sequence[str], by_key: Mapping[str, Choice]) -> Any:
    """A list that was typed as it is written, instead of chosen."""
    if len(texts) == 1 and texts[0] not in by_key:
        return _json(texts[0].strip())
    return [by_key[key].value if key in by_key else key for key in texts if key]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _written(value: Any) -> str:
    """A value as the right side of a change; a text that would be read as something else is quoted."""
    return json.dumps(value, ensure_ascii=False)
