"""OpenSpiel adapter: any game for its algorithms, such as search, counterfactual regret and exploitability.

    game = playmill.adapters.openspiel.load("examples/kuhn")
    pyspiel.load_game("playmill_kuhn")  # the same, once it is registered

Chance is explicit: see `game_tree.py`. What a player knows is all they have seen and done: perfect recall, as a text
and, in games that declare how long they are (`LONGEST`), as a tensor with room for every moment.
"""

from __future__ import annotations

import dis
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from playmill.adapters.episodes import neighbour
from playmill.adapters.explicit_chance import chance_source
from playmill.adapters.game_tree import CHANCE, DRAWS, MOST_OUTCOMES, OVER, Tree, TreeNode, chance_of
from playmill.engine.check.decisions import ENDLESS
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, as_game, reference_of
from playmill.engine.lang.rule import python_function
from playmill.texts import PlaymillError

_spiel: Any = neighbour("pyspiel", "openspiel")
#: What a function is made of that does nothing.
_NOTHING = frozenset({"RESUME", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "NOP"})
#: The classes of games by the names that OpenSpiel knows them by.
_registered: dict[str, Any] = {}


def load(
    game: Game | str,
    *,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    chance: str | None = None,
    samples: int = 1000,
    recall: int = 0,
) -> Any:
    """A game of OpenSpiel; its chance is by `draws` or by `samples` (see `game_tree.py`).

    The information state tensor has room for every moment of a game that declares `LONGEST`; with `recall`, for the
    last ones of any game, so that what is older is forgotten.
    """
    found = as_game(game)
    chosen = as_config(found, config)
    given: dict[str, Any] = {
        "players": players if players is not None else found.players[0],
        "chance": chance_of(found, chance),
        "samples": samples,
        "recall": recall,
    }
    if chosen != found.config():
        given["config"] = quote(json.dumps(chosen.model_dump(mode="json"), separators=(",", ":")), safe="")
    return _spiel.load_game(register(found), given)


def register(game: Game | str) -> str:
    """Makes a game known to OpenSpiel; returns the name it has there."""
    found = as_game(game)
    name = f"playmill_{found.name}"
    if name not in _registered:
        _registered[name] = made = _class_of(found, name)
        _spiel.register_game(made.TYPE, made)
    elif _registered[name].GAME is not found:
        raise PlaymillError(
            f"OpenSpiel knows another game as {name}, and forgets none: begin a new process",
            f"OpenSpiel уже знает под именем {name} другую игру и ничего не забывает: начните новый процесс",
        )
    return name


def _type_of(game: Game, name: str, config: RuleConfig, players: int, recall: int = 0) -> Any:
    """The game type, in OpenSpiel's terms."""
    kinds, together = _spiel.GameType, game.stakes(config, players).together
    utility = kinds.Utility.GENERAL_SUM
    if together is not None:
        utility = kinds.Utility.ZERO_SUM if together == 0 else kinds.Utility.CONSTANT_SUM
    has_chance, secret = chance_source(game) != "none", _hides(game)
    return kinds(
        short_name=name,
        long_name=game.title.en,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if secret else kinds.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=bool(recall) or game.longest is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.players[0], "config": "", "chance": "", "samples": 1000, "recall": 0},
    )


def _hides(game: Game) -> bool:
    """Whether anything is hidden: whether `conceal` does anything."""
    code = python_function(game.rules["conceal"]).__code__
    return any(step.opname not in _NOTHING for step in dis.get_instructions(code))


def _class_of(game: Game, name: str) -> Any:
    """The class of a game of OpenSpiel."""
    usual = game.players[0]

    class SpielGame(_spiel.Game):
        """The game, as OpenSpiel knows it."""

        GAME = game
        TYPE = _type_of(game, name, game.config(), usual)

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            given = dict(params or {})
            text = unquote(given.get("config", ""))
            config = as_config(game, json.loads(text) if text else None)
            self.tree = tree = Tree(
                game,
                players=given.get("players", usual),
                config=config,
                chance=given.get("chance") or None,
                samples=given.get("samples", 1000),
            )
            stakes, recall = game.stakes(config, tree.players), given.get("recall", 0)
            #: Moments that an information state tensor has room for; 0: there is none.
            self.moments = recall or (0 if tree.longest is None else tree.longest + 1)
            info = _spiel.GameInfo(
                num_distinct_actions=game.actions,
                max_chance_outcomes=_most_outcomes(tree),
                num_players=tree.players,
                min_utility=stakes.least,
                max_utility=stakes.most,
                utility_sum=stakes.together,
                max_game_length=ENDLESS if tree.longest is None else tree.longest,
            )
            super().__init__(_type_of(game, name, config, tree.players, recall), info, given)

        def new_initial_state(self) -> SpielState:
            """The beginning: the first draw, or the first decision."""
            return SpielState(self, self.tree.root)

        def __reduce__(self) -> Any:
            return _loaded, (reference_of(game), self.get_parameters())

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
            """What looks at positions for a player; None of what OpenSpiel may ask and a game does not tell apart."""
            kind = iig_obs_type or _spiel.IIGObservationType(perfect_recall=False)
            whole = kind.public_info and kind.private_info == _spiel.PrivateInfoType.SINGLE_PLAYER
            return Observer(game, kind, self.moments) if whole else None

    return SpielGame


def _loaded(game: str, given: dict[str, Any]) -> Any:
    return _spiel.load_game(register(game), given)


def _most_outcomes(tree: Tree) -> int:
    if chance_source(tree.game) == "none":
        return 0
    return tree.samples if tree.chance != DRAWS else MOST_OUTCOMES if tree.outcomes is None else tree.outcomes


class SpielState(_spiel.State):
    """A position, as OpenSpiel knows it."""

    def __init__(self, game: Any, position: TreeNode) -> None:
        """Made by `new_initial_state` alone."""
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        """Who decides."""
        player = self.position.player
        if player == CHANCE:
            return int(_spiel.PlayerId.CHANCE)
        return int(_spiel.PlayerId.TERMINAL) if player == OVER else player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.actions) if player == self.position.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a draw, with their probabilities."""
        return list(zip(self.position.actions, self.position.chances, strict=True))

    def _apply_action(self, action: int) -> None:
        self.position = self.position.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        tree = self.position.tree
        if player < 0:
            return f"draw {action}"
        text: str = tree.game.words.to_text(tree.config, action)
        return text

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.player == OVER

    def returns(self) -> list[float]:
        """What the game has brought each player."""
        return self.position.returns()

    def __str__(self) -> str:
        return self.position.text()


class Observer:
    """What a player sees now, as numbers and as a text; with perfect recall, all they have ever seen and done."""

    def __init__(self, game: Game, kind: Any, moments: int = 0) -> None:
        self._recalls, self._moments = kind.perfect_recall, moments
        recalls = self._recalls and moments > 0
        shape = (moments, game.observation + 2) if recalls else (game.observation,)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"moments" if recalls else "observation": self.tensor.reshape(shape)}

    def set_from(self, state: Any, player: int) -> None:
        """Looks at a state for a player."""
        if self._recalls and self._moments:
            self.tensor[:] = state.position.recalled(player, self._moments).ravel()
        else:
            self.tensor[:] = state.position.seen(player)

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees of a state, as a text."""
        if self._recalls:
            return f"{player} {state.position.known(player)}"
        return " ".join(map(str, state.position.seen(player).tolist()))
