"""Playmill: a laboratory for tabletop games."""

from __future__ import annotations

from playmill.version import __version__

#: As in `typing`, whose import would take longer than all that is done here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from playmill.agents.python import Decision, Option
    from playmill.engine.agent import CompiledAgent, Parameter, SearchPlan
    from playmill.engine.batch import Batch
    from playmill.engine.check import check_game
    from playmill.engine.game import Game, game_names, load_game
    from playmill.engine.rule import interpreted, rule
    from playmill.engine.state import State
    from playmill.lab.among.audit import audit_each
    from playmill.lab.among.compare import compare_each
    from playmill.lab.among.sweep import sweep_each
    from playmill.lab.audit import audit
    from playmill.lab.compare import compare
    from playmill.lab.questions import sql
    from playmill.lab.settled import simulate_until_sure
    from playmill.lab.side_by_side import simulate_each
    from playmill.lab.simulate import Simulation, simulate
    from playmill.lab.sweep import sweep
    from playmill.lab.tournament import tournament
    from playmill.lab.tune import tune
    from playmill.texts import PlaymillError, Text

#: Where each name lives; it is imported when it is first asked for, so that `import playmill` costs nothing.
_HOMES = {
    "Batch": "playmill.engine.batch",
    "CompiledAgent": "playmill.engine.agent",
    "Decision": "playmill.agents.python",
    "Game": "playmill.engine.game",
    "Option": "playmill.agents.python",
    "Parameter": "playmill.engine.agent",
    "PlaymillError": "playmill.texts",
    "SearchPlan": "playmill.engine.agent",
    "Simulation": "playmill.lab.simulate",
    "State": "playmill.engine.state",
    "Text": "playmill.texts",
    "audit": "playmill.lab.audit",
    "audit_each": "playmill.lab.among.audit",
    "check_game": "playmill.engine.check",
    "compare": "playmill.lab.compare",
    "compare_each": "playmill.lab.among.compare",
    "game_names": "playmill.engine.game",
    "interpreted": "playmill.engine.rule",
    "load_game": "playmill.engine.game",
    "rule": "playmill.engine.rule",
    "simulate": "playmill.lab.simulate",
    "simulate_each": "playmill.lab.side_by_side",
    "simulate_until_sure": "playmill.lab.settled",
    "sql": "playmill.lab.questions",
    "sweep": "playmill.lab.sweep",
    "sweep_each": "playmill.lab.among.sweep",
    "tournament": "playmill.lab.tournament",
    "tune": "playmill.lab.tune",
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

    found: object = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    """What there is, whether it was imported yet or not: for `dir(playmill)` and the Tab key."""
    return sorted(__all__)
