"""Self-test of the sandbox: attempts, just before the bot starts, what it must refuse; only what held is reported.

Part of the launcher: it imports nothing but the standard library, and whatever it gets it gives back.
"""

from __future__ import annotations

import ctypes
import os

#: As in `typing`, whose import would take longer than all that is done here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PTRACE_SEIZE = 0x4206
_SET_DEATH_SIGNAL, _GET_DEATH_SIGNAL, _KILL = 1, 2, 9
_READ_WRITE, _PRIVATE_ANONYMOUS, _SHARED_ANONYMOUS, _GROWS_DOWN = 3, 0x22, 0x21, 0x122
_UNIX, _INET, _STREAM, _DATAGRAM = 1, 2, 1, 2
_EXCLUSIVE_AT_ONCE = 6  # LOCK_EX | LOCK_NB
#: More than a bot may have, in MB.
_MORE = 64
#: More threads than this would take too long to try.
_FEW_THREADS = 128
_SMALL_STACK = 1 << 16


class SelfTest:
    """The attempts: each returns whether it was refused."""

    def __init__(
        self, libc: ctypes.CDLL, *, parent: int, memory: int, threads: int, folder: str, above: str | None
    ) -> None:
        self._libc, self._parent, self._memory, self._threads = libc, parent, memory, threads
        self._folder, self._above = folder, above

    def attempts(self, *, processes: bool, own_user: bool) -> dict[str, tuple[Callable[[], bool], ...]]:
        """What is tried for each part of the sandbox."""
        return {
            "files": (self.lists_root, self.lists_beside, self.reads_parent),
            "writing": (self.writes_beside, self.writes_own),
            "network": (self.opens_internet, self.opens_local, self.pairs_datagrams),
            "memory": (self.takes_private, self.takes_stack, self.takes_shared),
            "processes": () if processes else (self.forks,),
            "signals": (self.signals_parent,),
            "tracing": (self.traces_parent,),
            "channels": (self.locks_file, self.watches_files),
            "user": (self.becomes_root,) if own_user else (),
            "death": (self.outlives_parent,),
            "threads": (self.starts_threads,) if own_user and self._threads <= _FEW_THREADS else (),
        }

    def lists_root(self) -> bool:
        """The first folder of all, which everybody may read."""
        return _is_refused("/", os.O_RDONLY | os.O_DIRECTORY)

    def lists_beside(self) -> bool:
        """The folder in which the bot's own lies: the others' are there. Of the system's own nothing is refused."""
        return self._above is None or _is_refused(self._above, os.O_RDONLY | os.O_DIRECTORY)

    def reads_parent(self) -> bool:
        """Playmill's command line."""
        return _is_refused(f"/proc/{self._parent}/cmdline", os.O_RDONLY)

    def writes_beside(self) -> bool:
        """A file without a name, in the folder for temporary ones."""
        return _writes_nothing("/tmp")

    def writes_own(self) -> bool:
        """The same in its own folder."""
        return _writes_nothing(self._folder)

    def opens_internet(self) -> bool:
        """A socket to the network."""
        return self._no_descriptor(self._libc.socket(_INET, _STREAM, 0))

    def opens_local(self) -> bool:
        """A socket to this machine."""
        return self._no_descriptor(self._libc.socket(_UNIX, _DATAGRAM, 0))

    def pairs_datagrams(self) -> bool:
        """Two sockets of which each could be bound to a name that others know."""
        made = (ctypes.c_int * 2)()
        if self._libc.socketpair(_UNIX, _DATAGRAM, 0, made) != 0:
            return True
        for one in made:
            os.close(one)
        return False

    def takes_private(self) -> bool:
        """More memory than it may have."""
        return self._maps_nothing(_PRIVATE_ANONYMOUS)

    def takes_stack(self) -> bool:
        """The same as memory that grows like a stack."""
        return self._maps_nothing(_GROWS_DOWN)

    def takes_shared(self) -> bool:
        """The same as memory that several could share."""
        return self._maps_nothing(_SHARED_ANONYMOUS)

    def forks(self) -> bool:
        """A process."""
        try:
            child = os.fork()
        except OSError:
            return True
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return False

    def signals_parent(self) -> bool:
        """The signal that only asks whether one may."""
        try:
            os.kill(self._parent, 0)
        except OSError:
            return True
        return False

    def traces_parent(self) -> bool:
        """Playmill's memory."""
        return bool(self._libc.ptrace(_PTRACE_SEIZE, self._parent, None, None) != 0)

    def locks_file(self) -> bool:
        """A lock on a file that everybody has open."""
        place = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return bool(self._libc.flock(place, _EXCLUSIVE_AT_ONCE) != 0)
        finally:
            os.close(place)

    def watches_files(self) -> bool:
        """Notices of what others do with their files."""
        return self._no_descriptor(self._libc.inotify_init1(0))

    def becomes_root(self) -> bool:
        """Root again."""
        try:
            os.setresuid(0, 0, 0)
        except OSError:
            return True
        return False

    def outlives_parent(self) -> bool:
        """The system kills it with Playmill, and it cannot undo that."""
        held = ctypes.c_int()
        self._libc.prctl(_GET_DEATH_SIGNAL, ctypes.byref(held), 0, 0, 0)
        return held.value == _KILL and bool(self._libc.prctl(_SET_DEATH_SIGNAL, _KILL, 0, 0, 0) != 0)

    def starts_threads(self) -> bool:
        """One thread more than there may be; those that were begun end when the launcher becomes the bot."""
        import _thread

        _thread.stack_size(_SMALL_STACK)
        wait = _thread.allocate_lock()
        wait.acquire()
        try:
            for _ in range(self._threads):
                _thread.start_new_thread(wait.acquire, ())
        except RuntimeError:
            return True
        return False

    def _no_descriptor(self, found: int) -> bool:
        if found >= 0:
            os.close(found)
        return found < 0

    def _maps_nothing(self, kind: int) -> bool:
        size = (self._memory + _MORE) << 20
        self._libc.mmap.restype = ctypes.c_void_p
        self._libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        found = self._libc.mmap(None, size, _READ_WRITE, kind, -1, 0)
        if found == ctypes.c_void_p(-1).value:
            return True
        self._libc.munmap(ctypes.c_void_p(found), ctypes.c_size_t(size))
        return False


def _is_refused(path: str, flags: int) -> bool:
    try:
        os.close(os.open(path, flags | os.O_CLOEXEC))
    except OSError:
        return True
    return False


def _writes_nothing(folder: str) -> bool:
    try:
        place = os.open(folder, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except OSError:
        return True
    try:
        return os.write(place, b"x") == 0
    except OSError:
        return True
    finally:
        os.close(place)
