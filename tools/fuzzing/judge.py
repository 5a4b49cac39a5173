"""What is wrong with what a case did: nothing, or one line that says what promise was broken."""

from __future__ import annotations

import json
import math
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from fuzzing.case import Case
from playmill.texts import LONGEST_SENTENCE


@dataclass(frozen=True)
class Done:
    """How a case ended: its status (negative: killed by that signal), what it printed, and what it raised."""

    status: int
    out: str = ""
    err: str = ""
    raised: str = ""
    seconds: float = 0.0


def verdict(case: Case, done: Done, folder: Path) -> str:
    """What is wrong, or nothing; the first word is the kind of failure."""
    if done.raised:
        return f"traceback {done.raised}"
    if done.status < 0:
        return f"crash signal {-done.status}"
    if "Traceback (most recent call last)" in done.err or "Exception ignored" in done.err:
        return f"traceback {_last_line(done.err)}"
    if done.status not in (0, 1, 2):
        return f"status {done.status}"
    return _words(case, done) or (_files(case, folder) if done.status == 0 else "")


def told(error: BaseException, trace: TracebackType | None) -> str:
    """An exception as one line: its type and where it was raised."""
    places = [frame for frame in traceback.extract_tb(trace) if "playmill" in frame.filename] or traceback.extract_tb(
        trace
    )
    where = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else ""
    try:
        said = str(error)[:200]
    except Exception:
        said = ""
    return f"{type(error).__name__} at {where}: {said!r}"


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")[:200]


def _words(case: Case, done: Done) -> str:
    """Whether a refusal is one plain sentence."""
    lines = done.err.splitlines()
    listed = case.argv[0] in ("content", "map") and "--check" in " ".join(case.argv) and not lines
    sentence = len(lines) == 1 and lines[0].startswith("playmill: ")
    if done.status == 2 and not (sentence or listed or case.way == "closed"):
        return f"words {len(lines)} lines: {done.err[:200]!r}"
    for line in lines:
        if not line.replace("\N{NO-BREAK SPACE}", " ").isprintable():
            return f"words control characters: {line[:200]!r}"
        if len(line) > LONGEST_SENTENCE + 40:
            return f"words {len(line)} characters: {line[:100]!r}"
    if done.status == 2 and case.argv[0] in ("content", "map"):
        for line in done.out.splitlines():
            if not line.replace("\N{NO-BREAK SPACE}", " ").isprintable():
                return f"words control characters: {line[:200]!r}"
    return ""


def _files(case: Case, folder: Path) -> str:
    """Whether results that were written are whole, finite and add up."""
    path = folder / "out.json"
    if case.argv[0] != "simulate" or not path.is_file() or "out.json" not in case.argv:
        return ""
    try:
        saved = json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number)
    except ValueError as error:
        return f"results {error}"
    for path_of, part in _parts(saved, ""):
        if problem := _odd(part, path_of):
            return f"results {problem}"
    if "results" not in saved:  # tables of several sizes
        return ""
    results, played = saved["results"], saved["meta"]["games"]
    wanted = int(float(case.argv[case.argv.index("--games") + 1])) if "--games" in case.argv else played
    if "--rotate" in case.argv:  # whole deals are played
        wanted = max(wanted, min(played, wanted + saved["meta"]["players"] - 1))
    if not wanted == played == results["games"]:
        return f"results {results['games']} games of {wanted}"
    return _sums(saved["meta"]["game"], results)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} in the results")


def _parts(data: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, data
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, part in steps:
        yield from _parts(part, f"{path}.{step}")


def _odd(part: Any, path: str) -> str:
    if isinstance(part, float) and not math.isfinite(part):
        return f"{path} is {part}"
    if isinstance(part, dict) and {"value", "low", "high"} <= part.keys():
        if part["value"] is None or part["low"] is None or part["high"] is None:
            # Undefined without observations, without an interval of too few: both ends or none.
            known = part["low"] is not None or part["high"] is not None
            undefined = (part["value"] is None) != (part.get("n") == 0)
            return f"{path}: half known, {part}" if known or undefined else ""
        if not part["low"] - 1e-9 <= part["value"] <= part["high"] + 1e-9:
            return f"{path}: {part['value']} is not in [{part['low']}, {part['high']}]"
        if "rate" in path.rsplit(".", 1)[-1] and not 0 <= part["value"] <= 1:
            return f"{path} is {part['value']}"
    return ""


def _sums(game: str, results: dict[str, Any]) -> str:
    """Every game ended in one way, and was won by so many as its rules allow."""
    games = results["games"]
    ways: dict[str, Callable[[], tuple[int, ...]]] = {
        "dimensions": lambda: (sum(seat["wins"] for seat in results["seats"]), sum(results["ends"].values())),
        "dice": lambda: (sum(results["wins"]) + results["draws"]["games"],),
        "grid": lambda: (sum(results["end_reasons"].values()),),
        "influence": lambda: (
            sum(seat["wins"] for seat in results["wins_by_seat"]) + results["draws"]["games"],
            sum(end["games"] for end in results["ended_by"].values()),
        ),
        "save_oneself": lambda: (
            sum(end["games"] for kind in ("wins_by", "losses_by") for end in results[kind].values()),
        ),
    }
    found = ways[game]() if game in ways else ()
    return f"results of {game} add up to {found}, not {games}" if any(count != games for count in found) else ""
