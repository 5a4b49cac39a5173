"""The tables of a report on Save Oneself, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import Text
from playmill.author.report import QUANTILES, Cell, Chart, RunInfo, Table, quantile_estimate, saved_estimate
from playmill.games.save_oneself.constants import FRONT, FRONT_IDS, ROUNDS
from playmill.games.save_oneself.report.figures import LOSS_TITLES
from playmill.games.save_oneself.words.names import SIDE_NAMES

SIGNAL_TITLES = {
    "sos": Text("SOS in the ship's row", "SOS в ряду корабля"),
    "beacon": Text("Lit beacon in its column", "Костёр в столбце корабля"),
    "message": Text("Ship beside the message", "Корабль рядом с сообщением"),
}
#: Rounds that fewer games came to say little, and there may be many; the file has them all.
_SHOWN_SHARE = 0.01

_GAMES = Text("Games", "Партий")
_SHARE = Text("Share of games", "Доля партий")
_MEASURE = Text("Measure", "Показатель")
_VALUE = Text("Value", "Значение")


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    return [_wins(results), _ends(results, run), _score(results), _length(results), _cards(results), _lives(results)]


def _wins(results: Mapping[str, Any]) -> Table:
    wins = sum(found["games"] for found in results["wins_by"].values())
    rows: list[tuple[Cell, ...]] = [
        (Text("Saved in any way", "Спасение любым путём"), saved_estimate(results["win_rate"]), wins, None)
    ]
    for name, title in SIGNAL_TITLES.items():
        found = results["wins_by"][name]
        rows.append((title, saved_estimate(found), found["games"], saved_estimate(found["of_wins"])))
    return Table(
        "wins",
        Text("How often the player is saved, and by what", "Как часто игрок спасается и чем"),
        (Text("Signal", "Сигнал"), _SHARE, _GAMES, Text("Of wins", "Из побед")),
        tuple(rows),
        note=Text(
            "If the ship sees several signals at once, the first of SOS, beacon, message counts.",
            "Если с корабля видно сразу несколько сигналов, засчитывается первый из: SOS, костёр, сообщение.",
        ),
        chart=Chart(0, 1),
        percent_columns=frozenset({1, 3}),
    )


def _ends(results: Mapping[str, Any], run: RunInfo) -> Table:
    wins = sum(found["games"] for found in results["wins_by"].values())
    rows: list[tuple[Cell, ...]] = [(Text("Saved", "Спасение"), saved_estimate(results["win_rate"]), wins)]
    for name, title in LOSS_TITLES.items():
        found = results["losses_by"][name]
        # Sixteen cards fill the island exactly: unless the last one loses, a row of zeros would look like a finding.
        if name != "deck" or found["games"] or run.config["lose_on_empty_deck"]:
            rows.append((title, saved_estimate(found), found["games"]))
    return Table(
        "ends",
        Text("How games end", "Чем заканчиваются партии"),
        (Text("Ending", "Конец партии"), _SHARE, _GAMES),
        tuple(rows),
        percent_columns=frozenset({1}),
    )


def _score(results: Mapping[str, Any]) -> Table:
    return Table(
        "score",
        Text("Score", "Счёт"),
        (_MEASURE, _VALUE),
        _described(
            results["score"],
            Text("Points", "Очки"),
            Text("lowest score", "наименьший счёт"),
            Text("highest score", "наибольший счёт"),
        ),
        note=Text(
            "Of all games, lost ones too: fronts that are up, lives left, and points for cards placed.",
            "По всем партиям, и проигранным тоже: открытые лицевые стороны, оставшиеся жизни и очки за выложенные"
            " карты.",
        ),
    )


def _length(results: Mapping[str, Any]) -> Table:
    cards = results["cards_placed"]
    return Table(
        "length",
        Text("Length of a game", "Длина партии"),
        (_MEASURE, _VALUE),
        (
            *_described(
                results["rounds"],
                Text("Rounds", "Раундов"),
                Text("shortest game", "самая короткая партия"),
                Text("longest game", "самая длинная партия"),
            ),
            (
                Text("Cards placed: mean", "Выложено карт: в среднем"),
                saved_estimate(cards),
            ),
            (Text("Cards placed: median", "Выложено карт: медиана"), quantile_estimate(cards, "median")),
            (
                Text("Ships that came: mean", "Приплыло кораблей: в среднем"),
                saved_estimate(results["ships_per_game"]),
            ),
            (
                Text("Decisions: mean per game", "Решений: в среднем за партию"),
                saved_estimate(results["decisions_per_game"]),
            ),
        ),
        note=Text(
            "All rounds begun count; a choice of one option is no decision.",
            "Считаются все начатые раунды; выбор из одного варианта — не решение.",
        ),
    )


def _described(found: Mapping[str, Any], what: Text, least: Text, most: Text) -> tuple[tuple[Text, Cell], ...]:
    """The rows that describe how a number is spread over the games."""
    named = (
        ("std", Text("standard deviation", "стандартное отклонение")),
        ("median", Text("median", "медиана")),
        ("p10", Text("10th percentile", "10-й процентиль")),
        ("p90", Text("90th percentile", "90-й процентиль")),
        ("min", least),
        ("max", most),
    )

    def title(of: Text) -> Text:
        return Text(f"{what.en}: {of.en}", f"{what.ru}: {of.ru}")

    rest = ((title(name), quantile_estimate(found, key) if key in QUANTILES else found[key]) for key, name in named)
    return (title(Text("mean", "в среднем")), saved_estimate(found)), *rest


def _cards(results: Mapping[str, Any]) -> Table:
    games = results["games"]
    whole = saved_estimate(results["win_rate"])
    rows: list[tuple[Cell, ...]] = [(Text("All games", "Все партии"), whole, None)]
    for card, name in enumerate(FRONT_IDS):
        turned, given = results["turned"][name], results["win_rate_given"][name]
        win_rate = saved_estimate(given)
        rows.append((SIDE_NAMES[FRONT + card], win_rate, saved_estimate(turned)))
    return Table(
        "cards",
        Text("Cards turned over", "Перевёрнутые карты"),
        (Text("Front", "Сторона"), Text("Win rate then", "Доля побед"), Text("Turned over", "Перевёрнута")),
        tuple(rows),
        note=Text(
            "Win rate: of the games in which the card was turned over, by itself too. Long games turn more cards, so"
            " that a difference from all games need not be the card's doing.",
            "Доля побед — среди партий, где карту перевернули на эту сторону (или она перевернулась сама). В долгих"
            " партиях переворачивают больше карт, так что отличие от всех партий — не обязательно заслуга карты.",
        ),
        chart=Chart(
            0,
            1,
            reference=results["win_rate"]["value"] if games else None,
            reference_label=Text("all games:", "все партии:"),
        ),
        percent_columns=frozenset({1, 2}),
    )


def _lives(results: Mapping[str, Any]) -> Table:
    games = results["games"]
    shown = [look for look in results["lives_over_time"] if look["games"] and look["games"] >= _SHOWN_SHARE * games]
    return Table(
        "lives_over_time",
        Text("Lives over time", "Жизни по ходу партии"),
        (Text("Round", "Раунд"), Text("Lives", "Жизней"), _GAMES, _SHARE),
        tuple((look["round"], saved_estimate(look), look["games"], saved_estimate(look["reached"])) for look in shown),
        note=Text(
            "Lives as the round begins, on average over the games that came so far. Rounds that fewer than one game in"
            f" a hundred came to are left out; so are all after round {ROUNDS}.",
            "Жизни на начало раунда, в среднем по партиям, которые до него дошли. Раунды, до которых дошло меньше одной"
            f" партии из ста, не показаны; раунды после {ROUNDS}-го — тоже.",
        ),
        chart=Chart(0, 1, percent=False),
        percent_columns=frozenset({3}),
    )
