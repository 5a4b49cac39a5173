"""A contest in a folder as it stands: who is there, what is to be played, what was, and the ladder; plays nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from playmill.agents.programs.spec import PREFIX, read_program
from playmill.interrupts import Stop
from playmill.lab.contests.bot_check import table_of_check
from playmill.lab.contests.contest.intake import EntrantFolder, Intake
from playmill.lab.contests.contest.rules import ContestRules, read_rules
from playmill.lab.contests.contest.seed import ContestSeed
from playmill.lab.contests.contest.standing import ContestStanding, entrant_pairing
from playmill.lab.contests.contest.submissions import Submission, SubmissionState, SubmissionStore
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, Wanted
from playmill.lab.contests.tournament.ladder import ladder_of
from playmill.lab.contests.tournament.pool import PairingPool
from playmill.lab.contests.tournament.run import contest_info
from playmill.lab.contests.tournament.schedule import swiss_rounds
from playmill.lab.contests.tournament.store import PairingRecord, PairingStore
from playmill.report.commands.contest import (
    EntrantPairing,
    SubmissionStatus,
    SubmissionView,
    submissions_table,
    versions_note,
)
from playmill.report.commands.ladder import Ladder, Unrated
from playmill.texts import PlaymillError, one_line

ENTRANTS, STATE = "entrants", "state"


class ContestFolder:
    """The contest in a folder, as anybody may read it."""

    def __init__(
        self,
        folder: Path | str,
        *,
        interpreted: bool = False,
        state: Path | None = None,
        remembers: bool = False,
    ) -> None:
        self.folder = Path(folder).absolute()
        self.rules: ContestRules = read_rules(self.folder)
        self._state = state if state is not None else self.folder / STATE
        self._seed = ContestSeed(self._state, self.rules)
        #: Where tables are played, while they are.
        self._pool: PairingPool | None = None
        self._interpreted = interpreted
        self._store = PairingStore(self._state / "sittings", remembers=remembers)
        self._submissions = SubmissionStore(self._state)
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
        found = (self._submissions.find(folder.name, folder.code) for folder in self._folders())
        return [one for one in found if one is not None]

    def _folders(self) -> list[EntrantFolder]:
        """Returns the entrants' folders, with what the contest itself has against one."""
        house = {entrant.name for entrant in self.rules.house}
        return [self._submissions.admitted(one, house, self.rules.versions) for one in self._intake.folders()]

    def _field(self) -> list[Submission]:
        """Who is on the ladder: of every entrant that is still there the present version, or the last that was done."""
        found = []
        for one in self._current():
            done = [other for other in self._submissions.versions(one.name) if other.state is SubmissionState.DONE]
            if one.state is SubmissionState.DONE:
                found.append(one)
            elif done:
                found.append(done[-1])
        return found

    def _entrant(self, submission: Submission) -> Entrant:
        """Returns a submission as somebody who plays, known by its content wherever the contest's folder lies."""
        program = read_program(f"{PREFIX}{self._submissions.copy_of(submission)}", self.rules.limits)
        # Of several versions one may have been chosen by luck: what is shown in the end comes from other deals.
        chosen = self.rules.closed and len(self._submissions.versions(submission.name)) > 1
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

    # What is to be played

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

    def _check_event(self, bots: list[Entrant], budget: EventBudget) -> ContestEvent:
        """Returns the event of checks: each bot among players who choose at random."""
        rules = self.rules
        entrants = [*bots, *table_of_check(bots[0], rules.size)[1:]] if bots else []
        return ContestEvent(
            rules.game, rules.named, entrants, rules.settings[:1], rules.size, seed=self.seed(), store=self._store,
            budget=budget, pool=self._pool, interpreted=self._interpreted, shown=max(1, rules.replays),
        )  # fmt: skip

    def _check_table(self, submission: Submission, budget: EventBudget, *, play: bool = True) -> PairingRecord:
        """Returns the table of the check: the submission among players who choose at random."""
        event = self._check_event([self._entrant(submission)], budget)
        if play:
            event.play(0, event.groups[0], self.rules.check)
        return event.record(0, event.groups[0])

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
            for one in self._submissions.all
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
        # Whoever gets the seed at last can see that it was never changed.
        info.extra["seed_sha256"] = hashlib.sha256(str(seed).encode()).hexdigest()
        unrated = [
            Unrated(one.name, one.why) for one in submissions if one.present and not one.rated and one.why is not None
        ]
        several = [one.name for one in event.entrants if len(self._submissions.versions(one.name)) > 1]
        ladder = ladder_of(event, info, unrated=unrated, notes=versions_note(several, closed=self.rules.closed))
        return replace(ladder, more=(submissions_table(submissions), *ladder.more))

    def look_at(self, name: str) -> SubmissionView:
        """What there is to see of an entrant's last submission, or of a house agent: its tables, games and mishaps."""
        if any(entrant.name == name for entrant in self.rules.house):
            return SubmissionView(name, 0, str(SubmissionState.DONE), None, self._tables_of(name, self._field()))
        versions = [one for one in self._submissions.all if name in (one.name, one_line(one.name))]
        if not versions:
            known = ", ".join(dict.fromkeys(one.name for one in self._submissions.all)) or "–"
            raise PlaymillError(
                f"the contest has no entrant {name!r}; it has {known}",
                f"в соревновании нет участника {name!r}; есть {known}",
            )
        current = [one for one in self._current() if one.name == versions[-1].name]
        submission = (current or versions)[-1]
        if not self._submissions.copy_of(submission).is_dir():
            return SubmissionView(one_line(name), submission.version, str(submission.state), submission.why, ())
        others = [one for one in self._field() if one.name != name]
        tables = self._tables_of(name, [*others, submission])
        with suppress(PlaymillError):
            checked = self._check_table(submission, EventBudget(None, None, Stop()), play=False)
            tables = (entrant_pairing(name, checked), *tables) if checked.deals else tables
        return SubmissionView(name, submission.version, str(submission.state), submission.why, tables)

    def _tables_of(self, name: str, field: list[Submission]) -> tuple[EntrantPairing, ...]:
        """Returns the tables at which somebody sat among these, as they were played."""
        event = self._event(field, EventBudget(None, None, Stop()))
        self._load(event)
        return tuple(entrant_pairing(name, record) for record in pairings_of(event, name) if record.deals)


def pairings_of(event: ContestEvent, name: str) -> list[PairingRecord]:
    """Returns the tables at which somebody sat."""
    return [record for _, _, record, _ in event.played() if name in record.pairing.names]
