"""Notes that agents take beside the list of options: they last as long as a game, and no longer."""

from __future__ import annotations

import dataclasses
import shutil
from typing import Any

import numpy as np
import pytest

from common.found import ROOT
from playmill import CompiledAgent, Game, PlaymillError, SearchPlan, State, Text, load_game, rule
from playmill.agents.search.search_agent import Thinker
from playmill.engine.compile.game_kernels import agent_numbers, as_played, functions_of, played_part
from playmill.engine.kernels.placeholders import lose_no_notes, lose_notes
from playmill.engine.run.backends import Interpreted
from playmill.engine.run.match import Match

ROLL, HOLD = 0, 1
NOTES = np.dtype([("kept", np.int64), ("answers", np.int64)])


@rule
def counting(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Holds with many points, and at every fifth answer of a game, which it knows by its notes alone."""
    if legal.notes.kept == 0:
        legal.notes.answers = 0
    legal.notes.kept = 1
    legal.notes.answers += 1
    return HOLD if s.pot >= 12 or legal.notes.answers % 5 == 0 else ROLL


@pytest.fixture
def game(pig: Game) -> Game:
    """Pig with an agent that counts its answers."""
    agents = {**pig.agents, "counting": CompiledAgent(counting, Text("counts", "считает"), honest=True)}
    return dataclasses.replace(pig, agents=agents, notes=NOTES)


def match_of(game: Game) -> Match:
    return Match(game, game.config(), 2, 5, (agent_numbers(game)["counting"],) * 2, (0, 0), ())


def test_notes_last_from_decision_to_decision_and_are_lost_with_the_game(game: Game) -> None:
    player = Interpreted(match_of(game))
    together = player.play(0, 5).rows
    assert len(set(together["decisions"] % 5)) > 1, "else every game would begin with the same count"
    alone = [player.play(number, 1).rows[0] for number in (4, 2, 0)]
    assert alone == [together[number] for number in (4, 2, 0)]


@rule
def trusting(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Notes how many points to hold at, and answers with nonsense if it finds something else noted."""
    if legal.notes.kept == 0:
        legal.notes.kept = 1
        legal.notes.answers = 20
    if legal.notes.answers != 20:
        return -1
    return HOLD if s.pot >= legal.notes.answers else ROLL


def test_what_lay_in_a_mind_before_is_no_note(pig: Game) -> None:
    agents = {**pig.agents, "trusting": CompiledAgent(trusting, Text("trusts", "верит"), honest=True)}
    game = dataclasses.replace(pig, agents=agents, notes=NOTES, search=SearchPlan("trusting"))
    thinker = Thinker(game, (60,), interpreted=True)
    thinker._minds[0]["legal"]["notes"]["kept"] = 1
    state = State(game, seed=1, interpreted=True)
    assert thinker.choose(state.workspace) in state.legal_actions()
    assert sum(option.tries for option in thinker.weighed(state.workspace)) == 60


def test_a_game_without_notes_has_no_room_for_them(pig: Game, game: Game) -> None:
    assert pig.options.names == ("ids",)
    assert game.options.names == ("ids", "notes")


def test_thousands_who_play_at_random_have_no_room_for_notes(game: Game) -> None:
    assert "notes" not in played_part(as_played(game, ["random"]))["legal"].fields
    assert "notes" in played_part(as_played(game, ["random", "counting"]))["legal"].fields
    assert functions_of(as_played(game, []))[lose_notes] is lose_no_notes


@pytest.mark.parametrize(
    "notes", ['np.dtype([("seen", np.int64)])', 'np.dtype([("kept", np.float64)])', "np.dtype(int)", "7"]
)
def test_notes_that_cannot_be_lost_are_refused(tmp_path: Any, notes: str) -> None:
    folder = tmp_path / f"notes_{len(notes)}"
    shutil.copytree(ROOT / "examples" / "pig", folder)
    agents = folder / "agents.py"
    agents.write_text(f"{agents.read_text()}\nimport numpy as np\n\nNOTES = {notes}\n")
    with pytest.raises(PlaymillError, match="NOTES must be a record with a whole number `kept`: 0 where nothing is"):
        load_game(str(folder))
