"""Writes the golden playthroughs anew: `make golden`. Look at the difference before you keep it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playmill.engine.contract.game import game_names, load_game
from playmill.lab.replays.narration import playthrough

FOLDER = Path(__file__).parent.parent / "tests" / "playthroughs"

#: Notable set-ups of each game beside the default one: name, players, agents, seed, changes of the config.
NOTABLE: dict[str, list[tuple[str, int, list[str], int, list[str]]]] = {
    "dice": [
        ("threshold-greedy", 2, ["threshold", "greedy"], 1, []),
        (
            "content",
            2,
            ["random"],
            2,
            [
                "target_score=2000",
                'global_modifiers=["five_groats","town_tax"]',
                'players.0.items=["bust_shield","double_next_save","sleight_of_hand"]',
                'players.1.dice=["loaded_ones","fair","fair","evil","fair","fair"]',
                'players.1.items=["nimble_fingers","jesters_cap"]',
            ],
        ),
        (
            "cheats-evening",
            2,
            ["random"],
            4,
            ["kit=cheats_evening", "target_score=1200", "hot_dice_must_roll=true", "global_items=sealing_wax"],
        ),
    ],
    "dimensions": [
        ("baseline", 3, ["dealer"], 1, ["mode=baseline"]),
        ("epic-5", 5, ["tactical", "dealer", "random", "tactical", "dealer"], 2, []),
        ("all-anomalies", 4, ["random"], 3, ["anomalies_in_deck=5"]),
        ("strategic-3", 3, ["strategic", "tactical", "dealer"], 4, []),
    ],
    "influence": [
        (
            "hexagon-6",
            6,
            ["greedy", "cautious", "random", "greedy", "cautious", "random"],
            1,
            ["map=hexagon", "round_limit=8"],
        ),
    ],
    "save_oneself": [
        ("survivor", 1, ["survivor"], 11, []),
        ("search", 1, ["search:iterations=200"], 2, []),
        ("two-moves", 1, ["random"], 3, ["moves=2", "tornado_at=6", "lives=30"]),
        ("mirage", 1, ["survivor"], 19247, []),
        ("last-card", 1, ["random"], 214, ["lose_on_empty_deck=true", "lives=40", "moves=3"]),
    ],
    "grid": [
        ("greedy-3", 3, ["greedy", "disruptor", "random"], 1, []),
        ("easy-deck", 2, ["random"], 2, ["game.deck.ranks=[1]", f"game.deck.shapes={list(range(1, 19))}"]),
    ],
}


def playthroughs(name: str) -> dict[str, str]:
    """File name → text of every golden playthrough of a game."""
    game = load_game(name)
    plans: list[tuple[str, int, list[str], int, list[str]]] = [("default", game.players[0], ["random"], 0, [])]
    made = {}
    for label, players, agents, seed, changes in plans + NOTABLE.get(name, []):
        config = game.config().changed(changes)
        head = f"# {name} {label}: {players} players, agents {' '.join(agents)}, seed {seed} {' '.join(changes)}"
        settings: dict[str, Any] = {"players": players, "agents": agents, "seed": seed, "config": config}
        lines = [head.rstrip(), *playthrough(game, **settings)]
        made[f"{name}-{label}.txt"] = "\n".join(lines) + "\n"
    return made


def main() -> None:
    """Writes every file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in game_names():
        for file, text in playthroughs(name).items():
            (FOLDER / file).write_text(text, encoding="utf-8")
            print(f"{file}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
