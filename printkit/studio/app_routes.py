"""The addresses of the studio. A module with handlers is loaded when one of its addresses is first requested."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from printkit.kit.plugin import load

# Each address: its method, its path, and its handler as ``module:function``.
_ROWS: Final = (
    ("GET", "/", "app_start:show_start"),
    ("POST", "/begin", "app_start:begin"),
    ("POST", "/preferences", "app_start:save_preferences"),
    ("POST", "/stop", "app_start:stop"),
    ("GET", "/field", "app_fields:show_latest"),
    ("POST", "/field", "app_fields:create_field"),
    ("GET", "/field/{field}.svg", "app_fields:send_drawing"),
    ("GET", "/field/{field}.json", "app_fields:send_record"),
    ("GET", "/field/{field}.jpg", "app_fields:send_thumbnail"),
    ("GET", "/field/{field}", "app_fields:show_field"),
    ("POST", "/field/{field}/keep", "app_fields:name_field"),
    ("GET", "/field/{field}/throws", "app_fields:show_rolls"),
    ("POST", "/field/{field}/overwrite", "app_fields:overwrite_roll"),
    ("POST", "/field/{field}/again", "app_fields:reroll_stage"),
    ("POST", "/field/{field}/like", "app_fields:show_like"),
    ("GET", "/battle", "app_club:show_battles"),
    ("POST", "/battle", "app_club:create_battle"),
    ("GET", "/battle/{battle}", "app_club:battle"),
    ("POST", "/battle/{battle}/{stage}", "app_club:play_step"),
    ("GET", "/aid/{token}", "app_club:show_aid"),
    ("GET", "/field/{field}/hand", "app_fields:show_hand"),
    ("POST", "/field/{field}/gesture", "app_fields:edit_feature"),
    ("GET", "/club", "app_club:show_leagues"),
    ("POST", "/club", "app_club:create_league"),
    ("GET", "/club/{league}", "app_club:show_league"),
    ("GET", "/club/{league}/league.pdf", "app_club:send_poster"),
    ("POST", "/club/{league}/{step}", "app_club:play_round_step"),
    # The same path as that of a league, which comes first; this one is for phones.
    ("GET", "/club/{token}", "app_club:show_standings"),
    ("GET", "/check", "app_fields:show_check"),
    ("POST", "/check", "app_fields:check_upload"),
    ("GET", "/hands", "app_sealed:show_games"),
    ("POST", "/hands", "app_sealed:deal_game"),
    ("GET", "/hands/{game}", "app_sealed:show_host"),
    ("GET", "/hands/{game}/print/{file}", "app_sealed:send_sheets"),
    ("POST", "/hands/{game}/link", "app_sealed:replace_link"),
    ("POST", "/hands/{game}/reveal", "app_sealed:reveal_game"),
    ("GET", "/hands/{game}/events", "app_sealed:host_events"),
    ("POST", "/phones", "app_start:switch_phones"),
    ("GET", "/p/{token}", "app_sealed:show_seat"),
    ("POST", "/p/{token}/lay", "app_sealed:place_card"),
    ("POST", "/p/{token}/number", "app_sealed:give_number"),
    ("POST", "/p/{token}/proof", "app_sealed:show_proof"),
    ("GET", "/p/{token}/proof.html", "app_sealed:send_proof_page"),
    ("GET", "/p/{token}/map.svg", "app_sealed:send_seat_map"),
    ("GET", "/p/{token}/events", "app_sealed:seat_events"),
    ("GET", "/field/{field}/print", "app_printing:printing"),
    ("GET", "/field/{field}/evening", "app_printing:evening"),
    ("POST", "/field/{field}/job", "app_printing:start_job"),
    ("GET", "/job/{number:int}", "app_printing:show_job"),
    ("POST", "/job/{number:int}/stop", "app_printing:stop_job"),
    ("GET", "/job/{number:int}.zip", "app_printing:send_archive"),
    ("GET", "/out/{name:path}", "app_printing:send_file"),
    ("POST", "/folder", "app_printing:show_folder"),
    ("GET", "/printer", "app_printing:show_printers"),
    ("POST", "/printer", "app_printing:save_printer"),
)


def build_routes() -> list[Route]:
    """Return the routes of the studio, with handlers that are not loaded yet."""
    return [Route(path, _load_on_request(handler), methods=[method]) for method, path, handler in _ROWS]


def load_handlers() -> None:
    """Load all handlers, so that no later request waits for it."""
    for _, _, handler in _ROWS:
        load(f"{__package__}.{handler}")


def _load_on_request(name: str) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that loads another one, by its name ``module:function``, in a thread and calls it."""

    async def handle(request: Request) -> Response:
        handler: Any = await asyncio.to_thread(load, f"{__package__}.{name}")
        response: Response = await handler(request)
        return response

    return handle
