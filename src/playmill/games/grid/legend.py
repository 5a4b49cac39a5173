"""Documentation of what an agent of Grid observes, key by key."""

from playmill.author import Text
from playmill.author.observation import Seen, flag, group, text, whole, word
from playmill.games.grid.config.identifiers import REWARD_IDS
from playmill.games.grid.rules import MAX_PLAYERS
from playmill.games.grid.words.position_text import CHOICES

NUMBERING = Text(
    "Players are numbered from 1. A cell is `[x, y]`: x is the column, y the row, both counted from 0 at the top left;"
    " `board` is a list of rows, so that cell (x, y) is `board[y][x]`. A place in the discard pile is numbered from 1,"
    " the card laid first; its top is the last. Nothing but the order of the deck is hidden.",
    "Игроки пронумерованы с 1. Клетка — это `[x, y]`: x — столбец, y — ряд, оба считаются с 0 от левого верхнего угла;"
    " `board` — список рядов, так что клетка (x, y) — это `board[y][x]`. Места в сбросе пронумерованы с 1, начиная с"
    " положенной первой; верхняя карта — последняя. Скрыт только порядок колоды.",
)
_OVER = Text("when the game is over", "когда партия окончена")
_NO_CARD = Text("where there is none", "где её нет")
_COLUMN = Text("A column and a row.", "Столбец и ряд.")


def _card(path: str, what: Text, null: Text | None = None) -> dict[str, Seen]:
    """The keys of a card: its three fields, or `joker`."""
    return {
        path: group(what, words=("joker",), null=null),
        f"{path}.rank": whole(Text("Its rank.", "Ранг."), 1, lambda config: max(config.game.deck.ranks)),
        f"{path}.color": whole(
            Text("Its colour, by number.", "Цвет, номером."), 1, lambda config: max(config.game.deck.colors)
        ),
        f"{path}.shape": whole(
            Text("Its shape, by number.", "Форма, номером."), 1, lambda config: max(config.game.deck.shapes)
        ),
    }


SEEN: dict[str, Seen] = {
    "player": whole(Text("Who you are.", "Кто вы."), 1, MAX_PLAYERS),
    "turn": whole(Text("The number of the turn.", "Номер хода.")),
    "phase": word(
        Text("Cards are drafted, or played from the hand.", "Карты выбирают из открытых или играют с руки."),
        "draft",
        "hand",
        "over",
    ),
    "decision": word(
        Text("What is decided now.", "Что сейчас решается."),
        "placement",
        "draft_pick",
        "draft_pass",
        "pattern",
        "reward",
        "reward_param",
        null=_OVER,
    ),
    "active": whole(Text("Whose turn it is.", "Чей сейчас ход."), 1, MAX_PLAYERS),
    "to_move": whole(Text("Who decides now.", "Кто сейчас решает."), 1, MAX_PLAYERS, null=_OVER),
    "extra_turn": flag(Text("Whether an extra turn was won.", "Получен ли дополнительный ход.")),
    "deck_size": whole(Text("Cards left in the deck.", "Карт осталось в колоде.")),
    **_card(
        "discard[]", Text("A card of the discard pile, the first laid first.", "Карта сброса, первая положена первой.")
    ),
    **_card("revealed[]", Text("An open card of the draft.", "Открытая карта драфта."), _NO_CARD),
    **_card("picked[]", Text("A card picked and not placed yet.", "Выбранная, но ещё не выложенная карта.")),
    **_card("card", Text("The card that is placed now.", "Карта, которую сейчас выкладывают."), _NO_CARD),
    "pattern": group(
        Text("The pattern that is resolved now.", "Паттерн, который сейчас разыгрывается."),
        null=Text("while none is", "когда такого нет"),
    ),
    "pattern.id": text(Text("Its letter.", "Его буква.")),
    "pattern.vp": whole(Text("Its victory points.", "Победные очки за него."), None),
    "pattern.cells[]": group(Text("A cell of it.", "Его клетка.")),
    "pattern.cells[][]": whole(_COLUMN, 0),
    "reward": group(
        Text("The reward in question.", "Награда, о которой речь."), null=Text("while there is none", "когда её нет")
    ),
    "reward.id": word(Text("Its id.", "Её id."), *map(str, REWARD_IDS)),
    "reward.name": text(Text("Its name.", "Её название.")),
    "reward.choices[]": word(
        Text("What it asks for, in this order.", "О чём она спрашивает, по порядку."), *CHOICES.values()
    ),
    "reward.choice": word(
        Text("What it asks for now.", "О чём она спрашивает сейчас."),
        *CHOICES.values(),
        null=Text("before the first question", "до первого вопроса"),
    ),
    "reward.opponent": whole(
        Text("The opponent chosen, once there is one.", "Выбранный соперник, когда он выбран."), 1, MAX_PLAYERS
    ),
    "reward.source[]": whole(
        Text("Column and row of the card chosen, once it is.", "Столбец и ряд выбранной карты, когда она выбрана."), 0
    ),
    "reward.discard_ref": whole(
        Text("The card chosen in the discard pile, from 1.", "Выбранная карта сброса, с 1."), 1
    ),
    "players[]": group(Text("Everybody at the table, you too.", "Все за столом, и вы в том числе.")),
    "players[].player": whole(Text("Her number.", "Номер игрока."), 1, MAX_PLAYERS),
    "players[].vp": whole(Text("Her victory points.", "Победные очки."), None),
    "players[].skips_next_turn": flag(Text("Whether she misses her next turn.", "Пропускает ли следующий ход.")),
    **_card(
        "players[].hand[]", Text("A card of her hand, in the order received.", "Карта на руке, в порядке получения.")
    ),
    **_card(
        "players[].board[][]",
        Text("What lies in a cell: `board[y][x]`.", "Что лежит в клетке: `board[y][x]`."),
        _NO_CARD,
    ),
    "players[].patterns{}": whole(
        Text("How often each pattern was resolved, by its letter.", "Сколько раз разыгран каждый паттерн, по букве."), 1
    ),
    "end": word(
        Text("Which of the two endings it was.", "Какая из двух концовок наступила."),
        "END1",
        "END2",
        null=Text("while the game goes on", "пока партия идёт"),
    ),
    "winner": whole(
        Text("Who has won.", "Кто победил."),
        1,
        MAX_PLAYERS,
        null=Text("while the game goes on, and in a draw", "пока партия идёт и при ничьей"),
    ),
}
