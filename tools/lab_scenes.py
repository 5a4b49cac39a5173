"""A home in which a laboratory has been at work, for `table_pictures.py`: jobs of every kind, kept runs, a contest."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import misbehaving

from playmill.lab.contests.contest import Contest
from playmill.lab.decide.compare_kept import compare_kept
from playmill.lab.jobs import Job, new_job
from playmill.lab.jobs.perform import JobReporter, perform
from playmill.lab.runs.simulate import simulate
from playmill.lab.runs.store import find_run
from playmill.texts import Text
from playmill.web.access.owner import Owner, owner_key
from playmill.web.lab.runs import KeptRuns

PIG = str(Path(__file__).parents[1] / "examples" / "pig")
_TWO: dict[str, Any] = {"players": 2, "agents": ["threshold", "random"]}
_ALIKE: dict[str, Any] = {"players": 2, "agents": ["threshold"]}
#: Questions of every kind, small enough to be answered at once.
ASKED: dict[str, dict[str, Any]] = {
    "simulate": {**_TWO, "games": 20_000, "rotate": True},
    "compare": {**_ALIKE, "games": 2000, "a": {}, "b": {"config": {"target": 60}}},
    "sweep": {**_ALIKE, "games": 300, "over": ["target=50..150/25"], "show": ["seats.0.win_rate"]},
    "tune": {**_ALIKE, "games": 300, "trials": 10, "free": ["target:50..150"], "goal": ["turns=20"]},
    "audit": {"minutes": None, "only": ["fairness", "luck"]},
    "tournament": {"entrants": ["random", "threshold"], "deals": 300},
    "sure": {**_ALIKE, "figure": "seats.0.win_rate", "near": "fair", "within": 0.02, "games": 100_000},
}
ENTRANTS = (5, 12, 20, 35)
CONTEST = "autumn"


class Laboratory:
    """What was done in a home before the server is asked for it."""

    def __init__(self, home: Path, wanted: Callable[[str], bool]) -> None:
        self.home, self._wanted = home, wanted
        self._jobs: dict[str, Job] = {}
        os.environ["PLAYMILL_HOME"] = str(home)
        self._owner = Owner(owner_key(home))
        self._contest = home / CONTEST

    @property
    def words(self) -> list[str]:
        """What the command line of the server has to say besides."""
        return ["--contests", str(self._contest)] if self._contest.exists() else []

    def _done(self, kind: str) -> str:
        """The address of a job that is done, or stands as its name says."""
        if kind not in self._jobs:
            of = kind if kind in ASKED else "simulate"
            about = {"game": "pig", "players": 2, "agents": ["threshold", "random"], "changes": []}
            about |= {"changes": [["Goal: 60", "Цель: 60"]]} if kind == "compare" else {}
            job = self._jobs[kind] = new_job(self.home / "jobs", of, PIG, ASKED[of], about)
            if kind in ASKED:
                _, result = perform(job, JobReporter(job))
                job.end(result)
            elif kind == "failed":
                job.fail(Text("agent threshold: n is 0; expected 1 … 100", "агент threshold: n равно 0; нужно 1 … 100"))
            else:
                perform(job, JobReporter(job))
                job.stop()
        return f"/lab/works/{self._jobs[kind].id}"

    def _runs(self) -> dict[str, str]:
        """The addresses of kept runs: one, two compared, and one that cannot be read."""
        simulate(PIG, games=20_000, keep="usual", **_ALIKE)
        simulate(PIG, games=30_000, keep="short-game", set=["target=60"], seed=3, **_ALIKE)
        simulate(PIG, games=2_000, keep="damaged", **_ALIKE)
        (self.home / "runs" / "damaged" / "manifest.json").write_text("{")
        compare_kept(find_run("usual"), find_run("short-game"))
        kept = KeptRuns(self.home, {}, self._owner)
        names = {"run": ("usual",), "runs": ("usual", "short-game"), "damaged": ("damaged",)}
        return {name: kept.address(*runs) for name, runs in names.items()}

    def _entered(self) -> None:
        """A contest that was played, with somebody who was refused."""
        misbehaving.build(self._contest, ENTRANTS, ("crash-at-start",), deals=3, target=30, move=60.0)
        Contest(self._contest).run()

    def scenes(self) -> Iterator[tuple[str, str]]:
        """Every page of the laboratory worth a look: a name and an address."""
        key = (self.home / "owner.key").read_text(encoding="ascii").strip()
        wanted = [name for name in ("lab-home", "lab-run", "lab-runs", "lab-damaged") if self._wanted(name)]
        runs = self._runs() if wanted else {}
        for name, at in runs.items():
            if f"lab-{name}" in wanted:
                yield f"lab-{name}", f"{at}?owner={key}"
        for kind in (*ASKED, "failed", "stopped"):
            if self._wanted(f"lab-{kind}") or "lab-home" in wanted:
                at = self._done(kind)
                if self._wanted(f"lab-{kind}"):
                    yield f"lab-{kind}", f"{at}?owner={key}"
        for name in ("dimensions", "pig"):
            if self._wanted(f"lab-ask-{name}"):
                yield f"lab-ask-{name}", f"/lab/games/{name}?owner={key}"
        if self._wanted("lab-guest"):
            yield "lab-guest", "/lab/games/pig"
        if any(self._wanted(name) for name in ("lab-contest", "lab-entrant", "lab-against", "lab-ladder")):
            self._entered()
            best = json.loads((self._contest / "ladder.json").read_text(encoding="utf-8"))["contest"]["results"][
                "ladder"
            ]
            one, other = best[0]["name"], best[1]["name"]
            yield "lab-contest", f"/contests/{CONTEST}"
            yield "lab-ladder", f"/contests/{CONTEST}?owner={key}"
            yield "lab-entrant", f"/contests/{CONTEST}/of/{one}"
            yield "lab-against", f"/contests/{CONTEST}/of/{one}?against={other}"
        if "lab-home" in wanted:
            yield "lab-home", f"/lab?owner={key}"
