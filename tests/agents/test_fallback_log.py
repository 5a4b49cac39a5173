"""Every answer that could not be used is told: who, where, what was said, why not, and what was done instead."""

from __future__ import annotations

import ast
import csv
import json
import logging

import pytest

from playmill import load_game, simulate
from playmill.agents.fallbacks import KEPT, Fallback
from playmill.cli import main

KEYS = list(Fallback.__dataclass_fields__)

WRONG_CELL = """
def choose_placement_cell(state, card):
    return (3, 2)

def choose_draft_pick(state, revealed_cards):
    return 0

def choose_draft_pass(state, remaining_cards):
    return 0

def choose_apply_reward(state, reward, context):
    return True

def choose_pattern_to_resolve(state, found_patterns):
    raise RuntimeError("lost my way")

def choose_reward_params(state, reward, context):
    return {"self_card_coord": (9, 9), "opponent_id": 7, "discard_card_ref": "the red one"}
"""


@pytest.fixture
def bot(tmp_path):
    (tmp_path / "bot.py").write_text(WRONG_CELL, encoding="utf-8")
    return str(tmp_path / "bot.py")


def test_the_log_has_the_answer_in_the_agents_own_words(bot):
    run = simulate("grid", players=2, games=3, seed=1, agents=["random", bot])
    grid = load_game("grid")
    for entry in run.fallbacks.entries:
        assert list(entry) == KEYS
        assert entry["agent"] == bot.removesuffix(".py")
        assert (entry["players"], entry["seat"]) == (2, 1)
        assert entry["turn"] % 2 == 0
        assert entry["step"] > 1
    entry = next(entry for entry in run.fallbacks.entries if entry["decision"] == "placement")
    assert entry["answer"] == "(3, 2)"
    assert entry["reason"] == "answered (3, 2), which is not legal now"
    assert entry["reason_ru"] == "ответ (3, 2) сейчас недопустим"
    words = [grid.words.describe(grid.config(), action) for action in range(25)]
    assert (entry["replacement"], entry["replacement_ru"]) in words


EASY = [
    "game.deck.ranks=[1]",
    "game.deck.shapes=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]",
]


@pytest.mark.parametrize("reward", ["RWD2", "RWD7"])
def test_a_wrong_entry_of_the_params_is_told_as_the_agent_wrote_it(reward):
    class Params:
        def choose_placement_cell(self, state, card):
            board = state.boards[state.me]
            return next((x, y) for y in range(5) for x in range(5) if board[y][x] is None)

        def choose_draft_pick(self, state, revealed_cards):
            return 0

        choose_draft_pass = choose_pattern_to_resolve = choose_draft_pick

        def choose_apply_reward(self, state, reward, context):
            return True

        def choose_reward_params(self, state, reward, context):
            return dict.fromkeys([choice.removeprefix("choose_") for choice in reward.choices], (9, 9))

    changes = [*EASY, f"patterns.J.reward.id={reward}"]
    run = simulate("grid", players=2, games=12, seed=4, agents=[Params(), "random"], set=changes)
    entries = [entry for entry in run.fallbacks.entries if entry["decision"] == "reward_param"]
    assert entries
    for entry in entries:
        (step,) = ast.literal_eval(entry["answer"])
        assert entry["answer"] == f"{{{step!r}: (9, 9)}}"
        assert "(9, 9)" in entry["reason"]
        assert "(9, 9)" in entry["reason_ru"]


def test_who_raises_has_given_no_answer(dimensions):
    def choose(decision):
        raise RuntimeError("lost my way")

    run = simulate(dimensions, games=1, seed=1, agents=["random", choose, "random"])
    entry = run.fallbacks.entries[0]
    assert entry["answer"] is None
    line = choose.__code__.co_firstlineno + 1
    assert entry["reason"] == f"RuntimeError: lost my way (line {line})"
    assert entry["reason_ru"] == f"RuntimeError: lost my way (строка {line})"


@pytest.mark.parametrize("name", ["dice", "dimensions", "influence", "save_oneself"])
def test_every_game_counts_turns_or_rounds(name):
    run = simulate(name, games=1, seed=1, agents=[lambda decision: None])
    turns = [entry["turn"] for entry in run.fallbacks.entries]
    assert turns[0] == 1
    assert turns == sorted(turns)
    assert turns[-1] > 1
    assert [entry["step"] for entry in run.fallbacks.entries] == list(range(1, len(turns) + 1))


def test_the_same_run_leaves_the_same_log(dimensions):
    class Nameless:
        pass

    one, other = (simulate(dimensions, games=1, seed=1, agents=[lambda d: Nameless()]).fallbacks for _ in range(2))
    assert one.entries == other.entries
    assert " at 0x" not in one.entries[0]["answer"]


def test_a_file_gets_all_of_them_the_report_the_first_hundred(bot, tmp_path, capsys):
    out, wrong, table = tmp_path / "run.json", tmp_path / "wrong.jsonl", tmp_path / "wrong.csv"
    command = ["simulate", "grid", "--players", "2", "--games", "8", "--agents", bot, "random", "--quiet"]
    assert main([*command, "--fallbacks", str(wrong), "--out", str(out)]) == 0
    assert main([*command, "--fallbacks", str(table)]) == 0
    saved = json.loads(out.read_text(encoding="utf-8"))
    lines = [json.loads(line) for line in wrong.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == saved["results"]["fallbacks"]["total"] > KEPT
    assert saved["meta"]["fallback_log"] == lines[:KEPT]
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == KEYS
    assert [{key: str(value) if value is not None else "" for key, value in line.items()} for line in lines] == rows
    assert not list(tmp_path.glob(".playmill-*"))


def test_several_sizes_share_a_file(bot, tmp_path):
    wrong = tmp_path / "wrong.jsonl"
    command = ["simulate", "grid", "--players", "2", "3", "--games", "2", "--agents", bot, "--quiet"]
    assert main([*command, "--fallbacks", str(wrong)]) == 0
    lines = [json.loads(line) for line in wrong.read_text(encoding="utf-8").splitlines()]
    assert {line["players"] for line in lines} == {2, 3}


def test_a_file_without_fallbacks_is_there_and_empty(tmp_path, capsys):
    for name, text in (("wrong.jsonl", ""), ("wrong.csv", ",".join(KEYS) + "\n")):
        assert main(["simulate", "save_oneself", "--games", "2", "--fallbacks", str(tmp_path / name), "--quiet"]) == 0
        assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_a_file_that_cannot_be_written_or_is_the_agents_own_is_one_sentence(bot, tmp_path, capsys):
    command = ["simulate", "save_oneself", "--games", "2", "--agents", bot.replace("bot.py", "one.py"), "--fallbacks"]
    (tmp_path / "one.py").write_text("def choose(decision):\n    return 0\n")
    for place in (tmp_path, tmp_path / "one.py" / "file", tmp_path / "one.py"):
        assert main([*command, str(place)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "one.py").read_text().startswith("def choose")


def test_a_strict_run_leaves_no_file(bot, tmp_path, capsys):
    wrong = tmp_path / "wrong.jsonl"
    command = ["simulate", "grid", "--players", "2", "--games", "8", "--agents", bot, "--strict"]
    assert main([*command, "--fallbacks", str(wrong)]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.py"]


@pytest.mark.parametrize(
    ("lang", "title", "row"),
    [
        ("en", "The first of these answers", "answered (3, 2), which is not legal now → places the card on cell"),
        ("ru", "Первые из этих ответов", "ответ (3, 2) сейчас недопустим → кладёт карту на клетку"),
    ],
)
def test_the_report_tells_the_first_ones_in_words(bot, capsys, monkeypatch, lang, title, row):
    monkeypatch.setenv("COLUMNS", "200")
    command = ["simulate", "grid", "--players", "2", "--games", "1", "--agents", bot, "random", "--lang", lang]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert title in told
    assert row in told


def test_the_logger_gets_every_one(dimensions, caplog):
    with caplog.at_level(logging.DEBUG, logger="playmill.fallback"):
        run = simulate(dimensions, games=4, seed=1, agents=[lambda decision: None])
    assert run.results["fallbacks"]["total"] == len(caplog.records) > KEPT


def test_show_tells_the_reason_in_the_language_asked_for(bot, capsys):
    for lang, words in (("en", "a random choice instead: answered (3, 2)"), ("ru", "случайный выбор вместо ответа: ")):
        assert main(["show", "grid", "--players", "2", "--agents", bot, "random", "--lang", lang]) == 0
        assert words in capsys.readouterr().out
