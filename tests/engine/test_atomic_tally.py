"""The twin of `tally` that many threads can use at a time adds what the rule itself adds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from common.found import GAMES, game_of
from playmill import PlaymillError
from playmill.engine.cuda.atomic_tally import adding, in_ones
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted, rule
from playmill.engine.run.backends import Interpreted
from playmill.lab.runs.resolved_plan import resolve_plan


@rule
def add_to(numbers: Any, place: Any, amount: Any) -> None:
    numbers[place] += amount


@rule
def remembers_the_longest(row: Any, agents: Any, counts: Any) -> None:
    counts.games += 1
    counts.longest[0] = max(counts.longest[0], row.turns)


@rule
def takes_away(row: Any, agents: Any, counts: Any) -> None:
    counts.games -= 1


@pytest.mark.parametrize("name", GAMES)
def test_the_twin_counts_what_the_rule_counts(name: str) -> None:
    game = game_of(name)
    assert in_ones(game.tally).itemsize == game.tally.itemsize
    chunk = Interpreted(resolve_plan(game, seed=6).match()).play(0, 2)
    counts: Any = np.zeros(1, in_ones(game.tally))
    twin = interpreted(adding(game.rules["tally"], add_to))
    for number in range(chunk.games):
        twin(plain(chunk.rows)[number], np.zeros(6, np.int32), plain(counts)[0])
    differ = np.flatnonzero(counts.view(np.int64) != chunk.counts.view(np.int64))
    assert differ.tolist() == [] and counts["games"] == 2


@pytest.mark.parametrize(
    ("tally", "does"), [(remembers_the_longest, "counts.longest"), (takes_away, "counts.games -= 1")]
)
def test_a_tally_that_does_anything_but_add_is_refused_with_its_line(tally: Any, does: str) -> None:
    with pytest.raises(PlaymillError, match=r"test_atomic_tally\.py:\d+: counts are only ever added to") as caught:
        adding(tally, add_to)
    assert does in caught.value.text.en and does in caught.value.text.ru
