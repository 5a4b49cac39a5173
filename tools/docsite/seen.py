"""What an agent of a game sees: a page made from the game's legend, with a position of the game as an example."""

from __future__ import annotations

import json

from playmill import State
from playmill.engine.contract.game import Game
from playmill.engine.contract.observation_docs import Seen
from playmill.texts import Lang, Text

_TITLE = Text("what an agent sees", "что видит агент")
_HEAD = Text(
    "`decision.seen` of an agent in Python, `seen` in the protocol of bots. `[]` stands for every entry of a list, `{}`"
    " for every value of an object whose keys are names. Ranges are those of the rules as they are; `playmill check`"
    " holds every game against this page.",
    "`decision.seen` агента на Python, `seen` в протоколе ботов. `[]` — каждый элемент списка, `{}` — каждое значение"
    " объекта, ключи которого — имена. Границы — для правил как они есть; `playmill check` сверяет с этой страницей"
    " каждую партию.",
)
_NUMBERING = Text("How things are numbered", "Как всё пронумеровано")
_KEYS = Text("Every key", "Все ключи")
_EXAMPLE = Text("An example", "Пример")
_SHOWN = Text(
    "What player 1 sees as game 0 with seed 1 begins (long lists cut):",
    "Что видит игрок 1 в начале партии 0 с сидом 1 (длинные списки обрезаны):",
)
_COLUMNS = (Text("key", "ключ"), Text("values", "значения"), Text("what it is", "что это"))
_NAMES = {
    "flag": Text("true or false", "true или false"),
    "text": Text("text", "текст"),
    "group": Text("a list or object", "список или объект"),
}
_WHOLE = Text("a whole number", "целое число")
_NULL = Text("null {}", "null, {}")
_LONGEST = 12


def seen_page(game: Game, lang: Lang) -> str | None:
    """The page; None of a game that explains nothing."""
    if game.legend is None:
        return None
    legend: dict[str, Seen] = game.legend.SEEN
    config = game.config()
    heads = " | ".join(column.of(lang) for column in _COLUMNS)
    rows = [f"| `{path}` | {_values(one, config, lang)} | {one.about.of(lang)} |" for path, one in legend.items()]
    state = State(game, seed=1, interpreted=True)
    example = game.words.seen(state.config, state.record, 0, lang)
    lines = [
        f"# {game.title.of(lang)}: {_TITLE.of(lang)}",
        _HEAD.of(lang),
        f"## {_NUMBERING.of(lang)}",
        game.legend.NUMBERING.of(lang),
        f"## {_KEYS.of(lang)}",
        "\n".join([f"| {heads} |", "|---|---|---|", *rows]),
        f"## {_EXAMPLE.of(lang)}",
        _SHOWN.of(lang),
        "```json\n" + "\n".join(_lines(example)) + "\n```",
    ]
    return "\n\n".join(lines) + "\n"


def _values(one: Seen, config: object, lang: Lang) -> str:
    told = []
    if "whole" in one.kinds:
        low, high = one.ends(config)
        if low is not None and high is not None:
            told.append(f"{low} … {high}" if low < high else str(low))
        else:
            told.append(_WHOLE.of(lang) + (f" ≥ {low}" if low is not None else ""))
    told += [_NAMES[kind].of(lang) for kind in one.kinds if kind in _NAMES]
    told += [f"`{word}`" for word in one.words]
    told += [_NULL.of(lang).format(one.null.of(lang))] if one.null is not None else []
    return "; ".join([", ".join(told[:-1]), told[-1]]) if one.null is not None and len(told) > 1 else ", ".join(told)


def _lines(example: dict[str, object]) -> list[str]:
    """A line a key: what is too long for it is cut."""
    made = [f"  {json.dumps(key)}: {_short(value)}" for key, value in example.items()]
    return ["{", *(line + "," for line in made[:-1]), made[-1], "}"]


def _short(value: object) -> str:
    told = json.dumps(value, ensure_ascii=False, default=list)
    return told if len(told) <= 160 else f"{told[:150]}…"
