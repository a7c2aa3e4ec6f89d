"""Own styles are refused by key and line, those of printkit can be read by every eye; the specimen sheet is whole."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from colours import SIGHTS, contrast, difference, lab, linear, seen

from printkit.cli.app import run
from printkit.core.errors import FileError, ResourceError
from printkit.core.resources import names, template_text
from printkit.core.typed import read_toml
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Ink, Text
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.furniture import specimens
from printkit.drawing.furniture.specimens import FIELD, Specimen, build_symbol_sheet
from printkit.kit.registry import all_systems
from printkit.recipes.prints.specimens import specimen_document

PAINTED = ("painted", "painted-light")
"""Styles whose board is ground: what is written beside it is in the inks of the first."""

# --- A person's own style ---------------------------------------------------------------------------------------------


def own(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('# mine\n[inks]\npaper = "#FFFFFF"\nseawater = "#000000"\n', 4, 'unknown key "seawater". Did you mean'),
        ('[inks.water]\nwater = "#00F"\n', 2, "water = '#00F' is not a colour; write \"#RRGGBB\""),
        ("[inks.water]\n\n\nwater = 7\n", 4, 'inks.water.water = 7 is not valid. Write "#RRGGBB", a list of them, or'),
        ('[inks]\n# crown = "x"\ncrown = ["#FFFFFF", "green"]\n', 3, "crown = "),
        ('inks.paper = "#12345G"\n', 1, "paper = '#12345G' is not a colour"),
        ('inks = { paper = "#+1+2+3" }\n', 1, "paper = '#+1+2+3' is not a colour"),
        ('[inks]\nsheet = "#FFFFFF"\n[inks.mine]\nsheet = "white"\n', 4, "sheet = 'white' is not a colour"),
        ("[manner]\nglossy = true\n", 2, 'manner: unknown key "glossy". Write one of washes, shadows, hatched'),
        ('[manner]\nwashes = true\nshadows = "no"\n', 3, 'manner.shadows = "no" is not valid. Write true or false.'),
        ("[manner]\nwashes = 1\n", 2, "manner.washes = 1 is not valid. Write true or false."),
        ("[manner]\nline-factor = 0\n", 2, "manner.line-factor = 0 is not valid. Write a number greater than 0"),
        ("[manner]\nline-factor = nan\n", 2, "manner.line-factor = NaN"),
        ("[manner]\nline-factor = true\n", 2, "manner.line-factor = true"),
        ("[manner]\nline-factor = [1]\n", 2, "manner.line-factor = [1]"),
        ("\n[colours]\nwater = 7\n", 2, 'unknown key "colours". Write one of manner, inks.'),
        ("[ink]\nink = 7\n", 1, 'unknown key "ink". Did you mean inks?'),
        ("manner = 3\n", 1, "manner = 3 is not valid. Write [manner], and its keys below it."),
        ('[inks]\npaper = "#FFFFFF"\n[manner\n', 3, "not valid TOML"),
        ('[inks]\npaper = "#FFFFFF"\npaper = "#FFFFFF"\n', 3, "not valid TOML"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    with pytest.raises(FileError) as caught:
        style.find(own(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "mine.toml"))
    assert said in str(caught.value)
    assert f"line {line}" in str(caught.value)


@pytest.mark.parametrize(("wrong", "right"), [("watter", "water"), ("hill1", "hill-1"), ("Crown", "crown")])
def test_a_slip_of_the_pen_is_told_what_was_meant(tmp_path: Path, wrong: str, right: str) -> None:
    with pytest.raises(FileError, match=f"Did you mean {right}[,?]"):
        style.find(own(tmp_path, f'[inks]\n{wrong} = "#FFFFFF"\n'))


def test_every_style_that_comes_with_printkit_says_every_ink() -> None:
    """A person's own file may leave inks to the first style; in ours a colour would then stand in black line."""
    inks = {
        name: set(read_toml(template_text("styles", name), style.StyleFile, name).all_inks())
        for name in names("templates/styles", ".toml")
        if name not in PAINTED
    }
    assert {name: sorted(inks["campaign"] - own) for name, own in inks.items() if own != inks["campaign"]} == {}


def test_an_empty_file_is_the_first_style_under_its_own_name(tmp_path: Path) -> None:
    found, first = style.find(own(tmp_path, "")), style.find("campaign")
    assert (found.name, first.name) == ("mine", "campaign")
    assert dict(found.inks) == dict(first.inks)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ResourceError, match="cannot be read: line 1 is not text in UTF-8"):
        style.find(str(tmp_path / "mine.toml"))


def test_a_map_is_drawn_in_a_style_of_ones_own(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (table / "mine.toml").write_text('[inks]\nsheet = "#123456"\n', encoding="utf-8")
    command = ["map", "--seed", "5", "--sheet", "one", "--scale", "1:8", "--to", "svg", "--out", str(table / "out.svg")]
    assert run([*command, "--style", "mine.toml"]) == 0
    assert "#123456" in (table / "out.svg").read_text(encoding="utf-8")
    (table / "wrong.toml").write_text('[inks]\n\nshet = "#123456"\n', encoding="utf-8")
    assert run([*command, "--style", "wrong.toml"]) == 1
    assert 'wrong.toml, line 3: unknown key "shet". Did you mean sheet?' in capsys.readouterr().err


# --- Contrast ---------------------------------------------------------------------------------------------------------

TEXT = {
    "ink": "paper sheet cartouche hill-1 hill-2 halo halo-broken",
    "ink-secondary": "sheet cartouche",
    "label-wood": "halo-wood light-woods",
    "water-name": "water halo halo-lake halo-marsh",
    "side-red": "sheet",
    "side-blue": "sheet",
}
"""Inks of letters, and every ground they stand on."""

PAIRS = (
    ("ink", "paper", 7.0),
    ("ink", "hill-1", 4.5),
    ("ink", "hill-2", 4.5),
    ("water-name", "water", 4.5),
    ("water-name", "halo", 4.5),
    ("ink-secondary", "sheet", 4.5),
    ("side-red", "paper", 4.5),
    ("side-blue", "paper", 4.5),
    ("bank-line", "paper", 3.0),
    ("bank-line", "water", 3.0),
    ("road-casing", "paper", 4.5),
    ("hachure-gentle", "hill-1", 3.5),
    ("hachure", "hill-1", 3.5),
    ("hachure-steep", "hill-1", 3.5),
    ("contour", "paper", 4.5),
    ("marsh-stroke", "marsh", 3.5),
    ("marsh-tuft", "marsh", 3.5),
    ("rock-line", "broken-ground", 4.5),
    ("light-woods-edge", "light-woods", 3.0),
    ("town-edge", "paper", 3.0),
    ("crown-line", "crown", 3.0),
    ("furrow", "plough", 2.5),
    ("crops-dash", "crops", 2.5),
    ("pasture-tuft", "pasture", 2.5),
    ("vine-row", "vineyard", 2.5),
)
"""Line, ground and least contrast. Source: the cartography, 17."""

GROUNDS = (
    *("paper", "hill-1", "hill-2", "water", "marsh", "light-woods", "broken-ground"),
    *("sand", "plough", "crops", "pasture", "town", "mountain"),
)
FLOORS = {"protan": 4.0, "deutan": 4.0, "tritan": 2.5}
WASHED = ("campaign", "high-contrast")


def inks(name: str, token: str) -> tuple[Ink, ...]:
    found = style.find(name).family(token)
    assert found, f"{name} has no {token}"
    return found


def test_the_measures_agree_with_published_values() -> None:
    black, white, grey = Ink(0, 0, 0), Ink(255, 255, 255), Ink(0x77, 0x77, 0x77)
    assert contrast(black, white) == contrast(white, black) == pytest.approx(21)
    assert contrast(grey, white) == pytest.approx(4.48, abs=0.005)
    # Sharma, Wu and Dalal 2005, table 1, pairs 1, 7, 13 and 17.
    for one, other, wanted in (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, -0.0010, 2.4900), (50, 0.0009, -2.4900), 4.8045),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ):
        assert difference(np.array(one), np.array(other)) == pytest.approx(wanted, abs=5e-5)
        assert difference(np.array(other), np.array(one)) == pytest.approx(wanted, abs=5e-5)
    assert lab(linear(white)) == pytest.approx([100, 0, 0], abs=0.01)
    for sight in SIGHTS:
        assert seen(grey, sight) == pytest.approx(linear(grey), abs=1e-4)


@pytest.mark.parametrize(("letters", "ground"), [(ink, on) for ink, grounds in TEXT.items() for on in grounds.split()])
def test_letters_of_high_contrast_can_be_read_on_every_ground(letters: str, ground: str) -> None:
    assert min(contrast(*pair) for pair in _pairs("high-contrast", letters, ground)) >= 4.5


@pytest.mark.parametrize("name", WASHED)
@pytest.mark.parametrize(("line", "ground", "least"), PAIRS)
def test_lines_stand_out_from_their_grounds(name: str, line: str, ground: str, least: float) -> None:
    # A crown's line meets crowns of all its greens: their mean must hold, and none may fall far below.
    found = [contrast(*pair) for pair in _pairs(name, line, ground)]
    assert sum(found) / len(found) >= least
    assert min(found) >= 0.85 * least


@pytest.mark.parametrize(("line", "ground", "least"), PAIRS)
def test_high_contrast_is_never_weaker_than_the_campaign_style(line: str, ground: str, least: float) -> None:
    del least
    strong, usual = (
        min(contrast(*pair) for pair in _pairs(name, line, ground)) for name in ("high-contrast", "campaign")
    )
    assert strong >= usual


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", WASHED)
def test_grounds_differ_for_the_colour_blind(name: str, sight: str) -> None:
    colours = {token: lab(seen(inks(name, token)[0], sight)) for token in GROUNDS}
    apart = {pair: difference(colours[pair[0]], colours[pair[1]]) for pair in combinations(GROUNDS, 2)}
    nearest = min(apart, key=lambda pair: apart[pair])
    assert apart[nearest] >= FLOORS[sight] - 0.05, f"{nearest}: {apart[nearest]:.2f}"


@pytest.mark.parametrize("name", WASHED)
def test_a_photocopy_keeps_what_stops_troops_apart(name: str) -> None:
    for one, other in (("heavy-woods", "light-woods"), ("water", "bank-line"), ("road", "road-casing")):
        light, dark = (lab(linear(inks(name, token)[0]))[0] for token in (one, other))
        assert abs(light - dark) >= 8


def _pairs(name: str, line: str, ground: str) -> list[tuple[Ink, Ink]]:
    return [(one, other) for one in inks(name, line) for other in inks(name, ground)]


def long_note(specimen: Specimen) -> str:
    """Return a note of three lines, which ends with the sign that it is about."""
    return f"{'portable-1 and portable-2: neither good nor bad; ' * 3}dba3: {specimen.key}."


@pytest.fixture(scope="module")
def parts() -> tuple[PlacedDrawing, ...]:
    """Return fields and notes of a sheet with long notes, the fields empty."""
    kept: list[PlacedDrawing] = []

    def placed(width: float, height: float, laid: list[PlacedDrawing]) -> Drawing:
        kept.extend(laid)
        return joined(width, height, laid)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(specimens, "specimen_field", lambda *_: Drawing(*FIELD, ()))
        patch.setattr(specimens, "joined", placed)
        build_symbol_sheet(style.find("campaign"), find_words("en+es"), long_note)
    return tuple(kept[1:])


def said(drawing: Drawing) -> str:
    return "".join("".join(item.content.split()) for _, item in drawing.items() if isinstance(item, Text))


def test_notes_are_whole_and_none_reaches_the_row_below(parts: tuple[PlacedDrawing, ...]) -> None:
    shown = [*specimens.specimens(), *specimens.overlay_specimens()]
    told = [text for text in (said(part.drawing) for part in parts) if text]
    assert len(told) == len(shown)
    for specimen, text in zip(shown, told, strict=True):
        assert text.endswith("".join(long_note(specimen).split())), specimen.key
    fields = [part for part in parts if (part.drawing.width, part.drawing.height) == FIELD]
    assert len(fields) > 80
    for part in parts:
        for item in (item for _, item in part.drawing.items() if isinstance(item, Text)):
            x, y = part.x + item.at[0], part.y + item.at[1]
            hit = [f for f in fields if f.x < x < f.x + FIELD[0] and f.y - 1 < y < f.y + FIELD[1] + 1]
            assert not hit, item.content


def test_systems_that_agree_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specimens, "specimen_field", lambda *_: Drawing(*FIELD, ()))
    (page,) = specimen_document("campaign", find_words("en"), all_systems()).pages
    told = "brantley,portable-1,portable-2,solo-dba,dba3,collision-course:goodgoing;acw:slow"
    assert told in said(page.placements[0].drawing)
