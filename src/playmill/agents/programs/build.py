"""Compiles a bot's source in the sandbox: by fixed commands, with no network, and writing into one folder alone.

A bot's folder that has no program of its own but a source of a known name is compiled. The compiler sees that source,
the system and its own libraries, and nothing else: what it is made to include or to run is held as a bot is.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from playmill.agents.programs.bot_process import BOOT, SOURCE
from playmill.agents.programs.interpreters import PATH
from playmill.agents.programs.sandbox.supervisor_client import supervisor
from playmill.texts import Text

#: Seconds that compiling may take, MB of memory, processes and threads, and MB of a file it writes.
SECONDS, MEMORY, PROCESSES, THREADS, FILES, WRITTEN = 60.0, 2048, 64, 256, 512, 64
#: MB and files of all that a compiler writes.
_MOST_MB, _MOST_FILES = 256, 4000
#: Bytes of what it says that are kept.
_SAID = 16 << 10
_LOOK, _READS = 0.1, 16
#: A folder with one of these needs no compiler.
READY = ("bot.toml", "bot", "bot.py", "bot.js")
#: What the JVM runs: no files beside, and a heap that leaves room for the rest of it.
_JAVA_RUN = 'run = "java -XX:-UsePerfData -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx{heap}m -cp classes Bot"\n'


@dataclass(frozen=True)
class Language:
    """A language that is compiled: its main source, the compiler, and the words of the command."""

    name: str
    source: str
    compiler: str
    words: Callable[[list[str]], list[str]]
    #: What is kept of what the compiler wrote.
    made: str = "bot"


LANGUAGES = (
    Language("C", "bot.c", "cc", lambda files: ["-O2", "-o", "bot", *files, "-lm"]),
    Language("C++", "bot.cpp", "c++", lambda files: ["-O2", "-std=c++17", "-o", "bot", *files]),
    Language("Rust", "bot.rs", "rustc", lambda files: ["-O", "-C", "link-arg=-fuse-ld=bfd", "-o", "bot", "bot.rs"]),
    Language("Go", "bot.go", "go", lambda files: ["build", "-o", "bot", *files]),
    Language("Java", "Bot.java", "javac", lambda files: ["-encoding", "UTF-8", "-d", "classes", *files], "classes"),
)


@dataclass(frozen=True)
class Built:
    """What came of compiling: why it failed, or None, and what the compiler said."""

    why: Text | None
    output: str


def language_of_source(folder: Path) -> Language | None:
    """Returns the language in which a folder's bot has to be compiled; None if it needs no compiler."""
    if any((folder / name).exists() for name in READY):
        return None
    return next((one for one in LANGUAGES if (folder / one.source).is_file()), None)


def built(folder: Path, language: Language, *, memory: int) -> Built:
    """Compiles the bot of a folder, and puts what was made beside its source; `memory` is the bot's, in MB."""
    found = _compiler(language.compiler)
    if found is None:
        return Built(
            Text(
                f"this contest's machine has no compiler for {language.name}",
                f"на машине соревнования нет компилятора {language.name}",
            ),
            "",
        )
    compiler, readable = found
    with tempfile.TemporaryDirectory(prefix="playmill-build-") as made:
        # The compiler is another user there, and asks whether it may write. Nobody else finds a name they cannot list.
        Path(made).chmod(0o711)
        place = Path(made) / secrets.token_hex(16)
        shutil.copytree(folder, place)
        place.chmod(0o777)
        suffix = Path(language.source).suffix
        files = sorted(path.name for path in place.glob(f"*{suffix}"))
        ended, output = _run([str(compiler), *language.words(files)], place, readable)
        if ended is None:
            return Built(_too_much(), output)
        target = place / language.made
        if ended != 0 or target.is_symlink() or not target.exists():
            return Built(Text("it does not compile", "не компилируется"), output)
        _put(target, folder / language.made)
    if language.made == "classes":
        (folder / "bot.toml").write_text(_JAVA_RUN.format(heap=max(16, memory // 2)), encoding="utf-8")
    return Built(None, output)


def _put(made: Path, target: Path) -> None:
    """Copies what a compiler has made, files only; what was there before goes."""
    aside = target.with_name(f".{target.name}.new")
    for old in (aside, target):
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink(missing_ok=True)
    if made.is_dir():
        for path in sorted(made.rglob("*")):
            if path.is_file() and not path.is_symlink():
                copied = aside / path.relative_to(made)
                copied.parent.mkdir(parents=True, exist_ok=True)
                copied.write_bytes(path.read_bytes())
    else:
        aside.write_bytes(made.read_bytes())
        aside.chmod(0o755)
    aside.rename(target)


@lru_cache(maxsize=16)
def _compiler(name: str) -> tuple[Path, tuple[Path, ...]] | None:
    """Returns a compiler of this machine, and what has to be read to run it; None if there is none."""
    place = shutil.which(name, path=PATH) or shutil.which(name)
    if place is None or os.name == "nt":
        return None
    if name == "rustc":  # what is on the PATH may be a program that chooses a toolchain, by files of its user's
        root = _asked([place, "--print", "sysroot"])
        return (root / "bin" / "rustc", (root,)) if root is not None else None
    if name == "go":
        root = _asked([place, "env", "GOROOT"])
        return (root / "bin" / "go", (root,)) if root is not None else None
    return Path(place), ()


def _asked(words: list[str]) -> Path | None:
    with suppress(OSError, subprocess.SubprocessError):
        found = subprocess.run(words, capture_output=True, timeout=30, check=True).stdout.decode().strip()
        return Path(found) if found and Path(found).is_dir() else None
    return None


def _run(command: list[str], place: Path, readable: tuple[Path, ...]) -> tuple[int | None, str]:
    """Runs a compiler in the sandbox; returns its status, None if it was ended, and what it said."""
    watching = supervisor()
    watched = watching.pipe if watching is not None else -1
    read, write = os.pipe()
    numbers = (write, watched, os.getpid(), MEMORY, PROCESSES, THREADS, FILES, WRITTEN)
    words = [*map(str, numbers), "", str(len(readable) + 1), str(place), *map(str, readable), *command]
    home = str(place)
    env = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": home, "TMPDIR": home, "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"GOCACHE": f"{home}/.cache", "GO111MODULE": "off", "CGO_ENABLED": "0", "GOFLAGS": "-p=2"}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", BOOT, SOURCE, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(write,) if watched < 0 else (write, watched),
            start_new_session=True,
            cwd=place,
            env=env,
        )
        os.close(write)
        try:
            ended = _wait(process, place, said.fileno())
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if watching is not None:
                watching.forget(process.pid)
            assert process.stdout is not None
            process.stdout.close()
        with os.fdopen(read, "rb") as pipe:
            report = pipe.read(1 << 16).decode(errors="replace")
        said.seek(0)
        output = said.read(_SAID).decode("utf-8", errors="replace").replace(f"{place}/", "")
    held = dict(line.split("=", 1) for line in report.splitlines() if "=" in line)
    if not held.get("files") or not held.get("network"):
        return 1, held.get("error") or "the sandbox of this machine cannot hold a compiler"
    return ended, output


def _wait(process: subprocess.Popen[bytes], place: Path, said: int) -> int | None:
    """Waits for a compiler and keeps the beginning of what it says; None if it took too long or wrote too much."""
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    os.set_blocking(pipe, False)
    until, kept = time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        ended = process.poll()
        with suppress(BlockingIOError):
            for _ in range(_READS):  # whoever never stops talking is heard no longer than others
                if not (piece := os.read(pipe, 1 << 16)):
                    break
                kept += os.write(said, piece[: max(0, _SAID - kept)])
        if ended is not None:
            return ended
        if _is_too_much(place):
            return None
        time.sleep(_LOOK)
    return None


def _is_too_much(place: Path) -> bool:
    """Whether a compiler has written more than it may."""
    size = count = 0
    for folder, _, files in os.walk(place):
        for name in files:
            count += 1
            with suppress(OSError):
                size += (Path(folder) / name).lstat().st_size
        if count > _MOST_FILES or size > _MOST_MB << 20:
            return True
    return False


def _too_much() -> Text:
    return Text(
        f"compiling took more than {SECONDS:g} s, or wrote more than {_MOST_MB} MB or {_MOST_FILES} files",
        f"компиляция заняла больше {SECONDS:g} с или записала больше {_MOST_MB} МБ или {_MOST_FILES} файлов",
    )
