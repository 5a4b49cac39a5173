"""Playing a plan on a cluster: spans of games handed out to workers, and handed out again when a worker is lost."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from playmill.lab.runs.executors.place import LostPlaceError, Wanted
from playmill.lab.runs.executors.spans import Spans
from playmill.lab.runs.executors.worker import Answer, Order, part_of, versions
from playmill.lab.runs.parts import Part
from playmill.lab.runs.resolved_plan import Cast, Work
from playmill.lab.runs.store.manifest import ASIDE
from playmill.report.draft import cannot_write, reason_of
from playmill.texts import PlaymillError

#: Seconds between two looks at whether somebody asked to stop.
_LOOK = 0.1
#: How long workers have to end what they are at when somebody asked to stop.
_PATIENCE = 3.0
#: How long one waits for a first worker, or for another one when all are lost.
_LONELY = 60.0
#: How often one asks whether the cluster itself is there, and after which silence it is given up: Ray would end this
#: process, without a word of ours, after 60 seconds.
_ASK, _SILENCE = 5.0, 30.0
#: Workers that may die over the same games, or before they have played any: then it is not chance.
_DEATHS = 3
#: Parts that may wait for an earlier one, for each worker.
_AHEAD = 4


class LostWorkerError(Exception):
    """A worker is gone, or does not answer any more; `by_itself` if its node is not known to be gone too."""

    def __init__(self, reason: str, *, by_itself: bool = True) -> None:
        super().__init__(reason)
        self.by_itself = by_itself


class Link(Protocol):
    """What a cluster can do. Calls return at once with a handle for the answer that is to come."""

    #: Cores of all nodes.
    cores: int

    def start(self) -> Any:
        """A new worker on a core that is free, now or later."""

    def call(self, worker: Any, method: str, *args: Any, aside: bool = False) -> Any:
        """Has a worker do something: after what it was asked before, or aside from that."""

    def ready(self, answers: Sequence[Any], timeout: float) -> Sequence[Any]:
        """Those of the answers that are there; waits so many seconds for the first."""

    def fetch(self, answer: Any) -> Any:
        """An answer that is there; raises LostWorkerError if there will never be one."""

    def end(self, worker: Any) -> None:
        """Ends a worker, whatever it is doing."""

    def is_there(self) -> bool:
        """Whether the cluster's head can be reached."""

    def leave(self) -> None:
        """Leaves the cluster with all that was started there."""


@dataclass(eq=False)
class _Hand:
    """A worker as seen from here."""

    handle: Any
    #: What it was asked last, and the answer to come: None if it has nothing to do.
    task: str = "arrive"
    answer: Any = None
    node: str = ""
    #: Where its compiled rules lie.
    shelf: tuple[str, str] | None = None
    ready: bool = False
    #: How many before it in its place have died without having played a game.
    tries: int = 0
    span: range | None = None
    last: int = 0
    rate: float = 0.0


class Cluster:
    """A cluster of which some cores are ours for a while."""

    waited = 0.0
    warming = False

    def __init__(self, cast: Cast, work: Work, connect: Callable[[], Link], workers: int | None = None) -> None:
        self._cast, self._work = cast, work
        self._specs = _specs(cast)
        self._link = connect()
        self.workers = workers or max(self._link.cores, 1)
        self._hands: list[_Hand] = []
        #: Who compiles the rules that others of the same shelf wait for; None when they are there.
        self._building: dict[tuple[str, str], _Hand | None] = {}
        #: Workers that died over a span, by its first game.
        self._deaths: Counter[int] = Counter()
        self._seen = self._asked = self._heard = time.monotonic()
        self._token: Path | None = None
        self._order = ""

    def prepare(self, wanted: Wanted) -> None:
        """Starts the workers and waits until the first one is ready; the others join as they are."""
        self._wanted = wanted
        self._order = json.dumps(self._make_order(wanted), ensure_ascii=True)
        self._fill()
        while not any(hand.ready for hand in self._hands):
            for _ in self._listen():
                raise AssertionError("nothing was handed out")

    def _make_order(self, wanted: Wanted) -> Order:
        plan, folder = self._cast.plan, wanted.folder
        return {
            "plan": plan.json(),
            "game": self._cast.reference,
            "agents": self._specs,
            "backend": self._work.backend,
            "strict": self._work.strict,
            "rows": wanted.rows,
            "words": wanted.words,
            "folder": str(folder) if folder is not None else None,
            "token": self._put_token(folder) if folder is not None else ("", ""),
            "keeps_rows": wanted.keeps_rows,
            "versions": versions(rows=wanted.keeps_rows),
        }

    def _put_token(self, folder: Path) -> tuple[str, str]:
        """A file by which a worker knows the run's folder when it sees it."""
        token = secrets.token_hex(16)
        self._token = folder / f"{ASIDE}reach-{token[:8]}"
        try:
            self._token.write_text(token, encoding="ascii")
        except OSError as error:
            raise cannot_write(self._token, reason_of(error)) from None
        return str(self._token), token

    def play(self, ranges: Sequence[range]) -> Iterator[Part]:
        """Plays these games: of a kept run in any order, else in their own."""
        spans = Spans(ranges, self._cast.plan.chunk, self.workers)
        queue = _Queue(ranges) if self._wanted.ordered else None
        stop, asked_at = self._work.stop, 0.0
        while spans.games or self._busy():
            if stop():
                asked_at = asked_at or self._halt()
                if stop() > 1 or time.monotonic() - asked_at > _PATIENCE or not self._busy():
                    return
            else:
                self._hand_out(spans, waiting=len(queue.waiting) if queue is not None else 0)
            for span, answer in self._listen(spans):
                part = self._part(answer)
                if part is None or part.games < len(span):
                    assert stop(), span
                if part is not None:
                    yield from [part] if queue is None else queue.add(part)

    def _busy(self) -> bool:
        return any(hand.span is not None for hand in self._hands)

    def _halt(self) -> float:
        """Tells workers to come to an end; returns when."""
        for hand in self._hands:
            if hand.span is not None:
                self._link.call(hand.handle, "halt", aside=True)
        return time.monotonic()

    def _hand_out(self, spans: Spans, waiting: int) -> None:
        for hand in self._hands:
            if not hand.ready or hand.span is not None:
                continue
            if waiting >= _AHEAD * self.workers and not spans.has_old:
                return
            hand.span = spans.take(hand.last, hand.rate)
            if hand.span is None:
                return
            self._ask(hand, "play", hand.span.start, hand.span.stop)

    def _ask(self, hand: _Hand, task: str, *args: Any) -> None:
        hand.task = task
        hand.answer = self._link.call(hand.handle, task, *args)

    def _part(self, answer: Answer) -> Part | None:
        """What came of a span; None if nothing did."""
        if "error" in answer:
            raise PlaymillError(*answer["error"])
        if not answer["games"]:
            return None
        if (words := answer["words"]) is not None and (sink := self._work.fallbacks.sink) is not None:
            for entry in json.loads(words):
                sink(entry)
        return part_of(answer, self._cast.game.outcome)

    def _listen(self, spans: Spans | None = None) -> Iterator[tuple[range, Answer]]:
        """Waits a moment, does what arriving workers need, and yields the spans that were played."""
        asked = {hand.answer: hand for hand in self._hands if hand.answer is not None}
        for answer in self._link.ready([*asked], _LOOK):
            hand = asked[answer]
            try:
                found = self._link.fetch(answer)
            except LostWorkerError as error:
                self._bury(hand, error, spans)
                continue
            hand.answer = None
            self._seen = time.monotonic()
            if hand.task == "arrive":
                self._welcome(hand, found)
            elif hand.task == "prepare":
                self._begin(hand, found)
            elif hand.span is not None:
                span, hand.span = hand.span, None
                hand.last, hand.rate = len(span), len(span) / max(found.get("seconds", 1.0), 1e-3)
                yield span, found
        self._check_head()
        self._check_company()

    def _welcome(self, hand: _Hand, shelf: tuple[str, str]) -> None:
        """A worker has arrived: it compiles the rules, unless another one that shares them does, or did."""
        hand.node, hand.shelf = shelf[0], shelf
        if self._building.setdefault(shelf, hand) in (hand, None):
            self._ask(hand, "prepare", self._order)

    def _begin(self, hand: _Hand, trouble: tuple[str, str] | None) -> None:
        """A worker is ready, and with it those that waited for its rules."""
        if trouble is not None:
            raise LostPlaceError(
                f"node {hand.node} cannot play this run: {trouble[0]}",
                f"узел {hand.node} не может играть этот прогон: {trouble[1]}",
            )
        hand.ready = True
        assert hand.shelf is not None
        if self._building[hand.shelf] is hand:
            self._building[hand.shelf] = None
            self._wake(hand.shelf)

    def _wake(self, shelf: tuple[str, str]) -> None:
        for other in self._hands:
            if other.shelf == shelf and not other.ready and other.answer is None:
                self._ask(other, "prepare", self._order)

    def _bury(self, hand: _Hand, error: LostWorkerError, spans: Spans | None) -> None:
        """A worker is lost: its games are handed out again, and another one takes its place."""
        self._hands.remove(hand)
        if hand.span is not None and spans is not None:
            spans.give_back(hand.span)
        tries = 0
        if hand.span is not None:
            self._deaths[hand.span.start] += error.by_itself
        elif not hand.ready:
            tries = hand.tries + error.by_itself
        if max(tries, *self._deaths.values(), 0) >= _DEATHS:
            raise self._hopeless(hand, error)
        with suppress(LostWorkerError):
            self._link.end(hand.handle)
        if hand.shelf is not None and self._building.get(hand.shelf) is hand:
            heir = next((other for other in self._hands if other.shelf == hand.shelf), None)
            if heir is None:
                del self._building[hand.shelf]
            else:
                self._building[hand.shelf] = heir
                self._ask(heir, "prepare", self._order)
        self._fill(tries)

    def _hopeless(self, hand: _Hand, error: LostWorkerError) -> LostPlaceError:
        if hand.span is None:
            return LostPlaceError(
                f"workers die on the cluster before they have played a game: {error}",
                f"процессы на кластере погибают, не сыграв ни одной партии: {error}",
            )
        games = f"{hand.span.start} … {hand.span.stop - 1}"
        return LostPlaceError(
            f"workers die again and again in games {games}, the last one on node {hand.node}: {error}",
            f"процессы снова и снова погибают в партиях {games}, последний — на узле {hand.node}: {error}",
        )

    def _fill(self, tries: int = 0) -> None:
        while len(self._hands) < self.workers:
            hand = _Hand(self._link.start(), tries=tries)
            self._ask(hand, "arrive")
            self._hands.append(hand)

    def _check_head(self) -> None:
        """Raises if the cluster has not been there for a while."""
        now = time.monotonic()
        if now - self._asked < _ASK:
            return
        self._asked = now
        if self._link.is_there():
            self._heard = now
        elif now - self._heard > _SILENCE:
            raise LostPlaceError(
                "the head of the cluster does not answer any more", "головной узел кластера больше не отвечает"
            )

    def _check_company(self) -> None:
        """Raises if there has been nobody to play with for long."""
        if any(hand.shelf is not None for hand in self._hands):
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > _LONELY:
            raise LostPlaceError(
                f"no node of the cluster has had a free core for {_LONELY:.0f} seconds",
                f"ни на одном узле кластера нет свободного ядра уже {_LONELY:.0f} секунд",
            )

    def leave(self) -> None:
        """Ends the workers and leaves the cluster."""
        if self._token is not None:
            with suppress(OSError):
                self._token.unlink()
        self._link.leave()


class _Queue:
    """Parts that came out of order: each waits for those before it."""

    def __init__(self, ranges: Sequence[range]) -> None:
        self.waiting: dict[int, Part] = {}
        self._ranges = [*ranges]
        self._next = ranges[0].start if ranges else 0

    def add(self, part: Part) -> Iterator[Part]:
        """Takes a part; yields all that are next now."""
        self.waiting[part.first] = part
        while (found := self.waiting.pop(self._next, None)) is not None:
            self._next = found.end
            if self._next == self._ranges[0].stop and len(self._ranges) > 1:
                del self._ranges[0]
                self._next = self._ranges[0].start
            yield found


def _specs(cast: Cast) -> list[str]:
    """What finds the agents of a cast on every node; raises if one was given as an object."""
    for seat in cast.seats:
        if seat.spec is None or (seat.player is not None and seat.code is None):
            raise PlaymillError(
                f"the agent {seat.name} cannot play on a cluster: it was given as an object; name its file, FILE.py",
                f"агент {seat.name} не может играть на кластере: он передан объектом; назовите его файл, FILE.py",
            )
    return [seat.spec or "" for seat in cast.seats]
