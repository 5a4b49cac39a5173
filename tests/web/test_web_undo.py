"""Undo never peeks: whether a decision may be taken back is known from what the rules read."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from common.found import SHIPPED
from playmill.engine.contract.game import Game, load_game
from playmill.engine.run.state import State
from playmill.web.table import undo

BOXES = 20
CONFIG = '''"""No numbers."""
from playmill.engine.config.model import RuleConfig

class Config(RuleConfig):
    """Rules of boxes."""
'''
RULES = f'''"""One of {BOXES} boxes holds a trap; open ten and get away."""
import numpy as np
from playmill import rule
from playmill.engine.lang.rng import below

VERSION = 1
MIN_PLAYERS = MAX_PLAYERS = 1
MAX_ACTIONS = MAX_LEGAL = {2 * BOXES}
State = np.dtype([("player", np.int8), ("trap", np.int8), ("open", np.int8, ({BOXES},)), ("mark", np.int8)], align=True)

@rule
def setup(cfg, s, rng):
    s.trap = below(rng, 0, {BOXES})

@rule
def legal_actions(cfg, s, out):
    n = 0
    for box in range({BOXES}):
        if s.open[box] == 0:
            out.ids[n] = box
            n += 1
    for box in range({BOXES}):
        out.ids[n] = {BOXES} + box
        n += 1
    return n if s.player >= 0 else 0

@rule
def apply_action(cfg, s, action, rng):
    if action >= {BOXES}:
        s.mark = action - {BOXES} + 1
    else:
        s.open[action] = 1
        if PEEKS:
            if s.trap == action:
                s.player = -1
    if s.player >= 0 and s.open.shape[0] == 0:
        s.player = -1

@rule
def returns(cfg, s, out):
    out[0] = 0.0
'''
HIDDEN = f'''"""The trap, until its box is open."""
from playmill import rule
from playmill.engine.lang.rng import below

OBSERVATION = {BOXES + 1}
NAMES = tuple(f"box[{{k}}]" for k in range({BOXES})) + ("mark",)

@rule
def observe(cfg, s, player, out):
    for box in range({BOXES}):
        out[box] = 0 if s.open[box] == 0 else 2 if s.trap == box else 1
    out[{BOXES}] = s.mark

@rule
def conceal(cfg, s, player, rng):
    if s.open[s.trap] == 0:
        box = below(rng, 0, {BOXES})
        while s.open[box] != 0:
            box = below(rng, 0, {BOXES})
        s.trap = box
'''
WORDS = '''"""Boxes in words."""
from playmill import Text

TITLE = Text("Boxes", "Ящики")
ABOUT = Text("one of them is a trap", "в одном ловушка")

def describe(config, action):
    return Text(f"does {action}", f"делает {action}")

def to_text(config, action):
    return str(action)

def seen(config, s, player, lang):
    return {"open": s["open"].tolist(), "mark": int(s["mark"])}
'''


def boxes(tmp_path: Path, name: str, *, peeks: bool) -> Game:
    """A game of boxes; in one that `peeks` the rules look for the trap, in the other only `observe` shows it."""
    folder = tmp_path / name
    folder.mkdir()
    files = {"config": CONFIG, "rules": RULES.replace("PEEKS", str(int(peeks))), "hidden": HIDDEN, "words": WORDS}
    for file, text in {"__init__": "", **files}.items():
        (folder / f"{file}.py").write_text(text, encoding="utf-8")
    return load_game(str(folder))


@pytest.mark.parametrize("peeks", [True, False])
def test_no_box_is_closed_again(tmp_path: Path, peeks: bool) -> None:
    """The trap of 1 in 20: no opening may be taken back, however many boxes were empty; a mark made first may."""
    game = boxes(tmp_path, f"boxes_{peeks}", peeks=peeks)
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for seed in range(40):
        state = State(game, players=1, seed=seed, interpreted=True)
        boxes_to_open = random.Random(seed).sample([box for box in range(BOXES) if box != state.record["trap"]], 10)
        for choice in (BOXES + seed % BOXES, *boxes_to_open):
            kind = "mark" if choice >= BOXES else "open"
            last = undo.UndoPoint(0, choice, 0, state.clone())
            state.apply_action(choice)
            tried[kind] += 1
            refused[kind] += undo.refusal(last, 0, state, ()) == undo.REVEALED
    assert tried == {"mark": 40, "open": 400}
    assert refused == {"mark": 0, "open": 400}


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_what_worlds_tell_apart_the_rules_have_read(name: str) -> None:
    """A world in which a decision shows something else proves that it must not be taken back."""
    game, dice, seen = load_game(name), random.Random(4), Counter[tuple[bool, bool]]()
    for seed in range(2):
        state = State(game, players=game.players[0], seed=seed, interpreted=True)
        while not state.is_terminal() and state.decisions < 8:
            seat, action = state.current_player(), dice.choice(state.legal_actions())
            last = undo.UndoPoint(seat, action, 0, state.clone())
            state.apply_action(action)
            differs = any(_shows_otherwise(last, state, world) for world in range(4))
            seen[differs, undo._revealed(last, state)] += 1
    assert seen[True, False] == 0, seen
    assert sum(seen.values()) > 3


def _shows_otherwise(last: undo.UndoPoint, now: State, world: int) -> bool:
    other = last.before.clone()
    other.conceal(last.seat, 77 + world)
    if last.action not in other.legal_actions():
        return True
    other.apply_action(last.action)
    return not np.array_equal(other.observation_tensor(last.seat), now.observation_tensor(last.seat))
