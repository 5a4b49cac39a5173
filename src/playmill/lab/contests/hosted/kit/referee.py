"""Plays whole games with your bot, by the rules of this contest; needs Python 3.11 or newer and nothing else.

    python3 referee.py python/bot.py                       ten games against one that chooses by chance
    python3 referee.py --against old/bot.py my-bot         two bots; a folder is a bot as well
    python3 referee.py --games 100 --seed 7 ./bot          other games; the same seed deals the same games again
    python3 referee.py --watch --games 1 python/bot.py     every move in words

A bot is a file, a folder, or a command with its words. What it writes to stderr is shown as it comes. The same seed
deals the same games as `playmill bot play`.
"""

from __future__ import annotations

import argparse
import json
import queue
import shlex
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import IO, Any

HERE = Path(__file__).resolve().parent
RANDOM = "random"
LIMITS: dict[str, Any] = {}
PHRASES: dict[str, str] = json.loads((HERE / "referee.json").read_text(encoding="utf-8"))


def text(key: str, *values: Any) -> str:
    """A phrase in the language of the kit."""
    return PHRASES[key].format(*values)


class BotError(Exception):
    """What a bot did wrong."""


class Bot:
    """A bot: its process, the lines it writes, and what it took to answer."""

    def __init__(self, name: str, command: list[str], folder: Path) -> None:
        self.name, self.seconds, self.failures = name, [], 0  # type: str, list[float], int
        self.results = {"won": 0, "drawn": 0, "lost": 0}
        self.paid = 0.0
        self._command, self._folder = command, folder
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._ahead: list[int] = []
        self._spent = 0.0
        self._asked = 0
        self._greeted = False

    def begin(self) -> None:
        """Begins a game; the bot gets the message about it when it is first asked."""
        self._spent, self._asked, self._ahead, self._greeted = 0.0, 0, [], False

    def choose(self, table: Any, hello: dict[str, Any]) -> int:
        """Asks for a decision; returns the action, or raises what is wrong with the answer."""
        if self._ahead and self._ahead[0] in table.ids:
            return self._ahead.pop(0)
        self._ahead = []
        if not self._greeted:
            self._greet(hello)
        self._asked += 1
        left = max(LIMITS["game"] - self._spent, 0.0)
        question = table.question(self._asked, left)
        answer = self.ask(question, min(LIMITS["move"], left))
        listed = answer.get("list")
        if "index" not in answer and isinstance(listed, list):
            actions = _listed(table, listed)
            self._ahead = actions[1:]
            return actions[0]
        return int(table.ids[answer["index"]])

    def _greet(self, hello: dict[str, Any]) -> None:
        self._greeted = True
        if self._process is None:
            self._start()
        self.say(hello)
        ready = self.hear(LIMITS["start"])
        if ready.get("type") != "ready":
            raise BotError(text("no_ready", ready))

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Puts a question; returns an answer that fits it."""
        self.say(question)
        begun = time.monotonic()
        answer = self.hear(seconds)
        took = time.monotonic() - begun
        self.seconds.append(took)
        self._spent += took
        number, options = question["number"], len(question["options"])
        if answer.get("type") != "answer" or answer.get("number") != number:
            raise BotError(text("no_number", number, answer))
        index = answer.get("index")
        fits = isinstance(index, int) and not isinstance(index, bool) and 0 <= index < options
        if not fits and not ("index" not in answer and isinstance(answer.get("list"), list)):
            raise BotError(text("no_index", number, index, options - 1))
        return answer

    def over(self, seat: int, returns: list[float]) -> None:
        """Tells it that the game has ended."""
        if self._process is not None and self._greeted:
            place = 1 + sum(other > returns[seat] for other in returns)
            try:
                self.say({"type": "over", "returns": returns, "place": place})
            except BotError:
                self.end()

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                cwd=self._folder,
            )
        except OSError as error:
            raise BotError(text("no_start", error)) from None
        self._lines = queue.Queue()
        assert self._process.stdout is not None
        threading.Thread(target=_listen, args=(self._process.stdout, self._lines), daemon=True).start()

    def say(self, message: dict[str, Any]) -> None:
        """Sends a message."""
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise BotError(text("ended", self._process.wait())) from None

    def hear(self, seconds: float) -> dict[str, Any]:
        """Returns the next message; raises what is wrong with it."""
        assert self._process is not None
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise BotError(text("late", seconds)) from None
        if line is None:
            raise BotError(text("ended", self._process.wait()))
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise BotError(text("no_json", line.strip()[:80]))
        return message

    def end(self) -> None:
        """Ends it; the next game starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            self._process = None


def _listen(pipe: IO[str], lines: queue.Queue[str | None]) -> None:
    with suppress(ValueError):  # closed meanwhile
        for line in pipe:
            lines.put(line)
    lines.put(None)


def _listed(table: Any, answer: list[Any]) -> list[int]:
    """The actions of a list that answers several questions at once."""
    try:
        actions: list[int] | None = table.listed(answer)
    except ValueError as error:
        raise BotError(str(error)) from None
    if not actions:
        raise BotError(text("no_list"))
    return actions


def found_bot(words: list[str]) -> Bot:
    """The bot that a file, a folder or a command stands for; one that is named has no process yet."""
    first = Path(words[0])
    name = first.name if len(words) == 1 else " ".join(words)
    if len(words) > 1 or not first.exists():
        return Bot(name, shlex.split(words[0]) if len(words) == 1 else words, Path())
    folder, file = (first.resolve(), None) if first.is_dir() else (first.resolve().parent, first.resolve())
    if file is None:
        toml = folder / "bot.toml"
        if toml.is_file():
            import tomllib

            run = tomllib.loads(toml.read_text(encoding="utf-8")).get("run")
            if isinstance(run, str):
                return Bot(name, shlex.split(run), folder)
        file = next((folder / one for one in ("bot.py", "bot.js", "bot") if (folder / one).is_file()), None)
        if file is None:
            raise SystemExit(text("no_bot", words[0]))
    starts = {".py": [sys.executable], ".js": [shutil.which("node") or "node"]}.get(file.suffix, [])
    return Bot(name, [*starts, str(file)], folder)


class Match:
    """Games of a table: everybody in every seat of each deal."""

    def __init__(self, table: Any, hello: dict[str, Any], bots: list[Bot | None], *, watch: bool) -> None:
        self._table, self._hello, self._bots, self._watch = table, hello, bots, watch
        circles = [(0, *rest) for rest in permutations(range(1, len(bots)))]
        self._circles = circles
        self.moves: list[dict[str, Any]] = []

    def play(self, seed: int, deal: int, rotation: int, number: int) -> None:
        """Plays one game of a deal."""
        circle = self._circles[deal % len(self._circles)]
        order = (*circle[rotation:], *circle[:rotation])
        table = self._table
        table.begin(seed, deal)
        for bot in self._bots:
            if bot is not None:
                bot.begin()
        chosen: list[list[Any]] = []
        failed: dict[int, str] = {}
        while table.ids and table.mover >= 0:
            seat = table.mover
            bot = self._bots[order[seat]]
            action = -1
            if bot is not None and seat not in failed:
                try:
                    action = bot.choose(table, {**self._hello, "seat": seat})
                except BotError as error:
                    failed[seat] = str(error)
                    bot.failures += 1
                    bot.end()
            if bot is not None:
                table.asked(seat)
            if action < 0:
                action = table.chance()
            chosen.append([seat, table.text_of(action)])
            if self._watch:
                print(f"    {seat + 1}  {self._name(order[seat]):20}  {table.words_of(action)}")
            table.act(action)
        returns = table.returns()
        for seat, place in enumerate(order):
            bot = self._bots[place]
            if bot is not None:
                bot.over(seat, returns)
        self.moves.append(
            {"deal": deal, "seats": [self._name(place) for place in order], "moves": chosen, "returns": returns}
        )
        self._count(order, returns, failed, number, deal)

    def _name(self, place: int) -> str:
        bot = self._bots[place]
        return RANDOM if bot is None else bot.name

    def _count(
        self, order: tuple[int, ...], returns: list[float], failed: dict[int, str], number: int, deal: int
    ) -> None:
        """Counts a game for everybody; who failed is behind all others."""
        judged = [float("-inf") if seat in failed else paid for seat, paid in enumerate(returns)]
        for seat, place in enumerate(order):
            bot = self._bots[place]
            if bot is None:
                continue
            better, equal = sum(one > judged[seat] for one in judged), judged.count(judged[seat]) - 1
            how = "lost" if better or seat in failed else "drawn" if equal else "won"
            bot.results[how] += 1
            bot.paid += returns[seat]
            if seat in failed:
                print(text("failed", number, deal, bot.name, failed[seat]))
            elif place == 0:
                shown = " : ".join(f"{paid:g}" for paid in returns)
                said = text(how if len(order) > 1 else "points")
                print(text("game", number, deal, bot.name, seat + 1, said, shown))
        sys.stdout.flush()


def report(bots: list[Bot | None]) -> bool:
    """Prints what came of it; returns whether nobody failed."""
    for bot in bots:
        if bot is None:
            continue
        won, drawn, lost = (bot.results[key] for key in ("won", "drawn", "lost"))
        games = won + drawn + lost
        if len(bots) > 1:
            print(text("summary", bot.name, won, drawn, lost, games, bot.failures))
        else:
            print(text("alone", bot.name, bot.paid / max(1, games), games, bot.failures))
        slowest, mean = 1000 * max(bot.seconds, default=0.0), 1000 * sum(bot.seconds) / max(1, len(bot.seconds))
        print(text("answers", len(bot.seconds), mean, slowest, LIMITS["move"]))
    return not any(bot.failures for bot in bots if bot is not None)


def replay(bot: Bot, games: list[dict[str, Any]]) -> bool:
    """Goes through recorded games, whatever the bot answers; returns whether nothing is wrong."""
    print(text("recorded", len(games)))
    try:
        for number, game in enumerate(games, 1):
            try:
                for message in game["messages"]:
                    if message["type"] == "hello":
                        bot.begin()
                        bot._greet(message)
                    elif message["type"] == "act":
                        bot.ask(message, LIMITS["move"])
                    else:
                        bot.say(message)
            except BotError as error:
                bot.failures += 1
                bot.end()
                print(text("failed", number, number, bot.name, error))
            else:
                bot.results["drawn"] += 1
    finally:
        bot.end()
    return not bot.failures


def verify(table: Any, seed: int, games: list[dict[str, Any]]) -> bool:
    """Plays the recorded games by the rules of the kit; returns whether every message is the recorded one."""
    for number, game in enumerate(games):
        asked = [0] * table.players
        expected = iter(game["messages"][1:])
        table.begin(seed, game["number"])
        while table.ids and table.mover >= 0:
            mover = table.mover
            asked[mover] += 1
            question = table.question(asked[mover], LIMITS["game"])
            table.asked(mover)
            if mover == game["seat"] and question != next(expected):
                print(text("differs", number + 1, asked[mover]))
                return False
            table.act(table.ids[question["random"] % len(table.ids)])
        if table.returns() != next(expected)["returns"]:
            print(text("differs", number + 1, "over"))
            return False
    print(text("same", len(games)))
    return True


def main() -> int:
    """Plays; returns 0 if nothing went wrong."""
    recorded = json.loads((HERE / "games.json").read_text(encoding="utf-8"))
    games = recorded["games"]
    hello = games[0]["messages"][0]
    LIMITS.update(hello["limits"])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--against", action="append", default=[], metavar="BOT")
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--save", metavar="FILE")
    parser.add_argument("--verify", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("bot", nargs=argparse.REMAINDER, metavar="BOT …")
    options = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036
        print(text("python", sys.version.partition(" ")[0]))
        return 2
    table = None
    if (HERE / "engine").is_dir():
        sys.path.insert(0, str(HERE / "engine"))
        from table import open_table  # type: ignore[import-not-found]

        table = open_table()
    if options.verify:
        return 0 if table is not None and verify(table, recorded["seed"], games) else 1
    if not options.bot:
        parser.error(text("name"))
    bot = found_bot(options.bot)
    if table is None:
        good = replay(bot, games[: options.games])
        print(text("ready" if good else "not_ready"))
        return 0 if good else 2
    others = [None if one == RANDOM else found_bot([one]) for one in options.against]
    if len(others) >= max(2, table.players):
        parser.error(text("many", table.players, table.players - 1))
    bots: list[Bot | None] = [bot, *others, *[None] * (table.players - 1 - len(others))]
    match = Match(table, hello, bots, watch=options.watch)
    try:
        for number in range(options.games):
            match.play(options.seed, number // len(bots), number % len(bots), number + 1)
    except KeyboardInterrupt:
        print()
    finally:
        for one in bots:
            if one is not None:
                one.end()
    if options.save:
        saved = {"seed": options.seed, "games": match.moves}
        Path(options.save).write_text(json.dumps(saved, ensure_ascii=False, indent=1), encoding="utf-8")
        print(text("saved", options.save))
    good = report(bots)
    print(text("seed", options.seed))
    print(text("ready" if good else "not_ready"))
    return 0 if good else 2


if __name__ == "__main__":
    sys.exit(main())
