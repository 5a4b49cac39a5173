"""What never happened in the games of a check: actions, fields, kinds of decisions, cards, values and endings.

Nothing of it is wrong by itself. A rule that can never come up looks so, and so does a game that has been looked at too
little: every sentence says how many games it is about. What comes up with other settings is not worth a look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.config.settings import Setting, SettingKind, settings_of
from playmill.engine.contract.game import Game
from playmill.engine.contract.invariants import Cards, Invariant, Pile, cards_in, number_of
from playmill.texts import PlaymillError, Text, as_text, plural

#: So many names are listed, and a range with more values than these is none of single things.
_LISTED, _VALUES = 6, 40
#: An option must have been offered to agents so often before it says something that none took it.
_OFTEN = 30
#: Fields that are what they are from the deal on.
_GIVEN = ("players",)
#: Of the positions one in so many is kept, up to so many.
_ONE_IN, _POSITIONS = 29, 24


@dataclass
class Coverage:
    """Collects what happened in games, under one config or several."""

    game: Game
    games: int = 0
    offered: set[int] = field(default_factory=set)
    chosen: set[int] = field(default_factory=set)
    #: How often agents of the game's own were offered an act, and which acts they chose.
    to_agents: Counter[str] = field(default_factory=Counter)
    by_agents: set[str] = field(default_factory=set)
    agents: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    #: Fields that have had one value only, with it.
    constant: dict[str, bytes] = field(default_factory=dict)
    #: Values of fields whose range an invariant declares, cards seen in piles, and the values of endings.
    values: dict[str, set[int]] = field(default_factory=dict)
    cards: dict[str, set[int]] = field(default_factory=dict)
    endings: dict[str, set[int]] = field(default_factory=dict)
    #: A few of the positions, in which a number may be another one for once.
    positions: list[np.void] = field(default_factory=list)
    _looks: int = 0
    _varied: set[str] = field(default_factory=set)
    _acts: dict[int, str] = field(default_factory=dict)

    def look_at(self, config: RuleConfig, s: np.void) -> None:
        """Notes a position."""
        self._looks += 1
        if self._looks % _ONE_IN == 0 and len(self.positions) < _POSITIONS:
            self.positions.append(s.copy())
        for name in self.game.state.names or ():
            if name not in self._varied:
                now = s[name].tobytes()
                if self.constant.setdefault(name, now) != now:
                    self._varied.add(name)
                    del self.constant[name]
        if s["player"] >= 0 and self.game.words.DECISION_NAMES:
            self.kinds.add(self.game.words.decision_kind(s))
        for one in self.game.invariants:
            if one.bounds is not None:
                self.values.setdefault(one.bounds[0], set()).update(np.ravel(s[one.bounds[0]]).tolist())
            for pile in one.piles if one.cards is not None else ():
                if (pile_name := _pile_name(pile)) is not None:
                    self.cards.setdefault(pile_name, set()).update(cards_in(config, s, pile))

    def decision(self, config: RuleConfig, options: Sequence[int], action: int, agent: str = "") -> None:
        """Notes what was offered and chosen, and by which agent of the game's own."""
        self.offered.update(options)
        self.chosen.add(action)
        if agent and len(options) > 1:
            self.agents.add(agent)
            self.to_agents.update({self.act(config, option) for option in options})
            self.by_agents.add(self.act(config, action))

    def end(self, row: np.void | None = None) -> None:
        """Notes the end of a game, and the row saved of it."""
        self.games += 1
        for name in _named_values(self.game) if row is not None else ():
            self.endings.setdefault(name, set()).update(np.ravel(row[name]).tolist())  # type: ignore[index]

    def act(self, config: RuleConfig, action: int) -> str:
        """The kind of an action, by its words."""
        if action not in self._acts:
            self._acts[action] = act_of(self.game, config, action)
        return self._acts[action]


def act_of(game: Game, config: RuleConfig, action: int) -> str:
    """The kind of an action, by its words."""
    return str(game.words.fields(config, action).get("act", game.words.to_text(config, action)))


def never(game: Game, config: RuleConfig, found: Coverage, elsewhere: Coverage) -> Iterator[Text]:
    """Sentences about what never happened; what happened `elsewhere`, under other settings, is told in one."""
    n = found.games
    many = Text(f"in {n} {plural(n, 'game|games')}", f"в {n} {plural(n, 'партии|партиях|партиях')}")
    by_config: list[Text] = []
    lacks = False
    for missing in (
        _actions(game, config, found, elsewhere, by_config),
        _fields(found, elsewhere, by_config),
        _kinds(game, found, elsewhere, by_config),
        _cards(game, config, found),
        _values(game, config, found, elsewhere, by_config),
        _endings(game, found),
    ):
        for what, which in missing:
            lacks = True
            yield Text(f"{what.en} {many.en}: {which.en}", f"{what.ru} {many.ru}: {which.ru}")
    if by_config:
        which = Text.join(by_config, "; ")
        yield Text(
            f"never with these settings, but with others, so by config: {which.en}",
            f"ни разу с этими настройками, но с другими бывает, то есть дело в них: {which.ru}",
        )
    untried = sorted({one.path.partition(".")[0] for one in settings_of(config).leaves() if not _is_tried(one)})
    if lacks and untried:
        names = _listed(untried)
        yield Text(
            f"of that, what only other values of these settings bring in is by config: {names.en} (no numbers, so none"
            " were tried)",
            f"из этого то, что приносят лишь другие значения этих настроек, зависит от них: {names.ru} (это не числа, и"
            " других не пробовали)",
        )


def _is_tried(setting: Setting) -> bool:
    """Whether a setting was also tried at its bounds."""
    return setting.fixed or setting.kind in (SettingKind.NUMBER, SettingKind.SWITCH)


#: What never happened, and which ones.
Missing = tuple[Text, Text]


def _actions(
    game: Game, config: RuleConfig, found: Coverage, elsewhere: Coverage, by_config: list[Text]
) -> Iterator[Missing]:
    never_offered = [action for action in range(game.actions) if action not in found.offered]
    elsewhere_offered = [action for action in never_offered if action in elsewhere.offered]
    lacking = [action for action in never_offered if action not in elsewhere.offered]
    if elsewhere_offered:
        by_config.append(_listed_actions(game, config, elsewhere_offered))
    if lacking and len(lacking) < game.actions:
        # Of many actions only whole kinds say something: single ones may want more games.
        acts = {found.act(config, action) for action in found.offered}
        kinds: dict[str, int] = {}
        for action in lacking if game.actions <= 2000 else ():
            if _exists(game, config, action):
                kinds.setdefault(found.act(config, action), action)
        whole = [action for act, action in kinds.items() if act not in acts]
        few = [action for action in lacking if _exists(game, config, action)] if game.actions <= _VALUES else whole
        if few:
            yield Text("actions never offered", "ни разу не предложены действия"), _listed_actions(game, config, few)
    ignored = [act for act, n in found.to_agents.items() if n >= _OFTEN and act not in found.by_agents]
    if ignored and len(found.by_agents) > 0:
        times = [f"{act} ({found.to_agents[act]})" for act in ignored]
        who = ", ".join(sorted(found.agents))
        what = Text(
            f"offered so many times to {who} and never chosen by them",
            f"столько раз предложены агентам {who}, но ни разу не выбраны",
        )
        yield what, _listed(times)


def _fields(found: Coverage, elsewhere: Coverage, by_config: list[Text]) -> Iterator[Missing]:
    dtype = found.game.state
    still = [name for name in found.constant if name not in _GIVEN]
    varied = [name for name in still if name not in elsewhere.constant and elsewhere.games]
    by_settings = [
        name for name in still if name in elsewhere.constant and elsewhere.constant[name] != found.constant[name]
    ]
    if other := [*varied, *by_settings]:
        by_config.append(Text.join([Text("fields ", "поля "), _listed(other)], ""))
    lacking = [name for name in still if name not in other]
    shown = []
    for name in lacking:
        values = np.frombuffer(found.constant[name], dtype[name].base).tolist() if not dtype[name].base.names else []
        shown.append(f"{name} ({values[0]})" if values and len({*values}) == 1 else name)
    if shown:
        yield (
            Text("fields of the state that never changed", "поля состояния, которые ни разу не менялись"),
            _listed(shown),
        )


def _kinds(game: Game, found: Coverage, elsewhere: Coverage, by_config: list[Text]) -> Iterator[Missing]:
    names = game.words.DECISION_NAMES or {}
    lacking = [kind for kind in names if kind not in found.kinds]
    by_config += [Text(f"decision {kind}", f"решение {kind}") for kind in lacking if kind in elsewhere.kinds]
    lacking = [kind for kind in lacking if kind not in elsewhere.kinds]
    if lacking:
        shown = [Text.join([f"{kind} (", as_text(names[kind]), ")"], "") for kind in lacking]
        yield Text("kinds of decisions never reached", "ни разу не встретились виды решений"), _listed(shown)


def _cards(game: Game, config: RuleConfig, found: Coverage) -> Iterator[Missing]:
    """Cards that were never seen in a pile in which others were."""
    for one in game.invariants:
        if one.cards is None or callable(one.cards):
            continue
        for pile in one.piles:
            name = _pile_name(pile)
            seen = found.cards.get(name or "", set())
            lacking = sorted({*one.cards} - seen)
            if name is not None and seen and lacking:
                yield (
                    Text(f"cards that were never in {name}", f"карты, которых ни разу не было в {name}"),
                    _listed(map(str, lacking)),
                )


def _values(
    game: Game, config: RuleConfig, found: Coverage, elsewhere: Coverage, by_config: list[Text]
) -> Iterator[Missing]:
    first = np.zeros(1, game.state)[0]
    for name, low, high in (one.bounds for one in game.invariants if one.bounds is not None):
        if not all(isinstance(bound, int) or bound in type(config).model_fields for bound in (low, high)):
            continue  # bounds that depend on the position
        try:
            least, most = number_of(config, first, low), number_of(config, first, high)
        except PlaymillError:
            continue
        lacking = [value for value in range(least, most + 1) if value not in found.values.get(name, ())]
        if most - least >= _VALUES:
            lacking = [value for value in lacking if value in (least, most)]
        others = [value for value in lacking if value in elsewhere.values.get(name, ())]
        if others:
            by_config.append(Text.join([f"{name} = ", _listed(map(str, others))], ""))
        lacking = [value for value in lacking if value not in others and not _is_ruled_out(config, found, name, value)]
        if lacking:
            yield (
                Text(
                    f"values of {name} never taken, of {least} … {most}",
                    f"значения {name}, которых ни разу не было, из {least} … {most}",
                ),
                _listed(map(str, lacking)),
            )


def _is_ruled_out(config: RuleConfig, found: Coverage, name: str, value: int) -> bool:
    """Whether an invariant says that a field never has a value: it is broken in each of some positions that has it.

    If other values break it as well, as they would, say, the sum of all coins, it says nothing of this one.
    """
    taken = sorted(found.values.get(name, ()))
    for one in found.game.invariants if taken else ():
        usual = _holds_with(config, found.positions, one, name, taken)
        if 2 * sum(usual) >= len(usual) > 0 and not any(_holds_with(config, found.positions, one, name, [value])):
            return True
    return False


def _holds_with(
    config: RuleConfig, positions: Sequence[np.void], one: Invariant, name: str, values: Sequence[int]
) -> list[bool]:
    """Whether an invariant holds in each of some positions after a number of a field was changed to one of these."""
    answers = []
    for number, position in enumerate(positions):
        changed: Any = np.zeros(1, position.dtype)
        changed[0] = position
        cells = changed[name].reshape(-1)
        try:
            cells[number % cells.size] = values[number % len(values)]
            answers.append(one.wrong(config, None, changed[0]) is None)
        except Exception:  # an author's own rule, about something that cannot be
            answers.append(False)
    return answers


def _endings(game: Game, found: Coverage) -> Iterator[Missing]:
    for name, names in _named_values(game).items():
        seen = found.endings.get(name, ())
        lacking = [as_text(text) for value, text in names.items() if text and value not in seen]
        if found.endings.get(name) and lacking:
            yield (
                Text(f"values of the outcome's {name} never seen", f"ни разу не встретилось в {name} исхода"),
                _listed(lacking),
            )


def _named_values(game: Game) -> dict[str, dict[int, Any]]:
    """Fields of the outcome whose numbers have names."""
    hints: Mapping[str, Any] = game.outcome.metadata or {}
    named = hints.get("values", {})
    return {name: dict(names.items() if isinstance(names, dict) else enumerate(names)) for name, names in named.items()}


def _pile_name(pile: Cards) -> str | None:
    return pile.field if isinstance(pile, Pile) else pile if isinstance(pile, str) else None


def _exists(game: Game, config: RuleConfig, action: int) -> bool:
    """Whether an action has words under this config: one that has none cannot be meant."""
    try:
        return bool(game.words.parse(config, game.words.to_text(config, action)) == action)
    except (PlaymillError, ArithmeticError, LookupError, TypeError, ValueError):
        return False


def _listed_actions(game: Game, config: RuleConfig, actions: Sequence[int]) -> Text:
    n = len(actions)
    return _listed([_text(game, config, action) for action in actions[: _LISTED + 1]], n)


def _text(game: Game, config: RuleConfig, action: int) -> str:
    """The short form of an action, or its number if there is none under this config."""
    try:
        return game.words.to_text(config, action)
    except (PlaymillError, ArithmeticError, LookupError, TypeError, ValueError):
        return f"[{action}]"


def _listed(names: Iterable[Text | str], n: int | None = None) -> Text:
    """The first few names, and how many there are if they are more."""
    shown = list(names)
    n = len(shown) if n is None else n
    listed = Text.join(shown[:_LISTED], ", ")
    more = n - _LISTED
    return listed if more <= 0 else Text(f"{listed.en} and {more} more", f"{listed.ru} и ещё {more}")
