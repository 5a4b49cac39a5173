"""Records: what the interpreter sees, and text forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill import PlaymillError
from playmill.engine.lang.record import BelowZeroError, from_text, places_from_front, plain, to_text

INNER = np.dtype([("x", np.int16), ("row", np.int8, (3,))], align=True)
OUTER = np.dtype([("a", np.int8), ("grid", np.int32, (2, 3)), ("pair", INNER, (2,)), ("one", INNER)], align=True)
FLAT = np.dtype([("a", np.int8), ("grid", np.int32, (2, 3)), ("row", np.int16, (4,))], align=True)


def test_fields_are_plain_integers_that_write_through():
    array = np.zeros(2, OUTER)
    record = plain(array)[1]
    record.a = 5
    record.grid[1, 2] = 7
    record.pair[1].row[2] = 3
    record.one.x += 4
    assert type(record.a) is int
    assert type(record.grid[1, 2]) is int
    assert array[1]["grid"][1, 2] == 7
    assert array[1]["pair"][1]["row"][2] == 3
    assert array[1]["one"]["x"] == 4
    assert record.grid[1][2] == 7
    assert array[0].tobytes() == np.zeros(1, OUTER).tobytes()


def test_a_grid_gives_rows_that_write_through():
    weights = np.arange(2 * 3 * 4, dtype=np.int32).reshape(2, 3, 4)
    seen = plain(weights)
    row = seen[1, 2]
    assert [row[i] for i in range(4)] == [20, 21, 22, 23]
    assert type(row[0]) is int
    row[3] = 7
    assert seen[1, 2, 3] == weights[1, 2, 3] == 7
    assert seen[1][2][3] == seen[1][2, 3] == 7
    assert seen[1].shape == (3, 4)
    seen[0, 1, 2] = -5
    assert seen[0, 1][2] == -5
    with pytest.raises(ValueError, match="memoryview"):
        row[0] = 2**40


def test_what_a_rule_prints_can_be_read():
    record = plain(np.zeros(1, FLAT))[0]
    record.grid[1, 2] = record.a = 7
    assert f"{record}" == "a=7 grid=[[0, 0, 0], [0, 0, 7]] row=[0, 0, 0, 0]"
    assert f"{record.grid} {list(record.row)}" == "[[0, 0, 0], [0, 0, 7]] [0, 0, 0, 0]"


def test_places_are_counted_from_the_front_where_that_is_asked_for():
    array = np.zeros(2, OUTER)
    with places_from_front():
        record = plain(array)[1]
        record.grid[1, 2] = record.pair[1].row[2] = 3
        assert record.grid[1, 2] == record.grid[1][2] == array[1]["grid"][1, 2] == 3
        assert type(record.grid[1][2]) is int and record.grid[1].shape == (3,)
        for look in (
            lambda: record.grid[-1, 0],
            lambda: record.grid[0, -1],
            lambda: record.grid[-1],
            lambda: record.grid[0][-1],
            lambda: record.pair[1].row[-1],
            lambda: record.pair[-1],
            lambda: record.pair[1].row[np.int64(-1)],
            lambda: record.grid[0, np.int64(-1)],
        ):
            with pytest.raises(BelowZeroError, match="a place below 0"):
                look()
        with pytest.raises(BelowZeroError):
            record.grid[0, -1] = 1
        with pytest.raises(BelowZeroError):
            record.pair[1].row[-1] = 1
        with pytest.raises(BelowZeroError):
            record.pair[-1] = record.pair[0]
        assert record.grid[np.int64(1), 2] == record.grid[1, np.int64(2)] == record.pair[1].row[np.int64(2)] == 3
        assert record.pair[1].row[1:].shape == (2,) and record.pair[1].row[1:][1] == 3
        assert record.grid[1:][0, 2] == 3
    assert plain(array)[1].pair[1].row[-1] == 3  # elsewhere Python counts as it does


def test_records_are_copied_by_assignment():
    array = np.zeros(2, OUTER)
    records = plain(array)
    records[0].a = 9
    records[1] = records[0]
    records[0].a = 1
    assert records[1].a == 9


def test_an_array_is_not_put_in_place_of_another():
    record = plain(np.zeros(1, OUTER))[0]
    with pytest.raises(AttributeError, match="grid is an array: numbers are put into its places, one by one"):
        record.grid = record.grid
    with pytest.raises(AttributeError, match="no attribute 'girth'"):
        record.girth = 1


def test_a_number_that_does_not_fit_is_refused_by_the_interpreter():
    record = plain(np.zeros(1, OUTER))[0]
    with pytest.raises(ValueError, match="memoryview"):
        record.a = 200


@given(st.integers(-128, 127), st.lists(st.integers(-(2**31), 2**31 - 1), min_size=6, max_size=6), st.data())
def test_text_forms_round_trip(a, grid, data):
    array = np.zeros(1, FLAT)
    array["a"] = a
    array["grid"] = np.reshape(grid, (2, 3))
    array["row"] = data.draw(st.lists(st.integers(-5, 5), min_size=4, max_size=4))
    assert from_text(FLAT, to_text(array[0])).tobytes() == array.tobytes()


@given(st.text(max_size=40))
def test_nonsense_is_refused_in_one_sentence(text):
    try:
        made = from_text(FLAT, text)
    except PlaymillError as error:
        assert str(error) and error.text.ru
    else:
        assert from_text(FLAT, to_text(made[0])).tobytes() == made.tobytes()


@pytest.mark.parametrize("text", ["b=1", "a=1 a=2", "a=", "a=1,2", "a=300", "grid=1;2", "a=1.5"])
def test_wrong_words_are_quoted(text):
    with pytest.raises(PlaymillError, match=text.split()[-1].replace(".", r"\.")):
        from_text(FLAT, text)
