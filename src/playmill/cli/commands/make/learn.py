"""`playmill learn`: trains a network that plays a game, by imitating what search finds."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from pathlib import Path

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, amount, whole
from playmill.texts import Lang, PlaymillError, Text

_ABOUT = Text(
    "train a network that plays a game well, and save it for --agents net:FILE",
    "обучить сеть хорошо играть в игру и сохранить её для --agents net:ФАЙЛ",
)
_WHAT = Text(
    "what it learns: values, for search:net=FILE and expert (the default); moves, to play alone by net:FILE; chances,"
    " for small games of bluff (the default where players mix)",
    "чему учить: values — оценкам, для search:net=ФАЙЛ и expert (обычно); moves — ходам, играть самой по net:ФАЙЛ;"
    " chances — вероятностям, для небольших игр с блефом (обычно, если игра объявляет смешивание)",
)
_MINUTES = Text(
    "how long it learns in all (10 by default); the same command with more goes on",
    "сколько минут учиться всего (по умолчанию 10); та же команда с бо́льшим числом продолжит",
)
_ROUNDS = Text(
    "how many rounds it learns in all, instead of minutes: the same file each time",
    "сколько кругов учиться всего, вместо минут: каждый раз тот же файл",
)
_SIZE = Text("neurons of a layer, 8 … 512 (64)", "нейронов в слое, 8 … 512 (64)")
_DECISIONS = Text(
    "of moves: decisions that are searched in a round (1024)", "для moves: сколько решений обдумывать в круге (1024)"
)
_TEACHER = Text(
    "of moves: who is imitated, search by iterations (search:iterations=200)",
    "для moves: кому подражать, search по числу партий (search:iterations=200)",
)
_POSITIONS = Text(
    "of values: positions that are learned in a round (100000)", "для values: сколько позиций учить в круге (100000)"
)
_AGENTS = Text(
    "of values: who plays beside the game's heuristic and random; compiled agents, and net:FILE",
    "для values: кто играет кроме эвристики игры и random; скомпилированные агенты и net:ФАЙЛ",
)
_SAVE = Text("the file of the network (GAME.npz)", "файл сети (ИГРА.npz)")
_OVER = Text(
    "of moves: one network for a range of rules: path=1..9, path=10..50/5, path=1,2,5; it sees these numbers",
    "для moves: одна сеть на диапазон правил: путь=1..9, путь=10..50/5, путь=1,2,5; она видит эти числа",
)
_STOPPED = Text(
    "stopped after round {}; {} holds the network of round {}, and the same command goes on from here",
    "остановлено после круга {}; в {} — сеть круга {}, та же команда продолжит отсюда",
)


def _options(parser: Parser) -> None:
    for add in (shared.game, shared.players, shared.seed, shared.settings):
        add(parser)
    parser.option("--what", _WHAT, choices=("moves", "values", "chances"))
    parser.option("--over", _OVER, nargs="+", action="extend", default=[], metavar="PATH=VALUES")
    either = parser.add_mutually_exclusive_group()
    parser.option("--minutes", _MINUTES, type=amount, default=10.0, metavar="M", within=either)
    parser.option("--rounds", _ROUNDS, type=whole(1, 100_000), metavar="N", within=either)
    parser.option("--size", _SIZE, type=whole(8, 512), default=64, metavar="N")
    parser.option("--decisions", _DECISIONS, type=whole(64, 1_000_000), metavar="N")
    parser.option("--teacher", _TEACHER, metavar="AGENT")
    parser.option("--positions", _POSITIONS, type=whole(1000, 10_000_000), metavar="N")
    parser.option("--agents", _AGENTS, nargs="+", default=[], metavar="AGENT")
    parser.output("--save", _SAVE)
    shared.where(parser)
    shared.out(parser)
    shared.html(parser)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Learns, prints and writes; returns 1 if it was interrupted, else 0."""
    # Before NumPy is there: several threads for products this small wait for each other, the more so beside others.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from rich.console import Console

    from playmill.cli.shared.kept_runs import tell_written
    from playmill.lab.decide.report_outputs import write_result
    from playmill.lab.io.progress import learning_bar
    from playmill.lab.learn.run import learn
    from playmill.report.commands.learning import LearningReport, learning_page, print_learning
    from playmill.report.files.writing import claim, write_text
    from playmill.stdio import complain

    game, config = shared.game_and_config(options)
    options.save = options.save or Path(f"{game.name}.npz")
    wanted = {"--save": options.save, "--out": options.out, "--html": options.html}
    places = claim(wanted)

    with learning_bar(lang, quiet=options.quiet) as bars:

        def on_round(found: LearningReport) -> None:
            if "--html" in places:
                with suppress(PlaymillError):  # a page that cannot be written now must not end what is learned
                    write_text(places["--html"], learning_page(found, lang), ours=True)
            if bars is not None:
                bars[1](found)

        found = learn(
            game,
            save=options.save,
            what=options.what,
            minutes=options.minutes,
            rounds=options.rounds,
            players=options.players,
            config=config,
            over=options.over,
            size=options.size,
            decisions=options.decisions,
            teacher=options.teacher,
            positions=options.positions,
            agents=options.agents,
            seed=options.seed,
            workers=options.workers,
            on=options.on,
            on_round=on_round,
            progress=bars[0] if bars is not None else None,
        )
    written, troubles = write_result(places, found, lang)
    if not options.quiet:
        console = Console(highlight=False)
        print_learning(console, found.shown, lang)
        tell_written(console, ["--save", *written], wanted, lang)
    if not found.complete:
        complain(_STOPPED.format(found.points[-1].round, options.save, found.best).of(lang))
    if troubles:
        raise troubles[0]
    return 0 if found.complete else 1


COMMAND = Command("learn", _ABOUT, Group.MAKE, 45, _options, _run)
