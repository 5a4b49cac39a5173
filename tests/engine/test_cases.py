"""Cases of a game come out as written, or are told by their line with what came instead; so are wrong files."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest

from playmill import PlaymillError, load_game
from playmill.engine.check.case_file import read_cases
from playmill.engine.check.cases import check_cases
from playmill.engine.check.check_game import CheckError
from playmill.engine.contract.game import Game

ROOT = Path(__file__).parents[2]
_NUMBERS = itertools.count()


def with_cases(tmp_path: Path, cases: str, game: str = "examples/pig") -> Game:
    """A game with these cases."""
    folder = Path(shutil.copytree(ROOT / game, tmp_path / f"cased{next(_NUMBERS)}"))
    (folder / "cases.toml").write_text(cases, encoding="utf-8")
    return load_game(str(folder))


HELD = '[[case]]\nname = "held"\nstate = { pot = 7, total = [95, 40] }\naction = "hold"\n'


@pytest.mark.parametrize(
    "then",
    [
        "then.state = { pot = 0, total = [102, 40], player = -1 }",
        'then.state = { "total[1]" = 40, "total[0]" = 102 }',
        "then.state = { total = [102] }",
        "then.winner = 0",
        "then.returns = [1, 0]",
        "then.over = true",
        "then.legal = []",
        'then.refused = ["roll", "hold"]',
    ],
)
def test_what_comes_as_written(tmp_path: Path, then: str) -> None:
    found = check_cases(with_cases(tmp_path, HELD + then))
    assert found is not None and found.en == "cases that come out as written: 1"


@pytest.mark.parametrize(
    ("then", "wanted"),
    [
        ("then.state = { total = [95, 40] }", "total is [102, 40] and must be [95, 40]"),
        ('then.state = { "total[0]" = 95 }', "total[0] is 102 and must be 95"),
        ("then.winner = 1", "the winner is 0 and must be 1"),
        ("then.returns = [0, 1]", "returns are [1.0, 0.0] and must be [0, 1]"),
        ("then.over = false", "the game is over and must go on"),
        ('then.legal = ["roll"]', "the options are – and must be roll"),
        ('then.offered = ["roll"]', "'roll' must be offered; the options are –"),
    ],
)
def test_what_comes_otherwise_is_told_with_line_and_position(tmp_path: Path, then: str, wanted: str) -> None:
    with pytest.raises(CheckError) as error:
        check_cases(with_cases(tmp_path, "# first\n" + HELD + then))
    en, ru = error.value.text
    assert (
        "cases.toml:2: the case “held” comes out otherwise: after 'hold' from (winner=-1 turns=1 pot=7 total=95,40) "
        in en
    )
    assert wanted in en and "случай «held» выходит иначе" in ru


def test_an_action_that_must_be_refused_and_is_offered(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="'roll' must not be offered, and it is"):
        check_cases(with_cases(tmp_path, '[[case]]\nname = "x"\nthen.refused = ["roll"]'))
    with pytest.raises(CheckError, match=r"'hold' must be an option in .*, where the options are roll"):
        check_cases(with_cases(tmp_path, '[[case]]\nname = "x"\naction = "hold"\nthen.over = false'))


def test_all_failing_cases_are_named(tmp_path: Path) -> None:
    wrong = HELD + "then.winner = 1\n"
    with pytest.raises(CheckError, match=r"“held” comes .*; other cases that fail: “b”, “c”"):
        check_cases(with_cases(tmp_path, wrong + wrong.replace("held", "b") + wrong.replace("held", "c")))


ROLLED = '[[case]]\nname = "rolled"\nset = { faces = 3 }\nstate = { pot = 7 }\naction = "roll"\n'


def test_one_of_several_comes_with_each_seed_and_each_with_some(tmp_path: Path) -> None:
    lost, two, three = ("{ state = { pot = 0 } }", "{ state = { pot = 9 } }", "{ state = { pot = 10 } }")
    assert check_cases(with_cases(tmp_path, f"{ROLLED}then = [{lost}, {two}, {three}]")) is not None
    with pytest.raises(CheckError, match=r"none of the 2 things that may come; pot is 10 and must be \d \(seed \d+\)"):
        check_cases(with_cases(tmp_path, f"{ROLLED}then = [{lost}, {two}]"))
    with pytest.raises(CheckError, match="number 4 of 4 never came with 200 seeds"):
        check_cases(with_cases(tmp_path, f"{ROLLED}then = [{lost}, {two}, {three}, {{ state = {{ pot = 11 }} }}]"))
    with pytest.raises(CheckError, match=r"number 1 of 3 never came with 1 seeds|number 2 of 3|number 3 of 3"):
        check_cases(with_cases(tmp_path, f"{ROLLED}seeds = 1\nthen = [{lost}, {two}, {three}]"))


def test_a_position_is_made_by_a_seed_and_actions_and_forced_ones_may_be_left_out(tmp_path: Path) -> None:
    head = '[[case]]\nname = "x"\nseed = 3\nset = { faces = 100 }\n'
    for actions in ('"roll"', '"roll", "roll"'):
        then = 'action = "hold"\nthen.state = { player = 1 }\n'
        assert check_cases(with_cases(tmp_path, f"{head}actions = [{actions}]\n{then}"))


@pytest.mark.parametrize(
    ("cases", "wanted"),
    [
        ("[[case]]\nname = 3\n", ":2: name must be a text"),
        ("[[case]]\nname = 'x'\n", ':1: a case has a name = "…" and says what must come'),
        (HELD + "then.stat = { pot = 1 }", ":5: 'stat' is not known here: state, legal,"),
        (HELD + "than = 1", ":5: 'than' is not known here"),
        (HELD + "then.state = { pott = 1 }", ":5: there is no field 'pott' of State; there are player, winner,"),
        (HELD + 'then.state = { "total[7]" = 1 }', ":5: there is no place total[7]"),
        (HELD + "players = 5\nthen.over = true", ":5: cased"),
        (HELD + "set = { target = 0 }\nthen.over = true", ":5: --set target=0: target is 0; expected at least 1"),
        (HELD + 'then.legal = ["jump"]', ":5: there is no action 'jump'"),
        (HELD + "then.legal = [1.5]", ":5: legal is a list of actions in their short text forms"),
        (HELD + "seeds = 0\nthen.over = true", ":5: seeds is 1 … 10000"),
        (HELD.replace("pot = 7", "pot = 'many'") + "then.over = true", ":3: 'many' does not fit into pot"),
        (HELD.replace("pot = 7", "pot = [7]") + "then.over = true", ":3: [7] does not fit into pot"),
        (HELD.replace("[95, 40]", "[95, 40, 3]") + "then.over = true", ":3: [95, 40, 3] does not fit into total"),
        (HELD.replace("pot = 7", "pot = 9999999999") + "then.over = true", ":3: 9999999999 does not fit into pot"),
        ("[[case]]\nname = \n", "not TOML: Invalid value (at line 2"),
        ("[case]\nname = 'x'\n", ":1: each case begins with [[case]]"),
        ("[[cases]]\nname = 'x'\n", ":1: 'cases' is not known here; each case begins with [[case]]"),
    ],
)
def test_a_mistake_in_the_file_is_one_sentence_with_its_line(tmp_path: Path, cases: str, wanted: str) -> None:
    with pytest.raises(PlaymillError) as error:
        check_cases(with_cases(tmp_path, cases))
    assert "cases.toml" in error.value.text.en and wanted in error.value.text.en
    assert "\n" not in error.value.text.en and error.value.text.ru != error.value.text.en


def test_rules_that_fail_in_a_case_are_told_with_their_line(tmp_path: Path) -> None:
    game = with_cases(
        tmp_path, '[[case]]\nname = "nobody moves"\nstate = { player = 5, pot = 3 }\naction = "hold"\nthen.over = false'
    )
    with pytest.raises(CheckError, match=r"“nobody moves” comes out otherwise: .*rules.py, line"):
        check_cases(game)


def test_a_game_without_cases_has_none() -> None:
    assert read_cases(load_game("examples/kuhn")) is None
    assert check_cases(load_game("examples/kuhn")) is None
