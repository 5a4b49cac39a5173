"""Labels of a form for content: names of fields, conditions, effects and values, in both languages."""

from __future__ import annotations

from functools import cache

from playmill.author import Text
from playmill.author.content import Labels
from playmill.games.dice.content.entries import OwnFlag
from playmill.games.dice.plain import KINDS

_LAST, _NEXT = Text("the bust shield", "щит от провала"), Text("the next save doubled", "двойное следующее сохранение")
_NAMES = {
    "name": Text("Name", "Название"),
    "desc": Text("In words", "Словами"),
    "note": Text("Notice when it fires", "Надпись, когда срабатывает"),
    "notification": Text("Notice when it works", "Надпись, когда срабатывает"),
    "id": Text("Name in files", "Имя в файлах"),
    "enabled": Text("Switched on", "Включено"),
    "type": Text("Passive or active", "Пассивный или активный"),
    "code": Text("Mark on the die", "Метка на кости"),
    "rarity": Text("How rare it is", "Редкость"),
    "theme": Text("What it looks like", "Как выглядит"),
    "weights": Text("How often each face falls", "Как часто выпадает каждая грань"),
    "items": Text("What kind of item", "Какой это предмет"),
    "PassiveItem": Text("works by itself", "работает сам (пассивный)"),
    "ActiveItem": Text("is used by its player", "его применяет игрок (активный)"),
    "trigger": Text("When", "Когда"),
    "triggers": Text("When", "Когда"),
    "cooldown_turns": Text("Turns until it can be used again", "Ходов до следующего применения"),
    "condition": Text("Only if", "Только если"),
    "activate_condition": Text("Can be used if", "Можно применить, если"),
    "condition=": Text("always", "всегда"),
    "activate_condition=": Text("always", "всегда"),
    "effect": Text("What it does", "Что делает"),
    "lasts": Text("How long it lasts", "Сколько держится"),
    "lasts=until_used": Text("until it is used", "пока его не используют"),
    "lasts=turn": Text("until the turn ends", "до конца хода"),
    "lasts=turns": Text("so many turns", "столько-то ходов"),
    "turns": Text("Turns", "Ходов"),
    # Conditions
    "Count": Text("dice showing a face", "костей с такой гранью"),
    "OfAKind": Text("equal dice", "одинаковых костей"),
    "Straight": Text("a straight", "стрит"),
    "DiceRolled": Text("dice thrown", "брошено костей"),
    "Sum": Text("the sum of the dice", "сумма костей"),
    "FirstRoll": Text("it is the first roll of the turn", "это первый бросок хода"),
    "RollNumber": Text("which roll of the turn it is", "который это бросок хода"),
    "HotDice": Text("hot dice were thrown", "брошены горячие кости"),
    "Scores": Text("the roll scores", "в броске есть очки"),
    "TurnPoints": Text("points of the turn", "очков хода"),
    "OwnTotal": Text("the player's own total", "счёт самого игрока"),
    "SelectionSize": Text("dice saved", "сохранено костей"),
    "SelectionContains": Text("saved dice showing a face", "сохранённых костей с такой гранью"),
    "SelectionPoints": Text("points of the save", "очков в сохранении"),
    "BehindBy": Text("the player is behind by", "игрок отстаёт на"),
    "AheadBy": Text("the player is ahead by", "игрок впереди на"),
    "Flag": Text("the player has a flag", "у игрока есть флаг"),
    "AllOf": Text("all of these hold", "верно всё из этого"),
    "AnyOf": Text("at least one of these holds", "верно хоть что-то из этого"),
    "Not": Text("this does not hold", "это неверно"),
    "all": Text("All of these", "Всё из этого"),
    "any": Text("At least one of these", "Хоть что-то из этого"),
    "not": Text("Not this", "Неверно, что"),
    "at_least": Text("at least", "не меньше"),
    "at_most": Text("at most", "не больше"),
    "exactly": Text("exactly", "ровно"),
    "FaceContained.=": Text("at least one", "хотя бы одна"),
    "face": Text("face", "грань"),
    "of_a_kind": Text("at least", "не меньше"),
    "straight": Text("which", "какой"),
    "straight=any": Text("any", "любой"),
    "straight=1-5": Text("from 1 to 5", "от 1 до 5"),
    "straight=2-6": Text("from 2 to 6", "от 2 до 6"),
    "straight=1-6": Text("from 1 to 6", "от 1 до 6"),
    "behind_by": Text("points, or more", "очков или больше"),
    "ahead_by": Text("points, or more", "очков или больше"),
    "flag": Text("which", "какой"),
    # Effects
    "Add": Text("points of the turn, more or less", "прибавить или отнять очки хода"),
    "AddToPass": Text("points for passing in this turn", "очки за пас в этом ходу"),
    "AddPerDie": Text("points for every die showing a face", "очки за каждую кость с такой гранью"),
    "Percent": Text("percent of the points of the turn", "процент от очков хода"),
    "MultiplySave": Text("multiply the points of the save", "умножить очки сохранения"),
    "SetFlag": Text("set a flag", "поставить флаг"),
    "ClearFlag": Text("take a flag away", "снять флаг"),
    "Reroll": Text("throw dice again", "перебросить кости"),
    "SetFace": Text("turn dice to a face", "повернуть кости на грань"),
    "SetWeights": Text("load dice until the turn ends", "утяжелить кости до конца хода"),
    "Lock": Text("lock dice", "закрепить кости"),
    "add": Text("points", "очков"),
    "add_to_pass": Text("points", "очков"),
    "points": Text("points each", "очков за каждую"),
    "percent": Text("percent", "процентов"),
    "multiply_save": Text("times", "во сколько раз"),
    "set_flag": Text("which", "какой"),
    "clear_flag": Text("which", "какой"),
    "of": Text("of which dice", "каких костей"),
    "of=": Text("as usual for its moment", "обычных для этого момента"),
    "of=thrown": Text("those just thrown", "только что брошенных"),
    "of=saved": Text("those just saved", "только что сохранённых"),
    "of=table": Text("all on the table", "всех на столе"),
    "dice": Text("which dice", "какие кости"),
    "dice=chosen": Text("those the player chooses", "те, что выберет игрок"),
    "dice=all": Text("all on the table", "все на столе"),
    "dice=lowest": Text("the lowest", "младшие"),
    "dice=highest": Text("the highest", "старшие"),
    "dice=showing": Text("all showing a face", "все с такой гранью"),
    "count": Text("how many", "сколько"),
    "to": Text("to face", "на грань"),
    "to=+1": Text("one more", "на одну больше"),
    "to=-1": Text("one less", "на одну меньше"),
    "to=flip": Text("the opposite one", "противоположную"),
    "to=chosen": Text("one that the player chooses", "ту, что выберет игрок"),
}
_MAKE_ONE = Text(
    "A flag of your own is made and kept under “flag” above; then it stands here.",
    "Собственный флаг делают и сохраняют вверху, в разделе «флаг»; тогда он есть и здесь.",
)
_EVENTS = {
    "on_roll": Text("after a roll", "после броска"),
    "on_save": Text("after dice are saved", "после сохранения костей"),
    "on_pass": Text("when the player passes", "когда игрок пасует"),
}
_FACES = {f"weights.{place}": Text(str(place + 1), str(place + 1)) for place in range(6)}
_ABOUT = {
    "of": Text(
        "Usual: after a roll the dice just thrown, after a save and on a pass the dice just saved, for an active item "
        "all on the table.",
        "Обычно: после броска — только что брошенные, после сохранения и при пасе — только что сохранённые, для "
        "активного предмета — все на столе.",
    ),
    "id": Text("small Latin letters; made from the name if left empty", "строчные латинские буквы; само из названия"),
    "weights": Text(
        "For faces 1 to 6, fractions too; a face with 5 falls five times as often as one with 1.",
        "Для граней от 1 до 6, можно дроби; грань с числом 5 выпадает впятеро чаще, чем с числом 1.",
    ),
    "cooldown_turns": Text(
        "Turns of both players count: 1 and 2 are once in every turn of one's own, 0 is once before every save.",
        "Считаются ходы обоих: 1 и 2 — раз в каждый свой ход, 0 — раз перед каждым сохранением.",
    ),
    "lasts": Text(
        "It is used when something that asks for it does anything.",
        "Его используют, когда срабатывает то, что о нём спрашивает.",
    ),
    "turns": Text(
        "Turns of both players count, the one in which it is set too.",
        "Считаются ходы обоих, и тот, в котором он поставлен.",
    ),
    "flag": _MAKE_ONE,
    "set_flag": _MAKE_ONE,
    "enabled": Text(
        "Off, it does nothing in a match that does not switch it on.",
        "Выключенное ничего не делает, пока партия его не включит.",
    ),
}


_FLAG_KEYS = ("flag", "set_flag", "clear_flag")


@cache
def labels_with(flags: tuple[OwnFlag, ...]) -> Labels:
    """All texts of the form; these are the flags, beside the two with rules of their own, that can be spoken of."""
    known = {"bust_shield": _LAST, "double_next_save": _NEXT} | {flag.id: flag.name.text for flag in flags}
    events = {f"{key}={event}": text for key in ("trigger", "triggers") for event, text in _EVENTS.items()}
    return Labels(
        names={**_NAMES, **_FACES, **events},
        about=_ABOUT,
        among=dict.fromkeys(_FLAG_KEYS, known),
        ids=dict.fromkeys(_FLAG_KEYS, "flags"),
        aside=frozenset({"id", "enabled", "rarity", "theme"}),
        made=frozenset({"id", "desc"}),
        kinds=(*KINDS, "flags"),
        untried=frozenset({"flags"}),
    )
