"""The pages people have written, links made to fit the site, Russian headings under the names of English ones."""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from playmill.texts import LANGUAGES, Lang, PlaymillError, Text

#: A page that has no Russian form yet is shown in English, and says so.
UNTRANSLATED = Text("", "Этой страницы пока нет по-русски; ниже — английская.")
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
#: Comments that are translated, by the kind of a block: in Python those behind code; others may be the name of a file.
_COMMENTS = {"sh": re.compile(r" *# .*$", re.MULTILINE), "python": re.compile(r"  # .*$", re.MULTILINE)}
#: What tells that an output is Russian: its letters, or the comma of its numbers.
_RUSSIAN = re.compile(r"[а-яё]|\d,\d")
_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)


def pages(root: Path) -> list[str]:
    """The names of all pages, README first."""
    return ["README", *sorted(path.stem for path in (root / "docs").glob("*.md"))]


def file_of(root: Path, name: str, lang: Lang) -> Path:
    """Where a page lies in a language, whether it is there or not."""
    if lang == "en":
        return root / "README.md" if name == "README" else root / "docs" / f"{name}.md"
    return root / "docs" / lang / f"{name}.md"


def split(text: str) -> Iterator[tuple[str, bool]]:
    """A page cut into stretches, and whether each is a fenced block."""
    start = 0
    for block in _FENCED.finditer(text):
        yield text[start : block.start()], False
        yield block[0], True
        start = block.end()
    yield text[start:], False


def headings(text: str) -> list[tuple[int, str]]:
    """The levels and words of all headings, from top to bottom."""
    found = (_HEADING.findall(part) for part, fenced in split(text) if not fenced)
    return [(len(signs), words) for part in found for signs, words in part]


def anchors(text: str) -> list[str]:
    """What links call the headings of a page: made of their words, in any alphabet, as where repositories are shown."""
    taken: dict[str, int] = {}
    made = []
    for _, words in headings(text):
        name = re.sub(r"[^\w\s-]", "", words).strip().lower()
        name = re.sub(r"[\s]", "-", name)
        count = taken.get(name, 0)
        taken[name] = count + 1
        made.append(f"{name}-{count}" if count else name)
    return made


def page(root: Path, name: str, lang: Lang, files: dict[str, Path]) -> str:
    """A page of the site; files of the repository it links to are put into `files`, by their name on the site."""
    source, english = file_of(root, name, lang), file_of(root, name, "en")
    told = english.read_text(encoding="utf-8")
    names = iter(anchors(told))
    note = ""
    if source.exists():
        told = source.read_text(encoding="utf-8")
    elif lang != "en":
        note, source = f'<p class="pm-untranslated">{UNTRANSLATED.of(lang)}</p>', english

    def link(found: re.Match[str]) -> str:
        return f"{found[1]}({_target(root, source, found[2], files)})"

    def heading(found: re.Match[str]) -> str:
        return f"{found[0]} {{#{next(names)}}}"

    parts = [part if fenced else _HEADING.sub(heading, _LINK.sub(link, part)) for part, fenced in split(told)]
    text = "".join(parts)
    return text.replace("\n", f"\n\n{note}\n", 1) if note else text


def same_block(english: str, russian: str) -> bool:
    """Whether a block does the same in both languages: its comments are translated, and so is what is printed.

    That a Russian output is the true one is for whoever runs the page to see.
    """
    kinds = {block.partition("\n")[0].removeprefix("```") for block in (english, russian)}
    if kinds == {"text"} and _RUSSIAN.search(russian):
        return True
    comment = _COMMENTS.get(kinds.pop())
    return english == russian or (comment is not None and comment.sub("", english) == comment.sub("", russian))


def copy_blocks(root: Path) -> list[str]:
    """Puts blocks of English pages into the Russian ones that have as many, unless they are the same; what changed."""
    changed = []
    for name in pages(root):
        place = file_of(root, name, "ru")
        if not place.exists():
            continue
        before = place.read_text(encoding="utf-8")
        english = [part for part, fenced in split(file_of(root, name, "en").read_text(encoding="utf-8")) if fenced]
        if sum(fenced for _, fenced in split(before)) != len(english):
            raise PlaymillError(
                f"{place} has not as many blocks as the English page",
                f"в {place} не столько блоков, сколько в английской",
            )
        blocks = iter(english)
        after = "".join(
            part if not fenced or same_block(english_one := next(blocks), part) else english_one
            for part, fenced in split(before)
        )
        if after != before:
            place.write_text(after, encoding="utf-8")
            changed.append(name)
    return changed


def _target(root: Path, source: Path, link: str, files: dict[str, Path]) -> str:
    """Where a link leads on the site: to a page, or to a copy of a file."""
    place, mark, anchor = link.partition("#")
    if "://" in place or place.startswith("mailto:"):
        return link
    goal = (source.parent / place).resolve() if place else source.resolve()
    for lang in LANGUAGES:
        for name in pages(root):
            if goal == file_of(root, name, lang).resolve():
                shown = f"{'index' if name == 'README' else name}.md" if place else ""
                return f"{shown}{mark}{_heading(root, name, lang, anchor)}"
    inside = goal.relative_to(root.resolve()).as_posix()
    if goal.is_dir():
        return f"files/{_packed(goal, inside, files)}"
    # Code is shown by every browser when it is called text.
    name = inside if goal.suffix in (".svg", ".png", ".json", ".ipynb") else f"{inside}.txt"
    files[name] = goal
    return posixpath.join("files", name)


def _heading(root: Path, name: str, lang: Lang, anchor: str) -> str:
    """What a heading is called on the site: a Russian one by the name of the English one in its place."""
    own = anchors(file_of(root, name, lang).read_text(encoding="utf-8"))
    if anchor not in own:
        return anchor
    return anchors(file_of(root, name, "en").read_text(encoding="utf-8"))[own.index(anchor)]


def _packed(folder: Path, inside: str, files: dict[str, Path]) -> str:
    """A folder is linked by its first file; all of them are there."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    for path in found:
        files[f"{inside}/{path.relative_to(folder).as_posix()}.txt"] = path
    return f"{inside}/{found[0].relative_to(folder).as_posix()}.txt"


def copy_files(files: dict[str, Path], folder: Path) -> None:
    """Copies the files that pages link to."""
    for name, path in files.items():
        place = folder / "files" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
