"""The pages for battles against the non-player general (NPG)."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from printkit.core.errors import PrintkitError
from printkit.core.numbers import parse_int
from printkit.studio.app_answers import (
    answer,
    complaint,
    desk_of,
    form_data,
    redirect,
    refused,
    run,
    run_in_worker,
    style_of,
    words_of,
)
from printkit.studio.app_guards import own_policy
from printkit.studio.battles import Battles, Begun, army_control, field_control, rules_added, scale_control
from printkit.studio.codes import qr_code

# Characters of a pair of chances, for example "1/6,1/12".
_LONGEST_CHANCES: Final = 60


def battles_of(request: Request) -> Battles:
    """Return the battles of the output folder."""
    return Battles(desk_of(request))


async def battles(request: Request) -> Response:
    """Show the list of battles and the form for a new one."""
    return await _battles_page(request)


async def _battles_page(
    request: Request, *, asked: dict[str, str] | None = None, error: str = "", status: int = 200
) -> Response:
    words, given = words_of(request), asked or {}
    names = await run_in_worker(request, battles_of(request).names)
    armies = [
        {"control": army_control(side, given.get(side) or usual, words), "own": given.get(f"own-{side}", "")}
        for side, usual in (("npg", "marian-roman"), ("you", "gallic"))
    ]
    where = await run_in_worker(request, field_control, desk_of(request), words)
    values: dict[str, Any] = {
        "names": names,
        "armies": armies,
        "where": where,
        "scale": scale_control(given.get("scale", ""), words),
    }
    return answer(request, "battles", here="battle", error=error, status=status, **values)


async def new(request: Request) -> Response:
    """Create a battle."""
    asked, words = await form_data(request, "own-npg", "own-you"), words_of(request)
    npg, you = (asked.get(f"own-{side}", "").strip() or asked.get(side, "") for side in ("npg", "you"))
    begun = Begun(npg=npg, you=you, field=asked.get("field", ""), scale=asked.get("scale") or "15mm")
    try:
        name = await run(request, battles_of(request).new, begun, words)
    except PrintkitError as error:
        return await _battles_page(request, asked=asked, error=complaint(error, words), status=422)
    return redirect(f"/battle/{name}")


async def battle(request: Request) -> Response:
    """Show a battle."""
    return await _battle_page(request)


async def _battle_page(request: Request, *, error: str = "", status: int = 200) -> Response:
    battles, words, name = battles_of(request), words_of(request), request.path_params["battle"]
    asked = (request.query_params.get("attacker", ""), request.query_params.get("defender", ""))
    chances = request.query_params.get("chances", "").strip()[:_LONGEST_CHANCES]
    odds, own_odds = None, ""
    try:
        view = await run_in_worker(request, battles.view, name, words)
        if all(asked):
            odds = await run_in_worker(request, rules_added().odds, *asked, words)
    except PrintkitError as wrong:
        return refused(request, wrong, 404)
    if chances:
        try:
            own_odds = await run_in_worker(request, rules_added().own_odds, chances, words)
        except PrintkitError as wrong:
            error, status = complaint(wrong, words), 422
    desk = desk_of(request)
    address = f"{desk.settings.lan or str(request.base_url).rstrip('/')}/aid/{battles.link(name)}"
    return answer(
        request,
        "battle",
        error=error,
        status=status,
        view=view,
        at=view.at,
        types=rules_added().types(),
        asked=asked,
        odds=odds,
        chances=chances,
        own_odds=own_odds,
        aid=address,
        code=qr_code(address) if desk.settings.lan else None,
    )


async def play(request: Request) -> Response:
    """Play a stage or bound, try an override, record a fact, import a table-aid log, or undo steps."""
    words, name, stage = words_of(request), request.path_params["battle"], request.path_params["stage"]
    asked = await form_data(request, *(["log"] if stage == "from-aid" else []))
    played = battles_of(request)
    try:
        if stage == "back":
            to = asked.get("to", "")
            await run(request, played.back, name, words, parse_int(to))
        elif stage == "field":
            kept = await run_in_worker(request, played.field, name, style_of(request), words)
            return redirect(f"/field/{kept.id}")
        elif stage == "from-aid":
            await run(request, played.from_aid, name, asked.get("log", ""), words)
        elif stage == "fact":
            await run_in_worker(request, played.tell, name, asked.get("fact", ""), asked.get("answer", ""))
        else:
            await run(request, played.play, name, stage, asked, words)
    except PrintkitError as error:
        return await _battle_page(request, error=complaint(error, words), status=422)
    return redirect(f"/battle/{name}")


async def aid(request: Request) -> Response:
    """Return the table aid of a battle to a phone with its link."""
    battles, words = battles_of(request), words_of(request)
    try:
        # In its own thread, so a phone does not wait for other commands.
        text = await asyncio.to_thread(battles.aid, request.path_params["token"], words)
    except PrintkitError as error:
        return Response(complaint(error, words), 404, media_type="text/plain; charset=utf-8")
    return Response(text, media_type="text/html", headers={"Content-Security-Policy": own_policy(text)})


ROUTES = [
    Route("/battle", battles, methods=["GET"]),
    Route("/battle", new, methods=["POST"]),
    Route("/battle/{battle}", battle),
    Route("/battle/{battle}/{stage}", play, methods=["POST"]),
    Route("/aid/{token}", aid),
]
