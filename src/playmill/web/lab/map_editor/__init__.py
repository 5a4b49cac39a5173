"""Editor in which a setting of a game is drawn, such as a map."""
