"""One game driven from Python (`State`), with the names of OpenSpiel: legal_actions, apply_action, returns, …"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from playmill.engine.compile.game_kernels import compiled_agents
from playmill.engine.compile.play_kernels import interpreted_kernels, kernels_of
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import NetworkTable
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.errors.located import at_code
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import RecordArray, from_text, to_text
from playmill.engine.lang.rule import SPECTATOR, python_function
from playmill.engine.run.invalid_actions import no_options
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import check_seed
from playmill.engine.run.stepper import is_cached, new_stepper
from playmill.texts import Lang, PlaymillError, user_language

#: This many decisions in a row that have but one option make a game without an end.
FORCED = 100_000

Observer = Callable[[np.void, int, np.void], None]


class State:
    """A game under way. A decision with one option is made by itself, so each one asked for is a real choice."""

    def __init__(
        self,
        game: Game | str,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        number: int = 0,
        observer: Observer | None = None,
        interpreted: bool | None = False,
    ) -> None:
        """Deals game `number` of the run with this seed; `observer(before, action, after)` sees every action.

        Interpreted, nothing is compiled: it begins at once and is slower, with the same results. None is whichever
        begins at once: compiled code that was kept, else the interpreter.
        """
        self.game = game = as_game(game)
        self.config = as_config(game, config)
        self.players = players if players is not None else game.players[0]
        game.check_players(self.players)
        check_seed(seed, number)
        self.seed = seed
        self.number = number
        self.observer = observer
        self._waits = interpreted is not None
        interpreted = not is_cached(game) if interpreted is None else interpreted
        self._steps = new_stepper(game, self.config, self.players, interpreted=interpreted)
        self._history: list[int] = []
        self._deciders: list[int] = []
        #: What agents that think remember of this game, by seat.
        self.minds: dict[int, Any] = {}
        if observer is None:
            self._options = self._steps.open(seed, number)
        else:
            self._options = self._steps.begin(seed, number)
            self._settle()

    @property
    def record(self) -> np.void:
        """The flat record of the state itself."""
        return self._steps.record

    @property
    def workspace(self) -> RecordArray:
        """The workspace the game is played on (see `play.py`)."""
        return self._steps.workspace

    def current_player(self) -> int:
        """Whose decision it is; -1 when the game is over."""
        return self._steps.mover[0]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._steps.mover[0] < 0

    def legal_actions(self) -> list[int]:
        """Ids of the options of the player to move, ascending."""
        return self._steps.ids[: self._options].tolist()

    def count_actions(self) -> int:
        """The number of options, as the game counts them."""
        return self._steps.count()

    def nth_action(self, k: int) -> int:
        """Option number k in the game's own order, which need not be that of `legal_actions`."""
        return self._steps.pick(k)

    def apply_action(self, action: int) -> None:
        """Does a legal action; an illegal one raises, and nothing has happened."""
        if self.observer is None and type(action) is int and 0 <= action < self.game.actions:
            mover, options = self._steps.mover[0], self._steps.act(action, self._options)
            if options >= 0:
                self._options = options
                self._history.append(action)
                self._deciders.append(mover)
                return
        legal = self.legal_actions()
        if action not in legal:
            listed = ", ".join(map(str, legal)) or "–"
            raise PlaymillError(
                f"illegal action {action!r}; legal ones are {listed}",
                f"недопустимое действие {action!r}; допустимы {listed}",
            )
        self._history.append(int(action))
        self._deciders.append(self.current_player())
        self._step(int(action))
        self._settle()

    def _step(self, action: int) -> None:
        before = self.record.copy()
        self._options = self._steps.step(action)
        if self.observer is not None:
            self.observer(before, action, self.record)

    def _settle(self) -> None:
        made = 0
        while self._options == 1:
            self._step(self._steps.ids[0])
            made += 1
            if made == FORCED:
                text = f"{self.game.name}: {self.to_text()}"
                raise PlaymillError(
                    f"{FORCED} decisions in a row had one option each, and the game goes on: it does not end; {text}",
                    f"решений с одним вариантом подряд: {FORCED}, а партия идёт: она не кончается; {text}",
                )

    def check_goes_on(self) -> None:
        """Raises if somebody is to move and has nothing to choose from: such a game is neither over nor goes on."""
        if self._options < 1 and not self.is_terminal():
            rule = python_function(self.game.rules["legal_actions"])
            raise at_code(rule.__code__, no_options(self.current_player()))

    def choice_of(self, agent: int, params: Sequence[float] = (), network: NetworkTable | None = None) -> int:
        """What a compiled agent, by its number, chooses now; draws from the agent rng of the player to move."""
        self.check_goes_on()
        if list(compiled_agents(self.game).values())[agent] is RANDOM:
            return self._steps.chance(self._options)
        seat, workspace = self.current_player(), self._steps.workspace
        workspace["params"]["value"][0, seat, : len(params)] = params
        lookup_tables = load_lookup_tables(self.game, self.config, (agent,), (network,))
        workspace["starts"][0, seat] = 0
        kernels = interpreted_kernels(self.game) if self._interprets(agent) else kernels_of(self.game)
        found = int(kernels.agent_choice(workspace, lookup_tables.values, agent, self._options))
        return found if found >= 0 else int(workspace["invalid_action"][0])

    @property
    def interpreted(self) -> bool:
        """Whether the interpreter runs the rules."""
        return self._steps.interpreted

    def _interprets(self, agent: int) -> bool:
        """Whether the interpreter runs an agent."""
        return self._steps.interpreted or not (self._waits or kernels_of(self.game).can_answer(agent))

    def outcome(self) -> np.void:
        """The row of statistics of a finished game."""
        row: np.void = self._steps.finish(len(self._history))[0]
        return row

    @property
    def decisions(self) -> int:
        """How many decisions were asked for so far."""
        return len(self._history)

    def decisions_of(self, player: int) -> int:
        """How many decisions a player was asked for so far."""
        return self._deciders.count(player)

    def history(self) -> list[int]:
        """The actions applied so far (those with a choice)."""
        return list(self._history)

    def returns(self) -> list[float]:
        """What the game has brought each player."""
        if not self.is_terminal():
            return [0.0] * self.players
        paid: list[float] = self._steps.pay()[: self.players].tolist()
        return paid

    def observation_tensor(self, player: int | None = None) -> np.ndarray[Any, np.dtype[np.int32]]:
        """What a player (by default the one to move) may see, as numbers."""
        return self._steps.see(self._seat(player))

    def conceal(self, player: int, seed: int) -> None:
        """Deals anew at random, in this state, everything that a player, or a SPECTATOR, cannot know."""
        self._steps.workspace["conceal_rng"]["stream"][0, 0] = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
        self._steps.hide(player if player == SPECTATOR else self._seat(player))
        self._options = self._steps.options()

    def clone(self, *, interpreted: bool | None = None) -> Self:
        """An independent copy that goes on with the same luck; agents that think begin anew in it.

        It may be run in another way than the original, compiled or not.
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._steps = self._steps.copy(interpreted=interpreted)
        twin._history = list(self._history)
        twin._deciders = list(self._deciders)
        twin.minds = {}
        return twin

    def traced(self, work: Callable[[Self], object]) -> tuple[frozenset[int], frozenset[int]]:
        """What some work on a copy of this game reads before it writes it, and what it writes: places of its record."""
        twin = self.clone()
        twin.observer = None

        def on(steps: Any) -> None:
            twin._steps = steps
            work(twin)

        return self._steps.traced(on)

    def action_to_string(self, action: int, lang: Lang | None = None) -> str:
        """An action in words."""
        text: str = self.game.words.describe(self.config, action).of(lang or user_language())
        return text

    def to_text(self) -> str:
        """The short text form of the state; luck still to come is no part of it."""
        return f"{self.game.name}/{self.game.version} {to_text(self.record)}"

    @classmethod
    def from_text(
        cls,
        game: Game | str,
        text: str,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> Self:
        """A game in the position of a text form, as `to_text` writes it; luck still to come is that of the seed."""
        state = cls(game, players=players, config=config, seed=seed)
        state.put_text(text)
        return state

    def put_text(self, text: str) -> None:
        """Sets up the position of a text form in place of the present one."""
        head, _, rest = text.strip().partition(" ")
        expected = f"{self.game.name}/{self.game.version}"
        if head != expected:
            raise PlaymillError(
                f"a state of {expected} was expected, not {head!r}", f"ожидалось состояние {expected}, а не {head!r}"
            )
        self.put_record(from_text(self.game.state, rest))

    def put_record(self, record: RecordArray) -> None:
        """Sets up the position of a one-element record array in place of the present one."""
        self._steps.workspace["states"][0, LIVE] = record[0]
        self.minds.clear()
        self._options = self._steps.options()

    def __repr__(self) -> str:
        who = "over" if self.is_terminal() else f"player {self.current_player()} of {self.players} to move"
        return f"<State of {self.game.name}: game {self.number} of seed {self.seed}, {self.decisions} decisions, {who}>"

    def __str__(self) -> str:
        return self.position(user_language())

    def position(self, lang: Lang) -> str:
        """The whole position in readable lines."""
        text: str = self.game.words.position(self.config, self.record, lang)
        return text

    def view(self, player: int | None = None, lang: Lang | None = None) -> str:
        """The table as an SVG picture, as that player sees it; without one, as a spectator does."""
        return self.game.view(self.config, self.record, player, self.legal_actions(), lang or user_language())

    def _repr_svg_(self) -> str:
        return self.view(self.current_player() if not self.is_terminal() else None)

    def _seat(self, player: int | None) -> int:
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.players:
            raise PlaymillError(
                f"there is no player {seat}; players are 0 … {self.players - 1}",
                f"игрока {seat} нет; игроки: 0 … {self.players - 1}",
            )
        return seat
