"""The numbers of Whispers."""

from __future__ import annotations

from playmill.author import RuleConfig, Text, setting


class Config(RuleConfig):
    """Rules of Whispers."""

    scouts: int = setting(
        Text("Scouts", "Разведчиков"),
        Text("How many of the cards look at a hand.", "Сколько карт позволяют заглянуть в чужую руку."),
        default=4,
        ge=1,
        le=6,
    )
