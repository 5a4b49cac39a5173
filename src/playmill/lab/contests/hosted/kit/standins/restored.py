"""Makes values of a game again from JSON, for the referee of a starter kit: its config, and what does not change."""

from __future__ import annotations

import importlib
import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def constant(name: str) -> Any:
    """What a function without arguments returned when the kit was made."""
    return restored(_constants()[name])


@cache
def _constants() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name("constants.json").read_text(encoding="utf-8"))
    return found


def restored(data: Any) -> Any:
    """An object of a config from JSON: `[kind, …]`."""
    if not isinstance(data, list):
        return data
    kind, *rest = data
    if kind == "list":
        return [restored(one) for one in rest]
    if kind in ("tuple", "set", "frozenset"):
        return {"tuple": tuple, "set": set, "frozenset": frozenset}[kind](restored(one) for one in rest)
    if kind == "dict":
        return {restored(key): restored(value) for key, value in rest}
    module, _, name = rest[0].partition(":")
    found = importlib.import_module(module)
    for step in name.split("."):
        found = getattr(found, step)
    make: Any = found
    if kind == "named":
        return make(*(restored(one) for one in rest[1]))
    if kind == "enum":
        return make(restored(rest[1]))
    made = object.__new__(make)
    vars(made).update({key: restored(value) for key, value in rest[1]})
    return made
