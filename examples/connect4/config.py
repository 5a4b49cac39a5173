"""The numbers of Connect Four."""

from playmill.author import RuleConfig, Text, setting


class Config(RuleConfig):
    """Rules of Connect Four."""

    line: int = setting(
        Text("Line", "Ряд"), Text("Discs in a row that win.", "Сколько фишек подряд — победа."), default=4, ge=2, le=6
    )
