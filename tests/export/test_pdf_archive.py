"""Every PDF is one to be kept (PDF/A-2b): by a checker of others, and by what the standard asks in so many words."""

from __future__ import annotations

import shutil
import struct
import subprocess
from importlib import import_module
from io import BytesIO
from pathlib import Path

import page as checker
import pikepdf
import pytest
from bare_boards import left_bare
from drawn_once import boards_drawn_once
from PIL import ImageCms
from sample_board import board

from printkit.cli.app import run
from printkit.core.resources import resource
from printkit.export import pdf
from printkit.page.sheet import Document, document_of

KINDS = {
    "map": ["map", "--seed", "7"],
    "overview": [*("map", "--seed", "3", "--rules", "acw", "--board", "48x24in"), "--scale=fit", "--style=ink-saver"],
    "print shop": ["map", "--seed", "7", "--sheet", "one", "--furniture", "none", "--bleed", "3mm"],
    "cards": ["cards", "terrain", "--lang", "en+es"],
    "deal": ["deal", "--set", "title=Trial & <error>"],
    "hexon": ["hexon", "--rules", "portable-2", "--seed", "3"],
    "calibrate": ["calibrate"],
    "specimen": ["specimen", "--style", "high-contrast"],
    "evening": ["handouts", "--rules", "solo-dba", "--seed", "3"],
}
BARE = ("deal", "hexon", "evening")
MANY = checker.SafetyLimits(max_form_invocations=10_000_000)
READERS = {
    "qpdf": ["qpdf", "--check"],
    "pdftoppm": ["pdftoppm", "-r", "8", "-q"],
    "mutool": ["mutool", "draw", "-q", "-r", "8", "-F", "pgm", "-o", "page%d.pgm"],
    "gs": ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=nullpage"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Make documents of every kind; those that have boards beside much else have them bare."""
    folder = tmp_path_factory.mktemp("kinds")
    with pytest.MonkeyPatch.context() as always:
        # Map and print shop show one board.
        boards_drawn_once(always)
        for kind, command in KINDS.items():
            lang = () if "--lang" in command else ("--lang", "en")
            with pytest.MonkeyPatch.context() as patch:
                if kind in BARE:
                    left_bare(patch)
                assert run([*command, *lang, "--out", str(folder / kind), "--quiet"]) == 0
    return {kind: sorted((folder / kind).rglob("*.pdf")) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_of_each_kind_is_one_to_be_kept(made, kind):
    faults = [
        (path.name, fault.rule_id, fault.message)
        for path in made[kind]
        for fault in checker.validate_pdf(str(path), profile=checker.ValidationProfile.PDF_A_2B, limits=MANY).failures
    ]
    assert made[kind]
    assert faults == []


@pytest.mark.parametrize("reader", READERS)
def test_readers_open_each_kind_without_a_word(made, reader, tmp_path):
    if not shutil.which(reader):
        pytest.skip(f"{reader} is missing")
    for paths in made.values():
        command = [*READERS[reader], str(paths[0]), *([str(tmp_path / "page")] if reader == "pdftoppm" else [])]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        # Some builds of MuPDF say of themselves that they know no profiles.
        said = done.stderr.replace("warning: ICC support is not available\n", "")
        assert (paths[0], done.returncode, said) == (paths[0], 0, "")
        assert "arning" not in done.stdout


@pytest.mark.skipif(not shutil.which("verapdf"), reason="veraPDF is missing")
def test_the_reference_checker_finds_no_fault(made):
    paths = [str(path) for listed in made.values() for path in listed]
    command = ["verapdf", "--flavour", "2b", "--format", "text", *paths]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    assert [line for line in told if not line.startswith("PASS ")] == []
    assert len(told) == len(paths)


def test_the_profile_is_srgb_to_those_who_read_profiles():
    stored = resource("templates/profiles", "sRGB.icc").read_bytes()
    profile = ImageCms.getOpenProfile(BytesIO(stored)).profile
    ours, theirs = profile, ImageCms.createProfile("sRGB")
    assert (ours.xcolor_space.strip(), ours.connection_space.strip(), ours.version) == ("RGB", "XYZ", 4.2)
    for name in ("red_colorant", "green_colorant", "blue_colorant", "media_white_point"):
        assert getattr(ours, name)[0] == pytest.approx(getattr(theirs, name)[0], abs=4e-4)
    assert struct.unpack(">I", stored[:4]) == (len(stored),)
    same = ImageCms.buildTransform(ImageCms.ImageCmsProfile(ours), ImageCms.ImageCmsProfile(theirs), "RGB", "RGB")
    colours = ImageCms.Image.new("RGB", (256, 1))
    colours.putdata([(level, 255 - level, level * 7 % 256) for level in range(256)])
    moved = ImageCms.applyTransform(colours, same)
    assert max(abs(a - b) for a, b in zip(colours.tobytes(), moved.tobytes(), strict=True)) <= 1


def test_streams_end_on_their_own_line_and_properties_are_told_in_xml_and_dictionary():
    written = pdf.data(Document(title="x", pages=document_of(board()).pages))
    ends = written.count(b"endstream\n")
    assert ends > 3
    assert written.count(b"\r\nendstream\n") == ends
    said = Document(title="Ash & <Elm>", pages=document_of(board()).pages, subject="a “map”", keywords=("one", "two"))
    with pikepdf.open(BytesIO(pdf.data(said))) as opened:
        told = opened.open_metadata()
        assert told.pdfa_status == "2B"
        assert told["dc:title"] == str(opened.docinfo["/Title"]) == "Ash & <Elm>"
        assert told["dc:description"] == str(opened.docinfo["/Subject"]) == "a “map”"
        assert told["pdf:Keywords"] == str(opened.docinfo["/Keywords"]) == "one, two"
        assert told["pdf:Producer"] == str(opened.docinfo["/Producer"])
        assert told["xmp:CreatorTool"] == str(opened.docinfo["/Creator"])
        assert not [name for name in told if "Date" in name]


def test_the_colour_profile_is_that_of_its_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "tools" / "patterns")
    tool = import_module("colour_profile")
    assert tool.FILE.read_bytes() == tool.srgb_profile()
