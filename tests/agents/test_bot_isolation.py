"""What a hostile bot tries, and that it gets nothing; the filters of its sandbox, read line by line."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shlex
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from playmill import State, load_game
from playmill.agents.programs import protocol
from playmill.agents.programs.bot_process import BOOT, SOURCE, BotProcess, StderrLog
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.sandbox import seccomp
from playmill.agents.programs.spec import Program, read_program
from playmill.agents.python.decision import DecisionMaker

HOSTILE = Path(__file__).parent / "hostile" / "bot.py"
SANDBOXED = sys.platform == "linux" and seccomp.known()
pytestmark = pytest.mark.skipif(not SANDBOXED, reason="walls as these are built on Linux alone")


def program(folder: Path, text: str, **limits: float) -> Program:
    """A bot of this text in a folder of its own."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(text, encoding="utf-8")
    (folder / "bot.toml").write_text(f"run = '{shlex.quote(sys.executable)} -I -S bot.py'\n", encoding="utf-8")
    return read_program(f"program:{folder}", Limits().changed(limits))


def alive(made: Program) -> int:
    """How many processes of a bot there are, wherever they went."""
    found = 0
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += place.read_bytes().split(b"\0")[:-1] == [word.encode() for word in made.command]
        except OSError:
            continue
    return found


def is_gone(made: Program) -> bool:
    """Whether nothing of a bot is left; whoever was killed needs a moment of a core to die."""
    for _ in range(3000):
        if not alive(made):
            return True
        time.sleep(0.02)
    return False


def kernel_has_landlock() -> bool:
    """Asked of the kernel itself: a launcher that forgot its wall must not be believed that there is none."""
    create_ruleset, version_only = 444, 1
    return ctypes.CDLL(None, use_errno=True).syscall(create_ruleset, None, 0, version_only) > 0


def test_a_hostile_bot_gets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "42")
    other, store = tmp_path / "other", tmp_path / "runs.db"
    program(other, "pass")
    store.write_text("secret", encoding="utf-8")
    made = program(tmp_path / "hostile", HOSTILE.read_text(encoding="utf-8"), memory=256, stderr=100)
    reach_for = {"other": str(other / "bot.py"), "bots": str(tmp_path), "home": str(Path.home()), "store": str(store)}
    reach_for |= {"rules": str(store), "seed": str(store)}
    (tmp_path / "hostile" / "targets.json").write_text(json.dumps(reach_for), encoding="utf-8")
    kept = tmp_path / "stderr.txt"
    running = BotProcess(made, StderrLog(kept, 100_000))
    try:
        if not kernel_has_landlock():
            pytest.skip("this kernel has no Landlock")
        assert running.guarantees["files"]
        running.ask({"type": "hello"}, 60)
        running.ask({"type": "act", "number": 1}, 60)
    finally:
        running.leave()
    told = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    assert len(told) > 60
    assert [one for one in told if "stopped" not in one] == []
    assert all(running.guarantees.values())


BOMB = """
import os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print('{"type": "ready"}', flush=True)
sys.stdin.readline()
made, left = 0, []
try:
    while made < 100:
        if os.fork() == 0:
            for leave in (os.setsid, lambda: os.setpgid(0, 0), os.fork):  # the last makes a daemon of its own
                try:
                    leave()
                except OSError:
                    pass
            while True:
                signal.pause()
        made += 1
except OSError as error:
    pass
print(made, flush=True)
while True:
    signal.pause()
"""


def test_a_fork_bomb_is_held_and_killed_whole(tmp_path: Path) -> None:
    made = program(tmp_path / "bomb", BOMB, processes=8, threads=8)
    running = BotProcess(made, StderrLog(None, 0))
    try:
        if not running.guarantees["user"]:
            assert os.geteuid() != 0, "root can always give a bot a user of its own"
            pytest.skip("processes are counted by user, and this one is not its own")
        running.ask({"type": "hello"}, 60)
        line, _ = running.ask({"type": "act"}, 60)
        assert 1 <= int(line) < 8
        assert 2 <= alive(made) <= 8
    finally:
        running.end()
    assert is_gone(made)


def test_a_bot_dies_with_its_host(tmp_path: Path) -> None:
    made = program(tmp_path / "bot", "import time\ntime.sleep(600)")
    host = (
        "import os, sys\nfrom playmill.agents.programs.bot_process import *\n"
        "from playmill.agents.programs.spec import read_program\n"
        "running = BotProcess(read_program(sys.argv[1]), StderrLog(None, 0))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", host, made.spec], timeout=120, check=False)
    assert done.returncode == -9
    assert is_gone(made)


def test_the_launcher_imports_next_to_nothing() -> None:
    code = BOOT.replace("main()", "print(*sys.modules)")
    said = subprocess.run([sys.executable, "-I", "-S", "-c", code, SOURCE], capture_output=True, text=True, check=True)
    assert not {"re", "json", "typing", "numpy", "pathlib", "subprocess", "contextlib"} & {*said.stdout.split()}


def test_two_worlds_a_seat_cannot_tell_apart_send_a_bot_the_same_bytes() -> None:
    game = load_game("dimensions")
    state = State(game, players=3, seed=5, interpreted=True)
    questions = DecisionMaker(game, state.config, players=3, seed=5, interpreted=True)
    for _ in range(4):
        player = state.current_player()
        lines = set()
        for luck in range(3):
            world = state.clone(interpreted=True)
            world.conceal(player, luck)
            decision = questions.ask(world.workspace, world.legal_actions(), number=0, asked=0)
            lines.add(protocol.line_of(protocol.act(decision, 1, left=9, move=9, lang="en")))
        assert len(lines) == 1
        state.apply_action(state.legal_actions()[0])


def judged(
    calls: type[seccomp.Calls], number: int, *arguments: int, processes: bool = False, signals: bool = False
) -> int:
    """What the filter says of a system call, followed line by line: 0 if it is allowed, else its error."""
    code = seccomp.program(calls, own=77, processes=processes, signals=signals)
    data = struct.pack("IIQ6Q", number, calls.arch, 0, *(*arguments, *(0,) * 6)[:6])
    lines = [struct.unpack("HBBI", code[place : place + 8]) for place in range(0, len(code), 8)]
    place = held = 0
    while True:
        order, yes, no, value = lines[place]
        place += 1
        if order == 0x20:
            held = struct.unpack("I", data[value : value + 4])[0]
        elif order == 0x54:
            held &= value
        elif order == 0x06:
            return 0 if value == 0x7FFF0000 else value & 0xFFFF
        else:
            place += yes if (held == value if order == 0x15 else held & value) else no


@pytest.mark.parametrize("machine", seccomp.CALLS)
def test_the_filter_lets_a_bot_be_and_nothing_else(machine: str) -> None:
    calls = seccomp.CALLS[machine]
    thread, new_user = 0x3D0F00, 0x10000011
    write = {"x86_64": 1, "aarch64": 64}[machine]
    assert judged(calls, write) == 0
    assert {judged(calls, number) for number in calls.refused} == {errno.EPERM}
    assert judged(calls, calls.clone, thread) == 0
    assert judged(calls, calls.clone, 17) == errno.EAGAIN
    assert judged(calls, calls.clone, 17, processes=True) == 0
    assert judged(calls, calls.clone, new_user, processes=True) == errno.EPERM
    assert judged(calls, 435) == errno.ENOSYS  # clone3, whose flags no filter can see
    assert judged(calls, calls.mmap, 0, 0, 0, 0x22) == 0
    assert judged(calls, calls.mmap, 0, 0, 0, 0x21) == errno.ENOMEM
    assert judged(calls, calls.mmap, 0, 0, 0, 0x122) == judged(calls, calls.mmap, 0, 0, 0, 0x40022) == errno.ENOMEM
    assert judged(calls, calls.mmap, 0, 0, 0, 0x02) == 0
    assert judged(calls, calls.prctl, 1) == errno.EPERM and judged(calls, calls.prctl, 15) == 0
    stream, datagram = 0x80801, 0x80802
    assert judged(calls, calls.socketpair, 1, stream) == 0
    assert judged(calls, calls.socketpair, 1, datagram) == judged(calls, calls.socketpair, 2, stream) == errno.EPERM
    assert judged(calls, calls.clone, 0x8011, processes=True) == errno.EPERM
    assert judged(calls, calls.prlimit, 0) == judged(calls, calls.prlimit, 77) == 0
    assert judged(calls, calls.prlimit, 1) == errno.EPERM
    for number in calls.kills:
        assert judged(calls, number, 77) == judged(calls, number, 1, signals=True) == 0
        assert judged(calls, number, 1) == judged(calls, number, (1 << 32) - 1) == errno.EPERM
    assert {judged(calls, calls.fcntl, 0, command) for command in (5, 6, 7, 8, 37, 1024, 1026, 1031)} == {errno.EPERM}
    assert {judged(calls, calls.fcntl, 0, command) for command in (0, 1, 2, 3, 4, 1030)} == {0}


def test_the_numbers_of_system_calls_are_those_of_this_machine() -> None:
    header = Path("/usr/include/asm-generic/unistd.h")
    if os.uname().machine != "aarch64" or not header.is_file() or shutil.which("cc") is None:
        pytest.skip("needs the headers of the kernel")
    names = ("socket", "ptrace", "setsid", "setpgid", "unshare", "truncate", "fchmodat")
    text = "#include <asm/unistd.h>\n" + "\n".join(f"=__NR_{name}" for name in names)
    told = subprocess.run(["cc", "-E", "-P", "-"], input=text, capture_output=True, text=True, check=True).stdout
    found = {int(line.lstrip("= ")) for line in told.splitlines() if line.startswith("=")}
    assert found <= {*seccomp.CALLS["aarch64"].refused}
