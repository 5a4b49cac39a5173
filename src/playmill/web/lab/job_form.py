"""Parses the form of a job (simulate, compare, sweep, tune, …) into its arguments, or raises one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from playmill.agents.levels import levels_of
from playmill.engine.config.model import RefusedConfigError, RuleConfig, differences
from playmill.engine.config.settings import describe_changes
from playmill.engine.contract.game import Game, reference_of
from playmill.engine.contract.goals import NamedGoal
from playmill.engine.contract.levels import Level
from playmill.lab.decide.changeable import written
from playmill.lab.decide.until_sure import BUDGET, FAIR
from playmill.lab.runs.content import Pieces
from playmill.lab.runs.executors import offered, where_of
from playmill.lab.runs.figures import ReportFigure, described_figures
from playmill.lab.runs.resolved_plan import resolve_plan
from playmill.lab.runs.simulate import simulate
from playmill.texts import PlaymillError, Text
from playmill.web.agents.offered import OfferedAgent, find_agent
from playmill.web.live.setup import TableSetup
from playmill.web.page.settings_form import SettingsForm
from playmill.web.saved.rules import SavedRules

#: Sizes a form offers, and the default of each field.
GAMES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
DEALS = (500, 5_000, 50_000, 500_000)
MINUTES = (1, 5, 20, 60)
USUAL = {
    "games": 100_000,
    "deals": 5_000,
    "minutes": 5,
    "level_minutes": 2,
    "sweep_deals": 2_000,
    "tune_deals": 3_000,
    "trials": 40,
    "sure_deals": BUDGET,
    "table_deals": 1_000,
}
#: The largest number of each field.
_MOST = {
    "games": 10**10,
    "deals": 10**8,
    "minutes": 1440,
    "level_minutes": 1440,
    "sweep_deals": 10**6,
    "tune_deals": 10**6,
    "trials": 2000,
    "sure_deals": 10**9,
    "table_deals": 10**6,
}
_DEALS = Text("how many deals?", "сколько раздач?")
#: The question for a number; deals by default.
_HOW_MANY = {
    "games": Text("how many games?", "сколько партий?"),
    "minutes": Text("how many minutes?", "сколько минут?"),
    "level_minutes": Text("how many minutes in all?", "сколько минут на всё?"),
    "trials": Text("how many settings are tried?", "сколько испытаний?"),
}
#: What the field `among` says where a question is asked at levels of play.
LEVELS = "levels"
#: The longest value that is shown.
_SHORT = 30
_FAIR = "equal:seats.*.win_rate"
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,9})?")
#: Digits, or groups of three of them: "5,5" is no 55.
_WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}([\s,_][0-9]{3})+")
_OPTION = re.compile(r"^--[a-z-]+:? ")
_LINES = re.compile(r"[\n;]+")
Form = Mapping[str, Sequence[str]]


class JobForm:
    """The form of a job about one game: players, agents, rules, and the fields of each kind of job."""

    def __init__(
        self,
        game: Game,
        agents: Mapping[str, OfferedAgent],
        saved: SavedRules,
        setup: TableSetup,
        form: Form,
        *,
        base: Mapping[str, Any] | None = None,
        kept: Pieces = MappingProxyType({}),
    ) -> None:
        self.game, self._offered, self._saved, self._base, self._kept = game, agents, saved, base, kept
        self.setup, self._form = setup, form
        low, high = game.players
        self.players = min(max(setup.players or low, low), high)

    @property
    def settings(self) -> SettingsForm:
        """The rules that were filled in."""
        return SettingsForm(self.game, self.setup.typed, self.setup.changes, self.setup.file, self._kept)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of play that a question can be asked at; of rules that cannot be, those of the default ones."""
        try:
            return levels_of(self.game, self.settings.config(self.players))
        except PlaymillError:
            return levels_of(self.game)

    def arguments(self, kind: str) -> dict[str, Any]:
        """The arguments of a job of this kind; raises if something is invalid."""
        config = self.settings.config(self.players)
        made = _ARGUMENTS[kind](self, {"players": self.players, "config": config.model_dump(mode="json")})
        if kind != "tournament":
            made |= self._where()
        if self._at_levels(kind):
            made = {key: value for key, value in made.items() if key not in ("agents", "rotate")}
            # An audit divides its own minutes.
            made["levels"] = self.number("level_minutes") if kind != "audit" else made["minutes"]
        if "agents" in made:
            resolve_plan(self.game, players=self.players, agents=made["agents"], config=config)
        return made

    def _at_levels(self, kind: str) -> bool:
        """Whether a question is asked at levels of play; raises if it cannot be."""
        if self.text("among") != LEVELS or kind == "tournament":
            return False
        if kind == "sure":
            raise PlaymillError(
                "one question is settled among one kind of players; choose agents above, not levels",
                "один вопрос решается среди одних игроков; выберите выше агентов, а не уровни",
            )
        return True

    def about(self, kind: str) -> dict[str, Any]:
        """What a list of jobs shows of it."""
        config = self.settings.config(self.players)
        changes = [list(text) for text in describe_changes(config, differences(config), longest=_SHORT)]
        agents = self._agents() if kind not in ("audit", "tournament") else []
        same = agents[:1] if len(set(agents)) == 1 else agents
        shown = {"players": self.players, "changes": changes, "agents": same, "against": self.text("against")}
        return {**shown, "levels": True} if self._at_levels(kind) else shown

    def reference(self) -> str:
        """The reference that finds the game again."""
        return reference_of(self.game)

    def text(self, name: str, usual: str = "") -> str:
        """The text of a field."""
        found = self._form.get(name, [usual])
        return found[-1].strip() if found else usual

    def texts(self, name: str) -> list[str]:
        """The values of a field with several, or one a line."""
        return [line.strip() for one in self._form.get(name, []) for line in _LINES.split(one) if line.strip()]

    def number(self, name: str) -> int:
        """The whole number of a field."""
        return whole_number(self.text(name, str(USUAL[name])), _MOST[name], _HOW_MANY.get(name, _DEALS))

    def _agents(self) -> list[str]:
        """The agents by seat, as on the command line."""
        keys = [*self.setup.seats, *[usual_agent(self.game)] * self.players][: self.players]
        return [self._agent(key) for key in keys]

    def _agent(self, key: str) -> str:
        agent = find_agent(self._offered, self.game, key)
        if agent is None:
            raise PlaymillError(f"there is no agent {key!r} here", f"агента {key!r} здесь нет")
        return str(agent.spec)

    def _where(self) -> dict[str, Any]:
        """Where games are played, among what this machine offers; without a word the job itself finds out."""
        on = self.text("on")
        if on and on not in offered():
            raise PlaymillError(f"games cannot be played on {on!r} from here", f"на {on!r} отсюда играть нельзя")
        return {"on": on} if on else {}

    def _simulate(self, given: dict[str, Any]) -> dict[str, Any]:
        agents = self._agents()
        rotate = len(set(agents)) > 1 and self.text("rotate", "on") == "on"
        return {**given, "agents": agents, "rotate": rotate, "games": self.number("games")}

    def _compare(self, given: dict[str, Any]) -> dict[str, Any]:
        """The rules that were filled in against the default, or against saved rules."""
        wanted = {"players": self.players, "agents": self._agents(), "games": self.number("deals")}
        return {**wanted, **self._sides(given, self.text("against"))}

    def _sides(self, given: dict[str, Any], against: str) -> dict[str, Any]:
        """Two configs: the base (given, saved, or the default), and the rules that were filled in."""
        base = self._base or (
            self._saved.data(self.game, against) if against else self.game.config().model_dump(mode="json")
        )
        if base == given["config"]:
            raise PlaymillError(
                "nothing differs yet: change a number of the rules, then ask what that does",
                "пока ничего не изменено: поменяйте число в правилах и спросите, что это даст",
            )
        return {"a": {"config": base}, "b": {"config": given["config"]}}

    def _sweep(self, given: dict[str, Any]) -> dict[str, Any]:
        path = self.text("over")
        low, high, step = (self.text(f"over_{end}") for end in ("from", "to", "step"))
        for text in (low, high, step or "1"):
            if not _NUMBER.fullmatch(text) or step.startswith("-"):
                raise PlaymillError(
                    f"{path}: from {low!r} to {high!r} is no range; type two numbers, and a step if you like",
                    f"{path}: от {low!r} до {high!r} — не диапазон; введите два числа и, если нужно, шаг",
                )
        from playmill.lab.decide.sweep.axes import read_axes  # what plays many settings is needed by few forms

        over = [f"{path}={low}..{high}{f'/{step}' if step else ''}"]
        config = self.settings.config(self.players)
        with _in_a_form():
            for one in read_axes(over, config):
                for value in one.values:
                    config.changed([f"{path}={written(value)}"])
        shown = list(dict.fromkeys(self.texts("show")))
        if not shown:
            raise PlaymillError("what is to be looked at? choose a figure", "на что смотреть? выберите показатель")
        for name in shown:
            self._figure(name)
        return {**given, "agents": self._agents(), "over": over, "show": shown, "games": self.number("sweep_deals")}

    def _sure(self, given: dict[str, Any]) -> dict[str, Any]:
        """A sequential test of one figure: is it fair, is it a number, how much is it, do two rules differ in it."""
        figure, held = self._figure(self.text("figure")), self.text("held", FAIR)
        within = self._amount("within", figure, least=0.0)
        wanted: dict[str, Any] = {"figure": figure.name, "within": within, "games": self.number("sure_deals")}
        if held == "compare":
            sides = self._sides(given, self.text("sure_against"))
            return {"players": self.players, "agents": self._agents(), **sides, **wanted}
        if held == FAIR and figure.fair is None:
            raise PlaymillError(
                f"the report does not say what would be fair for “{figure.title.en}”; ask for a number",
                f"отчёт не говорит, сколько было бы честно для «{figure.title.ru}»; спросите о числе",
            )
        if held == "known" and within is None:
            raise PlaymillError("how exactly? type how far off it may be", "насколько точно? введите погрешность")
        near = FAIR if held == FAIR else self._amount("near", figure) if held == "number" else None
        if held == "number" and near is None:
            raise PlaymillError("which number? type it", "какое число? введите его")
        agents = self._agents()
        return {**given, "agents": agents, "rotate": len(set(agents)) > 1, "near": near, **wanted}

    def _figure(self, name: str) -> ReportFigure:
        for figure in figures_of(self.game, self.players):
            if figure.name == name:
                return figure
        raise PlaymillError(f"the report has no figure {name!r}", f"в отчёте нет показателя {name!r}")

    def _amount(self, name: str, figure: ReportFigure, *, least: float | None = None) -> float | None:
        """A number in the unit of a figure, which is percent where its table has percent; None if nothing was typed."""
        typed = self.text(name)
        text = re.sub(r"[\s%_]", "", typed).replace(",", ".")
        if not text:
            return None
        if not _NUMBER.fullmatch(text) or (least is not None and float(text) <= least):
            above = "" if least is None else f" above {least:g}"
            above_ru = "" if least is None else f" больше {least:g}"
            raise PlaymillError(f"{typed!r}: expected a number{above}", f"{typed!r}: нужно число{above_ru}")
        return float(text) / (100 if figure.percent else 1)

    def _tune(self, given: dict[str, Any]) -> dict[str, Any]:
        free, goals = self.texts("free"), self.texts("goal")
        goals += [f"{name}={at}" for name in goals_of(self.game) if (at := self.text(f"goal_at:{name}"))]
        if not free:
            raise PlaymillError(
                "which numbers may change? choose one, and how far it may go",
                "какие числа можно менять? выберите хотя бы одно и его границы",
            )
        if not goals:
            raise PlaymillError(
                "what do you want? choose a goal, or say what a figure should be",
                "чего вы хотите? выберите цель или скажите, чему должен быть равен показатель",
            )
        from playmill.lab.decide.tune.goals import check_figures, read_goals
        from playmill.lab.decide.tune.space import Space

        config = self.settings.config(self.players)
        with _in_a_form():
            for one in Space(config, free).free:
                low, high = (int(end) if one.whole else end for end in (one.low, one.high))
                _check_ends(config, one.path, one.choices or (low, high))
            wanted = [goal for goal in read_goals(self.game, goals) if not goal.shares]
            check_figures(wanted, _names_of(self.game, self.players))
        sizes = {"games": self.number("tune_deals"), "trials": self.number("trials")}
        return {**given, "agents": self._agents(), "free": free, "goal": goals, **sizes}

    def _audit(self, given: dict[str, Any]) -> dict[str, Any]:
        from playmill.lab.audit.run import check_where

        check_where(where_of(self.text("on") or None))
        return {**given, "minutes": self.number("minutes")}

    def _tournament(self, given: dict[str, Any]) -> dict[str, Any]:
        entrants = [self._agent(key) for key in dict.fromkeys(self.texts("entrant"))]
        if len(entrants) < 2:
            raise PlaymillError("a tournament needs two entrants or more", "для турнира нужны хотя бы двое")
        return {**given, "entrants": entrants, "deals": self.number("table_deals")}


_ARGUMENTS: Mapping[str, Callable[[JobForm, dict[str, Any]], dict[str, Any]]] = {
    "simulate": JobForm._simulate,
    "compare": JobForm._compare,
    "sweep": JobForm._sweep,
    "tune": JobForm._tune,
    "audit": JobForm._audit,
    "tournament": JobForm._tournament,
    "sure": JobForm._sure,
}


#: Kinds of jobs that a form can start.
QUESTIONS = tuple(_ARGUMENTS)


def whole_number(typed: str, most: int, asked: Text) -> int:
    """Parses a whole number from 1 to `most`; people write 100 000 and 100,000."""
    typed = typed.strip()
    text = re.sub(r"[\s,_]", "", typed)
    if not _WHOLE.fullmatch(typed) or not 1 <= int(text[:20]) <= most:
        spaced = f"{most:,}".replace(",", " ")
        quoted = f" {typed!r}:" if typed else ""
        raise PlaymillError(
            f"{asked.en}{quoted} expected a whole number from 1 to {most:,}",
            f"{asked.ru}{quoted} нужно целое число от 1 до {spaced}",
        )
    return int(text)


def _check_ends(config: RuleConfig, path: str, values: Sequence[Any]) -> None:
    """Raises if a config is invalid because of one of these values itself, whatever the other settings."""
    for value in values:
        try:
            config.changed([f"{path}={written(value)}"])
        except RefusedConfigError as error:
            if any(mistake.path == path for mistake in error.mistakes):
                raise


@contextmanager
def _in_a_form() -> Iterator[None]:
    """Removes options of the command line from error messages: here nobody has typed one."""
    try:
        yield
    except PlaymillError as error:
        raise PlaymillError(*(_OPTION.sub("", text) for text in error.public)) from None


@lru_cache(maxsize=64)
def _all_figures(game: Game, players: int | None) -> Sequence[ReportFigure]:
    """The figures of a game's report, from a few games played for that."""
    run = simulate(game, games=4, players=players, backend="interpreted", keep_games=False)
    return list(described_figures(game, run.results, run.info).values())


def figures_of(game: Game, players: int | None = None) -> Sequence[ReportFigure]:
    """The figures of a game's report that its tables show."""
    return [figure for figure in _all_figures(game, players) if figure.in_table]


def _names_of(game: Game, players: int) -> Sequence[str]:
    return [figure.name for figure in _all_figures(game, players)]


def usual_agent(game: Game) -> str:
    """The default agent of jobs: the rollout agent of `search`, fast and not foolish."""
    return game.search.rollout


def goals_of(game: Game) -> Mapping[str, NamedGoal]:
    """Goals that a form offers: those the game names, else equal chances of all seats, if its report has them."""
    named: Mapping[str, NamedGoal] = game.goals.GOALS if game.goals is not None else {}
    if named or not any(figure.name.startswith("seats.") for figure in figures_of(game)):
        return named
    from playmill.lab.decide.tune.goals import COMMON

    return {_FAIR: NamedGoal(_FAIR, COMMON[_FAIR])}


def is_number(goal: NamedGoal) -> bool:
    """Whether a goal is a figure that should be some number, which is to be typed."""
    return ":" not in goal.wanted
