"""What holds at every moment of every game, with the numbers of the page and with others.

The rules run in step with the page in plain Python (see `save_oneself_naive.py`): after every decision all that can be
seen is the same, and all that the state keeps is what a look at every card finds.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from save_oneself_naive import Page, lot_of, page_of, seen
from save_oneself_position import CARDS, CORNERS, SEED, Position, action_of, deal, position, scanned, text_of
from save_oneself_random import DEFAULT, SHIPS, configs, scene, scenes

from common.effort import share
from common.positions import assert_even
from playmill import Game, load_game, simulate
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.run.backends import Cpu, Interpreted
from playmill.engine.run.match import Match
from playmill.engine.run.state import State
from playmill.games.save_oneself.actions import MAX_ACTIONS, MAX_LEGAL
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.outcome import ENDINGS

SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True, "database": None}
STYLES = ("any", "eager", "bold", "steady")


@pytest.fixture(scope="module")
def save_oneself() -> Game:
    return load_game("save_oneself")


# Checks


def check_kept(game: Position) -> None:
    """What the state keeps about the field is what a look at every card finds."""
    for name, value in scanned(game).items():
        assert np.array_equal(game.source[0][name], value), name


def check_cards(game: Position) -> None:
    """No card is lost or doubled, and all lie where cards may lie."""
    s, places = game.s, game.places()
    assert sorted(s.deck) == list(range(16))
    assert {CARDS[s.deck[place]] for place in range(s.placed)} == set(game.cards())
    assert len(game.cards()) == s.placed
    assert len(places) + len(game.deck()) == 16
    rows, columns = ({place[line] for place in places.values()} for line in (0, 1))
    assert max(rows) - min(rows) < 4 and max(columns) - min(columns) < 4
    assert game.here in places.values() or game.asked == "lost: deck"
    assert not game.up("mirage") and not (game.up("tornado") and s.player >= 0)
    if game.ship:
        north, west = game.island
        assert rows <= set(range(north, north + 4)) and columns <= set(range(west, west + 4))
    assert 0 <= s.lives <= game.config.lives
    assert (s.lives == 0) == (game.asked == "lost: lives")


def check_options(game: Position) -> None:
    """Options are ascending and within the limits; without a choice to make there are none."""
    legal = game.legal_ids()
    assert legal == sorted(set(legal))
    assert len(legal) <= MAX_LEGAL and all(0 <= action < MAX_ACTIONS for action in legal)
    assert (legal == []) == (game.s.player < 0)
    if game.asked == "turn":
        assert len(legal) > 1


def check_end(game: Position, page: Page) -> None:
    """What is told of the game at its end is what the page says."""
    row = game.outcome()
    won = page.asked.startswith("won")
    assert game.returns() == pytest.approx(won + page.score() / 1000)
    assert (ENDINGS[row["ended_by"]], row["won"]) == (page.asked.split()[1], won)
    assert (row["score"], row["lives"], row["cards_placed"]) == (page.score(), page.lives, len(page.up))
    assert (row["rounds"], row["ships"]) == (page.rounds, page.ships)
    assert {card for card, turned in zip(CARDS, row["turned"], strict=True) if turned} == page.overturned
    lives_at = page.lives_at[:40]
    assert row["lives_at"].tolist() == lives_at + [0] * (40 - len(lives_at))


def check(game: Position, page: Page) -> dict[str, Any]:
    """The game stands where the page has led: there, with all that is seen."""
    found = seen(game)
    assert found == page.seen()
    check_kept(game)
    check_cards(game)
    check_options(game)
    if game.s.player < 0:
        check_end(game, page)
    else:
        assert game.returns() == 0
    return found


def choice(game: Position, dice: random.Random, style: str) -> str:
    """An option: any; or rather a card turned over; also rather a new cell; or rather a cell with a card."""
    legal = game.legal()
    turns = [option for option in legal if option.startswith("turn")]
    if style == "any" or dice.random() < 0.1:
        return dice.choice(legal)
    if turns:
        return dice.choice(turns)
    lies = set(game.places().values())
    ways = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
    fresh = [way for way in ways if way in legal and tuple(np.add(game.here, ways[way])) not in lies]
    if style == "bold" and fresh:
        return dice.choice(fresh)
    known = [option for option in legal if option not in fresh]
    return dice.choice(known if style == "steady" and known else legal)


def followed(game: Position, page: Page, seed: int, style: str) -> Counter[str]:
    """Plays to the end with all checks; counts what came to pass."""
    dice, met = random.Random(seed), Counter[str]()
    now = check(game, page)
    while game.s.player >= 0:
        before, text = now, choice(game, dice, style)
        game.do(text)
        page.do(text, lot_of(game))
        now = check(game, page)
        note(met, before, now)
    met[page.asked] += 1
    return met


def note(met: Counter[str], before: dict[str, Any], after: dict[str, Any]) -> None:
    """Counts what has changed."""
    met.update(f"{card} turned" for card in after["overturned"] - before["overturned"])
    met["waived"] += "waive" in before["legal"] and after["asked"] != "move"
    for front in ("shelter", "lit-beacon"):
        met[f"{front} blown away"] += front in before["up"] and front not in after["up"]
    met["shelter again"] += (
        "shelter" in after["up"] and "shelter" not in before["up"] and "vines" in before["overturned"]
    )
    one, other = before["ship"], after["ship"]
    met["driven off"] += one is not None and other is None
    if after["ships"] > before["ships"]:
        met[f"ship {after['ships']}"] += 1
        met[other[0]] += 1
    elif one and other:
        met[f"sailed {sum(abs(here - there) for here, there in zip(one[1], other[1], strict=True))}"] += 1
        met["ship turned"] += other[3] and not one[3]
        met["won by a move"] += after["asked"].startswith("won") and one == other


def started(number: int, config: Config) -> tuple[Position, Page]:
    """A new game, under the rules and by the page."""
    game = deal(number, config)
    page = Page(config, [CARDS[card] for card in game.s.deck])
    page.begin(lot_of(game))
    return game, page


# The games


def test_every_moment_of_many_games_is_as_the_page_says() -> None:
    """And everything of the page comes to pass in them, but for what it says cannot."""
    met = Counter[str]()
    for number in range(160):
        met += followed(*started(number, DEFAULT), number, STYLES[number % 4])
    for number in range(160):
        game = scene(number, SHIPS[number % len(SHIPS)], 2 + number % 14, DEFAULT)
        met += followed(game, page_of(game), number, STYLES[number // 2 % 4])
    expected = {f"{card} turned" for card in CARDS} | {"ship 1", "ship 2", "driven off", "ship turned", *CORNERS}
    expected |= {"sailed 0", "sailed 1", "sailed 2", "shelter blown away", "lit-beacon blown away", "shelter again"}
    expected |= {"waived", "lost: lives", "lost: ship", "won: sos", "won: beacon", "won: message", "won by a move"}
    assert {name for name, count in met.items() if count} == expected


@settings(max_examples=share(120), **SETTINGS)
@given(configs(), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_every_moment_of_games_with_other_numbers(config: Config, seed: int, style: str) -> None:
    followed(*started(seed, config), seed, style)


@settings(max_examples=share(100), **SETTINGS)
@given(scenes(), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_every_moment_from_any_position(game: Position, seed: int, style: str) -> None:
    followed(game, page_of(game), seed, style)


@settings(max_examples=share(120), **SETTINGS)
@given(configs().flatmap(scenes), st.integers(0, 2**32), st.sampled_from(STYLES))
def test_every_moment_from_any_position_with_other_numbers(game: Position, seed: int, style: str) -> None:
    followed(game, page_of(game), seed, style)


@settings(max_examples=share(40), **SETTINGS)
@given(scenes(), st.integers(0, 2**32))
def test_copies_go_their_own_ways(game: Position, seed: int) -> None:
    """Nothing of the game is kept outside its record: a copy with the same luck does the same."""
    dice, twin = random.Random(seed), game.again()
    twin.rng._source_[:] = game.rng._source_
    while game.s.player >= 0:
        action = dice.choice(game.legal_ids())
        before = twin.source.copy()
        game.do_id(action)
        assert twin.source[0] == before[0]
        twin.do_id(action)
        assert twin.source[0] == game.source[0]


# Compiled and interpreted

ODD: Any = {
    "lives": 40,
    "moves": 2,
    "compass_moves": 4,
    "tornado_at": 6,
    "cards_per_point": 1,
    "lose_on_empty_deck": True,
    "cards": {
        "flint": {"lives": -1, "corner": "SE"},
        "hook": {"lives": 12, "needs": [{"kind": "ship_waiting"}, {"kind": "up", "side": "pig"}]},
        "telescope": {"needs": [{"kind": "stand", "side": "sea-serpent"}]},
        "mirage": {"lives": 2, "corner": "NW", "front": {"lives": 1, "score": 20}},
        "map-c": {"front": {"lives": 3}},
    },
}


@pytest.mark.parametrize("config", [{}, ODD], ids=["page", "odd"])
def test_compiled_games_are_the_interpreted_ones(save_oneself: Game, config: Any) -> None:
    match = Match(save_oneself, Config.read(config), 1, 3, (agent_numbers(save_oneself)["random"],), (0,), ((),))
    fast, slow = Cpu(match).play(0, 100), Interpreted(match).play(0, 100)
    assert fast.rows.tobytes() == slow.rows.tobytes()
    assert fast.counts.tobytes() == slow.counts.tobytes()


@pytest.mark.parametrize("config", [{}, ODD], ids=["page", "odd"])
def test_compiled_and_interpreted_records_are_the_same_after_every_action(save_oneself: Game, config: Any) -> None:
    """All fields, also what is kept about the field and the options; and so are what is seen and paid."""
    read = Config.read(config)
    for number in range(20):
        game, dice = deal(number, read), random.Random(number)
        state = State(save_oneself, config=read, seed=SEED, number=number, observer=Twin(game))
        while not state.is_terminal():
            assert state.legal_actions() == game.legal_ids()
            assert [state.nth_action(k) for k in range(state.count_actions())] == game.legal_ids()
            assert state.observation_tensor().tolist() == game.observation()
            state.apply_action(action_of(choice(game, dice, STYLES[number % 4])))
        assert game.s.player < 0
        assert state.returns() == [game.returns()]


class Twin:
    """A game that follows another one."""

    def __init__(self, game: Position) -> None:
        self.game = game

    def __call__(self, before: np.void, action: int, record: np.void) -> None:
        """The interpreter makes the same of an action as the compiled rules."""
        assert self.game.source[0] == before
        self.game.do_id(action)
        assert self.game.source[0] == record


@pytest.mark.parametrize(
    ("field", "ship", "asked"),
    [
        ("- / - map-r* water - / - / - - - sos", "NE 0,4", "won: sos"),
        ("- / - map-r* water - / - / - - - lit-beacon", "NW -1,1", "won: beacon"),
        ("- / - map-r* water - / - / - - - message", "NW -1,1", "won: message"),
        ("- / - map-r* water - / - / - - - sos", "NE 1,4", "move"),
        ("- - - - / - map-r* water vines / hook flint palm-trees sticks / bottle pig map-c telescope", "", "move"),
        ("rocks - storm compass / higher-ground map-r* water vines / hook flint palm-trees sticks / "
         "bottle pig map-c telescope", "", "lost: deck"),
    ],
)  # fmt: skip
def test_compiled_and_interpreted_moves_end_a_game_alike(save_oneself: Game, field: str, ship: str, asked: str) -> None:
    """A mirage comes: it carries the farthest card to the ship, or it is the last one."""
    game = position(field, island="0,0", ship=ship, deck="mirage", moves=2, changes=["lose_on_empty_deck=true"])
    state = State(save_oneself, config=game.config, seed=SEED)
    state.put_record(game.source)
    state.apply_action(action_of("north"))
    game.do("north")
    assert (game.asked, state.record) == (asked, game.source[0])


@pytest.mark.parametrize("changes", [{}, ODD], ids=["page", "odd"])
def test_games_do_not_depend_on_how_many_play_them(save_oneself: Game, changes: Any) -> None:
    one, other = (
        simulate(save_oneself, games=400, seed=5, config=changes, agents=["random"], workers=workers)
        for workers in (1, 2)
    )
    assert one.results == other.results
    assert one.games.equals(other.games)


def test_random_is_uniform_over_the_options(save_oneself: Game) -> None:
    """Waiving and skipping are options like any other."""
    random_agent = agent_numbers(save_oneself)["random"]
    for game in (
        position("rocks flint* pig / - telescope", moves=2, moved=True),
        position("sticks flint* hook water / vines palm-trees", turning=True),
    ):
        state = State(save_oneself, seed=3)
        state.put_record(game.source)
        assert_even(Counter(text_of(state.choice_of(random_agent)) for _ in range(1500)), game.legal())
