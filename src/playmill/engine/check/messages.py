"""Checks what seats hear of actions: the same in positions where they see the same, before and after."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from playmill.engine.check.findings import CheckedGame
from playmill.engine.check.worlds import Worlds
from playmill.texts import Text

#: Hooks that tell a seat of an action.
_TELLING = ("witnessed", "notices", "flights")
#: A position, the one after an action, and that action.
Done = tuple[np.void, np.void, int]


def heard_by(checked: CheckedGame, done: Done, player: int) -> Any:
    """What a seat hears of an action; None where nobody hears anything."""
    words = checked.game.words
    return None if words.witnessed is None else words.witnessed(checked.config, *done, player)


def check_messages(checked: CheckedGame, worlds: Worlds, before: np.void, action: int, seed: int) -> None:
    """Raises if a seat hears something that it does not see: by words, notices or flights of pieces."""
    hooks = [hook for hook in _TELLING if getattr(checked.game.words, hook) is not None]
    words = worlds.words()
    if not hooks:
        return
    true = worlds.after(before, action, words)
    for player in range(checked.players):
        world = worlds.concealed(before, player, seed)
        found = worlds.after_if_offered(world, action, words)
        if found is not None and np.array_equal(worlds.seen(found, player), worlds.seen(true, player)):
            _compare(checked, hooks, player, (before, true, action), (world, found, action))


def _compare(checked: CheckedGame, hooks: Sequence[str], player: int, one: Done, other: Done) -> None:
    for hook in hooks:
        tell = partial(getattr(checked.game.words, hook), checked.config)
        message, other_message = tell(*one, player), tell(*other, player)
        if message == other_message:
            continue
        differ = ", ".join(name for name in one[1].dtype.names or () if np.any(one[1][name] != other[1][name]))
        by = Text(f"`{hook}` tells", f"`{hook}` говорит")
        if hook == "witnessed" and not _has_own(checked, hook):
            by = Text("`events` tell", "`events` говорят")
        raise replace(checked, state=None).broken(
            Text(
                f"{by.en} player {player} what observe hides: {_said(message, 'en')!r} here and"
                f" {_said(other_message, 'en')!r} where all that differs is hidden ({differ})",
                f"{by.ru} игроку {player} то, что observe скрывает: {_said(message, 'ru')!r} здесь и"
                f" {_said(other_message, 'ru')!r} там, где отличается лишь скрытое ({differ})",
            )
        )


def _has_own(checked: CheckedGame, hook: str) -> bool:
    own = sys.modules.get(f"{checked.game.package}.words")
    return getattr(own, hook, None) is not None


def _said(message: Any, lang: str) -> str:
    """A message of a hook, in one line."""
    lines = [getattr(line, lang) if isinstance(line, Text) else str(line) for line in message]
    return "; ".join(lines)
