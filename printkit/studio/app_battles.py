"""The pages of a battle against a general without a player."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from printkit.core.errors import PrintkitError
from printkit.studio.app_answers import answer, complaint, desk_of, go_to, refused, sent, thought, words_of
from printkit.studio.battles import STAGES, Battles, army_control, field_control


def battles_of(request: Request) -> Battles:
    """Return the battles of the studio that a request came to."""
    return Battles(desk_of(request))


async def battles(request: Request) -> Response:
    """Show the battles, and let one be begun."""
    return await _battles_page(request)


async def _battles_page(request: Request, *, error: str = "", status: int = 200) -> Response:
    words = words_of(request)
    names = await thought(request, battles_of(request).names)
    controls = [army_control("npg", "marian-roman", words), army_control("you", "gallic", words)]
    where = await thought(request, field_control, desk_of(request), words)
    return answer(
        request, "battles", here="battle", error=error, status=status, names=names, controls=controls, where=where
    )


async def new(request: Request) -> Response:
    """Begin a battle."""
    asked, words = await sent(request), words_of(request)
    chosen = (asked.get("npg", ""), asked.get("you", ""), asked.get("field", ""))
    try:
        name = await thought(request, battles_of(request).new, *chosen, words)
    except PrintkitError as error:
        return await _battles_page(request, error=complaint(error, words), status=422)
    return go_to(f"/battle/{name}")


async def battle(request: Request) -> Response:
    """Show a battle."""
    return await _battle_page(request)


async def _battle_page(request: Request, *, error: str = "", status: int = 200) -> Response:
    try:
        view = await thought(request, battles_of(request).view, request.path_params["battle"], words_of(request))
    except PrintkitError as wrong:
        return refused(request, wrong, 404)
    return answer(request, "battle", error=error, status=status, view=view, stages=STAGES[:-1])


async def play(request: Request) -> Response:
    """Play a stage, throw a bound, try an override, or take the last step back."""
    asked, words, name = await sent(request), words_of(request), request.path_params["battle"]
    stage = request.path_params["stage"]
    played = battles_of(request)
    try:
        if stage == "back":
            await thought(request, played.back, name, words)
        else:
            await thought(request, played.play, name, stage, asked, words)
    except PrintkitError as error:
        return await _battle_page(request, error=complaint(error, words), status=422)
    return go_to(f"/battle/{name}")


ROUTES = [
    Route("/battle", battles, methods=["GET"]),
    Route("/battle", new, methods=["POST"]),
    Route("/battle/{battle}", battle),
    Route("/battle/{battle}/{stage}", play, methods=["POST"]),
]
