"""Works of an audit on a cluster: spans of their numbers are tasks, and every node makes a context of its own.

What comes and goes is JSON, numbers and packed arrays. A node whose rules or agents are others refuses.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, nullcontext
from functools import lru_cache
from typing import Any

from filelock import FileLock

from playmill.agents.search.search_agent import NAME as SEARCH
from playmill.engine.compile.disk_cache import cache_folder
from playmill.interrupts import Stop
from playmill.lab.audit.budget import AuditBudget
from playmill.lab.audit.context import AuditContext
from playmill.lab.audit.journal import AuditJournal
from playmill.lab.audit.observations import Observations, Work, packed, unpacked
from playmill.lab.audit.runner import WorkRunner, record_types
from playmill.lab.audit.sections.ablation import kinds_used, restricted_games
from playmill.lab.audit.sections.choices import weighed_decisions
from playmill.lab.audit.sections.drama import position_chances
from playmill.lab.audit.sections.fairness import equal_games
from playmill.lab.audit.sections.luck import tables_played
from playmill.lab.audit.sections.skill import duels, rung_games
from playmill.lab.runs.executors import Where
from playmill.lab.runs.executors.span_queue import SHORTEST
from playmill.lab.runs.executors.task import RefusedTaskError
from playmill.lab.runs.executors.task_pool import PATIENCE, WAITING, Task, TaskPool
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan, resolve_same_plan
from playmill.stdio import doing
from playmill.texts import PlaymillError, Text

_WORKS: dict[str, Work] = {
    work.__name__: work
    for work in (
        equal_games,
        duels,
        rung_games,
        tables_played,
        position_chances,
        weighed_decisions,
        kinds_used,
        restricted_games,
    )
}
_DYING = Text("workers die again and again in the same games", "процессы снова и снова погибают в одних партиях")
#: The audits that a worker process remembers.
_REMEMBERED = 8


class ClusterRunner(WorkRunner):
    """Observes by works, on the cores of a cluster, which is joined for the first, until the stack is closed."""

    _pool: TaskPool

    def __init__(self, journal: AuditJournal, where: Where, seconds: float, stack: ExitStack) -> None:
        super().__init__(journal, workers=1, seconds=seconds)
        self._where, self._stack = where, stack
        self._order = ""

    def prepare(self, context: AuditContext) -> None:
        """Has one worker make its context and compile; the others do so with their first numbers."""
        if not self._order:
            agents = list(dict.fromkeys((context.player, SEARCH)))
            order = {
                "plans": [_plan(context, agent).json() for agent in agents],
                "agents": agents,
                "game": context.named,
                "interpreted": context.interpreted,
                "wanted": list(context.wanted),
            }
            self._stack.enter_context(self._where.joined())
            self._pool = self._where.pool(Text("play this audit", "играть этот аудит"))
            self._order = json.dumps(order, ensure_ascii=True)
            doing(WAITING)
            for _ in self._pool.in_order([self._task("", (), range(0))], context.budget.stop):
                pass
            context.budget.check()

    def play(
        self, context: AuditContext, work: Work, arguments: tuple[Any, ...], key: str, missing: list[range]
    ) -> Iterator[tuple[range, Observations, float]]:
        """Yields what is observed as it is finished, with the seconds that a core was at it."""
        self.workers = self._pool.workers
        more, spans = self.spans(key, missing, max(self.piece, SHORTEST)), dict[Task, range]()

        def next_task() -> Task | None:
            if (span := more()) is None:
                return None
            task = self._task(work.__name__, arguments, span)
            spans[task] = span
            return task

        stop = context.budget.stop
        with closing(self._pool.as_they_come(next_task, stop, self.piece + PATIENCE)) as values:
            for task, (data, seconds) in values:
                yield spans.pop(task), unpacked(data, record_types(context)), seconds
        context.budget.check()

    def _task(self, work: str, arguments: tuple[Any, ...], span: range) -> Task:
        return Task(observed_on_node, (self._order, work, json.dumps(arguments), span.start, span.stop), _DYING)


def _plan(context: AuditContext, agent: str) -> Plan:
    """Returns a plan by which a node knows whether it has the same rules, and makes the same of an agent."""
    return resolve_plan(
        context.game, players=context.players, agents=agent, config=context.config, seed=context.seed
    ).plan


def observed_on_node(order: str, work: str, arguments: str, first: int, end: int) -> tuple[bytes, float]:
    """Returns what a work observes of some numbers on this node, packed, and how many seconds that took."""
    try:
        context = _context(order)
    except PlaymillError as error:
        raise RefusedTaskError(*error.text) from None
    if first == end:
        return b"", 0.0
    begun = time.perf_counter()
    data = packed(_WORKS[work](context, range(first, end), *json.loads(arguments)))
    return data, time.perf_counter() - begun


@lru_cache(_REMEMBERED)
def _context(text: str) -> AuditContext:
    """Returns the context of an audit on this node, compiled; raises if rules or agents are not the same here."""
    order = json.loads(text)
    plans = [Plan.from_json(plan, "plan") for plan in order["plans"]]
    found = [
        resolve_same_plan(plan, order["game"], [agent], "plan")
        for plan, agent in zip(plans, order["agents"], strict=True)
    ]
    for one in found:
        if not isinstance(one, ResolvedPlan):
            raise PlaymillError("; ".join(text.en for text in one), "; ".join(text.ru for text in one))
    resolved, plan = found[0], plans[0]
    assert isinstance(resolved, ResolvedPlan)
    context = AuditContext(
        game=resolved.game,
        named=resolved.reference,
        config=resolved.config,
        players=plan.players,
        player=order["agents"][0],
        seed=plan.seed,
        budget=AuditBudget(None, {}, Stop()),
        interpreted=order["interpreted"],
        wanted=tuple(order["wanted"]),
    )
    folder = cache_folder()
    # Other processes of this node wait, and read what one of them has compiled.
    with FileLock(folder / f"compiling-{plan.rules[:16]}.lock") if folder is not None else nullcontext():
        context.prepare()
    return context
