"""Baselines of a benchmark: the last one saved on this machine, or one written to a file; ratio and noise."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playmill.engine.config.json_input import read_json
from playmill.engine.run.backends import default_workers
from playmill.home import home, make_private
from playmill.report.files.writing import write_saved
from playmill.texts import PlaymillError, Text

Row = Mapping[str, Any]
#: What a row is about: two of the same can be compared.
_SAME = ("game", "players", "agent", "backend", "threads")
#: Two runs of the same code on a quiet machine differ by so much, whatever their slices say.
_LEAST_NOISE = 0.03
_KEPT = "bench.json"


@dataclass(frozen=True)
class SpeedChange:
    """A speed beside an earlier one: now divided by before, and how much of it may be noise."""

    ratio: float
    noise: float

    @property
    def is_noise(self) -> bool:
        """Whether chance alone may have made the difference."""
        return abs(math.log(self.ratio)) <= math.log1p(self.noise)


def machine() -> str:
    """Describes the machine, as far as speeds depend on it: kind, processor, usable cores."""
    return f"{platform.machine()}, {processor()}, {default_workers()} × {platform.system()}"


def processor() -> str:
    """Returns the name of the processor; "?" where the system does not tell."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "CPU part") and value.strip():
                return value.strip()
    return platform.processor() or "?"


def speed_of(row: Row) -> float:
    """Returns the figure that is compared: games per second, or simulations per second."""
    return float(row.get("games_per_s", row.get("iterations_per_s", 0.0)))


class Baseline:
    """Rows measured earlier, by what they are about."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = {_about(row): row for row in rows}

    def change(self, row: Row) -> SpeedChange | None:
        """Returns how a row compares with its earlier one, if there is any."""
        before = self._rows.get(_about(row))
        if before is None or speed_of(before) <= 0 or speed_of(row) <= 0:
            return None
        spread = math.hypot(float(before.get("spread", 0.0)), float(row.get("spread", 0.0)))
        return SpeedChange(speed_of(row) / speed_of(before), max(_LEAST_NOISE, 2 * spread))

    def when(self, rows: Iterable[Row]) -> str:
        """Returns the days on which the rows were measured that these are compared with."""
        found = (self._rows.get(_about(row)) for row in rows)
        return ", ".join(sorted({str(row["when"])[:10] for row in found if row is not None and "when" in row}))


def _about(row: Row) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in _SAME)


def read_baseline(path: Path) -> Baseline:
    """Reads the rows of a file that `playmill bench --out` wrote; raises unless it is one."""
    saved = read_json(path)
    rows = [*saved.get("rows", ()), *saved.get("search", ())] if isinstance(saved, dict) else []
    if not rows or not all(isinstance(row, dict) and {*_SAME} <= {*row} for row in rows):
        raise PlaymillError(
            f"{path} is no bench: expected a file that playmill bench --out has written",
            f"{path} — не измерение: нужен файл, который записал playmill bench --out",
        )
    try:
        return _checked(rows)
    except (TypeError, ValueError):
        raise PlaymillError(
            f"{path}: a speed in it is no number", f"{path}: одна из скоростей в нём — не число"
        ) from None


def _checked(rows: Sequence[Row]) -> Baseline:
    for row in rows:
        speed_of(row), float(row.get("spread", 0.0))
    return Baseline(rows)


def last_kept() -> Baseline:
    """Returns the last baseline saved on this machine; empty if there is none, or it cannot be read."""
    return Baseline(_kept().get(machine(), ()))


def keep(rows: Iterable[Row]) -> Text | None:
    """Saves rows in place of earlier ones about the same; returns why not, if that fails."""
    kept = _kept()
    when = datetime.now(UTC).isoformat(timespec="seconds")
    mine = {_about(row): row for row in kept.get(machine(), ())}
    mine |= {_about(row): {**row, "when": when} for row in rows}
    try:
        make_private(home())
        write_saved(home() / _KEPT, {"bench": 1, "machines": {**kept, machine(): [*mine.values()]}}, ours=True)
    except PlaymillError as error:
        return error.text
    except OSError as error:
        return Text(str(error), str(error))
    return None


def _kept() -> dict[str, list[Row]]:
    """Returns all saved baselines by machine; unreadable files count as none."""
    path = home() / _KEPT
    with suppress(PlaymillError, OSError, AttributeError, TypeError, ValueError):
        if path.is_file():
            machines = read_json(path)["machines"]
            for rows in machines.values():
                _checked(rows)
            return dict(machines)
    return {}
