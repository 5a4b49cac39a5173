"""How often the 95 % intervals of ratings hold, and how often a place called settled or a surely better one is wrong.

Contests of entrants whose strengths are known are played with luck alone: seats differ, and the luck of a deal favours
one seat in all its games. What each rating should be is found by a contest of a great many deals. A line for each kind
of contest: how often intervals hold, on average and for the entrant for whom they do so least; how wide they are; in
how many contests any place that is called settled is wrong; and in how many anybody is wrongly said to beat somebody.

    python tools/ratings.py                 all of it, 400 contests a line: about an hour
    python tools/ratings.py --runs 50       roughly
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from itertools import combinations
from math import exp
from types import SimpleNamespace
from typing import Any

import numpy as np

from playmill.engine.contract.game import load_game
from playmill.interrupts import Stop
from playmill.lab.contests.tournament import event as event_module
from playmill.lab.contests.tournament.deal_results import DealResults
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, OverError
from playmill.lab.contests.tournament.ladder import _spans, _verdicts
from playmill.lab.contests.tournament.pairing import RuleSetting
from playmill.lab.contests.tournament.schedule import Settling
from playmill.lab.contests.tournament.store import PairingStore
from playmill.stats.head_to_head import head_to_head
from playmill.stats.ratings import RankedDeals, ratings, strengths

EQUAL = np.zeros(6)
SPREAD = np.array([1.2, 0.8, 0.4, 0.0, -0.5, -1.9])
#: How much the luck of a deal, and the seat one has, weigh beside what each game brings.
DEAL, SEAT = 0.7, 0.3
MANY = 40_000


def table(
    luck: Any, theta: Any, members: Sequence[int], deals: int, *, draws: float = 0.0, winner: bool = False
) -> RankedDeals:
    """Deals of one table, each from every seat: whoever has the most points comes first."""
    size = len(members)
    favour = DEAL * luck.standard_normal((deals, size)) + SEAT * np.linspace(-1, 1, size)
    own = np.asarray(theta)[list(members)]
    ranks = np.zeros((deals, size, size), np.uint8)
    for turn in range(size):
        points = own + np.roll(favour, turn, axis=1) + luck.gumbel(size=(deals, size))
        more = (points[:, None, :] > points[:, :, None] + draws).sum(axis=2)
        ranks[:, turn] = np.minimum(more, 1) if winner else more
    return RankedDeals(tuple(members), ranks)


Kind = Callable[[Any, int], list[RankedDeals]]


def everybody(size: int, deals: int, theta: Any = SPREAD, **how: Any) -> Kind:
    """Everybody at every table, so many deals each; `scale` times as many to find the truth."""
    return lambda luck, scale: [
        table(luck, theta, group, deals * scale, **how) for group in combinations(range(len(theta)), size)
    ]


def unequal(luck: Any, scale: int) -> list[RankedDeals]:
    """Neighbours play much, those far apart little, and some never."""
    return [
        table(luck, SPREAD, (one, other), (100, 20, 5, 0, 0)[other - one - 1] * scale)
        for one, other in combinations(range(len(SPREAD)), 2)
    ]


KINDS: dict[str, Kind] = {
    "2 players, 50 deals a pair": everybody(2, 50),
    "2 players, 8 deals a pair": everybody(2, 8),
    "2 players, a third drawn": everybody(2, 50, draws=0.9),
    "4 players, whole orders": everybody(4, 20),
    "4 players, a winner only": everybody(4, 20, winner=True),
    "unequal numbers of games": unequal,
    "one who hardly ever loses": everybody(2, 30, np.array([5.0, 0.6, 0.2, 0.0, -0.8])),
    "all equal": everybody(2, 50, EQUAL),
    "all equal, 16 deals a pair": everybody(2, 16, EQUAL),
    "all equal, 8 deals a pair": everybody(2, 8, EQUAL),
}


def coverage(name: str, kind: Kind, runs: int, draws: int) -> str:
    """A line about one kind of contest."""
    luck = np.random.Generator(np.random.PCG64(20))
    sample = kind(luck, 1)
    entrants = 1 + max(member for one in sample for member in one.members)
    least = min(len(one.ranks) for one in sample if len(one.ranks))
    truth = strengths(entrants, kind(luck, max(1, MANY // least)))
    equal = float(np.ptp(truth)) < 5
    order = np.argsort(-truth)
    place = {int(one): number + 1 for number, one in enumerate(order)}
    held, width, wrong, settled, beaten = np.zeros(entrants), 0.0, 0, 0.0, 0
    for _ in range(runs):
        tables = kind(luck, 1)
        beaten += any(equal or place[best] > place[other] for best, other in _surely_better(tables))
        found = ratings(entrants, tables, draws=draws)
        held += (found.low <= truth) & (truth <= found.high)
        width += float(np.mean(found.high - found.low))
        ranked = sorted(range(entrants), key=lambda one: -found.values[one])
        spans = _spans(ranked, found)
        settled += sum(first == last for first, last in spans.values()) / entrants
        if equal:
            wrong += any(span != (1, entrants) for span in spans.values())
        else:
            wrong += any(not first <= place[one] <= last for one, (first, last) in spans.items())
    share = held / runs
    return (
        f"{name:28s} holds {100 * share.mean():5.1f} %, least {100 * share.min():5.1f} %"
        f"  ±{width / runs / 2:4.0f} points  settled {100 * settled / runs:4.0f} %  wrong {100 * wrong / runs:4.1f} %"
        f"  of pairs {100 * beaten / runs:4.1f} %"
    )


def _surely_better(tables: Sequence[RankedDeals]) -> list[tuple[int, int]]:
    """Who is said to beat whom."""
    verdicts = _verdicts(head_to_head(tables), None)
    return [pair if verdict == 1 else pair[::-1] for pair, verdict in verdicts.items() if verdict is not None]


def settling(name: str, theta: Sequence[float], runs: int, *, games: int, within: float | None = None) -> str:
    """A line about contests that are played until the ladder is settled."""
    game = load_game("examples/pig")
    names = [chr(ord("a") + place) for place in range(len(theta))]
    level = dict(zip(names, theta, strict=True))
    wrong = done = 0
    played = 0.0
    for run in range(runs):
        entrants = [Entrant(one, "random") for one in names]
        event = ContestEvent(
            game, "", entrants, [RuleSetting("", game.config())], 2, seed=run, store=PairingStore(None),
            budget=EventBudget(games, None, Stop()),
        )  # fmt: skip

        def play(pairing: Any, deals: range, *_: Any) -> DealResults:
            one, other = (level[name] for name in pairing.names)
            luck = np.random.Generator(np.random.PCG64([pairing.seed, deals.start]))
            lost = luck.random((len(deals), 2)) > 1 / (1 + exp(other - one))
            return DealResults(np.stack([lost, ~lost], axis=2).astype(np.uint8))

        room: Any = event_module
        room.play_deals = play
        judge = Settling(event, within=within)
        try:
            judge.run()
            done += 1
        except OverError:
            pass
        truth = {1: lambda one, other: one > other, -1: lambda one, other: one < other}
        for one, other in combinations(range(len(theta)), 2):
            verdict = judge.verdict(one, other)
            if verdict in truth and not truth[verdict](theta[one], theta[other]):
                wrong += 1
                break
        played += event.games
    return (
        f"{name:28s} settled {100 * done / runs:5.1f} %  wrong {100 * wrong / runs:4.1f} %"
        f"  {played / runs:9,.0f} games on average"
    )


def shuffled() -> str:
    """The same contest with tables, deals, games and seats in other orders."""
    luck = np.random.Generator(np.random.PCG64(7))
    tables = everybody(4, 20)(luck, 1)
    first = ratings(6, tables)
    same = True
    for _ in range(20):
        mixed = []
        for place in luck.permutation(len(tables)):
            one = tables[place]
            seats = luck.permutation(4)
            ranks = one.ranks[luck.permutation(20)][:, luck.permutation(4)][:, :, seats]
            mixed.append(RankedDeals(tuple(one.members[seat] for seat in seats), ranks))
        again = ratings(6, mixed)
        same &= again.values.tobytes() == first.values.tobytes() and again.drawn.tobytes() == first.drawn.tobytes()
    return f"20 contests in other orders: {'the same ladder, bit for bit' if same else 'ANOTHER LADDER'}"


def main(words: Sequence[str] | None = None) -> SimpleNamespace:
    """Prints a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--draws", type=int, default=1000)
    options = parser.parse_args(words)
    lines = [shuffled()]
    print(lines[0], flush=True)
    for name, kind in KINDS.items():
        lines.append(coverage(name, kind, options.runs, options.draws))
        print(lines[-1], flush=True)
    for name, theta, games, within in (
        ("until settled, six", list(SPREAD), 200_000, None),
        ("until settled, four equal", [0.0] * 4, 20_000, None),
        ("until settled or equal, four", [0.4, 0.0, 0.0, -0.4], 200_000, 0.05),
    ):
        lines.append(settling(name, theta, options.runs, games=games, within=within))
        print(lines[-1], flush=True)
    return SimpleNamespace(lines=lines)


if __name__ == "__main__":
    main()
