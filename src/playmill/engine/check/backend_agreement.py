"""Checks that compiled rules agree with interpreted ones: the same games and counts, observations, returns and deals.

Compiling is what a check costs most, so each rule is compiled once: those that play games as part of the loop that
`simulate` runs next, the others as one entry point of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import addressof, c_char
from typing import Any

import numpy as np

from playmill.engine.check.agent_games import AgentGames
from playmill.engine.check.findings import SEED, CheckedGame, demand
from playmill.engine.compile.game_kernels import cache_entry_points, entry_points_of, specialiser
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, hides_nothing
from playmill.engine.kernels.placeholders import conceal, observe, returns
from playmill.engine.kernels.play import LIVE
from playmill.engine.kernels.step import HIDE, PAY, SEE, table_at
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rule import record_at, rule
from playmill.engine.run.backends import Cpu, add_counts
from playmill.engine.run.stepper import Steps, new_stepper, step_layout
from playmill.texts import Text

#: In so many positions of a game the two are compared.
_POSITIONS = 40


def check_backends(played: Sequence[AgentGames]) -> None:
    """Every agent's games come out alike, interpreted and compiled."""
    for one in played:
        doubt, match = _doubt(one.match.game), one.match
        fast = Cpu(match).play(0, len(one.rows))
        demand(
            fast.rows.tobytes() == one.rows.tobytes(),
            f"{one.agent}: interpreted and compiled games come out otherwise{doubt.en}",
            f"{one.agent}: партии в интерпретаторе и скомпилированные расходятся{doubt.ru}",
        )
        counts: RecordArray = np.zeros(2, match.game.tally)
        for place, counted in enumerate((fast.counts, one.counts)):
            add_counts(counts[place : place + 1], counted)
        demand(
            bool(counts[0] == counts[1]),
            f"{one.agent}: interpreted and compiled counts differ",
            f"{one.agent}: подсчёты в интерпретаторе и скомпилированные расходятся",
        )


@rule
def look(address: int, what: int, player: int) -> int:
    """Asks a rule that no loop of `simulate` has about the game at an address (see `ask` in `step.py`)."""
    table = table_at(address)
    s = table.workspace.states[LIVE]
    if what == SEE:
        observe(table.workspace.cfg, s, player, table.seen)
    elif what == PAY:
        returns(table.workspace.cfg, s, table.paid)
    else:
        conceal(table.workspace.cfg, s, player, table.workspace.conceal_rng)
    return 0


def check_looks(game: Game, config: RuleConfig, players: int) -> None:
    """What is seen, dealt anew and paid comes out alike, interpreted and compiled, in positions of one game."""
    if compiler.is_off():
        return
    made = specialiser(game)
    made.replace(table_at, record_at(step_layout(game).kind))
    entry_points = entry_points_of(made, look)
    cache_entry_points(game, "check", entry_points)
    compiled = entry_points.look.numbers(3)
    checked = CheckedGame(game, config, players, 0)
    with checked.located_errors():
        live = new_stepper(game, config, players, interpreted=True)
        options, positions = live.begin(SEED, 0), 0
        while options > 0 and positions < _POSITIONS:
            _compare(checked, live, compiled)
            positions += 1
            options = live.step(live.chance(options) if options > 1 else live.ids[0])
        _compare(checked, live, compiled)


def _compare(checked: CheckedGame, live: Steps, compiled: Any) -> None:
    """Asks both of a position."""
    questions = [("observe", SEE, player) for player in range(checked.players)]
    if not hides_nothing(checked.game):
        questions += [("conceal", HIDE, player) for player in range(-1, checked.players)]
    questions += [("returns", PAY, 0)] if live.mover[0] < 0 else []
    live.workspace["conceal_rng"]["stream"][0, 0] = np.uint64(checked.decision)
    for name, what, player in questions:
        twin, memory = live.copy(), bytearray(live.memory())
        layout = step_layout(checked.game)
        if what == SEE:
            twin.see(player)
            layout.seen.of(memory)[:] = 0
        elif what == PAY:
            twin.pay()
            layout.paid.of(memory)[:] = 0
        else:
            twin.hide(player)
        compiled(addressof(c_char.from_buffer(memory)), what, player)
        doubt = _doubt(checked.game)
        checked.demand(
            twin.memory() == bytes(memory),
            f"{name} comes out otherwise interpreted and compiled, for player {player}{doubt.en}",
            f"{name} в интерпретаторе и скомпилированная расходятся, для игрока {player}{doubt.ru}",
            by=name,
        )
    checked.decision += 1


def _doubt(game: Game) -> Text:
    """A hint at why games may come out differently when compiled."""
    kinds = (game.state, game.outcome)
    unsigned = ", ".join(name for kind in kinds for name in kind.names or () if kind[name].base.kind == "u")
    return Text(
        f" (a difference of unsigned numbers is huge to the compiler; unsigned fields: {unsigned})" if unsigned else "",
        f" (разность беззнаковых чисел для компилятора огромна; поля без знака: {unsigned})" if unsigned else "",
    )
