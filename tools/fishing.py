"""Whether luck can be fished for: one program handed in ten times, the luckiest version kept, and what the final says.

    python tools/fishing.py [--contests N]

Pig to 40, `threshold` against `threshold:n=12`, 20 deals a table. All versions play alike; only their deals differ. The
share of games that the luckiest version won is compared with what it wins in the final and with its due.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from playmill import load_game
from playmill.interrupts import Stop
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals

PIG = str(Path(__file__).resolve().parent.parent / "examples" / "pig")
VERSIONS, DEALS, LONG = 10, 20, 20_000
#: Contests are numbered from here.
_FIRST = 5000


@dataclass(frozen=True)
class Fished:
    """Shares of games won: the luckiest version's, its final's with a standard error, and what is due."""

    best: float
    final: float
    error: float
    due: float


def fish(contests: int) -> Fished:
    """Plays so many contests."""
    game = load_game(PIG)
    setting = RuleSetting("", game.config(target=40))

    def share(seed: int, code: str, luck: str | None = None, deals: int = DEALS) -> float:
        entrants = (Entrant("a", "threshold", code, luck), Entrant("b", "threshold:n=12", "0"))
        played = play_deals(Pairing(game, PIG, setting, entrants, seed), range(deals), Stop(), 1)
        assert played is not None
        return float((played.ranks[..., 0] < played.ranks[..., 1]).mean())

    best, final = [], []
    for seed in range(_FIRST, _FIRST + contests):
        shares = {str(version): share(seed, str(version)) for version in range(VERSIONS)}
        chosen = max(shares, key=lambda code: shares[code])
        best.append(shares[chosen])
        final.append(share(seed, chosen, "final"))
    due = float(np.mean([share(seed, "long", deals=LONG) for seed in range(4)]))
    error = float(np.std(final, ddof=1) / np.sqrt(contests))
    return Fished(float(np.mean(best)), float(np.mean(final)), error, due)


def main(words: Sequence[str] | None = None) -> None:
    """Prints the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--contests", type=int, default=300)
    found = fish(parser.parse_args(words).contests)
    print(f"the luckiest of {VERSIONS} versions: {found.best:.3f}")
    print(f"in the final: {found.final:.3f} ± {1.96 * found.error:.3f}")
    print(f"its due: {found.due:.3f}")


if __name__ == "__main__":
    main()
