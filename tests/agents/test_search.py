"""`search`: it finds what is best, never sees more than its player, and is the same wherever it thinks."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from common.found import game_of
from playmill import CompiledAgent, Game, PlaymillError, SearchPlan, State, Text, load_game, rule, simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.search import mcts, search_agent
from playmill.agents.search.search_agent import PARAMETERS, RatedOption, Thinker
from playmill.engine.lang.rule import python_function
from playmill.lab.replays.replay import record

HEADS, TAILS, SAFE, LOOK = range(4)


@pytest.fixture(scope="module")
def coin() -> Game:
    return load_game(str(Path(__file__).parent / "coin"))


def at_the_table(game: Game, decisions: int, *, players: int | None = None, number: int = 0) -> State:
    """A game after some random decisions."""
    state = State(game, players=players, seed=8, number=number)
    for _ in range(decisions):
        if not state.is_terminal():
            state.apply_action(state.choice_of(0))
    return state


def thought(game: Game, state: State, iterations: int = 60) -> dict[int, tuple[int, float]]:
    """What a fresh mind thinks of each option."""
    thinker = Thinker(game, (iterations,))
    thinker.think(state.workspace)
    return {option.action: (option.tries, option.mean) for option in thinker.weighed(state.workspace)}


# What it finds


@rule
def _only_what_is_not_0(cfg, s, out):
    if s.answer == SAFE:
        out[0] = cfg.safe - cfg.price * s.looked
    elif s.answer == s.coin:
        out[0] = 1.0 - cfg.price * s.looked
    elif s.looked:
        out[0] = -cfg.price


def test_zeros_that_returns_leaves_out_are_zeros_to_it(coin):
    means = []
    for game in (coin, replace(coin, rules={**coin.rules, "returns": _only_what_is_not_0})):
        state = State(game, seed=3, interpreted=True)
        thinker = Thinker(game, (60,), interpreted=True)
        thinker.think(state.workspace)
        means.append([(option.action, option.tries, option.mean) for option in thinker.weighed(state.workspace)])
    assert means[0] == means[1]


@pytest.mark.parametrize("number", range(6))
def test_a_look_is_worth_its_price(coin, number):
    state = State(coin, seed=3, number=number)
    thinker = Thinker(coin, (3000,))
    assert thinker.choose(state.workspace) == LOOK
    weighed = {option.action: option.mean for option in thinker.weighed(state.workspace)}
    assert weighed[HEADS] == pytest.approx(0.5, abs=0.15)
    assert weighed[TAILS] == pytest.approx(0.5, abs=0.15)
    assert weighed[SAFE] == pytest.approx(0.6)
    state.apply_action(LOOK)
    assert thinker.choose(state.workspace) == state.record["coin"]


@pytest.mark.parametrize(("config", "best"), [({"price": 0.5}, SAFE), ({"safe": 0.95}, SAFE), ({"price": 0.0}, LOOK)])
def test_it_weighs_what_the_config_says(coin, config, best):
    assert Thinker(coin, (3000,)).choose(State(coin, config=config, seed=4).workspace) == best


def test_it_wins_when_it_can(pig):
    hold = 1
    state = State(pig, seed=1)
    record = state.workspace["states"][0, 0].reshape(1).copy()
    record["total"][0, state.current_player()] = 80
    record["pot"] = 20
    state.put_record(record)
    weighed = thought(pig, state, 400)
    assert weighed[hold][1] == 1.0
    assert weighed[hold][0] > 300


def test_more_thoughts_play_better(pig):
    agents = ["search:iterations=400,trust=0", "search:iterations=4,trust=0"]
    wins = simulate(pig, games=60, seed=5, agents=agents).results["agents"]
    assert wins[agents[0]]["value"] > 0.6


@rule
def standing(cfg, s, out):
    """The second seat is always better off."""
    out[0] = 0.25
    out[1] = 0.75


def test_a_game_that_can_judge_a_position_is_not_played_to_its_end(pig):
    judged = replace(pig, search=SearchPlan("threshold", standing, 3))
    values = {mean for _, mean in thought(judged, State(judged, seed=1)).values()}
    assert values == {0.25}
    far = Thinker(judged, (60, 0, 10_000))
    far.think(State(judged, seed=1).workspace)
    assert not any(0.2 < option.mean < 0.3 for option in far.weighed(State(judged, seed=1).workspace))


# Others know their own cards, and nobody else's

CHECK, BET, FOLD = range(3)
JACK, QUEEN, KING = range(3)


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return game_of("kuhn")


def dealt(game: Game, own: int, other: int) -> State:
    """A deal of Kuhn poker, the first player's card and the second's, by the interpreter."""
    state = State(game, seed=1, interpreted=True)
    record = state.record.reshape(1).copy()
    record["card"][0] = own, other
    state.put_record(record)
    return state


def test_others_act_on_their_own_cards(kuhn):
    """A bet on the queen loses to the king and wins nothing from the jack."""
    plain = replace(kuhn, search=SearchPlan())
    state = dealt(plain, QUEEN, JACK)
    thinker = Thinker(plain, (500,), interpreted=True)
    thinker.think(state.workspace)
    bet = next(option for option in thinker.weighed(state.workspace) if option.action == BET)
    assert bet.mean < -0.25, "the truth is -0.5; if others knew no card it would be about 0"


def test_in_a_game_of_bluff_it_folds_the_jack_calls_with_the_king_and_mixes_between(kuhn):
    chances = {}
    for card in (JACK, QUEEN, KING):
        start = dealt(kuhn, (card + 1) % 3, card)
        state = start.clone()
        state.apply_action(BET)
        thinker = Thinker(kuhn, (250,), interpreted=True)
        thinker.new_game(start.workspace)
        thinker.think(state.workspace)
        chances[card] = thinker.chances(state.workspace)[FOLD]
        assert thinker.choose(state.workspace) in state.legal_actions()
    assert chances[JACK] == 1.0
    assert chances[KING] == 0.0


def test_a_bluffer_never_peeks(kuhn):
    thoughts = []
    for other in (JACK, KING):
        start = dealt(kuhn, other, QUEEN)
        state = start.clone()
        state.apply_action(BET)
        thinker = Thinker(kuhn, (200,), interpreted=True)
        thinker.new_game(start.workspace)
        thinker.think(state.workspace)
        thoughts.append(thinker.weighed(state.workspace))
    assert thoughts[0] == thoughts[1]


def test_a_bluffer_is_told_its_deal_wherever_it_plays_so_a_recorded_game_is_the_one_of_the_run(kuhn, monkeypatch):
    monkeypatch.setattr("playmill.lab.replays.narration.Thinker", partial(Thinker, interpreted=True))
    monkeypatch.setattr("playmill.agents.search.search_agent._LEAST_MIXED", 20)
    agents = ["search:iterations=40", "search:iterations=40"]
    run = simulate(kuhn, games=6, seed=3, agents=agents, backend="interpreted")
    for number in range(6):
        played = record(kuhn, players=2, config=kuhn.config(), seed=3, agents=agents, number=number)
        assert len(played.moves) == run.games["decisions"][number]
        assert (played.returns[0] > 0) == (run.games["winner"][number] == 0)


# What it sees


@rule
def peek(cfg, s, player, rng):
    """A conceal that hides nothing."""


@pytest.mark.parametrize(  # the other games hide nothing
    "name", ["save_oneself", *(pytest.param(name, marks=pytest.mark.long) for name in ("dimensions", "grid"))]
)
def test_states_that_look_the_same_are_thought_about_the_same(name):
    game = load_game(name)
    compared = 0
    for number in range(4):
        for decisions in (2, 9, 23):
            state = at_the_table(game, decisions, number=number)
            if state.is_terminal():
                continue
            twin = state.clone()
            twin.conceal(state.current_player(), 77 + number)
            for whim in range(3):
                for one in (state, twin):
                    one.workspace["agent_rng"]["stream"][0, :] = whim
                assert thought(game, state) == thought(game, twin)
                compared += 1
    assert compared >= 15


def test_a_peeping_search_would_be_caught(coin):
    peeping = replace(coin, rules={**coin.rules, "conceal": peek})
    answers = set()
    for number in range(20):
        state = State(peeping, seed=3, number=number)
        chosen = Thinker(peeping, (3000,)).choose(state.workspace)
        assert chosen == state.record["coin"]
        answers.add(chosen)
    assert answers == {HEADS, TAILS}


# The same everywhere


@pytest.mark.parametrize("name", ["coin", "pig"])
def test_interpreted_thoughts_are_the_same(name, coin, pig):
    game = {"coin": coin, "pig": pig}[name]
    fast = simulate(game, games=3, seed=2, agents="search:iterations=25")
    slow = simulate(game, games=3, seed=2, agents="search:iterations=25", backend="interpreted")
    assert np.array_equal(fast._kept(), slow._kept())


def test_workers_do_not_matter(pig):
    agents = ["search:iterations=50", "threshold"]
    runs = [simulate(pig, games=20, seed=2, agents=agents, workers=workers) for workers in (1, 2, 5)]
    assert all(np.array_equal(runs[0]._kept(), run._kept()) for run in runs)


def test_a_recorded_game_is_the_one_that_was_simulated(pig):
    agents = ["search:iterations=50", "threshold"]
    run = simulate(pig, games=3, seed=2, agents=agents)
    played = record(pig, players=2, config=pig.config(), seed=2, agents=agents, number=2)
    assert len(played.moves) == run.games["decisions"][2]
    assert played.returns[run.games["winner"][2]] == 1.0


def test_six_players(influence):
    state = State(influence, players=6, seed=8, interpreted=True)
    assert Thinker(influence, (2,), interpreted=True).choose(state.workspace) in state.legal_actions()


# The tree


def place_of(game: Game, state: State, *, interpreted: bool) -> int:
    """The name under which what a player sees is kept."""
    thinker = Thinker(game, (1,), interpreted=interpreted)
    thinker.weighed(state.workspace)
    return int(thinker._minds[0]["target"][0])


def test_every_number_that_is_seen_makes_another_place_of_it(pig):
    """Large ones, negative ones and those that changed places, too; compiled and interpreted alike."""
    found = set()
    for totals in [(0, 0), (1, 0), (0, 1), (2, 1), (1, 2), (-1, 0), (0, -1), (1 << 30, 0), (0, 1 << 30)]:
        state = State(pig, seed=1)
        record = state.record.reshape(1).copy()
        record["total"][0, :2] = totals
        state.put_record(record)
        fast, slow = (place_of(pig, state, interpreted=interpreted) for interpreted in (False, True))
        assert fast == slow
        found.add(fast)
    assert len(found) == 9


def test_what_was_learned_is_kept_for_the_next_own_move(pig):
    state = State(pig, seed=11)
    thinker = Thinker(pig, (2000,))
    roll = 0
    thinker.think(state.workspace)
    state.apply_action(roll)
    assert state.current_player() == 0, "this seed rolls no 1"
    assert sum(option.tries for option in thinker.weighed(state.workspace)) > 100
    thinker.new_game()
    assert sum(option.tries for option in thinker.weighed(state.workspace)) == 0


@pytest.mark.parametrize("iterations", [1, 2, 3])
def test_the_smallest_trees_hold(pig, iterations):
    run = simulate(pig, games=20, seed=2, agents=f"search:iterations={iterations}")
    assert run.results["games"] == 20


def test_a_full_tree_still_thinks(pig, monkeypatch):
    monkeypatch.setattr("playmill.agents.search.search_agent._MOST_ENTRIES", 64)
    state = State(pig, seed=1)
    thinker = Thinker(pig, (5000,))
    thinker.think(state.workspace)
    assert sum(option.tries for option in thinker.weighed(state.workspace)) == 5000


def test_a_rare_large_pot_does_not_drown_what_was_learned():
    """Win and loss, as likely as each other, lie one apart; a few outliers hardly widen what is usual."""
    scale = python_function(mcts._scale)
    even = SimpleNamespace(low=0.0, high=1.0, thoughts=500, firsts=100, squares=25.0)
    assert scale(even) == 1.0
    outliers = SimpleNamespace(low=-13.0, high=13.0, thoughts=5000, firsts=1000, squares=1000 * 4.0)
    assert scale(outliers) == 1 / 4
    few = SimpleNamespace(low=-13.0, high=13.0, thoughts=5000, firsts=9, squares=9 * 4.0)
    assert scale(few) == 1 / 26, "nobody knows yet what is usual"
    assert scale(SimpleNamespace(low=0.0, high=1.0, thoughts=0, firsts=9, squares=1.0)) == 0.0, "nothing brought yet"
    assert scale(SimpleNamespace(low=1.0, high=1.0, thoughts=9, firsts=9, squares=0.0)) == 0.0, "always the same"


# The heuristic that plays on


@rule
def out_of_range(cfg, s, legal, n, rng, params):
    """An answer that is no action of the game."""
    return 1_000_000


@rule
def folds(cfg, s, legal, n, rng, params):
    """An answer that is an action, and no option as long as nobody has bet."""
    return FOLD


@pytest.mark.parametrize(("liar", "answer"), [(out_of_range, 1_000_000), (folds, FOLD)])
def test_an_answer_in_the_head_that_is_no_option_ends_the_thinking(kuhn, liar, answer):
    agents = {**kuhn.agents, "liar": CompiledAgent(liar, Text("lies", "врёт"), honest=True)}
    game = replace(kuhn, agents=agents, search=SearchPlan("liar"))
    thinker = Thinker(game, (50,), interpreted=True)
    with pytest.raises(PlaymillError) as caught:
        thinker.think(dealt(game, QUEEN, JACK).workspace)
    said = caught.value.text
    assert f"plays kuhn on by its agent liar, which answered {answer}, not one of its options" in said.en
    assert f"агентом liar, а тот ответил {answer} — не из предложенных" in said.ru
    assert "--agents liar --strict" in said.en and "--agents liar --strict" in said.ru


@rule
def folds_later(cfg, s, legal, n, rng, params):
    """Right at the decision that is thought about, wrong in the games that are played on from there."""
    return legal.ids[0] if s.player == 0 else FOLD


def with_liar(kuhn: Game) -> Game:
    """Kuhn poker whose `search` plays on by an agent that answers wrongly."""
    agents = {**kuhn.agents, "liar": CompiledAgent(folds_later, Text("lies", "врёт"), honest=True)}
    return replace(kuhn, agents=agents, search=SearchPlan("liar"))


@pytest.mark.parametrize(("strict", "games"), [(True, 1), (False, 61)])
def test_a_wrong_answer_deep_in_a_game_in_the_head_is_noticed(kuhn, strict, games):
    """Strict at once, else after so many games: of a mind that begins anew each time no tree ever grows there."""
    thinker = Thinker(with_liar(kuhn), (1,), interpreted=True, strict=strict)
    table = dealt(kuhn, QUEEN, JACK).workspace

    def think() -> None:
        thinker.new_game()
        thinker.think(table)

    for _ in range(games // 2):
        think()
    with pytest.raises(PlaymillError, match=f"liar, which answered {FOLD}, not one of its options"):
        for _ in range(games):
            think()


def test_a_strict_run_looks_at_every_answer_in_the_head(kuhn):
    play = partial(simulate, with_liar(kuhn), games=3, agents=["search:iterations=1", "random"], backend="interpreted")
    assert play().info.games == 3
    with pytest.raises(PlaymillError, match="on by its agent liar, which answered"):
        play(strict=True)


# Several cores, and a budget that adapts


def with_numbers(game: Game, **numbers: float) -> Thinker:
    """A mind with other numbers than the usual ones."""
    return Thinker(game, [numbers.get(name, one.default) for name, one in PARAMETERS.items()])


def test_cores_share_the_thoughts_and_always_agree(pig):
    found = []
    for _ in range(3):
        thinker = with_numbers(pig, iterations=400, threads=3)
        state = State(pig, seed=11)
        assert thinker.think(state.workspace) == 400
        found.append(thinker.weighed(state.workspace))
        assert sum(option.tries for option in found[-1]) == 400
        assert 0 <= thinker.span[0] < thinker.span[1] <= 1
    assert found[0] == found[1] == found[2]
    assert found[0] != with_one_core(pig)


def with_one_core(pig: Game) -> list[RatedOption]:
    thinker, state = with_numbers(pig, iterations=400), State(pig, seed=11)
    thinker.think(state.workspace)
    return thinker.weighed(state.workspace)


def test_cores_do_not_depend_on_workers(pig):
    agents = ["search:iterations=40,threads=2", "threshold"]
    runs = [simulate(pig, games=6, seed=2, agents=agents, workers=workers) for workers in (1, 2)]
    assert np.array_equal(runs[0]._kept(), runs[1]._kept())


def test_a_clear_choice_is_made_early_and_what_that_saves_is_spent_on_a_close_one(pig):
    won = State(pig, seed=1)
    record = won.record.reshape(1).copy()
    record["total"][0, won.current_player()], record["pot"] = 80, 20
    won.put_record(record)
    open_game = State(pig, seed=11)
    thinker = with_numbers(pig, iterations=800, adapt=1)
    assert thinker.think(open_game.workspace) <= 800, "nothing is saved yet"
    thinker.new_game()
    clear = thinker.think(won.workspace)
    assert clear < 800
    assert thinker.favourite(won.workspace) == 1
    spent = [clear] + [thinker.think(open_game.workspace) for _ in range(4)]
    assert sum(spent) <= 5 * 800
    fixed = with_numbers(pig, iterations=800)
    assert [fixed.think(won.workspace), fixed.think(open_game.workspace)] == [800, 800]


@pytest.fixture
def clock(monkeypatch):
    """A clock that no busy machine disturbs: each look at it takes 1/128 second, more than a slice of thoughts may."""
    looks = itertools.count()
    monkeypatch.setattr(search_agent, "time", SimpleNamespace(perf_counter=lambda: next(looks) / 128))
    return looks


@pytest.mark.usefixtures("clock")
def test_a_clock_on_two_cores_that_adapts(pig):
    thinker = with_numbers(pig, ms=200, threads=2, adapt=1)
    assert thinker.think(State(pig, seed=1).workspace) > 2


# Budgets and mistakes


def test_a_clock(pig, clock):
    state = State(pig, seed=1)
    thinker = Thinker(pig, (1000, 500))
    thinker.think(state.workspace)
    start = next(clock)
    thoughts = thinker.think(state.workspace)
    took = next(clock) - start
    assert thoughts > 10
    assert 64 <= took < 70
    run = simulate(pig, games=2, seed=1, agents=["search:ms=1", "threshold"])
    assert run.results["games"] == 2


def test_it_sits_with_agents_written_in_python(pig):
    run = simulate(pig, games=3, seed=1, agents=["search:iterations=20", lambda decision: decision.options[-1]])
    assert run.results["fallbacks"]["total"] == 0


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("search:iterations=0", "agent search: iterations is '0'; expected a number from 1 to 1000000"),
        (
            "search:iteration=5",
            "agent search: cannot read 'iteration=5'; expected key=value with one of: iterations, ms",
        ),
        ("search:ms=-1", "agent search: ms is '-1'; expected a number from 0 to 600000"),
        ("search:", "agent search: cannot read ''"),
        ("search:threads=0", "agent search: threads is '0'; expected a number from 1 to 64"),
        ("search:adapt=2", "agent search: adapt is '2'; expected a number from 0 to 1"),
        ("serch", "it has random, threshold, search, expert, or name a file"),
    ],
)
def test_a_wrong_budget_gets_one_sentence(pig, spec, sentence):
    with pytest.raises(PlaymillError, match=sentence):
        seats_for(pig, 2, [spec])


def test_a_plan_with_an_unknown_agent(tmp_path):
    import shutil

    folder = tmp_path / "hog"
    shutil.copytree(Path(__file__).parents[2] / "examples" / "pig", folder)
    agents = folder / "agents.py"
    agents.write_text(agents.read_text().replace('SearchPlan("threshold")', 'SearchPlan("clever")'))
    with pytest.raises(PlaymillError, match="SEARCH plays on by 'clever'; expected one of random, threshold"):
        load_game(str(folder))


@pytest.mark.parametrize(("lang", "words"), [("en", "plays games in its head"), ("ru", "играет партии в уме")])
def test_every_game_lists_it(pig, capsys, lang, words):
    from playmill.cli import main

    assert main(["agents", str(Path(__file__).parents[2] / "examples" / "pig"), "--lang", lang]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "search" in printed
    assert words in printed
    assert "iterations=1000 (1 … 1000000)" in printed
