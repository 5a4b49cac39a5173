"""What a bot in another language costs, and what a hostile one gets.

python tools/bots.py                         latency and games/s of the sample bots, then every hostile attempt
python tools/bots.py --games 200 --no-attempts

A move is timed by the host, from the moment it begins to write the question to the moment the answer is read: that is
what the bot pays, its own thinking included. The same moves are timed once more with a bot that answers at once, which
leaves the pipes, the JSON, and stopping and waking the process. Games/s is one table, one game after the other.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from playmill import Game, load_game
from playmill.agents.agent_specs import seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.programs.bot_process import BotProcess, StderrLog
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.spec import read_program
from playmill.engine.run.match import Match

ROOT = Path(__file__).parents[1]
HOSTILE = ROOT / "tests" / "agents" / "hostile" / "bot.py"
#: Folder, game, whom it plays against, what builds it.
SAMPLES = (
    ("pig_python", "examples/pig", "threshold", ""),
    ("pig_rust", "examples/pig", "threshold", "rustc -O -o bot bot.rs"),
    ("dice_c", "dice", "threshold", "cc -O2 -o bot bot.c -lm"),
    ("influence_js", "influence", "random", ""),
)
AT_ONCE = """
import sys
for line in sys.stdin:
    if '"type":"hello"' in line[:20]:
        sys.stdout.write('{"type": "ready"}\\n')
    elif '"type":"act"' in line[:20]:
        number = line[line.index('"number":') + 9:line.index(',"kind"')]
        sys.stdout.write('{"type":"answer","number":' + number + ',"index":0}\\n')
    sys.stdout.flush()
"""


def build(into: Path) -> Iterator[tuple[str, Path, str, str]]:
    """The sample bots whose language is here: name, folder, game, opponent."""
    for name, game, against, command in SAMPLES:
        needs = (command or {"js": "node", "on": "python3"}[name[-2:]]).split()[0]
        if shutil.which(needs) is None:
            print(f"{name}: {needs} is not here")
            continue
        shutil.copytree(ROOT / "examples" / "bots" / name, into / name, ignore=shutil.ignore_patterns("bot"))
        if command:
            subprocess.run(command.split(), cwd=into / name, check=True)
        yield name, into / name, game, against


def played(game: Game, folder: Path, against: str, games: int) -> tuple[list[float], float, float, float]:
    """Seconds of each answer, of the start, games a second, and the share of games the bot won, from both seats."""
    players = 2
    seconds: list[float] = []
    won = spent = start = 0.0
    for seat in range(players):
        agents = [f"program:{folder}", against] if seat == 0 else [against, f"program:{folder}"]
        seats = seats_for(game, players, agents)
        bot = seats[seat].program
        assert bot is not None
        numbers, params = tuple(one.number for one in seats), tuple(one.params for one in seats)
        table = MixedMatch(Match(game, game.config(), players, 1, numbers, (0, 1), params), seats, strict=True)
        table.play(10**6, 1)  # the start is timed apart
        start = bot.started or start
        begun = time.perf_counter()
        for number in range(games // players):
            row = table.play(number, 1).rows[0]
            seconds += bot.seconds
            won += float(row["winner"] == seat)
        spent += time.perf_counter() - begun
        bot.close()
    return seconds, start, games / spent, won / games


def figures(games: int) -> None:
    """Prints a line for each sample bot."""
    print("bot            game        start ms   answer ms: median    95 %   worst    games/s   wins against")
    with tempfile.TemporaryDirectory() as home:
        found = list(build(Path(home)))
        plain = Path(home) / "at_once"
        plain.mkdir()
        (plain / "bot.py").write_text(AT_ONCE, encoding="utf-8")
        for name, folder, which, against in [*found, ("at once", plain, "examples/pig", "random")]:
            game = load_game(which)
            seconds, start, pace, won = played(game, folder, against, games)
            spread = statistics.quantiles(seconds, n=20)
            print(
                f"{name:14} {game.name:10} {1000 * start:9.0f} {1000 * statistics.median(seconds):18.3f}"
                f" {1000 * spread[-1]:8.3f} {1000 * max(seconds):7.1f} {pace:9.1f}   {100 * won:.0f} % {against}",
                flush=True,
            )


def attempts() -> int:
    """Prints what stopped each attempt of the hostile bot; returns how many succeeded."""
    with tempfile.TemporaryDirectory() as home:
        folder, other = Path(home) / "hostile", Path(home) / "other"
        for place in (folder, other):
            place.mkdir()
        (other / "bot.py").write_text("secret", encoding="utf-8")
        (folder / "bot.py").write_text(HOSTILE.read_text(encoding="utf-8"), encoding="utf-8")
        reach_for = {
            "other": str(other / "bot.py"),
            "bots": home,
            "home": str(Path.home()),
            "store": str(other / "bot.py"),
        }
        (folder / "targets.json").write_text(json.dumps(reach_for), encoding="utf-8")
        os.environ["MY_SECRET"] = "42"
        kept = Path(home) / "stderr.txt"
        running = BotProcess(read_program(f"program:{folder}", Limits(memory=256)), StderrLog(kept, 1 << 20))
        running.ask({"type": "hello"}, 60)
        running.ask({"type": "act", "number": 1}, 60)
        running.leave()
        print("walls:", ", ".join(f"{guarantee} {held or '–'}" for guarantee, held in running.guarantees.items()))
        told = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    for one in told:
        print(f"{one['attempt']:36} {'GOT ' + one['got'] if 'got' in one else one['stopped']}")
    return sum("got" in one for one in told)


def main(words: Sequence[str]) -> int:
    """Returns 1 if the hostile bot got anything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="games of each sample bot, half of them in each seat")
    parser.add_argument("--no-attempts", action="store_true")
    parser.add_argument("--no-figures", action="store_true")
    options = parser.parse_args(words)
    if not options.no_figures:
        figures(options.games)
    return 0 if options.no_attempts else int(attempts() > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
