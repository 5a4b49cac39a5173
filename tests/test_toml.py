"""TOML from strangers: what is right is read as `tomllib` reads it, what is too much is one sentence at once."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from playmill.lab.contests.contest.rules import read_rules
from playmill.texts import PlaymillError
from playmill.toml import MOST_BYTES, MOST_DEPTH, MOST_PARTS, parse_toml, read_toml

#: Brackets and dots that mean nothing, and as many as there may be.
RIGHT = (
    'run = "python3 bot.py"\n',
    'a = "[[[[[[[[[[[[[[[[[[[[[["  # ]]] [[[[[[[[[[[[[[[[[[[[[\n',
    "a = '[[[[[[[[[[[[[[[[[[\"[[['\nb = 1",
    'a = """\n[[[[[[[[[[[[[[[[[[[[ " "" \\""" [[[[\n"""\nb = [1, 2]\r\n',
    "a = '''\n[[[[[[[[[[[[[[[[[[[[ ' '' [[[[\n'''''\nb = {c = {d = 1}}",
    'a = "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19"',
    "a = [" + "1.5, " * 500 + "]",
    f"a = {'[' * MOST_DEPTH}{']' * MOST_DEPTH}",
    ".".join("a" * MOST_PARTS) + " = 1",
)
BOMBS = {
    "brackets": (b"a = " + b"[" * 100_000, "larger than 64 kB"),
    "fewer brackets": (b"a = " + b"[" * 50_000, "nested deeper than 16 brackets"),
    "inline tables": (b"a = " + b"{a = " * 9_000, "nested deeper than 16 brackets"),
    "brackets behind a string": (b"a = [\"]\", '''\n]''', " + b"[" * 20, "nested deeper than 16 brackets"),
    "dotted key": (b".".join([b"a"] * 30_000) + b" = 1", "a key has more than 16 parts"),
    "long dotted key": (b".".join([b"a"] * 50_000) + b" = 1", "larger than 64 kB"),
    "quoted dotted key": (b".".join([b'"a"'] * 5_000) + b" = 1", "a key has more than 16 parts"),
    "dotted table": (b"[" + b".".join([b"a"] * 9_000) + b"]", "a key has more than 16 parts"),
    "spaced dotted key": (b" . ".join([b"a"] * 9_000) + b" = 1", "a key has more than 16 parts"),
    "much": (b"# nothing\n" * 350_000, "larger than 64 kB"),
    "no text": (b"a = '\xff'", "not UTF-8"),
    "a number of many digits": (b"a = " + b"9" * 60_000, "not TOML"),
    "no end": (b'a = """' + b"[" * 50_000, "not TOML"),
    "quotation marks": (b'"' * 60_000, "not TOML"),
    "apostrophes": (b"'" * 60_000, "not TOML"),
    "backslashes": (b'a = "' + b"\\" * 60_000, "not TOML"),
}


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_read_as_ever(text: str) -> None:
    assert parse_toml(text.encode(), "x") == tomllib.loads(text)


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("file", ["contest.toml", "bot.toml"])
def test_too_much_is_one_sentence_wherever_toml_is_read(tmp_path: Path, name: str, file: str) -> None:
    content, words = BOMBS[name]
    (tmp_path / file).write_bytes(content)
    with pytest.raises(PlaymillError, match=words) as caught:
        read_rules(tmp_path) if file == "contest.toml" else read_toml(tmp_path / file, follow_links=False)
    assert all(text.isprintable() and file in text for text in caught.value.text)


def test_only_a_regular_file_is_read_and_no_link_where_there_may_be_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for odd in (tmp_path / "pipe.toml", tmp_path, Path("/dev/zero")):
        with pytest.raises(PlaymillError, match="not a file"):
            read_toml(odd)
    (tmp_path / "real.toml").write_text("a = 1")
    (tmp_path / "link.toml").symlink_to("real.toml")
    assert read_toml(tmp_path / "link.toml") == {"a": 1}
    with pytest.raises(OSError):
        read_toml(tmp_path / "link.toml", follow_links=False)
    assert MOST_BYTES == 64 << 10
