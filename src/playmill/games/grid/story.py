"""Positions and events of Grid told in English and Russian."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from playmill.author import Lang, Text
from playmill.games.grid.actions import (
    DRAFT_PASS,
    DRAFT_PICK,
    EXTRA_TURN,
    MOVE_OTHERS,
    MOVE_OWN,
    OPPONENT,
    OPPONENT_CARD,
    OPPONENT_EMPTY,
    PLACEMENT,
    REF,
    REMOVE_OTHERS,
    REMOVE_OWN,
    RESOLVE,
    SELF_CARD,
    SELF_EMPTY,
    SKIP_TURN,
    SPAWN_JOKER,
    STEAL,
    TAKE_ANY,
    TAKE_TOP,
    take_apart,
)
from playmill.games.grid.config import Config
from playmill.games.grid.config_names import BINDINGS, REWARD_IDS
from playmill.games.grid.names import (
    DECISION_NAMES,
    EXTRA_WORD,
    PHASE_NAMES,
    REWARD_NAMES,
    card_data,
    card_name,
    cards_word,
    cell_name,
    cells_of,
    coordinates,
    decision_kind,
    discard_of,
    hand_of,
    join,
    next_seat,
    pattern_name,
    player_name,
    players_of,
    resolved_by,
    reward_name,
    window_kind,
)
from playmill.games.grid.rules import END1, FROM_DRAFT, FROM_HAND, NOBODY, NOT_ENDED

#: What each kind of decision about a reward asks for, by the names of `agent_choices`.
CHOICES = {
    SELF_CARD: "choose_self_card_coord",
    SELF_EMPTY: "choose_self_empty_cell_coord",
    OPPONENT: "choose_opponent_id",
    OPPONENT_CARD: "choose_opponent_card_coord",
    OPPONENT_EMPTY: "choose_opponent_empty_cell_coord",
    REF: "choose_discard_card_ref",
}


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What one player may see, as JSON-able data: everything but the order of the deck.

    A card is its rank, color and shape, or "joker"; a board is a list of rows with null for a free cell. The discard
    pile's top is its last card, hands are in the order received.
    """
    over = s["player"] == NOBODY
    width, height = config.game.grid.width, config.game.grid.height

    def cards(numbers: Iterable[int]) -> list[object]:
        return [card_data(config, int(card)) for card in numbers]

    return {
        "player": player + 1,
        "turn": int(s["turns"]),
        "phase": "over" if over else "hand" if s["phase"] == FROM_HAND else "draft",
        "decision": None if over else decision_kind(s),
        "active": int(s["active"]) + 1,
        "to_move": None if over else int(s["player"]) + 1,
        "extra_turn": bool(s["extra"]),
        "deck_size": int(s["deck_size"]),
        "discard": cards(discard_of(s)),
        "revealed": cards(s["revealed"][: config.game.draft.reveal]),
        "picked": cards(s["picked"][: s["picked_size"]]),
        "card": card_data(config, int(s["card"])),
        "pattern": _pattern_data(config, s) if s["pattern_cells"] else None,
        "reward": _reward_data(config, s, lang) if s["pattern_cells"] else None,
        "players": [
            {
                "player": seat + 1,
                "vp": int(s["vp"][seat]),
                "skips_next_turn": bool(s["skip"][seat]),
                "hand": cards(hand_of(s, seat)),
                "board": [cards(s["board"][seat, y * width : (y + 1) * width]) for y in range(height)],
                "patterns": resolved_by(config, s, seat),
            }
            for seat in range(players_of(s))
        ],
        "end": None if s["end"] == NOT_ENDED else "END1" if s["end"] == END1 else "END2",
        "winner": int(s["winner"]) + 1 if over and s["winner"] >= 0 else None,
    }


def _pattern_data(config: Config, s: np.void) -> dict[str, object]:
    """The pattern being resolved and where its cards lie now."""
    kept = config.patterns[s["pattern"]]
    cells = [list(coordinates(config, cell)) for cell in cells_of(s["pattern_cells"])]
    return {"id": kept.id, "vp": kept.vp, "cells": cells}


def _reward_data(config: Config, s: np.void, lang: Lang) -> dict[str, object]:
    """The reward in question and what has been chosen for it so far."""
    reward, kind = int(s["reward"]), int(s["kind"])
    key = REWARD_IDS[reward]
    made: dict[str, object] = {"id": key, "name": REWARD_NAMES[reward].of(lang)}
    made["choices"] = list(BINDINGS[key].agent_choices)
    made["choice"] = CHOICES.get(kind)
    if kind in (OPPONENT_CARD, OPPONENT_EMPTY) or (kind == SELF_EMPTY and reward == STEAL):
        made["opponent"] = int(s["target"]) + 1
    if kind == OPPONENT_EMPTY or (kind == SELF_EMPTY and reward in (STEAL, MOVE_OWN)):
        made["source"] = list(coordinates(config, int(s["source"])))
    if kind == SELF_EMPTY and reward == TAKE_ANY:
        made["discard_ref"] = int(s["ref"]) + 1
    return made


def headline(config: Config, s: np.void) -> Text:
    """Where the game stands, in one line: the turn, the phase and who decides what; or how it ended."""
    if s["player"] == NOBODY:
        return ending(config, s)
    who, turn = player_name(s["player"]), s["turns"]
    parts = [Text(f"turn {turn}", f"ход {turn}"), PHASE_NAMES[s["phase"]], DECISION_NAMES[decision_kind(s)]]
    parts.append(Text(f"{who.en} decides", f"решает {who.ru}"))
    if s["pattern_cells"]:
        parts += [pattern_name(config, int(s["pattern"])), reward_name(int(s["reward"]))]
    parts += [EXTRA_WORD] if s["extra"] else []
    return join(parts, " · ")


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about, in order: cards named, patterns, rewards, discards, the next turn, the end."""
    told: list[Text] = []
    size = int(before["discard_size"])
    if before["kind"] == PLACEMENT:
        told.append(_it_is(config, int(before["card"])))
    elif before["kind"] in (DRAFT_PICK, DRAFT_PASS):
        drafted, discarded = _drafted(config, before, action)
        told += drafted
        size += discarded
    else:
        told += _reward_told(config, before, after, action)
        cleared = _cleared(before, after, action, config)
        if cleared:
            cards = cards_word(cleared)
            told.append(
                Text(f"the pattern is cleared: {cards.en} to the discard pile", f"паттерн очищен, в сброс {cards.ru}")
            )
        size += cleared + _discards_of_reward(before)
    stuck = [int(card) for card in after["discard"][size : after["discard_size"]]]
    if after["turns"] != before["turns"]:
        of_draft = [card for card in stuck if card in _picked(before, action)]
        told += _no_room(config, of_draft)
        told += _next_turn(config, before, after)
        stuck = [card for card in stuck if card not in of_draft]
    told += _no_room(config, stuck)
    if after["player"] == NOBODY:
        told.append(ending(config, after))
    elif after["kind"] == DRAFT_PICK and before["kind"] != DRAFT_PICK:
        cards = join(card_name(config, int(card)) for card in after["revealed"][: config.game.draft.reveal])
        told.append(Text(f"open cards: {cards.en}", f"открыты карты: {cards.ru}"))
    return told


def _it_is(config: Config, card: int) -> Text:
    name = card_name(config, card)
    return Text(f"it is {name.en}", f"это {name.ru}")


def _picked(before: np.void, action: int) -> list[int]:
    """The drafted cards not yet placed, with the one an action picks."""
    picked = [int(card) for card in before["picked"][: before["picked_size"]]]
    return [*picked, int(before["revealed"][take_apart(action).number])] if before["kind"] == DRAFT_PICK else picked


def _drafted(config: Config, before: np.void, action: int) -> tuple[list[Text], int]:
    """The card picked or passed, and what the end of the draft lays on the discard pile; and how many cards that is."""
    place, draft = take_apart(action).number, config.game.draft
    card = int(before["revealed"][place])
    told = [_it_is(config, card)]
    if before["kind"] == DRAFT_PICK:
        over = draft.pass_next_player == 0 and before["picked_size"] + 1 == draft.pick_self
    else:
        over = before["passes"] == 1
        name, who = card_name(config, card), player_name(next_seat(config, before, int(before["active"])))
        told = [Text(f"it is {name.en}; {who.en} gets it", f"это {name.ru}; карту получает {who.ru}")]
    rest = [int(other) for i, other in enumerate(before["revealed"][: draft.reveal]) if i != place and other]
    if not over or not rest:
        return told, 0
    cards = join(card_name(config, other) for other in rest)
    return [*told, Text(f"to the discard pile: {cards.en}", f"в сброс: {cards.ru}")], len(rest)


def _reward_told(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """A pattern scored, its reward refused, impossible, under way or applied."""
    me, told = int(before["active"]), []
    who = player_name(me)
    if before["kind"] == RESOLVE:
        act, _, pattern = take_apart(action)
        if act == "resolve_none":
            return []
        name, vp, total = config.patterns[pattern].id, config.patterns[pattern].vp, after["vp"][me]
        told.append(
            Text(
                f"pattern {name}: {who.en} scores {vp} VP and has {total}",
                f"паттерн {name}: {who.ru} получает {vp} ПО, всего {total}",
            )
        )
    reward = reward_name(int(after["reward"]))
    if after["refused"].sum() > before["refused"].sum():
        return [*told, Text(f"reward refused: {reward.en}", f"отказ от награды: {reward.ru}")]
    if after["impossible"].sum() > before["impossible"].sum():
        return [*told, Text(f"reward impossible: {reward.en}", f"награда невозможна: {reward.ru}")]
    if after["applied"].sum() == before["applied"].sum():
        return told + _choice_told(config, before, action)
    if after["reward"] == EXTRA_TURN:
        return [*told, Text(f"{who.en} earns an extra turn", f"{who.ru} получает дополнительный ход")]
    if after["reward"] == SKIP_TURN:
        who = player_name(next_seat(config, before, me))
        return [*told, Text(f"{who.en} will skip a turn", f"{who.ru} пропустит ход")]
    return [*told, Text(f"reward: {reward.en}", f"награда: {reward.ru}")]


def _choice_told(config: Config, before: np.void, action: int) -> list[Text]:
    """What one choice of a reward did, or which card it named."""
    kind, reward, cell = before["kind"], before["reward"], take_apart(action).number
    me, target, source = before["active"], int(before["target"]), int(before["source"])
    there, whose = cell_name(config, cell), player_name(target)
    if kind in (SELF_CARD, OPPONENT_CARD):
        card = int(before["board"][me if kind == SELF_CARD else target, cell])
        if reward not in (REMOVE_OWN, REMOVE_OTHERS):
            return [_it_is(config, card)]
        name = card_name(config, card)
        return [Text(f"{name.en} goes to the discard pile", f"{name.ru} уходит в сброс")]
    if kind == REF:
        return [_it_is(config, int(before["discard"][cell]))]
    if kind == OPPONENT_EMPTY or (kind == SELF_EMPTY and reward == MOVE_OWN):
        name = card_name(config, int(before["board"][target if reward == MOVE_OTHERS else me, source]))
        here = cell_name(config, source)
        return [Text(f"{name.en} moves from {here} to {there}", f"{name.ru} переходит с клетки {here} на {there}")]
    if kind != SELF_EMPTY:
        return []
    if reward == SPAWN_JOKER:
        return [Text(f"a joker appears at {there}", f"на клетке {there} появляется джокер")]
    if reward == STEAL:
        name = card_name(config, int(before["board"][target, source]))
        return [
            Text(
                f"{name.en} is stolen from {whose.en} and lies at {there}",
                f"украдено у игрока {target + 1}: {name.ru}, теперь на клетке {there}",
            )
        ]
    name = card_name(
        config, int(before["discard"][before["ref"] if reward == TAKE_ANY else before["discard_size"] - 1])
    )
    return [
        Text(
            f"{name.en} returns from the discard pile to {there}", f"{name.ru} возвращается из сброса на клетку {there}"
        )
    ]


def _cleared(before: np.void, after: np.void, action: int, config: Config) -> int:
    """How many cards of a pattern an action sent to the discard pile by clearing it."""
    act, number, _ = take_apart(action)
    if after["pattern_cells"] or act == "resolve_none":
        return 0
    if act == "resolve":
        return len(window_kind(config, number)[1])
    cells = cells_of(before["pattern_cells"])
    removed = before["kind"] == SELF_CARD and before["reward"] == REMOVE_OWN and number in cells
    return len(cells) - removed


def _discards_of_reward(before: np.void) -> int:
    """Cards that a choice lays on the discard pile, or takes from it."""
    kind, reward = before["kind"], before["reward"]
    if (kind, reward) in ((SELF_CARD, REMOVE_OWN), (OPPONENT_CARD, REMOVE_OTHERS)):
        return 1
    return -1 if kind == SELF_EMPTY and reward in (TAKE_TOP, TAKE_ANY) else 0


def _no_room(config: Config, cards: list[int]) -> list[Text]:
    """Cards that had to be placed, with no free cell, where the rules do not end the game for that."""
    names = [card_name(config, card) for card in cards]
    return [
        Text(f"no free cell: {name.en} goes to the discard pile", f"нет свободной клетки: {name.ru} уходит в сброс")
        for name in names
    ]


def _next_turn(config: Config, before: np.void, after: np.void) -> list[Text]:
    """Turns dropped and skipped, and whose turn it is now."""
    told, me = [], int(before["active"])
    extra = bool(before["extra"]) or after["applied"][me, EXTRA_TURN] > before["applied"][me, EXTRA_TURN]
    # A turn is passed on in phase 2, which has drawn from the deck already.
    if extra and before["deck_size"] == 0 and config.game.rewards.extra_turn_ignored_if_deck_empty:
        extra = False
        told.append(Text("the deck is empty: no extra turn", "колода пуста: дополнительного хода не будет"))
    seat = me if extra else next_seat(config, before, me)
    for number in range(int(before["turns"]) + 1, int(after["turns"])):
        who = player_name(seat)
        told.append(Text(f"turn {number}: {who.en} skips it", f"ход {number}: {who.ru} пропускает"))
        seat = next_seat(config, before, seat)
    who, number = player_name(after["active"]), int(after["turns"])
    turn = Text(f"turn {number}: {who.en}", f"ход {number}: {who.ru}")
    return [*told, join([turn, EXTRA_WORD]) if extra else turn]


def ending(config: Config, s: np.void) -> Text:
    """Why a finished game ended and who has won."""
    if s["end"] == END1:
        why = Text("END1, the deck is too small for a draft", "END1, в колоде не хватает карт на драфт")
        if s["deck_size"] == 0 and s["phase"] == FROM_DRAFT:
            why = Text("END1, the deck is empty", "END1, колода пуста")
    else:
        why = Text("END2, no free cell", "END2, нет свободной клетки")
    scores = [int(vp) for vp in s["vp"][: players_of(s)]]
    best = max(scores)
    if s["winner"] >= 0:
        who = player_name(s["winner"])
        return Text(f"{who.en} wins with {best} VP: {why.en}", f"побеждает {who.ru}, {best} ПО: {why.ru}")
    seats = [str(seat + 1) for seat, score in enumerate(scores) if score == best]
    en, ru = (f"{', '.join(seats[:-1])}{word}{seats[-1]}" for word in (" and ", " и "))
    return Text(f"a tie, players {en} have {best} VP: {why.en}", f"ничья, у игроков {ru} по {best} ПО: {why.ru}")
