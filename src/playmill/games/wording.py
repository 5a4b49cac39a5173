"""What the words of all games have in common: mistakes in actions, and numbers with their nouns."""

from __future__ import annotations

from playmill.texts import PlaymillError

_QUOTED = 80


def no_action(text: str, en: str, ru: str) -> PlaymillError:
    """The error for a text that is no action, with what is wrong with it or what would be right."""
    quoted = repr(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…")
    return PlaymillError(f"there is no action {quoted}: {en}", f"действия {quoted} нет: {ru}")


def no_action_number(action: int) -> PlaymillError:
    """The error for a number that stands for no action."""
    return PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")


def nothing_to_decide() -> PlaymillError:
    """The error for asking what is to be decided in a game that is over."""
    return PlaymillError("the game is over: nothing is to be decided", "партия окончена: решать больше нечего")


def russian_form(count: int, one: str, few: str, many: str) -> str:
    """The form of a Russian noun after a number: 1 очко, 2 очка, 5 очков."""
    last, teen = count % 10, count % 100 // 10 == 1
    return one if last == 1 and not teen else few if last in (2, 3, 4) and not teen else many
