"""Games: loads a game from its folder or package into a `Game`, the record of all its modules; finds games by name."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.engine.config.input_files import note_sources
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import CompiledAgent, RuleFunction, SearchPlan
from playmill.engine.contract.hooks import Contract, misspelt
from playmill.engine.contract.invariants import Invariant, check_invariants
from playmill.engine.contract.loading import cannot_load, check_alone, no_game, no_game_in
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
from playmill.engine.contract.observed_range import End, Range, check_declared
from playmill.engine.contract.score_range import Stakes, check_stated, stakes_of
from playmill.engine.contract.secrets import DerivedSecrets, check_declaration
from playmill.engine.contract.validation import (
    check_bounds_of_default,
    check_default,
    check_numbers,
    validate_modules,
)
from playmill.engine.errors.located import at_name, shown_path
from playmill.engine.lang.game_folder import holds_game
from playmill.engine.lang.module_names import NEEDED
from playmill.engine.lang.rule import python_function
from playmill.texts import PlaymillError, Text, as_text, plural, texts_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_GROUP = "playmill.games"
_SHIPPED = "playmill.games."
#: The module with the default modules of games; imported by name, as games are.
_DEFAULTS = "playmill.defaults.modules"
#: The module that takes longest to load, with all that pictures are made of.
_PICTURE = "view"
#: Other modules of which most commands ask nothing.
_ASKED_LATER = (
    *("methods", "content", "trials", "goals", "maps", "canvas"),
    *("rulebook", "choices", "audit", "legend", "levels"),
)


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


#: Rules that a game has both or none of: options counted, and picked by number, without a list.
COUNTING = ("count_actions", "nth_action")
#: What hidden.py has if it does not declare what is hidden: `HIDDEN`.
SEEING = ("OBSERVATION", "observe", "conceal")
#: Rules that a game may leave out.
_OPTIONAL = (*COUNTING, "takes_long")


#: Names and packages of the games that were loaded by name.
_by_name = set[tuple[str, str]]()


def game_names() -> list[str]:
    """Names of all games: folders of playmill.games and entry points of other packages."""
    return sorted(_packages())


def package_of(name: str) -> str | None:
    """The installed package that a game known by name comes from, with its version; None for one of Playmill itself."""
    if _packages().get(name) == _SHIPPED + name:
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
    if game.package == _SHIPPED + game.name or (game.name, game.package) in _by_name:
        return game.name
    return str(folder_of(game))


def is_shipped(game: Game) -> bool:
    """Whether a game is one of Playmill's own, which its tests prove."""
    return game.package.startswith(_SHIPPED)


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

    shipped = package.startswith(_SHIPPED)
    later = (*_ASKED_LATER, _PICTURE) if shipped else ()
    loaded = {module: _load_module(name, package, module) for module in MODULES if module not in later}
    loaded |= {module: _loaded_later(name, package, module) for module in later if module != _PICTURE}
    modules = {module: found for module, found in loaded.items() if found is not None}
    if not shipped:
        validate_modules(modules, RuleConfig)
    check_default(modules["config"])
    check_bounds_of_default(modules["config"])
    if "hidden" in modules and modules["hidden"].HIDDEN is not None:
        check_declaration(modules["hidden"], modules["rules"])
    defaults = importlib.import_module(_DEFAULTS).DefaultModules(name, modules)
    _complete(MODULES["report"], defaults.report)
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
        names=_names(name, hidden),
        actions=int(rules.MAX_ACTIONS),
        max_legal=int(rules.MAX_LEGAL),
        rules=functions,
        stakes=partial(stakes_of, rules),
        agents={"random": RANDOM, **(modules["agents"].AGENTS if "agents" in modules else {})},
        search=_search_plan(name, modules.get("agents")),
        notes=_notes(name, modules.get("agents")),
        words=words,
        view=_drawn_later(name, package, modules) if shipped else defaults.view,
        report=defaults.report,
        methods=modules.get("methods"),
        content=modules.get("content"),
        trials=modules.get("trials"),
        goals=modules.get("goals"),
        maps=modules.get("maps"),
        canvas=modules.get("canvas"),
        rulebook=modules.get("rulebook"),
        choices=modules.get("choices"),
        audit=modules.get("audit") or _all_defaults("audit"),
        legend=modules.get("legend"),
        levels=modules.get("levels"),
        invariants=_invariants(modules),
        package=package,
        observed=_observed(name, hidden, rules.State, modules.get("invariants")),
        longest=getattr(modules.get("invariants"), "LONGEST", None),
        outcomes=getattr(modules.get("invariants"), "OUTCOMES", None),
        secrets=getattr(hidden, "secrets", None),
    )


class _LoadedLater(ModuleType):
    """A module of a shipped game that is loaded when something of it is asked for."""

    def __init__(self, name: str, package: str, module_name: str) -> None:
        super().__init__(f"{package}.{module_name}")
        self._found = cache(partial(_load_module, name, package, module_name))

    def __getattr__(self, key: str) -> Any:
        return getattr(self._found(), key)


def _loaded_later(name: str, package: str, module_name: str) -> ModuleType | None:
    """A module of a shipped game, if there is one; not loaded yet."""
    there = find_spec(f"{package}.{module_name}") is not None
    return _LoadedLater(name, package, module_name) if there else None


def _drawn_later(name: str, package: str, modules: Mapping[str, ModuleType]) -> Callable[..., str]:
    """The picture of a shipped game, whose module is loaded when it is first drawn: most commands draw none."""

    @cache
    def view() -> Callable[..., str]:
        own = _load_module(name, package, _PICTURE)
        given = modules if own is None else {**modules, _PICTURE: own}
        drawn: Callable[..., str] = importlib.import_module(_DEFAULTS).DefaultModules(name, given).view
        return drawn

    def draw(*args: Any) -> str:
        return view()(*args)

    return draw


def _invariants(modules: Mapping[str, ModuleType]) -> tuple[Invariant, ...]:
    """What must hold in every position, by a module that may be left out."""
    if "invariants" not in modules:
        return ()
    check_invariants(modules["invariants"], modules["rules"].State, modules["config"].Config)
    return tuple(modules["invariants"].INVARIANTS)


def _observed(
    name: str, hidden: ModuleType, state: np.dtype[np.void], invariants: ModuleType | None
) -> Mapping[str, Range]:
    """The declared ranges of numbers of an observation."""
    if invariants is None:
        return {}
    return check_declared(name, _names(name, hidden), state.names or (), invariants.OBSERVED)


def _complete(known: Contract, module: ModuleType) -> None:
    """Gives a module the default of each hook that it leaves out."""
    for key, made in known.defaults(module):
        setattr(module, key, made)


def _all_defaults(module: str) -> Any:
    """A module that a game has not, with the default of each of its hooks."""
    return SimpleNamespace(**dict(MODULES[module].defaults(None)))


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
    return {module.name: _SHIPPED + module.name for module in modules if module.ispkg}


def _load_module(name: str, package: str, module_name: str) -> ModuleType | None:
    try:
        module = importlib.import_module(f"{package}.{module_name}")
    except ModuleNotFoundError as error:
        if error.name not in (package, f"{package}.{module_name}"):
            raise cannot_load(name, package, error) from None
        if module_name not in NEEDED and error.name != package:
            return None
        raise PlaymillError(
            f"the game {name!r} has no {module_name}.py in {package}",
            f"у игры {name!r} нет {module_name}.py в {package}",
        ) from None
    except Exception as error:
        raise cannot_load(name, package, error) from None
    known = MODULES[module_name]
    missing = [key for key in (*known.required, *_together(module_name, module)) if not hasattr(module, key)]
    if missing:
        own = [key for key in vars(module) if not key.startswith("_") and key not in known.hooks]
        near = get_close_matches(missing[0], own, 1, 0.75)
        guess = Text(f"; is it {near[0]!r}, misspelt?", f"; может быть, это {near[0]!r}?") if near else Text("", "")
        file = f"{shown_path(module.__file__)}: " if module.__file__ else ""
        empty = Text("; the file is empty", "; файл пуст") if not own else Text("", "")
        raise PlaymillError(
            f"{file}{package}.{module_name} of the game {name!r} lacks {', '.join(missing)}{guess.en or empty.en}",
            f"{file}в {package}.{module_name} игры {name!r} нет {', '.join(missing)}{guess.ru or empty.ru}",
        )
    check_numbers(module_name, module)
    if not package.startswith(_SHIPPED) and (wrong := misspelt(known, module)) is not None:
        raise at_name(
            module,
            wrong[0],
            Text(
                f"`{wrong[0]}` is not a hook of {module_name}.py; did you mean `{wrong[1]}`? Otherwise begin its name"
                " with _",
                f"`{wrong[0]}` не входит в {module_name}.py; может быть, `{wrong[1]}`? Если нет, начните имя с _",
            ),
        )
    _complete(known, module)
    if module_name == "rules":
        check_stated(module)
    elif module_name == "content":
        module.__dict__["KIND_NAMES"] = texts_of(module.KIND_NAMES)
    elif module_name == "legend":
        module.__dict__["NUMBERING"] = as_text(module.NUMBERING)
    return module


def _together(module_name: str, module: ModuleType) -> tuple[str, ...]:
    """Hooks that a module must have because of others that it has or has not."""
    if module_name == "hidden":
        if not any(hasattr(module, key) for key in ("HIDDEN", *SEEING)):
            return ("HIDDEN",)
        return SEEING if not hasattr(module, "HIDDEN") else SEEING[:1] if hasattr(module, SEEING[1]) else ()
    return COUNTING if module_name == "rules" and any(hasattr(module, key) for key in COUNTING) else ()


def _names(name: str, hidden: ModuleType) -> tuple[str, ...]:
    """What the numbers of an observation are called, one by one."""
    names = tuple(map(str, hidden.NAMES))
    if len(names) != hidden.OBSERVATION or len(set(names)) != len(names):
        raise PlaymillError(
            f"the game {name!r}: NAMES of hidden.py has {len(set(names))} different names, and OBSERVATION is"
            f" {hidden.OBSERVATION}; each number has a name of its own",
            f"игра {name!r}: в NAMES в hidden.py разных имён {len(set(names))}, а OBSERVATION равно"
            f" {hidden.OBSERVATION}; у каждого числа должно быть своё имя",
        )
    return names


def _search_plan(name: str, agents: ModuleType | None) -> SearchPlan:
    """How `search` plays the game out: as its module `agents` says, or at random to the end."""
    plan: SearchPlan = agents.SEARCH if agents else SearchPlan()
    known = ["random", *(key for key, agent in (agents.AGENTS if agents else {}).items() if not agent.knows)]
    if plan.rollout not in known:
        listed = ", ".join(known)
        raise PlaymillError(
            f"the game {name!r}: SEARCH plays on by {plan.rollout!r}; expected one of {listed}",
            f"игра {name!r}: SEARCH доигрывает агентом {plan.rollout!r}; нужен один из: {listed}",
        )
    return plan


def _notes(name: str, agents: ModuleType | None) -> np.dtype[np.void] | None:
    notes: np.dtype[np.void] | None = agents.NOTES if agents else None
    kept = getattr(notes, "fields", None) or {}
    if notes is not None and ("kept" not in kept or kept["kept"][0].kind not in "iu"):
        raise PlaymillError(
            f"the game {name!r}: NOTES must be a record with a whole number `kept`: 0 where nothing is noted yet",
            f"игра {name!r}: NOTES должно быть записью с целым числом `kept`: 0, пока ничего не записано",
        )
    return notes
