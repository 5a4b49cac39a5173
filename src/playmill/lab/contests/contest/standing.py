"""What a contest shows: how it stands, and what an author may see of an entrant's tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.lab.contests.tournament.ladder import watch_command
from playmill.lab.contests.tournament.store import PairingRecord
from playmill.report.commands.contest import EntrantPairing, SubmissionStatus
from playmill.report.commands.ladder import Ladder
from playmill.report.commands.tournament import ladder_page
from playmill.report.html.page import in_notebook
from playmill.texts import user_language


@dataclass(frozen=True)
class ContestStanding:
    """State of a contest: the ladder, if anybody is on it, and the state of every submission."""

    folder: Path
    ladder: Ladder | None
    submissions: tuple[SubmissionStatus, ...]
    closed: bool = False

    def _repr_html_(self) -> str:
        return in_notebook(ladder_page(self.ladder, user_language())) if self.ladder is not None else ""

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        ladder = self.ladder.json() if self.ladder is not None else None
        listed = [one.json() for one in self.submissions]
        return {"closed": self.closed, "submissions": listed, "contest": ladder}


def entrant_pairing(name: str, record: PairingRecord) -> EntrantPairing:
    """Returns what an author may see of one pairing."""
    pairing = record.pairing
    complaints = record.complaints(name)
    return EntrantPairing(
        against=tuple(other for other in pairing.names if other != name),
        setting=pairing.setting.name,
        deals=record.deals,
        failed=record.failed[name],
        unused=record.unused[name],
        games=tuple(str(path) for _, _, path in record.shown()),
        watch=tuple(watch_command(pairing, path) for _, _, path in record.shown()),
        mishaps=tuple(
            (mishap.deal, mishap.rotation, mishap.why) for mishap in record.mishaps if mishap.entrant == name
        ),
        complaints=str(complaints) if complaints is not None else None,
    )
