"""Parses and validates `contest.toml`, the rules of a contest; each mistake is one message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from playmill.agents.agent_specs import seats_for
from playmill.agents.programs.limits import PARAMETERS, Limits
from playmill.engine.config.model import load_config
from playmill.engine.contract.game import Game, load_game
from playmill.engine.run.match import check_seed
from playmill.lab.contests.tournament.entrants import Entrant, read_entrants
from playmill.lab.contests.tournament.pairing import RuleSetting
from playmill.lab.contests.tournament.run import read_settings, table_size
from playmill.texts import PlaymillError, Text
from playmill.toml import read_toml

FILE = "contest.toml"
#: What a contest does with a program that fails: the game is lost, or its decisions are made at random.
LOSS, RANDOM = "loss", "random"


#: Who may register at a contest that is served.
OPEN, INVITATION, CLOSED = "open", "invitation", "closed"
REGISTRATION = (OPEN, INVITATION, CLOSED)


@dataclass(frozen=True)
class ServerRules:
    """What entrants may hand in to a contest that is served, and how much of it."""

    registration: str = OPEN
    #: MB and files of one submission, unpacked.
    megabytes: int = 4
    files: int = 200
    #: Submissions of an entrant in an hour, and those of one that may wait at the same time.
    per_hour: int = 6
    waiting: int = 3
    #: MB of all submissions together.
    disk: int = 4000
    entrants: int = 1000


@dataclass(frozen=True)
class ContestRules:
    """The rules of a contest."""

    game: Game
    #: The game as commands name it.
    named: str
    size: int
    deals: int
    settings: tuple[RuleSetting, ...]
    house: tuple[Entrant, ...]
    limits: Limits
    #: The share of games an entrant may lose by failing before it is refused.
    most: float
    #: Deals a submission has to play against random choice before it meets others.
    check: int
    #: Of this many deals of every table the games are kept as they were played.
    replays: int
    #: This many Swiss rounds are played; 0: everybody plays everybody.
    rounds: int = 0
    #: At a contest that is served a newcomer plays at this many tables; 0: with everybody.
    opponents: int = 0
    server: ServerRules = field(default_factory=ServerRules)
    #: This many versions of an entrant are taken.
    versions: int = 20
    seed: int | None = None
    #: Nothing new is taken any more, and the seed is public.
    closed: bool = False


class _Reader:
    """Takes keys out of a table of TOML, and raises for those that are wrong or unknown."""

    def __init__(self, source: str, table: Mapping[str, Any], prefix: str = "") -> None:
        self._source, self._table, self._prefix = source, dict(table), prefix
        self._known: list[str] = []

    def take(self, key: str, usual: Any, fits: Callable[[Any], bool], expected: Text) -> Any:
        """Returns the value of a key, or what is usual; raises unless it fits."""
        self._known.append(key)
        value = self._table.pop(key, usual)
        if value is usual or fits(value):
            return value
        raise self.wrong(key, value, expected)

    def wrong(self, key: str, value: Any, expected: Text) -> PlaymillError:
        """Returns the sentence about a value."""
        name = self._prefix + key
        return PlaymillError(
            f"{self._source}: {name} is {value!r}; expected {expected.en}",
            f"{self._source}: {name} равно {value!r}; нужно {expected.ru}",
        )

    def end(self) -> None:
        """Raises if a key is left that nobody asked for."""
        for key in self._table:
            known = ", ".join(self._known)
            raise PlaymillError(
                f"{self._source}: there is no key {self._prefix + key!r}; there are: {known}",
                f"{self._source}: ключа {self._prefix + key!r} нет; есть: {known}",
            )


def read_rules(folder: Path) -> ContestRules:
    """Reads the rules in a contest's folder; raises unless every key is there, known and right."""
    path = folder / FILE
    source = str(path)
    try:
        data = read_toml(path)
    except OSError:
        raise PlaymillError(
            f'{folder} is no contest: it has no {FILE} (its first line is game = "…")',
            f'{folder} — не соревнование: нет файла {FILE} (в первой строке game = "…")',
        ) from None
    top = _Reader(source, data)
    name = top.take("game", None, _is_text, Text("the name of a game, or its folder", "имя игры или её папка"))
    if name is None:
        raise PlaymillError(f'{source}: there is no line game = "…"', f'{source}: нет строки game = "…"')
    inside = folder / name
    if "/" in name and not inside.is_dir() and not Path(name).is_dir():
        where = inside.absolute()
        raise PlaymillError(
            f"{source}: game is {name!r}, and there is no folder {str(where)!r}",
            f"{source}: game равно {name!r}, а папки {str(where)!r} нет",
        )
    named = str(inside) if "/" in name and inside.is_dir() else name
    game = load_game(named)
    low, high = game.players
    players = top.take(
        "players", None, lambda value: _is_whole(value, low, high), Text(f"{low} … {high}", f"{low} … {high}")
    )
    size = table_size(game, players)
    deals = top.take("deals", 20, lambda value: _is_whole(value, 1, 1_000_000), _WHOLE)
    rounds = top.take("rounds", 0, lambda value: _is_whole(value, 0, 1000), _WHOLE)
    opponents = top.take("opponents", 0, lambda value: _is_whole(value, 0, 100_000), _WHOLE)
    replays = top.take("replays", 2, lambda value: _is_whole(value, 0, 1000), _WHOLE)
    versions = top.take("versions", 20, lambda value: _is_whole(value, 1, 10_000), _WHOLE)
    seed = top.take("seed", None, lambda value: _is_whole(value, -(2**63), 2**63 - 1), _WHOLE)
    if seed is not None:
        check_seed(seed)
    closed = top.take("closed", False, lambda value: isinstance(value, bool), Text("true or false", "true или false"))
    configs = top.take("configs", [], _are_texts, _TEXTS)
    changes = top.take("set", [], _are_texts, _TEXTS)
    variants = top.take("settings", [], lambda value: isinstance(value, list) and all(map(_are_texts, value)), _LISTS)
    agents = top.take("house", [], _are_texts, _TEXTS)
    server = _server(source, top.take("server", {}, _is_table, _TABLE))
    limits = _limits(source, top.take("limits", {}, _is_table, _TABLE))
    forfeits = _Reader(source, top.take("forfeits", {}, _is_table, _TABLE), "forfeits.")
    rule = forfeits.take(
        "rule", LOSS, lambda value: value in (LOSS, RANDOM), Text('"loss" or "random"', '"loss" или "random"')
    )
    most = forfeits.take("most", 0.2, _is_share, Text("a share from 0 to 1", "доля от 0 до 1"))
    check = forfeits.take("check", 2, lambda value: _is_whole(value, 1, 1000), _WHOLE)
    forfeits.end()
    top.end()
    found = [load_config(game.config, folder / one, ()) for one in configs]
    settings = read_settings(game, found or None, changes, variants, (f"{source}: set", f"{source}: settings"))
    for setting in settings:
        setting.config.pack(1 if game.players[1] == 1 else size)
    return ContestRules(
        game=game,
        named=named,
        size=size,
        deals=deals,
        settings=tuple(settings),
        house=tuple(_house(source, game, agents)),
        limits=limits.changed({"forfeit": float(rule == LOSS)}),
        most=float(most),
        check=check,
        replays=replays,
        rounds=rounds,
        opponents=opponents,
        server=server,
        versions=versions,
        seed=seed,
        closed=closed,
    )


def _limits(source: str, data: Mapping[str, Any]) -> Limits:
    """Returns the resource limits of programs: the usual ones, or those of the contest."""
    reader = _Reader(source, data, "limits.")
    values: dict[str, float] = {}
    for name, one in PARAMETERS.items():
        if name == "forfeit":
            continue
        expected = Text(f"a number from {one.low:g} to {one.high:g}", f"число от {one.low:g} до {one.high:g}")
        value = reader.take(name, None, partial(_is_number, low=one.low, high=one.high), expected)
        if value is not None:
            values[name] = float(value)
    reader.end()
    return Limits().changed(values)


def _server(source: str, data: Mapping[str, Any]) -> ServerRules:
    """Returns what a contest that is served takes from entrants."""
    reader, usual = _Reader(source, data, "server."), ServerRules()
    expected = Text(", ".join(f'"{one}"' for one in REGISTRATION), ", ".join(f'"{one}"' for one in REGISTRATION))
    registration = reader.take("registration", usual.registration, lambda value: value in REGISTRATION, expected)
    numbers = {}
    for name, most in (
        ("megabytes", 64),
        ("files", 2000),
        ("per_hour", 10_000),
        ("waiting", 1000),
        ("disk", 10_000_000),
        ("entrants", 100_000),
    ):
        whole = Text(f"a whole number from 1 to {most}", f"целое число от 1 до {most}")
        numbers[name] = reader.take(name, getattr(usual, name), partial(_is_whole, low=1, high=most), whole)
    reader.end()
    return ServerRules(registration=registration, **numbers)


def _house(source: str, game: Game, agents: list[str]) -> list[Entrant]:
    """Returns the agents that take part beside the submissions."""
    players = game.players[0]
    try:
        found = read_entrants(game, agents, 1, least=0)
        for entrant in found:
            seats_for(game, players, [entrant.agent])
    except PlaymillError as error:
        raise PlaymillError(f"{source}: house: {error.text.en}", f"{source}: house: {error.text.ru}") from None
    return found


_WHOLE = Text("a whole number that can be", "подходящее целое число")
_TEXTS = Text('a list of texts, ["…", "…"]', 'список строк, ["…", "…"]')
_LISTS = Text('a list of lists, [["map=small"], ["map=middle"]]', 'список списков, [["map=small"], ["map=middle"]]')
_TABLE = Text("a table", "таблица")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _is_number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high


def _is_share(value: Any) -> bool:
    return _is_number(value, 0, 1)


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
