"""Texts of the laboratory's pages, in both languages."""

from __future__ import annotations

from collections.abc import Callable

from playmill.report.number_format import decimal
from playmill.texts import Lang, Text

LAB = {
    "lab": Text("Laboratory", "Лаборатория"),
    "lead": Text(
        "Change a number of the rules, play the game a hundred thousand times, and know whether it helped.",
        "Поменяйте число в правилах, сыграйте партию сто тысяч раз и узнайте, стало ли лучше.",
    ),
    "draw": Text("{}: draw your own", "{}: нарисовать"),
    "choose_game": Text("Which game?", "Какая игра?"),
    "works": Text("Asked for", "Задания"),
    "none_yet": Text("Nothing yet: choose a game above.", "Пока ничего: выберите игру выше."),
    "not_owner": Text(
        "Only the owner of this server can start work here: open the address that playmill serve printed.",
        "Начинать работу здесь может только владелец сервера: откройте адрес, который напечатал playmill serve.",
    ),
    "question": Text("What do you want to know?", "Что вы хотите узнать?"),
    "simulate": Text("How does it play?", "Как она играется?"),
    "simulate_about": Text(
        "Plays many games and shows the whole report, every figure with its error bars.",
        "Играет много партий и показывает весь отчёт: у каждого числа — его погрешность.",
    ),
    "compare": Text("What does my change do?", "Что даёт моё изменение?"),
    "compare_about": Text(
        "Plays your rules and the others on the same luck and says which differences are real.",
        "Играет по вашим и по прежним правилам на одной и той же удаче и говорит, какие отличия настоящие.",
    ),
    "sweep": Text("What if I try a whole range?", "Что, если перебрать значения?"),
    "sweep_about": Text(
        "Plays every value of one number and draws what becomes of the figures.",
        "Играет с каждым значением одного числа и рисует, как меняются показатели.",
    ),
    "tune": Text("Which numbers are right?", "Какие числа подойдут?"),
    "tune_about": Text(
        "Looks for the numbers with which the game does what you want, and proves them on fresh games.",
        "Ищет числа, с которыми игра делает то, что вам нужно, и проверяет их на новых партиях.",
    ),
    "audit": Text("Is it a good game?", "Хорошая ли это игра?"),
    "audit_about": Text(
        "Fair? Skill or luck? Exciting, and until when? Real choices? One page with what to look at first.",
        "Честна? Умение или удача? Интересна, и до каких пор? Есть ли выбор? Одна страница: что смотреть сначала.",
    ),
    "tournament": Text("Who plays best?", "Кто играет лучше?"),
    "tournament_about": Text(
        "Everybody plays everybody, every deal from every seat; a ladder that says which places are settled.",
        "Все играют со всеми, каждую раздачу с каждого места; лестница говорит, какие места уже определены.",
    ),
    "sure": Text("Is it so? Play until sure", "Так ли это? Играть, пока не станет ясно"),
    "sure_about": Text(
        "One question, played until it is settled and no longer; you see how what is known gets narrower.",
        "Один вопрос: играется ровно столько, сколько нужно для ответа; видно, как сужается то, что известно.",
    ),
    "sure_figure": Text("About what", "О чём"),
    "sure_held": Text("The question", "Вопрос"),
    "held_fair": Text("is it fair?", "честно ли это?"),
    "held_number": Text("is it this number?", "равно ли оно этому числу?"),
    "held_known": Text("how much is it?", "сколько это?"),
    "held_compare": Text("is it other by my rules?", "другое ли оно по моим правилам?"),
    "sure_near": Text("This number", "Это число"),
    "sure_within": Text("A difference that does not matter: ±", "Разница, которая не важна: ±"),
    "sure_unit": Text(
        "in percent, where the figure is; may be empty", "в процентах, если показатель в них; можно пусто"
    ),
    "most_deals_of": Text("deals at most", "раздач, не больше"),
    "worth": Text("What is it worth?", "Чего это стоит?"),
    "content": Text("Make content of your own", "Сделать своё содержание"),
    "ask": Text("Find out", "Узнать"),
    "games_of": Text("games", "партий"),
    "deals_of": Text("deals, each from every seat", "раздач, каждая со всех мест"),
    "table_deals_of": Text("deals of every table, each from every seat", "раздач за столом, каждая со всех мест"),
    "minutes_of": Text("minutes", "минут"),
    "trials_of": Text("settings tried", "испытаний"),
    "against": Text("Compared with", "Сравнить с"),
    "as_they_are": Text("the rules as they are", "правилами как есть"),
    "over": Text("Which number", "Какое число"),
    "from": Text("from", "от"),
    "to": Text("to", "до"),
    "step": Text("step", "шаг"),
    "show": Text("What to look at", "На что смотреть"),
    "free": Text("What may change, one a line: path:from..to", "Что можно менять, по одному в строке: путь:от..до"),
    "free_add": Text("add", "добавить"),
    "goal": Text("What you want", "Чего вы хотите"),
    "should_be": Text("should be", "должно быть"),
    "entrants": Text("Who takes part", "Кто участвует"),
    "who_plays": Text("Who plays", "Кто играет"),
    "among_whom": Text("Among whom?", "Среди кого?"),
    "among_agents": Text("these agents", "этих агентов"),
    "among_levels": Text("beginners, good players and experts", "новичков, хороших игроков и мастеров"),
    "at_levels": Text("among beginners, good players and experts", "среди новичков, хороших игроков и мастеров"),
    "levels_about": Text(
        "The question is asked at each level, and the answers stand side by side: what turns over between them comes"
        " first. Slow levels play fewer games.",
        "Вопрос задаётся на каждом уровне, ответы стоят рядом: сначала то, что между ними переворачивается."
        " Медленные уровни играют меньше партий.",
    ),
    "minutes_in_all": Text("minutes in all, about", "минут на всё, примерно"),
    "where": Text("Where it is played", "Где играть"),
    "where_threads": Text("the cores of this machine", "ядра этой машины"),
    "where_cuda": Text("its GPU", "её видеокарта"),
    "where_cluster": Text("the cluster {}", "кластер {}"),
    "rotate": Text("every deal from every seat", "каждая раздача со всех мест"),
    "rules_now": Text("The rules", "Правила"),
    "keep_as": Text("Keep these rules as", "Сохранить эти правила под именем"),
    "keep": Text("Keep", "Сохранить"),
    "kept_rules": Text("Rules with a name", "Сохранённые правила"),
    "kept_now": Text("Kept as “{}”.", "Сохранено под именем «{}»."),
    "kept_over": Text(
        "Kept as “{}”, in place of what was called so.", "Сохранено под именем «{}» вместо того, что так называлось."
    ),
    "use": Text("change them further", "менять дальше"),
    "play_by": Text("play by them", "сыграть по ним"),
    "give": Text("take the file", "взять файл"),
    "forget": Text("remove", "удалить"),
    "sure_forget": Text("Remove “{}”?", "Удалить «{}»?"),
    "state_waiting": Text("waits", "ждёт очереди"),
    "state_running": Text("is under way", "идёт"),
    "state_stopped": Text("stopped", "остановлено"),
    "state_done": Text("done", "готово"),
    "state_failed": Text("could not be done", "не получилось"),
    "before": Text("jobs before this one: {}", "заданий перед этим: {}"),
    "stop": Text("Stop", "Остановить"),
    "go_on": Text("Go on", "Продолжить"),
    "begin_anew": Text("Try again", "Попробовать ещё раз"),
    "remove": Text("Remove", "Удалить"),
    "sure_remove": Text("Remove it with its report?", "Удалить вместе с отчётом?"),
    "change": Text("Change something", "Поменять что-нибудь"),
    "contest": Text("Contest", "Соревнование"),
    "contests": Text("Contests", "Соревнования"),
    "submissions": Text("Handed in", "Заявки"),
    "version": Text("version {}", "версия {}"),
    "beats": Text(
        "Points of the row against the column; click a cell for the games of these two. Green and red are sure.",
        "Очки строки против столбца; щёлкните по клетке, и увидите партии этой пары. Зелёное и красное — наверняка.",
    ),
    "ladder": Text("The ladder", "Лестница"),
    "place": Text("place", "место"),
    "rating": Text("rating", "рейтинг"),
    "points": Text("points", "очки"),
    "places_about": Text(
        "Places that are not settled yet are told from the best to the worst; in brackets 95 % intervals.",
        "Если место ещё не определено, названы лучшее и худшее; в скобках — интервалы 95 %.",
    ),
    "who_beats": Text("Who takes how much from whom", "Кто у кого сколько берёт"),
    "the_check": Text("The check when it was handed in", "Проверка при подаче заявки"),
    "house": Text("an agent of the house", "агент самого соревнования"),
    "whole_ladder": Text("The whole ladder", "Вся лестница"),
    "no_ladder": Text("Nobody is on the ladder yet.", "На лестнице пока никого нет."),
    "against_whom": Text("Against {}", "Против {}"),
    "all_tables": Text("all tables", "все столы"),
    "deals_played": Text("deals: {}", "раздач: {}"),
    "failed_games": Text("games in which it failed: {}", "партий со сбоем: {}"),
    "went_wrong": Text("What went wrong", "Что пошло не так"),
    "deal_game": Text("deal {}, game {}: {}", "раздача {}, партия {}: {}"),
    "watch_game": Text("game {}", "партия {}"),
    "games_kept": Text("Games to watch", "Партии, которые можно посмотреть"),
    "no_games": Text("No games of this table are kept.", "Партии этого стола не сохранены."),
    "take_table": Text("This table as CSV", "Эта таблица в CSV"),
    "questions_below": Text("What do you want to know? ↓", "Что вы хотите узнать? ↓"),
    "results": Text("All figures (JSON)", "Все числа (JSON)"),
    "found_config": Text("Rules that were found", "Найденные правила"),
    "smallest_config": Text("The smallest change", "Наименьшее изменение"),
    "go_on_with": Text("(change them further)", "(менять дальше)"),
    "away": Text(
        "The server does not answer. What has been played is kept; this page goes on when it is back.",
        "Сервер не отвечает. Сыгранное сохранено; страница продолжит, как только он вернётся.",
    ),
    "not_yet": Text("The first figures come in a moment.", "Первые числа появятся через мгновение."),
    "interim": Text(
        "Not finished: figures still move, and their bars get narrower.",
        "Ещё не всё: числа меняются, а их погрешности сужаются.",
    ),
    "by_rules": Text("by the rules as they are", "по правилам как есть"),
    "for_players": Text("players: {}", "игроков: {}"),
    "resume": Text("A kept run goes on", "Прогон продолжается"),
    "runs": Text("Kept runs", "Сохранённые прогоны"),
    "runs_about": Text(
        "Every run that is kept in this home, asked for here or on a command line (playmill simulate --keep).",
        "Все прогоны, которые здесь хранятся: заданные на этой странице или командой playmill simulate --keep.",
    ),
    "no_runs": Text("None yet.", "Пока ни одного."),
    "all_runs": Text("show {} more", "показать ещё {}"),
    "run": Text("Run {}", "Прогон {}"),
    "two_runs": Text("{} against {}", "{} против {}"),
    "from_page": Text("asked for here", "задан здесь"),
    "from_line": Text("from the command line", "из командной строки"),
    "games_played": Text("{} games", "партий: {}"),
    "games_of_all": Text("{} of {} games", "партий: {} из {}"),
    "seed_of": Text("seed {}", "сид {}"),
    "every_seat": Text("from every seat", "со всех мест"),
    "run_whole": Text("complete", "завершён"),
    "run_part": Text("not finished", "не завершён"),
    "run_bad": Text("cannot be read", "не читается"),
    "compare_two": Text("Compare the two that are ticked", "Сравнить два отмеченных"),
    "tick": Text("tick {}", "отметить {}"),
    "tick_two": Text(
        "Tick two runs of one game to compare them.", "Отметьте два прогона одной игры, чтобы сравнить их."
    ),
    "compare_with": Text("Compare with", "Сравнить с"),
    "compare_now": Text("Compare", "Сравнить"),
    "play_to": Text("Games in all", "Всего партий"),
    "play_on": Text("Play on", "Играть дальше"),
    "check_run": Text("Check its files", "Проверить файлы"),
    "check_about": Text(
        "reads every file, and plays again what is missing or damaged",
        "читает все файлы и играет заново то, чего нет или что повреждено",
    ),
    "being_played": Text("it is being played:", "его сейчас играют:"),
    "see_work": Text("see how far", "как идёт"),
    "sure_run": Text(
        "Remove run {} from the disk, with all its games?", "Удалить прогон {} с диска со всеми партиями?"
    ),
    "its_run": Text("The kept run", "Сохранённый прогон"),
    "copy_link": Text("Copy the link", "Скопировать ссылку"),
    "copied": Text("copied", "скопировано"),
    "share": Text(
        "Whoever can open this server sees this page by its address.",
        "По этому адресу страницу увидит всякий, кому открыт этот сервер.",
    ),
}


def saying(lang: Lang) -> Callable[..., str]:
    """What a template calls for a sentence, with what stands in it."""
    return lambda key, *args: LAB[key].of(lang).format(*args)


def counting(lang: Lang) -> Callable[[int], str]:
    """What a template calls for a number of games."""
    return lambda number: decimal(number, 0, lang)
