"""The loops that play games: one, many, and a batch in step. Compiled once for each game (see `kernels.py`).

Whoever plays works at a *desk*: one record with the config, the game being played (`states[LIVE]`), room for a copy
with the hidden things dealt anew (`states[SHADOW]`), a blank one, the luck, the agents and the list of options. One
record is one pointer: passing the parts one by one costs more than a decision. Where thousands play at once the desk
holds only what changes, and the rest is read from one that all share: `match` (elsewhere the desk itself). Beside it
lie the pages of what the agents know by heart (see `books.py`), the same for everybody who plays the match.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.rng import below, seed_luck, seed_whims
from playmill.engine.rule import rule
from playmill.engine.slots import (
    apply_action,
    choose,
    conceal,
    count_actions,
    legal_actions,
    nth_action,
    observe,
    outcome,
    returns,
    setup,
    tally,
)

LIVE, SHADOW, BLANK = range(3)


@rule
def deal(match: Any, desk: Any, seed: int, game: int) -> None:
    """Deals game number `game` of a run onto a desk."""
    seed_luck(desk.luck, seed, game)
    seed_whims(desk.whims, seed, game)
    desk.states[LIVE] = match.states[BLANK]
    setup(match.cfg, desk.states[LIVE], desk.luck)


@rule
def play_one(match: Any, desk: Any, pages: Any) -> int:
    """Plays a dealt game to its end with compiled agents; returns the number of decisions with a choice.

    An answer that cannot be, or a player to move without options, is counted as a slip, and the game ends there.
    """
    s = desk.states[LIVE]
    decisions = 0
    while s.player >= 0:
        n = count_actions(match.cfg, s, desk.legal)
        if n > 1:
            decisions += 1
            action = choose(match.seats[s.player], match, desk, pages, n)
            if action < 0:  # there is no such action: done, it would write anywhere
                desk.slips += 1
                break
        elif n == 1:
            action = nth_action(match.cfg, s, desk.legal, 0)
        else:  # not over, and nobody can go on: no game that was finished
            desk.slips += 1
            break
        apply_action(match.cfg, s, action, desk.luck)
    return decisions


@rule
def play_games(desks: Any, pages: Any, seed: int, first: int, rows: Any, counts: Any) -> int:
    """Plays games first, first+1, … of a run: one row for each, and all of them added to the counts.

    Returns how many were played: all, or those before the first with a slip.
    """
    desk = desks[0]
    desk.slips = 0
    for i in range(rows.shape[0]):
        deal(desk, desk, seed, first + i)
        decisions = play_one(desk, desk, pages)
        if desk.slips > 0:
            return i
        outcome(desk.cfg, desk.states[LIVE], rows[i])
        rows[i].decisions = decisions
        tally(rows[i], desk.agents, counts[0])
    return rows.shape[0]


@rule
def tally_rows(desks: Any, rows: Any, counts: Any) -> None:
    """Adds finished games to the counts."""
    for i in range(rows.shape[0]):
        tally(rows[i], desks[0].agents, counts[0])


@rule
def settle(cfg: Any, s: Any, luck: Any, legal: Any) -> int:
    """Makes all decisions that have one option; returns the number of options of the next real one (0 = over)."""
    n = legal_actions(cfg, s, legal)
    while n == 1:
        apply_action(cfg, s, legal.ids[0], luck)
        n = legal_actions(cfg, s, legal)
    return n


@rule
def start_game(desks: Any, seed: int, game: int) -> int:
    """Deals one game for step-by-step play; returns the number of options of its very first decision."""
    deal(desks[0], desks[0], seed, game)
    return legal_actions(desks[0].cfg, desks[0].states[LIVE], desks[0].legal)


@rule
def step_game(desks: Any, action: int) -> int:
    """Does one action and stops at the very next decision; returns the number of its options (0 = over)."""
    desk = desks[0]
    apply_action(desk.cfg, desk.states[LIVE], action, desk.luck)
    return legal_actions(desk.cfg, desk.states[LIVE], desk.legal)


@rule
def list_options(desks: Any) -> int:
    """Lists the options of the present decision; returns their number."""
    return legal_actions(desks[0].cfg, desks[0].states[LIVE], desks[0].legal)


@rule
def agent_choice(desks: Any, pages: Any, agent: int, n: int) -> int:
    """What a compiled agent chooses from the n > 1 options of the present decision; `desk.slip` if it is negative."""
    return choose(agent, desks[0], desks[0], pages, n)


@rule
def random_choice(desks: Any, n: int) -> int:
    """A uniform one of the n options of the present decision, by the stream of the player to move."""
    desk = desks[0]
    return nth_action(desk.cfg, desk.states[LIVE], desk.legal, below(desk.whims, desk.states[LIVE].player, n))


@rule
def count_and_pick(desks: Any, k: int) -> int:
    """Counts the options of the present decision; returns option k, or for k = -1 their number."""
    n = count_actions(desks[0].cfg, desks[0].states[LIVE], desks[0].legal)
    return n if k < 0 else nth_action(desks[0].cfg, desks[0].states[LIVE], desks[0].legal, k)


@rule
def finish_game(desks: Any, rows: Any, place: int, decisions: int) -> None:
    """Writes the outcome of a finished game."""
    outcome(desks[0].cfg, desks[0].states[LIVE], rows[place])
    rows[place].decisions = decisions


@rule
def see(desks: Any, player: int, out: Any) -> None:
    """Writes what a player sees."""
    observe(desks[0].cfg, desks[0].states[LIVE], player, out)


@rule
def hide(desks: Any, player: int) -> None:
    """Deals anew what a player cannot know, in the live state itself, with the luck of `desk.guess`."""
    conceal(desks[0].cfg, desks[0].states[LIVE], player, desks[0].guess)


@rule
def pay(desks: Any, out: Any) -> None:
    """Writes the returns."""
    returns(desks[0].cfg, desks[0].states[LIVE], out)


@rule
def reset_batch(desks: Any, seed: int, first: int, options: Any) -> None:
    """Deals a batch: game i on desk i, up to its first decision with a choice."""
    for i in range(desks.shape[0]):
        desk = desks[i]
        deal(desk, desk, seed, first + i)
        options[i] = settle(desk.cfg, desk.states[LIVE], desk.luck, desk.legal)


@rule
def step_batch(desks: Any, actions: Any, options: Any, rewards: Any) -> None:
    """Does one action in every game of a batch that is not over; rewards are paid in the step that ends a game."""
    for i in range(desks.shape[0]):
        desk = desks[i]
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
        if options[i] > 0:
            apply_action(desk.cfg, desk.states[LIVE], actions[i], desk.luck)
            options[i] = settle(desk.cfg, desk.states[LIVE], desk.luck, desk.legal)
            if options[i] == 0:
                returns(desk.cfg, desk.states[LIVE], rewards[i])
