"""The single objects of Grid's config file: every key once, with its range and its meaning; no defaults."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from playmill.author import Text, setting
from playmill.games.grid.config.identifiers import (
    ColorRule,
    ConfigObject,
    FallbackPolicy,
    PatternShape,
    RankRule,
    RewardId,
)
from playmill.games.grid.constants import COLOURS, DECK, PLAYERS, RANKS, REVEAL, SIDE

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
ALWAYS_ON = (
    "game.deck.unique_cards",
    "game.patterns.auto_clear_after_trigger",
    "termination.end_if_deck_less_than_reveal_before_phase2",
)


class Players(ConfigObject):
    """How many play, and who comes next."""

    min_players: int = setting(
        Text("Fewest players", "Меньше всего игроков"),
        Text("Fewest players, 2 to 4.", "Наименьшее число игроков, от 2 до 4."),
        ge=2,
        le=PLAYERS,
    )
    max_players: int = setting(
        Text("Most players", "Больше всего игроков"),
        Text(
            "Most players, 2 to 4, not fewer than min_players.",
            "Наибольшее число игроков, от 2 до 4, не меньше min_players.",
        ),
        ge=2,
        le=PLAYERS,
    )
    turn_direction: Literal["clockwise", "counterclockwise"] = setting(
        Text("Direction", "Направление"), Text("The way the turn goes round.", "В какую сторону переходит ход.")
    )
    next_player_definition: Literal["left", "right"] = setting(
        Text("Next player", "Следующий игрок"),
        Text(
            "The neighbour whose turn is next: left if clockwise, right if counterclockwise.",
            "Сосед, чей ход следующий: слева, если по часовой стрелке, справа, если против.",
        ),
    )


class Deck(ConfigObject):
    """One card of each rank, colour and shape."""

    ranks: list[Annotated[int, Field(ge=1, le=RANKS)]] = setting(
        Text("Ranks", "Ранги"),
        Text("The ranks: distinct whole numbers, 1 to 12.", "Ранги: разные целые числа от 1 до 12."),
        min_length=1,
        max_length=RANKS,
    )
    colors: list[Annotated[int, Field(ge=1, le=99)]] = setting(
        Text("Colours", "Цвета"),
        Text(
            "The colours: 1 to 8 distinct whole numbers, each 1 to 99.",
            "Цвета: от 1 до 8 разных целых чисел, каждое от 1 до 99.",
        ),
        min_length=1,
        max_length=COLOURS,
    )
    shapes: list[Annotated[int, Field(ge=1, le=99)]] = setting(
        Text("Shapes", "Формы"),
        Text(
            "The shapes: 1 to 40 distinct whole numbers, each 1 to 99.",
            "Формы: от 1 до 40 разных целых чисел, каждое от 1 до 99.",
        ),
        min_length=1,
        max_length=40,
    )
    unique_cards: bool = setting(
        Text("Each card once", "Каждая карта одна"),
        Text(
            "Each card stands in the deck once; cannot be turned off.",
            "Каждая карта есть в колоде один раз; выключить нельзя.",
        ),
        fixed=True,
    )
    total_cards: int = setting(
        Text("Cards in the deck", "Карт в колоде"),
        Text(
            "Cards in the deck: ranks times colours times shapes, at most 120.",
            "Карт в колоде: рангов на цветов на форм, не больше 120.",
        ),
        ge=1,
        le=DECK,
    )


class ProtectedZone(ConfigObject):
    """The cells of a board that opponents must not touch."""

    shape: Literal["square"] = setting(
        Text("Shape", "Форма"), Text("The shape of the zone.", "Форма зоны."), fixed=True
    )
    size: int = setting(
        Text("Side", "Сторона"),
        Text(
            "Side of the zone: odd, 1 to 7, not larger than the board.",
            "Сторона зоны: нечётная, от 1 до 7, не больше поля.",
        ),
        ge=1,
        le=SIDE,
    )
    position: Literal["center"] = setting(
        Text("Place", "Место"), Text("Where the zone lies.", "Где лежит зона."), fixed=True
    )


class Grid(ConfigObject):
    """The board of one player."""

    width: int = setting(
        Text("Columns", "Столбцы"),
        Text(
            "Columns, 3 to 7; odd, so that the protected zone has a centre.",
            "Столбцов, от 3 до 7; нечётное число, чтобы у защищённой зоны был центр.",
        ),
        ge=3,
        le=SIDE,
    )
    height: int = setting(
        Text("Rows", "Строки"),
        Text(
            "Rows, 3 to 7; odd, so that the protected zone has a centre.",
            "Строк, от 3 до 7; нечётное число, чтобы у защищённой зоны был центр.",
        ),
        ge=3,
        le=SIDE,
    )
    protected_zone: ProtectedZone = setting(
        Text("Protected zone", "Защищённая зона"),
        Text("The cells of a board that opponents must not touch.", "Клетки поля, которые соперникам трогать нельзя."),
    )


class Draft(ConfigObject):
    """Phase 2: what becomes of the cards turned up."""

    reveal: int = setting(
        Text("Cards turned up", "Открывают карт"),
        Text(
            "Cards turned up, 2 to 8: pick_self, pass_next_player and discard added up.",
            "Сколько карт открывают, от 2 до 8: сумма pick_self, pass_next_player и discard.",
        ),
        ge=2,
        le=REVEAL,
    )
    pick_self: int = setting(
        Text("Kept", "Берут себе"),
        Text("Cards the player keeps and places, 1 to 3.", "Сколько карт игрок берёт и размещает, от 1 до 3."),
        ge=1,
        le=3,
    )
    pass_next_player: int = setting(
        Text("Passed on", "Передают"),
        Text("Cards for the next player's hand, 0 to 3.", "Сколько карт уходит в руку следующему, от 0 до 3."),
        ge=0,
        le=3,
    )
    discard: int = setting(
        Text("Discarded", "В сброс"),
        Text("Cards for the discard pile, 0 to 7.", "Сколько карт уходит в сброс, от 0 до 7."),
        ge=0,
        le=REVEAL - 1,
    )


class PatternRules(ConfigObject):
    """How found patterns are resolved."""

    auto_trigger: bool = setting(
        Text("Patterns are resolved by themselves", "Паттерны срабатывают сами"),
        Text(
            "Off: the agent may also choose to resolve none of the found patterns.",
            "Выключено: можно и не разыгрывать ни одного из найденных паттернов.",
        ),
    )
    auto_clear_after_trigger: bool = setting(
        Text("A resolved pattern leaves", "Разыгранный паттерн уходит"),
        Text(
            "A resolved pattern leaves the board; cannot be turned off.",
            "Разыгранный паттерн уходит с поля; выключить нельзя.",
        ),
        fixed=True,
    )
    multi_trigger_resolution_order: Literal["agent_choice"] = setting(
        Text("Order of patterns", "Порядок паттернов"),
        Text(
            "Who says which of several found patterns is resolved first.",
            "Кто решает, какой из нескольких найденных паттернов разыграть первым.",
        ),
        fixed=True,
    )


class RewardRules(ConfigObject):
    """What holds for every reward."""

    optional_by_default: bool = setting(
        Text("Rewards may be refused", "От наград можно отказаться"),
        Text(
            "Rewards may be refused, where neither the pattern nor the reward says otherwise.",
            "От награды можно отказаться, если паттерн или сама награда не говорят иного.",
        ),
    )
    extra_turn_ignored_if_deck_empty: bool = setting(
        Text("No extra turn without a deck", "Без колоды нет дополнительного хода"),
        Text(
            "Off: an extra turn is granted without a deck too, and ends with END1. Twin: termination.",
            "Выключено: дополнительный ход дают и без колоды, и он кончается END1. То же стоит в termination.",
        ),
    )
    opponent_actions_forbid_touch_protected_zone: bool = setting(
        Text("Protected cards are out of reach", "Защищённые карты не трогают"),
        Text(
            "Cards in an opponent's protected zone cannot be taken, removed or moved.",
            "Карты в защищённой зоне соперника нельзя красть, убирать и двигать.",
        ),
    )
    opponent_actions_forbid_move_into_or_out_of_protected_zone: bool = setting(
        Text("No moves across the zone's border", "Через границу зоны не двигают"),
        Text(
            "An opponent's card cannot be moved across the border of the protected zone.",
            "Карту соперника нельзя передвинуть через границу защищённой зоны.",
        ),
    )
    reward_placement_failure_does_not_end_game: bool = setting(
        Text("A reward without a cell does no harm", "Награда без клетки безвредна"),
        Text(
            "Off: accepting a reward that needs a free cell without having one ends the game with END2. "
            "Twin: termination.do_not_end_if_no_space_for_reward_placement.",
            "Выключено: согласие на награду, для которой нет свободной клетки, заканчивает партию (END2). "
            "То же стоит в termination.do_not_end_if_no_space_for_reward_placement.",
        ),
    )


class JokerRules(ConfigObject):
    """Jokers."""

    enabled: bool = setting(
        Text("Jokers", "Джокеры"),
        Text("Off: no jokers; RWD9 is impossible.", "Выключено: джокеров нет, RWD9 невозможна."),
    )
    matches_any_rank: bool = setting(
        Text("Any rank", "Любой ранг"),
        Text(
            "Off: a window with a joker never meets a rank rule.",
            "Выключено: место с джокером не подходит ни под одно правило рангов.",
        ),
    )
    matches_any_color: bool = setting(
        Text("Any colour", "Любой цвет"),
        Text(
            "Off: a window with a joker never meets a colour rule.",
            "Выключено: место с джокером не подходит ни под одно правило цветов.",
        ),
    )


class GameRules(ConfigObject):
    """The frame of the game."""

    players: Players = setting(
        Text("Players", "Игроки"), Text("How many play, and who comes next.", "Сколько играют и кто следующий.")
    )
    deck: Deck = setting(
        Text("Deck", "Колода"),
        Text("One card of each rank, colour and shape.", "По одной карте каждого ранга, цвета и формы."),
    )
    grid: Grid = setting(Text("Board", "Поле"), Text("The board of one player.", "Поле одного игрока."))
    draft: Draft = setting(
        Text("Draft", "Драфт"),
        Text("Phase 2: what becomes of the cards turned up.", "Фаза 2: что происходит с открытыми картами."),
    )
    patterns: PatternRules = setting(
        Text("Resolving patterns", "Розыгрыш паттернов"),
        Text("How found patterns are resolved.", "Как разыгрывают найденные паттерны."),
    )
    rewards: RewardRules = setting(
        Text("All rewards", "Все награды"), Text("What holds for every reward.", "Что верно для каждой награды.")
    )
    joker: JokerRules = setting(Text("Jokers", "Джокеры"), Text("What jokers can do.", "Что умеют джокеры."))


def _names(name: Text, about: Text) -> Any:
    """A list of names that the file uses."""
    return setting(name, about, fixed=True)


class Enums(ConfigObject):
    """The names the file uses: each list holds exactly the known names, in any order."""

    pattern_shape: list[PatternShape] = _names(
        Text("Shapes", "Формы"), Text("The shapes of patterns.", "Формы паттернов.")
    )
    rank_rule: list[RankRule] = _names(
        Text("Rank rules", "Правила рангов"), Text("What ranks can be asked to do.", "Чего можно требовать от рангов.")
    )
    color_rule: list[ColorRule] = _names(
        Text("Colour rules", "Правила цветов"),
        Text("What colours can be asked to do.", "Чего можно требовать от цветов."),
    )
    reward_id: list[RewardId] = _names(Text("Rewards", "Награды"), Text("The ids of rewards.", "Имена наград."))
    fallback_policy: list[FallbackPolicy] = _names(
        Text("Fallbacks", "Замены"), Text("What can take the place of nonsense.", "Чем заменяют негодный ответ.")
    )


class Termination(ConfigObject):
    """How the game ends."""

    end_if_deck_less_than_reveal_before_phase2: bool = setting(
        Text("Too few cards end the game", "Мало карт — конец партии"),
        Text(
            "END1 when phase 2 begins with too few cards; cannot be turned off.",
            "END1, если к началу фазы 2 карт слишком мало; выключить нельзя.",
        ),
        fixed=True,
    )
    reveal_required_cards: int = setting(
        Text("Cards phase 2 needs", "Карт нужно фазе 2"),
        Text(
            "Cards phase 2 needs. Twin: game.draft.reveal.", "Сколько карт нужно фазе 2. То же, что game.draft.reveal."
        ),
        fixed=True,
        ge=2,
        le=REVEAL,
    )
    end_if_no_space_for_mandatory_hand_placement: bool = setting(
        Text("No cell for a hand card ends the game", "Нет клетки для карты с руки — конец"),
        Text(
            "Off: a hand card without a free cell goes to the discard pile instead of ending the game (END2).",
            "Выключено: карта с руки, для которой нет клетки, уходит в сброс, и партия не кончается (END2).",
        ),
    )
    end_if_no_space_for_mandatory_draft_placement: bool = setting(
        Text("No cell for a picked card ends the game", "Нет клетки для взятой карты — конец"),
        Text(
            "Off: a picked card without a free cell goes to the discard pile instead of ending the game (END2).",
            "Выключено: взятая карта, для которой нет клетки, уходит в сброс, и партия не кончается (END2).",
        ),
    )
    do_not_end_if_no_space_for_reward_placement: bool = setting(
        Text("A reward without a cell does no harm", "Награда без клетки безвредна"),
        Text(
            "Twin: game.rewards.reward_placement_failure_does_not_end_game.",
            "То же, что game.rewards.reward_placement_failure_does_not_end_game.",
        ),
        fixed=True,
    )
    extra_turn_ignored_if_deck_empty: bool = setting(
        Text("No extra turn without a deck", "Без колоды нет дополнительного хода"),
        Text(
            "Twin: game.rewards.extra_turn_ignored_if_deck_empty.",
            "То же, что game.rewards.extra_turn_ignored_if_deck_empty.",
        ),
        fixed=True,
    )
    deck_empty_allows_phase1_for_next_players: bool = setting(
        Text("Play on with hands when the deck is empty", "Без колоды доигрывают с рук"),
        Text(
            "Off: the game ends with END1 after the turn in which the deck became empty.",
            "Выключено: партия кончается (END1) после хода, в котором опустела колода.",
        ),
    )


class AgentContract(ConfigObject):
    """What happens when an agent answers nonsense."""

    fallback_policy_on_invalid_choice: FallbackPolicy = setting(
        Text("Fallback", "Замена"),
        Text("What takes the place of an answer that cannot be used.", "Чем заменяют ответ, который не годится."),
        fixed=True,
    )
