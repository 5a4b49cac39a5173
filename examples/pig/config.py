"""The numbers of Pig."""

from __future__ import annotations

import numpy as np

from playmill.author import Packed, RuleConfig, Text, setting

#: The most turns a config may allow: for each number of them there is a place in the counts.
MAX_TURNS = 10_000

Numbers = np.dtype([("target", np.int32), ("faces", np.int32), ("max_turns", np.int32)], align=True)


class Config(RuleConfig):
    """Rules of Pig."""

    target: int = setting(
        Text("Goal", "Цель"), Text("Points that win.", "Сколько очков нужно для победы."), default=100, ge=1, le=1000
    )
    faces: int = setting(
        Text("Faces of the die", "Граней у кости"),
        Text("A 1 loses the turn.", "Единица сжигает ход."),
        default=6,
        ge=2,
        le=100,
    )
    max_turns: int = setting(
        Text("Turns at most", "Предел ходов"),
        Text("Turns of both after which it is a draw.", "После стольких ходов обоих игроков — ничья."),
        default=1000,
        ge=1,
        le=MAX_TURNS,
    )

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        packed = np.zeros(1, Numbers)
        packed["target"] = self.target
        packed["faces"] = self.faces
        packed["max_turns"] = self.max_turns
        return packed
