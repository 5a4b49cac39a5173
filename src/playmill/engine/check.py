"""`check_game`: what the author of a new game runs first.

Games are looked at in the interpreter, which knows the ends of arrays and of narrow numbers; only when all promises
hold there is anything compiled, and compared.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from playmill.engine.batch import Batch
from playmill.engine.books import open_book
from playmill.engine.config import RuleConfig
from playmill.engine.finding import SEED, CheckError, Look, demand, listed
from playmill.engine.game import Game
from playmill.engine.hiding import Hidden, check_hidden, check_looking_on
from playmill.engine.match import Chunk, Match
from playmill.engine.play import Cpu, Interpreted, add_counts
from playmill.engine.proofread import proofread
from playmill.engine.record import RecordArray, from_text, to_text
from playmill.engine.rulebook import Figure, Words, rules_told
from playmill.engine.state import State
from playmill.engine.stepping import laid
from playmill.texts import LANGUAGES, PlaymillError, Text

__all__ = ["CheckError", "check_game"]

#: A game with more decisions than this is taken to be endless, and so is a chain of so many that have one option.
ENDLESS = 20_000
#: Of a long game the first decisions are looked at closely, then one in so many; after so many in all that is enough.
_CLOSELY, _ONE_IN, _ENOUGH = 60, 41, 3_000
#: In the first decisions every agent is asked what it would do.
_OPENING = 8
#: So many games are looked at if nothing else is asked for.
GAMES = 20
#: From so few games on, what all of them have in common says something of the rules.
_TELLING = 10
#: What no action is called.
_NONSENSE = ("", "no such action", "9" * 30, "\N{SNOWMAN}")

#: What was offered to whoever saw this: the kind of the decision and its options.
Options = dict[bytes, tuple[str, list[int]]]


def check_game(
    game: Game,
    *,
    config: RuleConfig | None = None,
    games: int = GAMES,
    players: Sequence[int] | None = None,
    progress: Callable[[str], None] | None = None,
) -> tuple[Text, ...]:
    """Plays a game through every promise of the contract; raises CheckError at the first that is broken.

    Returns what breaks no promise and is still worth a look, in sentences.
    """
    settings = config if config is not None else game.config()
    tell = progress or (lambda _: None)
    proofread(game)
    _check_types(game)
    _check_default(game)
    _check_rulebook(game, settings)
    doubts: list[Text] = []
    for size in players or range(game.players[0], game.players[1] + 1):
        game.check_players(size)
        tell(f"{size}: step by step")
        ends: list[_End] = []
        options: Options = {}
        hidden = Hidden(Look(game, settings, size, 0))
        for number in range(games):
            if sum(end.decisions for end in ends) < _ENOUGH:
                look = Look(game, settings, size, number)
                with look.told():
                    ends.append(_check_one(look, options, hidden))
        doubts += _doubts(size, ends)
        tell(f"{size}: what is hidden")
        with Look(game, settings, size, 0).told():
            hidden.judge()
        tell(f"{size}: does it end")
        for habit in _HABITS:
            look = Look(game, settings, size, 0)
            with look.told():
                _check_end(look, habit)
        tell(f"{size}: batch")
        _check_batch(game, settings, size)
        tell(f"{size}: interpreted against compiled")
        _check_backends(game, settings, size)
    return tuple(doubts)


def _check_types(game: Game) -> None:
    for what, kind in (("State", game.state), ("Outcome", game.outcome)):
        demand(
            kind.isalignedstruct,
            f"{what} is an aligned dtype: np.dtype([…], align=True)",
            f"{what} выровнен: np.dtype([…], align=True)",
        )
    demand(
        "decisions" in (game.outcome.names or ()),
        "the outcome has a field `decisions`",
        "в Outcome есть поле `decisions`",
    )
    for name in game.tally.names or ():
        demand(game.tally[name].base == np.int64, f"the tally's field {name} is int64", f"поле {name} в Tally — int64")
    demand("random" in game.agents, "there is an agent `random`", "есть агент `random`")


def _check_default(game: Game) -> None:
    """The default config is one that a file may hold: a model does not look at its own defaults."""
    try:
        game.config.read(game.config().model_dump(mode="json"), "config.py")
    except PlaymillError as error:
        raise CheckError(
            Text(
                f"the defaults of config.py lie within its own bounds ({error.text.en})",
                f"значения по умолчанию в config.py не выходят за его же границы ({error.text.ru})",
            )
        ) from None


def _check_rulebook(game: Game, config: RuleConfig) -> None:
    """Rules in words, where there are any, say the same in both languages, part by part."""
    told = [_outline(rules_told(game, config, lang)) for lang in LANGUAGES]
    demand(
        told[0] == told[1],
        "rules.en.md and rules.ru.md have the same headings and pictures, in the same order",
        "в rules.en.md и rules.ru.md одни и те же заголовки и картинки в одном порядке",
    )
    unknown = {name for name in told[0] if not name.startswith("#")} - set(getattr(game.rulebook, "PICTURES", ()))
    names = ", ".join(sorted(unknown))
    demand(
        not unknown,
        f"every picture of the rules is in PICTURES of rulebook.py: {names}",
        f"каждая картинка правил есть в PICTURES из rulebook.py: {names}",
    )


def _outline(parts: Sequence[Words | Figure]) -> list[str]:
    """The depth of each heading and the name of each picture."""
    found: list[str] = []
    for part in parts:
        found += re.findall(r"^#+(?= )", part.markdown, re.MULTILINE) if isinstance(part, Words) else [part.name]
    return found


class _End(NamedTuple):
    """How a game that was looked at came out: after how many decisions, and what it brought each player."""

    decisions: int
    returns: list[float]


def _doubts(players: int, ends: Sequence[_End]) -> Iterator[Text]:
    """What many games have in common that games seldom have."""
    if len(ends) < _TELLING:
        return
    if not any(any(end.returns) for end in ends):
        yield Text(
            f"with {players} players, `returns` gave nobody anything in any of {len(ends)} games played at random:"
            " every one was a draw at 0; is that meant?",
            f"при числе игроков {players} `returns` никому ничего не дала ни в одной из партий наугад ({len(ends)}):"
            " все окончились вничью по нулям; так задумано?",
        )
    if all(end.decisions <= 1 for end in ends):
        yield Text(
            f"with {players} players, each of {len(ends)} games played at random was over after its first decision, or"
            " without any; is that meant?",
            f"при числе игроков {players} каждая из партий наугад ({len(ends)}) окончилась после первого же решения или"
            " без единого; так задумано?",
        )


def _check_one(look: Look, options: Options, hidden: Hidden) -> _End:
    game, config, number = look.game, look.config, look.number
    bare = State(game, players=look.players, config=config, seed=SEED, number=number, interpreted=True)
    seen = 0

    def observer(before: np.void, action: int, after: np.void) -> None:
        nonlocal seen
        if _looked_at(seen, number):
            bare.put_record(before.reshape(1))
            _check_counting(look, bare)
        seen += 1
        look.demand(seen < ENDLESS, *_ENDS)

    state = State(
        game, players=look.players, config=config, seed=SEED, number=number, observer=observer, interpreted=True
    )
    look.state = state
    while not state.is_terminal():
        legal = state.legal_actions()
        _check_options(look, state, legal)
        if _looked_at(look.decision, number):
            _check_observation(look, state, legal, options)
            if look.decision < _OPENING or look.decision % 7 == number % 7:
                _check_choices(look, state, legal)
            if look.decision % 7 == number % 7:
                _check_words(look, state, legal)
                check_hidden(look, state, number)
                check_looking_on(look, state, number)
                _check_clone(look, state)
        hidden.look_at(look, state)
        state.apply_action(state.choice_of(0))
        look.decision += 1
        look.demand(look.decision < ENDLESS, *_ENDS)
    look.demand(not state.legal_actions(), "a finished game offers nothing", "в законченной партии вариантов нет")
    look.demand(len(state.returns()) == look.players, "every player has a return", "у каждого игрока есть выигрыш")
    check_hidden(look, state, number)
    check_looking_on(look, state, number)
    look.demand(
        bool(str(state)) and "<svg" in state.view(),
        "a finished game has words and a picture",
        "у законченной партии есть слова и картинка",
    )
    return _End(look.decision, state.returns())


_ENDS = (
    f"the game ends: after {ENDLESS} decisions it has not; count turns, and let the rules say what happens at a limit",
    f"партия кончается: после {ENDLESS} решений конца нет; считайте ходы, и пусть правила скажут, что на пределе",
)


def _looked_at(step: int, number: int) -> bool:
    """Whether a step of game `number` is looked at closely."""
    return step < _CLOSELY or step % _ONE_IN == number % _ONE_IN


def _check_options(look: Look, state: State, legal: list[int]) -> None:
    mover = state.current_player()
    look.demand(
        0 <= mover < look.players,
        f"the player to move is one of the players, 0 … {look.players - 1}, not {mover}",
        f"ходит один из игроков, 0 … {look.players - 1}, а не {mover}",
    )
    look.demand(bool(legal), *_no_options(mover))
    look.demand(
        legal == sorted(set(legal)),
        f"legal actions are ascending and unique: {listed(legal)}",
        f"допустимые действия идут по возрастанию и не повторяются: {listed(legal)}",
    )
    look.demand(
        legal[0] >= 0 and legal[-1] < look.game.actions,
        f"legal actions lie in the action space, 0 … {look.game.actions - 1}: {listed(legal)}; MAX_ACTIONS in rules.py"
        " must be more than the largest id",
        f"допустимые действия — из 0 … {look.game.actions - 1}: {listed(legal)}; MAX_ACTIONS в rules.py должно быть"
        " больше самого большого номера",
    )


#: How somebody chooses of so many options who always does the same; such people find games without an end.
_HABITS: Mapping[Text, Callable[[int, int], int]] = {
    Text("the first option", "первый вариант"): lambda options, turn: 0,
    Text("the last option", "последний вариант"): lambda options, turn: options - 1,
    Text("the first and the last option in turn", "то первый, то последний вариант"): lambda options, turn: (
        turn % 2 * (options - 1)
    ),
}


def _check_end(look: Look, habit: Text) -> None:
    """A game ends, whatever its players do."""
    steps = laid(look.game, look.config, look.players, interpreted=True)
    options = steps.begin(SEED, look.number)
    for _ in range(ENDLESS):
        if steps.mover[0] < 0:
            return
        look.demand(options > 0, *_no_options(steps.mover[0]))
        action = steps.ids[_HABITS[habit](options, look.decision)]
        look.decision += options > 1
        options = steps.step(action)
    demand(
        False,
        f"the game ends, whatever its players do: if all of them always take {habit.en}, it has not ended after"
        f" {ENDLESS} actions; count turns, and let the rules say what happens at a limit",
        f"партия кончается, что бы ни делали игроки: если все всегда выбирают {habit.ru}, то после {ENDLESS} действий"
        " конца нет; считайте ходы, и пусть правила скажут, что на пределе",
    )


def _no_options(mover: int) -> tuple[str, str]:
    return (
        f"whoever is to move has options: `player` is {mover}, and legal_actions offers nothing; a game that is over"
        " sets `player` to -1",
        f"у того, чей ход, есть варианты: `player` равно {mover}, а legal_actions ничего не предлагает; в конце партии"
        " `player` становится -1",
    )


def _check_counting(look: Look, state: State) -> None:
    """Also where there is but one option, which nobody is asked for."""
    legal, count = state.legal_actions(), state.count_actions()
    same = count == len(legal) and sorted(state.nth_action(k) for k in range(count)) == legal
    look.demand(
        same,
        "options counted and picked by number are the listed ones",
        "варианты, сосчитанные и взятые по номеру, те же, что в списке",
    )


def _check_choices(look: Look, state: State, legal: list[int]) -> None:
    for agent, (name, made) in enumerate(look.game.agents.items()):
        params = [parameter.default for parameter in made.parameters.values()]
        asked = state.clone()
        chosen = asked.choice_of(agent, params)
        changed = [field for field in look.game.state.names or () if _differs(state.record, asked.record, field)]
        look.demand(
            not changed,
            f"the agent {name} leaves the state as it was: it may try things out there and must take them back, but"
            f" changed {', '.join(changed)}",
            f"агент {name} оставляет состояние каким оно было: пробовать на нём можно, но всё надо вернуть, а он"
            f" изменил {', '.join(changed)}",
        )
        look.demand(
            chosen in legal,
            f"the agent {name} chooses legal actions (it answered {chosen}; legal are {listed(legal)})",
            f"агент {name} выбирает допустимые действия (ответ: {chosen}; допустимы {listed(legal)})",
        )


def _differs(one: np.void, other: np.void, field: str) -> bool:
    """Whether two states differ in a field."""
    return bool(one[field].tobytes() != other[field].tobytes())


def _check_words(look: Look, state: State, legal: list[int]) -> None:
    game, config = look.game, look.config
    text = to_text(state.record)
    look.demand(
        bool(from_text(game.state, text)[0] == state.record),
        "a state's text form reads back as the same state",
        "текстовая запись состояния читается обратно как то же состояние",
    )
    for action in legal:
        short = game.words.to_text(config, action)
        look.demand(
            _parsed(look, short) == action,
            f"the text form {short!r} reads back as action {action}",
            f"короткая запись {short!r} читается как действие {action}",
        )
        words = game.words.describe(config, action)
        look.demand(
            bool(words.en) and bool(words.ru),
            f"action {action} has words in both languages",
            f"у действия {action} есть слова на обоих языках",
        )
        look.demand(
            bool(game.words.fields(config, action)), f"action {action} has fields", f"у действия {action} есть поля"
        )
    for nonsense in _NONSENSE:
        _parsed(look, nonsense)
    look.demand(bool(game.words.decision_kind(state.record)), "the decision has a kind", "у решения есть вид")
    for lang in LANGUAGES:
        look.demand("<svg" in state.view(state.current_player(), lang), "the state has a picture", "есть картинка")


def _parsed(look: Look, text: str) -> int | None:
    """The action of a text, None if it is refused: by a PlaymillError and nothing else."""
    try:
        action: int = look.game.words.parse(look.config, text)
    except PlaymillError:
        return None
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise look.broken(
            Text(
                f"parse({text!r}) returns an action or raises PlaymillError, which people are shown; it raised {said}",
                f"parse({text!r}) возвращает действие или вызывает PlaymillError, её и покажут; вместо этого — {said}",
            )
        ) from None
    return action


def _check_observation(look: Look, state: State, legal: list[int], options: Options) -> None:
    """A player who sees the same as another once did is in the same place: a search takes the two for one."""
    tensor = state.observation_tensor()
    seen = hashlib.blake2b(tensor.tobytes(), digest_size=16).digest()
    kind = look.game.words.decision_kind(state.record)
    first, before = options.setdefault(seen, (kind, legal))
    look.demand(first == kind, "observe tells the kind of the decision", "observe показывает вид решения")
    look.demand(
        before == legal,
        f"observe tells all that the options of the player to move depend on: the same was seen with {listed(before)}"
        f" and with {listed(legal)}",
        f"observe показывает всё, от чего зависят варианты: то же самое было видно с {listed(before)} и с"
        f" {listed(legal)}",
    )


def _check_clone(look: Look, state: State) -> None:
    before = state.record.copy()
    twin = state.clone()
    steps = 0

    def observer(before: np.void, action: int, after: np.void) -> None:
        nonlocal steps
        steps += 1
        look.demand(steps < ENDLESS, *_ENDS)  # decisions with one option are made by themselves, for ever if need be

    twin.observer = observer
    twin.apply_action(twin.legal_actions()[-1])
    look.demand(bool(state.record == before), "a clone is independent of its original", "копия не зависит от оригинала")


def _check_batch(game: Game, config: RuleConfig, players: int) -> None:
    batch = Batch(game, 5, players=players, config=config, seed=SEED)
    for _ in range(ENDLESS):
        if batch.terminated.all():
            break
        mask = batch.legal_action_mask
        demand(
            bool((mask.sum(axis=1) == batch.legal_counts).all()),
            "the mask agrees with the list of options",
            "маска совпадает со списком вариантов",
        )
        batch.step(batch.legal_action(batch.legal_counts // 2))
    demand(bool(batch.terminated.all()), "every game of a batch ends", "каждая партия пачки кончается")


def _strictly(match: Match, agent: str) -> Chunk:
    """A few games in which every answer is looked for among the options."""
    try:
        return Interpreted(match, strict=True).play(0, 3)
    except PlaymillError as error:
        told = error.text
        raise CheckError(
            Text(
                f"the agent {agent} chooses legal actions ({told.en})",
                f"агент {agent} выбирает допустимые действия ({told.ru})",
            )
        ) from None


def _doubt(game: Game) -> Text:
    """What may be behind games that come out otherwise when they are compiled."""
    kinds = (game.state, game.outcome)
    unsigned = ", ".join(name for kind in kinds for name in kind.names or () if kind[name].base.kind == "u")
    return Text(
        f" (a difference of unsigned numbers is huge to the compiler; unsigned fields: {unsigned})" if unsigned else "",
        f" (разность беззнаковых чисел для компилятора огромна; поля без знака: {unsigned})" if unsigned else "",
    )


def _check_backends(game: Game, config: RuleConfig, players: int) -> None:
    doubt = _doubt(game)
    for number, (name, agent) in enumerate(game.agents.items()):
        params = tuple(parameter.default for parameter in agent.parameters.values())
        seats = (number,) * players
        book = open_book(game, config, seats)
        match = Match(game, config, players, 3, seats, (0,) * players, (params,) * players, book)
        with Look(game, config, players, 0).told():
            # First: the interpreter knows the ends of arrays and of narrow numbers, which compiled code runs over.
            slow = _strictly(match, name)
        fast = Cpu(match).play(0, 3)
        demand(
            fast.rows.tobytes() == slow.rows.tobytes(),
            f"{name}: interpreted and compiled games are the same{doubt.en}",
            f"{name}: партии в интерпретаторе и скомпилированные одинаковы{doubt.ru}",
        )
        counts: RecordArray = np.zeros(2, game.tally)
        for place, chunk in enumerate((fast, slow)):
            add_counts(counts[place : place + 1], chunk.counts)
        demand(
            bool(counts[0] == counts[1]),
            f"{name}: interpreted and compiled counts are the same",
            f"{name}: подсчёты в интерпретаторе и скомпилированные одинаковы",
        )
