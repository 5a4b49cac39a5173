"""Pages of kept runs: list, report, comparison, continuation, removal."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from web_server import Site, running, until

from common.found import game_of
from playmill import simulate
from playmill.lab.jobs import JobState
from playmill.lab.runs.store import KeptRun
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import Manifest
from playmill.web.access.owner import OWNER_COOKIE, Owner
from playmill.web.lab.run_reports import RunReports

KEY = "the-owner-has-this-key"
#: What the two runs have in common; few games, so that the interpreter plays them at once.
HOW: dict[str, Any] = {"games": 40, "backend": "interpreted", "keep_games": False}


@pytest.fixture(scope="module")
def games() -> dict[str, Any]:
    return {"pig": game_of("pig")}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, games: dict[str, Any]) -> Iterator[Path]:
    """A home with two runs of Pig that were kept by the command line, before any server."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYMILL_HOME", str(folder))
        simulate(games["pig"], agents=["threshold", "random"], rotate=True, keep="yellow", **HOW)
        simulate(games["pig"], agents=["threshold", "random"], set=["target=30"], rotate=True, keep="синий", **HOW)
    yield folder


@pytest.fixture(scope="module")
def site(home: Path, games: dict[str, Any]) -> Iterator[Site]:
    with running(home / "tables.sqlite3", games, owner=KEY) as found:
        yield found


@pytest.fixture
def mine(site: Site) -> Callable[..., tuple[int, dict[str, str], str]]:
    """Requests of the owner."""
    return lambda path, form=None, **headers: site.ask(path, form, Cookie=f"{OWNER_COOKIE}={KEY}", **headers)


@pytest.fixture
def copied(home: Path) -> Iterator[Callable[[str], Path]]:
    """Copies of the first run, under other names."""
    made = []

    def copy(name: str) -> Path:
        made.append(shutil.copytree(home / "runs" / "yellow", home / "runs" / name))
        return made[-1]

    yield copy
    for folder in made:
        shutil.rmtree(folder, ignore_errors=True)


def _at(page: str, name: str) -> str:
    return re.findall(rf'href="(/lab/runs/[^/"]+/{name})"', page)[0]


def test_runs_of_the_command_line_are_listed_with_all_that_tells_them_apart(site, mine):
    page = mine("/lab")[2]
    line = re.findall(r"<b>Pig</b> <span>синий</span></a>\s*<span[^>]*>(.*)</span><span class=\"badge\">(\w+)", page)
    [(told, state)] = line
    assert re.fullmatch(
        r"Goal: 30 · players: 2 · threshold, random · from every seat · 40 games · from the command line · "
        r"<time>\d{4}-\d\d-\d\d \d\d:\d\d</time>",
        told,
    )
    assert state == "complete"
    assert "yellow" not in site.ask("/lab")[2], "who is not the owner does not see which runs there are"
    assert "из командной строки" in mine("/lab", Accept_Language="ru")[2]


def test_a_run_opens_as_the_page_that_html_writes_to_whoever_has_its_address(site, mine, home):
    address = _at(mine("/lab")[2], "yellow")
    status, _, page = site.ask(address)
    assert status == 200 and "40 games" in page and 'name="act"' not in page, "a colleague may look, and do nothing"
    status, headers, report = site.ask(f"{address}/report", Accept_Language="ru")
    assert (
        status == 200 and '<html lang="ru"' in report and "frame-ancestors 'self'" in headers["content-security-policy"]
    )
    saved = json.loads(site.ask(f"{address}/results.json")[2])
    assert saved["meta"]["games"] == 40 and "win_rate" in saved["results"]["seats"][0]
    assert site.ask("/lab/runs/guessed/yellow")[0] == 404, "a name can be guessed, an address cannot"
    assert site.ask(address.replace("yellow", "%D1%81%D0%B8%D0%BD%D0%B8%D0%B9"))[0] == 404
    assert Owner(None).seal("run yellow") != Owner(None).seal("run yellow"), "without a key there are no addresses"


def test_two_runs_are_compared_as_the_command_line_does_it(site, mine):
    status, headers, _ = mine("/lab/runs", {"run": ["yellow", "синий"]})
    assert status == 303
    address = headers["location"]
    saved = json.loads(site.ask(f"{address}/results.json")[2])
    assert saved["meta"]["kept"] == ["yellow", "синий"] and saved["meta"]["same_luck"] is True
    turns = saved["results"]["differences"]["turns"]
    assert turns["difference"]["high"] < 0 and turns["real"]
    assert "Goal: 30" in site.ask(address)[2]
    assert mine(_at(mine("/lab")[2], "yellow"), {"act": "compare", "with": "синий"})[1]["location"] == address
    for ticked in ([], ["yellow"], ["yellow", "yellow"], ["yellow", "nobody"], ["yellow", "../x"]):
        status, _, page = mine("/lab/runs", {"run": ticked})
        assert status == 400 and "Tick two runs" in page and 'href="/lab"' in page
    assert site.ask("/lab/runs", {"run": ["yellow", "синий"]})[0] == 403


def test_one_changes_something_from_a_run(mine):
    page = mine(_at(mine("/lab")[2], "%D1%81%D0%B8%D0%BD%D0%B8%D0%B9"))[2]
    [link] = re.findall(r'href="(/lab/games/pig\?[^"]*)"', page)
    form = mine(link.replace("&amp;", "&"))[2]
    assert 'name="v:target" value="30"' in form and re.search(r'value="random"[^>]* selected', form)


def test_a_damaged_run_gets_one_sentence_and_goes_on_as_a_job_that_mends_it(site, mine, copied, home):
    folder = copied("cut")
    [file] = (folder / "counts").iterdir()
    file.write_text("{")
    address = _at(mine("/lab")[2], "cut")
    page = site.ask(f"{address}/report", Accept_Language="ru")[2]
    assert "повреждён" in page and "Traceback" not in page
    assert site.ask(f"{address}/results.json")[0] == 404
    for typed in ("many", "40", "0"):
        status, _, page = mine(address, {"act": "extend", "games": typed})
        assert status == 400 and 'role="alert"' in page
    status, headers, _ = mine(address, {"act": "extend", "games": "61"})
    assert status == 303
    job = site.laboratory.queue.find(headers["location"].rpartition("/")[2])
    until(lambda: job.state is not JobState.WAITING)
    assert job.state is JobState.DONE, job.trouble
    run = KeptRun.open(folder)
    assert run.games == 62 and not run.damaged(), "a deal is played from every seat"
    assert job.result == {"run": "cut"} and address in mine(headers["location"])[2]


@pytest.mark.parametrize("cut", [True, False])
def test_what_cannot_be_read_harms_no_other_and_can_be_removed(mine, copied, cut):
    folder = copied("broken")
    if cut:
        (folder / "manifest.json").write_text('{"form": 1')
    else:  # whole, but nothing that we would write
        manifest = Manifest.read(folder / "manifest.json", "broken")
        manifest.sessions[:] = [7]
        manifest.write(folder / "manifest.json")
    page = mine("/lab")[2]
    assert page.count("cannot be read") == 1 and "<span>yellow</span>" in page
    page = mine(_at(page, "broken"))[2]
    assert "damaged" in page and "<iframe" not in page
    assert mine(_at(mine("/lab")[2], "broken"), {"act": "remove"})[0] == 303 and not folder.exists()


def test_only_the_owner_removes_and_not_what_is_being_played(site, mine, copied):
    folder = copied("busy")
    address = _at(mine("/lab")[2], "busy")
    for act in ("remove", "go_on", "extend", "compare"):
        assert site.ask(address, {"act": act, "games": "100", "with": "yellow"})[0] == 403
    with RunLock(folder, "busy"):
        status, _, page = mine(address, {"act": "remove"})
        assert status == 400 and "is being played by another process" in page and folder.exists()
    assert mine(address, {"act": "remove"})[0] == 303
    assert not folder.exists() and site.ask(address)[0] == 404


def test_in_a_browser_two_runs_are_ticked_compared_and_one_removed(visit, copied):
    folder = copied("third")
    (folder / "manifest.json").write_text('{"form": 1')
    page = visit(f"/lab?owner={KEY}")
    page.get_by_label("tick yellow").check()
    page.get_by_label("tick синий").check()
    page.get_by_role("button", name="Compare the two").click()
    report = page.frame_locator("#report")
    report.locator("h2", has_text="What is really different").wait_for()
    assert "B − A" in report.locator("#real").inner_text()
    page.get_by_role("link", name="Kept runs").click()
    page.get_by_role("link", name="third").click()
    page.locator("summary", has_text="Remove").click()
    page.get_by_text("Remove run third from the disk").wait_for()
    assert folder.exists(), "there is a question first"
    page.get_by_role("button", name="Remove").click()
    page.wait_for_url(re.compile(r"/lab#runs$"))
    assert not folder.exists() and page.get_by_text("yellow").is_visible()


def test_a_report_that_is_being_made_has_ended_before_its_server_has(tmp_path):
    async def opened_and_closed() -> list[int | None]:
        runs = RunReports(tmp_path)
        waiting = asyncio.ensure_future(runs.report(["nothing"]))
        while not runs._doing:
            await asyncio.sleep(0.01)
        doing = [*runs._doing]
        closing = asyncio.ensure_future(runs.close())
        while not closing.done() and runs._doing:
            await asyncio.sleep(0)
        ended = [process.returncode for process in doing]
        await closing
        waiting.cancel()
        return ended

    with ThreadPoolExecutor(1) as aside:  # in this one the loop of a browser may be running
        assert None not in aside.submit(asyncio.run, opened_and_closed()).result()
