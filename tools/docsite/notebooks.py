"""Notebooks as pages of the site: their words in one language, their code as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playmill.texts import Lang, Text

_FILE = Text("The notebook itself: [{}]({}).", "Сама тетрадь: [{}]({}).")


def notebooks(root: Path) -> list[Path]:
    """All notebooks, in their order."""
    return sorted((root / "notebooks").glob("*.ipynb"))


def cells_of(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook."""
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def pages(root: Path, lang: Lang) -> dict[str, str]:
    """The notebooks in a language by their names, which end in `.en` or `.ru`."""
    made = {}
    for path in notebooks(root):
        name, _, spoken = path.stem.rpartition(".")
        if spoken == lang:
            made[name] = _page(path, path.relative_to(root).as_posix(), lang)
    return made


def _page(path: Path, name: str, lang: Lang) -> str:
    parts = []
    for cell in cells_of(path):
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    head, _, rest = "\n\n".join(parts).partition("\n")
    return f"{head}\n\n{_FILE.of(lang).format(name, f'../files/{name}')}\n{rest}\n"
