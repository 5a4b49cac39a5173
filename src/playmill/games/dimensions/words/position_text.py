"""Positions of Battle of Dimensions in words: as text for people, and as data for one seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.games.dimensions.actions import (
    BLACK_HOLE,
    BLUE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    TIME_LOOP,
    YELLOW,
)
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.constants import BY_COUNT, CAPTAIN_AVAILABLE, NOBODY
from playmill.games.dimensions.rules.cards import ANOMALY_CARD
from playmill.games.dimensions.words import names

_TIES = (
    Text("", ""),
    Text("; the tie is broken by the Spiral of Forces", "; ничью решила Спираль Сил"),
    Text("; the tie is broken by lot", "; ничью решил жребий"),
)
_AT_ONCE = {
    YELLOW: Text("{n} {n:card|cards} over all Dimensions", "{n} {n:карта|карты|карт} во всех Измерениях"),
    GREEN: Text(
        "{n} green {n:card|cards} in Dimension {place}",
        "{n} {n:зелёная карта|зелёные карты|зелёных карт} в Измерении {place}",
    ),
    BLUE: Text("blue values sum to {n} in Dimension {place}", "сумма синих карт в Измерении {place} равна {n}"),
}


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What one player may see, as JSON-able data: never others' hands, the deck's order or unrevealed cards.

    Nor who has laid a battle card: others' hands count as before the battle until the reveal. Each faction of `spiral`
    beats the next one, the last the first; the top of a stack of `auras` is its last card.
    """

    def cards(kinds: Iterable[int]) -> list[str]:
        return [called[kind] for kind in kinds]

    def titles(bits: int) -> list[str]:
        return [names.ANOMALY_TITLES[anomaly].of(lang) for anomaly in names.anomalies_of(bits)]

    def seat(number: int) -> int | None:
        return int(number) + 1 if number >= 0 else None

    values = dict(enumerate(names.blue_kinds(config), FIRST_VALUE_KIND))
    called = names.kind_names(config, lang)
    seats = range(names.players_of(s))
    # A field of a record costs more to reach than to read: each is reached once.
    faction_of, squads, tables = s["faction"].tolist(), s["squad"].tolist(), s["table"]
    mover, captain, committed = int(s["player"]), int(s["captain_at"]), s["committed"].tolist()
    over = mover == NOBODY
    hand_sizes, anomalies = s["hand_size"].tolist(), s["known_anomalies"].tolist()
    factions = [names.FACTION_NAMES[faction].of(lang) for faction in range(FACTIONS)]
    return {
        "player": player + 1,
        "faction": factions[faction_of[player]],
        "hand": cards(names.cards_of(s["hand"][player])) + titles(s["hand_anomalies"][player]),
        "battle_card": called[committed[player] - 1] if committed[player] else None,
        "turn": int(s["turns"]),
        "phase": "over" if over else names.decision_kind(s),
        "active": int(s["active"]) + 1,
        "to_move": seat(mover),
        "final_turn": bool(s["final"]),
        "time_loop": bool(s["loop"]),
        "last_card_taken_by": seat(s["last_taker"]),
        "deck": int(s["deck_size"]),
        "spiral": [factions[faction] for faction in s["spiral"].tolist()],
        "captain": "available" if captain == CAPTAIN_AVAILABLE else seat(captain),
        "black_hole": cards(names.cards_of(s["hole"])) + titles(s["hole_anomalies"]),
        "returned": cards(names.cards_of(s["returned"])),
        "shown_anomalies": titles(s["shown_anomalies"]),
        "players": [
            {
                "player": other + 1,
                "faction": factions[faction_of[other]],
                "hand_size": hand_sizes[other] + (other != player and bool(committed[other])),
                "known_anomalies": anomalies[other],
                "count": names.count_of(s, faction_of[other]),
            }
            for other in seats
        ],
        "dimensions": [
            {
                "dimension": dimension + 1,
                "squads": dict(zip(factions, squads[dimension], strict=True)),
                "blue_values": [values[kind] for kind in names.cards_of(tables[dimension]) if kind in values],
                "captain": captain == dimension,
                "auras": cards(names.auras_in(s, dimension)),
            }
            for dimension in seats
        ],
        "winner": factions[s["winner"]] if over else None,
    }


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The whole state, hidden things too, as a few lines; the player whose turn it is has a star."""
    lines = [headline(config, s).of(lang)]
    lines.append(f"{names.SPIRAL_WORD.of(lang)}: " + spiral_text(s).of(lang))
    deck = s["deck"][: s["deck_size"]][::-1]
    lines.append(
        f"{names.DECK_WORD.of(lang)} {len(deck)}: " + " ".join(_deck_card(config, int(card), lang) for card in deck)
    )
    lines.append(f"{names.ANOMALY_TITLES[BLACK_HOLE].of(lang)}: " + _pile(config, s["hole"], s["hole_anomalies"], lang))
    for player in range(names.players_of(s)):
        words = [_pile(config, s["table"][player], 0, lang)]
        words += [names.CAPTAIN_WORD.of(lang)] if s["captain_at"] == player else []
        words += [f"{names.AURAS_WORD.of(lang)} {s['aura'][player]}"] if s["aura"][player] else []
        hand = _pile(config, s["hand"][player], s["hand_anomalies"][player], lang)
        line = f"{'*' if s['active'] == player else ' '} {names.DIMENSION_WORD.of(lang)} {player + 1}, "
        line += f"{names.player_name(s, player).of(lang)}: {' '.join(words)} | {names.HAND_WORD.of(lang)}: {hand}"
        if s["committed"][player]:
            laid = names.kind_key(config, int(s["committed"][player]) - 1, lang)
            line += f" | {names.DECISION_NAMES['battle'].of(lang)}: {laid}"
        lines.append(line)
    return "\n".join(lines)


def headline(config: Config, s: np.void) -> Text:
    """Where the game stands, in one line: the turn, the phase and who decides; or how it ended."""
    if s["player"] == NOBODY:
        return ending(config, s)
    who = Text("{} decides", "решает {}").format(names.player_name(s, s["player"]))
    parts = [Text("turn {}", "ход {}").format(s["turns"]), names.DECISION_NAMES[names.decision_kind(s)], who]
    parts += [names.FINAL_TURN] if s["final"] else []
    parts += [names.ANOMALY_TITLES[TIME_LOOP]] if s["loop"] else []
    return Text.join(parts, " · ")


def _pile(config: Config, row: Sequence[int], anomalies: int, lang: Lang) -> str:
    counts = [(names.kind_key(config, kind, lang), count) for kind, count in enumerate(row) if count]
    words = [key if count == 1 else f"{key}×{count}" for key, count in counts]
    return " ".join(
        words + [names.ANOMALY_TITLES[a].of(lang) for a in names.anomalies_of(anomalies)]
    ) or names.EMPTY_WORD.of(lang)


def _deck_card(config: Config, card: int, lang: Lang) -> str:
    return (
        names.ANOMALY_TITLES[card - ANOMALY_CARD].of(lang)
        if card >= ANOMALY_CARD
        else names.kind_key(config, card, lang)
    )


def spiral_text(s: np.void) -> Text:
    return Text.join([names.FACTION_NAMES[faction] for faction in (*s["spiral"], s["spiral"][0])], " > ")


def ending(config: Config, s: np.void) -> Text:
    """Who has won a finished game and why."""
    who = names.player_name(s, s["owner"][s["winner"]])
    if s["end"] == BY_COUNT:
        factions = sorted(s["faction"][: names.players_of(s)], key=lambda faction: -names.count_of(s, faction))
        counts = Text.join(Text.join((names.FACTION_NAMES[f], str(names.count_of(s, f))), " ") for f in factions)
        won = Text("{} wins by count: {}{}", "{} побеждает по подсчёту: {}{}")
        return won.format(who, counts, _TIES[s["tie"]])
    squads, end = s["squad"][: names.players_of(s), s["end"]], int(s["end"])
    if end == YELLOW:
        n, place = int(squads.sum()), 0
    elif end == GREEN:
        n, place = int(squads.max()), int(squads.argmax()) + 1
    else:
        n, place = config.blue_goal, int((s["blue_sum"] == config.blue_goal).argmax()) + 1
    won = Text("{} wins at once: {}, {}", "{} побеждает досрочно: {}, {}")
    return won.format(who, names.INSTANT_WINS[end], _AT_ONCE[end].format(n=n, place=place))
