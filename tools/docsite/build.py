"""The site itself: one for each language, the Russian one in a folder of the English, both by MkDocs Material."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from docsite.sources import TITLE, navigation
from playmill.texts import LANGUAGES, Lang, Text

_HERE = Path(__file__).parent
_ABOUT = Text("A laboratory for tabletop games", "Лаборатория настольных игр")
_DARK = Text("Dark", "Тёмная тема")
_LIGHT = Text("Light", "Светлая тема")
_OWN = Text("As my system", "Как в системе")


#: Russian words change their endings: those are taken off, and the theme is told so (assets/iframe-worker.js).
_SEARCH: dict[Lang, dict[str, list[str]]] = {
    "en": {"lang": ["en"]},
    "ru": {"lang": ["ru", "en"], "pipeline": ["stemmer", "stopWordFilter"]},
}


def settings(lang: Lang, sources: Path, out: Path) -> dict[str, Any]:
    """What MkDocs is told: nothing is loaded from elsewhere, and the search works from files."""
    return {
        "site_name": TITLE.of(lang),
        "site_description": _ABOUT.of(lang),
        "docs_dir": str(sources / lang),
        "site_dir": str(out if lang == "en" else out / lang),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "custom_dir": str(_HERE / "theme"),
            "language": lang,
            "font": False,
            "icon": {"logo": "material/dice-multiple"},
            "features": [
                "navigation.top",
                "navigation.sections",
                "toc.follow",
                "search.highlight",
                "content.code.copy",
            ],
            "palette": [
                _palette("(prefers-color-scheme)", "default", "material/brightness-auto", _OWN.of(lang)),
                _palette("(prefers-color-scheme: light)", "default", "material/brightness-7", _LIGHT.of(lang)),
                _palette("(prefers-color-scheme: dark)", "slate", "material/brightness-4", _DARK.of(lang)),
            ],
        },
        "plugins": [{"search": _SEARCH[lang]}, "offline"],
        "markdown_extensions": [
            "admonition",
            "attr_list",
            "md_in_html",
            "tables",
            {"toc": {"permalink": True}},
            {"pymdownx.highlight": {"anchor_linenums": False}},
            "pymdownx.superfences",
        ],
        "extra_css": ["assets/site.css"],
        "extra": {
            "generator": False,
            # The plugin `offline` would load this from elsewhere.
            "polyfills": ["assets/iframe-worker.js"],
            "alternate": [
                {"lang": "en", "name": "English", "link": "./" if lang == "en" else "../"},
                {"lang": "ru", "name": "По-русски", "link": "./" if lang == "ru" else "ru/"},
            ],
        },
        "nav": navigation(sources, lang),
        "validation": {"links": {"anchors": "warn"}},
    }


def _palette(media: str, scheme: str, icon: str, name: str) -> dict[str, Any]:
    return {
        "media": media,
        "scheme": scheme,
        "primary": "indigo",
        "accent": "deep orange",
        "toggle": {"icon": icon, "name": name},
    }


def build(sources: Path, out: Path) -> None:
    """Builds the site of both languages; a broken link is an error."""
    for lang in LANGUAGES:
        told = sources / f"mkdocs.{lang}.yml"
        # Whatever is JSON is YAML, too.
        told.write_text(json.dumps(settings(lang, sources.resolve(), out.resolve()), ensure_ascii=False, indent=2))
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(told)]
        subprocess.run(command, check=True)
