"""The config of every game: its default, its schema, and one sentence for what it refuses."""

from __future__ import annotations

import json

import pytest

from common.configs import Place, edited, is_number, places
from common.found import EXAMPLES, SHIPPED
from common.language import both
from common.stock import Stock
from playmill.engine.config.model import RefusedConfigError, RuleConfig, differences, schema_in, unknown_keys
from playmill.engine.config.settings import settings_of
from playmill.texts import LANGUAGES, PlaymillError, Text

OURS = (*SHIPPED, *EXAMPLES)


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


def test_what_is_no_choice_and_no_switch_is_answered_with_what_may_stand_there(stock: Stock) -> None:
    config = stock.game.config()
    for place in places(config):
        choices = place.schema.get("enum") or [place.schema[key] for key in ("const",) if key in place.schema]
        if choices or place.schema.get("type") == "boolean":
            said = refused(config, edited(config, place.path, "none"))
            wanted = ("one of ", "одно из ") if choices else ("true or false", "true или false")
            assert said.en.startswith(f'my.json: {place.name} is "none"; expected {wanted[0]}'), said.en
            assert said.ru.startswith(f'my.json: {place.name} равно "none"; ожидается: {wanted[1]}'), said.ru
            assert all(repr(choice) in said.en for choice in choices)


def test_an_unknown_key_is_refused_or_named_by_its_path(stock: Stock) -> None:
    config = stock.game.config()
    for place in objects(stock):
        path = ".".join([*map(str, place.path), "nonsense"])
        wrong = edited(config, place.path, {**place.value, "nonsense": 1})
        if type(config).model_config["extra"] == "allow":
            assert unknown_keys(type(config).read(wrong)) == [path]
            continue
        said = refused(config, wrong)
        assert said == Text(f"my.json: there is no key {path!r}", f"my.json: ключа {path!r} нет")


@pytest.mark.parametrize("wrong", [5, "text", None, []])
def test_what_is_no_object_is_refused(stock: Stock, wrong: object) -> None:
    config = stock.game.config()
    for place in objects(stock):
        name = place.name or "config"
        if wrong is None and place.path[-1:] == ("reward",):
            continue  # of Grid: there is none
        said = refused(config, edited(config, place.path, wrong))
        assert said.en == f"my.json: {name} is {json.dumps(wrong)}; expected an object"
        assert said.ru == f"my.json: {name} равно {json.dumps(wrong)}; ожидается: объект"


def test_set_reaches_every_number(stock: Stock) -> None:
    config = stock.game.config()
    for place in numbers(config):
        assert config.changed([f"{place.name}={place.value}"]) == config, place.name


def test_every_setting_has_a_name_and_a_sentence_in_both_languages(stock: Stock) -> None:
    """Documents of their own, such as content, have a schema of their own; entries of lists are called by their id."""
    for one in settings_of(stock.game.config()).leaves():
        if stock.name not in OURS:  # an author may write in one language: it serves for both
            assert one.name.en == one.name.ru and one.about.en == one.about.ru != ""
            continue
        both(one.name)
        both(one.about)
        assert len(one.name.en) <= 45 and len(one.name.ru) <= 45, one.path
        assert one.about.en.endswith(".") and one.about.ru.endswith("."), one.path


def test_the_schema_is_told_in_the_readers_language(stock: Stock) -> None:
    english, russian = (schema_in(stock.game.config, lang) for lang in LANGUAGES)
    if stock.name not in OURS:
        assert english == russian
        return
    assert '"x-' not in json.dumps(english)
    for name, node in english["properties"].items():
        assert node["title"] != russian["properties"][name]["title"]
        both(Text(node.get("description", "as its type says"), russian["properties"][name]["description"]))


def test_every_mistake_of_a_config_is_told_at_its_place(stock: Stock) -> None:
    config = stock.game.config()
    free = [place for place in numbers(config) if not {"const", "enum"} & place.schema.keys()]
    first, last = free[0], free[-1]
    wrong = edited(config, first.path, "no number")
    part = wrong
    for step in last.path[:-1]:
        part = part[step]
    part[last.path[-1]] = "no number"
    with pytest.raises(RefusedConfigError) as caught:
        type(config).read(wrong, "my.json")
    told = dict(caught.value.mistakes)
    assert {first.name, last.name} <= told.keys()
    wanted = ("a whole number", "целое число") if first.schema["type"] == "integer" else ("a number", "число")
    assert told[first.name] == Text(f'"no number"; expected {wanted[0]}', f'"no number"; ожидается: {wanted[1]}')
