"""A game whose author writes in one language: a plain string is enough wherever a text is expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from web_server import running

from playmill import Game, load_game
from playmill.cli import main
from playmill.engine.config.model import RuleConfig, schema_in, setting
from playmill.engine.contract.choices import offered
from playmill.engine.contract.content import Labels, Trial
from playmill.engine.contract.game import folder_of
from playmill.engine.contract.map_editor import Fact, Pins, PlaceKind, Symmetry
from playmill.engine.contract.observation_docs import word
from playmill.lab.audit.action_kinds import kinds_of
from playmill.lab.decide.tune.goals import read_goals
from playmill.report.model.tables import Chart, Table
from playmill.starters import begin
from playmill.texts import LANGUAGES, Text

ROOMS = {
    "agents": """
from playmill.engine.contract.agent import CompiledAgent, Parameter
from playmill.engine.lang.rule import rule

@rule
def first(cfg, s, legal, n, rng, params):
    return legal.ids[0]

AGENTS = {"first": CompiledAgent(first, "takes the first cell", {"n": Parameter(1, 0, 9, "how bold it is")})}
""",
    "goals": """
from playmill.engine.contract.goals import NamedGoal

GOALS = {"even": NamedGoal("equal:seats.*.win_rate", "seats are equal")}
""",
    "audit": """
LENGTH = ("decisions", "moves")
SIDES = ("crosses", "noughts")

def kinds(config, action):
    return ("middle" if action == 4 else "rest",)

def kind_name(config, kind):
    return f"the {kind}"
""",
    "legend": """
from playmill.engine.contract.observation_docs import group, whole

SEEN = {"player": whole("who moves", -1), "winner": whole("who won", -1), "board": group("the cells")}
SEEN |= {"board[][]": whole("what lies there")}
NUMBERING = "from the left"
""",
    "choices": """
from playmill.engine.contract.choices import Choice, Choices

def choices(config):
    return {"line": Choices([Choice("3", 3, "three", "as usual")])}

def labels(config):
    return {"line": "a line"}
""",
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("plainly")
    begin("plainly", "board", "en", folder)
    for room, text in ROOMS.items():
        (folder / "plainly" / f"{room}.py").write_text(text, encoding="utf-8")
    return load_game(str(folder / "plainly"))


#: All that the words of a game may leave out.
WHOLLY = """
ABOUT, DECISION_NAMES = Text("three in a row", "три в ряд"), {"cell": "a cell"}
parse, fields, seen, events, position = (lambda *given: "" for _ in range(5))


def decision_kind(s):
    return "cell"
"""
#: A text of somebody who speaks one language.
PLAIN: Any = "plain"
BOTH = Text("plain", "plain")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_agents_are_listed(game: Game, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", str(folder_of(game)), "--lang", lang]) == 0
    told = capsys.readouterr().out
    assert "takes the first cell" in told and "how bold it is" in told


def test_a_page_shows_agents_and_their_numbers(game: Game, tmp_path: Path) -> None:
    with running(tmp_path / "tables.sqlite3", {game.name: game}) as site:
        for lang in LANGUAGES:
            status, _, page = site.ask(f"/games/{game.name}", Accept_Language=lang)
            assert status == 200 and "takes the first cell" in page and "how bold it is" in page


def test_a_goal_has_its_words(game: Game) -> None:
    assert read_goals(game, ["even"])[0].text == Text("seats are equal", "seats are equal")


def test_an_audit_has_its_words(game: Game) -> None:
    assert kinds_of(game, game.config()).names == (Text("the rest", "the rest"), Text("the middle", "the middle"))


def test_settings_and_the_legend_have_their_words(game: Game) -> None:
    found = offered(game, game.config())
    assert found.label("line") == Text("a line", "a line")
    assert [(one.name.ru, one.about) for one in found.choices["line"].among] == [("three", Text(*2 * ["as usual"]))]
    assert game.legend is not None and game.legend.NUMBERING.ru == "from the left"

    class Config(RuleConfig):
        line: int = setting("Line", "So many win.", default=3)

    for lang in LANGUAGES:
        told = schema_in(Config, lang)["properties"]["line"]
        assert (told["title"], told["description"]) == ("Line", "So many win.")


def test_words_that_are_whole_may_have_plain_strings_under_a_title_of_two(tmp_path: Path) -> None:
    begin("wholly", "board", "en", tmp_path)
    file = tmp_path / "wholly" / "words.py"
    text = file.read_text(encoding="utf-8").replace('TITLE = "Wholly"', 'TITLE = Text("Wholly", "Целая")')
    file.write_text("from playmill.texts import Text\n" + text + WHOLLY, encoding="utf-8")
    game = load_game(str(file.parent))
    assert game.title.ru == "Целая" and game.words.describe(game.config(), 0) == Text("takes a1", "takes a1")
    assert game.words.DECISION_NAMES["cell"].ru == "a cell"


def test_whatever_an_author_makes_has_texts() -> None:
    kind, pins, symmetry = PlaceKind("a", PLAIN), Pins("a", PLAIN, 1), Symmetry("a", PLAIN, 2, ())
    trial, fact, seen = Trial("a", "b", PLAIN, 1, ()), Fact(PLAIN, PLAIN), word(PLAIN, "x", null=PLAIN)
    assert {kind.name, pins.name, symmetry.name, trial.name, *(fact.name, fact.value, seen.about, seen.null)} == {BOTH}
    table = Table("t", PLAIN, (PLAIN, BOTH), (("x", 1),), PLAIN, Chart(0, 1, reference_label=PLAIN))
    assert table.chart is not None and table.columns == (BOTH, BOTH)
    assert table.title == table.note == table.chart.reference_label == BOTH
    labels = Labels({"a": PLAIN}, {"b": PLAIN}, {"c": {"d": PLAIN}})
    assert labels.names["a"] == labels.about["b"] == labels.among["c"]["d"] == BOTH
