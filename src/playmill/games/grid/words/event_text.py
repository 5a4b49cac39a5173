"""Events of Grid in words: what an action brought about."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
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
from playmill.games.grid.words import names
from playmill.games.grid.words.acts import ACTS
from playmill.games.grid.words.position_text import ending

_CLEARED = Text(
    "the pattern is cleared: {n} {n:card|cards} to the discard pile",
    "паттерн очищен, в сброс {n:уходит|уходят|уходит} {n} {n:карта|карты|карт}",
)
_SCORED = Text("pattern {}: {} scores {} VP and has {}", "паттерн {}: {} получает {} ПО, всего {}")
_MOVED = Text("{} moves from {} to {}", "{} переходит с клетки {} на {}")
_STOLEN = Text(
    "{name} is stolen from player {player} and lies at {there}",
    "украдено у игрока {player}: {name}, теперь на клетке {there}",
)
_RETURNED = Text("{} returns from the discard pile to {}", "{} возвращается из сброса на клетку {}")
_NO_ROOM = Text("no free cell: {} goes to the discard pile", "нет свободной клетки: {} уходит в сброс")


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
            sentences.append(_CLEARED.format(n=cleared))
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
        cards = Text.join(names.card_name(config, int(card)) for card in after["revealed"][: config.game.draft.reveal])
        sentences.append(Text("open cards: {}", "открыты карты: {}").format(cards))
    return sentences


def _it_is(config: Config, card: int) -> Text:
    return Text("it is {}", "это {}").format(names.card_name(config, card))


def _picked(before: np.void, action: int) -> list[int]:
    """The drafted cards not yet placed, with the one an action picks."""
    picked = [int(card) for card in before["picked"][: before["picked_size"]]]
    return [*picked, int(before["revealed"][ACTS.decode(action).card])] if before["kind"] == DRAFT_PICK else picked


def _drafted(config: Config, before: np.void, action: int) -> tuple[list[Text], int]:
    """The card picked or passed, and what the end of the draft lays on the discard pile; and how many cards that is."""
    place, draft = ACTS.decode(action).card, config.game.draft
    card = int(before["revealed"][place])
    sentences = [_it_is(config, card)]
    if before["kind"] == DRAFT_PICK:
        over = draft.pass_next_player == 0 and before["picked_size"] + 1 == draft.pick_self
    else:
        over = before["passes"] == 1
        who = names.player_name(names.next_seat(config, before, int(before["active"])))
        sentences = [
            Text("it is {}; {} gets it", "это {}; карту получает {}").format(names.card_name(config, card), who)
        ]
    rest = [int(other) for i, other in enumerate(before["revealed"][: draft.reveal]) if i != place and other]
    if not over or not rest:
        return sentences, 0
    cards = Text.join(names.card_name(config, other) for other in rest)
    return [*sentences, Text("to the discard pile: {}", "в сброс: {}").format(cards)], len(rest)


def _reward_events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """A pattern scored, its reward refused, impossible, under way or applied."""
    me, sentences = int(before["active"]), []
    who = names.player_name(me)
    if before["kind"] == RESOLVE:
        done = ACTS.decode(action)
        if done.act == "resolve_none":
            return []
        found = config.patterns[done.pattern]
        sentences.append(_SCORED.format(found.id, who, found.vp, after["vp"][me]))
    reward = names.reward_name(int(after["reward"]))
    if after["refused"].sum() > before["refused"].sum():
        return [*sentences, Text("reward refused: {}", "отказ от награды: {}").format(reward)]
    if after["impossible"].sum() > before["impossible"].sum():
        return [*sentences, Text("reward impossible: {}", "награда невозможна: {}").format(reward)]
    if after["applied"].sum() == before["applied"].sum():
        return sentences + _choice_events(config, before, action)
    if after["reward"] == EXTRA_TURN:
        return [*sentences, Text("{} earns an extra turn", "{} получает дополнительный ход").format(who)]
    if after["reward"] == SKIP_TURN:
        skips = Text("{} will skip a turn", "{} пропустит ход")
        return [*sentences, skips.format(names.player_name(names.next_seat(config, before, me)))]
    return [*sentences, Text("reward: {}", "награда: {}").format(reward)]


def _choice_events(config: Config, before: np.void, action: int) -> list[Text]:
    """What one choice of a reward did, or which card it named."""
    done = ACTS.decode(action)
    kind, reward, cell = before["kind"], before["reward"], done.cell
    me, target, source = before["active"], int(before["target"]), int(before["source"])
    there = names.cell_name(config, cell)
    if kind in (SELF_CARD, OPPONENT_CARD):
        card = int(before["board"][me if kind == SELF_CARD else target, cell])
        if reward not in (REMOVE_OWN, REMOVE_OTHERS):
            return [_it_is(config, card)]
        return [Text("{} goes to the discard pile", "{} уходит в сброс").format(names.card_name(config, card))]
    if kind == REF:
        return [_it_is(config, int(before["discard"][done.place]))]
    if kind == OPPONENT_EMPTY or (kind == SELF_EMPTY and reward == MOVE_OWN):
        name = names.card_name(config, int(before["board"][target if reward == MOVE_OTHERS else me, source]))
        return [_MOVED.format(name, names.cell_name(config, source), there)]
    if kind != SELF_EMPTY:
        return []
    if reward == SPAWN_JOKER:
        return [Text(f"a joker appears at {there}", f"на клетке {there} появляется джокер")]
    if reward == STEAL:
        name = names.card_name(config, int(before["board"][target, source]))
        return [_STOLEN.format(name=name, player=target + 1, there=there)]
    place = before["ref"] if reward == TAKE_ANY else before["discard_size"] - 1
    return [_RETURNED.format(names.card_name(config, int(before["discard"][place])), there)]


def _cleared(before: np.void, after: np.void, action: int, config: Config) -> int:
    """How many cards of a pattern an action sent to the discard pile by clearing it."""
    done = ACTS.decode(action)
    if after["pattern_cells"] or done.act == "resolve_none":
        return 0
    if done.act == "resolve":
        return len(names.window_kind(config, done.window)[1])
    cells = names.cells_of(before["pattern_cells"])
    removed = before["kind"] == SELF_CARD and before["reward"] == REMOVE_OWN and done.cell in cells
    return len(cells) - removed


def _discards_of_reward(before: np.void) -> int:
    """Cards that a choice lays on the discard pile, or takes from it."""
    kind, reward = before["kind"], before["reward"]
    if (kind, reward) in ((SELF_CARD, REMOVE_OWN), (OPPONENT_CARD, REMOVE_OTHERS)):
        return 1
    return -1 if kind == SELF_EMPTY and reward in (TAKE_TOP, TAKE_ANY) else 0


def _no_room(config: Config, cards: list[int]) -> list[Text]:
    """Cards that had to be placed, with no free cell, where the rules do not end the game for that."""
    return [_NO_ROOM.format(names.card_name(config, card)) for card in cards]


def _next_turn(config: Config, before: np.void, after: np.void) -> list[Text]:
    """Turns dropped and skipped, and whose turn it is now."""
    sentences, me = [], int(before["active"])
    extra = bool(before["extra"]) or after["applied"][me, EXTRA_TURN] > before["applied"][me, EXTRA_TURN]
    # A turn is passed on in phase 2, which has drawn from the deck already.
    if extra and before["deck_size"] == 0 and config.game.rewards.extra_turn_ignored_if_deck_empty:
        extra = False
        sentences.append(Text("the deck is empty: no extra turn", "колода пуста: дополнительного хода не будет"))
    seat = me if extra else names.next_seat(config, before, me)
    for number in range(int(before["turns"]) + 1, int(after["turns"])):
        sentences.append(Text("turn {}: {} skips it", "ход {}: {} пропускает").format(number, names.player_name(seat)))
        seat = names.next_seat(config, before, seat)
    turn = Text("turn {}: {}", "ход {}: {}").format(after["turns"], names.player_name(after["active"]))
    return [*sentences, Text.join([turn, names.EXTRA_WORD]) if extra else turn]
