"""What the rules of a game say counts: settings, numbers and lists change what tells of them, States name things."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from drawn_by_hand import area, plot
from msgspec.structs import replace
from tables_by_hand import INCH, book, dice_of, log_of, rules, settle, system
from test_acw_judge_shapes import belted
from test_acw_limits import LEAST, MOST, WHOLE, free_stretch

from printkit.chance.streams import Jitter
from printkit.core.errors import UsageError
from printkit.core.resources import names
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.kit.book import RuleBook, read_book
from printkit.kit.registry import find as system_of
from printkit.kit.rules import Rules
from printkit.kit.system import Scenario
from printkit.page import sheet as sheets
from printkit.recipes.output.handout import HandoutContext
from printkit.systems.acw.judge.case import AcwCase
from printkit.systems.acw.judge.judge import CHECKS
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.network.network_builder import load_preferences
from printkit.systems.acw.sheets import form, pages
from printkit.systems.acw.sheets.feature_key import build_key_lines
from printkit.systems.acw.system import Acw
from printkit.systems.acw.terms.decks import decks
from printkit.systems.acw.terms.facts import Facts
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece, PlaceRules
from printkit.systems.acw.terms.plan import zone_grid
from printkit.systems.acw.terms.profile import PieceProfile, parse_profile_file
from printkit.systems.acw.terms.tables import clearing_reading
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Feature
from printkit.terrain.field.record import Record

ENGLISH = find_words("en")
GIVEN = {"geography": "farm"}
PROFILE = ["Wood: going difficult"]
ROLL = {"zone": 1, "roll": 4, "die": 2, "cell": "Farm", "fate": "ignored", "piece": "farm", "throw": 4}


def handout(given: Mapping[str, str], *, own: bool = False, changed_book: RuleBook | None = None) -> HandoutContext:
    """Return a game by rules that are read anew, or by another book."""
    fresh = Acw()
    if changed_book is not None:
        fresh.__dict__["book"] = changed_book
    details = {"zones": [ROLL], "inputs": {"profile": PROFILE} if own else {}}
    record = Record(
        rules="acw",
        battlefield=Battlefield(board=system().board(60 * 25.4, 48 * 25.4)),
        settings=Rules.of(read_book("acw"), given).settings,
        details=details,
    )
    return HandoutContext(
        record=record, system=fresh, sheet=sheets.find_sheet("a4"), style=style.find("ink-saver"), words=ENGLISH
    )


def cards(made: HandoutContext) -> str:
    return str(decks(made.rules, ENGLISH))


def sketch(made: HandoutContext) -> str:
    rules = made.rules
    return f"{list(form._build_fields(made))} {form._list_pieces(rules)} {zone_grid(rules)} {rules.whole('rolls')}"


def key(made: HandoutContext) -> str:
    grid = zone_grid(made.rules)
    profile = Inputs.read(Facts.from_record(made.record, made.rules).inputs, grid).profile
    lines = build_key_lines(grid, made.rules, profile)
    return str([(pages._format_size(line, ENGLISH), pages._format_going(line, made.rules, ENGLISH)) for line in lines])


def log(made: HandoutContext) -> str:
    return str(list(pages._build_log(Facts.from_record(made.record, made.rules), made)))


SHEETS: Mapping[str, Callable[[HandoutContext], str]] = {"cards": cards, "form": sketch, "key": key, "log": log}
TOLD: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("choice-policy", "defender"), ()),
    **dict.fromkeys(("state", "geography", "water"), ("form",)),
    **dict.fromkeys(("ac-q20", "ac-q21", "ac-q24"), ("cards",)),
    **dict.fromkeys(("ac-q16", "ac-q23"), ("key",)),
}
"""Which sheets tell of a setting, beside the umpire's, who has the list of all; the policy tells nobody, and who
defends stands in the line of every sheet that says who is who."""

TEXTS = {"state": "texas", "geography": "riverside", "ac-q23": "my.toml"}


def others() -> Iterator[tuple[str, str]]:
    for setting in book().settings:
        yield from ((setting.key, value) for value in (*setting.values[1:], *filter(None, [TEXTS.get(setting.key)])))


def test_every_setting_is_in_the_table() -> None:
    assert {setting.key for setting in book().settings} == set(TOLD)


@pytest.mark.clause("AC-A01", "AC-A02", "AC-A03", "AC-Q16", "AC-Q20", "AC-Q21", "AC-Q24")
@pytest.mark.parametrize(("setting", "value"), tuple(others()))
def test_a_setting_changes_every_sheet_that_tells_of_it(setting: str, value: str) -> None:
    usual, changed = handout(GIVEN), handout({**GIVEN, setting: value}, own=setting == "ac-q23")
    told = tuple(name for name, said in SHEETS.items() if said(usual) != said(changed))
    assert told == TOLD[setting]


def test_each_value_of_a_setting_says_something_else() -> None:
    for setting in book().settings:
        if len(setting.values) > 2 and TOLD.get(setting.key) == ("cards",):
            said = {cards(handout({**GIVEN, setting.key: value})) for value in setting.values}
            assert len(said) == len(setting.values), setting.key


LIMITS = {row[1] for row in (*MOST, *LEAST, *WHOLE)} | {"cliff_facing", "scree_sector", "sizes_missed", "swamp_twice"}
"""Numbers whose both sides test_acw_limits proves."""


def ranks(changed_book: RuleBook, piece: str) -> str:
    return str(load_preferences(Rules.of(changed_book), "roads", log_of({1: piece}))(1))


def board(changed_book: RuleBook) -> str:
    """Return the table of the rules, and which sides are refused."""
    system = Acw()
    system.__dict__["book"] = changed_book
    refused = []
    for side in (11.5, 12.5, 235, 245):
        try:
            system.board(side * INCH, 48 * INCH)
        except UsageError:
            refused.append(side)
    return f"{system.board()} {refused}"


def all_sheets(changed_book: RuleBook) -> str:
    made = handout(GIVEN, changed_book=changed_book)
    return str([said(made) for said in SHEETS.values()])


def houses(changed_book: RuleBook) -> str:
    made = handout(GIVEN, changed_book=changed_book)
    field = replace(made.record.battlefield, features=(area("farm", Piece.FARM, plot(12, 36, 5, 4)),))
    return str(list(pages._build_piece_lists(replace(made, record=replace(made.record, battlefield=field)))))


SHOWN: dict[str, Callable[[RuleBook], str]] = {
    **dict.fromkeys(("table_width", "table_depth", "side_min", "side_max", "paces_per_inch", "base_width_mm"), board),
    **dict.fromkeys(("zone", "rolls", "limit"), all_sheets),
    **dict.fromkeys((f"houses_{of}_{end}" for of in ("settlement", "farm", "town") for end in ("min", "max")), houses),
    "no_preference": lambda changed_book: ranks(changed_book, "Hill"),
}


VERDICTS: dict[str, tuple[str, Callable[[], Record], float]] = {
    "belt": ("AC-F13", lambda: belted((0, 50), (170, 220)), 3.0),
    "fence_free_margin": ("AC-F16", lambda: free_stretch(1.5), 10.0),
}
"""Numbers by which one measures, and that are no limits themselves."""


def test_every_number_is_in_a_table() -> None:
    assert set(book().numbers) == LIMITS | set(SHOWN) | set(VERDICTS)


@pytest.mark.parametrize("name", SHOWN)
def test_a_number_changes_what_shows_it(name: str) -> None:
    by = 1.1 if name not in ("rolls", "limit", "no_preference") and "houses" not in name else 0.5
    more = replace(book(), numbers={**book().numbers, name: book().numbers[name] * by})
    assert SHOWN[name](book()) != SHOWN[name](more)


@pytest.mark.parametrize("name", VERDICTS)
def test_a_number_changes_a_verdict(name: str) -> None:
    clause, drawn, by = VERDICTS[name]
    more = replace(book(), numbers={**book().numbers, name: book().numbers[name] * by})
    found = drawn()
    kept, other = (
        not [*CHECKS[clause](AcwCase(record=found, rules=Rules.of_record(each, found)))] for each in (book(), more)
    )
    assert kept != other


LISTS: dict[str, Callable[[RuleBook], str]] = {
    **dict.fromkeys(("states", "geographies", "rolls", "choices", "profile"), all_sheets),
    "signs": lambda changed_book: str([row.values for row in changed_book.own("signs")]),
    "clearings": lambda changed_book: clearing_reading(Rules.of(changed_book), "wilderness"),
    "crossings": lambda changed_book: str(CrossingRules.from_rules(Rules.of(changed_book))),
    "place": lambda changed_book: str(PlaceRules.from_rules(Rules.of(changed_book)).rows),
    "preferences": lambda changed_book: ranks(changed_book, "Settlement"),
}


def test_every_list_of_the_book_is_read() -> None:
    # The sides are read by kit/sides, whose test has them.
    assert set(book().rows) == {*LISTS, "tidy", "sides"}


@pytest.mark.parametrize("name", [name for name in LISTS if name not in ("signs", "rolls", "geographies", "profile")])
def test_a_list_without_its_first_row_says_something_else(name: str) -> None:
    less = replace(book(), rows={**book().rows, name: book().rows[name][1:]})
    assert LISTS[name](book()) != LISTS[name](less)


def test_the_signs_give_their_going_to_the_key() -> None:
    system = Acw()
    first, *others = book().rows["signs"]
    system.__dict__["book"] = replace(book(), rows={**book().rows, "signs": ({**first, "going": "open"}, *others)})
    assert system.goings() != Acw().goings()
    assert find_words("en").has("going.open")


BY_HEIGHT = ("hill", "road")
"""Kinds that several results of the dice share."""


@pytest.mark.parametrize("language", names("templates/words"))
def test_what_lies_on_the_table_is_called_as_its_dice_call_it(language: str) -> None:
    book = system_of("acw").book
    words, wrong = find_words(language).in_dialect(book.names), {}
    for row in book.rows["profile"]:
        if row["kind"] not in BY_HEIGHT:
            thrown = words(f"acw.piece.{str(row['piece']).lower().replace(' ', '_')}")
            if (said := words(f"kind.{row['kind']}")).lower() != thrown.lower():
                wrong[thrown] = said
    assert wrong == {}


def test_the_words_are_those_of_american_tables_alone() -> None:
    words = find_words("en+es")
    assert find_words("en") != find_words("en").in_dialect("american")
    assert words.in_dialect("nowhere")("kind.railway") == words("kind.railway") == "Railway · Ferrocarril"
    assert words.in_dialect("american")("kind.railway") == "Railroad · Ferrocarril"
    assert [one("legend.light_woods") for one in words.in_dialect("american").each()] == ["Wood", "Bosque ligero"]


PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "states.md").read_text(encoding="utf-8")
FILE, SCENARIO = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def cells(head: str) -> list[list[str]]:
    """Return the rows of the table below a head."""
    body = PAGE.split(head, 1)[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in body]


@pytest.mark.clause("AC-103", "AC-104", "AC-110")
def test_every_state_stands_there_with_its_spellings_and_geographies() -> None:
    book = read_book("acw")
    letters = {row.need("geography", str): row.need("letter", str) for row in book.own("geographies")}
    told = cells("| State or region")
    assert told == [
        [
            row.need("row", str),
            ", ".join(f"`{name}`" for name in row.need("names", list)),
            *(letters[geography] for geography in row.need("geographies", list)),
        ]
        for row in book.own("states")
    ]
    for geography, letter in letters.items():
        assert f"`{letter}` {geography}" in " ".join(PAGE.split())


@pytest.mark.clause("AC-Q23")
def test_every_piece_stands_there_as_the_profile_has_it() -> None:
    told = {row[0]: row for row in cells("| Piece | Size")}
    assert list(told) == [row.need("piece", str) for row in read_book("acw").own("profile")]
    for piece, measure in PieceProfile.from_rules(rules()).measures.items():
        _, _, width, _, *others = told[piece.value]
        assert others == [measure.going.name, measure.view]
        assert width == (f"{measure.width:g}" if measure.width is not None else "")
        assert all(f"`{name}" in PAGE or f" {name}" in PAGE for name in others)


@pytest.mark.clause("AC-Q23")
def test_the_examples_of_the_page_are_read() -> None:
    lines = parse_profile_file(FILE, "my-profile.toml", rules())
    profile = PieceProfile.from_rules(rules(), lines)
    wood, road, ditch = (profile.piece_measure(piece) for piece in (Piece.WOOD, Piece.FENCED_ROAD, Piece.DITCH))
    assert (wood.long, wood.short, wood.least, wood.most, wood.going.name) == (0.4, 0.3, 0.6, 1.3, "difficult")
    assert (road.width, road.view, ditch.long) == (0.05, "open", 0.5)
    listed = PieceProfile.from_rules(rules(), tomllib.loads(SCENARIO)["profile"])
    assert listed.piece_measure(Piece.WOOD) == wood
    assert listed.piece_measure(Piece.FENCED_ROAD) == road


def laid(geography: str, dice: str, size: tuple[float, float], **numbers: float) -> tuple[Feature, ...]:
    """Return what lies on a table of a few zones by a book with other numbers."""
    system, settings = Acw(), settle(geography=geography)
    system.__dict__["book"] = replace(book(), numbers={**book().numbers, **numbers})
    board = system.board(*(side * INCH for side in size))
    scenario = Scenario(board=board, settings=settings, seed=1, inputs={})
    return system.lay_out(scenario, dice_of(dice), Jitter(1)).battlefield.features


@pytest.mark.parametrize(
    ("name", "value", "geography", "dice", "size"),
    [
        ("side_crossing_min", 0.45, "farm", "1,6 / 1,1,2,4", (48, 24)),
        ("upper_contour_max", 0.32, "farm", "1,6", (24, 24)),
        ("swamp_twice", 1.2, "swampy", "1,1,3,3", (24, 24)),
        ("fence_pieces", 1, "farm", "3,3,5,4", (24, 24)),
        ("scree_sector", 60, "hilly", "6,6", (24, 24)),
    ],
)
def test_a_number_of_the_book_is_laid_by(name, value, geography, dice, size):
    usual = laid(geography, dice, size)
    assert usual
    assert laid(geography, dice, size) == usual
    assert laid(geography, dice, size, **{name: value}) != usual
