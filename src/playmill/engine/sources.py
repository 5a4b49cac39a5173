"""Modules made of texts in memory."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any


class _Text(InspectLoader):
    """Imports a module from a text in memory: what lies on disk is never run as source."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, fullname: str) -> str:
        """The text, also for tracebacks."""
        return self._text


def module_of_text(name: str, text: str, names: Mapping[str, Any] | None = None) -> ModuleType:
    """Imports a module from its text, in which these names are already there."""
    loader = _Text(text)
    module = module_from_spec(ModuleSpec(name, loader))
    module.__dict__.update(names or {})
    sys.modules[name] = module
    loader.exec_module(module)
    return module
