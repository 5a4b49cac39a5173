"""What `compare` and `--until-sure` promise, measured: widths with and without pairing, false alarms, wrong verdicts.

    python tools/decide.py widths|nothing|small|sure|means [--repeats N]

- `widths`: one question a game, and how wide its interval is on common luck against luck of its own;
- `nothing`: how often anything is called real where both sides play by the same rules on luck of their own;
- `small`: how often a small true change is called real;
- `sure`: verdicts about a share whose true difference is known, since deals are drawn from a pool that was played once;
- `means`: the same for a mean.
"""

from __future__ import annotations

import argparse
from math import isfinite, sqrt
from typing import Any

import numpy as np

from playmill import compare
from playmill.interrupts import Stop
from playmill.lab.decide.until_sure import SequentialQuestion
from playmill.lab.runs.deal_values import DealValues
from playmill.lab.runs.executors import Where
from playmill.lab.runs.paired_play import PairedSetting, turns
from playmill.lab.runs.resolved_plan import resolve_plan
from playmill.report.commands.until_sure import Verdict
from playmill.stats.block_jackknife import moved
from playmill.stats.confidence_sequences import ConfidenceSequence, Floats, SequenceLook
from playmill.stats.critical_values import AtAnyTime
from playmill.stats.mean_intervals import Moments, mean_interval

PIG = "examples/pig"
#: Game, what changes, agents, and the figure that is asked about.
QUESTIONS: tuple[tuple[str, dict[str, Any], Any, str], ...] = (
    ("dimensions", {"set": ["yellow_goal=6"]}, "tactical", "factions.yellow.win_rate"),
    ("grid", {"set": ["patterns.C.vp=18"]}, "greedy", "vp_stats.greedy"),
    ("dice", {"set": ["target_score=3800"]}, "threshold", "win_rate.seats.0"),
    ("influence", {"set": ["chance_zero=60"]}, "cautious:chance=50", "rounds"),
    ("save_oneself", {"set": ["lives=17"]}, "survivor", "win_rate"),
)
#: Deals of the pool, and the most that a question is asked about.
POOL, BUDGET = 20_000, 20_000


def widths(repeats: int) -> None:
    """How wide the interval of a difference is, paired and not."""
    for game, change, agents, figure in QUESTIONS:
        found = compare(game, b=change, agents=agents, games=repeats, workers=1)
        name = next(name for name in found.differences if name == figure or name.endswith(f".{figure}"))
        one = found.differences[name]
        paired = one.high - one.low
        apart = paired / sqrt(max(1 - (one.removed or 0.0), 1e-9))
        print(
            f"{game:13} {' '.join(change['set']):26} {name:26} {one.value:+.4f}  ±{paired / 2:.4f} paired,"
            f" ±{apart / 2:.4f} apart: worth {(apart / paired) ** 2:.1f} times as many deals"
        )


def nothing(repeats: int, games: int = 300, game: str = PIG, agents: str = "threshold") -> float:
    """How often anything is called real where nothing is."""
    called = 0
    for number in range(repeats):
        found = compare(game, a={"seed": 2 * number}, b={"seed": 2 * number + 1}, agents=agents, games=games, workers=1)
        called += bool(found.real)
    print(f"{game}: something was called real in {called} of {repeats} comparisons of the same rules")
    return called / repeats


def small(repeats: int, games: int = 1000) -> float:
    """How often a change of two points in a hundred is found in the length of a game."""
    seen = 0
    for number in range(repeats):
        found = compare(PIG, b={"set": ["target=98"]}, agents="threshold", games=games, seed=number, workers=1)
        seen += found.differences["turns"].real
    print(f"{PIG}: 98 points instead of 100 make games shorter: found in {seen} of {repeats} runs of {games} deals")
    return seen / repeats


def pool(figure: tuple[str | int, ...], deals: int) -> Floats:
    """What each deal says of the difference between holding at 20 and at 30, against one who holds at 15."""
    sides = [
        PairedSetting(
            resolve_plan(PIG, agents=[f"threshold:n={n}", "threshold:n=15"], rotate=True, grouped=True),
            Where(workers=1),
            None,
            Stop(),
            names,
            rows=True,
        )
        for n, names in ((20, {"threshold:n=20": "holder"}), (30, {"threshold:n=30": "holder"}))
    ]
    values = [DealValues(side.resolved, figure, side.report) for side in sides]
    found = []
    for turn in turns(sides, deals, Stop(), size=lambda first: 2000):
        told = [
            value.take(parts, side.total.counts.total()) for value, parts, side in zip(values, turn, sides, strict=True)
        ]
        found.append(told[1][0] / told[1][1] - told[0][0] / told[0][1])
    every: Floats = np.concatenate(found)
    return every


def looks(budget: int) -> list[int]:
    """After how many deals `--until-sure` looks."""
    found = [64]
    while found[-1] < budget:
        found.append(min(budget, found[-1] + max(64, found[-1] // 10)))
    return found


def asked(values: Floats, question: SequentialQuestion) -> tuple[Verdict, int]:
    """The verdict about one history, and after how many deals."""
    sequence = ConfidenceSequence(-1.0, 1.0)
    before = 0
    for look in looks(len(values)):
        verdict = question.verdict(sequence.add(values[before:look]), 0.0)
        before = look
        if verdict is not Verdict.OPEN:
            break
    return verdict, before


def scenarios(values: Floats) -> list[tuple[str, float, float, set[Verdict]]]:
    """What is true, by which factor the values are turned, within what is asked, and which verdicts are errors."""
    delta = abs(float(values.mean()))
    sign = Verdict.HIGHER if values.mean() > 0 else Verdict.LOWER
    other = Verdict.LOWER if sign is Verdict.HIGHER else Verdict.HIGHER
    return [
        ("no difference", 0.0, delta, {Verdict.HIGHER, Verdict.LOWER}),
        ("d / 2", 1.0, 2 * delta, {Verdict.HIGHER, Verdict.LOWER}),
        ("d", 1.0, delta, {other}),
        ("2 d", 1.0, delta / 2, {Verdict.SAME, other}),
    ]


def fixed(sigma: float, margin: float, power: float) -> float:
    """Deals that a test of fixed size needs to see that a mean is so far from a limit, in a share of runs."""
    from scipy.stats import norm

    return float(((norm.ppf(0.975) + norm.ppf(power)) * sigma / margin) ** 2)


def told(name: str, answers: list[tuple[Verdict, int]], wrong: set[Verdict], sigma: float, margin: float) -> float:
    """Prints a line; returns the share of errors."""
    errors = sum(verdict in wrong for verdict, _ in answers) / len(answers)
    settled = sum(verdict is not Verdict.OPEN for verdict, _ in answers) / len(answers)
    deals = float(np.mean([deals for _, deals in answers]))
    need = fixed(sigma, margin, min(max(settled, 0.5), 0.99)) if margin else None
    beside = f"; fixed size of that power: {need:,.0f} ({deals / need:.2f} times)" if need else ""
    print(f"{name:14} wrong {errors:6.1%}, settled {settled:6.1%}, deals {deals:9,.0f}{beside}", flush=True)
    return errors


def sure(repeats: int, budget: int = BUDGET, deals: int = POOL) -> list[float]:
    """How often verdicts about a share err, and how many deals they take."""
    values = pool(("agents", "holder"), deals)
    luck, sigma = np.random.default_rng(7), float(values.std())
    print(f"true difference {values.mean():+.4f}, one deal {sigma:.3f}")
    errors = []
    for name, keeps, d, wrong in scenarios(values):
        answers = []
        for _ in range(repeats):
            drawn = luck.choice(values, budget)
            if not keeps:  # turned round at random, there is no difference
                drawn = drawn * luck.choice([-1.0, 1.0], budget)
            answers.append(asked(drawn, SequentialQuestion("share", d)))
        margin = {"no difference": d, "d / 2": d / 2, "d": 0.0, "2 d": d}[name]
        errors.append(told(name, answers, wrong, sigma, margin))
    return errors


def means(repeats: int, budget: int = BUDGET, deals: int = POOL) -> list[float]:
    """The same for a very skewed mean, which the sequence takes for normal, as `--until-sure` does: over 64 groups."""
    luck = np.random.default_rng(8)
    values = luck.exponential(1.0, deals) ** 1.5
    values += 0.2 - values.mean()
    sigma = float(values.std())
    schedule = [512]
    while schedule[-1] < budget:
        schedule.append(min(budget, schedule[-1] + max(64, schedule[-1] // 4)))
    errors = []
    for name, keeps, d, wrong in scenarios(values):
        answers = []
        for _ in range(repeats):
            drawn = luck.choice(values, budget) - (0.0 if keeps else float(values.mean()))
            low, high, question = -np.inf, np.inf, SequentialQuestion("mean", d)
            for look in schedule:
                groups = drawn[: look - look % 64].reshape(-1, 64)
                value, sizes = float(groups.mean()), [len(groups)] * 64
                without = (groups.sum() - groups.sum(axis=0)) / (groups.size - len(groups))
                variance, third, far = moved(value, without.tolist(), sizes)
                found = mean_interval(Moments(value, variance, third, groups.size, far), 63, AtAnyTime(groups.size))
                if isfinite(found[0]):
                    low, high = max(low, found[0]), min(high, found[1])
                verdict = question.verdict(SequenceLook(look, value, min(low, high), max(low, high)), 0.0)
                if verdict is not Verdict.OPEN:
                    break
            answers.append((verdict, look))
        margin = {"no difference": d, "d / 2": d / 2, "d": 0.0, "2 d": d}[name]
        errors.append(told(name, answers, wrong, sigma, margin))
    return errors


def main() -> None:
    """Measures what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["widths", "nothing", "small", "sure", "means"])
    parser.add_argument("--repeats", type=int, default=0)
    parser.add_argument("--game", default=PIG)
    parser.add_argument("--agents", default="threshold")
    options = parser.parse_args()
    repeats: int = options.repeats
    if options.what == "nothing":
        nothing(repeats or 400, game=options.game, agents=options.agents)
    elif options.what == "widths":
        widths(repeats or 2000)
    elif options.what == "small":
        small(repeats or 100)
    elif options.what == "sure":
        sure(repeats or 500)
    else:
        means(repeats or 500)


if __name__ == "__main__":
    main()
