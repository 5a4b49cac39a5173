"""Nobody waits for the compiler: until `search` is compiled elsewhere, the rollout agent plays its seat."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest
from test_web_table import laid, play
from web_server import LONGEST, Site, until

from common.found import GAMES, game_of
from playmill.agents.agent_specs import seats_for
from playmill.engine.run.state import State
from playmill.web.agents import at_table, precompile
from playmill.web.agents.offered import Answer, SeatedAgent, offered_agents
from playmill.web.agents.precompile import Precompiler
from playmill.web.table.observation import Viewer, observe_table
from playmill.web.table.text_view import text_view


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompile, "is_compiled", lambda game, learned: False)


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize("name", ["dimensions", "grid", "save_oneself", "dice", "influence", "pig"])
def test_without_compiled_code_search_answers_by_a_rule_of_thumb_at_once(name: str) -> None:
    game = game_of(name)
    state = State(game, seed=1, interpreted=True)
    player = SeatedAgent(game, state.players, offered_agents(game)["search"], Precompiler(makes=False))
    answer = player.choose(state)
    assert answer.cold and answer.trouble is None and answer.action in state.legal_actions()


@pytest.mark.usefixtures("empty_cache")
def test_agents_of_a_game_and_python_files_need_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(game: Any) -> Any:
        raise AssertionError("compiled")

    monkeypatch.setattr("playmill.engine.run.state.kernels_of", never)
    monkeypatch.setattr("playmill.engine.run.stepper._compiled", never)
    agent = tmp_path / "first.py"
    agent.write_text("def choose(decision):\n    return decision.actions[0]\n")
    game = game_of("dice")
    state = State(game, seed=1, interpreted=True)
    for key, one in offered_agents(game, [str(agent)]).items():
        if key not in ("optimal", "expert") and not key.startswith("search"):
            answer = SeatedAgent(game, state.players, one, Precompiler(makes=False)).choose(state)
            assert not answer.cold and answer.trouble is None and answer.action in state.legal_actions(), key


def test_what_an_agent_knows_by_heart_is_made_elsewhere_too() -> None:
    game = game_of("dice")
    seat = seats_for(game, 2, ["optimal"])[0]
    needed = precompile._needs(game, seat, game.config())
    assert needed is not None and needed[:2] == ("dice", seat.number)
    assert precompile._needs(game, seats_for(game, 2, ["greedy"])[0], game.config()) is None


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize("does", ["pass", "raise SystemExit(3)"])
def test_what_is_wanted_is_made_once_by_another_process(
    monkeypatch: pytest.MonkeyPatch, does: str, tmp_path: Path
) -> None:
    marks = tmp_path / "marks"
    program = f"open({str(marks)!r}, 'a').write('x'); {does}"
    monkeypatch.setattr(precompile, "command_of", lambda task: [sys.executable, "-c", program])
    game = game_of("pig")
    seat = seats_for(game, 2, ["search"])[0]
    made = Precompiler()
    assert not made.ready(game, seat, game.config()) and not made.ready(game, seat, game.config())
    until(lambda: made.ready(game, seat, game.config()))
    assert marks.read_text() == "x", "what could not be made there is made where it is needed, not tried again"
    made.close()


@pytest.mark.usefixtures("empty_cache")
def test_the_process_ends_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = "import sys; sys.stdin.buffer.read()"
    monkeypatch.setattr(precompile, "command_of", lambda task: [sys.executable, "-c", waits])
    game = game_of("pig")
    made = Precompiler()
    made.ready(game, seats_for(game, 2, ["search"])[0], game.config())
    until(lambda: made._process is not None)
    made.close()
    assert made._process is not None and made._process.wait(LONGEST) != 0


def test_the_log_says_when_search_cannot_think_yet_and_when_it_can(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        answers = 0
        file = ""

        def __init__(self, *args: object) -> None:
            pass

        def choose(self, state: State) -> Answer:
            Slow.answers += 1
            return Answer(state.legal_actions()[-1], cold=Slow.answers == 1)

    monkeypatch.setattr(at_table, "SeatedAgent", Slow)
    table, owner = site.make("pig", ["me", "search"], seed=1, changes=["faces=100", "target=1000"])
    with site.at(table, owner, lang="ru") as anna:
        for _ in range(2):
            anna.until(lambda seen: seen["yours"])
            anna.move(1)
            anna.until(lambda seen: not seen["yours"])
        anna.until(lambda seen: seen["yours"])
    lines = [note.what for note in site.tables.store.notes(table)]
    assert lines == ["cold", "warm"]


@pytest.mark.parametrize("name", GAMES)
def test_showing_a_table_compiles_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(self: Any, *args: object, **named: object) -> None:
        raise AssertionError(f"{self.py_func.__qualname__} was compiled")

    monkeypatch.setattr("numba.core.dispatcher.Dispatcher._compile_for_args", compiled)
    monkeypatch.setattr("playmill.engine.compile.entry_points.EntryPoint._compile", compiled)
    table = laid(name, seed=2)
    play(table, 6, random.Random(1))
    for viewer in (Viewer(), Viewer(0)):
        observe_table(table, viewer, "ru", max(table.version - 6, 0))
    text_view(table, 0, "en")
