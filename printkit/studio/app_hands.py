"""The pages of a sealed game: the host page without cards, and a page for each player with their cards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from printkit.core.errors import PrintkitError, UsageError
from printkit.studio.app_answers import (
    answer,
    complaint,
    desk_of,
    form_data,
    look_of,
    redirect,
    refused,
    run_in_worker,
    streams_of,
    style_of,
    words_of,
)
from printkit.studio.codes import qr_code
from printkit.studio.evenings import PLAYERS, SealedGames
from printkit.studio.forms import asked_of, game_form
from printkit.studio.pages.render import page

# Seconds between two checks of a game.
_BEAT: Final = 0.4

# Seconds until a stream ends and the browser reconnects.
_LONGEST: Final = 3600.0


def games_of(request: Request) -> SealedGames:
    """Return the sealed games of the studio."""
    found: SealedGames = request.app.state.games
    return found


async def hands(request: Request) -> Response:
    """Show the list of sealed games and the form that deals one."""
    words = words_of(request)
    names = await run_in_worker(request, lambda: list(games_of(request).names()))
    form = await run_in_worker(request, game_form, "brantley", {}, words)
    return answer(request, "hands", names=names, form=form, lan=desk_of(request).settings.lan)


async def deal(request: Request) -> Response:
    """Deal a game."""
    asked, words = await form_data(request), words_of(request)
    try:
        settings = {
            key: value
            for key, value in asked_of({**asked, "rules": "brantley"}).items()
            if key not in ("rules", "seed", "names", "title", "board")
        }
        name = await run_in_worker(request, games_of(request).deal, settings, words)
    except PrintkitError as error:
        return refused(request, error)
    return redirect(f"/hands/{name}")


async def host(request: Request) -> Response:
    """Show the host page: card backs, whose turn it is, and the QR codes of both players."""
    return await _host_page(request)


async def _host_page(request: Request, *, error: str = "", status: int = 200) -> Response:
    desk, games, name = desk_of(request), games_of(request), request.path_params["game"]
    try:
        facts = await run_in_worker(request, games.facts, name)
    except PrintkitError as wrong:
        return refused(request, wrong, 404)
    base = desk.settings.lan or f"http://{request.headers['host']}"
    links, seen = games.links(name), await run_in_worker(request, lambda: _digest(_host_state(games, name)))
    seats = [
        {
            "player": player,
            "address": f"{base}/p/{links[player]}",
            "code": qr_code(f"{base}/p/{links[player]}"),
            "came": (name, player) in games.came,
        }
        for player in PLAYERS
    ]
    return answer(
        request,
        "host",
        here="hands",
        error=error,
        status=status,
        called=name,
        facts=facts,
        seats=seats,
        lan=desk.settings.lan,
        folder=desk.settings.out / name,
        shown=games.revealed(name),
        seen=seen,
    )


async def link_anew(request: Request) -> Response:
    """Replace the link of a player; the old one stops working."""
    asked, name = await form_data(request), request.path_params["game"]
    games = games_of(request)
    try:
        await run_in_worker(request, games.folder, name)
        games.links(name, anew=asked.get("player", ""))
    except PrintkitError as error:
        return refused(request, error, 404)
    return redirect(f"/hands/{name}")


async def reveal(request: Request) -> Response:
    """Turn over all cards and show the battlefield."""
    try:
        name = request.path_params["game"]
        kept = await run_in_worker(request, games_of(request).reveal, name, style_of(request), words_of(request))
    except PrintkitError as error:
        return await _host_page(request, error=complaint(error, words_of(request)), status=422)
    return redirect(f"/field/{kept.id}")


# --- A player's page --------------------------------------------------------------------------------------------------


async def seat(request: Request) -> Response:
    """Show a player their hand."""
    return await _seat_page(request)


async def _seat_page(request: Request, *, error: str = "", status: int = 200) -> Response:
    games, words = games_of(request), words_of(request)
    try:
        link = await run_in_worker(request, games.link, request.path_params["token"])
        seen = await run_in_worker(request, lambda: _digest(_state(games, link.game)))
        view = await run_in_worker(request, games.seat, link, words)
    except PrintkitError as wrong:
        return Response(words.translate(wrong.sentence), 404, media_type="text/plain; charset=utf-8")
    revealed = games.revealed(link.game)
    look = look_of(request, revealed) if revealed else None
    text = page(
        "player",
        words,
        view=view,
        error=error,
        token=request.path_params["token"],
        shown=f"/p/{request.path_params['token']}/map.svg" if look else "",
        seen=seen,
    )
    return Response(text, status, media_type="text/html")


async def lay(request: Request) -> Response:
    """Place a card of the player."""
    asked, games, given = await form_data(request), games_of(request), request.path_params["token"]
    try:
        link = await run_in_worker(request, games.link, given)
        await run_in_worker(request, games.lay, link, asked.get("card", ""), asked.get("zone", ""))
    except PrintkitError as error:
        return await _seat_page(request, error=complaint(error, words_of(request)), status=422)
    return redirect(f"/p/{given}")


async def seat_map(request: Request) -> Response:
    """Return the battlefield of a revealed game as SVG."""
    games, desk = games_of(request), desk_of(request)
    try:
        link = await run_in_worker(request, games.link, request.path_params["token"])
        field = games.revealed(link.game)
        if not field:
            raise UsageError("this game is not revealed yet")
        found = await asyncio.wrap_future(desk.pictures.wanted(look_of(request, field)))
    except PrintkitError as error:
        return refused(request, error, 404)
    return Response(found.text, media_type="image/svg+xml")


async def host_events(request: Request) -> Response:
    """Stream one event to the host page when the game has changed."""
    games, name = games_of(request), request.path_params["game"]
    return _stream(request, lambda: _host_state(games, name))


async def seat_events(request: Request) -> Response:
    """Stream one event to a player page when the game has changed."""
    games = games_of(request)
    try:
        link = await run_in_worker(request, games.link, request.path_params["token"])
    except PrintkitError as error:
        return refused(request, error, 404)
    return _stream(request, lambda: _state(games, link.game))


def _host_state(games: SealedGames, name: str) -> tuple[object, ...]:
    return *_state(games, name), len(games.came)


def _state(games: SealedGames, name: str) -> tuple[object, ...]:
    facts = games.facts(name)
    # The battlefield is saved a moment after the game is revealed. A page loaded in between reloads once more.
    return facts.laid, facts.revealed, games.revealed(name)


def _digest(state: tuple[object, ...]) -> str:
    """Return a checksum of the state of a game; it does not reveal the state to the page."""
    return f"{crc32(repr(state).encode()):08x}"


def _stream(request: Request, state: Callable[[], tuple[object, ...]]) -> Response:
    """Stream one event when the game differs from the state that the page shows."""
    seen = request.query_params.get("seen")

    async def events() -> AsyncIterator[str]:
        before, waited = seen or _digest(await asyncio.to_thread(state)), 0.0
        with streams_of(request).open(request.url.path) as stream:
            yield ": here\n\n"
            while waited < _LONGEST and not stream.is_ended and not await request.is_disconnected():
                await asyncio.sleep(_BEAT)
                waited += _BEAT
                if _digest(await asyncio.to_thread(state)) != before:
                    yield "data: changed\n\n"
                    return

    return StreamingResponse(events(), media_type="text/event-stream")


ROUTES = [
    Route("/hands", hands, methods=["GET"]),
    Route("/hands", deal, methods=["POST"]),
    Route("/hands/{game}", host),
    Route("/hands/{game}/link", link_anew, methods=["POST"]),
    Route("/hands/{game}/reveal", reveal, methods=["POST"]),
    Route("/hands/{game}/events", host_events),
    Route("/p/{token}", seat),
    Route("/p/{token}/lay", lay, methods=["POST"]),
    Route("/p/{token}/map.svg", seat_map),
    Route("/p/{token}/events", seat_events),
]
