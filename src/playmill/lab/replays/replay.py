"""Records a game as a replay of decisions and plays it again, checking every move by a checksum.

The file holds the set-up (game, version of its rules, config, players, seed, number of the game), every decision in
its short text form with a checksum of the position it led to, how the game ended, and a checksum of all this. Chance is
not in it: the same seed brings the same game. Nor is code: a game that is a folder of its own is named by whoever plays
the replay, never by the file.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill.agents.agent_specs import seats_for
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, game_names, load_game
from playmill.engine.run.state import Observer, State
from playmill.lab.replays.narration import choice, telling
from playmill.texts import Lang, PlaymillError
from playmill.version import __version__

#: The version of the file's form; the first one had no checksum of the whole.
FORMAT = 2
#: What stands among the agents for somebody who is none.
PERSON = "player"
ProgressCallback = Callable[[int, int], None]


@dataclass(frozen=True)
class Move:
    """One decision: who made it, its short text form, and the checksum of the position after it."""

    player: int
    text: str
    check: str


@dataclass(frozen=True)
class Replay:
    """A recorded game; `folder` is where its rules are, if it is none of the games that have a name.

    `names` are what those who sat there are called, "" for whoever gave none; with no names at all it is empty.
    """

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
    names: tuple[str, ...] = ()
    folder: str | None = field(default=None, compare=False)

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        data = {
            "replay": FORMAT,
            "playmill": self.playmill,
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "agents": list(self.agents),
            **({"names": list(self.names)} if any(self.names) else {}),
            "seed": self.seed,
            "number": self.number,
            "config": self.config,
            "moves": [[move.player, move.text, move.check] for move in self.moves],
            "end": {"moves": len(self.moves), "returns": list(self.returns)},
            **({"rounds": list(self.rounds)} if self.rounds else {}),
        }
        return {**data, "check": whole_checksum(data)}

    def rules_of(self, source: str) -> Game:
        """Returns the game it was recorded with: one that has a name, or the one in its folder."""
        if self.folder is None and self.game not in game_names():
            known = ", ".join(game_names())
            raise PlaymillError(
                f"{source}: there is no game {self.game!r}; known games: {known}; for another add --game FOLDER",
                f"{source}: игры {self.game!r} нет; есть: {known}; для другой добавьте --game ПАПКА",
            )
        game = load_game(self.folder or self.game)
        if game.name != self.game:
            raise PlaymillError(
                f"{source}: it is a replay of {self.game!r}, not of {game.name!r}",
                f"{source}: это партия в {self.game!r}, а не в {game.name!r}",
            )
        return game


def record(
    game: Game,
    *,
    players: int,
    config: RuleConfig,
    seed: int = 0,
    agents: Sequence[Any] = ("random",),
    number: int = 0,
    progress: ProgressCallback | None = None,
) -> Replay:
    """Plays game `number` of a run and records it: the same game that `simulate` plays."""
    seats = seats_for(game, players, agents, config)
    names = tuple(seat.name for seat in seats)

    def choose(state: State) -> int:
        return choice(state, seats[state.current_player()])[0]

    return record_by(
        choose, game, players=players, config=config, seed=seed, names=names, number=number, progress=progress
    )


def record_by(
    choose: Callable[[State], int],
    game: Game,
    *,
    players: int,
    config: RuleConfig,
    seed: int,
    names: tuple[str, ...],
    number: int,
    progress: ProgressCallback | None = None,
) -> Replay:
    """Records a game in which `choose` makes every decision, under the names of those who sat there."""
    chronicle = Chronicle(game, config)
    state = State(
        game,
        players=players,
        config=config,
        seed=seed,
        number=number,
        observer=chronicle.observe,
        interpreted=None,
    )
    moves = []
    while not state.is_terminal():
        player = state.current_player()
        action = choose(state)
        text = game.words.to_text(config, action)
        state.apply_action(action)
        moves.append(Move(player, text, checksum(state.record)))
        if progress is not None:
            progress(len(moves), 0)
    return Replay(
        game=game.name,
        rules=game.version,
        players=players,
        agents=names,
        seed=seed,
        number=number,
        config=config.model_dump(mode="json"),
        moves=tuple(moves),
        returns=tuple(state.returns()),
        rounds=tuple(chronicle.rounds),
    )


class Chronicle:
    """Collects what a game says of itself now and then (`words.chronicle`), such as the state of each round."""

    def __init__(self, game: Game, config: RuleConfig) -> None:
        self._chronicle = game.words.chronicle
        self._config = config
        self.rounds: list[Mapping[str, Any]] = []

    def observe(self, before: np.void, action: int, after: np.void) -> None:
        """Sees one action."""
        if self._chronicle is not None and (found := self._chronicle(self._config, before, after)) is not None:
            self.rounds.append(found)


def checksum(record: np.void) -> str:
    """Returns four hexadecimal digits that identify a position."""
    return f"{zlib.crc32(record.tobytes()) & 0xFFFF:04x}"


def whole_checksum(data: Mapping[str, Any]) -> str:
    """Returns sixteen hexadecimal digits that identify a whole replay, however its JSON is laid out."""
    rest = {key: value for key, value in data.items() if key != "check"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def play_again(
    replay: Replay, source: str, observer: Observer | None = None, *, interpreted: bool | None = None
) -> Iterator[State]:
    """Plays a replay again, checking every move; yields the state at the start and after each.

    The first thing that does not fit is an error that names the move. By itself it is run by whatever begins at once.
    """
    game = replay.rules_of(source)
    if replay.rules != game.version:
        raise PlaymillError(
            f"{source}: recorded with version {replay.rules} of the rules of {game.name}; this is {game.version}",
            f"{source}: записано по правилам {game.name} версии {replay.rules}, а здесь версия {game.version}",
        )
    config = config_of(replay, game, source)
    chronicle = Chronicle(game, config)

    def watch(before: np.void, action: int, after: np.void) -> None:
        chronicle.observe(before, action, after)
        if observer is not None:
            observer(before, action, after)

    try:
        state = State(
            game,
            players=replay.players,
            config=config,
            seed=replay.seed,
            number=replay.number,
            observer=watch,
            interpreted=interpreted,
        )
    except PlaymillError as error:
        raise PlaymillError(f"{source}: {error.text.en}", f"{source}: {error.text.ru}") from None
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


def config_of(replay: Replay, game: Game, source: str) -> RuleConfig:
    """Returns the config of a replay, which must be complete: nothing left to defaults or files."""
    config = game.config.read(dict(replay.config), f"{source}: config")
    if config.model_dump(mode="json") != replay.config:
        raise PlaymillError(
            f"{source}: its config is not whole; expected every number of it, as playmill record writes it",
            f"{source}: конфиг неполный; нужны все числа, как их пишет playmill record",
        )
    return config


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


def _check_end(state: State, replay: Replay, chronicle: Chronicle, source: str) -> None:
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


def retold(replay: Replay, source: str, lang: Lang, *, boards: bool = False) -> Iterator[list[str]]:
    """Returns a game's lines grouped by moment, each move checked before; with `boards`, what each changed, too."""
    game = replay.rules_of(source)
    config = config_of(replay, game, source)
    lines, observer, open_with = telling(game, config, lang, boards=boards, names=replay.names)
    for state in play_again(replay, source, observer):
        open_with(state.record)
        yield from lines
        lines.clear()
