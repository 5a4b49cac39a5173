"""A served contest without its server: what is unpacked, who is known, and a ladder that minds no kill."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import stat
import struct
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import contest_week as week
import misbehaving as tool
import numpy as np
import pytest

from playmill import PlaymillError
from playmill.agents.programs import build
from playmill.cli import main
from playmill.lab.contests.bot_folder import RefusedError
from playmill.lab.contests.contest import Contest, estimate
from playmill.lab.contests.contest.estimate import quadratic
from playmill.lab.contests.contest.rules import read_rules
from playmill.lab.contests.hosted import contest
from playmill.lab.contests.hosted.contest import HostedContest
from playmill.lab.contests.hosted.newcomer import newcomer_rounds, placement, played_ahead
from playmill.lab.contests.hosted.registry import Registry
from playmill.lab.contests.hosted.submit import packed
from playmill.lab.contests.hosted.unpack import unpack
from playmill.lab.contests.tournament.event import OverError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="bots are held by walls that Windows does not have")
MEGABYTE = 1 << 20


def built(folder: Path, **how) -> Path:
    week.build(folder, **{"deals": 1, "opponents": 0, **how})
    return folder


def hand_in(registry: Registry, name: str, data: bytes, file: str = "bot.zip") -> int:
    place = registry.incoming()
    try:
        code, size = unpack(data, file, place, most_bytes=MEGABYTE, most_files=100)
        return registry.take(name, code, size, place, most_versions=20)[0].id
    finally:
        shutil.rmtree(place, ignore_errors=True)


def states(folder: Path) -> dict[str, str]:
    lines = (folder / "state" / "submissions.jsonl").read_text().splitlines()
    return {f"{one['name']}-{one['version']}": one["state"] for one in map(json.loads, lines)}


def standing(folder: Path) -> dict:
    return json.loads((folder / "state" / "standing.json").read_text())


# What is unpacked


def unpacked(tmp_path: Path, data: bytes, name: str = "x.zip", files: int = 100) -> dict[str, bytes]:
    place = tmp_path / "place"
    place.mkdir()
    unpack(data, name, place, most_bytes=MEGABYTE, most_files=files)
    return {str(one.relative_to(place)): one.read_bytes() for one in place.rglob("*") if one.is_file()}


def test_a_folder_that_was_packed_whole_is_the_bots_folder(tmp_path):
    data = week.zipped({"mine/bot.py": b"a", "mine/data/x.txt": b"b", "__MACOSX/mine/._bot.py": b"c"})
    assert unpacked(tmp_path, data) == {"bot.py": b"a", "data/x.txt": b"b"}


@pytest.mark.parametrize(("name", "kept"), [("my bot.PY", "bot.py"), ("x.rs", "bot.rs"), ("Main.java", "Bot.java")])
def test_a_single_file_is_known_by_its_kind(tmp_path, name, kept):
    assert unpacked(tmp_path, b"text", name) == {kept: b"text"}


def lying(size: int) -> bytes:
    """An archive that tells a smaller size of its file than comes out."""
    data = bytearray(week.zipped({"bot.py": bytes(40 << 20)}))
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(week.zipped({"bot.py": b"a"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.rfind(mark) + offset] |= 1
    return bytes(data)


def packed_by(kind: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", kind) as archive:
        archive.writestr("bot.py", b"a" * 1000)
    return made.getvalue()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (lambda: week.archive_of("bomb", 1)[1], "more than 1 MB unpacked"),
        (lambda: lying(100), "damaged|more than 1 MB unpacked"),
        (lambda: week.zipped({f"{n}.txt": bytes(MEGABYTE // 50) for n in range(60)}), "more than 1 MB unpacked"),
        (lambda: week.archive_of("crowd", 1)[1], "more than 100 files"),
        (lambda: week.zipped({"/".join("d" * 40) + "/x": b""}), "folders in each other"),
        (lambda: week.archive_of("path", 1)[1], "leads out of the bot's folder"),
        (lambda: week.zipped({"/etc/passwd": b""}), "leads out"),
        (lambda: week.zipped({"..\\..\\x": b""}), "leads out"),
        (lambda: week.zipped({"C:\\x": b""}), "leads out"),
        (lambda: week.zipped({"a/../../x": b""}), "leads out"),
        (lambda: week.archive_of("link", 1)[1], "bot.py is a link"),
        (lambda: week.zipped({"bot.py": b"", "BOT.py": b""}), "is there twice"),
        (lambda: week.zipped({"x": b"", "x/y": b""}), "a file in it is a folder as well"),
        (lambda: week.zipped({"a\x1b[31m.py": b""}), "characters that cannot be seen"),
        (lambda: week.zipped({"n" * 250: b""}), "too long"),
        (lambda: week.archive_of("damaged", 1)[1], "damaged"),
        (encrypted, "encrypted"),
        (lambda: packed_by(zipfile.ZIP_LZMA), "of a kind that cannot be read"),
        (lambda: week.zipped({"folder/": b""}), "no file in it"),
        (lambda: b"", "empty"),
    ],
)
def test_what_could_do_harm_is_refused_in_one_sentence_and_writes_nothing_outside(tmp_path, data, told):
    with pytest.raises(RefusedError, match=told) as refused:
        unpacked(tmp_path, data())
    assert "\n" not in refused.value.why.en and refused.value.why.ru
    assert [one.name for one in tmp_path.iterdir()] == ["place"]
    assert not any(one.is_symlink() for one in tmp_path.rglob("*"))
    assert sum(one.stat().st_size for one in tmp_path.rglob("*") if one.is_file()) <= 2 * MEGABYTE


def test_devices_and_pipes_in_an_archive_are_no_files(tmp_path):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        entry = zipfile.ZipInfo("pipe")
        entry.external_attr = (stat.S_IFIFO | 0o644) << 16
        archive.writestr(entry, b"")
    with pytest.raises(RefusedError, match="pipe is a link, or no file"):
        unpacked(tmp_path, made.getvalue())


def test_what_the_client_packs_is_what_the_server_unpacks(tmp_path):
    folder = tmp_path / "bot"
    (folder / "data").mkdir(parents=True)
    (folder / "bot").write_bytes(b"#!x")
    (folder / "bot").chmod(0o755)
    (folder / "data" / "x").write_bytes(b"1")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "y").write_bytes(b"2")
    name, data = packed(folder)
    place = tmp_path / "place"
    place.mkdir()
    unpack(data, name, place, most_bytes=MEGABYTE, most_files=10)
    assert sorted(str(one.relative_to(place)) for one in place.rglob("*") if one.is_file()) == ["bot", "data/x"]
    assert (place / "bot").stat().st_mode & 0o111 and not (place / "data" / "x").stat().st_mode & 0o111
    with pytest.raises(PlaymillError, match="there is no folder or file"):
        packed(tmp_path / "none")


# Who is known


def test_tokens_are_kept_as_hashes_and_open_one_account_each(tmp_path):
    registry = Registry(tmp_path)
    anna, boris = (registry.register(name, most=10) for name in ("Anna", "Борис"))
    assert registry.account(anna).name == "Anna" and registry.account(boris).name == "Борис"
    assert registry.account("x" * 32) is None and registry.account("") is None
    everything = b"".join(path.read_bytes() for path in tmp_path.glob("registry.sqlite3*"))
    assert anna.encode() not in everything and boris.encode() not in everything
    assert (tmp_path / "registry.sqlite3").stat().st_mode & 0o077 == 0
    fresh = registry.new_token("Anna")
    assert registry.account(anna) is None and registry.account(fresh).name == "Anna"
    assert registry.new_token("nobody") is None


def test_names_are_taken_once_whatever_their_case_and_places_are_limited(tmp_path):
    registry = Registry(tmp_path)
    registry.register("Anna", most=2)
    with pytest.raises(PlaymillError, match="somebody is called anna already"):
        registry.register("anna", most=2)
    registry.register("Boris", most=2)
    with pytest.raises(PlaymillError, match="takes 2 entrants"):
        registry.register("Carol", most=2)


def test_an_invitation_is_for_one_and_is_not_used_up_by_a_name_that_is_taken(tmp_path):
    registry = Registry(tmp_path)
    registry.register("Anna", most=10)
    (code,) = registry.invite(1)
    with pytest.raises(PlaymillError, match="called Anna already"):
        registry.register("Anna", most=10, invitation=code)
    registry.register("Boris", most=10, invitation=code)
    with pytest.raises(PlaymillError, match="no such invitation"):
        registry.register("Carol", most=10, invitation=code)
    assert registry.invitations() == (1, 1)


def test_an_upload_is_there_with_its_files_or_not_at_all(tmp_path, monkeypatch):
    registry = Registry(tmp_path)
    registry.register("Anna", most=10)
    first = hand_in(registry, "Anna", week.bot("a"))
    assert hand_in(registry, "Anna", week.bot("a")) == first, "the same content is the same upload"
    # Killed between the files and the row: nobody was told, and the next one takes the place.
    (registry.uploads_folder / str(first + 1)).mkdir()
    (registry.uploads_folder / str(first + 1) / "half").write_bytes(b"")
    second = hand_in(registry, "Anna", week.bot("b"))
    assert second == first + 1 and not (registry.folder_of(second) / "half").exists()
    # The row cannot be written: the files are no upload.
    place = registry.incoming()
    (place / "bot.py").write_bytes(b"c")
    nothing: Any = None
    with pytest.raises(sqlite3.IntegrityError):
        registry.take("nobody", nothing, 1, place, most_versions=20)
    assert [one.id for one in registry.uploads()] == [first, second]
    left = registry.incoming()
    registry.sweep()
    assert not left.exists()
    with pytest.raises(PlaymillError, match="takes 2 versions"):
        place = registry.incoming()
        registry.take("Anna", "other", 1, place, most_versions=2)


def test_the_rules_of_a_server_are_told_in_one_sentence(tmp_path):
    folder = built(tmp_path / "c")
    assert read_rules(folder).server.waiting == 1000 and read_rules(folder).opponents == 0
    path = folder / "contest.toml"
    text = path.read_text()
    path.write_text(text.replace("per_hour = 10000", "per_hour = 0"))
    with pytest.raises(PlaymillError, match=r"server.per_hour is 0; expected a whole number from 1 to 10000"):
        read_rules(folder)
    path.write_text(text.replace("per_hour = 10000", 'registration = "maybe"'))
    with pytest.raises(PlaymillError, match=r"server.registration is 'maybe'; expected"):
        read_rules(folder)
    path.write_text("rounds = 3\n" + text)
    with pytest.raises(PlaymillError, match="opponents = N in place of rounds = N"):
        HostedContest(folder)


# What is played

GOOD = [(f"bot-{number}", tool.GOOD.format(4 + 3 * number)) for number in range(4)]


def fill(folder: Path, *, upto: int | None = None, since: int = 0) -> Registry:
    """Hands in what the tests play: four decent bots, one that is refused, and a second version of the first."""
    registry = Registry(folder / "state")
    bots = [*GOOD, ("rogue", tool.ALWAYS.format("answer(m, 99)")), ("bot-0", tool.GOOD.format(18))]
    bots += [("bot-1", tool.BAD["crash-at-start"])]
    known = {one.name for one in registry.accounts()}
    for name, text in bots[since:upto]:
        if name not in known:
            registry.register(name, most=100)
            known.add(name)
        hand_in(registry, name, week.bot(text))
    return registry


def play(folder: Path, registry: Registry | None = None) -> HostedContest:
    contest = HostedContest(folder, registry, interpreted=True, workers=1)
    contest.run()
    return contest


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A contest that was played in one go."""
    folder = built(tmp_path_factory.mktemp("calm") / "c", opponents=3)
    play(folder, fill(folder))
    return folder


def test_every_version_has_its_turn_and_its_report(calm):
    assert states(calm) == {
        **{f"bot-{number}-1": "done" for number in range(4)},
        "rogue-1": "refused",
        "bot-0-2": "done",
        "bot-1-2": "refused",
    }
    found = standing(calm)
    versions = {one["name"]: one["version"] for one in found["ladder"]}
    assert versions == {"bot-0": 2, "bot-1": 1, "bot-2": 1, "bot-3": 1, "random": 0, "threshold": 0}
    assert {"bot-0-1", "bot-0-2"} <= set(found["figures"]), "an old version keeps its figures"
    report = json.loads((calm / "state" / "checks" / "rogue-1.json").read_text())
    assert report["failed"] == 2 and "no option" in report["complaints"][0]["en"]
    fine = json.loads((calm / "state" / "checks" / "bot-2-1.json").read_text())
    assert fine["failed"] == 0 and fine["used"]["answers"] > 0 and fine["used"]["memory"] > 1
    assert fine["used"]["worst"] >= fine["used"]["seconds"] / fine["used"]["answers"]
    for path in (calm / "state").glob("*.json"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_why_somebody_was_refused_is_not_on_the_ladder(calm):
    for name in ("ladder.json", "ladder.html", "ladder.ru.html"):
        text = (calm / name).read_text()
        assert "no option" not in text and "не вариантом" not in text and "no licence" not in text


@pytest.mark.parametrize("stop_at", [1, 5, 12])
def test_whoever_is_stopped_at_any_table_ends_with_the_same_ladder(tmp_path, calm, monkeypatch, stop_at):
    folder = built(tmp_path / "c", opponents=3)
    fill(folder, upto=4)
    tables = 0
    wanted = HostedContest._failing

    def failing(self, mine, name):
        nonlocal tables
        tables += 1
        if tables % stop_at == 0:
            raise OverError
        return wanted(self, mine, name)

    runs = 0
    with monkeypatch.context() as patched:
        patched.setattr(HostedContest, "_failing", failing)
        for _ in range(3):
            play(folder)
            runs += 1
    fill(folder, since=4)
    play(folder)
    assert tables >= 1 and runs == 3
    assert tool.results(folder) == tool.results(calm)
    assert states(folder) == states(calm)


def test_the_order_of_uploads_decides_and_not_when_they_are_played(tmp_path, calm):
    folder = built(tmp_path / "c", opponents=3)
    for number in range(7):
        play(folder, fill(folder, since=number, upto=number + 1))
    assert tool.results(folder) == tool.results(calm) and states(folder) == states(calm)


def test_the_commands_of_a_folder_know_that_it_is_served(calm, capsys):
    assert main(["contest", str(calm), "--status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["contest"]["results"]["ladder"]) == 6
    assert main(["contest", str(calm), "--entrant", "rogue"]) == 0
    assert "answers with no option" in capsys.readouterr().out, "whoever runs it on this machine is the organiser"


def test_a_journal_that_was_cut_short_goes_on_and_one_that_is_damaged_is_told(tmp_path, calm):
    folder = tmp_path / "c"
    shutil.copytree(calm, folder)
    journal = folder / "state" / "tables.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"name": "bot-9", "vers')
    play(folder)
    assert tool.results(folder) == tool.results(calm) and journal.read_bytes() == whole
    journal.write_bytes(b"[1]\n" + whole)
    with pytest.raises(PlaymillError, match=r"tables.jsonl is damaged in line 1"):
        HostedContest(folder)


def test_who_is_disqualified_is_off_the_ladder_and_may_come_back(tmp_path, calm):
    folder = tmp_path / "c"
    shutil.copytree(calm, folder)
    registry = Registry(folder / "state")
    registry.disqualify("bot-3", out=True)
    play(folder, registry)
    assert "bot-3" not in {one["name"] for one in standing(folder)["ladder"]}
    registry.disqualify("bot-3", out=False)
    play(folder, registry)
    assert tool.results(folder) == tool.results(calm)


def test_a_new_edition_plays_the_chosen_ones_again_and_keeps_the_old(tmp_path, calm):
    folder = tmp_path / "c"
    shutil.copytree(calm, folder)
    registry = Registry(folder / "state")
    uploads = {(one.name, number): one.id for number, one in enumerate(registry.uploads())}
    chosen = [number for (name, _), number in uploads.items() if name in ("bot-0", "bot-2")]
    registry.begin_edition(chosen)
    play(folder, registry)
    again = json.loads((folder / "state" / "edition-2" / "standing.json").read_text())
    assert {one["name"]: one["version"] for one in again["ladder"]} == {
        "bot-0": 2,
        "bot-2": 1,
        "random": 0,
        "threshold": 0,
    }
    assert len(standing(folder)["ladder"]) == 6, "what was before is still there"


def test_the_final_is_played_on_other_deals_and_tells_the_seed(tmp_path, calm):
    folder = tmp_path / "c"
    shutil.copytree(calm, folder)
    registry = Registry(folder / "state")
    registry.change({"final": True})
    play(folder, registry)
    assert standing(folder)["closed"]
    before, after = (
        {tuple(one["names"]): one["seed"] for one in tool.results(where)["pairings"]} for where in (calm, folder)
    )
    assert before.keys() == after.keys()
    changed = {names for names in before if before[names] != after[names]}
    assert changed == {names for names in before if {"bot-0", "bot-1"} & set(names)}, "those with several versions"


def test_a_newcomer_meets_the_whole_ladder_first_then_neighbours():
    rounds = list(newcomer_rounds(range(100), 100, 1, 24, lambda: 40))
    first = [group[0] for group in rounds[0]]
    assert first[0] == 0 and first[-1] == 99 and len(first) == 8, "from the top to the bottom"
    second = [group[0] for group in rounds[1]]
    assert sorted(second) == [35, 36, 37, 38, 39, 40, 41, 43], "its neighbours, but for one it has met"
    assert sum(map(len, rounds)) == 24 and len({group for groups in rounds for group in groups}) == 24
    everybody = list(newcomer_rounds(range(100), 100, 1, 0, lambda: 40))
    assert sorted(group[0] for groups in everybody for group in groups) == list(range(100))
    assert len(everybody) < 8, "few rounds"
    assert list(newcomer_rounds([], 0, 1, 5, lambda: 0)) == []


def test_a_newcomer_at_tables_of_three_meets_every_group():
    found = [group for groups in newcomer_rounds(range(5), 5, 2, 0, lambda: 0) for group in groups]
    assert len(found) == len(set(found)) == 10 and all(5 in group for group in found)
    few = [group for groups in newcomer_rounds(range(5), 5, 2, 4, lambda: 0) for group in groups]
    assert len(few) == 4


def test_a_newcomer_is_rated_by_what_it_took_from_whom():
    won, lost = np.zeros((50, 2, 2), np.uint8), np.zeros((50, 2, 2), np.uint8)
    won[:, :, 1] = lost[:, :, 0] = 1
    even = np.concatenate([won[:25], lost[:25]])
    assert placement([]) == pytest.approx(0, abs=1e-6)
    assert placement([(even, 0, (0.0, 2.0))]) == pytest.approx(2.0, abs=0.1), "as strong as whom it draws with"
    assert placement([(even, 1, (2.0, 0.0))]) == pytest.approx(2.0, abs=0.1)
    assert placement([(won, 0, (0.0, 0.0))]) > 4 and placement([(lost, 0, (0.0, 0.0))]) < -4
    three = np.concatenate([won[:75], won[:25], won[:25], lost[:25]])
    assert placement([(three, 0, (0.0, 0.0))]) == pytest.approx(np.log(3), abs=0.4)


# Languages

KIT = Path(week.__file__).parents[1] / "src" / "playmill" / "lab" / "contests" / "hosted" / "kit"
LANGUAGES = {"bot.js": "node", "bot.c": "cc", "bot.cpp": "c++", "bot.rs": "rustc", "bot.go": "go", "Bot.java": "javac"}


def with_memory(folder: Path, memory: int) -> Path:
    path = folder / "contest.toml"
    path.write_text(path.read_text().replace("memory = 128", f"memory = {memory}"))
    return folder


@pytest.mark.parametrize(("source", "needs"), LANGUAGES.items())
def test_a_bot_of_the_kit_plays_in_each_language_that_the_machine_has(tmp_path, source, needs):
    if shutil.which(needs) is None:
        pytest.skip(f"there is no {needs} here")
    folder = with_memory(built(tmp_path / "c"), 512)
    registry = Registry(folder / "state")
    registry.register("Anna", most=10)
    hand_in(registry, "Anna", (KIT / source).read_bytes(), source)
    play(folder, registry)
    assert states(folder) == {"Anna-1": "done"}
    report = json.loads((folder / "state" / "checks" / "Anna-1.json").read_text())
    assert report["failed"] == 0 and report["unused"] == 0 and report["used"]["answers"] > 0


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("int main(void) { return x; }", "undeclared"),
        ('#include "/etc/passwd"\nint main(void) { return 0; }', "Permission denied"),
        ('#include "REGISTRY"\nint main(void) { return 0; }', "Permission denied"),
        ('#include "OTHER/bot.py"\nint main(void) { return 0; }', "Permission denied"),
        ('__asm__(".incbin \\"SEED\\"");int main(void) { return 0; }', "Error:"),
    ],
)
def test_what_does_not_compile_is_refused_and_the_compiler_reaches_nothing(tmp_path, source, said):
    folder = built(tmp_path / "c")
    registry = Registry(folder / "state")
    for name in ("Anna", "Boris"):
        registry.register(name, most=10)
    state = folder / "state"
    (state / "seed.json").write_text('{"seed": 777333111}')
    other = registry.folder_of(hand_in(registry, "Anna", week.bot(tool.GOOD.format(9))))
    for word, path in (("REGISTRY", state / "registry.sqlite3"), ("OTHER", other), ("SEED", state / "seed.json")):
        source = source.replace(word, str(path))
    hand_in(registry, "Boris", source.encode(), "bot.c")
    play(folder, registry)
    assert states(folder) == {"Anna-1": "done", "Boris-1": "refused"}
    came = json.loads((state / "builds" / "Boris-1.json").read_text())
    assert said in came["output"] and came["why"]["en"] == "it does not compile" and came["language"] == "C"
    assert "root:" not in came["output"] and "answer(m" not in came["output"] and "777333111" not in came["output"]


@pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go compiler here")
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('package main\n// #include "SECRET"\nimport "C"\nfunc main() {}\n', "build constraints exclude"),
        ('package main\nimport _ "embed"\n//go:embed SECRET\nvar s string\nfunc main() { print(s) }\n', "invalid"),
        ('package main\nimport "example.com/evil"\nfunc main() { evil.Run() }\n', "cannot find package"),
        ("package main\nfunc main() { return 1 }\n", "too many return values"),
    ],
)
def test_what_go_does_not_compile_is_told_and_go_reaches_nothing(tmp_path, source, said):
    secret, place = tmp_path / "secret.txt", tmp_path / "bot"
    secret.write_text("only ours")
    place.mkdir()
    (place / "bot.go").write_text(source.replace("SECRET", str(secret)))
    language = build.language_of_source(place)
    assert language is not None
    came = build.built(place, language, memory=512)
    assert came.why is not None and said in came.output and "only ours" not in came.output


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_a_compiler_that_never_ends_or_writes_too_much_is_ended(tmp_path, monkeypatch):
    place = tmp_path / "bot"
    place.mkdir()
    (place / "bot.c").write_text("int main(void) { return 0; }")
    language = build.language_of_source(place)
    assert language is not None
    monkeypatch.setattr(build, "SECONDS", 1.0)
    endless = replace(language, words=lambda files: ["error"])
    monkeypatch.setattr(build, "_compiler", lambda name: (Path("/usr/bin/yes"), ()))
    came = build.built(place, endless, memory=64)
    assert came.why is not None and "took more than 1 s" in came.why.en and len(came.output) <= build._SAID
    monkeypatch.setattr(build, "_MOST_FILES", 3)
    monkeypatch.setattr(build, "SECONDS", 60.0)
    monkeypatch.setattr(build, "_compiler", lambda name: (Path("/bin/sh"), ()))
    many = replace(language, words=lambda files: ["-c", "i=0; while :; do i=$((i+1)); : > $i; sleep 0.01; done"])
    assert build.built(place, many, memory=64).why is not None
    assert sorted(path.name for path in place.iterdir()) == ["bot.c"], "nothing of it is kept"


def test_a_bot_reaches_nothing_of_others_nor_of_the_contest(tmp_path):
    folder = built(tmp_path / "c")
    registry = Registry(folder / "state")
    state = folder / "state"
    for name in ("Anna", "Boris"):
        registry.register(name, most=10)
    canary = "canary-of-anna"
    other = registry.folder_of(hand_in(registry, "Anna", week.bot(f"# {canary}\n{tool.GOOD.format(9)}")))
    (state / "owner.key").write_text(canary)
    reach = {"other": other / "bot.py", "bots": state / "submissions", "home": Path.home(), "store": state}
    reach |= {"rules": state / "owner.key", "seed": state / "registry.sqlite3"}
    run = week.archive_of("reader", 1)[1]
    with zipfile.ZipFile(io.BytesIO(run)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["targets.json"] = json.dumps({name: str(path) for name, path in reach.items()}).encode()
    hand_in(registry, "Boris", week.zipped(files))
    play(folder, registry)
    told = [line for path in state.rglob("*.stderr.txt") for line in path.read_text(errors="replace").splitlines()]
    attempts = [one for one in map(json.loads, told) if "attempt" in one]
    assert len(attempts) > 60 and [one for one in attempts if "stopped" not in one] == []
    assert not any(canary in line for line in told)


def test_tables_that_are_played_ahead_change_nothing_of_the_ladder(tmp_path, monkeypatch):
    """Of many cores those without work play for who waits; the ladder is that of one core."""
    found, ahead = {}, []
    play = contest.play_together

    def noted(wanted):
        ahead.append(len({id(event) for event, _ in wanted}))
        play(wanted)

    monkeypatch.setattr(contest, "play_together", noted)
    for workers in (1, 6):
        folder = built(tmp_path / str(workers), opponents=3)
        registry = Registry(folder / "state")
        for name, file, data in week.Plan(6, 14).all():
            if name not in {one.name for one in registry.accounts()}:
                registry.register(name, most=100)
            try:
                hand_in(registry, name, data, file)
            except RefusedError:
                continue
        HostedContest(folder, registry, workers=workers, interpreted=True).run()
        found[workers] = (tool.results(folder), states(folder))
        assert not ahead or workers > 1
    assert found[1] == found[6] and found[1][0]["ladder"]
    assert max(ahead) > 1, "nobody's tables were played beside another's"


def test_how_many_play_ahead():
    assert [played_ahead(cores, 20, 20, 200) for cores in (1, 2, 8, 16, 64)] == [1, 1, 1, 2, 8]
    assert played_ahead(2, 1, 4, 1) == 4  # hardly anybody is there: one table each


def test_an_organiser_is_told_what_everybody_against_everybody_takes(tmp_path):
    rules = read_rules(built(tmp_path / "c"))
    assert quadratic(rules, 20, 2, 0.1) is None
    told = quadratic(replace(rules, deals=20), 300, 2, 0.08)
    assert (
        "300 entrants, everybody against everybody, are 44" in told.en and "19" in told.en and "rounds = 20" in told.en
    )
    assert "каждый с каждым" in told.ru and "rounds = 20" in told.ru
    assert "opponents = 20" in quadratic(rules, 300, 2, None, served=True).en
    assert quadratic(replace(rules, rounds=5), 300, 2, None) is None


def test_it_is_told_before_they_play(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(estimate, "MANY_TABLES", 3)
    monkeypatch.setattr(estimate, "_ENOUGH", 1)
    tool.build(tmp_path, (3, 6, 9), [], deals=1, target=10, move=5.0)
    Contest(tmp_path, interpreted=True).run()
    told = capsys.readouterr().err
    assert "everybody against everybody, are 3 tables of 1 deals, about" in told and told.count("everybody") == 2
