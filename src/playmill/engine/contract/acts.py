"""Table of a game's acts, from which ids, short forms, the parser, fields and phrases come.

A game writes one `Act` for each kind of action and takes the hooks `describe`, `to_text`, `parse` and `fields` of its
module `words` from the table. Ids are numbered through: those of an act begin at its `first`, row by row in the order
of its arguments, and the next act begins where they end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from string import Formatter
from types import SimpleNamespace
from typing import Any, NamedTuple

from playmill.engine.config.model import RuleConfig
from playmill.texts import PlaymillError, Text, as_text

#: What belongs to each value of an argument: a sequence, or a function of config and value.
ByValue = Sequence[Any] | Callable[[Any, int], Any]

#: The longest text in which an action is looked for, and the longest that is quoted whole.
_LONGEST, _QUOTED = 200, 80
#: The most values that are listed one by one.
_LISTED = 20
#: Letters of a Russian keyboard that look like Latin ones, once capitals are gone.
_LOOKALIKES = str.maketrans("авекмнорстух", "abekmhopctyx")


class Action(SimpleNamespace):
    """An action taken apart: its `act`, and each argument of the table by its name; −1 where the act has it not."""

    act: str


@dataclass(frozen=True)
class Argument:
    """What an act says besides its name: one of `size` values, numbered from 0.

    `form` is a value in short forms, its number from 1 if nothing else is said; `name` a value in phrases, by itself
    its form; `field` a value in `fields`, by itself its form or number, and a mapping stands for several fields.
    `plural` is what all values are called, for messages ("cards", "карты"). `among` gives the values there are under a
    config. Where a value may be written in other ways, `read` returns the value of what `pattern` has found (without
    spaces and capitals) or a text that says why there is none.
    """

    size: int
    form: ByValue | None = None
    plural: Text | str = ""
    name: ByValue | None = None
    field: ByValue | None = None
    among: Callable[[Any], Iterable[int]] | None = None
    read: Callable[[Any, str], int | Text] | None = None
    pattern: str = ".*"

    def values(self, config: Any) -> Sequence[int]:
        """The values there are under a config."""
        return range(self.size) if self.among is None else list(self.among(config))

    def short(self, config: Any, value: int) -> str:
        """A value in a short form."""
        return str(value + 1) if self.form is None else str(_of(self.form, config, value))

    def spoken(self, config: Any, value: int) -> Text | str:
        """A value in a phrase."""
        found: Text | str = self.short(config, value) if self.name is None else _of(self.name, config, value)
        return found

    def data(self, config: Any, value: int) -> Any:
        """A value in `fields`."""
        if self.field is not None:
            return _of(self.field, config, value)
        return value + 1 if self.form is None else self.short(config, value)

    def read_back(self, config: Any, text: str) -> int | Text | None:
        """The value of a text without spaces and capitals; else why there is none, or None if nothing is known."""
        among = self.values(config)
        if self.read is None:
            found = [value for value in among if _plain(self.short(config, value)) == text]
            return found[0] if found else self._listed(config, among)
        value = self.read(config, text)
        return value if isinstance(value, Text) or value in among else self._listed(config, among)

    def group(self, config: Any, name: str) -> str:
        """The pattern of a value, or of what stands in its place."""
        if self.read is not None:
            return f"(?P<{name}>{self.pattern})"
        known = sorted((_plain(self.short(config, value)) for value in self.values(config)), key=len, reverse=True)
        return f"(?P<{name}>{''.join(f'{re.escape(text)}|' for text in known)}{self.pattern}?)"

    def _listed(self, config: Any, among: Sequence[int]) -> Text | None:
        """What the values are, for a message."""
        if not self.plural or not among:
            return None
        forms = [self.short(config, value) for value in among]
        listed = ", ".join(forms)
        first = int(forms[0]) if forms[0].isdecimal() else 0
        in_row = forms == [str(first + place) for place in range(len(forms))] or "," in forms[0]
        if len(forms) > (2 if in_row else _LISTED):
            listed = f"{forms[0]} … {forms[-1]}"
        return Text("{} are {}", "{}: {}").format(as_text(self.plural), listed)


@dataclass(frozen=True)
class Act:
    """One kind of action: its first id, its short form, its phrase after the player's name, its arguments.

    Form and phrase name arguments in braces; a phrase may be a function of config and action. `key` is the
    field `act`, by itself the first word of the form. `fields` gives all other fields, where those of the arguments do
    not do. `why_not` says why there is no such action under a config, or nothing if there is. `kind` is what the act is
    called in an audit ("move a card"), or a function that gives all kinds of an action with their names. `heard` is the
    phrase for the others, where the first one would tell them too much.
    """

    first: int
    form: str
    phrase: Text | str | Callable[[Any, Action], Text | str]
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    key: str = ""
    kind: Text | str | Callable[[Any, Action], Mapping[str, Text | str]] = ""
    fields: Callable[[Any, Action], Mapping[str, Any]] | None = None
    why_not: Callable[[Any, Action], Text | None] | None = None
    heard: Text | str | Callable[[Any, Action], Text | str] | None = None

    @property
    def act(self) -> str:
        """The key of the act."""
        return self.key or self.form.partition(" ")[0]

    @cached_property
    def size(self) -> int:
        """How many ids the act has."""
        return prod(argument.size for argument in self.arguments.values())

    @cached_property
    def parts(self) -> Sequence[tuple[str, str | None]]:
        """The form in pieces: what is written as it is, and the argument after it."""
        return [(text, name) for text, name, *_ in Formatter().parse(self.form)]

    @cached_property
    def order(self) -> Sequence[str]:
        """The arguments as they come in the form."""
        return [name for _, name in self.parts if name is not None]

    def pattern(self, config: Any) -> str:
        """What a plain text looks like that means this act, whatever it names."""
        return "".join(
            re.escape(_plain(text)) + (self.arguments[name].group(config, name) if name is not None else "")
            for text, name in self.parts
        )


def _phrased(config: Any, act: Act, done: Action, phrase: Text | str | Callable[[Any, Action], Text | str]) -> Text:
    """A phrase of an act, with the names of what it is about."""
    made = phrase(config, done) if callable(phrase) else phrase
    names = {name: argument.spoken(config, getattr(done, name)) for name, argument in act.arguments.items()}
    return as_text(made).format(**names)


class Acts:
    """The acts of a game, in the order of their ids."""

    def __init__(self, *acts: Act, examples: Text | str | None = None) -> None:
        """`examples` ends the sentence "actions look like …"; by itself they are the first action of each act."""
        self._acts = {act.act: act for act in acts}
        self._examples = examples
        self._nothing = {name: -1 for act in acts for name in act.arguments}
        self._shared = lru_cache(maxsize=32)(self._actions_under)
        self._table = lru_cache(maxsize=256)(lambda same: self._shared(_Equal(same.config)))
        self._decode = lru_cache(maxsize=10_000)(self._taken_apart)
        for place, act in enumerate(acts):
            _check(act, acts[place - 1].first + acts[place - 1].size if place else 0)
        if len(self._acts) < len(acts):
            raise PlaymillError("two acts have the same key", "у двух действий один и тот же ключ")

    def decode(self, action: int) -> Action:
        """An action taken apart, whether or not it is there under a config."""
        return self._decode(int(action))

    def _taken_apart(self, action: int) -> Action:
        act = next((act for act in self._acts.values() if 0 <= action - act.first < act.size), None)
        if act is None:
            raise _no_number(action)
        rest, values = action - act.first, {}
        for name, argument in reversed([*act.arguments.items()]):
            rest, values[name] = divmod(rest, argument.size)
        return Action(act=act.act, **self._nothing | values)

    def encode(self, act: str, **values: int) -> int:
        """The id of an act with a value for each argument: the inverse of `decode`."""
        found = self._acts.get(act)
        if found is None or found.arguments.keys() != values.keys():
            raise PlaymillError(f"no act is {act} of {sorted(values)}", f"действия {act} от {sorted(values)} нет")
        place = 0
        for name, argument in found.arguments.items():
            if not 0 <= values[name] < argument.size:
                raise PlaymillError(f"{act} has no {name} {values[name]}", f"у {act} нет {name} {values[name]}")
            place = place * argument.size + values[name]
        return found.first + place

    def describe(self, config: Any, action: int) -> Text:
        """An action as a phrase that follows the name of its player."""
        known = self._table(_Same(config))
        if action not in known.phrases:
            act, done = self._known(config, action)
            known.phrases[action] = _phrased(config, act, done, act.phrase)
        return known.phrases[action]

    def heard(self, config: Any, action: int) -> Text:
        """An action as the others hear it: the phrase `heard` of its act, or the same as they all hear."""
        act, done = self._known(config, action)
        return self.describe(config, action) if act.heard is None else _phrased(config, act, done, act.heard)

    def to_text(self, config: Any, action: int) -> str:
        """The short form of an action, the same in all languages; `parse` reads it."""
        self._known(config, action)
        return self._table(_Same(config)).texts[action]

    def parse(self, config: Any, text: str) -> int:
        """The action of a short form; spaces, capitals and the keyboard's language do not matter.

        The message about a text that fits the form of an act says what is wrong in it, about any other what actions
        look like. Whether the action is legal now is not asked.
        """
        plain, spaced = _plain(text), f"{' '.join(_folded(text[:_LONGEST]).split())} "
        known = self._table(_Same(config))
        action = known.ids.get(plain)
        if action is not None:
            return action
        why, head = None, ""
        if not known.patterns:
            known.patterns.update({act.act: re.compile(act.pattern(config)) for act in self._acts.values()})
        for act in self._acts.values() if len(plain) <= _LONGEST else ():
            if found := known.patterns[act.act].fullmatch(plain):
                read = self._read(config, act, found.groupdict())
                if isinstance(read, int):
                    return read
                begins = _folded(act.parts[0][0])
                if read is not None and spaced.startswith(begins) and len(begins) > len(head):
                    why, head = read, begins
        quoted = repr(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…")
        usual = Text("actions look like {}", "действия выглядят так: {}").format(
            as_text(self._examples or known.firsts)
        )
        raise PlaymillError(*Text("there is no action {}: {}", "действия {} нет: {}").format(quoted, why or usual))

    def fields(self, config: Any, action: int) -> dict[str, Any]:
        """An action as JSON-able fields: `act`, and what its arguments are, in the order of the short form."""
        act, done = self._known(config, action)
        made: dict[str, Any] = {"act": act.act}
        if act.fields is not None:
            return {**made, **act.fields(config, done)}
        for name in act.order:
            data = act.arguments[name].data(config, getattr(done, name))
            made |= data if isinstance(data, Mapping) else {name: data}
        return made

    def kinds(self, config: Any, action: int) -> tuple[str, ...]:
        """The ids of the kinds of an action: the hook of the module `audit`."""
        return tuple(self._kinds(config, action))

    def kind_name(self, config: Any, kind: str) -> Text:
        """The name of a kind that an action has: the hook of the module `audit`."""
        named = (self._kinds(config, action) for action in self._table(_Same(config)).texts)
        return as_text(next(kinds[kind] for kinds in named if kind in kinds))

    def _kinds(self, config: Any, action: int) -> Mapping[str, Text | str]:
        act, done = self._known(config, action)
        return act.kind(config, done) if callable(act.kind) else {act.act: act.kind or act.act.replace("_", " ")}

    def _known(self, config: Any, action: int) -> tuple[Act, Action]:
        """An action with its act; a number that stands for none under this config is an error."""
        if action not in self._table(_Same(config)).texts:
            raise _no_number(action)
        done = self.decode(action)
        return self._acts[done.act], done

    def _actions_under(self, equal: _Equal) -> _Table:
        """All actions that there are under a config."""
        config = equal.config
        texts: dict[int, str] = {}
        firsts: dict[str, str] = {}
        for act in self._acts.values():
            shorts = [
                {value: argument.short(config, value) for value in argument.values(config)}
                for argument in act.arguments.values()
            ]
            for values in product(*shorts):
                action = self.encode(act.act, **dict(zip(act.arguments, values, strict=True)))
                if act.why_not is None or act.why_not(config, self.decode(action)) is None:
                    forms = (short[value] for short, value in zip(shorts, values, strict=True))
                    texts[action] = act.form.format(**dict(zip(act.arguments, forms, strict=True)))
                    firsts.setdefault(act.act, repr(texts[action]))
        ids = {_plain(text): action for action, text in reversed(texts.items())}
        return _Table(texts, ids, ", ".join(firsts.values()), {}, {})

    def _read(self, config: Any, act: Act, texts: Mapping[str, str]) -> int | Text | None:
        """The action of an act with these texts in place of its arguments; else why there is none, if that is known."""
        values = {}
        for name in act.order:
            value = act.arguments[name].read_back(config, texts[name])
            if not isinstance(value, int):
                return value
            values[name] = value
        action = self.encode(act.act, **values)
        return (act.why_not(config, self.decode(action)) if act.why_not else None) or action


class _Table(NamedTuple):
    """The actions under a config: short forms by id, ids by plain short form, the first short form of each act, and
    once they are asked for, phrases by id and patterns by act."""

    texts: dict[int, str]
    ids: dict[str, int]
    firsts: str
    phrases: dict[int, Text]
    patterns: dict[str, re.Pattern[str]]


class _Same(NamedTuple):
    """A config as a key: configs do not change, and comparing them takes longer than what is looked up by them."""

    config: Any

    def __hash__(self) -> int:
        return id(self.config)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.config is other.config


class _Equal:
    """A config as a key that equal ones share: every table and every agent has a copy of its own."""

    def __init__(self, config: Any) -> None:
        self.config = config
        self._written = config.model_dump_json() if isinstance(config, RuleConfig) else repr(config)

    def __hash__(self) -> int:
        return hash(self._written)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Equal) and self._written == other._written


def _of(values: ByValue, config: Any, value: int) -> Any:
    return values(config, value) if callable(values) else values[value]


def _folded(text: str) -> str:
    return text.lower().translate(_LOOKALIKES)


def _plain(text: str) -> str:
    return "".join(_folded(text).split())


def _no_number(action: int) -> PlaymillError:
    return PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")


def _check(act: Act, end: int) -> None:
    """Raises unless an act begins where the one before it ends, and its form and phrase name its arguments."""
    if act.first != end:
        raise PlaymillError(
            f"the act {act.act!r} begins at {act.first}, and the ids before it end at {end}",
            f"действие {act.act!r} начинается с {act.first}, а номера перед ним кончаются на {end}",
        )
    phrases = () if callable(act.phrase) else as_text(act.phrase)
    spoken = {name for text in phrases for _, name, *_ in Formatter().parse(text) if name is not None}
    known = act.arguments.keys() - {"act"}
    if sorted(act.order) != sorted(known) or not spoken <= known or "{" in act.act:
        raise PlaymillError(
            f"the act {act.form!r} needs a key, each argument once in its form, and no other in its phrase:"
            f" {', '.join(known) or 'it has none'}",
            f"действию {act.form!r} нужны ключ, каждый аргумент один раз в записи и никаких других во фразе:"
            f" {', '.join(known) or 'их нет'}",
        )
