"""Whole games by a game's own rules, interpreted, for the referee of a starter kit.

The same seed and number deal the same game as in Playmill, and a bot gets the same messages.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
from restored import restored

from playmill.engine.config import model
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS, AgentRng, GameRng, below, seed_agent_rng, seed_game_rng


class Table:
    """A game in progress."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.players: int = about["players"]
        self._about = about
        self._hooks: dict[str, Any] = about["hooks"]
        package = about["package"]
        self._rules = importlib.import_module(f"{package}.rules")
        self._words = importlib.import_module(f"{package}.words")
        self._config = restored(about["config_object"])
        for players, (layout, packed) in about["packed"].items():
            kind = np.dtype(_fields(layout), align=True)
            model.PACKED[int(players)] = np.frombuffer(bytearray(base64.b64decode(packed)), kind)
        self._cfg = plain(model.PACKED[self.players])[0]
        self._state = np.zeros(1, self._rules.State)
        self._s = plain(self._state)[0]
        self._blank = bytes(self._state.memory)
        self._legal = plain(np.zeros(1, np.dtype([("ids", np.int32, (about["max_legal"],))], align=True)))[0]
        self._rng, self._agent_rng = plain(np.zeros(1, GameRng))[0], plain(np.zeros(1, AgentRng))[0]
        self._secrets = self._derived() if self._hooks["secrets"] else None
        self._seed = self._number = 0
        self._asked: list[int] = []
        #: The options of the present decision.
        self.ids: list[int] = []

    @property
    def mover(self) -> int:
        """Whose decision it is; -1 when the game is over."""
        found: int = self._s.player
        return found

    def begin(self, seed: int, number: int) -> None:
        """Deals a game and goes on to the first decision with a choice."""
        self._seed, self._number, self._asked = seed, number, [0] * self.players
        self._state.memory[:] = self._blank
        seed_game_rng(self._rng, seed, number)
        seed_agent_rng(self._agent_rng, seed, number)
        self._rules.setup(self._cfg, self._s, self._rng)
        self._settle()

    def act(self, action: int) -> None:
        """Does an action and goes on to the next decision with a choice."""
        self._rules.apply_action(self._cfg, self._s, action, self._rng)
        self._settle()

    def _settle(self) -> None:
        while True:
            count = self._rules.legal_actions(self._cfg, self._s, self._legal)
            self.ids = list(self._legal.ids[:count])
            if count != 1:
                return
            self._rules.apply_action(self._cfg, self._s, self.ids[0], self._rng)

    def chance(self) -> int:
        """An option as the agent `random` of Playmill chooses it here."""
        if not self._hooks["counts"]:
            return self.ids[below(self._agent_rng, self.mover, len(self.ids))]
        count = self._rules.count_actions(self._cfg, self._s, self._legal)
        chosen = below(self._agent_rng, self.mover, count)
        return int(self._rules.nth_action(self._cfg, self._s, self._legal, chosen))

    def question(self, number: int, left: float) -> dict[str, Any]:
        """What the bot of the player to move is asked."""
        player, limits = self.mover, self._about["limits"]
        text = f"{self._seed},{self._number},{player},{self._asked[player]}"
        seeded = hashlib.blake2b(text.encode(), digest_size=16, person=b"playmill agents").digest()
        record = self._state[0]
        shown = [self._about["actions"][str(action)] for action in self.ids]
        return {
            "type": "act",
            "number": number,
            "kind": self._words.decision_kind(record) if self._hooks["kind"] else "move",
            "seen": json.loads(json.dumps(self._seen(record, player), default=lambda one: one.item())),
            "options": [
                {"index": index, "text": text, "words": words, "fields": fields}
                for index, (text, words, fields) in enumerate(shown)
            ],
            "random": random.Random(int.from_bytes(seeded, "big")).getrandbits(48),
            "seconds": round(min(limits["move"], left), 3),
            "seconds_left": round(left, 3),
        }

    def asked(self, player: int) -> None:
        """Counts a question that was put to a player."""
        self._asked[player] += 1

    def listed(self, answer: list[Any]) -> list[int] | None:
        """The actions of a list that answers several questions at once; None where the game takes none."""
        if not self._hooks["lists"]:
            return None
        found: list[int] = self._words.parse_list(self._config, self._state[0], answer)
        return found

    def text_of(self, action: int) -> str:
        """An action in its short form."""
        short: str = self._about["actions"][str(action)][0]
        return short

    def words_of(self, action: int) -> str:
        """An action in words."""
        words: str = self._about["actions"][str(action)][1]
        return words

    def returns(self) -> list[float]:
        """What the game brought each player."""
        paid = np.zeros(SEATS, np.float64)
        self._rules.returns(self._cfg, self._s, plain(paid))
        found: list[float] = paid.tolist()[: self.players]
        return found

    def _seen(self, record: Any, player: int) -> Any:
        """What a player may see, as the module `words` of the game tells it, or by itself (`playmill.defaults`)."""
        how = self._hooks["seen"]
        if self._secrets is not None:
            record = self._secrets.masked(self._config, record, player)
        if how == "own":
            return self._words.seen(self._config, record, player, "en")
        if how == "all":
            return {name: record[name].tolist() for name in record.dtype.names}
        if how == "declared":
            hidden = self._secrets.fields
            return {name: _with_gaps(record[name].tolist(), name in hidden) for name in record.dtype.names}
        out = np.zeros(self._hooks["observation"], np.int32)
        self._hidden.observe(plain(model.PACKED[self._about["most_players"]])[0], self._s, player, plain(out))
        return {"observation": out.tolist()}

    @property
    def _hidden(self) -> Any:
        return importlib.import_module(f"{self._about['package']}.hidden")

    def _derived(self) -> Any:
        derive = importlib.import_module("playmill.defaults.secrets").derived_secrets
        bounds = (self._about["least_players"], self._about["most_players"])
        return derive(self._rules.State, self._hidden.HIDDEN, getattr(self._hidden, "possible", None), bounds)


def _with_gaps(value: Any, gaps: bool) -> Any:
    """A field as lists; None stands for what is unknown."""
    if isinstance(value, list):
        return [_with_gaps(one, gaps) for one in value]
    return None if gaps and value == -2 else value


def _fields(layout: list[Any]) -> list[tuple[Any, ...]]:
    """The fields of a record's type from JSON."""
    return [
        (name, np.dtype(_fields(kind), align=True) if isinstance(kind, list) else kind, tuple(shape))
        for name, kind, shape in layout
    ]


def open_table() -> Table:
    """The game of this kit."""
    file = Path(__file__).with_name("game.json")
    return Table(json.loads(file.read_text(encoding="utf-8")))
