"""Games: loads a game from its folder or package into a `Game`, the record of all its modules; finds games by name."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.engine.config.input_files import note_sources
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import CompiledAgent, RuleFunction, SearchPlan
from playmill.engine.contract.invariants import Invariant
from playmill.engine.contract.loading import check_alone, no_game, no_game_in
from playmill.engine.contract.modules import (
    MODULES,
    AuditModule,
    CanvasModule,
    ChoicesModule,
    ContentModule,
    GoalsModule,
    LegendModule,
    LevelsModule,
    MapsModule,
    MethodsModule,
    ReportModule,
    RulebookModule,
    TrialsModule,
    WordsModule,
)
from playmill.engine.contract.modules.load_modules import (
    COUNTING,
    DEFAULTS,
    SHIPPED,
    all_defaults,
    complete,
    invariants_of,
    load_modules,
    notes_of,
    observation_names,
    observed_ranges,
    search_plan,
)
from playmill.engine.contract.observed_range import End, Range
from playmill.engine.contract.score_range import Stakes, stakes_of
from playmill.engine.contract.secrets import DerivedSecrets
from playmill.engine.lang.game_folder import holds_game
from playmill.engine.lang.rule import python_function
from playmill.texts import PlaymillError, Text, plural

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_GROUP = "playmill.games"


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """A game of the contract; `load_game` makes one from its folder."""

    name: str
    title: Text
    about: Text
    version: int
    players: tuple[int, int]
    config: type[RuleConfig]
    state: np.dtype[np.void]
    outcome: np.dtype[np.void]
    tally: np.dtype[np.void]
    observation: int
    #: What each number of an observation is.
    names: tuple[str, ...]
    actions: int
    max_legal: int
    rules: Mapping[str, RuleFunction]
    stakes: Callable[[RuleConfig, int], Stakes]
    agents: Mapping[str, CompiledAgent]
    search: SearchPlan
    #: What its agents note beside the list of options, kept as long as a game lasts.
    notes: np.dtype[np.void] | None
    words: WordsModule
    view: Callable[..., str]
    report: ReportModule
    methods: MethodsModule | None
    content: ContentModule | None
    trials: TrialsModule | None
    goals: GoalsModule | None
    maps: MapsModule | None
    canvas: CanvasModule | None
    rulebook: RulebookModule | None
    choices: ChoicesModule | None
    audit: AuditModule
    legend: LegendModule | None
    levels: LevelsModule | None
    invariants: tuple[Invariant, ...]
    package: str
    #: The least and the largest value of numbers of an observation, by name; the most decisions of a game, and the most
    #: outcomes of one draw, if they are declared (see `observed_range.py`).
    observed: Mapping[str, Range]
    longest: End | None
    outcomes: End | None
    #: What is derived from its declaration of hidden information, if it has one.
    secrets: DerivedSecrets | None = None

    def __repr__(self) -> str:
        low, high = self.players
        many = f"{low} players" if low == high > 1 else "1 player" if high == 1 else f"{low}–{high} players"
        return f"<Game {self.name}: {self.title.en}, {many}, agents {', '.join(self.agents)}>"

    @property
    def options(self) -> np.dtype[np.void]:
        """Record type of the list of options, `ids`, and of the agents' `notes` beside it, if they take any."""
        notes = [("notes", self.notes)] if self.notes is not None else []
        return np.dtype([("ids", np.int32, (self.max_legal,)), *notes], align=True)

    @property
    def played_by(self) -> Text:
        """How many can play it, as the beginning of a sentence."""
        low, high = self.players
        if high == 1:
            return Text(f"{self.name} is played alone", f"в {self.name} играет один игрок")
        many = str(high) if low == high else f"{low}–{high}"
        noun = plural(high, "игрок|игрока|игроков")
        return Text(f"{self.name} is played by {many} players", f"в {self.name} играют {many} {noun}")

    def check_players(self, players: int) -> None:
        """Raises unless the game can be played by this many."""
        low, high = self.players
        if not low <= players <= high:
            by = self.played_by
            many = f"by {players} players" if high == 1 else str(players)
            raise PlaymillError(f"{by.en}, not {many}", f"{by.ru}, а не {players}")


#: Rules that a game may leave out.
_OPTIONAL = (*COUNTING, "takes_long")


#: Names and packages of the games that were loaded by name.
_by_name = set[tuple[str, str]]()


def game_names() -> list[str]:
    """Names of all games: folders of playmill.games and entry points of other packages."""
    return sorted(_packages())


def package_of(name: str) -> str | None:
    """The installed package that a game known by name comes from, with its version; None for one of Playmill itself."""
    if _packages().get(name) == SHIPPED + name:
        return None
    point = next(point for point in entry_points(group=_GROUP) if point.name == name)
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def load_game(name: str) -> Game:
    """The game of that name, or of a folder with its modules; an unknown name raises an error that lists all."""
    game = _loaded(name)
    note_sources(folder_of(game))
    return game


def _loaded(name: str) -> Game:
    if "/" in name or os.sep in name:
        return _game_from_folder(_resolved(name))
    packages = _shipped_packages()
    if name not in packages:
        packages = _packages()
    if name in packages:
        _by_name.add((name, packages[name]))
        return _game_of_name(name, packages[name])
    if name and _resolved(name).exists():
        return _game_from_folder(_resolved(name))
    raise no_game(name, packages)


def _resolved(name: str) -> Path:
    """The folder of a game by its path; one that is no path at all gets the sentence of a folder without a game."""
    try:
        return Path(name).resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle, a zero in a name
        return Path(name)


@cache
def _game_of_name(name: str, package: str) -> Game:
    return game_from_package(name, package)


def reference_of(game: Game) -> str:
    """A reference that finds a game from any folder: its name, or its folder."""
    if game.package == SHIPPED + game.name or (game.name, game.package) in _by_name:
        return game.name
    return str(folder_of(game))


def is_shipped(game: Game) -> bool:
    """Whether a game is one of Playmill's own, which its tests prove."""
    return game.package.startswith(SHIPPED)


def folder_of(game: Game) -> Path:
    """The folder of a game's modules."""
    return Path(importlib.import_module(game.package).__path__[0]).resolve()


def hides_nothing(game: Game) -> bool:
    """Whether everybody sees everything: then `conceal` is a rule without a body."""
    return python_function(game.rules["conceal"]).__code__.co_code == _nothing.__code__.co_code


def _nothing(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """What `conceal` is where nothing is hidden."""


def as_game(game: Game | str) -> Game:
    """A game given by itself or by its name."""
    return load_game(game) if isinstance(game, str) else game


def as_config(game: Game, config: RuleConfig | Mapping[str, Any] | None) -> RuleConfig:
    """A config given as such, as the data of a file, or not at all: then the default one."""
    if config is None:
        return _default_config(game)
    return config if isinstance(config, RuleConfig) else game.config.read(dict(config))


@cache
def _default_config(game: Game) -> RuleConfig:
    """The default config; it cannot be changed, so one is enough."""
    return game.config()


def game_from_package(name: str, package: str) -> Game:
    """Builds a game from the modules of its package."""
    from playmill.engine.contract.random_agent import RANDOM

    modules = load_modules(name, package)
    defaults = importlib.import_module(DEFAULTS).DefaultModules(name, modules)
    complete(MODULES["report"], defaults.report)
    rules, hidden, outcome, words = modules["rules"], defaults.hidden, defaults.outcome, defaults.words
    functions = {key: getattr(rules, key) for key in ("setup", "legal_actions", "apply_action", "returns")}
    functions |= {key: rule for key in _OPTIONAL if (rule := getattr(rules, key)) is not None}
    functions |= {"observe": hidden.observe, "conceal": hidden.conceal}
    functions |= {"outcome": outcome.outcome, "tally": outcome.tally}
    return Game(
        name=name,
        title=words.TITLE,
        about=words.ABOUT,
        version=int(rules.VERSION),
        players=(int(rules.MIN_PLAYERS), int(rules.MAX_PLAYERS)),
        config=modules["config"].Config,
        state=rules.State,
        outcome=outcome.Outcome,
        tally=outcome.Tally,
        observation=int(hidden.OBSERVATION),
        names=observation_names(name, hidden),
        actions=int(rules.MAX_ACTIONS),
        max_legal=int(rules.MAX_LEGAL),
        rules=functions,
        stakes=partial(stakes_of, rules),
        agents={"random": RANDOM, **(modules["agents"].AGENTS if "agents" in modules else {})},
        search=search_plan(name, modules.get("agents")),
        notes=notes_of(name, modules.get("agents")),
        words=words,
        view=_drawn_later(defaults) if package.startswith(SHIPPED) else defaults.view,
        report=defaults.report,
        methods=modules.get("methods"),
        content=modules.get("content"),
        trials=modules.get("trials"),
        goals=modules.get("goals"),
        maps=modules.get("maps"),
        canvas=modules.get("canvas"),
        rulebook=modules.get("rulebook"),
        choices=modules.get("choices"),
        audit=modules.get("audit") or all_defaults("audit"),
        legend=modules.get("legend"),
        levels=modules.get("levels"),
        invariants=invariants_of(modules),
        package=package,
        observed=observed_ranges(name, hidden, rules.State, modules.get("invariants")),
        longest=getattr(modules.get("invariants"), "LONGEST", None),
        outcomes=getattr(modules.get("invariants"), "OUTCOMES", None),
        secrets=getattr(hidden, "secrets", None),
    )


def _drawn_later(defaults: Any) -> Callable[..., str]:
    """The picture of a shipped game, whose module is loaded when it is first drawn."""

    def view(*args: Any) -> str:
        drawn: str = defaults.view(*args)
        return drawn

    return view


@cache
def _game_from_folder(folder: Path) -> Game:
    if not holds_game(folder):
        raise no_game_in(folder)
    if not folder.name.isidentifier():
        raise PlaymillError(
            f"{folder}: the folder of a game is a package of Python, named by letters, digits and _",
            f"{folder}: папка игры — пакет Python, её имя состоит из букв, цифр и _",
        )
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    check_alone(folder)
    return game_from_package(folder.name, folder.name)


def entry_points(group: str) -> Iterable[EntryPoint]:
    """What installed packages offer under a name; how to find it is imported when somebody asks."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def _packages() -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group=_GROUP)} | _shipped_packages()


@cache
def _shipped_packages() -> dict[str, str]:
    import playmill.games

    modules = pkgutil.iter_modules(playmill.games.__path__)
    return {module.name: SHIPPED + module.name for module in modules if module.ispkg}
