"""Bilingual texts: values filled in, texts joined, nouns that agree with numbers."""

import numpy as np
import pytest

from playmill.author import Text, plural

_DRAWS = Text("{who} draws {n} {n:card|cards}", "{who} берёт {n} {n:карту|карты|карт}")


@pytest.mark.parametrize(
    ("n", "en", "ru"),
    [
        (0, "cards", "карт"),
        (1, "card", "карта"),
        (2, "cards", "карты"),
        (4, "cards", "карты"),
        (5, "cards", "карт"),
        (11, "cards", "карт"),
        (12, "cards", "карт"),
        (14, "cards", "карт"),
        (21, "cards", "карта"),
        (22, "cards", "карты"),
        (104, "cards", "карты"),
        (111, "cards", "карт"),
        (-1, "card", "карта"),
        (-3, "cards", "карты"),
    ],
)
def test_a_noun_agrees_with_its_number(n: int, en: str, ru: str) -> None:
    assert plural(n, "card|cards") == en and plural(n, "карта|карты|карт") == ru
    counted = Text("{n} {n:card|cards}", "{n} {n:карта|карты|карт}")
    assert counted.format(n=n) == counted.format(n=np.int16(n)) == Text(f"{n} {en}", f"{n} {ru}")


def test_a_text_goes_in_in_its_own_language() -> None:
    who = Text("player 2", "игрок 2")
    assert _DRAWS.format(who=who, n=1) == Text("player 2 draws 1 card", "игрок 2 берёт 1 карту")
    assert Text("{} – {}", "{1} – {0}").format(who, 7) == Text("player 2 – 7", "7 – игрок 2")


def test_values_are_formatted_as_str_format_does() -> None:
    assert Text("{:>3}|{:+}|{:.1f}|{}", "{}").format(5, 4, 0.25, True).en == "  5|+4|0.2|True"
    assert Text("{}", "{}").format("{0}") == Text("{0}", "{0}"), "what is filled in is no format"


def test_texts_are_joined_in_each_language() -> None:
    parts = (Text("red", "красный"), "3")
    assert Text.join(parts) == Text("red, 3", "красный, 3")
    assert Text.join(parts, Text(" and ", " и ")) == Text("red and 3", "красный и 3")
    assert Text.join([]) == Text("", "")
