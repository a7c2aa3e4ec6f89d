"""A battle at the tablet: its file is that of the commands, and every step can be taken back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import cast

import pytest
from aid_scene import data_of
from desks import OWN, desk_of, phone_of, running
from starlette.testclient import TestClient

from printkit.cli.app import run
from printkit.core.errors import ScenarioError, UsageError
from printkit.core.words import IN_ENGLISH, find_words
from printkit.studio import battles
from printkit.studio.app_guards import POLICY
from printkit.studio.battles import Battles, NewBattle, _loss_arguments, armies, battle_rules
from printkit.systems.solo.tactics.aid_log import SCHEMA

OUTPUT = battles._output
NAME = "gallic-polybian-roman"
LINE = "1xCv (Gen), 6x4Wb, 5xPs; hilly, aggression 2"


@pytest.fixture(scope="module", autouse=True)
def here() -> Iterator[None]:
    """Run the commands of a battle in this process, where each would take a start of its own."""

    def output(words: Sequence[str]) -> str:
        with redirect_stdout(TextIOWrapper(BytesIO(), encoding="utf-8")) as told, redirect_stderr(StringIO()) as wrong:
            if run(["npg", *words]):
                raise UsageError("{told}", told=wrong.getvalue().strip())
            told.flush()
            return cast(BytesIO, told.buffer).getvalue().decode()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(battles, "_output", output)
        yield


def test_refusals_are_told_in_the_words_of_the_command_and_losses_are_numbers(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.toml"):
        OUTPUT(["show", str(tmp_path / "nowhere.toml"), "--lang=en"])
    assert _loss_arguments({"npg": "2", "you": "", "camp-you": "on"}) == ["--lost=2,0", "--camp-lost=you"]
    assert _loss_arguments({}) == []
    with pytest.raises(UsageError, match="not a number of elements"):
        _loss_arguments({"npg": "many"})


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Path]]:
    """Return a browser at a studio with a battle whose ground lies."""
    out = tmp_path_factory.mktemp("battles")
    with running(out) as browser:
        answer = browser.post("/battle", data={"npg": "gallic", "you": "polybian-roman", "field": ""}, headers=OWN)
        assert answer.headers["location"] == f"/battle/{NAME}"
        path = out / "battles" / f"{NAME}.toml"
        path.write_text(re.sub(r"^seed = \d+", "seed = 11", path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
        yield browser, path


def test_a_battle_is_played_and_taken_back_as_by_the_commands(begun: tuple[TestClient, Path]) -> None:
    browser, path = begun
    assert browser.post(f"/battle/{NAME}/deploy", data={}, headers=OWN).status_code == 422
    assert browser.post(f"/battle/{NAME}/nothing", data={}, headers=OWN).status_code == 422
    for stage, told in (("terrain", "SD-3"), ("edge", "SD-4"), ("deploy", "SD-4.7")):
        assert browser.post(f"/battle/{NAME}/{stage}", data={}, headers=OWN).status_code == 303
        assert told in browser.get(f"/battle/{NAME}").text
    first = browser.post(f"/battle/{NAME}/bound", data={}, headers=OWN)
    assert first.status_code == 303
    log = path.with_suffix(".json").read_bytes()
    lost = {"npg": "1", "you": "2", "dice": "2 5"}
    assert browser.post(f"/battle/{NAME}/bound", data=lost, headers=OWN).status_code == 303
    page = browser.get(f"/battle/{NAME}").text
    assert "Bound 2: 2 PIPs" in page
    assert re.search(r'name="you" value="2" min="0" max="\d+"', page)
    played = Battles(desk_of(browser))
    at = played.standing(NAME, IN_ENGLISH)
    assert [bound.number for bound in at.bounds] == [1, 2]
    assert at.bounds[-1].why.startswith("5 ")
    assert [move.clause[:6] for move in at.moves] == ["SD-5.3"] * len(at.moves)
    assert all(move.meaning and move.title for move in at.moves)
    assert browser.post(f"/battle/{NAME}/back", data={"to": "7"}, headers=OWN).status_code == 422
    assert browser.post(f"/battle/{NAME}/back", data={"to": "1"}, headers=OWN).status_code == 303
    assert path.with_suffix(".json").read_bytes() == log
    played.back(NAME, IN_ENGLISH)
    assert played.standing(NAME, IN_ENGLISH).bounds == ()
    desk = browser.post(f"/battle/{NAME}/field", headers=OWN)
    assert desk.headers["location"].startswith("/field/")


def test_what_was_played_on_the_phone_is_brought_back(begun: tuple[TestClient, Path]) -> None:
    browser, path = begun
    out = path.with_name("aid.html")
    assert run(["npg", "aid", str(path), "--out", str(out), "--force", "--lang", "en"]) == 0
    tree = {"schema": SCHEMA, "battle": data_of(out.read_text("utf-8"))["key"], "seed": "11", "npg": "Gallic"}
    events = [
        {"what": "level", "level": "defensive", "die": 2, "by": "battle"},
        {"what": "bound", "pips": 5, "die": 6, "by": "battle"},
    ]
    log = json.dumps({**tree, "you": "Polybian Roman, later", "events": events})
    before = path.with_suffix(".json").read_bytes() if path.with_suffix(".json").exists() else b""
    for wrong in ("", "{}", "no log"):
        assert browser.post(f"/battle/{NAME}/from-aid", data={"log": wrong}, headers=OWN).status_code == 422
    assert browser.post(f"/battle/{NAME}/from-aid", data={"log": log}, headers=OWN).status_code == 303
    (bound,) = Battles(desk_of(browser)).standing(NAME, IN_ENGLISH).bounds
    assert (bound.pips, bound.die) == (5, 6)
    if before:
        path.with_suffix(".json").write_bytes(before)
    else:
        path.with_suffix(".json").unlink()


@pytest.mark.clause("SD-5.1-act03", "AMB-41")
def test_chances_of_an_attack_are_looked_up_or_ones_own_tell_which_it_is(begun: tuple[TestClient, Path]) -> None:
    browser, _ = begun
    page = browser.get(f"/battle/{NAME}?attacker=Kn&defender=Ax").text
    found = battle_rules().odds("Kn", "Ax", IN_ENGLISH)
    assert f"destroys in {found.kill} of 36 rolls, and is destroyed in {found.die}." in page
    assert found.kill > found.die > 0
    assert found.attack == "Calculated Attack"
    assert found.attack in page
    assert browser.get(f"/battle/{NAME}?attacker=Kn&defender=../x").status_code == 422
    told = battle_rules().own_odds("1/2, 1/12", IN_ENGLISH)
    own = browser.get(f"/battle/{NAME}", params={"chances": "1/2, 1/12"})
    assert own.status_code == 200
    assert f"<b>{told}</b>" in own.text
    wrong = browser.get(f"/battle/{NAME}", params={"chances": "half"})
    assert wrong.status_code == 422
    assert "1/6,1/12" in wrong.text


def test_the_table_aid_is_served_by_its_link_and_who_asks_for_another_makes_none(
    begun: tuple[TestClient, Path],
) -> None:
    browser, _ = begun
    link = Battles(desk_of(browser)).link(NAME)
    assert f"/aid/{link}" in browser.get(f"/battle/{NAME}").text
    answer = browser.get(f"/aid/{link}")
    assert answer.status_code == 200
    assert "table-aid-" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    assert browser.get(f"/aid/{link}x").status_code == 404
    assert browser.get(f"/aid/{link}x").headers["content-security-policy"] == POLICY
    phone = phone_of(browser)
    assert phone.get(f"/aid/{link}").status_code == 200
    assert phone.get(f"/battle/{NAME}").status_code == 404
    assert browser.post(f"/battle/{NAME}/link", headers=OWN).status_code == 303
    assert phone.get(f"/aid/{link}").status_code == 404
    assert phone.get(f"/aid/{Battles(desk_of(browser)).link(NAME)}").status_code == 200
    browser, path = begun
    out, other = path.parents[1], path.with_name("a-battle-that-nobody-was-shown.toml")
    other.write_bytes(path.read_bytes())

    def kept() -> dict[Path, bytes]:
        return {each: each.read_bytes() for each in out.rglob("*") if each.is_file()}

    before = kept()
    for guess in ("x", "0" * 22, "%20"):
        assert browser.get(f"/aid/{guess}").status_code == 404
    assert kept() == before
    other.unlink()


def test_facts_of_the_board_are_written_into_the_file(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_text(
        'schema = "dba-battle/1"\nnpg = "gallic"\nyou = "polybian-roman"\nseed = 11\n'
        'attacker = "npg"\n[board]\n# npg_edge = "far"\n[facts]\n# near.zone_clear = true\n',
        encoding="utf-8",
    )
    added = battle_rules()
    at = added.standing(path, IN_ENGLISH)
    names = [fact.name for fact in at.facts]
    assert "bua" in names
    assert at.next_stage == "terrain"
    assert added.standing(path, find_words("es")).facts[0].question != at.facts[0].question
    added.tell_fact(path, "bua", "near-left")
    added.tell_fact(path, "near.zone_clear", "yes")
    added.tell_fact(path, "you_reserved_landing", "2")
    added.tell_fact(path, "near.zone_clear", "no")
    after = {fact.name: fact.given for fact in added.standing(path, IN_ENGLISH).facts}
    assert (after["bua"], after["near.zone_clear"], after["you_reserved_landing"]) == ("near-left", "no", "2")
    assert path.read_text("utf-8").count("near.zone_clear") == 2
    added.tell_fact(path, "bua", "")
    assert "bua = " not in path.read_text("utf-8")
    before = path.read_bytes()
    for name, answer in (("bua", "somewhere"), ("nothing", "yes"), ("near.zone_clear", "maybe")):
        with pytest.raises(ScenarioError, match="facts"):
            added.tell_fact(path, name, answer)
    assert path.read_bytes() == before
    added.tell_edge(path, "left")
    assert 'npg_edge = "left"' in path.read_text("utf-8")
    with pytest.raises(UsageError, match="no edge"):
        added.tell_edge(path, "up")


def test_an_army_of_ones_own_is_a_line_or_a_file(tmp_path: Path) -> None:
    own = f'schema = "dba-army/1"\nname = "Hill/../tribes"\nhome = "hilly"\naggression = 2\nlist = "{LINE[:24]}"\n'
    with running(tmp_path) as browser:
        sent = {"own-npg": own.replace(LINE[:24], LINE.split(";")[0]), "own-you": LINE, "scale": "25mm"}
        answer = browser.post("/battle", data=sent, headers=OWN)
        assert answer.headers["location"] == "/battle/own-own"
        text = (tmp_path / "battles" / "own-own.toml").read_text("utf-8")
        assert 'npg = "armies/hill-tribes.toml"' in text
        assert f'you = "Your army: {LINE}"' in text
        assert 'scale = "25mm"' in text
        assert "Hill/../tribes" in Battles(desk_of(browser)).standing("own-own", IN_ENGLISH).npg
        wrong = browser.post("/battle", data={**sent, "own-npg": own.replace("hilly", "seaside")}, headers=OWN)
        assert wrong.status_code == 422
        assert "seaside" in wrong.text
        assert [path.name for path in (tmp_path / "battles" / "armies").iterdir()] == ["hill-tribes.toml"]


def test_a_list_in_plain_words_is_checked_answered_and_played_under_its_name(tmp_path: Path) -> None:
    sent = {"npg": "gallic", "own-you": "6 warband, general, 5 psiloi, 1 cavalry; hilly, aggression 2"}
    sent["name-you"] = "Caesar's Gauls"
    with running(tmp_path) as browser:
        wrong = browser.post("/battle", data=sent, headers=OWN)
        assert wrong.status_code == 422
        assert "Nearly:" in wrong.text
        assert "<td>Wb, Warband</td>" in wrong.text
        (answer,) = re.findall(r'name="answer-you" value="([^"]*1 cavalry \(general\)[^"]*)"', wrong.text)
        checked = browser.post("/battle", data={**sent, "answer-you": answer}, headers=OWN)
        assert checked.status_code == 200
        assert "Nearly:" not in checked.text
        assert browser.post("/battle", data={**sent, "own-you": answer, "check": "you"}, headers=OWN).status_code == 200
        assert Battles(desk_of(browser)).names() == ()
        begun = browser.post("/battle", data={**sent, "own-you": answer}, headers=OWN)
        assert "Caesar&#39;s Gauls" in browser.get(begun.headers["location"]).text


@pytest.mark.parametrize(
    "sent",
    [
        {"npg": "/etc/passwd", "you": "gallic"},
        {"npg": "gallic", "you": "--out=/tmp"},
        {"npg": "gallic", "you": "gallic", "field": "../x"},
        {"npg": "gallic", "own-you": "/etc/passwd"},
        {"npg": "gallic", "own-you": "../../somewhere.toml"},
        {"npg": "gallic", "you": "gallic", "scale": "1:1"},
    ],
)
def test_no_file_is_named_by_a_page(tmp_path: Path, sent: dict[str, str]) -> None:
    with running(tmp_path) as browser:
        assert browser.post("/battle", data=sent, headers=OWN).status_code == 422
        assert browser.get("/battle/..%2fx").status_code == 404
        assert Battles(desk_of(browser)).names() == ()
        with pytest.raises(UsageError):
            Battles(desk_of(browser)).new(NewBattle(npg="gallic", you="nobody"), IN_ENGLISH)
    assert "gallic" in armies()
