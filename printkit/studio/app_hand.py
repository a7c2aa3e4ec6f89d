"""Pages that edit a battlefield by hand and check a record from elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from printkit.core.errors import PrintkitError, UsageError
from printkit.core.words import Words
from printkit.studio.app_answers import (
    answer,
    changed,
    complaint,
    desk_of,
    field_page,
    form_data,
    lang_of,
    redirect,
    run,
    words_of,
)
from printkit.studio.desk import AppState
from printkit.studio.gestures import done_by_hand, opened, touched
from printkit.studio.sitting import SavedField
from printkit.studio.views import board_view, verdict_view


async def hand(request: Request) -> Response:
    """Show a battlefield for editing by hand."""
    return await _hand_page(request, request.path_params["field"])


async def _hand_page(request: Request, field: str, *, error: str = "", status: int = 200) -> Response:
    return await field_page(request, "hand", field, _hand_values, error=error, status=status)


def _hand_values(desk: AppState, kept: SavedField, words: Words) -> dict[str, Any]:
    made = desk.sitting.field(kept.id)
    changed = list(touched(desk, kept, words))
    return {
        "board": board_view(made, words),
        "verdicts": verdict_view(desk.judged(kept.id), words),
        "touched": changed,
        "changes": {each.id: each for each in changed},
        "gridded": made.record.battlefield.grid is not None,
    }


async def gesture(request: Request) -> Response:
    """Move, rotate, delete or restore a feature."""
    return await changed(request, done_by_hand, await form_data(request), leads="hand", wrong=_hand_page)


async def verdicts(request: Request) -> Response:
    """Redirect to the verdicts on the page of a battlefield."""
    return redirect(f"/field/{request.path_params['field']}#verdicts")


async def check(request: Request) -> Response:
    """Show the page that checks a record, with the verdicts of the one in the query."""
    field = request.query_params.get("field", "")
    if not field:
        return answer(request, "check", kept=None)
    return await field_page(request, "check", field, _hand_values)


async def brought(request: Request) -> Response:
    """Check an uploaded record: the text of a form, or the file itself."""
    desk, words = desk_of(request), words_of(request)
    try:
        body = (await request.body()).decode("utf-8")
        if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            body = dict(parse_qsl(body, keep_blank_values=True)).get("record", "")
        if not body.strip():
            raise UsageError("nothing was sent; paste the text of a record or choose its file")
        kept = await run(request, opened, desk, body, lang_of(request))
    except UnicodeDecodeError:
        return answer(
            request,
            "check",
            kept=None,
            error=words.translate(UsageError("that is not UTF-8 text").sentence),
            status=422,
        )
    except PrintkitError as error:
        return answer(request, "check", kept=None, error=complaint(error, words), status=422)
    return redirect(f"/check?field={kept.id}")


ROUTES = [
    Route("/field/{field}/hand", hand),
    Route("/field/{field}/gesture", gesture, methods=["POST"]),
    Route("/field/{field}/verdicts", verdicts),
    Route("/check", check, methods=["GET"]),
    Route("/check", brought, methods=["POST"]),
]
