"""The invented armies of the specification's test cases (9.0), with the move rates that hold in tests alone."""

from __future__ import annotations

from printkit.systems.solo.armies.force import Element, Force, Home, TroopTable, read_troops

TROOPS: TroopTable = read_troops()


def force(name: str, elements: str, home: str, aggression: int, *, camp: bool = True) -> Force:
    """Return an army written as in the specification: ``Kn* 1, Cv 1, Pk 6``; a star marks the general's type."""
    found: list[Element] = []
    for part in elements.split(","):
        code, count = part.split()
        troop = TROOPS.get_type(code.rstrip("*"))
        found += [
            Element(code=troop.code, troop=troop, general=code.endswith("*") and place == 0)
            for place in range(int(count))
        ]
    return Force(name=name, home=Home(home), aggression=aggression, elements=tuple(found), camp=camp)


PHX = force("PHX", "Kn* 1, Cv 1, El 1, Pk 6, Ax 1, Ps 2", "arable", 3)
LEG = force("LEG", "Cv* 2, Bd 6, Sp 2, Ps 2", "hilly", 3)
TRB = force("TRB", "Cv* 1, LH 1, Wb 8, Ps 2", "forest", 1)
STP = force("STP", "Cv* 3, LH 8, Ps 1", "steppe", 4)
HOP = force("HOP", "Sp* 10, Ps 2", "hilly", 1)
CST = force("CST", "Bd* 4, Ax 4, Ps 2, Art 1, LH 1", "littoral", 2)
DES = force("DES", "Cm* 4, LH 2, Bw 4, Ps 2", "dry", 2)
WDS = force("WDS", "Ax* 6, Ps 4, Bw 2", "tropical", 0)
MED = force("MED", "Kn* 5, Bw 4, Bd 2, Hd 1", "arable", 2)
WAG = force("WAG", "WWg* 4, Art 1, Sp 3, Bw 2, Cv 2", "hilly", 1, camp=False)
SOL = force("SOL", "Cv* 1, Sp 8, Ps 3", "hilly", 0)
ARB = force("ARB", "Bd* 6, Cv 2, Ps 4", "arable", 2)

EVERY = {army.name: army for army in (PHX, LEG, TRB, STP, HOP, CST, DES, WDS, MED, WAG, SOL, ARB)}
