"""Audit section "luck": variance of who wins split into skill, seat, choices of equals, and chance."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from playmill.engine.lang.record import RecordArray
from playmill.engine.run.rollouts import jobs_of
from playmill.lab.audit.context import AuditContext, agent_text
from playmill.lab.audit.observations import Observations, joined
from playmill.report.commands.audit import AuditSection, Finding, span, thin
from playmill.report.model.tables import Estimate, Table
from playmill.report.plots import PlotRow, RowPlot, Scale
from playmill.stats.from_observations import surely
from playmill.stats.variance_components import VarianceShares, causes
from playmill.texts import Text

_MOST = 1 << 14
#: Fewer games than this are a hint only; each table plays four.
_LITTLE, _GAMES = 800, 4
#: A share that is as good as everything, as good as most, and as good as nothing.
_NEARLY_ALL, _MOSTLY, _HARDLY = 0.8, 0.5, 0.05
#: Strengths that add up are at least two thirds of who plays; with less than half of it agents win in a circle.
_CIRCLE = 0.5
_PLAYS = Text("who plays", "кто играет")
_ADDS = Text("of it, better play", "из этого — кто играет лучше")
_SEAT = Text("the seat", "место")
_CHOICES = Text("what equals choose", "что выбирают равные")
_CHANCE = Text("chance", "случай")
_NAMES = (_PLAYS, _ADDS, _SEAT, _CHOICES, _CHANCE)
_AMONG = (Text("players by lot", "игроки по жребию"), Text("equals", "равные"))


def luck(context: AuditContext) -> AuditSection:
    """Plays tables of agents drawn by lot, and tables of equals, each several times."""
    found: dict[str, VarianceShares] = {}
    tables = 0
    for key in ("all", "equal"):
        played: list[Observations] = []

        def play(numbers: range, played: list[Observations] = played, key: str = key) -> None:
            played.append(context.observe(tables_played, numbers, key == "all"))

        tables = context.budget.play(f"luck.{key}", play, part=0.5, least=context.fewer(64), most=_MOST)
        games = joined(played)
        found[key] = causes(games["paid"], games["seated"])
    everybody, equal = found["all"], found["equal"]
    whole = (everybody.players, everybody.added, everybody.seat, everybody.choices, everybody.chance)
    alike = (None, None, equal.seat, equal.choices, equal.chance)
    rows = [row for row in zip(_NAMES, whole, alike, strict=True) if not context.solo or row[0] != _SEAT]
    table = Table(
        "luck",
        Text("What decides who wins, in figures", "От чего зависит, кто выиграет, в цифрах"),
        (Text("what decides", "что решает"), *_AMONG),
        tuple(rows),
        note=_note(context),
        percent_columns=frozenset({1, 2}),
    )
    return AuditSection(
        key="luck",
        title=Text("Luck and skill", "Удача и мастерство"),
        short=_short(everybody, equal),
        verdict=_verdict(context, everybody, equal),
        thin=thin(_GAMES * tables, _LITTLE, context.budget.minutes_for("luck.equal", _LITTLE // _GAMES)),
        tables=(table,),
        plots=(
            RowPlot(
                Text("What decides who wins", "От чего зависит, кто выиграет"),
                Scale(Text("share of the outcome", "доля исхода"), percent=True),
                tuple(PlotRow(name, (_drawn(one), _drawn(other))) for name, one, other in rows),
                series=_AMONG,
                bars=True,
            ),
        )
        if not _never(everybody)
        else (),
        findings=tuple(_findings(context, everybody)),
        results={
            "all": {
                "players": everybody.players.json(),
                "better_play": everybody.added.json(),
                "seat": everybody.seat.json(),
                "choices": everybody.choices.json(),
                "chance": everybody.chance.json(),
                "agents": list(context.agents),
            },
            "equal": {
                "seat": equal.seat.json(),
                "choices": equal.choices.json(),
                "chance": equal.chance.json(),
                "agents": [context.player],
            },
            "tables": tables,
        },
        about=Text(
            "Skill is what better players win more; luck is what stays when all are equal. What is neither has a name"
            " of"
            " its own: the seat, and choices that decide but that nobody can make better.",
            "Мастерство — то, насколько больше выигрывают лучшие; удача — то, что остаётся, когда все равны. У того,"
            " что"
            " не то и не другое, своё имя: место и выбор, который решает, но который никто не умеет делать лучше.",
        ),
    )


def tables_played(context: AuditContext, numbers: range, mixed: bool) -> Observations:
    """Plays the games of tables at which anybody may sit, or equals: what they paid, and who sat there."""
    jobs = _jobs(context, numbers, mixed=mixed)
    paid = context.payoffs(context.play(jobs).paid)
    return {
        "paid": paid.reshape(len(numbers), 2, 2, context.players),
        "seated": jobs["who"][::_GAMES, : context.players],
    }


def _jobs(context: AuditContext, numbers: range, *, mixed: bool) -> RecordArray:
    """Returns four games for each table: two draws of the agents' rng, and two games with each."""
    jobs = jobs_of(_GAMES * len(numbers), context.players, seed=context.seed, first=_GAMES * numbers.start)
    jobs["agent_rng_game"] = jobs["rng_game"] // 2
    if mixed:
        jobs["who"][:, : context.players] = np.repeat(_by_lot(context, numbers), _GAMES, axis=0)
    return jobs


def _by_lot(context: AuditContext, numbers: range) -> Any:
    """Draws who sits at each table: the same under the same number, whatever else is played."""
    rng = np.random.Generator(np.random.PCG64([context.seed & (2**63 - 1), 77]))
    return rng.integers(0, len(context.agents), (numbers.stop, context.players))[numbers.start :]


def _strengths(context: AuditContext) -> Text:
    listed = Text.join(map(agent_text, context.agents))
    if len(context.agents) == 1:
        return Text("all play like {}", "все играют как {}").format(listed)
    seat = "the seat" if context.solo else "each seat"
    return Text("lots give {seat} one of {}", "место по жребию занимает кто-то из {}").format(listed, seat=seat)


def _note(context: AuditContext) -> Text:
    strengths = _strengths(context)
    return Text(
        f"Players by lot: {strengths.en}. Equals: all play like {context.called.en}. Who plays: other players, other"
        " results. Better play is the part of it that an agent wins whomever it meets."
        + (" The seat: how far seats are from equal." if not context.solo else "")
        + " What equals choose: the same players, choosing something else, whatever the chance. Chance: the same"
        " players"
        " choosing by the same numbers, with other deals, dice and draws; what chance and choices do only together"
        " cannot be told apart, and is in it. No share depends on how the rules draw.",
        f"По жребию: {strengths.ru}. Равные: все играют как {context.called.ru}. Кто играет: другие игроки — другой"
        " исход. Лучше играет тот, кто выигрывает больше, с кем бы ни встретился."
        + (" Место: насколько места неравны." if not context.solo else "")
        + " Что выбирают равные: те же игроки выбирают другое, каков бы ни был случай. Случай: те же игроки с теми же"
        " числами для выбора, но другие раздачи, кости и карты; то, что случай и выбор делают лишь вместе, разделить"
        " нельзя, и оно здесь. Ни одна доля не зависит от того, как правила бросают жребий.",
    )


def _drawn(found: Estimate | None) -> Estimate | None:
    """Returns the shares that can be drawn, with their intervals."""
    return found if found is not None and found.known else None


def _circle(found: VarianceShares) -> bool:
    """Returns whether who meets whom decides rather than who is better."""
    return found.players.low > _HARDLY and found.added.high < _CIRCLE * found.players.low


def _parts(found: VarianceShares) -> Text:
    """Returns what surely settles something, corrected for all, the most first, with its share."""
    all_of_it = ((_PLAYS, found.players), (_SEAT, found.seat), (_CHOICES, found.choices), (_CHANCE, found.chance))
    named = [pair for pair in all_of_it if not isnan(pair[1].value)]
    sure = [pair for pair, is_sure in zip(named, surely([one for _, one in named]), strict=True) if is_sure]
    some = sorted(sure or named, key=lambda pair: -pair[1].value)
    return Text.join(Text.join((name, span(one)), " ") for name, one in (some if sure else some[:1]))


def _never(found: VarianceShares) -> bool:
    """Returns whether no game ended otherwise than another."""
    return isnan(found.chance.value)


_NEVER = Text("No game ended otherwise than another.", "Все партии кончились одинаково.")


def _short(everybody: VarianceShares, equal: VarianceShares) -> Text:
    found = everybody if not _never(everybody) else equal
    if _never(found):
        return _NEVER
    return Text(*(f"{parts[:1].upper()}{parts[1:]}." for parts in _parts(found)))


def _verdict(context: AuditContext, everybody: VarianceShares, equal: VarianceShares) -> Text:
    strengths = _strengths(context)
    mixed = _NEVER
    if not _never(everybody):
        mixed = Text(
            f"Where {strengths.en}, what decides {'the game' if context.solo else 'who wins'} is"
            f" {_parts(everybody).en}.",
            f"Где {strengths.ru}, исход решают: {_parts(everybody).ru}.",
        )
    alike = Text("all games end alike", "все партии кончаются одинаково")
    if not _never(equal):
        alike = _parts(equal)
    more = Text("", "")
    if _circle(everybody):
        more = Text(
            " Nobody plays better than all others: what counts is who meets whom.",
            " Нет никого, кто играл бы лучше всех: важно, кто с кем встретился.",
        )
    return Text(
        f"{mixed.en}{more.en} {context.among.en}: {alike.en}.", f"{mixed.ru}{more.ru} {context.among.ru}: {alike.ru}."
    )


def _findings(context: AuditContext, found: VarianceShares) -> list[Finding]:
    command = context.command("audit", "--only", "luck,skill")
    among = _strengths(context)
    if found.chance.low > _NEARLY_ALL:
        message = Text(
            "Luck decides: {} of who wins is chance, whoever plays ({}).",
            "Решает удача: {} исхода — случай, кто бы ни играл ({}).",
        ).format(span(found.chance), among)
        return [Finding(0.7 * found.chance.value, message, command)]
    if found.choices.low > _MOSTLY and not found.players.low > _HARDLY:
        message = Text(
            "Neither luck nor skill: {} of who wins is what players happen to choose, and no choice was found that is"
            " better than another ({}).",
            "Ни удача, ни мастерство: {} исхода решает то, что игроки выбрали, а выбора лучше других не нашлось ({}).",
        ).format(span(found.choices), among)
        return [Finding(0.7 * found.choices.value, message, command)]
    if found.seat.low > _MOSTLY:
        message = Text(
            "The seat decides: {} of who wins is settled when seats are dealt ({}).",
            "Решает место: {} исхода известно, когда сели за стол ({}).",
        ).format(span(found.seat), among)
        return [Finding(0.8 * found.seat.value, message, command)]
    if found.players.low > _NEARLY_ALL and not _circle(found) and not context.solo:
        message = Text(
            "Better players decide nearly everything ({}; {}): who plays worse hardly ever wins.",
            "Почти всё решает, кто играет лучше ({}; {}): кто играет хуже, почти никогда не выигрывает.",
        ).format(span(found.players), among)
        return [Finding(0.4 * found.players.value, message, command)]
    return []
