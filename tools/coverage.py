"""Repeats runs whose truth is known: do intervals hold it, is nothing called real that is not, are verdicts right?

    python tools/coverage.py [--games grid pig] [--only coverage null power sure] [--repetitions 300] [--sizes 20 200]

A pool of games is played once for each game and its agents; it is the whole population, so that its figures are the
truth, exactly. Each repetition draws deals from it and goes through what a user's run goes through after it is played:

- `coverage`: every figure of the report, as `simulate` gives it: how often its interval holds the truth;
- `null`: the same rules on both sides, by `compare` and by `report --against`: how often anything is called real;
- `power`: a small change of the rules: how often its figure is called real by both;
- `sure`: `--until-sure` on questions whose answer is known, near the edge: how often the verdict is wrong.

The worst lines come first. Exit status 1: in some line figures cover less than 92 %, or more than 5 % of comparisons or
verdicts are wrong, by more than chance explains. What is worked out lies in tools/calibration.
"""

from __future__ import annotations

if __name__ != "__main__":
    # Numba asks for the package of this name, which measures tests, and goes without it if there is none.
    raise ImportError("tools/coverage.py is a program, not the package of that name", name=__name__)

import sys

from calibration.program import main

sys.exit(main(__doc__ or ""))
