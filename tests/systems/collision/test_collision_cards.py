"""The reference cards: what they say, in which languages, and that all of it fits."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from printkit.content.prose import Paragraph
from printkit.core.words import catalogue, find
from printkit.drawing.canvas.items import Drawing, Text
from printkit.drawing.canvas.style import find as style
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.sizes import find_size
from printkit.kit.registry import find as system
from printkit.kit.rules import Rules
from printkit.systems.collision.march.decks import COLUMNS, NUMBERS, TWO_SIDED, card_texts, decks

RULES = Rules.of(system("collision-course").book)
SPANISH = (
    *("Bordes despejados", "Tres columnas", "Orden de marcha", "Bagaje", "Entra la columna 3", "Entrada forzosa"),
    *("General", "Desembarco", "Poblaciones", "Lucha en el borde", "Caminos y aliados"),
)
ENGLISH = (
    *("Clear edges", "Three columns", "Marching order", "Baggage", "Bringing on column 3", "Must enter"),
    *("General", "Landing", "Towns", "Fighting at the edge", "Roads and allies"),
)


def lettered(side: Drawing | None) -> str:
    """Return what is lettered on a side of a face."""
    assert side is not None
    return " ".join(item.content for _, item in side.items() if isinstance(item, Text))


@pytest.mark.clause("CC-C01..CC-C11", "CC-A04")
@pytest.mark.parametrize(("lang", "titles"), [("en", ENGLISH), ("es", SPANISH)])
def test_the_rule_system_offers_eleven_cards_in_each_language(lang: str, titles: tuple[str, ...]) -> None:
    (deck,) = decks(find(lang), RULES, alone=True)
    assert (deck.name, deck.reference, deck.backs) == (COLUMNS, True, "none")
    assert tuple(card.title for card in deck.cards) == titles
    assert [card.id for card in deck.cards] == [f"CC-C{number:02}" for number in NUMBERS]
    assert [deck.name for deck in system("collision-course").decks(find(lang))] == [COLUMNS]


@pytest.mark.clause("CC-A04")
def test_two_languages_are_two_decks_or_two_sides() -> None:
    deck, turned = decks(find("en+es"), RULES, alone=True)
    assert tuple(card.title for card in deck.cards) == (*ENGLISH, *SPANISH)
    assert (turned.name, turned.backs, len(turned.cards)) == (TWO_SIDED, "content", 11)
    assert [card.facts["title"] for card in turned.cards] == list(SPANISH)
    told = [tuple(block for block in card.back if isinstance(block, Paragraph)) for card in turned.cards]
    assert told == [blocks for _, blocks in card_texts(find("es"), RULES)]


@pytest.mark.clause("CC-A04", "CC-C12")
@pytest.mark.parametrize(("lang", "size"), [("en", "poker-63x88"), ("es", "poker-63x88"), ("es", "mini")])
def test_every_text_fits_its_card(lang: str, size: str) -> None:
    (deck,) = decks(find(lang), RULES, alone=True)
    made = faces(deck, find_size(size), style=style("campaign"), words=find(lang))
    assert len(made) == 11
    assert "WWg" in lettered(made[3].front)


@pytest.mark.clause("CC-A04")
def test_the_back_has_its_own_title() -> None:
    words = find("en+es")
    turned = decks(words, RULES, alone=True)[1]
    assert turned.cards[0].title == "Clear edges"
    (made,) = faces(replace(turned, cards=turned.cards[:1]), find_size(""), style=style("campaign"), words=words)
    assert "despejados" in lettered(made.back).lower()


@pytest.mark.clause("CC-C12")
def test_spanish_terms() -> None:
    spanish = {key: text for key, text in catalogue("es").items() if key.startswith("columns.")}
    everything = " ".join(spanish.values())
    for term in ("terreno difícil", "muy difícil", "campo arado", "zona de amenaza", "turno", "PIP", "BW", "cabeza"):
        assert term in everything.lower() or term in everything
    assert not re.search(r"\bPIPs\b", everything)


DEPLOYING = (
    "Defender first, attacker second", "lead's front within 4 BW of your edge and 2 BW of the centre line",
    "lead on the board within 2 BW", "the rest queues outside", "laid out openly, numbered and in marching order",
    "the shore is your edge",
)  # fmt: skip
BAGGAGE = (
    "40 mm deep", "moves as WWg", "stays out of rough and bad going", "fights like camp followers in camp",
    "2 PIPs alone", "nothing extra in a group", "Losing it = losing a camp", "Not needed with 2+ WWg",
    "Never moves into the enemy", "never lends an overlap from rear, side or corner",
    "not used by a defender with a city",
)  # fmt: skip
MARCHING = (
    "Baggage ends column 2 or leads column 3", "with allies or for a landing it ends column 2",
    "No allies: 4-4-4. One ally: 4-5-3. Two allies: 4-4-4.",
)  # fmt: skip
LANDING = (
    "Column 3 only", "every army in it Littoral", "4 PIPs", "its rear element or one full flank on the water",
    "Needs room", "first bound only", "It walks on normally", "one contingent at most",
)  # fmt: skip
GENERAL = ("any column of your own army", "beyond command distance", "measure from where the column came in")
TOWNS = ("No forts", "may set down a city", "never with a garrison", "no baggage", "Otherwise normal rules")
ROADS = (
    "middle of front and of rear edge on the road, square to it", "No free first move",
    "stop before 1 BW of an enemy", "Allies are column 3", "one group until all on, then split",
)  # fmt: skip


@pytest.mark.clause("CC-2.1", "CC-2.2", "CC-2.3", "CC-2.4", "CC-2.5", "CC-2.6", "CC-2.7", "CC-2.8", "CC-2.9")
@pytest.mark.clause("CC-3.1", "CC-3.2", "CC-3.3", "CC-3.4", "CC-3.5", "CC-3.6", "CC-3.7", "CC-3.8", "CC-3.9", "CC-3.10")
@pytest.mark.clause("CC-5.1", "CC-5.2", "CC-5.3", "CC-6.1", "CC-6.2", "CC-6.3", "CC-6.4", "CC-6.5", "CC-6.7")
@pytest.mark.clause("CC-7.4", "CC-7.5", "CC-9.1", "CC-9.2", "CC-9.3")
@pytest.mark.clause("CC-10.2", "CC-10.3", "CC-10.4", "CC-10.5", "CC-10.6", "CC-10.7", "CC-10.8")
def test_the_cards_tell_the_clauses_of_the_rules() -> None:
    (deck,) = decks(find("en"), RULES, alone=True)
    told = {2: DEPLOYING, 3: MARCHING, 4: BAGGAGE, 7: GENERAL, 8: LANDING, 9: TOWNS, 11: ROADS}
    for number, phrases in told.items():
        blocks = deck.cards[number - 1].blocks
        text = " ".join(block.text for block in blocks if isinstance(block, Paragraph)).replace("**", "")
        assert [phrase for phrase in phrases if phrase not in text] == []


ENTRY = (
    ("CC-4.1", "From your second bound, once column 2 is all on"),
    ("CC-4.2", ": {entry_pips} PIPs. "),
    ("CC-4.3", "Anywhere on your edge within the deployment zone"),
    ("CC-4.4", ", lead's front on the edge (or shore)"),
    ("CC-4.5", ", at its slowest member's pace."),
)
FORCED = (
    ("CC-4.6", "A {forcing_score} after your first bound with a column still out: it has to start."),
    ("CC-4.8", " A column half on takes at least {partly_pips} PIP a bound."),
    (
        "CC-4.7",
        " An element with its rear edge on the board may go its own way; LH, say, may then move more than once.",
    ),
)
FIGHT = (
    ("CC-8.1", "A half-arrived column can be hit only when its lead's whole front is on."),
    ("CC-8.3", " It may hit on arrival if that front fits."),
    ("CC-8.2", " The next base gives rear support from outside."),
    ("CC-8.4", " Nobody leaves the board to pursue, turn a flank or shove."),
    ("CC-8.5", " It counts over {counted_deep} deep."),
    ("CC-8.6", " Lead recoils = lead dies, the rest stay."),
    (
        "CC-8.7",
        " With the lead pinned by contact or a threat zone, those outside may close up past the edge"
        " in spite of X-ray zones;",
    ),
    ("CC-8.8", " elsewhere X-ray zones hold."),
)


@pytest.mark.clause("CC-4.1..CC-4.8", "CC-8.1..CC-8.8", "CC-C05", "CC-C06", "CC-C10")
@pytest.mark.parametrize(("number", "clauses"), [(5, ENTRY), (6, FORCED), (10, FIGHT)])
@pytest.mark.parametrize("more", [0, 1])
def test_a_card_says_its_clauses_and_nothing_else(number: int, clauses: Sequence[tuple[str, str]], more: int) -> None:
    """Whoever leaves out a clause, alters one or adds to them changes this text; its numbers are those of the rules."""
    book = system("collision-course").book
    changed = {name: value + more for name, value in book.numbers.items()}
    made = Rules.of(replace(book, numbers=changed))
    values = {name: f"{value:g}" for name, value in changed.items()}
    _, blocks = card_texts(find("en"), made)[number - 1]
    assert " ".join(block.text for block in blocks).replace("**", "") == "".join(
        text.format(**values) for _, text in clauses
    )
    heads = {"CC-4": 8, "CC-8": 8}
    named = sorted(clause for clause, _ in (*ENTRY, *FORCED, *FIGHT))
    assert named == sorted(f"{head}.{place}" for head, count in heads.items() for place in range(1, count + 1))
