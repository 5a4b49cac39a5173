"""`check_game`: what the author of a new game runs first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np

from playmill.engine.batch import Batch
from playmill.engine.books import open_book
from playmill.engine.config import RuleConfig
from playmill.engine.game import Game
from playmill.engine.match import Match
from playmill.engine.play import Cpu, Interpreted, add_counts
from playmill.engine.record import RecordArray, from_text, to_text
from playmill.engine.rule import SPECTATOR
from playmill.engine.rulebook import Figure, Words, rules_told
from playmill.engine.state import State
from playmill.texts import LANGUAGES, PlaymillError

#: A game with more decisions than this is taken to be endless.
_ENDLESS = 100_000
#: Of a long game the first decisions are looked at closely, then one in so many; after so many in all that is enough.
_CLOSELY, _ONE_IN, _ENOUGH = 60, 41, 3_000


#: What was offered to whoever saw this: the kind of the decision and its options.
Options = dict[bytes, tuple[str, list[int]]]


class CheckError(AssertionError):
    """A promise of the contract that a game breaks."""


def check_game(
    game: Game, *, config: RuleConfig | None = None, games: int = 20, progress: Callable[[str], None] | None = None
) -> None:
    """Plays a game through every promise of the contract; raises CheckError at the first that is broken."""
    settings = config if config is not None else game.config()
    tell = progress or (lambda _: None)
    _check_types(game)
    _check_rulebook(game, settings)
    for players in range(game.players[0], game.players[1] + 1):
        tell(f"{players} players: step by step")
        decisions = 0
        options: Options = {}
        for number in range(games):
            if decisions < _ENOUGH:
                decisions += _check_one(game, settings, players, number, options)
        tell(f"{players} players: batch")
        _check_batch(game, settings, players)
        tell(f"{players} players: interpreted against compiled")
        _check_backends(game, settings, players)


def _demand(holds: bool, promise: str) -> None:
    if not holds:
        raise CheckError(promise)


def _check_types(game: Game) -> None:
    names = game.state.names or ()
    _demand("player" in names, "the state has a field `player`")
    _demand("decisions" in (game.outcome.names or ()), "the outcome has a field `decisions`")
    _demand(game.state.isalignedstruct, "the state is an aligned dtype (align=True)")
    for name in game.tally.names or ():
        _demand(game.tally[name].base == np.int64, f"the tally's field {name} is int64")
    _demand("random" in game.agents, "there is an agent `random`")


def _check_rulebook(game: Game, config: RuleConfig) -> None:
    """Rules in words, where there are any, say the same in both languages, part by part."""
    told = [_outline(rules_told(game, config, lang)) for lang in LANGUAGES]
    _demand(told[0] == told[1], "rules.en.md and rules.ru.md have the same headings and pictures, in the same order")
    unknown = {name for name in told[0] if not name.startswith("#")} - set(getattr(game.rulebook, "PICTURES", ()))
    _demand(not unknown, f"every picture of the rules is in PICTURES of rulebook.py: {', '.join(sorted(unknown))}")


def _outline(parts: Sequence[Words | Figure]) -> list[str]:
    """The depth of each heading and the name of each picture."""
    found: list[str] = []
    for part in parts:
        found += re.findall(r"^#+(?= )", part.markdown, re.MULTILINE) if isinstance(part, Words) else [part.name]
    return found


def _check_one(game: Game, config: RuleConfig, players: int, number: int, options: Options) -> int:
    bare = State(game, players=players, config=config, seed=1, number=number)
    seen = 0

    def observer(before: np.void, action: int, after: np.void) -> None:
        nonlocal seen
        if _looked_at(seen, number):
            bare.put_record(before.reshape(1))
            _check_counting(bare)
        seen += 1

    state = State(game, players=players, config=config, seed=1, number=number, observer=observer)
    decisions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        _demand(0 <= state.current_player() < players, "the player to move is one of the players")
        _demand(len(legal) > 1, "a decision that is asked for has more than one option")
        _demand(legal == sorted(set(legal)), "legal actions are ascending and unique")
        _demand(legal[0] >= 0 and legal[-1] < game.actions, "legal actions lie in the action space")
        if _looked_at(decisions, number):
            _check_observation(game, state, legal, options)
            _check_choices(game, state, legal)
            if decisions % 7 == number % 7:
                _check_words(game, config, state, legal)
                _check_hidden(game, state, number)
                _check_looking_on(state, number)
                _check_clone(state)
        state.apply_action(state.choice_of(0))
        decisions += 1
        _demand(decisions < _ENDLESS, "the game ends")
    _demand(not state.legal_actions(), "a finished game offers nothing")
    _demand(len(state.returns()) == players, "every player has a return")
    _check_hidden(game, state, number)
    _check_looking_on(state, number)
    _demand(bool(str(state)) and "<svg" in state.view(), "a finished game has words and a picture")
    return decisions


def _looked_at(step: int, number: int) -> bool:
    """Whether a step of game `number` is looked at closely."""
    return step < _CLOSELY or step % _ONE_IN == number % _ONE_IN


def _check_counting(state: State) -> None:
    """Also where there is but one option, which nobody is asked for."""
    legal, count = state.legal_actions(), state.count_actions()
    same = count == len(legal) and sorted(state.nth_action(k) for k in range(count)) == legal
    _demand(same, "options counted and picked by number are the listed ones")


def _check_choices(game: Game, state: State, legal: list[int]) -> None:
    for agent, (name, made) in enumerate(game.agents.items()):
        params = [parameter.default for parameter in made.parameters.values()]
        chosen = state.clone().choice_of(agent, params)
        _demand(chosen in legal, f"the agent {name} chooses legal actions (it answered {chosen}; legal are {legal})")


def _check_words(game: Game, config: RuleConfig, state: State, legal: list[int]) -> None:
    text = to_text(state.record)
    _demand(from_text(game.state, text)[0] == state.record, "a state's text form reads back as the same state")
    for action in legal:
        short = game.words.to_text(config, action)
        _demand(game.words.parse(config, short) == action, f"the text form {short!r} reads back as action {action}")
        words = game.words.describe(config, action)
        _demand(bool(words.en) and bool(words.ru), f"action {action} has words in both languages")
        _demand(bool(game.words.fields(config, action)), f"action {action} has fields")
    _demand(bool(game.words.decision_kind(state.record)), "the decision has a kind")
    for lang in ("en", "ru"):
        _demand("<svg" in state.view(state.current_player(), lang), "the state has a picture")


def _check_observation(game: Game, state: State, legal: list[int], options: Options) -> None:
    """A player who sees the same as another once did is in the same place: a search takes the two for one."""
    seen = hashlib.blake2b(state.observation_tensor().tobytes(), digest_size=16).digest()
    kind, before = options.setdefault(seen, (game.words.decision_kind(state.record), legal))
    _demand(kind == game.words.decision_kind(state.record), "observe tells the kind of the decision")
    _demand(before == legal, "observe tells all that the options of the player to move depend on")


def _check_hidden(game: Game, state: State, luck: int) -> None:
    for player in range(state.players):
        seen = state.observation_tensor(player)
        guess, other = state.clone(), state.clone()
        guess.conceal(player, luck)
        _demand(np.array_equal(seen, guess.observation_tensor(player)), f"conceal keeps what player {player} sees")
        other.conceal(player, luck + 1)
        other.conceal(player, luck)
        same = bool(guess.record == other.record)
        _demand(same, f"what conceal deals depends on its luck and on what player {player} may know, not on the truth")
        _demand(state.returns() == guess.returns(), "conceal keeps the returns")
        if player == state.current_player():
            _demand(state.legal_actions() == guess.legal_actions(), "conceal keeps the options of the player to move")
        words = game.words.seen(state.config, state.record, player, "en")
        _demand(
            words == game.words.seen(state.config, guess.record, player, "en"), "what is seen in words hides as much"
        )


def _check_looking_on(state: State, luck: int) -> None:
    """Whoever looks on holds nothing: worlds that differ in what single players know are one to her."""
    guess = state.clone()
    guess.conceal(SPECTATOR, luck)
    _demand(state.current_player() == guess.current_player(), "conceal from a spectator keeps whose turn it is")
    _demand(state.returns() == guess.returns(), "conceal from a spectator keeps the returns")
    other = state.clone()
    for player in range(state.players):
        other.conceal(player, luck + 1)  # what the others hold is another; in the end everybody holds something else
        twin = other.clone()
        twin.conceal(SPECTATOR, luck)
        same = bool(guess.record == twin.record)
        _demand(same, "what conceal deals for a spectator (player -1) depends on nothing that only a player knows")


def _check_clone(state: State) -> None:
    before = state.record.copy()
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[-1])
    _demand(bool(state.record == before), "a clone is independent of its original")


def _check_batch(game: Game, config: RuleConfig, players: int) -> None:
    batch = Batch(game, 5, players=players, config=config, seed=1)
    for _ in range(_ENDLESS):
        if batch.terminated.all():
            break
        mask = batch.legal_action_mask
        _demand(bool((mask.sum(axis=1) == batch.legal_counts).all()), "the mask agrees with the list of options")
        batch.step(batch.legal_action(batch.legal_counts // 2))
    _demand(bool(batch.terminated.all()), "every game of a batch ends")


def _check_backends(game: Game, config: RuleConfig, players: int) -> None:
    for number, (name, agent) in enumerate(game.agents.items()):
        params = tuple(parameter.default for parameter in agent.parameters.values())
        seats = (number,) * players
        book = open_book(game, config, seats)
        match = Match(game, config, players, 3, seats, (0,) * players, (params,) * players, book)
        try:
            # First: the interpreter knows the ends of arrays and of narrow numbers, which compiled code runs over.
            slow = Interpreted(match, strict=True).play(0, 3)
        except PlaymillError as error:
            raise CheckError(f"the agent {name} chooses legal actions ({error})") from None
        except (IndexError, ValueError, OverflowError) as error:
            raise CheckError(f"{name}: every number has room where the game keeps it ({error})") from None
        fast = Cpu(match).play(0, 3)
        _demand(fast.rows.tobytes() == slow.rows.tobytes(), f"{name}: interpreted and compiled games are the same")
        counts: RecordArray = np.zeros(2, game.tally)
        for place, chunk in enumerate((fast, slow)):
            add_counts(counts[place : place + 1], chunk.counts)
        _demand(bool(counts[0] == counts[1]), f"{name}: interpreted and compiled counts are the same")
