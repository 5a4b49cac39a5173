"""Identifiers of Grid's config file, what each reward does, and the base of its objects."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict

PatternId = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"]
PatternShape = Literal["square_3x3", "line_len_5", "line_len_4"]
RankRule = Literal["R1_line_sequence_step1", "R2_line_all_equal", "R3_square_stripes", "R4_square_two_axes"]
ColorRule = Literal["C1_line_monochrome", "C2_line_all_distinct", "C3_square_flag", "C4_square_latin"]
RewardId = Literal["RWD1", "RWD2", "RWD3", "RWD4", "RWD5", "RWD6", "RWD7", "RWD8", "RWD9", "RWD10"]
FallbackPolicy = Literal["random_valid_with_logging"]
ActionType = Literal[
    "remove",
    "take_from_discard_top",
    "move",
    "extra_turn",
    "skip_turn",
    "take_from_discard_any",
    "spawn_joker",
    "steal",
]
TargetScope = Literal["self", "discard", "next_player", "any_opponent"]
AgentChoice = Literal[
    "choose_self_card_coord",
    "choose_self_empty_cell_coord",
    "choose_opponent_id",
    "choose_opponent_card_coord",
    "choose_opponent_empty_cell_coord",
    "choose_discard_card_ref",
]

# The place of a name in these is its number in `actions`.
PATTERN_IDS: tuple[PatternId, ...] = get_args(PatternId)
PATTERN_SHAPES: tuple[PatternShape, ...] = get_args(PatternShape)
RANK_RULES: tuple[RankRule, ...] = get_args(RankRule)
COLOR_RULES: tuple[ColorRule, ...] = get_args(ColorRule)
REWARD_IDS: tuple[RewardId, ...] = get_args(RewardId)

SHAPE_CARDS: dict[PatternShape, int] = {"square_3x3": 9, "line_len_5": 5, "line_len_4": 4}


class Binding(NamedTuple):
    """What a reward does, on whom, and what its agent is asked, in order."""

    action_type: ActionType
    target_scope: TargetScope
    agent_choices: tuple[AgentChoice, ...] = ()


BINDINGS: dict[RewardId, Binding] = {
    "RWD1": Binding("remove", "self", ("choose_self_card_coord",)),
    "RWD2": Binding("take_from_discard_top", "discard", ("choose_self_empty_cell_coord",)),
    "RWD3": Binding("move", "self", ("choose_self_card_coord", "choose_self_empty_cell_coord")),
    "RWD4": Binding("extra_turn", "self"),
    "RWD5": Binding("skip_turn", "next_player"),
    "RWD6": Binding("remove", "any_opponent", ("choose_opponent_id", "choose_opponent_card_coord")),
    "RWD7": Binding(
        "move",
        "any_opponent",
        ("choose_opponent_id", "choose_opponent_card_coord", "choose_opponent_empty_cell_coord"),
    ),
    "RWD8": Binding("take_from_discard_any", "discard", ("choose_discard_card_ref", "choose_self_empty_cell_coord")),
    "RWD9": Binding("spawn_joker", "self", ("choose_self_empty_cell_coord",)),
    "RWD10": Binding(
        "steal", "any_opponent", ("choose_opponent_id", "choose_opponent_card_coord", "choose_self_empty_cell_coord")
    ),
}


class ConfigObject(BaseModel):
    """An object of the file: strict, unknown keys kept and without effect, unchangeable."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, defer_build=True)
