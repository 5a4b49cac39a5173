"""Saved content: import of a file with many pieces, own flags, and all of it offered for a match."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from test_web_content import AT, KEY, typed
from web_server import Site, running

from common.pages import needs_chromium
from playmill.web.access.owner import OWNER_COOKIE
from playmill.web.lab.content.draft import PieceDraft, from_nothing
from playmill.web.live.setup import TableSetup
from playmill.web.page.settings_form import SettingsForm

FLAG = {"id": "tipsy", "name": {"en": "tipsy", "ru": "под хмельком"}, "lasts": "turns", "turns": 3}
MEAD = {
    "name": {"en": "Mead", "ru": "Медовуха"},
    "desc": {"en": "Drink: tipsy for three turns.", "ru": "Выпейте: три хода под хмельком."},
    "type": "active",
    "cooldown_turns": 4,
    "effect": [{"set_flag": "tipsy"}, {"add": 30}],
    "notification": {"en": "Cheers", "ru": "За здоровье"},
}
LUCK = {
    "name": {"en": "Drunkard's Luck", "ru": "Пьяное счастье"},
    "desc": {"en": "Tipsy, a save brings 40 more.", "ru": "Под хмельком сохранение даёт ещё 40."},
    "type": "passive",
    "triggers": ["on_save"],
    "condition": {"flag": "tipsy"},
    "effect": {"add": 40},
    "notification": {"en": "lucky", "ru": "везёт"},
}
TOLL = {
    "name": {"en": "Toll Gate", "ru": "Застава"},
    "desc": {"en": "Passing costs 5 percent.", "ru": "Пас стоит 5 процентов."},
    "trigger": "on_pass",
    "effect": {"percent": -5},
    "note": {"en": "toll", "ru": "пошлина"},
}
BRASS = {
    "code": "Br",
    "name": {"en": "Brass Die", "ru": "Латунная кость"},
    "desc": {"en": "Fives fall often.", "ru": "Часто пятёрки."},
    "weights": [1, 1, 1, 1, 4, 1],
}
KIT = {
    "name": {"en": "The Fair", "ru": "Ярмарка"},
    "desc": {"en": "A day at the fair.", "ru": "День на ярмарке."},
    "global_modifiers": ["toll_gate"],
    "players": [{"items": ["mead", "drunkards_luck"]}, {}],
}
FILE = {"flags": [FLAG], "modifiers": [TOLL], "items": [MEAD, LUCK], "dice": [BRASS], "kits": [KIT]}
ANSWER = f"Here is your fair:\r\n\r\n```json\r\n{json.dumps(FILE, ensure_ascii=False, indent=2)}\r\n```\r\nEnjoy!"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Site]:
    some = {name: games[name] for name in ("dice", "pig")}
    with running(tmp_path_factory.mktemp("kept") / "tables.sqlite3", some, owner=KEY) as found:
        yield found


@pytest.fixture
def mine(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[int, dict[str, str], str]]]:
    """Requests of the owner; nothing is played, and nothing is kept before or after."""
    monkeypatch.setattr("playmill.web.lab.job_queue.AT_ONCE", 0)

    def ask(path: str, form: Any = None, **headers: str) -> tuple[int, dict[str, str], str]:
        return site.ask(path, form, Cookie=f"{OWNER_COOKIE}={KEY}", **headers)

    def forget() -> None:
        for name in re.findall(r'value="forget:([^"]+)"', ask(AT)[2]):
            ask(AT, {"do": f"forget:{name.replace('&#39;', chr(39))}"})

    forget()
    yield ask
    forget()


def _config(site: Site, **typed: list[str]) -> dict[str, Any]:
    """The config of a match for which this was chosen, by path with `__` for each dot."""
    game = site.tables.games["dice"]
    wish = TableSetup("dice", typed={path.replace("__", "."): texts for path, texts in typed.items()})
    found: dict[str, Any] = site.tables.settings(game, wish).config(2).model_dump(mode="json")
    return found


def test_a_whole_file_with_many_entries_is_kept_fence_and_words_around_it_and_all(site, mine, tmp_path):
    status, _, page = mine(AT, {"do": "import", "file": ANSWER})
    assert status == 200 and "Kept, 6: Toll Gate, Mead, Drunkards Luck, Brass Die, tipsy, The Fair." in page
    for kind in ("modifier", "item", "die", "flag", "kit"):
        assert f"<small>{kind}</small>" in page
    path = tmp_path / "mead.json"
    path.write_text(site.ask(f"{AT}/kept/Mead.json")[2], encoding="utf-8")
    assert [flag["id"] for flag in json.loads(path.read_text())["flags"]] == ["tipsy"], "a file has what it speaks of"
    assert site.tables.games["dice"].content.mistakes(path) == []
    again = mine(AT, {"do": "import", "file": json.dumps({"items": [MEAD | {"cooldown_turns": 9}], "flags": [FLAG]})})[
        2
    ]
    assert "Kept, 2: Mead, tipsy." in again, "what is kept under an id is replaced"
    assert mine(AT)[2].count('value="forget:') == 6
    assert 'value="9"' in mine(f"{AT}?kept=Mead")[2]


def test_a_file_with_mistakes_is_told_all_of_them_and_nothing_of_it_is_kept(mine):
    wrong = FILE | {"modifiers": [TOLL | {"effect": {"percent": "-5"}}, TOLL | {"trigger": "on_save"}]}
    status, _, page = mine(AT, {"do": "import", "file": json.dumps(wrong)})
    assert status == 400 and "Nothing was kept" in page and "forget:" not in page
    assert "modifiers.0.effect.percent is" in page and "modifiers.1.trigger is" in page
    for text, told in (("nonsense", "not valid JSON"), ("{}", "there is none of these in it"), ("", "is empty")):
        status, _, page = mine(AT, {"do": "import", "file": text})
        assert status == 400 and told in page, text
    russian = mine(AT, {"do": "import", "file": json.dumps(wrong)}, Accept_Language="ru")[2]
    assert "Ничего не сохранено" in russian


def test_only_the_owner_keeps_a_file(site):
    assert site.ask(AT, {"do": "import", "file": ANSWER})[0] == 403


def test_a_flag_of_ones_own_is_made_in_the_form_and_then_chosen_there(site, mine):
    draft = from_nothing(site.tables.games["dice"], "flags")
    assert draft.flaws == [] and not draft.is_tried
    assert [field.path for field in draft.fields("en")[0]] == ["name", "id", "lasts"], "turns go with turns alone"
    form = typed(draft, name__en="sly", name__ru="хитёр", lasts="turns")
    looked = json.loads(mine(f"{AT}/look", form | {"script": "1"})[2])
    assert 'name="c:turns"' in looked["fields"] and not looked["right"], "it has no worth, and none is begun"
    page = mine(AT, form | {"c:turns": "2", "do": "keep"})[2]
    assert "Kept as “sly”." in page
    item = PieceDraft(site.tables.games["dice"], "items", MEAD | {"effect": [{"set_flag": "sly"}]})
    assert item.flaws, "alone there is no such flag"
    page = mine(AT, typed(item) | {"do": "keep", "called": "sly mead"})[2]
    assert "Kept as “sly mead”." in page
    assert re.search(r'<option value="sly" selected>sly</option>', mine(f"{AT}?kept=sly+mead")[2])
    assert "хитёр" in mine(f"{AT}?kept=sly+mead", Accept_Language="ru")[2]


def test_what_is_kept_is_offered_to_either_player_and_the_table(site, mine):
    assert 'value="mead"' not in site.ask("/games/dice")[2]
    mine(AT, {"do": "import", "file": ANSWER})
    page = site.ask("/games/dice")[2]
    for path in ("players.0.items", "players.1.items", "global_items"):
        assert f'name="v:{path}" value="mead"' in page, path
    for path in ("players.0.modifiers", "players.1.modifiers", "global_modifiers"):
        assert f'name="v:{path}" value="toll_gate"' in page, path
    assert page.count('<option value="brass_die"') == 12 and '<option value="the_fair"' in page
    assert 'value="mead"' in mine("/lab/games/dice")[2], "in the laboratory, too"
    assert "mead" not in re.search(r'name="v:content"[^>]*>([^<]*)', page)[1], "what is only offered is no setting"


def test_a_match_has_in_its_config_what_was_chosen_of_what_is_kept_and_nothing_else(site, mine):
    mine(AT, {"do": "import", "file": ANSWER})
    assert _config(site)["content"] == site.tables.games["dice"].config().model_dump(mode="json")["content"]
    config = _config(site, players__1__items=["drunkards_luck", "bust_shield", "mead"], global_modifiers=["toll_gate"])
    assert config["players"][1]["items"] == ["drunkards_luck", "bust_shield", "mead"], "in the order of the form"
    content = config["content"]
    assert {one["id"] for one in content["items"]} == {"mead", "drunkards_luck"} and not content["dice"]
    assert [one["id"] for one in content["flags"]] == ["tipsy"] and [one["id"] for one in content["modifiers"]]
    assert [one["id"] for one in _config(site, players__0__dice=["brass_die"] * 6)["content"]["dice"]] == ["brass_die"]
    kit = _config(site, kit=["the_fair"])
    assert kit["players"][0]["items"] == ["mead", "drunkards_luck"] and kit["global_modifiers"] == ["toll_gate"]


def test_content_that_is_typed_stands_beside_what_is_kept(site, mine):
    mine(AT, {"do": "import", "file": ANSWER})
    own = {"modifiers": [TOLL | {"id": "bridge"}, TOLL | {"id": "toll_gate", "effect": {"percent": -50}}]}
    config = _config(site, content=[json.dumps(own)], global_modifiers=["bridge", "toll_gate"], global_items=["mead"])
    assert [one["id"] for one in config["content"]["modifiers"]] == ["bridge", "toll_gate"]
    assert config["content"]["modifiers"][1]["effect"] == [{"percent": -50}], "the config's own goes first"
    assert [one["id"] for one in config["content"]["items"]] == ["mead"]


def test_a_kept_piece_that_lost_its_flag_is_offered_no_more_and_says_why(site, mine):
    mine(AT, {"do": "import", "file": ANSWER})
    mine(AT, {"do": "forget:tipsy"})
    page = site.ask("/games/dice")[2]
    assert 'value="mead"' not in page and 'value="toll_gate"' in page
    assert "there is no flag" in mine(f"{AT}?kept=Mead")[2]


def test_a_list_in_an_order_of_its_own_is_chosen_from_and_shown_in_that_order(site):
    game = site.tables.games["dice"]
    chosen = ["lucky_charm", "bust_shield"]
    form = SettingsForm(game, {"players.0.items": ["", *chosen]})
    assert form.config(2).model_dump(mode="json")["players"][0]["items"] == chosen
    page = site.ask("/tables", {"game": "dice", "v:players.0.items": ["", *chosen], "again": "1"})[2]
    shown = re.findall(r'name="v:players.0.items" value="([a-z_]+)"', page)
    assert shown[:2] == chosen and len(set(shown)) == len(shown) > 20
    assert 'data-path="players.0.items" data-widget="many"' in page


def test_the_prompt_is_a_text_in_the_language_of_the_page(site):
    assert site.ask(f"{AT}/prompt.txt")[2].startswith("# Write content for a dice game")
    status, headers, text = site.ask(f"{AT}/prompt.txt", Accept_Language="ru")
    assert status == 200 and headers["content-type"].startswith("text/plain") and text.startswith("# Напиши содержание")
    assert site.ask("/lab/games/pig/content/prompt.txt")[0] == 404


@needs_chromium
def test_from_the_answer_of_a_model_to_the_table_in_an_order_that_was_dragged(visit, site, mine):
    page = visit(f"{AT}?owner={KEY}", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the prompt").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("# Write content for a dice game")
    page.get_by_label("From a file or a language model").last.fill(ANSWER)
    page.get_by_role("button", name="Keep everything in it").click()
    page.locator(".said", has_text="Kept, 6").wait_for()
    page.get_by_role("link", name="set up a match").click()
    field = page.locator('.setting[data-path="players.0.items"]')
    field.wait_for(state="attached")  # the next page is there; what it has closed can be opened
    page.wait_for_load_state()
    page.evaluate("for (const one of document.querySelectorAll('.first details')) one.open = true")
    for name in ("mead", "drunkards_luck", "bust_shield"):
        field.locator(f"input[value={name}]").check()

    def chosen() -> list[str]:
        found: list[str] = field.locator("input:checked").evaluate_all("all => all.map(one => one.value)")
        return found

    assert sorted(chosen()[:2]) == ["drunkards_luck", "mead"] and chosen()[2] == "bust_shield"
    grip = field.get_by_role("button", name="Move: Bust Shield")
    grip.scroll_into_view_if_needed()
    start, top = grip.bounding_box(), field.locator(".place").first.bounding_box()
    page.mouse.move(start["x"] + 8, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(top["x"] + 40, top["y"] + 2, steps=10)
    page.mouse.up()
    assert chosen()[0] == "bust_shield", "by the mouse"
    grip.focus()
    page.keyboard.press("ArrowDown")
    assert chosen()[1] == "bust_shield" and page.evaluate("document.activeElement.className") == "grip", "by keys"
    order = chosen()
    page.get_by_role("button", name="Sit down and play").click()
    page.wait_for_selector("#options button")
    table = re.search(r"/t/([\w-]+)", page.url)[1]
    config = json.loads(site.tables.store._rows("SELECT config FROM tables WHERE id = ?", table)[0][0])
    assert config["players"][0]["items"] == order
