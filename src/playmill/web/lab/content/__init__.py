"""Content in a form: a piece of it made from the game's own schema, its sentence, its mistakes and its worth."""
