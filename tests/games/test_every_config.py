"""The config of every game: its default, its schema, and one sentence for what it refuses."""

from __future__ import annotations

import json

import pytest

from common.configs import Place, edited, is_number, places
from common.stock import Stock
from playmill.engine.config import RuleConfig, differences
from playmill.texts import PlaymillError, Text


def refused(config: RuleConfig, data: object) -> Text:
    """The sentence with which some data are refused."""
    with pytest.raises(PlaymillError) as caught:
        type(config).read(data, "my.json")
    return caught.value.text


def objects(stock: Stock) -> list[Place]:
    """The objects of the default config, but for those that may be files."""
    return [
        place
        for place in places(stock.game.config())
        if "properties" in place.schema and not {*place.path} & stock.files
    ]


def numbers(config: RuleConfig) -> list[Place]:
    """The numbers of a config."""
    return [place for place in places(config) if is_number(place)]


def test_the_default_is_no_change_and_is_read_back(stock: Stock) -> None:
    config = stock.game.config()
    assert differences(config) == {}
    assert type(config).read(json.loads(json.dumps(config.model_dump(mode="json")))) == config
    for other in stock.settings:
        assert type(config).read(json.loads(json.dumps(other.model_dump(mode="json")))) == other


def test_the_schema_is_json_and_knows_every_number_with_its_range(stock: Stock) -> None:
    schema = stock.game.config.model_json_schema()
    assert json.loads(json.dumps(schema)) == schema
    found = numbers(stock.game.config())
    assert found
    for place in found:
        if not {"const", "enum"} & place.schema.keys():
            assert place.schema["minimum"] <= place.value <= place.schema["maximum"], place.name


@pytest.mark.parametrize(
    ("bound", "step", "en", "ru"), [("minimum", -1, "at least", "не меньше"), ("maximum", 1, "at most", "не больше")]
)
def test_a_number_one_beyond_its_range_is_refused(stock: Stock, bound: str, step: int, en: str, ru: str) -> None:
    config = stock.game.config()
    for place in numbers(config):
        if bound in place.schema:
            last = place.schema[bound]
            said = refused(config, edited(config, place.path, last + step))
            written = float(last) if place.schema["type"] == "number" else last
            assert said.en == f"my.json: {place.name} is {last + step}; expected {en} {written}"
            assert said.ru == f"my.json: {place.name} равно {last + step}; ожидается: {ru} {written}"


@pytest.mark.parametrize("wrong", ["9", None, [], {}, True])
def test_what_is_no_number_is_refused_where_one_is_asked_for(stock: Stock, wrong: object) -> None:
    config = stock.game.config()
    for place in numbers(config):
        said = refused(config, edited(config, place.path, wrong))
        assert said.en.startswith(f"my.json: {place.name} is {json.dumps(wrong)}; expected "), said.en
        assert said.ru.startswith(f"my.json: {place.name} равно {json.dumps(wrong)}; ожидается: "), said.ru


def test_an_unknown_key_is_refused_by_its_path(stock: Stock) -> None:
    config = stock.game.config()
    for place in objects(stock):
        path = ".".join([*map(str, place.path), "nonsense"])
        said = refused(config, edited(config, place.path, {**place.value, "nonsense": 1}))
        assert said == Text(f"my.json: there is no key {path!r}", f"my.json: ключа {path!r} нет")


@pytest.mark.parametrize("wrong", [5, "text", None, []])
def test_what_is_no_object_is_refused(stock: Stock, wrong: object) -> None:
    config = stock.game.config()
    for place in objects(stock):
        name = place.name or "config"
        said = refused(config, edited(config, place.path, wrong))
        assert said.en == f"my.json: {name} is {json.dumps(wrong)}; expected an object"
        assert said.ru == f"my.json: {name} равно {json.dumps(wrong)}; ожидается: объект"


def test_set_reaches_every_number(stock: Stock) -> None:
    config = stock.game.config()
    for place in numbers(config):
        assert config.changed([f"{place.name}={place.value}"]) == config, place.name
