"""The six questions of Grid for agents in plain Python."""

from __future__ import annotations

import random
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from playmill import PlaymillError, load_game, simulate
from playmill.games.grid.methods import METHODS, Card
from playmill.report.terminal.report_printer import print_report

#: A deck in which patterns are frequent: one rank, five colours.
EASY = [
    "game.deck.ranks=[1]",
    "game.deck.shapes=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]",
    "patterns.G.reward.id=RWD3",
]


class Careful:
    """Answers every question from what it is asked about, and keeps what it was asked."""

    def __init__(self):
        self.asked = {name: [] for name in METHODS}
        self.chance = random.Random(1)

    def choose_placement_cell(self, state, card):
        self.asked["choose_placement_cell"].append((state, card))
        board = state.boards[state.me]
        free = [(x, y) for y in range(state.height) for x in range(state.width) if board[y][x] is None]
        return self.chance.choice(free)

    def choose_draft_pick(self, state, revealed_cards):
        self.asked["choose_draft_pick"].append((state, revealed_cards))
        return revealed_cards[0]

    def choose_draft_pass(self, state, remaining_cards):
        self.asked["choose_draft_pass"].append((state, remaining_cards))
        return 1

    def choose_pattern_to_resolve(self, state, found_patterns):
        self.asked["choose_pattern_to_resolve"].append((state, found_patterns))
        return max(found_patterns, key=lambda found: found.vp)

    def choose_apply_reward(self, state, reward, context):
        self.asked["choose_apply_reward"].append((state, reward, context))
        return True

    def choose_reward_params(self, state, reward, context):
        self.asked["choose_reward_params"].append((state, reward, context))
        params = {context.step: self.chance.choice(context.options)}
        board = state.boards[state.me]
        free = [(x, y) for y in range(state.height) for x in range(state.width) if board[y][x] is None]
        if "choose_self_empty_cell_coord" in reward.choices and context.step != "self_empty_cell_coord":
            params["self_empty_cell_coord"] = self.chance.choice(free)
        if "choose_opponent_id" in reward.choices:
            other = params.setdefault("opponent_id", 1 - state.me)
            theirs = [
                (x, y)
                for y in range(state.height)
                for x in range(state.width)
                if (x, y) not in state.protected and state.boards[other][y][x] is not None
            ]
            empty = [
                (x, y)
                for y in range(state.height)
                for x in range(state.width)
                if (x, y) not in state.protected and state.boards[other][y][x] is None
            ]
            params.setdefault("opponent_card_coord", self.chance.choice(theirs))
            if "choose_opponent_empty_cell_coord" in reward.choices:
                params["opponent_empty_cell_coord"] = self.chance.choice(empty)
        return params


@pytest.fixture(scope="module")
def grid():
    return load_game("grid")


def play(grid, agent, *, games=12, reward="RWD7", players=2, **arguments):
    changes = [*EASY, f"patterns.J.reward.id={reward}"]
    agents = [agent, *["random"] * (players - 1)]
    return simulate(grid, players=players, games=games, seed=4, agents=agents, set=changes, **arguments)


@pytest.mark.parametrize("reward", [f"RWD{number}" for number in range(1, 11)])
def test_all_six_methods_play_without_a_fallback(grid, reward):
    agent = Careful()
    run = play(grid, agent, reward=reward, strict=True)
    assert run.results["fallback"] == {"total": 0, "by_agent": {}, "by_decision_type": {}}
    assert run.results["rewards"]["applied"][reward] > 0
    asked = {name for name, questions in agent.asked.items() if questions}
    assert asked >= set(METHODS[:5]) - {"choose_pattern_to_resolve"}
    if reward not in ("RWD4", "RWD5"):
        assert "choose_reward_params" in asked


def test_questions_are_asked_with_readable_things(grid):
    agent = Careful()
    play(grid, agent, games=20)
    state, card = agent.asked["choose_placement_cell"][0]
    assert isinstance(card, Card)
    assert (card.rank, card.color) == (1, card.color)
    assert card.color in range(1, 6)
    assert state.width == len(state.boards[0][0]) == 5
    assert (2, 2) in state.protected
    assert (0, 0) not in state.protected
    assert len(agent.asked["choose_draft_pick"][0][1]) == 3
    assert len(agent.asked["choose_draft_pass"][0][1]) == 2
    params = agent.asked["choose_reward_params"]
    reward, context = next((reward, context) for _, reward, context in params if context.pattern.id == "J")
    assert reward.id == "RWD7"
    assert len(context.pattern.cells) == 4
    assert context.options


def broken(method, answer):
    agent = Careful()
    setattr(agent, method, lambda *arguments: answer)
    return agent


@pytest.mark.parametrize(
    ("method", "answer", "kind", "reason"),
    [
        ("choose_placement_cell", (9, 9), "placement", r"not a coordinate \(x, y\) on a board of 5×5"),
        ("choose_placement_cell", "middle", "placement", "not a coordinate"),
        ("choose_placement_cell", None, "placement", "answered None"),
        ("choose_draft_pick", 3, "draft_pick", "choose_draft_pick answered 3; expected one of the 3"),
        ("choose_draft_pass", Card(6, 9, 1), "draft_pass", "expected one of the 2"),
        ("choose_apply_reward", "yes", "reward", "expected True or False"),
        ("choose_reward_params", None, "reward_param", "expected a dict with opponent_id, opponent_card_coord"),
        ("choose_reward_params", {}, "reward_param", "a dict with opponent_"),
    ],
)
def test_a_wrong_answer_falls_back_at_that_step_alone(grid, method, answer, kind, reason):
    import re

    run = play(grid, broken(method, answer), games=5)
    told = run.results["fallback"]
    assert told["by_decision_type"].keys() == {kind}
    assert told["total"] == told["by_agent"]["Careful"] > 0
    assert any(re.search(reason, entry["reason"]) for entry in run.fallbacks.entries)


def test_one_wrong_entry_of_the_params_costs_one_step(grid):
    class HalfRight(Careful):
        name = "half"

        def choose_reward_params(self, state, reward, context):
            return {**super().choose_reward_params(state, reward, context), "opponent_empty_cell_coord": (2, 2)}

    agent = HalfRight()
    run = play(grid, agent, games=20)
    applied = run.results["by_agent"]["half"]["rewards"]["applied"]["RWD7"]
    assert 0 < run.results["fallback"]["total"] <= applied
    assert all("not legal" in entry["reason"] for entry in run.fallbacks.entries)


def test_a_missing_method_is_named(grid):
    class Half:
        def choose_placement_cell(self, state, card):
            return next((x, y) for y in range(5) for x in range(5) if state.boards[state.me][y][x] is None)

    run = play(grid, Half(), games=2)
    assert "the agent has no method choose_draft_pick" in run.fallbacks.entries[0]["reason"]


def test_an_agent_file_may_hold_the_methods_as_functions(grid, tmp_path):
    lines = ["def choose_draft_pick(state, revealed_cards):", "    return 0"]
    (tmp_path / "six.py").write_text("\n".join(lines))
    run = play(grid, str(tmp_path / "six.py"), games=1)
    assert "draft_pick" not in run.results["fallback"]["by_decision_type"]
    assert run.results["fallback"]["by_decision_type"]["placement"] > 0


def test_a_pattern_to_resolve_is_asked_for_even_if_there_is_one(grid):
    agent = Careful()
    run = play(grid, agent, games=20, reward="RWD4")
    asked = [len(found) for _, found in agent.asked["choose_pattern_to_resolve"]]
    assert 1 in asked
    assert len(asked) == sum(run.results["by_agent"]["Careful"]["patterns"].values())


def test_an_answer_is_checked_even_if_one_option_is_legal(grid):
    """Of one found pattern the place 0 is right and 5 is none: each such answer is a fallback."""

    class Wrong(Careful):
        name = "wrong"

        def choose_pattern_to_resolve(self, state, found_patterns):
            super().choose_pattern_to_resolve(state, found_patterns)
            return 5 if len(found_patterns) == 1 else 0

    wrong = Wrong()
    run = play(grid, wrong, games=20, reward="RWD4")
    alone = sum(len(found) == 1 for _, found in wrong.asked["choose_pattern_to_resolve"])
    assert run.results["fallback"]["by_decision_type"] == {"pattern": alone}
    assert alone > 0
    reasons = {(entry["reason"], entry["reason_ru"]) for entry in run.fallbacks.entries}
    assert reasons == {
        (
            "choose_pattern_to_resolve answered 5; expected one of the 1 it was asked about, or its place from 0",
            "choose_pattern_to_resolve: ответ 5; ожидается: одно из предложенного (1) или его место, считая с 0",
        )
    }
    with pytest.raises(PlaymillError, match="choose_pattern_to_resolve answered 5"):
        play(grid, Wrong(), games=20, reward="RWD4", strict=True)


@pytest.mark.parametrize("method", METHODS)
def test_reasons_are_wholly_russian_but_for_names_and_answers(grid, method):
    class Silent(Careful):
        pass

    setattr(Silent, method, lambda self, *asked: "nonsense")
    run = play(grid, Silent(), games=20)
    reasons = [entry["reason_ru"] for entry in run.fallbacks.entries]
    assert reasons
    for reason in reasons:
        words = re.sub(r"choose_\w+|\w+_(coord|id|ref)|'nonsense'|True|False|\(x, y\)", "", reason)
        assert not re.search("[A-Za-z]", words), reason


def test_games_by_methods_are_told_apart_from_decisions(grid):
    """A question with one option is no decision: the report counts those alone, and so do replays."""
    run = play(grid, Careful(), games=5)
    assert run.results["decisions"] == play(grid, Careful(), games=5).results["decisions"]
    assert run.info.extra["fallbacks"] == 0


def test_the_report_says_fallbacks_0_for_agents_in_python_alone(grid, capsys):
    for lang, line in (("en", "fallbacks: 0"), ("ru", "замен негодных ответов: 0")):
        for agent, told in ((Careful(), True), ("random", False)):
            run = play(grid, agent, games=1)
            out = StringIO()
            print_report(Console(file=out, width=100), run.info, run.tables(), lang)
            assert (line in out.getvalue()) == told
            assert ("allbacks" in run.page("en")) == told


def test_the_bot_of_the_page_makes_no_fallbacks(grid, tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "grid.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n# steady\.py\n(.*?)```", page, re.DOTALL)
    assert found is not None
    (tmp_path / "steady.py").write_text(found[1], encoding="utf-8")
    applied = 0
    for reward in range(1, 11):
        run = play(grid, str(tmp_path / "steady.py"), games=6, reward=f"RWD{reward}", players=3, strict=True)
        assert run.results["fallbacks"]["total"] == 0
        applied += run.results["by_agent"][run.info.agents[0]]["rewards"]["applied"][f"RWD{reward}"] > 0
    assert applied >= 6
