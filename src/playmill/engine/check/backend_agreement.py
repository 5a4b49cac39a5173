"""Checks that compiled rules agree with interpreted ones: the same games, the same counts, and batches that end."""

from __future__ import annotations

import numpy as np

from playmill.engine.check.decisions import ENDLESS
from playmill.engine.check.findings import SEED, CheckedGame, CheckError, demand
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.backends import Cpu, Interpreted, add_counts
from playmill.engine.run.batch import Batch
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Chunk, Match
from playmill.texts import PlaymillError, Text


def check_batch(game: Game, config: RuleConfig, players: int) -> None:
    """Games of a batch end, and its masks are its options."""
    batch = Batch(game, 5, players=players, config=config, seed=SEED)
    for _ in range(ENDLESS):
        if batch.terminated.all():
            break
        mask = batch.legal_action_mask
        demand(
            bool((mask.sum(axis=1) == batch.legal_counts).all()),
            "the mask does not agree with the list of options",
            "маска не совпадает со списком вариантов",
        )
        batch.step(batch.legal_action(batch.legal_counts // 2))
    demand(bool(batch.terminated.all()), "a game of a batch does not end", "партия пачки не кончается")


def _strictly(match: Match, agent: str, games: int) -> Chunk:
    """A few games in which every answer is checked against the options."""
    try:
        return Interpreted(match, strict=True).play(0, games)
    except PlaymillError as error:
        message = error.text
        raise CheckError(
            Text(
                f"the agent {agent} must choose legal actions ({message.en})",
                f"агент {agent} должен выбирать допустимые действия ({message.ru})",
            )
        ) from None


def _doubt(game: Game) -> Text:
    """A hint at why games may come out differently when compiled."""
    kinds = (game.state, game.outcome)
    unsigned = ", ".join(name for kind in kinds for name in kind.names or () if kind[name].base.kind == "u")
    return Text(
        f" (a difference of unsigned numbers is huge to the compiler; unsigned fields: {unsigned})" if unsigned else "",
        f" (разность беззнаковых чисел для компилятора огромна; поля без знака: {unsigned})" if unsigned else "",
    )


def check_backends(game: Game, config: RuleConfig, players: int, *, games: int = 3) -> None:
    """Every agent's games come out alike, interpreted and compiled."""
    doubt = _doubt(game)
    for number, (name, agent) in enumerate(game.agents.items()):
        params = tuple(parameter.default for parameter in agent.parameters.values())
        seats = (number,) * players
        lookup_tables = load_lookup_tables(game, config, seats)
        match = Match(game, config, players, 3, seats, (0,) * players, (params,) * players, lookup_tables)
        with CheckedGame(game, config, players, 0).located_errors():
            # First: the interpreter knows the ends of arrays and of narrow numbers, which compiled code runs over.
            slow = _strictly(match, name, games)
        fast = Cpu(match).play(0, games)
        demand(
            fast.rows.tobytes() == slow.rows.tobytes(),
            f"{name}: interpreted and compiled games come out otherwise{doubt.en}",
            f"{name}: партии в интерпретаторе и скомпилированные расходятся{doubt.ru}",
        )
        counts: RecordArray = np.zeros(2, game.tally)
        for place, chunk in enumerate((fast, slow)):
            add_counts(counts[place : place + 1], chunk.counts)
        demand(
            bool(counts[0] == counts[1]),
            f"{name}: interpreted and compiled counts differ",
            f"{name}: подсчёты в интерпретаторе и скомпилированные расходятся",
        )
