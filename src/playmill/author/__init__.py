"""What a game imports: rules, random numbers, settings, agents and texts."""

from __future__ import annotations

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
from playmill.engine.lang.bits import nth_bit, nth_bit_of_byte
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import below, happens, into_hat, next_word, out_of_hat, shuffle
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
from playmill.engine.lang.whole_sums import count_in
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, WrongListError, one_line

__all__ = [
    "LANGUAGES",
    "RUSSIAN",
    "SPECTATOR",
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
    "Text",
    "WrongListError",
    "as_int",
    "as_word",
    "below",
    "bit_count",
    "count_in",
    "happens",
    "interpreted",
    "into_hat",
    "lowest_bit",
    "next_word",
    "nth_bit",
    "nth_bit_of_byte",
    "one_line",
    "out_of_hat",
    "plain",
    "python_function",
    "rare",
    "rule",
    "schema_in",
    "setting",
    "shuffle",
    "unknown_keys",
    "without",
]
