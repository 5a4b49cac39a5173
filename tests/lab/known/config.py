"""Which of the known games it is."""

from __future__ import annotations

from playmill import Text
from playmill.engine.config import RuleConfig, setting


class Config(RuleConfig):
    """Rules of the known games."""

    game: int = setting(
        Text("Game", "Игра"),
        Text(
            "0 a coin, 1 a coin after throws that do not count, 2 rock-paper-scissors, 3 Nim, 4 the first player wins,"
            " 5 three ways to score, one of them for nothing",
            "0 монета, 1 монета после бросков, которые не считаются, 2 камень-ножницы-бумага, 3 ним, 4 побеждает"
            " первый, 5 три способа набрать очки, один из них впустую",
        ),
        default=0,
        ge=0,
        le=5,
    )
