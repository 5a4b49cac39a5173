"""The rooms of a game: files of fixed names, each with names it must have."""

from __future__ import annotations

from collections.abc import Mapping

#: The rooms of a game's folder and the names each must have.
ROOMS: Mapping[str, tuple[str, ...]] = {
    "config": ("Config",),
    "rules": ("State", "MAX_PLAYERS", "MAX_ACTIONS", "setup", "legal_actions", "apply_action", "returns"),
    "hidden": ("OBSERVATION", "observe", "conceal"),
    "outcome": ("Outcome", "Tally", "outcome", "tally"),
    "agents": ("AGENTS",),
    "words": ("TITLE", "ABOUT", "describe"),
    "view": (),
    "report": ("results", "sections"),
    "methods": ("METHODS", "Adapter"),
    "content": ("KIND_NAMES", "schema", "library", "read_content", "merged", "mistakes", "examined", "entries"),
    "trials": ("AGENT", "PAYOFF", "trials", "payoffs"),
    "goals": ("GOALS",),
    "maps": ("map_command",),
    "canvas": ("EASEL",),
    "rulebook": ("PICTURES",),
    "choices": ("choices",),
    "audit": (),
    "legend": ("SEEN", "NUMBERING"),
}
#: Rooms of rules; the others are plain Python, and never compiled.
RULED = ("rules", "hidden", "outcome", "agents")
#: Rooms that every game must have. One without the others has the agent `random`; the usual rooms (`playmill.usual`) in
#: which nothing is hidden and who won is counted, reported and drawn; and asks agents written in Python by
#: `choose(decision)` alone, not by methods of its own; nor has it content that is data, goals with names, maps, a
#: setting that is drawn, or rules in words; an audit knows no sides, counts its length in decisions, and calls kinds of
#: actions by their ids; and nobody says what `seen` means.
NEEDED = ("config", "rules", "words")
