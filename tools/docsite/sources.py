"""All pages of the site as Markdown: what people have written, and what is made from the package."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from docsite import games, notebooks, prose, reference
from playmill.engine.contract.game import game_names, load_game
from playmill.texts import LANGUAGES, Lang, Text

_HERE = Path(__file__).parent
TITLE = Text("Playmill", "Playmill")
#: The pages people have written, in the order in which they are read; what is in no part stands in the last.
PARTS: list[tuple[Text, list[str]]] = [
    (Text("Start", "Начало"), ["README", "play", "laboratory", "decide", "reports", "questions", "runs", "replays"]),
    (Text("Agents and bots", "Агенты и боты"), ["agents", "bots", "contests", "learning", "learners"]),
    (Text("Your own game", "Своя игра"), ["new_game", "connect4", "kuhn", "leduc"]),
    (Text("Games", "Игры"), ["dimensions", "grid", "dice", "influence", "save_oneself"]),
    (Text("What was found", "Что найдено"), ["audits", "tuning"]),
    (Text("Machines", "Машины"), ["platforms", "speed", "cluster", "architecture"]),
]
_MORE = Text("More", "Ещё")
_GAMES = Text("Rules, configs, what agents see", "Правила, конфиги, что видят агенты")
_REFERENCE = Text("Python, name by name", "Python: справочник")
_NOTEBOOKS = Text("Notebooks", "Тетради")
_CHANGES = Text("Changes", "Что изменилось")


def write_sources(root: Path, out: Path) -> None:
    """Writes the sources of the site of every language into an empty folder."""
    shutil.rmtree(out, ignore_errors=True)
    for lang in LANGUAGES:
        folder, files = out / lang, dict[str, Path]()
        shutil.copytree(_HERE / "assets", folder / "assets")
        written: dict[str, str] = {}
        for name in prose.pages(root):
            written[f"{_place(name)}.md"] = prose.page(root, name, lang, files)
        for name in game_names():
            game = load_game(name)
            for kind, text in games.pages(game, lang).items():
                written[f"games/{name}/{kind}.md"] = text
        for name, text in reference.pages(lang).items():
            written[f"reference/{name}.md"] = text
        for name, text in notebooks.pages(root, lang).items():
            written[f"notebooks/{name}.md"] = text
        files |= {path.relative_to(root).as_posix(): path for path in notebooks.notebooks(root)}
        written["changes.md"] = (root / "CHANGELOG.md").read_text(encoding="utf-8")
        for name, text in written.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        prose.copy_files(files, folder)


def navigation(out: Path, lang: Lang) -> list[Any]:
    """The contents of the site, in the language; every page stands in it."""
    folder = out / lang
    known = {name for _, names in PARTS for name in names}
    left = sorted(path.stem for path in folder.glob("*.md") if path.stem not in {*known, "index", "changes"})
    parts = [*PARTS, (_MORE, left)] if left else PARTS
    made: list[Any] = [
        {title.of(lang): [f"{one}.md" for name in names if (folder / f"{(one := _place(name))}.md").exists()]}
        for title, names in parts
    ]
    shown = [
        {load_game(name).title.of(lang): [{games.KINDS[kind].of(lang): f"games/{name}/{kind}.md"} for kind in kinds]}
        for name in game_names()
        if (kinds := [kind for kind in games.KINDS if (folder / "games" / name / f"{kind}.md").exists()])
    ]
    made.append({_GAMES.of(lang): shown})
    made += _folder(folder, "notebooks", _NOTEBOOKS.of(lang))
    made += _folder(folder, "reference", _REFERENCE.of(lang))
    return [*made, {_CHANGES.of(lang): "changes.md"}]


def _place(name: str) -> str:
    """What a page is called on the site."""
    return "index" if name == "README" else name


def _folder(folder: Path, name: str, title: str) -> list[Any]:
    found = sorted((folder / name).glob("*.md"))
    return [{title: [f"{name}/{path.name}" for path in found]}] if found else []
