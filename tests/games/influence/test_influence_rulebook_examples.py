"""The seed's examples as pictures of the rules in words: what they show is what the rules do."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from playmill import PlaymillError
from playmill.games.influence import rulebook_examples
from playmill.games.influence.config import Config
from playmill.texts import LANGUAGES

SVG = "{http://www.w3.org/2000/svg}"


def numbers(name: str, *changes: str) -> list[str]:
    """What stands in the cells of an example, from the first frame on, and its other words."""
    svg = getattr(rulebook_examples, name)(Config().changed(changes) if changes else Config(), "en")
    return ["".join(one.itertext()) for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("name", "changes", "caption"),
    [
        ("steps", (), "3 1 2 1 1 1"),
        ("overflow", (), "12 4 8"),
        ("overflow", ("weak_capacity=5",), "12 7 5"),
        ("sure", (), "3 1 100% 1 2"),
        ("chance", (), "2 2 50% 1 1 success 1 1 failure"),
        ("chance", ("failure=nothing",), "2 2 50% 1 1 success 1 2 failure"),
        ("chance", ("chance_zero=100",), "2 2 100% 1 1"),
        ("points", (), "1 1 1 2 2 1 2 4"),
    ],
)
def test_an_example_shows_what_the_rules_do(name: str, changes: tuple[str, ...], caption: str) -> None:
    assert " ".join(numbers(name, *changes)) == caption


def test_an_example_speaks_both_languages() -> None:
    for lang, words in zip(LANGUAGES, (("success", "failure"), ("успех", "неудача")), strict=True):
        svg = rulebook_examples.chance(Config(), lang)
        assert svg is not None and all(word in svg for word in words) and f'lang="{lang}"' in svg


def test_an_example_that_cannot_be_is_left_out() -> None:
    with pytest.raises(PlaymillError):
        rulebook_examples.steps(Config().changed(["weak_capacity=1"]), "en")


def test_owners_of_an_example_are_told_apart_by_their_edges() -> None:
    svg = rulebook_examples.chance(Config(), "en")
    assert svg is not None
    assert (
        len(re.findall(rulebook_examples.EDGES[0], svg)) >= 4 and len(re.findall(rulebook_examples.EDGES[1], svg)) >= 2
    )
