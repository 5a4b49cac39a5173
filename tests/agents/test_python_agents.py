"""Agents in plain Python: what they are asked, how they may answer, and what a wrong answer costs."""

from __future__ import annotations

import pytest

from playmill import PlaymillError, simulate
from playmill.report.files.writing import results_text


class Recorder:
    """Keeps every decision and takes the first option."""

    name = "recorder"

    def __init__(self):
        self.decisions = []

    def choose(self, decision):
        self.decisions.append(decision)
        return decision.options[0]


def test_a_decision_says_what_is_asked(dimensions):
    agent = Recorder()
    simulate(dimensions, players=3, games=2, seed=1, agents=["random", agent, "random"])
    assert {decision.kind for decision in agent.decisions} == {"battle", "reinforce", "move", "attack"}
    for decision in agent.decisions:
        assert decision.game == "dimensions"
        assert decision.player == 1
        assert tuple(option.action for option in decision.options) == decision.actions
        assert len(decision.actions) > 1
        assert decision.observation.shape == (dimensions.observation,)
        assert decision.seen
    option = agent.decisions[0].options[0]
    assert option.words.en != option.words.ru
    assert option.fields["act"] == "play"
    assert option.text.startswith("play ")


class Answers:
    """Answers by a rule of its own."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, decision):
        return self.answer(decision)


@pytest.mark.parametrize(
    "answer",
    [
        lambda decision: decision.options[-1],
        lambda decision: decision.actions[-1],
        lambda decision: decision.options[-1].text,
    ],
    ids=["option", "id", "text"],
)
def test_an_answer_is_an_option_an_id_or_a_text(dimensions, answer):
    found = simulate(dimensions, games=3, seed=2, agents=[Answers(answer)], strict=True)
    wanted = simulate(dimensions, games=3, seed=2, agents=[Answers(lambda d: d.options[-1])])
    assert found.results == wanted.results
    assert found.results["fallbacks"] == {"total": 0, "by_agent": {}, "by_decision": {}}


def raises(decision):
    raise RuntimeError("lost my way")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (raises, "RuntimeError: lost my way"),
        (lambda d: None, "answered None, not one of the options"),
        (lambda d: True, "answered True, not one of the options"),
        (lambda d: 10**6, "answered 1000000, which is not legal now"),
        (lambda d: -1, "answered -1, which is not legal now"),
        (lambda d: "fly away", "fly away"),
        (lambda d: "x" * 5000, "xxx"),
        (lambda d: d.options, "not one of the options"),
    ],
)
def test_a_wrong_answer_falls_back_and_is_counted(dimensions, answer, reason):
    run = simulate(dimensions, games=2, seed=3, agents=["random", Answers(answer), "random"])
    fallbacks = run.results["fallbacks"]
    assert fallbacks["total"] == fallbacks["by_agent"]["Answers"] == sum(fallbacks["by_decision"].values()) > 0
    assert reason in run.fallbacks.entries[0]["reason"]
    assert len(run.fallbacks.entries[0]["reason"]) < 300
    assert run.info.complete
    assert any(table.key == "fallbacks" for table in run.tables())
    with pytest.raises(PlaymillError, match="agent Answers, game 0, decision"):
        simulate(dimensions, games=2, seed=3, agents=["random", Answers(answer), "random"], strict=True)


def test_a_fallback_is_a_random_choice_by_the_seats_own_luck(dimensions):
    wrong = simulate(dimensions, games=40, seed=3, agents=["random", Answers(lambda d: None), "random"])
    random = simulate(dimensions, games=40, seed=3, agents="random")
    assert wrong.results["factions"] == random.results["factions"]


def test_compiled_agents_play_the_same_beside_python_ones(dimensions):
    """A Python table in which nobody is Python plays what the compiled loops play."""
    from playmill.agents.agent_specs import seats_for
    from playmill.agents.fallbacks import Fallbacks
    from playmill.agents.mixed_match import MixedMatch
    from playmill.engine.run.backends import Cpu
    from playmill.engine.run.match import Match

    seats = seats_for(dimensions, 3, ["dealer", "random", "dealer:captain=1"])
    match = Match(
        dimensions, dimensions.config(), 3, 5, tuple(s.number for s in seats), (0, 1, 2), tuple(s.params for s in seats)
    )
    slow = MixedMatch(match, seats, strict=True, fallbacks=Fallbacks()).play(0, 30)
    assert slow.rows.tobytes() == Cpu(match).play(0, 30).rows.tobytes()


def test_an_agents_chance_repeats_with_the_seed(dimensions):
    def agent():
        return Answers(lambda d: d.random.choice(d.options))

    one, other = (simulate(dimensions, games=5, seed=8, agents=[agent()]) for _ in range(2))
    assert results_text(one.results) == results_text(other.results)


def test_an_agent_cannot_change_the_game(dimensions):
    def meddle(decision):
        decision._record["hand"][:] = 0

    honest = simulate(dimensions, games=3, seed=8, agents=[Answers(lambda d: None)])
    meddling = simulate(dimensions, games=3, seed=8, agents=[Answers(meddle)])
    assert honest.results["factions"] == meddling.results["factions"]
    assert "read-only" in meddling.fallbacks.entries[0]["reason"]


def test_python_agents_play_on_the_cpu(dimensions):
    with pytest.raises(PlaymillError, match="play on the cpu backend only, not on cuda"):
        simulate(dimensions, games=1, agents=[Recorder()], backend="cuda")
