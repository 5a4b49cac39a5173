"""Laboratory pages: only the owner starts jobs, mistakes are shown at their fields, and nothing is lost."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from web_server import LONGEST, Site, running

from playmill.lab.jobs import JobState
from playmill.lab.jobs.__main__ import UNUSED
from playmill.lab.jobs.job import jobs_in
from playmill.web.access.owner import OWNER_COOKIE, owner_key
from playmill.web.lab.job_queue import JobQueue

KEY = "the-owner-has-this-key"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("lab") / "tables.sqlite3", games, owner=KEY) as site:
        yield site


@pytest.fixture
def mine(lab: Site) -> Callable[..., tuple[int, dict[str, str], str]]:
    """Requests of the owner."""
    return lambda path, form=None, **headers: lab.ask(path, form, Cookie=f"{OWNER_COOKIE}={KEY}", **headers)


def _until_ended(lab: Site, work: str) -> Any:
    job = lab.laboratory.queue.find(work)
    end = time.monotonic() + LONGEST
    while job.state is JobState.WAITING:
        assert time.monotonic() < end, job.standing
        time.sleep(0.05)
    return job


def _asked(answer: tuple[int, dict[str, str], str]) -> str:
    status, headers, text = answer
    assert status == 303, re.findall(r'role="alert">([^<]*)', text)
    return headers["location"].rpartition("/")[2]


def test_only_the_owner_has_work_done_or_changes_anything(lab, mine):
    form = {"players": "2", "kind": "simulate", "games": "100"}
    for cookie in ("", f"{OWNER_COOKIE}=guessed"):
        status, _, text = lab.ask("/lab/games/pig", form, Cookie=cookie)
        assert status == 403 and "Only the owner" in text
    assert lab.laboratory.queue.jobs() == []
    work = _asked(mine("/lab/games/pig", form))
    for act in ("stop", "go_on", "remove"):
        assert lab.ask(f"/lab/works/{work}", {"act": act})[0] == 403
    status, _, text = lab.ask("/lab/games/pig", {"keep": "1", "called": "mine"})
    assert status == 403
    assert lab.ask("/lab")[2].count(work) == 0, "who is not the owner does not see what was asked"
    assert work in mine("/lab")[2]
    _until_ended(lab, work)
    assert lab.ask(f"/lab/works/{work}")[0] == 200, "but a link shows the same to everybody"
    assert lab.ask(f"/lab/works/{work}/report")[0] == 200


def test_a_form_of_another_site_is_refused(lab):
    answer = lab.ask(
        "/lab/games/pig", {"kind": "simulate"}, Cookie=f"{OWNER_COOKIE}={KEY}", Origin="http://evil.example"
    )
    assert answer[0] == 403


def test_the_owner_s_address_opens_everything_once(lab):
    status, headers, _ = lab.ask(f"/lab?owner={KEY}&x=1")
    assert status == 303 and headers["location"] == "/lab?x=1"
    assert KEY in headers["set-cookie"] and "HttpOnly" in headers["set-cookie"]
    assert lab.ask("/lab?owner=guessed")[0] == 200, "a wrong one is as none"


def test_a_run_is_asked_for_played_and_shown(lab, mine):
    form = {"players": "2", "seat": ["threshold", "random"], "kind": "simulate", "games": "2 000", "v:target": "50"}
    work = _asked(mine("/lab/games/pig", form))
    job = _until_ended(lab, work)
    assert job.state is JobState.DONE, job.trouble
    assert job.arguments["config"]["target"] == 50 and job.arguments["rotate"] is True
    status, headers, page = lab.ask(f"/lab/works/{work}/report", Accept_Language="ru")
    assert status == 200 and '<html lang="ru"' in page
    assert "script-src 'self';" in headers["content-security-policy"]
    assert page.count("<script") == 1 and 'src="/static/report.js"' in page
    assert headers["content-security-policy"].endswith("frame-ancestors 'self'")
    saved = json.loads(lab.ask(f"/lab/works/{work}/results.json")[2])
    assert saved["meta"]["games"] == 2000 and saved["meta"]["complete"]
    now = json.loads(lab.ask(f"/lab/works/{work}/state")[2])
    assert now["state"] == "done" and now["trouble"] == ""
    assert re.search(r'class="faint">[^<]*: 50 · players: 2', mine("/lab")[2])


def test_where_it_is_played_is_asked_where_there_is_a_choice(lab, mine, monkeypatch):
    form = {"players": "2", "seat": ["random", "random"], "kind": "simulate", "games": "100"}
    assert 'name="on"' not in mine("/lab/games/pig")[2]
    status, _, page = mine("/lab/games/pig", {**form, "on": "evil:6379"})
    assert status == 400 and "games cannot be played on &#39;evil:6379&#39; from here" in page
    monkeypatch.setenv("PLAYMILL_ON", "head:6379")
    page = mine("/lab/games/pig")[2]
    assert '<select name="on"><option value="head:6379">the cluster head:6379</option><option value="th' in page
    work = _asked(mine("/lab/games/pig", {**form, "on": "threads"}))
    job = _until_ended(lab, work)
    assert job.state is JobState.DONE, job.trouble
    assert job.arguments["on"] == "threads"


def test_what_a_change_does_is_a_comparison_with_the_rules_or_with_rules_of_a_name(lab, mine):
    form = {"players": "2", "seat": ["threshold", "threshold"], "kind": "compare", "deals": "200"}
    status, _, text = mine("/lab/games/pig", form)
    assert status == 400 and "nothing differs yet" in text
    assert mine("/lab/games/pig", {"keep": "1", "called": " Short  game ", "v:target": "40"})[0] == 200
    work = _asked(mine("/lab/games/pig", {**form, "v:target": "60", "against": "Short game"}))
    job = _until_ended(lab, work)
    assert job.state is JobState.DONE, job.trouble
    assert (job.arguments["a"]["config"]["target"], job.arguments["b"]["config"]["target"]) == (40, 60)
    again = mine(f"/lab/games/pig?work={work}")[2]
    assert re.search(r'name="v:target" value="60"', again), "one goes on from there"


_SPAN = {"over": "target", "over_from": "9", "over_to": "20"}


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (
            {"kind": "simulate", "games": "lots"},
            "how many games? &#39;lots&#39;: expected a whole number from 1 to 10,000,000,000",
        ),
        ({"kind": "simulate", "games": " "}, "how many games? expected a whole number"),
        ({"kind": "simulate", "games": "5,5"}, "&#39;5,5&#39;: expected a whole number"),
        ({"kind": "simulate", "games": "0"}, "expected a whole number"),
        ({"kind": "simulate", "seat": ["../../etc/passwd.py", "random"]}, "there is no agent"),
        ({"kind": "simulate", "seat": ["program:sh", "random"]}, "there is no agent"),
        ({"kind": "simulate", "seat": ["threshold", "random"], "p:0:threshold:hold": "many"}, "agent threshold: "),
        ({"kind": "simulate", "v:target": "a lot"}, "target"),
        ({"kind": "compare", "v:target": "60", "against": "nobody"}, "there are no rules called"),
        ({"kind": "sweep", "over": "target", "over_from": "9", "over_to": "", "show": "turns"}, "is no range"),
        ({"kind": "sweep", "over": "nothing", "over_from": "1", "over_to": "2", "show": "turns"}, "nothing"),
        ({"kind": "sweep", "over": "target", "over_from": "9", "over_to": "2", "show": "turns"}, ">target=9..2: "),
        ({"kind": "sweep", **_SPAN, "show": ""}, "what is to be looked at?"),
        ({"kind": "sweep", **_SPAN, "show": "nothing"}, "the report has no figure"),
        ({"kind": "sweep", **_SPAN, "over_step": "-1", "show": "turns"}, "is no range"),
        (
            {"kind": "sweep", **_SPAN, "over_from": "-9", "show": "turns"},
            ">target=-9: target is -9; expected at least 1",
        ),
        ({"kind": "sweep", **_SPAN, "over_from": "9.5", "show": "turns"}, "target is 9.5; expected a whole number"),
        (
            {"kind": "tune", "free": "target:-5..60", "goal": "turns=20"},
            ">target=-5: target is -5; expected at least 1",
        ),
        ({"kind": "tune", "free": "target:40..60", "goal": "nothing=20"}, ">nothing: the report has no such figure"),
        ({"kind": "tune", "free": "target:40..60", "goal": "turns=20", "trials": ""}, "how many settings are tried?"),
        ({"kind": "tournament", "entrant": ["random", "nobody"]}, "there is no agent &#39;nobody&#39; here"),
        ({"kind": "tournament", "entrant": ["random", "random"]}, "a tournament needs two entrants"),
        ({"kind": "tournament", "entrant": ["random", "threshold"], "table_deals": "0"}, "how many deals?"),
        ({"kind": "tune", "free": "", "goal": "turns=20"}, "which numbers may change?"),
        ({"kind": "tune", "free": "target:1..", "goal": "turns=20"}, "target:1.."),
        ({"kind": "tune", "free": "target:40..60", "goal": ""}, "what do you want?"),
        ({"kind": "tournament", "entrant": ["random"]}, "a tournament needs two entrants"),
        ({"kind": "audit", "minutes": "-5"}, "expected a whole number"),
        ({"kind": "audit", "on": "cuda"}, "which a GPU does not do"),
        ({"kind": "sure", "figure": "nothing"}, "the report has no figure"),
        ({"kind": "sure", "figure": "seats.0.win_rate", "held": "number", "near": "half"}, "&#39;half&#39;: expected"),
        ({"kind": "sure", "figure": "seats.0.win_rate", "held": "number"}, "which number?"),
        ({"kind": "sure", "figure": "seats.0.win_rate", "held": "known", "within": ""}, "how exactly?"),
        ({"kind": "sure", "figure": "seats.0.win_rate", "within": "-1"}, "expected a number above 0"),
        ({"keep": "1", "called": "../../x"}, "rules can be called by"),
        ({"keep": "1", "called": ""}, "rules can be called by"),
    ],
)
def test_a_mistake_is_told_and_nothing_that_was_typed_is_lost(lab, mine, form, told):
    before = len(lab.laboratory.queue.jobs())
    status, _, text = mine("/lab/games/pig", {"players": "2", "v:target": "77", **form})
    assert status == 400, text
    assert told in text
    if "v:target" not in form:
        assert 'name="v:target" value="77"' in text
    assert len(lab.laboratory.queue.jobs()) == before


def test_a_sweep_to_values_that_contradict_other_settings_is_told_in_the_form(lab, mine):
    span = {"over": "cards_per_faction", "over_from": "11", "over_to": "12", "show": "turns_per_game"}
    status, _, text = mine("/lab/games/dimensions", {"players": "3", "kind": "sweep", **span})
    assert status == 400 and ">cards_per_faction=12: blue_values: 11 values for 12 blue cards" in text


def test_a_tournament_has_a_number_of_deals_of_its_own_and_nobody_is_ticked_behind_ones_back(lab, mine):
    form = {"players": "2", "kind": "tournament", "entrant": "random", "table_deals": "7"}
    status, _, text = mine("/lab/games/pig", form, **{"Accept-Language": "ru"})
    assert status == 400 and "для турнира нужны хотя бы двое" in text and "раздач за столом" in text
    assert re.search(r'name="table_deals" value="7"', text)
    assert re.findall(r'name="entrant" value="(\w+)"[^>]* checked', text) == ["random"]
    none = mine("/lab/games/pig", {"players": "2", "kind": "tournament"})[2]
    assert re.findall(r'name="entrant" value="(\w+)"[^>]* checked', none) == []
    # What is wrong in another question does not matter here.
    work = _asked(mine("/lab/games/pig", {**form, "entrant": ["random", "threshold"], "deals": "nonsense"}))
    job = _until_ended(lab, work)
    assert job.state is JobState.DONE and job.arguments["deals"] == 7
    for path in ("/lab", f"/lab/works/{work}"):
        assert "random, threshold · by the rules as they are" in mine(path)[2], "one tells jobs apart"


def test_rules_of_a_name_are_listed_taken_away_played_and_removed(lab, mine):
    assert "Kept as “Быстрая”." in mine("/lab/games/pig", {"keep": "1", "called": "Быстрая", "v:target": "20"})[2]
    status, _, text = mine("/lab/games/pig", {"keep": "1", "called": "Быстрая", "v:target": "30"})
    assert status == 200 and "Kept as “Быстрая”, in place of what was called so." in text
    name = "%D0%91%D1%8B%D1%81%D1%82%D1%80%D0%B0%D1%8F"
    status, headers, text = lab.ask(f"/lab/games/pig/rules/{name}.json")
    assert status == 200 and json.loads(text)["target"] == 30
    assert headers["content-disposition"].endswith(f"pig-{name}.json")
    assert re.search(r'name="v:target" value="30"', lab.ask(f"/games/pig?rules={name}")[2]), "to be played by"
    mine("/lab/games/pig", {"forget": "Быстрая"})
    assert lab.ask(f"/lab/games/pig/rules/{name}.json")[0] == 404
    assert lab.ask(f"/games/pig?rules={name}")[0] == 400
    assert lab.ask("/lab/games/pig/rules/..%2F..%2Fowner.json")[0] == 404


@pytest.mark.parametrize("path", ["/lab/games/dice", "/lab/games/dice/content", "/lab/games/influence/draw"])
def test_a_job_that_was_removed_is_told_wherever_one_wants_to_go_on_from_it(lab, mine, path):
    work = _asked(mine("/lab/games/pig", {"players": "2", "kind": "simulate", "games": "100"}))
    status, _, text = mine(f"{path}?work={work}")
    assert status == 400 and f"the job “{work}” is about pig, not about " in text
    mine(f"/lab/works/{work}", {"act": "remove"})
    status, _, text = mine(f"{path}?work={work}")
    assert status == 400 and f"there is no job “{work}” here; it may have been removed" in text
    status, _, text = mine(f"{path}?work={work}", Accept_Language="ru")
    assert status == 400 and f"задания «{work}» здесь нет; возможно, его удалили" in text
    status, _, text = mine(f"/lab/works/{work}")
    assert status == 404 and f"There is no job “{work}” here; it may have been removed." in text
    assert "there is no run “gone”" in mine("/lab/games/dice?run=gone&seal=x")[2]


def test_a_job_is_stopped_goes_on_and_is_removed(lab, mine):
    form = {"players": "2", "seat": ["random", "random"], "kind": "simulate", "games": "1000000000"}
    work = _asked(mine("/lab/games/pig", form))
    job = lab.laboratory.queue.find(work)
    end = time.monotonic() + LONGEST
    while not job.standing.pages:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert "is under way" in mine(f"/lab/works/{work}")[2]
    mine(f"/lab/works/{work}", {"act": "stop"})
    while lab.laboratory.queue.is_running(job):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert job.state is JobState.STOPPED
    pages = job.standing.pages
    mine(f"/lab/works/{work}", {"act": "go_on"})
    while job.standing.pages == pages:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert mine(f"/lab/works/{work}", {"act": "remove"})[0] == 303
    assert not job.folder.exists() and lab.ask(f"/lab/works/{work}")[0] == 404
    assert json.loads(lab.ask(f"/lab/works/{work}/state")[2]) == {"state": "gone"}


def test_a_process_waits_for_the_owner_who_has_opened_a_form(tmp_path, games, monkeypatch):
    monkeypatch.setattr("playmill.web.lab.job_queue._SOON", 0.0)
    started: list[tuple[str, ...]] = []
    before = JobQueue._process
    monkeypatch.setattr(
        JobQueue, "_process", lambda self, *folder, log: [started.append(folder), before(self, *folder, log=log)][1]
    )
    with running(tmp_path / "tables.sqlite3", {"pig": games["pig"]}, owner=KEY) as site:
        site.ask("/lab/games/pig")
        site.ask("/lab/games/pig", Cookie=f"{OWNER_COOKIE}={KEY}")
        end = time.monotonic() + LONGEST
        while not started:
            assert time.monotonic() < end
            time.sleep(0.01)
        form = {"players": "2", "kind": "simulate", "games": "1000"}
        job = _until_ended(site, _asked(site.ask("/lab/games/pig", form, Cookie=f"{OWNER_COOKIE}={KEY}")))
        assert job.state is JobState.DONE
        assert started == [()], "the one that waited has done it"
        job = _until_ended(site, _asked(site.ask("/lab/games/pig", form, Cookie=f"{OWNER_COOKIE}={KEY}")))
        assert job.state is JobState.DONE
        assert started == [(), (str(job.folder),)]
        site.ask("/lab/games/pig", Cookie=f"{OWNER_COOKIE}={KEY}")
        while started[-1] or site.laboratory.queue._spare is None:
            assert time.monotonic() < end
            time.sleep(0.01)
        monkeypatch.setenv("PLAYMILL_ON", "threads")
        job = _until_ended(site, _asked(site.ask("/lab/games/pig", form, Cookie=f"{OWNER_COOKIE}={KEY}")))
        assert job.state is JobState.DONE
        assert started[-1] == (str(job.folder),), "the one that waited knows nothing of what has changed"


def test_a_job_given_to_a_process_that_is_just_leaving_is_given_to_another(tmp_path, games, monkeypatch):
    monkeypatch.setattr("playmill.web.lab.job_queue._SOON", 0.0)
    monkeypatch.setattr("playmill.web.lab.job_queue._PROGRAM", "leaving")
    (tmp_path / "leaving.py").write_text(f"import sys; sys.stdin.readline(); sys.exit({UNUSED})", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with running(tmp_path / "tables.sqlite3", {"pig": games["pig"]}, owner=KEY) as site:
        site.ask("/lab/games/pig", Cookie=f"{OWNER_COOKIE}={KEY}")
        end = time.monotonic() + LONGEST
        while site.laboratory.queue._spare is None:
            assert time.monotonic() < end
            time.sleep(0.01)
        monkeypatch.setattr("playmill.web.lab.job_queue._PROGRAM", "playmill.lab.jobs")
        form = {"players": "2", "kind": "simulate", "games": "1000"}
        job = _until_ended(site, _asked(site.ask("/lab/games/pig", form, Cookie=f"{OWNER_COOKIE}={KEY}")))
        assert job.state is JobState.DONE


def test_a_server_that_starts_again_goes_on_with_what_was_asked(tmp_path, games):
    path = tmp_path / "tables.sqlite3"
    with running(path, {"pig": games["pig"]}, owner=KEY) as site:
        form = {"players": "2", "kind": "simulate", "games": "400000"}
        work = _asked(site.ask("/lab/games/pig", form, Cookie=f"{OWNER_COOKIE}={KEY}"))
        end = time.monotonic() + LONGEST
        while not site.laboratory.queue.is_running(site.laboratory.queue.find(work)):
            assert time.monotonic() < end
            time.sleep(0.01)
    [job] = jobs_in(tmp_path / "jobs")
    with running(path, {"pig": games["pig"]}, owner=KEY) as site:
        _until_ended(site, work)
    assert job.state is JobState.DONE
    assert json.loads((job.folder / "results.json").read_text())["meta"]["games"] == 400_000


def test_the_first_page_has_examples_that_can_be_asked_for_at_once(lab, mine):
    assert 'action="/lab/games/' not in lab.ask("/")[2], "for the owner alone"
    forms = re.findall(r'action="(/lab/games/\w+)">(.*?)</form>', mine("/")[2])
    asked = [(path, re.findall(r'name="([^"]*)" value="([^"]*)"', inside)) for path, inside in forms]
    assert {dict(fields)["kind"] for _, fields in asked} == {"compare", "tournament"}
    for path, fields in asked:
        work = _asked(mine(path, {name: [value for one, value in fields if one == name] for name, _ in fields}))
        mine(f"/lab/works/{work}", {"act": "remove"})


def test_there_is_no_such_game_work_or_file(lab, mine):
    for path in ("/lab/games/nothing", "/lab/works/nothing", "/lab/works/nothing/report", "/lab/works/x/job.json"):
        assert lab.ask(path)[0] == 404
    work = lab.laboratory.queue.jobs()[0].id
    for name in ("job.json", "end.json", "log.txt", "..%2Fjob.json"):
        assert lab.ask(f"/lab/works/{work}/{name}")[0] == 404
    assert mine("/lab/games/nothing", {"kind": "simulate"})[0] == 404


@pytest.mark.parametrize("path", ["/lab/games/chess", "/lab/games/chess/draw", "/games/chess", "/games/chess/rules"])
def test_a_game_that_is_not_on_offer_is_told_by_name_beside_those_that_are(lab, path):
    for lang, told in (("en", "There is no game “chess” here; there are "), ("ru", "Игры «chess» здесь нет; есть ")):
        status, _, text = lab.ask(path, **{"Accept-Language": lang})
        assert status == 404 and told in text and ", ".join(lab.tables.games) in text
        assert ('class="main" href="/lab"' in text) == path.startswith("/lab")


def test_the_owner_s_key_is_made_once_and_for_her_alone(tmp_path):
    key = owner_key(tmp_path / "new")
    assert owner_key(tmp_path / "new") == key and len(key) >= 32
    assert (tmp_path / "new" / "owner.key").stat().st_mode & 0o077 == 0
