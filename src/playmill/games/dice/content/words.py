"""Conditions and effects in plain words, in both languages: “three or more sixes in the roll”."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import playmill.games.dice.content.conditions as ask
import playmill.games.dice.content.effects as deed
from playmill.author import Text, plural
from playmill.games.dice.content.conditions import Compare, ConditionNode, Op
from playmill.games.dice.content.effects import EffectNode, Pick
from playmill.games.dice.content.entries import Kit, OwnFlag


class Noun(NamedTuple):
    """What is counted: English one and many; Russian 1 (and its accusative), 2–4, many."""

    one: str
    many: str
    ru_1: str
    ru_acc: str
    ru_2: str
    ru_5: str

    def after(self, n: int) -> Text:
        """Its form after a number."""
        return Text(plural(n, f"{self.one}|{self.many}"), plural(n, f"{self.ru_1}|{self.ru_2}|{self.ru_5}"))

    def of(self, n: int) -> str:
        """Its Russian form after a number in the genitive."""
        return plural(n, f"{self.ru_2}|{self.ru_5}|{self.ru_5}")


DIE = Noun("die", "dice", "кость", "кость", "кости", "костей")
FACES = (
    Noun("one", "ones", "единица", "единицу", "единицы", "единиц"),
    Noun("two", "twos", "двойка", "двойку", "двойки", "двоек"),
    Noun("three", "threes", "тройка", "тройку", "тройки", "троек"),
    Noun("four", "fours", "четвёрка", "четвёрку", "четвёрки", "четвёрок"),
    Noun("five", "fives", "пятёрка", "пятёрку", "пятёрки", "пятёрок"),
    Noun("six", "sixes", "шестёрка", "шестёрку", "шестёрки", "шестёрок"),
)
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")
RU_NUMBERS = ("ноль", "одна", "две", "три", "четыре", "пять", "шесть")
RU_OF_NUMBERS = ("нуля", "одной", "двух", "трёх", "четырёх", "пяти", "шести")
OPPOSITE: dict[Op, tuple[Op, int]] = {"at_least": ("at_most", -1), "at_most": ("at_least", 1)}
NOWHERE = Text("", "")
ROLL = Text(" in the roll", " в броске")
SAVED = Text(" among the saved dice", " в сохранении")
TABLE = Text(" on the table", " на столе")
SCOPES = {"thrown": ROLL, "saved": SAVED, "table": TABLE}
#: Of which dice is asked where nothing says it, by event; an active item waits for none.
USUAL = {"on_roll": ROLL, "on_save": SAVED, "on_pass": SAVED}
_SCORING = Text("a roll that scores", "бросок с очками")
TRIGGERS = {
    "on_roll": Text("on a roll", "при броске"),
    "on_save": Text("on a save", "при сохранении"),
    "on_pass": Text("on passing", "при пасе"),
}


#: What flags of content's own are called, by id; one that is not there is called by its id.
FlagNames = Mapping[str, Text]
NO_NAMES: FlagNames = {}


def usual_scope(events: Sequence[str]) -> Text:
    """Where the dice lie that conditions and effects look at, if they do not say it; without events, on the table."""
    first, *more = dict.fromkeys(USUAL[event] for event in events) or [TABLE]
    return Text.join((first, more[0]), Text(" or", " или")) if more else first


def sentence(condition: ConditionNode, flags: FlagNames = NO_NAMES, usual: Text = ROLL) -> Text:
    """What a condition asks, as words that can stand in brackets or after “if”; `usual` is its `usual_scope`."""
    return _sentence(condition, flags, usual, no=False)


def _sentence(condition: ConditionNode, flags: FlagNames, usual: Text, *, no: bool) -> Text:
    """A condition, or its opposite, which is told at the leaves: nobody likes “not (A and B)”."""
    match condition:
        case ask.Not(not_=inner):
            return _sentence(inner, flags, usual, no=not no)
        case ask.AllOf(all=parts) | ask.AnyOf(any=parts):
            parts_in_words = [_in_brackets(part, flags, usual, no=no) for part in parts]
            both = isinstance(condition, ask.AllOf) != no
            return Text.join(parts_in_words, Text(" and ", " и ") if both else Text(" or ", " или "))
        case ask.Count(count=compare, of=of):
            return _many(*_compared(compare, no=no), FACES[compare.face - 1], _scope(of, usual))
        case ask.SelectionContains(selection_contains=compare):
            return _many(*_compared(compare, no=no), FACES[compare.face - 1], SAVED)
        case ask.DiceRolled(dice_rolled=compare):
            return Text("{} rolled", "в броске {}").format(_many(*_compared(compare, no=no), DIE))
        case ask.SelectionSize(selection_size=compare):
            return Text("{} saved", "в сохранении {}").format(_many(*_compared(compare, no=no), DIE))
        case ask.Sum(sum=compare, of=of):
            return Text("a sum of {}{}", "сумма {}{}").format(_number(*_compared(compare, no=no)), _scope(of, usual))
        case ask.TurnPoints(turn_points=compare):
            return Text("{} turn points", "очков хода {}").format(_number(*_compared(compare, no=no)))
        case ask.OwnTotal(own_total=compare):
            return Text("an own total of {}", "свой счёт {}").format(_number(*_compared(compare, no=no)))
        case ask.SelectionPoints(selection_points=compare):
            return Text("a save worth {}", "сохранение на {}").format(_number(*_compared(compare, no=no)))
        case ask.RollNumber(roll_number=compare):
            return _ordinal(*_compared(compare, no=no))
    return _plain(condition, flags, usual, no=no)


def _scope(of: str | None, usual: Text) -> Text:
    return SCOPES[of] if of else usual


def _plain(condition: ConditionNode, flags: FlagNames, usual: Text, *, no: bool) -> Text:
    """A condition that compares nothing."""
    match condition:
        case ask.OfAKind(of_a_kind=n, of=of):
            few = Text("fewer than {} of a kind{}", "меньше {} одинаковых{}")
            phrase = few if no else Text("{} or more of a kind{}", "не меньше {} одинаковых{}")
            return phrase.format(Text(NUMBERS[n], RU_OF_NUMBERS[n]), _scope(of, usual))
        case ask.Straight(straight=which, of=of):
            phrase = Text("no straight{}{}", "нет стрита{}{}") if no else Text("a straight{}{}", "стрит{}{}")
            return phrase.format("" if which == "any" else " " + which.replace("-", "–"), _scope(of, usual))
        case ask.FirstRoll():
            phrase = Text("the first roll of the turn", "первый бросок хода")
            return _not(phrase) if no else phrase
        case ask.HotDice():
            if no:
                return Text("not a roll of hot dice", "бросок не горячих костей")
            return Text("a roll of hot dice", "бросок горячих костей")
        case ask.BehindBy(behind_by=n) | ask.AheadBy(ahead_by=n):
            way = Text("behind", "отставание") if isinstance(condition, ask.BehindBy) else Text("ahead", "отрыв")
            few = Text("less than {n} {n:point|points} {way}", "{way} меньше {n} {n:очка|очков|очков}")
            many = Text("{n} or more points {way}", "{way} не меньше {n} {n:очка|очков|очков}")
            return (few if no else many).format(n=n, way=way)
        case ask.Flag(flag="bust_shield"):
            return Text("no bust shield", "нет щита от провала") if no else Text("a bust shield", "есть щит от провала")
        case ask.Flag(flag="double_next_save"):
            doubled = Text("doubled", "удвоено")
            return Text.join((Text("the next save", "следующее сохранение"), _not(doubled) if no else doubled), " ")
        case ask.Flag(flag=name):
            return (Text("no {}", "нет {}") if no else Text("the {}", "есть {}")).format(_flag(name, flags))
        case ask.Scores():
            return Text("a roll that scores nothing", "бросок без очков") if no else _SCORING
    raise AssertionError(condition)


def _flag(name: str, flags: FlagNames) -> Text:
    """A flag of content's own; its name stands in quotes, which need no case."""
    return Text("flag “{}”", "«{}»").format(flags.get(name, name))


def _not(phrase: Text) -> Text:
    return Text("not {}", "не {}").format(phrase)


def _in_brackets(condition: ConditionNode, flags: FlagNames, usual: Text, *, no: bool) -> Text:
    """A part of a longer condition, in brackets where the words would run together."""
    phrase = _sentence(condition, flags, usual, no=no)
    inner = condition
    while isinstance(inner, ask.Not):
        inner = inner.not_
    if isinstance(inner, ask.AllOf | ask.AnyOf) and len(inner.value) > 1:
        return Text("({})", "({})").format(phrase)
    return phrase


def _compared(compare: Compare[int], *, no: bool) -> tuple[Op, int, bool]:
    """Comparison and number; the opposite of “exactly” is marked, the others turn round."""
    if no and compare.op in OPPOSITE:
        op, more = OPPOSITE[compare.op]
        return op, compare.n + more, False
    return compare.op, compare.n, no


def _many(op: Op, n: int, no: bool, noun: Noun, where: Text = NOWHERE) -> Text:
    """A number of things that are few, in words."""
    few = 0 <= n < len(NUMBERS)
    number, ru_of = (NUMBERS[n], RU_OF_NUMBERS[n]) if few else (f"{n}", f"{n}")
    if n == 0 and op != "at_least" and not no:
        phrase = Text(f"no {noun.many}", f"ни одной {noun.ru_2}")
    elif (n == 1 and op == "at_least") or (n == 0 and no):
        phrase = Text(f"one or more {noun.many}", f"хотя бы одна {noun.ru_1}")
    elif op == "exactly":
        count = Text(number, RU_NUMBERS[n] if few else number)
        phrase = Text("exactly {} {}", "ровно {} {}").format(count, noun.after(n))
        phrase = _not(phrase) if no else phrase
    elif op == "at_most":
        en = f"at most one {noun.one}" if n == 1 else f"{number} or fewer {noun.many}"
        phrase = Text(en, f"не больше {ru_of} {noun.of(n)}")
    else:
        phrase = Text(f"{number} or more {noun.many}", f"не меньше {ru_of} {noun.of(n)}")
    return Text.join((phrase, where), "")


def _number(op: Op, n: int, no: bool) -> Text:
    """A number of things that may be many, in digits."""
    digits = f"{n}".replace("-", "−")
    if op == "exactly":
        return Text(f"anything but {digits}", f"не {digits}") if no else Text(f"exactly {digits}", f"ровно {digits}")
    more = op == "at_least"
    return Text(f"{digits} or {'more' if more else 'less'}", f"{digits} или {'больше' if more else 'меньше'}")


def _ordinal(op: Op, n: int, no: bool) -> Text:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    phrase = Text(f"the {n}{ending} roll of the turn", f"{n}-й бросок хода")
    if op == "exactly":
        return _not(phrase) if no else phrase
    side = Text("later", "позже") if op == "at_least" else Text("earlier", "раньше")
    return Text.join((phrase, side), Text(" or ", " или "))


# Effects

_WAYS = {
    "+1": Text("turn {} up by one", "повернуть на грань больше {}"),
    "-1": Text("turn {} down by one", "повернуть на грань меньше {}"),
    "flip": Text("turn {} over", "перевернуть {}"),
    "chosen": Text("turn {} to a face of your choice", "повернуть на грань по выбору {}"),
}


def effect_sentence(effect: EffectNode, flags: FlagNames = NO_NAMES, usual: Text = ROLL) -> Text:
    """What an effect does, as words; `usual` is its `usual_scope`."""
    match effect:
        case deed.Add(add=n):
            return _points(n)
        case deed.AddToPass(add_to_pass=n):
            return Text("{} when passing in this turn", "{} при пасе в этом ходу").format(_points(n))
        case deed.AddPerDie(add_per_die=per):
            face = FACES[per.face - 1]
            phrase = Text(f"{{}} for every {face.one}{{}}", f"{{}} за каждую {face.ru_acc}{{}}")
            return phrase.format(_points(per.points), _scope(per.of, usual))
        case deed.Percent(percent=n):
            share = _signed(n)
            return Text(f"{share}% of the turn points", f"{share.replace('.', ',')}% очков хода")
        case deed.MultiplySave(multiply_save=n):
            return Text(f"the points of the save ×{n}", f"очки сохранения ×{n}")
        case deed.SetFlag(set_flag="bust_shield"):
            return Text("the next bust is cancelled", "следующий провал отменяется")
        case deed.SetFlag(set_flag="double_next_save"):
            return Text("the next save counts double", "следующее сохранение идёт вдвойне")
        case deed.ClearFlag(clear_flag="bust_shield"):
            return Text("the bust shield is gone", "щит от провала пропадает")
        case deed.ClearFlag(clear_flag="double_next_save"):
            return Text("the next save is not doubled any more", "следующее сохранение больше не удвоено")
        case deed.SetFlag(set_flag=name):
            return Text("set the {}", "поставить флаг {}").format(_flag(name, flags))
        case deed.ClearFlag(clear_flag=name):
            return Text("take away the {}", "снять флаг {}").format(_flag(name, flags))
        case deed.Reroll(reroll=pick):
            return Text("reroll {}", "перебросить {}").format(_picked(pick))
        case deed.Lock(lock=pick):
            return Text("lock {}", "закрепить {}").format(_picked(pick))
        case deed.SetFace(set_face=pick):
            dice, to = _picked(pick), pick.to
            if isinstance(to, int):
                face = FACES[to - 1]
                return Text(f"turn {{}} to {face.one}", f"повернуть на {face.ru_acc} {{}}").format(dice)
            return _WAYS[to].format(dice)
        case deed.SetWeights(set_weights=pick):
            load = Text("load {} ({}) until the turn ends", "утяжелить {} ({}) до конца хода")
            return load.format(_picked(pick), ratio(pick.weights))
    raise AssertionError(effect)


def effects_sentence(effects: Sequence[EffectNode], flags: FlagNames = NO_NAMES, usual: Text = ROLL) -> Text:
    """What several effects do, in turn."""
    return Text.join((effect_sentence(effect, flags, usual) for effect in effects), "; ")


def ratio(weights: tuple[int, ...]) -> str:
    """Weights as people write them: 5:1:1:1:1:1."""
    return ":".join(map(str, weights))


def flag_time(flag: OwnFlag) -> Text:
    """How long a flag of content's own lasts."""
    if flag.time == 0:
        return Text("until used", "пока не сработает")
    if flag.time == 1:
        return Text("until the turn ends", "до конца хода")
    return Text("for {}, this one counted", "{}, считая этот").format(turns(flag.time))


def kit_sentence(kit: Kit, names: Mapping[str, Text]) -> Text:
    """What a kit puts on the table, by names."""
    both = Text("for both", "для обоих")
    parts = [(both, _called((*kit.global_modifiers, *kit.global_items), names))]
    for seat, side in enumerate(kit.players, 1):
        listed = _called((*(side.dice or ()), *side.modifiers, *side.items), names)
        parts.append((Text(f"player {seat}", f"игрок {seat}"), listed))
    if parts[1][1] == parts[2][1]:
        parts[1:] = [(Text("each player", "каждому игроку"), parts[1][1])]
    return Text.join((Text.join((who, Text.join(listed)), ": ") for who, listed in parts if listed), "; ")


def _called(ids: Sequence[str], names: Mapping[str, Text]) -> list[Text]:
    """Things by their names, several of a kind together: 2 × Evil Die."""
    found = []
    for name in dict.fromkeys(ids):
        called, count = names.get(name, Text(name, name)), ids.count(name)
        found.append(called if count == 1 else Text.join((f"{count}", called), " × "))
    return found


def turns(n: int) -> Text:
    """A number of turns."""
    return Text("{n} {n:turn|turns}", "{n} {n:ход|хода|ходов}").format(n=n)


def _signed(n: float) -> str:
    return f"+{n}" if n > 0 else f"−{-n}"


def _points(n: int) -> Text:
    return Text("{} {n:point|points}", "{} {n:очко|очка|очков}").format(_signed(n), n=n)


def _picked(pick: Pick) -> Text:
    """The dice an effect means, in Russian in the accusative."""
    n = pick.many
    if pick.dice == "all":
        return Text("all dice on the table", "все кости на столе")
    if pick.face is not None:
        face = FACES[pick.face - 1]
        return Text(f"all {face.many}", f"все {face.ru_2}")
    if pick.dice == "chosen":
        if n == 1:
            return Text("a die of your choice", "кость на выбор")
        return Text(f"up to {NUMBERS[n]} dice of your choice", f"до {RU_OF_NUMBERS[n]} костей на выбор")
    word = Text("lowest", "младш") if pick.dice == "lowest" else Text("highest", "старш")
    if n == 1:
        return Text(f"the {word.en} die", f"{word.ru}ую кость")
    ending = "ие кости" if n < 5 else "их костей"
    return Text(f"the {NUMBERS[n]} {word.en} dice", f"{RU_NUMBERS[n]} {word.ru}{ending}")
