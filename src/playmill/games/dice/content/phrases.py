"""Phrases of the checker: what a part of the schema expects, and what a misspelt word may have meant."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from playmill.author import Text
from playmill.games.dice.content.conditions import ID

#: What people and language models write when they mean one of our words.
MEANT = {
    "and": "all",
    "or": "any",
    "min": "at_least",
    "max": "at_most",
    "gte": "at_least",
    "lte": "at_most",
    "equals": "exactly",
    "value": "face",
    "points": "add",
    "description": "desc",
    "title": "name",
    "message": "notification",
    "purpose": "desc",
}
#: More names than this are not listed.
MOST_NAMES = 40


def short(found: object) -> str:
    """What was found, as JSON, cut where it is long."""
    text = json.dumps(found, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def quoted(word: str) -> str:
    """A word of a file in quotes."""
    return short(word)


def suggestion(word: str, known: Sequence[str]) -> str | None:
    """The known word that a misspelt one probably stands for."""
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    if MEANT.get(plain) in known:
        return MEANT[plain]
    return next(iter(get_close_matches(plain, known, 1, 0.6)), None)


def unknown(noun: Text, word: str, known: Sequence[str]) -> Text:
    """That a word is not known, which one it may have been meant to be, and which there are."""
    guess = suggestion(word, known)
    names = ", ".join(known[:MOST_NAMES]) + ("…" if len(known) > MOST_NAMES else "")
    return Text(
        f"there is no {noun.en} {quoted(word)}; "
        + (f'did you mean "{guess}"? Known: ' if guess else "known: ")
        + names,
        f"нет {noun.ru} {quoted(word)}; " + (f'может быть, "{guess}"? Есть: ' if guess else "есть: ") + names,
    )


def wanted(node: Mapping[str, Any], found: object) -> Text:
    """What a part of the schema asks for, in words."""
    if node.get("const") is True:
        return Text('true; the opposite is written with "not"', 'true; обратное пишется через "not"')
    if "enum" in node:
        return _one_of(node["enum"], found)
    if "anyOf" in node and _is_text(node):
        sample = json.dumps(node["examples"][0], ensure_ascii=False)
        return Text(
            f"a text in quotes, or one for each language, such as {sample}",
            f"текст в кавычках или по тексту на каждом языке, например {sample}",
        )
    if "anyOf" in node:
        return Text(
            'an effect such as {"add": 100}, or a list of 1 to 4', 'эффект, например {"add": 100}, или список из 1…4'
        )
    kind = node.get("type")
    if kind in ("integer", "number"):
        return _number(node, found)
    if kind == "string":
        return _text(node)
    if kind == "boolean":
        return Text("true or false", "true или false")
    sample = f"{json.dumps(node['examples'][0], ensure_ascii=False)}" if "examples" in node else ""
    if kind == "array":
        return Text(f"a list such as {sample}", f"список, например {sample}") if sample else Text("a list", "список")
    if sample:
        return Text(f"an object such as {sample}", f"объект, например {sample}")
    names = ", ".join(node.get("required", ()))
    return Text(f"an object with the keys {names}", f"объект с ключами {names}")


def _is_text(node: Mapping[str, Any]) -> bool:
    return any("en" in part.get("properties", ()) for part in node["anyOf"])


def _one_of(names: Sequence[Any], found: object) -> Text:
    listed = ", ".join(json.dumps(name) for name in names)
    words = [name for name in names if isinstance(name, str)]
    guess = suggestion(found, words) if isinstance(found, str) else None
    if guess:
        return Text(f'one of {listed}; did you mean "{guess}"?', f'одно из {listed}; может быть, "{guess}"?')
    return Text(f"one of {listed}", f"одно из {listed}")


def _number(node: Mapping[str, Any], found: object) -> Text:
    low, high = node["minimum"], node.get("maximum")
    zero = Text(", not 0", ", не 0") if "not" in node else Text("", "")
    quotes = Text(", without quotes", ", без кавычек") if isinstance(found, str) else Text("", "")
    whole = Text("a whole number", "целое число") if node["type"] == "integer" else Text("a number", "число")
    span = Text(f"from {low} to {high}", f"от {low} до {high}")
    if high is None:
        span = Text(f"not below {low}", f"не меньше {low}")
    return Text(
        f"{whole.en} {span.en}{zero.en}{quotes.en}",
        f"{whole.ru} {span.ru}{zero.ru}{quotes.ru}",
    )


def _text(node: Mapping[str, Any]) -> Text:
    if node.get("pattern") == ID:
        return Text(
            'small Latin letters, digits and _, a letter first, at most 32, such as "lucky_charm"',
            'строчные латинские буквы, цифры и _, первой буква, не больше 32, например "lucky_charm"',
        )
    most = node["maxLength"]
    return Text(
        f"a text of 1 to {most} characters on one line, no blanks at its ends",
        f"текст в 1…{most} символов одной строкой, без пробелов по краям",
    )
