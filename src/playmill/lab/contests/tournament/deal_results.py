"""Results of some deals of a pairing: ranks, faults of programs, games to be shown; and their JSON form."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.programs.program_agent import ProgramAgent
from playmill.lab.contests.tournament.pairing import Pairing
from playmill.stats.ratings import Ranks
from playmill.texts import Text

#: What is counted by entrant.
COUNTED = ("unused", "failed", "idle")


@dataclass(frozen=True)
class Mishap:
    """A fault of a program in one game: in words, and whether it lost the game by it."""

    entrant: str
    deal: int
    rotation: int
    fault: str
    why: Text
    lost: bool
    #: Where it sat, and at which of its decisions (0 = before the first).
    seat: int = 0
    decision: int = 0

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is kept."""
        return {**vars(self), "why": self.why._asdict()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Mishap:
        """Returns one that was kept."""
        return cls(**{**data, "why": Text(**data["why"])})


@dataclass
class ProgramLog:
    """Log of a program: the name it gives itself, and the seconds of each answer and of each start."""

    name: str = ""
    #: Where what it wrote to stderr is kept.
    stderr: Path | None = None
    seconds: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    #: The most memory it held, in MB.
    memory: float = 0.0

    def listen(self, program: ProgramAgent) -> None:
        """One more game of it is over."""
        self.name, self.stderr = program.said_name or self.name, program.stderr
        self.memory = max(self.memory, program.memory)
        self.seconds += program.seconds
        if program.started is not None:
            self.starts.append(program.started)
            program.started = None


@dataclass(frozen=True)
class ProgramUse:
    """What a program used in some games: its answers and starts, their seconds, and the most memory in MB."""

    answers: int = 0
    seconds: float = 0.0
    worst: float = 0.0
    starts: int = 0
    worst_start: float = 0.0
    memory: float = 0.0

    @classmethod
    def of(cls, heard: ProgramLog) -> ProgramUse:
        """Adds up the log of a program."""
        return cls(
            len(heard.seconds),
            round(sum(heard.seconds), 6),
            round(max(heard.seconds, default=0.0), 6),
            len(heard.starts),
            round(max(heard.starts, default=0.0), 6),
            round(heard.memory, 1),
        )

    def __add__(self, other: ProgramUse) -> ProgramUse:
        return ProgramUse(
            self.answers + other.answers,
            self.seconds + other.seconds,
            max(self.worst, other.worst),
            self.starts + other.starts,
            max(self.worst_start, other.worst_start),
            max(self.memory, other.memory),
        )


@dataclass
class DealResults:
    """Results of some deals: everybody's rank in each game, and faults by entrant."""

    ranks: Ranks
    #: Answers that could not be used.
    unused: Mapping[str, int] = field(default_factory=dict)
    #: Games that a program was out of, since it failed.
    failed: Mapping[str, int] = field(default_factory=dict)
    #: Games in which a program was never asked anything.
    idle: Mapping[str, int] = field(default_factory=dict)
    #: All that went wrong.
    mishaps: Sequence[Mishap] = ()
    #: What held each guarantee of the sandbox.
    guarantees: Mapping[str, str] = field(default_factory=dict)
    #: Some games as they were played, by deal and rotation: the text of a replay.
    games: Mapping[tuple[int, int], str] = field(default_factory=dict)
    #: What programs wrote to stderr, and what was heard of them beside.
    complaints: Mapping[str, bytes] = field(default_factory=dict)
    heard: Mapping[str, ProgramLog] = field(default_factory=dict)
    #: What programs used.
    used: Mapping[str, ProgramUse] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is kept; games and stderr are files of their own."""
        saved: dict[str, Any] = {"deals": len(self.ranks), "ranks": _packed(self.ranks)}
        saved |= {key: dict(counted) for key in COUNTED if (counted := getattr(self, key))}
        saved |= {"mishaps": [one.json() for one in self.mishaps]} if self.mishaps else {}
        saved |= {"used": {name: list(vars(use).values()) for name, use in self.used.items()}} if self.used else {}
        return saved | ({"walls": dict(self.guarantees)} if self.guarantees else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any], pairing: Pairing) -> DealResults:
        """Returns results that were kept; raises ValueError, KeyError or TypeError for what are none."""
        ranks = _unpacked(data["ranks"], pairing)
        if data["deals"] != len(ranks):
            raise ValueError
        unused, failed, idle = ({str(name): int(times) for name, times in data.get(key, {}).items()} for key in COUNTED)
        mishaps = [Mishap.from_json(one) for one in data.get("mishaps", ())]
        used = {str(name): ProgramUse(*use) for name, use in data.get("used", {}).items()}
        return cls(ranks, unused, failed, idle, mishaps, data.get("walls", {}), used=used)


def _packed(ranks: Ranks) -> str:
    return base64.b64encode(zlib.compress(ranks.tobytes(), 6)).decode()


def _unpacked(text: str, pairing: Pairing) -> Ranks:
    size, games = pairing.size, 1 if pairing.solo else pairing.games
    try:
        numbers = np.frombuffer(zlib.decompress(base64.b64decode(text, validate=True)), np.uint8)
    except zlib.error:
        raise ValueError from None
    if (numbers >= size).any():
        raise ValueError
    return numbers.reshape(-1, games, size)
