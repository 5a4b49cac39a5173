"""Searches every byte that browsers are sent for what they must not know.

python tools/table_secrets.py                 200 games with hidden things, each position in two worlds
python tools/table_secrets.py --games 20 --seed 7

Two worlds that a seat cannot tell apart must give it the same bytes: pictures, log, options, undo and its reasons,
refusals, the position in words, hints. At moment after moment all that a seat cannot know is dealt anew, everything it
would be sent is made in both worlds, and compared; then whoever is to move moves in both, and everything is compared
again. A part of the games is played through a server by people whose browsers keep every byte: no page, message or
answer may hold the seed, a token of somebody else, or the hash of one.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import random
import secrets
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import uvicorn
from websockets.sync.client import connect

from playmill.engine.contract.game import Game, load_game
from playmill.engine.run.state import State
from playmill.interrupts import Stop
from playmill.texts import LANGUAGES, PlaymillError
from playmill.web.agents import hints
from playmill.web.live.registry import TableRegistry
from playmill.web.live.setup import TableSetup
from playmill.web.server.app import make_app
from playmill.web.server.serve import server_config
from playmill.web.table.concealed import known_state
from playmill.web.table.history import NOBODY, Moment
from playmill.web.table.observation import Viewer, observation_text
from playmill.web.table.state import GameTable, open_table, rules_fingerprint_of
from playmill.web.table.store import UNDO, Chair, LoggedDecision, TableFacts, hashed
from playmill.web.table.text_view import text_view

#: Games that hide something; a folder is one with a card that nobody has seen.
GAMES = ("dimensions", "grid", "save_oneself", str(Path(__file__).parents[1] / "tests" / "agents" / "coin"))
#: A hint is asked for at one moment in so many, and thought for so few games in the head.
_HINT_EVERY, _THOUGHTS = 25, (4,)
#: A server beside other work is waited for so many seconds.
_PATIENCE = 180
_WORLD = 0x9E3779B97F4A7C15


def laid(game: Game, seed: int) -> GameTable:
    """A table at which everybody sits."""
    players = game.players[0]
    config = game.config().model_dump(mode="json")
    facts = TableFacts("t", game.name, game.version, rules_fingerprint_of(game), config, players, seed, "")
    return open_table({game.name: game}, facts, [Chair(token=f"token {seat}") for seat in range(players)])


def in_world(table: GameTable, state: State) -> GameTable:
    """A table that has just begun with a game in this state."""
    twin = GameTable(table.facts, table.game, list(table.chairs))
    twin._state = state
    state.observer = twin._observe
    record = state.record.copy()
    twin.moments.append(Moment(0, NOBODY, NOBODY, record, record))
    return twin


def other_world(table: GameTable, seat: int, luck: int) -> State:
    """The game with all that a seat cannot know dealt anew."""
    state = table.state.clone()
    state.conceal(seat, luck * _WORLD)
    return state


def after(table: GameTable, state: State, action: int) -> GameTable:
    """A table in a world in which whoever is to move has done this."""
    twin = in_world(table, state)
    twin.record(LoggedDecision("move", state.current_player(), action))
    return twin


def alike(one: GameTable, other: GameTable, seat: int) -> bool:
    """Whether a seat has seen the same in both: a battle that is revealed, and who has won, are seen by everybody."""
    seen = [table.state.observation_tensor(seat) for table in (one, other)]
    moments = [*one.moments[1:], *other.moments[1:]]
    revealed = any(
        moment.before["committed"].any() and not moment.after["committed"].any()
        for moment in moments
        if one.facts.game == "dimensions"
    )
    ended = one.over != other.over or one.state.returns() != other.state.returns()
    return len(one.moments) == len(other.moments) and bool(np.array_equal(*seen)) and not revealed and not ended


def everything(table: GameTable, seat: int, since: int, *, hint: bool) -> list[str]:
    """All texts that a seat could be sent about a table now."""
    sent = [observation_text(table, Viewer(seat, owner=lang == "ru"), lang, since) for lang in LANGUAGES]
    sent.append(text_view(table, seat, "en"))
    for action in (0, 1, table.game.actions - 1 if table.game else 0, 1 << 30):
        for version in (table.version, table.version - 1):
            if seat != table.turn or action == 1 << 30 or version != table.version:
                sent.append(_refusal(table, seat, action, version))
    refused = table.undo_refused(seat)
    sent.append(str(refused))
    if hint and table.turn == seat:
        state = known_state(table, seat)
        known = hints.search_hint(state, hints.hint_seed("t", 1), tell=lambda told: None, stop=Stop(), interpreted=True)
        sent.append(json.dumps(known))
    return sent


def _refusal(table: GameTable, seat: int, action: int, version: int) -> str:
    try:
        table.check(seat, action, version)
    except PlaymillError as error:
        return str(error.text)
    return "allowed"


def compare(one: GameTable, other: GameTable, seat: int, since: int, *, hint: bool = False) -> int:
    """Compares all that a seat is sent in two worlds, and looks for the seed; returns how many bytes that was."""
    here, there = (everything(table, seat, since, hint=hint) for table in (one, other))
    for mine, other_text in zip(here, there, strict=True):
        if mine != other_text:
            raise AssertionError(f"{one.facts.game}, seat {seat}: {mine[:2000]!r} is not {other_text[:2000]!r}")
        if any(seed in mine for seed in _spellings(one.facts.seed)):
            raise AssertionError(f"{one.facts.game}: the seed {one.facts.seed} was sent")
    return sum(len(text.encode()) for text in here)


def search_game(
    game: Game, seed: int, dice: random.Random, found: Counter[str], *, most: int = 10_000, every: int = 1
) -> None:
    """Plays one game, with moves taken back here and there, and compares worlds at one decision in so many."""
    table = laid(game, seed)
    while not table.over and len(table.entries) < most:
        truth = dice.choice(table.state.legal_actions())
        if dice.randrange(every) == 0:
            _search_decision(table, truth, dice, found)
        mover = table.turn
        table.record(LoggedDecision(f"m{len(table.entries)}", mover, truth))
        if dice.random() < 0.2 and table.undo_refused(mover) is None:
            table.record(LoggedDecision(f"m{len(table.entries)}", mover, UNDO))
            found["taken back"] += 1
    found["games"] += 1


def is_face_down(shown: GameTable, seat: int) -> bool:
    """Whether a decision has changed nothing that a seat sees but whose turn it is: it was laid face down.

    Then any other one must look the same. What changes the table is seen, even where another would have led to the
    same: what attacked is told, whatever came of it.
    """
    moment = shown.moments[-1]
    now = shown.state.clone()
    put = np.zeros(1, now.game.state)
    seen = []
    for record in (moment.before, moment.after):
        put[0] = record
        put["player"] = moment.seat
        now.put_record(put)
        seen.append(now.observation_tensor(seat))
    return bool(np.array_equal(*seen))


def _search_decision(table: GameTable, truth: int, dice: random.Random, found: Counter[str]) -> None:
    """Compares two worlds before a decision, and after it."""
    mover = table.turn
    seat = dice.choice([mover, dice.randrange(table.facts.players)])
    world = other_world(table, seat, dice.randrange(1, 1 << 30))
    hint = dice.randrange(_HINT_EVERY) == 0
    here, there = in_world(table, table.state.clone()), in_world(table, world.clone())
    found["bytes"] += compare(here, there, seat, -1, hint=hint)
    found["positions"] += 1
    found["hints"] += hint and table.turn == seat
    shown = after(table, table.state.clone(), truth)
    others = sorted(world.legal_actions(), key=lambda action: action == truth)
    hidden = seat != mover and is_face_down(shown, seat)
    found["face down"] += hidden
    for action in others if hidden else [truth]:
        other = after(table, world.clone(), action) if action in world.legal_actions() else None
        if other is not None and alike(shown, other, seat):
            found["bytes"] += compare(shown, other, seat, 0)
            found["moves"] += 1
            found["different moves"] += action != truth
            break


@contextmanager
def serving(folder: Path, games: dict[str, Game]) -> Iterator[tuple[str, TableRegistry]]:
    """A server in a thread: its address, and its tables."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = make_app(folder / "tables.sqlite3", games, compiles=False)
    server = uvicorn.Server(server_config(app))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", app.state.tables
    server.should_exit = True
    thread.join(10)


def search_bytes(
    url: str, tables: TableRegistry, game: Game, dice: random.Random, found: Counter[str], most: int
) -> None:
    """Plays one game through a server, and searches every byte that each browser was sent."""
    seed = dice.randrange(1 << 60, 1 << 62)
    tables._made.clear()
    players = game.players[0]
    table, owner = tables.make(TableSetup(game.name, players, ["me", *["anybody"] * (players - 1)]))
    tables.store._do(("UPDATE tables SET seed = ? WHERE id = ?", (seed, table)))
    browsers = [_Browser(url, table, [owner]), *(_Browser(url, table, []) for _ in range(players))]
    tokens = [owner]
    for seat, browser in enumerate(browsers[1:players], 1):
        tokens.append(browser.ask(kind="sit", seat=seat, name=f"P{seat}", ready=True)["token"])
    browsers[0].ask(kind="ready")
    for page in (f"/t/{table}", f"/t/{table}/rules", f"/t/{secrets.token_urlsafe(18)}", "/", f"/games/{game.name}"):
        browsers[-1].get(page)
    for _ in range(most):
        for browser in browsers:
            browser.catch_up()
        seen = browsers[-1].seen
        if seen["over"]:
            break
        time.sleep(0.5)  # nobody may go faster for long
        mover = browsers[seen["turn"]]
        if not mover.seen["options"]:
            continue
        for browser in browsers:
            if browser is not mover:
                browser.ask(kind="move", version=seen["version"], action=0)
        mover.ask(kind="words", wanted=True)
        mover.ask(kind="move", version=seen["version"], action=1 << 30)
        mover.ask(kind="undo", version=seen["version"])
        mover.catch_up()
        if not mover.seen["options"]:
            continue  # it was allowed, and is another's turn
        action = dice.choice(mover.seen["options"])["action"]
        mover.ask(kind="move", version=mover.seen["version"], action=action)
    for number, browser in enumerate(browsers):
        others = [token for seat, token in enumerate(tokens) if seat != number]
        hidden = [*others, *(hashed(token) for token in tokens), *_spellings(seed)]
        heard = "\n".join(browser.heard)
        for secret in hidden:
            if secret in heard:
                raise AssertionError(f"{game.name}: {secret} was sent to browser {number}")
        found["bytes through a server"] += len(heard.encode())
        browser.close()
    found["games through a server"] += 1


def _spellings(seed: int) -> list[str]:
    """A seed as it could stand in a text."""
    return [str(seed), f"{seed:x}", f"{seed:X}", str(seed)[:12], seed.to_bytes(8, "big").hex()]


class _Browser:
    """Somebody whose browser keeps every byte."""

    def __init__(self, url: str, table: str, tokens: Sequence[str]) -> None:
        self._url = url
        address = f"ws{url.removeprefix('http')}/t/{table}/socket"
        self._kept = ExitStack()
        self.line = self._kept.enter_context(connect(address, origin=url, max_size=None))  # type: ignore[arg-type]
        self.heard: list[str] = []
        self.seen: dict[str, object] = {}
        self.line.send(json.dumps({"kind": "hello", "tokens": list(tokens)}))
        while not self.seen:
            self._hear(_PATIENCE)

    def _hear(self, timeout: float) -> dict[str, object]:
        text = str(self.line.recv(timeout))
        message: dict[str, object] = json.loads(text)
        if message["kind"] == "done" and "token" in message:
            text = ""  # her own
        self.heard.append(text)
        if message["kind"] == "seen":
            self.seen = message
        return message

    def ask(self, **wish: object) -> dict[str, object]:
        """A wish, and its answer."""
        wish["id"] = secrets.token_urlsafe(9)
        self.line.send(json.dumps(wish))
        while (message := self._hear(_PATIENCE)).get("id") != wish["id"]:
            pass
        return message

    def catch_up(self) -> None:
        """Hears all that was sent so far."""
        self.line.send('{"kind":"ping"}')
        while self._hear(_PATIENCE)["kind"] != "pong":
            pass

    def close(self) -> None:
        """Goes away."""
        self._kept.close()

    def get(self, path: str) -> None:
        """A page."""
        line = http.client.HTTPConnection(self._url.removeprefix("http://"), timeout=_PATIENCE)
        line.request("GET", path)
        answer = line.getresponse()
        self.heard.append(str(answer.getheaders()) + answer.read().decode())
        line.close()


def run(
    games: int, seed: int, *, most: int = 10_000, every: int = 1, served: int = 8, names: Sequence[str] = GAMES
) -> Counter[str]:
    """Searches so many games, in turn of each kind; returns what was compared."""
    dice, found = random.Random(seed), Counter[str]()
    kinds = [load_game(name) for name in names]
    before = hints.COLD_SLICES
    hints.COLD_SLICES = _THOUGHTS
    try:
        for number in range(games):
            game = kinds[number % len(kinds)]
            search_game(game, dice.randrange(1 << 40, 1 << 60), dice, found, most=most, every=every)
            if number % 20 == 19:
                print(f"{number + 1} of {games}: {dict(found)}", file=sys.stderr, flush=True)
    finally:
        hints.COLD_SLICES = before
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), {game.name: game for game in kinds}) as (url, tables),
    ):
        for number in range(served):
            search_bytes(url, tables, kinds[number % len(kinds)], dice, found, min(most, 60))
    return found


def main() -> int:
    """Searches and says what was found; 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--served", type=int, default=20, help="of them so many more are played through a server")
    parser.add_argument("--every", type=int, default=1, help="worlds are compared at one decision in so many")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begun = time.monotonic()
    try:
        found = run(options.games, options.seed, every=options.every, served=options.served)
    except AssertionError as error:
        print(error)
        return 1
    for what, number in found.items():
        print(f"{what}: {number:,}")
    print(f"nothing found in {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
