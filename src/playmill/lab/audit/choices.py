"""Choices: how much hangs on a decision, and kinds of options that are never the best."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from playmill.agents.search import PARAMETERS, Thinker, Weighed
from playmill.engine.state import State
from playmill.lab.audit.stage import Stage
from playmill.report.audit import Finding, Part, few, span
from playmill.report.model import Chart, Estimate, Table, rate
from playmill.stats.samples import average, figure
from playmill.texts import Text

#: Decisions looked at in one game, and games at most.
_DECISIONS, _MOST_GAMES = 6, 120
#: Thoughts about a decision at most, and at least, by whoever weighs it.
_MOST_THOUGHTS, _LEAST_THOUGHTS = 2000, 50
#: Options are tried more evenly than a player would, since here the second best matters too.
_EXPLORE = 2.0
#: A gap that decides something: so much of a win.
_MATTERS = 0.05
#: Decisions that offered a kind before it is said to be never worth it.
_OFFERED = 30


@dataclass
class _Kind:
    """What was seen of one kind: whether it was the best, and how far behind the best it was."""

    best: list[bool] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)


@dataclass
class _Seen:
    """What was seen of all decisions: gaps by game, options, and kinds."""

    gaps: list[list[float]] = field(default_factory=list)
    options: list[int] = field(default_factory=list)
    kinds: dict[int, _Kind] = field(default_factory=lambda: defaultdict(_Kind))


def choices(stage: Stage) -> Part:
    """Weighs decisions of sampled games twice: the first says which options are best, the second what they are worth."""
    seen = _Seen()
    thoughts = _thoughts(stage)

    def play(games: range) -> None:
        for gaps, options, kinds in stage.each(lambda number: _weigh_game(stage, number, thoughts), games):
            seen.gaps.append(gaps)
            seen.options += options
            for kind, best, behind in kinds:
                seen.kinds[kind].best.append(best)
                seen.kinds[kind].behind.append(behind)

    stage.budget.play("choices", play, least=2, most=_MOST_GAMES)
    decisions = sum(map(len, seen.gaps))
    sums = np.array([[sum(gaps), sum(gap > _MATTERS for gap in gaps), len(gaps)] for gaps in seen.gaps]).reshape(-1, 3)
    gap = figure(sums, lambda rows: rows[:, 0].sum() / max(1.0, rows[:, 2].sum()))
    matters = figure(sums, lambda rows: rows[:, 1].sum() / max(1.0, rows[:, 2].sum()), least=0.0, most=1.0)
    table, findings, kinds = _kinds(stage, seen)
    return Part(
        key="choices",
        title=Text("Choices", "Выбор"),
        verdict=few(_verdict(gap, matters), decisions, 60),
        tables=(_gap_table(gap, matters), table) if table.rows else (_gap_table(gap, matters),),
        findings=(*_gap_findings(stage, gap), *findings),
        results={
            "gap": gap.json(),
            "matters": matters.json(),
            "decisions": decisions,
            "thoughts": thoughts,
            "kinds": kinds,
        },
        about=Text(
            f"{decisions} decisions from games of players like {stage.player}, each thought about twice, {thoughts}"
            " thoughts each: the first names the best options, the second, with luck of its own, says what they are"
            " worth. So the best does not look better than it is.",
            f"Решений из партий игроков, играющих как {stage.player}: {decisions}. О каждом думали дважды, по {thoughts}"
            " мыслей: первый раз — чтобы назвать лучшие варианты, второй, с другой удачей, — чтобы узнать их цену."
            " Поэтому лучший не кажется лучше, чем есть.",
        ),
    )


def _thoughts(stage: Stage) -> int:
    """How much is thought about a decision: as much as lets some games be looked at in the time there is."""
    from time import perf_counter

    if (given := stage.budget.given("thoughts")) is not None:
        return stage.budget.note("thoughts", given or 200)
    _weigh_game(stage, 0, 4)  # what has to be compiled is not the price of a thought
    start = perf_counter()
    _weigh_game(stage, 0, _LEAST_THOUGHTS)
    took = max(perf_counter() - start, 1e-6)
    wanted = stage.budget.seconds("choices") / 25 / took * _LEAST_THOUGHTS
    return stage.budget.note("thoughts", int(max(_LEAST_THOUGHTS, min(_MOST_THOUGHTS, wanted // 50 * 50))))


def _weigh_game(stage: Stage, number: int, thoughts: int) -> tuple[list[float], list[int], list[tuple[int, bool, float]]]:
    """Gaps and options of some decisions of a game, and for each kind offered whether it was best, and how far off."""
    seat = stage.seats[stage.player]
    state = State(
        stage.game,
        players=stage.players,
        config=stage.config,
        seed=stage.seed,
        number=number,
        interpreted=stage.interpreted,
    )
    moves: list[State] = []
    while not state.is_terminal():
        moves.append(state.clone())
        state.apply_action(state.choice_of(seat.number, seat.params))
    gaps, options, kinds = [], [], []
    # In the middle of equal stretches of the game, so that neither end is looked at more than the other.
    places = sorted({int((step + 0.5) * len(moves) / _DECISIONS) for step in range(_DECISIONS)}) if moves else []
    for place in places:
        desk = moves[place].desk
        first, second = (_weighed(stage, desk, thoughts) for _ in range(2))
        tried = [option for option in first if option.tries]
        worth = {option.action: option.mean for option in second if option.tries}
        order = sorted(tried, key=lambda option: (-option.tries, -option.mean, option.action))
        if len(order) < 2 or order[0].action not in worth:
            continue
        best = order[0].action
        if order[1].action in worth:
            gaps.append(worth[best] - worth[order[1].action])
            options.append(len(first))
        kinds += _by_kind(stage, first, order, worth, best)
    return gaps, options, kinds


def _by_kind(
    stage: Stage, options: list[Weighed], order: list[Weighed], worth: dict[int, float], best: int
) -> list[tuple[int, bool, float]]:
    """Of every kind that some of the options have and some have not: whether the best has it, and how far off it is."""
    tags = stage.kinds.tags.of
    offered = {int(tag) for option in options for tag in tags[option.action] if tag >= 0}
    found = []
    for kind in sorted(offered):
        having = [option for option in options if kind in tags[option.action]]
        if len(having) == len(options):
            continue
        chosen = next((option.action for option in order if kind in tags[option.action]), None)
        if chosen is not None and chosen in worth:
            found.append((kind, kind in tags[best], worth[best] - worth[chosen]))
    return found


def _weighed(stage: Stage, desk: object, thoughts: int) -> list[Weighed]:
    """What somebody who thinks anew thinks of the options on a desk; each time with other luck."""
    numbers = [parameter.default for parameter in PARAMETERS.values()]
    names = list(PARAMETERS)
    numbers[names.index("iterations")] = thoughts
    numbers[names.index("explore")] = _EXPLORE
    thinker = Thinker(stage.game, numbers, interpreted=stage.interpreted)
    thinker.new_game()
    thinker.think(desk)  # type: ignore[arg-type]
    return thinker.weighed(desk)  # type: ignore[arg-type]


def _verdict(gap: Estimate, matters: Estimate) -> Text:
    return Text(
        f"The best option is worth {span(gap, 'en')} of a win more than the second best, on average; in"
        f" {span(matters, 'en')} of decisions it looks worth more than 5 %.",
        f"Лучший вариант в среднем дороже второго на {span(gap, 'ru')} победы; в {span(matters, 'ru')} решений разница"
        " на вид больше 5 %.",
    )


def _gap_table(gap: Estimate, matters: Estimate) -> Table:
    return Table(
        "gap",
        Text("What hangs on a decision", "Что зависит от решения"),
        (Text("what", "что"), Text("value", "значение")),
        (
            (Text("the best over the second best, in wins", "лучший против второго, в победах"), gap),
            (Text("decisions with more than 5 % at stake", "решений, где на кону больше 5 %"), matters),
        ),
        note=Text(
            "The first is honest on average: single gaps are noisy, so the second is rather too large.",
            "Первое верно в среднем; отдельные разницы зашумлены, поэтому второе скорее завышено.",
        ),
        percent_columns=frozenset({1}),
    )


def _kinds(stage: Stage, seen: _Seen) -> tuple[Table, list[Finding], dict[str, object]]:
    """How often each kind is the best where it is one of several, and how far behind it is otherwise."""
    rows, findings, saved = [], [], {}
    for kind, found in sorted(seen.kinds.items(), key=lambda one: -sum(one[1].best) / len(one[1].best)):
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
            "Where an option of this kind is offered beside others. “Behind”: how much of a win the best of its kind is"
            " worth less than the best of all.",
            "Там, где вариант этого вида предлагается наряду с другими. «Отстаёт» — на какую долю победы лучший из вида"
            " дешевле лучшего из всех.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1, 2}),
    )
    return table, findings, saved


def _gap_findings(stage: Stage, gap: Estimate) -> list[Finding]:
    if gap.n < 10 or gap.high > 0.005:
        return []
    return [
        Finding(
            0.5,
            Text(
                f"Little hangs on a decision: the best option is worth only {span(gap, 'en')} of a win more than the"
                " next.",
                f"От решений мало что зависит: лучший вариант дороже следующего лишь на {span(gap, 'ru')} победы.",
            ),
            stage.command("show", "--agents", stage.player, "--seed", stage.seed),
        )
    ]
