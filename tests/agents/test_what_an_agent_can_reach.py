"""An agent gets what its player may see; nothing that leads further is within its reach."""

from __future__ import annotations

import random
import sys
import weakref
from pathlib import Path
from types import FrameType, GeneratorType

import numpy as np
import pytest
from reach import reached, text_of

from playmill import State, load_game, simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.fallbacks import Fallbacks
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.python.decision import DecisionMaker
from playmill.engine.run.match import Match
from playmill.lab.replays.narration import choice

GAMES = ("dice", "dimensions", "grid", "influence", "save_oneself")
HIDING = ("dimensions", "grid", "save_oneself")
#: A seed that turns up nowhere by accident.
SEED = 7_365_498_765_432_109
#: Everything within reach of a question is much: so often in a game it is gone through.
LOOKS = 4


def asked(state: State):
    """The question a state puts to the player to move, and all that an agent can ask of it."""
    questions = DecisionMaker(state.game, state.config, players=state.players, seed=state.seed)
    number, before = state.number, state.decisions_of(state.current_player())
    decision = questions.ask(state.workspace, state.legal_actions(), number=number, asked=before)
    told = [decision.seen, decision.observation, decision.random.random(), decision.config, repr(decision)]
    for option in decision.options:
        told += [option.text, option.words, option.fields, repr(option)]
    return decision, told


@pytest.mark.parametrize("name", GAMES)
def test_two_worlds_a_player_cannot_tell_apart_put_the_same_question(name):
    """Byte for byte, in everything within reach: whatever is hidden is not there."""
    game = load_game(name)
    dice, different = random.Random(1), 0
    for number in range(3 if name in HIDING else 1):
        state, looks = State(game, seed=SEED, number=number), 0
        while not state.is_terminal() and looks < LOOKS:
            if dice.randrange(25) == 0 or state.decisions == 3:
                looks += 1
                other = state.clone()
                other.conceal(state.current_player(), dice.getrandbits(64))
                different += bool(other.record != state.record)
                assert text_of(asked(state)) == text_of(asked(other))
            state.apply_action(dice.choice(state.legal_actions()))
    assert (different > 0) == (name in HIDING)


@pytest.mark.parametrize("name", HIDING)
def test_the_walk_would_find_a_true_state(name):
    """The test before this one can fail: with the true state in reach the two worlds differ."""
    state = State(name, seed=SEED)
    other = state.clone()
    other.conceal(state.current_player(), 5)
    assert text_of([{"state": state.workspace}]) != text_of([{"state": other.workspace}])


@pytest.mark.parametrize("name", GAMES)
def test_a_question_shows_the_same_as_the_true_state(name):
    state = State(name, seed=SEED)
    dice = random.Random(2)
    for _ in range(12):
        if state.is_terminal():
            break
        decision, _ = asked(state)
        player = state.current_player()
        assert decision.seen == state.game.words.seen(state.config, state.record, player, "en")
        assert np.array_equal(decision.observation, state.observation_tensor(player))
        assert decision.actions == tuple(state.legal_actions())
        assert decision.kind == state.game.words.decision_kind(state.record)
        state.apply_action(dice.choice(state.legal_actions()))


def test_the_config_is_the_agents_own_copy(dimensions):
    state = State(dimensions, seed=1)
    decision, _ = asked(state)
    assert decision.config == state.config
    assert decision.config is not state.config


def below() -> list[FrameType]:
    """The caller's frame and all below it."""
    frames, frame = [], sys._getframe(1)
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames


class Digger:
    """Follows every reference from what it is asked, and from every frame below it, and keeps what it finds."""

    def __init__(self):
        self.frames: list[set[str]] = []
        self.found: set[str] = set()
        self.numbers: set[int] = set()
        self.look(below())

    def look(self, roots):
        for thing in reached(roots):
            if type(thing) in weakref.ProxyTypes:  # asking one whose object is gone raises
                continue
            if isinstance(thing, (MixedMatch, Match, State, DecisionMaker, Fallbacks)):
                self.found.add(type(thing).__name__)
            if isinstance(thing, GeneratorType) and "playmill" in Path(thing.gi_code.co_filename).parts:
                self.found.add(thing.__qualname__)
            if isinstance(thing, np.ndarray) and "states" in (thing.dtype.names or ()):
                self.found.add("workspace")
            if type(thing) is int:
                self.numbers.add(thing)

    def choose(self, decision):
        frames = below()
        self.frames.append({frame.f_code.co_name for frame in frames})
        if len(self.frames) in (1, 2, *range(40, 40 * LOOKS, 40)):
            self.look([decision, *frames])
        return decision.options[0]


@pytest.mark.parametrize("name", GAMES)
def test_frames_below_an_agent_lead_nowhere(name):
    players = load_game(name).players[0]
    made = []

    class Spy(Digger):
        def __init__(self):
            super().__init__()
            made.append(self)

    run = simulate(name, games=1, seed=SEED, agents=[Spy, *["random"] * (players - 1)], strict=True)
    (spy,) = made
    assert run.info.complete
    assert spy.found == set()
    assert SEED not in spy.numbers
    assert spy.frames[0] == {"choose", "ask", "_live", "run", "_bootstrap_inner", "_bootstrap"}


def test_an_agent_file_finds_no_seed_while_it_is_imported(dimensions, tmp_path):
    lines = ["import sys", "frame, found = sys._getframe(), set()", "while frame:"]
    lines += ["    found |= {repr(value) for value in frame.f_locals.values()}", "    frame = frame.f_back"]
    lines += [f"assert not any('{SEED}' in text for text in found)", "def choose(decision): return decision.actions[0]"]
    (tmp_path / "spy.py").write_text("\n".join(lines))
    simulate(dimensions, games=1, seed=SEED, agents=[str(tmp_path / "spy.py")], strict=True)


class Peeking:
    """The cheat that once won seven times as often as chance: it looks at the order of the deck, if it can."""

    def __init__(self):
        self.next_card = None

    def choose(self, decision):
        record = getattr(decision, "_record", None)
        for frame in below():
            for value in frame.f_locals.values():
                workspace = getattr(value, "_workspace", None)
                record = workspace["states"][0, 0] if workspace is not None else record
        self.next_card = int(record["deck"][record["placed"]])
        return decision.random.choice(decision.options)


def test_a_cheat_that_reads_the_deck_guesses_no_better_than_chance():
    game = load_game("save_oneself")
    cheat = Peeking()
    (seat,) = seats_for(game, 1, [cheat])
    guesses = right = expected = 0.0
    for number in range(60):
        state = State(game, seed=3, number=number)
        while not state.is_terminal():
            action, trouble = choice(state, seat)
            assert trouble is None
            left = 16 - int(state.record["placed"])
            if left > 1:
                guesses += 1
                expected += 1 / left
                right += cheat.next_card == int(state.record["deck"][state.record["placed"]])
            state.apply_action(action)
    assert guesses > 400
    assert right < expected + 3 * guesses**0.5 / 2
    assert right < guesses / 3


def test_chance_tells_nothing_of_how_often_others_were_asked(dimensions):
    """Whoever has but one card to play is not asked; so how often others were asked is no public thing."""

    class Alone:
        def __init__(self):
            self.drawn = []

        def choose(self, decision):
            self.drawn.append((decision.number, decision.random.random()))
            return decision.options[0]

    agent = Alone()
    simulate(dimensions, games=2, seed=4, agents=["random", agent, "random"])
    mine = [drawn for number, drawn in agent.drawn if number == 1]
    questions = DecisionMaker(dimensions, dimensions.config(), players=3, seed=4)
    state = State(dimensions, seed=4, number=1)
    while state.current_player() != 1:
        state.apply_action(state.legal_actions()[0])
    again = [
        questions.ask(state.workspace, state.legal_actions(), number=1, asked=k).random.random()
        for k in range(len(mine))
    ]
    assert mine == again
    assert len(set(mine)) == len(mine)
