"""`tune`: searches for numbers of the rules that meet goals best, then validates them on fresh games."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig, change_texts
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.interrupts import interrupt
from playmill.lab.decide.changeable import AGENT, Changeable, Setting
from playmill.lab.decide.each_agent.agents import AmongWhom, check_among, games_each, sizes_text
from playmill.lab.decide.simulate_each import agents_of, check_sizes
from playmill.lab.decide.tune.evaluator import AGAIN, GRAIN, Evaluator
from playmill.lab.decide.tune.final_race import Effect, FinalRace, Racer, Validation, as_good
from playmill.lab.decide.tune.goals import Goal, read_goals, resolved_goals
from playmill.lab.decide.tune.journal import Journal
from playmill.lab.decide.tune.meters import PlayLimits, info_of
from playmill.lab.decide.tune.result import Tuning
from playmill.lab.decide.tune.search import Search
from playmill.lab.decide.tune.space import Space
from playmill.lab.runs.executors import where_of
from playmill.lab.runs.paired_play import check_seconds
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.report.model.among import named
from playmill.stats.goal_loss import Reading
from playmill.texts import PlaymillError, Text

#: Settings of the search that race the rules.
_FINALISTS = 5
#: The share of the gain that the smallest change may lose, unless somebody says otherwise.
_NEARLY = 0.1
#: The most members of a front that are looked at with fresh games.
_FRONT = 8
#: Settings with few changes that the search came across, and that may be the smallest change.
_OTHERS = 4
#: Hears what is being done, how much of it is done, and of how much.
ProgressCallback = Callable[[Text, int, int], None]


@same_folder()
def tune(
    game: str | Game,
    *,
    free: Sequence[str] | str,
    goal: Sequence[str] | str,
    players: int | Sequence[int] | None = None,
    agents: Any = None,
    among: Sequence[Any] = (),
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    games: int | Sequence[int] = 6_000,
    trials: int = 60,
    most_games: int | None = None,
    seconds: float | None = None,
    nearly: float = _NEARLY,
    front: bool = False,
    rotate: bool = True,
    keep: bool = True,
    on: str | None = None,
    workers: int | None = None,
    progress: ProgressCallback | None = None,
) -> Tuning:
    """Searches for the numbers with which the goals are met best, and returns what fresh games say of them.

    `free` are words such as `target:50..150`, or `agent.NAME.KEY:20..30` for a number of an agent; `goal` such as
    `equal:seats.*.win_rate` or `turns=20`. `games` are the deals of a setting that survives the search, at each number
    of `players`. The search ends after so many `trials`, `most_games` or `seconds`; what follows it is played whole.
    With `keep` the same call goes on after a stop. `on` is where games are played, as for `simulate`. With `among`,
    agents or levels of play, one setting has to serve tables of each of them; `games` may be a number for each.
    """
    where = where_of(on, workers)
    check_seconds(seconds)
    chosen = as_game(game)
    words = [free] if isinstance(free, str) else list(free)
    wishes = [goal] if isinstance(goal, str) else list(goal)
    settings = as_config(chosen, config)
    settings = settings.changed(change_texts(set)) if set else settings
    goals = read_goals(chosen, wishes)
    whom = _whom(chosen, players, among, agents, words)
    tables = _tables(game, players, agents, whom, settings, seed, rotate)
    each = games_each(games, whom.names if whom is not None else tuple(tables))
    most = max(each)
    first = next(iter(tables.values()))
    # The largest table has every agent that was named.
    widest = max(tables.values(), key=lambda resolved: resolved.plan.players)
    space = Space(Changeable(settings, chosen, widest.seats if whom is None else ()), words)
    _check(min(each), trials, nearly, front=front, goals=goals)
    what = {
        "game": chosen.name,
        "plans": [resolved.plan.digest for resolved in tables.values()],
        "free": [one.written() for one in space.free],
        "goals": [one.written() for one in goals],
        "games": most if len({*each}) == 1 else list(each),
        "trials": trials,
        "most_games": most_games,
        "seconds": seconds,
        "nearly": nearly,
        "front": front,
        "seed": seed,
    }
    written = _command(first, tables, whom, each, space, goals, what, rotate=rotate)
    with interrupt() as stop, where.joined(), Journal(what, kept=keep, command=written) as journal:
        shares = {table: size / most for table, size in zip(tables, each, strict=True)}
        evaluator = Evaluator(space, tables, goals, journal, PlayLimits(where, stop), shares)
        evaluator.check()
        stop.keep()
        work = _Work(space, evaluator, goals, journal, most, trials, seed, front, nearly, progress)
        start, before = time.perf_counter(), journal.seconds
        search = work.search(most_games, seconds)
        runners, effects, proofs = work.front(search) if front else work.end(search)
        elapsed = before + time.perf_counter() - start
        journal.tell(complete=True)
    return Tuning(
        game=chosen,
        info=info_of(first, 0),
        players=tuple(resolved.plan.players for resolved in tables.values()),
        resolved=first,
        space=space,
        goals=tuple(goals),
        aims=tuple(map(tuple, search.aims)),
        figures=evaluator.figures,
        prefixes=evaluator.tables,
        whom=named(whom.names, whom.levels) if whom is not None else (),
        trials=tuple(search.trials),
        refused=search.refused,
        complaint=search.complaint,
        whole=search.whole,
        runners=tuple(runners),
        effects=tuple(effects),
        proofs=tuple(proofs),
        front=front,
        nearly=nearly,
        deals=work.deals,
        games=evaluator.games,
        elapsed_s=round(elapsed, 3),
        command=written,
        unused=journal.unused,
        kept=journal.name if journal.folder is not None else None,
    )


class _Work:
    """Runs the stages of a tuning, one after the other."""

    def __init__(
        self,
        space: Space,
        evaluator: Evaluator,
        goals: Sequence[Goal],
        journal: Journal,
        games: int,
        trials: int,
        seed: int,
        front: bool,
        nearly: float,
        progress: ProgressCallback | None,
    ) -> None:
        self._space, self._evaluator, self._goals, self._journal = space, evaluator, goals, journal
        self._trials, self._seed, self._is_front, self._nearly, self._progress = trials, seed, front, nearly, progress
        self.deals = max(1, round(games / GRAIN)) * GRAIN
        self._done = 0

    def search(self, most_games: int | None, seconds: float | None) -> Search:
        """Runs the search until its budget is spent."""
        search = Search(
            self._space, self._evaluator, deals=self.deals, trials=self._trials, seed=self._seed, front=self._is_front
        )

        def aims(rules: Reading) -> Any:
            return resolved_goals(self._goals, self._evaluator.tables, rules)

        def spent(trials: int) -> bool:
            if self._journal.over is not None:
                return trials >= self._journal.over
            if seconds is not None and self._journal.seconds >= seconds:
                self._journal.end_search(trials)
                return True
            return most_games is not None and self._evaluator.games >= most_games

        search.run(aims, spent, self._searched)
        return search

    def end(self, search: Search) -> tuple[list[Racer], list[Effect], list[Validation]]:
        """Returns the race, what each number does, the smallest change, and the proof."""
        ending = self._ending(search)
        best = sorted(search.finished, key=lambda trial: (trial.loss, trial.number))
        finalists = [trial.setting for trial in best if trial.setting][:_FINALISTS]
        runners = ending.race([{}, *finalists]) if finalists else []
        winner: Setting = runners[0].setting if runners else {}
        if not winner:
            return runners, [], ending.prove([{}])
        effects = ending.effects(winner)
        allowed = (1 - self._nearly) * min(trial.loss for trial in best)
        others = [trial.setting for trial in best if trial.loss <= allowed and len(trial.setting) < len(winner)]
        others.sort(key=len)
        smallest = ending.smallest(winner, effects, others[:_OTHERS], self._nearly)
        if smallest is winner:
            return runners, effects, ending.prove([{}, winner])
        proofs = ending.prove([{}, winner, smallest])
        if not as_good(proofs[2].reading, proofs[1].reading, search.aims):
            return runners, effects, proofs
        # Fewer changes, and no worse in anything: so it is the best. These games chose it, so others are told of.
        return runners, ending.effects(smallest), ending.prove([{}, smallest], AGAIN)

    def front(self, search: Search) -> tuple[list[Racer], list[Effect], list[Validation]]:
        """Returns the members of the front on fresh games, and the rules first."""
        members = sorted(search.leading(), key=lambda trial: trial.losses)
        if len(members) > _FRONT:
            members = [members[round(place * (len(members) - 1) / (_FRONT - 1))] for place in range(_FRONT)]
        return [], [], self._ending(search).prove([{}, *(trial.setting for trial in members if trial.setting)])

    def _ending(self, search: Search) -> FinalRace:
        aims = [aim for goal in search.aims for aim in goal]
        self._done = 0
        return FinalRace(self._space, self._evaluator, aims, deals=self.deals, progress=self._ended)

    def _searched(self, search: Search) -> None:
        if self._progress is not None:
            best, rules = search.best, search.trials[0].wholes[-1].loss
            now = f"{max(0.0, rules + best.loss) ** 0.5:.2f}, {max(0.0, rules) ** 0.5:.2f}"
            start = Text("now", "сейчас") if self._space.of_agents else Text("rules", "правила")
            label = Text(f"searching (best, {start.en}: {now})", f"ищу (лучшее, {start.ru}: {now})")
            self._progress(label, len(search.trials) - 1, self._trials)

    def _ended(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(Text("playing fresh games", "играю новые партии"), self._done, 0)


def _sizes(game: Game, players: int | Sequence[int] | None) -> tuple[int, ...]:
    given = (players,) if isinstance(players, int) else (game.players[0],) if players is None else tuple(players)
    return check_sizes(game, given)


def _whom(
    game: Game, players: int | Sequence[int] | None, among: Sequence[Any], agents: Any, free: Sequence[str]
) -> AmongWhom | None:
    """Returns those among whom one setting is to do; None if there is one table of each size."""
    if not among:
        return None
    sizes = _sizes(game, players)
    if len(sizes) > 1:
        raise PlaymillError(
            "one setting for several agents, or for several numbers of players, but not both; name one number",
            "одна настройка — на нескольких агентов или на несколько чисел игроков, но не сразу; назовите одно число",
        )
    if any(word.startswith(f"{AGENT}.") for word in free) and AGENT not in game.config.model_fields:
        raise PlaymillError(
            "numbers of an agent are tuned with --agents; among several only numbers of the rules are free",
            "числа агента настраивают с --agents; среди нескольких агентов менять можно только числа правил",
        )
    return check_among(game, among, sizes[0], agents)


def _tables(
    game: str | Game,
    players: int | Sequence[int] | None,
    agents: Any,
    whom: AmongWhom | None,
    config: RuleConfig,
    seed: int,
    rotate: bool,
) -> dict[str, ResolvedPlan]:
    """Returns a resolved plan for each number of players, or agent; where there are several, figures begin with it."""
    chosen = as_game(game)
    sizes = _sizes(chosen, players)
    common: dict[str, Any] = {"config": config, "seed": seed, "rotate": rotate, "grouped": True}
    if whom is not None:
        plans = [resolve_plan(game, players=sizes[0], agents=(agent,), **common) for agent in whom.agents]
        names = [f"{name}/" for name in whom.names] if len(plans) > 1 else [""]
        return dict(zip(names, plans, strict=True))
    agents = "random" if agents is None else agents
    chosen_agents = tuple(agents) if isinstance(agents, (list, tuple)) else (agents,)
    return {
        f"{size}/" if len(sizes) > 1 else "": resolve_plan(
            game,
            players=size,
            agents=agents_of(chosen_agents, size, sizes),
            **common,
        )
        for size in sizes
    }


def _check(games: int, trials: int, nearly: float, *, front: bool, goals: Sequence[Goal]) -> None:
    if games < 1 or trials < 1:
        raise PlaymillError(
            f"{trials} trials of {games} games: at least 1 of each",
            f"попыток {trials}, партий {games}: нужно хотя бы по 1",
        )
    if not 0 < nearly < 1:
        raise PlaymillError(
            f"nearly as good is a share between 0 and 1, not {nearly:g}",
            f"«почти не хуже» — доля между 0 и 1, а не {nearly:g}",
        )
    if front and len(goals) < 2:
        raise PlaymillError("a front needs two goals or more", "для фронта нужны хотя бы две цели")


def _command(
    first: ResolvedPlan,
    tables: Mapping[str, ResolvedPlan],
    whom: AmongWhom | None,
    games: Sequence[int],
    space: Space,
    goals: Sequence[Goal],
    what: Mapping[str, Any],
    *,
    rotate: bool,
) -> str:
    """Returns the command line that repeats the tuning."""
    sizes = dict.fromkeys(str(resolved.plan.players) for resolved in tables.values())
    words = ["playmill", "tune", first.reference, "--players", *sizes]
    specs = [resolved.found[0] for resolved in tables.values()]
    words += ["--agents", *first.found] if whom is None else whom.options(specs)
    words += ["--seed", str(what["seed"]), "--free", *(one.written() for one in space.free)]
    words += ["--goal", *(goal.written() for goal in goals)]
    exact = whom is not None and bool(whom.levels)
    words += ["--games", sizes_text(games, exact=exact), "--trials", str(what["trials"])]
    words += ["--set", *first.changes()] if first.changes() else []
    words += ["--most-games", str(what["most_games"])] if what["most_games"] is not None else []
    words += ["--time", f"{what['seconds']:g}s"] if what["seconds"] is not None else []
    words += ["--nearly", f"{what['nearly']:g}"] if what["nearly"] != _NEARLY else []
    words += ["--front"] if what["front"] else []
    words += [] if rotate else ["--fixed-seats"]
    return shlex.join(words)
