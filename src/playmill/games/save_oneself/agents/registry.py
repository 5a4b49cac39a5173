"""The compiled agents of Save Oneself by name, and the plan of `search`."""

from __future__ import annotations

from playmill.author import CompiledAgent, SearchPlan, Text
from playmill.games.save_oneself.agents.survivor import survivor

#: How `search` plays on in its head.
SEARCH = SearchPlan("survivor", expert="search:iterations=4000")

AGENTS = {
    "survivor": CompiledAgent(
        survivor,
        Text(
            "lays cards until a ship comes, then works for the signal that can still be seen from it",
            "выкладывает карты, пока нет корабля, а потом готовит тот сигнал, который с него ещё успеют увидеть",
        ),
        honest=True,
        lists=False,
    )
}
