"""Fills in the rules of Grid in words (`rules.en.md`, `rules.ru.md`): terms, tables, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from playmill.author import Lang, Text
from playmill.author.words import Entry, Position
from playmill.drawing.svg import sentence
from playmill.games.grid.config import Config, is_optional, windows_of
from playmill.games.grid.config.identifiers import AgentChoice, ColorRule, PatternShape, RankRule
from playmill.games.grid.config.lists import Pattern, Reward
from playmill.games.grid.constants import LINE_4, LINE_5, NOBODY, SQUARE
from playmill.games.grid.words import names
from playmill.games.grid.words.names import COLOUR_NAMES, REWARD_NAMES, SHAPE_NAMES

SHAPE_TEXTS: dict[PatternShape, Text] = {
    "square_3x3": Text("A square of 3 by 3.", "Квадрат 3 на 3."),
    "line_len_5": Text("A line of 5.", "Линия из 5."),
    "line_len_4": Text("A line of 4.", "Линия из 4."),
}
RANK_TEXTS: dict[RankRule, Text] = {
    "R1_line_sequence_step1": Text("Ranks: a run.", "Ранги подряд."),
    "R2_line_all_equal": Text("Ranks: all equal.", "Ранги одинаковые."),
    "R3_square_stripes": Text("Ranks: stripes.", "Ранги полосами."),
    "R4_square_two_axes": Text("Ranks: a slope.", "Ранги скатом."),
}
COLOUR_TEXTS: dict[ColorRule, Text] = {
    "C1_line_monochrome": Text("Colours: one.", "Цвет один."),
    "C2_line_all_distinct": Text("Colours: all different.", "Цвета все разные."),
    "C3_square_flag": Text("Colours: a flag.", "Цвета флагом."),
    "C4_square_latin": Text("Colours: a Latin square.", "Цвета латинским квадратом."),
}
_CHOICES: dict[AgentChoice, Text] = {
    "choose_self_card_coord": Text("a card of yours", "свою карту"),
    "choose_self_empty_cell_coord": Text("a free cell of yours", "свою свободную клетку"),
    "choose_opponent_id": Text("an opponent", "соперника"),
    "choose_opponent_card_coord": Text("a card of hers", "его карту"),
    "choose_opponent_empty_cell_coord": Text("a free cell of hers", "его свободную клетку"),
    "choose_discard_card_ref": Text("a card of the discard pile", "карту из сброса"),
}
_YOU_CHOOSE = Text("You choose {}.", "Вы выбираете {}.")
_FREE_CELL = Text("Impossible without a free cell on your own board.", "Без свободной клетки на своём поле невозможна.")
_NOT_FROM = Text("No card out of an opponent's protected zone.", "Из защищённой зоны соперника карту не взять.")
_NOT_TO = Text("No card into an opponent's protected zone.", "В защищённую зону соперника карту не положить.")
_REWARD = Text("Reward {}.", "Награда {}.")
_NO_REWARD = Text("No reward.", "Награды нет.")
_DIFFICULTY = Text("(Difficulty {}.)", "(Сложность {}.)")
_MUST = Text("It cannot be refused.", "Отказаться нельзя.")


def terms(config: Config, lang: Lang) -> Mapping[str, Any]:
    """Names of colours, shapes and phases, and how many lines and squares a board has."""
    game = config.game
    deck, shapes = game.deck, [shape for shape, _ in windows_of(config)]
    return {
        "phase_1": sentence(names.PHASE_NAMES[0].of(lang)),
        "phase_2": sentence(names.PHASE_NAMES[1].of(lang)),
        "deck_word": names.DECK_WORD.of(lang),
        "discard_word": names.DISCARD_WORD.of(lang),
        "players": f"{game.players.min_players}–{game.players.max_players}",
        "colours": [COLOUR_NAMES[one].of(lang) if one in COLOUR_NAMES else f"№ {one}" for one in deck.colors],
        "shapes": [SHAPE_NAMES[one].of(lang) if one in SHAPE_NAMES else f"№ {one}" for one in deck.shapes],
        "refusable": any(is_optional(config, pattern) for pattern in config.patterns),
        "lines_of_5": shapes.count(LINE_5),
        "lines_of_4": shapes.count(LINE_4),
        "squares": shapes.count(SQUARE),
    }


def lists(config: Config, lang: Lang) -> Mapping[str, Sequence[Entry]]:
    """The patterns and the rewards."""
    return {
        "patterns": [_pattern(config, pattern, lang) for pattern in config.patterns],
        "rewards": [_reward(reward, place, lang) for place, reward in enumerate(config.rewards)],
    }


def _pattern(config: Config, pattern: Pattern, lang: Lang) -> Entry:
    asked = (SHAPE_TEXTS[pattern.shape], RANK_TEXTS[pattern.rank_rule], COLOUR_TEXTS[pattern.color_rule])
    gives, number = pattern.reward is not None, names.reward_number(pattern)
    facts = [text.of(lang) for text in asked]
    facts.append(f"{names.points(pattern.vp).of(lang)}.")
    facts.append((_REWARD if gives else _NO_REWARD).of(lang).format(names.reward_name(number).of(lang)))
    facts.append("" if not gives or is_optional(config, pattern) else _MUST.of(lang))
    facts.append(_DIFFICULTY.of(lang).format(pattern.difficulty_rank))
    return Entry(f"{pattern.id}.", facts)


def _reward(reward: Reward, place: int, lang: Lang) -> Entry:
    asked = [_CHOICES[choice].of(lang) for choice in reward.agent_choices]
    limits = reward.constraints
    return Entry(
        f"{reward.id}.",
        [
            f"{sentence(REWARD_NAMES[place].of(lang))}.",
            _YOU_CHOOSE.of(lang).format(", ".join(asked)) if asked else "",
            _FREE_CELL.of(lang) if limits.requires_free_cell_on_self_board else "",
            _NOT_FROM.of(lang) if limits.forbid_opponent_protected_zone_as_source else "",
            _NOT_TO.of(lang) if limits.forbid_opponent_protected_zone_as_destination else "",
        ],
    )


def _kind(s: np.void) -> str:
    return names.decision_kind(s) if s["player"] != NOBODY else ""


def _aimed(config: Config, s: np.void) -> bool:
    """A reward that somebody has taken, aimed at an opponent."""
    return _kind(s) == "reward_param" and config.rewards[int(s["reward"])].target_scope == "any_opponent"


PICTURES = {
    "start": Position(lambda config, s: _kind(s) == "draft_pick"),
    "reward": Position(lambda config, s: _kind(s) == "reward", agent="greedy", players=3),
    "opponent": Position(_aimed, agent="disruptor", players=3),
    "end": Position(lambda config, s: s["winner"] != NOBODY and s["player"] == NOBODY, agent="greedy", players=3),
}
