"""Throws at Playmill what nobody should: `make fuzz`, or `tools/fuzz.py --minutes 60 --seed 7`.

Every case depends on the seed and its number alone. A case that breaks a promise (a traceback, a hang, a crash, a
message that is not one plain sentence, figures that are not numbers or do not add up, backends that differ) is kept as
a small file; `tools/fuzz.py --again FILE` runs it again. With `--bounds` an index out of its array is a traceback, too.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path

from fuzzing.case import Case
from fuzzing.run import Tried, forget, tried, warm
from fuzzing.sources import SOURCES, case_of

BOUNDS = "NUMBA_BOUNDSCHECK"


def main() -> int:
    """Runs the fuzzer; 1 if it found something."""
    options = _options()
    if options.again:
        return _again(options.again)
    warm()
    tally = Tally()
    number = options.first
    try:
        while tally.seconds() < options.minutes * 60 and number < options.first + options.cases:
            case = case_of(options.seed, number)
            came = tried(case)
            name = tally.add(case, came)
            if name is not None:
                print(f"{number}: {came.said}\n    {keep(options.out, case, name, came.said)}", flush=True)
            number += 1
            if number % 500 == 0:
                print(tally, flush=True)
    except KeyboardInterrupt:
        print("stopped")
    forget()
    print(tally)
    return 1 if tally.found else 0


class Tally:
    """What came of all cases so far."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._kinds: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()
        self._failures: Counter[str] = Counter(traceback=0, hang=0, crash=0)
        self._slowest = 0.0
        self.found: set[str] = set()

    def seconds(self) -> float:
        """How long it has been."""
        return time.monotonic() - self._started

    def add(self, case: Case, came: Tried) -> str | None:
        """Counts a case; the name of what it found if that is new."""
        self._kinds[case.kind] += 1
        self._ends[{0: "done", 2: "refused"}.get(came.status, "stopped") if came.status is not None else "lost"] += 1
        self._slowest = max(self._slowest, came.seconds)
        if not came.said:
            return None
        self._failures[came.said.split()[0]] += 1
        name = signature(case, came.said)
        if name in self.found:
            return None
        self.found.add(name)
        return name

    def __str__(self) -> str:
        cases = f"{self._kinds.total()} cases in {self.seconds():.0f} s ({_listed(self._kinds)})"
        found = f"different findings {len(self.found)}; slowest {self._slowest:.1f} s"
        return "; ".join((cases, _listed(self._ends), _listed(self._failures), found))


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long (5 by default)")
    parser.add_argument("--cases", type=int, default=10**12, help="at most so many cases")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same cases")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--only", choices=SOURCES, nargs="+", help="only these kinds of cases")
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"), help="where what was found is kept")
    parser.add_argument("--bounds", action="store_true", help="with rules compiled so that every index is checked")
    parser.add_argument("--again", type=Path, nargs="+", metavar="FILE", help="run kept cases again")
    options = parser.parse_args()
    if options.bounds and os.environ.get(BOUNDS) != "1":  # the compiler asks for it when it is imported
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, BOUNDS: "1"})
    for kind in set(SOURCES) - set(options.only or SOURCES):
        del SOURCES[kind]
    return options


def _again(paths: list[Path]) -> int:
    bad = 0
    for path in paths:
        came = tried(Case.read(path.read_text(encoding="utf-8")))
        bad += bool(came.said)
        print(f"{path}: {came.said or 'nothing wrong'} ({came.seconds:.1f} s)")
    return 1 if bad else 0


def signature(case: Case, said: str) -> str:
    """A name for what was found: the same for the same thing found twice."""
    plain = re.sub(r"0x[0-9a-f]+|\d+", "0", said if said.startswith(("traceback", "fuzzer")) else said[:60])
    told = plain.split(": '")[0]
    return f"{said.split(maxsplit=1)[0]}-{case.kind}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def keep(folder: Path, case: Case, name: str, said: str) -> Path:
    """Writes a case down."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(case.text(), encoding="utf-8")
    path.with_suffix(".txt").write_text(said + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
