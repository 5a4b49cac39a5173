"""`playmill serve` on the command line: errors are one sentence."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from playmill.cli import main
from playmill.web.access.owner import Owner, key_file, owner_key
from playmill.web.access.security import reachable_by
from playmill.web.live.registry import store_path
from playmill.web.server.serve import address, games_on_offer
from playmill.web.table.store import TableStore


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--port", "70000"], {"en": "no whole number from 0 to 65535", "ru": "не целое число от 0 до 65535"}),
        (["--key-file", "/dev/null"], {"en": "it is a device, not a file", "ru": "это устройство, а не файл"}),
        (["--key", "a-key-of-your-own"], {"en": "unrecognized arguments: --key", "ru": "непонятные аргументы: --key"}),
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
    assert address("::1", 80, None) == "http://[::1]:80/"
    assert address("10.0.0.7", 80, "abc").endswith("http://10.0.0.7:80/?key=abc")


def test_all_games_and_folders_are_on_offer() -> None:
    folder = Path(__file__).parents[2] / "examples" / "pig"
    assert list(games_on_offer([str(folder)]))[-1] == "pig"


@pytest.mark.parametrize(("lang", "told"), [("en", "whose ladders are shown"), ("ru", "чьи лестницы показывать")])
def test_a_ladder_is_no_table_to_play_at(capsys, lang, told):
    with pytest.raises(SystemExit):
        main(["serve", "--help", "--lang", lang])
    assert told in " ".join(capsys.readouterr().out.split())


def _modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}


@pytest.mark.skipif(os.name == "nt", reason="rights are told otherwise there")
def test_secrets_are_their_owners_from_the_first_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the umask; seen at the moment each file is made, not after it was put right."""
    import sys

    made: list[tuple[str, int]] = []
    folder = tmp_path / "new" / "home"

    def watch(event: str, args: tuple[Any, ...]) -> None:
        if armed and event in ("open", "os.chmod", "os.rename", "sqlite3.connect/handle"):
            made.extend((path.name, path.stat().st_mode & 0o077) for path in folder.glob("*") if path.is_file())

    armed = True
    sys.addaudithook(watch)
    before = os.umask(0)
    try:
        key = owner_key(folder)
        store = TableStore(store_path(folder))
        store.count()
        assert _modes(folder)["home"] == 0o700
        assert {"owner.key", "tables.sqlite3", "tables.sqlite3-wal"} <= _modes(folder).keys()
        assert {mode for name, mode in _modes(folder).items() if name != "home"} == {0o600}
        store.close()
    finally:
        armed = False
        os.umask(before)
    assert made and not {name for name, others in made if others}
    # Those of before that others could read are closed to them.
    (folder / "owner.key").chmod(0o644)
    (folder / "tables.sqlite3").chmod(0o644)
    assert owner_key(folder) == key
    TableStore(store_path(folder)).close()
    assert {mode for name, mode in _modes(folder).items() if name != "home"} == {0o600}


def test_no_key_is_on_a_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser is given a code that works once; what it gets for it is the key."""
    opened: list[str] = []
    monkeypatch.setattr("playmill.web.server.serve.webbrowser.open", opened.append)
    owner = Owner(owner_key(tmp_path), key_file(tmp_path))
    code = owner.new_code()
    assert owner_key(tmp_path) not in code
    assert owner.key_for("x") is None and owner.key_for(code) == owner_key(tmp_path) and owner.key_for(code) is None
    assert owner.key_for(owner.new_code(seconds=-1)) is None


def test_the_owners_key_is_changed_while_the_server_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = owner_key(tmp_path)
    owner = Owner(old, key_file(tmp_path))
    assert owner.matches(old)
    assert main(["serve", "--new-owner-key", "--home", str(tmp_path)]) == 0
    new = owner_key(tmp_path)
    assert new != old and new not in capsys.readouterr().out
    assert owner.matches(new) and not owner.matches(old)


def test_a_key_in_a_file_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("short", "a b" * 10, "\u044f" * 20, "x" * 500):
        (tmp_path / "key").write_text(text, encoding="utf-8")
        assert main(["serve", "--no-open", "--key-file", str(tmp_path / "key")]) == 2
        assert "expected 16 to 200 letters, digits and signs" in capsys.readouterr().err
