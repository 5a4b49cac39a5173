"""Pages about a game that are made from the game: its rules, its config, what an agent of it sees."""

from __future__ import annotations

from html import escape

from docsite.seen import seen_page
from playmill.engine.config.settings import Setting, SettingKind, settings_of
from playmill.engine.contract.game import Game
from playmill.engine.contract.rulebook import Words
from playmill.lab.replays.rulebook import rulebook
from playmill.report.commands.rulebook import apart
from playmill.report.terminal.report_printer import setting_text
from playmill.texts import Lang, Text

#: The pages of a game, and what they are called in the contents.
KINDS = {"rules": Text("Rules", "Правила"), "config": Text("Config", "Конфиг"), "seen": Text("Seen", "Что видно")}
_CONFIG = Text("the config", "конфиг")
_CONFIG_ABOUT = Text(
    "Every number and switch of the rules. `--set PATH=VALUE` changes one for a run, a form in the browser does the"
    " same; `playmill config {} --schema` tells all of it to programs.",
    "Все числа и переключатели правил. `--set ПУТЬ=ЗНАЧЕНИЕ` меняет одно из них для прогона, в браузере для этого есть"
    " форма; `playmill config {} --schema` расскажет то же программам.",
)
_HEADS = (
    Text("path", "путь"),
    Text("by the rules", "по правилам"),
    Text("may be", "может быть"),
    Text("what it is", "что это"),
)
_SWITCH = Text("yes or no", "да или нет")
_NOTHING = Text("nothing", "ничего")
_FIXED = Text("fixed", "не меняется")
_GENERAL = Text("In general", "Общее")
_LONGEST = 60


def pages(game: Game, lang: Lang) -> dict[str, str]:
    """The pages of a game by their kind."""
    found = {"rules": rules_page(game, lang), "config": config_page(game, lang)}
    seen = seen_page(game, lang)
    return {**found, "seen": seen} if seen is not None else found


def rules_page(game: Game, lang: Lang) -> str:
    """The rules in words, with the numbers of the rules as they are and pictures of the game."""
    book = rulebook(game, None, lang)
    made = [f"# {book.title}: {KINDS['rules'].of(lang).lower()}\n\n*{book.about}*\n"]
    for place, part in enumerate(book.parts):
        if isinstance(part, Words):
            made.append(part.markdown)
        elif (svg := part.draw()) is not None:
            drawn = apart(svg, place).replace("\n", " ")
            made.append(f'<figure class="game">{drawn}<figcaption>{escape(part.caption)}</figcaption></figure>')
    return "\n\n".join(made) + "\n"


def config_page(game: Game, lang: Lang) -> str:
    """Every setting with what the rules say, what it may be and what it means, group by group."""
    lines = [f"# {game.title.of(lang)}: {_CONFIG.of(lang)}", "", _CONFIG_ABOUT.of(lang).format(game.name), ""]
    whole = settings_of(game.config())
    plain = [part for part in whole.parts if part.kind is not SettingKind.GROUP]
    groups = [part for part in whole.parts if part.kind is SettingKind.GROUP]
    if plain and groups:
        lines += [f"## {_GENERAL.of(lang)}", ""]
    if plain:
        lines += _table(plain, lang)
    for group in groups:
        lines += [f"## `{group.path}` — {group.name.of(lang)}", "", group.about.of(lang), ""]
        lines += _table(list(group.leaves()), lang)
    return "\n".join(lines) + "\n"


def _table(settings: list[Setting], lang: Lang) -> list[str]:
    heads = " | ".join(head.of(lang) for head in _HEADS)
    rows = [f"| {heads} |", "|---|---|---|---|"]
    for one in settings:
        value = setting_text(one.value)
        short = value if len(value) <= _LONGEST else f"{value[: _LONGEST - 1]}…"
        cells = (f"`{one.path}`", f"`{short}`", _bounds(one, lang), one.about.of(lang))
        rows.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    return [*rows, ""]


def _bounds(one: Setting, lang: Lang) -> str:
    if one.fixed:
        return _FIXED.of(lang)
    if one.kind is SettingKind.SWITCH:
        return _SWITCH.of(lang)
    if one.options:
        return ", ".join(_NOTHING.of(lang) if option is None else f"`{option}`" for option in one.options)
    if one.low is not None and one.high is not None:
        return f"{_number(one.low)} … {_number(one.high)}"
    return f"≥ {_number(one.low)}" if one.low is not None else "—"


def _number(value: float) -> str:
    return f"{value:,.12g}".replace(",", "\N{NO-BREAK SPACE}")
