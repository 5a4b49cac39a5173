"""Kinds of actions, by which options are counted and banned in an audit."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.run.match import Whole
from playmill.engine.run.rollouts import NONE, TAGS, Tags
from playmill.texts import PlaymillError, Text, as_text


@dataclass(frozen=True)
class ActionKinds:
    """The kinds of a game's actions: their ids and names, and which kinds each action has."""

    ids: tuple[str, ...]
    names: tuple[Text, ...]
    tags: Tags

    def having(self, kind: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Returns which actions are of a kind."""
        found: np.ndarray[tuple[int], np.dtype[np.bool_]] = (self.tags.of == kind).any(axis=1)
        return found


def kinds_of(game: Game, config: RuleConfig) -> ActionKinds:
    """Returns the kinds of a game's actions: from its audit module, or by the field `act` of its words.

    `audit.kinds(config, action)` are the ids of an action, and `audit.kind_name(config, id)` the name of each. Without
    them a kind of one action has the words of that action, any other its id.
    """
    own = game.audit.kinds
    found: dict[int, tuple[str, ...]] = {}
    members: dict[str, list[int]] = defaultdict(list)
    for action in range(game.actions):
        try:
            found[action] = own(config, action) if own else (_act(game, config, action),)
        except PlaymillError:  # a number that stands for nothing under this config
            continue
        for kind in found[action][:TAGS]:
            members[kind].append(action)
    places = {kind: place for place, kind in enumerate(members)}
    tags: Whole = np.full((game.actions, TAGS), NONE)
    for action, kinds in found.items():
        for place, kind in enumerate(kinds[:TAGS]):
            tags[action, place] = places[kind]
    names = tuple(_name(game, config, kind, actions) for kind, actions in members.items())
    return ActionKinds(tuple(members), names, Tags(tags, len(members)))


def _act(game: Game, config: RuleConfig, action: int) -> str:
    """Returns the kind of an action: the field `act` of its words, or the first word of its short form."""
    act = game.words.fields(config, action).get("act")
    return act if isinstance(act, str) else str(game.words.to_text(config, action)).split(maxsplit=1)[0]


def _name(game: Game, config: RuleConfig, kind: str, actions: list[int]) -> Text:
    if (named := game.audit.kind_name) is not None:
        return as_text(named(config, kind))
    if len(actions) == 1:
        described: Text = game.words.describe(config, actions[0])
        return described
    plain = kind.replace("_", " ")
    return Text(plain, plain)
