"""`playmill agents`: lists the agents of a game and their parameters."""

from __future__ import annotations

import argparse

from playmill.cli import options as shared
from playmill.cli.command import Command, Group
from playmill.texts import Lang, Text, as_text

_ABOUT = Text("list the agents of a game and their parameters", "агенты игры и их параметры")
_TITLES = (Text("agent", "агент"), Text("what it does", "что делает"), Text("parameters", "параметры"))


def _run(options: argparse.Namespace, lang: Lang) -> int:
    """Lists the agents."""
    from rich.console import Console

    from playmill.agents import experts
    from playmill.agents.search import search_agent
    from playmill.engine.contract.game import load_game
    from playmill.report.terminal.row_layout import Column, print_rows

    game = load_game(options.game)
    columns = [Column(title.of(lang), broken=place > 0, names=place == 0) for place, title in enumerate(_TITLES)]
    rows = []
    listed = [(name, agent.about, agent.parameters) for name, agent in game.agents.items()]
    listed.append((search_agent.NAME, search_agent.ABOUT, search_agent.PARAMETERS))
    listed += [(experts.NAME, experts.ABOUT, {})] if experts.has_expert(game) else []
    for name, about, known in listed:
        parameters = [
            f"{key}={p.format(p.default)} ({p.range}): {as_text(p.about).of(lang)}" for key, p in known.items()
        ]
        parameters += [search_agent.NET.of(lang)] if name == search_agent.NAME else []
        rows.append((name, as_text(about).of(lang), "\n".join(parameters)))
    print_rows(Console(), columns, rows)
    return 0


COMMAND = Command("agents", _ABOUT, Group.LOOK, 30, shared.game, _run)
