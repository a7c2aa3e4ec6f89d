"""The games to choose from: the pictures of the studio's start page, and the first question of ``printkit play``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from printkit.core.errors import Sentence


class GameRole(NamedTuple):
    """A game to choose from.

    Attributes:
        name: its name in ``POST /begin``, of its picture, and the key of its texts on the start page.
        title: what ``play`` calls it.
        command: the words of its command; the rule system follows.
        questions: the default of each question that ``play`` asks, by the name of the question.
        rules: its rule system; empty if the command has no such option.
        settings: the values of the studio's form for its battlefield.
        lands: the page of the studio after the click: ``field``, ``battle``, ``hands`` or ``club``.
        prints: the kind of print job of the big button there.
        langs: the languages of the users who are offered it; empty for all.
    """

    name: str
    title: Sentence
    command: tuple[str, ...]
    questions: Mapping[str, str]
    rules: str = ""
    settings: Mapping[str, str] = {}
    lands: str = "field"
    prints: str = ""
    langs: tuple[str, ...] = ()

    @property
    def picture(self) -> str:
        """Return the name of its static picture."""
        return f"roles/{self.name}.jpg"


_SHEETS: Final = {"sheet": "", "lang": ""}
_NIGHT: Final = {"table": "print", "sheet": "", "players": "", "lang": ""}
_SIX_FEET: Final = {"board": "72x48in"}

ROLES: Final = (
    GameRole("dba", Sentence("DBA"), ("handouts",), {"board": "24in", **_NIGHT}, rules="brantley", prints="map"),
    GameRole(
        "columns",
        Sentence("Rumbo de colisión"),
        ("handouts",),
        _NIGHT,
        rules="collision-course",
        prints="evening",
        langs=("es",),
    ),
    GameRole(
        "alone",
        Sentence("DBA alone"),
        ("npg", "new"),
        {"armies": "hyksos-later, polybian-roman", "lang": ""},
        lands="battle",
    ),
    GameRole(
        "hexon",
        Sentence("Portable Wargame"),
        ("handouts",),
        {**_NIGHT, "table": "hexon"},
        rules="portable-2",
        settings={"grid": "hex-9x8"},
        prints="hexon",
    ),
    GameRole(
        "acw",
        Sentence("American Civil War"),
        ("handouts",),
        {**_SIX_FEET, **_NIGHT},
        rules="acw",
        settings=_SIX_FEET,
        prints="build",
    ),
    GameRole("deal", Sentence("a secret deal"), ("deal",), {"board": "24in", **_SHEETS}, lands="hands"),
    GameRole(
        "club",
        Sentence("a club night"),
        ("league", "new", "club"),
        {"members": "", "tables": "", **_SHEETS},
        rules="brantley",
        lands="club",
    ),
)


def roles_for(lang: str) -> tuple[GameRole, ...]:
    """Return the games that users of a language are offered."""
    return tuple(role for role in ROLES if not role.langs or lang in role.langs)


def find_role(rules: str) -> GameRole | None:
    """Return the role that makes a battlefield of a rule system, or None."""
    return next((role for role in ROLES if role.rules == rules and role.lands == "field"), None)
