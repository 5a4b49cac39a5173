"""Hand-made positions of Dice in letters, played by the interpreter.

Dice are the letters a to f, by position. A roll is six characters, `15.2..`: what each die shows, a dot where it is
banked. Actions are `save ac` (and throw the rest), `pass ac` (save and pass), `use shield` (an item by its id) and
`choose bd`. Throws to come are given as rolls too; a dot there is a die that is not thrown. After those given, all fair
dice fall on 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from common import positions
from common.interpreter import new_rng
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import _ALL_BITS, _GOLDEN, _MIX_1, _MIX_2, SEATS, AgentRng, seed_agent_rng
from playmill.engine.lang.rule import interpreted
from playmill.games.dice import constants
from playmill.games.dice.actions import CHOOSE, FACE, PASS, USE
from playmill.games.dice.agents import AGENTS
from playmill.games.dice.config import Config
from playmill.games.dice.content import library
from playmill.games.dice.rules.effects import LOG, THREW
from playmill.games.dice.rules.throws import lay
from playmill.games.dice.scoring import savable

LETTERS = "abcdef"
#: The flags with rules of their own, and some that tests name, each with the turns it lasts (0: until used).
FLAGS = ("bust_shield", "double_next_save")
OWN_FLAGS = {"spark": 0, "ember": 0, "brief": 1, "long": 3}
SEED = 5
FAIR = (1, 1, 1, 1, 1, 1)
ONES = (5, 1, 1, 1, 1, 1)
EVIL = (1, 3, 3, 3, 1, 3)

Data = dict[str, Any]
Entry = Data | str

_savable, _lay = interpreted(savable), interpreted(lay)
_seed_agent_rng = interpreted(seed_agent_rng)
_CHOOSE = {name: interpreted(agent.choose) for name, agent in AGENTS.items()}

_PARAMS = np.dtype([("value", np.float64, (SEATS, 8))])
#: Keeps the ids of tests apart from those of the library.
_OWN = "own_"
_NOTE = {"en": "note", "ru": "запись"}


# Content and set-ups


def _entry(name: str, **fields: Any) -> Data:
    told = {field: value for field, value in fields.items() if value is not None}
    return {"id": _OWN + name, "name": {"en": name, "ru": name}, "desc": {"en": name, "ru": name}, **told}


def modifier(name: str, trigger: str, effect: Any, when: Data | None = None) -> Data:
    """A modifier in the format of content files."""
    return _entry(name, trigger=trigger, condition=when, effect=effect, note=_NOTE)


def passive(name: str, triggers: str, effect: Any, when: Data | None = None) -> Data:
    """A passive item; `triggers` are parted by blanks."""
    listed = triggers.split()
    return _entry(name, type="passive", triggers=listed, condition=when, effect=effect, notification=_NOTE)


def active(name: str, effect: Any, when: Data | None = None, cooldown: int = 4) -> Data:
    """An active item."""
    return _entry(
        name, type="active", cooldown_turns=cooldown, activate_condition=when, effect=effect, notification=_NOTE
    )


SHIELD = active("shield", {"set_flag": "bust_shield"}, cooldown=6)
DOUBLE = active("double", {"set_flag": "double_next_save"})


def flag_entry(name: str, turns: int) -> Data:
    """A flag of content's own."""
    lasts = {0: {}, 1: {"lasts": "turn"}}.get(turns, {"lasts": "turns", "turns": turns})
    return {"id": name, "name": {"en": name, "ru": name}, **lasts}


def off(entry: Entry) -> Data:
    """An entry switched off in the match that lists it."""
    return {"off": entry}


def match(
    *,
    table: Sequence[Entry] = (),
    mine: Sequence[Entry] = (),
    theirs: Sequence[Entry] = (),
    dice: Sequence[Any] = (FAIR, FAIR),
    target: int = 4000,
    max_turns: int = 1000,
    must_roll: bool = False,
) -> Config:
    """A set-up: content of the table, of seat 0 and of seat 1, by ids of the library or written out.

    `dice` are for each seat the weights of all six, or a list of six weights.
    """
    shipped = library().ids()
    new: dict[str, dict[str, Data]] = {"modifiers": {}, "items": {}, "dice": {}}

    def listed(entries: Sequence[Entry], kind: str) -> list[Any]:
        found: list[Any] = []
        for entry in entries:
            if isinstance(entry, dict) and "off" in entry:
                found += [{"id": name, "enabled": False} for name in listed([entry["off"]], kind)]
            elif isinstance(entry, str):
                if shipped[entry] == kind:
                    found.append(entry)
            elif ("type" in entry) == (kind == "items"):
                found.append(entry["id"])
                new[kind][entry["id"]] = entry
        return found

    def die(weights: Sequence[int]) -> str:
        if tuple(weights) == FAIR:
            return "fair"
        same = (name for name, made in new["dice"].items() if made["weights"] == list(weights))
        name = next(same, f"{_OWN}die_{len(new['dice'])}")
        new["dice"][name] = _entry(name.removeprefix(_OWN), code="x", weights=list(weights), rarity="common")
        return name

    sides = []
    for entries, its_dice in zip((mine, theirs), dice, strict=True):
        each = [its_dice] * 6 if isinstance(its_dice[0], int) else its_dice
        its_lists = {kind: listed(entries, kind) for kind in ("modifiers", "items")}
        sides.append({"dice": [die(weights) for weights in each], **its_lists})
    data = {
        "target_score": target,
        "max_turns": max_turns,
        "hot_dice_must_roll": must_roll,
        "players": sides,
        "global_modifiers": listed(table, "modifiers"),
        "global_items": listed(table, "items"),
        "content": {kind: list(entries.values()) for kind, entries in new.items()}
        | {"flags": [flag_entry(name, turns) for name, turns in OWN_FLAGS.items()]},
    }
    return _read(json.dumps(data))


@cache
def _read(text: str) -> Config:
    return Config.read(json.loads(text))


#: Set-ups by their identity, each with its record and the names of its modifiers and items.
_made: dict[int, tuple[Config, Any, list[str]]] = {}


def _packed(config: Config) -> tuple[Any, list[str]]:
    if id(config) not in _made:
        names = [short(entry.content.id) for entry in config.resolved().entries]
        _made[id(config)] = config, plain(config.pack(2))[0], names
    return _made[id(config)][1:]


def short(name: str) -> str:
    """An id as tests write it."""
    return name.removeprefix(_OWN)


# Luck


def agent_rng(seed: int = SEED) -> Any:
    """The random numbers of agents."""
    made = plain(np.zeros(1, AgentRng))[0]
    _seed_agent_rng(made, seed, 0)
    return made


class Foreseen:
    """Luck whose throws of fair dice are known: those given first, then ones only."""

    def __init__(self, throws: Iterable[str], number: int = 0) -> None:
        self.throws = list(throws)
        self.stream = self
        self._rest = new_rng(number).stream

    def __getitem__(self, stream: int) -> int:
        if stream != constants.THROW:
            return self._rest[stream]
        return (_unmixed(_word(self.throws.pop(0) if self.throws else "111111")) - _GOLDEN) & _ALL_BITS

    def __setitem__(self, stream: int, word: int) -> None:
        self._rest[stream] = word


def _word(roll: str) -> int:
    """A 64-bit word of which the rules make this roll: each half decides three dice."""
    faces = [int(face) - 1 for face in roll.replace(".", "1")]
    assert len(faces) == 6, roll
    halves = [36 * a + 6 * b + c for a, b, c in (faces[:3], faces[3:])]
    low, high = (((half << 32) + (1 << 31)) // 216 for half in halves)
    return high << 32 | low


def _unmixed(word: int) -> int:
    """The word that `mix` turns into this one."""
    word ^= word >> 31 ^ word >> 62
    word = word * pow(_MIX_2, -1, 1 << 64) & _ALL_BITS
    word ^= word >> 27 ^ word >> 54
    word = word * pow(_MIX_1, -1, 1 << 64) & _ALL_BITS
    return word ^ word >> 30 ^ word >> 60


# Positions


class Throw(NamedTuple):
    """A throw as the log tells it: whose, of which dice, and what then lies on the table."""

    player: int
    dice: str
    roll: str


def bits(letters: str) -> int:
    """The number of a set of dice."""
    return sum(1 << LETTERS.index(letter) for letter in letters)


def letters(dice: int) -> str:
    """The letters of a set of dice."""
    return "".join(letter for position, letter in enumerate(LETTERS) if dice >> position & 1)


def ways_of(roll: str) -> tuple[int, int]:
    """The ways in which the first and the last three dice of a roll lie, dice that are set aside in any."""
    faces = [0 if face == "." else int(face) - 1 for face in roll]
    return faces[0] * 36 + faces[1] * 6 + faces[2], faces[3] * 36 + faces[4] * 6 + faces[5]


def packed_roll(roll: str) -> int:
    """A roll as the rules have it."""
    return sum(1 << 6 * (int(face) - 1) + place for place, face in enumerate(roll) if face != ".")


def roll_text(roll: int) -> str:
    """A roll in characters."""
    shown = [[face for face in range(6) if roll >> 6 * face + place & 1] for place in range(6)]
    return "".join(str(faces[0] + 1) if faces else "." for faces in shown)


class Position(positions.Position, game="dice", seed=SEED):
    """A match under way; its random numbers may be foreseen."""

    def __init__(self, config: Config, rng: Any) -> None:
        cfg, self.names = _packed(config)
        super().__init__(config, 2, cfg=cfg)
        self.rng = rng

    def again(self, number: int | None = None) -> Self:
        """A copy of the position with the random numbers of another match; without one they are shared."""
        twin = super().again(number or 0)
        if number is None:
            twin.rng = self.rng
        return twin

    # What can be done, and doing it

    def sets(self) -> list[str]:
        """The sets of dice that may be saved."""
        return sorted({option.split()[1] for option in self.legal() if option.startswith(("save", "pass"))})

    def usable(self) -> list[str]:
        """The items that may be used."""
        return [option.removeprefix("use ") for option in self.legal() if option.startswith("use")]

    def text(self, action: int) -> str:
        """An action in letters."""
        if action >= FACE:
            return f"face {action - FACE}"
        if action >= CHOOSE:
            return f"choose {letters(action - CHOOSE)}"
        if action >= USE:
            return f"use {self.names[self.cfg.items[self.s.player, action - USE]]}"
        return f"pass {letters(action - PASS)}" if action >= PASS else f"save {letters(action)}"

    def advice(self, agent: str, points: int = 350, book: Any = None) -> str:
        """What an agent chooses; it must be legal, and the state must be as it was."""
        params = plain(np.zeros(1, _PARAMS))[0]
        params.value[self.s.player, 0] = points
        legal = self.legal_ids()
        before = self.source.tobytes()
        known = () if book is None else (book,)
        action = _CHOOSE[agent](self.cfg, self.s, self.options, len(legal), agent_rng(), params, *known)
        assert action in legal, f"{agent} chooses {action}, which is not among {legal}"
        assert self.source.tobytes() == before, f"{agent} changes the state"
        return self.text(action)

    # What there is

    @property
    def player(self) -> int:
        """Whose decision it is, or -1."""
        return self.s.player

    @property
    def points(self) -> int:
        """The turn's points."""
        return self.s.points

    @property
    def totals(self) -> list[int]:
        """Both totals."""
        return list(self.s.total)

    @property
    def roll(self) -> str:
        """What lies on the table."""
        return roll_text(self.s.roll)

    @property
    def won(self) -> int | None:
        """Who has won, -1 for a draw, None while the match goes on."""
        return None if self.s.player >= 0 else self.s.winner

    def flags(self, player: int = 0) -> list[str]:
        """A player's flags."""
        return [flag for place, flag in enumerate(self.flag_names) if self.s.flags[player] >> place & 1]

    @cached_property
    def flag_names(self) -> list[str]:
        """The flags that the match knows, in the order of their numbers."""
        return [*FLAGS, *(flag.id for flag in self.config.resolved().flags)]

    @property
    def locked(self) -> str:
        """The dice that are locked."""
        return letters(self.s.locked)

    def cooldowns(self) -> list[int]:
        """How long each modifier and item has to wait, in the order in which they have a say."""
        return list(self.s.cooldown)[: len(self.names)]

    def fired(self, name: str) -> tuple[int, int]:
        """How often a modifier or item fired, and how many points it moved."""
        return self.s.fired[self.names.index(name)], self.s.moved[self.names.index(name)]

    def throws(self) -> list[Throw]:
        """The throws of the last action."""
        assert self.s.noted < LOG, "the log is full"
        found = []
        for line in self.s.log[: self.s.noted]:
            if line & 15 == THREW:
                which = line >> 4 & 255
                found.append(Throw(which >> 6, letters(which & 63), roll_text(line >> 12)))
        return found


def position(
    roll: str,
    config: Config | None = None,
    *,
    then: Iterable[str] = (),
    player: int = 0,
    points: int = 0,
    totals: Sequence[int] = (0, 0),
    turns: int = 1,
    rolls: int = 1,
    hot: bool = False,
    thrown: str = "",
    locked: str = "",
    flags: Sequence[str] | Mapping[int, Sequence[str]] = (),
    cooldowns: Mapping[str, int] | None = None,
    number: int = 0,
) -> Position:
    """A position after a scoring roll; `then` are the throws to come.

    `thrown` are the dice thrown last (all on the table, if left out), `flags` the player's, or those of both by seat.
    """
    made = Position(config or match(), Foreseen(then, number))
    s = made.s
    s.winner = constants.NOBODY
    s.player, s.points, s.turns, s.rolls, s.hot = player, points, turns, rolls, int(hot)
    s.table = sum(1 << place for place, face in enumerate(roll) if face != ".")
    s.locked = bits(locked)
    s.thrown = bits(thrown) if thrown else s.table
    _lay(s, *ways_of(roll))
    assert s.roll == packed_roll(roll)
    assert _savable(s.roll, s.table), f"{roll} busts"
    for seat in range(2):
        s.total[seat] = totals[seat]
        for flag in flags.get(seat, ()) if isinstance(flags, Mapping) else flags if seat == player else ():
            place = made.flag_names.index(flag)
            s.flags[seat] |= 1 << place
            s.flag_turns[seat, place] = OWN_FLAGS.get(flag, 0)
    for name, wait in (cooldowns or {}).items():
        s.cooldown[made.names.index(name)] = wait
    return made


def deal(config: Config | None = None, *, number: int = 0, then: Iterable[str] | None = None) -> Position:
    """A match begun by the rules, with the random numbers of match `number` or with throws that are known."""
    rng = new_rng(number) if then is None else Foreseen(then, number)
    return Position(config or match(), rng).deal()
