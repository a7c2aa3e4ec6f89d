"""The rules of games of Solo DBA, for its tests."""

from __future__ import annotations

from printkit.systems.solo.armies.rules import SoloRules, load_solo_rules

RULES = load_solo_rules()


def rules(**settings: str) -> SoloRules:
    """Return the rules of a game with these settings."""
    return load_solo_rules(settings)
