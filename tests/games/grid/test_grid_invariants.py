"""What holds at every moment of every game, whatever the config and whoever plays."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from grid_position import Position, cards_anywhere, deal, deck_of, off, reward_of, rules_of
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill.engine.lang.rule import interpreted
from playmill.games.grid.actions import ACTIONS, MAX_OPTIONS
from playmill.games.grid.constants import JOKER
from playmill.games.grid.rules.cards import count_free_cells, nth_free_cell

count_free, nth_free = interpreted(count_free_cells), interpreted(nth_free_cell)

#: More decisions than any of these games has.
ENDLESS = 5_000
IN_REWARD = ("apply", "card", "cell", "opponent", "their card", "their cell", "ref")
SWITCHES = (
    "game.joker.enabled",
    "game.joker.matches_any_rank",
    "game.joker.matches_any_color",
    "game.patterns.auto_trigger",
    "game.rewards.extra_turn_ignored_if_deck_empty",
    "game.rewards.opponent_actions_forbid_touch_protected_zone",
    "game.rewards.opponent_actions_forbid_move_into_or_out_of_protected_zone",
    "game.rewards.reward_placement_failure_does_not_end_game",
    "termination.end_if_no_space_for_mandatory_hand_placement",
    "termination.end_if_no_space_for_mandatory_draft_placement",
    "termination.deck_empty_allows_phase1_for_next_players",
    *(f"patterns.{letter}.reward.optional" for letter in "EGJ"),
    *(f"rewards.RWD{n}.constraints.forbid_opponent_protected_zone_as_source" for n in (6, 7, 10)),
    "rewards.RWD7.constraints.forbid_opponent_protected_zone_as_destination",
    *(f"rewards.RWD{n}.constraints.requires_free_cell_on_self_board" for n in (2, 8, 9, 10)),
)


@st.composite
def changes_of_rules(draw: st.DrawFn) -> tuple[str, ...]:
    """Changes of the config within its ranges; few ranks, so that patterns come about."""
    ranks = draw(st.lists(st.integers(1, 12), min_size=1, max_size=3, unique=True))
    if draw(st.booleans()):
        ranks = list(range(ranks[0] % 6 + 1, ranks[0] % 6 + 1 + draw(st.integers(1, 6))))
    colours = draw(st.sampled_from([1, 3, 4, 5, 5, 5, 6, 8]))
    shapes = draw(st.integers(1, min(40, 120 // (len(ranks) * colours))))
    while len(ranks) * colours * shapes < 8:
        shapes += 1
    side = draw(st.sampled_from([(5, 5), (5, 5), (5, 5), (5, 3), (3, 5), (7, 5), (3, 3), (7, 7)]))
    zone = draw(st.sampled_from([size for size in (1, 3, 5, 7) if size <= min(side)]))
    pick, hand_on, discard = draw(st.integers(1, 3)), draw(st.integers(0, 3)), draw(st.integers(0, 2))
    discard += pick + hand_on + discard < 2
    rewards = {letter: draw(st.integers(1, 10)) for letter in "ABCDEFGHIJ"}
    made = (
        *deck_of(ranks, colours, shapes),
        f"game.grid.width={side[0]}",
        f"game.grid.height={side[1]}",
        f"game.grid.protected_zone.size={zone}",
        f"game.draft.reveal={pick + hand_on + discard}",
        f"game.draft.pick_self={pick}",
        f"game.draft.pass_next_player={hand_on}",
        f"game.draft.discard={discard}",
        *reward_of(**rewards),
        *off(*draw(st.lists(st.sampled_from(SWITCHES), max_size=5, unique=True))),
    )
    if draw(st.booleans()):
        made += ("game.players.turn_direction=counterclockwise", "game.players.next_player_definition=right")
    if draw(st.integers(0, 3)) == 0:
        patterns = rules_of(*made).model_dump(mode="json")["patterns"]
        kept = draw(st.lists(st.sampled_from(patterns), min_size=1, unique_by=lambda pattern: pattern["id"]))
        made += (f"patterns={json.dumps(kept)}",)
    return made


def check_cards(game: Position) -> None:
    """Every card is in exactly one place, and there are as many jokers as were brought into play."""
    found = cards_anywhere(game)
    jokers = found.pop(JOKER, 0)
    assert found == Counter(range(1, game.cfg.cards + 1))
    spawned = sum(game.counts(9, seat)[0] for seat in range(game.players))
    assert jokers == spawned - (game.asked == "cell" and game.s.reward == 8)


def check_derived(game: Position) -> None:
    """What follows from the cards agrees with a recount; unused places are empty."""
    s, cfg, record = game.s, game.cfg, game.source[0]
    for seat, (board, hand) in enumerate(zip(record["board"].tolist(), record["hand"].tolist(), strict=True)):
        assert s.filled[seat] == sum(1 << cell for cell, card in enumerate(board) if card)
        assert s.filled[seat] >> cfg.cells == 0
        listed = [nth_free(s, seat, k) for k in range(count_free(cfg, s, seat))]
        assert sorted(listed) == [cell for cell in range(cfg.cells) if not board[cell]]
        assert all(hand[: s.hand_size[seat]])
        assert not any(hand[s.hand_size[seat] :])
        if seat >= game.players:
            assert s.filled[seat] == s.hand_size[seat] == s.vp[seat] == s.skip[seat] == 0
    assert all(s.discard[: s.discard_size])
    assert not any(s.discard[s.discard_size :])
    assert all(s.picked[: s.picked_size])
    assert not any(s.picked[s.picked_size :])


def check_points(game: Position) -> None:
    """Points are those of the patterns; every pattern's reward was applied, refused, impossible or is under way."""
    s, record = game.s, game.source[0]
    for seat in range(game.players):
        counts = record["patterns"][seat].tolist()
        assert s.vp[seat] == sum(
            count * pattern.vp for count, pattern in zip(counts, game.config.patterns, strict=False)
        )
        told = sum(sum(record[came_of_it][seat].tolist()) for came_of_it in ("applied", "refused", "impossible"))
        assert sum(counts) == told + (game.asked == "apply" and seat == s.active)


def check_decision(game: Position, legal: list[int]) -> None:
    """The active player has options, ascending, and none of a reward's leads to a dead end."""
    assert legal, game.asked
    assert legal == sorted(set(legal))
    assert len(legal) <= MAX_OPTIONS
    assert legal[-1] < ACTIONS
    assert game.s.options in (0, len(legal))
    assert sorted(game.counted_ids()) == legal
    assert game.s.player == game.s.active
    assert (game.s.pattern_cells != 0) == (game.asked in IN_REWARD)
    if game.asked == "resolve":
        found = game.legal()
        if not game.config.game.patterns.auto_trigger:
            assert found.pop() == "resolve none"
        assert found == game.plain_search(game.s.active)
        assert found
    if game.asked in ("opponent", "their card", "ref", "card"):
        for action in legal:
            twin = game.again()
            twin.do_id(action)
            assert twin.s.player < 0 or twin.legal_ids(), game.text(action)


def check_search(game: Position, asked: str, player: int) -> None:
    """A board that was just searched, and is not asked about, has no pattern in any window."""
    searched = asked == "placement" or (asked in IN_REWARD and game.asked not in IN_REWARD)
    if searched and game.asked != "resolve" and game.s.pattern_cells == 0 and not in_harmful_end(game):
        assert game.plain_search(player) == []


def in_harmful_end(game: Position) -> bool:
    """Whether a reward without room has ended the game, with its pattern still there."""
    return game.asked == "END2" and not game.config.game.rewards.reward_placement_failure_does_not_end_game


def check_end(game: Position, skipped: int) -> None:
    """The unique best wins, or nobody; every turn was a draft, a skipped one, or the last one without a draft."""
    s = game.s
    assert game.legal_ids() == []
    assert game.asked in ("END1", "END2")
    best = [seat for seat, points in enumerate(game.vp()) if points == max(game.vp())]
    assert s.winner == (best[0] if len(best) == 1 else -1)
    assert game.returns() == [1 / len(best) if seat in best else 0 for seat in range(game.players)]
    drafts = (game.cfg.cards - s.deck_size) // game.cfg.reveal
    assert s.turns == drafts + skipped + (s.phase == 0)
    row = game.outcome()
    assert (row["turns"], row["winner"], row["ended_by"]) == (s.turns, s.winner, s.end)
    assert row["vp"].tolist()[: game.players] == game.vp()
    assert row["patterns"].sum() == row["applied"].sum() + row["refused"].sum() + row["impossible"].sum()


def play(game: Position, chooser: str, seed: int) -> int:
    """Plays a game with all checks; returns how often patterns were to be resolved."""
    dice = random.Random(seed)
    skipped = found = 0
    for _ in range(ENDLESS):
        check_cards(game)
        check_derived(game)
        check_points(game)
        if game.s.player < 0:
            check_end(game, skipped)
            return found
        legal = game.legal_ids()
        check_decision(game, legal)
        found += game.asked == "resolve"
        asked, player, flags = game.asked, game.s.active, sum(game.s.skip)
        skips = sum(game.counts(5, seat)[0] for seat in range(game.players))
        choice = {"first": legal[0], "last": legal[-1]}.get(chooser, dice.choice(legal))
        if chooser == "eager" and asked in ("apply", "resolve"):
            choice = legal[-1] if asked == "apply" else legal[0]
        flagged = game.s.skip[(player + game.cfg.step) % game.players]
        game.do_id(choice)
        check_search(game, asked, player)
        if sum(game.counts(5, seat)[0] for seat in range(game.players)) > skips:
            flags += 1 - flagged
        skipped += flags - sum(game.s.skip)
    raise AssertionError("the game does not end")


@settings(max_examples=share(300), deadline=None, derandomize=True, database=None)
@given(
    changes_of_rules(),
    st.integers(2, 4),
    st.integers(0, 2**32),
    st.sampled_from(["any", "eager", "eager", "first", "last"]),
)
def test_every_moment_of_every_game(changes: tuple[str, ...], players: int, seed: int, chooser: str) -> None:
    play(deal(seed, players=players, changes=changes), chooser, seed)


@pytest.mark.parametrize("number", range(1, 11))
@pytest.mark.parametrize(("ranks", "shapes", "least"), [((1,), 18, 15), ((1, 2), 9, 1)])
def test_search_of_changed_cells_finds_what_a_search_of_all_windows_finds(
    number: int, ranks: tuple[int, ...], shapes: int, least: int
) -> None:
    """Easy decks, so that patterns come about all the time; J, the most frequent one, has each reward in turn."""
    changes = (*deck_of(ranks, 5, shapes), *reward_of(J=number, G=10 - number or 9))
    found = 0
    for seed in range(6):
        found += play(deal(seed, players=2 + seed % 3, changes=changes), "eager", seed)
    assert found >= least


def test_shipped_rules() -> None:
    for seed in range(6):
        play(deal(seed, players=2 + seed % 3), "any", seed)
