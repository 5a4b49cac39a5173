"""Names of the things of Battle of Dimensions, in English and Russian, and what is read from a state to name them.

Players and Dimensions are numbered from 1 wherever people or plain Python agents read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from playmill.author import Lang, PlaymillError, Text
from playmill.games.dimensions.actions import ANOMALIES, BLUE, FIRST_VALUE_KIND, GREEN, PURPLE, RED, YELLOW
from playmill.games.dimensions.config import FACTION_KEYS, Config
from playmill.games.dimensions.constants import NOBODY

Counted = np.ndarray[Any, np.dtype[np.integer[Any]]]

FACTION_LETTERS = (Text("R", "К"), Text("G", "З"), Text("Y", "Ж"), Text("B", "С"), Text("P", "Ф"))
FACTION_NAMES = (
    Text("red", "красные"),
    Text("green", "зелёные"),
    Text("yellow", "жёлтые"),
    Text("blue", "синие"),
    Text("purple", "фиолетовые"),
)
ANOMALY_TITLES = (
    Text("Quantum Entanglement", "Квантовая запутанность"),
    Text("Wormhole", "Кротовая Нора"),
    Text("Black Hole", "Чёрная Дыра"),
    Text("Big Bang", "Большой Взрыв"),
    Text("Time Loop", "Временная Петля"),
)
#: What each faction's instant win is called; red and purple have none.
INSTANT_WINS = {
    GREEN: Text("Armour of God", "Доспехи Бога"),
    YELLOW: Text("Spore Planets", "Планеты-Споры"),
    BLUE: Text("Overmind", "Сверхразум"),
}
PLAYER_WORD = Text("player", "игрок")
DIMENSION_WORD = Text("Dimension", "Измерение")
CAPTAIN_WORD = Text("Captain Force", "Капитан Сила")
AURAS_WORD = Text("Auras of Darkness", "Ауры Тьмы")
SPIRAL_WORD = Text("Spiral of Forces", "Спираль Сил")
DECK_WORD = Text("Deck", "Колода")
HAND_WORD = Text("Hand", "Рука")
EMPTY_WORD = Text("empty", "пусто")
NOBODY_WINS = Text("nobody wins", "никто не победил")
FINAL_TURN = Text("final turn", "финальный ход")
DECISION_NAMES = {
    "battle": Text("Battle", "Битва"),
    "reinforce": Text("Reinforce", "Усиление"),
    "move": Text("Move or anomaly", "Перемещение или аномалия"),
    "attack": Text("Attack", "Атака"),
}
#: All phases of a turn; in the last one nothing is decided.
PHASE_NAMES = {**DECISION_NAMES, "recover": Text("Recover", "Восстановление")}

_DECISIONS = tuple(DECISION_NAMES)
_CARD_RU = ("красная", "зелёная", "жёлтая", "синяя", "фиолетовая")
_CARD_RU_ACCUSATIVE = ("красную", "зелёную", "жёлтую", "синюю", "фиолетовую")


def blue_kinds(config: Config) -> tuple[int, ...]:
    """The values of the kinds from FIRST_VALUE_KIND on; none in the plain rules, where blue is one kind."""
    return _different(tuple(config.blue_values)) if config.mode == "epic" else ()


@lru_cache
def _different(values: tuple[int, ...]) -> tuple[int, ...]:
    """Each value once, ascending: asked for every card that is named."""
    return tuple(sorted(set(values)))


def colour_of(kind: int) -> int:
    """The faction of a kind of card."""
    return kind if kind < FIRST_VALUE_KIND else BLUE


def kind_name(config: Config, kind: int) -> Text:
    """A card in a list: "blue 17", "red"."""
    return Text(kind_names(config, "en")[kind], kind_names(config, "ru")[kind])


def kind_names(config: Config, lang: Lang) -> tuple[str, ...]:
    """All kinds of card, as they stand in a list."""
    return _kind_names(blue_kinds(config), lang)


@lru_cache
def _kind_names(values: tuple[int, ...], lang: Lang) -> tuple[str, ...]:
    """The same for these blue values: made once, read for every decision of an agent in plain Python."""
    plain = (Text(FACTION_KEYS[faction], _CARD_RU[faction]) for faction in range(FIRST_VALUE_KIND))
    return tuple(text.of(lang) for text in (*plain, *(_blue_card(value, _CARD_RU) for value in values)))


def card_phrase(config: Config, kind: int, *, accusative: bool = False) -> Text:
    """A card in a sentence: "a red card", "blue 17"; Russian has it in the nominative unless told otherwise."""
    forms, noun = (_CARD_RU_ACCUSATIVE, "карту") if accusative else (_CARD_RU, "карта")
    if kind >= FIRST_VALUE_KIND:
        return _blue_card(blue_kinds(config)[kind - FIRST_VALUE_KIND], forms)
    return Text(f"a {FACTION_KEYS[kind]} card", f"{forms[kind]} {noun}")


def _blue_card(value: int, forms: Sequence[str]) -> Text:
    return Text(f"{FACTION_KEYS[BLUE]} {value}", f"{forms[BLUE]} {value}")


def kind_key(config: Config, kind: int, lang: Lang = "en") -> str:
    """A card in short: "B17", "R"."""
    value = str(blue_kinds(config)[kind - FIRST_VALUE_KIND]) if kind >= FIRST_VALUE_KIND else ""
    return FACTION_LETTERS[colour_of(kind)].of(lang) + value


def player_name(s: np.void, player: int) -> Text:
    """A player with their faction: "player 2 (green)"."""
    return Text("player {} ({})", "игрок {} ({})").format(player + 1, FACTION_NAMES[s["faction"][player]])


def players_of(s: np.void) -> int:
    """How many play."""
    return int((s["owner"] >= 0).sum())


def cards_of(row: Counted) -> list[int]:
    """The kinds of the cards counted in a row of all kinds, one entry a card."""
    return [kind for kind, count in enumerate(row.tolist()) for _ in range(count)]


def anomalies_of(bits: int) -> list[int]:
    """The anomalies of a mask of bits."""
    held = int(bits)
    return [anomaly for anomaly in range(ANOMALIES) if held >> anomaly & 1]


def auras_in(s: np.void, dimension: int) -> list[int]:
    """The kinds of the cards of an Aura stack, the top one last."""
    return [card >> 3 for card in s["aura_cards"][: s["auras"]].tolist() if card & 7 == dimension]


def count_of(s: np.void, faction: int) -> int:
    """Cards on the table that count for a faction in the end."""
    extra = int(s["auras"]) if faction == PURPLE else int(faction == RED and s["captain_at"] >= 0)
    return int(s["squad"][: players_of(s), faction].sum()) + extra


def decision_kind(s: np.void) -> str:
    """Which decision a state waits for; a finished game waits for none, and asking is an error."""
    if s["player"] == NOBODY:
        raise PlaymillError("the game is over and waits for no decision", "игра окончена, решать больше нечего")
    return _DECISIONS[s["phase"]]
