"""Adapter for Python agents of Grid: six `choose_*` methods, called with readable objects.

An agent is any object (or file) with methods of these names; `Adapter` puts them to it one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playmill.author import PlaymillError, Text
from playmill.games.grid.actions import (
    ACCEPT,
    FROM_DISCARD,
    MATCH,
    NO_MATCH,
    PASS,
    PICK,
    PLACE,
    PUT_OTHER,
    PUT_SELF,
    REFUSE,
    TAKE_OTHER,
    TAKE_SELF,
    TARGET,
)
from playmill.games.grid.config import Config, card_fields, windows_of
from playmill.games.grid.constants import (
    APPLY,
    DRAFT_PASS,
    DRAFT_PICK,
    JOKER,
    OPPONENT,
    OPPONENT_CARD,
    OPPONENT_EMPTY,
    PATTERNS,
    PLACEMENT,
    RESOLVE,
    SELF_CARD,
    SELF_EMPTY,
)

METHODS = (
    "choose_placement_cell",
    "choose_draft_pick",
    "choose_draft_pass",
    "choose_pattern_to_resolve",
    "choose_apply_reward",
    "choose_reward_params",
)

Coord = tuple[int, int]


@dataclass(frozen=True)
class Card:
    """A card; a joker has no rank, colour or shape."""

    rank: int | None
    color: int | None
    shape: int | None

    @property
    def is_joker(self) -> bool:
        """Whether it is a joker."""
        return self.rank is None


@dataclass(frozen=True)
class FoundPattern:
    """A pattern that lies on the own board: where, what it scores, what reward it gives, if any."""

    id: str
    cells: tuple[Coord, ...]
    vp: int
    reward: str | None


@dataclass(frozen=True)
class Reward:
    """A reward as the config has it."""

    id: str
    action_type: str
    target_scope: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Context:
    """What a reward is offered for, and what may be chosen at this step."""

    pattern: FoundPattern
    step: str
    options: tuple[Any, ...]


@dataclass(frozen=True)
class GridState:
    """Everything a player of Grid may see; `boards[player][y][x]` is a card or None, (0, 0) the top left cell."""

    me: int
    players: int
    width: int
    height: int
    protected: frozenset[Coord]
    boards: tuple[tuple[tuple[Card | None, ...], ...], ...]
    hands: tuple[tuple[Card, ...], ...]
    vp: tuple[int, ...]
    skipped: tuple[bool, ...]
    discard: tuple[Card, ...]  # the top is the last one
    deck_size: int
    turn: int


#: The keys of the dict that `choose_reward_params` answers with, by kind of decision.
STEPS = {
    SELF_CARD: "self_card_coord",
    SELF_EMPTY: "self_empty_cell_coord",
    OPPONENT: "opponent_id",
    OPPONENT_CARD: "opponent_card_coord",
    OPPONENT_EMPTY: "opponent_empty_cell_coord",
}
_REF = "discard_card_ref"
_CELL_STARTS = {
    PLACEMENT: PLACE,
    SELF_CARD: TAKE_SELF,
    SELF_EMPTY: PUT_SELF,
    OPPONENT_CARD: TAKE_OTHER,
    OPPONENT_EMPTY: PUT_OTHER,
}


class Adapter:
    """Asks an agent's `choose_*` methods and turns what they answer into actions."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        #: The last answer as the agent gave it; empty if it gave none.
        self.said: tuple[Any, ...] = ()
        self._params: dict[str, Any] = {}
        self._asked_for: tuple[int, int] | None = None

    def choose(self, decision: Any) -> Any:
        """The action an agent's answer stands for; an answer that stands for none is refused with the reason."""
        self.said = ()
        config, s = decision.config, decision._record
        state = read_state(config, s, decision.players)
        kind = int(s["kind"])
        if kind == PLACEMENT:
            answer = self._ask("choose_placement_cell", state, read_card(config, s["card"]))
            return PLACE + _cell(config, answer)
        if kind in (DRAFT_PICK, DRAFT_PASS):
            return self._draft(config, s, state, kind)
        if kind == RESOLVE:
            return self._resolve(config, state, decision.actions)
        pattern = _found(config, MATCH + int(s["window"]) * PATTERNS + int(s["pattern"]))
        reward = read_reward(config, int(s["reward"]))
        if kind == APPLY:
            context = Context(pattern, "apply", (False, True))
            answer = self._ask("choose_apply_reward", state, reward, context)
            if not isinstance(answer, (bool, np.bool_)):
                raise _unusable("choose_apply_reward", answer, Text("True or False", "True или False"))
            return ACCEPT if answer else REFUSE
        return self._parameter(decision, state, reward, pattern, kind)

    def _ask(self, method: str, *arguments: Any) -> Any:
        asked = getattr(self._agent, method, None)
        if not callable(asked):
            raise PlaymillError(f"the agent has no method {method}", f"у агента нет метода {method}")
        answer = asked(*arguments)
        self.said = (answer,)
        return answer

    def _draft(self, config: Config, s: np.void, state: GridState, kind: int) -> int:
        places = [place for place, card in enumerate(s["revealed"].tolist()) if card]
        cards = tuple(read_card(config, s["revealed"][place]) for place in places)
        method = "choose_draft_pick" if kind == DRAFT_PICK else "choose_draft_pass"
        chosen = _which(method, self._ask(method, state, cards), cards)
        return (PICK if kind == DRAFT_PICK else PASS) + places[chosen]

    def _resolve(self, config: Config, state: GridState, actions: Sequence[int]) -> int:
        found = tuple(_found(config, action) for action in actions if action != NO_MATCH)
        answer = self._ask("choose_pattern_to_resolve", state, found)
        if answer is None and NO_MATCH in actions:
            return NO_MATCH
        return actions[_which("choose_pattern_to_resolve", answer, found)]

    def _parameter(self, decision: Any, state: GridState, reward: Reward, pattern: FoundPattern, kind: int) -> int:
        """One dict is asked for a reward; each of its entries answers one step."""
        config, s = decision.config, decision._record
        step = STEPS.get(kind, _REF)
        this_reward = (decision.number, int(s["patterns"].sum()))
        if self._asked_for != this_reward:
            self._asked_for = this_reward
            self._params = {}
            context = Context(pattern, step, tuple(_option(config, s, action) for action in decision.actions))
            answer = self._ask("choose_reward_params", state, reward, context)
            if not isinstance(answer, dict):
                raise _unusable("choose_reward_params", answer, _dict_with(", ".join(_keys(reward))))
            self._params = dict(answer)
        self.said = (self._params,)
        if step not in self._params:
            raise _unusable("choose_reward_params", self._params, _dict_with(step))
        answer = self._params[step]
        self.said = ({step: answer},)
        if kind == OPPONENT:
            return TARGET + _index(answer)
        if kind in _CELL_STARTS:
            return _CELL_STARTS[kind] + _cell(config, answer)
        return FROM_DISCARD + _which("choose_reward_params", answer, state.discard)


def read_card(config: Config, card: int) -> Card:
    """The card of a number."""
    return Card(None, None, None) if card == JOKER else Card(**card_fields(config, int(card)))


def read_reward(config: Config, reward: int) -> Reward:
    """The reward of a number."""
    found = next(entry for entry in config.rewards if entry.id == f"RWD{reward + 1}")
    choices = tuple(str(choice) for choice in found.agent_choices)
    return Reward(found.id, found.action_type, found.target_scope, choices)


def read_state(config: Config, s: np.void, players: int) -> GridState:
    """What the player to move sees, as readable objects."""
    width, height = config.game.grid.width, config.game.grid.height
    boards = tuple(
        tuple(
            tuple(read_card(config, card) if card else None for card in s["board"][player, y * width : (y + 1) * width])
            for y in range(height)
        )
        for player in range(players)
    )
    size = config.game.grid.protected_zone.size
    left, top = (width - size) // 2, (height - size) // 2
    return GridState(
        me=int(s["active"]),
        players=players,
        width=width,
        height=height,
        protected=frozenset((x, y) for x in range(left, left + size) for y in range(top, top + size)),
        boards=boards,
        hands=tuple(
            tuple(read_card(config, card) for card in s["hand"][player, : s["hand_size"][player]])
            for player in range(players)
        ),
        vp=tuple(s["vp"][:players].tolist()),
        skipped=tuple(bool(flag) for flag in s["skip"][:players]),
        discard=tuple(read_card(config, card) for card in s["discard"][: s["discard_size"]]),
        deck_size=int(s["deck_size"]),
        turn=int(s["turns"]),
    )


def _found(config: Config, action: int) -> FoundPattern:
    """The match an action resolves."""
    window, number = divmod(action - MATCH, PATTERNS)
    pattern = config.patterns[number]
    width = config.game.grid.width
    cells = tuple((cell % width, cell // width) for cell in windows_of(config)[window][1])
    return FoundPattern(pattern.id, cells, pattern.vp, pattern.reward.id if pattern.reward else None)


def _option(config: Config, s: np.void, action: int) -> Any:
    """What an action of a reward stands for: a coordinate, an opponent, or a card of the discard pile."""
    if action >= FROM_DISCARD:
        return read_card(config, s["discard"][action - FROM_DISCARD])
    if TARGET <= action < TAKE_OTHER:
        return action - TARGET
    start = max(first for first in _CELL_STARTS.values() if first <= action)
    width = config.game.grid.width
    return (action - start) % width, (action - start) // width


def _keys(reward: Reward) -> list[str]:
    return [choice.removeprefix("choose_") for choice in reward.choices]


def _cell(config: Config, answer: Any) -> int:
    """The cell of a coordinate (x, y)."""
    width, height = config.game.grid.width, config.game.grid.height
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        x, y = answer
        if _is_whole(x) and _is_whole(y) and 0 <= x < width and 0 <= y < height:
            return int(y) * width + int(x)
    raise PlaymillError(
        f"answered {answer!r}, not a coordinate (x, y) on a board of {width}×{height}",
        f"ответ {answer!r} — не координата (x, y) на поле {width}×{height}",
    )


def _index(answer: Any) -> int:
    if _is_whole(answer) and 0 <= answer < TAKE_OTHER - TARGET:
        return int(answer)
    raise PlaymillError(f"answered {answer!r}, not the number of a player", f"ответ {answer!r} — не номер игрока")


def _which(method: str, answer: Any, things: Sequence[Any]) -> int:
    """The place of an answer among the things asked about: the thing itself, or its place counted from 0."""
    if _is_whole(answer) and 0 <= answer < len(things):
        return int(answer)
    if answer in things:
        return things.index(answer)
    n = len(things)
    wanted = Text(
        f"one of the {n} it was asked about, or its place from 0",
        f"одно из предложенного ({n}) или его место, считая с 0",
    )
    raise _unusable(method, answer, wanted)


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _dict_with(keys: str) -> Text:
    return Text(f"a dict with {keys}", f"словарь с ключами {keys}")


def _unusable(method: str, answer: Any, wanted: Text) -> PlaymillError:
    text = repr(answer)
    text = text if len(text) <= 60 else text[:57] + "…"
    return PlaymillError(
        f"{method} answered {text}; expected {wanted.en}", f"{method}: ответ {text}; ожидается: {wanted.ru}"
    )
