"""Sequential testing for `--until-sure`: plays deals until one figure has settled one question, and gives the verdict.

Looks come after fixed numbers of deals, in the order of games, so that the same seed stops at the same game on every
machine. A share of games decides by a betting sequence on what each deal says of it, which holds for any number of
deals (see `stats/confidence_sequences.py`); any other figure by a sequence that takes the mean of many
deals for normal (see `stats/critical_values.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite

from playmill.interrupts import Stop
from playmill.lab.runs.deal_values import DealValues, NoShareError
from playmill.lab.runs.figures import ReportFigure, at, described, find, name_of
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.paired_play import PairedSetting, check_seconds, turns
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.saved_progress import Keep, Kept, SavedProgress, Seen, count_again, counted
from playmill.report.commands.until_sure import Sure, Verdict
from playmill.report.model.common_tables import FAIR_SHARE
from playmill.stats.block_jackknife import Path, interval, value_of
from playmill.stats.confidence_sequences import ConfidenceSequence, Floats, SequenceLook
from playmill.stats.confidence_sequences import ObservationSums as Sums
from playmill.stats.critical_values import AtAnyTime
from playmill.stats.differences import differ
from playmill.texts import PlaymillError

#: Deals to play if nobody says how many: a question that is still open then is not settled.
BUDGET = 1_000_000
#: The first looks are this many deals apart, later ones a tenth of those played; a normal mean needs more of them.
_STEP, _MANY = 64, 512
FAIR = "fair"
#: Callback that receives what is believed, as it goes.
Telling = Callable[[Sure], None]
#: The parts of some deals, of each side.
Turn = Sequence[Sequence[FinishedGames]]


@dataclass(frozen=True)
class SequentialQuestion:
    """A question to settle: is a figure near a number, or equal on both sides, within a distance?"""

    figure: str
    within: float | None = None
    #: A number, or `fair`: where the report draws its line. None of a comparison, and where it is only to be known.
    near: float | str | None = None
    #: Seconds after which nothing more is played.
    seconds: float | None = None

    def check(self, *, compared: bool) -> None:
        """Raises unless it can be asked."""
        if self.within is not None and not 0 < self.within < float("inf"):
            raise PlaymillError(
                f"--within is {self.within}; expected a number above 0",
                f"--within равно {self.within}; нужно число больше 0",
            )
        check_seconds(self.seconds)
        if self.near not in (None, FAIR) and (isinstance(self.near, str) or not isfinite(self.near)):
            raise PlaymillError(
                f"--near is {self.near!r}; expected a number or {FAIR}",
                f"--near равно {self.near!r}; нужно число или {FAIR}",
            )
        if not compared and self.near is None and self.within is None:
            raise PlaymillError(
                f"sure of what? add --near fair or --near NUMBER (is {self.figure} that?) or --within D (how exactly?)",
                f"в чём надо убедиться? добавьте --near fair или --near ЧИСЛО (таков ли {self.figure}?)"
                " либо --within D (насколько точно?)",
            )

    def memory(self, sides: Sequence[ResolvedPlan], *, keep: Keep, command: str, deals: int) -> SavedProgress:
        """Returns the saved progress of these plans, which the command asks for, with as many deals at most."""
        asked = {"figure": self.figure, "within": self.within, "near": self.near}
        listed = Kept("until-sure", command, deals)
        return SavedProgress({**asked, "plans": [resolved.plan.json() for resolved in sides]}, keep=keep, listed=listed)

    def words(self) -> list[str]:
        """It as options of a command line; how long it took is not part of it."""
        words = ["--until-sure", self.figure]
        words += ["--near", str(self.near)] if self.near is not None else []
        return words + (["--within", f"{self.within:g}"] if self.within is not None else [])

    def verdict(self, look: SequenceLook, centre: float | None) -> Verdict:
        """Returns what is sure after a look."""
        if centre is None:
            assert self.within is not None
            return Verdict.KNOWN if look.high - look.low <= 2 * self.within else Verdict.OPEN
        d = self.within or 0.0
        if look.low > centre + d:
            return Verdict.HIGHER
        if look.high < centre - d:
            return Verdict.LOWER
        if d and centre - d <= look.low and look.high <= centre + d:
            return Verdict.SAME
        return Verdict.OPEN


def settle(
    question: SequentialQuestion,
    sides: Sequence[PairedSetting],
    deals: int,
    stop: Stop,
    *,
    memory: SavedProgress,
    progress: Callable[[int], None] | None = None,
    telling: Telling | None = None,
) -> Sure | None:
    """Plays deals of one or two settings until the question is settled; None if not even the first were finished.

    What was seen before is in its memory, and goes there; of a turn cut short by the end of all deals it knows nothing,
    so that whoever plays more deals looks when one would who had meant to from the beginning.
    """
    start = time.perf_counter()
    asking = _Asking(question, sides)
    if (seen := memory.recall(deals)) is not None:
        asking.recall(seen)
        if (sure := asking.look(last=asking.played == deals)) is not None and sure.settled:
            return sure
        if progress is not None:
            progress(asking.played)
    whole = True
    for turn in turns(sides, deals, stop, size=asking.step, first=asking.played):
        asking.take(turn)
        whole = asking.whole
        late = question.seconds is not None and time.perf_counter() - start > question.seconds
        if (sure := asking.look(last=late or asking.played == deals)) is not None and telling is not None:
            telling(sure)
        if progress is not None:
            progress(asking.played)
        done = late or (sure is not None and sure.settled)
        if whole:
            over = sure is not None and sure.settled
            memory.note(asking.seen, at_once=done or asking.played + asking.step(asking.played) > deals, ended=over)
        if done:
            return sure
    if whole and asking.played:
        memory.note(asking.seen, at_once=True)
    return asking.look(last=True)


class _Asking:
    """A question with the test that decides it, which is chosen when the first deals have been played."""

    def __init__(self, question: SequentialQuestion, sides: Sequence[PairedSetting]) -> None:
        self._question, self._sides = question, sides
        self._judge: _Exact | _Nearly | None = None
        self._sure: Sure | None = None
        #: Whether the last turn had all the deals it should.
        self.whole = True

    @property
    def played(self) -> int:
        """The deals so far."""
        return int(self._sides[0].total.blocks.sum())

    def step(self, played: int) -> int:
        """Returns how many deals there are until the next look."""
        return self._judge.step(played) if self._judge is not None else _STEP

    def take(self, turn: Turn) -> None:
        """Takes deals that are finished."""
        deals = sum(part.games for part in turn[0]) // self._sides[0].rotations
        self.whole = deals == self.step(self.played - deals)
        if self._judge is None:
            self._sure, most = _asked(self._question, self._sides)
            self._judge = _judge(self._sure.path, most, self._sides, turn)
        else:
            try:
                self._judge.take(turn)
            except NoShareError:
                # A share of games that are counted more than once now and then: only the mean of many tells of it.
                self._judge = _Nearly(self._judge.path, self._sides)
        assert self._sure is not None
        self._sure = replace(self._sure, exact=self._judge.exact)

    def seen(self) -> Seen:
        """Returns all that is to be remembered after a turn; the look that follows it is taken again."""
        assert self._judge is not None and self._sure is not None
        return {
            "deals": self.played,
            "looks": [list(look) for look in self._sure.looks if look.n < self.played],
            "judge": self._judge.seen(),
            "sides": [counted(side) for side in self._sides],
        }

    def recall(self, seen: Seen) -> None:
        """Goes on after what was seen before; the sides have played nothing yet."""
        for side, counts in zip(self._sides, seen["sides"], strict=True):
            count_again(side, counts)
        self._sure, most = _asked(self._question, self._sides)
        looks = tuple(SequenceLook(*look) for look in seen["looks"])
        path, judge = self._sure.path, seen["judge"]
        if judge is not None and most is not None:
            self._judge = _Exact.again(path, most, self._sides, judge)
        else:
            self._judge = _Nearly(path, self._sides, looks[-1] if looks else None)
        self._sure = replace(self._sure, looks=looks, exact=self._judge.exact, before=seen["deals"])

    def look(self, *, last: bool) -> Sure | None:
        """Returns what is sure now; None if it is too early to look, unless this is the last chance."""
        sure, judge, played = self._sure, self._judge, self.played
        if sure is None or judge is None or not (judge.ready(played) or last):
            return None
        if not sure.looks or sure.last.n < played:
            look = judge.look(played)
            verdict = self._question.verdict(look, sure.near) if judge.ready(played) else Verdict.OPEN
            self._sure = sure = replace(sure, looks=(*sure.looks, look), verdict=verdict)
        return sure


def _asked(question: SequentialQuestion, sides: Sequence[PairedSetting]) -> tuple[Sure, float | None]:
    """Returns the question in terms of the report, still open; and the largest value a share can have."""
    compared = len(sides) > 1
    results = [side.results() for side in sides]
    path = find(_named(question.figure, sides), results[0], "--until-sure")
    values = [at(one, path) for one in results]
    if any(value is None for value in values):
        raise PlaymillError(
            f"--until-sure: the report of B has no figure {name_of(path)!r}",
            f"--until-sure: в отчёте B нет показателя {name_of(path)!r}",
        )
    figure = described(sides[0].resolved.game, results[0], sides[0].info(), path)
    near = 0.0 if compared else _near(question, figure)
    limits = [value.most for value in values if value is not None and value.most is not None]
    sure = Sure(
        path=path,
        title=figure.title,
        percent=figure.percent,
        compared=compared,
        near=near,
        fair=(figure.fair_label or FAIR_SHARE) if question.near == FAIR else None,
        within=question.within,
        verdict=Verdict.OPEN,
        exact=False,
        looks=(),
    )
    return sure, max(limits) if len(limits) == len(values) else None


def _named(name: str, sides: Sequence[PairedSetting]) -> str:
    """Returns the name of a figure with agents named as where both sides stand together."""
    for side in sides:
        for own, label in side.labels.items():
            if label not in name and own in name.split("."):
                return ".".join(label if part == own else part for part in name.split("."))
    return name


def _near(question: SequentialQuestion, figure: ReportFigure) -> float | None:
    if question.near != FAIR:
        return None if question.near is None else float(question.near)
    if figure.fair is None:
        raise PlaymillError(
            f"the report does not say what would be fair for {figure.name}; give --near a number",
            f"отчёт не говорит, сколько было бы честно для {figure.name}; задайте --near числом",
        )
    return figure.fair


def _judge(path: Path, most: float | None, sides: Sequence[PairedSetting], turn: Turn) -> _Exact | _Nearly:
    """Chooses the test for a figure: bets on each deal if it is a share of games, else the mean of many deals."""
    if most is not None:
        try:
            return _Exact.of(path, most, sides, turn)
        except NoShareError:
            pass
    return _Nearly(path, sides)


class _Exact:
    """Betting sequence on the deals of a share, or on the difference of two shares; exact for any n."""

    exact = True

    def __init__(self, path: Path, most: float, sides: Sequence[PairedSetting]) -> None:
        self.path, self._sides = path, sides
        self._values = [DealValues(side.resolved, path, side.report) for side in sides]
        #: How many observations each deal is, on each side; None if that differs from deal to deal.
        self._each: list[float] | None = None
        self._sequence = ConfidenceSequence(-most if len(sides) > 1 else 0.0, most)

    @classmethod
    def of(cls, path: Path, most: float, sides: Sequence[PairedSetting], turn: Turn) -> _Exact:
        """Returns one that has taken the first deals; raises if the figure is no such share."""
        made = cls(path, most, sides)
        first_values = made._deal_values(turn)
        each = [float(below[0]) for _, below in first_values]
        if all(one and (below == one).all() for one, (_, below) in zip(each, first_values, strict=True)):
            made._each = each
        # Of one side it is a share all the same, if no game is more than one observation.
        elif len(sides) > 1 or (first_values[0][1] > sides[0].rotations).any():
            raise NoShareError
        made._add(first_values)
        return made

    @classmethod
    def again(cls, path: Path, most: float, sides: Sequence[PairedSetting], seen: Seen) -> _Exact:
        """Returns one that has taken all that was seen before."""
        made = cls(path, most, sides)
        made._each = seen["each"]
        for n, sums in seen["turns"]:
            made._sequence.take(Sums(n, tuple(sums)))
        return made

    def seen(self) -> Seen | None:
        """Returns what it remembers."""
        return {"each": self._each, "turns": self._sequence.turns}

    def ready(self, played: int) -> bool:
        """From the first deal on."""
        return True

    def step(self, played: int) -> int:
        """Returns how many deals there are until the next look."""
        return max(_STEP, played // 10)

    def take(self, turn: Turn) -> None:
        """Takes more deals; raises if the figure turns out to be no such share."""
        try:
            self._add(self._deal_values(turn))
        except ValueError as error:
            raise NoShareError from error

    def look(self, played: int) -> SequenceLook:
        """Returns what is believed now."""
        return self._sequence.looks[-1]

    def _deal_values(self, turn: Turn) -> list[tuple[Floats, Floats]]:
        return [
            values.take(parts, side.total.counts.total())
            for values, parts, side in zip(self._values, turn, self._sides, strict=True)
        ]

    def _add(self, values: Sequence[tuple[Floats, Floats]]) -> None:
        if self._each is None:
            hits, below = values[0]
            self._sequence.add(hits / self._sides[0].rotations, below / self._sides[0].rotations)
            return
        if any((below != each).any() for each, (_, below) in zip(self._each, values, strict=True)):
            raise NoShareError
        shares = [hits / each for each, (hits, _) in zip(self._each, values, strict=True)]
        self._sequence.add(shares[0] if len(shares) == 1 else shares[1] - shares[0])


class _Nearly:
    """Sequence that takes the mean of many deals for normal, for any figure."""

    exact = False

    def __init__(self, path: Path, sides: Sequence[PairedSetting], last: SequenceLook | None = None) -> None:
        self.path, self._sides = path, sides
        self._low, self._high = (last.low, last.high) if last is not None else (-inf, inf)

    def seen(self) -> Seen | None:
        """Nothing but the counts and the looks, which are remembered anyway."""
        return None

    def ready(self, played: int) -> bool:
        """When there are enough deals for that."""
        return played >= _MANY

    def step(self, played: int) -> int:
        """Returns how many deals there are until the next look, which takes a while: the report is made 65 times."""
        return max(_STEP, _MANY - played, played // 4)

    def take(self, turn: Turn) -> None:
        """The counts have it all."""

    def look(self, played: int) -> SequenceLook:
        """Returns what is believed now: never what was not believed before."""
        errors = AtAnyTime(played)
        left = [side.left_out() for side in self._sides]
        values = [value_of(one.figures[self.path]) for one in left]
        if len(left) > 1:
            value = float(values[1] - values[0])
            found = differ(self.path, left[0], left[1], errors)
            low, high = found.low, found.high
        else:
            value = float(values[0])
            others = [one.get(self.path) for one in left[0].without]
            low, high = interval(left[0].figures[self.path], others, left[0].sizes, errors)
        if isfinite(low) and isfinite(high):
            self._low, self._high = max(self._low, low), min(self._high, high)
        if self._low > self._high:  # in few histories
            self._low = self._high = value
        return SequenceLook(played, value, self._low, self._high)
