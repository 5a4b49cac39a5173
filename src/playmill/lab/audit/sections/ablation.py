"""Audit section "uses": what a side loses if it may not use one kind of action, and kinds nobody uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.engine.run.rollouts import jobs_of
from playmill.lab.audit.context import AuditContext, Numbers, searching
from playmill.lab.audit.decision_play import DecisionPlayer
from playmill.lab.audit.observations import Observations, joined
from playmill.lab.audit.sections.fairness import points
from playmill.report.commands.audit import DEALS, AuditSection, Finding, thin
from playmill.report.model.tables import Chart, Estimate, Table, rate
from playmill.report.number_format import decimal, decimal_text
from playmill.stats.from_observations import average, surely
from playmill.texts import Text

_MOST_GAMES, _MOST_DEALS = 1 << 14, 300
_COUNTED = ("met", "used", "offered", "chosen")
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
    """Loss without a kind, undefined if it was never used, and in how many deals it was used."""

    change: Estimate
    used: int


def ablation(context: AuditContext) -> AuditSection:
    """Returns counts what is offered and chosen, then bans one kind after the other for one side."""
    totals, played = {}, {}
    for key, who in (("good", 0), ("random", context.agents.index("random"))):
        counts: list[Observations] = []

        def play(numbers: range, counts: list[Observations] = counts, who: int = who) -> None:
            counts.append(context.observe(kinds_used, numbers, who))

        played[key] = context.budget.play(f"uses.{key}", play, part=0.5, least=context.fewer(32), most=_MOST_GAMES)
        totals[key] = dict(zip(_COUNTED, joined(counts)["counts"].sum(axis=0), strict=True))
    good, wild = totals["good"], totals["random"]
    missed, thoughts, deals = _without(context, _forbidden(context, good))
    lost = {kind: one.change for kind, one in missed.items() if one.used}
    return AuditSection(
        key="uses",
        title=Text("What is it good for", "Что для чего нужно"),
        short=_short(context, lost),
        verdict=context.with_players(_verdict(context, lost, len(missed))),
        thin=thin(deals, _ENOUGH, context.budget.minutes_for("without", _ENOUGH), DEALS) if missed else None,
        tables=(
            *([_lost_table(context, missed, thoughts)] if missed else []),
            _used_table(context, good, played["good"]),
        ),
        findings=(*_unused(context, good, wild, sum(played.values())), *_losses(context, good, lost)),
        results={
            "kinds": _saved(context, good, wild, missed),
            "games": played,
            "deals": deals,
            "thoughts": thoughts,
        },
        about=Text(
            f"Restricted play: {'the player' if context.solo else 'one side'} may not use a kind of action"
            f"{'' if context.solo else ', the others may'}. What is lost is what the kind is good for.",
            f"Игра с запретом: {'игроку' if context.solo else 'одной стороне'} нельзя пользоваться каким-то видом"
            f" действий{'' if context.solo else ', остальным можно'}. Сколько теряется, столько этот вид и стоит.",
        ),
    )


def kinds_used(context: AuditContext, games: range, who: int) -> Observations:
    """Plays games and counts by kind how often it was met, used, offered and chosen: a row for all of them."""
    jobs = jobs_of(len(games), context.players, seed=context.seed, first=games.start)
    jobs["who"] = who
    counts = context.play(jobs, tags=context.kinds.tags).counts
    return {"counts": np.stack([counts[name] for name in _COUNTED])[None]}


def _forbidden(context: AuditContext, good: Any) -> list[int]:
    """Returns the kinds that can be banned: chosen at times where there was an alternative; the most used first."""
    some = [kind for kind in range(len(context.kinds.ids)) if good["chosen"][kind] > 0]
    return sorted(some, key=lambda kind: (-int(good["chosen"][kind]), kind))[:_MOST_KINDS]


def _without(context: AuditContext, kinds: list[int]) -> tuple[dict[int, _Missed], int, int]:
    """Measures what a thinking player loses without each kind: on the same deals, in every seat."""
    if not kinds or not context.budget.knows("without"):
        return {}, 0, 0
    thoughts = _thoughts(context, len(kinds))
    found: list[Numbers] = []

    def play(deals: range) -> None:
        games = range(context.players * deals.start, context.players * deals.stop)
        found.append(context.observe(restricted_games, games, thoughts, kinds)["moved"])

    deals = context.budget.play("without", play, least=2, most=_MOST_DEALS)
    moved = np.concatenate([np.zeros((0, 2, len(kinds))), *found])
    moved = moved.reshape(deals, context.players, 2, len(kinds)).mean(axis=1)
    missed = {}
    for place, kind in enumerate(kinds):
        used = int((moved[:, 1, place] > 0).sum())
        # Deals that never used it say nothing of it.
        missed[kind] = _Missed(average(moved[:, 0, place] if used else [], reach=1.0, within=(-1.0, 1.0)), used)
    return missed, thoughts, deals


def restricted_games(context: AuditContext, games: range, thoughts: int, kinds: list[int]) -> Observations:
    """Plays every deal from each seat of one who thinks, then without each kind it used: what that changes, and that
    it was used.
    """
    forbidden = [context.kinds.having(kind) for kind in kinds]
    moved = np.zeros((len(games), 2, len(kinds)))
    for row, number in enumerate(games):
        deal, seat = divmod(number, context.players)
        game_player = _seated(context, seat, thoughts)
        usual = game_player.play(deal, seat=seat)[seat]
        used = sorted(game_player.chosen)
        for place, flags in enumerate(forbidden):
            if flags[used].any():  # else nothing would be different
                moved[row, 0, place] = game_player.play(deal, seat=seat, forbidden=flags)[seat] - usual
                moved[row, 1, place] = 1
    return {"moved": moved}


def _thoughts(context: AuditContext, kinds: int) -> int:
    """Returns how many simulations a decision gets, so that enough deals fit into the time."""
    if (given := context.budget.given("forbidden")) is not None:
        return context.budget.note("forbidden", given or 32)

    def play(deal: int) -> Observations:
        first = context.players * deal
        return context.observe(restricted_games, range(first, first + 1), _LEAST_THOUGHTS, [])

    seconds_of = context.budget.clock.seconds_of
    seconds_of(lambda: play(0))
    game = max(seconds_of(lambda: play(1)), 1e-6)
    games = context.budget.seconds("without") / game
    # About half of the kinds are used in a game; the others need not be forbidden in it.
    wanted = _LEAST_THOUGHTS * games / (2 * _ENOUGH * context.players * (1 + kinds / 2))
    return context.budget.note("forbidden", int(max(_LEAST_THOUGHTS, min(_MOST_THOUGHTS, wanted // 8 * 8))))


def _seated(context: AuditContext, seat: int, thoughts: int) -> DecisionPlayer:
    """Returns a table at which one thinks and the others play like the player."""
    who = [context.player] * context.players
    who[seat] = searching(thoughts)
    return DecisionPlayer(context, who)


def _saved(context: AuditContext, good: Any, wild: Any, missed: dict[int, _Missed]) -> dict[str, Any]:
    """Returns the figures of each kind; the loss only where it was banned, undefined if never used then."""
    return {
        name: {
            **{count: int(good[count][kind]) for count in ("met", "used", "offered", "chosen")},
            "met_at_random": int(wild["met"][kind]),
            **({"deals_used": missed[kind].used, "without": missed[kind].change.json()} if kind in missed else {}),
        }
        for kind, name in enumerate(context.kinds.ids)
    }


def _listed(names: list[Text]) -> Text:
    """Returns names in a row."""
    return Text(", ".join(f"“{name.en}”" for name in names), ", ".join(f"«{name.ru}»" for name in names))


def _unused(context: AuditContext, good: Any, wild: Any, games: int) -> list[Finding]:
    """Returns findings about what never came up, and what came up and was never used."""
    kinds = range(len(context.kinds.ids))
    never = [kind for kind in kinds if not int(wild["met"][kind]) and not int(good["met"][kind])]
    spurned = [
        kind
        for kind in kinds
        if int(good["offered"][kind]) >= 200 and rate(int(good["chosen"][kind]), int(good["offered"][kind])).high < 0.02
    ]
    found = []
    if never:
        names = _listed([context.kinds.names[kind] for kind in never])
        found.append(
            Finding(
                0.4,
                Text("In {} games this never came up: {}.", "За {} партий ни разу не встретилось: {}.").format(
                    decimal_text(games, 0), names
                ),
                context.command("simulate", "--games", 100000),
            )
        )
    if spurned:
        names = _listed([context.kinds.names[kind] for kind in spurned])
        offers = min(int(good["offered"][kind]) for kind in spurned)
        found.append(
            Finding(
                0.45,
                Text(
                    f"Players like {context.called.en} hardly ever use what was offered to them"
                    f" {decimal(offers, 0, 'en')} times{' each' if len(spurned) > 1 else ''}: {names.en}.",
                    f"Игроки вроде {context.called.ru} почти никогда не пользуются тем, что могли выбрать"
                    f" {decimal(offers, 0, 'ru')} раз{' каждое' if len(spurned) > 1 else ''}: {names.ru}.",
                ),
                context.command("audit", "--only", "choices"),
            )
        )
    return found


def _losses(context: AuditContext, good: Any, lost: dict[int, Estimate]) -> list[Finding]:
    """Returns findings from losses: a trap, something on which everything hangs, or something nobody would miss."""
    command = context.command("audit", "--only", "uses", "--minutes", 20)
    side = _side(context)
    found: list[Finding] = []
    unmissed: list[int] = []
    for (kind, change), sure in zip(lost.items(), surely([*lost.values()]), strict=True):
        # Of what is mostly the only thing to do, a ban says nothing.
        if change.n < _ENOUGH or 2 * int(good["chosen"][kind]) < int(good["used"][kind]):
            continue
        name, gain = context.kinds.names[kind], Estimate(-change.value, -change.high, -change.low, change.n)
        if sure and change.value > 0:
            message = Text(
                "Whoever may not use “{}” wins more, by {}: it is a trap.",
                "Кому нельзя «{}», тот выигрывает больше, на {}: это ловушка.",
            ).format(name, points(change))
            found.append(Finding(0.6, message, command))
        elif gain.low > _EVERYTHING and len(context.kinds.ids) > 3:  # of two or three kinds none can be missed
            message = Text(
                "Everything hangs on “{}”: without it {} loses {}.", "Всё держится на «{}»: без этого {} теряет {}."
            ).format(name, side, points(gain))
            found.append(Finding(0.4, message, command))
        elif change.n >= _MANY and max(abs(change.low), abs(change.high)) < _NOTHING:
            unmissed.append(kind)
    if unmissed:
        names = _listed([context.kinds.names[kind] for kind in unmissed])
        worst = max(-lost[kind].low for kind in unmissed)
        message = Text(
            "Nobody would miss {}: without it {} loses at most {} points.",
            "Без этого можно обойтись: {}; {} теряет не больше {} п. п.",
        ).format(names, side, decimal_text(100 * worst, 1))
        found.append(Finding(0.5, message, command))
    return found


def _side(context: AuditContext) -> Text:
    return Text("the player", "игрок") if context.solo else Text("a side", "сторона")


def _surely_missed(lost: dict[int, Estimate]) -> int:
    """Returns how many kinds are surely missed, corrected for all that were banned."""
    return sum(is_sure and one.value < 0 for one, is_sure in zip(lost.values(), surely([*lost.values()]), strict=True))


def _most_missed(context: AuditContext, lost: dict[int, Estimate]) -> tuple[Text, Estimate]:
    kind = min(lost, key=lambda kind: lost[kind].value)
    gain = lost[kind]
    return context.kinds.names[kind], Estimate(-gain.value, -gain.high, -gain.low, gain.n)


def _short(context: AuditContext, lost: dict[int, Estimate]) -> Text:
    if not lost:
        return Text("There is nothing to forbid.", "Запрещать нечего.")
    if not _surely_missed(lost):
        return Text(
            f"None of {len(lost)} kinds of action is surely missed.",
            f"Ни один из видов действий (их {len(lost)}) не нужен наверняка.",
        )
    name, gain = _most_missed(context, lost)
    return Text("Most missed: “{}”, {} of win rate.", "Нужнее всего «{}»: {} доли побед.").format(name, points(gain))


def _verdict(context: AuditContext, lost: dict[int, Estimate], forbidden: int) -> Text:
    if not lost:
        return Text("There is nothing to forbid.", "Запрещать нечего.")
    name, gain = _most_missed(context, lost)
    if not (sure := _surely_missed(lost)):
        return Text(
            f"None of {forbidden} kinds that were forbidden is surely missed.",
            f"Ни один из запрещённых видов (их {forbidden}) не нужен наверняка.",
        )
    return Text(
        "Surely missed: {} of {} kinds that were forbidden; most of all “{}”: without it {} loses {}.",
        "Наверняка нужны {} из {} запрещённых видов; больше всего — «{}»: без этого {} теряет {}.",
    ).format(sure, forbidden, name, _side(context), points(gain))


def _lost_table(context: AuditContext, missed: dict[int, _Missed], thoughts: int) -> Table:
    """Returns the table of losses without each kind, the most missed first; never used ones last."""
    order = sorted(missed, key=lambda kind: (not missed[kind].used, missed[kind].change.value))
    return Table(
        "without",
        Text("What happens without it", "Что будет без этого"),
        (
            Text("kind of action", "вид действия"),
            Text("win rate changes by", "доля побед меняется на"),
            Text("deals that used it", "раздач, где применялось"),
        ),
        tuple((context.kinds.names[kind], missed[kind].change, missed[kind].used) for kind in order),
        note=Text(
            f"Forbidden to {'the player' if context.solo else 'one player'}, who thinks {thoughts} times a decision"
            f"{'' if context.solo else f', among players like {context.called.en}, in every seat'}; the difference to"
            " the same deals without the ban. A dash: never used in these deals, so that they say nothing of it.",
            f"Запрет — {'игроку' if context.solo else 'одному игроку'}, который думает над решением {thoughts} раз"
            f"{'' if context.solo else f', среди играющих как {context.called.ru}, на каждом месте'}; разница с теми же"
            " раздачами без запрета. Прочерк: в этих раздачах не применялось, и они об этом ничего не говорят.",
        ),
        chart=Chart(0, 1, reference=0.0, reference_label=Text("no difference", "без разницы")),
        percent_columns=frozenset({1}),
    )


def _used_table(context: AuditContext, good: Any, games: int) -> Table:
    """Returns the table of how often each kind is used, the most used first."""
    often = sorted(range(len(context.kinds.ids)), key=lambda kind: -int(good["used"][kind]))
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
                context.kinds.names[kind],
                int(good["used"][kind]) / max(1, games),
                rate(int(good["chosen"][kind]), int(good["offered"][kind])),
            )
            for kind in often
        ),
        note=Text(
            "Of players like {}. A dash: there was never anything else to do, or it never came up.",
            "У игроков, играющих как {}. Прочерк: другого выбора не было или не встретилось ни разу.",
        ).format(context.called),
        percent_columns=frozenset({2}),
    )
