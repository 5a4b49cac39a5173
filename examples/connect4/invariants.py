"""What holds in every position of Connect Four."""

from typing import Any

from playmill.author.invariants import holds, never_shrinks


def _turns(config: Any, s: Any) -> bool:
    """Whether both have dropped as many discs as their turns: the first one more than the second, or as many."""
    first, second = (int((s["board"] == seat).sum()) for seat in (1, 2))
    return first - second in (0, 1) and first + second == s["discs"]


INVARIANTS = (holds("turns alternate", _turns), never_shrinks("discs stay", "board"))
#: What learners see of it.
OBSERVED = {"winner": (-1, 1), "discs": (0, 42), "board": (0, 2)}
LONGEST = 42
