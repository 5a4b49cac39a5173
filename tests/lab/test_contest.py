"""`contest`: what is handed in, what becomes of it, and a ladder that does not mind who misbehaves."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import misbehaving as tool
import pytest

from playmill import PlaymillError, load_game
from playmill.cli import main
from playmill.lab.contests.bot_check import check_bot
from playmill.lab.contests.contest import Contest
from playmill.lab.contests.contest.intake import Intake
from playmill.lab.contests.contest.rules import read_rules
from playmill.lab.contests.contest.submissions import SubmissionState, SubmissionStore
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.runs.kept_work import kept_works

PIG = json.dumps(str(tool.ROOT / "examples" / "pig"))


def built(folder: Path, good=(5, 15), bad=(), **how) -> Path:
    tool.build(folder, good, bad, **{"deals": 2, "target": 12, "move": 20.0, **how})
    return folder


def states(folder: Path) -> dict[str, str]:
    return {name: one["state"] for name, one in tool.submissions(folder).items()}


def run(folder: Path):
    return Contest(folder, interpreted=True).run()


def test_others_stand_as_without_those_who_misbehave_and_nothing_is_left_running(tmp_path):
    everybody = built(tmp_path / "all", bad=["crash-at-start", "nonsense", "fork-bomb"])
    # What goes wrong now and then would need many games: here it does so always.
    tool.write_bot(everybody, "nonsense", tool.ALWAYS.format("answer(m, 77)"))
    decent = built(tmp_path / "decent")
    run(everybody)
    run(decent)
    assert states(everybody) == {
        "crash-at-start": "refused",
        "nonsense": "refused",
        "fork-bomb": "refused",
        "hold-15": "done",
        "hold-5": "done",
    }
    assert tool.results(everybody) == tool.results(decent)
    assert tool.left_running(tmp_path) == []
    told = tool.submissions(everybody)
    # In the words of `bot check`, which has the same table: where it was first, what it wrote, and how often. (Where it
    # was differs from one machine to the next: the command of a bot, and with it its luck, names Python by its path.)
    pig = load_game(str(tool.ROOT / "examples" / "pig"))
    found = check_bot(
        pig, str(everybody / "entrants" / "nonsense"), players=2, config=pig.config(target=12), games=4, seed=2026
    )
    (why,) = found.complaints()
    assert why.en.startswith("it answers with no option: deal 0, seat 1, decision 1: wrote ")
    alike = told["nonsense"]["why"]
    for lang, place in (("en", r"deal \d, seat \d"), ("ru", r"раздача \d, место \d")):
        words = [re.escape(part) for part in re.split(place, why.of(lang).partition(" (")[0])]
        assert len(words) == 2 and re.search(place.join(words), alike[lang])
    assert re.search(r"\(\d times\)$", alike["en"]) and found.repeats is None
    assert "it ends in the middle: deal " in told["crash-at-start"]["why"]["en"]
    assert "no licence found" in told["crash-at-start"]["why"]["en"]
    assert "сбой во всех" in told["nonsense"]["why"]["ru"]
    # On the ladder's page, and what there is to see of one.
    page = (everybody / "ladder.ru.html").read_text(encoding="utf-8")
    assert "Не на лестнице" in page and "Заявки" in page and "playmill watch" in page
    looked = Contest(everybody, interpreted=True).look_at("crash-at-start")
    assert looked.state == "refused" and looked.tables[0].failed > 0
    assert Path(looked.tables[0].complaints or "").read_text(encoding="utf-8").startswith("no licence")
    assert all(Path(path).is_file() for path in looked.tables[0].games)


def test_a_contest_that_was_killed_goes_on_and_a_new_version_is_a_new_submission(tmp_path, monkeypatch):
    whole = built(tmp_path / "whole", good=(5, 15))
    run(whole)
    broken = built(tmp_path / "broken", good=(5, 15))
    plain = Contest._played

    def dies(self, *_):
        raise RuntimeError("killed")

    monkeypatch.setattr(Contest, "_played", dies)
    with pytest.raises(RuntimeError):
        run(broken)
    assert [one.state for one in SubmissionStore(broken / "state").all] == [
        SubmissionState.PLAYING,
        SubmissionState.QUEUED,
    ]
    monkeypatch.setattr(Contest, "_played", plain)
    run(broken)
    assert tool.results(broken) == tool.results(whole)
    # It may move: what it played is known by what was handed in.
    moved = tmp_path / "moved"
    broken.rename(moved)
    broken = moved
    with monkeypatch.context() as patch:
        patch.setattr("playmill.lab.contests.tournament.event.play_deals", lambda *_: pytest.fail("it is known"))
        run(broken)
    assert tool.results(broken) == tool.results(whole)
    # The same content again is nothing new; other content is another version, and the ladder has that.
    before = (broken / "state" / "submissions.jsonl").read_bytes()
    run(broken)
    assert (broken / "state" / "submissions.jsonl").read_bytes() == before
    tool.write_bot(broken, "hold-5", tool.GOOD.format(8))
    standing = run(broken)
    assert [(one.version, one.state, one.present) for one in standing.submissions if one.name == "hold-5"] == [
        (1, "done", False),
        (2, "done", True),
    ]
    assert tool.results(broken) != tool.results(whole)
    # A version that fails leaves the last good one on the ladder.
    tool.write_bot(broken, "hold-5", tool.BAD["crash-at-start"])
    standing = run(broken)
    assert standing.ladder is not None and {rung.name for rung in standing.ladder.rungs} == {"hold-5", "hold-15"}


def test_who_fails_now_and_then_is_refused_when_it_is_too_often(tmp_path):
    folder = built(tmp_path, good=(5,), bad=["crash-in-the-middle"], deals=12, target=25)
    standing = run(folder)
    (bad,) = [one for one in standing.submissions if one.name == "crash-in-the-middle"]
    assert bad.state == "refused" and bad.why is not None
    assert bad.why.en.endswith("games: it ends in the middle: was ended by SIGABRT")


def test_status_and_entrants_are_shown_without_playing(tmp_path, capsys, monkeypatch):
    folder = built(tmp_path, good=(5,))
    (folder / "contest.toml").write_text(
        (folder / "contest.toml").read_text(encoding="utf-8").replace("seed = 2026", 'house = ["random"]'),
        encoding="utf-8",
    )
    assert main(["contest", str(folder), "--status"]) == 0
    assert "Nobody has handed in anything yet." in capsys.readouterr().out
    standing = run(folder)
    assert standing.ladder is not None
    monkeypatch.setattr(
        "playmill.lab.contests.tournament.event.play_deals", lambda *_: pytest.fail("it is to look only")
    )
    assert main(["contest", str(folder), "--status", "--lang", "ru"]) == 0
    told = capsys.readouterr().out
    assert "Лестница" in told and "готово" in told
    assert main(["contest", str(folder), "--entrant", "hold-5"]) == 0
    assert "playmill watch" in capsys.readouterr().out
    assert main(["contest", str(folder), "--entrant", "nobody"]) == 2
    assert "the contest has no entrant 'nobody'; it has hold-5" in capsys.readouterr().err


def published(folder: Path) -> str:
    """All that entrants may be shown of how a contest stands."""
    return "".join(
        (folder / name).read_text(encoding="utf-8") for name in ("ladder.json", "ladder.html", "ladder.ru.html")
    )


def test_the_seed_is_a_secret_until_the_contest_is_closed_and_then_it_stays_closed(tmp_path, capsys):
    folder = built(tmp_path, good=(5,), deals=1)
    rules = folder / "contest.toml"
    drawn = rules.read_text(encoding="utf-8").replace("seed = 2026", 'house = ["random"]')
    rules.write_text(drawn, encoding="utf-8")
    run(folder)
    seed = Contest(folder).seed()
    assert seed == Contest(folder).seed() and str(seed) not in published(folder)
    meta = json.loads((folder / "ladder.json").read_bytes())["contest"]["meta"]
    assert meta["seed"] is None and meta["seed_sha256"] == hashlib.sha256(str(seed).encode()).hexdigest()
    assert "пока секрет" in published(folder)
    # What comes late is not taken, and now the seed is told.
    tool.write_bot(folder, "late", tool.GOOD.format(8))
    rules.write_text("closed = true\n" + drawn, encoding="utf-8")
    assert [one.name for one in run(folder).submissions] == ["hold-5"]
    assert json.loads((folder / "ladder.json").read_bytes())["contest"]["meta"]["seed"] == seed
    assert main(["contest", str(folder), "--status"]) == 0
    told = capsys.readouterr().out
    assert str(seed) in "".join(told.split()) and "closed: nothing new is taken" in told
    rules.write_text(drawn, encoding="utf-8")
    with pytest.raises(PlaymillError, match="was closed and its seed told"):
        run(folder)


def test_a_new_version_meets_new_deals_and_who_has_no_versions_the_same_as_ever(pig):
    def pairing_seed(*codes: str | None) -> int:
        entrants = tuple(Entrant(name, "random", code) for name, code in zip("ab", codes, strict=True))
        return Pairing(pig, "examples/pig", RuleSetting("", pig.config()), entrants, 7).seed

    codes = [("1", "2"), ("1", "3"), ("3", "2"), (None, "2"), (None, None)]
    assert len({pairing_seed(*both) for both in codes}) == 5
    assert pairing_seed("1", "2") == pairing_seed("1", "2")
    assert pairing_seed(None, None) == 1446013306415391229, "kept tournaments go on"


def test_links_and_odd_names_are_refused(tmp_path):
    folder = built(tmp_path, good=(5,))
    (folder / "entrants" / "hold-5" / "secret").symlink_to("/etc/passwd")
    (folder / "entrants" / "empty").mkdir()
    run(folder)
    told = tool.submissions(folder)
    assert "secret is a link" in told["hold-5"]["why"]["en"]
    assert "the folder holds no bot.toml" in told["empty"]["why"]["en"]
    assert Intake(folder).look_into("entrants").code != Intake(folder).look_into("state").code


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", 'there is no line game = "…"'),
        ("game = 3", "game is 3; expected the name of a game"),
        ('game = "../no/pig"', "game is '../no/pig', and there is no folder '"),
        (f"game = {PIG}\nset = ['nothing=3']", "contest.toml: set nothing: config has no 'nothing'"),
        (f"game = {PIG}\nsettings = [['nothing=3']]", "contest.toml: settings nothing: config has no 'nothing'"),
        ('game = "chess"', "there is no game 'chess'"),
        (f"game = {PIG}\nplayers = 3", "players is 3; expected 2 … 2"),
        (f"game = {PIG}\ndeals = 0", "deals is 0; expected a whole number"),
        (f"game = {PIG}\nclosed = 1", "closed is 1; expected true or false"),
        (f"game = {PIG}\ndeal = 5", "there is no key 'deal'; there are: game, players, deals"),
        (f"game = {PIG}\nset = 'target=5'", "set is 'target=5'; expected a list of texts"),
        (f"game = {PIG}\nset = ['goal=5']", "goal"),
        (f"game = {PIG}\nhouse = ['clever']", "house: pig has no agent 'clever'"),
        (f"game = {PIG}\n[limits]\nmove = 'long'", "limits.move is 'long'; expected a number from 0.01 to 3600"),
        (f"game = {PIG}\n[limits]\nspeed = 1", "there is no key 'limits.speed'"),
        (f"game = {PIG}\n[forfeits]\nrule = 'death'", 'forfeits.rule is \'death\'; expected "loss" or "random"'),
        (f"game = {PIG}\n[forfeits]\nmost = 2", "forfeits.most is 2; expected a share from 0 to 1"),
        ("game = ", "not TOML"),
    ],
)
def test_every_key_is_checked_with_one_sentence(tmp_path, capsys, text, told):
    (tmp_path / "contest.toml").write_text(text, encoding="utf-8")
    with pytest.raises(PlaymillError) as error:
        read_rules(tmp_path)
    assert told in error.value.text.en
    assert error.value.text.ru != error.value.text.en or "chess" in text
    assert main(["contest", str(tmp_path)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_new_contest_can_be_played_at_once_and_is_not_written_over(tmp_path, capsys):
    folder = tmp_path / "mine"
    line = ["contest", str(folder), "--new", "examples/pig", "--lang", "ru"]
    assert main(line) == 0
    assert "Соревнование" in (folder / "contest.toml").read_text(encoding="utf-8")
    rules = read_rules(folder)
    assert rules.game.name == "pig" and [one.name for one in rules.house] == ["random"]
    (folder / "contest.toml").write_text(
        (folder / "contest.toml").read_text(encoding="utf-8").replace("deals = 20", 'deals = 1\nset = ["target=10"]'),
        encoding="utf-8",
    )
    standing = run(folder)
    assert [(one.name, one.state) for one in standing.submissions] == [("first", "done")]
    assert main(line) == 2
    assert "уже есть соревнование" in capsys.readouterr().err


def test_the_example_is_a_contest():
    folder = tool.ROOT / "examples" / "contest"
    rules = read_rules(folder)
    assert rules.limits.forfeit and rules.size == 2
    assert {path.name for path in (folder / "entrants").iterdir()} == {"chancer", "patient"}


def test_a_folder_without_rules_is_no_contest(tmp_path, capsys):
    assert main(["contest", str(tmp_path)]) == 2
    assert "is no contest: it has no contest.toml" in capsys.readouterr().err


def test_a_contest_of_rounds_is_played_by_neighbours_and_depends_on_who_is_there_alone(tmp_path):
    """Whoever came first, or was refused on the way: the ladder is that of the field."""
    holds = (2, 4, 6, 8, 10)
    for place, first, bad in (("together", holds, ["nonsense"]), ("one by one", holds[3:], [])):
        built(tmp_path / place, good=first, bad=bad)
        rules = tmp_path / place / "contest.toml"
        rules.write_text("rounds = 2\n" + rules.read_text(encoding="utf-8"), encoding="utf-8")
    tool.write_bot(tmp_path / "together", "nonsense", tool.ALWAYS.format("answer(m, 77)"))
    run(tmp_path / "together")
    for hold in (None, *holds[:3]):
        if hold is not None:
            tool.write_bot(tmp_path / "one by one", f"hold-{hold}", tool.GOOD.format(hold))
        standing = run(tmp_path / "one by one")
    assert states(tmp_path / "together") == {"nonsense": "refused", **{f"hold-{hold}": "done" for hold in holds}}
    assert tool.results(tmp_path / "together") == tool.results(tmp_path / "one by one")
    assert standing.ladder is not None and standing.ladder.run.complete
    assert standing.ladder.run.games == standing.ladder.run.requested == 2 * 2 * 2 * 2, "two tables a round"
    again = Contest(tmp_path / "one by one", interpreted=True).standing().json()
    assert again["contest"]["results"] == standing.json()["contest"]["results"]
    listed = next(works for works in kept_works() if works.kind == "contest" and works.folder.parent.name == "contests")
    assert listed.complete and listed.done == 16
