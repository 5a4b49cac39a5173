"""Content kept as data beside the rules: labels of its form, and trials that compare games with and without a piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from playmill.engine.config.model import RuleConfig
from playmill.texts import Text, accept_strings, texts_of


@dataclass(frozen=True)
class Trial:
    """One piece of content put to the test: how many of it one side gets, and the config for each seat that has it."""

    kind: str
    id: str
    name: Text
    count: int
    configs: tuple[RuleConfig, ...]

    def __post_init__(self) -> None:
        accept_strings(self, "name")


@dataclass(frozen=True)
class Labels:
    """What a form for content reads to people; what has no text here is called by its key in the schema.

    Keys are those of the schema: `key` for a field wherever it stands, `Part.key` for that of one definition, `Part`
    for a definition that can be chosen, `key=value` or `Part.key=value` for a value, and `key=` for leaving it out.
    """

    names: Mapping[str, Text] = field(default_factory=dict)
    #: What is said beside a field.
    about: Mapping[str, Text] = field(default_factory=dict)
    #: Among what a text is chosen, where the schema cannot say it: values with their names.
    among: Mapping[str, Mapping[str, Text]] = field(default_factory=dict)
    #: Of which kind of content such a text is an id: what somebody keeps of that kind is chosen among, too.
    ids: Mapping[str, str] = field(default_factory=dict)
    #: Fields that are seldom wanted.
    aside: frozenset[str] = frozenset()
    #: Fields that are made of the others where they are left empty; whoever begins with a copy begins without them.
    made: frozenset[str] = frozenset({"id"})
    #: The kinds that can be made in a form; all there are, if none is named.
    kinds: tuple[str, ...] = ()
    #: Kinds that do nothing by themselves: they have no worth, and no match is played with one alone.
    untried: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name in ("names", "about"):
            object.__setattr__(self, name, texts_of(getattr(self, name)))
        object.__setattr__(self, "among", {key: texts_of(values) for key, values in self.among.items()})

    def name(self, part: str, key: str, value: str | None = None) -> Text:
        """What a field, or a value of it, is called."""
        end = "" if value is None else f"={value}"
        found = self.names.get(f"{part}.{key}{end}") or self.names.get(f"{key}{end}")
        plain = key if value is None else value
        return found or Text(plain, plain)
