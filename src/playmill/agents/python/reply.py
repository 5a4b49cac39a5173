"""Reads answers of Python agents: converts any object to an action or a reason, as plain numbers and printable texts.

What an agent returns may be any object at all, with code of its own behind every question one can ask of it. All of
this runs in the agent's thread.
"""

from __future__ import annotations

import re
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from playmill.agents.python.agent_thread import AgentCall, Work
from playmill.agents.python.decision import Decision, Option
from playmill.texts import PlaymillError, Text, WrongListError, one_line

#: Most characters that are shown of an answer, of an answer inside a sentence, of a sentence.
ANSWER, QUOTE, SENTENCE = 200, 60, 280
#: The longest text or list that is read as an answer, and how deep lists are within it.
_READ, _DEPTH = 1000, 3
#: Whole numbers up to this many bits are told digit by digit.
_BITS = 256


class Reply(NamedTuple):
    """An agent's answer: the action, or why it is none; and the answer in the agent's words.

    `instead` is the fallback for an answer to several decisions at once; any other fallback is random.
    """

    action: int | None
    answer: str
    en: str = ""
    ru: str = ""
    instead: int | None = None


class PythonAgent(NamedTuple):
    """An agent to be asked: anything with `choose(decision)`, or with a game's own methods."""

    player: Any
    by_methods: bool = False


_SILENT = Text("no answer came", "ответа не было")


def reply_of(question: AgentCall) -> Reply:
    """The reply to a call of `ask`, validated: an agent's code can reach the call and write to it."""
    reply = question.reply
    if type(reply) is Reply and len(reply) == 5 and all(type(part) in (int, str, type(None)) for part in reply):
        return reply
    return Reply(None, "", *_SILENT)


def one_question(asked: PythonAgent, decision: Decision) -> Work[Reply]:
    """Work that asks an agent one decision."""
    question = AgentCall(partial(ask, asked, decision))
    yield question
    return reply_of(question)


def ask(asked: PythonAgent, decision: Decision) -> Reply:
    """Asks an agent, unless an earlier list has answered already; always returns a reply."""
    ahead = decision._terms.ahead
    if (action := ahead.pop((decision.number, decision._asked), None)) in decision.actions:
        return Reply(action, "")
    ahead.clear()
    said: tuple[Any, ...] = ()
    try:
        answer = asked.player.choose(decision)
        said = (answer,)
        action = _action(answer, decision)
    except BaseException as error:
        reason = why(error)
        instead = error.instead if type(error) is WrongListError else None
        return Reply(None, _words(asked, said), reason.en, reason.ru, instead)
    if action in decision.actions:
        return Reply(action, "")  # to be told only if it is not legal after all
    words = _words(asked, said)
    if action is None:
        quote = printable(words, QUOTE)
        return Reply(None, words, f"answered {quote}, not one of the options", f"ответ {quote} — не из предложенных")
    return Reply(action, words)


def _words(asked: PythonAgent, said: tuple[Any, ...]) -> str:
    """The answer of an agent in its own words; nothing if it gave none."""
    said = asked.player.said if asked.by_methods else said
    return described(said[0]) if said else ""


def _action(answer: Any, decision: Decision) -> int | None:
    """An option, an action id or a short text form as an action id; None for anything else.

    Of a list it is the first action; those after it answer the questions to come.
    """
    kind = type(answer)
    if issubclass(kind, (list, tuple)):
        actions = listed_actions(answer, decision)
        for place, action in enumerate(actions[1:], decision._asked + 1):
            decision._terms.ahead[decision.number, place] = action
        return actions[0] if actions else None
    if issubclass(kind, Option):
        return whole(answer.action)
    if issubclass(kind, str):
        text = str.__str__(answer)
        if len(text) > _READ:
            return None
        return whole(decision._terms.words.parse(decision._terms.config, text))
    return whole(answer)


def listed_actions(answer: Any, decision: Decision) -> list[int]:
    """The actions of a list that answers several decisions at once; none where the game knows no such answers."""
    read = decision._terms.words.parse_list
    if read is None:
        return []
    plain = _plain(answer, _DEPTH)
    actions: list[int] = read(decision._terms.config, decision._record, [None] if plain is None else plain)
    return actions


def _plain(answer: Any, depth: int) -> Any:
    """A list of lists and whole numbers, with None for whatever else is in it."""
    if not issubclass(type(answer), (list, tuple)):
        return whole(answer)
    return [_plain(one, depth - 1) for one in answer] if depth and len(answer) <= _READ else None


def whole(value: Any) -> int | None:
    """The whole number of a Python or NumPy integer, whatever its class makes of it; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return int.__index__(value)
    return int(value) if isinstance(value, np.integer) else None


def described(value: Any) -> str:
    """A value as its author wrote it, in one printable line of bounded length."""
    kind = type(value)
    try:
        if issubclass(kind, int) and int.bit_length(value) > _BITS:
            return f"<{printable(kind.__name__)} of {int.bit_length(value)} bits>"
        if issubclass(kind, (str, bytes)) and len(value) > ANSWER:
            value = value[:ANSWER]
        return printable(repr(value))
    except BaseException:
        return f"<{printable(kind.__name__)} that cannot be shown>"


def printable(text: str, most: int = ANSWER) -> str:
    """A text in one line of bounded length, without characters that a terminal would obey, nor addresses in memory."""
    text = one_line(re.sub(r" at 0x[0-9A-Fa-f]+", "", str.__str__(text)[: 4 * most]))
    return text if len(text) <= most else text[: most - 1] + "…"


def why(error: BaseException) -> Text:
    """The message of an exception: ours, else its type, its words and its line."""
    try:
        if isinstance(error, PlaymillError):
            return Text(printable(error.text.en, SENTENCE), printable(error.text.ru, SENTENCE))
        kind, line = printable(type(error).__name__), _line(error.__traceback__)
        try:
            words = printable(str(error))
        except BaseException:
            words = ""
        reason = f"{kind}: {words}" if words else kind
        return Text(f"{reason} (line {line})", f"{reason} (строка {line})") if line else Text(reason, reason)
    except BaseException:
        return Text("an error that cannot be shown", "ошибка, которую нельзя показать")


def _line(trace: TracebackType | None) -> int | None:
    """The last line of the agent's own file on the way to an error."""
    own, line = None, None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        ours = str(trace.tb_frame.f_globals.get("__name__")).split(".")[0] == "playmill" or file.startswith("<frozen")
        own = file if own is None and not ours else own
        line = trace.tb_lineno if file == own else line
        trace = trace.tb_next
    return line
