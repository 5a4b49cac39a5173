"""Texts of the map editor, in both languages."""

from __future__ import annotations

from playmill.texts import Text

DRAW = {
    "text": Text("the text", "текст"),
    "wanted": Text("a drawing as the text of its file", "рисунок текстом, как в файле"),
    "alone": Text("one drawing", "один рисунок"),
    "more": Text("And {} more.", "И ещё {}."),
    "row": Text("Row {}", "Ряд {}"),
    "canvas": Text("The canvas", "Поле"),
    "lead": Text(
        "Click or drag to draw; mistakes are told as you go. Then have it played ten thousand times and see who wins.",
        "Рисуйте щелчком или протягиванием; об ошибках сказано сразу. Потом сыграйте десять тысяч партий: кто победит?",
    ),
    "no_script": Text(
        "Without scripts, write your drawing as text below and have it checked.",
        "Без скриптов опишите рисунок ниже текстом и нажмите «Проверить и нарисовать».",
    ),
    "tool": Text("What a click draws", "Что рисует щелчок"),
    "symmetry": Text("Symmetry", "Симметрия"),
    "none": Text("none", "без симметрии"),
    "fill_in": Text("Make all of it symmetric", "Сделать всё симметричным"),
    "players": Text("Players", "Игроков"),
    "undo": Text("Undo", "Отменить"),
    "redo": Text("Redo", "Вернуть"),
    "clear": Text("Clear", "Очистить"),
    "keys": Text(
        "Keys: arrows lead from place to place, Space draws, Ctrl+Z undoes. A second click takes the first one back.",
        "Клавиши: стрелки ведут по полю, пробел рисует, Ctrl+Z отменяет. Второй щелчок стирает нарисованное первым.",
    ),
    "other": Text("Another size, another beginning, a file", "Другой размер, другое начало, файл"),
    "rows": Text("rows", "рядов"),
    "columns": Text("columns", "столбцов"),
    "resize": Text("Change the size", "Изменить размер"),
    "blank": Text("Empty canvas", "Пустое поле"),
    "suggest": Text("Suggest one", "Предложить"),
    "begin_from": Text("Begin from", "Начать с"),
    "open": Text("Open", "Открыть"),
    "file": Text("Open a file", "Открыть файл"),
    "too_long": Text("This file is too large to be a drawing.", "Этот файл слишком велик для рисунка."),
    "known": Text("What is drawn", "Что нарисовано"),
    "begin": Text(
        "Nothing is drawn yet: click a place above, or drag over several.",
        "Пока ничего не нарисовано: щёлкните по полю выше или проведите по нескольким клеткам.",
    ),
    "right": Text("No mistakes: it can be played.", "Ошибок нет: можно играть."),
    "called": Text("Name", "Название"),
    "keep": Text("Keep", "Сохранить"),
    "kept": Text("Kept", "Сохранённые"),
    "take": Text("Take the file", "Взять файл"),
    "further": Text("draw further", "рисовать дальше"),
    "give": Text("take the file", "взять файл"),
    "forget": Text("remove", "удалить"),
    "play": Text("Play on it", "Сыграть на этом поле"),
    "seats": Text("Choose who plays, then play", "Выбрать, кто играет, и играть"),
    "fair": Text("Is it fair?", "Честно ли это?"),
    "fair_about": Text(
        "Equals play it from every seat; the report says how often each seat wins, with its error bars.",
        "Равные играют за всех; отчёт говорит, как часто побеждает каждое место, с погрешностями.",
    ),
    "who": Text("Who plays", "Кто играет"),
    "by": Text("By which rules", "По каким правилам"),
    "as_they_are": Text("the rules as they are", "правила как есть"),
    "compare": Text("Compare with", "Сравнить с"),
    "deals": Text("deals", "раздач"),
    "audit": Text("Is it a good game?", "Хорошая ли это игра?"),
    "all_questions": Text("All other questions", "Все остальные вопросы"),
    "same": Text(
        "these two are the same; compare with something else", "это одно и то же; сравните с чем-нибудь другим"
    ),
    "as_text": Text("As text", "Текстом"),
    "as_text_about": Text(
        "What the file holds; it can be changed here as well, and the command line reads it.",
        "То, что лежит в файле; менять можно и здесь, а командная строка его читает.",
    ),
    "check": Text("Check and draw", "Проверить и нарисовать"),
    "in_words": Text("Row by row, in words", "По рядам, словами"),
    "missing": Text("there is nothing called {}", "здесь нет ничего с именем {}"),
}
#: What the page itself says while somebody draws.
CLIENT = {
    "at": Text("row {0}, column {1}: {2}", "ряд {0}, столбец {1}: {2}"),
    "pinned": Text("{0}, number {1}", "{0}, номер {1}"),
    "many": Text("places changed: {0}", "изменено мест: {0}"),
    "outside": Text(
        "This place has no counterpart under this symmetry: make the canvas larger, or choose another.",
        "У этого места нет пары при такой симметрии: увеличьте поле или выберите другую.",
    ),
    "all_pinned": Text(
        "All of them are placed: click one to take it away.", "Все уже стоят: щёлкните одну, чтобы убрать."
    ),
    "undone": Text("taken back", "отменено"),
    "redone": Text("done again", "возвращено"),
    "away": Text(
        "The server does not answer; the drawing is still here.", "Сервер не отвечает; рисунок остался здесь."
    ),
}
