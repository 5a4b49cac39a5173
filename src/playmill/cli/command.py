"""The `Command` that every module of `cli/commands` defines, and the groups of the help."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from playmill.cli.parser import Parser
from playmill.texts import Lang, Text


class Group(Enum):
    """Groups of commands, in the order of the help."""

    LOOK = Text("look at the games", "посмотреть, какие есть игры")
    PLAY = Text("play a game and watch it", "сыграть партию и посмотреть её")
    MEASURE = Text("play many games and measure", "сыграть много партий и измерить")
    RUNS = Text("kept runs", "сохранённые прогоны")
    MAKE = Text("make your own", "сделать своё")


class Command(NamedTuple):
    """A command: its name, description, group, options, and the function that runs it.

    `place` orders the commands of a group. `run` returns the exit status.
    """

    name: str
    about: Text
    group: Group
    place: int
    options: Callable[[Parser], None]
    run: Callable[[argparse.Namespace, Lang], int]
