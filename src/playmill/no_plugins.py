"""Our program without plugins for pydantic: nothing looks for them, nor imports what looks for them."""

from __future__ import annotations

import os
import sys
from types import ModuleType

_DISABLED = "PYDANTIC_DISABLE_PLUGINS"
#: Values by which pydantic is told that there are to be no plugins.
_ALL = ("__all__", "1", "true")
#: The module of pydantic that finds plugins. It imports `importlib.metadata`, which imports half of `email`.
_LOADER = "pydantic.plugin._loader"


class _Loader(ModuleType):
    """Stands for pydantic's loader of plugins as long as nothing is asked of it but which plugins there are."""

    @staticmethod
    def get_plugins() -> tuple[()]:
        """None."""
        return ()

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what the import system asks of every module
            raise AttributeError(name)
        from importlib import import_module

        del sys.modules[_LOADER]
        return getattr(import_module(_LOADER), name)


def disable_plugins() -> None:
    """Has pydantic look for no plugins, unless somebody said which of them there are to be."""
    if os.environ.setdefault(_DISABLED, "__all__") in _ALL:
        sys.modules.setdefault(_LOADER, _Loader(_LOADER))
