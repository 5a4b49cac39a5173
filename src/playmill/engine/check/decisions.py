"""Checks games decision by decision in the interpreter: options, words, observations, clones, returns."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from playmill.engine.check.coverage import Coverage
from playmill.engine.check.findings import SEED, CheckedGame, CheckError, demand, listed
from playmill.engine.check.hidden_information import Hidden, check_hidden, check_looking_on
from playmill.engine.lang.record import from_text, to_text
from playmill.engine.lint.endless_loops import watched_inside
from playmill.engine.run.invalid_actions import no_options
from playmill.engine.run.invariant_checks import BrokenInvariantError, InvariantCheck
from playmill.engine.run.state import State
from playmill.engine.run.stepper import new_stepper, nobody_there
from playmill.texts import LANGUAGES, PlaymillError, Text

#: A game with more decisions than this is taken to be endless, and so is a chain of so many that have one option.
ENDLESS = 20_000
#: Of a long game the first decisions are looked at closely, then one in so many; after so many in all that is enough.
_CLOSELY, _ONE_IN, ENOUGH = 60, 41, 3_000
#: In the first decisions every agent is asked what it would do.
_OPENING = 8
#: What no action is called.
_NONSENSE = ("", "no such action", "9" * 30, "\N{SNOWMAN}")


@dataclass
class CloseLooks:
    """What is looked at closely in all games with one number of players: pictures cost more than all else together."""

    #: What was offered to whoever saw this: the kind of the decision and its options.
    options: dict[bytes, tuple[str, list[int]]] = field(default_factory=dict)
    #: In so many positions more words and pictures are looked at, in so many what is hidden, and at the end of so many
    #: games both.
    words: int = 40
    secrets: int = 60
    ends: int = 20

    @classmethod
    def fewer(cls) -> CloseLooks:
        """Those with a further number of players."""
        return cls(words=16, secrets=30, ends=8)

    def take_words(self) -> bool:
        """Whether words and pictures of one more position are looked at."""
        self.words -= 1
        return self.words >= 0

    def take_secrets(self) -> bool:
        """Whether what is hidden in one more position is looked at."""
        self.secrets -= 1
        return self.secrets >= 0

    def take_end(self) -> bool:
        """Whether the end of one more game is looked at."""
        self.ends -= 1
        return self.ends >= 0


class CheckedEnd(NamedTuple):
    """How a checked game ended: after how many decisions, whose, and the returns."""

    decisions: int
    returns: list[float]
    deciders: frozenset[int] = frozenset()


@watched_inside
def check_one(checked: CheckedGame, looks: CloseLooks, hidden: Hidden, coverage: Coverage) -> CheckedEnd:
    """Plays one game at random and checks, at some of its decisions, everything the contract promises."""
    game, config, number = checked.game, checked.config, checked.number
    bare = State(game, players=checked.players, config=config, seed=SEED, number=number, interpreted=True)
    seen = 0
    deciders: set[int] = set()
    invariants = InvariantCheck(game, config)
    counts = "count_actions" in game.rules  # else the list of them is asked again: that it stays the same shows soon

    def observer(before: np.void, action: int, after: np.void) -> None:
        nonlocal seen
        deciders.add(int(before["player"]))
        if checked.state is None and seen == 0:  # the game opens with decisions that nobody is asked for
            invariants.begin(before)
            coverage.look_at(config, before)
        invariants.step(before, action, after)
        coverage.look_at(config, after)
        coverage.decision(config, (action,), action)
        if _looked_at(seen, number):
            if counts or seen < _OPENING:
                bare.put_record(before.reshape(1))
                _check_counting(checked, bare)
            game.words.events(config, before, after, action)
            hidden.knowledge.look_at(checked, before, action, after)
        seen += 1
        checked.demand(seen < ENDLESS, *_ENDS)

    state = State(
        game, players=checked.players, config=config, seed=SEED, number=number, observer=observer, interpreted=True
    )
    checked.state = state
    if seen == 0:
        invariants.begin(state.record)
        coverage.look_at(config, state.record)
    while not state.is_terminal():
        legal = state.legal_actions()
        _check_options(checked, state, legal)
        coverage.offered.update(legal)
        if _looked_at(checked.decision, number):
            _check_observation(checked, state, legal, looks)
            if checked.decision < _OPENING or checked.decision % 7 == number % 7:
                check_choices(checked, state, legal)
            if checked.decision % 7 == number % 7:
                if looks.take_words():
                    _check_words(checked, state, legal)
                if looks.take_secrets():
                    hidden.knowledge.look_at_position(checked, state.record.copy())
                    check_hidden(checked, state, number)
                    check_looking_on(checked, state, number)
                    _check_clone(checked, state)
        hidden.look_at(checked, state)
        state.apply_action(state.choice_of(0))
        checked.decision += 1
        checked.demand(checked.decision < ENDLESS, *_ENDS)
    checked.demand(
        not state.legal_actions(),
        "a finished game must not offer anything",
        "в законченной партии не должно быть вариантов",
        by="legal_actions",
    )
    checked.demand(
        len(state.returns()) == checked.players,
        "every player must have a return",
        "у каждого игрока должен быть выигрыш",
    )
    if looks.take_end():
        check_hidden(checked, state, number)
        check_looking_on(checked, state, number)
        checked.demand(
            bool(str(state)) and "<svg" in state.view(),
            "a finished game must have words and a picture",
            "у законченной партии должны быть слова и картинка",
        )
    coverage.end(state.outcome())
    return CheckedEnd(checked.decision, state.returns(), frozenset(deciders))


_ENDS = (
    f"the game must end: after {ENDLESS} decisions it has not; count turns, and let the rules say what happens at a"
    " limit",
    f"партия должна кончаться: после {ENDLESS} решений конца нет; считайте ходы, и пусть правила скажут, что на"
    " пределе",
)


def _looked_at(step: int, number: int) -> bool:
    """Whether a step of game `number` is looked at closely."""
    return step < _CLOSELY or step % _ONE_IN == number % _ONE_IN


def _check_options(checked: CheckedGame, state: State, legal: list[int]) -> None:
    mover = state.current_player()
    checked.demand(
        0 <= mover < checked.players,
        *nobody_there(mover, checked.players),
    )
    checked.demand(bool(legal), *no_options(mover), by="legal_actions")
    checked.demand(
        legal == sorted(set(legal)),
        f"legal actions must be ascending and unique: {listed(legal)}",
        f"допустимые действия должны идти по возрастанию и не повторяться: {listed(legal)}",
        by="legal_actions",
    )
    checked.demand(
        legal[0] >= 0 and legal[-1] < checked.game.actions,
        f"legal actions must lie in the action space, 0 … {checked.game.actions - 1}: {listed(legal)}; MAX_ACTIONS in"
        " rules.py must be more than the largest id",
        f"допустимые действия должны быть из 0 … {checked.game.actions - 1}: {listed(legal)}; MAX_ACTIONS в rules.py"
        " должно быть больше самого большого номера",
        by="legal_actions",
    )


#: How somebody chooses of this many options who always does the same; such people find games without an end.
HABITS: Mapping[Text, Callable[[int, int], int]] = {
    Text("the first option", "первый вариант"): lambda options, turn: 0,
    Text("the last option", "последний вариант"): lambda options, turn: options - 1,
    Text("the first and the last option in turn", "то первый, то последний вариант"): lambda options, turn: (
        turn % 2 * (options - 1)
    ),
}


def check_end(checked: CheckedGame, habit: Text, coverage: Coverage) -> None:
    """A game ends, whatever its players do."""
    game, config = checked.game, checked.config
    steps = new_stepper(game, config, checked.players, interpreted=True)
    options = steps.begin(SEED, checked.number)
    invariants, state = InvariantCheck(game, config), steps.record
    invariants.begin(state)
    for _ in range(ENDLESS):
        coverage.look_at(config, state)
        if steps.mover[0] < 0:
            coverage.end()
            return
        checked.demand(options > 0, *no_options(steps.mover[0]), by="legal_actions")
        action = steps.ids[HABITS[habit](options, checked.decision)]
        checked.decision += options > 1
        coverage.decision(config, steps.ids[:options].tolist(), action)
        before = state.copy()
        options = steps.step(action)
        try:
            invariants.step(before, action, state)
        except BrokenInvariantError as error:
            # No command plays like this: the position before it is told instead.
            at = f"{game.name}/{game.version} {to_text(before)}"
            raise CheckError(
                Text(
                    f"{error.text.en}; game {checked.number} of seed {SEED} if all always take {habit.en}, action"
                    f" {error.action}; the position before: {at}",
                    f"{error.text.ru}; партия {checked.number} с сидом {SEED}, если все всегда выбирают {habit.ru},"
                    f" действие {error.action}; позиция до него: {at}",
                )
            ) from None
    demand(
        False,
        f"the game must end, whatever its players do: if all of them always take {habit.en}, it has not ended after"
        f" {ENDLESS} actions; count turns, and let the rules say what happens at a limit",
        f"партия должна кончаться, что бы ни делали игроки: если все всегда выбирают {habit.ru}, то после {ENDLESS}"
        " действий конца нет; считайте ходы, и пусть правила скажут, что на пределе",
    )


def _check_counting(checked: CheckedGame, state: State) -> None:
    """Also where there is but one option, which nobody is asked for."""
    legal, count = state.legal_actions(), state.count_actions()
    same = count == len(legal) and sorted(state.nth_action(k) for k in range(count)) == legal
    checked.demand(
        same,
        "options counted and picked by number are not the listed ones",
        "варианты, сосчитанные и взятые по номеру, не те, что в списке",
        by="count_actions" if "count_actions" in checked.game.rules else "legal_actions",
    )


def check_choices(checked: CheckedGame, state: State, legal: list[int]) -> None:
    """Every agent answers with one of the options, and leaves the state as it was."""
    for agent, (name, made) in enumerate(checked.game.agents.items()):
        params = [parameter.default for parameter in made.parameters.values()]
        asked = state.clone()
        chosen = asked.choice_of(agent, params)
        changed = [field for field in checked.game.state.names or () if _differs(state.record, asked.record, field)]
        checked.demand(
            not changed,
            f"the agent {name} must leave the state as it was: it may try things out there and must take them back, but"
            f" changed {', '.join(changed)}",
            f"агент {name} должен оставлять состояние каким оно было: пробовать на нём можно, но всё надо вернуть, а он"
            f" изменил {', '.join(changed)}",
            by=made.choose,
        )
        checked.demand(
            chosen in legal,
            f"the agent {name} must choose legal actions (it answered {chosen}; legal are {listed(legal)})",
            f"агент {name} должен выбирать допустимые действия (ответ: {chosen}; допустимы {listed(legal)})",
            by=made.choose,
        )


def _differs(one: np.void, other: np.void, field: str) -> bool:
    """Whether two states differ in a field."""
    return bool(one[field].tobytes() != other[field].tobytes())


def _check_words(checked: CheckedGame, state: State, legal: list[int]) -> None:
    game, config = checked.game, checked.config
    text = to_text(state.record)
    checked.demand(
        bool(from_text(game.state, text)[0] == state.record),
        "a state's text form must read back as the same state",
        "текстовая запись состояния должна читаться обратно как то же состояние",
    )
    for action in legal:
        short = game.words.to_text(config, action)
        checked.demand(
            isinstance(short, str),
            f"to_text must give a string: str(action + 1), not {short!r}",
            f"to_text должна давать строку: str(action + 1), а не {short!r}",
            by=game.words.to_text,
        )
        read = _parsed(checked, short)
        checked.demand(
            read == action,
            f"the text form {short!r} must read back as action {action}, not as {read}: each action has one of its own",
            f"короткая запись {short!r} должна читаться как действие {action}, а не {read}: у каждого действия своя"
            " запись",
            by=game.words.to_text,
        )
        words = game.words.describe(config, action)
        checked.demand(
            bool(words.en) and bool(words.ru),
            f"action {action} must have words in both languages",
            f"у действия {action} должны быть слова на обоих языках",
        )
        checked.demand(
            bool(game.words.fields(config, action)), f"action {action} has no fields", f"у действия {action} нет полей"
        )
    for nonsense in _NONSENSE:
        _parsed(checked, nonsense)
    checked.demand(bool(game.words.decision_kind(state.record)), "the decision has no kind", "у решения нет вида")
    for lang in LANGUAGES:
        checked.demand("<svg" in state.view(state.current_player(), lang), "the state has no picture", "картинки нет")


def _parsed(checked: CheckedGame, text: str) -> int | None:
    """The action of a text, None if it is refused: by a PlaymillError and nothing else."""
    try:
        action: int = checked.game.words.parse(checked.config, text)
    except PlaymillError:
        return None
    except Exception as error:
        python_message = f"{type(error).__name__}: {error}"
        raise checked.broken(
            Text(
                f"parse({text!r}) must return an action or raise PlaymillError, which people are shown; it raised"
                f" {python_message}",
                f"parse({text!r}) должна вернуть действие или вызвать PlaymillError, её и покажут; вместо этого —"
                f" {python_message}",
            )
        ) from None
    return action


def _check_observation(checked: CheckedGame, state: State, legal: list[int], looks: CloseLooks) -> None:
    """A player who sees the same as another once did is in the same place: a search takes the two for one."""
    tensor = state.observation_tensor()
    seen = hashlib.blake2b(tensor.tobytes(), digest_size=16).digest()
    kind = checked.game.words.decision_kind(state.record)
    first, before = looks.options.setdefault(seen, (kind, legal))
    checked.demand(
        first == kind,
        "observe must tell the kind of the decision",
        "observe должна показывать вид решения",
        by="observe",
    )
    checked.demand(
        before == legal,
        "observe must tell all that the options of the player to move depend on: the same was seen with"
        f" {listed(before)} and with {listed(legal)}",
        f"observe должна показывать всё, от чего зависят варианты: то же самое было видно с {listed(before)} и с"
        f" {listed(legal)}",
        by="observe",
    )


def _check_clone(checked: CheckedGame, state: State) -> None:
    before = state.record.copy()
    twin = state.clone()
    steps = 0

    def observer(before: np.void, action: int, after: np.void) -> None:
        nonlocal steps
        steps += 1
        checked.demand(steps < ENDLESS, *_ENDS)  # decisions with one option are made by themselves, for ever if need be

    twin.observer = observer
    twin.apply_action(twin.legal_actions()[-1])
    checked.demand(
        bool(state.record == before), "a clone must not depend on its original", "копия не должна зависеть от оригинала"
    )
