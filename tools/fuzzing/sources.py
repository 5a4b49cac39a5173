"""Where cases come from: configs, content, maps, replays, command lines, agents, processes and the compile cache."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.agents import agent_source
from fuzzing.case import Case
from fuzzing.lines import command_line
from fuzzing.values import made, spoil, varied, written
from playmill.engine.contract.game import Game, game_names, load_game
from playmill.lab.replays.replay import record, whole_checksum

PIG = str(Path(__file__).parent.parent.parent / "examples" / "pig")
GAMES = tuple(game_names())


def case_of(seed: int, number: int) -> Case:
    """Case `number` of a run: it depends on these two alone."""
    luck = Random(f"{seed} {number}")
    return SOURCES[kind_of(luck)][0](luck)


def kind_of(luck: Random) -> str:
    """The kind of a case, the first thing that is left to its luck."""
    kinds = list(SOURCES)
    return luck.choices(kinds, weights=[SOURCES[name][1] for name in kinds])[0]


def table_words(game: Game, luck: Random, *, games: int | None = None) -> list[str]:
    """Options of a run of a few games: who plays, how many, which seed."""
    players = luck.randint(*game.players)
    names = [name for name in game.agents if name != "optimal"]
    agents = [luck.choice(names)] if luck.random() < 0.5 else [luck.choice(names) for _ in range(players)]
    count = games if games is not None else luck.choice((1, 1, 2, 3, 10))
    seed = luck.choice((0, 1, 2**63 - 1, -(2**63), luck.randrange(10**6)))
    return ["--players", str(players), "--games", str(count), f"--seed={seed}", "--agents", *agents]


def config_case(luck: Random) -> Case:
    """A run with a config that was changed."""
    game = load_game(luck.choice(GAMES))
    data = _config(game, luck)
    files = {"config.json": written(data, luck)}
    command = luck.choices(("simulate", "record", "show"), weights=(8, 1, 1))[0]
    words = table_words(game, luck)
    if command != "simulate":
        place = words.index("--games")
        words[place : place + 2] = []
    out = {"simulate": ["--out", "out.json"], "record": ["--out", "out.json"]}.get(command, [])
    compared = command == "simulate" and luck.random() < 0.2
    if command == "simulate" and luck.random() < 0.2:
        out += ["--csv", "out.csv", "--html", "out.html", "--trace", "1"]
    return Case(
        "config", (command, game.name, *words, "--config", "config.json", *out), files, check=compared * "backends"
    )


def _config(game: Game, luck: Random) -> Any:
    schema, default = _schema(game.name)
    if luck.random() < 0.1:
        return made(schema, luck)
    start = _notable(game.name, luck) if luck.random() < 0.3 else default
    return varied(start, schema, luck, wild=luck.choice((0.0, 0.0, 0.1)))


@cache
def _schema(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    model = load_game(name).config
    return model.model_json_schema(), model().model_dump(mode="json")


def _notable(name: str, luck: Random) -> Any:
    """The default config with the changes of one of the golden playthroughs."""
    from golden import NOTABLE

    changes = luck.choice(NOTABLE.get(name) or [("", 0, [], 0, [])])[4]
    return load_game(name).config().changed(changes).model_dump(mode="json")


def set_case(luck: Random) -> Case:
    """A run with numbers changed on the command line."""
    game = load_game(luck.choice(GAMES))
    schema, default = _schema(game.name)
    changed = varied(default, schema, luck)
    pairs = []
    for key, value in changed.items() if isinstance(changed, dict) else ():
        if value != default.get(key):
            pairs.append(f"{key}={json.dumps(value)}")
    if luck.random() < 0.2 and pairs:
        pairs[-1] = spoil(pairs[-1].encode(), luck).decode(errors="surrogateescape").replace("\0", "")
    words = ["simulate", game.name, *table_words(game, luck), "--out", "out.json"]
    return Case("set", (*words, *(("--set", *pairs) if pairs else ())))


@cache
def _library() -> dict[str, list[Any]]:
    folder = resources.files("playmill.games.dice.content").joinpath("data")
    kinds = ("modifiers", "items", "dice")
    return {kind: json.loads(folder.joinpath(f"{kind}.json").read_text(encoding="utf-8"))[kind] for kind in kinds}


def _ids(data: Any, kind: str) -> list[Any]:
    """The ids of a kind in content that need not be right."""
    found = data.get(kind, ()) if isinstance(data, dict) else ()
    return [entry.get("id") for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def content_case(luck: Random) -> Case:
    """Content of Dice, made by its schema or from the library: checked, listed, and played with."""
    room = load_game("dice").content
    assert room is not None
    schema = room.schema()
    if luck.random() < 0.4:
        data = made(schema, luck)
    else:
        data = {kind: [dict(luck.choice(found))] for kind, found in _library().items() if luck.random() < 0.7}
        for entries in data.values():
            entries[0]["id"] = f"my_{luck.randrange(100)}"
        data = varied(data, schema, luck, wild=luck.choice((0.0, 0.1)))
    text = written(data, luck, spoilt=0.1)
    files = {"content.json": text}
    way = luck.randrange(4)
    if way == 0:
        return Case("content", ("content", "dice", "--check", "content.json"), files)
    if way == 1:
        return Case("content", ("content", "dice", "--content", "content.json"), files)
    ids = {kind: _ids(data, kind) for kind in _library()}
    sides = [{key: value for key, value in ids.items() if value and key != "dice"}, {}]
    if ids.get("dice"):
        sides[0]["dice"] = [luck.choice((*ids["dice"], "fair")) for _ in range(6)]
    luck.shuffle(sides)
    target = luck.choice((500, 2000, 4000))
    config = {"content": "content.json", "players": sides, "target_score": target, "max_turns": luck.choice((20, 200))}
    if ids.get("modifiers") and luck.random() < 0.3:
        config["global_modifiers"] = ids["modifiers"]
        sides[0].pop("modifiers", None)
        sides[1].pop("modifiers", None)
    words = table_words(load_game("dice"), luck)
    files["config.json"] = json.dumps(config).encode()
    argv = ("simulate", "dice", *words, "--config", "config.json", "--out", "out.json")
    return Case("content", argv, files, check=(luck.random() < 0.3) * "backends")


def map_case(luck: Random) -> Case:
    """Maps of Influence: checked, drawn, played on, and asked of the generator."""
    game = load_game("influence")
    assert game.maps is not None
    from playmill.games.influence.maps.model import built_in, schema

    if luck.random() < 0.15:
        size = luck.choice(("5x5", "1x2", "16x16", "16x17", "0x0", "999x999", "3х4", "x", "4x", "2x2", "16x1"))
        words = ["map", "influence", "--size", size]
        for key, pool in (
            ("holes", ("0", "1", "50%", "101%", "nan", "", "0.333")),
            ("strong", ("0%", "100%", "1e3", "-1")),
            ("symmetric", ("0", "2", "3", "6", "5", "9" * 5000)),
            ("players", ("2", "6", "7", "0", "-1", str(2**70))),
            ("seed", ("0", str(2**63), "x", "-5")),
            ("name", ("", "мир", "\x1b[0m", "n" * 61, "a\nb")),
        ):
            if luck.random() < 0.4:
                words.append(f"--{key}={luck.choice(pool)}")
        return Case("map", (*words, *(("--out", "out.json") if luck.random() < 0.5 else ())))
    data = (
        made(schema(), luck) if luck.random() < 0.3 else luck.choice(list(built_in().values())).model_dump(mode="json")
    )
    if luck.random() < 0.7:
        data = varied(data, schema(), luck)
    if luck.random() < 0.5 and isinstance(data, dict) and isinstance(data.get("rows"), list):
        rows = [list(row) for row in data["rows"] if isinstance(row, str) and row]
        for _ in range(luck.randrange(12) if rows else 0):
            row = luck.choice(rows)
            row[luck.randrange(len(row))] = luck.choice("wS..wS" + ("x" if luck.random() < 0.1 else ""))
        data["rows"] = ["".join(row) for row in rows]
    files = {"map.json": written(data, luck, spoilt=0.1)}
    way = luck.randrange(4)
    if way == 0:
        return Case("map", ("map", "influence", "--check", "map.json"), files)
    if way == 1:
        return Case("map", ("map", "influence", "--show", "./map.json"), files)
    words = [*table_words(game, luck, games=1), "--set", "map=map.json", f"round_limit={luck.choice((1, 3, 10))}"]
    return Case(
        "map", ("simulate", "influence", *words, "--out", "out.json"), files, check=(luck.random() < 0.3) * "backends"
    )


@cache
def _replays() -> tuple[dict[str, Any], ...]:
    found = []
    for name in (*GAMES, PIG):
        game = load_game(name)
        changes = ["map=small", "round_limit=3"] if name == "influence" else []
        config = game.config().changed(changes) if changes else game.config()
        found.append(json.loads(json.dumps(record(game, players=game.players[0], config=config, seed=3).json())))
    return tuple(found)


def replay_case(luck: Random) -> Case:
    """A recorded game in which something was changed, its checksum made anew or not."""
    data = luck.choice(_replays())
    whole = {"type": "object"}
    deed = luck.randrange(4)
    if deed == 0:
        data = varied(data, whole, luck, wild=0.6)
    elif deed == 1:
        head = {key: value for key, value in data.items() if key not in ("moves", "rounds")}
        data = {**data, **varied(head, whole, luck, wild=0.6)}
    elif deed == 2:
        data = {**data, "config": varied(data["config"], whole, luck, wild=0.2)}
    if luck.random() < 0.6:
        data = {**data, "check": whole_checksum(data)}
    files = {"game.json": written(data, luck, spoilt=0.2)}
    shown = luck.choice((["--quiet"], [], ["--lang", "ru"], ["--svg", "out.svg"]))
    place = ["--game", PIG] if data.get("game") == "pig" or luck.random() < 0.1 else []
    return Case("replay", ("replay", "game.json", *place, *shown), files)


def line_case(luck: Random) -> Case:
    """A command line made of the parser's own words."""
    files = {"ok.json": b"{}", "bad.json": b'{"mode": ', "bot.py": agent_source(luck), "caf\udce9.json": b"{}"}
    argv = tuple(command_line(luck, (*GAMES, PIG)))
    return Case("line", argv, {name: data for name, data in files.items() if any(name in word for word in argv)})


def agent_case(luck: Random) -> Case:
    """A run with an agent in plain Python that may do anything but end the process or wait for ever."""
    game = load_game(luck.choice((*GAMES, PIG)))
    players = luck.randint(*game.players)
    seats = [luck.choice(("bot.py", "bot.py:Agent", "random")) for _ in range(players)]
    if game.name not in GAMES:  # a game for which `search` is compiled at once
        seats = [luck.choice((seat, "search:iterations=3")) for seat in seats]
    seats[luck.randrange(players)] = "bot.py"
    command = luck.choices(("simulate", "show", "record"), weights=(6, 1, 1))[0]
    words = [command, game.name if game.name in GAMES else PIG, "--players", str(players), "--agents", *seats]
    if command == "simulate":
        words += [
            "--games",
            str(luck.choice((1, 2))),
            "--out",
            "out.json",
            *(["--strict"] if luck.random() < 0.3 else []),
        ]
    return Case("agent", tuple(words), {"bot.py": agent_source(luck)})


def process_case(luck: Random) -> Case:
    """A command in a process of its own, whose output is full, closed, cut or knows no letters but ASCII."""
    way = luck.choice(("process", "full", "ascii", "closed", "size"))
    lines: list[Callable[[Random], Case]] = [line_case, replay_case, map_case]
    found = luck.choice(lines)(luck)
    return Case("process", found.argv, found.files, way)


def cache_case(luck: Random) -> Case:
    """A run whose compiled rules on disk were damaged."""
    deed = luck.choice(("flip", "cut", "empty", "garbage", "swap", "folder", "unreadable", "grow"))
    argv = ("simulate", PIG, "--games", "50", "--seed", "1", "--out", "out.json")
    return Case("cache", argv, way="cache", damage=(luck.randrange(1000), deed, luck.randrange(2**30)))


SOURCES: dict[str, tuple[Callable[[Random], Case], float]] = {
    "config": (config_case, 30),
    "set": (set_case, 8),
    "content": (content_case, 16),
    "map": (map_case, 12),
    "replay": (replay_case, 14),
    "line": (line_case, 20),
    "agent": (agent_case, 10),
    "process": (process_case, 0.6),
    "cache": (cache_case, 0.25),
}
