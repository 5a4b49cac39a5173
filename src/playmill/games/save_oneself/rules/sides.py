"""Turns cards of Save Oneself over, adds and takes lives, and ends the game."""

from __future__ import annotations

from typing import Any

from playmill.author import rule
from playmill.games.save_oneself.constants import ALL_BACKS, FRONT, NO_LIVES, NOBODY


@rule
def is_up(s: Any, side: int) -> bool:
    """Whether a side lies on the field, face up."""
    return s.sides >> side & 1 != 0


@rule
def show_front(cfg: Any, s: Any, card: int) -> None:
    """A card is turned over and gives its front's lives, or takes them; that it was turned is remembered."""
    flip(s, card)
    s.overturned |= 1 << card
    if cfg.front_lives[card] < 0:
        lose_lives(s, -cfg.front_lives[card])
    else:
        gain_lives(cfg, s, cfg.front_lives[card])


@rule
def flip(s: Any, card: int) -> None:
    """A card shows its other side."""
    s.sides ^= 1 << card | 1 << card + FRONT


@rule
def cards_on_field(s: Any) -> int:
    return (s.sides | s.sides >> FRONT) & ALL_BACKS


@rule
def gain_lives(cfg: Any, s: Any, lives: int) -> None:
    s.lives = min(s.lives + lives, cfg.lives)


@rule
def lose_lives(s: Any, lives: int) -> None:
    """At 0 lives the game is lost at once."""
    s.lives = max(s.lives - lives, 0)
    if s.lives == 0:
        end(s, NO_LIVES)


@rule
def end(s: Any, ending: int) -> None:
    s.ending = ending
    s.player = NOBODY
    s.options = 0
