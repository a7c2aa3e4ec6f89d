"""The pages of a sealed game: the host page without cards, and a page for each player with their cards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final
from zlib import crc32

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from printkit.core.errors import MissingError, PrintkitError, Sentence
from printkit.core.words import Words
from printkit.studio.app_helpers import (
    app_of,
    form_data,
    look_of,
    phones_of,
    redirect,
    render_phone,
    render_response,
    run_in_worker,
    streams_of,
    style_of,
    wait_for,
    words_of,
)
from printkit.studio.app_state import AppState
from printkit.studio.forms import game_form, parse_form
from printkit.studio.phones import PhoneListener, phone_code
from printkit.studio.sealed_games import PLAYERS, SealedGames
from printkit.studio.views import board_view, open_cards

# Seconds between two checks of a game.
_BEAT: Final = 0.4

# Seconds until a stream ends and the browser reconnects.
_LONGEST: Final = 3600.0


def games_of(request: Request) -> SealedGames:
    """Return the sealed games of the studio."""
    games: SealedGames = request.app.state.games
    return games


async def show_games(request: Request) -> Response:
    """Show the list of sealed games and the form that deals one."""
    words = words_of(request)
    names = await run_in_worker(request, lambda: list(games_of(request).names()))
    form = await run_in_worker(request, game_form, "brantley", {}, words)
    return render_response(request, "hands", names=names, form=form)


async def deal_game(request: Request) -> Response:
    """Deal a sealed game from a form, and redirect to its host page."""
    form, words = await form_data(request), words_of(request)
    settings = {
        key: value
        for key, value in parse_form({**form, "rules": "brantley"}).items()
        if key not in ("rules", "seed", "names", "title", "board")
    }
    name = await run_in_worker(request, games_of(request).deal, settings, words)
    return redirect(f"/hands/{name}")


async def show_host(request: Request, error: PrintkitError | None = None) -> Response:
    """Show the host page: card backs, whose turn it is, and the QR codes of both players."""
    games, name = games_of(request), request.path_params["game"]
    facts = await run_in_worker(request, games.facts, name)
    phones, links = phones_of(request), games.links(name)
    base = phones.state.address
    digest = await run_in_worker(request, lambda: _digest(_host_page_state(games, phones, name)))
    seats = [
        {
            "player": player,
            "address": base and f"{base}/p/{links[player]}",
            "code": phone_code(phones, f"/p/{links[player]}"),
            "came": (name, player) in games.came,
        }
        for player in PLAYERS
    ]
    return render_response(
        request,
        "host",
        here="hands",
        error=error,
        called=name,
        facts=facts,
        seats=seats,
        shown=games.revealed_field_id(name),
        seen=digest,
    )


async def replace_link(request: Request) -> Response:
    """Replace the link of a player; the old one stops working."""
    form, name = await form_data(request), request.path_params["game"]
    games = games_of(request)
    await run_in_worker(request, games.folder, name)
    games.renew_link(name, form.get("player", ""))
    return redirect(f"/hands/{name}")


async def send_sheets(request: Request) -> Response:
    """Return all sheets of a game as one PDF."""
    name = request.path_params["game"]
    pdf = await run_in_worker(request, games_of(request).print_sheets, name, words_of(request))
    return Response(pdf, media_type="application/pdf")


async def reveal_game(request: Request) -> Response:
    """Turn over all cards and show the battlefield."""
    try:
        name = request.path_params["game"]
        saved_field = await run_in_worker(request, games_of(request).reveal, name, style_of(request), words_of(request))
    except PrintkitError as error:
        return await show_host(request, error)
    return redirect(f"/field/{saved_field.id}")


# --- A player's page --------------------------------------------------------------------------------------------------


async def show_seat(request: Request, error: PrintkitError | None = None, proof: Sequence[Sentence] = ()) -> Response:
    """Show a player their hand; the token of the player is in the address. ``proof`` are the rows of a proof."""
    games, words = games_of(request), words_of(request)
    link = await run_in_worker(request, games.link, request.path_params["token"])
    digest = await run_in_worker(request, lambda: _digest(_game_state(games, link.game)))
    view = await run_in_worker(request, games.seat, link, words)
    field_id = games.revealed_field_id(link.game)
    look = look_of(request, field_id) if field_id else None
    return render_phone(
        request,
        "player",
        status=422 if error else 200,
        view=view,
        error=words.translate(error.sentence) if error else "",
        token=request.path_params["token"],
        proof=[words.translate(row) for row in proof],
        shown=f"/p/{request.path_params['token']}/map.svg" if look else "",
        **(
            await run_in_worker(request, _reveal_values, app_of(request), field_id, view.zones, words)
            if field_id
            else {}
        ),
        seen=digest,
    )


def _reveal_values(app: AppState, field_id: str, owners: tuple[str, ...], words: Words) -> dict[str, Any]:
    """Return the values of a player's page after the reveal: the open cards, the ninth in words, and the key."""
    field = app.sitting.field(field_id)
    cards, ninth = open_cards(field, owners, words)
    return {"cards": cards, "ninth": ninth, "board": board_view(field, words)}


async def place_card(request: Request) -> Response:
    """Place a card of the player, and redirect to their page."""
    form, games, token = await form_data(request), games_of(request), request.path_params["token"]
    try:
        link = await run_in_worker(request, games.link, token)
        await run_in_worker(request, games.place_card, link, form.get("card", ""), form.get("zone", ""))
    except PrintkitError as error:
        return await show_seat(request, error)
    return redirect(f"/p/{token}")


async def give_number(request: Request) -> Response:
    """Save the number of player B for the dice, and redirect to their page."""
    form, games, token = await form_data(request), games_of(request), request.path_params["token"]
    try:
        link = await run_in_worker(request, games.link, token)
        await run_in_worker(request, games.give_number, link, form.get("number", ""))
    except PrintkitError as error:
        return await show_seat(request, error)
    return redirect(f"/p/{token}")


async def show_proof(request: Request) -> Response:
    """Show a player the rows that prove their game, from the codes that their page kept."""
    form, games = await form_data(request), games_of(request)
    try:
        link = await run_in_worker(request, games.link, request.path_params["token"])
        typed_values = (form.get(name, "") for name in ("commitment", "code", "number"))
        rows = await run_in_worker(request, games.verify, link, *typed_values)
    except PrintkitError as error:
        return await show_seat(request, error)
    return await show_seat(request, proof=rows)


async def send_proof_page(request: Request) -> Response:
    """Return the page that proves a revealed game without printkit, to save it."""
    games = games_of(request)
    link = await run_in_worker(request, games.link, request.path_params["token"])
    page = await run_in_worker(request, games.proof_page, link, words_of(request))
    name = f'attachment; filename="{link.game}-proof.html"'
    return Response(page, media_type="text/html", headers={"Content-Disposition": name})


async def send_seat_map(request: Request) -> Response:
    """Return the battlefield of a revealed game as SVG."""
    games, app = games_of(request), app_of(request)
    link = await run_in_worker(request, games.link, request.path_params["token"])
    field = games.revealed_field_id(link.game)
    if not field:
        raise MissingError("this game is not revealed yet")
    board = await wait_for(app.pictures.wanted(look_of(request, field)))
    return Response(board.text, media_type="image/svg+xml")


async def host_events(request: Request) -> Response:
    """Stream one event to the host page when the game has changed."""
    games, phones, name = games_of(request), phones_of(request), request.path_params["game"]
    return _stream_change(request, lambda: _host_page_state(games, phones, name))


async def seat_events(request: Request) -> Response:
    """Stream one event to a player page when the game has changed."""
    games = games_of(request)
    link = await run_in_worker(request, games.link, request.path_params["token"])
    return _stream_change(request, lambda: _game_state(games, link.game))


def _host_page_state(games: SealedGames, phones: PhoneListener, name: str) -> tuple[object, ...]:
    """Return the state of a game on its host page, to notice changes."""
    return *_game_state(games, name), sorted(games.came), phones.state, phones.is_lonely


def _game_state(games: SealedGames, name: str) -> tuple[object, ...]:
    """Return the state of a game, to notice changes: lines, cards, whether revealed, and battlefield ID."""
    facts = games.facts(name)
    # The battlefield is saved a moment after the game is revealed. A page loaded in between reloads once more.
    return len(facts.codes), facts.placed_count, facts.is_revealed, games.revealed_field_id(name)


def _digest(state: tuple[object, ...]) -> str:
    """Return a checksum of the state of a game as eight hexadecimal digits.

    It does not reveal the state to the page.
    """
    return f"{crc32(repr(state).encode()):08x}"


def _stream_change(request: Request, state: Callable[[], tuple[object, ...]]) -> Response:
    """Stream one event when the game differs from the state that the page shows.

    ``state`` returns the current state. The page gives its own in the query. Without a change the stream ends after
    ``_LONGEST`` seconds.
    """
    digest = request.query_params.get("seen")

    async def events() -> AsyncIterator[str]:
        old_digest, elapsed_s = digest or _digest(await asyncio.to_thread(state)), 0.0
        with streams_of(request).open(request.url.path) as stream:
            yield ": here\n\n"
            while elapsed_s < _LONGEST and not stream.is_ended and not await request.is_disconnected():
                await asyncio.sleep(_BEAT)
                elapsed_s += _BEAT
                if _digest(await asyncio.to_thread(state)) != old_digest:
                    yield "data: changed\n\n"
                    return

    return StreamingResponse(events(), media_type="text/event-stream")
