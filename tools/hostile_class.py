"""A contest with twelve hostile entrants: the honest ones stand as without them, nothing is left running, nothing read.

    python tools/hostile_class.py [--deals N] [--files N] [--keep FOLDER]

Each of the twelve tries something that once worked, or should not: links to everything, to a rival and to the state of
the contest, a command that runs a rival, TOML that takes minutes, a crowd of files, names that are no text, a command
that cannot be, reading whatever there is, memory without end, and living on. The contest is killed by SIGKILL while the
last of them is at it, and goes on. Then the honest ones play alone.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import misbehaving
from misbehaving import ROOT, playing, results, submissions

READER = ROOT / "tests" / "agents" / "hostile" / "bot.py"
HONEST = (5, 15, 25)
_WRONG = "say(type='answer', number=m['number'], index=99)"
#: Takes what memory it can, in every way it knows, and says how much it got; then answers wrongly.
HOG = f"""
import ctypes, resource
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
def hold(flags):
    size = 1 << 30
    found = libc.mmap(None, size, 3, flags, -1, 0)
    if found == ctypes.c_void_p(-1).value:
        return 0
    for at in range(size - 4096, 0, -4096):
        ctypes.memset(found + at, 1, 1)
    return size
for m in asked():
    got = sum(hold(flags) for flags in (0x22, 0x4122, 0x4021, 0x4022))
    try:
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 33, 1 << 33))
        got += 1
    except ValueError:
        pass
    print(json.dumps({{"hog": got, "tried": 5}}), file=sys.stderr, flush=True)
    {_WRONG}
"""
#: Cuts every tie to its parent, and stays: it never answers.
IMMORTAL = """
import ctypes, signal
libc = ctypes.CDLL(None, use_errno=True)
cut = libc.prctl(1, 0, 0, 0, 0)
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
left = 0
for leave in (os.setsid, lambda: os.setpgid(0, 0), os.fork):
    try:
        leave()
        left += 1
    except OSError: pass
print(json.dumps({"process": os.getpid(), "cut": cut == 0, "left": left}), file=sys.stderr, flush=True)
for m in asked():
    while True: time.sleep(1)
"""
#: The names the twelve have.
TWELVE = (
    *("shebang", "linked", "deep-link", "runs-rival", "toml-brackets", "toml-keys", "crowd", "bad-files"),
    *("nul-command", "reader", "hog", "immortal"),
)


def build(folder: Path, *, deals: int, files: int, canaries: Mapping[str, str], hostile: bool) -> None:
    """Writes the contest: three honest bots, and the twelve."""
    misbehaving.build(folder, HONEST, [], deals=deals, target=20, move=1.0)
    entrants, state = folder / "entrants", folder / "state"
    with (folder / "contest.toml").open("a", encoding="utf-8") as rules:
        rules.write(f"# {canaries['rules']}\n")
    with (entrants / "hold-5" / "bot.py").open("a", encoding="utf-8") as rival:
        rival.write(f"# {canaries['rival']}\n")
    state.mkdir()
    (state / "canary.txt").write_text(canaries["state"], encoding="utf-8")
    if not hostile:
        return
    made = {name: entrants / name for name in TWELVE}
    for name, place in made.items():
        if name != "linked":
            place.mkdir()
    (made["shebang"] / "bot").write_bytes(b"#!s\x0c/elf\nread line\nread got < %b\necho $got >&2\n" % _path(folder))
    (made["shebang"] / "bot").chmod(0o755)
    (made["shebang"] / "s").symlink_to("/")
    (made["shebang"] / "s\x0c").mkdir()
    shutil.copy(os.path.realpath("/bin/sh"), made["shebang"] / "s\x0c" / "elf")
    made["linked"].symlink_to("hold-5")
    misbehaving.write_bot(folder, "deep-link", misbehaving.GOOD.format(9))
    (made["deep-link"] / "data").mkdir()
    (made["deep-link"] / "data" / "state").symlink_to(state)
    (made["runs-rival"] / "bot.toml").write_text('run = "python3 ../hold-5/bot.py"\n', encoding="utf-8")
    (made["toml-brackets"] / "bot.toml").write_text("a = " + "[" * 100_000, encoding="utf-8")
    (made["toml-keys"] / "bot.toml").write_text(".".join("a" * 50_000) + " = 1\n" + "# more\n" * 500_000)
    for number in range(files):
        (made["crowd"] / f"{number}.txt").touch()
    (made["bad-files"] / "bot.py").touch()
    Path(os.fsdecode(os.fsencode(made["bad-files"]) + b"/\xff\xfe\x1b[2J")).touch()
    (made["nul-command"] / "bot.toml").write_text('run = "python3 bot.py a\\u0000b"\n', encoding="utf-8")
    misbehaving.write_bot(folder, "reader", "")
    (made["reader"] / "bot.py").write_text(READER.read_text(encoding="utf-8"), encoding="utf-8")
    reach = {"other": entrants / "hold-5" / "bot.py", "bots": entrants, "home": Path.home(), "store": state}
    reach |= {"rules": folder / "contest.toml", "seed": state / "canary.txt"}
    (made["reader"] / "targets.json").write_text(json.dumps({name: str(path) for name, path in reach.items()}))
    misbehaving.write_bot(folder, "hog", HOG)
    misbehaving.write_bot(folder, "immortal", IMMORTAL)
    # Beside the twelve: folders whose very names are none.
    for name in (b"\xff-\xfe", "evil\u202etxt".encode(), b"a\x1b[31mred"):
        Path(os.fsdecode(os.fsencode(entrants) + b"/" + name)).mkdir()


def _path(folder: Path) -> bytes:
    return os.fsencode(folder / "contest.toml")


def written(folder: Path) -> str:
    """All that a bot wrote, and all that is told of the contest."""
    files = [*(folder / "state").rglob("*.stderr.txt"), folder / "state" / "submissions.jsonl"]
    files += [folder / name for name in ("ladder.json", "ladder.html", "ladder.ru.html")]
    return "\n".join(file.read_bytes().decode(errors="replace") for file in files if file.exists())


def told_by_bots(folder: Path) -> list[dict[str, Any]]:
    """What bots said of their attempts."""
    found = []
    for file in (folder / "state").rglob("*.stderr.txt"):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("{"):
                found.append(json.loads(line))
    return found


def is_running(number: int) -> bool:
    """Whether there is such a process that is not dead already."""
    try:
        return Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


def left(folder: Path) -> list[str]:
    """Processes that have to do with the folder, by command line or by their own word."""
    said = [one["process"] for one in told_by_bots(folder) if "process" in one]
    return [*misbehaving.left_running(folder), *(f"process {number}" for number in said if is_running(number))]


def nothing_left(folder: Path, seconds: float = 30.0) -> list[str]:
    """The same after a moment: whoever was killed needs one to die."""
    until = time.monotonic() + seconds
    while (found := left(folder)) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def main(words: Sequence[str] | None = None) -> SimpleNamespace:
    """Plays both contests and compares them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--files", type=int, default=138_000)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args(words)
    canaries = {name: f"canary-{secrets.token_hex(8)}" for name in ("rules", "rival", "state")}
    with tempfile.TemporaryDirectory() as made:
        place = options.keep or Path(made)
        hostile, honest = place / "hostile", place / "honest"
        for folder, all_of_them in ((hostile, True), (honest, False)):
            build(folder, deals=options.deals, files=options.files, canaries=canaries, hostile=all_of_them)
        begun = time.monotonic()
        first = playing(hostile)
        while first.poll() is None and not is_playing(hostile, "immortal"):
            time.sleep(0.02)
        alive = left(hostile)
        first.send_signal(signal.SIGKILL)
        first.wait()
        survivors = nothing_left(hostile)
        print(f"killed beside {len(alive)} processes; still running: {survivors or 'nothing'}", flush=True)
        assert playing(hostile).wait() == 0
        print(f"with the twelve: {time.monotonic() - begun:.0f} s; still running: {nothing_left(hostile) or 'nothing'}")
        told = submissions(hostile)
        for one in told.values():
            print(f"  {one['name']:24s} {one['state']:8s} {one.get('why', {}).get('en', '')[:120]}")
        attempts = [one for one in told_by_bots(hostile) if "attempt" in one]
        got = [one for one in attempts if "stopped" not in one]
        print(f"the reader: {len(attempts)} attempts, {len(attempts) - len(got)} held")
        read = [name for name, canary in canaries.items() if canary in written(hostile)]
        print(f"canaries read: {read or 'none'}")
        # The reader plays by the rules, so that it is on the ladder; who withdraws is gone from it.
        shutil.rmtree(hostile / "entrants" / "reader")
        assert playing(hostile).wait() == 0
        assert playing(honest).wait() == 0
        same = results(hostile) == results(honest)
        print("the honest ones stand as without the twelve, bit for bit" if same else "THE HONEST ONES STAND OTHERWISE")
        shown = written(hostile)
        escaped = not any(sign in shown for sign in ("\u202e", "\x1b"))
        return SimpleNamespace(
            same=same,
            left=[*survivors, *nothing_left(hostile), *nothing_left(honest)],
            read=read,
            got=got,
            attempts=len(attempts),
            told=told,
            bots=told_by_bots(hostile),
            escaped=escaped,
            killed_beside=alive,
        )


def is_playing(folder: Path, name: str) -> bool:
    """Whether a bot of this name is there now."""
    return any(f"/{name}-1/" in words or f"/{name}/" in words for words in misbehaving.left_running(folder))


if __name__ == "__main__":
    outcome = main()
    fine = outcome.same and outcome.escaped and not outcome.left and not outcome.read and not outcome.got
    sys.exit(0 if fine else 1)
