"""What a throw was for is told alike of the sentence that it was and of the text that a record keeps."""

from __future__ import annotations

import pytest

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence
from printkit.core.words import find, log_templates
from printkit.kit import registry
from printkit.recipes.game.games import scenario_of
from printkit.recipes.game.request import Orders
from printkit.recipes.game.throw_text import ThrowText

SAME = ("general: ", "PIPs", "d6", "Sd ")
"""What begins as in English in Spanish too."""


@pytest.mark.parametrize("rules", registry.NAMES)
def test_a_log_is_told_as_its_throws_were(rules: str) -> None:
    system = registry.find(rules)
    log = system.lay_out(scenario_of(system, Orders(rules=rules), 7), Dice(Seeded(7)), Jitter(7)).log
    assert log
    for code in ("en", "es"):
        text = ThrowText(find(code), {"z6": "Mire", "hill-1": "Dun Knoll"}, rules)
        for throw in log:
            assert isinstance(throw.reason, Sentence)
            assert throw.reason.template in log_templates()
            assert text.tell(str(throw.reason)) == text.tell(throw.reason)
    spanish = ThrowText(find("es"))
    same = {str(throw.reason) for throw in log if spanish.tell(throw.reason) == throw.reason}
    assert not {reason for reason in same if not reason.startswith(SAME)}


def test_another_packages_reason_stays_english() -> None:
    text = ThrowText(find("es"))
    assert text.tell("toss of the coin") == "toss of the coin"
    assert text.tell(Sentence("toss of {coin}", coin="the coin")) == "toss of the coin"
    assert text.tell(Sentence("toss of {feature}", feature="hill 2")) == "toss of colina 2"
