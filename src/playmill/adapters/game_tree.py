"""Game tree: immutable nodes at which a player decides or chance does, each made from the one before.

Nodes never change, so they are shared and cached. Chance is explicit, in one of two ways. By `draws` each draw of the
rules is a node of its own, exact, with every outcome (see `explicit_chance.py`). By `samples` an action that draws is
followed by one node with n equally likely outcomes, each a seed for all that is drawn there: it serves games that draw
in ways of their own, and those with more draws than anybody wants to enumerate.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from playmill.adapters.explicit_chance import DrawError, FixedDraws, asking, chance_source
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, as_game, reference_of
from playmill.engine.contract.observed_range import End, number
from playmill.engine.lang.record import plain, to_text
from playmill.engine.lang.rng import GameRng, seed_game_rng
from playmill.engine.lang.rule import Interpreter
from playmill.engine.run.stepper import Seen
from playmill.texts import PlaymillError

Recall = np.ndarray[Any, np.dtype[np.float32]]
#: Who decides, if it is no player.
CHANCE, OVER = -1, -4
DRAWS, SAMPLES = "draws", "samples"
#: In place of an action: dealing the game.
_SETUP = -1
#: Most outcomes of one draw.
MOST_OUTCOMES = 4096
#: Positions remembered at most, so that a tree visited again is not played again.
_REMEMBERED = 100_000


class TreeNode:
    """A node in the tree of a game."""

    __slots__ = (
        "_after",
        "_children",
        "_from",
        "_known",
        "actions",
        "before",
        "chances",
        "decided",
        "depth",
        "player",
        "record",
        "tree",
    )

    def __init__(
        self, tree: Tree, record: bytes, player: int, *, before: TreeNode | None, decided: tuple[int, int] | None
    ) -> None:
        self.tree = tree
        #: The state of the game; at a chance node, the one before the draw.
        self.record = record
        #: Who decides here: a player, CHANCE, or nobody: OVER.
        self.player = player
        #: What can be decided, ascending; at a chance node the numbers of its outcomes.
        self.actions: tuple[int, ...] = ()
        #: The probability of each outcome of a chance node.
        self.chances: tuple[float, ...] = ()
        #: The last position at which a player decided, and by whom what was decided there.
        self.before, self.decided = before, decided
        #: How many decisions of players have led here.
        self.depth: int = 0 if before is None else before.depth + 1
        self._after: tuple[int, tuple[int, ...], int] = (_SETUP, (), 0)
        self._children: dict[int, TreeNode] = {}
        self._known: dict[int, str] = {}
        #: The position this one was made from, and by which action or outcome.
        self._from: tuple[TreeNode, int] | None = None

    def __deepcopy__(self, memo: Any) -> TreeNode:
        return self

    def __reduce__(self) -> Any:
        return _found, (*self.tree.key(), self._history())

    def _history(self) -> tuple[int, ...]:
        """Actions and outcomes from the root."""
        history = []
        position = self
        while position._from is not None:
            position, action = position._from
            history.append(action)
        return tuple(reversed(history))

    def child(self, action: int) -> TreeNode:
        """The node after an action or an outcome."""
        found = self._children.get(action)
        if found is None:
            found = self.tree.after(self, action)
            found._from = (self, action)
            if self.tree.remembered < _REMEMBERED:
                self.tree.remembered += 1
                self._children[action] = found
        return found

    def returns(self) -> list[float]:
        """What the game has brought each player."""
        return self.tree.returns(self.record) if self.player == OVER else [0.0] * self.tree.players

    def seen(self, player: int) -> Seen:
        """What a player sees; at a chance node what they last saw."""
        if self.player == CHANCE:
            return self.before.seen(player) if self.before else np.zeros(self.tree.game.observation, np.int32)
        return self.tree.seen(self.record, player)

    def text(self) -> str:
        """The state in its short form, and at a chance node the action and the draws so far."""
        text = to_text(np.frombuffer(self.record, self.tree.game.state)[0])
        return f"{text} {self._after[:2]}" if self.player == CHANCE else text

    def recalled(self, player: int, moments: int) -> Recall:
        """The same as numbers, a row for each moment at which somebody decided, from the first on, and for this one.

        A row has what the player saw then, where that or what they did is new, and 1 + what they did (0: nothing);
        rows that are not needed are 0. Of more moments than there is room for the last ones are left.
        """
        size = self.tree.game.observation
        rows: Recall = np.zeros((moments, size + 2), np.float32)
        found: list[tuple[Seen, int]] = []
        for position, (decider, action) in self._path():
            seen, did = position.seen(player), action + 1 if decider == player else 0
            if did or not found or not np.array_equal(found[-1][0], seen):
                found.append((seen, did))
        for row, (seen, did) in zip(rows, found[-moments:], strict=False):
            row[:size], row[size], row[size + 1] = seen, did, 1
        return rows

    def known(self, player: int) -> str:
        """Information state: all that a player has seen and done, as a text; the same where they cannot tell apart."""
        if player not in self._known:
            self._known[player] = self._all_known(player)
        return self._known[player]

    def _all_known(self, player: int) -> str:
        text: list[str] = []
        last = np.zeros(self.tree.game.observation, np.int32)
        for position, (decider, action) in self._path():
            seen = position.seen(player)
            changed = np.flatnonzero(seen != last).tolist()
            if changed:
                text.append(" ".join(f"{place}:{seen[place]}" for place in changed))
                last = seen
            if decider == player:
                text.append(f"!{action}")
        return "; ".join(text)

    def _path(self) -> Iterator[tuple[TreeNode, tuple[int, int]]]:
        """Every position at which a player has decided, from the first on, who and what; and at last this one."""
        path = [(self, (OVER, 0))] if self.player != CHANCE else []
        position = self
        while position.before is not None and position.decided is not None:
            path.append((position.before, position.decided))
            position = position.before
        return reversed(path)


class Tree:
    """The tree of a game with a config and n players."""

    def __init__(
        self,
        game: Game | str,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        chance: str | None = None,
        samples: int = 1000,
    ) -> None:
        """`chance` is by `draws` or by `samples`; by itself by draws, if those of the rules can be asked for."""
        self.game = game = as_game(game)
        self.players = players if players is not None else game.players[0]
        game.check_players(self.players)
        self.config = as_config(game, config)
        self.chance, self.samples = chance_of(game, chance), samples
        declared = (None if given is None else number(self.config, self.players, given) for given in _declared(game))
        #: The most decisions of a game, and the most outcomes of one draw, as it declares them.
        self.longest, self.outcomes = declared
        self.remembered = 0
        if not 1 <= samples <= MOST_OUTCOMES:
            raise PlaymillError(
                f"{samples} samples: expected 1 … {MOST_OUTCOMES}", f"выборок {samples}; нужно 1 … {MOST_OUTCOMES}"
            )
        self._run = asking if self.chance == DRAWS else Interpreter()
        self._rules = {name: self._run.twin(rule) for name, rule in game.rules.items()}
        self._seed_game_rng = Interpreter().twin(seed_game_rng)
        self._state: Any = np.zeros(1, game.state)
        legal = np.zeros(1, game.options)
        self._s, self._cfg, self._legal = (
            plain(array)[0] for array in (self._state, self.config.pack(self.players), legal)
        )
        self.root = self._arrive(np.zeros(1, game.state).tobytes(), _SETUP, (), before=None, decided=None, nodes=0)

    def key(self) -> tuple[str, int, str, str, int]:
        """Arguments that make the same tree elsewhere."""
        config = json.dumps(self.config.model_dump(mode="json"))
        return reference_of(self.game), self.players, config, self.chance, self.samples

    def after(self, position: TreeNode, action: int) -> TreeNode:
        """The node after an action, or after an outcome of a chance node."""
        if position.player == CHANCE:
            begun, answers, nodes = position._after
            more = (*answers, action)
            before, decided = position.before, position.decided
            return self._arrive(position.record, begun, more, before=before, decided=decided, nodes=nodes)
        nodes = position._after[2]
        decided = (position.player, action)
        return self._arrive(position.record, action, (), before=position, decided=decided, nodes=nodes)

    def _arrive(
        self,
        record: bytes,
        action: int,
        answers: tuple[int, ...],
        *,
        before: TreeNode | None,
        decided: tuple[int, int] | None,
        nodes: int,
    ) -> TreeNode:
        """Runs an action with given draws, and all that follows by itself, up to a decision or an unknown draw."""
        while True:
            try:
                self._do(record, action, answers, nodes)
            except DrawError as draw:
                if len(draw.chances) > MOST_OUTCOMES:
                    raise self._too_many(len(draw.chances)) from None
                if self.chance == DRAWS and self.outcomes is not None and len(draw.chances) > self.outcomes:
                    raise self._undeclared("OUTCOMES", len(draw.chances), self.outcomes) from None
                waiting = TreeNode(self, record, CHANCE, before=before, decided=decided)
                waiting.chances, waiting.actions = draw.chances, tuple(range(len(draw.chances)))
                waiting._after = (action, answers, nodes)
                return waiting
            nodes += bool(answers)
            record, player = self._state.tobytes(), int(self._s.player)
            options = self._rules["legal_actions"](self._cfg, self._s, self._legal)
            if options == 0 and player >= 0:
                raise self._stuck(player)
            if options != 1:
                break
            action, answers = self._legal.ids[0], ()
        found = TreeNode(self, record, player if options else OVER, before=before, decided=decided)
        found.actions, found._after = tuple(self._legal.ids[:options]), (_SETUP, (), nodes)
        if self.longest is not None and found.depth + (options > 0) > self.longest:
            raise self._undeclared("LONGEST", found.depth + 1, self.longest)
        return found

    def _do(self, record: bytes, action: int, answers: tuple[int, ...], nodes: int) -> None:
        """Deals, or does an action, in a state; the first draw that is not given raises."""
        self._put(record)
        rng: Any = FixedDraws(answers)
        if self.chance == SAMPLES:
            streams = np.zeros(1, GameRng)
            rng = plain(streams)[0]
            self._seed_game_rng(rng, answers[0] if answers else 0, nodes)
            begun = streams["stream"].copy()
        if action == _SETUP:
            self._rules["setup"](self._cfg, self._s, rng)
        else:
            self._rules["apply_action"](self._cfg, self._s, action, rng)
        if self.chance == SAMPLES and not answers and not np.array_equal(streams["stream"], begun):
            raise DrawError([1 / self.samples] * self.samples)

    def _put(self, record: bytes) -> None:
        self._state[:] = np.frombuffer(record, self.game.state)

    def seen(self, record: bytes, player: int) -> Seen:
        """What a player sees of a state."""
        self._put(record)
        seen: Seen = np.zeros(max(self.game.observation, 1), np.int32)
        self._rules["observe"](self._cfg, self._s, player, plain(seen))
        return seen[: self.game.observation]

    def returns(self, record: bytes) -> list[float]:
        """What a game that is over has brought each player."""
        self._put(record)
        paid = np.zeros(max(self.players, self.game.players[1]))
        self._rules["returns"](self._cfg, self._s, plain(paid))
        return [float(one) for one in paid[: self.players]]

    def _stuck(self, player: int) -> PlaymillError:
        return PlaymillError(
            f"{self.game.name}: seat {player + 1} is to move and has no options, and the game is not over",
            f"{self.game.name}: ходит место {player + 1}, вариантов у него нет, а партия не окончена",
        )

    def _undeclared(self, name: str, found: int, declared: int) -> PlaymillError:
        return PlaymillError(
            f"{self.game.name}: {name} of invariants.py is {declared}, and there are {found}; correct it",
            f"{self.game.name}: {name} в invariants.py равно {declared}, а их {found}; исправьте",
        )

    def _too_many(self, outcomes: int) -> PlaymillError:
        return PlaymillError(
            f"{self.game.name}: a draw has {outcomes} outcomes, at most {MOST_OUTCOMES} can be listed;"
            " chance='samples' takes some of them",
            f"{self.game.name}: у случая {outcomes} исходов, перечислить можно до {MOST_OUTCOMES};"
            " chance='samples' возьмёт часть из них",
        )


def _declared(game: Game) -> tuple[End | None, End | None]:
    return game.longest, game.outcomes


@lru_cache(8)
def _tree(game: str, players: int, config: str, chance: str, samples: int) -> Tree:
    return Tree(game, players=players, config=json.loads(config), chance=chance, samples=samples)


def _found(game: str, players: int, config: str, chance: str, samples: int, history: tuple[int, ...]) -> TreeNode:
    """A node by the path that leads there."""
    position = _tree(game, players, config, chance, samples).root
    for action in history:
        position = position.child(action)
    return position


def chance_of(game: Game, chance: str | None = None) -> str:
    """How the chance of a game is made explicit: as wished, if it can be."""
    kind = chance_source(game)
    if chance not in (None, "", DRAWS, SAMPLES):
        raise PlaymillError(
            f"chance is {chance!r}; expected 'draws' or 'samples'",
            f"chance равно {chance!r}; нужно 'draws' или 'samples'",
        )
    if chance == DRAWS and kind == "words":
        raise PlaymillError(
            f"{game.name} reads the words of its luck itself, so its draws cannot be listed; chance='samples' can",
            f"{game.name} сама читает слова случая, перечислить исходы нельзя; остаётся chance='samples'",
        )
    return chance or (SAMPLES if kind == "words" else DRAWS)
