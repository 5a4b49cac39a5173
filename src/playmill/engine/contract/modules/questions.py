"""Contract of the modules about a game: `methods`, `goals`, `rulebook`, `choices`, `audit`, `levels`, `legend`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Protocol

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.goals import NamedGoal
from playmill.engine.contract.hooks import may, must
from playmill.engine.contract.invariants import Invariant
from playmill.texts import Lang, Text


class MethodsModule(Protocol):
    """`methods.py`."""

    METHODS: Annotated[Sequence[str], must("methods that Python agents may have", "методы агентов на Python")]
    Adapter: Annotated[Callable[[Any], Any], must("turns their answers into actions", "превращает ответы в действия")]


class GoalsModule(Protocol):
    """`goals.py`."""

    GOALS: Annotated[Mapping[str, NamedGoal], must("goals of tuning by name", "цели настройки по именам")]
    figures: Annotated[
        Callable[[Any, Any], dict[str, Any]] | None,
        may(
            "figures that the report does not have",
            "показатели, которых нет в отчёте",
            "counts, run",
            otherwise=("those of the report", "те, что в отчёте"),
        ),
    ]


class RulebookModule(Protocol):
    """`rulebook.py`."""

    PICTURES: Annotated[Mapping[str, Any], must("positions to be drawn, by name", "позиции для рисунков по именам")]
    terms: Annotated[
        Callable[[RuleConfig, Lang], Mapping[str, Any]],
        may(
            "names for the text",
            "имена для текста",
            "config, lang",
            otherwise=("none", "нет"),
            default=lambda rulebook: lambda config, lang: {},
        ),
    ]
    tables: Annotated[
        Callable[[RuleConfig, Lang], Mapping[str, Any]],
        may(
            "tables for the text, the head first",
            "таблицы для текста, сначала заголовок",
            "config, lang",
            otherwise=("none", "нет"),
            default=lambda rulebook: lambda config, lang: {},
        ),
    ]
    lists: Annotated[
        Callable[[RuleConfig, Lang], Mapping[str, Any]],
        may(
            "lists for the text",
            "списки для текста",
            "config, lang",
            otherwise=("none", "нет"),
            default=lambda rulebook: lambda config, lang: {},
        ),
    ]


class ChoicesModule(Protocol):
    """`choices.py`."""

    choices: Annotated[
        Callable[[Any], Mapping[str, Any]],
        must("what can be chosen, by path", "что можно выбрать, по путям", "config"),
    ]
    labels: Annotated[
        Callable[[Any], Mapping[str, Text]],
        may(
            "names for entries of lists and objects",
            "имена для элементов списков и объектов",
            "config",
            otherwise=("their keys", "их ключи"),
            default=lambda choices: lambda config: {},
        ),
    ]


class AuditModule(Protocol):
    """`audit.py`."""

    LENGTH: Annotated[
        tuple[str, Text] | None,
        may(
            "a field of `Outcome` and its name: what length is counted in",
            "поле `Outcome` и его название: в чём считать длину",
            otherwise=("decisions", "решения"),
        ),
    ]
    kinds: Annotated[
        Callable[[Any, int], tuple[str, ...]] | None,
        may(
            "ids of what an action is or uses, up to four",
            "id того, чем является или что использует действие, до четырёх",
            "config, action",
            otherwise=("`act` of its fields", "`act` из его полей"),
        ),
    ]
    kind_name: Annotated[
        Callable[[Any, str], Text] | None,
        may(
            "the name of such an id",
            "название такого id",
            "config, kind",
            otherwise=("the words of its action, or the id", "слова его действия или id"),
        ),
    ]
    SIDES: Annotated[
        Sequence[str] | None,
        may("names of sides", "названия сторон", otherwise=("seats alone", "только места")),
    ]
    sides: Annotated[
        Callable[[Any], Any] | None,
        may(
            "which side each seat had, from rows of games",
            "какая сторона была у места, по строкам партий",
            "rows",
            otherwise=("seats alone", "только места"),
        ),
    ]


class LevelsModule(Protocol):
    """`levels.py`."""

    levels: Annotated[
        Callable[[Any], Mapping[str, str]],
        must(
            "agents for `beginners`, `good` and `experts`; what is left out is as usual",
            "агенты для `beginners`, `good` и `experts`; чего нет — то как обычно",
            "config",
        ),
    ]


class InvariantsModule(Protocol):
    """`invariants.py`."""

    INVARIANTS: Annotated[
        Sequence[Invariant],
        must("rules that hold in every position", "правила, верные в каждой позиции"),
    ]
    OBSERVED: Annotated[
        Mapping[str, Any],
        may(
            "least and largest value of numbers of an observation, or the field that one shows, by name",
            "наименьшее и наибольшее значение чисел наблюдения или поле, которое показано, по имени",
            otherwise=("fields by their types and `within`, else any", "поля по типам и `within`, иначе любые"),
            default=lambda module: {},
        ),
    ]
    LONGEST: Annotated[
        Any,
        may(
            "the most decisions that a game can have",
            "сколько решений может быть в партии самое большее",
            otherwise=("nobody knows", "неизвестно"),
            default=lambda module: None,
        ),
    ]
    OUTCOMES: Annotated[
        Any,
        may(
            "the most outcomes that one draw can have",
            "сколько исходов может быть у одного случая самое большее",
            otherwise=("nobody knows", "неизвестно"),
            default=lambda module: None,
        ),
    ]


class LegendModule(Protocol):
    """`legend.py`."""

    SEEN: Annotated[Mapping[str, Any], must("every key of `seen`, explained", "каждый ключ `seen` с пояснением")]
    NUMBERING: Annotated[Text, must("from where things are counted", "откуда всё пронумеровано")]
