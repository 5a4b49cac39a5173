"""Texts of the replay pages, in both languages."""

from __future__ import annotations

from playmill.texts import Text

#: What the templates say.
WATCH_PAGE = {
    "watch": Text("Watch a recorded game", "Посмотреть запись партии"),
    "drop": Text("Drop a replay here", "Перетащите сюда файл с записью"),
    "or_choose": Text("or choose the file", "или выберите файл"),
    "drop_hint": Text(
        "A file that playmill record or the page of a finished game has written.",
        "Файл, который записала команда playmill record или страница оконченной партии.",
    ),
    "file": Text("this file", "этот файл"),
    "position": Text("Position", "Позиция"),
    "first": Text("To the start", "К началу"),
    "last": Text("To the end", "К концу"),
    "back": Text("One step back", "На шаг назад"),
    "on": Text("One step on", "На шаг вперёд"),
    "turn_back": Text("To the turn before", "К предыдущему ходу"),
    "turn_on": Text("To the next turn", "К следующему ходу"),
    "play": Text("Play or pause", "Пуск или пауза"),
    "eyes": Text("Seen by", "Кто смотрит"),
    "chances": Text("Chance to win", "Шансы на победу"),
    "chances_hint": Text(
        "The position was played on to the end many times by an agent of the game, one decision in ten at random; the"
        " band holds in 95 of 100 cases. What nobody can know at that moment is dealt anew each time.",
        "Позицию много раз доиграли до конца агентом этой игры, каждое десятое решение — наугад; полоса верна в 95"
        " случаях из 100. Что в этот момент никому не известно, каждый раз раздаётся заново.",
    ),
    "moments": Text("What changed it most", "Что изменило шансы сильнее всего"),
    "analysis": Text("What the expert would have done", "Что сделал бы мастер"),
    "analysis_hint": Text(
        "At each decision the strongest agent of the game thinks with what the player could know there. What it chooses"
        " and what was done are then played on to the end, many times and on the same luck: the difference is the cost,"
        " with an interval that holds in 95 of 100 cases. What looks worst is measured once more on other luck, and"
        " listed only if it is sure.",
        "В каждом решении сильнейший агент игры думает, зная то, что мог знать игрок. Его выбор и то, что было сделано,"
        " затем много раз доигрываются до конца на одной и той же удаче: разница и есть цена, с интервалом, верным в 95"
        " случаях из 100. Что выглядит хуже всего, измеряется ещё раз на другой удаче и попадает в список, только если"
        " это точно.",
    ),
    "mistakes": Text("What cost most", "Что обошлось дороже всего"),
    "link": Text("Copy a link to this position", "Скопировать ссылку на эту позицию"),
    "download": Text("Save as a replay file", "Сохранить запись партии"),
    "table": Text("To the table", "К столу"),
    "another": Text("Another replay", "Другая запись"),
    "whole": Text("The whole position", "Вся позиция"),
}

#: What the client says.
WATCH = {
    "everybody": Text("everybody", "все"),
    "open": Text("all open", "всё открыто"),
    "start": Text("The start", "Начало"),
    "live": Text("live", "идёт сейчас"),
    "success": Text("success", "успех"),
    "busy": Text(
        "Many games wait to be worked out: this one begins later.", "Много партий в очереди: эта начнётся позже."
    ),
    "enough": Text(
        "The other games you look at are worked out first: this one begins after them.",
        "Сначала вычисляются шансы других партий, которые вы смотрите: эта начнётся после них.",
    ),
    "working": Text(
        "The chances are being worked out; the first time the rules are compiled, which may take a minute or two.",
        "Шансы вычисляются; в первый раз правила компилируются, это минута-другая.",
    ),
    "later": Text("The chances are shown once the game is over.", "Шансы будут показаны, когда партия окончится."),
    "failed": Text("The chances could not be worked out.", "Шансы вычислить не удалось."),
    "by": Text("{0} play-outs of each position by {1}", "Доигрываний каждой позиции: {0}, агент {1}"),
    "no_moments": Text(
        "No single move changed the chances by more than the noise of measuring them.",
        "Ни один ход не изменил шансы больше, чем на погрешность измерения.",
    ),
    "analysing": Text("The decisions are being analysed: {} %", "Решения разбираются: {} %"),
    "expert_same": Text("The expert would have done the same.", "Мастер сделал бы то же самое."),
    "expert_other": Text("The expert: {0}. Cost: {1}.", "Мастер: {0}. Цена: {1}."),
    "expert_alike": Text(
        "The expert: {0}, which is no better beyond the noise of measuring: {1}.",
        "Мастер: {0}; это лучше не больше, чем на погрешность измерения: {1}.",
    ),
    "expert_sure": Text("{} % sure", "уверенность {} %"),
    "expert_glance": Text("without thinking: {}", "не думая: {}"),
    "cost_chance": Text("{0} pp ({1} … {2})", "{0} п. п. ({1} … {2})"),
    "cost_paid": Text("{0} ({1} … {2}) a game", "{0} ({1} … {2}) за партию"),
    "no_mistakes": Text("No decision surely cost anything.", "Ни одно решение точно ничего не стоило."),
    "by_expert": Text("{0} by {1}; {2} play-outs of each choice", "{0}: {1}; доигрываний каждого выбора: {2}"),
    "expert": Text("Expert", "Мастер"),
    "decisions": Text("decisions", "решений"),
    "as_expert": Text("as the expert", "как мастер"),
    "cost_each": Text("lost a decision, on average", "потеряно за решение, в среднем"),
    "never_differed": Text("never differed", "ни разу иначе"),
    "move": Text("move {}", "ход {}"),
    "moves": Text("moves {0}–{1}", "ходы {0}–{1}"),
    "changed": Text("{0}: chance {1} pp ({2} … {3})", "{0}: шансы {1} п. п. ({2} … {3})"),
    "not_read": Text("That file could not be read.", "Этот файл не удалось прочитать."),
    "too_large": Text("That file is too large for a replay.", "Этот файл слишком велик для записи партии."),
    "no_answer": Text("The server does not answer.", "Сервер не отвечает."),
    "checking": Text("Playing it through…", "Проигрываю…"),
}

#: The keys, each beside what it does.
WATCH_KEYS = (
    ("←, →", Text("one step back, one step on", "на шаг назад, на шаг вперёд")),
    ("↑, ↓", Text("to the turn before, to the next turn", "к предыдущему ходу, к следующему")),
    ("Home, End", Text("to the start, to the end", "к началу, к концу")),
    ("Space", Text("play, pause", "пуск, пауза")),
    ("1 … 9", Text("to that tenth of the game", "к этой десятой части партии")),
    ("m", Text("to the next moment that changed much", "к следующему важному моменту")),
    ("e", Text("to the next decision that cost much", "к следующему решению, которое дорого обошлось")),
    ("f", Text("see it with other eyes", "смотреть другими глазами")),
    ("+ −", Text("faster, slower", "быстрее, медленнее")),
    ("r", Text("the rules of the game", "правила игры")),
    ("t", Text("light or dark", "светлая или тёмная тема")),
    ("?", Text("this list", "этот список")),
)
