"""What a game needs to keep content as data: its form, its trials, and JSON as people write it."""

from __future__ import annotations

from playmill.engine.config.json_input import parsed, text_of, unfenced
from playmill.engine.contract.content import Labels, Trial

__all__ = [
    "Labels",
    "Trial",
    "parsed",
    "text_of",
    "unfenced",
]
