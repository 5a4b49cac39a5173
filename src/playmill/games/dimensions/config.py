"""The numbers of Battle of Dimensions, each once, with its range."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from playmill.engine.config import ConfigError, Packed, RuleConfig
from playmill.games.dimensions.actions import ANOMALIES, BLUE, FACTIONS, FIRST_VALUE_KIND, KINDS
from playmill.texts import PlaymillError

AnomalyName = Literal["entanglement", "wormhole", "black_hole", "big_bang", "time_loop"]
ANOMALY_NAMES: tuple[AnomalyName, ...] = ("entanglement", "wormhole", "black_hole", "big_bang", "time_loop")
MAX_CARDS = KINDS - FIRST_VALUE_KIND

Numbers = np.dtype(
    [
        ("players", np.int32),
        ("epic", np.int32),
        ("hand_size", np.int32),
        ("kinds", np.int32),  # kinds in this game's deck are 0 … kinds-1
        ("copies", np.int32, (KINDS,)),
        ("value", np.int32, (KINDS,)),
        ("colour", np.int32, (KINDS,)),
        ("anomalies_in_deck", np.int32),
        ("pool_size", np.int32),
        ("pool", np.int32, (ANOMALIES,)),
        ("green_goal", np.int32),
        ("yellow_goal", np.int32),
        ("blue_goal", np.int32),
    ],
    align=True,
)


class Config(RuleConfig):
    """Rules of Battle of Dimensions. The defaults are the rules page."""

    mode: Literal["baseline", "epic"] = Field(
        default="epic", description="Which rules are played: the plain ones or Epic."
    )
    cards_per_faction: int = Field(default=11, ge=1, le=MAX_CARDS, description="Cards of each faction in the deck.")
    blue_values: list[Annotated[int, Field(ge=1, le=999)]] = Field(
        default=[2, 3, 5, 7, 11, 13, 17, 17, 19, 23, 29],
        description="Epic: the value of each blue card; as many as cards_per_faction.",
    )
    hand_size: int = Field(default=4, ge=1, le=8, description="Cards dealt to each player, and drawn up to in Recover.")
    anomalies_in_deck: int = Field(
        default=1, ge=0, le=ANOMALIES, description="Different anomalies shuffled into the deck."
    )
    anomaly_pool: list[AnomalyName] = Field(
        default=list(ANOMALY_NAMES), max_length=ANOMALIES, description="The anomalies these are drawn from."
    )
    green_goal: int = Field(default=5, ge=1, le=99, description="Epic: green cards in one Dimension that win at once.")
    yellow_goal: int = Field(
        default=5, ge=1, le=99, description="Epic: yellow cards in all that win, one in each Dimension."
    )
    blue_goal: int = Field(
        default=42, ge=1, le=9999, description="Epic: the sum of blue values in one Dimension that wins."
    )

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.mode == "epic" and len(self.blue_values) != self.cards_per_faction:
            raise ConfigError(
                "blue_values",
                f"{len(self.blue_values)} values for {self.cards_per_faction} blue cards (cards_per_faction)",
                f"значений: {len(self.blue_values)}, а синих карт: {self.cards_per_faction} (cards_per_faction)",
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
        for name in ("hand_size", "anomalies_in_deck", "green_goal", "yellow_goal", "blue_goal"):
            numbers[name] = getattr(self, name)
        return packed
