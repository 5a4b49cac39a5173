"""Fills in the rules of Dice in words (`rules.en.md`, `rules.ru.md`): terms, tables, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from playmill.author import Lang, Text
from playmill.author.words import Entry, Position
from playmill.drawing.svg import sentence
from playmill.games.dice import scoring
from playmill.games.dice.config import Config
from playmill.games.dice.constants import NOBODY, PLAYERS
from playmill.games.dice.content import entries, library, merged
from playmill.games.dice.words import TITLE, names

_HEADS = (Text("dice", "кости"), Text("points", "очки"))
_STRAIGHTS = (
    (Text("exactly 1–6, all six dice", "ровно 1–6, все шесть костей"), scoring.FULL_STRAIGHT_POINTS),
    (Text("exactly 2–6, five dice", "ровно 2–6, пять костей"), scoring.HIGH_STRAIGHT_POINTS),
    (Text("exactly 1–5, five dice", "ровно 1–5, пять костей"), scoring.LOW_STRAIGHT_POINTS),
)
_TRIPLE = Text("three {}s", "три {}")
#: Faces after a number, as people say them in Russian.
_FACES_RU = ("единицы", "двойки", "тройки", "четвёрки", "пятёрки", "шестёрки")
_SINGLE = Text("a single {}", "одна {}")
_SINGLES_RU = ("единица", "двойка", "тройка", "четвёрка", "пятёрка", "шестёрка")
_MORE = Text("four, five, six of a kind", "четыре, пять, шесть одинаковых")
_DOUBLED = Text("twice, four times, eight times as much as three", "вдвое, вчетверо, ввосьмеро больше, чем за три")
_TABLE = Text("both players", "у обоих игроков")


def terms(config: Config, lang: Lang) -> Mapping[str, Any]:
    """Names of the flags, and what this match has on the table."""
    return {
        "title": TITLE.of(lang),
        "ready": names.READY.of(lang),
        "shield": names.match_names(config).flags[0].name.of(lang),
        "double": names.match_names(config).flags[1].name.of(lang),
        "loaded": any(die != "fair" for side in config.players for die in side.dice),
        "modifiers": bool(_owned(config, items=False)),
        "items": bool(_owned(config, items=True)),
    }


def tables(config: Config, lang: Lang) -> Mapping[str, Sequence[Sequence[str]]]:
    """What scores."""
    rows = [[named.of(lang), str(points)] for named, points in _STRAIGHTS]
    for face, points in enumerate(scoring.TRIPLE):
        rows.append([_TRIPLE.of(lang).format(_FACES_RU[face] if lang == "ru" else face + 1), str(points)])
    rows.append([_MORE.of(lang), _DOUBLED.of(lang)])
    for face, points in enumerate(scoring.SINGLE):
        if points:
            rows.append([_SINGLE.of(lang).format(_SINGLES_RU[face] if lang == "ru" else face + 1), str(points)])
    return {"scores": [[head.of(lang) for head in _HEADS], *rows]}


def lists(config: Config, lang: Lang) -> Mapping[str, Sequence[Entry]]:
    """What this match has, and all there is to choose from."""
    known = entries(merged(library(), config.content))
    chosen: dict[str, list[Entry]] = {kind: [] for kind in ("modifiers", "items", "dice", "kits")}
    for one in known:
        if one.kind in chosen:
            detail = sentence(one.detail.of(lang)).rstrip(".")
            facts = [text for text in (one.desc.of(lang), f"({detail}.)") if text]
            chosen[one.kind].append(Entry(f"{one.name.of(lang)}.", facts))
    return {
        "modifiers": _match(config, lang, items=False),
        "items": _match(config, lang, items=True),
        "dice": _dice(config, lang),
        **{f"all_{kind}": listed for kind, listed in chosen.items()},
    }


def _owned(config: Config, *, items: bool) -> list[tuple[int | None, int]]:
    owners = (None, *range(PLAYERS))
    return [(owner, entry) for owner in owners for entry in names.entries_of(config, owner, items=items)]


def _match(config: Config, lang: Lang, *, items: bool) -> list[Entry]:
    """The modifiers or items of the match, with whose they are."""
    made = []
    for owner, entry in _owned(config, items=items):
        whose = _TABLE if owner is None else names.player_name(owner)
        facts = [f"({whose.of(lang)})", names.entry_desc(config, entry).of(lang)]
        if not names.is_on(config, entry):
            facts.append(f"({names.OFF.of(lang)})")
        made.append(Entry(names.entry_name(config, entry).of(lang), facts))
    return made


def _dice(config: Config, lang: Lang) -> list[Entry]:
    """Each player's six dice, with their positions where they differ."""
    made = []
    for player, side in enumerate(config.players):
        named = []
        for _, run in groupby(range(len(side.dice)), key=lambda place: side.dice[place]):
            places = list(run)
            where = f"{places[0] + 1}–{places[-1] + 1}" if len(places) > 1 else str(places[0] + 1)
            named.append(f"{names.die_name(config, player, places[0]).of(lang)} ({where})")
        made.append(Entry(f"{sentence(names.player_name(player).of(lang))}:", [f"{', '.join(named)}."]))
    return made


def _chooses(config: Config, s: np.void) -> bool:
    """A throw with several ways to go on, some dice set aside already."""
    return bool(s["player"] != NOBODY and int(s["table"]).bit_count() < 6 and len(names.savable_sets(s)) >= 3)


PICTURES = {
    "start": Position(agent="threshold"),
    "choice": Position(_chooses, agent="threshold"),
    "items": Position(lambda config, s: s["turns"] >= 3, agent="threshold", set=["kit=tavern"]),
    "end": Position(lambda config, s: s["winner"] != NOBODY, agent="threshold"),
}
