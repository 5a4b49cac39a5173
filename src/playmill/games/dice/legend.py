"""Documentation of what an agent of Dice observes, key by key."""

from playmill.author import Text
from playmill.author.observation import Seen, flag, group, text, whole, word
from playmill.games.dice.constants import DICE, PLAYERS
from playmill.games.dice.words.names import CHOICE, SAVE

NUMBERING = Text(
    "Players are numbered from 1, dice by their places from 1 to 6, items from 1 in the order of the player's list."
    " Nothing is hidden. Content goes by its `id`; names and descriptions are beside it.",
    "Игроки пронумерованы с 1, кости — по местам от 1 до 6, предметы — с 1 в порядке списка игрока. Скрытого нет."
    " У каждого модификатора, предмета и кости есть `id`; название и описание стоят рядом.",
)
_OVER = Text("when the match is over", "когда матч окончен")


def _entry(path: str, what: Text) -> dict[str, Seen]:
    """The keys of a modifier or an item in a list."""
    return {
        path: group(what),
        f"{path}.id": text(Text("Its id.", "Его id.")),
        f"{path}.name": text(Text("Its name.", "Название.")),
        f"{path}.desc": text(Text("What it does.", "Что делает.")),
        f"{path}.enabled": flag(Text("Whether it is switched on in this match.", "Включён ли в этом матче.")),
    }


def _item(path: str, what: Text) -> dict[str, Seen]:
    """The keys of an item; the last four are there only if its player can ever use it."""
    return _entry(path, what) | {
        f"{path}.active": flag(Text("Whether its player uses it herself.", "Применяет ли его сам игрок.")),
        f"{path}.item": whole(Text("Its number among those to use.", "Номер среди применяемых."), 1),
        f"{path}.ready": flag(Text("Whether it has come round again.", "Перезарядился ли.")),
        f"{path}.cooldown": whole(Text("Turns until it has.", "Через сколько ходов перезарядится.")),
        f"{path}.usable_now": flag(Text("Whether it can be used now.", "Можно ли применить сейчас.")),
    }


SEEN: dict[str, Seen] = {
    "player": whole(Text("Who you are.", "Кто вы."), 1, PLAYERS),
    "decision": word(
        Text(
            "What is decided: which dice to save, or the die or face an item asks for.",
            "Что решается: какие кости сохранить или о какой кости либо грани спрашивает предмет.",
        ),
        SAVE,
        CHOICE,
        null=_OVER,
    ),
    "to_move": whole(Text("Who decides now.", "Кто сейчас решает."), 1, PLAYERS, null=_OVER),
    "turn": whole(Text("The number of the turn.", "Номер хода."), 0, lambda config: config.max_turns),
    "max_turns": whole(Text("After so many turns a match is a draw.", "После стольких ходов матч — ничья."), 1),
    "target": whole(Text("The total that wins.", "Сколько очков нужно для победы."), 1),
    "totals[]": whole(Text("The points of each player.", "Очки каждого игрока."), None),
    "turn_points": whole(Text("Points of this turn, not banked yet.", "Очки этого хода, ещё не записанные."), None),
    "roll_number": whole(Text("The number of the roll in this turn.", "Номер броска в этом ходу.")),
    "hot_dice": flag(
        Text("Whether all dice were saved, so that all are thrown again.", "Сохранены ли все кости: бросают снова все.")
    ),
    "dice[]": group(Text("The six dice of the player to move.", "Шесть костей того, чей ход.")),
    "dice[].position": whole(Text("Its place.", "Место кости."), 1, DICE),
    "dice[].face": whole(
        Text("What it shows.", "Что на ней выпало."), 1, 6, null=Text("while it is set aside", "пока она отложена")
    ),
    "dice[].thrown": flag(Text("Whether the last roll threw it.", "Бросали ли её последним броском.")),
    "dice[].die": text(Text("The id of the die.", "id кости.")),
    "dice[].name": text(Text("Its name.", "Название кости.")),
    "dice[].weights[]": whole(
        Text("How likely each face is now, in parts.", "Насколько вероятна каждая грань, в долях.")
    ),
    "dice[].changed": flag(Text("Whether content has changed its face.", "Изменил ли её грань какой-то эффект.")),
    "dice[].locked": flag(
        Text("Whether it keeps its face for the rest of the turn.", "Сохраняет ли она грань до конца хода.")
    ),
    "saves[]": group(
        Text("The sets that may be saved, the dearest first.", "Что можно сохранить, самое дорогое первым.")
    ),
    "saves[].dice[]": whole(Text("Places of its dice.", "Места костей набора."), 1, DICE),
    "saves[].faces[]": whole(Text("What they show.", "Что на них выпало."), 1, 6),
    "saves[].points": whole(Text("What saving it really brings.", "Сколько он принесёт на самом деле."), None),
    "saves[].turn_points": whole(Text("What the turn has then.", "Сколько тогда будет очков за ход."), None),
    "saves[].banked": whole(
        Text("What passing then adds to the total.", "Сколько добавит к счёту пас после этого."), None
    ),
    "pass_delta": whole(
        Text("What passing will bring more, or less, in this turn.", "Насколько больше или меньше принесёт пас."), None
    ),
    "asks": word(
        Text("What the item asks for: dice or a face.", "О чём спрашивает предмет: о костях или о грани."),
        "dice",
        "face",
        null=Text("while none does", "пока никто не спрашивает"),
    ),
    "chosen[]": whole(Text("Places of the dice chosen for it.", "Места костей, выбранных для него."), 1, DICE),
    "choosing": text(
        Text("The id of the item that asks.", "id предмета, который спрашивает."),
        null=Text("while none does", "пока никто не спрашивает"),
    ),
    "players[]": group(Text("Both players.", "Оба игрока.")),
    "players[].player": whole(Text("Her number.", "Номер игрока."), 1, PLAYERS),
    "players[].total": whole(Text("Her points.", "Его очки."), None),
    "players[].flags{}": Seen(
        Text(
            "Every flag of the match: not set, set, or for how many turns more.",
            "Каждый флаг матча: снят, поднят или на сколько ещё ходов.",
        ),
        ("flag", "whole"),
        1,
    ),
    "players[].weights[][]": whole(
        Text("For each of her dice, the weights of its six faces.", "Веса шести граней каждой из его костей.")
    ),
    **_entry("players[].modifiers[]", Text("A modifier of hers.", "Модификатор игрока.")),
    **_item("players[].items[]", Text("An item of hers.", "Предмет игрока.")),
    **_entry("modifiers[]", Text("A modifier that holds for both.", "Модификатор, который действует на обоих.")),
    **_item("items[]", Text("An item both have, as it stands for you.", "Общий предмет — как он обстоит для вас.")),
    "log[]": text(Text("What content did since the last decision.", "Что сделали эффекты с прошлого решения.")),
    "winner": whole(
        Text("Who has won.", "Кто победил."),
        1,
        PLAYERS,
        null=Text("while nobody has, and in a draw", "пока никто не победил и при ничьей"),
    ),
}
