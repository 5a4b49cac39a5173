"""Narrates one game move by move, in words or in short text forms (playthroughs for golden files)."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.fallbacks import reason_of
from playmill.agents.python.agent_thread import AgentThread, Work, never
from playmill.agents.python.decision import DecisionMaker
from playmill.agents.python.reply import Reply, one_question
from playmill.agents.search.search_agent import Thinker
from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.lint.endless_loops import asks_agents, watched_inside
from playmill.engine.run.state import Observer, State
from playmill.texts import Lang, PlaymillError, Text

_PLAYER = Text("Player {}", "Игрок {}")
_FELL_BACK = Text("(a random choice instead: {})", "(случайный выбор вместо ответа: {})")
_NEXT = Text("[Enter: go on, q: stop] ", "[Enter — дальше, q — стоп] ")
#: What ends a telling step by step, in either layout of the keyboard.
_STOP = ("q", "й")


def narrate(
    game: Game,
    *,
    players: int,
    seed: int,
    agents: Sequence[Any],
    config: RuleConfig,
    lang: Lang,
    number: int = 0,
    interpreted: bool | None = None,
) -> Iterator[str]:
    """Yields the lines of game `number` of a run in words; the same game that `simulate` plays.

    One game is over before the rules are compiled: by itself it is run by whatever begins at once.
    """
    found = moments(
        game,
        players=players,
        seed=seed,
        agents=agents,
        config=config,
        lang=lang,
        number=number,
        interpreted=interpreted,
    )
    return (line for lines in found for line in lines)


@watched_inside
def moments(
    game: Game,
    *,
    players: int,
    seed: int,
    agents: Sequence[Any],
    config: RuleConfig,
    lang: Lang,
    number: int = 0,
    boards: bool = False,
    interpreted: bool | None = None,
) -> Iterator[list[str]]:
    """Yields lines grouped by moment: the opening, then each action; with `boards`, what it changed too."""
    seats = seats_for(game, players, agents, config)
    lines, observer, open_with = telling(game, config, lang, boards=boards)
    state = State(
        game, players=players, config=config, seed=seed, number=number, observer=observer, interpreted=interpreted
    )
    open_with(state.record)
    while True:
        yield from lines
        lines.clear()
        if state.is_terminal():
            return
        action, trouble = choice(state, seats[state.current_player()])
        if trouble is not None:
            lines.append([f"    {_FELL_BACK.of(lang).format(trouble.of(lang))}"])
        state.apply_action(action)


def called(seat: int, names: Sequence[str], lang: Lang) -> str:
    """Returns how a seat is called: name and number, since pictures and rules know it by its number."""
    name = names[seat] if seat < len(names) else ""
    if not name:
        return _PLAYER.of(lang).format(seat + 1)
    return f"{name} ({seat + 1})" if len(names) > 1 else name


def telling(
    game: Game, config: RuleConfig, lang: Lang, *, boards: bool = False, names: Sequence[str] = ()
) -> tuple[list[list[str]], Observer, Callable[[np.void], None]]:
    """Returns a list that fills with the moments of a game, its observer, and the function that opens it."""
    texts: list[list[str]] = []
    opened: list[bool] = []

    def open_with(record: np.void) -> None:
        if not opened:
            opened.append(True)
            texts.append([game.words.position(config, record, lang)])

    def observer(before: np.void, action: int, after: np.void) -> None:
        open_with(before)
        who = called(int(before["player"]), names, lang)
        lines = [f"{who} {game.words.describe(config, action).of(lang)}"]
        lines += [f"    {event.of(lang)}" for event in game.words.events(config, before, after, action)]
        if boards and (changed := _boards(game, config, before, after, action, lang)):
            lines += ["", changed, ""]
        texts.append(lines)

    return texts, observer, open_with


def _boards(game: Game, config: RuleConfig, before: np.void, after: np.void, action: int, lang: Lang) -> str:
    """Returns what an action changed, as the game draws it in text (`words.boards`), or else the new position."""
    if drawn := game.words.boards:
        return str(drawn(config, before, after, action, lang))
    was, now = (str(game.words.position(config, record, lang)) for record in (before, after))
    return now if now != was else ""


def tell(texts: Iterable[Sequence[str]], lang: Lang, *, step: bool = False) -> None:
    """Prints a game; step by step it waits for Enter after every moment, and ends early by q or the end of input."""
    if step and not sys.stdin.isatty():
        raise PlaymillError(
            "--step waits for Enter, and there is nobody at the keyboard; --boards shows the same without waiting",
            "--step ждёт Enter, а ввод не с клавиатуры; --boards покажет то же самое без остановок",
        )
    waiting = False
    for lines in texts:
        if waiting and not _go_on(lang):
            return
        for line in lines:
            print(line)
        waiting = step


def _go_on(lang: Lang) -> bool:
    """Returns whether the reader wants more."""
    sys.stdout.flush()
    print(_NEXT.of(lang), end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer:
        print(file=sys.stderr)
    return bool(answer) and answer.strip().lower() not in _STOP


def playthrough(game: Game, *, players: int, seed: int, agents: Sequence[Any], config: RuleConfig) -> Iterator[str]:
    """Returns the lines of one game in short text forms, for golden files: every action, then the end."""
    seats = seats_for(game, players, agents, config)
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
    """Returns what the agent of a seat chooses, and why it is a random choice if its answer was unusable."""
    player = state.current_player()
    if seat.thinks:
        if player not in state.minds:
            state.minds[player] = _thinker(state, seat)
        return state.minds[player].choose(state.workspace), None
    if seat.host is None or seat.player is None:
        return state.choice_of(seat.number, seat.params, seat.table), None
    if player not in state.minds:
        state.minds[player] = DecisionMaker(
            state.game, state.config, players=state.players, seed=state.seed, interpreted=state.interpreted
        )
    actions = state.legal_actions()
    asked = state.decisions_of(player)
    decision = state.minds[player].ask(state.workspace, actions, number=state.number, asked=asked)
    reply = _Waiting(seat.name, time.monotonic()).reply(seat.host, one_question(seat.player, decision))
    if reply.action in actions:
        return reply.action, None
    return reply.instead if reply.instead in actions else state.choice_of(0), reason_of(reply)


class _Waiting(NamedTuple):
    """State of a wait for an agent: which was asked, and when; a stop names it."""

    asked: str
    asked_at: float

    @asks_agents
    def reply(self, host: AgentThread, question: Work[Reply]) -> Reply:
        """Returns the agent's reply, whenever it comes."""
        with same_folder():
            return host.do(question, never)


def _thinker(state: State, seat: Seat) -> Thinker:
    """Returns a search that knows where the game began: mixed strategies think from the deal on."""
    thinker = Thinker(state.game, seat.params, judge=seat.network)
    if state.game.search.mixes:
        players, config = state.players, state.config
        dealt = State(
            state.game, players=players, config=config, seed=state.seed, number=state.number, interpreted=True
        )
        thinker.new_game(dealt.workspace)
    return thinker
