"""Figures and tables on Epic mode: the Captain, Auras, instant wins by phase, what both add to the count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from playmill.author import Text
from playmill.author.report import Chart, Table, counted, mean, quantile_estimate, rate, saved_estimate
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

_FATES = {
    "made": (MADE, Text("Made by a purple squad", "Созданы фиолетовым отрядом")),
    "lost_to_attacks": (LOST, Text("Lost to attacks", "Потеряны в атаках")),
    "lost_to_black_hole": (SWALLOWED, Text("Taken by a Black Hole", "Поглощены Чёрной Дырой")),
}
_INSTANT = {FACTION_KEYS[faction]: faction for faction in (GREEN, YELLOW, BLUE)}
#: The factions that something is added to at the count.
_HELPED = {FACTION_KEYS[RED]: (RED, CAPTAIN_WORD), FACTION_KEYS[PURPLE]: (PURPLE, AURAS_WORD)}
_ANYWHERE = Text("Any", "Любое")
_SHARE = Text("Share of games", "Доля партий")
_GAMES = Text("Games", "Партий")

#: What figures are called that stand in no table of some runs.
FIGURES = {
    **{
        f"epic.instant_wins.{key}.{phase}": Text(
            f"{INSTANT_WINS[faction].en} after the phase {title.en}",
            f"{INSTANT_WINS[faction].ru} после фазы: {title.ru}",
        )
        for key, faction in _INSTANT.items()
        for phase, title in PHASE_NAMES.items()
    },
    **{
        f"epic.auras.{key}.{figure}": Text(
            f"{AURAS_WORD.en}: {title.en}{what.en}", f"{AURAS_WORD.ru}: {title.ru}{what.ru}"
        )
        for key, (_, title) in _FATES.items()
        for figure, what in (
            ("share", Text(", share of games", ", доля партий")),
            ("per_game", Text(", in a game", ", за партию")),
        )
    },
    "epic.captain.share": Text("Games in which Captain Force was placed", "Партии, где выложен Капитан Сила"),
    "epic.captain.moves": Text("Moves of Captain Force in a game", "Перемещений Капитана Силы за партию"),
    "epic.captain.turn": Text("Turn in which Captain Force was placed", "Ход, в котором выложен Капитан Сила"),
    "epic.captain.first_move_turn": Text("Turn of Captain Force's first move", "Ход первого перемещения Капитана Силы"),
    **{
        f"epic.captain.dimensions.{key}.{figure}": Text(f"{what.en} {name.en}", f"{what.ru} {name.ru}")
        for key, name in zip(FACTION_KEYS, FACTION_NAMES, strict=True)
        for figure, what in (
            ("share", Text("Captain Force placed in the Dimension of", "Капитан Сила выложен в Измерение фракции:")),
            ("moves", Text("Moves of Captain Force into the Dimension of", "Перемещений Капитана Силы в Измерение:")),
        )
    },
}


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
            for key, (fate, _) in _FATES.items()
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
    return Table(
        "instant_wins",
        Text("Instant wins by phase", "Досрочные победы по фазам"),
        (Text("After the phase", "После фазы"), *(INSTANT_WINS[faction] for faction in _INSTANT.values())),
        tuple((title, *(saved_estimate(found[key][phase]) for key in found)) for phase, title in PHASE_NAMES.items()),
        note=Text("Shares of all games.", "Доли от всех партий."),
        percent_columns=frozenset({1, 2, 3}),
    )


def _count(results: Mapping[str, Any]) -> Table:
    rows = []
    for key, (faction, help_) in _HELPED.items():
        found, name = results["epic"]["count"][key], FACTION_NAMES[faction]
        rows.append(
            (
                Text(f"{name.en.capitalize()}: {help_.en}", f"{name.ru.capitalize()}: {help_.ru}"),
                saved_estimate(results["factions"][key]["cards"]),
                saved_estimate(found["plain_cards"]),
                saved_estimate(found["owed_share"]),
                found["wins"],
            )
        )
    return Table(
        "with_and_without",
        Text("The count with and without Captain and Auras", "Подсчёт с Капитаном и Аурами и без них"),
        (
            Text("Faction", "Фракция"),
            Text("Cards with", "Карт с ними"),
            Text("Without", "Без них"),
            Text("Wins owed to them", "Побед благодаря им"),
            Text("Wins at the count", "Побед по подсчёту"),
        ),
        tuple(rows),
        note=Text(
            "Cards at the end, on average. Owed: of its wins at the count, those in which another faction had as many"
            " cards or more, were Captain and Auras left out.",
            "Карты в конце, в среднем. Благодаря им: из побед по подсчёту — те, где без Капитана и Аур у другой фракции"
            " карт не меньше.",
        ),
        percent_columns=frozenset({3}),
        alike_columns=frozenset({1, 2}),
    )


def _captain_where(captain: Mapping[str, Any]) -> Table:
    rows: list[tuple[Any, ...]] = [
        (_ANYWHERE, saved_estimate(captain["share"]), captain["placed"], saved_estimate(captain["moves"]))
    ]
    for name, found in zip(FACTION_NAMES, captain["dimensions"].values(), strict=True):
        title = Text(name.en.capitalize(), name.ru.capitalize())
        rows.append((title, saved_estimate(found["share"]), found["placed"], saved_estimate(found["moves"])))
    return Table(
        "captain_where",
        Text("Where Captain Force was placed and moved", "Куда выкладывали и перемещали Капитана Силу"),
        (
            Text("Dimension of", "Чьё Измерение"),
            Text("Placed there", "Выложен туда"),
            _GAMES,
            Text("Moves there in a game", "Перемещений туда за партию"),
        ),
        tuple(rows),
        note=Text(
            "Any: of the games with Red. A faction's: of the games in which he was placed and the faction plays.",
            "Любое: среди партий с красными. По фракциям: среди партий, где он выложен и фракция играет.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1}),
    )


def _captain_when(captain: Mapping[str, Any]) -> Table:
    placed, moved = captain["turn"], captain["first_move_turn"]
    rows = []
    for title, found in (
        (Text("Placed", "Выложен"), placed),
        (Text("First moved", "Впервые перемещён"), moved),
    ):
        quantiles = (quantile_estimate(found, name) for name in ("median", "p10", "p90"))
        rows.append((title, saved_estimate(found), *quantiles, found["n"]))
    return Table(
        "captain_when",
        Text("When Captain Force was placed and moved", "Когда выкладывали и перемещали Капитана Силу"),
        (
            Text("Turn", "Ход"),
            Text("Mean", "В среднем"),
            Text("Median", "Медиана"),
            Text("10th percentile", "10-й процентиль"),
            Text("90th percentile", "90-й процентиль"),
            _GAMES,
        ),
        tuple(rows),
    )


def _auras(found: Mapping[str, Any]) -> Table:
    return Table(
        "auras",
        AURAS_WORD,
        (Text("Auras", "Ауры"), Text("In a game", "За партию"), _SHARE, Text("In all", "Всего")),
        tuple(
            (title, saved_estimate(found[key]["per_game"]), saved_estimate(found[key]["share"]), found[key]["total"])
            for key, (_, title) in _FATES.items()
        ),
        note=Text(
            "Share of games: those in which it happened at least once.",
            "Доля партий: те, где это случилось хотя бы раз.",
        ),
        percent_columns=frozenset({2}),
    )
