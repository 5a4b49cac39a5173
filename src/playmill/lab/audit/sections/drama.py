"""Audit section "drama": how win chances move along a game, and when it is decided."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import numpy as np

from playmill.engine.lang.record import RecordArray
from playmill.lab.audit.context import AuditContext, Numbers
from playmill.lab.audit.observations import Observations
from playmill.lab.runs.evenly_spaced import evenly_spaced
from playmill.report.commands.audit import GAMES, AuditSection, Finding, span, thin
from playmill.report.model.tables import Estimate, Table
from playmill.report.number_format import counted, decimal_text, percentage
from playmill.report.plots import Curve, LinePlot, LinePoint, Scale
from playmill.stats.from_observations import average
from playmill.stats.win_chances import decided_at, lead_changes, lowest_surely, share_behind
from playmill.texts import LANGUAGES, Text

#: Positions of a game that are played out, and how often each at most and at least.
POSITIONS, MOST_PLAYOUTS, _LEAST_PLAYOUTS = 20, 120, 40
_MOST_GAMES = 200
#: Fewer games than this are a hint only.
_LITTLE = 30
#: When a game counts as decided, and how little a winner's chance must have been for a comeback, in fair shares.
DECIDED, _BEHIND = 0.9, 0.5
#: Play-outs have seeds of their own, apart from those of the games.
_OTHER_SEED = 0x5EED
_NO_WINNER = Text("No game had a winner.", "Ни в одной партии не было победителя.")
#: Places along a game at which the curve of the winner's chance is drawn.
PLACES = 11


@dataclass(frozen=True)
class GameCourse:
    """The win chances of each player along a game; the last row is the result."""

    number: int
    at: Numbers  # how much of the game was over, from 0 to 1
    chances: Numbers
    winner: int


def drama(context: AuditContext) -> AuditSection:
    """Plays games out from positions along them."""
    courses: list[GameCourse] = []
    playouts = _playouts(context)

    def play(games: range) -> None:
        courses.extend(course for course in _courses(context, games, playouts) if course is not None)

    games = context.budget.play("drama", play, least=2, most=_MOST_GAMES)
    changes = [lead_changes(course.chances, playouts) for course in courses]
    behind = [share_behind(course.chances, course.winner) for course in courses]
    limit = _BEHIND / max(2, context.players)
    comebacks = [lowest_surely(course.chances, course.winner, playouts) < limit for course in courses]
    decided = [decided_at(course.at, course.chances, course.winner, playouts, DECIDED) for course in courses]
    figures = {
        "lead_changes": average(changes, reach=1.0, within=(0.0, inf)),
        "behind": average(behind, most=1.0),
        "comebacks": average(np.array(comebacks, np.float64), most=1.0),
        "decided": average(decided, most=1.0),
    }
    drawn = games - len(courses)
    curve = [(place / (PLACES - 1), average(_at(courses, place / (PLACES - 1)), most=1.0)) for place in range(PLACES)]
    best = max(courses, key=lambda course: -lowest_surely(course.chances, course.winner, playouts), default=None)
    return AuditSection(
        key="drama",
        title=Text("Drama", "Драма"),
        short=_short(figures) if courses else _NO_WINNER,
        verdict=context.with_players(_verdict(figures)) if courses else _NO_WINNER,
        thin=thin(len(courses), _LITTLE, context.budget.minutes_for("drama", _LITTLE)),
        tables=(_table(figures, limit),),
        plots=(_curve(curve),) if len(courses) > 1 else (),
        findings=tuple(_findings(context, figures, best)),
        results={name: one.json() for name, one in figures.items()}
        | {
            "games": len(courses),
            "drawn": drawn,
            "playouts": playouts,
            "winner_chance": [{"at": at, **one.json()} for at, one in curve],
        },
        about=Text(
            "{} of players like {}; at up to {} positions along each the game is played out {} times, with everything"
            " dealt anew that is not open to all: so often does each of them win from there.",
            "{} игроков, играющих как {}; до {} позиций каждой доиграны по {} раз, причём всё, что открыто не всем,"
            " раздаётся заново: как часто отсюда выигрывает каждый.",
        ).format(
            Text(*(counted(len(courses), GAMES, lang) for lang in LANGUAGES)), context.called, POSITIONS, playouts
        ),
    )


def _playouts(context: AuditContext) -> int:
    """Returns how many play-outs a position gets, so that enough games fit into the time."""
    if (given := context.budget.given("playouts")) is not None:
        return context.budget.note("playouts", given or (_LEAST_PLAYOUTS if context.thinks else MOST_PLAYOUTS))
    seconds_of = context.budget.clock.seconds_of
    seconds_of(lambda: _courses(context, range(1), 1))  # what has to be compiled is not the price of a game
    each = max(seconds_of(lambda: _courses(context, range(1), 4)), 1e-6) / 4
    wanted = context.budget.seconds("drama") / _LITTLE / each
    return context.budget.note("playouts", int(max(_LEAST_PLAYOUTS, min(MOST_PLAYOUTS, wanted // 10 * 10))))


def _courses(context: AuditContext, games: range, playouts: int) -> list[GameCourse | None]:
    """Returns games with the chances along them; None for a draw."""
    numbers = range(POSITIONS * games.start, POSITIONS * games.stop)
    found = context.observe(position_chances, numbers, playouts)
    each = zip(games, *(found[name].reshape(len(games), POSITIONS, -1) for name in ("at", "ended", "won")), strict=True)
    return [_course(context, number, *observed) for number, *observed in each]


def _course(context: AuditContext, number: int, at: Numbers, ended: Numbers, won: Numbers) -> GameCourse | None:
    """Returns one game and the chances along it; None for a draw."""
    looked_at = ~np.isnan(at[:, 0])
    if not looked_at.any():
        return None
    chances, end = won[looked_at], ended[0]
    if context.solo:  # whoever plays alone plays against the game
        chances = np.concatenate([chances, 1 - chances], axis=1)
        end = np.array([end[0], 1 - end[0]])
    steps = np.append(at[looked_at, 0], 1.0)
    return GameCourse(number, steps, np.concatenate([chances, end[None, :]]), int(np.argmax(end)))


def position_chances(context: AuditContext, numbers: range, playouts: int) -> Observations:
    """Plays out positions along games, `POSITIONS` to a game: how much of it was over, who won it, who wins from there.

    Where there is no such position, or nobody won, how much was over is undefined.
    """
    at, ended, won = np.full(len(numbers), nan), *np.zeros((2, len(numbers), context.players))
    for place, number in enumerate(numbers):
        game, position = divmod(number, POSITIONS)
        records, end = _recorded(context, game)
        chosen = evenly_spaced(len(records), POSITIONS)
        if (not context.solo and end.max() < 1) or position >= len(chosen):
            continue
        step = chosen[position]
        games = range(game * playouts, (game + 1) * playouts)
        paid = context.play_out(records[step : step + 1], games, seed=context.seed ^ _OTHER_SEED)
        at[place], ended[place], won[place] = step / len(records), end, paid[0].mean(axis=0)
    return {"at": at, "ended": ended, "won": won}


def _recorded(context: AuditContext, game: int) -> tuple[RecordArray, Numbers]:
    """Returns the positions of a game at its decisions, and what it was worth to each seat."""

    def play() -> tuple[RecordArray, Numbers]:
        records, ended = [], np.zeros(0)
        for state in context.decisions(game):
            if state.is_terminal():
                ended = context.payoffs(state.returns())
            else:
                records.append(state.record.copy())
        return np.array(records, context.game.state), ended

    return context.recent(("recorded", game), play)


def _at(courses: list[GameCourse], at: float) -> list[float]:
    """Returns the winner's chance in each game at a fraction of its length."""
    return [float(np.interp(at, course.at, course.chances[:, course.winner])) for course in courses]


def _short(found: dict[str, Estimate]) -> Text:
    decided, behind = found["decided"], found["behind"]
    return Text(
        "Decided when {} of the game is over; the winner was behind for {}.",
        "Решается, когда пройдено {} партии; победитель отставал {}.",
    ).format(span(decided), span(behind))


def _verdict(found: dict[str, Estimate]) -> Text:
    decided, behind, comebacks = found["decided"], found["behind"], found["comebacks"]
    return Text(
        "A game is decided when {} of it is over; the lead changes {} times, the winner was behind for {} of the"
        " game, and {} of wins are comebacks.",
        "Партия решена, когда пройдено {} её длины; лидер меняется {} раза, победитель отставал {} партии, а камбэков"
        " среди побед — {}.",
    ).format(span(decided), decimal_text(found["lead_changes"].value, 1), span(behind), span(comebacks))


def _table(found: dict[str, Estimate], limit: float) -> Table:
    low, nine = percentage(limit, 0, "en"), percentage(DECIDED, 0, "en")
    return Table(
        "drama",
        Text("How tense it is", "Насколько она напряжённая"),
        (Text("what", "что"), Text("value", "значение")),
        (
            (Text("lead changes a game", "смен лидера за партию"), found["lead_changes"]),
            (Text("the winner was behind, % of the game", "победитель отставал, % партии"), found["behind"].times(100)),
            (
                Text(
                    f"comebacks, % of wins (chance once below {low})",
                    f"камбэки, % побед (шанс был ниже {low})",
                ),
                found["comebacks"].times(100),
            ),
            (
                Text(
                    f"decided after, % of the game (chance at {nine} for good)",
                    f"решена после, % партии (шанс {nine} и выше до конца)",
                ),
                found["decided"].times(100),
            ),
        ),
        note=Text(
            "Only what stands out of the noise of the play-outs by two and a half standard errors counts as a lead, a"
            " comeback or a slip below the mark.",
            "Лидерством, камбэком и срывом ниже отметки считается лишь то, что выступает из шума доигрываний на две"
            " с половиной стандартные ошибки.",
        ),
    )


def _curve(curve: list[tuple[float, Estimate]]) -> LinePlot:
    return LinePlot(
        Text("How sure the win was", "Насколько победа была предрешена"),
        Scale(Text("how much of the game is over", "сколько партии пройдено"), percent=True),
        Scale(Text("chance of whoever wins in the end", "шанс того, кто в итоге выиграет"), percent=True),
        (
            Curve(
                Text("the winner", "победитель"),
                tuple(LinePoint(at, one.value, one.low, one.high) for at, one in curve),
            ),
        ),
        reference=DECIDED,
        reference_label=Text("decided", "решено"),
    )


def _findings(context: AuditContext, found: dict[str, Estimate], best: GameCourse | None) -> list[Finding]:
    made = []
    watch = context.command(
        "show", "--agents", context.player, "--seed", context.seed, "--number", best.number if best else 0
    )
    if found["decided"].n >= 10 and found["decided"].high < 0.6:
        made.append(
            Finding(
                0.8 * (1 - found["decided"].value),
                Text(
                    "Decided early: after {} of the game the rest is only played to the end.",
                    "Решается рано: после {} партии остаётся лишь доиграть.",
                ).format(span(found["decided"])),
                watch,
            )
        )
    if found["decided"].n >= 10 and found["decided"].low > 0.97:
        made.append(
            Finding(
                0.3,
                Text(
                    "Decided only at the very end: what happens before may feel as if it did not count.",
                    "Решается лишь в самом конце: может казаться, что всё до этого неважно.",
                ),
                watch,
            )
        )
    if found["comebacks"].n >= 20 and found["comebacks"].high < 0.1:
        made.append(
            Finding(
                0.4,
                Text(
                    "Whoever falls behind stays behind: comebacks are {} of wins.",
                    "Кто отстал, тот уже не догонит: камбэков среди побед — {}.",
                ).format(span(found["comebacks"])),
                watch,
            )
        )
    return made
