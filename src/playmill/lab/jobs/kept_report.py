"""Subprocess that writes the report of a kept run, or of two compared, as files: `kept_report OUT RUN [OTHER]`.

Nothing is played. Adding up a long run, and a game from somebody's own folder, are no work for a server's own process.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playmill.texts import Lang, Text

RESULTS, TROUBLE = "results.json", "trouble.json"


def page_file(lang: Lang) -> str:
    """Returns the file of the page in a language."""
    return f"page.{lang}.html"


def main() -> int:
    """Writes the pages and the figures, or why there are none; always 0, since both are answers."""
    import traceback

    from playmill.lab.jobs.background_process import in_background
    from playmill.texts import PlaymillError, Text

    in_background()
    out, names = Path(sys.argv[1]), sys.argv[2:]
    try:
        _write(out, names)
    except PlaymillError as error:
        _tell(out, error.text)
    except Exception as error:
        traceback.print_exc()
        message = f"{type(error).__name__}: {error}"[:300]
        _tell(out, Text(f"this went wrong within Playmill ({message})", f"это ошибка самого Playmill ({message})"))
    return 0


def _write(out: Path, names: list[str]) -> None:
    from playmill.lab.decide.compare_kept import compare_kept
    from playmill.lab.runs.simulate import report_of
    from playmill.lab.runs.store import find_run
    from playmill.texts import LANGUAGES, PlaymillError

    runs = [find_run(name) for name in names]
    for run in runs:
        if not run.games:
            raise PlaymillError(
                f"run {run.source} has no finished games yet", f"в прогоне {run.source} ещё нет сыгранных партий"
            )
    if len(runs) > 1:
        compared = compare_kept(runs[0], runs[1])
        pages, saved = {lang: compared.page(lang) for lang in LANGUAGES}, compared.json()
    else:
        found = report_of(runs[0])
        pages = {lang: found.page(lang) for lang in LANGUAGES}
        saved = {"meta": found.info.json(), "results": found.results}
    for lang in LANGUAGES:
        (out / page_file(lang)).write_text(pages[lang], encoding="utf-8")
    (out / RESULTS).write_text(_json(saved), encoding="utf-8")


def _tell(out: Path, text: Text) -> None:
    (out / TROUBLE).write_text(_json(list(text)), encoding="utf-8")


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    from playmill.interrupts import run_program

    sys.exit(run_program(main))
