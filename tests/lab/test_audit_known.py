"""What audits say of games whose answer is known (`known/`): a coin, rock-paper-scissors, Nim and others."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from playmill import load_game
from playmill.engine.run.rollouts import jobs_of
from playmill.interrupts import Stop
from playmill.lab.audit import Audit, audit
from playmill.lab.audit import context as context_module
from playmill.lab.audit.budget import AuditBudget
from playmill.lab.audit.context import AuditContext, good_player

KNOWN = str(Path(__file__).parent / "known")
COIN, DISCARDS, SCISSORS, NIM, FIRST, DOMINATED = range(6)
#: What each part plays, by players who think: seconds for all of them.
SIZES = {
    "fairness": 60,
    "luck.all": 100,
    "luck.equal": 60,
    "ladder.search25": 30,
    "ladder.search50": 30,
    "drama": 3,
    "playouts": 10,
    "choices": 24,
    "thoughts": 200,
    "uses.good": 40,
    "uses.random": 40,
    "without": 30,
    "forbidden": 16,
}


@cache
def known(game: int) -> Audit:
    """The audit of one of the games, without anybody being named to play it."""
    return audit(KNOWN, set=[f"game={game}"], sizes=SIZES)


def said(found: Audit) -> str:
    """All that an audit says in sentences."""
    return " ".join([*(part.verdict.en for part in found.parts), *(one.text.en for one in found.findings)])


@pytest.mark.parametrize("game", [COIN, DISCARDS])
def test_a_coin_is_luck_however_many_throws_are_thrown_away(game: int) -> None:
    found = known(game)
    for among in ("all", "equal"):
        shares = found.results["luck"][among]
        assert shares["chance"]["high"] == 1 and shares["chance"]["low"] > 0.6
        assert shares["choices"]["low"] == 0 and shares["seat"]["high"] < 0.1
    assert found.results["luck"]["all"]["players"]["low"] == 0
    assert "No better play was found" in said(found)
    assert "Better players" not in said(found) and "hardly ever the best" not in said(found)
    assert "surely win more" in said(found)  # the best option does not
    assert found.results["choices"]["stake"]["low"] == 0 < found.results["choices"]["stake"]["high"]


def test_rock_paper_scissors_is_neither_luck_nor_skill() -> None:
    found = known(SCISSORS)
    assert found.findings[0].text.en.startswith("Neither luck nor skill")
    assert found.results["luck"]["equal"]["choices"]["low"] > 0.9
    assert found.results["luck"]["all"]["chance"]["high"] < 0.05
    assert "No better play was found" in said(found)
    assert "who plays worse" not in said(found) and "Luck decides" not in said(found)
    for kind in found.results["choices"]["kinds"].values():
        assert kind["best"]["low"] < 1 / 3 < kind["best"]["high"]


def test_nim_is_won_by_who_begins_and_by_who_plays_better() -> None:
    found = known(NIM)
    assert found.info.agents == ("search:iterations=400",)
    fair = found.results["fairness"]
    assert fair["seats"][0]["low"] > 0.9 and 0.9 < fair["seat_gap"]["low"] < fair["seat_gap"]["high"] == 1
    assert "seats are not equal: seat 1 is ahead" in found.findings[0].text.en
    luck = found.results["luck"]
    assert luck["equal"]["seat"]["low"] > 0.9  # among those who know it, the seat is all
    assert luck["all"]["players"]["low"] > 0.3 and luck["all"]["chance"]["high"] < 0.05
    assert found.results["skill"]["rungs"][0]["gain"]["low"] > 0.2


def test_where_the_first_player_always_wins_no_option_is_better_than_another() -> None:
    found = known(FIRST)
    kinds = found.results["choices"]["kinds"]
    assert len(kinds) == 3
    for kind in kinds.values():  # no decision in which options differ, so that nothing is known of the best
        assert kind["mattered"] == 0 < kind["offered"] and kind["best"]["value"] is None
        assert kind["behind"]["value"] == 0
    assert any(one.text.en.startswith("The seat decides") for one in found.findings)
    assert "hardly ever" not in said(found)  # neither the best nor used
    assert found.results["luck"]["all"]["seat"]["low"] > 0.9
    chosen = found.results["uses"]["kinds"].values()
    assert all(0.15 < kind["chosen"] / kind["offered"] < 0.55 for kind in chosen)


def test_an_option_that_is_never_better_is_named_and_the_others_are_not() -> None:
    found = known(DOMINATED)
    named = [one.text.en for one in found.findings if "hardly ever" in one.text.en]
    assert named and all("“nothing”" in text and "“three" not in text and "die”" not in text for text in named)
    kinds = found.results["choices"]["kinds"]
    assert kinds["1"]["best"]["high"] < 0.2 and kinds["1"]["behind"]["low"] > 0.1
    assert min(kinds[kind]["best"]["low"] for kind in ("2", "3")) > 0.1
    assert found.results["skill"]["rungs"][0]["gain"]["low"] > 0


@pytest.mark.parametrize("game", range(6))
def test_every_verdict_says_among_whom(game: int) -> None:
    for part in known(game).parts:
        assert "search (" in part.verdict.en and "search (" in part.verdict.ru


@pytest.mark.parametrize("agent", [None, "random", "search:iterations=25"])
def test_the_head_says_who_judged_where_a_game_has_no_heuristic(agent: str | None) -> None:
    found = known(NIM) if agent is None else audit(KNOWN, agent=agent, sizes={"fairness": 20}, only=["fairness"])
    expected = {None: "no heuristic of its own", "random": "Judged by random play"}.get(agent)
    judged = found.json()["meta"]["judged"]
    assert (judged is None) == (expected is None)
    if expected is not None:
        assert expected in judged["en"] and expected in found.page("en") and judged["ru"] in found.page("ru")
    assert f"--agents {found.info.agents[0]}" in found.info.command


def test_how_much_search_thinks_follows_from_the_length_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game(KNOWN)
    config = game.config(game=NIM)
    assert good_player(game, config, 2) == "search:iterations=400"
    monkeypatch.setattr(context_module, "_STEPS", 1000)
    assert good_player(game, config, 2) == "search:iterations=100"  # of about nine pairs of decisions
    assert good_player(game, config, 2, 5) == "search:iterations=400"
    monkeypatch.setattr(context_module, "_STEPS", 40)
    assert good_player(game, config, 2) == "search:iterations=25"
    monkeypatch.setattr(context_module, "_STEPS", 10)
    assert good_player(game, config, 2) == "random"
    pig = load_game(str(Path(KNOWN).parents[2] / "examples" / "pig"))
    assert good_player(pig, pig.config(), 2) == "threshold"


@pytest.mark.parametrize("game", [DISCARDS, NIM, DOMINATED])
def test_games_played_one_by_one_are_those_of_the_compiled_loop(game: int) -> None:
    rules = load_game(KNOWN)
    context = AuditContext(rules, KNOWN, rules.config(game=game), 2, "random", 5, AuditBudget(None, {}, Stop()))
    jobs = jobs_of(40, 2, seed=5)
    jobs["agent_rng_game"] = jobs["rng_game"] // 2
    usual, one_by_one = (
        context.play(jobs, tags=context.kinds.tags),
        context.decision_probe.play(jobs, tags=context.kinds.tags),
    )
    assert usual.paid.tolist() == one_by_one.paid.tolist()
    assert usual.rows.tobytes() == one_by_one.rows.tobytes() and usual.notes.tolist() == one_by_one.notes.tolist()
    for name in ("met", "used", "offered", "chosen"):
        assert usual.counts[name].tolist() == one_by_one.counts[name].tolist()


def figures(saved: Any) -> list[dict[str, Any]]:
    """All estimates in saved results."""
    if isinstance(saved, dict):
        if {"low", "high"} <= set(saved):
            return [saved]
        return [one for part in saved.values() for one in figures(part)]
    return [one for part in saved for one in figures(part)] if isinstance(saved, list) else []


@pytest.mark.parametrize("game", range(6))
def test_what_is_undefined_is_null_and_no_interval_has_no_width(game: int) -> None:
    found = known(game)
    estimates = figures(json.loads(json.dumps(found.json()["results"], allow_nan=False)))
    assert len(estimates) > 40
    for one in estimates:
        assert one["n"] > 0 or one["value"] is one["low"] is one["high"] is None
        assert one["low"] is None or one["value"] is None or one["low"] <= one["value"] <= one["high"]
    shares = [one for part in ("luck", "choices") for one in figures(found.results[part])]
    assert all(one["low"] is None or one["low"] < one["high"] for one in shares)
    assert "nan" not in found.page("en").lower().replace("nano", "")
