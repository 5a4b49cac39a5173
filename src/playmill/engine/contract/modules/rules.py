"""Contract of the modules that are compiled, and of the config: `config`, `rules`, `hidden`, `outcome`, `agents`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import CompiledAgent, RuleFunction, SearchPlan
from playmill.engine.contract.hooks import may, must
from playmill.engine.contract.score_range import USUAL
from playmill.engine.contract.secrets import Secret

Record = np.dtype[np.void]
_FROM_HIDDEN = ("from `HIDDEN`", "из `HIDDEN`")


class ConfigModule(Protocol):
    """`config.py`."""

    Config: Annotated[type[RuleConfig], must("a model of every number", "модель всех чисел")]


class RulesModule(Protocol):
    """`rules.py`: compiled."""

    State: Annotated[Record, must("the record of a game's state", "запись состояния партии")]
    MAX_PLAYERS: Annotated[int, must("the most players, 6 at most", "наибольшее число игроков, не больше 6")]
    MAX_ACTIONS: Annotated[int, must("how many actions there are", "сколько всего действий")]
    setup: Annotated[RuleFunction, must("deals a new game", "раздаёт новую партию", "cfg, s, rng")]
    legal_actions: Annotated[RuleFunction, must("lists the options", "перечисляет варианты", "cfg, s, out")]
    apply_action: Annotated[RuleFunction, must("does an action", "делает действие", "cfg, s, action, rng")]
    returns: Annotated[
        RuleFunction, must("what the game brought each player", "что партия принесла каждому", "cfg, s, out")
    ]
    VERSION: Annotated[
        int,
        may(
            "counted up when the rules change",
            "растёт, когда меняются правила",
            otherwise=("1", "1"),
            default=lambda rules: 1,
        ),
    ]
    MIN_PLAYERS: Annotated[
        int,
        may(
            "the fewest players",
            "наименьшее число игроков",
            otherwise=("`MAX_PLAYERS`", "`MAX_PLAYERS`"),
            default=lambda rules: rules.MAX_PLAYERS,
        ),
    ]
    MAX_LEGAL: Annotated[
        int,
        may(
            "the most options of a decision",
            "наибольшее число вариантов в решении",
            otherwise=("`MAX_ACTIONS`", "`MAX_ACTIONS`"),
            default=lambda rules: rules.MAX_ACTIONS,
        ),
    ]
    STAKES: Annotated[
        Any,
        may(
            "the range of `returns`, and whether they add up to a constant",
            "в каких пределах `returns` и постоянна ли их сумма",
            otherwise=("−1 … 1", "−1 … 1"),
            default=lambda rules: USUAL,
        ),
    ]
    count_actions: Annotated[
        RuleFunction | None,
        may(
            "counts the options without a list; with `nth_action`",
            "считает варианты без списка; вместе с `nth_action`",
            "cfg, s, out",
            otherwise=("they are listed", "их перечисляют"),
        ),
    ]
    nth_action: Annotated[
        RuleFunction | None,
        may(
            "option `k` of those counted",
            "вариант `k` из сосчитанных",
            "cfg, s, out, k",
            otherwise=("they are listed", "их перечисляют"),
        ),
    ]
    takes_long: Annotated[
        RuleFunction | None,
        may(
            "0, or the kind (1, 2) of an action that takes long (matters on a GPU only)",
            "0 или вид (1, 2) долгого действия (важно только на GPU)",
            "cfg, s, action",
            otherwise=("none does", "долгих нет"),
        ),
    ]


class HiddenModule(Protocol):
    """`hidden.py`: compiled."""

    HIDDEN: Annotated[
        Mapping[str, Secret] | None,
        may(
            "which fields of the state are hidden from whom; the rest of this file comes from it",
            "какие поля состояния от кого скрыты; остальное в этом файле выводится отсюда",
            otherwise=("the next three must be there", "обязательны три следующих"),
        ),
    ]
    OBSERVATION: Annotated[
        int,
        may("how many numbers an observation has", "сколько чисел в наблюдении", otherwise=_FROM_HIDDEN),
    ]
    observe: Annotated[
        RuleFunction,
        may(
            "writes what a player may see",
            "пишет, что можно видеть игроку",
            "cfg, s, player, out",
            otherwise=_FROM_HIDDEN,
        ),
    ]
    conceal: Annotated[
        RuleFunction,
        may(
            "deals anew what a player cannot know",
            "раздаёт заново неизвестное игроку",
            "cfg, s, player, rng",
            otherwise=_FROM_HIDDEN,
        ),
    ]
    possible: Annotated[
        RuleFunction | None,
        may(
            "whether what was dealt anew from `HIDDEN` can be, by what a player has learnt",
            "может ли быть так, как пересдано по `HIDDEN`, судя по тому, что узнал игрок",
            "cfg, s, player",
            otherwise=("every deal can be", "может быть любая раздача"),
        ),
    ]
    NAMES: Annotated[
        Sequence[str],
        may(
            "a name for each number of an observation",
            "имя каждого числа наблюдения",
            otherwise=("fields of `HIDDEN`'s state, or `out[0]`, …", "поля состояния при `HIDDEN` или `out[0]`, …"),
            default=lambda hidden: tuple(f"out[{place}]" for place in range(hidden.OBSERVATION or 0)),
        ),
    ]


class OutcomeModule(Protocol):
    """`outcome.py`: compiled."""

    Outcome: Annotated[Record, must("the row saved of a game", "строка о партии")]
    Tally: Annotated[Record, must("sums over games, all `np.int64`", "суммы по партиям, все `np.int64`")]
    outcome: Annotated[RuleFunction, must("fills the row", "заполняет строку", "cfg, s, row")]
    tally: Annotated[RuleFunction, must("adds a game to the sums", "прибавляет партию", "row, agents, counts")]


class AgentsModule(Protocol):
    """`agents.py`: compiled."""

    AGENTS: Annotated[Mapping[str, CompiledAgent], must("compiled agents by name", "скомпилированные агенты по именам")]
    SEARCH: Annotated[
        SearchPlan,
        may(
            "how `search` plays on",
            "как доигрывает `search`",
            otherwise=("at random to the end", "случайно, до конца"),
            default=lambda agents: SearchPlan(),
        ),
    ]
    NOTES: Annotated[
        Record | None,
        may(
            "what agents note as long as a game lasts",
            "что агенты записывают на время партии",
            otherwise=("nothing", "ничего"),
        ),
    ]
