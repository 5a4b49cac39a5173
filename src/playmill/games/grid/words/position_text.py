"""Positions of Grid in words: boards as text, as data for one seat, and how an action changed them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.games.grid.config import Config
from playmill.games.grid.config.identifiers import BINDINGS, REWARD_IDS
from playmill.games.grid.constants import (
    EMPTY,
    END1,
    FROM_DRAFT,
    FROM_HAND,
    MOVE_OWN,
    NOBODY,
    NOT_ENDED,
    OPPONENT,
    OPPONENT_CARD,
    OPPONENT_EMPTY,
    REF,
    SELF_CARD,
    SELF_EMPTY,
    STEAL,
    TAKE_ANY,
)
from playmill.games.grid.words import names
from playmill.games.grid.words.acts import ACTS

#: How a cell is marked that an action changed, and one of the pattern being resolved.
CHANGED, OF_PATTERN = "[]", "()"
_LEGEND = Text("[ ] changed now, ( ) the pattern", "[ ] изменилось сейчас, ( ) паттерн")
Marks = Mapping[int, str] | None


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The table as a few lines: boards side by side; the player whose turn it is has a star.

    A card is its rank and colour. A free cell is a dot, in the protected zone a plus.
    """

    def keys(cards: Iterable[int]) -> str:
        return " ".join(names.card_key(config, card, lang) for card in cards if card != EMPTY) or "–"

    def said(word: Text, cards: Iterable[int]) -> str:
        return f"{word.of(lang)}: {keys(cards)}"

    lines = [headline(config, s).of(lang)]
    lines.append(f"{names.DECK_WORD.of(lang)}: {s['deck_size']} · {said(names.DISCARD_WORD, names.discard_of(s))}")
    open_cards = [int(card) for card in s["revealed"]]
    waiting = [int(s["card"]), *(int(card) for card in s["picked"])]
    if any(open_cards) or any(waiting):
        lines.append(f"{said(names.OPEN_WORD, open_cards)} · {said(names.TO_PLACE_WORD, waiting)}")
    hands = [said(names.HAND_WORD, names.hand_of(s, seat)) for seat in range(names.players_of(s))]
    return "\n".join(lines + _side_by_side(config, s, lang, [None] * len(hands), hands))


def boards(config: Config, before: np.void, after: np.void, action: int, lang: Lang) -> str:
    """The boards after an action, with the cells it changed and those of its pattern marked; nothing if there are none.

    A pattern is marked where it lay, also when its cards have left.
    """
    done = ACTS.decode(action)
    pattern = (
        names.window_kind(config, done.window)[1] if done.act == "resolve" else names.cells_of(before["pattern_cells"])
    )
    marks: list[dict[int, str]] = []
    for seat in range(names.players_of(after)):
        cells = np.flatnonzero(before["board"][seat] != after["board"][seat])
        marks.append({int(cell): CHANGED for cell in cells})
    if not any(marks) and done.act != "resolve":
        return ""
    marks[int(before["active"])] |= dict.fromkeys(pattern, OF_PATTERN)
    return "\n".join([*_side_by_side(config, after, lang, marks), _LEGEND.of(lang)])


def _side_by_side(
    config: Config, s: np.void, lang: Lang, marks: Sequence[Marks], under: Sequence[str] = ()
) -> list[str]:
    """All boards in a row, under their players' names and scores, and a line under each."""
    blocks = []
    for seat, marked in enumerate(marks):
        who, score = names.player_name(seat).of(lang), names.points(s["vp"][seat]).of(lang)
        title = f"{'*' if s['active'] == seat else ' '} {who}: {score}"
        title += f", {names.SKIPS_WORD.of(lang)}" if s["skip"][seat] else ""
        last = [f"  {line}" for line in under[seat : seat + 1]]
        blocks.append([title, *_board(config, s, seat, lang, marked), *last])
    widths = [max(map(len, block)) for block in blocks]
    rows = ("   ".join(map(str.ljust, row, widths)) for row in zip(*blocks, strict=True))
    return [row.rstrip() for row in rows]


def _board(config: Config, s: np.void, player: int, lang: Lang, marks: Marks) -> list[str]:
    """A board as rows of text with its coordinates; a marked cell stands between its two signs."""
    width, height = config.game.grid.width, config.game.grid.height
    zone = names.zone_of(config)
    faces = [
        names.card_key(config, int(card), lang) if card else "+" if cell in zone else "·"
        for cell, card in enumerate(s["board"][player, : width * height])
    ]
    wide = max(2, *map(len, faces))
    signs = [marks.get(cell, "  ") if marks is not None else " " for cell in range(len(faces))]
    pitch = wide + max(map(len, signs))
    cells = [f"{sign[:1]}{face}{sign[1:]}".ljust(pitch) for sign, face in zip(signs, faces, strict=True)]
    rows = ["    " + "".join(str(x).ljust(pitch) for x in range(width)).rstrip()]
    for y in range(height):
        rows.append(f"  {y}" + "".join(cells[y * width : (y + 1) * width]).rstrip())
    return rows


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
        return [names.card_data(config, int(card)) for card in numbers]

    return {
        "player": player + 1,
        "turn": int(s["turns"]),
        "phase": "over" if over else "hand" if s["phase"] == FROM_HAND else "draft",
        "decision": None if over else names.decision_kind(s),
        "active": int(s["active"]) + 1,
        "to_move": None if over else int(s["player"]) + 1,
        "extra_turn": bool(s["extra"]),
        "deck_size": int(s["deck_size"]),
        "discard": cards(names.discard_of(s)),
        "revealed": cards(s["revealed"][: config.game.draft.reveal]),
        "picked": cards(s["picked"][: s["picked_size"]]),
        "card": names.card_data(config, int(s["card"])),
        "pattern": _pattern_data(config, s) if s["pattern_cells"] else None,
        "reward": _reward_data(config, s, lang) if s["pattern_cells"] else None,
        "players": [
            {
                "player": seat + 1,
                "vp": int(s["vp"][seat]),
                "skips_next_turn": bool(s["skip"][seat]),
                "hand": cards(names.hand_of(s, seat)),
                "board": [cards(s["board"][seat, y * width : (y + 1) * width]) for y in range(height)],
                "patterns": names.resolved_by(config, s, seat),
            }
            for seat in range(names.players_of(s))
        ],
        "end": None if s["end"] == NOT_ENDED else "END1" if s["end"] == END1 else "END2",
        "winner": int(s["winner"]) + 1 if over and s["winner"] >= 0 else None,
    }


def _pattern_data(config: Config, s: np.void) -> dict[str, object]:
    """The pattern being resolved and where its cards lie now."""
    kept = config.patterns[s["pattern"]]
    cells = [list(names.coordinates(config, cell)) for cell in names.cells_of(s["pattern_cells"])]
    return {"id": kept.id, "vp": kept.vp, "cells": cells}


def _reward_data(config: Config, s: np.void, lang: Lang) -> dict[str, object]:
    """The reward in question and what has been chosen for it so far."""
    reward, kind = int(s["reward"]), int(s["kind"])
    key = REWARD_IDS[reward]
    made: dict[str, object] = {"id": key, "name": names.REWARD_NAMES[reward].of(lang)}
    made["choices"] = list(BINDINGS[key].agent_choices)
    made["choice"] = CHOICES.get(kind)
    if kind in (OPPONENT_CARD, OPPONENT_EMPTY) or (kind == SELF_EMPTY and reward == STEAL):
        made["opponent"] = int(s["target"]) + 1
    if kind == OPPONENT_EMPTY or (kind == SELF_EMPTY and reward in (STEAL, MOVE_OWN)):
        made["source"] = list(names.coordinates(config, int(s["source"])))
    if kind == SELF_EMPTY and reward == TAKE_ANY:
        made["discard_ref"] = int(s["ref"]) + 1
    return made


def headline(config: Config, s: np.void) -> Text:
    """Where the game stands, in one line: the turn, the phase and who decides what; or how it ended."""
    if s["player"] == NOBODY:
        return ending(config, s)
    turn = Text("turn {}", "ход {}").format(s["turns"])
    who = Text("{} decides", "решает {}").format(names.player_name(s["player"]))
    parts = [turn, names.PHASE_NAMES[s["phase"]], names.DECISION_NAMES[names.decision_kind(s)], who]
    if s["pattern_cells"]:
        parts += [names.pattern_name(config, int(s["pattern"])), names.reward_name(int(s["reward"]))]
    parts += [names.EXTRA_WORD] if s["extra"] else []
    return Text.join(parts, " · ")


def ending(config: Config, s: np.void) -> Text:
    """Why a finished game ended and who has won."""
    if s["end"] == END1:
        why = Text("END1, the deck is too small for a draft", "END1, в колоде не хватает карт на драфт")
        if s["deck_size"] == 0 and s["phase"] == FROM_DRAFT:
            why = Text("END1, the deck is empty", "END1, колода пуста")
    else:
        why = Text("END2, no free cell", "END2, нет свободной клетки")
    scores = [int(vp) for vp in s["vp"][: names.players_of(s)]]
    best = max(scores)
    if s["winner"] >= 0:
        won = Text("{} wins with {} VP: {}", "побеждает {}, {} ПО: {}")
        return won.format(names.player_name(s["winner"]), best, why)
    *first, last = [str(seat + 1) for seat, score in enumerate(scores) if score == best]
    tie = Text("a tie, players {} and {} have {} VP: {}", "ничья, у игроков {} и {} по {} ПО: {}")
    return tie.format(", ".join(first), last, best, why)
