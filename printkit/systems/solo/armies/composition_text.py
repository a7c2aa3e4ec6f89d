"""How a composition is told at the terminal: every die with its reason and modifiers, the army that came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from printkit.core.words import Words
from printkit.systems.solo.armies.composing import Attack, Composed, Taken
from printkit.systems.solo.armies.composing_terms import CompositionTerms
from printkit.systems.solo.armies.contests import Contest, Round
from printkit.systems.solo.armies.force import Element, Force, Side
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState

_INDENT: Final = "    "


def composed_lines(
    composed: Composed, attack: Attack, terms: CompositionTerms, words: Words, *, every: bool = False
) -> Iterator[str]:
    """Yield the whole account: both armies, each die in its order, who attacks, the finished army.

    Args:
        composed: the army and how it came about.
        attack: who attacks.
        terms: how doubtful points were read.
        words: the language.
        every: also names the modifiers that do not count.
    """
    yield words("npg.army.head", side=words("npg.army.npg"), army=composed.army.name)
    yield f"{_INDENT}{facts_text(composed.force, words)}"
    if composed.army.doubt:
        yield f"{_INDENT}{words('npg.army.doubt', doubt=composed.army.doubt)}"
    yield words("npg.army.head", side=words("npg.army.you"), army=composed.you.name)
    yield f"{_INDENT}{facts_text(composed.you, words)}"
    yield f"{_INDENT}{elements_text(composed.you, words)}"
    for taken in composed.taken:
        if taken.choice.slot.open and not taken.mends:
            yield from _taken_lines(taken, words)
    yield from _general_lines(composed.general, terms, words, every=every)
    for taken in composed.taken:
        if taken.mends:
            yield from _taken_lines(taken, words)
    yield from _attack_lines(attack, words)
    yield from force_lines(composed.force, words)


def force_lines(force: Force, words: Words) -> Iterator[str]:
    """Yield a finished army: a line for each code with its type, the general first, and what it counts."""
    yield ""
    yield f"{words('npg.army.finished')} ({len(force.elements)})"
    counts = Counter((element.code, element.general) for element in force.elements)
    troops = {element.code: element for element in force.elements}
    for (code, general), count in counts.items():
        kind = type_name(troops[code], words)
        led = f", {words('npg.army.general')}" if general else ""
        yield f"{_INDENT}{count:>2} {code:<9} {kind}{led}"
    said = words("npg.army.counts", mounted=force.mounted, infantry=force.infantry, bad_goers=force.bad_goers)
    yield f"{_INDENT}{said}"


def facts_text(force: Force, words: Words) -> str:
    """Return home and aggression of an army, and that it has no camp."""
    said = words("npg.army.facts", home=words(f"npg.army.home.{force.home}"), aggression=force.aggression)
    return said if force.camp else f"{said}, {words('npg.army.no-camp')}"


def elements_text(force: Force, words: Words) -> str:
    """Return the elements of an army in one line, the general's first."""
    others = Counter(element.code for element in force.elements if not element.general)
    parts = [f"{count} x {code}" if count > 1 else code for code, count in others.items()]
    led = [words("npg.army.general-of", code=force.general.code)] if force.general is not None else []
    return ", ".join([*led, *parts])


def type_name(element: Element, words: Words) -> str:
    """Return what a person calls the type of an element; of one that the words do not know, its name in the table."""
    key = f"npg.army.troop.{element.troop.code}"
    return words(key) if words.has(key) else element.troop.name


def modifier_text(modifier: AppliedModifier, terms: CompositionTerms, words: Words) -> str:
    """Return what a modifier adds, and why."""
    tail = modifier.clause.rpartition("-")[2]
    some = tail == "m3" and terms.slower_than_some
    why = words("npg.army.slower.some") if some else words(f"npg.army.modifier.{tail}")
    return f"{signed(modifier.amount)} {why} [{modifier.clause}]"


def signed(number: int) -> str:
    """Return a number with its sign, a minus as wide as the plus; nought has none."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def _taken_lines(taken: Taken, words: Words) -> Iterator[str]:
    choice, contest = taken.choice, taken.contest
    yield ""
    if taken.mends:
        title = words("npg.army.step.mended", slot=choice.slot.id)
    elif choice.slot.count > 1:
        title = words("npg.army.step.element", slot=choice.slot.id, element=choice.element, of=choice.slot.count)
    else:
        title = words("npg.army.step.slot", slot=choice.slot.id)
    yield f"{title} [{taken.step.clause}]"
    dead = [name for place, name in enumerate(contest.options) if place not in contest.live]
    if dead:
        yield f"{_INDENT}{words('npg.army.left-out', options=', '.join(dead))}"
    if taken.suspended:
        yield f"{_INDENT}{words('npg.army.suspended')} [AMB-02]"
    yield from _round_lines(contest, words)
    key = "npg.army.taken" if contest.rounds else "npg.army.taken-only"
    yield f"{_INDENT}{words(key, option=taken.option)}"


def _round_lines(contest: Contest, words: Words) -> Iterator[str]:
    """Yield a line for each round of a contest; all but the last were ties."""
    for place, one in enumerate(contest.rounds):
        said = _round_text(contest, one)
        tied = place < len(contest.rounds) - 1
        if not tied and contest.chosen:
            said = words("npg.army.tie-chosen", round=said)
        yield f"{_INDENT}{words('npg.army.tie', round=said) if tied else said}"


def _round_text(contest: Contest, one: Round) -> str:
    return ", ".join(f"{contest.options[option]} {_total(score, contest.sum(option))}" for option, score in one.scores)


def _total(score: int, added: int) -> str:
    """Return a score with what is added to it, and their total."""
    if not added:
        return str(score)
    return f"{score} {'+' if added > 0 else '−'} {abs(added)} = {score + added}"


def _general_lines(contest: Contest, terms: CompositionTerms, words: Words, *, every: bool) -> Iterator[str]:
    yield ""
    yield f"{words('npg.army.step.general')} [SD-2.2.1-a]"
    if len(contest.options) == 1:
        yield f"{_INDENT}{words('npg.army.taken-only', option=contest.options[0])}"
        return
    for place, option in enumerate(contest.options):
        score = dict(contest.rounds[0].scores)[place]
        yield f"{_INDENT}{option} {_total(score, contest.sum(place))}"
        yield from _modifier_lines(contest.modifiers[place], terms, words, every=every)
    for place, one in enumerate(contest.rounds[1:], 2):
        said = _round_text(contest, one)
        key = "npg.army.tie-chosen" if contest.chosen else "npg.army.tie"
        again = place < len(contest.rounds) or contest.chosen
        yield f"{_INDENT}{words(key, round=said) if again else said}"
    yield f"{_INDENT}{words('npg.army.leads', option=contest.options[contest.winner])}"


def _modifier_lines(
    modifiers: Sequence[AppliedModifier], terms: CompositionTerms, words: Words, *, every: bool
) -> Iterator[str]:
    for modifier in modifiers:
        if modifier.state is ModifierState.ON:
            yield f"{_INDENT * 2}{modifier_text(modifier, terms, words)}"
        elif every:
            key = "npg.army.open" if modifier.state is ModifierState.OPEN else "npg.army.does-not-count"
            yield f"{_INDENT * 2}({words(key)}) {modifier_text(modifier, terms, words)}"


def _attack_lines(attack: Attack, words: Words) -> Iterator[str]:
    yield ""
    yield f"{words('npg.army.step.attacker')} [SD-2.3-a]"
    names = {Side.NPG: words("npg.army.npg"), Side.YOU: words("npg.army.you")}
    for place, (npg, you) in enumerate(attack.rounds):
        said = f"{names[Side.NPG]} {_total(npg, attack.npg)}, {names[Side.YOU]} {_total(you, attack.you)}"
        if place < len(attack.rounds) - 1:
            yield f"{_INDENT}{words('npg.army.tie', round=said)}"
        else:
            yield f"{_INDENT}{words(f'npg.army.attacks.{attack.attacker}', round=said)}"
