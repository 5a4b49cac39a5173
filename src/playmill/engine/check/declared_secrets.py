"""Checks positions against the declaration of what is hidden (`HIDDEN`), and hand-written hooks beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from playmill.engine.check.findings import CheckedGame
from playmill.engine.check.worlds import as_array, place_text
from playmill.engine.contract.secrets import DerivedSecrets
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SHUFFLE_BUFFER_SIZE, GameRng
from playmill.engine.lang.rule import SPECTATOR, interpreted
from playmill.engine.run.stepper import Steps
from playmill.texts import Text

#: How often each position is dealt anew, and in how many a field must have been hidden before conceal is found wanting.
_DEALS, _OFTEN = 6, 3


class DeclaredSecrets:
    """Checks a declaration in the positions of games, and collects what a conceal of the author's own deals anew."""

    def __init__(self, checked: CheckedGame, secrets: DerivedSecrets, steps: Steps) -> None:
        self._secrets, self._steps = secrets, steps
        self._cfg = plain(steps.workspace["cfg"])[0]
        self._names = list(secrets.fields)
        rules = checked.game.rules
        self._own_conceal = rules["conceal"] is not secrets.redeal
        #: Of each player and field: in how many positions it could be dealt anew, and where that was first.
        self._hidden: Counter[tuple[int, str]] = Counter()
        self._first: dict[tuple[int, str], CheckedGame] = {}
        self._changed: set[tuple[int, str]] = set()

    def look_at(self, checked: CheckedGame, record: np.void) -> None:
        """Checks a position."""
        self._check_seats(checked, record)
        self._check_players(checked, record)
        for pool in {secret.pool: None for secret in self._secrets.fields.values()}:
            self._check_pool(checked, record, pool)
        for player in (*range(checked.players), SPECTATOR):
            self._check_possible(checked, record, player)
        for player in range(checked.players):
            worlds = [self._redealt(record, player, seed) for seed in range(_DEALS)]
            self._check_observe(checked, record, worlds, player)
            if self._own_conceal:
                self._check_conceal(checked, record, worlds, player)

    def varying_pools(self, deals: Sequence[np.void]) -> Iterator[Text]:
        """Warns of fields that hold other cards in every deal, whose deck is not declared."""
        for pool in self._pools:
            fields = ", ".join(repr(name) for name in self._of_pool(pool))
            if any(one.copies is not None for one in self._secrets.fields.values() if one.pool == pool):
                continue
            found = [sorted(value for *_, value in self._lying(deal, pool)) for deal in deals]
            other = next((cards for cards in found if cards != found[0]), None)
            if other is not None:
                yield Text(
                    f"the cards in {fields} are not the same in every deal ({_extra(found[0], other)} here,"
                    f" {_extra(other, found[0])} there), and only those are dealt anew: if some lie in no field, state"
                    " all of them by deck=…; if cards stay in a row that are gone, say how many count by count=… or"
                    " taken=…; if they are no cards, say values=…",
                    f"карты в {fields} не во всех раздачах одни и те же (здесь {_extra(found[0], other)}, там"
                    f" {_extra(other, found[0])}), а пересдаются только они: если часть не лежит ни в одном поле,"
                    " укажите все через deck=…; если в ряду остаются ушедшие карты, скажите, сколько из них есть, через"
                    " count=… или taken=…; если это не карты, укажите values=…",
                )

    def judge(self) -> None:
        """Raises if a conceal of the author's own leaves a field that is declared hidden as it is."""
        for (player, name), times in sorted(self._hidden.items()):
            if times >= _OFTEN and (player, name) not in self._changed:
                raise self._first[player, name].broken(
                    Text(
                        f"conceal never deals the field {name!r} anew, which HIDDEN hides from player {player}",
                        f"conceal ни разу не пересдаёт поле {name!r}, а HIDDEN скрывает его от игрока {player}",
                    ),
                    by="conceal",
                )

    def _check_seats(self, checked: CheckedGame, record: np.void) -> None:
        """Nothing lies before seats where nobody plays, and rows hold no more than they have room for."""
        for name, secret in self._secrets.fields.items():
            shape = record[name].shape
            for option in (secret.count, secret.taken):
                counts = [] if option is None else np.atleast_1d(record[option]).reshape(-1).tolist()
                checked.demand(
                    all(0 <= count <= shape[-1] for count in counts),
                    f"{option!r} says how much of {name!r} is there, 0 … {shape[-1] if shape else 1}, and is {counts}",
                    f"{option!r} говорит, сколько есть в {name!r}, 0 … {shape[-1] if shape else 1}, а равно {counts}",
                )
            if secret.seen_by == "owner":
                row = record[name].size // shape[0]
                lies, s = interpreted(self._secrets.lies[name]), plain(as_array(record))[0]
                found = [place for place in range(checked.players * row, record[name].size) if lies(s, place)]
                checked.demand(
                    not found,
                    f"something lies at {place_text(record, name, (found or [0])[0])}, the row of a seat where nobody"
                    f" plays, and would be dealt to the others: write {secret.empty} there in setup, or use count=…",
                    f"в {place_text(record, name, (found or [0])[0])} что-то лежит, а на этом месте никто не играет, и"
                    f" его сдали бы другим: запишите там {secret.empty} в setup или укажите count=…",
                    by="setup",
                )

    def _check_players(self, checked: CheckedGame, record: np.void) -> None:
        """Words and pictures, which are not told how many play, see the same as the rules."""
        for player in range(checked.players):
            checked.demand(
                bool(
                    self._secrets.mask(self._cfg, record, player)
                    == self._secrets.masked(checked.config, record, player)
                ),
                "what is hidden depends on cfg.players, which words and pictures are not told: give the state a field"
                " `players`, and let setup write s.players = cfg.players",
                "что скрыто, зависит от cfg.players, а слова и картинки его не знают: дайте состоянию поле `players` и"
                " пишите в setup s.players = cfg.players",
            )

    def _check_pool(self, checked: CheckedGame, record: np.void, pool: str) -> None:
        """Cards of a pool are those of its deck, and no more than can be dealt anew."""
        cards = Counter(value for _, _, value in self._lying(record, pool))
        copies = next(
            (one.copies for one in self._secrets.fields.values() if one.pool == pool and one.copies is not None), None
        )
        fields = ", ".join(repr(name) for name in self._of_pool(pool))
        for card, count in sorted(cards.items()) if copies is not None else ():
            most = copies[card] if copies is not None and 0 <= card < len(copies) else 0
            checked.demand(
                count <= most,
                f"{count} of card {card} lie in {fields}, and the deck that HIDDEN declares has {most}",
                f"карт {card} в {fields} лежит {count}, а в колоде, объявленной в HIDDEN, их {most}",
            )
        hidden = self._secrets.hidden_places(self._cfg, as_array(record), SPECTATOR)
        count = sum(len(hidden[name]) for name in self._of_pool(pool))
        checked.demand(
            count <= SHUFFLE_BUFFER_SIZE,
            f"{count} hidden cards lie in {fields}, and {SHUFFLE_BUFFER_SIZE} is the most that can be dealt anew at"
            " once; give fields with other cards another pool=…",
            f"в {fields} скрытых карт {count}, а разом пересдать можно не больше {SHUFFLE_BUFFER_SIZE}; полям с другими"
            " картами дайте другой pool=…",
        )

    def _check_possible(self, checked: CheckedGame, record: np.void, player: int) -> None:
        possible = self._secrets.possible
        if possible is None:
            return
        whom = Text("a spectator (-1)", "зрителя (-1)")
        whom = whom if player == SPECTATOR else Text(f"player {player}", f"игрока {player}")
        checked.demand(
            bool(interpreted(possible)(self._cfg, plain(as_array(record))[0], player)),
            f"`possible` refuses the true position, for {whom.en}",
            f"`possible` отвергает настоящую позицию, для {whom.ru}",
            by=possible,
        )
        dealt = self._redealt(record, player, 0)
        checked.demand(
            bool(interpreted(possible)(self._cfg, plain(as_array(dealt))[0], player)),
            f"`possible` refuses every one of very many deals for {whom.en}: too few fit for dealing until one does;"
            " write a conceal of your own",
            f"`possible` отвергает каждую из очень многих раздач для {whom.ru}: подходящих слишком мало, чтобы сдавать"
            " до первой; напишите свою conceal",
            by=possible,
        )

    def _check_observe(self, checked: CheckedGame, record: np.void, worlds: list[np.void], player: int) -> None:
        """An observe of the author's own does not show what is declared hidden."""
        sees = self._seen(record, player)
        for world in worlds:
            if np.array_equal(sees, self._seen(world, player)):
                continue
            shown = [
                name for name in self._names if not np.array_equal(sees, self._seen(_with(record, world, name), player))
            ]
            what = ", ".join(repr(name) for name in shown or self._names)
            raise checked.broken(
                Text(
                    f"observe shows player {player} the field {what} where HIDDEN hides it",
                    f"observe показывает игроку {player} поле {what} там, где HIDDEN его скрывает",
                ),
                by="observe",
            )

    def _check_conceal(self, checked: CheckedGame, record: np.void, worlds: list[np.void], player: int) -> None:
        hidden = self._secrets.hidden_places(self._cfg, as_array(record), player)
        lying = [(name, place) for pool in self._pools for name, place, _ in self._lying(record, pool)]
        for name in self._names:
            if any(np.any(world[name] != record[name]) for world in worlds):
                self._hidden[player, name] += 1
                self._first.setdefault((player, name), checked)
        for seed in range(_DEALS):
            self._put(record)
            self._steps.workspace["conceal_rng"]["stream"][0, 0] = np.uint64(seed)
            self._steps.hide(player)
            dealt = self._record
            for name, place in lying:
                same = dealt[name].reshape(-1)[place] == record[name].reshape(-1)[place]
                if same:
                    continue
                checked.demand(
                    place in hidden[name],
                    f"conceal deals {place_text(record, name, place)} anew, which player {player} knows by HIDDEN",
                    f"conceal пересдаёт {place_text(record, name, place)}, а игрок {player} это знает по HIDDEN",
                    by="conceal",
                )
                self._changed.add((player, name))
            for pool in self._pools:
                if all(one.copies is None for one in self._secrets.fields.values() if one.pool == pool):
                    counts = [sorted(value for *_, value in self._lying(one, pool)) for one in (record, dealt)]
                    checked.demand(
                        counts[0] == counts[1],
                        f"conceal must deal the same cards anew, and deals others: {_extra(counts[1], counts[0])} in"
                        f" place of {_extra(counts[0], counts[1])} in {', '.join(map(repr, self._of_pool(pool)))}",
                        f"conceal должна пересдавать те же карты, а сдаёт другие: {_extra(counts[1], counts[0])} вместо"
                        f" {_extra(counts[0], counts[1])} в {', '.join(map(repr, self._of_pool(pool)))}",
                        by="conceal",
                    )

    @property
    def _pools(self) -> list[str]:
        return list({one.pool: None for one in self._secrets.fields.values() if one.values is None})

    def _of_pool(self, pool: str) -> list[str]:
        return [name for name, one in self._secrets.fields.items() if one.pool == pool and one.values is None]

    def _lying(self, record: np.void, pool: str) -> Iterator[tuple[str, int, int]]:
        """Everything that lies in the fields of a pool: field, place and card."""
        s = plain(as_array(record))[0]
        for name in self._of_pool(pool):
            lies, values = interpreted(self._secrets.lies[name]), record[name].reshape(-1)
            yield from ((name, place, int(value)) for place, value in enumerate(values) if lies(s, place))

    def _put(self, record: np.void) -> None:
        self._steps.workspace["states"][0, LIVE] = record

    @property
    def _record(self) -> np.void:
        record: np.void = self._steps.workspace["states"][0, LIVE].copy()
        return record

    def _seen(self, record: np.void, player: int) -> Any:
        self._put(record)
        return self._steps.see(player)

    def _redealt(self, record: np.void, player: int, seed: int) -> np.void:
        """A world that looks the same to a player by the declaration."""
        source, rng = as_array(record), np.zeros(1, GameRng)
        rng["stream"][0, 0] = seed
        interpreted(self._secrets.redeal)(self._cfg, plain(source)[0], player, plain(rng)[0])
        found: np.void = source[0]
        return found


def _with(record: np.void, world: np.void, name: str) -> np.void:
    """A record with one field of another."""
    found = record.copy()
    found[name] = world[name]
    return found


def _extra(cards: list[int], others: list[int]) -> str:
    """Cards that are among these and not among others."""
    return ", ".join(map(str, (Counter(cards) - Counter(others)).elements())) or "–"
