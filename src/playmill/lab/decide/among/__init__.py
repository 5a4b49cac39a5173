"""The same question asked among each of some agents: does the answer depend on the strength of play?"""
