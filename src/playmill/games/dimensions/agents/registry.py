"""The compiled agents of Battle of Dimensions by name, with their parameters, and the plan of `search`."""

from __future__ import annotations

from playmill.author import CompiledAgent, Parameter, SearchPlan, Text
from playmill.games.dimensions.agents.dealer import MOVE_INSTEAD, NOTHING, OTHER, OWN, dealer
from playmill.games.dimensions.agents.tactical import strategic, tactical

#: How `search` plays on in its head.
SEARCH = SearchPlan("tactical")

AGENTS = {
    "dealer": CompiledAgent(
        dealer,
        Text(
            "random play as the designers do it by hand, phase by phase",
            "случайная игра, как её моделируют авторы: фаза за фазой",
        ),
        {
            "captain": Parameter(
                0.3, 0, 1, Text("chance to place an available Captain", "вероятность выложить доступного Капитана")
            ),
            "anomaly": Parameter(
                0.5, 0, 1, Text("chance to try an anomaly in phase 3", "вероятность попытки аномалии в фазе 3")
            ),
            "without": Parameter(
                NOTHING,
                NOTHING,
                MOVE_INSTEAD,
                Text(
                    "what it does in phase 3 when it tries an anomaly and holds none: nothing, or it moves a card",
                    "что делает в фазе 3, когда пробует аномалию, а её нет: ничего или перемещает карту",
                ),
                words=("nothing", "move"),
            ),
            "place": Parameter(
                OWN,
                OWN,
                OTHER,
                Text(
                    "where it places the Captain: in its own Dimension, in any, in any but its own",
                    "куда выкладывает Капитана: в своё Измерение, в любое, в любое чужое",
                ),
                words=("own", "any", "other"),
            ),
        },
        honest=True,
        lists=False,
        quick=True,
    ),
    "tactical": CompiledAgent(
        tactical,
        Text(
            "plays for its own faction: takes the action after which its estimated chance to win is best",
            "играет за свою фракцию: делает то, после чего её шансы победить, по оценке, выше всего",
        ),
        honest=True,
    ),
    "strategic": CompiledAgent(
        strategic,
        Text(
            "plays like tactical, but fights battles with the next reinforcement in mind",
            "играет как tactical, но в битвах думает о следующем подкреплении",
        ),
        honest=True,
    ),
}
