"""For the module `legend`: documentation of the keys of `seen`."""

from __future__ import annotations

from playmill.engine.contract.observation_docs import Seen, flag, group, text, whole, word

__all__ = [
    "Seen",
    "flag",
    "group",
    "text",
    "whole",
    "word",
]
