"""What is known of the country before a die is thrown: relief, use of the land, forest, climate (PW0-13, PW0-16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from printkit.kit.rules import Rules
from printkit.terrain.field.features import Kind

_PRESET: Final = "preset"
_SAME: Final[Mapping[str, str]] = {"open": "flat", "cultivated": "rural"}
"""Words of the source that mean another (PW0-16)."""

_COUNTS: Final[Mapping[str, int]] = {"yes": 1, "no": 0}
_RELIEFS: Final = 2
_AREAS: Final = 3
"""How many titles there are for each relief, and for each use of the land."""


class Geography(Struct, frozen=True, kw_only=True):
    """The country: ``relief`` flat, undulating, hilly or mountainous; ``area`` rural, urban, desert or wild.

    ``trees`` is what grows there and ``way`` what its roads are.
    """

    relief: str
    area: str
    forested: bool
    climate: str
    trees: Kind
    way: Kind

    @classmethod
    def of(cls, rules: Rules) -> Geography:
        """Return the country that the settings describe: those of a preset, unless one says otherwise (PW0-17)."""
        preset = rules.row("presets", "preset", rules.choice("preset"))

        def found(key: str) -> str:
            text = preset.need(key, str) if rules.choice(key) == _PRESET else rules.choice(key)
            return _SAME.get(text, text)

        def kind(rows: str, key: str, value: str) -> str:
            return rules.row(rows, key, value).need("kind", str)

        area, climate = found("area"), rules.choice("climate")
        return cls(
            relief=found("relief"),
            area=area,
            forested=found("forested") == "yes",
            climate=climate,
            trees=Kind(kind("climates", "climate", climate)),
            way=Kind(preset.get("road", str, "") or kind("ways", "area", area)),
        )

    @property
    def hills_table(self) -> str:
        """Return which table of hills holds: the relief."""
        return self.relief

    @property
    def trees_table(self) -> str:
        """Return which table of trees holds: forested, desert, mountainous, hilly or flat."""
        if self.forested:
            return "forested"
        if self.area == "desert":
            return "desert"
        return self.relief if self.relief in ("mountainous", "hilly") else "flat"

    @property
    def habitation_table(self) -> str:
        """Return which table of habitation holds: urban, rural, or sparse for everything else."""
        return self.area if self.area in ("urban", "rural") else "sparse"

    @property
    def fields_table(self) -> str:
        """Return which table of fields holds: rural or urban, or empty where there are no fields."""
        return self.area if self.area in ("urban", "rural") else ""

    @property
    def titles(self) -> tuple[str, ...]:
        """Return the keys of words that name such a country."""
        by_area = (f"portable.title.{self.area}.{number}" for number in range(1, _AREAS + 1))
        return (*by_area, *(f"portable.title.{self.relief}.{number}" for number in range(1, _RELIEFS + 1)))

    @property
    def facts(self) -> dict[str, str]:
        """Return the country as the record keeps it."""
        return {
            "relief": self.relief,
            "area": self.area,
            "forested": "yes" if self.forested else "no",
            "climate": self.climate,
            "trees": self.trees.value,
            "way": self.way.value,
        }


def count_of(text: str) -> int:
    """Return how many courses a setting asks for: a number, yes or no."""
    return _COUNTS[text] if text in _COUNTS else int(text)
