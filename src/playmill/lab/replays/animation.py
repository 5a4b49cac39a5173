"""Draws a recorded game as pictures: a strip of frames in one SVG, or an animated GIF."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from playmill.engine.run.state import State
from playmill.lab.replays.narration import called
from playmill.lab.replays.replay import PERSON, Replay, play_again
from playmill.lab.runs.evenly_spaced import evenly_spaced
from playmill.report.files.writing import as_utf8
from playmill.texts import Lang, PlaymillError, Text

#: Most frames of a strip and of a GIF; a longer game is shown by as many of its moves, evenly spread.
STRIP_FRAMES, GIF_FRAMES = 24, 300
#: A strip is as wide as a page; a frame of it is so much smaller than its picture that its letters are still read, and
#: neither a stamp nor a poster. A browser shows it in this size, to be scrolled, instead of as small as its window.
_STRIP_PAGE, _STRIP_SCALE, _STRIP_FRAME, _STRIP_GAP = 1320, 0.65, (300, 640), 20
#: Hundredths of a second for a frame, and for the last one.
_DURATION, _LAST = 40, 300
_MOVE = Text("move {}", "ход {}")
_START = Text("the start", "начало")
_GIF = Text("a GIF", "GIF")
#: Who sat where, above the pictures of players who have names: the size of the letters, and of a line.
_LETTERS, _LINE = 16, 22
_VIEW_BOX = re.compile(r'viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"')
#: The letters of every picture that is painted here: a machine may have other fonts, or none.
FONTS = tuple(str(Path(__file__).parents[2] / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
_FAMILY = "DejaVu Sans"
ProgressCallback = Callable[[int, int], None]


def frames(replay: Replay, source: str, most: int, lang: Lang) -> list[tuple[int, str]]:
    """Yields pictures of a recorded game, each with the number of the move it follows; every move is checked."""
    chosen = set(evenly_spaced(len(replay.moves) + 1, most))
    return [(place, picture(state, lang)) for place, state in enumerate(play_again(replay, source)) if place in chosen]


def picture(state: State, lang: Lang) -> str:
    """Returns the table as everybody sees it, with nothing to click."""
    made: str = state.game.view(state.config, state.record, None, [], lang)
    return made


class PictureFile(NamedTuple):
    """The content of a picture file, and how many frames it has."""

    data: bytes
    frames: int


def strip(replay: Replay, source: str, lang: Lang) -> PictureFile:
    """Returns the strip of frames as SVG."""
    found = frames(replay, source, STRIP_FRAMES, lang)
    boxes = [_size(svg) for _, svg in found]
    least, most = _STRIP_FRAME
    across = round(min(most, max(least, _STRIP_SCALE * max(wide for wide, _ in boxes))))
    height = max(across * tall / wide for wide, tall in boxes) + 34
    columns = min(_STRIP_PAGE // (across + _STRIP_GAP), len(found))
    rows = -(-len(found) // columns)
    page = columns * (across + _STRIP_GAP)
    head, top = _caption(replay, lang, page)
    deep = round(top + rows * height + 10)
    size = f'width="{page}" height="{deep}" viewBox="0 0 {page} {deep}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">']
    parts += ['<rect width="100%" height="100%" fill="#fff"/>', head]
    for place, ((move, svg), (wide, tall)) in enumerate(zip(found, boxes, strict=True)):
        x, y = 10 + place % columns * (across + _STRIP_GAP), top + 8 + place // columns * height
        label = _MOVE.of(lang).format(move) if move else _START.of(lang)
        parts.append(f'<text x="{x}" y="{y + 16:.0f}" font-size="16" fill="#444">{label}</text>')
        where = f'x="{x}" y="{y + 24:.0f}" width="{across}" height="{across * tall / wide:.0f}"'
        parts.append(svg.replace("<svg ", f"<svg {where} ", 1))
    return PictureFile(as_utf8("".join(parts) + "</svg>\n"), len(found))


def gif(
    replay: Replay, source: str, lang: Lang, progress: ProgressCallback | None = None, width: int = 720
) -> PictureFile:
    """Returns the animated GIF."""
    draw = painter()
    found = frames(replay, source, GIF_FRAMES, lang)
    images: list[Any] = []
    for _, svg in found:
        images.append(draw(svg, width))
        if progress is not None:
            progress(len(images), len(found))
    names, top = _caption(replay, lang, width)
    size = f'viewBox="0 0 {width} {top}" font-family="sans-serif"'
    head = draw(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{names}</svg>', width) if names else None
    tallest = max(image.height for image in images)
    images = [_on_paper(image, tallest, head) for image in images]
    durations = [_DURATION * 10] * (len(images) - 1) + [_LAST * 10]
    made = io.BytesIO()
    images[0].save(made, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0, optimize=False)
    return PictureFile(made.getvalue(), len(images))


def _caption(replay: Replay, lang: Lang, width: float) -> tuple[str, int]:
    """Returns who sat where, in lines no wider than this, and their height; empty if nobody has a name."""
    if not any(replay.names):
        return "", 0
    lines, most = [""], int((width - 20) / (0.62 * _LETTERS))
    for seat, agent in enumerate(replay.agents):
        called_as = called(seat, replay.names, lang)
        called_as += "" if replay.names[seat] or agent == PERSON else f": {agent}"
        lines += [""] if lines[-1] and len(lines[-1]) + 3 + len(called_as) > most else []
        lines[-1] += f" · {called_as}" if lines[-1] else called_as
    look = f'font-size="{_LETTERS}" font-weight="700" fill="#222"'
    texts = (f'<text x="10" y="{at * _LINE}" {look}>{escape(line)}</text>' for at, line in enumerate(lines, 1))
    return "".join(texts), len(lines) * _LINE + 6


def _size(svg: str) -> tuple[float, float]:
    found = _VIEW_BOX.search(svg)
    assert found, "every picture has a viewBox"
    return float(found[3]), float(found[4])


def check_gif() -> None:
    """Raises unless a GIF can be made here; call it before anything is written."""
    painter()


def painter(wanted: Text = _GIF) -> Callable[[str, int], Any]:
    """Returns a function that rasterizes SVG at a width with our fonts; raises a message without the libraries."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise PlaymillError(
            f"{wanted.en} needs two small libraries: pip install 'playmill[gif]'",
            f"{wanted.ru}: нужны две небольшие библиотеки: pip install 'playmill[gif]'",
        ) from None

    letters: dict[str, Any] = {"skip_system_fonts": True, "font_files": list(FONTS)}
    # Whatever kind of letters a picture asks for, it gets these.
    letters |= {
        f"{kind}_family": _FAMILY for kind in ("font", "sans_serif", "serif", "monospace", "cursive", "fantasy")
    }

    def draw(svg: str, width: int) -> Any:
        data = resvg_py.svg_to_bytes(svg_string=svg, width=width, background="#ffffff", **letters)
        return Image.open(io.BytesIO(bytes(data))).convert("RGB")

    return draw


def _on_paper(image: Any, height: int, head: Any = None) -> Any:
    """Returns an image on white paper of this height, with few enough colours for a GIF."""
    from PIL import Image

    paper, top = image, head.height if head is not None else 0
    if image.height < top + height:
        paper = Image.new("RGB", (image.width, top + height), "white")
        paper.paste(image, (0, top))
        if head is not None:
            paper.paste(head)
    return paper.quantize(colors=128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
