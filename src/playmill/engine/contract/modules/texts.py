"""Contract of the modules that people see: `words`, `view`, `report`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Protocol

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.hooks import may, must
from playmill.engine.contract.score_lines import Line
from playmill.texts import Lang, Text

#: A hook about an action as a seat sees it: config, state before, state after, action, seat or None for a spectator.
DoneFor = Callable[[RuleConfig, np.void, np.void, int, int | None], Any]


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
            otherwise=(
                "where `HIDDEN` is declared, or nothing is hidden",
                "если объявлено `HIDDEN` или ничего не скрыто",
            ),
        ),
    ]
    heard: Annotated[
        Callable[[RuleConfig, int], Text] | None,
        may(
            "what the others hear of an action, where `describe` would tell too much",
            "что слышат о действии другие, если `describe` сказала бы лишнее",
            "config, action",
            otherwise=("`describe`", "`describe`"),
        ),
    ]
    witnessed: Annotated[
        Callable[[RuleConfig, np.void, np.void, int, int | None], list[Text]] | None,
        may(
            "the log of an action for one seat",
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
