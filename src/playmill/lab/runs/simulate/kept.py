"""Kept runs played on, and reported without playing."""

from __future__ import annotations

from dataclasses import replace

from playmill.lab.runs.simulate.run import How, play_cast
from playmill.lab.runs.simulate.simulation import Simulation, simulation
from playmill.lab.runs.store.keeper import going_on
from playmill.lab.runs.store.kept import KeptRun


def resume(run: KeptRun, how: How, *, end: int | None = None) -> Simulation:
    """Plays what is missing of a run, up to the games it wants or a later end; raises if it would become another."""
    how.check()
    cast = run.cast()
    end = end if end is not None else run.manifest.end
    end = -(-end // run.plan.rotations) * run.plan.rotations
    games = range(run.manifest.first, end)
    about = {"command": cast.command(games), "backend": how.backend, **({"on": how.on} if how.on else {})}
    return play_cast(cast, games, replace(how, keep=None, kept=going_on(run, cast, end=end, about=about)))


def report_of(run: KeptRun) -> Simulation:
    """What a kept run found so far."""
    cast, changed = run.cast_to_read()
    sessions = run.manifest.sessions
    found = simulation(
        cast,
        run.total(),
        requested=run.requested,
        backend=sessions[-1]["backend"] if sessions else "cpu",
        workers=sessions[-1].get("workers", 1) if sessions else 1,
        strict=False,
        elapsed_s=sum(session["seconds"] for session in sessions),
        prepared_s=0.0,
        kept=run.name,
        played=run.played,
    )
    found.changed = changed
    return found
