"""Command-line options that several commands share, each with its help."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from playmill.cli.parser import NUMBER, Parser, amount, number_of_players, whole
from playmill.texts import PlaymillError, Text

if TYPE_CHECKING:
    from playmill.engine.config.model import RuleConfig
    from playmill.engine.contract.game import Game

Group = argparse._MutuallyExclusiveGroup
_STRICT_CONFIG = Text(
    "refuse keys of the config that have no meaning", "отказаться от ключей конфига, которые ничего не значат"
)
_AGENTS = Text(
    "one agent for all seats, or one for each: NAME, NAME:key=value,…, FILE.py or program:COMMAND",
    "один агент на все места или по одному на каждое: ИМЯ, ИМЯ:ключ=значение,…, ФАЙЛ.py или program:КОМАНДА",
)
_AMONG = Text(
    "the same among each of these, who take all seats: does the answer depend on how well people play?",
    "то же среди каждого из них, на всех местах: зависит ли ответ от силы игры?",
)
_LEVELS = Text(
    "the same among beginners, good players and experts, each with as many games as time allows (see --minutes)",
    "то же среди новичков, хороших игроков и мастеров; у каждого уровня столько партий, сколько успеется (--minutes)",
)
MINUTES = Text(
    "how long all levels play together, about (1 by default)",
    "сколько минут играют все уровни вместе, примерно (по умолчанию 1)",
)
_BOARDS = Text(
    "print the boards whenever they change, with what changed marked",
    "печатать поля всякий раз, когда они меняются, и отмечать, что изменилось",
)
_STEP = Text(
    "the same, one action at a time: Enter goes on, q stops", "то же, по одному действию: Enter — дальше, q — стоп"
)
_ON = Text(
    "where to play: threads, cuda (the GPU), ray, HOST:PORT or ray://HOST:PORT (a Ray cluster)",
    "где играть: threads, cuda (видеокарта), ray, HOST:PORT или ray://HOST:PORT (кластер Ray)",
)

_FOLDER = Text(
    "the run's game, if it is neither installed nor known from a run played here",
    "игра прогона, если она не установлена и не знакома по прогонам, сыгранным здесь",
)
_PLAYED = Text(
    "the run's agents, if files among them are not known here", "агенты прогона, если их файлы здесь незнакомы"
)

_UNITS = {"s": 1, "m": 60, "h": 3600}


def game(parser: Parser) -> None:
    """Adds the game, by its name or the path of its folder."""
    parser.option(
        "game", Text("name of the game (see: playmill games)", "имя игры (см. playmill games)"), metavar="GAME"
    )


def players(parser: Parser) -> None:
    """Adds the number of players."""
    parser.option("--players", Text("number of players", "число игроков"), type=number_of_players, metavar="N")


def seed(parser: Parser) -> None:
    """Adds the seed of a run."""
    about = Text("the run's seed: the same seed gives the same games", "сид: с одним и тем же партии повторяются")
    parser.option("--seed", about, type=NUMBER, default=0, metavar="S")


def agents(parser: Parser, *, within: Group | None = None) -> None:
    """Adds the agents who play."""
    parser.option("--agents", _AGENTS, nargs="+", default=["random"], metavar="AGENT", within=within)


def among(parser: Parser, *, within: Group | None = None) -> None:
    """Adds the agents a question is repeated for, one after the other."""
    parser.option("--among", _AMONG, nargs="+", default=[], metavar="AGENT", within=within)


def levels(parser: Parser, *, within: Group | None = None) -> None:
    """Adds the flag that a question is repeated for each level of play."""
    parser.flag("--levels", _LEVELS, within=within)


def who(parser: Parser) -> None:
    """Adds the agents who play, or those a question is repeated for."""
    either = parser.add_mutually_exclusive_group()
    agents(parser, within=either)
    among(parser, within=either)
    levels(parser, within=either)
    parser.option("--minutes", MINUTES, type=amount, metavar="M")


def settings(parser: Parser) -> None:
    """Adds the config, from a file and number by number."""
    parser.file("--config", Text("JSON file with the game's config", "файл JSON с конфигом игры"))
    parser.flag("--strict-config", _STRICT_CONFIG)
    about = Text("change numbers of the config: path=value", "изменить числа конфига: путь=значение")
    parser.option("--set", about, nargs="+", action="extend", default=[], metavar="PATH=VALUE")


def game_and_config(options: argparse.Namespace) -> tuple[Game, RuleConfig]:
    """Loads the game that is named, and its config with what is set."""
    from playmill.engine.config.model import load_config
    from playmill.engine.contract.game import load_game

    game = load_game(options.game)
    return game, load_config(game.config, options.config, options.set, strict=options.strict_config)


def table(parser: Parser, *, among: bool = False) -> None:
    """Adds all that one game needs: game, players, seed, agents and settings."""
    for add in (game, players, seed, who if among else agents, settings):
        add(parser)


def which(parser: Parser) -> None:
    """Adds the number of one game of a run."""
    about = Text("which game of the run, counted from 0", "какая партия прогона, считая с 0")
    parser.option("--number", about, type=whole(0), default=0, metavar="N")


def looked_at(parser: Parser) -> None:
    """Adds how a narrated game is shown."""
    parser.flag("--boards", _BOARDS)
    parser.flag("--step", _STEP)


def run(parser: Parser, *, several: bool = False) -> None:
    """Adds a kept run, or several."""
    about = Text(
        "name of a kept run, or its folder (see: playmill runs)",
        "имя сохранённого прогона или его папка (см. playmill runs)",
    )
    if several:
        parser.option("runs", about, nargs="+", metavar="RUN")
    else:
        parser.option("run", about, metavar="RUN")


def found_by(parser: Parser) -> None:
    """Adds where a run's game and agents are, since no path in a run's files is followed."""
    parser.option("--game", _FOLDER, metavar="PATH")
    parser.option("--agents", _PLAYED, nargs="+", default=[], metavar="AGENT")


def how(parser: Parser) -> None:
    """Adds how games are played, which changes no results."""
    where(parser)
    backends = ("cpu", "cuda", "interpreted")
    about = Text(
        "what runs the rules; cuda is the same as --on cuda", "чем исполнять правила; cuda — то же, что --on cuda"
    )
    parser.option("--backend", about, choices=backends, default="cpu")
    parser.flag("--strict", Text("an agent's invalid answer is an error", "недопустимый ответ агента — ошибка"))


def where(parser: Parser) -> None:
    """Adds where games are played, which changes no results."""
    workers(parser)
    parser.option("--on", _ON, metavar="PLACE")


def workers(parser: Parser) -> None:
    """Adds the number of threads."""
    about = Text("threads (all cores by default)", "потоки (по умолчанию все ядра)")
    parser.option("--workers", about, type=whole(1, 1024), metavar="K")


def out(parser: Parser) -> None:
    """Adds the results as JSON."""
    parser.output("--out", Text("write the results as JSON", "записать результаты в JSON"))


def csv(parser: Parser) -> None:
    """Adds single games as CSV."""
    parser.output("--csv", Text("write one row a game and seat", "записать по строке на партию и место"))


def summary(parser: Parser) -> None:
    """Adds all figures as CSV."""
    about = Text("write every figure with its interval as CSV", "записать все показатели с интервалами в CSV")
    parser.output("--summary", about)


def html(parser: Parser) -> None:
    """Adds the report as a page."""
    parser.output(
        "--html", Text("write a page that opens without a network", "записать страницу, открывается без сети")
    )


def quiet(parser: Parser) -> None:
    """Adds the flag that neither report nor progress is printed."""
    about = Text(
        "print neither the report nor progress, only warnings and errors",
        "не печатать ни отчёта, ни хода работы — только предупреждения и ошибки",
    )
    parser.flag("--quiet", about)


def content(parser: Parser) -> None:
    """Adds content beside the game's own."""
    about = Text("more content from these files", "ещё содержание из этих файлов")
    parser.file("--content", about, nargs="+", default=[])


def seconds(text: str | None) -> float | None:
    """Parses a time as people write it."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if found is None or float(found[1]) == 0:
        raise PlaymillError(
            f"--time {text!r}: expected a time such as 90s, 10m or 2h",
            f"--time {text!r}: нужно время, например 90s, 10m или 2h",
        )
    return float(found[1]) * _UNITS[found[2] or "s"]
