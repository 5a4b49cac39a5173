"""What is it good for: a side that may not use one kind of action loses how much; and what nobody uses."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from playmill.engine.run.probes import jobs_of
from playmill.lab.audit.fairness import points
from playmill.lab.audit.sitting import Sitting
from playmill.lab.audit.stage import Numbers, Stage, searching
from playmill.report.audit import DEALS, Finding, Part, thin
from playmill.report.model import Chart, Estimate, Table, rate
from playmill.report.terminal import decimal
from playmill.stats.samples import average, surely
from playmill.texts import Text

_MOST_GAMES, _MOST_DEALS = 1 << 14, 300
#: Kinds that are forbidden at most: those used most often.
_MOST_KINDS = 16
#: Thoughts a decision of those who play with and without a kind.
_MOST_THOUGHTS, _LEAST_THOUGHTS = 200, 16
#: A kind nobody misses costs less than this; one that decides everything more than that.
_NOTHING, _EVERYTHING = 0.03, 0.3
#: Deals before anything is said of what a kind is worth, and before it is said to be worth nothing.
_ENOUGH, _MANY = 30, 100


@dataclass(frozen=True)
class _Missed:
    """What somebody loses without a kind, undefined if it was never used, and in how many deals it was used."""

    change: Estimate
    used: int


def uses(stage: Stage) -> Part:
    """Counts what is offered and chosen, then forbids one kind after the other to one side."""
    totals, played = {}, {}
    for key, who in (("good", 0), ("random", stage.agents.index("random"))):
        counts: list[Any] = []

        def play(numbers: range, counts: list[Any] = counts, who: int = who) -> None:
            jobs = jobs_of(len(numbers), stage.players, seed=stage.seed, first=numbers.start)
            jobs["who"] = who
            counts.append(stage.play(jobs, tags=stage.kinds.tags).counts)

        played[key] = stage.budget.play(f"uses.{key}", play, part=0.5, least=stage.fewer(32), most=_MOST_GAMES)
        totals[key] = {name: sum(one[name] for one in counts) for name in ("met", "used", "offered", "chosen")}
    good, wild = totals["good"], totals["random"]
    missed, thoughts, deals = _without(stage, _forbidden(stage, good))
    lost = {kind: one.change for kind, one in missed.items() if one.used}
    return Part(
        key="uses",
        title=Text("What is it good for", "Что для чего нужно"),
        short=_short(stage, lost),
        verdict=stage.said_of(_verdict(stage, lost, len(missed))),
        thin=thin(deals, _ENOUGH, stage.budget.minutes_for("without", _ENOUGH), DEALS) if missed else None,
        tables=(*([_lost_table(stage, missed, thoughts)] if missed else []), _used_table(stage, good, played["good"])),
        findings=(*_unused(stage, good, wild, sum(played.values())), *_losses(stage, good, lost)),
        results={
            "kinds": _saved(stage, good, wild, missed),
            "games": played,
            "deals": deals,
            "thoughts": thoughts,
        },
        about=Text(
            f"Restricted play: {'the player' if stage.solo else 'one side'} may not use a kind of action"
            f"{'' if stage.solo else ', the others may'}. What is lost is what the kind is good for.",
            f"Игра с запретом: {'игроку' if stage.solo else 'одной стороне'} нельзя пользоваться каким-то видом"
            f" действий{'' if stage.solo else ', остальным можно'}. Сколько теряется, столько этот вид и стоит.",
        ),
    )


def _forbidden(stage: Stage, good: Any) -> list[int]:
    """The kinds that can be forbidden: chosen at times where there was something else to do; the most used first."""
    some = [kind for kind in range(len(stage.kinds.ids)) if good["chosen"][kind] > 0]
    return sorted(some, key=lambda kind: (-int(good["chosen"][kind]), kind))[:_MOST_KINDS]


def _without(stage: Stage, kinds: list[int]) -> tuple[dict[int, _Missed], int, int]:
    """What somebody who thinks loses without each kind: on the same deals, in every seat, among players."""
    if not kinds or not stage.budget.knows("without"):
        return {}, 0, 0
    thoughts = _thoughts(stage, len(kinds))
    forbidden = {kind: stage.kinds.having(kind) for kind in kinds}
    found: list[Numbers] = []

    def deal(number: int) -> Numbers:
        moved = np.zeros((stage.players, 2, len(kinds)))
        for seat in range(stage.players):
            sitting = _seated(stage, seat, thoughts)
            usual = sitting.play(number, seat=seat)[seat]
            used = sorted(sitting.chosen)
            for place, flags in enumerate(forbidden.values()):
                if flags[used].any():  # else nothing would be different
                    moved[seat, 0, place] = sitting.play(number, seat=seat, forbidden=flags)[seat] - usual
                    moved[seat, 1, place] = 1
        over_seats: Numbers = moved.mean(axis=0)
        return over_seats

    deals = stage.budget.play("without", lambda some: found.extend(stage.each(deal, some)), least=2, most=_MOST_DEALS)
    moved = np.array(found).reshape(deals, 2, len(kinds))
    missed = {}
    for place, kind in enumerate(kinds):
        used = int((moved[:, 1, place] > 0).sum())
        # Deals that never used it say nothing of it.
        missed[kind] = _Missed(average(moved[:, 0, place] if used else [], reach=1.0, within=(-1.0, 1.0)), used)
    return missed, thoughts, deals


def _thoughts(stage: Stage, kinds: int) -> int:
    """How much those who play think: as much as lets enough deals be played in the time there is."""
    if (given := stage.budget.given("forbidden")) is not None:
        return stage.budget.note("forbidden", given or 32)
    sitting = _seated(stage, 0, _LEAST_THOUGHTS)
    sitting.play(0)
    start = perf_counter()
    sitting.play(1)
    game = max(perf_counter() - start, 1e-6)
    games = stage.budget.seconds("without") / game
    # About half of the kinds are used in a game; the others need not be forbidden in it.
    wanted = _LEAST_THOUGHTS * games / (2 * _ENOUGH * stage.players * (1 + kinds / 2))
    return stage.budget.note("forbidden", int(max(_LEAST_THOUGHTS, min(_MOST_THOUGHTS, wanted // 8 * 8))))


def _seated(stage: Stage, seat: int, thoughts: int) -> Sitting:
    """A table at which one thinks and the others play like the player."""
    who = [stage.player] * stage.players
    who[seat] = searching(thoughts)
    return Sitting(stage, who)


def _saved(stage: Stage, good: Any, wild: Any, missed: dict[int, _Missed]) -> dict[str, Any]:
    """The figures of each kind; what is lost without it only where it was forbidden, undefined if never used then."""
    return {
        name: {
            **{count: int(good[count][kind]) for count in ("met", "used", "offered", "chosen")},
            "met_at_random": int(wild["met"][kind]),
            **({"deals_used": missed[kind].used, "without": missed[kind].change.json()} if kind in missed else {}),
        }
        for kind, name in enumerate(stage.kinds.ids)
    }


def _listed(names: list[Text]) -> Text:
    """Names in a row."""
    return Text(", ".join(f"“{name.en}”" for name in names), ", ".join(f"«{name.ru}»" for name in names))


def _unused(stage: Stage, good: Any, wild: Any, games: int) -> list[Finding]:
    """What never came up, and what came up and was never used."""
    kinds = range(len(stage.kinds.ids))
    never = [kind for kind in kinds if not int(wild["met"][kind]) and not int(good["met"][kind])]
    spurned = [
        kind
        for kind in kinds
        if int(good["offered"][kind]) >= 200 and rate(int(good["chosen"][kind]), int(good["offered"][kind])).high < 0.02
    ]
    found = []
    if never:
        names = _listed([stage.kinds.names[kind] for kind in never])
        found.append(
            Finding(
                0.4,
                Text(
                    f"In {decimal(games, 0, 'en')} games this never came up: {names.en}.",
                    f"За {decimal(games, 0, 'ru')} партий ни разу не встретилось: {names.ru}.",
                ),
                stage.command("simulate", "--games", 100000),
            )
        )
    if spurned:
        names = _listed([stage.kinds.names[kind] for kind in spurned])
        offers = min(int(good["offered"][kind]) for kind in spurned)
        found.append(
            Finding(
                0.45,
                Text(
                    f"Players like {stage.called.en} hardly ever use what was offered to them"
                    f" {decimal(offers, 0, 'en')} times{' each' if len(spurned) > 1 else ''}: {names.en}.",
                    f"Игроки вроде {stage.called.ru} почти никогда не пользуются тем, что могли выбрать"
                    f" {decimal(offers, 0, 'ru')} раз{' каждое' if len(spurned) > 1 else ''}: {names.ru}.",
                ),
                stage.command("audit", "--only", "choices"),
            )
        )
    return found


def _losses(stage: Stage, good: Any, lost: dict[int, Estimate]) -> list[Finding]:
    """What losses say: a trap, something on which everything hangs, or something nobody would miss."""
    command = stage.command("audit", "--only", "uses", "--minutes", 20)
    side = _side(stage)
    found: list[Finding] = []
    unmissed: list[int] = []
    for (kind, change), sure in zip(lost.items(), surely([*lost.values()]), strict=True):
        # Of what is mostly the only thing to do, a ban says nothing.
        if change.n < _ENOUGH or 2 * int(good["chosen"][kind]) < int(good["used"][kind]):
            continue
        name, gain = stage.kinds.names[kind], Estimate(-change.value, -change.high, -change.low, change.n)
        if sure and change.value > 0:
            said = Text(
                f"Whoever may not use “{name.en}” wins more, by {points(change, 'en')}: it is a trap.",
                f"Кому нельзя «{name.ru}», тот выигрывает больше, на {points(change, 'ru')}: это ловушка.",
            )
            found.append(Finding(0.6, said, command))
        elif gain.low > _EVERYTHING and len(stage.kinds.ids) > 3:  # of two or three kinds none can be missed
            said = Text(
                f"Everything hangs on “{name.en}”: without it {side.en} loses {points(gain, 'en')}.",
                f"Всё держится на «{name.ru}»: без этого {side.ru} теряет {points(gain, 'ru')}.",
            )
            found.append(Finding(0.4, said, command))
        elif change.n >= _MANY and max(abs(change.low), abs(change.high)) < _NOTHING:
            unmissed.append(kind)
    if unmissed:
        names = _listed([stage.kinds.names[kind] for kind in unmissed])
        worst = max(-lost[kind].low for kind in unmissed)
        said = Text(
            f"Nobody would miss {names.en}: without it {side.en} loses at most {decimal(100 * worst, 1, 'en')} points.",
            f"Без этого можно обойтись: {names.ru}; {side.ru} теряет не больше {decimal(100 * worst, 1, 'ru')} п. п.",
        )
        found.append(Finding(0.5, said, command))
    return found


def _side(stage: Stage) -> Text:
    return Text("the player", "игрок") if stage.solo else Text("a side", "сторона")


def _surely_missed(lost: dict[int, Estimate]) -> int:
    """How many kinds are surely missed, among all that were forbidden."""
    return sum(is_sure and one.value < 0 for one, is_sure in zip(lost.values(), surely([*lost.values()]), strict=True))


def _most_missed(stage: Stage, lost: dict[int, Estimate]) -> tuple[Text, Estimate]:
    kind = min(lost, key=lambda kind: lost[kind].value)
    gain = lost[kind]
    return stage.kinds.names[kind], Estimate(-gain.value, -gain.high, -gain.low, gain.n)


def _short(stage: Stage, lost: dict[int, Estimate]) -> Text:
    if not lost:
        return Text("There is nothing to forbid.", "Запрещать нечего.")
    if not _surely_missed(lost):
        return Text(
            f"None of {len(lost)} kinds of action is surely missed.",
            f"Ни один из видов действий (их {len(lost)}) не нужен наверняка.",
        )
    name, gain = _most_missed(stage, lost)
    return Text(
        f"Most missed: “{name.en}”, {points(gain, 'en')} of win rate.",
        f"Нужнее всего «{name.ru}»: {points(gain, 'ru')} доли побед.",
    )


def _verdict(stage: Stage, lost: dict[int, Estimate], forbidden: int) -> Text:
    if not lost:
        return Text("There is nothing to forbid.", "Запрещать нечего.")
    name, gain = _most_missed(stage, lost)
    if not (sure := _surely_missed(lost)):
        return Text(
            f"None of {forbidden} kinds that were forbidden is surely missed.",
            f"Ни один из запрещённых видов (их {forbidden}) не нужен наверняка.",
        )
    return Text(
        f"Surely missed: {sure} of {forbidden} kinds that were forbidden; most of all “{name.en}”: without it"
        f" {_side(stage).en} loses {points(gain, 'en')}.",
        f"Наверняка нужны {sure} из {forbidden} запрещённых видов; больше всего — «{name.ru}»: без этого"
        f" {_side(stage).ru} теряет {points(gain, 'ru')}.",
    )


def _lost_table(stage: Stage, missed: dict[int, _Missed], thoughts: int) -> Table:
    """What is lost without each kind, the most missed first; those never used in these deals last, without a figure."""
    order = sorted(missed, key=lambda kind: (not missed[kind].used, missed[kind].change.value))
    return Table(
        "without",
        Text("What happens without it", "Что будет без этого"),
        (
            Text("kind of action", "вид действия"),
            Text("win rate changes by", "доля побед меняется на"),
            Text("deals that used it", "раздач, где применялось"),
        ),
        tuple((stage.kinds.names[kind], missed[kind].change, missed[kind].used) for kind in order),
        note=Text(
            f"Forbidden to {'the player' if stage.solo else 'one player'}, who thinks {thoughts} times a decision"
            f"{'' if stage.solo else f', among players like {stage.called.en}, in every seat'}; the difference to the"
            " same"
            " deals without the ban. A dash: never used in these deals, so that they say nothing of it.",
            f"Запрет — {'игроку' if stage.solo else 'одному игроку'}, который думает над решением {thoughts} раз"
            f"{'' if stage.solo else f', среди играющих как {stage.called.ru}, на каждом месте'}; разница с теми же"
            " раздачами без запрета. Прочерк: в этих раздачах не применялось, и они об этом ничего не говорят.",
        ),
        chart=Chart(0, 1, reference=0.0, reference_label=Text("no difference", "без разницы")),
        percent_columns=frozenset({1}),
    )


def _used_table(stage: Stage, good: Any, games: int) -> Table:
    """How often each kind is used, the most used first."""
    often = sorted(range(len(stage.kinds.ids)), key=lambda kind: -int(good["used"][kind]))
    return Table(
        "uses",
        Text("How often it is used", "Как часто применяется"),
        (
            Text("kind of action", "вид действия"),
            Text("uses a game", "раз за игру"),
            Text("chosen where there is a choice", "выбирают, когда есть выбор"),
        ),
        tuple(
            (
                stage.kinds.names[kind],
                int(good["used"][kind]) / max(1, games),
                rate(int(good["chosen"][kind]), int(good["offered"][kind])),
            )
            for kind in often
        ),
        note=Text(
            f"Of players like {stage.called.en}. A dash: there was never anything else to do, or it never came up.",
            f"У игроков, играющих как {stage.called.ru}. Прочерк: другого выбора не было или не встретилось ни разу.",
        ),
        percent_columns=frozenset({2}),
    )
