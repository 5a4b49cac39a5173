"""Each test that asks for a `stock` is run for every game there is."""

from __future__ import annotations

import pytest

from common.found import GAMES, SHIPPED
from common.stock import Stock, stock_of


@pytest.fixture(params=GAMES, scope="module")
def stock(request: pytest.FixtureRequest) -> Stock:
    """A game, of the package or of a folder, with all that it is tried with."""
    return stock_of(request.param)


@pytest.fixture(params=SHIPPED, scope="module")
def shipped(request: pytest.FixtureRequest) -> Stock:
    """A game of the package, which keeps to the customs of the house as well."""
    return stock_of(request.param)
