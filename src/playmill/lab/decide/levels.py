"""`levels`: the report of a game among beginners, good players and experts, each with as many games as time allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from playmill.agents.levels import levels_of
from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig, change_texts
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.interrupts import interrupt
from playmill.lab.decide.simulate_each import SideBySide, resolve_each, simulate_each
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.simulate import play_resolved
from playmill.lab.runs.simulate.run import How
from playmill.lab.runs.store.reader import KeptRun, folder_of
from playmill.lab.runs.store.writer import default_name
from playmill.report.number_format import duration
from playmill.stdio import complain, doing
from playmill.texts import LANGUAGES, PlaymillError, Text, user_language

#: How long all levels play together, unless somebody says otherwise, and the most games of a fast one.
MINUTES, GAMES = 1.0, 100_000
#: How many minutes a tuning at all levels takes, about; and in how many settings with all their deals: a part of those
#: that the search tries, and what is played after it.
TUNING = 5.0
_OF_TRIALS, _AFTER_SEARCH = 0.25, 25
#: The fewest deals of a setting in a tuning: one for each group that intervals are taken over.
LEAST_DEALS = 64
#: Even a very slow level plays so much.
FEWEST = 16
#: The share of a level's time that finding out its speed may take.
_TRIAL = 0.03
#: No less than these seconds tell a speed.
_SHORTEST = 0.1
#: A wait of so many times what was asked for, and of so many seconds, is told of before it begins.
_LONGER, _MOMENT = 1.5, 5.0
_TAKES = Text(
    "the levels take about {took}, not {asked}: a slow one plays at least {fewest}, and what was begun is finished;"
    " --games N,N,N says how much each plays",
    "уровням нужно около {took}, а не {asked}: медленный играет хотя бы {fewest}, а начатое доигрывается; сколько"
    " играет каждый, задаёт --games N,N,N",
)
_OF_GAMES = Text("{n} {n:game|games}", "{n} {n:партию|партии|партий}")
_OF_DEALS = Text("{n} {n:deal|deals}", "{n} {n:раздачу|раздачи|раздач}")
_TRYING = Text("finding out how fast each level plays", "выясняю, как быстро играет каждый уровень")
ShareCallback = Callable[[float], None]


@dataclass(frozen=True)
class LevelSizes:
    """How much each level plays, and how many of these it plays a second (about)."""

    games: tuple[int, ...]
    rates: tuple[float, ...]

    def share(self, done: int) -> float:
        """Returns the share of the whole time after some games, one level after the other."""
        seconds = [size / rate for size, rate in zip(self.games, self.rates, strict=True)]
        passed = 0.0
        for size, took in zip(self.games, seconds, strict=True):
            passed += took * min(done, size) / size
            done -= min(done, size)
        return passed / sum(seconds)


@same_folder()
def levels(
    game: str | Game,
    *,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    games: int | Sequence[int] = GAMES,
    minutes: float = MINUTES,
    workers: int | None = None,
    on: str | None = None,
    keep: bool | None = None,
    progress: ShareCallback | None = None,
    preparing: Preparing | None = None,
) -> SideBySide:
    """Plays a game among beginners, good players and experts, and returns their reports side by side.

    A level plays `games`, or as many as it can in its share of the `minutes`; what a fast one leaves of its share the
    slower ones have. Several numbers of games, one for each level, are played whatever time that takes. Each run is the
    one that `simulate` plays with that agent. What takes long is kept (`keep`), and the same call goes on with it.
    `progress` hears which share of all is done.
    """
    settings = as_config(as_game(game), config)
    settings = settings.changed(change_texts(set)) if set else settings
    among = levels_of(as_game(game), settings)
    common: dict[str, Any] = {"players": players, "among": among, "config": settings, "seed": seed}
    plans = [*resolve_each(game, **common).values()]
    how = How(workers=workers, on=on, keep=keep, keep_games=False, preparing=preparing)
    sizes = level_sizes(plans, games, minutes, how)
    return simulate_each(
        game,
        games=sizes.games,
        workers=workers,
        on=on,
        keep=keep,
        keep_games=False,
        progress=(lambda done: progress(sizes.share(done))) if progress is not None else None,
        preparing=preparing,
        **common,
    )


def level_sizes(
    plans: Sequence[ResolvedPlan], games: int | Sequence[int], minutes: float, how: How, *, each: int = 1
) -> LevelSizes:
    """Returns how much each level plays: as many as given, if one number is given for each, else as time allows.

    What is counted takes `each` games: a deal of a comparison takes two. Says so if it takes longer than the minutes.
    """
    found = _in_minutes(plans, games, minutes, how, each)
    if isinstance(games, int):
        kept = [(0, 0) if how.keep is False else _kept(resolved) for resolved in plans]
        sizes = tuple(max(size, end) for size, (end, _) in zip(found.games, kept, strict=True))
        left = sum((size - done) / rate for size, (_, done), rate in zip(sizes, kept, found.rates, strict=True))
        _tell_if_longer(left, 60 * minutes, (_OF_GAMES if each == 1 else _OF_DEALS).format(n=min(FEWEST, games)))
        return LevelSizes(sizes, found.rates)
    return found


def _in_minutes(
    plans: Sequence[ResolvedPlan], games: int | Sequence[int], minutes: float, how: How, each: int
) -> LevelSizes:
    if not minutes > 0:
        raise PlaymillError(
            f"cannot play for {minutes:g} minutes; more than 0", f"нельзя играть {minutes:g} минут; нужно больше 0"
        )
    if not isinstance(games, int):
        return LevelSizes(tuple(games), (1.0,) * len(games))
    doing(_TRYING)
    trial = max(_SHORTEST, _TRIAL * 60 * minutes / len(plans))
    with interrupt():
        rates = tuple(_rate(resolved, how, trial, games * each) / each for resolved in plans)
    return LevelSizes(in_time(rates, games, 60 * minutes), rates)


def _tell_if_longer(seconds: float, asked: float, fewest: Text) -> None:
    """Says how long levels take, where that is clearly longer than was asked for."""
    if seconds > max(_LONGER * asked, _MOMENT):
        took, wanted = (Text(*(duration(time, lang) for lang in LANGUAGES)) for time in (seconds, asked))
        complain(_TAKES.format(took=took, asked=wanted, fewest=fewest).of(user_language()))


def tuning_sizes(plans: Sequence[ResolvedPlan], games: int, trials: int, minutes: float | None, how: How) -> LevelSizes:
    """Returns how many deals of a setting a tuning plays at each level, so that the whole takes about so long.

    Most settings of a search are cut short; those of the stages after it play all their deals.
    """
    settings = _OF_TRIALS * trials + _AFTER_SEARCH
    minutes = TUNING if minutes is None else minutes
    found = _in_minutes(plans, games, minutes / settings, how, 1)
    # By factors of two, so that the same command comes to the same numbers unless the machine is another one.
    deals = [max(LEAST_DEALS, 1 << size.bit_length() - 1) if size < games else games for size in found.games]
    took = settings * sum(size / rate for size, rate in zip(deals, found.rates, strict=True))
    _tell_if_longer(took, 60 * minutes, _OF_DEALS.format(n=LEAST_DEALS))
    return LevelSizes(tuple(deals), found.rates)


def in_time(rates: Sequence[float], most: int, seconds: float) -> tuple[int, ...]:
    """Returns how much each plays, at most `most`: all have an equal share of the time, and of what others leave."""
    sizes = [0] * len(rates)
    order = sorted(range(len(rates)), key=lambda place: -rates[place])
    for before, place in enumerate(order):
        share = seconds / (len(rates) - before)
        sizes[place] = min(most, max(FEWEST, _rounded(rates[place] * share)))
        seconds = max(0.0, seconds - sizes[place] / rates[place])
    return tuple(sizes)


def _rounded(games: float) -> int:
    """Returns a number of games with two digits, which nobody takes for an exact one."""
    tail: int = 10 ** max(0, len(str(int(games))) - 2)
    return int(games) // tail * tail


def _rate(resolved: ResolvedPlan, how: How, seconds: float, most: int) -> float:
    """Returns about how many games a second are played, from the first ones of the run."""
    mine = replace(how, keep=False, keep_games=False)
    games = 1
    while True:
        took = max(1e-6, play_resolved(resolved, range(games), mine).info.elapsed_s)
        if took >= seconds or games >= most:
            return games / took
        games = min(most, games * max(2, min(16, int(seconds / took))))


def _kept(resolved: ResolvedPlan) -> tuple[int, int]:
    """Returns how many games a kept run of this plan is to have, with which the same command goes on, and has."""
    with suppress(PlaymillError):
        run = KeptRun.open(folder_of(default_name(resolved, range(1))))
        if run.plan == resolved.plan and run.manifest.first == 0:
            return run.manifest.end, run.games
    return 0, 0
