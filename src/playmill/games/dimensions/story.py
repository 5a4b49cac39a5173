"""Positions and events of Battle of Dimensions told in English and Russian."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.games.dimensions.actions import (
    BLACK_HOLE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    TIME_LOOP,
    YELLOW,
    take_apart,
)
from playmill.games.dimensions.cards import ANOMALY_CARD
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.names import (
    ANOMALY_TITLES,
    AURAS_WORD,
    CAPTAIN_WORD,
    DECISION_NAMES,
    DECK_WORD,
    DIMENSION_WORD,
    EMPTY_WORD,
    FACTION_NAMES,
    FINAL_TURN,
    HAND_WORD,
    INSTANT_WINS,
    NOBODY_WINS,
    SPIRAL_WORD,
    anomalies_of,
    auras_in,
    blue_kinds,
    card_phrase,
    cards_of,
    cards_word,
    colour_of,
    count_of,
    decision_kind,
    join,
    kind_key,
    kind_name,
    kind_names,
    player_name,
    players_of,
)
from playmill.games.dimensions.tables import ATTACK, BATTLE, BY_COUNT, CAPTAIN_AVAILABLE, MOVEMENT, NOBODY, REINFORCE

_TIES = (
    Text("", ""),
    Text("; the tie is broken by the Spiral of Forces", "; ничью решила Спираль Сил"),
    Text("; the tie is broken by lot", "; ничью решил жребий"),
)


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What one player may see, as JSON-able data: never others' hands, the deck's order or unrevealed cards.

    Nor who has laid a battle card: others' hands count as before the battle until the reveal. Each faction of `spiral`
    beats the next one, the last the first; the top of a stack of `auras` is its last card.
    """

    def names(kinds: Iterable[int]) -> list[str]:
        return [called[kind] for kind in kinds]

    def titles(bits: int) -> list[str]:
        return [ANOMALY_TITLES[anomaly].of(lang) for anomaly in anomalies_of(bits)]

    def seat(number: int) -> int | None:
        return int(number) + 1 if number >= 0 else None

    values = dict(enumerate(blue_kinds(config), FIRST_VALUE_KIND))
    called = kind_names(config, lang)
    seats = range(players_of(s))
    # A field of a record costs more to reach than to read: each is reached once.
    faction_of, squads, tables = s["faction"].tolist(), s["squad"].tolist(), s["table"]
    mover, captain, committed = int(s["player"]), int(s["captain_at"]), s["committed"].tolist()
    over = mover == NOBODY
    hand_sizes, anomalies = s["hand_size"].tolist(), s["known_anomalies"].tolist()
    factions = [FACTION_NAMES[faction].of(lang) for faction in range(FACTIONS)]
    return {
        "player": player + 1,
        "faction": factions[faction_of[player]],
        "hand": names(cards_of(s["hand"][player])) + titles(s["hand_anomalies"][player]),
        "battle_card": called[committed[player] - 1] if committed[player] else None,
        "turn": int(s["turns"]),
        "phase": "over" if over else decision_kind(s),
        "active": int(s["active"]) + 1,
        "to_move": seat(mover),
        "final_turn": bool(s["final"]),
        "time_loop": bool(s["loop"]),
        "last_card_taken_by": seat(s["last_taker"]),
        "deck": int(s["deck_size"]),
        "spiral": [factions[faction] for faction in s["spiral"].tolist()],
        "captain": "available" if captain == CAPTAIN_AVAILABLE else seat(captain),
        "black_hole": names(cards_of(s["hole"])) + titles(s["hole_anomalies"]),
        "returned": names(cards_of(s["returned"])),
        "shown_anomalies": titles(s["shown_anomalies"]),
        "players": [
            {
                "player": other + 1,
                "faction": factions[faction_of[other]],
                "hand_size": hand_sizes[other] + (other != player and bool(committed[other])),
                "known_anomalies": anomalies[other],
                "count": count_of(s, faction_of[other]),
            }
            for other in seats
        ],
        "dimensions": [
            {
                "dimension": dimension + 1,
                "squads": dict(zip(factions, squads[dimension], strict=True)),
                "blue_values": [values[kind] for kind in cards_of(tables[dimension]) if kind in values],
                "captain": captain == dimension,
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
    return join(parts, " · ")


def _pile(config: Config, row: Sequence[int], anomalies: int, lang: Lang) -> str:
    counts = [(kind_key(config, kind, lang), count) for kind, count in enumerate(row) if count]
    words = [key if count == 1 else f"{key}×{count}" for key, count in counts]
    return " ".join(words + [ANOMALY_TITLES[a].of(lang) for a in anomalies_of(anomalies)]) or EMPTY_WORD.of(lang)


def _deck_card(config: Config, card: int, lang: Lang) -> str:
    return ANOMALY_TITLES[card - ANOMALY_CARD].of(lang) if card >= ANOMALY_CARD else kind_key(config, card, lang)


def _spiral(s: np.void) -> Text:
    return join([FACTION_NAMES[faction] for faction in (*s["spiral"], s["spiral"][0])], " > ")


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
    cards = join(
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
        card = card_phrase(config, int(after["aura_cards"][before["auras"]]) >> 3)
        return [Text(f"{card.en} turns into an Aura of Darkness", f"{card.ru} становится Аурой Тьмы")]
    if not len(fallen):
        return []
    card = card_phrase(config, int(fallen[0]))
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
        turn = join([turn, FINAL_TURN])
    elif before["loop"] and not called_off:
        turn = join([turn, ANOMALY_TITLES[TIME_LOOP]])
    told.append(turn)
    if after["phase"] != BATTLE:
        told.append(Text("nobody has a card for the battle", "для битвы ни у кого нет карт"))
    return told


def ending(config: Config, s: np.void) -> Text:
    """Who has won a finished game and why."""
    who = player_name(s, s["owner"][s["winner"]])
    if s["end"] == BY_COUNT:
        factions = sorted(s["faction"][: players_of(s)], key=lambda faction: -count_of(s, faction))
        counts = join(
            Text(f"{FACTION_NAMES[f].en} {count_of(s, f)}", f"{FACTION_NAMES[f].ru} {count_of(s, f)}") for f in factions
        )
        tie = _TIES[s["tie"]]
        return Text(
            f"{who.en} wins by count: {counts.en}{tie.en}", f"{who.ru} побеждает по подсчёту: {counts.ru}{tie.ru}"
        )
    squads, name = s["squad"][: players_of(s), s["end"]], INSTANT_WINS[int(s["end"])]
    if s["end"] == YELLOW:
        total = int(squads.sum())
        why = Text(f"{name.en}, {total} cards over all Dimensions", f"{name.ru}, карт во всех Измерениях: {total}")
    elif s["end"] == GREEN:
        place = int(squads.argmax())
        why = Text(
            f"{name.en}, {squads[place]} green cards in Dimension {place + 1}",
            f"{name.ru}, зелёных карт в Измерении {place + 1}: {squads[place]}",
        )
    else:
        place = int((s["blue_sum"] == config.blue_goal).argmax())
        why = Text(
            f"{name.en}, blue values sum to {config.blue_goal} in Dimension {place + 1}",
            f"{name.ru}, сумма синих карт в Измерении {place + 1} равна {config.blue_goal}",
        )
    return Text(f"{who.en} wins at once: {why.en}", f"{who.ru} побеждает досрочно: {why.ru}")
