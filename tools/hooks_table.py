"""Writes the table of a game's modules and hooks into docs/new_game.md and its Russian page, from their declarations.

    python tools/hooks_table.py

The table stands between two comments; a test holds the pages against what is made here.
"""

from __future__ import annotations

from pathlib import Path

from playmill.engine.contract.hooks import Hook
from playmill.engine.contract.modules import MODULES
from playmill.texts import Lang, Text

PAGES: dict[Lang, Path] = {"en": Path("docs/new_game.md"), "ru": Path("docs/ru/new_game.md")}
BEGIN, END = "<!-- hooks -->\n", "<!-- end of hooks -->\n"
_HEAD = {"en": "| name | what it is | without it |", "ru": "| имя | что это | без него |"}
_MUST = Text("must be there", "обязательно")
_NEEDED = Text("every game has it", "есть у каждой игры")


def tables(lang: Lang) -> str:
    """Every module with a table of its hooks."""
    return "\n".join(_table(name, lang) for name in MODULES)


def _table(name: str, lang: Lang) -> str:
    known = MODULES[name]
    needed = f" ({_NEEDED.of(lang)})" if known.needed else ""
    rows = [_row(key, hook, lang) for key, hook in known.hooks.items()]
    return "\n".join([f"**`{name}.py`**: {known.about.of(lang)}{needed}.", "", _HEAD[lang], "|---|---|---|", *rows, ""])


def _row(name: str, hook: Hook, lang: Lang) -> str:
    call = name if hook.arguments is None else f"{name}({hook.arguments})"
    return f"| `{call}` | {hook.about.of(lang)} | {_MUST.of(lang) if hook.required else hook.otherwise.of(lang)} |"


def written(page: str, lang: Lang) -> str:
    """A page with the tables as they are now."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n" + tables(lang) + "\n" + END + rest.partition(END)[2]


def main() -> None:
    """Writes both pages."""
    for lang, path in PAGES.items():
        path.write_text(written(path.read_text(encoding="utf-8"), lang), encoding="utf-8")


if __name__ == "__main__":
    main()
