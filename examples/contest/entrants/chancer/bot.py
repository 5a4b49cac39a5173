"""A bot for any game: it takes one of its options by the chance that it is handed."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "Chancer"}), flush=True)
    elif message["type"] == "act":
        index = message["random"] % len(message["options"])
        print(json.dumps({"type": "answer", "number": message["number"], "index": index}), flush=True)
    elif message["type"] == "quit":
        break
