"""The trees of a search: nodes are found by a hash of what the player who acts there sees.

They lie in one array. Entry k holds a node, found by its hash, and, apart from it, the k-th branch that was grown. The
branches of a node are a list in the order of their actions, as the legal actions are: both are walked side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.lang.rng import below
from playmill.engine.lang.rule import rule

NONE = -1

TreeEntry = np.dtype(
    [
        ("hash", np.int64),  # of the place kept here; 0 = none
        ("sum", np.float64),  # what it brought to the one whose turn it is
        ("visits", np.int32),
        ("first", np.int32),  # of its branches
        ("hint", np.int32),  # what the heuristic does there
        ("action", np.int32),  # of the branch kept here
        ("total", np.float64),  # what it brought
        ("tries", np.int32),
        ("next", np.int32),
    ],
    align=True,
)


@rule
def clear(mind: Any, tree: Any) -> None:
    """Empties the tree of a searcher."""
    for k in range(tree.shape[0]):
        tree[k].hash = 0
    mind.places = 0
    mind.branches = 0
    mind.thoughts = 0


@rule
def find_node(tree: Any, hash_: int) -> int:
    """The index of a node, or where it would be put."""
    last = tree.shape[0] - 1
    place = (hash_ >> 1) & last
    while tree[place].hash != 0 and tree[place].hash != hash_:
        place = (place + 1) & last
    return place


@rule
def drawn(mind: Any, tree: Any, place: int) -> int:
    """A branch of a node, drawn in proportion to its tries."""
    k = below(mind.agent_rng, 0, tree[place].visits)
    branch = tree[place].first
    while k >= tree[branch].tries and tree[branch].next != NONE:
        k -= tree[branch].tries
        branch = tree[branch].next
    return branch


@rule
def nth_untried(mind: Any, tree: Any, place: int, n: int, k: int) -> int:
    """The k-th legal action that was never tried at a place, the heuristic's choice not counted."""
    branch = tree[place].first
    for i in range(n):
        action = mind.legal.ids[i]
        while branch != NONE and tree[branch].action < action:
            branch = tree[branch].next
        if (branch == NONE or tree[branch].action != action) and action != tree[place].hint:
            if k == 0:
                return action
            k -= 1
    return NONE


@rule
def grow(mind: Any, tree: Any, place: int, action: int) -> int:
    """A new branch, put into the list of its place."""
    made = mind.branches
    mind.branches += 1
    before, after = NONE, tree[place].first
    while after != NONE and tree[after].action < action:
        before, after = after, tree[after].next
    tree[made].action = action
    tree[made].tries = 0
    tree[made].total = 0.0
    tree[made].next = after
    if before == NONE:
        tree[place].first = made
    else:
        tree[before].next = made
    return made
