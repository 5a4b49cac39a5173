"""Bundles JavaScript modules into one script: a page that was opened from a disk can import nothing."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "static"
_IMPORT = re.compile(
    r'^import (?:\* as (?P<whole>\w+)|\{(?P<names>[^}]*)\}) from "\./(?P<file>\w+)\.js";\n', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?P<rest>(?:async )?(?:function|class|const) (?P<name>\w+))", re.MULTILINE)


def bundle(entry: str) -> str:
    """Bundles a script and all it imports, each in a scope of its own; `entry` itself stands at the end, in none."""
    made: dict[str, str] = {}
    last = _put(entry, made, top=True)
    return "\n".join([*made.values(), last])


def _put(name: str, made: dict[str, str], *, top: bool = False) -> str:
    """Returns the text of a script after adding those that it imports."""
    text = (_FOLDER / f"{name}.js").read_text(encoding="utf-8")
    for found in _IMPORT.finditer(text):
        if found["file"] not in made:
            made[found["file"]] = _put(found["file"], made)

    def taken(found: re.Match[str]) -> str:
        return f"const {found['whole'] or '{' + found['names'] + '}'} = module_{found['file']};\n"

    text = _IMPORT.sub(taken, text)
    if top:
        return text
    names = [found["name"] for found in _EXPORT.finditer(text)]
    body = _EXPORT.sub(lambda found: found["rest"], text)
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {', '.join(names)} }};\n}})();"
