"""Options of runs until sure (`--until-sure`, `--within` …), and how `simulate` plays one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from playmill.cli import options as shared
from playmill.cli.parser import Parser, amount, name
from playmill.cli.shared.each_agent import one_number
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.report.commands.until_sure import Sure

_UNTIL_SURE = Text(
    "play until this figure of the report has settled the question (its name as in the JSON)",
    "играть, пока этот показатель отчёта не решит вопрос (имя — как в JSON)",
)
_NEAR = Text(
    "the question: is the figure near this number, or near what is fair?",
    "вопрос: близок ли показатель к этому числу или к честному (fair)?",
)
_WITHIN = Text(
    "how near is as good as the same: a number, or a share such as 2%",
    "какая разница уже не важна: число или доля, например 2%",
)
_TIME = Text("play no longer than this: 90s, 10m, 2h", "играть не дольше этого: 90s, 10m, 2h")
_KEEP = Text(
    "keep what was played, so that the same command goes on (kept anyway if it takes long)",
    "сохранять сыгранное: та же команда продолжит (долгое сохраняется и так)",
)
_NO_KEEP = Text("do not keep it, however long it takes", "не сохранять, сколько бы он ни длился")
_ANSWERED = Text("answered from what was kept; nothing was played", "ответ — из сохранённого; ничего не игралось")
_BEFORE = Text("went on after {} deals that were kept", "продолжено после сохранённых раздач: {}")
_ON = Text("stopped; the same command goes on after {} deals", "остановлено; та же команда продолжит после раздач: {}")
STOPPED = Text("stopped; the same command goes on from here", "остановлено; та же команда продолжит с этого места")
_KEPT = Text("kept: the same command answers at once", "сохранено: та же команда ответит сразу")
NOT_AMONG = Text(
    "--until-sure settles one question; leave out --among and --levels",
    "--until-sure решает один вопрос; уберите --among и --levels",
)
#: Options that have no meaning in a run whose end nobody knows.
_ALONE = ("rows", "csv", "trace", "trace_out", "fallbacks", "first", "end", "strict", "plan")


def options(parser: Parser, *, near: bool) -> None:
    """Adds what is to be settled, and how long it may take."""
    parser.option("--until-sure", _UNTIL_SURE, type=name, metavar="FIGURE")
    if near:
        parser.option("--near", _NEAR, type=_near, metavar="NUMBER")
    parser.option("--within", _WITHIN, type=amount, metavar="D")
    parser.option("--time", _TIME, metavar="T")


def keeping(parser: Parser) -> None:
    """Adds whether progress is saved; `simulate` has such options of its own."""
    either = parser.add_mutually_exclusive_group()
    parser.option("--keep", _KEEP, action="store_const", const=True, within=either)
    parser.option("--no-keep", _NO_KEEP, action="store_const", const=False, dest="keep", within=either)


def tell_kept(sure: Sure, options: argparse.Namespace, lang: Lang, *, complete: bool) -> None:
    """Prints what was remembered and what will be."""
    from playmill.report.number_format import decimal

    if not options.quiet and sure.before:
        message = _ANSWERED if sure.before == sure.last.n else _BEFORE
        print(message.of(lang).format(decimal(sure.before, 0, lang)))
    if sure.kept and not complete:
        tell_goes_on(sure.last.n, lang)
    elif sure.kept and options.keep and not options.quiet and sure.settled and not sure.before:
        print(_KEPT.of(lang))


def tell_goes_on(deals: int | None, lang: Lang) -> None:
    """Prints how to resume something that was stopped, after n deals if that says anything."""
    from playmill.report.number_format import decimal
    from playmill.stdio import complain

    complain(STOPPED.of(lang) if deals is None else _ON.of(lang).format(decimal(deals, 0, lang)))


def _near(text: str) -> float | str:
    return text if text == "fair" else amount(text, least=None)


def check(options: argparse.Namespace) -> None:
    """Raises if an option asks about nothing."""
    if options.until_sure is None:
        given = next((option for option in ("near", "within", "time") if getattr(options, option) is not None), None)
        if given is not None:
            raise PlaymillError(
                f"--{given} needs --until-sure FIGURE, which says what is to be settled",
                f"--{given} имеет смысл с --until-sure ПОКАЗАТЕЛЬ, который говорит, что надо решить",
            )


def simulate(options: argparse.Namespace, lang: Lang) -> int:
    """Plays until the question is settled, prints and writes; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_written
    from playmill.engine.config.model import load_config
    from playmill.engine.contract.game import load_game
    from playmill.interrupts import interrupt
    from playmill.lab.decide.report_outputs import SingleRunOutputs, report_writers, write_each
    from playmill.lab.decide.simulate_until_sure import simulate_until_sure
    from playmill.lab.decide.until_sure import BUDGET
    from playmill.lab.io.progress import sure_bar
    from playmill.report.files.writing import claim

    _check_alone(options)
    game = load_game(options.game)
    wanted = {"--out": options.out, "--summary": options.summary, "--html": options.html}
    places = claim(wanted)
    budget = one_number(options, BUDGET)
    with interrupt():
        with sure_bar(budget, lang, quiet=options.quiet) as bars:
            found = simulate_until_sure(
                options.game,
                options.until_sure,
                near=options.near,
                within=options.within,
                games=budget,
                seconds=shared.seconds(options.time),
                players=options.players[0] if options.players else None,
                seed=options.seed,
                agents=options.agents,
                config=load_config(game.config, options.config, options.set, strict=options.strict_config),
                rotate=options.rotate,
                keep=options.keep,
                on=options.on or (options.backend if options.backend == "cuda" else None),
                workers=options.workers,
                **bars,
            )
        report = SingleRunOutputs(found)
        written, troubles = write_each(places, report_writers(report, lang))
        if not options.quiet:
            console = Console(highlight=False)
            report.show(console, lang)
            tell_written(console, written, wanted, lang)
        assert found.sure is not None
        tell_kept(found.sure, options, lang, complete=found.info.complete)
    if troubles:
        raise troubles[0]
    return 0 if found.info.complete else 1


def _check_alone(options: argparse.Namespace) -> None:
    """Raises if an option would be ignored."""
    if options.players and len(options.players) > 1:
        raise PlaymillError(
            "--until-sure settles one question: name one number of players",
            "--until-sure решает один вопрос: назовите одно число игроков",
        )
    if options.among or options.levels:
        raise PlaymillError(*NOT_AMONG)
    if isinstance(options.keep, str):
        raise PlaymillError(
            f"--until-sure keeps what it has seen under a name of its own; leave out {options.keep!r} after --keep",
            f"--until-sure хранит увиденное под своим именем; уберите {options.keep!r} после --keep",
        )
    if options.backend == "interpreted":
        raise PlaymillError(
            "--until-sure plays compiled rules; leave out --backend interpreted",
            "--until-sure играет по скомпилированным правилам; уберите --backend interpreted",
        )
    extra = next((key for key in _ALONE if getattr(options, key)), None)
    if extra is not None:
        option = {"first": "from", "end": "to", "trace_out": "trace-out"}.get(extra, extra)
        raise PlaymillError(
            f"--until-sure plays as long as it has to and nothing else; leave out --{option}",
            f"--until-sure играет, сколько нужно, и ничего больше; уберите --{option}",
        )
