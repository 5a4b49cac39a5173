"""The folder of a learning: the learner, its lessons and the network of every round, saved after each round."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.networks import DAMAGED, read_arrays
from playmill.home import home, make_private
from playmill.lab.runs.kept_work import KeptDescription, work_name
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import write_aside
from playmill.report.commands.learning import CurvePoint, Strength
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.stdio import complain
from playmill.texts import Text, user_language

#: The form in which learning is kept; another one is begun anew.
_FORM = 3
_LEARNER, _WHAT, _FINAL = "learner.npz", "what.json", "final.json"
#: Binary digits of what is written of a weight.
_DIGITS = 12
#: What reading a file can raise that was cut, changed or is of something else.
_DAMAGED = (*DAMAGED, KeyError, TypeError)
_OTHER_RULES = Text(
    "the rules, or how Playmill learns, have changed since {} was learned, so that all is learned anew;"
    " playmill runs --remove {} forgets it",
    "с тех пор как обучено {}, изменились правила или то, как учит Playmill, и всё учится заново; забыть прежнее:"
    " playmill runs --remove {}",
)
_DAMAGE = Text(
    "what was kept in {} is damaged, so that all is learned anew",
    "сохранённое в {} повреждено, поэтому всё учится заново",
)


@dataclass(frozen=True)
class SavedRounds:
    """What was learned before: the arrays of the learner, the lessons it still learns from, and the curve."""

    arrays: Mapping[str, Any]
    lessons: list[dict[str, Any]]
    points: list[CurvePoint]


class KeptLearning:
    """Keeps one learning, which `what` decides: asked for the same again, it goes on."""

    def __init__(self, game: str, what: Mapping[str, Any], command: str) -> None:
        self._game, self._command = game, command
        self._what = {"form": _FORM, **what}
        self.name = work_name(game, json.dumps(self._what, sort_keys=True))
        self._folder = home() / "learning" / self.name
        self._held = ExitStack()

    def __enter__(self) -> KeptLearning:
        try:
            fresh = not self._folder.exists()
            make_private(self._folder)
        except OSError as error:
            raise cannot_write(self._folder, reason_of(error)) from None
        self._held.enter_context(RunLock(self._folder, self.name))
        if fresh:
            self._tell_of_other_rules()
        write_aside(self._folder / _WHAT, json.dumps(self._what, sort_keys=True).encode())
        self._about = KeptDescription(self._folder, kind="learn", game=self._game, command=self._command)
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()
        if not (self._folder / _LEARNER).is_file():  # no round was finished: there is nothing to go on with
            shutil.rmtree(self._folder, ignore_errors=True)

    def read(self, window: int) -> SavedRounds | None:
        """Reads what was learned before, with the lessons of the last rounds; None if nothing was, or it is damaged."""
        if not (self._folder / _LEARNER).is_file():
            return None
        try:
            arrays = read_arrays(self._folder / _LEARNER)
            points = [CurvePoint.from_json(one) for one in json.loads(str(arrays["points"]))]
            lessons = [read_arrays(self._lesson(point.round)) for point in points[-window:]] if window else []
            for point in points:
                self.network_arrays(point.round)
        except _DAMAGED:
            complain(_DAMAGE.format(self._folder).of(user_language()))
            return None
        return SavedRounds(arrays, lessons, points)

    def network(self, number: int) -> Path:
        """Returns the file of the network of a round."""
        return self._folder / f"net-{number:04}.npz"

    def network_arrays(self, number: int) -> dict[str, Any]:
        """Reads the network of a round."""
        return read_arrays(self.network(number))

    def write(
        self,
        points: list[CurvePoint],
        learner: Mapping[str, Any],
        lesson: Mapping[str, Any],
        network: Mapping[str, Any],
        window: int,
    ) -> None:
        """Saves a round; until its last file is there, what was saved before is good."""
        number = points[-1].round
        if window:
            write_aside(self._lesson(number), packed(lesson))
        write_aside(self.network(number), packed(network))
        saved = json.dumps([point.json() for point in points])
        write_aside(self._folder / _LEARNER, packed({**learner, "points": saved}))
        self._lesson(number - window).unlink(missing_ok=True)

    def note(self, share: float, *, complete: bool = False) -> None:
        """Says how far it is, for `playmill runs`."""
        self._about.note(round(1000 * min(share, 1)), 1000, complete=complete)

    def read_final(self, best: int, rounds: int) -> dict[str, Strength]:
        """Reads how the network of a round did on fresh deals, if it was played before; else nothing."""
        try:
            saved = json.loads((self._folder / _FINAL).read_bytes())
            if (saved["best"], saved["rounds"]) != (best, rounds):
                return {}
            return {name: Strength.from_json(one) for name, one in saved["strengths"].items()}
        except _DAMAGED:
            return {}

    def write_final(self, best: int, rounds: int, strengths: Mapping[str, Strength]) -> None:
        """Saves how the network of a round did on fresh deals."""
        saved = {"best": best, "rounds": rounds, "strengths": {name: one.json() for name, one in strengths.items()}}
        write_aside(self._folder / _FINAL, json.dumps(saved).encode())

    def _lesson(self, number: int) -> Path:
        return self._folder / f"labels-{number:04}.npz"

    def _tell_of_other_rules(self) -> None:
        """Says so if the same was learned by other rules, or in another form: nobody expects that it begins anew."""
        anyhow = {"rules": "", "form": 0}
        for place in sorted(self._folder.parent.glob(f"{self.name.rpartition('-')[0]}-*")):
            try:
                what = json.loads((place / _WHAT).read_bytes())
                if {**what, **anyhow} == json.loads(json.dumps({**self._what, **anyhow})):
                    complain(_OTHER_RULES.format(place.name, place.name).of(user_language()))
                    return
            except _DAMAGED:
                continue


def rounded(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Weights with fewer digits, so that a file is small; those that play have hardly more."""
    names = [name for name in arrays if "weight" in name or "bias" in name]
    return {**arrays, **{name: np.rint(arrays[name] * 2**_DIGITS) / np.float32(2**_DIGITS) for name in names}}


def packed(arrays: Mapping[str, Any]) -> bytes:
    """Returns arrays as a file, the same bytes for the same arrays."""
    made = io.BytesIO()
    np.savez_compressed(made, **arrays)
    return made.getvalue()
