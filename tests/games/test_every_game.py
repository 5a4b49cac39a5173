"""Every game is found by its folder and keeps the contract."""

from __future__ import annotations

from common.found import FOLDERS, GAMES, SHIPPED
from common.stock import Stock
from playmill import check_game, game_names


def test_games_are_found_by_their_folders() -> None:
    assert game_names() == SHIPPED
    assert {"pig", "coin"} <= FOLDERS.keys()
    assert len(set(GAMES)) == len(GAMES) >= 7


def test_every_game_keeps_the_contract(stock: Stock) -> None:
    check_game(stock.game, games=2)
