"""The table of acts: ids, short forms, fields and phrases of one kind, and what wrong texts are told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.language import both
from playmill.author import Text
from playmill.author.words import Act, Action, Acts, Argument
from playmill.texts import PlaymillError

#: Letters that look alike on the two keyboards, in capitals.
LATIN, RUSSIAN = "ABEKMHOPCTYX", "АВЕКМНОРСТУХ"
#: The config of these tests is how many places there are.
PLACES = range(1, 6)


def too_far(config: int, action: Action) -> Text | None:
    return Text("that is too far", "это слишком далеко") if abs(action.here - action.there) > 2 else None


CARD = Argument(4, "ABXZ", Text("cards", "карты"), name=[Text(f"card {n}", f"карту {n}") for n in range(4)])
PLACE = Argument(5, plural=Text("places", "места"), among=range)
PAIR = Argument(6, lambda config, n: f"{n // 2}+{n % 2}", field=lambda config, n: {"one": n // 2, "two": n % 2})
NUMBER = Argument(
    3,
    read=lambda config, text: int(text) - 1 if int(text) else Text("nought is none", "ноль не годится"),
    pattern="[0-9]+",
)
ACTS = Acts(
    Act(
        0,
        "put {card} {there}",
        Text("puts {card} at {there}", "кладёт {card} на {there}"),
        {"card": CARD, "there": PLACE},
    ),
    Act(
        20,
        "{card}{here}>{there}",
        lambda config, action: Text("stays", "стоит") if action.here == action.there else Text("moves", "идёт"),
        {"here": PLACE, "card": CARD, "there": PLACE},
        key="move",
        why_not=too_far,
    ),
    Act(120, "both {pair}", Text("takes {pair}", "берёт {pair}"), {"pair": PAIR}, key="pair"),
    Act(
        126,
        "no{number}",
        Text("says {number}", "говорит {number}"),
        {"number": NUMBER},
        fields=lambda config, a: {"n": 7},
        key="no",
    ),
    Act(129, "pass", Text("passes", "пасует")),
)
ALL = range(130)


def known(config: int) -> list[int]:
    """The actions under a config."""
    found = []
    for action in ALL:
        try:
            ACTS.describe(config, action)
        except PlaymillError:
            continue
        found.append(action)
    return found


def said(text: str, config: int = 5, acts: Acts = ACTS) -> Text:
    """What is said of a text that is no action."""
    with pytest.raises(PlaymillError) as raised:
        acts.parse(config, text)
    return raised.value.text


def test_every_id_is_one_act_with_its_arguments() -> None:
    parts = [ACTS.decode(action) for action in ALL]
    assert len({repr(part) for part in parts}) == len(ALL)
    for action, part in zip(ALL, parts, strict=True):
        values = {name: value for name, value in vars(part).items() if name != "act" and value >= 0}
        assert ACTS.encode(part.act, **values) == action
    assert ACTS.decode(20 + 3 * 20 + 2 * 5 + 4) == Action(act="move", here=3, card=2, there=4, pair=-1, number=-1)


@given(st.sampled_from(PLACES), st.data())
@settings(deadline=None)
def test_what_is_written_is_read_whatever_its_spaces_capitals_and_keyboard(config: int, data: st.DataObject) -> None:
    action = data.draw(st.sampled_from(known(config)))
    text = ACTS.to_text(config, action)
    letters = [data.draw(st.sampled_from((sign, sign.upper(), sign.lower()))) for sign in text]
    typed = "".join(
        sign.translate(str.maketrans(LATIN, RUSSIAN)) if data.draw(st.booleans()) else sign for sign in letters
    )
    assert (
        ACTS.parse(config, text) == ACTS.parse(config, typed) == ACTS.parse(config, f" {' '.join(typed)}\n") == action
    )


@given(
    st.sampled_from(PLACES),
    st.text(max_size=50) | st.from_regex(r"(put|both|no|pass)? ?[ABXZ0-9 >+]{0,9}", fullmatch=True),
)
@settings(deadline=None)
def test_a_text_is_an_action_or_gets_one_sentence_in_both_languages(config: int, text: str) -> None:
    try:
        assert ACTS.parse(config, text) in known(config)
    except PlaymillError as error:
        assert all(repr(text) in line and "\n" not in line.replace(repr(text), "") for line in error.text)
        both(Text(*(line.replace(repr(text), "") for line in error.text)))


def test_there_is_what_a_config_has() -> None:
    assert [len(known(config)) for config in PLACES] == [
        4 * n + 4 * sum(abs(a - b) < 3 for a in range(n) for b in range(n)) + 10 for n in PLACES
    ]
    assert ACTS.to_text(1, 0) == "put A 1"
    for action in (1, -1, 130, 20 + 4):
        for hook in (ACTS.describe, ACTS.to_text, ACTS.fields):
            with pytest.raises(PlaymillError, match=f"no action has the number {action}$"):
                hook(1, action)


@pytest.mark.parametrize(
    ("text", "en", "ru"),
    [
        ("put Q 1", "cards are A, B, X, Z", "карты: A, B, X, Z"),
        ("put a 6", "places are 1 … 5", "места: 1 … 5"),
        ("put", "cards are A, B, X, Z", "карты: A, B, X, Z"),
        ("no0", "nought is none", "ноль не годится"),
        ("a1>4", "actions look like", "действия выглядят так"),
        ("putting", "actions look like 'put A 1', 'A1>1', 'both 0+0', 'no1', 'pass'", "так: 'put A 1', 'A1>1'"),
        ("both 9+9", "actions look like", "действия выглядят так"),
        ("", "actions look like", "действия выглядят так"),
        ("put a 1" * 1000, "actions look like", "…"),
    ],
)
def test_a_wrong_text_is_told_what_is_wrong(text: str, en: str, ru: str) -> None:
    assert en in said(text).en and ru in said(text).ru and len(said(text).en) < 250


def test_an_act_that_is_not_there_says_why() -> None:
    acts = Acts(
        Act(0, "go {n}", "goes", {"n": PLACE}, why_not=lambda config, action: Text("no", "нет") if action.n else None)
    )
    assert acts.parse(3, "go 1") == 0
    assert said("go 2", 3, acts) == Text("there is no action 'go 2': no", "действия 'go 2' нет: нет")


def test_fields_are_by_argument_by_value_or_those_of_the_act() -> None:
    assert ACTS.fields(5, 7) == {"act": "put", "card": "B", "there": 3}
    assert list(ACTS.fields(5, 20 + 5 + 1)) == ["act", "card", "here", "there"], "in the order of the form"
    assert ACTS.fields(5, 123) == {"act": "pair", "one": 1, "two": 1}
    assert ACTS.fields(5, 127) == {"act": "no", "n": 7} and ACTS.fields(5, 129) == {"act": "pass"}
    assert all(json.dumps(ACTS.fields(5, action)) for action in known(5))


def test_phrases_name_values_in_each_language() -> None:
    assert ACTS.describe(5, 7) == Text("puts card 1 at 3", "кладёт карту 1 на 3")
    assert ACTS.describe(5, 20) == Text("stays", "стоит") and ACTS.describe(5, 21) == Text("moves", "идёт")
    assert ACTS.describe(5, 120) == Text("takes 0+0", "берёт 0+0")


def test_kinds_are_acts_by_name_or_those_the_act_tells() -> None:
    def kinds(config: int, action: Action) -> dict[str, str]:
        return {"go": "go", f"to {action.n}": f"go to {action.n}"}

    acts = Acts(
        Act(0, "go {n}", "goes", {"n": PLACE}, kind=kinds), Act(5, "stay", "stays", kind=Text("stay", "стоять"))
    )
    assert acts.kinds(5, 3) == ("go", "to 3") and acts.kinds(5, 5) == ("stay",)
    assert acts.kind_name(5, "to 3") == Text("go to 3", "go to 3") and acts.kind_name(5, "stay").ru == "стоять"
    assert ACTS.kinds(5, 129) == ("pass",) and ACTS.kind_name(5, "pass").en == "pass"


def test_examples_may_be_those_of_the_game() -> None:
    acts = Acts(Act(0, "{n}", "drops into {n}", {"n": Argument(7)}, key="drop"), examples="'1' … '7'")
    assert said("8", 0, acts).ru == "действия '8' нет: действия выглядят так: '1' … '7'"


@pytest.mark.parametrize(
    ("acts", "message"),
    [
        ([Act(1, "go", "goes")], "the act 'go' begins at 1, and the ids before it end at 0"),
        (
            [Act(0, "go {n}", "goes", {"n": PLACE}), Act(6, "stay", "stays")],
            "begins at 6, and the ids before it end at 5",
        ),
        ([Act(0, "go", "goes", {"n": PLACE})], "each argument once in its form"),
        ([Act(0, "go {n} {n}", "goes", {"n": PLACE})], "each argument once in its form"),
        ([Act(0, "go", "goes {m}")], "no other in its phrase: it has none"),
        ([Act(0, "{n}", "goes", {"n": PLACE})], "needs a key"),
        ([Act(0, "go {act}", "goes", {"act": PLACE})], "each argument once"),
        ([Act(0, "go", "goes"), Act(1, "go", "goes")], "two acts have the same key"),
    ],
)
def test_a_table_that_cannot_be_is_refused_as_it_is_made(acts: list[Act], message: str) -> None:
    with pytest.raises(PlaymillError, match=message):
        Acts(*acts)


@pytest.mark.parametrize("wrong", [{"act": "fly"}, {"act": "put", "card": 1}, {"act": "put", "card": 4, "there": 0}])
def test_what_cannot_be_put_together_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(PlaymillError):
        ACTS.encode(**wrong)
