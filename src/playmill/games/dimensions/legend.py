"""Documentation of what an agent of Battle of Dimensions observes, key by key."""

from playmill.author import Text
from playmill.author.observation import Seen, flag, group, text, whole, word
from playmill.games.dimensions.rules import MAX_PLAYERS
from playmill.games.dimensions.words.names import DECISION_NAMES, FACTION_NAMES

NUMBERING = Text(
    "Players and Dimensions are numbered from 1, in the order of seats: Dimension 2 is that of player 2. Factions go by"
    " their English names; cards are `red`, `green`, `yellow`, `purple`, `blue` (in the epic mode `blue 5`, with the"
    " value) and anomalies by their titles.",
    "Игроки и Измерения пронумерованы с 1, по местам за столом: Измерение 2 принадлежит игроку 2. Фракции названы"
    " по-английски; карты — `red`, `green`, `yellow`, `purple`, `blue` (в режиме epic `blue 5`, со значением), аномалии"
    " — своими названиями.",
)
_FACTIONS = tuple(name.en for name in FACTION_NAMES)
_OVER = Text("when the game is over", "когда партия окончена")

SEEN: dict[str, Seen] = {
    "player": whole(Text("Who you are.", "Кто вы."), 1, MAX_PLAYERS),
    "faction": word(Text("Your faction.", "Ваша фракция."), *_FACTIONS),
    "hand[]": text(Text("A card of your hand.", "Карта на вашей руке.")),
    "battle_card": text(
        Text("The card you have laid face down into the battle.", "Карта, которую вы положили в битву взакрытую."),
        null=Text("while you have laid none", "пока вы ничего не положили"),
    ),
    "turn": whole(Text("The number of the turn.", "Номер хода.")),
    "phase": word(Text("What is decided now.", "Что сейчас решается."), *DECISION_NAMES, "over"),
    "active": whole(Text("Whose turn it is.", "Чей сейчас ход."), 1, MAX_PLAYERS),
    "to_move": whole(Text("Who decides now.", "Кто сейчас решает."), 1, MAX_PLAYERS, null=_OVER),
    "final_turn": flag(Text("Whether this is the last turn.", "Последний ли это ход.")),
    "time_loop": flag(Text("Whether the anomaly Time Loop is at work.", "Действует ли аномалия «Временная Петля».")),
    "last_card_taken_by": whole(
        Text("Who has taken the last card of the deck.", "Кто взял последнюю карту колоды."),
        1,
        MAX_PLAYERS,
        null=Text("while the deck has cards", "пока в колоде есть карты"),
    ),
    "deck": whole(Text("Cards left in the deck.", "Сколько карт осталось в колоде.")),
    "spiral[]": word(
        Text(
            "The Spiral of Forces: each faction beats the next one, the last beats the first.",
            "Спираль Сил: каждая фракция бьёт следующую, последняя — первую.",
        ),
        *_FACTIONS,
    ),
    "captain": whole(
        Text(
            "The Dimension the Captain is in, or `available` while he can be called.",
            "Измерение, в котором Капитан, или `available`, пока его можно призвать.",
        ),
        1,
        MAX_PLAYERS,
        words=("available",),
        null=Text("when he is gone, or plays no part", "когда его больше нет или он не участвует"),
    ),
    "black_hole[]": text(Text("A card of the pile of the Black Hole.", "Карта из стопки Чёрной Дыры.")),
    "returned[]": text(Text("A card that Big Bang has brought back.", "Карта, которую вернул Большой Взрыв.")),
    "shown_anomalies[]": text(Text("An anomaly everybody has seen.", "Аномалия, которую видели все.")),
    "players[]": group(Text("Everybody at the table, you too.", "Все за столом, и вы в том числе.")),
    "players[].player": whole(Text("Her number.", "Номер игрока."), 1, MAX_PLAYERS),
    "players[].faction": word(Text("Her faction.", "Его фракция."), *_FACTIONS),
    "players[].hand_size": whole(
        Text(
            "Cards in her hand; before a battle is revealed, as it was before it.",
            "Карт на руке; до вскрытия битвы — сколько было перед ней.",
        )
    ),
    "players[].known_anomalies": whole(
        Text("Anomalies everybody knows her to hold.", "Сколько у игрока аномалий, о которых знают все.")
    ),
    "players[].count": whole(Text("Cards of her faction on all of the table.", "Карт этой фракции на всём столе.")),
    "dimensions[]": group(Text("Every Dimension, in the order of seats.", "Все Измерения, по порядку мест.")),
    "dimensions[].dimension": whole(Text("Its number, that of its player.", "Номер, как у игрока."), 1, MAX_PLAYERS),
    "dimensions[].squads{}": whole(
        Text("Cards in it, by faction.", "Карт в нём, по фракциям; ключи — английские названия фракций.")
    ),
    "dimensions[].blue_values[]": whole(
        Text("The value of a blue card in it, in the epic mode.", "Значение синей карты в нём (режим epic).")
    ),
    "dimensions[].captain": flag(Text("Whether the Captain is in it.", "В нём ли Капитан.")),
    "dimensions[].auras[]": text(
        Text("A card of its Auras of Darkness; the top is the last.", "Карта в стопке Аур Тьмы; верхняя — последняя.")
    ),
    "winner": word(
        Text("The faction that has won.", "Победившая фракция."),
        *_FACTIONS,
        null=Text("while the game goes on", "пока партия идёт"),
    ),
}
