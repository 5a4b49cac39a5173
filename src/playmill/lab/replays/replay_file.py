"""Saves and loads replay files: readable JSON, one line a move, validated with every doubt when loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playmill.engine.config.json_input import read_json
from playmill.engine.contract.game import game_names
from playmill.engine.lang.game_folder import holds_game
from playmill.lab.replays.replay import FORMAT, Move, Replay, play_again, whole_checksum
from playmill.report.files.writing import write_text
from playmill.texts import PlaymillError

KEYS = ("replay", "playmill", "game", "rules", "players", "agents", "seed", "number", "config", "moves", "end", "check")


def save(path: Path, replay: Replay) -> None:
    """Writes a replay."""
    write_text(path, text_of(replay))


def text_of(replay: Replay) -> str:
    """Returns a replay as it is written: one line a move, so that a difference is one line."""
    data = replay.json()
    moves = ",\n".join("  " + json.dumps(move, ensure_ascii=False) for move in data.pop("moves"))
    end, check, rounds = data.pop("end"), data.pop("check"), data.pop("rounds", None)
    head = json.dumps(data, ensure_ascii=False, indent=1)[:-2]
    parts = [head, f' "moves": [\n{moves}\n ]', f' "end": {json.dumps(end)}']
    if rounds:
        lines = ",\n".join("  " + json.dumps(one, ensure_ascii=False) for one in rounds)
        parts.append(f' "rounds": [\n{lines}\n ]')
    parts.append(f' "check": {json.dumps(check)}')
    return ",\n".join(parts) + "\n}\n"


def load(path: Path, folder: str | None = None, *, around: Path | None = None) -> Replay:
    """Loads the replay in a file; an invalid or changed one raises a message.

    A game that is a folder of its own is played only if that folder is given, or is `around`: it or a folder in it.
    """
    data = read_json(path)
    if folder is None and around is not None and isinstance(data, dict):
        folder = _game_around(around, data.get("game"))
    return replay_of(data, str(path), folder)


def _game_around(place: Path, name: Any) -> str | None:
    """Returns the folder of a game that is found by its plain name; None of a game that is installed, or not there."""
    if not isinstance(name, str) or not name.isidentifier() or name in game_names():
        return None
    near = (place, place / name)
    return next((str(folder) for folder in near if folder.name == name and holds_game(folder)), None)


def replay_of(data: Any, path: str, folder: str | None = None, *, interpreted: bool | None = None) -> Replay:
    """Builds a replay from parsed data; interpreted, nothing is compiled to find out what was changed in it."""
    if not isinstance(data, dict) or "replay" not in data:
        raise _broken(path, "it is not a replay", "это не запись партии")
    if data["replay"] != FORMAT:
        raise _other_form(path, data["replay"])
    missing = [key for key in KEYS if key not in data]
    if missing:
        raise _broken(path, f"it lacks {', '.join(missing)}", f"в ней нет {', '.join(missing)}")
    _check_kinds(path, data)
    moves = tuple(_move(path, place, entry) for place, entry in enumerate(data["moves"], 1))
    end = data["end"]
    if end["moves"] != len(moves):
        raise _broken(
            path,
            f"it has {len(moves)} moves but says that there were {end['moves']}: something was cut off or added",
            f"в ней ходов: {len(moves)}, а сказано, что их {end['moves']}: что-то отрезано или добавлено",
        )
    replay = Replay(
        game=data["game"],
        rules=data["rules"],
        players=data["players"],
        agents=tuple(data["agents"]),
        seed=data["seed"],
        number=data["number"],
        config=data["config"],
        moves=moves,
        returns=tuple(end["returns"]),
        playmill=data["playmill"],
        rounds=tuple(data.get("rounds", ())),
        names=tuple(data.get("names", ())),
        folder=folder,
    )
    if data["check"] != whole_checksum(data):
        raise _changed(path, replay, interpreted)
    return replay


def _other_form(path: str, form: object) -> PlaymillError:
    if form == 1 and form is not True:
        return _broken(
            path,
            "it is of form 1, which has no checksum of the whole; record the game again from its seed: playmill record",
            "форма записи 1, в ней нет общей контрольной суммы; запишите партию снова с тем же сидом: playmill record",
        )
    found = _short(form)
    return _broken(
        path,
        f"it has the form {found} of a replay; this Playmill reads form {FORMAT}",
        f"форма записи {found}, а этот Playmill читает форму {FORMAT}",
    )


def _changed(path: str, replay: Replay, interpreted: bool | None) -> PlaymillError:
    """Returns what was changed in a file whose checksum does not fit: the first move that does not either."""
    try:
        for _ in play_again(replay, path, interpreted=interpreted):
            pass
    except PlaymillError as error:
        return error
    return _broken(
        path,
        "its moves fit, but not its checksum: something else in it was changed (agents, version, config, …)",
        "ходы сходятся, а контрольная сумма нет: изменено что-то другое (агенты, версия, конфиг, …)",
    )


#: No table has longer names.
_LONGEST_NAME = 24
_KINDS: Mapping[str, type] = {
    "playmill": str,
    "game": str,
    "rules": int,
    "players": int,
    "agents": list,
    "names": list,
    "seed": int,
    "number": int,
    "config": dict,
    "moves": list,
    "end": dict,
    "rounds": list,
    "check": str,
}


def _check_kinds(path: str, data: Mapping[str, Any]) -> None:
    for key, found in data.items():
        if key != "replay" and key not in _KINDS:
            raise _broken(path, f"there is no key {key!r} in a replay", f"ключа {key!r} в записи партии нет")
        if key in _KINDS and (not isinstance(found, _KINDS[key]) or isinstance(found, bool)):
            raise _cannot_be(path, key, found)
    if data["players"] < 1:
        raise _cannot_be(path, "players", data["players"])
    agents = data["agents"]
    if len(agents) != data["players"] or not all(isinstance(name, str) for name in agents):
        raise _cannot_be(path, "agents", agents)
    names = data.get("names")
    if names is not None and (len(names) != data["players"] or not all(map(_is_name, names))):
        raise _cannot_be(path, "names", names)
    if not all(isinstance(entry, dict) for entry in data.get("rounds", ())):
        raise _cannot_be(path, "rounds", data["rounds"])
    end = data["end"]
    returns = end.get("returns")
    numbers = isinstance(returns, list) and all(isinstance(one, (int, float)) for one in returns)
    if end.keys() != {"moves", "returns"} or not isinstance(end["moves"], int) or not numbers:
        raise _broken(path, "its end must have moves and returns", "в end должны быть moves и returns")


def _is_name(name: object) -> bool:
    """Returns whether it can be a player's name: a short line without invisible characters."""
    return isinstance(name, str) and len(name) <= _LONGEST_NAME and name.isprintable()


def _cannot_be(path: str, key: str, found: object) -> PlaymillError:
    return _broken(path, f"its {key} cannot be {_short(found)}", f"{key} не может быть {_short(found)}")


def _short(found: object) -> str:
    text = json.dumps(found, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"


def _move(path: str, place: int, entry: Any) -> Move:
    whole = isinstance(entry, list) and len(entry) == 3
    if not whole or type(entry[0]) is not int or not all(isinstance(part, str) for part in entry[1:]):
        found = _short(entry)
        raise _broken(
            path, f"move {place} is {found}; expected [player, action, check]", _EXPECTED.format(place, found)
        )
    return Move(*entry)


_EXPECTED = "ход {} — {}; ожидается [игрок, действие, проверка]"


def _broken(path: str, en: str, ru: str) -> PlaymillError:
    return PlaymillError(f"{path}: {en}", f"{path}: {ru}")
