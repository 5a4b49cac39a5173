"""Names of the things of Dice, in English and Russian, and what is read from a state to name them.

Players, dice and items are numbered from 1 wherever people or plain Python agents read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from playmill.author import PlaymillError, Text, interpreted, plain
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.agents.save_value import banked_after, points_after
from playmill.games.dice.config import Config
from playmill.games.dice.config.program import Placed
from playmill.games.dice.constants import DICE, DOUBLE, NOBODY, PLAYERS, SHIELD, UNTIL_SAVED
from playmill.games.dice.rules import State
from playmill.games.dice.rules.effects import LOG, NOTED
from playmill.games.dice.rules.options import may_use
from playmill.games.dice.scoring import savable

if TYPE_CHECKING:
    from playmill.games.dice.content import Die
    from playmill.games.dice.plain import ShippedDie

SAVE, CHOICE = "save", "choose"
DECISION_NAMES = {
    SAVE: Text("Save dice", "Сохранение костей"),
    CHOICE: Text("Choose dice or a face for an item", "Выбор костей или грани для предмета"),
}
READY = Text("ready", "готово")
PASSIVE = Text("passive", "пассивно")
OFF = Text("switched off", "выключено")
TABLE = Text("table", "стол")
#: Effects that do nothing but add or take points.
_MOVES_POINTS = ("add", "add_to_pass", "add_per_die", "percent", "multiply_save")


class LogLine(NamedTuple):
    """A line of the log of the last action."""

    kind: int
    which: int
    value: int


class NamedFlag(NamedTuple):
    """A flag that a match knows: its place, its id, its name, and the same in a word or two."""

    place: int
    key: str
    name: Text
    short: Text


#: The flags with rules of their own.
_RULED = (
    NamedFlag(SHIELD, "bust_shield", Text("bust shield", "щит от провала"), Text("shield", "щит")),
    NamedFlag(DOUBLE, "double_next_save", Text("next save ×2", "следующее сохранение ×2"), Text("×2", "×2")),
)


class Saving(NamedTuple):
    """A set of dice that may be saved: its faces, what it brings, the turn's points then, what a pass would bank."""

    dice: int
    faces: tuple[int, ...]
    gain: int
    points: int
    banked: int


@dataclass(frozen=True)
class MatchNames:
    """What of a config the words need, looked up once: its content by number, its dice, and the record of the rules."""

    config: Config
    entries: tuple[Placed, ...]
    dice: tuple[tuple[Die | ShippedDie, ...], ...]
    flags: tuple[NamedFlag, ...]
    usable: tuple[tuple[int, ...], ...]
    cfg: Any


_kept: list[MatchNames] = []


def match_names(config: Config) -> MatchNames:
    """The setting of a config; that of the last one asked for is kept."""
    for kept in _kept:
        if kept.config is config:
            return kept
    packed, resolved = config.pack(PLAYERS), config.resolved()
    usable = [packed[0]["items"][player, : packed[0]["usable"][player]].tolist() for player in range(PLAYERS)]
    own = enumerate(resolved.flags, len(_RULED))
    flags = _RULED + tuple(NamedFlag(place, flag.id, flag.name.text, flag.name.text) for place, flag in own)
    made = MatchNames(config, resolved.entries, resolved.dice, flags, tuple(map(tuple, usable)), plain(packed)[0])
    _kept[:] = [made]
    return made


def player_name(player: int) -> Text:
    """A player: "player 2"."""
    return Text(f"player {player + 1}", f"игрок {player + 1}")


def number(value: int) -> str:
    """A number with a true minus sign."""
    return str(int(value)).replace("-", "−")


def signed(value: int) -> str:
    """A number with its sign, if it is not 0."""
    return f"+{value}" if value > 0 else number(value)


def points_word(count: int, sign: bool = False) -> Text:
    """A number of points: "1 point", "450 points"; with its sign if asked for."""
    shown = signed(count) if sign else number(count)
    return Text("{} {n:point|points}", "{} {n:очко|очка|очков}").format(shown, n=count)


def turns_word(n: int) -> Text:
    """A number of turns: "1 turn", "2 turns"."""
    return Text("{n} {n:turn|turns}", "{n} {n:ход|хода|ходов}").format(n=n)


def positions(dice: int) -> list[int]:
    """The positions of a set of dice, from 1."""
    return [position + 1 for position in range(DICE) if int(dice) >> position & 1]


def dice_set(numbers: Iterable[int]) -> int:
    """The set of dice at these positions, from 1."""
    return sum(1 << (position - 1) for position in numbers)


def dice_name(dice: int) -> Text:
    """A set of dice by their positions: "die 3", "dice 1, 3 and 4", "all six dice"."""
    if dice == EVERY_DIE:
        return Text("all six dice", "все шесть костей")
    one = dice.bit_count() == 1
    return (Text("die {}", "кость {}") if one else Text("dice {}", "кости {}")).format(listed(dice))


def dice_genitive(dice: int) -> str:
    """A set of dice in the Russian genitive: "кости 3", "костей 1, 3 и 4", "всех шести костей"."""
    if dice == EVERY_DIE:
        return "всех шести костей"
    return f"{'кости' if dice.bit_count() == 1 else 'костей'} {listed(dice).ru}"


def listed(dice: int) -> Text:
    """The positions of a set of dice, or a set of faces, in a sentence: "1, 3 and 4"."""
    *first, last = map(str, positions(dice))
    return Text.join(filter(None, (", ".join(first), last)), Text(" and ", " и "))


def faces_of(roll: int) -> list[int]:
    """What the die at each position shows, 0 where none lies on the table."""
    return [
        next((face for face in range(1, 7) if int(roll) >> (6 * (face - 1) + position) & 1), 0)
        for position in range(DICE)
    ]


def faces_in(roll: int, dice: int = EVERY_DIE) -> tuple[int, ...]:
    """The faces that these dice of a roll show, by position."""
    shown = faces_of(roll)
    return tuple(shown[position - 1] for position in positions(dice) if shown[position - 1])


def faces_text(faces: Sequence[int]) -> str:
    """Faces, the same in every language: "1 5 5"."""
    return " ".join(map(str, faces))


def savable_sets(s: np.void) -> list[int]:
    """The sets of dice that may be saved now, ascending; none when the match is over or dice are being chosen."""
    deciding = s["player"] != NOBODY and not s["choosing"]
    sets = interpreted(savable)(int(s["roll"]), int(s["table"])) if deciding else 0
    return [dice for dice in range(1, EVERY_DIE + 1) if sets >> (dice - 1) & 1]


def savings(config: Config, s: np.void) -> list[Saving]:
    """The sets that may be saved, the one that brings most first, then fewer dice, then the first positions.

    What a set brings is what really happens: flags and content that waits for a save or a pass are counted.
    """
    sets = savable_sets(s)
    if not sets:
        return []
    cfg, match = match_names(config).cfg, _copy(s)
    after, banked = interpreted(points_after), interpreted(banked_after)
    found = []
    for dice in sets:
        points, bank = int(after(cfg, match, dice)), int(banked(cfg, match, dice))
        found.append(Saving(dice, faces_in(s["roll"], dice), points - match.points, points, bank))
    return sorted(found, key=lambda saving: (-saving.gain, len(saving.faces), positions(saving.dice)))


def usable_now(config: Config, s: np.void, entry: int) -> bool:
    """Whether the player to move may use an active item now."""
    if s["player"] == NOBODY or s["choosing"] or entry not in match_names(config).usable[s["player"]]:
        return False
    return bool(interpreted(may_use)(match_names(config).cfg, _copy(s), entry))


def _copy(s: np.void) -> Any:
    """A match as the interpreter reads it, apart from the original."""
    made = np.zeros(1, State)
    made[0] = s
    return plain(made)[0]


def flags_set(config: Config, s: np.void, player: int) -> list[tuple[NamedFlag, int]]:
    """The flags that are set on a player, each with the turns it has left (0: until it is used)."""
    known = match_names(config).flags
    return [
        (flag, int(s["flag_turns"][player, flag.place])) for flag in known if int(s["flags"][player]) >> flag.place & 1
    ]


def log_of(s: np.void) -> list[LogLine]:
    """The log of the last action, taken apart: its first `LOG` lines."""
    entries = [int(entry) for entry in s["log"][: s["noted"]]]
    return [LogLine(entry & 15, entry >> 4 & 255, entry >> 12) for entry in entries]


def left_out(s: np.void) -> int:
    """How many lines the log of the last action could not hold."""
    return max(0, int(s["noted"]) - LOG)


def weights_of(config: Config, s: np.void, player: int, position: int) -> list[int]:
    """The weights of a player's die at a position, from 0; on their turn those it has now."""
    if player == s["player"] and s["changed"] >> position & 1:
        summed = match_names(config).cfg.profiles[s["profile"][position] - 1]
        return [summed[face] - (summed[face - 1] if face else 0) for face in range(6)]
    return [int(weight) for weight in match_names(config).dice[player][position].weights]


def entry_name(config: Config, entry: int) -> Text:
    """What a modifier or item is called."""
    return match_names(config).entries[entry].content.name.text


def entry_desc(config: Config, entry: int) -> Text:
    """What a modifier or item does."""
    return match_names(config).entries[entry].content.desc.text


def entry_owner(config: Config, entry: int) -> Text:
    """Whose a modifier or item is: the table's or a player's."""
    owner = match_names(config).entries[entry].owner
    return TABLE if owner is None else player_name(owner)


def entry_detail(config: Config, entry: int) -> Text:
    """When exactly a modifier or item works and what it does, as its data say it; an active one with its cooldown."""
    from playmill.games.dice.content import detail_of

    made = match_names(config)
    return detail_of(made.entries[entry].content, {flag.key: flag.name for flag in made.flags[len(_RULED) :]})


def entry_note(config: Config, entry: int) -> Text:
    """The notice of a modifier or item that has fired."""
    from playmill.games.dice.content import Modifier

    content = match_names(config).entries[entry].content
    return (content.note if isinstance(content, Modifier) else content.notification).text


def is_worth_telling(config: Config, line: LogLine) -> bool:
    """Whether a line of the log says something: content that could only move points and moved none does not."""
    if line.kind != NOTED or line.value != 0:
        return True
    return any(effect.kind not in _MOVES_POINTS for effect in match_names(config).entries[line.which].content.effect)


def die_name(config: Config, player: int, position: int) -> Text:
    """What a player's die at a position, from 0, is called."""
    return match_names(config).dice[player][position].name.text


def is_item(config: Config, entry: int) -> bool:
    """Whether an entry is an item, not a modifier."""
    from playmill.games.dice.content import Modifier

    return not isinstance(match_names(config).entries[entry].content, Modifier)


def is_active(config: Config, entry: int) -> bool:
    """Whether an entry is an item that its player uses."""
    from playmill.games.dice.content import ActiveItem

    return isinstance(match_names(config).entries[entry].content, ActiveItem)


def entries_of(config: Config, owner: int | None, items: bool) -> list[int]:
    """The items, or else the modifiers, of a player or (None) of the table."""
    entries = enumerate(match_names(config).entries)
    return [entry for entry, placed in entries if placed.owner == owner and is_item(config, entry) == items]


def is_on(config: Config, entry: int) -> bool:
    """Whether a modifier or item is switched on in this match."""
    return match_names(config).entries[entry].enabled


def readiness(config: Config, s: np.void, entry: int) -> Text:
    """Whether an item is ready, or when: "ready in 2 turns"; nothing to wait for if passive or switched off."""
    if not is_on(config, entry):
        return OFF
    if not is_active(config, entry):
        return PASSIVE
    left = int(s["cooldown"][entry])
    if left == 0:
        return READY
    if left == UNTIL_SAVED:
        return Text("ready after the next save", "готово после сохранения")
    return Text("ready in {}", "готово через {}").format(turns_word(left))


def decision_kind(s: np.void) -> str:
    """The kind of the decision that a match waits for."""
    if s["player"] == NOBODY:
        raise PlaymillError("the match is over: nothing is to be decided", "матч окончен: решать больше нечего")
    return CHOICE if s["choosing"] else SAVE
