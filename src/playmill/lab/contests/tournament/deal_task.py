"""Deals of a pairing as a task for another process, or a node of a cluster: an order in JSON, an answer in JSON.

Whoever gets an order finds the game and the agents itself, and proves by the hash of the pairing that they are the
same. To a node the folders of bots travel as bytes; everything else has to be there.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock

from playmill.agents.programs.bot_process import BotError, tried_guarantees
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.program_agent import stderr_aside
from playmill.agents.programs.sandbox.guarantees import GUARANTEES
from playmill.agents.programs.spec import PREFIX, Program, is_program, read_program
from playmill.engine.compile.disk_cache import cache_folder
from playmill.engine.contract.game import as_game
from playmill.engine.lang import compiler
from playmill.interrupts import Stop
from playmill.lab.contests.bot_archive import BotArchive, packed, unpacked
from playmill.lab.contests.bot_folder import RefusedError
from playmill.lab.contests.tournament.deal_results import DealResults
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals, prepare
from playmill.lab.runs.executors.task import RefusedTaskError
from playmill.texts import PlaymillError, Text


@dataclass(frozen=True)
class PairingTask:
    """Deals of a pairing that are to be played."""

    pairing: Pairing
    deals: range


@dataclass(frozen=True)
class TaskResult:
    """Result of a task, and the seconds it took."""

    piece: DealResults
    seconds: float


class Luggage:
    """The bots of an event as they travel to nodes: each folder is packed once."""

    def __init__(self) -> None:
        self._packed: dict[Path, BotArchive] = {}

    def archive(self, entrant: Entrant, folder: Path) -> BotArchive:
        """Returns the archive of an entrant's folder; raises if it cannot travel."""
        if folder not in self._packed:
            try:
                self._packed[folder] = packed(folder)
            except RefusedError as error:
                raise PlaymillError(
                    f"the bot {entrant.name} cannot travel to a cluster: {error.why.en}",
                    f"бот {entrant.name} не может отправиться на кластер: {error.why.ru}",
                ) from None
        return self._packed[folder]


def order_of(task: PairingTask, luggage: Luggage | None = None) -> tuple[str, list[bytes]] | None:
    """Returns the order to play a task, and the bots that travel with it; None if an agent was given as an object."""
    pairing = task.pairing
    if None in pairing.specs:
        return None
    bots: list[BotArchive] = []
    entrants = [
        _written(entrant, spec or "", luggage, bots)
        for entrant, spec in zip(pairing.entrants, pairing.specs, strict=True)
    ]
    limits = {program.limits for entrant in pairing.entrants if (program := _program(entrant)) is not None}
    order = {
        "game": pairing.named,
        "setting": pairing.setting.name,
        "config": pairing.setting.config.model_dump(mode="json"),
        "entrants": entrants,
        "seed": pairing.contest_seed,
        "interpreted": pairing.interpreted,
        "shown": pairing.shown,
        "digest": pairing.digest,
        "deals": (task.deals.start, task.deals.stop),
        # What holds here has to hold there.
        "sandboxes": [] if luggage is None else [[one.numbers(), [*tried_guarantees(one)]] for one in limits],
    }
    return json.dumps(order, allow_nan=False), [bot.data for bot in bots]


def _program(entrant: Entrant) -> Program | None:
    if isinstance(entrant.agent, Program):
        return entrant.agent
    return read_program(entrant.agent) if is_program(entrant.agent) else None


def _written(entrant: Entrant, spec: str, luggage: Luggage | None, bots: list[BotArchive]) -> dict[str, Any]:
    data: dict[str, Any] = {"name": entrant.name, "code": entrant.code, "salt": entrant.seed_salt}
    program = _program(entrant)
    if program is None:
        return {**data, "agent": spec}
    place = str(program.folder) if program.by_folder else shlex.join(program.command)
    data |= {"program": place, "limits": program.limits.numbers()}
    if luggage is None or not program.by_folder:
        return data
    bots.append(luggage.archive(entrant, program.folder))
    return {**data, "bot": bots[-1].digest, "bot_code": program.code}


def play_on_node(order: str, *bots: bytes) -> str:
    """Plays deals as ordered, as one of several processes of a node."""
    with stderr_aside():
        return play_order(order, *bots)


def play_order(order: str, *bots: bytes) -> str:
    """Plays deals as ordered; refuses what would be another pairing here, or has less of a sandbox."""
    data = json.loads(order)
    begun = time.perf_counter()
    try:
        for numbers, held in data["sandboxes"]:
            _check_sandbox(Limits().changed(numbers), held)
        pairing, moved = _pairing(data, bots)
    except PlaymillError as error:
        raise RefusedTaskError(*error.text) from None
    _compile(pairing)
    piece = play_deals(pairing, range(*data["deals"]), Stop(), 1)
    assert piece is not None
    mishaps = [replace(one, why=Text(*(_moved_back(text, moved) for text in one.why))) for one in piece.mishaps]
    answer = {
        **replace(piece, mishaps=mishaps).json(),
        "games": [[*key, text] for key, text in piece.games.items()],
        "stderr": {name: base64.b64encode(text).decode() for name, text in piece.complaints.items()},
        "seconds": time.perf_counter() - begun,
    }
    return json.dumps(answer, allow_nan=False)


def result_of(answer: str, task: PairingTask) -> TaskResult:
    """Returns the results in an answer to an order."""
    data = json.loads(answer)
    piece = DealResults.from_json(data, task.pairing)
    piece.games = {(deal, rotation): text for deal, rotation, text in data["games"]}
    piece.complaints = {name: base64.b64decode(text) for name, text in data["stderr"].items()}
    return TaskResult(piece, data["seconds"])


def _pairing(data: dict[str, Any], bots: Sequence[bytes]) -> tuple[Pairing, dict[str, str]]:
    """Returns the pairing of an order, and of every bot that has travelled where it lies and where it came from."""
    game = as_game(data["game"])
    setting = RuleSetting(data["setting"], type(game.config()).read(data["config"]))
    arrived, moved = iter(bots), {}
    entrants = []
    for one in data["entrants"]:
        agent: str | Program = one.get("agent", "")
        if "program" in one:
            place = one["program"]
            if "bot" in one:
                place = str(unpacked(BotArchive(one["bot"], next(arrived))))
                moved[place] = one["program"]
            agent = replace(
                read_program(PREFIX + place, Limits().changed(one["limits"])), known_code=one.get("bot_code")
            )
        entrants.append(Entrant(one["name"], agent, one["code"], one["salt"]))
    made = Pairing(game, data["game"], setting, tuple(entrants), data["seed"], data["interpreted"], data["shown"])
    if made.digest != data["digest"]:
        raise PlaymillError(
            f"the rules or agents of {game.name} are others there", f"правила или агенты {game.name} там другие"
        )
    return made, moved


def _moved_back(text: str, moved: dict[str, str]) -> str:
    for here, there in moved.items():
        text = text.replace(here, there)
    return text


def _check_sandbox(limits: Limits, wanted: Sequence[str]) -> None:
    """Raises unless the sandbox of this machine holds these guarantees."""
    try:
        held = tried_guarantees(limits)
    except BotError as error:
        en, ru = error.text
        raise PlaymillError(f"no program can be started there: {en}", f"там не запускаются программы: {ru}") from None
    if missing := [GUARANTEES[name] for name in wanted if not held.get(name)]:
        en, ru = Text.join(missing, "; ")
        raise PlaymillError(f"its sandbox does not hold: {en}", f"его песочница не держит: {ru}")


def _compile(pairing: Pairing) -> None:
    """Compiles what a pairing needs: the first process of a machine does, others wait and read it from the cache."""
    folder = cache_folder()
    if pairing.interpreted or compiler.is_off() or folder is None:
        return
    agents = [(seat.number, seat.thinks) for seat in pairing.seated()]
    key = hashlib.sha256(json.dumps([pairing.identity["rules"], agents]).encode()).hexdigest()[:16]
    done = folder / f"compiled-{key}"
    if not done.exists():
        with FileLock(folder / f"compiling-{key}.lock"):
            if not done.exists():
                prepare(pairing)
                done.touch()
