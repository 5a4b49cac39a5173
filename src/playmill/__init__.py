"""Playmill: a laboratory for tabletop games."""

from __future__ import annotations

from playmill.version import __version__

#: As in `typing`, whose import would take longer than all that is done here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from playmill.agents.python.decision import Decision, Option
    from playmill.engine.check.check_game import check_game
    from playmill.engine.contract.agent import CompiledAgent, Parameter, SearchPlan
    from playmill.engine.contract.game import Game, game_names, load_game
    from playmill.engine.lang.rule import interpreted, rule
    from playmill.engine.run.batch import Batch
    from playmill.engine.run.state import State
    from playmill.lab.audit import audit
    from playmill.lab.contests.tournament import tournament
    from playmill.lab.decide.compare import compare
    from playmill.lab.decide.each_agent.audit_each import audit_each
    from playmill.lab.decide.each_agent.compare_each import compare_each
    from playmill.lab.decide.each_agent.sweep_each import sweep_each
    from playmill.lab.decide.levels import levels
    from playmill.lab.decide.simulate_each import simulate_each
    from playmill.lab.decide.simulate_until_sure import simulate_until_sure
    from playmill.lab.decide.sweep import sweep
    from playmill.lab.decide.tune import tune
    from playmill.lab.learn.run import learn
    from playmill.lab.runs.simulate import Simulation, simulate
    from playmill.lab.sql.query import sql
    from playmill.texts import PlaymillError, Text

#: Where each name lives; it is imported when it is first asked for, so that `import playmill` costs nothing.
_HOMES = {
    "Batch": "playmill.engine.run.batch",
    "CompiledAgent": "playmill.engine.contract.agent",
    "Decision": "playmill.agents.python.decision",
    "Game": "playmill.engine.contract.game",
    "Option": "playmill.agents.python.decision",
    "Parameter": "playmill.engine.contract.agent",
    "PlaymillError": "playmill.texts",
    "SearchPlan": "playmill.engine.contract.agent",
    "Simulation": "playmill.lab.runs.simulate",
    "State": "playmill.engine.run.state",
    "Text": "playmill.texts",
    "audit": "playmill.lab.audit",
    "audit_each": "playmill.lab.decide.each_agent.audit_each",
    "check_game": "playmill.engine.check.check_game",
    "compare": "playmill.lab.decide.compare",
    "compare_each": "playmill.lab.decide.each_agent.compare_each",
    "game_names": "playmill.engine.contract.game",
    "interpreted": "playmill.engine.lang.rule",
    "learn": "playmill.lab.learn.run",
    "levels": "playmill.lab.decide.levels",
    "load_game": "playmill.engine.contract.game",
    "rule": "playmill.engine.lang.rule",
    "simulate": "playmill.lab.runs.simulate",
    "simulate_each": "playmill.lab.decide.simulate_each",
    "simulate_until_sure": "playmill.lab.decide.simulate_until_sure",
    "sql": "playmill.lab.sql.query",
    "sweep": "playmill.lab.decide.sweep",
    "sweep_each": "playmill.lab.decide.each_agent.sweep_each",
    "tournament": "playmill.lab.contests.tournament",
    "tune": "playmill.lab.decide.tune",
}

__all__ = [
    "Batch",
    "CompiledAgent",
    "Decision",
    "Game",
    "Option",
    "Parameter",
    "PlaymillError",
    "SearchPlan",
    "Simulation",
    "State",
    "Text",
    "__version__",
    "audit",
    "audit_each",
    "check_game",
    "compare",
    "compare_each",
    "game_names",
    "interpreted",
    "learn",
    "levels",
    "load_game",
    "rule",
    "simulate",
    "simulate_each",
    "simulate_until_sure",
    "sql",
    "sweep",
    "sweep_each",
    "tournament",
    "tune",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'playmill' has no attribute {name!r}")
    from importlib import import_module
    from inspect import isfunction

    from playmill.arguments import checked

    found: object = getattr(import_module(_HOMES[name]), name)
    return checked(found) if isfunction(found) else found


def __dir__() -> list[str]:
    """What there is, whether it was imported yet or not: for `dir(playmill)` and the Tab key."""
    return sorted(__all__)
