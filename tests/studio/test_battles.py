"""A battle at the tablet: its file is that of the commands, and every step can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import OWN, desk_of, running

from printkit.core.errors import UsageError
from printkit.core.words import IN_ENGLISH
from printkit.studio.battles import Battles, _losses, _write_edge, armies


def test_a_battle_is_played_and_taken_back_as_by_the_commands(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        begun = browser.post("/battle", data={"npg": "marian-roman", "you": "gallic", "field": ""}, headers=OWN)
        assert begun.headers["location"] == "/battle/marian-roman-gallic"
        early = browser.post("/battle/marian-roman-gallic/deploy", data={}, headers=OWN)
        assert early.status_code == 422
        assert browser.post("/battle/marian-roman-gallic/terrain", data={}, headers=OWN).status_code == 303
        page = browser.get("/battle/marian-roman-gallic").text
        assert "SD-3" in page
        battles = Battles(desk_of(browser))
        files = sorted(path.name for path in (tmp_path / "battles").iterdir() if not path.name.startswith("."))
        assert "marian-roman-gallic.toml" in files
        battles.back("marian-roman-gallic", IN_ENGLISH)
        with pytest.raises(UsageError):
            battles.play("marian-roman-gallic", "deploy", {}, IN_ENGLISH)
        assert browser.post("/battle/marian-roman-gallic/nothing", data={}, headers=OWN).status_code == 422


@pytest.mark.parametrize(
    "sent",
    [
        {"npg": "/etc/passwd", "you": "gallic"},
        {"npg": "gallic", "you": "--out=/tmp"},
        {"npg": "gallic", "you": "gallic", "field": "../x"},
    ],
)
def test_no_file_is_named_by_a_page(tmp_path: Path, sent: dict[str, str]) -> None:
    with running(tmp_path) as browser:
        assert browser.post("/battle", data=sent, headers=OWN).status_code == 422
        assert browser.get("/battle/..%2fx").status_code == 404
        assert Battles(desk_of(browser)).names() == ()
    assert "gallic" in armies()


def test_the_edge_of_a_defending_general_is_written_into_the_file(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_text('[board]\n# npg_edge = "far"\n', encoding="utf-8")
    _write_edge(path, "left")
    assert path.read_text(encoding="utf-8") == '[board]\nnpg_edge = "left"\n'
    with pytest.raises(UsageError, match="no edge"):
        _write_edge(path, "up")


def test_losses_are_numbers() -> None:
    assert _losses({"npg": "2", "you": "", "camp-you": "on"}) == ["--lost=2,0", "--camp-lost=you"]
    assert _losses({}) == []
    with pytest.raises(UsageError, match="no number of elements"):
        _losses({"npg": "many"})
