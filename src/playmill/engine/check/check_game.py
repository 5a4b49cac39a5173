"""`check_game`: checks every promise of the contract for a game; the author of a new game runs it first.

Games are played in the interpreter, which knows the ends of arrays and of narrow numbers; only when all promises hold
there is anything compiled, and compared.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from playmill.engine.check.agent_games import play_agents
from playmill.engine.check.backend_agreement import check_backends, check_looks
from playmill.engine.check.cases import check_cases
from playmill.engine.check.config_bounds import check_bounds
from playmill.engine.check.coverage import Coverage, never
from playmill.engine.check.decisions import ENOUGH, HABITS, CheckedEnd, CloseLooks, check_end, check_one
from playmill.engine.check.findings import CheckedGame, CheckError, demand
from playmill.engine.check.hidden_information import Hidden
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, as_game, hides_nothing
from playmill.engine.contract.rulebook import Figure, Words, render_rulebook
from playmill.engine.contract.score_range import USUAL, beyond
from playmill.engine.errors.located import RuleMistakeError, at_name
from playmill.engine.lint.lint_rules import lint_game
from playmill.texts import LANGUAGES, Text

__all__ = ["CheckError", "check_game"]

#: This many games are looked at if nothing else is asked for, and with every further number of players.
_GAMES, _FURTHER = 20, 12
#: This many games of each agent are compared with compiled ones, and one for every further number of players.
_COMPARED = 3
#: From so few games on, what all of them have in common says something of the rules.
_TELLING = 10


def check_game(
    game: Game | str,
    *,
    config: RuleConfig | Mapping[str, Any] | None = None,
    games: int | None = None,
    players: Sequence[int] | None = None,
    progress: Callable[[Text], None] | None = None,
    tried: Callable[[Text], None] | None = None,
) -> tuple[Text, ...]:
    """Plays a game through every promise of the contract; raises CheckError at the first that is broken.

    Returns what breaks no promise and is still worth a look, in sentences. `progress` is told what is looked at next,
    `tried` what was tried beyond the config itself. Without `games` 20 are looked at move by move, and 12 with every
    further number of players.
    """
    game = as_game(game)
    settings = as_config(game, config)
    tell = progress or (lambda _: None)
    lint_game(game)
    _check_types(game)
    _check_rulebook(game, settings)
    doubts: list[Text] = [*_untold(game)]
    coverage, elsewhere = Coverage(game), Coverage(game)
    sizes = players or range(game.players[0], game.players[1] + 1)
    for size in sizes:
        game.check_players(size)
    for size in sizes:
        tell(_at(size, "step by step", "ход за ходом"))
        ends: list[CheckedEnd] = []
        looks = CloseLooks() if size == sizes[0] else CloseLooks.fewer()
        hidden = Hidden(CheckedGame(game, settings, size, 0))
        for number in range(games or (_GAMES if size == sizes[0] else _FURTHER)):
            if sum(end.decisions for end in ends) < ENOUGH:
                checked = CheckedGame(game, settings, size, number)
                with checked.located_errors():
                    ends.append(check_one(checked, looks, hidden, coverage))
        doubts += [*_doubts(size, ends), *_beyond_stakes(game, settings, size, ends)]
        tell(_at(size, "what is hidden", "что скрыто"))
        with CheckedGame(game, settings, size, 0).located_errors():
            doubts += hidden.judge()
        if size == sizes[0] and (cases := check_cases(game)) is not None and tried is not None:
            tried(cases)  # not before: what breaks the contract would only look as if cases were wrong
        tell(_at(size, "does it end", "кончается ли партия"))
        for habit in HABITS:
            checked = CheckedGame(game, settings, size, 0)
            with checked.located_errors():
                check_end(checked, habit, coverage)
        tell(_at(size, "agents", "агенты"))
        played = [*play_agents(game, settings, size, games=_COMPARED if size == sizes[0] else 1, coverage=coverage)]
        if size == sizes[0]:
            tell(Text("settings at their bounds", "настройки на границах"))
            bounds = check_bounds(game, settings, sizes, elsewhere)
            if tried is not None and bounds.configs:
                tried(bounds.summary())
        try:
            tell(_at(size, "interpreted against compiled", "интерпретатор против скомпилированного"))
            check_backends(played)
            check_looks(game, settings, size)
        except RuleMistakeError as mistake:  # found by the first look, and told with its line
            raise CheckError(mistake.text) from None
    if games is None or games >= _TELLING:
        doubts += never(game, settings, coverage, elsewhere)
    return tuple(doubts)


def _at(players: int, en: str, ru: str) -> Text:
    """What is being looked at, and with how many players."""
    return Text(f"{players} players: {en}" if players > 1 else f"1 player: {en}", f"игроков {players}: {ru}")


def _check_types(game: Game) -> None:
    for what, kind, module in (("State", game.state, "rules"), ("Outcome", game.outcome, "outcome")):
        message = Text(
            f"{what} must be an aligned dtype: np.dtype([…], align=True)",
            f"{what} должен быть выровнен: np.dtype([…], align=True)",
        )
        if not kind.isalignedstruct:
            own = sys.modules.get(f"{game.package}.{module}")
            raise CheckError(at_name(own, what, message).text if own is not None else message)
    demand(
        "decisions" in (game.outcome.names or ()),
        "the outcome needs a field `decisions`",
        "в Outcome нужно поле `decisions`",
    )
    for name in game.tally.names or ():
        demand(
            game.tally[name].base == np.int64,
            f"the tally's field {name} must be int64",
            f"поле {name} в Tally должно быть int64",
        )
    demand("random" in game.agents, "an agent `random` is needed, and there is none", "нужен агент `random`, а его нет")


def _check_rulebook(game: Game, config: RuleConfig) -> None:
    """Rules in words, where there are any, say the same in both languages, part by part."""
    message = [_outline(render_rulebook(game, config, lang)) for lang in LANGUAGES]
    demand(
        message[0] == message[1],
        "rules.en.md and rules.ru.md must have the same headings and pictures, in the same order",
        "в rules.en.md и rules.ru.md должны быть одни и те же заголовки и картинки в одном порядке",
    )
    unknown = {name for name in message[0] if not name.startswith("#")} - set(
        game.rulebook.PICTURES if game.rulebook else ()
    )
    names = ", ".join(sorted(unknown))
    demand(
        not unknown,
        f"pictures of the rules that are missing in PICTURES of rulebook.py: {names}",
        f"картинки правил, которых нет в PICTURES из rulebook.py: {names}",
    )


def _outline(parts: Sequence[Words | Figure]) -> list[str]:
    """The depth of each heading and the name of each picture."""
    found: list[str] = []
    for part in parts:
        found += re.findall(r"^#+(?= )", part.markdown, re.MULTILINE) if isinstance(part, Words) else [part.name]
    return found


def _untold(game: Game) -> Iterator[Text]:
    """Warns if players of a game with hidden information hear nothing of what the others do."""
    words = sys.modules.get(f"{game.package}.words")
    if words is None or hides_nothing(game) or game.words.witnessed or words.ALOUD is not None:
        return
    yield at_name(
        words,
        "describe",
        Text(
            "something is hidden, and words.py does not say what the others hear of an action: at the table they are"
            " told no more than that there was one; write ALOUD = True if `describe` and `events` are for all to hear,"
            " False if for nobody, or witnessed(config, before, after, action, player)",
            "что-то скрыто, а words.py не говорит, что слышат о действии другие: за столом им сообщают лишь, что оно"
            " было; напишите ALOUD = True, если `describe` и `events` можно слышать всем, False — если никому, или"
            " witnessed(config, before, after, action, player)",
        ),
    ).text


def _doubts(players: int, ends: Sequence[CheckedEnd]) -> Iterator[Text]:
    """Warns of what many games have in common that games seldom have."""
    if len(ends) < _TELLING:
        return
    if not any(any(end.returns) for end in ends):
        yield Text(
            f"with {players} players, `returns` gave nobody anything in any of {len(ends)} games played at random:"
            " every one was a draw at 0; is that meant?",
            f"при числе игроков {players} `returns` никому ничего не дала ни в одной из партий наугад ({len(ends)}):"
            " все окончились вничью по нулям; так задумано?",
        )
    moved = {seat for end in ends for seat in end.deciders}
    idle = [str(seat) for seat in range(players) if seat not in moved] if moved else []
    if idle and any(end.decisions > 1 for end in ends):
        yield Text(
            f"with {players} players, player {', '.join(idle)} decided nothing in any of {len(ends)} games played at"
            " random; does apply_action pass the turn (s.player), and do so many play?",
            f"при числе игроков {players} игрок {', '.join(idle)} ничего не решал ни в одной из партий наугад"
            f" ({len(ends)}); передаёт ли apply_action ход (s.player) и столько ли играют?",
        )
    if all(end.decisions <= 1 for end in ends):
        yield Text(
            f"with {players} players, each of {len(ends)} games played at random was over after its first decision, or"
            " without any; is that meant?",
            f"при числе игроков {players} каждая из партий наугад ({len(ends)}) окончилась после первого же решения или"
            " без единого; так задумано?",
        )


def _beyond_stakes(game: Game, config: RuleConfig, players: int, ends: Sequence[CheckedEnd]) -> Iterator[Text]:
    """That games brought more or less than stated; it is a broken promise if the rules themselves state it."""
    rules = sys.modules.get(f"{game.package}.rules")
    if rules is None:
        return
    with CheckedGame(game, config, players, 0).located_errors():
        stakes = game.stakes(config, players)
    for message in beyond(rules, stakes, players, [end.returns for end in ends]):
        if rules.STAKES is not USUAL:
            raise CheckError(message)
        yield message
