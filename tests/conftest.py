"""Games shared by all tests: compiled once, then read from the cache."""

from __future__ import annotations

import compileall
import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from common.cluster import FakeLink
from common.found import PACKAGE, game_of
from common.pages import chromium
from playmill import Game

#: How long something takes says more about the machine than about us, and what fails here fails everywhere: examples
#: are the same in each run. Others are tried with `pytest --hypothesis-profile anew`.
settings.register_profile("anew", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("playmill", settings.get_profile("anew"), derandomize=True, database=None)
settings.register_profile("quick", settings.get_profile("playmill"), max_examples=25)  # `make test`; see common.effort
settings.load_profile("playmill")


@pytest.hookimpl(optionalhook=True)  # there is none in one process, `-p no:xdist`
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Spread over processes, all tests of one game stay together."""
    from common.spread import ByGame

    return ByGame(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """Where Python is told to keep no bytecode, each of the hundreds of processes we start would read all sources."""
    if not hasattr(config, "workerinput"):  # once, not in each process that the suite is spread over
        compileall.compile_dir(PACKAGE, quiet=2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected lives to the end: nobody need look through it for garbage, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def dimensions() -> Game:
    return game_of("dimensions")


@pytest.fixture(scope="session")
def influence() -> Game:
    return game_of("influence")


@pytest.fixture(scope="session")
def pig() -> Game:
    return game_of("pig")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all pages of a file; longer would keep its event loop running under other tests."""
    with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMILL_LANG", "en")


@pytest.fixture(autouse=True)
def _no_gpu_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is a GPU no process is left behind; those who test the helper start one."""
    monkeypatch.setenv("PLAYMILL_GPU_HELPER", "0")


@pytest.fixture(autouse=True)
def _no_background_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is left behind that compiles beside the tests; those who test that start one."""
    monkeypatch.setenv("PLAYMILL_BACKGROUND_COMPILE", "0")


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    # Not a folder of pytest's for each test: for every new one it looks through all there are.
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs are kept: an empty folder for each test, never that of whoever runs the suite."""
    folder = next(_homes)
    folder.mkdir()
    monkeypatch.setenv("PLAYMILL_HOME", str(folder))
    return folder


@pytest.fixture(scope="session", autouse=True)
def _our_fonts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A browser draws with the fonts of the package: what it shows must not depend on those of the machine."""
    folder = tmp_path_factory.mktemp("fonts")
    settings = folder / "fonts.conf"
    fonts = PACKAGE / "fonts"
    settings.write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{folder}</cachedir></fontconfig>", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "FONTCONFIG_FILE", str(settings))
        yield


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C as in a terminal: where the suite is started in the background, it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeLink]:
    """Has `on="ray"` mean a cluster without one."""

    def put(**given: Any) -> FakeLink:
        link = FakeLink(**given)
        monkeypatch.setattr("playmill.lab.runs.executors.where.join_cluster", lambda cluster, workers: link)
        return link

    return put
