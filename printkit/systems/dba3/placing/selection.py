"""The defender's choice of terrain: one or two compulsory features, two or three optional ones (D3-3..D3-16).

The user at the terminal makes the choices that the rules leave open, or chance decides. A scenario may list the
features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from printkit.chance.dice import Dice
from printkit.core.errors import ScenarioError, Sentence, joined
from printkit.systems.dba.ground import legal
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba3.placing.terms import HomeTopography, Terms, Topography

ANY: Final = "auto"
CHOICE: Final = "choice"


class FeaturePick(legal.Pick, frozen=True, kw_only=True):
    """A chosen feature; ``town`` is the type of a built-up area."""

    town: str = ""

    @property
    def name(self) -> str:
        """Return the name of the piece in lists and in the log; for a built-up area, its type."""
        return self.town or plain(self.terrain)


def plain(terrain: Terrain) -> str:
    """Return the name of a piece in plain text; the steep hills of DBA 2.2 are difficult hills in DBA 3."""
    return "difficult hill" if terrain is Terrain.STEEP_HILL else terrain.value.replace("_", " ")


def home_of(terms: Terms, dice: Dice) -> HomeTopography:
    """Return the home topography from the settings, or choose one of the seven."""
    asked = terms.rules.choice("home")
    return (
        dice.choose(tuple(HomeTopography), Sentence("home topography"), "D3-3", asks=True)
        if asked == ANY
        else HomeTopography(asked)
    )


def select(topography: Topography, terms: Terms, dice: Dice) -> tuple[FeaturePick, ...]:
    """Return the features of a battlefield: compulsory ones first, then the optional ones in the order chosen."""
    compulsory = _compulsory(topography, terms, dice)
    picks = list(compulsory)
    count = _number(terms, "optional", dice)
    for place in range(1, count + 1):
        offered = able(topography, terms, picks)
        if place == count and not any(terms.sorts[pick.terrain].serves for pick in picks):
            # One hindering feature is required in the end (D3-15).
            offered = tuple(each for each in offered if terms.sorts[each].serves)
        if not offered:
            break
        picks.append(
            _pick(offered, Sentence("optional feature {number:d} of {count:d}", number=place, count=count), terms, dice)
        )
    return tuple(picks)


def able(topography: Topography, terms: Terms, picks: Sequence[FeaturePick]) -> tuple[Terrain, ...]:
    """Return the optional pieces that may still be added: up to the maximum of each, and one of each pair."""
    counted = Counter(pick.terrain for pick in picks)
    barred = {other for pair in topography.pairs for one in pair if counted[one] for other in pair if other is not one}
    return tuple(each for each in topography.optional if counted[each] < terms.sorts[each].most and each not in barred)


def listed(names: Iterable[str], topography: Topography, terms: Terms) -> tuple[FeaturePick, ...]:
    """Return the features that a scenario lists, the compulsory ones first.

    Raises:
        ScenarioError: a feature is not terrain of that home topography, or the list breaks a rule of choosing.
    """
    found = [_named(name, topography, terms) for name in names]
    ways = {each.terrain: each for each in topography.compulsory}
    most = max(each.most for each in topography.compulsory)
    first = [pick for pick in found if pick.terrain in ways]
    if not first:
        wanted = joined([plain(each) for each in ways], Sentence(" or "))
        raise ScenarioError(
            "features needs {wanted}, compulsory for home topography {home}",
            wanted=wanted,
            home=topography.home.value,
            clause=topography.clause,
        )
    way = ways[first[0].terrain]
    compelled = [pick for pick in first if topography.mixed or pick.terrain is way.terrain][: min(most, way.most)]
    if len(compelled) < way.least:
        raise ScenarioError(
            "features has {count} of {terrain}; {least} are compulsory",
            count=len(compelled),
            terrain=plain(way.terrain),
            least=way.least,
            clause=topography.clause,
        )
    rest = list(found)
    for pick in compelled:
        rest.remove(pick)
    # A surplus feature of a compulsory type counts as optional, and uses one of those places.
    if len(rest) < terms.rules.number("optional_min") and len(compelled) > way.least:
        rest.append(compelled.pop())
    least, limit = (terms.rules.whole(f"optional_{end}") for end in ("min", "max"))
    if not least <= len(rest) <= limit:
        raise ScenarioError(
            "features has {count} optional features; list {least} or {limit}",
            count=len(rest),
            least=least,
            limit=limit,
            clause="D3-11",
        )
    picks = [FeaturePick(terrain=pick.terrain, compulsory=True, town=pick.town) for pick in compelled]
    for pick in rest:
        if pick.terrain not in able(topography, terms, picks):
            raise ScenarioError(
                "features has {pick}, which home topography {home} cannot add",
                pick=pick.name,
                home=topography.home.value,
                clause=topography.clause,
            )
        picks.append(pick)
    if not any(terms.sorts[pick.terrain].serves for pick in picks):
        raise ScenarioError("features needs rough or bad going, a river or a waterway; add one of them",
                            clause="D3-15")  # fmt: skip
    return tuple(picks)


def _compulsory(topography: Topography, terms: Terms, dice: Dice) -> tuple[FeaturePick, ...]:
    ways = {plain(each.terrain): each for each in topography.compulsory}
    first = ways[_chosen(tuple(ways), Sentence("compulsory feature"), topography.clause, dice)]
    count = first.least
    if first.least < first.most:
        asked = terms.rules.choice("compulsory")
        options = tuple(str(number) for number in range(first.least, first.most + 1))
        count = int(
            _chosen(options, Sentence("number of compulsory features"), "D3-10", dice) if asked == CHOICE else asked
        )
    found = [first.terrain]
    while len(found) < count:
        again = tuple(ways) if topography.mixed else (plain(first.terrain),)
        name = _chosen(again, Sentence("compulsory feature {number:d}", number=2), topography.clause, dice)
        found.append(ways[name].terrain)
    return tuple(FeaturePick(terrain=each, compulsory=True, town=_town(each, terms, dice)) for each in found)


def _pick(offered: Sequence[Terrain], reason: Sentence, terms: Terms, dice: Dice) -> FeaturePick:
    named = {plain(each): each for each in offered}
    terrain = named[_chosen(tuple(named), reason, "D3-11", dice)]
    return FeaturePick(terrain=terrain, town=_town(terrain, terms, dice))


def _town(terrain: Terrain, terms: Terms, dice: Dice) -> str:
    """Return the type of built-up area that the defender chooses (D3-40)."""
    return _chosen(terms.town_names, Sentence("built-up area"), "D3-40", dice) if terrain is Terrain.BUA else ""


def _number(terms: Terms, name: str, dice: Dice) -> int:
    asked = terms.rules.choice(name)
    low, high = (terms.rules.whole(f"{name}_{end}") for end in ("min", "max"))
    options = tuple(str(number) for number in range(low, high + 1))
    return int(_chosen(options, Sentence("number of optional features"), "D3-11", dice) if asked == CHOICE else asked)


def _chosen(options: Sequence[str], reason: Sentence, clause: str, dice: Dice) -> str:
    """Return the defender's choice; a single option needs no question."""
    return options[0] if len(options) == 1 else dice.choose(options, reason, clause, asks=True)


def _named(name: str, topography: Topography, terms: Terms) -> FeaturePick:
    known: dict[str, tuple[Terrain, str]] = {plain(each): (each, "") for each in terms.sorts}
    known |= {each.value.replace("_", " "): (each, "") for each in terms.sorts}
    known |= {town: (Terrain.BUA, town) for town in terms.town_names}
    del known[Terrain.BUA.value]
    wanted = " ".join(name.lower().replace("_", " ").replace("-", " ").split())
    if wanted not in known:
        raise ScenarioError(
            "features has {name!r}, which is not a terrain type; use one of {known}",
            name=name,
            known=", ".join(known),
            clause=topography.clause,
        )
    terrain, town = known[wanted]
    return FeaturePick(terrain=terrain, town=town)
