"""Plans: what a run is, and what it is not."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from playmill import PlaymillError
from playmill.lab.runs.plan import FORM, Plan, changes
from playmill.lab.runs.resolved_plan import resolve_plan, resolve_saved_plan

BOT = "def choose(decision):\n    return decision.actions[0]\n"


def test_a_plan_is_read_back_as_it_was_written(dimensions):
    plan = resolve_plan(dimensions, players=4, agents=["dealer:captain=0.5", "random", "random", "search"], seed=7).plan
    again = Plan.from_json(json.loads(json.dumps(plan.json())), "plan.json")
    assert again == plan
    assert again.digest == plan.digest
    assert plan.name == f"dimensions-{plan.digest[:10]}"


def test_a_plan_says_what_a_run_is_and_its_name_is_made_of_that(pig):
    plan = resolve_plan(pig).plan
    others = [
        resolve_plan(pig, seed=1),
        resolve_plan(pig, agents="threshold"),
        resolve_plan(pig, agents="threshold:n=21"),
        resolve_plan(pig, set=["target=50"]),
        resolve_plan(pig, agents=["threshold", "random"]),
        resolve_plan(pig, agents=["threshold", "random"], rotate=True),
    ]
    names = [plan.name, *(other.plan.name for other in others)]
    assert len({*names}) == len(names)
    assert resolve_plan(pig).plan == plan


def test_changed_rules_make_another_plan(pig):
    plan = resolve_plan(pig).plan
    assert replace(plan, rules="0" * 64).digest != plan.digest
    assert [text.en for text in changes(replace(plan, rules="0" * 64), plan)] == [
        "the rules or agents of pig have changed"
    ]
    assert [text.en for text in changes(replace(plan, version=plan.version + 1), plan)] == [
        f"the rules were of version {plan.version + 1}, they are of version {plan.version}"
    ]


def test_what_changed_is_named_in_both_languages(pig):
    now = resolve_plan(pig, agents=["threshold", "random"], set=["target=60"], seed=4, rotate=True).plan
    told = changes(resolve_plan(pig).plan, now)
    assert [text.en for text in told] == [
        "the config differs at target",
        "the agents were random, random, are threshold, random",
        "seats are rotated in one and fixed in the other",
        "the seed was 0, is 4",
    ]
    assert [text.ru for text in told] == [
        "настройки отличаются: target",
        "агенты были random, random, стали threshold, random",
        "в одном места меняются по кругу, в другом нет",
        "сид был 0, стал 4",
    ]


def test_a_bot_that_was_edited_is_another_agent(pig, tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    resolved = resolve_plan(pig, agents=[str(bot), "random"])
    specs = [seat.spec or "" for seat in resolved.seats]
    assert resolve_saved_plan(resolved.plan, resolved.reference, specs, "mine").plan == resolved.plan
    bot.write_text(BOT + "# better\n")
    with pytest.raises(PlaymillError, match=r"run mine cannot go on: the agent .*bot has changed"):
        resolve_saved_plan(resolved.plan, resolved.reference, specs, "mine")


def test_chunks_are_fixed_by_the_plan(dimensions, pig):
    assert resolve_plan(pig).plan.chunk == 1 << 14
    assert resolve_plan(pig, agents=["search", "random"]).plan.chunk == 16
    assert resolve_plan(pig, agents=[lambda decision: 0, "random"]).plan.chunk == 256
    three = resolve_plan(dimensions, agents=["dealer", "random", "random"], rotate=True).plan
    assert (three.rotations, three.chunk, three.groups) == (3, (1 << 14) // 3 * 3, 64)
    assert resolve_plan(dimensions, agents=["dealer"], rotate=True).plan.rotations == 1


def test_runs_of_any_plans_have_the_same_deals_in_a_group(dimensions):
    agents = ["dealer", "random", "random"]
    three = resolve_plan(dimensions, agents=agents, rotate=True).plan
    alone = resolve_plan(dimensions, agents="dealer", grouped=True).plan
    assert (alone.rotations, alone.groups) == (1, 64)
    deals = np.arange(1 << 19)
    assert (three.grouping.of(deals) == alone.grouping.of(deals)).all()
    assert Plan.from_json(alone.json(), "plan.json") == alone


def test_the_chunks_of_a_range_cover_it(pig):
    plan = resolve_plan(pig).plan
    chunk = plan.chunk
    assert plan.chunks(range(2 * chunk)) == [range(chunk), range(chunk, 2 * chunk)]
    assert plan.chunks(range(chunk, chunk + 5)) == [range(chunk, chunk + 5)]
    assert plan.chunks(range(7)) == [range(7)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop("rules"),
        lambda data: data.update(seed="0"),
        lambda data: data.update(seats="mixed"),
        lambda data: data.update(players=3),
        lambda data: data.update(chunk=7),
        lambda data: data["agents"][0].update(parameters=[1]),
    ],
)
def test_what_is_no_plan_gets_a_sentence(pig, spoil):
    data = json.loads(json.dumps(resolve_plan(pig).plan.json()))
    spoil(data)
    with pytest.raises(PlaymillError, match=r"plan\.json is not the plan of a run"):
        Plan.from_json(data, "plan.json")


def test_a_plan_of_another_form_is_not_guessed_at(pig):
    with pytest.raises(PlaymillError, match=f"has form 9; this Playmill reads form {FORM}"):
        Plan.from_json({**resolve_plan(pig).plan.json(), "form": 9}, "plan.json")
