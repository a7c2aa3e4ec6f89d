"""What the terrain of DBA 3 adds to printkit."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import Plugin

PLUGIN: Final = Plugin(
    name="dba3",
    system="printkit.systems.dba3.system:Dba3",
    elements=True,
    sides="printkit.systems.dba3.placing.who:told_sides",
    deploying="printkit.systems.dba3.placing.who:deploying",
)
