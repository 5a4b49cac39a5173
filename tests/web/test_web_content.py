"""Content editor: description and mistakes in the reader's language, worth computed once, for the owner."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from web_server import Site, running

from playmill import Game
from playmill.engine.contract.content import Labels
from playmill.lab.jobs import JobState
from playmill.web.access.owner import OWNER_COOKIE
from playmill.web.lab.content.draft import PieceDraft, from_library, from_nothing, kinds_of
from playmill.web.lab.content.fields import PieceField
from playmill.web.lab.content.form_values import PREFIX, FormReader
from playmill.web.lab.content.worth_jobs import WorthRequest
from playmill.web.lab.job_queue import JobQueue

KEY = "the-owner-has-this-key"
AT = "/lab/games/dice/content"


@pytest.fixture(scope="module")
def dice(games: dict[str, Game]) -> Game:
    return games["dice"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Site]:
    some = {name: games[name] for name in ("dice", "pig")}
    with running(tmp_path_factory.mktemp("content") / "tables.sqlite3", some, owner=KEY) as site:
        yield site


@pytest.fixture
def mine(lab: Site) -> Callable[..., tuple[int, dict[str, str], str]]:
    """Requests of the owner."""
    return lambda path, form=None, **headers: lab.ask(path, form, Cookie=f"{OWNER_COOKIE}={KEY}", **headers)


@pytest.fixture
def queue(lab: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[JobQueue]:
    """The jobs; all of them wait."""
    monkeypatch.setattr("playmill.web.lab.job_queue.AT_ONCE", 0)
    yield lab.laboratory.queue
    for job in lab.laboratory.queue.jobs():
        job.stop()


def typed(draft: PieceDraft, **changes: str) -> dict[str, Any]:
    """What a browser would send of the form of a piece; changes by path, with `__` for each dot."""
    form: dict[str, Any] = {"kind": draft.kind}
    _fill(form, draft.fields("en")[0])
    return form | {f"{PREFIX}{path.replace('__', '.')}": text for path, text in changes.items()}


def _fill(form: dict[str, Any], fields: Any) -> None:
    for field in fields:
        name = f"{PREFIX}{field.path}"
        chosen = [option.key for option in field.options if option.chosen]
        match field.widget:
            case "kinds":
                form |= {f"{name}?": field.kind, f"{name}!": field.kind}
            case "one_of":
                form |= {f"{name}#": field.kind} | ({f"{name}=": field.text} if field.kind else {})
            case "list":
                form[f"{name}+"] = field.text
            case "numbers":
                form[name] = [part.text for part in field.parts]
                continue
            case "many":
                form[name] = ["", *chosen]
            case "choice":
                form[name] = chosen[0]
            case "phrase":
                pass
            case _:
                form[name] = field.text
        _fill(form, field.parts)


def _piece(draft: PieceDraft, form: dict[str, Any], wish: str = "") -> dict[str, Any]:
    """What the form is read as."""
    found = {name.removeprefix(PREFIX): text if isinstance(text, list) else [text] for name, text in form.items()}
    return FormReader(found, wish).piece(draft.shape)


def test_every_piece_of_the_library_passes_through_the_form_unchanged(dice):
    room = dice.content
    names = [one.id for one in room.entries(room.library()) if one.kind in kinds_of(dice)]
    assert len(names) > 50
    for name in names:
        draft = from_library(dice, name)
        assert draft.flaws == [], name
        assert _piece(draft, typed(draft)) == draft.piece, name


@pytest.mark.parametrize("kind", ["modifiers", "items", "dice"])
def test_whoever_begins_with_nothing_has_something_right(dice, kind):
    draft = from_nothing(dice, kind)
    assert draft.flaws == [] and draft.entry.kind == kind
    assert draft.trials(dice.config())


def test_all_fields_and_choices_have_names_in_both_languages(dice):
    """Nothing is called by its key, and no Russian name is the English one."""

    def bare(fields: Any) -> Iterator[str]:
        for field in fields:
            if field.name.en == field.name.ru and not field.path[-1:].isdigit():
                yield field.path
            yield from (f"{field.path}={one.key}" for one in field.options if one.name.en == one.name.ru)
            yield from bare(field.parts)

    told = set()
    for kind, shape in kinds_of(dice).items():
        tags = list(shape.kinds) if shape.form.value == "kinds" else [""]
        for tag in tags:
            draft = from_nothing(dice, kind)
            form = typed(draft) | ({"c:?": tag} if tag else {})
            draft = PieceDraft(dice, kind, _piece(draft, form))
            asks = "activate_condition" if tag == "active" else "condition"
            told |= set(bare(draft.fields("en")[0]))
            for path in (asks, "effect.0") if kind in ("modifiers", "items") else ():
                field = next(one for one in _all(draft.fields("en")[0]) if one.path == path)
                for option in [option.key for option in field.options if option.key]:
                    other = PieceDraft(dice, kind, _piece(draft, typed(draft) | {f"c:{path}?": option}))
                    told |= set(bare(other.fields("en")[0]))
    assert {path.rpartition("=")[2] for path in told} <= {"1-5", "2-6", "1-6", *"123456"}, told


def _all(fields: Any) -> Iterator[PieceField]:
    for field in fields:
        yield field
        yield from _all(field.parts)


def test_a_condition_becomes_one_of_several_and_several_become_one(dice):
    draft = from_library(dice, "town_tax")
    one = PieceDraft(dice, "modifiers", _piece(draft, typed(draft) | {"c:condition?": "turn_points"}))
    assert one.piece["condition"] == {"turn_points": {"at_least": 1000}}
    more = PieceDraft(dice, "modifiers", _piece(one, typed(one) | {"c:condition?": "all"}))
    assert more.piece["condition"] == {"all": [{"turn_points": {"at_least": 1000}}]}
    two = _piece(more, typed(more), "add:condition.all")
    assert len(two["condition"]["all"]) == 2
    less = PieceDraft(dice, "modifiers", two)
    assert _piece(less, typed(less), "drop:condition.all.0")["condition"]["all"] == two["condition"]["all"][1:]
    assert _piece(more, typed(more) | {"c:condition?": "any"})["condition"] == {"any": more.piece["condition"]["all"]}
    assert _piece(more, typed(more) | {"c:condition?": "turn_points"})["condition"] == one.piece["condition"]
    assert "condition" not in _piece(more, typed(more) | {"c:condition?": ""})


def test_fields_that_do_not_go_with_others_are_not_asked_for(dice):
    draft = from_library(dice, "nimble_fingers")
    asked = {field.path for field in _all(draft.fields("en")[0])}
    assert "effect.0.reroll.count" in asked and "effect.0.reroll.face" not in asked
    shown = PieceDraft(dice, "items", _piece(draft, typed(draft) | {"c:effect.0.reroll.dice": "showing"}))
    assert shown.flaws == [] and set(shown.piece["effect"][0]["reroll"]) == {"dice", "face"}


@pytest.mark.parametrize(
    ("name", "changes", "path", "told"),
    [
        ("town_tax", {"effect__0__percent": "much"}, "effect.0.percent", "нужно число от -1000 до 1000"),
        ("town_tax", {"effect__0__percent": "0"}, "effect.0.percent", "0 ничего не меняет"),
        ("town_tax", {"effect__0__percent": "2 000"}, "effect.0.percent", "равно 2000; ожидается: число от"),
        ("lucky_charm", {"triggers": ""}, "triggers", "событий 0; ожидается: от 1 до 3"),
        ("lucky_charm", {"triggers": "on_roll"}, "condition", "«после сохранения костей»"),
        ("lucky_charm", {"name__en": "x" * 41}, "name.en", "символов 41"),
        ("coin", {"weights": ["0"] * 6}, "weights", "все шесть — 0"),
        ("coin", {"id": "Evil"}, "id", "строчные латинские буквы"),
        ("coin", {"id": "evil"}, "id", "кость из самой игры"),
    ],
)
def test_a_mistake_stands_at_its_field_in_the_language_of_the_reader(mine, dice, name, changes, path, told):
    form = typed(from_library(dice, name), **changes)
    status, _, text = mine(f"{AT}/look", form, Accept_Language="ru")
    answer = json.loads(text)
    assert status == 200 and not answer["right"]
    place = re.escape(f"c-{path.replace('.', '-')}-wrong")
    assert re.search(rf'<p class="mistake" id="{place}" role="alert">[^<]*{re.escape(told)}', answer["fields"]), answer
    assert "Пока не всё верно" in answer["told"]
    for typed_in in changes.values():
        assert not isinstance(typed_in, str) or typed_in.replace(" ", "") in answer["fields"], "nothing is lost"


def test_a_plain_form_says_the_same(mine, dice):
    form = typed(from_library(dice, "town_tax"), effect__0__percent="-25")
    status, _, text = mine(AT, form | {"do": "look"})
    assert status == 200 and "On passing: −25% of the turn points." in text
    status, _, text = mine(AT, form | {"do": "keep", "c:effect.0.percent": "-2500"})
    assert status == 400 and 'id="c-effect-0-percent-wrong"' in text and 'value="-2500"' in text
    added = mine(AT, form | {"do": "add:effect"})[2]
    assert 'name="c:effect.1?"' in added


def test_only_the_owner_has_anything_found_out_or_kept(lab, dice):
    form = typed(from_nothing(dice, "items"))
    for wanted in ("worth", "keep", "compare", "forget:x"):
        status, _, text = lab.ask(AT, form | {"do": wanted})
        assert status == 403 and "Only the owner" in text
    answer = json.loads(lab.ask(f"{AT}/look", form | {"begin": "1"})[2])
    assert answer["right"] and answer["work"] == "" and "Only the owner" in answer["worth"]
    assert lab.laboratory.queue.jobs() == []
    assert "+100 points" in answer["told"], "but everybody may look what something would be"
    assert lab.ask(AT)[0] == 200


def test_the_form_asks_of_which_dice_to_which_face_and_reads_fractions(dice):
    def made(name: str, **changes: Any) -> Any:
        draft = from_library(dice, name)
        return _piece(draft, typed(draft, **changes))

    assert made("brides_dowry")["condition"] == {"straight": "any"}
    assert made("brides_dowry", condition__of="table")["condition"] == {"straight": "any", "of": "table"}
    [effect] = made("bump", effect__0__set_face__to="3")["effect"]
    assert effect == {"set_face": {"dice": "chosen", "to": 3}}
    assert made("town_tax", effect__0__percent="−12,5")["effect"] == [{"percent": -12.5}]
    assert made("coin", weights=["0,5", "1.25", "0", "0", "1 000", "0"])["weights"] == [0.5, 1.25, 0, 0, 1000, 0]


def test_names_are_no_matter_to_what_something_is_worth(dice):
    draft = from_library(dice, "lucky_charm")
    other = PieceDraft(dice, "items", {**draft.piece, "name": "Another", "notification": "Else"})
    more = PieceDraft(dice, "items", {**draft.piece, "triggers": ["on_pass"]})
    keys = [WorthRequest.of(one, dice.config(), 100).key for one in (draft, other, more)]
    assert keys[0] == keys[1] != keys[2]
    assert WorthRequest.of(draft, dice.config(), 200).key != keys[0]


def test_an_edit_gives_up_the_worth_of_the_former_version(queue, mine, dice):
    """What is given up is gone on with when it is asked for again; nothing is begun twice."""
    form = typed(from_library(dice, "town_tax")) | {"deals": "20", "script": "1"}

    def look(**more: str) -> Any:
        answer = json.loads(mine(f"{AT}/look", form | more)[2])
        return queue.find(answer["work"])

    job = look(begin="1")
    assert look(**{"c:name.en": "Tax", "former": job.id, "begin": "1"}) is job and job.state is JobState.WAITING
    assert look(**{"c:effect.0.percent": "x", "former": job.id}) is None and job.state is JobState.STOPPED
    assert look(former=job.id) is job and job.state is JobState.STOPPED, "it is there, and waits until nobody edits"
    assert look(begin="1") is job and job.state is JobState.WAITING
    other = look(**{"c:effect.0.percent": "-50", "former": job.id, "begin": "1"})
    assert other is not job and (job.state, other.state) == (JobState.STOPPED, JobState.WAITING)
    assert [one.kind for one in queue.jobs()] == ["worth", "worth"], "and no third"
    assert job.id not in mine("/lab")[2], "the list of what was asked for has no estimates"

    assert 'value="-50"' in mine(f"{AT}?work={other.id}")[2], "one goes on from there"


def test_versions_of_a_page_that_overtake_each_other_leave_no_work_behind(queue, mine, dice):
    """The page never saw the answer to its first version, and the second one comes late."""
    form = typed(from_library(dice, "town_tax")) | {"deals": "20", "script": "1", "page": "mine"}

    def look(edits: object, percent: str, **more: str) -> Any:
        form.update({"edits": str(edits), "c:effect.0.percent": percent})
        return queue.find(json.loads(mine(f"{AT}/look", form | more)[2])["work"])

    def at_work() -> list[Any]:
        return [job for job in queue.jobs() if job.state is JobState.WAITING]

    first = look(1, "-10", begin="1")
    third = look(3, "-30", begin="1")
    assert at_work() == [third] and first.state is JobState.STOPPED
    assert look(2, "-20", begin="1") is None and at_work() == [third], "nobody sees that version any more"
    assert look(4, "none") is None and at_work() == []
    other = look(1, "-10", begin="1", page="another")
    assert other is first and at_work() == [first], "each page has its own versions"
    assert look("9" * 99, "-10", begin="1") is None, "nonsense is the page as it was opened"


def test_nobody_waits_for_what_was_begun_for_a_page_that_was_left_for_another(queue, mine, dice):
    """Be it begun before the other page was opened, or later; what both show goes on."""

    def look(piece: str, page: str, **more: str) -> Any:
        form = typed(from_library(dice, piece)) | {"deals": "20", "script": "1", "begin": "1", "page": page}
        return queue.find(json.loads(mine(f"{AT}/look", form | more)[2])["work"])

    first = look("town_tax", "one")
    assert look("town_tax", "two", left="one") is first and first.state is JobState.WAITING
    second = look("lucky_charm", "three", left="two")
    assert (first.state, second.state) == (JobState.STOPPED, JobState.WAITING)
    assert look("town_tax", "two") is None, "it was asked for before its page was left, and comes late"
    assert [job for job in queue.jobs() if job.state is JobState.WAITING] == [second]


def test_figures_are_shown_with_their_interval_in_the_language_of_the_reader(queue, mine, dice):
    form = typed(from_library(dice, "coin")) | {"script": "1", "begin": "1"}
    assert mine(f"{AT}/look", form)[0] == 200
    form = typed(from_library(dice, "evil")) | {"deals": "20", "script": "1", "begin": "1"}
    job = queue.find(json.loads(mine(f"{AT}/look", form)[2])["work"])
    waits = json.loads(mine(f"{AT}/worth/{job.id}", Accept_Language="ru")[2])
    assert waits["state"] == "waiting" and "заданий впереди: 1" in waits["worth"], "others come before"
    one = {"kind": "dice", "id": "evil_2", "name": {"en": "Evil Die", "ru": "Злая кость"}, "win_rate": {}}
    one |= {"fired_per_game": 12.0, "points_per_game": 485.25}
    changes = [{"value": -0.07, "low": -0.0722, "high": -0.0684}, {"value": 0.0, "low": -0.01, "high": 0.01}]
    found = [one | {"count": count, "change": change} for count, change in zip((1, 6), changes, strict=True)]
    job.save("results.json", {"games": 20, "worth": found})
    job.end({})
    shown = json.loads(mine(f"{AT}/worth/{job.id}", Accept_Language="ru")[2])
    assert shown["state"] == "done" and "раздач на каждом месте: 20 из 20" in shown["worth"]
    assert '<b class="down">−7,0 п. п.</b>' in shown["worth"] and "95 %: от −7,2 до −6,8" in shown["worth"]
    assert '<b class="open">0,0 п. п.</b> <span class="faint">6 таких' in shown["worth"]
    assert "Возможно, это ничего не даёт." in shown["worth"] and "очков за партию: 485,2" in shown["worth"]
    again = json.loads(mine(f"{AT}/look", form)[2])
    assert again["work"] == job.id and again["state"] == "done", "what is known is not found out again"
    assert mine(f"{AT}/worth/none")[0] == 404


def test_bad_numbers_of_deals_get_one_sentence(mine, dice):
    form = typed(from_nothing(dice, "dice")) | {"deals": "lots"}
    assert "expected a whole number" in json.loads(mine(f"{AT}/look", form | {"begin": "1"})[2])["worth"]
    status, _, text = mine(AT, form | {"do": "compare"})
    assert status == 400 and "&#39;lots&#39; deals" in text


def test_what_is_kept_is_a_file_for_the_command_line(lab, mine, dice, tmp_path):
    form = typed(from_library(dice, "town_tax"), effect__0__percent="-25", name__en="Heavy tax")
    text = mine(AT, form | {"do": "keep", "called": ""})[2]
    assert "Kept as “Heavy tax”." in text
    status, headers, text = lab.ask(f"{AT}/kept/Heavy%20tax.json")
    assert status == 200 and "dice-Heavy%20tax.json" in headers["content-disposition"]
    (tmp_path / "content.json").write_text(text, encoding="utf-8")
    assert dice.content.mistakes(tmp_path / "content.json") == []
    assert dice.content.read_content([tmp_path / "content.json"]).modifiers[0].id == "heavy_tax"
    taken = mine(AT, form | {"do": "take"})
    assert taken[2] == text and "dice-heavy_tax.json" in taken[1]["content-disposition"]
    assert 'value="-25"' in mine(f"{AT}?kept=Heavy+tax")[2]
    status, _, page = lab.ask(f"{AT}/kept/Heavy%20tax/play")
    assert status == 200 and re.search(r'value="heavy_tax" checked', page), "the first player has it"
    assert lab.ask(f"{AT}/kept/None/play")[0] == 404
    loaded = mine(AT, {"kind": "items", "do": "load", "file": text})[2]
    assert 'value="-25"' in loaded and 'name="kind" value="modifiers"' in loaded
    for wrong, told in (("{", "the file"), ('{"kits": []}', "there is none of these in it")):
        status, _, page = mine(AT, {"kind": "items", "do": "load", "file": wrong})
        assert status == 400 and told in page
    mine(AT, form | {"do": "forget:Heavy tax"})
    assert lab.ask(f"{AT}/kept/Heavy%20tax.json")[0] == 404
    status, _, page = mine(AT, form | {"do": "keep", "called": "../../x"})
    assert status == 400 and "pieces of content can be called by" in page


def test_a_comparison_with_it_and_without_it_is_a_job(queue, mine, dice):
    form = typed(from_library(dice, "town_tax"), effect__0__percent="-25") | {"do": "compare", "deals": "50"}
    status, headers, _ = mine(AT, form)
    assert status == 303
    job = queue.find(headers["location"].rpartition("/")[2])
    assert job.kind == "compare" and job.arguments["a"]["config"]["players"][0]["modifiers"] == []
    assert job.arguments["b"]["config"]["players"][0]["modifiers"] == ["town_tax_2"]
    assert job.about["changes"] == [["Town Tax for player 1", "Городской налог: у игрока 1"]]


def test_a_game_without_content_has_no_such_page(lab, mine):
    assert lab.ask("/lab/games/pig/content")[0] == 404
    assert mine("/lab/games/pig/content", {"do": "keep"})[0] == 404
    assert "/lab/games/pig/content" not in mine("/lab/games/pig")[2]
    assert "/lab/games/dice/content" in mine("/lab/games/dice")[2]


def test_nonsense_in_a_form_is_a_piece_with_mistakes_or_none(mine):
    for form in (
        {},
        {"kind": "spells"},
        {"kind": "items", "c:?": "nothing"},
        {"kind": "modifiers", "c:effect+": "999999999", "c:condition?": "not", "c:condition!": "all"},
        {"kind": "modifiers", "c:condition" + ".not" * 60 + "?": "not", "c:condition?": "not", "c:condition!": "not"},
        {"kind": "dice", "c:weights": ["1"] * 900, "do": "drop:weights.0"},
        {"kind": "items", "do": "add:effect", "c:effect.0?": "\x00"},
    ):
        status, _, text = mine(f"{AT}/look", form)
        assert status == 200 and "fields" in json.loads(text)


@pytest.mark.parametrize(
    "piece",
    [
        {"triggers": 5},
        {"effect": 5},
        {"effect": [[]]},
        {"condition": {"all": 7}},
        {"name": 5, "id": []},
        {"weights": "x"},
    ],
)
def test_whatever_a_file_holds_becomes_fields_and_mistakes(mine, piece):
    kind = "dice" if "weights" in piece else "items"
    whole = {"type": "passive", "triggers": ["on_roll"], "effect": {"add": 5}} if kind == "items" else {}
    status, _, text = mine(AT, {"do": "load", "file": json.dumps({kind: [whole | piece]})})
    assert status == 200 and 'class="mistake"' in text


def test_a_game_may_leave_all_texts_out():
    """What has no label is called by its key."""
    assert Labels().name("Part", "key") == ("key", "key") and Labels().name("Part", "key", "value").en == "value"
