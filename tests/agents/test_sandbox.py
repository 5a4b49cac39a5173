"""The sandbox of a bot: what it may read and hold, that it ends with Playmill, and that reports tell the truth."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from test_bot_isolation import SANDBOXED, is_gone, kernel_has_landlock, program

from playmill import PlaymillError
from playmill.agents.programs import bot_process
from playmill.agents.programs.bot_process import BotError, BotProcess, StderrLog
from playmill.agents.programs.interpreters import interpreters, is_interpreter, shebang
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.sandbox import cgroup, supervisor_client
from playmill.agents.programs.sandbox.supervisor_client import supervisor
from playmill.agents.programs.spec import read_program

pytestmark = pytest.mark.skipif(not SANDBOXED, reason="a sandbox as this is made on Linux alone")
CANARY = "canary-5e1f"

# What it may read


def shell_bot(folder: Path, first_line: bytes, canary: Path) -> None:
    """A bot that is run by a shell it brought along, and reads a file that is not its own."""
    folder.mkdir()
    (folder / "bot").write_bytes(
        first_line + f'\nread line\nread got < "{canary}"\necho "$got" >&2\necho ready\nread line\n'.encode()
    )
    (folder / "bot").chmod(0o755)


@pytest.mark.parametrize("space", [b"\x0c", b"\x0b", b"\x1c", b"\x85", b"\xc2\xa0"])
def test_what_a_script_names_as_its_interpreter_grants_it_nothing(tmp_path: Path, space: bytes) -> None:
    """Other splits than the kernel's made of the first word a link to everything."""
    if not kernel_has_landlock():
        pytest.skip("this kernel has no Landlock")
    canary = tmp_path / "canary"
    canary.write_text(CANARY)
    shell_bot(tmp_path / "bot", b"#!s" + space + b"/elf", canary)
    (tmp_path / "bot" / "s").symlink_to("/")
    brought = tmp_path / "bot" / os.fsdecode(b"s" + space)
    brought.mkdir()
    shutil.copy(os.path.realpath("/bin/sh"), brought / "elf")
    made = read_program(f"program:{tmp_path / 'bot'}")
    assert made.readable == (tmp_path / "bot",)
    kept = tmp_path / "stderr.txt"
    bot = BotProcess(made, StderrLog(kept, 10_000))
    try:
        assert bot.ask({"type": "hello"}, 60)[0] == b"ready"
    finally:
        bot.leave()
    said = kept.read_text()
    assert CANARY not in said and "Permission denied" in said


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"#!/bin/sh\n", "/bin/sh"),
        (b"#! \t/bin/sh -e\n", "/bin/sh"),
        (b"#!/bin/sh\t-e\n", "/bin/sh"),
        (b"#!s\x0c/elf\n", "s\x0c/elf"),
        (b"#!s\x0b/elf -x\n", "s\x0b/elf"),
        (b"#!s\r\n", "s\r"),
        (b"#!s\x00/elf\n", "s"),
        (b"#!/bin/sh", "/bin/sh"),
        (b"#!" + b"x" * 300, None),
        (b"#!" + b"x" * 200 + b" " + b"y" * 300, "x" * 200),
        (b"#!\n", None),
        (b"#!  \t \n", None),
        (b"import sys\n", None),
        (b" #!/bin/sh\n", None),
    ],
)
def test_a_first_line_is_split_as_the_kernel_splits_it(tmp_path: Path, line: bytes, found: str | None) -> None:
    (tmp_path / "bot").write_bytes(line)
    assert shebang(tmp_path / "bot") == (None if found is None else Path(found))


#: What a `bot.toml` says, and a part of the sentence it gets; `{rival}` is the whole path of another bot.
COMMANDS = {
    "rival": ('run = "../rival/bot.py"', "is not in the bot's folder"),
    "rival by python": ('run = "python3 ../rival/bot.py"', "is not in the bot's folder"),
    "rival by its path": ("run = 'python3 {rival}'", "is not in the bot's folder"),
    "rival runs itself": ("run = '{rival}'", "is not in the bot's folder"),
    "rival by way of itself": ('run = "python3 sub/../../rival/bot.py"', "is not in the bot's folder"),
    "link": ('run = "python3 link.py"', "is not in the bot's folder"),
    "link that runs": ('run = "./link.py"', "is not in the bot's folder"),
    "linked folder": ('run = "python3 linked/bot.py"', "is not in the bot's folder"),
    "process": ('run = "python3 /proc/self/cwd/../rival/bot.py"', "is not in the bot's folder"),
    "system by detour": ("run = '/usr/../{rival}'", "is not in the bot's folder"),
    "not there": ('run = "python3 ../nobody/bot.py"', "is not in the bot's folder"),
    "of the host": ('run = "host-tool"', "there is no program host-tool"),
    "zero": ('run = "a\\u0000b"', r"control character in 'a\\x00b'"),
    "zero in a word": ('run = "python3 bot.py a\\u0000b"', "control character"),
    "line": ("run = \"python3 'bot\\n.py'\"", "control character"),
    "empty": ('run = ""', "expected a line run"),
    "long": (f'run = "python3 {"x" * 5000}"', "expected a line run"),
    "no text": ("run = 3", "expected a line run"),
    "open": ('run = "python3 \'bot"', "expected a line run"),
    "no toml": ("run =", "not TOML"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_a_bot_that_leaves_its_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text, words = COMMANDS[name]
    program(tmp_path / "rival", "#!/usr/bin/env python3\n")
    (tmp_path / "rival" / "bot.py").chmod(0o755)
    program(tmp_path / "bot", "")
    (tmp_path / "bot" / "sub").mkdir()
    (tmp_path / "bot" / "link.py").symlink_to("../rival/bot.py")
    (tmp_path / "bot" / "linked").symlink_to("../rival")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "host-tool").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "host-tool").chmod(0o755)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}:{tmp_path / 'bin'}")
    (tmp_path / "bot" / "bot.toml").write_text(text.format(rival=tmp_path / "rival" / "bot.py"), encoding="utf-8")
    with pytest.raises(PlaymillError, match=words) as caught:
        read_program(f"program:{tmp_path / 'bot'}")
    assert all(sentence.isprintable() for sentence in caught.value.text)


def test_a_link_in_place_of_the_bot_is_none(tmp_path: Path) -> None:
    program(tmp_path / "rival", "")
    for name in ("bot.toml", "bot.py"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / name).symlink_to(tmp_path / "rival" / name)
        with pytest.raises(PlaymillError, match=r"is a link|is not in the bot's folder"):
            read_program(f"program:{folder}")


def test_interpreters_are_the_hosts_and_nothing_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "own" / "bin"
    place.mkdir(parents=True)
    (place.parent / "lib").mkdir()
    (place / "luajit").write_text("#!/bin/sh\n")
    (place / "luajit").chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    program(tmp_path / "bot", "")
    (tmp_path / "bot" / "bot.toml").write_text('run = "luajit bot.lua"')
    if interpreters()["luajit"] != place / "luajit":
        pytest.skip("the system has luajit itself")
    assert {*read_program(f"program:{tmp_path / 'bot'}").readable} >= {place / "luajit", place.parent / "lib"}
    assert is_interpreter(Path(sys.executable)) and not is_interpreter(place / "other")
    # The same named by a path that only looks like it.
    assert not is_interpreter(place / ".." / "bin" / "luajit")


# What it may hold

HELD = """
import os, signal, sys, time
print('{"type": "ready"}', flush=True)
sys.stdin.readline()
for _ in range(3):
    if os.fork() == 0:
        held = os.urandom(1 << 20) * 100
        time.sleep(600)
time.sleep(600)
"""
SHARED = """
import os, sys, time
print('{"type": "ready"}', flush=True)
sys.stdin.readline()
held = os.urandom(1 << 20) * 100
for _ in range(3):
    if os.fork() == 0:
        time.sleep(600)
time.sleep(1)
print('fine', flush=True)
time.sleep(600)
"""


def test_memory_is_counted_for_all_processes_together(tmp_path: Path) -> None:
    """Each of four is within the limit that the system knows of a process."""
    made = program(tmp_path / "bot", HELD, memory=200, processes=8, threads=16)
    bot = BotProcess(made, StderrLog(None, 0))
    try:
        bot.ask({"type": "hello"}, 60)
        with pytest.raises(BotError, match="took more than 200 MB of memory") as caught:
            bot.ask({"type": "act"}, 60)
        assert caught.value.fault == "crash" and "заняла больше 200 МБ" in caught.value.text.ru
    finally:
        bot.end()
    assert is_gone(made)


def test_pages_that_processes_share_count_once(tmp_path: Path) -> None:
    bot = BotProcess(program(tmp_path / "bot", SHARED, memory=200, processes=8, threads=16), StderrLog(None, 0))
    try:
        bot.ask({"type": "hello"}, 60)
        assert bot.ask({"type": "act"}, 60)[0] == b"fine"
    finally:
        bot.end()


def test_a_cgroup_is_used_where_one_was_delegated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of the same names: which of them are read and written, not what a kernel makes of them."""
    monkeypatch.setenv(cgroup.VARIABLE, str(tmp_path))
    assert cgroup.delegated() is None
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids\n")
    assert cgroup.delegated() == tmp_path
    made = cgroup.make(tmp_path, 100)
    assert made is not None and (made / "memory.max").read_text() == str(116 << 20)
    assert (made / "memory.swap.max").read_text() == "0"
    (made / "memory.events").write_text("low 0\noom 1\noom_kill 0\n")
    assert not cgroup.ran_out(made)
    (made / "memory.events").write_text("low 0\noom 1\noom_kill 2\n")
    assert cgroup.ran_out(made)
    assert cgroup.make(tmp_path / "nothing", 100) is None
    # A launcher that cannot join says nothing of it.
    bot = BotProcess(program(tmp_path / "bot", "import time\ntime.sleep(600)"), StderrLog(None, 0))
    try:
        assert "cgroup" not in bot.guarantees["memory"]
    finally:
        bot.end()


# That it ends with Playmill

#: It undoes what it can, leaves a child, and tells both numbers.
IMMORTAL = """
import ctypes, os, signal, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(1, 0, 0, 0, 0)
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
child = 0
try:
    child = os.fork()
except OSError: pass
if child == 0:
    libc.prctl(1, 0, 0, 0, 0)
    for leave in (os.setsid, lambda: os.setpgid(0, 0)):
        try: leave()
        except OSError: pass
print(os.getpid(), flush=True)
while True: time.sleep(1)
"""
HOST = """
import os, sys
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.bot_process import BotProcess, StderrLog
from playmill.agents.programs.spec import read_program
from playmill.agents.programs.sandbox.supervisor_client import supervisor
processes = int(sys.argv[2])
bot = BotProcess(read_program(sys.argv[1], Limits(processes=processes)), StderrLog(None, 0))
for _ in range(min(processes, 2)):
    print(bot.ask({"type": "hello"}, 60)[0].decode(), flush=True)
if len(sys.argv) > 3:
    os.kill(supervisor()._process.pid, 9)
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(("processes", "more"), [(1, ()), (2, ()), (1, ("supervisor is killed, too",))])
def test_a_bot_that_would_outlive_its_host_does_not(tmp_path: Path, processes: int, more: tuple[str, ...]) -> None:
    made = program(tmp_path / "bot", IMMORTAL)
    host = subprocess.run(
        [sys.executable, "-c", HOST, made.spec, str(processes), *more],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert host.returncode == -9
    numbers = [int(line) for line in host.stdout.split()]
    assert len(numbers) == min(processes, 2)
    assert until(lambda: not any(is_running(number) for number in numbers))


def test_a_supervisor_that_begins_after_its_host_has_gone_still_ends_the_bots() -> None:
    bot = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    nobody = "0"  # is never a parent
    late = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", supervisor_client._BOOT, supervisor_client._SOURCE, nobody],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert late.stdin is not None
    late.stdin.write(f"+{bot.pid} 100 1 \n".encode())
    late.stdin.flush()  # it stays open: somebody who was forked from the host has it, too
    try:
        assert bot.wait(60) == -signal.SIGKILL
        assert late.wait(60) == 0
    finally:
        bot.kill()
        late.communicate()


def test_a_supervisor_that_was_killed_is_replaced_and_none_stays_without_its_host(tmp_path: Path) -> None:
    first = supervisor()
    assert first is not None
    os.kill(first._process.pid, signal.SIGKILL)
    assert until(lambda: not first.alive)
    bot = BotProcess(program(tmp_path / "bot", "import time\ntime.sleep(600)"), StderrLog(None, 0))
    second = supervisor()
    bot.end()
    assert second is not None and second is not first and second.alive
    code = (
        "from playmill.agents.programs.sandbox.supervisor_client import supervisor\n"
        "print(supervisor()._process.pid, flush=True)\n"
        "import os, sys; os.kill(os.getpid(), 9) if len(sys.argv) > 1 else None"
    )
    for words in ([], ["killed"]):
        told = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False).stdout
        number = int(told)
        assert until(lambda number=number: not is_running(number))


#: It works on in a thread, and has timers that would wake it while others think.
AWAKE = """
import ctypes, os, signal, struct, sys, threading
libc = ctypes.CDLL(None)
create, settle = {"x86_64": (222, 223), "aarch64": (107, 110)}[os.uname().machine]
event = ctypes.create_string_buffer(struct.pack("Pii48x", 0, signal.SIGCONT, 0))
def work():
    while True: pass
threading.Thread(target=work, daemon=True).start()
while True:
    sys.stdin.readline()
    for number in range(1, 20):
        made = ctypes.c_int()
        if libc.syscall(create, 1, event, ctypes.byref(made)) == 0:
            libc.syscall(settle, made, 0, struct.pack("4q", 0, 0, 0, number * 50_000_000), None)
    print("{}", flush=True)
"""


def stands_still(clock: int, seconds: float) -> bool:
    """Whether a process takes no processor time for a while."""
    before = time.clock_gettime(clock)
    time.sleep(seconds)
    return time.clock_gettime(clock) == before


def test_a_bot_that_is_stopped_does_nothing_whatever_it_arranged(tmp_path: Path) -> None:
    bot = BotProcess(program(tmp_path / "bot", AWAKE), StderrLog(None, 0))
    try:
        bot.ask({"type": "hello"}, 60)
        bot.pause()
        clock = ~bot._process.pid << 3 | 2
        assert until(lambda: Path(f"/proc/{bot._process.pid}/stat").read_text().split()[2] == "T")
        assert until(lambda: stands_still(clock, 0.05))  # its other thread stops a moment later
        assert stands_still(clock, 0.6)
    finally:
        bot.end()


def is_running(number: int) -> bool:
    """Whether there is such a process that is not dead already."""
    try:
        state = Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:
        return False
    return state not in (b"Z", b"X")


def until(holds: Callable[[], bool]) -> bool:
    """Whether something comes true; a busy machine may take its time."""
    for _ in range(1500):
        if holds():
            return True
        time.sleep(0.02)
    return False


# That reports tell the truth


def launched(folder: Path, monkeypatch: pytest.MonkeyPatch, spoiled: str) -> dict[str, str]:
    """What is reported of a bot whose launcher is spoiled: it believes what it did and did not do."""
    monkeypatch.setattr(bot_process, "BOOT", bot_process.BOOT.replace("main()", f"{spoiled}; main()"))
    bot = BotProcess(program(folder, "import time\ntime.sleep(600)", threads=20), StderrLog(None, 0))
    bot.end()
    return dict(bot.guarantees)


IMPORT = "import resource; from playmill.agents.programs.sandbox import landlock, launch, seccomp; "
SPOILED = {
    "landlock.fence = lambda *_: True": {"files"},
    "seccomp.refuse = lambda *_, **__: True": {"network", "memory", "processes", "tracing", "channels", "death"},
    "launch._limit = lambda held, _: held.update(memory='x', writing='x')": {"memory"},
    "launch._limit_threads = lambda held, _: held.update(threads='x')": {"threads"},
    "launch._be_nobody = lambda *_: 'x'": {"user", "threads"},
}


@pytest.mark.parametrize("spoiled", SPOILED)
def test_only_what_held_when_it_was_tried_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoiled: str
) -> None:
    if os.geteuid() != 0 and ("_be_nobody" in spoiled or "threads" in spoiled):
        pytest.skip("a user of its own is tried as root")
    if not kernel_has_landlock():
        pytest.skip("this kernel has no Landlock")
    whole = launched(tmp_path / "whole", monkeypatch, "pass")
    assert all(whole.values())
    found = launched(tmp_path / "spoiled", monkeypatch, IMPORT + spoiled)
    missing = {name for name, held in found.items() if not held}
    assert SPOILED[spoiled] - {"tracing"} <= missing
    assert missing < {*found}


def test_event_loops_work(tmp_path: Path) -> None:
    """A pair of connected streams leads nowhere, and asyncio wants one."""
    text = "import asyncio\nasync def main():\n    print(input() and 'ready', flush=True)\nasyncio.run(main())\n"
    bot = BotProcess(program(tmp_path / "bot", text), StderrLog(tmp_path / "stderr.txt", 10_000))
    try:
        assert bot.ask({"type": "hello"}, 60)[0] == b"ready"
    finally:
        bot.leave()


def test_a_program_that_cannot_be_started_at_all_is_a_fault_of_the_bot(tmp_path: Path) -> None:
    made = program(tmp_path / "bot", "")
    object.__setattr__(made, "command", ("a\0b",))
    with pytest.raises(BotError, match="cannot be started") as caught:
        BotProcess(made, StderrLog(None, 0))
    assert caught.value.fault == "start"
    assert Limits().memory == 1024
