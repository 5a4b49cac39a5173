"""Merges pieces of one run that were played apart, on several machines, into a new kept run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from playmill.home import make_private
from playmill.lab.runs.plan import changes
from playmill.lab.runs.store.blocks import Blocks
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import (
    COUNTS,
    MANIFEST,
    KeptChunk,
    Manifest,
    flush_folder,
    write_aside,
    write_through,
)
from playmill.lab.runs.store.reader import PLAN, RUN, KeptRun, check_name, folder_of, run_label
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.report.files.writing import saved_text
from playmill.texts import PlaymillError


def merge(runs: Sequence[KeptRun], name: str) -> KeptRun:
    """Makes a new run of the games of all these; duplicates count once. The manifest, last, makes it a run.

    It has single games if all of them do. What lies between the pieces is missing, and can be played by resuming it.
    """
    check_name(name)
    first = runs[0]
    for run in runs[1:]:
        _check_same(first, run)
    rows = all(run.has_rows for run in runs)
    chosen = _chosen(runs)
    folder = folder_of(name)
    try:
        for below in ("counts", "rows"):
            make_private(folder / below)
    except OSError as error:
        raise cannot_write(folder, reason_of(error)) from None
    with RunLock(folder, run_label(folder)):
        if (folder / MANIFEST).exists():
            raise PlaymillError(
                f"there is a run {name} already; choose another name", f"прогон {name} уже есть; выберите другое имя"
            )
        ends = (min(run.manifest.first for run in runs), max(run.manifest.end for run in runs))
        made = Manifest(first.plan.digest, *ends, rows, form=max(run.manifest.form for run in runs))
        for run, chunk in chosen:
            made.done[chunk.first] = _copied(run, chunk, folder, rows=rows)
        made.sessions = [session for run in runs for session in run.manifest.sessions]
        about = {
            **first.about,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "merged": [str(run.folder) for run in runs],
        }
        for below in ("counts", "rows"):
            flush_folder(folder / below)
        write_through(folder / PLAN, saved_text(first.plan.json()).encode())
        write_through(folder / RUN, saved_text(about).encode())
        made.write(folder / MANIFEST)
        flush_folder(folder.parent)
        run = KeptRun.open(folder)
        with suppress(PlaymillError):
            blocks = Blocks(run)
            blocks.write(blocks.all_whole())
    return run


def _check_same(one: KeptRun, other: KeptRun) -> None:
    """Raises unless these are pieces of one run."""
    if one.plan != other.plan:
        found = changes(one.plan, other.plan)
        raise PlaymillError(
            f"{one.source} and {other.source} are not pieces of one run: {'; '.join(text.en for text in found)}",
            f"{one.source} и {other.source} — не части одного прогона: {'; '.join(text.ru for text in found)}",
        )


def _chosen(runs: Sequence[KeptRun]) -> list[tuple[KeptRun, KeptChunk]]:
    """Returns every game once, in order: of chunks and blocks that begin together the longest, none inside another."""
    every = [(chunk, run) for run in runs for chunk in run.chunks]
    every.sort(key=lambda one: (one[0].first, -one[0].games))
    found: list[tuple[KeptRun, KeptChunk]] = []
    for chunk, run in every:
        if not found or chunk.first >= found[-1][1].end:
            found.append((run, chunk))
            continue
        other, known = found[-1]
        same = (chunk.first, chunk.games) == (known.first, known.games)
        if chunk.end > known.end or (same and chunk.files[COUNTS].sha256 != known.files[COUNTS].sha256):
            games = f"{chunk.first} … {min(chunk.end, known.end) - 1}"
            raise PlaymillError(
                f"games {games} came out differently in {other.source} and {run.source}, though the plan is one",
                f"партии {games} в {other.source} и в {run.source} закончились по-разному, хотя план один",
            )
    return found


def _copied(run: KeptRun, chunk: KeptChunk, folder: Path, *, rows: bool) -> KeptChunk:
    """Copies a chunk's files to another folder, checking them on the way."""
    files = {kind: file for kind, file in chunk.files.items() if rows or kind == COUNTS}
    for kind, file in files.items():
        write_aside(folder / file.path, run.contents(chunk, kind))
    return KeptChunk(chunk.first, chunk.games, files)
