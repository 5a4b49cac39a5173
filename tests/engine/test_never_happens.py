"""What never happens in a game is told as worth a look, with how many games; what comes with other settings is not."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import wrong_rules

from playmill import check_game, load_game
from playmill.cli import main
from playmill.engine.check import check_game as check
from playmill.engine.check.coverage import Coverage, never
from playmill.engine.contract.game import Game

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled: all of this is found before."""
    monkeypatch.setattr(check, "check_looks", lambda *_: None)
    monkeypatch.setattr(check, "check_backends", lambda *_: None)


def written(tmp_path: Path, name: str, **changes: tuple[str, str]) -> Game:
    """Courtiers with its files changed: what stood there, and what stands there now."""
    folder = Path(shutil.copytree(ROOT / wrong_rules.COURTIERS, tmp_path / name))
    for file, (was, now) in changes.items():
        path = folder / f"{file}.py"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        assert was in text, was
        path.write_text(text.replace(was, now, 1) if was else text + now, encoding="utf-8")
    (folder / "cases.toml").unlink()
    return load_game(str(folder))


def test_a_game_in_which_everything_happens_has_nothing_to_look_at() -> None:
    assert check_game("tests/engine/courtiers") == ()


def test_a_field_that_never_changes(tmp_path: Path) -> None:
    doubts = check_game(
        written(tmp_path, "never1", rules=("        s.safe[player] = 1\n", "        s.safe[player] = 0\n"))
    )
    (doubt,) = [doubt for doubt in doubts if "fields" in doubt.en]
    assert re.fullmatch(r"fields of the state that never changed in \d+ games: safe \(0\)", doubt.en)
    assert re.fullmatch(r"поля состояния, которые ни разу не менялись в \d+ партиях?: safe \(0\)", doubt.ru)


def test_actions_never_offered_values_never_taken_and_cards_never_seen(tmp_path: Path) -> None:
    changes = {"rules": ("(5, 4, 4, 3)", "(5, 4, 7, 0)"), "invariants": ("3: 4, 4: 3}", "3: 7, 4: 0}")}
    told = " | ".join(doubt.en for doubt in check_game(written(tmp_path, "never2", **changes)))
    assert re.search(r"actions never offered in \d+ games: prince", told)
    assert re.search(r"cards that were never in hand in \d+ games: 4", told)
    changes = {"invariants": ('"tokens", 0, "tokens")', '"drawn", 0, 5)')}
    told = " | ".join(doubt.en for doubt in check_game(written(tmp_path, "never3", **changes)))
    assert re.search(r"values of drawn never taken, of 0 … 5 in \d+ games: 5", told)


def test_a_value_that_an_invariant_rules_out_is_not_told(tmp_path: Path) -> None:
    def told(name: str, more: str) -> str:
        bounds = ('"tokens", 0, "tokens")', f'"drawn", 0, 7){more}')
        found = check_game(written(tmp_path, name, invariants=bounds), players=[3])
        return " | ".join(doubt.en for doubt in found)

    # That cards are conserved rules out nothing: any other card would break it.
    assert re.search(r"values of drawn never taken, of 0 … 7 in \d+ games: 5, 6, 7", told("never8", ""))
    rules_out = ", holds('no such card', lambda config, s: s['drawn'] not in (5, 6))"
    assert re.search(r"values of drawn never taken, of 0 … 7 in \d+ games: 7", told("never9", rules_out))


def test_what_comes_with_other_settings_is_by_config(tmp_path: Path) -> None:
    setting = (
        "    rounds: int",
        "    princes: int = Field(default=0, ge=0, le=1, description='are there princes')\n    rounds: int",
    )
    rule = (
        "        for _ in range(COPIES[kind]):",
        "        for _ in range(COPIES[kind] if kind < 3 or princes else 0):",
    )
    game = written(tmp_path, "never4", config=setting, rules=rule)
    rules = tmp_path / "never4" / "rules.py"
    text = rules.read_text(encoding="utf-8").replace("deal(s, 0, rng)", "deal(s, 0, rng, cfg.princes)")
    text = text.replace("deal(s, best, rng)", "deal(s, best, rng, cfg.princes)").replace(
        "def deal(s, first, rng):", "def deal(s, first, rng, princes):"
    )
    text = text.replace(
        "shuffle(rng, DECK, s.deck, CARDS)\n    s.left = CARDS", "shuffle(rng, DECK, s.deck, place)\n    s.left = place"
    )
    rules.write_text(text, encoding="utf-8")
    (tmp_path / "never4" / "invariants.py").unlink()
    shutil.copytree(tmp_path / "never4", tmp_path / "never5")
    told = [doubt.en for doubt in check_game(load_game(str(tmp_path / "never5")))]
    assert told == ["never with these settings, but with others, so by config: prince"]
    assert game.name == "never4"


def test_options_that_the_agents_of_a_game_never_choose(tmp_path: Path) -> None:
    agent = """
from playmill.author import CompiledAgent, rule

@rule
def low(cfg, s, legal, n, rng, params):
    return legal.ids[0]

AGENTS = {"low": CompiledAgent(low, "the lowest card", honest=True)}
"""
    told = [doubt.en for doubt in check_game(written(tmp_path, "never6", agents=("", agent)))]
    assert any(
        re.match(r"offered so many times to low and never chosen by them in \d+ games: prince \(\d+\)", one)
        for one in told
    )


def test_few_games_say_nothing_and_the_exit_code_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changes = {"rules": ("        s.safe[player] = 1\n", "        s.safe[player] = 0\n")}
    game = written(tmp_path, "never7", **changes)
    assert check_game(game, games=3) == ()
    assert main(["check", str(tmp_path / "never7"), "--lang", "en"]) == 0
    assert "worth a look: fields of the state that never changed in" in capsys.readouterr().out


def test_endings_that_were_never_seen() -> None:
    game = load_game("save_oneself")
    found = Coverage(game)
    found.endings["ended_by"] = {0}
    found.games = 3
    told = [text.en for text in never(game, game.config(), found, Coverage(game))]
    assert any(text.startswith("values of the outcome's ended_by never seen in 3 games: ") for text in told)


@pytest.mark.parametrize(
    "wrong", [*wrong_rules.WRONG_RULES[:8], *wrong_rules.WRONG_RULES[12:16]], ids=lambda one: one.name
)
def test_wrong_rules_that_keep_the_contract_are_found(wrong: wrong_rules.WrongRule) -> None:
    how, sentence = wrong_rules.finding(wrong, games=10)
    assert how == "error" and ("invariant “" in sentence or "the case “" in sentence)
