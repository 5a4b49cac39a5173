"""Events of Grid in words: what an action brought about."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.games.grid.actions import take_apart
from playmill.games.grid.config import Config
from playmill.games.grid.constants import (
    DRAFT_PASS,
    DRAFT_PICK,
    EXTRA_TURN,
    MOVE_OTHERS,
    MOVE_OWN,
    NOBODY,
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
)
from playmill.games.grid.words.names import (
    EXTRA_WORD,
    card_name,
    cards_word,
    cell_name,
    cells_of,
    join,
    next_seat,
    player_name,
    reward_name,
    window_kind,
)
from playmill.games.grid.words.position_text import ending


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about, in order: cards named, patterns, rewards, discards, the next turn, the end."""
    sentences: list[Text] = []
    size = int(before["discard_size"])
    if before["kind"] == PLACEMENT:
        sentences.append(_it_is(config, int(before["card"])))
    elif before["kind"] in (DRAFT_PICK, DRAFT_PASS):
        drafted, discarded = _drafted(config, before, action)
        sentences += drafted
        size += discarded
    else:
        sentences += _reward_events(config, before, after, action)
        cleared = _cleared(before, after, action, config)
        if cleared:
            cards = cards_word(cleared)
            sentences.append(
                Text(f"the pattern is cleared: {cards.en} to the discard pile", f"паттерн очищен, в сброс {cards.ru}")
            )
        size += cleared + _discards_of_reward(before)
    stuck = [int(card) for card in after["discard"][size : after["discard_size"]]]
    if after["turns"] != before["turns"]:
        of_draft = [card for card in stuck if card in _picked(before, action)]
        sentences += _no_room(config, of_draft)
        sentences += _next_turn(config, before, after)
        stuck = [card for card in stuck if card not in of_draft]
    sentences += _no_room(config, stuck)
    if after["player"] == NOBODY:
        sentences.append(ending(config, after))
    elif after["kind"] == DRAFT_PICK and before["kind"] != DRAFT_PICK:
        cards = join(card_name(config, int(card)) for card in after["revealed"][: config.game.draft.reveal])
        sentences.append(Text(f"open cards: {cards.en}", f"открыты карты: {cards.ru}"))
    return sentences


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
    sentences = [_it_is(config, card)]
    if before["kind"] == DRAFT_PICK:
        over = draft.pass_next_player == 0 and before["picked_size"] + 1 == draft.pick_self
    else:
        over = before["passes"] == 1
        name, who = card_name(config, card), player_name(next_seat(config, before, int(before["active"])))
        sentences = [Text(f"it is {name.en}; {who.en} gets it", f"это {name.ru}; карту получает {who.ru}")]
    rest = [int(other) for i, other in enumerate(before["revealed"][: draft.reveal]) if i != place and other]
    if not over or not rest:
        return sentences, 0
    cards = join(card_name(config, other) for other in rest)
    return [*sentences, Text(f"to the discard pile: {cards.en}", f"в сброс: {cards.ru}")], len(rest)


def _reward_events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """A pattern scored, its reward refused, impossible, under way or applied."""
    me, sentences = int(before["active"]), []
    who = player_name(me)
    if before["kind"] == RESOLVE:
        act, _, pattern = take_apart(action)
        if act == "resolve_none":
            return []
        name, vp, total = config.patterns[pattern].id, config.patterns[pattern].vp, after["vp"][me]
        sentences.append(
            Text(
                f"pattern {name}: {who.en} scores {vp} VP and has {total}",
                f"паттерн {name}: {who.ru} получает {vp} ПО, всего {total}",
            )
        )
    reward = reward_name(int(after["reward"]))
    if after["refused"].sum() > before["refused"].sum():
        return [*sentences, Text(f"reward refused: {reward.en}", f"отказ от награды: {reward.ru}")]
    if after["impossible"].sum() > before["impossible"].sum():
        return [*sentences, Text(f"reward impossible: {reward.en}", f"награда невозможна: {reward.ru}")]
    if after["applied"].sum() == before["applied"].sum():
        return sentences + _choice_events(config, before, action)
    if after["reward"] == EXTRA_TURN:
        return [*sentences, Text(f"{who.en} earns an extra turn", f"{who.ru} получает дополнительный ход")]
    if after["reward"] == SKIP_TURN:
        who = player_name(next_seat(config, before, me))
        return [*sentences, Text(f"{who.en} will skip a turn", f"{who.ru} пропустит ход")]
    return [*sentences, Text(f"reward: {reward.en}", f"награда: {reward.ru}")]


def _choice_events(config: Config, before: np.void, action: int) -> list[Text]:
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
    sentences, me = [], int(before["active"])
    extra = bool(before["extra"]) or after["applied"][me, EXTRA_TURN] > before["applied"][me, EXTRA_TURN]
    # A turn is passed on in phase 2, which has drawn from the deck already.
    if extra and before["deck_size"] == 0 and config.game.rewards.extra_turn_ignored_if_deck_empty:
        extra = False
        sentences.append(Text("the deck is empty: no extra turn", "колода пуста: дополнительного хода не будет"))
    seat = me if extra else next_seat(config, before, me)
    for number in range(int(before["turns"]) + 1, int(after["turns"])):
        who = player_name(seat)
        sentences.append(Text(f"turn {number}: {who.en} skips it", f"ход {number}: {who.ru} пропускает"))
        seat = next_seat(config, before, seat)
    who, number = player_name(after["active"]), int(after["turns"])
    turn = Text(f"turn {number}: {who.en}", f"ход {number}: {who.ru}")
    return [*sentences, join([turn, EXTRA_WORD]) if extra else turn]
