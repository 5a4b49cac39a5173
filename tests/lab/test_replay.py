"""Replays: every game comes back move by move, and a file that was touched is refused with the place."""

from __future__ import annotations

import itertools
import json
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from playmill import PlaymillError
from playmill.cli import main
from playmill.engine.contract.game import game_names, load_game
from playmill.lab.replays.narration import narrate
from playmill.lab.replays.replay import FORMAT, play_again, record, retold, whole_checksum
from playmill.lab.replays.replay_file import load, save
from playmill.lab.runs.evenly_spaced import evenly_spaced
from playmill.lab.runs.simulate import simulate

PIG = "examples/pig"


def recorded(tmp_path: Path, name: str = PIG, **settings) -> Path:
    """A file with one game."""
    game = load_game(name)
    players = settings.pop("players", game.players[0])
    path = tmp_path / "game.json"
    made = record(game, players=players, config=game.config(), **settings)
    save(path, made)
    return path


def loaded(path: Path):
    """The replay in a file; the one game that is a folder is named."""
    return load(path, PIG if '"game": "pig"' in path.read_text(encoding="utf-8") else None)


def changed(path: Path, *, sealed: bool = True, **keys) -> Path:
    """The same file with other values; sealed, its checksum is made anew, as who wants to deceive would do."""
    data = {**json.loads(path.read_text(encoding="utf-8")), **keys}
    path.write_text(json.dumps({**data, **({"check": whole_checksum(data)} if sealed else {})}), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", [*game_names(), PIG])
def test_every_game_is_recorded_and_comes_back(tmp_path, name):
    game = load_game(name)
    path = recorded(tmp_path, name, seed=5, number=2)
    replay = loaded(path)
    states = list(play_again(replay, "file"))
    assert states[-1].is_terminal()
    assert len(states) == len(replay.moves) + 1
    settings = {"players": replay.players, "seed": 5, "agents": ["random"], "config": game.config(), "number": 2}
    for lang in ("en", "ru"):
        assert list(itertools.chain.from_iterable(retold(replay, "file", lang))) == list(
            narrate(game, lang=lang, **settings)
        )


def test_the_recorded_game_is_the_one_that_simulate_plays(tmp_path):
    replay = loaded(recorded(tmp_path, seed=3, number=4))
    run = simulate(PIG, games=5, seed=3)
    winner = run.games["winner"][4]
    assert replay.returns[winner] == 1.0
    assert len(replay.moves) == run.games["decisions"][4]


def test_a_file_is_small_and_reads_line_by_line(tmp_path):
    path = recorded(tmp_path, "dimensions", seed=1)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["replay"] == FORMAT
    assert path.stat().st_size < 60 * len(data["moves"]) + 4000
    lines = path.read_text(encoding="utf-8").splitlines()
    assert sum(line.strip().rstrip(",") == json.dumps(data["moves"][0], ensure_ascii=False) for line in lines) == 1


def broken(path: Path) -> str:
    """The sentence a file is refused with."""
    with pytest.raises(PlaymillError) as caught:
        list(play_again(loaded(path), str(path)))
    assert str(path) in caught.value.text.en
    assert str(path) in caught.value.text.ru
    return caught.value.text.en


def test_a_move_that_was_changed_to_another_legal_one_is_found(tmp_path):
    path = recorded(tmp_path)
    moves = json.loads(path.read_text())["moves"]
    place = next(i for i, move in enumerate(moves) if move[1] == "hold")
    moves[place][1] = "roll"
    said = broken(changed(path, moves=moves))
    assert f"move {place + 1} of {len(moves)} (player {moves[place][0] + 1}, roll)" in said
    assert "the position it leads to is not the recorded one" in said


def test_a_move_that_is_not_legal_is_found(tmp_path):
    path = recorded(tmp_path, "grid", seed=2)
    moves = json.loads(path.read_text())["moves"]
    moves[7][1] = moves[40][1] if moves[40][1] != moves[7][1] else moves[41][1]
    assert f"move 8 of {len(moves)}" in broken(changed(path, moves=moves))


def test_a_move_that_says_nothing_is_found(tmp_path):
    path = recorded(tmp_path)
    moves = json.loads(path.read_text())["moves"]
    moves[3][1] = "fly"
    said = broken(changed(path, moves=moves))
    assert "move 4" in said
    assert "'fly'" in said


def test_a_move_of_the_wrong_player_is_found(tmp_path):
    path = recorded(tmp_path)
    moves = json.loads(path.read_text())["moves"]
    moves[0][0] = 1 - moves[0][0]
    assert "it is player 1's turn" in broken(changed(path, moves=moves))


def test_another_seed_is_found(tmp_path):
    path = changed(recorded(tmp_path, "dimensions", seed=1), seed=2)
    assert "move " in broken(path)


def test_moves_cut_off_are_found(tmp_path):
    path = recorded(tmp_path)
    data = json.loads(path.read_text())
    said = broken(changed(path, moves=data["moves"][:-2]))
    assert f"it has {len(data['moves']) - 2} moves but says that there were {len(data['moves'])}" in said
    end = {**data["end"], "moves": len(data["moves"]) - 2}
    assert "before the game does" in broken(changed(path, moves=data["moves"][:-2], end=end))


def test_moves_after_the_end_are_found(tmp_path):
    path = recorded(tmp_path)
    data = json.loads(path.read_text())
    moves = [*data["moves"], data["moves"][-1]]
    assert "the game was over before it" in broken(changed(path, moves=moves, end={**data["end"], "moves": len(moves)}))


def test_another_end_is_found(tmp_path):
    path = recorded(tmp_path)
    end = json.loads(path.read_text())["end"]
    assert "not with the recorded" in broken(changed(path, end={**end, "returns": [0.25, 0.75]}))


def test_other_rules_are_named(tmp_path):
    assert "recorded with version 7 of the rules of pig; this is 2" in broken(changed(recorded(tmp_path), rules=7))


def test_a_config_that_is_wrong_is_named(tmp_path):
    said = broken(changed(recorded(tmp_path), config={"target": 0}))
    assert "config: target is 0" in said


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"replay": 99}, "it has the form 99 of a replay"),
        ({"moves": "x"}, 'its moves cannot be "x"'),
        ({"moves": [[0, "roll"]]}, 'move 1 is [0, "roll"]; expected [player, action, check]'),
        ({"seed": True}, "its seed cannot be true"),
        ({"end": {}}, "its end must have moves and returns"),
        ({"players": 9, "agents": ["random"] * 9}, "pig is played by 2 players, not 9"),
        ({"players": 9}, 'its agents cannot be ["random", "random"]'),
        ({"agents": ["random", 7]}, 'its agents cannot be ["random", 7]'),
        ({"rounds": 5}, "its rounds cannot be 5"),
        ({"rounds": [5]}, "its rounds cannot be [5]"),
        ({"seed": 2**63}, "seed 9223372036854775808 does not fit in 64 bits"),
        ({"seed": -(2**63) - 1}, "does not fit in 64 bits"),
        ({"number": 2**64}, "there is no game number 18446744073709551616"),
        ({"number": -1}, "there is no game number -1"),
        ({"players": 2**70}, "its agents cannot be"),
        ({"players": -1}, "its players cannot be -1"),
        ({"moves": [[True, "roll", "0000"]]}, 'move 1 is [true, "roll", "0000"]'),
        ({"end": {"moves": 0, "returns": [], "more": 1}}, "its end must have moves and returns"),
        ({"comment": "mine"}, "there is no key 'comment' in a replay"),
        ({"check": 5}, "its check cannot be 5"),
        ({"replay": True}, "it has the form true of a replay"),
        ({"config": {}}, "its config is not whole"),
    ],
)
def test_wrong_keys_are_named(tmp_path, keys, said):
    path = changed(recorded(tmp_path), sealed="check" not in keys, **keys)
    with pytest.raises(PlaymillError) as caught:
        list(play_again(loaded(path), str(path)))
    assert said in caught.value.text.en


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"replay": 2}', "nonsense", '{"replay": 2, "moves": [[0,'])
def test_a_file_that_is_no_replay_gets_one_sentence(tmp_path, text, capsys):
    path = tmp_path / "x.json"
    path.write_text(text)
    assert main(["replay", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("playmill: ") and said.err.count("\n") == 1


def test_every_cut_of_a_file_is_refused(tmp_path):
    path = recorded(tmp_path)
    text = path.read_bytes()
    for length in range(0, len(text) - 3, 97):
        path.write_bytes(text[:length])
        with pytest.raises(PlaymillError):
            list(play_again(loaded(path), str(path)))


def test_the_commands_record_and_tell(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["record", "dimensions", "--seed", "4", "--agents", "dealer", "--out", "d.json"]) == 0
    assert "moves in d.json" in capsys.readouterr().out
    assert main(["replay", "d.json", "--lang", "ru"]) == 0
    told = capsys.readouterr().out
    assert main(["show", "dimensions", "--seed", "4", "--agents", "dealer", "--lang", "ru"]) == 0
    assert told == capsys.readouterr().out
    assert main(["replay", "d.json", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_without_what_a_gif_needs_nothing_at_all_is_written(tmp_path, monkeypatch, capsys):
    path, strip, page = recorded(tmp_path), tmp_path / "s.svg", tmp_path / "p.html"
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    words = ["--svg", str(strip), "--html", str(page), "--gif", str(tmp_path / "f.gif")]
    assert main(["replay", str(path), "--game", PIG, *words]) == 2
    assert "pip install 'playmill[gif]'" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def named(tmp_path: Path) -> Path:
    """The same game with somebody who has a name."""
    replay = loaded(recorded(tmp_path, agents=["threshold"]))
    path = tmp_path / "named.json"
    save(path, replace(replay, agents=("player", "threshold"), names=("Анна <b>", "")))
    return path


@pytest.mark.parametrize("lang", [pytest.param("en", marks=pytest.mark.long), "ru"])
def test_players_are_called_by_their_names(tmp_path, lang, capsys):
    from PIL import Image

    path, plain = named(tmp_path), tmp_path / "game.json"
    assert loaded(path).names == ("Анна <b>", "")
    other = {"en": "Player 2", "ru": "Игрок 2"}[lang]
    assert main(["replay", str(path), "--game", PIG, "--lang", lang]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("Анна <b> (1) ") for line in lines) > 3 and any(line.startswith(other) for line in lines)
    for name, file in (("named", path), ("plain", plain)):
        words = [f"--svg={tmp_path / name}.svg", f"--gif={tmp_path / name}.gif", f"--json={tmp_path / name}.open"]
        assert main(["replay", str(file), "--game", PIG, *words, "--lang", lang]) == 0
    strip = ET.parse(tmp_path / "named.svg").getroot()
    assert strip.findtext("{http://www.w3.org/2000/svg}text") == f"Анна <b> (1) · {other}: threshold"
    with Image.open(tmp_path / "named.gif") as film, Image.open(tmp_path / "plain.gif") as nameless:
        assert (film.width, film.height) == (nameless.width, nameless.height + 28)
        assert film.convert("L").crop((0, 0, 720, 28)).getextrema()[0] < 100, "the names are painted there"
    players = json.loads((tmp_path / "named.open").read_text(encoding="utf-8"))["players"]
    assert players == [{"seat": 0, "agent": "player", "name": "Анна <b>"}, {"seat": 1, "agent": "threshold"}]


@pytest.mark.parametrize("names", [["Anna"], ["Anna", 3], ["Anna", "x" * 25], ["Anna", "a\u202eb"], "Anna"])
def test_names_that_cannot_be_are_refused(tmp_path, names):
    with pytest.raises(PlaymillError, match="its names cannot be"):
        loaded(changed(named(tmp_path), names=names))


def test_where_chances_cannot_be_counted_nothing_at_all_is_written(tmp_path, monkeypatch, capsys):
    def fails(*_, **__):
        raise PlaymillError("no chances today", "сегодня без шансов")

    path = recorded(tmp_path)
    monkeypatch.setattr("playmill.lab.replays.win_chances.chances", fails)
    words = [f"--{name}={tmp_path / name}" for name in ("svg", "gif", "html", "json")]
    assert main(["replay", str(path), "--game", PIG, *words, "--chances", "--lang", "ru"]) == 2
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == "playmill: сегодня без шансов" and "запис" not in said.out
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_strip_and_a_moving_picture(tmp_path, capsys):
    from PIL import Image

    path = recorded(tmp_path, seed=1)
    moves = len(loaded(path).moves)
    strip, film = tmp_path / "s.svg", tmp_path / "f.gif"
    assert main(["replay", str(path), "--game", PIG, "--svg", str(strip), "--gif", str(film)]) == 0
    root = ET.parse(strip).getroot()
    shown = root.findall("{http://www.w3.org/2000/svg}svg")
    assert len(shown) == min(24, moves + 1)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}", "a browser shrinks it to no window"
    widths = {int(frame.get("width")) for frame in shown}
    assert len(widths) == 1 and 300 <= widths.pop() <= 640, "neither stamps nor posters"
    with Image.open(film) as image:
        assert 2 <= image.n_frames <= moves + 1  # equal frames in a row become one
        assert image.size[0] == 720


def test_frames_are_spread_evenly():
    assert evenly_spaced(3, 24) == [0, 1, 2]
    chosen = evenly_spaced(1000, 24)
    assert len(chosen) == 24
    assert (chosen[0], chosen[-1]) == (0, 999)
    assert {b - a for a, b in itertools.pairwise(chosen)} <= {43, 44}


@pytest.mark.parametrize(
    "keys",
    [
        {"agents": ["champion", "random"]},
        {"playmill": "9.9.9"},
        {"config": {"target": 101, "faces": 6, "max_turns": 1000}},
    ],
    ids=lambda keys: next(iter(keys)),
)
def test_what_no_move_depends_on_is_covered_by_the_checksum(tmp_path, keys):
    path = recorded(tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    if "config" in keys:
        assert keys["config"].keys() == data["config"].keys()
    said = broken(changed(path, sealed=False, **keys))
    assert "its moves fit, but not its checksum" in said
    assert list(play_again(loaded(changed(path, **keys)), "file"))


def test_a_change_that_a_move_shows_is_told_by_the_move(tmp_path):
    path = recorded(tmp_path)
    moves = json.loads(path.read_text())["moves"]
    moves[3][1] = "fly"
    assert "move 4" in broken(changed(path, sealed=False, moves=moves))


def test_the_checksum_is_of_what_is_said_not_of_how_it_is_laid_out(tmp_path):
    path = recorded(tmp_path, "influence", seed=2)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["check"] == whole_checksum(data)
    path.write_text(json.dumps(dict(reversed(data.items())), indent=7), encoding="utf-8")
    assert loaded(path).json() == data


def test_the_form_without_a_checksum_says_how_to_get_a_new_one(tmp_path):
    said = broken(changed(recorded(tmp_path), replay=1))
    assert "it is of form 1, which has no checksum of the whole; record the game again from its seed" in said


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_replay_loads_no_code_from_a_folder_it_names(tmp_path, capsys, lang):
    spy = tmp_path / "spy"
    spy.mkdir()
    for room in ("__init__", "config", "rules", "hidden", "outcome", "words", "report"):
        (spy / f"{room}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    path = changed(recorded(tmp_path), game=str(spy))
    for words in (["--quiet"], ["--svg", str(tmp_path / "s.svg")], ["--gif", str(tmp_path / "f.gif")]):
        assert main(["replay", str(path), *words, "--lang", lang]) == 2
        said = capsys.readouterr().err
        assert "--game" in said and said.count("\n") == 1
    assert not (tmp_path / "ran").exists()


def test_a_game_of_ones_own_is_played_from_the_folder_that_is_named(tmp_path, capsys, monkeypatch):
    path = tmp_path / "pig.json"
    assert main(["record", PIG, "--out", str(path)]) == 0
    assert json.loads(path.read_text())["game"] == "pig"
    assert main(["replay", str(path), "--quiet"]) == 2
    assert "for another add --game FOLDER" in capsys.readouterr().err
    assert main(["replay", str(path), "--quiet", "--game", "grid"]) == 2
    assert "it is a replay of 'pig', not of 'grid'" in capsys.readouterr().err
    assert main(["replay", str(path), "--quiet", "--game", PIG]) == 0


def test_a_game_of_ones_own_is_found_in_the_folder_one_stands_in_but_not_where_the_file_says(
    tmp_path, capsys, monkeypatch
):
    path = tmp_path / "pig.json"
    assert main(["record", PIG, "--out", str(path)]) == 0
    for folder in (Path(PIG), Path(PIG).parent):
        with monkeypatch.context() as change:
            change.chdir(folder)
            assert main(["replay", str(path), "--quiet"]) == 0
    capsys.readouterr()
    for name in ("../examples/pig", "examples/pig", "examples.pig", ""):
        assert main(["replay", str(changed(path, game=name)), "--quiet"]) == 2
        assert "--game FOLDER" in capsys.readouterr().err
