"""Exports policies trained with PyTorch or Stable-Baselines3 to a file that plays: `net:FILE.npz`.

    export_policy(model, "mine.npz")  # PPO, A2C or MaskablePPO that learnt in a GameVecEnv
    export_modules("mine.npz", game, policy=torch.nn.Sequential(…))

A file knows layers with a rectifier behind each. A layer with tanh becomes several neurons with a rectifier for each of
its own: straight lines between points of the curve, as many as there is room for. So a network of rectifiers plays
exactly as it was trained but for rounding, and one of tanh almost.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.contract.game import Game, as_game
from playmill.engine.kernels.network import MOST_WIDTH
from playmill.texts import PlaymillError

Array = np.ndarray[Any, np.dtype[np.float64]]
#: Rectifiers for a neuron with tanh: at most and at least.
_PIECES, _FEWEST = 16, 4
#: Beyond this tanh is as good as constant.
_FLAT = 3.0


class Layer(NamedTuple):
    """A layer: a column of weights for each neuron, biases, and what stands behind it: "relu", "tanh" or "none"."""

    weight: Array
    bias: Array
    activation: str = "none"


def export_policy(
    model: Any, path: str | Path, *, game: Game | str | None = None, mixes: bool = False, scale: Any = None
) -> None:
    """Writes the policy of a model of Stable-Baselines3 (MlpPolicy) to a file that plays.

    The game, and what it divides what is seen by, are those of the `GameVecEnv` that the model learnt in, unless they
    are given. With `mixes` actions are drawn by their chances, else the likeliest one is taken.
    """
    env = _innermost(model.get_env())
    if game is None and not hasattr(env, "games"):
        raise PlaymillError(
            "the model did not learn in a GameVecEnv: say which game it plays, game=…",
            "модель училась не в GameVecEnv: скажите, какая это игра, game=…",
        )
    played = as_game(game) if game is not None else env.game
    divided = np.asarray(scale if scale is not None else getattr(env, "scale", 1.0), np.float64)
    divided = np.broadcast_to(divided, (played.observation,))
    shift, factor = np.zeros(played.observation), 1 / divided
    normal = model.get_vec_normalize_env()
    if normal is not None and normal.norm_obs:
        deviation = np.sqrt(normal.obs_rms.var + normal.epsilon)
        shift, factor = normal.obs_rms.mean * divided, factor / deviation
    policy = model.policy
    extractor = policy.mlp_extractor
    write_network(
        path,
        played,
        policy=layers_of([*extractor.policy_net, policy.action_net]),
        value=layers_of([*extractor.value_net, policy.value_net]),
        shift=shift,
        scale=factor,
        mixes=mixes,
    )


def export_modules(
    path: str | Path,
    game: Game | str,
    *,
    policy: Any,
    value: Any = None,
    shift: Any = 0.0,
    scale: Any = 1.0,
    mixes: bool = False,
) -> None:
    """Writes modules of PyTorch, each a Sequential of Linear, ReLU and Tanh, to a file that plays.

    They were given (what is seen - `shift`) * `scale`. The last layer of `policy` has a number for each action, that of
    `value` one number, in what the game pays.
    """
    found = as_game(game)
    write_network(
        path,
        found,
        policy=layers_of(policy),
        value=None if value is None else layers_of(value),
        shift=np.broadcast_to(np.asarray(shift, np.float64), (found.observation,)),
        scale=np.broadcast_to(np.asarray(scale, np.float64), (found.observation,)),
        mixes=mixes,
    )


def layers_of(modules: Iterable[Any]) -> list[Layer]:
    """Reads the layers of modules of PyTorch; raises if there is one that a file cannot have."""
    layers: list[Layer] = []
    for module in modules:
        kind = type(module).__name__
        if kind == "Linear":
            weight = module.weight.detach().cpu().numpy().astype(np.float64).T
            bias = module.bias.detach().cpu().numpy() if module.bias is not None else np.zeros(weight.shape[1])
            layers.append(Layer(weight, bias.astype(np.float64)))
        elif kind in ("ReLU", "Tanh") and layers and layers[-1].activation == "none":
            layers[-1] = layers[-1]._replace(activation=kind.lower())
        elif kind not in ("Identity", "Flatten", "Dropout"):
            raise PlaymillError(
                f"a file of a network has no {kind}: expected Linear layers with ReLU or Tanh behind each",
                f"в файле сети нет {kind}: нужны слои Linear, за каждым — ReLU или Tanh",
            )
    if not layers or any(layer.activation == "none" for layer in layers[:-1]) or layers[-1].activation != "none":
        raise PlaymillError(
            "expected Linear layers with ReLU or Tanh behind each but the last",
            "нужны слои Linear, за каждым, кроме последнего, — ReLU или Tanh",
        )
    return layers


def write_network(
    path: str | Path,
    game: Game,
    *,
    policy: Sequence[Layer],
    value: Sequence[Layer] | None,
    shift: Array,
    scale: Array,
    mixes: bool,
) -> None:
    """Writes layers of a policy and of a value, which need not share any, as one network of rectifiers."""
    _check_sizes(game, policy, actions=game.actions)
    if value is not None:
        _check_sizes(game, value, actions=1)
        # Side by side they may be wider than a file allows: then nobody is told what to expect, and it plays the same.
        value = value if len(value) == len(policy) and _fits_beside(policy, value) else None
    pieces = min(_PIECES, MOST_WIDTH // max(len(layer.bias) for layer in policy[:-1])) if len(policy) > 1 else 1
    if value is not None:
        both = [len(a.bias) + len(b.bias) for a, b in zip(policy[:-1], value[:-1], strict=True)]
        pieces = min(pieces, MOST_WIDTH // max(both, default=1))
    arrays: dict[str, Any] = {"game": game.name, "version": game.version, "mixes": int(mixes)}
    arrays |= {"shift": np.asarray(shift, np.float64), "scale": np.asarray(scale, np.float64)}
    columns = [_rectified(one, pieces) for one in (policy, value) if one is not None]
    for depth in range(len(policy) - 1):
        parts = [column[depth] for column in columns]
        weights = [part.weight for part in parts]
        arrays[f"weight_{depth}"] = np.concatenate(weights, axis=1) if depth == 0 else _side_by_side(weights)
        arrays[f"bias_{depth}"] = np.concatenate([part.bias for part in parts])
    width = len(arrays[f"bias_{len(policy) - 2}"])
    action = columns[0][-1]
    arrays["policy_weight"] = np.zeros((width, game.actions))
    arrays["policy_weight"][: len(action.weight)], arrays["policy_bias"] = action.weight, action.bias
    arrays["value_weight"], arrays["value_bias"] = np.zeros((width, 1)), np.zeros(1)
    if value is not None:
        expected = columns[1][-1]
        arrays["value_weight"][width - len(expected.weight) :] = expected.weight
        arrays["value_bias"] = expected.bias
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    Path(path).write_bytes(file.getvalue())


def _check_sizes(game: Game, layers: Sequence[Layer], *, actions: int) -> None:
    sizes = [layers[0].weight.shape[0], *(len(layer.bias) for layer in layers)]
    if len(layers) < 2 or (sizes[0], sizes[-1]) != (game.observation, actions):
        shown = " → ".join(map(str, sizes))
        raise PlaymillError(
            f"{game.name}: a network of {shown} numbers does not fit; expected {game.observation} → … → {actions}",
            f"{game.name}: сеть {shown} не подходит; нужно {game.observation} → … → {actions}",
        )
    widest = max(len(layer.bias) for layer in layers[:-1])
    curved = any(layer.activation == "tanh" for layer in layers)
    most = MOST_WIDTH // _FEWEST if curved else MOST_WIDTH
    if widest > most:
        raise PlaymillError(
            f"a layer of {widest} neurons is too wide for a file; at most {most}" + (" with tanh" if curved else ""),
            f"слой из {widest} нейронов слишком широк для файла; можно до {most}" + (" с tanh" if curved else ""),
        )


def _fits_beside(policy: Sequence[Layer], value: Sequence[Layer]) -> bool:
    """Whether both columns have room in one file, and tanh, if there is any, the pieces that it would have alone."""
    widest = max(len(a.bias) + len(b.bias) for a, b in zip(policy[:-1], value[:-1], strict=True))
    curved = any(layer.activation == "tanh" for layer in (*policy, *value))
    return widest * (_PIECES if curved else 1) <= MOST_WIDTH


def _rectified(layers: Sequence[Layer], pieces: int) -> list[Layer]:
    """The same network with rectifiers alone: tanh becomes straight pieces, whose weights the next layer takes."""
    made: list[Layer] = []
    spread, offset = np.ones(1), 0.0
    for layer in layers:
        # What the layer before it handed on was offset + the sum of its rectifiers, each times its slope.
        weight: Array = np.kron(layer.weight, spread[:, None]).astype(np.float64)
        bias = layer.bias + offset * layer.weight.sum(axis=0)
        spread, offset = np.ones(1), 0.0
        if layer.activation == "tanh":
            knots, spread, offset = tanh_pieces(pieces)
            weight = np.repeat(weight, len(knots), axis=1)
            bias = np.repeat(bias, len(knots)) - np.tile(knots, len(layer.bias))
        made.append(Layer(weight, bias, "relu" if layer.activation != "none" else "none"))
    return made


def tanh_pieces(pieces: int) -> tuple[Array, Array, float]:
    """Knots, slopes and an offset with tanh(z) ≈ offset + Σ slope * max(0, z - knot), denser where it is curved."""
    fine = np.linspace(-_FLAT, _FLAT, 4001)
    curved = np.sqrt(np.abs(2 * np.tanh(fine) * (1 - np.tanh(fine) ** 2))) + 1e-3
    along = np.concatenate([[0.0], np.cumsum((curved[1:] + curved[:-1]) / 2)])
    knots = np.interp(np.linspace(0, along[-1], pieces), along, fine)
    # The best values at the knots, not those of the curve itself: chords would lie on one side of it.
    hats = np.array([np.interp(fine, knots, row) for row in np.eye(pieces)]).T
    values = np.linalg.lstsq(hats, np.tanh(fine), rcond=None)[0]
    values = (values - values[::-1]) / 2
    slopes = np.diff(np.concatenate([[0.0], np.diff(values) / np.diff(knots), [0.0]]))
    return knots, slopes, float(values[0])


def _side_by_side(weights: Sequence[Array]) -> Array:
    """Layers that have nothing to do with each other, as one."""
    made = np.zeros((sum(len(one) for one in weights), sum(one.shape[1] for one in weights)))
    row = column = 0
    for one in weights:
        made[row : row + one.shape[0], column : column + one.shape[1]] = one
        row, column = row + one.shape[0], column + one.shape[1]
    return made


def _innermost(env: Any) -> Any:
    """The environment inside all wrappers."""
    while hasattr(env, "venv"):
        env = env.venv
    return env
