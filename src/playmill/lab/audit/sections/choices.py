"""Audit section "choices": how much hangs on a decision, and kinds of options that are never the best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan, nan, sqrt

import numpy as np

from playmill.agents.search.search_agent import PARAMETERS, RatedOption, Thinker
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.rollouts import jobs_of
from playmill.engine.run.state import State
from playmill.lab.audit.context import AuditContext, Numbers
from playmill.lab.audit.observations import Observations
from playmill.lab.audit.sections.fairness import points
from playmill.report.commands.audit import AuditSection, Finding, span, thin
from playmill.report.model.tables import Chart, Estimate, Table
from playmill.stats.from_observations import figure, mean_of, share_of
from playmill.texts import Text

#: Decisions looked at in one game, and games at most.
_DECISIONS, _MOST_GAMES = 6, 120
#: Thoughts about a decision at most, and at least.
_MOST_THOUGHTS, _LEAST_THOUGHTS = 2000, 50
#: Options are tried more evenly than a player would, since here the second best matters too.
_EXPLORE = 2.0
#: How often the game is played on after each option that is looked at: in two halves with seeds of their own; less
#: often by players who think.
_PLAYOUTS, _THINKING_PLAYOUTS = 64, 16
#: This many standard errors of the play-outs are noise.
_NOISE = 2.0
#: Their seeds differ from those of the games.
_OTHER_SEED = 0xC401CE
_LOOKED_AT = Text("decision|decisions", "решение|решения|решений")
#: Decisions that offered a kind before anything is said of it, and before it is said to be never worth it.
_SOME, _OFFERED = 5, 30
#: Fewer decisions than this are a hint only.
_LITTLE = 60


@dataclass
class _Kind:
    """Observations of one kind, game by game: decisions that offered it, and how far behind the best it was.

    Of those in which the options differ (`mattered`): its share of being the best.
    """

    offered: list[int] = field(default_factory=list)
    mattered: list[int] = field(default_factory=list)
    best: list[float] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)


@dataclass
class _Game:
    """Observations of one game: the gap of each decision by both halves of play-outs, and kinds.

    Of a kind that a decision offered: which share of being the best is its own (None where all options are equal), and
    how far behind the best it was.
    """

    gaps: list[tuple[float, float]] = field(default_factory=list)
    kinds: list[tuple[int, float | None, float]] = field(default_factory=list)


def choices(context: AuditContext) -> AuditSection:
    """Searches sampled decisions for the best options, and estimates by play-outs what each is worth."""
    games: list[_Game] = []
    thoughts = _thoughts(context)

    def play(numbers: range) -> None:
        games.extend(_weigh_games(context, numbers, thoughts))

    context.budget.play("choices", play, least=2, most=_MOST_GAMES)
    decisions = sum(len(game.gaps) for game in games)
    sums = np.array(
        [[sum(map(sum, game.gaps)) / 2, sum(one * other for one, other in game.gaps), len(game.gaps)] for game in games]
    ).reshape(-1, 3)
    sums = sums[sums[:, 2] > 0]  # a game without a decision says nothing of them
    gap = figure(sums, lambda rows: rows[:, 0].sum() / rows[:, 2].sum(), least=-1.0, most=1.0, reach=1.0)
    # What noise adds to one half it does not add to the other: the product has none of it.
    square = figure(sums, lambda rows: rows[:, 1].sum() / rows[:, 2].sum(), most=1.0, reach=1.0)
    ends = [end if isnan(end) else sqrt(max(0.0, end)) for end in (square.value, square.low, square.high)]
    stake = Estimate(ends[0], ends[1], ends[2], square.n)
    kinds: dict[int, _Kind] = defaultdict(_Kind)
    for game in games:
        for kind in dict.fromkeys(kind for kind, _, _ in game.kinds):
            seen = [(best, behind) for one, best, behind in game.kinds if one == kind]
            kinds[kind].offered.append(len(seen))
            kinds[kind].mattered.append(sum(best is not None for best, _ in seen))
            kinds[kind].best.append(sum(best for best, _ in seen if best is not None))
            kinds[kind].behind.append(sum(behind for _, behind in seen))
    table, findings, saved = _kinds(context, kinds)
    return AuditSection(
        key="choices",
        title=Text("Choices", "Выбор"),
        short=_short(stake),
        verdict=context.with_players(_verdict(gap, stake)),
        thin=thin(decisions, _LITTLE, context.budget.minutes_for("choices", -(-_LITTLE // _DECISIONS)), _LOOKED_AT),
        tables=(_gap_table(gap, stake), table) if table.rows else (_gap_table(gap, stake),),
        findings=(*_gap_findings(context, gap, stake), *findings),
        results={
            "gap": gap.json(),
            "stake": stake.json(),
            "decisions": decisions,
            "thoughts": thoughts,
            "kinds": saved,
        },
        about=Text(
            "{0} decisions from games of players like {1}. Search thinks about each ({2} thoughts) and names the best"
            " options; what they are worth is seen by playing on after each of them, {3} times with the same luck. So"
            " the best does not look better than it is, and options that end all these games alike share being the"
            " best.",
            "Решений из партий игроков, играющих как {1}: {0}. Над каждым думает search (мыслей: {2}) и называет"
            " лучшие варианты; цену узнают, доигрывая после каждого из них с одной и той же удачей (раз: {3})."
            " Поэтому лучший не кажется лучше, чем есть, а варианты, после которых все эти партии кончаются"
            " одинаково, делят первое место.",
        ).format(decisions, context.called, thoughts, _playouts(context)),
    )


def _thoughts(context: AuditContext) -> int:
    """Returns how many simulations a decision gets, so that enough games fit into the time."""
    if (given := context.budget.given("thoughts")) is not None:
        return context.budget.note("thoughts", given or 200)
    seconds_of = context.budget.clock.seconds_of
    seconds_of(lambda: _weigh_games(context, range(1), 4))  # what has to be compiled is not the price of a thought
    took = max(seconds_of(lambda: _weigh_games(context, range(1), _LEAST_THOUGHTS)), 1e-6)
    wanted = context.budget.seconds("choices") / 25 / took * _LEAST_THOUGHTS
    return context.budget.note("thoughts", int(max(_LEAST_THOUGHTS, min(_MOST_THOUGHTS, wanted // 50 * 50))))


def _weigh_games(context: AuditContext, games: range, thoughts: int) -> list[_Game]:
    """Samples decisions of games: gaps, and for each kind offered whether it was the best, and how far off."""
    observed = context.observe(weighed_decisions, range(_DECISIONS * games.start, _DECISIONS * games.stop), thoughts)
    found = {number: _Game() for number in games}
    for number, one, other in observed["gaps"].tolist():
        found[int(number) // _DECISIONS].gaps.append((one, other))
    for number, kind, share, behind in observed["kinds"].tolist():
        found[int(number) // _DECISIONS].kinds.append((int(kind), None if isnan(share) else share, behind))
    return [*found.values()]


def weighed_decisions(context: AuditContext, numbers: range, thoughts: int) -> Observations:
    """Weighs decisions along games, `_DECISIONS` to a game: number and both gaps; number, kind, share of being the best
    (undefined where all options are equal) and how far behind it is.
    """
    gaps: list[tuple[float, ...]] = []
    offered: list[tuple[float, ...]] = []
    for number in numbers:
        game, step = divmod(number, _DECISIONS)
        looked_at = _looked_at(context, game)
        if step >= len(looked_at):
            continue
        place, state = looked_at[step][0], looked_at[step][1].clone()
        thinker = _thinker(context, state.workspace, thoughts)
        order = _best_first(thinker.weighed(state.workspace))
        if not order[1].tries:
            continue
        kinds = _by_kind(context, order)
        best, second = order[0].action, order[1].action
        wanted = list(dict.fromkeys((best, second, *kinds.values())))
        worth = _worth(context, state, wanted, 100_000 * game + place)
        gaps.append((number, *(worth[best] - worth[second]).reshape(2, -1).mean(axis=1).tolist()))
        tags = context.kinds.tags.of
        alike = {option.action for option in order if _alike(order[0], option, thinker.span)}
        some = list(dict.fromkeys((best, *kinds.values())))
        tied = _tied({action: worth[action] for action in some}, alike)
        for kind, action in kinds.items():
            share = sum(kind in tags[one] for one in tied) / len(tied) if len(tied) < len(some) else nan
            offered.append((number, kind, share, float((worth[best] - worth[action]).mean())))
    return {
        "gaps": np.array(gaps, np.float64).reshape(-1, 3),
        "kinds": np.array(offered, np.float64).reshape(-1, 4),
    }


def _looked_at(context: AuditContext, game: int) -> list[tuple[int, State]]:
    """Returns the decisions of a game that are looked at, with their places in it."""

    def play() -> list[tuple[int, State]]:
        moves = [state.clone() for state in context.decisions(game) if not state.is_terminal()]
        # In the middle of equal stretches of the game, so that neither end is looked at more than the other.
        places = sorted({int((step + 0.5) * len(moves) / _DECISIONS) for step in range(_DECISIONS)}) if moves else []
        return [(place, moves[place]) for place in places]

    return context.recent(("looked at", game), play)


def _best_first(options: list[RatedOption]) -> list[RatedOption]:
    """Sorts options by result, if they were tried about as often as any; the others by how often.

    Of options as good as each other the first was tried once more: that must not make it the best.
    """
    enough = max(option.tries for option in options) / 2
    return sorted(
        options,
        key=lambda option: (option.tries < enough, -option.mean if option.tries >= enough else 0.0, -option.tries),
    )


def _alike(best: RatedOption, other: RatedOption, span: tuple[float, float]) -> bool:
    """Returns whether two options are within one standard error of each other."""
    error = (span[1] - span[0]) / 2 * sqrt(1 / max(1, best.tries) + 1 / max(1, other.tries))
    return best.mean - other.mean <= error


def _tied(worth: Mapping[int, Numbers], alike: set[int]) -> list[int]:
    """Returns the best of some options, and those that cannot be told from it.

    The best is the one that won most play-outs of those that are alike to the search. As good is what is alike to it
    and behind it by two standard errors of the play-outs at most, and what ends all play-outs as it does.
    """
    leader = max((action for action in worth if action in alike), key=lambda action: float(worth[action].mean()))
    found = []
    for action, won in worth.items():
        behind = worth[leader] - won
        error = float(behind.std()) / sqrt(len(behind))
        if not behind.any() or (action in alike and float(behind.mean()) <= _NOISE * error):
            found.append(action)
    return found


def _by_kind(context: AuditContext, order: list[RatedOption]) -> dict[int, int]:
    """Returns the best option of every kind that some of the options have and some have not."""
    tags = context.kinds.tags.of
    offered = {int(tag) for option in order for tag in tags[option.action] if tag >= 0}
    found = {}
    for kind in sorted(offered):
        having = [option for option in order if kind in tags[option.action]]
        if len(having) < len(order) and having[0].tries:
            found[kind] = having[0].action
    return found


def _worth(context: AuditContext, state: State, actions: list[int], number: int) -> dict[int, Numbers]:
    """Returns what each option brings in each of its play-outs, with the same rng for all options."""
    player = state.current_player()
    positions = np.zeros(1, context.game.state)
    positions[0] = state.record
    playouts = _playouts(context)
    jobs = jobs_of(len(actions) * playouts, context.players, seed=context.seed ^ _OTHER_SEED)
    jobs["rng_game"] = jobs["agent_rng_game"] = (number << 16) + np.tile(np.arange(playouts), len(actions))
    jobs["position"], jobs["known"] = 0, player
    jobs["action"] = np.repeat(actions, playouts)
    paid = context.payoffs(context.play(jobs, positions=positions).paid)[:, player]
    return dict(zip(actions, paid.reshape(len(actions), playouts), strict=True))


def _playouts(context: AuditContext) -> int:
    return _THINKING_PLAYOUTS if context.thinks else _PLAYOUTS


def _thinker(context: AuditContext, workspace: RecordArray, thoughts: int) -> Thinker:
    """Returns a search that has thought about the options in a workspace."""
    numbers = {name: parameter.default for name, parameter in PARAMETERS.items()}
    numbers |= {"iterations": thoughts, "explore": _EXPLORE}
    thinker = Thinker(context.game, list(numbers.values()), interpreted=context.interpreted, stop=context.budget.stop)
    thinker.new_game()
    thinker.think(workspace)
    return thinker


_NONE = Text("There was nothing to decide.", "Решать было нечего.")


def _short(stake: Estimate) -> Text:
    if not stake.n:
        return _NONE
    return Text(
        "{} are typically at stake between the two best options.", "Обычно между двумя лучшими вариантами на кону {}."
    ).format(points(stake))


def _verdict(gap: Estimate, stake: Estimate) -> Text:
    if not gap.n:
        return _NONE
    if not gap.low > 0:
        return Text(
            "On average the best option does not surely win more than the second best ({}); what is typically at"
            " stake between the two is {}.",
            "В среднем лучший вариант не даёт наверняка больше побед, чем второй ({}); обычно между ними на кону {}.",
        ).format(points(gap), points(stake))
    return Text(
        "The best option wins {} more than the second best, on average; what is typically at stake between the two is"
        " {}.",
        "Лучший вариант в среднем даёт на {} больше побед, чем второй; обычно между ними на кону {}.",
    ).format(points(gap), points(stake))


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


def _kinds(context: AuditContext, seen: Mapping[int, _Kind]) -> tuple[Table, list[Finding], dict[str, object]]:
    """Returns how often each kind is the best where it is one of several, and how far behind it is otherwise."""
    rows, findings = [], []
    saved: dict[str, object] = {}
    for kind, found in sorted(seen.items(), key=lambda one: -sum(one[1].best) / max(1, sum(one[1].mattered))):
        offered, mattered = sum(found.offered), sum(found.mattered)
        if offered < _SOME:
            continue
        best, behind = share_of(found.best, found.mattered), mean_of(found.behind, found.offered, reach=1.0)
        name = context.kinds.names[kind]
        rows.append((name, best, behind, mattered))
        saved[context.kinds.ids[kind]] = {
            "best": best.json(),
            "mattered": mattered,
            "behind": behind.json(),
            "offered": offered,
        }
        if mattered >= _OFFERED and best.high < 0.15 and behind.low > 0:
            findings.append(
                Finding(
                    0.45 if best.value else 0.55,
                    Text(
                        "{} “{}” is hardly ever the best option: {} of {} decisions that offered it and in which"
                        " options differ.",
                        "{} «{}» почти никогда не лучший вариант: {} из {} решений, где он был и где варианты"
                        " отличаются.",
                    ).format(context.among, name, span(best), mattered),
                    context.command("audit", "--only", "uses,choices"),
                )
            )
    table = Table(
        "kinds",
        Text("Which options are worth it", "Какие варианты чего-то стоят"),
        (
            Text("option", "вариант"),
            Text("is the best", "лучший"),
            Text("behind the best", "отстаёт от лучшего"),
            Text("decisions that matter", "решений, где это важно"),
        ),
        tuple(rows),
        note=Text(
            "Where an option of this kind is offered beside others. A decision matters if, as far as can be told, not"
            " all options are equal; equals share being the best. “Behind”: how much less the best of its kind wins"
            " than"
            f" the best of all, in all decisions. Kinds that fewer than {_SOME} decisions offered are left out.",
            "Там, где вариант этого вида предлагается наряду с другими. Решение важно, если, насколько можно судить, не"
            " все варианты равны; равные делят первое место. «Отстаёт» — насколько реже выигрывает лучший из вида, чем"
            f" лучший из всех, по всем решениям. Виды, встреченные меньше чем в {_SOME} решениях, пропущены.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1, 2}),
    )
    return table, findings, saved


def _gap_findings(context: AuditContext, gap: Estimate, stake: Estimate) -> list[Finding]:
    if gap.n < 10 or gap.high > 0.01 or stake.value > 0.02:
        return []
    return [
        Finding(
            0.5,
            Text(
                "{} little hangs on a decision: the best option wins only {} more than the next.",
                "{} от решений мало что зависит: лучший вариант лучше следующего лишь на {}.",
            ).format(context.among, points(gap)),
            context.command("show", "--agents", context.player, "--seed", context.seed),
        )
    ]
