"""Seats: when a table begins, who is away, who stands in, and several people at one screen."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from web_server import Guest, Site, until

from playmill.web.live import seating
from playmill.web.table.state import open_table
from playmill.web.table.store import FORM, MOST_NOTES, Chair, LoggedDecision, TableFacts, TableNote, TableStore


def notes_of(guest: Guest) -> list[str]:
    """What was told besides the game in all that somebody was sent, each note once."""
    found = {}
    for text in guest.texts:
        for note in json.loads(text).get("notes", []):
            found[note["number"]] = note["line"]
    return [found[number] for number in sorted(found)]


def test_a_table_of_several_people_begins_when_all_of_them_say_so(site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "anybody", "random"], seed=3, waits=True)
    with site.at(table, owner) as anna, site.at(table) as boris:
        assert boris.ask(kind="sit", seat=1, name="Boris", ready=False)["kind"] == "done"
        anna.until(lambda seen: not seen["seats"][1]["open"])
        assert not anna.seen["started"] and "Your hand" not in anna.texts[-1]
        version = anna.seen["version"]
        refused = anna.ask(kind="move", version=version, action=0)
        assert refused["why"] == "the game has not begun: not everybody is ready"
        assert anna.ask(kind="ready")["kind"] == "done"
        assert anna.ask(kind="ready", ready=False)["kind"] == "done"
        assert boris.ask(kind="ready")["kind"] == "done"
        boris.until(lambda seen: seen["seats"][0]["waits"])
        assert not boris.seen["started"]
        anna.ask(kind="ready")
        boris.until(lambda seen: seen["started"] and seen["steps"])
        assert boris.seen["steps"][0]["version"] == 0 and "Your hand" in boris.seen["steps"][-1]["picture"]
        assert boris.ask(kind="ready")["why"] == "the game has begun already"


def test_alone_with_agents_a_table_begins_at_once(site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"], waits=True)
    with site.at(table, owner) as anna:
        assert anna.seen["started"]


def test_several_people_at_one_screen_need_not_agree(site: Site) -> None:
    table, owner = site.make("pig", ["me", "here"], waits=True)
    with site.at(table, owner) as screen:
        assert screen.seen["started"] and [seat["you"] for seat in screen.seen["seats"]] == [True, True]


def test_a_seat_is_reclaimed_from_another_device_and_both_see_it(site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"], seed=1)
    with site.at(table, owner) as laptop, site.at(table, owner) as phone:
        version = phone.until(lambda seen: seen["yours"])["version"]
        assert phone.move(0)["kind"] == "done"
        laptop.until(lambda seen: seen["version"] > version)
        assert laptop.seen["you"] == phone.seen["you"] == 0


class Clock:
    """A clock by which somebody is away: it stands still, however slow the machine is, until it is put forward."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(seating, "time", made)
    return made


def away(site: Site, table: str, owner: str, grace: int) -> tuple[str, int]:
    """Boris sits down at a table of Pig and goes away when it is his turn: his token, and the version he has seen."""
    with site.at(table, owner) as anna, site.at(table) as boris:
        token = boris.ask(kind="sit", seat=1, name="Boris")["token"]
        assert anna.ask(kind="grace", seconds=grace)["kind"] == "done"
        anna.until(lambda seen: seen["yours"])
        anna.move(1)
        version = boris.until(lambda seen: seen["yours"])["version"]
    until(lambda: not site.tables.open_actors[table].browsers)
    return token, version


def look_at_the_clock(guest: Guest) -> None:
    """Lets the table do something, after which it looks who has been away for how long."""
    assert guest.ask(kind="name", name="Anna")["kind"] == "done"


def test_whoever_is_away_too_long_is_stood_in_for_until_she_is_back(site: Site, clock: Clock) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1, changes=["faces=100"])
    token, version = away(site, table, owner, 60)
    with site.at(table, owner) as anna:
        for seconds in (0, 59):
            clock.now += seconds
            look_at_the_clock(anna)
            assert anna.seen["turn"] == 1 and anna.seen["seats"][1]["agent"] is None, "not at once"
        clock.now += 2
        look_at_the_clock(anna)
        anna.until(lambda seen: seen["seats"][1]["agent"] is not None)
        assert anna.seen["seats"][1]["held"] and anna.seen["seats"][1]["name"] == "Boris"
        assert "is away: the computer plays for now" in notes_of(anna)
        with site.at(table, token, have=version) as boris:
            assert boris.seen["you"] == 1 and boris.seen["seats"][1]["agent"] is None
            anna.until(lambda seen: seen["seats"][1]["agent"] is None and seen["seats"][1]["here"])
            assert "is back" in notes_of(anna)
    kept = [note.what for note in site.tables.store.notes(table)]
    assert [what for what in kept if what != "cold"] == ["sat", "away", "back"], "a machine may be slow: it had a move"


def test_nobody_stands_in_during_a_short_absence_nor_while_nobody_waits(site: Site, clock: Clock) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1, changes=["faces=100"])
    token, _ = away(site, table, owner, 60)
    clock.now += 600
    room = site.tables.open_actors[table]
    assert room._seating.overdue() is None, "Anna has gone too: nobody waits"
    with site.at(table, token) as boris:
        assert boris.seen["yours"], "he came back before anybody waited"
    until(lambda: not room.browsers)
    with site.at(table, owner) as anna:
        clock.now += 50
        look_at_the_clock(anna)
        due = room._seating.overdue()
        assert due is not None and due[1] == pytest.approx(10)
        assert anna.seen["seats"][1]["agent"] is None


def test_with_no_grace_somebody_is_waited_for(site: Site, clock: Clock) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1, changes=["faces=100"])
    away(site, table, owner, 0)
    with site.at(table, owner) as anna:
        clock.now += 10**6
        look_at_the_clock(anna)
        room = site.tables.open_actors[table]
        assert room._seating.overdue() is None and not room.table.chairs[1].agent


def test_the_owner_lets_somebody_stand_in_by_hand_but_not_for_one_who_is_here(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1)
    with site.at(table, owner) as anna:
        with site.at(table) as boris:
            token = boris.ask(kind="sit", seat=1, name="Boris")["token"]
            assert anna.ask(kind="appoint", seat=1, agent="random")["why"] == "somebody sits there"
            assert boris.ask(kind="appoint", seat=0, agent="random")["why"] == "only who made the table can do this"
        anna.until(lambda seen: not seen["seats"][1]["open"] and not seen["seats"][1]["here"])
        assert anna.ask(kind="appoint", seat=1, agent="random")["kind"] == "done"
        anna.until(lambda seen: seen["seats"][1]["agent"] == "random" and seen["seats"][1]["held"])
        with site.at(table, token) as boris:
            assert boris.seen["seats"][1]["agent"] is None and boris.seen["you"] == 1


def test_somebody_gives_her_own_seat_to_an_agent_and_takes_it_back(site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"], seed=1, changes=["faces=100"])
    with site.at(table, owner) as anna:
        anna.until(lambda seen: seen["yours"])
        assert anna.ask(kind="appoint", seat=0, agent="threshold")["kind"] == "done"
        anna.until(lambda seen: seen["seats"][0]["agent"] == "threshold" and not seen["options"])
        why = anna.ask(kind="move", version=anna.seen["version"], action=0)["why"]
        assert why == "the computer plays for you: take your seat back first"
        assert anna.ask(kind="appoint", seat=0, agent="")["kind"] == "done"
        anna.until(lambda seen: seen["seats"][0]["agent"] is None)


def test_an_absent_seat_is_freed_before_the_game_and_kept_after(site: Site) -> None:
    table, owner = site.make("pig", ["me", "anybody"], seed=1)
    with site.at(table, owner) as anna:
        with site.at(table) as boris:
            boris.ask(kind="sit", seat=1)
        anna.until(lambda seen: not seen["seats"][1]["open"] and not seen["seats"][1]["here"])
        assert anna.ask(kind="appoint", seat=1, agent="")["kind"] == "done"
        anna.until(lambda seen: seen["seats"][1]["open"])
        with site.at(table) as boris:
            boris.ask(kind="sit", seat=1)
            anna.until(lambda seen: seen["yours"])
            anna.move()
        anna.until(lambda seen: not seen["seats"][1]["open"] and not seen["seats"][1]["here"])
        assert anna.ask(kind="appoint", seat=1, agent="")["why"] == "this seat waits for its player"


def test_whoever_was_ready_and_went_away_is_asked_again(site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "anybody", "anybody"], grace=1)
    with site.at(table, owner) as anna:
        with site.at(table) as boris:
            boris.ask(kind="sit", seat=1)
        anna.until(lambda seen: not seen["seats"][1]["open"] and seen["seats"][1]["waits"])


def test_an_answer_to_sitting_down_that_was_lost_is_given_again(site: Site) -> None:
    table, _ = site.make("pig", ["me", "anybody"])
    with site.at(table) as boris:
        token = boris.ask(kind="sit", id="sit-down-once", seat=1, token="b" * 24)["token"]
    with site.at(table) as boris:
        assert boris.ask(kind="sit", id="sit-down-once", seat=1, token="b" * 24)["token"] == token
        boris.until(lambda seen: seen["you"] == 1)
        assert boris.ask(kind="sit", seat=1)["why"] in ("this seat is taken", "you have a seat already")


def test_behind_the_curtain_nothing_is_sent_until_somebody_says_it_is_her(site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "here", "random"], seed=3)
    with site.at(table, owner) as screen:
        screen.until(lambda seen: seen["curtain"] is not None)
        assert screen.seen["you"] is None and screen.seen["options"] == [] and not screen.seen["yours"]
        assert not any("Your hand" in text for text in screen.texts)
        first = screen.seen["curtain"]
        assert screen.ask(kind="move", version=screen.seen["version"], action=0)["why"] == "that is not your seat"
        assert screen.ask(kind="lift", seat=2)["why"] == "that is not your seat"
        screen.texts.clear()
        screen.ask(kind="lift", seat=first)
        screen.until(lambda seen: seen["you"] == first and seen["yours"])
        assert screen.seen["curtain"] is None and "Your hand" in screen.seen["steps"][-1]["picture"]
        screen.texts.clear()
        screen.move()
        screen.until(lambda seen: seen["curtain"] is not None)
        assert screen.seen["you"] == first and screen.seen["options"] == [], "she sees what came of her move, no more"
        second = screen.seen["curtain"]
        assert second == 1 - first
        shown = screen.seen
        with site.at(table, owner, have=shown["version"], seat=first) as again:
            assert again.seen["you"] == first and again.seen["steps"] == [], "a line that was lost changes nothing"
        with site.at(table, owner, have=shown["version"], seat=2) as again:
            assert again.seen["you"] is None, "nor does it open another's hand"
        screen.ask(kind="lift", seat=second)
        screen.until(lambda seen: seen["you"] == second and seen["yours"])
        assert screen.move()["kind"] == "done"


def test_one_screen_where_nothing_is_hidden_needs_no_curtain_and_whoever_moved_may_take_back(site: Site) -> None:
    table, owner = site.make("influence", ["me", "here"], seed=1, changes=["map=small"])
    with site.at(table, owner) as screen:
        for _ in range(6):
            screen.until(lambda seen: seen["yours"])
            assert screen.seen["curtain"] is None and screen.seen["you"] == screen.seen["turn"]
            end = [option for option in screen.seen["options"] if option["text"] == "end"]
            version = screen.seen["version"]
            screen.move((end or screen.seen["options"])[0]["action"])
            screen.until(lambda seen, version=version: seen["version"] > version)
            if screen.seen["turn"] != 0:
                break
        assert screen.seen["turn"] == 1
        message = {"kind": "undo", "id": "back-again", "version": screen.seen["version"]}
        assert screen.seen["undo"]["may"] and screen.ask(**message)["kind"] == "done"
        assert screen.ask(**message)["kind"] == "done", "sent twice, done once"
        screen.until(lambda seen: seen["turn"] == 0)


def test_somebody_else_at_this_screen_sits_down_too_before_the_game_only(site: Site) -> None:
    table, owner = site.make("dimensions", ["me", "anybody", "anybody"])
    with site.at(table, owner) as anna, site.at(table) as boris:
        boris.ask(kind="sit", seat=1)
        more = boris.ask(kind="sit", seat=2, name="Clara")["token"]
        boris.until(lambda seen: [seat["you"] for seat in seen["seats"]] == [False, True, True])
        assert len(more) >= 22
        anna.until(lambda seen: seen["started"])
        assert boris.ask(kind="leave", seat=2)["kind"] == "done"
        assert boris.ask(kind="leave", seat=0)["why"] == "that is not your seat"
        assert boris.ask(kind="name", seat=1, name="Борис")["kind"] == "done"
        anna.until(lambda seen: seen["seats"][1]["name"] == "Борис")


def test_again_seats_all_people_of_one_screen(site: Site) -> None:
    table = site.make("dimensions", ["me", "here", "random"], grace=300)[0]
    again, token = site.tables.make_again(table, 1)
    with site.at(again, token) as screen:
        assert [seat["you"] for seat in screen.seen["seats"]] == [True, True, False]
        assert screen.seen["started"] and screen.seen["grace"] == 300


def test_the_offer_to_play_again_outlives_the_server(site: Site) -> None:
    table, owner = site.make("pig", ["me", "random"], changes=["target=1"], seed=2)
    played = open_table(site.tables.games, *site.tables.store.find(table))
    while not played.over:
        entry = LoggedDecision(f"move-{len(played.entries):06d}", played.turn, played.state.legal_actions()[-1])
        site.tables.store.append(table, len(played.entries), entry)
        played.record(entry)
    site.ask("/tables", {"like": table, "mine": "0", "token": "x" * 24})
    assert site.tables._open(table).again is None, "a stranger makes no offers here"
    where = site.ask("/tables", {"like": table, "mine": "0", "token": owner})[1]["location"]
    with site.at(table) as guest:
        again = guest.until(lambda seen: seen["again"])["again"]
    assert where.startswith(f"/t/{again}#")
    assert site.tables._open(table).again == again, "what a server finds that is started anew"
    site.tables.store.remove(again)
    assert site.tables._open(table).again is None, "it leads to no table that is gone"


def test_a_ledger_of_the_first_form_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    store = TableStore(path)
    store.begin(TableFacts("t", "pig", 1, "r", {}, 2, 1, "o"), [Chair(token="a"), Chair(name="B", token="b")])
    store.close()
    base = sqlite3.connect(path)
    base.executescript(
        "ALTER TABLE tables DROP COLUMN again; ALTER TABLE tables DROP COLUMN hints;"
        "ALTER TABLE tables DROP COLUMN grace;"
        "ALTER TABLE seats DROP COLUMN waits; DROP TABLE notes;"
        "PRAGMA user_version=1;"
    )
    base.close()
    again = TableStore(path)
    found = again.find("t")
    assert found is not None and found[1] == [Chair(token="a"), Chair(name="B", token="b")]
    assert again.grace("t") == 60 and again.notes("t") == [] and again.again("t") is None
    assert again._base.execute("PRAGMA user_version").fetchone() == (FORM,)


def test_notes_of_a_table_cannot_fill_the_disk(tmp_path: Path) -> None:
    store = TableStore(tmp_path / "tables.sqlite3")
    store.begin(TableFacts("t", "pig", 1, "r", {}, 2, 1, "o"), [])
    store._base.execute("PRAGMA synchronous=OFF")
    for number in range(1, MOST_NOTES + 20):
        store.note("t", TableNote(number, 0, 0, "sat"))
    assert [note.number for note in store.notes("t")] == list(range(20, MOST_NOTES + 20))


@pytest.mark.parametrize("seconds", [-1, 10**9])
def test_a_strange_grace_is_brought_into_bounds(site: Site, seconds: int) -> None:
    table, owner = site.make("pig", ["me", "anybody"], grace=seconds)
    with site.at(table, owner) as anna:
        assert 0 <= anna.seen["grace"] <= 86_400
