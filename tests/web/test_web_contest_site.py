"""The site of a contest: registering, handing in, who sees what, the organiser's page, and those who attack it."""

from __future__ import annotations

import csv
import http.client
import io
import json
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import contest_week as week
import misbehaving as tool
import pytest
from web_server import serving

from common.pages import needs_chromium
from playmill import PlaymillError
from playmill.cli import main
from playmill.lab.contests.hosted.contest import HostedContest
from playmill.lab.contests.hosted.registry import Registry
from playmill.lab.contests.hosted.submit import ContestClient
from playmill.web.access.owner import OWNER_COOKIE, Owner
from playmill.web.contest import kit as kit_pages
from playmill.web.contest.app import make_contest_app
from playmill.web.contest.site import TOKEN_COOKIE
from playmill.web.contest.view import _table_view

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="bots are held by walls that Windows does not have")
KEY = "the-organiser-has-this-key"
#: What only its author may see.
SECRET_SOURCE, SECRET_STDERR = "source-canary-5417", "stderr-canary-9021"


class Site:
    """A contest's site, with requests as browsers and programs make them."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port, self.url = folder, port, f"http://127.0.0.1:{port}"
        self.restarts = 0

    def ask(
        self,
        path: str,
        form: dict[str, Any] | None = None,
        *,
        token: str | None = None,
        body: bytes | None = None,
        organiser: bool = False,
        **headers: str,
    ) -> tuple[int, dict[str, str], str]:
        """A request: the status, the headers and the text of the answer."""
        sent = {"Origin": self.url, **{name.replace("_", "-"): value for name, value in headers.items()}}
        cookies = [f"{TOKEN_COOKIE}={token}"] if token is not None else []
        cookies += [f"{OWNER_COOKIE}={KEY}"] if organiser else []
        if cookies:
            sent["Cookie"] = "; ".join(cookies)
        if form is not None:
            body, sent["Content-Type"] = urlencode(form).encode(), "application/x-www-form-urlencoded"
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        line.request("GET" if body is None else "POST", path, body, {k: v for k, v in sent.items() if v})
        answer = line.getresponse()
        text = answer.read().decode(errors="replace")
        line.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text

    def register(self, name: str, **more: str) -> str:
        """Registers as a program does; returns the token."""
        status, _, text = self.ask("/register", {"name": name, **more}, Accept="application/json")
        assert status == 200, text
        return str(json.loads(text)["token"])

    def submit(self, token: str, data: bytes, name: str = "bot.zip", **headers: str) -> tuple[int, dict[str, Any]]:
        """Hands in something."""
        status, _, text = self.ask(f"/submit?name={name}", token=token, body=data, **headers)
        return status, json.loads(text)

    def play(self) -> None:
        """Plays what waits."""
        HostedContest(self.folder, interpreted=True, workers=1).run()


@contextmanager
def serve(folder: Path, **how: Any) -> Iterator[Site]:
    site = Site(folder, 0)

    def restart() -> None:
        site.restarts += 1

    app = make_contest_app(folder, owner=Owner(KEY), restart=restart, **how)
    with serving(app) as (site.port, _):
        site.url = f"http://127.0.0.1:{site.port}"
        yield site


def built(folder: Path, *, server: str = "", **how: Any) -> Path:
    week.build(folder, **{"deals": 1, "opponents": 0, **how})
    if server:
        path = folder / "contest.toml"
        text = path.read_text()
        path.write_text(re.sub(r"\[server\]\n[^\[]*", f"[server]\n{server}\n", text))
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A contest nobody takes part in yet."""
    with serve(built(tmp_path / "Осень")) as found:
        yield found


CRIES = f"""
print("{SECRET_STDERR}", file=sys.stderr, flush=True)
# {SECRET_SOURCE}
""" + tool.GOOD.format(12)


@pytest.fixture(scope="module")
def played_folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A contest with two entrants of whom one writes to stderr, and one who is refused."""
    folder = built(tmp_path_factory.mktemp("played") / "autumn")
    with serve(folder) as found:
        tokens = {name: found.register(name) for name in ("Anna", "Борис", "rogue")}
        assert found.submit(tokens["Anna"], week.bot(CRIES))[0] == 200
        assert found.submit(tokens["Борис"], week.bot(tool.GOOD.format(6)))[0] == 200
        assert found.submit(tokens["rogue"], week.bot(tool.BAD["crash-at-start"] + f"# {SECRET_SOURCE}"))[0] == 200
        found.play()
    return folder, tokens


@pytest.fixture
def played(played_folder: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[tuple[Site, dict[str, str]]]:
    folder = tmp_path / "autumn"
    shutil.copytree(played_folder[0], folder)
    # What was written of a check names files by their whole paths.
    for path in (folder / "state" / "checks").glob("*.json"):
        path.write_text(path.read_text().replace(str(played_folder[0]), str(folder)))
    with serve(folder) as found:
        yield found, played_folder[1]


# The path of an entrant


def test_from_the_first_page_to_the_ladder(site):
    status, _, page = site.ask("/")
    assert status == 200 and 'action="/register"' in page and "/kit.zip" in page and "Nobody is on it yet" in page
    status, headers, page = site.ask("/register", {"name": "Анна"})
    assert status == 200 and "HttpOnly" in headers["set-cookie"] and "samesite=lax" in headers["set-cookie"].lower()
    token = re.search(r'class="token">([^<]+)<', page)[1]
    assert token in headers["set-cookie"]
    status, _, page = site.ask("/me", token=token)
    assert status == 200 and "Drop a zip" in page and "contest submit" in page
    status, found = site.submit(token, (tool.HEAD + tool.GOOD.format(9)).encode(), "bot.py")
    assert (status, found["version"], found["new"], found["to"]) == (200, 1, True, "/me/1")
    assert "queued" in site.ask("/me", token=token)[2] and "1 in the queue" in site.ask("/")[2]
    assert "It has not been checked yet" in site.ask("/me/1", token=token)[2]
    site.play()
    home = site.ask("/")[2]
    assert ">Анна</a>" in home and "not settled" in home and re.search(r"\[[\d\s]+,\s[\d\s]+\]", home)
    mine = site.ask("/me", token=token)[2]
    assert "on the ladder" in mine and "Games you should look at" in mine
    report = site.ask("/me/1", token=token)[2]
    assert "Nothing went wrong in 2 games" in report and "the slowest answer" in report and "memory at most" in report
    game = re.search(r'href="(/of/%D0%90%D0%BD%D0%BD%D0%B0/[^"]+/\d+-\d+)"', mine)[1]
    status, headers, _ = site.ask(game)
    assert status == 303 and "Pig" in site.ask(headers["location"])[2]
    assert site.ask(f"{headers['location']}/story?lang=en")[0] == 200


def test_in_russian(site):
    home = site.ask("/", Accept_Language="ru")[2]
    assert "Выберите имя" in home and "Register" not in home
    token = site.register("Анна")
    assert "Перетащите сюда" in site.ask("/me", token=token, Accept_Language="ru")[2]
    status, found = site.submit(token, b"x", "x.txt", Accept_Language="ru")
    assert status == 400 and "это не zip" in found["error"]


def test_losses_come_first_and_those_to_the_weakest_before_others(played):
    site, tokens = played
    page = site.ask("/me", token=tokens["Anna"])[2]
    kinds = re.findall(r'class="(won|lost)" href', page)
    assert kinds == sorted(kinds), "lost before won"
    names = re.findall(r"lost to ([^<]+)</a>", page)
    ladder = [one["name"] for one in json.loads(site.ask("/standing.json")[2])["ladder"]]
    places = [ladder.index(name) for name in names]
    assert places == sorted(places, reverse=True), "the lowest on the ladder first"


def test_the_command_hands_in_a_folder_and_tells_what_becomes_of_it(site, tmp_path, capsys):
    token = site.register("Anna")
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(tool.HEAD + tool.GOOD.format(9))
    assert main(["contest", "submit", site.url, str(folder), "--token", token, "--quiet"]) == 0
    assert f"Version 1 is in the queue: {site.url}/me/1" in capsys.readouterr().out
    assert main(["contest", "submit", site.url, str(folder), "--token", token, "--quiet"]) == 0
    assert "This is your version 1 already" in capsys.readouterr().out
    site.play()
    assert main(["contest", "submit", site.url, str(folder), "--token", token]) == 0
    told = capsys.readouterr().out
    assert "  done" in told and re.search(r"place 1.*, rating 1\d\d\d \[1\d\d\d; 1\d\d\d\] after \d+ games", told)
    (folder / "bot.py").write_text(tool.HEAD + tool.BAD["crash-at-start"])
    ContestClient(site.url, token).submit(folder)
    site.play()
    assert main(["contest", "submit", site.url, str(folder), "--token", token]) == 2
    assert "no licence found" in capsys.readouterr().err


def test_one_command_registers_and_hands_in(site, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PLAYMILL_TOKEN", "of somebody else")
    folder = tmp_path / "mine"
    folder.mkdir()
    words = ["contest", "submit", site.url, str(folder / "bot.py"), "--register", "Anna", "--quiet"]
    assert main(words) == 2 and "there is no folder or file" in capsys.readouterr().err
    assert not Registry(site.folder / "state").accounts(), "a name was taken for a bot that is not there"
    (folder / "bot.py").write_bytes(b"pass")
    assert main(words) == 0
    told = capsys.readouterr().out
    token = told.splitlines()[0].split()[-1]
    assert "You are Anna" in told and "Version 1 is in the queue" in told
    assert main(["contest", "submit", site.url, str(folder), "--token", token, "--quiet"]) == 0
    assert main(words) == 2 and "Anna" in capsys.readouterr().err
    site.ask("/organiser/settings", {"takes": "yes", "registration": "invitation"}, organiser=True)
    assert main([*words[:-2], "Boris", "--quiet"]) == 2 and "invitation" in capsys.readouterr().err
    assert main(["--lang", "ru", *words[:-3], "--quiet"]) == 2


def test_a_class_that_asks_for_the_kit_at_once_has_it_made_once(site, monkeypatch):
    made = []

    def slow(rules, lang):
        made.append(lang)
        time.sleep(0.5)
        return b"zip"

    monkeypatch.setattr(kit_pages, "starter_kit", slow)
    with ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(site.ask, "/kit.zip") for _ in range(60)]
        begun = time.monotonic()
        assert site.ask("/queue")[0] == 200 and time.monotonic() - begun < 10
        assert {one.result()[0] for one in asked} == {200}
    assert made == ["en"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["submit", "URL"], "takes the address of a contest and the bot's folder"),
        (["submit", "URL", "none", "--token", "x"], "there is no folder or file none"),
        (["submit", "URL", "BOT", "--token", "wrong"], "a token is needed: register first"),
        (["submit", "URL", "BOT"], "a token is needed: --token TOKEN"),
        (["submit", "http://127.0.0.1:9", "BOT", "--token", "x"], "no answer from http://127.0.0.1:9"),
        (["submit", "ftp://x", "BOT", "--token", "x"], "is no address of a contest"),
        (["one", "two", "three"], "contest takes one folder"),
    ],
)
def test_the_command_says_what_is_wrong_in_one_sentence(site, tmp_path, capsys, monkeypatch, words, told):
    monkeypatch.delenv("PLAYMILL_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("x")
    known = {"URL": site.url, "BOT": "bot.py"}
    assert main(["contest", *(known.get(word, word) for word in words)]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


# Who sees what


def pages(site: Site, token: str | None) -> Iterator[tuple[str, str]]:
    """All pages that can be reached from the first one, and some that are guessed."""
    names = ("Anna", "rogue", "%D0%91%D0%BE%D1%80%D0%B8%D1%81")
    seen: set[str] = set()
    wanted = ["/", "/queue", "/standing.json", "/me", "/me.json", "/rules", "/organiser", "/organiser/contest.json"]
    wanted += [f"/me/{number}" for number in range(4)] + [f"/organiser/of/{name}/1" for name in names]
    wanted += [f"/of/{name}" for name in names] + ["/organiser/ladder.csv", "/organiser/site.zip"]
    while wanted:
        path = wanted.pop()
        if path in seen:
            continue
        seen.add(path)
        status, headers, text = site.ask(path, token=token)
        yield path, text
        if status == 303:
            wanted.append(headers["location"])
        found = re.findall(r'(?:href|src)="(/[^"#]*)"', text)
        wanted += [one for one in found if not one.startswith(("/static", "/lang", "/kit", "/fonts"))]


@pytest.mark.parametrize("who", [None, "Борис", "rogue"])
def test_nobody_else_sees_what_an_entrant_wrote_or_why_she_failed(played, who):
    site, tokens = played
    token = tokens[who] if who else None
    everything = dict(pages(site, token))
    assert len(everything) > 30
    for path, text in everything.items():
        assert SECRET_STDERR not in text and SECRET_SOURCE not in text, path
        assert "no licence found" not in text or (who == "rogue" and path.startswith("/me")), path
        assert not any(one in text for name, one in tokens.items() if name != who), path
        assert KEY not in text and str(site.folder) not in text, path


def test_an_entrant_sees_her_own_report_whole_and_the_organiser_everybodys(played):
    site, tokens = played
    mine = site.ask("/me/1", token=tokens["Anna"])[2]
    assert SECRET_STDERR in mine and "Only you and the organiser" in mine
    rogue = site.ask("/me/1", token=tokens["rogue"])[2]
    assert "no licence found" in rogue and "refused" in rogue
    assert SECRET_STDERR in site.ask("/organiser/of/Anna/1", organiser=True)[2]
    assert SECRET_STDERR not in site.ask("/organiser/of/Anna/1", token=tokens["Anna"])[2]
    for text in (mine, rogue):
        assert SECRET_SOURCE not in text, "nobody needs to be shown her own source"


def test_what_a_bot_writes_is_text_on_the_page(site):
    token = site.register("Anna")
    text = "print('<script>alert(1)</script>\\x1b[2J', file=sys.stderr, flush=True)\n" + tool.GOOD.format(9)
    site.submit(token, week.bot(text))
    site.play()
    page = site.ask("/me/1", token=token)[2]
    assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_what_the_compiler_said_is_in_the_report(site):
    token = site.register("Anna")
    site.submit(token, b"int main(void) { return nothing_here; }", "x.c")
    site.play()
    page = site.ask("/me/1", token=token)[2]
    assert "it does not compile" in page and "nothing_here" in page and "What the compiler said" in page
    assert "not been checked" not in page
    assert "не компилируется" in site.ask("/me/1", token=token, Accept_Language="ru")[2]
    assert "nothing_here" not in site.ask("/")[2] + site.ask("/queue")[2]


@pytest.mark.parametrize(("lang", "said"), [("en", "In three minutes"), ("ru", "За три минуты")])
def test_the_starter_kit_has_a_bot_that_plays_and_a_referee_that_needs_python_alone(site, tmp_path, lang, said):
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)
    line.request("GET", "/kit.zip", headers={"Accept-Language": lang})
    with zipfile.ZipFile(io.BytesIO(line.getresponse().read())) as archive:
        archive.extractall(tmp_path)
    kit = tmp_path / "pig-kit"
    assert said in (kit / "README.md").read_text() and (kit / "rules.html").exists()
    bots = ["python/bot.py", "javascript/bot.js", "c/bot.c", "cpp/bot.cpp", "rust/bot.rs", "go/bot.go", "java/Bot.java"]
    assert all((kit / name).is_file() for name in bots)

    def referee(*command: str) -> tuple[int, str]:
        words = [sys.executable, "-I", "-S", "referee.py", *command]
        done = subprocess.run(words, cwd=kit, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    status, told = referee("python/bot.py")
    assert status == 0 and told.endswith(("ready\n", "готов\n")) and ("of 10 games" in told or "из 10 партий" in told)
    (kit / "wrong.py").write_text((kit / "python" / "bot.py").read_text().replace('% len(message["options"])', "+ 99"))
    status, told = referee(sys.executable, "wrong.py")
    assert status == 2 and "index" in told and "Traceback" not in told
    assert referee("true")[0] == 2 and referee("no-such-program")[0] == 2
    assert "hello" in referee("cat")[1]


def test_a_drawn_game_is_won_by_nobody():
    games = [[0, 0, [0, 0]], [0, 1, [0, 1]], [1, 0, [1, 0]]]
    entry = {"who": [["anna", 1], ["boris", 1]], "setting": "", "deals": 2, "failed": {}, "place": "", "mishaps": []}
    table = _table_view({**entry, "games": games}, "anna", 1)
    assert [table.outcome(*game) for game in table.games] == ["tied_with", "won_against", "lost_to"]


# What is refused


@pytest.mark.parametrize(
    "name", ["", "a/b", "../x", "-x", "=1+1", "a" * 41, "<b>", "a\u202eb", "a\x00b", "random", "Ⅷ"]
)
def test_names_that_cannot_be(site, name):
    status, _, text = site.ask("/register", {"name": name}, Accept="application/json")
    assert status == 400 and json.loads(text)["error"]
    assert site.ask("/organiser", organiser=True)[2].count('action="/organiser/disqualify"') == 0


def test_from_a_page_that_says_what_is_wrong_one_goes_back_to_the_contest(site):
    text = site.ask("/register", {"name": "a b"})[2]
    assert '<a class="main" href="/">To the contest</a>' in text and "All games" not in text


def test_registration_is_open_by_invitation_or_closed(site):
    set_to = {"takes": "yes"}
    site.ask("/organiser/settings", {**set_to, "registration": "invitation"}, organiser=True)
    assert 'name="invitation"' in site.ask("/")[2]
    status, _, text = site.ask("/register", {"name": "Anna"}, Accept="application/json")
    assert status == 400 and "an invitation is needed" in text
    codes = site.ask("/organiser/invite", {"count": "2"}, organiser=True)[2]
    first, second = re.search(r'<pre class="output">([^<]*)<', codes)[1].split()
    site.register("Anna", invitation=first)
    assert site.ask("/register", {"name": "Boris", "invitation": first})[0] == 400
    site.register("Boris", invitation=second)
    site.ask("/organiser/settings", {**set_to, "registration": "closed"}, organiser=True)
    assert "Registration is closed" in site.ask("/")[2]
    assert "Registration is closed" in site.ask("/register", {"name": "Carol"})[2]


@pytest.mark.parametrize(
    ("server", "count", "told"),
    [
        ("per_hour = 2", 2, "2 submissions an hour are taken of you"),
        ("waiting = 2", 2, "2 submissions of yours wait already"),
    ],
)
def test_how_much_of_one_entrant_is_taken(tmp_path, server, count, told):
    with serve(built(tmp_path / "c", server=server)) as site:
        token, other = site.register("Anna"), site.register("Boris")
        for number in range(count):
            assert site.submit(token, week.bot(f"# {number}"))[0] == 200
        status, found = site.submit(token, week.bot("# one more"))
        assert status == 429 and told in found["error"]
        assert site.submit(other, week.bot("# one more"))[0] == 200, "others are not held up"


def test_attempts_are_counted_even_if_nothing_was_taken(site):
    token = site.register("Anna")
    answers = [site.submit(token, b"PK\x03\x04 damaged")[0] for _ in range(32)]
    assert answers[:30] == [400] * 30 and answers[-1] == 429


def test_the_disk_is_not_filled(tmp_path):
    with serve(built(tmp_path / "c", server="disk = 1\nmegabytes = 1\nper_hour = 100\nwaiting = 100")) as site:
        token = site.register("Anna")
        noise = [bytes([number]) * 700_000 for number in range(3)]
        for number in range(2):
            data = week.zipped({"bot.py": noise[number]})
            assert site.submit(token, data)[0] == 200
        status, found = site.submit(token, week.zipped({"bot.py": noise[2]}))
        assert status == 400 and "disk is full" in found["error"]


def test_a_body_that_is_too_long_is_not_even_read(site):
    token = site.register("Anna")
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    line.putrequest("POST", "/submit?name=x.zip")
    for name, value in (("Origin", site.url), ("Content-Length", str(1 << 30)), ("Cookie", f"{TOKEN_COOKIE}={token}")):
        line.putheader(name, value)
    line.endheaders()
    assert line.getresponse().status == 413


@pytest.mark.parametrize("kind", week.BAD_ARCHIVES)
def test_archives_that_could_do_harm_are_refused_in_one_sentence(site, kind):
    token = site.register("Anna")
    name, data = week.archive_of(kind, 1)
    status, found = site.submit(token, data, name)
    assert status == 400 and found["error"] and "\n" not in found["error"]
    assert [path.name for path in (site.folder / "state" / "uploads").iterdir()] == []
    assert sorted(path.name for path in site.folder.iterdir()) == ["contest.toml", "state"]


def test_who_is_disqualified_or_comes_too_late_is_told_so(site):
    token = site.register("Anna")
    site.ask("/organiser/disqualify", {"name": "Anna"}, organiser=True)
    assert "you are disqualified" in site.submit(token, week.bot("a"))[1]["error"]
    site.ask("/organiser/readmit", {"name": "Anna"}, organiser=True)
    assert site.submit(token, week.bot("a"))[0] == 200
    site.ask("/organiser/settings", {"takes": "no", "registration": "open"}, organiser=True)
    assert "nothing is taken" in site.submit(token, week.bot("b"))[1]["error"]
    assert site.ask("/organiser/finish", {}, organiser=True)[0] == 303
    assert "is over" not in site.ask("/")[2], "nobody ends a contest without being sure"
    site.ask("/organiser/finish", {"sure": "yes"}, organiser=True)
    assert "the final is being played" in site.ask("/")[2]
    site.ask("/organiser/settings", {"takes": "yes", "registration": "open"}, organiser=True)
    assert "nothing is taken" in site.submit(token, week.bot("c"))[1]["error"], "it stays closed"
    assert site.ask("/register", {"name": "Late"})[0] == 400
    site.play()
    assert "this is the final ladder" in site.ask("/")[2]


# Those who attack the server

POSTS = (
    *("/register", "/enter", "/leave", "/submit", "/organiser/settings", "/organiser/invite", "/organiser/disqualify"),
    *("/organiser/token", "/organiser/replay", "/organiser/finish"),
)


@pytest.mark.parametrize("path", POSTS)
def test_no_other_page_can_have_a_browser_do_something(played, path):
    site, tokens = played
    for origin in ("http://evil.example", "null", ""):
        more = {"Sec_Fetch_Site": "cross-site"} if not origin else {}
        status, _, _ = site.ask(path, {"name": "x"}, token=tokens["Anna"], organiser=True, Origin=origin, **more)
        assert status == 403, origin
    assert site.restarts == 0


@pytest.mark.parametrize("path", [one for one in POSTS if one.startswith("/organiser")])
def test_what_is_the_organisers_is_nobody_elses(played, path):
    site, tokens = played
    for token in (None, tokens["Anna"]):
        status, _, text = site.ask(path, {"name": "Борис", "sure": "yes", "count": "3"}, token=token)
        assert status == 403 and "the organiser&#39;s" in text
        assert site.ask(path, {"sure": "yes"}, token=token, Authorization=f"Bearer {KEY}")[0] == 403
    assert site.restarts == 0 and "Борис" in site.ask("/")[2]


@pytest.mark.parametrize(
    "path",
    [
        "/of/Anna/..%2f..%2f..%2fregistry.sqlite3/0-0",
        "/of/Anna/../../state/owner.key",
        "/of/Anna/x/0-0",
        "/of/rogue",
        "/me/../organiser/of/Anna/1",
        "/me/1%20OR%201=1",
        "/me/99999999999999999999",
        "/me/-1",
        "/static/../../../state/owner.key",
        "/static/..%2f..%2fserver/app.py",
        "/watch/..%2f..%2fowner.key",
        "/state/owner.key",
        "/uploads/1/bot.py",
        "/organiser/of/Anna/1",
        "/lang/en?to=https://evil.example",
    ],
)
def test_addresses_that_are_made_up_lead_nowhere(played, path):
    site, tokens = played
    status, headers, text = site.ask(path, token=tokens["Борис"])
    assert status in (303, 400, 403, 404), status
    assert headers.get("location", "/").startswith("/") and not headers.get("location", "/x").startswith("//")
    assert SECRET_STDERR not in text and KEY not in text


@pytest.mark.parametrize("token", ["", "x", "' OR 1=1 --", "x" * 5000, "playmill_entrant=1", "\u00e9"])
def test_tokens_that_are_made_up_open_nothing(played, token):
    site, _ = played
    token = token.encode().decode("latin-1")
    assert site.ask("/me", token=token)[0] == 303
    assert site.ask("/me.json", Authorization=f"Bearer {token}")[0] == 401
    assert site.ask("/enter", {"token": token})[0] == 403
    assert site.submit(token, week.bot("a"))[0] == 401


def test_it_answers_to_this_machine_alone_unless_it_is_public(tmp_path):
    folder = built(tmp_path / "c")
    with serve(folder) as site:
        assert site.ask("/", Host="contest.example")[0] == 421
    with serve(folder, public=True) as site:
        assert site.ask("/", Host="contest.example")[0] == 200
        assert site.ask("/register", {"name": "x"}, Host="contest.example", Origin="http://evil.example")[0] == 403
        assert site.ask("/register", {"name": "x"}, Host="contest.example", Origin="https://contest.example")[0] == 200


# The organiser


def test_all_of_it_can_be_taken_away(played):
    site, _ = played
    rows = list(csv.DictReader(io.StringIO(site.ask("/organiser/ladder.csv", organiser=True)[2])))
    assert {row["name"] for row in rows} == {"Anna", "Борис", "random", "threshold"}
    assert all(float(row["rating_low"]) <= float(row["rating"]) <= float(row["rating_high"]) for row in rows)
    data = json.loads(site.ask("/organiser/contest.json", organiser=True)[2])
    assert {(one["name"], one["state"]) for one in data["versions"]} == {
        ("Anna", "done"),
        ("rogue", "refused"),
        ("Борис", "done"),
    }
    line = http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)
    line.request("GET", "/organiser/site.zip", headers={"Cookie": f"{OWNER_COOKIE}={KEY}"})
    with zipfile.ZipFile(io.BytesIO(line.getresponse().read())) as archive:
        names = archive.namelist()
        index = archive.read("index.ru.html").decode()
        games = re.findall(r'href="(games/[^"]+)"', index)
        assert "Борис" in index and games and set(games) <= set(names)
        everything = b"".join(archive.read(name) for name in names)
    for secret in (SECRET_STDERR, SECRET_SOURCE, "no licence", str(site.folder), KEY):
        assert secret.encode() not in everything
    assert "http" not in re.sub(r"https?://www.w3.org\S*", "", index), "it asks no server for anything"


def test_a_lost_token_is_replaced(played):
    site, tokens = played
    page = site.ask("/organiser/token", {"name": "Anna"}, organiser=True)[2]
    fresh = re.search(r'class="token">([^<]+)<', page)[1]
    assert site.ask("/me", token=tokens["Anna"])[0] == 303 and site.ask("/me", token=fresh)[0] == 200


def test_everything_is_replayed_when_the_organiser_is_sure(played):
    site, tokens = played
    site.ask("/organiser/replay", {}, organiser=True)
    assert site.restarts == 0
    site.ask("/organiser/replay", {"sure": "yes"}, organiser=True)
    assert site.restarts == 1 and "edition 2" in site.ask("/organiser", organiser=True)[2]
    assert "3 in the queue" in site.ask("/")[2]
    site.play()
    assert ">Anna</a>" in site.ask("/")[2] and "on the ladder" in site.ask("/me", token=tokens["Anna"])[2]


def test_another_server_on_the_same_folder_knows_all_that_was_acknowledged(played):
    site, tokens = played
    assert site.submit(tokens["Anna"], week.bot(tool.GOOD.format(25)))[0] == 200
    before = [site.ask(path, token=tokens["Anna"])[2] for path in ("/", "/me", "/me/1", "/queue")]
    with serve(site.folder) as again:
        after = [again.ask(path, token=tokens["Anna"])[2] for path in ("/", "/me", "/me/1", "/queue")]
    assert [text.replace(str(again.port), str(site.port)) for text in after] == before


def test_the_queue_tells_how_long_it_will_take(played):
    site, tokens = played
    assert "Nothing waits" in site.ask("/queue")[2]
    site.submit(tokens["Anna"], week.bot(tool.GOOD.format(25)))
    site.submit(tokens["Борис"], week.bot(tool.GOOD.format(26)))
    page = site.ask("/queue")[2]
    assert re.findall(r"<b>(\S+)</b> <span class=\"faint\">version (\d)", page) == [("Anna", "2"), ("Борис", "2")]
    assert len(re.findall(r"through in about \d+ (?:s|min)", page)) == 2


def test_a_contest_that_cannot_be_served_says_so(tmp_path, capsys):
    folder = built(tmp_path / "c")
    (folder / "contest.toml").write_text("rounds = 2\n" + (folder / "contest.toml").read_text())
    assert main(["contest", str(folder), "--serve", "--no-open"]) == 2
    assert "opponents = N" in capsys.readouterr().err
    with pytest.raises(PlaymillError, match="is no contest"):
        make_contest_app(tmp_path, owner=Owner(KEY))


@needs_chromium
def test_on_a_phone_a_bot_is_chosen_and_its_games_are_watched(played, visit):
    site, tokens = played
    how = {"viewport": {"width": 360, "height": 740}, "locale": "ru-RU"}
    page = visit("/", url=site.url, complaints=False, **how)
    page.context.add_cookies([{"name": TOKEN_COOKIE, "value": tokens["Anna"], "url": site.url}])
    for path in ("/", "/me", "/me/1", "/queue", "/of/Anna"):
        page.goto(site.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    page.goto(site.url + "/me")
    page.set_input_files("#file", {"name": "x.txt", "mimeType": "text/plain", "buffer": b"x"})
    page.locator("#notice", has_text="это не zip").wait_for()
    page.set_input_files("#file", {"name": "bot.zip", "mimeType": "application/zip", "buffer": week.bot("# new")})
    page.wait_for_url(re.compile("/me/2$"))
    page.goto(site.url + "/me")
    page.locator(".looks a").first.click()
    page.wait_for_url(re.compile("/watch/"))
    page.wait_for_selector("#picture svg")
