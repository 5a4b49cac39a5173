"""A page of HTML taken apart."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "line", "circle", "rect"}


class Markup(HTMLParser):
    """The tags and words of a page; it fails where a tag is closed that is not the open one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.titles: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title":
            self.titles.append(data.replace("\u00a0", " "))
        elif self._open and self._open[-1] != "style":
            self.words += data.replace("\u00a0", " ")

    def having(self, kind: str) -> list[dict[str, str | None]]:
        """The attributes of the tags of a class."""
        return [attributes for _, attributes in self.tags if kind in (attributes.get("class") or "").split()]
