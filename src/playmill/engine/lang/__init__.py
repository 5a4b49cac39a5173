"""The language of rules: `@rule`, records, random number streams, bit sets; imports nothing else of the engine."""
