"""Runs the cases of a game: each position and action in the interpreter, against what must come of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from playmill.engine.check.case_file import Case, read_cases
from playmill.engine.check.findings import CheckError
from playmill.engine.contract.game import Game
from playmill.engine.errors.located import RuleMistakeError, shown_path
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import places_from_front, to_text
from playmill.engine.run.stepper import Steps, new_stepper
from playmill.texts import PlaymillError, Text, near_to

#: A field of the state, or a place in it: `hand`, `hand[1]`, `hand[1, 0]`.
_PLACE = re.compile(r"\s*(\w+)\s*(?:\[([\d\s,]*)\])?\s*")
#: So many decisions with one option are made by themselves before an action that is written.
_FORCED = 1_000


def check_cases(game: Game) -> Text | None:
    """Runs every case of a game; raises at the first that comes out otherwise, and returns how many there are."""
    cases = read_cases(game)
    if cases is None:
        return None
    failed: list[tuple[Case, Text]] = []
    for case in cases:
        try:
            with places_from_front():
                _run(game, case)
        except _FailedCaseError as error:
            failed.append((case, error.text))
        except RuleMistakeError as error:
            failed.append((case, error.text))
    if failed:
        case, message = failed[0]
        where = f"{shown_path(str(case.source.path))}:{case.source.line()}"
        others = ", ".join(f"“{one.name}”" for one, _ in failed[1:])
        more = Text(f"; other cases that fail: {others}", f"; не выходят и другие случаи: {others}")
        rest = more if others else Text("", "")
        raise CheckError(
            Text(
                f"{where}: the case “{case.name}” comes out otherwise: {message.en}{rest.en}",
                f"{where}: случай «{case.name}» выходит иначе: {message.ru}{rest.ru}",
            )
        )
    return Text(f"cases that come out as written: {len(cases)}", f"случаев, которые выходят как написано: {len(cases)}")


class _FailedCaseError(PlaymillError):
    """What came of a case otherwise than written."""


def _run(game: Game, case: Case) -> None:
    """Plays a case with each of its seeds."""
    unseen = list(range(len(case.then)))
    for seed in range(case.seed, case.seed + case.seeds):
        position = _Position(game, case, seed)
        wrong = [list(position.wrong(then)) for then in case.then]
        came = [place for place, found in enumerate(wrong) if not found]
        if not came:
            nearest = min(wrong, key=len)
            many = len(case.then)
            head = Text(f"none of the {many} things that may come; ", f"ни один из исходов ({many}); ")
            with_seed = Text(f" (seed {seed})", f" (сид {seed})") if case.seeds > 1 else Text("", "")
            what = Text.join([head if many > 1 else Text("", ""), Text.join(nearest, "; "), with_seed], "")
            raise _FailedCaseError(*Text.join([position.after, what], ""))
        unseen = [place for place in unseen if place not in came]
    if unseen and len(case.then) > 1:
        number = unseen[0] + 1
        raise _FailedCaseError(
            f"what is written as number {number} of {len(case.then)} never came with {case.seeds} seeds",
            f"исход {number} из {len(case.then)} не встретился ни разу, проверено сидов: {case.seeds}",
        )


class _Position:
    """The position that a case comes to."""

    def __init__(self, game: Game, case: Case, seed: int) -> None:
        self._game, self._case = game, case
        self._steps: Steps = new_stepper(game, case.config, case.players, interpreted=True)
        self._steps.begin(seed, 0)
        for key, value in case.state.items():
            self._put(key, value)
        self._options = self._steps.options()
        for text in case.actions:
            self._do(text, "actions", forced=True)
        self.after = Text("", "")
        if case.action is not None:
            before = to_text(self._steps.record)
            self._do(case.action, "action")
            self.after = Text(f"after {case.action!r} from ({before}) ", f"после {case.action!r} из ({before}) ")

    def wrong(self, then: Mapping[str, Any]) -> Iterator[Text]:
        """What is otherwise than written."""
        for key, value in then.get("state", {}).items():
            cells, name = self._cells(key)
            if not _matches(cells, value):
                is_now = cells.tolist() if isinstance(cells, np.ndarray) else cells
                yield Text(f"{name} is {is_now} and must be {value}", f"{name} равно {is_now}, а должно быть {value}")
        texts = _shown([self._text(action) for action in self._legal])
        legal = {self._parsed(text, "legal") for text in then.get("legal", ())}
        if "legal" in then and legal != {*self._legal}:
            yield Text(
                f"the options are {texts} and must be {_shown(then['legal'])}",
                f"варианты — {texts}, а должны быть {_shown(then['legal'])}",
            )
        for text in then.get("offered", ()):
            if self._parsed(text, "offered") not in self._legal:
                yield Text(
                    f"{text!r} must be offered; the options are {texts}", f"{text!r} нет среди вариантов {texts}"
                )
        for text in then.get("refused", ()):
            if self._parsed(text, "refused") in self._legal:
                yield Text(
                    f"{text!r} must not be offered, and it is", f"{text!r} не должно предлагаться, а предлагается"
                )
        yield from self._wrong_end(then)

    def _wrong_end(self, then: Mapping[str, Any]) -> Iterator[Text]:
        over = self._steps.mover[0] < 0
        wanted = then.get("over", True if {"winner", "returns"} & {*then} else over)
        if over != wanted:
            yield (
                Text("the game is over and must go on", "партия окончена, а должна идти")
                if over
                else Text("the game goes on and must be over", "партия идёт, а должна быть окончена")
            )
            return
        paid: list[float] = self._steps.pay()[: self._case.players].tolist() if over else []
        if "returns" in then and paid != [float(one) for one in then["returns"]]:
            yield Text(
                f"returns are {paid} and must be {then['returns']}",
                f"returns — {paid}, а должно быть {then['returns']}",
            )
        if "winner" in then:
            best = [seat for seat, one in enumerate(paid) if one == max(paid)]
            winner = best[0] if len(best) == 1 else -1
            if winner != then["winner"]:
                yield Text(
                    f"the winner is {winner} and must be {then['winner']}",
                    f"победил {winner}, а должен {then['winner']}",
                )

    @property
    def _legal(self) -> list[int]:
        return self._steps.ids[: self._options].tolist()

    def _text(self, action: int) -> str:
        return self._game.words.to_text(self._case.config, action)

    def _do(self, text: str, key: str, *, forced: bool = False) -> None:
        """Does an action; before one of a list, decisions with one option that is not it are made by themselves."""
        action = self._parsed(text, key)
        for _ in range(_FORCED if forced else 0):
            if self._options != 1 or self._steps.ids[0] == action:
                break
            self._options = self._steps.step(self._steps.ids[0])
        if action not in self._legal:
            texts = _shown([self._text(one) for one in self._legal])
            at = to_text(self._steps.record)
            raise _FailedCaseError(
                f"{text!r} must be an option in ({at}), where the options are {texts}",
                f"{text!r} должно быть среди вариантов в ({at}), а там {texts}",
            )
        self._options = self._steps.step(action)

    def _parsed(self, text: object, key: str) -> int:
        try:
            action: int = self._game.words.parse(self._case.config, str(text))
        except PlaymillError as error:
            raise self._case.source.error(error.text, key) from None
        return action

    def _put(self, key: str, value: Any) -> None:
        cells, name = self._cells(key, to_put=True)
        try:
            _assign(cells, value)
        except (IndexError, OverflowError, TypeError, ValueError):
            shape = "×".join(map(str, self._game.state[name.partition("[")[0]].shape)) or "1"
            message = Text(
                f"{value!r} does not fit into {name}, a field of {shape} whole numbers of the type"
                f" {self._game.state[name.partition('[')[0]].base}",
                f"{value!r} не помещается в {name}: это поле {shape} целых чисел типа"
                f" {self._game.state[name.partition('[')[0]].base}",
            )
            raise self._case.source.error(message, name.partition("[")[0]) from None

    def _cells(self, key: str, *, to_put: bool = False) -> tuple[Any, str]:
        """The numbers of a field, or of a place in it, and how it is written."""
        found, names = _PLACE.fullmatch(key), self._game.state.names or ()
        if found is None or found[1] not in names:
            near = near_to(key, names)
            listed = ", ".join(names)
            message = Text(
                f"there is no field {key!r} of State; there are {listed}{near.en}",
                f"поля {key!r} в State нет; есть {listed}{near.ru}",
            )
            raise self._case.source.error(message, key)
        field: Any = self._steps.workspace["states"][0:1, LIVE][found[1]][0:1]
        index = tuple(int(step) for step in (found[2] or "").split(",") if step.strip())
        shape = self._game.state[found[1]].shape
        if len(index) > len(shape) or any(step >= size for step, size in zip(index, shape, strict=False)):
            message = Text(f"there is no place {key}", f"места {key} нет")
            raise self._case.source.error(message, key)
        cells = field[(0, *index)] if not to_put else field[(slice(0, 1), *index)]
        return cells, key


def _assign(cells: Any, value: Any) -> None:
    """Puts a number into all places, or the numbers of a list into the first ones, row by row; `cells` has one row."""
    if not isinstance(value, list):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError
        limits = np.iinfo(cells.dtype) if cells.dtype.kind in "iu" else None
        if limits is not None and not limits.min <= value <= limits.max:
            raise OverflowError
        cells[...] = value
        return
    if cells.ndim < 2 or len(value) > cells.shape[1]:
        raise IndexError
    for place, one in enumerate(value):
        _assign(cells[:, place], one)


def _matches(cells: Any, value: Any) -> bool:
    """Whether all places have a number, or the first ones the numbers of a list, row by row."""
    if not isinstance(value, list):
        return bool(np.all(np.asarray(cells) == value))
    if np.ndim(cells) < 1 or len(value) > len(cells):
        return False
    return all(_matches(cells[place], one) for place, one in enumerate(value))


def _shown(texts: Sequence[object]) -> str:
    """Short forms of actions in a sentence."""
    return ", ".join(map(str, texts)) or "–"
