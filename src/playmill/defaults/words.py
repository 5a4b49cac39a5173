"""Default `words`: short forms, observations, endings; accepts texts in one language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from types import ModuleType
from typing import Any

import numpy as np

from playmill.defaults.board_labels import BoardLabels, labels_of
from playmill.defaults.players import verdict
from playmill.defaults.table_model import board_clicks, board_size
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.acts import Act, Acts, Argument
from playmill.engine.contract.secrets import UNKNOWN, DerivedSecrets
from playmill.engine.errors.located import at_code
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.texts import Lang, PlaymillError, Text, as_text, texts_of

_DECISION = "move"
_DECISIONS = {_DECISION: Text("choose a move", "выберите ход")}
#: Functions of the module that give texts, or lists of them; an author of one language gives plain strings.
_TELLING = ("describe", "heard", "events", "witnessed", "notices")


def default_module(own: ModuleType, rules: ModuleType, hidden: Any, *, secret: bool) -> ModuleType:
    """The module `words` of a game with all that its author left out; one that lacks nothing is unchanged."""
    usual = _DefaultWords(own, rules, hidden, secret=secret)
    secrets: DerivedSecrets | None = getattr(hidden, "secrets", None)
    names = {key: getattr(usual, key) for key in ("to_text", "parse", "fields", "seen", "events", "position")}
    missing = {key: value for key, value in names.items() if not hasattr(own, key)}
    if not hasattr(own, "decision_kind"):
        missing |= {"decision_kind": lambda s: _DECISION, "DECISION_NAMES": _DECISIONS}
    aloud = own.witnessed is None and (own.ALOUD or (secrets is not None and own.ALOUD is None))
    if not missing and not aloud and secrets is None and own.__name__.startswith("playmill."):
        return own
    made = ModuleType(own.__name__, own.__doc__)
    made.__dict__.update({**missing, **vars(own), "TITLE": as_text(own.TITLE), "ABOUT": as_text(own.ABOUT)})
    for key in _TELLING:
        if (function := getattr(own, key, None)) is not None:
            setattr(made, key, _in_both(function, one=key in ("describe", "heard")))
    if secrets is not None:
        _mask_states(made, secrets, own)
    if aloud:
        made.__dict__["witnessed"] = partial(_heard_by, made, secrets if hasattr(own, "events") else None)
    kinds: Mapping[str, Text | str] = getattr(made, "DECISION_NAMES", {})
    made.__dict__["DECISION_NAMES"] = texts_of(kinds)
    return made


def _heard_by(
    words: Any,
    secrets: DerivedSecrets | None,
    config: RuleConfig,
    before: np.void,
    after: np.void,
    action: int,
    player: int | None,
) -> list[Text]:
    """The log of an action for a seat: what it hears, and what came of it as far as it can see."""
    own = player is not None and before["player"] == player
    phrase = words.describe(config, action) if own or words.heard is None else words.heard(config, action)
    if secrets is not None:
        before, after = secrets.masked(config, before, player), secrets.masked(config, after, player)
    return [phrase, *words.events(config, before, after, action)]


def _mask_states(words: ModuleType, secrets: DerivedSecrets, own: ModuleType) -> None:
    """Lets the author's functions that speak to one seat see no more of a state than that seat does."""
    for key in ("witnessed", "notices", "flights"):
        if (function := getattr(words, key)) is not None:
            setattr(words, key, partial(_of_masked_states, secrets, function))
    if hasattr(own, "seen"):
        seen = own.seen
        words.__dict__["seen"] = lambda config, s, player, lang: seen(
            config, secrets.masked(config, s, player), player, lang
        )
    if (brings := own.brings) is not None:
        words.__dict__["brings"] = lambda config, s, legal: brings(
            config, secrets.masked(config, s, int(s["player"])), legal
        )


def _of_masked_states(
    secrets: DerivedSecrets,
    function: Callable[..., Any],
    config: RuleConfig,
    before: np.void,
    after: np.void,
    action: int,
    player: int | None,
) -> Any:
    before, after = secrets.masked(config, before, player), secrets.masked(config, after, player)
    return function(config, before, after, action, player)


def _in_both(function: Callable[..., Any], *, one: bool) -> Callable[..., Any]:
    """Wraps a function so that plain strings it returns become texts: `one`, or a list of them."""
    wanted = Text("a text, a string or Text(english, russian)", "текст: строку или Text(английский, русский)")
    several = Text("a list of texts", "список текстов")

    def in_both(*args: Any, **more: Any) -> Any:
        found = function(*args, **more)
        if isinstance(found, str | Text):
            return as_text(found)
        if one or not isinstance(found, Iterable):
            expected = wanted if one else several
            raise at_code(
                function.__code__,
                Text(
                    f"{function.__name__} must return {expected.en}, and returned {found!r}",
                    f"{function.__name__} должна вернуть {expected.ru}, а вернула {found!r}",
                ),
            )
        return [as_text(line) for line in found]

    return in_both


class _DefaultWords:
    """The default texts of a game."""

    def __init__(self, own: ModuleType, rules: ModuleType, hidden: Any, *, secret: bool) -> None:
        self._own, self._rules, self._hidden, self._secret = own, rules, hidden, secret

    def to_text(self, config: RuleConfig, action: int) -> str:
        """An action as its number."""
        return str(int(action))

    def parse(self, config: RuleConfig, text: str) -> int:
        """The action with that short form, whatever its spaces and capitals."""
        return self._acts.parse(config, text)

    @cached_property
    def _acts(self) -> Acts:
        """A table of one act, which is known by its short forms alone."""
        short = getattr(self._own, "to_text", self.to_text)

        def among(config: RuleConfig) -> Iterator[int]:
            for action in range(self._rules.MAX_ACTIONS):
                with suppress(PlaymillError, LookupError):  # there is no such action under this config
                    short(config, action)
                    yield action

        act = Argument(self._rules.MAX_ACTIONS, short, among=among)
        return Acts(Act(0, "{action}", "", {"action": act}, key="action"))

    def fields(self, config: RuleConfig, action: int) -> dict[str, Any]:
        """An action by its short form."""
        return {"act": getattr(self._own, "to_text", self.to_text)(config, action)}

    def seen(self, config: RuleConfig, s: np.void, player: int, lang: Lang) -> dict[str, Any]:
        """Every field of the state, as far as the player sees it: by its declaration, else by `observe`."""
        if not self._secret:
            return {name: np.asarray(s[name]).tolist() for name in s.dtype.names or ()}
        if (secrets := getattr(self._hidden, "secrets", None)) is not None:
            known = secrets.masked(config, s, player)
            return {name: _with_gaps(known[name], name in secrets.fields) for name in s.dtype.names or ()}
        record, out = np.zeros(1, s.dtype), np.zeros(self._hidden.OBSERVATION, np.int32)
        record[0] = s
        cfg = plain(config.pack(self._rules.MAX_PLAYERS))[0]
        interpreted(self._hidden.observe)(cfg, plain(record)[0], player, plain(out))
        return {"observation": out.tolist()}

    def events(self, config: RuleConfig, before: np.void, after: np.void, action: int) -> list[Text]:
        """How the game has ended, once it has."""
        return [verdict(self._rules, config, after)] if after["player"] < 0 else []

    def position(self, config: RuleConfig, s: np.void, lang: Lang) -> str:
        """Every field of the state: a line for a number or a row of them, a block for rows of rows."""
        lines = []
        for name in s.dtype.names or ():
            values = np.asarray(s[name])
            if values.ndim < 2:
                lines.append(f"{name}: {' '.join(map(str, values.reshape(-1).tolist()))}")
            else:
                lines.append(f"{name}:")
                labels = self._labels(config, values) if name == "board" and values.ndim == 2 else BoardLabels()
                lines += [f"  {line}" for line in _rows(values.reshape(-1, values.shape[-1]).tolist(), labels)]
        return "\n".join(lines)

    def _labels(self, config: RuleConfig, board: np.ndarray[Any, Any]) -> BoardLabels:
        """What columns and rows of the whole board are called, as beside its picture."""
        short = getattr(self._own, "to_text", self.to_text)
        clicks = board_clicks(self._rules.MAX_ACTIONS, board.shape, *board_size(config, board.shape))
        return labels_of(partial(short, config), clicks)


def _with_gaps(values: Any, gaps: bool) -> Any:
    """A field as lists; None stands for what is unknown."""
    array = np.asarray(values)
    if gaps:
        array = array.astype(object)
        array[array == UNKNOWN] = None
    return array.tolist()


def _rows(values: Sequence[Sequence[int]], labels: BoardLabels) -> list[str]:
    """Rows of numbers in columns, under and beside what these are called; a dot stands for 0."""
    cells = [[str(value) if value else "·" for value in row] for row in values]
    heads = [[*labels.columns, *("" for _ in cells[0][len(labels.columns) :])]] if labels.columns else []
    width = max(len(cell) for row in [*heads, *cells] for cell in row)
    lines = [" ".join(cell.rjust(width) for cell in row) for row in [*heads, *cells]]
    if not labels.rows:
        return [line.rstrip() for line in lines]
    beside = ["" for _ in heads] + [*labels.rows, *("" for _ in cells[len(labels.rows) :])]
    width = max(map(len, beside))
    return [f"{name.rjust(width)} {line}".rstrip() for name, line in zip(beside, lines, strict=True)]
