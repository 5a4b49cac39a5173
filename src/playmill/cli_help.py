"""What `playmill --help` says, in both languages."""

from __future__ import annotations

from playmill.texts import Text

HELP = {
    "about": Text(
        "A laboratory for tabletop games: play a game a hundred million times and see what is unfair.",
        "Лаборатория настольных игр: сыграйте в игру сто миллионов раз и увидьте, что в ней нечестно.",
    ),
    "games": Text("list the games", "список игр"),
    "config": Text("print the rule numbers of a game as JSON", "числа правил игры в виде JSON"),
    "schema": Text("print the JSON Schema of the config instead", "вместо этого — JSON Schema конфига"),
    "agents": Text("list the agents of a game and their parameters", "агенты игры и их параметры"),
    "show": Text("tell one game move by move", "одна партия, ход за ходом"),
    "simulate": Text("play many games and report with error bars", "сыграть много партий и показать отчёт"),
    "record": Text("play one game and write it to a file", "сыграть одну партию и записать её в файл"),
    "record_out": Text("where to (default: GAME-SEED-NUMBER.json)", "куда (по умолчанию ИГРА-СИД-НОМЕР.json)"),
    "replay": Text(
        "play a recorded game again, check every move, tell it or draw it",
        "сыграть записанную партию снова, проверить каждый ход, рассказать или нарисовать",
    ),
    "replay_file": Text("a file written by playmill record", "файл, записанный playmill record"),
    "replay_game": Text(
        "the folder of a game of your own; a replay never says where code is to be loaded from",
        "папка своей игры; сама запись не решает, откуда загружать код",
    ),
    "gif": Text("write a moving picture", "записать движущуюся картинку"),
    "svg": Text("write a strip of pictures", "записать ленту картинок"),
    "check": Text("check that a game keeps the engine's contract", "проверить, что игра выполняет договор движка"),
    "content": Text(
        "modifiers, items and the like of a game as data: list, schema, checker",
        "модификаторы, предметы и прочее содержание игры: список, схема, проверка",
    ),
    "content_schema": Text("print the JSON Schema of a content file", "напечатать JSON Schema файла содержания"),
    "content_check": Text("check these files and tell every mistake", "проверить файлы и назвать каждую ошибку"),
    "content_list": Text("list all content (the default)", "список содержания (по умолчанию)"),
    "content_files": Text("more content from these files", "ещё содержание из этих файлов"),
    "worth": Text(
        "what each piece of content is worth: the change in win rate for the side that has it",
        "чего стоит каждая единица содержания: изменение доли побед той стороны, у которой она есть",
    ),
    "deals": Text("deals for each piece and seat", "раздач на каждую единицу и место"),
    "only": Text("try only these ids", "испытать только эти id"),
    "worth_csv": Text("write one row for each piece tried", "записать по строке на каждую единицу"),
    "worth_agents": Text("who plays (the game's choice by default)", "кто играет (по умолчанию выбирает игра)"),
    "map": Text(
        "maps of a game: list and draw them, check map files, make new ones",
        "карты игры: список и рисунок, проверка файлов, генератор",
    ),
    "boards": Text(
        "print the boards whenever they change, with what changed marked",
        "печатать поля всякий раз, когда они меняются, и отмечать, что изменилось",
    ),
    "step": Text(
        "the same, one action at a time: Enter goes on, q stops",
        "то же, по одному действию: Enter — дальше, q — стоп",
    ),
    "map_show": Text("draw a built-in map or a map file", "нарисовать встроенную карту или карту из файла"),
    "map_check": Text("check these map files and tell every mistake", "проверить файлы карт и назвать каждую ошибку"),
    "map_schema": Text("print the JSON Schema of a map file", "напечатать JSON Schema файла карты"),
    "map_size": Text("make a map in a rectangle of this size", "сделать карту в прямоугольнике такого размера"),
    "map_holes": Text("share of holes: 10% or 0.1 (10% by default)", "доля дыр: 10% или 0.1 (по умолчанию 10%)"),
    "map_strong": Text(
        "share of strong cells: 25% or 0.25 (25% by default)", "доля сильных клеток: 25% или 0.25 (по умолчанию 25%)"
    ),
    "map_symmetric": Text(
        "alike for 2, for 3, or for 2, 3 and 6 players (0, free, by default)",
        "одинаково для 2, для 3 или для 2, 3 и 6 игроков (по умолчанию 0 — как угодно)",
    ),
    "map_players": Text(
        "write starts for this number of players only; with --show, draw them",
        "записать старты только для стольких игроков; вместе с --show — нарисовать их",
    ),
    "map_seed": Text("the same seed gives the same map (0 by default)", "с тем же сидом карта та же (по умолчанию 0)"),
    "map_name": Text("what the map is called", "как назвать карту"),
    "map_out": Text("write the map to a file (printed by default)", "записать карту в файл (по умолчанию печатается)"),
    "bench": Text("measure the speed of games and agents", "измерить скорость игр и агентов"),
    "game": Text("name of the game (see: playmill games)", "имя игры (см. playmill games)"),
    "lang": Text("language of texts: en or ru", "язык текстов: en или ru"),
    "players": Text("number of players", "число игроков"),
    "number": Text("how many games", "сколько партий"),
    "which": Text("which game of the run, counted from 0", "какая партия прогона, считая с 0"),
    "sizes": Text(
        "number of players; several of them: their reports side by side",
        "число игроков; если чисел несколько — отчёты рядом",
    ),
    "seed": Text("the run's seed: the same seed gives the same games", "сид: с одним и тем же партии повторяются"),
    "who": Text(
        "one agent for all seats, or one for each: NAME, NAME:key=value,… or FILE.py",
        "один агент на все места или по одному на каждое: ИМЯ, ИМЯ:ключ=значение,… или ФАЙЛ.py",
    ),
    "file": Text("JSON file with the game's config", "файл JSON с конфигом игры"),
    "set": Text("change numbers of the config: path=value", "изменить числа конфига: путь=значение"),
    "workers": Text("threads (all cores by default)", "потоки (по умолчанию все ядра)"),
    "backend": Text("where the games are played", "на чём играть"),
    "strict": Text("an agent's invalid answer is an error", "недопустимый ответ агента — ошибка"),
    "out": Text("write the results as JSON", "записать результаты в JSON"),
    "csv": Text("write one row a game and seat", "записать по строке на партию и место"),
    "html": Text("write a page that opens without a network", "записать страницу, открывается без сети"),
    "trace": Text("also tell the first N games move by move", "рассказать первые N партий ход за ходом"),
    "trace_out": Text(
        "where to (default: beside --out, else the terminal)", "куда (по умолчанию рядом с --out, иначе в терминал)"
    ),
    "fallbacks": Text(
        "write every answer of an agent that could not be used: CSV if the name ends so, else JSON lines",
        "записать каждый негодный ответ агента: CSV, если имя так оканчивается, иначе строки JSON",
    ),
    "quiet": Text("print nothing but errors", "печатать только ошибки"),
    "bench_games": Text("only these games", "только эти игры"),
    "seconds": Text("seconds for each measurement", "секунд на каждое измерение"),
}
