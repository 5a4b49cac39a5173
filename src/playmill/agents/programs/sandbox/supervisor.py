"""Supervisor process: kills all bots when Playmill is gone, and those that take too much memory.

It hears of every bot from the bot's launcher before the bot is there, as a line `+GROUP MB PROCESSES CGROUP`, and of
its end as `-GROUP`. A bot is a process group, which it cannot leave. What it ends for its memory it tells in a line. It
runs apart from Playmill's session and imports little.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

#: Seconds between two looks.
LOOK = 0.1
_KILL = 9
#: What a process has of its own: kB of these lines of its status, and of its mappings where several share pages.
_STATUS = (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:", b"HugetlbPages:")
_SHARES = (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:")


class BotGroup:
    """A bot: its limit in kB, whether it may be several processes, and its cgroup."""

    def __init__(self, words: list[str]) -> None:
        self.limit, self.several = int(words[0]) << 10, int(words[1]) > 1
        self.cgroup = words[2] if len(words) > 2 else ""


def main() -> None:
    """Watches until Playmill is gone."""
    parent = int(sys.argv[1])
    os.set_blocking(1, False)
    groups: dict[int, BotGroup] = {}
    empty: list[str] = []  # cgroups to be removed
    heard = b""
    while True:
        # On a busy machine it may be gone before this process begins: what was announced is still heard.
        gone = os.getppid() != parent
        if select.select([0], [], [], LOOK if groups or empty or gone else 5.0)[0]:
            piece = os.read(0, 1 << 16)
            if not piece:
                break
            *lines, heard = (heard + piece).split(b"\n")
            for line in lines:
                _hear(line.decode(errors="surrogateescape"), groups, empty)
        elif gone:
            break
        for number in [number for number, group in groups.items() if _takes_too_much(number, group)]:
            with suppress(OSError):  # before the end, which whoever waits for the bot sees at once
                os.write(1, b"%d\n" % number)
            _end(number)
            groups[number].limit = 1 << 62  # told once
        empty = [folder for folder in empty if not _removed(folder)]
    for number, group in groups.items():
        _end(number)
        empty.append(group.cgroup)
    for _ in range(50):
        empty = [folder for folder in empty if folder and not _removed(folder)]
        if not empty:
            return
        select.select([], [], [], LOOK / 5)


def _hear(line: str, groups: dict[int, BotGroup], empty: list[str]) -> None:
    """A bot begins, or has ended."""
    words = line[1:].split(" ", 3)
    if line.startswith("+"):
        groups[int(words[0])] = BotGroup(words[1:])
    elif (group := groups.pop(int(words[0]), None)) is not None and group.cgroup:
        empty.append(group.cgroup)


def _end(number: int) -> None:
    with suppress(OSError):
        os.killpg(number, _KILL)


def _removed(folder: str) -> bool:
    """Whether a cgroup is gone; it can be removed when nothing is left in it."""
    try:
        Path(folder).rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _takes_too_much(number: int, group: BotGroup) -> bool:
    """Whether all processes of a group together hold more memory than it may."""
    members = list(_members(number)) if group.several else [number]
    if sum(_counted(one, "status", _STATUS) for one in members) <= group.limit:
        return False
    # Processes that were forked share pages: of those each has its part.
    return len(members) == 1 or sum(_counted(one, "smaps_rollup", _SHARES) for one in members) > group.limit


def _members(number: int) -> Iterator[int]:
    """The processes of a group."""
    for process in Path("/proc").glob("[0-9]*"):
        fields = _read(process / "stat").rpartition(b")")[2].split()
        if len(fields) > 2 and int(fields[2]) == number:
            yield int(process.name)


def _counted(process: int, file: str, names: tuple[bytes, ...]) -> int:
    """The sum of some lines, in kB."""
    lines = _read(Path("/proc") / str(process) / file).split(b"\n")
    return sum(int(line.split()[1]) for line in lines if line.startswith(names))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
