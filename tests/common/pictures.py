"""Pictures taken apart: what can be clicked, what can be read, and where things lie."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
#: Left, top, right, bottom.
Span = tuple[float, float, float, float]


@lru_cache(maxsize=4)  # several questions in a row are about one picture
def tree(svg: str) -> ElementTree.Element:
    """The elements of a picture, which must be well-formed; they are there to be read."""
    return ElementTree.fromstring(svg)


def acts(svg: str) -> list[ElementTree.Element]:
    """What can be clicked and is an option by itself."""
    return [group for group in tree(svg).iter(f"{SVG}g") if "data-a" in group.attrib]


def pieces(svg: str) -> list[ElementTree.Element]:
    """What can be clicked and is a part of options."""
    return [group for group in tree(svg).iter(f"{SVG}g") if "data-in" in group.attrib]


def composed(svg: str) -> dict[int, set[str]]:
    """The options that are put together, each with the names of its things; fails unless clicks can tell them apart."""
    made: dict[int, set[str]] = {}
    last = set()
    for group in pieces(svg):
        assert group.attrib["data-in"], "what is part of nothing says why"
        for option in map(int, group.attrib["data-in"].split()):
            made.setdefault(option, set()).add(group.attrib["data-thing"])
            last |= {option} if "data-go" in group.attrib else set()
    for (one, needs), (other, needed) in itertools.permutations(made.items(), 2):
        assert not needs <= needed or (one in last and needs != needed), f"{one} cannot be told from {other}"
    return made


def offered(svg: str) -> list[int]:
    """The actions that can be clicked, at once or by their parts."""
    return [int(group.attrib["data-a"]) for group in acts(svg)] + sorted(composed(svg))


def refusals(svg: str) -> dict[str, str]:
    """What cannot be had, by name, with its reason."""
    found = [group.attrib for group in tree(svg).iter(f"{SVG}g") if "data-why" in group.attrib]
    return {group["data-thing"]: group["data-why"] for group in found}


def readable(picture: str | ElementTree.Element) -> str:
    """All words of a picture, or of a part of it."""
    root = tree(picture) if isinstance(picture, str) else picture
    return " ".join(line.text or "" for line in root.iter(f"{SVG}text"))


def titles(svg: str) -> dict[int, str]:
    """What is said of each action that can be clicked."""
    return {int(group.attrib["data-a"]): group.findtext(f"{SVG}title") or "" for group in acts(svg)}


def all_titles(svg: str) -> str:
    """All that is said of anything when one points at it."""
    return " ".join(title.text or "" for title in tree(svg).iter(f"{SVG}title"))


def group_of(svg: str, name: str) -> ElementTree.Element:
    """The first group of a class."""
    return next(group for group in tree(svg).iter(f"{SVG}g") if group.attrib.get("class") == name)


def parts(svg: str) -> list[ElementTree.Element]:
    """The parts of a picture that find other places on a narrow page."""
    return [group for group in tree(svg) if group.attrib.get("class") == "part"]


def panel_size(part: ElementTree.Element) -> tuple[float, float] | None:
    """The size of a part's panel, if it has one."""
    panel = part.find(f"{SVG}rect")
    return None if panel is None else (float(panel.attrib["width"]), float(panel.attrib["height"]))


def check_layout(svg: str, width: float, sizes: Sequence[tuple[float, float]]) -> None:
    """Fails unless parts of these sizes lie within the picture and apart: on a wide page, a narrow one, one between."""
    root = tree(svg)
    wide, height = map(float, root.attrib["viewBox"].split()[2:])
    depths = dict(re.findall(r"--(narrow|middle):[\d.]+/([\d.]+)", root.attrib["style"]))
    assert wide == width and all(float(deep) >= height for deep in depths.values())
    pages: dict[str, list[Span]] = {"wide": [], **{page: [] for page in depths}}
    for part, (across, down) in zip(parts(svg), sizes, strict=True):
        x, y = map(float, re.findall(r"[\d.]+", part.attrib["transform"]))
        assert x >= 0 and y >= 0 and x + across <= width + 0.1 and y + down <= height
        pages["wide"].append((x, y, x + across, y + down))
        style = dict(re.findall(r"--(\w+):(-?[\d.]+)", part.attrib["style"]))
        for page, deep in depths.items():
            at = "m" if page == "middle" else ""
            left, top, scale = (float(style[f"{at}{name}"]) for name in "xyk")
            assert left >= 0 and left + scale * across <= width + 0.5 and top + scale * down <= float(deep)
            pages[page].append((left, top, left + scale * across, top + scale * down))
    for spans in pages.values():
        for one, other in itertools.combinations(spans, 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, "nothing lies over anything else"
