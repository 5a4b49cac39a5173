"""Texts of the content editor, in both languages."""

from __future__ import annotations

from collections.abc import Callable

from playmill.texts import Lang, Text

MAKING = {
    "title": Text("Make content", "Своё содержание"),
    "lead": Text(
        "Fill in what it does: beside it stands what a player reads, and what it is worth.",
        "Заполните, что это делает: рядом видно, что прочтёт игрок и чего это стоит.",
    ),
    "what": Text("What it is to be", "Что это будет"),
    "begin": Text("Begin with", "Начать с"),
    "begin_nothing": Text("nothing", "чистого листа"),
    "begin_library": Text("{}: from the game", "{}: из самой игры"),
    "begin_kept": Text("kept", "сохранённое"),
    "begin_go": Text("Begin", "Начать"),
    "piece": Text("The piece", "Что это делает"),
    "more": Text("More", "Ещё"),
    "add": Text("+ one more", "+ ещё одно"),
    "drop": Text("Take out", "Убрать"),
    "look": Text("Show", "Показать"),
    "reads": Text("What a player reads", "Что прочтёт игрок"),
    "exactly": Text("Exactly", "В точности"),
    "wrong": Text(
        "Something is not right yet: look at the marked fields.", "Пока не всё верно: посмотрите на отмеченные поля."
    ),
    "worth": Text("What it is worth", "Чего это стоит"),
    "worth_about": Text(
        "How much more often wins whoever has it, while the other does not, on the same luck.",
        "Насколько чаще побеждает тот, у кого это есть, а у другого нет, при одной и той же удаче.",
    ),
    "find_worth": Text("What is it worth?", "Чего это стоит?"),
    "look_again": Text("Look again", "Посмотреть ещё раз"),
    "points_of_100": Text("{} percentage points", "{} п. п."),
    "between": Text("95 %: {} to {}", "95 %: от {} до {}"),
    "uses": Text("uses per game: {}; points per game: {}", "срабатываний за партию: {}; очков за партию: {}"),
    "never": Text(
        "Its condition never held: these agents do not play so that it would.",
        "Условие ни разу не выполнилось: эти агенты так не играют.",
    ),
    "maybe_nothing": Text("It may as well be nothing.", "Возможно, это ничего не даёт."),
    "all_times": Text("{} of them", "{} таких"),
    "after_deals": Text("deals in every seat: {} of {}", "раздач на каждом месте: {} из {}"),
    "waiting_turn": Text("waits for its turn; jobs before it: {}", "ждёт очереди; заданий впереди: {}"),
    "beginning": Text("The first figures come in a moment.", "Первые числа появятся через мгновение."),
    "stopped": Text("Stopped.", "Остановлено."),
    "for_owner": Text(
        "Only the owner of this server has that found out: open the address that playmill serve printed.",
        "Это может узнать только владелец сервера: откройте адрес, который напечатал playmill serve.",
    ),
    "when_right": Text("It comes when nothing is wrong.", "Появится, когда всё будет верно."),
    "report": Text("the report", "отчёт"),
    "by_rules": Text("By which rules", "По каким правилам"),
    "how_many": Text("deals in every seat", "раздач на каждом месте"),
    "then": Text("With it", "Что дальше"),
    "keep_as": Text("Keep as", "Сохранить под именем"),
    "keep_hint": Text("its own name, if left empty", "если пусто — под своим названием"),
    "keep": Text("Keep", "Сохранить"),
    "kept_now": Text("Kept as “{}”.", "Сохранено под именем «{}»."),
    "take": Text("Take the file", "Взять файл"),
    "take_hint": Text("The file is for the command line:", "Файл — для командной строки:"),
    "file_word": Text("FILE", "ФАЙЛ"),
    "who": Text("both sides played by {}", "за обе стороны играет {}"),
    "play": Text("Play with it", "Сыграть с этим"),
    "compare": Text("A match with it and without it", "Партии с этим и без этого"),
    "kept": Text("Kept", "Сохранённое"),
    "change": Text("change it further", "менять дальше"),
    "play_kept": Text("play with it", "сыграть"),
    "give": Text("take the file", "взять файл"),
    "forget": Text("remove", "удалить"),
    "paste": Text("From a file or a language model", "Из файла или от языковой модели"),
    "paste_hint": Text(
        "A content file, or the whole answer of a model: one object with any number of modifiers, items, dice, flags "
        "and kits. All of it is kept if nothing in it is wrong.",
        "Файл содержания или весь ответ модели: один объект, в нём сколько угодно модификаторов, предметов, костей, "
        "флагов и наборов. Сохраняется всё, если нигде нет ошибки.",
    ),
    "import": Text("Keep everything in it", "Сохранить всё"),
    "imported": Text("Kept, {}: {}.", "Сохранено, {}: {}."),
    "not_imported": Text("Nothing was kept: the file has mistakes.", "Ничего не сохранено: в файле есть ошибки."),
    "load": Text("Fill in the first", "Заполнить первое"),
    "too_long": Text("That file is too long.", "Этот файл слишком длинный."),
    "prompt_hint": Text(
        "Copy the prompt, add your wish at its end, and paste the answer here.",
        "Скопируйте запрос, допишите в конце пожелание и вставьте сюда ответ.",
    ),
    "copy": Text("Copy the prompt", "Скопировать запрос"),
    "copied": Text("Copied", "Скопировано"),
    "see_prompt": Text("see it", "посмотреть"),
    "unread": Text("cannot be read", "не читается"),
    "no_worth": Text(
        "It does nothing by itself: keep it, and speak of it in modifiers and items.",
        "Само по себе не действует: сохраните и ссылайтесь на него в модификаторах и предметах.",
    ),
    "match": Text(
        "What is kept can be chosen wherever a match is set up, for either player or the table.",
        "Сохранённое можно выбрать всюду, где готовят партию: любому игроку или на стол.",
    ),
    "to_match": Text("set up a match", "подготовить партию"),
    "with_it": Text("{} for player 1", "{}: у игрока 1"),
    "away": Text(
        "The server does not answer; what you typed is still here.", "Сервер не отвечает; всё набранное на месте."
    ),
}


def making(lang: Lang) -> Callable[..., str]:
    """What a template calls for a sentence, with what stands in it."""
    return lambda key, *args: MAKING[key].of(lang).format(*args)
