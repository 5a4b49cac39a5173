"""Observations: two worlds a seat cannot tell apart give the same bytes."""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from table_secrets import after, alike, in_world, other_world, run
from test_web_table import decide, laid, play

from common.found import GAMES, game_of
from common.language import kept_to
from common.stock import stock_of
from playmill.engine.contract.game import hides_nothing
from playmill.texts import LANGUAGES
from playmill.web.table import observation, text_view
from playmill.web.table.concealed import concealed
from playmill.web.table.history import NOBODY
from playmill.web.table.observation import Viewer, observation_text, observe_table
from playmill.web.table.state import GameTable
from playmill.web.table.store import UNDO, LoggedDecision

SECRET = [name for name in GAMES if not hides_nothing(game_of(name))]


@pytest.mark.parametrize("name", SECRET)
def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_bytes(name: str) -> None:
    compared: Counter[str] = Counter()
    dice = random.Random(1)
    for number in range(2 if name == "grid" else 4):
        table = laid(name, seed=number)
        while not table.over and len(table.entries) < 9:
            mover, truth = table.turn, dice.choice(table.state.legal_actions())
            seat = dice.choice([mover, dice.randrange(table.facts.players)])
            world = other_world(table, seat, dice.randrange(1, 1 << 30))
            compare(in_world(table, table.state.clone()), in_world(table, world.clone()), seat, -1)
            compared["positions"] += 1
            shown = after(table, table.state.clone(), truth)
            others = sorted(world.legal_actions(), key=lambda action: action == truth)
            for action in [truth] if seat == mover else others:
                other = after(table, world.clone(), action) if action in world.legal_actions() else None
                if other is not None and alike(shown, other, seat):
                    compare(shown, other, seat, 0)
                    compared["own moves" if seat == mover else "others' moves"] += 1
                    compared["different moves"] += action != truth
                    break
            decide(table, truth)
    assert compared["positions"] > 2 and compared["own moves"] > 1, compared
    if name == "dimensions":
        assert compared["different moves"] > 1, compared


@pytest.mark.parametrize("name", SECRET)
def test_worlds_that_differ_in_hands_alone_are_one_to_a_spectator(name: str) -> None:
    dice = random.Random(2)
    table = laid(name, seed=3)
    for _ in range(6):
        world = table.state.clone()
        for player in range(table.facts.players):
            world.conceal(player, dice.getrandbits(60))
        for luck in range(3):
            here, there = (concealed(table, one.record, None, luck) for one in (table.state, world))
            assert here == there
        if table.over:
            break
        decide(table, dice.choice(table.state.legal_actions()))


def compare(one: GameTable, other: GameTable, seat: int, since: int) -> None:
    for lang in LANGUAGES:
        assert observation_text(one, Viewer(seat), lang, since) == observation_text(other, Viewer(seat), lang, since)


@pytest.mark.parametrize("name", SECRET)
def test_a_spectator_sees_the_same_whatever_the_players_hold(name: str) -> None:
    table, dice = laid(name, seed=2), random.Random(2)
    while not table.over and len(table.entries) < 12:
        worlds = [other_world(table, seat, 5 + len(table.entries)) for seat in range(table.facts.players)]
        texts = {observation_text(in_world(table, state), Viewer(), "en") for state in (table.state.clone(), *worlds)}
        assert len(texts) == 1
        play(table, 1, dice)


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_from_a_concealed_copy_is_the_true_picture(name: str) -> None:
    table = laid(name)
    assert table.game is not None
    for _ in range(10):
        play(table, 1, random.Random(len(table.entries)))
        record = table.moments[-1].after
        for seat in (None, *range(table.facts.players)):
            view: Any = table.game.view
            drawn = view(table.config, concealed(table, record, seat), seat, [], "en")
            assert drawn == view(table.config, record, seat, [], "en")


def test_a_card_laid_face_down_is_told_to_nobody_else() -> None:
    table = laid("dimensions")
    seat = table.turn
    decide(table, table.state.legal_actions()[0])
    told = [
        observe_table(table, Viewer(who), "en", table.version - 1)["steps"][-1]["lines"] for who in (seat, seat - 1)
    ]
    assert told[0][0].startswith("plays ") and told[1] == ["lays a card face down for the battle"]
    assert observe_table(table, Viewer(), "en", table.version - 1)["steps"][-1]["lines"] == told[1]


@pytest.mark.parametrize("name", GAMES)
def test_options_and_undo_are_for_the_player_to_move_alone(name: str) -> None:
    table = laid(name)
    for viewer in (Viewer(), *(Viewer(seat) for seat in range(table.facts.players))):
        seen = observe_table(table, viewer, "en")
        mine = viewer.seat == table.turn
        assert bool(seen["options"]) == mine == seen["yours"]
        assert bool(re.search("data-(a|in)=", seen["steps"][-1]["picture"])) == mine


@pytest.mark.parametrize("name", GAMES)
def test_the_seed_and_tokens_never_leave(name: str) -> None:
    table = laid(name, seed=0x5EED5EED5EED)
    play(table, 30, random.Random(3))
    for viewer in (Viewer(), Viewer(0), Viewer(0, owner=True)):
        text = observation_text(table, viewer, "ru")
        assert str(0x5EED5EED5EED) not in text and "token 0" not in text


@pytest.mark.parametrize("name", GAMES)
def test_each_language_is_kept_to(name: str) -> None:
    table = laid(name)
    play(table, 40, random.Random(5))
    for lang in LANGUAGES:
        seen = observe_table(table, Viewer(0), lang)
        lines = [line for step in seen["steps"] for line in step["lines"]]
        said = [*lines, *(option["words"] for option in seen["options"]), seen["asks"] or "", seen["undo"]["why"] or ""]
        kept_to(" ".join(said), lang, stock_of(name).latin)


def test_what_was_missed_comes_moment_by_moment_with_pictures() -> None:
    table = laid("pig")
    play(table, 20, random.Random(1))
    steps = observe_table(table, Viewer(0), "en", 3)["steps"]
    assert [step["version"] for step in steps] == list(range(4, table.version + 1))
    assert all("picture" in step for step in steps[-observation.MOST_PICTURES :])
    whole = observe_table(table, Viewer(0), "en")["steps"]
    assert [step["version"] for step in whole] == list(range(table.version + 1))
    assert [step["version"] for step in whole if "picture" in step] == [table.version]
    assert observe_table(table, Viewer(0), "en", table.version)["steps"] == []
    assert len(observe_table(table, Viewer(0), "en", table.version + 5)["steps"]) == table.version + 1, (
        "a strange version"
    )


def test_a_decision_taken_back_is_told() -> None:
    table = laid("kuhn")
    seat = table.turn
    decide(table, table.state.legal_actions()[0])
    assert observe_table(table, Viewer(seat), "en")["undo"] == {"may": True, "why": None}
    table.record(LoggedDecision("back", seat, UNDO))
    for viewer in (Viewer(seat), Viewer()):
        assert observe_table(table, viewer, "ru", table.version - 1)["steps"][0]["lines"] == [
            "берёт последнее решение назад"
        ]


def test_a_game_that_hides_something_and_says_nothing_of_it_is_told_sparingly() -> None:
    assert {"dimensions", "grid", "save_oneself", "coin"} <= set(SECRET)
    table = laid("coin")
    decide(table, 3)
    mine, theirs = (observe_table(table, viewer, "en", 0)["steps"][0]["lines"] for viewer in (Viewer(0), Viewer()))
    assert mine == ["looks"] and theirs == ["has decided"]


def test_the_end_says_who_and_why() -> None:
    table = laid("pig", target=10)
    play(table, 1000, random.Random(0))
    seen = observe_table(table, Viewer(1), "en")
    assert seen["over"] and seen["turn"] == NOBODY
    assert seen["end"]["winners"] == [int(np.argmax(table.state.returns()))]
    assert seen["settings"] == {"target": 10}
    assert seen["changed"] == "Not as usual: Goal: 10"
    json.dumps(seen)


def test_every_byte_of_a_few_games_is_searched() -> None:
    found = run(4, 3, most=3, served=1)
    assert found["games"] == 4 and found["positions"] > 7 and found["moves"] > 2, found
    assert found["games through a server"] == 1 and found["bytes through a server"] > 50_000


def test_the_search_finds_what_a_careless_table_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table_secrets.text_view", lambda table, seat, lang: str(table.state.record))
    with pytest.raises(AssertionError, match="is not"):
        run(1, 3, most=3, served=0)


@pytest.mark.long
def test_every_pair_of_worlds_of_kuhn_poker_is_one_to_whoever_cannot_tell_them_apart() -> None:
    """All six deals, all ways to play them, whoever looks on, from every moment on, and moves taken back."""
    deals: dict[tuple[int, ...], int] = {}
    for seed in range(60):
        deals.setdefault(tuple(laid("kuhn", seed=seed).state.record["card"].tolist()), seed)
    assert len(deals) == 6
    compared = 0
    for moves in _ways(deals[0, 1]):
        said: dict[tuple[int | None, Any], list[list[str]]] = defaultdict(list)
        for deal, seed in deals.items():
            table = _played(seed, moves)
            shown = table.over and table.state.record["folded"] == NOBODY
            for seat in (None, 0, 1):
                known = deal if shown else None if seat is None else deal[seat]
                texts = [
                    observation_text(table, Viewer(seat), lang, since)
                    for lang in LANGUAGES
                    for since in range(-1, table.version + 1)
                ]
                words = [text_view.text_view(table, seat, lang) for lang in LANGUAGES]
                said[seat, known].append([*texts, *words, str(table.undo_refused(seat))])
        for worlds in said.values():
            for one, other in combinations(worlds, 2):
                assert one == other, moves
                compared += len(one)
    assert compared > 2000
    print(f"{compared} pairs of texts alike")


def _played(seed: int, moves: tuple[int, ...]) -> GameTable:
    table = laid("kuhn", seed=seed)
    for number, action in enumerate(moves):
        seat = table.last_decider if action == UNDO else table.turn
        assert seat is not None
        table.record(LoggedDecision(f"move {number}", seat, action))
    return table


def _ways(seed: int, moves: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """All games from their deal on, with each decision that may be taken back taken back once."""
    yield moves
    table = _played(seed, moves)
    if table.over:
        return
    if moves and UNDO not in moves and table.undo_refused(table.last_decider) is None:
        yield from _ways(seed, (*moves, UNDO))
    for action in table.state.legal_actions():
        yield from _ways(seed, (*moves, action))
