"""What the command line refuses, and how: in one line that names what is wrong, and nothing is left on the disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_lines import QUICK, RED, Captured, files

from printkit.cli.app import run

pytestmark = pytest.mark.usefixtures("table", "_no_ink", "_bare")


def refused(capsys: Captured, arguments: list[str], status: int, *parts: str) -> str:
    """Run a command that has to be refused in one line on stderr, and return the line."""
    capsys.readouterr()
    before = files(Path())
    assert run(arguments) == status
    said, line = capsys.readouterr()
    assert said == ""
    assert line.startswith("printkit: ")
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert "Traceback" not in line
    for part in parts:
        assert part in line
    assert files(Path()) == before
    return line


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("--nope", ["--nope"]),
        ("--seed -1", ["--seed"]),
        ("--count 0", ["--count"]),
        ("--set br-q99=none", ["br-q99", "br-q19"]),
        ("--set br-q12=swamp", ["river-through", "swamp", "marsh"]),
        ("--set br-q12", ["br-q12", "NAME=VALUE"]),
        ("--set names=atomic", ["atomic", "ancient"]),
        ("--sheet 20x30", ["unit", "20x30in"]),
        ("--furniture all", ["all", "mat", "full", "none"]),
        ("--scale big", ["big", "1:4"]),
        ("--scale 1:0", ["1:0"]),
        ("--lang en+es+en", ["en+es"]),
        ("--to doc", ["doc", "pdf"]),
        ("--margin 10", ["10mm"]),
        ("--margin 105mm", ["margin", "105"]),
        ("--margin -1mm", ["-1mm"]),
        ("--overlap -1mm", ["-1mm"]),
        ("--overlap 10", ["10mm"]),
        ("--board 0in", ["0in"]),
        ("--board 72x48in", ["square"]),
        *(
            (f"--board {size}", [f"a board of {size} is not possible; each side must be 4in to 240in"])
            for size in ("1mm", "3.9in", "241in", "99999in")
        ),
        ("--reroll rivers", ["--from"]),
        ("--ask --dice 1", ["--ask", "--dice"]),
        ("--out - --to pdf --to json", ["--out -"]),
        ("--out - --to png", ["png"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_command_line_is_refused_in_a_line(arguments: str, parts: list[str], capsys: Captured) -> None:
    given = [] if "--seed" in arguments else ["--seed", "5"]
    refused(capsys, ["map", "--lang", "en", *given, *arguments.split()], 2, *parts)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("map --rules dba", "unknown rule system 'dba'; did you mean brantley, solo-dba, dba3, collision-course?"),
        ("map --rules civil", "did you mean acw"),
        ("rules chess", "unknown rule system 'chess'; use one of brantley"),
        ("--rules dba map", "--rules goes after the command: printkit map --rules ..."),
        ("check 24inch 30in", "unexpected value 30in; see printkit check --help"),
        ("map nonsense", "unexpected value nonsense; see printkit map --help"),
        ("map --board 6x4", "'6x4' has no unit; write for example 6x4ft, 6x4in or 6x4cm"),
        ("map --board 24", "'24' has no unit; write 24in, 24cm or 24mm"),
        ("map --set polcy=wary", "brantley has no setting 'polcy'; did you mean policy, policy-b, policy-a?"),
        ("map --seed seven", "--seed: 'seven' is not a whole number"),
        ("map --sheet a9", "unknown paper 'a9'; use a4, a3, a2, a1, a0, letter"),
        ("map --style pretty", "there is no 'pretty' among the styles; use one of campaign, high-contrast, ink-saver"),
        ("map --lang de", "unknown language 'de'; use en, es, or two together: en+es"),
        ("mpa", "unknown command mpa; did you mean printkit map?"),
        ("cards terain", "unknown deck 'terain'; use one of terrain, reference"),
        ("check", "RECORD is missing"),
        ("npg armies martian", "no army 'martian'"),
    ],
)
def test_a_wrong_command_is_answered_with_what_is_meant(typed: str, answer: str, capsys: Captured) -> None:
    refused(capsys, typed.split(), 1 if typed.startswith("npg") else 2, answer)


@pytest.mark.parametrize(
    ("scale", "size"), [("1:16", "38.1 x 38.1 mm"), ("1:100000", "0.006096 x"), ("1:0.1", "6096 x 6096 mm")]
)
@pytest.mark.parametrize("plan", [[], ["--plan"]], ids=["drawn", "planned"])
def test_a_scale_has_to_leave_a_map(scale: str, size: str, plan: list[str], capsys: Captured) -> None:
    said = (f"the board would be {size}", "each side must be 40 to 5080 mm")
    refused(capsys, ["map", "--seed", "5", "--lang", "en", "--scale", scale, *plan], 1, *said)


def test_a_fault_of_ours_is_told_as_ours_and_shown_on_demand(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: object) -> None:
        raise KeyError("deploys_first")

    monkeypatch.setattr("printkit.kit.registry.names", fails)
    told = "printkit: This is a mistake in printkit, not yours (KeyError: 'deploys_first')."
    refused(capsys, ["rules"], 70, told)
    assert run(["rules", "--debug"]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (None, ["cannot be read"]),
        ("rivers = [", ["not valid TOML"]),
        ("river = []", ['"river"', "rivers"]),
        ("seed = '7'", ["seed"]),
        ("rivers = 7", ["rivers"]),
        ("settings = 7", ["[settings]"]),
        ("[settings]\nbr-q99 = 'none'", ["br-q99", "br-q19"]),
        ("[settings]\nbr-q12 = 'swamp'", ["printkit: field.toml, line 2: ", "river-through = 'swamp' is not valid"]),
        ("zones = ['AH 2H']", ["zones has 2 cards", "BR-X06"]),
        ("placements = ['A KS 12']", ["printkit: field.toml: ", "zone", "12", "BR-X01"]),
        ("rivers = ['river A nowhere']\ndice = '1 1 1 1 1 1'", ["printkit: field.toml: cannot read 'river A nowhere'"]),
        ("rivers = ['river A N:8 -> N:16']\ndice = '1 1 1 1 1 1'", ["BR-X"]),
    ],
)
def test_a_wrong_scenario_names_file_or_line(text: str | None, parts: list[str], table: Path, capsys: Captured) -> None:
    if text is not None:
        (table / "field.toml").write_text(text, encoding="utf-8")
    refused(capsys, ["map", "--seed", "5", "--scenario", "field.toml"], 1, *parts)


@pytest.mark.clause("BR-X07", "BR-X08")
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--dice", "7 1 1 1 1 1", "--seed", "5"], ["die 1 is 7", "BR-X07"]),
        (["--dice", "1 0", "--seed", "5"], ["die 2 is 0", "BR-X07"]),
        (["--dice", "5 6 2"], ["die 4 is missing", "BR-X08"]),
        (["--dice", "@nothing.txt"], ["nothing.txt"]),
    ],
    ids=["seven", "nothing", "short", "file"],
)
def test_wrong_dice_are_refused(arguments: list[str], parts: list[str], table: Path, capsys: Captured) -> None:
    (table / "red.toml").write_text(f"zones = ['{RED}']", encoding="utf-8")
    refused(capsys, ["map", "--scenario", "red.toml", *arguments], 1, *parts)


@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize("cards", ["AH AH", "AH 11C", "KS 7H 9C"])
def test_wrong_cards_are_refused(cards: str, capsys: Captured) -> None:
    refused(capsys, ["map", "--seed", "5", "--dice", cards], 1, "BR-X06")


@pytest.mark.parametrize("command", [["map", "--from"], ["check"]], ids=["map", "check"])
@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (None, ["cannot be read"]),
        ("{", ["JSON"]),
        ("[]", ["the file must contain a JSON object, which begins with {"]),
        ('{"type": "FeatureCollection"}', ["field.json: rules is missing. Write the name of a rule system"]),
        ({"printkit": {"format": 2}}, ["printkit.format is 2", "newer"]),
        ({"rules": "chess"}, ["chess", "brantley"]),
        ({"features": [{"type": "Feature", "properties": {"kind": "volcano"}}]}, ["volcano"]),
        ({"board": {"width_mm": -1, "depth_mm": 1, "pace_mm": 1, "base_width_mm": 1}}, ["board.width_mm"]),
        ({"brantley": {"zones": [5]}}, ["field.json: brantley.zones 1 = 5 is not valid"]),
    ],
    ids=["missing", "broken", "list", "lacking", "newer", "rules", "kind", "board", "facts"],
)
def test_a_wrong_record_names_the_member(
    command: list[str],
    change: str | dict[str, object] | None,
    parts: list[str],
    game_record: Path,
    table: Path,
    capsys: Captured,
) -> None:
    if isinstance(change, dict):
        change = json.dumps({**json.loads(game_record.read_text(encoding="utf-8")), **change})
    if change is not None:
        (table / "field.json").write_text(change, encoding="utf-8")
    refused(capsys, [*command, "field.json"], 1, "printkit: field.json", *parts)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--reroll", "weather"], ["weather", "rivers"]),
        (["--keep", "weather"], ["weather", "rivers"]),
        (["--reroll", "rivers", "--keep", "roads"], ["--reroll", "--keep"]),
        (["--seed", "9"], ["--seed"]),
        (["--set", "br-q12=none"], ["--set"]),
        (["--board", "36in"], ["--board"]),
        (["--dice", "1 2 3"], ["--dice"]),
        (["--count", "2"], ["--count"]),
    ],
    ids=lambda value: " ".join(value) if value[0].startswith("--") and len(value) > 1 else "",
)
def test_a_record_is_printed_as_it_is_or_by_stages(
    arguments: list[str], parts: list[str], game_record: Path, capsys: Captured
) -> None:
    refused(capsys, ["map", "--from", str(game_record), *arguments], 2, *parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (None, ["mine.toml"]),
        ("[inks]\nmagic = '#FF0000'", ["mine.toml", "magic"]),
        ("[inks]\npaper = 'blue'", ["mine.toml", "paper", "#RRGGBB"]),
        ("[manner]\nwashes = 'much'", ["mine.toml", "washes"]),
        ("[manner", ["mine.toml", "not valid TOML"]),
    ],
    ids=["missing", "ink", "colour", "manner", "broken"],
)
def test_a_wrong_style_of_ones_own_is_refused(
    text: str | None, parts: list[str], table: Path, capsys: Captured
) -> None:
    if text is not None:
        (table / "mine.toml").write_text(text, encoding="utf-8")
    refused(capsys, ["map", "--seed", "5", *QUICK, "--style", "mine.toml"], 1, *parts)


@pytest.mark.parametrize("out", ["file/below", "file/map.pdf", "/proc/nowhere"])
def test_a_place_that_cannot_be_written_is_named(out: str, table: Path, capsys: Captured) -> None:
    (table / "file").write_text("mine", encoding="utf-8")
    refused(capsys, ["map", "--seed", "5", "--out", out, *QUICK], 1, "--out", out.split("/")[1 if out[0] == "/" else 0])
    assert (table / "file").read_text(encoding="utf-8") == "mine"


def test_what_was_there_stays_when_a_run_fails(table: Path, capsys: Captured) -> None:
    there = table / "output" / "field-under-raven-down-seed5-a4.pdf"
    there.parent.mkdir()
    there.write_bytes(b"a map that somebody likes")
    sheet = ["--sheet", "200inx200in", "--margin", "0mm", "--scale", "1:1"]
    refused(capsys, ["map", "--seed", "5", "--lang", "en", *sheet, "--to", "pdf", "--to", "png"], 1, "dots per inch")
    assert there.read_bytes() == b"a map that somebody likes"
