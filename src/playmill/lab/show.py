"""One game told move by move, in words or in short text forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from playmill.agents.answers import one_question
from playmill.agents.fallbacks import reason_of
from playmill.agents.hosts import never
from playmill.agents.python import Questions
from playmill.agents.search import Thinker
from playmill.agents.seats import Seat, seats_for
from playmill.engine.config import RuleConfig
from playmill.engine.game import Game
from playmill.engine.state import Observer, State
from playmill.engine.workplace import same_folder
from playmill.texts import Lang, Text

_PLAYER = Text("Player {}", "Игрок {}")
_FELL_BACK = Text("(a random choice instead: {})", "(случайный выбор вместо ответа: {})")


def narrate(
    game: Game,
    *,
    players: int,
    seed: int,
    agents: Sequence[Any],
    config: RuleConfig,
    lang: Lang,
    number: int = 0,
) -> Iterator[str]:
    """The lines of game `number` of a run, told in words; the same game that `simulate` plays."""
    seats = seats_for(game, players, agents)
    lines, observer, open_with = telling(game, config, lang)
    state = State(game, players=players, config=config, seed=seed, number=number, observer=observer)
    open_with(state.record)
    while True:
        yield from lines
        lines.clear()
        if state.is_terminal():
            return
        action, trouble = choice(state, seats[state.current_player()])
        if trouble is not None:
            lines.append(f"    {_FELL_BACK.of(lang).format(trouble.of(lang))}")
        state.apply_action(action)


def telling(game: Game, config: RuleConfig, lang: Lang) -> tuple[list[str], Observer, Callable[[np.void], None]]:
    """A list that fills with the lines of a game, the observer that fills it, and what opens it with a position."""
    lines: list[str] = []
    opened: list[bool] = []

    def open_with(record: np.void) -> None:
        if not opened:
            opened.append(True)
            lines.append(game.words.position(config, record, lang))

    def observer(before: np.void, action: int, after: np.void) -> None:
        open_with(before)
        who = _PLAYER.of(lang).format(int(before["player"]) + 1)
        lines.append(f"{who} {game.words.describe(config, action).of(lang)}")
        lines.extend(f"    {event.of(lang)}" for event in game.words.events(config, before, after, action))

    return lines, observer, open_with


def playthrough(game: Game, *, players: int, seed: int, agents: Sequence[Any], config: RuleConfig) -> Iterator[str]:
    """The lines of one game in short text forms, for golden files: every action, then the end."""
    seats = seats_for(game, players, agents)
    lines: list[str] = []

    def observer(before: np.void, action: int, after: np.void) -> None:
        lines.append(f"{int(before['player'])}: {game.words.to_text(config, action)}")

    state = State(game, players=players, config=config, seed=seed, observer=observer)
    yield state.to_text()
    while True:
        yield from lines
        lines.clear()
        if state.is_terminal():
            break
        state.apply_action(choice(state, seats[state.current_player()])[0])
    yield state.to_text()


def choice(state: State, seat: Seat) -> tuple[int, Text | None]:
    """What the agent of a seat chooses, and why it is a random choice if its answer could not be used."""
    player = state.current_player()
    if seat.thinks:
        return state.minds.setdefault(player, Thinker(state.game, seat.params)).choose(state.desk), None
    if seat.host is None or seat.player is None:
        return state.choice_of(seat.number, seat.params), None
    if player not in state.minds:
        state.minds[player] = Questions(state.game, state.config, players=state.players, seed=state.seed)
    actions = state.legal_actions()
    asked = state.decisions_of(player)
    decision = state.minds[player].ask(state.desk, actions, number=state.number, asked=asked)
    with same_folder():
        reply = seat.host.do(one_question(seat.player, decision), never)
    return (reply.action, None) if reply.action in actions else (state.choice_of(0), reason_of(reply))
