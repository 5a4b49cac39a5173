"""`Learned`: what `learn` returns, as an object that prints as its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.report.commands.learning import CurvePoint, LearningReport, Strength, learning_page, print_learning
from playmill.report.html.page import in_notebook
from playmill.report.terminal.as_text import as_text
from playmill.texts import Lang, user_language


@dataclass(frozen=True)
class Learned:
    """What a learner came to: its curve, which round its file is of, and how that does in fresh games."""

    shown: LearningReport
    file: Path

    @property
    def complete(self) -> bool:
        """Whether it has learned for as long as was asked for, and was judged."""
        return bool(self.shown.final)

    @property
    def points(self) -> tuple[CurvePoint, ...]:
        """The learning curve."""
        return self.shown.points

    @property
    def best(self) -> int:
        """The round whose network is in the file."""
        return self.shown.best

    @property
    def final(self) -> Mapping[str, Strength]:
        """Strength against each rung, on fresh deals."""
        return self.shown.final

    def __str__(self) -> str:
        return as_text(lambda console: print_learning(console, self.shown, user_language()))

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is written."""
        shown = self.shown
        values: dict[str, Any] = {"agents": list(shown.agents), "measured": shown.measured, "plays": shown.plays}
        if shown.unexplained is not None:
            values["unexplained"] = shown.unexplained.json()
        return {
            "game": shown.game,
            "players": shown.players,
            "changes": dict(shown.changes),
            "over": list(shown.over),
            "seed": shown.seed,
            "size": shown.size,
            "what": shown.what,
            **({"teacher": shown.teacher} if shown.teacher else values),
            "file": shown.file,
            "bytes": shown.bytes,
            "complete": self.complete,
            "best_round": shown.best,
            "judge": shown.judge,
            "even": shown.even,
            "strengths": {name: one.json() for name, one in shown.final.items()},
            "curve": [point.json() for point in shown.points],
            "command": shown.command,
        }

    def page(self, lang: Lang) -> str:
        """Returns it as a page that needs nothing else."""
        return learning_page(self.shown, lang)
