"""Entries: kept machine code is called without the compiler, and what an entry cannot take goes the ordinary way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playmill.engine.compile import object_loader
from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.entry_points import EntryPoint, entry_point, kinds_of
from playmill.engine.compile.fingerprint import fingerprint
from playmill.engine.compile.python_calls import knows_arrays
from playmill.engine.lang import compiler

pytestmark = pytest.mark.skipif(compiler.is_off() or not compiler.is_known(), reason="nothing is entered so")


def _weighed(table: Any, first: int, factor: float, out: Any) -> int:
    for i in range(table.shape[0]):
        total = 0
        for j in range(table.shape[1]):
            total += table[i, j]
        out[i] = total * factor
    return first - 1


@pytest.fixture
def weighed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EntryPoint:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path))
    return _kept()


def _kept() -> EntryPoint:
    made: Any = entry_point(_weighed)
    made.keep(DiskCache("entries", fingerprint(made)))
    assert isinstance(made, EntryPoint)
    return made


TABLE = np.arange(12, dtype=np.int64).reshape(3, 4)


def test_arrays_and_numbers_are_handed_over_as_they_are(weighed: EntryPoint) -> None:
    out = np.zeros(3)
    assert weighed(TABLE, 2**63 + 5, 0.5, out) == -(2**63) + 4  # modulo 2**64
    assert out.tolist() == [3.0, 11.0, 19.0]
    assert weighed(TABLE[1:], np.int32(7), 2.0, out) == 6
    assert out.tolist() == [44.0, 76.0, 19.0]
    assert len(weighed.entries) == weighed.compiled == 1


def test_the_next_process_finds_the_code_and_gets_the_same(weighed: EntryPoint) -> None:
    first, second = np.zeros(3), np.zeros(3)
    weighed(TABLE, 1, 0.25, first)
    again = _kept()
    assert again.is_kept and again(TABLE, 1, 0.25, second) == 0
    assert first.tolist() == second.tolist() and again.compiled == 0


def test_an_array_with_gaps_goes_the_ordinary_way(weighed: EntryPoint) -> None:
    out = np.zeros(3)
    assert kinds_of([TABLE[:, ::2]]) is None
    assert weighed(TABLE[:, ::2], 1, 1.0, out) == 0
    assert out.tolist() == [2.0, 10.0, 18.0] and not weighed.entries


def test_wrong_things_are_errors_of_python(weighed: EntryPoint) -> None:
    direct = weighed.direct(TABLE, 1, 1.0, np.zeros(3))
    with pytest.raises(TypeError):
        direct(TABLE, 1, 1.0)
    with pytest.raises(TypeError):
        direct(TABLE, "one", 1.0, np.zeros(3))


def test_arrays_are_laid_out_as_they_are_read() -> None:
    assert knows_arrays()


def test_kept_code_is_played_without_the_compiler(tmp_path: Path) -> None:
    pig = Path(__file__).parents[2] / "examples" / "pig"
    code = (
        f"import sys; from playmill import simulate; run = simulate({str(pig)!r}, games=5000, agents='threshold');"
        "print(run.games['decisions'].sum(), 'numba' in sys.modules, 'numba.core' in sys.modules)"
    )
    told = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert told[1][0] == told[0][0] and told[1][1:] == ["False", "False"]


#: One function with one of two constants, whose range may be an error, and which so goes the ordinary way.
_TWO = """
import ctypes
import sys
from playmill.engine.compile import object_loader
from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.entry_points import entry_point
from playmill.engine.compile.fingerprint import fingerprint

def kept(number):
    def answer(place: int) -> int:
        last = number
        for last in range(number, number + 2 * place, place):
            pass
        return last
    made = entry_point(answer)
    made.keep(DiskCache("two", fingerprint(made)))
    return made

both = [kept(int(word)) for word in sys.argv[1:]]
assert [one.address(1) for one in both]
print(*(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(one.address(1))(1) for one in both))
"""


def test_code_of_two_processes_meets_in_a_third(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path))

    def answers(*numbers: int) -> list[int]:
        command = [sys.executable, "-c", _TWO, *map(str, numbers)]
        return [int(word) for word in subprocess.run(command, capture_output=True, check=True).stdout.split()]

    for number in (10, 10, 20, 20):  # the second process learns from the first that it has to go the ordinary way
        assert answers(number) == [number + 1]
    assert answers(10, 20) == [11, 21]


def test_a_look_into_a_tuple_is_played_without_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's own look would raise an error out of range, and need Numba for it; ours gives the last element."""
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path))
    code = """
import sys
from playmill.engine.compile import object_loader
from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.entry_points import entry_point
from playmill.engine.compile.fingerprint import fingerprint

WORTH = (60, 110, -160)

def answer(place: int) -> int:
    return WORTH[place] + (1.5, 2.5)[place // 2] * 2

made = entry_point(answer)
made.keep(DiskCache("looks", fingerprint(made)))
print(*map(made, range(4)), "numba.core" in sys.modules)
"""
    told = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert told[0] == ["63", "113", "-155", "-155", "True"]
    assert told[1] == [*told[0][:4], "False"]


@pytest.mark.parametrize(("word", "off"), [("1", True), ("0", False), ("", False), ("nonsense", False)])
def test_the_environment_switches_the_compiler_off_before_it_is_imported(word: str, off: bool) -> None:
    code = "import sys; from playmill.engine.lang import compiler; print(compiler.is_off(), 'numba' in sys.modules)"
    env = {"NUMBA_DISABLE_JIT": word, "PYTHONPATH": ":".join(sys.path)}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True).stdout
    assert told.split() == [str(off), "False"]


def test_code_is_loaded_alike_with_the_compilers_library_and_without(weighed: EntryPoint, tmp_path: Path) -> None:
    weighed(TABLE, 1, 0.25, np.zeros(3))  # compiled here, where the library is imported
    (kept,) = (path for path in tmp_path.rglob("_weighed-*") if path.is_file())
    code = """
import sys
from pathlib import Path
import numpy as np
from playmill.engine.compile import object_loader
from playmill.engine.compile.entry_points import load
content = Path(sys.argv[1]).read_bytes()[len(b"playmill kept 1\\n") + 40:]
told = []
for _ in range(2):
    out = np.zeros(3)
    one = load(content, answers=True)
    told.append([one.function(np.arange(12).reshape(3, 4), 7, 0.5, out), out.tolist(), object_loader.processor()])
    told[-1].append(type(one._alive[0]).__name__)
    object_loader.processor.cache_clear()
    for wrong in (b"", b"no object file", content[:4] + b"x" * 200):
        try:
            load(wrong, answers=True)
        except (RuntimeError, ValueError):
            pass
        else:
            sys.exit(f"{wrong} was loaded")
    import llvmlite.binding
print(told[0][:3] == told[1][:3], told[0][3], told[1][3])
"""
    done = subprocess.run([sys.executable, "-c", code, str(kept)], capture_output=True, text=True, check=False)
    direct = "_Library" if object_loader._library() is not None else "ExecutionEngine"
    assert (done.stdout.split(), done.stderr) == (["True", direct, "ExecutionEngine"], "")
