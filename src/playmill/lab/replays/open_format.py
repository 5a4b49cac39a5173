"""Exports a recorded game as open JSON: everything that happened, for programs that know nothing of Playmill.

A replay holds decisions, from which only the rules make a game again. Here all of it is told: the set-up, every action
with its words, its fields and what came of it, the count after every turn, and the end. `docs/replay.schema.json`
describes the form.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.contract.score_lines import Line
from playmill.engine.run.state import State
from playmill.lab.replays.replay import Replay, config_of, play_again
from playmill.texts import LANGUAGES, Text

#: The version of the form: it grows when something changes its meaning or goes, not when something is added.
FORM = 1


def open_form(replay: Replay, source: str = "replay") -> dict[str, Any]:
    """Returns a replay in the open form; every move of it is checked."""
    game = replay.rules_of(source)
    telling = _Telling(game, config_of(replay, game, source))
    state: State | None = None
    for state in play_again(replay, source, telling.observe, interpreted=True):
        telling.open_with(state.record)
    assert state is not None
    return {
        "open_replay": FORM,
        "playmill": replay.playmill,
        "game": {
            "name": game.name,
            "title": _both(game.title),
            "about": _both(game.about),
            "rules": replay.rules,
        },
        "players": [
            {"seat": seat, "agent": agent, **({"name": name} if name else {})}
            for seat, (agent, name) in enumerate(zip_longest(replay.agents, replay.names, fillvalue=""))
        ],
        "seed": replay.seed,
        "number": replay.number,
        "config": dict(replay.config),
        "start": telling.start,
        "actions": telling.actions,
        "turns": telling.turns_json(),
        "rounds": [dict(found) for found in replay.rounds],
        "end": {**_end(state), "counting": telling.counted(state.record)},
    }


class _Telling:
    """Collects the events of a game as it is replayed."""

    def __init__(self, game: Game, config: RuleConfig) -> None:
        self._game = game
        self._config = config
        self._after: list[np.void] = []
        self.start: dict[str, Any] = {}
        self.actions: list[dict[str, Any]] = []

    def open_with(self, record: np.void) -> None:
        """The position before anything has happened."""
        if not self.start:
            said = {lang: self._game.words.position(self._config, record, lang) for lang in LANGUAGES}
            self.start = {"position": said, "counting": self.counted(record)}

    def observe(self, before: np.void, action: int, after: np.void) -> None:
        """Notes one action, chosen or forced."""
        self.open_with(before)
        words, player = self._game.words, int(before["player"])
        last = self.actions[-1] if self.actions else None
        turn = 1 if last is None else last["turn"] + (last["player"] != player)
        self.actions.append(
            {
                "number": len(self.actions) + 1,
                "turn": turn,
                "player": player,
                "text": words.to_text(self._config, action),
                "fields": words.fields(self._config, action),
                "words": _both(words.describe(self._config, action)),
                "events": [_both(event) for event in words.events(self._config, before, after, action)],
            }
        )
        self._after.append(after.copy())

    def turns_json(self) -> list[dict[str, Any]]:
        """Returns every turn, all that one player does in a row, with the count after it."""
        turns: dict[int, dict[str, Any]] = {}
        ends: dict[int, np.void] = {}
        for action, after in zip(self.actions, self._after, strict=True):
            number, turn = action["number"], action["turn"]
            turns.setdefault(turn, {"turn": turn, "player": action["player"], "first": number})["last"] = number
            ends[turn] = after
        return [{**text, "counting": self.counted(ends[turn])} for turn, text in turns.items()]

    def counted(self, record: np.void) -> list[dict[str, Any]]:
        """Returns how a position is counted, line by line, if the game says so."""
        if self._game.words.counting is None:
            return []
        lines: list[Line] = self._game.words.counting(self._config, record)
        return [
            {"name": _both(line.name), "kind": line.kind.value, "values": [_plain(value) for value in line.values]}
            for line in lines
        ]


def _both(text: Text) -> Mapping[str, str]:
    return {lang: text.of(lang) for lang in LANGUAGES}


def _plain(value: int | None) -> int | None:
    return None if value is None else int(value)


def _end(state: State) -> dict[str, Any]:
    """Returns the payoff of each player, and the winners; none for a solo game."""
    returns = state.returns()
    best = [seat for seat, value in enumerate(returns) if value == max(returns)]
    said = {lang: state.position(lang) for lang in LANGUAGES}
    return {"returns": returns, "winners": best if 1 < len(returns) != len(best) else [], "position": said}
