"""What an agent computes beforehand: compiled roots, and a cache on disk under a fingerprint of the rules."""

from __future__ import annotations

from playmill.engine.compile.disk_cache import Shelf
from playmill.engine.compile.entry_points import Root, root
from playmill.engine.compile.fingerprint import fingerprint

__all__ = [
    "Root",
    "Shelf",
    "fingerprint",
    "root",
]
