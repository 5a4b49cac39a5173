"""Finds a game's modules in its folder: each is a file, or a package of the same name."""

from __future__ import annotations

from pathlib import Path


def holds_module(folder: Path, name: str) -> bool:
    """Returns whether a folder holds a module of that name: as a file, or as a package."""
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()


def holds_game(folder: Path) -> bool:
    """Returns whether a folder is a game: it is one because of its rules."""
    return holds_module(folder, "rules")
