"""Types of what the log of a battle keeps: its steps by their titles, the results of its stages, and its bounds.

They name what is read of a log; all else in it is for people, and may be anything.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from printkit.core.errors import Sentence
from printkit.core.typed import MemberError, right
from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.steps import ModifierState
from printkit.systems.solo.tactics.situation import Place
from printkit.systems.solo.tactics.tactics_tables import Level, Stance
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.record import FIRST_SHAPES

SCHEMA: Final = "dba-battle-log/1"

Clause: TypeAlias = Annotated[
    str,
    Meta(pattern=r"^(SD|AMB)-[0-9a-zA-Z.-]{1,20}$"),
    right(Sentence("the ID of a clause, for example SD-4.7-e")),
]
Score: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Sum: TypeAlias = Annotated[int, Meta(ge=-1000, le=1000)]
Length: TypeAlias = Annotated[float, Meta(ge=-100_000, le=100_000)]
PersonQuestion: TypeAlias = Literal[
    "npg.battle.person.bua",
    "npg.battle.person.camp_place",
    "npg.battle.person.groups",
    "npg.battle.person.no_place",
    "npg.battle.person.swap",
    "npg.battle.person.waterway",
]


class LoggedModifier(Struct):
    """A modifier of a step."""

    id: Clause
    value: Sum
    state: ModifierState
    about: str


class _Inputs(Struct):
    group: str | Count = ""


class _Step(Struct, tag_field="title", kw_only=True):
    """The members of every step."""

    dice: list[Score]
    modifiers: list[LoggedModifier]
    total: Sum | None
    needs_person: PersonQuestion | None
    inputs: _Inputs


# --- The army and the attacker ----------------------------------------------------------------------------------------


class _SlotInputs(_Inputs, kw_only=True):
    slot: str | int


class _Slot(_Step, tag="npg.army.step.slot", kw_only=True):
    clause: Clause
    result: str
    inputs: _SlotInputs


class _Mended(_Step, tag="npg.army.step.mended", kw_only=True):
    """A slot diced again, as version 0.2 could."""

    clause: Clause
    result: str
    inputs: _SlotInputs


class _General(_Step, tag="npg.army.step.general", kw_only=True):
    clause: Literal["SD-2.2.1-a"]
    result: str


class _Attacker(_Step, tag="npg.army.step.attacker", kw_only=True):
    clause: Literal["SD-2.3-a"]
    result: Side


# --- The edge ---------------------------------------------------------------------------------------------------------


class _EdgeInputs(_Inputs, kw_only=True):
    totals: dict[Edge, list[Sum]]


class _Edge(_Step, tag="npg.battle.step.edge", kw_only=True):
    clause: Literal["SD-4.1-b"]
    result: Edge
    inputs: _EdgeInputs


class _EdgeDie(_Step, tag="npg.battle.step.edge_die", kw_only=True):
    clause: Literal["SD-4.1-c"]
    result: Edge


# --- The deployment ---------------------------------------------------------------------------------------------------


class _Camp(_Step, tag="npg.battle.step.camp", kw_only=True):
    clause: Literal["SD-4.2-a", "SD-4.2-b"]
    result: Literal["spear", "followers", "no_camp"]


class _CampPlace(_Step, tag="npg.battle.step.camp_place", kw_only=True):
    clause: Literal["SD-4.2-a", "SD-4.3-p1"]
    result: str


class _Garrison(_Step, tag="npg.battle.step.garrison", kw_only=True):
    clause: Literal["SD-4.4-a"]
    result: str


class _Landing(_Step, tag="npg.battle.step.landing", kw_only=True):
    clause: Literal["SD-4.6-a"]
    result: Literal["allowed", "none"]


class _GroupsInputs(_Inputs, kw_only=True):
    against_the_rules: list[str] = []


class _Groups(_Step, tag="npg.battle.step.groups", kw_only=True):
    clause: Literal["SD-4.5-a"]
    result: str
    inputs: _GroupsInputs


class _PositionInputs(_Inputs, kw_only=True):
    group: str
    lead: str


class _Position(_Step, tag="npg.battle.step.position", kw_only=True):
    clause: Literal["SD-4.7-e"]
    result: Place
    inputs: _PositionInputs


class _LandingGroups(_Step, tag="npg.battle.step.landing_groups", kw_only=True):
    clause: Clause
    result: str


class _Ranks(_Step, tag="npg.battle.step.ranks", kw_only=True):
    clause: Clause
    result: str


# --- The swap, and the level ------------------------------------------------------------------------------------------


class _SwapInputs(_Inputs, kw_only=True):
    line: list[str]
    after: list[str]
    score_before: Sum
    score_after: Sum


class _Swap(_Step, tag="npg.battle.step.swap", kw_only=True):
    clause: Literal["SD-4.8-a"]
    result: str
    inputs: _SwapInputs


class _Level(_Step, tag="npg.battle.step.level", kw_only=True):
    clause: Literal["SD-5.2-a"]
    result: Level


LoggedStep: TypeAlias = (
    _Slot
    | _Mended
    | _General
    | _Attacker
    | _Edge
    | _EdgeDie
    | _Camp
    | _CampPlace
    | _Garrison
    | _Landing
    | _Groups
    | _Position
    | _LandingGroups
    | _Ranks
    | _Swap
    | _Level
)


# --- The results of stages --------------------------------------------------------------------------------------------


class LoggedElement(Struct):
    """An element as a deployment places it, in mm and degrees."""

    code: str
    x: Length
    y: Length
    facing: Length
    width: Annotated[float, Meta(gt=0, le=1000)]
    depth: Annotated[float, Meta(gt=0, le=1000)]
    group: Count
    place: str


class LoggedResults(Struct, kw_only=True):
    """The results of a stage; all are here that are read of any stage."""

    npg: str | None = None
    you: str | None = None
    map: str | None = None
    camp: str | None = None
    garrison: str | None = None
    npg_army: list[str] | None = None
    held_back: list[str] | None = None
    attacker: Side | None = None
    places: list[Place] | None = None
    throws: list[tuple[str, str, str, str, str]] | None = None
    npg_edge: Edge | None = None
    elements: list[LoggedElement] | None = None
    groups: list[list[str]] | None = None
    columns: list[Count] | None = None
    notes: list[tuple[Clause, Count]] | None = None
    camp_at_mm: Length | str | None = None
    level: Level | None = None

    def __post_init__(self) -> None:
        groups, places = self.groups or (), self.places or ()
        if len(groups) != len(places):
            raise MemberError(
                "{count} groups and {places} places do not match",
                "places",
                count=len(groups),
                places=len(places),
            )


class ComposeResults(LoggedResults, kw_only=True):
    """The results without which no army was composed."""

    npg_army: list[str]
    attacker: Side


class DeployResults(LoggedResults, kw_only=True):
    """The results without which no army was deployed."""

    places: list[Place]
    groups: list[list[str]]


class LevelResults(LoggedResults, kw_only=True):
    """The result without which no level was rolled."""

    level: Level


R = TypeVar("R")


class LoggedStage(Struct, Generic[R], kw_only=True):
    """A stage that was played."""

    results: R
    steps: list[LoggedStep] = []


class LoggedStages(Struct, frozen=True, forbid_unknown_fields=True):
    """The stages that were played."""

    compose: LoggedStage[ComposeResults] | None = None
    terrain: LoggedStage[LoggedResults] | None = None
    edge: LoggedStage[LoggedResults] | None = None
    deploy: LoggedStage[DeployResults] | None = None
    swap: LoggedStage[LoggedResults] | None = None
    level: LoggedStage[LevelResults] | None = None


class LoggedBound(Struct):
    """A bound; ``camps`` and ``generals`` are the sides that lost these."""

    number: Annotated[int, Meta(ge=1, le=10_000)]
    pips: Score
    die: Score
    net: Sum
    npg_lost: Count
    you_lost: Count
    stance: Stance
    override: Literal["", "free", "obey"] = ""
    camps: list[Side] = []
    generals: list[Side] = []


class LogOrigin(Struct, frozen=True):
    """The version of the outlines of the rules when the battle began."""

    shapes: Annotated[int, Meta(ge=FIRST_SHAPES)] = FIRST_SHAPES


class LoggedBattle(Struct, kw_only=True):
    """What is read of the log of a battle."""

    schema: Literal["dba-battle-log/1"]
    printkit: LogOrigin = LogOrigin()
    seed: int | None = None
    answers: dict[str, Any] = {}
    stages: LoggedStages = LoggedStages()
    bounds: list[LoggedBound] = []
