"""Lines that the castaway says about each side of a card, in the first person."""

from __future__ import annotations

from playmill.author import Text

#: By side, the backs of all cards first.
VOICES = (
    Text(
        "Vines everywhere, tough as rope. All I lack is something to tie them to.",
        "Кругом лианы, крепкие, как верёвки. Было бы к чему их привязать.",
    ),
    Text(
        "A rusty hook in the sand. Now if I only knew where the fish are.",
        "Ржавый крючок в песке. Знать бы ещё, где тут рыба.",
    ),
    Text("Fresh water! I drink until I can drink no more.", "Пресная вода! Пью, пока могу."),
    Text(
        "It gives sparks. It gives nothing else, for there is nothing to burn yet.",
        "Искры есть, а гореть пока нечему.",
    ),
    Text(
        "Palm trees. There is something up there, but I will not reach it bare-handed.",
        "Пальмы. Наверху что-то висит, но голыми руками не достать.",
    ),
    Text("Dry sticks. One of them is long and straight.", "Сухие ветки. Одна длинная и прямая."),
    Text(
        "An empty bottle, alas. But it floats, and I can write.",
        "Бутылка, увы, пустая. Зато не тонет, а писать я умею.",
    ),
    Text(
        "A hill! From up here I see the whole island, and the whole island could see me.",
        "Холм! Отсюда виден весь остров — а значит, и меня отсюда видно.",
    ),
    Text("A telescope. Down here I see leaves with it.", "Подзорная труба. Снизу в неё видны одни листья."),
    Text(
        "Rocks, big and white. Seen from above they could become letters.",
        "Камни, большие и белые. Если смотреть сверху, из них выйдут буквы.",
    ),
    Text("A wild pig, and it saw me first.", "Дикий кабан, и он заметил меня первым."),
    Text("Rain, wind, and nowhere to hide.", "Ливень, ветер, и спрятаться негде."),
    Text("I could swear it was right here.", "Готов поклясться, оно было прямо здесь."),
    Text(
        "A black flag. They do not want me; they want a ship.",
        "Чёрный флаг. Им нужен не я, им нужен корабль.",
    ),
    Text(
        "Half a map. It tells the row, and the column is torn off.",
        "Половина карты. Ряд указан, а столбец оторван.",
    ),
    Text(
        "The other half. It tells the column, if I only knew the row.",
        "Вторая половина. Столбец указан, знать бы ряд.",
    ),
    Text("My own roof! Let it rain.", "Своя крыша! Пусть себе льёт."),
    Text("Fish, fresh and salted by the sea.", "Рыба, свежая и уже солёная."),
    Text(
        "I followed the stream with the telescope, and there it falls.",
        "Проследил за ручьём в трубу — а там целый водопад.",
    ),
    Text("I have fire, and I carry it with me.", "У меня есть огонь, и он всегда со мной."),
    Text("A stone, a throw, and breakfast is served.", "Один меткий бросок камнем — и завтрак готов."),
    Text("Now it is the pig that ought to be afraid.", "Теперь пусть кабан боится."),
    Text(
        "I wrote it all down. Let them come near enough to fish it out.",
        "Я всё написал. Лишь бы подплыли поближе и выловили.",
    ),
    Text("It burns sky-high. Whoever sails past must see it.", "Горит до неба. Кто проплывёт мимо, обязан увидеть."),
    Text(
        "A sail! She is steering round the island for another look.",
        "Парус! Огибает остров, чтобы взглянуть ещё раз.",
    ),
    Text("Three letters, as tall as I am.", "Три буквы в мой рост."),
    Text("It was him or me.", "Либо он, либо я."),
    Text("It takes the roof, the fire, and nearly me.", "Снесло крышу, задуло костёр и чуть не унесло меня."),
    Text("That was no mirage. It has teeth.", "Это был не мираж. Оно с зубами."),
    Text(
        "They sailed off in a hurry and left this behind. Now I know the way.",
        "Уплыли в спешке, а это забыли. Теперь я не плутаю.",
    ),
    Text("A bottle that is not empty. At last.", "Наконец-то бутылка, и не пустая."),
    Text("I am rich! If I only could spend it.", "Я богат! Было бы где потратить."),
)
