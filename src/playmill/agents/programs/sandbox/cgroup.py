"""Cgroups for bots, where the host has delegated a part of the tree: the kernel counts memory of all processes.

Only version 2, and only where it was delegated: a folder of this user's own, one that systemd marks so (Delegate=), or
the one that PLAYMILL_CGROUP names. Nobody else's tree is changed. Where there is none, rlimits and the supervisor hold.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path

VARIABLE = "PLAYMILL_CGROUP"
#: Above the limit that a bot hears of as an error, so that it does.
_SLACK = 16 << 20
_numbers = count(1)


def delegated() -> Path | None:
    """The folder below which cgroups with a limit of memory may be made."""
    if named := os.environ.get(VARIABLE):
        candidates = [Path(named)]
    else:
        candidates = [folder for folder in _own() if _is_delegated(folder)]
    return next((folder for folder in candidates if _counts_memory(folder)), None)


def make(base: Path | None, memory: int) -> Path | None:
    """A cgroup that holds this many MB; None where it cannot be made."""
    if base is None:
        return None
    folder = base / f"playmill-{os.getpid()}-{next(_numbers)}"
    try:
        folder.mkdir()
        (folder / "memory.max").write_text(str((memory << 20) + _SLACK))
    except OSError:
        remove(folder)
        return None
    for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
        with suppress(OSError):
            (folder / name).write_text(value)
    return folder


def ran_out(folder: Path) -> bool:
    """Whether the kernel ended something in it for want of memory."""
    try:
        fields = (folder / "memory.events").read_text().split()
    except OSError:
        return False
    return dict(zip(fields[::2], fields[1::2], strict=False)).get("oom_kill", "0") != "0"


def remove(folder: Path) -> None:
    """Removes it, once nothing runs in it."""
    with suppress(OSError):
        folder.rmdir()


def _own() -> list[Path]:
    """The cgroup of this process, and the one above: a process and cgroups with limits do not stand side by side."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    root = next((Path(words[1]) for words in mounts if words[2] == "cgroup2"), None)
    own = next((line[3:] for line in lines if line.startswith("0::")), None)
    if root is None or own is None:
        return []
    folder = root / own.lstrip("/")
    return [folder, folder.parent] if folder != root else [folder]


def _is_delegated(folder: Path) -> bool:
    try:
        if folder.stat().st_uid == os.geteuid() != 0:
            return True
        return os.getxattr(folder, "user.delegate") == b"1"
    except OSError:
        return False


def _counts_memory(folder: Path) -> bool:
    try:
        return "memory" in (folder / "cgroup.subtree_control").read_text().split() and os.access(folder, os.W_OK)
    except OSError:
        return False
