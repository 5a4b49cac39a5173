"""Pages looked at in a real browser: what leaves the picture, what clashes, what lies over what can be clicked."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

#: Milliseconds after which something is taken for never: no machine is so slow.
LONGEST = 180_000
#: What a browser without a window need not have: each window of its own would load two pages for its address bar, which
#: cost more than most pages of ours, and a process in advance. Of two such options the last one counts, so Playwright's
#: own come first.
_WITHOUT = [
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable"),
    *("HttpsUpgrades", "LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning", "AimEnabled"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "PreloadTopChromeWebUI"),
    "SpareRendererForSitePerProcess",
]
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
_FLAGS += [f"--disable-features={','.join(_WITHOUT)}"]
#: What a picture looks like; `drawn` selects what is drawn to scale, in which words may come as near as they like, and
#: `sized` the words in it that are to be read.
_LOOK = """([drawn, sized]) => {
    const svg = document.querySelector('svg').getBoundingClientRect();
    const within = (node, kind) => kind !== '' && node.closest(kind) !== null;
    const texts = [...document.querySelectorAll('svg text')].filter(node => node.getClientRects().length).map(node => {
        const box = node.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a;
        return {line: node.textContent, left: box.left, right: box.right, bottom: box.bottom,
                middle: (box.top + box.bottom) / 2, size, drawn: within(node, drawn), sized: within(node, sized)};});
    const outside = texts.filter(t => t.left < svg.left || t.right > svg.right || t.bottom > svg.bottom);
    const words = texts.filter(t => !t.drawn), clashes = [];
    words.forEach((a, i) => words.slice(i + 1).forEach(b => {
        const level = Math.abs(a.middle - b.middle) < Math.min(a.size, b.size) * 0.8;
        if (level && a.left < b.right - 1 && b.left < a.right - 1)
            clashes.push(a.line + ' | ' + b.line);}));
    const beyond = [...document.querySelectorAll('svg .part')].flatMap(part => {
        const panels = [...part.querySelectorAll('rect')].map(node => node.getBoundingClientRect());
        const seen = [...part.querySelectorAll('text')].filter(n => n.getClientRects().length && !within(n, drawn));
        return seen.filter(node => {
            const box = node.getBoundingClientRect();
            return !panels.some(p => box.left >= p.left && box.right <= p.right && box.bottom <= p.bottom);})
            .map(node => node.textContent);});
    const smallest = wanted => Math.min(1000, ...texts.filter(wanted).map(t => t.size));
    return {outside: outside.map(t => t.line), clashes, beyond,
            words: smallest(t => !t.drawn), drawn: smallest(t => t.sized),
            wide: document.documentElement.scrollWidth, width: svg.width};}"""
_SPILLS = """([inner, outer]) => {
    const [within, room] = [inner, outer].map(kind => document.querySelector(kind).getBoundingClientRect());
    return within.left < room.left - 2 || within.right > room.right + 2 || within.bottom > room.bottom + 2;}"""
_ACTIONS = """[...document.querySelectorAll('[data-a]')].map(node => +node.dataset.a).concat(
    [...new Set([...document.querySelectorAll('[data-in]')].flatMap(one => one.dataset.in.split(' ')))].map(Number))"""
_HIDDEN = """() => [...document.querySelectorAll('[data-a], [data-in]')].filter(node => {
    node.scrollIntoView({block: 'center'});
    const box = (node.querySelector('.hit') || node).getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !hit || hit.closest('[data-a], [data-in]') !== node;}).map(node => node.dataset.a ?? node.dataset.thing)"""
#: Words that stand out too little from what lies under their middle: the words, and the ratio as WCAG counts it. What
#: is half transparent is laid over what is under it, as the browser does.
_CONTRAST = """least => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true}), known = new Map();
    const colourOf = css => {
        if (!known.has(css)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = css;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            known.set(css, [r, g, b, a / 255]);
        }
        return [...known.get(css)];};
    const linear = part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const bright = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
    const opaque = node => node instanceof Element
        ? parseFloat(getComputedStyle(node).opacity) * opaque(node.parentElement) : 1;
    const under = (shape, x, y) => {
        const {left, right, top, bottom} = shape.box;
        if (x < left || x > right || y < top || y > bottom) return false;
        const point = new DOMPoint(x, y).matrixTransform(shape.node.getScreenCTM().inverse());
        return shape.node.localName === 'rect' || shape.node.isPointInFill(point);};
    const paper = colourOf(getComputedStyle(document.body).backgroundColor), shapes = [], weak = [];
    for (const node of document.querySelectorAll('svg :is(text, rect, circle, ellipse, path, polygon):not(defs *)')) {
        const style = getComputedStyle(node), box = node.getBoundingClientRect();
        if (style.fill === 'none' || !box.width) continue;
        const colour = colourOf(style.fill);
        colour[3] *= parseFloat(style.fillOpacity) * opaque(node);
        if (node.localName !== 'text') {
            if (colour[3] > 0) shapes.push({node, box, colour});
            continue;
        }
        const x = box.left + box.width / 2, y = box.top + box.height / 2;
        const below = shapes.filter(shape => under(shape, x, y));
        const ground = below.reduce((low, shape) => over(shape.colour, low), paper);
        const [dim, lit] = [bright(over(colour, ground)), bright(ground)].sort((a, b) => a - b);
        const ratio = (lit + 0.05) / (dim + 0.05);
        if (ratio < least) weak.push(`${node.textContent}: ${ratio.toFixed(2)}`);
    }
    return weak;}"""


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS, timeout=LONGEST)
        yield Patient(browser)
        browser.close()


class Patient:
    """A browser whose pages are waited for as long as any machine may need."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._spare: list[Any] = []

    def new_context(self, **how: Any) -> Any:
        """A window of its own, with nothing remembered; nothing slides, unless a test wants to see just that."""
        context = self._browser.new_context(**{"reduced_motion": "reduce", **how})
        context.set_default_timeout(LONGEST)
        return context

    def new_page(self, **how: Any) -> Any:
        """A page in a window of its own."""
        page = self._browser.new_page(**{"reduced_motion": "reduce", **how})
        page.set_default_timeout(LONGEST)
        return page

    def lend(self) -> Any:
        """A page for files from disk, which remember nothing: a new one costs more than most of what it shows."""
        return self._spare.pop() if self._spare else self.new_page()

    def take_back(self, page: Any) -> None:
        """A page that is lent again; nobody hears of it until then."""
        self._spare.append(page)


class Page:
    """A page opened from disk; `trouble` is everything it complained of or tried to load."""

    def __init__(self, browser: Any, folder: Path, width: int, light: str = "light") -> None:
        self.path = folder / "page.html"
        self._browser = browser
        self.page = browser.lend()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=light, reduced_motion="reduce")
        self.trouble: list[str] = []
        self._heard = {"console": self._complained, "pageerror": self._failed, "request": self._requested}
        for event, heard in self._heard.items():
            self.page.on(event, heard)

    def _complained(self, message: Any) -> None:
        self.trouble.append(message.text)

    def _failed(self, error: Any) -> None:
        self.trouble.append(str(error))

    def _requested(self, request: Any) -> None:
        if request.url != self.path.as_uri():
            self.trouble.append(request.url)

    def open(self, html: str) -> Any:
        """Shows some HTML; returns the page itself, to be asked."""
        self.path.write_text(html, encoding="utf-8")
        self.page.goto(self.path.as_uri())
        return self.page

    def open_picture(self, svg: str) -> Any:
        """Shows a picture and nothing else, on a page that is light or dark as the system says."""
        head = '<meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        paper = "<style>body{background:light-dark(#fff,#000)}</style>"
        self.page.set_content(f"<!doctype html>{head}{paper}<body>{svg}")  # without a way to the disk for each of many
        return self.page

    def look(self, drawn: str, sized: str) -> dict[str, Any]:
        """What leaves the picture or its panel, what clashes, and how small words are."""
        found: dict[str, Any] = self.page.evaluate(_LOOK, [drawn, sized])
        return found

    def weak(self, least: float = 4.5) -> list[str]:
        """Words that stand out too little from what they are written on."""
        found: list[str] = self.page.evaluate(_CONTRAST, least)
        return found

    def spills(self, inner: str, outer: str) -> bool:
        """Whether something is larger than what it must stay within."""
        return bool(self.page.evaluate(_SPILLS, [inner, outer]))

    def actions(self) -> list[int]:
        """The actions that can be clicked."""
        found: list[int] = self.page.evaluate(_ACTIONS)
        return found

    def hidden(self) -> list[str]:
        """The actions that something else lies over."""
        found: list[str] = self.page.evaluate(_HIDDEN)
        return found

    def close(self) -> None:
        """Gives the page back."""
        for event, heard in self._heard.items():
            self.page.remove_listener(event, heard)
        self._browser.take_back(self.page)
