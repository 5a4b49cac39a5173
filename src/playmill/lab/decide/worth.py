"""`worth`: measures how the win rate changes when one side has a piece of content and the other does not.

Every thing is tried in each seat, on the same deals as a match in which nobody has it. The seats of one deal are one
block and the interval is taken over blocks: what the luck of a deal decides anyway falls out of the difference.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.content import Trial
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.contract.modules import ContentModule, TrialsModule
from playmill.interrupts import interrupt
from playmill.lab.runs.content import require_content
from playmill.lab.runs.executors import where_of
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.saved_progress import Keep, Kept, SavedProgress, Seen
from playmill.lab.runs.simulate import game_range, simulate
from playmill.report.html.page import fact_list, page_of, section
from playmill.report.model.tables import Chart, Estimate, RunInfo, Table, mean
from playmill.report.number_format import decimal
from playmill.texts import Lang, PlaymillError, Text
from playmill.version import __version__

#: Chunks of a range of deals: some seconds of each trial.
_RANGE = 64
Payoffs = np.ndarray[Any, np.dtype[np.int64]]
ProgressCallback = Callable[[int, int], None]
_COLUMNS = (
    "kind",
    "id",
    "count",
    "change",
    "change_low",
    "change_high",
    "win_rate",
    "win_rate_low",
    "win_rate_high",
    "fired_per_game",
    "points_per_game",
)


@dataclass(frozen=True)
class Worth:
    """Worth of one piece: the change in win rate, the win rate with it, and what it did in a game."""

    trial: Trial
    change: Estimate
    win_rate: Estimate
    fired: float
    points: float

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "kind": self.trial.kind,
            "id": self.trial.id,
            "count": self.trial.count,
            "name": {"en": self.trial.name.en, "ru": self.trial.name.ru},
            "change": self.change.json(),
            "win_rate": self.win_rate.json(),
            "fired_per_game": self.fired,
            "points_per_game": self.points,
        }


@dataclass
class _Sums:
    """Sums over the deals of a trial: changes and payoffs, and how often the piece fired."""

    deals: int = 0
    change: tuple[int, int] = (0, 0)
    paid: tuple[int, int] = (0, 0)
    fired: int = 0
    points: float = 0.0

    def add(self, change: Payoffs, paid: Payoffs, fired: int, points: float) -> None:
        """Counts some more deals."""
        self.deals += len(change)
        self.change = _added(self.change, change)
        self.paid = _added(self.paid, paid)
        self.fired += fired
        self.points += points


def _added(before: tuple[int, int], blocks: Payoffs) -> tuple[int, int]:
    return before[0] + int(blocks.sum()), before[1] + int((blocks * blocks).sum())


@dataclass
class _Runs:
    """Progress over the runs of one range of deals."""

    first: int
    end: int
    all: int
    #: The deals that were to be played, of which this range is a part.
    wanted: range
    progress: ProgressCallback | None
    done: int = 0

    @property
    def deals(self) -> int:
        """How many deals the range has."""
        return self.end - self.first

    def tell(self, games: int) -> None:
        """Hears how many games of the run that is being played are done."""
        if self.progress is not None:
            before = self.all * (self.first - self.wanted.start) + self.done * self.deals
            self.progress(before + games, self.all * len(self.wanted))


class WorthMeasurement:
    """Trials of pieces of content, extended range by range of deals; no deal is played twice."""

    def __init__(
        self,
        game: str | Game,
        *,
        content: Any = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        agents: Any = None,
        only: Sequence[str] = (),
        on: str | None = None,
        workers: int | None = None,
    ) -> None:
        self.game = as_game(game)
        self._module = require_trials(self.game)
        self.config = as_config(self.game, config)
        self.agents = tuple(agents) if isinstance(agents, (list, tuple)) else (agents or self._module.AGENT,)
        self._seed, self._on, self._workers = seed, on, workers
        tried = content if content is not None else require_content(self.game).library()
        self.trials = named_trials(self._module, self.config, tried, only)
        self._sums = [_Sums() for _ in self.trials]
        self._info: RunInfo | None = None

    @property
    def deals(self) -> int:
        """Returns how many deals of everything are known."""
        return min((one.deals for one in self._sums), default=0)

    @cached_property
    def resolved(self) -> ResolvedPlan:
        """Who plays without any of it; a range of deals can begin at multiples of its plan's chunk."""
        return resolve_plan(self.game, agents=self.agents, config=self.config, seed=self._seed)

    def key(self) -> str:
        """The same for whatever plays the same by the same rules, however it is called: its figures are the same."""
        made = hashlib.sha256()
        seats = self.game.players[0]
        made.update(repr((self.game.name, self.agents, self._seed)).encode())
        for config in (self.config, *(one for trial in self.trials for one in trial.configs)):
            made.update(config.pack(seats).tobytes())
        made.update(repr([(trial.kind, trial.count, len(trial.configs)) for trial in self.trials]).encode())
        return made.hexdigest()[:32]

    def json(self) -> list[dict[str, Any]]:
        """Returns what was counted, to go on from."""
        return [asdict(one) for one in self._sums]

    def seen(self) -> Seen:
        """Returns what is to be saved: what was counted, and of how many deals at most."""
        return {"deals": max((one.deals for one in self._sums), default=0), "trials": self.json()}

    def go_on_from(self, counted: Sequence[Mapping[str, Any]]) -> None:
        """Takes up what was counted before."""
        found = [_Sums(**{**one, "change": tuple(one["change"]), "paid": tuple(one["paid"])}) for one in counted]
        if len(found) == len(self._sums):
            self._sums = found

    def play(self, end: int, progress: ProgressCallback | None = None, tried: Callable[[], None] | None = None) -> bool:
        """Plays all that is missing of the deals up to `end`; whether that was all of them, or somebody stopped it.

        Many deals are played as ranges, of all trials each, and `tried` is called after each trial of a range: no more
        than that is lost by whoever saves what is counted.
        """
        wanted = range(self.deals, end)
        step = self.resolved.plan.chunk * (_RANGE if self.resolved.threads else 1)
        while self.trials and (first := self.deals) < end:
            # What was stopped half-way has some trials further than others.
            further = [one.deals for one in self._sums if one.deals > first]
            missing = [at for at, one in enumerate(self._sums) if one.deals == first]
            stop = min([end, first - first % step + step, *further])
            runs = _Runs(first, stop, 1 + sum(len(self.trials[at].configs) for at in missing), wanted, progress)
            if not self._range(missing, runs, tried):
                return False
        return True

    def _range(self, missing: Sequence[int], runs: _Runs, tried: Callable[[], None] | None) -> bool:
        """Plays a range of deals of all trials that lack it; False if somebody stopped it."""
        with interrupt() as stopped, where_of(self._on, self._workers).joined():
            plain = self._played(self.config, runs)
            for at in missing:
                if plain is None or not self._tried(at, plain[0], runs, stopped):
                    return False
                if tried is not None:
                    tried()
        return True

    def _tried(self, at: int, plain: Payoffs, runs: _Runs, stopped: Callable[[], object]) -> bool:
        """Returns counts what a range of deals of a trial brought, one run for each seat; False if it was stopped."""
        trial = self.trials[at]
        change, paid, fired, points = np.zeros(runs.deals, np.int64), np.zeros(runs.deals, np.int64), 0, 0.0
        for seat, changed in enumerate(trial.configs):
            played = None if stopped() else self._played(changed, runs)
            if played is None:
                return False
            mine = played[0][seat]
            change += mine - plain[seat]
            paid += mine
            effect = played[1]["effects"].get(trial.id, {"fired": 0, "points": 0})
            fired += effect["fired"]
            points += effect["points"]
        self._sums[at].add(change, paid, fired, points)
        return True

    def _played(self, settings: RuleConfig, runs: _Runs) -> tuple[Payoffs, dict[str, Any]] | None:
        """Returns what each deal paid to each seat, and the results; None if it was stopped."""
        paid: list[Payoffs] = []

        def on_part(part: FinishedGames) -> None:
            paid.append(np.stack([self._module.payoffs(part.rows, seat) for seat in range(self.game.players[0])]))

        try:
            run = simulate(
                self.game,
                games=runs.end,
                first=runs.first,
                seed=self._seed,
                agents=self.agents,
                config=settings,
                on=self._on,
                workers=self._workers,
                keep_games=False,
                on_part=on_part,
                progress=runs.tell,
            )
        except KeyboardInterrupt:
            if not runs.done and not runs.first:
                raise
            return None
        runs.done += 1
        self._info = run.info
        return (np.concatenate(paid, axis=1), run.results) if run.info.complete else None

    def found(self) -> list[Worth]:
        """Returns what everything that was tried is worth, as far as it is known; the most valuable first."""
        known = [
            _worth(trial, sums, self._module.PAYOFF)
            for trial, sums in zip(self.trials, self._sums, strict=True)
            if sums.deals
        ]
        return sorted(known, key=lambda one: (-one.change.value, one.trial.id))

    def results(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "playmill": __version__,
            "game": self.game.name,
            "games": self.deals,
            "seed": self._seed,
            "agents": list(self.agents),
            "config": self.config.model_dump(mode="json"),
            "worth": [one.json() for one in self.found()],
        }

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        assert self._info is not None, "something was played"
        facts = [
            (Text("Deals", "Раздач"), decimal(self.deals, 0, lang)),
            (Text("Agents", "Агенты"), ", ".join(self.agents)),
            (Text("Seed", "Сид"), str(self._seed)),
        ]
        table = worth_table(self.found(), require_content(self.game), self.deals)
        return page_of(self._info, [fact_list(facts, lang), section(table, lang)], lang)


def _worth(trial: Trial, sums: _Sums, payoff: int) -> Worth:
    seats = len(trial.configs)
    each = sums.deals * seats
    # The mean over blocks, as a share of the most that a block could bring.
    most = payoff * seats
    change = mean(sums.deals, *sums.change, least=-most, most=most).over(most)
    win_rate = mean(sums.deals, *sums.paid, least=0, most=most).over(most)
    return Worth(trial, change, win_rate, sums.fired / each, sums.points / each)


def worth(
    game: str | Game,
    *,
    content: Any = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    games: int = 100_000,
    seed: int = 0,
    agents: Any = None,
    only: Sequence[str] = (),
    keep: Keep = False,
    on: str | None = None,
    workers: int | None = None,
    progress: ProgressCallback | None = None,
) -> list[Worth]:
    """Tries every piece of content in every seat, `games` deals each; the most valuable first.

    `content` is what is tried (all there is by default), `only` some of its ids. With `keep` what was counted is on
    disk, and asking the same again goes on from there; None keeps what takes long. Ctrl-C ends it with what is
    finished.
    """
    weighing = WorthMeasurement(
        game, content=content, config=config, seed=seed, agents=agents, only=only, on=on, workers=workers
    )
    game_range(weighing.resolved, 0, games)
    what = {"plans": [weighing.resolved.plan.json()], "worth": weighing.key()}
    with interrupt(), SavedProgress(what, keep=keep, listed=Kept("worth", None, games)) as memory:
        if (seen := memory.recall(games)) is not None:
            weighing.go_on_from(seen["trials"])
        weighing.play(games, progress, lambda: memory.note(weighing.seen))
        memory.note(weighing.seen, at_once=True)
    return weighing.found()


def require_trials(game: Game) -> TrialsModule:
    """Returns the trials module of a game; raises a message if it has none."""
    require_content(game)
    if game.trials is None:
        raise PlaymillError(
            f"{game.name} does not say how to try its content", f"{game.name} не умеет испытывать своё содержание"
        )
    return game.trials


def named_trials(
    trials_module: TrialsModule, config: RuleConfig, content: Any, only: Sequence[str], *, option: str = "--only "
) -> list[Trial]:
    """Returns all trials of some content, or those of given ids; an unknown id raises a message."""
    found: list[Trial] = trials_module.trials(config, content, only)
    for name in only:
        if all(trial.id != name for trial in found):
            listed = ", ".join(sorted({trial.id for trial in trials_module.trials(config, content)}))
            raise PlaymillError(
                f"{option}{name}: there is nothing of that id to try; there is: {listed}",
                f"{option}{name}: с таким id испытывать нечего; есть: {listed}",
            )
    return found


def worth_table(found: Sequence[Worth], content_module: ContentModule, games: int) -> Table:
    """Returns the table of what everything is worth, for the terminal or a page."""
    return Table(
        "worth",
        Text("What one side gains by it", "Что это даёт одной из сторон"),
        (
            Text("what", "что"),
            Text("kind", "вид"),
            Text("win rate changes by", "доля побед меняется на"),
            Text("uses", "срабатываний"),
            Text("points", "очков"),
        ),
        tuple(
            (
                one.trial.name if one.trial.count == 1 else _times(one.trial),
                content_module.KIND_NAMES[one.trial.kind],
                one.change,
                round(one.fired, 2),
                round(one.points, 1),
            )
            for one in found
        ),
        note=Text(
            f"Each was tried in {decimal(games, 0, 'en')} deals in every seat, on the same luck as without it; uses and"
            " points are per game. 0 uses: with these agents its condition never held.",
            f"Каждое испытано в {decimal(games, 0, 'ru')} раздачах на каждом месте с той же удачей, что и без него;"
            " остальное — за партию. 0 срабатываний: у этих агентов условие не выполнялось ни разу.",
        ),
        chart=Chart(0, 2, reference=0.0, reference_label=Text("no difference", "без разницы")),
        percent_columns=frozenset({2}),
    )


def _times(trial: Trial) -> Text:
    return Text.join((trial.name, str(trial.count)), " ×")


def worth_csv(found: Sequence[Worth]) -> str:
    """Returns one CSV row for each thing tried."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for one in found:
        change = (one.change.value, one.change.low, one.change.high)
        with_it = (one.win_rate.value, one.win_rate.low, one.win_rate.high)
        rows.writerow([one.trial.kind, one.trial.id, one.trial.count, *change, *with_it, one.fired, one.points])
    return text.getvalue()
