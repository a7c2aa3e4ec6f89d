"""Paths that stand inside a file: they stay in its folder, whichever file and whichever field it is."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from command_lines import Captured
from imports import PACKAGE, parsed, sources

from printkit.cli.app import run
from printkit.core.errors import ResourceError
from printkit.core.paths import resolve_sibling

HERE = "home"
"""The folder of the file that names another one; what it may not reach is beside this folder."""

BATTLE = 'schema = "dba-battle/1"\nnpg = "gallic"\nyou = "viking"\nseed = 3\n'
LEAGUE = 'schema = "printkit-league/2"\nname = "a"\nrules = "acw"\n'
DEFENDER = 'rules = "collision-course"\n[army]\ndefender = "{}"\n'
GOING = 'rules = "acw"\n[settings]\ngoing = "{}"\n'
ARMY = "1xCv (Gen), 6x4Wb, 5xPs; hilly, aggression 2"


def _toml(path: str) -> str:
    return json.dumps(path, ensure_ascii=False)[1:-1]


def battle(text: str) -> Callable[[str], list[str]]:
    """Return what writes a battle with a path in it, and the command that opens it."""

    def write(path: str) -> list[str]:
        key = text.split("=")[0].split("\n")[-1].strip()
        rest = "".join(line for line in BATTLE.splitlines(keepends=True) if not line.startswith(f"{key} ="))
        Path(HERE, "b.toml").write_text(rest + text.replace("{}", _toml(path)), encoding="utf-8")
        return ["npg", "show", f"{HERE}/b.toml"]

    return write


def log(path: str) -> list[str]:
    """Write the log of a battle that names a map."""
    Path(HERE, "b.toml").write_text(BATTLE, encoding="utf-8")
    kept = {"schema": "dba-battle-log/1", "stages": {"terrain": {"results": {"map": path}}}}
    Path(HERE, "b.json").write_text(json.dumps(kept), encoding="utf-8")
    return ["npg", "show", f"{HERE}/b.toml"]


def written(name: str, text: str, *command: str) -> Callable[[str], list[str]]:
    """Return what writes a file with a path in it, and the command that opens it."""

    def write(path: str) -> list[str]:
        inside = _toml(path) if name.endswith(".toml") else path
        Path(HERE, name).write_text(text.replace("{}", inside), encoding="utf-8")
        return [*command]

    return write


def scenario(text: str, *command: str) -> Callable[[str], list[str]]:
    """Return what writes a scenario with a path in it, and the command that plays it."""
    return written("s.toml", text, *(command or ("map", "--seed", "1", "--plan")), "--scenario", f"{HERE}/s.toml")


def answers(line: str) -> Callable[[str], list[str]]:
    """Return what writes a log of answers with a setting that is a path, and the command that plays it."""
    return written("log.txt", f"{line}\n", "map", "--seed", "1", "--plan", "--dice", f"@{HERE}/log.txt")


def league(text: str, command: str = "add") -> Callable[[str], list[str]]:
    """Return what writes a league with a path in it, and the command that opens it."""
    return written("league.toml", LEAGUE + text, "league", command, HERE, "--quiet")


def league_1(text: str, command: str) -> Callable[[str], list[str]]:
    """Return what writes a league of format 1 with a path in it, and the command that opens it."""
    return written("league.toml", LEAGUE.replace("/2", "/1") + text, "league", command, HERE, "--quiet")


FIELDS: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "battle, npg": ("npg", battle('npg = "{}"\n')),
    "battle, you": ("you", battle('you = "{}"\n')),
    "battle, map": ("map", battle('[board]\nmap = "{}"\n')),
    "log of a battle, map": ("map", log),
    "scenario, defender": ("defender", scenario(DEFENDER)),
    "scenario, attacker": ("attacker", scenario('rules = "collision-course"\n[army]\nattacker = "{}"\n')),
    "game of columns": ("defender", written("s.toml", DEFENDER, "columns", "show", f"{HERE}/s.toml")),
    "scenario, going": ("profile", scenario(GOING)),
    "scenario, key of going": ("profile", scenario('rules = "acw"\n[settings]\nac-q23 = "{}"\n')),
    "scenario, profile": ("profile", scenario('rules = "dba3"\n[settings]\nprofile = "{}"\n')),
    "scenario, npg": ("npg", scenario('rules = "solo-dba"\n[settings]\nnpg = "{}"\n')),
    "scenario, you": ("you", scenario('rules = "solo-dba"\n[settings]\nyou = "{}"\n')),
    "scenario of a hexon plan": ("profile", scenario(GOING, "hexon", "--seed", "1", "--plan")),
    "log of answers, going": ("profile", answers("# rules acw\n# set going {}\nz1 | a | d6 | 1")),
    "log of answers, npg": ("npg", answers("# rules solo-dba\n# set npg {}\narmies | a | d6 | 1")),
    "league, sheet": ("print --sheet", league('print = ["--sheet={}"]\n', "show")),
    "league, paper of a sheet": ("print --sheet", league('print = ["--sheet", "{}:wide"]\n', "show")),
    "league, style": ("print --style", league('print = ["--style={}"]\n', "show")),
    "league, shared box": ("shared_box", league('shared_box = "{}"\n')),
    "league, sheet in format 1": ("print --sheet", league_1('sheet = "{}"\n', "show")),
    "league, set": ("profile", league('set = ["going={}"]\n')),
}
"""Every field of a person's file that holds a path: the key that a message names, and what writes and opens it."""


@pytest.fixture(autouse=True)
def folder(table: Path) -> Path:
    """Return an empty folder, with a file outside of it that nothing there may open."""
    (table / HERE).mkdir()
    (table / "x.toml").write_text("[token]\nsecret = 1\n", encoding="utf-8")
    (table / "y.toml").write_text("", encoding="utf-8")
    return table


def refusal(command: list[str], capsys: Captured) -> str:
    """Return the one line with which a command refuses what a file names."""
    capsys.readouterr()
    status = run([*command, "--lang", "en"])
    said = capsys.readouterr().err
    assert (status, said.count("\n")) == (1, 1), said
    assert "token" not in said
    return said


OUTSIDE = {
    "absolute": lambda table: f"{table}/x.toml",
    "above": lambda _: "../x.toml",
    "far above": lambda _: "../../x.toml",
    "down and above": lambda _: f"sub/../../{HERE}/../x.toml",
    "a share": lambda _: r"\\host\share\x.toml",
    "a share with slashes": lambda _: "//host/share/x.toml",
    "a drive": lambda _: r"C:\x.toml",
    "a drive alone": lambda _: "C:x.toml",
    "above by the other slash": lambda _: r"..\..\x.toml",
}


@pytest.mark.parametrize("field", FIELDS)
def test_no_path_in_a_file_leads_out_of_its_folder(field: str, folder: Path, capsys: Captured) -> None:
    key, write = FIELDS[field]
    for kind, path_in in OUTSIDE.items():
        said = refusal(write(path_in(folder)), capsys)
        place = r"home/\S+(\.toml, line \d+|\.json|\.txt)"
        outside = rf'{key} = ".*" is outside its folder\. Put x\.toml in the folder of'
        assert re.search(f"{place}: {outside}", said), (kind, said)


@pytest.mark.parametrize("field", FIELDS)
def test_no_path_in_a_file_is_a_link_out_or_no_file(field: str, folder: Path, capsys: Captured) -> None:
    key, write = FIELDS[field]
    (folder / HERE / "link.toml").symlink_to(folder / "x.toml")
    (folder / HERE / "sub").symlink_to(folder)
    for path in ("link.toml", "sub/x.toml"):
        assert f'{key} = "{path}" is outside its folder' in refusal(write(path), capsys)
    os.mkfifo(folder / HERE / "pipe.toml")
    (folder / HERE / "folder.toml").mkdir()
    (folder / HERE / "circle.toml").symlink_to("circle.toml")
    for path in ("pipe.toml", "folder.toml", "NUL.toml"):
        assert f'{key} = "{path}" is not a file' in refusal(write(path), capsys)
    for path in ("circle.toml", *(() if field.startswith("league") else (f"{'x' * 300}.toml",))):
        assert f'{key} = "' in refusal(write(path), capsys)
    inside = f"{folder / HERE}/own.toml"
    (folder / HERE / "own.toml").write_text("", encoding="utf-8")
    assert f'{key} = "{inside}"'[:80] in refusal(write(inside), capsys)


def test_a_device_is_no_file(folder: Path) -> None:
    with pytest.raises(ResourceError, match="is not a file"):
        resolve_sibling(Path("/dev/battle.toml"), "zero", key="map")
    with pytest.raises(ResourceError, match="is not the path of a file"):
        resolve_sibling(folder / "b.toml", "a\0b")
    with pytest.raises(ResourceError, match="is outside its folder"):
        resolve_sibling(folder / HERE / "b.toml", "../y.toml")
    assert resolve_sibling(folder / HERE / "b.toml", "../y.toml", other_files=[folder / "y.toml"]).samefile(
        folder / "y.toml"
    )
    assert resolve_sibling(folder / "b.toml", f"./{HERE}/../y.toml").samefile(folder / "y.toml")


def test_a_record_opens_no_file_that_its_settings_name(folder: Path, capsys: Captured) -> None:
    command = ["map", "--rules", "solo-dba", "--seed", "2", "--to", "json", "--out", "r.json", "--quiet"]
    assert run([*command, "--lang", "en"]) == 0
    tree = json.loads(Path("r.json").read_text(encoding="utf-8"))
    tree["settings"]["npg"] = str(folder / "x.toml")
    Path("r.json").write_text(json.dumps(tree), encoding="utf-8")
    assert "no army" in refusal(["map", "--from", "r.json", "--reroll", "placement", "--plan"], capsys)


def test_a_new_battle_names_files_of_its_folder(folder: Path, capsys: Captured) -> None:
    assert run(["npg", "compose", ARMY, "viking", "--choose-for-you", "--seed", "1", "--out", "mine.toml"]) == 0
    command = ["npg", "new", str(folder / "mine.toml"), "viking", "--out", f"{HERE}/b.toml", "--lang", "en"]
    assert run(command) == 0
    text = Path(HERE, "b.toml").read_text(encoding="utf-8")
    assert '\nnpg = "mine.toml"\n' in text
    assert str(folder) not in text
    assert Path(HERE, "mine.toml").read_bytes() == Path("mine.toml").read_bytes()
    assert run(["npg", "show", f"{HERE}/b.toml", "--lang", "en"]) == 0
    # Equal bytes need no copy; another file of that name is nobody's to replace, and nor is the battle itself.
    Path(HERE, "b.json").unlink()
    assert run([*command, "--force"]) == 0
    Path(HERE, "mine.toml").write_text("# another\n", encoding="utf-8")
    said = refusal([*command, "--force"], capsys)
    assert "cannot be copied to home/mine.toml, because another file has that name. Rename" in said
    assert Path(HERE, "mine.toml").read_text(encoding="utf-8") == "# another\n"
    Path("b.toml").write_bytes(Path("mine.toml").read_bytes())
    assert "because another file has that name" in refusal(
        ["npg", "new", "b.toml", "viking", "--out", f"{HERE}/b.toml", "--force"], capsys
    )


def test_a_new_battle_on_a_map_and_a_new_game_of_columns_have_their_files_beside_them(capsys: Captured) -> None:
    made = ["map", "--rules", "solo-dba", "--set", "npg=gallic", "--set", "you=viking", "--seed", "2", "--to", "json"]
    assert run([*made, "--out", "r.json", "--quiet", "--lang", "en"]) == 0
    new = ["npg", "new", "gallic", "viking", "--lang", "en"]
    assert run([*new, "--map", "r.json", "--out", f"{HERE}/b.toml"]) == 0
    assert 'map = "r.json"' in Path(HERE, "b.toml").read_text(encoding="utf-8")
    assert run(["npg", "show", f"{HERE}/b.toml", "--lang", "en"]) == 0
    Path("c.json").write_bytes(Path("r.json").read_bytes())
    assert "another file has that name" in refusal([*new, "--map", "c.json", "--out", f"{HERE}/c.toml"], capsys)
    Path("own.toml").write_text("", encoding="utf-8")
    columns = ["columns", "new", f"{HERE}/march.toml", "gallic", "--set", "profile=own.toml"]
    assert run([*columns, "--lang", "en"]) == 0, capsys.readouterr().err
    assert '"profile" = "own.toml"' in Path(HERE, "march.toml").read_text(encoding="utf-8")
    assert Path(HERE, "own.toml").is_file()
    assert run(["columns", "show", f"{HERE}/march.toml", "--lang", "en"]) == 0


def test_a_new_league_has_its_paper_its_style_and_its_profile(capsys: Captured) -> None:
    Path("p.toml").write_text("[sheets]\nwide = { width = 300, height = 400 }\n", encoding="utf-8")
    Path("ink.toml").write_text("[inks]\n", encoding="utf-8")
    Path("going.toml").write_text("[hill]\n", encoding="utf-8")
    Path("s.toml").write_text('rules = "dba3"\n[settings]\nprofile = "more/own.toml"\n', encoding="utf-8")
    Path("more").mkdir()
    Path("more", "own.toml").write_text("", encoding="utf-8")
    new = ["league", "new", "autumn", "--games", "1", "--seed", "4", "--rules", "dba3", "--sheet", "p.toml:wide"]
    assert run([*new, "--style", "ink.toml", "--scenario", "s.toml", "--quiet", "--lang", "en"]) == 0
    text = Path("autumn", "league.toml").read_text(encoding="utf-8")
    assert ('"--sheet=p.toml:wide"' in text, '"--style=ink.toml"' in text) == (True, True)
    assert {"p.toml", "ink.toml", "scenario.toml"} <= {path.name for path in Path("autumn").iterdir()}
    assert Path("autumn", "more", "own.toml").is_file()
    for name in ("p.toml", "ink.toml", "s.toml", "more/own.toml"):
        Path(name).unlink()
    assert run(["league", "show", "autumn", "--quiet", "--lang", "en"]) == 0
    assert run(["league", "add", "autumn", "--quiet", "--lang", "en"]) == 0, capsys.readouterr().err


JOINS = {
    "export", "studio", "recipes/batch", "recipes/evening", "recipes/output", "cli", "console", "core/resources.py",
    "recipes/prints", "drawing", "hexon",
}  # fmt: skip
"""Folders that join names of printkit's own to a folder, or what somebody types; no file names a path there."""


def test_a_path_is_joined_to_a_folder_by_what_looks_where_it_leads() -> None:
    """In the rooms that read files of people, ``parent / name`` is written with names of our own alone."""
    found = []
    for path in sources():
        place = path.relative_to(PACKAGE).as_posix()
        if any(place == each or place.startswith(f"{each}/") for each in JOINS):
            continue
        found += [
            f"{place}: {ast.unparse(node)}"
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and isinstance(node.left, ast.Attribute)
            and node.left.attr == "parent"
        ]
    assert found == KNOWN


KNOWN = [
    "core/paths.py: file.parent / path",
    # Looks only whether a file of the name of a sample is there.
    "recipes/game/request.py: (file or Path()).parent / text",
    "recipes/game/request.py: scenario.parent / text",
    # The map that the terrain of a battle has made is called after the battle, and only that is removed.
    "systems/solo/battle/standing.py: log_path(case.order.path).parent / name",
    "systems/solo/battle/telling.py: order.path.parent / name",
]
