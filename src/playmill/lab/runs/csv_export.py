"""Exports the single games of a kept run as CSV: from its stored rows, or by replaying and comparing the counts."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import polars

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.config.input_files import same_folder
from playmill.engine.contract.agent import Preparing
from playmill.interrupts import interrupt
from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.game_frames import CsvRows
from playmill.lab.runs.game_ranges import joined_ranges
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.lab.runs.simulate import Progress
from playmill.lab.runs.store import KeptRun
from playmill.lab.runs.store.blocks import block_of
from playmill.lab.runs.store.chunk_files import counts_text
from playmill.lab.runs.store.manifest import COUNTS, SEATS, hash_of
from playmill.lab.runs.store.recorder import Chunker
from playmill.report.files.atomic_file import AtomicFile
from playmill.texts import PlaymillError


def write_csv(
    run: KeptRun,
    path: Path,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    preparing: Preparing | None = None,
) -> None:
    """Writes one row per game and seat, as `simulate --csv` does; no partial file is left behind."""
    if run.has_rows:
        _write_kept(run, path, progress)
        return
    rows = CsvRows(path, {run.plan.players: run.plan.names}, {run.plan.players: run.plan.rotations})
    try:
        resolved = run.resolved()
        resolved.learn(preparing)
        done = 0
        for part in _played_again(run, resolved, workers):
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
    with AtomicFile(path) as draft:
        for chunk in run.chunks:
            seats = polars.read_parquet(BytesIO(run.contents(chunk, SEATS)))
            draft.write(seats.write_csv(include_header=not done).encode("utf-8", errors="backslashreplace"))
            done += chunk.games
            if progress is not None:
                progress(done)


def _played_again(run: KeptRun, resolved: ResolvedPlan, workers: int | None) -> Iterator[FinishedGames]:
    """Replays the games of a run; raises if they do not come out as they were counted."""
    with same_folder(), interrupt() as stop:
        executor = Threads(resolved, ExecutionOptions("cpu", False, Fallbacks(), stop), workers)
        executor.prepare(RequestedOutput(edge=run.plan.chunk))
        for span in joined_ranges(range(chunk.first, chunk.end) for chunk in run.chunks):
            chunker = Chunker(resolved, span.stop, rows=False)
            block: FinishedGames | None = None
            for part in executor.play([span]):
                for whole in chunker.add(part):
                    block = whole if block is None else block_of([block, whole])
                    if block.games == run.manifest.done[block.first].games:
                        _compare(run, block)
                        block = None
                yield part
            if stop():
                raise KeyboardInterrupt


def _compare(run: KeptRun, part: FinishedGames) -> None:
    if hash_of(counts_text(part)) != run.manifest.done[part.first].files[COUNTS].sha256:
        games = f"{part.first} … {part.end - 1}"
        raise PlaymillError(
            f"run {run.source}: games {games}, played again, do not come out as they were counted",
            f"прогон {run.source}: партии {games}, сыгранные снова, закончились не так, как посчитано",
        )
