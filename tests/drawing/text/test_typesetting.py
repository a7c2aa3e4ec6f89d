"""Typesetting: every block keeps to its column, whatever its width; forms have the measures that hands need."""

from __future__ import annotations

import pytest
from card_deck import said, texts
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from printkit.content import prose
from printkit.content.prose import Block, CheckBoxes, Modifiers, Paragraph, ScoreTable, Table
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import GRID, Drawing, Font, Path
from printkit.drawing.canvas.style import read_beside
from printkit.drawing.lettering.lettering import measure
from printkit.drawing.lettering.lettering import width as width_of
from printkit.drawing.text.text_runs import plain_text, wrap_text
from printkit.drawing.text.text_styles import LEAST_PT, TextFace, TextStyle, text_style
from printkit.drawing.text.typesetting import column_height, lay_out_block, lay_out_blocks, lay_out_to_fit, stack_blocks
from printkit.recipes.output.files import find_style

BLOCKS: tuple[Block, ...] = (
    prose.Heading("Aggression level", "1", "once, first bound"),
    prose.Heading("Permitted moves of a general who has lost his camp", "12", "each bound, in this order"),
    Paragraph("Plain prose of **12 strong words**, an unbreakably-long-compound/word and no troops may enter."),
    Paragraph("A note in italics with **strong** words.", "note"),
    Paragraph("All of it strong.", "strong"),
    prose.Steps(("Throw for stance.", "Count 12 paces and halt before the enemy's camp.", "Rest.")),
    prose.Steps(tuple("one two three" for _ in range(30)), letters=True),
    prose.Bullets(("first", "second, which is so long that it has to be wrapped in any column")),
    CheckBoxes(("cut", "glue the sheets from the lower left to the upper right"), boxes=3),
    ScoreTable(
        (("2 or less", "Defensive"), ("3–4", "Neutral"), ("5 or more", "**Aggressive** if mounted")), title="Stance"
    ),
    Modifiers((("+2", "five or more mounted elements"), ("-1", "five or more psiloi against five or more spear"))),
    Table(
        head=("Kind", "Going", "Remark"),
        rows=(("Heavy woods", "impassable", "no troops may enter"), ("Marsh",), ("Hill", "good", "**steep** sides")),
    ),
    Table(head=("Bound", "Losses of A", "Losses of B"), rows=(("1",), ("2",)), min_height=8.0, shares=(1, 9, 9)),
    prose.WriteLines(("Date", "The general of the side that deployed second and moved first", "")),
    prose.Boxes(("1", "2", "3", "4", "5", "6")),
    prose.Boxes(("losses of the general", "PIPs", "camp lost"), side=6),
    prose.Ornament(),
    prose.Space(3.0),
)


def hand(size_pt: float = 9.8, face: TextFace = "book", name: str = "campaign") -> TextStyle:
    return text_style(style.find(name), size_pt, face=face)


def paths(drawing: Drawing) -> list[Path]:
    return [item for _, item in drawing.items() if isinstance(item, Path)]


@pytest.mark.parametrize(("size_pt", "face"), [(7.0, "plain"), (9.8, "book")])
@pytest.mark.parametrize("wide", [26.0, 57.0, 180.0])
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_no_block_leaves_its_column(block: Block, wide: float, size_pt: float, face: TextFace) -> None:
    for part in lay_out_block(block, wide, hand(size_pt, face)).parts:
        assert part.width == pytest.approx(wide)
        for text in texts(part):
            long = width_of(text.content, text.font, text.size_pt, track=text.track)
            assert text.at[0] >= -0.02
            assert text.at[0] + long <= wide + 0.02
            assert 0 < text.at[1] < part.height
        for path in paths(part):
            for run in path.runs:
                assert min(run.points[::2]) * GRID >= -0.02
                assert max(run.points[::2]) * GRID <= wide + 0.02


@pytest.mark.parametrize("wide", [20.0, 62.0])
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: type(block).__name__)
def test_nothing_is_set_smaller_than_can_be_read_in_the_hand(block: Block, wide: float) -> None:
    table = isinstance(block, Table)
    for part in lay_out_block(block, wide, hand(7.0, "plain")).parts:
        sizes = [text.size_pt for text in texts(part)]
        assert min(sizes, default=LEAST_PT) >= LEAST_PT * (0.8 if table or wide < 30 else 1.0) - 1e-9


words = st.lists(st.text("abcdefgh-/ *0123456789é", min_size=1, max_size=24), max_size=12).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(text=words, wide=st.floats(4.0, 90.0))
@example(text="** 00**00", wide=4.0)
@example(text="0cc00", wide=4.0)
def test_rows_are_no_longer_than_the_measure_and_lose_no_letter(text: str, wide: float) -> None:
    made = hand(9.0)
    rows = wrap_text(text, made.text, made.strong, wide)
    assert all(row.width <= wide + 1e-5 for row in rows)
    kept = "".join(piece.text for row in rows for word in row.words for piece in word)
    assert sorted(kept.replace("-", "")) == sorted("".join(plain_text(" ".join(text.split())).split()).replace("-", ""))


def test_a_file_name_in_brackets_is_strong_and_a_link_on_each_row() -> None:
    made = hand()
    rows = wrap_text(
        "Print [[umpire/map-plan.pdf]], not [[../map.pdf]] or [[your_line]].", made.text, made.strong, 20.0
    )
    pieces = [piece for row in rows for word in row.words for piece in word]
    linked = [piece for piece in pieces if piece.style.link]
    assert "".join(piece.text for piece in linked) == "umpire/map-plan.pdf"
    assert len(linked) > 1
    assert {piece.style for piece in linked} == {replace(made.strong, link="umpire/map-plan.pdf")}
    assert pieces[-1].style == made.text


def test_a_word_longer_than_its_column_is_broken_with_a_hyphen_and_a_line_feed_begins_another_row() -> None:
    rows = wrap_text("counterreconnaissance", hand().text, hand().strong, 12.0)
    assert len(rows) > 1
    assert all(row.words[-1][-1].text.endswith("-") for row in rows[:-1])
    assert "".join(row.words[0][0].text for row in rows).replace("-", "") == "counterreconnaissance"
    assert len(wrap_text("1.5 in\n3.8 cm", hand().text, hand().strong, 100.0)) == 2


@pytest.mark.parametrize(
    ("word", "language", "parts"),
    [
        ("reconnaissance,", "en", ["recon-", "nais-", "sance,"]),
        ("reconocimiento.", "es", ["reco-", "noci-", "mien-", "to."]),
    ],
)
def test_a_word_longer_than_its_column_is_parted_between_syllables(word: str, language: str, parts: list[str]) -> None:
    text = replace(hand().text, language=language)
    rows = wrap_text(word, text, text, 10.5)
    assert [row.words[0][0].text for row in rows] == parts
    assert {row.words[0][0].style for row in rows} == {text}


def test_a_word_without_syllables_is_made_smaller_before_it_is_cut() -> None:
    text = replace(hand().text, language="xx")
    whole = measure("reconnaissance", text)
    (row,) = wrap_text("reconnaissance", text, text, 0.81 * whole)
    assert row.words[0][0].text == "reconnaissance"
    assert row.width == pytest.approx(0.81 * whole, rel=0.01)
    assert len(wrap_text("reconnaissance", text, text, 0.79 * whole)) == 2


def test_sheets_are_hyphenated_in_their_own_language() -> None:
    assert text_style(find_style("ink-saver", "es"), 9.0).text.language == "es"
    assert text_style(read_beside(find_style("painted", "es")), 9.0).strong.language == "es"


def test_strong_words_and_figures_have_faces_of_their_own() -> None:
    found = texts(stack_blocks([lay_out_block(Paragraph("throw **high** on 2 dice"), 80.0, hand())], 80.0))
    faces = {text.content.strip(): text.font for text in found}
    assert [faces[word] for word in ("high", "2", "throw")] == [Font.BANNER, Font.FIGURES, Font.SMALL]


def test_amounts_have_real_minus_signs_and_end_at_one_place() -> None:
    (first, second) = lay_out_block(Modifiers((("+2", "mounted"), ("-1", "slow"))), 57.0, hand(8.0, "plain")).parts
    for part, amount in ((first, "+2"), (second, "−1")):
        (text,) = [text for text in texts(part) if text.content == amount]
        assert text.font is Font.HEAVY
        assert text.at[0] + width_of(text.content, text.font, text.size_pt) == pytest.approx(8.0)


def test_boxes_to_tick_are_three_millimetres() -> None:
    part = lay_out_block(CheckBoxes(("one",), boxes=2), 57.0, hand(8.0, "plain")).parts[0]
    boxes = [path for path in paths(part) if path.stroke is not None]
    assert len(boxes) == 2
    for box in boxes:
        across, up = box.runs[0].points[::2], box.runs[0].points[1::2]
        assert (max(across) - min(across), max(up) - min(up)) == pytest.approx((3.0 / GRID, 3.0 / GRID), abs=1)
        assert box.stroke is not None
        assert box.stroke.width == pytest.approx(0.75 * 25.4 / 72)


@pytest.mark.parametrize("pitch", [2.0, 9.0])
def test_lines_to_write_on_leave_room_for_a_hand(pitch: float) -> None:
    made = lay_out_block(prose.WriteLines(("Date", "Place"), pitch), 60.0, hand())
    assert all(part.height == pytest.approx(max(pitch, 6.0)) for part in made.parts)


def test_a_style_without_washes_has_no_tints_and_tints_every_other_row_otherwise() -> None:
    table = Table(rows=tuple((str(number), "said") for number in range(4)))
    tinted = stack_blocks([lay_out_block(table, 60.0, hand())], 60.0)
    bare = stack_blocks([lay_out_block(table, 60.0, hand(name="ink-saver"))], 60.0)
    assert sum(path.fill is not None for path in paths(tinted)) == 2
    assert not any(path.fill for path in paths(bare))


def test_the_column_of_scores_is_narrower_in_a_narrow_column() -> None:
    def upright(wide: float) -> float:
        made = lay_out_block(ScoreTable((("1", "yes"), ("2", "no")), dice=""), wide, hand(8.0, "plain"))
        (line,) = [
            path.runs[0].points for path in paths(made.parts[0]) if path.runs[0].points[0] == path.runs[0].points[2]
        ]
        return line[0] * GRID

    assert upright(62.0) == pytest.approx(17.0)
    assert upright(180.0) == pytest.approx(17.0)
    assert 8.0 < upright(40.0) < 12.0


def test_a_table_broken_between_rows_repeats_its_head_and_shares_give_way_to_words_that_would_be_broken() -> None:
    table = Table(head=("Kind", "Going"), rows=tuple((f"row-{letter}", "bad") for letter in "abcdef"))
    first, second = lay_out_block(table, 60.0, hand()).split(3)
    assert "Kind" in said(first.parts[0])
    assert "Kind" in said(second.parts[0])
    rows = " ".join(said(part) for setting in (first, second) for part in setting.parts)
    assert [word for word in rows.split() if word.startswith("row")] == [f"row-{letter}" for letter in "abcdef"]
    narrow = Table(rows=(("impassable", "x"),), shares=(1, 9))
    assert "impassable" in said(lay_out_block(narrow, 80.0, hand()).parts[0])


def test_a_column_hangs_from_its_top_as_high_as_its_settings_in_the_first_style_that_fits() -> None:
    made = lay_out_blocks((Paragraph("one"), Paragraph("two")), 60.0, hand())
    assert stack_blocks(made, 60.0).height == pytest.approx(column_height(made))
    low, high = (next(texts(stack_blocks(made, 60.0, height=height))).at[1] for height in (column_height(made), 100.0))
    assert high - low == pytest.approx(100.0 - column_height(made), abs=0.02)
    blocks = (Paragraph("word " * 60),)
    sizes = [hand(size, "plain") for size in (9.0, 8.0, 7.0)]
    heights = [column_height(lay_out_blocks(blocks, 57.0, size)) for size in sizes]
    assert lay_out_to_fit(blocks, 57.0, heights[1], sizes).height == pytest.approx(heights[1])
    assert lay_out_to_fit(blocks, 57.0, 1.0, sizes).height == pytest.approx(heights[2])
