"""The exact chance that the throw after a save is a bust, with shields, locks, weights and content."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from playmill.author import RecordArray, interpreted, plain
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.agents.save_value import try_save
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE, MAX_ROLLS, ON_ROLL, SHIELD_SET
from playmill.games.dice.rules import State
from playmill.games.dice.rules.effects import free_dice, listen
from playmill.games.dice.rules.throws import lay, scores
from playmill.games.dice.words.names import faces_of, match_names, weights_of

#: Rolls that score nothing are tried one by one where content could change that: so many at most, and so many throws
#: after each other. Where there are more, nothing is told.
_MOST_ROLLS, _MOST_THROWS = 64, 4
#: Faces that score in threes only.
_POOR = (2, 3, 4, 6)
#: Effects after a roll that may turn a bust into something else, or make one harder to foresee; and the flag that may.
_MATTER, _SHIELD = ("set_face", "lock", "set_weights", "reroll"), "bust_shield"

Faces = tuple[int, ...]


class Risk(NamedTuple):
    """The throw after a save: how many dice, how likely it ends in a bust (None: not told), whether a shield is up."""

    dice: int
    chance: float | None
    shielded: bool


def risk_after(config: Config, s: np.void, saved: int) -> Risk:
    """The risk of throwing on after a save, with all that the save itself brings about."""
    made = np.zeros(1, State)
    made[0] = s
    match = plain(made)[0]
    interpreted(try_save)(match_names(config).cfg, match, saved)
    match.hot = int(match.table == 0)
    if match.hot:
        match.table = EVERY_DIE
    dice = interpreted(free_dice)(match)
    shielded = bool(match.flags[match.player] & SHIELD_SET)
    return Risk(dice.bit_count(), _bust(config, made, dice, 1), shielded)


def _bust(config: Config, made: RecordArray, dice: int, throws: int) -> float | None:
    """The chance that nothing scores in the end when these dice are thrown; None where that is too hard to tell."""
    match = plain(made)[0]
    lying = [face for place, face in enumerate(faces_of(match.roll)) if face and not dice >> place & 1]
    if set(lying) - set(_POOR) or any(lying.count(face) > 2 for face in _POOR):
        return 0.0
    weights = [tuple(weights_of(config, made[0], match.player, place)) for place in range(DICE) if dice >> place & 1]
    rolls = list(_alike(_poor_rolls(weights, lying)) if len(set(weights)) == 1 else _poor_rolls(weights, lying))
    deeds = _deeds(config, match.player)
    if not deeds:
        chance = sum(chance for _, chance in rolls)
        return chance**2 if match.flags[match.player] & SHIELD_SET and match.rolls + 1 < MAX_ROLLS else chance
    if "reroll" in deeds or len(rolls) > _MOST_ROLLS or throws > _MOST_THROWS:
        return None
    bust = 0.0
    for faces, chance in rolls:
        end = _end(config, made.copy(), dice, faces, throws)
        if end is None:
            return None
        bust += chance * end
    return bust


def _end(config: Config, made: RecordArray, dice: int, faces: Faces, throws: int) -> float | None:
    """The chance to bust once these dice fell on faces that do not score, for content and a shield may help."""
    match = plain(made)[0]
    shown, fallen = faces_of(match.roll), iter(faces)
    ways = [next(fallen) - 1 if dice >> place & 1 else max(0, shown[place] - 1) for place in range(DICE)]
    first, last = (36 * a + 6 * b + c for a, b, c in (ways[:3], ways[3:]))
    interpreted(lay)(match, first, last)
    match.thrown = dice
    match.rolls += 1
    interpreted(listen)(match_names(config).cfg, match, ON_ROLL)
    again = dice & ~match.locked
    if interpreted(scores)(match.told):
        return 0.0
    if not match.flags[match.player] & SHIELD_SET or again == 0 or match.rolls >= MAX_ROLLS:
        return 1.0
    match.flags[match.player] ^= SHIELD_SET
    match.hot = 0
    return _bust(config, made, again, throws + 1)


def _deeds(config: Config, player: int) -> set[str]:
    """What content may do after a roll of a player that has to do with a bust."""
    made = match_names(config)
    listening = made.cfg.listeners[player, ON_ROLL][: made.cfg.listening[player, ON_ROLL]]
    effects = [effect for entry in listening for effect in made.entries[entry].content.effect]
    return {effect.kind for effect in effects if effect.kind in _MATTER or effect.value == _SHIELD}


def _poor_rolls(weights: Sequence[Sequence[int]], lying: Sequence[int]) -> Iterator[tuple[Faces, float]]:
    """All ways in which dice can fall and nothing scores beside what lies there, each with its chance."""
    rolls: list[tuple[Faces, float]] = [((), 1.0)]
    for die in weights:
        whole = sum(die)
        rolls = [
            ((*faces, face), chance * die[face - 1] / whole)
            for faces, chance in rolls
            for face in _POOR
            if die[face - 1] and faces.count(face) + lying.count(face) < 2
        ]
    yield from rolls


def _alike(rolls: Iterable[tuple[Faces, float]]) -> Iterator[tuple[Faces, float]]:
    """Rolls of equal dice: those of the same faces are one."""
    found: dict[Any, float] = defaultdict(float)
    for faces, chance in rolls:
        found[tuple(sorted(faces))] += chance
    yield from found.items()
