"""Photographs the table in a browser, to be looked at: every game at its start, middle and end, and every other page.

python tools/table_pictures.py OUT                         all of it: two languages, light and dark, wide and a phone
python tools/table_pictures.py OUT --only dice end         those whose names have one of these words

Each scene becomes two sheets in the folder OUT: `SCENE-wide.png` (1100 px, four pictures) and `SCENE-phone.png`
(360 px, four pictures). The games are played by their own rules of thumb, always the same ones; the server is a real
`playmill serve`. Whatever is cut off, overlaps or scrolls sideways is said as well.
"""

from __future__ import annotations

import argparse
import base64
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab_scenes import Laboratory
from playwright.sync_api import sync_playwright

from playmill.engine.contract.game import Game
from playmill.web.access.owner import owner_key
from playmill.web.agents.offered import SeatedAgent, offered_agents
from playmill.web.agents.precompile import Precompiler
from playmill.web.lab.content.draft import kinds_of
from playmill.web.live.registry import TableRegistry, store_path
from playmill.web.live.setup import TableSetup
from playmill.web.server.serve import games_on_offer
from playmill.web.table.state import open_table
from playmill.web.table.store import LoggedDecision, TableStore

PIG = str(Path(__file__).parents[1] / "examples" / "pig")
#: How many sit at a table that is photographed, where it is not as few as can be.
PLAYERS = {"dimensions": 4, "influence": 3}
#: The numbers of the rules that differ: a game that shows more of itself.
CHANGES = {"dice": ["kit=tavern"], "dimensions": ["mode=epic"]}
WIDTHS = {"wide": (1100, 800), "phone": (360, 740)}
LOOKS = [("en", "light"), ("ru", "dark"), ("ru", "light"), ("en", "dark")]
_READY = (
    "#picture svg, #curtain:not([hidden]), main.cards, main.lay, main.drop, #words:not([hidden]), body > main, article"
)
#: What runs out of its page: sideways, or beyond its picture.
_SPILLS = """() => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
    const picture = document.querySelector('#picture svg')?.getBoundingClientRect();
    const outside = !picture ? [] : [...document.querySelectorAll('#picture svg text')].filter(node => {
        const box = node.getBoundingClientRect();
        return box.width && (box.left < picture.left - 1 || box.right > picture.right + 1);
    }).map(node => node.textContent);
    const cut = [...document.querySelectorAll('button, a, h1, h2, summary, label')].filter(node =>
        node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1).map(node => node.textContent.trim());
    return [...wide, ...outside.map(text => `outside: ${text}`), ...cut.map(text => `cut: ${text}`)];}"""


@dataclass(frozen=True)
class Scene:
    """A page to be photographed: its name, its address, and what is done there first."""

    name: str
    path: str
    prepare: Callable[[Any], None] = lambda page: None


class Stage:
    """Tables laid and played before the server is asked for them."""

    def __init__(self, home: Path, games: Sequence[str]) -> None:
        self.games = games_on_offer([PIG, *games])
        self.key = owner_key(home)
        self._store = TableStore(store_path(home))
        self._tables = TableRegistry(self._store, self.games, compiles=False)
        self._courses: dict[str, list[tuple[int, int]]] = {}

    def close(self) -> None:
        """Everything is in the ledger."""
        self._tables.close()

    def laid(self, name: str, seats: Sequence[str] | None = None, moves: int = 0, seed: int = 11) -> tuple[str, str]:
        """A table at which so many decisions were made: its id and its owner's token."""
        game = self.games[name]
        players = PLAYERS.get(name, game.players[0])
        wanted = seats or ["me", *["random"] * (players - 1)]
        wish = TableSetup(name, players, wanted, changes=CHANGES.get(name, []), name="Анна")
        self._tables._made.clear()
        table, owner = self._tables.make(wish)
        self._store._do(("UPDATE tables SET seed = ? WHERE id = ?", (seed, table)))
        self._store._do(("UPDATE seats SET waits = 0 WHERE table_id = ?", (table,)))
        for number, (seat, action) in enumerate(self.course(name, seed)[:moves]):
            self._store.append(table, number, LoggedDecision(f"move-{number:06d}", seat, action))
        return table, owner

    def course(self, name: str, seed: int = 11) -> list[tuple[int, int]]:
        """A whole game, decision by decision: who, and what."""
        key = f"{name} {seed}"
        if key not in self._courses:
            self._courses[key] = []
            table, _ = self.laid(name, seed=seed)
            played = open_table(self.games, *self._found(table))
            game = self.games[name]
            who = _thumb(game, played.facts.players)
            while not played.over:
                action = who.choose(played.state).action
                self._courses[key].append((played.turn, action))
                played.record(LoggedDecision(f"move-{len(played.entries):06d}", played.turn, action))
        return self._courses[key]

    def _found(self, table: str) -> Any:
        found = self._store.find(table)
        assert found is not None
        return found

    def middle(self, name: str, share: float = 0.55) -> int:
        """So many decisions that it is the owner's turn, about in the middle."""
        course = self.course(name)
        first = int(len(course) * share)
        return next((number for number in range(first, len(course)) if course[number][0] == 0), 0)


def _thumb(game: Game, players: int) -> SeatedAgent:
    """Whoever plays games on in the head of `search` plays them here."""
    agents = offered_agents(game)
    return SeatedAgent(game, players, agents.get(game.search.rollout, agents["random"]), Precompiler(makes=False))


def scenes(stage: Stage, wanted: Callable[[str], bool]) -> Iterator[Scene]:
    """Every page worth a look."""
    plain = [("home", "/"), ("drop", "/watch")]
    plain += [(f"lay-{name}", f"/games/{name}") for name in stage.games]
    plain += [(f"rules-{name}", f"/games/{name}/rules") for name in stage.games]
    yield from (Scene(name, path) for name, path in plain if wanted(name))
    for name in stage.games:
        room = stage.games[name].content
        for kind in kinds_of(stage.games[name]) if room is not None else ():
            first = next(one.id for one in reversed(room.entries(room.library())) if one.kind == kind)
            path = f"/lab/games/{name}/content?from={first}&owner={stage.key}"
            if wanted(f"content-{name}-{kind}"):
                yield Scene(f"content-{name}-{kind}", path, _weighed)
    drawn = [(f"draw-{name}", f"/lab/games/{name}/draw") for name, game in stage.games.items() if game.canvas]
    yield from (Scene(name, path, _suggested) for name, path in drawn if wanted(name))
    for name in stage.games:
        for moment in ("start", "middle", "end"):
            if wanted(f"{name}-{moment}"):
                moves = {"start": 0, "end": 1 << 30}.get(moment)
                table, owner = stage.laid(name, moves=stage.middle(name) if moves is None else moves)
                yield Scene(f"{name}-{moment}", f"/t/{table}#{owner}")
        if wanted(f"{name}-words"):
            table, owner = stage.laid(name, moves=stage.middle(name))
            yield Scene(f"{name}-words", f"/t/{table}#{owner}", _pressed("x", "#words span"))
        if wanted(f"{name}-watch"):
            table, _ = stage.laid(name, moves=1 << 30)
            yield Scene(f"{name}-watch", f"/t/{table}/watch#{stage.middle(name)}", _until("#chart:not([hidden])"))
    table, owner = stage.laid("pig", moves=stage.middle("pig"))
    if wanted("keys"):
        yield Scene("keys", f"/t/{table}#{owner}", _pressed("?"))
    if wanted("hint"):
        yield Scene("hint", f"/t/{table}#{owner}", _hinted)
    if wanted("curtain"):
        table, owner = stage.laid("dimensions", ["me", "here", "random", "random"])
        yield Scene("curtain", f"/t/{table}#{owner}")
    if wanted("waiting"):
        table, owner = stage.laid("dimensions", ["me", "anybody", "anybody", "random"])
        yield Scene("waiting", f"/t/{table}#{owner}")


def _pressed(key: str, then: str = "body") -> Callable[[Any], None]:
    def prepare(page: Any) -> None:
        page.wait_for_selector("#picture svg")
        page.keyboard.press(key)
        page.wait_for_selector(then)

    return prepare


def _until(selector: str) -> Callable[[Any], None]:
    def prepare(page: Any) -> None:
        page.wait_for_selector("#picture svg")
        page.wait_for_selector(selector, timeout=180_000)

    return prepare


def _suggested(page: Any) -> None:
    page.locator("#symmetry").select_option(index=3)
    page.locator("button[value=suggest]").click()
    page.wait_for_selector("#undo:not([disabled])")


def _report(page: Any) -> None:
    """Waits for the report in its frame, if there is one, and until the frame is as high as what is in it."""
    if page.locator("iframe#report:not([hidden])").count():
        page.frame_locator("#report").locator("footer, .warning, main").first.wait_for(timeout=180_000)
        page.wait_for_timeout(300)


def _weighed(page: Any) -> None:
    page.wait_for_selector("#worth[data-state=done]", timeout=180_000)


def _hinted(page: Any) -> None:
    page.wait_for_selector("#picture svg")
    page.keyboard.press("h")
    page.wait_for_selector("#hinted:not([hidden])", timeout=180_000)
    page.wait_for_timeout(6000)


@contextmanager
def serving(home: Path, games: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    """A server of its own process: its address."""
    command = [sys.executable, "-m", "playmill", "serve", PIG, *games, "--no-open", "--port", "0"]
    command += ["--home", str(home), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PLAYMILL_LANG": "en"})
    assert process.stdout is not None
    address = next(word for line in process.stdout for word in line.split() if word.startswith("http://"))
    try:
        yield address.partition("?")[0].rstrip("/")
    finally:
        process.terminate()
        process.wait(20)


def photographed(browser: Any, url: str, scene: Scene, width: str, lang: str, light: str) -> bytes:
    """A picture of the whole page, as long as it is; tells what does not fit."""
    wide, high = WIDTHS[width]
    context = browser.new_context(
        viewport={"width": wide, "height": high},
        locale="ru-RU" if lang == "ru" else "en-US",
        color_scheme=light,
        has_touch=width == "phone",
        reduced_motion="reduce",
    )
    context.add_init_script("localStorage.setItem('playmill:speed', 'once')")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: print(f"{scene.name}: {error}"))
    page.goto(url + scene.path)
    page.wait_for_selector(_READY)
    scene.prepare(page)
    page.evaluate("document.querySelectorAll('img[loading]').forEach(one => { one.loading = 'eager'; })")
    page.wait_for_timeout(400)
    for trouble in page.evaluate(_SPILLS):
        print(f"{scene.name} {width} {lang}: {trouble}")
    shot: bytes = page.screenshot(full_page=True)
    context.close()
    return shot


def sheet(browser: Any, shots: Sequence[bytes], width: str, path: Path) -> None:
    """Pictures side by side, on one sheet."""
    tile = {"wide": 770, "phone": 360}[width]
    columns = {"wide": 2, "phone": 4}[width]
    page = browser.new_page(viewport={"width": columns * (tile + 8), "height": 600})
    pictures = "".join(f"<img src='data:image/png;base64,{base64.b64encode(shot).decode()}'>" for shot in shots)
    style = f"body{{margin:0;background:#c0a;display:grid;grid-template-columns:repeat({columns},{tile}px);gap:8px}}"
    page.set_content(f"<style>{style}img{{width:{tile}px}}</style>{pictures}")
    page.screenshot(path=path, full_page=True)
    page.close()


def main() -> int:
    """Takes all the pictures that are wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="names, or parts of them")
    parser.add_argument("--widths", nargs="+", default=list(WIDTHS), choices=list(WIDTHS))
    parser.add_argument("--games", nargs="+", default=[], help="folders of more games")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder), options.games)
        laboratory = Laboratory(Path(folder), lambda name: any(part in name for part in options.only))
        found = list(scenes(stage, lambda name: any(part in name for part in options.only)))
        found += [Scene(name, path, _report) for name, path in laboratory.scenes()]
        stage.close()
        with serving(Path(folder), options.games, laboratory.words) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            for scene in found:
                for width in options.widths:
                    begun = time.monotonic()
                    shots = [photographed(browser, url, scene, width, *look) for look in LOOKS]
                    sheet(browser, shots, width, options.out / f"{scene.name}-{width}.png")
                    print(f"{scene.name}-{width}: {time.monotonic() - begun:.0f} s", flush=True)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
