"""Constructs that rules may not use, each with the message for authors: other randomness, lists, texts, the clock."""

from __future__ import annotations

import ast
from collections.abc import Collection

from playmill.texts import Text, near_to

LISTS = Text(
    "a list, dictionary or set is made here, and rules must not: keep numbers in fields of the state, and walk over"
    " them with `for i in range(n)`; constants of the module are tuples",
    "здесь создаётся список, словарь или множество, а правилам нельзя: храните числа в полях состояния и обходите их"
    " циклом `for i in range(n)`; постоянные модуля — кортежи",
)
RAISING = Text(
    "rules must not raise, catch or assert: what is not allowed is not among `legal_actions`",
    "правилам нельзя вызывать, ловить ошибки и писать assert: чего нельзя, того нет в `legal_actions`",
)
TEXTS = Text(
    "a text is used here, and rules deal in numbers: name them at the top of the module, such as ROLL, HOLD = 0, 1",
    "здесь строка, а правила работают с числами: назовите их вверху модуля, например ROLL, HOLD = 0, 1",
)
NONE = Text(
    "None is no number: use -1 for nothing, nobody, nowhere",
    "None — не число: для «ничего», «никого», «нигде» берите -1",
)
INSIDE = Text(
    "a function, class or import inside a rule: put it at the top of the module (a function of its own with @rule)",
    "функция, класс или import внутри правила: вынесите наверх модуля (функцию — с @rule)",
)
OTHER_RNG = Text(
    "luck comes from the argument rng: below(rng, stream, n), happens(rng, stream, probability), shuffle(…) of"
    " playmill.author",
    "случай берут из аргумента rng: below(rng, stream, n), happens(rng, stream, probability), shuffle(…) из"
    " playmill.author",
)
CLOCK = Text(
    "rules must not look at the clock, files or the system: the same seed must give the same game",
    "правилам нельзя смотреть на часы, файлы и систему: одинаковый сид — одинаковая партия",
)
ARRAYS = Text(
    "a new array is made here, and rules must not: give the state, or the config, a field for it",
    "здесь создаётся новый массив, а правилам нельзя: заведите для него поле состояния или настроек",
)
METHODS = Text(
    "an array of the state has no methods in a rule: walk over it with `for i in range(n)`",
    "у массива состояния в правиле нет методов: обходите его циклом `for i in range(n)`",
)
PRINTING = Text(
    "this works only where rules are interpreted (--backend interpreted); take it out to compile them",
    "это работает только в интерпретаторе (--backend interpreted); уберите, чтобы скомпилировать",
)
GLOBAL = Text(
    "a rule must not change variables of the module: what changes lies in the state",
    "правилу нельзя менять переменные модуля: всё, что меняется, лежит в состоянии",
)
FIXED = Text(
    "the config is the same for all games and must not be changed: what changes lies in the state",
    "настройки общие для всех партий, менять их нельзя: всё, что меняется, лежит в состоянии",
)
HALVES = Text(
    "/ gives a fraction, and places are whole numbers: write // to divide without a rest",
    "/ даёт дробь, а места — целые числа: пишите // для деления нацело",
)
IDLE = Text(
    "this line does nothing: a comparison is no assignment; to change something write = instead of ==",
    "эта строка ничего не делает: сравнение — не присваивание; чтобы изменить значение, пишите = вместо ==",
)
SAME = Text(
    "`is` is about objects: compare numbers with == and !=", "`is` — про объекты: числа сравнивают через == и !="
)
PIECES = Text(
    "a piece of an array of several dimensions (a colon between its places): walk over its cells,"
    " `for i in range(first, last)`",
    "кусок многомерного массива (двоеточие среди мест): обойдите его ячейки циклом, `for i in range(first, last)`",
)
NAMED = Text(
    "an Enum is no number: name numbers at the top of the module, such as FREE, TAKEN = 0, 1, or take IntEnum",
    "Enum — не число: назовите числа вверху модуля, например FREE, TAKEN = 0, 1, или возьмите IntEnum",
)
OTHERWISE = Text(
    "this name is an argument, and to give it another meaning changes nothing of the game: write its places or fields,"
    " such as out[seat] = … or s.winner = …",
    "это имя — аргумент, и новое значение имени в партии ничего не меняет: пишите в его места или поля, например"
    " out[seat] = … или s.winner = …",
)
LISTING = Text(
    "options are written into out.ids by number, and counted: out.ids[n] = action, n += 1, and in the end return n",
    "варианты пишут в out.ids по номерам и считают: out.ids[n] = action, n += 1, а в конце return n",
)
OBJECTS = Text(
    "a class of Python is no number: name numbers at the top of the module, such as NOBODY = -1",
    "класс Python — не число: назовите числа вверху модуля, например NOBODY = -1",
)
DEFAULTS = Text(
    "an argument of a rule may have a number for a default, and nothing else",
    "значением по умолчанию у аргумента правила может быть только число",
)
_UNKNOWN = Text(
    "the compiler does not know this function of Python: write it as a loop, `for i in range(n)`, or a condition",
    "этой функции Python компилятор не знает: напишите цикл `for i in range(n)` или условие",
)
NOT_A_NUMBER = Text(
    "nan is no number: nothing is more, less than or equal to it; use a number, such as -1 or 0, for what is not there",
    "nan — не число: он не больше, не меньше и не равен ничему; для того, чего нет, берите число, например -1 или 0",
)
MAKERS = frozenset(
    {"zeros", "ones", "empty", "full", "array", "asarray", "arange", "copy", "concatenate", "stack", "where", "sort"}
    | {
        "argsort",
        "unique",
        "append",
        "insert",
        "delete",
        "nonzero",
        "flatnonzero",
        "argwhere",
        "tile",
        "repeat",
        "roll",
    }
    | {"zeros_like", "ones_like", "empty_like", "full_like", "linspace"}
)
BUILT = {
    **dict.fromkeys(("list", "dict", "set", "frozenset", "sorted", "map", "filter", "bytearray", "bytes"), LISTS),
    **dict.fromkeys(("str", "repr", "format", "ascii", "chr"), TEXTS),
    **dict.fromkeys(("open", "input", "exec", "eval", "globals", "__import__"), CLOCK),
    **dict.fromkeys(("any", "all", "next", "iter", "type", "id", "hash", "vars", "dir", "callable"), _UNKNOWN),
    **dict.fromkeys(("getattr", "setattr", "hasattr", "delattr", "super", "object"), _UNKNOWN),
}
MODULES = {"random": OTHER_RNG, "secrets": OTHER_RNG, "time": CLOCK, "datetime": CLOCK, "os": CLOCK, "sys": CLOCK}
REFUSED: dict[type[ast.AST], Text] = {
    **dict.fromkeys((ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.GeneratorExp), LISTS),
    **dict.fromkeys((ast.Raise, ast.Try, ast.Assert), RAISING),
    **dict.fromkeys((ast.JoinedStr,), TEXTS),
    **dict.fromkeys((ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.Import, ast.ImportFrom), INSIDE),
    **dict.fromkeys((ast.Global, ast.Nonlocal), GLOBAL),
    **dict.fromkeys((ast.With, ast.AsyncWith), CLOCK),
}


def forbidden_call(function: object) -> Text | None:
    """The message for a function of a module that rules may not use: `from random import randint`."""
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or type(owner).__module__
    root, _, rest = str(module).partition(".")
    return OTHER_RNG if root == "numpy" and rest.startswith("random") else MODULES.get(root)


def unknown_name(name: str, known: Collection[str]) -> Text:
    """The message for an undefined name."""
    latin = name.translate(_LATIN)
    if latin != name and latin in known:
        return Text(
            f"{name!r} is written with Cyrillic letters that look like Latin ones: type {latin!r} anew",
            f"в {name!r} есть русские буквы, похожие на латинские: наберите {latin!r} заново",
        )
    near = near_to(name, known)
    return Text(
        f"there is no {name!r}{near.en or ': neither a variable of this rule nor a name of the module'}",
        f"имени {name!r} нет{near.ru or ': ни переменной этого правила, ни имени модуля'}",
    )


#: Cyrillic letters that look like Latin ones: no name with one of each is ever found by looking.
_LATIN = str.maketrans("аеорсухіјѕАВЕКМНОРСТХІЈЅ", "aeopcyxijsABEKMHOPCTXIJS")
