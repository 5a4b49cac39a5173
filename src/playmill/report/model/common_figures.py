"""Figures that reports of most games have, in the form in which results are saved, and titles for sets of figures."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from playmill.stats.estimates import Estimate, mean, rate
from playmill.texts import Text


def decisions_per_game(counts: Any) -> Estimate:
    """Estimates decisions with a choice per game, from tallies of their sum and sum of squares."""
    return mean(counts["games"], counts["decisions"], counts["decisions_squared"], least=0)


def wins_of(wins: Any, games: Any) -> dict[str, Any]:
    """Returns how many games were won, and their rate."""
    return {"wins": int(wins), "win_rate": rate(wins, games).json()}


def share_of(found: Any, games: Any) -> dict[str, Any]:
    """Returns how many games something was found in, and their share."""
    return {"games": int(found), **rate(found, games).json()}


def shares_of(found: Mapping[str, int], games: Any) -> dict[str, Any]:
    """Returns the share of games for each name."""
    return {name: rate(count, games).json() for name, count in found.items()}


def figure_titles(path: str, title: Text, *tables: Mapping[Any, Text]) -> dict[str, Text]:
    """Returns the titles of a set of figures, one for each name of a table, or for each choice of one from several.

    The {} of the path take the names, those of the title what the tables call them; {{}} is left for a * of the path.
    """
    chosen = [zip(*choice, strict=True) for choice in product(*(table.items() for table in tables))]
    return {path.format(*names): title.format(*words) for names, words in chosen}
