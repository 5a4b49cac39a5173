"""Log of fallbacks: invalid answers of agents are counted, the first ones saved word for word and sent to listeners."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from playmill.agents.python.reply import QUOTE, SENTENCE, Reply, printable
from playmill.texts import Text

log = logging.getLogger("playmill.fallback")

#: Fallbacks kept word for word; all are counted.
KEPT = 100

FallbackSink = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Fallback:
    """One invalid answer; game and seat are counted from 0, the decisions of a game from 1."""

    players: int
    game: int
    turn: int | None  # or round, as the game counts; None where it counts neither
    step: int
    seat: int
    agent: str
    decision: str
    answer: str | None  # in the agent's words; None if it gave none
    reason: str
    reason_ru: str
    replacement: str
    replacement_ru: str


@dataclass
class Fallbacks:
    """The fallbacks of a run."""

    by_agent: Counter[str] = field(default_factory=Counter)
    by_decision: Counter[str] = field(default_factory=Counter)
    entries: list[dict[str, Any]] = field(default_factory=list)
    #: Is told every one of a finished game.
    sink: FallbackSink | None = None

    def listens(self) -> bool:
        """Whether the details of the next one are wanted: an agent that is always wrong should not cost them."""
        return self.sink is not None or len(self.entries) < KEPT or log.isEnabledFor(logging.DEBUG)

    def add(self, agent: str, decision: str, fallback: Fallback | None) -> None:
        """Counts one; its details go to the listeners."""
        self.by_agent[agent] += 1
        self.by_decision[decision] += 1
        if fallback is None:
            return
        entry = asdict(fallback)
        if len(self.entries) < KEPT:
            self.entries.append(entry)
        if self.sink is not None:
            self.sink(entry)
        log.debug("%s", entry)

    def take(self) -> Fallbacks | None:
        """Those counted since it was last asked, which begins anew; None if there were none."""
        if not self.by_agent:
            return None
        taken = Fallbacks(self.by_agent, self.by_decision, self.entries)
        self.by_agent, self.by_decision, self.entries = Counter(), Counter(), []
        return taken

    def add_all(self, more: Fallbacks) -> None:
        """Adds those of other games; the words kept are those of the first games, in whatever order they come."""
        self.by_agent += more.by_agent
        self.by_decision += more.by_decision
        self.entries = sorted([*self.entries, *more.entries], key=lambda entry: entry["game"])[:KEPT]

    def json(self) -> dict[str, Any]:
        """The `fallbacks` part of results."""
        return {
            "total": self.by_agent.total(),
            "by_agent": dict(sorted(self.by_agent.items())),
            "by_decision": dict(sorted(self.by_decision.items())),
        }

    def saved(self) -> dict[str, Any]:
        """The form in which they are written and travel."""
        return {**self.json(), "entries": self.entries}

    @classmethod
    def from_saved(cls, data: Mapping[str, Any]) -> Fallbacks:
        """Loads what `saved` returned."""
        return cls(Counter(data["by_agent"]), Counter(data["by_decision"]), list(data["entries"]))


def reason_of(reply: Reply) -> Text:
    """Why a reply could not be used: for the reason it gives, or because its action is not legal."""
    if reply.en:
        return Text(printable(reply.en, SENTENCE), printable(reply.ru, SENTENCE))
    answer = printable(reply.answer or str(reply.action), QUOTE)
    return Text(f"answered {answer}, which is not legal now", f"ответ {answer} сейчас недопустим")
