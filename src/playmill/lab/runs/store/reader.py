"""Reads kept runs: finds them by name, checks files against the manifest, adds up their counts."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.engine.compile.reachable import layout
from playmill.engine.config.input_files import note_folder
from playmill.engine.contract.game import Game
from playmill.home import home
from playmill.lab.io.untrusted import (
    MOST_CHUNK,
    MOST_PLAN,
    expect,
    expect_moment,
    expect_text,
    json_of_bytes,
    read_regular,
    shallow,
)
from playmill.lab.runs.finished_games import FinishedGames, RunTotal
from playmill.lab.runs.game_ranges import joined_ranges
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_saved_plan
from playmill.lab.runs.store.chunk_files import checked_part
from playmill.lab.runs.store.known_sources import find_agents, find_game, remember
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import (
    COUNTS,
    FOLDERS,
    GAMES,
    MANIFEST,
    SEATS,
    KeptChunk,
    Manifest,
    hash_of,
    is_sound,
)
from playmill.report.files.atomic_file import reason_of
from playmill.texts import PlaymillError

if TYPE_CHECKING:
    import polars

PLAN, RUN = "plan.json", "run.json"
#: The longest name of a run.
_LONGEST = 100


def runs_folder() -> Path:
    """Returns the folder of kept runs."""
    return home() / "runs"


@dataclass
class KeptRun:
    """A run on disk: its plan, its manifest, and what its files say of game and agents.

    It may have come from anybody: no path of its files is followed. `named` and `agents` are what the user names now.
    """

    folder: Path
    plan: Plan
    manifest: Manifest
    about: Mapping[str, Any]
    named: str | None = None
    agents: Sequence[str] = ()

    @classmethod
    def open(cls, folder: Path, *, game: str | None = None, agents: Sequence[str] = ()) -> KeptRun:
        """Returns the run in a folder; raises unless its plan and manifest are whole."""
        source = run_label(folder)
        note_folder(folder)
        if any((folder / below).is_symlink() for below in FOLDERS.values()):
            raise PlaymillError(
                f"run {source}: a folder of it is a link, which may lead anywhere",
                f"прогон {source}: одна из его папок — ссылка, которая может вести куда угодно",
            )
        plan = Plan.from_json(_read(folder / PLAN, source), f"{source}: {PLAN}")
        manifest = Manifest.read(folder / MANIFEST, source)
        if manifest.plan != plan.digest:
            raise PlaymillError(
                f"run {source}: its manifest belongs to another plan", f"прогон {source}: манифест от другого плана"
            )
        about = _read(folder / RUN, source)
        try:
            for key in ("game", "tally"):
                expect_text(expect(dict, about)[key])
            expect_moment(about["created"])
            specs = [expect_text(spec) for spec in expect(list, about["agents"])]
            if len(specs) != plan.players:
                raise ValueError
        except (KeyError, TypeError, ValueError):
            raise _damaged(folder / RUN, source) from None
        return cls(folder, plan, manifest, about, game, agents)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.folder.name

    @property
    def source(self) -> str:
        """How sentences call it."""
        return run_label(self.folder)

    @property
    def chunks(self) -> list[KeptChunk]:
        """Finished chunks in the order of games."""
        return self.manifest.chunks

    @property
    def games(self) -> int:
        """How many games are finished."""
        return self.manifest.games

    @property
    def played(self) -> range:
        """The games whose command plays what is finished; all that are wanted while there are holes in it."""
        first, chunks = self.manifest.first, self.chunks
        whole = not chunks or chunks[-1].end - first == self.games
        return range(first, first + self.games if whole else self.manifest.end)

    @property
    def requested(self) -> int:
        """How many games are wanted."""
        return self.manifest.end - self.manifest.first

    @property
    def complete(self) -> bool:
        """Whether all games that are wanted are finished."""
        return self.manifest.complete

    @property
    def has_rows(self) -> bool:
        """Whether single games are kept."""
        return self.manifest.rows

    @cached_property
    def found(self) -> tuple[Game, str]:
        """Its game, and what finds it; raises if the user has to name it."""
        return find_game(self.plan, self.source, self.named)

    @property
    def game(self) -> Game:
        """Its game, found by name and fingerprint; raises if the user has to name it."""
        return self.found[0]

    def resolved(self) -> ResolvedPlan:
        """Everything that plays it; raises if game, config or agents are no longer what they were, or not found."""
        reference = self.found[1]
        specs = find_agents(self.plan, self.about["agents"], self.source, self.agents)
        resolved = resolve_saved_plan(self.plan, reference, specs, self.source)
        if self.named is not None or self.agents:
            remember(self.plan, resolved.reference, specs_of(resolved))
        return resolved

    def resolved_to_read(self) -> tuple[ResolvedPlan, PlaymillError | None]:
        """Enough to make a report of it, and what has changed since it was played; raises if it cannot be read now."""
        game, reference = self.found
        try:
            return self.resolved(), None
        except PlaymillError as error:
            if tally_layout(game) != self.about["tally"]:
                raise
            config = game.config.read(self.plan.config, self.source)
            return ResolvedPlan(self.plan, game, config, (), reference, self.plan.names, self.plan.names), error

    def missing(self, end: int | None = None) -> list[range]:
        """Returns the games that are not finished, up to those wanted or another end; whole chunks."""
        at, stop = self.manifest.first, self.manifest.end if end is None else end
        found: list[range] = []
        for chunk in self.chunks:
            if chunk.end % self.plan.chunk and chunk.end != stop:
                continue  # cut short by the end of the run as it was, it is played again, whole
            found.append(range(at, chunk.first))
            at = chunk.end
        return joined_ranges([*found, range(at, stop)])

    def damaged(self) -> list[KeptChunk]:
        """Chunks with a file that is missing or not what was written."""
        return [chunk for chunk in self.chunks if not all(is_sound(self.folder, file) for file in chunk.files.values())]

    def files(self, kind: str) -> list[Path]:
        """The files of one kind (counts, games, seats) in the order of games; raises if one is missing or cut."""
        if kind in (GAMES, SEATS) and not self.has_rows:
            raise PlaymillError(
                f"run {self.source} was kept without single games (see --rows)",
                f"прогон {self.source} сохранён без отдельных партий (см. --rows)",
            )
        paths = [self._inside(self.folder / chunk.files[kind].path) for chunk in self.chunks]
        for chunk in self.chunks:
            if not is_sound(self.folder, chunk.files[kind], hashed=False):
                raise self._damage(chunk, chunk.files[kind].path)
        return paths

    def _inside(self, path: Path) -> Path:
        """A file of the run's own; a link that leads out of its folder would have others read what it should not."""
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise PlaymillError(
                f"run {self.source}: {path.name} is a link that leads out of its folder",
                f"прогон {self.source}: {path.name} — ссылка, которая ведёт за пределы его папки",
            )
        return path

    def games_frame(self) -> polars.LazyFrame:
        """Returns its games, one row each, for Polars to read when and as far as it needs to."""
        return _scan(self.files(GAMES))

    def seats_frame(self) -> polars.LazyFrame:
        """Returns its games and seats, one row each, for Polars to read when and as far as it needs to."""
        return _scan(self.files(SEATS))

    def total(self) -> RunTotal:
        """Returns what its games add up to; raises if a file is damaged."""
        while True:
            try:
                total = RunTotal(self.plan, self.game)
                for part in self.parts():
                    total.add(part)
                return total
            except PlaymillError:
                # Whoever plays it may have put several files together meanwhile.
                now = Manifest.read(self.folder / MANIFEST, self.source)
                if now.chunks == self.manifest.chunks:
                    raise
                self.manifest = now

    def parts(self) -> Iterator[FinishedGames]:
        """Yields its chunks as they were played, without single games, in order."""
        for chunk in self.chunks:
            yield self.part(chunk)

    def part(self, chunk: KeptChunk) -> FinishedGames:
        """Returns a chunk as it was played, without single games."""
        try:
            saved = expect(dict, json_of_bytes(self.contents(chunk, COUNTS)))
            return checked_part(saved, chunk, self.plan.groups, self.game.tally.itemsize // 8)
        except PlaymillError:
            raise
        except (KeyError, TypeError, ValueError):
            raise PlaymillError(
                f"run {self.source}: {chunk.files[COUNTS].path} does not hold counts of {self.plan.game}",
                f"прогон {self.source}: в {chunk.files[COUNTS].path} не счёт партий {self.plan.game}",
            ) from None

    def contents(self, chunk: KeptChunk, kind: str) -> bytes:
        """Returns what is in a file of a chunk; raises unless it is what was written."""
        file = chunk.files[kind]
        try:
            data = read_regular(self.folder / file.path, min(file.size, MOST_CHUNK))
        except OSError:
            data = b""
        if hash_of(data) != file.sha256:
            raise self._damage(chunk, file.path)
        return data

    def _damage(self, chunk: KeptChunk, path: str) -> PlaymillError:
        return PlaymillError(
            f"run {self.source}: {path} is missing or damaged (games {chunk.first} … {chunk.end - 1}); "
            f"playmill resume {self.name} plays them again",
            f"прогон {self.source}: файла {path} нет, или он повреждён (партии {chunk.first} … {chunk.end - 1}); "
            f"playmill resume {self.name} сыграет их снова",
        )

    def remove(self) -> None:
        """Removes it from the disk; raises if somebody is playing it."""
        remove_folder(self.folder)


def remove_folder(folder: Path) -> None:
    """Removes the run in a folder, damaged ones too; raises if it is being played, or cannot be removed."""
    source = run_label(folder)
    try:
        with RunLock(folder, source):
            # First what makes it a run: half removed, it is none.
            (folder / MANIFEST).unlink(missing_ok=True)
        shutil.rmtree(folder)
    except OSError as error:
        why = reason_of(error)
        raise PlaymillError(
            f"cannot remove run {source}: {why.en}", f"не удаётся удалить прогон {source}: {why.ru}"
        ) from None


def _scan(paths: list[Path]) -> polars.LazyFrame:
    import polars

    return polars.scan_parquet(paths, glob=False, hive_partitioning=False)


def tally_layout(game: Game) -> str:
    """Returns a hash of the tally's layout: counts of another layout cannot be read."""
    return hash_of(repr(layout(game.tally)).encode())


def find_run(name: str, *, game: str | None = None, agents: Sequence[str] = (), others: Iterable[str] = ()) -> KeptRun:
    """Finds a run by name or folder; an unknown one raises with similar names.

    `game` and `agents` name what it was played with where that cannot be found by name and fingerprint.
    """
    return KeptRun.open(find_folder(name, others), game=game, agents=agents)


def find_folder(name: str, others: Iterable[str] = ()) -> Path:
    """Returns the folder of a run by name or path, damaged or not; raises if there is none.

    `others` are names of what is kept beside the runs, and may be meant, too.
    """
    place = folder_of(name)
    if (place / MANIFEST).is_file():
        return place
    if "/" in name or (Path(name) / MANIFEST).is_file():
        if (Path(name) / MANIFEST).is_file():
            return Path(name).absolute()
        raise PlaymillError(f"there is no kept run in {name!r}", f"в {name!r} нет сохранённого прогона")
    names = [*run_names(), *others]
    near = get_close_matches(name, names, 3, 0.4) or names[:3]
    hint = f"; there are {', '.join(near)}" if near else "; none is kept yet (playmill simulate … --keep)"
    hint_ru = f"; есть {', '.join(near)}" if near else "; пока не сохранён ни один (playmill simulate … --keep)"
    raise PlaymillError(f"there is no kept run {name!r}{hint}", f"сохранённого прогона {name!r} нет{hint_ru}")


def folder_of(name: str) -> Path:
    """Returns the folder of a run's name; a path is not a name."""
    return runs_folder() / (name if is_name(name) else "-")


def is_name(name: str) -> bool:
    """Returns whether a run can have this name: letters, digits, and - _ . inside."""
    return (
        0 < len(name.encode("utf-8", "surrogatepass")) <= _LONGEST
        and name[0] not in "-."
        and name[-1] != "."
        and all(sign.isalnum() or sign in "-_." for sign in name)
    )


def check_name(name: str) -> None:
    """Raises unless a run can have this name."""
    if not is_name(name):
        raise PlaymillError(
            f"a run cannot be called {name!r}: letters, digits, and - _ . inside, at most {_LONGEST} bytes",
            f"прогон нельзя назвать {name!r}: буквы, цифры и - _ . внутри, не больше {_LONGEST} байт",
        )


def run_names(folder: Path | None = None) -> list[str]:
    """Returns the names of all kept runs, in the usual folder or another."""
    try:
        places = (folder or runs_folder()).iterdir()
        return sorted(place.name for place in places if (place / MANIFEST).is_file())
    except OSError:
        return []


def all_runs() -> tuple[list[KeptRun], list[PlaymillError]]:
    """Returns all kept runs by name, and messages about those that cannot be read."""
    runs: list[KeptRun] = []
    troubles: list[PlaymillError] = []
    for name in run_names():
        try:
            runs.append(KeptRun.open(runs_folder() / name))
        except PlaymillError as error:
            troubles.append(error)
    return runs, troubles


def run_label(folder: Path) -> str:
    """Returns how messages refer to the run in a folder: by name or path."""
    return folder.name if folder.parent == runs_folder() else str(folder)


def _read(path: Path, source: str) -> Any:
    try:
        return shallow(json_of_bytes(read_regular(path, MOST_PLAN)))
    except (OSError, ValueError, RecursionError):
        raise _damaged(path, source) from None


def _damaged(path: Path, source: str) -> PlaymillError:
    return PlaymillError(
        f"run {source}: its {path.name} is missing or damaged",
        f"прогон {source}: файла {path.name} нет, или он повреждён",
    )


def specs_of(resolved: ResolvedPlan) -> Sequence[str]:
    """Returns the specs that find the agents again; raises if one was given as an object."""
    for seat in resolved.seats:
        if seat.spec is None or (seat.player is not None and seat.code is None):
            raise PlaymillError(
                f"a run with the agent {seat.name} cannot be kept: it was given as an object; name its file, FILE.py",
                f"прогон с агентом {seat.name} не сохранить: он передан объектом; назовите его файл, FILE.py",
            )
    return [seat.spec or "" for seat in resolved.seats]
