"""Finds knowledge that is forgotten: a card that a seat can tell after an action, and that `conceal` deals anew.

The action is done again in positions that look the same to the seat. A card that is the same wherever the seat then
sees the same, and hears the same, is known to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from playmill.engine.check.findings import CheckedGame
from playmill.engine.check.messages import Done, heard_by
from playmill.engine.check.worlds import AlikeWorlds, Place, Worlds, as_array, place_text
from playmill.engine.contract.secrets import DerivedSecrets
from playmill.texts import Text

#: So many positions are tried for each action, and no more than the first of these if hardly any looks the same after.
_TRIED, _AT_FIRST, _HARDLY = 160, 40, 2
#: After so many that do, what `conceal` deals is looked at, so often.
_FEW, _DEALT = 6, 24
#: A card that is the same in all of them by chance less often than this is known.
_BY_CHANCE = 1e-5
#: How often whoever does not know the action takes it for one of the options at random.
_OTHERS = 0.4
#: At most so much of what is hidden stays the true one; the fewer look the same, the more.
_KEPT = 0.5
#: A place where conceal lays the same card so often is none at which anything could be known.
_USUAL = 0.5
#: How often something must have been found before it is mentioned.
_OFTEN = 2


class ForgottenKnowledge:
    """Collects over many games what seats can tell and `conceal` forgets."""

    def __init__(self, worlds: Worlds, secrets: DerivedSecrets) -> None:
        self._worlds, self._secrets = worlds, secrets
        self._times: Counter[str] = Counter()
        self.doubts: dict[str, Text] = {}

    def look_at(self, checked: CheckedGame, before: np.void, action: int, player: int) -> None:
        """Looks for something that one seat can tell after an action."""
        words = self._worlds.words()
        true = self._worlds.after(before, action, words)
        if true["player"] < 0:
            return
        cards = {
            (name, place): int(true[name].reshape(-1)[place])
            for name, places in self._secrets.hidden_places(self._worlds.cfg, as_array(true), player).items()
            for place in places
        }
        for (name, place), only_heard in self._known(checked, (before, true, action), words, player, cards):
            found = f"{'heard' if only_heard else 'forgotten'} {name}"
            self._times[found] += 1
            if self._times[found] == _OFTEN:
                tell = _heard if only_heard else self._lost
                self.doubts[found] = tell(checked, place_text(true, name, place), name, player, action)

    def _known(
        self, checked: CheckedGame, done: Done, words: Any, player: int, cards: dict[Place, int]
    ) -> list[tuple[Place, bool]]:
        """Which of the hidden cards after an action a seat can tell, and whether only by what it hears."""
        before, true, action = done
        worlds, alike = self._worlds, AlikeWorlds(self._worlds, self._secrets, before, player)
        sees, hears = worlds.seen(true, player), heard_by(checked, done, player)
        same, by_ear = set(cards), set[Place]()
        dealt: dict[Place, float] = {}
        kept_in: list[float] = []  # how much stayed the true one, in each position that looks and sounds the same
        for tried in range(_TRIED if same else 0):
            if tried == _AT_FIRST and len(kept_in) < _HARDLY:
                return []
            kept = min(_KEPT, 1 - (1 + len(kept_in)) / (1 + tried))
            world = alike.draw(kept)
            answer = None if world is None else self._answer(world, action, knows=player == before["player"])
            if world is None or answer is None:
                continue
            found = worlds.after(world, answer, words if worlds.draws.random() < kept else worlds.words())
            if not np.array_equal(worlds.seen(found, player), sees):
                continue
            others = {at for at in same if found[at[0]].reshape(-1)[at[1]] != cards[at]}
            if heard_by(checked, (world, found, answer), player) != hears:
                by_ear |= others
                continue
            same -= others
            kept_in.append(kept)
            if len(kept_in) == _FEW:
                dealt = self._dealt(true, player, {at: cards[at] for at in same})
                same = {at for at in same if dealt[at] < _USUAL}
            if not same or (dealt and all(_chance(dealt[at], kept_in) < _BY_CHANCE for at in same)):
                break
        return [(at, at in by_ear) for at in sorted(same) if dealt and _chance(dealt[at], kept_in) < _BY_CHANCE]

    def _answer(self, world: np.void, action: int, *, knows: bool) -> int | None:
        """The action if it is offered; to whoever does not know it, it may have been another one."""
        options = self._worlds.options(world)
        if not knows and options and (action not in options or self._worlds.draws.random() < _OTHERS):
            return options[self._worlds.draws.integers(len(options))]
        return action if action in options else None

    def _dealt(self, true: np.void, player: int, cards: dict[Place, int]) -> dict[Place, float]:
        """How often conceal lays the true card at each place."""
        guesses = [self._worlds.concealed(true, player, seed) for seed in range(_DEALT if cards else 0)]
        return {
            (name, place): float(np.mean([guess[name].reshape(-1)[place] == card for guess in guesses]))
            for (name, place), card in cards.items()
        }

    def _lost(self, checked: CheckedGame, at: str, name: str, player: int, action: int) -> Text:
        mask = self._secrets.fields[name].known
        done = checked.game.words.to_text(checked.config, action)
        remedy = Text(
            f"set the bit of player {player} in {mask!r}" if mask else "keep who knows it in a mask: known=…",
            f"поставьте бит игрока {player} в {mask!r}" if mask else "храните в маске, кто это знает: known=…",
        )
        return Text(
            f"player {player} can tell what lies at {at} once {done!r} is done (game {checked.number}, decision"
            f" {checked.decision}), and conceal deals it anew, so that `search` forgets it; {remedy.en}, or say it by"
            " `possible`",
            f"после {done!r} (партия {checked.number}, решение {checked.decision}) игрок {player} может знать, что"
            f" лежит в {at}, а conceal это пересдаёт, и `search` забывает; {remedy.ru} или скажите это в `possible`",
        )


def _heard(checked: CheckedGame, at: str, name: str, player: int, action: int) -> Text:
    done = checked.game.words.to_text(checked.config, action)
    return Text(
        f"what player {player} hears of {done!r} (game {checked.number}, decision {checked.decision}) tells what"
        f" lies at {at}, which HIDDEN hides; let `heard` say less, or keep in a mask who knows it: known=…",
        f"то, что игрок {player} слышит о {done!r} (партия {checked.number}, решение {checked.decision}), выдаёт,"
        f" что лежит в {at}, а HIDDEN это скрывает; пусть `heard` говорит меньше, или храните в маске, кто это"
        " знает: known=…",
    )


def _chance(dealt: float, kept_in: Sequence[float]) -> float:
    """How likely a card that could be any is the same in all positions, in which so much stayed the true one."""
    return prod(kept + (1 - kept) * max(dealt, 1 / _DEALT) for kept in kept_in)
