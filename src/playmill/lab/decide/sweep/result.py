"""Data of a finished sweep: axes, shown figures, settings with estimates and differences; JSON and CSV forms."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

from playmill.engine.contract.game import Game
from playmill.lab.decide.sweep.axes import SweepAxis
from playmill.lab.runs.figures import ReportFigure
from playmill.report.model.tables import Estimate, RunInfo
from playmill.stats.differences import Difference
from playmill.texts import LANGUAGES, Lang, Text


@dataclass(frozen=True)
class ShownFigures:
    """The figures that one word of `--show` means: one, or those of a pattern, drawn together."""

    word: str
    figures: tuple[ReportFigure, ...]

    @property
    def title(self) -> Text:
        """What its figures have in common."""
        if len(self.figures) == 1:
            return self.figures[0].title
        heads = [{figure.title.of(lang).partition(": ")[0] for figure in self.figures} for lang in LANGUAGES]
        if all(len(head) == 1 for head in heads):
            return Text(*(next(iter(head)) for head in heads))
        return Text(self.word, self.word)

    def name(self, figure: ReportFigure) -> Text:
        """Returns what one of the figures is called beside the others."""
        title = self.title
        return Text(*(figure.title.of(lang).removeprefix(f"{title.of(lang)}: ") for lang in LANGUAGES))


@dataclass(frozen=True)
class SweptSetting:
    """One setting: its values, its figures by name, and their differences from the rules."""

    values: tuple[Any, ...]
    figures: Mapping[str, Estimate]
    differences: Mapping[str, Difference]


@dataclass(frozen=True)
class SweepResult:
    """Figures of a report for every combination of swept values, on the same deals."""

    game: Game
    info: RunInfo
    overs: tuple[SweepAxis, ...]
    shown: tuple[ShownFigures, ...]
    base: Mapping[str, Estimate]
    settings: tuple[SweptSetting, ...]
    deals: int
    command: str = ""
    #: Whether what was played is on disk, so that asking the same again goes on from there.
    remembered: bool = False

    def __repr__(self) -> str:
        paths = ", ".join(one.path for one in self.overs)
        return f"<Sweep of {self.info.game} over {paths}: {len(self.settings)} settings, {self.deals} deals each>"

    @property
    def complete(self) -> bool:
        """Whether all settings were played."""
        return all(setting.figures for setting in self.settings)

    @property
    def of_agents(self) -> bool:
        """Whether it goes over numbers of agents alone."""
        return all(one.of_agent for one in self.overs)

    def is_rules(self, setting: SweptSetting) -> bool:
        """Returns whether a setting is the rules as they are."""
        return all(one.is_rules(value) for one, value in zip(self.overs, setting.values, strict=True))

    @property
    def figures(self) -> tuple[ReportFigure, ...]:
        """All figures that are shown."""
        return tuple(dict.fromkeys(figure for shown in self.shown for figure in shown.figures))

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "meta": {
                **self.info.json(),
                "games": None,
                "deals": self.deals,
                "complete": self.complete,
                "command": self.command,
            },
            "results": {
                "over": {one.path: list(one.values) for one in self.overs},
                "rules": {one.path: one.rules for one in self.overs},
                "figures": {name: found.json() for name, found in self.base.items()},
                "settings": [
                    {
                        "values": dict(zip((one.path for one in self.overs), setting.values, strict=True)),
                        "figures": {name: found.json() for name, found in setting.figures.items()},
                        "differences": {name: one.json() for name, one in setting.differences.items()},
                    }
                    for setting in self.settings
                ],
            },
        }

    def csv(self) -> str:
        """Returns one row a setting and figure."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        ends = ("value", "low", "high")
        moved_ends = (f"difference_{end}" for end in ends)
        writer.writerow([*(one.path for one in self.overs), "figure", *ends, "n", *moved_ends, "adjusted_p"])
        for setting in self.settings:
            values = [one.name(value) for one, value in zip(self.overs, setting.values, strict=True)]
            for name, found in setting.figures.items():
                one = setting.differences.get(name)
                moved = [one.value, one.low, one.high, one.adjusted] if one is not None else [None] * 4
                numbers = [found.value, found.low, found.high, *moved]
                known = ["" if number is None or isnan(number) else number for number in numbers]
                writer.writerow([*values, name, *known[:3], found.n, *known[3:]])
        return text.getvalue()

    def named(self, lang: Lang) -> Iterator[tuple[str, str]]:
        """Yields what it goes over, in words: each path, and its values."""
        for one in self.overs:
            values_text = ", ".join(map(one.name, one.values))
            now = one.name(one.rules)
            rules = Text(f"the rules have {now}", f"в правилах {now}")
            rules = Text(f"now {now}", f"сейчас {now}") if one.of_agent else rules
            yield one.path, f"{values_text} ({rules.of(lang)})"
