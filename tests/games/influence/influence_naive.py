"""Influence once more, as the page tells it and nothing kept that could be counted: what the rules are measured by.

Luck is not drawn here but read from what has really happened, as far as the page allows it: whether an attack with a
chance was won, and on which cells the remainder of `auto` fell.
"""

from __future__ import annotations

from influence_position import LETTERS, Place, Position, at, name


class Page:
    """A game by the page: the field, whose turn it is, and everybody's influence at the start of her turns."""

    def __init__(self, game: Position) -> None:
        self.config = game.config
        self.players = game.players
        self.capacity = {place: game.capacity(place) for place in game.places}
        self.beside = {place: list(game.around(place).values()) for place in game.places}
        self.field: dict[Place, tuple[int, int]] = seen(game)
        self.player = game.s.player
        self.attacking = game.s.phase == 0
        self.points = game.s.points
        self.round = game.s.rounds
        self.over = ""
        self.begun = [
            [game.s.history[player, turn % game.cfg.result_rounds] for turn in range(game.s.turns[player])]
            for player in range(game.players)
        ]

    def own(self, player: int) -> list[Place]:
        """A player's cells."""
        return [place for place, (owner, _) in self.field.items() if owner == player]

    def total(self, player: int) -> int:
        """A player's influence."""
        return sum(self.field[place][1] for place in self.own(player))

    def living(self) -> list[int]:
        """The players on the field."""
        return [player for player in range(self.players) if self.own(player)]

    def room(self) -> list[Place]:
        """The cells of the player to move that hold less than they can."""
        return [place for place in self.own(self.player) if self.field[place][1] < self.capacity[place]]

    def chance(self, source: Place, target: Place) -> int:
        """The chance of an attack in percent."""
        owner, theirs = self.field[target]
        if owner < 0:
            return 100
        config = self.config
        chances = (
            config.chance_le_minus2,
            config.chance_minus1,
            config.chance_zero,
            config.chance_plus1,
            config.chance_ge_plus2,
        )
        return chances[2 + max(-2, min(2, self.field[source][1] - theirs))]

    def legal(self) -> set[str]:
        """The options."""
        if self.over:
            return set()
        if not self.attacking:
            return {f"place {name(place)}" for place in self.room()} | {"auto"}
        strong = [place for place in self.own(self.player) if self.field[place][1] >= 2]
        peaceful = not self.config.first_turn_attacks and len(self.begun[self.player]) == 1
        return {"end"} | {
            f"attack {name(source)} {name(target)}"
            for source in strong
            for target in self.beside[source]
            if self.field[target][0] != self.player and not (peaceful and self.field[target][0] >= 0)
        }

    def results(self) -> list[int]:
        """Everybody's result."""
        return [sum(begun[-self.config.result_rounds :]) for begun in self.begun]

    def asked(self) -> str:
        """What is asked for, in the words of a position."""
        return self.over or f"{LETTERS[self.player]} {'attacks' if self.attacking else f'places {self.points}'}"

    def follow(self, text: str, after: dict[Place, tuple[int, int]], to_move: int) -> None:
        """Does an action; the field after it in the real game, and who moves then, say what luck has brought."""
        act, *where = text.split()
        if act == "attack":
            source, target = map(at, where)
            self.attack(source, target, after[target][0] == self.player)
        elif act == "end":
            free = sum(self.capacity[place] for place in self.own(self.player)) - self.total(self.player)
            self.points = min(len(self.own(self.player)), free)
            self.attacking = False
        elif act == "place":
            self.add(at(where[0]))
        else:
            self.auto(after)
        if not self.over and not self.attacking and self.points == 0:
            self.next_turn(to_move)

    def attack(self, source: Place, target: Place, won: bool) -> None:
        """An empty target is taken, an enemy's by chance."""
        mine, (defender, theirs) = self.field[source][1], self.field[target]
        chance = self.chance(source, target)
        assert won or chance < 100, "a sure attack was lost"
        assert not won or chance > 0, "a hopeless attack was won"
        if not won:
            self.field[source] = self.player, 1
            costs = {"difference": mine, "one": 1, "nothing": 0}[self.config.failure]
            self.field[target] = defender, max(1, theirs - costs)
            return
        goes = mine - 1 if defender < 0 else max(1, mine - theirs)
        fits = min(goes, self.capacity[target])
        self.field[source] = self.player, 1 + goes - fits
        self.field[target] = self.player, fits
        if self.living() == [self.player]:
            self.over = f"{LETTERS[self.player]} wins alone"

    def add(self, place: Place) -> None:
        """A point for a cell."""
        assert place in self.room()
        self.field[place] = self.player, self.field[place][1] + 1
        self.points -= 1

    def auto(self, after: dict[Place, tuple[int, int]]) -> None:
        """Everybody with room gets one, while there is enough for all; then the rest as luck has it."""
        while self.points and self.points >= len(self.room()):
            for place in self.room():
                self.add(place)
        lucky = [place for place in self.room() if after[place][1] > self.field[place][1]]
        assert len(lucky) == self.points, "the remainder fell on so many different cells"
        for place in lucky:
            self.add(place)

    def waiting(self) -> list[int]:
        """The living players who have their turn still before them in this round, in their order."""
        order = self.config.turn_order
        if order == "drawn":
            return [player for player in self.living() if len(self.begun[player]) < self.round]
        back = order == "snake" and self.round % 2 == 0
        later = [p for p in self.living() if (p < self.player if back else p > self.player)]
        return later[::-1] if back else later

    def next_turn(self, to_move: int) -> None:
        """The next living player; after the last one a new round or the end."""
        later = self.waiting()
        if not later:
            if self.round == self.config.round_limit:
                results = {player: self.results()[player] for player in self.living()}
                best = [player for player in results if results[player] == max(results.values())]
                self.over = f"{LETTERS[best[0]]} wins by result" if len(best) == 1 else "draw by result"
                return
            self.round += 1
            back = self.config.turn_order == "snake" and self.round % 2 == 0
            later = self.living()[::-1] if back else self.living()
        if self.config.turn_order == "drawn":
            assert to_move in later, "who has the turn waited for it"
            later = [to_move]
        self.player = later[0]
        self.begun[self.player].append(self.total(self.player))
        self.attacking = True


def seen(game: Position) -> dict[Place, tuple[int, int]]:
    """The field of a position."""
    return {place: (game.owner(place), game.influence(place)) for place in game.places}
