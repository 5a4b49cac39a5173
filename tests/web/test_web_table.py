"""State of a table: replaying its log gives the same; a decision is applied once."""

from __future__ import annotations

import dataclasses
import random
import sqlite3
from pathlib import Path

import pytest

from common.found import GAMES, game_of
from playmill import Game, PlaymillError
from playmill.engine.lang.record import to_text
from playmill.web.table import undo
from playmill.web.table.history import NOBODY
from playmill.web.table.observation import Viewer, observe_table
from playmill.web.table.state import GameTable, open_table, rules_fingerprint_of
from playmill.web.table.store import UNDO, Chair, LoggedDecision, TableFacts, TableStore, hashed


def laid(name: str, *, players: int | None = None, seed: int = 3, **config: object) -> GameTable:
    """A table at which everybody sits."""
    game = game_of(name)
    players = players or game.players[0]
    chosen = game.config.read({**game.config().model_dump(mode="json"), **config})
    facts = TableFacts(
        "t", game.name, game.version, rules_fingerprint_of(game), chosen.model_dump(mode="json"), players, seed, ""
    )
    return open_table({game.name: game}, facts, [Chair(token=f"token {seat}") for seat in range(players)])


def decide(table: GameTable, action: int, move: str | None = None) -> None:
    table.check(table.turn, action, table.version)
    table.record(LoggedDecision(move or f"move {len(table.entries)}", table.turn, action))


def play(table: GameTable, decisions: int, dice: random.Random) -> None:
    """Random decisions, some of them taken back where that may be."""
    for _ in range(decisions):
        if table.over:
            return
        seat = table.turn
        decide(table, dice.choice(table.state.legal_actions()))
        if dice.random() < 0.3 and table.undo_refused(seat) is None:
            table.record(LoggedDecision(f"back {len(table.entries)}", seat, UNDO))


@pytest.mark.parametrize("name", GAMES)
def test_the_log_played_again_is_the_same_table(name: str) -> None:
    table = laid(name)
    play(table, 60, random.Random(1))
    again = open_table({table.facts.game: game_of(name)}, table.facts, table.chairs, table.entries)
    assert again.trouble is None
    assert [to_text(moment.after) for moment in again.moments] == [to_text(moment.after) for moment in table.moments]
    assert (again.version, again.turn) == (table.version, table.turn)
    assert observe_table(again, Viewer(0), "ru") == observe_table(table, Viewer(0), "ru")


def test_forced_actions_are_moments_like_any_other(pig: Game) -> None:
    table = laid("pig", seed=1)
    assert [moment.seat for moment in table.moments] == [NOBODY, 0], "the first roll of a turn is forced"
    assert table.version == 1


def test_a_decision_for_another_version_seat_or_position_is_refused(pig: Game) -> None:
    table = laid("pig")
    seat = table.turn
    with pytest.raises(PlaymillError, match="moved on"):
        table.check(seat, 0, table.version - 1)
    with pytest.raises(PlaymillError, match="not your turn"):
        table.check(1 - seat, 0, table.version)
    with pytest.raises(PlaymillError, match="no option 7"):
        table.check(seat, 7, table.version)


def test_a_table_with_a_free_seat_has_not_begun(pig: Game) -> None:
    table = laid("pig")
    table.chairs[1] = Chair()
    assert table.turn == NOBODY and not table.started
    with pytest.raises(PlaymillError, match="a seat is free"):
        table.check(0, 0, table.version)


def test_a_seat_left_in_the_middle_does_not_stop_the_others(pig: Game) -> None:
    table = laid("pig")
    decide(table, 0)
    table.chairs[1 - table.turn] = Chair()
    assert table.started


@pytest.mark.parametrize("change", [{"rules": "others"}, {"version": 77}])
def test_other_rules_make_a_table_read_only(pig: Game, change: dict[str, object]) -> None:
    facts = dataclasses.replace(laid("pig").facts, **change)
    table = open_table({"pig": pig}, facts, [Chair(token="a"), Chair(token="b")])
    seen = observe_table(table, Viewer(0), "ru")
    assert "правила Свинья изменились" in seen["trouble"]
    assert seen["options"] == [] and not seen["undo"]["may"]
    with pytest.raises(PlaymillError, match="have changed since this table began"):
        table.check(0, 0, table.version)


def test_a_game_that_is_not_on_offer_makes_a_table_read_only(pig: Game) -> None:
    table = open_table({}, laid("pig").facts, [Chair(token="a"), Chair(token="b")])
    assert "playmill serve FOLDER" in observe_table(table, Viewer(), "en")["trouble"]


def test_a_log_that_does_not_fit_is_a_trouble_not_a_crash(pig: Game) -> None:
    table = laid("pig")
    again = open_table({"pig": pig}, table.facts, table.chairs, [LoggedDecision("x", 0, 5)])
    assert again.trouble is not None and "illegal action 5" in again.trouble.en


def test_undo_is_refused_after_chance() -> None:
    table = laid("pig")
    seat = table.turn
    for _ in range(60):
        if table.turn != seat:
            break
        decide(table, 0)
        if table.turn == seat:
            assert table.undo_refused(seat) == undo.CHANCE
    assert table.undo_refused(seat) in (undo.ACTED, undo.NOT_YOURS)


def test_undo_is_refused_where_something_hidden_came_to_light() -> None:
    table = laid("save_oneself")
    decide(table, table.state.legal_actions()[0])
    assert table.undo_refused(0) == undo.REVEALED, "a step onto an empty cell turns up a card of the deck"


def test_undo_gives_the_very_position_back_and_only_to_whoever_decided() -> None:
    table = laid("influence", players=2)
    while table.state.game.words.decision_kind(table.state.record) != "defence":
        decide(table, table.state.legal_actions()[-1])
    seat, before = table.turn, to_text(table.state.record)
    version = table.version
    decide(table, table.state.legal_actions()[0])
    if table.undo_refused(seat) is None:
        assert table.undo_refused(1 - seat) == undo.NOT_YOURS and table.undo_refused(None) == undo.NOT_YOURS
        table.record(LoggedDecision("back", seat, UNDO))
        assert to_text(table.state.record) == before
        assert table.version == version + 2, "versions only grow"
    else:
        pytest.fail("a point that is placed can be taken back")


def test_undo_is_refused_when_somebody_else_has_acted() -> None:
    table = laid("dimensions")
    seat = table.turn
    decide(table, table.state.legal_actions()[0])
    decide(table, table.state.legal_actions()[0])
    assert table.undo_refused(seat) == undo.NOT_YOURS


def test_no_undo_when_the_game_is_over() -> None:
    table = laid("save_oneself")
    play(table, 10_000, random.Random(4))
    assert table.over and "over" in (table.undo_refused(0) or undo.NOTHING).en


@pytest.fixture
def store(tmp_path: Path) -> TableStore:
    return TableStore(tmp_path / "deep" / "tables.sqlite3")


def test_the_ledger_keeps_what_it_was_given(store: TableStore) -> None:
    table = laid("pig")
    store.begin(table.facts, table.chairs)
    for number in range(3):
        store.append("t", number, LoggedDecision(f"m{number}", 0, number))
    store.seat("t", 1, Chair(agent="search"))
    facts, chairs, entries = TableStore(store.path).find("t") or pytest.fail("nothing was kept")
    assert facts == table.facts
    assert chairs == [Chair(token="token 0"), Chair(agent="search")]
    assert entries == [LoggedDecision(f"m{number}", 0, number) for number in range(3)]
    assert store.find("u") is None


def test_a_line_of_the_log_is_never_written_over_or_twice(store: TableStore) -> None:
    store.begin(laid("pig").facts, [])
    store.append("t", 0, LoggedDecision("once", 0, 1))
    for number, move in ((0, "other"), (1, "once")):
        with pytest.raises(PlaymillError, match="cannot be kept"):
            store.append("t", number, LoggedDecision(move, 0, 1))
    found = store.find("t")
    assert found is not None and found[2] == [LoggedDecision("once", 0, 1)]


def test_the_disk_has_it_before_anybody_is_told(store: TableStore) -> None:
    base = store._base
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert base.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"


def test_a_ledger_of_another_form_and_no_ledger_at_all_get_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version=9")
    base.commit()
    base.close()
    with pytest.raises(PlaymillError, match="it is of form 9"):
        TableStore(path)
    path.write_text("this is no base" * 100)
    with pytest.raises(PlaymillError, match="cannot be kept: file is not a database"):
        TableStore(path)


def test_a_token_is_not_in_the_ledger(store: TableStore) -> None:
    assert hashed("secret") != "secret" and len(hashed("secret")) == 64
