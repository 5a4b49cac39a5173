"""Starter kit of a contest: rules, protocol, a bot in seven languages, and a referee that plays whole games."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.contests.contest.scaffold import first_bot
from playmill.lab.contests.hosted.kit.local_game import local_game, plays_alike
from playmill.lab.contests.hosted.kit.phrases import referee_phrases
from playmill.lab.contests.hosted.kit.recorded import players_at_table, recorded_games
from playmill.lab.contests.hosted.kit.snapshot import NotBundledError
from playmill.lab.replays.rulebook import rulebook_page
from playmill.stdio import complain
from playmill.texts import Lang, Text, user_language

_HERE = Path(__file__).parent
#: Where each language's bot lies in the kit.
BOTS = {
    "bot.js": "javascript", "bot.c": "c", "bot.cpp": "cpp", "bot.rs": "rust", "bot.go": "go", "Bot.java": "java",
}  # fmt: skip
_ABOUT = Text(
    """\
# {title}: a contest of bots

A bot is a program: it reads one JSON object a line from its input and answers with one JSON object a line. This kit has

- `rules.html`: the rules of the game
- `python/bot.py`, `javascript/bot.js`, `c/bot.c`, `cpp/bot.cpp`, `rust/bot.rs`, `go/bot.go`, `java/Bot.java`: the same
  bot in seven languages, which plays already, by chance
- `referee.py`: {referee}
- `games.json`: games as a bot sees them, message by message

## In three minutes

    python3 referee.py python/bot.py
{more}
Make it better; then drop the file, or a zip of its folder, on your page of the contest. Sources are compiled there, by
these commands; build yours the same way to try it here:

    cc -O2 -o bot *.c -lm
    c++ -O2 -std=c++17 -o bot *.cpp
    rustc -O -o bot bot.rs
    go build -o bot *.go
    javac -encoding UTF-8 -d classes *.java        then: java -cp classes Bot

Another command is said by a file `bot.toml` in the folder: `run = "python3 bot.py"`. A bot has no network, writes no
files, and starts no other programs.

## The messages

| you get | you answer |
|---|---|
| `hello`: a game begins | `{{"type": "ready"}}` |
| `act`: decide | `{{"type": "answer", "number": N, "index": I}}`, the number of the question and of an option |
| `over`: the game has ended | nothing |
| `quit` | end |

Flush what you write. Fields you do not know are to be ignored. A question of this game, as your bot gets it:

```json
{example}
```

## Limits

{start:g} s to start, {move:g} s for an answer, {game:g} s for all answers of a game, {memory} MB of memory. Who fails
loses that game.
""",
    """\
# {title}: соревнование ботов

Бот — это программа: она читает по одному объекту JSON в строке и отвечает одним объектом JSON в строке. В наборе есть

- `rules.html`: правила игры
- `python/bot.py`, `javascript/bot.js`, `c/bot.c`, `cpp/bot.cpp`, `rust/bot.rs`, `go/bot.go`, `java/Bot.java`: один и
  тот же бот на семи языках; он уже играет, выбирая случайно
- `referee.py`: {referee}
- `games.json`: партии, какими их видит бот, сообщение за сообщением

## За три минуты

    python3 referee.py python/bot.py
{more}
Сделайте его сильнее и перетащите файл или zip с его папкой на свою страницу соревнования. Исходный текст там
компилируют этими командами; так же можно собрать его у себя:

    cc -O2 -o bot *.c -lm
    c++ -O2 -std=c++17 -o bot *.cpp
    rustc -O -o bot bot.rs
    go build -o bot *.go
    javac -encoding UTF-8 -d classes *.java        потом: java -cp classes Bot

Другую команду задаёт файл `bot.toml` в папке: `run = "python3 bot.py"`. У бота нет сети, он не пишет файлов и не
запускает других программ.

## Сообщения

| вы получаете | вы отвечаете |
|---|---|
| `hello`: начинается партия | `{{"type": "ready"}}` |
| `act`: решайте | `{{"type": "answer", "number": N, "index": I}}`: номер вопроса и номер варианта |
| `over`: партия закончилась | ничего |
| `quit` | завершитесь |

Сбрасывайте буфер вывода. Незнакомые поля пропускайте. Вопрос этой игры, каким его получает бот:

```json
{example}
```

## Пределы

{start:g} с на запуск, {move:g} с на ответ, {game:g} с на все ответы за партию, {memory} МБ памяти. Сбой — поражение в
партии.
""",
)

_PLAYS = Text(
    "plays whole games with your bot, by the rules in `engine`; needs Python 3.11 and nothing else",
    "играет с вашим ботом целые партии по правилам из папки `engine`; нужен только Python 3.11",
)
_CHECKS = Text(
    "tries your bot on the games of `games.json`, which go on as they went: protocol and time; needs Python 3.11 alone",
    "проверяет бота на партиях из `games.json`, которые идут, как шли: протокол и время; нужен только Python 3.11",
)
_MORE = Text(
    """\
    python3 referee.py --watch --games 1 python/bot.py     every move in words
    python3 referee.py --against python/bot.py my-bot      your bot against another; a folder is a bot as well

The first command plays ten games against one that chooses by chance. The same `--seed` deals the same games again.
""",
    """\
    python3 referee.py --watch --games 1 python/bot.py     каждый ход словами
    python3 referee.py --against python/bot.py my-bot      ваш бот против другого; папка — тоже бот

Первая команда играет десять партий против того, кто ходит наугад. С тем же `--seed` партии будут те же.
""",
)

_SEVERAL = Text(
    "\nThe contest has several set-ups of the rules: this is the first of them.\n",
    "\nВ соревновании несколько вариантов правил: здесь первый из них.\n",
)

_DIFFERS = Text("Python alone would play other games", "на одном Python вышли бы другие партии")
_WITHOUT = Text(
    "The starter kit has recorded games in place of the rules: {}",
    "В наборе для начала вместо правил — записанные партии: {}",
)


def starter_kit(rules: ContestRules, lang: Lang) -> bytes:
    """Returns the kit as a zip."""
    games = recorded_games(rules, lang)
    question = next(message for message in games["games"][0]["messages"] if message["type"] == "act")
    limits = rules.limits
    files = {
        "games.json": json.dumps(games, ensure_ascii=False, separators=(",", ":")),
        "referee.py": (_HERE / "referee.py").read_text(encoding="utf-8"),
        "referee.json": json.dumps(referee_phrases(lang), ensure_ascii=False, indent=1),
    }
    engine = _rules_files(rules, lang, files)
    about = _ABOUT.of(lang).format(
        title=rules.game.title.of(lang),
        example=json.dumps(question, ensure_ascii=False)[:2000],
        start=limits.start,
        move=limits.move,
        game=limits.game,
        memory=limits.memory,
        referee=(_PLAYS if engine else _CHECKS).of(lang),
        more=(_MORE.of(lang) if engine else "") + (_SEVERAL.of(lang) if len(rules.settings) > 1 else ""),
    )
    config = rules.settings[0].config.model_dump(mode="json")
    files |= {
        "README.md": about,
        "rules.html": rulebook_page(rules.game, config, lang),
        "python/bot.py": first_bot(lang),
    }
    files |= {f"{folder}/{name}": (_HERE / name).read_text(encoding="utf-8") for name, folder in BOTS.items()}
    files |= engine
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"{rules.game.name}-kit/{name}", text)
    return made.getvalue()


def _rules_files(rules: ContestRules, lang: Lang, others: Mapping[str, str]) -> dict[str, str]:
    """Returns the rules, to be played by Python alone; nothing where that is not to be had, or would differ.

    The organiser gets a message that says why. Whatever is in the sources of a game, entrants get a kit.
    """
    why = _DIFFERS
    try:
        made = local_game(rules.game, rules.settings[0].config, players_at_table(rules), rules.limits.numbers(), lang)
        if plays_alike({**others, **made}):
            return made
    except NotBundledError as error:
        why = error.text
    except Exception as error:
        why = Text(repr(error), repr(error))
    complain(_WITHOUT.format(why).of(user_language()))
    return {}
