"""The config file of Grid: what it says, what is refused and how, and the record made of it."""

from __future__ import annotations

import copy
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill import simulate
from playmill.cli import main
from playmill.engine.config.model import differences, load_config, unknown_keys
from playmill.games.grid.config import FILE, Config, card_fields, shipped, windows_of
from playmill.games.grid.config.parts import ALWAYS_ON, TWINS
from playmill.games.grid.config.record import Numbers
from playmill.games.grid.constants import CELL_WINDOWS, DECK, LINE_4, LINE_5, NO_REWARD, SQUARE, WINDOWS
from playmill.texts import PlaymillError

PAGE_PATTERNS = """
A 20 RWD9 9   square_3x3 9 R3_square_stripes      C3_square_flag
B 15 RWD6 6   square_3x3 9 R3_square_stripes      C4_square_latin
C 16 RWD8 8   square_3x3 9 R4_square_two_axes     C3_square_flag
D 13 RWD3 3   square_3x3 9 R4_square_two_axes     C4_square_latin
E 8  RWD5 5   line_len_5 5 R1_line_sequence_step1 C1_line_monochrome
F 6  RWD2 2   line_len_5 5 R1_line_sequence_step1 C2_line_all_distinct
G 14 RWD10 10 line_len_5 5 R2_line_all_equal      C2_line_all_distinct
H 7  RWD4 4   line_len_4 4 R1_line_sequence_step1 C1_line_monochrome
I 6  RWD1 1   line_len_4 4 R1_line_sequence_step1 C2_line_all_distinct
J 9  RWD7 7   line_len_4 4 R2_line_all_equal      C2_line_all_distinct
"""
PAGE_REWARDS = """
RWD1  remove                self         no  no/no   self_card_coord
RWD2  take_from_discard_top discard      yes no/no   self_empty_cell_coord
RWD3  move                  self         no  no/no   self_card_coord self_empty_cell_coord
RWD4  extra_turn            self         no  no/no
RWD5  skip_turn             next_player  no  no/no
RWD6  remove                any_opponent no  yes/no  opponent_id opponent_card_coord
RWD7  move                  any_opponent no  yes/yes opponent_id opponent_card_coord opponent_empty_cell_coord
RWD8  take_from_discard_any discard      yes no/no   discard_card_ref self_empty_cell_coord
RWD9  spawn_joker           self         yes no/no   self_empty_cell_coord
RWD10 steal                 any_opponent yes yes/no  opponent_id opponent_card_coord self_empty_cell_coord
"""
MISSING = object()


def file_data() -> Any:
    text = resources.files("playmill.games.grid.config").joinpath("data", FILE).read_text(encoding="utf-8")
    return json.loads(text)


def edited(changes: dict[str, Any]) -> Any:
    """The shipped file with values put at, or taken from, JSON paths."""
    data = copy.deepcopy(file_data())
    for path, value in changes.items():
        *steps, last = (int(step) if step.isdecimal() else step for step in path.split("."))
        place = data
        for step in steps:
            place = place[step]
        if value is MISSING:
            del place[last]
        else:
            place[last] = value
    return data


def packed(*changes: str, players: int = 2) -> Any:
    return Config().changed(changes).pack(players)[0]


def refused(changes: dict[str, Any]) -> PlaymillError:
    with pytest.raises(PlaymillError) as caught:
        Config.read(edited(changes), "my.json")
    return caught.value


def test_the_shipped_file_is_the_default() -> None:
    assert Config.read(file_data()) == Config() == shipped()
    assert Config().file() == file_data()
    assert list(Config().model_dump(mode="json")) == list(file_data())
    assert differences(Config()) == {}


def written_out(optional: bool = True) -> dict[str, Any]:
    """The shipped rules with `optional` at every pattern and every reward, and notes where they come from."""
    data = file_data()
    for pattern in data["patterns"]:
        pattern["reward"]["optional"] = optional
        pattern["source_ref"] = {"page": 4}
    for reward in data["rewards"]:
        reward["optional"] = optional
    return data


def test_what_says_the_default_in_other_words_is_no_change() -> None:
    config = Config.read(written_out())
    assert config != Config() and differences(config) == {}
    run = simulate("grid", games=1, config=config)
    assert run.info.changes == {} and "--set" not in run.info.command
    assert run.results == simulate("grid", games=1).results


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (["rewards.RWD4.optional=false"], {"patterns.H.reward.optional": False}),
        (["rewards.RWD4.optional=false", "patterns.H.reward.optional=true"], {}),
        (["game.rewards.optional_by_default=false"], {"game.rewards.optional_by_default": False}),
        (["patterns.A.vp=21", "patterns.A.reward.optional=true"], {"patterns.A.vp": 21}),
    ],
)
def test_optional_is_told_where_it_has_an_effect(changes: list[str], told: dict[str, Any]) -> None:
    assert differences(Config().changed(changes)) == told


def test_mandatory_everywhere_is_one_change_however_it_is_said() -> None:
    assert differences(Config.read(written_out(False))) == {"game.rewards.optional_by_default": False}


def test_the_plainest_form_plays_alike() -> None:
    for data in (written_out(), written_out(False), edited({"rewards.3.optional": False, "patterns.7.vp": 8})):
        config = Config.read(data)
        assert config.plainest().pack(3).tobytes() == config.pack(3).tobytes()
        assert config.plainest().plainest() == config.plainest()


def test_the_order_of_patterns_rewards_and_names_has_no_say() -> None:
    data = file_data()
    for found in (data["patterns"], data["rewards"], *data["enums"].values()):
        found.reverse()
    assert Config.read(data) == Config()


def test_a_config_round_trips() -> None:
    config = Config().changed(["patterns.C.vp=18", "game.joker.enabled=false"])
    assert Config.read(config.model_dump(mode="json")) == config
    assert config != Config()


def test_the_frame_is_that_of_the_page() -> None:
    data = file_data()
    assert list(data) == ["version", "game", "enums", "patterns", "rewards", "termination", "agent_contract"]
    assert data["version"] == "0.1"
    game = data["game"]
    assert game["players"] == {
        "min_players": 2,
        "max_players": 4,
        "turn_direction": "clockwise",
        "next_player_definition": "left",
    }
    assert game["deck"] == {
        "ranks": [1, 2, 3, 4, 5, 6],
        "colors": [1, 2, 3, 4, 5],
        "shapes": [1, 2, 3],
        "unique_cards": True,
        "total_cards": 90,
    }
    zone = {"shape": "square", "size": 3, "position": "center"}
    assert game["grid"] == {"width": 5, "height": 5, "protected_zone": zone}
    assert game["draft"] == {"reveal": 3, "pick_self": 1, "pass_next_player": 1, "discard": 1}
    assert game["patterns"] == {
        "auto_trigger": True,
        "auto_clear_after_trigger": True,
        "multi_trigger_resolution_order": "agent_choice",
    }
    assert game["rewards"] == {
        "optional_by_default": True,
        "extra_turn_ignored_if_deck_empty": True,
        "opponent_actions_forbid_touch_protected_zone": True,
        "opponent_actions_forbid_move_into_or_out_of_protected_zone": True,
        "reward_placement_failure_does_not_end_game": True,
    }
    assert game["joker"] == {"enabled": True, "matches_any_rank": True, "matches_any_color": True}
    assert data["termination"] == {
        "end_if_deck_less_than_reveal_before_phase2": True,
        "reveal_required_cards": 3,
        "end_if_no_space_for_mandatory_hand_placement": True,
        "end_if_no_space_for_mandatory_draft_placement": True,
        "do_not_end_if_no_space_for_reward_placement": True,
        "extra_turn_ignored_if_deck_empty": True,
        "deck_empty_allows_phase1_for_next_players": True,
    }
    assert data["agent_contract"] == {"fallback_policy_on_invalid_choice": "random_valid_with_logging"}


def test_the_patterns_are_those_of_the_page() -> None:
    rows = [line.split() for line in PAGE_PATTERNS.strip().splitlines()]
    assert len(rows) == len(Config().patterns) == 10
    for pattern, (letter, vp, reward, difficulty, shape, size, rank, color) in zip(
        Config().patterns, rows, strict=True
    ):
        assert (pattern.id, pattern.vp, pattern.reward.id) == (letter, int(vp), reward)
        assert (pattern.difficulty_rank, pattern.size_cards) == (int(difficulty), int(size))
        assert (pattern.shape, pattern.rank_rule, pattern.color_rule) == (shape, rank, color)


def test_the_rewards_are_those_of_the_page() -> None:
    rows = [line.split() for line in PAGE_REWARDS.strip().splitlines()]
    assert len(rows) == len(Config().rewards) == 10
    for reward, (name, action, scope, cell, bans, *choices) in zip(Config().rewards, rows, strict=True):
        assert (reward.id, reward.action_type, reward.target_scope) == (name, action, scope)
        limits = reward.constraints
        assert limits.requires_free_cell_on_self_board == (cell == "yes")
        source, destination = bans.split("/")
        assert limits.forbid_opponent_protected_zone_as_source == (source == "yes")
        assert limits.forbid_opponent_protected_zone_as_destination == (destination == "yes")
        assert reward.agent_choices == [f"choose_{choice}" for choice in choices]


def test_the_schema_asks_for_every_key() -> None:
    schema = Config.model_json_schema()
    assert schema["required"] == list(file_data())
    assert schema["$defs"]["Draft"]["required"] == list(file_data()["game"]["draft"])


RULES_OF_SQUARES = "'R3_square_stripes', 'R4_square_two_axes'"
ALL_REWARDS = "'RWD1', 'RWD2', 'RWD3', 'RWD4', 'RWD5', 'RWD6', 'RWD7', 'RWD8', 'RWD9'"

MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"version": 0.1}, "version is 0.1; expected a text in quotes"),
    ({"patterns.0.source_ref": "page 3"}, """patterns.0.source_ref is "page 3"; expected an object"""),
    ({"rewards.0.optional": "yes"}, """rewards.0.optional is "yes"; expected true or false"""),
    ({"patterns": {}}, "patterns is {}; expected a list"),
    ({"game.joker.enabled": 1}, "game.joker.enabled is 1; expected true or false"),
    # players
    ({"game.players.min_players": 1}, "game.players.min_players is 1; expected at least 2"),
    (
        {"game.players.min_players": 4, "game.players.max_players": 3},
        "game.players.min_players: 4, but game.players.max_players is 3; expected at most that",
    ),
    (
        {"game.players.next_player_definition": "right"},
        "game.players.next_player_definition: 'right', but game.players.turn_direction is 'clockwise'; expected 'left'",
    ),
    (
        {"game.players.turn_direction": "counterclockwise"},
        "game.players.next_player_definition: 'left', but game.players.turn_direction is 'counterclockwise'; "
        "expected 'right'",
    ),
    # deck
    (
        {"game.deck.total_cards": 91},
        "game.deck.total_cards: 91, but game.deck.ranks, colors and shapes make 6·5·3 = 90; expected 90",
    ),
    ({"game.deck.ranks": []}, "game.deck.ranks is []; expected at least 1 entries"),
    ({"game.deck.ranks": [1, 2, 2]}, "game.deck.ranks.2: 2 is game.deck.ranks.1 already; expected each once"),
    ({"game.deck.colors": [7, 1, 7]}, "game.deck.colors.2: 7 is game.deck.colors.0 already; expected each once"),
    (
        {"game.deck.colors": [1, 2, 3, 4, 5, 6, 7, 8, 9]},
        "game.deck.colors is [1, 2, 3, 4, 5, 6, 7, 8, 9]; expected at most 8 entries",
    ),
    ({"game.deck.shapes": [4, 4]}, "game.deck.shapes.1: 4 is game.deck.shapes.0 already; expected each once"),
    ({"game.deck.unique_cards": False}, "game.deck.unique_cards: false is not supported; expected true"),
    (
        {"game.deck.ranks": [1], "game.deck.colors": [1, 2], "game.deck.shapes": [1], "game.deck.total_cards": 2},
        "game.deck.total_cards: 2, but game.draft.reveal is 3; expected at least that many cards",
    ),
    # grid
    (
        {"game.grid.width": 6},
        "game.grid.width: 6 leaves no centre for the protected zone (game.grid.protected_zone.size = 3); "
        "expected one of 3, 5, 7",
    ),
    (
        {"game.grid.protected_zone.size": 5, "game.grid.height": 6},
        "game.grid.height: 6 leaves no centre for the protected zone (game.grid.protected_zone.size = 5); "
        "expected one of 5, 7",
    ),
    (
        {"game.grid.protected_zone.size": 4},
        "game.grid.protected_zone.size: 4 is even; "
        "expected one of 1, 3, 5 on a board of 5×5 (game.grid.width, game.grid.height)",
    ),
    (
        {"game.grid.protected_zone.size": 5, "game.grid.height": 3},
        "game.grid.protected_zone.size: 5 is larger than the board; "
        "expected one of 1, 3 on a board of 5×3 (game.grid.width, game.grid.height)",
    ),
    # draft
    (
        {"game.draft.reveal": 4, "termination.reveal_required_cards": 4},
        "game.draft.reveal: 4, but game.draft.pick_self + pass_next_player + discard make 1 + 1 + 1 = 3; expected 3",
    ),
    # switches that are always on
    (
        {"game.patterns.auto_clear_after_trigger": False},
        "game.patterns.auto_clear_after_trigger: false is not supported; expected true",
    ),
    (
        {"termination.end_if_deck_less_than_reveal_before_phase2": False},
        "termination.end_if_deck_less_than_reveal_before_phase2: false is not supported; expected true",
    ),
    # said twice
    (
        {"game.draft.reveal": 4, "game.draft.discard": 2},
        "game.draft.reveal: 4, but termination.reveal_required_cards is 3; expected the same at both",
    ),
    (
        {"termination.extra_turn_ignored_if_deck_empty": False},
        "game.rewards.extra_turn_ignored_if_deck_empty: true, "
        "but termination.extra_turn_ignored_if_deck_empty is false; expected the same at both",
    ),
    (
        {"game.rewards.reward_placement_failure_does_not_end_game": False},
        "game.rewards.reward_placement_failure_does_not_end_game: false, "
        "but termination.do_not_end_if_no_space_for_reward_placement is true; expected the same at both",
    ),
    # enums
    (
        {"enums.pattern_shape.2": MISSING},
        "enums.pattern_shape: 'line_len_4' is missing; expected each of 'square_3x3', 'line_len_5', 'line_len_4'",
    ),
    (
        {"enums.color_rule": []},
        "enums.color_rule: 'C1_line_monochrome', 'C2_line_all_distinct', 'C3_square_flag', 'C4_square_latin' "
        "are missing; expected each of "
        "'C1_line_monochrome', 'C2_line_all_distinct', 'C3_square_flag', 'C4_square_latin'",
    ),
    (
        {"enums.reward_id.4": "RWD1"},
        "enums.reward_id.4: 'RWD1' is enums.reward_id.0 already; expected each once",
    ),
    # patterns
    ({"patterns": []}, "patterns is []; expected at least 1 entries"),
    (
        {"patterns.2.rank_rule": "R9"},
        "patterns.2.rank_rule is \"R9\"; expected one of 'R1_line_sequence_step1', 'R2_line_all_equal', "
        "'R3_square_stripes' or 'R4_square_two_axes'",
    ),
    ({"patterns.3.id": "C"}, "patterns.3.id: 'C' is patterns.2.id already; expected each once"),
    ({"patterns.4.size_cards": 4}, "patterns.4.size_cards: 4, but patterns.4.shape is 'line_len_5'; expected 5"),
    (
        {"patterns.0.rank_rule": "R2_line_all_equal"},
        "patterns.0.rank_rule: 'R2_line_all_equal', but patterns.0.shape is 'square_3x3'; "
        f"expected one of {RULES_OF_SQUARES}",
    ),
    (
        {"patterns.7.color_rule": "C3_square_flag"},
        "patterns.7.color_rule: 'C3_square_flag', but patterns.7.shape is 'line_len_4'; "
        "expected one of 'C1_line_monochrome', 'C2_line_all_distinct'",
    ),
    # rewards
    (
        {"rewards.3": MISSING},
        f"rewards: 'RWD4' is missing; expected each of {ALL_REWARDS}, 'RWD10'",
    ),
    ({"rewards.3.id": "RWD3"}, "rewards.3.id: 'RWD3' is rewards.2.id already; expected each once"),
    (
        {"rewards.0.action_type": "move"},
        'rewards.0.action_type: "move", but what RWD1 does cannot be changed; expected "remove"',
    ),
    (
        {"rewards.4.target_scope": "any_opponent"},
        'rewards.4.target_scope: "any_opponent", but what RWD5 does cannot be changed; expected "next_player"',
    ),
    (
        {"rewards.2.agent_choices": ["choose_self_empty_cell_coord", "choose_self_card_coord"]},
        'rewards.2.agent_choices: ["choose_self_empty_cell_coord", "choose_self_card_coord"], '
        "but what RWD3 does cannot be changed; "
        'expected ["choose_self_card_coord", "choose_self_empty_cell_coord"]',
    ),
]


@pytest.mark.parametrize(("changes", "sentence"), MISTAKES, ids=[sentence[:60] for _, sentence in MISTAKES])
def test_a_mistake_gets_its_sentence(changes: dict[str, Any], sentence: str) -> None:
    error = refused(changes)
    assert str(error) == error.text.en == f"my.json: {sentence}"
    path = re.match(r"(?:the key |there is no key )?'?([\w.]+)", sentence)
    assert path is not None and path[1] in error.text.ru
    assert re.search("[а-я]", error.text.ru) and error.text.ru != error.text.en
    assert "\n" not in error.text.en + error.text.ru


def test_more_patterns_than_the_counts_hold_are_refused() -> None:
    error = refused({"patterns": file_data()["patterns"] + file_data()["patterns"][:3]})
    assert str(error).startswith("my.json: patterns is [") and str(error).endswith("expected at most 12 entries")


@pytest.mark.parametrize("data", [[], None, 5, "text"])
def test_a_file_that_is_no_object_is_refused(data: object) -> None:
    with pytest.raises(PlaymillError, match=r"^my.json: config is .*; expected an object$"):
        Config.read(data, "my.json")


@pytest.mark.parametrize("path", [path for pair in TWINS for path in pair])
def test_both_paths_of_a_contradiction_are_named(path: str) -> None:
    wrong: Any = 4 if "reveal" in path else False
    error = refused({path: wrong})
    first, second = next(pair for pair in TWINS if path in pair)
    for text in error.text:
        assert first in text and second in text


def test_every_key_of_the_file_is_asked_for() -> None:
    reward = re.compile(r"patterns\.\d+\.reward")

    def keys(data: Any, path: str) -> list[str]:
        entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
        mine = [f"{path}{key}" for key in data] if isinstance(data, dict) else []
        return mine + [deep for key, value in entries for deep in keys(value, f"{path}{key}.")]

    for path in keys(file_data(), ""):
        if not reward.fullmatch(path):
            assert str(refused({path: MISSING})) == f"my.json: the key {path!r} is missing"


@pytest.mark.parametrize("path", ["patterns.0.reward.optional", "rewards.3.optional"])
def test_optional_may_be_missing_or_null(path: str) -> None:
    assert Config.read(edited({path: None})) == Config()


@pytest.mark.parametrize("version", ["0.2", "2026-11 draft", ""])
def test_any_version_is_taken_and_plays_the_same(version: str) -> None:
    config = Config.read(edited({"version": version}))
    assert config.version == version
    assert config.pack(3).tobytes() == Config().pack(3).tobytes()
    assert differences(config) == {}


UNKNOWN = {"author": "us", "game.joker.wild": True, "patterns.0.reward.source_ref": {}, "rewards.3.note": [1]}


def test_unknown_keys_are_kept_and_have_no_effect() -> None:
    config = Config.read(edited(UNKNOWN))
    assert unknown_keys(config) == sorted(UNKNOWN, key=["author", *UNKNOWN].index)
    assert config.pack(2).tobytes() == Config().pack(2).tobytes()
    assert differences(config) == {}
    data = config.file()
    assert (data["author"], data["game"]["joker"]["wild"], data["rewards"][3]["note"]) == ("us", True, [1])
    assert Config.read(data) == config


def test_unknown_keys_are_named_in_one_warning_or_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(edited(UNKNOWN)), encoding="utf-8")
    named = ", ".join(map(repr, UNKNOWN))
    load_config(Config, file, ["patterns.J.vp=10"])
    assert capsys.readouterr().err == f"playmill: {file}: these keys have no effect: {named}\n"
    with pytest.raises(PlaymillError) as caught:
        load_config(Config, file, [], strict=True)
    assert caught.value.text.en == f"{file}: there is no key {named}"
    assert caught.value.text.ru == f"{file}: нет такого ключа: {named}"
    assert main(["simulate", "grid", "--games", "1", "--config", str(file), "--strict-config"]) == 2
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("reward", [MISSING, None])
def test_a_pattern_may_have_no_reward(reward: object) -> None:
    config = Config.read(edited({"patterns.8.reward": reward}))
    numbers = config.pack(2)[0]
    assert numbers["pattern_reward"][:10].tolist() == [8, 5, 7, 2, 4, 1, 9, 3, NO_REWARD, 6]
    assert "reward" not in config.file()["patterns"][8]
    assert Config.read(config.file()) == config
    assert config.plainest().patterns[8].reward is None


def test_twelve_patterns_are_counted_by_their_letters() -> None:
    data = edited({})
    for letter, like in (("K", 4), ("L", 7)):
        data["patterns"].append({**data["patterns"][like], "id": letter, "rank_rule": "R2_line_all_equal", "vp": 3})
    numbers = Config.read(data).pack(2)[0]
    assert (numbers["patterns"], numbers["pattern_letter"].tolist()) == (12, list(range(12)))
    easy = ["game.deck.ranks=[1]", "game.deck.colors=[1]", f"game.deck.shapes={list(range(1, 41))}"]
    run = simulate("grid", games=20, agents="greedy", config=Config.read(data), set=[*easy, "game.deck.total_cards=40"])
    assert list(run.results["pattern_counts"]) == list("ABCDEFGHIJKL")
    assert run.results["pattern_counts"]["L"] > 0
    assert {name for name in run.seats.columns if name.startswith("patterns_")} == {
        f"patterns_{letter}" for letter in "ABCDEFGHIJKL"
    }


def test_what_the_config_command_prints_has_no_null(capsys: pytest.CaptureFixture[str]) -> None:
    """A loader that knows no null, as the authors' own, reads it; and it is the shipped file."""
    assert main(["config", "grid"]) == 0
    text = capsys.readouterr().out
    assert "null" not in text
    assert json.loads(text) == file_data()


def test_source_ref_is_ignored() -> None:
    config = Config.read(edited({"patterns.0.source_ref": {"page": 3, "deep": {"any": [1]}}}))
    assert config == Config()
    assert "source_ref" not in config.model_dump(mode="json")["patterns"][0]


def test_the_order_of_names_is_free() -> None:
    turned = edited({})
    for name in turned["enums"]:
        turned["enums"][name].reverse()
    turned["rewards"].reverse()
    assert Config.read(turned).pack(2).tobytes() == Config().pack(2).tobytes()


def test_fewer_players_may_be_allowed() -> None:
    config = Config().changed(["game.players.min_players=3", "game.players.max_players=3"])
    assert config.pack(3)[0]["players"] == 3
    for players in (2, 4):
        with pytest.raises(PlaymillError) as caught:
            config.pack(players)
        assert str(caught.value) == (f"{players} players; expected 3…3 (game.players.min_players and max_players)")
        assert caught.value.text.ru.startswith(f"игроков: {players}; ожидается: 3…3")


@pytest.mark.parametrize("players", [0, 1, 5])
def test_two_to_four_play(players: int) -> None:
    with pytest.raises(PlaymillError, match=rf"^{players} players; expected 2…4 "):
        Config().pack(players)


def test_set_reaches_entries_by_their_id() -> None:
    config = Config().changed(["patterns.C.vp=18", "patterns.C.reward.id=RWD2", "game.grid.width=7"])
    assert (config.patterns[2].vp, config.patterns[2].reward.id, config.game.grid.width) == (18, "RWD2", 7)
    config = Config().changed(["rewards.RWD10.constraints.requires_free_cell_on_self_board=false"])
    assert not config.rewards[9].constraints.requires_free_cell_on_self_board


@pytest.mark.parametrize("side", [0, 1])
def test_set_changes_both_twins(side: int) -> None:
    config = Config().changed([f"{TWINS[0][side]}=4", "game.draft.discard=2"])
    assert config.game.draft.reveal == config.termination.reveal_required_cards == 4
    config = Config().changed([f"{pair[side]}=false" for pair in TWINS[1:]])
    assert not config.game.rewards.extra_turn_ignored_if_deck_empty
    assert not config.termination.extra_turn_ignored_if_deck_empty
    assert not config.game.rewards.reward_placement_failure_does_not_end_game
    assert not config.termination.do_not_end_if_no_space_for_reward_placement


def test_set_of_contradicting_twins_is_refused() -> None:
    with pytest.raises(PlaymillError, match="expected the same at both"):
        Config().changed(["game.draft.reveal=4", "game.draft.discard=2", "termination.reveal_required_cards=3"])


def test_set_changes_a_sum_with_its_parts() -> None:
    with pytest.raises(PlaymillError, match=r"game\.draft\.reveal: 4, but .* = 3; expected 3"):
        Config().changed(["game.draft.reveal=4"])
    config = Config().changed(["game.deck.total_cards=108", "game.deck.colors=[1,2,3,4,5,6]"])
    assert config.game.deck.total_cards == 108
    assert set(differences(config)) == {"game.deck.colors", "game.deck.total_cards"}


def test_set_of_an_unknown_path_names_the_known_ones() -> None:
    with pytest.raises(PlaymillError, match=r"patterns has no 'K'; it has: A, B, C"):
        Config().changed(["patterns.K.vp=1"])
    with pytest.raises(PlaymillError, match="expected path=value"):
        Config().changed(["patterns"])


SWITCHES = {
    "game.joker.enabled": "joker",
    "game.joker.matches_any_rank": "joker_any_rank",
    "game.joker.matches_any_color": "joker_any_colour",
    "game.patterns.auto_trigger": "auto_trigger",
    "game.rewards.optional_by_default": "pattern_optional",
    "game.rewards.opponent_actions_forbid_touch_protected_zone": "touch_ban",
    "game.rewards.opponent_actions_forbid_move_into_or_out_of_protected_zone": "cross_ban",
    "game.rewards.reward_placement_failure_does_not_end_game": "failure_is_harmless",
    "game.rewards.extra_turn_ignored_if_deck_empty": "extra_needs_deck",
    "termination.do_not_end_if_no_space_for_reward_placement": "failure_is_harmless",
    "termination.extra_turn_ignored_if_deck_empty": "extra_needs_deck",
    "termination.end_if_no_space_for_mandatory_hand_placement": "end_without_hand_cell",
    "termination.end_if_no_space_for_mandatory_draft_placement": "end_without_draft_cell",
    "termination.deck_empty_allows_phase1_for_next_players": "play_on_without_deck",
    "patterns.C.reward.optional": "pattern_optional",
    "rewards.RWD9.optional": "pattern_optional",
    "rewards.RWD9.constraints.requires_free_cell_on_self_board": "needs_cell",
    "rewards.RWD6.constraints.forbid_opponent_protected_zone_as_source": "ban_source",
    "rewards.RWD7.constraints.forbid_opponent_protected_zone_as_destination": "ban_target",
}
NUMBERS = {
    "patterns.C.vp=18": {"pattern_vp", "points"},
    "patterns.C.reward.id=RWD2": {"pattern_reward"},
    "patterns.A.color_rule=C4_square_latin": {"pattern_colour", "pattern_rules", "points"},
    "patterns.A.rank_rule=R4_square_two_axes": {"pattern_rank", "pattern_rules", "points"},
    "game.grid.protected_zone.size=1": {"zone"},
    "game.draft.pick_self=2 game.draft.discard=0": {"pick_self"},
    "game.draft.pass_next_player=0 game.draft.discard=2": {"pass_next"},
    "game.draft.reveal=4 game.draft.discard=2": {"reveal"},
    "game.players.turn_direction=counterclockwise game.players.next_player_definition=right": {"step"},
    "game.deck.ranks=[2,3,4,5,6,7]": {"rank", "rank_bits", "low_rank", "high_rank", "starts"},
}


def different(changes: list[str]) -> set[str]:
    mine, default = packed(*changes), packed()
    names = Numbers.names or ()
    return {name for name in names if not np.array_equal(mine[name], default[name])}


@pytest.mark.parametrize("path", SWITCHES)
def test_a_switch_switches(path: str) -> None:
    assert different([f"{path}=false"]) == {SWITCHES[path]}


@pytest.mark.parametrize("changes", NUMBERS)
def test_a_number_reaches_the_record(changes: str) -> None:
    assert different(changes.split(" ")) == NUMBERS[changes]


def test_every_switch_of_the_file_is_live_or_refused() -> None:
    def switches(data: Any, path: str) -> list[str]:
        if isinstance(data, dict):
            return [deep for key, value in data.items() for deep in switches(value, f"{path}.{key}")]
        return [path[1:]] if isinstance(data, bool) else []

    data = file_data()
    found = switches({"game": data["game"], "termination": data["termination"]}, "")
    assert set(found) == {path for path in SWITCHES if not path.startswith(("patterns", "rewards"))} | set(ALWAYS_ON)
    for path in ALWAYS_ON:
        with pytest.raises(PlaymillError, match=f"{path}: false is not supported"):
            Config().changed([f"{path}=false"])


def test_the_first_given_optional_decides() -> None:
    off = ["game.rewards.optional_by_default=false"]
    assert packed(*off)["pattern_optional"][:10].tolist() == [0] * 10
    assert packed(*off, "rewards.RWD8.optional=true")["pattern_optional"][:10].tolist() == [0, 0, 1] + [0] * 7
    both = ["rewards.RWD8.optional=true", "patterns.C.reward.optional=false"]
    assert packed(*both)["pattern_optional"][:10].tolist() == [1, 1, 0] + [1] * 7
    assert packed(*off, "patterns.J.reward.optional=true")["pattern_optional"][:10].tolist() == [0] * 9 + [1]


def test_the_record_of_the_shipped_file() -> None:
    numbers = packed(players=3)
    assert (numbers["players"], numbers["step"], numbers["cells"], numbers["cards"]) == (3, 1, 25, 90)
    assert (numbers["reveal"], numbers["pick_self"], numbers["pass_next"]) == (3, 1, 1)
    assert (numbers["rank_bits"], numbers["low_rank"], numbers["high_rank"], numbers["colours"]) == (126, 1, 6, 5)
    assert [cell for cell in range(25) if numbers["zone"] >> cell & 1] == [6, 7, 8, 11, 12, 13, 16, 17, 18]
    assert numbers["patterns"] == 10
    assert numbers["pattern_letter"][:10].tolist() == list(range(10))
    assert numbers["pattern_shape"][:10].tolist() == [SQUARE] * 4 + [LINE_5] * 3 + [LINE_4] * 3
    assert numbers["pattern_rank"][:10].tolist() == [2, 2, 3, 3, 0, 0, 1, 0, 0, 1]
    assert numbers["pattern_colour"][:10].tolist() == [2, 3, 2, 3, 0, 1, 1, 0, 1, 1]
    assert numbers["pattern_vp"][:10].tolist() == [20, 15, 16, 13, 8, 6, 14, 7, 6, 9]
    assert numbers["pattern_reward"][:10].tolist() == [8, 5, 7, 2, 4, 1, 9, 3, 0, 6]
    assert numbers["needs_cell"].tolist() == [0, 1, 0, 0, 0, 0, 0, 1, 1, 1]
    assert numbers["ban_source"].tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 1]
    assert numbers["ban_target"].tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert numbers["shape_used"].tolist() == [1, 1, 1]


def test_some_patterns_only() -> None:
    data = edited({"patterns": [file_data()["patterns"][9], file_data()["patterns"][2]]})
    numbers = Config.read(data).pack(2)[0]
    assert numbers["patterns"] == 2
    assert numbers["pattern_letter"][:10].tolist() == [2, 9] + [0] * 8
    assert numbers["pattern_vp"][:10].tolist() == [16, 9] + [0] * 8
    assert numbers["shape_used"][[SQUARE, LINE_5, LINE_4]].tolist() == [1, 0, 1]


def test_cards_go_by_rank_then_color_then_shape() -> None:
    config = Config()
    assert card_fields(config, 1) == {"rank": 1, "color": 1, "shape": 1}
    assert card_fields(config, 2) == {"rank": 1, "color": 1, "shape": 2}
    assert card_fields(config, 4) == {"rank": 1, "color": 2, "shape": 1}
    assert card_fields(config, 16) == {"rank": 2, "color": 1, "shape": 1}
    assert card_fields(config, 90) == {"rank": 6, "color": 5, "shape": 3}
    assert len({tuple(card_fields(config, card).values()) for card in range(1, 91)}) == 90


def test_ranks_and_colors_may_have_gaps() -> None:
    changes = ["game.deck.ranks=[12,2,3]", "game.deck.colors=[40,7]", "game.deck.shapes=[9]", "game.deck.total_cards=6"]
    config = Config().changed(changes)
    numbers = config.pack(2)[0]
    assert numbers["rank"][:8].tolist() == [0, 12, 12, 2, 2, 3, 3, 0]
    assert numbers["colour"][:8].tolist() == [0, 0, 1, 0, 1, 0, 1, 0]
    assert (numbers["low_rank"], numbers["high_rank"]) == (2, 12)
    assert numbers["rank_bits"] == 1 << 12 | 1 << 2 | 1 << 3
    assert card_fields(config, 2) == {"rank": 12, "color": 7, "shape": 9}


@given(st.integers(1, 12), st.integers(1, 8), st.integers(1, 8))
@settings(deadline=None, max_examples=share(40))
def test_the_record_and_the_words_know_the_same_cards(ranks: int, colors: int, shapes: int) -> None:
    total = ranks * colors * shapes
    if not 3 <= total <= DECK:
        return
    deck = {
        "ranks": list(range(1, ranks + 1)),
        "colors": list(range(1, colors + 1)),
        "shapes": list(range(1, shapes + 1)),
        "unique_cards": True,
        "total_cards": total,
    }
    config = Config.read(edited({"game.deck": deck}))
    numbers = config.pack(4)[0]
    for card in range(1, total + 1):
        fields = card_fields(config, card)
        assert fields["rank"] == numbers["rank"][card]
        assert fields["color"] == config.game.deck.colors[numbers["colour"][card]]
        assert fields["shape"] == config.game.deck.shapes[numbers["shape"][card]]


def sized(width: int, height: int, zone: int = 1) -> Config:
    return Config().changed(
        [f"game.grid.width={width}", f"game.grid.height={height}", f"game.grid.protected_zone.size={zone}"]
    )


@pytest.mark.parametrize(
    ("width", "height", "squares", "fives", "fours"),
    [(5, 5, 9, 10, 20), (7, 7, 25, 42, 56), (3, 3, 1, 0, 0), (7, 3, 5, 9, 12), (3, 5, 3, 3, 6)],
)
def test_windows_of_a_board(width: int, height: int, squares: int, fives: int, fours: int) -> None:
    shapes = [shape for shape, _ in windows_of(sized(width, height))]
    assert shapes == [SQUARE] * squares + [LINE_5] * fives + [LINE_4] * fours


def test_the_largest_board_fills_the_tables() -> None:
    numbers = sized(7, 7).pack(2)[0]
    assert numbers["windows"] == WINDOWS
    assert numbers["cell_windows"].max() <= CELL_WINDOWS


def test_windows_are_numbered_squares_first_rows_before_columns() -> None:
    windows = [cells for _, cells in windows_of(Config())]
    assert windows[0] == [0, 1, 2, 5, 6, 7, 10, 11, 12]
    assert windows[1][0] == 1
    assert windows[3][0] == 5
    assert windows[9] == [0, 1, 2, 3, 4]
    assert windows[13] == [20, 21, 22, 23, 24]
    assert windows[14] == [0, 5, 10, 15, 20]
    assert windows[19:21] == [[0, 1, 2, 3], [1, 2, 3, 4]]
    assert windows[21] == [5, 6, 7, 8]
    assert windows[29:31] == [[0, 5, 10, 15], [5, 10, 15, 20]]
    assert windows[38] == [9, 14, 19, 24]


SIDES = st.sampled_from([3, 5, 7])


@given(SIDES, SIDES, st.sampled_from([1, 3, 5, 7]), st.integers(2, 4))
@settings(deadline=None)
def test_a_board_packs_consistently(width: int, height: int, zone: int, players: int) -> None:
    if zone > min(width, height):
        with pytest.raises(PlaymillError, match="larger than the board"):
            sized(width, height, zone)
        return
    config = sized(width, height, zone)
    numbers = config.pack(players)[0]
    windows = windows_of(config)
    cells = width * height
    assert (numbers["cells"], numbers["windows"]) == (cells, len(windows))
    lying_in: list[list[int]] = [[] for _ in range(cells)]
    for number, (shape, mine) in enumerate(windows):
        assert numbers["window_shape"][number] == shape
        assert numbers["window_cell"][number, : len(mine)].tolist() == mine
        assert [cell for cell in range(49) if numbers["window_bits"][number] >> cell & 1] == sorted(mine) == mine
        for cell in mine:
            lying_in[cell].append(number)
    for cell in range(cells):
        assert numbers["cell_window"][cell, : numbers["cell_windows"][cell]].tolist() == lying_in[cell]
    assert not numbers["cell_windows"][cells:].any()
    inside = [cell for cell in range(49) if numbers["zone"] >> cell & 1]
    assert len(inside) == zone * zone
    assert [cells - 1 - cell for cell in reversed(inside)] == inside
    assert inside[-1] - inside[0] == (zone - 1) * (width + 1)
