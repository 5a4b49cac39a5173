"""The command line. Heavy libraries are imported by the command that needs them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

from playmill.cli_help import HELP
from playmill.stopping import STOPPED
from playmill.streams import complain, flush, mute, print_anything, print_json
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text, language_of, speaking
from playmill.version import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status: 0 done, 1 interrupted, 2 a mistake told in one sentence."""
    words = list(sys.argv[1:] if argv is None else argv)
    lang = language_of(words)
    print_anything()
    try:
        try:
            options = _parser(lang).parse_args(words)
            with speaking(lang):
                return int(options.run(options, lang))
        finally:
            flush()
    except PlaymillError as error:
        complain(error.text.of(lang))
        return 2
    except KeyboardInterrupt:
        complain(STOPPED.of(lang))
        return 1
    except BrokenPipeError:
        mute()
        return 1
    except OSError as error:
        complain(_refusal(error).of(lang))
        return 2
    except MemoryError:
        complain(Text("not enough memory", "не хватает памяти").of(lang))
        return 2
    except Exception as error:
        if not type(error).__module__.startswith("numba."):
            raise
        told = Text("a rule of the game does not compile", "правило игры не компилируется").of(lang)
        complain(f"{told}: {_compiler_complaint(str(error))}")
        return 2


def _refusal(error: OSError) -> Text:
    """What the system would not do; where it names no file, it was to print, and the disk that takes it is full."""
    from playmill.engine.json_text import reason_of

    why = reason_of(error)
    if error.filename is not None:
        return Text(f"{str(error.filename)!r}: {why.en}", f"{str(error.filename)!r}: {why.ru}")
    mute()
    return Text(f"cannot print: {why.en}", f"не удаётся напечатать: {why.ru}")


def _compiler_complaint(message: str) -> str:
    """The last place the compiler names, and the first thing it says about it."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    places = [line for line in lines if line.startswith("File ")]
    reasons = [line for line in lines if not line.startswith(("Failed in nopython", "File ", "During:"))]
    return " ".join(places[:1] + reasons[:1])


class _Parser(argparse.ArgumentParser):
    """Tells a mistake in one sentence of the user's language."""

    lang: Lang = "en"

    def error(self, message: str) -> NoReturn:
        raise PlaymillError(f"{message} (see: {self.prog} --help)", f"{_russian(message)} (см. {self.prog} --help)")


_ARGPARSE = (
    (r"the following arguments are required: (.*)", r"не хватает аргументов: \1"),
    (r"unrecognized arguments: (.*)", r"непонятные аргументы: \1"),
    (r"argument (\S+): invalid choice: (.*) \(choose from (.*)\)", r"аргумент \1: нет значения \2; есть: \3"),
    (r"argument (\S+): not allowed with argument (\S+)", r"аргумент \1: вместе с \2 нельзя"),
    (r"argument (\S+): expected one argument", r"аргумент \1: нужно значение"),
    (r"argument (\S+): expected at least one argument", r"аргумент \1: нужно хотя бы одно значение"),
    (r"argument (\S+): invalid int value: (.*)", r"аргумент \1: \2 — не целое число"),
    (r"argument (\S+): invalid float value: (.*)", r"аргумент \1: \2 — не число"),
    (
        r"argument (\S+): (.*) is no whole number from (\S+) to (\S+)",
        r"аргумент \1: \2 — не целое число от \3 до \4",
    ),
    (r"argument (\S+): (.*) is not a name of a file", r"аргумент \1: \2 — не имя файла"),
    (r"ambiguous option: (\S+) could match (.*)", r"неоднозначно: \1 может значить \2"),
)


def _russian(message: str) -> str:
    for english, russian in _ARGPARSE:
        if found := re.fullmatch(english, message, re.DOTALL):
            return found.expand(russian)
    return message


#: Seeds and numbers of games are words of 64 bits.
_WORD = 2**63
#: The most games that are told or tried one by one.
_MOST_TOLD, _MOST_DEALS = 100_000, 100_000_000


def _whole(low: int, high: int) -> Callable[[str], int]:
    """Reads a whole number of a range, also written 1e6 or 1_000_000."""

    def read(text: str) -> int:
        with suppress(ValueError, ArithmeticError):
            number = Decimal(text.replace("_", ""))
            if low <= number <= high and number == int(number):
                return int(number)
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {low} to {high}")

    return read


#: Any such word; what it has to be is for the game to say.
_NUMBER = _whole(-_WORD, _WORD - 1)


def _path(text: str) -> Path:
    """The path of a file; an empty one, which Python takes for the folder one is in, is a mistake."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a name of a file")
    return Path(text)


def _parser(lang: Lang) -> argparse.ArgumentParser:
    def text(key: str) -> str:
        return HELP[key].of(lang).replace("%", "%%")

    parser = _Parser(prog="playmill", description=text("about"), allow_abbrev=False)
    parser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=text("lang"))
    parser.add_argument("--version", action="version", version=f"playmill {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def command(name: str, run: Any, *, game: bool = True) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text(name), description=text(name), allow_abbrev=False)
        made.set_defaults(run=run)
        if game:
            made.add_argument("game", metavar="GAME", help=text("game"))
        made.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=text("lang"))
        return made

    def table(made: argparse.ArgumentParser, *, sizes: bool = False) -> None:
        if sizes:
            made.add_argument("--players", type=_NUMBER, nargs="+", metavar="N", help=text("sizes"))
        else:
            made.add_argument("--players", type=_NUMBER, metavar="N", help=text("players"))
        made.add_argument("--seed", type=_NUMBER, default=0, metavar="S", help=text("seed"))
        made.add_argument("--agents", nargs="+", default=["random"], metavar="AGENT", help=text("who"))
        made.add_argument("--config", type=_path, metavar="FILE", help=text("file"))
        made.add_argument("--set", nargs="+", action="extend", default=[], metavar="PATH=VALUE", help=text("set"))

    def looked_at(made: argparse.ArgumentParser) -> None:
        made.add_argument("--boards", action="store_true", help=text("boards"))
        made.add_argument("--step", action="store_true", help=text("step"))

    command("games", _games, game=False)
    command("config", _config).add_argument("--schema", action="store_true", help=text("schema"))
    command("agents", _agents)
    show = command("show", _show)
    table(show)
    show.add_argument("--number", type=_whole(0, _WORD - 1), default=0, metavar="N", help=text("which"))
    looked_at(show)
    simulate = command("simulate", _simulate)
    table(simulate, sizes=True)
    simulate.add_argument("--games", type=_whole(1, _WORD - 1), default=10_000, metavar="N", help=text("number"))
    simulate.add_argument("--workers", type=_whole(1, 1024), metavar="K", help=text("workers"))
    simulate.add_argument("--backend", choices=("cpu", "cuda", "interpreted"), default="cpu", help=text("backend"))
    simulate.add_argument("--strict", action="store_true", help=text("strict"))
    for name in ("out", "csv", "html"):
        simulate.add_argument(f"--{name}", type=_path, metavar="FILE", help=text(name))
    simulate.add_argument("--trace", type=_whole(0, _MOST_TOLD), default=0, metavar="N", help=text("trace"))
    simulate.add_argument("--trace-out", type=_path, metavar="FILE", help=text("trace_out"))
    simulate.add_argument("--fallbacks", type=_path, metavar="FILE", help=text("fallbacks"))
    simulate.add_argument("--quiet", action="store_true", help=text("quiet"))
    content = command("content", _content)
    what = content.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help=text("content_list"))
    what.add_argument("--schema", action="store_true", help=text("content_schema"))
    what.add_argument("--check", nargs="+", type=_path, metavar="FILE", help=text("content_check"))
    content.add_argument("--content", nargs="+", type=_path, default=[], metavar="FILE", help=text("content_files"))
    worth = command("worth", _worth)
    worth.add_argument("--content", nargs="+", type=_path, default=[], metavar="FILE", help=text("content_files"))
    worth.add_argument("--games", type=_whole(1, _MOST_DEALS), default=100_000, metavar="N", help=text("deals"))
    worth.add_argument("--seed", type=_NUMBER, default=0, metavar="S", help=text("seed"))
    worth.add_argument("--agents", nargs="+", metavar="AGENT", help=text("worth_agents"))
    worth.add_argument("--only", nargs="+", default=[], metavar="ID", help=text("only"))
    worth.add_argument("--config", type=_path, metavar="FILE", help=text("file"))
    worth.add_argument("--set", nargs="+", action="extend", default=[], metavar="PATH=VALUE", help=text("set"))
    worth.add_argument("--workers", type=_whole(1, 1024), metavar="K", help=text("workers"))
    worth.add_argument("--out", type=_path, metavar="FILE", help=text("out"))
    worth.add_argument("--csv", type=_path, metavar="FILE", help=text("worth_csv"))
    recording = command("record", _record)
    table(recording)
    recording.add_argument("--number", type=_whole(0, _WORD - 1), default=0, metavar="N", help=text("which"))
    recording.add_argument("--out", type=_path, metavar="FILE", help=text("record_out"))
    replaying = command("replay", _replay, game=False)
    replaying.add_argument("file", type=_path, metavar="FILE", help=text("replay_file"))
    replaying.add_argument("--game", metavar="FOLDER", help=text("replay_game"))
    looked_at(replaying)
    replaying.add_argument("--gif", type=_path, metavar="FILE", help=text("gif"))
    replaying.add_argument("--svg", type=_path, metavar="FILE", help=text("svg"))
    replaying.add_argument("--quiet", action="store_true", help=text("quiet"))
    maps = command("map", _map)
    what = maps.add_mutually_exclusive_group()
    what.add_argument("--show", metavar="NAME|FILE", help=text("map_show"))
    what.add_argument("--check", nargs="+", type=_path, metavar="FILE", help=text("map_check"))
    what.add_argument("--schema", action="store_true", help=text("map_schema"))
    what.add_argument("--size", metavar="ROWSxCOLS", help=text("map_size"))
    maps.add_argument("--holes", metavar="SHARE", help=text("map_holes"))
    maps.add_argument("--strong", metavar="SHARE", help=text("map_strong"))
    maps.add_argument("--symmetric", type=int, choices=(0, 2, 3, 6), help=text("map_symmetric"))
    maps.add_argument("--players", type=_NUMBER, metavar="N", help=text("map_players"))
    maps.add_argument("--seed", type=_NUMBER, metavar="S", help=text("map_seed"))
    maps.add_argument("--name", metavar="NAME", help=text("map_name"))
    maps.add_argument("--out", type=_path, metavar="FILE", help=text("map_out"))
    command("check", _check)
    bench = command("bench", _bench, game=False)
    bench.add_argument("games", nargs="*", metavar="GAME", help=text("bench_games"))
    bench.add_argument("--seconds", type=float, default=2.0, metavar="S", help=text("seconds"))
    bench.add_argument("--out", type=_path, metavar="FILE", help=text("out"))
    return parser


def _games(options: argparse.Namespace, lang: Lang) -> int:
    from rich.table import Table

    from playmill.engine.game import game_names, load_game

    table = Table(box=None, pad_edge=False)
    for title in (Text("game", "игра"), Text("players", "игроков"), Text("about", "о чём")):
        table.add_column(title.of(lang))
    for name in game_names():
        game = load_game(name)
        low, high = game.players
        table.add_row(
            name, str(low) if low == high else f"{low}–{high}", f"{game.title.of(lang)}: {game.about.of(lang)}"
        )
    _console().print(table)
    return 0


def _config(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.engine.game import load_game

    model = load_game(options.game).config
    data = model.model_json_schema() if options.schema else model().model_dump(mode="json")
    print_json(data)
    return 0


def _agents(options: argparse.Namespace, lang: Lang) -> int:
    from rich.table import Table

    from playmill.agents import search
    from playmill.engine.game import load_game

    game = load_game(options.game)
    table = Table(box=None, pad_edge=False)
    for title in (Text("agent", "агент"), Text("what it does", "что делает"), Text("parameters", "параметры")):
        table.add_column(title.of(lang))
    listed = [(name, agent.about, agent.parameters) for name, agent in game.agents.items()]
    for name, about, known in (*listed, (search.NAME, search.ABOUT, search.PARAMETERS)):
        parameters = (f"{key}={p.default:g} ({p.low:g} … {p.high:g}): {p.about.of(lang)}" for key, p in known.items())
        table.add_row(name, about.of(lang), "\n".join(parameters))
    _console().print(table)
    return 0


def _show(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.engine.config import load_config
    from playmill.engine.game import load_game
    from playmill.lab.show import moments, tell

    game = load_game(options.game)
    config = load_config(game.config, options.config, options.set)
    players = options.players if options.players is not None else game.players[0]
    game.check_players(players)
    told = moments(
        game,
        players=players,
        seed=options.seed,
        agents=options.agents,
        config=config,
        lang=lang,
        number=options.number,
        boards=options.boards or options.step,
    )
    tell(told, lang, step=options.step)
    return 0


def _simulate(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.lab.command import simulate_command

    return simulate_command(options, lang)


def _content(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.lab.content import content_command

    return content_command(options, lang)


def _map(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.engine.game import load_game

    game = load_game(options.game)
    if game.maps is None:
        raise PlaymillError(f"{game.name} has no maps", f"у {game.name} нет карт")
    return int(game.maps.map_command(options, lang))


def _worth(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.lab.worth import worth_command

    return worth_command(options, lang)


def _record(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.lab.replay_command import record_command

    return record_command(options, lang)


def _replay(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.lab.replay_command import replay_command

    return replay_command(options, lang)


def _check(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.engine.check import CheckError, check_game
    from playmill.engine.game import load_game

    game = load_game(options.game)
    try:
        with _console(stderr=True).status("…") as status:
            check_game(game, progress=status.update)
    except CheckError as error:
        raise PlaymillError(
            f"{game.name} breaks a promise: {error}", f"{game.name} нарушает договор: {error}"
        ) from None
    print(Text(f"{game.name} keeps the contract", f"{game.name} выполняет договор").of(lang))
    return 0


def _bench(options: argparse.Namespace, lang: Lang) -> int:
    from playmill.lab.bench import bench_command

    return bench_command(options, lang)


def _console(*, stderr: bool = False) -> Any:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)
