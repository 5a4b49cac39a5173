"""The patterns and rewards of Grid's config file: every key once, with its range and its meaning."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from playmill.author import Text, setting
from playmill.games.grid.config.identifiers import (
    ActionType,
    AgentChoice,
    ColorRule,
    ConfigObject,
    PatternId,
    PatternShape,
    RankRule,
    RewardId,
    TargetScope,
)
from playmill.games.grid.constants import PATTERNS, POINTS


class PatternReward(ConfigObject):
    """The reward of a pattern."""

    id: RewardId = setting(Text("Reward", "Награда"), Text("Which of rewards[].", "Какая из rewards[]."))
    optional: bool | None = setting(
        Text("May be refused", "Можно отказаться"),
        Text(
            "May it be refused; null leaves it to rewards[].optional.",
            "Можно ли отказаться; null — как сказано в rewards[].optional.",
        ),
        default=None,
    )


def _ignored(_: dict[str, Any]) -> dict[str, Any]:
    return {}


class Pattern(ConfigObject):
    """One pattern: where it lies, what it asks for, what it gives."""

    id: PatternId = setting(
        Text("Letter", "Буква"),
        Text("Its letter, A to L, each at most once.", "Его буква, от A до L, каждая не больше одного раза."),
        fixed=True,
    )
    shape: PatternShape = setting(Text("Shape", "Форма"), Text("Where the cards lie.", "Как лежат карты."))
    size_cards: Literal[4, 5, 9] = setting(
        Text("Cards", "Карт"),
        Text("Cards of the shape: 9 in a square, 5 or 4 in a line.", "Карт в форме: 9 в квадрате, 5 или 4 в линии."),
    )
    rank_rule: RankRule = setting(
        Text("Ranks", "Ранги"),
        Text("R1 and R2 for lines, R3 and R4 for squares.", "R1 и R2 для линий, R3 и R4 для квадратов."),
    )
    color_rule: ColorRule = setting(
        Text("Colours", "Цвета"),
        Text("C1 and C2 for lines, C3 and C4 for squares.", "C1 и C2 для линий, C3 и C4 для квадратов."),
    )
    difficulty_rank: int = setting(
        Text("Difficulty", "Сложность"),
        Text(
            "How hard it is, 1 to 100; for people, not for the rules.",
            "Насколько он сложен, от 1 до 100; для людей, не для правил.",
        ),
        ge=1,
        le=100,
    )
    vp: int = setting(
        Text("Points", "Очки"),
        Text("Victory points, 0 to 1000.", "Победные очки, от 0 до 1000."),
        ge=0,
        le=POINTS,
    )
    reward: PatternReward | None = setting(
        Text("Reward", "Награда"),
        Text("The reward of the pattern; none if it is missing.", "Награда за паттерн; без неё награды нет."),
        default=None,
    )
    source_ref: Annotated[dict[str, Any], AfterValidator(_ignored)] = setting(
        Text("Source", "Источник"),
        Text("Anything; ignored.", "Что угодно; не учитывается."),
        fixed=True,
        default_factory=dict,
        exclude=True,
    )


class Constraints(ConfigObject):
    """What one reward demands and forbids."""

    requires_free_cell_on_self_board: bool = setting(
        Text("Needs a free cell", "Нужна свободная клетка"),
        Text("Impossible without a free cell on the own board.", "Невозможна без свободной клетки на своём поле."),
    )
    forbid_opponent_protected_zone_as_source: bool = setting(
        Text("Nothing from the zone", "Из зоны нельзя"),
        Text("No card may come from an opponent's protected zone.", "Из защищённой зоны соперника карту брать нельзя."),
    )
    forbid_opponent_protected_zone_as_destination: bool = setting(
        Text("Nothing into the zone", "В зону нельзя"),
        Text("No card may go to an opponent's protected zone.", "В защищённую зону соперника карту класть нельзя."),
    )


class Reward(ConfigObject):
    """One reward; what it does is fixed by its id, what it demands is not."""

    id: RewardId = setting(
        Text("Id", "Имя"), Text("RWD1 to RWD10, each once.", "От RWD1 до RWD10, каждая один раз."), fixed=True
    )
    action_type: ActionType = setting(
        Text("What it does", "Что делает"), Text("What the reward does.", "Что делает награда."), fixed=True
    )
    target_scope: TargetScope = setting(
        Text("To whom", "С кем"), Text("Whom or what it is done to.", "С кем или с чем это делают."), fixed=True
    )
    optional: bool | None = setting(
        Text("May be refused", "Можно отказаться"),
        Text(
            "May it be refused; null leaves it to game.rewards.optional_by_default.",
            "Можно ли отказаться; null — как сказано в game.rewards.optional_by_default.",
        ),
        default=None,
    )
    constraints: Constraints = setting(
        Text("Limits", "Ограничения"),
        Text("What the reward demands and forbids.", "Чего награда требует и что запрещает."),
    )
    agent_choices: list[AgentChoice] = setting(
        Text("Questions", "Вопросы"),
        Text("What the agent is asked, in this order.", "О чём спрашивают агента, в этом порядке."),
        fixed=True,
    )


#: The lists of patterns and of rewards, as the file holds them.
Patterns = Annotated[list[Pattern], Field(min_length=1, max_length=PATTERNS)]
Rewards = Annotated[list[Reward], Field(min_length=1)]
