"""`simulate`: results, tables of games, what may go wrong."""

from __future__ import annotations

import json
import signal
import threading

import polars as pl
import pytest

from playmill import PlaymillError, simulate


def test_results_add_up(dimensions):
    run = simulate(dimensions, players=4, games=2000, seed=1, agents="dealer")
    found = run.results
    assert found["games"] == 2000
    assert sum(f["wins"] for f in found["factions"].values()) == 2000
    assert sum(f["participates"] for f in found["factions"].values()) == 4 * 2000
    assert sum(found["ends"].values()) == 2000
    assert sum(seat["wins"] for seat in found["seats"]) == 2000
    assert found["agents"]["dealer"]["wins"] == found["agents"]["dealer"]["games"] == 2000
    assert found["decisions"] == run.games["decisions"].sum()
    assert found["turns"]["mean"] == pytest.approx(run.games["turns"].mean())
    assert found["fallbacks"]["total"] == 0
    json.dumps(found, allow_nan=False)


def test_the_table_of_games_agrees_with_the_results(dimensions):
    run = simulate(dimensions, players=3, games=500, seed=2, agents=["dealer", "random", "dealer"])
    by_faction = dict(run.games.group_by("winner_faction").len().iter_rows())
    assert by_faction == {name: f["wins"] for name, f in run.results["factions"].items() if f["wins"]}
    seats = run.seats
    assert seats.height == 1500
    assert seats.filter(pl.col("seat") == 1)["agent"].unique().to_list() == ["random"]
    won = seats.filter(pl.col("seat") == pl.col("winner"))
    assert (won["faction"] == won["winner_faction"]).all()


def test_mixed_agents_are_told_apart(dimensions):
    run = simulate(dimensions, players=3, games=3000, seed=3, agents=["dealer:captain=0", "dealer:captain=1", "random"])
    agents = run.results["agents"]
    assert list(agents) == ["dealer:captain=0", "dealer:captain=1", "random"]
    assert sum(agent["wins"] for agent in agents.values()) == 3000
    assert all(agent["seats"] == 1 and agent["games"] == 3000 for agent in agents.values())
    captain = [agents[name]["factions"]["red"]["win_rate"]["value"] for name in list(agents)[:2]]
    assert captain[1] > captain[0]


def test_a_number_of_the_config_makes_a_difference(dimensions):
    easy = simulate(dimensions, games=2000, seed=4, agents="dealer", set=["green_goal=3"]).results
    hard = simulate(dimensions, games=2000, seed=4, agents="dealer").results
    assert easy["ends"]["green"] > 3 * hard["ends"]["green"]


def test_the_command_of_a_run_plays_it_again(dimensions, capsys, tmp_path):
    import shlex

    from playmill.cli import main

    run = simulate(dimensions, players=4, games=300, seed=-5, agents="dealer", set=["blue_goal=40", "mode=epic"])
    out = tmp_path / "again.json"
    assert main([*shlex.split(run.info.command)[1:], "--out", str(out), "--quiet"]) == 0
    again = json.loads(out.read_text())
    assert again["results"] == run.results
    assert again["meta"]["config"]["blue_goal"] == 40


def test_single_games_are_kept_only_up_to_a_limit(dimensions):
    run = simulate(dimensions, games=10, keep_games=False)
    with pytest.raises(PlaymillError, match="single games were not kept"):
        _ = run.games


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"games": 0}, "cannot play 0 games"),
        ({"games": -3}, "cannot play -3 games"),
        ({"seed": 2**63}, "does not fit in 64 bits"),
        ({"workers": 0}, "workers is 0"),
        ({"backend": "abacus"}, "there is no backend 'abacus'"),
        ({"players": 9}, "dimensions is played by 3–5 players, not 9"),
        ({"config": {"colour": 1}}, "there is no key 'colour'"),
        ({"set": ["hand_size=0"]}, "hand_size is 0; expected at least 1"),
        ({"set": ["anomalies_in_deck=5", "hand_size=1"]}, "3 hands could be all anomalies"),
    ],
)
def test_wrong_arguments_get_one_sentence(dimensions, arguments, sentence):
    with pytest.raises(PlaymillError, match=sentence) as caught:
        simulate(dimensions, **arguments)
    assert "\n" not in caught.value.text.en + caught.value.text.ru


def test_ctrl_c_ends_with_the_games_that_are_finished(ctrl_c, dimensions):
    seen = []

    def progress(done):
        seen.append(done)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)

    run = simulate(dimensions, games=10**9, seed=6, progress=progress)
    assert not run.info.complete
    assert 0 < run.info.games < 10**9
    assert run.info.requested == 10**9
    whole = simulate(dimensions, games=run.info.games, seed=6)
    assert whole.results == run.results


def test_a_run_off_the_main_thread_works(dimensions):
    found = []
    thread = threading.Thread(target=lambda: found.append(simulate(dimensions, games=20).results["games"]))
    thread.start()
    thread.join()
    assert found == [20]


def test_memory_does_not_grow_with_the_games(pig):
    """Nothing but the counts is kept of a game: all chunks of rows can be dropped as they come."""
    import gc
    import weakref

    alive = []
    simulate(pig, games=400_000, keep_games=False, on_part=lambda part: alive.append(weakref.ref(part.rows)))
    gc.collect()
    assert len(alive) > 3
    assert sum(reference() is not None for reference in alive) <= 1
