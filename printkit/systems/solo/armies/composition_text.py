"""Terminal text of army lists and compositions, before and after the dice are rolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from printkit.core.words import Words
from printkit.systems.solo.armies.army import Army, Bundle, Slot, SlotMode
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.choices import assess_threat
from printkit.systems.solo.armies.composing import Attack, ChosenBundle, ComposedArmy
from printkit.systems.solo.armies.contests import Contest, assess_general, attack_chance
from printkit.systems.solo.armies.force import Element, Force
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, find_sum_range

# --- Text of army lists: a table of the samples, and one list with its slots and options ------------------------------

_INDENT: Final = "    "


def listing_lines(armies: Sequence[Army], words: Words, text: str = "") -> Iterator[str]:
    """Yield a title and a line per army: ID, number, name, dates, home, aggression, version, status.

    The columns are aligned with spaces. With ``text`` the title says that the armies match it.
    """
    rows = [
        (army.id, army.number, army.name, army.dates, words(f"npg.army.home.{army.home}"), str(army.aggression))
        for army in armies
    ]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    yield (
        words("npg.army.matches", count=len(armies), text=text, first=armies[0].id)
        if text
        else words("npg.army.samples")
    )
    for army, row in zip(armies, rows, strict=True):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"{line}  {army.version} {status_text(army, words)}".rstrip()


def army_lines(army: Army, words: Words) -> Iterator[str]:
    """Yield all the facts of an army file, line by line.

    They end with the slots and the general.
    """
    yield " · ".join(part for part in (army.name, army.number, army.dates) if part)
    facts = words("npg.army.facts", home=words(f"npg.army.home.{army.home}"), aggression=army.aggression)
    yield f"{_INDENT}{facts}" if army.camp else f"{_INDENT}{facts}, {words('npg.army.no-camp')}"
    yield f"{_INDENT}{words('npg.army.version', version=army.version)}, {status_text(army, words)}"
    if army.source:
        confidence_key = f"npg.army.sure.{army.confidence}"
        confidence = f" ({words(confidence_key)})" if army.confidence else ""
        yield f"{_INDENT}{words('npg.army.source', source=army.source)}{confidence}"
    for name, text in (("doubt", army.doubt), ("note", army.note)):
        if text:
            yield f"{_INDENT}{words(f'npg.army.{name}', **{name: text})}"
    yield ""
    for slot in army.slots:
        yield f"{_INDENT}{slot.id}: {slot_text(slot, words)}"
    option_list = ", ".join(str(option) for option in army.general)
    general_text = words("npg.army.by-die", options=option_list) if len(army.general) > 1 else option_list
    yield f"{_INDENT}{words('npg.army.general')}: {general_text}"


def status_text(army: Army, words: Words) -> str:
    """Return the status of a list: an army as fielded, no options, or the number of combinations."""
    if army.fielded:
        return words("npg.army.fielded")
    return (
        words("npg.army.options-none")
        if army.combination_count == 1
        else words("npg.army.combinations", count=army.combination_count)
    )


def slot_text(slot: Slot, words: Words) -> str:
    """Return the codes of a fixed slot with their counts, or the options of an open one, as text."""
    option_list = ", ".join(str(option) for option in slot.options)
    if not slot.is_open:
        return str(Bundle(slot.options[0].codes * slot.count))
    if slot.mode is SlotMode.BLOCK and any(len(option) > 1 for option in slot.options):
        return words("npg.army.block", options=option_list)
    if slot.count == 1:
        return words("npg.army.each-one", options=option_list)
    return words("npg.army.each", count=slot.count, options=option_list)


def composition_lines(
    composition: ComposedArmy,
    attack: Attack,
    rules: SoloRules,
    words: Words,
    *,
    show_all: bool = False,
    sealed: bool = False,
) -> Iterator[str]:
    """Yield a full report: both armies, each die in order, the attacker, and the finished army.

    Args:
        composition: the NPG's army with its choices and dice.
        attack: the attacker and the dice for it.
        rules: the rules of the game.
        words: the words of the language.
        show_all: also list the modifiers that do not count.
        sealed: hide the elements of the NPG's army.
    """
    yield words("npg.army.head", side=words("npg.army.npg"), army=named(composition.army.name, words))
    yield f"{_INDENT}{facts_text(composition.force, words)}"
    if composition.army.doubt:
        yield f"{_INDENT}{words('npg.army.doubt', doubt=composition.army.doubt)}"
    yield words("npg.army.head", side=words("npg.army.you"), army=named(composition.you.name, words))
    yield f"{_INDENT}{facts_text(composition.you, words)}"
    yield f"{_INDENT}{elements_text(composition.you, words)}"
    if sealed:
        yield from _attack_lines(attack, words)
        yield words("npg.army.sealed")
        return
    for result in composition.choice_results:
        if result.choice.slot.is_open:
            yield from _choice_lines(result, words)
    yield from _general_lines(composition.general, rules, words, show_all=show_all)
    yield from _attack_lines(attack, words)
    yield from force_lines(composition.force, words)


def force_lines(force: Force, words: Words) -> Iterator[str]:
    """Yield a finished army: a line for each code with its type, the general first, and the counts.

    The first line is empty.
    """
    yield ""
    yield f"{words('npg.army.finished')} ({len(force.elements)})"
    counts = Counter((element.code, element.general) for element in force.elements)
    troops = {element.code: element for element in force.elements}
    for (code, general), count in counts.items():
        type_label = type_name(troops[code], words)
        general_suffix = f", {words('npg.army.general')}" if general else ""
        yield f"{_INDENT}{count:>2} {code:<9} {type_label}{general_suffix}"
    counts_text = words(
        "npg.army.counts", mounted=force.mounted_count, infantry=force.infantry_count, bad_goers=force.bad_goer_count
    )
    yield f"{_INDENT}{counts_text}"


def facts_text(force: Force, words: Words) -> str:
    """Return the home and aggression of an army as text, with a note if it has no camp."""
    text = words("npg.army.facts", home=words(f"npg.army.home.{force.home}"), aggression=force.aggression)
    return text if force.camp else f"{text}, {words('npg.army.no-camp')}"


def elements_text(force: Force, words: Words) -> str:
    """Return the elements of an army on one line, the general's first."""
    counts = Counter(element.code for element in force.elements if not element.general)
    parts = [f"{count} x {code}" if count > 1 else code for code, count in counts.items()]
    general_text = [words("npg.army.general-of", code=force.general.code)] if force.general is not None else []
    return ", ".join([*general_text, *parts])


def type_name(element: Element, words: Words) -> str:
    """Return the translated type name of an element, or the name in the troop table."""
    key = f"npg.army.troop.{element.troop.code}"
    return words(key) if words.has(key) else element.troop.name


def modifier_text(modifier: AppliedModifier, rules: SoloRules, words: Words) -> str:
    """Return a modifier as text: its signed amount, its condition, and its clause in brackets."""
    tail = modifier.clause.rpartition("-")[2]
    numbers = {part: f"{number:g}" for part, number in rules.condition_numbers(modifier.clause).items()}
    condition = words(f"npg.army.modifier.{tail}", **numbers)
    return f"{format_signed(modifier.amount)} {condition} [{modifier.clause}]"


def format_signed(number: int) -> str:
    """Return a number with its sign, ``+2`` or ``−1`` with a true minus; zero is ``0``."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def _choice_lines(result: ChosenBundle, words: Words) -> Iterator[str]:
    """Yield the lines of one choice: excluded options, the rounds of dice, and the option taken.

    The first line is empty.
    """
    choice, contest = result.choice, result.contest
    yield ""
    if choice.slot.count > 1:
        title = words("npg.army.step.element", slot=choice.slot.id, element=choice.element_number, of=choice.slot.count)
    else:
        title = words("npg.army.step.slot", slot=choice.slot.id)
    yield f"{title} [{result.step.clause}]"
    excluded_names = [name for index, name in enumerate(contest.options) if index not in contest.live]
    if excluded_names:
        yield f"{_INDENT}{words('npg.army.left-out', options=', '.join(excluded_names))}"
    if result.is_suspended:
        yield f"{_INDENT}{words('npg.army.suspended')} [AMB-02]"
    yield from _round_lines(contest, words)
    key = "npg.army.taken" if contest.rounds else "npg.army.taken-only"
    yield f"{_INDENT}{words(key, option=result.option)}"


def _round_lines(contest: Contest, words: Words, first: int = 0) -> Iterator[str]:
    """Yield a line for each round from index ``first``, from 0; all rounds except the last are ties."""
    for number, contest_round in enumerate(contest.rounds[first:], first + 1):
        text = ", ".join(
            f"{contest.options[option]} {_total_text(score, contest.sum(option))}"
            for option, score in contest_round.scores
        )
        yield f"{_INDENT}{words('npg.army.tie', round=text) if number < len(contest.rounds) else text}"


def _total_text(score: int, modifier: int) -> str:
    """Return a score, the amount added to it, and the total: ``4 + 2 = 6``, or ``4`` for an amount of 0.

    A negative amount has a true minus: ``4 − 1 = 3``.
    """
    if not modifier:
        return str(score)
    return f"{score} {'+' if modifier > 0 else '−'} {abs(modifier)} = {score + modifier}"


def _general_lines(contest: Contest, rules: SoloRules, words: Words, *, show_all: bool) -> Iterator[str]:
    """Yield the lines of the general's roll; with ``show_all``, also modifiers that do not count.

    A single option has no roll.
    """
    yield ""
    yield f"{words('npg.army.step.general')} [SD-2.2.1-a]"
    if len(contest.options) == 1:
        yield f"{_INDENT}{words('npg.army.taken-only', option=contest.options[0])}"
        return
    for index, option in enumerate(contest.options):
        score = dict(contest.rounds[0].scores)[index]
        yield f"{_INDENT}{option} {_total_text(score, contest.sum(index))}"
        yield from _modifier_lines(contest.modifiers[index], rules, words, show_all=show_all)
    yield from _round_lines(contest, words, 1)
    yield f"{_INDENT}{words('npg.army.leads', option=contest.options[contest.winner])}"


def _modifier_lines(
    modifiers: Sequence[AppliedModifier], rules: SoloRules, words: Words, *, show_all: bool
) -> Iterator[str]:
    """Yield the modifiers that count; with ``show_all``, also the open ones and those that do not."""
    for modifier in modifiers:
        if modifier.state is ModifierState.ON:
            yield f"{_INDENT * 2}{modifier_text(modifier, rules, words)}"
        elif show_all:
            key = "npg.army.open" if modifier.state is ModifierState.OPEN else "npg.army.does-not-count"
            yield f"{_INDENT * 2}({words(key)}) {modifier_text(modifier, rules, words)}"


def _attack_lines(attack: Attack, words: Words) -> Iterator[str]:
    """Yield the rounds of dice for the attacker, NPG first."""
    yield ""
    yield f"{words('npg.army.step.attacker')} [SD-2.3-a]"
    for number, (npg, you) in enumerate(attack.rounds, 1):
        npg_text = f"{words('npg.army.npg')} {_total_text(npg, attack.npg)}"
        text = f"{npg_text}, {words('npg.army.you')} {_total_text(you, attack.you)}"
        key = "tie" if number < len(attack.rounds) else f"attacks.{attack.attacker}"
        yield f"{_INDENT}{words(f'npg.army.{key}', round=text)}"


# --- A composition that is not rolled yet -----------------------------------------------------------------------------

# Fractions whose denominator has more digits are not shown.
_MAX_DENOMINATOR_DIGITS: Final = 7


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
    open_slots = you.find_open_slots()
    if open_slots and not blank:
        yield f"{_INDENT}{words('npg.army.your-open', slots=', '.join(open_slots))} [SD-2.1-a]"
    yield f"{_INDENT}{words('npg.army.not-again')}"
    for slot in army.slots:
        if slot.is_open:
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
    """Return a chance of 0 to 1 in per cent, and also as a fraction if its denominator is short.

    Chances just above 0 and just below 1 have a text of their own instead of 0 or 100 per cent.
    """
    percent = round(chance * 100)
    if 0 < chance < Fraction(1, 100):
        share = words("npg.army.below-one")
    elif Fraction(99, 100) < chance < 1:
        share = words("npg.army.above-99")
    else:
        share = words("npg.army.share", percent=percent)
    if chance.denominator == 1 or len(str(chance.denominator)) > _MAX_DENOMINATOR_DIGITS:
        return share
    return words("npg.army.chance", share=share, exact=chance)


def _general_sheet_lines(army: Army, you: Army, rules: SoloRules, words: Words, *, blank: bool) -> Iterator[str]:
    """Yield lines with the general's options and their modifiers, before the roll; one line for a single option.

    With ``blank`` all modifiers have a box; otherwise those known not to count are left out, and chances are shown.
    """
    if len(army.general) == 1:
        yield f"{_INDENT}{words('npg.army.taken-only', option=army.general[0])}"
        return
    threat = assess_threat(you.iter_possible_forces(), rules)
    general_outlook = assess_general(army, threat, rules)
    for option, modifiers in zip(army.general, general_outlook.modifiers, strict=True):
        if blank:
            yield f"{_INDENT}{option}"
        else:
            chance = "" if you.find_open_slots() else f"; {chance_text(general_outlook.chances[option], words)}"
            yield f"{_INDENT}{option}: {_sum_text(modifiers, words)}{chance}"
        for modifier in modifiers:
            state = ModifierState.OPEN if blank else modifier.state
            if state is not ModifierState.OFF:
                yield f"{_INDENT * 2}{words(_BOXES[state])} {modifier_text(modifier, rules, words)}"


_BOXES: Final = {ModifierState.ON: "npg.army.ticked", ModifierState.OPEN: "npg.army.box"}


def _sum_text(modifiers: tuple[AppliedModifier, ...], words: Words) -> str:
    """Return the sum of the modifiers as text, or the range of sums if some are open."""
    lowest, highest = find_sum_range(modifiers)
    if lowest == highest:
        return words("npg.army.bare") if not lowest else words("npg.army.sum", sum=format_signed(lowest))
    return words("npg.army.sum-range", least=format_signed(lowest), most=format_signed(highest))
