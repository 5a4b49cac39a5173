"""Replays: a game as a small file from which it is played again and checked move by move.

The file holds the set-up (game, version of its rules, config, players, seed, number of the game), every decision in
its short text form with a checksum of the position it led to, and how the game ended. Chance is not in it: the same
seed brings the same luck.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.seats import seats_for
from playmill.engine.config import RuleConfig, read_json
from playmill.engine.game import Game, load_game
from playmill.engine.state import Observer, State
from playmill.lab.show import choice, telling
from playmill.report.files import write_text
from playmill.texts import Lang, PlaymillError
from playmill.version import __version__

#: The version of the file's form.
FORMAT = 1
KEYS = ("replay", "playmill", "game", "rules", "players", "agents", "seed", "number", "config", "moves", "end")
Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Move:
    """One decision: who made it, its short text form, and the checksum of the position after it."""

    player: int
    text: str
    check: str


@dataclass(frozen=True)
class Replay:
    """A recorded game."""

    game: str
    rules: int
    players: int
    agents: tuple[str, ...]
    seed: int
    number: int
    config: Mapping[str, Any]
    moves: tuple[Move, ...]
    returns: tuple[float, ...]
    playmill: str = __version__
    rounds: tuple[Mapping[str, Any], ...] = field(default=())

    def json(self) -> dict[str, Any]:
        """The form in which it is saved."""
        return {
            "replay": FORMAT,
            "playmill": self.playmill,
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "agents": list(self.agents),
            "seed": self.seed,
            "number": self.number,
            "config": self.config,
            "moves": [[move.player, move.text, move.check] for move in self.moves],
            "end": {"moves": len(self.moves), "returns": list(self.returns)},
            **({"rounds": list(self.rounds)} if self.rounds else {}),
        }


def record(
    game: Game,
    *,
    players: int,
    config: RuleConfig,
    seed: int = 0,
    agents: Sequence[Any] = ("random",),
    number: int = 0,
    told: Told | None = None,
) -> Replay:
    """Plays game `number` of a run and records it: the same game that `simulate` plays."""
    seats = seats_for(game, players, agents)
    chronicle = _Chronicle(game, config)
    state = State(game, players=players, config=config, seed=seed, number=number, observer=chronicle.observe)
    moves = []
    while not state.is_terminal():
        player = state.current_player()
        action, _ = choice(state, seats[player])
        text = game.words.to_text(config, action)
        state.apply_action(action)
        moves.append(Move(player, text, checksum(state.record)))
        if told is not None:
            told(len(moves), 0)
    return Replay(
        game=game.name,
        rules=game.version,
        players=players,
        agents=tuple(seat.name for seat in seats),
        seed=seed,
        number=number,
        config=config.model_dump(mode="json"),
        moves=tuple(moves),
        returns=tuple(state.returns()),
        rounds=tuple(chronicle.rounds),
    )


class _Chronicle:
    """Collects what a game says of itself now and then (`words.chronicle`), such as the state of each round."""

    def __init__(self, game: Game, config: RuleConfig) -> None:
        self._told = getattr(game.words, "chronicle", None)
        self._config = config
        self.rounds: list[Mapping[str, Any]] = []

    def observe(self, before: np.void, action: int, after: np.void) -> None:
        """Sees one action."""
        if self._told is not None and (found := self._told(self._config, before, after)) is not None:
            self.rounds.append(found)


def checksum(record: np.void) -> str:
    """Four hexadecimal digits that stand for a position."""
    return f"{zlib.crc32(record.tobytes()) & 0xFFFF:04x}"


def save(path: Path, replay: Replay) -> None:
    """Writes a replay: one line a move, so that a person can read it and a difference is one line."""
    data = replay.json()
    moves = ",\n".join("  " + json.dumps(move, ensure_ascii=False) for move in data.pop("moves"))
    end = data.pop("end")
    rounds = data.pop("rounds", None)
    head = json.dumps(data, ensure_ascii=False, indent=1)[:-2]
    parts = [head, f' "moves": [\n{moves}\n ]', f' "end": {json.dumps(end)}']
    if rounds:
        lines = ",\n".join("  " + json.dumps(one, ensure_ascii=False) for one in rounds)
        parts.append(f' "rounds": [\n{lines}\n ]')
    write_text(path, ",\n".join(parts) + "\n}\n")


def load(path: Path) -> Replay:
    """The replay in a file; one that is none, or lacks something, gets one sentence."""
    data = read_json(path)
    if not isinstance(data, dict) or "replay" not in data:
        raise _broken(path, "it is not a replay", "это не запись партии")
    if data["replay"] != FORMAT:
        found = json.dumps(data["replay"])
        raise _broken(
            path,
            f"it has the form {found} of a replay; this Playmill reads form {FORMAT}",
            f"форма записи {found}, а этот Playmill читает форму {FORMAT}",
        )
    missing = [key for key in KEYS if key not in data]
    if missing:
        raise _broken(path, f"it lacks {', '.join(missing)}", f"в ней нет {', '.join(missing)}")
    _check_kinds(path, data)
    moves = tuple(_move(path, place, entry) for place, entry in enumerate(data["moves"], 1))
    end = data["end"]
    if end["moves"] != len(moves):
        raise _broken(
            path,
            f"it has {len(moves)} moves but says that there were {end['moves']}: something was cut off or added",
            f"в ней ходов: {len(moves)}, а сказано, что их {end['moves']}: что-то отрезано или добавлено",
        )
    return Replay(
        game=data["game"],
        rules=data["rules"],
        players=data["players"],
        agents=tuple(data["agents"]),
        seed=data["seed"],
        number=data["number"],
        config=data["config"],
        moves=moves,
        returns=tuple(end["returns"]),
        playmill=data["playmill"],
        rounds=tuple(data.get("rounds", ())),
    )


_KINDS: Mapping[str, type] = {
    "playmill": str,
    "game": str,
    "rules": int,
    "players": int,
    "agents": list,
    "seed": int,
    "number": int,
    "config": dict,
    "moves": list,
    "end": dict,
}


def _check_kinds(path: Path, data: Mapping[str, Any]) -> None:
    for key, kind in _KINDS.items():
        if not isinstance(data[key], kind) or isinstance(data[key], bool):
            found = json.dumps(data[key], ensure_ascii=False)[:40]
            raise _broken(path, f"its {key} cannot be {found}", f"{key} не может быть {found}")
    end = data["end"]
    returns = end.get("returns")
    numbers = isinstance(returns, list) and all(isinstance(one, (int, float)) for one in returns)
    if not isinstance(end.get("moves"), int) or not numbers:
        raise _broken(path, "its end must have moves and returns", "в end должны быть moves и returns")


def _move(path: Path, place: int, entry: Any) -> Move:
    whole = isinstance(entry, list) and len(entry) == 3
    if not whole or not isinstance(entry[0], int) or not all(isinstance(part, str) for part in entry[1:]):
        found = json.dumps(entry, ensure_ascii=False)[:40]
        raise _broken(
            path, f"move {place} is {found}; expected [player, action, check]", _EXPECTED.format(place, found)
        )
    return Move(*entry)


_EXPECTED = "ход {} — {}; ожидается [игрок, действие, проверка]"


def _broken(path: Path, en: str, ru: str) -> PlaymillError:
    return PlaymillError(f"{path}: {en}", f"{path}: {ru}")


def play_again(replay: Replay, source: str, observer: Observer | None = None) -> Iterator[State]:
    """Plays a replay again, checking every move; yields the state at the start and after each.

    The first thing that does not fit is an error that names the move.
    """
    game = load_game(replay.game)
    if replay.rules != game.version:
        raise PlaymillError(
            f"{source}: recorded with version {replay.rules} of the rules of {game.name}; this is {game.version}",
            f"{source}: записано по правилам {game.name} версии {replay.rules}, а здесь версия {game.version}",
        )
    config = game.config.read(dict(replay.config), f"{source}: config")
    chronicle = _Chronicle(game, config)

    def watch(before: np.void, action: int, after: np.void) -> None:
        chronicle.observe(before, action, after)
        if observer is not None:
            observer(before, action, after)

    game.check_players(replay.players)
    state = State(game, players=replay.players, config=config, seed=replay.seed, number=replay.number, observer=watch)
    yield state
    for place, move in enumerate(replay.moves, 1):
        _check_turn(state, move, place, len(replay.moves), source)
        action = _action(state, move, place, len(replay.moves), source)
        state.apply_action(action)
        if checksum(state.record) != move.check:
            raise _misfit(
                source,
                place,
                len(replay.moves),
                move,
                "the position it leads to is not the recorded one",
                "он ведёт не к той позиции, что записана",
            )
        yield state
    _check_end(state, replay, chronicle, source)


def _check_turn(state: State, move: Move, place: int, moves: int, source: str) -> None:
    if state.is_terminal():
        raise _misfit(source, place, moves, move, "the game was over before it", "партия кончилась раньше")
    if move.player != state.current_player():
        turn = state.current_player() + 1
        raise _misfit(source, place, moves, move, f"it is player {turn}'s turn", f"ходить должен игрок {turn}")


def _action(state: State, move: Move, place: int, moves: int, source: str) -> int:
    try:
        action: int = state.game.words.parse(state.config, move.text)
    except PlaymillError as error:
        raise _misfit(source, place, moves, move, error.text.en, error.text.ru) from None
    if action not in state.legal_actions():
        raise _misfit(source, place, moves, move, "the action is not legal there", "такое действие здесь недопустимо")
    return action


def _check_end(state: State, replay: Replay, chronicle: _Chronicle, source: str) -> None:
    if not state.is_terminal():
        raise PlaymillError(
            f"{source}: it ends after move {len(replay.moves)}, before the game does",
            f"{source}: запись кончается на ходе {len(replay.moves)}, раньше партии",
        )
    if tuple(state.returns()) != replay.returns:
        raise PlaymillError(
            f"{source}: the game ends with {state.returns()}, not with the recorded {list(replay.returns)}",
            f"{source}: партия кончается с итогом {state.returns()}, а записано {list(replay.returns)}",
        )
    for place, (mine, theirs) in enumerate(zip(chronicle.rounds, replay.rounds, strict=False), 1):
        if json.loads(json.dumps(mine)) != theirs:
            raise PlaymillError(
                f"{source}: entry {place} of rounds does not fit the game",
                f"{source}: запись {place} в rounds не сходится",
            )
    if len(chronicle.rounds) != len(replay.rounds):
        raise PlaymillError(
            f"{source}: rounds has {len(replay.rounds)} entries; the game had {len(chronicle.rounds)}",
            f"{source}: в rounds записей {len(replay.rounds)}, а в партии {len(chronicle.rounds)}",
        )


def _misfit(source: str, place: int, moves: int, move: Move, en: str, ru: str) -> PlaymillError:
    who = move.player + 1
    return PlaymillError(
        f"{source}: move {place} of {moves} (player {who}, {move.text}): {en}",
        f"{source}: ход {place} из {moves} (игрок {who}, {move.text}): {ru}",
    )


def retell(replay: Replay, source: str, lang: Lang) -> Iterator[str]:
    """The lines of a recorded game in words, each move checked before it is told."""
    game = load_game(replay.game)
    config = game.config.read(dict(replay.config), f"{source}: config")
    lines, observer, open_with = telling(game, config, lang)
    for state in play_again(replay, source, observer):
        open_with(state.record)
        yield from lines
        lines.clear()
