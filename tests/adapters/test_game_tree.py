"""The trees of games: every draw of the rules is a node, and what a player knows is what she has seen and done."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from random import Random

import numpy as np
import pytest

from common.found import EXAMPLES, SHIPPED, game_of
from playmill import PlaymillError, State, rule
from playmill.adapters.explicit_chance import DrawError, FixedDraws, asking, chance_source
from playmill.adapters.game_tree import CHANCE, OVER, Tree
from playmill.engine.lang.rng import happens, shuffle


def everything(tree, *, whole=True):
    """All positions, or those up to the first decision, with the probability that chance leads there."""
    left = [(tree.root, 1.0)]
    while left:
        position, chance = left.pop()
        yield position, chance
        if position.before is not None and not whole:
            continue
        for action, share in zip(position.actions, position.chances or (1.0,) * len(position.actions), strict=True):
            left.append((position.child(action), chance * share))


def test_kuhn_has_six_deals_and_twelve_things_to_know():
    tree = Tree(game_of("kuhn"))
    positions = list(everything(tree))
    assert len(positions) == 58
    first = [(p, chance) for p, chance in positions if p.player == 0 and p.before is None]
    assert [round(chance, 9) for _, chance in first] == [round(1 / 6, 9)] * 6
    assert len({(p.player, p.known(p.player)) for p, _ in positions if p.player >= 0}) == 12
    ends = [p for p, _ in positions if p.player == OVER]
    assert sorted({tuple(p.returns()) for p in ends}) == [(-2, 2), (-1, 1), (1, -1), (2, -2)]


def test_what_a_player_cannot_tell_apart_she_knows_alike():
    """Two deals of Leduc that differ in suits, or in the other's card, are one to the first player."""
    tree = Tree(game_of("leduc"))
    known = Counter()
    for one in tree.root.actions:
        for two in tree.root.child(one).actions:
            for table in tree.root.child(one).child(two).actions:
                position = tree.root.child(one).child(two).child(table)
                known[position.known(0)] += 1
    assert sorted(known.values()) == [40, 40, 40]


def test_draws_lead_to_the_positions_that_dealing_leads_to():
    leduc = game_of("leduc")
    listed = {p.text() for p, _ in everything(Tree(leduc), whole=False) if p.player == 0 and p.before is None}
    reached = {State(leduc, seed=1, number=number, interpreted=True).to_text() for number in range(200)}
    assert reached <= {f"leduc/{leduc.version} {text}" for text in listed}
    assert len(listed) == 120 and len(reached) > 80


@pytest.mark.parametrize("name", [*SHIPPED, *EXAMPLES])
def test_every_game_is_walked_from_draw_to_decision(name):
    tree = Tree(game_of(name), samples=50)
    luck, position = Random(1), tree.root
    for _ in range(120):
        if position.player == OVER:
            break
        if position.player == CHANCE:
            assert sum(position.chances) == pytest.approx(1)
            assert list(position.actions) == list(range(len(position.chances)))
            position = position.child(luck.choices(position.actions, position.chances)[0])
        else:
            assert len(position.actions) > 1
            position = position.child(luck.choice(position.actions))
    stakes = tree.game.stakes(tree.config, tree.players)
    assert all(stakes.least <= paid <= stakes.most for paid in position.returns())


def test_how_games_draw_their_luck():
    kinds = {name: chance_source(game_of(name)) for name in [*SHIPPED, *EXAMPLES]}
    assert {name for name, kind in kinds.items() if kind == "none"} == {"connect4"}
    assert {name for name, kind in kinds.items() if kind == "words"} == {"dice"}
    with pytest.raises(PlaymillError, match="dice reads the words of its luck itself"):
        Tree(game_of("dice"), chance="draws")
    with pytest.raises(PlaymillError, match="chance is 'fate'"):
        Tree(game_of("pig"), chance="fate")
    with pytest.raises(PlaymillError, match="0 samples"):
        Tree(game_of("pig"), chance="samples", samples=0)


def test_samples_are_so_many_equal_chances_each_with_luck_of_its_own(pig):
    tree = Tree(pig, chance="samples", samples=200)
    assert tree.root.chances == (1 / 200,) * 200
    pots = Counter(p.seen(0)[2] for p in map(tree.root.child, tree.root.actions) if p.player >= 0)
    assert set(pots) >= {2, 3, 4, 5, 6}
    assert max(pots.values()) < 100
    again = tree.root.child(0)
    assert again.child(again.actions[0]).chances == (1 / 200,) * 200


def test_positions_are_copied_and_sent_by_the_way_that_leads_there():
    tree = Tree(game_of("leduc"), config={"bets": 3})
    position = tree.root.child(0).child(1).child(2).child(1)
    assert copy.deepcopy(position) is position
    sent = pickle.loads(pickle.dumps(position))
    assert (sent.record, sent.actions, sent.known(1)) == (position.record, position.actions, position.known(1))
    assert sent.tree.config == tree.config


@rule
def _shuffled(luck, cards):
    shuffle(luck, 0, cards, 3)
    return happens(luck, 0, 0.25)


def test_a_shuffle_is_drawn_card_by_card_and_cards_alike_are_one_outcome():
    asked = asking.twin(_shuffled)

    def deal(*answers):
        cards = np.array([7, 7, 9])
        return asked(FixedDraws(answers), cards), cards.tolist()

    with pytest.raises(DrawError) as first:
        deal()
    assert first.value.chances == (2 / 3, 1 / 3)
    with pytest.raises(DrawError) as last:
        deal(1)
    assert last.value.chances == (0.75, 0.25)  # of the two sevens nothing is left to draw
    assert deal(1, 1) == (True, [9, 7, 7])
    assert deal(0, 1, 0) == (False, [7, 9, 7])
