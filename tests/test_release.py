"""What a release consists of beside the code: changelog, citation, image; and the tool that tries it."""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import container
import pytest
import release

from common.found import needs_sources
from playmill import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_changelog_citation_and_package_name_one_version_and_licence() -> None:
    cited = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE))
    assert (cited["cff-version"], cited["title"], cited["version"]) == ("1.2.0", "Playmill", __version__)
    assert cited["license"] in PROJECT["license"]
    assert {"message", "title"} <= cited.keys()
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert first and first[1] == __version__


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, lines that go on joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


@needs_sources
def test_the_image_serves_as_a_user_without_rights_and_says_how_it_is() -> None:
    told = instructions()
    last = dict(told[max(place for place, (name, _) in enumerate(told) if name == "FROM") :])
    assert last["USER"] == "player"
    assert last["VOLUME"] == "/data"
    command = [*json.loads(last["ENTRYPOINT"]), *json.loads(last["CMD"])]
    assert command[:2] == ["playmill", "serve"]
    assert last["EXPOSE"] in command
    assert last["HEALTHCHECK"].startswith("--interval")
    check = json.loads(last["HEALTHCHECK"].partition("CMD ")[2])
    compile(check[2], "health", "exec")
    assert last["EXPOSE"] in check[2]
    # What the package is built of is copied, and nothing else goes to the builder.
    copied = [
        word for name, words in told if name == "COPY" and "--from" not in words for word in shlex.split(words)[:-1]
    ]
    assert all((ROOT / name).exists() for name in copied)
    let_in = set(re.findall(r"^!(.+)$", (ROOT / ".containerignore").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(copied) == let_in
    assert PROJECT["readme"] in copied


def test_the_image_is_tried_by_an_engine_or_a_sentence_says_that_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    port = dict(instructions())["EXPOSE"]
    assert f":{port}" in container.ASK
    compile(container.ASK, "ask", "exec")
    monkeypatch.setattr(sys, "argv", ["container"])
    monkeypatch.setattr(container.shutil, "which", lambda name: None)
    assert container.main() == 2
    assert capsys.readouterr().err == "container: neither podman nor docker is installed\n"
    # What an engine answers wrongly is told, and nothing of the trial is left behind.
    asked = []

    def refuses(self, *words, check=True):
        asked.append(words[0])
        if words[0] == "run":
            raise AssertionError("no such runtime")
        return ""

    monkeypatch.setattr(container.Engine, "told", refuses)
    monkeypatch.setattr(container.shutil, "which", lambda name: "/bin/podman")
    assert container.main() == 1
    assert asked == ["build", "run", "rm", "volume"]
    assert capsys.readouterr().err.startswith("container: no such runtime")


def test_the_tool_finds_this_python_and_takes_none_that_is_too_old() -> None:
    found = release.pythons()
    assert sys.version_info[:3] in found
    assert min(found) >= release.OLDEST
    oldest = re.fullmatch(r">=(\d+)\.(\d+)", PROJECT["requires-python"])
    assert oldest and tuple(map(int, oldest.groups())) == release.OLDEST
    assert all((ROOT / name).exists() for name in release.SOME)
    assert release.version(sys.executable) == sys.version_info[:3]
