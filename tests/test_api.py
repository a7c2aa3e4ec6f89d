"""printkit for programs: what it gives, that it is what the command line gives to the byte, and what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest
from documents import page, script
from imports import ROOT

import printkit
from printkit import Field, PrintkitError, api
from printkit.chance.dice import write_log
from printkit.cli.app import run
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing
from printkit.kit.registry import all_systems
from printkit.kit.rules import OWN_KEYS
from printkit.options import printing
from printkit.recipes.game.request import log_text

pytestmark = pytest.mark.usefixtures("_drawn_once")

SEED = 6
"""Of a field with a hill, a lake, two marshes, a river, two roads and a bridge."""


@pytest.fixture(scope="module")
def field() -> Field:
    return printkit.generate("brantley", seed=SEED)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by their names."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def typed(folder: Path, *arguments: str) -> dict[str, bytes]:
    """Return the files that a command line writes."""
    assert run([*arguments, "--lang", "en", "--out", str(folder), "--quiet"]) == 0
    return files(folder)


def test_what_programs_use_is_there_with_the_options_of_commands() -> None:
    assert set(printkit.__all__) == {*api.__all__, "__version__"}
    assert dir(printkit) == sorted(printkit.__all__)
    assert all(getattr(printkit, name) is getattr(api, name) for name in api.__all__)
    with pytest.raises(AttributeError, match="module 'printkit' has no attribute 'fields'"):
        _ = printkit.fields  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("call", "first", "options"),
    [
        (Field.draw, ["self"], printing.MapOptions),
        (Field.pdf, ["self", "path"], printing.MapOptions),
        (Field.svg, ["self", "path"], printing.MapOptions),
        (Field.png, ["self", "path"], printing.MapOptions),
        (Field.handouts, ["self", "folder"], printing.EveningOptions),
        (Field.hexon, ["self", "path"], printing.TileOptions),
        (Field.cards, ["self", "deck", "path"], printing.CardOptions),
        (printkit.cards, ["deck", "path"], printing.CardOptions),
    ],
)
def test_the_keywords_of_a_call_are_the_fields_of_its_options(
    call: Any, first: list[str], options: type[printing.PrintOptions]
) -> None:
    found = signature(call).parameters.values()
    assert [each.name for each in found if each.kind is Parameter.POSITIONAL_ONLY] == first
    given = {each.name: each.default for each in found if each.kind is Parameter.KEYWORD_ONLY}
    assert given == {name: getattr(options(), name) for name in options.__struct_fields__}
    # A helper of an editor shows the type of a keyword without its row in the table.
    assert "Option(" not in str(signature(call))


def test_rule_systems_are_named_without_being_loaded_and_a_bare_import_loads_nothing() -> None:
    probe = "import sys, printkit; print(*printkit.rule_systems()); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)}
    )
    names, loaded = (line.split() for line in done.stdout.splitlines())
    assert tuple(names) == tuple(all_systems()) == printkit.rule_systems()
    heavy = ("printkit.systems.", "printkit.hexon", "printkit.recipes.evening", "printkit.drawing.signs", "reportlab")
    assert [name for name in loaded if name.startswith(heavy)] == []
    probe = (
        "import sys, printkit; dir(printkit); print(*(name for name in sys.modules if name.startswith('printkit.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)}
    )
    assert done.stdout.split() == []
    probe = "import sys, printkit.api, printkit.options.commands, printkit.options.play; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)}
    )
    assert {"printkit.api", "printkit.options.table"} <= (loaded := set(done.stdout.split()))
    assert not {"typer", "click", "multiprocessing", "distributed", "printkit.console.terminal"} & loaded


@pytest.mark.parametrize("rules", list(all_systems()))
def test_every_setting_can_be_given_as_a_keyword(rules: str) -> None:
    book = all_systems()[rules].book
    taken = {
        name for name, each in signature(printkit.generate).parameters.items() if each.kind != Parameter.VAR_KEYWORD
    }
    for setting in book.settings:
        for name in filter(None, (setting.key, setting.alias)):
            keyword = name.replace("-", "_").replace(".", "_")
            assert keyword.isidentifier()
            assert keyword not in {*taken, *OWN_KEYS}
            assert (api._find_setting(book, keyword), api._find_setting(book, name)) == (name, name)


def test_maps_pictures_and_records_are_those_of_the_command_line(
    field: Field, game_folder: Path, tmp_path: Path
) -> None:
    written = (*field.pdf(tmp_path), field.save(tmp_path))
    assert [path.name for path in written] == ["field-under-hare-hill-seed6-a4.pdf", "field-under-hare-hill-seed6.json"]
    assert files(tmp_path) == files(game_folder)
    assert field.geojson.encode() == written[1].read_bytes()
    asked = ("map", "--seed", str(SEED), "--style", "ink-saver", "--sheet", "a3", "--scale", "fit", "--hide", "numbers")
    theirs = typed(tmp_path / "theirs" / "field.svg", *asked, "--to", "svg", "--to", "png")
    assert theirs == {}
    theirs = files(tmp_path / "theirs")
    own = tmp_path / "own"
    for write in (field.svg, field.png):
        write(own / "field.svg", style="ink-saver", sheet="a3", scale="fit", hide=["numbers"])
    field.save(own / "field.json")
    assert files(own) == theirs
    assert set(theirs) == {"field.svg", "field.png", "field.json"}


def test_settings_scenario_and_language_are_those_of_the_command_line(tmp_path: Path) -> None:
    scenario = tmp_path / "own.toml"
    scenario.write_text('title = "Own"\n[settings]\n"pw2.chains" = "off"\n', encoding="utf-8")
    asked = ("--rules", "portable-2", "--seed", "5", "--scenario", str(scenario), "--cell", "50mm", "--lang", "es")
    line = ("map", *asked, "--set", "railway=1", "--set", "names=medieval", "--to", "json", "--quiet")
    assert run([*line, "--out", str(tmp_path / "field.json")]) == 0
    field = printkit.generate(
        "portable-2", seed=5, scenario=scenario, cell="50mm", lang="es", railway=1, names="medieval"
    )
    assert field.geojson == (tmp_path / "field.json").read_text(encoding="utf-8")
    assert field.title == "Own"


@pytest.mark.usefixtures("_bare")
def test_an_evening_is_that_of_the_command_line(tmp_path: Path) -> None:
    """Boards are left without a mark, for they are compared in other files, and take the time."""
    asked = ("handouts", "--rules", "portable-1", "--seed", "4", "--style", "ink-saver", "--size", "mini", "--fold")
    theirs = typed(tmp_path / "theirs", *asked)
    field = printkit.generate("portable-1", seed=4)
    own = tmp_path / "own"
    written = field.handouts(own, style="ink-saver", size="mini", fold=True)
    assert files(own) == theirs
    assert {path.relative_to(own).as_posix() for path in written} == set(theirs)
    # The folder of a player is printed again by itself, and the other files stay.
    again = field.handouts(own, only="player-a", lang="es", force=True)
    assert {path.relative_to(own).parts[0] for path in again} == {"player-a"}
    record = str(tmp_path / "theirs" / "umpire" / "record.json")
    asked = ("handouts", "--from", record, "--only", "player-a", "--force", "--quiet", "--lang", "es")
    assert run([*asked, "--out", str(tmp_path / "theirs")]) == 0
    assert files(own) == files(tmp_path / "theirs") != theirs
    assert files(own).keys() == theirs.keys()


@pytest.mark.usefixtures("_bare")
@pytest.mark.parametrize(
    ("rules", "seed", "options", "own"),
    [
        ("portable-2", 5, ("--hills", "slope", "--far-side"), {"hills": "slope", "far_side": True}),
        ("brantley", 3, ("--hexes", "9x8"), {"hexes": "9x8"}),
    ],
)
def test_tiles_are_those_of_the_command_line(
    rules: str, seed: int, options: tuple[str, ...], own: Mapping[str, Any], tmp_path: Path
) -> None:
    formats = ("json", "csv", "tiled")
    asked = ("hexon", "--rules", rules, "--seed", str(seed), *options, *(f"--to={name}" for name in formats))
    theirs = typed(tmp_path / "theirs", *asked)
    printkit.generate(rules, seed=seed).hexon(tmp_path / "own", to=formats, **own)
    assert files(tmp_path / "own") == theirs
    assert sorted(path.rsplit(".", 1)[1] for path in theirs) == ["csv", "csv", "json", "json", "png", "svg", "tmj"]


@pytest.mark.usefixtures("_bare")
@pytest.mark.parametrize(
    ("typed_as", "asked"),
    [
        ("terrain --size tarot --style ink-saver", {"deck": "terrain", "size": "tarot", "style": "ink-saver"}),
        ("bound --seed 3 --count 2", {"deck": "bound", "seed": 3, "count": 2}),
        ("blank --to png --dpi 50", {"deck": "blank", "to": ["png"], "dpi": 50}),
        ("reference --rules portable-2 --to svg", {"deck": "reference", "rules": "portable-2", "to": "svg"}),
        ("kit", {"deck": "kit"}),
        ("pair --set npg=gallic --seed 4", {"deck": "pair", "settings": ["npg=gallic"], "seed": 4}),
    ],
)
def test_cards_are_those_of_the_command_line(typed_as: str, asked: dict[str, Any], tmp_path: Path) -> None:
    printkit.cards(asked.pop("deck"), tmp_path / "own", **asked)
    assert files(tmp_path / "own") == typed(tmp_path / "typed", "cards", *typed_as.split())


@pytest.mark.usefixtures("_bare")
def test_cards_of_a_field_are_those_of_the_command_line(game_record: Path, tmp_path: Path) -> None:
    again = printkit.load(game_record)
    again.cards("hidden", tmp_path / "own")
    assert files(tmp_path / "own") == typed(tmp_path / "typed", "cards", "hidden", "--from", str(game_record))
    refused(
        "the cards of a battlefield use its own rules; remove rules='acw'",
        again.cards,
        "terrain",
        tmp_path,
        rules="acw",
    )
    refused("--from uses the settings", again.cards, "terrain", tmp_path, settings="names=medieval")
    refused("needs a seed", printkit.cards, "bound", tmp_path)
    refused("unknown deck 'oaks'", printkit.cards, "oaks", tmp_path)


def test_stages_rolled_again_are_those_of_the_command_line_and_rolls_have_other_answers(
    field: Field, game_record: Path, tmp_path: Path
) -> None:
    again = ("map", "--from", str(game_record), "--seed", "9", "--to", "json", "--lang", "en", "--quiet", "--out")
    assert run([*again, str(tmp_path / "one.json"), "--reroll", "rivers"]) == 0
    assert run([*again, str(tmp_path / "other.json"), "--keep", "rivers"]) == 0
    assert field.reroll("rivers", seed=9).geojson == (tmp_path / "one.json").read_text(encoding="utf-8")
    assert field.reroll(keep=["rivers"], seed=9).geojson == (tmp_path / "other.json").read_text(encoding="utf-8")
    assert field.reroll("crossings", seed=9).idle == ("crossings",)
    place = next(place for place, throw in enumerate(field.record.log, 1) if throw.reason == "number of roads")
    changed = field.overwrite({place: 1}, seed=9)
    assert [throw.answer for throw in changed.record.log[:place]] == [
        *(throw.answer for throw in field.record.log[: place - 1]),
        "1",
    ]
    assert field.overwrite({place: 1}, seed=9).geojson == changed.geojson
    refused("can be 1 to 6", field.overwrite, {place: 7}, seed=9)


def test_fields_are_loaded_judged_and_drawn(field: Field, game_record: Path) -> None:
    loaded = [printkit.load(source) for source in (game_record, str(game_record), f"\n{field.geojson}")]
    assert {each.geojson for each in loaded} == {field.geojson}
    assert (loaded[0].rules, loaded[0].title) == ("brantley", field.title)
    judged = [printkit.check(each) for each in (field, game_record, field.geojson)] + [field.check()]
    assert len({each.summary for each in judged}) == 1
    assert judged[0].summary.startswith(f"{sum(each.state == 'kept' for each in judged[0].verdicts)} kept, 0 broken")
    assert (judged[0].broken, field.check("dba3").system.name) == ((), "dba3")
    drawn, small = field.draw(), field.draw(scale="1:4", style="ink-saver", hide=["numbers"])
    assert isinstance(drawn, Drawing)
    assert (drawn.width, small.width) == pytest.approx((609.6, 152.4))
    assert len(list(small.items())) < len(list(drawn.items()))


def test_lists_and_dice_are_given_without_a_seed_where_they_suffice() -> None:
    record = printkit.generate("dba3", seed=3).record
    assert printkit.generate(dice=log_text(record)).record == record
    played = printkit.generate("dba3", dice=write_log(record.log)).record
    assert [throw.answer for throw in played.log] == [throw.answer for throw in record.log]
    assert played.seed == 0
    refused("", printkit.generate, "dba3", dice="4")
    deck = "KS 7H 9C 2D QC 3S 10H JS 5C"
    placements = ["A KS 5", "B QC 6", "A 9C 4", "B JS 2", "A 2D 8", "B 3S 3", "A 7H 7", "B 10H 1"]
    field = printkit.generate(seed=7, inputs={"deck": [deck], "placements": placements}, br_q02="A")
    assert json.loads(field.geojson)["brantley"]["inputs"] == {"deck": [deck], "placements": placements}
    assert field.record.settings["br-q02"] == "A"


@pytest.mark.usefixtures("_bare")
def test_dots_and_pixels_of_a_picture_are_as_many_as_asked_for(field: Field, tmp_path: Path) -> None:
    few, many = (field.png(tmp_path / f"{dpi}.png", scale="fit", dpi=dpi)[0] for dpi in (30, 60))
    width = [int.from_bytes(path.read_bytes()[16:20]) for path in (few, many)]
    assert width[1] == pytest.approx(2 * width[0], abs=2)
    (path,) = field.png(tmp_path / "board.png", dpi="10/cell")
    assert [int.from_bytes(path.read_bytes()[at : at + 4]) for at in (16, 20)] == [240, 240]


def refused(said: str, call: Any, *arguments: Any, **options: Any) -> PrintkitError:
    """Return the error of a call, which says so."""
    with pytest.raises(PrintkitError) as raised:
        call(*arguments, **options)
    assert said in raised.value.sentence
    return raised.value


def test_wrong_orders_are_refused_in_a_sentence_of_any_language() -> None:
    names = ", ".join(printkit.rule_systems())
    refused(f"unknown rule system 'chess'; use one of {names}", printkit.generate, "chess", seed=7)
    refused("a new battlefield needs a seed or dice; pass for example seed=7", printkit.generate, "brantley")
    refused(
        "brantley has no setting 'policies'; did you mean policy, policy-b, policy-a?",
        printkit.generate,
        seed=7,
        policies="none",
    )
    refused("river-through = 'perhaps' is not valid", printkit.generate, seed=7, br_q12="perhaps")
    refused("a board of 1in is not possible; each side must be", printkit.generate, seed=7, board="1in")
    refused("inputs: unknown key 'rumours'; known keys are deck", printkit.generate, seed=7, inputs={"rumours": []})
    refused("unknown language 'xx'; use", printkit.generate, seed=7, lang="xx")
    refused("unknown rule system 'chess'", printkit.check, "{}", "chess")
    refused("absent.json cannot be read", printkit.load, "absent.json")
    refused("rules", printkit.load, '{"type": "FeatureCollection"}')
    error = refused("a new battlefield needs a seed or dice", printkit.generate)
    assert (
        find_words("es")
        .translate(error.sentence)
        .startswith("un campo de batalla nuevo necesita una semilla o dados; da por ejemplo seed=7")
    )


def test_wrong_printings_are_refused(field: Field, tmp_path: Path) -> None:
    refused("unknown paper 'a99'", field.pdf, tmp_path, sheet="a99")
    refused("there is no 'oil' among the styles", field.svg, tmp_path, style="oil")
    refused("'huge' is not a scale", field.png, tmp_path, scale="huge")
    refused("without sheets", field.pdf, tmp_path, dpi="20/cell")
    refused("name a folder", field.handouts, tmp_path / "evening.pdf")
    refused("unknown format 'uvtt'; use one of pdf, json, csv", field.hexon, tmp_path, to="uvtt")
    refused("steep", field.hexon, tmp_path, hills="steep")
    refused("--hide numbres is not valid; use numbers, names, zones", field.pdf, tmp_path, hide="numbres")
    refused("brantley has no stage 'weather'", field.reroll, "weather", seed=3)
    refused("name the stages to roll again or the stages to keep, not both", field.reroll, seed=3)
    refused(
        "name the stages to roll again or the stages to keep, not both", field.reroll, "rivers", keep=["roads"], seed=3
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sheet": None}, "sheet: None is not a text"),
        ({"style": 1.5}, "style: 1.5 is not a text"),
        ({"scale": True}, "scale: True is not a text"),
        ({"key": "\0"}, "key: a text cannot have a zero byte"),
        ({"large_print": "no"}, "large_print: 'no' is neither True nor False"),
        ({"force": None}, "force: None is neither True nor False"),
        ({"hide": False}, "hide: False is neither a text nor a list of texts"),
        ({"only": {"A1"}}, "only: {'A1'} is neither a text nor a list of texts"),
        ({"only": [None]}, "only: None is not a text"),
        ({"dpi": 0}, "--dpi '0'"),
    ],
)
def test_a_wrong_value_is_refused_with_its_keyword(
    field: Field, given: dict[str, Any], said: str, tmp_path: Path
) -> None:
    refused(said, field.pdf, tmp_path, **given)
    assert list(tmp_path.iterdir()) == []


def test_a_number_is_refused_with_its_keyword(tmp_path: Path) -> None:
    refused("count: 0 is less than 1", printkit.cards, "bound", tmp_path, count=0)
    refused("seed: '2.5' is not a whole number", printkit.cards, "bound", tmp_path, seed=2.5)
    error = refused("sheet: None is not a text", printkit.cards, "bound", tmp_path, sheet=None)
    assert find_words("es").translate(error.sentence) == "sheet: None no es un texto"


@pytest.mark.parametrize("name", ["pdf", "svg", "png", "handouts", "hexon"])
def test_a_keyword_that_there_is_not_is_an_error_of_the_program(field: Field, name: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"(?i)unexpected keyword argument .colour"):
        getattr(field, name)(tmp_path, colour="red")
    with pytest.raises(TypeError, match="unexpected keyword argument 'seed'; there are lang, style, sheet"):
        field.draw(seed=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="argument"):
        field.pdf()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="argument"):
        field.pdf(tmp_path, tmp_path)  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("_bare")
def test_what_is_there_gives_way_to_force_alone(field: Field, tmp_path: Path) -> None:
    (tmp_path / "battle.json").write_text("mine", encoding="utf-8")
    (tmp_path / "battle.pdf").write_text("mine", encoding="utf-8")
    refused(
        "battle.json already exists and holds a different game. Choose another name, or overwrite it with --force.",
        field.save,
        tmp_path / "battle.json",
    )
    refused(
        "battle.pdf already exists with different content. Choose another name, or overwrite it with --force.",
        field.pdf,
        tmp_path / "battle.pdf",
        scale="1:8",
    )
    refused("battle.json", field.hexon, tmp_path / "battle.json", to="json")
    assert set(files(tmp_path).values()) == {b"mine"}
    field.save(tmp_path / "battle.json", force=True)
    field.pdf(tmp_path / "battle.pdf", scale="1:8", force=True)
    assert b"mine" not in files(tmp_path).values()
    field.save(tmp_path / "battle.json")


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_the_guide_is_typed(tmp_path: Path) -> None:
    """The examples of the guide pass, and mistakes in the names, options and values of a call are seen."""
    good = tmp_path / "guide.py"
    more = (
        "import pathlib",
        "files: tuple[pathlib.Path, ...] = field.pdf(pathlib.Path('a'), lang=None, only='Z4', dpi=300, force=True)",
        "width: float = field.draw(dressing='none').width",
        "field.handouts('evening', laid='build', wanted=('cards',), only=['player-a'])",
        "files = printkit.cards('bound', 'cards', rules='solo-dba', count=2, hide=['outline'])",
    )
    good.write_text("\n".join((script(page("docs/reference/python.md")), *more)), encoding="utf-8")
    mistakes = (
        "printkit.generate(rules=3)",
        "printkit.generate(seed='7')",
        "field.pdf('battle.pdf', colour='red')",
        "field.pdf('battle.pdf', large_print='no')",
        "field.pdf(7)",
        "field.pdf()",
        "field.svg('battle.svg', 'a4')",
        "field.png('battle.png', only=[4])",
        "field.draw('battle.pdf')",
        "field.draw(seed=3)",
        "field.hexon('tiles', far_side='many')",
        "field.cards('terrain')",
        "printkit.cards('bound', 'cards', count='2')",
        "printkit.cards('bound', 'cards', of=field)",
        "field.handouts('evening', scale='1:4')",
        "field.check().summary + 1",
        "printkit.systems()",
    )
    bad = tmp_path / "mistakes.py"
    bad.write_text("\n".join(("import printkit", "field = printkit.generate(seed=7)", *mistakes)), encoding="utf-8")
    # Beside the sources mypy finds what `make check` has kept of them; to read them all anew takes it most of a minute.
    command = [sys.executable, "-m", "mypy", "--strict", str(good), str(bad)]
    done = subprocess.run(command, cwd=ROOT, env={}, capture_output=True, text=True, check=False)
    said = [re.match(r"(.*?):(\d+): error: ", line) for line in done.stdout.splitlines()]
    lines = {path.name: [at[2] for at in said if at and Path(at[1]).name == path.name] for path in (good, bad)}
    assert lines == {good.name: [], bad.name: [str(line) for line in range(3, 3 + len(mistakes))]}, done.stdout


def test_a_name_with_the_ending_of_no_format_of_records_is_a_folder(table: Path) -> None:
    field = printkit.generate("brantley", seed=7)
    assert field.save(table / "a.geojson") == table / "a.geojson"
    assert field.save(table / "b.walls") == table / "b.walls" / "records" / "field-of-mutila-seed7.json"


def test_a_map_can_be_printed_without_names(field: Field, tmp_path: Path) -> None:
    names = {feature["properties"].get("name") for feature in json.loads(field.geojson)["features"]} - {"", None}
    shown = []
    for hide in ((), ("names",)):
        (written,) = field.svg(tmp_path / f"{len(hide)}.svg", sheet="one", furniture="none", hide=hide)
        text = written.read_text(encoding="utf-8").replace("’", "'").casefold()
        shown.append({name for name in names if f'aria-label="{name}"'.replace("’", "'").casefold() in text})
    assert shown == [shown[0], set()]
    assert shown[0]
