"""Writes kept runs chunk by chunk, so that after any interruption the next session continues."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from playmill.engine.lang import compiler
from playmill.home import make_private
from playmill.interrupts import undisturbed
from playmill.lab.runs.finished_games import FinishedGames, RunTotal
from playmill.lab.runs.game_ranges import GameRanges
from playmill.lab.runs.plan import changes
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.store.blocks import Blocks, block_sizes
from playmill.lab.runs.store.known_sources import remember
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import (
    ASIDE,
    FOLDERS,
    MANIFEST,
    Manifest,
    flush_folder,
    write_through,
)
from playmill.lab.runs.store.reader import (
    PLAN,
    RUN,
    KeptRun,
    check_name,
    folder_of,
    run_label,
    specs_of,
    tally_layout,
)
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.report.files.writing import saved_text
from playmill.texts import PlaymillError
from playmill.version import __version__

#: Finished chunks wait for the disk so long at most, and this many times as long as the last ones took to write.
_PAUSE, _SHARE = 1.0, 20.0
#: The most blocks of a kept run, or chunks where it has rows: each has a line in the manifest.
_MOST_BLOCKS, _MOST_WITH_ROWS = 1_000_000, 400_000


@contextmanager
def open_writer(
    resolved: ResolvedPlan, games: range, *, name: str | None = None, rows: bool = False, about: Mapping[str, Any]
) -> Iterator[RunWriter]:
    """Returns a writer for a run, which is created or continued; `about` describes this session.

    Raises if the run of that name is another one, or somebody else is playing it.
    """
    name = name or default_name(resolved, games)
    check_name(name)
    _check_size(resolved, games, rows=rows)
    specs = specs_of(resolved)
    folder = folder_of(name)
    try:
        for place in {folder, *(folder / below for below in FOLDERS.values())}:
            make_private(place)
    except OSError as error:
        raise cannot_write(folder, reason_of(error)) from None
    with RunLock(folder, run_label(folder)):
        if not (folder / MANIFEST).is_file():
            with undisturbed():
                _create(resolved, folder, games, specs, rows=rows)
        run = KeptRun.open(folder)
        _check_same(run, resolved, games, rows=rows)
        _grow(run, games.stop)
        yield RunWriter(run, resolved, about)


@contextmanager
def reopen_writer(
    run: KeptRun, resolved: ResolvedPlan, *, end: int | None = None, about: Mapping[str, Any]
) -> Iterator[RunWriter]:
    """Returns a writer for an existing run, up to the games it wants or to a later end."""
    with RunLock(run.folder, run.source):
        fresh = KeptRun.open(run.folder, game=run.named, agents=run.agents)
        if end is not None and end < fresh.manifest.end:
            raise PlaymillError(
                f"run {run.source} already has {fresh.requested} games; name more than that",
                f"в прогоне {run.source} уже {fresh.requested} партий; назовите больше",
            )
        if end is not None:
            _check_size(resolved, range(fresh.manifest.first, end), rows=fresh.has_rows)
        _grow(fresh, end if end is not None else fresh.manifest.end)
        yield RunWriter(fresh, resolved, about)


def _check_size(resolved: ResolvedPlan, games: range, *, rows: bool) -> None:
    """Raises if a run is too long to be kept."""
    most = _MOST_WITH_ROWS * resolved.plan.chunk if rows else _MOST_BLOCKS * block_sizes(resolved.plan)[-1]
    if len(games) > most:
        raise PlaymillError(
            f"a kept run of this kind has at most {most} games; without --keep (--no-keep) there is no limit",
            f"в таком сохранённом прогоне не больше {most} партий; без --keep (--no-keep) предела нет",
        )


def _grow(run: KeptRun, end: int) -> None:
    """Raises the number of games wanted, whatever becomes of this session."""
    if run.manifest.end != end:
        run.manifest.end = end
        run.manifest.write(run.folder / MANIFEST)


def default_name(resolved: ResolvedPlan, games: range) -> str:
    """Returns the name of a run that the user did not name."""
    return resolved.plan.name + (f"_{games.start}-{games.stop}" if games.start else "")


def _create(resolved: ResolvedPlan, folder: Path, games: range, specs: Any, *, rows: bool) -> None:
    """Writes what is known before the first game; the manifest comes last, and makes it a run."""
    about = {
        "game": resolved.reference,
        "agents": list(specs),
        "tally": tally_layout(resolved.game),
        "created": _now(),
        "made_by": _versions(),
    }
    remember(resolved.plan, resolved.reference, specs)
    write_through(folder / PLAN, saved_text(resolved.plan.json()).encode())
    write_through(folder / RUN, saved_text(about).encode())
    Manifest(resolved.plan.digest, games.start, games.stop, rows).write(folder / MANIFEST)
    flush_folder(folder.parent)


def _check_same(run: KeptRun, resolved: ResolvedPlan, games: range, *, rows: bool) -> None:
    """Raises unless the existing run is the one that is wanted."""
    if run.plan != resolved.plan:
        differing = changes(run.plan, resolved.plan)
        raise PlaymillError(
            f"there is another run {run.source}: {'; '.join(text.en for text in differing)}; choose another name",
            f"есть другой прогон {run.source}: {'; '.join(text.ru for text in differing)}; выберите другое имя",
        )
    if run.manifest.first != games.start:
        raise PlaymillError(
            f"run {run.source} begins with game {run.manifest.first}, not {games.start}; choose another name",
            f"прогон {run.source} начинается с партии {run.manifest.first}, а не {games.start}; выберите другое имя",
        )
    if run.manifest.end > games.stop:
        raise PlaymillError(
            f"run {run.source} already has {run.requested} games, more than {len(games)}: playmill report {run.name}",
            f"в прогоне {run.source} уже {run.requested} партий, больше, чем {len(games)}: playmill report {run.name}",
        )
    if rows != run.has_rows:
        kept = ("with", "с отдельными партиями") if run.has_rows else ("without", "без отдельных партий")
        raise PlaymillError(
            f"run {run.source} was begun {kept[0]} single games (--rows); choose another name to change that",
            f"прогон {run.source} начат {kept[1]} (--rows); чтобы изменить это, выберите другое имя",
        )


class RunWriter:
    """Writes the chunks of a run as they are finished, and holds the run's lock."""

    def __init__(self, run: KeptRun, resolved: ResolvedPlan, about: Mapping[str, Any]) -> None:
        self.run = run
        self._resolved = resolved
        self._whole: list[FinishedGames] = []
        self._session: dict[str, Any] = {"when": _now(), **about, **_versions(), "games": 0, "seconds": 0.0}
        self._start = self._last = time.monotonic()
        self._took = 0.0
        self._sweep()
        #: Chunks whose files are not what was written: they are played again.
        self.lost = run.damaged()
        for chunk in self.lost:
            del run.manifest.done[chunk.first]
        self._safe = run.games
        self._blocks = Blocks(run)
        with suppress(PlaymillError), undisturbed():  # it can be played all the same
            self._blocks.write(self._blocks.all_whole())
        self.missing = run.missing()
        self._wanted = GameRanges(self.missing)
        self.total = self._kept_so_far()
        #: Whether the disk would not take what was to be written.
        self.failed = False

    def _sweep(self) -> None:
        """Removes what killed writers have left: files the manifest does not know."""
        for path in self.run.folder.glob(f"{ASIDE}*"):
            with suppress(OSError):
                path.unlink()
        known = {file.path for chunk in self.run.chunks for file in chunk.files.values()}
        for below in set(FOLDERS.values()):
            for path in (self.run.folder / below).iterdir():
                if path.name.startswith(ASIDE) or f"{below}/{path.name}" not in known:
                    with suppress(OSError):
                        path.unlink()

    def _kept_so_far(self) -> RunTotal:
        """What is finished and stays: a last chunk that was cut short is played again, whole, when a run grows."""
        total = RunTotal(self._resolved.plan, self._resolved.game)
        for part in self.run.parts():
            if part.first not in self._wanted:
                total.add(part)
        return total

    def start(self) -> None:
        """Call when the first game begins."""
        self._start = self._last = time.monotonic()

    def wait(self, seconds: float) -> None:
        """Call when nothing was played for a while."""
        self._start += seconds

    def add(self, part: FinishedGames) -> None:
        """Takes whole chunks that are finished; writes what it has now and then. One played twice counts once."""
        if part.first not in self._wanted:
            return
        # The counts of chunks that come together are one sum: all of them are wanted, or none.
        self._wanted.remove(range(part.first, part.end))
        self.total.add(part)
        self._whole.append(part)
        if time.monotonic() - self._last >= max(_PAUSE, _SHARE * self._took):
            self.write()

    def close(self, rest: FinishedGames | None) -> None:
        """Ends a session, perhaps in the middle of a chunk: its games count until it is played again, whole."""
        done = self.run.manifest.done
        if rest is not None and (rest.first not in done or done[rest.first].games < rest.games):
            self.add(rest)
        self.write()
        for chunk in self.run.chunks:
            if chunk.first in self._wanted:
                self.total.add(self.run.part(chunk))

    def write(self) -> None:
        """Writes every chunk that is whole, and then the manifest that tells of them."""
        if not self._whole:
            return
        start = time.monotonic()
        try:
            with undisturbed():
                self._write(start)
        except PlaymillError as error:
            self.failed = True
            raise self.safe(error) from None
        self._last = time.monotonic()
        self._took = self._last - start

    def safe(self, error: PlaymillError) -> PlaymillError:
        """Returns the sentence about an end before the last game, with what is safe and how to go on."""
        if not self._safe:
            return error
        return PlaymillError(
            f"{error.text.en}; {self._safe} games of run {self.run.source} are safe, "
            f"playmill resume {self.run.name} goes on",
            f"{error.text.ru}; партий прогона {self.run.source} сохранено: {self._safe}, "
            f"playmill resume {self.run.name} продолжит",
        )

    def _write(self, start: float) -> None:
        self._session["games"] += sum(part.games for part in self._whole)
        self._session["seconds"] = round(start - self._start, 3)
        sessions = self.run.manifest.sessions
        if sessions[-1:] != [self._session]:
            sessions.append(self._session)
        self._blocks.write(self._blocks.whole_with(self._whole), self._whole)
        self._whole = []
        self._safe = self.run.games


def _versions() -> dict[str, Any]:
    """Returns the versions of Playmill, its libraries and the machine."""
    return {
        "playmill": __version__,
        "python": platform.python_version(),
        "numba": compiler.version(),
        "numpy": np.__version__,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "host": platform.node(),
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
