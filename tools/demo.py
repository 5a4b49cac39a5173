"""`make demo`: every game played many times, its tables in the terminal, its pages in out/."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self

from rich.console import Console
from rich.rule import Rule

from playmill import Game, PlaymillError, Text, game_names, load_game, simulate
from playmill.engine.compile.disk_cache import cache_folder
from playmill.engine.run.backends import default_workers
from playmill.lab.runs.resolved_plan import resolve_plan
from playmill.report.files.writing import write_json, write_text
from playmill.report.html.page import html_page
from playmill.report.terminal.report_printer import print_report
from playmill.texts import user_language

OUT = Path(__file__).resolve().parents[1] / "out"
#: Settings that show a game better than the smallest table of random players does.
NICER: Mapping[str, Mapping[str, Any]] = {
    "dice": {"agents": ("greedy", "optimal"), "games": 200_000},
    "dimensions": {"players": 4, "agents": "dealer", "games": 200_000},
    "influence": {"players": 4, "agents": ("random", "greedy", "cautious", "random"), "games": 2_000},
    "save_oneself": {"agents": "survivor", "games": 200_000},
    "grid": {"players": 3, "agents": ("random", "greedy", "disruptor"), "games": 2_000},
}
PAGES = {"en": "{}.html", "ru": "{}.ru.html"}

HELLO = Text(
    "Playmill plays every game it has many times and counts what happens. The figures in brackets say how far chance "
    "may have moved the ones before them. The first run also compiles the rules, on all cores: that takes a minute.",
    "Playmill много раз играет в каждую свою игру и считает, что вышло. Числа в скобках показывают, насколько "
    "случайность могла сдвинуть число перед ними. При первом запуске правила компилируются, на всех ядрах: это около "
    "минуты.",
)
COMPILING = Text("compiling the games", "компилирую игры")
PLAYING = Text("playing {} games of {}", "играю партии: {}, {}")
PAGES_ARE = Text(
    "Open these pages in a browser; they need no network:", "Откройте эти страницы в браузере, сеть им не нужна:"
)
NEXT = Text("Try next (in the same folder):", "Что попробовать дальше (в этой же папке):")
STOPPED = Text("Stopped before the end.", "Остановлено до конца.")


def main(*, out: Path = OUT, games: int | None = None) -> int:
    """Runs the demo and returns the exit status; `games` overrides how many are played of each game."""
    lang = user_language()
    console = Console(highlight=False)
    try:
        out.mkdir(parents=True, exist_ok=True)
        console.print(HELLO.of(lang))
        pages = []
        names = game_names()
        with Ahead(names) as ahead:
            for name in names:
                game, settings = load_game(name), settings_of(name)
                settings["games"] = games or settings["games"]
                ahead.wait_for(name)
                complete, written = show_off(game, settings, out, console)
                pages += written
                if not complete:
                    console.print(STOPPED.of(lang))
                    return 1
    except PlaymillError as error:
        print(f"demo: {error.text.of(lang)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"demo: {STOPPED.of(lang)}", file=sys.stderr)
        return 1
    console.print(f"\n{PAGES_ARE.of(lang)}", style="bold")
    for page in pages:
        console.print(f"  {_near(page)}", markup=False, soft_wrap=True)
    console.print(f"\n{NEXT.of(lang)}", style="bold")
    playmill = _near(Path(sys.executable).with_name("playmill"))
    among = "simulate dimensions --among dealer tactical"
    for words in ("serve", "games", f"show {names[0]}", f"config {names[0]}", among, "simulate --help"):
        console.print(f"  {playmill} {words}", markup=False, soft_wrap=True)
    return 0


def settings_of(name: str) -> dict[str, Any]:
    """Who plays a game here, and how often."""
    return {"players": load_game(name).players[0], "agents": "random", "games": 100_000, **NICER.get(name, {})}


class Ahead:
    """Compiles games side by side, each in a process of its own, as far as they are not compiled yet.

    What a process cannot do is done, and told, where the game is played.
    """

    def __init__(self, names: Sequence[str]) -> None:
        cores = default_workers()
        wanted = [name for name in names if cores > 1 and cache_folder() is not None and self._lacks(name)]
        self._processes: list[subprocess.Popen[bytes]] = []
        self._pool = ThreadPoolExecutor(cores)
        self._work: dict[str, Future[None]] = {name: self._pool.submit(self._compile, name) for name in wanted}

    @staticmethod
    def _lacks(name: str) -> bool:
        settings = settings_of(name)
        return resolve_plan(name, players=settings["players"], agents=settings["agents"]).would_compile()

    def _compile(self, name: str) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), "--compile", json.dumps(settings_of(name)), name]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._processes.append(process)
        process.wait()

    def wait_for(self, name: str) -> None:
        """Returns when a game is compiled, or cannot be."""
        if name in self._work:
            with Console(stderr=True).status(f"{COMPILING.of(user_language())} …"):
                self._work[name].result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            if process.poll() is None:
                process.kill()


def compile_one(name: str, settings: str) -> int:
    """What a process of `Ahead` does: it plays one game, and its code is on disk."""
    simulate(name, **{**json.loads(settings), "games": 1}, workers=1)
    return 0


def show_off(game: Game, settings: Mapping[str, Any], out: Path, console: Console) -> tuple[bool, list[Path]]:
    """Plays one game once, prints its tables, saves the numbers and a page in each language."""
    lang = user_language()
    console.print()
    console.print(Rule(game.title.of(lang)))
    playing = PLAYING.of(lang).format(f"{settings['games']:,}".replace(",", " "), game.title.of(lang))
    with Console(stderr=True).status(f"{playing} …"):
        run = simulate(game, seed=1, keep_games=False, **settings)
    tables = run.tables()
    console.print(f"$ {run.info.command}\n", style="dim", markup=False, soft_wrap=True)
    print_report(console, run.info, tables, lang)
    write_json(out / f"{game.name}.json", run.info, run.results)
    pages = []
    for language, pattern in PAGES.items():
        pages.append(out / pattern.format(game.name))
        write_text(pages[-1], html_page(run.info, tables, language))
    return run.info.complete, pages


def _near(path: Path) -> str:
    """A path as one would type it here."""
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(compile_one(words[2], words[1]) if words[:1] == ["--compile"] else main())
