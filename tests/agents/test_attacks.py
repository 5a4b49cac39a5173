"""Agents that do anything but answer: each attack is a file, and gets nothing by it."""

from __future__ import annotations

import re

import pytest

from playmill import PlaymillError, simulate
from playmill.agents.agent_specs import seats_for
from playmill.cli import main

HEAD = """
import os, sys
import numpy as np
from playmill import Option, PlaymillError

N = 2**31 - 1

class Liar(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __index__(self): return 0
    def __int__(self): return 0

class LyingNumpy(np.int64):
    def __eq__(self, other): return True
    def __int__(self): return N

class LyingText(str):
    def __eq__(self, other): return True
    def __hash__(self): return hash("x")
    def __str__(self): return "roll"

class NoRepr:
    def __repr__(self): raise SystemExit("no repr")

class Loud:
    def __repr__(self): return "\\x1b[2J" + "\\N{RIGHT-TO-LEFT OVERRIDE}\\n" + "z" * 10_000

class NoStr(Exception):
    def __str__(self): raise KeyboardInterrupt

class Sly(PlaymillError):
    def __init__(self): self.text = None

class SlyOption(Option):
    @property
    def action(self): return N

class Posing:
    @property
    def __class__(self): return Option
    action = N

kept = []

def choose(d):
"""

#: The body of `choose`, and what the reason of the fallback says.
WRONG = {
    "writes_the_list": ("d.actions[:] = [N]\n    return N", "TypeError"),
    "pops_the_list": ("d.actions.pop()\n    return d.actions[0]", "AttributeError"),
    "sets_the_list": ("d.actions = (N,)\n    return N", "FrozenInstanceError"),
    "forces_the_list": ("object.__setattr__(d, 'actions', (N,))\n    return N", "answered 2147483647, which is not"),
    "forces_an_option": ("object.__setattr__(d.options[0], 'action', N)\n    return d.options[0]", "not legal now"),
    "largest": ("return N", "answered 2147483647, which is not legal now"),
    "beyond_64_bits": ("return 2**64", "answered 18446744073709551616, which is not legal now"),
    "thousands_of_digits": ("return 10**5000", "answered <int of 16610 bits>, which is not legal now"),
    "below_zero": ("return -1", "answered -1, which is not legal now"),
    "numpy": ("return np.int64(N)", "answered .*2147483647.*, which is not legal now"),
    "numpy_bool": ("return np.bool_(True)", "not one of the options"),
    "bool": ("return True", "answered True, not one of the options"),
    "whole_float": ("return float(d.actions[0])", "not one of the options"),
    "numpy_float": ("return np.float64(d.actions[0])", "not one of the options"),
    "liar": ("return Liar(N)", "answered 2147483647, which is not legal now"),
    "lying_numpy": ("return LyingNumpy(0)", "which is not legal now"),
    "lying_text": ("return LyingText('fly')", "fly"),
    "option_by_hand": ("return Option(N, d._terms)", r"answered Option\(action=2147483647\), which is not legal now"),
    "option_of_nothing": ("return Option(None, None)", "not one of the options"),
    "sly_option": ("return SlyOption.__new__(SlyOption)", "not legal now"),
    "posing": ("return Posing()", "not one of the options"),
    "list": ("return list(d.options)", "not one of the options"),
    "array": ("return np.arange(3)", "not one of the options"),
    "long_text": ("return 'x' * 10**7", "answered 'xxxx"),
    "text_that_is_none": ("return '\\x1b[2J\\udcff'", re.escape(r"\x1b[2J\udcff")),
    "no_repr": ("return NoRepr()", "answered <NoRepr that cannot be shown>, not one of the options"),
    "loud": ("return Loud()", re.escape(r"answered \x1b[2J\u202e\nzzz")),
    "exits": ("sys.exit(0)", r"SystemExit: 0 \(line \d+\)"),
    "interrupts": ("raise KeyboardInterrupt", r"KeyboardInterrupt \(line \d+\)"),
    "closes": ("raise GeneratorExit", "GeneratorExit"),
    "stops": ("raise StopIteration(d.actions[0])", "StopIteration"),
    "out_of_memory": ("raise MemoryError", "MemoryError"),
    "recurses": ("return choose(d)", "RecursionError"),
    "no_str": ("raise NoStr", r"NoStr \(line \d+\)"),
    "long_error": ("raise ValueError('y' * 10**6)", "ValueError: yyy"),
    "error_that_moves_the_cursor": ("raise ValueError('\\x1b[2J\\r\\n')", re.escape(r"ValueError: \x1b[2J\r\n")),
    "sly_error": ("raise Sly()", "an error that cannot be shown"),
    "spoils_the_question": ("q = sys._getframe(2).f_locals['question']; q.put = None; return None", "None"),
}


@pytest.fixture
def bot(tmp_path):
    def write(body: str, head: str = HEAD) -> str:
        (tmp_path / "bot.py").write_text(f"{head}    {body}\n", encoding="utf-8")
        return str(tmp_path / "bot.py")

    return write


@pytest.fixture(scope="module")
def nothing():
    """What comes of an agent that never answers: every choice is replaced."""
    run = simulate("save_oneself", games=8, seed=5, agents=[lambda decision: None])
    return {**run.results, "agents": None, "fallbacks": run.results["fallbacks"]["total"]}


@pytest.mark.parametrize("name", WRONG)
def test_an_attack_is_an_answer_that_is_replaced(name, bot, nothing):
    body, reason = WRONG[name]
    run = simulate("save_oneself", games=8, seed=5, agents=[bot(body)])
    assert {**run.results, "agents": None, "fallbacks": run.results["fallbacks"]["total"]} == nothing
    for entry in run.fallbacks.entries:
        told = [text for text in entry.values() if isinstance(text, str)]
        assert re.search(reason, entry["reason"])
        assert all(text.isprintable() and len(text) < 300 for text in told)


@pytest.mark.parametrize("name", WRONG)
def test_an_attack_is_one_sentence_with_strict(name, bot):
    body, reason = WRONG[name]
    with pytest.raises(PlaymillError, match=reason) as caught:
        simulate("save_oneself", games=8, seed=5, agents=[bot(body)], strict=True)
    for text in caught.value.text:
        assert text.isprintable()
        assert len(text) < 500


#: Strange, but an answer.
RIGHT = {
    "tries_to_pop": "\n    ".join(["try: d.actions.pop()", "except Exception: pass", "return d.actions[-1]"]),
    "forgets_the_list": "last = d.actions[-1]; object.__setattr__(d, 'actions', ()); return last",
    "clears_what_it_sees": "d.seen.clear(); d.observation[:] = 0; return d.actions[-1]",
    "numpy": "return np.int16(d.actions[-1])",
    "liar": "return Liar(d.actions[-1])",
    "own_option": "return Option(d.actions[-1], None)",
    "earlier_option": "\n    ".join(
        ["kept.extend(d.options)", "return next(o for o in kept if o.action == d.actions[-1])"]
    ),
    "prints": "print('thinking', flush=True); return d.actions[-1]",
}


@pytest.mark.parametrize("name", RIGHT)
def test_an_honest_answer_stays_one_whatever_the_agent_does_to_what_it_was_handed(name, bot):
    last = simulate("save_oneself", games=8, seed=5, agents=[lambda decision: decision.actions[-1]], strict=True)
    run = simulate("save_oneself", games=8, seed=5, agents=[bot(RIGHT[name])], strict=True)
    assert {**run.results, "agents": None} == {**last.results, "agents": None}


VANDAL = """
def wreck(thing):
    if isinstance(thing, dict):
        for value in list(thing.values()): wreck(value)
        thing.clear()
    elif isinstance(thing, list):
        for value in thing: wreck(value)
        thing.clear()
    elif isinstance(thing, tuple):
        for value in thing: wreck(value)
    elif hasattr(thing, "model_fields_set"):
        for value in list(vars(thing).values()): wreck(value)
        vars(thing).clear()

def choose(d):
    try:
        for option in d.options: wreck(option.fields); wreck(option.words)
        wreck(d.seen); wreck(d.config)
    except Exception:
        pass  # without a config there is no more to wreck
    return d.actions[0]
"""


@pytest.mark.parametrize("game", ["dice", "dimensions", "grid", "influence", "save_oneself"])
def test_what_an_agent_wrecks_is_its_own(game, tmp_path):
    """Its own questions suffer; the game and what the others see do not."""
    (tmp_path / "vandal.py").write_text(VANDAL)
    seen = []

    class Watcher:
        name = "watcher"

        def choose(self, decision):
            seen.append((decision.seen, decision.config.model_dump(), [option.fields for option in decision.options]))
            return decision.actions[0]

    def first(decision):
        return decision.actions[0]

    players = {"dimensions": 3, "save_oneself": 1}.get(game, 2)
    told = []
    for other in (first, str(tmp_path / "vandal.py")):
        seen.clear()
        agents = [other, *[Watcher()] * (players - 1)]
        run = simulate(game, players=players, games=1, seed=2, agents=agents, strict=True)
        told.append((list(seen), run.info.config, run.games.to_dicts()))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class E(BaseException):\n    def __str__(self): raise E\nraise E", r"E \(line 3\)"),
        ("def choose(", "SyntaxError"),
        ("x = '\\0'", "no method|neither"),
        ("\0", "source code string cannot contain null bytes|null bytes"),
        ("import no_such_thing", "ModuleNotFoundError: No module named 'no_such_thing'"),
        ("class Agent:\n    def __init__(self): raise SystemExit\n    def choose(self, d): pass", "SystemExit"),
        ("class Agent:\n    @property\n    def choose(self): raise GeneratorExit", "GeneratorExit"),
        ("def __getattr__(name): raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_an_agent_that_cannot_be_loaded_is_one_sentence(dimensions, tmp_path, capsys, text, reason):
    (tmp_path / "bot.py").write_text(text)
    with pytest.raises(PlaymillError, match=reason):
        seats_for(dimensions, 3, [str(tmp_path / "bot.py")])
    assert main(["simulate", "dimensions", "--games", "1", "--agents", str(tmp_path / "bot.py")]) == 2
    said = capsys.readouterr().err
    assert "bot.py" in said
    assert said.count("\n") == 1


def test_an_agent_that_leaves_the_folder_does_not_move_the_results(tmp_path, monkeypatch, capsys):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "bot.py").write_text(
        "import os\ndef choose(d):\n    os.chdir('elsewhere') if os.path.isdir('elsewhere') else None\n"
        "    return d.actions[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    command = ["simulate", "save_oneself", "--games", "2", "--agents", "bot.py", "--trace", "2", "--quiet"]
    files = ["--out", "run.json", "--csv", "run.csv", "--html", "run.html", "--trace-out", "run.txt"]
    assert main([*command, *files]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"bot.py", "elsewhere", *files[1::2]}
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_agent_file_that_was_edited_is_read_anew(dimensions, tmp_path):
    """Even within the second, and with no change in size."""
    for answer in ("1", "2", "3"):
        (tmp_path / "bot.py").write_text(f"def choose(d):\n    return {answer} * 10**9\n")
        run = simulate(dimensions, games=1, agents=[str(tmp_path / "bot.py")])
        assert run.fallbacks.entries[0]["answer"] == f"{answer}000000000"
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]


def test_an_agent_may_play_games_in_its_head(dimensions):
    """With agents written in Python, too: those live in a thread of their own."""

    def choose(decision):
        if not found:
            found.append(simulate(dimensions, games=2, agents=[lambda other: other.actions[0]], strict=True))
        return decision.actions[0]

    found = []
    run = simulate(dimensions, games=2, agents=[choose, "random", "random"], strict=True)
    assert found[0].info.games == run.info.games == 2


def test_a_reply_that_never_came_to_words_is_a_fallback(dimensions, monkeypatch):
    """Out of memory, say, while the answer was being read."""

    def fail(*arguments):
        raise MemoryError

    monkeypatch.setattr("playmill.agents.python.reply.why", fail)
    run = simulate(dimensions, games=1, agents=[lambda decision: 1 / 0, "random", "random"])
    assert run.fallbacks.entries[0]["reason"] == "no answer came"
