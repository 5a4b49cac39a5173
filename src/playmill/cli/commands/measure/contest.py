"""`playmill contest`: creates, runs, serves and shows a contest in a folder; hands in a bot to one that is served."""

from __future__ import annotations

import argparse
from typing import Any

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser, name, path, whole
from playmill.texts import Lang, PlaymillError, Text, one_line

_ABOUT = Text(
    "run a contest of bots from a folder, or serve it: people hand in by browser or by contest submit URL FOLDER",
    "провести соревнование ботов из папки или открыть его: ботов присылают из браузера или contest submit URL FOLDER",
)
_FOLDER = Text(
    "the contest's folder, with contest.toml in it; or the word submit",
    "папка соревнования, в ней contest.toml; или слово submit",
)
_SUBMIT = Text(
    "after submit: the address of a contest, and the bot's folder or file",
    "после submit: адрес соревнования и папка или файл бота",
)
_SERVE = Text(
    "open the contest in a browser: people register, hand in, and watch", "открыть соревнование в браузере для всех"
)
_HOST = Text(
    "with --serve: address to listen at (127.0.0.1: this machine only; 0.0.0.0: the whole network)",
    "вместе с --serve: адрес, который слушать (127.0.0.1 — только этот компьютер; 0.0.0.0 — вся сеть)",
)
_PORT = Text("with --serve: port (the last one, 8317, or any free one)", "вместе с --serve: порт")
_NO_OPEN = Text("with --serve: do not open a browser", "вместе с --serve: не открывать браузер")
_TOKEN = Text(
    "with submit: your token (or in the variable PLAYMILL_TOKEN)",
    "вместе с submit: ваш токен (или в переменной PLAYMILL_TOKEN)",
)
_REGISTER = Text(
    "with submit: register under this name first; your token is printed, keep it",
    "вместе с submit: сначала записаться под этим именем; будет напечатан токен, сохраните его",
)
_INVITATION = Text(
    "with --register: an invitation, where one is needed", "вместе с --register: приглашение, если нужно"
)
_REGISTERED = Text("You are {}. Your token, shown once: {}", "Вы — {}. Ваш токен, он показан один раз: {}")
_TAKEN = Text("Version {} is in the queue: {}", "Версия {} в очереди: {}")
_PLACED = Text(
    "place {}, rating {:.0f} [{:.0f}; {:.0f}] after {} games", "место {}, рейтинг {:.0f} [{:.0f}; {:.0f}], партий: {}"
)
_KNOWN = Text("This is your version {} already: {}", "Это уже ваша версия {}: {}")
_WATCH = Text("go on looking for new submissions until Ctrl-C", "ждать новых заявок до Ctrl-C")
_STATUS = Text("show how it stands, and play nothing", "показать, как дела, и ничего не играть")
_LOOK = Text("show an entrant's games, what went wrong, and its stderr", "показать партии участника, сбои и его stderr")
_NEW = Text(
    "begin a contest in this game: rules and a first bot", "начать соревнование по этой игре: правила и первый бот"
)
_TIME = Text("play at most so long: 90s, 10m, 2h", "играть не дольше: 90s, 10m, 2h")
_JSON = Text("print it as JSON", "напечатать в виде JSON")
_CLOSED = Text(
    "The contest is closed: nothing new is taken, and its seed is told.",
    "Соревнование закрыто: новое не берут, сид опубликован.",
)
_WROTE = Text("The ladder is in {}", "Лестница — в {}")


def _options(parser: Parser) -> None:
    parser.option("folder", _FOLDER, type=path, metavar="DIR")
    parser.option("bot", _SUBMIT, nargs="*", type=name, metavar="URL FOLDER")
    what = parser.add_mutually_exclusive_group()
    parser.flag("--watch", _WATCH, within=what)
    parser.flag("--serve", _SERVE, within=what)
    parser.flag("--status", _STATUS, within=what)
    parser.option("--new", _NEW, within=what, type=name, metavar="GAME")
    parser.option("--entrant", _LOOK, within=what, type=name, metavar="NAME")
    parser.option("--host", _HOST, default="127.0.0.1", metavar="ADDRESS")
    parser.option("--port", _PORT, type=whole(0, 65535), metavar="N")
    parser.flag("--no-open", _NO_OPEN)
    parser.option("--token", _TOKEN, type=name, metavar="TOKEN")
    parser.option("--register", _REGISTER, type=name, metavar="NAME")
    parser.option("--invitation", _INVITATION, type=name, metavar="CODE")
    parser.option("--time", _TIME, metavar="T")
    shared.where(parser)
    parser.flag("--json", _JSON)
    shared.quiet(parser)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Runs the contest, or shows how it stands."""
    from rich.console import Console

    from playmill.cli.shared.kept_runs import WROTE
    from playmill.engine.config.input_files import same_folder
    from playmill.interrupts import interrupt
    from playmill.lab.contests.hosted.contest import contest_in
    from playmill.lab.io.progress import telling_bar
    from playmill.report.commands.contest import print_looked, print_submissions
    from playmill.report.commands.tournament import print_ladder
    from playmill.stdio import print_json

    if str(options.folder) == "submit" and options.bot:
        return _submit(options, lang)
    if options.bot:
        words = " ".join(options.bot)
        raise PlaymillError(
            f"contest takes one folder; what is {words!r}?", f"contest берёт одну папку; что такое {words!r}?"
        )
    if options.serve:
        from playmill.web.contest.serve import ContestServerSettings, serve_contest

        settings = ContestServerSettings(
            options.folder, options.host, options.port, options.workers, options.on, not options.no_open
        )
        return serve_contest(settings, lang, say=lambda line: print(line, flush=True))
    if options.new is not None:
        from playmill.lab.contests.contest.scaffold import create_contest

        for file in create_contest(options.folder, options.new, lang):
            print(WROTE.of(lang).format(file))
        return 0
    seconds = shared.seconds(options.time)
    console = Console(highlight=False)
    if options.entrant is not None:
        looked = contest_in(options.folder).look_at(options.entrant)
        if options.json:
            print_json(looked.json())
        else:
            print_looked(console, looked, lang)
        return 0
    with interrupt(), same_folder():
        if options.status:
            standing = contest_in(options.folder).standing()
        else:
            with telling_bar(lang, quiet=options.quiet) as telling:
                contest = contest_in(options.folder, workers=options.workers, on=options.on, telling=telling)
                standing = contest.run(watch=options.watch, seconds=seconds)
    if options.json:
        print_json(standing.json())
    elif not options.quiet:
        if standing.ladder is not None:
            print_ladder(console, standing.ladder, lang)
        print_submissions(console, standing.submissions, lang)
        if standing.closed:
            console.print(_CLOSED.of(lang))
        if standing.ladder is not None and not options.status:
            page = standing.folder / ("ladder.html" if lang == "en" else f"ladder.{lang}.html")
            console.print(_WROTE.of(lang).format(page), markup=False, soft_wrap=True)
    return 0


def _submit(options: argparse.Namespace, lang: Lang) -> int:
    """Hands in a bot, and tells what becomes of it until it is through."""
    import os
    from pathlib import Path

    from playmill.lab.contests.hosted.submit import ContestClient, packed
    from playmill.stdio import print_json

    if len(options.bot) != 2:
        raise PlaymillError(
            "contest submit takes the address of a contest and the bot's folder or file",
            "contest submit берёт адрес соревнования и папку или файл бота",
        )
    token = options.token or ("" if options.register else os.environ.get("PLAYMILL_TOKEN", ""))
    if not token and not options.register:
        raise PlaymillError(
            "a token is needed: --token TOKEN, or the variable PLAYMILL_TOKEN; it was shown when you registered, which "
            "--register NAME does",
            "нужен токен: --token ТОКЕН или переменная PLAYMILL_TOKEN; он был показан при регистрации, а записаться "
            "можно с --register ИМЯ",
        )
    address, bot = options.bot
    path = Path(bot)
    client = ContestClient(address, token, lang)
    packed(path)  # raises what is wrong with it before a name is taken
    if options.register:
        token = client.register(options.register, options.invitation or "")
        if not options.json:
            print(_REGISTERED.of(lang).format(options.register, one_line(token)), flush=True)
    taken: dict[str, Any] = {"token": token} if options.register else {}
    taken |= client.submit(path)
    page = f"{address.rstrip('/')}{taken['to']}"
    if not options.json:
        print((_TAKEN if taken["new"] else _KNOWN).of(lang).format(taken["version"], page), flush=True)
    if options.quiet:
        return 0
    found = client.wait(taken["version"], lambda text: None if options.json else print(f"  {text}", flush=True))
    if options.json:
        print_json({**taken, **found})
    elif found["why"]:
        raise PlaymillError(str(found["why"]), str(found["why"]))  # the server speaks the language it was asked in
    elif found["figures"]:
        figures, rating = found["figures"], found["figures"]["rating"]
        places = "–".join(str(place) for place in sorted(set(figures["places"])))
        print(_PLACED.of(lang).format(places, rating["value"], rating["low"], rating["high"], figures["games"]))
    return 0


COMMAND = Command("contest", _ABOUT, Group.MEASURE, 26, _options, _run)
