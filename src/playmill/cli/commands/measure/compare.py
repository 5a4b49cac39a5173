"""`playmill compare`: compares two settings of a game on the same deals."""

from __future__ import annotations

import argparse
from typing import Any

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, sizes
from playmill.cli.shared import until_sure
from playmill.cli.shared.each_agent import among_whom, deals_of_each, one_number, show_each
from playmill.texts import Lang, PlaymillError, Text

_ABOUT = Text(
    "play two settings on the same luck and say which differences are real",
    "сыграть с двумя настройками на одной удаче и сказать, какие отличия настоящие",
)
_SIDE = Text(
    "what holds for side {} alone: path=value, FILE.json, agents (none: as given for both)",
    "что верно только для стороны {}: путь=значение, ФАЙЛ.json, агенты (ничего — как для обеих)",
)
_GAMES = Text(
    "deals, each played by both sides from every seat (10000 by default; with --until-sure at most 1000000)",
    "раздач; каждую обе стороны играют с каждого места (по умолчанию 10000; с --until-sure не больше 1000000)",
)
_FIXED = Text("seats stay as they are, also where agents differ", "места не меняются, даже если агенты разные")


def _options(parser: Parser) -> None:
    shared.table(parser, among=True)
    for name in ("a", "b"):
        about = _SIDE.format(name.upper())
        parser.option(f"--{name}", about, nargs="*", default=[], metavar="WORD")
    parser.option("--games", _GAMES, type=sizes, metavar="N")
    parser.flag("--fixed-seats", _FIXED)
    until_sure.options(parser, near=False)
    until_sure.keeping(parser)
    shared.where(parser)
    shared.out(parser)
    parser.output(
        "--html", Text("write a page that opens without a network", "записать страницу, открывается без сети")
    )
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Compares, prints and writes; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_written
    from playmill.interrupts import interrupt
    from playmill.lab.decide.compare import DEALS, compare
    from playmill.lab.decide.report_outputs import write_result
    from playmill.lab.decide.until_sure import BUDGET
    from playmill.lab.io.progress import comparison_bar, sure_bar
    from playmill.report.commands.compare import print_comparison
    from playmill.report.files.writing import claim

    options.near = None
    until_sure.check(options)
    if options.among or options.levels:
        return _among(options, lang)
    among_whom(options)
    sides = _sides(options)
    wanted = {"--out": options.out, "--html": options.html}
    places = claim(wanted)
    with interrupt():
        budget = one_number(options, DEALS if options.until_sure is None else BUDGET)
        bar = comparison_bar if options.until_sure is None else sure_bar
        with bar(budget, lang, quiet=options.quiet) as bars:
            found = compare(
                options.game,
                a=sides[0],
                b=sides[1],
                games=budget,
                rotate=not options.fixed_seats,
                players=options.players,
                seed=options.seed,
                agents=options.agents,
                on=options.on,
                workers=options.workers,
                until_sure=options.until_sure,
                within=options.within,
                seconds=shared.seconds(options.time),
                keep=options.keep,
                **bars,
            )
        tables = found.tables()
        written, troubles = write_result(places, found, lang)
        if not options.quiet:
            console = Console(highlight=False)
            print_comparison(console, found.shown, tables, lang)
            tell_written(console, written, wanted, lang)
        if found.sure is not None:
            until_sure.tell_kept(found.sure, options, lang, complete=found.complete)
        elif found.remembered and not found.complete:
            until_sure.tell_goes_on(found.deals, lang)
    if troubles:
        raise troubles[0]
    return 0 if found.complete else 1


def _among(options: argparse.Namespace, lang: Lang) -> int:
    """Compares among each agent, prints and writes; returns 1 if it was interrupted, else 0."""
    from playmill.lab.decide.compare import DEALS
    from playmill.lab.decide.each_agent.compare_each import compare_each

    if options.until_sure is not None:
        raise PlaymillError(*until_sure.NOT_AMONG)
    a, b = _sides(options)
    among = among_whom(options, a["config"], changing=True)
    # Both sides play every deal.
    deals = deals_of_each(options, among, a["config"], DEALS, each=2)
    return show_each(
        options,
        lang,
        deals,
        lambda bars: compare_each(
            options.game,
            among=among,
            a=a,
            b=b,
            games=deals.games,
            rotate=not options.fixed_seats,
            players=options.players,
            seed=options.seed,
            on=options.on,
            workers=options.workers,
            keep=options.keep,
            **bars,
        ),
    )


def _sides(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Returns what holds for each side."""
    game, config = shared.game_and_config(options)
    strict = options.strict_config
    return [
        _side(game, config, words, f"--{name}", strict=strict) for name, words in (("a", options.a), ("b", options.b))
    ]


def _side(game: Any, config: Any, words: list[str], option: str, *, strict: bool) -> dict[str, Any]:
    """Returns what the words after --a or --b mean: a config file, changes of numbers, or agents."""
    from pathlib import Path

    from playmill.engine.config.model import changed_by, load_config

    files = [word for word in words if word.endswith(".json") and "=" not in word]
    changes = [word for word in words if word not in files and _is_change(word)]
    agents = [word for word in words if word not in files and word not in changes]
    if len(files) > 1:
        raise PlaymillError(
            f"{option}: {files[0]} and {files[1]} are two configs; name one",
            f"{option}: {files[0]} и {files[1]} — два конфига; назовите один",
        )
    if files:
        config = load_config(game.config, Path(files[0]), [], strict=strict)
    return {"config": changed_by(option, config, changes), **({"agents": agents} if agents else {})}


def _is_change(word: str) -> bool:
    """Returns whether a word changes a number of the config: an agent has a colon before it says `key=value`."""
    before, equals, _ = word.partition("=")
    return bool(equals) and ":" not in before


COMMAND = Command("compare", _ABOUT, Group.MEASURE, 15, _options, _run)
