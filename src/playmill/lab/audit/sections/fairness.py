"""Audit section "fairness": win rates by seat and side, length and decisions, among equally good players."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from playmill.engine.run.rollouts import jobs_of
from playmill.lab.audit.context import AuditContext, Numbers
from playmill.lab.audit.observations import Observations, joined
from playmill.lab.audit.sections.length import length
from playmill.report.commands.audit import AuditSection, Finding, span, thin
from playmill.report.model.common_tables import FAIR
from playmill.report.model.tables import Chart, Estimate, Table, rate
from playmill.report.number_format import NOTHING, TOO_FEW, decimal_text
from playmill.stats.inequality import Spread, ratios, spread
from playmill.texts import Text, as_text

#: A gap between win rates that players begin to notice, and one nobody can overlook.
_NOTICED, _GREAT = 0.02, 0.10
#: A share of draws that needs a look.
_DRAWS = 0.10
_WIN_RATE = Text("win rate", "доля побед")
_MOST = 1 << 17
#: Fewer games than this are a hint only.
_LITTLE = 400
#: A table, what to look at, the answer in a few words and in a sentence, and figures to save.
_Made = tuple[Table, list[Finding], Text, Text, dict[str, Any]]


def equal_games(context: AuditContext, games: range) -> Observations:
    """Plays games of equal players: payoffs, rows and notes."""
    found = context.play(jobs_of(len(games), context.players, seed=context.seed, first=games.start))
    return {"paid": context.payoffs(found.paid), "rows": found.rows, "notes": found.notes}


def fairness(context: AuditContext) -> AuditSection:
    """Measures win rates by seat and by side, how long a game is, and how much there is to decide."""
    played: list[Observations] = []
    games = context.budget.play(
        "fairness",
        lambda some: played.append(context.observe(equal_games, some)),
        least=context.fewer(64),
        most=_MOST,
    )
    found = joined(played)
    payoffs, rows, notes = found["paid"], found["rows"], found["notes"]
    tables, findings = [], []
    results: dict[str, Any] = {}
    sentences: list[Text] = []
    shorts: list[Text] = []
    for made in (_seats(context, payoffs), _sides(context, payoffs, rows)):
        if made is not None:
            table, more, short, sentence, figures = made
            tables.append(table)
            findings += more
            shorts.append(short)
            sentences.append(sentence)
            results |= figures
    table, more, short, sentence, figures, plot = length(context, rows, notes)
    return AuditSection(
        key="fairness",
        title=Text("Fairness and length", "Баланс и длина"),
        short=Text.join([*shorts, short], " "),
        verdict=context.with_players(Text.join([*sentences, sentence], " ")),
        thin=thin(games, _LITTLE, context.budget.minutes_for("fairness", _LITTLE)),
        tables=(*tables, table),
        plots=(plot,) if plot is not None else (),
        after=tables[-1].key,
        findings=(*findings, *more),
        results=results | figures | {"games": games, "player": context.player},
        about=Text("Games in which everybody plays like {}.", "Партии, в которых все играют как {}.").format(
            context.called
        ),
    )


def _seats(context: AuditContext, payoffs: Numbers) -> _Made | None:
    """Returns win rates by seat; of a solo game, how often it is won."""
    n = len(payoffs)
    if context.solo:
        won = rate(int(payoffs.sum()), n)
        sentence = Text("The game is won in {} of games.", "Выигрывают {} партий.").format(span(won))
        row = (Text("the player wins", "игрок выигрывает"), won)
        table = _rates("seats", Text("How often it is won", "Как часто выигрывают"), [row], None)
        findings = []
        if won.high < 0.05 or won.low > 0.95:
            findings.append(
                Finding(
                    0.8,
                    Text(
                        "A player like {} wins {} of games: hardly a question any more.",
                        "Играющий как {} выигрывает {} партий: это уже почти не вопрос.",
                    ).format(context.called, span(won)),
                    context.simulation(),
                )
            )
        return table, findings, sentence, sentence, {"win_rate": won.json()}
    alone = payoffs == 1
    found = [rate(int(alone[:, seat].sum()), n) for seat in range(context.players)]
    draws = rate(int(n - alone.any(axis=1).sum()), n)
    rows: list[tuple[Text, Estimate]] = [
        (Text(f"Seat {seat + 1}", f"Место {seat + 1}"), one) for seat, one in enumerate(found)
    ]
    if draws.value > 0:
        rows.append((Text("a draw", "ничья"), draws))
    gap = spread(*ratios(payoffs, np.ones_like(payoffs)))
    findings = []
    command = context.simulation()
    if gap.real and gap.gap.value > _NOTICED:
        best = int(np.argmax(payoffs.mean(axis=0))) + 1
        findings.append(
            Finding(
                min(1.0, gap.gap.value / _GREAT) * 0.9,
                Text(
                    "{} seats are not equal: seat {} is ahead, by {} of win rate.",
                    "{} места неравны: впереди место {}, на {} доли побед.",
                ).format(context.among, best, points(gap.gap)),
                command,
            )
        )
    if draws.low > _DRAWS:
        findings.append(
            Finding(
                min(1.0, draws.value) * 0.7,
                Text("{} {} of games are draws.", "{} ничьих — {}.").format(context.among, span(draws)),
                command,
            )
        )
    ahead = int(np.argmax(payoffs.mean(axis=0))) + 1
    short = _gap_short(gap, Text("Seats", "Места"), Text(f"Seat {ahead}", f"место {ahead}"))
    sentence = _gap_sentence(gap, Text("Seats", "Места"))
    # Where nobody wins a draw, equals win less than their share of all games.
    fair = (1 - draws.value) * context.fair
    table = _rates("seats", Text("Who wins, by seat", "Кто выигрывает, по местам"), rows, fair)
    results = {
        "seats": [one.json() for one in found],
        "draws": draws.json(),
        "seat_gap": gap.gap.json() | {"n": n, "seen": gap.seen, "p": gap.p},
    }
    return table, findings, short, sentence, results


def _sides(context: AuditContext, payoffs: Numbers, rows: Any) -> _Made | None:
    """Returns win rates by side, in a game that says which side each seat was (`audit.sides`, `audit.SIDES`)."""
    audit_module = context.game.audit
    if audit_module.sides is None or audit_module.SIDES is None:
        return None
    sides: Any = np.asarray(audit_module.sides(rows))[:, : context.players]
    names = [as_text(name) for name in audit_module.SIDES]
    part = np.stack([(sides == side).sum(axis=1) for side in range(len(names))], axis=1)
    won = np.stack([(payoffs * (sides == side)).sum(axis=1) for side in range(len(names))], axis=1)
    there = np.flatnonzero(part.sum(axis=0))
    gap = spread(*ratios(won[:, there], part[:, there]))
    found = {int(side): rate(round(float(won[:, side].sum())), int(part[:, side].sum())) for side in there}
    findings = []
    if gap.real and gap.gap.value > _NOTICED:
        best = max(found, key=lambda side: found[side].value)
        worst = min(found, key=lambda side: found[side].value)
        findings.append(
            Finding(
                min(1.0, gap.gap.value / _GREAT),
                Text(
                    "{} sides are not equal: {} wins {}, {} only {}.",
                    "{} стороны неравны: {} — {} побед, {} — только {}.",
                ).format(context.among, names[best], span(found[best]), names[worst], span(found[worst])),
                context.simulation(),
            )
        )
    shown = [(names[side], one) for side, one in found.items()]
    table = _rates("sides", Text("Who wins, by side", "Кто выигрывает, по сторонам"), shown, context.fair)
    results = {
        "sides": {names[side].en: one.json() for side, one in found.items()},
        "side_gap": gap.gap.json() | {"n": len(payoffs), "seen": gap.seen, "p": gap.p},
    }
    sides_ = Text("Sides", "Стороны")
    ahead = names[max(found, key=lambda side: found[side].value)]
    return table, findings, _gap_short(gap, sides_, ahead), _gap_sentence(gap, sides_), results


def points(gap: Estimate) -> Text:
    """Returns a difference of shares in percentage points, with its interval."""
    if isnan(gap.value):
        return Text(NOTHING, NOTHING)
    value, low, high = (decimal_text(100 * end, 1) for end in (gap.value, gap.low, gap.high))
    if not gap.known:
        return Text("{} points {}", "{} п. п. {}").format(value, TOO_FEW)
    return Text("{} points [{}, {}]", "{} п. п. [{}; {}]").format(value, low, high)


def _gap_short(gap: Spread, who: Text, ahead: Text) -> Text:
    """Returns who is ahead, in a few words."""
    if not gap.real:
        less = Text("{} differ by less than {} points.", "{}: разница меньше {} п. п.")
        return less.format(who, decimal_text(100 * gap.gap.high, 1))
    name = Text(ahead.en[:1].upper() + ahead.en[1:], ahead.ru)
    return Text("{} is ahead by {}.", "Впереди {}: {}.").format(name, points(gap.gap))


def _gap_sentence(gap: Spread, who: Text) -> Text:
    """Returns whether some are unequal beyond chance, and by how much."""
    if not gap.real:
        return Text(
            "There is no difference between {} beyond chance; if there is one, it is below {} points.",
            "{} не отличаются сверх случайности; если разница и есть, то меньше {} п. п.",
        ).format(Text(who.en.lower(), who.ru), decimal_text(100 * gap.gap.high, 1))
    return Text(
        "{} are unequal, with {} between the best and the worst, without the noise.",
        "{} неравны, между лучшим и худшим {}, уже без шума.",
    ).format(who, points(gap.gap))


def _rates(key: str, title: Text, rows: list[tuple[Text, Estimate]], fair: float | None) -> Table:
    return Table(
        key,
        title,
        (Text("who", "кто"), _WIN_RATE),
        tuple(rows),
        chart=Chart(0, 1, reference=fair, reference_label=FAIR if fair is not None else None),
        percent_columns=frozenset({1}),
    )
