"""What the rules of a game say counts: each setting, number and list changes what tells of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest
from drawn_by_hand import area, plot
from msgspec.structs import replace
from tables_by_hand import INCH, book, log_of, system
from test_acw_judge_shapes import belted
from test_acw_limits import LEAST, MOST, WHOLE, free_stretch

from printkit.core.errors import UsageError
from printkit.core.words import find
from printkit.drawing.canvas import style
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.page import sheet as sheets
from printkit.recipes.output.handout import Handout
from printkit.systems.acw.judge.case import Case
from printkit.systems.acw.judge.judge import CHECKS
from printkit.systems.acw.network.joining import CrossingRules
from printkit.systems.acw.network.network_builder import preferences
from printkit.systems.acw.sheets import form, pages
from printkit.systems.acw.sheets.feature_key import key_lines
from printkit.systems.acw.system import Acw
from printkit.systems.acw.terms.decks import decks
from printkit.systems.acw.terms.facts import Facts
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import zone_grid
from printkit.systems.acw.terms.tables import clearing_reading
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

ENGLISH = find("en")
GIVEN = {"geography": "farm"}
PROFILE = ["Wood: going difficult"]
ROLL = {"zone": 1, "roll": 4, "die": 2, "cell": "Farm", "fate": "ignored", "piece": "farm", "throw": 4}


def handout(given: Mapping[str, str], *, own: bool = False, changed_book: RuleBook | None = None) -> Handout:
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
    return Handout(record=record, system=fresh, sheet=sheets.find("a4"), style=style.find("ink-saver"), words=ENGLISH)


def cards(made: Handout) -> str:
    return str(decks(made.rules, ENGLISH))


def sketch(made: Handout) -> str:
    return f"{list(form._fields(made))} {form._pieces(made.rules)} {zone_grid(made.rules)} {made.rules.whole('rolls')}"


def key(made: Handout) -> str:
    grid = zone_grid(made.rules)
    profile = Inputs.read(Facts.of(made.record, made.rules).inputs, grid).profile
    lines = key_lines(grid, made.rules, profile)
    return str([(pages._sized(line, ENGLISH), pages._going(line, made.rules, ENGLISH)) for line in lines])


def log(made: Handout) -> str:
    return str(list(pages._log(Facts.of(made.record, made.rules), made)))


SHEETS: Mapping[str, Callable[[Handout], str]] = {"cards": cards, "form": sketch, "key": key, "log": log}
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
    return str(preferences(Rules.of(changed_book), "roads", log_of({1: piece}))(1))


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
    return str(list(pages._pieces(replace(made, record=replace(made.record, battlefield=field)))))


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
        not [*CHECKS[clause](Case(record=found, rules=Rules.of_record(each, found)))] for each in (book(), more)
    )
    assert kept != other


LISTS: dict[str, Callable[[RuleBook], str]] = {
    **dict.fromkeys(("states", "geographies", "rolls", "choices", "profile"), all_sheets),
    "signs": lambda changed_book: str([row.values for row in changed_book.own("signs")]),
    "clearings": lambda changed_book: clearing_reading(Rules.of(changed_book), "wilderness"),
    "crossings": lambda changed_book: str(CrossingRules.of(Rules.of(changed_book))),
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
    assert find("en").has("going.open")
