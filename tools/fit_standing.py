"""What a position is worth, fitted to games: how well a game's `standing` foretells who wins, and what would do better.

    python tools/fit_standing.py influence --games 2000 --set map=small
    python tools/fit_standing.py grid --games 600

Games are played by the agent by which `search` plays on, who chooses at random now and then; some positions of each are
kept with what the game brought in the end. What a side gets is foretold by how it compares with the others: each has a
weight, the exponential of a sum of features, and gets its share of all weights (a conditional logit). It is fitted to
half of the games and judged by the other half: the mean of minus the logarithm of what was foretold for whoever won. A
game that is a toss-up costs 0.693; less is better.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from playmill import Game, State, load_game
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.rule import rule
from playmill.games.grid.agents import standing as grid_standing
from playmill.games.grid.agents.board_value import CERTAIN, total_promise
from playmill.games.influence.agents import standing as influence_standing
from playmill.games.influence.constants import DEFENDING

#: One decision in so many is made at random, and one position in so many is kept.
_LAPSE, _KEPT = 10, 12
_MOST = 6


@rule
def of_influence(workspaces: Any, told: Any, out: Any) -> None:
    """Capacity and influence, the points to come, and whose turn it is; then what `standing` says."""
    cfg, s = workspaces[0].cfg, workspaces[0].states[LIVE]
    for player in range(cfg.players):
        out[player, 0] = np.log(max(1, s.capacity[player]))
        out[player, 1] = np.log(max(1, s.total[player]))
        out[player, 2] = np.log(max(1, s.cells[player]))
        out[player, 3] = 1.0 if s.player == player and s.phase != DEFENDING else 0.0
        out[player, 4] = s.points / max(1, s.total[player]) if s.player == player and s.phase == DEFENDING else 0.0
    influence_standing(cfg, s, told)


@rule
def of_grid(workspaces: Any, told: Any, out: Any) -> None:
    """Points and promises, early and late, cards at hand, and whose turn it is; then what `standing` says."""
    cfg, s = workspaces[0].cfg, workspaces[0].states[LIVE]
    late = 1.0 - s.deck_size / 100.0
    for player in range(cfg.players):
        promised = total_promise(cfg, s, player) / CERTAIN
        out[player, 0] = s.vp[player] / 10.0
        out[player, 1] = s.vp[player] / 10.0 * late
        out[player, 2] = promised / 10.0
        out[player, 3] = promised / 10.0 * late
        out[player, 4] = np.log(10.0 + s.vp[player] + promised)
        out[player, 5] = 1.0 if s.active == player else 0.0
    grid_standing(cfg, s, told)


@dataclass(frozen=True)
class Fit:
    """What is looked at in a game."""

    names: tuple[str, ...]
    rule: Any


FITS = {
    "influence": Fit(("capacity", "influence", "cells", "attacks", "points"), of_influence),
    "grid": Fit(("vp", "vp late", "promise", "promise late", "log of all", "turn"), of_grid),
}


def gathered(
    game: Game, fit: Fit, games: int, *, players: int, changes: list[str], seed: int
) -> tuple[Any, Any, Any, Any]:
    """Features, what `standing` says, what the game brought, and in which game, of positions."""
    agent = agent_numbers(game)[game.search.rollout]
    numbers = [one.default for one in game.agents[game.search.rollout].parameters.values()]
    config = game.config().changed(changes)
    luck = np.random.default_rng(seed)
    features, said, brought, numbered = [], [], [], []
    for number in range(games):
        state = State(game, players=players, config=config, seed=seed, number=number)
        kept = 0
        while not state.is_terminal():
            if luck.integers(_KEPT) == 0:
                told, out = np.zeros(_MOST), np.zeros((_MOST, len(fit.names)))
                fit.rule(state.workspace, told, out)
                features.append(out[:players])
                said.append(told[:players])
                kept += 1
            random = luck.integers(_LAPSE) == 0
            state.apply_action(state.choice_of(0) if random else state.choice_of(agent, numbers))
        brought += [state.returns()] * kept
        numbered += [number] * kept
    return np.array(features), np.array(said), np.array(brought), np.array(numbered)


def cost(shares: Any, brought: Any) -> float:
    """Minus the logarithm of what was foretold for whoever won, on average."""
    return float(-(brought * np.log(np.clip(shares, 1e-6, 1))).sum(axis=1).mean())


def shares_of(weights: Any, features: Any) -> Any:
    """What each side is foretold."""
    score = features @ weights
    score -= score.max(axis=1, keepdims=True)
    raised = np.exp(score)
    return raised / raised.sum(axis=1, keepdims=True)


def fitted(features: Any, brought: Any) -> Any:
    """The weights that foretell best."""
    start = np.zeros(features.shape[2])
    return minimize(lambda w: cost(shares_of(w, features), brought) + 1e-4 * (w * w).sum(), start, method="BFGS").x


def main() -> None:
    """Plays, fits and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=FITS)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--players", type=int)
    parser.add_argument("--set", nargs="+", default=[], metavar="PATH=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", metavar="FILE.npz")
    given = parser.parse_args()
    fit, game = FITS[given.game], load_game(given.game)
    players = given.players or game.players[0]
    features, said, brought, numbers = gathered(
        game, fit, given.games, players=players, changes=given.set, seed=given.seed
    )
    if given.save:
        np.savez(given.save, features=features, said=said, brought=brought, numbers=numbers)
    learned, judged = numbers % 2 == 0, numbers % 2 == 1
    print(f"{given.game}: {len(features)} positions of {given.games} games")
    print(f"  standing:   {cost(said[judged], brought[judged]):.4f}")
    power = fitted(np.log(np.clip(said, 1e-9, 1))[learned][:, :, None], brought[learned])
    raised = shares_of(power, np.log(np.clip(said, 1e-9, 1))[judged][:, :, None])
    print(f"  to a power: {cost(raised, brought[judged]):.4f}  {power[0]:.2f}")
    weights = fitted(features[learned], brought[learned])
    found = "  ".join(f"{name} {weight:.2f}" for name, weight in zip(fit.names, weights, strict=True))
    print(f"  fitted:     {cost(shares_of(weights, features[judged]), brought[judged]):.4f}  {found}")


if __name__ == "__main__":
    main()
