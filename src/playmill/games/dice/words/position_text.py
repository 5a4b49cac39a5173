"""Positions of Dice in words: as text for people, as data for one seat, and the log of a turn."""

from __future__ import annotations

import numpy as np

from playmill.author import Lang, Text
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE, NOBODY, PLAYERS
from playmill.games.dice.rules.effects import BUSTED, HEATED, LOG, NOTED, SHIELDED, THREW
from playmill.games.dice.words import names

ASIDE = "·"
MODIFIERS_WORD = Text("Modifiers", "Модификаторы")
ITEMS_WORD = Text("Items", "Предметы")
_MORE = Text(
    "… more happened ({}): {} lines of an action are told, all are counted",
    "… произошло и другое ({}): показано строк одного действия: {}, учтены все",
)
_SHIELDED = Text(
    "nothing scores, but the shield cancels the bust: the same dice again",
    "очков нет, но щит отменяет провал: те же кости ещё раз",
)
_THROWN = Text("{} throws {n} {n:die|dice}: {}{}", "{} бросает {n} {n:кость|кости|костей}: {}{}")
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
    made = names.match_names(config)
    return {
        "player": player + 1,
        "decision": None if over else names.decision_kind(s),
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
                "dice": names.positions(saving.dice),
                "faces": list(saving.faces),
                "points": saving.gain,
                "turn_points": saving.points,
                "banked": saving.banked,
            }
            for saving in names.savings(config, s)
        ],
        "pass_delta": int(s["pass_delta"]),
        "choosing": None if over or not s["choosing"] else made.entries[s["choosing"] - 1].content.id,
        "asks": None if over or not s["choosing"] else "face" if s["facing"] else "dice",
        "chosen": names.positions(s["chosen"]),
        "players": [
            {
                "player": seat + 1,
                "total": int(s["total"][seat]),
                "flags": _flags_data(config, s, seat),
                "weights": [[int(weight) for weight in die.weights] for die in made.dice[seat]],
                "modifiers": [
                    _entry_data(config, entry, lang) for entry in names.entries_of(config, seat, items=False)
                ],
                "items": [
                    _item_data(config, s, entry, seat, lang) for entry in names.entries_of(config, seat, items=True)
                ],
            }
            for seat in range(PLAYERS)
        ],
        "modifiers": [_entry_data(config, entry, lang) for entry in names.entries_of(config, None, items=False)],
        "items": [_item_data(config, s, entry, player, lang) for entry in names.entries_of(config, None, items=True)],
        "log": [line.of(lang) for line in happenings(config, s)],
        "winner": int(s["winner"]) + 1 if over and s["winner"] != NOBODY else None,
    }


def _flags_data(config: Config, s: np.void, seat: int) -> dict[str, bool | int]:
    """Every flag of the match, whether it is set or for how many turns."""
    sentences: dict[str, bool | int] = {flag.key: False for flag in names.match_names(config).flags}
    return sentences | {flag.key: left or True for flag, left in names.flags_set(config, s, seat)}


def _dice_data(config: Config, s: np.void, lang: Lang) -> list[dict[str, object]]:
    """The dice of the player to move: what each shows (null where it is set aside) and how it falls now."""
    if s["player"] == NOBODY:
        return []
    player, faces = int(s["player"]), names.faces_of(s["roll"])
    return [
        {
            "position": place + 1,
            "face": faces[place] or None,
            "thrown": bool(s["thrown"] >> place & 1),
            "die": names.match_names(config).dice[player][place].id,
            "name": names.die_name(config, player, place).of(lang),
            "weights": names.weights_of(config, s, player, place),
            "changed": bool(s["changed"] >> place & 1),
            "locked": bool(s["locked"] >> place & 1),
        }
        for place in range(DICE)
    ]


def _entry_data(config: Config, entry: int, lang: Lang) -> dict[str, object]:
    """A modifier or item as data."""
    content = names.match_names(config).entries[entry].content
    return {
        "id": content.id,
        "name": names.entry_name(config, entry).of(lang),
        "desc": names.entry_desc(config, entry).of(lang),
        "enabled": names.is_on(config, entry),
    }


def _item_data(config: Config, s: np.void, entry: int, seat: int, lang: Lang) -> dict[str, object]:
    """An item as data: `item` is its number among those its player can use, if they can ever use it."""
    made = _entry_data(config, entry, lang) | {"active": names.is_active(config, entry)}
    if not names.is_active(config, entry) or not names.is_on(config, entry):
        return made
    cooldown = int(s["cooldown"][entry])
    now = bool(seat == s["player"]) and names.usable_now(config, s, entry)
    place = names.match_names(config).usable[seat].index(entry) + 1
    return made | {"item": place, "ready": cooldown == 0, "cooldown": max(0, cooldown), "usable_now": now}


def cut_text(s: np.void) -> Text:
    """That more happened than the log of an action holds, and that it counts all the same."""
    return _MORE.format(names.left_out(s), LOG)


def happenings(config: Config, s: np.void) -> list[Text]:
    """The log of the last action, told without what went before; it says how much did not fit."""
    lines = [line_text(config, s, line) for line in names.log_of(s) if names.is_worth_telling(config, line)]
    return [*lines, cut_text(s)] if names.left_out(s) else lines


def line_text(config: Config, s: np.void, line: names.LogLine) -> Text:
    """A line of the log as a sentence; `s` is the match after the action."""
    if line.kind == THREW:
        return _thrown(line)
    if line.kind == BUSTED:
        return busted(line.value)
    if line.kind == SHIELDED:
        return _SHIELDED
    if line.kind == HEATED:
        return Text("hot dice: all six are thrown again", "горячие кости: все шесть бросают снова")
    if line.kind == NOTED:
        return _fired(config, line)
    return _banked(line.which, line.value, int(s["total"][line.which]))


def _thrown(line: names.LogLine) -> Text:
    dice, table = line.which & EVERY_DIE, names.faces_in(line.value)
    rest = (
        Text("; on the table {}", "; на столе {}").format(names.faces_text(table))
        if len(table) != dice.bit_count()
        else ""
    )
    faces = names.faces_text(names.faces_in(line.value, dice))
    return _THROWN.format(names.player_name(line.which >> 6), faces, rest, n=dice.bit_count())


def busted(points: int) -> Text:
    """A bust and the points of the turn it takes."""
    if points == 0:
        return Text("nothing scores: bust", "очков нет: провал")
    lost = names.points_word(points)
    if points < 0:
        return Text("nothing scores: bust; the turn had {}", "очков нет: провал; за ход было {}").format(lost)
    burnt = Text("nothing scores: bust, {} lost", "очков нет: провал, {n:сгорает|сгорают|сгорает} {}")
    return burnt.format(lost, n=points)


def _fired(config: Config, line: names.LogLine) -> Text:
    """What fired, whose it is, its notice and, if it moved points, by how much."""
    parts = [name(config, line.which) for name in (names.entry_name, names.entry_owner, names.entry_note)]
    if line.value == 0:
        return Text("{} ({}): {}", "{} ({}): {}").format(*parts)
    return Text("{} ({}): {} ({})", "{} ({}): {} ({})").format(*parts, names.points_word(line.value, sign=True))


def _banked(player: int, points: int, total: int) -> Text:
    who = names.player_name(player)
    if points == 0:
        return Text("{} banks nothing and stays at {}", "{} ничего не записывает, всего {}").format(who, total)
    return Text("{} banks {} and has {}", "{} записывает {}, всего {}").format(who, names.points_word(points), total)


def ending(config: Config, s: np.void) -> Text:
    """Who has won a finished match and how it stands, or that it is a draw."""
    totals = [int(total) for total in s["total"]]
    if s["winner"] == NOBODY:
        drawn = Text("a draw after {}: {} to {}", "ничья, сыграно {}: {} : {}")
        return drawn.format(names.turns_word(s["turns"]), *totals)
    winner, won = int(s["winner"]), Text("{} wins: {} to {}", "побеждает {}: {} : {}")
    return won.format(names.player_name(winner), totals[winner], totals[1 - winner])


def headline(config: Config, s: np.void) -> Text:
    """Where the match stands, in one line: the turn, the roll and who decides what; or how it ended."""
    if s["player"] == NOBODY:
        return ending(config, s)
    line = Text("turn {} · roll {} · {} decides · {}", "ход {} · бросок {} · решает {} · {}")
    return line.format(
        s["turns"], s["rolls"], names.player_name(int(s["player"])), names.DECISION_NAMES[names.decision_kind(s)]
    )


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The table as a few lines; the player whose turn it is has a star, dice set aside are dots."""
    lines = [headline(config, s).of(lang)]
    for player in range(PLAYERS):
        star = "*" if player == s["player"] else " "
        flags = [flag_text(flag, left).of(lang) for flag, left in names.flags_set(config, s, player)]
        score = f"{s['total'][player]} / {config.target_score}"
        lines.append(f"{star} {names.player_name(player).of(lang)}: {', '.join([score, *flags])}")
    if s["player"] != NOBODY:
        lines += _table(config, s, lang)
    for owner, whose in OWNERS.items():
        for items, word in ((False, MODIFIERS_WORD), (True, ITEMS_WORD)):
            entries = names.entries_of(config, owner, items=items)
            listed = [
                names.entry_name(config, entry).of(lang)
                + (
                    f" ({names.readiness(config, s, entry).of(lang)})"
                    if items or not names.is_on(config, entry)
                    else ""
                )
                for entry in entries
            ]
            if listed:
                lines.append(f"{word.of(lang)} {whose.of(lang)}: {', '.join(listed)}")
    lines += [f"> {line.of(lang)}" for line in happenings(config, s)]
    return "\n".join(lines)


def flag_text(flag: names.NamedFlag, left: int) -> Text:
    """A flag and, if it is set for a time, the turns it has left: "merry (2 turns)"."""
    return Text("{} ({})", "{} ({})").format(flag.name, names.turns_word(left)) if left else flag.name


def pass_text(delta: int) -> Text:
    """What content has promised for passing in this turn."""
    return Text(f"on passing {names.signed(delta)}", f"при пасе {names.signed(delta)}")


def _table(config: Config, s: np.void, lang: Lang) -> list[str]:
    """The dice by position, with the codes of loaded ones, and the points of the turn."""
    player, faces = int(s["player"]), names.faces_of(s["roll"])
    dice = names.match_names(config).dice[player]
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
    lines.append("  " + Text("points of the turn: {}", "очки хода: {}").of(lang).format(names.number(s["points"])))
    if s["pass_delta"]:
        lines.append("  " + pass_text(int(s["pass_delta"])).of(lang))
    if s["choosing"]:
        what = Text("a face is", "выбирается грань") if s["facing"] else Text("dice are", "выбираются кости")
        chosen = Text("  {} chosen for {}", "  {} для «{}»")
        lines.append(chosen.format(what, names.entry_name(config, int(s["choosing"]) - 1)).of(lang))
    return [line.rstrip() for line in lines]
