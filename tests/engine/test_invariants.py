"""Invariants hold in every position, or the one that does not is told with its numbers, action, game and command."""

from __future__ import annotations

import itertools
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import playmill
from playmill import PlaymillError, check_game, load_game
from playmill.author.invariants import (
    Invariant,
    Pile,
    cards_conserved,
    different,
    exactly_one,
    holds,
    never_grows,
    never_shrinks,
    stays,
    step_holds,
    total_conserved,
    within,
)
from playmill.cli import main
from playmill.engine.check.check_game import CheckError
from playmill.engine.config.model import RuleConfig

_NUMBERS = itertools.count()
ROOT = Path(__file__).parents[2]
STATE = np.dtype(
    [
        ("player", np.int8),
        ("round", np.int8),
        ("deck", np.int8, (6,)),
        ("left", np.int8),
        ("top", np.int8),
        ("hand", np.int8, (2, 3)),
        ("held", np.int8, (2,)),
        ("kinds", np.int8, (2, 4)),
        ("out", np.int8, (2,)),
    ],
    align=True,
)


class Config(RuleConfig):
    """Settings that bounds come from."""

    most: int = 3


def state(**fields: Any) -> np.void:
    """A position with these fields."""
    made = np.zeros(1, STATE)
    for name, value in fields.items():
        made[name][0] = value
    return made[0]


def wrong(one: Invariant, after: np.void, before: np.void | None = None) -> str:
    """What is wrong in a position, "" if nothing is."""
    found = one.wrong(Config(), before, after)
    return found.en if found else ""


def test_cards_are_conserved_in_piles_with_sizes_starts_and_empty_places() -> None:
    piles = (Pile("deck", size="left", start="top"), Pile("hand", size="held"))
    one = cards_conserved("cards", *piles, cards=[1, 2, 3, 4])
    right = state(deck=[9, 1, 2, 9, 9, 9], top=1, left=3, hand=[[3, 9, 9], [4, 9, 9]], held=[1, 1])
    assert wrong(one, right) == ""
    twice = state(deck=[9, 1, 2, 9, 9, 9], top=1, left=3, hand=[[3, 9, 9], [3, 9, 9]], held=[1, 1])
    assert wrong(one, twice) == "card 3: 2 instead of 1, card 4: 0 instead of 1 (4 cards in all instead of 4)"
    lost = state(deck=[9, 1, 2, 9, 9, 9], top=1, left=3, hand=[[3, 9, 9], [4, 9, 9]], held=[1, 0])
    assert wrong(one, lost) == "card 4: 0 instead of 1 (3 cards in all instead of 4)"
    assert (
        wrong(cards_conserved("cards", Pile("hand", empty=0), cards={5: 2}), state(hand=[[5, 0, 5], [0, 0, 0]])) == ""
    )
    counted = cards_conserved("cards", Pile("kinds", counted=True), cards=lambda config, s: [0] * config.most + [3])
    assert wrong(counted, state(kinds=[[1, 0, 0, 1], [2, 0, 0, 0]])) == ""
    assert wrong(counted, state(kinds=[[1, 0, 0, 1], [1, 0, 0, 0]])).startswith("card 0: 2 instead of 3")


def test_without_a_list_the_cards_are_those_dealt_and_dealt_anew_each_round() -> None:
    one = cards_conserved("cards", Pile("hand", empty=0), each="round")
    dealt, moved = state(hand=[[1, 2, 0], [0, 0, 0]]), state(hand=[[1, 0, 0], [2, 0, 0]])
    assert wrong(one, dealt) == wrong(one, moved, dealt) == ""
    assert "card 3: 1 instead of 0" in wrong(one, state(hand=[[1, 2, 3], [0, 0, 0]]), dealt)
    assert wrong(one, state(hand=[[1, 2, 3], [0, 0, 0]], round=1), dealt) == ""


def test_the_other_ready_invariants() -> None:
    assert wrong(different("d", "held"), state(held=[1, 2])) == ""
    assert wrong(different("d", "held"), state(held=[2, 2])) == "there twice or more: 2 × 2"
    low, high = state(held=[1, 2], left=3), state(held=[2, 2], left=3)
    total = total_conserved("t", "held", "left")
    assert wrong(total, low) == wrong(total, low, low) == ""
    assert wrong(total, high, low) == "held + left = 7 instead of 6"
    assert wrong(total_conserved("t", "left", equals="most"), low) == ""
    assert wrong(total_conserved("t", "held", equals="most"), high) == "held = 4 instead of 3"
    assert wrong(never_grows("g", "held"), low, high) == "" != wrong(never_grows("g", "held"), high, low)
    assert wrong(never_shrinks("s", "held"), low, high) == "held[0] 2 → 1"
    out, back = state(out=[1, 0]), state(out=[0, 0])
    assert wrong(stays("o", "out", 1), back, out) == "out[0] 1 → 0"
    assert (
        wrong(stays("o", "out", 1, each="round"), state(round=1), out) == wrong(stays("o", "out", 1), out, back) == ""
    )
    assert wrong(within("w", "held", 0, "most"), high) == ""
    assert wrong(within("w", "held", "left", 9), high) == "held[0] = 2, and it must lie in 3 … 9"
    assert (
        wrong(within("w", "left", 0, lambda config, s: config.most - 1), high) == "left = 3, and it must lie in 0 … 2"
    )
    assert wrong(exactly_one("one", "out", lambda config, s: s["left"] == 0), out) == "2 instead of 1"
    assert wrong(exactly_one("one", "out"), out) == ""
    assert wrong(holds("h", lambda config, s: s["left"] < config.most), high) == "it does not hold"
    assert wrong(holds("h", lambda config, s: f"left is {s['left']}"), high) == "left is 3"
    grown = step_holds("h", lambda config, before, after: before["left"] <= after["left"])
    assert wrong(grown, high) == wrong(grown, high, low) == "" != wrong(grown, state(), high)


@pytest.fixture
def courtiers(tmp_path: Path) -> Path:
    """A game of cards with invariants and cases, to be changed."""
    return Path(shutil.copytree(ROOT / "tests/engine/courtiers", tmp_path / f"courtiers{next(_NUMBERS)}"))


def change(game: Path, file: str, was: str, now: str) -> None:
    """Changes a file of a game."""
    text = (game / file).read_text(encoding="utf-8")
    assert text.count(was) == 1, was
    (game / file).write_text(text.replace(was, now), encoding="utf-8")


PROTECTION = ("rules.py", "        s.safe[s.player] = 0\n", "")


def test_check_tells_the_invariant_the_action_the_numbers_and_the_command(courtiers: Path) -> None:
    change(courtiers, *PROTECTION)
    with pytest.raises(CheckError) as error:
        check_game(load_game(str(courtiers)), games=3)
    en, ru = error.value.text
    assert "the invariant “protection ends with one's own turn” does not hold" in en
    assert "инвариант «защита кончается со своим ходом» не выполнен" in ru
    assert re.search(r"broken by '\w+' of player \d, which changed .*player \d → \d", en)
    assert re.search(r"game \d+, decision \d+ .*; see it: playmill show .* --seed 1 --number \d+ --boards", en)


@pytest.mark.parametrize("how", [["--check-invariants"], ["--backend", "interpreted"], []])
def test_a_run_tells_them_too(courtiers: Path, how: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    change(courtiers, *PROTECTION)
    assert main(["simulate", str(courtiers), "--games", "20", "--seed", "5", "--quiet", *how, "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "the invariant “protection ends with one's own turn” does not hold" in told
    number = re.search(r"game (\d+) of seed 5, action \d+; see it: playmill show \S+ --seed 5 --number (\d+)", told)
    assert number is not None and number[1] == number[2]


def test_the_game_that_is_told_shows_it(courtiers: Path) -> None:
    change(courtiers, *PROTECTION)
    with pytest.raises(PlaymillError) as error:
        playmill.simulate(str(courtiers), games=50, seed=7, check_invariants=True)
    found = re.search(r"--seed 7 --number (\d+)", str(error.value))
    assert found is not None
    seen = []
    state = playmill.State(
        str(courtiers),
        seed=7,
        number=int(found[1]),
        interpreted=True,
        observer=lambda *step: seen.append(step[2].copy()),
    )
    while not state.is_terminal():
        state.apply_action(state.choice_of(0))
    assert any(s["player"] >= 0 and s["safe"][s["player"]] for s in seen)


def test_a_run_with_invariants_has_the_same_results(courtiers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = load_game(str(courtiers))
    plain, tried = (playmill.simulate(game, games=40, check_invariants=tries) for tries in (False, True))
    assert plain.results == tried.results
    assert main(["simulate", str(courtiers), "--games", "40", "--check-invariants", "--lang", "en"]) == 0
    assert "invariants that held in every position: 5, games: 40" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("was", "now", "wanted"),
    [
        ('"drawn", empty', '"drwan", empty', "reads 'drwan', and there is no such field of State, nor a setting; did"),
        ('0, "tokens"),', '0, "tokens_to_win"),', "reads 'tokens_to_win'"),
        ("INVARIANTS = (", "INVARIANTS = (3,", "INVARIANTS is a tuple of what the functions of playmill.author.invar"),
        (
            'Text("tokens", "жетоны")',
            'Text("nobody acts who is out", "выбывший не ходит")',
            "two invariants are called",
        ),
    ],
)
def test_wrong_invariants_are_told_with_their_line(courtiers: Path, was: str, now: str, wanted: str) -> None:
    change(courtiers, "invariants.py", was, now)
    with pytest.raises(PlaymillError, match=r"invariants.py, line 6.*" + re.escape(wanted)):
        load_game(str(courtiers))


def test_an_invariant_that_fails_is_told_with_its_line(courtiers: Path) -> None:
    change(courtiers, "invariants.py", 'not s["out"][s["player"]]', 'not s["oot"][s["player"]]')
    with pytest.raises(CheckError, match=r"invariants.py, line \d+: .*no field 'oot'; did you mean 'out'"):
        check_game(load_game(str(courtiers)), games=1)


def test_what_cannot_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    game = load_game("tests/engine/courtiers")
    for place in ("cuda", "ray"):
        with pytest.raises(PlaymillError, match="invariants are tried on the processor of this machine"):
            playmill.simulate(game, games=1, check_invariants=True, on=place)
