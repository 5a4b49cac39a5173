"""The rulebook of a game: its rules in words for a config, with pictures of positions, as HTML or a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from playmill.engine.config.model import RuleConfig, differences, value_at
from playmill.engine.config.settings import settings_of
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.contract.rulebook import STANDARD, Drawing, Figure, Position, Words, escaped, render_rulebook
from playmill.engine.run.state import State
from playmill.report.commands.rulebook import Picture, book_html, book_page
from playmill.report.terminal.report_printer import setting_text
from playmill.texts import Lang, PlaymillError, Text

#: This many games are looked through for a position; of each this many decisions.
_GAMES, _DECISIONS = 24, 20_000
#: Of a value longer than this the beginning is enough: the text itself tells the rest.
_LONGEST = 80
_CHANGED = Text(
    "These are not the standard rules. What differs is bold in the text, and says what it normally is:",
    "Это не обычные правила. Что изменено, выделено в тексте жирным, и рядом сказано, как бывает обычно:",
)
_PLAYERS = Text("Players: {}.", "Игроков: {}.")
_ALONE = Text("It is played alone.", "Играет один человек.")
_NO_TEXT = Text(
    "This game has no rules in words yet. What its files say of it:",
    "Правил словами у этой игры пока нет. Вот что о ней известно из её файлов:",
)
_OPTIONS = Text("Options of its config", "Что можно изменить в её конфиге")


@dataclass(frozen=True)
class Rulebook:
    """The rules of a game in words: title, and stretches of Markdown and pictures in their order."""

    title: str
    about: str
    lang: Lang
    parts: tuple[Words | Picture, ...]


def rulebook(game: Game | str, config: RuleConfig | Mapping[str, Any] | None = None, lang: Lang = "en") -> Rulebook:
    """Returns the rules of a game in words; of a game that has none, its options."""
    game = as_game(game)
    settings = as_config(game, config)
    stretches = render_rulebook(game, settings, lang) or [Words(_known(game, lang))]
    parts: list[Words | Picture] = [Words(_head(game, settings, lang))]
    parts += (_picture(game, settings, part, lang) if isinstance(part, Figure) else part for part in stretches)
    return Rulebook(game.title.of(lang), game.about.of(lang), lang, tuple(parts))


def rulebook_html(
    game: Game | str, config: RuleConfig | Mapping[str, Any] | None = None, lang: Lang = "en", *, level: int = 2
) -> str:
    """Returns the rules as an HTML fragment without styles, for a page of your own; headings begin at `level`.

    Ids in it begin with `rules-`.
    """
    return book_html(rulebook(game, config, lang).parts, lang, level=level)


def rulebook_page(game: Game | str, config: RuleConfig | Mapping[str, Any] | None = None, lang: Lang = "en") -> str:
    """Returns the rules as a self-contained page."""
    book = rulebook(game, config, lang)
    return book_page(book.title, book.about, book.parts, lang)


def _head(game: Game, config: RuleConfig, lang: Lang) -> str:
    """Returns how many play, and what of the config is not the standard."""
    low, high = game.players
    players = _PLAYERS.of(lang).format(str(low) if low == high else f"{low}–{high}")
    lines = [_ALONE.of(lang) if high == 1 else players]
    if changed := differences(config):
        lines += ["", _CHANGED.of(lang), ""]
        standard = type(config)().plainest().model_dump(mode="json")
        lines += [f"- {_change(path, value, standard, lang)}" for path, value in changed.items()]
    return "\n".join(lines)


def _change(path: str, value: Any, standard: Any, lang: Lang) -> str:
    """Returns a setting as it is, and what it normally is, if it is there at all."""
    message = f"`{path}`: {_short(value)}"
    with suppress(KeyError):
        message += f" ({STANDARD.of(lang).format(_short(value_at(standard, path)))})"
    return message


def _short(value: Any) -> str:
    text = setting_text(value)
    return escaped(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def _known(game: Game, lang: Lang) -> str:
    """Returns the options of a game that has no rules in words, as its config describes them."""
    lines = [_NO_TEXT.of(lang), "", f"## {_OPTIONS.of(lang)}", ""]
    for one in settings_of(game.config()).parts:
        lines.append(f"- `{one.path}` = {escaped(setting_text(one.value))}. {escaped(one.about.of(lang))}")
    return "\n".join(lines)


def _picture(game: Game, config: RuleConfig, figure: Figure, lang: Lang) -> Picture:
    """Returns the picture of a place in the text; a position that is not in PICTURES is an author's mistake."""
    known: Mapping[str, Position | Drawing] = game.rulebook.PICTURES if game.rulebook is not None else {}
    if figure.name not in known:
        listed = ", ".join(known) or "–"
        raise PlaymillError(
            f"the rules of {game.name!r} show the position {figure.name!r}; PICTURES has: {listed}",
            f"правила {game.name!r} показывают позицию {figure.name!r}; в PICTURES есть: {listed}",
        )
    return Picture(figure.name, figure.caption, partial(_drawn, game, config, known[figure.name], lang))


def _drawn(game: Game, config: RuleConfig, position: Position | Drawing, lang: Lang) -> str | None:
    """Returns a position as whoever is to move sees it; None if these rules never come to it."""
    with suppress(PlaymillError):  # a config may have no table of that size, or of those changes
        if isinstance(position, Drawing):
            return position.draw(config, lang)
        settings = config.changed(position.set) if position.set else config
        for state in _states(game, settings, position):
            if position.shows is None or position.shows(settings, state.record):
                mover = state.current_player()
                drawn: str = game.view(settings, state.record, mover if mover >= 0 else None, [], lang)
                return drawn
    return None


def _states(game: Game, config: RuleConfig, position: Position) -> Iterator[State]:
    """Yields the positions of some games, one after the other, the last of each included."""
    players = position.players or game.players[0]
    agent = list(game.agents).index(position.agent)
    params = [parameter.default for parameter in game.agents[position.agent].parameters.values()]
    for number in range(_GAMES):
        state = State(game, players=players, config=config, number=number, interpreted=True)
        yield state
        while not state.is_terminal() and state.decisions < _DECISIONS:
            state.apply_action(state.choice_of(agent, params))
            yield state
