"""The compiled agents of Grid by name, what they note, and the plan of `search`."""

from __future__ import annotations

from playmill.author import CompiledAgent, Parameter, SearchPlan, Text
from playmill.games.grid import constants
from playmill.games.grid.agents.board_notes import Notes
from playmill.games.grid.agents.greedy import disruptor, greedy, specialist, standing
from playmill.games.grid.config.identifiers import PATTERN_IDS

#: What they note beside the list of options.
NOTES = Notes


#: How `search` plays on in its head.
SEARCH = SearchPlan("greedy", standing, 8, expert="search:iterations=1000,horizon=30")

AGENTS = {
    "greedy": CompiledAgent(
        greedy,
        Text(
            "places and drafts for the most points now and within a card or two",
            "кладёт и берёт карты ради наибольших очков сейчас и через карту-другую",
        ),
        honest=True,
    ),
    "disruptor": CompiledAgent(
        disruptor,
        Text(
            "plays like greedy, but drafts and spends rewards against the leader",
            "играет как greedy, но драфт и награды направляет против лидера",
        ),
        honest=True,
    ),
    "specialist": CompiledAgent(
        specialist,
        Text(
            "builds for one pattern alone, and passes on the card that helps the neighbour less",
            "строит один-единственный паттерн и передаёт ту карту, которая меньше поможет соседу",
        ),
        {
            "pattern": Parameter(
                0, 0, constants.PATTERNS - 1, Text("the pattern it builds", "паттерн, который он строит"), PATTERN_IDS
            )
        },
        honest=True,
    ),
}
