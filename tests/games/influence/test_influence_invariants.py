"""What holds at every moment of every game, on any field and with any numbers.

All that the state keeps equals a plain search of the whole field, and every step is one that the page allows (see
`influence_naive.py`).
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from influence_naive import Page, seen
from influence_position import LETTERS, SEED, Position, config_of, deal, options_of, position, scanned

from common.effort import share
from playmill import Game, load_game
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.run.backends import Cpu, Interpreted
from playmill.engine.run.match import Match
from playmill.engine.run.state import State
from playmill.games.influence.actions import AUTO, END_ATTACK
from playmill.games.influence.constants import CELLS, PLAYERS

SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True, "database": None}


@pytest.fixture(scope="module")
def influence() -> Game:
    return load_game("influence")


# Fields and numbers


@st.composite
def numbers(draw: st.DrawFn) -> dict[str, Any]:
    """Numbers and switches of the config: mostly those of the page, with games short enough."""
    made: dict[str, Any] = {
        "round_limit": draw(st.integers(1, 6)),
        "result_rounds": draw(st.sampled_from([1, 2, 3, 10])),
    }
    if draw(st.booleans()):
        made["weak_capacity"] = draw(st.sampled_from([1, 2, 3, 8, 100]))
        made["strong_capacity"] = draw(st.sampled_from([1, 2, 5, 12, 100]))
        made["start_influence"] = draw(st.integers(1, 8))
    if draw(st.booleans()):
        made["failure"] = draw(st.sampled_from(["difference", "one", "nothing"]))
        made["first_turn_attacks"] = draw(st.booleans())
        made["turn_order"] = draw(st.sampled_from(["fixed", "snake", "drawn"]))
        made["start_influence"] = draw(st.lists(st.integers(1, 8), min_size=PLAYERS, max_size=PLAYERS))
    if draw(st.integers(0, 3)) == 0:
        for kind in ("le_minus2", "minus1", "zero", "plus1", "ge_plus2"):
            made[f"chance_{kind}"] = draw(st.sampled_from([0, 1, 50, 99, 100]))
    return made


@st.composite
def maps(draw: st.DrawFn, least: int) -> list[str]:
    """Rows with so many cells at least."""
    width = draw(st.integers(1, 7))
    cells = st.sampled_from("wwwS.")
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width).map("".join), min_size=1, max_size=6))
    while sum(len(row) - row.count(".") for row in rows) < least:
        rows.append("w" * width)
    return rows


@st.composite
def starts(draw: st.DrawFn) -> Position:
    """The start of a game."""
    players = draw(st.integers(2, PLAYERS))
    return deal(draw(maps(players)), players, draw(st.integers(0, 1000)), **draw(numbers()))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A field on which at least two of the players are somewhere, one of them to move."""
    players = draw(st.integers(2, PLAYERS))
    rows = draw(maps(players))
    changes = draw(numbers())
    cells = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "."]
    order = draw(st.permutations(range(players)))
    owners = draw(
        st.lists(st.sampled_from([*order, order[0], order[1], -1, -1]), min_size=len(cells), max_size=len(cells))
    )
    owners[:2] = order[:2]
    held = [list(row) for row in rows]
    for (r, c), owner in zip(cells, owners, strict=True):
        strong = rows[r][c] == "S"
        capacity = changes.get("strong_capacity", 12) if strong else changes.get("weak_capacity", 8)
        influence = min(draw(st.sampled_from([1, 2, 2, 3, 4, 7, capacity - 1 or 1, capacity])), capacity)
        held[r][c] = ("-" if owner < 0 else f"{LETTERS[owner]}{influence}") + "!" * strong
    field = " / ".join(" ".join(row) for row in held)
    rounds = 1 if changes.get("turn_order") == "drawn" else draw(st.integers(1, changes["round_limit"]))
    return position(field, players=players, to_move=LETTERS[order[0]], rounds=rounds, **changes)


# Checks


def check_kept(game: Position) -> None:
    """What the state keeps is what a search of the whole field finds."""
    record, s = game.source[0], game.s
    for key, value in scanned(game).items():
        assert np.array_equal(record[key], value), key
    options = list(s.moves[: s.options])
    assert sorted(options) == options_of(game)
    assert [s.place[option] for option in options] == list(range(1, len(options) + 1))


def check_cells(game: Position) -> None:
    """Owned cells hold 1 to their capacity, others nothing; beyond the field there is nothing."""
    for place in game.places:
        owner, influence = game.owner(place), game.influence(place)
        assert -1 <= owner < game.players
        assert 1 <= influence <= game.capacity(place) if owner >= 0 else influence == 0
    record = game.source[0]
    beyond = slice(len(game.places), CELLS)
    assert not record["owner"][beyond].any()
    assert not record["influence"][beyond].any()


def check_options(game: Position, page: Page) -> None:
    """Options listed, counted and told by the page are the same."""
    legal = game.legal_ids()
    assert legal == sorted(set(legal))
    assert sorted(game.counted_ids()) == legal
    assert {game.text(action) for action in legal} == page.legal()
    assert [game.action(game.text(action)) for action in legal] == legal


def check_step(game: Position, page: Page) -> None:
    """The game stands where the page has led."""
    assert seen(game) == page.field
    assert game.asked == page.asked()
    assert (game.s.rounds, game.results()) == (page.round, page.results())
    assert list(game.s.turns)[: game.players] == [len(begun) for begun in page.begun]
    assert 1 <= game.s.rounds <= game.cfg.round_limit
    assert game.s.players == game.players


def check_sight(game: Position) -> None:
    """Nothing is hidden: everybody sees the same, the whole field, and there is nothing to guess."""
    before = game.source.tobytes()
    view = game.observation(0)
    last = game.players - 1
    assert game.conceal(last).observation(last) == view
    assert game.source.tobytes() == before
    head = 5 + 3 * PLAYERS
    field = np.array(view[head:]).reshape(3, CELLS)[:, : len(game.places)].T.tolist()
    assert field == [[1 + game.owner(place), game.influence(place), game.capacity(place)] for place in game.places]
    s = game.s
    assert view[:5] == [s.player, s.phase, s.points, s.rounds, game.cfg.round_limit]
    counts = np.array(view[5:head]).reshape(3, PLAYERS)[:, : game.players].tolist()
    assert counts == [game.results(), list(s.turns)[: game.players], game.totals()]


def check_end(game: Position, page: Page) -> None:
    """Who has won by the page has won."""
    assert page.over
    assert (game.legal_ids(), game.counted_ids(), game.s.options) == ([], [], 0)
    living = page.living()
    winner = LETTERS.index(page.over[0]) if "wins" in page.over else -1
    assert game.s.winner == winner
    shared = [1 / len(living) if player in living else 0 for player in range(game.players)]
    expected = shared if winner < 0 else [float(player == winner) for player in range(game.players)]
    assert game.returns() == pytest.approx(expected)
    assert (len(living) == 1) == ("alone" in page.over), "one alone does not play on to the limit"


def choice(game: Position, dice: random.Random, style: str) -> int:
    """An option: any; or rather attacks, in the defence often `auto`; or rather attacks on enemies."""
    legal = game.legal_ids()
    if style == "any" or len(legal) == 1 or dice.random() < 0.1:
        return dice.choice(legal)
    if legal[-1] == AUTO:
        return AUTO if dice.random() < 0.4 else dice.choice(legal)
    enemies = [action for action in legal[:-1] if game.s.owner[target_of(game, action)]]
    return dice.choice(enemies if enemies and style == "brave" else legal[:-1])


def target_of(game: Position, action: int) -> int:
    """The cell an attack goes to."""
    return game.cfg.neighbour[action // 6, action % 6]


def play(game: Position, seed: int, style: str, most: int = 100_000) -> None:
    """Plays to the end (or so many actions) with all checks."""
    dice = random.Random(seed)
    page = Page(game)
    spare = sum(game.totals()) + 1
    for number in range(most):
        check_kept(game)
        check_cells(game)
        check_step(game, page)
        if number % 8 == seed % 8 or game.s.player < 0:
            check_sight(game)
        if game.s.player < 0:
            check_end(game, page)
            return
        check_options(game, page)
        action = choice(game, dice, style)
        text, total = game.text(action), sum(game.totals())
        game.do_id(action)
        page.follow(text, seen(game), game.s.player)
        if action < END_ATTACK:
            assert sum(game.totals()) <= total, "influence grew in an attack"
            spare -= 1
            assert spare > 0, "each attack uses up influence"
        else:
            assert total <= sum(game.totals()) <= total + len(game.places)
            spare = sum(game.totals()) + 1
    assert most < 100_000, "the game does not end"


STYLES = ("any", "eager", "brave")


@settings(max_examples=share(60), **SETTINGS)
@given(starts(), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_every_moment_of_every_game(game: Position, seed: int, style: str) -> None:
    play(game, seed, style)


@settings(max_examples=share(150), **SETTINGS)
@given(positions(), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_every_moment_from_any_position(game: Position, seed: int, style: str) -> None:
    play(game, seed, style, 40)


@pytest.mark.parametrize(("rows", "columns"), [(16, 16), (4, 64), (64, 4)])
def test_every_moment_on_a_field_of_256_cells(rows: int, columns: int) -> None:
    """All words of the sets of cells are in use."""
    dice = random.Random(rows)
    cells = [dice.choice(["-", "-!", "A2", "B3", "C5!", "D8", "E12!", "F1", "F7!"]) for _ in range(CELLS)]
    field = " / ".join(" ".join(cells[row * columns : (row + 1) * columns]) for row in range(rows))
    for to_move in "AEF":
        play(position(field, to_move=to_move), rows, "any", 12)
        game = position(field, to_move=to_move, points=0).do("end")
        play(game, rows, "any", 12)


@settings(max_examples=share(40), **SETTINGS)
@given(positions(), st.integers(0, 2**32))
def test_copies_go_their_own_ways(game: Position, seed: int) -> None:
    """Nothing of the game is kept outside its record: a copy with the same luck does the same."""
    dice, twin = random.Random(seed), game.again()
    twin.rng._source_[:] = game.rng._source_
    for _ in range(15):
        if game.s.player < 0:
            break
        action = dice.choice(game.legal_ids())
        before = twin.source.copy()
        game.do_id(action)
        assert twin.source[0] == before[0]
        twin.do_id(action)
        assert twin.source[0] == game.source[0]


# Compiled and interpreted


TABLES = [
    (["wSw", "www"], 2, ("random",), {}),
    (["wwwwwwwwwwww"], 3, ("random", "greedy", "random"), {"round_limit": 20}),
    (["wSww.w", "w.wSww", "SwwSww", "wwwwww"], 6, ("random",), {"round_limit": 8, "result_rounds": 3}),
    (["wSww.w", "w.wSww", "SwwSww", "wwwwww"], 4, ("cautious", "greedy", "random", "greedy"), {"round_limit": 10}),
    (["w" * 64] * 4, 5, ("greedy", "cautious", "random", "random", "random"), {"round_limit": 5}),
    (
        ["wSww.w", "w.wSww", "SwwSww", "wwwwww"],
        3,
        ("greedy", "random", "cautious"),
        {"turn_order": "drawn", "failure": "one", "first_turn_attacks": False, "min_start_distance": 4},
    ),
    (["wSww.w", "w.wSww", "SwwSww"], 4, ("random",), {"turn_order": "snake", "start_influence": [2, 3, 4, 5]}),
    (["ww", "ww"], 2, ("random",), {"weak_capacity": 100, "start_influence": 8, "chance_zero": 33, "round_limit": 9}),
]


@pytest.mark.parametrize(("rows", "players", "agents", "changes"), TABLES)
def test_compiled_games_are_the_interpreted_ones(
    influence: Game, rows: list[str], players: int, agents: tuple[str, ...], changes: dict[str, Any]
) -> None:
    numbers = agent_numbers(influence)
    seats = agents * players if len(agents) == 1 else agents
    params = tuple((75.0,) if agent == "cautious" else () for agent in seats)
    match = Match(
        influence,
        config_of(rows, **changes),
        players,
        3,
        tuple(numbers[agent] for agent in seats),
        (0,) * players,
        params,
    )
    fast, slow = Cpu(match).play(0, 4), Interpreted(match).play(0, 4)
    assert fast.rows.tobytes() == slow.rows.tobytes()
    assert fast.counts.tobytes() == slow.counts.tobytes()
    assert (fast.rows["rounds"] <= match.config.round_limit).all()


@settings(max_examples=share(30), **SETTINGS)
@given(starts(), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_compiled_and_interpreted_records_are_the_same_after_every_action(
    influence: Game, game: Position, seed: int, style: str
) -> None:
    """All fields, the lists that are kept with them."""
    dice = random.Random(seed)
    watch = partial(check_twin, game)
    state = State(influence, players=game.players, config=game.config, seed=SEED, number=game.number, observer=watch)
    while not state.is_terminal():
        assert state.legal_actions() == game.legal_ids()
        state.apply_action(choice(game, dice, style))
    assert game.s.player < 0


def check_twin(game: Position, before: np.void, action: int, record: np.void) -> None:
    """The interpreter makes the same of an action as the compiled rules."""
    assert game.source[0] == before
    game.do_id(action)
    assert game.source[0] == record


@pytest.mark.parametrize("players", range(2, 7))
def test_compiled_games_end_within_the_limit(influence: Game, players: int) -> None:
    number = agent_numbers(influence)["random"]
    for rows, limit in ((["wSww", "w.wS", "SwwS"], 30), (["w" * 10] * 10, 10)):
        config = config_of(rows, round_limit=limit)
        match = Match(influence, config, players, 1, (number,) * players, (0,) * players, ((),) * players)
        found = Cpu(match).play(0, 200).rows
        assert ((found["rounds"] >= 1) & (found["rounds"] <= limit)).all()
        by_limit = found["ended_by"] == 1
        assert (found["rounds"][by_limit] == limit).all()
        alone = (found["cells"] > 0).sum(axis=1) == 1
        assert (alone == ~by_limit).all()
        assert (found["winner"][alone] == found["cells"][alone].argmax(axis=1)).all()
        assert (found["won"] <= found["made"]).all()
        assert not found["won"][:, 0].any()
        assert (found["won"][:, 4:] == found["made"][:, 4:]).all()
