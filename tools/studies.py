"""The four studies of docs/tuning.md: each is tuned, its plots are written beside the page, its figures are printed.

    python tools/studies.py factions        one of them, or several, or all without a name
    python tools/studies.py --quick --to DIR  small ones, to see that they work

A study that was stopped goes on where it was. What the page says comes from what is printed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from rich.console import Console

from playmill import tune
from playmill.lab.decide.tune import Tuning
from playmill.report.commands.tune import plots, print_tuning

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "tuning"


def factions(**size: Any) -> Tuning:
    """The five factions of Epic Battle of Dimensions, one config for 3, 4 and 5 players, played by tactical."""
    return tune(
        "dimensions",
        players=[3, 4, 5],
        agents="tactical",
        goal="factions",
        free=[
            "green_goal:3..6",
            "yellow_goal:2..6",
            "blue_goal:20..50",
            "hand_size:4..8",
            "anomalies_in_deck:0..2",
        ],
        **{"games": 4_000, "trials": 60, **size},
    )


def patterns(**size: Any) -> Tuning:
    """The VP of the six patterns of Grid that greedy players make often enough to be measured."""
    return tune(
        "grid",
        agents="greedy",
        goal="equal:pattern_pay.E|F|G|H|I|J",
        free=[f"patterns.{name}.vp:1..300/log" for name in "EFGHIJ"],
        **{"games": 640, "trials": 40, **size},
    )


def survivor(**size: Any) -> Tuning:
    """Save Oneself, won by survivor in half of all games."""
    return tune(
        "save_oneself",
        agents="survivor",
        goal="win_rate=50%",
        free=["lives:8..30", "tornado_at:9..16", "cards.storm.lives:-4..0", "cards.pirates.lives:-4..0"],
        **{"games": 40_000, "trials": 60, **size},
    )


def ale(**size: Any) -> Tuning:
    """A copy of the item Spilled Ale, made worth nothing: the player pays for throwing again."""
    text = (resources.files("playmill.games.dice.content") / "data" / "items.json").read_text(encoding="utf-8")
    (found,) = [item for item in json.loads(text)["items"] if item["id"] == "spilled_ale"]
    return tune(
        "dice",
        agents="greedy",
        goal="worth.house_ale=0",
        config={"content": {"items": [{**found, "id": "house_ale"}]}},
        free=["content.items.house_ale.effect.0.add:-150..50/10", "content.items.house_ale.cooldown_turns:2..12"],
        **{"games": 4_000, "trials": 30, **size},
    )


STUDIES: dict[str, Callable[..., Tuning]] = {
    "factions": factions,
    "patterns": patterns,
    "survivor": survivor,
    "ale": ale,
}


def main() -> int:
    """Makes the studies that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*STUDIES, []], metavar="STUDY")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--to", type=Path, default=PICTURES)
    options = parser.parse_args()
    console = Console(width=100, highlight=False)
    options.to.mkdir(parents=True, exist_ok=True)
    for name in options.names or STUDIES:
        found = STUDIES[name](**({"games": 192, "trials": 4} if options.quick else {}))
        print_tuning(console, found.shown, "en")
        for number, plot in enumerate(plots(found.shown), 1):
            path = options.to / f"{name}-{number}.svg"
            path.write_text(plot.svg("en") + "\n", encoding="utf-8")
            console.print(f"wrote {path}: {plot.title.en}")
        console.print(f"{name}: {found.games} games, {found.elapsed_s:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
