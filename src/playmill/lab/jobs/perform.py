"""Performs a job: each kind calls the function of the command of its name, and shows pages of what is known so far.

What was stopped goes on where it was, because the function keeps what it has played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import isfinite, prod
from typing import TYPE_CHECKING, Any, Protocol

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import as_config, as_game
from playmill.interrupts import interrupt
from playmill.lab.jobs.job import Job, JobProgress
from playmill.report.commands.until_sure import Sure, page_so_far
from playmill.stdio import watching
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.lab.decide.each_agent.audit_each import AuditEach
    from playmill.lab.decide.each_agent.compare_each import ComparisonEach
    from playmill.lab.decide.each_agent.sweep_each import SweepEach
    from playmill.lab.decide.levels import LevelSizes
    from playmill.lab.runs.simulate import Simulation

#: Seconds between two notes of how far a job is.
_PAUSE = 0.25
#: Seconds between two pages of a question that is looked at all the time.
_LOOKS = 1.0
#: Where what was played lies within a job, so that it goes on; it goes with the job.
_SEEN = "seen"
#: How much each level of play has to play.
_SIZES = "levels.json"
#: The first page of levels side by side is of such a part of their games.
_FIRST_PART = 8
#: Games of the first page of a run, if a chunk of it is not more.
_FIRST_LOOK = 1024
#: Where a job keeps what it has counted, to go on from.
_COUNTED = "counted.json"
_PLAYING = Text("playing", "играю")
_LEARNING = Text("computing what the agents know", "вычисляю, что знают агенты")
_PREPARING = Text("preparing the rules", "готовлю правила")
_PARTS = {
    "fairness": Text("is it fair?", "честна ли она?"),
    "skill": Text("does skill pay?", "решает ли умение?"),
    "luck": Text("how much is luck?", "сколько решает удача?"),
    "drama": Text("when is it decided?", "когда всё решается?"),
    "choices": Text("are there real choices?", "есть ли настоящий выбор?"),
    "uses": Text("what is everything good for?", "что для чего нужно?"),
}

#: What came of a job: whether all of it was played, and what is known about it besides its pages.
Outcome = tuple[bool, dict[str, Any]]


class HasPage(Protocol):
    """A result that can be shown as a page."""

    def page(self, lang: Lang) -> str:
        """It as a page."""


class JobReporter:
    """Reports a job's progress, not too often, and writes pages of what is known."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._before, self._begun, self._noted = job.standing, time.monotonic(), -_PAUSE
        self._pages = self._before.pages
        self.note(_PREPARING, 0, 0)

    def note(self, label: Text, done: int, total: int) -> None:
        """Reports how much is done, and of how much."""
        now = time.monotonic()
        if now - self._noted >= _PAUSE:
            self._noted = now
            self._tell(label, done, total)

    def _tell(self, label: Text | None, done: int, total: int) -> None:
        seconds = self._before.seconds + time.monotonic() - self._begun
        self._last = (label, done, total)
        self._job.tell(JobProgress(label, done, total, self._pages, seconds))

    def show(self, found: HasPage) -> None:
        """Shows what is known."""
        self._job.show({lang: found.page(lang) for lang in LANGUAGES})
        self._pages += 1
        self._tell(*self._last)

    def learning(self, done: int, total: int) -> None:
        """Hears of agents that have to learn before the first game."""
        self.note(_LEARNING if done < total else _PREPARING, done % total, total)


def perform(job: Job, reporter: JobReporter) -> Outcome:
    """Performs a job, or what is left of it, and shows the result."""
    with watching(lambda update: reporter.note(update, 0, 0)):
        return _DOING[job.kind](job, reporter, dict(job.arguments))


def _at_levels(job: Job, given: dict[str, Any]) -> Sequence[Any]:
    """Returns the levels of play at which a question is asked; empty if it is asked of given agents."""
    from playmill.agents.levels import levels_of

    if "levels" not in given:
        return ()
    side = given if "config" in given else given.get("a", {})
    return levels_of(as_game(job.game), _config(job, side), changing=job.kind in ("compare", "sweep", "tune"))


def _level_sizes(job: Job, given: Mapping[str, Any], among: Sequence[Any], *, each: int = 1) -> LevelSizes:
    """Returns how much each level plays: found out once, so that a job that goes on plays the same."""
    from playmill.lab.decide.levels import LevelSizes, level_sizes, tuning_sizes
    from playmill.lab.decide.simulate_each import resolve_each
    from playmill.lab.runs.simulate import How

    if saved := job.saved(_SIZES):
        return LevelSizes(tuple(saved["games"]), tuple(saved["rates"]))
    side = given if "config" in given else given.get("a", {})
    plans = [*resolve_each(job.game, players=given.get("players"), among=among, config=_config(job, side)).values()]
    how, minutes = How(on=given.get("on"), keep=False), float(given["levels"])
    if job.kind == "tune":
        found = tuning_sizes(plans, given["games"], given["trials"], minutes, how)
    else:
        found = level_sizes(plans, given["games"], minutes, how, each=each)
    job.save(_SIZES, {"games": list(found.games), "rates": list(found.rates)})
    return found


def _simulate_levels(job: Job, reporter: JobReporter, given: dict[str, Any], among: Sequence[Any]) -> Outcome:
    """Plays kept runs at levels of play: a part of each first, for a page of what is known."""
    from playmill.lab.decide.simulate_each import simulate_each

    sizes = _level_sizes(job, given, among)
    with interrupt() as stop:
        for part in (_FIRST_PART, 1):
            games = tuple(-(-size // part) for size in sizes.games)
            found = simulate_each(
                job.game,
                players=given.get("players"),
                among=among,
                config=given.get("config"),
                games=games,
                on=given.get("on"),
                keep=f"lab-{job.id}",
                keep_games=False,
                progress=partial(_note_share, reporter, sizes, part),
                preparing=reporter.learning,
            )
            reporter.show(found)
            if stop() or not found.series.complete:
                break
    job.save("results.json", found.json())
    told = [" ".join(text.of(lang) for text in found.verdicts) for lang in LANGUAGES]
    return found.series.complete and part == 1, {"told": told} if found.verdicts else {}


def _note_share(reporter: JobReporter, sizes: LevelSizes, part: int, done: int) -> None:
    """Reports the share of all, while a part of each level's games is played."""
    reporter.note(_PLAYING, round(1000 * sizes.share(done * part) / part), 1000)


def _simulate(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    """Plays a kept run until it has all its games."""
    if among := _at_levels(job, given):
        return _simulate_levels(job, reporter, given, among)
    from playmill.lab.runs.resolved_plan import resolve_plan
    from playmill.lab.runs.simulate import game_range, simulate

    wanted, on = given.pop("games"), given.pop("on", None)
    resolved = resolve_plan(job.game, **given)
    last = game_range(resolved, 0, wanted).stop
    name = f"lab-{job.id}"

    def play(end: int) -> Simulation:
        return simulate(
            job.game,
            games=end,
            keep=name,
            keep_games=False,
            on=on,
            progress=lambda done: reporter.note(_PLAYING, done, last),
            preparing=reporter.learning,
            **given,
        )

    return _grown(job, reporter, play, min(last, max(resolved.plan.chunk, _FIRST_LOOK, _wanted_before(name))), last)


def _resume(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    """Resumes a kept run: what is missing of it, damaged games too, then up to the games wanted now."""
    from playmill.lab.runs.simulate import How, report_of, resume
    from playmill.lab.runs.store import find_run

    run = find_run(given["run"])
    first, end = run.manifest.first, run.manifest.end
    # A deal is played from every seat or not at all.
    last = max(end, first + -(-(given.get("games") or 0) // run.plan.rotations) * run.plan.rotations)
    if run.games:
        with suppress(PlaymillError):  # what is damaged is about to be played again
            reporter.show(report_of(run))
    how = How(
        keep_games=False,
        progress=lambda done: reporter.note(_PLAYING, done, last - first),
        preparing=reporter.learning,
        on=given.get("on"),
    )
    return _grown(job, reporter, lambda end: resume(find_run(run.name), how, end=end), end, last)


def _grown(job: Job, reporter: JobReporter, play: Callable[[int], Simulation], end: int, last: int) -> Outcome:
    """Plays a kept run to its end by stages: a page each time the number of games doubles."""
    # One work, so that whoever asks to stop just as a stage ends is heard by the next.
    with interrupt() as stop:
        while True:
            found = play(end)
            reporter.show(found)
            if stop() or not found.info.complete or end == last:
                job.save("results.json", {"meta": found.info.json(), "results": found.results})
                return found.info.complete and end == last, {"run": found.kept}
            end = min(last, 2 * end)


def _wanted_before(name: str) -> int:
    """Returns how many games a kept run was to have when it was left; 0 if there is none."""
    from playmill.lab.runs.store.reader import KeptRun, folder_of

    try:
        return KeptRun.open(folder_of(name)).manifest.end
    except PlaymillError:
        return 0


def _compare(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    from playmill.lab.decide.compare import compare
    from playmill.lab.decide.each_agent.compare_each import compare_each

    deals = given["games"]
    if among := _at_levels(job, given):
        sizes = _level_sizes(job, given, among, each=2)
        del given["levels"], given["games"]
        each = compare_each(
            job.game,
            among=among,
            games=sizes.games,
            progress=lambda done: reporter.note(_PLAYING, round(1000 * sizes.share(done)), 1000),
            keep=job.folder / _SEEN,
            **given,
        )
        return _shown(job, reporter, each)
    found = compare(
        job.game,
        progress=lambda done: reporter.note(_PLAYING, done, deals),
        preparing=reporter.learning,
        so_far=reporter.show,
        keep=job.folder / _SEEN,
        **given,
    )
    reporter.show(found)
    job.save("results.json", found.json())
    return found.complete, {"real": len(found.real), "figures": len(found.differences), "deals": found.deals}


def _sweep(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    from playmill.agents.agent_specs import seats_for
    from playmill.lab.decide.changeable import Changeable
    from playmill.lab.decide.each_agent.sweep_each import sweep_each
    from playmill.lab.decide.sweep import sweep
    from playmill.lab.decide.sweep.axes import read_axes

    game, config = as_game(job.game), _config(job, given)
    players, agents = given.get("players") or game.players[0], given.get("agents", "random")
    seats = seats_for(game, players, agents if isinstance(agents, (list, tuple)) else [agents])
    settings = 1 + prod(len(one.values) for one in read_axes(given["over"], Changeable(config, game, seats)))
    if among := _at_levels(job, given):
        sizes = _level_sizes(job, given, among, each=settings)
        del given["levels"], given["games"]
        each = sweep_each(
            job.game,
            among=among,
            games=sizes.games,
            progress=lambda done: reporter.note(_PLAYING, round(1000 * sizes.share(done // settings)), 1000),
            keep=job.folder / _SEEN,
            **given,
        )
        return _shown(job, reporter, each)
    found = sweep(
        job.game,
        progress=lambda done: reporter.note(_PLAYING, done, settings * given["games"]),
        preparing=reporter.learning,
        keep=job.folder / _SEEN,
        **given,
    )
    reporter.show(found)
    job.save("results.json", found.json())
    return found.complete, {}


def _shown(job: Job, reporter: JobReporter, found: AuditEach | ComparisonEach | SweepEach) -> Outcome:
    """Shows and saves what was found at all levels."""
    reporter.show(found)
    job.save("results.json", found.json())
    return found.complete, {}


def _config(job: Job, given: Mapping[str, Any]) -> RuleConfig:
    config = as_config(as_game(job.game), given.get("config"))
    return config.changed(changes) if (changes := given.get("set")) else config


def _tune(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    from playmill.lab.decide.tune import tune

    if among := _at_levels(job, given):
        given |= {"among": among, "games": _level_sizes(job, given, among).games}
        del given["levels"]
    found = tune(job.game, progress=reporter.note, **given)
    reporter.show(found)
    job.save("results.json", found.json())
    if found.front:
        return True, {}
    job.save("config.json", found.config.model_dump(mode="json"))
    job.save("smallest.json", found.smallest_config.model_dump(mode="json"))
    return True, {"better": found.better}


def _audit(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    from playmill.lab.audit import audit

    def progress(part: str, share: float) -> None:
        reporter.note(_PARTS.get(part, _PREPARING), round(1000 * share), 1000)

    if among := _at_levels(job, given):
        from playmill.lab.decide.each_agent.audit_each import audit_each

        del given["levels"]
        each = audit_each(job.game, among=among, progress=progress, keep=job.folder / _SEEN, **given)
        return _shown(job, reporter, each)
    found = audit(job.game, progress=progress, keep=job.folder / _SEEN, **given)
    reporter.show(found)
    job.save("results.json", found.json())
    return found.complete, {}


def _sure(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    """Plays until a question is settled, of one setting or of two; progress is saved and resumed."""
    from playmill.lab.decide.compare import Comparison, compare
    from playmill.lab.decide.simulate_until_sure import simulate_until_sure

    deals, figure = given["games"], given.pop("figure")
    telling = _Settling(reporter, as_game(job.game).title)
    how: dict[str, Any] = {
        "keep": True,
        "progress": lambda done: reporter.note(_PLAYING, done, deals),
        "preparing": reporter.learning,
        "telling": telling,
    }
    found: Comparison | Simulation
    if "a" in given:
        found = compare(job.game, until_sure=figure, **how, **given)
        complete, saved = found.complete, found.json()
    else:
        found = simulate_until_sure(job.game, figure, **how, **given)
        sure = found.sure.json() if found.sure is not None else None
        complete, saved = found.info.complete, {"meta": found.info.json(), "results": {**found.results, "sure": sure}}
    reporter.show(found)
    job.save("results.json", saved)
    if found.sure is None:
        return complete, {}
    return complete, {"verdict": str(found.sure.verdict), "told": [found.sure.text(lang) for lang in LANGUAGES]}


class _Settling:
    """Shows a page now and then while a question is open."""

    def __init__(self, reporter: JobReporter, title: Text) -> None:
        self._reporter, self._title = reporter, title
        self._shown = -_LOOKS
        self._sure: Sure | None = None

    def __call__(self, sure: Sure) -> None:
        """Hears of a look."""
        now = time.monotonic()
        if now - self._shown >= _LOOKS and isfinite(sure.last.high - sure.last.low):
            self._shown, self._sure = now, sure
            self._reporter.show(self)

    def page(self, lang: Lang) -> str:
        """Returns what is known as a page."""
        assert self._sure is not None
        return page_so_far(self._sure, self._title, lang)


def _tournament(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    from playmill.lab.contests.tournament import tournament

    found = tournament(job.game, progress=reporter.note, **given)
    reporter.show(found)
    job.save("results.json", found.json())
    return found.found.run.complete, {}


def _so_far(reporter: JobReporter, deals: range, wanted: int, done: int, total: int) -> None:
    """Reports how many of all deals are done, while a part of one range is."""
    reporter.note(_PLAYING, deals.start + len(deals) * done // total, wanted)


def _worth(job: Job, reporter: JobReporter, given: dict[str, Any]) -> Outcome:
    """Measures what a piece of content is worth: more and more deals, none twice, also after a stop."""
    from playmill.lab.decide.worth import WorthMeasurement
    from playmill.lab.runs.content import require_content

    deals, content = given.pop("games"), require_content(as_game(job.game)).examined(given.pop("content"))[0]
    weighing = WorthMeasurement(job.game, content=content, **given)
    weighing.go_on_from(job.saved(_COUNTED).get("trials", []))
    end = min(deals, max(weighing.resolved.plan.chunk, weighing.deals))
    with interrupt() as stop:
        while True:
            before = weighing.deals
            progress = partial(_so_far, reporter, range(before, end), deals)
            whole = weighing.play(end, progress)
            job.save(_COUNTED, {"trials": weighing.json()})
            if weighing.deals > before:
                job.save("results.json", weighing.results())
                reporter.show(weighing)
            if stop() or not whole or end == deals:
                return whole and end == deals, {}
            end = min(deals, 2 * end)


_DOING: Mapping[str, Callable[[Job, JobReporter, dict[str, Any]], Outcome]] = {
    "simulate": _simulate,
    "compare": _compare,
    "sweep": _sweep,
    "tune": _tune,
    "audit": _audit,
    "tournament": _tournament,
    "sure": _sure,
    "resume": _resume,
    "worth": _worth,
}
