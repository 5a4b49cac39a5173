"""`playmill bot check`: plays games with a bot against `random`, and tells its author what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playmill.agents.programs.player import ProgramPlayer, Trouble
from playmill.agents.programs.spec import PREFIX, Program, is_program, read_program
from playmill.agents.programs.walls import HEAD, TITLE, wall_rows
from playmill.agents.seats import Seat, seats_for
from playmill.agents.table import Table as PlayTable
from playmill.engine.config import RuleConfig
from playmill.engine.game import Game
from playmill.engine.match import Match
from playmill.lab.rotation import around, rotated
from playmill.report.model import Table
from playmill.stopping import Stop
from playmill.texts import Text

_FAULTS = {
    "start": Text("it does not start", "не запускается"),
    "crash": Text("it ends in the middle", "завершается раньше времени"),
    "late": Text("it is late", "не успевает"),
    "flood": Text("it writes too much", "пишет слишком много"),
    "nonsense": Text("it does not keep to the protocol", "не соблюдает протокол"),
    "illegal": Text("it answers with no option", "отвечает не вариантом из списка"),
}
_UNFLUSHED = Text(
    "nothing was heard of it in that time: does it flush what it writes, and read line by line?",
    "за это время от бота ничего не пришло: сбрасывает ли он буфер вывода, читает ли построчно?",
)


@dataclass
class Findings:
    """What came of some games with a bot."""

    #: Where what it wrote to stderr is kept.
    stderr: Path
    name: str = ""
    games: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    #: Of each answer, and of each start, in seconds.
    seconds: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    walls: dict[str, str] = field(default_factory=dict)
    #: Whether the first game, played again, was the same; None if it was not played again.
    repeats: bool | None = None

    @property
    def ready(self) -> bool:
        """Whether nothing is wrong."""
        return not self.troubles and self.games > 0

    def complaints(self) -> Iterator[Text]:
        """Each broken rule in one sentence: where it was first broken, the line that broke it, and how often."""
        for broken in dict.fromkeys(map(_rule, self.troubles)):
            same = [one for one in self.troubles if _rule(one) == broken]
            first, times = same[0], len(same)
            where = Text(
                f"game {first.game}, seat {first.seat + 1}, decision {first.decision}",
                f"игра {first.game}, место {first.seat + 1}, решение {first.decision}",
            )
            often = Text(f" ({times} times)", f" (раз: {times})") if times > 1 else Text("", "")
            reason = Text(
                f"{where.en}: {first.reason.en}{often.en}",
                f"{where.ru}: {first.reason.ru}{often.ru}",
            )
            yield diagnosis(first.fault, reason)
        if any(one.fault == "late" for one in self.troubles) and not self.seconds:
            yield _UNFLUSHED

    def figures(self) -> Table:
        """How quick it is."""

        def told(seconds: Sequence[float], middle: bool) -> float | str:
            return round(1000 * (median(seconds) if middle else max(seconds)), 1) if seconds else "–"

        rows = (
            (Text("start", "запуск"), len(self.starts), told(self.starts, True), told(self.starts, False)),
            (Text("answer", "ответ"), len(self.seconds), told(self.seconds, True), told(self.seconds, False)),
        )
        head = (
            Text("what", "что"),
            Text("times", "раз"),
            Text("median, ms", "медиана, мс"),
            Text("worst, ms", "худшее, мс"),
        )
        return Table("times", Text("How quick it is", "Насколько он быстр"), head, rows)

    def wall_table(self) -> Table:
        """Which walls stood around it."""
        return Table("walls", TITLE, HEAD, tuple(wall_rows(self.walls)))


def diagnosis(fault: str, reason: Text) -> Text:
    """What is wrong with a bot, in the words in which every author is told: the kind of fault, and what happened."""
    told = _FAULTS[fault]
    return Text(f"{told.en}: {reason.en}", f"{told.ru}: {reason.ru}")


def _rule(trouble: Trouble) -> tuple[str, str]:
    """The rule that was broken, whatever was written."""
    return trouble.fault, trouble.reason.en.rpartition("; ")[2]


def check_bot(
    game: Game,
    command: str | Program,
    *,
    players: int,
    config: RuleConfig,
    games: int,
    seed: int = 0,
    told: Callable[[int, int], None] | None = None,
    stop: Stop | None = None,
) -> Findings:
    """Plays games with a bot, in every seat in turn, against `random`; the first of them twice."""
    if isinstance(command, str):
        command = read_program(command if is_program(command) else PREFIX + command)
    config.pack(players)
    stop = stop or Stop()
    seats = seats_for(game, players, [command, *["random"] * (players - 1)])
    bot = seats[0].program
    assert bot is not None
    found = Findings(bot.stderr)
    bot.on_trouble = found.troubles.append
    numbers, agents = tuple(seat.number for seat in seats), (0, *(1,) * (players - 1))
    first = Match(game, config, players, seed, numbers, agents, ((),) * players)
    rows: list[bytes] = []
    try:
        # In the first seat it plays one game more, the first once again.
        for number in (*range(games), 0):
            if stop():
                break
            again = len(rows) == games
            if again and not found.ready:
                break
            turn = (players - number % players) % players
            row = _play(rotated(first, turn), around(seats, turn), number, bot, found, stop)
            if row is None:
                break
            rows.append(row)
            if again:
                found.repeats = row == rows[0]
            else:
                found.games += 1
            if told is not None:
                told(len(rows), games + 1)
    finally:
        bot.close()
    return found


def _play(
    match: Match, seats: Sequence[Seat], number: int, bot: ProgramPlayer, found: Findings, stop: Stop
) -> bytes | None:
    """Plays one game; returns its row, or None if somebody asked to stop."""
    chunk = PlayTable(match, seats, interpreted=True, stop=stop).play(number, 1)
    found.seconds += bot.seconds
    found.name = bot.said_name or found.name
    found.walls = {**found.walls, **bot.walls}
    if bot.started is not None:
        found.starts.append(bot.started)
        bot.started = None
    return chunk.rows.tobytes() if chunk.games else None
