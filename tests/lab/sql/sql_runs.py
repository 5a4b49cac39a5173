"""What tests of questions share: asking, and the files of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import playmill
from playmill import PlaymillError
from playmill.lab.runs.store import find_run

#: Three chunks of Pig.
GAMES = 40_000
SEATS = 2 * GAMES


def files(name: str, kind: str = "games") -> list[Path]:
    """The files of a run."""
    return find_run(name).files(kind)


def answer(query: str) -> list[tuple[Any, ...]]:
    """What comes back."""
    return playmill.sql(query).rows()


def told(query: str) -> str:
    """The sentence that is told instead of an answer."""
    with pytest.raises(PlaymillError) as error:
        playmill.sql(query)
    assert error.value.text.ru, "in both languages"
    return error.value.text.en
