"""`check` plays with settings at their bounds: what breaks only there is found, and it says what it tried."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from playmill import Game, load_game
from playmill.cli import main
from playmill.engine.check import check_game as check
from playmill.engine.check import config_bounds as check_bounds
from playmill.engine.check.findings import CheckError
from playmill.starters import begin

_NUMBERS = itertools.count()
BOUNDS = check_bounds.check_bounds
#: Two numbers of which the one must not be above the other, and a switch.
TWO = """
from pydantic import Field, model_validator

from playmill.engine.config.model import ConfigError, RuleConfig


class Config(RuleConfig):
    pair: int = Field(default=5, ge=0, le=50)
    most: int = Field(default=9, ge=1, le=60)
    open: bool = Field(default=True)
    name: int = Field(default=1)

    @model_validator(mode="after")
    def _agree(self):
        if self.pair > self.most:
            raise ConfigError("pair", "too many", "слишком много")
        return self
"""


def written(folder: Path, *, config: str | None = None, setup: str = "") -> Game:
    """A game of cards with a small field `prize`, which `setup` fills, and perhaps with settings of its own."""
    name = f"bounded{next(_NUMBERS)}"
    begin(name, "cards", "en", folder)
    rules = folder / name / "rules.py"
    text = rules.read_text(encoding="utf-8")
    for was, now in (
        ('("player", np.int8)', '("player", np.int8), ("prize", np.int8)'),
        ("    s.players", setup + "    s.players"),
    ):
        assert was in text
        text = text.replace(was, now, 1)
    rules.write_text(text, encoding="utf-8")
    if config is not None:
        (folder / name / "config.py").write_text(config, encoding="utf-8")
    return load_game(str(folder / name))


def test_a_number_that_outgrows_its_field_only_at_a_bound_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = written(tmp_path, setup="    s.prize = 3 * cfg.pair\n")
    for lang, wanted in (("en", "a number does not fit where it is kept"), ("ru", "число не помещается")):
        assert main(["check", str(tmp_path / game.name), "--games", "1", "--players", "2", "--lang", lang]) == 2
        told = capsys.readouterr().err.strip().splitlines()
        assert len(told) == 1 and wanted in told[0] and "`s.prize = 3 * cfg.pair`" in told[0], told
        assert f"playmill show {tmp_path / game.name} --seed 1 --number 0 --set pair=50 --boards" in told[0]


def test_what_is_wrong_by_default_is_told_without_a_bound(tmp_path: Path) -> None:
    with pytest.raises(CheckError) as caught:
        check.check_game(written(tmp_path, setup="    s.prize = 300 + cfg.pair\n"), games=1)
    assert "--set" not in str(caught.value)


def test_each_bound_is_tried_alone_and_all_at_once_where_that_can_be(tmp_path: Path) -> None:
    game = written(tmp_path, config=TWO)
    tried = [*check_bounds._bounds(game.config())]
    assert tried == [
        {"pair": 50, "most": 60, "open": False},
        {"pair": 0, "most": 1, "open": False},
        {"pair": 50},
        {"pair": 0},
        {"most": 60},
        {"most": 1},
        {"open": False},
    ]
    found = BOUNDS(game, game.config(), [2, 3])
    assert found.configs == 5, "pair=50 and most=1 contradict the other number"
    assert found.settings == {"pair", "most", "open"} and found.games == 3 * 5 and found.left == 0


def test_it_says_what_it_tried_and_what_there_was_no_time_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for compiled in ("check_looks", "check_backends"):
        monkeypatch.setattr(check, compiled, lambda *_, **more: None)
    monkeypatch.setattr(check_bounds, "_ACTIONS", 20)
    folder = str(tmp_path / written(tmp_path, config=TWO).name)
    for lang, wanted in (
        ("en", "together: 3 (configs: 2, left out for lack of time: 5; games: 2)"),
        ("ru", "вместе: 3 (вариантов: 2, не успели проверить: 5; партий: 2)"),
    ):
        assert main(["check", folder, "--games", "1", "--players", "2", "--lang", lang]) == 0
        assert wanted in capsys.readouterr().out
