"""Launcher of a bot: sets up the sandbox in the new process, tests it, reports what held, and execs the bot.

Nothing here needs root, and nothing but the standard library is imported: a bot's start is to cost little. What the
system does not have is left out, and what did not hold when it was tested is not reported. What each part is for is in
`guarantees.py`.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

from playmill.agents.programs.sandbox import landlock, seccomp, self_test

#: As in `typing`, whose import would take longer than all that is done here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    #: What holds each guarantee; nothing does where there is None.
    Guarantees = dict[str, str | None]

_NO_NEW_PRIVILEGES, _DEATH_SIGNAL, _KEEP_RIGHTS, _SECURITY_BITS, _AMBIENT = 38, 1, 8, 28, 47
_AMBIENT_RAISE, _AMBIENT_CLEAR = 2, 4
#: A program that root runs gets no rights by that, and none can change it.
_NO_ROOT = 0b11
_NEW_USER = 0x10000000
#: Root may read and run what its own bots' files are, whoever they belong to: Landlock says which.
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2
#: Users nobody is: one for each process, by its number; the second range where the first is not mapped.
_USERS = ((0x70000000, 1 << 22), (50_000, 10_000))
#: What every program needs to run at all, to be read and run; to be read; to be written to.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives")
_READ = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/ssl/openssl.cnf"),
    # Not /dev/zero: its pages, shared, are memory that no limit of a process counts.
    *("/dev/random", "/dev/urandom", "/proc/self", "/proc/cpuinfo", "/proc/meminfo"),
    "/sys/devices/system/cpu",
)
_WRITE = ("/dev/null",)
#: Threads a machine may well have, where nobody can count them.
_MANY = 4096
#: Addresses that may be reserved above the limit of memory, as some languages do by the gigabyte; stacks.
_RESERVED, _STACK, _LARGEST_STACK = 64 << 30, 8 << 20, 64 << 20
#: Signals that may wait for it; all processes of a user share a number of them.
_SIGNALS = 256
#: SIGPIPE and SIGXFSZ, which Python ignores and whatever it runs would.
_IGNORED = (13, 25)


class LaunchSettings:
    """Arguments of the launcher.

    Numbers, a cgroup or nothing, how many paths may be read, these, and the command.
    """

    NUMBERS = ("tell", "supervisor", "parent", "memory", "processes", "threads", "files", "written")
    tell: int
    supervisor: int
    parent: int
    memory: int
    processes: int
    threads: int
    files: int
    #: MB that a file it writes may have, in its own folder; a bot writes none, a compiler does.
    written: int

    def __init__(self, words: list[str]) -> None:
        for place, name in enumerate(self.NUMBERS):
            setattr(self, name, int(words[place]))
        rest = words[len(self.NUMBERS) :]
        self.cgroup, paths = rest[0], int(rest[1])
        self.read, self.command = rest[2 : 2 + paths], rest[2 + paths :]


def main() -> None:
    """Becomes the bot; does not come back."""
    settings = LaunchSettings(sys.argv[1:])
    for pipe in (settings.tell, settings.supervisor):
        if pipe >= 0:
            os.set_inheritable(pipe, False)
    command = settings.command
    try:
        _announce(settings)
        for guarantee, held in put_up(settings).items():
            os.write(settings.tell, f"{guarantee}={held or ''}\n".encode())
        for number in _IGNORED:
            ctypes.CDLL(None).signal(number, None)
        os.execve(command[0], command, os.environ)
    except OSError as error:
        os.write(settings.tell, f"error={command[0]}: {error.strerror}\n".encode(errors="replace"))
    os._exit(127)


def _announce(settings: LaunchSettings) -> None:
    """Tells the supervisor of the bot before there is one; where it is gone, the rest of the sandbox has to do."""
    if settings.supervisor < 0:
        return
    line = f"+{os.getpid()} {settings.memory} {settings.processes} {settings.cgroup}\n"
    try:
        os.write(settings.supervisor, line.encode(errors="surrogateescape"))
    except OSError:
        settings.supervisor = -1


def put_up(settings: LaunchSettings) -> Guarantees:
    """Makes all of the sandbox there can be, in the order it allows; returns what holds each part when it is tried."""
    guarantees: Guarantees = dict.fromkeys(
        ("files", "writing", "network", "memory", "processes", "threads", "signals", "user", "death", "tracing")
    )
    guarantees["channels"] = None
    joined = _join(settings.cgroup)
    _limit(guarantees, settings)
    if sys.platform != "linux":
        return guarantees
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    fenced = landlock.version(libc)
    root = os.geteuid() == 0
    guarantees["user"] = _be_nobody(libc, fenced > 0 and seccomp.known()) if root else _be_apart(libc)
    _limit_threads(guarantees, settings.threads)
    if libc.prctl(_DEATH_SIGNAL, 9, 0, 0, 0) == 0:
        guarantees["death"] = "prctl"
    if os.getppid() != settings.parent:
        os._exit(127)
    rights = [(path, landlock.EXECUTE | landlock.READ | landlock.LIST) for path in (*_SYSTEM, *settings.read)]
    rights += [(path, landlock.READ | landlock.LIST) for path in (*_READ, *_java_settings())]
    rights += [(path, landlock.READ | landlock.WRITE) for path in _WRITE]
    rights += [(os.environ["HOME"], landlock.EVERYTHING)] if settings.written else []
    if landlock.fence(libc, rights):
        guarantees["files"] = f"Landlock {fenced}"
        guarantees["signals"] = guarantees["files"] if fenced >= landlock.WITH_SIGNALS else None
        guarantees["network"] = "Landlock (TCP)" if fenced >= landlock.WITH_TCP else None
    elif root:
        _keep_rights(libc, ())
    one = settings.processes == 1
    if seccomp.refuse(libc, own=os.getpid(), processes=not one, signals=guarantees["signals"] is not None):
        guarantees["network"] = guarantees["tracing"] = guarantees["channels"] = "seccomp"
        guarantees["signals"] = guarantees["signals"] or "seccomp"
        guarantees["processes"] = "seccomp" if one else guarantees["threads"]
        guarantees["death"] = _and(guarantees["death"], "seccomp")
    if settings.supervisor >= 0:
        guarantees["memory"] = _and(guarantees["memory"], "supervisor")
        guarantees["death"] = _and(guarantees["death"], "supervisor")
    if joined:
        guarantees["memory"] = _and(guarantees["memory"], "cgroup")
    # What is allowed to write and to start others is no bot: what is tried of one would leave its traces.
    return guarantees if settings.written else _tried(guarantees, libc, settings, root)


def _java_settings() -> list[str]:
    """Folders of the system in which Java looks for its settings."""
    try:
        with os.scandir("/etc") as entries:
            return [entry.path for entry in entries if entry.name.startswith("java-")]
    except OSError:
        return []


def _tried(guarantees: Guarantees, libc: ctypes.CDLL, settings: LaunchSettings, root: bool) -> Guarantees:
    """The same without what did not hold."""
    folder = os.environ["HOME"]
    above = folder.rpartition("/")[0] + "/"
    open_above = any(above.startswith(f"{path}/") for path in (*_SYSTEM, *settings.read))
    tries = self_test.SelfTest(
        libc,
        parent=settings.parent,
        memory=settings.memory,
        threads=settings.threads,
        folder=folder,
        above=None if open_above else above,
    )
    attempts = tries.attempts(processes=settings.processes > 1, own_user=root and guarantees["user"] is not None)
    for guarantee, some in attempts.items():
        if guarantees[guarantee] is not None and not all(_is_stopped(one) for one in some):
            guarantees[guarantee] = None
    return guarantees


def _is_stopped(attempt: Callable[[], bool]) -> bool:
    try:
        return attempt()
    except OSError:
        return False


def _and(first: str | None, second: str) -> str:
    return f"{first}, {second}" if first else second


def _join(folder: str) -> bool:
    """Enters the cgroup that was made for the bot."""
    if not folder:
        return False
    try:
        place = os.open(f"{folder}/cgroup.procs", os.O_WRONLY)
        try:
            os.write(place, str(os.getpid()).encode())
        finally:
            os.close(place)
    except OSError:
        return False
    return True


def _limit(guarantees: Guarantees, settings: LaunchSettings) -> None:
    """The limits every Unix has: memory, files written (none), files open, no images of crashes."""
    try:
        import resource
    except ImportError:
        return
    memory, counted = settings.memory << 20, seccomp.known()
    for name, soft, most in (
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_FSIZE", settings.written << 20, settings.written << 20),
        ("RLIMIT_MEMLOCK", 0, 0),
        ("RLIMIT_MSGQUEUE", 0, 0),
        ("RLIMIT_SIGPENDING", _SIGNALS, _SIGNALS),
        ("RLIMIT_NOFILE", settings.files, settings.files),
        ("RLIMIT_STACK", min(_STACK, memory), min(_LARGEST_STACK, memory)),
        # Memory that is only reserved does not count as data.
        *((("RLIMIT_DATA", memory, memory),) if counted else ()),
        ("RLIMIT_AS", memory + counted * _RESERVED, memory + counted * _RESERVED),
    ):
        if hasattr(resource, name):
            try:
                resource.setrlimit(getattr(resource, name), (soft, most))
            except (OSError, ValueError):
                continue
            if name == "RLIMIT_FSIZE":
                guarantees["writing"] = name
            elif name in ("RLIMIT_DATA", "RLIMIT_AS"):
                guarantees["memory"] = guarantees["memory"] or name


def _limit_threads(guarantees: Guarantees, most: int) -> None:
    """The limit of the user's processes: the bot's own, where it is a user of its own; else above what runs now."""
    import resource

    if guarantees["user"] is None:
        most += _running_now()
    try:
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    except (OSError, ValueError):
        return
    guarantees["threads"] = "RLIMIT_NPROC"


def _running_now() -> int:
    """How many threads this machine has, of all its users."""
    try:
        place = os.open("/proc/loadavg", os.O_RDONLY)
    except OSError:
        return _MANY
    line = os.read(place, 200)
    os.close(place)
    return int(line.split()[3].partition(b"/")[2])


def _be_nobody(libc: ctypes.CDLL, fenced: bool) -> str | None:
    """Root becomes a user that nobody else is; within a fence it keeps the right to read all files.

    Whether that can be done or not, it has no other rights after that, nor will what it runs.
    """
    libc.prctl(_SECURITY_BITS, _NO_ROOT, 0, 0, 0)
    libc.prctl(_KEEP_RIGHTS, 1, 0, 0, 0)
    held = next(filter(None, map(_become, _USERS)), None)
    _keep_rights(libc, (_DAC_OVERRIDE, _DAC_READ_SEARCH) if fenced else ())
    return held


def _become(users: tuple[int, int]) -> str | None:
    """Becomes one of these users; not every container has them."""
    user = users[0] + os.getpid() % users[1]
    try:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError:
        return None
    return "setuid"


def _keep_rights(libc: ctypes.CDLL, rights: tuple[int, ...]) -> None:
    """Gives up all rights but these, for itself and for what it runs."""
    bits = sum(1 << right for right in rights)
    libc.prctl(_AMBIENT, _AMBIENT_CLEAR, 0, 0, 0)
    libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("6I", bits, bits, bits, 0, 0, 0))
    for right in rights:
        libc.prctl(_AMBIENT, _AMBIENT_RAISE, right, 0, 0)


def _be_apart(libc: ctypes.CDLL) -> str | None:
    """Whoever is not root gets a user namespace, if there is one: limits of processes count the bot's alone."""
    user, group = os.geteuid(), os.getegid()

    def enter() -> bool:
        if libc.unshare(_NEW_USER) != 0:
            return False
        for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            place = os.open(f"/proc/self/{file}", os.O_WRONLY)
            os.write(place, text.encode())
            os.close(place)
        return True

    return "user namespace" if _would(enter) and enter() else None


def _would(work: Callable[[], bool]) -> bool:
    """Whether something that cannot be undone would succeed: a child tries it."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        except OSError:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0
