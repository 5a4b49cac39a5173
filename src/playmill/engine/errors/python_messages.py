"""One-line messages for Python exceptions: Python's own in English, translated to Russian where frequent."""

from __future__ import annotations

import re

from playmill.texts import Text

_STATEMENTS = {"function definition": "def", "class definition": "class"}
#: What Python says, and the same in Russian; `{0}`, `{1}` … are the groups.
_RUSSIAN = (
    (
        r"invalid syntax\. Maybe you meant '==' or ':=' instead of '='\?",
        "сравнивают двойным знаком ==, а здесь одиночный =",
    ),
    (r"invalid syntax\. Perhaps you forgot a comma\?", "непонятно написано; может быть, пропущена запятая?"),
    (r"invalid syntax", "так в Python не пишут; посмотрите и на строку выше"),
    (
        r"cannot assign to (.+?) here\. Maybe you meant '==' instead of '='\?",
        "этому нельзя присвоить значение ({0}); сравнивают через ==",
    ),
    (r"cannot assign to (.+)", "этому нельзя присвоить значение ({0})"),
    (r"cannot delete (.+)", "это нельзя удалить ({0})"),
    (r"expected ':'", "пропущено двоеточие"),
    (r"expected '(.+)'", "здесь нужно {0}"),
    (r"expected 'except' or 'finally' block", "у try нет ни except, ни finally"),
    (r"expected 'else' after 'if' expression", "после «x if условие» нужно else"),
    (r"expression expected after dictionary key and ':'", "после ключа словаря и двоеточия нужно значение"),
    (r"'(.)' was never closed", "скобка {0} не закрыта"),
    (r"unmatched '(.)'", "лишняя скобка {0}"),
    (
        r"closing parenthesis '(.)' does not match opening parenthesis '(.)' on line (\d+)",
        "скобка {0} закрывает не ту: в строке {2} открыта {1}",
    ),
    (r"closing parenthesis '(.)' does not match opening parenthesis '(.)'", "скобка {0} закрывает не ту: {1}"),
    (r"unterminated triple-quoted (?:f-)?string literal.*", "тройные кавычки не закрыты до конца файла"),
    (r"unterminated (?:f-)?string literal.*", "кавычка не закрыта до конца строки"),
    (r"invalid character '([“”«»„‘’])' \((U\+\w+)\)", "кавычки в Python прямые: \" или ', а здесь {0} ({1})"),
    (r"invalid character '(.)' \((U\+\w+)\)", "такого знака в Python нет: {0} ({1})"),
    (r"invalid non-printable character (U\+\w+)", "невидимый знак {0}: сотрите его и поставьте обычный пробел"),
    (
        r"invalid (?:decimal|hexadecimal|octal|binary) literal",
        "имя не может начинаться с цифры, а число — с ней слитно",
    ),
    (r"leading zeros in decimal integer literals are not permitted.*", "числа не пишут с нулём впереди"),
    (r"unexpected indent", "лишний отступ"),
    (r"unindent does not match any outer indentation level", "отступ не такой, как у строк выше"),
    (
        r"inconsistent use of tabs and spaces in indentation",
        "в отступах смешаны табуляции и пробелы: оставьте пробелы",
    ),
    (
        r"expected an indented block after '?([\w ]+?)'?(?: statement)? on line (\d+)",
        "после {0} в строке {1} нужен отступ",
    ),
    (r"'(\w+)' outside (?:function|loop)", "{0} стоит вне функции или цикла"),
    (r"'continue' not properly in loop", "continue стоит вне цикла"),
    (r"positional argument follows keyword argument.*", "аргумент без имени стоит после аргумента с именем"),
    (
        r"(?:non-default argument follows default argument|parameter without a default follows .*)",
        "аргумент без значения по умолчанию стоит после аргумента с ним",
    ),
    (r"duplicate argument '(\w+)' in function definition", "аргумент {0} назван дважды"),
    (r"keyword argument repeated: (\w+)", "аргумент {0} дан дважды"),
    (r"Missing parentheses in call to '(\w+)'.*", "{0} вызывают со скобками: {0}(…)"),
    (r"f-string: .*", "ошибка внутри фигурных скобок f-строки"),
    (r"name '(\w+)' is assigned to before global declaration", "global {0} стоит после присваивания"),
    (
        r"\(unicode error\) 'unicodeescape' codec .*",
        "после \\ в строке стоит не то; косую черту пишут дважды: \\\\",
    ),
    (r"name '(\w+)' is not defined", "имени {0} нет"),
    (r"No module named '([\w.]+)'", "модуля {0} нет"),
    (r"module '([\w.]+)' has no attribute '(\w+)'", "в модуле {0} нет имени {1}"),
    (r"'([\w.]+)' object has no attribute '(\w+)'", "у {0} нет {1}"),
    (r"'([\w.]+)' object is not callable", "{0} — не функция, вызвать её нельзя"),
    (r"'([\w.]+)' object is not subscriptable", "у {0} нет мест в квадратных скобках"),
    (r"'([\w.]+)' object is not iterable", "по {0} нельзя идти циклом"),
    (r"cannot unpack non-iterable ([\w.]+) object", "{0} нельзя разложить на несколько имён"),
    (r"not enough values to unpack \(expected (\d+), got (\d+)\)", "имён слева {0}, а значений справа {1}"),
    (r"too many values to unpack \(expected (\d+)\)", "имён слева {0}, а значений справа больше"),
    (r"unsupported operand type\(s\) for (\S+): '([\w.]+)' and '([\w.]+)'", "{1} и {2} не соединить знаком {0}"),
    (r"'(\S+)' not supported between instances of '([\w.]+)' and '([\w.]+)'", "{1} и {2} не сравнить знаком {0}"),
    (
        r"can only concatenate str \(not \"(\w+)\"\) to str",
        "к строке прибавляют только строку, а здесь {0}: str(…)",
    ),
    (r"([\w.]+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)", "{0}() не хватает: {1}"),
    (
        r"([\w.]+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given",
        "{0}() берёт аргументов {1}, дано {2}",
    ),
    (r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'.*", "у {0}() нет аргумента {1}"),
    (r"invalid literal for int\(\) with base 10: (.+)", "{0} — не целое число"),
    (r"could not convert string to float: (.+)", "{0} — не число"),
    (r"field '(\w+)' occurs more than once", "поле {0} названо дважды"),
    (r"(?:list|tuple|string) index out of range", "такого места нет: их меньше"),
    (r"(?:integer )?division(?: or modulo)? by zero|.* by zero", "деление на 0"),
)


class ExplainedError(ValueError):
    """An error raised by interpreted rules that carries its message in both languages."""

    def __init__(self, message: Text) -> None:
        self.message = message
        super().__init__(message.en)


def python_message(error: BaseException) -> Text:
    """The message of an exception in one line, in both languages."""
    if isinstance(error, ExplainedError):
        return error.message
    kind, message = type(error).__name__, error.msg if isinstance(error, SyntaxError) else str(error)
    message = message.partition("\n")[0]
    return Text(f"{kind}: {message}", f"{kind}: {_in_russian(message)}")


def _in_russian(message: str) -> str:
    for pattern, russian in _RUSSIAN:
        found = re.fullmatch(pattern, message)
        if found is not None and None not in found.groups():
            return russian.format(*(_STATEMENTS.get(group, group) for group in found.groups()))
    return message
