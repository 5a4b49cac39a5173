"""Documentation of what an agent of Save Oneself observes, key by key."""

from playmill.author import Text
from playmill.author.observation import Seen, flag, group, text, whole, word
from playmill.games.save_oneself.constants import CARD_IDS, CORNERS, SIDE_IDS
from playmill.games.save_oneself.outcome import ENDINGS, MAX_ROUNDS, MAX_SCORE
from playmill.games.save_oneself.words.names import COURSES, MOVE_KIND, TURN_KIND

NUMBERING = Text(
    "Rows grow to the south and columns to the east; both are counted from the cell you started on, which is row 0,"
    " column 0, so that what lies north or west of it has negative numbers. Only the order of the deck is hidden.",
    "Ряды растут к югу, столбцы — к востоку; и те и другие считаются от клетки, с которой вы начали: она — ряд 0,"
    " столбец 0, а то, что севернее или западнее, имеет отрицательные номера. Скрыт только порядок колоды.",
)
_OVER = Text("when the game is over", "когда партия окончена")
_ON = Text("while the game goes on", "пока партия идёт")
_ROW = Text("Its row.", "Ряд.")
_COLUMN = Text("Its column.", "Столбец.")

SEEN: dict[str, Seen] = {
    "player": whole(Text("Who you are: you play alone.", "Кто вы; играет один человек."), 1, 1),
    "decision": word(
        Text("You go, or turn a card over.", "Вы идёте или переворачиваете карту."), MOVE_KIND, TURN_KIND, null=_OVER
    ),
    "round": whole(Text("The number of the round.", "Номер раунда."), 0, MAX_ROUNDS),
    "lives": whole(Text("Lives left.", "Сколько осталось жизней."), 0, lambda config: config.lives),
    "most_lives": whole(Text("The most there can be.", "Сколько их может быть."), 1),
    "moves": whole(Text("Moves left in this round.", "Сколько перемещений осталось в этом раунде.")),
    "revealed": flag(Text("Whether a card was revealed in this round.", "Открыта ли в этом раунде карта.")),
    "row": whole(Text("Where you are: the row.", "Где вы: ряд."), None),
    "column": whole(Text("Where you are: the column.", "Где вы: столбец."), None),
    "cards[]": group(Text("A card of the island.", "Карта острова.")),
    "cards[].card": word(Text("Which card it is, by its back.", "Какая это карта, по рубашке."), *CARD_IDS),
    "cards[].side": word(Text("The side that is up.", "Какая сторона сверху."), *SIDE_IDS),
    "cards[].name": text(Text("The name of that side.", "Название этой стороны.")),
    "cards[].row": whole(_ROW, None),
    "cards[].column": whole(_COLUMN, None),
    "deck[]": word(
        Text("A card still to come, in the order of the rules.", "Карта, которая ещё придёт, в порядке правил."),
        *CARD_IDS,
    ),
    "ship": group(Text("The ship.", "Корабль."), null=Text("while none is in sight", "пока его не видно")),
    "ship.row": whole(_ROW, None),
    "ship.column": whole(_COLUMN, None),
    "ship.corner": word(Text("The corner it came from.", "Угол, из которого он пришёл."), *CORNERS),
    "ship.course": word(Text("Where it sails.", "Куда он плывёт."), *(course.en for course in COURSES)),
    "ship.waiting": flag(
        Text("Whether it has only just come, and does not sail yet.", "Появился ли он только что и ещё не плывёт.")
    ),
    "ship.turned": flag(Text("Whether it has turned a corner.", "Обогнул ли он уже угол.")),
    "ship.island[][]": whole(
        Text(
            "The island: row and column of its north-western, then of its south-eastern cell.",
            "Остров: ряд и столбец его северо-западной, затем юго-восточной клетки.",
        ),
        None,
    ),
    "score": whole(Text("The score as it stands.", "Счёт на сейчас."), 0, MAX_SCORE),
    "won": flag(Text("Whether you were saved.", "Спаслись ли вы."), null=_ON),
    "ended_by": word(Text("How the game ended.", "Чем кончилась партия."), *ENDINGS, null=_ON),
}
