"""Random content: conditions, effects, modifiers, items and whole set-ups, all of them valid and likely to matter."""

from __future__ import annotations

from random import Random
from typing import Any

from dice_position import EVIL, FAIR, FLAGS, ONES, OWN_FLAGS, Data, active, match, modifier, off, passive

from playmill.games.dice.config import Config

TURNS = ("+1", "-1", "flip")
SCOPES = ("thrown", "saved", "table")
EVENTS = ("on_roll", "on_save", "on_pass")
OF_ROLLS = (
    "count",
    "of_a_kind",
    "straight",
    "dice_rolled",
    "sum",
    "first_roll",
    "roll_number",
    "hot_dice",
    "turn_points",
    "own_total",
    "behind_by",
    "ahead_by",
    "flag",
    "flag",
)
OF_SAVES = ("selection_size", "selection_contains", "selection_points")
ANY_FLAG = (*FLAGS, *OWN_FLAGS)
#: All faces likely, few of them, hardly any that score, one face only, and such that a face never falls.
DICE = (FAIR, FAIR, ONES, EVIL, (0, 1, 0, 2, 1, 0), (1, 0, 0, 0, 0, 0), (0, 3, 1, 1, 0, 1))


def comparison(random: Random, low: int, high: int, step: int = 1) -> Data:
    """One of the three comparisons with a number in a range."""
    return {random.choice(["at_least", "at_most", "exactly"]): random.randrange(low, high + 1, step)}


def simple_condition(random: Random, saved: bool | None) -> Data:
    """A condition without parts; one that asks for saved dice only where there are any.

    `saved` is None where nothing is known: then it asks neither for them nor for whether a roll scores.
    """
    kind = random.choice(OF_ROLLS + 2 * OF_SAVES if saved else OF_ROLLS if saved is None else (*OF_ROLLS, "scores"))
    face = {"face": random.randint(1, 6)}
    what: dict[str, Any] = {
        "count": {**face, **comparison(random, 0, 3)},
        "of_a_kind": random.randint(2, 4),
        "straight": random.choice(["any", "1-5", "2-6", "1-6"]),
        "dice_rolled": comparison(random, 1, 6),
        "sum": comparison(random, 4, 28),
        "first_roll": True,
        "roll_number": comparison(random, 1, 4),
        "hot_dice": True,
        "scores": True,
        "turn_points": comparison(random, -200, 800, 50),
        "own_total": comparison(random, 0, 1200, 50),
        "behind_by": random.randrange(50, 600, 50),
        "ahead_by": random.randrange(50, 600, 50),
        "flag": random.choice(ANY_FLAG),
        "selection_size": comparison(random, 1, 5),
        "selection_contains": {**face, **(comparison(random, 0, 3) if random.random() < 0.7 else {})},
        "selection_points": comparison(random, 50, 600, 50),
    }
    of = random.choice([None, *SCOPES]) if kind in ("count", "of_a_kind", "straight", "sum") else None
    return {kind: what[kind], **({"of": of} if of else {})}


def condition(random: Random, saved: bool | None, depth: int = 3) -> Data:
    """A condition, perhaps with others inside it."""
    if depth == 0 or random.random() < 0.5:
        return simple_condition(random, saved)
    kind = random.choice(["all", "any", "not"])
    if kind == "not":
        return {"not": condition(random, saved, depth - 1)}
    return {kind: [condition(random, saved, depth - 1) for _ in range(random.randint(1, 3))]}


def effect(random: Random, owner: str, triggers: tuple[str, ...], chosen: int = 0) -> Data:
    """An effect that a modifier, a passive or an active item with these triggers can have.

    `chosen` is how many dice the player chooses for an active item.
    """
    kinds = ["add", "add_to_pass", "add_per_die", "percent"]
    if owner != "modifier":
        kinds += ["set_flag", "set_flag", "clear_flag"]
        kinds += ["set_weights", "set_face", "set_face", "lock"] * ("on_pass" not in triggers)
        kinds += ["multiply_save"] * 2 * (triggers == ("on_save",))
        kinds += ["reroll"] * 2 * (triggers in ((), ("on_roll",)))
    kind = random.choice(kinds)
    selectors = ["lowest", "highest", "showing", "all"] + ["chosen"] * (3 * bool(chosen))
    which: Data = {"dice": random.choice(selectors)}
    if which["dice"] == "showing":
        which["face"] = random.randint(1, 6)
    elif which["dice"] == "chosen":
        which["count"] = chosen
    elif which["dice"] != "all" and random.random() < 0.7:
        which["count"] = random.randint(1, 4)
    points = random.choice([-150, -50, -1, 1, 30, 50, 250])
    of = {"of": random.choice(SCOPES)} if random.random() < 0.6 else {}
    what: dict[str, Any] = {
        "add": points,
        "add_per_die": {"face": random.randint(1, 6), "points": points, **of},
        "add_to_pass": points,
        "percent": random.choice([-1000, -150, -33.3, -10, -0.5, 1, 7.25, 50, 99, 1000]),
        "set_flag": random.choice(ANY_FLAG),
        "clear_flag": random.choice(ANY_FLAG),
        "set_weights": {**which, "weights": list(random.choice(DICE))},
        "set_face": {
            **which,
            "to": random.choice([random.randint(1, 6), *TURNS, *(["chosen"] * 2 if not triggers else [])]),
        },
        "multiply_save": random.randint(2, 4),
        "reroll": which,
        "lock": which,
    }
    return {kind: what[kind]}


def _several(random: Random, owner: str, triggers: tuple[str, ...], chosen: int = 0) -> list[Data]:
    """One to three effects; chosen dice are turned once at most."""
    found: list[Data] = []
    for _ in range(random.choice([1, 1, 2, 3])):
        made = effect(random, owner, triggers, chosen)
        turned = [one["set_face"] for one in [*found, made] if "set_face" in one]
        if all(sum(one[key] == "chosen" for one in turned) < 2 for key in ("dice", "to")):
            found.append(made)
    return found


def entry(random: Random, name: str, kinds: tuple[str, ...]) -> Data:
    """A modifier, a passive or an active item."""
    kind = random.choice(kinds)
    always = random.random() < 0.4
    if kind == "modifier":
        trigger = random.choice(["on_roll", "on_pass"])
        when = None if always else condition(random, trigger == "on_pass")
        return modifier(name, trigger, _several(random, kind, (trigger,)), when)
    if kind == "passive":
        triggers = tuple(random.sample(EVENTS, random.choice([1, 1, 2])))
        mixed = "on_roll" in triggers and len(triggers) > 1
        when = None if always else condition(random, None if mixed else "on_roll" not in triggers)
        return passive(name, " ".join(triggers), _several(random, kind, triggers), when)
    chosen = random.choice([0, 1, 2, 3])
    when = None if always else condition(random, saved=False)
    return active(name, _several(random, kind, (), chosen), when, random.randint(0, 4))


def maybe_off(random: Random, made: Data) -> Data:
    """An entry that now and then is switched off in the match, or by itself."""
    chance = random.random()
    return off(made) if chance < 0.06 else {**made, "enabled": False} if chance < 0.1 else made


def set_up(random: Random, kinds: tuple[str, ...] = ("modifier", "passive", "active")) -> Config:
    """A match with content of these kinds for the table and both players, and in some matches with loaded dice."""
    table, mine, theirs = (
        [maybe_off(random, entry(random, f"{owner}{place}", kinds)) for place in range(random.randint(0, most))]
        for owner, most in (("t", 2), ("m", 3), ("o", 3))
    )
    dice = [FAIR if random.random() < 0.5 else [random.choice(DICE) for _ in range(6)] for _ in range(2)]
    target, turns = random.choice([300, 1000, 2000, 4000]), random.choice([1, 2, 7, 20, 30])
    must_roll = random.random() < 0.3
    return match(table=table, mine=mine, theirs=theirs, dice=dice, target=target, max_turns=turns, must_roll=must_roll)
