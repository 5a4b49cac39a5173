"""Tries a bot on recorded games: does it start, answer every question in time, and with an option that there is?

    python3 referee.py python3 python/bot.py
    python3 referee.py --games 3 ./bot

Needs Python 3.9 or newer and nothing else. `games.json` beside it holds games of this contest as bots see them. A
recorded game goes on as it went, whatever the bot answers: so this checks the protocol and the time of a bot, not how
well it plays. For whole games install Playmill: `playmill bot check`.
"""

from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any


class Bot:
    """A bot's process, and the lines it writes."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        assert self._process.stdout is not None
        threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True).start()

    def _listen(self, pipe: IO[str]) -> None:
        for line in pipe:
            self._lines.put(line)
        self._lines.put(None)

    def say(self, message: dict[str, Any]) -> None:
        """Sends a message."""
        assert self._process.stdin is not None
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        try:
            self._process.stdin.write(text + "\n")
            self._process.stdin.flush()
        except OSError:
            raise BotError("has ended, and reads no more") from None

    def hear(self, seconds: float) -> dict[str, Any]:
        """Returns the next message; raises what is wrong with it."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise BotError(f"no answer within {seconds:g} s: does it flush what it writes?") from None
        if line is None:
            raise BotError(f"has ended with status {self._process.wait()}")
        try:
            message = json.loads(line)
        except ValueError:
            raise BotError(f"wrote {line.strip()[:80]!r}, which is no JSON") from None
        if not isinstance(message, dict):
            raise BotError(f"wrote {line.strip()[:80]!r}, which is no JSON object")
        return message

    def end(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()


class BotError(Exception):
    """What a bot did wrong."""


def play(bot: Bot, game: list[dict[str, Any]], seconds: list[float]) -> None:
    """Goes through one recorded game; raises the first thing that is wrong."""
    limits = game[0]["limits"]
    for message in game:
        bot.say(message)
        if message["type"] == "hello":
            ready = bot.hear(limits["start"])
            if ready.get("type") != "ready":
                raise BotError(f"answered hello with {ready}; expected {{'type': 'ready'}}")
        elif message["type"] == "act":
            begun = time.monotonic()
            answer = bot.hear(limits["move"])
            seconds.append(time.monotonic() - begun)
            number, options = message["number"], len(message["options"])
            if answer.get("type") != "answer" or answer.get("number") != number:
                raise BotError(f"answered question {number} with {answer}; expected type answer and that number")
            index = answer.get("index")
            if "list" not in answer and not (isinstance(index, int) and 0 <= index < options):
                raise BotError(f"answered question {number} with index {index}; there are options 0 to {options - 1}")


def main() -> int:
    """Tries a bot; returns 0 if nothing is wrong."""
    parser = argparse.ArgumentParser(description="Tries a bot on recorded games.")
    parser.add_argument("--games", type=int, default=1000, help="how many of them")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the bot's command")
    options = parser.parse_args()
    if not options.command:
        parser.error("name the bot's command: python3 referee.py python3 python/bot.py")
    games = json.loads(Path(__file__).with_name("games.json").read_text(encoding="utf-8"))[: options.games]
    try:
        bot = Bot(options.command)
    except OSError as error:
        print(f"cannot be started: {error}")
        return 2
    seconds: list[float] = []
    try:
        for number, game in enumerate(games, 1):
            try:
                play(bot, game, seconds)
            except BotError as error:
                print(f"game {number}: {error}")
                return 2
        bot.say({"type": "quit"})
    finally:
        bot.end()
    slowest, mean = 1000 * max(seconds, default=0.0), 1000 * sum(seconds) / max(1, len(seconds))
    print(f"{len(games)} games, {len(seconds)} answers: {mean:.2f} ms on average, {slowest:.1f} ms the slowest")
    print("ready")
    return 0


if __name__ == "__main__":
    sys.exit(main())
