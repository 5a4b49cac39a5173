"""Subprocess of `playmill bench --against` that plays orders from its input; must run under any commit of Playmill.

So it is a script that imports nothing but `playmill.simulate`. A line of JSON comes in with what is to be played; one
goes out with the seconds of processor time that took, and a hash of what came of it, or with an error.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time


def main() -> None:
    """Answers line by line until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        order = json.loads(line)
        try:
            from playmill import simulate

            begun = time.process_time()
            run = simulate(order.pop("game"), **order, workers=1, keep_games=False)
            spent = time.process_time() - begun
            results = json.dumps(run.results, sort_keys=True, default=str)
            answer = {"seconds": spent, "results": hashlib.sha256(results.encode()).hexdigest()[:16]}
        except Exception as error:
            answer = {"error": str(error).splitlines()[0] if str(error) else type(error).__name__}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
