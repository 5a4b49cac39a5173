"""The numbers of Leduc poker."""

from __future__ import annotations

import numpy as np

from playmill.author import Packed, RuleConfig, Text, setting

#: The most bets and raises that a config may allow in one round.
MOST_BETS = 4

Numbers = np.dtype([("ante", np.int32), ("bet", np.int32, (2,)), ("bets", np.int32)], align=True)


class Config(RuleConfig):
    """Rules of Leduc poker."""

    ante: int = setting(
        Text("Ante", "Анте"),
        Text("Chips each pays before the deal.", "Сколько фишек каждый платит до раздачи."),
        default=1,
        ge=1,
        le=1000,
    )
    first_bet: int = setting(
        Text("First bet", "Первая ставка"),
        Text("Chips a bet or a raise adds in the first round.", "Сколько фишек добавляет ставка в первом круге."),
        default=2,
        ge=1,
        le=1000,
    )
    second_bet: int = setting(
        Text("Second bet", "Вторая ставка"),
        Text("The same in the second round.", "То же во втором круге."),
        default=4,
        ge=1,
        le=1000,
    )
    bets: int = setting(
        Text("Bets in a round", "Ставок за круг"),
        Text("How often a round may see a bet or a raise.", "Сколько раз за круг можно ставить и повышать."),
        default=2,
        ge=1,
        le=MOST_BETS,
    )

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        packed = np.zeros(1, Numbers)
        packed["ante"] = self.ante
        packed["bet"] = [self.first_bet, self.second_bet]
        packed["bets"] = self.bets
        return packed
