"""The notebooks: every cell runs and shows what it ends with, no outputs are kept, both languages do the same."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from docsite.notebooks import cells_of, notebooks, pages

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent
NAMES = sorted({path.name.split(".")[0] for path in notebooks(ROOT)})


def code(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in cells_of(path) if cell["cell_type"] == "code"]


def run(cell: str, names: dict[str, Any]) -> Any:
    """Executes a cell as a notebook does: the value of its last line, if that is an expression."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_runs_and_what_it_ends_with_shows_itself(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    names: dict[str, Any] = {"__name__": "__main__"}
    shown = 0
    for cell in code(ROOT / "notebooks" / f"{name}.en.ipynb"):
        found = run(cell.replace("../examples/pig", str(ROOT / "examples" / "pig")), names)
        drawing = getattr(found, "_repr_html_", None) or getattr(found, "_repr_svg_", None)
        shown += "<" in str(drawing()) if drawing is not None else 0
    assert shown >= 1


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_code_and_no_outputs(name: str) -> None:
    english, russian = (ROOT / "notebooks" / f"{name}.{lang}.ipynb" for lang in ("en", "ru"))
    assert code(english) == code(russian)
    assert len(cells_of(english)) == len(cells_of(russian))
    for path in (english, russian):
        saved = json.loads(path.read_text(encoding="utf-8"))
        assert (saved["nbformat"], saved["metadata"]["language_info"]["name"]) == (4, "python")
        for cell in saved["cells"]:
            assert cell.get("outputs", []) == [] and cell.get("execution_count") is None
            assert all(line.endswith("\n") for line in cell["source"][:-1])
    assert any("а" <= sign <= "я" for sign in russian.read_text(encoding="utf-8"))


def test_there_are_three_and_all_are_pages_of_the_site() -> None:
    assert NAMES == ["1_balance_a_game", "2_write_an_agent", "3_write_a_game"]
    for lang in ("en", "ru"):
        assert list(pages(ROOT, lang)) == NAMES
        assert all(page.startswith("# ") for page in pages(ROOT, lang).values())
