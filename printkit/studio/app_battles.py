"""The pages for battles against the non-player general (NPG)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from printkit.core.errors import PrintkitError
from printkit.core.numbers import parse_int
from printkit.studio.app_guards import policy_of
from printkit.studio.app_helpers import (
    app_of,
    form_data,
    phones_of,
    redirect,
    render_response,
    run,
    run_in_worker,
    style_of,
    words_of,
)
from printkit.studio.battles import Battles, NewBattle, army_control, battle_rules, field_control, scale_control
from printkit.studio.forms import command_line
from printkit.studio.phones import phone_code

# Characters of a pair of chances, for example "1/6,1/12".
_LONGEST_CHANCES: Final = 60


def battles_of(request: Request) -> Battles:
    """Return the battles of the output folder."""
    return Battles(app_of(request))


async def show_battles(
    request: Request,
    form: Mapping[str, str] = MappingProxyType({}),
    lists: Mapping[str, Any] = MappingProxyType({}),
    error: PrintkitError | None = None,
) -> Response:
    """Show the list of battles and the form for a new one.

    ``form`` has the values to show in the form, and ``lists`` the own armies that were read, by side.
    """
    words = words_of(request)
    names = await run_in_worker(request, battles_of(request).names)
    armies = [
        {
            "control": army_control(side, form.get(side) or usual, words),
            "name": form.get(f"name-{side}", ""),
            "own": form.get(f"own-{side}", ""),
            "list": lists.get(side),
            "problem": words.translate(lists[side].problem.sentence) if side in lists and lists[side].problem else "",
        }
        for side, usual in (("npg", "marian-roman"), ("you", "gallic"))
    ]
    field_choice = await run_in_worker(request, field_control, app_of(request), words)
    values: dict[str, Any] = {
        "names": names,
        "armies": armies,
        "where": field_choice,
        "scale": scale_control(form.get("scale", ""), words),
    }
    status = 422 if error or any(army["problem"] for army in armies) else 200
    return render_response(request, "battles", here="battle", error=error, status=status, **values)


async def create_battle(request: Request) -> Response:
    """Create a battle from a form, and redirect to its page.

    Show the form again if the user checks an own army or answers a question, or if an army cannot be read.
    """
    form, words = await form_data(request, "own-npg", "own-you"), words_of(request)
    answered_sides = [side for side in ("npg", "you") if f"answer-{side}" in form]
    form |= {f"own-{side}": form[f"answer-{side}"] for side in answered_sides}
    lists = {
        side: await run_in_worker(
            request,
            battle_rules().read_list,
            form[f"own-{side}"].strip(),
            form.get(f"name-{side}", "").strip() or words(f"studio.battle.{side}"),
            words,
        )
        for side in ("npg", "you")
        if form.get(f"own-{side}", "").strip()
    }
    if answered_sides or "check" in form or any(army.problem for army in lists.values()):
        return await show_battles(request, form, lists)
    npg, you = (lists[side].army if side in lists else form.get(side, "") for side in ("npg", "you"))
    new_battle = NewBattle(npg=npg, you=you, field=form.get("field", ""), scale=form.get("scale") or "15mm")
    try:
        name = await run(request, battles_of(request).new, new_battle, words)
    except PrintkitError as error:
        return await show_battles(request, form, lists, error)
    return redirect(f"/battle/{name}")


async def battle(request: Request, error: PrintkitError | None = None) -> Response:
    """Show the page of a battle, with the odds that the query requests."""
    battles, words, name = battles_of(request), words_of(request), request.path_params["battle"]
    troop_types = (request.query_params.get("attacker", ""), request.query_params.get("defender", ""))
    chances = request.query_params.get("chances", "").strip()[:_LONGEST_CHANCES]
    odds, own_odds = None, ""
    view = await run_in_worker(request, battles.view, name, words)
    if all(troop_types):
        odds = await run_in_worker(request, battle_rules().odds, *troop_types, words)
    if chances:
        try:
            own_odds = await run_in_worker(request, battle_rules().own_odds, chances, words)
        except PrintkitError as wrong:
            error = wrong
    link = f"/aid/{battles.link(name)}"
    return render_response(
        request,
        "battle",
        error=error,
        view=view,
        at=view.at,
        command=command_line(["printkit", "npg", view.at.next_stage, str(battles.path(name))]),
        types=battle_rules().types(),
        asked=troop_types,
        odds=odds,
        chances=chances,
        own_odds=own_odds,
        aid=link,
        code=phone_code(phones_of(request), link),
    )


async def play_step(request: Request) -> Response:
    """Play a stage or bound, try an override, record a fact, import a table-aid log, or undo steps."""
    words, name, stage = words_of(request), request.path_params["battle"], request.path_params["stage"]
    form = await form_data(request, *(["log"] if stage == "from-aid" else []))
    all_battles = battles_of(request)
    try:
        if stage == "link":
            all_battles.link(name, is_renewed=True)
        elif stage == "back":
            last_bound = form.get("to", "")
            await run(request, all_battles.back, name, words, parse_int(last_bound))
        elif stage == "field":
            saved_field = await run_in_worker(request, all_battles.field, name, style_of(request), words)
            return redirect(f"/field/{saved_field.id}")
        elif stage == "from-aid":
            await run(request, all_battles.from_aid, name, form.get("log", ""), words)
        elif stage == "fact":
            await run_in_worker(request, all_battles.record_fact, name, form.get("fact", ""), form.get("answer", ""))
        else:
            await run(request, all_battles.play, name, stage, form, words)
    except PrintkitError as error:
        return await battle(request, error)
    return redirect(f"/battle/{name}")


async def show_aid(request: Request) -> Response:
    """Return the table aid of a battle to a phone with its link."""
    battles, words = battles_of(request), words_of(request)
    # In its own thread, so a phone does not wait for other commands.
    text = await asyncio.to_thread(battles.aid, request.path_params["token"], words)
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": policy_of(text)})
