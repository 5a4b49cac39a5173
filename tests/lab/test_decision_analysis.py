"""What an expert says of a game's decisions: the cost is what arithmetic gives, and noise is called no mistake."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.found import FOLDERS, game_of
from playmill import Game, State, load_game
from playmill.agents import levels
from playmill.agents.agent_specs import seats_for
from playmill.cli import main
from playmill.engine.lang.rule import SPECTATOR
from playmill.interrupts import Stop
from playmill.lab.audit.playouts import LAPSE, PlayOuts
from playmill.lab.replays import decision_analysis
from playmill.lab.replays.analysis_tables import analysis_tables
from playmill.lab.replays.decision_analysis import NONE, Expert, PlayerSummary, analyse, follow_decisions
from playmill.lab.replays.replay import Replay, record
from playmill.lab.replays.replay_file import text_of
from playmill.texts import LANGUAGES, Text

ROLL, HOLD = 0, 1


def recorded(game: Game, agents: list[str], seed: int) -> Replay:
    made = record(game, players=game.players[0], config=game.config(), seed=seed, agents=agents)
    return replace(made, folder=str(FOLDERS[game.name])) if game.name in FOLDERS else made


def at(pig: Game, *totals: int, pot: int = 0, player: int = 0) -> np.void:
    """A position of Pig."""
    found = State(pig, interpreted=True).record.copy()
    found["total"], found["pot"], found["player"] = totals, pot, player
    return found


def looked_at(game: Game, positions, actions, *, playouts=400, thoughts=200, lapse=LAPSE):
    """What is said of decisions at some positions."""
    expert = Expert(game, game.players[0], game.config(), thoughts=thoughts)
    playing = PlayOuts(game, agent=expert.plays_on, lapse=lapse)
    (*_, last) = follow_decisions(positions, actions, playing, expert, playouts=playouts)
    return last


def test_the_cost_of_a_blunder_is_what_arithmetic_gives(pig):
    """To hold wins at once; who throws a 1 instead loses to 6/7, for both need but one throw that is none."""
    position = at(pig, 98, 98, pot=2)
    found = looked_at(pig, [position, position], [NONE, ROLL], playouts=4000, lapse=0)
    (one,) = found.decisions
    assert (one.at, one.player, one.action, one.best) == (0, 0, ROLL, HOLD) and one.sure > 0.5
    (mistake,) = found.mistakes
    assert mistake.cost.low < 1 / 6 * 6 / 7 < mistake.cost.high < 0.16
    assert mistake.cost.n > one.cost.n
    assert found.players[0].cost.value == pytest.approx(one.cost.value) and found.players[1].decisions == 0


def test_what_the_expert_would_do_costs_nothing_and_needs_no_play_outs(pig):
    position = at(pig, 90, 98, pot=10)
    found = looked_at(pig, [position, position], [NONE, HOLD])
    (one,) = found.decisions
    assert (one.cost.value, one.cost.low, one.cost.high) == (0, 0, 0) and found.mistakes == ()
    assert (found.players[0].agreed, found.players[0].decisions) == (1, 1)


def test_noise_is_called_no_mistake():
    """Where all choices are worth the same, none is a mistake: one game in twenty may have one, and here is none."""
    coin = game_of("kuhn")
    named = 0
    for seed in range(12):
        replay = recorded(coin, ["random"], seed)
        named += len(analyse(replay, playouts=40, thoughts=30).mistakes) > 0
    pig = game_of("pig")
    for seed in range(6):
        replay = recorded(pig, ["threshold"], seed)
        found = analyse(replay, playouts=60, thoughts=60)
        assert all(one.cost.value < 0.12 for one in found.mistakes), "twenty and hold is nearly the best there is"
    assert named < 12


def test_random_play_costs_more_than_good_play(pig):
    found = analyse(recorded(pig, ["random", "threshold"], 1), playouts=400, thoughts=400)
    bad, good = found.players
    assert bad.cost.low > good.cost.high and found.mistakes
    assert all(one.player == 0 for one in found.mistakes)
    costs = [one.cost.value for one in found.mistakes]
    assert costs == sorted(costs, reverse=True) and all(one.cost.low > 0 for one in found.mistakes)


def test_where_games_bring_more_than_a_win_costs_are_what_they_bring():
    leduc = game_of("leduc")
    found = analyse(recorded(leduc, ["random", "plain"], 3), playouts=200, thoughts=100)
    assert found.pays and any(one.cost.value > 1 for one in found.decisions), "chips, not chances"


def test_only_what_the_player_could_know_counts():
    """Two worlds that the player cannot tell apart get the same analysis."""
    leduc = game_of("leduc")
    state = State(leduc, seed=3, interpreted=True)
    player, position = state.current_player(), state.record.copy()
    actions = state.legal_actions()
    worlds = []
    for world in range(8):
        other = state.clone()
        other.conceal(player, world)
        worlds.append(other.record.copy())
    assert any((one != position) for one in worlds), "something is hidden"
    said = {
        json.dumps(looked_at(leduc, [one, one], [NONE, actions[0]], playouts=50, thoughts=50).json()) for one in worlds
    }
    assert len(said) == 1 and player != SPECTATOR


def test_the_same_is_said_each_time_and_with_any_number_of_workers(pig):
    replay = recorded(pig, ["random", "threshold"], 2)
    said = [analyse(replay, playouts=50, thoughts=30, workers=workers).json() for workers in (1, 3)]
    assert said[0] == said[1]


def test_told_to_stop_it_ends_with_what_is_known(pig):
    stop = Stop()
    replay = recorded(pig, ["random", "threshold"], 2)
    shares = []

    def progress(done, total):
        shares.append(done / total)
        stop.times += len(shares) == 3

    found = analyse(replay, playouts=30, thoughts=20, stop=stop, progress=progress)
    assert len(found.decisions) == 3 and found.share < 1 and found.mistakes == ()
    assert "Not finished" in analysis_tables(found, [])[1].note.en


def test_as_soon_as_there_is_a_compiled_expert_it_is_asked(pig, monkeypatch):
    monkeypatch.setattr(decision_analysis, "strongest", lambda game, config: "threshold:n=25")
    expert = Expert(pig, 2, pig.config(), thoughts=20)
    assert (expert.name, expert.plays_on) == ("threshold:n=25", "threshold:n=25")
    assert seats_for(pig, 2, [levels.strongest(pig)])[0].thinks, "until then it is search"
    assert expert.options(at(pig, 0, 0, pot=22)) == [ROLL, HOLD]
    assert expert.glance() == ROLL, "below 25 it rolls"


def test_plain_dice_is_analysed_by_who_has_solved_it():
    dice = load_game("dice")
    expert = Expert(dice, 2, dice.config(), thoughts=20)
    assert (expert.name, expert.plays_on) == ("optimal", "expert")
    assert Expert(dice, 2, dice.config().changed(["kit=tavern"]), thoughts=20).name == "search:iterations=20"


def test_who_always_does_as_the_expert_has_no_cost_and_no_interval_of_nothing(pig):
    """What was never measured is not said to be exactly nothing: with what it holds, player 1 wins."""
    position = at(pig, 90, 0, pot=12)
    found = looked_at(pig, [position, position], [NONE, HOLD], playouts=20)
    assert found.players == (PlayerSummary(1, 1, None), PlayerSummary(0, 0, None))
    assert [row[-1] for row in analysis_tables(found, [])[0].rows] == [Text("never differed", "ни разу иначе"), "—"]
    assert found.json()["players"][0] == {"decisions": 1, "agreed": 1, "cost": None}


def test_a_long_game_is_analysed_at_some_of_its_decisions(pig, monkeypatch):
    monkeypatch.setattr(decision_analysis, "MOST_DECISIONS", 5)
    found = analyse(recorded(pig, ["threshold"], 2), playouts=10, thoughts=10)
    assert len(found.decisions) == 5 and found.share == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_printed_and_put_on_the_page(pig, tmp_path, monkeypatch, capsys, lang):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(decision_analysis.analyse, "__kwdefaults__", {
        **decision_analysis.analyse.__kwdefaults__, "playouts": 40, "thoughts": 30
    })  # fmt: skip
    Path("game.json").write_text(text_of(recorded(pig, ["random", "threshold"], 1)))
    words = ["replay", "game.json", "--game", str(FOLDERS["pig"]), "--mistakes", "--lang", lang]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert {"en": "What cost most", "ru": "Что обошлось дороже всего"}[lang] in said and "random (1)" in said
    assert main([*words, "--html", "page.html"]) == 0
    assert "module_expert" in Path("page.html").read_text()
