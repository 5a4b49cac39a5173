"""The typed contract of a game: a Protocol for each module of its folder, with every hook, its type and its meaning.

`MODULES` is the one list of them. A module may be a file or a folder of its name. The documentation for authors is made
from it (see docs/new_game.md); a hook that is left out gets its default as the game is loaded, so that no caller asks
whether it is there.
"""

from __future__ import annotations

from collections.abc import Mapping

from playmill.engine.contract.hooks import Contract, contract
from playmill.engine.contract.modules.content import CanvasModule, ContentModule, MapsModule, TrialsModule
from playmill.engine.contract.modules.questions import (
    AuditModule,
    ChoicesModule,
    GoalsModule,
    InvariantsModule,
    LegendModule,
    LevelsModule,
    MethodsModule,
    RulebookModule,
)
from playmill.engine.contract.modules.rules import AgentsModule, ConfigModule, HiddenModule, OutcomeModule, RulesModule
from playmill.engine.contract.modules.texts import ReportModule, ViewModule, WordsModule
from playmill.texts import Text

__all__ = [
    "MODULES",
    "AgentsModule",
    "AuditModule",
    "CanvasModule",
    "ChoicesModule",
    "ConfigModule",
    "ContentModule",
    "GoalsModule",
    "HiddenModule",
    "InvariantsModule",
    "LegendModule",
    "LevelsModule",
    "MapsModule",
    "MethodsModule",
    "OutcomeModule",
    "ReportModule",
    "RulebookModule",
    "RulesModule",
    "TrialsModule",
    "ViewModule",
    "WordsModule",
]

#: The modules of a game's folder, by name.
MODULES: Mapping[str, Contract] = {
    made.name: made
    for made in (
        contract("config", ConfigModule, Text("the numbers of the rules", "числа правил"), needed=True),
        contract("rules", RulesModule, Text("the rules themselves", "сами правила"), needed=True),
        contract("words", WordsModule, Text("what people read", "то, что читают люди"), needed=True),
        contract(
            "hidden",
            HiddenModule,
            Text(
                "what a player sees, and a fair guess at the rest; without it everybody sees everything",
                "что видит игрок и честная догадка об остальном; без неё все видят всё",
            ),
        ),
        contract(
            "outcome",
            OutcomeModule,
            Text(
                "what is saved of a finished game; without it who won, what it paid and how long it was",
                "что хранится о партии; без неё — кто победил, что получил и сколько это длилось",
            ),
        ),
        contract(
            "report",
            ReportModule,
            Text(
                "figures and tables; without it those of the default outcome",
                "показатели и таблицы; без неё — для обычного исхода",
            ),
        ),
        contract(
            "agents",
            AgentsModule,
            Text(
                "agents of its own; `random` and `search` are always there",
                "собственные агенты; `random` и `search` есть всегда",
            ),
        ),
        contract(
            "view",
            ViewModule,
            Text(
                "the picture; without it the field `board` of the state is drawn, or the words",
                "картинка; без неё рисуется поле `board` состояния или слова",
            ),
        ),
        contract(
            "methods",
            MethodsModule,
            Text("questions of its own for Python agents, as in `grid`", "собственные вопросы агентам, как в `grid`"),
        ),
        contract(
            "content",
            ContentModule,
            Text("things that are data, as in `dice`", "вещи, которые — данные, как в `dice`"),
        ),
        contract("trials", TrialsModule, Text("how such things are tried", "как такие вещи испытывают")),
        contract("goals", GoalsModule, Text("what `playmill tune` may aim at", "к чему стремится `playmill tune`")),
        contract("maps", MapsModule, Text("`playmill map`, as in `influence`", "`playmill map`, как в `influence`")),
        contract("canvas", CanvasModule, Text("a setting drawn by clicking", "настройка, которую рисуют щелчками")),
        contract(
            "rulebook",
            RulebookModule,
            Text("what `rules.en.md` and `rules.ru.md` refer to", "на что ссылаются `rules.en.md` и `rules.ru.md`"),
        ),
        contract("choices", ChoicesModule, Text("what forms offer", "что предлагают формы")),
        contract("audit", AuditModule, Text("what `playmill audit` asks", "о чём спрашивает `playmill audit`")),
        contract(
            "levels",
            LevelsModule,
            Text(
                "who stands for each level of play in `playmill levels`; without it `random`, the agent `search` plays"
                " on by, and `search`",
                "кто изображает уровни игры в `playmill levels`; без неё — `random`, агент, которым доигрывает"
                " `search`, и `search`",
            ),
        ),
        contract(
            "invariants",
            InvariantsModule,
            Text(
                "what must hold whatever is played: `playmill check` tries it in every position",
                "что верно, как ни играй: `playmill check` проверяет это в каждой позиции",
            ),
        ),
        contract("legend", LegendModule, Text("what `seen` means, key by key", "что значит `seen`, ключ за ключом")),
    )
}
