"""Arguments of public functions: what is not of its type is one sentence, before anything plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmill
from playmill import PlaymillError
from playmill.arguments import checked
from playmill.engine.contract.game import Game


@checked
def asked(
    game: str | Game = "pig",
    *,
    games: int | Sequence[int] = 10,
    minutes: float | None = None,
    rotate: bool = False,
    over: str | Sequence[str] = (),
    sizes: Mapping[str, int] | None = None,
    save: str | Path = "",
    agents: Any = None,
    settings: Sequence[Sequence[str]] = (),
) -> dict[str, Any]:
    """A function as the public ones are."""
    return dict(locals())


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("games", np.int64(7), 7),
        ("games", [1, 2], [1, 2]),
        ("games", np.array([1, 2]), None),
        ("minutes", 3, 3),
        ("minutes", np.float32(0.5), 0.5),
        ("minutes", Fraction(1, 2), 0.5),
        ("rotate", np.bool_(True), None),
        ("sizes", {"fairness": 3}, {"fairness": 3}),
        ("save", Path("net.npz"), Path("net.npz")),
        ("agents", object, object),
        ("settings", (["goal=1"], ()), (["goal=1"], ())),
    ],
)
def test_what_fits_is_handed_on(name, value, found):
    given = asked(**{name: value})[name]
    assert given is value or (given == found and type(given) in (int, float))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("game", 7, "game is 7; expected str or Game"),
        ("games", "10", "games is '10'; expected int or Sequence[int]"),
        ("games", 1.0, "games is 1.0; expected int or Sequence[int]"),
        ("games", True, "games is True; expected int or Sequence[int]"),
        ("games", [1, None], "games is [1, None]; expected int or Sequence[int]"),
        ("games", {1: 2}, "games is {1: 2}; expected int or Sequence[int]"),
        ("minutes", "5", "minutes is '5'; expected float or None"),
        ("rotate", "no", "rotate is 'no'; expected bool"),
        ("over", b"x", "over is b'x'; expected str or Sequence[str]"),
        ("sizes", [1], "sizes is [1]; expected Mapping[str, int] or None"),
        ("save", None, "save is None; expected str or Path"),
        ("settings", ["goal=1"], "settings is ['goal=1']; expected Sequence[Sequence[str]]"),
    ],
)
def test_what_does_not_fit_is_told_with_what_would(name, value, said):
    with pytest.raises(PlaymillError) as told:
        asked(**{name: value})
    assert told.value.text.en == said
    assert told.value.text.ru == said.replace(" is ", " — ").replace("expected", "ожидается").replace(" or ", " или ")


def test_public_functions_are_checked_and_look_as_they_are():
    from playmill.lab.runs.simulate import simulate

    assert playmill.simulate is playmill.simulate
    assert playmill.simulate.__wrapped__ is simulate and playmill.simulate.__doc__ == simulate.__doc__
    for function, wrong in (
        (playmill.simulate, {"seed": "10"}),
        (playmill.learn, {"save": "net.npz", "rounds": 1.5}),
        (playmill.tune, {"free": "goal", "goal": 1}),
        (playmill.check_game, {"games": "10"}),
    ):
        with pytest.raises(PlaymillError, match="; expected "):
            function("pig", **wrong)
    assert playmill.rule.__module__ == "playmill.engine.lang.rule" and not hasattr(playmill.rule, "__wrapped__")


def test_one_side_has_only_what_may_differ(pig):
    with pytest.raises(PlaymillError, match="one side cannot have 'goal' of its own"):
        playmill.compare(pig, a={"goal": 50}, b={})


@pytest.mark.parametrize("near", ["half", float("nan")])
def test_near_is_a_number_or_fair(pig, near):
    with pytest.raises(PlaymillError, match=r"--near is .*; expected a number or fair"):
        playmill.simulate_until_sure(pig, "seats.0.win_rate", near=near, within=0.1)
