"""The config of Save Oneself: a model of every setting, with its range and its meaning."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from playmill.author import ConfigError, Packed, RuleConfig, Text, setting
from playmill.games.save_oneself.config.legacy_keys import add_back_names, add_front_names, as_ours
from playmill.games.save_oneself.config.record import Numbers
from playmill.games.save_oneself.constants import (
    CARD_IDS,
    CARDS,
    CORNERS,
    EIGHTS,
    FIXED_NEEDS,
    MAP_C,
    MAP_R,
    MAPS_CROSS,
    MAX_LIVES,
    MAX_POINTS,
    NEVER,
    NO_CORNER,
    SHIP_WAITING,
    SIDE_IDS,
    SIDES,
)

Corner = Literal["NE", "SE", "SW", "NW"]
Kind = Literal["up", "stand", "ship_waiting", "maps_cross", "by_itself", "with_map_r"]
_BITS = {"ship_waiting": SHIP_WAITING, "maps_cross": MAPS_CROSS, "by_itself": NEVER, "with_map_r": NEVER}
_WITH_SIDE = ("up", "stand")


class _ConfigObject(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Completed(_ConfigObject):
    """A part that a file may give in part: what it leaves out comes with the game (see `_completed`)."""


class Need(_ConfigObject):
    """One condition for turning a card over."""

    kind: Kind = setting(
        Text("Condition", "Условие"),
        Text(
            "up: that side lies on the field; stand: the player stands on that side; ship_waiting: the ship lies at "
            "its start corner, not yet under way; maps_cross: both maps lie on the field and the player stands in "
            "map-r's row and map-c's column; by_itself: the rules turn it (storm, mirage, pirates); with_map_r: "
            "together with map-r (map-c).",
            "up: эта сторона лежит на поле; stand: игрок стоит на ней; ship_waiting: корабль стоит в своём начальном "
            "углу и ещё не отплыл; maps_cross: обе карты сокровищ лежат на поле, и игрок стоит в ряду map-r и столбце "
            "map-c; by_itself: карту переворачивают сами правила (storm, mirage, pirates); with_map_r: вместе с map-r "
            "(map-c).",
        ),
    )
    side: str | None = setting(
        Text("Side", "Сторона"),
        Text(
            "The side that `up` and `stand` ask for, such as palm-trees.",
            "Сторона, о которой говорят `up` и `stand`, например palm-trees.",
        ),
        schema={"enum": [*SIDE_IDS, None]},
        default=None,
    )


class Front(_Completed):
    """The front of a card."""

    model_config = ConfigDict(json_schema_extra=add_front_names)

    lives: int = setting(
        Text("Lives", "Жизни"),
        Text("Gained when the card is turned over.", "Сколько даёт, когда карту переворачивают."),
        ge=-MAX_LIVES,
        le=MAX_LIVES,
    )
    score: int = setting(
        Text("Points", "Очки"),
        Text("Points while this side is up at the end.", "Очки, если в конце сверху эта сторона."),
        ge=0,
        le=MAX_POINTS,
    )


class Card(_Completed):
    """A card: its back, with which it enters play, what it needs to be turned over, and its front."""

    model_config = ConfigDict(json_schema_extra=add_back_names)

    lives: int = setting(
        Text("Lives", "Жизни"),
        Text(
            "More than 0: gained once, when revealed. Less: paid at every entering.",
            "Больше 0: получают один раз, когда карту открывают. Меньше: платят каждый раз, шагнув на неё.",
        ),
        ge=-MAX_LIVES,
        le=MAX_LIVES,
    )
    corner: Corner | None = setting(
        Text("Corner of the ship", "Угол корабля"),
        Text(
            "Revealed while there is no ship, it puts one at this corner.",
            "Если корабля ещё нет, открытая карта ставит его у этого угла.",
        ),
    )
    needs: list[Need] = setting(
        Text("Needs", "Что нужно"),
        Text("All must hold to turn the card over.", "Чтобы карту можно было перевернуть, должно быть выполнено всё."),
        schema={"minItems": 1},
        max_length=4,
    )
    front: Front = setting(Text("Front", "Лицевая сторона"), Text("The front of the card.", "Лицевая сторона карты."))


@cache
def shipped() -> dict[str, Any]:
    """The sixteen cards as they come with the game."""
    text = resources.files(__package__).joinpath("data", "cards.json").read_text(encoding="utf-8")
    cards: dict[str, Any] = json.loads(text)
    return cards


def _completed(given: Any) -> Any:
    """Cards as a file gives them, in our names or the seed's; what it leaves out is as it comes with the game."""
    given = as_ours(given)
    if not isinstance(given, dict):
        return given
    for name in given:
        if name not in CARD_IDS:
            listed = ", ".join(CARD_IDS)
            raise ConfigError(
                "cards", f"there is no card {name!r}; the cards are {listed}", f"карты {name!r} нет; есть {listed}"
            )
    return _over(shipped(), given)


def _over(base: Any, given: Any) -> Any:
    if not isinstance(base, dict) or not isinstance(given, dict):
        return given
    return {**base, **{key: _over(base.get(key), value) for key, value in given.items()}}


class Config(RuleConfig):
    """Rules of Save Oneself."""

    lives: int = setting(
        Text("Lives", "Жизни"),
        Text("Lives at the start; there are never more.", "Жизней в начале; больше их не бывает."),
        default=16,
        ge=1,
        le=MAX_LIVES,
    )
    moves: int = setting(Text("Moves", "Ходы"), Text("Moves in a round.", "Ходов в раунде."), default=1, ge=1, le=9)
    compass_moves: int = setting(
        Text("Moves with the compass", "Ходы с компасом"),
        Text("Moves in a round while compass is up.", "Ходов в раунде, пока на поле лежит компас."),
        default=2,
        ge=1,
        le=9,
    )
    tornado_at: int = setting(
        Text("Tornado", "Торнадо"),
        Text(
            "Storm turns to tornado when so many cards lie.", "Шторм становится торнадо, когда выложено столько карт."
        ),
        default=13,
        ge=1,
        le=CARDS,
    )
    cards_per_point: int = setting(
        Text("Cards for a point", "Карт за очко"),
        Text("One point for so many cards placed.", "Одно очко за столько выложенных карт."),
        default=4,
        ge=1,
        le=CARDS,
    )
    lose_on_empty_deck: bool = setting(
        Text("The last card loses", "Последняя карта — проигрыш"),
        Text(
            "The move that takes the last card loses, unless it wins. If false, only a card that is due when there is "
            "none loses.",
            "Ход, взявший последнюю карту, проигрывает, если не побеждает. Если выключено, проигрывает только тот, кто "
            "должен открыть карту, когда их больше нет.",
        ),
        default=False,
    )
    cards: Annotated[dict[str, Card], BeforeValidator(_completed)] = setting(
        Text("Cards", "Карты"),
        Text(
            "The sixteen cards by the name of their back; what is left out is as in the shipped game. The names "
            "direction (corner), requirements (needs), type and backId are read too.",
            "Шестнадцать карт по названию тыльной стороны; чего нет, то как в самой игре. Читаются и имена direction "
            "(corner), requirements (needs), type и backId.",
        ),
        schema={"propertyNames": {"enum": list(CARD_IDS)}},
        default_factory=lambda: {name: Card.model_validate_json(json.dumps(card)) for name, card in shipped().items()},
    )

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        for name, card in self.cards.items():
            _check_needs(f"cards.{name}.needs", name, card)
            _check_numbers(f"cards.{name}", name, card)
        return self

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        packed: Packed = np.zeros(1, Numbers)
        numbers = packed[0]
        for field in ("lives", "moves", "compass_moves", "tornado_at", "cards_per_point", "lose_on_empty_deck"):
            numbers[field] = getattr(self, field)
        for number, name in enumerate(CARD_IDS):
            card = self.cards[name]
            numbers["back_lives"][number] = card.lives
            numbers["corner"][number] = CORNERS.index(card.corner) if card.corner else NO_CORNER
            numbers["front_lives"][number] = card.front.lives
            numbers["points"][number] = card.front.score
            for need in card.needs:
                if need.side is None:
                    numbers["needs"][number] |= _BITS[need.kind]
                else:
                    numbers["needs" if need.kind == "up" else "stands_on"][number] |= 1 << SIDE_IDS.index(need.side)
            if not numbers["needs"][number] & NEVER:
                numbers["choosable"] |= 1 << number
        numbers["needs"][MAP_R] |= 1 << MAP_C  # whatever else map-r needs: the maps turn together
        _invert_needs(numbers)
        return packed


def _invert_needs(numbers: np.void) -> None:
    """Fills the tables of the cards that lack something, from what each of them needs."""
    for card in range(CARDS):
        needs, stands_on = int(numbers["needs"][card]), int(numbers["stands_on"][card])
        for eight in range(EIGHTS):
            lacks = needs >> 8 * eight & 255 & ~np.arange(256) != 0
            numbers["lacking"][eight] |= lacks.astype(np.uint16) << card
        for side in range(SIDES):
            numbers["elsewhere"][side] |= (stands_on & ~(1 << side) != 0) << card


def _check_needs(path: str, name: str, card: Card) -> None:
    """Raises unless what a card needs makes sense."""
    kinds = [need.kind for need in card.needs]
    fixed = FIXED_NEEDS.get(name)
    if fixed and kinds != [fixed]:
        raise ConfigError(
            path,
            f'{name} turns by the rules: its needs stay [{{"kind": "{fixed}"}}]',
            f'{name} переворачивается по правилам: её needs остаются [{{"kind": "{fixed}"}}]',
        )
    if not card.needs:
        raise ConfigError(
            path,
            "the list is empty; expected what must hold to turn the card over",
            "список пуст; ожидается, что нужно, чтобы перевернуть карту",
        )
    for place, need in enumerate(card.needs):
        here = f"{path}.{place}"
        if not fixed and need.kind in FIXED_NEEDS.values():
            only = ", ".join(other for other, kind in FIXED_NEEDS.items() if kind == need.kind)
            raise ConfigError(f"{here}.kind", f"{need.kind} is only for {only}", f"{need.kind} бывает только у {only}")
        _check_side(f"{here}.side", need)
    if kinds.count("stand") > 1:
        raise ConfigError(path, "a player stands on one card only", "игрок стоит только на одной карте")


def _check_side(path: str, need: Need) -> None:
    """Raises unless a condition names a side exactly if it asks for one."""
    if need.kind not in _WITH_SIDE and need.side is not None:
        raise ConfigError(path, f"{need.kind} takes no side", f"для {need.kind} сторона не указывается")
    if need.kind in _WITH_SIDE and need.side not in SIDE_IDS:
        listed = ", ".join(SIDE_IDS)
        missing = Text(f"{need.kind} asks for a side", f"для {need.kind} нужна сторона")
        unknown = Text(f"there is no side {need.side!r}", f"стороны {need.side!r} нет")
        message = missing if need.side is None else unknown
        raise ConfigError(path, f"{message.en}; the sides are {listed}", f"{message.ru}; есть {listed}")


def _check_numbers(path: str, name: str, card: Card) -> None:
    """Raises unless all lives of a card can come to pass."""
    front = f"{path}.front.lives"
    if name == "mirage" and card.lives < 0:
        raise ConfigError(
            f"{path}.lives",
            "expected at least 0: mirage turns as it is revealed, so that nobody enters it",
            "ожидается не меньше 0: мираж переворачивается, как только открыт, и войти в него нельзя",
        )
    if name == "storm" and card.front.lives > 0:
        raise ConfigError(
            front, "expected at most 0: a tornado takes lives", "ожидается не больше 0: торнадо отнимает жизни"
        )
    if name != "storm" and card.front.lives < 0:
        raise ConfigError(
            front,
            "expected at least 0: of the fronts only tornado takes lives",
            "ожидается не меньше 0: из лицевых сторон жизни отнимает только торнадо",
        )
