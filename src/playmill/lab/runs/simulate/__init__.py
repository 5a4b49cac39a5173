"""`simulate`: plays a game many times and estimates its figures; `resume` and `report_of` for kept runs."""

from playmill.lab.runs.simulate.report_tables import report_tables
from playmill.lab.runs.simulate.run import (
    How,
    PartSink,
    Progress,
    game_range,
    play_resolved,
    report_of,
    resume,
    simulate,
)
from playmill.lab.runs.simulate.simulation import Simulation

__all__ = [
    "How",
    "PartSink",
    "Progress",
    "Simulation",
    "game_range",
    "play_resolved",
    "report_of",
    "report_tables",
    "resume",
    "simulate",
]
