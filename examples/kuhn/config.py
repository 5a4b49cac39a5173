"""The numbers of Kuhn poker."""

from __future__ import annotations

from playmill.author import RuleConfig, Text, setting


class Config(RuleConfig):
    """Rules of Kuhn poker."""

    ante: int = setting(
        Text("Ante", "Анте"),
        Text("Chips each pays before the deal.", "Сколько фишек каждый платит до раздачи."),
        default=1,
        ge=1,
        le=1000,
    )
    bet: int = setting(
        Text("Bet", "Ставка"),
        Text("Chips a bet adds to the pot.", "Сколько фишек добавляет ставка."),
        default=1,
        ge=1,
        le=1000,
    )
