"""The seed of a contest: drawn once and kept secret until the contest is closed, so that nobody can guess a deal."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.runs.store.manifest import write_through
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError

FILE = "seed.json"
#: Bits of a seed that is drawn: too many to be tried out.
_SECRET = 128


class ContestSeed:
    """The seed of all deals of a contest."""

    def __init__(self, state: Path, rules: ContestRules) -> None:
        self._state, self._rules = state, rules

    def value(self) -> int:
        """Returns it: as the rules say, else drawn once."""
        if self._rules.seed is not None:
            return self._rules.seed
        try:
            return int(self._drawn()["seed"])
        except (ValueError, KeyError, TypeError):
            seed = secrets.randbits(_SECRET)
        self._keep({"seed": seed})
        return seed

    def _drawn(self) -> dict[str, Any]:
        """Returns what is kept of the seed: the seed, and whether it was ever told."""
        try:
            saved = json.loads((self._state / FILE).read_bytes())
        except (OSError, ValueError):
            return {}
        return saved if isinstance(saved, dict) else {}

    def _keep(self, data: dict[str, Any]) -> None:
        path = self._state / FILE
        try:
            self._state.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(path, reason_of(error)) from None
        write_through(path, json.dumps(data).encode() + b"\n", private=True)

    def close(self) -> None:
        """Records that the seed is public from now on; raises if it was, and the contest is to go on."""
        if self._rules.seed is not None:
            return
        revealed = bool(self._drawn().get("told"))
        if revealed and not self._rules.closed:
            folder = self._state.parent
            raise PlaymillError(
                f"the contest in {folder} was closed and its seed told: whoever comes now could know the deals; "
                "begin another with --new",
                f"соревнование в {folder} закрыто, его сид опубликован: новые участники могли бы знать раздачи; "
                "начните другое командой --new",
            )
        if self._rules.closed and not revealed:
            self._keep({"seed": self.value(), "told": True})
