"""A first bot for Battle of Dimensions: look after your own colour, strike at whoever leads.

playmill simulate dimensions --agents examples/bots/first_bot.py random random --games 500
"""

from __future__ import annotations

from playmill import Decision, Option


def choose(decision: Decision) -> Option:
    """The option worth most; between equals, chance decides."""
    worth = {"battle": battle, "reinforce": reinforce, "move": move, "attack": attack}[decision.kind]
    return max(decision.options, key=lambda option: (worth(option.fields, decision.seen), decision.random.random()))


def battle(act: dict, seen: dict) -> float:
    """A battle card is easily lost: send other colours, and a lost card of the leader is no loss."""
    return -1 if act["faction"] == seen["faction"] else lead(act["faction"], seen)


def reinforce(act: dict, seen: dict) -> float:
    """The Captain first, then own cards; if there are none, a card that helps nobody much."""
    if act["act"] == "put_captain":
        return 100
    if act["act"] == "skip":
        return -100
    if act["faction"] != seen["faction"]:
        return -lead(act["faction"], seen)
    here = seen["dimensions"][act["to"] - 1]["squads"][act["faction"]]
    # Yellow wins by lying everywhere, any other colour is safest in a large squad.
    return 50 - here if seen["faction"] == "yellow" else 50 + here


def move(act: dict, seen: dict) -> float:
    """Only a Black Hole is worth the trouble, if it swallows a squad of somebody ahead."""
    if act["act"] == "black_hole" and act["target"] not in (seen["faction"], "auras"):
        swallowed = seen["dimensions"][act["from"] - 1]["squads"][act["target"]]
        return swallowed if lead(act["target"], seen) > 0 else -1
    return 0 if act["act"] == "stay" else -1


def attack(act: dict, seen: dict) -> float:
    """Strike the leader, never the own colour."""
    if act["act"] == "hold":
        return 0
    target = "purple" if act["target"] == "auras" else act["target"]
    return -1 if target == seen["faction"] else 1 + lead(target, seen)


def lead(faction: str, seen: dict) -> float:
    """How many cards a faction has on the table; 0 if it is nobody's, and then it cannot win."""
    return next((player["count"] for player in seen["players"] if player["faction"] == faction), 0)
