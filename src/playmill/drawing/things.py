"""Clickable parts of a picture as SVG groups with data attributes: options, parts of options, refusals with a reason.

The page composes options of these alone (see "view.py" in docs/new_game.md); it knows no rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from playmill.drawing.lettering import clean
from playmill.drawing.svg import sentence

#: The page shows these; a picture that stands alone does not: to be put behind its class in its style.
UNSEEN = "[data-for]{display:none}"

_KEYS = 'role="button" tabindex="0"'


def whole(action: int, title: str, body: str, *, thing: str = "", more: bool = False, origin: str = "") -> str:
    """Something that is an option by itself; with `more` the wheel does it once more, or takes it back.

    If it was not in the picture before, it slides out of the thing that `origin` names, here and below.
    """
    marks = f'data-a="{action}"' + (f' data-thing="{thing}"' if thing else "") + (f' data-more="{action}"' * more)
    marks += _from(origin)
    return f'<g class="act" {marks} {_KEYS}>{_title(title)}{body}</g>'


def part(
    thing: str,
    actions: Iterable[int],
    title: str,
    body: str,
    *,
    go: bool = False,
    until: str = "",
    origin: str = "",
    alike: str = "",
) -> str:
    """A part of options, by the name of the thing: an option is chosen when all of its parts are clicked.

    With `go` it is the last word of options, which can be said when the rest of one of them is chosen; `until` then
    says what is awaited. Of things with the same `alike` and the same actions either is the part.
    """
    marks = f'data-thing="{thing}" data-in="{listed(actions)}"' + (' data-go=""' if go else "")
    marks += f' data-until="{escape(sentence(clean(until)))}"' if until else ""
    marks += (f' data-alike="{alike}"' if alike else "") + _from(origin)
    return f'<g class="act" {marks} {_KEYS}>{_title(title)}{body}</g>'


def pick(things: Iterable[str], title: str, body: str) -> str:
    """A short cut: a click on it chooses these parts and nothing else."""
    return f'<g class="act" data-pick="{" ".join(things)}" {_KEYS}>{_title(title)}{body}</g>'


def refused(thing: str, why: str, body: str, *, title: str = "", origin: str = "") -> str:
    """Something that cannot be had now, and says why when it is pointed at or in focus; arrow keys reach it."""
    line = escape(sentence(clean(why)))
    marks = f'data-thing="{thing}" data-why="{line}"{_from(origin)}'
    return f'<g class="not" {marks} tabindex="-1">{_title(title)}{body}</g>'


def lying(thing: str, body: str, *, title: str = "", slide: tuple[int, int] | None = None, origin: str = "") -> str:
    """Something that lies there, told by its name: it slides when it lies elsewhere in the next picture.

    `slide` says for how many milliseconds, and after how many it begins.
    """
    how = "" if slide is None else f' data-slide="{slide[0]} {slide[1]}"'
    return f'<g data-thing="{thing}"{how}{_from(origin)}>{_title(title)}{body}</g>'


def titled(line: str, body: str) -> str:
    """Something drawn, with words that show when it is pointed at."""
    return f"<g>{_title(line)}{body}</g>"


def shown_for(actions: Iterable[int], body: str) -> str:
    """What is seen only while one more click makes one of these options."""
    return f'<g data-for="{listed(actions)}">{body}</g>'


def listed(actions: Iterable[int]) -> str:
    """Actions as an attribute holds them."""
    return " ".join(map(str, sorted(actions)))


def _from(origin: str) -> str:
    return f' data-from="{origin}"' if origin else ""


def _title(line: str) -> str:
    return f"<title>{escape(sentence(clean(line)))}</title>" if line else ""
