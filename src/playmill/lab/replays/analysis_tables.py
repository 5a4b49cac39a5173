"""The analysis of a game's decisions as tables of a report: of each player, and what cost most."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.lab.replays.decision_analysis import DecisionAnalysis
from playmill.lab.replays.narration import called
from playmill.report.model.tables import Cell, Table
from playmill.report.number_format import percentage
from playmill.texts import LANGUAGES, Text

METHOD = Text(
    "At each decision the strongest agent of the game thinks with what the player could know there; what it chooses and"
    " what was done are played on to the end on the same luck. Intervals (95 %) are over play-outs; those of the list"
    " hold for all of it together, on luck that chose nothing.",
    "В каждом решении сильнейший агент игры думает, зная то, что мог знать игрок; его выбор и то, что было сделано,"
    " доигрываются до конца на одной и той же удаче. Интервалы (95 %) — по доигрываниям; в списке они верны для всего"
    " списка вместе и на удаче, по которой ничего не выбирали.",
)
_PLAYER = Text("Player", "Игрок")
_COST = Text("chance lost", "потеряно шансов")
_PAID = Text("lost a game", "потеряно за партию")
_NEVER = Text("never differed", "ни разу иначе")


def analysis_tables(found: DecisionAnalysis, names: Sequence[str]) -> list[Table]:
    """Returns the players and the costliest decisions; `names` are what those who sat there are called."""
    return [_players(found, names), _mistakes(found, names)]


def _who(seat: int, names: Sequence[str]) -> Text:
    return Text(*(called(seat, names, lang) for lang in LANGUAGES))


def _players(found: DecisionAnalysis, names: Sequence[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for seat, one in enumerate(found.players):
        share = Text(*(percentage(one.agreed / one.decisions, 0, lang) for lang in LANGUAGES)) if one.decisions else "—"
        rows.append((_who(seat, names), one.decisions, share, one.cost or (_NEVER if one.decisions else "—")))
    cost = Text("{}, a decision", "{}, за решение").format(_PAID if found.pays else _COST)
    columns = (_PLAYER, Text("decisions", "решений"), Text("as the expert", "как мастер"), cost)
    title = Text(f"Against the expert ({found.expert})", f"Рядом с мастером ({found.expert})")
    return Table(
        "players", title, columns, tuple(rows), percent_columns=frozenset() if found.pays else frozenset({3}),
        number_columns=frozenset({2}),
    )  # fmt: skip


def _mistakes(found: DecisionAnalysis, names: Sequence[str]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (str(one.at + 1), _who(one.player, names), found.words[one.action], found.words[one.best], one.cost)
        for one in found.mistakes
    ]
    columns = (
        Text("Move", "Ход"), _PLAYER, Text("did", "сделано"), Text("the expert", "мастер"),
        _PAID if found.pays else _COST,
    )  # fmt: skip
    none = Text("No decision surely cost anything.", "Ни одно решение точно ничего не стоило.")
    unfinished = Text("Not finished: it was stopped.", "Не закончено: остановлено.")
    return Table(
        "mistakes", Text("What cost most", "Что обошлось дороже всего"), columns, tuple(rows),
        note=None if rows else none if found.share >= 1 else unfinished,
        percent_columns=frozenset() if found.pays else frozenset({4}),
    )  # fmt: skip
