"""Events of Battle of Dimensions in words: what an action brought about, and how a game ended."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.games.dimensions.actions import TIME_LOOP
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.constants import ATTACK, BATTLE, MOVEMENT, NOBODY, REINFORCE
from playmill.games.dimensions.words import names
from playmill.games.dimensions.words.acts import ACTS
from playmill.games.dimensions.words.position_text import ending, spiral_text

_FACE_DOWN = Text("lays a card face down for the battle", "кладёт карту в битву рубашкой вверх")
_WENT = Text(
    "{n} {n:card|cards} went through the Wormhole",
    "через Кротовую Нору {n:прошла|прошли|прошло} {n} {n:карта|карты|карт}",
)
_SWALLOWED = Text("the Black Hole swallowed {n} {n:card|cards}", "Чёрная Дыра поглотила {n} {n:карту|карты|карт}")
_RETURNED = Text(
    "the Big Bang returned {n} {n:card|cards} to the deck", "Большой Взрыв вернул в колоду {n} {n:карту|карты|карт}"
)
_DRAWN = Text(
    "{n} {n:card|cards} drawn, {left} left in the deck",
    "{n:добрана|добраны|добрано} {n} {n:карта|карты|карт}, в колоде осталось: {left}",
)
_AURA_LOST = Text(
    "an Aura of Darkness goes to the Black Hole: it was {}", "Аура Тьмы уходит в Чёрную Дыру: это была {}"
)
_CALLED_OFF = Text(
    "the final turn is called off: the deck has cards again", "финальный ход отменён: в колоде снова есть карты"
)


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
        stays = Text("{} has no card to reinforce with", "{} не может усилиться: нет карт фракций")
        sentences.append(stays.format(names.player_name(after, after["active"])))
    return sentences


def witnessed(config: Config, before: np.void, after: np.void, action: int, player: int | None) -> list[Text]:
    """The log of an action for a player, or a spectator (None): a phrase for it, then what it brought about.

    A card laid for the battle is its player's secret until the reveal, which tells them all.
    """
    secret = ACTS.decode(action).act == "play" and player != before["player"]
    return [_FACE_DOWN if secret else ACTS.describe(config, action), *events(config, before, after, action)]


def _reveal(config: Config, before: np.void, after: np.void, action: int) -> Text:
    """The cards laid face down, by player, and the colour whose cards now lie in their players' Dimensions."""
    kinds = [int(card) - 1 for card in before["committed"][: names.players_of(before)]]
    kinds[before["player"]] = ACTS.decode(action).kind
    played = [(player, kind) for player, kind in enumerate(kinds) if kind >= 0]
    winner = names.NOBODY_WINS
    for player, kind in played:
        if after["table"][player, kind] > before["table"][player, kind]:
            winner = Text("{} wins", "побеждают {}").format(names.FACTION_NAMES[names.colour_of(kind)])
    laid = Text("{} (player {})", "{} (игрок {})")
    cards = Text.join(laid.format(names.kind_name(config, kind), player + 1) for player, kind in played)
    return Text("the battle: {} – {}", "битва: {} – {}").format(cards, winner)


def _anomaly(before: np.void, after: np.void, action: int) -> list[Text]:
    done = ACTS.decode(action)
    act = done.act
    if act == "entanglement":
        return [Text("the Spiral of Forces is now {}", "Спираль Сил теперь: {}").format(spiral_text(after))]
    if act == "wormhole":
        return [_WENT.format(n=before["squad"][done.source, done.faction])]
    if act == "black_hole":
        return [_SWALLOWED.format(n=int(after["hole"].sum()) - int(before["hole"].sum()))]
    if act == "big_bang":
        return [_RETURNED.format(n=int(after["deck_size"]) - int(before["deck_size"]))]
    if act == "time_loop" and before["final"]:
        return [Text("the final turn cannot be looped: no effect", "финальный ход не повторить: Петля не сработала")]
    return []


def _loss(config: Config, before: np.void, after: np.void) -> list[Text]:
    """The card an attack took, if there was one."""
    fallen = np.flatnonzero(after["hole"] > before["hole"])
    if after["auras"] > before["auras"]:
        card = names.card_phrase(config, int(after["aura_cards"][before["auras"]]) >> 3)
        return [Text("{} turns into an Aura of Darkness", "{} становится Аурой Тьмы").format(card)]
    if not len(fallen):
        return []
    card = names.card_phrase(config, int(fallen[0]))
    if after["auras"] < before["auras"]:
        return [_AURA_LOST.format(card)]
    return [Text("{} goes to the Black Hole", "{} уходит в Чёрную Дыру").format(card)]


def _recovery(before: np.void, after: np.void) -> list[Text]:
    """How many cards were drawn, and who took the last one."""
    drawn = int(before["deck_size"]) - int(after["deck_size"])
    if drawn == 0:
        return []
    left = int(after["deck_size"])
    sentences = [_DRAWN.format(n=drawn, left=left)]
    if left == 0:
        last = Text("{} takes the last card of the deck", "последнюю карту колоды берёт {}")
        sentences.append(last.format(names.player_name(after, after["last_taker"])))
    return sentences


def _next_turn(before: np.void, after: np.void) -> list[Text]:
    sentences = []
    called_off = before["last_taker"] != NOBODY and after["last_taker"] == NOBODY
    if called_off:
        sentences.append(_CALLED_OFF)
    turn = Text("turn {}: {}", "ход {}: {}").format(after["turns"], names.player_name(after, after["active"]))
    if after["final"]:
        turn = Text.join([turn, names.FINAL_TURN])
    elif before["loop"] and not called_off:
        turn = Text.join([turn, names.ANOMALY_TITLES[TIME_LOOP]])
    sentences.append(turn)
    if after["phase"] != BATTLE:
        sentences.append(Text("nobody has a card for the battle", "для битвы ни у кого нет карт"))
    return sentences
