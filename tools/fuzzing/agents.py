"""Agents in plain Python that do what no agent should: answer nonsense, raise anything, meddle with what they get."""

from __future__ import annotations

from random import Random

#: How a file may begin.
HEADS = (
    "",
    "",
    "",
    "import os\n",
    "import sys\n",
    "raise ValueError('no')\n",
    "raise SystemExit(0)\n",
    "def broken(:\n",
    "1/0\n",
    "raise KeyboardInterrupt\n",
    "import nothing_of_that_name\n",
    "x = " + "[" * 200 + "]" * 200 + "\n",
    "class E(BaseException):\n    pass\nraise E\n",
    "class E(Exception):\n    def __str__(self):\n        raise ValueError\nraise E\n",
    "\x00",
    "# caf\udce9\n",
    "name = '\\x1b[31m'\n",
)
#: What it may do before it answers; whoever rewrites the classes of the process it runs in cannot be stopped there.
DEEDS = (
    "pass",
    "pass",
    "decision.actions.pop()",
    "decision.actions[:] = [2**31 - 1]",
    "decision.options.clear()",
    "decision.kind = 'x'",
    "decision.player = 99",
    "del decision.actions",
    "decision.seen.clear()",
    "decision.observation[:] = 0",
    "decision.observation[0] = 2**40",
    "setattr(decision, 'random', None)",
    "import os; os.chdir('/')",
    "import sys; sys.exit(3)",
    "import sys; sys.exit('x')",
    "raise KeyboardInterrupt",
    "raise GeneratorExit",
    "raise ValueError('\\x1b[2J\\n' * 1000)",
    "raise E()",
    "print('hello')",
    "print('\\udcff')",
    "1/0",
    "import gc; gc.collect()",
    "decision.random.seed(0)",
    "decision.config.__dict__.clear()",
    "decision.__class__ = int",
    "def f():\n        f()\n    f()",
    "[None] * 10**15",
    "decision.actions.sort(key=lambda a: -a)",
    "import sys; sys.setrecursionlimit(50)",
    "import warnings; warnings.simplefilter('error')",
    "import random; random.seed(1)",
    "import numpy; numpy.seterr(all='raise')",
)
#: What it may answer.
ANSWERS = (
    "decision.actions[0]",
    "decision.actions[-1]",
    "decision.options[0]",
    "decision.random.choice(decision.options)",
    "decision.options[0].text",
    "None",
    "-1",
    "2**31 - 1",
    "2**63",
    "10**5000",
    "1.0",
    "float('nan')",
    "True",
    "False",
    "''",
    "'hold'",
    "'\\x00'",
    "b'x'",
    "[]",
    "decision.actions",
    "decision",
    "lambda: 0",
    "object()",
    "Odd()",
    "type",
    "...",
    "decision.actions[0] + 0.0",
    "str(decision.actions[0])",
    "(decision.actions[0],)",
    "{'action': decision.actions[0]}",
    "__import__('numpy').int64(decision.actions[0])",
    "__import__('numpy').array(decision.actions)",
    "Number(decision.actions[0])",
    "decision.actions[10**9]",
    "Text('hold')",
    "__import__('numpy').uint64(2**63)",
    "__import__('numpy').bool_(True)",
)
TAIL = """
class E(Exception):
    def __str__(self):
        raise ValueError("no words")
    __repr__ = __str__


class Odd:
    def __repr__(self):
        raise ValueError("no words")
    __str__ = __eq__ = __hash__ = __index__ = __int__ = __repr__


class Number(int):
    def __eq__(self, other):
        raise ValueError("not equal")
    def __hash__(self):
        return 1
    def __index__(self):
        return 2**40
    def __repr__(self):
        return "\\x1b[0m" * 10**6


class Text(str):
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 0
"""


def _now_and_then(deed: str, often: int) -> str:
    return f"    {deed}" if "\n" in deed else f"    if decision.random.randrange({often}) == 0:\n        {deed}"


def agent_source(luck: Random) -> bytes:
    """The text of an agent's file."""
    head = luck.choice(HEADS) if luck.random() < 0.25 else ""
    deeds = luck.choices(DEEDS, k=luck.choice((0, 0, 1, 2)))
    often = luck.choice((1, 1, 3))
    lines = [_now_and_then(deed, often) for deed in deeds]
    body = "\n".join([*lines, f"    return {luck.choice(ANSWERS)}"])
    text = f"{head}{TAIL}\n\ndef choose(decision):\n{body}\n"
    made = luck.random()
    if made < 0.6:
        text += "\n\nclass Agent:\n    def choose(self, decision):\n        return choose(decision)\n"
    elif made < 0.7:
        text += "\n\nclass Agent:\n    def __init__(self):\n        raise SystemExit(0)\n"
    elif made < 0.75:
        text += "\n\nAgent = property(lambda self: 1 / 0)\n"
    return text.encode(errors="surrogateescape")
