"""Questions repeated for each of several agents (`--among`): does the answer depend on the strength of play?"""
