"""The climates of a painted mat: which textures and tints its open ground has."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from printkit.kit.countryside import Countryside

Colour: TypeAlias = tuple[int, int, int]


class Climate(StrEnum):
    """How the ground of a mat is painted."""

    TEMPERATE = "temperate"
    DRY = "dry"
    WINTER = "winter"


class ClimateLook(NamedTuple):
    """What a climate has: two textures of its open ground, three tints, the bare earth, meadows, tufts, stones.

    ``plants`` names the sprites of plants that look otherwise than in summer.
    """

    ground: str
    second: str
    tints: tuple[Colour, Colour, Colour]
    bare: str
    meadow: str
    tuft: str
    stone: str
    plants: Mapping[str, str] = MappingProxyType({})


COUNTRIES: Final[Mapping[Climate, ClimateLook]] = {
    Climate.TEMPERATE: ClimateLook(
        "grass", "meadow", ((96, 110, 52), (176, 158, 100), (112, 92, 58)), "earth", "meadow", "tuft", "stone"
    ),
    Climate.DRY: ClimateLook(
        "steppe", "desert", ((168, 140, 88), (214, 190, 142), (134, 118, 74)), "track", "meadow", "straw", "sandstone"
    ),
    Climate.WINTER: ClimateLook(
        "snow",
        "snow",
        ((188, 196, 206), (236, 238, 240), (170, 160, 138)),
        "track",
        "steppe",
        "straw",
        "stone",
        MappingProxyType({"oak": "bare-oak", "bush": "bare-bush", "apple": "bare-apple", "tuft": "straw"}),
    ),
}


def climate_of(countryside: Countryside) -> Climate:
    """Return the climate in which a country is painted: ploughed and American land as the temperate one."""
    return Climate.DRY if countryside in (Countryside.DRY, Countryside.STEPPE) else Climate.TEMPERATE
