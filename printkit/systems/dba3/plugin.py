"""The plug-in for the terrain of DBA 3."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import Plugin

PLUGIN: Final = Plugin(
    name="dba3",
    # 3: the outlines differ from those in records of version 0.2.0.
    shapes=3,
    system="printkit.systems.dba3.system:Dba3",
    elements=True,
    sides="printkit.systems.dba3.placing.read_record:read_sides",
    deploying="printkit.systems.dba3.placing.read_record:describe_zone",
)
