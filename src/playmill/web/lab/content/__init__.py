"""Editor of a game's content: a form made from its JSON Schema, with description, mistakes and worth."""
