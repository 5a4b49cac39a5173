"""`simulate`: plays a game many times and estimates its figures; `resume` and `report_of` for kept runs."""

from playmill.lab.runs.simulate.report_tables import report_tables
from playmill.lab.runs.simulate.run import (
    How,
    Options,
    PartSink,
    Progress,
    game_range,
    play_resolved,
    report_of,
    resume,
    simulate,
    split_options,
)
from playmill.lab.runs.simulate.simulation import Simulation

__all__ = [
    "How",
    "Options",
    "PartSink",
    "Progress",
    "Simulation",
    "game_range",
    "play_resolved",
    "report_of",
    "report_tables",
    "resume",
    "simulate",
    "split_options",
]
