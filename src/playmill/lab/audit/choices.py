"""Choices: how much hangs on a decision, and kinds of options that are never the best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from time import perf_counter

import numpy as np

from playmill.agents.search import PARAMETERS, Thinker, Weighed
from playmill.engine.probe import jobs_of
from playmill.engine.record import RecordArray
from playmill.engine.state import State
from playmill.lab.audit.fairness import points
from playmill.lab.audit.stage import Numbers, Stage
from playmill.report.audit import Finding, Part, span, thin
from playmill.report.model import Chart, Estimate, Table, rate
from playmill.stats.samples import average, figure
from playmill.texts import Text

#: Decisions looked at in one game, and games at most.
_DECISIONS, _MOST_GAMES = 6, 120
#: Thoughts about a decision at most, and at least.
_MOST_THOUGHTS, _LEAST_THOUGHTS = 2000, 50
#: Options are tried more evenly than a player would, since here the second best matters too.
_EXPLORE = 2.0
#: How often the game is played on after each option that is looked at: in two halves with luck of their own.
_PLAYOUTS = 64
#: They have luck apart from that of the games.
_OTHER_LUCK = 0xC401CE
_LOOKED_AT = Text("decision|decisions", "решение|решения|решений")
#: Decisions that offered a kind before anything is said of it, and before it is said to be never worth it.
_SOME, _OFFERED = 5, 30
#: Fewer decisions than this are a hint only.
_LITTLE = 60


@dataclass
class _Kind:
    """What was seen of one kind: whether it was the best, and how far behind the best it was."""

    best: list[bool] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)


@dataclass
class _Game:
    """What was seen in one game: the gap of each decision by both halves of play-outs, and kinds."""

    gaps: list[tuple[float, float]] = field(default_factory=list)
    kinds: list[tuple[int, bool, float]] = field(default_factory=list)


def choices(stage: Stage) -> Part:
    """Thinks about sampled decisions to name the best options, and plays on after each to see what they are worth."""
    games: list[_Game] = []
    thoughts = _thoughts(stage)

    def play(numbers: range) -> None:
        games.extend(stage.each(lambda number: _weigh_game(stage, number, thoughts), numbers))

    stage.budget.play("choices", play, least=2, most=_MOST_GAMES)
    decisions = sum(len(game.gaps) for game in games)
    sums = np.array(
        [[sum(map(sum, game.gaps)) / 2, sum(one * other for one, other in game.gaps), len(game.gaps)] for game in games]
    ).reshape(-1, 3)
    gap = figure(sums, lambda rows: rows[:, 0].sum() / max(1.0, rows[:, 2].sum()))
    # What noise adds to one half it does not add to the other: the product has none of it.
    stake = figure(sums, lambda rows: sqrt(max(0.0, rows[:, 1].sum() / max(1.0, rows[:, 2].sum()))), least=0.0)
    kinds: dict[int, _Kind] = defaultdict(_Kind)
    for game in games:
        for kind, best, behind in game.kinds:
            kinds[kind].best.append(best)
            kinds[kind].behind.append(behind)
    table, findings, saved = _kinds(stage, kinds)
    return Part(
        key="choices",
        title=Text("Choices", "Выбор"),
        short=_short(stake),
        verdict=_verdict(gap, stake),
        thin=thin(decisions, _LITTLE, stage.budget.minutes_for("choices", -(-_LITTLE // _DECISIONS)), _LOOKED_AT),
        tables=(_gap_table(gap, stake), table) if table.rows else (_gap_table(gap, stake),),
        findings=(*_gap_findings(stage, gap, stake), *findings),
        results={
            "gap": gap.json(),
            "stake": stake.json(),
            "decisions": decisions,
            "thoughts": thoughts,
            "kinds": saved,
        },
        about=Text(
            f"{decisions} decisions from games of players like {stage.player}. Search thinks about each"
            f" ({thoughts} thoughts) and names the best options; what they are worth is seen by playing on after each"
            f" of them, {_PLAYOUTS} times with the same luck. So the best does not look better than it is.",
            f"Решений из партий игроков, играющих как {stage.player}: {decisions}. Над каждым думает search (мыслей:"
            f" {thoughts}) и называет лучшие варианты; цену узнают, доигрывая после каждого из них {_PLAYOUTS} раза с"
            " одной и той же удачей. Поэтому лучший не кажется лучше, чем есть.",
        ),
    )


def _thoughts(stage: Stage) -> int:
    """How much is thought about a decision: as much as lets some games be looked at in the time there is."""
    if (given := stage.budget.given("thoughts")) is not None:
        return stage.budget.note("thoughts", given or 200)
    _weigh_game(stage, 0, 4)  # what has to be compiled is not the price of a thought
    start = perf_counter()
    _weigh_game(stage, 0, _LEAST_THOUGHTS)
    took = max(perf_counter() - start, 1e-6)
    wanted = stage.budget.seconds("choices") / 25 / took * _LEAST_THOUGHTS
    return stage.budget.note("thoughts", int(max(_LEAST_THOUGHTS, min(_MOST_THOUGHTS, wanted // 50 * 50))))


def _weigh_game(stage: Stage, number: int, thoughts: int) -> _Game:
    """Some decisions of a game: gaps, and for each kind offered whether it was the best, and how far off."""
    moves = [state.clone() for state in stage.decisions(number) if not state.is_terminal()]
    found = _Game()
    # In the middle of equal stretches of the game, so that neither end is looked at more than the other.
    places = sorted({int((step + 0.5) * len(moves) / _DECISIONS) for step in range(_DECISIONS)}) if moves else []
    for place in places:
        options = _weighed(stage, moves[place].desk, thoughts)
        order = sorted(options, key=lambda option: (-option.tries, -option.mean, option.action))
        if not order[1].tries:
            continue
        kinds = _by_kind(stage, order)
        best, second = order[0].action, order[1].action
        wanted = list(dict.fromkeys((best, second, *kinds.values())))
        worth = _worth(stage, moves[place], wanted, 100_000 * number + place)
        one, other = worth[best] - worth[second]
        found.gaps.append((float(one), float(other)))
        tags = stage.kinds.tags.of
        for kind, action in kinds.items():
            found.kinds.append((kind, kind in tags[best], float((worth[best] - worth[action]).mean())))
    return found


def _by_kind(stage: Stage, order: list[Weighed]) -> dict[int, int]:
    """The best option of every kind that some of the options have and some have not; the options come best first."""
    tags = stage.kinds.tags.of
    offered = {int(tag) for option in order for tag in tags[option.action] if tag >= 0}
    found = {}
    for kind in sorted(offered):
        having = [option for option in order if kind in tags[option.action]]
        if len(having) < len(order) and having[0].tries:
            found[kind] = having[0].action
    return found


def _worth(stage: Stage, state: State, actions: list[int], number: int) -> dict[int, Numbers]:
    """What each option brings whoever decides, by both halves of its play-outs; the luck is the same for all."""
    player = state.current_player()
    positions = np.zeros(1, stage.game.state)
    positions[0] = state.record
    jobs = jobs_of(len(actions) * _PLAYOUTS, stage.players, seed=stage.seed ^ _OTHER_LUCK)
    jobs["luck"] = jobs["whim"] = (number << 16) + np.tile(np.arange(_PLAYOUTS), len(actions))
    jobs["position"], jobs["known"] = 0, player
    jobs["action"] = np.repeat(actions, _PLAYOUTS)
    paid = stage.payoffs(stage.play(jobs, positions=positions).paid)[:, player]
    halves = paid.reshape(len(actions), 2, _PLAYOUTS // 2).mean(axis=2)
    return dict(zip(actions, halves, strict=True))


def _weighed(stage: Stage, desk: RecordArray, thoughts: int) -> list[Weighed]:
    """What somebody who thinks thinks of the options on a desk."""
    numbers = {name: parameter.default for name, parameter in PARAMETERS.items()}
    numbers |= {"iterations": thoughts, "explore": _EXPLORE}
    thinker = Thinker(stage.game, list(numbers.values()), interpreted=stage.interpreted, stop=stage.budget.stop)
    thinker.new_game()
    thinker.think(desk)
    return thinker.weighed(desk)


def _short(stake: Estimate) -> Text:
    return Text(
        f"{points(stake, 'en')} are typically at stake between the two best options.",
        f"Обычно между двумя лучшими вариантами на кону {points(stake, 'ru')}.",
    )


def _verdict(gap: Estimate, stake: Estimate) -> Text:
    if gap.low <= 0:
        return Text(
            f"On average the best option does not surely win more than the second best ({points(gap, 'en')}); what is"
            f" typically at stake between the two is {points(stake, 'en')}.",
            f"В среднем лучший вариант не даёт наверняка больше побед, чем второй ({points(gap, 'ru')}); обычно между"
            f" ними на кону {points(stake, 'ru')}.",
        )
    return Text(
        f"The best option wins {points(gap, 'en')} more than the second best, on average; what is typically at stake"
        f" between the two is {points(stake, 'en')}.",
        f"Лучший вариант в среднем даёт на {points(gap, 'ru')} больше побед, чем второй; обычно между ними на кону"
        f" {points(stake, 'ru')}.",
    )


def _gap_table(gap: Estimate, stake: Estimate) -> Table:
    return Table(
        "gap",
        Text("What hangs on a decision", "Что зависит от решения"),
        (Text("what", "что"), Text("win rate", "доля побед")),
        (
            (Text("the best over the second best, on average", "лучший против второго, в среднем"), gap),
            (Text("what is typically at stake between them", "что обычно между ними на кону"), stake),
        ),
        note=Text(
            "“Typically”: the root of the mean square, without the noise of the play-outs.",
            "«Обычно» — корень из среднего квадрата, без шума доигрываний.",
        ),
        percent_columns=frozenset({1}),
    )


def _kinds(stage: Stage, seen: Mapping[int, _Kind]) -> tuple[Table, list[Finding], dict[str, object]]:
    """How often each kind is the best where it is one of several, and how far behind it is otherwise."""
    rows, findings = [], []
    saved: dict[str, object] = {}
    for kind, found in sorted(seen.items(), key=lambda one: -sum(one[1].best) / len(one[1].best)):
        if len(found.best) < _SOME:
            continue
        best = rate(sum(found.best), len(found.best))
        behind = average(found.behind)
        name = stage.kinds.names[kind]
        rows.append((name, best, behind, len(found.best)))
        saved[stage.kinds.ids[kind]] = {"best": best.json(), "behind": behind.json(), "offered": len(found.best)}
        if len(found.best) >= _OFFERED and best.high < 0.15 and behind.low > 0:
            findings.append(
                Finding(
                    0.45 if best.value else 0.55,
                    Text(
                        f"“{name.en}” is hardly ever the best option: {span(best, 'en')} of {len(found.best)} decisions"
                        " that offered it.",
                        f"«{name.ru}» почти никогда не лучший вариант: {span(best, 'ru')} из {len(found.best)} решений,"
                        " где он был.",
                    ),
                    stage.command("audit", "--only", "uses,choices"),
                )
            )
    table = Table(
        "kinds",
        Text("Which options are worth it", "Какие варианты чего-то стоят"),
        (
            Text("option", "вариант"),
            Text("is the best", "лучший"),
            Text("behind the best", "отстаёт от лучшего"),
            Text("decisions", "решений"),
        ),
        tuple(rows),
        note=Text(
            "Where an option of this kind is offered beside others. “Behind”: how much less the best of its kind wins"
            f" than the best of all. Kinds that fewer than {_SOME} decisions offered are left out.",
            "Там, где вариант этого вида предлагается наряду с другими. «Отстаёт» — насколько реже выигрывает лучший из"
            f" вида, чем лучший из всех. Виды, встреченные меньше чем в {_SOME} решениях, пропущены.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1, 2}),
    )
    return table, findings, saved


def _gap_findings(stage: Stage, gap: Estimate, stake: Estimate) -> list[Finding]:
    if gap.n < 10 or gap.high > 0.01 or stake.value > 0.02:
        return []
    return [
        Finding(
            0.5,
            Text(
                f"Little hangs on a decision: the best option wins only {points(gap, 'en')} more than the next.",
                f"От решений мало что зависит: лучший вариант лучше следующего лишь на {points(gap, 'ru')}.",
            ),
            stage.command("show", "--agents", stage.player, "--seed", stage.seed),
        )
    ]
