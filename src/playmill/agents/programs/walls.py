"""What the walls around a bot are for, in words: `launch` puts them up, a report says which stood."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.texts import Text

#: Each wall by the name the launcher gives it.
WALLS: Mapping[str, Text] = {
    "files": Text("opens no files but its own and the system's", "не открывает файлов, кроме своих и системных"),
    "writing": Text("writes no files", "не пишет в файлы"),
    "network": Text("no network, no sockets", "нет сети и сокетов"),
    "memory": Text("memory is limited", "память ограничена"),
    "processes": Text("processes are limited", "число процессов ограничено"),
    "threads": Text("threads are limited", "число потоков ограничено"),
    "signals": Text("sends no signals to others", "не посылает сигналов другим"),
    "user": Text("is a user of its own", "работает под отдельным пользователем"),
    "death": Text("dies with Playmill", "завершается вместе с Playmill"),
}
MISSING = Text("not on this system", "на этой системе нет")
TITLE = Text("Walls around programs", "Как отгорожены программы")
HEAD = (Text("wall", "защита"), Text("held by", "чем держится"))


def wall_rows(walls: Mapping[str, str]) -> list[tuple[Text, str | Text]]:
    """A row for each wall: what it is for, and what holds it."""
    return [(about, walls.get(name) or MISSING) for name, about in WALLS.items()]
