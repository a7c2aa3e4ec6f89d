"""Two small armies without a choice, as files."""

from __future__ import annotations

SPEARS = """schema = "dba-army/1"
name = "Spears"
home = "hilly"
aggression = 1
[[slot]]
id = "army"
fixed = { "4Sp" = 9, "2Ps" = 2 }
[general]
options = ["4Sp"]
"""
HORSE = """schema = "dba-army/1"
name = "Horse"
home = "hilly"
aggression = 3
[[slot]]
id = "army"
fixed = { "3Cv" = 1, "4Bd" = 6, "4Sp" = 2, "2Ps" = 2 }
[general]
options = ["3Cv"]
"""
