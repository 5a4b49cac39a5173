"""Runs a contest: accepts submissions, checks them, has them play everybody, and writes the ladder.

Everything that happened is on disk before anything else begins, so that it may be killed at any time: whoever starts it
again goes on where it was. An entrant that fails too often is refused, and is no part of the contest any more: the
others stand as if it had never come, since the seed of a table depends on who sits there and nothing else.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from playmill.agents.programs.spec import PREFIX, read_program
from playmill.interrupts import Stop, interrupt
from playmill.lab.contests.bot_check import complaints, diagnosis, table_of_check
from playmill.lab.contests.contest.intake import EntrantFolder, Intake
from playmill.lab.contests.contest.rules import ContestRules, read_rules
from playmill.lab.contests.contest.seed import ContestSeed
from playmill.lab.contests.contest.standing import ContestStanding, entrant_pairing
from playmill.lab.contests.contest.submissions import Submission, SubmissionState, SubmissionStore, still_arriving
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, Group, OverError, Wanted
from playmill.lab.contests.tournament.kept import describe_event
from playmill.lab.contests.tournament.ladder import ladder_of
from playmill.lab.contests.tournament.pool import PairingPool, pool_on
from playmill.lab.contests.tournament.run import contest_info
from playmill.lab.contests.tournament.schedule import swiss_rounds
from playmill.lab.contests.tournament.store import PairingRecord, PairingStore
from playmill.lab.runs.executors.base import LostExecutorError
from playmill.lab.runs.executors.where import where_of
from playmill.lab.runs.kept_work import KeptDescription
from playmill.lab.runs.store.lock import RunLock
from playmill.report.commands.contest import (
    EntrantPairing,
    SubmissionStatus,
    SubmissionView,
    submissions_table,
    versions_note,
)
from playmill.report.commands.ladder import Ladder, Unrated
from playmill.report.commands.tournament import ladder_page
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.report.files.writing import write_saved, write_text
from playmill.texts import LANGUAGES, PlaymillError, Text, one_line

ENTRANTS, STATE = "entrants", "state"
#: States of submissions that are not through yet.
WAITING_STATES = (SubmissionState.QUEUED, SubmissionState.CHECKING, SubmissionState.PLAYING)
#: Games after which one may be refused for failing too often.
_ENOUGH = 10
#: Seconds between two looks for new submissions.
_LOOK = 1.0
#: Says why somebody is refused, if that is so.
Judge = Callable[[], Text | None]
#: Hears what is being done, how much of it is done, and of how much.
Telling = Callable[[Text, int, int], None]


class Contest:
    """The contest in a folder."""

    def __init__(
        self,
        folder: Path | str,
        *,
        workers: int | None = None,
        on: str | None = None,
        interpreted: bool = False,
        telling: Telling | None = None,
        state: Path | None = None,
        remembers: bool = False,
    ) -> None:
        self.folder = Path(folder).absolute()
        self.rules: ContestRules = read_rules(self.folder)
        self._state = state if state is not None else self.folder / STATE
        self._seed = ContestSeed(self._state, self.rules)
        self._where = where_of(on, workers)
        self._pool: PairingPool | None = None
        self._interpreted, self._telling = interpreted, telling
        self._listed: KeptDescription | None = None
        self._store = PairingStore(self._state / "sittings", remembers=remembers)
        self._desk = SubmissionStore(self._state)
        self._intake = Intake(self.folder / ENTRANTS)
        self._spent = 0.0

    @property
    def _words(self) -> list[str]:
        """The command that goes on with it."""
        return ["playmill", "contest", str(self.folder)]

    # What is there

    def seed(self) -> int:
        """Returns the seed of all deals: as the rules say, else drawn once, so that nobody can guess a deal."""
        return self._seed.value()

    def _current(self) -> list[Submission]:
        """Returns the submission of every folder as it lies there now."""
        found = (self._desk.find(folder.name, folder.code) for folder in self._folders())
        return [one for one in found if one is not None]

    def _folders(self) -> list[EntrantFolder]:
        """Returns the entrants' folders, with what the contest itself has against one."""
        house = {entrant.name for entrant in self.rules.house}
        return [self._desk.admitted(one, house, self.rules.versions) for one in self._intake.folders()]

    def _field(self) -> list[Submission]:
        """Who is on the ladder: of every entrant that is still there the present version, or the last that was done."""
        found = []
        for one in self._current():
            done = [other for other in self._desk.versions(one.name) if other.state is SubmissionState.DONE]
            if one.state is SubmissionState.DONE:
                found.append(one)
            elif done:
                found.append(done[-1])
        return found

    def _entrant(self, submission: Submission) -> Entrant:
        """Returns a submission as somebody who plays, known by its content wherever the contest's folder lies."""
        program = read_program(f"{PREFIX}{self._desk.copy_of(submission)}", self.rules.limits)
        # Of several versions one may have been chosen by luck: what is shown in the end comes from other deals.
        chosen = self.rules.closed and len(self._desk.versions(submission.name)) > 1
        return Entrant(submission.name, program, submission.code, "final" if chosen else None)

    def _event(self, submissions: list[Submission], budget: EventBudget) -> ContestEvent:
        rules = self.rules
        entrants = [self._entrant(one) for one in submissions]
        return ContestEvent(
            rules.game,
            rules.named,
            [*rules.house, *entrants],
            rules.settings,
            rules.size,
            seed=self.seed(),
            store=self._store,
            budget=budget,
            pool=self._pool,
            interpreted=self._interpreted,
            shown=rules.replays,
        )

    # What is done

    def run(self, *, watch: bool = False, seconds: float | None = None) -> ContestStanding:
        """Takes, checks and plays what is there; watching, it waits for more until somebody asks to stop."""
        begun = time.perf_counter()
        with interrupt() as stop, self._alone(), pool_on(self._where) as self._pool:
            self._seed.close()
            self._listed = describe_event("contest", self.rules.game.name, self._words)
            budget = EventBudget(None, seconds, stop)
            stop.keep()
            try:
                self._write()
                while True:
                    self._arrive(careful=watch)
                    self._work(budget)
                    if not watch or self.rules.closed:
                        break
                    self._wait(stop, budget)
            except OverError:
                pass
            self._spent = time.perf_counter() - begun
            return self._write()

    def _tell(self, label: Text, total: int, done: int) -> None:
        """Says how far something is."""
        if self._telling is not None:
            self._telling(label, done, total)
        if self._listed is not None:
            self._listed.note(done, total)

    def _wait(self, stop: Stop, budget: EventBudget) -> None:
        """Waits for something new; raises OverError if it is to end."""
        until = time.monotonic() + _LOOK
        while time.monotonic() < until:
            budget.check()
            time.sleep(0.1)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        try:
            self._state.mkdir(parents=True, exist_ok=True)
            lock = RunLock(self._state, self.folder.name)
            lock.__enter__()
        except OSError as error:
            raise cannot_write(self._state, reason_of(error)) from None
        except PlaymillError:
            raise PlaymillError(
                f"the contest in {self.folder} is being played by another process; --status shows how it stands",
                f"соревнование в {self.folder} сейчас играет другой процесс; --status покажет, как дела",
            ) from None
        try:
            yield
        finally:
            lock.__exit__()

    def _arrive(self, *, careful: bool) -> None:
        """Takes what is new in the entrants' folders; a careful one leaves what may still be on its way."""
        if self.rules.closed:
            return
        for folder in self._folders():
            if self._desk.find(folder.name, folder.code) is not None or (careful and still_arriving(folder)):
                continue
            if folder.why is not None:
                self._desk.refuse_folder(folder, folder.why)
            else:
                self._desk.take(folder)

    def _work(self, budget: EventBudget) -> None:
        """Checks and plays every submission that waits, in the order in which they came."""
        queue = self._waiting()
        self._check_all(queue, budget)
        for one in queue:
            why = self._checked(one, budget)
            if why is None and not self.rules.rounds:
                why = self._played(self._desk.move(one, SubmissionState.PLAYING), budget)
            self._desk.move(one, SubmissionState.REFUSED if why is not None else SubmissionState.DONE, why)
            if not self.rules.rounds:
                self._judge(budget)
                self._write()
        # Whatever the rules ask for beside: the rounds, more deals, another setting, another house agent, the end.
        self._complete(self._event(self._field(), budget))
        while self._judge(budget):
            self._complete(self._event(self._field(), budget))

    def _waiting(self) -> list[Submission]:
        """Returns the submissions that are to be checked and played, in the order in which they came."""
        current = {(one.name, one.code) for one in self._current()}
        return [one for one in self._desk.all if one.state in WAITING_STATES and (one.name, one.code) in current]

    def _judge(self, budget: EventBudget) -> bool:
        """Refuses whoever on the ladder has failed too often by now; returns whether somebody was."""
        field = self._field()
        event = self._event(field, budget)
        self._load(event)
        sat: defaultdict[str, list[PairingRecord]] = defaultdict(list)
        for _, _, record, _ in event.played():
            for name in record.pairing.names:
                sat[name].append(record)
        refused = [(one, why) for one in field if (why := self._failing(sat[one.name], one.name)) is not None]
        for one, why in refused:
            self._desk.move(one, SubmissionState.REFUSED, why)
        return bool(refused)

    def _schedule(self, event: ContestEvent, only: str | None = None) -> Iterator[list[Wanted]]:
        """Yields what an event has to play: all tables, or those at which somebody sits; else round by round."""
        if len(event.entrants) < event.size:
            return
        if self.rules.rounds:
            yield from swiss_rounds(event, self.rules.deals, self.rules.rounds)
            return
        groups = [
            group
            for group in event.groups
            if only is None or any(event.entrants[place].name == only for place in group)
        ]
        yield [(setting, group, self.rules.deals) for group in groups for setting in range(len(event.settings))]

    def _all_games(self, event: ContestEvent) -> int:
        """Returns how many games an event has when all is played."""
        tables = event.tables_at_most
        if self.rules.rounds:
            tables = self.rules.rounds * (len(event.entrants) // event.size) * len(event.settings)
        return tables * self.rules.deals * event.size

    def _complete(
        self, event: ContestEvent, only: str | None = None, judge: Callable[[], Text | None] | None = None
    ) -> Text | None:
        """Has every table of an event played, or every one at which somebody sits; ends when a judge says why."""
        for wanted in self._schedule(event, only):
            total = len(wanted) * self.rules.deals * event.size if only is not None else self._all_games(event)
            event.on_game = partial(self._tell, Text(f"{only or '…'} plays", f"играет {only or '…'}"), total)
            with closing(event.play_all(wanted)) as pairings:
                for _ in pairings:
                    if judge is not None and (why := judge()) is not None:
                        return why
        return None

    def _checked(self, submission: Submission, budget: EventBudget) -> Text | None:
        """Plays a few deals against random choice; returns why a submission is refused, or None."""
        submission = self._desk.move(submission, SubmissionState.CHECKING)
        try:
            record = self._check_hall(submission, budget)
        except LostExecutorError:
            raise
        except PlaymillError as error:
            return _without_path(error.text, self._desk.copy_of(submission))
        games = record.asked(submission.name)
        if not games or record.failed[submission.name] < games:
            return None
        why = next(complaints(one for one in record.mishaps if one.entrant == submission.name))
        return Text(
            f"failed in all {games} games of the check: {why.en}", f"сбой во всех {games} партиях проверки: {why.ru}"
        )

    def _check_all(self, submissions: list[Submission], budget: EventBudget) -> None:
        """Plays the checks of all that wait, several at once; what is wrong is reported when its turn comes."""
        bots = []
        for one in submissions:
            with suppress(PlaymillError):
                bots.append(self._entrant(one))
        event = self._check_event(bots, budget)
        wanted = [(0, _table_of(event, bot.name), self.rules.check) for bot in bots]
        total = len(bots) * self.rules.check * self.rules.size
        event.on_game = partial(self._tell, Text("checking", "проверка"), total)
        try:
            for _ in event.play_all(wanted):
                pass
        except LostExecutorError:
            raise
        except PlaymillError:
            pass

    def _check_event(self, bots: list[Entrant], budget: EventBudget) -> ContestEvent:
        """Returns the event of checks: each bot among players who choose at random."""
        rules = self.rules
        entrants = [*bots, *table_of_check(bots[0], rules.size)[1:]] if bots else []
        return ContestEvent(
            rules.game, rules.named, entrants, rules.settings[:1], rules.size, seed=self.seed(), store=self._store,
            budget=budget, pool=self._pool, interpreted=self._interpreted, shown=max(1, rules.replays),
        )  # fmt: skip

    def _check_hall(self, submission: Submission, budget: EventBudget, *, play: bool = True) -> PairingRecord:
        """Returns the table of the check: the submission among players who choose at random."""
        event = self._check_event([self._entrant(submission)], budget)
        if play:
            event.play(0, event.groups[0], self.rules.check)
        return event.record(0, event.groups[0])

    def _played(self, submission: Submission, budget: EventBudget) -> Text | None:
        """Has a submission play everybody on the ladder; returns why it is refused, or None."""
        others = [one for one in self._field() if one.name != submission.name]
        event = self._event([*others, submission], budget)
        why = self._complete(
            event, submission.name, lambda: self._failing(_sat(event, submission.name), submission.name)
        )
        return why if why is not None else self._never_asked(_sat(event, submission.name), submission.name)

    @staticmethod
    def _never_asked(mine: list[PairingRecord], name: str) -> Text | None:
        """Returns why an entrant is refused of whom nothing is known although it was there."""
        if mine and not any(record.asked(name) for record in mine):
            return Text("was never asked anything, so nothing is known of it", "ни разу не дошло до вопроса к нему")
        return None

    def _failing(self, mine: list[PairingRecord], name: str) -> Text | None:
        """Returns why an entrant is refused who failed too often at these tables; None if it did not."""
        games = sum(record.asked(name) for record in mine)
        failed = sum(record.failed[name] for record in mine)
        if games < _ENOUGH or failed <= self.rules.most * games:
            return None
        mishaps = (mishap for record in reversed(mine) for mishap in record.mishaps if mishap.entrant == name)
        why = next((diagnosis(mishap.fault, mishap.why) for mishap in mishaps), None)
        message = Text(f": {why.en}", f": {why.ru}") if why is not None else Text("", "")
        return Text(
            f"failed in {failed} of {games} games{message.en}", f"сбой в {failed} партиях из {games}{message.ru}"
        )

    # Report

    def standing(self) -> ContestStanding:
        """Returns the contest as it stands, without playing."""
        event = self._event(self._field(), EventBudget(None, None, Stop()))
        self._load(event)
        current = {(one.name, one.code) for one in self._current()}
        field = {(one.name, one.code) for one in self._field()}
        submissions = tuple(
            SubmissionStatus(
                name=one_line(one.name),
                version=one.version,
                state=str(one.state),
                when=one.when,
                why=one.why,
                present=(one.name, one.code) in current,
                rated=(one.name, one.code) in field,
            )
            for one in self._desk.all
        )
        return ContestStanding(self.folder, self._ladder(event, submissions), submissions, self.rules.closed)

    def _load(self, event: ContestEvent) -> None:
        """Counts what was played before, table by table; who meets next depends on a whole round."""
        for wanted in self._schedule(event):
            known = [
                (setting, group, min(deals, event.record(setting, group).deals)) for setting, group, deals in wanted
            ]
            for _ in event.play_all(known):
                pass
            if any(event.deals(setting, group) < deals for setting, group, deals in wanted):
                return

    def _ladder(self, event: ContestEvent, submissions: tuple[SubmissionStatus, ...]) -> Ladder | None:
        if not event.played():
            return None
        games = self._all_games(event)
        seed, secret = self.seed(), self.rules.seed is None and not self.rules.closed
        info = contest_info(
            event,
            None if secret else seed,
            complete=event.games == games,
            requested=games,
            elapsed=self._spent,
            words=self._words,
        )
        # Whoever is told the seed at last can see that it was never changed.
        info.extra["seed_sha256"] = hashlib.sha256(str(seed).encode()).hexdigest()
        unrated = [
            Unrated(one.name, one.why) for one in submissions if one.present and not one.rated and one.why is not None
        ]
        several = [one.name for one in event.entrants if len(self._desk.versions(one.name)) > 1]
        ladder = ladder_of(event, info, unrated=unrated, notes=versions_note(several, closed=self.rules.closed))
        return replace(ladder, more=(submissions_table(submissions), *ladder.more))

    def _write(self) -> ContestStanding:
        """Writes the ladder: as data, and as a page in each language."""
        standing = self.standing()
        if self._listed is not None and standing.ladder is not None:
            run = standing.ladder.run
            self._listed.note(run.games, run.requested, complete=run.complete)
        write_saved(self.folder / "ladder.json", standing.json(), ours=True)
        if standing.ladder is not None:
            for lang in LANGUAGES:
                name = "ladder.html" if lang == "en" else f"ladder.{lang}.html"
                write_text(self.folder / name, ladder_page(standing.ladder, lang), ours=True)
        return standing

    def look_at(self, name: str) -> SubmissionView:
        """What there is to see of an entrant's last submission, or of a house agent: its tables, games and mishaps."""
        if any(entrant.name == name for entrant in self.rules.house):
            return SubmissionView(name, 0, str(SubmissionState.DONE), None, self._tables_of(name, self._field()))
        versions = [one for one in self._desk.all if name in (one.name, one_line(one.name))]
        if not versions:
            known = ", ".join(dict.fromkeys(one.name for one in self._desk.all)) or "–"
            raise PlaymillError(
                f"the contest has no entrant {name!r}; it has {known}",
                f"в соревновании нет участника {name!r}; есть {known}",
            )
        current = [one for one in self._current() if one.name == versions[-1].name]
        submission = (current or versions)[-1]
        if not self._desk.copy_of(submission).is_dir():
            return SubmissionView(one_line(name), submission.version, str(submission.state), submission.why, ())
        others = [one for one in self._field() if one.name != name]
        tables = self._tables_of(name, [*others, submission])
        with suppress(PlaymillError):
            checked = self._check_hall(submission, EventBudget(None, None, Stop()), play=False)
            tables = (entrant_pairing(name, checked), *tables) if checked.deals else tables
        return SubmissionView(name, submission.version, str(submission.state), submission.why, tables)

    def _tables_of(self, name: str, field: list[Submission]) -> tuple[EntrantPairing, ...]:
        """Returns the tables at which somebody sat among these, as they were played."""
        event = self._event(field, EventBudget(None, None, Stop()))
        self._load(event)
        return tuple(entrant_pairing(name, record) for record in _sat(event, name) if record.deals)


def _sat(event: ContestEvent, name: str) -> list[PairingRecord]:
    """Returns the tables at which somebody sat."""
    return [record for _, _, record, _ in event.played() if name in record.pairing.names]


def _table_of(event: ContestEvent, name: str) -> Group:
    """Returns the table of a check at which a bot sits among players who choose at random."""
    names = [entrant.name for entrant in event.entrants]
    others = [place for place, other in enumerate(names) if other.startswith("~")]
    return tuple(sorted((names.index(name), *others)))


def _without_path(text: Text, copy: Path) -> Text:
    """Returns a message without the path of a submission, which nobody else should see."""
    en, ru = (
        sentence.replace(f"agent {PREFIX}{copy}: ", "").replace(f"агент {PREFIX}{copy}: ", "").replace(f"{copy}/", "")
        for sentence in text
    )
    return Text(en, ru)
