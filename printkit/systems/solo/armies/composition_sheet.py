"""A composition that is not thrown yet: what is to be diced, with the modifiers known so far, or with boxes to tick."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from printkit.core.words import Words
from printkit.kit.book import RuleBook
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.choices import threat_of
from printkit.systems.solo.armies.composing_chances import attack_chance, outlook
from printkit.systems.solo.armies.composing_terms import CompositionTerms
from printkit.systems.solo.armies.composition_lists import slot_text
from printkit.systems.solo.armies.composition_text import modifier_text, signed
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, sums_of

_INDENT: Final = "    "
_LONGEST: Final = 7
"""Digits of a denominator that is still shown."""


def sheet_lines(
    army: Army, you: Army, terms: CompositionTerms, book: RuleBook, words: Words, *, blank: bool
) -> Iterator[str]:
    """Yield what is to be diced, slot by slot, then the general and who attacks.

    Args:
        army: the list of the non-player general.
        you: YOUR army; while choices of it are open, what hangs on them is open too (7.5).
        terms: how doubtful points are read.
        book: has the modifiers.
        words: the language.
        blank: every modifier is a box to tick; else those that are known are counted, and chances are told.
    """
    yield words("npg.army.head", side=words("npg.army.npg"), army=army.name)
    yield words("npg.army.head", side=words("npg.army.you"), army=you.name)
    waiting = you.unchosen()
    if waiting and not blank:
        yield f"{_INDENT}{words('npg.army.your-open', slots=', '.join(waiting))} [SD-2.1-a]"
    yield f"{_INDENT}{words('npg.army.not-again')}"
    for slot in army.slots:
        if slot.open:
            yield ""
            yield f"{slot.id} [SD-2.2-b]"
            yield f"{_INDENT}{slot_text(slot, words)}"
    yield ""
    yield f"{words('npg.army.step.general')} [SD-2.2.1-a]"
    yield from _general_lines(army, you, terms, book, words, blank=blank)
    yield ""
    yield f"{words('npg.army.step.attacker')} [SD-2.3-a]"
    yield f"{_INDENT}{words('npg.army.attack-even', npg=army.aggression, you=you.aggression)}"
    if not blank:
        chance = chance_text(attack_chance(army.aggression, you.aggression), words)
        yield f"{_INDENT}{words('npg.army.npg')}: {chance}"


def chance_text(chance: Fraction, words: Words) -> str:
    """Return a chance in percent and, where that can be read, as a fraction."""
    percent = round(chance * 100)
    if 0 < chance < Fraction(1, 100):
        said = words("npg.army.below-one")
    elif Fraction(99, 100) < chance < 1:
        said = words("npg.army.above-99")
    else:
        said = words("npg.army.share", percent=percent)
    if chance.denominator == 1 or len(str(chance.denominator)) > _LONGEST:
        return said
    return words("npg.army.chance", share=said, exact=chance)


def _general_lines(
    army: Army, you: Army, terms: CompositionTerms, book: RuleBook, words: Words, *, blank: bool
) -> Iterator[str]:
    if len(army.general) == 1:
        yield f"{_INDENT}{words('npg.army.taken-only', option=army.general[0])}"
        return
    threat = threat_of(you.possible(terms.classing))
    found = outlook(army, threat, terms, book)
    for option, modifiers in zip(army.general, found.modifiers, strict=True):
        if blank:
            yield f"{_INDENT}{option}"
        else:
            told = "" if you.unchosen() else f"; {chance_text(found.chances[option], words)}"
            yield f"{_INDENT}{option}: {_sum_text(modifiers, words)}{told}"
        for modifier in modifiers:
            state = ModifierState.OPEN if blank else modifier.state
            if state is not ModifierState.OFF:
                yield f"{_INDENT * 2}{words(_BOXES[state])} {modifier_text(modifier, terms, words)}"


_BOXES: Final = {
    ModifierState.ON: "npg.army.ticked",
    ModifierState.OPEN: "npg.army.box",
}


def _sum_text(modifiers: tuple[AppliedModifier, ...], words: Words) -> str:
    least, most = sums_of(modifiers)
    if least == most:
        return words("npg.army.bare") if not least else words("npg.army.sum", sum=signed(least))
    return words("npg.army.sum-range", least=signed(least), most=signed(most))
