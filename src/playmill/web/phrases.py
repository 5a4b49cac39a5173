"""Every sentence of the pages, in both languages; those that the client says come with the page as data."""

from __future__ import annotations

from playmill.texts import Text

#: What the templates say.
PAGE = {
    "lead": Text(
        "Choose a game and play: against the computer, or with friends by a link.",
        "Выберите игру и играйте: против компьютера или с друзьями по ссылке.",
    ),
    "games": Text("Games", "Игры"),
    "play": Text("Play", "Играть"),
    "choose": Text("Players, settings", "Игроки, настройки"),
    "your_tables": Text("Your tables", "Ваши столы"),
    "players": Text("Players", "Игроки"),
    "player": Text("Player {}", "Игрок {}"),
    "me": Text("me", "я"),
    "here": Text("somebody else here, at this screen", "кто-то ещё, за этим же экраном"),
    "anybody": Text("anybody with the link", "любой, у кого есть ссылка"),
    "grace": Text("Somebody who is away", "Если кто-то отошёл"),
    "grace_30": Text("is stood in for after 30 s", "через 30 с за него играет компьютер"),
    "grace_60": Text("is stood in for after a minute", "через минуту за него играет компьютер"),
    "grace_300": Text("is stood in for after 5 minutes", "через 5 минут за него играет компьютер"),
    "grace_0": Text("is waited for", "его ждут"),
    "lift": Text("It is me", "Это я"),
    "curtain": Text("Hand the screen on", "Передайте экран"),
    "how_many": Text("How many play?", "Сколько игроков?"),
    "who": Text("Who sits where?", "Кто где сидит?"),
    "your_name": Text("Your name (if you like)", "Ваше имя (если хотите)"),
    "settings": Text("Numbers of the rules to change", "Какие числа правил изменить"),
    "settings_hint": Text(
        "One change a line, path=value; all of them: playmill config {}",
        "По одному изменению в строке, путь=значение; все числа: playmill config {}",
    ),
    "settings_usual": Text(
        "Leave empty to play by the usual rules.", "Оставьте пустым, чтобы играть по обычным правилам."
    ),
    "begin": Text("Sit down and play", "Сесть и играть"),
    "home": Text("All games", "Все игры"),
    "language": Text("Русский", "English"),
    "theme": Text("Light or dark", "Светлая или тёмная тема"),
    "keys": Text("Keys", "Клавиши"),
    "rules": Text("Rules", "Правила"),
    "picture": Text("The table", "Стол"),
    "options": Text("What you can do", "Что можно сделать"),
    "filter": Text("Find a move", "Найти ход"),
    "log": Text("What happened", "Что произошло"),
    "undo": Text("Take back", "Вернуть ход"),
    "speed": Text("Speed", "Скорость"),
    "speed_slow": Text("slow", "медленно"),
    "speed_usual": Text("usual", "обычно"),
    "speed_fast": Text("fast", "быстро"),
    "speed_once": Text("at once", "сразу"),
    "at_table": Text("At the table", "За столом"),
    "again": Text("Play again", "Сыграть ещё"),
    "look_back": Text("Look back", "Посмотреть партию"),
    "counting": Text("The count, line by line", "Подсчёт по строкам"),
    "invite": Text("Link for the others", "Ссылка для остальных"),
    "invite_hint": Text(
        "Whoever opens it can take a free seat or look on.",
        "Кто её откроет, может занять свободное место или смотреть.",
    ),
    "mine": Text(
        "Link to your seat, for another device of yours", "Ссылка на ваше место, для другого вашего устройства"
    ),
    "mine_hint": Text("Do not give it away: it plays for you.", "Никому её не давайте: по ней играют за вас."),
    "copy": Text("Copy", "Скопировать"),
    "remove": Text("Remove this table", "Убрать этот стол"),
    "close": Text("Close", "Закрыть"),
    "no_script": Text(
        "This page needs JavaScript; nothing is loaded from elsewhere.",
        "Странице нужен JavaScript; ничего постороннего она не загружает.",
    ),
    "missing": Text("There is no such page", "Такой страницы нет"),
    "missing_table": Text("There is no such table", "Такого стола нет"),
    "wrong": Text("That did not work", "Не получилось"),
}

#: What the client says.
CLIENT = {
    "your_turn": Text("Your turn", "Ваш ход"),
    "turn_of": Text("{} to move", "Ходит {}"),
    "thinking": Text("{} is thinking", "{} думает"),
    "compiling": Text(
        "The first time its rules are compiled: that can take a minute or two.",
        "В первый раз правила компилируются: это может занять минуту-другую.",
    ),
    "waiting": Text("Waiting for players: give them the link", "Ждём игроков: дайте им ссылку"),
    "ask_ready": Text("Everybody is here. Shall we begin?", "Все за столом. Начинаем?"),
    "wait_ready": Text("Waiting until everybody is ready", "Ждём, пока все будут готовы"),
    "ready": Text("I am ready", "Я готов(а)"),
    "not_ready": Text("Not yet", "Ещё нет"),
    "is_ready": Text("ready", "готов(а)"),
    "next_is": Text("{} is next", "Сейчас ходит {}"),
    "nobody_looks": Text("Nothing is shown until {} takes the screen.", "Пока экран не возьмёт {}, ничего не видно."),
    "stands_in": Text("{} stands in", "пока играет {}"),
    "take_back": Text("Take my seat back", "Вернуть себе место"),
    "stand_in": Text("Let the computer stand in", "Пусть пока играет компьютер"),
    "free_seat": Text("Free the seat", "Освободить место"),
    "sit_too": Text("Somebody else here sits down", "Сюда сядет ещё кто-то за этим экраном"),
    "rename": Text("Rename", "Переименовать"),
    "over": Text("The game is over", "Партия окончена"),
    "you_win": Text("You win!", "Вы победили!"),
    "wins": Text("{} wins", "Побеждает {}"),
    "draw": Text("Nobody wins", "Победителя нет"),
    "connecting": Text("Connecting…", "Соединяемся…"),
    "reconnecting": Text("Connection lost: reconnecting…", "Связь потеряна: восстанавливаем…"),
    "gone": Text("There is no such table any more.", "Этого стола больше нет."),
    "broken": Text("The server did not understand this page: reload it.", "Сервер не понял эту страницу: обновите её."),
    "sending": Text("Your move is on its way…", "Ваш ход отправляется…"),
    "player": Text("Player {}", "Игрок {}"),
    "you": Text("you", "вы"),
    "free": Text("free", "свободно"),
    "sit": Text("Sit down", "Сесть"),
    "leave": Text("Stand up", "Встать"),
    "let_play": Text("Let the computer play", "Посадить компьютер"),
    "here": Text("here", "здесь"),
    "away": Text("away", "нет на месте"),
    "spectators": Text("look on: {}", "зрителей: {}"),
    "narrowed": Text("Choose one of these ({}), or click on", "Выберите один из вариантов ({}) или нажмите дальше"),
    "not_with": Text(
        "Does not go with what you have chosen: a click begins anew with it",
        "Не сочетается с выбранным: нажатие начнёт выбор заново",
    ),
    "choose_first": Text("First choose on the table what it is for", "Сначала выберите на столе, к чему это относится"),
    "not_last": Text(
        "Only the last decision can be taken back, and that was another one",
        "Вернуть можно только последнее решение, а это не оно",
    ),
    "none_fit": Text("No move fits.", "Такого хода нет."),
    "sure": Text("Remove this table for good?", "Убрать этот стол насовсем?"),
    "copied": Text("Copied", "Скопировано"),
    "name": Text("Your name", "Ваше имя"),
}

#: What is told of a seat in the log, after the name of whoever sits there.
NOTES = {
    "sat": Text("sits down", "садится за стол"),
    "left": Text("stands up: the seat is free", "встаёт из-за стола: место свободно"),
    "agent": Text("is played by the computer from now on", "теперь под управлением компьютера"),
    "freed": Text("is a free seat again", "снова свободен: можно сесть"),
    "away": Text("is away: the computer plays for now", "не за столом: пока играет компьютер"),
    "given": Text("lets the computer play for a while", "на время уступает место компьютеру"),
    "back": Text("is back", "снова за столом"),
    "cold": Text(
        "plays by its rule of thumb for now: search is being compiled",
        "пока играет по простому правилу: search компилируется",
    ),
    "warm": Text("thinks with search from now on", "теперь думает с помощью search"),
}

#: The keys, each beside what it does.
KEYS = (
    ("Tab, Shift+Tab", Text("go from thing to thing on the table and the page", "переходить по столу и странице")),
    ("← ↑ ↓ →", Text("go to the nearest thing on the table", "к ближайшей вещи на столе")),
    ("Enter, Space", Text("do what is marked, or choose it", "сделать отмеченное или выбрать его")),
    ("1 … 9", Text("do option 1 … 9 of the list", "сделать вариант 1 … 9 из списка")),
    ("/", Text("find a move by its words", "найти ход по словам")),
    ("Esc", Text("forget what was clicked; close what is open", "отменить выбор; закрыть окно")),
    ("u", Text("take the last decision back", "вернуть последнее решение")),
    ("n", Text("skip to the present position", "сразу к текущей позиции")),
    ("+ −", Text("faster, slower", "быстрее, медленнее")),
    ("r", Text("the rules of the game", "правила игры")),
    ("t", Text("light or dark", "светлая или тёмная тема")),
    ("?", Text("this list", "этот список")),
)
