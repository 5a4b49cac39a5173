"""For agents that compute lookup tables: compiled entry points, and a disk cache under a fingerprint of the rules."""

from __future__ import annotations

from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.entry_points import EntryPoint, entry_point
from playmill.engine.compile.fingerprint import fingerprint

__all__ = [
    "DiskCache",
    "EntryPoint",
    "entry_point",
    "fingerprint",
]
