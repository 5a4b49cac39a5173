"""The story of a match of Dice: what a player sees, what an action brought about, the table as a few lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Lang, Text, interpreted
from playmill.games.dice.actions import CHOOSE, EVERY_DIE, PASS, USE, dice_of
from playmill.games.dice.brings import throw_told
from playmill.games.dice.config import Config
from playmill.games.dice.effects import BANKED, BUSTED, HEATED, LOG, NOTED, SHIELDED, THREW
from playmill.games.dice.names import (
    DECISION_NAMES,
    Flag,
    Line,
    decision_kind,
    dice_genitive,
    dice_name,
    dice_word,
    die_name,
    entries_of,
    entry_desc,
    entry_name,
    entry_note,
    entry_owner,
    faces_in,
    faces_of,
    faces_text,
    flags_set,
    is_active,
    is_on,
    is_worth_telling,
    join,
    left_out,
    listed,
    log_of,
    number,
    player_name,
    points_word,
    positions,
    readiness,
    russian_form,
    savings,
    setting,
    signed,
    turns_word,
    usable_now,
    weights_of,
)
from playmill.games.dice.risk import risk_after
from playmill.games.dice.rules import NOBODY
from playmill.games.dice.scoring import score
from playmill.games.dice.tables import DICE, DOUBLE_SET, PLAYERS

ASIDE = "·"
MODIFIERS_WORD = Text("Modifiers", "Модификаторы")
ITEMS_WORD = Text("Items", "Предметы")
#: In front of whose modifiers or items they are.
OWNERS: dict[int | None, Text] = {None: Text("of both players", "для обоих игроков")} | {
    player: Text(f"of player {player + 1}", f"игрока {player + 1}") for player in range(PLAYERS)
}


def seen(config: Config, s: np.void, player: int, lang: Lang) -> dict[str, object]:
    """What a player sees, and that is everything, as JSON-able data; dice, items and players are counted from 1.

    `saves` lists the sets that may be saved, the best first: `points` is what the save really brings, `turn_points`
    what the turn has then, `banked` what passing would add to the total. A flag is true, false, or the turns it has
    left.
    """
    over = bool(s["player"] == NOBODY)
    made = setting(config)
    return {
        "player": player + 1,
        "decision": None if over else decision_kind(s),
        "to_move": None if over else int(s["player"]) + 1,
        "turn": int(s["turns"]),
        "max_turns": config.max_turns,
        "target": config.target_score,
        "totals": [int(total) for total in s["total"]],
        "turn_points": int(s["points"]),
        "roll_number": int(s["rolls"]),
        "hot_dice": bool(s["hot"]),
        "dice": _dice_data(config, s, lang),
        "saves": [
            {
                "dice": positions(saving.dice),
                "faces": list(saving.faces),
                "points": saving.gain,
                "turn_points": saving.points,
                "banked": saving.banked,
            }
            for saving in savings(config, s)
        ],
        "pass_delta": int(s["pass_delta"]),
        "choosing": None if over or not s["choosing"] else made.entries[s["choosing"] - 1].content.id,
        "asks": None if over or not s["choosing"] else "face" if s["facing"] else "dice",
        "chosen": positions(s["chosen"]),
        "players": [
            {
                "player": seat + 1,
                "total": int(s["total"][seat]),
                "flags": _flags_data(config, s, seat),
                "weights": [[int(weight) for weight in die.weights] for die in made.dice[seat]],
                "modifiers": [_entry_data(config, entry, lang) for entry in entries_of(config, seat, items=False)],
                "items": [_item_data(config, s, entry, seat, lang) for entry in entries_of(config, seat, items=True)],
            }
            for seat in range(PLAYERS)
        ],
        "modifiers": [_entry_data(config, entry, lang) for entry in entries_of(config, None, items=False)],
        "items": [_item_data(config, s, entry, player, lang) for entry in entries_of(config, None, items=True)],
        "log": [line.of(lang) for line in happenings(config, s)],
        "winner": int(s["winner"]) + 1 if over and s["winner"] != NOBODY else None,
    }


def _flags_data(config: Config, s: np.void, seat: int) -> dict[str, bool | int]:
    """Every flag of the match, whether it is set or for how many turns."""
    told: dict[str, bool | int] = {flag.key: False for flag in setting(config).flags}
    return told | {flag.key: left or True for flag, left in flags_set(config, s, seat)}


def _dice_data(config: Config, s: np.void, lang: Lang) -> list[dict[str, object]]:
    """The dice of the player to move: what each shows (null where it is set aside) and how it falls now."""
    if s["player"] == NOBODY:
        return []
    player, faces = int(s["player"]), faces_of(s["roll"])
    return [
        {
            "position": place + 1,
            "face": faces[place] or None,
            "thrown": bool(s["thrown"] >> place & 1),
            "die": setting(config).dice[player][place].id,
            "name": die_name(config, player, place).of(lang),
            "weights": weights_of(config, s, player, place),
            "changed": bool(s["changed"] >> place & 1),
            "locked": bool(s["locked"] >> place & 1),
        }
        for place in range(DICE)
    ]


def _entry_data(config: Config, entry: int, lang: Lang) -> dict[str, object]:
    """A modifier or item as data."""
    content = setting(config).entries[entry].content
    return {
        "id": content.id,
        "name": entry_name(config, entry).of(lang),
        "desc": entry_desc(config, entry).of(lang),
        "enabled": is_on(config, entry),
    }


def _item_data(config: Config, s: np.void, entry: int, seat: int, lang: Lang) -> dict[str, object]:
    """An item as data: `item` is its number among those its player can use, if she can ever use it."""
    made = _entry_data(config, entry, lang) | {"active": is_active(config, entry)}
    if not is_active(config, entry) or not is_on(config, entry):
        return made
    cooldown = int(s["cooldown"][entry])
    now = bool(seat == s["player"]) and usable_now(config, s, entry)
    place = setting(config).usable[seat].index(entry) + 1
    return made | {"item": place, "ready": cooldown == 0, "cooldown": max(0, cooldown), "usable_now": now}


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about, in order: points saved, content, throws, busts, points banked, the next turn."""
    log = log_of(after)
    told = _saved(config, before, action) if action < USE else _used(config, before, after, action)
    turn = int(before["turns"])
    risked = action >= PASS
    for line in log:
        if line.kind == THREW and not risked:
            told.append(throw_told(risk_after(config, before, action)))
            risked = True
        told += [line_told(config, after, line)] if is_worth_telling(config, line) else []
        if line.kind in (BUSTED, BANKED) and turn < after["turns"]:
            turn += 1
            told.append(_turn(turn, 1 - line.which))
    if left_out(after):
        return [*told, cut_told(after), *_standing(after), *_ended(config, after)]
    return [*told, *_changes(before, after, log), *_ended(config, after)]


def notices(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """Everything that fired, with whose turn it was, what, whose that is, and how much; everybody sees it."""
    told: list[Text] = []
    who = int(before["player"])
    if action < USE and before["flags"][who] & DOUBLE_SET:
        told.append(_of(who, _saved(config, before, action)[0]))
    for line in log_of(after):
        if line.kind == THREW:
            who = line.which >> 6
        elif line.kind == BANKED:
            told.append(line_told(config, after, line))
        elif is_worth_telling(config, line):
            told.append(_of(who, line_told(config, after, line)))
    return [*told, cut_told(after)] if left_out(after) else told


def cut_told(s: np.void) -> Text:
    """That more happened than the log of an action holds, and that it counts all the same."""
    more = left_out(s)
    return Text(
        f"… more happened ({more}): {LOG} lines of an action are told, all are counted",
        f"… произошло и другое ({more}): рассказаны {LOG} строк одного действия, учтены все",
    )


def _of(player: int, what: Text) -> Text:
    who = player_name(player)
    return Text(f"{who.en} – {what.en}", f"{who.ru} – {what.ru}")


def choice_asked(config: Config, s: np.void) -> Text:
    """The question which dice an item is used for, or which face."""
    entry = int(s["choosing"]) - 1
    name = entry_name(config, entry)
    if s["facing"]:
        return Text(f"{name.en}: which face?", f"{name.ru}: какую грань?")
    if setting(config).cfg.chooses[entry] == 1:
        return Text(f"{name.en}: which die?", f"{name.ru}: какую кость?")
    return Text(f"{name.en}: which dice?", f"{name.ru}: какие кости?")


def _used(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What is to be said of the use of an item beside its notice: a question, or that it found nothing to do."""
    if after["choosing"]:
        return [choice_asked(config, after)]
    usable = setting(config).usable[before["player"]]
    entry = usable[action - USE] if action < CHOOSE else int(before["choosing"]) - 1
    if any(line.kind == NOTED and line.which == entry for line in log_of(after)):
        return []
    name = entry_name(config, entry)
    return [Text(f"{name.en}: nothing happens", f"{name.ru}: ничего не происходит")]


def _saved(config: Config, before: np.void, action: int) -> list[Text]:
    """The dice an action saves and what they bring before content has its say."""
    dice, player = interpreted(dice_of)(action), int(before["player"])
    base = int(interpreted(score)(int(before["roll"]), dice))
    points, faces = points_word(base), faces_text(faces_in(before["roll"], dice))
    en, ru = f"saved {faces}: {points.en}", f"сохранено {faces}: {points.ru}"
    if before["flags"][player] & DOUBLE_SET:
        base *= 2
        en, ru = f"{en}, doubled to {base}", f"{ru}, удвоено до {base}"
    total = number(before["points"] + base)
    return [Text(f"{en}; {total} in this turn", f"{ru}; за ход {total}")]


def _turn(turn: int, player: int) -> Text:
    who = player_name(player)
    return Text(f"turn {turn}: {who.en}", f"ход {turn}: {who.ru}")


def _standing(s: np.void) -> list[Text]:
    """Where a match stands after more happened than the log holds."""
    if s["player"] == NOBODY:
        return []
    faces = faces_text(faces_in(s["roll"]))
    return [_turn(int(s["turns"]), int(s["player"])), Text(f"on the table: {faces}", f"на столе: {faces}")]


def _changes(before: np.void, after: np.void, log: Sequence[Line]) -> list[Text]:
    """Dice that content turned, locked or loaded after the last throw."""
    told: list[Text] = []
    if after["player"] == NOBODY:
        return told
    shown = next((line.value for line in reversed(log) if line.kind == THREW), int(before["roll"]))
    if after["roll"] != shown:
        faces = faces_text(faces_in(after["roll"]))
        told.append(Text(f"the dice now show {faces}", f"теперь на костях {faces}"))
    same_turn = before["turns"] == after["turns"]
    locked = int(after["locked"]) & ~(int(before["locked"]) if same_turn else 0)
    if locked:
        name = dice_name(locked)
        one = locked.bit_count() == 1
        told.append(
            Text(
                f"{name.en} {'is' if one else 'are'} locked until saved or the turn ends",
                f"{name.ru}: {'закреплена' if one else 'закреплены'} до сохранения или конца хода",
            )
        )
    loaded = 0
    for place in range(DICE):
        was = before["profile"][place] if same_turn and before["changed"] >> place & 1 else 0
        now = after["profile"][place] if after["changed"] >> place & 1 else 0
        loaded |= int(now not in (0, was)) << place
    if loaded:
        name, genitive = dice_name(loaded), dice_genitive(loaded)
        falls = "falls" if loaded.bit_count() == 1 else "fall"
        told.append(
            Text(
                f"until the turn ends {name.en} {falls} by other weights",
                f"до конца хода веса {genitive} изменены",
            )
        )
    return told


def die_told(config: Config, s: np.void, player: int, place: int) -> Text:
    """A player's die at a position, from 0, in words: its name, how it falls and, if it is loaded, what it is for."""
    die, name, weights = (
        setting(config).dice[player][place],
        die_name(config, player, place),
        weights_of(config, s, player, place),
    )
    falls = _falls(weights)
    en, ru = f"die {place + 1}: {name.en}; {falls.en}", f"кость {place + 1}: {name.ru}; {falls.ru}"
    if player == s["player"] and s["changed"] >> place & 1:
        return Text(f"{en}, until the turn ends", f"{ru}, до конца хода")
    if len(set(weights)) == 1:
        return Text(en, ru)
    return Text(f"{en}. {die.desc.en}", f"{ru}. {die.desc.ru}")


def _falls(weights: Sequence[int]) -> Text:
    """How often each face falls, the likeliest first."""
    if len(set(weights)) == 1:
        return Text("all faces fall alike", "все грани выпадают одинаково часто")
    parts, whole = [], sum(weights)
    for weight in sorted(set(weights), reverse=True):
        which = listed(sum(1 << face for face, other in enumerate(weights) if other == weight))
        share = 100 * weight / whole
        percent = f"{share:.3g} %" if share >= 1 else "<1 %"
        each, every = ("", "") if weights.count(weight) == 1 else (" each", "по ")
        often = Text(f"{percent}{each}", f"{every}{percent}") if weight else Text("never", "никогда")
        parts.append(Text(f"{which.en}: {often.en}", f"{which.ru} – {often.ru}"))
    told = join(parts, "; ")
    return Text(f"of its throws {told.en}", f"доля бросков: {told.ru}")


def happenings(config: Config, s: np.void) -> list[Text]:
    """The log of the last action, told without what went before; it says how much did not fit."""
    lines = [line_told(config, s, line) for line in log_of(s) if is_worth_telling(config, line)]
    return [*lines, cut_told(s)] if left_out(s) else lines


def line_told(config: Config, s: np.void, line: Line) -> Text:
    """A line of the log as a sentence; `s` is the match after the action."""
    if line.kind == THREW:
        return _thrown(line)
    if line.kind == BUSTED:
        return busted(line.value)
    if line.kind == SHIELDED:
        return Text(
            "nothing scores, but the shield cancels the bust: the same dice again",
            "очков нет, но щит отменяет провал: те же кости ещё раз",
        )
    if line.kind == HEATED:
        return Text("hot dice: all six are thrown again", "горячие кости: все шесть бросают снова")
    if line.kind == NOTED:
        return _fired(config, line)
    return _banked(line.which, line.value, int(s["total"][line.which]))


def _thrown(line: Line) -> Text:
    who, dice = player_name(line.which >> 6), line.which & EVERY_DIE
    count, faces = dice_word(dice.bit_count()), faces_text(faces_in(line.value, dice))
    told = Text(f"{who.en} throws {count.en}: {faces}", f"{who.ru} бросает {count.ru}: {faces}")
    table = faces_in(line.value)
    if len(table) == dice.bit_count():
        return told
    faces = faces_text(table)
    return Text(f"{told.en}; on the table {faces}", f"{told.ru}; на столе {faces}")


def busted(points: int) -> Text:
    """A bust and the points of the turn it takes."""
    if points == 0:
        return Text("nothing scores: bust", "очков нет: провал")
    lost = points_word(points)
    if points < 0:
        return Text(f"nothing scores: bust; the turn had {lost.en}", f"очков нет: провал; за ход было {lost.ru}")
    burn = russian_form(points, "сгорает", "сгорают", "сгорает")
    return Text(f"nothing scores: bust, {lost.en} lost", f"очков нет: провал, {burn} {lost.ru}")


def _fired(config: Config, line: Line) -> Text:
    """What fired, whose it is, its notice and, if it moved points, by how much."""
    name, whose, notice = (told(config, line.which) for told in (entry_name, entry_owner, entry_note))
    start = Text(f"{name.en} ({whose.en}): {notice.en}", f"{name.ru} ({whose.ru}): {notice.ru}")
    if line.value == 0:
        return start
    points = points_word(line.value, sign=True)
    return Text(f"{start.en} ({points.en})", f"{start.ru} ({points.ru})")


def _banked(player: int, points: int, total: int) -> Text:
    who = player_name(player)
    if points == 0:
        return Text(f"{who.en} banks nothing and stays at {total}", f"{who.ru} ничего не записывает, всего {total}")
    word = points_word(points)
    return Text(f"{who.en} banks {word.en} and has {total}", f"{who.ru} записывает {word.ru}, всего {total}")


def _ended(config: Config, s: np.void) -> list[Text]:
    return [ending(config, s)] if s["player"] == NOBODY else []


def ending(config: Config, s: np.void) -> Text:
    """Who has won a finished match and how it stands, or that it is a draw."""
    totals = [int(total) for total in s["total"]]
    if s["winner"] == NOBODY:
        turns = turns_word(int(s["turns"]))
        return Text(
            f"a draw after {turns.en}: {totals[0]} to {totals[1]}",
            f"ничья, сыграно {turns.ru}: {totals[0]} : {totals[1]}",
        )
    who, mine, other = player_name(int(s["winner"])), totals[s["winner"]], totals[1 - s["winner"]]
    return Text(f"{who.en} wins: {mine} to {other}", f"побеждает {who.ru}: {mine} : {other}")


def headline(config: Config, s: np.void) -> Text:
    """Where the match stands, in one line: the turn, the roll and who decides what; or how it ended."""
    if s["player"] == NOBODY:
        return ending(config, s)
    who, turn, rolls = player_name(int(s["player"])), int(s["turns"]), int(s["rolls"])
    parts = [
        Text(f"turn {turn}", f"ход {turn}"),
        Text(f"roll {rolls}", f"бросок {rolls}"),
        Text(f"{who.en} decides", f"решает {who.ru}"),
        DECISION_NAMES[decision_kind(s)],
    ]
    return join(parts, " · ")


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The table as a few lines; the player whose turn it is has a star, dice set aside are dots."""
    lines = [headline(config, s).of(lang)]
    for player in range(PLAYERS):
        star = "*" if player == s["player"] else " "
        flags = [flag_told(flag, left).of(lang) for flag, left in flags_set(config, s, player)]
        score = f"{s['total'][player]} / {config.target_score}"
        lines.append(f"{star} {player_name(player).of(lang)}: {', '.join([score, *flags])}")
    if s["player"] != NOBODY:
        lines += _table(config, s, lang)
    for owner, whose in OWNERS.items():
        for items, word in ((False, MODIFIERS_WORD), (True, ITEMS_WORD)):
            entries = entries_of(config, owner, items=items)
            listed = [
                entry_name(config, entry).of(lang)
                + (f" ({readiness(config, s, entry).of(lang)})" if items or not is_on(config, entry) else "")
                for entry in entries
            ]
            if listed:
                lines.append(f"{word.of(lang)} {whose.of(lang)}: {', '.join(listed)}")
    lines += [f"> {line.of(lang)}" for line in happenings(config, s)]
    return "\n".join(lines)


def flag_told(flag: Flag, left: int) -> Text:
    """A flag and, if it is set for a time, the turns it has left: "merry (2 turns)"."""
    if left == 0:
        return flag.name
    turns = turns_word(left)
    return Text(f"{flag.name.en} ({turns.en})", f"{flag.name.ru} ({turns.ru})")


def pass_told(delta: int) -> Text:
    """What content has promised for passing in this turn."""
    return Text(f"on passing {signed(delta)}", f"при пасе {signed(delta)}")


def _table(config: Config, s: np.void, lang: Lang) -> list[str]:
    """The dice by position, with the codes of loaded ones, and the points of the turn."""
    player, faces = int(s["player"]), faces_of(s["roll"])
    dice = setting(config).dice[player]
    codes = [str(die.code) if len(set(die.weights)) > 1 else "" for die in dice]
    changed = ["*" if s["changed"] >> place & 1 else "" for place in range(DICE)]
    marks = [code + star for code, star in zip(codes, changed, strict=True)]
    wide = max(1, *map(len, marks))
    rows = [
        (Text("die", "кость"), [str(place + 1) for place in range(DICE)]),
        (Text("shows", "грань"), [str(face) if face else ASIDE for face in faces]),
    ]
    rows += [(Text("kind", "вид"), marks)] if any(marks) else []
    held = ["#" if s["locked"] >> place & 1 else "" for place in range(DICE)]
    rows += [(Text("locked", "закреплена"), held)] if any(held) else []
    margin = max(len(name.of(lang)) for name, _ in rows)
    lines = [f"  {name.of(lang).ljust(margin)}  " + " ".join(cell.rjust(wide) for cell in row) for name, row in rows]
    points = number(s["points"])
    lines.append("  " + Text(f"points of the turn: {points}", f"очки хода: {points}").of(lang))
    if s["pass_delta"]:
        lines.append("  " + pass_told(int(s["pass_delta"])).of(lang))
    if s["choosing"]:
        name = entry_name(config, int(s["choosing"]) - 1)
        what = Text("a face is", "выбирается грань") if s["facing"] else Text("dice are", "выбираются кости")
        lines.append("  " + Text(f"{what.en} chosen for {name.en}", f"{what.ru} для «{name.ru}»").of(lang))
    return [line.rstrip() for line in lines]
