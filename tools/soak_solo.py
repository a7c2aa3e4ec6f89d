"""Lays out many fields of Solo DBA, judges every one, and writes docs/soak-solo.md.

Seeds go round the seven topographies, both scales of figures and the readings that shape the ground; the armies are
samples by the seed.

    python tools/soak_solo.py [--count FIELDS] [--first SEED] [--processes N] [--page FILE]
"""

from __future__ import annotations

import sys

from soaking import Mixture, Soak, run

HOMES = ("arable", "forest", "hilly", "steppe", "dry", "tropical", "littoral")

HEAD = """# Soak of Solo DBA

Fields of `solo-dba` laid out from consecutive seeds, in all seven topographies, with sample armies, both scales of
figures and readings of the rules in turn; each judged as `printkit check` judges. This page is made by `make soak` and
is never edited by hand.
"""


def mixture(seed: int) -> Mixture:
    """Return the settings of a seed; each seed has another mixture."""
    home, rest = HOMES[seed % len(HOMES)], seed // len(HOMES)
    return Mixture(
        label=home,
        settings={
            "home": home,
            "scale": "25mm" if rest % 5 == 3 else "15mm",
            "straddle": "if_needed" if rest % 4 == 1 else "always",
            "bua_is_bad_going": "true" if rest % 7 == 2 else "false",
            "cap_counts_compulsory": "false" if rest % 6 == 4 else "true",
            "same_road": "true" if rest % 9 == 5 else "false",
            "bua_road": "bend" if rest % 8 == 6 else "again",
            "river_measure": "bank" if rest % 10 == 7 else "centre",
            "bridge_model": "true" if rest % 2 else "false",
        },
    )


SOAK = Soak(system="solo-dba", page="soak-solo.md", head=HEAD, mixture=mixture)

if __name__ == "__main__":
    sys.exit(run(SOAK, sys.argv[1:]))
