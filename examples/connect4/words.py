"""The words of Connect Four."""

from typing import Any

from playmill.author import Text

TITLE = Text("Connect Four", "Четыре в ряд")
ABOUT = Text("drop discs, and be first with four in a row", "бросайте фишки и первым соберите четыре в ряд")


def describe(config: Any, action: int) -> Text:
    """An action in words."""
    return Text(f"drops a disc into column {action + 1}", f"бросает фишку в столбец {action + 1}")


def to_text(config: Any, action: int) -> str:
    """The column, counted from 1."""
    return str(action + 1)
