"""Errors in an author's game files: turns exceptions into one sentence with file, line, source and remedy."""

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

from playmill.engine.errors.python_messages import python_message
from playmill.engine.errors.rng_misuse import RngMisuseError
from playmill.engine.lang.game_folder import holds_module
from playmill.engine.lang.module_names import NEEDED, PLAIN
from playmill.engine.lang.record import BelowZeroError, is_record_of
from playmill.texts import PlaymillError, Text, near_to, one_line

#: Of an error of the compiler: where in which file it stopped.
_PLACE = re.compile(r'File "([^"<]+)", line (\d+)')
_COLOURS = re.compile("\x1b\\[[0-9;]*m")
#: Lines of a compiler message that say nothing of the cause.
_TALK = re.compile(
    r"^(raised from|During:|Failed in|There are \d+|- Of which|Overload|Enable logging|No implementation|This error|<)"
)
#: Compiler messages with a known remedy, and the remedy.
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
#: The module of random number streams.
_RNG_MODULE = "playmill.engine.lang.rng"
#: What the interpreter says of a number that is not whole where a whole one is needed.
_FRACTIONS = ("invalid slice key", "invalid type for format", "indices must be integers", "'float' object cannot be")


class RuleMistakeError(PlaymillError):
    """An error in the files of a game; `file` and `line` say where."""

    def __init__(self, file: str, line: int, message: Text) -> None:
        self.file, self.line = file, line
        shown = line_of(file, line).strip()
        quoted = f" `{shown}`:" if shown else ""
        where = shown_path(file)
        super().__init__(f"{where}, line {line}:{quoted} {message.en}", f"{where}, строка {line}:{quoted} {message.ru}")
        name = Path(file).name
        self._public = Text(
            one_line(f"{name}, line {line}:{quoted} {message.en}"),
            one_line(f"{name}, строка {line}:{quoted} {message.ru}"),
        )

    @property
    def public(self) -> Text:
        """The same with the bare name of the file."""
        return self._public


def shown_path(file: str) -> str:
    """A path relative to the working folder, if the file is below it."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # another drive
        return file
    return file if near.startswith(os.pardir) else near


def line_of(file: str, line: int) -> str:
    """A source line, also of a file that is not UTF-8; empty if there is none."""
    if found := linecache.getline(file, line):
        return found
    try:
        lines = Path(file).read_bytes().splitlines()
    except (OSError, ValueError):
        return ""
    return lines[line - 1].decode(guessed_encoding(lines[line - 1]), "replace") if 0 < line <= len(lines) else ""


def guessed_encoding(text: bytes) -> str:
    """Guesses the encoding of a text that is not UTF-8: most who write such files here write Russian."""
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    return "cp1251" if any(byte >= 0xC0 for byte in text) else "latin-1"


def did_you_mean(wrong: str, known: Iterable[str]) -> Text:
    """A "did you mean" for a misspelt name, with the list of known names."""
    names = [name for name in known if not name.startswith("_")]
    guess = near_to(wrong, names)
    listed = ", ".join(names) or "–"
    return Text(f"{guess.en or ';'} there are: {listed}", f"{guess.ru or ';'} есть: {listed}")


def at_code(code: CodeType, message: Text) -> RuleMistakeError:
    """Locates a message at the `def` line of a function."""
    line = code.co_firstlineno
    while linecache.getline(code.co_filename, line).lstrip().startswith("@"):
        line += 1
    return RuleMistakeError(code.co_filename, line, message)


def at_name(module: ModuleType, name: str, message: Text) -> PlaymillError:
    """Locates a message at the last definition of a name in a module."""
    for node in reversed(_tree(module.__file__).body):
        names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        if isinstance(node, ast.Assign):
            names = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        if isinstance(node, ast.ImportFrom):
            names = [taken.asname or taken.name for taken in node.names]
        if name in names:
            return at_line(module, node.lineno, message)
    return at_line(module, 1, message)


def at_setting(config: type, name: str, message: Text) -> PlaymillError:
    """Locates a message at the line of a setting in its config class."""
    module = sys.modules.get(config.__module__)
    file = getattr(module, "__file__", None)
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.ClassDef) and node.name == config.__name__ and module is not None:
            for line in node.body:
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.target.id == name:
                    return at_line(module, line.lineno, message)
    return PlaymillError(*message)


def at_line(module: ModuleType, line: int, message: Text) -> PlaymillError:
    """Locates a message at a line of a module."""
    return RuleMistakeError(module.__file__, line, message) if module.__file__ else PlaymillError(*message)


def _tree(file: str | None) -> ast.Module:
    try:
        return ast.parse(Path(file or "").read_bytes())
    except (OSError, ValueError, SyntaxError):
        return ast.Module([], [])


def last_place(error: BaseException, folder: Path) -> tuple[str, int] | None:
    """The innermost file and line of an error's traceback within a folder."""
    found = None
    trace: TracebackType | None = error.__traceback__
    for frame in traceback.extract_tb(trace):
        if frame.lineno is not None and Path(frame.filename).is_relative_to(folder):
            found = frame.filename, frame.lineno
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        found = error.filename, error.lineno
    return found


def interpreter_error(error: Exception, own: Path) -> RuleMistakeError | None:
    """Converts an exception of running rules into a located error; None if it came from outside the game's folder."""
    place = last_place(error, own)
    if place is None:
        return None
    return RuleMistakeError(*place, _of_python(error) if _is_plain(Path(place[0]), own) else explain_error(error))


def author_error(error: Exception) -> RuleMistakeError | None:
    """The same for an exception of any author's game; None if no such game is in its traceback."""
    ours = Path(__file__).parents[2]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        for folder in Path(frame.filename).parents:
            if all(holds_module(folder, module) for module in NEEDED):
                return None if folder.is_relative_to(ours) else interpreter_error(error, folder)
    return None


def _is_plain(file: Path, own: Path) -> bool:
    """Whether a file belongs to a module of a game that is never compiled, such as its words."""
    module = file.relative_to(own).with_suffix("").parts[0] if file.is_relative_to(own) else ""
    return module in PLAIN


def _of_python(error: Exception) -> Text:
    """Explains an exception in plain Python modules, where a state is a record of NumPy."""
    if isinstance(error, AttributeError) and isinstance(error.obj, np.void):
        names = error.obj.dtype.names or ()
        if error.name in names:
            return Text(
                f'here the state is a record of NumPy: write s["{error.name}"], not s.{error.name}',
                f'здесь состояние — запись NumPy: пишите s["{error.name}"], а не s.{error.name}',
            )
        more = did_you_mean(str(error.name), names)
        return Text(f"the state has no field {error.name!r}{more.en}", f"в состоянии нет поля {error.name!r}{more.ru}")
    if isinstance(error, ValueError) and (lost := re.fullmatch(r"no field of name (\w+)", str(error))):
        frame, _ = _innermost(error)
        records = [one for one in (frame.f_locals.values() if frame else ()) if isinstance(one, np.void)]
        more = did_you_mean(lost[1], records[0].dtype.names or ()) if records else Text("", "")
        return Text(f"the state has no field {lost[1]!r}{more.en}", f"в состоянии нет поля {lost[1]!r}{more.ru}")
    if isinstance(error, IndexError):
        return _quoting(_NO_PLACE, error)
    return python_message(error)


def explain_error(error: Exception) -> Text:
    """Explains an exception of interpreted rules."""
    if isinstance(error, RngMisuseError):
        return error.message
    known = _of_rng_stream(error) or _of_options(error)
    if known is not None:
        return known
    if isinstance(error, TypeError):
        return _of_kind(error)
    if isinstance(error, OverflowError) or (isinstance(error, ValueError) and "memoryview" in str(error)):
        return _too_narrow(error)
    if isinstance(error, BelowZeroError):
        return Text.join((error.index_text, _BELOW), ": ")
    if isinstance(error, ZeroDivisionError):
        return _BY_ZERO
    if isinstance(error, ValueError) and "negative shift count" in str(error):
        return _SHIFT
    if isinstance(error, UnboundLocalError):
        return _quoting(_UNSET, error)
    if isinstance(error, IndexError):
        return _quoting(_BEYOND, error)
    return python_message(error)


def _quoting(message: Text, error: Exception) -> Text:
    """A message with what Python said in brackets."""
    quoted = python_message(error)
    return Text(f"{message.en} ({quoted.en})", f"{message.ru} ({quoted.ru})")


def _too_narrow(error: Exception) -> Text:
    """Explains that a number does not fit its field; Python names the type by a letter."""
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
    """Explains that something is no number, or no whole one."""
    message = str(error)
    what = _NOTHING if "NoneType" in message else _WHOLE if any(part in message for part in _FRACTIONS) else None
    return python_message(error) if what is None else _quoting(what, error)


def _of_rng_stream(error: Exception) -> Text | None:
    """Explains a stream number out of range, if that is what went wrong."""
    frame, _ = _innermost(error)
    if not isinstance(error, IndexError) or frame is None or frame.f_globals.get("__name__") != _RNG_MODULE:
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


def compiler_error(error: Exception, own: Path) -> PlaymillError:
    """Converts a compiler error into an error located in the author's files."""
    text = _COLOURS.sub("", str(error))
    places = [found for found in _PLACE.finditer(text) if Path(found[1]).resolve().is_relative_to(own)]
    if not places:
        reason = _reason(text)
        return PlaymillError(f"the rules cannot be compiled: {reason}", f"правила не компилируются: {reason}")
    last = places[-1]
    reason = _reason(text[: last.start()])
    line = linecache.getline(str(Path(last[1]).resolve()), int(last[2]))
    remedy = next(
        (message for sign, message in _REMEDIES if sign.search(reason)), _LOOPS if _OF_NUMPY.search(line) else None
    )
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
    message = next((line for line in reversed(lines) if not line.startswith(("def ", "@"))), type(text).__name__)
    return message if len(message) <= 240 else message[:237] + "…"
