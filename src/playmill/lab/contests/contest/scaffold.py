"""Creates the folder of a new contest: its rules, and a first bot for any game."""

from __future__ import annotations

import json
import os
from pathlib import Path

from playmill.engine.contract.game import load_game, reference_of
from playmill.lab.contests.contest.folder import ENTRANTS
from playmill.lab.contests.contest.rules import FILE, read_rules
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.report.files.writing import write_text
from playmill.texts import Lang, PlaymillError, Text

_RULES = Text(
    """\
# A contest. Each bot has a folder of its own below entrants/; the command plays whatever is new there:
#     playmill contest {folder}
game = {game}
deals = 20               # of every table, each from every seat
house = ["random"]       # agents of the game that take part

[limits]
start = 10               # seconds until a bot is ready
move = 2                 # seconds for one answer
game = 60                # seconds for all answers of a game
memory = 512             # MB

[forfeits]
rule = "loss"            # a bot that fails loses the game; "random": it is played on by chance
most = 0.2               # who fails in more games than this share is refused
""",
    """\
# Соревнование. У каждого бота своя папка внутри entrants/; команда сыграет всё, что там появилось:
#     playmill contest {folder}
game = {game}
deals = 20               # раздач у каждого стола, каждая со всех мест
house = ["random"]       # агенты самой игры, которые тоже участвуют

[limits]
start = 10               # секунд на запуск бота
move = 2                 # секунд на один ответ
game = 60                # секунд на все ответы за партию
memory = 512             # МБ

[forfeits]
rule = "loss"            # сбой бота — поражение в партии; "random": за него доигрывает случай
most = 0.2               # у кого сбоев больше этой доли партий, того не допускают
""",
)
_ABOUT = Text(
    "A bot for any game: it takes one of its options by the chance that it is handed. Make it better.",
    "Бот для любой игры: выбирает один из вариантов по выданному ему случайному числу. Сделайте лучше.",
)
_BOT = '''\
"""{about}"""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready"}}), flush=True)
    elif message["type"] == "act":
        index = message["random"] % len(message["options"])
        print(json.dumps({{"type": "answer", "number": message["number"], "index": index}}), flush=True)
    elif message["type"] == "quit":
        break
'''


def first_bot(lang: Lang) -> str:
    """Returns the source of a bot for any game, in Python."""
    return _BOT.format(about=_ABOUT.of(lang))


def create_contest(folder: Path, game: str, lang: Lang) -> list[Path]:
    """Writes the rules of a contest and a first bot; returns the files. Raises where a contest is."""
    if (folder / FILE).exists():
        raise PlaymillError(f"there is a contest in {folder} already", f"в {folder} уже есть соревнование")
    reference = reference_of(load_game(game))
    if Path(reference).is_absolute():
        reference = Path(os.path.relpath(reference, folder.resolve())).as_posix()
        reference = reference if "/" in reference else f"./{reference}"
    bot = folder / ENTRANTS / "first" / "bot.py"
    try:
        bot.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(bot.parent, reason_of(error)) from None
    named = json.dumps(reference, ensure_ascii=False)
    write_text(folder / FILE, _RULES.of(lang).format(folder=folder, game=named))
    write_text(bot, first_bot(lang))
    read_rules(folder)
    return [folder / FILE, bot]
