"""What rules may not do, in the words in which authors are told: luck from elsewhere, lists, texts, the clock."""

from __future__ import annotations

import ast

from playmill.texts import Text

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
LUCK = Text(
    "luck comes from the argument rng: below(rng, stream, n), happens(rng, stream, probability), shuffle(…) of"
    " playmill.engine.rng",
    "случай берут из аргумента rng: below(rng, stream, n), happens(rng, stream, probability), shuffle(…) из"
    " playmill.engine.rng",
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
}
MODULES = {"random": LUCK, "secrets": LUCK, "time": CLOCK, "datetime": CLOCK, "os": CLOCK, "sys": CLOCK}
REFUSED: dict[type[ast.AST], Text] = {
    **dict.fromkeys((ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.GeneratorExp), LISTS),
    **dict.fromkeys((ast.Raise, ast.Try, ast.Assert), RAISING),
    **dict.fromkeys((ast.JoinedStr,), TEXTS),
    **dict.fromkeys((ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.Import, ast.ImportFrom), INSIDE),
    **dict.fromkeys((ast.Global, ast.Nonlocal), GLOBAL),
    **dict.fromkeys((ast.With, ast.AsyncWith), CLOCK),
}
