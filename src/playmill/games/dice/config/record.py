"""The record of numbers that the rules of Dice read: a match set-up, packed."""

from __future__ import annotations

import numpy as np

from playmill.games.dice.constants import ACTIVE, CODE, DICE, EFFECTS, HOOKS, PLAYERS, PROFILES

#: A step of the content: what it is, its three numbers, of which dice it asks, and where to go on: after a test that
#: holds (or a deed that is done), and after a test that fails. Steps only lead forward, so every walk ends.
Step = np.dtype([(name, np.int32) for name in ("op", "a", "b", "c", "of", "then", "otherwise")], align=True)

Numbers = np.dtype(
    [
        ("target", np.int32),
        ("max_turns", np.int32),
        ("must_roll", np.int32),  # whether hot dice have to be thrown
        ("plain", np.int32),  # whether there is neither content nor a loaded die
        ("content", np.int32),  # whether there is any
        ("free", np.int32),  # whether there is no content, and hot dice need not be thrown
        # Dice: positions that are not fair, and for each die its weights added up from face 1.
        ("loaded", np.int32, (PLAYERS,)),
        ("weights", np.int32, (PLAYERS, DICE, 6)),
        ("profiles", np.int32, (PROFILES, 6)),
        # Content: who listens to an event, in which order; which items each can use; what each is made of.
        ("listening", np.int32, (PLAYERS, HOOKS)),
        ("listeners", np.int32, (PLAYERS, HOOKS, EFFECTS)),
        ("usable", np.int32, (PLAYERS,)),
        ("items", np.int32, (PLAYERS, ACTIVE)),
        ("active", np.int32, (EFFECTS,)),
        ("cooldown", np.int32, (EFFECTS,)),
        ("chooses", np.int32, (EFFECTS,)),
        ("chosen_face", np.int32, (EFFECTS,)),  # to which face the chosen dice are turned, 0 if they are not
        ("asks_face", np.int32, (EFFECTS,)),  # whether a face is chosen
        ("allowed", np.int32, (EFFECTS,)),
        ("start", np.int32, (EFFECTS,)),
        ("asks", np.int32, (EFFECTS,)),  # the flags that an entry uses up, a bit for each
        ("code", Step, (CODE,)),
        # What agents know of a throw of each set of dice: the chance to bust, the mean of the best save otherwise.
        ("bust_chance", np.float64, (PLAYERS, 64)),
        ("mean_best", np.float64, (PLAYERS, 64)),
    ],
    align=True,
)
