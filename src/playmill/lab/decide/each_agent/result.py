"""Base class of results of a question repeated for each of several agents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from playmill.engine.contract.levels import Level
from playmill.report.html.page import in_notebook
from playmill.report.model.among import Among, named
from playmill.report.model.tables import RunInfo
from playmill.texts import Lang, user_language


class AgentResult(Protocol):
    """Result of a question for one agent."""

    @property
    def info(self) -> RunInfo:
        """What was played."""

    @property
    def complete(self) -> bool:
        """Whether all that was wanted was played."""


One = TypeVar("One", bound=AgentResult)


@dataclass(frozen=True, repr=False)
class EachAgentResult(Generic[One]):
    """Results for each agent in order; those that were not begun are missing."""

    among: tuple[str, ...]
    found: tuple[One, ...]
    command: str
    #: The levels of play that the agents stand for, if they do.
    levels: tuple[Level, ...] = field(default=(), kw_only=True)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.found[0].info.game} among {', '.join(self.among)}>"

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    def __getitem__(self, agent: str) -> One:
        """Returns what was found among one of the agents."""
        return self.found[self.played.index(agent)]

    @property
    def played(self) -> tuple[str, ...]:
        """The agents among whom anything was played: all, unless it was stopped."""
        return self.among[: len(self.found)]

    @property
    def asked(self) -> tuple[Among, ...]:
        """Among whom it was asked, by agent and by level."""
        return named(self.among, self.levels)

    @property
    def who(self) -> tuple[Among, ...]:
        """The same of those among whom anything was played."""
        return self.asked[: len(self.found)]

    @property
    def complete(self) -> bool:
        """Whether all was played among all agents."""
        return len(self.found) == len(self.among) and all(one.complete for one in self.found)

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        raise NotImplementedError
