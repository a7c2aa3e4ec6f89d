"""Army lists for the tests, written as people write them, and the reading of one from such a text."""

from __future__ import annotations

from forces import TROOPS

from printkit.systems.solo.armies.army import Army, ArmyText
from printkit.systems.solo.armies.army_files import army_of
from printkit.systems.solo.armies.force import Force

HILL_KINGDOM = """\
schema = "dba-army/1"
id = "example-hill-kingdom"
name = "Example Hill Kingdom"
note = "Invented for tests; not a published list."
home = "hilly"
aggression = 2
camp = true

[[slot]]
id = "phalanx"
fixed = { "4Pk" = 4 }

[[slot]]
id = "second line"
mode = "each"
count = 2
options = ["4Pk", "4Sp"]

[[slot]]
id = "horse"
mode = "block"
options = [ { "3Cv" = 2 }, { "2LH" = 2 } ]

[[slot]]
id = "screen"
mode = "block"
options = [ { "2Ps" = 1 }, { "7Hd" = 1 } ]

[[slot]]
id = "hillmen"
fixed = { "4Ax" = 2 }

[general]
options = ["3Kn", "4Pk", "El"]
"""


def read(text: str, file: str = "army.toml") -> Army:
    """Return the army of a text."""
    return army_of(ArmyText(file, text), TROOPS)


def listed(*slots: str, general: str = '"3Cv"', home: str = "arable", aggression: int = 2, more: str = "") -> Army:
    """Return an army of slots, each the lines of one, and of the general's options."""
    own = "".join(f"[[slot]]\n{slot}\n" for slot in slots)
    head = f'schema = "dba-army/1"\nname = "Test"\nhome = "{home}"\naggression = {aggression}\n'
    return read(f"{head}{own}[general]\noptions = [{general}]\n{more}")


def counted(force: Force) -> Army:
    """Return YOUR army as a file that has the counts of a force alone."""
    counts = ", ".join(f"{code} = {count}" for code, count in force.type_counts().items())
    assert force.general is not None
    return read(
        f'schema = "dba-army/1"\nname = "{force.name}"\nhome = "{force.home}"\naggression = {force.aggression}\n'
        f'counts = {{ {counts} }}\ngeneral = "{force.general.troop.code}"\n',
        "you.toml",
    )
