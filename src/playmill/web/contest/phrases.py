"""Texts of a contest's site, in both languages."""

from __future__ import annotations

from collections.abc import Callable

from playmill.texts import Lang, Text

CONTEST = {
    "contest": Text("Contest", "Соревнование"),
    "first_page": Text("To the contest", "К соревнованию"),
    "lead": Text(
        "Write a program that plays {}, hand it in, and watch it climb.",
        "Напишите программу, которая играет в «{}», пришлите её и смотрите, как она поднимается.",
    ),
    "ended": Text("The contest is over: this is the final ladder.", "Соревнование окончено: это итоговая лестница."),
    "ending": Text("The contest is over; the final is being played.", "Соревнование окончено; играется финал."),
    "paused": Text("Nothing is taken at the moment.", "Сейчас ничего не принимают."),
    "step_kit": Text("1. Look at the game", "1. Посмотрите игру"),
    "step_kit_about": Text(
        "The rules, a bot that plays already, in seven languages, and a referee for whole games on your machine.",
        "Правила, бот, который уже играет, на семи языках, и судья, который играет целые партии на вашем компьютере.",
    ),
    "rules": Text("The rules", "Правила игры"),
    "kit": Text("Starter kit (zip)", "Набор для начала (zip)"),
    "step_join": Text("2. Choose a name", "2. Выберите имя"),
    "name": Text("Name on the ladder", "Имя на лестнице"),
    "name_about": Text("letters, digits, and - _ . inside", "буквы, цифры и - _ . внутри"),
    "invitation": Text("Invitation", "Приглашение"),
    "register": Text("Register", "Участвовать"),
    "registration_closed": Text("Registration is closed.", "Запись закрыта."),
    "have_token": Text("I have a token", "У меня есть токен"),
    "token": Text("Token", "Токен"),
    "enter": Text("Enter", "Войти"),
    "leave": Text("Leave", "Выйти"),
    "step_hand": Text("3. Hand in", "3. Пришлите бота"),
    "step_hand_about": Text(
        "A zip of the bot's folder, or one file. It is checked at once, then it plays its neighbours on the ladder.",
        "Архив zip с папкой бота или один файл. Он сразу проверяется, потом играет с соседями по лестнице.",
    ),
    "you_are": Text("You are {}", "Вы — {}"),
    "my_page": Text("My page", "Моя страница"),
    "ladder": Text("The ladder", "Лестница"),
    "no_ladder": Text("Nobody is on it yet: be the first.", "Пока никого: станьте первым."),
    "place": Text("place", "место"),
    "rating": Text("rating", "рейтинг"),
    "points": Text("points", "очки"),
    "games": Text("games", "партий"),
    "version": Text("version {}", "версия {}"),
    "house": Text("the contest's own", "от организаторов"),
    "not_settled": Text("not settled", "не определено"),
    "places_about": Text(
        "A place such as 2–4 is not settled yet: between those the games tell no real difference. Ratings with 95 % "
        "intervals.",
        "Место вида 2–4 ещё не определено: между ними настоящей разницы пока не видно. У рейтингов — интервалы 95 %.",
    ),
    "queue": Text("Queue", "Очередь"),
    "queue_now": Text("{} in the queue", "в очереди: {}"),
    "queue_empty": Text("Nothing waits: all that was handed in has played.", "Никто не ждёт: всё присланное сыграно."),
    "queue_about": Text(
        "One after the other, in the order in which they came. Those that wait are checked beforehand.",
        "По одному, в порядке поступления. Пока бот ждёт, его проверяют.",
    ),
    "through_in": Text("through in about {}", "будет готово примерно через {}"),
    "checked_waits": Text("checked, waits to play", "проверен, ждёт игры"),
    "who_beats": Text("Who beats whom", "Кто кого обыгрывает"),
    "beats_about": Text(
        "Points of the row against the column; bold where the difference is real. A cell leads to the games.",
        "Очки строки против столбца; жирно — там, где разница настоящая. Из ячейки можно перейти к партиям.",
    ),
    "your_token": Text("Your token", "Ваш токен"),
    "token_about": Text(
        "Keep it: it is shown once, and whoever has it hands in under your name. This browser remembers it.",
        "Сохраните его: он показан один раз, и с ним можно присылать ботов от вашего имени. Этот браузер его помнит.",
    ),
    "go_on": Text("Go on", "Дальше"),
    "drop": Text("Drop a zip or one file here", "Перетащите сюда zip или один файл"),
    "choose": Text("or choose it", "или выберите его"),
    "kinds": Text(
        "bot.py, bot.js, bot.c, bot.cpp, bot.rs, bot.go or Bot.java, alone or with more files in a zip; at most {} MB.",
        "bot.py, bot.js, bot.c, bot.cpp, bot.rs, bot.go или Bot.java, один или с другими в zip; не больше {} МБ.",
    ),
    "by_command": Text("From a terminal:", "Из терминала:"),
    "sending": Text("sending…", "отправляю…"),
    "no_answer": Text("the server does not answer; try again", "сервер не отвечает; попробуйте ещё раз"),
    "my_versions": Text("My versions", "Мои версии"),
    "ms": Text("ms", "мс"),
    "mb": Text("MB", "МБ"),
    "no_bot": Text("No bot yet? One that plays is in the", "Бота ещё нет? Готовый лежит в"),
    "renews": Text("This page renews itself.", "Эта страница обновляется сама."),
    "without": Text("Without Playmill:", "Без Playmill:"),
    "none_yet": Text("Nothing yet.", "Пока ничего."),
    "report": Text("report", "отчёт"),
    "on_ladder": Text("on the ladder", "на лестнице"),
    "look_at": Text("Games you should look at", "Партии, на которые стоит посмотреть"),
    "look_at_about": Text(
        "Your losses first, and of these the ones against the weakest opponents.",
        "Сначала ваши поражения, и среди них — самым слабым соперникам.",
    ),
    "lost_to": Text("lost to {}", "поражение от {}"),
    "won_against": Text("won against {}", "победа над {}"),
    "tied_with": Text("draw with {}", "ничья с {}"),
    "against": Text("Against {}", "Против {}"),
    "deal_game": Text("deal {}, game {}", "раздача {}, партия {}"),
    "deals": Text("deals: {}", "раздач: {}"),
    "forfeits": Text("games lost by failing: {}", "партий проиграно сбоем: {}"),
    "report_of": Text("Report on version {}", "Отчёт о версии {}"),
    "private": Text("Only you and the organiser can see this page.", "Эту страницу видите только вы и организатор."),
    "the_check": Text("The check", "Проверка"),
    "check_fine": Text(
        "Nothing went wrong in {} games against random choice.", "Проверка прошла без сбоев, партий: {}."
    ),
    "check_failed": Text("Failed in {} of {} games:", "Сбоев: {}, партий: {}:"),
    "not_checked": Text("It has not been checked yet.", "Проверки ещё не было."),
    "build": Text("What the compiler said", "Что сказал компилятор"),
    "build_silent": Text("Nothing: it compiled.", "Ничего: всё скомпилировалось."),
    "used": Text("What it used", "Сколько он тратит"),
    "answers": Text("answers", "ответов"),
    "mean_answer": Text("an answer on average", "ответ в среднем"),
    "worst_answer": Text("the slowest answer", "самый долгий ответ"),
    "worst_start": Text("the slowest start", "самый долгий запуск"),
    "memory": Text("memory at most", "памяти не больше"),
    "of_limit": Text("of {}", "из {}"),
    "the_tables": Text("Its tables", "Её столы"),
    "went_wrong": Text("What went wrong", "Что пошло не так"),
    "stderr": Text("What it wrote to stderr", "Что она писала в stderr"),
    "in_check": Text("in the check", "на проверке"),
    "tables_of": Text("Tables of {}", "Столы: {}"),
    "no_games": Text("No games of it were kept.", "Партий не сохранилось."),
    "watch": Text("watch", "смотреть"),
    "all_tables": Text("all tables", "все столы"),
    "organiser": Text("Organiser", "Организатор"),
    "not_organiser": Text(
        "This page is the organiser's: open the address that playmill contest --serve printed.",
        "Это страница организатора: откройте адрес, который напечатала команда playmill contest --serve.",
    ),
    "registration": Text("Registration", "Запись участников"),
    "open": Text("open", "открыта"),
    "by_invitation": Text("by invitation", "по приглашениям"),
    "closed": Text("closed", "закрыта"),
    "handing": Text("Handing in", "Приём ботов"),
    "take": Text("taken", "принимают"),
    "take_none": Text("not taken", "не принимают"),
    "save": Text("Save", "Сохранить"),
    "invitations": Text("Invitations", "Приглашения"),
    "invitations_made": Text("made: {}, used: {}", "создано: {}, использовано: {}"),
    "make": Text("Make", "Создать"),
    "told_once": Text("They are shown once:", "Они показаны один раз:"),
    "entrants": Text("Entrants", "Участники"),
    "disqualify": Text("disqualify", "дисквалифицировать"),
    "readmit": Text("take back", "вернуть"),
    "disqualified": Text("disqualified", "дисквалифицирован"),
    "new_token": Text("new token", "новый токен"),
    "new_token_for": Text("The new token of {}, shown once:", "Новый токен участника {}, показан один раз:"),
    "replay": Text("Replay everything", "Переиграть всё"),
    "replay_about": Text(
        "With the game as it lies on disk now, on new deals. The last good version of everybody and whatever waits is "
        "checked and played again; what was before stays on disk.",
        "Игрой, какая сейчас лежит на диске, на новых раздачах. Последняя годная версия каждого и всё, что ждёт, "
        "проверяется и играется заново; прежнее остаётся на диске.",
    ),
    "finish": Text("End the contest", "Закончить соревнование"),
    "finish_about": Text(
        "Nothing is taken any more; whoever handed in several versions plays a final on new deals; the seed is "
        "published. It cannot be undone.",
        "Больше ничего не принимают; у кого было несколько версий, играют финал на новых раздачах; сид публикуется. "
        "Отменить это нельзя.",
    ),
    "sure": Text("I am sure", "Я не передумаю"),
    "export": Text("Take away", "Забрать"),
    "export_site": Text("a site that needs no server (zip)", "сайт, которому не нужен сервер (zip)"),
    "player": Text("The player", "Играющий процесс"),
    "player_runs": Text("at work, process {}", "работает, процесс {}"),
    "player_ended": Text("has ended: all is played", "закончил: всё сыграно"),
    "player_failed": Text("not running: {}", "не работает: {}"),
    "edition": Text("edition {}", "издание {}"),
    "back": Text("back", "назад"),
    "disk": Text("uploads: {} MB of {}", "присланное: {} МБ из {}"),
}


def saying(lang: Lang) -> Callable[..., str]:
    """Returns a function that gives these texts in a language, with values filled in."""

    def say(key: str, *args: object) -> str:
        return CONTEST[key].of(lang).format(*args)

    return say


def duration(seconds: float, lang: Lang) -> str:
    """Returns a time as people say it."""
    for size, text in ((5400, Text("{} h", "{} ч")), (90, Text("{} min", "{} мин"))):
        if seconds >= size:
            return text.of(lang).format(round(seconds / (3600 if size == 5400 else 60)))
    return Text("{} s", "{} с").of(lang).format(max(1, round(seconds)))
