"""Tries a release: builds the sdist and the wheel, installs the wheel into fresh environments elsewhere, uses it there.

The oldest and the newest Python this machine has are tried (`--all`: every one). What is installed plays, checks a new
game, writes a report and passes tests that come with the sdist, in its folder but with the package that was installed:
the tests that Python itself could break, or with `--suite` all of them, on all cores. What they said stays beside the
wheel.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLDEST = (3, 11)
#: Tests that Python itself or a missing file of the package could break, and that take a minute or two.
SOME = (
    "tests/stats",
    "tests/engine/test_rng.py",
    "tests/engine/test_record.py",
    "tests/engine/test_rule.py",
    "tests/report",
)
#: Fails unless what is imported beside the tests is what was installed.
WHERE = "import playmill, sys; sys.exit(None if playmill.__file__.startswith(sys.argv[1]) else playmill.__file__)"


def main() -> int:
    """Builds and tries; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the sdist and the wheel go")
    parser.add_argument("--all", action="store_true", help="try every Python there is")
    parser.add_argument("--suite", action="store_true", help="pass all tests there, not only some")
    parser.add_argument("--python", type=Path, nargs="+", help="try these interpreters")
    options = parser.parse_args()
    sdist, wheel = build(options.out)
    print(f"{sdist.name}: {sdist.stat().st_size // 1024} kB, {wheel.name}: {wheel.stat().st_size // 1024} kB")
    found = {version(path): path for path in options.python} if options.python else pythons()
    if not options.all and not options.python:
        found = {key: found[key] for key in sorted({min(found), max(found)})}
    failed = 0
    for key, python in sorted(found.items()):
        begun = time.monotonic()
        shown = ".".join(map(str, key))
        tests = ["tests"] if options.suite else list(SOME)
        told = tried(python, sdist, wheel, tests=tests, spread=options.suite, log=options.out / f"tests-{shown}.txt")
        failed += told is not None
        print(f"Python {shown}: {'good' if told is None else told} ({time.monotonic() - begun:.0f} s)", flush=True)
    return 1 if failed else 0


def build(out: Path) -> tuple[Path, Path]:
    """The sdist, and the wheel that is made from it, so that nothing can be missing from the sdist."""
    out.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return out / f"playmill-{version}.tar.gz", out / f"playmill-{version}-py3-none-any.whl"


def version(python: Path | str) -> tuple[int, ...]:
    """The version of an interpreter; () of one that does not run."""
    code = "import sys; print(*sys.version_info[:3])"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else ()


def pythons() -> dict[tuple[int, ...], Path]:
    """The interpreters of this machine that are new enough, by version."""
    found: dict[tuple[int, ...], Path] = {}
    for path in _candidates():
        try:
            key = version(path)
        except OSError:
            continue
        if key >= OLDEST:
            found.setdefault(key, path)
    return found


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    for folder in map(Path, os.environ.get("PATH", "").split(os.pathsep)):
        if folder.is_dir():
            yield from sorted(path for path in folder.glob("python3.*") if re.fullmatch(r"python3\.\d+", path.name))
    for store in (Path.home() / ".pyenv" / "versions", Path.home() / ".local" / "share" / "uv" / "python"):
        yield from sorted(store.glob("*/bin/python3"))


def tried(python: Path, sdist: Path, wheel: Path, *, tests: list[str], spread: bool, log: Path) -> str | None:
    """Installs and uses the wheel and passes these tests, on all cores if they are spread; what failed, or None."""
    with tempfile.TemporaryDirectory(prefix="playmill-release-") as place:
        home = Path(place)
        own = {
            "HOME": place,
            "PLAYMILL_HOME": f"{place}/home",
            "PLAYMILL_CACHE": f"{place}/cache",
            "PLAYMILL_LANG": "en",
        }
        env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PLAYMILL"))} | own
        with tarfile.open(sdist) as packed:
            packed.extractall(home, filter="data")
        source = home / sdist.name.removesuffix(".tar.gz")
        work = home / "work"
        work.mkdir()
        bin_ = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
        steps: list[tuple[str, list[str], Path]] = [
            ("venv", [str(python), "-m", "venv", str(home / "venv")], work),
            ("install", [str(bin_ / "python"), "-m", "pip", "install", "--quiet", str(wheel)], work),
            ("version", [str(bin_ / "playmill"), "--version"], work),
            ("games", [str(bin_ / "playmill"), "games"], work),
            ("module", [str(bin_ / "python"), "-m", "playmill", "rules", "dice"], work),
            ("new", [str(bin_ / "playmill"), "new", "mine", "--like", "cards"], work),
            ("check", [str(bin_ / "playmill"), "check", "mine", "--games", "3"], work),
            ("simulate", [str(bin_ / "playmill"), "simulate", "mine", "--games", "500", "--html", "mine.html"], work),
            ("tools", [str(bin_ / "python"), "-m", "pip", "install", "--quiet", *_test_tools(gpu=spread)], work),
            ("where", [str(bin_ / "python"), "-c", WHERE, str(home / "venv")], source),
        ]
        for name, command, folder in steps:
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
            if done.returncode:
                return f"{name} failed:\n{(done.stdout + done.stderr)[-3000:]}"
        # In a file from the first line on: a suite is looked at while it runs, and what failed is needed afterwards.
        how = ["--numprocesses", "auto"] if spread else ["-p", "no:xdist"]
        command = [str(bin_ / "python"), "-m", "pytest", "-q", "-rfE", "--tb", "short", *how, *tests]
        with log.open("w", encoding="utf-8") as told:
            done = subprocess.run(command, cwd=source, env=env, stdout=told, stderr=subprocess.STDOUT, check=False)
        last = log.read_text(encoding="utf-8").strip().splitlines()[-1:]
        print(*last)
        return f"tests failed: {log}" if done.returncode else None


def _test_tools(*, gpu: bool) -> list[str]:
    """What the tests need beside the package, of the extra `dev`; without the compiler for a card, it is large."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted: list[str] = known["project"]["optional-dependencies"]["dev"]
    return [one for one in wanted if gpu or not one.startswith(("nvidia", "numba-cuda"))]


if __name__ == "__main__":
    sys.exit(main())
