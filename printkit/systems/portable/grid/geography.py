"""The geography that is known before any roll: relief, land use, forest, climate (PW0-13, PW0-16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from printkit.kit.rules import Rules
from printkit.terrain.field.features import Kind

_PRESET: Final = "preset"
# Words of the source that are synonyms (PW0-16).
_SAME: Final[Mapping[str, str]] = {"open": "flat", "cultivated": "rural"}

_COUNTS: Final[Mapping[str, int]] = {"yes": 1, "no": 0}
# Number of titles for each relief, and for each land use.
_RELIEFS: Final = 2
_AREAS: Final = 3


class Geography(Struct, frozen=True, kw_only=True):
    """The geography of a battlefield.

    Attributes:
        relief: flat, undulating, hilly or mountainous.
        area: the land use: rural, urban, desert or wild.
        trees: the kind of trees.
        road_kind: the kind of roads.
    """

    relief: str
    area: str
    forested: bool
    climate: str
    trees: Kind
    road_kind: Kind

    @classmethod
    def from_rules(cls, rules: Rules) -> Geography:
        """Return the geography in the settings: that of a preset, with the settings that override it (PW0-17)."""
        preset = rules.row("presets", "preset", rules.choice("preset"))

        def find_value(key: str) -> str:
            """Return a value of the geography: the setting, or that of the preset if it is ``preset``."""
            text = preset.need(key, str) if rules.choice(key) == _PRESET else rules.choice(key)
            return _SAME.get(text, text)

        def kind(rows: str, key: str, value: str) -> Kind:
            """Return the kind in the row of the book with this value."""
            return rules.row(rows, key, value).need("kind", Kind)

        area, climate = find_value("area"), rules.choice("climate")
        return cls(
            relief=find_value("relief"),
            area=area,
            forested=find_value("forested") == "yes",
            climate=climate,
            trees=kind("climates", "climate", climate),
            road_kind=preset.get("road", Kind, None) or kind("ways", "area", area),
        )

    @property
    def hills_table(self) -> str:
        """Return the name of the table of hills: the relief."""
        return self.relief

    @property
    def trees_table(self) -> str:
        """Return the name of the table of trees: forested, desert, mountainous, hilly or flat."""
        if self.forested:
            return "forested"
        if self.area == "desert":
            return "desert"
        return self.relief if self.relief in ("mountainous", "hilly") else "flat"

    @property
    def habitation_table(self) -> str:
        """Return the name of the table of habitation: urban, rural or, for all others, sparse."""
        return self.area if self.area in ("urban", "rural") else "sparse"

    @property
    def fields_table(self) -> str:
        """Return the name of the table of fields: rural or urban, or "" if there are no fields."""
        return self.area if self.area in ("urban", "rural") else ""

    @property
    def titles(self) -> tuple[str, ...]:
        """Return the word keys of all titles for this geography; a map gets a random one of them.

        Those for the kind of area come before those for the relief.
        """
        by_area = (f"portable.title.{self.area}.{number}" for number in range(1, _AREAS + 1))
        return (*by_area, *(f"portable.title.{self.relief}.{number}" for number in range(1, _RELIEFS + 1)))

    @property
    def facts(self) -> dict[str, str]:
        """Return the geography for the record: each attribute as text, by its name.

        The names are ``relief``, ``area``, ``forested`` (yes or no), ``climate``, ``trees`` and ``way``.
        """
        return {
            "relief": self.relief,
            "area": self.area,
            "forested": "yes" if self.forested else "no",
            "climate": self.climate,
            "trees": self.trees.value,
            "way": self.road_kind.value,
        }


def parse_count(text: str) -> int:
    """Return the number of courses that a setting gives: a number, or ``yes`` (1) or ``no`` (0).

    Raises:
        ValueError: the text is not a number, ``yes`` or ``no``.
    """
    return _COUNTS[text] if text in _COUNTS else int(text)
