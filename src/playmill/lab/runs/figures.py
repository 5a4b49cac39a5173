"""Figures of a report by name: finds them in nested results, gives titles, labels and fair values from the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import isnan
from typing import Any

from playmill.engine.contract.game import Game
from playmill.report.commands.side_by_side import equals, figure_labels, figure_title, is_named
from playmill.report.model import figure_names
from playmill.report.model.tables import Estimate, RunInfo
from playmill.stats.block_jackknife import Path, figures, value_of
from playmill.stats.estimates import Measured
from playmill.texts import PlaymillError, Text, as_text

#: A number no report has, by which a figure is found again in the tables.
_MARK = 0.123456789012345
#: This many names are told to whoever misspelt one.
_SHOWN = 24


@dataclass(frozen=True)
class ReportFigure:
    """A figure of a report: its path in the results, title, fair value, and whether a table shows it."""

    path: Path
    title: Text
    percent: bool
    fair: float | None = None
    #: What the table calls its fair value.
    fair_label: Text | None = None
    #: Figures that share all wins equally where all is fair, itself among them; none where that is not what is fair.
    shared: tuple[str, ...] = ()
    #: Whether any table tells of it.
    in_table: bool = True
    #: What its row in that table is about.
    labels: tuple[Text, ...] = ()

    @property
    def name(self) -> str:
        """What it is called on command lines and in files."""
        return name_of(self.path)

    def fair_among(self, found: Mapping[str, Estimate]) -> float | None:
        """Returns what is fair beside these figures: where draws leave less to be shared, an equal part of the wins."""
        parts = [found[name].value for name in self.shared if name in found]
        if self.fair is None or not parts or len(parts) < len(self.shared):
            return self.fair
        return min(self.fair, sum(parts) / len(parts))


def name_of(path: Path) -> str:
    """Returns the name of a figure: its path in the results, joined."""
    return ".".join(map(str, path))


def at(results: Mapping[str, Any], path: Path) -> Measured | None:
    """Returns a figure of some results; None if they have none at that path."""
    found: Any = results
    for step in path:
        try:
            found = found[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value_of(found)


def find(name: str, results: Mapping[str, Any], option: str) -> Path:
    """Finds a figure by its name or the last words of it; raises with the known names."""
    known = {name_of(path): path for path in figures(results)}
    if name in known:
        return known[name]
    ending = [path for one, path in known.items() if one.endswith(f".{name}")]
    if len(ending) == 1:
        return ending[0]
    if ending:
        known_names = ", ".join(map(name_of, ending[:_SHOWN]))
        raise PlaymillError(
            f"{option}: {name!r} may be {known_names}", f"{option}: {name!r} — это может быть {known_names}"
        )
    known_names = ", ".join(_nearest(name, known))
    more = "" if len(known) <= _SHOWN else ", …"
    raise PlaymillError(
        f"{option}: there is no figure {name!r}; there are: {known_names}{more}",
        f"{option}: нет показателя {name!r}; есть: {known_names}{more}",
    )


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    """Returns names sorted by similarity to the one that was meant."""
    every = list(known)
    near = get_close_matches(name, every, n=5, cutoff=0.5)
    return [*near, *(one for one in every if one not in near)][:_SHOWN]


def described(game: Game, results: Mapping[str, Any], info: RunInfo, path: Path) -> ReportFigure:
    """Describes a figure from the game's own tables, or from `FIGURES` if no table shows it."""
    found = described_figures(game, results, info).get(path)
    return found or ReportFigure(path, _named(game, path), percent=False, in_table=False)


def described_figures(game: Game, results: Mapping[str, Any], info: RunInfo) -> dict[Path, ReportFigure]:
    """Describes all figures of a report: its tables are made of results in which every figure is a marker."""
    values = {path: value_of(figure) for path, figure in figures(results).items()}
    markers = {path: _MARK + number for number, path in enumerate(values)}
    marked = {marker: path for path, marker in markers.items()}
    found: dict[Path, ReportFigure] = {}
    # Tables and rows of what was never counted are often left out; a figure that would stand there is called so, too.
    for shown, made in ((True, results), (False, _counted_once(results))):
        for table in game.report.sections(_marked(made, markers), info):
            line, label = (table.chart.reference, table.chart.reference_label) if table.chart else (None, None)
            # The line of a chart may be a figure itself.
            line = float(values[marked[line]]) if line in marked else line
            drawn = table.chart.estimate if table.chart else None
            cells = equals(table, drawn, line or 0.0) if drawn is not None else []
            parts = [name_of(marked[cell.value]) for cell in cells if cell.value in marked]
            shared = tuple(parts) if len(parts) == len(cells) else ()
            for row in table.rows:
                for column, cell in enumerate(row):
                    if not isinstance(cell, Estimate) or (path := marked.get(cell.value)) is None or path in found:
                        continue
                    held = column == drawn and is_named(table, row)
                    against = (line, label, shared) if held else (None, None, ())
                    title, labels = figure_title(table, row, column), figure_labels(table, row, column)
                    percent = column in table.percent_columns
                    found[path] = ReportFigure(path, title, percent, *against, in_table=shown, labels=labels)
    return {
        path: found.get(path) or ReportFigure(path, _named(game, path), value.most is not None, in_table=False)
        for path, value in values.items()
    }


def _counted_once(results: Any) -> Any:
    """Returns results as if everything that was never counted had been counted once."""
    if isinstance(results, Mapping):
        return {key: _counted_once(part) for key, part in results.items()}
    if isinstance(results, list):
        return [_counted_once(part) for part in results]
    return 1 if type(results) is int and results == 0 else results


def _named(game: Game, path: Path) -> Text:
    """Returns the title of a figure that no table shows: from the game's report, from the common names, or its name."""
    own = game.report.FIGURES
    if not isinstance(own, Mapping) or not all(isinstance(name, str) for name in own):
        raise PlaymillError(
            f"{game.name}: FIGURES of its report has to be a dict: names of figures, and what each is called",
            f"{game.name}: FIGURES в отчёте должен быть словарём: имена показателей и как они называются",
        )
    for known in (own, figure_names.FIGURES):
        for name, words in known.items():
            if (steps := _filling(name.split("."), path)) is not None:
                return Text(*(_filled(title, steps) for title in as_text(words)))
    return Text(name_of(path), name_of(path))


def _filling(steps: Sequence[str], path: Path) -> list[str] | None:
    """Returns what fills each * of a pattern such as `agents.*.win_rate`; None if it does not match."""
    if len(steps) != len(path) or any(step not in ("*", str(at)) for step, at in zip(steps, path, strict=True)):
        return None
    # Of seats, rounds and the like people count from 1.
    filled = [str(at + 1) if isinstance(at, int) else str(at) for at in path]
    return [word for step, word in zip(steps, filled, strict=True) if step == "*"]


def _filled(words: str, steps: Iterable[str]) -> str:
    for step in steps:
        words = words.replace("{}", step, 1)
    return words


def _marked(results: Any, markers: Mapping[Path, float], path: Path = ()) -> Any:
    """Returns results with a marker in place of every figure's value."""
    if isinstance(results, list):
        return [_marked(part, markers, (*path, place)) for place, part in enumerate(results)]
    if not isinstance(results, Mapping):
        return results
    made = {key: _marked(part, markers, (*path, key)) for key, part in results.items()}
    if path in markers:
        # With an interval: what is the same in all games some reports show as a number alone.
        value = Measured(markers[path], 1)
        made |= {"mean" if "mean" in results else "value": value, "low": 0.0, "high": 1.0}
    return made


def with_numbers(results: Any, numbers: Mapping[str, tuple[float, float, float]], path: Path = ()) -> Any:
    """Returns nested results with other values and intervals by name; quantiles become None."""
    if isinstance(results, Mapping):
        made = {key: with_numbers(part, numbers, (*path, key)) for key, part in results.items()}
        if (found := numbers.get(name_of(path))) is not None:
            known = (None if isnan(number) else number for number in found)
            made |= dict(zip(("mean" if "mean" in made else "value", "low", "high"), known, strict=True))
            made |= dict.fromkeys(("intervals", *made["intervals"]) if made.get("intervals") else ())
        return made
    if isinstance(results, list):
        return [with_numbers(part, numbers, (*path, place)) for place, part in enumerate(results)]
    return results


def relabelled(results: Any, names: Mapping[str, str]) -> Any:
    """Returns nested results in which agents have other names."""
    if not names:
        return results
    if isinstance(results, Mapping):
        return {names.get(key, key): relabelled(part, names) for key, part in results.items()}
    if isinstance(results, list):
        return [relabelled(part, names) for part in results]
    return results
