"""Terminal text of army lists and compositions, before and after the dice are rolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final

from printkit.core.words import Words
from printkit.systems.solo.armies.army import Army, Bundle, Slot, SlotMode
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.choices import threat_of
from printkit.systems.solo.armies.composing import Attack, Composed, ResolvedChoice
from printkit.systems.solo.armies.contests import Contest, Round, attack_chance, outlook
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, sums_of

# --- Text of army lists: a table of the samples, and one list with its slots and options ------------------------------

_INDENT: Final = "    "


def listing_lines(armies: Iterable[Army], words: Words) -> Iterator[str]:
    """Yield a title and a line per army: ID, number, name, dates, home, aggression, version, status."""
    rows = [
        (army.id, army.number, army.name, army.dates, words(f"npg.army.home.{army.home}"), str(army.aggression))
        for army in armies
    ]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    yield words("npg.army.samples")
    for army, row in zip(armies, rows, strict=True):
        told = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"{told}  {army.version} {status_text(army, words)}".rstrip()


def army_lines(army: Army, words: Words) -> Iterator[str]:
    """Yield all the facts of an army file, line by line."""
    yield " · ".join(part for part in (army.name, army.number, army.dates) if part)
    facts = words("npg.army.facts", home=words(f"npg.army.home.{army.home}"), aggression=army.aggression)
    yield f"{_INDENT}{facts}" if army.camp else f"{_INDENT}{facts}, {words('npg.army.no-camp')}"
    yield f"{_INDENT}{words('npg.army.version', version=army.version)}, {status_text(army, words)}"
    if army.source:
        mark = f"npg.army.sure.{army.confidence}"
        sure = f" ({words(mark)})" if army.confidence else ""
        yield f"{_INDENT}{words('npg.army.source', source=army.source)}{sure}"
    for name, text in (("doubt", army.doubt), ("note", army.note)):
        if text:
            yield f"{_INDENT}{words(f'npg.army.{name}', **{name: text})}"
    yield ""
    for slot in army.slots:
        yield f"{_INDENT}{slot.id}: {slot_text(slot, words)}"
    listed = ", ".join(str(option) for option in army.general)
    said = words("npg.army.by-die", options=listed) if len(army.general) > 1 else listed
    yield f"{_INDENT}{words('npg.army.general')}: {said}"


def status_text(army: Army, words: Words) -> str:
    """Return the status of a list: an army as fielded, no options, or the number of combinations."""
    if army.fielded:
        return words("npg.army.fielded")
    return words("npg.army.options-none") if army.ways == 1 else words("npg.army.combinations", count=army.ways)


def slot_text(slot: Slot, words: Words) -> str:
    """Return the contents of a fixed slot, or the options of an open one."""
    listed = ", ".join(str(option) for option in slot.options)
    if not slot.open:
        return str(Bundle(slot.options[0].codes * slot.count))
    if slot.mode is SlotMode.BLOCK and any(len(option) > 1 for option in slot.options):
        return words("npg.army.block", options=listed)
    if slot.count == 1:
        return words("npg.army.each-one", options=listed)
    return words("npg.army.each", count=slot.count, options=listed)


def composed_lines(
    composed: Composed, attack: Attack, rules: SoloRules, words: Words, *, every: bool = False, sealed: bool = False
) -> Iterator[str]:
    """Yield a full report: both armies, each die in order, the attacker, and the finished army.

    Args:
        composed: the NPG's army with its choices and dice.
        attack: the attacker and the dice for it.
        rules: the rules of the game.
        words: the words of the language.
        every: also list the modifiers that do not count.
        sealed: hide the elements of the NPG's army.
    """
    yield words("npg.army.head", side=words("npg.army.npg"), army=named(composed.army.name, words))
    yield f"{_INDENT}{facts_text(composed.force, words)}"
    if composed.army.doubt:
        yield f"{_INDENT}{words('npg.army.doubt', doubt=composed.army.doubt)}"
    yield words("npg.army.head", side=words("npg.army.you"), army=named(composed.you.name, words))
    yield f"{_INDENT}{facts_text(composed.you, words)}"
    yield f"{_INDENT}{elements_text(composed.you, words)}"
    if sealed:
        yield from _attack_lines(attack, words)
        yield words("npg.army.sealed")
        return
    for taken in composed.taken:
        if taken.choice.slot.open:
            yield from _taken_lines(taken, words)
    yield from _general_lines(composed.general, rules, words, every=every)
    yield from _attack_lines(attack, words)
    yield from force_lines(composed.force, words)


def force_lines(force: Force, words: Words) -> Iterator[str]:
    """Yield a finished army: a line for each code with its type, the general first, and the counts."""
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
    """Return the home and aggression of an army, and a note if it has no camp."""
    said = words("npg.army.facts", home=words(f"npg.army.home.{force.home}"), aggression=force.aggression)
    return said if force.camp else f"{said}, {words('npg.army.no-camp')}"


def elements_text(force: Force, words: Words) -> str:
    """Return the elements of an army on one line, the general's first."""
    others = Counter(element.code for element in force.elements if not element.general)
    parts = [f"{count} x {code}" if count > 1 else code for code, count in others.items()]
    led = [words("npg.army.general-of", code=force.general.code)] if force.general is not None else []
    return ", ".join([*led, *parts])


def type_name(element: Element, words: Words) -> str:
    """Return the translated type name of an element, or the name in the troop table."""
    key = f"npg.army.troop.{element.troop.code}"
    return words(key) if words.has(key) else element.troop.name


def modifier_text(modifier: AppliedModifier, rules: SoloRules, words: Words) -> str:
    """Return the amount of a modifier, its condition and its clause."""
    tail = modifier.clause.rpartition("-")[2]
    compared = {part: f"{number:g}" for part, number in rules.compared(modifier.clause).items()}
    why = words(f"npg.army.modifier.{tail}", **compared)
    return f"{signed(modifier.amount)} {why} [{modifier.clause}]"


def signed(number: int) -> str:
    """Return a number with its sign and a true minus; zero is ``0``."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def _taken_lines(taken: ResolvedChoice, words: Words) -> Iterator[str]:
    choice, contest = taken.choice, taken.contest
    yield ""
    if choice.slot.count > 1:
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


def _round_lines(contest: Contest, words: Words, first: int = 0) -> Iterator[str]:
    """Yield a line for each round from index ``first``; all rounds except the last are ties."""
    for place, one in enumerate(contest.rounds[first:], first + 1):
        said = _round_text(contest, one)
        yield f"{_INDENT}{words('npg.army.tie', round=said) if place < len(contest.rounds) else said}"


def _round_text(contest: Contest, one: Round) -> str:
    return ", ".join(f"{contest.options[option]} {_total(score, contest.sum(option))}" for option, score in one.scores)


def _total(score: int, added: int) -> str:
    """Return a score, the amount added to it, and the total."""
    if not added:
        return str(score)
    return f"{score} {'+' if added > 0 else '−'} {abs(added)} = {score + added}"


def _general_lines(contest: Contest, rules: SoloRules, words: Words, *, every: bool) -> Iterator[str]:
    yield ""
    yield f"{words('npg.army.step.general')} [SD-2.2.1-a]"
    if len(contest.options) == 1:
        yield f"{_INDENT}{words('npg.army.taken-only', option=contest.options[0])}"
        return
    for place, option in enumerate(contest.options):
        score = dict(contest.rounds[0].scores)[place]
        yield f"{_INDENT}{option} {_total(score, contest.sum(place))}"
        yield from _modifier_lines(contest.modifiers[place], rules, words, every=every)
    yield from _round_lines(contest, words, 1)
    yield f"{_INDENT}{words('npg.army.leads', option=contest.options[contest.winner])}"


def _modifier_lines(
    modifiers: Sequence[AppliedModifier], rules: SoloRules, words: Words, *, every: bool
) -> Iterator[str]:
    for modifier in modifiers:
        if modifier.state is ModifierState.ON:
            yield f"{_INDENT * 2}{modifier_text(modifier, rules, words)}"
        elif every:
            key = "npg.army.open" if modifier.state is ModifierState.OPEN else "npg.army.does-not-count"
            yield f"{_INDENT * 2}({words(key)}) {modifier_text(modifier, rules, words)}"


def _attack_lines(attack: Attack, words: Words) -> Iterator[str]:
    yield ""
    yield f"{words('npg.army.step.attacker')} [SD-2.3-a]"
    for place, (npg, you) in enumerate(attack.rounds, 1):
        said = f"{words('npg.army.npg')} {_total(npg, attack.npg)}, {words('npg.army.you')} {_total(you, attack.you)}"
        key = "tie" if place < len(attack.rounds) else f"attacks.{attack.attacker}"
        yield f"{_INDENT}{words(f'npg.army.{key}', round=said)}"


# --- A composition that is not rolled yet -----------------------------------------------------------------------------

# Fractions whose denominator has more digits are not shown.
_LONGEST: Final = 7


def sheet_lines(army: Army, you: Army, rules: SoloRules, words: Words, *, blank: bool) -> Iterator[str]:
    """Yield the rolls to make: slot by slot, then the general and the attacker.

    Args:
        army: the NPG's army list.
        you: the player's army; its open choices leave the modifiers that depend on them open (7.5).
        rules: the rules of the game.
        words: the words of the language.
        blank: give each modifier an empty box; otherwise count the known modifiers and show chances.
    """
    yield words("npg.army.head", side=words("npg.army.npg"), army=named(army.name, words))
    yield words("npg.army.head", side=words("npg.army.you"), army=named(you.name, words))
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
    yield from _general_sheet_lines(army, you, rules, words, blank=blank)
    yield ""
    yield f"{words('npg.army.step.attacker')} [SD-2.3-a]"
    yield f"{_INDENT}{words('npg.army.attack-even', npg=army.aggression, you=you.aggression)}"
    if not blank:
        chance = chance_text(attack_chance(army.aggression, you.aggression), words)
        yield f"{_INDENT}{words('npg.army.npg')}: {chance}"


def chance_text(chance: Fraction, words: Words) -> str:
    """Return a chance in per cent, and as a fraction if its denominator is short."""
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


def _general_sheet_lines(army: Army, you: Army, rules: SoloRules, words: Words, *, blank: bool) -> Iterator[str]:
    if len(army.general) == 1:
        yield f"{_INDENT}{words('npg.army.taken-only', option=army.general[0])}"
        return
    threat = threat_of(you.possible(), rules)
    found = outlook(army, threat, rules)
    for option, modifiers in zip(army.general, found.modifiers, strict=True):
        if blank:
            yield f"{_INDENT}{option}"
        else:
            told = "" if you.unchosen() else f"; {chance_text(found.chances[option], words)}"
            yield f"{_INDENT}{option}: {_sum_text(modifiers, words)}{told}"
        for modifier in modifiers:
            state = ModifierState.OPEN if blank else modifier.state
            if state is not ModifierState.OFF:
                yield f"{_INDENT * 2}{words(_BOXES[state])} {modifier_text(modifier, rules, words)}"


_BOXES: Final = {ModifierState.ON: "npg.army.ticked", ModifierState.OPEN: "npg.army.box"}


def _sum_text(modifiers: tuple[AppliedModifier, ...], words: Words) -> str:
    least, most = sums_of(modifiers)
    if least == most:
        return words("npg.army.bare") if not least else words("npg.army.sum", sum=signed(least))
    return words("npg.army.sum-range", least=signed(least), most=signed(most))
