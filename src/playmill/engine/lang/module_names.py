"""Names of the modules of a game; what each must have is declared in `contract/modules/`."""

from __future__ import annotations

#: Modules that every game has.
NEEDED = ("config", "rules", "words")
#: Modules of rules, which are compiled.
RULED = ("rules", "hidden", "outcome", "agents")
#: Modules of plain Python.
PLAIN = (
    "config",
    "words",
    "view",
    "report",
    "methods",
    "content",
    "trials",
    "goals",
    "maps",
    "canvas",
    "rulebook",
    "choices",
    "audit",
    "legend",
    "levels",
    "invariants",
)
