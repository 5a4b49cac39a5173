"""Reads a game in the open form with nothing but the standard library: `python read_replay.py GAME.json`.

Prints the totals after every turn, as CSV. Playmill need not be installed.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path


def main(path: str) -> None:
    """Prints one line a turn: who had it, how many actions it took, and everything that is counted but its parts."""
    game = json.loads(Path(path).read_text(encoding="utf-8"))
    if game.get("open_replay") != 1:
        raise SystemExit(f"{path}: not a game in the open form 1")
    named = [line["name"]["en"] for line in game["end"]["counting"] if line["kind"] != "part"]
    seats = range(len(game["players"]))
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(["turn", "player", "actions", *(f"{name} of player {seat + 1}" for name in named for seat in seats)])
    for turn in game["turns"]:
        counted = {line["name"]["en"]: line["values"] for line in turn["counting"]}
        values = [counted.get(name, [None] * len(seats))[seat] for name in named for seat in seats]
        rows.writerow([turn["turn"], turn["player"] + 1, turn["last"] - turn["first"] + 1, *values])


if __name__ == "__main__":
    main(sys.argv[1])
