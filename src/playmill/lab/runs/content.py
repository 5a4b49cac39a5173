"""Content of a game (modifiers, items and the like that are data), merged with pieces a user has saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.contract.modules import ContentModule
from playmill.texts import PlaymillError

#: Pieces of content as JSON by kind, each with its id.
Pieces = Mapping[str, Sequence[Mapping[str, Any]]]


def require_content(game: Game) -> ContentModule:
    """Returns the content module of a game; raises a message if it has none."""
    if game.content is None:
        raise PlaymillError(
            f"{game.name} has no content files; its numbers are in: playmill config {game.name}",
            f"у {game.name} нет файлов содержания; числа правил: playmill config {game.name}",
        )
    return game.content


def joined(data: Mapping[str, Sequence[Any]], pieces: Pieces) -> dict[str, Any]:
    """Returns a content file extended by all pieces that are not in it, by kind and id."""
    found: dict[str, Any] = {kind: list(listed) for kind, listed in data.items()}
    for kind, listed in pieces.items():
        has = ids_of(found.get(kind, ()))
        found.setdefault(kind, []).extend(one for one in listed if one["id"] not in has)
    return found


def needed(data: Mapping[str, Any], pieces: Pieces, words: Sequence[str] = ()) -> dict[str, Any]:
    """Returns a content file extended by those pieces that it, the words, or one of these pieces mention by id."""
    found: dict[str, Any] = {kind: list(listed) for kind, listed in data.items()}
    mentioned = {*words, *texts_in(found)}
    more = True
    while more:
        more = False
        for kind, listed in pieces.items():
            has = ids_of(found.get(kind, ()))
            for one in listed:
                if one["id"] in mentioned and one["id"] not in has:
                    found.setdefault(kind, []).append(one)
                    mentioned |= set(texts_in(one))
                    more = True
    return found


def ids_of(listed: Sequence[Any]) -> set[str]:
    """Returns the ids of pieces, valid or not."""
    return {one["id"] for one in listed if isinstance(one, Mapping) and isinstance(one.get("id"), str)}


def texts_in(data: Any) -> Iterator[str]:
    """Yields every text of parsed JSON, keys not counted."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping | list | tuple):
        for part in data.values() if isinstance(data, Mapping) else data:
            yield from texts_in(part)


def with_kept(game: Game, config: RuleConfig, pieces: Pieces) -> RuleConfig:
    """Returns a config extended by all saved pieces; its own content wins over a saved piece with the same id."""
    setting = require_content(game).SETTING
    data = config.model_dump(mode="json")
    if setting not in data:
        return config
    return game.config.read({**data, setting: joined(data[setting], _new(data[setting], pieces))})


def without_unused(game: Game, config: RuleConfig, pieces: Pieces) -> RuleConfig:
    """Returns a config without saved pieces that nothing in it mentions."""
    setting = require_content(game).SETTING
    data = config.model_dump(mode="json")
    content = data.pop(setting, {})
    ids = {(kind, one["id"]) for kind, listed in pieces.items() for one in listed}
    if not content:
        return config
    own = {kind: [one for one in listed if (kind, one["id"]) not in ids] for kind, listed in content.items()}
    return game.config.read({**data, setting: needed(own, content, list(texts_in(data)))})


def _new(own: Pieces, pieces: Pieces) -> Pieces:
    """Pieces whose ids the content of a config does not have, of whatever kind."""
    has = {one["id"] for listed in own.values() for one in listed}
    return {kind: [one for one in listed if one["id"] not in has] for kind, listed in pieces.items()}
