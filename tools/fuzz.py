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
from fuzzing.run import forget, tried, warm
from fuzzing.sources import SOURCES, case_of

BOUNDS = "NUMBA_BOUNDSCHECK"


def main() -> int:
    """Runs the fuzzer; 1 if it found something."""
    options = _options()
    warm()
    if options.again:
        return _again(options.again)
    started = time.monotonic()
    counts: Counter[str] = Counter()
    found: dict[str, Path] = {}
    failures: Counter[str] = Counter()
    slowest, number = 0.0, options.first
    try:
        while time.monotonic() - started < options.minutes * 60 and number < options.first + options.cases:
            case = case_of(options.seed, number)
            said, seconds = tried(case)
            counts[case.kind] += 1
            slowest = max(slowest, seconds)
            if said:
                failures[said.split()[0]] += 1
                name = signature(case, said)
                if name not in found:
                    found[name] = keep(options.out, case, name, said)
                    print(f"{number}: {said}\n    {found[name]}", flush=True)
            number += 1
            if number % 500 == 0:
                print(_summary(counts, failures, found, started, slowest), flush=True)
    except KeyboardInterrupt:
        print("stopped")
    forget()
    print(_summary(counts, failures, found, started, slowest))
    return 1 if found else 0


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
        said, seconds = tried(Case.read(path.read_text(encoding="utf-8")))
        bad += bool(said)
        print(f"{path}: {said or 'nothing wrong'} ({seconds:.1f} s)")
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


def _summary(
    counts: Counter[str], failures: Counter[str], found: dict[str, Path], started: float, slowest: float
) -> str:
    spent = time.monotonic() - started
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    broken = ", ".join(f"{kind} {failures[kind]}" for kind in ("traceback", "hang", "crash"))
    others = ", ".join(f"{kind} {n}" for kind, n in failures.items() if kind not in ("traceback", "hang", "crash"))
    total = f"{counts.total()} cases in {spent:.0f} s ({kinds})"
    return (
        f"{total}; {broken}{', ' + others if others else ''}; different findings {len(found)}; slowest {slowest:.1f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
