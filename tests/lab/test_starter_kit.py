"""The referee of a starter kit plays Playmill's own games, move by move, with Python's standard library alone."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from golden import NOTABLE

from playmill import load_game
from playmill.cli import main
from playmill.lab.contests.bot_play import play_bot
from playmill.lab.contests.contest.rules import read_rules
from playmill.lab.contests.hosted.kit import starter_kit
from playmill.lab.contests.hosted.kit.bundle import Bundle
from playmill.lab.contests.hosted.kit.recorded import players_at_table
from playmill.lab.contests.hosted.kit.snapshot import NotBundledError
from playmill.starters import KINDS, begin
from playmill.texts import Lang

ROOT = Path(__file__).parents[2]
EXAMPLES = ("connect4", "kuhn", "leduc", "pig", "whispers")
#: Changes that make for short games, where those of a game take long.
SHORT = {"influence": ["map=small", "round_limit=2"], "grid": ["game.termination.max_turns=6"]}
#: Every game of the box, as by default and as in its golden playthroughs; every example.
GAMES: list[tuple[str, int | None, list[str]]] = [
    *((f"{ROOT}/examples/{name}", None, []) for name in EXAMPLES),
    *((name, None, SHORT.get(name, []) if name == "influence" else []) for name in NOTABLE),
    *(
        (name, players, ["map=hexagon", "round_limit=1"] if name == "influence" else changes)
        for name, plans in NOTABLE.items()
        for _, players, _, _, changes in plans
        if changes
    ),
]
#: A bot that takes the last option, and the first after an odd question.
BOT = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
        print("I sit at", message["seat"], file=sys.stderr, flush=True)
    elif message["type"] == "act":
        index = (len(message["options"]) - 1) * (message["number"] % 2)
        if message["random"] % 3 == 0:
            index = message["random"] % len(message["options"])
        print(json.dumps({"type": "answer", "number": message["number"], "index": index}), flush=True)
"""


def kit_of(folder: Path, game: str, players: int | None, changes: list[str], lang: Lang = "en") -> Path:
    """A kit, unpacked."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"game = {json.dumps(game)}", f"set = {json.dumps(changes)}"]
    lines += [f"players = {players}"] if players is not None and load_game(game).players[1] > 1 else []
    (folder / "contest.toml").write_text("\n".join(lines), encoding="utf-8")
    with zipfile.ZipFile(io.BytesIO(starter_kit(read_rules(folder), lang))) as archive:
        archive.extractall(folder)
    (folder / "mine").mkdir(exist_ok=True)
    (folder / "mine" / "bot.py").write_text(BOT, encoding="utf-8")
    return next(folder.glob("*-kit"))


def referee(kit: Path, *words: str) -> tuple[int, str]:
    """Runs it without any package of this machine."""
    command = [sys.executable, "-I", "-S", "referee.py", *words]
    done = subprocess.run(command, cwd=kit, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr + done.stdout


@pytest.mark.parametrize(("game", "players", "changes"), GAMES)
def test_the_kit_plays_playmills_games_move_by_move(
    tmp_path: Path, game: str, players: int | None, changes: list[str]
) -> None:
    kit = kit_of(tmp_path, game, players, changes)
    assert (kit / "engine" / "table.py").is_file(), "the kit has no rules"
    saved = tmp_path / "played.json"
    status, told = referee(kit, "--games", "4", "--seed", "11", "--save", str(saved), str(tmp_path / "mine"))
    assert status == 0, told
    rules = read_rules(tmp_path)
    config = rules.settings[0].config
    found = play_bot(
        rules.game, str(tmp_path / "mine"), players=players_at_table(rules), config=config, games=4, seed=11
    )
    kept = json.loads(saved.read_text())["games"]
    theirs = {(one["deal"], one["seats"].index("mine")): one for one in kept}
    assert len(theirs) == 4
    for ours in found.games:
        if (ours.deal, ours.seat) in theirs:
            data: dict[str, Any] = json.loads(ours.replay)
            one = theirs.pop((ours.deal, ours.seat))
            assert one["moves"] == [[player, text] for player, text, _ in data["moves"]]
            assert one["returns"] == data["end"]["returns"]
    assert not theirs, "games that Playmill has not played"


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_game_of_ones_own_has_a_kit(tmp_path: Path, kind: str) -> None:
    begin(f"kit_of_{kind}", kind, "en", tmp_path)
    kit = kit_of(tmp_path / "contest", str(tmp_path / f"kit_of_{kind}"), None, [])
    assert referee(kit, "--verify") == (0, (told := referee(kit, "--verify")[1])) and "message by message" in told
    assert referee(kit, "python/bot.py")[0] == 0


def test_a_game_that_needs_more_than_python_is_told_and_its_kit_has_recorded_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin("needy", "dice", "en", tmp_path)
    words = tmp_path / "needy" / "words.py"
    words.write_text(words.read_text() + "\nimport rich.text\n\n\ndef seen(config, s, player, lang):\n"
                     '    return {"points": str(rich.text.Text("1"))}\n')  # fmt: skip
    load_game(str(tmp_path / "needy"))
    with pytest.raises(NotBundledError, match=r"rich\.text"):
        Bundle("needy").need("needy.words", "seen")
    kit = kit_of(tmp_path / "contest", str(tmp_path / "needy"), None, [])
    assert "in place of the rules: it imports rich.text" in capsys.readouterr().err
    assert not (kit / "engine").exists() and "which go on as they went" in (kit / "README.md").read_text()
    status, told = referee(kit, "python/bot.py")
    assert status == 0 and "this kit has no rules" in told and told.endswith("ready\n")


def test_a_kit_whose_rules_play_otherwise_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorded games are dealt by Playmill: a stand-in that counts bits wrongly would play other games."""
    kit = kit_of(tmp_path / "right", f"{ROOT}/examples/pig", None, [])
    rng = kit / "engine" / "playmill" / "engine" / "lang" / "rng.py"
    rng.write_text(rng.read_text().replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"))
    status, told = referee(kit, "--verify")
    assert status == 1 and "differs" in told


def test_what_a_bot_does_wrong_is_told_and_costs_the_game(tmp_path: Path) -> None:
    kit = kit_of(tmp_path, f"{ROOT}/examples/pig", None, ["target=20"])
    for text, message in (
        (BOT.replace("index = (len", "index = 99 or (len").replace("% 3 == 0", "% 3 == 9"), "there are options 0 to 1"),
        (BOT.replace('{"type": "ready"}', '{"type": "hi"}'), "answered hello with"),
        ("raise SystemExit(3)", "has ended with status 3"),
        (BOT.replace("json.dumps({", "str({"), "no JSON object"),
    ):
        (tmp_path / "mine" / "bot.py").write_text(text)
        status, told = referee(kit, "--games", "2", str(tmp_path / "mine"))
        assert (
            status == 2 and message in told and told.count("FAILED") == 2 and "Traceback" not in told.split("raise")[0]
        )
        assert "lost 2 of 2" in told and told.endswith("not ready\n")
    status, told = referee(kit, "no-such-program")
    assert status == 2 and "cannot be started" in told
    assert referee(kit)[0] == 2 and "name a bot" in referee(kit)[1]
    assert referee(kit, str(tmp_path))[0] == 1 and "has none of bot.toml" in referee(kit, str(tmp_path))[1]
    assert "name at most 1" in referee(kit, "--against", "random", "--against", "random", "python/bot.py")[1]


def test_two_bots_and_every_move_in_words_in_russian(tmp_path: Path) -> None:
    kit = kit_of(tmp_path, f"{ROOT}/examples/pig", None, ["target=20"], "ru")
    status, told = referee(kit, "--watch", "--games", "2", "--against", "python/bot.py", str(tmp_path / "mine"))
    assert status == 0 and "побед" in told and "mine" in told and told.endswith("готов\n")
    assert "bot.py" in told and "бросает" in told and "I sit at 1" in told
    words = (kit / "README.md").read_text()
    assert "играет с вашим ботом целые партии" in words and "{" not in words.partition("```json")[0].replace(
        '{"type"', ""
    )


def test_bot_play_shows_results_stderr_and_writes_the_replay_of_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text(BOT)
    words = ["bot", "play", str(tmp_path / "mine"), f"{ROOT}/examples/pig", "--games", "4", "--set", "target=30"]
    other = f"{ROOT}/examples/bots/pig_python"
    assert main([*words, "--against", other, "--replays", str(tmp_path / "kept")]) == 0
    told = capsys.readouterr().out
    assert "pig_python" in told and "How quick it is" in told and "I sit at" in told and "(lost)" in told
    kept = sorted((tmp_path / "kept").iterdir())
    assert len(kept) == 4
    assert main(["replay", str(kept[0]), "--game", f"{ROOT}/examples/pig", "--quiet"]) == 0
    assert main(["--lang", "ru", *words, "--against", "threshold:n=20"]) == 0
    told = capsys.readouterr().out
    assert "Итог" in told and "Запись раздачи" in told
    file = Path(told.partition("место")[2].partition("): ")[2].splitlines()[0].strip("'"))
    assert file.is_file() or "played" in told


def test_bot_play_of_a_bot_that_fails_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "bot.py").write_text("raise SystemExit(3)")
    words = [str(tmp_path / "bad"), f"{ROOT}/examples/pig", "--games", "2"]
    assert main(["bot", "play", *words]) == 2
    told = capsys.readouterr()
    assert "failed" in told.err and "it ends in the middle" in told.out
    assert main(["bot", "play", *words, "--against", "random", "random"]) == 2
    assert main(["bot", "check", *words, "--against", "random"]) == 2
    assert "bot play" in capsys.readouterr().err
