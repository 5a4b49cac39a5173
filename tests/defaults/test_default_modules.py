"""A game is config, rules and words: everything else comes by itself, and is replaced where its author has more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from common.reports import run_of, tables_of
from playmill import Game, PlaymillError, State, load_game
from playmill.engine.run.backends import Interpreted
from playmill.engine.run.match import Match
from playmill.texts import Text

#: Everybody in turn takes one or two of nine stones; whoever takes the last one is paid.
NIM = {
    "config": """
        from pydantic import Field
        from playmill.engine.config.model import RuleConfig

        class Config(RuleConfig):
            stones: int = Field(default=9, ge=1, le=50, description="Stones at first.")
            prize: float = Field(default=1.0, ge=0, le=10_000, description="What the last one brings.")
            shared: bool = Field(default=False, description="Whether all are paid alike.")
    """,
    "rules": """
        import numpy as np
        from playmill import rule

        MIN_PLAYERS, MAX_PLAYERS, MAX_ACTIONS = 2, 3, 2
        State = np.dtype([("player", "i1"), ("last", "i1"), ("stones", "i2"), ("taken", "i2", (3, 2))], align=True)

        @rule
        def setup(cfg, s, rng):
            s.stones = cfg.stones

        @rule
        def legal_actions(cfg, s, out):
            out.ids[0], out.ids[1] = 0, 1
            return 0 if s.player < 0 else (2 if s.stones > 1 else 1)

        @rule
        def apply_action(cfg, s, action, rng):
            s.taken[s.player, action] += 1
            s.stones -= action + 1
            s.last = s.player
            s.player = -1 if s.stones == 0 else (s.player + 1) % cfg.players

        @rule
        def returns(cfg, s, out):
            for seat in range(cfg.players):
                out[seat] = cfg.prize if seat == s.last or cfg.shared else -cfg.prize
    """,
    "words": """
        TITLE = "Nim"
        ABOUT = "take the last stone"

        def describe(config, action):
            return f"takes {action + 1}"
    """,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Game]:
    """Makes a game of rooms, those of Nim but for what is given."""

    def make(name: str, **rooms: str) -> Game:
        folder = Path(tmp_path_factory.mktemp("games")) / name
        folder.mkdir()
        for room, text in {**NIM, **rooms}.items():
            (folder / f"{room}.py").write_text(dedent(text), encoding="utf-8")
        return load_game(str(folder))

    return make


@pytest.fixture(scope="module")
def nim(made: Callable[..., Game]) -> Game:
    return made("usual_nim")


def counts_of(game: Game, players: int, agents: tuple[int, ...], changes: list[str], games: int = 30) -> Any:
    config = game.config().changed(changes) if changes else game.config()
    match = Match(game, config, players, 1, (0,) * players, agents, ((),) * players)
    return Interpreted(match).play(0, games)


def test_three_rooms_are_a_game_that_is_played_to_its_end(nim: Game) -> None:
    state = State(nim, players=3, interpreted=True)
    while not state.is_terminal():
        state.apply_action(state.choice_of(0))
    assert sorted(state.returns()) == [-1.0, -1.0, 1.0]
    assert (nim.version, nim.max_legal, nim.players) == (1, 2, (2, 3))


def test_settings_are_read_by_their_names_beside_the_number_of_players(nim: Game) -> None:
    packed = nim.config().changed(["stones=7", "prize=2.5", "shared=true"]).pack(3)[0]
    assert (packed["stones"], packed["prize"], packed["shared"], packed["players"]) == (7, 2.5, 1, 3)


def test_a_setting_that_is_no_number_needs_a_pack_of_its_own(made: Callable[..., Game]) -> None:
    config = NIM["config"].replace("shared: bool", "shared: str").replace("default=False", 'default="no"')
    with pytest.raises(PlaymillError, match="the setting 'shared' is neither") as caught:
        made("usual_worded", config=config)
    assert "настройка 'shared'" in caught.value.text.ru


def test_the_number_of_players_is_no_setting(made: Callable[..., Game]) -> None:
    with pytest.raises(PlaymillError, match="the setting 'players' must go: how many play is asked for by") as caught:
        made("usual_seated", config=NIM["config"].replace("shared: bool", "players: bool"))
    assert "число игроков задаёт --players" in caught.value.text.ru


def test_everybody_sees_every_number_of_the_state(nim: Game) -> None:
    state = State(nim, players=2, interpreted=True)
    state.put_text("usual_nim/1 player=1 last=0 stones=4 taken=1,2,3,4,5,6")
    assert nim.observation == 9
    assert state.observation_tensor(0).tolist() == state.observation_tensor(1).tolist() == [1, 0, 4, 1, 2, 3, 4, 5, 6]


def test_a_state_of_other_numbers_needs_a_room_of_its_own(made: Callable[..., Game]) -> None:
    with pytest.raises(PlaymillError, match=r"no hidden\.py, and its state has a field 'stones' of the type float32"):
        made("usual_floating", rules=NIM["rules"].replace('("stones", "i2")', '("stones", "f4")'))


def test_an_unknown_number_of_players_is_asked_for(made: Callable[..., Game]) -> None:
    pack = """
            def pack(self, players):
                import numpy

                return numpy.zeros(1, [("stones", "i4"), ("prize", "f8"), ("shared", "i4")])
    """
    config = NIM["config"] + pack
    with pytest.raises(PlaymillError, match=r"for 2 to 3 players and has no outcome\.py"):
        made("usual_crowd", config=config)


def test_the_winner_is_whoever_alone_is_paid_most(nim: Game) -> None:
    rows = counts_of(nim, 3, (0, 1, 2), []).rows
    assert (rows["returned"].argmax(axis=1) == rows["winner"]).all() and set(rows["winner"]) == {0, 1, 2}
    shared = counts_of(nim, 3, (0, 1, 2), ["shared=true"])
    assert set(shared.rows["winner"]) == {-1} and shared.counts["draws"][0] == 30


def test_the_report_tells_wins_returns_draws_and_lengths_with_intervals(nim: Game) -> None:
    chunk = counts_of(nim, 2, (0, 1), ["prize=2.5"])
    run = run_of(nim, ("random", "other"), 30, {})
    found = nim.report.results(chunk.counts[0], run)
    wins = [(chunk.rows["winner"] == seat).sum() for seat in range(2)]
    for seat in range(2):
        told = found["seats"][seat]
        assert told["wins"] == wins[seat] and told["win_rate"]["value"] == wins[seat] / 30
        paid = chunk.rows["returned"][:, seat]
        # Student's point for 30 games; an end is a little further out, for what was not seen.
        half = 2.045 * paid.std(ddof=1) / np.sqrt(30)
        assert told["returns"]["value"] == pytest.approx(paid.mean()) and told["returns"]["n"] == 30
        assert half < told["returns"]["high"] - told["returns"]["value"] < 1.6 * half
    assert found["length"]["value"] == pytest.approx(chunk.rows["decisions"].mean())
    assert found["length"]["max"] == chunk.rows["decisions"].max()
    assert found["draws"]["games"] == 0
    assert [table.key for table in tables_of(nim, run, chunk.counts[0])] == ["seats", "length"]


def test_an_agent_in_several_seats_gets_its_share_of_each(nim: Game) -> None:
    counts = counts_of(nim, 3, (0, 1, 1), []).counts[0]
    found = nim.report.results(counts, run_of(nim, ("random", "other", "other"), 30, {}))
    assert found["agents"]["other"]["win_rate"]["value"] == pytest.approx(counts["agent_wins"][1] / 60)
    together = found["agents"]["random"]["returns"]["value"] + 2 * found["agents"]["other"]["returns"]["value"]
    assert together == pytest.approx(-1.0), "of three one is paid and two pay"


def test_returns_too_large_to_be_counted_are_refused(nim: Game) -> None:
    counts = counts_of(nim, 2, (0, 0), ["prize=3000"], 1).counts[0]
    with pytest.raises(PlaymillError, match="2 returns lie beyond ±2000") as caught:
        nim.report.results(counts, run_of(nim, ("random", "random"), 1, {}))
    assert "напишите outcome.py и report.py" in caught.value.text.ru


def test_words_in_one_language_are_enough(nim: Game) -> None:
    config = nim.config()
    assert nim.title == Text("Nim", "Nim") and nim.words.describe(config, 1) == Text("takes 2", "takes 2")
    assert [nim.words.parse(config, nim.words.to_text(config, action)) for action in range(2)] == [0, 1]
    assert nim.words.fields(config, 1) == {"act": "1"}
    with pytest.raises(PlaymillError, match="there is no action 'three'"):
        nim.words.parse(config, "three")


def test_the_end_is_told_by_what_the_rules_pay(made: Callable[..., Game]) -> None:
    game = made("usual_pair", rules=NIM["rules"].replace("2, 3, 2", "2, 2, 2"))
    s = np.zeros(1, game.state)[0]
    s["player"], s["last"] = -1, 1
    told = game.words.events(game.config(), s, s, 0)
    assert told == [Text("player 2 has won", "победил игрок 2")]
    even = game.config().changed(["shared=true"])
    assert game.words.events(even, s, s, 0) == [Text("a draw", "ничья")]


def test_a_position_is_told_field_by_field(nim: Game) -> None:
    s = np.zeros(1, nim.state)[0]
    s["stones"], s["taken"][1, 0] = 12, 3
    assert nim.words.position(nim.config(), s, "en").splitlines() == [
        "player: 0",
        "last: 0",
        "stones: 12",
        "taken:",
        "  · ·",
        "  3 ·",
        "  · ·",
    ]


def test_the_usual_report_needs_the_usual_outcome(made: Callable[..., Game]) -> None:
    with pytest.raises(PlaymillError, match=r"has outcome\.py and no report\.py") as caught:
        made("usual_half", outcome="Outcome = Tally = outcome = tally = None\n")
    assert "есть outcome.py, но нет report.py" in caught.value.text.ru


def test_a_room_of_its_own_comes_first(made: Callable[..., Game]) -> None:
    report = "def results(counts, run): return {'games': 7}\ndef sections(results, run): return []\n"
    game = made("usual_own", report=report, view="def view(config, s, player, legal, lang): return '<svg/>'\n")
    assert game.report.results(None, None) == {"games": 7}
    assert game.view(game.config(), None, 0, [], "en") == "<svg/>"
