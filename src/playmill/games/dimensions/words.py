"""Battle of Dimensions in words: cards, actions, states and events, in English and Russian.

Players and Dimensions are numbered from 1 wherever people or plain Python agents read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from playmill.games.dimensions.actions import (
    ACTIONS,
    ANOMALIES,
    AURA,
    BLACK_HOLE,
    BLUE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    PURPLE,
    RED,
    TIME_LOOP,
    YELLOW,
    Action,
    take_apart,
)
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.rules import (
    ANOMALY_CARD,
    ATTACK,
    BATTLE,
    BY_COUNT,
    CAPTAIN_AVAILABLE,
    MOVEMENT,
    NOBODY,
    REINFORCE,
)
from playmill.texts import Lang, PlaymillError, Text

TITLE = Text("Battle of Dimensions", "Битва Измерений")
ABOUT = Text(
    "five factions fight for the Dimensions by cards, the Spiral of Forces and one anomaly",
    "пять фракций сражаются за Измерения картами, Спиралью Сил и одной аномалией",
)

FACTION_KEYS = ("red", "green", "yellow", "blue", "purple")
FACTION_LETTERS = (Text("R", "К"), Text("G", "З"), Text("Y", "Ж"), Text("B", "С"), Text("P", "Ф"))
FACTION_NAMES = (
    Text("red", "красные"),
    Text("green", "зелёные"),
    Text("yellow", "жёлтые"),
    Text("blue", "синие"),
    Text("purple", "фиолетовые"),
)
ANOMALY_TITLES = (
    Text("Quantum Entanglement", "Квантовая запутанность"),
    Text("Wormhole", "Кротовая Нора"),
    Text("Black Hole", "Чёрная Дыра"),
    Text("Big Bang", "Большой Взрыв"),
    Text("Time Loop", "Временная Петля"),
)
PLAYER_WORD = Text("player", "игрок")
DIMENSION_WORD = Text("Dimension", "Измерение")
CAPTAIN_WORD = Text("Captain Force", "Капитан Сила")
AURAS_WORD = Text("Auras of Darkness", "Ауры Тьмы")
SPIRAL_WORD = Text("Spiral of Forces", "Спираль Сил")
DECK_WORD = Text("Deck", "Колода")
HAND_WORD = Text("Hand", "Рука")
EMPTY_WORD = Text("empty", "пусто")
NOBODY_WINS = Text("nobody wins", "никто не победил")
FINAL_TURN = Text("final turn", "финальный ход")
DECISION_NAMES = {
    "battle": Text("Battle", "Битва"),
    "reinforce": Text("Reinforce", "Усиление"),
    "move": Text("Move or anomaly", "Перемещение или аномалия"),
    "attack": Text("Attack", "Атака"),
}

_TIES = (
    Text("", ""),
    Text("; the tie is broken by the Spiral of Forces", "; ничью решила Спираль Сил"),
    Text("; the tie is broken by lot", "; ничью решил жребий"),
)
_DECISIONS = tuple(DECISION_NAMES)
_CARD_RU = ("красная", "зелёная", "жёлтая", "синяя", "фиолетовая")
_CARD_RU_ACCUSATIVE = ("красную", "зелёную", "жёлтую", "синюю", "фиолетовую")
_SQUAD_RU = ("красный", "зелёный", "жёлтый", "синий", "фиолетовый")
_SQUAD_RU_BY = ("красным", "зелёным", "жёлтым", "синим", "фиолетовым")

#: An action as a phrase: {card} is one card, {squad} the faction named first, {target} the second, {here} the source.
_PHRASES = {
    "play": Text("plays {card} into the battle", "выкладывает в битву {card}"),
    "put": Text("puts {card} into Dimension {there}", "кладёт {card} в Измерение {there}"),
    "put_captain": Text("places the Captain in Dimension {there}", "выкладывает Капитана Силу в Измерение {there}"),
    "skip": Text("places nothing", "ничего не выкладывает"),
    "stay": Text("does nothing", "ничего не делает"),
    "move": Text(
        "moves {card} from Dimension {here} to Dimension {there}",
        "перемещает {card} из Измерения {here} в Измерение {there}",
    ),
    "move_captain": Text("moves the Captain to Dimension {there}", "перемещает Капитана Силу в Измерение {there}"),
    "entanglement": Text(
        "plays Quantum Entanglement: {squad} and {target} swap places in the Spiral",
        "играет Квантовую запутанность: {one} и {other} меняются местами в Спирали Сил",
    ),
    "wormhole": Text(
        "plays Wormhole: the {squad} squad goes from Dimension {here} to Dimension {there}",
        "играет Кротовую Нору: {squad} отряд уходит из Измерения {here} в Измерение {there}",
    ),
    "black_hole": Text(
        "plays Black Hole: it swallows the {squad} squad in Dimension {here}",
        "играет Чёрную Дыру: она поглощает {squad} отряд в Измерении {here}",
    ),
    "black_hole aura": Text(
        "plays Black Hole: it swallows the Auras in Dimension {here}",
        "играет Чёрную Дыру: она поглощает Ауры Тьмы в Измерении {here}",
    ),
    "big_bang": Text(
        "plays Big Bang: the Black Hole pile returns to the deck",
        "играет Большой Взрыв: все карты из Чёрной Дыры возвращаются в колоду",
    ),
    "time_loop": Text(
        "plays Time Loop: one more turn right after this one",
        "играет Временную Петлю: сразу после этого хода будет ещё один",
    ),
    "hold": Text("does not attack", "не атакует"),
    "attack": Text("attacks the {target} squad with the {squad} one", "атакует {target} отряд {by}"),
    "attack aura": Text("attacks the Auras with the {squad} squad", "атакует Ауры Тьмы {by} отрядом"),
}


def blue_kinds(config: Config) -> tuple[int, ...]:
    """The values of the kinds from FIRST_VALUE_KIND on; none in the plain rules, where blue is one kind."""
    return tuple(sorted(set(config.blue_values))) if config.mode == "epic" else ()


def colour_of(kind: int) -> int:
    """The faction of a kind of card."""
    return kind if kind < FIRST_VALUE_KIND else BLUE


def kind_name(config: Config, kind: int) -> Text:
    """A card in a list: "blue 17", "red"."""
    return _card(config, kind, _CARD_RU, "") if kind >= FIRST_VALUE_KIND else Text(FACTION_KEYS[kind], _CARD_RU[kind])


def kind_key(config: Config, kind: int, lang: Lang = "en") -> str:
    """A card in short: "B17", "R"."""
    return _key(blue_kinds(config), kind, lang)


def cards_word(number: int) -> Text:
    """A number of cards: "1 card", "5 cards"."""
    return Text(f"{number} card{'' if number == 1 else 's'}", f"карт: {number}")


def player_name(s: np.void, player: int) -> Text:
    """A player with her faction: "player 2 (green)"."""
    faction = FACTION_NAMES[s["faction"][player]]
    return Text(f"player {player + 1} ({faction.en})", f"игрок {player + 1} ({faction.ru})")


def players_of(s: np.void) -> int:
    """How many play."""
    return int((s["owner"] >= 0).sum())


def cards_of(row: Iterable[int]) -> list[int]:
    """The kinds of the cards counted in a row of all kinds, one entry a card."""
    return [kind for kind, count in enumerate(row) for _ in range(count)]


def anomalies_of(bits: int) -> list[int]:
    """The anomalies of a mask of bits."""
    return [anomaly for anomaly in range(ANOMALIES) if int(bits) >> anomaly & 1]


def auras_in(s: np.void, dimension: int) -> list[int]:
    """The kinds of the cards of an Aura stack, the top one last."""
    return [int(card) >> 3 for card in s["aura_cards"][: s["auras"]] if card & 7 == dimension]


def count_of(s: np.void, faction: int) -> int:
    """Cards on the table that count for a faction in the end."""
    extra = int(s["auras"]) if faction == PURPLE else int(faction == RED and s["captain_at"] >= 0)
    return int(s["squad"][: players_of(s), faction].sum()) + extra


def describe(config: Config, action: int) -> Text:
    """An action as a phrase that follows the name of its player."""
    act, kind, faction, source, target = _known(config, action)
    aura = AURA in (faction, target if act == "attack" else NOBODY)
    phrase = _PHRASES[f"{act} aura" if aura else act]
    card = _card(config, kind, _CARD_RU_ACCUSATIVE, "карту") if kind >= 0 else Text("", "")
    first, second = min(faction, PURPLE), min(target, PURPLE)
    numbers = {"here": source + 1, "there": target + 1}
    return Text(
        phrase.en.format(card=card.en, squad=FACTION_KEYS[first], target=FACTION_KEYS[second], **numbers),
        phrase.ru.format(
            card=card.ru,
            squad=_SQUAD_RU[first],
            target=_SQUAD_RU[second],
            by=_SQUAD_RU_BY[first],
            one=FACTION_NAMES[first].ru,
            other=FACTION_NAMES[second].ru,
            **numbers,
        ),
    )


def to_text(config: Config, action: int) -> str:
    """The short text form of an action, the same in all languages; `parse` reads it."""
    return _text_form(_known(config, action), blue_kinds(config))


def parse(config: Config, text: str) -> int:
    """The action of a text form; spaces and capitals do not matter, anything else is an error that quotes it."""
    action = _table(blue_kinds(config))[1].get(_plain(text))
    if action is None:
        quoted = repr(text if len(text) <= 80 else text[:79] + "…")
        raise PlaymillError(
            f"there is no action {quoted}; actions look like 'put G 2', 'move R 1>3' or 'attack Y>R'",
            f"действия {quoted} нет; действия выглядят так: 'put G 2', 'move R 1>3' или 'attack Y>R'",
        )
    return action


def fields(config: Config, action: int) -> dict[str, object]:
    """An action as JSON-able fields: `act` and those of card, faction, value, from, to, target that it has."""
    act, kind, faction, source, target = _known(config, action)
    names = (*FACTION_KEYS, "auras")
    made: dict[str, object] = {"act": act}
    if kind >= 0:
        made |= {"card": kind_key(config, kind), "faction": FACTION_KEYS[colour_of(kind)]}
        if kind >= FIRST_VALUE_KIND:
            made["value"] = blue_kinds(config)[kind - FIRST_VALUE_KIND]
    if faction >= 0:
        made["target" if act == "black_hole" else "faction"] = names[faction]
    if source >= 0:
        made["from"] = source + 1
    if act in ("entanglement", "attack"):
        made["target"] = names[target]
    elif target >= 0:
        made["to"] = target + 1
    return made


def decision_kind(s: np.void) -> str:
    """Which decision a state waits for; a finished game waits for none, and asking is an error."""
    if s["player"] == NOBODY:
        raise PlaymillError("the game is over and waits for no decision", "игра окончена, решать больше нечего")
    return _DECISIONS[s["phase"]]


def _key(blues: tuple[int, ...], kind: int, lang: Lang) -> str:
    value = str(blues[kind - FIRST_VALUE_KIND]) if kind >= FIRST_VALUE_KIND else ""
    return FACTION_LETTERS[colour_of(kind)].of(lang) + value


def _card(config: Config, kind: int, forms: Sequence[str], noun: str) -> Text:
    """A card in a sentence, in a case of Russian: "a red card", "blue 17"."""
    if kind >= FIRST_VALUE_KIND:
        value = blue_kinds(config)[kind - FIRST_VALUE_KIND]
        return Text(f"{FACTION_KEYS[BLUE]} {value}", f"{forms[BLUE]} {value}")
    return Text(f"a {FACTION_KEYS[kind]} card", f"{forms[kind]} {noun}")


def _join(texts: Iterable[Text], glue: str = ", ") -> Text:
    parts = list(texts)
    return Text(glue.join(part.en for part in parts), glue.join(part.ru for part in parts))


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _text_form(part: Action, blues: tuple[int, ...]) -> str:
    act, kind, faction, source, target = part
    names = (*(letter.en for letter in FACTION_LETTERS), "aura")
    card = _key(blues, kind, "en") if kind >= 0 else ""
    here, there = source + 1, target + 1
    forms = {
        "play": f"play {card}",
        "put": f"put {card} {there}",
        "put_captain": f"captain {there}",
        "move": f"move {card} {here}>{there}",
        "move_captain": f"captain>{there}",
        "entanglement": f"entangle {names[faction]}-{names[target]}",
        "wormhole": f"wormhole {names[faction]} {here}>{there}",
        "black_hole": f"blackhole {names[faction]}@{here}",
        "attack": f"attack {names[faction]}>{names[target]}",
    }
    return forms.get(act, act.replace("_", ""))


@cache
def _table(blues: tuple[int, ...]) -> tuple[dict[int, Action], dict[str, int]]:
    """The actions there are with these blue kinds: by number, taken apart, and by text form."""
    parts = {action: take_apart(action) for action in range(ACTIONS)}
    parts = {action: part for action, part in parts.items() if _exists(part, blues)}
    return parts, {_plain(_text_form(part, blues)): action for action, part in parts.items()}


def _exists(part: Action, blues: tuple[int, ...]) -> bool:
    act, kind, faction, source, target = part
    if kind >= FIRST_VALUE_KIND + len(blues) or (kind == BLUE and blues):
        return False
    if act in ("move", "wormhole"):
        return source != target
    if act == "attack" and target != AURA:
        return faction != target
    epic = act in ("put_captain", "skip", "move_captain", "attack") or faction == AURA
    return not epic or (bool(blues) and (faction, target) != (PURPLE, AURA))


def _known(config: Config, action: int) -> Action:
    """An action taken apart; a number that stands for none under this config is an error."""
    parts = _table(blue_kinds(config))[0]
    if action not in parts:
        raise PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")
    return parts[action]


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What one player may see, as JSON-able data: never others' hands, the deck's order or unrevealed cards.

    Each faction of `spiral` beats the next one, the last the first; the top of a stack of `auras` is its last card.
    """

    def names(kinds: Iterable[int]) -> list[str]:
        return [kind_name(config, kind).of(lang) for kind in kinds]

    def titles(bits: int) -> list[str]:
        return [ANOMALY_TITLES[anomaly].of(lang) for anomaly in anomalies_of(bits)]

    def seat(number: int) -> int | None:
        return int(number) + 1 if number >= 0 else None

    over = s["player"] == NOBODY
    values = dict(enumerate(blue_kinds(config), FIRST_VALUE_KIND))
    seats = range(players_of(s))
    factions = [FACTION_NAMES[faction].of(lang) for faction in range(FACTIONS)]
    return {
        "player": player + 1,
        "faction": factions[s["faction"][player]],
        "hand": names(cards_of(s["hand"][player])) + titles(s["hand_anomalies"][player]),
        "battle_card": names([int(s["committed"][player]) - 1])[0] if s["committed"][player] else None,
        "turn": int(s["turns"]),
        "phase": "over" if over else decision_kind(s),
        "active": int(s["active"]) + 1,
        "to_move": seat(s["player"]),
        "final_turn": bool(s["final"]),
        "time_loop": bool(s["loop"]),
        "last_card_taken_by": seat(s["last_taker"]),
        "deck": int(s["deck_size"]),
        "spiral": [factions[faction] for faction in s["spiral"]],
        "captain": "available" if s["captain_at"] == CAPTAIN_AVAILABLE else seat(s["captain_at"]),
        "black_hole": names(cards_of(s["hole"])) + titles(s["hole_anomalies"]),
        "shown_anomalies": titles(s["shown_anomalies"]),
        "players": [
            {
                "player": other + 1,
                "faction": factions[s["faction"][other]],
                "hand_size": int(s["hand_size"][other]),
                "known_anomalies": int(s["known_anomalies"][other]),
                "has_played": bool(s["committed"][other]),
                "count": count_of(s, s["faction"][other]),
            }
            for other in seats
        ],
        "dimensions": [
            {
                "dimension": dimension + 1,
                "squads": {factions[faction]: int(s["squad"][dimension, faction]) for faction in range(FACTIONS)},
                "blue_values": [values[kind] for kind in cards_of(s["table"][dimension]) if kind in values],
                "captain": bool(s["captain_at"] == dimension),
                "auras": names(auras_in(s, dimension)),
            }
            for dimension in seats
        ],
        "winner": factions[s["winner"]] if over else None,
    }


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The whole state, hidden things too, as a few lines; the player whose turn it is has a star."""
    lines = [headline(config, s).of(lang)]
    lines.append(f"{SPIRAL_WORD.of(lang)}: " + _spiral(s).of(lang))
    deck = s["deck"][: s["deck_size"]][::-1]
    lines.append(f"{DECK_WORD.of(lang)} {len(deck)}: " + " ".join(_deck_card(config, int(card), lang) for card in deck))
    lines.append(f"{ANOMALY_TITLES[BLACK_HOLE].of(lang)}: " + _pile(config, s["hole"], s["hole_anomalies"], lang))
    for player in range(players_of(s)):
        words = [_pile(config, s["table"][player], 0, lang)]
        words += [CAPTAIN_WORD.of(lang)] if s["captain_at"] == player else []
        words += [f"{AURAS_WORD.of(lang)} {s['aura'][player]}"] if s["aura"][player] else []
        hand = _pile(config, s["hand"][player], s["hand_anomalies"][player], lang)
        line = f"{'*' if s['active'] == player else ' '} {DIMENSION_WORD.of(lang)} {player + 1}, "
        line += f"{player_name(s, player).of(lang)}: {' '.join(words)} | {HAND_WORD.of(lang)}: {hand}"
        if s["committed"][player]:
            line += f" | {DECISION_NAMES['battle'].of(lang)}: {kind_key(config, int(s['committed'][player]) - 1, lang)}"
        lines.append(line)
    return "\n".join(lines)


def headline(config: Config, s: np.void) -> Text:
    """Where the game stands, in one line: the turn, the phase and who decides; or how it ended."""
    if s["player"] == NOBODY:
        return ending(config, s)
    who = player_name(s, s["player"])
    decision = DECISION_NAMES[decision_kind(s)]
    parts = [Text(f"turn {s['turns']}", f"ход {s['turns']}"), decision, Text(f"{who.en} decides", f"решает {who.ru}")]
    parts += [FINAL_TURN] if s["final"] else []
    parts += [ANOMALY_TITLES[TIME_LOOP]] if s["loop"] else []
    return _join(parts, " · ")


def _pile(config: Config, row: Sequence[int], anomalies: int, lang: Lang) -> str:
    counts = [(kind_key(config, kind, lang), count) for kind, count in enumerate(row) if count]
    words = [key if count == 1 else f"{key}×{count}" for key, count in counts]
    return " ".join(words + [ANOMALY_TITLES[a].of(lang) for a in anomalies_of(anomalies)]) or EMPTY_WORD.of(lang)


def _deck_card(config: Config, card: int, lang: Lang) -> str:
    return ANOMALY_TITLES[card - ANOMALY_CARD].of(lang) if card >= ANOMALY_CARD else kind_key(config, card, lang)


def _spiral(s: np.void) -> Text:
    return _join([FACTION_NAMES[faction] for faction in (*s["spiral"], s["spiral"][0])], " > ")


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about in the world, in order: reveals, losses, draws, the next turn, the end."""
    told = []
    if before["phase"] == BATTLE and not after["committed"].any():
        told.append(_reveal(config, before, after, action))
    elif before["phase"] == MOVEMENT:
        told += _anomaly(before, after, action)
    elif before["phase"] == ATTACK:
        told += _loss(config, before, after)
        told += _recovery(before, after)
    if after["turns"] != before["turns"]:
        told += _next_turn(before, after)
    if after["player"] == NOBODY:
        told.append(ending(config, after))
    elif after["phase"] == MOVEMENT and before["phase"] != REINFORCE:
        who = player_name(after, after["active"])
        told.append(Text(f"{who.en} has no card to reinforce with", f"{who.ru} не может усилиться: нет карт фракций"))
    return told


def _reveal(config: Config, before: np.void, after: np.void, action: int) -> Text:
    """The cards laid face down, by player, and the colour whose cards now lie in their players' Dimensions."""
    kinds = [int(card) - 1 for card in before["committed"][: players_of(before)]]
    kinds[before["player"]] = take_apart(action).kind
    played = [(player, kind) for player, kind in enumerate(kinds) if kind >= 0]
    winner = NOBODY_WINS
    for player, kind in played:
        if after["table"][player, kind] > before["table"][player, kind]:
            name = FACTION_NAMES[colour_of(kind)]
            winner = Text(f"{name.en} wins", f"побеждают {name.ru}")
    cards = _join(
        Text(f"{kind_name(config, kind).en} (player {p + 1})", f"{kind_name(config, kind).ru} (игрок {p + 1})")
        for p, kind in played
    )
    return Text(f"the battle: {cards.en} – {winner.en}", f"битва: {cards.ru} – {winner.ru}")


def _anomaly(before: np.void, after: np.void, action: int) -> list[Text]:
    act, _, faction, source, _ = take_apart(action)
    if act == "entanglement":
        spiral = _spiral(after)
        return [Text(f"the Spiral of Forces is now {spiral.en}", f"Спираль Сил теперь: {spiral.ru}")]
    if act == "wormhole":
        cards = cards_word(int(before["squad"][source, faction]))
        return [Text(f"{cards.en} went through the Wormhole", f"через Кротовую Нору прошло {cards.ru}")]
    if act == "black_hole":
        cards = cards_word(int(after["hole"].sum()) - int(before["hole"].sum()))
        return [Text(f"the Black Hole swallowed {cards.en}", f"Чёрная Дыра поглотила {cards.ru}")]
    if act == "big_bang":
        cards = cards_word(int(after["deck_size"]) - int(before["deck_size"]))
        return [Text(f"the Big Bang returned {cards.en} to the deck", f"Большой Взрыв вернул в колоду {cards.ru}")]
    if act == "time_loop" and before["final"]:
        return [Text("the final turn cannot be looped: no effect", "финальный ход не повторить: Петля не сработала")]
    return []


def _loss(config: Config, before: np.void, after: np.void) -> list[Text]:
    """The card an attack took, if there was one."""
    fallen = np.flatnonzero(after["hole"] > before["hole"])
    if after["auras"] > before["auras"]:
        card = _card(config, int(after["aura_cards"][before["auras"]]) >> 3, _CARD_RU, "карта")
        return [Text(f"{card.en} turns into an Aura of Darkness", f"{card.ru} становится Аурой Тьмы")]
    if not len(fallen):
        return []
    card = _card(config, int(fallen[0]), _CARD_RU, "карта")
    if after["auras"] < before["auras"]:
        return [
            Text(
                f"an Aura of Darkness goes to the Black Hole: it was {card.en}",
                f"Аура Тьмы уходит в Чёрную Дыру: это была {card.ru}",
            )
        ]
    return [Text(f"{card.en} goes to the Black Hole", f"{card.ru} уходит в Чёрную Дыру")]


def _recovery(before: np.void, after: np.void) -> list[Text]:
    """How many cards were drawn, and who took the last one."""
    drawn = int(before["deck_size"]) - int(after["deck_size"])
    if drawn == 0:
        return []
    cards, left = cards_word(drawn), int(after["deck_size"])
    told = [Text(f"{cards.en} drawn, {left} left in the deck", f"добрано {cards.ru}, в колоде осталось: {left}")]
    if left == 0:
        who = player_name(after, after["last_taker"])
        told.append(Text(f"{who.en} takes the last card of the deck", f"последнюю карту колоды берёт {who.ru}"))
    return told


def _next_turn(before: np.void, after: np.void) -> list[Text]:
    told = []
    called_off = before["last_taker"] != NOBODY and after["last_taker"] == NOBODY
    if called_off:
        told.append(
            Text(
                "the final turn is called off: the deck has cards again",
                "финальный ход отменён: в колоде снова есть карты",
            )
        )
    who, number = player_name(after, after["active"]), after["turns"]
    turn = Text(f"turn {number}: {who.en}", f"ход {number}: {who.ru}")
    if after["final"]:
        turn = _join([turn, FINAL_TURN])
    elif before["loop"] and not called_off:
        turn = _join([turn, ANOMALY_TITLES[TIME_LOOP]])
    told.append(turn)
    if after["phase"] != BATTLE:
        told.append(Text("nobody has a card for the battle", "для битвы ни у кого нет карт"))
    return told


def ending(config: Config, s: np.void) -> Text:
    """Who has won a finished game and why."""
    who = player_name(s, s["owner"][s["winner"]])
    if s["end"] == BY_COUNT:
        factions = sorted(s["faction"][: players_of(s)], key=lambda faction: -count_of(s, faction))
        counts = _join(
            Text(f"{FACTION_NAMES[f].en} {count_of(s, f)}", f"{FACTION_NAMES[f].ru} {count_of(s, f)}") for f in factions
        )
        tie = _TIES[s["tie"]]
        return Text(
            f"{who.en} wins by count: {counts.en}{tie.en}", f"{who.ru} побеждает по подсчёту: {counts.ru}{tie.ru}"
        )
    squads = s["squad"][: players_of(s), s["end"]]
    if s["end"] == YELLOW:
        total = int(squads.sum())
        why = Text(
            f"Spore Planets, {total} cards over all Dimensions", f"Планеты-Споры, карт во всех Измерениях: {total}"
        )
    elif s["end"] == GREEN:
        place = int(squads.argmax())
        why = Text(
            f"Armour of God, {squads[place]} green cards in Dimension {place + 1}",
            f"Доспехи Бога, зелёных карт в Измерении {place + 1}: {squads[place]}",
        )
    else:
        place = int((s["blue_sum"] == config.blue_goal).argmax())
        why = Text(
            f"Supermind, blue values sum to {config.blue_goal} in Dimension {place + 1}",
            f"Сверхразум, сумма синих карт в Измерении {place + 1} равна {config.blue_goal}",
        )
    return Text(f"{who.en} wins at once: {why.en}", f"{who.ru} побеждает досрочно: {why.ru}")
