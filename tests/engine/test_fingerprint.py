"""Old rules never run: whatever the compiler sees of a rule, an edit of it is played at once."""

from __future__ import annotations

import ast
import functools
import importlib
import json
import os
import subprocess
import sys
import textwrap
import types
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from common.fresh import fresh_pig
from playmill import PlaymillError, load_game, rule
from playmill.engine.compile.fingerprint import fingerprint, rules_fingerprint

#: Calls the roots of modules, each kept under its fingerprint; tells what came of it and whether it was compiled.
DRIVER = """
import importlib, json, sys
from playmill.engine.compile.fingerprint import fingerprint
from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.entry_points import entry_point

told = {}
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    made = entry_point(module.answer)
    made.keep(DiskCache("test", fingerprint(made)))
    value = made(*getattr(module, "GIVEN", (7,)))
    told[name] = [value, made.compiled > 0]
print(json.dumps(told))
"""


@dataclass(frozen=True)
class Kind:
    """A way in which a rule depends on something: modules, an edit of one of them, and the answers before and after."""

    modules: dict[str, str]
    edit: tuple[str, str, str]
    answers: tuple[float, float]
    env: dict[str, str] = field(default_factory=dict)


RULE = "from playmill import rule\n"


def kind(text, edit, answers, env=None, **modules):
    return Kind({"": RULE + textwrap.dedent(text), **modules}, edit, answers, env or {})


KINDS = {
    "instruction": kind("def answer(x): return x + 1", ("", "x + 1", "x + 2"), (8, 9)),
    "default": kind(
        """
        @rule
        def score(x, bonus=2): return x + bonus
        def answer(x): return score(x)
        """,
        ("", "bonus=2", "bonus=3"),
        (9, 10),
    ),
    "member": kind(
        """
        from enum import IntEnum
        class Points(IntEnum):
            WIN = 3
        def answer(x): return x + Points.WIN
        """,
        ("", "WIN = 3", "WIN = 4"),
        (10, 11),
    ),
    "member_far": kind(
        """
        from enum import Enum
        from member_far_enums import Points
        def answer(x): return x + Points.WIN.value
        """,
        ("_enums", "WIN = 3", "WIN = 4"),
        (10, 11),
        _enums="from enum import Enum\nclass Points(Enum):\n    WIN = 3\n",
    ),
    "closure": kind(
        """
        def made(factor):
            @rule
            def times(x): return factor * x
            return times
        double = made(2)
        def answer(x): return double(x)
        """,
        ("", "made(2)", "made(3)"),
        (14, 21),
    ),
    "deep": kind(
        "import deep_mid\ndef answer(x): return x + deep_mid.deep_nums.X",
        ("_nums", "X = 1", "X = 2"),
        (8, 9),
        _mid="import deep_nums\n",
        _nums="X = 1\n",
    ),
    "alias": kind(
        "import alias_mid\ndef answer(x):\n    n = alias_mid.alias_nums\n    return x + n.X",
        ("_nums", "X = 1", "X = 2"),
        (8, 9),
        _mid="import alias_nums\n",
        _nums="X = 1\n",
    ),
    "tuple": kind(
        "import numpy as np\nTABLES = (np.array([1, 2]), np.array([3, 4]))\ndef answer(x): return x + TABLES[1][0]",
        ("", "[3, 4]", "[5, 4]"),
        (10, 12),
    ),
    "fields": kind(
        """
        from typing import NamedTuple
        class Ship(NamedTuple):
            north: int
            west: int
        def answer(x):
            ship = Ship(1, x)
            return 10 * ship.north + ship.west
        """,
        ("", "    north: int\n    west: int", "    west: int\n    north: int"),
        (17, 71),
    ),
    "fields_far": kind(
        "from fields_far_ship import AT\ndef answer(x): return x + AT.west",
        ("_ship", "north: int\n    west: int", "west: int\n    north: int"),
        (9, 8),
        _ship="from typing import NamedTuple\n"
        "class Ship(NamedTuple):\n    north: int\n    west: int\nAT = Ship(1, 2)\n",
    ),
    "decorated": kind(
        """
        from decorated_by import doubled
        @doubled
        @rule
        def score(x): return x + 1
        def answer(x): return score(x)
        """,
        ("_by", "2 * inner", "3 * inner"),
        (16, 24),
        _by=RULE + "def doubled(inner):\n    @rule\n    def outer(x): return 2 * inner(x)\n    return outer\n",
    ),
    "star": kind(
        "from star_nums import *\ndef answer(x): return x + LIMIT",
        ("_nums", "= 5", "= 6"),
        (12, 13),
        _nums="LIMIT = 5\n",
    ),
    "partial": kind(
        """
        from functools import partial
        add = partial(max, 9)
        LIMIT = add(1)
        def answer(x): return x + LIMIT
        """,
        ("", "partial(max, 9)", "partial(max, 8)"),
        (16, 15),
    ),
    "attribute": kind(
        "class Limits:\n    POINTS = 5\nLIMIT = Limits.POINTS\ndef answer(x): return x + LIMIT",
        ("", "POINTS = 5", "POINTS = 6"),
        (12, 13),
    ),
    "entry": kind(
        "PRICES = {'bread': 5}\nPRICE = PRICES['bread']\ndef answer(x): return x + PRICE",
        ("", "'bread': 5", "'bread': 6"),
        (12, 13),
    ),
    "scalar": kind(
        "import numpy as np\nPART = np.float32(0.1)\ndef answer(x): return float(x * PART)",
        ("", "float32", "float64"),
        (float(np.float64(7) * np.float32(0.1)), 7 * 0.1),
    ),
    "record": kind(
        """
        import numpy as np
        GIVEN = (np.zeros(1, np.dtype([("points", np.int8)])),)
        def answer(rows):
            rows[0].points = 200
            return rows[0].points
        """,
        ("", "np.int8", "np.int16"),
        (-56, 200),
    ),
    "replaced": kind(
        """
        import os, replaced_rules
        if os.environ.get("SWAP"):
            replaced_rules.bonus = replaced_rules.other
        def answer(x): return replaced_rules.bonus(x)
        """,
        ("", "", ""),
        (8, 9),
        {"SWAP": "1"},
        _rules=RULE + "@rule\ndef bonus(x): return x + 1\n@rule\ndef other(x): return x + 2\n",
    ),
    "environment": kind(
        "import os\nBONUS = int(os.environ.get('BONUS', 1))\ndef answer(x): return x + BONUS",
        ("", "", ""),
        (8, 12),
        {"BONUS": "5"},
    ),
    "data": kind(
        """
        import json
        from pathlib import Path
        BONUS = json.loads(Path(__file__).with_name("data_file.py").read_text())["bonus"]
        def answer(x): return x + BONUS
        """,
        ("_file", '"bonus": 1', '"bonus": 2'),
        (8, 9),
        _file='{"bonus": 1}',
    ),
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Calls answers of modules in a new process: what they give and whether they were compiled."""
    folder = tmp_path_factory.mktemp("kinds")
    cache = tmp_path_factory.mktemp("cache")
    (folder / "driver.py").write_text(DRIVER)

    def ask(*names, **env):
        given = {**os.environ, "PLAYMILL_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **env}
        command = [sys.executable, "driver.py", *names]
        done = subprocess.run(command, cwd=folder, env=given, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    ask.folder = folder
    for name, kind in KINDS.items():
        for module, text in kind.modules.items():
            (folder / f"{name}{module}.py").write_text(text)
    ask.first = ask(*KINDS)
    return ask


def test_the_first_time_all_is_compiled(ask):
    assert ask.first == {name: [kind.answers[0], True] for name, kind in KINDS.items()}


def test_the_second_time_nothing_is(ask):
    again = ask(*KINDS, PYTHONHASHSEED="5", NUMBA_NUM_THREADS="1")
    assert again == {name: [kind.answers[0], False] for name, kind in KINDS.items()}


@pytest.fixture(scope="module")
def edited(ask):
    """What the answers are after every edit: they have nothing in common, and one process asks as well as many."""
    before = {}
    for name, kind in KINDS.items():
        module, old, new = kind.edit
        path = ask.folder / f"{name}{module}.py"
        before[path] = path.read_text()
        assert old in before[path]
        path.write_text(before[path].replace(old, new))
    try:
        told = ask(*(name for name, kind in KINDS.items() if not kind.env))
        for name, kind in KINDS.items():
            told |= ask(name, **kind.env) if kind.env else {}
    finally:
        for path, text in before.items():
            path.write_text(text)
    return told


@pytest.mark.parametrize("name", KINDS)
def test_an_edit_is_played_at_once(edited, name):
    assert edited[name] == [KINDS[name].answers[1], True]


@pytest.mark.parametrize(
    "setting",
    [
        "NUMBA_OPT=1",
        *(pytest.param(one, marks=pytest.mark.long) for one in ("NUMBA_BOUNDSCHECK=1", "NUMBA_CPU_NAME=generic")),
    ],
)
def test_code_made_otherwise_is_not_taken(ask, setting):
    name, _, value = setting.partition("=")
    assert ask("instruction", **{name: value}) == {"instruction": [8, True]}
    assert ask("instruction", **{name: value}) == {"instruction": [8, False]}


def answers_of(**names):
    """A rule that names something the compiler may know nothing of, with that put in its place."""
    space = {"rule": rule, "__name__": "elsewhere", **names}
    code = compile("def answer(x): return thing(x)", "elsewhere", "exec")
    return types.FunctionType(code.co_consts[0], space, "answer")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (functools.partial(max, 1), functools.partial(max, 2)),
        ({"bread": 1}, {"bread": 2}),
        ([1, (2, 3)], [1, (2, 4)]),
        ({1, 2}, {1, 3}),
        (1, True),
        (0.0, -0.0),
        (np.int8(1), np.int16(1)),
        (np.zeros(3), np.zeros(3).reshape(1, 3)),
        (np.zeros((2, 2)), np.zeros((2, 2), order="F")),
        (np.dtype([("a", "i4"), ("b", "i8")]), np.dtype([("a", "i4"), ("b", "i8")], align=True)),
        (np.array([(1, 2)], "i4,i8"), np.array([(1, 3)], "i4,i8")),
        (type("Limits", (), {"POINTS": 5, "__module__": "x"}), type("Limits", (), {"POINTS": 6, "__module__": "x"})),
        (min, max),
        (np.add, np.subtract),
    ],
    ids=str,
)
def test_every_value_is_followed(before, after):
    assert fingerprint(answers_of(thing=before)) == fingerprint(answers_of(thing=before))
    assert fingerprint(answers_of(thing=before)) != fingerprint(answers_of(thing=after))


def test_a_value_that_holds_itself_is_followed():
    endless = [1]
    endless.append(endless)
    assert fingerprint(answers_of(thing=endless))


def _plain(x):
    """A plain function: the compiler knows such a one only if it was taught it somewhere else."""
    return x


@pytest.mark.parametrize("stranger", [object(), iter([1]), np.random.default_rng(1), _plain])
def test_what_cannot_be_followed_is_refused(stranger):
    with pytest.raises(PlaymillError, match=r"the rule elsewhere\.answer uses 'thing', and in it a \w+, whose") as told:
        fingerprint(answers_of(thing=stranger))
    assert "правило elsewhere.answer использует 'thing'" in told.value.text.ru
    with pytest.raises(PlaymillError, match="'thing'"):
        fingerprint(answers_of(thing=(1, [stranger])))


def test_a_name_that_only_looks_like_a_global_is_no_obstacle():
    space = {"__name__": "elsewhere", "field": object()}
    code = compile("def answer(x): return x.field", "elsewhere", "exec").co_consts[0]
    assert fingerprint(types.FunctionType(code, space))


def test_a_comment_compiles_nothing_anew(ask):
    path = ask.folder / "deep.py"
    text = path.read_text()
    path.write_text(f"# a comment\n{text}# and one more\n")
    try:
        assert ask("deep") == {"deep": [8, False]}
    finally:
        path.write_text(text)


def test_rules_have_one_fingerprint_on_every_machine(pig):
    code = "from playmill.engine.compile.fingerprint import rules_fingerprint\nfrom playmill import load_game\n"
    code += f"print(rules_fingerprint(load_game({str(Path(pig.words.__file__).parent)!r})))"
    mine = rules_fingerprint(pig)
    assert len(mine) == 64 and int(mine, 16)
    for env in ({"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_OPT": "1", "PYTHONHASHSEED": "3"}):
        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, **env}, check=True, capture_output=True, text=True
        )
        assert done.stdout.strip() == mine


@pytest.mark.parametrize("change", ["agents", "state", "max_legal", "rules"])
def test_other_rules_have_another_fingerprint(pig, change):
    changes = {
        "agents": {"agents": {"random": pig.agents["random"]}},
        "state": {"state": np.dtype([*pig.state.descr, ("more", "i4")])},
        "max_legal": {"max_legal": pig.max_legal + 1},
        "rules": {"rules": {**pig.rules, "returns": pig.rules["observe"]}},
    }
    assert rules_fingerprint(replace(pig, **changes[change])) != rules_fingerprint(pig)


@pytest.mark.parametrize("name", ["dice", "dimensions", "grid", "influence", "save_oneself"])
def test_every_game_has_a_fingerprint(name):
    assert rules_fingerprint(load_game(name)) == rules_fingerprint(load_game(name))


def test_a_source_is_parsed_once_and_one_that_changed_again(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path / "cache"))
    parsed = []
    monkeypatch.setattr("ast.parse", lambda source, parse=ast.parse: [parsed.append(source), parse(source)][1])
    first, second = fresh_pig(tmp_path), fresh_pig(tmp_path)
    own = rules_fingerprint(first)
    times = len(parsed)
    assert times and rules_fingerprint(first) == own and len(parsed) == times, "nothing is parsed again"
    rules = tmp_path / first.name / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\nimport json\n", encoding="utf-8")
    assert rules_fingerprint(first) != own and len(parsed) == times + 1
    assert rules_fingerprint(second) != own and len(parsed) > times + 1, "another package, though of the same sources"


@pytest.mark.parametrize("loaded", [False, True])
def test_what_a_function_of_the_config_imports_belongs_to_the_rules(tmp_path, loaded):
    """Whether or not it was called: a module that is not loaded yet decides as much as one that is."""
    game = fresh_pig(tmp_path)
    folder = tmp_path / game.name
    config = folder / "config.py"
    config.write_text(f"{config.read_text('utf-8')}\n\ndef worth():\n    from . import prices\n", "utf-8")
    found = []
    for price in ("1", "2", "1"):
        (folder / "prices.py").write_text(f"PRICE = {price}\n", "utf-8")
        if loaded:
            importlib.import_module(f"{game.package}.prices")
        found.append(rules_fingerprint(game))
    assert found[0] == found[2] != found[1]


@pytest.mark.parametrize(
    ("file", "named", "counts"),
    [
        ("prices.json", "prices.json", True),
        ("stock/prices.csv", "stock", True),
        ("stock/more/prices.csv", "more", True),
        ("stock/prices.json", "market", False),
        ("report.json", "prices.json", False),
        ("stock/__pycache__/prices.json", "stock", False),
    ],
)
def test_data_that_the_rules_name_belongs_to_them(tmp_path, file, named, counts):
    """And what else lies in the folder of a game does not: reports are written there, too."""
    game = fresh_pig(tmp_path)
    folder = tmp_path / game.name
    config = folder / "config.py"
    config.write_text(f"{config.read_text('utf-8')}\nPLACE = {named!r}\n", "utf-8")
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    found = []
    for text in (b"1\n", b"2\n", b"1\r\n"):
        (folder / file).write_bytes(text)
        found.append(rules_fingerprint(game))
    assert found[0] == found[2]
    assert (found[0] != found[1]) == counts


def test_damaged_imports_are_found_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PLAYMILL_CACHE", str(tmp_path / "cache"))
    game = fresh_pig(tmp_path)
    own = rules_fingerprint(game)
    (kept,) = (path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    kept.write_bytes(kept.read_bytes()[:-5] + b"wrong")
    assert rules_fingerprint(game) == own
    assert "is damaged, or not this user's: it is made anew" in capsys.readouterr().err
