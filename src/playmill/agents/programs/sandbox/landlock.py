"""Landlock: restricts which files a process may open; no network, no signals to others.

Needs no privilege. Part of the launcher: it runs before a bot does and imports nothing but the standard library.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct

#: As in `typing`, whose import would take longer than all that is done here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
#: Rights over files: the first four, and those that came with a later version of the interface.
EXECUTE, WRITE, READ, LIST = 1, 2, 4, 8
_ALL_OF_FIRST, _REFER, _TRUNCATE, _IOCTL = (1 << 13) - 1, 1 << 13, 1 << 14, 1 << 15
#: All that can be done with the files of a folder.
EVERYTHING = _ALL_OF_FIRST | _REFER | _TRUNCATE
#: What a file that is no folder can be given.
_OF_FILES = EXECUTE | WRITE | READ
_TCP = 3
_SOCKETS, _SIGNALS = 1, 2
#: Since which versions it holds these.
WITH_TCP, WITH_SIGNALS = 4, 6


def version(libc: ctypes.CDLL) -> int:
    """The version of the interface here; 0 if there is none."""
    found: int = libc.syscall(_CREATE, None, 0, _ASK_VERSION)
    return max(found, 0)


def fence(libc: ctypes.CDLL, rights: Iterable[tuple[str, int]]) -> bool:
    """Leaves this process, for good, these rights over what lies under these paths, and none over anything else."""
    abi = version(libc)
    if not abi:
        return False
    handled = _ALL_OF_FIRST
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL)):
        handled |= right if abi >= since else 0
    words = [handled, *([_TCP] if abi >= WITH_TCP else []), *([_SOCKETS | _SIGNALS] if abi >= WITH_SIGNALS else [])]
    attr = struct.pack(f"{len(words)}Q", *words)
    rules = libc.syscall(_CREATE, attr, len(attr), 0)
    if rules < 0:
        return False
    try:
        for path, given in rights:
            _allow(libc, rules, path, given & handled)
        return bool(libc.syscall(_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: str, given: int) -> None:
    """Adds a right; what is not there needs none."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            given &= _OF_FILES
        libc.syscall(_ADD, rules, _PATH_BENEATH, struct.pack("=Qi", given, place), 0)
    finally:
        os.close(place)
