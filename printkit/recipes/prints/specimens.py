"""The specimen sheet as a document: all signs of a style, with the going that the rule systems give them."""

from __future__ import annotations

from collections.abc import Mapping

from printkit.core.words import Words
from printkit.drawing.canvas import style as styles
from printkit.drawing.furniture.legend import going_word
from printkit.drawing.furniture.samples import Specimen
from printkit.drawing.furniture.specimens import specimen_sheet
from printkit.kit.system import RuleSystem
from printkit.page import paper
from printkit.page.printer import Profile, corrected, with_line
from printkit.page.sheet import Document


def specimen_document(
    style: str, words: Words, systems: Mapping[str, RuleSystem], *, profile: Profile | None = None
) -> Document:
    """Return one sheet as large as it needs to be with every sign of a style, corrected for a printer.

    Raises:
        PrintkitError: the style cannot be read.
    """
    found = styles.find(style)
    drawing = specimen_sheet(found, words, lambda specimen: _told(specimen, words, systems))
    title = words.each()[0]("specimen.title")
    page = paper.page_of(drawing, bookmark=title)
    if profile is not None:
        page = with_line(page, words("marks.profile", name=profile.name))
    document = Document(title=title, pages=(page,), language=words.code, keywords=(found.name,))
    return corrected(document, profile).document


def _told(specimen: Specimen, words: Words, systems: Mapping[str, RuleSystem]) -> str:
    """Return the going of a sign: one word where the systems agree, else each with its name."""
    by_system = {
        name: system.goings()[specimen.key] for name, system in systems.items() if specimen.key in system.goings()
    }
    if len(set(by_system.values())) > 1:
        return "; ".join(f"{name}: {going_word(going, words)}" for name, going in by_system.items())
    return going_word(next(iter(by_system.values())), words) if by_system else ""
