"""Constants of Dice: sizes, flags, the steps that content is compiled to, and random streams, by number."""

from __future__ import annotations

DICE = 6
PLAYERS = 2
#: Most turns of a match that a config may allow.
MAX_TURNS = 100_000
#: Most modifiers and items in one match, all lists together.
EFFECTS = 32
#: Most active items one player can reach: their own and the table's.
ACTIVE = 16
#: After so many throws of a turn nothing is thrown in it but by an item that a player uses: one has to pass, and a
#: shield is no help any more. Dice that always score, or a shield raised by every roll, could go on for ever.
MAX_ROLLS = 1000
#: Most steps of all content of a match.
CODE = 512
#: Most sets of weights that the content of a match can give to dice.
PROFILES = 32

#: Events that content waits for, and the use of an active item, which waits for none.
ON_ROLL, ON_SAVE, ON_PASS, ON_USE = range(4)
HOOKS = 3
#: Flags, the marks that content leaves on a player: the two with rules of their own, then those that content names.
SHIELD, DOUBLE = range(2)
OWN_FLAGS = 16
FLAGS = 2 + OWN_FLAGS
SHIELD_SET, DOUBLE_SET = 1 << SHIELD, 1 << DOUBLE
#: Where a walk ends: without the deeds, or with all that was asked found true.
STOP, YES = -1, -2

#: Tests. `a` is the face or kind asked for, `b` the comparison, `c` the number.
(
    COUNT,
    OF_A_KIND,
    STRAIGHT,
    DICE_ROLLED,
    SUM,
    FIRST_ROLL,
    ROLL_NUMBER,
    HOT_DICE,
    TURN_POINTS,
    OWN_TOTAL,
    LEAD,
    SELECTION_SIZE,
    SELECTION_POINTS,
    FLAG,
    SCORES,
) = range(15)
#: Deeds.
DEEDS = 32
(
    ADD,
    ADD_PER_DIE,
    PERCENT,
    MULTIPLY_SAVE,
    SET_FLAG,
    CLEAR_FLAG,
    REROLL,
    SET_FACE,
    SET_WEIGHTS,
    LOCK,
    ADD_TO_PASS,
) = range(DEEDS, DEEDS + 11)
#: To which face dice are turned, beside the six: the next one, the one before, the opposite one, a chosen one.
UP, DOWN, FLIP, ASKED = range(7, 11)
#: A percentage is kept in millionths of a percent.
PERCENT_PARTS = 1_000_000
#: The cooldown of an item that is ready again when dice are saved, or with the next turn.
UNTIL_SAVED = -1
#: Comparisons.
AT_LEAST, AT_MOST, EXACTLY = range(3)
#: Straights asked for.
ANY_STRAIGHT, LOW_STRAIGHT, HIGH_STRAIGHT, FULL_STRAIGHT = range(4)
#: Of which dice a test asks, or a deed counts: as is usual at the event, those just thrown or saved, all on the table.
BY_EVENT, THROWN, SAVED, TABLE = range(4)
#: Which dice a deed means; the number above them is how many, or the face.
CHOSEN, ALL, LOWEST, HIGHEST, SHOWING = range(5)


#: Random streams: each turn has one of its own, so that a longer turn leaves the later ones as they were.
STREAM_TURN, THROW, LOADED_THROW = 0, 2, 3
NOBODY = -1
