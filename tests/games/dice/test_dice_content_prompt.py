"""The prompt that asks a language model for content: whole, in both languages, and true to the schema."""

from __future__ import annotations

import json
import re

import pytest

from playmill.engine.config.json_input import unfenced
from playmill.games.dice.content import content_of, entries, library, prompt, schema
from playmill.games.dice.content.reading import parsed
from playmill.texts import LANGUAGES, Lang


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_prompt_names_every_key_condition_and_effect_of_the_schema(lang: Lang) -> None:
    text, parts = prompt(lang), schema()["$defs"]
    for part in ("Modifier", "PassiveItem", "ActiveItem", "Die", "OwnFlag"):
        for key in parts[part]["properties"]:
            assert f"- `{key}`" in text, (part, key)
    for union in ("Condition", "ModifierEffect", "PassiveEffect", "ActiveEffect"):
        for one in parts[union]["oneOf"]:
            key, *beside = parts[one["$ref"].rpartition("/")[2]]["properties"]
            (line,) = (line for line in text.splitlines() if line.startswith(f"- `{key}`: "))
            assert all(f"`{other}`" in line for other in beside), (union, key)
    assert not re.search(r"\{[a-z]+\}", text), "every place of the text is filled in"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_prompt_has_what_matters_when_content_is_written_and_the_ids_that_are_taken(lang: Lang) -> None:
    text = prompt(lang)
    wanted = {"en": ("*when* and *how much*", "change the risk"), "ru": ("*когда* и *сколько*", "меняет риск")}
    assert all(words in text for words in wanted[lang])
    assert all(entry.id in text for entry in entries(library()) if entry.kind != "kits")
    assert text.rstrip().endswith(")"), "the wish is written at its end"


def test_the_prompt_follows_the_words_of_the_schema() -> None:
    text, parts = prompt("en"), schema()["$defs"]
    for part in ("Count", "Straight", "AddPerDie", "SetFace"):
        assert " ".join(parts[part]["description"].split()) in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_example_in_the_prompt_is_right_and_read_with_its_fence(lang: Lang) -> None:
    text = prompt(lang)
    assert json.loads(unfenced(text, "it")) == schema()["examples"][0]
    assert content_of(parsed(text, "it"), "").modifiers


@pytest.mark.parametrize(
    "text",
    [
        "```json\n{}\n```",
        "Here:\r\n\r\n```\r\n{}\r\n```\r\nEnjoy!",
        "~~~json\n{}\n~~~",
        "```json\n{}",
        "```\nhi\n```\n```\n{}\n```",
    ],
)
def test_json_between_markdown_fences_is_read(text: str) -> None:
    assert parsed(text, "it") == {}
