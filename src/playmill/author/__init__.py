"""Public API for authors of games: rules, random numbers, settings, agents and texts."""

from __future__ import annotations

from playmill.defaults.secrets import redeal_rule
from playmill.engine.config.model import (
    RUSSIAN,
    ConfigError,
    Packed,
    RuleConfig,
    schema_in,
    setting,
    unknown_keys,
    without,
)
from playmill.engine.contract.agent import CompiledAgent, Known, Parameter, Preparing, SearchPlan
from playmill.engine.contract.goals import NamedGoal
from playmill.engine.contract.secrets import UNKNOWN, Secret
from playmill.engine.lang.bits import nth_bit, nth_bit_of_byte
from playmill.engine.lang.histogram import count_in
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import add_to_shuffle_buffer, below, drain_shuffle_buffer, happens, next_word, shuffle
from playmill.engine.lang.rule import (
    SPECTATOR,
    as_int,
    as_word,
    bit_count,
    interpreted,
    lowest_bit,
    python_function,
    rare,
    rule,
)
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, WrongListError, one_line, plural

__all__ = [
    "LANGUAGES",
    "RUSSIAN",
    "SPECTATOR",
    "UNKNOWN",
    "CompiledAgent",
    "ConfigError",
    "Known",
    "Lang",
    "NamedGoal",
    "Packed",
    "Parameter",
    "PlaymillError",
    "Preparing",
    "RecordArray",
    "RuleConfig",
    "SearchPlan",
    "Secret",
    "Text",
    "WrongListError",
    "add_to_shuffle_buffer",
    "as_int",
    "as_word",
    "below",
    "bit_count",
    "count_in",
    "drain_shuffle_buffer",
    "happens",
    "interpreted",
    "lowest_bit",
    "next_word",
    "nth_bit",
    "nth_bit_of_byte",
    "one_line",
    "plain",
    "plural",
    "python_function",
    "rare",
    "redeal_rule",
    "rule",
    "schema_in",
    "setting",
    "shuffle",
    "unknown_keys",
    "without",
]
