"""Colours and shapes of the pictures of Dice: badges, signs, cards of items, lines that fit."""

from __future__ import annotations

from collections.abc import Iterable

from playmill.author import Text
from playmill.drawing.kit.shapes import GOLD, TROUGH
from playmill.drawing.lettering import fit, width_of, wrapped
from playmill.drawing.scene import button
from playmill.drawing.svg import FAINT, GREEN, INK, LINE, NIGHT, PANEL, Dark, box, sentence, text
from playmill.drawing.svg import RED as BLOOD
from playmill.drawing.things import refused, whole
from playmill.games.dice.actions import USE
from playmill.games.dice.constants import NOBODY, PLAYERS
from playmill.games.dice.view.scene import DiceScene
from playmill.games.dice.words import names

#: The picture is two columns side by side; on a narrow page the second lies under the first.
COLUMN = 480
MARGIN, GAP = 12, 10
INSIDE = COLUMN - 2 * MARGIN
PAD = 14
ROOM = INSIDE - 2 * PAD
LEFT, RIGHT = MARGIN + PAD, MARGIN + PAD + ROOM
#: The size of sentences, to be read on a phone as well, and from one line of them to the next.
SMALL = 14.5
SPACED = SMALL * 1.35
#: What stands under sentences.
TINY = 13.0
PLANK, TRAY = "#744a2c", "#4a2c17"
#: A button on the wood and its words, by day and by night; badges of two kinds, and of what is not ready.
HONEY, SLATE = "#fff1d8", "#2e2749"
MINE, THEIRS, IDLE = "#fbe3c5", "#ece6f5", "#706a78"
AT_NIGHT = {
    MINE: Dark("#57401f"),
    THEIRS: Dark("#3a3549"),
    TROUGH: Dark("#3a3745"),
    IDLE: Dark("#5c5766"),
    BLOOD: Dark("", "#ff9a94"),
}

_USE = Text("Use", "Применить")
_NOT_NOW = Text("not now", "не сейчас")
_OTHERS_TURN = Text("items are used in one's own turn, after a throw", "предметы применяют в свой ход, после броска")
_NOT_ITS_MOMENT = Text(
    "its condition does not hold now, or it would change nothing",
    "его условие сейчас не выполнено, или он ничего не изменит",
)


def sign(icon: str, x: float, y: float, ink: str) -> str:
    """The sign of throwing on (an arrow head) or of passing (a flag)."""
    path = "M-4 -6 6 0 -4 6z" if icon == "on" else "M-5 7V-7H6L3 -3.5 6 0H-3V7z"
    return f'<path d="{path}" transform="translate({x:g} {y:g})" fill="{ink}"/>'


def badge(x: float, y: float, line: str, fill: str, ink: str = "#ffffff") -> tuple[str, float]:
    """A small pill that ends at x, and its width."""
    wide = width_of(line, 12.5, bold=True) + 14
    drawn = box(x - wide, y, wide, 20, fill, 10, stroke="none")
    return drawn + text(x - wide / 2, y + 14.5, line, 12.5, "middle", ink, 600), wide


def panel(y: float, height: float, title: str = "") -> str:
    """A panel across a column, with its title."""
    drawn = box(MARGIN, y, INSIDE, height, PANEL, 12, stroke=LINE)
    return drawn + text(LEFT, y + 24, fit(title, 15, ROOM, bold=True), 15, weight=700)


def paragraph(x: float, y: float, lines: Iterable[str], size: float, fill: str = FAINT) -> str:
    """Lines under each other; `y` is the base line of the first."""
    return "".join(text(x, y + row * size * 1.35, line, size, fill=fill) for row, line in enumerate(lines))


def padlock(x: float, y: float) -> str:
    """A small lock, its middle at a point."""
    shackle = f'<path d="M{x - 4:g} {y - 1:g}v-3a4 4 0 0 1 8 0v3" fill="none" stroke="{NIGHT}" stroke-width="2"/>'
    return shackle + box(x - 7, y - 1, 14, 10, GOLD, 2, stroke=NIGHT)


def tilt_of(position: int, face: int) -> float:
    """How a thrown die happens to lie."""
    return (position * 37 + face * 53) % 15 - 7


def cards(scene: DiceScene, y: float, title: Text, *, items: bool) -> tuple[str, float]:
    """A panel of all items or all modifiers of a match, and its height."""
    owners = (None, *range(PLAYERS))
    entries = [(owner, entry) for owner in owners for entry in names.entries_of(scene.config, owner, items=items)]
    if not entries:
        return "", 0
    parts, row = [], y + 34
    for owner, entry in entries:
        drawn, height = _card(scene, owner, entry, row)
        parts.append(drawn)
        row += height + 6
    height = row - y + 4
    return panel(y, height, scene.say(title)) + "".join(parts), height


def _why_not(scene: DiceScene, entry: int) -> Text | None:
    """Why the viewer cannot use an active item now; nothing to say of items that are not theirs to use."""
    config, s, viewer = scene.config, scene.s, scene.viewer
    if viewer is None or scene.over or entry not in names.match_names(config).usable[viewer]:
        return None
    if s["player"] != viewer:
        return _OTHERS_TURN
    if not scene.legal:
        return None
    if s["choosing"]:
        asked = names.entry_name(config, int(s["choosing"]) - 1)
        what = Text("the face", "грань") if s["facing"] else Text("the dice", "кости")
        return Text("first choose {} for {}", "сначала выберите {} для предмета «{}»").format(what, asked)
    if s["cooldown"][entry] < 0:
        return names.readiness(config, s, entry)
    if s["cooldown"][entry]:
        waits = Text("{}; turns of both players count", "{}; считаются ходы обоих игроков")
        return waits.format(names.readiness(config, s, entry))
    return _NOT_ITS_MOMENT


def _card(scene: DiceScene, owner: int | None, entry: int, y: float) -> tuple[str, float]:
    """One modifier or item: name, owner, its author's words, exactly what it does and when, whether it is ready."""
    config, s, left, right = scene.config, scene.s, LEFT, float(RIGHT)
    usable = names.match_names(config).usable[s["player"]] if s["player"] != NOBODY else ()
    action = USE + usable.index(entry) if entry in usable else NOBODY
    name = scene.say(names.entry_name(config, entry))
    parts = [f'<line x1="{left}" y1="{y - 2:g}" x2="{right:g}" y2="{y - 2:g}" stroke="{LINE}"/>']
    room = float(ROOM)
    if action in scene.legal:
        face = button(right - 94, y + 6, 94, scene.say(_USE), height=32)
        parts.append(whole(action, f"{scene.say(_USE)}: {name}", face, thing=f"item-{entry}"))
        right, room = right - 102, room - 102
    elif names.is_item(config, entry) or not names.is_on(config, entry):
        not_now = entry in usable and not s["cooldown"][entry] and not names.usable_now(config, s, entry)
        status = _NOT_NOW if not_now else names.readiness(config, s, entry)
        drawn, wide = badge(right, y + 5, scene.say(status), GREEN if status == names.READY else IDLE)
        why = _why_not(scene, entry)
        parts.append(refused(f"item-{entry}", scene.say(why), drawn, title=name) if why else drawn)
        right -= wide + 6
    whose = scene.say(names.entry_owner(config, entry))
    drawn, wide = badge(
        right, y + 5, sentence(whose), MINE if owner is not None and owner == scene.viewer else THEIRS, INK
    )
    parts.append(drawn)
    lines = wrapped(name, 14.5, right - wide - 8 - left, bold=True)
    parts += [text(left, y + 20 + 18 * row, line, 14.5, weight=700) for row, line in enumerate(lines)]
    more = 18 * max(0, len(lines) - 1)
    said, exactly = scene.say(names.entry_desc(config, entry)), scene.say(names.entry_detail(config, entry))
    desc = wrapped(said, SMALL, room)
    parts.append(paragraph(left, y + 40 + more, desc, SMALL, INK))
    height = 33 + SPACED * len(desc) + more
    if said.rstrip(".").lower() != exactly.lower():
        detail = wrapped(sentence(exactly), TINY, room - 10)
        deep = TINY * 1.35 * len(detail)
        parts.append(box(left, y + height - 3, 3, deep - 1, LINE, 1.5, stroke="none"))
        parts.append(paragraph(left + 10, y + height + 8, detail, TINY))
        height += deep + 3
    cooldown = int(s["cooldown"][entry]) if names.is_active(config, entry) else 0
    if cooldown > 0:
        longest = max(cooldown, int(names.match_names(config).cfg.cooldown[entry]))
        parts.append(box(left, y + height - 2, ROOM, 4, TROUGH, 2, stroke="none"))
        parts.append(box(left, y + height - 2, ROOM * (longest - cooldown) / longest, 4, GREEN, 2, stroke="none"))
        height += 8
    return "".join(parts), max(height, 46.0)
