"""The climates of a painted mat: textures and tints of its open ground."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from printkit.kit.countryside import Countryside

Colour: TypeAlias = tuple[int, int, int]


class Climate(StrEnum):
    """The climate of a mat."""

    TEMPERATE = "temperate"
    DRY = "dry"
    WINTER = "winter"


class ClimateLook(NamedTuple):
    """The look of a climate: two textures and three tints of open ground, and names of other textures and sprites.

    ``plants`` replaces the sprites of plants that do not have their summer look.
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
    """Return the climate for a countryside: dry for dry land and steppe, otherwise temperate."""
    return Climate.DRY if countryside in (Countryside.DRY, Countryside.STEPPE) else Climate.TEMPERATE
