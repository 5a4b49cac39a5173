"""The tables of a report on Save Oneself, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import Text
from playmill.author.report import Column, RunInfo, Table, common, figure_cell, table_of
from playmill.games.save_oneself.constants import FRONT, FRONT_IDS, ROUNDS
from playmill.games.save_oneself.words.names import SIDE_NAMES

SIGNAL_TITLES = {
    "sos": Text("SOS in the ship's row", "SOS в ряду корабля"),
    "beacon": Text("Lit beacon in its column", "Костёр в столбце корабля"),
    "message": Text("Ship beside the message", "Корабль рядом с сообщением"),
}
LOSS_TITLES = {
    "lives": Text("Lost: no lives left", "Поражение: кончились жизни"),
    "ship": Text("Lost: the ship is gone", "Поражение: корабль ушёл"),
    "deck": Text("Lost: the deck has run out", "Поражение: кончилась колода"),
}
#: Rounds that fewer games came to say little, and there may be many; the file has them all.
_SHOWN_SHARE = 0.01


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    return [_wins(results), _ends(results, run), _score(results), _length(results), _cards(results), _lives(results)]


def _saved(results: Mapping[str, Any]) -> dict[str, Any]:
    """The share of games that were won, with their number."""
    return {**results["win_rate"], "games": sum(found["games"] for found in results["wins_by"].values())}


def _wins(results: Mapping[str, Any]) -> Table:
    saved = {**_saved(results), "of_wins": None}
    return table_of(
        "wins",
        Text("How often the player is saved, and by what", "Как часто игрок спасается и чем"),
        (
            Text("Signal", "Сигнал"),
            common.SHARE,
            common.GAMES,
            Column(Text("Of wins", "Из побед"), "of_wins", percent=True),
        ),
        (
            (Text("Saved in any way", "Спасение любым путём"), saved),
            *((title, results["wins_by"][name]) for name, title in SIGNAL_TITLES.items()),
        ),
        note=Text(
            "If the ship sees several signals at once, the first of SOS, beacon, message counts.",
            "Если с корабля видно сразу несколько сигналов, засчитывается первый из: SOS, костёр, сообщение.",
        ),
        drawn=True,
    )


def _ends(results: Mapping[str, Any], run: RunInfo) -> Table:
    losses = dict(results["losses_by"])
    # Sixteen cards fill the island exactly: unless the last one loses, a row of zeros would look like a finding.
    if not losses["deck"]["games"] and not run.config["lose_on_empty_deck"]:
        del losses["deck"]
    saved = (Text("Saved", "Спасение"), _saved(results))
    return common.endings_table([saved, *((LOSS_TITLES[name], found) for name, found in losses.items())])


def _score(results: Mapping[str, Any]) -> Table:
    least, most = Text("lowest score", "наименьший счёт"), Text("highest score", "наибольший счёт")
    return common.measures_table(
        "score",
        Text("Score", "Счёт"),
        common.spread_rows(results["score"], Text("Points", "Очки"), least, most),
        note=Text(
            "Of all games, lost ones too: fronts that are up, lives left, and points for cards placed.",
            "По всем партиям, и проигранным тоже: открытые лицевые стороны, оставшиеся жизни и очки за выложенные"
            " карты.",
        ),
    )


def _length(results: Mapping[str, Any]) -> Table:
    cards = results["cards_placed"]
    return common.length_table(
        results["rounds"],
        common.ROUNDS,
        (Text("Cards placed: mean", "Выложено карт: в среднем"), figure_cell(cards)),
        (Text("Cards placed: median", "Выложено карт: медиана"), figure_cell(cards, "median")),
        (Text("Ships that came: mean", "Приплыло кораблей: в среднем"), figure_cell(results, "ships_per_game")),
        decisions=results["decisions_per_game"],
        note=Text("All rounds begun count", "Считаются все начатые раунды"),
    )


def _cards(results: Mapping[str, Any]) -> Table:
    cards = (
        (SIDE_NAMES[FRONT + card], {"win_rate": results["win_rate_given"][name], "turned": results["turned"][name]})
        for card, name in enumerate(FRONT_IDS)
    )
    return table_of(
        "cards",
        Text("Cards turned over", "Перевёрнутые карты"),
        (
            Text("Front", "Сторона"),
            Column(Text("Win rate then", "Доля побед"), "win_rate", percent=True),
            Column(Text("Turned over", "Перевёрнута"), "turned", percent=True),
        ),
        [(Text("All games", "Все партии"), {"win_rate": results["win_rate"], "turned": None}), *cards],
        note=Text(
            "Win rate: of the games in which the card was turned over, by itself too. Long games turn more cards, so"
            " that a difference from all games need not be the card's doing.",
            "Доля побед — среди партий, где карту перевернули на эту сторону (или она перевернулась сама). В долгих"
            " партиях переворачивают больше карт, так что отличие от всех партий — не обязательно заслуга карты.",
        ),
        reference=(results["win_rate"]["value"], Text("all games:", "все партии:")),
    )


def _lives(results: Mapping[str, Any]) -> Table:
    least = max(1, _SHOWN_SHARE * results["games"])
    return table_of(
        "lives_over_time",
        Text("Lives over time", "Жизни по ходу партии"),
        (Text("Round", "Раунд"), Column(Text("Lives", "Жизней")), common.GAMES, common.SHARE.at("reached")),
        ((look["round"], look) for look in results["lives_over_time"] if look["games"] >= least),
        note=Text(
            "Lives as the round begins, on average over the games that came so far. Rounds that fewer than one game in"
            f" a hundred came to are left out; so are all after round {ROUNDS}.",
            "Жизни на начало раунда, в среднем по партиям, которые до него дошли. Раунды, до которых дошло меньше одной"
            f" партии из ста, не показаны; раунды после {ROUNDS}-го — тоже.",
        ),
        drawn=True,
    )
