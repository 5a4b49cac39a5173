"""Converts between replay files and tables: a replay becomes a finished table, and such a table a replay.

A replay comes from anywhere: its size, its form, the version of its rules and every move of it are checked, it may name
no file of this machine, and playing it again takes a limited time.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from math import inf

import numpy as np

from playmill.engine.config.input_files import sealed
from playmill.engine.config.json_input import json_of
from playmill.engine.contract.game import Game, game_names, reference_of
from playmill.engine.run.state import State
from playmill.lab.replays.replay import PERSON, Chronicle, Move, Replay, checksum, play_again
from playmill.lab.replays.replay_file import replay_of
from playmill.texts import PlaymillError
from playmill.web.access.security import LONGEST_BODIES
from playmill.web.table.history import NOBODY
from playmill.web.table.state import GameTable
from playmill.web.table.store import UNDO, Chair, TableFacts

#: Bytes and moves of a replay that is taken from a browser, and the seconds that playing it again may take.
MOST_BYTES, MOST_MOVES, MOST_SECONDS = LONGEST_BODIES["/watch"], 10_000, 60.0


class ReplayTable(GameTable):
    """A finished table made of a replay."""

    def follow(self, replay: Replay, source: str, seconds: float) -> None:
        """Plays the replay, checking every move, for a limited number of seconds."""
        end = time.monotonic() + seconds

        def observe(before: np.void, action: int, after: np.void) -> None:
            self._observe(before, action, after)
            if time.monotonic() > end:
                raise PlaymillError(
                    f"{source}: playing it again takes more than {seconds:.0f} seconds",
                    f"{source}: проиграть её снова не удалось за {seconds:.0f} с",
                )

        with sealed():
            for state in play_again(replay, source, observe, interpreted=True):
                self._state = state
                if not self.moments:
                    self._remember(NOBODY, NOBODY, state.record.copy())


def id_of(text: str) -> str:
    """The id of a replay: a hash of its text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def read_replay(text: str, source: str, games: Mapping[str, Game]) -> Replay:
    """Parses an untrusted replay, if its game is on offer."""
    if len(text.encode()) > MOST_BYTES:
        most = MOST_BYTES // 1_000_000
        raise PlaymillError(f"{source} has more than {most} MB", f"{source}: больше {most} МБ")
    with sealed():
        data = json_of(text, source)
        name = data.get("game") if isinstance(data, dict) else None
        moves = data.get("moves") if isinstance(data, dict) else None
        if isinstance(moves, list) and len(moves) > MOST_MOVES:
            raise PlaymillError(
                f"{source} has {len(moves)} moves; at most {MOST_MOVES} are shown",
                f"{source}: ходов {len(moves)}, а показать можно не больше {MOST_MOVES}",
            )
        game = games.get(name) if isinstance(name, str) else None
        if isinstance(name, str) and "replay" in data and game is None:
            listed = ", ".join(games)
            raise PlaymillError(
                f"{source}: the game {name[:40]!r} is not on offer here; there are {listed}; one of your own is opened "
                "by its folder: playmill watch FILE --game FOLDER, or playmill serve FOLDER",
                f"{source}: игры {name[:40]!r} здесь нет; есть {listed}; своя открывается по папке: "
                "playmill watch ФАЙЛ --game ПАПКА или playmill serve ПАПКА",
            )
        folder = None if game is None or game.name in game_names() else reference_of(game)
        return replay_of(data, source, folder, interpreted=True)


def table_of(replay: Replay, source: str, name: str = "", seconds: float = inf) -> ReplayTable:
    """Makes the table of a replay; raises if the replay does not fit its game."""
    game = replay.rules_of(source)
    facts = TableFacts(
        id=name,
        game=game.name,
        version=replay.rules,
        rules="",
        config=replay.config,
        players=replay.players,
        seed=replay.seed,
        owner="",
    )
    names = replay.names or ("",) * replay.players
    table = ReplayTable(facts, game, [_chair(*one) for one in zip(replay.agents, names, strict=True)])
    table.follow(replay, source, seconds)
    return table


def _chair(agent: str, name: str) -> Chair:
    """The chair of an agent or a person."""
    return Chair(name=name, token=PERSON) if agent == PERSON else Chair(agent=agent, name=name)


def written(table: GameTable) -> Replay:
    """Makes a replay of a finished table, without what was taken back; the seed in it would reveal a game under way."""
    assert table.game is not None
    if not table.over:
        raise PlaymillError("the game is not over yet", "партия ещё не окончена")
    decided: list[int] = []
    for entry in table.entries:
        if entry.action == UNDO:
            decided.pop()
        else:
            decided.append(entry.action)
    chronicle = Chronicle(table.game, table.config)
    state = State(
        table.game,
        players=table.facts.players,
        config=table.config,
        seed=table.facts.seed,
        observer=chronicle.observe,
        interpreted=True,
    )
    moves = []
    for action in decided:
        player, text = state.current_player(), table.game.words.to_text(table.config, action)
        state.apply_action(action)
        moves.append(Move(player, text, checksum(state.record)))
    names = tuple(chair.name for chair in table.chairs)
    return Replay(
        game=table.game.name,
        rules=table.game.version,
        players=table.facts.players,
        agents=tuple(chair.agent or PERSON for chair in table.chairs),
        names=names if any(names) else (),
        seed=table.facts.seed,
        number=0,
        config=table.config.model_dump(mode="json"),
        moves=tuple(moves),
        returns=tuple(state.returns()),
        rounds=tuple(chronicle.rounds),
    )
