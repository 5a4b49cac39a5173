"""The single games of a kept run as CSV: from its rows, or played again and compared with what it counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import polars

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.config.paths import same_folder
from playmill.engine.contract.agent import Preparing
from playmill.lab.runs.executors.place import Wanted
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.frames import CsvRows
from playmill.lab.runs.parts import Part
from playmill.lab.runs.resolved_plan import Cast, Work
from playmill.lab.runs.simulate import Progress
from playmill.lab.runs.store import KeptRun
from playmill.lab.runs.store.archive import Chunker
from playmill.lab.runs.store.chunks import counts_text
from playmill.lab.runs.store.manifest import COUNTS, SEATS, KeptChunk, hash_of
from playmill.report.draft import Draft
from playmill.stopping import interrupt
from playmill.texts import PlaymillError


def write_csv(
    run: KeptRun,
    path: Path,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    preparing: Preparing | None = None,
) -> None:
    """Writes one row a game and seat, as `simulate --csv` does; a file that is not whole is not left behind."""
    if run.has_rows:
        _write_kept(run, path, progress)
        return
    rows = CsvRows(path, {run.plan.players: run.plan.names}, {run.plan.players: run.plan.rotations})
    try:
        cast = run.cast()
        cast.learn(preparing)
        done = 0
        for part in _played_again(run, cast, workers):
            rows.add(run.plan.players, part)
            done += part.games
            if progress is not None:
                progress(done)
    except BaseException:
        rows.abandon()
        raise
    rows.finish()


def _write_kept(run: KeptRun, path: Path, progress: Progress | None) -> None:
    done = 0
    with Draft(path) as draft:
        for chunk in run.chunks:
            seats = polars.read_parquet(BytesIO(run.contents(chunk, SEATS)))
            draft.write(seats.write_csv(include_header=not done).encode("utf-8", errors="backslashreplace"))
            done += chunk.games
            if progress is not None:
                progress(done)


def _played_again(run: KeptRun, cast: Cast, workers: int | None) -> Iterator[Part]:
    """The games of a run once more; raises if they do not come out as they were counted."""
    with same_folder(), interrupt() as stop:
        place = Threads(cast, Work("cpu", False, Fallbacks(), stop), workers)
        place.prepare(Wanted(edge=run.plan.chunk))
        for span in _spans(run.chunks):
            chunker = Chunker(cast, span.stop, rows=False)
            for part in place.play([span]):
                for whole in chunker.add(part):
                    _compare(run, whole)
                yield part
            if stop():
                raise KeyboardInterrupt


def _spans(chunks: Sequence[KeptChunk]) -> Iterator[range]:
    """The games of these chunks, those that follow one another together."""
    first = end = 0
    for chunk in chunks:
        if chunk.first != end:
            if end > first:
                yield range(first, end)
            first = chunk.first
        end = chunk.end
    if end > first:
        yield range(first, end)


def _compare(run: KeptRun, part: Part) -> None:
    if hash_of(counts_text(part)) != run.manifest.done[part.first].files[COUNTS].sha256:
        games = f"{part.first} … {part.end - 1}"
        raise PlaymillError(
            f"run {run.source}: games {games}, played again, do not come out as they were counted",
            f"прогон {run.source}: партии {games}, сыгранные снова, закончились не так, как посчитано",
        )
