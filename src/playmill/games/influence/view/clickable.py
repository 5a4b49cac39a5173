"""Clickable things in the field of Influence: sources and targets of attacks, cells that take a point.

Cells for which nothing can be done are one thing for each reason.
"""

from __future__ import annotations

from collections.abc import Iterable

from playmill.author import Text
from playmill.drawing.svg import ACCENT
from playmill.drawing.things import part, refused, shown_for, whole
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.constants import NOBODY, SIDES
from playmill.games.influence.view.scene import InfluenceScene
from playmill.games.influence.view.shapes import promise
from playmill.games.influence.words import names

_ON_ENEMY = Text("{} → {}: {} against {}, {} %", "{} → {}: {} против {}, {} %")
_ON_EMPTY = Text("{} → {}: {} to an empty cell, {} %", "{} → {}: {} на пустую клетку, {} %")
_MORE = Text("{}: {} of {}, one more", "{}: {} из {}, добавить очко")
_MINE = Text("{}: yours, {} of {}", "{}: ваша, {} из {}")
_THEIRS = Text("{}: {}, {} of {}", "{}: {}, {} из {}")
_EMPTY = Text("{}: empty, room for {}", "{}: пустая, вмещает {}")
_STAYS = Text(
    "An attack takes influence 2 or more: the last 1 stays", "Атакуют с влиянием от 2: последняя единица остаётся"
)
_INSIDE = Text("All cells around it are yours", "Все клетки вокруг неё ваши")
_PEACE = Text("In the first turn only empty cells can be taken", "В первый ход занимают только пустые клетки")
_FAR = Text(
    "Out of reach: no cell of yours with influence 2 or more is next to it",
    "Не достать: рядом нет вашей клетки с влиянием от 2",
)
_FULL = Text("Full: it holds no more", "Заполнена: больше не вмещает")
_NOT_YOURS = Text("Points go to your own cells", "Очки добавляют на свои клетки")


def thing_of(cell: int) -> str:
    """What a cell is called as a thing of the picture."""
    return f"cell-{cell}"


def things_of(scene: InfluenceScene) -> list[str]:
    """The cells that can be clicked, and the others with the reason why they cannot."""
    if not scene.legal:
        return []
    attacks = [action for action in scene.legal if action < END_ATTACK]
    points = {action - PLACE: action for action in scene.legal if PLACE <= action < AUTO}
    return _to_place(scene, points) if points or AUTO in scene.legal else _to_attack(scene, attacks)


def _to_attack(scene: InfluenceScene, attacks: Iterable[int]) -> list[str]:
    """Sources and targets, with the chance promised on the edge between them."""
    sources: dict[int, list[int]] = {}
    targets: dict[int, list[int]] = {}
    for action in attacks:
        sources.setdefault(action // SIDES, []).append(action)
        targets.setdefault(names.target_of(scene.config, action), []).append(action)
    reasons: dict[tuple[str, Text], list[int]] = {}
    for cell in range(len(scene.geometry.sockets)):
        if cell not in sources and cell not in targets:
            reasons.setdefault(_no_attack(scene, cell), []).append(cell)
    parts = _refused(scene, reasons)
    parts += [
        part(thing_of(cell), actions, _cell_text(scene, cell), _face(scene, cell)) for cell, actions in sources.items()
    ]
    for cell, actions in targets.items():
        promised = "".join(shown_for([action], _promise(scene, action)) for action in actions)
        body = f'<g class="aim">{_face(scene, cell)}</g>{promised}'
        parts.append(part(thing_of(cell), actions, _cell_text(scene, cell), body))
    return parts


def _no_attack(scene: InfluenceScene, cell: int) -> tuple[str, Text]:
    """Why a cell neither attacks nor can be attacked."""
    owner, viewer = scene.owners[cell] - 1, scene.viewer
    peaceful = not scene.config.first_turn_attacks and viewer is not None and scene.s["turns"][viewer] == 1
    if owner != viewer:
        return ("peace", _PEACE) if peaceful and owner != NOBODY else ("far", _FAR)
    if scene.influence[cell] == 1:
        return "stays", _STAYS
    beside = (other for other in names.board_of(scene.config).neighbours[cell] if other >= 0)
    inner = all(scene.owners[other] - 1 == viewer for other in beside)
    return ("inner", _INSIDE) if inner else ("peace", _PEACE)


def _to_place(scene: InfluenceScene, points: dict[int, int]) -> list[str]:
    """The cells that can take a point."""
    most = names.capacities(scene.config)
    reasons: dict[tuple[str, Text], list[int]] = {}
    for cell, owner in enumerate(scene.owners[: len(scene.geometry.sockets)]):
        if cell not in points:
            why = ("full", _FULL) if owner - 1 == scene.viewer else ("others", _NOT_YOURS)
            reasons.setdefault(why, []).append(cell)
    parts = _refused(scene, reasons)
    for cell, action in points.items():
        place = names.cell_name(scene.config, cell)
        line = scene.say(_MORE, place, scene.influence[cell], most[cell])
        parts.append(whole(action, line, _face(scene, cell), thing=thing_of(cell), more=True))
    return parts


def _refused(scene: InfluenceScene, reasons: dict[tuple[str, Text], list[int]]) -> list[str]:
    sockets = scene.geometry.sockets
    return [
        refused(name, scene.say(why), f'<path class="hit" d="{"".join(sockets[cell] for cell in cells)}"/>')
        for (name, why), cells in reasons.items()
    ]


def _face(scene: InfluenceScene, cell: int) -> str:
    """A cell's place, to be clicked, with a ring that says so."""
    pitch, around = scene.geometry.pitch, scene.geometry.sockets[cell]
    ring = f'fill="none" stroke="{ACCENT}" stroke-width="{pitch * 0.055:.2g}" stroke-dasharray="{pitch * 0.12:.2g}"'
    return (
        f'<path class="hit" d="{around}"/>'
        f'<path class="ring" d="{around}" {ring} style="--thick:{pitch * 0.1:.2g}px" pointer-events="none"/>'
    )


def _cell_text(scene: InfluenceScene, cell: int) -> str:
    """A cell in short: whose it is and what it holds."""
    place, most = names.cell_name(scene.config, cell), names.capacities(scene.config)[cell]
    owner = scene.owners[cell] - 1
    if owner == NOBODY:
        return scene.say(_EMPTY, place, most)
    if owner == scene.viewer:
        return scene.say(_MINE, place, scene.influence[cell], most)
    return scene.say(_THEIRS, place, names.player_name(owner), scene.influence[cell], most)


def _promise(scene: InfluenceScene, action: int) -> str:
    """The chance of an attack on the edge that it crosses, nearer to the target."""
    drawn = scene.geometry
    line, chance = _attack_text(scene, action)
    (x, y), (fx, fy) = drawn.middles[names.target_of(scene.config, action)], drawn.middles[action // SIDES]
    far = 0.51 if y == fy else 0.65  # where it hides neither number
    pill = promise(fx + (x - fx) * far, fy + (y - fy) * far, drawn.pitch * 0.2, chance)
    return f'<title>{line}</title><g class="promise">{pill}</g>'


def _attack_text(scene: InfluenceScene, action: int) -> tuple[str, int]:
    """An attack in short, with its chance; and the chance."""
    source, target = action // SIDES, names.target_of(scene.config, action)
    mine, theirs, defender = scene.influence[source], scene.influence[target], scene.owners[target] - 1
    chance = names.chance_of(scene.config, mine, theirs, defender)
    here, there = names.cell_name(scene.config, source), names.cell_name(scene.config, target)
    if defender == NOBODY:
        return scene.say(_ON_EMPTY, here, there, mine, chance), chance
    return scene.say(_ON_ENEMY, here, there, mine, theirs, chance), chance
