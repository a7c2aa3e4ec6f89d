"""The two armies of a game: named samples, random samples or user files."""

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
# The reasons of the rolls for the two armies, if the settings do not name them.
ARMY_CHOICES: Final = (str(_NPG_ARMY), str(_YOUR_ARMY))

SAMPLE: Final = "sample"
# The list of a scenario with the lines of the user's army files; a line with the path precedes each file.
FILES: Final = "armies"

# The input list of a battle whose attacker is given.
ATTACKER: Final = "attacker"

_MARK: Final = "@ "


class Armies(Struct, frozen=True, kw_only=True):
    """The army lists of both sides, with all of the player's choices made (SD-2-a, SD-2.1-a)."""

    npg: Army
    you: Army


def file_lines(text: str, place: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of an army file as an input list of a record."""
    return {FILES: (f"{_MARK}{place}", *text.splitlines())}


def choose_armies(rules: SoloRules, inputs: Mapping[str, object], dice: Dice) -> Armies:
    """Return both armies from the settings, or random samples; the player's options are fixed first.

    The player's options in a sample are random, unless the user answers at the terminal. A user's army file must
    contain them.

    Raises:
        ScenarioError: a file is not an army, or an option of the player is still open.
        ResourceError: the army does not exist.
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
    """Return the reason of a player's choice: for an element of a slot (from 1), or for the general."""
    if slot is None:
        return Sentence("YOUR general")
    if slot.mode is SlotMode.EACH and slot.count > 1:
        return Sentence("YOUR {slot} {number:d} of {count:d}", slot=slot.id, number=element, count=slot.count)
    return Sentence("YOUR {slot}", slot=slot.id)


def with_options(army: Army, dice: Dice, reason: Callable[[Slot | None, int], Sentence] = _reason) -> Army:
    """Return the player's army with every open option chosen, by the user or at random (SD-2.1-a).

    Args:
        army: the player's army.
        dice: make the choices.
        reason: returns the reason of a choice, for the log.
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
    """Return the name of an army: the given one, or a random sample that is not in ``others``."""
    if asked != SAMPLE:
        return asked
    return dice.choose([name for name in drawn_samples() if name not in others], reason, "SD-2-a")


def _army(name: str, files: Mapping[str, str], troops: TroopTable) -> Army:
    if name in files and name not in sample_names():
        return army_of(ArmyText(name, files[name]), troops)
    # The lines of a path are in `files`. A record without them does not open the file.
    return read_army_without_file(name, troops)


def _files(inputs: Mapping[str, object]) -> dict[str, str]:
    """Return the texts of army files by path.

    Raises:
        ScenarioError: the scenario has an unknown list.
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
