"""Trains a network for any game by self-play (PPO, by PyTorch) and saves it as a file that `net:FILE` plays.

    python examples/learning/train.py examples/leduc --against plain --minutes 5 --save leduc.npz --mixes
    playmill tournament examples/leduc --entrants net:leduc.npz plain

Half of the games are against the agents named by `--against`, the rest against the learner itself and what it was
before. The file is the network of the stretch of rounds that won most against the agents: whoever plays against herself
goes in circles, and the last is not always the best. Everything is kept beside it, in FILE.pt, every half minute: the
same command goes on from there.
"""

from __future__ import annotations

import argparse
import copy
import math
import pickle
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tables import Decisions, Survey, Tables, survey, targets

from playmill import Game, PlaymillError, load_game
from playmill.engine.contract.game import as_config
from playmill.texts import Text, user_language

try:
    import torch
    from torch import nn
except ImportError:
    how = "pip install 'playmill[torch]'"
    lacks = Text(f"training needs PyTorch: {how}", f"для обучения нужен PyTorch: {how}")
    print(f"playmill: {lacks.of(user_language())}", file=sys.stderr)
    raise SystemExit(2) from None

#: Past selves that are remembered, and the rounds of a stretch, after which another one is.
PAST, STRETCH = 8, 20
KEEP_EVERY, TELL_EVERY = 30, 10
#: Steps of random play before the first round, to see what there is to see.
SURVEY = 200
#: How far one round may move a chance; how much what comes later is trusted; how often the same games are learned from.
CLIP, TRUST, EPOCHS = 0.2, 0.95, 3


class Network(nn.Module):
    """Layers with a rectifier behind each, on them a number for each action and what the player can expect."""

    def __init__(self, game: Game, known: Survey, width: int, layers: int) -> None:
        super().__init__()
        for name in ("shift", "scale", "marks"):
            self.register_buffer(name, torch.from_numpy(getattr(known, name)))
        sizes = [game.observation + len(known.marks)] + layers * [width]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.policy, self.value = nn.Linear(width, game.actions), nn.Linear(width, 1)
        nn.init.zeros_(self.policy.weight)  # what is never legal stays 0, and a file of zeros is small
        nn.init.zeros_(self.policy.bias)

    def forward(self, seen: torch.Tensor, may: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logarithms of the chances of actions, and what is expected, in units of what games usually bring."""
        marked = seen[:, self.marks[:, 0]] >= self.marks[:, 1]
        found = torch.cat([(seen - self.shift) * self.scale, marked.float()], dim=1)
        for layer in self.layers:
            found = torch.relu(layer(found))
        chances = self.policy(found).masked_fill(~may, -1e9).log_softmax(dim=1)
        return chances, self.value(found)[:, 0]

    def arrays(self, known: Survey) -> dict[str, Any]:
        """What a file of a network holds; its value is in the units of the game again."""
        found: dict[str, Any] = {"marks": known.marks, "shift": known.shift, "scale": known.scale}
        named = [("weight_{}", "bias_{}", layer) for layer in self.layers]
        named += [("policy_weight", "policy_bias", self.policy), ("value_weight", "value_bias", self.value)]
        for number, (weight, bias, layer) in enumerate(named):
            found[weight.format(number)] = layer.weight.detach().T.cpu().numpy().astype(np.float16)
            found[bias.format(number)] = layer.bias.detach().cpu().numpy()
        found["weight_0"][: len(known.scale)][known.scale == 0] = 0  # what never changes was never learned from
        found["value_weight"] = found["value_weight"].astype(np.float32) * np.float32(known.spread)
        found["value_bias"] = found["value_bias"] * np.float32(known.spread) + np.float32(known.usual)
        return found


class Learner:
    """A network, its past selves, and how it learns from rounds of games."""

    def __init__(self, tables: Tables, known: Survey, options: argparse.Namespace) -> None:
        self.tables, self.known, self.options = tables, known, options
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = Network(tables.game, known, options.width, options.layers).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=options.rate, eps=1e-5)
        self.past: list[dict[str, torch.Tensor]] = []
        self.scores: list[float] = []
        #: What the file holds: the network as it is, until a stretch has won something.
        self.best, self.record = self.network.state_dict(), -math.inf
        self.rounds, self.decisions, self.seconds = 0, 0, 0.0
        self.luck = np.random.default_rng(options.seed)

    def play(self) -> tuple[dict[str, torch.Tensor], float]:
        """One round of games: what is to be learned from it, and what the learner got against agents of the game."""
        steps, rounds, got = self.options.steps, [], []
        past = copy.deepcopy(self.network)
        if self.past:
            past.load_state_dict(self.past[self.luck.integers(len(self.past))])
        for _ in range(steps):
            decisions = self.tables.look()
            seen, may, action, chance, value = self._decide(decisions, past)
            rewards, ended = self.tables.step(action.cpu().numpy())
            got.append(self.tables.won(rewards, ended))
            rewards = ((rewards - self.known.usual) / self.known.spread).astype(np.float32)
            rounds.append((seen, may, action, chance, value, decisions.player, decisions.past, rewards, ended))
        after = self.tables.look()
        last = self._decide(after, past)[4].cpu().numpy()
        seen, may, action, chance, value = (torch.stack(part) for part in list(zip(*rounds, strict=True))[:5])
        player, theirs, rewards, ended = (np.stack(part) for part in list(zip(*rounds, strict=True))[5:])
        aims, sure = targets(player, value.cpu().numpy(), rewards, ended, last=(after.player, last), trust=TRUST)
        usable = torch.from_numpy(np.flatnonzero(sure & ~theirs)).to(self.device)
        aim = torch.from_numpy(aims).to(self.device)
        found = {"seen": seen, "may": may, "action": action, "chance": chance, "aim": aim, "gain": aim - value}
        lesson = {name: part.flatten(0, 1)[usable] for name, part in found.items()}
        self.decisions += len(usable)
        brought = np.concatenate(got)
        return lesson, float(brought.mean()) if brought.size else float("nan")

    @torch.no_grad()
    def _decide(self, decisions: Decisions, past: Network) -> tuple[torch.Tensor, ...]:
        """What is seen and may be done, an action, the logarithm of its chance, and what is expected."""
        seen = torch.from_numpy(decisions.seen).to(self.device)
        may = torch.from_numpy(decisions.may).to(self.device)
        chances, value = self.network(seen, may)
        theirs = torch.from_numpy(np.flatnonzero(decisions.past)).to(self.device)
        if len(theirs):
            chances[theirs] = past(seen[theirs], may[theirs])[0]
        action = torch.multinomial(chances.exp(), 1)
        return seen, may, action[:, 0], chances.gather(1, action)[:, 0], value

    def learn(self, lesson: dict[str, torch.Tensor], left: float) -> None:
        """Learns from one round; `left` is how large a part of the time is still to come."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * max(left, 0.02)
        gain = lesson["gain"]
        lesson["gain"] = (gain - gain.mean()) / (gain.std() + 1e-6)
        size = len(gain)
        for _ in range(EPOCHS):
            for rows in torch.randperm(size, device=self.device).split(max(256, size // self.options.parts)):
                part = {name: column[rows] for name, column in lesson.items()}
                chances, value = self.network(part["seen"], part["may"])
                ratio = (chances.gather(1, part["action"][:, None])[:, 0] - part["chance"]).exp()
                better = torch.min(ratio * part["gain"], ratio.clamp(1 - CLIP, 1 + CLIP) * part["gain"])
                doubt = -(chances.exp() * chances.clamp(min=-30)).sum(dim=1)
                curious = self.options.curiosity * (left if not self.options.mixes else max(left, 0.3))
                loss = (0.5 * (value - part["aim"]) ** 2 - better - curious * doubt).mean()
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()
        if self.rounds % STRETCH == 0:
            self.past = [*self.past[-PAST + 1 :], copy.deepcopy(self.network.state_dict())]
        self.rounds += 1

    def note(self, score: float) -> None:
        """Notes what a round won against agents; at the end of a stretch the best network is this one, or stays."""
        if not math.isnan(score):
            self.scores = [*self.scores[-STRETCH + 1 :], score]
        if self.rounds % STRETCH == 0 and self.score > self.record:
            self.best, self.record = copy.deepcopy(self.network.state_dict()), self.score

    @property
    def score(self) -> float:
        """What the last stretch of rounds won a game."""
        return float(np.mean(self.scores)) if self.scores else math.nan

    def playing(self) -> Network:
        """The network that the file holds."""
        found = copy.deepcopy(self.network)
        found.load_state_dict(self.best)
        return found

    def save(self, file: Path) -> None:
        """The file that plays, and beside it all that is needed to go on."""
        game, mixes = self.tables.game, int(self.options.mixes)
        aside = file.with_name(file.stem + ".part.npz")
        arrays = self.playing().arrays(self.known)
        np.savez_compressed(aside, game=game.name, version=game.version, mixes=mixes, **arrays)
        aside.replace(file)
        kept = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "past": self.past}
        kept |= {"best": self.best, "record": self.record}
        kept |= {"known": {k: torch.as_tensor(v) for k, v in self.known._asdict().items()}}
        kept |= {"rounds": self.rounds, "decisions": self.decisions, "seconds": self.seconds}
        aside = file.with_suffix(".pt.part")
        torch.save(kept, aside)
        aside.replace(file.with_suffix(".pt"))

    def go_on(self, kept: dict[str, Any]) -> None:
        """Goes on from where an earlier run was."""
        self.network.load_state_dict(kept["network"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.past, self.rounds = kept["past"], kept["rounds"]
        if kept["record"] > self.record:
            self.best, self.record = kept["best"], kept["record"]
        self.decisions, self.seconds = kept["decisions"], kept["seconds"]


def started(tables: Tables, options: argparse.Namespace) -> Learner:
    """A learner who knows nothing, or the one whose file lies there."""
    file = options.save.with_suffix(".pt")
    if not file.exists():
        return Learner(tables, survey(tables, SURVEY, np.random.default_rng(options.seed)), options)
    try:
        kept = torch.load(file, map_location="cpu", weights_only=True)
        numbers = {k: v.item() if v.ndim == 0 else v.numpy() for k, v in kept["known"].items()}
        learner = Learner(tables, Survey(**numbers), options)
        learner.go_on(kept)
    except (RuntimeError, KeyError, TypeError, EOFError, pickle.UnpicklingError):
        raise PlaymillError(
            f"{file} holds another network, or none: remove it to begin anew",
            f"в файле {file} другая сеть или вовсе не сеть: чтобы начать заново, удалите его",
        ) from None
    print(f"goes on after {learner.rounds} rounds, {learner.seconds:.0f} s", flush=True)
    return learner


def train(options: argparse.Namespace) -> Learner:
    """Trains for so many minutes, telling how it goes; what it learned is in the file all the time."""
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(options.seed)
    game = load_game(options.game)
    players = options.players or game.players[0]
    config = game.config().changed(options.set) if options.set else as_config(game, None)
    tables = Tables(game, options.games, players=players, config=config, seed=options.seed, against=options.against)
    learner = started(tables, options)
    limit, told, kept = 60 * options.minutes, 0.0, 0.0
    while learner.seconds < limit:
        begun = time.perf_counter()
        lesson, score = learner.play()
        learner.learn(lesson, 1 - learner.seconds / limit)
        learner.seconds += time.perf_counter() - begun
        learner.note(score)
        if learner.seconds > told + TELL_EVERY or learner.seconds >= limit:
            told = learner.seconds
            whom = f" against {', '.join(options.against)}" if options.against and players > 1 else ""
            got = f", {learner.score:.4f} a game{whom}" if whom or players == 1 else ""
            print(f"{told:6.0f} s, round {learner.rounds}, {learner.decisions:,} decisions{got}", flush=True)
        if learner.seconds > kept + KEEP_EVERY:
            kept = learner.seconds
            learner.save(options.save)
    learner.save(options.save)
    return learner


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number of at least 1")
    return int(text)


def _file(text: str) -> Path:
    if not text.endswith(".npz"):
        raise argparse.ArgumentTypeError(f"{text!r}; expected the name of a file FILE.npz")
    return Path(text)


def main(arguments: list[str] | None = None) -> int:
    """Trains as the command line says."""
    try:
        train(read(arguments))
    except (PlaymillError, OSError) as error:
        told = error.text.of(user_language()) if isinstance(error, PlaymillError) else str(error)
        print(f"playmill: {told}", file=sys.stderr)
        return 2
    return 0


def read(arguments: list[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game's name or folder")
    parser.add_argument("--save", type=_file, required=True, metavar="FILE.npz")
    parser.add_argument("--against", nargs="*", default=[], metavar="AGENT", help="compiled agents to beat")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--players", type=int)
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE", help="numbers of the rules")
    parser.add_argument("--mixes", action="store_true", help="draws by chances, as games with bluffs want it")
    parser.add_argument("--games", type=_count, default=1024, help="games in step")
    parser.add_argument("--steps", type=_count, default=64, help="decisions of each in a round")
    parser.add_argument("--parts", type=_count, default=8, help="parts in which a round is learned")
    parser.add_argument("--width", type=_count, default=128, help="neurons of a layer")
    parser.add_argument("--layers", type=_count, default=2)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--curiosity", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
