"""Plays whole games with a bot against any agents: results, what went wrong, stderr, and a replay of every game.

`playmill bot play` shows it. Game `number` of a seed is dealt as everywhere, so the referee of a contest's starter kit
plays the same games with the same bot.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.programs.spec import PREFIX, Program, is_program, program_of, read_program
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, reference_of
from playmill.interrupts import Stop
from playmill.lab.contests.bot_check import Findings
from playmill.lab.contests.tournament.entrants import Entrant, holds_bot
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals
from playmill.report.model.tables import Table
from playmill.stats.estimates import Estimate
from playmill.stats.head_to_head import HeadToHead
from playmill.stats.mean_intervals import Moments, mean_interval
from playmill.texts import PlaymillError, Text

#: Games that the table of games lists.
_LISTED = 20
_WON, _DRAWN, _LOST = (Text("won", "победа"), Text("drawn", "ничья"), Text("lost", "поражение"))
_FAILED = Text("failed", "сбой")
_PLAYED = Text("played", "сыграна")


@dataclass(frozen=True)
class BotGame:
    """One game: its deal, the bot's seat, how it ended for the bot, what it paid each seat, and its replay."""

    deal: int
    seat: int
    result: Text
    returns: tuple[float, ...]
    replay: str

    @property
    def is_lost(self) -> bool:
        """Whether the bot lost it, or failed in it."""
        return self.result in (_LOST, _FAILED)


@dataclass
class BotGames:
    """Games of a bot against others."""

    findings: Findings = field(default_factory=Findings)
    games: list[BotGame] = field(default_factory=list)
    names: tuple[str, ...] = ()
    #: By entrant: points and games of each deal.
    _points: dict[str, HeadToHead] = field(default_factory=dict)
    #: What the bot wrote to stderr.
    stderr: str = ""

    @property
    def to_watch(self) -> BotGame | None:
        """The game to look at: the first that was lost, else the first."""
        return next((one for one in self.games if one.is_lost), self.games[0] if self.games else None)

    def results(self) -> Table:
        """Returns how everybody did; alone, what was paid on average."""
        title = Text("Results", "Итог")
        if not self._points:
            paid = [one.returns[0] for one in self.games]
            alone = (Text("who", "кто"), Text("games", "партий"), Text("paid on average", "в среднем за партию"))
            return Table("results", title, alone, ((self.names[0], len(paid), _mean(paid)),))
        rows = tuple(
            (name, one.wins, one.draws, one.losses, one.share) for name, one in self._points.items()
        )  # fmt: skip
        head = (
            Text("who", "кто"), Text("won", "побед"), Text("drawn", "ничьих"), Text("lost", "поражений"),
            Text("points", "очки"),
        )  # fmt: skip
        return Table("results", title, head, rows, percent_columns=frozenset({4}))

    def listed(self) -> Table:
        """Returns the games one by one, the first of them."""
        rows = tuple(
            (one.deal, one.seat + 1, one.result, " : ".join(f"{paid:g}" for paid in one.returns))
            for one in self.games[:_LISTED]
        )
        head = (
            Text("deal", "раздача"), Text("seat", "место"), Text("result", "результат"),
            Text("returns by seat", "что принесла, по местам"),
        )  # fmt: skip
        rest = len(self.games) - _LISTED
        note = Text(f"and {rest} more", f"и ещё {rest}") if rest > 0 else None
        return Table("games", Text("Games", "Партии"), head, rows, note, number_columns=frozenset({3}))


def play_bot(
    game: Game,
    bot: str | Program,
    *,
    against: Sequence[Any] = (),
    players: int,
    config: RuleConfig,
    games: int,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    stop: Stop | None = None,
) -> BotGames:
    """Plays games with a bot, each deal from every seat; seats that nobody is named for are `random`'s."""
    if isinstance(bot, str):
        bot = program_of(bot)
    config.pack(players)
    others = [_opponent(one) for one in against]
    if len(others) >= max(2, players):
        raise PlaymillError(
            f"{players} play at a table, the bot among them, and {len(others)} are named by --against",
            f"за столом играют {players}, считая бота, а в --against названо: {len(others)}",
        )
    entrants = [Entrant(bot.folder.name, bot), *others]
    entrants += [Entrant("random", "random") for _ in range(players - len(entrants))]
    pairing = Pairing(
        game,
        reference_of(game),
        RuleSetting("", config),
        _by_one_name(entrants),
        seed,
        interpreted=not any(str(one).startswith("search") for one in against),
        shown=games,
        dealt_from=seed,
    )
    deals, done = -(-games // pairing.games), 0

    def count() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, deals * pairing.games)

    piece = play_deals(pairing, range(deals), stop or Stop(), 1, count)
    found = BotGames(names=pairing.names)
    if piece is None:
        return found
    mine = pairing.names[0]
    found.findings = Findings(
        deals * pairing.games,
        [one for one in piece.mishaps if one.entrant == mine],
        piece.heard.get(mine, found.findings.heard),
        dict(piece.guarantees),
    )
    found.stderr = piece.complaints.get(mine, b"").decode("utf-8", "backslashreplace")
    lost = {(one.deal, one.rotation) for one in found.findings.mishaps if one.lost}
    for (deal, rotation), text in sorted(piece.games.items()):
        order = pairing.order(deal, rotation)
        returns = tuple(json.loads(text)["end"]["returns"])
        result = _FAILED if (deal, rotation) in lost else _result(piece.ranks[deal, rotation], alone=pairing.solo)
        found.games.append(BotGame(deal, order.index(0), result, returns, text))
    if not pairing.solo:
        found._points = {name: _points(piece.ranks, place) for place, name in enumerate(pairing.names)}
    return found


def _opponent(agent: Any) -> Entrant:
    """An agent as everywhere, or the folder of a bot."""
    if isinstance(agent, str) and not is_program(agent) and holds_bot(Path(agent)):
        agent = PREFIX + agent
    if isinstance(agent, str) and is_program(agent):
        return Entrant(read_program(agent).folder.name, agent)
    return Entrant(Path(agent).stem if str(agent).endswith(".py") else str(agent), agent)


def _by_one_name(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Entrants of whom no two have one name."""
    taken: dict[str, int] = {}
    found = []
    for one in entrants:
        taken[one.name] = taken.get(one.name, 0) + 1
        name = one.name if taken[one.name] == 1 else f"{one.name} ({taken[one.name]})"
        found.append(Entrant(name, one.agent))
    return tuple(found)


def _result(ranks: Any, *, alone: bool) -> Text:
    """How a game ended for the bot, who is the first of the entrants."""
    if alone:
        return _PLAYED
    return _LOST if ranks[0] else _DRAWN if (ranks[1:] == 0).any() else _WON


def _points(ranks: Any, place: int) -> HeadToHead:
    """What one took of all games: 1 for a win, half for a tie at the top."""
    mine, best = ranks[:, :, place] == 0, (ranks == 0).sum(axis=2)
    wins, draws = mine & (best == 1), mine & (best > 1)
    taken = (wins + 0.5 * draws).sum(axis=1)
    played = np.full(len(ranks), ranks.shape[1])
    return HeadToHead(taken, played, int(wins.sum()), int(draws.sum()), int((~mine).sum()))


def _mean(paid: Sequence[float]) -> Estimate:
    """The mean of what some games paid, with its interval."""
    value, count = float(np.mean(paid)), len(paid)
    if count < 2:
        return Estimate(value, nan, nan, count)
    low, high = mean_interval(Moments(value, float(np.var(paid, ddof=1)) / count, 0.0, count), count - 1)
    return Estimate(value, low, high, count)
