"""Limits of a bot: time, memory, processes and output, and whether a failure forfeits the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from playmill.engine.contract.agent import Parameter
from playmill.texts import PlaymillError, Text


@dataclass(frozen=True)
class Limits:
    """Limits of a bot: times in seconds, memory in MB, output in kB.

    A bot that crashes, hangs, floods or breaks the protocol is out of the game it plays, and is started anew for the
    next. Its decisions are made at random and counted as fallbacks. With `forfeit` the first wrong answer ends its game
    as well, and whoever keeps score is to count the game as lost; without it a wrong answer costs that one decision.
    """

    start: float = 10.0  # until `ready`, in every game
    move: float = 5.0  # for one answer
    game: float = 120.0  # for all answers of a game together
    memory: int = 1024
    line: int = 64  # the longest line it may write
    output: int = 1024  # all it may write in one game
    stderr: int = 64  # so much of what it complains of is kept
    processes: int = 1
    threads: int = 64  # in all its processes
    files: int = 128  # open at once
    forfeit: bool = False

    def changed(self, values: Mapping[str, float]) -> Limits:
        """The same with some numbers changed; raises for one that is out of its range."""
        for name, value in values.items():
            known = PARAMETERS.get(name)
            if known is None or not known.low <= value <= known.high:
                ranges = ", ".join(f"{key} {one.low:g} … {one.high:g}" for key, one in PARAMETERS.items())
                raise PlaymillError(
                    f"the limit {name}={value:g} of a program cannot be; limits are {ranges}",
                    f"предел {name}={value:g} для программы не годится; пределы: {ranges}",
                )
        return replace(self, **{name: type(getattr(self, name))(value) for name, value in values.items()})

    def numbers(self) -> dict[str, float]:
        """Every limit by its name."""
        return {one.name: float(getattr(self, one.name)) for one in fields(self)}


def _limit(name: str, low: float, high: float, en: str, ru: str) -> Parameter:
    return Parameter(float(getattr(Limits, name)), low, high, Text(en, ru))


#: The limits one can change where a program is named, with their ranges.
PARAMETERS: Mapping[str, Parameter] = {
    "start": _limit("start", 0.1, 600, "seconds until it is ready", "секунд на запуск"),
    "move": _limit("move", 0.01, 3600, "seconds for one answer", "секунд на один ответ"),
    "game": _limit("game", 0.01, 86_400, "seconds for all answers of a game", "секунд на все ответы за партию"),
    "memory": _limit("memory", 16, 1 << 20, "MB of memory for all its processes", "МБ памяти на все процессы"),
    "line": _limit("line", 1, 1 << 14, "kB in a line that it writes", "КБ в одной строке вывода"),
    "output": _limit("output", 1, 1 << 20, "kB written in a game", "КБ вывода за партию"),
    "stderr": _limit("stderr", 0, 1 << 20, "kB of its complaints that are kept", "КБ сохраняемого stderr"),
    "processes": _limit("processes", 1, 1000, "processes at once", "процессов одновременно"),
    "threads": _limit(
        "threads", 1, 10_000, "threads at once, in all processes", "потоков одновременно во всех процессах"
    ),
    "files": _limit("files", 16, 10_000, "files open at once", "одновременно открытых файлов"),
    "forfeit": _limit("forfeit", 0, 1, "1: a wrong answer loses the game", "1 — неверный ответ проигрывает партию"),
}
