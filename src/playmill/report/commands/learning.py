"""Report of `learn` in sentences, tables, a plot and a page: the learning curve, and what fresh games say."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text as RichText

from playmill.engine.config.model import set_texts
from playmill.report.html.page import command_part, fact_list, plot_section, section, titled_page, warning
from playmill.report.model.tables import METHOD, Cell, Chart, Estimate, Table
from playmill.report.number_format import counted, decimal, duration, estimate_digits, estimate_parts, percentage
from playmill.report.plots import Curve, LinePlot, LinePoint, Scale
from playmill.report.terminal.report_printer import print_head, print_tables, setting_text
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.stats.from_observations import surely
from playmill.texts import LANGUAGES, Lang, Text
from playmill.version import __version__

#: Rows of the curve's table: under a progress bar, and in a report.
_SO_FAR, _ROWS = 10, 20
#: The last part of the rounds: if the best is among them, more time may help.
_LATE = 0.2
_ROUND = Text("Round", "Круг")
_TIME = Text("Time", "Время")
_GAMES = Text("Games", "Партий")
#: What is counted beside games.
_COUNTED = {
    "moves": Text("Decisions searched", "Обдумано решений"),
    "values": Text("Positions", "Позиций"),
    "chances": Text("Different positions", "Разных позиций"),
}
_UNEXPLAINED = Text("Unexplained", "Не объяснено")
_WINS = Text("Wins", "Побед")
_EQUAL = Text("an equal", "равный")
_GAINS = Text("gains a game", "выигрыш за партию")
_PLAY = Text("Play with it", "Сыграть с ней")
_HOW = Text(
    "Labels are what search finds at decisions of games that the network itself, its past selves and the game's agents"
    " play. Rounds are measured on the same deals, each from every seat; the file is the best of them, and what is said"
    " of it was played on deals that chose nothing. {}",
    "Учат тому, что поиск находит в решениях партий, которые играют сама сеть, её прежние версии и агенты игры. Круги"
    " измерены на одних и тех же раздачах, с каждого места; в файле — лучший из них, а сказанное о нём сыграно на"
    " раздачах, по которым ничего не выбирали. {}",
).format(METHOD)
_HOW_VALUES = Text(
    "Values are what games bring: in the first rounds those of compiled agents, then those of search with the network"
    " itself. What is left unexplained is measured on games that were not learned from; it may grow where play gets"
    " closer. The file is the last round. Strength is that of search with the network, each deal from every seat; what"
    " is said of the file was played on deals of their own. {}",
    "Оценки — это то, что приносят партии: в первых кругах скомпилированных агентов, затем поиска с самой сетью."
    " Необъяснённое измерено на партиях, на которых не учили; оно может расти, когда игра становится ровнее. В файле —"
    " последний круг. Сила — это сила поиска с сетью, на раздачах с каждого места; сказанное о файле сыграно на новых"
    " раздачах. {}",
).format(METHOD)


_HOW_CHANCES = Text(
    "The network learns the average strategy of games in which everybody does what they regret not to have done"
    " (counterfactual regrets). Against it the less can be won the longer it learns, by anybody; it does not look for"
    " what others do wrong. The file is the last round; what is said of it was played on deals of their own, each from"
    " every seat. {}",
    "Сеть учит среднюю стратегию партий, в которых каждый делает то, о чём жалел, что не сделал (контрфактические"
    " сожаления). Чем дольше она учится, тем меньше у неё может выиграть кто угодно; чужих ошибок она не ищет. В файле"
    " — последний круг; сказанное о нём сыграно на новых раздачах, с каждого места. {}",
).format(METHOD)

_HOWS = {"moves": _HOW, "values": _HOW_VALUES, "chances": _HOW_CHANCES}


class Strength(NamedTuple):
    """Results against a rung: the share of wins, and how much more that is than an equal's; alone, than the rung's.

    Where games bring more than a win, as poker does, `paid` is what one brings on average above an equal's.
    """

    share: Estimate
    gain: Estimate
    paid: Estimate | None = None

    @property
    def edge(self) -> Estimate:
        """What tells who is stronger: above 0 it is the network."""
        return self.gain if self.paid is None else self.paid

    def json(self) -> dict[str, Any]:
        """Returns the JSON form."""
        paid = {} if self.paid is None else {"paid": self.paid.json()}
        return {"share": self.share.json(), "gain": self.gain.json(), **paid}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Strength:
        """Reads the JSON form."""
        paid = Estimate(**saved["paid"]) if "paid" in saved else None
        return cls(Estimate(**saved["share"], most=1.0), Estimate(**saved["gain"]), paid)


@dataclass(frozen=True)
class CurvePoint:
    """A round: seconds, games and searched decisions so far, and the strength against the rungs it was measured by.

    Where values are learned, decisions are positions, and there is the part of what games bring that is unexplained.
    """

    round: int
    seconds: float
    games: int
    decisions: int
    strengths: Mapping[str, Strength]
    unexplained: Estimate | None = None

    def json(self) -> dict[str, Any]:
        """Returns the JSON form."""
        strengths = {name: one.json() for name, one in self.strengths.items()}
        counts = {"round": self.round, "seconds": self.seconds, "games": self.games}
        if self.unexplained is None:
            return {**counts, "decisions": self.decisions, "strengths": strengths}
        return {**counts, "positions": self.decisions, "unexplained": self.unexplained.json(), "strengths": strengths}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> CurvePoint:
        """Reads the JSON form."""
        strengths = {name: Strength.from_json(one) for name, one in saved["strengths"].items()}
        counts = saved["round"], saved["seconds"], saved["games"]
        if "unexplained" not in saved:
            return cls(*counts, saved["decisions"], strengths)
        return cls(*counts, saved["positions"], strengths, Estimate(**saved["unexplained"]))


@dataclass(frozen=True)
class LearningReport:
    """What there is to tell of a learning: how it was asked for, its curve, and the network in the file."""

    title: Text
    #: What finds the game on a command line.
    game: str
    players: int
    seed: int
    size: int
    #: Agents it is measured against, from the weakest to the strongest, and the one by which the best was chosen.
    rungs: tuple[str, ...]
    judge: str
    points: tuple[CurvePoint, ...]
    #: The round whose network is in the file.
    best: int
    #: The file, as it is named on a command line.
    file: str
    command: str
    #: Strength on fresh deals; empty until all rounds are done.
    final: Mapping[str, Strength] = field(default_factory=dict)
    bytes: int = 0
    changes: Mapping[str, Any] = field(default_factory=dict)
    #: Ranges of numbers of the rules that it plays, as `--over` takes them.
    over: tuple[str, ...] = ()
    #: What differs from the rules where it is tried: over ranges, in the middle of them; None: the changes.
    tried: Mapping[str, Any] | None = None
    what: str = "moves"
    #: Who is imitated, if moves are learned.
    teacher: str = ""
    #: If values are: who played, the `search` that is measured, and the one as which the expert plays.
    agents: tuple[str, ...] = ()
    measured: str = ""
    plays: str = ""
    #: The folder of the game, where the file would be its expert by these rules.
    folder: str = ""

    @property
    def agent(self) -> str:
        """The agent that plays with the file."""
        return f"{self.plays},net={self.file}" if self.plays else f"net:{self.file}"

    @property
    def unexplained(self) -> Estimate | None:
        """The part of what games bring that the network in the file does not explain."""
        return self.points[self.best - 1].unexplained

    @property
    def even(self) -> float | None:
        """What an equal wins; None where one plays alone."""
        return 1 / self.players if self.players > 1 else None

    @property
    def pays(self) -> bool:
        """Whether games bring more than a win, so that what they bring is shown."""
        return any(one.paid is not None for point in self.points for one in point.strengths.values())


def verdict(found: LearningReport, lang: Lang) -> list[str]:
    """Returns what was reached, in a few sentences."""
    if not found.final:
        message = Text(
            "Not finished: {n} {n:round|rounds} so far. The file is the network of round {best}; the same command goes"
            " on.",
            "Не закончено: пройдено кругов — {n}. В файле — сеть круга {best}; та же команда продолжит.",
        )
        return [message.format(n=found.points[-1].round, best=found.best).of(lang)]
    return [_standing(found).of(lang), *(text.of(lang) for text in _details(found))]


def _standing(found: LearningReport) -> Text:
    """Returns whom it surely beats, and who surely beats it."""
    sure = dict(zip(found.final, surely([one.edge for one in found.final.values()]), strict=True))
    kinds: dict[str, list[str]] = {"stronger": [], "equal": [], "weaker": []}
    for name, one in found.final.items():
        kinds["equal" if not sure[name] else "stronger" if one.edge.value > 0 else "weaker"].append(name)
    said = {
        "stronger": Text("stronger than {}", "сильнее, чем {}"),
        "equal": Text(
            "neither surely stronger nor surely weaker than {}", "ни наверняка сильнее, ни наверняка слабее, чем {}"
        ),
        "weaker": Text("weaker than {}", "слабее, чем {}"),
    }
    parts = [said[kind].format(_listed(names)) for kind, names in kinds.items() if names]
    if found.measured:
        who = Text("With the network, {} is {}.", "С этой сетью {} {}.")
        return who.format(found.measured, Text.join(parts, "; "))
    return Text("The network is {}.", "Сеть {}.").format(Text.join(parts, "; "))


def _listed(names: Sequence[str]) -> Text:
    first = ", ".join(names[:-1])
    return Text(f"{first} and {names[-1]}", f"{first} и {names[-1]}") if first else Text(names[0], names[0])


def _details(found: LearningReport) -> list[Text]:
    one = found.final[found.judge]
    share, gain = _estimate(one.share), _estimate(one.gain)
    n = Text(*(decimal(one.share.n, 0, lang) for lang in LANGUAGES))
    if found.even is None:
        sentence = Text(
            "Of {n} fresh deals it wins {share}; the difference to {judge} on the same deals is {gain}.",
            "Из {n} новых раздач выиграно {share}; разница с {judge} на тех же раздачах — {gain}.",
        )
    else:
        sentence = Text(
            "On {n} fresh deals, each from every seat, it wins {share} against {judge}; an equal would win {even}.",
            "На {n} новых раздачах, с каждого места, против {judge} выиграно {share}; равный выиграл бы {even}.",
        )
    even = Text(*(percentage(found.even or 0, 1, lang) for lang in LANGUAGES))
    texts = [sentence.format(n=n, share=share, gain=gain, judge=found.judge, even=even)]
    if one.paid is not None:
        brings = Text("What it gains there is {} a game.", "Выигрыш там — {} за партию.")
        texts.append(brings.format(_estimate(one.paid, percent=False)))
    if found.unexplained is not None and found.unexplained.known:
        left = Text(
            "Of what games bring it leaves {} unexplained, in games it has not learned from: luck and play to come;"
            " knowing nothing leaves 100 %.",
            "Из того, что приносят партии, на которых её не учили, сеть не объясняет {}: это случай и игра впереди; кто"
            " не знает ничего, не объясняет 100 %.",
        )
        texts.append(left.format(_estimate(found.unexplained)))
    rounds = len(found.points)
    texts.append(
        Text(
            f"The file is the network of round {found.best} of {rounds}.",
            f"В файле — сеть круга {found.best} из {rounds}.",
        )
    )
    if found.what == "moves" and rounds > 1 and found.best > (1 - _LATE) * rounds:
        texts.append(
            Text(
                "The last rounds were the best: more --minutes (or --rounds) go on from here.",
                "Последние круги — лучшие: с бо́льшим --minutes (или --rounds) та же команда продолжит отсюда.",
            )
        )
    return texts


def _estimate(value: Estimate, *, percent: bool = True) -> Text:
    digits = estimate_digits(value, percent=percent)
    return Text(*(" ".join(estimate_parts(value, digits, percent=percent, lang=lang)) for lang in LANGUAGES))


def final_table(found: LearningReport) -> Table:
    """Returns the table of what fresh games say."""
    alone = found.even is None
    gain = Text("difference to it", "разница с ним") if alone else Text("more than an equal", "больше равного")
    columns = (Text("Against", "Против"), _WINS, _GAINS if found.pays else gain, Text("deals", "раздач"))
    rows: list[tuple[Cell, ...]] = [(name, one.share, one.edge, one.share.n) for name, one in found.final.items()]
    wins = not alone and not found.pays
    chart = Chart(
        0,
        1 if wins else 2,
        percent=not found.pays,
        reference=found.even if wins else 0.0,
        reference_label=_EQUAL,
    )
    title = Text("The file on fresh games", "Файл на новых партиях")
    shares = frozenset({1} if found.pays else {1, 2})
    return Table("fresh", title, columns, tuple(rows), chart=chart, percent_columns=shares)


def curve_table(found: LearningReport, most: int = _ROWS) -> Table:
    """Returns the curve as a table: of many rounds some, evenly spaced, and the last."""
    points = found.points
    shown = [points[at] for at in sorted({round(k * (len(points) - 1) / max(1, most - 1)) for k in range(most)})]
    return _curve(found, shown)


def so_far(found: LearningReport) -> Table:
    """Returns the last rounds as a table, for whoever watches."""
    return _curve(found, found.points[-_SO_FAR:])


def _curve(found: LearningReport, points: Sequence[CurvePoint]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for point in points:
        took = Text(*(duration(point.seconds, lang) for lang in LANGUAGES))
        left = [] if point.unexplained is None else [point.unexplained]
        rows.append((str(point.round), took, point.games, point.decisions, *left, *_measured(found, point)))
    head = _GAINS_AGAINST if found.pays else _MORE if found.even is None else _WINS_AGAINST
    counted_by = (_COUNTED[found.what],) if found.unexplained is None else (_COUNTED[found.what], _UNEXPLAINED)
    columns = (_ROUND, _TIME, _GAMES, *counted_by, *(head.format(name) for name in _along(found)))
    shares = frozenset(range(4, 3 + len(counted_by) if found.pays else len(columns)))
    return Table("curve", _CURVE, columns, tuple(rows), percent_columns=shares, number_columns=frozenset({0, 1}))


def _measured(found: LearningReport, point: CurvePoint) -> list[Estimate | None]:
    """Returns what the curve shows of a round, by rung: the share of wins, or how much more it brings than another."""
    strengths = (point.strengths.get(name) for name in _along(found))
    wins = found.even is not None and not found.pays
    return [None if one is None else one.share if wins else one.edge for one in strengths]


def _along(found: LearningReport) -> list[str]:
    """Returns the rungs that rounds were measured by."""
    return [name for name in found.rungs if any(name in point.strengths for point in found.points)]


_CURVE = Text("The learning curve", "Кривая обучения")
_WINS_AGAINST = Text("Wins against {}", "Побед против {}")
_GAINS_AGAINST = Text("gains a game against {}", "выигрыш за партию против {}")
_MORE = Text("wins, difference to {}", "побед, разница с {}")


def curve_plot(found: LearningReport) -> LinePlot:
    """Returns the learning curve: what is won against each rung, by time."""
    curves = []
    for number, name in enumerate(_along(found)):
        along = [(point.seconds / 60, _measured(found, point)[number]) for point in found.points]
        points = tuple(_point(x, one) for x, one in along if one is not None)
        against = Text("against {}", "против {}") if found.even is not None else Text("{}", "{}")
        if points:
            curves.append(Curve(against.format(name), points))
    wins = found.even is not None and not found.pays
    alone = Text("wins, difference to others", "побед, разница с другими")
    return LinePlot(
        Text("Strength of search with it", "Сила поиска с ней") if found.plays else _CURVE,
        _MINUTES,
        Scale(_GAINS if found.pays else Text("share of wins", "доля побед") if wins else alone, percent=not found.pays),
        tuple(curves),
        reference=found.even if wins else 0.0,
        reference_label=_EQUAL,
    )


_MINUTES = Scale(Text("minutes of learning", "минут обучения"))


def error_plot(found: LearningReport) -> LinePlot | None:
    """Returns what is left unexplained, by time; None where moves are learned."""
    points = [_point(one.seconds / 60, one.unexplained) for one in found.points if one.unexplained is not None]
    title = Text(
        "What games bring and the network does not explain", "Чего сеть не объясняет из того, что приносят партии"
    )
    scale = Scale(Text("unexplained", "не объяснено"), percent=True)
    return LinePlot(title, _MINUTES, scale, (Curve(_UNEXPLAINED, tuple(points)),)) if points else None


def _point(x: float, one: Estimate) -> LinePoint:
    low, high = (one.low, one.high) if one.known else (one.value, one.value)
    return LinePoint(x, one.value, low, high)


def play_commands(found: LearningReport) -> list[str]:
    """Returns commands that play with the file."""
    net = found.agent
    words = ["playmill", "simulate", found.game, "--players", str(found.players)]
    settings = _set_words(found.changes if found.tried is None else found.tried)
    if found.players == 1:
        return [shlex.join([*words, "--agents", net, *settings])]
    seats = [net, *[found.judge] * (found.players - 1)]
    return [
        shlex.join([*words, "--agents", *seats, "--rotate", *settings]),
        shlex.join([*words, "--agents", net, *settings]),
    ]


def expert_text(found: LearningReport) -> Text | None:
    """Returns how the file becomes the game's expert, if it can judge and the game names no other."""
    if not found.plays or not found.folder:
        return None
    asked = shlex.join(["--players", str(found.players), "--agents", "expert", *_set_words(found.changes)])
    return Text(
        "Copied to {}/expert.npz, it is the game's expert by these rules: {} plays {} with it.",
        "Скопируйте файл в {}/expert.npz, и он станет мастером игры по этим правилам: {} играет с ним как {}.",
    ).format(found.folder, asked, found.plays)


def _set_words(changes: Mapping[str, Any]) -> list[str]:
    """Returns the words of a command line that change settings."""
    return ["--set", *set_texts(changes)] if changes else []


def _facts(found: LearningReport, lang: Lang) -> list[tuple[Text, str]]:
    last = found.points[-1]
    size = f"{decimal(found.bytes / 1000, 0, lang)}{SPACE}{Text('kB', 'кБ').of(lang)}"
    return [
        (Text("Players", "Игроков"), str(found.players)),
        *([(Text("Over", "Диапазоны"), "; ".join(found.over))] if found.over else []),
        (Text("Rounds", "Кругов"), decimal(last.round, 0, lang)),
        (_GAMES, decimal(last.games, 0, lang)),
        (_COUNTED[found.what], decimal(last.decisions, 0, lang)),
        *([(Text("Played by", "Играли"), ", ".join(found.agents))] if found.agents else []),
        *([(Text("Teacher", "Учитель"), found.teacher)] if found.teacher else []),
        (Text("Neurons a layer", "Нейронов в слое"), str(found.size)),
        (Text("Seed", "Сид"), str(found.seed)),
        (_TIME, duration(last.seconds, lang)),
        *([(Text("File", "Файл"), size)] if found.bytes else []),
    ]


def print_learning(console: Console, found: LearningReport, lang: Lang) -> None:
    """Prints the result."""
    last = found.points[-1]
    head = [
        found.title.of(lang),
        counted(found.players, Text("player|players", "игрок|игрока|игроков"), lang),
        counted(last.round, Text("round|rounds", "круг|круга|кругов"), lang),
        counted(last.games, Text("game|games", "партия|партии|партий"), lang),
        f"{Text('seed', 'сид').of(lang)}{SPACE}{found.seed}",
        duration(last.seconds, lang),
    ]
    sentences = verdict(found, lang)
    print_head(console, head, sentences if not found.final else [], found.changes, lang)
    if found.over:
        print_words(console, f"{Text('Over', 'Диапазоны').of(lang)}: {'; '.join(found.over)}")
    for line in sentences if found.final else ():
        print_words(console, line)
    how = _HOWS[found.what]
    print_tables(console, [*([final_table(found)] if found.final else []), curve_table(found)], lang, method=how)
    console.print(RichText(f"{_PLAY.of(lang)}: {play_commands(found)[0]}"), soft_wrap=True)
    if (expert := expert_text(found)) is not None:
        console.print(RichText(expert.of(lang)), soft_wrap=True)


def learning_page(found: LearningReport, lang: Lang) -> str:
    """Returns the learning as a self-contained page."""
    sentences = verdict(found, lang)
    first = f"<p><b>{escape(sentences[0])}</b></p>" if found.final else warning(sentences[0])
    rest = "".join(f"<p>{escape(line)}</p>" for line in sentences[1:])
    commands = "\n".join(play_commands(found))
    play = f'<h2>{escape(_PLAY.of(lang))}</h2><pre class="command">{escape(commands)}</pre>'
    if (expert := expert_text(found)) is not None:
        play += f"<p>{escape(expert.of(lang))}</p>"
    error = error_plot(found)
    parts = [
        fact_list(_facts(found, lang), lang),
        f"<section>{first}{rest}</section>",
        plot_section(error, lang, "plot-error") if error is not None else "",
        plot_section(curve_plot(found), lang, "plot-curve") if found.points else "",
        *([section(final_table(found), lang)] if found.final else []),
        section(curve_table(found), lang),
        f"<section>{play}</section>",
        _settings(found, lang),
        command_part(found.command, lang),
    ]
    kicker = Text("Playmill learning", "Обучение в Playmill")
    return titled_page(found.title, parts, lang, kicker=kicker, method=_HOWS[found.what], playmill=__version__)


def _settings(found: LearningReport, lang: Lang) -> str:
    if not found.changes:
        return ""
    pairs = "".join(f"<dt>{escape(k)}</dt><dd>{escape(setting_text(v))}</dd>" for k, v in found.changes.items())
    title = Text("Changed settings", "Изменённые настройки").of(lang)
    return f'<section><h2>{escape(title)}</h2><dl class="settings">{pairs}</dl></section>'
