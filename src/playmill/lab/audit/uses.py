"""What is it good for: a side that may not use one kind of action loses how much; and what nobody uses."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from playmill.engine.probe import jobs_of
from playmill.lab.audit.fairness import points
from playmill.lab.audit.skill import told
from playmill.lab.audit.stage import Numbers, Sitting, Stage, searching
from playmill.report.audit import DEALS, Finding, Part, few
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


def uses(stage: Stage) -> Part:
    """Counts what is offered and chosen, then forbids one kind after the other to one side."""
    totals, played = {}, {}
    for key, who in (("good", 0), ("random", stage.agents.index("random"))):
        counts: list[Any] = []

        def play(numbers: range, counts: list[Any] = counts, who: int = who) -> None:
            jobs = jobs_of(len(numbers), stage.players, seed=stage.seed, first=numbers.start)
            jobs["who"] = who
            counts.append(stage.play(jobs, tags=stage.kinds.tags).counts)

        played[key] = stage.budget.play(f"uses.{key}", play, part=0.5, least=32, most=_MOST_GAMES)
        totals[key] = {name: sum(one[name] for one in counts) for name in ("met", "used", "offered", "chosen")}
    good, wild = totals["good"], totals["random"]
    lost, thoughts, deals = _without(stage, _forbidden(stage, good))
    rows, findings, saved = _rows(stage, good, wild, lost, played)
    return Part(
        key="uses",
        title=Text("What is it good for", "Что для чего нужно"),
        verdict=few(_verdict(stage, lost), deals, _ENOUGH, DEALS),
        tables=(_table(stage, rows, thoughts),),
        findings=tuple(findings),
        results={"kinds": saved, "games": played, "deals": deals, "thoughts": thoughts},
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


def _without(stage: Stage, kinds: list[int]) -> tuple[dict[int, Estimate], int, int]:
    """What somebody who thinks loses without each kind: on the same deals, in every seat, among players."""
    if not kinds or not stage.budget.knows("without"):
        return {}, 0, 0
    thoughts = _thoughts(stage, len(kinds))
    forbidden = {kind: stage.kinds.having(kind) for kind in kinds}
    found: list[Numbers] = []

    def deal(number: int) -> Numbers:
        moved = np.zeros((stage.players, len(kinds)))
        for seat in range(stage.players):
            sitting = _seated(stage, seat, thoughts)
            usual = sitting.play(number, seat=seat)[seat]
            used = sorted(sitting.chosen)
            for place, flags in enumerate(forbidden.values()):
                if flags[used].any():  # else nothing would be different
                    moved[seat, place] = sitting.play(number, seat=seat, forbidden=flags)[seat] - usual
        over_seats: Numbers = moved.mean(axis=0)
        return over_seats

    deals = stage.budget.play("without", lambda some: found.extend(stage.each(deal, some)), least=2, most=_MOST_DEALS)
    moved = np.array(found).reshape(deals, len(kinds))
    return (
        {kind: average(moved[:, place], reach=1.0, within=(-1.0, 1.0)) for place, kind in enumerate(kinds)},
        thoughts,
        deals,
    )


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


def _rows(
    stage: Stage, good: Any, wild: Any, lost: dict[int, Estimate], played: dict[str, int]
) -> tuple[list[tuple[Any, ...]], list[Finding], dict[str, Any]]:
    rows, findings, saved = [], [], {}
    games = sum(played.values())
    sure = dict(zip(lost, surely([*lost.values()]), strict=True))
    for kind, name in enumerate(stage.kinds.names):
        chosen = rate(int(good["chosen"][kind]), int(good["offered"][kind]))
        never = int(wild["met"][kind]) == 0 and int(good["met"][kind]) == 0
        rows.append(
            (
                name,
                lost.get(kind),
                chosen,
                int(good["used"][kind]) / max(1, played["good"]),
            )
        )
        saved[stage.kinds.ids[kind]] = {
            **{name: int(good[name][kind]) for name in ("met", "used", "offered", "chosen")},
            "met_at_random": int(wild["met"][kind]),
            **({"without": lost[kind].json()} if kind in lost else {}),
        }
        if never:
            findings.append(
                Finding(
                    0.5,
                    Text(
                        f"“{name.en}” never came up in {decimal(games, 0, 'en')} games.",
                        f"«{name.ru}» не встретилось ни разу за {decimal(games, 0, 'ru')} партий.",
                    ),
                    stage.command("simulate", "--games", 100000),
                )
            )
        elif int(good["offered"][kind]) >= 200 and chosen.high < 0.02:
            findings.append(
                Finding(
                    0.45,
                    Text(
                        f"Players like {stage.player} never use “{name.en}”, though it was offered"
                        f" {decimal(int(good['offered'][kind]), 0, 'en')} times.",
                        f"Игроки вроде {stage.player} никогда не пользуются «{name.ru}», хотя возможность была"
                        f" {decimal(int(good['offered'][kind]), 0, 'ru')} раз.",
                    ),
                    stage.command("audit", "--only", "choices"),
                )
            )
        if kind in lost and lost[kind].n >= _ENOUGH:
            # Of what is mostly the only thing to do, a ban says nothing.
            free = 2 * int(good["chosen"][kind]) >= int(good["used"][kind])
            findings += _about_loss(stage, name, lost[kind], sure=sure[kind]) if free else []
    order = sorted(rows, key=lambda row: (row[1] is None, row[1].value if row[1] is not None else -row[3]))
    return order, findings, saved


def _about_loss(stage: Stage, name: Text, lost: Estimate, *, sure: bool) -> list[Finding]:
    """What a loss says: that nobody would miss it, that it is a trap, or that everything hangs on it."""
    command = stage.command("audit", "--only", "uses", "--minutes", 20)
    gain = Estimate(-lost.value, -lost.high, -lost.low, lost.n)
    if sure and lost.value > 0:
        said = Text(
            f"Whoever may not use “{name.en}” wins more, by {points(lost, 'en')}: it is a trap.",
            f"Кому нельзя «{name.ru}», тот выигрывает больше, на {points(lost, 'ru')}: это ловушка.",
        )
        return [Finding(0.6, said, command)]
    side = _side(stage)
    if gain.low > _EVERYTHING and len(stage.kinds.ids) > 3:  # of two or three kinds none can be missed
        said = Text(
            f"Everything hangs on “{name.en}”: without it {side.en} loses {points(gain, 'en')}.",
            f"Всё держится на «{name.ru}»: без этого {side.ru} теряет {points(gain, 'ru')}.",
        )
        return [Finding(0.4, said, command)]
    if lost.n >= _MANY and max(abs(lost.low), abs(lost.high)) < _NOTHING:
        said = Text(
            f"Nobody would miss “{name.en}”: without it {side.en} loses at most"
            f" {decimal(-100 * lost.low, 1, 'en')} points.",
            f"«{name.ru}» никому не нужно: без этого {side.ru} теряет не больше"
            f" {decimal(-100 * lost.low, 1, 'ru')} п. п.",
        )
        return [Finding(0.5, said, command)]
    return []


def _side(stage: Stage) -> Text:
    return Text("the player", "игрок") if stage.solo else Text("a side", "сторона")


def _verdict(stage: Stage, lost: dict[int, Estimate]) -> Text:
    if not lost:
        return Text("There is nothing to forbid.", "Запрещать нечего.")
    kind = min(lost, key=lambda kind: lost[kind].value)
    name, gain = stage.kinds.names[kind], lost[kind]
    moved = Estimate(-gain.value, -gain.high, -gain.low, gain.n)
    sure = sum(is_sure and one.value < 0 for one, is_sure in zip(lost.values(), surely([*lost.values()]), strict=True))
    return Text(
        f"Surely missed: {sure} of {len(lost)} kinds that were forbidden; most of all “{name.en}”: without it"
        f" {_side(stage).en} loses {points(moved, 'en')}.",
        f"Наверняка нужны {sure} из {len(lost)} запрещённых видов; больше всего — «{name.ru}»: без него"
        f" {_side(stage).ru} теряет {points(moved, 'ru')}.",
    )


def _table(stage: Stage, rows: list[tuple[Any, ...]], thoughts: int) -> Table:
    who = told(searching(thoughts))
    return Table(
        "uses",
        Text("What happens without it", "Что будет без этого"),
        (
            Text("kind of action", "вид действия"),
            Text("win rate changes by", "доля побед меняется на"),
            Text("chosen where there is a choice", "выбирают, когда есть выбор"),
            Text("uses a game", "раз за партию"),
        ),
        tuple(rows),
        note=Text(
            f"Forbidden to {'the player' if stage.solo else 'one player'}, who thinks ({who.en})"
            f"{'' if stage.solo else f', among players like {stage.player}, in every seat'}; the difference to the same"
            f" deals without the ban. Uses are those of players like {stage.player}. A dash: never used, or there is"
            " nothing else to do.",
            f"Запрет — {'игроку' if stage.solo else 'одному игроку'}, который думает ({who.ru})"
            f"{'' if stage.solo else f', среди играющих как {stage.player}, на каждом месте'}; разница с теми же"
            f" раздачами без запрета. Частота — у игроков, играющих как {stage.player}. Прочерк: не применялось или"
            " выбора нет.",
        ),
        chart=Chart(0, 1, reference=0.0, reference_label=Text("no difference", "без разницы")),
        percent_columns=frozenset({1, 2}),
    )
