"""Starter kit of a contest: rules, protocol, a bot in seven languages, recorded games, and a referee for them."""

from __future__ import annotations

import io
import json
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from playmill.agents.programs import protocol
from playmill.agents.python.decision import Decision
from playmill.interrupts import Stop
from playmill.lab.contests.contest.rules import ContestRules
from playmill.lab.contests.contest.scaffold import first_bot
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing
from playmill.lab.contests.tournament.play_deals import play_deals
from playmill.lab.replays.rulebook import rulebook_page
from playmill.texts import Lang, Text

_HERE = Path(__file__).parent
#: Where each language's bot lies in the kit.
BOTS = {
    "bot.js": "javascript", "bot.c": "c", "bot.cpp": "cpp", "bot.rs": "rust", "bot.go": "go", "Bot.java": "java",
}  # fmt: skip
_DEALS = 3
#: Games end up in a file of so many bytes at most.
_MOST_BYTES = 4 << 20
_ABOUT = Text(
    """\
# {title}: a contest of bots

A bot is a program: it reads one JSON object a line from its input and answers with one JSON object a line. This kit has

- `rules.html`: the rules of the game
- `python/bot.py`, `javascript/bot.js`, `c/bot.c`, `cpp/bot.cpp`, `rust/bot.rs`, `go/bot.go`, `java/Bot.java`: the same
  bot in seven languages, which plays already, by chance
- `games.json`: games as a bot sees them, message by message
- `referee.py`: tries your bot on these games; needs Python 3.9 and nothing else

## In three minutes

    python3 referee.py python3 python/bot.py

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
- `games.json`: партии, какими их видит бот, сообщение за сообщением
- `referee.py`: проверяет бота на этих партиях; нужен только Python 3.9

## За три минуты

    python3 referee.py python3 python/bot.py

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


class _Recorder:
    """An agent that chooses by chance and notes the messages a bot would have got."""

    def __init__(self, rules: ContestRules, lang: Lang) -> None:
        self._rules, self._lang = rules, lang
        #: The messages of each game and seat, in the order in which they began.
        self.games: dict[tuple[int, int], list[dict[str, Any]]] = {}
        self._game = -1

    def choose(self, decision: Decision) -> int:
        """Chooses an option by the chance of the question."""
        limits = self._rules.limits
        seat = decision.player
        mine = self.games.setdefault((self._game, seat), [])
        if not mine:
            config = decision.config.model_dump(mode="json")
            mine.append(
                protocol.hello(
                    decision.game,
                    self._rules.game.version,
                    config,
                    players=decision.players,
                    seat=seat,
                    limits=limits,
                    lang=self._lang,
                )
            )
        asked = protocol.act(decision, len(mine), left=limits.game, move=limits.move, lang=self._lang)
        mine.append(json.loads(protocol.line_of(asked)))
        return int(decision.actions[asked["random"] % len(decision.actions)])

    def next_game(self) -> None:
        """Begins the next game."""
        self._game += 1


@lru_cache(maxsize=4)
def starter_kit(rules: ContestRules, lang: Lang) -> bytes:
    """Returns the kit as a zip."""
    games = recorded_games(rules, lang)
    question = next(message for message in games[0] if message["type"] == "act")
    limits = rules.limits
    about = _ABOUT.of(lang).format(
        title=rules.game.title.of(lang),
        example=json.dumps(question, ensure_ascii=False)[:2000],
        start=limits.start,
        move=limits.move,
        game=limits.game,
        memory=limits.memory,
    )
    config = rules.settings[0].config.model_dump(mode="json")
    files = {
        "README.md": about,
        "rules.html": rulebook_page(rules.game, config, lang),
        "games.json": json.dumps(games, ensure_ascii=False, separators=(",", ":")),
        "referee.py": (_HERE / "referee.py").read_text(encoding="utf-8"),
        "python/bot.py": first_bot(lang),
    }
    files |= {f"{folder}/{name}": (_HERE / name).read_text(encoding="utf-8") for name, folder in BOTS.items()}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"{rules.game.name}-kit/{name}", text)
    return made.getvalue()


def recorded_games(rules: ContestRules, lang: Lang) -> list[list[dict[str, Any]]]:
    """Returns some games as the bots at a table see them, played by chance."""
    recorder = _Recorder(rules, lang)
    recorder.next_game()
    entrants = tuple(Entrant(f"~{number}", recorder) for number in range(rules.size))
    pairing = Pairing(rules.game, rules.named, rules.settings[0], entrants, 0, interpreted=True)
    play_deals(pairing, range(_DEALS), Stop(), 1, recorder.next_game)
    found: list[list[dict[str, Any]]] = []
    left = _MOST_BYTES
    for messages in recorder.games.values():
        left -= len(json.dumps(messages))
        if left < 0 and found:
            break
        found.append([*messages, {"type": "over", "returns": [0.0] * rules.size, "place": 1}])
    return found
