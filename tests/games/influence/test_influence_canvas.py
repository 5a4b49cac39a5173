"""Maps of Influence as drawings: what is alike stays alike, and what is told of a map is true."""

from __future__ import annotations

import pytest

from playmill.engine.contract.map_editor import NOWHERE, Drawing, is_alike, symmetries_of
from playmill.games.influence.canvas import EASEL, canvas
from playmill.games.influence.maps.generate import generate
from playmill.games.influence.maps.hexes import beside
from playmill.games.influence.maps.model import built_in
from playmill.texts import PlaymillError


def _drawing(rows: list[str], **starts: list[list[int]]) -> Drawing:
    players = {key.removeprefix("of"): places for key, places in starts.items()}
    return EASEL.drawn({"name": "x", "rows": rows, "starts": players})


def _facts(drawing: Drawing) -> dict[str, str]:
    return {fact.name.en: fact.value.en for fact in EASEL.facts(drawing)}


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (4, 7), (7, 4), (6, 6), (1, 3), (2, 1)])
def test_a_symmetry_carries_neighbours_to_neighbours_and_comes_back(rows, columns):
    made = canvas(rows, columns)
    cells = [(place.row, place.column) for place in made.places]
    for symmetry in made.symmetries:
        for way in made.images[symmetry.key]:
            for step in way:
                assert len({image for image in step if image != NOWHERE}) == sum(image != NOWHERE for image in step)
                for place, image in enumerate(step):
                    for other in beside(cells[place]):
                        number = made.numbers.get(other)
                        if number is not None and NOWHERE not in (image, step[number]):
                            assert cells[step[number]] in beside(cells[image]), (symmetry.key, cells[place])
                    at, turns = image, 1
                    while at not in (NOWHERE, place):
                        at, turns = step[at], turns + 1
                    assert at == NOWHERE or symmetry.order % turns == 0


@pytest.mark.parametrize(("order", "key"), [(2, "half"), (3, "third"), (6, "sixth")])
def test_what_the_generator_makes_alike_is_seen_to_be(order, key):
    for seed, size in enumerate([(9, 9), (8, 11), (7, 6)]):
        drawing = EASEL.drawn(generate(*size, symmetric=order, seed=seed).model_dump(mode="json"))
        assert is_alike(drawing, symmetries_of(canvas(*drawing.size), drawing)[key])
    for name in ("ring", "hexagon"):
        drawing = EASEL.drawn(built_in()[name].model_dump(mode="json"))
        assert all(is_alike(drawing, way) for way in symmetries_of(canvas(*drawing.size), drawing).values())


def test_facts_count_cells_steps_and_whose_is_nearest():
    found = _facts(_drawing(["wwS.w", "wwwww"], of2=[[0, 0], [1, 4]], of3=[[0, 0], [0, 2], [0, 4]]))
    assert found["Cells"] == "9 of at most 256" and found["Strong"] == "1 (11 %)" and found["Holes"] == "1"
    assert found["Connected"] == "yes"
    assert found["Starts of 2 players"] == "steps apart 5; cells nearest to each 5 : 4, to nobody 0"
    assert found["Starts of 3 players"] == "steps apart 2–5; cells nearest to each 2 : 3 : 3, to nobody 1"
    assert "Starts of 4 players" not in found


def test_facts_know_of_parts_between_which_there_is_no_way():
    drawing = _drawing(["w.w"], of2=[[0, 0], [0, 2]])
    found = _facts(drawing)
    assert found["Connected"] == "no, 2 parts"
    assert found["Starts of 2 players"] == "there is no way between some of them"
    assert "falls into 2 parts" in next(iter(EASEL.notes(drawing))).en


def test_an_empty_drawing_and_half_of_the_starts_can_be_told_of():
    blank = EASEL.blank((3, 3), "x")
    assert list(EASEL.notes(blank)) == [] and _facts(blank)["Cells"] == "0 of at most 256"
    half = Drawing("x", (1, 3), (1, 0, 2), {**blank.pins, "2": (0, None), "3": (0, 1, 2)})
    assert EASEL.value(half) == {"name": "x", "rows": ["w.S"], "starts": {"2": [[0, 0]], "3": [[0, 0], [0, 1], [0, 2]]}}
    told = [mistake.en for mistake in EASEL.mistakes(EASEL.value(half))]
    assert told == ["starts.2: 1 place; expected 2", "starts.3.1: [0, 1] is a hole; expected a cell"]
    assert not any(name.startswith("Starts") for name in _facts(half))


def test_a_canvas_is_as_large_as_a_map_can_be():
    assert len(canvas(64, 64).places) == 4096
    for size in ((65, 5), (5, 65), (0, 5)):
        with pytest.raises(PlaymillError, match="expected 1 to 64"):
            canvas(*size)
