"""What the sandbox of a bot is for, in words: `launch` makes and tries it, a report says what held."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.texts import Text

#: Each part by the name the launcher gives it.
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
    "tracing": Text("reads no other process's memory", "не читает память других процессов"),
    "channels": Text("locks and watches no files", "не блокирует файлы и не следит за ними"),
}
MISSING = Text("does not hold on this system", "на этой системе не держится")
TITLE = Text("The sandbox of programs", "Песочница программ")
HEAD = (Text("a program", "программа"), Text("tried at its start, held by", "проверено при запуске, держится на"))


def wall_rows(walls: Mapping[str, str]) -> list[tuple[Text, str | Text]]:
    """A row for each part: what it is for, and what held it when it was tried."""
    return [(about, walls.get(name) or MISSING) for name, about in WALLS.items()]
