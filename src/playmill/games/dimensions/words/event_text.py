"""Events of Battle of Dimensions in words: what an action brought about, and how a game ended."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.games.dimensions.actions import (
    TIME_LOOP,
    take_apart,
)
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.constants import ATTACK, BATTLE, MOVEMENT, NOBODY, REINFORCE
from playmill.games.dimensions.words.names import (
    ANOMALY_TITLES,
    FACTION_NAMES,
    FINAL_TURN,
    NOBODY_WINS,
    card_phrase,
    cards_word,
    colour_of,
    join,
    kind_name,
    player_name,
    players_of,
)
from playmill.games.dimensions.words.position_text import ending, spiral_text


def events(config: Config, before: np.void, after: np.void, action: int) -> list[Text]:
    """What an action brought about in the world, in order: reveals, losses, draws, the next turn, the end."""
    sentences = []
    if before["phase"] == BATTLE and not after["committed"].any():
        sentences.append(_reveal(config, before, after, action))
    elif before["phase"] == MOVEMENT:
        sentences += _anomaly(before, after, action)
    elif before["phase"] == ATTACK:
        sentences += _loss(config, before, after)
        sentences += _recovery(before, after)
    if after["turns"] != before["turns"]:
        sentences += _next_turn(before, after)
    if after["player"] == NOBODY:
        sentences.append(ending(config, after))
    elif after["phase"] == MOVEMENT and before["phase"] != REINFORCE:
        who = player_name(after, after["active"])
        sentences.append(
            Text(f"{who.en} has no card to reinforce with", f"{who.ru} не может усилиться: нет карт фракций")
        )
    return sentences


def _reveal(config: Config, before: np.void, after: np.void, action: int) -> Text:
    """The cards laid face down, by player, and the colour whose cards now lie in their players' Dimensions."""
    kinds = [int(card) - 1 for card in before["committed"][: players_of(before)]]
    kinds[before["player"]] = take_apart(action).kind
    played = [(player, kind) for player, kind in enumerate(kinds) if kind >= 0]
    winner = NOBODY_WINS
    for player, kind in played:
        if after["table"][player, kind] > before["table"][player, kind]:
            name = FACTION_NAMES[colour_of(kind)]
            winner = Text(f"{name.en} wins", f"побеждают {name.ru}")
    cards = join(
        Text(f"{kind_name(config, kind).en} (player {p + 1})", f"{kind_name(config, kind).ru} (игрок {p + 1})")
        for p, kind in played
    )
    return Text(f"the battle: {cards.en} – {winner.en}", f"битва: {cards.ru} – {winner.ru}")


def _anomaly(before: np.void, after: np.void, action: int) -> list[Text]:
    act, _, faction, source, _ = take_apart(action)
    if act == "entanglement":
        spiral = spiral_text(after)
        return [Text(f"the Spiral of Forces is now {spiral.en}", f"Спираль Сил теперь: {spiral.ru}")]
    if act == "wormhole":
        cards = cards_word(int(before["squad"][source, faction]))
        return [Text(f"{cards.en} went through the Wormhole", f"через Кротовую Нору прошло {cards.ru}")]
    if act == "black_hole":
        cards = cards_word(int(after["hole"].sum()) - int(before["hole"].sum()))
        return [Text(f"the Black Hole swallowed {cards.en}", f"Чёрная Дыра поглотила {cards.ru}")]
    if act == "big_bang":
        cards = cards_word(int(after["deck_size"]) - int(before["deck_size"]))
        return [Text(f"the Big Bang returned {cards.en} to the deck", f"Большой Взрыв вернул в колоду {cards.ru}")]
    if act == "time_loop" and before["final"]:
        return [Text("the final turn cannot be looped: no effect", "финальный ход не повторить: Петля не сработала")]
    return []


def _loss(config: Config, before: np.void, after: np.void) -> list[Text]:
    """The card an attack took, if there was one."""
    fallen = np.flatnonzero(after["hole"] > before["hole"])
    if after["auras"] > before["auras"]:
        card = card_phrase(config, int(after["aura_cards"][before["auras"]]) >> 3)
        return [Text(f"{card.en} turns into an Aura of Darkness", f"{card.ru} становится Аурой Тьмы")]
    if not len(fallen):
        return []
    card = card_phrase(config, int(fallen[0]))
    if after["auras"] < before["auras"]:
        return [
            Text(
                f"an Aura of Darkness goes to the Black Hole: it was {card.en}",
                f"Аура Тьмы уходит в Чёрную Дыру: это была {card.ru}",
            )
        ]
    return [Text(f"{card.en} goes to the Black Hole", f"{card.ru} уходит в Чёрную Дыру")]


def _recovery(before: np.void, after: np.void) -> list[Text]:
    """How many cards were drawn, and who took the last one."""
    drawn = int(before["deck_size"]) - int(after["deck_size"])
    if drawn == 0:
        return []
    cards, left = cards_word(drawn), int(after["deck_size"])
    sentences = [Text(f"{cards.en} drawn, {left} left in the deck", f"добрано {cards.ru}, в колоде осталось: {left}")]
    if left == 0:
        who = player_name(after, after["last_taker"])
        sentences.append(Text(f"{who.en} takes the last card of the deck", f"последнюю карту колоды берёт {who.ru}"))
    return sentences


def _next_turn(before: np.void, after: np.void) -> list[Text]:
    sentences = []
    called_off = before["last_taker"] != NOBODY and after["last_taker"] == NOBODY
    if called_off:
        sentences.append(
            Text(
                "the final turn is called off: the deck has cards again",
                "финальный ход отменён: в колоде снова есть карты",
            )
        )
    who, number = player_name(after, after["active"]), after["turns"]
    turn = Text(f"turn {number}: {who.en}", f"ход {number}: {who.ru}")
    if after["final"]:
        turn = join([turn, FINAL_TURN])
    elif before["loop"] and not called_off:
        turn = join([turn, ANOMALY_TITLES[TIME_LOOP]])
    sentences.append(turn)
    if after["phase"] != BATTLE:
        sentences.append(Text("nobody has a card for the battle", "для битвы ни у кого нет карт"))
    return sentences
