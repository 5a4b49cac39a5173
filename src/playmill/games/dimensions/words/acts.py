"""Acts of Battle of Dimensions: short forms, phrases and fields of all that a player can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from playmill.author import Text
from playmill.author.words import Act, Action, Acts, Argument
from playmill.games.dimensions import actions
from playmill.games.dimensions.config import FACTION_KEYS, Config
from playmill.games.dimensions.words.names import (
    FACTION_LETTERS,
    FACTION_NAMES,
    blue_kinds,
    card_phrase,
    colour_of,
    kind_key,
)

#: The two factions of each unordered pair, by its number.
PAIRED = tuple(combinations(range(actions.FACTIONS), 2))

_LETTERS = tuple(letter.en for letter in FACTION_LETTERS)
_SQUADS = tuple(map(Text, FACTION_KEYS, ("красный", "зелёный", "жёлтый", "синий", "фиолетовый")))
_BY = tuple(map(Text, FACTION_KEYS, ("красным", "зелёным", "жёлтым", "синим", "фиолетовым")))
_AURAS = Text("Auras", "Ауры Тьмы")


def _kinds(config: Config) -> list[int]:
    """In the Epic rules the blue cards differ by their values."""
    blues = len(blue_kinds(config))
    return [kind for kind in range(actions.FIRST_VALUE_KIND + blues) if kind != actions.BLUE or not blues]


def _card_fields(config: Config, kind: int) -> dict[str, object]:
    made: dict[str, object] = {"card": kind_key(config, kind), "faction": FACTION_KEYS[colour_of(kind)]}
    if kind >= actions.FIRST_VALUE_KIND:
        made["value"] = blue_kinds(config)[kind - actions.FIRST_VALUE_KIND]
    return made


def _epic_only(config: Config, action: Action) -> Text | None:
    return None if blue_kinds(config) else Text("only the Epic rules have it", "это есть только в эпических правилах")


def _same_place(config: Config, action: Action) -> Text | None:
    same = action.source == action.target
    return Text("it must be another Dimension", "нужно другое Измерение") if same else None


def _no_auras(config: Config, action: Action) -> Text | None:
    return _epic_only(config, action) if action.faction == actions.AURA else None


def _no_attack(config: Config, action: Action) -> Text | None:
    if action.target == actions.AURA:
        purple = Text("purple does not attack Auras", "фиолетовые не атакуют Ауры Тьмы")
        return purple if action.faction == actions.PURPLE else _epic_only(config, action)
    return Text("no squad attacks itself", "отряд не атакует сам себя") if action.faction == action.target else None


def _anomaly(name: Text) -> Callable[[Config, Action], dict[str, Text]]:
    """The kinds of an anomaly: itself, and that it is one."""
    return lambda config, action: {action.act: name, "anomaly": Text("any anomaly", "любая аномалия")}


_DIMENSIONS, _FACTIONS = Text("Dimensions", "Измерения"), Text("factions", "фракции")
_CARD = Argument(
    actions.KINDS,
    kind_key,
    Text("cards", "карты"),
    name=lambda config, kind: card_phrase(config, kind, accusative=True),
    field=_card_fields,
    among=_kinds,
)
_FROM = Argument(actions.PLAYERS, plural=_DIMENSIONS, field=[{"from": place + 1} for place in range(actions.PLAYERS)])
_TO = Argument(actions.PLAYERS, plural=_DIMENSIONS, field=[{"to": place + 1} for place in range(actions.PLAYERS)])
_SQUAD = Argument(actions.FACTIONS, _LETTERS, _FACTIONS, name=_SQUADS, field=FACTION_KEYS)
_ATTACKER = replace(_SQUAD, name=_BY)
_TARGET = Argument(
    actions.TARGETS,
    (*_LETTERS, "aura"),
    Text("targets", "цели"),
    name=(*_SQUADS, _AURAS),
    field=(*FACTION_KEYS, "auras"),
)
_SWALLOWED = replace(_TARGET, field=[{"target": name} for name in (*FACTION_KEYS, "auras")])
_PAIR = Argument(
    actions.PAIRS,
    [f"{_LETTERS[one]}-{_LETTERS[other]}" for one, other in PAIRED],
    Text("pairs", "пары"),
    name=[Text.join([FACTION_NAMES[one], FACTION_NAMES[other]], Text(" and ", " и ")) for one, other in PAIRED],
    field=[{"faction": FACTION_KEYS[one], "target": FACTION_KEYS[other]} for one, other in PAIRED],
)

_SWALLOW = Text(
    "plays Black Hole: it swallows the {faction} squad in Dimension {source}",
    "играет Чёрную Дыру: она поглощает {faction} отряд в Измерении {source}",
)
_SWALLOW_AURAS = Text(
    "plays Black Hole: it swallows the Auras in Dimension {source}",
    "играет Чёрную Дыру: она поглощает Ауры Тьмы в Измерении {source}",
)
_ATTACK = Text("attacks the {target} squad with the {faction} one", "атакует {target} отряд {faction}")
_ATTACK_AURAS = Text("attacks the Auras with the {faction} squad", "атакует Ауры Тьмы {faction} отрядом")

ACTS = Acts(
    Act(
        actions.PLAY,
        "play {kind}",
        Text("plays {kind} into the battle", "выкладывает в битву {kind}"),
        {"kind": _CARD},
        kind=Text("a card for the battle", "карта в битву"),
    ),
    Act(
        actions.PUT,
        "put {kind} {target}",
        Text("puts {kind} into Dimension {target}", "кладёт {kind} в Измерение {target}"),
        {"kind": _CARD, "target": _TO},
        kind=Text("reinforce by a card", "усилить картой"),
    ),
    Act(
        actions.PUT_CAPTAIN,
        "captain {target}",
        Text("places the Captain in Dimension {target}", "выкладывает Капитана Силу в Измерение {target}"),
        {"target": _TO},
        key="put_captain",
        why_not=_epic_only,
        kind=Text("place the Captain", "выложить Капитана Силу"),
    ),
    Act(
        actions.SKIP,
        "skip",
        Text("places nothing", "ничего не выкладывает"),
        why_not=_epic_only,
        kind=Text("place nothing", "ничего не выкладывать"),
    ),
    Act(actions.STAY, "stay", Text("does nothing", "ничего не делает"), kind=Text("do nothing", "ничего не делать")),
    Act(
        actions.MOVE,
        "move {kind} {source}>{target}",
        Text(
            "moves {kind} from Dimension {source} to Dimension {target}",
            "перемещает {kind} из Измерения {source} в Измерение {target}",
        ),
        {"source": _FROM, "kind": _CARD, "target": _TO},
        why_not=_same_place,
        kind=Text("move a card", "переместить карту"),
    ),
    Act(
        actions.MOVE_CAPTAIN,
        "captain>{target}",
        Text("moves the Captain to Dimension {target}", "перемещает Капитана Силу в Измерение {target}"),
        {"target": _TO},
        key="move_captain",
        why_not=_epic_only,
        kind=Text("move the Captain", "переместить Капитана Силу"),
    ),
    Act(
        actions.ENTANGLE,
        "entangle {pair}",
        Text(
            "plays Quantum Entanglement: {pair} swap places in the Spiral",
            "играет Квантовую запутанность: {pair} меняются местами в Спирали Сил",
        ),
        {"pair": _PAIR},
        key="entanglement",
        kind=_anomaly(Text("Quantum Entanglement", "Квантовая запутанность")),
    ),
    Act(
        actions.TUNNEL,
        "wormhole {faction} {source}>{target}",
        Text(
            "plays Wormhole: the {faction} squad goes from Dimension {source} to Dimension {target}",
            "играет Кротовую Нору: {faction} отряд уходит из Измерения {source} в Измерение {target}",
        ),
        {"source": _FROM, "faction": _SQUAD, "target": _TO},
        why_not=_same_place,
        kind=_anomaly(Text("Wormhole", "Кротовая Нора")),
    ),
    Act(
        actions.SWALLOW,
        "blackhole {faction}@{source}",
        lambda config, action: _SWALLOW_AURAS if action.faction == actions.AURA else _SWALLOW,
        {"source": _FROM, "faction": _SWALLOWED},
        key="black_hole",
        why_not=_no_auras,
        kind=_anomaly(Text("Black Hole", "Чёрная Дыра")),
    ),
    Act(
        actions.BANG,
        "bigbang",
        Text(
            "plays Big Bang: the Black Hole pile returns to the deck",
            "играет Большой Взрыв: все карты из Чёрной Дыры возвращаются в колоду",
        ),
        key="big_bang",
        kind=_anomaly(Text("Big Bang", "Большой Взрыв")),
    ),
    Act(
        actions.LOOP,
        "timeloop",
        Text(
            "plays Time Loop: one more turn right after this one",
            "играет Временную Петлю: сразу после этого хода будет ещё один",
        ),
        key="time_loop",
        kind=_anomaly(Text("Time Loop", "Временная Петля")),
    ),
    Act(actions.HOLD, "hold", Text("does not attack", "не атакует"), kind=Text("do not attack", "не атаковать")),
    Act(
        actions.STRIKE,
        "attack {faction}>{target}",
        lambda config, action: _ATTACK_AURAS if action.target == actions.AURA else _ATTACK,
        {"faction": _ATTACKER, "target": _TARGET},
        why_not=_no_attack,
        kind=Text("attack", "атаковать"),
    ),
    examples=Text("'put G 2', 'move R 1>3' or 'attack Y>R'", "'put G 2', 'move R 1>3' или 'attack Y>R'"),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields
