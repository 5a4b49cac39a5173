"""Networks from files, `net:FILE.npz`: read, checked, and turned into whole numbers; nothing in a file is run.

A file holds plain arrays: `game` and `version` of the rules it was trained on, `shift` and `scale` of what is seen,
`weight_0`, `bias_0`, … of layers with a rectifier behind each, and on them `policy_weight`, `policy_bias` (a number for
each action of the game) and `value_weight`, `value_bias` (what the player to move can expect). `mixes` is 1 if actions
are to be drawn by their chances, 0 if the likeliest one is to be taken. There may be `marks`, pairs of a place and a
number: behind what is seen, each is an input that is 1 where what is seen in that place is at least that number. `over`
names paths of the config whose numbers are seen, too, behind the rest: so one network plays a range of rules. With
`hint_weight` and `hint_bias`, one number more is added to that of the action which the game's own heuristic would take.

`seats` is the number of players of a network that has a value for each of them: it sees, behind the observation, in
which seat it sits. It needs no policy: without one only `search` takes it, and tries first what the heuristic does.
`plays` may say how `expert` uses it, and `settings` by which rules it was trained (see `experts.py`).

Weights become multiples of 2^-16 in the first layer and of 2^-14 behind it, what a neuron hands on one of 2^-12. So a
network plays the same on every machine, inside the compiled loops (see `engine/kernels/network.py`).
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.config.model import RuleConfig, differences, value_at
from playmill.engine.contract.agent import LookupValues, NetworkTable
from playmill.engine.contract.game import Game
from playmill.engine.kernels import network as layout
from playmill.texts import PlaymillError, Text

PREFIX = "net:"
_ALWAYS = ("game", "version", "mixes", "shift", "scale", "policy_weight", "policy_bias", "value_weight", "value_bias")
#: Binary digits behind the point: of weights in the first layer, of the others, and of what neurons hand on.
_FIRST, _LATER, _ACTIVE = 16, 14, 12
#: Whole numbers up to this are exact in float64.
_EXACT = float(1 << 53)
#: A number that is seen has a row for each value where there are at most so many between its thresholds.
_USUAL = 64


class Network(NamedTuple):
    """A network as rules read it: its table, and what all players get together, if that is always the same."""

    table: NetworkTable
    together: float = 0.0
    #: The number of players it was trained for, each of whom has a value; 0 if it has one value alone.
    seats: int = 0

    @property
    def values(self) -> LookupValues:
        """The table of one that plays by its rules alone."""
        assert isinstance(self.table, np.ndarray), "it is one over a range of rules"
        return self.table


class _TooLargeError(Exception):
    """A sum could become too large to be exact."""


def read_network(game: Game, players: int, place: Path, shown: str, *, judges: bool = False) -> Network:
    """Loads the network of a file; raises unless it was trained for this game and so many players, and can play.

    One that only `judges` needs no policy.
    """
    arrays = _fitting(game, place, shown)
    seats = int(arrays.get("seats", 0))
    if seats not in (0, players):
        raise _refused(shown, Text(f"it was trained for {seats} players", f"она обучена на {seats} игроков"))
    if not judges and "policy_weight" not in arrays:
        why = Text(
            f"it has values alone; search:net={shown} takes it", f"в ней только оценки; её берёт search:net={shown}"
        )
        raise _refused(shown, why)
    try:
        with np.errstate(all="ignore"):  # what overflows is too large, too
            made = table_of(arrays)
            if isinstance(made, RangeTable):
                made.table(game.config())
        return Network(made, seats=seats)
    except _TooLargeError:
        raise _refused(shown, Text("its weights are too large", "её веса слишком велики")) from None


class Use(NamedTuple):
    """What the network of a file is for: how many players, 0 for any; how it plays, if that is said; which rules."""

    seats: int
    plays: str
    #: What differs from the usual rules, by path.
    settings: Mapping[str, Any]
    #: Paths of settings that the network sees: it is for any of their values.
    over: tuple[str, ...]

    def covers(self, config: RuleConfig) -> bool:
        """Whether it has learned these rules."""
        changed = differences(config)
        free = {path for path in {*changed, *self.settings} if path in self.over}
        return {path: value for path, value in changed.items() if path not in free} == {
            path: value for path, value in self.settings.items() if path not in free
        }


def read_use(place: Path, shown: str) -> Use:
    """Reads what the network of a file is for."""
    arrays = _arrays(place, shown)
    try:
        settings = json.loads(str(arrays.get("settings", "{}")))
        over = tuple(str(path) for path in np.atleast_1d(arrays.get("over", ())))
        use = Use(int(arrays.get("seats", 0)), str(arrays.get("plays", "")), dict(settings), over)
    except (TypeError, ValueError):
        raise _refused(shown, Text("its arrays do not fit the game", "её массивы не подходят к игре")) from None
    if use.plays.partition(":")[0] not in ("", "search"):
        found = ascii(use.plays[:40])
        why = Text(
            f"its array `plays` says {found}; expected search:…, or nothing",
            f"в её массиве `plays` стоит {found}, а ожидается search:… или ничего",
        )
        raise _refused(shown, why)
    return use


def read_judge(game: Game, players: int, place: Path, shown: str, config: RuleConfig | None = None) -> Network:
    """Loads the network of a file for `search`: it has a value for each seat, or one's determines that of all.

    What all get together depends on the rules: without a config, on the usual ones.
    """
    read = read_network(game, players, place, shown, judges=True)
    if isinstance(read.table, RangeTable):
        why = Text("search takes one that was learned without --over", "search берёт только обученную без --over")
        raise _refused(shown, why)
    if read.seats:
        return read
    together = game.stakes(config or game.config(), players).together if players == 2 else 0
    if players > 2 or together is None:
        raise PlaymillError(
            f"search takes a network in games for one, or for two who always get the same together: {game.name} for"
            f" {players} is none",
            "search берёт сеть в играх для одного или для двоих, чья сумма всегда одна и та же:"
            f" {game.name} на {players} не такова",
        )
    return read._replace(together=float(together))


class RangeTable:
    """The table of a network that sees numbers of the config: the same all game long, they become biases."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._arrays, self._paths = arrays, [str(path) for path in arrays["over"]]
        #: Tables by numbers, and by the very config that was asked for last: single decisions ask for it, too.
        self._made: dict[tuple[float, ...], LookupValues] = {}
        self._asked: dict[int, tuple[RuleConfig, LookupValues]] = {}

    def table(self, config: RuleConfig) -> LookupValues:
        """Returns the table for a config."""
        asked = self._asked.get(id(config))
        if asked is not None and asked[0] is config:
            return asked[1]
        data = config.model_dump(mode="json")
        numbers = tuple(float(value_at(data, path)) for path in self._paths)
        found = self._made.get(numbers)
        if found is None:
            found = network_table(self._with(numbers))
            self._made = {**self._made, numbers: found} if len(self._made) < _KEPT else {numbers: found}
        self._asked = {**self._asked, id(config): (config, found)} if len(self._asked) < _KEPT else {}
        return found

    def _with(self, numbers: Sequence[float]) -> dict[str, Any]:
        """Returns the arrays of the network for these numbers alone."""
        arrays, more = self._arrays, len(numbers)
        shift, scale, weight = (_floats(arrays[name]) for name in ("shift", "scale", "weight_0"))
        marks = np.asarray(arrays.get("marks", np.zeros((0, 2))), np.float64)
        seen, size = len(shift) - more, len(shift)
        added = [weight[seen + k] * ((number - shift[seen + k]) * scale[seen + k]) for k, number in enumerate(numbers)]
        for mark, (place, least) in enumerate(marks):
            if place >= seen and numbers[int(place) - seen] >= least:
                added.append(weight[size + mark])
        bias = [fsum(column) for column in zip(_floats(arrays["bias_0"]), *added, strict=True)]
        kept = marks[:, 0] < seen
        rest = {"shift": shift[:seen], "scale": scale[:seen], "marks": marks[kept], "bias_0": np.array(bias)}
        return {**arrays, **rest, "weight_0": np.concatenate([weight[:seen], weight[size:][kept]])}


#: Tables of a network that are kept, by config.
_KEPT = 64


def table_of(arrays: Mapping[str, Any]) -> NetworkTable:
    """Returns the table of the arrays of a file, or what makes it for a config."""
    return RangeTable(arrays) if len(arrays.get("over", ())) else network_table(arrays)


def network_table(arrays: Mapping[str, Any]) -> LookupValues:
    """Turns the arrays of a file into the table of a network of whole numbers (`engine/kernels/network.py`)."""
    layers = [(_floats(arrays[f"weight_{k}"]), _floats(arrays[f"bias_{k}"])) for k in range(_depth(arrays))]
    scale, shift = _floats(arrays["scale"]), _floats(arrays["shift"])
    marks = np.asarray(arrays.get("marks", np.zeros((0, 2))), np.int64)
    weight, bias = layers[0]
    raw, marked = weight[: len(scale)] * scale[:, None], weight[len(scale) :]
    # Rounded once and for all, since a sum's last digits depend on the machine that adds it up.
    bias = np.array([own - fsum(column) for own, column in zip(bias, (raw * shift[:, None]).T, strict=True)])
    width = -(-max(weight.shape[1] for weight, _ in layers) // layout.COLUMNS) * layout.COLUMNS
    made = _Table(width)
    made.head[layout.LAYERS], made.head[layout.MIXES] = len(layers), bool(arrays["mixes"])
    made.add_inputs(_whole(raw, _FIRST), _whole(marked, _FIRST), marks, _whole(bias, _FIRST))
    for number, (weight, bias) in enumerate(layers[1:], 1):
        made.add_layer(number, _whole(weight, _LATER), _whole(bias, _LATER + _ACTIVE))
    names = [name for name in ("value", "policy", "hint") if f"{name}_weight" in arrays]
    weight, bias = (np.concatenate([_floats(arrays[f"{name}_{kind}"]) for name in names], axis=-1) for kind in _KINDS)
    made.add_outputs(_whole(weight.T, _LATER), _whole(bias, _LATER + _ACTIVE))
    made.head[layout.VALUES], made.head[layout.POLICY] = np.size(arrays["value_bias"]), "policy_weight" in arrays
    made.head[layout.HINT] = len(bias) - 1 if "hint" in names else 0
    return made.table()


_KINDS = ("weight", "bias")


class _Table:
    """Lays out the numbers of a network one after the other."""

    def __init__(self, width: int) -> None:
        self.head = np.zeros(layout.INPUT)
        self._width = width
        self.head[layout.WIDTH] = width
        self._parts: list[LookupValues] = []
        self._inputs: LookupValues = np.zeros((0, layout.INPUT_SIZE))
        self._length = 0

    def add_inputs(self, raw: Any, marked: Any, marks: Any, bias: Any) -> None:
        """The first layer: what each number adds that is seen, beside what it adds if it is 0."""
        order = np.argsort(marks[:, 1], kind="stable")
        self._inputs = np.zeros((len(raw), layout.INPUT_SIZE))
        self._length = layout.INPUT + self._inputs.size
        self.head[layout.INPUTS] = len(raw)
        # The most that a value has, and that it differs from the nearest one with a row of its own.
        most = np.abs(bias) + np.abs(raw).sum(axis=0) * 3 * layout.MOST_SEEN
        for place, own in enumerate(raw):
            here = order[marks[order, 0] == place]
            if not own.any() and not len(here):
                continue
            thresholds = marks[here, 1]
            sums = np.concatenate([np.zeros((1, len(bias))), np.cumsum(marked[here], axis=0)])
            reached = np.searchsorted(thresholds, 0, side="right")
            bias = bias + sums[reached]
            sums -= sums[reached]
            most += np.abs(sums).max(axis=0) + np.abs(sums[0])
            more = self._add(self._padded(own[None])) if own.any() else 0
            least, last = (thresholds[0] - 1, thresholds[-1]) if len(thresholds) else (0, 0)
            if last - least < _USUAL and max(-least, last) <= layout.MOST_SEEN:
                values = np.arange(least, last + 1)
                rows = sums[np.searchsorted(thresholds, values, side="right")] + own * values[:, None]
                self._inputs[place] = self._add(self._padded(rows)), len(rows), 0, least, more
            else:
                first = self._add(thresholds.astype(np.float64))
                self._inputs[place] = self._add(self._padded(sums)), len(sums), first, 0, more
        # The rows of a layer are followed by its biases: here, where rows belong to inputs, there are none.
        self._note(0, self._add(self._padded(bias[None])), 0, _ACTIVE - _FIRST, most)

    def add_layer(self, number: int, weight: Any, bias: Any) -> None:
        """A layer behind the first."""
        first = self._add(self._padded(weight), self._padded(bias[None]))
        self._note(number, first, len(weight), -_LATER, np.abs(bias) + np.abs(weight).sum(axis=0) * layout.MOST_ACTIVE)

    def add_outputs(self, weight: Any, bias: Any) -> None:
        """The value and a number for each action, each a row with its bias behind it."""
        self._check(np.abs(bias) + np.abs(weight).sum(axis=1) * layout.MOST_ACTIVE)
        rows = np.concatenate([self._padded(weight), bias[:, None]], axis=1)
        self.head[layout.OUTPUTS] = self._add(rows)
        self.head[layout.TO_UNITS] = 2.0 ** -(_LATER + _ACTIVE)
        self.head[layout.TO_STEPS] = layout.STEPS_PER_UNIT * self.head[layout.TO_UNITS]

    def table(self) -> LookupValues:
        """All of it as one array."""
        return np.concatenate([self.head, self._inputs.ravel(), *self._parts])

    def _note(self, number: int, first: int, size: int, shift: int, most: Any) -> None:
        self._check(most)
        at = layout.LAYER + 3 * number
        self.head[at : at + 3] = first, size, 2.0**shift

    def _check(self, most: Any) -> None:
        if not (most < _EXACT).all():
            raise _TooLargeError

    def _padded(self, rows: Any) -> LookupValues:
        made = np.zeros((len(rows), self._width))
        made[:, : rows.shape[1]] = rows
        return made

    def _add(self, *parts: LookupValues) -> int:
        """Adds parts in a row; returns where the first begins."""
        first = self._length
        for part in parts:
            self._parts.append(part.ravel())
            self._length += part.size
        return first


def _floats(array: Any) -> LookupValues:
    return np.asarray(array, np.float64)


def _whole(array: LookupValues, digits: int) -> LookupValues:
    """Numbers as multiples of 2^-digits."""
    return np.rint(array * float(1 << digits))


def _depth(arrays: Mapping[str, Any]) -> int:
    return sum(name.startswith("weight_") for name in arrays)


def _fitting(game: Game, place: Path, shown: str) -> dict[str, Any]:
    """The arrays of a file, if they fit the game."""
    arrays = _arrays(place, shown)
    needed = [name for name in _ALWAYS if "seats" not in arrays or not name.startswith("policy")]
    missing = [name for name in (*needed, "weight_0", "bias_0") if name not in arrays]
    if missing:
        raise _refused(shown, Text(f"it lacks {missing[0]}", f"в ней нет {missing[0]}"))
    trained = f"{arrays['game']}/{arrays['version']}"
    if trained != f"{game.name}/{game.version}":
        raise _refused(
            shown,
            Text(
                f"it was trained for {trained}, not for {game.name}/{game.version}",
                f"она обучена игре {trained}, а не {game.name}/{game.version}",
            ),
        )
    if _depth(arrays) > layout.MOST_LAYERS:
        most = layout.MOST_LAYERS
        raise _refused(shown, Text(f"it has more than {most} layers", f"в ней больше {most} слоёв"))
    try:
        fits = _fits(game, arrays)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        fits = False
    if not fits:
        raise _refused(shown, Text("its arrays do not fit the game", "её массивы не подходят к игре"))
    if max(np.asarray(arrays[f"bias_{k}"]).size for k in range(_depth(arrays))) > layout.MOST_WIDTH:
        most = layout.MOST_WIDTH
        raise _refused(shown, Text(f"a layer has more than {most} neurons", f"в слое больше {most} нейронов"))
    return arrays


def _fits(game: Game, arrays: Mapping[str, Any]) -> bool:
    """Whether arrays have the shapes of a network for a game, and nothing but numbers in them."""
    marks = np.asarray(arrays.get("marks", np.zeros((0, 2))))
    seats = int(arrays.get("seats", 0))
    seen = game.observation + (seats > 0) + len(_numbers_over(game, arrays))
    size = seen + len(marks)
    shapes: dict[str, tuple[int, ...]] = {"shift": (seen,), "scale": (seen,), "mixes": ()}
    for k in range(_depth(arrays)):
        out = np.asarray(arrays[f"bias_{k}"]).size
        shapes |= {f"weight_{k}": (size, out), f"bias_{k}": (out,)}
        size = out
    if "policy_weight" in arrays:
        shapes |= {"policy_weight": (size, game.actions), "policy_bias": (game.actions,)}
    shapes |= {"value_weight": (size, max(seats, 1)), "value_bias": (max(seats, 1),)}
    if "hint_weight" in arrays:
        shapes |= {"hint_weight": (size, 1), "hint_bias": (1,)}
        if layout.hinting(game) is None:
            return False
    found = {name: np.asarray(arrays[name]) for name in shapes}
    if any(found[name].shape != shape or not np.isfinite(_floats(found[name])).all() for name, shape in shapes.items()):
        return False
    places = marks[:, 0] if marks.shape[1:] == (2,) else np.array([-1])
    return size > 0 and bool(((places >= 0) & (places < seen)).all())


def _numbers_over(game: Game, arrays: Mapping[str, Any]) -> list[float]:
    """The numbers of the config that a network sees, as the rules have them; raises if one is none."""
    data = game.config().model_dump(mode="json")
    return [float(value_at(data, str(path))) for path in np.atleast_1d(arrays.get("over", ()))]


#: What reading a file of arrays can raise that was cut, changed or is of something else.
DAMAGED = (OSError, ValueError, EOFError, AttributeError, RuntimeError, MemoryError, zipfile.BadZipFile, zlib.error)


def read_arrays(place: Path) -> dict[str, Any]:
    """Reads all arrays of a file."""
    with np.load(place, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _arrays(place: Path, shown: str) -> dict[str, Any]:
    if not place.is_file():
        raise PlaymillError(f"there is no file {shown} of a network", f"файла сети {shown} нет")
    try:
        return read_arrays(place)
    except DAMAGED:
        raise _refused(shown, Text("it is no .npz file of plain arrays", "это не файл .npz с массивами")) from None


def _refused(shown: str, why: Text) -> PlaymillError:
    return PlaymillError(f"the network {shown} cannot play: {why.en}", f"сеть {shown} играть не может: {why.ru}")
