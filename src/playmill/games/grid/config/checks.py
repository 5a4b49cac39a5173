"""Checks of the config of Grid: which of its numbers and names must agree with which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from playmill.author import ConfigError
from playmill.games.grid.config.identifiers import (
    BINDINGS,
    COLOR_RULES,
    RANK_RULES,
    REWARD_IDS,
    SHAPE_CARDS,
)
from playmill.games.grid.config.lists import Pattern, Reward
from playmill.games.grid.config.parts import Deck, Draft, Enums, Grid, Players
from playmill.games.grid.constants import SIDE


def check_players(players: Players) -> None:
    if players.min_players > players.max_players:
        raise ConfigError(
            "game.players.min_players",
            f"{players.min_players}, but game.players.max_players is {players.max_players}; expected at most that",
            f"{players.min_players}, а game.players.max_players равно {players.max_players}; ожидается: не больше",
        )
    neighbour = "left" if players.turn_direction == "clockwise" else "right"
    if players.next_player_definition != neighbour:
        mine, way = players.next_player_definition, players.turn_direction
        raise ConfigError(
            "game.players.next_player_definition",
            f"{mine!r}, but game.players.turn_direction is {way!r}; expected {neighbour!r}",
            f"{mine!r}, а game.players.turn_direction равно {way!r}; ожидается: {neighbour!r}",
        )


def check_deck(deck: Deck) -> None:
    for name in ("ranks", "colors", "shapes"):
        _check_distinct(f"game.deck.{name}", getattr(deck, name))
    lengths = len(deck.ranks), len(deck.colors), len(deck.shapes)
    cards = lengths[0] * lengths[1] * lengths[2]
    if deck.total_cards != cards:
        product = "{}·{}·{}".format(*lengths)
        raise ConfigError(
            "game.deck.total_cards",
            f"{deck.total_cards}, but game.deck.ranks, colors and shapes make {product} = {cards}; expected {cards}",
            f"{deck.total_cards}, а game.deck.ranks, colors и shapes дают {product} = {cards}; ожидается: {cards}",
        )


def check_grid(grid: Grid) -> None:
    size = grid.protected_zone.size
    least = min(grid.width, grid.height)
    if size % 2 == 0 or size > least:
        what = ("even", "чётное") if size % 2 == 0 else ("larger than the board", "больше поля")
        board = f"{grid.width}×{grid.height} (game.grid.width, game.grid.height)"
        sizes = ", ".join(map(str, range(1, least + 1, 2)))
        raise ConfigError(
            "game.grid.protected_zone.size",
            f"{size} is {what[0]}; expected one of {sizes} on a board of {board}",
            f"{size} — {what[1]}; ожидается одно из {sizes} на поле {board}",
        )
    for name, side in (("width", grid.width), ("height", grid.height)):
        if (side - size) % 2:
            sides = ", ".join(map(str, range(max(3, size), SIDE + 1, 2)))
            zone = f"game.grid.protected_zone.size = {size}"
            raise ConfigError(
                f"game.grid.{name}",
                f"{side} leaves no centre for the protected zone ({zone}); expected one of {sides}",
                f"при {side} у защищённой зоны нет центра ({zone}); ожидается одно из {sides}",
            )


def check_draft(draft: Draft, cards: int) -> None:
    total = draft.pick_self + draft.pass_next_player + draft.discard
    if draft.reveal != total:
        parts = "game.draft.pick_self + pass_next_player + discard"
        terms = f"{draft.pick_self} + {draft.pass_next_player} + {draft.discard} = {total}"
        raise ConfigError(
            "game.draft.reveal",
            f"{draft.reveal}, but {parts} make {terms}; expected {total}",
            f"{draft.reveal}, а {parts} дают {terms}; ожидается: {total}",
        )
    if cards < draft.reveal:
        raise ConfigError(
            "game.deck.total_cards",
            f"{cards}, but game.draft.reveal is {draft.reveal}; expected at least that many cards",
            f"{cards}, а game.draft.reveal равно {draft.reveal}; ожидается: не меньше",
        )


def known_names() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The lists of `enums`, each with all it must hold."""
    for name, field in Enums.model_fields.items():
        yield name, get_args(get_args(field.annotation)[0])


def check_enums(enums: Enums) -> None:
    for name, known in known_names():
        path, mine = f"enums.{name}", getattr(enums, name)
        _check_distinct(path, mine)
        _check_complete(path, mine, known)


def check_patterns(patterns: Sequence[Pattern]) -> None:
    _check_distinct("patterns", [pattern.id for pattern in patterns], ".id")
    for place, pattern in enumerate(patterns):
        path = f"patterns.{place}"
        cards = SHAPE_CARDS[pattern.shape]
        shape = f"{path}.shape"
        if pattern.size_cards != cards:
            raise ConfigError(
                f"{path}.size_cards",
                f"{pattern.size_cards}, but {shape} is {pattern.shape!r}; expected {cards}",
                f"{pattern.size_cards}, а {shape} равно {pattern.shape!r}; ожидается: {cards}",
            )
        word = "_square_" if cards == 9 else "_line_"
        for name, rules in (("rank_rule", RANK_RULES), ("color_rule", COLOR_RULES)):
            rule = getattr(pattern, name)
            if word not in rule:
                fitting = ", ".join(repr(known) for known in rules if word in known)
                raise ConfigError(
                    f"{path}.{name}",
                    f"{rule!r}, but {shape} is {pattern.shape!r}; expected one of {fitting}",
                    f"{rule!r}, а {shape} равно {pattern.shape!r}; ожидается одно из {fitting}",
                )


def check_rewards(rewards: Sequence[Reward]) -> None:
    _check_distinct("rewards", [reward.id for reward in rewards], ".id")
    _check_complete("rewards", [reward.id for reward in rewards], REWARD_IDS)
    for place, reward in enumerate(rewards):
        for name, wanted in BINDINGS[reward.id]._asdict().items():
            mine = json.dumps(getattr(reward, name))
            fixed = json.dumps(wanted)
            if mine != fixed:
                raise ConfigError(
                    f"rewards.{place}.{name}",
                    f"{mine}, but what {reward.id} does cannot be changed; expected {fixed}",
                    f"{mine}, но действие {reward.id} менять нельзя; ожидается: {fixed}",
                )


def _check_distinct(path: str, values: Sequence[object], key: str = "") -> None:
    for place, value in enumerate(values):
        if value in values[:place]:
            first = f"{path}.{values.index(value)}{key}"
            raise ConfigError(
                f"{path}.{place}{key}",
                f"{value!r} is {first} already; expected each once",
                f"{value!r} уже есть: {first}; ожидается: каждое по разу",
            )


def _check_complete(path: str, mine: Iterable[object], known: Sequence[object]) -> None:
    missing = [repr(name) for name in known if name not in set(mine)]
    if missing:
        names = ", ".join(map(repr, known))
        raise ConfigError(
            path,
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing; expected each of {names}",
            f"нет {', '.join(missing)}; ожидается каждое из {names}",
        )
