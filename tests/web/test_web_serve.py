"""`playmill serve` on the command line: mistakes get one sentence."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from playmill.cli import main
from playmill.web.guard import reachable_by
from playmill.web.serve import _address, games_on_offer


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--port", "70000"], {"en": "no whole number from 0 to 65535", "ru": "не целое число от 0 до 65535"}),
        (["--key", "short"], {"en": "--key has 5 characters", "ru": "в --key символов: 5"}),
        (["no/such/folder"], {"en": "there is no game in", "ru": "нет игры"}),
        (["--agents", "nobody.py"], {"en": "there is no agent file nobody.py", "ru": "файла агента nobody.py нет"}),
        (["--agents", "random"], {"en": "there is no agent file random", "ru": "файла агента random нет"}),
        (["--agents", "program:no-such"], {"en": "there is no program no-such", "ru": "программы no-such нет"}),
        (["--host", "300.1.2.3"], {"en": "cannot listen at 300.1.2.3", "ru": "не удаётся слушать 300.1.2.3"}),
    ],
)
def test_a_mistake_gets_one_sentence(
    words: list[str], told: dict[str, str], lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-open", *words, "--lang", lang]) == 2
    said = capsys.readouterr().err
    assert told[lang] in said and said.count("\n") == 1


def test_a_port_that_is_taken_gets_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--no-open", "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot listen at 127.0.0.1" in capsys.readouterr().err


def test_a_home_that_cannot_be_made_gets_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["serve", "--no-open", "--port", "0", "--home", str(tmp_path / "file" / "home")]) == 2
    assert "cannot be kept" in capsys.readouterr().err


def test_who_can_reach_it() -> None:
    assert not reachable_by("127.0.0.1") and not reachable_by("localhost") and not reachable_by("::1")
    assert reachable_by("0.0.0.0") and reachable_by("192.168.1.7")
    assert _address("::1", 80, None) == "http://[::1]:80/"
    assert _address("10.0.0.7", 80, "abc").endswith("http://10.0.0.7:80/?key=abc")


def test_all_games_and_folders_are_on_offer() -> None:
    folder = Path(__file__).parents[2] / "examples" / "pig"
    assert list(games_on_offer([str(folder)]))[-1] == "pig"


@pytest.mark.parametrize(("lang", "told"), [("en", "whose ladders are shown"), ("ru", "чьи лестницы показывать")])
def test_a_ladder_is_no_table_to_play_at(capsys, lang, told):
    with pytest.raises(SystemExit):
        main(["serve", "--help", "--lang", lang])
    assert told in " ".join(capsys.readouterr().out.split())
