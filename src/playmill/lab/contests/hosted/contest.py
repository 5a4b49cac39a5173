"""A contest whose submissions are uploads: each is checked and played in the order in which it was acknowledged.

What is on the ladder in the end is a function of the uploads in their order: every one of them is taken, whether or not
a newer one is there already, and a newcomer's tables depend on who was on the ladder before it. So a server that is
killed and started again ends with the ladder of one that never was.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import combinations
from pathlib import Path
from weakref import WeakKeyDictionary

from playmill.interrupts import Stop
from playmill.lab.contests.contest.folder import STATE
from playmill.lab.contests.contest.intake import EntrantFolder
from playmill.lab.contests.contest.run import Contest, Telling
from playmill.lab.contests.contest.seed import ContestSeed
from playmill.lab.contests.contest.standing import ContestStanding
from playmill.lab.contests.contest.submissions import WAITING_STATES, Submission, SubmissionState
from playmill.lab.contests.hosted.builds import Builds
from playmill.lab.contests.hosted.newcomer import newcomer_rounds, placement, played_ahead
from playmill.lab.contests.hosted.played_tables import PlayedTables
from playmill.lab.contests.hosted.published import CheckReport, Publisher
from playmill.lab.contests.hosted.registry import FILE, Registry
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, Group, Wanted, play_together
from playmill.lab.contests.tournament.store import PairingRecord
from playmill.report.commands.contest import SubmissionStatus
from playmill.report.commands.ladder import Ladder
from playmill.stats.ratings import MIDDLE, POINTS
from playmill.texts import PlaymillError, Text

#: A table: the setting, and who sits there.
Key = tuple[int, Group]


def state_of(folder: Path | str, registry: Registry) -> Path:
    """Returns the folder in which the present edition of a contest keeps what it knows."""
    state, edition = Path(folder).absolute() / STATE, registry.edition
    return state if edition == 1 else state / f"edition-{edition}"


def contest_in(
    folder: Path | str, *, workers: int | None = None, on: str | None = None, telling: Telling | None = None
) -> Contest:
    """Opens the contest in a folder, as one that is served if it ever was: then its submissions are uploads."""
    if (Path(folder) / STATE / FILE).exists():
        return HostedContest(folder, workers=workers, on=on, telling=telling)
    return Contest(folder, workers=workers, on=on, telling=telling)


class HostedContest(Contest):
    """The contest in a folder, as the one process that plays it sees it."""

    def __init__(
        self,
        folder: Path | str,
        registry: Registry | None = None,
        *,
        workers: int | None = None,
        on: str | None = None,
        interpreted: bool = False,
        telling: Telling | None = None,
    ) -> None:
        self.registry = registry if registry is not None else Registry(Path(folder).absolute() / STATE)
        state = state_of(folder, self.registry)
        super().__init__(
            folder, workers=workers, on=on, interpreted=interpreted, telling=telling, state=state, remembers=True
        )
        if self.rules.rounds:
            raise PlaymillError(
                "a contest that is served has newcomers play as they come: write opponents = N in place of rounds = N",
                "в соревновании на сервере новые участники играют сразу: напишите opponents = N вместо rounds = N",
            )
        if self.registry.setting("final", False):
            self.rules = replace(self.rules, closed=True)
            self._seed = ContestSeed(self._state, self.rules)
        self._versions: WeakKeyDictionary[ContestEvent, dict[str, int]] = WeakKeyDictionary()
        self._made: dict[tuple[str, int, str | None], Entrant] = {}
        self._tables = PlayedTables(self._state)
        #: Whether somebody on the ladder has failed since they were judged.
        self._suspects = False
        self._reported: set[tuple[str, int]] = set()
        self._publisher = Publisher(self._state, self.rules)
        self._builds = Builds(self._state, self.rules, self._submissions)
        self._taken = 0
        self._next_write = 0.0
        self._shown: ContestEvent | None = None
        self._settled: object = None
        #: Those whose tables were played before their turn.
        self._ahead: set[tuple[str, int]] = set()

    # Who is there

    def _current(self) -> list[Submission]:
        """Returns the last submission of every entrant who is not disqualified."""
        out = self.registry.disqualified()
        last = {one.name: one for one in self._submissions.all if one.name not in out}
        return list(last.values())

    def _field(self) -> list[Submission]:
        """Who is on the ladder: of every entrant the last version that is done."""
        out = self.registry.disqualified()
        done = {
            one.name: one for one in self._submissions.all if one.state is SubmissionState.DONE and one.name not in out
        }
        return [done[name] for name in sorted(done)]

    def _waiting(self) -> list[Submission]:
        """Returns all submissions that are not through yet, in their order; nobody is passed over."""
        out = self.registry.disqualified()
        return [one for one in self._submissions.all if one.state in WAITING_STATES and one.name not in out]

    def _entrant(self, submission: Submission) -> Entrant:
        salt = "final" if self.rules.closed and len(self._submissions.versions(submission.name)) > 1 else None
        key = submission.name, submission.version, salt
        if key not in self._made:
            self._made[key] = super()._entrant(submission)
        return self._made[key]

    def _event(self, submissions: list[Submission], budget: EventBudget) -> ContestEvent:
        event = super()._event(submissions, budget)
        self._versions[event] = {one.name: one.version for one in submissions}
        return event

    # What arrives

    def _arrive(self, *, careful: bool) -> None:
        """Takes the uploads that were acknowledged since, in their order."""
        for upload in self.registry.in_edition(since=self._taken):
            folder = EntrantFolder(upload.name, self.registry.folder_of(upload.id), upload.code, upload.made)
            if self._submissions.find(upload.name, upload.code) is None:
                version = [one.id for one in self.registry.uploads(upload.name)].index(upload.id) + 1
                if self._submissions.take(folder, version) is None:
                    lost = Text("its files are not there any more", "его файлов больше нет")
                    self._submissions.refuse_folder(folder, lost, version)
            self._taken = upload.id

    # What is played

    def _work(self, budget: EventBudget) -> None:
        """Checks and plays what waits, one submission after the other; what arrives meanwhile joins the queue."""
        if not self._waiting() and self._settled == self._field():
            return
        self._rate_house(budget)
        self._steady(budget)  # somebody may have been killed before it was done
        while queue := self._waiting():
            self._check_all(list({one.name: one for one in reversed(queue)}.values())[::-1], budget)
            for one in queue:
                self._report_check(one)
            self._play_ahead(queue, budget)
            self._settle(queue[0], budget)
            if self._suspects:
                self._steady(budget)
            self._arrive(careful=False)
            self._write_soon()
        self._settled = self._field()
        self._write_soon(now=True)
        self._publisher.doing(None)  # after the ladder is there: who waits for the end reads it

    def _steady(self, budget: EventBudget) -> None:
        """Plays what is missing and refuses who has failed too often, until neither is left.

        Between two submissions, never when the queue happens to be empty: the ladder must not depend on that.
        """
        self._complete(self._event(self._field(), budget))
        while self._judge(budget):
            self._complete(self._event(self._field(), budget))
        self._suspects = False

    def _rate_house(self, budget: EventBudget) -> None:
        """Has the house agents play each other before anybody comes, and rates them by that."""
        if all((entrant.name, 0) in self._tables.ratings for entrant in self.rules.house):
            return
        event = self._event([], budget)
        self._complete(event)
        for entrant, rating in zip(event.entrants, event.strengths().tolist(), strict=True):
            self._tables.note(entrant.name, 0, round((rating - MIDDLE) / POINTS, 9), [])

    def _settle(self, one: Submission, budget: EventBudget) -> None:
        """Checks and plays one submission to its end."""
        self._publisher.doing(one)
        why = self._checked(one, budget)
        self._report_check(one)
        if why is None:
            why = self._played(self._submissions.move(one, SubmissionState.PLAYING), budget)
        self._submissions.move(one, SubmissionState.REFUSED if why is not None else SubmissionState.DONE, why)

    def _check_all(self, submissions: list[Submission], budget: EventBudget) -> None:
        """Plays the checks of some whose names differ, several at once; known ones cost nothing."""
        for one in submissions:
            if one.state is SubmissionState.QUEUED:
                self._submissions.move(one, SubmissionState.CHECKING)
        self._builds.build_all(submissions)
        super()._check_all([one for one in submissions if self._builds.build(one) is None], budget)

    def _checked(self, submission: Submission, budget: EventBudget) -> Text | None:
        """Compiles it if it has to be, and checks it."""
        why = self._builds.build(submission)
        return why if why is not None else super()._checked(submission, budget)

    def _played(self, submission: Submission, budget: EventBudget) -> Text | None:
        """Has a newcomer play at its tables, neighbours first; returns why it is refused, or None."""
        name = submission.name
        event = self._event([*(one for one in self._field() if one.name != name), submission], budget)
        me = next(place for place, entrant in enumerate(event.entrants) if entrant.name == name)
        mine: dict[tuple[int, Group], PairingRecord] = {}
        why = self._at_tables(event, me, mine)
        versions = self._versions[event]
        self._publisher.tables(submission, mine, versions)
        if why is None:
            why = self._never_asked(list(mine.values()), name)
        if why is None:
            met = [
                (setting, tuple((one, versions.get(one, 0)) for one in record.pairing.names))
                for (setting, _), record in mine.items()
            ]
            self._tables.note(name, submission.version, self._placed(event, me, mine), met)
        # Who failed against a newcomer may have failed too often by now.
        self._suspects = any(
            record.failed[one] for record in mine.values() for one in record.pairing.names if one != name
        )
        return why

    def _rating(self, event: ContestEvent, place: int) -> float:
        """Returns the rating somebody was given as a newcomer."""
        name = event.entrants[place].name
        return self._tables.ratings.get((name, self._versions[event].get(name, 0)), 0.0)

    def _placed(self, event: ContestEvent, me: int, mine: dict[tuple[int, Group], PairingRecord]) -> float:
        """Returns the rating of a newcomer by the tables it has played so far."""
        return placement(
            (record.ranks[: self.rules.deals], group.index(me), [self._rating(event, one) for one in group])
            for (_, group), record in mine.items()
        )

    def _at_tables(self, event: ContestEvent, me: int, mine: dict[tuple[int, Group], PairingRecord]) -> Text | None:
        """Plays a newcomer's tables, round by round, and notes them; returns why it is refused, or None."""
        name = event.entrants[me].name
        tables = self.rules.opponents or len(event.entrants) - 1
        total = tables * len(event.settings) * self.rules.deals * event.size
        event.on_game = partial(self._tell, Text(f"{name} plays", f"играет {name}"), total)
        for keys in self._rounds(event, me, mine):
            with closing(event.play_all([(*key, self.rules.deals) for key in keys])) as pairings:
                for key, _ in zip(keys, pairings, strict=False):
                    mine[key] = event.record(*key)
                    if (why := self._failing(list(mine.values()), name)) is not None:
                        return why
        return None

    def _rounds(
        self, event: ContestEvent, me: int, mine: dict[tuple[int, Group], PairingRecord]
    ) -> Iterator[list[Key]]:
        """Yields the tables of a newcomer round by round; the next one depends on what was noted of those before."""
        others = [place for place in range(len(event.entrants)) if place != me]
        order = sorted(others, key=lambda place: (-self._rating(event, place), place))

        def position() -> int:
            rated = self._placed(event, me, mine)
            return sum(self._rating(event, place) > rated for place in order)

        for groups in newcomer_rounds(order, me, event.size - 1, self.rules.opponents, position):
            yield [(setting, group) for group in groups for setting in range(len(event.settings))]

    def _play_ahead(self, queue: list[Submission], budget: EventBudget) -> None:
        """Plays tables that the next submissions will probably have, where one alone leaves cores without work.

        Each plays as if all before it in the queue were never put on the ladder. What comes of a table depends on the
        table alone, so nothing is changed by this: it is only known sooner, or in vain.
        """
        first = queue[0]
        if (first.name, first.version) in self._ahead or self._pool is None:
            return
        field = self._field()
        there, rules = len(field) + len(self.rules.house), self.rules
        count = played_ahead(self._pool.workers, rules.deals, rules.opponents, there, len(rules.settings))
        batch = list({one.name: one for one in reversed(queue[:count])}.values())[::-1]
        self._ahead = {(one.name, one.version) for one in batch}
        self._publisher.doing(first)
        runs = []
        for one in batch if len(batch) > 1 else ():
            with suppress(PlaymillError):
                if self._builds.build(one) is None and self._passed(one, budget):
                    event = self._event([*(other for other in field if other.name != one.name), one], budget)
                    me = next(place for place, entrant in enumerate(event.entrants) if entrant.name == one.name)
                    mine: dict[Key, PairingRecord] = {}
                    runs.append((event, one.name, mine, self._rounds(event, me, mine)))
        while runs:
            asked = [(run, next(run[3], None)) for run in runs]
            keys = [(run, found) for run, found in asked if found is not None]
            play_together([(run[0], (*key, self.rules.deals)) for run, found in keys for key in found])
            for run, found in keys:
                run[2].update((key, run[0].record(*key)) for key in found)
            runs = [run for run, _ in keys if self._failing(list(run[2].values()), run[1]) is None]

    def _passed(self, one: Submission, budget: EventBudget) -> bool:
        """Returns whether a submission has passed its check, by what was played of it."""
        record = self._check_table(one, budget, play=False)
        return bool(record.deals) and record.failed[one.name] < max(1, record.asked(one.name))

    def _schedule(self, event: ContestEvent, only: str | None = None) -> Iterator[list[Wanted]]:
        """Yields the tables of those on the ladder: all of them, or those that newcomers have played."""
        if not self.rules.opponents:
            yield from super()._schedule(event, only)
            return
        versions = self._versions[event]
        places = {entrant.name: place for place, entrant in enumerate(event.entrants)}
        known = {entrant.name: versions.get(entrant.name, 0) for entrant in event.entrants}
        wanted: dict[tuple[int, Group], None] = {}
        house = [places[entrant.name] for entrant in self.rules.house]
        for group in combinations(sorted(house), event.size):
            wanted |= dict.fromkeys((setting, group) for setting in range(len(event.settings)))
        for setting, names in self._tables.among(known):
            wanted[setting, tuple(sorted(places[name] for name in names))] = None
        yield [(*key, self.rules.deals) for key in sorted(wanted)]

    def _all_games(self, event: ContestEvent) -> int:
        return sum(deals * event.size for wanted in self._schedule(event) for *_, deals in wanted)

    # What is shown

    def _tell(self, label: Text, total: int, done: int) -> None:
        super()._tell(label, total, done)
        self._publisher.progress(label, done, total)

    def _report_check(self, one: Submission) -> None:
        """Writes what came of a submission's check, once it was played."""
        if (one.name, one.version) in self._reported or self._builds.build(one) is not None:
            return
        with suppress(PlaymillError):
            record = self._check_table(one, EventBudget(None, None, Stop()), play=False)
            if record.deals:
                self._publisher.checked(CheckReport.of(one, record))
                self._reported.add((one.name, one.version))

    def _write_soon(self, *, now: bool = False) -> None:
        """Writes the ladder unless that was done a moment ago: it takes longer the more play."""
        if now or time.monotonic() >= self._next_write:
            begun = time.monotonic()
            self._write()
            self._next_write = time.monotonic() + 5 * (time.monotonic() - begun)

    def _write(self) -> ContestStanding:
        self._shown = None
        standing = super()._write()
        self._publisher.write(standing, self._shown, {one.name: one.version for one in self._field()})
        return standing

    def standing(self) -> ContestStanding:
        """Returns the contest as everybody may see it: why somebody was refused is hers to know."""
        found = super().standing()
        return replace(found, submissions=tuple(replace(one, why=None) for one in found.submissions))

    def _ladder(self, event: ContestEvent, submissions: tuple[SubmissionStatus, ...]) -> Ladder | None:
        self._shown = event
        return super()._ladder(event, tuple(replace(one, why=None) for one in submissions))
