"""Settings form of a game: parses what was typed into a config, and lists the fields to show.

What was typed is kept as it was typed, right or wrong. A setting that is as the rules say is no change; what differs
becomes a change `path=value`, as on the command line, and mistakes stand at the settings they are about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from playmill.engine.config.input_files import sealed
from playmill.engine.config.json_input import parsed, sound
from playmill.engine.config.model import RefusedConfigError, RuleConfig
from playmill.engine.config.settings import Setting, SettingKind, settings_of
from playmill.engine.contract.choices import Choice, Choices, Offered, offered
from playmill.engine.contract.game import Game
from playmill.lab.runs.content import with_kept, without_unused
from playmill.texts import PlaymillError, Text
from playmill.web.page.phrases import PAGE
from playmill.web.page.settings_fields import SettingFieldBuilder, SettingsSheet, fields_of, plain_choices

#: How the names of the form's fields begin.
PREFIX = "v:"
_OPTION = re.compile(r"--set:? ")
_PATH = re.compile(r"[\w.\-]{1,200}")
_BETWEEN = re.compile(r"[,;\s]+")
_FILE = Text("the config", "конфиг")
_OBJECT = Text("a JSON object with the settings", "JSON-объект с настройками")


@dataclass(frozen=True)
class SettingsForm:
    """What was typed into the form of a game: by setting, as free `path=value` lines, or a whole config."""

    game: Game
    typed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    free: Sequence[str] = ()
    file: str = ""
    #: Saved pieces of content, by kind: they can be chosen, and those chosen become part of the config.
    kept: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    @cached_property
    def base(self) -> RuleConfig:
        """The config that was pasted, else the default."""
        if not self.file.strip():
            return self.game.config()
        data = sound(parsed(self.file, _FILE.en, wanted=_OBJECT, alone=_OBJECT), _FILE.en)
        with sealed():
            return self.game.config.read(data, _FILE.en)

    @cached_property
    def _usual(self) -> Mapping[str, Setting]:
        return {one.path: one for one in settings_of(self.game.config()).leaves()}

    def changes(self) -> list[str]:
        """Changes `path=value`; a free line replaces the field of the same path."""
        return [*self._made(offered(self.game, _with_all(self, _readable(self)))), *self.free]

    def _made(self, choices: Offered) -> list[str]:
        free = {line.partition("=")[0].strip() for line in self.free}
        made = []
        for path, texts in self.typed.items():
            if _PATH.fullmatch(path) and path not in free:
                one = self._usual.get(path)
                value = _value(one, choices.at(path), texts)
                if one is None or value != one.usual:
                    made.append(f"{path}={_written(value)}")
        return made

    def config(self, players: int) -> RuleConfig:
        """The config that was typed; raises PlaymillError, with the paths of mistakes if they are known."""
        changes = self.changes()
        with sealed():
            if self.kept:
                config = without_unused(self.game, self._stocked().changed(self._chosen(changes)), self.kept)
            else:
                config = self.base.changed(changes) if changes else self.base
            config.pack(players)
        return config

    def _chosen(self, changes: Sequence[str]) -> list[str]:
        """The changes that choose among offered values, and the free ones."""
        return [line for line in changes if line in self.free or self._is_offered(line)]

    def _is_offered(self, change: str) -> bool:
        return self._offers.at(change.partition("=")[0]) is not None

    @cached_property
    def _offers(self) -> Offered:
        return offered(self.game, self.base)

    def _unchosen(self) -> RuleConfig:
        """The config with all changes that do not choose among offered values."""
        typed = [line for line in self._made(self._offers) if not self._is_offered(line)]
        with sealed():
            return self.base.changed(typed) if typed else self.base

    def _stocked(self) -> RuleConfig:
        """The same with all saved content."""
        return with_kept(self.game, self._unchosen(), self.kept)

    def sheet(self, error: PlaymillError | None = None) -> SettingsSheet:
        """The fields to show, with what was typed, and with mistakes where they belong."""
        config = _readable(self)
        mistakes = error.mistakes if isinstance(error, RefusedConfigError) else []
        filling = SettingFieldBuilder(self.typed, offered(self.game, _with_all(self, config)), mistakes)
        parts = [part for one in settings_of(config).parts if (part := filling.part(one)) is not None]
        first = [part for part in parts if filling.is_first(part)]
        homeless = [mistake.text for mistake in mistakes if mistake not in filling.placed]
        return SettingsSheet(first, [part for part in parts if part not in first], homeless)


def typed_from(game: Game, file: str) -> dict[str, list[str]]:
    """The fields that would have to be typed to get a config."""
    form = SettingsForm(game, file=file)
    _ = form.base  # whatever is wrong with it is said at once
    sheet = form.sheet()
    return {one.path: list(one.texts) for one in fields_of([*sheet.first, *sheet.rest]) if one.differs}


def form_error(error: PlaymillError | None, sheet: SettingsSheet) -> Text | None:
    """The message above a form: a mistake that belongs to no field of it, or that there are some below.

    An option of the command line is not named: here each change has a line of its own.
    """
    if error is None:
        return None
    if not isinstance(error, RefusedConfigError):
        return Text(*(_OPTION.sub("", line) for line in error.public))
    return sheet.mistakes[0] if sheet.mistakes else PAGE["look_below"]


def _readable(form: SettingsForm) -> RuleConfig:
    """The config as far as it can be read: with all that was typed, else the base, else the default."""
    for read in (SettingsForm._unchosen if form.kept else _tried, _base):
        with suppress(PlaymillError):
            return read(form)
    return form.game.config()


def _with_all(form: SettingsForm, config: RuleConfig) -> RuleConfig:
    """A config with all saved content, if that is valid."""
    with suppress(PlaymillError):
        return with_kept(form.game, config, form.kept) if form.kept else config
    return config


def _base(form: SettingsForm) -> RuleConfig:
    return form.base


def _tried(form: SettingsForm) -> RuleConfig:
    """The config of what was typed, but for changes that depend on offered values."""
    plain = [
        f"{path}={_written(_value(form._usual.get(path), None, texts))}"
        for path, texts in form.typed.items()
        if path not in form._usual or form._usual[path].kind is SettingKind.RAW
    ]
    with sealed():
        return form.base.changed(plain) if plain else form.base


def _value(one: Setting | None, choices: Choices | None, texts: Sequence[str]) -> Any:
    """Parses typed texts; what cannot be parsed stays a text, and the config reports it."""
    text = texts[-1].strip() if texts else ""
    if one is None:
        return _json(text)
    if choices is not None or one.kind in (SettingKind.CHOICE, SettingKind.MANY):
        by_key = (choices or plain_choices(one)).by_key
        if isinstance(one.usual, list):
            listed = [by_key[key].value if key in by_key else key for key in texts if key]
            return listed if all(key in by_key for key in texts if key) else _list_of(texts, by_key)
        return by_key[text].value if text in by_key else _json(text)
    if one.kind is SettingKind.SWITCH:
        return text == "true"
    if one.listed and not text:
        return one.usual
    if one.kind is SettingKind.NUMBERS or one.listed:
        listed = _json(text)
        if isinstance(listed, list) or (one.listed and isinstance(listed, int)):
            return listed
        return [_json(part) for part in _BETWEEN.split(text.strip("[]")) if part]
    if one.kind is SettingKind.TEXT:
        return text
    return _json(text) if text else one.usual


def _list_of(texts: Sequence[str], by_key: Mapping[str, Choice]) -> Any:
    """Parses a list that was typed as JSON instead of chosen."""
    if len(texts) == 1 and texts[0] not in by_key:
        return _json(texts[0].strip())
    return [by_key[key].value if key in by_key else key for key in texts if key]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _written(value: Any) -> str:
    """A value as the right side of a change, as JSON."""
    return json.dumps(value, ensure_ascii=False)
