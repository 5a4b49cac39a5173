"""The reference of the Python API, made from the sources: signatures as they are written, docstrings as they stand."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import playmill
from playmill.texts import Lang, Text

#: The pages, their titles, and what stands on each: a public name, or `module:name` of what public functions return.
PAGES: dict[str, tuple[Text, tuple[str, ...]]] = {
    "1_lab": (
        Text("The laboratory", "Лаборатория"),
        (
            "simulate",
            "simulate_each",
            "simulate_until_sure",
            "levels",
            "compare",
            "compare_each",
            "sweep",
            "sweep_each",
            "tune",
            "learn",
            "tournament",
            "audit",
            "audit_each",
            "sql",
        ),
    ),
    "2_found": (
        Text("What is found", "Что найдено"),
        (
            "Simulation",
            "playmill.lab.decide.simulate_each:SideBySide",
            "playmill.lab.decide.compare:Comparison",
            "playmill.lab.decide.sweep.report:Sweep",
            "playmill.lab.decide.tune.result:Tuning",
            "playmill.lab.learn.result:Learned",
            "playmill.lab.contests.tournament.run:Tournament",
            "playmill.lab.audit.run:Audit",
            "playmill.lab.decide.each_agent.compare_each:ComparisonEach",
            "playmill.lab.decide.each_agent.sweep_each:SweepEach",
            "playmill.lab.decide.each_agent.audit_each:AuditEach",
            "playmill.report.commands.until_sure:Sure",
            "playmill.stats.differences:Difference",
            "playmill.stats.estimates:Estimate",
            "playmill.report.model.tables:Table",
            "playmill.report.model.tables:RunInfo",
        ),
    ),
    "3_games": (
        Text("Games, step by step", "Игры шаг за шагом"),
        ("game_names", "load_game", "Game", "State", "Batch", "check_game"),
    ),
    "4_agents": (Text("Agents", "Агенты"), ("Decision", "Option", "CompiledAgent", "Parameter", "SearchPlan")),
    "5_authors": (
        Text("For authors of games", "Авторам игр"),
        (
            "rule",
            "interpreted",
            "Text",
            "PlaymillError",
            "playmill.engine.config.model:RuleConfig",
            "playmill.engine.config.model:setting",
            "playmill.engine.contract.observation_docs:Seen",
        ),
    ),
}
_HEAD = Text(
    "Made from the docstrings of Playmill {}.",
    "Составлено по строкам документации Playmill {}; в коде они на английском.",
)


def pages(lang: Lang) -> dict[str, str]:
    """The pages of the reference by their names."""
    head = _HEAD.of(lang).format(playmill.__version__)
    return {
        name: "\n".join([f"# {title.of(lang)}", "", head, "", *(line for one in names for line in _told(one))])
        for name, (title, names) in PAGES.items()
    }


def _told(name: str) -> Iterator[str]:
    module, _, inner = name.rpartition(":")
    found = getattr(importlib.import_module(module or "playmill"), inner)
    home = inspect.getmodule(inspect.unwrap(found))
    assert home is not None and home.__file__ is not None
    called = found.__name__ if hasattr(found, "__name__") else inner
    where = home.__name__ if module else "playmill"
    node, lines = _definition(home.__file__, called)
    yield f"## `{inner}` {{#{inner.lower()}}}"
    yield ""
    yield f'<span class="pm-kind">`from {where} import {inner}`</span>'
    yield ""
    if isinstance(node, ast.FunctionDef):
        yield from _function(node)
    elif isinstance(node, ast.ClassDef):
        yield from _class(node, lines)


@cache
def _definitions(file: str) -> tuple[dict[str, ast.stmt], list[str]]:
    text = Path(file).read_text(encoding="utf-8")
    found = [node for node in ast.parse(text).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
    return {node.name: node for node in found}, text.splitlines()


def _definition(file: str, name: str) -> tuple[ast.stmt, list[str]]:
    found, lines = _definitions(file)
    return found[name], lines


def _function(node: ast.FunctionDef, owner: str = "") -> Iterator[str]:
    arguments = [*node.args.posonlyargs, *node.args.args]
    if owner and not any(ast.unparse(one) == "staticmethod" for one in node.decorator_list):
        arguments = arguments[1:]
    missing = len(arguments) - len(node.args.defaults)
    parts = [
        _argument(one, None if place < missing else node.args.defaults[place - missing])
        for place, one in enumerate(arguments)
    ]
    if node.args.vararg:
        parts.append(f"*{_argument(node.args.vararg)}")
    elif node.args.kwonlyargs:
        parts.append("*")
    parts += [_argument(one, usual) for one, usual in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]
    parts += [f"**{_argument(node.args.kwarg)}"] if node.args.kwarg else []
    name = owner if node.name == "__init__" else node.name
    gives = f" -> {ast.unparse(node.returns)}" if node.returns is not None and node.name != "__init__" else ""
    line = f"{name}({', '.join(parts)}){gives}"
    shown = line if len(line) <= 90 else f"{name}(\n    " + ",\n    ".join(parts) + f",\n){gives}"
    yield f"```python\n{shown}\n```"
    yield ""
    yield ast.get_docstring(node) or ""
    yield ""


def _argument(one: ast.arg, usual: ast.expr | None = None) -> str:
    told = one.arg + (f": {ast.unparse(one.annotation)}" if one.annotation is not None else "")
    return told if usual is None else f"{told} = {ast.unparse(usual)}"


def _class(node: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    yield ast.get_docstring(node) or ""
    yield ""
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    for one in methods:
        if one.name == "__init__":
            yield from _function(one, owner=node.name)
    fields = [
        one for one in node.body if isinstance(one, ast.AnnAssign) and not ast.unparse(one.target).startswith("_")
    ]
    for field in fields:
        yield f"- `{ast.unparse(field.target)}: {ast.unparse(field.annotation)}`{_comment(lines, field)}"
    yield ""
    for one in methods:
        if one.name.startswith("_"):
            continue
        kinds = {ast.unparse(decorator) for decorator in one.decorator_list}
        yield f"### `{node.name}.{one.name}`"
        yield ""
        if kinds & {"property", "cached_property"}:
            gives = ast.unparse(one.returns) if one.returns is not None else ""
            yield f"```python\n{one.name}: {gives}\n```"
            yield ""
            yield ast.get_docstring(one) or ""
            yield ""
        else:
            yield from _function(one, owner=node.name)


def _comment(lines: list[str], field: ast.AnnAssign) -> str:
    """What is said of a field in the lines over it (`#: …`) or behind it."""
    place, said = field.lineno - 2, list[str]()
    while lines[place].strip().startswith("#:"):
        said.insert(0, lines[place].strip().removeprefix("#:").strip())
        place -= 1
    behind = lines[(field.end_lineno or field.lineno) - 1].partition("  # ")[2]
    told = " ".join(said) or behind
    return f" — {told}" if told else ""
