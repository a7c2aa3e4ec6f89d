"""The two armies of a game: named samples, random samples or user files; and their facts for the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from printkit.chance.asking import InteractiveSource
from printkit.chance.dice import Dice
from printkit.chance.replaying import ReplaySource
from printkit.core.errors import ScenarioError, Sentence
from printkit.systems.solo.armies.army import Army, ArmyText, Bundle, Slot, SlotMode
from printkit.systems.solo.armies.army_files import army_of, drawn_samples, read_army_without_file, sample_names
from printkit.systems.solo.armies.composing import Attack, ComposedArmy
from printkit.systems.solo.armies.force import Force, Home, TroopTable, read_troops
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import steps_facts

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

_FILE_MARK: Final = "@ "


class Armies(Struct, frozen=True, kw_only=True):
    """The army lists of both sides, with all of the player's choices made (SD-2-a, SD-2.1-a)."""

    npg: Army
    you: Army


def file_lines(text: str, path: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of an army file as an input list of a record; ``text`` is its contents.

    The only key is the name of the list; its first line is a mark with the path.
    """
    return {FILES: (f"{_FILE_MARK}{path}", *text.splitlines())}


def choose_armies(rules: SoloRules, inputs: Mapping[str, object], dice: Dice) -> Armies:
    """Return both armies from the settings, or random samples; the player's options are fixed first.

    The player's options in a sample are random, unless the user answers at the terminal. A user's army file must
    contain them. The NPG's options stay open here. Two random samples are different.

    Raises:
        ScenarioError: a file is not an army, or an option of the player is still open.
        ResourceError: the army does not exist.
    """
    troops, files = read_troops(), _parse_files(inputs)
    npg_name = _choose_army_name(rules.choice("npg"), _NPG_ARMY, (), dice)
    you_name = _choose_army_name(rules.choice("you"), _YOUR_ARMY, (npg_name,), dice)
    npg, you = (_load_army(name, files, troops) for name in (npg_name, you_name))
    is_interactive = isinstance(dice.source, InteractiveSource | ReplaySource)
    if you.find_open_slots() and (you_name in sample_names() or is_interactive):
        you = choose_options(you, dice)
    you.resolve_force()
    return Armies(npg=npg, you=you)


def _build_reason(slot: Slot | None, element: int) -> Sentence:
    """Return the reason of a player's choice: for an element of a slot (from 1), or for the general."""
    if slot is None:
        return Sentence("YOUR general")
    if slot.mode is SlotMode.EACH and slot.count > 1:
        return Sentence("YOUR {slot} {number:d} of {count:d}", slot=slot.id, number=element, count=slot.count)
    return Sentence("YOUR {slot}", slot=slot.id)


def choose_options(army: Army, dice: Dice, reason: Callable[[Slot | None, int], Sentence] = _build_reason) -> Army:
    """Return the player's army with every open option chosen, by the user or at random (SD-2.1-a).

    Args:
        army: the player's army.
        dice: make the choices.
        reason: returns the reason of a choice, for the log.
    """
    chosen_options = {**army.chosen_options}
    for slot in army.slots:
        if slot.is_open and slot.id not in chosen_options:
            elements = range(1, slot.count + 1)
            chosen_options[slot.id] = tuple(
                _choose_option(slot.options, reason(slot, element), dice) for element in elements
            )
    general_option = army.general_option
    if general_option is None and len(army.general) > 1:
        general_option = _choose_option(army.general, reason(None, 1), dice)
    return replace(army, chosen_options=chosen_options, general_option=general_option)


def _choose_option(options: Sequence[Bundle], reason: Sentence, dice: Dice) -> Bundle:
    """Return one of the options, chosen by the user or at random."""
    options_by_name = {str(option): option for option in options}
    return options_by_name[dice.choose(tuple(options_by_name), reason, "SD-2.1-a", asks=True)]


def _choose_army_name(setting: str, reason: Sentence, taken_names: Sequence[str], dice: Dice) -> str:
    """Return the name of an army: the given one, or a random sample that is not in ``taken_names``.

    ``setting`` is the value of the setting ``npg`` or ``you``.
    """
    if setting != SAMPLE:
        return setting
    return dice.choose([name for name in drawn_samples() if name not in taken_names], reason, "SD-2-a")


def _load_army(name: str, files: Mapping[str, str], troops: TroopTable) -> Army:
    """Return the army of a name: a sample, a user's file from ``files``, or an army on one line.

    Raises:
        ScenarioError: the army is not valid.
        ResourceError: it does not exist.
    """
    if name in files and name not in sample_names():
        return army_of(ArmyText(name, files[name]), troops)
    # The lines of a path are in `files`. A record without them does not open the file.
    return read_army_without_file(name, troops)


def _parse_files(inputs: Mapping[str, object]) -> dict[str, str]:
    """Return the texts of the army files in the input lists, by path; empty without files.

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
    path = ""
    for line in lines if isinstance(lines, list | tuple) else ():
        if str(line).startswith(_FILE_MARK):
            path = str(line).removeprefix(_FILE_MARK)
            texts[path] = []
        elif path:
            texts[path].append(str(line))
    return {path: "\n".join(line_list) + "\n" for path, line_list in texts.items()}


# The facts that the player must not see before their own army is deployed: the NPG's elements and its dice.
COMPOSITION: Final = "composition"

_LIST_KEYS: Final = ("name", "file", "home", "aggression", "camp", "number", "dates", "version")


def army_facts(armies: Armies, composition: ComposedArmy) -> dict[str, Any]:
    """Return the facts that both sides may know: the lists, and the player's elements."""
    return {
        "npg": _list_facts(armies.npg),
        "you": {**_list_facts(armies.you), **force_facts(composition.you)},
    }


def composition_facts(composition: ComposedArmy) -> dict[str, Any]:
    """Return the NPG's army and the steps of its composition, for the umpire only."""
    return {**force_facts(composition.force), "steps": steps_facts(composition.steps)}


def force_facts(force: Force) -> dict[str, Any]:
    """Return the element counts of an army by code in list order, the general's code, and totals."""
    general_element = force.general
    return {
        "elements": dict(Counter(element.code for element in force.elements)),
        "general": general_element.code if general_element else None,
        "types": dict(force.type_counts()),
        "mounted": force.mounted_count,
        "infantry": force.infantry_count,
        "bad_goers": force.bad_goer_count,
    }


def attack_facts(attack: Attack) -> dict[str, Any]:
    """Return the attacker, the defender, and the step that decided."""
    return {"attacker": attack.attacker.value, "defender": attack.defender.value, "step": attack.step.as_data()}


def _list_facts(army: Army) -> dict[str, Any]:
    """Return the facts of an army list; for a littoral home also its choices of features (SD-3.2.2-a, -b)."""
    facts = {name: getattr(army, name) for name in _LIST_KEYS}
    return facts | ({"littoral": asdict(army.pairs)} if army.home is Home.LITTORAL else {})
