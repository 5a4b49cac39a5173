"""For the module `invariants`: rules that hold in every position, ready to be composed."""

from __future__ import annotations

from playmill.engine.contract.invariants import (
    Invariant,
    Pile,
    cards_conserved,
    different,
    exactly_one,
    holds,
    never_grows,
    never_shrinks,
    stays,
    step_holds,
    total_conserved,
    within,
)

__all__ = [
    "Invariant",
    "Pile",
    "cards_conserved",
    "different",
    "exactly_one",
    "holds",
    "never_grows",
    "never_shrinks",
    "stays",
    "step_holds",
    "total_conserved",
    "within",
]
