"""Games as bots see them, message by message: what a starter kit shows, and what its rules are proven with."""

from __future__ import annotations

import json
from typing import Any

from playmill.agents.programs import protocol
from playmill.agents.python.decision import DecisionMaker
from playmill.engine.run.stepper import new_stepper
from playmill.lab.contests.contest.rules import ContestRules
from playmill.texts import Lang

#: Games are dealt from this seed.
_SEED = 0
_GAMES = 3
#: Games end up in a file of so many bytes at most.
_MOST_BYTES = 4 << 20


def players_at_table(rules: ContestRules) -> int:
    """Returns how many play in one game: one where two are compared by what they made of the same deals."""
    return 1 if rules.game.players[1] == 1 else rules.size


def recorded_games(rules: ContestRules, lang: Lang) -> dict[str, Any]:
    """Returns a few games, played by the chance of each question, as the bot of every seat sees them."""
    found: list[dict[str, Any]] = []
    left = _MOST_BYTES
    for number in range(_GAMES):
        if left < 0:
            break
        for seat, messages in enumerate(_played(rules, number, lang)):
            left -= len(json.dumps(messages))
            if len(messages) > 2 and (left >= 0 or not found):
                found.append({"number": number, "seat": seat, "messages": messages})
    return {"seed": _SEED, "games": found}


def _played(rules: ContestRules, number: int, lang: Lang) -> list[list[dict[str, Any]]]:
    """Plays one game; returns the messages of each seat."""
    game, config, players, limits = rules.game, rules.settings[0].config, players_at_table(rules), rules.limits
    shown = config.model_dump(mode="json")
    messages: list[list[dict[str, Any]]] = [
        [protocol.hello(game.name, game.version, shown, players=players, seat=seat, limits=limits, lang=lang)]
        for seat in range(players)
    ]
    maker = DecisionMaker(game, config, players=players, seed=_SEED, interpreted=True)
    steps = new_stepper(game, config, players, interpreted=True)
    options = steps.begin(_SEED, number)
    while options > 0:
        actions = list(steps.ids[:options])
        action = actions[0]
        if options > 1:
            mine = messages[steps.mover[0]]
            decision = maker.ask(steps.workspace, actions, number=number, asked=len(mine) - 1)
            asked = protocol.act(decision, len(mine), left=limits.game, move=limits.move, lang=lang)
            mine.append(json.loads(protocol.line_of(asked)))
            action = actions[asked["random"] % options]
        options = steps.step(action)
    returns: list[float] = steps.pay()[:players].tolist()
    for seat, mine in enumerate(messages):
        mine.append(protocol.over(seat, returns))
    return messages
