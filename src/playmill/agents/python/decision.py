"""`Decision`: what an agent written in Python is asked, with what its player may see and nothing else.

It is made from a copy of the game that went through `conceal`, always with the same seed. What that leaves depends on
what the player may know alone: of two games they cannot tell apart it makes the same bytes. So everything an agent can
ask of a decision may be computed when it is asked for, without the true game being within its reach.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.contract.modules import WordsModule
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import GameRng
from playmill.engine.run.match import Match
from playmill.engine.run.stepper import StepLayout, Steps, field_offset, seen_at, step_layout, steps_of
from playmill.texts import Text


@dataclass(frozen=True, slots=True, eq=False)
class SeatTerms:
    """What all decisions of a seat share, with a copy of the config that is the agent's own."""

    game: str
    words: WordsModule
    kernels: Any
    interpreted: bool
    config: RuleConfig
    players: int
    state: np.dtype[np.void]
    plan: StepLayout
    blank: bytes  # memory of a stepper with the config and no game
    place: int  # of the game there, in bytes
    #: Actions of a list that answered several decisions at once: by the game, and the decisions of the seat before it.
    ahead: dict[tuple[int, int], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """One thing the player may do: its id, its words, its fields."""

    action: int
    _terms: SeatTerms = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """The short text form, the same in every language."""
        text: str = self._terms.words.to_text(self._terms.config, self.action)
        return text

    @property
    def words(self) -> Text:
        """The option in words, in both languages."""
        words: Text = self._terms.words.describe(self._terms.config, self.action)
        return words

    @property
    def fields(self) -> dict[str, Any]:
        """The option taken apart, for programs."""
        fields: dict[str, Any] = self._terms.words.fields(self._terms.config, self.action)
        return fields


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What an agent is asked: the kind of decision, who decides, the options, and what that player may see."""

    number: int
    player: int
    kind: str
    actions: tuple[int, ...]
    _terms: SeatTerms = field(repr=False)
    _known: bytes = field(repr=False)  # the game as the player may know it
    _chance: bytes = field(repr=False)
    _asked: int = field(repr=False)  # how many questions were put to the seat before, in this game
    _made: dict[str, Any] = field(repr=False, default_factory=dict)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._terms.game

    @property
    def config(self) -> RuleConfig:
        """The numbers of the rules in force: a copy that is the agent's own."""
        return self._terms.config

    @property
    def players(self) -> int:
        """How many play."""
        return self._terms.players

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, in the order of their ids."""
        if "options" not in self._made:
            self._made["options"] = tuple(Option(action, self._terms) for action in self.actions)
        options: tuple[Option, ...] = self._made["options"]
        return options

    @property
    def seen(self) -> dict[str, Any]:
        """What the player may see, in words and numbers."""
        if "seen" not in self._made:
            self._made["seen"] = self._terms.words.seen(self._terms.config, self._record, self.player, "en")
        seen: dict[str, Any] = self._made["seen"]
        return seen

    @property
    def observation(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """What the player may see, as one vector of numbers."""
        if "observation" not in self._made:
            terms, known = self._terms, self._known
            end = terms.place + len(known)
            table = bytearray(terms.blank[: terms.place] + known + terms.blank[end:])
            self._made["observation"] = seen_at(
                terms.kernels, terms.plan, table, self.player, interpreted=terms.interpreted
            )
        observation: np.ndarray[Any, np.dtype[np.int32]] = self._made["observation"]
        return observation

    @property
    def random(self) -> random.Random:
        """A source of chance for the agent that makes its play repeatable."""
        if "random" not in self._made:
            self._made["random"] = random.Random(int.from_bytes(self._chance))
        chance: random.Random = self._made["random"]
        return chance

    @property
    def _record(self) -> np.void:
        """The game as the player may know it, for the methods a game asks agents by; it cannot be written to."""
        record: np.void = np.frombuffer(self._known, self._terms.state)[0]
        return record


class DecisionMaker:
    """Makes the decisions for one seat of a match."""

    def __init__(self, game: Game, config: RuleConfig, *, players: int, seed: int, interpreted: bool = False) -> None:
        self._seed = seed
        self._kind = game.words.decision_kind
        own = config.model_copy(deep=True)
        nobody = (-1,) * players
        self._steps = Steps(Match(game, own, players, 0, nobody, (0,) * players, ()), interpreted=interpreted)
        memory = self._steps.workspace.view(np.uint8)
        memory &= _used(self._steps.workspace.dtype)
        place = field_offset(self._steps.workspace.dtype, "states") + LIVE * game.state.itemsize
        self._game = slice(place, place + game.state.itemsize)
        self._live = memory[self._game]
        self._used = _used(game.state)
        conceal_rng = field_offset(self._steps.workspace.dtype, "conceal_rng")
        self._conceal_rng = memory[conceal_rng : conceal_rng + GameRng.itemsize]
        self._terms = SeatTerms(
            game=game.name,
            words=game.words,
            kernels=steps_of(game, interpreted=interpreted),
            interpreted=self._steps.interpreted,
            config=own,
            players=players,
            state=game.state,
            plan=step_layout(game),
            blank=self._steps.memory(),
            place=place,
        )

    def ask(self, workspace: RecordArray, actions: list[int], *, number: int, asked: int) -> Decision:
        """The decision in a workspace: its options, game `number`, after `asked` decisions of this seat in it."""
        player = int(workspace["states"][0, LIVE]["player"])
        self._live[:] = workspace.view(np.uint8)[self._game]
        self._conceal_rng[:] = 0
        self._steps.hide(player)
        known = (self._live & self._used).tobytes()
        kind: str = self._kind(np.frombuffer(known, self._terms.state)[0])
        return Decision(
            number=number,
            player=player,
            kind=kind,
            actions=tuple(actions),
            _terms=self._terms,
            _known=known,
            _chance=chance(self._seed, number, player, asked),
            _asked=asked,
        )


def _used(dtype: np.dtype[Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A mask of the bytes that a record's fields lie in: what is between them is whatever was in memory before."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.tile(_used(base), int(np.prod(shape)))
    mask = np.full(dtype.itemsize, 255 if dtype.names is None else 0, np.uint8)
    for name in dtype.names or ():
        start = field_offset(dtype, name)
        mask[start : start + dtype[name].itemsize] = _used(dtype[name])
    return mask


def chance(seed: int, number: int, player: int, asked: int) -> bytes:
    """The seed of a decision's `random`.

    It depends on how often the seat itself was asked: how often others were could tell how much choice they had.
    """
    text = f"{seed},{number},{player},{asked}"
    return hashlib.blake2b(text.encode(), digest_size=16, person=b"playmill agents").digest()
