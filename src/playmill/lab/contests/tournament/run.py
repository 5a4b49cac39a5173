"""`tournament`: has agents play each other by a schedule, and returns the ladder."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import RuleConfig, changed_by, differences
from playmill.engine.contract.game import Game, as_config, as_game, reference_of
from playmill.engine.run.match import check_seed
from playmill.interrupts import interrupt
from playmill.lab.contests.tournament.entrants import Entrant, read_entrants
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, Group, OverError
from playmill.lab.contests.tournament.kept import describe_event
from playmill.lab.contests.tournament.ladder import ladder_of
from playmill.lab.contests.tournament.pairing import RuleSetting
from playmill.lab.contests.tournament.play_deals import prepare
from playmill.lab.contests.tournament.pool import pool_on
from playmill.lab.contests.tournament.schedule import MOST_TABLES, Settling, round_robin, swiss
from playmill.lab.contests.tournament.store import PairingStore, pairings_folder
from playmill.lab.runs.executors.where import where_of
from playmill.lab.runs.paired_play import check_seconds
from playmill.report.commands.ladder import Ladder, LadderRung
from playmill.report.commands.tournament import ladder_page
from playmill.report.html.page import in_notebook
from playmill.report.model.tables import RunInfo
from playmill.texts import Lang, PlaymillError, Text, user_language
from playmill.version import __version__

#: Deals of a table unless somebody says how many, and games of a contest that is to be settled, by the slowest kind.
_DEALS = {"compiled": 1000, "python": 100, "program": 50}
_BUDGET = {"compiled": 5_000_000, "python": 50_000, "program": 10_000}
_SLOW_DEALS, _SLOW_BUDGET = 20, 2_000
#: Hears what is being done, how much of it is done, and of how much.
ProgressCallback = Callable[[Text, int, int], None]

_NO_PAIRING = Text(
    "no pairing is played to its end in {n} {n:game|games}; name more: --games",
    "за {n} {n:партию|партии|партий} не доиграть ни одной встречи; назовите больше: --games",
)


@dataclass(frozen=True, repr=False)
class Tournament:
    """Result of a tournament: the ladder, and its report."""

    found: Ladder

    def __repr__(self) -> str:
        run = self.found.run
        return f"<Tournament of {run.game}: {len(self.ladder)} entrants, {run.games} games>"

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    def __str__(self) -> str:
        lines = []
        for rung in self.ladder:
            place = f"{rung.first}" if rung.first == rung.last else f"{rung.first}–{rung.last}"
            rating = rung.rating
            lines.append(f"{place:>5}  {rung.name}  {rating.value:.0f} [{rating.low:.0f}, {rating.high:.0f}]")
        return "\n".join(lines)

    @property
    def ladder(self) -> tuple[LadderRung, ...]:
        """Everybody from the strongest to the weakest."""
        return self.found.rungs

    @property
    def settled(self) -> bool:
        """Whether every place is."""
        return self.found.settled

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return self.found.json()

    def page(self, lang: Lang) -> str:
        """It as a page that opens without a network."""
        return ladder_page(self.found, lang)


@same_folder()
def tournament(
    game: str | Game,
    entrants: Sequence[Any],
    *,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | Sequence[RuleConfig | Mapping[str, Any]] | None = None,
    set: Sequence[str] = (),
    settings: Sequence[Sequence[str]] = (),
    seed: int = 0,
    deals: int | None = None,
    rounds: int | None = None,
    until_settled: bool = False,
    within: float | None = None,
    games: int | None = None,
    seconds: float | None = None,
    keep: bool | Path = True,
    workers: int | None = None,
    on: str | None = None,
    backend: str = "cpu",
    progress: ProgressCallback | None = None,
) -> Tournament:
    """Has everybody play everybody, every deal from every seat, and returns the ladder.

    `entrants` are agents as elsewhere, `NAME=AGENT`, folders of them, or objects. Tables have `players` seats. There
    may be several configs, and `settings`, each a list of changes. Every table plays so many `deals`; with `rounds` it
    is a Swiss tournament of so many; `until_settled` plays on until neighbours on the ladder are told apart, or equal
    `within` so much of the points. At most so many `games`, or `seconds`, are played. With `keep` the same call goes on
    after a stop, and whatever another tournament has played of the same tables is not played again. `on` says where,
    which changes no results: threads, ray, or the address of a Ray cluster.
    """
    chosen = as_game(game)
    named = reference_of(chosen)
    check_seed(seed)
    check_seconds(seconds)
    where = where_of(on, workers, backend=backend)
    size = table_size(chosen, players)
    joined = read_entrants(chosen, entrants, size)
    rules = read_settings(chosen, config, set, settings)
    for rule in rules:
        rule.config.pack(1 if chosen.players[1] == 1 else size)
    _check(deals, rounds, games, until_settled=until_settled, within=within)
    tables = comb(len(joined), size)
    if rounds is None and not (until_settled and size == 2) and tables * len(rules) > MOST_TABLES:
        raise PlaymillError(
            f"{len(joined)} entrants at tables of {size} are {tables} tables; name --rounds for a Swiss tournament",
            f"{len(joined)} участников за столами по {size} — это столов: {tables}; назовите --rounds для швейцарской"
            " системы",
        )
    folder = keep if isinstance(keep, Path) else pairings_folder() if keep else None
    complete = True
    with interrupt() as stop, pool_on(where) as pool:
        budget = EventBudget(None, seconds, stop)
        event = ContestEvent(
            chosen,
            named,
            joined,
            rules,
            size,
            seed=seed,
            store=PairingStore(folder),
            budget=budget,
            pool=pool,
            interpreted=backend == "interpreted",
        )
        kind = slowest(event)
        if seconds is not None and where.cluster is None:
            # What is compiled first is no part of the time.
            for setting, group in product(range(len(rules)), _where_all_sit(event)):
                prepare(event.record(setting, group).pairing)
            budget.begin()
        begun = time.perf_counter()
        deals = deals if deals is not None else _DEALS.get(kind, _SLOW_DEALS)
        if games is None and until_settled:
            games = _BUDGET.get(kind, _SLOW_BUDGET)
        budget.games = games
        expected = games if until_settled else _expected(event, deals, rounds)
        words = _words(named, joined, size, rules, seed)
        words += ["--until-settled"] if until_settled else ["--deals", str(deals)]
        words += ["--within", f"{within:g}"] if within is not None else []
        words += ["--rounds", str(rounds)] if rounds is not None else []
        words += ["--games", str(games)] if games is not None else []
        listed = describe_event("tournament", chosen.name, words) if keep is True else None

        def played(done: int) -> None:
            if listed is not None:
                listed.note(done, expected or 0)
            if progress is not None:
                progress(Text("playing", "играю"), done, expected or 0)

        event.on_game = played
        settling = Settling(event, within=within) if until_settled else None
        try:
            if settling is not None:
                settling.run()
            elif rounds is not None:
                swiss(event, deals, rounds)
            else:
                round_robin(event, deals)
        except OverError:
            complete = settling is not None and not stop()
        if not event.played():
            if listed is not None:
                listed.remove()
            if games is not None and not budget.stop():
                raise PlaymillError(*_NO_PAIRING.format(n=games))
            if seconds is not None and not stop():
                raise PlaymillError(
                    f"no pairing was played to its end in {seconds:g} s; give it more time",
                    f"за {seconds:g} с не доиграна ни одна встреча; дайте больше времени",
                )
            raise KeyboardInterrupt
        if complete and listed is not None:
            listed.note(event.games, event.games, complete=True)
    info = contest_info(
        event,
        seed,
        complete=complete,
        requested=expected or event.games,
        elapsed=time.perf_counter() - begun,
        words=words,
    )
    return Tournament(ladder_of(event, info, looked=settling))


def table_size(game: Game, players: int | None) -> int:
    """Returns how many entrants meet at a table: the number of players, or two where one plays alone."""
    if players is not None:
        game.check_players(players)
    if game.players[1] == 1:
        return 2
    return players if players is not None else max(2, game.players[0])


def read_settings(
    game: Game,
    config: Any,
    changes: Sequence[str],
    variants: Sequence[Sequence[str]],
    options: tuple[str, str] = ("--set", "--setting"),
) -> list[RuleSetting]:
    """Returns the rules that are played: every config with every variant, and the changes common to all.

    A mistake names which of the `options` it came by; where there are both, the first.
    """
    given = list(config) if isinstance(config, (list, tuple)) else [config]
    made: dict[str, RuleSetting] = {}
    for one in given or [None]:
        for variant in variants or [()]:
            found = changed_by(options[0 if changes else 1], as_config(game, one), [*changes, *variant])
            changed = variant or [f"{path}={value}" for path, value in differences(found).items()]
            name = ", ".join(changed) or "—"
            name = name if len(name) <= 80 else f"{name[:79]}…"
            if any(other.config == found for other in made.values()):
                raise PlaymillError(f"two settings are the same: {name}", f"две настройки одинаковы: {name}")
            while name in made:
                name += "′"
            made[name] = RuleSetting(name, found)
    return list(made.values())


def slowest(event: ContestEvent) -> str:
    """Returns the slowest kind among the entrants."""
    kinds = {kind for group in _where_all_sit(event) for kind in event.record(0, group).pairing.kinds}
    order = ("compiled", "python", "program", "search")
    return max(kinds, key=order.index)


def _where_all_sit(event: ContestEvent) -> list[Group]:
    """Returns the fewest groups in which everybody sits."""
    last = len(event.entrants) - event.size
    starts = (min(start, last) for start in range(0, len(event.entrants), event.size))
    return [tuple(range(start, start + event.size)) for start in starts]


def contest_info(
    event: ContestEvent, seed: int | None, *, complete: bool, requested: int, elapsed: float, words: Sequence[str]
) -> RunInfo:
    """Collects what there is to know of an event that is not its results."""
    config = event.settings[0].config
    return RunInfo(
        game=event.game.name,
        title=event.game.title,
        playmill=__version__,
        players=1 if event.game.players[1] == 1 else event.size,
        games=event.games,
        requested=requested,
        seed=seed,
        agents=tuple(entrant.name for entrant in event.entrants),
        config=config.model_dump(mode="json"),
        changes=differences(config),
        backend="cpu",
        workers=1,
        complete=complete,
        elapsed_s=round(elapsed, 3),
        command=shlex.join(words),
        rotations=event.size,
    )


def _words(named: str, entrants: Sequence[Entrant], size: int, rules: Sequence[RuleSetting], seed: int) -> list[str]:
    """Returns the beginning of the command line that repeats the event."""
    words = ["playmill", "tournament", named, "--entrants"]
    words += [one.found if one.name == one.found else f"{one.name}={one.found}" for one in entrants]
    words += ["--players", str(size), "--seed", str(seed)]
    for rule in rules:
        changes = [
            f"{path}={value if isinstance(value, str) else _plain(value)}"
            for path, value in differences(rule.config).items()
        ]
        if changes or len(rules) > 1:
            words += ["--setting", *changes]
    return words


def _plain(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _expected(event: ContestEvent, deals: int, rounds: int | None) -> int:
    """Returns how many games there will be."""
    tables = rounds * (len(event.entrants) // event.size) * len(event.settings) if rounds else event.tables_at_most
    return tables * deals * event.size


def _check(
    deals: int | None, rounds: int | None, games: int | None, *, until_settled: bool, within: float | None
) -> None:
    for name, number in (("deals", deals), ("rounds", rounds), ("games", games)):
        if number is not None and number < 1:
            raise PlaymillError(f"{name} is {number}; at least 1", f"{name} равно {number}; нужно хотя бы 1")
    if until_settled and (rounds is not None or deals is not None):
        raise PlaymillError(
            "--until-settled decides itself how much is played: leave out --deals and --rounds, name --games or --time",
            "--until-settled само решает, сколько играть: уберите --deals и --rounds, назовите --games или --time",
        )
    if within is not None and not until_settled:
        raise PlaymillError("--within goes with --until-settled", "--within бывает только с --until-settled")
    if within is not None and not 0 < within < 0.5:
        raise PlaymillError(
            f"--within is {within:g}; expected a share of points below 50 %",
            f"--within равно {within:g}; нужна доля очков меньше 50 %",
        )
