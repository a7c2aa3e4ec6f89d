"""The contents page of a game-night folder: each file with its use, sheets, cuts and minutes, and the first steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from printkit.content.prose import Align, Block, Bullets, Heading, Paragraph, Steps, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.text.leaflet import Content, Figure, SideFigure
from printkit.kit.sides import PlayerSide, inline_side_name
from printkit.page.sheet import Page
from printkit.recipes.evening.folder import Folders
from printkit.recipes.evening.parts import (
    TABLE_KINDS,
    OptionalPart,
)
from printkit.recipes.game.request import SEALED, UMPIRE
from printkit.recipes.output.handout import HandoutContext, PluginText
from printkit.recipes.output.printed_files import CUT_SECONDS, PASTE_SECONDS, PRINT_SECONDS, FilePart, PartUse, sum_work

# The assembly plan, if the map is on other paper.
MAP_PLAN: Final = "map-plan"

# Parts for building the battlefield without a printed map.
_TABLE_PARTS: Final = ("hexon", "layout")

# Parts that are not needed before the end of the battle.
_LATE_PARTS: Final = ("report", "form")


def steps(parts: Sequence[FilePart], words: Words, other_files: Sequence[PluginText] = ()) -> Iterator[str]:
    """Yield the steps to prepare a game night, in one language, for the printed parts and then for the unprinted files.

    Each step names its files and their work; every part is in one step.
    """
    remaining = {part_name(part): part for part in parts}

    def take_work(names: Iterable[str]) -> str:
        """Return the names and work of these parts as text, and remove them from the remaining parts."""
        return ", ".join(_describe_work(remaining.pop(name), words) for name in tuple(names))

    def single_steps(names: Iterable[str]) -> Iterator[str]:
        """Yield a step for each of these parts that remains."""
        for name in names:
            if name in remaining:
                yield words(f"handouts.step.{name}", name=take_work([name]))

    if "overview" in remaining:
        yield words("handouts.step.check", name=take_work(["overview"]))
    else:
        yield words("handouts.step.check-any")
    if "map" in remaining:
        joints, plan_part = remaining["map"].joints, remaining.get(MAP_PLAN)
        kind = "one" if not joints else "tiled" if plan_part is None else "tiled-apart"
        plan = "" if plan_part is None else take_work([MAP_PLAN])
        yield words(f"handouts.step.map-{kind}", count=joints + 1, name=take_work(["map"]), plan=plan)
    sealed_names = [name for name, part in remaining.items() if part.name.startswith(f"{SEALED}/")]
    cards = [part for name, part in remaining.items() if part.card and name not in sealed_names]
    for flip in dict.fromkeys(part.flip for part in cards):
        names = take_work(part_name(part) for part in cards if part.flip is flip)
        if flip is None:
            yield words("handouts.step.cards", names=names)
        else:
            yield words("handouts.step.cards-both", names=names, edge=words(f"handouts.edge.{flip}"))
    yield from single_steps(_TABLE_PARTS)
    groups = {
        "players": [name for name in remaining if name.startswith("player-")],
        "umpire": [name for name, part in remaining.items() if part.name.startswith(f"{UMPIRE}/")],
        "sealed": sealed_names,
    }
    grouped_names = {name for names in groups.values() for name in names}
    table = [name for name in remaining if name not in (*grouped_names, *_LATE_PARTS)]
    for group, members in {"table": table, **groups}.items():
        if members:
            yield words(f"handouts.step.{group}", names=take_work(members), count=len(members))
    for text_file in other_files:
        if words.has(key := f"handouts.step.{text_file.key}"):
            yield words(key, name=f"**{text_file.name}**")
    yield from single_steps(_LATE_PARTS)


def part_name(part: FilePart) -> str:
    """Return the name of a file in options, for example ``map`` for ``you/map.pdf``."""
    return PurePosixPath(part.name).stem


def _describe_work(part: FilePart, words: Words) -> str:
    """Return the name of a file with its cuts and minutes."""
    key = "handouts.step.work" if part.cuts else "handouts.step.work-uncut"
    return words(key, name=f"[[{part.name}]]", cuts=part.cuts, minutes=part.minutes)


_SHARES: Final = (2.8, 3.9, 1.15, 0.95, 2.35, 0.8, 0.8)
_REST_SHARES: Final = (2.4, 6.0, 1.4)
_RIGHT: Final[Align] = "right"
_LEFT: Final[Align] = "left"
_ALIGNS: Final[tuple[Align, ...]] = (_LEFT, _LEFT, _LEFT, _RIGHT, _LEFT, _RIGHT, _RIGHT)
_HEAD: Final = ("file", "what", "use", "sheets", "paper", "cuts", "minutes")
_NONE: Final = "–"

# Defaults, which a command does not need to name.
_STYLE: Final = "campaign"
_LANGUAGE: Final = "en"


class ContentsEntries(Struct, frozen=True, kw_only=True):
    """The entries of the contents page.

    Attributes:
        parts: files to print, in order.
        texts: files that are not for printing.
        left_out: parts that this game night leaves out.
        sides: the sides that get a folder.
        folders: the paths of the files.
    """

    parts: tuple[FilePart, ...]
    texts: tuple[PluginText, ...] = ()
    left_out: tuple[OptionalPart, ...] = ()
    sides: tuple[PlayerSide, ...]
    folders: Folders


def contents_pages(handout: HandoutContext, thumbnail: Drawing, entries: ContentsEntries) -> tuple[Page, ...]:
    """Return the contents: one page, if the paper is of normal size and there is one language.

    Args:
        handout: the record, and how to print it.
        thumbnail: a small map.
        entries: all files except the contents.

    Raises:
        PageError: the paper is too small.
    """
    title, bookmark = (handout.words(f"handouts.contents.{name}") for name in ("title", "bookmark"))
    contents = _contents(handout, thumbnail, entries)
    return handout.build_pages(title, contents, subtitle=handout.title, bookmark=bookmark)


def _contents(handout: HandoutContext, thumbnail: Drawing, entries: ContentsEntries) -> Iterator[Content]:
    """Yield the contents page: introduction, table of files, steps, and the parts that are left out."""
    words = handout.words
    yield SideFigure(Figure(thumbnail), tuple(_introduction_blocks(handout, entries)), side="right")
    yield Heading(words("handouts.contents.files"), remark=words("handouts.contents.files-aside"))
    yield _file_table(entries, words)
    yield Heading(words("handouts.contents.order"))
    for language in words.each():
        yield Steps(tuple(steps(entries.parts, language, entries.texts)))
    yield Paragraph(words("handouts.contents.note", print=PRINT_SECONDS, cut=CUT_SECONDS, paste=PASTE_SECONDS), "note")
    if entries.left_out:
        yield Heading(words("handouts.contents.rest"), remark=words("handouts.contents.rest-aside"))
        yield _left_out_table(entries, words)
        command = _reprint_command(handout, entries.folders)
        for language in words.each():
            yield Paragraph(language("handouts.contents.rest-how", command=command))


def _introduction_blocks(handout: HandoutContext, entries: ContentsEntries) -> Iterator[Block]:
    """Yield the texts next to the map: the rules and seed, and who gets which folder.

    The texts are in each language.
    """
    words = handout.words

    def intro(language: Words) -> str:
        text = language("handouts.contents.intro", rules=handout.system.book.title_in(language))
        seed = handout.record.seed if handout.show_seed else None
        return text if seed is None else f"{text} {language('handouts.contents.seed', seed=seed)}"

    for language in words.each():
        yield Paragraph(intro(language))
    if entries.folders.solo:
        yield Heading(words("handouts.contents.hand-over-you"))
    else:
        yield Heading(words("handouts.contents.hand-over"), remark=words("handouts.contents.hand-over-aside"))
    for language in words.each():
        side_lines = [
            language(
                f"handouts.contents.for-{'you' if side.solo else 'player'}",
                folder=side.folder,
                side=inline_side_name(side, language),
            )
            for side in entries.sides
        ]
        private_line = language(f"handouts.contents.for-{entries.folders.private_folder}")
        yield Bullets(
            (*side_lines, private_line)
            if entries.folders.solo
            else (*side_lines, private_line, language("handouts.contents.for-all"))
        )


def _file_table(entries: ContentsEntries, words: Words) -> Table:
    """Return the table of files with their use, sheets, paper, cuts and minutes, and the sums in the last row.

    Texts that are not printed follow the printed parts; a dash stands for no number.
    """
    rows, parts, solo = [], entries.parts, entries.folders.solo
    for part in parts:
        cuts = str(part.cuts) if part.cuts else _NONE
        first_cells = (f"[[{part.name}]]", part.description, _use_label(part.use, words, solo=solo))
        rows.append((*first_cells, str(part.sheets), _paper_label(part, words), cuts, str(part.minutes)))
    for text_file in entries.texts:
        first_cells = (
            f"**{text_file.name}**",
            words(f"handouts.file.{text_file.key}"),
            _use_label(text_file.use, words, solo=solo),
        )
        rows.append((*first_cells, _NONE, _NONE, _NONE, _NONE))
    sheets, cuts, minutes = (f"**{number}**" for number in sum_work(parts))
    rows.append((f"**{words('handouts.contents.sum')}**", "", "", sheets, "", cuts, minutes))
    head = tuple(_stack_languages(f"handouts.contents.{name}", words) for name in _HEAD)
    return Table(rows=tuple(rows), head=head, shares=_SHARES, aligns=_ALIGNS)


def _left_out_table(entries: ContentsEntries, words: Words) -> Table:
    """Return the table of parts that are not printed, by their names in options."""
    solo = entries.folders.solo
    rows = []
    for offer in entries.left_out:
        table = TABLE_KINDS.get(offer.part_name)
        use = _use_label(offer.use, words, solo=solo) if table is None else f"--table {table}"
        rows.append((f"**{offer.part_name}**", offer.description, use))
    return Table(rows=tuple(rows), shares=_REST_SHARES)


def _use_label(use: PartUse, words: Words, *, solo: bool) -> str:
    """Return the word for the use of a file, one language below the other.

    In a solo game the use of the umpire has another word.
    """
    return _stack_languages(
        "handouts.use.sealed" if solo and use is PartUse.UMPIRE else f"handouts.use.{use.value}", words
    )


def _stack_languages(key: str, words: Words) -> str:
    """Return a text for a narrow column, one language below the other.

    ``key`` is that of the text in the words. Equal texts appear once.
    """
    return "\n".join(dict.fromkeys(language(key) for language in words.each()))


def _reprint_command(handout: HandoutContext, folders: Folders) -> str:
    """Return the ``printkit`` command that prints this game again from its record.

    It has the options for style and languages only if they differ from the default ones of the command.
    """
    words = [f"printkit handouts --from {folders.record}"]
    if handout.style.name != _STYLE:
        words.append(f"--style {handout.style.name}")
    languages = "+".join(language.code for language in handout.words.each())
    if languages != _LANGUAGE:
        words.append(f"--lang {languages}")
    return " ".join(words)


def _paper_label(part: FilePart, words: Words) -> str:
    """Return the paper of the last page of a file, and whether both sides are printed, as text.

    For paper from a roll it is the width and height in mm instead of the sides.
    """
    # The last page counts: a map on a roll is longer than the plan before it.
    sheet = part.document.pages[-1].sheet
    name = sheet.name.upper() if len(sheet.name) == len("a4") else sheet.name.capitalize()
    if sheet.cut:
        size = {"width": f"{sheet.width:.0f}", "height": f"{sheet.height:.0f}"}
        return words("handouts.contents.roll", paper=name, **size)
    both = part.flip is not None
    kind = ("card-both" if both else "card") if part.card else ("both" if both else "one")
    return words(f"handouts.contents.{kind}", paper=name)
