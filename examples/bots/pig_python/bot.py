"""A bot for Pig that needs nothing but Python: holds at 20, earlier if that wins, later if the other is almost there.

playmill simulate examples/pig --agents program:examples/bots/pig_python threshold
"""

import json
import sys


def choose(seen: dict, seat: int) -> str:
    """What to do: the pot is kept when another roll would lose more than it wins."""
    mine = seen["totals"][seat]
    best = max(total for place, total in enumerate(seen["totals"]) if place != seat)
    if mine + seen["pot"] >= seen["target"]:
        return "hold"
    # Whoever will lose on the next turn anyway goes for everything.
    enough = 20 if best + 20 < seen["target"] else seen["target"] - mine
    return "hold" if seen["pot"] >= enough else "roll"


def main() -> None:
    """Reads a message a line, and answers those that ask for something."""
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            seat = message["seat"]
            answer = {"type": "ready", "name": "Patience"}
        elif message["type"] == "act":
            wanted = choose(message["seen"], seat)
            index = next(option["index"] for option in message["options"] if option["text"] == wanted)
            answer = {"type": "answer", "number": message["number"], "index": index}
        elif message["type"] == "quit":
            return
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
