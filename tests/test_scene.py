"""What pictures of all games share: whose picture it is, header, phases, panels on a narrow page."""

import numpy as np

from playmill.author import Text
from playmill.drawing.layout import Part, one_column, panel
from playmill.drawing.scene import COLUMN, Scene, button, header, phase_strip

_STATE = np.dtype([("player", np.int8)])


def _scene(player: int, viewer: int | None, lang: str = "en") -> Scene[None]:
    s = np.zeros(1, _STATE)
    s["player"] = player
    return Scene.seen(None, s[0], viewer, np.array([7, 3, 5]), "ru" if lang == "ru" else "en")


def test_options_are_offered_to_the_player_to_move_alone_and_in_order() -> None:
    assert list(_scene(1, 1).legal) == [3, 5, 7] and 5 in _scene(1, 1).legal
    assert not _scene(1, 0).legal and not _scene(1, None).legal and not _scene(-1, None).legal
    assert _scene(-1, 0).over and not _scene(0, 0).over


def test_a_scene_speaks_the_language_of_its_viewer() -> None:
    who = Text("player 2", "игрок 2")
    assert _scene(1, 1).decides(who) == "Player 2: your decision" and _scene(1, 0).decides(who) == "Player 2 decides"
    assert _scene(1, 1, "ru").name(who, 1) == "Игрок 2 – вы" and _scene(1, 0, "ru").name(who, 1) == "Игрок 2"
    assert _scene(0, 0).say(Text("{} of {n}", "{} из {n}"), who, n=3) == "player 2 of 3"
    assert _scene(0, 0).say("one\x00language") == "one\ufffdlanguage"


def test_a_header_has_the_title_the_turn_and_who_decides() -> None:
    made = header(_scene(0, 1), Text("Chess", "Шахматы"), "turn 4", "Player 1 decides")
    assert made.width == COLUMN and all(f">{line}</text>" in made.drawn for line in ("Chess", "turn 4"))
    assert ">Player 1 decides</text>" in made.drawn


def test_phases_that_do_not_fit_go_to_the_next_row() -> None:
    few = phase_strip([("Roll", True), ("Hold", False)], ["last turn"])
    many = phase_strip([(f"a long phase {n}", n == 0) for n in range(12)])
    assert many.height > few.height and few.drawn.count("<text") == 3 and ">Last turn</text>" in few.drawn


def test_on_a_narrow_page_the_board_stands_under_the_first_panel() -> None:
    board, panels = Part("", 400, 300), [panel("", 200, 50), panel("", 200, 80)]
    (field, first, second), height = one_column(board, panels, 1000)
    assert first[1] < field[1] < second[1] < height and first[2] == second[2]
    (small, _, _), _ = one_column(board, panels, 1000, most=1.5)
    assert small[2] == 1.5 and small[0] == (1000 - 600) / 2


def test_words_on_a_button_fit_it() -> None:
    assert ">Stay</text>" in button(0, 0, 120, "Stay")
    assert "…" in button(0, 0, 60, "a button with far too many words")
