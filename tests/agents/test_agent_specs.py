"""Who sits where."""

from __future__ import annotations

import threading

import pytest

from playmill import PlaymillError
from playmill.agents.agent_specs import seats_for


def test_one_agent_takes_all_seats(dimensions):
    assert [seat.name for seat in seats_for(dimensions, 4, ["dealer"])] == ["dealer"] * 4


def test_parameters_are_read_in_any_order_with_defaults(dimensions):
    seats = seats_for(dimensions, 3, ["dealer:anomaly=0.25", "dealer:anomaly=1,captain=0", "dealer"])
    assert [seat.params[:2] for seat in seats] == [(0.3, 0.25), (0.0, 1.0), (0.3, 0.5)]
    assert {seat.params[2:] for seat in seats} == {(0.0, 0.0)}
    assert [seat.name for seat in seats] == ["dealer:anomaly=0.25", "dealer:anomaly=1,captain=0", "dealer"]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("clever", r"dimensions has no agent 'clever'; it has random, dealer.*, or name a file: my_agent\.py"),
        ("dealer:", "agent dealer: cannot read ''; expected key=value with one of: captain, anomaly"),
        ("dealer:luck=1", "agent dealer: cannot read 'luck=1'"),
        ("dealer:captain=1,captain=1", "agent dealer: cannot read 'captain=1'"),
        ("dealer:captain=x", "agent dealer: captain is 'x'; expected a number from 0 to 1"),
        ("dealer:captain=nan", "agent dealer: captain is 'nan'; expected a number from 0 to 1"),
        ("dealer:captain=-0.1", "agent dealer: captain is '-0.1'; expected a number from 0 to 1"),
        ("random:n=1", "agent random takes no numbers; write random alone, without ':n=1'"),
    ],
)
def test_a_wrong_agent_gets_one_sentence(dimensions, spec, sentence):
    with pytest.raises(PlaymillError, match=sentence) as caught:
        seats_for(dimensions, 3, [spec])
    assert caught.value.text.ru != caught.value.text.en


@pytest.mark.parametrize("agents", [["random"] * 2, ["random"] * 4, []])
def test_the_number_of_agents_must_fit(dimensions, agents):
    with pytest.raises(PlaymillError, match=f"{len(agents)} agents for 3 players"):
        seats_for(dimensions, 3, agents)


FILES = {
    "function.py": "def choose(decision):\n    return decision.options[0]\n",
    "with_class.py": "class Agent:\n    def choose(self, decision):\n        return decision.options[0]\n",
    "named.py": "class Bold:\n    def choose(self, decision):\n        return decision.options[0]\n",
}


@pytest.mark.parametrize("spec", ["function.py", "with_class.py", "named.py:Bold"])
def test_an_agent_from_a_file(dimensions, tmp_path, spec):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    seat = seats_for(dimensions, 3, [str(tmp_path / spec)])[0]
    assert not seat.compiled
    assert seat.name == str(tmp_path / spec).replace(".py", "")


@pytest.mark.parametrize(
    ("text", "spec", "sentence"),
    [
        (None, "bot.py", "there is no agent file .*bot.py"),
        ("x = 1", "bot.py", "defines neither a function choose nor a class Agent"),
        ("x = 1", "bot.py:Bold", "bot.py defines no Bold"),
        ("x = 1", "bot.py:x", "agent .*bot:x has no method choose"),
        ("import no_such_thing", "bot.py", "cannot load the agent .*bot.py: ModuleNotFoundError"),
        ("def choose(", "bot.py", "cannot load the agent .*bot.py: SyntaxError"),
        ("class Agent:\n    def __init__(self):\n        1 / 0\n    choose = 1", "bot.py", "ZeroDivisionError"),
    ],
)
def test_a_broken_agent_file_gets_one_sentence(dimensions, tmp_path, text, spec, sentence):
    if text is not None:
        (tmp_path / "bot.py").write_text(text)
    with pytest.raises(PlaymillError, match=sentence):
        seats_for(dimensions, 3, [str(tmp_path / spec)])


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("bots.pyx", "bot.py"),
        ("bots.py", "bot.py"),
        ("my bots", "first bot.py"),
        ("боты", "первый бот.py"),
        ("a:b", "c:d.py"),
        (".", "bot.py.py"),
        (".", "v1.2.py"),
    ],
)
@pytest.mark.parametrize("part", ["", ":Смелый"])
def test_what_ends_with_py_is_a_file_whatever_else_is_in_its_name(dimensions, tmp_path, folder, name, part):
    (tmp_path / folder).mkdir(exist_ok=True)
    text = f"def choose(decision):\n    return 0\n\nclass {'Смелый'}:\n    choose = staticmethod(choose)\n"
    (tmp_path / folder / name).write_text(text, encoding="utf-8")
    spec = f"{tmp_path / folder / name}{part}"
    seat = seats_for(dimensions, 3, [spec])[0]
    assert seat.name == f"{tmp_path / folder / name}".removesuffix(".py") + part


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("bot.py:depth=3", "agent bot.py:depth=3: after the file comes the name of a class or an object"),
        ("bot.py:", "agent bot.py:: after the file comes the name"),
        ("bot.py/", "has no agent 'bot.py/'"),
        ("bots.py/random", "has no agent 'bots.py/random'"),
        (f"{'x' * 300}.py", "cannot load the agent x.*File name too long"),
        ("no\0thing.py", "there is no agent file no.*thing.py"),
        ("no\nthing\x1b[2J.py", "there is no agent file no.*thing"),
        ("\udcff.py", "there is no agent file"),
        (".py", "there is no agent file .py"),
        ("", "has no agent ''"),
    ],
)
def test_a_file_that_cannot_be_one_gets_one_sentence(dimensions, spec, sentence):
    with pytest.raises(PlaymillError, match=sentence) as caught:
        seats_for(dimensions, 3, [spec])
    assert all(text.isprintable() for text in caught.value.text)


def test_a_folder_with_the_name_of_a_file_is_no_agent(dimensions, tmp_path):
    (tmp_path / "bot.py").mkdir()
    with pytest.raises(PlaymillError, match="there is no agent file"):
        seats_for(dimensions, 3, [str(tmp_path / "bot.py")])


def test_a_name_an_agent_gives_itself_is_printable(dimensions):
    class Agent:
        name = "\x1b[2J" + "long" * 1000

        def choose(self, decision):
            return decision.actions[0]

    class Nameless(Agent):
        @property
        def name(self):
            raise SystemError

    names = [seat.name for seat in seats_for(dimensions, 3, [Agent(), Nameless(), "random"])]
    assert names[0].startswith(r"\x1b[2Jlong")
    assert len(names[0]) == 200
    assert names[1] == "Nameless"


def test_threads_of_agents_end_with_their_seats(dimensions):
    before = set(threading.enumerate())
    for _ in range(20):
        seats_for(dimensions, 3, [lambda decision: 0])
    begun = set(threading.enumerate()) - before
    for thread in begun:
        thread.join(5)
    assert not any(thread.is_alive() for thread in begun)
