"""Boxes made, drawn and tried: a file to fill in, numbers to stick under pieces, and the fields that a box builds."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from leaflets_scene import assert_inside, tells
from msgspec.structs import replace

from printkit.console import boxes, terminal
from printkit.core.errors import UsageError
from printkit.core.resources import names
from printkit.core.words import find_words as language
from printkit.drawing.canvas.items import LayerName
from printkit.kit.registry import find
from printkit.kit.registry import names as systems
from printkit.options.printing import PrintOptions
from printkit.recipes.box.box_fit import (
    MOST_STICKERS,
    box_document,
    find_fits,
    fit_document,
    fit_lines,
    score_box,
    sort_fits,
)
from printkit.recipes.box.families import pieceless_kinds
from printkit.recipes.box.new_box import box_text, needed_kinds
from printkit.recipes.box.piece_box import BoxPiece, PieceBox, box_of, piece_lines, read_piece_box
from printkit.recipes.box.piece_matching import find_needs, match_pieces
from printkit.recipes.game.request import MAX_SEEDS, build_orders, parse_seeds
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.terrain.field.features import Kind

ENGLISH, BOTH = language("en"), language("en+es")
ORDERS = build_orders(rules="dba3", settings=(), scenario=None, board=None, seed=None, dice=None)


def order(code: str = "en") -> SheetContext:
    return print_context(PrintOptions(), language(code))


@pytest.mark.parametrize("name", names("templates/boxes", ".toml"))
def test_every_box_that_comes_with_printkit_can_be_read_and_names_its_rules(name: str) -> None:
    box = read_piece_box(name)
    assert box.title
    assert all(piece.number for piece in box.pieces if piece.substitute is None)
    if name != "example":
        known = find(name).goings()
        assert all(piece.kind.value in known for piece in box.pieces if piece.length and piece.shape.name == "AREA")


def test_each_rule_system_has_a_box_for_beginners_and_a_new_one_in_either_language() -> None:
    system = find("dba3")
    for code in ("en", "es"):
        text = box_text(system, ORDERS, language(code))
        box = box_of(tomllib.loads(text), "new")
        assert text.count("\n# ") >= len({piece.kind for piece in box.pieces})
        assert not {piece.kind for piece in box.pieces} & pieceless_kinds()
        assert box_text(system, ORDERS, language(code)) == text
    assert set(systems()) <= set(names("templates/boxes", ".toml"))


def test_sizes_are_the_middle_of_what_is_asked_and_of_many_there_are_two() -> None:
    system = find("dba3")
    fields = [each.record.battlefield for each in find_fits(system, ORDERS, PieceBox(()), range(1, 4), ENGLISH)]
    found = needed_kinds(fields)
    assert [len(each.counts) for each in found] == sorted((len(each.counts) for each in found), reverse=True)
    for each in found:
        needs = [need for field in fields for need in find_needs(field) if need.kind is each.kind]
        lengths = sorted(need.length or 0.0 for need in needs)
        if len(each.sizes) == 1 and each.kind.value not in ("river", "road"):
            assert lengths[0] <= each.sizes[0][0] <= lengths[-1]


PIECES = (
    BoxPiece(kind=Kind.HILL, number=2, name="big", length=254.0, width=203.2, substitute=Kind.RISE),
    BoxPiece(kind=Kind.RIVER, number=3, length=304.8, width=25.4, bend=45.0),
    BoxPiece(kind=Kind.LIGHT_WOODS, number=0),
)


def test_a_piece_is_written_as_a_file_has_it() -> None:
    text = "\n".join(line for piece in PIECES for line in piece_lines(piece))
    assert box_of(tomllib.loads(text), "mine").pieces == PIECES


def test_every_piece_has_its_number_on_the_sheet_and_a_sticker() -> None:
    hill, river, _ = PIECES
    box = PieceBox((replace(hill, name="big hill", substitute=None), river, BoxPiece(kind=Kind.LAKE, number=0)), "Mine")
    made = box_document(box, order("en+es"))
    assert_inside(made.pages)
    for text in ("1–2", "3–5", "big hill", "Mine", BOTH.each()[1]("box.sheet-title"), "5", "bent by 45°"):
        assert tells(made.pages, text), text
    # Each piece with a size is drawn as its symbol.
    layers = {layer.name for page in made.pages for placed in page.placements for layer, _ in placed.drawing.items()}
    assert {LayerName.CONTOUR, LayerName.WATER} <= layers
    with pytest.raises(UsageError, match=f"at most {MOST_STICKERS} numbers can be printed"):
        box_document(PieceBox((BoxPiece(kind=Kind.LIGHT_WOODS, number=MOST_STICKERS + 1),)), order())


def test_the_best_field_comes_first_and_what_lacks_is_named() -> None:
    system, box = find("dba3"), PieceBox((BoxPiece(kind=Kind.HILL, number=9),), "Hills")
    found = sort_fits(find_fits(system, ORDERS, box, (3, 4, 5), ENGLISH))
    ranks = [(bool(each.missing_kinds), -each.piece_count, -each.score) for each in found]
    assert ranks == sorted(ranks)
    # A battlefield with nothing missing comes first, however few pieces it uses.
    complete = replace(found[-1], match=replace(found[-1].match, missing_pieces=(), uses=()))
    assert sort_fits((*found, complete))[0] is complete
    assert {each.record.seed for each in found} == {3, 4, 5}
    rows = [line.split() for line in list(fit_lines(found, ENGLISH))[2:]]
    assert [row[:3] for row in rows] == [
        [str(n) for n in (each.record.seed, each.score, each.piece_count)] for each in found
    ]
    assert {row[3] == "nothing" for row in rows} == {not each.missing_kinds for each in found}
    made = fit_document(found[:1], system, order("es"))
    assert tells(made.pages, f"Semilla {found[0].record.seed}: {found[0].score} de 100")
    assert_inside(made.pages)


def test_a_score_falls_with_what_is_missing_and_with_what_does_not_fit() -> None:
    system = find("dba3")
    (field,) = (each.record.battlefield for each in find_fits(system, ORDERS, PieceBox(()), (3,), ENGLISH))
    needs = find_needs(field)
    long = {Kind.RIVER: 9000.0, Kind.ROAD: 9000.0}
    loose = PieceBox(tuple(BoxPiece(kind=need.kind, number=9, length=long.get(need.kind)) for need in needs))
    assert score_box(match_pieces(needs, loose), len(needs)) == 100
    assert score_box(match_pieces(needs, PieceBox(())), len(needs)) == 0
    one_less = PieceBox(loose.pieces[1:])
    if needs[0].kind not in {piece.kind for piece in one_less.pieces}:
        assert score_box(match_pieces(needs, one_less), len(needs)) < 100


@pytest.mark.parametrize(("text", "seeds"), [("7", (7,)), ("1..4", (1, 2, 3, 4)), ("3, 5..6,3", (3, 5, 6))])
def test_seeds_are_read_as_people_write_them(text: str, seeds: tuple[int, ...]) -> None:
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a", "is not a list of seeds; write for example 7, 1..20"),
        ("", "is not a list of seeds"),
        ("1..2..3", "is not a list of seeds"),
        ("9..3", "runs backwards"),
        (f"1..{MAX_SEEDS + 1}", f"more than {MAX_SEEDS} seeds"),
        ("1..300,400..800", f"more than {MAX_SEEDS} seeds"),
    ],
)
def test_seeds_that_cannot_be_meant_are_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        parse_seeds(text)


def test_answers_at_the_terminal_are_kept_in_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('# mine\n[[piece]]\nkind = "hill"\n', encoding="utf-8")
    (field,) = find_fits(find("dba3"), ORDERS, PieceBox(()), (3,), ENGLISH)
    box = read_piece_box(str(path))
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(str(text))
        return {1: "x\n", 2: "*\n", 3: "3\n"}.get(len(asked), "\n")

    monkeypatch.setattr(terminal, "ask", answer)
    monkeypatch.setattr(terminal, "tell", lambda _: None)
    monkeypatch.setattr(terminal, "report_error", lambda _: None)
    for stream in ("stdin", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    found = boxes.complete_box(str(path), box, field.record, quiet=False)
    assert len(asked) >= 3
    assert path.read_text(encoding="utf-8").startswith("# mine\n")
    again = read_piece_box(str(path))
    assert again.pieces == found.pieces
    asked.clear()
    assert boxes.complete_box(str(path), again, field.record, quiet=False) == again
    assert not asked
