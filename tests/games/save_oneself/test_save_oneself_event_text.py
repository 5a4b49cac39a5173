"""The story of Save Oneself: what is seen, what every step brought about, the island in letters."""

from __future__ import annotations

import re
from typing import Any

import pytest
from save_oneself_scenes import DEFAULT, LONG, after, concealed, games, set_up

from playmill import State, load_game
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.save_oneself import constants, lookups, rules, words
from playmill.games.save_oneself.actions import SKIP
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import NOBODY, SHIP_GONE, STRIDE
from playmill.games.save_oneself.rules import ship
from playmill.games.save_oneself.words import names
from playmill.texts import Text

LIVES = re.compile(r": (\d+) (?:now|left)|: none left")


def told(s: Any, short: str, config: Config = DEFAULT, number: int = 0) -> list[Text]:
    """What an action in its text form brings about."""
    action = words.parse(config, short)
    return words.events(config, s, after(s, action, config, number), action)


def english(s: Any, short: str, config: Config = DEFAULT) -> list[str]:
    return [text.en for text in told(s, short, config)]


# What is seen


def test_cards_and_the_ship_are_seen_from_where_the_player_started() -> None:
    s = set_up("hook - pig\nsos - higher-ground*", at=(2, 3), ship="NE", lives=9, rounds=7)
    data: Any = words.seen(DEFAULT, s, 0, "ru")
    assert data["player"] == 1 and data["decision"] == "move" and data["round"] == 7 and data["lives"] == 9
    assert data["most_lives"] == 16 and data["moves"] == 1 and (data["row"], data["column"]) == (0, 2)
    assert data["cards"] == [
        {"card": "hook", "side": "hook", "name": "Крючок", "row": -1, "column": 0},
        {"card": "higher-ground", "side": "higher-ground", "name": "Возвышенность", "row": 0, "column": 2},
        {"card": "rocks", "side": "sos", "name": "SOS", "row": 0, "column": 0},
        {"card": "pig", "side": "pig", "name": "Кабан", "row": -1, "column": 2},
    ]
    assert data["ship"] == {
        "row": -2,
        "column": 3,
        "corner": "NE",
        "course": "south",
        "waiting": False,
        "turned": False,
        "island": [[-1, -1], [2, 2]],
    }
    assert len(data["deck"]) == 12 and "hook" not in data["deck"] and data["deck"][:2] == ["vines", "water"]
    assert data["score"] == 9 + 5 + 1 and data["won"] is data["ended_by"] is None


def test_the_end_is_seen_with_its_reason() -> None:
    s = set_up("sos*", player=NOBODY, ending=constants.BY_SOS)
    data = words.seen(DEFAULT, s, 0, "en")
    assert data["won"] is True and data["ended_by"] == "sos" and data["decision"] is None
    data = words.seen(DEFAULT, set_up("sos*", player=NOBODY, ending=SHIP_GONE), 0, "en")
    assert data["won"] is False and data["ended_by"] == "ship"


def test_the_score_is_that_of_the_rules() -> None:
    for config, (_, _, _, now) in games():
        record, cfg = now.reshape(1).copy(), plain(config.pack(1))[0]
        assert lookups.score_of(config, now).total == interpreted(rules.score)(cfg, plain(record)[0])


def test_winning_places_are_those_of_the_rules() -> None:
    for _, (_, _, _, now) in list(games())[::3]:
        if not lookups.has_ship(now):
            continue
        rows, columns = lookups.island_lines(now)
        ring = {(row, column) for row in rows for column in (columns[0] - 1, columns[-1] + 1)}
        ring |= {(row, column) for row in (rows[0] - 1, rows[-1] + 1) for column in columns}
        found = set()
        for row, column in ring:
            state = now.reshape(1).copy()
            state["ship_row"], state["ship_column"], state["ending"] = row, column, 0
            interpreted(ship.look_out)(plain(state)[0])
            if 0 < state["ending"][0] <= constants.BY_MESSAGE:
                found.add((row, column))
        assert {place for _, place in lookups.winning_places(now)} == found


# A move


def test_a_card_that_is_revealed_is_told_with_its_cell() -> None:
    s = set_up("rocks telescope*", deck=["bottle"], lives=12, rounds=4)
    assert told(s, "n") == [
        Text("revealed at E3: 🍾 Bottle", "открыто на Д3: 🍾 «Бутылка»"),
        Text("−1 life (the round): 11 left", "−1 жизнь (раунд): осталось 11"),
        Text("round 5", "раунд 5"),
    ]


def test_a_card_that_is_entered_again_is_told_with_the_side_that_is_up() -> None:
    assert told(set_up("sos telescope*"), "w")[0] == Text("now at D4: 🆘 SOS", "теперь на Г4: 🆘 «SOS»")


def test_lives_gained_are_told_and_never_go_beyond_the_most() -> None:
    s = set_up("rocks bottle*", deck=["water"], lives=12)
    assert told(s, "n")[1:3] == [
        Text("+2 lives (Water): 14 now", "+2 жизни («Вода»): теперь 14"),
        Text("−1 life (the round): 13 left", "−1 жизнь (раунд): осталось 13"),
    ]
    s = set_up("rocks bottle*", deck=["water"], lives=15)
    assert told(s, "n")[1] == Text(
        "+1 life (Water): 16 now, the most there can be", "+1 жизнь («Вода»): теперь 16, больше не бывает"
    )
    s = set_up("rocks bottle*", deck=["water"])
    assert told(s, "n")[1] == Text(
        "no lives (Water): 16 is the most", "жизни не прибавились («Вода»): больше 16 не бывает"
    )


def test_pig_and_storm_take_lives_unless_there_is_protection() -> None:
    s = set_up("rocks bottle*", deck=["pig"], lives=9)
    assert told(s, "e")[1] == Text("−2 lives (Pig): 7 left", "−2 жизни («Кабан»): осталось 7")
    s = set_up("storm bottle* spear", lives=9)
    assert told(s, "w")[1] == Text("−2 lives (Storm): 7 left", "−2 жизни («Шторм»): осталось 7")
    s = set_up("pig bottle* spear")
    assert told(s, "w")[1] == Text("Spear protects from Pig", "«Копьё» защищает от карты «Кабан»")
    s = set_up("shelter bottle*", deck=["storm"])
    assert told(s, "s")[1] == Text("Shelter protects from Storm", "«Убежище» защищает от карты «Шторм»")
    assert english(set_up("meat bottle*", lives=9), "w")[1] == "−1 life (the round): 8 left"


def test_a_mirage_swaps_places_and_what_came_acts() -> None:
    s = set_up("pig rocks telescope*", deck=["mirage"], lives=9)
    assert told(s, "e")[:3] == [
        Text("revealed at G4: 🌫️ Mirage", "открыто на Ж4: 🌫️ «Мираж»"),
        Text(
            "the mirage swaps places: 🐷 Pig at G4, 🐍 Sea serpent at D4",
            "мираж меняет карты местами: 🐷 «Кабан» на Ж4, 🐍 «Морской змей» на Г4",
        ),
        Text("−2 lives (Pig): 7 left", "−2 жизни («Кабан»): осталось 7"),
    ]
    s = set_up("meat rocks telescope*", deck=["mirage"])
    assert english(s, "e")[1:3] == [
        "the mirage swaps places: 🍽️ Meat at G4, 🐍 Sea serpent at D4",
        "−1 life (the round): 15 left",
    ]


def test_the_tornado_blows_shelter_and_beacon_away() -> None:
    config = LONG.changed(["tornado_at=4"])
    s = set_up("storm lit-beacon shelter*", deck=["rocks"], config=config, lives=30)
    assert told(s, "e", config)[1:] == [
        Text("card 4 turns the storm into 🌪️ Tornado", "4-я карта превращает шторм в 🌪️ «Торнадо»"),
        Text("−3 lives (Tornado): 27 left", "−3 жизни («Торнадо»): осталось 27"),
        Text("Shelter turns back into Vines", "«Убежище» снова «Лианы»"),
        Text("Lit beacon turns back into Higher ground", "«Костёр» снова «Возвышенность»"),
    ]
    s = set_up("storm lit-beacon shelter*", deck=["rocks"], config=config, lives=3)
    assert english(s, "e", config)[2:] == [
        "−3 lives (Tornado): none left",
        "lost: no lives are left; score 10",
    ], "the game ends before anything is blown away"


def test_storm_as_the_last_card_costs_twice() -> None:
    config = DEFAULT.changed(["tornado_at=3"])
    s = set_up("rocks bottle*", deck=["storm"], config=config)
    assert english(s, "e", config)[:4] == [
        "revealed at F4: 🌧️ Storm",
        "−2 lives (Storm): 14 left",
        "card 3 turns the storm into 🌪️ Tornado",
        "−3 lives (Tornado): 11 left",
    ]


def test_waiving_ends_the_moves_of_the_round() -> None:
    s = set_up("rocks compass*", moves=1, moved=1)
    assert english(s, "waive") == ["−1 life (the round): 15 left", "round 2"]


# Turning over


def test_a_card_that_is_turned_is_told_with_its_points_and_lives() -> None:
    s = set_up("rocks higher-ground*", turning=True)
    assert told(s, "turn rocks") == [
        Text("Rocks → 🆘 SOS, 5 points", "«Камни» → 🆘 «SOS», 5 очков"),
        Text("round 2", "раунд 2"),
    ]
    s = set_up("vines palm-trees*", turning=True, lives=10)
    assert told(s, "turn vines")[:2] == [
        Text("Vines → 🏠 Shelter, 2 points", "«Лианы» → 🏠 «Убежище», 2 очка"),
        Text("+2 lives (Shelter): 12 now", "+2 жизни («Убежище»): теперь 12"),
    ]


def test_the_maps_turn_together() -> None:
    s = set_up("map-r rocks*\n- map-c", turning=True, lives=3)
    assert english(s, "turn map-r")[:3] == [
        "Row map → 🥃 Rum",
        "+1 life (Rum): 4 now",
        "Column map → 💎 Treasure, 10 points",
    ]


def test_skipping_goes_on_to_the_next_round() -> None:
    assert told(set_up("rocks higher-ground*", turning=True), "skip") == [Text("round 2", "раунд 2")]


# The ship


@pytest.mark.parametrize(
    ("card", "en", "ru"),
    [
        (
            "hook",
            "a ship appears at the north-east corner, bound south; the island is now fixed: rows 4–7, columns C–F",
            "у северо-восточного угла появляется корабль, курс на юг; остров теперь определён: ряды 4–7, столбцы В–Е",
        ),
        (
            "palm-trees",
            "a ship appears at the south-east corner, bound west; the island is now fixed: rows 2–5, columns C–F",
            "у юго-восточного угла появляется корабль, курс на запад; остров теперь определён: ряды 2–5, столбцы В–Е",
        ),
        (
            "vines",
            "a ship appears at the south-west corner, bound north; the island is now fixed: rows 2–5, columns D–G",
            "у юго-западного угла появляется корабль, курс на север; остров теперь определён: ряды 2–5, столбцы Г–Ж",
        ),
        (
            "sticks",
            "a ship appears at the north-west corner, bound east; the island is now fixed: rows 4–7, columns D–G",
            "у северо-западного угла появляется корабль, курс на восток; "
            "остров теперь определён: ряды 4–7, столбцы Г–Ж",
        ),
    ],
)
def test_a_ship_comes_and_fixes_the_island(card: str, en: str, ru: str) -> None:
    s = set_up("telescope rum*\n- meat", deck=[card])
    events = told(s, "e")
    assert events[1] == Text(en, ru)
    assert events[3:] == [
        Text("the ship stays this once; now it is under way", "в этот раз корабль стоит; теперь он в пути"),
        Text("round 2", "раунд 2"),
    ]


def test_a_second_ship_does_not_come() -> None:
    s = set_up("rocks telescope*", deck=["hook"], ship="SW", ship_at=(4, 2))
    assert english(s, "n")[1:3] == [
        "−1 life (the round): 15 left",
        "the ship sails north along the west shore: in row 4",
    ]


def test_the_ship_sails_along_its_shore() -> None:
    s = set_up("rocks higher-ground*", turning=True, ship="SE")
    assert told(s, "skip")[0] == Text(
        "the ship sails west along the south shore: in column E",
        "корабль плывёт на запад вдоль южного берега: в столбце Д",
    )
    s = set_up("rocks higher-ground*", turning=True, ship="NE", ship_at=(6, 5))
    assert told(s, "skip")[0] == Text(
        "the ship sails south along the east shore: at the south-east corner",
        "корабль плывёт на юг вдоль восточного берега: у юго-восточного угла",
    )


def test_the_ship_turns_a_corner_once_it_is_sighted() -> None:
    s = set_up("ship-sighted higher-ground*\nrocks -", turning=True, ship="NE", ship_at=(7, 5))
    assert told(s, "skip")[:2] == [
        Text(
            "🚢 Ship sighted: the ship turns at the south-east corner",
            "🚢 «Корабль замечен»: корабль поворачивает у юго-восточного угла",
        ),
        Text(
            "the ship sails west along the south shore: in column E",
            "корабль плывёт на запад вдоль южного берега: в столбце Д",
        ),
    ]


def test_the_sea_serpent_makes_the_ship_skip_a_cell() -> None:
    s = set_up("rocks higher-ground* sea-serpent", turning=True, ship="NE")
    assert told(s, "skip")[:2] == [
        Text(
            "the ship sails south along the east shore: in row 4",
            "корабль плывёт на юг вдоль восточного берега: в ряду 4",
        ),
        Text("🐍 Sea serpent beside it: one cell more, in row 5", "рядом 🐍 «Морской змей»: ещё на клетку, в ряду 5"),
    ]


def test_pirates_drive_the_ship_off_at_once_or_when_it_would_sail() -> None:
    off = Text(
        "the pirates drive the ship off and leave 🧭 Compass; the island is open again",
        "пираты прогоняют корабль и оставляют 🧭 «Компас»; границ у острова снова нет",
    )
    s = set_up("rocks telescope*", deck=["pirates"], ship="NE", ship_at=(3, 5))
    assert told(s, "s")[:3] == [
        Text("revealed at E5: 🏴‍☠️ Pirates", "открыто на Д5: 🏴‍☠️ «Пираты»"),
        off,
        Text("−1 life (the round): 15 left", "−1 жизнь (раунд): осталось 15"),
    ]
    s = set_up("rocks higher-ground*\npirates -", turning=True, ship="NE")
    assert told(s, "skip") == [off, Text("round 2", "раунд 2")]
    s = set_up("rocks higher-ground*\npirates -", turning=True, ship="NE", waiting=True)
    assert told(s, "skip")[0].en == "the ship stays this once; now it is under way"


# The end


def test_each_signal_is_told_when_it_is_seen() -> None:
    s = set_up("sos telescope*", ship="SW", ship_at=(4, 2))
    assert told(s, "n")[-1] == Text(
        "saved: the ship sees SOS in its row; score 20", "спасение: с корабля видят SOS в своём ряду; счёт 20"
    )
    s = set_up("lit-beacon telescope*", ship="NW", ship_at=(2, 2))
    assert told(s, "s")[-1] == Text(
        "saved: the ship sees the lit beacon in its column; score 22",
        "спасение: с корабля видят костёр в своём столбце; счёт 22",
    )
    s = set_up("rocks message telescope*", ship="NW", ship_at=(2, 3), lives=5)
    assert told(s, "s")[-1] == Text(
        "saved: the ship picks up the message; score 8", "спасение: на корабле подобрали сообщение; счёт 8"
    )
    s = set_up("message rocks telescope*", ship="NW", lives=5)
    assert told(s, "s")[-1].en == "round 2", "not at a corner of the island"


def test_each_misfortune_is_told() -> None:
    assert told(set_up("rocks telescope*", lives=1), "w")[-2:] == [
        Text("−1 life (the round): none left", "−1 жизнь (раунд): не осталось ни одной"),
        Text("lost: no lives are left; score 0", "поражение: жизней не осталось; счёт 0"),
    ]
    s = set_up("rocks higher-ground*", turning=True, ship="NE", ship_at=(7, 5), lives=4)
    assert told(s, "skip") == [
        Text(
            "the ship sails south along the east shore: far out at sea",
            "корабль плывёт на юг вдоль восточного берега: далеко в море",
        ),
        Text("lost: the ship has sailed away; score 4", "поражение: корабль уплыл; счёт 4"),
    ]
    s = set_up("rocks telescope*", placed=16)
    assert told(s, "n") == [
        Text("lost: no card is left in the deck; score 20", "поражение: в колоде не осталось карт; счёт 20")
    ]


def test_a_signal_that_a_mirage_carries_to_the_ship_ends_the_tale_at_once() -> None:
    s = set_up("rum* torch map-c\n- - -\n- - sos", ship="NE", ship_at=(3, 6), deck=["mirage"], lives=8)
    assert told(s, "w") == [
        Text("revealed at C4: 🌫️ Mirage", "открыто на В4: 🌫️ «Мираж»"),
        Text(
            "the mirage swaps places: 🆘 SOS at C4, 🐍 Sea serpent at F6",
            "мираж меняет карты местами: 🆘 «SOS» на В4, 🐍 «Морской змей» на Е6",
        ),
        Text("saved: the ship sees SOS in its row; score 16", "спасение: с корабля видят SOS в своём ряду; счёт 16"),
    ]


def test_the_last_card_is_told_of_before_it_loses() -> None:
    field = (
        "hook water flint vines\npalm-trees sticks bottle higher-ground\nrocks pig storm sea-serpent\n"
        "map-r compass map-c* -"
    )
    losing = Config(lose_on_empty_deck=True)
    s = set_up(field, config=losing, deck=["telescope"], lives=9)
    assert told(s, "e", losing) == [
        Text("revealed at G7: 🔭 Telescope", "открыто на Ж7: 🔭 «Подзорная труба»"),
        Text("lost: no card is left in the deck; score 13", "поражение: в колоде не осталось карт; счёт 13"),
    ]


def test_every_step_of_many_games_is_told() -> None:
    said = set()
    for config, (before, _, action, now) in games():
        events = words.events(config, before, now, action)
        assert events
        said |= {event.en for event in events}
        lives = [int(found[1] or 0) for event in events if (found := LIVES.search(event.en))]
        assert not lives or lives[-1] == now["lives"]
        assert bool(lives) or before["lives"] == now["lives"]
        assert any(event.en.startswith("round ") for event in events) == bool(now["rounds"] > before["rounds"])
        assert (events[-1].en.split(":")[0] in ("saved", "lost")) == bool(now["player"] == NOBODY)
    text = "\n".join(said)
    for part in ("swaps", "Tornado", "drive the ship off", "turns at the", "one cell more", "protects", "back into"):
        assert part in text, part


# The island in letters


def test_a_position_is_the_island_in_names() -> None:
    s = set_up("hook higher-ground*\n- sos", ship="NE", ship_at=(3, 5), lives=9, rounds=4)
    assert words.position(DEFAULT, s, "en").splitlines() == [
        "round 4 · 1 move left · lives 9 of 16 · 13 cards in the deck · score 14",
        "           B                C                D                E                F",
        " 4         ·                ·              Hook        [Higher ground]      ship ↓",
        " 5         ·                ·                ·               SOS",
        " 6         ·                ·                ·                ·",
        " 7         ·                ·                ·                ·",
        "[ ] you, · empty",
        "ship: in row 4, sails south; island: rows 4–7, columns B–E",
        "in the deck: Vines, Water, Flint, Palm trees, Sticks, Bottle, Telescope, Pig, Storm, Mirage, Pirates, "
        "Row map, Column map",
    ]
    russian = words.position(DEFAULT, s, "ru").splitlines()
    assert russian[0] == "раунд 4 · осталось: 1 ход · жизни: 9 из 16 · в колоде 13 карт · счёт 14"
    assert "Крючок" in russian[2] and russian[2].endswith("[Возвышенность]     корабль ↓")
    assert russian[6:8] == ["[ ] вы, · пусто", "корабль: в ряду 4, плывёт на юг; остров: ряды 4–7, столбцы Б–Д"]


@pytest.mark.parametrize(
    ("changes", "en", "ru"),
    [
        (
            {"waiting": True},
            "at the north-east corner, not yet under way, will sail south",
            "у северо-восточного угла, ещё не в пути, поплывёт на юг",
        ),
        ({"ship_at": (7, 5)}, "at the south-east corner, about to leave", "у юго-восточного угла, вот-вот уплывёт"),
        (
            {"ship_at": (7, 5), "sides": 1 << 24 | 1 << 1},
            "at the south-east corner, will turn west",
            "у юго-восточного угла, повернёт на запад",
        ),
    ],
)
def test_what_the_ship_will_do_is_told(changes: dict[str, Any], en: str, ru: str) -> None:
    s = set_up("hook ship-sighted*" if "sides" in changes else "hook rocks*", ship="NE", **changes)
    assert f"ship: {en}; island" in words.position(DEFAULT, s, "en")
    assert f"корабль: {ru}; остров" in words.position(DEFAULT, s, "ru")


def test_every_card_stands_in_its_place_and_the_deck_keeps_its_order() -> None:
    for config, (before, _, _, _) in list(games())[::11]:
        text = words.position(config, before, "en")
        assert text == words.position(config, concealed(before), "en")
        assert text.count("[") == 2 and ("ship:" in text) == lookups.has_ship(before)
        rows = {line[:2].strip(): line for line in text.splitlines()[2:]}
        for card in lookups.cards_on_field(before):
            name = names.SIDE_NAMES[lookups.side_up(before, card)].en
            assert name in rows[names.row_name(int(before["cell"][card]) // STRIDE)]


def test_a_finished_game_has_its_ending_in_front() -> None:
    s = set_up("sos*", player=NOBODY, ending=constants.BY_SOS, lives=3)
    assert words.position(DEFAULT, s, "ru").startswith("спасение: с корабля видят SOS в своём ряду; счёт 8\n")


# Round by round


def test_the_chronicle_has_an_entry_for_each_round() -> None:
    s = set_up("rocks higher-ground*", turning=True, ship="SE", lives=9, rounds=3)
    now = after(s, SKIP)
    assert words.chronicle(DEFAULT, s, now) == {"round": 3, "lives": 9, "cards": 2, "score": 9, "ship": [1, 1]}
    assert words.chronicle(DEFAULT, s, s) is None
    s = set_up("rocks telescope*", lives=1, rounds=8)
    entry = words.chronicle(DEFAULT, s, after(s, words.parse(DEFAULT, "w")))
    assert entry == {"round": 8, "lives": 0, "cards": 2, "score": 0, "ship": None}


def test_a_state_says_its_position() -> None:
    state = State(load_game("save_oneself"), seed=3)
    assert state.position("en").startswith("round 1 · 1 move left") and str(state) == state.position("en")
