"""A bot for Pig: it holds at 25 points, or when that wins."""

import json
import sys

seat = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        seat = message["seat"]
        print(json.dumps({"type": "ready", "name": "Patient"}), flush=True)
    elif message["type"] == "act":
        seen = message["seen"]
        enough = min(25, seen["target"] - seen["totals"][seat])
        wanted = "hold" if seen["pot"] >= enough else "roll"
        index = next(option["index"] for option in message["options"] if option["text"] == wanted)
        print(json.dumps({"type": "answer", "number": message["number"], "index": index}), flush=True)
    elif message["type"] == "quit":
        break
