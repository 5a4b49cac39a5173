"""Conditions that can never hold where they stand: what the checker warns of, and that it warns of nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from dice_naive import NaiveMatch, selections
from dice_position import LETTERS, Data, match
from dice_random_content import condition
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill.games.dice.content import content_of, library, warnings
from playmill.games.dice.content.impossible import counts_nothing, impossible


def paths(trigger: str, when: Data, effect: Any = None) -> list[str]:
    """What is warned of in a passive item, or with the trigger "use" in an active one."""
    how = (
        {"type": "active", "cooldown_turns": 1, "activate_condition": when}
        if trigger == "use"
        else {"type": "passive", "triggers": trigger.split(), "condition": when}
    )
    item = {"name": "It", "desc": "it", "effect": effect or {"add": 1}, "notification": "it", **how}
    piece = content_of({"items": [item]}, "").items[0]
    return [path for path, _ in (*impossible(piece), *counts_nothing(piece))]


@pytest.mark.parametrize(
    ("trigger", "when"),
    [
        ("on_roll", {"straight": "any", "of": "saved"}),
        ("on_roll", {"count": {"face": 1, "at_least": 1}, "of": "saved"}),
        ("use", {"of_a_kind": 2, "of": "saved"}),
        ("on_save", {"count": {"face": 2, "exactly": 2}}),
        ("on_save", {"straight": "1-6", "of": "table"}),
        ("on_pass", {"count": {"face": 6, "at_least": 6}, "of": "table"}),
        ("on_pass", {"sum": {"at_least": 31}, "of": "table"}),
        ("on_save", {"selection_points": {"at_most": 40}}),
        ("on_save", {"not": {"selection_points": {"at_least": 50}}}),
        ("use", {"not": {"scores": True}}),
    ],
)
def test_a_condition_that_can_never_hold_where_it_stands(trigger: str, when: Data) -> None:
    kind = next(key for key in when if key != "of")
    assert paths(trigger, when) == [("activate_condition" if trigger == "use" else "condition") + f".{kind}"]


@pytest.mark.parametrize(
    ("trigger", "parts"),
    [
        ("on_roll", [{"first_roll": True}, {"hot_dice": True}]),
        ("on_roll", [{"first_roll": True}, {"dice_rolled": {"at_most": 5}}]),
        ("on_roll", [{"first_roll": True}, {"roll_number": {"at_least": 2}}]),
        ("on_roll", [{"hot_dice": True}, {"of_a_kind": 3}, {"dice_rolled": {"exactly": 5}}]),
        ("on_roll", [{"not": {"scores": True}}, {"count": {"face": 5, "at_least": 1}}]),
        ("on_roll", [{"count": {"face": 1, "at_least": 4}}, {"count": {"face": 2, "at_least": 3}}]),
        ("on_roll", [{"of_a_kind": 4}, {"straight": "any"}]),
        ("on_save", [{"selection_size": {"at_most": 4}}, {"straight": "any"}]),
        ("on_pass", [{"turn_points": {"at_least": 500}}, {"turn_points": {"at_most": 300}}]),
        ("on_pass", [{"behind_by": 1}, {"ahead_by": 1}]),
        ("on_pass", [{"flag": "bust_shield"}, {"not": {"flag": "bust_shield"}}]),
    ],
)
def test_conditions_that_exclude_each_other(trigger: str, parts: list[Data]) -> None:
    assert paths(trigger, {"all": parts}) == ["condition.all"]
    assert paths(trigger, {"any": parts}) == []


def test_a_part_that_can_never_hold_is_named_alone() -> None:
    never = {"straight": "any", "of": "saved"}
    assert paths("on_roll", {"any": [{"first_roll": True}, never]}) == ["condition.any.1.straight"]
    assert paths("on_roll", {"all": [{"first_roll": True}, never]}) == ["condition.all.1.straight"]
    assert paths("on_roll", {"not": never}) == [], "it always holds, which is no harm"
    assert paths("on_roll on_save", {"straight": "any", "of": "saved"}) == [], "on the save it can"


def test_an_effect_that_counts_saved_dice_where_none_are_saved() -> None:
    per = {"add_per_die": {"face": 1, "points": 5, "of": "saved"}}
    assert paths("on_roll", {"first_roll": True}, per) == ["effect.add_per_die.of"]
    assert paths("use", {"first_roll": True}, [{"add": 1}, per]) == ["effect.1.add_per_die.of"]
    assert paths("on_save", {"first_roll": True}, per) == []


def test_nothing_shipped_is_warned_of() -> None:
    pieces = (*library().modifiers, *library().items)
    assert [path for piece in pieces for path, _ in (*impossible(piece), *counts_nothing(piece))] == []


def test_a_warning_is_a_line_with_the_path_and_what_is_asked(tmp_path: Path) -> None:
    item = {
        "name": "It",
        "desc": "it",
        "type": "passive",
        "triggers": ["on_roll"],
        "condition": {"straight": "any", "of": "saved"},
        "effect": {"add": 1},
        "notification": "it",
    }
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"items": [item]}), encoding="utf-8")
    [told] = warnings(file)
    assert told.en == (
        f"{file}: warning: items.0.condition.straight can never hold with on_roll: a straight among the saved dice"
    )
    assert told.ru == (
        f"{file}: предупреждение: items.0.condition.straight никогда не выполняется с on_roll: стрит в сохранении"
    )


def _moment(random: Random, event: str) -> NaiveMatch:
    """A moment of a match as it can be, as far as conditions see it."""
    model = NaiveMatch(match())
    rolls = random.choice([1, 2, 3])
    model.hot = rolls > 1 and random.random() < 0.3
    lying = rolls > 1 and not model.hot
    roll = ""
    while not selections(roll or "......"):
        roll = "".join(random.choice("11234566." if lying else "11234566") for _ in LETTERS)
    table = [letter for letter, face in zip(LETTERS, roll, strict=True) if face != "."]
    model.thrown = "".join(sorted(random.sample(table, random.randint(1, len(table))) if lying else table))
    model.roll, model.rolls, model.player = roll, rolls, 0
    model.selection = random.choice(list(selections(roll)))
    model.saved_faces = "".join(roll[LETTERS.index(letter)] for letter in model.selection)
    model.save_points = selections(roll)[model.selection] * random.choice([1, 2])
    if event != "on_roll":
        model.roll = "".join("." if letter in model.selection else roll[place] for place, letter in enumerate(LETTERS))
    model.points, model.totals = random.randrange(-250, 850, 50), [random.randrange(0, 1250, 50) for _ in range(2)]
    flags = ("bust_shield", "double_next_save", "spark", "ember", "brief", "long")
    model.flags = [{flag: None for flag in flags if random.random() < 0.5} for _ in range(2)]
    return model


@settings(max_examples=share(60), deadline=None, derandomize=True, database=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["on_roll", "on_save"]))
def test_what_holds_at_some_moment_is_never_called_impossible(random: Random, event: str) -> None:
    when = condition(random, saved=event == "on_save")
    moments = Random(random.getrandbits(32))
    if any(_moment(moments, event).holds(when, event) for _ in range(60)):
        config = match(mine=[{"id": "own_x", "name": "x", "desc": "x", "type": "passive", "triggers": [event],
                              "condition": when, "effect": {"add": 1}, "notification": "x"}])  # fmt: skip
        [piece] = [entry.content for entry in config.resolved().entries]
        assert [path for path, asked in impossible(piece) if asked is piece.asks] == [], when
