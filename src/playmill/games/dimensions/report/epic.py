"""Figures and tables on Epic mode: the Captain, Auras, instant wins by phase, what both add to the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.report import Column, Table, common, counted, mean, rate, table_of
from playmill.games.dimensions.actions import BLUE, GREEN, PURPLE, RED, YELLOW
from playmill.games.dimensions.config import FACTION_KEYS
from playmill.games.dimensions.outcome import LOST, MADE, MAX_TURNS, SWALLOWED
from playmill.games.dimensions.words.names import (
    AURAS_WORD,
    CAPTAIN_WORD,
    FACTION_NAMES,
    INSTANT_WINS,
    PHASE_NAMES,
)

_FACTIONS = dict(zip(FACTION_KEYS, FACTION_NAMES, strict=True))
#: The factions in their fixed order, by the names they are saved under, as words that begin a cell.
FACTION_TITLES = {key: Text(name.en.capitalize(), name.ru.capitalize()) for key, name in _FACTIONS.items()}
_FATES = {"made": MADE, "lost_to_attacks": LOST, "lost_to_black_hole": SWALLOWED}
_FATE_TITLES = {
    "made": Text("Made by a purple squad", "Созданы фиолетовым отрядом"),
    "lost_to_attacks": Text("Lost to attacks", "Потеряны в атаках"),
    "lost_to_black_hole": Text("Taken by a Black Hole", "Поглощены Чёрной Дырой"),
}
_INSTANT = {FACTION_KEYS[faction]: faction for faction in (GREEN, YELLOW, BLUE)}
#: The factions that something is added to at the count.
_HELPED = {FACTION_KEYS[RED]: (RED, CAPTAIN_WORD), FACTION_KEYS[PURPLE]: (PURPLE, AURAS_WORD)}


def results(counts: np.void, together: int) -> dict[str, Any]:
    """What was found of Epic mode, as it is saved; `together` seatings of a deal may depend on each other."""
    games = int(counts["games"])
    return {
        "instant_wins": {
            key: {
                phase: rate(counts["instant_wins"][faction, place], games).json()
                for place, phase in enumerate(PHASE_NAMES)
            }
            for key, faction in _INSTANT.items()
        },
        "auras": {
            key: {
                "total": int(counts["auras"][fate]),
                "games": int(counts["aura_games"][fate]),
                "share": rate(counts["aura_games"][fate], games).json(),
                "per_game": mean(games, counts["auras"][fate], counts["auras_squared"][fate], least=0).json(),
            }
            for key, fate in _FATES.items()
        },
        "captain": _captain(counts, together),
        "count": {key: _helped(counts, faction) for key, (faction, _) in _HELPED.items()},
    }


def _captain(counts: np.void, together: int) -> dict[str, Any]:
    with_red, placed = int(counts["participates"][:, RED].sum()), int(counts["captain_placed"].sum())
    moves = counts["captain_moves"]
    return {
        "games": with_red,
        "placed": placed,
        "share": rate(placed, with_red).json(),
        "turn": counted(counts["captain_placed"], "turns", together=together).json(),
        "first_move_turn": counted(counts["captain_moved"], "turns", together=together).json(),
        "moves": mean(placed, moves.sum(), counts["all_captain_moves_squared"], least=0, most=MAX_TURNS).json(),
        "dimensions": {
            key: {
                "games": int(beside),
                "placed": int(counts["captain_placed_in"][faction]),
                "share": rate(counts["captain_placed_in"][faction], beside).json(),
                "moves": mean(
                    beside, moves[faction], counts["captain_moves_squared"][faction], least=0, most=MAX_TURNS
                ).json(),
            }
            for faction, (key, beside) in enumerate(zip(FACTION_KEYS, counts["captain_with"], strict=True))
        },
    }


def _helped(counts: np.void, faction: int) -> dict[str, Any]:
    n, wins, owed = (int(counts[name][..., faction].sum()) for name in ("participates", "count_wins", "owed_wins"))
    plain = mean(n, counts["plain_cards"][faction], counts["plain_cards_squared"][faction], least=0)
    return {"plain_cards": plain.json(), "wins": wins, "owed": owed, "owed_share": rate(owed, wins).json()}


def tables(results: Mapping[str, Any]) -> list[Table]:
    """The tables of Epic mode, from results as they are saved."""
    epic = results["epic"]
    made = [_instant_wins(epic["instant_wins"]), _count(results)]
    if epic["captain"]["placed"]:
        made += [_captain_where(epic["captain"]), _captain_when(epic["captain"])]
    if epic["auras"]["made"]["total"]:
        made.append(_auras(epic["auras"]))
    return made


def _instant_wins(found: Mapping[str, Any]) -> Table:
    wins = [Column(INSTANT_WINS[faction], key, percent=True) for key, faction in _INSTANT.items()]
    return table_of(
        "instant_wins",
        Text("Instant wins by phase", "Досрочные победы по фазам"),
        (Text("After the phase", "После фазы"), *wins),
        ((title, {key: found[key][phase] for key in found}) for phase, title in PHASE_NAMES.items()),
        note=Text("Shares of all games.", "Доли от всех партий."),
    )


def _count(results: Mapping[str, Any]) -> Table:
    return table_of(
        "with_and_without",
        Text("The count with and without Captain and Auras", "Подсчёт с Капитаном и Аурами и без них"),
        (
            Text("Faction", "Фракция"),
            Column(Text("Cards with", "Карт с ними"), "cards", alike=True),
            Column(Text("Without", "Без них"), "plain_cards", alike=True),
            Column(Text("Wins owed to them", "Побед благодаря им"), "owed_share", percent=True),
            Column(Text("Wins at the count", "Побед по подсчёту"), "wins"),
        ),
        (
            (
                Text.join([FACTION_TITLES[key], name], ": "),
                {**results["factions"][key], **results["epic"]["count"][key]},
            )
            for key, (_, name) in _HELPED.items()
        ),
        note=Text(
            "Cards at the end, on average. Owed: of its wins at the count, those in which another faction had as many"
            " cards or more, were Captain and Auras left out.",
            "Карты в конце, в среднем. Благодаря им: из побед по подсчёту — те, где без Капитана и Аур у другой фракции"
            " карт не меньше.",
        ),
    )


def _captain_where(captain: Mapping[str, Any]) -> Table:
    named = [(Text("Any", "Любое"), captain)]
    return table_of(
        "captain_where",
        Text("Where Captain Force was placed and moved", "Куда выкладывали и перемещали Капитана Силу"),
        (
            Text("Dimension of", "Чьё Измерение"),
            Column(Text("Placed there", "Выложен туда"), "share", percent=True),
            common.GAMES.at("placed"),
            Column(Text("Moves there in a game", "Перемещений туда за партию"), "moves"),
        ),
        named + [(FACTION_TITLES[key], found) for key, found in captain["dimensions"].items()],
        note=Text(
            "Any: of the games with Red. A faction's: of the games in which he was placed and the faction plays.",
            "Любое: среди партий с красными. По фракциям: среди партий, где он выложен и фракция играет.",
        ),
        drawn=True,
    )


def _captain_when(captain: Mapping[str, Any]) -> Table:
    return table_of(
        "captain_when",
        Text("When Captain Force was placed and moved", "Когда выкладывали и перемещали Капитана Силу"),
        (
            Text("Turn", "Ход"),
            Column(Text("Mean", "В среднем")),
            Column(Text("Median", "Медиана"), "median"),
            Column(Text("10th percentile", "10-й процентиль"), "p10"),
            Column(Text("90th percentile", "90-й процентиль"), "p90"),
            common.GAMES.at("n"),
        ),
        (
            (Text("Placed", "Выложен"), captain["turn"]),
            (Text("First moved", "Впервые перемещён"), captain["first_move_turn"]),
        ),
    )


def _auras(found: Mapping[str, Any]) -> Table:
    return table_of(
        "auras",
        AURAS_WORD,
        (
            Text("Auras", "Ауры"),
            Column(Text("In a game", "За партию"), "per_game"),
            common.SHARE.at("share"),
            Column(Text("In all", "Всего"), "total"),
        ),
        ((title, found[key]) for key, title in _FATE_TITLES.items()),
        note=Text(
            "Share of games: those in which it happened at least once.",
            "Доля партий: те, где это случилось хотя бы раз.",
        ),
    )
