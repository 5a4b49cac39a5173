"""The maps that come with Influence: their sizes, and that those with starts are fair up to the order of play."""

from __future__ import annotations

from importlib import resources

import pytest
from influence_turns import images, is_turned_onto_itself, mirror, starts_are_turned, starts_of

from playmill.games.influence.config import Config
from playmill.games.influence.maps import ABOUT, listing, text_of
from playmill.games.influence.maps.model import STRONG, Map, built_in, connected, neighbours, places

MAPS = built_in()
FOLDER = resources.files("playmill.games.influence.maps").joinpath("data")


def cells(name: str) -> int:
    return len(places(MAPS[name].rows))


def test_the_sizes_of_the_rules_page() -> None:
    assert cells("small") <= 20
    assert 90 <= cells("middle") <= 110
    assert cells("large") == 200
    assert list(MAPS) == sorted(MAPS, key=cells)


@pytest.mark.parametrize("name", MAPS)
def test_a_built_in_map_is_in_order(name: str) -> None:
    made = MAPS[name]
    assert made.name == name
    assert FOLDER.joinpath(f"{name}.json").read_text(encoding="utf-8") == text_of(made)
    assert connected(made.rows)
    assert min(sum(other >= 0 for other in around) for around in neighbours(made.rows)) >= 2
    assert 0.1 <= sum(row.count(STRONG) for row in made.rows) / cells(name) <= 0.4
    for players in range(2, 7):
        assert Config.read({"map": name}).pack(players)[0]["fixed"] == (str(players) in made.starts)


@pytest.mark.parametrize("name", ["small", "middle", "large"])
def test_plain_maps_have_random_starts(name: str) -> None:
    assert MAPS[name].starts == {}


@pytest.mark.parametrize("name", ["hexagon", "ring"])
def test_six_sides_are_alike(name: str) -> None:
    made = MAPS[name]
    assert is_turned_onto_itself(made, 6)
    assert set(made.starts) == {"2", "3", "6"}
    for players in (2, 3, 6):
        assert starts_are_turned(made, players)


def test_four_islands_are_alike() -> None:
    made = MAPS["islands"]
    assert set(made.starts) == {"2", "4"}
    assert is_turned_onto_itself(made, 2)
    assert starts_are_turned(made, 2)
    kinds = [made.rows[row][column] for row, column in places(made.rows)]
    starts = starts_of(made, 4)
    for axis, order in ((0, [1, 0, 3, 2]), (1, [3, 2, 1, 0])):
        moved = images(made, mirror(made, axis))
        assert moved is not None
        assert [kinds[image] for image in moved] == kinds
        assert [moved[start] for start in starts] == [starts[seat] for seat in order]


def test_the_list() -> None:
    entries = listing()
    assert [entry.name for entry in entries] == list(MAPS)
    for entry in entries:
        rows, columns = entry.size
        assert entry.cells + entry.holes == rows * columns
        assert entry.about.en and entry.about.ru and entry.about == ABOUT[entry.name]
        assert entry.starts == tuple(sorted(int(players) for players in MAPS[entry.name].starts))
        assert entry.strong == sum(row.count("S") for row in MAPS[entry.name].rows)
    assert set(ABOUT) == set(MAPS)


def test_built_in_maps_are_read_once() -> None:
    assert built_in() is built_in()
    assert all(isinstance(made, Map) for made in built_in().values())
