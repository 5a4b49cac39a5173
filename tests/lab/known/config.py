"""Which of the known games it is."""

from __future__ import annotations

from playmill.engine.config.model import RuleConfig, setting


class Config(RuleConfig):
    """Rules of the known games."""

    game: int = setting(
        "Game",
        "0 a coin, 1 a coin after throws that do not count, 2 rock-paper-scissors, 3 Nim, 4 the first player wins,"
        " 5 three ways to score, one of them for nothing",
        default=0,
        ge=0,
        le=5,
    )
