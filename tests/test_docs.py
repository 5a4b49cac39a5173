"""Documentation that is run: what README.md and docs/*.md show is done, and what they promise to print is compared.

How a fenced block is read, from top to bottom of a page, in one folder with `examples/` in it:
- `sh`: each line `playmill …` (with `NAME=value` before it or `> FILE` behind it) must end with status 0, or with the
  one a comment behind it names: `# exit status 2`;
- `python`: is executed, with the names of the blocks above it; a first line `# NAME.py` also saves it under that name,
  and with the name of a file of this repository it must be a part of that file instead;
- `text` right after one of these: its lines must be in the output, in this order; `…` stands for any lines; those of
  the Russian page in what the same commands print in Russian;
- `json` and `toml` must be valid; one right after a line that ends in a name, `FILE.json`:, is saved under it.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import signal
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import hooks_table
import numba
import pytest

from common.effort import is_tried
from common.found import game_of
from common.reports import tables_of, texts_of
from common.stock import stock_of
from playmill import Decision, Game, Option, PlaymillError, simulate
from playmill.cli import main
from playmill.engine.cuda.backend import check_device
from playmill.games.dice import constants
from playmill.games.dice.content import content_of
from playmill.games.dice.content.conditions import ConditionNode
from playmill.games.dice.content.consistency import DEEPEST, MOST_CONDITIONS
from playmill.games.dice.content.effects import EFFECT_KINDS
from playmill.games.dice.content.entries import MOST_ENTRIES
from playmill.games.dice.rules.effects import MOST_POINTS
from playmill.games.dice.rules.options import MAX_ROLLS
from playmill.lab.decide.worth import worth
from playmill.texts import Lang

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "playmill"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Commands that a page may show but that only set up what the tests already have.
NOT_RUN = ("make", "cd", ".", "pip", "python", "git")
#: Commands that have been seen to serve a page, in a process of their own: from then on such a server ends as soon as
#: it has begun, whatever else is asked of it.
SEEN_TO_SERVE = set[str]()
#: Seconds for each measurement, whatever a page says.
MOMENT = "0.05"

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the pages count on compiled rules")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    kind: str
    text: str
    line: int
    name: str = ""


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, from top to bottom."""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        named = re.search(r"`([\w.]+)`:\n+\Z", text[: found.start()])
        yield Block(found[1], found[2], text[: found.start()].count("\n") + 2, named[1] if named else "")


@dataclass
class Reader:
    """Someone who does what a page says, block by block."""

    page: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "page"})
    #: The commands of the last block with what each printed; what Python printed comes from none.
    said: list[tuple[str, str]] = field(default_factory=list)
    #: A neighbour's library is not here: what the last block prints cannot be known.
    lacks: bool = False

    def read(self, block: Block) -> None:
        """Does one block."""
        where = f"{self.page.name}:{block.line}"
        if block.kind == "text" and self.lacks:
            return
        self.lacks = False
        if block.kind == "text":
            missing = first_missing(block.text, self.output)
            assert missing is None, f"{where}: {missing!r} is not in the output:\n{self.output}"
            return
        self.said = []
        if block.kind == "sh":
            for line in commands(block.text):
                self.said.append((line, self._command(line, where)))
        elif block.kind == "python":
            self._python(block, where)
        elif block.kind in ("json", "toml"):
            (json.loads if block.kind == "json" else tomllib.loads)(block.text)
            if block.name:
                Path(block.name).write_text(block.text, encoding="utf-8")
        else:
            pytest.fail(f"{where}: nobody checks blocks of the kind {block.kind!r}")

    def read_in_russian(self, english: Block, russian: Block) -> None:
        """Looks whether the Russian page shows what is printed in Russian where the English one shows this."""
        where = f"ru/{self.page.name}:{russian.line}"
        with self.monkeypatch.context() as change:
            change.setenv("PLAYMILL_LANG", "ru")
            output = "".join(self._again(line, where) if line else out for line, out in self._shown_by(english))
        missing = first_missing(russian.text, output)
        assert missing is None, f"{where}: {missing!r} is not in the output:\n{output}"

    @property
    def output(self) -> str:
        """All that the last block printed."""
        return "".join(out for _, out in self.said)

    def _shown_by(self, block: Block) -> list[tuple[str, str]]:
        """Those of the last commands whose lines a block shows: the others need not be repeated."""
        shown = self.said
        for one in self.said:
            fewer = [other for other in shown if other is not one]
            if first_missing(block.text, "".join(out for _, out in fewer)) is None:
                shown = fewer
        return shown

    def _again(self, line: str, where: str) -> str:
        """What a command that has been done prints when it is repeated: what it keeps is made anew."""
        if kept := re.match(r"playmill merge .*--keep (\w+)", line):
            self._command(f"playmill runs --remove {kept[1]}", where)
        return self._command(line, where)

    def _command(self, line: str, where: str) -> str:
        words = shlex.split(line, comments=True)
        named = re.search(r"# .*exit status (\d)", line)
        wanted = int(named[1]) if named else 0
        with self.monkeypatch.context() as change:
            while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
                change.setenv(*words.pop(0).split("=", 1))
            if not words or words[0] in NOT_RUN:
                return ""
            assert words[0] == "playmill", f"{where}: nobody runs {line!r}"
            if words[1:2] in (["serve"], ["watch"]) and "--help" not in words:
                if words[1] not in SEEN_TO_SERVE:
                    SEEN_TO_SERVE.add(words[1])
                    return served(words[1:], where)
                words += ["--no-open", "--port", "0"]
                change.setattr("uvicorn.Server.main_loop", at_once)
            target = words.pop() if words[-2:-1] == [">"] else None
            status = self._status([word for word in words[1:] if word != ">"])
        said = self.capsys.readouterr()
        if "cuda" in words and not has_gpu():
            assert (status, "no CUDA device" in said.err) == (2, True), f"{where}: {line}\n{said.err}"
            return ""
        assert status == wanted, f"{where}: {line}\nended with status {status}: {said.err}"
        if target is None:
            return said.out + said.err
        Path(target).write_text(said.out, encoding="utf-8")
        return ""

    def _status(self, words: list[str]) -> int:
        if words[:1] == ["bench"]:  # how long is measured matters to nothing but the figures, which no page promises
            words = [MOMENT if before == "--seconds" else word for before, word in pairwise(["", *words])]
        try:
            return main(words)
        except SystemExit as end:
            return int(end.code or 0)

    def _python(self, block: Block, where: str) -> None:
        first, _, rest = block.text.partition("\n")
        file = first.removeprefix("# ") if re.fullmatch(r"# [\w/]+\.py", first) else None
        if file and (ROOT / file).exists():
            whole = (ROOT / file).read_text(encoding="utf-8")
            missing = first_missing(rest, whole, exact=True)
            assert missing is None, f"{where}: {missing!r} is not in {file} (or not in this order)"
            return
        if file:
            Path(file).write_text(block.text, encoding="utf-8")
        try:
            exec(compile("\n" * (block.line - 1) + block.text, str(self.page), "exec"), self.names)
        except PlaymillError as error:
            self.lacks = error.text.en.startswith("this adapter needs")
            if not self.lacks:
                raise
        self.said = [("", self.capsys.readouterr().out)]


def commands(text: str) -> Iterator[str]:
    """The commands of a block: a line each, and the next ones while a quote is open or a backslash ends the line."""
    begun = ""
    for line in text.replace("\\\n", " ").splitlines():
        begun = f"{begun}\n{line}" if begun else line
        try:
            shlex.split(begun, comments=True)
        except ValueError:
            continue
        yield begun
        begun = ""
    assert not begun, f"a quote is not closed: {begun}"


def served(words: list[str], where: str) -> str:
    """What a server says as it begins; its first page is asked for, and it ends when it is told to."""
    quietly = [sys.executable, "-m", "playmill", *words, "--no-open", *([] if "--port" in words else ["--port", "0"])]
    with subprocess.Popen(quietly, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        address = re.search(r"http://\S+", said[0])
        assert address, f"{where}: {said}"
        shown = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(
            re.sub(r"//[^:/]+", "//127.0.0.1", address[0]), timeout=300
        )
        assert shown.status == 200 and b"Playmill" in shown.read(), where
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 0, where
    return "".join(said)


async def at_once(server: object) -> None:
    """What a server does in place of waiting for visitors."""


def first_missing(expected: str, output: str, *, exact: bool = False) -> str | None:
    """The first expected line that the output lacks after the ones before it; `…` stands for any lines."""

    def plain(line: str) -> str:
        return line.rstrip() if exact else " ".join(line.split())

    lines = iter([plain(line) for line in output.splitlines()])
    for line in expected.splitlines():
        if line.strip() not in ("…", "# …", "") and plain(line) not in lines:
            return line
    return None


def has_gpu() -> bool:
    try:
        check_device()
    except PlaymillError:
        return False
    return True


def anchors(text: str) -> list[str]:
    """The names by which links find the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), flags=re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with `examples/` to work in, and a terminal of 80 columns."""
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PLAYMILL_LANG", "en")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_works(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Reader(page, monkeypatch, capsys)
    pairs = zip(blocks(page), blocks(ROOT / "docs" / "ru" / page.name), strict=True)
    for number, (block, russian) in enumerate(pairs):
        reader.read(block)
        # For this each command is repeated: `make test` does so for a part of them.
        if block.kind == "text" and not reader.lacks and is_tried(number):
            reader.read_in_russian(block, russian)


@pytest.mark.parametrize(
    "page", [*PAGES, *sorted(ROOT.glob("docs/ru/*.md"))], ids=lambda page: f"{page.parent.name}/{page.name}"
)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8")):
        found = page.parent / target if target else page
        assert "://" in target or found.exists(), target
        assert "://" in target or not anchor or anchor in anchors(found.read_text(encoding="utf-8")), anchor


def test_a_broken_command_is_noticed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = Reader(ROOT / "README.md", monkeypatch, capsys)
    with pytest.raises(AssertionError, match="status 2"):
        reader.read(Block("sh", "playmill simulate no_such_game\n", 1))
    with pytest.raises(AssertionError, match="nobody runs"):
        reader.read(Block("sh", "curl example.org\n", 1))
    with pytest.raises(NameError):
        reader.read(Block("python", "no_such_name\n", 1))
    reader.read(Block("sh", "playmill --version\n", 1))
    with pytest.raises(AssertionError, match="not in the output"):
        reader.read(Block("text", "playmill 99\n", 1))


def test_a_status_that_is_announced_must_come_and_named_files_are_saved(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = folder / "page.md"
    page.write_text("A file, `mine.json`:\n\n```json\n{}\n```\n\n```json\n[]\n```\n")
    reader = Reader(page, monkeypatch, capsys)
    named, unnamed = blocks(page)
    assert (named.name, unnamed.name) == ("mine.json", "")
    reader.read(named)
    assert (folder / "mine.json").read_text() == "{}\n"
    reader.read(Block("sh", "playmill simulate no_such_game   # exit status 2\n", 1))
    assert "there is no game 'no_such_game'" in reader.output
    with pytest.raises(AssertionError, match="status 0"):
        reader.read(Block("sh", "playmill content dice --check mine.json   # exit status 2\n", 1))


def test_expected_lines_come_in_order() -> None:
    assert first_missing("a\n…\nc\n", "a\nb\nc\n") is None
    assert first_missing("c\na\n", "a\nb\nc\n") == "a"
    assert first_missing("one  two", "one\N{NO-BREAK SPACE}two") is None


def test_reports_page_explains_every_key(dimensions: Game) -> None:
    told = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    run = simulate(dimensions, games=50, agents=["random", "dealer", "dealer"])
    keys = {**keys_of(run.results), **keys_of(run.info.json()), **dict.fromkeys(run.seats.columns)}
    patterns = [re.compile(pattern.replace("NAME", r"\w+")) for pattern in re.findall(r"`(\w+)`", told)]
    names = {name: None for key in keys for name in key.split("+")}
    unknown = [name for name in names if not any(pattern.fullmatch(name) for pattern in patterns)]
    assert [name for name in unknown if name not in run.info.agents] == []


@pytest.mark.parametrize("page", ["docs/reports.md", "docs/ru/reports.md"])
def test_reports_page_calls_the_parts_of_a_report_by_their_names(page: str) -> None:
    told = (ROOT / page).read_text(encoding="utf-8")
    shared = [*(SOURCES / "lab" / "runs" / "simulate").rglob("*.py"), *(SOURCES / "report").rglob("*.py")]
    met, wrong = 0, []
    for game, section in re.findall(r"^### `results` \w+ `(\w+)`\n(.*?)(?=^##)", told, re.DOTALL | re.MULTILINE):
        files = [*shared, *(SOURCES / "games" / game).rglob("*.py")]
        known = "".join(path.read_text(encoding="utf-8") for path in files)
        made = {
            text
            for run, counts in stock_of(game).counted
            for table in tables_of(game_of(game), run, counts)
            for bilingual in texts_of(table)
            for text in bilingual
        }
        for cell in re.findall(r"^\|.*\| ([A-ZА-Я][^|(]*?)(?: \([^|]*)? \|$", section, re.MULTILINE):
            names = re.split(r"[,;] (?=[A-ZА-Я])", cell)
            wrong += [f"{game}: {name}" for name in names if f'"{name}"' not in known and name not in made]
            met += len(names)
    assert wrong == []
    assert met > 50


def test_reports_page_explains_every_key_of_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("reports.md", "dice.md"))
    known = {re.sub(r"\d+$", "N", name) for name in re.findall(r"`(\w+)`", told)}
    sides = [{"items": ["bust_shield"], "dice": ["evil"] * 6}, {"modifiers": ["town_tax"]}]
    config = {"players": sides, "global_modifiers": ["town_tax"]}
    run = simulate("dice", games=50, agents=["greedy", "threshold"], config=config)
    plain = simulate("dice", games=5, agents="optimal", set=["target_score=300"])
    saved = tmp_path / "worth.json"
    assert main(["worth", "dice", "--games", "5", "--only", "evil", "--out", str(saved)]) == 0
    keys = {**keys_of(run.results), **keys_of(run.info.json()), **dict.fromkeys(run.seats.columns)}
    keys |= {**keys_of(plain.results), **keys_of(plain.info.json()), **keys_of(json.loads(saved.read_text()))}
    named = {*run.info.agents, *plain.info.agents, "bust_shield", "evil", "town_tax"}
    assert [key for key in keys if re.sub(r"\d+$", "N", key) not in known | named] == []


def keys_of(saved: Any) -> dict[str, None]:
    """Every key at any depth."""
    if isinstance(saved, dict):
        found = dict.fromkeys(saved)
        return found | {key: None for value in saved.values() for key in keys_of(value)}
    return {key: None for value in saved for key in keys_of(value)} if isinstance(saved, list) else {}


def test_agents_page_explains_every_attribute() -> None:
    told = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    attributes = {f"decision.{name}" for name in ("game", "player", "kind", "actions", *public(Decision))}
    attributes |= {f"option.{name}" for name in ("action", *public(Option))}
    assert sorted(name for name in attributes if f"`{name}`" not in told) == []


def public(owner: type) -> list[str]:
    return [name for name in vars(owner) if not name.startswith("_")]


@pytest.mark.parametrize("lang", hooks_table.PAGES)
def test_new_game_pages_have_every_hook_as_it_is_declared(lang: Lang) -> None:
    page = (ROOT / hooks_table.PAGES[lang]).read_text(encoding="utf-8")
    assert hooks_table.written(page, lang) == page, "run python tools/hooks_table.py"


DICE_PAGE = ROOT / "docs" / "dice.md"


def table_rows(page: Path, first: str) -> list[list[str]]:
    """The cells of the table of a page whose head begins with this cell."""
    text = page.read_text(encoding="utf-8")
    (found,) = re.findall(rf"^\| {re.escape(first)} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in found.splitlines()]


def test_dice_page_has_every_condition_and_effect_with_an_example_that_works() -> None:
    conditions = {row[0].strip("`"): json.loads(row[1].strip("`")) for row in table_rows(DICE_PAGE, "condition")}
    effects = {row[0].strip("`"): json.loads(row[1].strip("`")) for row in table_rows(DICE_PAGE, "effect")}
    assert set(conditions) == {next(iter(model.model_fields)).rstrip("_") for model in ConditionNode.__subclasses__()}
    assert set(effects) == set(EFFECT_KINDS)
    text = {"en": "x", "ru": "x"}
    base = {"name": text, "desc": text, "notification": text}
    passive = {**base, "type": "passive", "triggers": ["on_save"]}
    active = {**base, "type": "active", "cooldown_turns": 1}
    after_roll = {**passive, "triggers": ["on_roll"]}
    items = [
        {**(after_roll if kind == "scores" else passive), "condition": asked, "effect": {"add": 1}}
        for kind, asked in conditions.items()
    ]
    items += [{**(passive if kind == "multiply_save" else active), "effect": done} for kind, done in effects.items()]
    content_of({"items": [{**item, "id": f"item_{place}"} for place, item in enumerate(items)]}, "")


def test_dice_page_knows_the_limits() -> None:
    told = [number for row in table_rows(DICE_PAGE, "what") for number in row[1].replace(" ", "").split(";")][:11]
    of_a_match = [constants.EFFECTS, constants.ACTIVE, MOST_POINTS, MAX_ROLLS, constants.OWN_FLAGS]
    limits = [*of_a_match, MOST_ENTRIES, MOST_CONDITIONS, DEEPEST, 4, constants.CODE, constants.PROFILES]
    assert told == [str(limit) for limit in limits]


def test_dice_page_tells_what_the_whole_library_is_worth() -> None:
    """A smaller run with other luck must agree with the table; if the library changed, measure it again."""
    told = {
        row[0]: float(re.split(r" \[", row[2])[0].replace("−", "-")) / 100 for row in table_rows(DICE_PAGE, "thing")
    }
    measured = worth("dice", games=1000, seed=2)
    counts = [f" ×{one.trial.count}" if one.trial.count > 1 else "" for one in measured]
    found = {one.trial.name.en + count: one.change for one, count in zip(measured, counts, strict=True)}
    assert list(told.values()) == sorted(told.values(), reverse=True)
    assert told.keys() == found.keys()
    far = [name for name, change in found.items() if abs(told[name] - change.value) > 2 * (change.high - change.value)]
    assert [name for name in far if abs(told[name] - found[name].value) > 0.003] == []
    russian = {
        one.trial.name.en + count: one.trial.name.ru + count for one, count in zip(measured, counts, strict=True)
    }
    english_rows, russian_rows = table_rows(DICE_PAGE, "thing"), table_rows(ROOT / "docs" / "ru" / "dice.md", "вещь")
    assert [row[0] for row in russian_rows] == [russian[row[0]] for row in english_rows]
    figures = [[cell.replace(",", ".").replace(";", ",") for cell in row[2:]] for row in russian_rows]
    assert figures == [row[2:] for row in english_rows]


def test_demo_shows_every_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("playmill_demo", ROOT / "tools" / "demo.py")
    assert spec and spec.loader
    demo = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(demo)
    assert demo.main(out=tmp_path / "out", games=300) == 0
    shown = capsys.readouterr().out
    for name in demo.game_names():
        assert all((tmp_path / "out" / f"{name}{ending}").exists() for ending in (".html", ".ru.html", ".json"))
        assert f"{name}.ru.html" in shown
        assert 'lang="ru"' in (tmp_path / "out" / f"{name}.ru.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/ru/architecture.md"])
def test_what_the_architecture_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|tools|docs)/[\w./]+)`", text)
    drawn = [
        f"src/playmill/{path}"
        for path in re.findall(r"(?<![\w/])(?:lab|engine|web|cli|report|games/grid)/[\w./]+", text)
    ]
    drawn += [f"src/playmill/web/{path}" for path in re.findall(r"(?<![\w/])static/[\w.]+", text)]
    assert len(named) > 25 and len(drawn) > 20
    assert [path for path in (*named, *drawn) if not (ROOT / path.rstrip("./")).exists()] == []
