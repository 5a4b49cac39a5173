"""Tree search of `search`: information-set MCTS with rollouts or a network; mixed strategies by Smooth UCT.

One *iteration* is one simulated game. The searcher deals anew what their player cannot know (`conceal`). Everybody goes
down a tree of their own as long as its nodes are known, takes one step off it, and from there on plays as the game's
own heuristic does, to the end (or for a while, where a game can evaluate a position). Every choice on the way learns
what the game brought to the one who chose. Chance is drawn anew in every iteration.

A node of a tree is what the player *who acts there* sees in the world that was dealt: it is found by a hash of their
`observe` and of whose turn it is. So nobody acts on what they cannot know, nor without knowing their own hand; hands of
others and the order of the deck never split a node; and what was learned about a node stays true when the game really
gets there: the trees are kept from one move of the searcher's player to the next.

In a game of bluff that is not enough. Others who learn in worlds where the searcher holds their true hand come to know
it, what they did before says something about theirs, and whoever always does what is best is seen through. Where a game
`mixes`, every other iteration is about no hand in particular (everybody forgets what only others know): in it all
learn, under other hands, too. In the rest others do what they usually do, once they have learned it. Iterations begin
with the deal of the game as long as enough of them get to the decision by what its players really did, so that what
they hold there is as likely as their choices make it. What a player usually does is what they tried, as often as they
tried it (Smooth UCT), and so the searcher answers.

With a network, its policy is used instead of the heuristic for what to try first, and, as soon as the searcher's own
player has left their tree (or after some decisions), its value; nothing is played to the end then.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from playmill.agents.search.tree import NONE, clear, drawn, find_node, grow, nth_untried
from playmill.engine.kernels.network import HINT, POLICY, VALUES, expected, expected_of_all, favourite
from playmill.engine.kernels.placeholders import (
    apply_action,
    conceal,
    count_actions,
    legal_actions,
    lose_notes,
    nth_action,
    observe,
    returns,
    standing,
    suggest,
)
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.rng import SEATS, below, happens, mix, next_word, seed_agent_rng, seed_game_rng
from playmill.engine.lang.rule import as_int, as_word, rare, rule

#: Choices remembered on the way down; below, the heuristic plays.
DEPTH = 128
#: Actions of the game: an answer of the heuristic that is none of them ends all thinking.
ACTIONS = 0
#: Whether players may mix: where a game does not, nothing of that is compiled.
MIXES = True
#: Whether a network judges: who has none compiles nothing of that.
LEARNED = False
#: Numbers of an observation: behind them a network may read in which seat it sits.
OBSERVATION = 0
#: Who learns in a thought: everybody, or the thinker's player, who is on the way to the decision or has got there.
EVERYBODY, ON_THE_WAY, THERE = range(3)
_ENDLESS = 1.0e300
#: Rounds in which everybody forgets what only others know, until nothing is left of the true deal.
_ROUNDS = 3
#: After this many thoughts from the deal on, if but one in this many gets to the decision, they begin at the decision.
_TRIED, _SELDOM = 32, 4
#: How often a player who mixes does what promises most, not what they usually do: at first, how that falls with the
#: root of visits, and at least.
_CURIOUS, _SETTLES, _LEAST_CURIOUS = 0.9, 0.05, 0.1
#: After this many visits to a place its player has learned what they usually do there.
_TAUGHT = 15
#: Numbers that are stirred into a hash at a time.
AT_A_TIME = 8
#: What first tries bring usually lies within this many standard deviations: as win and loss do when both are as likely.
_USUAL_SPAN = 2.0
#: After fewer of them nobody knows what is usual.
_ENOUGH_FIRSTS = 20
_HALF = 0xFFFFFFFF
_ALL_BITS = 0xFFFFFFFFFFFFFFFF
_PRIME = 0x9FB21C651E98DF25


@rule
def forget(minds: Any, tree: Any) -> None:
    """Empties the tree."""
    clear(minds[0], tree)


@rule
def begin(workspaces: Any, minds: Any, tree: Any, planned: int) -> None:
    """Begins the search of the decision in a workspace: seeds its streams, and empties a tree that is too full."""
    begin_decision(workspaces[0].states[LIVE].player, workspaces[0].agent_rng, minds[0], tree, planned)


@rule
def begin_decision(player: int, agent_rng: Any, mind: Any, tree: Any, planned: int) -> None:
    """Begins the search of a player's decision: seeds its streams, and empties a tree that is too full."""
    word = as_int(next_word(agent_rng, player))
    seed_game_rng(mind.rng, word, 0)
    seed_agent_rng(mind.agent_rng, word, 0)
    mind.aimed = 0
    mind.hits = 0
    room = tree.shape[0]
    if mind.branches + 2 * planned > room or 2 * (mind.places + planned) > room:
        clear(mind, tree)


@rule
def think(workspaces: Any, minds: Any, tree: Any, net: Any, thoughts: int) -> None:
    """Runs iterations for the decision in a workspace; `net` is the table of a network (`network.py`)."""
    workspace, mind = workspaces[0], minds[0]
    player = workspace.states[LIVE].player
    lose_notes(mind.legal)  # they may be of a game by other rules
    for _ in range(thoughts):
        if mind.rollout_failed:
            return
        begin_iteration(workspace.cfg, workspace.states[LIVE], mind, mind.rng)
        while True:
            action = next_action(workspace.cfg, mind, tree, net, player)
            if action == NONE:
                break
            apply_action(workspace.cfg, mind.states[0], action, mind.rng)
        end_iteration(workspace.cfg, mind, tree, net)


@rule
def weigh(workspaces: Any, minds: Any, tree: Any, actions: Any, tries: Any, means: Any) -> int:
    """Writes the options of the decision in a workspace, their tries and average returns; returns their number."""
    workspace, mind = workspaces[0], minds[0]
    mind.states[0] = workspace.states[LIVE]
    n = legal_actions(workspace.cfg, mind.states[0], mind.legal)
    mind.target = hash_seen(workspace.cfg, mind, mind.seen)
    place = find_node(tree, mind.target)
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


# One iteration: from the decision in the workspace to the end, or to where the position is evaluated. Each rule of the
# game is called at one place only: what is called at two is compiled twice.


@rule
def begin_iteration(cfg: Any, live: Any, mind: Any, rng: Any) -> None:
    """Deals anew, with luck of this generator, what the player of a decision cannot know."""
    player = live.player
    mind.states[0] = live
    public = 0
    if MIXES and mind.players > 0:
        public = 0 if mind.aims == EVERYBODY else 1
        mind.aims = EVERYBODY if public else ON_THE_WAY
        if mind.started and (mind.aimed < _TRIED or mind.hits * _SELDOM >= mind.aimed):
            mind.states[0] = mind.start[0]
        mind.aimed += 1 - public
    # The thinker's player is the first to forget: of what only others know nothing must be left to anybody.
    for k in range(_ROUNDS * mind.players if public else 1):
        conceal(cfg, mind.states[0], (player + k) % mind.players if public else player, rng)
    mind.scale = _scale(mind)
    mind.depth = 0
    mind.gone = 0
    mind.left = mind.horizon


@rule
def next_action(cfg: Any, mind: Any, tree: Any, net: Any, player: int) -> int:
    """The next action of an iteration; NONE when it is over.

    Everybody goes down a tree of their own, up to and with their first step off it; from there on the heuristic plays
    for them. When the searcher's own player has left theirs it plays for all, to the end or for some decisions.
    """
    if is_over(mind):
        return NONE
    known = is_known(mind, player)
    n = legal_actions(cfg, mind.states[0], mind.legal) if known else count_actions(cfg, mind.states[0], mind.legal)
    hash_, place = 0, NONE
    if known and n > 1 and not is_evaluated(mind, player):
        hash_ = hash_seen(cfg, mind, mind.seen)
        place = find_node(tree, hash_)
    hint = NONE
    if n > 1 and not is_evaluated(mind, player) and asks_heuristic(tree, net, known, place):
        hint = suggested(cfg, mind, n)
        if hint == NONE:
            return NONE
    return action_of(cfg, mind, tree, net, player, n, known, hash_, place, hint)


@rule
def is_over(mind: Any) -> bool:
    """Whether the game of an iteration is at its end, or at a position that the game itself evaluates."""
    return mind.states[0].player < 0 or (not LEARNED and mind.left == 0)


@rule
def is_known(mind: Any, player: int) -> bool:
    """Whether the decision of an iteration may be a node of a tree: nobody who matters has left theirs."""
    return mind.players > 0 or (mind.gone >> player | mind.gone >> mind.states[0].player) & 1 == 0


@rule
def is_evaluated(mind: Any, player: int) -> bool:
    """Whether a network evaluates the position: it learned from real decisions, and is asked at the next one."""
    return LEARNED and mind.left == 0 and mind.gone >> player & 1 != 0


@rule
def asks_heuristic(tree: Any, net: Any, known: bool, place: int) -> bool:
    """Whether the heuristic is asked at a decision: off the tree, and at a node that is opened."""
    return not known or (tree[place].hash == 0 and not (LEARNED and net[POLICY] != 0.0 and net[HINT] == 0.0))


@rule
def asks_network(mind: Any) -> bool:
    """Whether a network says what an iteration brings that goes no further."""
    return LEARNED and mind.states[0].player >= 0


@rule
def suggested(cfg: Any, mind: Any, n: int) -> int:
    """What the heuristic does at a decision with n options; NONE if its answer, looked at, is none of them."""
    action = suggest(cfg, mind.states[0], mind.legal, n, mind.agent_rng, mind.params)
    mind.answers += 1
    if action < 0 or action >= ACTIONS or (mind.answers % mind.every == 0 and not _among(cfg, mind, action)):
        mind.rollout_failed = 1
        mind.invalid_action = action
        return NONE
    return action


@rule
def action_of(
    cfg: Any, mind: Any, tree: Any, net: Any, player: int, n: int, known: bool, hash_: int, place: int, hint: int
) -> int:
    """The action at a decision of an iteration with n options, `known` ones listed; NONE when it is over."""
    s = mind.states[0]
    who, gone = s.player, mind.gone
    if n == 1:
        return nth_action(cfg, s, mind.legal, 0) if not known else mind.legal.ids[0]
    if hint == NONE and is_evaluated(mind, player):
        return NONE
    action = hint
    if LEARNED and known and tree[place].hash == 0 and net[POLICY] != 0.0:
        if hint != NONE:
            legal_actions(cfg, s, mind.legal)  # the heuristic may have listed others
        action = favourite(net, mind.seen, mind.legal.ids, n, hint)
    elif hint != NONE:
        mind.left -= gone >> player & 1
    else:
        action = mind.legal.ids[0]
    usual = NONE
    if MIXES and mind.players > 0:
        usual = _as_usual(mind, tree, place, hash_, player, gone)
    if usual != NONE:
        return usual
    if known and gone >> who & 1 == 0:
        branch = _step(mind, tree, place, hash_, n, action)
        if branch == NONE or tree[branch].tries == 0:
            mind.gone |= 1 << who
        if mind.depth == DEPTH:
            mind.gone = -1
        if branch != NONE:
            action = tree[branch].action
    return action


@rule
def end_iteration(cfg: Any, mind: Any, tree: Any, net: Any) -> None:
    """Finds what an iteration brought everybody, and lets every choice on the way learn it."""
    find_returns(cfg, mind, net)
    back_up(mind, tree)


@rule
def find_returns(cfg: Any, mind: Any, net: Any) -> None:
    """Finds what an iteration that is over brought everybody."""
    s = mind.states[0]
    # Rules write what is not 0: nothing of the iteration before may be left.
    for seat in range(SEATS):
        mind.returns[seat] = 0.0
    if s.player < 0:
        returns(cfg, s, mind.returns)
    elif asks_network(mind):
        _look(cfg, mind, mind.seen)
        if net[VALUES] > 1.0:
            expected_of_all(net, mind.seen, mind.returns)
        else:
            value = expected(net, mind.seen)
            for seat in range(2):
                mind.returns[seat] = value if seat == s.player else mind.together - value
    else:
        standing(cfg, s, mind.returns)


@rare
def _among(cfg: Any, mind: Any, action: int) -> bool:
    """Whether an answer is among the options, which are listed anew: an agent may have written where they stood."""
    n, i = legal_actions(cfg, mind.states[0], mind.legal), 0
    while i < n and mind.legal.ids[i] < action:
        i += 1
    return i < n and mind.legal.ids[i] == action


@rule
def _as_usual(mind: Any, tree: Any, place: int, hash_: int, player: int, gone: int) -> int:
    """What is done at a place without learning from it, where players mix; NONE if whoever acts there learns."""
    who = mind.states[0].player
    if who == player and mind.aims == ON_THE_WAY:
        past = NONE if hash_ == mind.target else _remembered(mind, hash_)
        if past != NONE:
            return past
        mind.aims = THERE
        mind.hits += hash_ == mind.target
    if tree[place].hash == 0:
        return NONE
    if gone >> who & 1 or (mind.aims != EVERYBODY and who != player and tree[place].visits >= _TAUGHT):
        return tree[drawn(mind, tree, place)].action
    return NONE


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
def _scale(mind: Any) -> float:
    """The scale of differences in returns against the exploration bonus.

    They are measured by how far apart the first tries of options usually lie, not by the whole range: where a single
    pot may be six times the usual one, exploration would drown what was learned, and others would play as if they knew
    nothing. First tries alone: whoever does the same again and again must not forget how others came out.
    """
    if mind.high <= mind.low or mind.thoughts == 0:
        return 0.0
    span = mind.high - mind.low
    if mind.firsts >= _ENOUGH_FIRSTS and mind.squares > 0.0:
        span = min(span, _USUAL_SPAN * sqrt(mind.squares / mind.firsts))
    return 1.0 / span


@rule
def back_up(mind: Any, tree: Any) -> None:
    """Backpropagates: every choice on the way learns the return of the player who made it."""
    low, high, firsts, mean, squares = mind.low, mind.high, mind.firsts, mind.mean, mind.squares
    for step in range(mind.depth):
        value = mind.returns[mind.way_player[step]]
        if mind.thoughts + step == 0:
            low, high, firsts, mean, squares = value, value, 0, 0.0, 0.0
        low = min(low, value)
        high = max(high, value)
        place, branch = mind.way_place[step], mind.way_branch[step]
        if tree[branch].tries == 0:
            off = value - mean
            firsts += 1
            mean += off / firsts
            squares += off * (value - mean)
        tree[place].visits += 1
        tree[place].sum += value
        tree[branch].tries += 1
        tree[branch].total += value
    mind.low, mind.high, mind.firsts, mind.mean, mind.squares = low, high, firsts, mean, squares
    mind.thoughts += mind.depth


# The tree


@rule
def hash_seen(cfg: Any, mind: Any, seen: Any) -> int:
    """Hashes what the player to move sees, which is written into `seen`; never 0."""
    _look(cfg, mind, seen)
    player = mind.states[0].player
    # Four words that do not wait for each other, two numbers at a time.
    a, b, c, d = as_word(player + 1), as_word(0), as_word(0), as_word(0)
    for i in range(0, seen.shape[0], AT_A_TIME):
        a = _stirred(a, seen[i], seen[i + 1])
        b = _stirred(b, seen[i + 2], seen[i + 3])
        c = _stirred(c, seen[i + 4], seen[i + 5])
        d = _stirred(d, seen[i + 6], seen[i + 7])
    return as_int(mix(mix(mix(mix(a) ^ b) ^ c) ^ d)) | 1


@rule
def hash_seen_in(cfg: Any, mind: Any, own: Any) -> int:
    """The same, written into a thread's own memory, unless a network reads it later."""
    if LEARNED:
        return hash_seen(cfg, mind, mind.seen)
    return hash_seen(cfg, mind, own.seen)


@rule
def _look(cfg: Any, mind: Any, seen: Any) -> None:
    """Writes what the player to move sees."""
    for i in range(seen.shape[0]):
        seen[i] = 0
    observe(cfg, mind.states[0], mind.states[0].player, seen)
    if LEARNED:
        seen[OBSERVATION] = mind.states[0].player


@rule
def _stirred(word: Any, low: int, high: int) -> Any:
    """A word with two numbers stirred in."""
    word = ((word ^ as_word((low & _HALF) | (high & _HALF) << 32)) * _PRIME) & _ALL_BITS
    return word ^ word >> 29


@rule
def _choose_branch(mind: Any, tree: Any, place: int, n: int) -> int:
    """The most promising of the legal actions; one never tried before becomes a branch. NONE if there is no room.

    An action promises what it brought so far, and one never tried what its place brought; and a bonus, the larger the
    less it was tried among all the tries here. The heuristic's choice has a larger bonus, by the trust put in it.
    """
    here = tree[place]
    if MIXES and mind.players > 0 and here.visits > 0 and not happens(mind.agent_rng, 0, _curiosity(here.visits)):
        return drawn(mind, tree, place)
    scale = mind.scale
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
    if here.first == NONE and not hint_untried:
        # What the heuristic does at a new place is not among the options.
        mind.rollout_failed = 1
        mind.invalid_action = here.hint
    if mind.branches == tree.shape[0]:
        return best
    if hint_untried and usual + bonus * (share + mind.trust) > promise:
        return grow(mind, tree, place, here.hint)
    if untried > 0 and usual + bonus * share > promise:
        return grow(mind, tree, place, nth_untried(mind, tree, place, n, below(mind.agent_rng, 0, untried)))
    return best


@rule
def _curiosity(visits: int) -> float:
    """The probability that a player who mixes takes the most promising action."""
    return max(_LEAST_CURIOUS, _CURIOUS / (1.0 + _SETTLES * sqrt(visits)))


@rule
def _remembered(mind: Any, hash_: int) -> int:
    """What the searcher's player really did at a node of this game; NONE if they never were there."""
    for k in range(mind.pasts):
        if mind.past_place[k] == hash_:
            return mind.past_action[k]
    return NONE
