"""Game loops: plays one game, or many, with compiled agents. Compiled once for each game (see `game_kernels.py`).

They work on a *workspace*: one record with the config, the game being played (`states[LIVE]`), a copy with the hidden
things dealt anew (`states[SHADOW]`), a blank one, the random streams, the agents and the list of options. One record
is one pointer: passing the parts one by one costs more than a decision. Where thousands of games are played at once a
workspace holds only what changes, and the rest is read from one that all share: `match` (elsewhere the workspace
itself). Beside it lies `lookup`, the lookup tables of all agents of the match (see `lookup_tables.py`).
"""

from __future__ import annotations

from typing import Any

from playmill.engine.kernels.placeholders import (
    apply_action,
    choose,
    count_actions,
    foresees,
    lose_notes,
    nth_action,
    outcome,
    setup,
    tally,
)
from playmill.engine.lang.rng import SEATS, foresee, seed_agent_rng, seed_game_rng
from playmill.engine.lang.rule import rule

LIVE, SHADOW, BLANK = range(3)


@rule
def deal(match: Any, workspace: Any, seed: int, game: int) -> None:
    """Deals game number `game` of a run into a workspace."""
    seed_game_rng(workspace.rng, seed, game)
    seed_agent_rng(workspace.agent_rng, seed, game)
    lose_notes(workspace.legal)
    workspace.states[LIVE] = match.states[BLANK]
    setup(match.cfg, workspace.states[LIVE], workspace.rng)


@rule
def play_one(match: Any, workspace: Any, lookup: Any) -> int:
    """Plays a dealt game to its end with compiled agents; returns the number of decisions with a choice.

    An invalid action, or a player to move without options, is counted in `invalid_actions`, and the game ends there.
    """
    s = workspace.states[LIVE]
    decisions = 0
    while s.player >= 0:
        n = count_actions(match.cfg, s, workspace.legal)
        if n > 1:
            decisions += 1
            action = choose(match.seats[s.player], match, workspace, lookup, n)
            if action < 0:  # there is no such action: done, it would write anywhere
                workspace.invalid_actions += 1
                break
        elif n == 1:
            action = nth_action(match.cfg, s, workspace.legal, 0)
        else:  # not over, and nobody can go on: no game that was finished
            workspace.invalid_actions += 1
            break
        apply_action(match.cfg, s, action, workspace.rng)
    return decisions


@rule
def play_games(workspaces: Any, lookup: Any, seed: int, first: int, games: int, rows: Any, counts: Any) -> int:
    """Plays games first, first+1, … of a run, writes a row for each, and adds all of them to the counts.

    Where nobody wants the rows there are two: all games are written on the first, which is wiped with the other one.
    Returns how many were played: all, or those before the first with an invalid action.
    """
    workspace = workspaces[0]
    workspace.invalid_actions = 0
    keeps = rows.shape[0] == games
    place = 0
    for i in range(games):
        deal(workspace, workspace, seed, first + i)
        for seat in range(SEATS):
            if foresees(workspace.seats[seat]):
                foresee(workspace.ahead[seat], workspace.agent_rng, seat)
        decisions = play_one(workspace, workspace, lookup)
        if workspace.invalid_actions > 0:
            return i
        if keeps:
            place = i
        else:
            rows[0] = rows[1]
        outcome(workspace.cfg, workspace.states[LIVE], rows[place])
        rows[place].decisions = decisions
        tally(rows[place], workspace.agents, counts[0])
    return games


@rule
def tally_rows(workspaces: Any, rows: Any, counts: Any) -> None:
    """Adds finished games to the counts."""
    for i in range(rows.shape[0]):
        tally(rows[i], workspaces[0].agents, counts[0])


@rule
def tally_groups(
    workspaces: Any, rows: Any, order: Any, begins: Any, counts: Any, numbers: Any, found: Any, reached: Any
) -> None:
    """Counts finished deals by group, one group after the other, and lists what is not 0 in `found`.

    A deal is a row for each workspace. Group i has the deals order[begins[i]] … order[begins[i+1] - 1]; `numbers` are
    the counts as whole numbers, 0 before and after. It begins with group reached[0] and ends before the one for whose
    places there may be no room: then that is reached[0], and reached[1] the length of the list.
    """
    rotations = workspaces.shape[0]
    group = reached[0]
    listed = 0
    while group < begins.shape[0] - 1 and listed + numbers.shape[0] <= found.shape[0]:
        if begins[group] < begins[group + 1]:
            for i in range(begins[group], begins[group + 1]):
                for rotation in range(rotations):
                    tally(rows[order[i] * rotations + rotation], workspaces[rotation].agents, counts[0])
            for place in range(numbers.shape[0]):
                if numbers[place] != 0:
                    found[listed].group = group
                    found[listed].place = place
                    found[listed].value = numbers[place]
                    numbers[place] = 0
                    listed += 1
        group += 1
    reached[0] = group
    reached[1] = listed


@rule
def tally_deals(workspaces: Any, rows: Any, counts: Any, numbers: Any, places: Any, looks: Any) -> None:
    """Adds finished deals to the counts, and notes after each what stands in some places: deal by deal in `looks`."""
    rotations = workspaces.shape[0]
    for deal in range(rows.shape[0] // rotations):
        for rotation in range(rotations):
            tally(rows[deal * rotations + rotation], workspaces[rotation].agents, counts[0])
        for i in range(places.shape[0]):
            looks[deal * places.shape[0] + i] = numbers[places[i]]


@rule
def agent_choice(workspaces: Any, lookup: Any, agent: int, n: int) -> int:
    """The choice of a compiled agent from n > 1 options; if negative, `workspace.invalid_action` is its answer."""
    return choose(agent, workspaces[0], workspaces[0], lookup, n)
