"""A whole defence in one answer: for Python agents and programs; checked as a whole, one fallback if it is wrong."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from influence_scenes import set_up

from playmill import PlaymillError, simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.spec import read_program
from playmill.agents.python.decision import Decision
from playmill.engine.run.state import State
from playmill.games.influence.actions import AUTO, PLACE
from playmill.games.influence.words.distribution import parse_list
from playmill.lab.replays.narration import choice
from playmill.texts import LANGUAGES, WrongListError

SMALL = ["map=small", "round_limit=6"]


class Filler:
    """Attacks as long as it can, and fills its cells one after the other, point by point or all at once."""

    def __init__(self, whole: Callable[[list[Any]], Any] | None) -> None:
        self.whole = whole
        self.defences = 0
        self.questions = 0

    def choose(self, decision: Decision) -> Any:
        self.questions += 1
        if decision.kind == "attack" or self.whole is None:
            return decision.options[0]
        self.defences += 1
        return self.whole(filled(decision.seen))


def filled(seen: dict[str, Any]) -> list[Any]:
    """All points on the first cells that have room."""
    left, made = seen["points"], []
    for row, owners in enumerate(seen["owners"]):
        for column, owner in enumerate(owners):
            if owner == seen["player"]:
                points = min(left, seen["capacity"][row][column] - seen["influence"][row][column])
                left -= points
                made += [[[row, column], points]] if points else []
    return made


def played(agent: Any, games: int = 4, **more: Any) -> Any:
    return simulate("influence", games=games, seed=3, agents=[agent, "greedy"], set=SMALL, **more)


@pytest.mark.parametrize("shape", [list, tuple, lambda made: [((row, column), n) for (row, column), n in made]])
def test_a_whole_distribution_is_the_same_as_its_points_one_by_one(shape: Callable[[list[Any]], Any]) -> None:
    one_by_one, at_once = Filler(None), Filler(shape)
    wanted, found = played(one_by_one, strict=True), played(at_once, strict=True)
    assert found.results == wanted.results
    assert at_once.questions < one_by_one.questions / 2 and at_once.defences > 10


@pytest.mark.parametrize(
    ("wrong", "en", "ru"),
    [
        (
            lambda made: made[1:] or [[[0, 0], 99]],
            "a distribution that cannot be",
            "такого распределения быть не может",
        ),
        (lambda made: [*made, made[0]], "a distribution that cannot be", "такого распределения быть не может"),
        (lambda made: [], "to place, and the list has 0", "в списке 0"),
        (lambda made: [[[99, 0], 1]], "cell 99.0 is not yours", "клетка 99.0 не ваша"),
        (lambda made: [[0, 0, 1]], "an entry is [[row, column], points]", "запись — это [[ряд, столбец], очки]"),
        (lambda made: [[[0, 0], -1]], "an entry is [[row, column], points]", "запись — это"),
        (lambda made: ["+0.0", None, {}], "an entry is [[row, column], points]", "запись — это"),
        (lambda made: [[[True, 0], 1]], "an entry is [[row, column], points]", "запись — это"),
        (lambda made: [1] * 5000, "an entry is [[row, column], points]", "запись — это"),
    ],
)
def test_a_wrong_distribution_is_one_fallback_and_auto_places_the_points(wrong: Any, en: str, ru: str) -> None:
    agent, told = Filler(wrong), []
    run = played(agent, games=2, on_fallback=told.append)
    assert run.results["fallbacks"]["by_decision"] == {"defence": agent.defences} and agent.defences > 3
    for entry in told:
        assert en in entry["reason"] and ru in entry["reason_ru"]
        assert entry["replacement"] == "places the remaining points automatically"


def test_strict_ends_at_a_wrong_distribution() -> None:
    with pytest.raises(PlaymillError, match="decision defence: a distribution that cannot be: cell 99"):
        played(Filler(lambda made: [[[99, 0], 1]]), strict=True)


def test_a_list_in_an_attack_is_replaced_at_random() -> None:
    class Lists:
        def choose(self, decision: Decision) -> Any:
            return decision.actions[0] if decision.kind == "defence" else [[[0, 0], 1]]

    told: list[Any] = []
    run = played(Lists(), games=1, on_fallback=told.append)
    assert set(run.results["fallbacks"]["by_decision"]) == {"attack"}
    assert told[0]["reason"] == "a list of points is for the defence"


def test_a_list_is_read_as_points_for_own_cells_with_room() -> None:
    config, s = set_up("A8 A3! B2 -\nA1 - - -", points=3)
    cells = {"0.1": PLACE + 1, "1.0": PLACE + 4}
    assert parse_list(config, s, [[[1, 0], 2], [[0, 1], 1]]) == [cells["1.0"], cells["1.0"], cells["0.1"]]
    assert parse_list(config, s, [[[0, 1], 1], [[1, 0], 1], [[0, 1], 1]]) == [cells["0.1"], cells["1.0"], cells["0.1"]]
    for answer, words in (
        ([[[0, 0], 1], [[1, 0], 2]], "cell 0.0 has room for 0, not for 1"),
        ([[[0, 2], 3]], "cell 0.2 is not yours"),
        ([[[1, 1], 3]], "cell 1.1 is not yours"),
        ([[[1, 0], 2]], "3 points to place, and the list has 2"),
        ([[[1, 0], 4]], "3 points to place, and the list has 4"),
    ):
        with pytest.raises(WrongListError, match=words) as caught:
            parse_list(config, s, answer)
        assert caught.value.instead == AUTO and all(caught.value.text.of(lang) for lang in LANGUAGES)


def test_a_distribution_is_good_where_games_are_shown_and_played_at_a_table() -> None:
    agent = Filler(list)
    seats = seats_for(State("influence").game, 2, [agent, "greedy"])
    state = State("influence", config={"round_limit": 4}, interpreted=True)
    while not state.is_terminal():
        action, trouble = choice(state, seats[state.current_player()])
        assert trouble is None
        state.apply_action(action)
    assert agent.defences == int(state.record["turns"][0])


BOT = """
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif m["type"] == "act":
        answer = {"type": "answer", "number": m["number"]}
        if m["kind"] == "attack":
            answer["index"] = 0
        else:
            left, answer["list"], seen = m["seen"]["points"], [], m["seen"]
            for row, owners in enumerate(seen["owners"]):
                for column, owner in enumerate(owners):
                    if owner == seen["player"]:
                        n = min(left, seen["capacity"][row][column] - seen["influence"][row][column])
                        left -= n
                        answer["list"] += [[[row, column], n]] if n else []
            WRONG
        print(json.dumps(answer), flush=True)
    elif m["type"] == "quit":
        break
"""


def bot(folder: Path, wrong: str = "pass") -> str:
    (folder / "bot.py").write_text(BOT.replace("WRONG", wrong), encoding="utf-8")
    (folder / "bot.toml").write_text(f"run = '{shlex.quote(sys.executable)} -I -S bot.py'\n", encoding="utf-8")
    return f"program:{folder}"


def test_a_program_answers_with_a_list(tmp_path: Path) -> None:
    found, wanted = played(bot(tmp_path), strict=True).results, played(Filler(None)).results
    for figure in ("rounds", "ended_by", "attacks", "at_the_end", "decisions"):
        assert found[figure] == wanted[figure]


@pytest.mark.parametrize("forfeit", [False, True])
def test_a_wrong_list_of_a_program_is_one_fallback_or_the_end_of_its_game(tmp_path: Path, forfeit: bool) -> None:
    told: list[Any] = []
    spec = bot(tmp_path, "answer['list'] = answer['list'] * 2")
    played(read_program(spec, Limits(forfeit=forfeit)), games=1, on_fallback=told.append)
    replaced = {entry["replacement"] for entry in told if entry["decision"] == "defence"}
    assert "a distribution that cannot be" in told[0]["reason"]
    if not forfeit:
        assert replaced == {"places the remaining points automatically"}
        assert {entry["decision"] for entry in told} == {"defence"}
    else:
        assert all("is out of this game" in entry["reason"] for entry in told[1:]) and told[1:]
