"""Checks what seats hear and know: leaks, and, where `HIDDEN` is declared, knowledge that is forgotten or stale.

Each action is done again, in the world as it is and in worlds that look the same to a seat. What that seat is told must
be the same wherever it then sees the same. A card that is the same in all of them is known; to deal it anew would be to
forget it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from playmill.engine.check.coverage import act_of
from playmill.engine.check.declared_secrets import DeclaredSecrets, as_array, place_text
from playmill.engine.check.findings import SEED, CheckedGame
from playmill.engine.contract.game import hides_nothing
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import SPECTATOR, interpreted
from playmill.engine.run.stepper import Seen, new_stepper
from playmill.texts import Text

#: At most this many actions of all games are done again, of each kind this many, in each game this many of a kind.
_ACTIONS, _OF_KIND, _IN_GAME = 24, 4, 2
#: At most this many positions are checked against a declaration.
_POSITIONS = 12
#: In so many worlds each; a card that is the same in all of them by chance less often than this is known.
_WORLDS, _BY_CHANCE = 14, 1e-4
#: They are sought among this many; no further than the first of them if hardly any fits.
_SOUGHT, _AT_FIRST, _HARDLY = 120, 28, 2
#: A mask is tried this many times for each kind of action and each place of a row.
_MASKS = 3
#: Of the other options so many are tried as what somebody else may have done.
_ANSWERS = 5
#: How often something must have been found before it is mentioned.
_OFTEN = 2
#: What lies hidden must come so often, on average, before something is said to depend on it.
_SELDOM = 4
#: Hooks that tell a seat of an action.
_TELLING = ("witnessed", "notices", "flights")


class Knowledge:
    """Collects over all games with one number of players what seats are told and know."""

    def __init__(self, checked: CheckedGame) -> None:
        self._secrets = checked.game.secrets
        self._steps = new_stepper(checked.game, checked.config, checked.players, interpreted=True)
        self._draws = np.random.default_rng(SEED)
        self._actions = self._positions = 0
        #: How often each kind of action was done again: in all games, and in each.
        self._looks: Counter[tuple[str, int]] = Counter()
        #: How often a mask was tried, and what was in it before actions: by field, kind of action, and row and place
        #: as they lie from whoever acts.
        self._tried: Counter[tuple[str, str, bool, int]] = Counter()
        self._met: set[tuple[str, str, bool, int]] = set()
        #: How often each thing was found.
        self._times: Counter[str] = Counter()
        self._doubts: dict[str, Text] = {}
        self._declared = DeclaredSecrets(checked, self._secrets, self._steps) if self._secrets is not None else None
        self._off = hides_nothing(checked.game) or checked.players < 2

    def look_at(self, checked: CheckedGame, before: np.void, action: int, after: np.void) -> None:
        """Looks at an action of a game that is played, if it is the turn of this one."""
        if self._off:
            return
        kind = act_of(checked.game, checked.config, action)
        if self._secrets is not None:
            self._find_stale(checked, before, action, kind)
        rare = self._looks[kind, -1] < _OF_KIND and self._looks[kind, checked.number] < _IN_GAME
        if not rare or self._actions >= _ACTIONS:
            return
        self._actions += 1
        self._looks.update([(kind, -1), (kind, checked.number)])
        self._check_told(checked, before, action)
        if self._secrets is not None and after["player"] >= 0:
            mover = int(before["player"])
            for player in {mover, (mover + 1 + checked.number) % checked.players}:
                self._find_forgotten(checked, before, action, player)

    def look_at_position(self, checked: CheckedGame, record: np.void) -> None:
        """Checks a position against what the game declares, if it declares anything."""
        if self._declared is not None and self._positions < _POSITIONS:
            self._positions += 1
            self._declared.look_at(checked, record)

    def look_at_deals(self, deals: Sequence[np.void]) -> None:
        """Notes an open field that depends on a hidden card in every one of many deals."""
        if self._secrets is None or self._off:
            return
        assert self._declared is not None
        for number, message in enumerate(self._declared.varying_pools(deals)):
            self._doubts[f"deck {number}"] = message
        hidden = self._secrets.fields
        masks = {secret.known for secret in hidden.values()}
        opened = [name for name in deals[0].dtype.names or () if name not in hidden and name not in masks]
        numbers = {
            name: np.array([deal[name] for deal in deals]).reshape(len(deals), -1) for name in (*opened, *hidden)
        }
        for name, what in self._hidden_rows(deals[0], numbers):
            for other in opened:
                for place in range(numbers[other].shape[1]):
                    if _depends(numbers[other][:, place], what):
                        self._doubts.setdefault(f"open {other}", self._tells(deals[0], other, place, name, len(deals)))

    def _hidden_rows(self, deal: np.void, numbers: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[int, ...]]]]:
        """What lies hidden at each place, and in each row, in all deals."""
        assert self._secrets is not None
        for name, place in self._hidden(deal, SPECTATOR):
            yield place_text(deal, name, place), [(int(card),) for card in numbers[name][:, place]]
        for name in self._secrets.fields:
            if deal[name].ndim > 1:
                rows = numbers[name].reshape(len(numbers[name]), deal[name].shape[0], -1)
                for row in range(deal[name].shape[0]):
                    yield f"{name}[{row}]", [tuple(sorted(cards)) for cards in rows[:, row].tolist()]

    def _tells(self, deal: np.void, other: str, place: int, what: str, deals: int) -> Text:
        at = place_text(deal, other, place)
        return Text(
            f"{at} is open to everybody and depends on {what}, which is hidden, in each of {deals} deals; is {other!r}"
            " to be hidden, too?",
            f"{at} видят все, а зависит оно от {what}, которое скрыто, в каждой из раздач ({deals}); не скрыть ли и"
            f" {other!r}?",
        )

    def judge(self) -> None:
        """Raises if what was gathered breaks a promise."""
        if self._declared is not None:
            self._declared.judge()

    def doubts(self) -> list[Text]:
        """What was found that may be meant so."""
        return list(self._doubts.values())

    # Worlds

    def _words(self) -> Any:
        """Fresh states of all random streams."""
        streams = self._steps.workspace["rng"]["stream"][0].size
        return self._draws.integers(0, 2**64, streams, np.uint64)

    def _put(self, record: np.void) -> None:
        self._steps.workspace["states"][0, LIVE] = record

    @property
    def _record(self) -> np.void:
        record: np.void = self._steps.workspace["states"][0, LIVE].copy()
        return record

    def _concealed(self, record: np.void, player: int, seed: int) -> np.void:
        self._put(record)
        self._steps.workspace["conceal_rng"]["stream"][0, 0] = np.uint64(seed)
        self._steps.hide(player)
        return self._record

    def _seen(self, record: np.void, player: int) -> Seen:
        self._put(record)
        return self._steps.see(player)

    def _done(self, record: np.void, action: int, words: Any) -> np.void | None:
        """The world after an action; None if it is not offered there."""
        self._put(record)
        if action not in self._steps.ids[: self._steps.options()].tolist():
            return None
        self._steps.workspace["rng"]["stream"][0] = words
        self._steps.step(action)
        return self._record

    # What is told

    def _check_told(self, checked: CheckedGame, before: np.void, action: int) -> None:
        """What a seat is told is the same in worlds where it sees the same before and after."""
        hooks = [hook for hook in _TELLING if getattr(checked.game.words, hook) is not None]
        words = self._words()
        true = self._done(before, action, words) if hooks else None
        for player in range(checked.players):
            if true is None:
                break
            world = self._concealed(before, player, self._actions)
            found = self._done(world, action, words)
            if found is not None and np.array_equal(self._seen(found, player), self._seen(true, player)):
                self._compare(checked, hooks, player, (before, true, action), (world, found, action))

    def _compare(
        self,
        checked: CheckedGame,
        hooks: Sequence[str],
        player: int,
        one: tuple[np.void, np.void, int],
        other: tuple[np.void, np.void, int],
    ) -> None:
        for hook in hooks:
            tell = partial(getattr(checked.game.words, hook), checked.config)
            told, else_told = tell(*one, player), tell(*other, player)
            if told == else_told:
                continue
            differ = ", ".join(name for name in one[1].dtype.names or () if _differs(one[1], other[1], name))
            by = Text(f"`{hook}` tells", f"`{hook}` говорит")
            if hook == "witnessed" and not _has_own(checked, hook):
                by = Text("`events` tell", "`events` говорят")
            raise replace(checked, state=None).broken(
                Text(
                    f"{by.en} player {player} what observe hides: {_said(told, 'en')!r} here and"
                    f" {_said(else_told, 'en')!r} where all that differs is hidden ({differ})",
                    f"{by.ru} игроку {player} то, что observe скрывает: {_said(told, 'ru')!r} здесь и"
                    f" {_said(else_told, 'ru')!r} там, где отличается лишь скрытое ({differ})",
                )
            )

    # What is known

    def _find_forgotten(self, checked: CheckedGame, before: np.void, action: int, player: int) -> None:
        """Notes a card that is the same in all worlds after an action and is still dealt anew."""
        true = self._done(before, action, self._words())
        if true is None or true["player"] < 0:
            return
        seen, heard = self._worlds(checked, (before, true, action), player)
        if len(heard) < _WORLDS // 2:
            return
        guesses = [self._concealed(true, player, seed) for seed in range(2 * _WORLDS)]
        for name, place in self._hidden(true, player):
            card = true[name].reshape(-1)[place]
            share = _share(guesses, name, place, card)
            if _share(heard, name, place, card) == 1 and share ** len(heard) < _BY_CHANCE:
                only_heard = _share(seen, name, place, card) < 1
                found = f"{'heard' if only_heard else 'forgotten'} {name}"
                self._times[found] += 1
                if self._times[found] == _OFTEN:
                    lost = self._told if only_heard else self._lost
                    self._doubts[found] = lost(checked, place_text(true, name, place), name, player, action)

    def _worlds(
        self, checked: CheckedGame, done: tuple[np.void, np.void, int], player: int
    ) -> tuple[list[np.void], list[np.void]]:
        """Worlds after an action in which a seat sees the same, and those in which it also hears the same.

        Whoever acts knows the action. The others do not: it may be any that they cannot tell from it.
        """
        before, true, action = done
        sees, hears = self._seen(true, player), self._hears(checked, done, player)
        seen: list[np.void] = []
        heard: list[np.void] = []
        for seed in range(_SOUGHT):
            if len(heard) == _WORLDS or (seed == _AT_FIRST and len(heard) < _HARDLY):
                break
            world = self._concealed(before, player, seed)
            alike, sounds_alike = [], []
            for one in self._answers(world, action) if player != before["player"] else [action]:
                found = self._done(world, one, self._words())
                if found is not None and np.array_equal(self._seen(found, player), sees):
                    alike.append(found)
                    if self._hears(checked, (world, found, one), player) == hears:
                        sounds_alike.append(found)
            seen += [alike[self._draws.integers(len(alike))]] if alike else []
            heard += [sounds_alike[self._draws.integers(len(sounds_alike))]] if sounds_alike else []
        return seen, heard

    def _answers(self, world: np.void, action: int) -> list[int]:
        """An action and a few others that are offered beside it."""
        self._put(world)
        legal = self._steps.ids[: self._steps.options()].tolist()
        others = [one for one in legal if one != action]
        return [action, *self._draws.permutation(others)[:_ANSWERS].tolist()] if action in legal else []

    def _hears(self, checked: CheckedGame, done: tuple[np.void, np.void, int], player: int) -> Any:
        words = checked.game.words
        return None if words.witnessed is None else words.witnessed(checked.config, *done, player)

    def _hidden(self, record: np.void, player: int) -> Iterator[tuple[str, int]]:
        assert self._secrets is not None
        cfg = plain(self._steps.workspace["cfg"])[0]
        for name, places in self._secrets.hidden_places(cfg, as_array(record), player).items():
            yield from ((name, place) for place in places)

    def _lost(self, checked: CheckedGame, at: str, name: str, player: int, action: int) -> Text:
        assert self._secrets is not None
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

    def _told(self, checked: CheckedGame, at: str, name: str, player: int, action: int) -> Text:
        done = checked.game.words.to_text(checked.config, action)
        return Text(
            f"what player {player} hears of {done!r} (game {checked.number}, decision {checked.decision}) tells what"
            f" lies at {at}, which HIDDEN hides; let `heard` say less, or keep in a mask who knows it: known=…",
            f"то, что игрок {player} слышит о {done!r} (партия {checked.number}, решение {checked.decision}), выдаёт,"
            f" что лежит в {at}, а HIDDEN это скрывает; пусть `heard` говорит меньше, или храните в маске, кто это"
            " знает: known=…",
        )

    def _find_stale(self, checked: CheckedGame, before: np.void, action: int, kind: str) -> None:
        """Notes a mask that stays although another card, which its seat cannot have seen, has come to lie there.

        The action is done twice, with and without the mask of the card that lay there: whoever looks at the card that
        has come is in the mask both times. What was seen of others in its place of the row is taken as seen of it, too.
        """
        assert self._secrets is not None
        masked = {name: secret.known for name, secret in self._secrets.fields.items() if secret.known is not None}
        words = self._words()
        after = self._done(before, action, words) if masked else None
        if after is None or after["player"] < 0:
            return
        for name, known in masked.items():
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
                        self._times[f"stale {name}"] += 1
                        if self._times[f"stale {name}"] == _OFTEN:
                            self._doubts[f"stale {name}"] = self._still_seen(
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
            after = self._done(world, action, words)
            if after is None:
                return 0
            found.append(int(np.ravel(after[at[0]])[at[1]]))
        return found[0] & ~found[1]

    def _is_replaced(self, name: str, place: int, player: int, before: np.void, after: np.void) -> bool:
        """Whether a card now lies at a place that a seat sees by its mask alone, and that it did not know before."""
        assert self._secrets is not None
        mask, pool = self._secrets.fields[name].known, self._secrets.fields[name].pool
        bare = as_array(after)
        bare[mask] = 0
        cfg = plain(self._steps.workspace["cfg"])[0]
        if place not in self._secrets.hidden_places(cfg, bare, player)[name]:
            return False  # it is seen for another reason
        card = after[name].reshape(-1)[place]
        known = self._secrets.mask(cfg, before, player)
        return not any(
            secret.pool == pool and card in np.atleast_1d(known[other])
            for other, secret in self._secrets.fields.items()
        )

    def _still_seen(self, checked: CheckedGame, at: str, mask: str, player: int, action: int) -> Text:
        done = checked.game.words.to_text(checked.config, action)
        return Text(
            f"once player {player} has seen {at}, they still count as having seen it ({mask!r}) after {done!r} has"
            f" brought another card there (game {checked.number}, decision {checked.decision}), and so see that one;"
            " clear its mask when a card leaves its place",
            f"увидев {at}, игрок {player} считается видевшим это ({mask!r}) и после {done!r}, когда там лежит уже"
            f" другая карта (партия {checked.number}, решение {checked.decision}), и потому видит и её; когда карта"
            " уходит, стирайте маску её места",
        )


def _share(worlds: Sequence[np.void], name: str, place: int, card: int) -> float:
    """In which share of some worlds a card lies at a place."""
    return float(np.mean([world[name].reshape(-1)[place] == card for world in worlds]))


def _depends(numbers: Any, what: Sequence[tuple[int, ...]]) -> bool:
    """Whether a number is another in some deals, and always the same where the same is hidden."""
    found: dict[tuple[int, ...], set[int]] = {}
    for number, key in zip(numbers.tolist(), what, strict=True):
        found.setdefault(key, set()).add(number)
    several = len(set(numbers.tolist())) > 1 and len(found) <= len(what) // _SELDOM
    return several and all(len(values) == 1 for values in found.values())


def _differs(one: np.void, other: np.void, name: str) -> bool:
    return bool(np.any(one[name] != other[name]))


def _has_own(checked: CheckedGame, hook: str) -> bool:
    own = sys.modules.get(f"{checked.game.package}.words")
    return getattr(own, hook, None) is not None


def _said(told: Any, lang: str) -> str:
    """What a hook told, in one line."""
    lines = [getattr(line, lang) if isinstance(line, Text) else str(line) for line in told]
    return "; ".join(lines)
