"""`playmill content`: the list, the schema, and the checker of content files."""

from __future__ import annotations

import json

import pytest

from playmill import PlaymillError, load_game
from playmill.cli import main
from playmill.lab.runs.content import require_content

ITEM = {
    "id": "rabbits_foot",
    "name": {"en": "Rabbit's Foot", "ru": "Кроличья лапка"},
    "desc": {"en": "Every save brings 10 points.", "ru": "Каждое сохранение приносит 10 очков."},
    "type": "passive",
    "triggers": ["on_save"],
    "effect": {"add": 10},
    "notification": {"en": "Hop", "ru": "Прыг"},
}


@pytest.fixture(scope="module")
def room():
    return require_content(load_game("dice"))


@pytest.fixture
def run(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words):
        status = main(["content", "dice", *map(str, words)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def saved(tmp_path):
    def saved(name, **content):
        path = tmp_path / name
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        return path

    return saved


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("words", [[], ["--list"]])
def test_the_list_has_everything_in_80_columns(run, room, lang, words):
    status, out, err = run(*words, "--lang", lang)
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    _, rule, *lines = out.splitlines()
    assert set(rule) == {"─"}
    listed = [line.split() for line in lines if line[0] != " "]
    assert [words[1] for words in listed] == [entry.id for entry in room.entries(room.library())]
    assert {words[0] for words in listed} == {name.of(lang) for name in room.KIND_NAMES.values()}


def test_files_are_listed_with_the_library(run, saved, room):
    _, plain, _ = run()
    status, out, _ = run("--content", saved("mine.json", items=[ITEM]))
    assert status == 0
    assert "rabbits_foot" in out
    assert "rabbits_foot" not in plain


def test_the_schema_is_that_of_the_game_and_its_example_is_right(run, room, saved):
    status, out, _ = run("--schema")
    assert status == 0
    schema = json.loads(out)
    assert schema == room.schema()
    assert run("--check", saved("example.json", **schema["examples"][0]))[0] == 0


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "no mistakes; entries: 1\n"), ("ru", "ошибок нет; записей: 1\n")]
)
def test_a_right_file_gets_one_line(run, saved, lang, sentence):
    assert run("--check", saved("mine.json", items=[ITEM]), "--lang", lang) == (0, sentence, "")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_mistake_of_every_file_is_told(run, saved, lang):
    wrong = {**ITEM, "effect": {"add": 0}, "triggers": ["on_safe"]}
    first, second = saved("first.json", items=[wrong]), saved("second.json", dice=[{"id": "half"}])
    right = saved("right.json", items=[ITEM])
    status, out, err = run("--check", first, right, second, "--lang", lang)
    assert (status, err) == (2, "")
    lines = out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [str(first)] * 2 + [str(second)] * 3
    words = "ожидается", "нет ключа"
    assert all(any(word in line for word in words) == (lang == "ru") for line in lines)


def test_what_can_never_happen_is_a_warning_and_no_mistake(run, saved):
    late = {**ITEM, "triggers": ["on_roll"], "condition": {"straight": "any", "of": "saved"}}
    status, out, err = run("--check", saved("late.json", items=[late]))
    assert (status, err) == (0, "")
    warning, last = out.splitlines()
    assert "warning: items.0.condition.straight can never hold with on_roll" in warning
    assert last == "no mistakes; entries: 1; warnings: 1"


def test_an_id_in_two_files_is_a_mistake(run, saved):
    first, second = saved("first.json", items=[ITEM]), saved("second.json", items=[ITEM])
    status, out, err = run("--check", first, second)
    assert (status, out) == (2, "")
    assert err.startswith(f'playmill: {second}: items.0.id: "rabbits_foot" is an item of {first}; choose another id')


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"items": [', "breaks off at line 1"),
        ("Sure! Here it is: {}", "expected JSON alone"),
        ("```json\n{}\n```\n```json\n{}\n```", "has 2 fenced blocks (```) with JSON; expected one"),
        ("[]", "a list; expected an object"),
        ("", "is empty; expected a JSON object"),
    ],
)
def test_what_is_no_content_gets_one_line(run, tmp_path, text, sentence):
    path = tmp_path / "answer.json"
    path.write_text(text)
    status, out, err = run("--check", path)
    assert (status, err, out.count("\n")) == (2, "", 1)
    assert sentence in out


def test_a_file_that_cannot_be_read_gets_one_line(run, tmp_path):
    missing = tmp_path / "none.json"
    assert run("--check", missing) == (2, f"cannot read {missing}: there is no such file\n", "")
    assert run("--check", tmp_path) == (2, f"cannot read {tmp_path}: it is a folder\n", "")
    status, out, err = run("--content", missing)
    assert (status, out, err) == (2, "", f"playmill: cannot read {missing}: there is no such file\n")


def test_a_game_without_content_says_where_its_numbers_are(dimensions, pig):
    for game in (dimensions, pig):
        with pytest.raises(PlaymillError, match=f"{game.name} has no content files; .* playmill config {game.name}"):
            require_content(game)
