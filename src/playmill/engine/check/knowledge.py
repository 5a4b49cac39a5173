"""Checks what seats hear and know: leaks, and, where `HIDDEN` is declared, knowledge that is forgotten or stale.

Each action is done again, in the world as it is and in worlds that look the same to a seat (see `messages.py`,
`forgotten.py` and `stale_masks.py`); fields that are open are compared with what is hidden in many deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from playmill.engine.check.coverage import act_of
from playmill.engine.check.declared_secrets import DeclaredSecrets
from playmill.engine.check.findings import CheckedGame
from playmill.engine.check.forgotten import ForgottenKnowledge
from playmill.engine.check.messages import check_messages
from playmill.engine.check.stale_masks import StaleMasks
from playmill.engine.check.worlds import Worlds, as_array, place_text
from playmill.engine.contract.game import hides_nothing
from playmill.engine.contract.secrets import DerivedSecrets
from playmill.engine.lang.rule import SPECTATOR
from playmill.engine.run.stepper import new_stepper
from playmill.texts import Text

#: At most this many actions of all games are done again, of each kind this many, in each game this many of a kind.
_ACTIONS, _OF_KIND, _IN_GAME = 24, 4, 2
#: At most this many positions are checked against a declaration.
_POSITIONS = 12
#: What lies hidden must come so often, on average, before something is said to depend on it.
_SELDOM = 4


class Knowledge:
    """Collects over all games with one number of players what seats hear and know."""

    def __init__(self, checked: CheckedGame) -> None:
        self._worlds = Worlds(checked)
        self._actions = self._positions = 0
        #: How often each kind of action was done again: in all games, and in each.
        self._looks: Counter[tuple[str, int]] = Counter()
        self._off = hides_nothing(checked.game) or checked.players < 2
        self._declared: _Declared | None = None
        if checked.game.secrets is not None:
            self._declared = _Declared(checked, checked.game.secrets, self._worlds)

    def look_at(self, checked: CheckedGame, before: np.void, action: int, after: np.void) -> None:
        """Looks at an action of a game that is played, if it is the turn of this one."""
        if self._off:
            return
        kind = act_of(checked.game, checked.config, action)
        if self._declared is not None:
            self._declared.masks.look_at(checked, before, action, kind)
        rare = self._looks[kind, -1] < _OF_KIND and self._looks[kind, checked.number] < _IN_GAME
        if not rare or self._actions >= _ACTIONS:
            return
        self._actions += 1
        self._looks.update([(kind, -1), (kind, checked.number)])
        check_messages(checked, self._worlds, before, action, self._actions)
        if self._declared is not None and after["player"] >= 0:
            mover = int(before["player"])
            for player in {mover, (mover + 1 + checked.number) % checked.players}:
                self._declared.forgotten.look_at(checked, before, action, player)

    def look_at_position(self, checked: CheckedGame, record: np.void) -> None:
        """Checks a position against what the game declares, if it declares anything."""
        if self._declared is not None and self._positions < _POSITIONS:
            self._positions += 1
            self._declared.positions.look_at(checked, record)

    def look_at_deals(self, deals: Sequence[np.void]) -> None:
        """Notes what is wrong with many deals."""
        if self._declared is not None and not self._off:
            self._declared.look_at_deals(deals)

    def judge(self) -> None:
        """Raises if what was gathered breaks a promise."""
        if self._declared is not None:
            self._declared.positions.judge()

    def doubts(self) -> list[Text]:
        """What was found that may be meant so."""
        return [] if self._declared is None else self._declared.doubts()


class _Declared:
    """What is looked for where a game declares what it hides."""

    def __init__(self, checked: CheckedGame, secrets: DerivedSecrets, worlds: Worlds) -> None:
        self._worlds, self._secrets = worlds, secrets
        steps = new_stepper(checked.game, checked.config, checked.players, interpreted=True)
        self.positions = DeclaredSecrets(checked, secrets, steps)
        self.masks, self.forgotten = StaleMasks(worlds, secrets), ForgottenKnowledge(worlds, secrets)
        self._of_deals: dict[str, Text] = {}

    def doubts(self) -> list[Text]:
        """What was found, each thing once."""
        return [*self.forgotten.doubts.values(), *self.masks.doubts.values(), *self._of_deals.values()]

    def look_at_deals(self, deals: Sequence[np.void]) -> None:
        """Notes an open field that depends on a hidden card in every one of many deals."""
        for number, message in enumerate(self.positions.varying_pools(deals)):
            self._of_deals[f"deck {number}"] = message
        hidden = self._secrets.fields
        masks = {secret.known for secret in hidden.values()}
        opened = [name for name in deals[0].dtype.names or () if name not in hidden and name not in masks]
        numbers = {
            name: np.array([deal[name] for deal in deals]).reshape(len(deals), -1) for name in (*opened, *hidden)
        }
        several = [
            (other, place, numbers[other][:, place])
            for other in opened
            for place in range(numbers[other].shape[1])
            if (numbers[other][:, place] != numbers[other][0, place]).any()
        ]
        for name, what in self._hidden_rows(deals[0], numbers):
            for other, place, found in several:
                if _depends(found, what):
                    message = _tells(place_text(deals[0], other, place), other, name, len(deals))
                    self._of_deals.setdefault(f"open {other}", message)

    def _hidden_rows(self, deal: np.void, numbers: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[int, ...]]]]:
        """What lies hidden at each place, and in each row, in all deals."""
        for name, places in self._secrets.hidden_places(self._worlds.cfg, as_array(deal), SPECTATOR).items():
            for place in places:
                yield place_text(deal, name, place), [(int(card),) for card in numbers[name][:, place]]
        for name in self._secrets.fields:
            if deal[name].ndim > 1:
                rows = numbers[name].reshape(len(numbers[name]), deal[name].shape[0], -1)
                for row in range(deal[name].shape[0]):
                    yield f"{name}[{row}]", [tuple(sorted(cards)) for cards in rows[:, row].tolist()]


def _depends(numbers: Any, what: Sequence[tuple[int, ...]]) -> bool:
    """Whether a number that differs between deals is always the same where the same is hidden."""
    found: dict[tuple[int, ...], set[int]] = {}
    for number, key in zip(numbers.tolist(), what, strict=True):
        found.setdefault(key, set()).add(number)
    return len(found) <= len(what) // _SELDOM and all(len(values) == 1 for values in found.values())


def _tells(at: str, other: str, what: str, deals: int) -> Text:
    return Text(
        f"{at} is open to everybody and depends on {what}, which is hidden, in each of {deals} deals; is {other!r}"
        " to be hidden, too?",
        f"{at} видят все, а зависит оно от {what}, которое скрыто, в каждой из раздач ({deals}); не скрыть ли и"
        f" {other!r}?",
    )
