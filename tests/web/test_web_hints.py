"""Hints: computed from what the seat may know, without holding up other tables."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_web_observation import SECRET, in_world, other_world
from test_web_table import laid, play
from web_server import Guest, Site, until

from common.found import SHIPPED
from playmill.agents import levels
from playmill.agents.agent_specs import seats_for
from playmill.interrupts import Stop
from playmill.web.agents import hints, precompile
from playmill.web.agents.hints import HintService, hint_seed, search_hint
from playmill.web.agents.precompile import Precompiler
from playmill.web.table import protocol
from playmill.web.table.concealed import known_state
from playmill.web.table.state import GameTable


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint of few thoughts: what is tried here needs no more, and nothing is compiled for it."""
    monkeypatch.setattr(hints, "SLICES", (1, 1))
    monkeypatch.setattr(hints, "COLD_SLICES", (1, 1))
    monkeypatch.setattr(hints, "LEAST", 2)
    monkeypatch.setattr(hints, "LONGEST", 600.0)


@pytest.fixture(autouse=True)
def interpreted(site: Site) -> Iterator[None]:
    before, site.tables.hints = site.tables.hints, HintService(Precompiler(makes=False))
    yield
    site.tables.hints.close()
    site.tables.hints = before


def hint(table: GameTable, seat: int, luck: int = 5) -> str:
    learned = search_hint(known_state(table, seat), luck, tell=lambda learned: None, stop=Stop(), interpreted=True)
    return protocol.message_text("hint", version=table.version, **learned)


@pytest.mark.parametrize("name", [*SHIPPED, "pig"])
def test_a_hint_weighs_the_options_and_names_the_best(name: str) -> None:
    table = laid(name)
    play(table, 3, random.Random(2))
    learned = search_hint(known_state(table, table.turn), 7, tell=lambda learned: None, stop=Stop(), interpreted=True)
    legal = table.state.legal_actions()
    assert learned["done"] and learned["thoughts"] == 2 and learned["best"] in legal
    assert {option["action"] for option in learned["options"]} <= set(legal)
    assert sum(option["share"] for option in learned["options"]) == pytest.approx(1, abs=0.001)
    most = max(learned["options"], key=lambda option: (option["share"], option["worth"]))
    assert most["share"] == next(one["share"] for one in learned["options"] if one["action"] == learned["best"])


@pytest.mark.parametrize("name", sorted({*SECRET} & {*SHIPPED}))
def test_two_worlds_that_look_alike_get_the_same_hint(name: str) -> None:
    told = 0
    for game in range(1 if name == "grid" else 4):  # thoughts about `grid` are long
        table = laid(name, seed=20 + game)
        play(table, 3 + 2 * game, random.Random(game))
        seat = table.turn
        twin = in_world(table, other_world(table, seat, game + 1))
        told += twin.state.record != table.state.record
        assert hint(in_world(table, table.state.clone()), seat) == hint(twin, seat)
    assert told, "the worlds really were different ones"


def test_as_soon_as_there_is_a_compiled_expert_its_choice_is_sent_too(monkeypatch: pytest.MonkeyPatch) -> None:
    table = laid("pig")
    table_with_a_pot = known_state(table, table.turn)
    put = table_with_a_pot.record.copy()
    put["pot"] = 15
    table_with_a_pot.put_record(put.reshape(1))
    for spec, expected in (("threshold:n=20", 0), ("threshold:n=10", 1), ("search:iterations=5", None)):
        monkeypatch.setattr(levels, "strongest", lambda game, config, spec=spec: spec)
        told: list[dict[str, Any]] = []
        learned = search_hint(table_with_a_pot.clone(), 7, tell=told.append, stop=Stop(), interpreted=True)
        assert learned["expert"] == expected == told[0]["expert"]


def test_an_expert_that_thinks_with_a_network_is_who_advises(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Path(__file__).parents[2] / "examples" / "learning" / "leduc.npz"
    monkeypatch.setattr(hints, "strongest", lambda game, config: f"search:iterations=50,trust=0.25,net={net}")
    seen: list[Any] = []
    made = hints.Thinker

    def thinker(game: Any, params: Any, **how: Any) -> Any:
        seen.append((params, how["judge"]))
        return made(game, params, **how)

    monkeypatch.setattr(hints, "Thinker", thinker)
    table = laid("leduc")
    for interpreted in (False, True):
        how = {"tell": lambda learned: None, "stop": Stop(), "interpreted": interpreted}
        learned = search_hint(known_state(table, table.turn), 7, **how)
        assert learned["done"] and learned["best"] in table.state.legal_actions() and learned["expert"] is None
    (params, judge), (plain, nobody) = seen
    assert judge is not None and params[:2] == (2, 0.0), "as many iterations as a hint has"
    assert 0.25 in params, "and its own numbers"
    assert nobody is None and len(plain) == 2, "the interpreter takes none: it would be slow"


def test_what_a_search_with_a_network_needs_is_another_task(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Path(__file__).parents[2] / "examples" / "learning" / "leduc.npz"
    table = laid("leduc")
    game = table.game
    assert game is not None
    seat = seats_for(game, 2, [f"search:net={net}"])[0]
    plain, learned = (precompile._needs(game, one, table.config) for one in (hints._SEARCH, seat))
    assert plain is not None and learned is not None and plain[1:] == (-1, "") and str(net) in learned[2]
    assert precompile._seated(game, learned[2])[1] is not None
    assert precompile._seated(game, "search:net=nothing.npz") == (2, None)


def test_a_hint_has_the_same_thoughts_however_slow_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal worlds, of which one is thought about a hundred times as slowly; and by a clock that leaps."""
    table = laid("save_oneself", seed=3)
    seat, told, think = table.turn, [], hints.Thinker.think
    for slowness in (0.0, 0.05):

        def slow(thinker: Any, workspace: Any, slowness: float = slowness) -> None:
            time.sleep(slowness)
            think(thinker, workspace)

        with monkeypatch.context() as patch:
            patch.setattr(hints.Thinker, "think", slow)
            said: list[dict[str, Any]] = []
            last = search_hint(known_state(table, seat), 5, tell=said.append, stop=Stop(), interpreted=True)
            told.append(json.dumps([*said, last]))
    assert told[0] == told[1] and len(json.loads(told[0])) == len(hints.COLD_SLICES)
    monkeypatch.setattr(hints, "LONGEST", -1.0)
    given_up = search_hint(known_state(table, seat), 5, tell=lambda learned: None, stop=Stop(), interpreted=True)
    assert given_up["failed"] and not given_up["thoughts"] and not given_up["options"]


def test_the_luck_of_a_hint_is_that_of_the_moment() -> None:
    assert hint_seed("a table", 3) == hint_seed("a table", 3) != hint_seed("a table", 4) != hint_seed("another", 4)


def ask_for_a_hint(guest: Guest) -> dict[str, Any]:
    """A whole hint; one that is known comes before the wish is confirmed."""
    heard = len(guest.texts)
    assert guest.ask(kind="hint", version=guest.seen["version"])["kind"] == "done"
    while True:
        for text in guest.texts[heard:]:
            if (found := json.loads(text))["kind"] == "hint" and found["done"]:
                return dict(found)
        guest.hear()


def test_whoever_is_to_move_gets_a_hint_and_the_same_one_again(site: Site) -> None:
    made = site.make("pig", ["me", "anybody"], seed=1)
    with site.at(*made) as guest, site.at(made[0]) as other:
        other.ask(kind="sit", seat=1)
        guest.ask(kind="ready", ready=True)
        other.ask(kind="ready", ready=True)
        guest.until(lambda seen: seen["yours"])
        first = ask_for_a_hint(guest)
        assert first["best"] in [option["action"] for option in guest.seen["options"]]
        assert ask_for_a_hint(guest) == first
        refused = other.ask(kind="hint", version=guest.seen["version"])
        assert refused["kind"] == "refused" and "to move" in refused["why"]
        guest.move()
        assert guest.ask(kind="hint", version=first["version"])["kind"] == "refused"
        assert not any('"hint"' in text and '"best"' in text for text in other.texts), "a hint is for one seat alone"


def test_a_table_laid_without_hints_gives_none(site: Site) -> None:
    made = site.make("pig", ["me", "random"], hints=False)
    with site.at(*made) as guest:
        guest.until(lambda seen: seen["yours"])
        assert guest.seen["hints"] is False
        refused = guest.ask(kind="hint", version=guest.seen["version"])
        assert refused["kind"] == "refused" and "without hints" in refused["why"]


def test_a_hint_is_told_bit_by_bit_and_given_up_when_it_is_needed_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "COLD_SLICES", (2, 2, 2, 1_000_000))
    state, stop, told = known_state(laid("pig"), 0), Stop(), []
    learned: list[dict[str, Any]] = []
    thread = threading.Thread(
        target=lambda: learned.append(search_hint(state, 1, tell=told.append, stop=stop, interpreted=True))
    )
    thread.start()
    until(lambda: len(told) == 3)
    stop.times += 1
    thread.join()
    assert [one["thoughts"] for one in told] == [2, 4, 6] and not any(one["done"] for one in told)
    assert learned and learned[0]["failed"] and not learned[0]["thoughts"]


def test_hints_cannot_use_up_the_server(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "MOST_WAITING", 0)
    made = site.make("pig", ["me", "random"])
    with site.at(*made) as guest:
        guest.until(lambda seen: seen["yours"])
        refused = guest.ask(kind="hint", version=guest.seen["version"])
        assert refused["kind"] == "refused" and "too many hints" in refused["why"]
        assert guest.move()["kind"] == "done", "the table plays on"


def test_too_few_thoughts_are_no_hint_and_it_may_be_asked_for_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "LEAST", 100)
    made = site.make("pig", ["me", "random"])
    with site.at(*made) as guest:
        guest.until(lambda seen: seen["yours"])
        assert ask_for_a_hint(guest)["best"] is None
        monkeypatch.setattr(hints, "LEAST", 2)
        assert ask_for_a_hint(guest)["best"] is not None


@pytest.mark.parametrize("what", ["search_hint", "known_state"])
def test_a_hint_that_goes_wrong_is_told_and_may_be_asked_for_again(
    site: Site, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def wrong(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    made = site.make("pig", ["me", "random"])
    with site.at(*made) as guest:
        guest.until(lambda seen: seen["yours"])
        with monkeypatch.context() as patched:
            patched.setattr(hints, what, wrong)
            told = ask_for_a_hint(guest)
        assert told["failed"] and told["best"] is None
        again = ask_for_a_hint(guest)
        assert not again["failed"] and again["best"] is not None
        assert guest.move()["kind"] == "done", "the table plays on"
