"""The compiled agents of Influence by name, and the plan of `search`."""

from __future__ import annotations

from playmill.author import CompiledAgent, Parameter, SearchPlan, Text
from playmill.games.influence.agents.calculating import WEIGHTS, calculating
from playmill.games.influence.agents.greedy import cautious, greedy, standing

#: How `search` plays on in its head.
SEARCH = SearchPlan("calculating", standing, 40)

AGENTS = {
    "greedy": CompiledAgent(
        greedy,
        Text(
            "takes what it surely can, strong cells first, and strengthens the border",
            "берёт всё, что может взять наверняка, сначала сильные клетки, и укрепляет границу",
        ),
        honest=True,
        lists=False,
    ),
    "cautious": CompiledAgent(
        cautious,
        Text(
            "attacks only with a good chance and where it can hold what it takes; keeps the border full",
            "атакует только с хорошим шансом и там, где удержит взятое; держит границу полной",
        ),
        {"chance": Parameter(75, 1, 100, Text("least chance to attack, percent", "наименьший шанс для атаки, %"))},
        honest=True,
        lists=False,
    ),
    "calculating": CompiledAgent(
        calculating,
        Text(
            "weighs what an attack takes, what it costs and what can be held; points go where they are needed most",
            "взвешивает, что атака даст, чего она стоит и что удержится; очки кладёт туда, где они нужнее",
        ),
        WEIGHTS,
        honest=True,
        lists=False,
    ),
}
