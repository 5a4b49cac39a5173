"""Task of a cluster: one named function of Playmill is called on a node; errors meant for users come back as values.

What comes and goes is JSON, numbers and bytes. Nothing but a function of Playmill can be named, and a node that has
another version of it refuses.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import FunctionType
from typing import Any, TypedDict

from playmill.texts import PlaymillError
from playmill.version import __version__

Argument = str | bytes | int | float


class TaskCall(TypedDict):
    """A function by its name, `MODULE:FUNCTION`, its arguments, and the versions that the node must have."""

    function: str
    arguments: Sequence[Argument]
    versions: Mapping[str, str]


class TaskAnswer(TypedDict, total=False):
    """The value of a task; else its `error`, or why it is `refused` on a node, in two languages."""

    value: Any
    error: tuple[str, str]
    refused: tuple[str, str, str]


class RefusedTaskError(PlaymillError):
    """Raised in a task that cannot be run on this node, whatever it may do on another."""


def name_of(function: Callable[..., Any]) -> str:
    """Returns the name by which a function of Playmill is found on every node."""
    return f"{function.__module__}:{function.__qualname__}"


def run_task(call: TaskCall, *more: Argument) -> TaskAnswer:
    """Calls a function on this node; arguments that came by another way are behind those of the call."""
    try:
        _check_versions(call["versions"])
        return {"value": _function_of(call["function"])(*call["arguments"], *more)}
    except RefusedTaskError as error:
        return {"refused": (platform.node(), error.text.en, error.text.ru)}
    except PlaymillError as error:
        return {"error": (error.text.en, error.text.ru)}


def _function_of(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found = getattr(import_module(module), function, None) if module.startswith("playmill.") else None
    if not isinstance(found, FunctionType) or found.__module__ != module:
        raise RefusedTaskError(f"there is no function {name} of Playmill", f"у Playmill нет функции {name}")
    return found


def versions(*, rows: bool = False) -> dict[str, str]:
    """Returns the versions that must agree on all nodes: rules prove themselves, bytes of files do not."""
    if not rows:
        return {"Playmill": __version__}
    import polars  # it takes as long as all the rest

    return {"Playmill": __version__, "Polars": polars.__version__}


def _check_versions(wanted: Mapping[str, str]) -> None:
    mine = versions(rows=True)
    for name, version in wanted.items():
        if mine[name] != version:
            raise RefusedTaskError(
                f"it has {name} {mine[name]}, and {version} is needed",
                f"там {name} {mine[name]}, а нужна версия {version}",
            )
