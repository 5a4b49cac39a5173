"""What the referee of a starter kit says."""

from __future__ import annotations

from playmill.texts import Lang, Text

_PHRASES = {
    "late": Text(
        "no answer within {:g} s: does it flush what it writes?",
        "нет ответа за {:g} с: сбрасывает ли бот буфер вывода?",
    ),
    "ended": Text(
        "has ended with status {}",
        "завершился с кодом {}",
    ),
    "no_json": Text(
        "wrote {!r}, which is no JSON object",
        "написал {!r} — это не объект JSON",
    ),
    "no_ready": Text(
        "answered hello with {}; expected a message of type ready",
        "на hello ответил {}; нужно сообщение типа ready",
    ),
    "no_number": Text(
        "answered question {} with {}; expected type answer and that number",
        "на вопрос {} ответил {}; нужен тип answer и этот номер",
    ),
    "no_index": Text(
        "answered question {} with index {}; there are options 0 to {}",
        "на вопрос {} ответил index {}; варианты — от 0 до {}",
    ),
    "no_list": Text(
        "this game takes an index, not a list",
        "этой игре нужен index, а не list",
    ),
    "no_start": Text(
        "cannot be started: {}",
        "не запускается: {}",
    ),
    "failed": Text(
        "game {}, deal {}: {} FAILED: {}",
        "партия {}, раздача {}: СБОЙ {}: {}",
    ),
    "game": Text(
        "game {}, deal {}, {} in seat {}: {}  ({})",
        "партия {}, раздача {}, {} на месте {}: {}  ({})",
    ),
    "won": Text(
        "won",
        "победа",
    ),
    "lost": Text(
        "lost",
        "поражение",
    ),
    "drawn": Text(
        "drawn",
        "ничья",
    ),
    "points": Text(
        "played",
        "сыграна",
    ),
    "summary": Text(
        "{}: won {}, drawn {}, lost {} of {} games; failed in {}",
        "{}: побед {}, ничьих {}, поражений {} — из {} партий; сбоев: {}",
    ),
    "alone": Text(
        "{}: {:g} on average in {} games; failed in {}",
        "{}: в среднем {:g} за партий: {}; сбоев: {}",
    ),
    "answers": Text(
        "  {} answers: {:.2f} ms on average, {:.1f} ms the slowest; {:g} s are allowed",
        "  ответов: {}; в среднем {:.2f} мс, самый долгий {:.1f} мс; предел — {:g} с",
    ),
    "seed": Text(
        "seed {}",
        "сид {}",
    ),
    "saved": Text(
        "all moves are in {}",
        "все ходы — в файле {}",
    ),
    "ready": Text(
        "ready",
        "готов",
    ),
    "not_ready": Text(
        "not ready",
        "не готов",
    ),
    "recorded": Text(
        "{} recorded games: this kit has no rules, so it checks the protocol and the time of a bot alone",
        "записанных партий: {}; правил в наборе нет, проверяются только протокол и время",
    ),
    "name": Text(
        "name a bot: python3 referee.py python/bot.py",
        "назовите бота: python3 referee.py python/bot.py",
    ),
    "many": Text(
        "{} players sit at a table: name at most {} by --against",
        "за столом играют {}: в --against можно назвать не больше {}",
    ),
    "no_bot": Text(
        "{} has none of bot.toml, bot.py, bot.js, bot; say what starts it: python3 referee.py java -cp classes Bot",
        "в {} нет ни bot.toml, ни bot.py, ни bot.js, ни bot; скажите, чем его запускать: python3 referee.py "
        "java -cp classes Bot",
    ),
    "same": Text(
        "the rules give the {} recorded games, message by message",
        "по правилам вышли записанные партии, сообщение за сообщением: {}",
    ),
    "differs": Text(
        "recorded game {}, message {} differs",
        "записанная партия {}: сообщение {} другое",
    ),
    "python": Text(
        "this needs Python 3.11 or newer; here is {}",
        "нужен Python 3.11 или новее; здесь {}",
    ),
}


def referee_phrases(lang: Lang) -> dict[str, str]:
    """Returns them in one language, by name."""
    return {name: phrase.of(lang) for name, phrase in _PHRASES.items()}
