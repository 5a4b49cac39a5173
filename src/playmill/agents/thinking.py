"""How `search` thinks: games played in the head, and a tree of what they taught. Compiled once for each game.

One *thought* is one game played in the head. The thinker deals anew what her player cannot know (`conceal`), goes down
the tree as long as she knows the way, takes one step off it, lets the game's own heuristic play on to the end (or for
a while, where a game can judge how a position stands), and notes at every choice on the way what the game brought to
the one who chose. Chance happens anew in every thought.

A place of the tree is what her player *sees*, not what is: places are found by a hash of `observe` and of whose turn
it is. So hands she cannot see and the luck of the deck never split a place, and what she has learned about a place
stays true when the game really gets there: the tree is kept from one of her moves to the next.

The tree is one array. Entry k holds a place, found by its hash, and, apart from it, the k-th branch that was grown. The
branches of a place are a list in the order of their actions, as the legal actions are: both are walked side by side.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from playmill.engine.loops import LIVE
from playmill.engine.rng import below, mix, next_word, seed_luck, seed_whims
from playmill.engine.rule import as_int, as_word, rule
from playmill.engine.slots import (
    apply_action,
    conceal,
    count_actions,
    legal_actions,
    nth_action,
    observe,
    returns,
    standing,
    suggest,
)

#: Choices remembered on the way down; below, the heuristic plays.
DEPTH = 128
NONE = -1
_ENDLESS = 1.0e300
_HALF = 0xFFFFFFFF
_ALL_BITS = 0xFFFFFFFFFFFFFFFF
_PRIME = 0x9FB21C651E98DF25


@rule
def forget(minds: Any, tree: Any) -> None:
    """Empties the tree."""
    mind = minds[0]
    for k in range(tree.shape[0]):
        tree[k].hash = 0
    mind.places = 0
    mind.branches = 0
    mind.thoughts = 0


@rule
def begin(desks: Any, minds: Any, tree: Any, planned: int) -> None:
    """Turns to the decision on the desk: with luck of its own, and an empty tree if so many thoughts have no room."""
    mind = minds[0]
    word = as_int(next_word(desks[0].whims, desks[0].states[LIVE].player))
    seed_luck(mind.luck, word, 0)
    seed_whims(mind.whims, word, 0)
    room = tree.shape[0]
    if mind.branches + 2 * planned > room or 2 * (mind.places + planned) > room:
        forget(minds, tree)


@rule
def think(desks: Any, minds: Any, tree: Any, thoughts: int) -> None:
    """So many more games in the head about the decision on the desk."""
    desk, mind = desks[0], minds[0]
    player = desk.states[LIVE].player
    for _ in range(thoughts):
        mind.states[0] = desk.states[LIVE]
        conceal(desk.cfg, mind.states[0], player, mind.luck)
        _play(desk.cfg, mind, tree, player)
        _go_back(mind, tree)


@rule
def weigh(desks: Any, minds: Any, tree: Any, actions: Any, tries: Any, means: Any) -> int:
    """The options of the decision on the desk, how often each was tried and what it brought; returns their number."""
    desk, mind = desks[0], minds[0]
    mind.states[0] = desk.states[LIVE]
    n = legal_actions(desk.cfg, mind.states[0], mind.legal)
    place = _find(tree, _hash(desk.cfg, mind))
    branch = tree[place].first if tree[place].hash != 0 else NONE
    for i in range(n):
        actions[i] = mind.legal.ids[i]
        tries[i] = 0
        means[i] = 0.0
        while branch != NONE and tree[branch].action < actions[i]:
            branch = tree[branch].next
        if branch != NONE and tree[branch].action == actions[i]:
            tries[i] = tree[branch].tries
            means[i] = tree[branch].total / tree[branch].tries
    return n


# One thought


@rule
def _play(cfg: Any, mind: Any, tree: Any, player: int) -> None:
    """From the decision on the desk to the end, or to where the position is judged.

    Everybody goes down a tree of her own, up to and with her first step off it; from there on the heuristic plays for
    her. When the thinker's own player has left hers it plays for all, to the end or for some decisions. Each rule is
    called at one place only: what is called at two is compiled twice.
    """
    s = mind.states[0]
    mind.depth = 0
    gone = 0
    left = mind.horizon
    while s.player >= 0 and left != 0:
        who = s.player
        known = (gone >> player | gone >> who) & 1 == 0
        n = legal_actions(cfg, s, mind.legal) if known else count_actions(cfg, s, mind.legal)
        if n == 1:
            action = nth_action(cfg, s, mind.legal, 0) if not known else mind.legal.ids[0]
        else:
            hash_, place = 0, NONE
            if known:
                hash_ = _hash(cfg, mind)
                place = _find(tree, hash_)
            if not known or tree[place].hash == 0:
                action = suggest(cfg, s, mind.legal, n, mind.whims, mind.params)
                left -= gone >> player & 1
            else:
                action = mind.legal.ids[0]
            if known:
                branch = _step(mind, tree, place, hash_, n, action)
                if branch == NONE or tree[branch].tries == 0 or mind.depth == DEPTH:
                    gone |= 1 << who
                if branch != NONE:
                    action = tree[branch].action
                    if mind.depth == DEPTH:
                        gone |= 1 << player
        apply_action(cfg, s, action, mind.luck)
    if s.player < 0:
        returns(cfg, s, mind.returns)
    else:
        standing(cfg, s, mind.returns)


@rule
def _step(mind: Any, tree: Any, place: int, hash_: int, n: int, hint: int) -> int:
    """One step at a place of the tree, which is opened if it is new; the branch taken, NONE if there is no room."""
    if tree[place].hash == 0:
        if 2 * (mind.places + 1) > tree.shape[0] or mind.branches == tree.shape[0]:
            return NONE
        mind.places += 1
        tree[place].hash = hash_
        tree[place].first = NONE
        tree[place].visits = 0
        tree[place].sum = 0.0
        tree[place].hint = hint
    branch = _choose_branch(mind, tree, place, n)
    if branch != NONE:
        mind.way_place[mind.depth] = place
        mind.way_branch[mind.depth] = branch
        mind.way_player[mind.depth] = mind.states[0].player
        mind.depth += 1
    return branch


@rule
def _go_back(mind: Any, tree: Any) -> None:
    """Every choice on the way learns what the game brought to the one who made it."""
    for step in range(mind.depth):
        value = mind.returns[mind.way_player[step]]
        mind.low = value if mind.thoughts == 0 else min(mind.low, value)
        mind.high = value if mind.thoughts == 0 else max(mind.high, value)
        mind.thoughts += 1
        place, branch = mind.way_place[step], mind.way_branch[step]
        tree[place].visits += 1
        tree[place].sum += value
        tree[branch].tries += 1
        tree[branch].total += value


# The tree


@rule
def _hash(cfg: Any, mind: Any) -> int:
    """What the player whose turn it is sees of the position, as one number that is not 0."""
    player = mind.states[0].player
    for i in range(mind.seen.shape[0]):
        mind.seen[i] = 0
    observe(cfg, mind.states[0], player, mind.seen)
    word = as_word(player + 1)
    for i in range(mind.seen.shape[0]):
        word = ((word ^ as_word(mind.seen[i] & _HALF)) * _PRIME) & _ALL_BITS
        word ^= word >> 29
    return as_int(mix(word)) | 1


@rule
def _find(tree: Any, hash_: int) -> int:
    """Where a place is, or where it would be put."""
    last = tree.shape[0] - 1
    place = (hash_ >> 1) & last
    while tree[place].hash != 0 and tree[place].hash != hash_:
        place = (place + 1) & last
    return place


@rule
def _choose_branch(mind: Any, tree: Any, place: int, n: int) -> int:
    """The most promising of the legal actions; one never tried before becomes a branch. NONE if there is no room.

    An action promises what it brought so far, and one never tried what its place brought; and a bonus, the larger the
    less it was tried among all the tries here. The heuristic's choice has a larger bonus, by the trust put in it.
    """
    here = tree[place]
    scale = 1.0 / (mind.high - mind.low) if mind.high > mind.low else 0.0
    usual = (here.sum / here.visits - mind.low) * scale if here.visits > 0 else 0.0
    bonus = mind.explore * sqrt(here.visits + 1.0)
    share = (1.0 - mind.trust) / n
    best, promise = NONE, -_ENDLESS
    untried = 0
    hint_untried = False
    branch = here.first
    for i in range(n):
        action = mind.legal.ids[i]
        while branch != NONE and tree[branch].action < action:
            branch = tree[branch].next
        if branch != NONE and tree[branch].action == action:
            tries = tree[branch].tries
            prior = share + mind.trust if action == here.hint else share
            value = (tree[branch].total / tries - mind.low) * scale + bonus * prior / (1 + tries)
            if value > promise:
                best, promise = branch, value
        elif action == here.hint:
            hint_untried = True
        else:
            untried += 1
    if mind.branches == tree.shape[0]:
        return best
    if hint_untried and usual + bonus * (share + mind.trust) > promise:
        return _grow(mind, tree, place, here.hint)
    if untried > 0 and usual + bonus * share > promise:
        return _grow(mind, tree, place, _untried(mind, tree, place, n, below(mind.whims, 0, untried)))
    return best


@rule
def _untried(mind: Any, tree: Any, place: int, n: int, k: int) -> int:
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
def _grow(mind: Any, tree: Any, place: int, action: int) -> int:
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
