"""Without its library an adapter says what to install."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from playmill import PlaymillError


@pytest.mark.parametrize("name", ["gymnasium", "pettingzoo", "openspiel", "stable_baselines3"])
def test_a_missing_library_is_named_with_the_way_to_get_it(monkeypatch, name):
    library = {"openspiel": "pyspiel"}.get(name, name)
    extra = {"stable_baselines3": "sb3"}.get(name, name)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"playmill.adapters.{name}", raising=False)
    with pytest.raises(PlaymillError) as refused:
        import_module(f"playmill.adapters.{name}")
    assert refused.value.text.en == f"this adapter needs {library}: pip install 'playmill[{extra}]'"
    assert refused.value.text.ru == f"этому адаптеру нужна библиотека {library}: pip install 'playmill[{extra}]'"
