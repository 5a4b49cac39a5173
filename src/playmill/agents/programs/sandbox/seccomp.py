"""Seccomp filter: refuses sockets, locks, memory of others, leaving the process group, and new processes.

What is refused fails with an error, as if the system did not have it or did not allow it; nothing is killed for asking.
Part of the launcher: it runs before a bot does and imports nothing but the standard library.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

_LOAD, _JUMP_EQUAL, _JUMP_SET, _AND, _RETURN = 0x20, 0x15, 0x45, 0x54, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_SET_SECCOMP, _FILTER = 22, 2
#: Numbers from here on are those of x32, another interface of the same processor.
_X32 = 0x40000000

#: Namespaces of its own, and a child that is the caller's sibling.
_CLONE_THREAD, _CLONE_ANEW = 0x00010000, 0x7E028000
_SHARED_ANONYMOUS, _MAPPING_KIND = 0x21, 0x2F
#: MAP_GROWSDOWN and MAP_HUGETLB: memory that no limit of the process counts.
_UNCOUNTED = 0x40100
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_UNIX, _STREAM, _PACKETS, _SOCKET_KIND = 1, 1, 5, 0xF
_FILE_COMMANDS = (
    *(8, 10, 15),  # F_SETOWN, F_SETSIG, F_SETOWN_EX: signals by way of a file
    *(5, 6, 7, 36, 37, 38, 1024, 1025, 1026),  # locks, leases and notices, which others could see
    1031,  # F_SETPIPE_SZ: memory of the kernel
)
#: TIOCSTI, which types for another; FIOASYNC, FIOSETOWN and SIOCSPGRP: signals by way of a socket.
_DEVICE_COMMANDS = (0x5412, 0x5452, 0x8901, 0x8902)


class Calls:
    """The numbers of system calls on one processor."""

    arch: int
    refused: tuple[int, ...]
    #: Told not to exist, so that a library does it in another way.
    unknown: tuple[int, ...]
    forks: tuple[int, ...]
    clone: int
    mmap: int
    fcntl: int
    ioctl: int
    prctl: int
    socketpair: int
    prlimit: int
    #: Those whose first argument is a process: none but the own.
    of_another: tuple[int, ...]
    kills: tuple[int, ...]
    other_kills: tuple[int, ...]


#: The same on every processor: mounts, handles of processes, io_uring, memory of others.
_COMMON_REFUSED = (
    424,
    428,
    429,
    430,
    431,
    432,
    433,
    434,
    438,
    440,
    442,
    443,
    448,
    452,
    463,
    464,
    465,
    466,
    467,
    468,
    469,
)
_COMMON_UNKNOWN = (425, 426, 427, 435, 447)


class _X86(Calls):
    arch = 0xC000003E
    refused = (
        *(41, 101, 310, 311, 312),  # socket, ptrace, process_vm_readv, process_vm_writev, kcmp
        *(49, 42, 50, 43, 288),  # bind, connect, listen, accept, accept4
        *(73, 253, 254, 294, 162, 306),  # flock, inotify_init, inotify_add_watch, inotify_init1, sync, syncfs
        *(222, 206),  # timer_create, which could wake a bot that was stopped; io_setup, of which all share a number
        *(109, 112, 141, 251, 135),  # setpgid, setsid, setpriority, ioprio_set, personality
        *(29, 30, 31, 64, 65, 66, 67, 220, 68, 69, 70, 71, 240),  # shared memory, semaphores, queues of messages
        *(76, 90, 91, 92, 93, 94, 260, 268, 132, 235, 261, 280),  # truncate, chmod, chown, utime and their kin
        *(188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199),  # attributes of files
        *(165, 166, 155, 161, 272, 308),  # mount, umount2, pivot_root, chroot, unshare, setns
        *(303, 304),  # name_to_handle_at, open_by_handle_at
        *(298, 321, 323, 248, 249, 250, 256, 279),  # perf_event_open, bpf, userfaultfd, keys, pages of others
        # syslog, vhangup, clocks, acct, swap, reboot, names of the host, ports, modules, quotas, kexec, fanotify
        *(103, 153, 159, 163, 164, 167, 168, 169, 170, 171, 172, 173, 175, 176, 179, 227, 246, 300, 305, 313, 320),
    )
    unknown = (319,)  # memfd_create
    forks = (57, 58)
    clone = 56
    mmap = 9
    fcntl = 72
    ioctl = 16
    prctl = 157
    socketpair = 53
    prlimit = 302
    of_another = (142, 144, 203, 314)  # sched_set…
    kills = (62, 234)
    other_kills = (129, 200, 297)


class _Arm(Calls):  # the same, in the same lines
    arch = 0xC00000B7
    refused = (
        *(198, 117, 270, 271, 272),
        *(200, 203, 201, 202, 242),
        *(32, 26, 27, 81, 267),
        *(107, 0),
        *(154, 157, 140, 30, 92),
        *(194, 195, 196, 197, 190, 191, 192, 193, 186, 187, 188, 189, 180),
        *(45, 52, 53, 54, 55, 88),
        *(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
        *(40, 39, 41, 51, 97, 268, 264, 265),
        *(241, 280, 282, 217, 218, 219, 238, 239),
        *(116, 58, 171, 89, 170, 224, 225, 142, 161, 162, 105, 106, 60, 112, 104, 262, 266, 273, 294),
    )
    unknown = (279,)
    forks = ()
    clone = 220
    mmap = 222
    fcntl = 25
    ioctl = 29
    prctl = 167
    socketpair = 199
    prlimit = 261
    of_another = (118, 119, 122, 274)
    kills = (129, 131)
    other_kills = (130, 138, 240)


CALLS: dict[str, type[Calls]] = {"x86_64": _X86, "aarch64": _Arm}


def known() -> bool:
    """Whether the numbers of this processor's system calls are known."""
    return sys.platform == "linux" and os.uname().machine in CALLS and struct.calcsize("P") == 8


def refuse(libc: ctypes.CDLL, *, own: int, processes: bool, signals: bool) -> bool:
    """Puts the filter up for this process, whose number is `own`: without new processes, without signals to others."""
    if not known():
        return False
    code = program(CALLS[os.uname().machine], own=own, processes=processes, signals=signals)
    held = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HP", len(code) // 8, ctypes.addressof(held))
    return bool(libc.prctl(_SET_SECCOMP, _FILTER, head, 0, 0) == 0)


def program(calls: type[Calls], *, own: int, processes: bool, signals: bool) -> bytes:
    """The filter as the kernel reads it; `processes` and `signals` say what is left to a bot."""
    lines = [
        _line(_LOAD, _ARCH),
        _line(_JUMP_EQUAL, calls.arch, yes=1),
        _line(_RETURN, _REFUSE | errno.EPERM),
        _line(_LOAD, _NUMBER),
    ]
    if calls is _X86:
        lines += [_line(_JUMP_SET, _X32, no=1), _line(_RETURN, _REFUSE | errno.ENOSYS)]
    refused = (
        *calls.refused,
        *_COMMON_REFUSED,
        *(() if processes else calls.forks),
        *_if_not(signals, calls.other_kills),
    )
    for number in refused:
        lines += [_line(_JUMP_EQUAL, number, no=1), _line(_RETURN, _REFUSE | errno.EPERM)]
    for number in (*calls.unknown, *_COMMON_UNKNOWN):
        lines += [_line(_JUMP_EQUAL, number, no=1), _line(_RETURN, _REFUSE | errno.ENOSYS)]
    flags = [_line(_LOAD, _ARGUMENTS), _line(_JUMP_SET, _CLONE_ANEW, no=1), _line(_RETURN, _REFUSE | errno.EPERM)]
    if not processes:
        flags += [_line(_JUMP_SET, _CLONE_THREAD, yes=1), _line(_RETURN, _REFUSE | errno.EAGAIN)]
    lines += _case(calls.clone, flags)
    uncounted = [_line(_JUMP_SET, _UNCOUNTED, no=1), _line(_RETURN, _REFUSE | errno.ENOMEM)]
    shared = [_line(_AND, _MAPPING_KIND), *_unless_not(_SHARED_ANONYMOUS, errno.ENOMEM)]
    lines += _case(calls.mmap, [_line(_LOAD, _ARGUMENTS + 24), *uncounted, *shared])
    commands = [line for command in _FILE_COMMANDS for line in _unless_not(command, errno.EPERM)]
    lines += _case(calls.fcntl, [_line(_LOAD, _ARGUMENTS + 8), *commands])
    lines += _case(calls.prctl, [_line(_LOAD, _ARGUMENTS), *_unless_not(_DEATH_SIGNAL, errno.EPERM)])
    # A pair of connected ends within the bot, as event loops want one; of any other kind an end could reach others.
    pair = [_line(_LOAD, _ARGUMENTS), *_one_of((_UNIX,), errno.EPERM)]
    kinds = (_STREAM, _PACKETS) if processes else (_STREAM,)  # by packets a compiler hears of what it has started
    pair += [_line(_LOAD, _ARGUMENTS + 8), _line(_AND, _SOCKET_KIND), *_one_of(kinds, errno.EPERM)]
    lines += _case(calls.socketpair, pair)
    commands = [line for command in _DEVICE_COMMANDS for line in _unless_not(command, errno.EPERM)]
    lines += _case(calls.ioctl, [_line(_LOAD, _ARGUMENTS + 8), *commands])
    for number in (calls.prlimit, *calls.of_another, *_if_not(signals, calls.kills)):
        lines += _case(number, [_line(_LOAD, _ARGUMENTS), *_own(own)])
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _if_not(condition: bool, numbers: tuple[int, ...]) -> tuple[int, ...]:
    return () if condition else numbers


def _line(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def _case(number: int, body: list[bytes]) -> list[bytes]:
    """What is asked about one system call: it is allowed if nothing in the body says otherwise."""
    return [_line(_JUMP_EQUAL, number, no=len(body) + 1), *body, _line(_RETURN, _ALLOW)]


def _unless_not(value: int, error: int) -> list[bytes]:
    """Refuses one value of what was loaded."""
    return [_line(_JUMP_EQUAL, value, no=1), _line(_RETURN, _REFUSE | error)]


def _one_of(values: tuple[int, ...], error: int) -> list[bytes]:
    """Refuses any value of what was loaded but these."""
    left = range(len(values), 0, -1)
    return [
        *(_line(_JUMP_EQUAL, value, yes=jump) for value, jump in zip(values, left, strict=True)),
        _line(_RETURN, _REFUSE | error),
    ]


def _own(own: int) -> list[bytes]:
    """Refuses any process but the own, by its number or by 0."""
    return [
        _line(_JUMP_EQUAL, own, yes=2),
        _line(_JUMP_EQUAL, 0, yes=1),
        _line(_RETURN, _REFUSE | errno.EPERM),
    ]
