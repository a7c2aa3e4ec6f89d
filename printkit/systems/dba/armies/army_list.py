"""The types of an army list in a file: slots with options, or the counts of an army, and what the player chose."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

from printkit.core.errors import Sentence
from printkit.core.typed import MemberError, right

# Troop elements of an army, including the general's.
STRENGTH: Final = 12

Line = Annotated[
    str, Meta(pattern=r"^(?=.*\S)[^\t\n\x85\u2028\u2029]*$"), right(Sentence("a short text in quotes, on one line"))
]
Number = Annotated[int, Meta(ge=1, le=STRENGTH)]
Elements = Annotated[
    str | Annotated[dict[str, Number], Meta(min_length=1)],
    right(Sentence('a code, "4Pk", or codes with numbers, {{ "4Pk" = 2 }}')),
]
Options = Annotated[
    list[Elements], Meta(min_length=1), right(Sentence('a list of codes, for example options = ["3Cv", "2LH"]'))
]


class ListSlot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A slot: fixed elements, or options."""

    id: Line | None = None
    fixed: Elements | None = None
    mode: Literal["each", "block"] | None = None
    count: Number = 1
    options: Options | None = None

    def __post_init__(self) -> None:
        if self.fixed is None and self.options is None:
            raise MemberError("it has neither fixed elements nor options; write one of fixed and options", "id")
        if self.fixed is not None and (self.options or self.mode or self.count > 1):
            raise MemberError("fixed elements have no options; remove fixed, or mode, count and options", "fixed")
        if self.options and self.mode is None:
            raise MemberError("mode is missing; use one of each, block", "id")
        has_numbers = any(isinstance(option, dict) and sum(option.values()) > 1 for option in self.options or ())
        if self.mode == "block" and self.count > 1 and has_numbers:
            raise MemberError(
                "count works only with options of one element; remove it from options that have their own numbers",
                "count",
            )


class ListGeneral(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of the general's element and of those with it."""

    options: Options


class ArmyList(Struct, frozen=True, kw_only=True):
    """An army list: a line in published notation, slots with options, or the counts of an army."""

    line: str | None = field(name="list", default=None)
    slot: tuple[ListSlot, ...] = ()
    counts: Annotated[dict[str, Number], Meta(min_length=1)] | None = None
    general: Annotated[ListGeneral | str, right(Sentence('[general], and options = ["3Cv"] below it'))] | None = None
    chosen: dict[str, Elements | list[Elements]] = {}

    def __post_init__(self) -> None:
        if self.counts and (self.slot or self.chosen):
            raise MemberError("counts give the whole army; remove them, or slot and chosen", "counts")
        if self.counts and not isinstance(self.general, str):
            raise MemberError(
                'general is missing; write the code of the general\'s element, for example general = "Cv"', "counts"
            )
        if not self.counts and not isinstance(self.general, ListGeneral):
            raise MemberError(
                'the general is missing; add [general] with options = ["3Cv"], or several options to roll for',
                "general",
            )
