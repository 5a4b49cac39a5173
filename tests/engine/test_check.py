"""`playmill check` finds what rules that compile can still do wrong, and says where and how to see it."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.status import Status

from playmill import PlaymillError, check_game, load_game
from playmill.agents.agent_specs import seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.cli import main
from playmill.engine.check import check_game as check
from playmill.engine.check import decisions as check_games
from playmill.engine.check.check_game import CheckError
from playmill.engine.check.config_bounds import BoundsTried
from playmill.engine.config.model import ConfigError
from playmill.engine.run.match import Match
from playmill.starters import begin
from playmill.texts import LANGUAGES, Text

_NUMBERS = itertools.count()
Changed = Callable[..., str]
#: A game of tricks whose author has written observe and conceal by hand.
BY_HAND = "by hand"
TRICKS = Path(__file__).parent / "tricks_by_hand"


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """The folder of a game that was begun with `playmill new`, in which its author has then changed or added a room."""

    def make(was: str = "", now: str = "", *, room: str = "rules", kind: str = "board", more: str = "") -> str:
        name = f"checked{next(_NUMBERS)}"
        folder = tmp_path_factory.mktemp("checked") / name
        if kind == BY_HAND:
            folder.mkdir()
            for module in TRICKS.glob("*.txt"):
                (folder / f"{module.stem}.py").write_text(module.read_text("utf-8"), "utf-8")
        else:
            begin(name, kind, "en", folder.parent)
        file = folder / f"{room}.py"
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        assert was in text, was
        file.write_text(text.replace(was, now, 1) + more, encoding="utf-8")
        return str(folder)

    return make


FREE = "if s.player >= 0 and s.board[action // COLUMNS, action % COLUMNS] == 0:"
PUT = "    s.board[row, column] = s.player + 1\n"
#: The first cell is a pass, until somebody takes the centre.
PASS = "    if action == 0 and s.board[1, 1] == 0:\n        s.player = 1 - s.player\n        return\n"
AGENT = """
from typing import Any
from playmill import CompiledAgent, rule
from playmill.author import SearchPlan
from playmill.texts import Text

@rule
def centre(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    return 4

AGENTS = {"centre": CompiledAgent(centre, Text("always the centre", "всегда центр"), honest=True)}
SEARCH = SearchPlan()
"""
#: One that writes where it would like to be, and leaves it there.
FORGER = AGENT.replace("    return 4", "    s.board[0, 0] = 1 + s.player\n    return legal.ids[n - 1]").replace(
    "centre", "forger"
)
PARSE = "\n\ndef parse(config, text):\n    return int(text[1]) * 3 - 3 + 'abc'.index(text[0])\n"
#: Where the cards are collected that conceal deals anew.
COLLECT = "    for seat in range(MAX_PLAYERS):\n        if seat != player:\n            for card"
IDLE = {"was": COLLECT, "now": "    if player >= 0:\n        return\n" + COLLECT, "room": "hidden", "kind": BY_HAND}
OPEN = """    out[1] = s.led
    for seat in range(MAX_PLAYERS):
        out[2 + seat] = s.tricks[seat]
    for card in range(CARDS):
        known = s.where[card] == PLAYED or"""
#: The card led lies face down until it is answered.
FACE_DOWN = OPEN.replace("= s.led", "= s.led if player != s.player else min(s.led, 0)").replace(
    "s.where[card] == PLAYED or", "(s.where[card] == PLAYED and (card != s.led or player != s.player)) or"
)
#: What is changed, and what is said of it in English and in Russian.
FOUND = {
    "whoever is to move has no options": (
        {"was": FREE, "now": FREE[:-1] + " and action < 4:"},
        "`player` is 0, and legal_actions offers nothing; a game that is over sets `player` to -1",
        "`player` равно 0, а legal_actions ничего не предлагает",
    ),
    "an agent answers illegally": (
        {"room": "agents", "more": AGENT},
        "the agent centre must choose legal actions (it answered 4; legal are",
        "агент centre должен выбирать допустимые действия (ответ: 4",
    ),
    "an agent forges the state": (
        {"room": "agents", "more": FORGER},
        "the agent forger must leave the state as it was: it may try things out there and must take them back",
        "агент forger должен оставлять состояние каким оно было",
    ),
    "a number has no room in its field": (
        {"was": PUT, "now": PUT + "    s.winner = 100 + 10 * action\n"},
        "a number does not fit where it is kept: int8 holds -128 … 127",
        "число не помещается",
    ),
    "a place below 0 that was computed": (
        {"was": PUT, "now": PUT + "    if s.board[row - 1, column] == 9:\n        s.winner = 0\n"},
        ": [-1, ",
        "]: места считают с начала, от 0",
    ),
    "a place below 0 of a constant": (
        {
            "was": PUT,
            "now": PUT + "    if NEAR[column - 1] == 9:\n        s.winner = 0\n",
            "more": "\n\nNEAR = np.arange(3)\n",
        },
        "`if NEAR[column - 1] == 9:`: [-1]: places are counted from 0, not from the end",
        "[-1]: места считают с начала, от 0",
    ),
    "a place beyond the end": (
        {"was": PUT, "now": PUT + "    s.board[row + 1, column] = 0\n"},
        "`s.board[row + 1, column] = 0`: a place beyond the end of an array",
        "место за концом массива",
    ),
    "parse raises something else": (
        {"room": "words", "more": PARSE},
        "parse('') must return an action or raise PlaymillError, which people are shown; it raised IndexError",
        "parse('') должна вернуть действие или вызвать PlaymillError",
    ),
    "parse reads something else": (
        {"room": "words", "more": "\n\ndef parse(config, text):\n    return 0\n"},
        "must read back as action 1",
        "должна читаться как действие 1",
    ),
    "a game without an end": (
        {"was": PUT, "now": PASS + PUT},
        "if all of them always take the first option, it has not ended after 2000 actions",
        "если все всегда выбирают первый вариант",
    ),
    "observe leaks": (
        {"was": "known = s.where", "now": "known = True or s.where", "room": "hidden", "kind": BY_HAND},
        "conceal must keep what player 0 sees: observe shows her, at out[",
        "observe показывает ему в out[",
    ),
    "conceal deals nothing anew": (
        IDLE,
        "conceal must deal anew all that player 0 cannot know: what player 1 sees and observe hides from her (out[4]",
        "остаётся прежним при любом случае, и `search` это знал бы; партия",
    ),
    "conceal leaves a secret answer": (
        {"was": OPEN, "now": FACE_DOWN, "room": "hidden", "kind": BY_HAND},
        "anew all that player 1 cannot know: what player 0 sees and observe hides from her (out[1]",
        "то, что видит игрок 0, а от него observe скрывает (out[1]",
    ),
    "conceal deals a card too many": (
        {"was": "cfg.cards - played", "now": "cfg.cards - played + 1", "room": "hidden", "kind": BY_HAND},
        "conceal may deal only what setup could have dealt: dealt anew for player 1, before the first decision, player",
        "у игрока 0 оказывается то, чего у него нет ни в одной из раздач (200)",
    ),
    "conceal takes the cards of a hand away": (
        {"was": "cfg.cards - played", "now": "(cfg.cards - played) * (s.led < 0)", "room": "hidden", "kind": BY_HAND},
        "can be played on, as true games can; it cannot: player",
        "можно доиграть, как и настоящую партию; а нельзя: ходит игрок",
    ),
    "words leak": (
        {
            "was": '"tricks": s["tricks"].tolist(),',
            "now": '"tricks": s["where"].tolist(),',
            "room": "words",
            "kind": BY_HAND,
        },
        "`seen` tells player 0 what conceal deals anew",
        "`seen` говорит игроку 0 то, что conceal пересдаёт",
    ),
    "words that fail": (
        {"was": "'abc'[action % COLUMNS]", "now": "'ab'[action % COLUMNS]", "room": "words"},
        "words.py, line",
        "words.py, строка",
    ),
    "an unsigned field": (
        {"was": '("tricks", np.int8', "now": '("tricks", np.uint8', "kind": BY_HAND},
        "games come out otherwise (a difference of unsigned numbers is huge to the compiler; unsigned fields: tricks)",
        "расходятся (разность беззнаковых чисел для компилятора огромна; поля без знака: tricks)",
    ),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_is_wrong_is_found(
    changed: Changed, what: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_games, "ENDLESS", 2_000)
    how, en, ru = FOUND[what]
    folder = changed(**how)
    for lang, wanted in (("en", en), ("ru", ru)):
        assert main(["check", folder, "--games", "3", "--lang", lang]) == 2
        told = capsys.readouterr().err.strip().splitlines()
        assert len(told) == 1 and wanted in told[0], told


def test_it_says_which_game_and_decision_and_how_to_see_it(changed: Changed) -> None:
    folder = changed(*FOUND["whoever is to move has no options"][0].values())
    with pytest.raises(CheckError) as caught:
        check_game(load_game(folder))
    name = Path(folder).name
    assert "; game 0, decision " in str(caught.value) and f"({name}/1 " in str(caught.value)
    assert f"see it: playmill show {folder} --seed 1 --number 0 --boards" in str(caught.value)


def test_a_conceal_that_deals_nothing_is_found_where_no_two_deals_look_the_same(changed: Changed) -> None:
    folder = changed(**IDLE)
    rules = Path(folder) / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace("CARDS = 2, 9", "CARDS = 2, 60"), encoding="utf-8")
    with pytest.raises(CheckError, match=r"cannot know: what player . sees and observe hides from her stays as it is"):
        check_game(load_game(folder), games=3)


def test_what_all_games_have_in_common_is_worth_a_look(
    changed: Changed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for compiled in ("check_looks", "check_backends"):
        monkeypatch.setattr(check, compiled, lambda *_, **more: None)
    short = changed(PUT, PUT + "    s.player = -1\n    return\n")
    for lang, wanted in (
        ("en", ("gave nobody anything", "first decision")),
        ("ru", ("по нулям", "первого же решения")),
    ):
        assert main(["check", short, "--games", "10", "--lang", lang]) == 0
        told = capsys.readouterr().out.strip().splitlines()
        assert all(words in line for words, line in zip(wanted, told[2:4], strict=True)), told
        assert "winner" in told[-1], "which never changes"
    assert main(["check", changed(), "--games", "10"]) == 0
    assert len(capsys.readouterr().out.strip().splitlines()) == 2, "no more than that, and what was tried"


def test_a_player_who_never_decides_is_worth_a_look() -> None:
    ends = [check_games.CheckedEnd(5, [1.0, -1.0], frozenset({0}))] * 10
    (doubt,) = check._doubts(2, ends)
    assert "player 1 decided nothing in any of 10 games" in doubt.en and "does apply_action pass the turn" in doubt.en
    assert "игрок 1 ничего не решал ни в одной из партий наугад (10)" in doubt.ru
    assert not [*check._doubts(2, [*ends, ends[0]._replace(deciders=frozenset({1}))])]


def test_a_game_with_secrets_says_what_the_others_hear(changed: Changed) -> None:
    words = {"was": "ALOUD = True\n", "room": "words", "kind": BY_HAND}
    (doubt,) = check._untold(load_game(changed(**words, now="")))
    assert "words.py, line " in doubt.en and "write ALOUD = True if `describe` and `events` are for all" in doubt.en
    assert "напишите ALOUD = True, если `describe` и `events` можно слышать всем" in doubt.ru
    assert not [*check._untold(load_game(changed(**words, now="ALOUD = False\n")))]
    assert not [*check._untold(load_game(changed(kind=BY_HAND)))] and not [*check._untold(load_game(changed()))]


def test_types_docstrings_zeros_of_returns_and_init_may_be_left_out(
    changed: Changed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for compiled in ("check_looks", "check_backends"):
        monkeypatch.setattr(check, compiled, lambda *_, **more: None)
    folder = Path(changed())
    (folder / "__init__.py").unlink()
    tree = ast.parse((folder / "rules.py").read_text(encoding="utf-8"))
    for rule in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        rule.body, rule.returns = rule.body[1:], None
        for given in rule.args.args:
            given.annotation = None
        if rule.name == "returns":
            rule.body = ast.parse("if s.winner >= 0:\n    out[s.winner] = 1.0\n    out[1 - s.winner] = -1.0").body
    (folder / "rules.py").write_text(ast.unparse(tree), encoding="utf-8")
    assert check_game(load_game(str(folder)), games=3) == ()


ONE_TEXT = """
from playmill import PlaymillError

def parse(config, text):
    cells = [to_text(config, action) for action in range(9)]
    if text not in cells:
        raise PlaymillError(f"{text!r} is no cell")
    return cells.index(text)
"""


def test_an_author_may_raise_an_error_with_one_text(changed: Changed, monkeypatch: pytest.MonkeyPatch) -> None:
    for compiled in ("check_looks", "check_backends"):
        monkeypatch.setattr(check, compiled, lambda *_, **more: None)
    game = load_game(changed(room="words", more=ONE_TEXT))
    assert check_game(game, games=3) == ()
    with pytest.raises(PlaymillError) as caught:
        game.words.parse(game.config(), "z9")
    assert caught.value.text == Text("'z9' is no cell", "'z9' is no cell")
    assert ConfigError("rows", "too few").text == Text("too few", "too few")


def test_what_it_is_doing_is_told_in_the_users_language(changed: Changed, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(Status, "update", lambda _, text: told.append(text))
    for slow in ("check_one", "check_end", "check_looks", "check_backends"):
        monkeypatch.setattr(check, slow, lambda *_, **more: check_games.CheckedEnd(1, [0.0, 0.0]))
    monkeypatch.setattr(check.Hidden, "judge", lambda _: [])
    monkeypatch.setattr(check, "check_bounds", lambda *_: BoundsTried())
    folder = changed()
    for lang, first in (("en", "2 players: step by step"), ("ru", "игроков 2: ход за ходом")):
        told.clear()
        assert main(["check", folder, "--games", "1", "--lang", lang]) == 0
        assert told[0] == first and len(told) == 6
        assert all(bool(re.search("[а-я]", line)) == (lang == "ru") for line in told), told


def test_it_is_asked_for_settings_and_numbers_of_players(changed: Changed, capsys: pytest.CaptureFixture[str]) -> None:
    broken = "        out[seat] = score(cfg, s, seat) // (cfg.pair - 7)\n"
    folder = changed("        out[seat] = score(cfg, s, seat)\n", broken, kind="cards")
    assert main(["check", folder, "--players", "3", "--set", "pair=7", "--games", "1"]) == 2
    told = capsys.readouterr().err
    assert "a division by 0" in told and "--players 3 --set pair=7" in told
    for words in (["--players", "9"], ["--games", "0"], ["--set", "par=1"]):
        assert main(["check", folder, *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_run_never_takes_a_stuck_game_for_a_finished_one(
    changed: Changed, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = changed(*FOUND["whoever is to move has no options"][0].values())
    for lang, wanted in (("en", "is to move and has no options"), ("ru", "вариантов у него нет")):
        words = ["simulate", folder, "--games", "5", "--backend", "interpreted", "--lang", lang]
        assert main(words) == 2
        assert wanted in capsys.readouterr().err
    game = load_game(folder)
    match = Match(game, game.config(), 2, 1, (0, 0), (0, 0), ((), ()))
    with pytest.raises(PlaymillError, match="is to move and has no options"):
        MixedMatch(match, seats_for(game, 2, ["random"]), interpreted=True).play(0, 5)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_compiled_before_a_promise_is_broken(
    changed: Changed, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("playmill.engine.check.check_game.check_looks", None)
    with pytest.raises(CheckError):
        check_game(load_game(changed(room="words", more=PARSE)), games=1)
