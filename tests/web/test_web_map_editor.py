"""Map editor: the text round-trips, mistakes are shown, and only the owner saves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from web_server import Site, running

from playmill.engine.contract.map_editor import Canvas, Drawing, Easel, Fact, Place, PlaceKind
from playmill.games.influence.maps import text_of
from playmill.games.influence.maps.checks import mistakes_of
from playmill.games.influence.maps.generate import generate
from playmill.games.influence.maps.model import Map, built_in
from playmill.texts import Text
from playmill.web.access.owner import OWNER_COOKIE
from playmill.web.saved.rules import SavedRules

KEY = "the-owner-has-this-key"
DRAW = "/lab/games/influence/draw"
BRIDGE = text_of(Map(name="bridge", rows=["wwS..", "wwwwS", ".Sww."], starts={"2": [[0, 0], [1, 4]]}))


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Site]:
    chosen = {name: games[name] for name in ("influence", "pig")}
    with running(tmp_path_factory.mktemp("drawing") / "tables.sqlite3", chosen, owner=KEY) as site:
        site.laboratory.queue.folder.mkdir(exist_ok=True)
        yield site


@pytest.fixture
def mine(lab: Site) -> Callable[..., tuple[int, dict[str, str], str]]:
    """Requests of the owner."""
    return lambda path, form=None, **headers: lab.ask(path, form, Cookie=f"{OWNER_COOKIE}={KEY}", **headers)


def _text(page: str) -> str:
    """What stands in the text field of a page."""
    found = re.search(r'<textarea name="v:map"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found is not None
    return unescape(found[1])


def _json(answer: tuple[int, dict[str, str], str]) -> dict[str, Any]:
    assert answer[0] == 200
    found: dict[str, Any] = json.loads(answer[2])
    return found


def _look(lab: Site, act: str = "read", **form: Any) -> dict[str, Any]:
    return _json(lab.ask(DRAW, {"act": act, **form}, Accept="application/json"))


def _drawing(found: dict[str, Any], **changes: Any) -> str:
    return json.dumps({key: found[key] for key in ("name", "size", "kinds", "pins")} | changes)


@pytest.mark.parametrize(
    "text",
    [BRIDGE, *map(text_of, built_in().values()), text_of(generate(7, 8, symmetric=3, seed=5, name='Карта "№ 5" <b>&'))],
    ids=lambda text: json.loads(text)["name"],
)
def test_a_file_goes_in_and_comes_out_the_same(lab, text):
    page = lab.ask(DRAW, {"act": "read", "v:map": text})[2]
    assert _text(page).rstrip() == text.rstrip()
    status, headers, taken = lab.ask(DRAW, {"act": "take", "v:map": _text(page)})
    assert (status, taken) == (200, text) and "attachment" in headers["content-disposition"]
    drawn = _look(lab, **{"v:map": text})
    assert lab.ask(DRAW, {"act": "take", "drawing": _drawing(drawn)})[2] == text, "drawn, it is the same, too"


def test_what_is_wrong_with_a_text_is_what_the_command_line_says(lab):
    wrong = {"name": "", "rows": ["wwS", "wXw"], "starts": {"2": [[0, 0]]}}
    for lang, place in (("en", 0), ("ru", 1)):
        page = lab.ask(DRAW, {"act": "read", "v:map": json.dumps(wrong)}, Accept_Language=lang)[2]
        told = [unescape(text) for text in re.findall(r'<li class="mistake">(.*?)</li>', page)]
        assert told == [mistake.message()[place] for mistake in mistakes_of(wrong)]
    assert json.loads(_text(page)) == wrong, "nothing that was written is lost"


@pytest.mark.parametrize(
    ("text", "en", "ru"),
    [
        ("", "the text is empty", "текст пуст"),
        ("{", "the text is not valid JSON", "текст — неправильный JSON"),
        ("[" * 5000, "nested too deeply", "вложенность"),
        ("[1]", "a list; expected an object", "это список"),
        ('"/etc/passwd.json"', "expected an object", "ожидается объект"),
    ],
)
def test_bad_text_gets_a_sentence(lab, text, en, ru):
    for lang, told in (("en", en), ("ru", ru)):
        status, _, page = lab.ask(DRAW, {"act": "read", "v:map": text}, Accept_Language=lang)
        assert status == 200 and told in unescape(page)
        status, _, page = lab.ask(DRAW, {"act": "take", "v:map": text}, Accept_Language=lang)
        assert status == 400 and told in unescape(page)


def test_an_empty_canvas_invites_and_complains_only_to_whoever_would_play_on_it(lab):
    for lang, told in (("en", "Nothing is drawn yet"), ("ru", "Пока ничего не нарисовано")):
        page = lab.ask(DRAW, Accept_Language=lang)[2]
        assert told in page and '<ul id="mistakes" hidden>' in page
    blank = _look(lab, "blank", rows="5", cols="5", drawing=_drawing(_look(lab, **{"v:map": BRIDGE})))
    assert blank["invites"] and len(blank["mistakes"]) == 1
    begun = _drawing(blank, kinds=[1, *blank["kinds"][1:]])
    assert not _look(lab, "look", drawing=begun)["invites"], "one cell is too few, and that is told"
    pinned = _drawing(blank, pins={key: [0, *pins[1:]] for key, pins in blank["pins"].items()})
    assert not _look(lab, "look", drawing=pinned)["invites"]
    status, _, page = lab.ask(DRAW, {"act": "play", "drawing": _drawing(blank)})
    assert status == 400 and '<ul id="mistakes"><li class="mistake">rows: holes only' in page


def test_too_many_cells_are_told_and_cannot_be_played_on(lab):
    blank = _look(lab, "blank", rows="17", cols="16", drawing=_drawing(_look(lab, **{"v:map": BRIDGE})))
    drawing = _drawing(blank, kinds=[1] * len(blank["kinds"]))
    found = _look(lab, "look", drawing=drawing)
    assert found["mistakes"] == ["rows: 272 cells without the holes; expected 2 to 256"]
    for act in ("play", "take"):
        status, _, page = lab.ask(DRAW, {"act": act, "drawing": drawing})
        assert status == 400 and "272 cells" in page
        assert page.count('data-kind="1"') > 272, "and the drawing is still there"


def test_a_drawing_that_no_page_could_send_is_refused(lab):
    good = _look(lab, **{"v:map": BRIDGE})
    wrong = [
        {"kinds": good["kinds"][1:]},
        {"kinds": [9] * 15},
        {"kinds": [True] * 15},
        {"size": [3, 500]},
        {"size": [0, 5]},
        {"size": "35"},
        {"pins": {"2": [0, 0]}},
        {"pins": {"2": [0, 99]}},
        {"pins": {"2": [0, 1, 2]}},
        {"pins": None},
        {"name": 5},
        {"name": "x" * 5000},
    ]
    for changes in wrong:
        told = _look(lab, "look", drawing=_drawing(good, **changes))
        assert len(told["mistakes"]) == 1 and "facts" not in told, changes
    assert "drawing" in _look(lab, "look", drawing="{")["mistakes"][0]


def test_only_the_owner_keeps_and_has_work_done_but_anybody_draws_and_plays(lab, mine):
    form = {"v:map": BRIDGE, "players": "2"}
    for act in ("keep", "forget:bridge", "simulate", "compare", "audit"):
        for cookie in ("", f"{OWNER_COOKIE}=guessed"):
            status, _, text = lab.ask(DRAW, {**form, "act": act}, Cookie=cookie)
            assert status == 403 and "Only the owner" in text
    assert not (lab.laboratory.queue.folder.parent / "drawings").exists() and lab.laboratory.queue.jobs() == []
    status, headers, _ = lab.ask(DRAW, {**form, "act": "play"})
    assert status == 303 and headers["location"].startswith("/t/")
    assert lab.ask(DRAW, form, Origin="http://evil.example")[0] == 403


def test_a_map_is_kept_taken_away_opened_and_removed(lab, mine, tmp_path):
    named = BRIDGE.replace("bridge", "Мост 2")
    status, _, page = mine(DRAW, {"act": "keep", "v:map": named})
    assert status == 200 and "Kept as “Мост 2”." in page
    address = "/lab/games/influence/drawings/%D0%9C%D0%BE%D1%81%D1%82%202.json"
    status, _, text = lab.ask(address)
    assert (status, text) == (200, named)
    (tmp_path / "map.json").write_text(text, encoding="utf-8")
    assert Map.read(tmp_path / "map.json").name == "Мост 2", "the command line reads it"
    again = lab.ask(f"{DRAW}?from=kept:%D0%9C%D0%BE%D1%81%D1%82%202")[2]
    assert _text(again).rstrip() == named.rstrip()
    assert _look(lab, "open", **{"from": "kept:Мост 2", "v:map": BRIDGE})["name"] == "Мост 2"
    for wrong in ("../../owner", "a/b", "x" * 50):
        status, _, page = mine(DRAW, {"act": "keep", "v:map": BRIDGE.replace("bridge", wrong)})
        assert status == 400 and "drawings can be called by" in page
    mine(DRAW, {"act": "forget:Мост 2", "v:map": BRIDGE})
    assert lab.ask(address)[0] == 404
    assert lab.ask(f"{DRAW}?from=kept:%D0%9C%D0%BE%D1%81%D1%82%202")[0] == 400


def test_questions_about_a_map_are_jobs_with_it_in_the_rules(lab, mine, monkeypatch):
    asked = []
    monkeypatch.setattr(lab.laboratory.queue, "add", lambda *given: asked.append(given) or _Asked())
    form = {"v:map": BRIDGE, "players": "3", "agent": "greedy", "games": "500", "deals": "60", "minutes": "2"}
    for act in ("simulate", "compare", "audit"):
        status, headers, text = mine(DRAW, {**form, "act": act, "against": "library:small"})
        assert (status, headers.get("location")) == (303, "/lab/works/asked"), text
    (_, _, run, about), (_, _, pair, told), (_, _, audit, _) = asked
    assert run["config"]["map"]["name"] == "bridge" and run["agents"] == ["greedy"] * 3 and run["games"] == 500
    assert about["changes"] == [["Maps: bridge", "Карты: bridge"]]
    assert [pair[side]["config"]["map"]["name"] for side in "ab"] == ["small", "bridge"] and pair["games"] == 60
    assert told["changes"][0][0] == "Maps: small → bridge"
    assert audit["minutes"] == 2 and audit["config"]["map"]["name"] == "bridge"
    same = {**form, "act": "compare", "v:map": text_of(built_in()["small"]), "against": "library:small"}
    for wrong, sentence in (
        (same, "these two are the same"),
        ({**form, "act": "simulate", "games": "many"}, "expected a whole number"),
        ({**form, "act": "simulate", "agent": "program:sh"}, "there is no agent"),
        ({**form, "act": "compare", "against": "kept:nothing"}, "there is nothing called"),
        ({**form, "act": "simulate", "by": "nobody"}, "there are no rules called"),
    ):
        status, _, page = mine(DRAW, wrong)
        assert status == 400 and sentence in unescape(page)
    assert len(asked) == 3


class _Asked:
    id = "asked"


def _rules_of(lab: Site, name: str, changes: list[str]) -> None:
    """Keeps rules under a name."""
    influence = lab.tables.games["influence"]
    saved = SavedRules(lab.laboratory.queue.folder.parent / "rules")
    saved.save(influence, name, influence.config().changed(changes))


def test_rules_with_a_name_and_a_map_go_together(lab, mine):
    _rules_of(lab, "Short", ["round_limit=7"])
    status, headers, _ = mine(DRAW, {"act": "play", "v:map": BRIDGE, "by": "Short", "players": "2"})
    assert status == 303
    table = headers["location"].removeprefix("/t/").partition("#")[0]
    facts = lab.tables.store.find(table)[0]
    assert facts.config["round_limit"] == 7 and facts.config["map"]["name"] == "bridge"


def test_size_suggestion_and_beginning(lab):
    bridge = _look(lab, **{"v:map": BRIDGE})
    larger = _look(lab, "resize", rows="5", cols="6", drawing=_drawing(bridge))
    assert json.loads(larger["text"])["rows"] == ["wwS...", "wwwwS.", ".Sww..", "......", "......"]
    smaller = _look(lab, "resize", rows="2", cols="3", drawing=_drawing(larger))
    assert json.loads(smaller["text"])["rows"] == ["wwS", "www"] and smaller["pins"]["2"] == [0, None]
    assert smaller["mistakes"] == ["starts.2: 1 place; expected 2"]
    turned = _look(lab, "suggest", rows="9", cols="9", symmetry="third", drawing=_drawing(bridge))
    assert turned["alike"] in ("third", "sixth") and turned["mistakes"] == []
    for size in ("65", "0", "x", ""):
        assert len(_look(lab, "resize", rows=size, cols="5", drawing=_drawing(bridge))["mistakes"]) == 1
    for key in ("half", "third", "sixth", "across", "down", "both"):
        assert key in _look(lab, "open", **{"from": "library:ring"})["symmetries"]


def test_the_form_of_settings_leads_to_a_drawing_of_what_is_chosen_there(lab):
    assert f'value="read" formaction="{DRAW}"' in lab.ask("/games/influence")[2]
    assert json.loads(_text(lab.ask(DRAW, {"act": "read", "v:map": "ring"})[2]))["name"] == "ring"
    assert "formaction" not in lab.ask("/games/pig")[2], "a game without a canvas has none"
    back = lab.ask("/tables", {"again": "1", "game": "influence", "players": "2", "v:map": BRIDGE})
    assert back[0] == 200 and "bridge" in back[2]


def test_a_drawing_is_begun_from_rules_and_from_work(lab, monkeypatch):
    _rules_of(lab, "On the bridge", [f"map={BRIDGE}"])
    assert _text(lab.ask(f"{DRAW}?rules=On+the+bridge")[2]).rstrip() == BRIDGE.rstrip()
    assert lab.ask(f"{DRAW}?rules=nobody")[0] == 400
    config = json.loads(lab.ask("/lab/games/influence/rules/On%20the%20bridge.json")[2])
    for arguments in ({"config": config}, {"a": {}, "b": {"config": config}}):
        job = SimpleNamespace(arguments=arguments, about={"game": "influence"})
        monkeypatch.setattr(lab.laboratory.queue, "find", {"job": job}.get)
        assert _text(lab.ask(f"{DRAW}?work=job")[2]).rstrip() == BRIDGE.rstrip()


def test_there_is_nothing_to_draw_in_a_game_without_a_canvas(lab, mine):
    for path in ("/lab/games/pig/draw", "/lab/games/nothing/draw"):
        assert lab.ask(path)[0] == 404 and mine(path, {"act": "look"})[0] == 404
    for name in ("nothing", "..%2Fowner", ".."):
        assert lab.ask(f"/lab/games/influence/drawings/{name}.json")[0] == 404


def test_any_game_can_have_a_canvas(tmp_path, games):
    easel = Easel(
        path="target",
        title=Text("Goals", "Цели"),
        called=Text("a goal", "цель"),
        kinds=[PlaceKind("no", Text("no", "нет")), PlaceKind("yes", Text("yes", "да"))],
        pins=[],
        usual=(1, 3),
        canvas=lambda rows, columns: Canvas((rows, columns), [Place(0, at, at, 0) for at in range(3)], "M0 0h1", 3, 1),
        drawn=lambda value: Drawing("a goal", (1, 3), tuple(int(at < value) for at in range(3))),
        value=lambda drawing: sum(drawing.kinds),
        text=str,
        mistakes=lambda value: [] if value in (1, 2, 3) else [Text("too low", "слишком мало")],
        facts=lambda drawing: [Fact(Text("Goal", "Цель"), Text(str(sum(drawing.kinds)), str(sum(drawing.kinds))))],
    )
    pig = replace(games["pig"], canvas=SimpleNamespace(EASEL=easel))
    with running(tmp_path / "tables.sqlite3", {"pig": pig}, owner=KEY) as site:
        drawing = {"name": "a goal", "size": [1, 3], "kinds": [0, 1, 1], "pins": {}}
        path = "/lab/games/pig/draw"
        page = site.ask(path, {"act": "resize", "rows": "1", "cols": "3", "drawing": json.dumps(drawing)})[2]
        assert "<dt>Goal</dt><dd>2</dd>" in page and 'formaction="/lab/games/pig/draw"' in site.ask("/games/pig")[2]
        status, headers, _ = site.ask(path, {"act": "play", "drawing": json.dumps(drawing)})
        table = headers["location"].removeprefix("/t/").partition("#")[0]
        assert status == 303 and site.tables.store.find(table)[0].config["target"] == 2
        drawing["kinds"] = [0, 0, 0]
        assert "слишком мало" in site.ask(path, {"drawing": json.dumps(drawing)}, Accept_Language="ru")[2]


@pytest.mark.parametrize(
    ("lang", "row"), [("en", "Row 0: weak 0–1, strong 2, a hole 3–4"), ("ru", "Ряд 0: слабая 0–1")]
)
def test_rows_are_told_in_words(lab, lang, row):
    found = _json(lab.ask(DRAW, {"act": "read", "v:map": BRIDGE}, Accept="application/json", Accept_Language=lang))
    assert found["rows"][0].startswith(row)
