"""A mistake in a game told where it is: the author's file, the line, what stands there, what is wrong, what to do."""

from __future__ import annotations

import ast
import linecache
import os
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType, ModuleType, TracebackType

import numpy as np

from playmill.engine.errors.python_messages import said
from playmill.engine.errors.rng_misuse import LuckError
from playmill.engine.lang.module_names import NEEDED, ROOMS, RULED
from playmill.engine.lang.record import BelowZeroError, is_record_of
from playmill.texts import PlaymillError, Text, near_to, one_line

#: Of an error of the compiler: where in which file it stopped.
_PLACE = re.compile(r'File "([^"<]+)", line (\d+)')
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
#: What the compiler says besides what is wrong.
_TALK = re.compile(
    r"^(raised from|During:|Failed in|There are \d+|- Of which|Overload|Enable logging|No implementation|This error|<)"
)
#: What the compiler says where something else helps than its words, and what that is.
_REMEDIES = (
    (
        re.compile(r"getiter with parameters \(Tuple\("),
        Text(
            "a loop over a tuple needs numbers of one kind, and these are of several, such as a field of the state and"
            " what was computed: write one step after the other, or loop over range(2) and choose inside,"
            " `who = me if i == 0 else 1 - me`",
            "циклу по кортежу нужны числа одного вида, а здесь разные, например поле состояния и вычисленное: напишите"
            " шаги один за другим или сделайте цикл по range(2) и выбирайте внутри, `who = me if i == 0 else 1 - me`",
        ),
    ),
)
#: Functions of NumPy that rules of whole numbers do by a loop.
_OF_NUMPY = re.compile(r"\bnp\.\w+\(")
_LOOPS = Text(
    "the compiler does not know this function of NumPy for what it is given here: walk over the cells,"
    " `for i in range(n)`, and count, add or compare them yourself",
    "для того, что здесь дано, компилятор этой функции NumPy не знает: обойдите ячейки циклом `for i in range(n)` и"
    " считайте, складывайте или сравнивайте сами",
)
_ROOM = Text(
    "a number does not fit where it is kept: int8 holds -128 … 127, int16 ±32 thousand, int32 ±2 billion; give that"
    " field a wider type",
    "число не помещается: в int8 входит от -128 до 127, в int16 — ±32 тысячи, в int32 — ±2 миллиарда; возьмите для"
    " этого поля тип пошире",
)
_BEYOND = Text(
    "a place beyond the end of an array; compiled rules would read or write something else there",
    "место за концом массива; скомпилированные правила прочтут или испортят там что-то чужое",
)
_NO_PLACE = Text(
    "a place beyond the end of a list, a text or an array: it has fewer things than were asked for",
    "место за концом списка, строки или массива: в нём меньше, чем спросили",
)
_BELOW = Text(
    "places are counted from 0, not from the end; compiled rules would read or write something else there",
    "места считают с начала, от 0, а не с конца; скомпилированные правила прочтут или испортят там что-то чужое",
)
_WHOLE = Text(
    "places, repeats and fields are whole numbers, and this is none: / gives a fraction, write // to divide without a"
    " rest",
    "места, повторы и поля — целые числа, а здесь не целое: / даёт дробь, для деления нацело пишите //",
)
_NOTHING = Text(
    "a rule that is called here has returned nothing: it needs a `return` with a number on every way",
    "правило, которое здесь вызвано, ничего не вернуло: ему нужен `return` с числом в любом случае",
)
_BY_ZERO = Text(
    "a division by 0; compiled rules would not stop at it and go on with a wrong number: ask before you divide",
    "деление на 0; скомпилированные правила на нём не остановятся и продолжат с неверным числом: проверяйте делитель",
)
_SHIFT = Text(
    "a shift by less than 0 bits; compiled rules would not stop at it and go on with a wrong number",
    "сдвиг на отрицательное число битов; скомпилированные правила на нём не остановятся и продолжат с неверным числом",
)
_UNSET = Text(
    "a variable has no value here: not every way through the rule gives it one; compiled rules would take any number",
    "у переменной здесь нет значения: правило даёт его не на каждом пути; скомпилированное взяло бы любое число",
)
#: What is said of a number that does not fit, with the letter of its type.
_FORMAT = re.compile(r"invalid value for format '([bBhHiIlLqQ])'")
#: The module that draws luck.
_LUCK = "playmill.engine.lang.rng"
#: What the interpreter says of a number that is not whole where a whole one is needed.
_FRACTIONS = ("invalid slice key", "invalid type for format", "indices must be integers", "'float' object cannot be")


class RuleMistakeError(PlaymillError):
    """Something in the files of a game that cannot be; `file` and `line` say where."""

    def __init__(self, file: str, line: int, told: Text) -> None:
        self.file, self.line = file, line
        shown = line_of(file, line).strip()
        quoted = f" `{shown}`:" if shown else ""
        where = shown_path(file)
        super().__init__(f"{where}, line {line}:{quoted} {told.en}", f"{where}, строка {line}:{quoted} {told.ru}")
        name = Path(file).name
        self._public = Text(
            one_line(f"{name}, line {line}:{quoted} {told.en}"), one_line(f"{name}, строка {line}:{quoted} {told.ru}")
        )

    @property
    def public(self) -> Text:
        """The same with the bare name of the file."""
        return self._public


def shown_path(file: str) -> str:
    """A file as somebody who works here would call it."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return file if near.startswith(os.pardir) else near


def line_of(file: str, line: int) -> str:
    """A line of a file, also of one that is not in UTF-8; nothing if there is none."""
    if found := linecache.getline(file, line):
        return found
    try:
        lines = Path(file).read_bytes().splitlines()
    except (OSError, ValueError):
        return ""
    return lines[line - 1].decode(guessed_encoding(lines[line - 1]), "replace") if 0 < line <= len(lines) else ""


def guessed_encoding(text: bytes) -> str:
    """In what a text may have been saved that is not in UTF-8: most who write such files here write Russian."""
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    return "cp1251" if any(byte >= 0xC0 for byte in text) else "latin-1"


def meant(wrong: str, known: Iterable[str]) -> Text:
    """What a misspelt name may have been meant as, and all there are."""
    names = [name for name in known if not name.startswith("_")]
    guess = near_to(wrong, names)
    listed = ", ".join(names) or "–"
    return Text(f"{guess.en or ';'} there are: {listed}", f"{guess.ru or ';'} есть: {listed}")


def at_code(code: CodeType, told: Text) -> RuleMistakeError:
    """A mistake at the head of a function, below what decorates it."""
    line = code.co_firstlineno
    while linecache.getline(code.co_filename, line).lstrip().startswith("@"):
        line += 1
    return RuleMistakeError(code.co_filename, line, told)


def at_name(module: ModuleType, name: str, told: Text) -> PlaymillError:
    """A mistake in what a module calls by a name, at the line that gave it the name last."""
    for node in reversed(_tree(module.__file__).body):
        names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        if isinstance(node, ast.Assign):
            names = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        if isinstance(node, ast.ImportFrom):
            names = [taken.asname or taken.name for taken in node.names]
        if name in names:
            return at_line(module, node.lineno, told)
    return at_line(module, 1, told)


def at_setting(config: type, name: str, told: Text) -> PlaymillError:
    """A mistake in a setting, at its line."""
    module = sys.modules.get(config.__module__)
    file = getattr(module, "__file__", None)
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ClassDef) and node.name == config.__name__ and module is not None:
            for line in node.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.target.id == name:
                    return at_line(module, line.lineno, told)
    return PlaymillError(*told)


def at_line(module: ModuleType, line: int, told: Text) -> PlaymillError:
    """A mistake at a line of a module."""
    return RuleMistakeError(module.__file__, line, told) if module.__file__ else PlaymillError(*told)


def _tree(file: str | None) -> ast.Module:
    try:
        return ast.parse(Path(file or "").read_bytes())
    except (OSError, ValueError, SyntaxError):
        return ast.Module([], [])


def last_place(error: BaseException, folder: Path) -> tuple[str, int] | None:
    """Where in the files of a folder an error came from: the innermost place."""
    found = None
    trace: TracebackType | None = error.__traceback__
    for frame in traceback.extract_tb(trace):
        if frame.lineno is not None and Path(frame.filename).is_relative_to(folder):
            found = frame.filename, frame.lineno
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        found = error.filename, error.lineno
    return found


def of_interpreter(error: Exception, own: Path) -> RuleMistakeError | None:
    """What went wrong while a game ran, at the place in the author's files where it did; None if it was not in them."""
    place = last_place(error, own)
    if place is None:
        return None
    return RuleMistakeError(*place, _of_python(error) if _is_plain(Path(place[0]), own) else in_words(error))


def of_author(error: Exception) -> RuleMistakeError | None:
    """The same for whichever game of somebody else an error came from; None if there is none on its way."""
    ours = Path(__file__).parents[1]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        for folder in Path(frame.filename).parents:
            if all((folder / f"{room}.py").is_file() for room in NEEDED):
                return None if folder.is_relative_to(ours) else of_interpreter(error, folder)
    return None


def _is_plain(file: Path, own: Path) -> bool:
    """Whether a file of a game is, or lies in, a room that is never compiled, such as its words."""
    room = file.relative_to(own).with_suffix("").parts[0] if file.is_relative_to(own) else ""
    return room in ROOMS and room not in RULED


def _of_python(error: Exception) -> Text:
    """What an error means in words, pictures and the like, where a state is a record of NumPy."""
    if isinstance(error, AttributeError) and isinstance(error.obj, np.void):
        names = error.obj.dtype.names or ()
        if error.name in names:
            return Text(
                f'here the state is a record of NumPy: write s["{error.name}"], not s.{error.name}',
                f'здесь состояние — запись NumPy: пишите s["{error.name}"], а не s.{error.name}',
            )
        more = meant(str(error.name), names)
        return Text(f"the state has no field {error.name!r}{more.en}", f"в состоянии нет поля {error.name!r}{more.ru}")
    if isinstance(error, ValueError) and (lost := re.fullmatch(r"no field of name (\w+)", str(error))):
        frame, _ = _innermost(error)
        records = [one for one in (frame.f_locals.values() if frame else ()) if isinstance(one, np.void)]
        more = meant(lost[1], records[0].dtype.names or ()) if records else Text("", "")
        return Text(f"the state has no field {lost[1]!r}{more.en}", f"в состоянии нет поля {lost[1]!r}{more.ru}")
    if isinstance(error, IndexError):
        return _quoting(_NO_PLACE, error)
    return said(error)


def in_words(error: Exception) -> Text:
    """What an error of the interpreter means for a game."""
    if isinstance(error, LuckError):
        return error.told
    known = _of_luck(error) or _of_options(error)
    if known is not None:
        return known
    if isinstance(error, TypeError):
        return _of_kind(error)
    if isinstance(error, OverflowError) or (isinstance(error, ValueError) and "memoryview" in str(error)):
        return _too_narrow(error)
    if isinstance(error, BelowZeroError):
        return Text(f"{error.told}: {_BELOW.en}", f"{error.told}: {_BELOW.ru}")
    if isinstance(error, ZeroDivisionError):
        return _BY_ZERO
    if isinstance(error, ValueError) and "negative shift count" in str(error):
        return _SHIFT
    if isinstance(error, UnboundLocalError):
        return _quoting(_UNSET, error)
    if isinstance(error, IndexError):
        return _quoting(_BEYOND, error)
    return said(error)


def _quoting(told: Text, error: Exception) -> Text:
    """A sentence with what Python said in brackets."""
    quoted = said(error)
    return Text(f"{told.en} ({quoted.en})", f"{told.ru} ({quoted.ru})")


def _too_narrow(error: Exception) -> Text:
    """That a number does not fit its field; of which kind that is, Python tells by a letter."""
    letter = _FORMAT.search(str(error))
    kind = np.dtype(letter[1]) if letter is not None else None
    if kind is None or kind.kind not in "iu":
        return _quoting(_ROOM, error)
    ends = np.iinfo(kind)
    if kind.kind == "u":
        return Text(
            f"a number does not fit where it is kept: {kind} has no sign, it holds 0 … {ends.max}; take a type with a"
            " sign, such as np.int8, if -1 is to fit, and else a wider one",
            f"число не помещается: {kind} — без знака, в него входит от 0 до {ends.max}; если нужно -1, возьмите тип со"
            " знаком, например np.int8, а иначе тип пошире",
        )
    return Text(
        f"a number does not fit where it is kept: {kind} holds {ends.min} … {ends.max}; give that field a wider type"
        " (np.int16, np.int32, np.int64)",
        f"число не помещается: в {kind} входит от {ends.min} до {ends.max}; возьмите для этого поля тип пошире"
        " (np.int16, np.int32, np.int64)",
    )


def _of_kind(error: TypeError) -> Text:
    """What it means that something is no number, or no whole one."""
    told = str(error)
    what = _NOTHING if "NoneType" in told else _WHOLE if any(part in told for part in _FRACTIONS) else None
    return said(error) if what is None else _quoting(what, error)


def _of_luck(error: Exception) -> Text | None:
    """That there is no such stream of luck, if that is what went wrong."""
    frame, _ = _innermost(error)
    if not isinstance(error, IndexError) or frame is None or frame.f_globals.get("__name__") != _LUCK:
        return None
    stream, streams = frame.f_locals.get("stream"), len(frame.f_locals["rng"].stream)
    if stream is None or 0 <= stream < streams:
        return None
    return Text(
        f"there is no stream {stream} of luck: there are {streams}, 0 … {streams - 1}",
        f"потока случая {stream} нет: их {streams}, 0 … {streams - 1}",
    )


def _of_options(error: Exception) -> Text | None:
    """That more options are listed than there is room for, if that is what went wrong."""
    frame, line = _innermost(error)
    if not isinstance(error, IndexError) or isinstance(error, BelowZeroError) or frame is None:
        return None
    for name in re.findall(r"(\w+)\.ids\[.*\] = ", linecache.getline(frame.f_code.co_filename, line)):
        if is_record_of(frame.f_locals.get(name), ("ids",)):
            room = len(frame.f_locals[name].ids)
            return Text(
                f"a decision has more options than the {room} there is room for: make MAX_LEGAL of rules.py larger, or"
                " MAX_ACTIONS where there is no MAX_LEGAL",
                f"вариантов в решении больше, чем места для них ({room}): увеличьте MAX_LEGAL в rules.py, а если его"
                " нет — MAX_ACTIONS",
            )
    return None


def _innermost(error: BaseException) -> tuple[FrameType | None, int]:
    """The rule that an error came from, and the line in it; the records that rules read are no part of them."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_globals.get("__name__") != BelowZeroError.__module__:
            return frame, line
    return None, 0


def of_compiler(error: Exception, own: Path) -> PlaymillError:
    """What the compiler could not do, at the place in the author's files where it stopped."""
    text = _COLOURS.sub("", str(error))
    places = [found for found in _PLACE.finditer(text) if Path(found[1]).resolve().is_relative_to(own)]
    if not places:
        reason = _reason(text)
        return PlaymillError(f"the rules cannot be compiled: {reason}", f"правила не компилируются: {reason}")
    last = places[-1]
    reason = _reason(text[: last.start()])
    line = linecache.getline(str(Path(last[1]).resolve()), int(last[2]))
    remedy = next((told for sign, told in _REMEDIES if sign.search(reason)), _LOOPS if _OF_NUMPY.search(line) else None)
    what = remedy or Text(
        f"the compiler cannot do this ({reason}); rules are arithmetic, conditions, loops and calls of other rules, on"
        " whole numbers and arrays of the state",
        f"компилятор этого не умеет ({reason}); правила — это арифметика, условия, циклы и вызовы других правил, над"
        " целыми числами и массивами состояния",
    )
    return RuleMistakeError(str(Path(last[1]).resolve()), int(last[2]), what)


def _reason(text: str) -> str:
    """The last thing the compiler says that is about the code, short."""
    spoken = [line.strip() for line in text.splitlines() if set(line) - set("^ ")]
    lines = [line for line in spoken if not _TALK.match(line) and not _PLACE.match(line)]
    told = next((line for line in reversed(lines) if not line.startswith(("def ", "@"))), type(text).__name__)
    return told if len(told) <= 240 else told[:237] + "…"
