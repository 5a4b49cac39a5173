"""`playmill tournament`: has agents play each other, and prints the ladder."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, amount, path, whole
from playmill.texts import Lang, Text

_ABOUT = Text("have agents play each other, and rate them", "свести агентов друг с другом и составить лестницу")
_ENTRANTS = Text(
    "who takes part: NAME, NAME:key=value,…, FILE.py, a folder of them; LABEL=AGENT names one",
    "кто участвует: ИМЯ, ИМЯ:ключ=значение,…, ФАЙЛ.py, папка с ними; ИМЯ=АГЕНТ даёт своё имя",
)
_PLAYERS = Text("players at a table", "игроков за столом")
_CONFIG = Text(
    "JSON file with the game's config; several times: all are played", "файл JSON с конфигом; можно несколько"
)
_SETTING = Text(
    "one more set-up of the rules, such as --setting map=small; several times: all are played",
    "ещё один вариант правил, например --setting map=small; можно несколько, играются все",
)
_DEALS = Text(
    "deals of every table, each from every seat (1000; 100 with agents in Python, 20 with slow ones)",
    "раздач у каждого стола, каждая со всех мест (1000; с агентами на Python 100, с медленными 20)",
)
_ROUNDS = Text("a Swiss tournament of so many rounds", "швейцарская система, столько туров")
_SETTLED = Text(
    "play on until neighbours on the ladder are told apart", "играть, пока соседи на лестнице не станут различимы"
)
_WITHIN = Text(
    "with --until-settled: two are equal within such a share of points",
    "с --until-settled: двое равны, если доля очков отличается от половины не больше",
)
_GAMES = Text("play at most so many games", "сыграть не больше стольких партий")
_TIME = Text("play at most so long: 90s, 10m, 2h", "играть не дольше: 90s, 10m, 2h")
_NO_KEEP = Text("keep nothing to go on from after a stop", "не сохранять ничего, с чего можно продолжить")
_UNFINISHED = Text(
    "not all was played; the same command goes on from here", "сыграно не всё; та же команда продолжит с этого места"
)


def _options(parser: Parser) -> None:
    shared.game(parser)
    parser.option("--entrants", _ENTRANTS, nargs="+", action="extend", default=[], metavar="AGENT")
    parser.option("--players", _PLAYERS, type=whole(1, 64), metavar="N")
    shared.seed(parser)
    parser.option("--config", _CONFIG, type=path, action="append", default=[], metavar="FILE")
    about = Text("change numbers of the config: path=value", "изменить числа конфига: путь=значение")
    parser.option("--set", about, nargs="+", action="extend", default=[], metavar="PATH=VALUE")
    parser.option("--setting", _SETTING, nargs="*", action="append", default=[], metavar="PATH=VALUE")
    parser.option("--deals", _DEALS, type=whole(1), metavar="N")
    parser.option("--rounds", _ROUNDS, type=whole(1, 10_000), metavar="N")
    parser.flag("--until-settled", _SETTLED)
    parser.option("--within", _WITHIN, type=amount, metavar="SHARE")
    parser.option("--games", _GAMES, type=whole(1), metavar="N")
    parser.option("--time", _TIME, metavar="T")
    shared.where(parser)
    parser.flag("--no-keep", _NO_KEEP)
    shared.out(parser)
    shared.html(parser)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Plays, prints and writes; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_written
    from playmill.engine.config.model import load_config
    from playmill.engine.contract.game import load_game
    from playmill.interrupts import interrupt
    from playmill.lab.contests.tournament import tournament
    from playmill.lab.decide.report_outputs import write_result
    from playmill.lab.io.progress import telling_bar
    from playmill.report.commands.tournament import print_ladder
    from playmill.report.files.writing import claim
    from playmill.stdio import complain

    game = load_game(options.game)
    configs = [load_config(game.config, one, ()) for one in options.config]
    wanted = {"--out": options.out, "--html": options.html}
    places = claim(wanted)
    with interrupt():
        with telling_bar(lang, quiet=options.quiet) as progress:
            found = tournament(
                options.game,
                options.entrants,
                players=options.players,
                config=configs or None,
                set=options.set,
                settings=options.setting,
                seed=options.seed,
                deals=options.deals,
                rounds=options.rounds,
                until_settled=options.until_settled,
                within=options.within,
                games=options.games,
                seconds=shared.seconds(options.time),
                keep=not options.no_keep,
                workers=options.workers,
                on=options.on,
                progress=progress,
            )
        written, troubles = write_result(places, found, lang)
        if not options.quiet:
            console = Console(highlight=False)
            print_ladder(console, found.found, lang)
            tell_written(console, written, wanted, lang)
    if troubles:
        raise troubles[0]
    if not found.found.run.complete and not options.no_keep:
        complain(_UNFINISHED.of(lang))
    return 0 if found.found.run.complete else 1


COMMAND = Command("tournament", _ABOUT, Group.MEASURE, 24, _options, _run)
