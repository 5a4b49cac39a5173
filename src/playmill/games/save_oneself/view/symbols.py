"""The symbols on the cards as SVG paths: the same on every machine, with or without an emoji font."""

from __future__ import annotations

from functools import cache

from playmill.games.save_oneself.constants import SIDE_IDS

#: The outline of everything.
OUTLINE = "#3a2c22"
_COLOURS = {
    "amber": "#d98324",
    "black": "#2c2930",
    "blue": "#3d9bd6",
    "bone": "#fbf5e6",
    "cloud": "#c9d2da",
    "crimson": "#b3261e",
    "fire": "#f58a1f",
    "fog": "#b9a8d6",
    "glass": "#d7ecf2",
    "gold": "#f2bd2c",
    "green": "#4fa353",
    "grey": "#98a0a8",
    "ink": OUTLINE,
    "leaf": "#6dbb5a",
    "navy": "#24659a",
    "paper": "#f3dfae",
    "pine": "#2f7a45",
    "pink": "#efa3a2",
    "rose": "#d97f80",
    "sand": "#e8cf94",
    "sky": "#a9daf2",
    "slate": "#6b747d",
    "steel": "#5b6470",
    "straw": "#dfae54",
    "sun": "#ffd94a",
    "teal": "#2f9c95",
    "timber": "#7a4b25",
    "wood": "#a96f3a",
}
_EYE = "m-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0z"
_MAP = (
    ("paper", "M6 14 22 8 42 15 58 9V50L42 56 22 49 6 55z"),
    ("amber2", "M22 9V48M42 16V55"),
    ("crimson4", "M28 27 37 37M37 27 28 37"),
)
#: By side, on a sheet of 64 by 64: a colour and a path. A colour alone fills what has an outline, with a dash after it
#: there is none; a colour with a number is a line so wide.
_SYMBOLS: dict[str, tuple[tuple[str, str], ...]] = {
    "vines": (
        ("pine4", "M33 61C26 46 41 37 33 22 30 15 33 8 38 3"),
        ("leaf", "M31 46C20 48 10 41 7 30 20 28 30 34 31 46z"),
        ("green", "M35 36C46 36 55 29 58 18 45 18 35 24 35 36z"),
        ("leaf", "M32 22C23 23 15 17 13 8 24 7 32 12 32 22z"),
        ("green", "M32 57C41 60 52 54 56 45 45 43 35 47 32 57z"),
    ),
    "hook": (
        ("steel6", "M38 13V41A13 13 0 0 1 12 41V33"),
        ("steel", "M12 27 21 41 12 37 4 42z"),
        ("steel3", "M33 9A5 5 0 1 0 43 9A5 5 0 1 0 33 9"),
        ("wood2.4", "M42 5C50 2 56 5 61 1"),
    ),
    "water": (
        ("blue", "M32 4C42 19 52 30 52 42A20 20 0 0 1 12 42C12 30 22 19 32 4z"),
        ("sky4", "M21 42A11 11 0 0 0 31 53"),
    ),
    "flint": (
        ("slate", "M3 45 13 29 33 25 45 38 40 56 15 60z"),
        ("grey-", "M14 31 31 28 26 41 11 45z"),
        ("ink1.6", "M26 41 38 55M26 41 44 38"),
        ("sun", "M49 2 52 13 63 16 52 20 49 31 45 20 34 16 45 13z"),
    ),
    "palm-trees": (
        ("sand", "M10 61C18 52 50 52 58 61z"),
        ("wood", "M31 57C30 43 31 33 36 23L41 25C37 35 37 45 39 57z"),
        ("green", "M38 25C26 24 17 31 15 43 23 35 30 30 38 25z"),
        ("green", "M38 25C48 26 56 33 56 44 50 36 44 30 38 25z"),
        ("leaf", "M38 25C28 12 13 12 4 23 17 20 28 22 38 25z"),
        ("leaf", "M38 25C46 13 57 14 62 25 53 21 46 21 38 25z"),
        ("leaf", "M38 25C34 11 25 4 14 4 24 9 31 16 38 25z"),
        ("leaf", "M38 25C39 11 46 4 56 3 48 9 42 16 38 25z"),
    ),
    "sticks": (
        ("timber", "M2 41 60 17 62 23 4 47z"),
        ("wood", "M23 63 34 1 40 2 29 64z"),
        ("straw", "M9 55 50 5 55 9 14 59z"),
        ("wood", "M42 18 52 20 52 24 40 22z"),
    ),
    "bottle": (
        ("wood", "M27 2H37V13H27z"),
        ("green", "M26 9H38V21C46 25 48 30 48 37V56A5 5 0 0 1 43 61H21A5 5 0 0 1 16 56V37C16 30 18 25 26 21z"),
        ("leaf4", "M23 36V53"),
        ("ink1.6", "M25 15H39"),
    ),
    "higher-ground": (
        ("slate", "M30 57 46 24 62 57z"),
        ("grey", "M2 57 24 9 47 57z"),
        ("bone", "M24 9 34 30 27 27 22 32 15 28z"),
        ("green", "M2 57C14 48 50 48 62 57V61H2z"),
    ),
    "telescope": (
        ("gold", "M3 46 16 37 21 45 8 53z"),
        ("wood", "M13 36 31 25 38 37 20 48z"),
        ("timber", "M27 24 53 8 63 25 37 40z"),
        ("gold", "M47 10 53 6 65 26 59 30z"),
        ("gold", "M27 24 31 21 41 38 37 41z"),
    ),
    "rocks": (
        ("grey", "M18 40 24 19 40 15 50 38z"),
        ("slate", "M31 59 35 40 49 34 62 46 61 59z"),
        ("grey", "M3 59 7 43 20 37 35 47 35 59z"),
        ("cloud-", "M27 22 38 19 41 26 26 30z"),
        ("cloud-", "M10 46 20 41 26 46 10 51z"),
    ),
    "pig": (
        ("timber", "M7 8 25 14 12 29z"),
        ("timber", "M57 8 39 14 52 29z"),
        ("wood", "M32 11C47 11 57 22 57 36 57 51 46 60 32 60 18 60 7 51 7 36 7 22 17 11 32 11z"),
        ("pink", "M20 43A12 9 0 1 0 44 43A12 9 0 1 0 20 43z"),
        ("bone", "M18 42 12 33 21 36z"),
        ("bone", "M46 42 52 33 43 36z"),
        ("ink-", "M20 29" + _EYE + "M44 29" + _EYE + "M28 43" + _EYE + "M36 43" + _EYE),
    ),
    "storm": (
        ("navy3.4", "M17 46 12 59M30 46 25 59M43 46 38 59M55 46 50 59"),
        ("slate", "M16 41A12 12 0 0 1 14 17 15 15 0 0 1 42 12 13 13 0 0 1 50 41z"),
        ("cloud3", "M17 25C21 18 30 14 37 19"),
    ),
    "mirage": (
        ("sun", "M18 31A14 14 0 0 1 46 31z"),
        ("amber3", "M32 6V11M12 14 16 18M52 14 48 18"),
        ("fog4.5", "M4 35C11 29 18 41 25 35S39 41 46 35 56 33 60 36"),
        ("fog4.5", "M4 46C11 40 18 52 25 46S39 52 46 46 56 44 60 47"),
        ("fog4.5", "M4 57C11 51 18 63 25 57S39 63 46 57 56 55 60 58"),
    ),
    "pirates": (
        ("wood", "M6 3H11V62H6z"),
        ("black", "M11 6C24 1 34 12 61 6V43C36 49 26 38 11 43z"),
        ("bone3.2", "M24 40 47 29M24 29 47 40"),
        ("bone", "M35.5 10C42 10 46 14 46 20 46 24 44 26 41 27V32H30V27C27 26 25 24 25 20 25 14 29 10 35.5 10z"),
        ("ink-", "M31.5 20" + _EYE + "M39.5 20" + _EYE),
    ),
    "map-r": (*_MAP, ("navy3.4", "M5 32H22M43 32H59M11 26 5 32 11 38M53 26 59 32 53 38")),
    "map-c": (*_MAP, ("navy3.4", "M32 3V22M32 42V61M26 9 32 3 38 9M26 55 32 61 38 55")),
    "shelter": (
        ("wood", "M12 32H52V60H12z"),
        ("timber2", "M19 34V59M45 34V59"),
        ("black", "M25 60V43A7 7 0 0 1 39 43V60z"),
        ("straw", "M32 5 62 36 55 41 32 20 9 41 2 36z"),
        ("amber2", "M32 12 14 32M32 12 50 32"),
    ),
    "fish": (
        ("blue", "M44 32 61 16C58 28 58 36 61 48z"),
        ("navy", "M20 20C26 9 36 9 40 14L38 22z"),
        ("blue", "M3 33C13 13 38 13 49 32 38 52 13 52 3 33z"),
        ("sky-", "M9 37C18 47 33 47 43 36 33 41 19 42 9 37z"),
        ("navy2.4", "M23 22C28 28 28 37 23 43"),
        ("bone", "M13.5 29a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"),
        ("ink-", "M16 29a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0z"),
    ),
    "waterfall": (
        ("grey", "M2 9H22V52H2z"),
        ("slate", "M42 9H62V52H42z"),
        ("blue", "M18 9C24 5 40 5 46 9V52H18z"),
        ("sky3", "M26 13V42M33 18V48M40 13V40"),
        ("sky", "M3 60C3 50 12 47 17 51 21 44 30 44 33 50 38 44 47 45 49 51 55 47 61 51 61 60z"),
    ),
    "torch": (
        ("wood", "M25 36H39L35 63H29z"),
        (
            "fire",
            "M33 1C36 11 48 16 45 29 43 36 37 38 32 38 26 38 20 35 19 28 18 21 23 19 24 12 27 15 28 17 28 20"
            " 32 16 34 9 33 1z",
        ),
        ("sun-", "M33 18C34 24 40 26 38 31 37 35 27 35 26 30 26 26 31 25 33 18z"),
        ("timber", "M22 34H42V41H22z"),
    ),
    "coconuts": (
        ("wood", "M3 24A18 18 0 0 1 39 24 18 18 0 0 1 3 24z"),
        ("straw2.4", "M9 20C13 12 20 9 27 10"),
        ("timber", "M24 42A18 18 0 0 1 60 42 18 18 0 0 1 24 42z"),
        ("bone", "M28.5 42A13.5 13.5 0 0 1 55.5 42 13.5 13.5 0 0 1 28.5 42z"),
        ("glass", "M33 43A9 9 0 0 1 51 43 9 9 0 0 1 33 43z"),
    ),
    "spear": (
        ("wood", "M3 57 40 20 45 25 8 62z"),
        ("grey", "M32 15 62 2 49 32 44 21z"),
        ("cloud-", "M37 17 57 7 45 19z"),
        ("crimson", "M35 22 39 17 47 25 42 29z"),
    ),
    "message": (
        ("paper", "M16 8H53V46H16z"),
        ("sand", "M16 8H53A5 5 0 0 1 53 18H16A5 5 0 0 1 16 8z"),
        ("sand", "M11 46H48A5 5 0 0 1 48 57H11A5 5 0 0 1 11 46z"),
        ("ink2.4", "M23 25H46M23 32H46M23 39H37"),
    ),
    "lit-beacon": (
        ("timber", "M4 52 55 60 54 65 3 58z"),
        ("wood", "M60 52 9 60 10 65 61 58z"),
        (
            "fire",
            "M34 1C37 14 55 20 54 38 53 50 43 56 32 56 20 56 10 49 10 38 10 29 17 25 18 15 23 19 25 23 25 28"
            " 31 22 35 12 34 1z",
        ),
        (
            "sun-",
            "M34 24C35 33 45 36 43 45 42 51 37 53 32 53 26 53 21 50 21 44 21 38 25 36 26 31 29 34 30 36 30 39"
            " 33 35 35 30 34 24z",
        ),
    ),
    "ship-sighted": (
        ("gold", "M2 32A30 30 0 0 1 62 32 30 30 0 0 1 2 32z"),
        ("sky", "M8 32A24 24 0 0 1 56 32 24 24 0 0 1 8 32z"),
        ("blue-", "M9.2 40C22 37 42 37 54.8 40 51 51 41 55 32 55S13 51 9.2 40z"),
        ("bone", "M33 12C43 17 46 25 45 33H33z"),
        ("bone", "M29 17C23 21 20 27 20 33H29z"),
        ("timber", "M15 36H50C48 43 44 46 40 46H25C20 46 17 42 15 36z"),
    ),
    "sos": (
        ("crimson", "M8 12H56A6 6 0 0 1 62 18V46A6 6 0 0 1 56 52H8A6 6 0 0 1 2 46V18A6 6 0 0 1 8 12z"),
        ("bone4", "M20 24C18 20 9 20 9 26 9 33 20 31 20 38 20 44 10 44 8 40"),
        ("bone4", "M32 22C40 22 40 42 32 42S24 22 32 22z"),
        ("bone4", "M56 24C54 20 45 20 45 26 45 33 56 31 56 38 56 44 46 44 44 40"),
    ),
    "meat": (
        ("bone", "M39 43 48 52A6 6 0 1 1 55 59 6 6 0 1 1 46 60 6 6 0 0 1 45 56L36 47z"),
        ("crimson", "M6 20C9 6 26 0 38 8 50 16 51 34 42 43 34 52 20 50 12 41 6 34 4 27 6 20z"),
        ("rose-", "M12 22C15 12 26 8 34 13 28 12 19 17 17 28 15 30 11 27 12 22z"),
    ),
    "tornado": (
        ("slate7", "M7 9C24 4 44 4 58 9"),
        ("grey7", "M12 21C26 25 42 25 55 20"),
        ("slate6.5", "M20 33C29 36 40 36 49 31"),
        ("grey6", "M27 44C33 46 39 45 44 42"),
        ("slate5.5", "M30 54C33 55 36 54 38 52"),
        ("slate4", "M29 62H31"),
    ),
    "sea-serpent": (
        ("teal", "M10 50C10 34 11 22 16 14 20 6 33 6 37 14L42 17 37 22C33 26 27 23 24 22 20 28 20 38 20 50z"),
        ("teal", "M25 50C25 31 45 31 45 50H38C38 42 32 42 32 50z"),
        ("teal", "M48 50C48 40 52 34 62 32 58 37 57 43 57 50z"),
        ("bone", "M24.5 14a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"),
        ("ink-", "M27 14a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0z"),
        ("blue", "M2 62V50C7 45 12 45 17 50 22 45 27 45 32 50 37 45 42 45 47 50 52 45 57 45 62 50V62z"),
    ),
    "compass": (
        ("gold", "M3 32A29 29 0 0 1 61 32 29 29 0 0 1 3 32z"),
        ("bone", "M10 32A22 22 0 0 1 54 32 22 22 0 0 1 10 32z"),
        ("slate2.4", "M32 12V16M32 48V52M12 32H16M48 32H52"),
        ("crimson", "M45 17 36 37 27 28z"),
        ("cloud", "M19 47 28 27 37 36z"),
    ),
    "rum": (
        ("glass", "M12 7H52L47 60H17z"),
        ("amber", "M14.5 27C26 31 38 23 49.5 27L46.5 58H17.5z"),
        ("bone-", "M36 38 46 41 43 51 33 48z"),
        ("bone3", "M19 13 20 21"),
    ),
    "treasure": (
        ("sky", "M14 10H50L62 26 32 60 2 26z"),
        ("glass-", "M16 12H31L22 25H5z"),
        ("blue-", "M43 26 60 26 34 57z"),
        ("navy2", "M2 26H62M14 10 22 26 32 60 42 26 50 10M32 10 22 26M32 10 42 26"),
        ("ink2.2", "M14 10H50L62 26 32 60 2 26z"),
    ),
}


def symbol(side: int, x: float, y: float, size: float) -> str:
    """The symbol of a side, its middle at a point."""
    scale = size / 64
    place = f'transform="translate({x - size / 2:.1f} {y - size / 2:.1f}) scale({scale:.3f})"'
    return f'<g {place} stroke="{OUTLINE}" stroke-width="2.2">{_drawn(side)}</g>'


@cache
def _drawn(side: int) -> str:
    return "".join(_shape(colour, path) for colour, path in _SYMBOLS[SIDE_IDS[side]])


def _shape(colour: str, path: str) -> str:
    name = colour.rstrip("-.0123456789")
    paint, width = _COLOURS[name], colour.removeprefix(name)
    if width and width != "-":
        return f'<path d="{path}" fill="none" stroke="{paint}" stroke-width="{width}"/>'
    return f'<path d="{path}" fill="{paint}"{" stroke=" + repr("none") if width else ""}/>'
