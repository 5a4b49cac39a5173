"""Luck: how much of who wins the luck of a game explains, and how much the choices of its players."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.probe import jobs_of
from playmill.engine.record import RecordArray
from playmill.lab.audit.stage import Numbers, Stage
from playmill.report.audit import Finding, Part, span, thin
from playmill.report.model import Table
from playmill.report.plots import Row, RowPlot, Scale
from playmill.stats.variance import Shares, shares
from playmill.texts import PlaymillError, Text

#: How often a good player who is human chooses anything at all.
_LAPSE = 0.1
_MOST = 1 << 15
#: Fewer games than this are a hint only.
_LITTLE = 800
_ALL = Text("players of every strength", "игроки любой силы")
_GOOD = Text("good players with lapses", "хорошие игроки с промахами")


def luck(stage: Stage) -> Part:
    """Crosses two lots of luck with two lots of players, again and again."""
    tables = {"all": _ALL, "good": _GOOD}
    found: dict[str, Shares] = {}
    squares = 0
    for key in tables:
        games: list[Numbers] = []

        def play(numbers: range, games: list[Numbers] = games, key: str = key) -> None:
            jobs = _jobs(stage, numbers, mixed=key == "all")
            paid = stage.payoffs(stage.play(jobs).paid)
            games.append(paid.reshape(len(numbers), 2, 2, stage.players))

        squares = stage.budget.play(f"luck.{key}", play, part=0.5, least=64, most=_MOST)
        found[key] = shares(np.concatenate(games)) if games else shares(np.zeros((0, 2, 2, 1)))
    everybody = found["all"]
    rows = tuple((name, found[key].first, found[key].second, found[key].together) for key, name in tables.items())
    table = Table(
        "luck",
        Text("What decides who wins, in figures", "От чего зависит, кто выиграет, в цифрах"),
        (
            Text("who plays", "кто играет"),
            Text("the luck, whoever plays", "удача, кто бы ни играл"),
            Text("the players, whatever the luck", "игроки при любой удаче"),
            Text("the two together", "то и другое вместе"),
        ),
        rows,
        note=Text(
            f"The same luck (deal, dice, draws) is played by other players, and the same players play with other luck."
            f" In the first row each seat is given one of {', '.join(stage.agents)} by lot; in the second all play like"
            f" {stage.player}, but choose at random in one decision of ten. “Together”: luck that helps only those who"
            " use it, or that falls differently once something else is chosen (after one more throw of a die all"
            " later throws are others).",
            f"Одну и ту же удачу (раздачу, кости, карты) играют другие игроки, а те же игроки играют с другой удачей."
            f" В первой строке на каждое место по жребию садится кто-то из {', '.join(stage.agents)}; во второй все"
            f" играют как {stage.player}, но в одном решении из десяти выбирают наугад. «Вместе» — удача, которая"
            " помогает лишь тем, кто умеет ею воспользоваться, или ложится иначе, стоит выбрать другое (после лишнего"
            " броска все следующие уже другие).",
        ),
        percent_columns=frozenset({1, 2, 3}),
    )
    return Part(
        key="luck",
        title=Text("Luck", "Удача"),
        short=Text(
            f"The luck alone settles {span(everybody.first, 'en')} of who wins, the players"
            f" {span(everybody.second, 'en')}.",
            f"Сама удача решает {span(everybody.first, 'ru')} исхода, игроки — {span(everybody.second, 'ru')}.",
        ),
        verdict=_verdict(stage, everybody),
        thin=thin(4 * squares, _LITTLE, stage.budget.minutes_for("luck.good", -(-_LITTLE // 4))),
        tables=(table,),
        plots=(
            RowPlot(
                Text("What decides who wins", "От чего зависит, кто выиграет"),
                Scale(Text("share of the outcome", "доля исхода"), percent=True),
                tuple(
                    Row(name, (found[key].first, found[key].second, found[key].together))
                    for key, name in tables.items()
                ),
                series=table.columns[1:],
                bars=True,
            ),
        ),
        findings=tuple(_findings(stage, everybody)),
        results={
            key: {
                "luck": one.first.json(),
                "players": one.second.json(),
                "together": one.together.json(),
            }
            for key, one in found.items()
        }
        | {"squares": squares},
        about=Text(
            "How much of the outcome is explained by the luck, and how much by who plays and what they choose.",
            "Какую часть исхода объясняет удача, а какую — то, кто играет и что выбирает.",
        ),
    )


def _jobs(stage: Stage, numbers: range, *, mixed: bool) -> RecordArray:
    """Four games for each number: its two lots of luck with its two lots of players."""
    jobs = jobs_of(4 * len(numbers), stage.players, seed=stage.seed)
    square = np.repeat(np.arange(numbers.start, numbers.stop), 4)
    place = np.tile(np.arange(4), len(numbers))
    jobs["luck"] = 2 * square + place // 2
    table = 2 * square + place % 2
    jobs["whim"] = table
    if mixed:
        jobs["who"][:, : stage.players] = _by_lot(stage, table)
    else:
        jobs["lapse"] = _LAPSE
    return jobs


def _by_lot(stage: Stage, tables: Any) -> Any:
    """Who sits at each table: the same under the same number, whatever else is played."""
    luck = np.random.Generator(np.random.PCG64([stage.seed & (2**63 - 1), 77]))
    drawn = luck.integers(0, len(stage.agents), (2 * _MOST, stage.players))
    if tables.max() >= len(drawn):
        raise PlaymillError(f"at most {_MOST} squares of luck", f"квадратов удачи не больше {_MOST}")
    return drawn[tables]


def _verdict(stage: Stage, found: Shares) -> Text:
    if stage.solo:
        return Text(
            f"Among players of every strength, {span(found.second, 'en')} of winning or losing is settled by who plays"
            f" and how, and {span(found.first, 'en')} by the luck, whoever plays; the rest,"
            f" {span(found.together, 'en')}, hangs on the two together.",
            f"Среди игроков любой силы {span(found.second, 'ru')} исхода решает то, кто и как играет,"
            f" {span(found.first, 'ru')} — удача, кто бы ни играл; остальное, {span(found.together, 'ru')}, зависит от"
            " того и другого вместе.",
        )
    return Text(
        f"Among players of every strength, {span(found.second, 'en')} of who wins is settled by who plays and how, and"
        f" {span(found.first, 'en')} by the luck, whoever plays; the rest, {span(found.together, 'en')}, hangs on the"
        " two together.",
        f"Среди игроков любой силы {span(found.second, 'ru')} исхода решает то, кто и как играет,"
        f" {span(found.first, 'ru')} — удача, кто бы ни играл; остальное, {span(found.together, 'ru')}, зависит от того"
        " и другого вместе.",
    )


def _findings(stage: Stage, found: Shares) -> list[Finding]:
    command = stage.command("audit", "--only", "luck,skill")
    if found.first.low > 0.8:
        return [
            Finding(
                0.7 * found.first.value,
                Text(
                    f"Luck decides: {span(found.first, 'en')} of who wins is settled whatever anybody chooses.",
                    f"Решает удача: {span(found.first, 'ru')} исхода от выбора игроков не зависит.",
                ),
                command,
            )
        ]
    if found.second.low > 0.8 and not stage.solo:
        return [
            Finding(
                0.4 * found.second.value,
                Text(
                    f"The players decide nearly everything ({span(found.second, 'en')}): who plays worse hardly ever"
                    " wins.",
                    f"Почти всё решают игроки ({span(found.second, 'ru')}): кто играет хуже, почти никогда не"
                    " выигрывает.",
                ),
                command,
            )
        ]
    return []
