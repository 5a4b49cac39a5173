"""Documentation of what an agent of Influence observes, key by key."""

from playmill.author import Text
from playmill.author.observation import Seen, flag, group, text, whole, word
from playmill.games.influence.rules import MAX_PLAYERS
from playmill.games.influence.words.names import ATTACK, DEFENCE, DIRECTIONS

NUMBERING = Text(
    "Players are numbered from 1. Rows and columns of cells are counted from 0 at the top left; odd rows stand half a"
    " cell to the right. What belongs to cells is a list of rows, so that `owners[row][column]` is the owner of a cell;"
    " holes of the map are null. Nothing is hidden.",
    "Игроки пронумерованы с 1. Ряды и столбцы клеток считаются с 0 от левого верхнего угла; нечётные ряды сдвинуты на"
    " полклетки вправо. Всё, что относится к клеткам, — списки рядов: `owners[row][column]` — хозяин клетки; дыры карты"
    " — null. Скрытого нет.",
)
_OVER = Text("when the game is over", "когда партия окончена")
_ON = Text("while the game goes on", "пока партия идёт")
_HOLE = Text("where the map has a hole", "где на карте дыра")

SEEN: dict[str, Seen] = {
    "player": whole(Text("Who you are.", "Кто вы."), 1, MAX_PLAYERS),
    "decision": word(
        Text("You attack, or place points in defence.", "Вы атакуете или расставляете очки в защите."),
        ATTACK,
        DEFENCE,
        null=_OVER,
    ),
    "to_move": whole(Text("Who decides now.", "Кто сейчас решает."), 1, MAX_PLAYERS, null=_OVER),
    "points": whole(Text("Points left to place.", "Сколько очков осталось расставить.")),
    "round": whole(Text("The number of the round.", "Номер раунда."), 0, lambda config: config.round_limit + 1),
    "round_limit": whole(Text("The game ends after so many rounds.", "После стольких раундов партия кончается."), 1),
    "result_rounds": whole(
        Text("So many of a player's last turns count for her result.", "В итог идёт столько последних ходов игрока.")
    ),
    "map": text(Text("The name of the map.", "Название карты.")),
    "owners[][]": whole(Text("Whose a cell is; 0 is nobody's.", "Чья клетка; 0 — ничья."), 0, MAX_PLAYERS, null=_HOLE),
    "influence[][]": whole(Text("The influence in a cell.", "Влияние на клетке."), null=_HOLE),
    "capacity[][]": whole(Text("The most it can hold.", "Сколько влияния она вмещает."), 1, null=_HOLE),
    "neighbours[][]": group(
        Text(
            "The cells beside a cell, each as direction, row and column.", "Соседи клетки: направление, ряд и столбец."
        ),
        null=_HOLE,
    ),
    "neighbours[][][]": group(Text("One neighbour: direction, row, column.", "Один сосед: направление, ряд, столбец.")),
    "neighbours[][][][]": Seen(
        Text(
            "East, south-east, south-west, west, north-west or north-east; then its row; then its column.",
            "Восток, юго-восток, юго-запад, запад, северо-запад или северо-восток; затем ряд; затем столбец.",
        ),
        ("word", "whole"),
        0,
        words=DIRECTIONS,
    ),
    "chances[]": whole(
        Text(
            "The chance of an attack in percent, if the attacker is weaker by 2 or more, by 1, as strong, stronger by"
            " 1, by 2 or more.",
            "Шанс атаки в процентах, если атакующий слабее на 2 и больше, на 1, равен, сильнее на 1, на 2 и больше.",
        ),
        0,
        100,
    ),
    "players[]": group(Text("Everybody at the table, you too.", "Все за столом, и вы в том числе.")),
    "players[].player": whole(Text("Her number.", "Номер игрока."), 1, MAX_PLAYERS),
    "players[].on_field": flag(Text("Whether she has a cell left.", "Осталась ли у игрока хоть одна клетка.")),
    "players[].cells": whole(Text("Her cells.", "Сколько у него клеток.")),
    "players[].influence": whole(Text("Her influence on all cells.", "Его влияние на всех клетках.")),
    "players[].result": whole(
        Text(
            "Her result so far: influence at the start of her turns, added up over the last of them.",
            "Итог на сейчас: влияние в начале хода, сложенное по последним ходам.",
        )
    ),
    "players[].turns": whole(Text("Her turns so far.", "Сколько ходов он сделал.")),
    "ended_by": word(Text("How the game ended.", "Чем кончилась партия."), "limit", "elimination", null=_ON),
    "winner": whole(
        Text("Who has won.", "Кто победил."),
        1,
        MAX_PLAYERS,
        null=Text("while the game goes on, and in a draw", "пока партия идёт и при ничьей"),
    ),
}
