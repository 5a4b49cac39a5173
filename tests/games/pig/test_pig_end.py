"""Pig ends, whatever its players do."""

from __future__ import annotations

import pytest

from playmill import Game, simulate
from playmill.cli import main
from playmill.texts import LANGUAGES

#: Nobody throws five hundred times without a 1, and nobody holds before.
NEVER_HOLDS = "threshold:n=1000"
FOR_EVER = ["target=1000", "faces=2"]


def test_two_who_never_hold_draw_when_no_turns_are_left(pig: Game) -> None:
    run = simulate(pig, games=20, agents=NEVER_HOLDS, set=[*FOR_EVER, "max_turns=7"])
    assert run.games["turns"].to_list() == [7] * 20
    assert run.games["winner"].to_list() == [-1] * 20
    assert [seat["wins"] for seat in run.results["seats"]] == [0, 0]
    assert run.results["draws"]["games"] == 20
    for lang, row in zip(LANGUAGES, ("Nobody: a draw", "Никто: ничья"), strict=True):
        assert row in [cells[0].of(lang) for cells in pig.report.sections(run.results, run.info)[0].rows]


def test_the_longest_game_a_config_allows_has_its_place_in_the_counts(pig: Game) -> None:
    run = simulate(pig, games=2, agents=NEVER_HOLDS, set=[*FOR_EVER, "max_turns=10000"])
    assert run.results["turns"]["value"] == 10_000


def test_whoever_reaches_the_target_on_the_last_turn_has_won(pig: Game) -> None:
    run = simulate(pig, games=200, seed=2, agents="threshold:n=2", set=["target=2", "max_turns=1"])
    assert set(run.games["winner"].to_list()) == {0, -1}
    assert run.games.filter(run.games["winner"] == 0)["total_0"].min() >= 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_draw_is_told(pig: Game, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["show", "examples/pig", "--agents", NEVER_HOLDS, "--set", *FOR_EVER, "max_turns=2"]
    assert main([*words, "--lang", lang]) == 0
    assert {"en": "no turns are left: a draw", "ru": "ходов больше нет: ничья"}[lang] in capsys.readouterr().out
