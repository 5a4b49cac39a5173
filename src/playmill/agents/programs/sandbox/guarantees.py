"""What the sandbox guarantees, as texts and rows of reports; which of them held is tested at each start."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.texts import Text

#: Each guarantee by its key in the launcher's report.
GUARANTEES: Mapping[str, Text] = {
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


def guarantee_rows(guarantees: Mapping[str, str]) -> list[tuple[Text, str | Text]]:
    """Rows of a report: each guarantee, and what holds it on this system."""
    return [(about, guarantees.get(name) or MISSING) for name, about in GUARANTEES.items()]
