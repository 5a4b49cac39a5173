"""Figures of a game's report by name: which there are, where they stand in its tables, what would be fair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from playmill.engine.game import Game
from playmill.report.model import Estimate, RunInfo, Table
from playmill.stats.blocks import Path, figures, value_of
from playmill.stats.estimates import Measured
from playmill.texts import LANGUAGES, PlaymillError, Text

#: A number no report has, by which a figure is found again in the tables.
_MARK = 0.123456789012345
#: So many names are told to whoever misspelt one.
_TOLD = 24


@dataclass(frozen=True)
class Figure:
    """A figure of a report: where it stands in the results, what its table calls it, and what would be fair."""

    path: Path
    title: Text
    percent: bool
    fair: float | None = None
    #: Whether any table tells of it.
    told: bool = True

    @property
    def name(self) -> str:
        """What it is called on command lines and in files."""
        return name_of(self.path)


def name_of(path: Path) -> str:
    """The name of a figure: where it stands in the results."""
    return ".".join(map(str, path))


def at(results: Mapping[str, Any], path: Path) -> Measured | None:
    """A figure of some results; None if they have no such one."""
    found: Any = results
    for step in path:
        try:
            found = found[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value_of(found)


def find(name: str, results: Mapping[str, Any], option: str) -> Path:
    """The figure of a name, or of its last words if they are enough; raises with the names that are known."""
    known = {name_of(path): path for path, _ in figures(results)}
    if name in known:
        return known[name]
    ending = [path for one, path in known.items() if one.endswith(f".{name}")]
    if len(ending) == 1:
        return ending[0]
    if ending:
        told = ", ".join(map(name_of, ending[:_TOLD]))
        raise PlaymillError(f"{option}: {name!r} may be {told}", f"{option}: {name!r} — это может быть {told}")
    told = ", ".join(_nearest(name, known))
    more = "" if len(known) <= _TOLD else ", …"
    raise PlaymillError(
        f"{option}: there is no figure {name!r}; there are: {told}{more}",
        f"{option}: нет показателя {name!r}; есть: {told}{more}",
    )


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    """Some names, those first that are like the one that was meant."""
    every = list(known)
    near = get_close_matches(name, every, n=5, cutoff=0.5)
    return [*near, *(one for one in every if one not in near)][:_TOLD]


def described(game: Game, results: Mapping[str, Any], info: RunInfo, path: Path) -> Figure:
    """A figure as the game's own tables tell it; one that stands in none of them is called by its name."""
    value = at(results, path)
    percent = value is not None and value.most is not None
    for table in game.report.sections(_marked(results, path), info):
        for row in table.rows:
            for column, cell in enumerate(row):
                if isinstance(cell, Estimate) and cell.value == _MARK:
                    fair = table.chart.reference if table.chart and table.chart.estimate == column else None
                    return Figure(path, _title(table, row, column), column in table.percent_columns, fair)
    return Figure(path, Text(name_of(path), name_of(path)), percent, told=False)


def _marked(results: Any, path: Path) -> Any:
    """Results with the mark in place of one value."""
    if not path:
        return {**results, "mean" if "mean" in results else "value": Measured(_MARK, 1)}
    step, rest = path[0], path[1:]
    if isinstance(results, list):
        return [_marked(part, rest) if place == step else part for place, part in enumerate(results)]
    return {key: _marked(part, rest) if key == step else part for key, part in results.items()}


def _title(table: Table, row: Sequence[Any], column: int) -> Text:
    """The title of a table, what the row is about, and the column if there are several."""
    made = []
    for lang in LANGUAGES:
        labels = [
            cell.of(lang) if isinstance(cell, Text) else cell
            for cell in row[:column]
            if isinstance(cell, Text) or (isinstance(cell, str) and cell)
        ]
        numbers = sum(isinstance(cell, Estimate) for cell in row)
        parts = [", ".join(labels)] if labels else []
        if numbers > 1 or not parts:
            parts.append(table.columns[column].of(lang))
        made.append(f"{table.title.of(lang)}: {' — '.join(parts)}")
    return Text(*made)


def with_numbers(results: Any, numbers: Mapping[str, tuple[float, float, float]], path: Path = ()) -> Any:
    """Nested results with other values and intervals in place of estimates, by name."""
    if isinstance(results, Mapping):
        made = {key: with_numbers(part, numbers, (*path, key)) for key, part in results.items()}
        if (found := numbers.get(name_of(path))) is not None:
            made |= dict(zip(("mean" if "mean" in made else "value", "low", "high"), found, strict=True))
        return made
    if isinstance(results, list):
        return [with_numbers(part, numbers, (*path, place)) for place, part in enumerate(results)]
    return results


def relabelled(results: Any, names: Mapping[str, str]) -> Any:
    """Nested results in which agents have other names."""
    if not names:
        return results
    if isinstance(results, Mapping):
        return {names.get(key, key): relabelled(part, names) for key, part in results.items()}
    if isinstance(results, list):
        return [relabelled(part, names) for part in results]
    return results
