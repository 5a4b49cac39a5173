"""Settings form: made from the config alone, changes marked, mistakes at their fields."""

from __future__ import annotations

import json
from html import unescape
from typing import Any

import pytest
from web_server import Site

from common.found import GAMES, SHIPPED, game_of
from common.language import both
from common.stock import stock_of
from playmill import PlaymillError
from playmill.engine.config.model import RuleConfig, differences
from playmill.engine.config.settings import SettingKind, settings_of
from playmill.texts import Text
from playmill.web.page.settings_fields import SettingField, fields_of
from playmill.web.page.settings_form import SettingsForm, typed_from

WIDGETS = {"number", "switch", "choice", "cards", "many", "places", "numbers", "text", "raw"}


def fields(form: SettingsForm, error: PlaymillError | None = None) -> dict[str, SettingField]:
    sheet = form.sheet(error)
    return {one.path: one for one in fields_of([*sheet.first, *sheet.rest])}


def posted(form: SettingsForm) -> dict[str, list[str]]:
    """What a browser sends of a form that nobody has touched."""
    return {path: ["", *one.texts] if one.widget == "many" else list(one.texts) for path, one in fields(form).items()}


@pytest.mark.parametrize("name", GAMES)
def test_a_form_that_nobody_has_touched_changes_nothing(name: str) -> None:
    game = game_of(name)
    form = SettingsForm(game)
    found = fields(form)
    assert {one.widget for one in found.values()} <= WIDGETS
    asked = {one.path for one in settings_of(game.config()).leaves() if not one.fixed}
    assert found.keys() >= {path for path in asked if not path.startswith("enums.")} - {"agent_contract"}
    assert not any(one.differs or one.mistakes for one in found.values())
    again = SettingsForm(game, posted(form))
    assert again.changes() == [] and again.config(game.players[0]) == game.config()


@pytest.mark.parametrize("name", GAMES)
def test_any_config_fills_the_form_and_comes_back_out_of_it(name: str) -> None:
    stock = stock_of(name)
    for config in [*stock.settings][:12]:
        text = json.dumps(config.model_dump(mode="json"))
        form = SettingsForm(stock.game, {**posted(SettingsForm(stock.game)), **typed_from(stock.game, text)})
        made = stock.game.config().changed(form.changes()) if form.changes() else stock.game.config()
        assert differences(made) == differences(config)
        marked = {path for path, one in fields(form).items() if one.differs}
        assert bool(marked) == (made.model_dump() != stock.game.config().model_dump())


@pytest.mark.parametrize("name", [*SHIPPED, "pig"])
def test_every_field_speaks_both_languages(name: str) -> None:
    stock = stock_of(name)
    for one in fields(SettingsForm(stock.game)).values():
        both(one.name)
        for option in one.options[0] if one.options else ():
            about = [option.about] if option.about else []
            for text in (option.name, *about):
                same = text.en == text.ru and (text.en in stock.same or name == "influence" or not text.en.isalpha())
                assert same or option.name.en == "SOS" or both(text) is None


@pytest.mark.parametrize("name", GAMES)
def test_a_mistake_is_told_at_its_field_and_nothing_typed_is_lost(name: str) -> None:
    game = game_of(name)
    numbers = [one for one in settings_of(game.config()).leaves() if one.kind is SettingKind.NUMBER and not one.fixed]
    first, last = numbers[0], numbers[-1]
    typed = {**posted(SettingsForm(game)), last.path: [f"{(last.high or 0) + 1:g}"], first.path: ["many"]}
    form = SettingsForm(game, typed)
    with pytest.raises(PlaymillError) as caught:
        form.config(game.players[0])
    found = fields(form, caught.value)
    assert found[first.path].text == "many" and found[first.path].mistakes[0].ru.startswith('"many"; ожидается: ')
    assert found[last.path].differs
    assert first is last or "at most" in found[last.path].mistakes[0].en
    assert {path for path, one in found.items() if one.mistakes} == {first.path, last.path}
    assert form.sheet(caught.value).mistakes == []


def made(form: SettingsForm, players: int = 2) -> dict[str, Any]:
    config: RuleConfig = form.config(players)
    return config.model_dump(mode="json")


def test_dice_are_chosen_place_by_place_with_their_sentences() -> None:
    dice = game_of("dice")
    one = fields(SettingsForm(dice))["players.0.dice"]
    assert one.widget == "places" and len(one.options) == 6
    about = next(option.about for option in one.options[0] if option.key == "fair")
    assert about is not None and "equally often" in about.en
    chosen = ["fair", "fair", "fair", "heavy_fives", "fair", "fair"]
    assert made(SettingsForm(dice, {"players.0.dice": chosen}))["players"][0]["dice"] == chosen


def test_modifiers_items_and_a_kit_are_chosen_by_checking_them() -> None:
    dice = game_of("dice")
    chosen = ["", "mark_of_the_beast", "town_tax"]
    form = SettingsForm(dice, {"players.1.modifiers": chosen, "global_items": [""]})
    assert made(form)["players"][1]["modifiers"] == chosen[1:]
    kits = [option.key for option in fields(SettingsForm(dice))["kit"].options[0]]
    unpacked = made(SettingsForm(dice, {**posted(SettingsForm(dice)), "kit": [kits[1]]}))
    assert unpacked["kit"] == "" and unpacked != dice.config().model_dump(mode="json")


def test_content_of_ones_own_can_be_chosen_in_the_same_form() -> None:
    dice = game_of("dice")
    content = {"dice": [{"id": "mine", "code": "M", "name": "Mine", "desc": "My die.", "weights": [1, 1, 1, 1, 1, 9]}]}
    form = SettingsForm(dice, {"content": [json.dumps(content)]})
    assert "mine" in [option.key for option in fields(form)["players.0.dice"].options[0]]
    with_it = SettingsForm(dice, {"content": [json.dumps(content)], "players.0.dice": ["mine"] * 6})
    assert made(with_it)["players"][0]["dice"] == ["mine"] * 6


def test_a_list_that_no_checking_could_make_is_asked_for_as_it_is_written() -> None:
    dice = game_of("dice")
    listed = [{"id": "town_tax", "enabled": False}, "five_groats"]
    config = dice.config().changed([f"global_modifiers={json.dumps(listed)}"])
    typed = typed_from(dice, json.dumps(config.model_dump(mode="json")))
    assert fields(SettingsForm(dice, typed))["global_modifiers"].widget == "raw"
    assert made(SettingsForm(dice, typed))["global_modifiers"] == listed


def test_maps_are_chosen_by_their_pictures(site: Site) -> None:
    influence = game_of("influence")
    one = fields(SettingsForm(influence))["map"]
    assert one.widget == "cards" and all(option.picture is not None for option in one.options[0])
    assert made(SettingsForm(influence, {"map": ["small"]}))["map"]["name"] == "small"
    status, headers, text = site.ask("/games/influence/choice.svg?path=map&at=0&lang=ru")
    assert status == 200 and headers["content-type"] == "image/svg+xml" and text.count("<path") == 18
    for query in ("path=map&at=99", "path=nothing&at=0", "path=map&at=x", ""):
        assert site.ask(f"/games/influence/choice.svg?{query}")[0] == 404
    assert site.ask("/games/nothing/choice.svg?path=map&at=0")[0] == 404


def test_a_map_of_ones_own_stays_chosen() -> None:
    influence = game_of("influence")
    own = {"name": "mine", "rows": ["wSw", "w.w", "wSw"], "starts": {}}
    config = influence.config().changed([f"map={json.dumps(own)}"])
    typed = typed_from(influence, json.dumps(config.model_dump(mode="json")))
    one = fields(SettingsForm(influence, typed))["map"]
    assert [option.name for option in one.options[0] if option.chosen] == [Text("your own", "своё")]
    assert made(SettingsForm(influence, typed))["map"] == own


def test_what_a_file_says_twice_is_changed_at_both_places() -> None:
    grid = game_of("grid")
    typed = {**posted(SettingsForm(grid)), "game.draft.reveal": ["4"], "game.draft.discard": ["2"]}
    assert made(SettingsForm(grid, typed))["termination"]["reveal_required_cards"] == 4
    assert "termination.reveal_required_cards" not in fields(SettingsForm(grid))


def test_a_free_line_goes_before_the_field_of_the_same_path() -> None:
    pig = game_of("pig")
    assert made(SettingsForm(pig, {"target": ["30"], "faces": ["8"]}, ["target=40"])) == {
        "target": 40,
        "faces": 8,
        "max_turns": 1000,
    }


def test_an_empty_number_is_as_the_rules_say_and_a_path_is_a_path() -> None:
    pig = game_of("pig")
    assert SettingsForm(pig, {"target": [" "], "faces": [""]}).changes() == []
    assert SettingsForm(pig, {"../../etc": ["1"], "a=b": ["2"]}).changes() == []
    with pytest.raises(PlaymillError, match="has no 'nothing'"):
        SettingsForm(pig, {"nothing": ["1"]}).config(2)


@pytest.mark.parametrize(("typed", "means"), [("2, 5", [2, 5]), ("[2, 5]", [2, 5]), ("3", 3), (" ", None), ("2", None)])
def test_a_number_or_one_for_each_seat_is_typed_into_one_field(typed: str, means: object) -> None:
    form = SettingsForm(game_of("influence"), {"start_influence": [typed]})
    assert form.changes() == ([] if means is None else [f"start_influence={json.dumps(means)}"])
    assert fields(SettingsForm(game_of("influence")))["start_influence"].widget == "numbers"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        ("[1, 2]", "expected an object"),
        ('{"target": 5, "goal": 7}', "there is no key 'goal'"),
        ('{"target": 0}', "target is 0; expected at least 1"),
        ("[" * 5000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_config_gets_one_sentence_and_stays_there(site: Site, text: str, told: str) -> None:
    status, _, page = site.ask("/tables", {"game": "pig", "file": text, "load": "1", "v:faces": "7"})
    assert status == 400 and "Traceback" not in page
    assert told in unescape(page) or told.partition("; ")[0].rpartition(" ")[2] in unescape(page)
    assert text[:50] in unescape(page) and 'value="7"' in page


# Without scripts: every button is a plain form post


def test_a_table_is_laid_with_a_plain_form_post(site: Site) -> None:
    form = {"game": "pig", "players": "2", "seat": ["me", "threshold"], "p:1:threshold:n": "25", "hints": "off"}
    status, headers, page = site.ask("/tables", {**form, "v:target": "30", "v:faces": "6"})
    assert status == 303, page
    table, _, token = headers["location"].removeprefix("/t/").partition("#")
    with site.at(table, token) as guest:
        assert guest.seen["settings"] == {"target": 30} and guest.seen["hints"] is False
        assert guest.seen["seats"][1]["agent"] == "threshold:n=25"
        guest.ask(kind="ready", ready=True)
        guest.until(lambda seen: seen["yours"])


def test_laying_anew_keeps_all_that_was_typed(site: Site) -> None:
    form = {"game": "grid", "seat": ["me", "greedy"], "v:patterns.A.vp": "many", "changes": "x=1", "name": "Anna"}
    status, _, page = site.ask("/tables", {**form, "players": "4", "again": "1"})
    assert status == 200 and page.count('name="seat"') == 4
    for kept in ('value="many"', "x=1", 'value="Anna"', '<option value="greedy" '):
        assert kept in page
    status, headers, page = site.ask("/tables", {**form, "speak": "ru"})
    assert (
        status == 200 and 'lang="ru"' in page and 'value="many"' in page and "playmill_lang=ru" in headers["set-cookie"]
    )


def test_one_setting_is_set_back_and_the_rest_stays(site: Site) -> None:
    form = {"game": "pig", "v:target": "30", "v:faces": "8", "usual": "target"}
    status, _, page = site.ask("/tables", form)
    assert status == 200
    assert 'name="v:target" value="100"' in page and 'name="v:faces" value="8"' in page


def test_a_config_fills_in_the_form(site: Site) -> None:
    status, _, page = site.ask("/tables", {"game": "pig", "file": '{"target": 33}', "load": "1", "v:target": "100"})
    assert status == 200 and 'name="v:target" value="33"' in page and "changed: 1" in page


def test_no_setting_of_a_form_can_name_a_file(site: Site, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("secret") / "map.json"
    secret.write_text('{"name": "s", "rows": ["ww"], "starts": {}}')
    for form in ({"v:map": str(secret)}, {"file": json.dumps({"map": str(secret)})}):
        status, _, page = site.ask("/tables", {"game": "influence", **form})
        assert status == 400 and "files cannot be named here" in page
    content = {"v:content": json.dumps(str(secret))}
    assert site.ask("/tables", {"game": "dice", **content})[0] == 400


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", "'nonsense': expected path=value, for example target=…"),
        ("goal=3", "goal: config has no 'goal'"),
        ("target=3\ntarget=4", "'target' is given twice; expected once"),
    ],
)
def test_a_mistake_in_a_line_is_told_without_words_of_the_command_line(site: Site, line: str, told: str) -> None:
    text = unescape(site.ask("/tables", {"game": "pig", "seats": ["me", "random"], "changes": line})[2])
    assert told in text and "--set" not in text
