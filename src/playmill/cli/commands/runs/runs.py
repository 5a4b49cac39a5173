"""`playmill runs`: lists or removes kept runs, and whatever else is kept."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.cli.command import Command, Group
from playmill.cli.parser import Parser
from playmill.cli.shared.kept_works import all_works, find_work, remove, work_names
from playmill.stdio import complain, print_json
from playmill.texts import Lang, PlaymillError, Text, one_line

if TYPE_CHECKING:
    from playmill.lab.runs.store import KeptRun

_ABOUT = Text(
    "list the kept runs, audits, tunings and other questions, or remove some of them",
    "список сохранённого — прогонов, аудитов, подборов и других вопросов, — удаление ненужного",
)
_REMOVE = Text("remove these", "удалить их")
_JSON = Text("print the list as JSON", "напечатать список в виде JSON")
_NAME, _FAR = Text("run", "прогон"), Text("how far", "сколько")
_SETTINGS = Text("agents, settings", "агенты, настройки")
_WHAT, _GAME = Text("what", "что"), Text("game", "игра")
_TITLES = (_NAME, _WHAT, _GAME, _SETTINGS, _FAR, Text("when", "когда"), Text("done", "готов"))
_ROTATED, _SEED = Text("rotated", "по кругу"), Text("seed {}", "сид {}")
_YES, _NO = Text("yes", "да"), Text("no", "нет")
_UNKNOWN = Text("its game is not found", "игра не найдена")
_NONE = Text("no runs are kept in {}", "в {} нет сохранённых прогонов")
_REMOVED = Text("removed {}", "удалён {}")
#: A change longer than this is cut in the list; a command than this.
_LONG, _LONG_COMMAND = 40, 100
#: Kinds of which the finished share is shown.
_SHARED = ("audit", "laboratory", "learn")


def _options(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group()
    parser.option("--remove", _REMOVE, nargs="+", metavar="RUN", within=what)
    parser.flag("--json", _JSON, within=what)


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Lists what is kept, or removes some of it; runs that cannot be read get a sentence each."""
    from playmill.lab.runs.store import all_runs, runs_folder

    if options.remove:
        return _remove(options.remove, lang)
    runs, troubles = all_runs()
    listed = [*map(_facts, runs), *(work.json(sized=options.json) for work in all_works())]
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
    """Removes what is kept, damaged or not; if one is not there, none is removed, and one in use stays."""
    from playmill.lab.runs.store.reader import find_folder, remove_folder, run_label

    trouble: PlaymillError | None = None
    for found in dict.fromkeys([find_work(name) or find_folder(name, work_names()) for name in names]):
        try:
            if isinstance(found, Path):
                source = run_label(found)
                remove_folder(found)
            else:
                source = found.name
                remove(found)
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
        "kind": "run",
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
        Column(title.of(lang), right=title is _FAR, broken=title is _SETTINGS, names=title is _NAME)
        for title in _TITLES
    ]
    rows = [
        (
            run["run"],
            run["kind"],
            one_line(run["game"]),
            "\n".join([_who(run, lang), *_changes(run["changes"], lang)] if run["kind"] == "run" else _asked(run)),
            _far(run, lang),
            _day(run["last"]),
            "—" if run["complete"] is None else (_YES if run["complete"] else _NO).of(lang),
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


def _asked(work: dict[str, Any]) -> list[str]:
    """Returns what was asked: the command without its name and the game."""
    text = one_line(work["command"] or "—")
    words = text.split(maxsplit=3)
    asked = words[3] if words[0] == "playmill" and len(words) > 3 else text
    return [asked if len(asked) <= _LONG_COMMAND else asked[: _LONG_COMMAND - 1] + "…"]


def _far(run: dict[str, Any], lang: Lang) -> str:
    """Returns how much is played: games, deals, readings; of an audit the share."""
    from playmill.report.number_format import decimal

    done, requested = run["games"] if run["kind"] == "run" else run["done"], run["requested"]
    if run["kind"] in _SHARED:
        return f"{decimal(100 * done / requested, 0, lang)} %" if requested else "—"
    if run["complete"] is None and not done:
        return "—"
    played = decimal(done, 0, lang)
    return played if run["complete"] or not requested else f"{played} / {decimal(requested, 0, lang)}"


def _day(moment: str) -> str:
    """Returns the day of a moment, in the time of this machine."""
    try:
        return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d}"
    except (TypeError, ValueError):
        return "—"


COMMAND = Command("runs", _ABOUT, Group.RUNS, 10, _options, _run)
