"""Checks hidden information: `observe` and `conceal` agree, and what `conceal` deals could be the truth.

Of two true worlds that look the same to a player neither may stay for ever: a conceal that always leaves what another
player sees gives away what they do not. Such worlds are met by chance in other deals, made by two answers of another
player that they do not see, or by two things of a state changing places where they see neither.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from playmill.engine.check.findings import SEED, CheckedGame, CheckError, listed
from playmill.engine.check.knowledge import Knowledge
from playmill.engine.contract.observation_docs import unexplained
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.rule import SPECTATOR
from playmill.engine.run.state import State
from playmill.engine.run.stepper import Seen, Steps, new_stepper
from playmill.texts import Text

#: This many deals tell what every deal has, and this many of them are dealt anew; this many wrong ones are no accident.
_DEALS, _REDEALT, _WRONG = 60, 6, 3
#: Where no more numbers are seen than these, deals look the same more often, and cost less: there are this many then.
_FEW, _MORE = 64, 200
#: At most this many positions of all games are looked at for worlds that look the same, of each game in its turn.
_POSITIONS, _FIRST, _ONE_IN = 30, 2, 4
#: At most this many pairs of worlds that look the same are compared.
_PAIRS = 60
#: How often conceal deals each of them anew, and how often something must have been hidden, before it is found wanting.
_CONCEAL_SEEDS, _OFTEN = 8, 3
#: How many pairs of places change their things in a position, in how many positions at most.
_SWAPS, _SWAPPED = 24, 24
#: How many worlds are played on, and how many decisions in all.
_WORLDS, _PLAYED = 6, 200
#: Where there are more kinds of things nothing is counted.
_KINDS = 64


def check_hidden(checked: CheckedGame, state: State, conceal_seed: int) -> None:
    """Checks that conceal keeps what a player sees, in numbers and words, and deals the rest whatever the truth is."""
    demand = partial(checked.demand, by="conceal")
    for player in range(state.players):
        seen = state.observation_tensor(player)
        guess, other = state.clone(), state.clone()
        guess.conceal(player, conceal_seed)
        changed = np.flatnonzero(seen != guess.observation_tensor(player)).tolist()
        demand(
            not changed,
            f"conceal must keep what player {player} sees: observe shows her, at out[{listed(changed)}], what conceal"
            " deals anew; one of the two is wrong about what she may know",
            f"conceal должна сохранять то, что видит игрок {player}: observe показывает ему в out[{listed(changed)}]"
            " то, что conceal пересдаёт; одна из них ошибается в том, что ему известно",
        )
        other.conceal(player, conceal_seed + 1)
        other.conceal(player, conceal_seed)
        demand(
            bool(guess.record == other.record),
            f"what conceal deals must depend on its luck and on what player {player} may know, not on the truth;"
            " it draws from stream 0 of its rng alone",
            f"то, что сдаёт conceal, должно зависеть от её случая и от известного игроку {player}, а не от правды;"
            " тянет она только из потока 0 своего rng",
        )
        demand(
            state.returns() == guess.returns(),
            "conceal must keep the returns",
            "conceal должна сохранять выигрыши",
        )
        if player == state.current_player():
            demand(
                state.legal_actions() == guess.legal_actions(),
                "conceal must keep the options of the player to move",
                "conceal должна сохранять варианты того, чей ход",
            )
        tell = checked.game.words.seen
        words = tell(state.config, state.record, player, "en")
        checked.demand(
            isinstance(words, dict),
            f"`seen` must return a dictionary of what is seen by its names, and returned {words!r}",
            f"`seen` должна вернуть словарь: что видно и под каким именем, а вернула {words!r}",
            by=tell,
        )
        _check_legend(checked, words)
        checked.demand(
            words == tell(state.config, guess.record, player, "en"),
            f"what is seen in words must hide as much: `seen` tells player {player} what conceal deals anew",
            f"слова должны скрывать столько же: `seen` говорит игроку {player} то, что conceal пересдаёт",
            by=tell,
        )


def _check_legend(checked: CheckedGame, words: object) -> None:
    """Checks that everything in `seen` is documented, if the game documents it."""
    for wrong in (
        unexplained(checked.game.legend.SEEN, words, checked.config) if checked.game.legend is not None else ()
    ):
        checked.demand(
            False,
            f"SEEN of legend.py must explain what `seen` tells, its kind and its range: {wrong.en}",
            f"SEEN из legend.py должно объяснять всё, что говорит `seen`, его вид и границы: {wrong.ru}",
        )


def check_looking_on(checked: CheckedGame, state: State, conceal_seed: int) -> None:
    """Checks that a spectator sees no difference between worlds that differ in what single players know."""
    demand = partial(checked.demand, by="conceal")
    guess = state.clone()
    guess.conceal(SPECTATOR, conceal_seed)
    demand(
        state.current_player() == guess.current_player(),
        "conceal from a spectator must keep whose turn it is",
        "conceal для зрителя должна сохранять, чей ход",
    )
    demand(
        state.returns() == guess.returns(),
        "conceal from a spectator must keep the returns",
        "conceal для зрителя должна сохранять выигрыши",
    )
    other = state.clone()
    for player in range(state.players):
        other.conceal(
            player, conceal_seed + 1
        )  # what the others hold is another; in the end everybody holds something else
        twin = other.clone()
        twin.conceal(SPECTATOR, conceal_seed)
        demand(
            bool(guess.record == twin.record),
            "what conceal deals for a spectator (player -1) must depend on nothing that only a player knows",
            "то, что conceal сдаёт для зрителя (игрок -1), не должно зависеть от известного лишь одному игроку",
        )


@dataclass
class _Secret:
    """Statistics of what one player holds that another does not see."""

    #: How often each number of the observation was another in a world that looks the same, and where that was first.
    hidden: Counter[int] = field(default_factory=Counter)
    first: dict[int, CheckedGame] = field(default_factory=dict)
    #: In how many positions two things could change places; where that was first.
    swapped: int = 0
    swap: CheckedGame | None = None
    #: Numbers of the observation that conceal has changed at all.
    changed: set[int] = field(default_factory=set)


class Hidden:
    """Collects over all games with one number of players what conceal does, and judges it at the end."""

    def __init__(self, checked: CheckedGame) -> None:
        self._look = checked
        self._met: dict[tuple[int, bytes], np.void] = {}
        self._secrets: dict[tuple[int, int], _Secret] = defaultdict(_Secret)
        self._worlds: list[tuple[CheckedGame, int, int]] = []
        self._positions = self._pairs = 0
        self._steps = new_stepper(checked.game, checked.config, checked.players, interpreted=True)
        self._draws = np.random.default_rng(SEED)
        #: What seats are told and know, action by action.
        self.knowledge = Knowledge(checked)

    def look_at(self, checked: CheckedGame, state: State) -> None:
        """Looks at a decision, if it is the turn of this one."""
        due = checked.decision < _FIRST or checked.decision % _ONE_IN == checked.number % _ONE_IN
        if not due or self._positions >= _POSITIONS or state.players < 2:
            return
        self._positions += 1
        player, here = state.current_player(), replace(checked, state=state.clone())
        self._meet(player, state.record.copy(), checked.number, here)
        self._twins(here, state)
        self._swap(here, player, state.record.copy())
        if len(self._worlds) < _WORLDS and checked.decision % 3 == checked.number % 3:
            self._worlds.append((here, player, checked.number))

    def judge(self) -> list[Text]:
        """Raises if what was gathered breaks a promise; returns what was found that may be meant so."""
        self.knowledge.judge()
        self._deals()
        for (player, other), secret in sorted(self._secrets.items()):
            left = [k for k, times in sorted(secret.hidden.items()) if times >= _OFTEN and k not in secret.changed]
            if left:
                what = ", ".join(self._look.game.names[k] for k in left[:6])
                raise secret.first[left[0]].broken(_left(player, other, f" ({what})"), by="conceal")
            if secret.swap is not None and secret.swapped >= _OFTEN and not secret.changed:
                raise secret.swap.broken(_left(player, other, ""), by="conceal")
        self._play_on()
        return self.knowledge.doubts()

    def _deals(self) -> None:
        """Checks that conceal deals a player what all deals show; openings that look the same are met here, too."""
        seats = range(self._look.players)
        dealt, views = [], []
        deals = _MORE if self._look.game.observation <= _FEW else _DEALS
        for number in range(deals):
            self._steps.begin(SEED, number)
            record = self._steps.record.copy()
            dealt.append(record)
            views.append([self._steps.see(seat) for seat in seats])
            if record["player"] >= 0 and self._look.players > 1:
                self._meet(int(record["player"]), record, number)
        self.knowledge.look_at_deals(dealt)
        always = [_Always(np.array([view[seat] for view in views])) for seat in seats]
        wrong: Counter[tuple[int, int]] = Counter()
        for conceal_seed in range(_REDEALT):
            for player in (*seats, SPECTATOR):
                steps = self._conceal(dealt[conceal_seed], player, conceal_seed)
                wrong.update((player, seat) for seat in seats if not always[seat].fits(steps.see(seat)))
        for (player, seat), times in sorted(wrong.items(), reverse=True):
            if times >= _WRONG:
                raise self._opening(0, dealt[0]).broken(_cannot_be(player, seat, deals), by="conceal")

    def _opening(self, number: int, record: np.void) -> CheckedGame:
        """The deal of a game, as the place of what is found there."""
        checked = replace(self._look, number=number, decision=0)
        checked.state = State(
            checked.game, players=checked.players, config=checked.config, seed=SEED, number=number, interpreted=True
        )
        checked.state.put_record(np.array([record]))
        return checked

    def _put(self, record: np.void) -> Steps:
        self._steps.workspace["states"][0, LIVE] = record
        return self._steps

    def _conceal(self, record: np.void, player: int, conceal_seed: int) -> Steps:
        steps = self._put(record)
        steps.workspace["conceal_rng"]["stream"][0, 0] = np.uint64(conceal_seed)
        steps.hide(player)
        return steps

    def _meet(self, player: int, record: np.void, number: int, checked: CheckedGame | None = None) -> None:
        """Meets a world that may look to the player as one met before; without a place it is the deal of a game."""
        seen = self._put(record).see(player)
        key = (player, hashlib.blake2b(seen.tobytes(), digest_size=16).digest())
        before = self._met.setdefault(key, record)
        if before.tobytes() != record.tobytes():
            self._alike(checked or self._opening(number, record), player, record, before)

    def _twins(self, checked: CheckedGame, state: State) -> None:
        """Two answers of the one to move that the next one cannot tell apart."""
        legal = state.legal_actions()
        worlds = [state.clone(), state.clone()]
        for world, action in zip(worlds, (legal[0], legal[-1]), strict=True):
            world.observer = None
            world.apply_action(action)
        player = worlds[0].current_player()
        if player in (-1, state.current_player()) or worlds[1].current_player() != player:
            return
        one, other = (world.record.copy() for world in worlds)
        if np.array_equal(self._put(one).see(player), self._put(other).see(player)):
            self._alike(replace(checked, decision=checked.decision + 1, state=worlds[0]), player, one, other)

    def _alike(self, checked: CheckedGame, player: int, one: np.void, other: np.void) -> None:
        """Notes what others see differently in two worlds that look the same to a player, and what conceal changes."""
        self._pairs += 1
        if self._pairs > _PAIRS:
            return
        views = {seat: self._put(one).see(seat) for seat in range(checked.players) if seat != player}
        for seat, view in views.items():
            secret = self._secrets[player, seat]
            for k in _differing(view, self._put(other).see(seat)):
                secret.hidden[k] += 1
                secret.first.setdefault(k, checked)
        self._redeal(player, one, views)

    def _redeal(self, player: int, record: np.void, views: dict[int, Seen]) -> None:
        for conceal_seed in range(_CONCEAL_SEEDS):
            steps = self._conceal(record, player, conceal_seed)
            for seat, view in views.items():
                self._secrets[player, seat].changed.update(_differing(view, steps.see(seat)))

    def _swap(self, checked: CheckedGame, player: int, record: np.void) -> None:
        """Two things of the state change places where the player to move sees neither, and another one does."""
        others = {seat for seat in range(checked.players) if seat != player and not self._secrets[player, seat].changed}
        if not others or self._positions > _SWAPPED:
            return
        views = {seat: self._put(record).see(seat) for seat in (player, *others)}
        met: set[int] = set()
        for swapped in self._swaps(record):
            try:
                if not np.array_equal(self._put(swapped).see(player), views[player]):
                    continue
                met.update(seat for seat in others - met if self._matters(record, swapped, seat))
            except (ArithmeticError, LookupError, ValueError):
                continue  # no such world can be; the rules owe it nothing
        for seat in met:
            secret = self._secrets[player, seat]
            secret.swapped += 1
            secret.swap = secret.swap or checked
        if met:
            self._redeal(player, record, {seat: views[seat] for seat in others})

    def _swaps(self, record: np.void) -> Iterator[np.void]:
        names = [name for name in self._look.game.state.names or () if record[name].size > 1]
        for _ in range(_SWAPS if names else 0):
            swapped = record.copy()
            flat = swapped[names[self._draws.integers(len(names))]].reshape(-1)
            one, other = self._draws.integers(flat.size, size=2)
            if flat.dtype.names is None and flat[one] != flat[other]:
                flat[one], flat[other] = flat[other], flat[one]
                yield swapped

    def _matters(self, record: np.void, swapped: np.void, seat: int) -> bool:
        """Whether a player sees something else, and not the same in another order: other numbers, or other options."""
        one, other = self._put(record).see(seat), self._put(swapped).see(seat)
        if np.array_equal(one, other):
            return False
        return not np.array_equal(np.sort(one), np.sort(other)) or self._options(record, seat) != self._options(
            swapped, seat
        )

    def _options(self, record: np.void, seat: int) -> list[int]:
        turned = record.copy()
        turned["player"] = seat
        steps = self._put(turned)
        return steps.ids[: steps.options()].tolist()

    def _play_on(self) -> None:
        """Worlds that conceal deals can be played to their end, as true ones were before."""
        decisions = 0
        for checked, player, conceal_seed in self._worlds:
            assert checked.state is not None
            world, checked.state = checked.state, None
            world.observer = None
            try:
                with checked.located_errors():
                    world.conceal(player, conceal_seed)
                    checked.state = world.clone()
                    while not world.is_terminal() and decisions < _PLAYED:
                        decisions += 1
                        _check_world(checked, world)
                        world.apply_action(world.choice_of(0))
            except CheckError as error:
                raise CheckError(
                    Text(
                        f"what conceal deals for player {player} can be played on, as true games can; it cannot:"
                        f" {error.text.en}",
                        f"то, что conceal сдаёт для игрока {player}, можно доиграть, как и настоящую партию; а нельзя:"
                        f" {error.text.ru}",
                    )
                ) from None


class _Always:
    """Invariants of what all deals show a player: constant numbers, and kinds with constant counts."""

    def __init__(self, views: Any) -> None:
        self._fixed = (views == views[0]).all(axis=0)
        self._view = views[0]
        kinds = np.unique(views)
        counted = ((kind, (views == kind).sum(axis=1)) for kind in (kinds if len(kinds) <= _KINDS else ()))
        self._counts = [(kind, counts[0]) for kind, counts in counted if (counts == counts[0]).all()]

    def fits(self, view: Seen) -> bool:
        """Whether this could have been seen in one of the deals."""
        same = np.array_equal(view[self._fixed], self._view[self._fixed])
        return same and all((view == kind).sum() == count for kind, count in self._counts)


def _differing(one: Seen, other: Seen) -> list[int]:
    places: list[int] = np.flatnonzero(one != other).tolist()
    return places


def _check_world(checked: CheckedGame, world: State) -> None:
    legal, mover = world.legal_actions(), world.current_player()
    checked.demand(
        bool(legal), f"player {mover} is to move and has no options", f"ходит игрок {mover}, а вариантов у него нет"
    )
    count = world.count_actions()
    checked.demand(
        count == len(legal) and {world.nth_action(0), world.nth_action(count - 1)} <= set(legal),
        "options counted and picked by number are not the listed ones",
        "варианты, сосчитанные и взятые по номеру, не те, что в списке",
        by="count_actions" if "count_actions" in checked.game.rules else "legal_actions",
    )


def _left(player: int, other: int, what: str) -> Text:
    return Text(
        f"conceal must deal anew all that player {player} cannot know: what player {other} sees and observe hides from"
        f" her{what} stays as it is whatever the luck, so that `search` would know it",
        f"conceal должна пересдавать всё, чего игрок {player} знать не может: то, что видит игрок {other}, а от него"
        f" observe скрывает{what}, остаётся прежним при любом случае, и `search` это знал бы",
    )


def _cannot_be(player: int, seat: int, deals: int) -> Text:
    whom = Text("a spectator (player -1)", "зрителя (игрок -1)")
    whom = whom if player == SPECTATOR else Text(f"player {player}", f"игрока {player}")
    return Text(
        f"conceal may deal only what setup could have dealt: dealt anew for {whom.en}, before the first decision,"
        f" player {seat} holds what she holds in none of {deals} deals, such as a card too many or too few",
        f"conceal должна сдавать лишь то, что могла бы сдать setup: после пересдачи для {whom.ru} до первого решения у"
        f" игрока {seat} оказывается то, чего у него нет ни в одной из раздач ({deals}), скажем лишняя карта",
    )
