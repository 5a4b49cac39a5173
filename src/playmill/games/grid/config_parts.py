"""The parts of Grid's config file: every key once, with its range and what it means; none has a default."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from playmill.games.grid.actions import COLOURS, DECK, PATTERNS, PLAYERS, POINTS, RANKS, REVEAL, SIDE

PatternId = Literal["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"]
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

#: Paths at which the file says the same thing twice.
TWINS = (
    ("game.draft.reveal", "termination.reveal_required_cards"),
    ("game.rewards.extra_turn_ignored_if_deck_empty", "termination.extra_turn_ignored_if_deck_empty"),
    (
        "game.rewards.reward_placement_failure_does_not_end_game",
        "termination.do_not_end_if_no_space_for_reward_placement",
    ),
)
#: Switches that are always on.
FIXED = (
    "game.deck.unique_cards",
    "game.patterns.auto_clear_after_trigger",
    "termination.end_if_deck_less_than_reveal_before_phase2",
)


class Part(BaseModel):
    """An object of the file: strict, unknown keys refused, unchangeable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Players(Part):
    """How many play, and who comes next."""

    min_players: int = Field(ge=2, le=PLAYERS, description="Fewest players, 2 to 4.")
    max_players: int = Field(ge=2, le=PLAYERS, description="Most players, 2 to 4, not fewer than min_players.")
    turn_direction: Literal["clockwise", "counterclockwise"] = Field(description="The way the turn goes round.")
    next_player_definition: Literal["left", "right"] = Field(
        description="The neighbour whose turn is next: left if clockwise, right if counterclockwise."
    )


class Deck(Part):
    """One card of each rank, colour and shape."""

    ranks: list[Annotated[int, Field(ge=1, le=RANKS)]] = Field(
        min_length=1, max_length=RANKS, description="The ranks: distinct whole numbers, 1 to 12."
    )
    colors: list[Annotated[int, Field(ge=1, le=99)]] = Field(
        min_length=1, max_length=COLOURS, description="The colours: 1 to 8 distinct whole numbers, each 1 to 99."
    )
    shapes: list[Annotated[int, Field(ge=1, le=99)]] = Field(
        min_length=1, max_length=40, description="The shapes: 1 to 40 distinct whole numbers, each 1 to 99."
    )
    unique_cards: bool = Field(description="Each card stands in the deck once; cannot be turned off.")
    total_cards: int = Field(
        ge=1, le=DECK, description="Cards in the deck: ranks times colours times shapes, at most 120."
    )


class ProtectedZone(Part):
    """The cells of a board that opponents must not touch."""

    shape: Literal["square"] = Field(description="The shape of the zone.")
    size: int = Field(ge=1, le=SIDE, description="Side of the zone: odd, 1 to 7, not larger than the board.")
    position: Literal["center"] = Field(description="Where the zone lies.")


class Grid(Part):
    """The board of one player."""

    width: int = Field(ge=3, le=SIDE, description="Columns, 3 to 7; odd, so that the protected zone has a centre.")
    height: int = Field(ge=3, le=SIDE, description="Rows, 3 to 7; odd, so that the protected zone has a centre.")
    protected_zone: ProtectedZone


class Draft(Part):
    """Phase 2: what becomes of the cards turned up."""

    reveal: int = Field(
        ge=2, le=REVEAL, description="Cards turned up, 2 to 8: pick_self, pass_next_player and discard added up."
    )
    pick_self: int = Field(ge=1, le=3, description="Cards the player keeps and places, 1 to 3.")
    pass_next_player: int = Field(ge=0, le=3, description="Cards for the next player's hand, 0 to 3.")
    discard: int = Field(ge=0, le=REVEAL - 1, description="Cards for the discard pile, 0 to 7.")


class PatternRules(Part):
    """How found patterns are resolved."""

    auto_trigger: bool = Field(description="Off: the agent may also choose to resolve none of the found patterns.")
    auto_clear_after_trigger: bool = Field(description="A resolved pattern leaves the board; cannot be turned off.")
    multi_trigger_resolution_order: Literal["agent_choice"] = Field(
        description="Who says which of several found patterns is resolved first."
    )


class RewardRules(Part):
    """What holds for every reward."""

    optional_by_default: bool = Field(
        description="Rewards may be refused, where neither the pattern nor the reward says otherwise."
    )
    extra_turn_ignored_if_deck_empty: bool = Field(
        description="Off: an extra turn is granted without a deck too, and ends with END1. Twin: termination."
    )
    opponent_actions_forbid_touch_protected_zone: bool = Field(
        description="Cards in an opponent's protected zone cannot be taken, removed or moved."
    )
    opponent_actions_forbid_move_into_or_out_of_protected_zone: bool = Field(
        description="An opponent's card cannot be moved across the border of the protected zone."
    )
    reward_placement_failure_does_not_end_game: bool = Field(
        description="Off: accepting a reward that needs a free cell without having one ends the game with END2. "
        "Twin: termination.do_not_end_if_no_space_for_reward_placement."
    )


class JokerRules(Part):
    """Jokers."""

    enabled: bool = Field(description="Off: no jokers; RWD9 is impossible.")
    matches_any_rank: bool = Field(description="Off: a window with a joker never meets a rank rule.")
    matches_any_color: bool = Field(description="Off: a window with a joker never meets a colour rule.")


class GameRules(Part):
    """The frame of the game."""

    players: Players
    deck: Deck
    grid: Grid
    draft: Draft
    patterns: PatternRules
    rewards: RewardRules
    joker: JokerRules


class Enums(Part):
    """The names the file uses: each list holds exactly the known names, in any order."""

    pattern_shape: list[PatternShape]
    rank_rule: list[RankRule]
    color_rule: list[ColorRule]
    reward_id: list[RewardId]
    fallback_policy: list[FallbackPolicy]


class PatternReward(Part):
    """The reward of a pattern."""

    id: RewardId = Field(description="Which of rewards[].")
    optional: bool | None = Field(default=None, description="May it be refused; null leaves it to rewards[].optional.")


def _ignored(_: dict[str, Any]) -> dict[str, Any]:
    return {}


class Pattern(Part):
    """One pattern: where it lies, what it asks for, what it gives."""

    id: PatternId = Field(description="Its letter, A to J, each at most once.")
    shape: PatternShape
    size_cards: Literal[4, 5, 9] = Field(description="Cards of the shape: 9 in a square, 5 or 4 in a line.")
    rank_rule: RankRule = Field(description="R1 and R2 for lines, R3 and R4 for squares.")
    color_rule: ColorRule = Field(description="C1 and C2 for lines, C3 and C4 for squares.")
    difficulty_rank: int = Field(ge=1, le=100, description="How hard it is, 1 to 100; for people, not for the rules.")
    vp: int = Field(ge=0, le=POINTS, description="Victory points, 0 to 1000.")
    reward: PatternReward
    source_ref: Annotated[dict[str, Any], AfterValidator(_ignored)] = Field(
        default_factory=dict, exclude=True, description="Anything; ignored."
    )


class Constraints(Part):
    """What one reward demands and forbids."""

    requires_free_cell_on_self_board: bool = Field(description="Impossible without a free cell on the own board.")
    forbid_opponent_protected_zone_as_source: bool = Field(
        description="No card may come from an opponent's protected zone."
    )
    forbid_opponent_protected_zone_as_destination: bool = Field(
        description="No card may go to an opponent's protected zone."
    )


class Reward(Part):
    """One reward; what it does is fixed by its id, what it demands is not."""

    id: RewardId = Field(description="RWD1 to RWD10, each once.")
    action_type: ActionType
    target_scope: TargetScope
    optional: bool | None = Field(
        default=None, description="May it be refused; null leaves it to game.rewards.optional_by_default."
    )
    constraints: Constraints
    agent_choices: list[AgentChoice] = Field(description="What the agent is asked, in this order.")


class Termination(Part):
    """How the game ends."""

    end_if_deck_less_than_reveal_before_phase2: bool = Field(
        description="END1 when phase 2 begins with too few cards; cannot be turned off."
    )
    reveal_required_cards: int = Field(ge=2, le=REVEAL, description="Cards phase 2 needs. Twin: game.draft.reveal.")
    end_if_no_space_for_mandatory_hand_placement: bool = Field(
        description="Off: a hand card without a free cell goes to the discard pile instead of ending the game (END2)."
    )
    end_if_no_space_for_mandatory_draft_placement: bool = Field(
        description="Off: a picked card without a free cell goes to the discard pile instead of ending the game (END2)."
    )
    do_not_end_if_no_space_for_reward_placement: bool = Field(
        description="Twin: game.rewards.reward_placement_failure_does_not_end_game."
    )
    extra_turn_ignored_if_deck_empty: bool = Field(description="Twin: game.rewards.extra_turn_ignored_if_deck_empty.")
    deck_empty_allows_phase1_for_next_players: bool = Field(
        description="Off: the game ends with END1 after the turn in which the deck became empty."
    )


class AgentContract(Part):
    """What happens when an agent answers nonsense."""

    fallback_policy_on_invalid_choice: FallbackPolicy


#: The lists of patterns and of rewards, as the file holds them.
Patterns = Annotated[list[Pattern], Field(min_length=1, max_length=PATTERNS)]
Rewards = Annotated[list[Reward], Field(min_length=1)]
