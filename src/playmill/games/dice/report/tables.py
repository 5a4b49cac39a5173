"""The tables of a report on Dice, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playmill.author import LANGUAGES, Text
from playmill.author.report import (
    FEW,
    Cell,
    Column,
    RunInfo,
    Table,
    common,
    figure_cell,
    percentage,
    saved_estimate,
    table_of,
)
from playmill.games.dice.report.figures import GLOBAL, PER_TURN, SEATS

_OWNERS = {GLOBAL: Text("both", "оба")} | {
    key: Text(f"seat {number}", f"место {number}") for number, key in enumerate(SEATS, 1)
}


def sections(results: Mapping[str, Any], run: RunInfo) -> list[Table]:
    """The tables of a report, the most telling first, from results as they are saved."""
    effects = [effect for effect in results["effects"].values() if effect["kind"] != "die"]
    dice = [effect for effect in results["effects"].values() if effect["kind"] == "die"]
    tables = [_agents(results, run)] if run.rotations > 1 else []
    tables.append(_wins(results, run))
    if "exact" in results:
        tables.append(_exact(results))
    if results["draws"]["games"]:
        tables.append(_draws(results))
    tables += [_points(results), _throws(results), _busts(results)]
    if effects:
        tables.append(_content(effects, run))
    if dice:
        tables.append(_dice(dice, run))
    return [*tables, _length(results)]


def _agents(results: Mapping[str, Any], run: RunInfo) -> Table:
    agents = {name: {"win_rate": found} for name, found in results["win_rate"]["agents"].items()}
    return common.agents_table(agents, run, fair=common.WITHOUT_DRAWS)


def _wins(results: Mapping[str, Any], run: RunInfo) -> Table:
    found = zip(results["win_rate"]["seats"], results["wins"], strict=True)
    return common.seats_table(
        [{"win_rate": rate, "wins": wins} for rate, wins in found],
        run,
        common.WINS,
        key="wins",
        note=Text(
            "Seat 1 has the first turn. A draw is nobody's win.", "Место 1 ходит первым. Ничья — ни для кого не победа."
        ),
        fair=common.WITHOUT_DRAWS,
    )


def _exact(results: Mapping[str, Any]) -> Table:
    chance = results["exact"]["first_wins"]
    # Known, not measured: so with more decimals than any estimate, and without an interval.
    exact = Text(*(percentage(chance, 3, lang) for lang in LANGUAGES))
    return table_of(
        "exact",
        Text("How much the first turn is worth", "Чего стоит первый ход"),
        (Text("Wins of seat 1", "Победы места 1"), common.WIN_RATE),
        (
            (Text("In this run", "В этом прогоне"), {"win_rate": results["win_rate"]["seats"][0]}),
            (Text("Optimal play, exact", "Оптимальная игра, точно"), {"win_rate": exact}),
        ),
        note=Text(
            "Optimal play, exact: both players play as well as possible, with these dice, without modifiers and items"
            " and with no limit of turns.",
            "Оптимальная игра, точно: оба играют наилучшим образом, с этими костями, без модификаторов и предметов и"
            " без ограничения на число ходов.",
        ),
    )


def _draws(results: Mapping[str, Any]) -> Table:
    share = Column(Text("Share of matches", "Доля партий"), percent=True)
    return table_of(
        "draws",
        Text("Draws", "Ничьи"),
        (common.ENDING, share, Column(Text("Matches", "Партий"), "games")),
        [(Text("Draw: no turns left", "Ничья: ходы кончились"), results["draws"])],
    )


def _figure(saved: Mapping[str, Any]) -> Cell:
    """An estimate; a number that was the same in all of many matches, such as 0, has no interval and stands alone."""
    return saved["value"] if saved["n"] >= FEW and saved["low"] is None else saved_estimate(saved)


def _per_turn(results: Mapping[str, Any], key: str, title: Text, *figures: str, note: Text, drawn: bool) -> Table:
    """A row for each agent and, if there are several, one for all turns together."""
    names = list(results[figures[0]]["agents"])
    rows = [(name, {figure: _figure(results[figure]["agents"][name]) for figure in figures}) for name in names]
    if len(names) > 1:
        rows.append((Text("All turns", "Все ходы"), {figure: _figure(results[figure]) for figure in figures}))
    columns = [Column(PER_TURN[figure], figure) for figure in figures]
    return table_of(key, title, (common.AGENT, *columns), rows, note=note, drawn=drawn)


def _points(results: Mapping[str, Any]) -> Table:
    return _per_turn(
        results,
        "points",
        Text("Points banked per turn", "Очки, записанные за ход"),
        "points_per_turn",
        note=Text(
            "A turn that ends in a bust brings 0; it counts as well.",
            "Ход, который кончился провалом, приносит 0 и тоже учитывается.",
        ),
        drawn=True,
    )


def _throws(results: Mapping[str, Any]) -> Table:
    return _per_turn(
        results,
        "throws",
        Text("Rolls and hot dice", "Броски и горячие кости"),
        "rolls_per_turn",
        "hot_dice_per_turn",
        note=Text(
            "Hot dice: how often all six are banked and the player throws them again.",
            "Горячие кости: сколько раз отложены все шесть, и игрок бросает их снова.",
        ),
        drawn=False,
    )


def _busts(results: Mapping[str, Any]) -> Table:
    saved = results["bust_rate_by_dice"]
    columns: list[Text | Column] = [
        Text("Dice thrown", "Брошено костей"),
        Column(Text("Bust rate", "Доля провалов"), percent=True),
        Column(Text("Throws", "Бросков"), "throws"),
    ]
    note = Text(
        "Of throws of all dice on the table, those in which nothing scores, also where a shield saves the turn.",
        "Из бросков всех костей на столе — те, в которых нет очков, даже если ход спас щит.",
    )
    if any("exact" in found for found in saved.values()):
        # As a plain number, since a percentage would have one decimal only.
        columns.append(
            Column(Text("Exactly, %", "Точно, %"), lambda found: 100 * found["exact"] if "exact" in found else None)
        )
        exactly = Text(
            "Exactly: the chance for these dice, found by going through all rolls.",
            "Точно: вероятность для этих костей, найденная перебором.",
        )
        note = Text.join([note, exactly], " ")
    title = Text("Busts by number of dice", "Провалы по числу костей")
    return table_of("busts", title, columns, saved.items(), note=note, drawn=True)


def _owned(key: str, title: Text, happened: Text, effects: list[Mapping[str, Any]], run: RunInfo, note: Text) -> Table:
    """A row for each thing and owner."""
    return table_of(
        key,
        title,
        (
            Text("What and whose", "Что и у кого"),
            Column(happened, lambda record: _figure(record["fired_per_game"])),
            Column(Text("Points per match", "Очков за партию"), lambda record: _figure(record["points_per_game"])),
        ),
        (
            # In one column, where words can break into lines: beside two intervals there is no room for another.
            (Text("{} ({})", "{} ({})").format(Text(**effect["name"]), _OWNERS[owner]), record)
            for effect in effects
            for owner, record in effect["owners"].items()
        ),
        note=note,
        by_seat=run,
    )


def _content(effects: list[Mapping[str, Any]], run: RunInfo) -> Table:
    return _owned(
        "effects",
        Text("Modifiers and items", "Модификаторы и предметы"),
        Text("Fired per match", "Сработало за партию"),
        effects,
        run,
        Text(
            "Points: what it adds to the turn at once (below 0: takes away), even if the turn ends in a bust. What"
            " a shield or a new throw brings later is not in them; a doubled save counts for the item that doubled it.",
            "Очки: сколько сразу прибавляет к очкам хода (меньше 0 — отнимает), даже если ход потом кончится"
            " провалом. То, что позже принесут щит или новый бросок, сюда не входит; удвоение засчитано предмету.",
        ),
    )


def _dice(dice: list[Mapping[str, Any]], run: RunInfo) -> Table:
    return _owned(
        "dice",
        Text("Loaded dice", "Нечестные кости"),
        Text("Thrown per match", "Брошено за партию"),
        dice,
        run,
        Text(
            "All dice of a kind together. Points: those of a save are shared equally by its dice, even if the turn"
            " ends in a bust.",
            "Все кости одного вида вместе. Очки: каждое сохранение делится поровну между своими костями, даже если"
            " ход потом кончится провалом.",
        ),
    )


def _length(results: Mapping[str, Any]) -> Table:
    winner = results["winner_turns"]
    return common.length_table(
        results["turns"],
        common.TURNS,
        (Text("Turns of the winner: mean", "Ходов победителя: в среднем"), figure_cell(winner)),
        (Text("Turns of the winner: median", "Ходов победителя: медиана"), figure_cell(winner, "median")),
        decisions=results["decisions_per_game"],
        note=Text("Turns of both players together", "Ходы обоих игроков вместе"),
        game="match",
    )
