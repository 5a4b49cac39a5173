"""The typed contract of a game: a Protocol for each module of its folder, with every hook, its type and its meaning.

`MODULES` is the one list of them. A module may be a file or a folder of its name. The documentation for authors is made
from it (see docs/new_game.md); a hook that is left out gets its default as the game is loaded, so that no caller asks
whether it is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import CompiledAgent, RuleFunction, SearchPlan
from playmill.engine.contract.content import Labels, Trial
from playmill.engine.contract.goals import NamedGoal
from playmill.engine.contract.hooks import Contract, contract, may, must
from playmill.engine.contract.score_lines import Line
from playmill.engine.contract.score_range import USUAL
from playmill.texts import Lang, Text

Record = np.dtype[np.void]
#: A hook about an action as a seat sees it: config, state before, state after, action, seat or None for a spectator.
DoneFor = Callable[[RuleConfig, np.void, np.void, int, int | None], Any]


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
            "whether an action takes as long as a deal (matters on a GPU only)",
            "долгое ли действие, как раздача (важно только на GPU)",
            "cfg, s, action",
            otherwise=("none does", "долгих нет"),
        ),
    ]


class HiddenModule(Protocol):
    """`hidden.py`: compiled."""

    OBSERVATION: Annotated[int, must("how many numbers an observation has", "сколько чисел в наблюдении")]
    observe: Annotated[
        RuleFunction, must("writes what a player may see", "пишет, что можно видеть игроку", "cfg, s, player, out")
    ]
    conceal: Annotated[
        RuleFunction,
        must("deals anew what a player cannot know", "раздаёт заново неизвестное игроку", "cfg, s, player, rng"),
    ]
    NAMES: Annotated[
        Sequence[str],
        may(
            "a name for each number of an observation",
            "имя каждого числа наблюдения",
            otherwise=("`out[0]`, `out[1]`, …", "`out[0]`, `out[1]`, …"),
            default=lambda hidden: tuple(f"out[{place}]" for place in range(hidden.OBSERVATION)),
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


class WordsModule(Protocol):
    """`words.py`."""

    TITLE: Annotated[Text, must("the title", "название")]
    ABOUT: Annotated[Text, must("the game in a sentence", "игра одной фразой")]
    describe: Annotated[
        Callable[[RuleConfig, int], Text],
        must("an action as a phrase after the player's name", "действие фразой после имени игрока", "config, action"),
    ]
    to_text: Annotated[
        Callable[[RuleConfig, int], str],
        may(
            "its short form, the same in every language",
            "его краткая запись, одна на всех языках",
            "config, action",
            otherwise=("its number", "его номер"),
            default=None,
        ),
    ]
    parse: Annotated[
        Callable[[RuleConfig, str], int],
        may(
            "the action of a short form",
            "действие по краткой записи",
            "config, text",
            otherwise=("what `to_text` wrote is found", "находит то, что написала `to_text`"),
            default=None,
        ),
    ]
    parse_list: Annotated[
        Callable[[RuleConfig, np.void, list[Any]], list[int]] | None,
        may(
            "the actions of a list that answers several decisions at once",
            "действия списка, который отвечает сразу на несколько решений",
            "config, s, answer",
            otherwise=("decisions are answered one by one", "на решения отвечают по одному"),
        ),
    ]
    fields: Annotated[
        Callable[[RuleConfig, int], dict[str, Any]],
        may(
            "an action taken apart, for programs",
            "действие по частям, для программ",
            "config, action",
            otherwise=("`to_text` as `act`", "`to_text` под именем `act`"),
            default=None,
        ),
    ]
    decision_kind: Annotated[
        Callable[[np.void], str],
        may(
            "the kind of the decision that a state waits for",
            "вид решения, которого ждёт состояние",
            "s",
            otherwise=("one kind for all", "один вид на всех"),
            default=None,
        ),
    ]
    DECISION_NAMES: Annotated[
        Mapping[str, Text],
        may(
            "a text for each kind of decision",
            "текст для каждого вида решения",
            otherwise=("none", "нет"),
            default=None,
        ),
    ]
    seen: Annotated[
        Callable[[RuleConfig, np.void, int | None, Lang], dict[str, Any]],
        may(
            "what a player may see, for people and programs",
            "что можно видеть игроку, для людей и программ",
            "config, s, player, lang",
            otherwise=("every field of the state, or `observe`", "все поля состояния или `observe`"),
            default=None,
        ),
    ]
    events: Annotated[
        Callable[[RuleConfig, np.void, np.void, int], list[Text]],
        may(
            "what an action brought about",
            "что вышло из действия",
            "config, before, after, action",
            otherwise=("who has won", "кто победил"),
            default=None,
        ),
    ]
    position: Annotated[
        Callable[[RuleConfig, np.void, Lang], str],
        may(
            "the whole state in a few lines",
            "всё состояние в нескольких строках",
            "config, s, lang",
            otherwise=("its fields", "его поля"),
            default=None,
        ),
    ]
    ALOUD: Annotated[
        bool | None,
        may(
            "whether everybody hears `describe` and `events`",
            "слышат ли все `describe` и `events`",
            otherwise=("only where nothing is hidden", "только если ничего не скрыто"),
        ),
    ]
    witnessed: Annotated[
        Callable[[RuleConfig, np.void, np.void, int, int | None], list[Text]] | None,
        may(
            "what a seat is told of an action",
            "что место узнаёт о действии",
            "config, before, after, action, player",
            otherwise=("that there was one", "что оно было"),
        ),
    ]
    notices: Annotated[
        DoneFor | None,
        may(
            "what fired, shown beside the picture for a moment",
            "что сработало: на миг рядом с картинкой",
            "config, before, after, action, player",
            otherwise=("nothing", "ничего"),
        ),
    ]
    flights: Annotated[
        DoneFor | None,
        may(
            "what flies from thing to thing in the picture",
            "что летит от вещи к вещи на картинке",
            "config, before, after, action, player",
            otherwise=("nothing", "ничего"),
        ),
    ]
    brings: Annotated[
        Callable[[RuleConfig, np.void, Sequence[int]], Mapping[int, Text]] | None,
        may(
            "what each option comes to in this position",
            "что принесёт каждый вариант в этой позиции",
            "config, s, legal",
            otherwise=("nothing", "ничего"),
        ),
    ]
    boards: Annotated[
        Callable[[RuleConfig, np.void, np.void, int, Lang], str] | None,
        may(
            "what an action changed, as a drawing in text",
            "что изменило действие, рисунком из текста",
            "config, before, after, action, lang",
            otherwise=("the position", "позиция"),
        ),
    ]
    counting: Annotated[
        Callable[[RuleConfig, np.void], list[Line]] | None,
        may(
            "the account of a finished game, line by line",
            "подсчёт законченной партии, строка за строкой",
            "config, s",
            otherwise=("none", "нет"),
        ),
    ]
    chronicle: Annotated[
        Callable[[RuleConfig, np.void, np.void], dict[str, Any] | None] | None,
        may(
            "what rides along in replays now and then",
            "что иногда попадает в записи партий",
            "config, before, after",
            otherwise=("nothing", "ничего"),
        ),
    ]


class ViewModule(Protocol):
    """`view.py`: one of the two."""

    view: Annotated[
        Callable[..., str] | None,
        may(
            "the table as SVG",
            "стол как SVG",
            "config, s, player, legal, lang",
            otherwise=("what `table` lists is drawn", "рисуется то, что перечислила `table`"),
        ),
    ]
    table: Annotated[
        Callable[..., Sequence[Any]] | None,
        may(
            "what lies on the table, as a list of things",
            "что лежит на столе, списком вещей",
            "config, s, player, lang",
            otherwise=("`view` draws", "рисует `view`"),
        ),
    ]


class ReportModule(Protocol):
    """`report.py`."""

    results: Annotated[
        Callable[[Any, Any], dict[str, Any]], must("the figures of a tally", "показатели по суммам", "counts, run")
    ]
    sections: Annotated[
        Callable[[Any, Any], list[Any]], must("tables of these figures", "таблицы из них", "results, run")
    ]
    FIGURES: Annotated[
        Mapping[str, Text],
        may(
            "names of figures that stand in no table",
            "имена показателей, которых нет в таблицах",
            otherwise=("their paths", "их пути"),
            default=lambda report: {},
        ),
    ]
    with_fallbacks: Annotated[
        Callable[[dict[str, Any]], dict[str, Any]],
        may(
            "the results with the counted fallbacks in a form of the game's own",
            "показатели, где замены записаны в форме самой игры",
            "results",
            otherwise=("as they are", "как есть"),
            default=lambda report: lambda results: results,
        ),
    ]


class MethodsModule(Protocol):
    """`methods.py`."""

    METHODS: Annotated[Sequence[str], must("methods that Python agents may have", "методы агентов на Python")]
    Adapter: Annotated[Callable[[Any], Any], must("turns their answers into actions", "превращает ответы в действия")]


class ContentModule(Protocol):
    """`content.py`."""

    KIND_NAMES: Annotated[Mapping[str, Text], must("the kinds of things", "виды вещей")]
    schema: Annotated[Callable[[], dict[str, Any]], must("the JSON Schema of a file", "JSON Schema файла", "")]
    library: Annotated[Callable[[], Any], must("what comes with the game", "что приходит с игрой", "")]
    read_content: Annotated[Callable[[Sequence[Path]], Any], must("the content of files", "содержание файлов", "paths")]
    merged: Annotated[Callable[..., Any], must("several contents as one", "несколько содержаний как одно", "*contents")]
    mistakes: Annotated[Callable[[Path], list[Text]], must("every mistake of a file", "все ошибки файла", "path")]
    examined: Annotated[
        Callable[[object], tuple[Any, list[Any]]],
        must("content of parsed JSON, and its mistakes", "содержание из JSON и его ошибки", "data"),
    ]
    entries: Annotated[
        Callable[[Any], Sequence[Any]], must("all things for people to read", "все вещи для чтения людьми", "content")
    ]
    labels: Annotated[
        Callable[[], Labels],
        may(
            "what the form in the browser reads to people",
            "что читают люди в форме",
            "",
            otherwise=("the schema's own words", "слова схемы"),
            default=lambda content: Labels,
        ),
    ]
    completed: Annotated[
        Callable[[str, Mapping[str, Any]], dict[str, Any]],
        may(
            "a thing with texts that its maker left open",
            "вещь с текстами, которые не написал автор",
            "kind, entry",
            otherwise=("as it is", "как есть"),
            default=lambda content: lambda kind, entry: dict(entry),
        ),
    ]
    warnings: Annotated[
        Callable[[Path], list[Text]],
        may(
            "what is allowed and still strange in a file",
            "что в файле допустимо, но странно",
            "path",
            otherwise=("nothing", "ничего"),
            default=lambda content: lambda path: [],
        ),
    ]
    written: Annotated[
        Callable[[Any], Any],
        may(
            "content as the data of a file",
            "содержание как данные файла",
            "content",
            otherwise=("`model_dump`", "`model_dump`"),
            default=lambda content: lambda some: some.model_dump(mode="json"),
        ),
    ]
    SETTING: Annotated[
        str,
        may(
            "the setting that holds one's own content",
            "настройка, где лежит своё содержание",
            otherwise=("`content`", "`content`"),
            default=lambda content: "content",
        ),
    ]
    prompt: Annotated[
        Callable[[Lang], str] | None,
        may(
            "a text that asks a language model for content",
            "текст, который просит содержание у языковой модели",
            "lang",
            otherwise=("none", "нет"),
        ),
    ]


class TrialsModule(Protocol):
    """`trials.py`."""

    AGENT: Annotated[str, must("who plays unless another is named", "кто играет, если не назван другой")]
    PAYOFF: Annotated[int, must("the most a game can pay", "самое большее, что платит партия")]
    trials: Annotated[
        Callable[..., list[Trial]],
        must("the things to be tried", "что испытывать", "config, content, only"),
    ]
    payoffs: Annotated[
        Callable[[Any, int], Any], must("what each game paid to a seat", "что каждая партия заплатила", "rows, seat")
    ]


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


class MapsModule(Protocol):
    """`maps.py`."""

    map_command: Annotated[
        Callable[[Any, Lang], int], must("what `playmill map` does", "что делает `playmill map`", "options, lang")
    ]


class CanvasModule(Protocol):
    """`canvas.py`."""

    EASEL: Annotated[Any, must("how a setting is drawn by clicking", "как настройку рисуют щелчками")]


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


class LegendModule(Protocol):
    """`legend.py`."""

    SEEN: Annotated[Mapping[str, Any], must("every key of `seen`, explained", "каждый ключ `seen` с пояснением")]
    NUMBERING: Annotated[Text, must("from where things are counted", "откуда всё пронумеровано")]


#: The modules of a game's folder, by name.
MODULES: Mapping[str, Contract] = {
    made.name: made
    for made in (
        contract("config", ConfigModule, Text("the numbers of the rules", "числа правил"), needed=True),
        contract("rules", RulesModule, Text("the rules themselves", "сами правила"), needed=True),
        contract("words", WordsModule, Text("what people read", "то, что читают люди"), needed=True),
        contract(
            "hidden",
            HiddenModule,
            Text(
                "what a player sees, and a fair guess at the rest; without it everybody sees everything",
                "что видит игрок и честная догадка об остальном; без неё все видят всё",
            ),
        ),
        contract(
            "outcome",
            OutcomeModule,
            Text(
                "what is saved of a finished game; without it who won, what it paid and how long it was",
                "что хранится о партии; без неё — кто победил, что получил и сколько это длилось",
            ),
        ),
        contract(
            "report",
            ReportModule,
            Text(
                "figures and tables; without it those of the default outcome",
                "показатели и таблицы; без неё — для обычного исхода",
            ),
        ),
        contract(
            "agents",
            AgentsModule,
            Text(
                "agents of its own; `random` and `search` are always there",
                "собственные агенты; `random` и `search` есть всегда",
            ),
        ),
        contract(
            "view",
            ViewModule,
            Text(
                "the picture; without it the field `board` of the state is drawn, or the words",
                "картинка; без неё рисуется поле `board` состояния или слова",
            ),
        ),
        contract(
            "methods",
            MethodsModule,
            Text("questions of its own for Python agents, as in `grid`", "собственные вопросы агентам, как в `grid`"),
        ),
        contract(
            "content",
            ContentModule,
            Text("things that are data, as in `dice`", "вещи, которые — данные, как в `dice`"),
        ),
        contract("trials", TrialsModule, Text("how such things are tried", "как такие вещи испытывают")),
        contract("goals", GoalsModule, Text("what `playmill tune` may aim at", "к чему стремится `playmill tune`")),
        contract("maps", MapsModule, Text("`playmill map`, as in `influence`", "`playmill map`, как в `influence`")),
        contract("canvas", CanvasModule, Text("a setting drawn by clicking", "настройка, которую рисуют щелчками")),
        contract(
            "rulebook",
            RulebookModule,
            Text("what `rules.en.md` and `rules.ru.md` refer to", "на что ссылаются `rules.en.md` и `rules.ru.md`"),
        ),
        contract("choices", ChoicesModule, Text("what forms offer", "что предлагают формы")),
        contract("audit", AuditModule, Text("what `playmill audit` asks", "о чём спрашивает `playmill audit`")),
        contract("legend", LegendModule, Text("what `seen` means, key by key", "что значит `seen`, ключ за ключом")),
    )
}
