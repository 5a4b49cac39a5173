"""What the tests of every rulebook know of one: the clauses of its rules, and the numbers that no config decides."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from common.found import ROOT
from playmill import Text


@dataclass(frozen=True)
class Checklist:
    """The clauses of a game's rules, each with a pattern of the English and one of the Russian text.

    `typed` are the numbers written out in the text that no config decides, `untold` the parts of the config that the
    text does not speak of (patterns of paths), each with the reason, `latin` words that stay as they are in Russian.
    """

    clauses: Mapping[str, tuple[str, str]]
    typed: frozenset[str] = frozenset()
    untold: Mapping[str, str] = field(default_factory=dict)
    latin: frozenset[str] = frozenset()


def literal(text: Text) -> tuple[str, str]:
    """Patterns of a text as it stands."""
    return re.escape(text.en), re.escape(text.ru)


@cache
def checklist_of(name: str) -> Checklist:
    """The checklist of a game, from its own tests."""
    folder = ROOT / "tests" / "games" / name
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    found: Checklist = importlib.import_module(f"{name}_rulebook").CHECKLIST
    return found
