"""A server killed in the middle of a tuning and of a game at a table, and started again: nothing is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from browser_helpers import READY, play
from web_server import LONGEST, until

from common.found import FOLDERS
from common.pages import needs_chromium
from playmill.lab.decide.tune import tune
from playmill.lab.jobs.job import Job, jobs_in

pytestmark = [
    needs_chromium,
    pytest.mark.long,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows"),
]
#: Rolls or holds by chance. In the middle of the tuning it says who it is, and waits until somebody lets it go on.
AGENT = """
import os, time
from pathlib import Path
here, go = (Path(__file__).with_name(name) for name in ("here", "go"))
asked = 0
def choose(decision):
    global asked
    asked += 1
    if asked > 300 and not go.exists():
        here.with_name("new").write_text(str(os.getpid()))
        here.with_name("new").rename(here)
        while not go.exists():
            time.sleep(0.01)
    return decision.options[int(decision.random.random() < 0.3) % len(decision.options)]
"""
ASKED = {"free": "target:8..16", "deals": "8", "trials": "3"}


def serving(home: Path, agent: Path, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, and the address that its owner opens."""
    words = [sys.executable, "-m", "playmill", "serve", str(FOLDERS["pig"]), "--no-open", "--home", str(home)]
    process = subprocess.Popen(
        [*words, "--agents", str(agent), "--port", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PLAYMILL_LANG": "en"},
    )
    assert process.stdout is not None
    found = re.search(r"(http://\S+)", process.stdout.readline())
    assert found is not None
    return process, found[0]


def test_a_server_killed_in_the_middle_of_a_tuning_and_of_a_game_goes_on_with_both(browser, tmp_path, monkeypatch):
    agent, home = tmp_path / "gated.py", tmp_path / "home"
    agent.write_text(AGENT)
    server, address = serving(home, agent)
    url, _, key = address.partition("/?owner=")
    context = browser.new_context(locale="en-US")
    context.add_init_script("localStorage.setItem('playmill:speed', 'once')")
    page, table = context.new_page(), context.new_page()
    try:
        page.goto(f"{url}/lab/games/pig?owner={key}")
        name = page.locator('select[name="seat"] option', has_text="gated").first.get_attribute("value")
        for seat in page.locator('select[name="seat"]').all():
            seat.select_option(name)
        page.locator("summary", has_text="Which numbers are right?").click()
        page.locator('textarea[name="free"]').fill(ASKED["free"])
        page.locator('input[name="trials"]').fill(ASKED["trials"])
        page.locator('input[name="tune_deals"]').fill(ASKED["deals"])
        page.locator('button[value="tune"]').click()
        page.wait_for_selector("#work[data-state=running]")
        table.goto(url)
        table.locator(".card", has_text="Pig").get_by_role("link", name="Players, settings").click()
        table.locator("select[name=seat]").nth(1).select_option("random")
        table.get_by_role("button", name="Sit down and play").click()
        play(table, 4)
        table.wait_for_selector(READY)
        log, picture = table.inner_text("#log"), table.inner_text("#picture")
        until((tmp_path / "here").exists)
        server.kill()
        server.wait()
        os.kill(int((tmp_path / "here").read_text()), signal.SIGKILL)
        table.wait_for_selector("#link:not([hidden])")
        assert table.inner_text("#picture") == picture
        [job] = jobs_in(home / "jobs")
        assert job.state.value == "waiting" and not (job.folder / "results.json").exists()
        (tmp_path / "go").touch()
        server, again = serving(home, agent, int(url.rpartition(":")[2]))
        assert again == address, "the pages that are open find it again"
        page.wait_for_selector("#work[data-state=done]")
        page.frame_locator("#report").locator("h2", has_text="The race on fresh luck").wait_for()
        table.wait_for_selector("#link", state="hidden")
        assert table.inner_text("#log") == log and table.inner_text("#picture") == picture
        play(table, 2)
        table.reload()
        table.wait_for_selector(READY)
        assert table.inner_text("#log").startswith(log[:40])
    finally:
        context.close()
        server.send_signal(signal.SIGINT)
        assert server.wait(LONGEST) == 0
    monkeypatch.setenv("PLAYMILL_HOME", str(tmp_path / "another"))
    assert _figures(job) == json.loads(json.dumps(tune(job.game, **job.arguments).json()["results"]))


def _figures(job: Job) -> object:
    return json.loads((job.folder / "results.json").read_text(encoding="utf-8"))["results"]
