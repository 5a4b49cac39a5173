"""Reads `cases.toml` of a game: positions, an action, and what must come of it; mistakes are told with their line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, folder_of
from playmill.engine.errors.located import shown_path
from playmill.texts import PlaymillError, Text, near_to
from playmill.toml import read_toml

#: The file in a game's folder, and its most bytes.
FILE, _MOST = "cases.toml", 1 << 20
#: A case with several things of which one must come is tried with so many seeds.
_SEEDS, _MOST_SEEDS = 200, 10_000
_HEAD = re.compile(r"^\s*\[\[\s*case\s*\]\]", re.MULTILINE)

#: Keys of a case, and of what must come of it, with the type of each.
_CASE: Mapping[str, tuple[type, ...]] = {
    "name": (str,),
    "players": (int,),
    "set": (dict,),
    "seed": (int,),
    "seeds": (int,),
    "state": (dict,),
    "actions": (list,),
    "action": (str, int),
    "then": (dict, list),
}
_THEN: Mapping[str, tuple[type, ...]] = {
    "state": (dict,),
    "legal": (list,),
    "offered": (list,),
    "refused": (list,),
    "over": (bool,),
    "winner": (int,),
    "returns": (list,),
}
_KINDS = {
    str: Text("a text", "текст"),
    int: Text("a whole number", "целое число"),
    bool: Text("true or false", "true или false"),
    dict: Text("a table {…}", "таблица {…}"),
    list: Text("a list […]", "список […]"),
}


@dataclass(frozen=True)
class Case:
    """One case: how its position is made, the action, and what may come of it."""

    name: str
    source: CaseSource
    players: int
    config: RuleConfig
    seed: int
    seeds: int
    state: Mapping[str, Any]
    actions: Sequence[str]
    action: str | None
    then: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class CaseSource:
    """Where a case stands in its file."""

    path: Path
    text: str
    #: Lines of the case: its first, and the one after its last.
    first: int
    end: int

    def error(self, message: Text, key: str = "") -> PlaymillError:
        """A mistake in the file, at the line of a key of the case, or at its head."""
        where = f"{shown_path(str(self.path))}:{self.line(key)}"
        return PlaymillError(f"{where}: {message.en}", f"{where}: {message.ru}")

    def line(self, key: str = "") -> int:
        """The line in which a key of the case is written."""
        pattern = re.compile(rf"(^|[\s{{,.\"\[]){re.escape(key)}[\"\s]*[=.]") if key else None
        lines = self.text.splitlines()
        for number in range(self.first, min(self.end, len(lines) + 1)):
            if pattern is not None and pattern.search(lines[number - 1].partition("#")[0]):
                return number
        return self.first


def read_cases(game: Game) -> list[Case] | None:
    """The cases of a game; None if it has no such file."""
    path = folder_of(game) / FILE
    try:
        data = read_toml(path, most=_MOST)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except PlaymillError as error:
        raise PlaymillError(*(sentence.replace(str(path), shown_path(str(path))) for sentence in error.text)) from None
    heads = [text.count("\n", 0, found.end()) + 1 for found in _HEAD.finditer(text)]
    whole = CaseSource(path, text, 1, text.count("\n") + 2)
    for key in data:
        if key != "case":
            message = Text(
                f"{key!r} is not known here; each case begins with [[case]]",
                f"ключ {key!r} неизвестен; каждый случай начинается с [[case]]",
            )
            raise whole.error(message, key)
    given = data.get("case", [])
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise whole.error(Text("each case begins with [[case]]", "каждый случай начинается с [[case]]"), "case")
    ends = [*heads[1:], whole.end]
    sources = [CaseSource(path, text, *ends_of) for ends_of in zip(heads, ends, strict=True)]
    sources += [whole] * (len(given) - len(sources))
    return [_case(game, one, source) for one, source in zip(given, sources, strict=False)]


def _case(game: Game, given: Mapping[str, Any], source: CaseSource) -> Case:
    _check_keys(given, _CASE, source)
    then = given.get("then")
    if "name" not in given or not then:
        message = Text(
            'a case has a name = "…" and says what must come: then.state = {…}, then.legal = […], …',
            'у случая есть name = "…" и то, что должно выйти: then.state = {…}, then.legal = […], …',
        )
        raise source.error(message)
    alternatives = then if isinstance(then, list) else [then]
    for one in alternatives:
        if not isinstance(one, dict):
            raise source.error(_wanted("then", (dict,)), "then")
        _check_keys(one, _THEN, source)
        for key in ("legal", "offered", "refused"):
            _check_texts(one.get(key, []), key, source)
    _check_texts(given.get("actions", []), "actions", source)
    seeds = given.get("seeds", _SEEDS if len(alternatives) > 1 else 1)
    if not 1 <= seeds <= _MOST_SEEDS:
        raise source.error(Text(f"seeds is 1 … {_MOST_SEEDS}", f"seeds — от 1 до {_MOST_SEEDS}"), "seeds")
    players = given.get("players", game.players[0])
    try:
        game.check_players(players)
        config = as_config(game, None)
        if changes := given.get("set"):
            config = config.changed([f"{path}={_json(value)}" for path, value in _flat(changes)])
        config.pack(players)
    except PlaymillError as error:
        raise source.error(error.text, "players" if "players" in given and "set" not in given else "set") from None
    action = given.get("action")
    return Case(
        given["name"],
        source,
        players,
        config,
        given.get("seed", 0),
        seeds,
        given.get("state", {}),
        [str(one) for one in given.get("actions", [])],
        None if action is None else str(action),
        alternatives,
    )


def _check_keys(given: Mapping[str, Any], known: Mapping[str, tuple[type, ...]], source: CaseSource) -> None:
    for key, value in given.items():
        if key not in known:
            listed, near = ", ".join(known), near_to(key, known)
            message = Text(f"{key!r} is not known here: {listed}{near.en}", f"{key!r} здесь нет: {listed}{near.ru}")
            raise source.error(message, key)
        kinds = known[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise source.error(_wanted(key, kinds), key)


def _check_texts(given: Sequence[Any], key: str, source: CaseSource) -> None:
    if not all(isinstance(one, str | int) and not isinstance(one, bool) for one in given):
        message = Text(
            f"{key} is a list of actions in their short text forms", f"{key} — список действий в краткой записи"
        )
        raise source.error(message, key)


def _wanted(key: str, kinds: Sequence[type]) -> Text:
    names = Text.join([_KINDS[kind] for kind in kinds], Text(" or ", " или "))
    return Text(f"{key} must be {names.en}", f"{key} — это {names.ru}")


def _flat(changes: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Settings by their paths."""
    found: list[tuple[str, Any]] = []
    for key, value in changes.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, dict) else [(f"{before}{key}", value)]
    return found


def _json(value: Any) -> str:
    import json

    return json.dumps(value, default=str)
