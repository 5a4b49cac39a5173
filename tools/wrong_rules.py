"""Measures how many wrong rules `playmill check` finds that keep the contract of a game.

    python tools/wrong_rules.py [--bare]

Each wrong rule is one change in a game that `check` passes: a card dealt twice, a protection that never ends. The games
bring their invariants and cases; with --bare both are taken away, and only the contract and what never happens is left.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playmill import check_game, load_game
from playmill.engine.check.check_game import CheckError
from playmill.texts import PlaymillError

ROOT = Path(__file__).parent.parent
COURTIERS, PIG, LEDUC, KUHN, CONNECT4 = (
    "tests/engine/courtiers",
    *(f"examples/{name}" for name in ("pig", "leduc", "kuhn", "connect4")),
)
_NUMBERS = itertools.count()


@dataclass(frozen=True)
class WrongRule:
    """One change in the rules of a game: what stands there, and what is written instead."""

    name: str
    game: str
    was: str
    now: str

    def write(self, folder: Path, *, bare: bool = False) -> str:
        """Writes the game with the wrong rule into a folder; returns its path."""
        made = folder / f"wrong{next(_NUMBERS)}"
        shutil.copytree(ROOT / self.game, made, ignore=shutil.ignore_patterns("__pycache__"))
        rules = made / "rules.py"
        text = rules.read_text(encoding="utf-8")
        if text.count(self.was) != 1:
            raise ValueError(f"{self.name}: {self.was!r} is there {text.count(self.was)} times")
        rules.write_text(text.replace(self.was, self.now), encoding="utf-8")
        for extra in ("invariants.py", "cases.toml") if bare else ():
            (made / extra).unlink(missing_ok=True)
        return str(made)


WRONG_RULES = (
    WrongRule(
        "a drawn card stays in the deck, another is lost",
        COURTIERS,
        "    s.left -= 1\n    return s.deck[s.left]",
        "    s.left -= 1\n    return s.deck[s.left if s.left != 9 else 8]",
    ),
    WrongRule("a protection never ends", COURTIERS, "        s.safe[s.player] = 0\n", ""),
    WrongRule("the hand of a loser is lost", COURTIERS, "        throw(s, s.hand[loser])\n", ""),
    WrongRule(
        "a swap doubles a card",
        COURTIERS,
        "s.hand[player], s.hand[other] = s.hand[other], s.hand[player]",
        "s.hand[player] = s.hand[other]",
    ),
    WrongRule("a token is won twice", COURTIERS, "s.tokens[best] += 1", "s.tokens[best] += 2"),
    WrongRule(
        "a seat is skipped", COURTIERS, "s.player = next_in(s, player)", "s.player = next_in(s, next_in(s, player))"
    ),
    WrongRule(
        "who was out comes back with a shield",
        COURTIERS,
        "        s.safe[player] = 1\n",
        "        s.safe[player] = 1\n        s.out[(player + 2) % MAX_PLAYERS] = 0\n",
    ),
    WrongRule("the last card is never drawn", COURTIERS, "left_in > 1 and s.left > 0", "left_in > 1 and s.left > 1"),
    WrongRule(
        "a duel throws out the higher card",
        COURTIERS,
        "s.hand[player] < s.hand[other] else",
        "s.hand[player] > s.hand[other] else",
    ),
    WrongRule(
        "a shield does not stop a duel",
        COURTIERS,
        "elif s.safe[other] == 0 and card == DUEL and",
        "elif card == DUEL and",
    ),
    WrongRule("points are banked twice", PIG, "s.total[s.player] += s.pot", "s.total[s.player] += 2 * s.pot"),
    WrongRule(
        "a 1 loses what was banked",
        PIG,
        "        s.pot = 0\n    s.total",
        "        s.pot = -s.total[s.player]\n    s.total",
    ),
    WrongRule("more than the goal is needed", PIG, "s.total[s.player] >= cfg.target", "s.total[s.player] > cfg.target"),
    WrongRule("one turn too many", PIG, "s.turns >= cfg.max_turns", "s.turns > cfg.max_turns"),
    WrongRule(
        "a card of the table is also in a hand",
        LEDUC,
        "s.card[TABLE] = another(rng, DEAL, s.card[0], s.card[1])",
        "s.card[TABLE] = another(rng, DEAL, s.card[0], NO_CARD)",
    ),
    WrongRule(
        "one raise too many", LEDUC, "return 3 if s.bets < cfg.bets else 2", "return 3 if s.bets <= cfg.bets else 2"
    ),
    WrongRule(
        "a raise only calls",
        LEDUC,
        "s.paid[player] = s.paid[other] + cfg.bet[s.round]",
        "s.paid[player] += cfg.bet[s.round]",
    ),
    WrongRule(
        "a pair wins nothing",
        LEDUC,
        "    if table in (first, second):\n        return 0 if first == table else 1\n",
        "",
    ),
    WrongRule(
        "both may hold the same card",
        KUHN,
        "(card + 1 + below(rng, stream, CARDS - 1)) % CARDS",
        "(card + below(rng, stream, CARDS)) % CARDS",
    ),
    WrongRule(
        "a disc in the last column gives another turn",
        CONNECT4,
        "else 1 - s.player\n",
        "else (s.player if action == COLUMNS - 1 else 1 - s.player)\n",
    ),
    WrongRule("one diagonal does not count", CONNECT4, "((0, 1), (1, 0), (1, 1), (1, -1))", "((0, 1), (1, 0), (1, 1))"),
    WrongRule("the bets of the first round count in the second", LEDUC, "            s.bets = 0\n", ""),
)


def finding(wrong: WrongRule, *, bare: bool = False, games: int | None = None) -> tuple[str, str]:
    """How a wrong rule was found: `error`, `look` or nothing; and the sentence."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            doubts = check_game(load_game(wrong.write(Path(folder), bare=bare)), games=games)
        except (CheckError, PlaymillError) as error:
            return "error", error.text.en
    return ("look", doubts[0].en) if doubts else ("", "")


def main() -> None:
    """Prints what is found of each wrong rule."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--bare", action="store_true", help="without invariants and cases")
    bare = options.parse_args().bare
    found = {wrong: finding(wrong, bare=bare) for wrong in WRONG_RULES}
    for wrong, (how, sentence) in found.items():
        print(
            f"{how or '–':5}  {wrong.game.rpartition('/')[2]:9}  {wrong.name}: {sentence.partition('; game ')[0][:160]}"
        )
    errors, looks = (sum(how == kind for how, _ in found.values()) for kind in ("error", "look"))
    print(f"found: {errors} as errors, {looks} as worth a look, of {len(found)}")


if __name__ == "__main__":
    main()
