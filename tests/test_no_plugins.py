"""Our program starts without pydantic's plugins, and with all else of pydantic as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys

_ALONE = """
import importlib, json, sys
from playmill.no_plugins import disable_plugins
disable_plugins()
from pydantic import BaseModel
class Model(BaseModel):
    number: int
stands = "pydantic.plugin._loader"
found = {"number": Model(number=1).number, "metadata": "importlib.metadata" in sys.modules}
found["plugins"] = list(sys.modules[stands].get_plugins())
found["stand-in"] = type(sys.modules[stands]).__module__
found["else"] = getattr(sys.modules[stands], "PYDANTIC_ENTRY_POINT_GROUP")
genuine = importlib.import_module(stands)
found["genuine"] = [type(genuine).__module__, list(genuine.get_plugins())]
print(json.dumps(found))
"""


def found(**environment: str):
    """What a program finds that disables plugins."""
    own = {name: value for name, value in os.environ.items() if name != "PYDANTIC_DISABLE_PLUGINS"}
    done = subprocess.run(
        [sys.executable, "-c", _ALONE], env=own | environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_nothing_looks_for_plugins():
    """That pydantic itself says there are none is what allows something to stand for its loader."""
    assert found() == {
        "number": 1,
        "metadata": False,
        "plugins": [],
        "stand-in": "playmill.no_plugins",
        "else": "pydantic",
        "genuine": ["builtins", []],
    }


def test_who_wants_plugins_gets_pydantics_own_loader():
    """A list of plugins that are not wanted says that others are."""
    assert found(PYDANTIC_DISABLE_PLUGINS="somebodys")["stand-in"] == "builtins"
