"""Configs of games: model, tree of settings, JSON input, input files."""
