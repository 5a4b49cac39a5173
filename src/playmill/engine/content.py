"""Content: what a game keeps as data beside its rules, and how a piece of it is put to the test."""

from __future__ import annotations

from dataclasses import dataclass

from playmill.engine.config import RuleConfig
from playmill.texts import Text


@dataclass(frozen=True)
class Trial:
    """One piece of content put to the test: how many of it one side gets, and the config for each seat that has it."""

    kind: str
    id: str
    name: Text
    count: int
    configs: tuple[RuleConfig, ...]
