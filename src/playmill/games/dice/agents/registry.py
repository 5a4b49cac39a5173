"""The agents `threshold`, `greedy` and `optimal` of Dice, by name, and the plan of `search`."""

from __future__ import annotations

from typing import Any

from playmill.author import (
    CompiledAgent,
    Known,
    Parameter,
    PlaymillError,
    Preparing,
    RuleConfig,
    SearchPlan,
    Text,
    lowest_bit,
    rare,
    rule,
)
from playmill.games.dice.actions import CONTINUE, EVERY_DIE, PASS, USE
from playmill.games.dice.agents.item_use import choose_dice, item_to_use
from playmill.games.dice.agents.save_value import banked_after, banked_of, best_save, comes_first, hope, points_after
from playmill.games.dice.agents.solver import LEVEL, load, throw_index, turn_index
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE
from playmill.games.dice.rules.effects import free_dice
from playmill.games.dice.rules.options import all_sets, continue_sets, is_free, may_continue, may_pass, pass_sets
from playmill.games.dice.rules.throws import best, points_of, shown_by
from playmill.games.dice.scoring import SIZE

#: Worse than anything that can happen.
_NEVER = -1.0e9


@rule
def threshold(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Takes the save that brings most; passes at its number of points, at the target, or with one or two dice left."""
    if not is_free(cfg, s):
        return _threshold_with_content(cfg, s, legal, n, params)
    dice, points = best(s.told, s.roll, s.table)
    after = s.points + points
    # Asked together: a processor would have to guess each answer.
    passes = (after >= params.value[s.player, 0]) | (s.total[s.player] + after >= cfg.target) | _is_few(s.table & ~dice)
    return (PASS if passes else CONTINUE) + dice


@rare
def _threshold_with_content(cfg: Any, s: Any, legal: Any, n: int, params: Any) -> int:
    """The same where a save may do more, or there is more to do than to save."""
    if s.choosing > 0:
        return choose_dice(cfg, s, legal, n)
    dice, after = best_save(cfg, s)
    can_pass = may_pass(cfg, s, dice)
    if can_pass and s.total[s.player] + banked_of(cfg, s, dice, after) >= cfg.target:
        return PASS + dice
    passes = after >= params.value[s.player, 0] or _is_few(free_dice(s) & ~dice)
    passes = can_pass and (passes or not may_continue(s, dice))
    if cfg.usable[s.player] > 0:
        place = item_to_use(cfg, s, dice, after, not passes)
        if place >= 0:
            return USE + place
    return (PASS if passes else CONTINUE) + dice


@rule
def _is_few(dice: int) -> bool:
    """Whether these are one or two dice."""
    rest = dice & (dice - 1)
    return (dice != 0) & (rest & (rest - 1) == 0)


@rule
def greedy(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Takes the save after which the mean of the turn, one throw ahead, is highest."""
    if s.choosing > 0:
        return choose_dice(cfg, s, legal, n)
    best = 0
    most = _NEVER
    goes_on = False
    to_throw = continue_sets(s)
    to_pass = pass_sets(cfg, s)
    sets = all_sets(s)
    while sets != 0:
        dice = 1 + lowest_bit(sets)
        sets &= sets - 1
        passed = _NEVER
        if to_pass >> (dice - 1) & 1:
            banked = banked_after(cfg, s, dice)
            if s.total[s.player] + banked >= cfg.target:
                return PASS + dice
            passed = 1.0 * banked
        thrown = hope(cfg, s, dice) if to_throw >> (dice - 1) & 1 else _NEVER
        value = max(thrown, passed)
        if value > most or (value == most and comes_first(dice, best)):
            best = dice
            most = value
            goes_on = thrown > passed
    if cfg.usable[s.player] > 0:
        place = item_to_use(cfg, s, best, points_after(cfg, s, best), goes_on)
        if place >= 0:
            return USE + place
    return (CONTINUE if goes_on else PASS) + best


@rule
def optimal(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any, table: Any) -> int:
    """The save after which the chance to win the match is highest, from the solved table of the plain game."""
    levels = (cfg.target + LEVEL - 1) // LEVEL
    own = s.total[s.player] // LEVEL
    other = s.total[1 - s.player] // LEVEL
    best = 0
    most = -1.0
    to_throw = continue_sets(s)
    to_pass = pass_sets(cfg, s)
    sets = all_sets(s)
    while sets != 0:
        dice = 1 + lowest_bit(sets)
        sets &= sets - 1
        points = (s.points + points_of(shown_by(s.first, s.last, dice), dice)) // LEVEL
        if to_pass >> (dice - 1) & 1:
            if own + points >= levels:
                return PASS + dice
            chance = 1.0 - table[turn_index(levels, 1 - s.player, other, own + points)]
            if chance > most:
                best = PASS + dice
                most = chance
        if to_throw >> (dice - 1) & 1:
            left = SIZE[s.table & ~dice]
            if own + points < levels:
                chance = table[throw_index(levels, s.player, own, other, points, left if left > 0 else DICE)]
            else:  # hot dice that have to be thrown: whatever scores then wins
                bust = cfg.bust_chance[s.player, EVERY_DIE]
                chance = 1.0 - bust * table[turn_index(levels, 1 - s.player, other, own)]
            if chance > most:
                best = CONTINUE + dice
                most = chance
    return best


def _solved(config: RuleConfig, preparing: Preparing | None) -> Known:
    """The table of `optimal` for a match, which must be without content and with six equal dice a side."""
    assert isinstance(config, Config)
    setup = config.resolved()
    if any(entry.enabled for entry in setup.entries):
        raise PlaymillError(
            "optimal plays without modifiers and items only; use threshold or greedy",
            "optimal играет только без модификаторов и предметов; возьмите threshold или greedy",
        )
    sides = []
    for seat, dice in enumerate(setup.dice):
        if len({tuple(die.weights) for die in dice}) > 1:
            raise PlaymillError(
                f"optimal needs six equal dice a side; players.{seat}.dice are not",
                f"optimal требует шесть одинаковых костей у каждого; players.{seat}.dice разные",
            )
        sides.append(tuple(dice[0].weights))
    solution = load((sides[0], sides[1]), config.target_score, preparing, must_roll=config.hot_dice_must_roll)
    return Known(solution.table, {"first_wins": solution.first_wins})


#: How `search` plays on in its head.
SEARCH = SearchPlan("greedy")

AGENTS = {
    "threshold": CompiledAgent(
        threshold,
        Text(
            "saves what brings most; passes at so many points, or when one or two dice are left",
            "откладывает самое дорогое; пасует, набрав столько очков или когда осталась одна-две кости",
        ),
        {
            "points": Parameter(
                1000, 0, 1_000_000, Text("points of the turn at which it passes", "очки хода, с которыми пасует")
            )
        },
        honest=True,
        lists=False,
        quick=True,
    ),
    "greedy": CompiledAgent(
        greedy,
        Text(
            "the highest mean of the turn, one throw ahead, with the dice as they are loaded",
            "наибольшее среднее за ход на один бросок вперёд, с учётом весов костей",
        ),
        honest=True,
        lists=False,
    ),
    "optimal": CompiledAgent(
        optimal,
        Text(
            "the exact best play of the match without modifiers and items, computed once",
            "точно лучшая игра матча без модификаторов и предметов, вычисляется один раз",
        ),
        honest=True,
        lists=False,
        knows=_solved,
    ),
}
