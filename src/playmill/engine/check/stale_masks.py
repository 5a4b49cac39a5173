"""Finds masks that stay: a seat still counts as having seen what lies at a place, and another card lies there now."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from playmill.engine.check.findings import CheckedGame
from playmill.engine.check.worlds import Worlds, as_array, place_text
from playmill.engine.contract.secrets import DerivedSecrets
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.texts import Text

#: A mask is tried this many times for each kind of action and each place of a row.
_MASKS = 3
#: How often something must have been found before it is mentioned.
_OFTEN = 2


class StaleMasks:
    """Collects over many games masks that stay although an action has brought another card."""

    def __init__(self, worlds: Worlds, secrets: DerivedSecrets) -> None:
        self._worlds, self._secrets = worlds, secrets
        self._masked = {name: secret.known for name, secret in secrets.fields.items() if secret.known is not None}
        #: How often a mask was tried, and what was in it before actions: by field, kind of action, and row and place
        #: as they lie from whoever acts.
        self._tried: Counter[tuple[str, str, bool, int]] = Counter()
        self._met: set[tuple[str, str, bool, int]] = set()
        self._times: Counter[str] = Counter()
        self.doubts: dict[str, Text] = {}

    def look_at(self, checked: CheckedGame, before: np.void, action: int, kind: str) -> None:
        """Notes a mask that stays although another card, which its seat cannot have seen, has come to lie there.

        The action is done twice, with and without the mask of the card that lay there: whoever looks at the card that
        has come is in the mask both times. What was seen of others in its place of the row is taken as seen of it, too.
        """
        if not self._masked:
            return
        words = self._worlds.words()
        after = self._worlds.after(before, action, words)
        if after["player"] < 0:
            return
        for name, known in self._masked.items():
            each, row = before[name].size // before[known].size, (1, *before[name].shape)[-1]
            masks = np.repeat(np.atleast_1d(before[known]).reshape(-1), each)
            at = [(name, kind, place // row == before["player"], place % row) for place in range(before[name].size)]
            self._met.update(at[place] for place in np.flatnonzero(masks))
            cards = [np.atleast_1d(record[name]).reshape(-1) for record in (before, after)]
            lies, s = interpreted(self._secrets.lies[name]), plain(as_array(before))[0]
            for place in np.flatnonzero(cards[0] != cards[1]).tolist():
                mask = int(masks[place])
                if lies(s, place) and at[place] in self._met and self._tried[at[place]] < _MASKS:
                    self._tried[at[place]] += 1
                    mask = (1 << checked.players) - 1
                stays = self._mask_that_stays(before, action, words, (known, place // each), mask) if mask else 0
                for player in range(checked.players):
                    if stays & 1 << player and self._is_replaced(name, place, player, before, after):
                        self._times[name] += 1
                        if self._times[name] == _OFTEN:
                            self.doubts[f"stale {name}"] = _still_seen(
                                checked, place_text(after, name, place), known, player, action
                            )

    def _mask_that_stays(self, before: np.void, action: int, words: Any, at: tuple[str, int], mask: int) -> int:
        """The seats that are in a mask after an action only because they were in it before."""
        found = []
        for value in (mask, 0):
            world = before.copy()
            masks = np.array(world[at[0]])
            masks.reshape(-1)[at[1]] = np.array(value).astype(masks.dtype)
            world[at[0]] = masks
            after = self._worlds.after_if_offered(world, action, words)
            if after is None:
                return 0
            found.append(int(np.ravel(after[at[0]])[at[1]]))
        return found[0] & ~found[1]

    def _is_replaced(self, name: str, place: int, player: int, before: np.void, after: np.void) -> bool:
        """Whether a card now lies at a place that a seat sees by its mask alone, and that it did not know before."""
        mask, pool = self._secrets.fields[name].known, self._secrets.fields[name].pool
        bare = as_array(after)
        bare[mask] = 0
        cfg = self._worlds.cfg
        if place not in self._secrets.hidden_places(cfg, bare, player)[name]:
            return False  # it is seen for another reason
        card = after[name].reshape(-1)[place]
        known = self._secrets.mask(cfg, before, player)
        return not any(
            secret.pool == pool and card in np.atleast_1d(known[other])
            for other, secret in self._secrets.fields.items()
        )


def _still_seen(checked: CheckedGame, at: str, mask: str, player: int, action: int) -> Text:
    done = checked.game.words.to_text(checked.config, action)
    return Text(
        f"once player {player} has seen {at}, they still count as having seen it ({mask!r}) after {done!r} has"
        f" brought another card there (game {checked.number}, decision {checked.decision}), and so see that one;"
        " clear its mask when a card leaves its place",
        f"увидев {at}, игрок {player} считается видевшим это ({mask!r}) и после {done!r}, когда там лежит уже"
        f" другая карта (партия {checked.number}, решение {checked.decision}), и потому видит и её; когда карта"
        " уходит, стирайте маску её места",
    )
