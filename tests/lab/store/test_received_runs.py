"""A run that came from somebody else is data: nothing in its files is imported, waited for or believed unchecked."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from playmill.cli.commands.runs.runs import _facts
from playmill.lab.runs.simulate import How, report_of, resume, simulate
from playmill.lab.runs.store import all_runs, find_run, runs_folder
from playmill.lab.runs.store.manifest import _text, hash_of
from playmill.lab.sql.query import sql
from playmill.texts import PlaymillError

WRONG: tuple[Any, ...] = (None, True, -1, 2**70, 1.5, "", "x", "\ud800", "a\x1b[2J", [], [[]], {}, {"a": 1})


def sealed(manifest: dict[str, Any]) -> bytes:
    """A manifest as somebody writes it who knows how: its hash fits."""
    try:
        body = _text(manifest)
        digest = hash_of(body.encode())
    except ValueError:
        body, digest = json.dumps(manifest), "0"
    return f'{{"sha256":"{digest}",\n"manifest":{body}}}\n'.encode()


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document, itself too."""
    yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(value, (*path, key))


def put(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    made = deepcopy(data)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return made


def without(data: Any, path: tuple[Any, ...]) -> Any:
    made = deepcopy(data)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    del inside[path[-1]]
    return made


def all_ways() -> None:
    """What a user may ask of kept runs; whatever is wrong is a sentence."""
    runs, _ = all_runs()
    for run in runs:
        _facts(run)
    sql("select name, created, seconds, changes from runs")
    assert "good" in {run.name for run in runs}
    report_of(find_run("bad"))


@pytest.fixture
def bad(pig, tmp_path) -> Path:
    """A run as it was received, beside a good one."""
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(decision):\n    return 77\n")
    simulate(pig, games=60, keep="good")
    simulate(pig, games=60, agents=[str(bot), "random"], set=["target=20"], keep="bad")
    return runs_folder() / "bad"


@pytest.mark.long
def test_every_wrong_type_and_missing_key_is_a_sentence(bad):
    held = tried = 0
    plan, about = (json.loads((bad / name).read_text()) for name in ("plan.json", "run.json"))
    manifest = json.loads((bad / "manifest.json").read_text())["manifest"]
    counts_at = bad / manifest["chunks"][0]["files"]["counts"]["path"]
    counts = json.loads(counts_at.read_text())
    counts["fallbacks"]["entries"] = counts["fallbacks"]["entries"][:1]
    counts["counts"] = {key: numbers[:2] for key, numbers in counts["counts"].items()}
    files = {
        path: path.read_bytes() for path in (bad / "plan.json", bad / "run.json", bad / "manifest.json", counts_at)
    }

    def attack(name: str, data: Any) -> None:
        nonlocal held, tried
        for path, content in files.items():
            path.write_bytes(content)
        if name == "manifest":
            (bad / "manifest.json").write_bytes(sealed(data))
        elif name == "counts":
            text = json.dumps(data).encode()
            counts_at.write_bytes(text)
            told = deepcopy(manifest)
            told["chunks"][0]["files"]["counts"] |= {"size": len(text), "sha256": hash_of(text)}
            (bad / "manifest.json").write_bytes(sealed(told))
        else:
            text = json.dumps(data)
            (bad / f"{name}.json").write_text(text)
        tried += 1
        try:
            all_ways()
        except PlaymillError as error:
            assert "\n" not in error.text.en
            assert error.text.ru
        held += 1

    for name, whole in (("plan", plan), ("run", about), ("manifest", manifest), ("counts", counts)):
        for number, path in enumerate(places(whole)):
            # What the program's own version and machine were is never read again: one wrong value is enough there. In
            # other places four of them are, in turn: `make fuzz` tries more.
            dull = "made_by" in path or (name == "plan" and path[:1] == ("config",) and len(path) > 1)
            for step in range(1 if dull else 4):
                attack(name, put(whole, path, WRONG[(number + 3 * step) % len(WRONG)]))
            if path:
                attack(name, without(whole, path))
    assert held == tried > 400
    print(f"{held} of {tried} held")


def test_files_that_are_none_do_not_hang(bad, pig):
    """Pipes, folders, links, devices and files without end in place of each file of a run: 1 sentence each."""
    names = ["plan.json", "run.json", "manifest.json", next((bad / "counts").iterdir()).relative_to(bad)]
    for name in names:
        path, whole = bad / name, (bad / name).read_bytes()
        makers = (
            lambda p=path: os.mkfifo(p),
            lambda p=path: p.mkdir(),
            lambda p=path: p.symlink_to("/dev/zero"),
            lambda p=path: p.symlink_to("/etc/hostname"),
            lambda p=path: os.truncate(os.open(p, os.O_CREAT | os.O_WRONLY), 2**40),
            lambda p=path: p.write_bytes(b"[" * 100_000),
            lambda p=path: p.write_bytes(b'{"a":' * 100_000),
        )
        for make in makers:
            path.unlink()
            make()
            with pytest.raises(PlaymillError):
                report_of(find_run("bad"))
            assert {run.name for run in all_runs()[0]} >= {"good"}
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
            path.write_bytes(whole)


EVIL = "from pathlib import Path\nPath({!r}).touch()\n"


@pytest.mark.parametrize("ask", ["report", "resume", "list", "sql"])
@pytest.mark.parametrize("kind", ["game", "relative game", "agent", "network"])
def test_no_path_in_a_run_is_imported(ask, kind, pig, tmp_path, monkeypatch):
    """A game or an agent that lies where the files of a run say is not run, however it is asked for."""
    touched = tmp_path / "touched"
    simulate("dice", games=4, keep="bad")
    folder = runs_folder() / "bad"
    about = json.loads((folder / "run.json").read_text())
    plan = json.loads((folder / "plan.json").read_text())
    evil = tmp_path / f"evil_{kind.replace(' ', '_')}_{ask}"
    evil.mkdir()
    monkeypatch.chdir(tmp_path)
    if "game" in kind:
        (evil / "__init__.py").write_text(EVIL.format(str(touched)))
        (evil / "rules.py").write_text(EVIL.format(str(touched)))
        about["game"] = plan["game"] = evil.name if kind == "relative game" else str(evil)
    else:
        (evil / "bot.py").write_text(EVIL.format(str(touched)))
        spec = str(evil / "bot.py") if kind == "agent" else f"search:net={evil / 'bot.py'}"
        about["agents"] = [spec] * len(about["agents"])
    (folder / "run.json").write_text(json.dumps(about))
    (folder / "plan.json").write_text(json.dumps(plan))
    told = json.loads((folder / "manifest.json").read_text())["manifest"]
    from playmill.lab.runs.plan import Plan

    told["plan"] = Plan.from_json(plan, "plan").digest
    told["end"] = 8
    (folder / "manifest.json").write_bytes(sealed(told))
    if ask == "list":
        assert [_facts(run)["run"] for run in all_runs()[0]] == ["bad"]
    elif ask == "sql":
        assert sql("select name from runs").height == 1
    elif ask == "resume":
        with pytest.raises(PlaymillError, match="--game PATH" if "game" in kind else "name all agents: --agents"):
            resume(find_run("bad"), How())
    elif "game" in kind:
        with pytest.raises(PlaymillError, match="not known here; name its folder: --game PATH"):
            report_of(find_run("bad"))
    else:
        assert "is a file that is not known here" in str(report_of(find_run("bad")).changed)
    assert not touched.exists()


def test_a_run_from_elsewhere_goes_on_when_its_game_and_agents_are_named(pig, tmp_path, monkeypatch):
    """The same game and agents under other paths: refused until they are named, and known from then on."""
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(decision):\n    return decision.actions[0]\n")
    monkeypatch.chdir(tmp_path)
    simulate(pig, games=20, agents=["bot.py", "random"], set=["target=20"], keep="mine")
    shutil.rmtree(runs_folder().parent / "sources")
    with pytest.raises(PlaymillError, match="run mine was played with the game 'pig', which is not known here"):
        report_of(find_run("mine"))
    place = str(Path(sys.modules[pig.package].__path__[0]))
    assert "bot is a file that is not known here" in str(report_of(find_run("mine", game=place)).changed)
    named = find_run("mine", game=place, agents=["bot.py", "random"])
    assert resume(named, How(), end=40).info.games == 40
    assert resume(find_run("mine"), How(), end=60).info.games == 60
    with pytest.raises(PlaymillError, match="run mine is one of pig, and --game 'dice' is dice"):
        report_of(find_run("mine", game="dice"))


def test_going_on_writes_nothing_outside_the_folder(pig, tmp_path):
    """Links left in a run's folder: none is written through, and none is followed."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    simulate(pig, games=4, keep="bad")
    folder = runs_folder() / "bad"
    for name in (".new-manifest.json", "counts/.new-000000000000000-000000000000009.json"):
        (folder / name).symlink_to(precious)
    resume(find_run("bad"), How(), end=9)
    assert precious.read_text() == "mine"
    (folder / "lock").unlink()
    (folder / "lock").symlink_to(precious)
    with pytest.raises(PlaymillError):
        resume(find_run("bad"), How(), end=12)
    (folder / "lock").unlink()
    (folder / "counts").rename(tmp_path / "away")
    (folder / "counts").symlink_to(tmp_path / "away")
    with pytest.raises(PlaymillError, match="a folder of it is a link"):
        resume(find_run("bad"), How(), end=12)
    assert precious.read_text() == "mine"
