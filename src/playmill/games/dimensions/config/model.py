"""The config of Battle of Dimensions: a model of every setting, with its range and its meaning."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from playmill.author import ConfigError, Packed, PlaymillError, RuleConfig, Text, setting
from playmill.games.dimensions.actions import ANOMALIES, BLUE, FACTIONS, FIRST_VALUE_KIND, KINDS, PLAYERS
from playmill.games.dimensions.config.record import Numbers

FactionName = Literal["red", "green", "yellow", "blue", "purple"]
FACTION_KEYS: tuple[FactionName, ...] = ("red", "green", "yellow", "blue", "purple")
AnomalyName = Literal["entanglement", "wormhole", "black_hole", "big_bang", "time_loop"]
ANOMALY_NAMES: tuple[AnomalyName, ...] = ("entanglement", "wormhole", "black_hole", "big_bang", "time_loop")
MAX_CARDS = KINDS - FIRST_VALUE_KIND
#: How a tie at the count is broken, in the order of `constants.BY_NEIGHBOURS` and so on.
TieBreak = Literal["spiral", "unbeaten", "lot"]
TIE_BREAKS: tuple[TieBreak, ...] = ("spiral", "unbeaten", "lot")


class Config(RuleConfig):
    """Rules of Battle of Dimensions. The defaults are the rules page."""

    mode: Literal["baseline", "epic"] = setting(
        Text("Mode", "Режим"),
        Text("Which rules are played: the plain ones or Epic.", "По каким правилам играют: простым или эпическим."),
        default="epic",
    )
    factions: list[FactionName] = setting(
        Text("Who sits", "Кто сидит"),
        Text(
            "The factions of the seats, from the first on; those of the other seats are drawn. None: all are drawn.",
            "Фракции по местам, начиная с первого; для остальных мест их вытягивают. Пусто: вытягивают для всех.",
        ),
        default=[],
        max_length=PLAYERS,
    )
    spiral: list[FactionName] = setting(
        Text("Spiral of Forces", "Спираль Сил"),
        Text(
            "The Spiral at the start: all five factions, each beats the next, the last the first. None: it is drawn.",
            "Спираль в начале: все пять фракций, каждая побеждает следующую, последняя — первую. Пусто: её вытягивают.",
        ),
        default=[],
        max_length=FACTIONS,
    )
    cards_per_faction: int = setting(
        Text("Cards of a faction", "Карт у фракции"),
        Text("Cards of each faction in the deck.", "Сколько карт каждой фракции в колоде."),
        default=11,
        ge=1,
        le=MAX_CARDS,
    )
    blue_values: list[Annotated[int, Field(ge=1, le=999)]] = setting(
        Text("Values of the blue cards", "Значения синих карт"),
        Text(
            "Epic: the value of each blue card; as many as cards_per_faction.",
            "Эпический режим: значение каждой синей карты; их столько же, сколько карт у фракции (cards_per_faction).",
        ),
        default=[2, 3, 5, 7, 11, 13, 17, 17, 19, 23, 29],
    )
    hand_size: int = setting(
        Text("Hand", "Рука"),
        Text(
            "Cards dealt to each player, and drawn up to in Recover.",
            "Сколько карт сдают каждому и до скольких добирают в Восстановлении.",
        ),
        default=4,
        ge=1,
        le=8,
    )
    anomalies_in_deck: int = setting(
        Text("Anomalies in the deck", "Аномалий в колоде"),
        Text("Different anomalies shuffled into the deck.", "Сколько разных аномалий замешивают в колоду."),
        default=1,
        ge=0,
        le=ANOMALIES,
    )
    anomaly_pool: list[AnomalyName] = setting(
        Text("Anomalies to draw from", "Какие бывают аномалии"),
        Text("The anomalies these are drawn from.", "Из каких аномалий выбирают те, что в колоде."),
        default=list(ANOMALY_NAMES),
        max_length=ANOMALIES,
    )
    green_goal: int = setting(
        Text("Armour of God (green)", "Доспехи Бога (зелёные)"),
        Text(
            "Epic: green cards in one Dimension that win at once by Armour of God.",
            "Эпический режим: столько зелёных карт в одном Измерении — немедленная победа, Доспехи Бога.",
        ),
        default=5,
        ge=1,
        le=99,
    )
    yellow_goal: int = setting(
        Text("Spore Planets (yellow)", "Планеты-Споры (жёлтые)"),
        Text(
            "Epic: yellow cards in all that win at once by Spore Planets, one in each Dimension.",
            "Эпический режим: столько жёлтых карт всего и хотя бы по одной в каждом Измерении — немедленная победа,"
            " Планеты-Споры.",
        ),
        default=5,
        ge=1,
        le=99,
    )
    blue_goal: int = setting(
        Text("Overmind (blue)", "Сверхразум (синие)"),
        Text(
            "Epic: the sum of blue values in one Dimension that wins at once by Overmind.",
            "Эпический режим: сумма синих значений в одном Измерении, которая сразу приносит победу, Сверхразум.",
        ),
        default=42,
        ge=1,
        le=9999,
    )
    tie_break: TieBreak = setting(
        Text("Ties at the count", "Ничьи при подсчёте"),
        Text(
            "Who wins a tie: the tied faction that beats every other tied one (spiral), the only one that no other tied"
            " one beats (unbeaten), else lot; or always lot.",
            "Кому достаётся ничья: той из равных, что бьёт всех остальных равных (spiral), единственной, которую никто"
            " из равных не бьёт (unbeaten), иначе жребий; или всегда жребий (lot).",
        ),
        default="spiral",
    )

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.mode == "epic" and len(self.blue_values) != self.cards_per_faction:
            raise ConfigError(
                "blue_values",
                f"{len(self.blue_values)} values for {self.cards_per_faction} blue cards (cards_per_faction)",
                f"значений: {len(self.blue_values)}, а синих карт: {self.cards_per_faction} (cards_per_faction)",
            )
        if len(set(self.factions)) != len(self.factions):
            raise ConfigError("factions", "a faction is named twice", "фракция названа дважды")
        if self.spiral and sorted(self.spiral) != sorted(FACTION_KEYS):
            raise ConfigError(
                "spiral",
                f"expected all five factions, each once, or none: {', '.join(FACTION_KEYS)}",
                f"ожидаются все пять фракций, каждая по разу, или ни одной: {', '.join(FACTION_KEYS)}",
            )
        if len(set(self.anomaly_pool)) != len(self.anomaly_pool):
            raise ConfigError("anomaly_pool", "an anomaly is named twice", "аномалия названа дважды")
        if self.anomalies_in_deck > len(self.anomaly_pool):
            raise ConfigError(
                "anomalies_in_deck",
                f"{self.anomalies_in_deck} anomalies wanted, but anomaly_pool has {len(self.anomaly_pool)}",
                f"нужно аномалий: {self.anomalies_in_deck}, а в anomaly_pool их {len(self.anomaly_pool)}",
            )
        return self

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        deck = FACTIONS * self.cards_per_faction + self.anomalies_in_deck
        if players * self.hand_size >= deck:
            raise PlaymillError(
                f"hand_size is {self.hand_size}: {players} players would take all {deck} cards of the deck at once",
                f"hand_size равно {self.hand_size}: {players} игроков заберут при раздаче всю колоду из {deck} карт",
            )
        if players * self.hand_size <= self.anomalies_in_deck:
            raise PlaymillError(
                f"hand_size is {self.hand_size}: {players} hands could be all anomalies",
                f"hand_size равно {self.hand_size}: у {players} игроков могут оказаться одни аномалии",
            )
        if len(self.factions) > players:
            raise PlaymillError(
                f"factions names {len(self.factions)} for {players} players",
                f"в factions названо фракций: {len(self.factions)}, а игроков: {players}",
            )
        packed = np.zeros(1, Numbers)
        numbers = packed[0]
        numbers["players"] = players
        numbers["epic"] = self.mode == "epic"
        numbers["copies"][:FACTIONS] = self.cards_per_faction
        numbers["colour"] = BLUE
        numbers["colour"][:FACTIONS] = range(FACTIONS)
        kinds = FACTIONS
        if self.mode == "epic":
            numbers["copies"][BLUE] = 0
            for kind, value in enumerate(sorted(set(self.blue_values)), FIRST_VALUE_KIND):
                numbers["copies"][kind] = self.blue_values.count(value)
                numbers["value"][kind] = value
                kinds = kind + 1
        numbers["kinds"] = kinds
        pool = [ANOMALY_NAMES.index(name) for name in self.anomaly_pool]
        numbers["pool_size"] = len(pool)
        numbers["pool"][: len(pool)] = pool
        numbers["named"] = len(self.factions)
        numbers["named_faction"][: len(self.factions)] = [FACTION_KEYS.index(name) for name in self.factions]
        numbers["spiral_given"] = bool(self.spiral)
        numbers["spiral"][: len(self.spiral)] = [FACTION_KEYS.index(name) for name in self.spiral]
        numbers["tie_break"] = TIE_BREAKS.index(self.tie_break)
        for name in ("hand_size", "anomalies_in_deck", "green_goal", "yellow_goal", "blue_goal"):
            numbers[name] = getattr(self, name)
        return packed
