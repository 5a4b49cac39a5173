"""Error messages for games that could not go on: invalid actions of agents, and players without options."""

from __future__ import annotations

import numpy as np

from playmill.engine.compile.game_kernels import compiled_agents
from playmill.engine.compile.play_kernels import interpreted_strict_kernels
from playmill.engine.contract.game import Game, reference_of
from playmill.engine.errors.located import at_code, shown_path
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.rule import python_function
from playmill.engine.run.match import Match
from playmill.engine.run.stepper import Steps
from playmill.texts import PlaymillError, Text


def no_options(mover: int) -> Text:
    """The message for a player to move without options."""
    return Text(
        f"whoever is to move must have options: `player` is {mover}, and legal_actions offers nothing; a game that is"
        " over sets `player` to -1",
        f"у того, чей ход, должны быть варианты: `player` равно {mover}, а legal_actions ничего не предлагает; в конце"
        " партии `player` становится -1",
    )


def stuck(match: Match, state: np.void, game_number: int, decisions: int) -> PlaymillError:
    """The error for a game that cannot go on and is not over."""
    seat, shown = int(state["player"]) + 1, shown_path(reference_of(match.game))
    sentence = Text(
        f"{match.game.name}, game {game_number}, after {decisions} decisions: seat {seat} is to move and has no"
        f" options, and the game is not over; playmill check {shown} looks for such games",
        f"{match.game.name}, партия {game_number}, после решений: {decisions}: ходит место {seat}, вариантов у него"
        f" нет, а партия не окончена; такие партии ищет playmill check {shown}",
    )
    return at_code(python_function(match.game.rules["legal_actions"]).__code__, sentence)


def invalid_action(match: Match, number: int, *, rotation: int = 0, rotations: int = 1) -> PlaymillError:
    """The error for game `number` of a match, in which an agent answered with what is not among the options.

    The game is played again by the interpreter up to there.
    """
    game, steps = match.game, Steps(match, interpreted=True)
    workspace, choose = steps.workspace, interpreted_strict_kernels(game).agent_choice
    options = steps.begin(match.seed, number)
    decisions = 0
    while options > 0:
        state, seat, action = workspace["states"][0, LIVE], steps.mover[0], steps.ids[0]
        if options > 1:
            decisions += 1
            action = int(choose(workspace, match.lookup_tables.values, match.seats[seat], options))
        if action < 0:
            break
        options = steps.step(action)
    game_number, answer = number * rotations + rotation, int(workspace["invalid_action"][0])
    if options < 1:
        return stuck(match, workspace["states"][0, LIVE], game_number, decisions)
    agent, kind = list(compiled_agents(game))[match.seats[seat]], game.words.decision_kind(state)
    return PlaymillError(
        f"agent {agent}, game {game_number}, decision {decisions} ({kind}), seat {seat + 1}: answered {answer}, "
        f"which is not among its {options} options",
        f"агент {agent}, партия {game_number}, решение {decisions} ({kind}), место {seat + 1}: ответ {answer} — "
        f"не из предложенных (их {options})",
    )


def no_action(game: Game, answer: int) -> PlaymillError:
    """The error for an answer that is no action of a game, of an unknown agent."""
    return PlaymillError(
        f"an agent of {game.name} answered {answer}, which is no action of the game; "
        f"playmill simulate {game.name} --strict tells which",
        f"агент игры {game.name} ответил {answer}, такого действия в игре нет; "
        f"какой это агент, скажет playmill simulate {game.name} --strict",
    )


def invalid_rollout_action(game: Game, answer: int) -> PlaymillError:
    """The error for an invalid action of the agent that plays rollouts in `search`."""
    agent, shown = game.search.rollout, shown_path(reference_of(game))
    return PlaymillError(
        f"search plays {game.name} on by its agent {agent}, which answered {answer}, not one of its options; "
        f"playmill simulate {shown} --agents {agent} --strict tells where, and if it finds nothing, `conceal` deals"
        f" worlds that cannot be: playmill check {shown}",
        f"search доигрывает {game.name} агентом {agent}, а тот ответил {answer} — не из предложенных; "
        f"где именно, скажет playmill simulate {shown} --agents {agent} --strict, а если не найдёт, то `conceal` сдаёт"
        f" невозможное: playmill check {shown}",
    )
