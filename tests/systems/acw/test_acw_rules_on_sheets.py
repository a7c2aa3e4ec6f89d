"""What the rules of a game say stands on its sheets: a setting changed changes every sheet that tells of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest
from tables_by_hand import book, system

from printkit.core.words import find
from printkit.drawing.canvas import style
from printkit.kit.book import read_book
from printkit.kit.rules import Rules
from printkit.page import sheet as sheets
from printkit.recipes.output.handout import Handout
from printkit.systems.acw.sheets import form, pages
from printkit.systems.acw.sheets.feature_key import key_lines
from printkit.systems.acw.terms.decks import decks
from printkit.systems.acw.terms.facts import Facts
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.plan import zone_grid
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

ENGLISH = find("en")
GIVEN = {"geography": "farm"}
PROFILE = ["Wood: going difficult"]
ROLL = {"zone": 1, "roll": 4, "die": 2, "cell": "Farm", "fate": "ignored", "piece": "farm", "throw": 4}


def handout(given: Mapping[str, str], *, own: bool = False) -> Handout:
    ruled = Rules.of(read_book("acw"), given)
    details = {"zones": [ROLL], "inputs": {"profile": PROFILE} if own else {}}
    field = Battlefield(board=system().board(60 * 25.4, 48 * 25.4))
    record = Record(rules="acw", battlefield=field, settings=ruled.settings, details=details)
    fresh = type(system())()
    return Handout(record=record, system=fresh, sheet=sheets.find("a4"), style=style.find("ink-saver"), words=ENGLISH)


def cards(made: Handout) -> str:
    return str(decks(made.rules, ENGLISH))


def sketch(made: Handout) -> str:
    return f"{list(form._fields(made))} {form._pieces(made.rules)} {zone_grid(made.rules)} {rolls(made)}"


def rolls(made: Handout) -> int:
    return made.rules.whole("rolls")


def key(made: Handout) -> str:
    ruled = made.rules
    grid = zone_grid(ruled)
    profile = Inputs.read(Facts.of(made.record, ruled).inputs, grid).profile
    lines = key_lines(grid, ruled, profile)
    return str([(pages._sized(line, ENGLISH), pages._going(line, ruled, ENGLISH)) for line in lines])


def log(made: Handout) -> str:
    return str(list(pages._log(Facts.of(made.record, made.rules), made)))


SHEETS: Mapping[str, Callable[[Handout], str]] = {"cards": cards, "form": sketch, "key": key, "log": log}
TOLD: Mapping[str, tuple[str, ...]] = {
    "state": ("form",),
    "geography": ("form",),
    "water": ("form",),
    "choice-policy": (),
    "ac-q01": ("cards",),
    "ac-q02": ("cards", "form", "key"),
    "ac-q03": ("cards",),
    "ac-q04": ("cards", "form"),
    "ac-q05": ("cards", "log"),
    "ac-q06": ("cards", "form"),
    "ac-q07": ("cards",),
    "ac-q08": ("cards",),
    "ac-q09": ("cards",),
    "ac-q10": ("cards",),
    "ac-q11": ("cards",),
    "ac-q13": ("cards", "form"),
    "ac-q14": ("cards",),
    "ac-q15": ("cards",),
    "ac-q16": ("key",),
    "ac-q17": ("cards",),
    "ac-q19": ("cards",),
    "ac-q20": ("cards",),
    "ac-q21": ("cards",),
    "ac-q22": ("cards", "form"),
    "ac-q23": ("key",),
    "ac-q24": ("cards",),
}
"""Which sheets tell of a setting, beside the umpire's, who has the list of all; the policy tells nobody."""

ONE_READING = ("ac-q12", "ac-q18", "ac-q25", "ac-q26")
TEXTS = {"state": "texas", "geography": "riverside", "ac-q03": "2,1,3,4,5,6", "ac-q23": "my.toml"}


def others() -> Iterator[tuple[str, str]]:
    for setting in book().settings:
        yield from ((setting.key, value) for value in (*setting.values[1:], *filter(None, [TEXTS.get(setting.key)])))


def test_every_setting_is_in_the_table() -> None:
    several = {setting.key for setting in book().settings if len(setting.values) > 1 or setting.pattern}
    assert several == set(TOLD)
    assert {setting.key for setting in book().settings} - several == set(ONE_READING)


@pytest.mark.clause("AC-A01", "AC-A02", "AC-A03", "AC-A04", "AC-Q01", "AC-Q02", "AC-Q13", "AC-Q14", "AC-Q19", "AC-Q21")
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
