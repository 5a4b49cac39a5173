"""Audit section "skill": a ladder of agents from random choice to longer and longer search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np

from playmill.engine.run.rollouts import jobs_of
from playmill.lab.audit.context import AuditContext, Numbers, agent_text, searching
from playmill.lab.audit.decision_play import DecisionPlayer
from playmill.lab.audit.observations import Observations
from playmill.report.commands.audit import DEALS, AuditSection, Finding, span, thin
from playmill.report.model.tables import Chart, Estimate, Table
from playmill.report.number_format import decimal_text
from playmill.stats.from_observations import average, surely
from playmill.texts import Text

#: Simulations for one decision at the first rung that thinks, and how many such rungs there are at most.
_FIRST, _RUNGS = 25, 6
_MOST_DEALS, _MOST_THOUGHT = 1 << 13, 400
#: Deals after which a rung is no longer a hint.
ENOUGH = 30
#: Who wins by no more than this is as strong.
_ALIKE = 0.05


@dataclass(frozen=True)
class SkillRung:
    """Result of an agent against the one below; solo, how often each of them wins on the same deals."""

    name: str
    below: str
    share: Estimate
    #: What it wins above a fair share, or alone above the one below.
    gain: Estimate
    deals: int
    seconds: float = 0.0


def skill(context: AuditContext) -> AuditSection:
    """Ranks the game's compiled agents, then `search` at doubling strength, each against the one below."""
    rungs = _compiled(context)
    top = rungs[-1].name if rungs else context.compiled[0]
    left_out = None
    for step in range(_RUNGS):
        iterations = _FIRST << step
        key = f"ladder.search{iterations}"
        if not context.budget.knows(key):
            break
        rung = _thinking(context, key, step, searching(iterations), top)
        if not rung.deals:
            break
        rungs.append(rung)
        if rung.gain.value > 0:  # else whoever is stronger stays the one to beat
            top = rung.name
        # Whoever thinks twice as long takes twice as long.
        needed = 2 * ENOUGH * rung.seconds / rung.deals
        if context.budget.given(key) is None and needed > context.budget.seconds(
            "ladder", context.budget.left_of("ladder")
        ):
            left_out = (2 * iterations, context.budget.minutes_with("ladder", needed)) if step + 1 < _RUNGS else None
            break
    context.budget.leave("ladder")
    least = min((rung for rung in rungs if rung.name.startswith("search")), key=lambda one: one.deals, default=None)
    return AuditSection(
        key="skill",
        title=Text("Skill", "Мастерство"),
        short=_short(rungs),
        verdict=_verdict(context, rungs),
        thin=None
        if least is None
        else thin(least.deals, ENOUGH, context.budget.minutes_for(_key(least), ENOUGH), DEALS),
        tables=(_table(context, rungs, left_out),),
        findings=tuple(_findings(context, rungs)),
        results={
            "rungs": [
                {
                    "agent": rung.name,
                    "below": rung.below,
                    "share": rung.share.json(),
                    "gain": rung.gain.json(),
                    "deals": rung.deals,
                }
                for rung in rungs
            ]
        },
        about=Text(
            "A game of skill is one in which whoever thinks more wins more, rung after rung.",
            "Игра на мастерство — та, в которой кто больше думает, тот больше выигрывает, ступень за ступенью.",
        ),
    )


def _key(rung: SkillRung) -> str:
    """Returns the budget key of a rung that thinks."""
    return f"ladder.search{rung.name.rpartition('=')[2]}"


def _compiled(context: AuditContext) -> list[SkillRung]:
    """Returns the compiled agents from the weakest to the strongest, each against the one below."""
    names = context.compiled
    pairs = list(combinations(range(len(names)), 2))
    shares: dict[tuple[int, int], Numbers] = {}
    for one, other in pairs:
        found: list[Numbers] = []

        def play(deals: range, found: list[Numbers] = found, one: int = one, other: int = other) -> None:
            who = (context.agents.index(names[one]), context.agents.index(names[other]))
            found.append(context.observe(duels, deals, *who)["won"])

        key = f"skill.{names[one]}-{names[other]}".replace(",", ";").replace("=", "")
        context.budget.play(key, play, part=1 / len(pairs), least=32, most=_MOST_DEALS)
        shares[one, other] = np.concatenate(found) if found else np.zeros((0, 2))
    # By how many others one beats: of a few agents that is their order.
    beats = [0.0] * len(names)
    for (one, other), won in shares.items():
        ahead = float((won[:, 0] - won[:, 1]).mean()) if len(won) else 0.0
        beats[one] += np.sign(ahead)
        beats[other] -= np.sign(ahead)
    order = sorted(range(len(names)), key=lambda place: (beats[place], names[place] != "random"))
    rungs = []
    for below, above in pairwise(order):
        swapped = (above, below) not in shares
        won = shares[below, above] if swapped else shares[above, below]
        rungs.append(_rung(context, names[above], names[below], won[:, ::-1] if swapped else won))
    return rungs


def duels(context: AuditContext, deals: range, one: int, other: int) -> Observations:
    """Returns what one agent wins among others, from every seat, and what the other wins among the first.

    Two columns, one row a deal. Alone each plays the deal on their own.
    """
    rotations = context.players
    found = np.zeros((len(deals), 2))
    for column, (single, rest) in enumerate(((one, other), (other, one))):
        if column and context.players == 2:
            found[:, 1] = 1 - found[:, 0]  # the same games, told by the other side
            break
        jobs = jobs_of(len(deals) * rotations, context.players, seed=context.seed)
        jobs["rng_game"] = jobs["agent_rng_game"] = np.repeat(np.arange(deals.start, deals.stop), rotations)
        jobs["who"][:, : context.players] = rest
        seat = np.tile(np.arange(rotations), len(deals))
        jobs["who"][np.arange(len(jobs)), seat] = single
        paid = context.payoffs(context.play(jobs).paid)[np.arange(len(jobs)), seat]
        found[:, column] = paid.reshape(len(deals), rotations).mean(axis=1)
    return {"won": found}


def rung_games(context: AuditContext, games: range, above: str, below: str) -> Observations:
    """Plays every deal from each seat of the one above; alone, by the one above and then by the one below."""
    won = np.zeros(len(games))
    for place, number in enumerate(games):
        if context.solo:
            deal, second = divmod(number, 2)
            won[place] = DecisionPlayer(context, (below if second else above,)).play(deal)[0]
            continue
        deal, seat = divmod(number, context.players)
        who = [below] * context.players
        who[seat] = above
        won[place] = DecisionPlayer(context, who).play(deal)[seat]
    return {"won": won}


def _thinking(context: AuditContext, key: str, step: int, above: str, below: str) -> SkillRung:
    """Plays a thinking rung against the one below, deal by deal, from every seat."""
    found: list[Numbers] = []
    start = context.budget.clock()
    games = 2 if context.solo else context.players

    def play(deals: range) -> None:
        won = context.observe(rung_games, range(games * deals.start, games * deals.stop), above, below)["won"]
        found.append(won.reshape(-1, games))

    # As many deals for each rung, if there is time for all of them; if there is not, enough for those there are.
    left = context.budget.left_of("ladder")
    part = left / ((1 << _RUNGS - step) - 1)
    context.budget.play(key, play, part=part, at_most=left, enough=ENOUGH, least=2, most=_MOST_THOUGHT)
    won = np.concatenate(found) if found else np.zeros((0, games))
    if not context.solo:
        one = won.sum(axis=1) / games
        won = np.stack([one, (1 - one) / (games - 1)], axis=1)
    return replace(_rung(context, above, below, won), seconds=context.budget.clock() - start)


def _rung(context: AuditContext, above: str, below: str, won: Numbers) -> SkillRung:
    share = average(won[:, 0], most=1.0)
    base = won[:, 1] if context.solo else np.full(len(won), context.fair)
    return SkillRung(above, below, share, average(won[:, 0] - base, reach=1.0, within=(-1.0, 1.0)), len(won))


def _table(context: AuditContext, rungs: list[SkillRung], left_out: tuple[int, int | None] | None) -> Table:
    note = Text(
        "Both play the same deals; “more” is the difference on them.",
        "Оба играют одни и те же раздачи; «больше» — разница на них.",
    )
    if not context.solo:
        fair = f"{100 * context.fair:.0f} %"
        others = context.players - 1
        note = Text(
            "Each against the strongest before it"
            + (f", one player among {others}" if others > 1 else "")
            + f", every deal from every seat; an equal would win {fair}. Rungs with fewer than"
            f" {ENOUGH} deals are hints.",
            "Каждый против сильнейшего из предыдущих"
            + (f", один игрок среди {others}" if others > 1 else "")
            + f", каждая раздача — с каждого места; равный выигрывал бы {fair}. Ступени, где раздач меньше {ENOUGH}, —"
            " лишь намёк.",
        )
    if left_out is not None:
        thoughts, minutes = left_out
        note = Text(
            f"{note.en} There was no time for search with {thoughts} thoughts and more"
            + (f": with --minutes {minutes} there would be." if minutes else "."),
            f"{note.ru} На search с числом мыслей {thoughts} и больше не хватило времени"
            + (f": с --minutes {minutes} хватит." if minutes else "."),
        )
    more = (Text("more than it", "больше него"),) if context.solo else ()
    columns = (Text("player", "игрок"), Text("wins", "выигрывает"), *more, Text("that is", "то есть"))
    words = [_verdict_word(rung, sure) for rung, sure in zip(rungs, surely([rung.gain for rung in rungs]), strict=True)]
    return Table(
        "skill",
        Text("The ladder", "Лестница"),
        (*columns, Text("deals", "раздач")),
        tuple(
            (_versus(rung), rung.share, *((rung.gain,) if context.solo else ()), word, rung.deals)
            for rung, word in zip(rungs, words, strict=True)
        ),
        note=note,
        chart=Chart(
            0,
            1,
            reference=None if context.solo else context.fair,
            reference_label=None if context.solo else Text("equals", "равные"),
        ),
        percent_columns=frozenset({1, 2}) if context.solo else frozenset({1}),
    )


def _verdict_word(rung: SkillRung, sure: bool) -> Text:
    """Returns what a rung says in a word, among all that were looked at."""
    if sure:
        return Text("stronger", "сильнее") if rung.gain.value > 0 else Text("weaker", "слабее")
    if max(-rung.gain.low, rung.gain.high) <= _ALIKE:
        return Text("as strong", "так же силён")
    return Text("not settled", "неясно")


def _versus(rung: SkillRung) -> Text:
    name, below = agent_text(rung.name), agent_text(rung.below)
    return Text(f"{name.en}, against {below.en}", f"{name.ru} — против {below.ru}")


def _clear(rungs: list[SkillRung]) -> list[SkillRung]:
    """Returns the rungs that are surely above the one below, corrected for all."""
    sure = surely([rung.gain for rung in rungs])
    return [rung for rung, is_sure in zip(rungs, sure, strict=True) if is_sure and rung.gain.value > 0]


def _short(rungs: list[SkillRung]) -> Text:
    clear = _clear(rungs)
    if not clear:
        return Text("No rung is surely above another.", "Ни одна ступень не выше другой наверняка.")
    return Text(
        "Rungs surely stronger than those before: {} of {} ({}).",
        "Ступеней, которые наверняка сильнее предыдущих: {} из {} ({}).",
    ).format(len(clear), len(rungs), Text.join(agent_text(rung.name) for rung in clear))


def _verdict(context: AuditContext, rungs: list[SkillRung]) -> Text:
    clear = _clear(rungs)
    if not rungs:
        return Text("Nothing to climb: there is one agent.", "Лестницы нет: агент один.")
    top = clear[-1] if clear else None
    names = Text.join(agent_text(rung.name) for rung in rungs)
    if top is None:
        most = max(rung.gain.high for rung in rungs)
        return Text(
            "No better play was found: if any of {} is stronger than those before, by less than {} points.",
            "Игры лучше не нашлось: если кто-то из {} и сильнее предыдущих, то меньше чем на {} п. п.",
        ).format(names, decimal_text(100 * most, 1))
    return Text(
        f"Rungs surely above those before: {len(clear)} of {len(rungs)}; the highest of them,"
        f" {agent_text(top.name).en},"
        f" wins {span(top.share).en}{'' if context.solo else f' against {agent_text(top.below).en}'}.",
        f"Ступеней, которые наверняка выше предыдущих: {len(clear)} из {len(rungs)}; верхняя из них,"
        f" {agent_text(top.name).ru}, выигрывает"
        f" {span(top.share).ru}{'' if context.solo else f' против {agent_text(top.below).ru}'}.",
    )


def _findings(context: AuditContext, rungs: list[SkillRung]) -> list[Finding]:
    found = []
    sure = surely([rung.gain for rung in rungs])
    weaker = [rung for rung, is_sure in zip(rungs, sure, strict=True) if is_sure and rung.gain.value < 0]
    if weaker:
        rung = weaker[-1]
        found.append(
            Finding(
                0.35,
                Text(
                    "Even {} is weaker than {}: thought does not find what the simple player knows.",
                    "Даже {} слабее, чем {}: раздумья не находят того, что знает простой игрок.",
                ).format(agent_text(rung.name), agent_text(rung.below)),
                _look(context, rung),
            )
        )
    for rung in rungs:
        if rung.deals >= ENOUGH and rung.below == "random" and rung.gain.high < _ALIKE:
            found.append(
                Finding(
                    0.8,
                    Text(
                        "{} wins hardly more than random choice ({}): there is little to play better.",
                        "{} выигрывает едва ли чаще случайного выбора ({}): играть лучше почти не в чем.",
                    ).format(agent_text(rung.name), span(rung.share)),
                    _look(context, rung),
                )
            )
    return found


def _look(context: AuditContext, rung: SkillRung) -> str:
    """Returns the command that plays a rung again."""
    seats = [rung.name] if context.solo else [rung.name, *[rung.below] * (context.players - 1)]
    return context.command("simulate", "--agents", *seats, *([] if context.solo else ["--rotate"]), "--games", 200)
