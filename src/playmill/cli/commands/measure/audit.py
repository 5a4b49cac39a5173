"""`playmill audit`: audits a game, prints the report and writes it as a page."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, amount
from playmill.cli.shared.until_sure import keeping
from playmill.texts import Lang, PlaymillError, Text

_ABOUT = Text(
    "look at a game from all sides: fairness, skill, luck, drama, choices, and what to look at first",
    "осмотреть игру со всех сторон: баланс, мастерство, удача, драма, выбор — и на что посмотреть сначала",
)
_AGENT = Text(
    "who stands for a good player: a compiled agent or search (by default the game's heuristic, without one search)",
    "кто изображает хорошего игрока: агент игры или search (по умолчанию эвристика игры, а без неё search)",
)
_MINUTES = Text("how long it may play (5 by default)", "сколько минут играть (по умолчанию 5)")
_QUICK = Text(
    "a first impression: little is played, and always the same",
    "первое впечатление: играется мало и всегда одно и то же",
)
_SIZES = Text(
    "play exactly what another audit did: as its last line says",
    "сыграть ровно то же, что другой аудит: см. его команду",
)
_ONLY = Text(
    "only these parts: fairness, skill, luck, drama, choices, uses",
    "только эти части: fairness, skill, luck, drama, choices, uses",
)
_LOOKING = Text("looking at the game", "осматриваю игру")
_ANSWERED = Text(
    "answered from what was kept; nothing was played (--no-keep plays it again)",
    "ответ — из сохранённого; ничего не игралось (с --no-keep сыграется заново)",
)
_WENT_ON = Text("went on after {} of play that were kept", "продолжено; уже сыграно и сохранено: {}")
_STOPPED = Text("stopped; the same command goes on from here", "остановлено; та же команда продолжит с этого места")


def _options(parser: Parser) -> None:
    for add in (shared.game, shared.players, shared.seed, shared.settings):
        add(parser)
    whose = parser.add_mutually_exclusive_group()
    parser.option("--agents", _AGENT, nargs="+", default=[], metavar="AGENT", within=whose)
    whose.add_argument("--agent", dest="agents", nargs=1, help=argparse.SUPPRESS)
    shared.among(parser, within=whose)
    shared.levels(parser, within=whose)
    long = parser.add_mutually_exclusive_group()
    parser.option("--minutes", _MINUTES, type=amount, metavar="M", within=long)
    parser.flag("--quick", _QUICK, within=long)
    parser.option("--sizes", _SIZES, metavar="KEY=N,…", within=long)
    parser.option("--only", _ONLY, metavar="PART,…")
    keeping(parser)
    shared.where(parser)
    shared.out(parser)
    shared.html(parser)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Audits, prints and writes; returns 1 if it was interrupted, else 0."""
    from functools import partial

    from rich.console import Console

    from playmill.agents.levels import levels_of
    from playmill.cli.shared.kept_runs import tell_written
    from playmill.interrupts import interrupt
    from playmill.lab.audit import audit
    from playmill.lab.audit.budget import read_sizes
    from playmill.lab.audit.run import AuditStoppedError
    from playmill.lab.decide.each_agent.audit_each import AuditEach, audit_each
    from playmill.lab.decide.report_outputs import write_result
    from playmill.lab.io.progress import bar
    from playmill.report.commands.audit import print_audit
    from playmill.report.files.writing import claim
    from playmill.report.number_format import duration
    from playmill.stdio import complain

    game, config = shared.game_and_config(options)
    agent = _one_agent(options.agents)
    among = levels_of(game, config) if options.levels else options.among
    sizes = read_sizes(options.sizes) if options.sizes is not None else None
    # Of `--only ""` nothing is left, which would be all parts.
    only = [] if options.only is None else [part for part in options.only.split(",") if part] or [options.only]
    wanted = {"--out": options.out, "--html": options.html}
    places = claim(wanted)
    with interrupt():
        try:
            with bar(_LOOKING.of(lang), quiet=options.quiet) as moved:
                found = (partial(audit_each, among=among) if among else partial(audit, agent=agent))(
                    options.game,
                    players=options.players,
                    config=config,
                    seed=options.seed,
                    minutes=None if options.quick else options.minutes if options.minutes is not None else 5.0,
                    sizes=sizes,
                    only=only,
                    keep=options.keep,
                    on=options.on,
                    workers=options.workers,
                    progress=(lambda part, share: moved(round(1000 * share), 1000)) if moved is not None else None,
                )
        except AuditStoppedError:
            complain(_STOPPED.of(lang))
            return 1
        written, troubles = write_result(places, found, lang)
        if not options.quiet:
            console = Console(highlight=False)
            if isinstance(found, AuditEach):
                found.show(console, lang)
            else:
                print_audit(console, found.shown, lang)
            tell_written(console, written, wanted, lang)
            if found.before:
                message = _WENT_ON if found.anew else _ANSWERED
                print(message.of(lang).format(duration(found.before, lang)))
        if found.kept and not found.complete:
            complain(_STOPPED.of(lang))
    if troubles:
        raise troubles[0]
    return 0 if found.complete else 1


def _one_agent(agents: list[str]) -> str | None:
    """Returns who takes all seats: an audit asks of one kind of player at a time."""
    if len(set(agents)) > 1:
        raise PlaymillError(
            f"one agent plays an audit, in all seats, not {', '.join(agents)}; --among audits with each of them",
            f"аудит играет один агент, на всех местах, а не {', '.join(agents)}; --among проведёт аудит с каждым",
        )
    return agents[0] if agents else None


COMMAND = Command("audit", _ABOUT, Group.MEASURE, 25, _options, _run)
