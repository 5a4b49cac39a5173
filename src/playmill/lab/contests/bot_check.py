"""Checks whether a bot is fit to play: a few deals against random agents, and messages about what is wrong.

`playmill bot check` tells its author all of it; a contest checks what is handed in at that very table, in these words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from playmill.agents.programs.sandbox.guarantees import HEAD, TITLE, guarantee_rows
from playmill.agents.programs.spec import Program, program_of
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, reference_of
from playmill.interrupts import Stop
from playmill.lab.contests.tournament.deal_results import DealResults, Mishap, ProgramLog
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals
from playmill.report.model.tables import Table
from playmill.texts import Text

_WHERE = Text("deal {}, seat {}, decision {}: {}{}", "раздача {}, место {}, решение {}: {}{}")
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
    """Result of some games with a bot."""

    games: int = 0
    mishaps: Sequence[Mishap] = ()
    heard: ProgramLog = field(default_factory=ProgramLog)
    guarantees: dict[str, str] = field(default_factory=dict)
    #: Whether the first deal, played again, went the same way; None if it was not played again.
    repeats: bool | None = None

    @property
    def name(self) -> str:
        """The name it gives itself."""
        return self.heard.name

    @property
    def ready(self) -> bool:
        """Whether nothing is wrong."""
        return not self.mishaps and self.games > 0

    def complaints(self) -> Iterator[Text]:
        """Yields each broken rule in one sentence, and what may be behind it."""
        yield from complaints(self.mishaps)
        if any(one.fault == "late" for one in self.mishaps) and not self.heard.seconds:
            yield _UNFLUSHED

    def figures(self) -> Table:
        """Returns how quick it is."""

        def seconds_text(seconds: Sequence[float], middle: bool) -> float | str:
            return round(1000 * (median(seconds) if middle else max(seconds)), 1) if seconds else "–"

        rows = (
            (
                Text("start", "запуск"),
                len(self.heard.starts),
                seconds_text(self.heard.starts, True),
                seconds_text(self.heard.starts, False),
            ),
            (
                Text("answer", "ответ"),
                len(self.heard.seconds),
                seconds_text(self.heard.seconds, True),
                seconds_text(self.heard.seconds, False),
            ),
        )
        head = (
            Text("what", "что"),
            Text("times", "раз"),
            Text("median, ms", "медиана, мс"),
            Text("worst, ms", "худшее, мс"),
        )
        return Table("times", Text("How quick it is", "Насколько он быстр"), head, rows)

    def guarantee_table(self) -> Table:
        """Returns the table of the sandbox's guarantees."""
        return Table("walls", TITLE, HEAD, tuple(guarantee_rows(self.guarantees)))


def diagnosis(fault: str, reason: Text) -> Text:
    """Returns the message to an author about a fault: its kind, and what happened."""
    return Text.join((_FAULTS[fault], reason), ": ")


def complaints(mishaps: Iterable[Mishap]) -> Iterator[Text]:
    """Returns each broken rule in one sentence: where it was first broken, the line that broke it, and how often."""
    broken: dict[tuple[str, str], list[Mishap]] = {}
    for one in mishaps:
        # The rule that was broken, whatever was written.
        broken.setdefault((one.fault, one.why.en.rpartition("; ")[2]), []).append(one)
    for same in broken.values():
        first, times = same[0], len(same)
        often = Text("", "") if times == 1 else Text(" ({} times)", " (раз: {})").format(times)
        yield diagnosis(first.fault, _WHERE.format(first.deal, first.seat + 1, first.decision, first.why, often))


def table_of_check(bot: Entrant, size: int) -> tuple[Entrant, ...]:
    """Returns the pairing at which a bot is checked: the bot, and others who choose at random."""
    return bot, *(Entrant(f"~{number}", "random") for number in range(1, size))


def check_bot(
    game: Game,
    command: str | Program,
    *,
    players: int,
    config: RuleConfig,
    games: int,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    stop: Stop | None = None,
) -> Findings:
    """Plays games with a bot against `random`, each deal from every seat; the first deal twice."""
    if isinstance(command, str):
        command = program_of(command)
    config.pack(players)
    stop = stop or Stop()
    bot = Entrant("bot", command)
    pairing = Pairing(
        game, reference_of(game), RuleSetting("", config), table_of_check(bot, players), seed, interpreted=True, shown=1
    )
    deals = -(-games // pairing.games)
    found, done = Findings(), 0

    def count() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, (deals + 1) * pairing.games)

    piece = play_deals(pairing, range(deals), stop, 1, count)
    if piece is None:
        return found
    found.games = deals * pairing.games
    found.mishaps, found.guarantees = piece.mishaps, dict(piece.guarantees)
    found.heard = piece.heard.get(bot.name, found.heard)
    if found.ready:
        again = play_deals(pairing, range(1), stop, 1, count)
        found.repeats = None if again is None else _first(again) == _first(piece)
    return found


def _first(piece: DealResults) -> list[object]:
    """Returns the games of the first deal, as they were played."""
    return [game for (deal, _), game in sorted(piece.games.items()) if deal == 0]
