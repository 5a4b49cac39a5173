"""Events of Dice in words: what an action brought about, and notices of what fired."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Text, interpreted
from playmill.games.dice.actions import CHOOSE, PASS, USE, dice_of
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE, DOUBLE_SET, NOBODY
from playmill.games.dice.rules.effects import BANKED, BUSTED, NOTED, THREW
from playmill.games.dice.scoring import score
from playmill.games.dice.words import names
from playmill.games.dice.words.bust_risk import risk_after
from playmill.games.dice.words.consequences import throw_text
from playmill.games.dice.words.position_text import cut_text, ending, line_text

_LOCKED = Text(
    "{} {n:is|are} locked until saved or the turn ends",
    "{}: {n:закреплена|закреплены|закреплены} до сохранения или конца хода",
)
_LOADED = Text("until the turn ends {} {n:falls|fall} by other weights", "до конца хода веса {} изменены")


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about, in order: points saved, content, throws, busts, points banked, the next turn."""
    log = names.log_of(after)
    sentences = _saved(config, before, action) if action < USE else _used(config, before, after, action)
    turn = int(before["turns"])
    risked = action >= PASS
    for line in log:
        if line.kind == THREW and not risked:
            sentences.append(throw_text(risk_after(config, before, action)))
            risked = True
        sentences += [line_text(config, after, line)] if names.is_worth_telling(config, line) else []
        if line.kind in (BUSTED, BANKED) and turn < after["turns"]:
            turn += 1
            sentences.append(_turn(turn, 1 - line.which))
    if names.left_out(after):
        return [*sentences, cut_text(after), *_standing(after), *_ended(config, after)]
    return [*sentences, *_changes(before, after, log), *_ended(config, after)]


def notices(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """Everything that fired, with whose turn it was, what, whose that is, and how much; everybody sees it."""
    sentences: list[Text] = []
    who = int(before["player"])
    if action < USE and before["flags"][who] & DOUBLE_SET:
        sentences.append(_of(who, _saved(config, before, action)[0]))
    for line in names.log_of(after):
        if line.kind == THREW:
            who = line.which >> 6
        elif line.kind == BANKED:
            sentences.append(line_text(config, after, line))
        elif names.is_worth_telling(config, line):
            sentences.append(_of(who, line_text(config, after, line)))
    return [*sentences, cut_text(after)] if names.left_out(after) else sentences


def _of(player: int, what: Text) -> Text:
    return Text.join((names.player_name(player), what), " – ")


def choice_asked(config: Config, s: np.void) -> Text:
    """The question which dice an item is used for, or which face."""
    entry = int(s["choosing"]) - 1
    asked = Text("which dice?", "какие кости?")
    if s["facing"]:
        asked = Text("which face?", "какую грань?")
    elif names.match_names(config).cfg.chooses[entry] == 1:
        asked = Text("which die?", "какую кость?")
    return Text.join((names.entry_name(config, entry), asked), ": ")


def _used(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What is to be said of the use of an item beside its notice: a question, or that it found nothing to do."""
    if after["choosing"]:
        return [choice_asked(config, after)]
    usable = names.match_names(config).usable[before["player"]]
    entry = usable[action - USE] if action < CHOOSE else int(before["choosing"]) - 1
    if any(line.kind == NOTED and line.which == entry for line in names.log_of(after)):
        return []
    return [Text("{}: nothing happens", "{}: ничего не происходит").format(names.entry_name(config, entry))]


def _saved(config: Config, before: np.void, action: int) -> list[Text]:
    """The dice an action saves and what they bring before content has its say."""
    dice, player = interpreted(dice_of)(action), int(before["player"])
    base = int(interpreted(score)(int(before["roll"]), dice))
    points, faces, doubled = (
        names.points_word(base),
        names.faces_text(names.faces_in(before["roll"], dice)),
        Text("", ""),
    )
    if before["flags"][player] & DOUBLE_SET:
        base *= 2
        doubled = Text(f", doubled to {base}", f", удвоено до {base}")
    saved = Text("saved {}: {}{}; {} in this turn", "сохранено {}: {}{}; за ход {}")
    return [saved.format(faces, points, doubled, names.number(before["points"] + base))]


def _turn(turn: int, player: int) -> Text:
    return Text("turn {}: {}", "ход {}: {}").format(turn, names.player_name(player))


def _standing(s: np.void) -> list[Text]:
    """Where a match stands after more happened than the log holds."""
    if s["player"] == NOBODY:
        return []
    faces = names.faces_text(names.faces_in(s["roll"]))
    return [_turn(int(s["turns"]), int(s["player"])), Text(f"on the table: {faces}", f"на столе: {faces}")]


def _changes(before: np.void, after: np.void, log: Sequence[names.LogLine]) -> list[Text]:
    """Dice that content turned, locked or loaded after the last throw."""
    sentences: list[Text] = []
    if after["player"] == NOBODY:
        return sentences
    shown = next((line.value for line in reversed(log) if line.kind == THREW), int(before["roll"]))
    if after["roll"] != shown:
        faces = names.faces_text(names.faces_in(after["roll"]))
        sentences.append(Text(f"the dice now show {faces}", f"теперь на костях {faces}"))
    same_turn = before["turns"] == after["turns"]
    locked = int(after["locked"]) & ~(int(before["locked"]) if same_turn else 0)
    if locked:
        sentences.append(_LOCKED.format(names.dice_name(locked), n=locked.bit_count()))
    loaded = 0
    for place in range(DICE):
        was = before["profile"][place] if same_turn and before["changed"] >> place & 1 else 0
        now = after["profile"][place] if after["changed"] >> place & 1 else 0
        loaded |= int(now not in (0, was)) << place
    if loaded:
        dice = Text(names.dice_name(loaded).en, names.dice_genitive(loaded))
        sentences.append(_LOADED.format(dice, n=loaded.bit_count()))
    return sentences


def die_text(config: Config, s: np.void, player: int, place: int) -> Text:
    """A player's die at a position, from 0, in words: its name, how it falls and, if it is loaded, what it is for."""
    weights = names.weights_of(config, s, player, place)
    die = Text("die {}: {}; {}", "кость {}: {}; {}").format(
        place + 1, names.die_name(config, player, place), _falls(weights)
    )
    if player == s["player"] and s["changed"] >> place & 1:
        return Text.join((die, Text("until the turn ends", "до конца хода")))
    if len(set(weights)) == 1:
        return die
    return Text.join((die, names.match_names(config).dice[player][place].desc.text), ". ")


def _falls(weights: Sequence[int]) -> Text:
    """How often each face falls, the likeliest first."""
    if len(set(weights)) == 1:
        return Text("all faces fall alike", "все грани выпадают одинаково часто")
    parts, whole = [], sum(weights)
    for weight in sorted(set(weights), reverse=True):
        which = names.listed(sum(1 << face for face, other in enumerate(weights) if other == weight))
        share = 100 * weight / whole
        percent = f"{share:.3g} %" if share >= 1 else "<1 %"
        each, every = ("", "") if weights.count(weight) == 1 else (" each", "по ")
        often = Text(f"{percent}{each}", f"{every}{percent}") if weight else Text("never", "никогда")
        parts.append(Text("{}: {}", "{} – {}").format(which, often))
    return Text("of its throws {}", "доля бросков: {}").format(Text.join(parts, "; "))


def _ended(config: Config, s: np.void) -> list[Text]:
    return [ending(config, s)] if s["player"] == NOBODY else []
