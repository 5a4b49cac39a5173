"""Audits of games whose answer is known: a toss is all luck and no skill, a contest of skill the other way round."""

from __future__ import annotations

import json
import signal
from html import escape
from pathlib import Path
from typing import Any

import pytest

from playmill import Game, PlaymillError, load_game
from playmill.cli import main
from playmill.lab.audit import PARTS, Audit, audit
from playmill.lab.audit.budget import read_sizes
from playmill.report.html.page import in_notebook

CONTEST = str(Path(__file__).parent / "contest")
TOSS, SKILL = ["skill=0"], ["luck=0"]
#: What each part plays here, interpreted: a second or two for all of them.
SIZES = {
    "fairness": 150,
    "luck.all": 100,
    "luck.equal": 40,
    "skill.wise-random": 100,
    "ladder.search25": 4,
    "ladder.search50": 4,
    "ladder.search100": 1,
    "drama": 4,
    "choices": 4,
    "thoughts": 60,
    "uses.good": 40,
    "uses.random": 40,
    "without": 5,
    "forbidden": 16,
}


def audited(changes: list[str], *only: str, **how: Any) -> Audit:
    return audit(CONTEST, set=changes, sizes=SIZES, only=only, interpreted=True, **how)


@pytest.fixture(scope="module")
def toss() -> Audit:
    return audited(TOSS)


@pytest.fixture(scope="module")
def contest() -> Audit:
    return audited(SKILL)


def test_a_toss_is_all_luck(toss: Audit) -> None:
    found = toss.results["luck"]["all"]
    assert found["chance"]["value"] > 0.85 and found["chance"]["high"] == 1
    assert found["players"]["low"] == found["choices"]["low"] == found["seat"]["low"] == 0


def test_a_contest_of_skill_has_no_luck(contest: Audit) -> None:
    found = contest.results["luck"]["all"]
    assert found["chance"]["value"] == 0 < found["chance"]["high"] < 0.05
    assert found["players"]["low"] > 0.5  # the rest is what two who choose at random happen to choose
    assert found["players"]["value"] + found["choices"]["value"] + found["seat"]["value"] == pytest.approx(1)
    equal = contest.results["luck"]["equal"]  # two who know the game name the same, and nobody wins
    assert [equal[part]["value"] for part in ("seat", "choices", "chance")] == [None] * 3
    assert "all games end alike" in contest.json()["verdicts"]["luck"]["en"]


def test_where_both_count_both_explain_a_part() -> None:
    found = audited(["skill=150"], "luck").results["luck"]["all"]
    assert found["chance"]["low"] > 0 and found["players"]["low"] > 0


def test_a_toss_has_no_ladder_and_a_contest_of_skill_has(toss: Audit, contest: Audit) -> None:
    level, steep = (one.results["skill"]["rungs"][0] for one in (toss, contest))
    assert level["agent"] == steep["agent"] == "wise" or level["agent"] == "random"  # of equals either is first
    assert level["share"]["value"] == pytest.approx(0.5)  # from both seats of a deal one wins once
    assert steep["share"]["value"] > 0.9 and steep["gain"]["low"] > 0.3
    assert "No better play was found" in toss.parts[1].verdict.en


def test_thought_beats_random_choice_where_there_is_something_to_find(contest: Audit) -> None:
    thinking = contest.results["skill"]["rungs"][1]
    assert thinking["agent"] == "search:iterations=25" and thinking["below"] == "wise"
    assert thinking["share"]["value"] <= 0.5  # whoever names the largest cannot be beaten
    assert [rung["deals"] for rung in contest.results["skill"]["rungs"]] == [100, 4, 4, 1]


def test_equal_seats_are_not_called_unfair_and_a_head_start_is(toss: Audit) -> None:
    fair = toss.results["fairness"]
    assert fair["seat_gap"]["p"] > 0.01
    assert [seat["low"] < 0.5 < seat["high"] for seat in fair["seats"]] == [True, True]
    unfair = audited([*TOSS, "head_start=300"], "fairness")
    assert unfair.results["fairness"]["seat_gap"]["low"] > 0.1
    assert unfair.findings[0].text.en.startswith("Among players like wise seats are not equal: seat 1 is ahead")
    assert unfair.findings[0].command.startswith(f"playmill simulate {CONTEST}")


def test_decisions_options_and_length_are_counted(toss: Audit) -> None:
    found = toss.results["fairness"]
    assert found["decisions"]["value"] == found["length"]["mean"]["value"] == 6
    assert found["length"]["deviation"]["value"] == 0
    assert found["options"]["value"] == 4 and found["forced"]["value"] == 0


def test_a_toss_is_decided_at_the_end_and_never_led(toss: Audit) -> None:
    found = toss.results["drama"]
    assert found["decided"]["value"] == 1
    assert found["lead_changes"]["value"] <= 0.25
    assert found["winner_chance"][0]["value"] == pytest.approx(0.5, abs=0.12)


def test_what_hangs_on_a_decision_is_nothing_in_a_toss(toss: Audit) -> None:
    found = toss.results["choices"]
    assert found["gap"]["value"] == found["stake"]["value"] == 0  # on the same luck, nothing changes at all
    assert found["decisions"] == 24


def test_in_a_contest_of_skill_the_best_option_is_told_from_the_others(contest: Audit) -> None:
    found = contest.results["choices"]
    assert found["kinds"]["best"]["best"]["value"] > 0.8
    assert found["kinds"]["poor"]["behind"]["value"] > found["kinds"]["best"]["behind"]["value"] >= 0
    assert found["stake"]["value"] > 0.1


def test_forbidding_what_wins_loses_and_forbidding_the_rest_does_not(toss: Audit, contest: Audit) -> None:
    without = {
        kind: found["without"]["value"]
        for kind, found in contest.results["uses"]["kinds"].items()
        if "without" in found
    }
    assert without["best"] <= -0.3
    assert "poor" not in without  # nobody who knows the game uses it
    assert toss.results["uses"]["kinds"]["best"]["without"]["value"] == 0
    assert contest.results["uses"]["kinds"]["poor"] == {
        **{"met": 240, "used": 0, "offered": 240, "chosen": 0},
        "met_at_random": 240,
    }
    assert any("hardly ever use" in one.text.en and "“poor”" in one.text.en for one in contest.findings)


def test_the_same_sizes_give_the_same_audit(toss: Audit) -> None:
    again = audited(TOSS, "fairness", "luck")
    assert again.results == {part: toss.results[part] for part in ("fairness", "luck")}
    sizes = toss.info.command.split("--sizes ")[1].split()[0]
    assert read_sizes(sizes) == toss.sizes


def test_with_few_games_it_says_so(toss: Audit) -> None:
    for part in toss.parts:
        if part.key in ("drama", "choices", "uses"):
            assert part.thin is not None and "a hint, no more" in part.thin.en and "намёк" in part.thin.ru


def test_of_a_few_games_nothing_is_said_that_cannot_be(pig: Game) -> None:
    for games in (1, 3):
        found = audit(pig, sizes={"fairness": games}, only=["fairness"], interpreted=True)
        length = found.results["fairness"]["length"]
        assert not found.findings and length["short"]["low"] is None and length["long"]["high"] is None
        assert games == 1 or length["deviation"]["low"] >= 0


def test_a_difference_of_too_few_says_so_and_ends_with_one_dot() -> None:
    found = audit(CONTEST, set=SKILL, sizes={"choices": 1, "thoughts": 20}, only=["choices"], interpreted=True)
    (part,) = found.parts
    assert "points [too few]" in part.verdict.en and "п. п. [мало]" in part.verdict.ru and ".." not in part.verdict.ru


def test_it_shows_itself_in_both_languages_and_as_data(contest: Audit) -> None:
    for lang in ("en", "ru"):
        page = contest.page(lang)
        for part in contest.parts:
            assert f'id="part-{part.key}"' in page and f'href="#part-{part.key}"' in page
            assert part.title.of(lang) in page and escape(part.short.of(lang)) in page
    assert contest._repr_html_() == in_notebook(contest.page("en"))
    saved = json.loads(json.dumps(contest.json()))
    assert list(saved["results"]) == list(PARTS)
    weights = [one["weight"] for one in saved["first"]]
    assert weights and weights == sorted(weights, reverse=True)


def first_wins_pig(target: int = 100, hold: int = 20) -> float:
    """How often exactly the first of two wins who hold at so many points, from the chances of all scores."""

    def turn(total: int) -> dict[int, float]:
        pots, ends = {0: 1.0}, {0: 0.0}
        for pot in range(target):
            chance = pots.get(pot, 0.0)
            ends[0] += chance / 6
            for face in range(2, 7) if chance else ():
                place = ends if pot + face >= hold or total + pot + face >= target else pots
                place[pot + face] = place.get(pot + face, 0.0) + chance / 6
        return ends

    turns = [turn(total) for total in range(target)]
    wins: dict[tuple[int, int], float] = {}

    def known(own: int, other: int) -> float:
        """What a turn brings that is not lost."""
        points = ((own + won, chance) for won, chance in turns[own].items() if won)
        return sum(chance * (1 if total >= target else 1 - wins[other, total]) for total, chance in points)

    for one, other in sorted(((i, j) for i in range(target) for j in range(i + 1)), key=lambda pair: -sum(pair)):
        # A turn that is lost hands over to the other at the same score, whose lost turn hands it back.
        a, b, lost, passed = known(one, other), known(other, one), turns[one][0], turns[other][0]
        wins[one, other] = (a + lost * (1 - b - passed)) / (1 - lost * passed)
        wins[other, one] = b + passed * (1 - wins[one, other])
    return wins[0, 0]


def test_pigs_first_player_is_ahead_by_what_exact_chances_say(pig: Game) -> None:
    exact = first_wins_pig()
    assert exact == pytest.approx(0.5347, abs=1e-4)
    found = audit(pig, sizes={"fairness": 1500}, only=["fairness"], interpreted=True).results["fairness"]
    assert found["seats"][0]["low"] < exact < found["seats"][0]["high"]
    assert found["seat_gap"]["low"] < 2 * exact - 1 < found["seat_gap"]["high"]
    assert found["length"]["unit"] == "turns"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--only", "luk"], "--only luk: there is no such part"),
        (["--minutes", "0"], "'0' is no number above 0"),
        (["--minutes", "nan"], "'nan' is no number above 0"),
        (["--minutes", "1000000"], "minutes is 1e+06"),
        (["--only", ""], "--only : there is no such part"),
        (["--sizes", "a"], "--sizes: cannot read 'a'"),
        (["--sizes", ""], "--sizes names nothing"),
        (["--sizes", "fairness=10,fun=3"], "--sizes: nothing is called 'fun'"),
        (["--sizes", "luck=10", "--only", "fairness"], "--sizes names nothing"),
        (["--quick", "--minutes", "1"], "not allowed with argument"),
        (["--agents", "search:ms=10"], "--agents is one of random, wise, search, not search:ms=10"),
        (["--agents", "nobody"], "has no agent 'nobody'"),
        (["--agents", "random", "wise"], "one agent plays an audit, in all seats, not random, wise; --among"),
    ],
)
def test_a_mistake_gets_one_sentence(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", CONTEST, *words]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


def test_every_shipped_game_names_its_kinds_in_both_languages() -> None:
    from playmill import game_names
    from playmill.lab.audit.action_kinds import kinds_of

    for name in game_names():
        game = load_game(name)
        kinds = kinds_of(game, game.config())
        assert kinds.ids, name
        for text in kinds.names:
            assert text.en.isascii() or "→" in text.en, (name, text)
            assert any("а" <= sign <= "я" for sign in text.ru.lower()), (name, text)


def test_told_to_stop_it_keeps_the_parts_that_are_finished(ctrl_c: None) -> None:
    def told(part: str, share: float) -> None:
        if part == "luck":
            signal.raise_signal(signal.SIGINT)

    found = audited(TOSS, "fairness", "luck", progress=told)
    assert [part.key for part in found.parts] == ["fairness"]
    assert not found.complete and "Stopped before its end" in found.page("en")
    assert found.sizes == {"fairness": SIZES["fairness"]}
    with pytest.raises(KeyboardInterrupt):
        audited(TOSS, "luck", progress=told)


def test_an_illegal_part_is_a_mistake_in_python_too() -> None:
    with pytest.raises(PlaymillError, match="there is no such part"):
        audit(CONTEST, only=["everything"], interpreted=True)
    for size in (1.5, "many", -1):
        with pytest.raises(PlaymillError, match="expected a whole number"):
            audit(CONTEST, sizes={"fairness": size}, interpreted=True)
