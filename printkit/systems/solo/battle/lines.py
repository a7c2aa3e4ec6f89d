"""What a person reads at the table: each step with its dice, what was added and why, and what is still open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from printkit.core.errors import quote_path
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.steps import ModifierState
from printkit.systems.solo.battle.battles import BattleCase
from printkit.systems.solo.battle.facts import question_of
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.bounds import Bound
from printkit.systems.solo.tactics.situation import facing
from printkit.systems.solo.tactics.tactics_tables import Stance
from printkit.terrain.field.battlefield import Edge

INDENT: Final = "    "
_EDGE_TITLE: Final = "npg.battle.step.edge"


def head_lines(case: BattleCase) -> Iterator[str]:
    """Yield who fights whom, who attacks, and from where."""
    words = case.order.words
    yield words("npg.battle.head", npg=named(case.npg.name, words), you=named(case.you.name, words))
    role = "attacks" if case.npg_attacks else "defends"
    yield INDENT + words(f"npg.battle.{role}")
    if case.edge is not None:
        yield INDENT + words(
            "npg.battle.edges",
            npg=words(f"npg.battle.place.{case.edge}"),
            you=words(f"npg.battle.place.{facing(case.edge)}"),
        )


def sealed_line(case: BattleCase) -> str:
    """Return that the NPG's army is hidden, and the command that shows it."""
    return case.order.words("npg.battle.sealed", path=quote_path(case.order.path))


def step_lines(steps: Sequence[Mapping[str, Any]], text: CardText, *, every: bool = False) -> Iterator[str]:
    """Yield steps as ``Step.as_data`` gives them, with what counts and what is open; ``every`` shows the rest too."""
    for step in steps:
        yield _title(step, text)
        if step["title"] == _EDGE_TITLE:
            yield from _edge_lines(step, text, every=every)
        else:
            yield from _modifier_lines(step["modifiers"], text, every=every)
        if step["clause"] == "SD-4.5-a" and step["inputs"].get("against_the_rules"):
            groups = " ".join(f"{{{group}}}" for group in step["inputs"]["against_the_rules"])
            yield INDENT + text.words("npg.battle.against", groups=groups)
        if step["title"] == "npg.battle.step.swap":
            yield from _swap_lines(step, text)
        if step["needs_person"]:
            yield f"{INDENT}! {text.words(str(step['needs_person']))}"


def open_lines(steps: Sequence[Mapping[str, Any]], text: CardText) -> Iterator[str]:
    """Yield the questions that would settle the open modifiers, each with the name that it has in the battle file."""
    names: dict[str, None] = {}
    for step in steps:
        for modifier in step["modifiers"]:
            if modifier["state"] == ModifierState.OPEN.value:
                names |= dict.fromkeys(text.rules.needed_facts(str(modifier["id"]), **_places(str(modifier["about"]))))
    if names:
        yield text.words("npg.battle.open_facts")
    for name in names:
        yield f"{INDENT}{name}: {question_of(name, text)}"


def bound_lines(made: Bound, number: int, text: CardText, *, overrides: int = 0, every: bool = False) -> Iterator[str]:
    """Yield PIPs, stance, and the moves that it permits, the most wanted first.

    Args:
        made: the bound.
        number: of the bound, from 1.
        text: the language, and the rules.
        overrides: tries that are spent.
        every: tell how the list is walked too, and that the bound may be overridden (SD-5.3-d).
    """
    stance = text.words(f"npg.battle.result.stance.{made.stance}")
    yield text.words("npg.battle.bound", number=number, count=made.pips, stance=stance)
    yield from move_lines(made.stance, text, every=every)
    if every and overrides < text.tactics.overrides:
        yield INDENT + text.translate("npg.battle.override.may", left=text.tactics.overrides - overrides)


def move_lines(stance: Stance, text: CardText, *, every: bool = True) -> Iterator[str]:
    """Yield the moves of a stance with their places; ``every`` tells how the list is walked too."""
    for move in text.tactics.permitted[stance]:
        yield f"{INDENT}{move.place:>2} {text.words(f'npg.cards.action.{move.action}')} [{move.clause}]"
    if every:
        yield INDENT + text.words("npg.battle.walk")
        yield INDENT + text.words("npg.battle.rearrange")


def override_lines(result: str, used: int, text: CardText) -> Iterator[str]:
    """Yield what a try gave, and how many are left."""
    yield text.words(f"npg.battle.override.{result}")
    yield INDENT + text.words("npg.battle.override.left", count=text.tactics.overrides - used)


def deployment_lines(results: Mapping[str, Any], text: CardText) -> Iterator[str]:
    """Yield each place with the groups that stand there, from the log of a deployment."""
    groups, places = results.get("groups", []), results.get("places", [])
    yield text.words("npg.battle.deployment")
    for place in ("left", "centre", "right", "reserve", "landing"):
        there = [
            f"{number}: {' '.join(group)}"
            for number, (group, where) in enumerate(zip(groups, places, strict=True), 1)
            if where == place
        ]
        if there:
            yield f"{INDENT}{text.words(f'npg.battle.result.position.{place}')}: {'; '.join(there)}"
    for clause, group in results.get("notes", []):
        about = f" ({text.words('npg.battle.group', number=group)})" if group else ""
        yield f"{INDENT}! {note_text(clause, text)} [{clause}]{about}"
    if results.get("columns"):
        numbers = ", ".join(str(number) for number in results["columns"])
        yield INDENT + text.words("npg.battle.columns", groups=numbers)
    for rule in ("SD-4.7-d1", "SD-4.7-d3", "SD-4.7-d4", "SD-4.7-d5", "SD-4.7-d8", "SD-4.7-d9"):
        if "elements" not in results:
            yield f"{INDENT}- {text.words(f'npg.battle.rule.{rule}')} [{rule}]"


def note_text(clause: str, text: CardText) -> str:
    """Return what a note of a deployment says: how a group stands, or the rule that it does not keep."""
    stood = f"npg.battle.stood.{clause}"
    return text.translate(stood if text.words.has(stood) else f"npg.battle.rule.{clause}")


def modifier_line(modifier: Mapping[str, Any], text: CardText) -> str:
    """Return a modifier with its box: ticked, struck or empty."""
    box = {"on": "[x]", "off": "[-]", "open": "[ ]"}[str(modifier["state"])]
    return f"{box} {signed(int(modifier['value'])):>3} {title_of(str(modifier['id']), text)} [{modifier['id']}]"


def title_of(clause: str, text: CardText) -> str:
    """Return what a modifier says, by its clause."""
    return text.describe_modifier(clause, "npg.battle")


def signed(number: int) -> str:
    """Return a number with its sign, a minus as wide as the plus."""
    return f"{number:+d}".replace("-", "−")


def _plain(number: int) -> str:
    """Return a total, its minus as wide as that of the modifiers."""
    return str(number).replace("-", "−")


def result_text(step: Mapping[str, Any], text: CardText) -> str:
    """Return what a step came to, in words where there are any."""
    tail = str(step["title"]).rpartition(".")[2]
    key = f"npg.battle.result.{tail}.{step['result']}"
    return text.words(key) if text.words.has(key) else str(step["result"])


def _title(step: Mapping[str, Any], text: CardText) -> str:
    said = text.words(str(step["title"]))
    if group := step["inputs"].get("group"):
        said += f" {{{group}}}"
    said += f" [{step['clause']}]: "
    dice = " ".join(str(die) for die in step["dice"])
    if dice:
        said += text.words("npg.battle.dice", dice=dice)
        counted = [modifier for modifier in step["modifiers"] if modifier["state"] == ModifierState.ON.value]
        if counted and step["title"] != _EDGE_TITLE:
            said += f", {signed(sum(int(modifier['value']) for modifier in counted))}"
        if step["total"] is not None and step["modifiers"]:
            said += f" = {_plain(step['total'])}{_range(step)}"
        said += " -> "
    return said + (result_text(step, text) or "-")


def _range(step: Mapping[str, Any]) -> str:
    """Return between which totals the throw would lie, whatever the open modifiers turn out to be."""
    unsure = [int(each["value"]) for each in step["modifiers"] if each["state"] == ModifierState.OPEN.value]
    if not unsure or step["title"] == _EDGE_TITLE:
        return ""
    low = int(step["total"]) + sum(min(0, value) for value in unsure)
    high = int(step["total"]) + sum(max(0, value) for value in unsure)
    return f" ({_plain(low)}..{_plain(high)})"


def _modifier_lines(modifiers: Sequence[Mapping[str, Any]], text: CardText, *, every: bool) -> Iterator[str]:
    for modifier in modifiers:
        if every or modifier["state"] != ModifierState.OFF.value:
            yield INDENT + modifier_line(modifier, text)


def _edge_lines(step: Mapping[str, Any], text: CardText, *, every: bool) -> Iterator[str]:
    """Yield for each candidate its totals, the last of them after ties, and its modifiers."""
    for edge, totals in step["inputs"]["totals"].items():
        said = " | ".join(_plain(total) for total in totals)
        yield f"{INDENT}{text.words(f'npg.battle.place.{edge}')}: {said}"
        about = [modifier for modifier in step["modifiers"] if modifier["about"] == edge]
        for line in _modifier_lines(about, text, every=every):
            yield INDENT + line


def _swap_lines(step: Mapping[str, Any], text: CardText) -> Iterator[str]:
    inputs = step["inputs"]
    yield INDENT + text.words(
        "npg.battle.swap.before", line=" ".join(inputs["line"]), score=signed(inputs["score_before"])
    )
    yield INDENT + text.words(
        "npg.battle.swap.after", line=" ".join(inputs["after"]), score=signed(inputs["score_after"])
    )


def _places(about: str) -> Mapping[str, str]:
    """Return the parts of the names of facts that hang on the edge that a modifier is about."""
    if about in tuple(Edge):
        return {"edge": about, "opposite": facing(Edge(about)).value}
    return {}
