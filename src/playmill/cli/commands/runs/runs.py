"""`playmill runs`: lists or removes kept runs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.stdio import complain, print_json
from playmill.texts import Lang, PlaymillError, Text, one_line

if TYPE_CHECKING:
    from playmill.lab.runs.store import KeptRun

_ABOUT = Text("list the kept runs, or remove some of them", "список сохранённых прогонов, удаление ненужных")
_REMOVE = Text("remove these runs", "удалить эти прогоны")
_JSON = Text("print the list as JSON", "напечатать список в виде JSON")
_NAME, _GAMES = Text("run", "прогон"), Text("games", "партий")
_SETTINGS = Text("agents, changed settings", "агенты, изменённые настройки")
_TITLES = (_NAME, Text("game", "игра"), _SETTINGS, _GAMES, Text("when", "когда"), Text("done", "готов"))
_ROTATED, _SEED = Text("rotated", "по кругу"), Text("seed {}", "сид {}")
_YES, _NO = Text("yes", "да"), Text("no", "нет")
_UNKNOWN = Text("its game is not found", "игра не найдена")
_NONE = Text("no runs are kept in {}", "в {} нет сохранённых прогонов")
_REMOVED = Text("removed {}", "удалён {}")
#: A change longer than this is cut in the list.
_LONG = 40


def _options(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group()
    parser.option("--remove", _REMOVE, nargs="+", metavar="RUN", within=what)
    parser.flag("--json", _JSON, within=what)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Lists the kept runs, or removes some; runs that cannot be read get a sentence each."""
    from playmill.lab.runs.store import all_runs, runs_folder

    if options.remove:
        return _remove(options.remove, lang)
    runs, troubles = all_runs()
    listed = [_facts(run) for run in runs]
    if options.json:
        print_json(listed)
    elif listed:
        _print(listed, lang)
    elif not troubles:
        print(_NONE.of(lang).format(runs_folder()))
    for trouble in troubles:
        complain(trouble.text.of(lang))
    return 0


def _remove(names: Sequence[str], lang: Lang) -> int:
    """Removes runs, damaged ones too; if one is not there, none is removed, and one in use stays."""
    from playmill.lab.runs.store.reader import find_folder, remove_folder, run_label

    trouble: PlaymillError | None = None
    for folder in dict.fromkeys([find_folder(name) for name in names]):
        source = run_label(folder)
        try:
            remove_folder(folder)
            print(_REMOVED.of(lang).format(source))
        except PlaymillError as error:
            trouble = trouble or error
    if trouble is not None:
        raise trouble
    return 0


def _facts(run: KeptRun) -> dict[str, Any]:
    """Returns what there is to know of a run without reading its chunks."""
    from playmill.engine.config.model import differences

    try:
        changes = differences(run.game.config.read(run.plan.config, run.source))
    except PlaymillError:
        changes = None
    plan, manifest = run.plan, run.manifest
    return {
        "run": run.name,
        "folder": str(run.folder),
        "game": plan.game,
        "players": plan.players,
        "agents": list(plan.names),
        "rotated": plan.rotated,
        "seed": plan.seed,
        "changes": changes,
        "first": manifest.first,
        "games": run.games,
        "requested": run.requested,
        "complete": run.complete,
        "rows": run.has_rows,
        "created": run.about["created"],
        "last": manifest.sessions[-1]["when"] if manifest.sessions else run.about["created"],
        "bytes": sum(file.size for chunk in run.chunks for file in chunk.files.values()),
    }


def _print(listed: Sequence[dict[str, Any]], lang: Lang) -> None:
    from rich.console import Console

    from playmill.report.terminal.row_layout import Column, print_rows

    # A name that is broken in two cannot be copied.
    columns = [
        Column(title.of(lang), right=title is _GAMES, broken=title is _SETTINGS, names=title is _NAME)
        for title in _TITLES
    ]
    rows = [
        (
            run["run"],
            run["game"],
            "\n".join([_who(run, lang), *_changes(run["changes"], lang)]),
            _games(run, lang),
            _day(run["last"]),
            (_YES if run["complete"] else _NO).of(lang),
        )
        for run in listed
    ]
    print_rows(Console(), columns, rows)


def _who(run: dict[str, Any], lang: Lang) -> str:
    """Returns who plays, and with which seed unless it is the default."""
    names = run["agents"]
    parts = [f"{names[0]} ×{len(names)}"] if len(set(names)) == 1 and len(names) > 1 else list(names)
    parts += [_ROTATED.of(lang)] if run["rotated"] else []
    parts += [_SEED.of(lang).format(run["seed"])] if run["seed"] else []
    return one_line(", ".join(parts))


def _changes(changes: dict[str, Any] | None, lang: Lang) -> list[str]:
    """Returns what differs from the rules, a line each."""
    if changes is None:
        return [_UNKNOWN.of(lang)]
    run_label = (one_line(f"{path}={json.dumps(value, ensure_ascii=False)}") for path, value in changes.items())
    return [text if len(text) <= _LONG else text[: _LONG - 1] + "…" for text in run_label]


def _games(run: dict[str, Any], lang: Lang) -> str:
    from playmill.report.number_format import decimal

    games, requested = (decimal(run[key], 0, lang) for key in ("games", "requested"))
    return games if run["complete"] else f"{games} / {requested}"


def _day(moment: str) -> str:
    """Returns the day of a moment, in the time of this machine."""
    try:
        return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"
    except (TypeError, ValueError):
        return "—"


COMMAND = Command("runs", _ABOUT, Group.RUNS, 10, _options, _run)
