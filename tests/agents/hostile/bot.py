"""A bot that tries everything it should not be able to do, says on stderr how that went, and plays on.

Each attempt returns what it got; an error is what stopped it. `TARGETS` beside it, JSON, names what it is to reach for.
"""

import ctypes
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import threading
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
TARGETS = json.loads((Path(__file__).parent / "targets.json").read_text(encoding="utf-8"))
PARENT = os.getppid()
NUMBERS = {"x86_64": (101, 310, 425, 319, 272, 56, 222, 206), "aarch64": (117, 270, 425, 279, 97, 220, 107, 0)}
PTRACE, READ_MEMORY, RING, MEMORY_FILE, UNSHARE, CLONE, TIMER, SETUP = NUMBERS.get(os.uname().machine, (0,) * 8)
OWN = str(Path(__file__))


def call(number: int, *arguments: int) -> int:
    """A system call by its number; raises the error it ends with."""
    found = LIBC.syscall(number, *arguments)
    if found < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found


def read(path: str) -> str:
    return Path(path).read_bytes()[:100].decode(errors="replace")


def fork() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return child


def threads() -> int:
    """How many there can be."""
    lock, begun = threading.Event(), 0
    try:
        while begun < 2000:
            threading.Thread(target=lock.wait, daemon=True).start()
            begun += 1
    except RuntimeError as error:
        raise OSError(11, f"after {begun} threads: {error}") from None
    finally:
        lock.set()
    return begun


def memory() -> int:
    held = []
    while len(held) < 4096:
        held.append(bytearray(1 << 20))
    return len(held)


def mapped(flags: int, protection: int = 3) -> int:
    """Three gigabytes of addresses, of which some are used."""
    LIBC.mmap.restype = ctypes.c_void_p
    LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    found = LIBC.mmap(None, 3 << 30, protection, flags, -1, 0)
    if found == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    ctypes.memset(found + (3 << 30) - (1 << 20), 1, 1 << 20)
    LIBC.munmap(ctypes.c_void_p(found), ctypes.c_size_t(3 << 30))
    return 3 << 30


def zeros() -> int:
    """Memory as shared pages of a device."""
    with open("/dev/zero", "rb") as device:  # noqa: PTH123
        return len(mmap.mmap(device.fileno(), 3 << 30, mmap.MAP_SHARED, mmap.PROT_READ))


def checked(found: int) -> int:
    """What a function of C returned; raises the error it ended with."""
    if found < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found


def locked(command: int) -> bytes:
    """A lock of another kind on a file of the system."""
    with open("/usr/bin/env", "rb") as file:  # noqa: PTH123
        return fcntl.fcntl(file, command, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))


def bound() -> str:
    """A socket by a name that another bot knows, made of a pair."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.bind("\0playmill-hostile")
    return "bound"


def bound_stream() -> str:
    """The same by a pair that event loops use."""
    one, _ = socket.socketpair()
    one.bind("\0playmill-hostile")
    return "bound"


def watched() -> int:
    """Notices of what happens in a folder."""
    place = checked(LIBC.inotify_init1(0))
    return checked(LIBC.inotify_add_watch(place, TARGETS["bots"].encode(), 0xFFF))


def timer(number: int) -> int:
    """A timer that sends a signal."""
    event = ctypes.create_string_buffer(struct.pack("Pii48x", 0, number, 0))
    return checked(LIBC.syscall(TIMER, 1, event, ctypes.byref(ctypes.c_int())))


def pipe_of_a_megabyte() -> int:
    one, _ = os.pipe()
    return fcntl.fcntl(one, 1031, 1 << 20)


def caller() -> str:
    """What the caller's environment told."""
    found = [name for name in os.environ if "SECRET" in name]
    if not found:
        raise OSError(2, "not there")
    return os.environ[found[0]]


ATTEMPTS = {
    "read another bot's folder": lambda: read(TARGETS["other"]),
    "list the folder of bots": lambda: [*Path(TARGETS["bots"]).iterdir()],
    "list the home folder": lambda: [*Path(TARGETS["home"]).iterdir()],
    "read the store of runs": lambda: read(TARGETS["store"]),
    "read the system's users": lambda: read("/etc/passwd"),
    "read the caller's environment": caller,
    "read the host's environment": lambda: read(f"/proc/{PARENT}/environ"),
    "read the host's command line": lambda: read(f"/proc/{PARENT}/cmdline"),
    "open the host's memory": lambda: os.open(f"/proc/{PARENT}/mem", os.O_RDONLY),
    "read the host's memory": lambda: call(READ_MEMORY, PARENT, 0, 0, 0, 0, 0),
    "trace the host": lambda: call(PTRACE, 16, PARENT, 0, 0),
    "signal the host": lambda: os.kill(PARENT, signal.SIGUSR1),
    "signal the host by a file": lambda: __import__("fcntl").fcntl(0, 8, PARENT),
    "change the host's limits": lambda: resource.prlimit(PARENT, resource.RLIMIT_NOFILE, (9, 9)),
    "slow the host down": lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 19),
    "open a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "open a socket of this machine": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
    "open a ring of orders": lambda: call(RING, 8, 0),
    "start a process": fork,
    "start a bomb of threads": threads,
    "take all memory": memory,
    "take memory that is shared": lambda: len(mmap.mmap(-1, 1 << 20)),
    "take memory as a file": lambda: call(MEMORY_FILE, 0, 0),
    "leave the session": os.setsid,
    "leave the group": lambda: os.setpgid(0, 0),
    "enter a namespace": lambda: call(UNSHARE, 0x10000000),
    "write into its own folder": lambda: (Path(__file__).parent / "notes").write_text("x"),
    "write into the temporary folder": lambda: Path("/tmp/playmill-hostile").write_text("x"),
    "write into shared memory": lambda: Path("/dev/shm/playmill-hostile").write_text("x"),
    "change the rights of its files": lambda: Path(__file__).chmod(0o777),
    "change the rights of others' files": lambda: Path(TARGETS["other"]).chmod(0o777),
    "write to the terminal": lambda: os.open("/dev/tty", os.O_WRONLY),
    "write to the host's output": lambda: os.open(f"/proc/{PARENT}/fd/1", os.O_WRONLY),
    "read the rules of the contest": lambda: read(TARGETS["rules"]),
    "read the seed": lambda: read(TARGETS["seed"]),
    "read a rival by way of itself": lambda: read(f"/proc/self/cwd/../{Path(TARGETS['other']).parent.name}/bot.py"),
    "read a rival by the root of its process": lambda: read(f"/proc/self/root{TARGETS['other']}"),
    "read the host's folder": lambda: [*Path(f"/proc/{PARENT}/cwd").iterdir()],
    "read passwords": lambda: read("/etc/shadow"),
    "read attributes of a file": lambda: os.listxattr(TARGETS["other"]),
    "link to a rival": lambda: os.link(TARGETS["other"], Path(__file__).parent / "linked"),
    "take memory that grows like a stack": lambda: mapped(0x4122),
    "take memory by huge pages": lambda: mapped(0x40022),
    "take memory that is shared and reserved": lambda: mapped(0x4021),
    "take memory as zeros of a device": zeros,
    "have a stack without end": lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 32, 1 << 32)),
    "have addresses without end": lambda: len(mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE, mmap.PROT_READ)),
    "have a pipe of a megabyte": pipe_of_a_megabyte,
    "outlive the host": lambda: checked(LIBC.prctl(1, 0, 0, 0, 0)),
    "be a child of the host": lambda: call(CLONE, 0x8011, 0, 0, 0, 0),
    "be root": lambda: os.setresuid(0, 0, 0),
    "bind a pair of sockets": bound,
    "bind a pair of streams": bound_stream,
    "connect a pair of streams": lambda: socket.socketpair()[0].connect("\0playmill-hostile"),
    "pair sockets that keep messages": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET),
    "pair sockets of the network": lambda: socket.socketpair(socket.AF_INET, socket.SOCK_STREAM),
    "lock a file of the system": lambda: fcntl.flock(os.open("/usr/bin/env", os.O_RDONLY), fcntl.LOCK_EX),
    "lock a part of a file": lambda: locked(fcntl.F_SETLK),
    "ask who locks a file": lambda: locked(fcntl.F_GETLK),
    "lock a file as opened": lambda: locked(37),
    "lease a file": lambda: fcntl.fcntl(os.open(OWN, os.O_RDONLY), 1024, fcntl.F_RDLCK),
    "be told of changes in a folder": lambda: fcntl.fcntl(os.open("/usr", os.O_RDONLY), 1026, 4),
    "watch the folder of bots": watched,
    "be woken by a timer": lambda: timer(signal.SIGCONT),
    "signal the host by a socket": lambda: fcntl.ioctl(socket.socketpair()[0], 0x8901, struct.pack("i", PARENT)),
    "be signalled by a socket": lambda: fcntl.ioctl(socket.socketpair()[0], 0x5452, struct.pack("i", 1)),
    "use up what all share of requests": lambda: checked(LIBC.syscall(SETUP, 60_000, ctypes.byref(ctypes.c_long()))),
    "have signals without end": lambda: resource.setrlimit(resource.RLIMIT_SIGPENDING, (1 << 20, 1 << 20)),
    "have all disks wait": lambda: checked(LIBC.syncfs(0)),
    "raise its own limits": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30)),
}


def attempt(name: str) -> dict:
    """How one attempt ended."""
    try:
        return {"attempt": name, "got": repr(ATTEMPTS[name]())}
    except MemoryError:
        return {"attempt": name, "stopped": "out of memory"}
    except (OSError, ValueError) as error:
        return {"attempt": name, "stopped": str(error)}


def main() -> None:
    tried = False
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"type": "ready"}', flush=True)
        elif message["type"] == "act":
            if not tried:
                tried = True
                for name in ATTEMPTS:
                    print(json.dumps(attempt(name)), file=sys.stderr, flush=True)
            print(json.dumps({"type": "answer", "number": message["number"], "index": 1}), flush=True)
        elif message["type"] == "quit":
            return


main()
