"""Fields of the settings form: which widget each setting of a config gets, its options, values and mistakes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playmill.engine.config.model import Mistake
from playmill.engine.config.settings import Setting, SettingKind
from playmill.engine.contract.choices import Choice, Choices, Offered
from playmill.texts import Text

YES, NO, NOTHING = Text("yes", "да"), Text("no", "нет"), Text("none", "нет")
OWN = Text("your own", "своё")
#: The longest raw value that is shown on one line.
_ONE_LINE = 60


@dataclass(frozen=True)
class SettingOption:
    """One option of a choice: its key, name, description, picture, and whether it is chosen or the default."""

    key: str
    name: Text
    about: Text | None
    picture: int | None
    chosen: bool
    usual: bool


@dataclass(frozen=True)
class SettingField:
    """One setting in a form: its widget, its values as texts, and its mistakes."""

    path: str
    name: Text
    about: Text
    widget: str
    texts: Sequence[str]
    usual: Sequence[str]
    usually: Text
    low: float | None = None
    high: float | None = None
    options: Sequence[Sequence[SettingOption]] = ()
    ordered: bool = False
    mistakes: Sequence[Text] = ()

    @property
    def text(self) -> str:
        """The value, if it is one text."""
        return self.texts[0] if self.texts else ""

    @property
    def lines(self) -> int:
        """Lines that its text needs."""
        return min(16, self.text.count("\n") + 1)

    @property
    def differs(self) -> bool:
        """Whether it differs from the default."""
        return [text.strip() for text in self.texts] != list(self.usual)

    @property
    def changed(self) -> int:
        """1 if it differs from the default."""
        return int(self.differs)

    @property
    def wrong(self) -> int:
        """The number of mistakes."""
        return len(self.mistakes)


@dataclass(frozen=True)
class SettingGroup:
    """A group of settings."""

    path: str
    name: Text
    about: Text
    parts: Sequence[SettingField | SettingGroup]

    @property
    def changed(self) -> int:
        """The number of settings that differ from the default."""
        return sum(part.changed for part in self.parts)

    @property
    def wrong(self) -> int:
        """The number of mistakes."""
        return sum(part.wrong for part in self.parts)


@dataclass(frozen=True)
class SettingsSheet:
    """A form to show: what is to be chosen first, all the rest, and mistakes that belong to no field."""

    first: Sequence[SettingField | SettingGroup]
    rest: Sequence[SettingField | SettingGroup]
    mistakes: Sequence[Text] = ()


def fields_of(parts: Sequence[SettingField | SettingGroup]) -> Iterator[SettingField]:
    """All fields of some parts, those within groups too."""
    for part in parts:
        if isinstance(part, SettingGroup):
            yield from fields_of(part.parts)
        else:
            yield part


class SettingFieldBuilder:
    """Builds the fields of a form from settings, with what was typed and with mistakes where they belong."""

    def __init__(self, typed: Mapping[str, Sequence[str]], choices: Offered, mistakes: Sequence[Mistake]) -> None:
        self._typed = typed
        self._choices = choices
        self._mistakes = mistakes
        self.placed: set[Mistake] = set()
        self._first: set[str] = set()

    def part(self, one: Setting) -> SettingField | SettingGroup | None:
        """The field of a setting, or the group of several; None for a setting that cannot be changed."""
        if one.fixed:
            return None
        choices = self._choices.at(one.path)
        if choices is None and one.kind is SettingKind.GROUP and one.path not in self._typed:
            parts = [part for each in one.parts if (part := self.part(each)) is not None]
            name = self._choices.label(one.path) or one.name
            return SettingGroup(one.path, name, one.about, parts) if parts else None
        if choices is not None and choices.first:
            self._first.add(one.path)
        return self._field(one, choices)

    def is_first(self, part: SettingField | SettingGroup) -> bool:
        """Whether a part has something that is to be chosen before all else."""
        if isinstance(part, SettingField):
            return part.path in self._first
        return any(self.is_first(each) for each in part.parts)

    def _field(self, one: Setting, choices: Choices | None) -> SettingField:
        choices = choices or plain_choices(one)
        widget = _widget(one, choices)
        texts = self._typed.get(one.path)
        if texts is None:
            texts = _texts(one.value, widget, choices)
        elif widget in ("many", "places"):
            texts = [text for text in texts if text]
        elif widget in ("switch", "choice", "cards"):
            texts = texts[-1:]
        usual = _texts(one.usual, widget, choices)
        return SettingField(
            path=one.path,
            name=self._choices.label(one.path) or one.name,
            about=_in_short(one.about) if any(choice.about for choice in choices.among) else one.about,
            widget=widget,
            texts=texts,
            usual=usual,
            usually=_in_words(usual, widget, choices),
            low=one.low,
            high=one.high,
            options=list(_options(widget, choices, texts, usual)),
            ordered=widget == "many" and choices.ordered,
            mistakes=list(self._mistakes_of(one)),
        )

    def _mistakes_of(self, one: Setting) -> Iterator[Text]:
        for mistake in self._mistakes:
            if any(mistake.path == place or mistake.path.startswith(f"{place}.") for place in (one.place, one.path)):
                self.placed.add(mistake)
                yield mistake.text


def _in_short(about: Text) -> Text:
    """The first sentence of a description: how a list is written does not matter to whoever chooses."""
    return Text(*(f"{line.split('. ')[0].rstrip('.')}." if line else "" for line in about))


def plain_choices(one: Setting) -> Choices:
    """The choices that the config itself defines."""
    names = {None: NOTHING, True: YES, False: NO}
    return Choices(
        [Choice(_key(value), value, names.get(value, Text(str(value), str(value)))) for value in one.options]
    )


def _key(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _widget(one: Setting, choices: Choices) -> str:
    """The widget of a setting; raw text for a list that no choice could make."""
    known = [choice.value for choice in choices.among]
    if choices.places:
        return "places" if _is_list(one.value, known, len_=choices.places) else "raw"
    if isinstance(one.value, list) and known:
        inside = _is_list(one.value, known) and (
            choices.ordered or one.value == [value for value in known if value in one.value]
        )
        return "many" if inside else "raw"
    if known and one.kind in (SettingKind.CHOICE, SettingKind.TEXT, SettingKind.RAW, SettingKind.GROUP):
        return "cards" if any(choice.picture for choice in choices.among) else "choice"
    if one.listed:
        return SettingKind.NUMBERS.value
    return one.kind.value if one.kind is not SettingKind.GROUP else "raw"


def _is_list(value: Any, known: Sequence[Any], len_: int | None = None) -> bool:
    return isinstance(value, list) and all(one in known for one in value) and len_ in (None, len(value))


def _texts(value: Any, widget: str, choices: Choices) -> list[str]:
    """A value as the texts of a form."""
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


def _in_words(texts: Sequence[str], widget: str, choices: Choices) -> Text:
    """The default value, in words."""
    if widget == "switch":
        return YES if texts == ["true"] else NO
    if widget in ("choice", "cards", "many", "places"):
        names = [choices.by_key[key].name if key in choices.by_key else OWN for key in dict.fromkeys(texts)]
        listed = Text.join(names)
        return listed if names else NOTHING
    short = " ".join(texts[0].split()) if texts else ""
    short = short if len(short) <= _ONE_LINE else f"{short[: _ONE_LINE - 1]}…"
    return Text(short, short)


def _options(
    widget: str, choices: Choices, texts: Sequence[str], usual: Sequence[str]
) -> Iterator[list[SettingOption]]:
    """The options of a choice; one list for each place where there are several."""
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
            SettingOption(one.key, one.name, one.about, at if one.picture else None, one.key in chosen, one.key in mine)
            for at, one in enumerate(among)
        ]
