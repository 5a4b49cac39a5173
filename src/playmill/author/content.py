"""For content kept as data: labels of its form, trials, and JSON input."""

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
