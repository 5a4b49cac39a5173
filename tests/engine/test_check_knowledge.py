"""`playmill check` finds leaks, forgotten and stale knowledge, each in one sentence that names the field."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from common.found import FOLDERS, GAMES, game_of
from playmill import Game, State, load_game
from playmill.engine.check.findings import SEED, CheckedGame, CheckError
from playmill.engine.check.hidden_information import Hidden, check_hidden
from playmill.texts import Text

_NUMBERS = itertools.count()
Changed = Callable[..., Game]


def found_in(game: Game, *, players: int = 3, games: int = 12) -> list[Text]:
    """What `check` finds of what is hidden, without its other parts."""
    config = game.config()
    hidden = Hidden(CheckedGame(game, config, players, 0))
    try:
        for number in range(games):
            checked = CheckedGame(game, config, players, number)
            with checked.located_errors():
                _play(checked, hidden)
        with CheckedGame(game, config, players, 0).located_errors():
            return hidden.judge()
    except CheckError as error:
        return [error.text]


def _play(checked: CheckedGame, hidden: Hidden) -> None:
    """Plays a game at random, as `check` does."""

    def observer(before: np.void, action: int, after: np.void) -> None:
        hidden.knowledge.look_at(checked, before, action, after)

    state = State(
        checked.game, players=checked.players, seed=SEED, number=checked.number, observer=observer, interpreted=True
    )
    while not state.is_terminal() and checked.decision < 60:
        hidden.knowledge.look_at_position(checked, state.record.copy())
        check_hidden(checked, state, checked.number)
        hidden.look_at(checked, state)
        state.apply_action(state.choice_of(0))
        checked.decision += 1


def _copy(name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(name) / f"{name}{next(_NUMBERS)}"
    shutil.copytree(FOLDERS[name], folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Game]:
    """A copy of an example, with other modules: `hidden` in place of its own, `words` behind it."""

    def make(name: str, *modules: tuple[str, str]) -> Game:
        folder = _copy(name, tmp_path_factory)
        for module, text in modules:
            file = folder / f"{module}.py"
            file.write_text((file.read_text("utf-8") if module == "words" else "") + text, "utf-8")
        return load_game(str(folder))

    return make


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """Whispers, with a mistake in one of its modules."""

    def make(module: str, *changes: tuple[str, str], more: str = "") -> Game:
        folder = _copy("whispers", tmp_path_factory)
        file = folder / f"{module}.py"
        text = file.read_text("utf-8")
        for was, now in changes:
            assert was in text, was
            text = text.replace(was, now, 1)
        file.write_text(text + more, "utf-8")
        return load_game(str(folder))

    return make


#: An observe that shows the hand of everybody, whoever looks.
SHOWS = """
OBSERVATION = 12


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    out[0] = s.player
    out[1] = s.deck_size
    for seat in range(4):
        out[2 + seat] = s.hand[seat, 0] if s.out[seat] == 0 else -1
        out[6 + seat] = s.out[seat]
    out[10] = s.hand[player, 1]
    out[11] = s.shielded[0] + 2 * s.shielded[1] + 4 * s.shielded[2] + 8 * s.shielded[3]
"""
#: A conceal that swaps hands that a player does not hold, known or not.
SWAPS_HANDS = """
from playmill.author import below, redeal_rule
from .rules import State

deals = redeal_rule(State, HIDDEN, possible)


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    deals(cfg, s, player, rng)
    for seat in range(s.players):
        other = below(rng, 0, s.players)
        if seat != player and other != player and s.out[seat] == 0 and s.out[other] == 0 and s.player >= 0:
            card = s.hand[seat, 0]
            s.hand[seat, 0] = s.hand[other, 0]
            s.hand[other, 0] = card
"""
#: A conceal by the declaration, after which a card of the deck is another one.
FORGES = """
from playmill.author import redeal_rule
from .rules import State

deals = redeal_rule(State, HIDDEN, possible)


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    deals(cfg, s, player, rng)
    if s.deck_size > 0:
        s.deck[0] = 4
"""
#: A conceal that forgets one of the fields.
KEEPS_ASIDE = """
from playmill.author import redeal_rule
from .rules import State

deals = redeal_rule(State, {name: HIDDEN[name] for name in ("deck", "hand")})


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    deals(cfg, s, player, rng)
"""
#: Both lay a number face down, and see both when both have; three times.
SEALED = {
    "config": """
from playmill.author import RuleConfig


class Config(RuleConfig):
    pass
""",
    "rules": """
import numpy as np
from playmill.author import rule

MAX_PLAYERS, MAX_ACTIONS = 2, 4
State = np.dtype(
    [("player", np.int8), ("rounds", np.int8), ("laid", np.int8, (2,)), ("points", np.int8, (2,))], align=True
)


@rule
def setup(cfg, s, rng):
    s.laid[0] = -1
    s.laid[1] = -1


@rule
def legal_actions(cfg, s, out):
    n = 0
    if s.player >= 0:
        for number in range(4):
            out.ids[number] = number
        n = 4
    return n


@rule
def apply_action(cfg, s, action, rng):
    if s.player == 0:
        s.laid[0] = action
        s.laid[1] = -1
        s.player = 1
    else:
        s.laid[1] = action
        s.rounds += 1
        s.points[0] += s.laid[0] > s.laid[1]
        s.points[1] += s.laid[1] > s.laid[0]
        s.player = 0 if s.rounds < 3 else -1


@rule
def returns(cfg, s, out):
    out[0] = (s.points[0] - s.points[1]) / 3.0
    out[1] = -out[0]
""",
    "hidden": """
from playmill.author import Secret, rule


@rule
def both(cfg, s):
    return s.laid[1] >= 0


HIDDEN = {"laid": Secret("owner", open=both, values=4)}
""",
    "words": """
TITLE, ABOUT = "Sealed", "numbers face down"


def describe(config, action):
    return f"lays {action}"
""",
}
HEARD = """

def heard(config, action):
    return "lays a number face down"
"""
#: Two pockets each, cards of which there are several alike; one looks, trades, or has the other throw one away.
POCKETS = {
    "config": SEALED["config"],
    "rules": """
import numpy as np
from playmill.author import rule, shuffle

MAX_PLAYERS, MAX_ACTIONS = 2, 8
KINDS, COPIES, POCKETS = 5, 6, 2
State = np.dtype(
    [
        ("player", np.int8),
        ("turn", np.int8),
        ("deck", np.int8, (KINDS * COPIES,)),
        ("left", np.int8),
        ("hand", np.int8, (2, POCKETS)),
        ("known", np.int8, (2, POCKETS)),
    ],
    align=True,
)


@rule
def setup(cfg, s, rng):
    for card in range(KINDS * COPIES):
        s.deck[card] = card % KINDS
    s.left = KINDS * COPIES
    shuffle(rng, 0, s.deck, s.left)
    for seat in range(2):
        for pocket in range(POCKETS):
            draw(s, seat, pocket)


@rule
def draw(s, seat, pocket):
    s.left -= 1
    s.hand[seat, pocket] = s.deck[s.left]
    s.deck[s.left] = -1
    s.known[seat, pocket] = 0


@rule
def legal_actions(cfg, s, out):
    n = 0
    if s.player >= 0:
        for action in range(8):
            out.ids[n] = action
            n += 1
    return n


@rule
def apply_action(cfg, s, action, rng):
    me, other, pocket = s.player, 1 - s.player, action % POCKETS
    if action < 2:
        s.known[other, pocket] |= 1 << me
    elif action < 4:
        card, known = s.hand[me, pocket], s.known[me, pocket]
        s.hand[me, pocket] = s.hand[other, pocket]
        s.known[me, pocket] = s.known[other, pocket] | 1 << other
        s.hand[other, pocket] = card
        s.known[other, pocket] = known | 1 << me
    elif action < 6:
        draw(s, me, pocket)
    else:
        s.hand[other, pocket] = s.deck[s.left - 1]
        s.left -= 1
        s.deck[s.left] = -1
        s.known[other, pocket] = 0
    s.turn += 1
    s.player = other if s.turn < 16 else -1


@rule
def returns(cfg, s, out):
    for seat in range(2):
        out[seat] = s.hand[seat, 0] + s.hand[seat, 1] > s.hand[1 - seat, 0] + s.hand[1 - seat, 1]
""",
    "hidden": """
from playmill.author import Secret

HIDDEN = {"deck": Secret(count="left"), "hand": Secret("owner", known="known")}
""",
    "words": """
from playmill.author import Text
from playmill.author.words import Act, Acts, Argument

TITLE, ABOUT, ALOUD = "Pockets", "looking and trading", True
POCKET = {"pocket": Argument(2, form=("left", "right"), plural=Text("pockets", "карманы"))}
ACTS = Acts(
    *(
        Act(2 * n, f"{verb} {{pocket}}", Text(f"{verb} {{pocket}}", f"{verb} {{pocket}}"), POCKET)
        for n, verb in enumerate(("look", "trade", "toss", "strip"))
    )
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields
""",
}
#: Kuhn poker without a declaration: observe and conceal written by hand.
BY_HAND = """
from playmill.author import SPECTATOR, below, rule
from .rules import CARDS, DEAL, NOBODY, another

OBSERVATION = 6
NAMES = ("player", "folded", "paid[0]", "paid[1]", "card[0]", "card[1]")


@rule
def shown(s):
    return s.player < 0 and s.folded == NOBODY


@rule
def observe(cfg, s, player, out):
    out[0] = s.player
    out[1] = s.folded
    for seat in range(2):
        out[2 + seat] = s.paid[seat]
        out[4 + seat] = s.card[seat] if seat == player or shown(s) else -1


@rule
def conceal(cfg, s, player, rng):
    if not shown(s):
        known = 0 if player == SPECTATOR else player
        if player == SPECTATOR:
            s.card[known] = below(rng, DEAL, CARDS)
        s.card[1 - known] = another(rng, DEAL, s.card[known])
"""
WITNESSED = """

def witnessed(config, before, after, action, player):
    card = int(after["card"][0])
    return [describe(config, action), f"with {card}" if card >= 0 else "with a card"]


def seen(config, s, player, lang):
    return {"cards": [None, None], "paid": s["paid"].tolist(), "folded": int(s["folded"])}
"""


def _found(game: Game, said: str, **more: int) -> None:
    found = found_in(game, **more)
    assert any(said in text.en for text in found), [text.en for text in found]
    assert all(text.en != text.ru and "\n" not in text.en for text in found)


@pytest.fixture(scope="module")
def pockets(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """The game of two pockets each, with a mistake in its rules."""

    def make(*changes: tuple[str, str]) -> Game:
        folder = tmp_path_factory.mktemp("pockets") / f"pockets{next(_NUMBERS)}"
        folder.mkdir()
        rules = POCKETS["rules"]
        for was, now in changes:
            assert was in rules, was
            rules = rules.replace(was, now)
        for name, text in (POCKETS | {"rules": rules}).items():
            (folder / f"{name}.py").write_text(text, "utf-8")
        return load_game(str(folder))

    return make


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """The game of numbers face down, with other modules or with more in them."""

    def make(*, words: str = "", hidden: str = SEALED["hidden"]) -> Game:
        folder = tmp_path_factory.mktemp("sealed") / f"sealed{next(_NUMBERS)}"
        folder.mkdir()
        for name, text in SEALED.items():
            given = hidden if name == "hidden" else text + words if name == "words" else text
            (folder / f"{name}.py").write_text(given, "utf-8")
        return load_game(str(folder))

    return make


def test_an_observe_that_shows_a_hidden_hand(changed: Changed) -> None:
    _found(changed("hidden", more=SHOWS), "observe shows player 0 the field 'hand' where HIDDEN hides it")


def test_a_conceal_that_deals_a_known_card_anew(changed: Changed) -> None:
    _found(changed("hidden", more=SWAPS_HANDS), "anew, which player")


def test_a_conceal_that_leaves_a_hidden_field(changed: Changed) -> None:
    _found(changed("hidden", more=KEEPS_ASIDE), "conceal never deals the field 'aside' anew")


def test_a_conceal_that_deals_cards_that_are_not_there(changed: Changed) -> None:
    _found(changed("hidden", more=FORGES), "conceal must deal the same cards anew, and deals others: 4 in place of")


def test_a_mask_that_stays_when_the_card_has_gone(changed: Changed) -> None:
    game = changed("rules", ("        s.known[player, KEPT] = 0\n    if kind", "    if kind"))
    _found(game, "still count as having seen it ('known')", games=20)


def test_a_mask_that_is_not_handed_on_with_the_card(changed: Changed) -> None:
    game = changed(
        "rules",
        ("s.known[player, KEPT] = s.known[other, KEPT] | 1 << other", "s.known[player, KEPT] = 0"),
        ("s.known[other, KEPT] = known | 1 << player", "s.known[other, KEPT] = 0"),
    )
    _found(game, "can tell what lies at hand[")


def test_a_look_that_is_noted_nowhere(changed: Changed) -> None:
    """The swap is a look, too: of the card that one has given away. There is no mask that could hold it."""
    game = changed(
        "hidden",
        ('Secret("owner", known="known", open=over)', 'Secret("owner", open=over)'),
    )
    _found(game, "can tell what lies at hand[")
    _found(game, "keep who knows it in a mask: known=…")


def test_cards_alike_whose_givers_are_forgotten(pockets: Changed) -> None:
    """Only in few worlds the card that comes is the one that came; those have to be sought."""
    mine, theirs = ("= known | 1 << me", "= known"), ("s.known[other, pocket] | 1 << other", "s.known[other, pocket]")
    for changes in ([mine], [theirs], [mine, theirs]):
        _found(pockets(*changes), "is done (game", players=2)
        _found(pockets(*changes), "once 'trade ", players=2)
        _found(pockets(*changes), "set the bit of player", players=2)


def test_cards_alike_whose_masks_stay_where_one_action_brings_others(pockets: Changed) -> None:
    """Most masks are cleared, and a look at the card that is then thrown away is rare."""
    game = pockets(
        ("        s.deck[s.left] = -1\n        s.known[other, pocket] = 0\n", "        s.deck[s.left] = -1\n")
    )
    _found(game, "still count as having seen it ('known') after 'strip ", players=2)


def test_no_false_alarm_where_cards_are_alike(pockets: Changed) -> None:
    assert found_in(pockets(), players=2, games=30) == []
    looks_again = (
        "        s.known[other, pocket] = 0\n    s.turn",
        "        s.known[other, pocket] = 1 << me\n    s.turn",
    )
    assert found_in(pockets(looks_again), players=2, games=30) == []


def test_a_number_laid_face_down_that_is_told_aloud(sealed: Changed) -> None:
    _found(sealed(), "tells what lies at laid[0], which HIDDEN hides; let `heard` say less", players=2)
    assert found_in(sealed(words=HEARD), players=2) == []


def test_words_that_tell_what_observe_hides(copied: Callable[..., Game]) -> None:
    by_hand = ("hidden", BY_HAND), ("words", WITNESSED)
    told = "`witnessed` tells player 1 what observe hides: "
    _found(copied("kuhn", *by_hand), told, players=2)
    _found(copied("kuhn", *by_hand), "where all that differs is hidden (card)", players=2)
    # Where it is declared they cannot: they get a state in which the card is unknown.
    assert found_in(copied("kuhn", by_hand[1]), players=2) == []


def test_an_open_field_that_tells_a_hidden_card(changed: Changed) -> None:
    game = changed(
        "rules",
        ('        ("played",', '        ("worth", np.int8, (MAX_PLAYERS,)),\n        ("played",'),
        (
            "        s.out[seat] = seat >= s.players\n",
            "        s.out[seat] = seat >= s.players\n        s.worth[seat] = 2 * s.hand[seat, KEPT]\n",
        ),
    )
    _found(game, "worth[0] is open to everybody and depends on hand[0, 0], which is hidden, in each of 200 deals")


def test_a_deck_in_which_cards_stay_that_are_gone(changed: Changed) -> None:
    game = changed("hidden", ('Secret(count="deck_size")', "Secret()"))
    _found(game, "the cards in 'deck', 'aside', 'hand' are not the same in every deal")


def test_rows_of_seats_where_nobody_plays(changed: Changed) -> None:
    game = changed("rules", ("        s.hand[seat, DRAWN] = NO_CARD\n", ""))
    _found(game, "the row of a seat where nobody plays")


def test_more_cards_than_the_deck_has(changed: Changed) -> None:
    game = changed("hidden", ('"aside": Secret()', '"aside": Secret(deck=(1, 1, 1, 1, 1))'))
    _found(game, "and the deck that HIDDEN declares has 1")


def test_a_rule_that_refuses_the_truth(changed: Changed) -> None:
    game = changed("hidden", ("s.hand[seat, KEPT] < s.least[seat]", "s.hand[seat, KEPT] < 1"))
    _found(game, "`possible` refuses the true position")


@pytest.mark.parametrize("name", [name for name in GAMES if "whispers" not in name])
def test_no_false_alarm(name: str) -> None:
    game = game_of(name)
    players = min(3, game.players[1])
    assert found_in(game, players=players, games=6) == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_false_alarm_where_much_is_known(players: int) -> None:
    assert found_in(game_of("whispers"), players=players, games=40) == []
