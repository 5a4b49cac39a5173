"""Command lines made of the words that the parser knows, with values that are right, nearly right and absurd."""

from __future__ import annotations

import argparse
from functools import cache
from random import Random

from playmill.cli.program import program

#: Numbers: some are right, none makes a run long.
NUMBERS = (
    "0", "1", "2", "3", "-1", "-5", "1e0", "1e400", "1e-400", "nan", "inf", "", " ", "x", "9" * 25, "9" * 5000, "1_0",
    "0x10", "1.5", str(2**63), str(2**64), str(-(2**63)), "٣", "+2", "--1",
)  # fmt: skip
#: Names of files to read, none of which does harm.
READ = (
    "ok.json", "bad.json", "none.json", "", ".", "..", "/", "ok.json/x", "x" * 300, "x/" * 3000, "a\nb.json", "loop",
    "/dev/null", "caf\udce9.json", "\x1b[31m.json", "~", "-", "/dev/zero", "/dev/full", "/proc/self/mem", "ok.json ",
)  # fmt: skip
#: Names of files to write, all inside the folder of the case.
WRITE = (
    "out.json",
    "out.csv",
    ".",
    "",
    "none/out.json",
    "x" * 300,
    "loop",
    "ok.json",
    "a\nb",
    "ok.json/x",
    "caf\udce9",
)
SETS = (
    "", "=", "a=", "=1", "x=1", "mode=epic", "hand_size=3", "a.b.c=1", "map=small", "lives=5", "target_score=1", ".=1",
    "players.0.items=[]", "game.deck.ranks=[1]", "cards.0=1", "mode=" + "[" * 200, "hand_size=" + "1" * 500, "\ud800=1",
)  # fmt: skip
AGENTS = (
    "random", "greedy", "dealer", "threshold", "cautious", "survivor", "search:iterations=0", "search:iterations=nan",
    "random:x=1", "dealer:captain=2", "", ":", "bot.py", "bot.py:Agent", "bot.py:none", "none.py", "ok.json", ".py",
    "x.pyx", "dealer:captain=0.5,captain=0.5", "threshold:points=1e400", "\x07", "/dev/zero.py",
    "bot.py:a.b", "bot.py:",
)  # fmt: skip
WORDS = ("", "x", "dice", "evil", "--", "-x", "--bogus", "-", "\x1b[2J", "ы" * 50, "\udcff", "small", "bust_shield")
#: Names of kept runs to read, make and remove: in the folder of a case, none is there but what the case itself makes.
RUNS = ("mine", "1", "", "..", "/", "home/runs/1", "a/b", "я", "-x", "x" * 300, "caf\udce9", "a\nb", "ok.json", "home")
#: Questions: right, wrong, and about what nobody may ask.
QUERIES = (
    "", "select 1", "from runs", "from mine_seats", "show tables", "selec", "select 1; select 2", ";", "--", "/*", "'",
    "select * from read_text('/dev/zero')", "from '/proc/self/mem'", "copy (select 1) to 'out.csv'", "attach 'out.db'",
    "with a as (copy (select 1) to 'out.csv') from a", "select '" + "x" * 5000 + "'", "select " + "(" * 2000,
    "select \udcff", "select '\x1b[2J' as \"\x1b[31m\"", "select 1 / 0, 'nan'::double, [null], {'a': 1}", "select ?",
    "select interval 1 day, 1e300, 170141183460469231731687303715884105727", "select * from range(50)", "set x = 1",
)  # fmt: skip
#: Which pool an option takes its values from; commands that would run for long get no right value for one of them.
POOLS = {
    "config": READ, "content": READ, "check": READ, "file": READ, "show": (*READ, "small", "nowhere"),
    "out": WRITE, "csv": WRITE, "html": WRITE, "trace_out": WRITE, "gif": WRITE, "svg": WRITE,
    "parquet": WRITE, "query": QUERIES,
    "set": SETS, "agents": AGENTS, "only": ("evil", "bust_shield", "x", ""), "game": WORDS,
    "lang": ("en", "ru", "fr", ""), "backend": ("cpu", "interpreted", "gpu"),
    "seconds": ("nan", "inf", "-1", "0", "x", "1e9", ""),
    "run": RUNS, "runs": RUNS, "remove": RUNS, "keep": (*RUNS, "2", "a.b"),
    "size": ("3x3", "0x0", "x", "99x99"), "holes": ("0", "10%", "x"), "strong": ("1", "200%"), "name": WORDS,
}  # fmt: skip
#: Commands whose honest run takes longer than a case may: they are tried with arguments that are refused.
_NO_GAMES = tuple(word for word in WORDS if word != "dice")
LONG = {"check": ("game", _NO_GAMES), "bench": ("games", _NO_GAMES)}


def command_line(luck: Random, games: tuple[str, ...]) -> list[str]:
    """One command line."""
    commands = parsers()
    name = luck.choice([*commands] * 4 + ["", "simulat", "--version", "--help", "--lang"])
    words = [name]
    if name not in commands:
        return [*words, *luck.choices(WORDS, k=luck.randrange(3))]
    for action in commands[name]._actions:
        words += _words(action, name, luck, games)
    if luck.random() < 0.08:
        words.insert(luck.randrange(len(words) + 1), luck.choice(WORDS))
    if luck.random() < 0.05 and len(words) > 1 and name not in (*LONG, "worth"):
        words.pop(luck.randrange(len(words)))
    return words


@cache
def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    for action in program("en")._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise LookupError("no commands")


def _words(action: argparse.Action, command: str, luck: Random, games: tuple[str, ...]) -> list[str]:
    """One option or argument, or nothing."""
    if isinstance(action, (argparse._HelpAction, argparse._VersionAction)):
        return ["--help"] if luck.random() < 0.005 else []
    if not action.option_strings:
        return _positional(action, command, luck, games)
    chance = 1.0 if action.dest in ("games", "seconds", "only") else 0.2
    if luck.random() >= chance:
        return []
    if action.nargs == 0:
        return [action.option_strings[-1]]
    pool = POOLS.get(action.dest, NUMBERS)
    if action.dest == "games" and luck.random() < 0.7:
        pool = ("1", "2")
    count = luck.choice((1, 1, 1, 2, 3)) if action.nargs == "+" else 1
    values = [luck.choice(pool) for _ in range(count)]
    return (
        [f"{action.option_strings[-1]}={values[0]}"]
        if count == 1 and luck.random() < 0.3
        else [action.option_strings[-1], *values]
    )


def _positional(action: argparse.Action, command: str, luck: Random, games: tuple[str, ...]) -> list[str]:
    if action.dest in LONG.get(command, ("",))[0:1]:
        return [luck.choice(LONG[command][1])]
    if action.dest == "game":
        return [luck.choice(games) if luck.random() < 0.85 else luck.choice(WORDS)]
    return [luck.choice(POOLS.get(action.dest, WORDS))]
