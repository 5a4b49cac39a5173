"""`playmill worth`: how the win rate changes when one side has something and the other does not.

Every thing is tried in each seat, on the same luck as a match in which nobody has it. The seats of one deal are one
block and the interval is taken over blocks: what the luck of a deal decides anyway falls out of the difference.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.config import RuleConfig
from playmill.engine.content import Trial
from playmill.engine.game import Game, as_config, as_game
from playmill.lab.content import content_room
from playmill.lab.parts import Part
from playmill.lab.simulate import simulate
from playmill.report.model import Chart, Estimate, Table, mean
from playmill.report.terminal import decimal
from playmill.stopping import interrupt
from playmill.texts import PlaymillError, Text

Payoffs = np.ndarray[Any, np.dtype[np.int64]]
Told = Callable[[int, int], None]
_COLUMNS = (
    "kind",
    "id",
    "count",
    "change",
    "change_low",
    "change_high",
    "win_rate",
    "win_rate_low",
    "win_rate_high",
    "fired_per_game",
    "points_per_game",
)


@dataclass(frozen=True)
class Worth:
    """What one thing is worth: the change in win rate, the win rate with it, and what it did in a game."""

    trial: Trial
    change: Estimate
    win_rate: Estimate
    fired: float
    points: float

    def json(self) -> dict[str, Any]:
        """The form in which it is saved."""
        return {
            "kind": self.trial.kind,
            "id": self.trial.id,
            "count": self.trial.count,
            "name": {"en": self.trial.name.en, "ru": self.trial.name.ru},
            "change": self.change.json(),
            "win_rate": self.win_rate.json(),
            "fired_per_game": self.fired,
            "points_per_game": self.points,
        }


def worth(
    game: str | Game,
    *,
    content: Any = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    games: int = 100_000,
    seed: int = 0,
    agents: Any = None,
    only: Sequence[str] = (),
    workers: int | None = None,
    told: Told | None = None,
) -> list[Worth]:
    """Tries every piece of content in every seat, `games` deals each; the most valuable first.

    `content` is what is tried (all there is by default), `only` some of its ids. Ctrl-C ends it with what is finished.
    """
    chosen = as_game(game)
    room = trials_room(chosen)
    settings = as_config(chosen, config)
    names = tuple(agents) if isinstance(agents, (list, tuple)) else (agents or room.AGENT,)
    trials = named_trials(room, settings, content if content is not None else content_room(chosen).library(), only)
    seats = chosen.players[0]
    runs = 1 + sum(len(trial.configs) for trial in trials)
    done = 0

    def play(settings: RuleConfig) -> tuple[Payoffs, dict[str, Any]] | None:
        """What each deal paid to each seat, and the results; None if it was stopped."""
        nonlocal done
        paid: list[Payoffs] = []

        def on_part(part: Part) -> None:
            paid.append(np.stack([room.payoffs(part.rows, seat) for seat in range(seats)]))

        try:
            run = simulate(
                chosen,
                games=games,
                seed=seed,
                agents=names,
                config=settings,
                workers=workers,
                keep_games=False,
                on_part=on_part,
                progress=lambda games_done: told(done * games + games_done, runs * games) if told else None,
            )
        except KeyboardInterrupt:
            if not done:
                raise
            return None
        done += 1
        return (np.concatenate(paid, axis=1), run.results) if run.info.complete else None

    def tried(trial: Trial, plain: Payoffs) -> Worth | None:
        """What a trial is worth, from one run for each seat; None if it was stopped."""
        blocks, fired, points = np.zeros((2, games), np.int64), 0, 0
        for seat, changed in enumerate(trial.configs):
            played = None if stopped() else play(changed)
            if played is None:
                return None
            paid, results = played
            blocks += np.stack([paid[seat] - plain[seat], paid[seat]])
            effect = results["effects"].get(trial.id, {"fired": 0, "points": 0})
            fired += effect["fired"]
            points += effect["points"]
        shares = room.PAYOFF * len(trial.configs)
        each = games * len(trial.configs)
        change, win_rate = _share(blocks[0], shares), _share(blocks[1], shares)
        return Worth(trial, change, win_rate, fired / each, points / each)

    found: list[Worth] = []
    with interrupt() as stopped:
        without = play(settings)
        for trial in trials:
            one = tried(trial, without[0]) if without else None
            if one is None:
                break
            found.append(one)
    return sorted(found, key=lambda one: (-one.change.value, one.trial.id))


def trials_room(game: Game) -> ModuleType:
    """How the game tries its content, or one sentence that it does not."""
    content_room(game)
    if game.trials is None:
        raise PlaymillError(
            f"{game.name} does not say how to try its content", f"{game.name} не умеет испытывать своё содержание"
        )
    return game.trials


def named_trials(
    room: ModuleType, config: RuleConfig, content: Any, only: Sequence[str], *, said: str = "--only "
) -> list[Trial]:
    """All trials of some content, or those of some ids; an id that none has gets one sentence, with what was said."""
    found: list[Trial] = room.trials(config, content, only)
    for name in only:
        if all(trial.id != name for trial in found):
            listed = ", ".join(sorted({trial.id for trial in room.trials(config, content)}))
            raise PlaymillError(
                f"{said}{name}: there is nothing of that id to try; there is: {listed}",
                f"{said}{name}: с таким id испытывать нечего; есть: {listed}",
            )
    return found


def _share(blocks: Payoffs, whole: int) -> Estimate:
    """The mean over blocks, as a share of the most that a block could bring."""
    return mean(len(blocks), int(blocks.sum()), int((blocks * blocks).sum())).over(whole)


def worth_table(found: Sequence[Worth], shelf: ModuleType, games: int) -> Table:
    """What everything is worth, ready for the terminal or a page."""
    return Table(
        "worth",
        Text("What one side gains by it", "Что это даёт одной из сторон"),
        (
            Text("what", "что"),
            Text("kind", "вид"),
            Text("win rate changes by", "доля побед меняется на"),
            Text("uses", "срабатываний"),
            Text("points", "очков"),
        ),
        tuple(
            (
                one.trial.name if one.trial.count == 1 else _times(one.trial),
                shelf.KIND_NAMES[one.trial.kind],
                one.change,
                round(one.fired, 2),
                round(one.points, 1),
            )
            for one in found
        ),
        note=Text(
            f"Each was tried in {decimal(games, 0, 'en')} deals in every seat, on the same luck as without it; uses and"
            " points are per game. 0 uses: with these agents its condition never held.",
            f"Каждое испытано в {decimal(games, 0, 'ru')} раздачах на каждом месте с той же удачей, что и без него;"
            " остальное — за партию. 0 срабатываний: у этих агентов условие не выполнялось ни разу.",
        ),
        chart=Chart(0, 2, reference=0.0, reference_label=Text("no difference", "без разницы")),
        percent_columns=frozenset({2}),
    )


def _times(trial: Trial) -> Text:
    return Text(f"{trial.name.en} ×{trial.count}", f"{trial.name.ru} ×{trial.count}")


def worth_csv(found: Sequence[Worth]) -> str:
    """One row for each thing tried."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_COLUMNS)
    for one in found:
        change = (one.change.value, one.change.low, one.change.high)
        with_it = (one.win_rate.value, one.win_rate.low, one.win_rate.high)
        rows.writerow([one.trial.kind, one.trial.id, one.trial.count, *change, *with_it, one.fired, one.points])
    return text.getvalue()
