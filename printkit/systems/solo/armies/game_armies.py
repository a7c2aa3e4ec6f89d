"""The two armies of a game: ours by name or by chance, or a person's own; and YOUR options, which come first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.asking import InteractiveSource
from printkit.chance.dice import Dice
from printkit.chance.replaying import ReplaySource
from printkit.core.errors import ScenarioError, Sentence
from printkit.systems.solo.armies.army import Army, ArmyText, Bundle, Slot, SlotMode
from printkit.systems.solo.armies.army_files import army_of, drawn_samples, read_army_without_file, sample_names
from printkit.systems.solo.armies.force import TroopTable, read_troops
from printkit.systems.solo.armies.rules import SoloRules

STAGE: Final = "armies"
_NPG_ARMY: Final = Sentence("the army of the NPG")
_YOUR_ARMY: Final = Sentence("YOUR army")
ARMY_CHOICES: Final = (str(_NPG_ARMY), str(_YOUR_ARMY))
"""The reasons of the throws by which a game comes to its armies, where nobody has named them."""

SAMPLE: Final = "sample"
FILES: Final = "armies"
"""The list of a scenario that holds the lines of a person's own army files, each after a line with its place."""

ATTACKER: Final = "attacker"
"""What a battle gives a game where a person has said who attacks."""

_MARK: Final = "@ "


class Armies(Struct, frozen=True, kw_only=True):
    """The lists of both sides; YOUR choices are all made (SD-2-a, SD-2.1-a)."""

    npg: Army
    you: Army


def file_lines(text: str, place: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of an army file as a list that a record can keep."""
    return {FILES: (f"{_MARK}{place}", *text.splitlines())}


def choose_armies(rules: SoloRules, inputs: Mapping[str, object], dice: Dice) -> Armies:
    """Return the armies that the rules of a game name, and chance's where they name none; YOUR options are fixed first.

    Of an army of ours chance takes YOUR options, unless a person at the terminal is asked; a file of your own has to
    say them.

    Raises:
        ScenarioError: a file is no army, or one of YOUR options is still open.
        ResourceError: there is no such army.
    """
    troops, files = read_troops(), _files(inputs)
    npg_name = _named(rules.choice("npg"), _NPG_ARMY, (), dice)
    you_name = _named(rules.choice("you"), _YOUR_ARMY, (npg_name,), dice)
    npg, you = (_army(name, files, troops) for name in (npg_name, you_name))
    asked = isinstance(dice.source, InteractiveSource | ReplaySource)
    if you.unchosen() and (you_name in sample_names() or asked):
        you = with_options(you, dice)
    you.resolved()
    return Armies(npg=npg, you=you)


def _reason(slot: Slot | None, element: int) -> Sentence:
    """Return what a choice of YOURS is for: of an element of a slot, counted from 1, or of the general."""
    if slot is None:
        return Sentence("YOUR general")
    if slot.mode is SlotMode.EACH and slot.count > 1:
        return Sentence("YOUR {slot} {number:d} of {count:d}", slot=slot.id, number=element, count=slot.count)
    return Sentence("YOUR {slot}", slot=slot.id)


def with_options(army: Army, dice: Dice, reason: Callable[[Slot | None, int], Sentence] = _reason) -> Army:
    """Return YOUR army with every open option decided: by the person who is asked, or by chance (SD-2.1-a).

    Args:
        army: YOURS.
        dice: choose.
        reason: what a choice is for, in the log.
    """
    chosen = {**army.chosen}
    for slot in army.slots:
        if slot.open and slot.id not in chosen:
            elements = range(1, slot.count + 1)
            chosen[slot.id] = tuple(_one_of(slot.options, reason(slot, element), dice) for element in elements)
    led_by = army.led_by
    if led_by is None and len(army.general) > 1:
        led_by = _one_of(army.general, reason(None, 1), dice)
    return replace(army, chosen=chosen, led_by=led_by)


def _one_of(options: Sequence[Bundle], reason: Sentence, dice: Dice) -> Bundle:
    named = {str(option): option for option in options}
    return named[dice.choose(tuple(named), reason, "SD-2.1-a", asks=True)]


def _named(asked: str, reason: Sentence, others: Sequence[str], dice: Dice) -> str:
    """Return the name of an army: the one asked for, or one of ours by chance that no other side has."""
    if asked != SAMPLE:
        return asked
    return dice.choose([name for name in drawn_samples() if name not in others], reason, "SD-2-a")


def _army(name: str, files: Mapping[str, str], troops: TroopTable) -> Army:
    if name in files and name not in sample_names():
        return army_of(ArmyText(name, files[name]), troops)
    # A path has its lines among the files; in a record that somebody wrote without them it opens nothing.
    return read_army_without_file(name, troops)


def _files(inputs: Mapping[str, object]) -> dict[str, str]:
    """Return the texts of army files by their places.

    Raises:
        ScenarioError: the scenario lists something else.
    """
    for name in inputs:
        if name not in (FILES, ATTACKER):
            raise ScenarioError(
                'solo-dba does not accept the list {name!r}; armies are settings, for example npg = "viking"', name=name
            )
    lines = inputs.get(FILES, ())
    texts: dict[str, list[str]] = {}
    place = ""
    for line in lines if isinstance(lines, list | tuple) else ():
        if str(line).startswith(_MARK):
            place = str(line).removeprefix(_MARK)
            texts[place] = []
        elif place:
            texts[place].append(str(line))
    return {place: "\n".join(found) + "\n" for place, found in texts.items()}
