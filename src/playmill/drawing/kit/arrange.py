"""Arrangement of a table: the same drawn pieces at two sets of places, for a wide page and for a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

#: The wide page and the narrow one, in units of their own; around everything, between panels, and within one.
WIDE, NARROW = 980, 466
MARGIN, GAP, PAD = 16, 12, 16
NARROW_MARGIN, NARROW_GAP = 10, 10


@dataclass(frozen=True, eq=False)
class Leaf:
    """Something drawn once, from (0, 0) on, that has a place on each of the two pages."""

    drawn: str
    width: float
    height: float
    #: The name of the thing in it: the same leaf in the next picture is the one with the same name.
    name: str = ""
    #: Whether it stands in the middle beside what is higher, and not at the top.
    floats: bool = False
    #: The size it has on a phone, if its parts lie differently there, and how much larger than drawn it may be.
    narrow: tuple[float, float] | None = None
    most: float = 1.0


#: A leaf at a place: left, top, and how much larger than drawn.
Placed = tuple[Leaf, float, float, float]


class Block(Protocol):
    """Leaves that lie in each other's way: given a width, each gets its place."""

    def arrange(self, room: float) -> tuple[list[Placed], float]:
        """The places of all leaves, and the height they take."""
        ...


@dataclass(frozen=True)
class Line:
    """A leaf on the left, and one on the right."""

    left: Leaf
    right: Leaf | None = None
    below: float = 0

    def arrange(self, room: float) -> tuple[list[Placed], float]:
        """Places at both ends."""
        height = max(self.left.height, self.right.height if self.right else 0)
        found = [(self.left, 0.0, (height - self.left.height) / 2, 1.0)]
        if self.right:
            found.append((self.right, room - self.right.width, (height - self.right.height) / 2, 1.0))
        return found, height + self.below


@dataclass(frozen=True)
class Flow:
    """Leaves in rows from the left; in a fan each covers the one before it up to its `reach`, if they do not fit."""

    leaves: Sequence[Leaf]
    gap: float = 10
    reach: float | None = None
    #: How much larger than drawn they may be where all of them fit in one row, and whether rows stand in the middle.
    most: float = 1.0
    centred: bool = False

    def arrange(self, room: float) -> tuple[list[Placed], float]:
        """Places in as many rows as are needed, each as high as its highest leaf."""
        found: list[Placed] = []
        y = 0.0
        scale = max(1.0, min(self.most, room / max(1.0, self._across(self.leaves))))
        for row in self._rows(room):
            high = max(leaf.height for leaf in row) * scale
            step = self._step(row, room)
            across = self._across(row) * scale if step is None else room
            x = max(0.0, room - across) / 2 if self.centred else 0.0
            for leaf in row:
                found.append((leaf, x, y + (high - leaf.height * scale) / 2 if leaf.floats else y, scale))
                x += (leaf.width + self.gap) * scale if step is None else step
            y += high + self.gap
        return found, max(0.0, y - self.gap)

    def _across(self, row: Sequence[Leaf]) -> float:
        return sum(leaf.width + self.gap for leaf in row) - self.gap

    def _rows(self, room: float) -> list[list[Leaf]]:
        if self.reach is not None and self.leaves:
            width = max(leaf.width for leaf in self.leaves)
            most = max(1, 1 + int((room - width) / self.reach))
            rows = -(-len(self.leaves) // most)
            each = -(-len(self.leaves) // rows)
            return [list(self.leaves[start : start + each]) for start in range(0, len(self.leaves), each)]
        made: list[list[Leaf]] = []
        x = 0.0
        for leaf in self.leaves:
            if not made or x + leaf.width > room + 0.01:
                made.append([])
                x = 0.0
            made[-1].append(leaf)
            x += leaf.width + self.gap
        return made

    def _step(self, row: Sequence[Leaf], room: float) -> float | None:
        """From one leaf of a fan to the next, if they do not fit side by side."""
        fanned = self.reach is not None and self._across(row) > room + 0.01 and len(row) > 1
        return (room - row[-1].width) / (len(row) - 1) if fanned else None


@dataclass(frozen=True)
class Fitted:
    """A leaf as large as there is room, in the middle; of a size of its own where its parts lie differently."""

    leaf: Leaf
    size: tuple[float, float] | None = None
    most: float = 1.0

    def arrange(self, room: float) -> tuple[list[Placed], float]:
        """Its place and its scale."""
        width, height = self.size or (self.leaf.width, self.leaf.height)
        scale = min(self.most, room / width)
        return [(self.leaf, (room - width * scale) / 2, 0.0, scale)], height * scale


@dataclass(frozen=True)
class Paged:
    """A block for each page, such as words that break elsewhere: the second where the room is that of a phone."""

    wide: Block
    narrow: Block
    room: float

    def arrange(self, room: float) -> tuple[list[Placed], float]:
        """The places of the block that belongs to the page."""
        return (self.narrow if room == self.room else self.wide).arrange(room)


@dataclass(frozen=True)
class Stack:
    """Blocks one under the other."""

    blocks: Sequence[Block]
    gap: float = 8

    def arrange(self, room: float) -> tuple[list[Placed], float]:
        """The places of all of them."""
        found: list[Placed] = []
        y = 0.0
        for block in self.blocks:
            places, height = block.arrange(room)
            found += [(leaf, x, y + top, scale) for leaf, x, top, scale in places]
            y += height + self.gap if places else 0
        return found, max(0.0, y - self.gap)


@dataclass(frozen=True, eq=False)
class Sheet:
    """A panel with what lies in it; `ground` draws what is under it in a given size."""

    block: Block
    ground: Ground
    least: float = 0

    def height(self, width: float) -> float:
        """How high it is in a given width."""
        return max(self.least, self.block.arrange(width - 2 * PAD)[1] + 2 * PAD)


class Ground(Protocol):
    """Draws the ground of a panel."""

    def __call__(self, x: float, y: float, width: float, height: float) -> str: ...


@dataclass(frozen=True)
class Slot:
    """Where a panel stands: left, top, width and height."""

    sheet: Sheet
    x: float
    y: float
    width: float
    height: float

    def places(self) -> list[Placed]:
        """The places of all that lies in it, in the page."""
        found, _ = self.sheet.block.arrange(self.width - 2 * PAD)
        return [(leaf, self.x + PAD + x, self.y + PAD + y, scale) for leaf, x, y, scale in found]


@dataclass
class Column:
    """Panels one under the other, in a column so wide on the wide page."""

    sheets: list[Sheet] = field(default_factory=list)
    width: float = 0


def wide_slots(rows: Sequence[Sequence[Column]]) -> tuple[list[Slot], float]:
    """Slots on the wide page and its height, row by row; a panel alone in its column is as high as those beside it."""
    slots: list[Slot] = []
    y = float(MARGIN)
    for row in rows:
        depths = [sum(one.height(column.width) + GAP for one in column.sheets) - GAP for column in row]
        deepest, x = max(depths), float(MARGIN)
        for column, depth in zip(row, depths, strict=True):
            top = y
            for sheet in column.sheets:
                height = sheet.height(column.width)
                height += deepest - depth if len(column.sheets) == 1 else 0
                slots.append(Slot(sheet, x, top, column.width, height))
                top += height + GAP
            x += column.width + GAP
        y += deepest + GAP
    return slots, y - GAP + MARGIN


def narrow_slots(rows: Sequence[Sequence[Sheet]]) -> tuple[list[Slot], float]:
    """Slots on a narrow page, whose units are its own, and its height."""
    slots: list[Slot] = []
    y = float(NARROW_MARGIN)
    for row in rows:
        width = narrow_width(len(row))
        height = max(sheet.height(width) for sheet in row)
        for number, sheet in enumerate(row):
            slots.append(Slot(sheet, NARROW_MARGIN + number * (width + NARROW_GAP), y, width, height))
        y += height + NARROW_GAP
    return slots, y - NARROW_GAP + NARROW_MARGIN


def narrow_width(together: int) -> float:
    """The width of each of some panels side by side on a narrow page."""
    return (NARROW - 2 * NARROW_MARGIN - NARROW_GAP * (together - 1)) / together
