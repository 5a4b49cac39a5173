"""Estimates what everybody against everybody takes, for an organiser who may not know that it grows with the square."""

from __future__ import annotations

from math import comb

from playmill.lab.contests.contest.rules import ContestRules
from playmill.report.number_format import decimal, duration
from playmill.texts import LANGUAGES, Text, plural

#: From so many tables on the organiser gets a message.
MANY_TABLES = 1000
#: Rounds, or opponents, that are named in place of it.
_ENOUGH = 20
_SENTENCE = Text(
    "{entrants} entrants, everybody against everybody, are {tables} tables of {deals} deals{hours}; with {key} = "
    "{enough} in contest.toml there would be {fewer}{sooner}",
    "{entrants} {noun}, каждый с каждым, — это столов: {tables}, раздач за каждым: {deals}{hours}; с {key} = "
    "{enough} в contest.toml их было бы {fewer}{sooner}",
)
_ABOUT = Text(", about {} on {} cores", ", примерно {}, ядер: {}")
_SOONER = Text(", about {}", ", примерно {}")


def quadratic(
    rules: ContestRules, entrants: int, workers: int, seconds: float | None, *, served: bool = False
) -> Text | None:
    """Returns a sentence about the tables of n entrants, with the seconds a game takes if they are known.

    None where there are few, or where they are few by the rules.
    """
    tables = comb(entrants, rules.size) * len(rules.settings)
    fewer = (entrants * _ENOUGH if served else entrants // rules.size * _ENOUGH) * len(rules.settings)
    if rules.rounds or rules.opponents or tables < MANY_TABLES or fewer >= tables:
        return None
    games = rules.deals * rules.size
    filled = []
    for lang in LANGUAGES:
        hours = sooner = ""
        if seconds is not None:
            each = games * seconds / max(1, workers)
            hours = _ABOUT.of(lang).format(duration(tables * each, lang), workers)
            sooner = _SOONER.of(lang).format(duration(fewer * each, lang))
        filled.append(
            _SENTENCE.of(lang).format(
                entrants=entrants,
                noun=plural(entrants, "участник|участника|участников"),
                tables=decimal(tables, 0, lang),
                deals=rules.deals,
                hours=hours,
                key="opponents" if served else "rounds",
                enough=_ENOUGH,
                fewer=decimal(fewer, 0, lang),
                sooner=sooner,
            )
        )
    return Text(*filled)
