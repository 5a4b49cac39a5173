"""Runs a contest: accepts submissions, checks them, has them play everybody, and writes the ladder.

Everything that happened is on disk before anything else begins, so that it may be killed at any time: whoever starts it
again goes on where it was. An entrant that fails too often is refused, and is no part of the contest any more: the
others stand as if it had never come, since the seed of a table depends on who sits there and nothing else.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

from playmill.agents.programs.spec import PREFIX
from playmill.interrupts import Stop, interrupt
from playmill.lab.contests.bot_check import complaints, diagnosis
from playmill.lab.contests.contest.estimate import quadratic
from playmill.lab.contests.contest.folder import ContestFolder, pairings_of
from playmill.lab.contests.contest.standing import ContestStanding
from playmill.lab.contests.contest.submissions import WAITING_STATES, Submission, SubmissionState, still_arriving
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, Group, OverError
from playmill.lab.contests.tournament.kept import describe_event
from playmill.lab.contests.tournament.pool import pool_on
from playmill.lab.contests.tournament.store import PairingRecord
from playmill.lab.runs.executors.base import LostExecutorError
from playmill.lab.runs.executors.where import where_of
from playmill.lab.runs.kept_work import KeptDescription
from playmill.lab.runs.store.lock import RunLock
from playmill.report.commands.tournament import ladder_page
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.report.files.writing import write_saved, write_text
from playmill.stdio import complain
from playmill.texts import LANGUAGES, PlaymillError, Text, user_language

#: Games after which one may be refused for failing too often.
_ENOUGH = 10
#: Seconds between two looks for new submissions.
_LOOK = 1.0
#: Hears what is being done, how much of it is done, and of how much.
Telling = Callable[[Text, int, int], None]


class Contest(ContestFolder):
    """The contest in a folder, played by this process."""

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
        super().__init__(folder, interpreted=interpreted, state=state, remembers=remembers)
        self._where = where_of(on, workers)
        self._telling = telling
        self._listed: KeptDescription | None = None
        self._warned = False

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
                    self._wait(budget)
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

    def _wait(self, budget: EventBudget) -> None:
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
            if self._submissions.find(folder.name, folder.code) is not None or (careful and still_arriving(folder)):
                continue
            if folder.why is not None:
                self._submissions.refuse_folder(folder, folder.why)
            else:
                self._submissions.take(folder)

    def _work(self, budget: EventBudget) -> None:
        """Checks and plays every submission that waits, in the order in which they came."""
        queue = self._waiting()
        self._check_all(queue, budget)
        self._warn_of_many(queue)
        for one in queue:
            why = self._checked(one, budget)
            if why is None and not self.rules.rounds:
                why = self._played(self._submissions.move(one, SubmissionState.PLAYING), budget)
            self._submissions.move(one, SubmissionState.REFUSED if why is not None else SubmissionState.DONE, why)
            if not self.rules.rounds:
                self._judge(budget)
                self._write()
        # Whatever the rules ask for beside: the rounds, more deals, another setting, another house agent, the end.
        self._complete(self._event(self._field(), budget))
        while self._judge(budget):
            self._complete(self._event(self._field(), budget))

    def _warn_of_many(self, queue: list[Submission]) -> None:
        """Tells once, before they play, how long everybody against everybody will take, by the games of the checks."""
        if self._warned or not queue:
            return
        entrants = len(self.rules.house) + len({one.name for one in (*self._field(), *queue)})
        checked = []
        for one in queue:
            with suppress(PlaymillError):
                checked.append(self._check_table(one, EventBudget(None, None, Stop()), play=False))
        games = sum(record.deals * record.pairing.games for record in checked)
        seconds = sum(record.seconds for record in checked) / games if games else None
        assert self._pool is not None
        if (sentence := quadratic(self.rules, entrants, self._pool.workers, seconds)) is not None:
            self._warned = True
            complain(sentence.of(user_language()))

    def _waiting(self) -> list[Submission]:
        """Returns the submissions that are to be checked and played, in the order in which they came."""
        current = {(one.name, one.code) for one in self._current()}
        return [one for one in self._submissions.all if one.state in WAITING_STATES and (one.name, one.code) in current]

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
            self._submissions.move(one, SubmissionState.REFUSED, why)
        return bool(refused)

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
        submission = self._submissions.move(submission, SubmissionState.CHECKING)
        try:
            record = self._check_table(submission, budget)
        except LostExecutorError:
            raise
        except PlaymillError as error:
            return _without_path(error.text, self._submissions.copy_of(submission))
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

    def _played(self, submission: Submission, budget: EventBudget) -> Text | None:
        """Has a submission play everybody on the ladder; returns why it is refused, or None."""
        others = [one for one in self._field() if one.name != submission.name]
        event = self._event([*others, submission], budget)
        why = self._complete(
            event, submission.name, lambda: self._failing(pairings_of(event, submission.name), submission.name)
        )
        return why if why is not None else self._never_asked(pairings_of(event, submission.name), submission.name)

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
