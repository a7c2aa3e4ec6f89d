"""What terrain by playing cards adds to printkit."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import Plugin

PLUGIN: Final = Plugin(
    name="brantley",
    system="printkit.systems.brantley.system:Brantley",
    umpire_pages="printkit.systems.brantley.sheets.evening:umpire_pages",
)
