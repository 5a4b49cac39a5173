"""`tournament`: who plays whom on which luck, what is kept, and what the ladder says. Pig is played uncompiled here."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from contextlib import suppress
from itertools import pairwise, permutations
from types import SimpleNamespace
from typing import Any

import contest_plan
import numpy as np
import pytest

from playmill import PlaymillError, load_game, simulate, tournament
from playmill.cli import main
from playmill.interrupts import Stop
from playmill.lab.contests.tournament.deal_results import DealResults
from playmill.lab.contests.tournament.entrants import Entrant, read_entrants
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, OverError
from playmill.lab.contests.tournament.ladder import _verdicts
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals, ranks_of
from playmill.lab.contests.tournament.schedule import Settling, seated, swiss
from playmill.lab.contests.tournament.store import PIECES, PairingStore
from playmill.lab.replays.replay import record
from playmill.report.commands.tournament import verdict
from playmill.stats.head_to_head import HeadToHead
from playmill.stats.ratings import ratings

PIG = "examples/pig"
EVENT = "playmill.lab.contests.tournament.event"
SHORT = ["target=20"]
THREE = ["random", "threshold", "low=threshold:n=5"]


def played(entrants=THREE, **options):
    options = {"deals": 6, "set": SHORT, "backend": "interpreted", **options}
    return tournament(PIG, entrants, **options)


def pig_sitting(*names, config=None):
    game = load_game(PIG)
    entrants = tuple(Entrant(name, name) for name in sorted(names))
    return Pairing(game, PIG, RuleSetting("", config or game.config().changed(SHORT)), entrants, 0, interpreted=True)


def results(found):
    return found.json()["results"]


# The games


def test_games_are_those_that_simulate_plays_with_rotated_seats():
    pairing = pig_sitting("random", "threshold")
    ranks = play_deals(pairing, range(5), Stop()).ranks
    run = simulate(
        PIG, games=10, seed=pairing.seed, agents=["random", "threshold"], rotate=True, set=SHORT, backend="interpreted"
    )
    won = {name: wins["value"] for name, wins in run.results["agents"].items()}
    assert won == {name: (ranks[:, :, place] == 0).mean() for place, name in enumerate(pairing.names)}


def test_a_game_of_the_ladder_is_recorded_by_its_command():
    pairing = pig_sitting("random", "threshold")
    ranks = play_deals(pairing, range(3), Stop()).ranks
    for deal in range(3):
        for turn in range(2):
            order = pairing.order(deal, turn)
            made = record(
                pairing.game,
                players=2,
                config=pairing.setting.config,
                seed=pairing.seed,
                agents=[pairing.names[place] for place in order],
                number=deal,
            )
            by_name = ranks_of(np.array(made.returns))[[order.index(place) for place in range(2)]]
            assert by_name.tolist() == ranks[deal, turn].tolist()
    words = pairing.record_command(2, 1).split()
    assert words[:3] == ["playmill", "record", PIG]
    assert words[words.index("--number") + 1] == "2"
    assert [words[words.index("--agents") + 1], words[words.index("--agents") + 2]] == ["threshold", "random"]


def test_every_deal_is_played_from_every_seat_and_every_order_round_the_table_comes():
    game = load_game("dimensions")
    three = Pairing(game, "dimensions", RuleSetting("", game.config()), tuple(Entrant(x, "random") for x in "abc"), 0)
    orders = Counter()
    for deal in range(2):
        seats = [three.order(deal, turn) for turn in range(3)]
        assert all(sorted(column) == [0, 1, 2] for column in zip(*seats, strict=True))
        orders.update(seats)
    assert orders == Counter(permutations(range(3)))


def test_what_seats_were_paid_goes_to_who_sat_there():
    game = load_game("dimensions")
    entrants = tuple(Entrant(name, "random") for name in "abc")
    three = Pairing(game, "dimensions", RuleSetting("", game.config()), entrants, 0, interpreted=True)
    ranks = play_deals(three, range(1), Stop()).ranks[0]
    assert ranks.shape == (3, 3)
    # Everybody plays alike here: it is a seat that wins a deal, and each of them sits there once.
    assert sorted(np.argwhere(ranks == 0)[:, 1].tolist()) == [0, 1, 2]


def test_who_plays_alone_is_compared_on_the_same_deals():
    found = tournament("save_oneself", ["a=random", "b=random"], deals=2, backend="interpreted", keep=False)
    (met,) = found.found.meetings
    assert met.draws == 2  # the same agent with the same luck
    assert [rung.games for rung in found.ladder] == [2, 2]
    assert found.found.size == 1


# What it depends on


def test_others_results_do_not_depend_on_who_else_is_there():
    alone, joined = results(played(keep=False)), results(played([*THREE, "third=random"], keep=False))
    mine = [one for one in joined["pairings"] if "third" not in one["names"]]
    assert mine == alone["pairings"]


def test_more_deals_are_the_same_deals_and_some_more():
    pairing = pig_sitting("random", "threshold")
    whole = play_deals(pairing, range(6), Stop()).ranks
    assert (play_deals(pairing, range(4, 6), Stop()).ranks == whole[4:]).all()
    other = pig_sitting("random", "threshold", config=load_game(PIG).config().changed(["target=21"]))
    assert other.seed != pairing.seed


def test_the_ladder_is_the_same_in_whatever_order_entrants_are_named():
    one, other = (results(played(names, keep=False)) for names in (THREE, THREE[::-1]))
    assert one["ladder"] == other["ladder"]


# What is kept


def test_a_tournament_that_was_killed_goes_on_and_ends_the_same(home, monkeypatch):
    whole = results(played(keep=False))
    begun = played(deals=2)
    assert begun.found.run.games == 12
    (folder, *_) = sorted((home / "sittings").iterdir())
    # Killed while it wrote: half a line.
    with (folder / PIECES).open("ab") as file:
        file.write(b'{"first":2,"deals":4,"ra')
    deals = []
    monkeypatch.setattr(
        f"{EVENT}.play_deals", lambda one, some, *more: deals.append(some) or play_deals(one, some, *more)
    )
    assert results(played()) == whole
    assert deals == [range(2, 6)] * 3
    deals.clear()
    assert results(played()) == whole
    assert deals == []


@pytest.mark.parametrize("quick", [1, 0])
def test_the_time_breaks_off_what_is_being_played_but_not_what_is_prepared(monkeypatch, quick):
    clock, begun = [0], []

    def pass_time(*_):
        clock[0] += 60

    def play(pairing, *more):
        begun.append(pairing)
        if len(begun) > quick:
            pass_time()
        return play_deals(pairing, *more)

    monkeypatch.setattr(f"{EVENT}.time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr("playmill.lab.contests.tournament.run.prepare", pass_time)
    monkeypatch.setattr(f"{EVENT}.play_deals", play)
    if quick:
        found = played(seconds=10, workers=1).found
        assert (found.run.games, found.run.complete, len(begun)) == (12, False, 2)
    else:
        with pytest.raises(PlaymillError, match="no pairing was played to its end in 10 s; give it more time"):
            played(seconds=10, workers=1)
    assert clock == [180]


@pytest.mark.parametrize(
    ("options", "lang", "told"),
    [
        ({"games": 1}, 0, "no pairing is played to its end in 1 game; name more: --games"),
        ({"games": 4, "deals": None, "until_settled": True}, 1, "за 4 партии не доиграть ни одной встречи"),
    ],
)
def test_too_few_games_for_one_pairing_are_told(home, options, lang, told):
    with pytest.raises(PlaymillError) as error:
        played(**options)
    assert told in error.value.text[lang]
    assert not [*(home / "tournaments").iterdir()], "nothing is listed that has nothing"


def test_nobody_surely_beats_whom_the_interval_says_he_may_not():
    deals = np.tile([[[0, 1], [0, 1]]], (8, 1, 1))
    deals[0, 0] = 1, 0
    met = {(0, 1): HeadToHead.of(deals, 0, 1), (0, 2): HeadToHead.of(np.tile(deals, (4, 1, 1)), 1, 0)}
    assert met[0, 1].chance < 0.03 and met[0, 1].share.low < 0.5
    assert _verdicts(met, None) == {(0, 1): None, (0, 2): -1}


def test_what_another_tournament_played_is_not_played_again(monkeypatch):
    played()
    monkeypatch.setattr(f"{EVENT}.play_deals", lambda *_: pytest.fail("it is known"))
    found = played(THREE[:2], deals=4)
    assert [(one["names"], one["deals"]) for one in results(found)["pairings"]] == [(["random", "threshold"], 4)]


def test_a_damaged_line_is_played_again(home):
    whole = results(played())
    for folder in (home / "sittings").iterdir():
        text = (folder / PIECES).read_bytes()
        (folder / PIECES).write_bytes(text.replace(b'"ranks":"', b'"ranks":"AA'))
    assert results(played()) == whole


def test_two_who_play_the_same_deals_at_once_do_no_harm(tmp_path):
    pairing = pig_sitting("random", "threshold")
    piece = play_deals(pairing, range(3), Stop())
    one, other = (PairingStore(tmp_path).open(pairing) for _ in range(2))
    one.add(piece, 0.1)
    other.add(piece, 0.1)
    other.add(DealResults(piece.ranks[:1]), 0.1)
    assert PairingStore(tmp_path).open(pairing).deals == 4


def test_objects_take_part_and_are_not_kept(home):
    def bold(decision):
        return 0

    found = played(["random", bold], deals=2)
    assert {rung.name for rung in found.ladder} == {"random", "bold"}
    assert not (home / "sittings").exists()


# Who plays whom


def test_agents_in_python_and_compiled_ones_meet_and_bad_answers_are_counted(tmp_path):
    (tmp_path / "lost.py").write_text("def choose(decision):\n    return 'no'\n", encoding="utf-8")
    (tmp_path / "bold.py").write_text("def choose(decision):\n    return 0\n", encoding="utf-8")
    found = played(["random", str(tmp_path)], deals=2)
    assert {rung.name: rung.unused > 0 for rung in found.ladder} == {"random": False, "bold": False, "lost": True}
    assert "were replaced by a random choice: lost" in found.page("en")


def test_swiss_rounds_bring_together_who_has_not_met():
    met = Counter()
    order = list(range(6))
    for _ in range(5):
        tables = seated(order, 2, met)
        assert sorted(place for group in tables for place in group) == order
        met.update(tables)
    assert set(met.values()) == {1} and len(met) == 15
    assert seated([3, 1, 2, 0], 2, Counter({(1, 3): 1})) == [(2, 3), (0, 1)]


def test_an_odd_one_rests_and_everybody_once(monkeypatch):
    event = hall_of(monkeypatch, [str(n) for n in range(5)])
    swiss(event, 1, 5)
    games = Counter(place for _, group, _, _ in event.played() for place in group)
    assert set(games.values()) == {4}


def hall_of(monkeypatch, names, *, strength=None, games=None):
    """A event in which nobody really plays: of two the better one wins with a known chance."""
    game = load_game(PIG)
    event = ContestEvent(
        game, PIG, [Entrant(name, "random") for name in names], [RuleSetting("", game.config())], 2, seed=1,
        store=PairingStore(None), budget=EventBudget(games, None, Stop()),
    )  # fmt: skip
    level = strength or dict.fromkeys(names, 0.0)

    def play(pairing, deals, *_):
        one, other = (level[name] for name in pairing.names)
        rng = np.random.Generator(np.random.PCG64([pairing.seed, deals.start]))
        lost = rng.random((len(deals), 2)) > 1 / (1 + np.exp(other - one))
        return DealResults(np.stack([lost, ~lost], axis=2).astype(np.uint8))

    monkeypatch.setattr(f"{EVENT}.play_deals", play)
    return event


def test_until_settled_stops_when_neighbours_are_told_apart_and_plays_those_who_matter(monkeypatch):
    event = hall_of(monkeypatch, "abcd", strength={"a": 2.0, "b": 1.9, "c": 0.0, "d": -2.0})
    settling = Settling(event)
    settling.run()
    order = event.order()
    assert order == [0, 1, 2, 3]
    assert [settling.verdict(one, other) for one, other in pairwise(order)] == [1, 1, 1]
    deals = {group: deals for _, group, _, deals in event.played()}
    assert deals[0, 1] > 10 * max(number for group, number in deals.items() if group != (0, 1))
    assert settling.verdict(1, 0) == -1


def test_at_larger_tables_two_are_judged_by_all_their_tables_alike(monkeypatch):
    game = load_game("dimensions")
    event = ContestEvent(
        game, "", [Entrant(name, "random") for name in "abcd"], [RuleSetting("", game.config())], 3, seed=1,
        store=PairingStore(None), budget=EventBudget(None, None, Stop()),
    )  # fmt: skip

    def play(pairing, deals, *_):
        # At every table the first by name wins all games of even deals, and the last those of odd ones.
        first, last = np.array([0, 1, 1]), np.array([1, 1, 0])
        return DealResults(np.array([[first if deal % 2 == 0 else last] * 3 for deal in deals], np.uint8))

    monkeypatch.setattr(f"{EVENT}.play_deals", play)
    for group in event.groups:
        event.play(0, group, 4)
    # a and b are told apart where a wins, at abc and abd; where c or d wins, they are not.
    taken, told = event.common(0, 1, 0, 4)
    assert taken.tolist() == [1, 0, 1, 0] and told.tolist() == [1, 0, 1, 0]
    taken, told = event.common(0, 3, 0, 4)
    assert taken.tolist() == [1, 0, 1, 0] and told.tolist() == [1, 1, 1, 1]
    assert Settling(event).look(3, 0).value == 0.5


def test_equals_are_never_told_apart_but_may_be_called_equal(monkeypatch):
    event = hall_of(monkeypatch, "ab", games=20_000)
    settling = Settling(event)
    with pytest.raises(OverError):
        settling.run()
    assert settling.verdict(0, 1) is None
    within = Settling(event, within=0.05)
    within.run()
    assert within.verdict(0, 1) == 0


def test_equals_share_their_places_and_nobody_is_called_the_strongest():
    entrants = ["a=threshold", "b=threshold", "random"]
    found = played(entrants, deals=None, until_settled=True, within=0.4, games=20_000, keep=False).found
    assert [(rung.name, rung.first, rung.last) for rung in found.rungs] == [("a", 1, 2), ("b", 1, 2), ("random", 3, 3)]
    assert found.settled
    assert verdict(found, "en") == ["Equal, as nearly as was asked: a, b."]
    assert verdict(found, "ru") == ["Равны с заданной точностью: a, b."]
    met = next(one for one in found.meetings if {one.one, one.other} == {"a", "b"})
    both = found.rungs[0].points
    assert both.high - both.low > 0.7 * (met.share.high - met.share.low), "intervals hold at such a stop, too"


# What is told


def test_ladder_places_and_the_page_in_both_languages():
    found = played(deals=12)
    top = found.ladder[0]
    assert top.first == 1 and found.ladder[-1].last == 3
    assert found.settled == all(rung.first == rung.last for rung in found.ladder)
    for lang, word in (("en", "The ladder"), ("ru", "Лестница")):
        page = found.page(lang)
        assert word in page and "playmill record" in page and "http" not in page.replace("http-equiv", "")
    assert "srcdoc" in found._repr_html_()
    assert top.name in str(found)


def test_command_writes_json_that_plays_again(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(f"{EVENT}.Pairing", lambda *given: Pairing(*given[:5], interpreted=True))
    out = tmp_path / "found.json"
    line = ["tournament", PIG, "--entrants", *THREE, "--deals", "2", "--setting", "target=10", "--setting", "target=15"]
    assert main([*line, "--out", str(out), "--lang", "ru"]) == 0
    assert "Лестница" in capsys.readouterr().out
    saved = json.loads(out.read_text(encoding="utf-8"))
    assert saved["meta"]["games"] == 24
    assert main([*saved["meta"]["command"].split()[1:], "--out", str(tmp_path / "again.json"), "--quiet"]) == 0
    again = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    assert again["results"] == saved["results"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--entrants", "random"], "at a table of 2 at least 2 entrants are needed, and there are 1"),
        (["--entrants", "random", "random"], "two entrants are called 'random'"),
        (["--entrants", "random", "clever"], "has no agent 'clever'"),
        (["--entrants", "random", "threshold", "--players", "3"], "is played by 2 players, not 3"),
        (["--entrants", *THREE, "--until-settled", "--rounds", "2"], "decides itself how much is played"),
        (["--entrants", *THREE, "--within", "5%"], "--within goes with --until-settled"),
        (["--entrants", *THREE, "--setting", "target=9", "--setting", "target=9"], "two settings are the same"),
        (["--entrants", *THREE, "--setting", "goal=9"], "goal"),
        (["--entrants", "random", "docs"], "there are no entrants in"),
        (["--entrants", *THREE, "--time", "0"], "--time"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_sentence(capsys, more, told):
    assert main(["tournament", PIG, *more]) == 2
    assert told in capsys.readouterr().err


def test_names_of_entrants():
    game = load_game(PIG)
    found = read_entrants(game, ["a=threshold:n=30", "threshold:n=20", "random"], 2)
    assert [(one.name, one.agent) for one in found] == [
        ("a", "threshold:n=30"),
        ("threshold:n=20", "threshold:n=20"),
        ("random", "random"),
    ]
    with pytest.raises(PlaymillError, match="at most 60"):
        read_entrants(game, ["x" * 61, "random"], 2)


def test_a_folder_of_entrants_with_a_name_that_cannot_be_shown_is_one_sentence(pig, tmp_path):
    (tmp_path / "a.py").write_text("def choose(d):\n    return d.actions[0]\n")
    (tmp_path / "evil\u202eyp.py").write_text("def choose(d):\n    return d.actions[0]\n")
    with pytest.raises(PlaymillError, match=r"cannot be called 'evil\\u202eyp'"):
        read_entrants(pig, [str(tmp_path)], 2)


def test_a_thousand_are_paired_at_once_and_meet_nobody_twice():
    """Each round is paired in well under a second, and everybody meets somebody new."""
    chance, met = random.Random(1), Counter[tuple[int, int]]()
    for _ in range(12):
        order = list(range(1000))
        chance.shuffle(order)
        begun = time.process_time()
        groups = seated(order, 2, met)
        assert time.process_time() - begun < 5
        assert sorted(place for group in groups for place in group) == list(range(1000))
        met.update(groups)
    assert set(met.values()) == {1}


@pytest.mark.parametrize(("entrants", "games"), [(6, 200), (210, 12_000)])
def test_until_settled_begins_with_swiss_rounds_where_everybody_would_be_too_much(entrants, games):
    """More than the budget pays for, or too many tables: whoever stops early has a whole ladder all the same."""
    event, _ = contest_plan.planned(entrants, 1.0, 0.0, games)
    with suppress(OverError):
        Settling(event).run()
    played = Counter(place for _, group, _, _ in event.played() for place in group)
    assert len(played) == entrants
    assert event.games <= games


def test_what_two_pairs_share_is_played_once(monkeypatch):
    """At tables of three neighbours share tables: what the second pair asks for counts what the first has asked for."""
    asked: list[tuple[tuple[str, ...], int]] = []

    def play(pairing: Any, deals: range, *_: Any) -> DealResults:
        asked.extend((pairing.names, deal) for deal in deals)
        chance = random.Random(deals.start)
        return DealResults(np.array([[chance.sample(range(3), 3) for _ in range(3)] for _ in deals], np.uint8))

    monkeypatch.setattr(f"{EVENT}.play_deals", play)
    four = ["a=random", "b=random", "c=random", "d=random"]
    tournament("dimensions", four, players=3, until_settled=True, games=8000, keep=False)
    assert len(asked) == len(set(asked)) > 1000


def test_many_entrants_are_rated_as_few_are(monkeypatch):
    """Resamples that share a curvature come to the ratings that each by itself comes to."""
    event, _ = contest_plan.planned(40, 1.0, 0.0)
    contest_plan.swiss(event, 20, 8)
    one_by_one = ratings(40, event.tables(), draws=60)
    monkeypatch.setattr("playmill.stats.ratings._MANY", 10)
    together = ratings(40, event.tables(), draws=60)
    assert np.abs(one_by_one.drawn - together.drawn).max() < 1e-4
