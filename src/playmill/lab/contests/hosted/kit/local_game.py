"""A game that can be played with Python's standard library alone: its rules and words, and what they read of a config.

Texts of actions and the packed config are data, made here; dealing, options, moves, results and what a player sees are
the game's own functions (`bundle.py`), interpreted.
"""

from __future__ import annotations

import base64
import importlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, folder_of
from playmill.lab.contests.hosted.kit.bundle import Bundle
from playmill.lab.contests.hosted.kit.snapshot import NotBundledError, snapshot
from playmill.texts import Lang, PlaymillError

#: Where the game lies in a kit.
FOLDER = "engine"
_STANDINS = Path(__file__).parent / "standins"
#: Stand-ins that no game imports by name.
_BESIDE = ("table.py", "restored.py", "numpy_types.py")
_REFEREE = Path(__file__).parent / "referee.py"
#: What rules are called by, beside those a game may leave out.
_RULES = ("setup", "legal_actions", "apply_action", "returns", "State")
_RNG = ("SEATS", "AgentRng", "GameRng", "below", "seed_agent_rng", "seed_game_rng")
#: Bytes of the data files of a game that go along.
_MOST_DATA = 1 << 20
#: Seconds in which the kit has to play the recorded games.
_LONGEST = 120.0


def local_game(game: Game, config: RuleConfig, players: int, limits: Mapping[str, Any], lang: Lang) -> dict[str, str]:
    """Returns the files of a game for a kit; raises what of it cannot be put into one."""
    bundle = Bundle(game.package)
    own = _modules(game)
    counts = "nth_action" in game.rules
    for name in (*_RULES, *(("count_actions", "nth_action") if counts else ())):
        bundle.need(f"{game.package}.rules", name)
    bundle.need(f"{game.package}.words", "__name__")
    hooks: dict[str, Any] = {
        "counts": counts,
        "kind": _has(own["words"], "decision_kind"),
        "lists": _has(own["words"], "parse_list"),
        "seen": _seen_by(game, own),
        "secrets": game.secrets is not None,
        "observation": game.observation,
    }
    for hook, name in (("kind", "decision_kind"), ("lists", "parse_list")):
        if hooks[hook]:
            bundle.need(f"{game.package}.words", name)
    if hooks["seen"] == "own":
        bundle.need(f"{game.package}.words", "seen")
    if hooks["seen"] == "observe":
        bundle.need(f"{game.package}.hidden", "observe")
    if game.secrets is not None:
        bundle.need("playmill.defaults.secrets", "derived_secrets")
        for name in ("HIDDEN", *(["possible"] if game.secrets.possible is not None else [])):
            bundle.need(f"{game.package}.hidden", name)
    for name in _RNG:
        bundle.need("playmill.engine.lang.rng", name)
    bundle.need("playmill.texts", "Text")
    about = {
        "name": game.name,
        "package": game.package,
        "version": game.version,
        "players": players,
        "least_players": game.players[0],
        "most_players": game.players[1],
        "max_legal": game.max_legal,
        "language": lang,
        "limits": dict(limits),
        "hooks": hooks,
        "config": config.model_dump(mode="json"),
        "config_object": snapshot(config, bundle.need),
        "packed": _packed(game, config, players),
        "actions": _actions(game, config, lang),
    }
    files = bundle.files()
    files |= {name: (_STANDINS / name).read_text(encoding="utf-8") for name in _BESIDE}
    files["constants.json"] = json.dumps(bundle.constants, ensure_ascii=False, separators=(",", ":"))
    files["game.json"] = json.dumps(about, ensure_ascii=False, separators=(",", ":"))
    files |= _data_of(game)
    return {f"{FOLDER}/{name}": text for name, text in files.items()}


def plays_alike(files: Mapping[str, str]) -> bool:
    """Returns whether the rules of a kit give its recorded games, message by message, in a Python of their own."""
    with tempfile.TemporaryDirectory() as made:
        for name, text in files.items():
            path = Path(made, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        words = [sys.executable, "-I", "-S", str(Path(made, _REFEREE.name)), "--verify"]
        try:
            return subprocess.run(words, check=False, capture_output=True, timeout=_LONGEST, cwd=made).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


def _modules(game: Game) -> dict[str, ModuleType]:
    """The modules that the author of a game wrote, of those that matter here."""
    found = {}
    for name in ("rules", "words", "hidden"):
        with suppress(ModuleNotFoundError):
            found[name] = importlib.import_module(f"{game.package}.{name}")
    return found


def _has(module: ModuleType, name: str) -> bool:
    return getattr(module, name, None) is not None


def _seen_by(game: Game, own: Mapping[str, ModuleType]) -> str:
    """How `seen` is made (see `defaults/words.py`): by the game itself, or from its state."""
    if _has(own["words"], "seen"):
        return "own"
    if "hidden" not in own:
        return "all"
    return "declared" if game.secrets is not None else "observe"


def _packed(game: Game, config: RuleConfig, players: int) -> dict[str, Any]:
    """The record of the config for each number of players that it can have."""
    found = {}
    for count in {*range(game.players[0], game.players[1] + 1), players}:
        with suppress(PlaymillError):
            record = config.pack(count)
            found[str(count)] = [_layout(record.dtype), base64.b64encode(record.tobytes()).decode()]
    return found


def _layout(kind: np.dtype[Any]) -> list[Any]:
    """The fields of a record's type as JSON; raises unless it is laid out as a C compiler would."""
    if not kind.isalignedstruct:
        raise NotBundledError("a record is not laid out with align=True", "запись устроена без align=True")
    return [
        [name, _layout(kind[name].base) if kind[name].base.names else kind[name].base.str, list(kind[name].shape)]
        for name in kind.names or ()
    ]


def _actions(game: Game, config: RuleConfig, lang: Lang) -> dict[str, Any]:
    """Every action there is under a config: its short form, its words, its fields."""
    found = {}
    for action in range(game.actions):
        with suppress(Exception):  # there is no such action under this config, however its author says so
            text, words = game.words.to_text(config, action), game.words.describe(config, action).of(lang)
            found[str(action)] = [
                text,
                words,
                json.loads(json.dumps(game.words.fields(config, action), default=_plain)),
            ]
    return found


def _plain(value: Any) -> Any:
    return value.item()


@cache
def _data_of(game: Game) -> dict[str, str]:
    """The data files of a game, by their path in the bundle."""
    folder, found, left = folder_of(game), {}, _MOST_DATA
    for path in sorted(folder.rglob("*.json")):
        left -= path.stat().st_size
        if left >= 0:
            found[f"{game.package.replace('.', '/')}/{path.relative_to(folder).as_posix()}"] = path.read_text("utf-8")
    return found
