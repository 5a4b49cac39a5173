"""`playmill tune`: searches for numbers of the rules that meet goals."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, number_of_players, sizes, whole
from playmill.cli.shared.each_agent import among_whom, one_number
from playmill.cli.shared.until_sure import STOPPED
from playmill.texts import Lang, PlaymillError, Text

if TYPE_CHECKING:
    from playmill.engine.config.model import RuleConfig

_STOPPED = Text(
    "stopped; the same command with --games {} goes on from here",
    "остановлено; та же команда с --games {} продолжит с этого места",
)
_ABOUT = Text(
    "find the numbers that make a game fair, or as long as wanted", "подобрать числа, чтобы игра стала честной"
)
_PLAYERS = Text("number of players; several: one setting for all", "число игроков; несколько — одна настройка на всех")
_FREE = Text(
    "what may change: path:low..high, path:low..high/step, path:this|that; ?other=value behind it: only then;"
    " agent.NAME.KEY is a number of an agent",
    "что можно менять: путь:от..до, путь:от..до/шаг, путь:один|другой; ?другой=значение в конце — только тогда;"
    " agent.ИМЯ.КЛЮЧ — число агента",
)
_GOAL = Text(
    "what is wanted: equal:FIGURES, FIGURE=NUMBER, high:FIGURE, low:FIGURE, a name; WEIGHT* before it",
    "чего хотим: equal:ПОКАЗАТЕЛИ, ПОКАЗАТЕЛЬ=ЧИСЛО, high:…, low:…, имя цели; впереди может быть ВЕС*",
)
_GAMES = Text(
    "deals of a setting that survives the search (6000); with --levels at most, as time allows; N,N: of each",
    "раздач у настройки, дошедшей до конца поиска (6000); с --levels — не больше, сколько успеется; N,N — у каждого",
)
_TRIALS = Text("settings tried at most", "сколько настроек испытать самое большее")
_MOST = Text("the search ends after so many games", "поиск кончается после стольких партий")
_TIME = Text("the search ends after this time: 90s, 10m, 2h", "поиск кончается через это время: 90s, 10m, 2h")
_NEARLY = Text(
    "share of the gain that the smallest change may lose", "какую долю выигрыша может потерять наименьшее изменение"
)
_FRONT = Text(
    "no weights: the settings of which none is better in every goal", "без весов: все, что никем не превзойдены"
)
_FIXED = Text("seats stay as they are, also where agents differ", "места не меняются, даже если агенты разные")
_CONFIG = Text("write the config that was found", "записать найденный конфиг")
_SMALL = Text("write the config of the smallest change", "записать конфиг с наименьшим изменением")
_NO_KEEP = Text("keep no journal to go on from after a stop", "не вести журнал, с которого можно продолжить")
_AS_THEY_ARE = Text("{} holds the rules as they are", "в {} — правила как есть")


def _options(parser: Parser) -> None:
    shared.game(parser)
    parser.option("--players", _PLAYERS, type=number_of_players, nargs="+", metavar="N")
    parser.option("--free", _FREE, nargs="+", action="extend", default=[], metavar="RANGE")
    parser.option("--goal", _GOAL, nargs="+", action="extend", default=[], metavar="GOAL")
    parser.flag("--front", _FRONT)
    for add in (shared.seed, shared.who, shared.settings):
        add(parser)
    parser.option("--games", _GAMES, type=sizes, default=(6_000,), metavar="N")
    parser.option("--trials", _TRIALS, type=whole(1, 100_000), default=60, metavar="N")
    parser.option("--most-games", _MOST, type=whole(1), metavar="N")
    parser.option("--time", _TIME, metavar="T")
    parser.option("--nearly", _NEARLY, default="10%", metavar="SHARE")
    parser.flag("--fixed-seats", _FIXED)
    shared.where(parser)
    parser.flag("--no-keep", _NO_KEEP)
    parser.output("--out-config", _CONFIG)
    parser.output("--out-smallest", _SMALL)
    shared.out(parser)
    shared.html(parser)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Tunes, prints and writes; returns 1 if it was interrupted, else 0."""
    from rich.console import Console

    from playmill.lab.decide.report_outputs import write_each
    from playmill.lab.decide.tune import tune
    from playmill.lab.io.progress import telling_bar
    from playmill.report.commands.tune import print_tuning
    from playmill.report.files.writing import claim, write_saved, write_text
    from playmill.stdio import complain

    _, config = shared.game_and_config(options)
    wanted = {
        "--out-config": options.out_config,
        "--out-smallest": options.out_smallest,
        "--out": options.out,
        "--html": options.html,
    }
    if options.front and (options.out_config or options.out_smallest):
        raise PlaymillError(
            "--front finds several settings, so that there is not one config to write; --out has them all",
            "--front находит несколько настроек, поэтому один конфиг не записать; все они есть в --out",
        )
    if (options.out_config or options.out_smallest) and all(word.startswith("agent.") for word in options.free):
        raise PlaymillError(
            "nothing of the rules is free, so that there is no config to write; --out has the numbers of the agents",
            "в правилах менять нечего, поэтому конфига не будет; числа агентов — в --out",
        )
    among = among_whom(options, config, changing=True)
    games = _deals(options, config, among)
    places = claim(wanted)
    try:
        with telling_bar(lang, quiet=options.quiet) as progress:
            found = tune(
                options.game,
                free=options.free,
                goal=options.goal,
                players=options.players,
                agents=None if among else options.agents,
                among=among,
                config=config,
                seed=options.seed,
                games=games,
                trials=options.trials,
                most_games=options.most_games,
                seconds=shared.seconds(options.time),
                nearly=_share(options.nearly),
                front=options.front,
                rotate=not options.fixed_seats,
                keep=not options.no_keep,
                on=options.on,
                workers=options.workers,
                progress=progress,
            )
    except KeyboardInterrupt:
        if options.no_keep:
            raise
        # Time has chosen these numbers, and might choose others now.
        exact = "" if isinstance(games, int) or len(options.games) > 1 else ",".join(map(str, games))
        complain((_STOPPED.format(exact) if exact else STOPPED).of(lang))
        return 1
    written, troubles = write_each(
        places,
        {
            "--out-config": lambda path: write_saved(path, found.config.model_dump(mode="json")),
            "--out-smallest": lambda path: write_saved(path, found.smallest_config.model_dump(mode="json")),
            "--out": lambda path: write_saved(path, found.json()),
            "--html": lambda path: write_text(path, found.page(lang)),
        },
    )
    if not options.quiet:
        console = Console(highlight=False)
        print_tuning(console, found.shown, lang)
        for option in written:
            plain = option in ("--out-config", "--out-smallest") and not found.better
            message = _AS_THEY_ARE if plain else Text("wrote {}", "записано: {}")
            console.print(message.of(lang).format(wanted[option]), markup=False, soft_wrap=True)
    if troubles:
        raise troubles[0]
    return 0


def _deals(options: argparse.Namespace, config: RuleConfig, among: Sequence[Any]) -> int | Sequence[int]:
    """Returns the deals of a setting: one number, or one for each; at levels of play as time allows."""
    from playmill.lab.decide.levels import tuning_sizes
    from playmill.lab.decide.simulate_each import resolve_each
    from playmill.lab.runs.simulate import How

    given: tuple[int, ...] = options.games
    if len(given) > 1:
        return given if among else one_number(options, 0)
    if not options.levels:
        return given[0]
    plans = resolve_each(options.game, players=options.players, among=among, config=config, seed=options.seed)
    how = How(workers=options.workers, on=options.on, keep=False)
    return tuning_sizes([*plans.values()], given[0], options.trials, options.minutes, how).games


def _share(text: str) -> float:
    """Returns a share, as 0.1 or as 10%."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(%?)", text)
    if found is None:
        raise PlaymillError(
            f"--nearly {text!r}: expected a share such as 10% or 0.1",
            f"--nearly {text!r}: нужна доля, например 10% или 0.1",
        )
    return float(found[1]) / (100 if found[2] else 1)


COMMAND = Command("tune", _ABOUT, Group.MEASURE, 20, _options, _run)
