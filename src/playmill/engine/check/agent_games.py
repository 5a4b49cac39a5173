"""Plays games of every agent in the interpreter: legal answers, invariants, and what happens in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from playmill.engine.check.coverage import Coverage
from playmill.engine.check.decisions import ENDLESS
from playmill.engine.check.findings import CheckedGame, CheckError
from playmill.engine.compile.play_kernels import interpreted_kernels, interpreted_strict_kernels
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.invalid_actions import invalid_action, no_options
from playmill.engine.run.invariant_checks import InvariantCheck
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Match
from playmill.engine.run.stepper import Steps
from playmill.texts import Text

#: The seed of these games.
_SEED = 3
#: An agent plays so many games, unless they have more actions than these.
_GAMES, _ACTIONS = 12, 600


@dataclass(frozen=True)
class AgentGames:
    """The first games of an agent in all seats: their rows and counts, as the interpreter has them."""

    agent: str
    match: Match
    rows: RecordArray
    counts: RecordArray


def play_agents(
    game: Game, config: RuleConfig, players: int, *, games: int, coverage: Coverage
) -> Iterator[AgentGames]:
    """Plays at least this many games of each agent; the interpreter knows the ends of arrays and of narrow numbers."""
    for number, (name, agent) in enumerate(game.agents.items()):
        params = tuple(parameter.default for parameter in agent.parameters.values())
        seats = (number,) * players
        lookup_tables = load_lookup_tables(game, config, seats)
        match = Match(game, config, players, _SEED, seats, (0,) * players, (params,) * players, lookup_tables)
        rows: RecordArray = np.zeros(games, game.outcome)
        counts: RecordArray = np.zeros(1, game.tally)
        steps, actions = Steps(match, interpreted=True), 0
        for played in range(max(games, _GAMES)):
            if played >= games and actions > _ACTIONS:
                break
            checked = CheckedGame(game, config, players, played, seed=_SEED, agent=name)
            with checked.located_errors():
                row, made = _play(checked, steps, number, coverage)
            actions += made
            if played < games:
                rows[played] = row
        with CheckedGame(game, config, players, 0).located_errors():
            interpreted_kernels(game).tally_rows(steps.workspace, rows, counts)
        yield AgentGames(name, match, rows, counts)


def _play(checked: CheckedGame, steps: Steps, agent: int, coverage: Coverage) -> tuple[np.void, int]:
    """Plays one game; returns its row, and how many actions it had."""
    game, config, match = checked.game, checked.config, steps.match
    choose = interpreted_strict_kernels(game).agent_choice
    options, actions = steps.begin(match.seed, checked.number), 0
    state, invariants = steps.record, InvariantCheck(game, config)
    own = checked.agent if agent else ""
    invariants.begin(state)
    coverage.look_at(config, state)
    while steps.mover[0] >= 0:
        checked.demand(options > 0, *no_options(steps.mover[0]), by="legal_actions")
        action = steps.ids[0]
        offered = steps.ids[:options].tolist()
        if options > 1:
            checked.decision += 1
            action = int(choose(steps.workspace, match.lookup_tables.values, agent, options))
            if action < 0:
                raise _illegal(match, checked)
        before = state.copy() if invariants.wanted else state
        options = steps.step(action)
        actions += 1
        invariants.step(before, action, state)
        coverage.decision(config, offered, action, own)
        coverage.look_at(config, state)
        checked.demand(
            actions < ENDLESS,
            f"the game must end: with {checked.agent} in all seats it has not after {ENDLESS} actions",
            f"партия должна кончаться: с агентом {checked.agent} на всех местах после {ENDLESS} действий конца нет",
        )
    row = steps.finish(checked.decision)[0]
    coverage.end(row)
    return row, actions


def _illegal(match: Match, checked: CheckedGame) -> CheckError:
    message = invalid_action(match, checked.number).text
    return CheckError(
        Text(
            f"the agent {checked.agent} must choose legal actions ({message.en})",
            f"агент {checked.agent} должен выбирать допустимые действия ({message.ru})",
        )
    )
