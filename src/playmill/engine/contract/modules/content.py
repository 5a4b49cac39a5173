"""Contract of the modules of content and maps: `content`, `trials`, `maps`, `canvas`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

from playmill.engine.contract.content import Labels, Trial
from playmill.engine.contract.hooks import may, must
from playmill.texts import Lang, Text


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


class MapsModule(Protocol):
    """`maps.py`."""

    map_command: Annotated[
        Callable[[Any, Lang], int], must("what `playmill map` does", "что делает `playmill map`", "options, lang")
    ]


class CanvasModule(Protocol):
    """`canvas.py`."""

    EASEL: Annotated[Any, must("how a setting is drawn by clicking", "как настройку рисуют щелчками")]
