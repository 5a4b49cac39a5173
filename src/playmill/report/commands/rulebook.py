"""Renders a rulebook (Markdown with pictures) as HTML and in the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import ClassVar, NamedTuple

from markdown_it import MarkdownIt
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Heading, Markdown, MarkdownElement
from rich.padding import Padding
from rich.text import Text as Line

from playmill.engine.contract.rulebook import Words
from playmill.texts import Lang, Text

#: Lines longer than this are hard to read, however wide the terminal.
_WIDEST = 88
_CONTENTS = Text("Contents", "Содержание")
_PICTURE = Text("[Picture] {}", "[Рисунок] {}")
_SHOWN = Text(
    "Pictures are on the page that --html FILE writes.", "Рисунки — на странице, которую запишет --html ФАЙЛ."
)
_NAMED = re.compile(r'(\bid="|url\(#|href="#)([\w-]+)')
_STYLE = """
:root { color-scheme: light dark; --ink: #1f2430; --soft: #5b6675; --line: #ddd6c8; --paper: #fffdf8; --ground: #f1ede4;
  --accent: #9a4f0b; --mark: #fff0cc; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --soft: #a9a6b3; --line: #3c3a47; --paper: #1f1e27;
  --ground: #15141b; --accent: #f0a860; --mark: #4a3a12; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 17px/1.6 system-ui, -apple-system, "Segoe UI",
  Roboto, "Noto Sans", "DejaVu Sans", sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 1040px; margin: 0 auto; padding: 40px 28px 64px; background: var(--paper); min-height: 100vh; }
main > * { max-width: 44rem; margin-left: auto; margin-right: auto; }
main > figure { max-width: none; margin: 28px 0 32px; }
h1 { font-size: 38px; line-height: 1.15; margin: 0 auto 6px; letter-spacing: -0.01em; }
.about { color: var(--soft); font-size: 19px; margin: 0 auto 20px; }
h2 { font-size: 25px; line-height: 1.25; margin: 44px auto 10px; padding-top: 14px; border-top: 2px solid var(--line); }
h3 { font-size: 19px; margin: 28px auto 6px; } p { margin-top: 0; margin-bottom: 14px; }
ul, ol { padding-left: 1.35em; margin-top: 0; margin-bottom: 14px; } li { margin-bottom: 6px; }
strong { font-weight: 650; } code { font-size: 0.88em; background: var(--mark); padding: 0 4px; border-radius: 4px; }
a { color: var(--accent); } nav { columns: 2; column-gap: 32px; padding: 14px 20px; border: 1px solid var(--line);
  border-radius: 10px; font-size: 16px; } nav a { display: block; text-decoration: none; padding: 3px 0;
  break-inside: avoid; } nav a:hover { text-decoration: underline; }
.wide { overflow-x: auto; margin-bottom: 16px; } table { border-collapse: collapse; min-width: 50%; font-size: 16px; }
th, td { text-align: left; vertical-align: top; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; font-size: 14px; } td:first-child { font-weight: 550; }
figure svg { display: block; width: 100%; height: auto; border-radius: 14px; }
figcaption { color: var(--soft); font-size: 15px; max-width: 44rem; margin: 10px auto 0; }
@media (max-width: 720px) { body { font-size: 16px; } main { padding: 24px 16px 40px; } h1 { font-size: 30px; }
  h2 { font-size: 22px; } nav { columns: 1; } main > figure { margin: 22px -8px; } figcaption { margin: 8px 8px 0; } }
@media print { main { background: none; } figure { break-inside: avoid; } nav { display: none; } }
"""


class Picture(NamedTuple):
    """A picture with its caption, drawn on demand; None where a config never comes to it."""

    name: str
    caption: str
    draw: Callable[[], str | None]


Parts = Sequence[Words | Picture]


def book_html(parts: Parts, lang: Lang, *, level: int = 2) -> str:
    """Returns rules as an HTML fragment without styles, with pictures; headings of the text begin at `level`."""
    return _pieces(parts, level)[0]


def book_page(title: str, about: str, parts: Parts, lang: Lang) -> str:
    """Returns rules as a self-contained page, light or dark, for any width, ready to print."""
    body, headings = _pieces(parts, 2)
    links = "".join(f'<a href="#{anchor}">{escape(name)}</a>' for anchor, name in headings)
    head, first, rest = body.partition("<h2")
    contents = f'<nav aria-label="{_CONTENTS.of(lang)}">{links}</nav>' if len(headings) > 2 else ""
    return (
        f'<!doctype html>\n<html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>\n"
        f'<h1>{escape(title)}</h1><p class="about">{escape(about)}</p>\n'
        f"{head}{contents}{first}{rest}</main></body></html>\n"
    )


def _pieces(parts: Parts, level: int) -> tuple[str, list[tuple[str, str]]]:
    """Returns the HTML of all parts, and the headings of the first level with their anchors."""
    made: list[str] = []
    headings: list[tuple[str, str]] = []
    for place, part in enumerate(parts):
        if isinstance(part, Words):
            made.append(_words(part.markdown, level, headings))
        elif (svg := part.draw()) is not None:
            caption = MarkdownIt("zero").enable(["emphasis", "escape"]).renderInline(part.caption)
            made.append(f"<figure>{apart(svg, place)}<figcaption>{caption}</figcaption></figure>\n")
    return "".join(made), headings


def _words(markdown: str, level: int, headings: list[tuple[str, str]]) -> str:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"])
    tokens = reader.parse(markdown)
    for place, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            depth = int(token.tag[1])
            token.tag = f"h{min(6, depth - 2 + level)}"
            if token.type == "heading_open" and depth == 2:
                anchor = f"rules-{len(headings) + 1}"
                token.attrSet("id", anchor)
                headings.append((anchor, tokens[place + 1].content))
    html: str = reader.renderer.render(tokens, reader.options, {})
    return html.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def apart(svg: str, place: int) -> str:
    """Returns an SVG whose ids clash with no other on the page."""
    return _NAMED.sub(rf"\1rules-{place}-\2", svg)


class _Left(Heading):
    """A left-aligned heading; Rich would centre it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Line("")
        yield self.text


class _Told(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**Markdown.elements, "heading_open": _Left}


def print_book(console: Console, title: str, about: str, parts: Parts, lang: Lang) -> None:
    """Prints rules in short lines; where a picture stands, its caption."""
    console.width = min(console.width, _WIDEST)
    console.print(Line(title, style="bold"))
    console.print(Line(about, style="italic"))
    console.print()
    for part in parts:
        if isinstance(part, Words):
            console.print(_Told(part.markdown, hyperlinks=False))
        else:
            console.print(Padding(Line(_PICTURE.of(lang).format(part.caption), style="italic"), (1, 0, 0, 2)))
    if any(isinstance(part, Picture) for part in parts):
        console.print(f"\n{_SHOWN.of(lang)}")
