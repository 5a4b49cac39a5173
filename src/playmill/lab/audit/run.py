"""`audit`: runs the sections of an audit one after the other, each within its share of the time."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, SupportsIndex

from playmill.agents.search.search_agent import NAME as SEARCH
from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig, differences
from playmill.engine.contract.game import Game
from playmill.interrupts import interrupt
from playmill.lab.audit.budget import QUICK, QUICK_THINKING, AuditBudget, StoppedError
from playmill.lab.audit.context import AuditContext, check_player, good_player
from playmill.lab.audit.journal import AuditJournal
from playmill.lab.audit.runner import WorkRunner
from playmill.lab.audit.sections.ablation import ablation
from playmill.lab.audit.sections.choices import choices
from playmill.lab.audit.sections.drama import drama
from playmill.lab.audit.sections.fairness import fairness
from playmill.lab.audit.sections.luck import luck
from playmill.lab.audit.sections.skill import skill
from playmill.lab.runs.executors import Where, where_of
from playmill.lab.runs.executors.where import CUDA
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.saved_progress import Keep
from playmill.report.commands.audit import AuditReport, AuditSection, Finding, audit_page, print_audit
from playmill.report.html.page import in_notebook
from playmill.report.model.tables import RunInfo
from playmill.report.terminal.as_text import as_text
from playmill.texts import Lang, PlaymillError, Text, user_language
from playmill.version import __version__

#: The parts of an audit in their order, and the share of the time each takes, by the keys of what it plays.
PARTS: Mapping[str, tuple[Callable[[AuditContext], AuditSection], Mapping[str, float]]] = {
    "fairness": (fairness, {"fairness": 0.08}),
    "skill": (skill, {"skill": 0.07, "ladder": 0.28}),
    "luck": (luck, {"luck": 0.08}),
    "drama": (drama, {"drama": 0.14}),
    "choices": (choices, {"choices": 0.13}),
    "uses": (ablation, {"uses": 0.04, "without": 0.18}),
}
#: Keys of sizes that say how closely something is looked at: thoughts of a decision, play-outs of a position.
_CLOSELY = ("thoughts", "forbidden", "playouts")
#: The most minutes an audit may take.
_LONGEST = 100_000
#: Called with the part that is under way, and how much of everything is done.
ProgressCallback = Callable[[str, float], None]


@dataclass(frozen=True)
class Audit:
    """Result of an audit; in a notebook it shows itself as its page."""

    info: RunInfo
    parts: tuple[AuditSection, ...]
    sizes: Mapping[str, int]
    complete: bool
    #: What a reader has to know of who played, if it was not a heuristic of the game.
    judged: Text | None = None
    #: The name under which it is kept, if it is; how many seconds of it were played before; whether any were now.
    kept: str | None = None
    before: float = 0.0
    anew: bool = True

    def __repr__(self) -> str:
        return f"<Audit of {self.info.game}: {', '.join(part.key for part in self.parts)}>"

    def __str__(self) -> str:
        return as_text(lambda console: print_audit(console, self.shown, user_language()))

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    @cached_property
    def shown(self) -> AuditReport:
        """It, ready to be printed or made a page."""
        return AuditReport(self.info, self.parts, self.complete, self.judged)

    @property
    def findings(self) -> list[Finding]:
        """What to look at, the heaviest first."""
        return self.shown.findings

    @property
    def results(self) -> dict[str, Any]:
        """The figures by part; one that is undefined is None."""
        return {part.key: dict(part.results) for part in self.parts}

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        return audit_page(self.shown, lang)

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "meta": {
                "game": self.info.game,
                "playmill": self.info.playmill,
                "players": self.info.players,
                "player": self.info.agents[0],
                "judged": None if self.judged is None else self.judged._asdict(),
                "seed": self.info.seed,
                "config": self.info.config,
                "elapsed_s": self.info.elapsed_s,
                "complete": self.complete,
                "command": self.info.command,
                "sizes": dict(self.sizes),
            },
            "results": self.results,
            "verdicts": {part.key: {"en": part.verdict.en, "ru": part.verdict.ru} for part in self.parts},
            "first": [one.json() for one in self.findings],
        }


class AuditStoppedError(KeyboardInterrupt):
    """Raised when an audit is stopped before any part is finished, and the same call goes on with it."""


@same_folder()
def audit(
    game: str | Game,
    *,
    players: int | None = None,
    agent: str | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    minutes: float | None = 5.0,
    sizes: Mapping[str, int] | None = None,
    only: Sequence[str] = (),
    keep: Keep = None,
    on: str | None = None,
    workers: int | None = None,
    interpreted: bool = False,
    progress: ProgressCallback | None = None,
) -> Audit:
    """Audits a game for a number of minutes, and returns what it found.

    `agent` is the compiled agent, or `search`, that stands for a good player: by default the one `search` plays on by,
    and in a game that has none but `random`, `search` itself. With `minutes=None` little is played, and always the
    same; `sizes` of another audit play exactly what that one did. `only` are the parts wanted. Ctrl-C ends it with the
    parts that are finished. With `keep` what is played is on disk, and the same call goes on from there, also after it
    was killed (None keeps what takes long, a folder keeps it there). `on` is where it is played, as for `simulate`.
    """
    where = where_of(on, workers)
    check_where(where)
    for name in only:
        if name not in PARTS:
            known = ", ".join(PARTS)
            raise PlaymillError(
                f"--only {name}: there is no such part; there are: {known}",
                f"--only {name}: такой части нет; есть: {known}",
            )
    if minutes is not None and not 0 < minutes <= _LONGEST:
        raise PlaymillError(
            f"minutes is {minutes:g}; expected more than 0, at most {_LONGEST}",
            f"minutes равно {minutes:g}; нужно больше 0 и не больше {_LONGEST}",
        )
    resolved = resolve_plan(game, players=players, config=config, set=set, seed=seed)
    if agent is not None:
        check_player(resolved.game, resolved.config, resolved.plan.players, agent)
    wanted = [name for name in PARTS if not only or name in only]
    if sizes:
        wanted = [name for name in wanted if _sized(name, sizes)]
        _check_sizes(sizes, wanted)
    found: list[AuditSection] = []
    played: dict[str, int] = {}
    seconds = None if sizes or minutes is None else 60.0 * minutes
    what = {
        "game": resolved.game.name,
        "plan": resolved.plan.digest,
        "agents": [_plan_of(resolved, one).digest for one in (SEARCH, agent) if one is not None],
        "seconds": seconds,
        "sizes": dict(sizes or {}),
        "parts": wanted,
    }
    asked = _asked(resolved, agent, minutes, sizes, only)
    journal = AuditJournal(what, keep=keep, command=asked)
    with interrupt() as stop, _kept(journal), ExitStack() as stack:
        current = ""

        def moved(share: float) -> None:
            journal.tell(share)
            if progress is not None:
                progress(current, share)

        moved(0.0)
        player = agent or journal.note(
            "player",
            lambda: good_player(
                resolved.game,
                resolved.config,
                resolved.plan.players,
                None if sizes else minutes,
                interpreted=interpreted,
            ),
        )
        budget = AuditBudget(
            seconds,
            sizes or {},
            stop,
            moved,
            QUICK_THINKING if player.partition(":")[0] == SEARCH else QUICK,
            journal.clock,
        )
        budget.plan({key: share for name in wanted for key, share in PARTS[name][1].items()})
        runner = _runner(where, journal, seconds or 0.0, stack)
        context = AuditContext(
            game=resolved.game,
            named=resolved.reference,
            config=resolved.config,
            players=resolved.plan.players,
            player=player,
            seed=seed,
            budget=budget,
            changes=tuple(resolved.changes()),
            interpreted=interpreted,
            wanted=tuple(wanted),
            runner=runner,
        )
        for name in wanted:
            current = name
            moved(budget.share)
            try:
                found.append(PARTS[name][0](context))
            except StoppedError:
                break
            played = dict(budget.sizes)  # of a part that is left, nothing is told
            stop.keep()
        if not found:
            raise KeyboardInterrupt
        journal.tell(budget.share, complete=len(found) == len(wanted))
        elapsed = journal.clock.peek() + journal.clock.stopped_for
    info = RunInfo(
        game=resolved.game.name,
        title=resolved.game.title,
        playmill=__version__,
        players=resolved.plan.players,
        games=0,
        requested=0,
        seed=seed,
        agents=(player,),
        config=dict(resolved.plan.config),
        changes=differences(resolved.config),
        backend="cpu",
        workers=workers or 0,
        complete=len(found) == len(wanted),
        elapsed_s=round(elapsed, 3),
        command=_command(context, played, only),
    )
    return Audit(
        info,
        tuple(found),
        played,
        info.complete,
        _judged(context, asked=agent is not None),
        journal.name if journal.kept else None,
        journal.before,
        runner.played,
    )


@contextmanager
def _kept(journal: AuditJournal) -> Iterator[None]:
    """Keeps what is played; whoever breaks off an audit that is kept may go on."""
    with journal:
        try:
            yield
        except KeyboardInterrupt:
            if journal.kept:
                raise AuditStoppedError from None
            raise


def _plan_of(resolved: ResolvedPlan, agent: str) -> Plan:
    """Returns the plan of the same games with this agent in all seats: it has the hash of what the agent is made of."""
    plan, game = resolved.plan, resolved.game
    return resolve_plan(game, players=plan.players, agents=agent, config=resolved.config, seed=plan.seed).plan


def _runner(where: Where, journal: AuditJournal, seconds: float, stack: ExitStack) -> WorkRunner:
    """Returns who runs the works of an audit, here or on a cluster."""
    if where.cluster is None:
        return WorkRunner(journal, workers=where.workers, seconds=seconds)
    from playmill.lab.audit.cluster import ClusterRunner

    return ClusterRunner(journal, where, seconds, stack)


def check_where(where: Where) -> None:
    """Raises unless an audit can be played there."""
    if where.backend == CUDA:
        raise PlaymillError(
            "an audit plays on from positions and has agents think, which a GPU does not do; audit --on threads or on a"
            " cluster of processors",
            "аудит доигрывает позиции и даёт агентам думать, а видеокарта этого не умеет; проводите его с --on threads"
            " или на кластере процессоров",
        )


def _judged(context: AuditContext, *, asked: bool) -> Text | None:
    """Returns the note at the head of an audit whose players have no heuristic of the game."""
    if context.player == "random":
        return Text(
            "Judged by random play: what is said here of seats, drama and choices may turn over among good players.",
            "Судили по случайной игре: то, что сказано о местах, драме и выборе, у хороших игроков может быть"
            " наоборот.",
        )
    if context.thinks and not asked:
        who = context.called
        return Text(
            f"The game has no heuristic of its own: {who.en} stands for a good player.",
            f"Своей эвристики у игры нет: хорошего игрока изображает {who.ru}.",
        )
    return None


def _sized(part: str, sizes: Mapping[str, int]) -> bool:
    """Returns whether any of the sizes is about a section."""
    return any(key.partition(".")[0] in PARTS[part][1] for key in sizes)


def _check_sizes(sizes: Mapping[str, int], wanted: Sequence[str]) -> None:
    """Raises if a size is about nothing that an audit plays, or none is about what is wanted."""
    known = [*(key for _, shares in PARTS.values() for key in shares), *_CLOSELY]
    for key, size in sizes.items():
        if not isinstance(size, SupportsIndex) or int(size) < 0:
            raise PlaymillError(
                f"--sizes: {key} is {size!r}; expected a whole number",
                f"--sizes: {key} равно {size!r}; нужно целое число",
            )
        if key.partition(".")[0] not in known:
            listed = ", ".join(known)
            raise PlaymillError(
                f"--sizes: nothing is called {key!r}; known: {listed}", f"--sizes: {key!r} нет; есть: {listed}"
            )
    if not wanted:
        raise PlaymillError("--sizes names nothing to play", "--sizes не называет ничего, что сыграть")


def _asked(
    resolved: ResolvedPlan,
    agent: str | None,
    minutes: float | None,
    sizes: Mapping[str, int] | None,
    only: Sequence[str],
) -> str:
    """Returns the command line that goes on with the audit."""
    words = ["playmill", "audit", resolved.reference, "--seed", str(resolved.plan.seed)]
    words += ["--agents", agent] if agent is not None else []
    words += ["--sizes", _listed(sizes)] if sizes else ["--quick"] if minutes is None else ["--minutes", f"{minutes}"]
    words += ["--only", ",".join(only)] if only else []
    words += ["--players", str(resolved.plan.players)]
    return shlex.join([*words, *(["--set", *changes] if (changes := [*resolved.changes()]) else [])])


def _listed(sizes: Mapping[str, int]) -> str:
    return ",".join(f"{key}={size}" for key, size in sizes.items())


def _command(context: AuditContext, sizes: Mapping[str, int], only: Sequence[str]) -> str:
    """Returns the command line that repeats the audit."""
    own = [] if context.player == context.game.search.rollout != "random" else ["--agents", context.player]
    words = ["--seed", str(context.seed), *own, "--sizes", _listed(sizes)]
    return context.command("audit", *words, *(["--only", ",".join(only)] if only else []))
