"""The switch that lets phones in, and what the pages show of it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from printkit.studio.app_helpers import app_of, form_data, phones_of, redirect


async def switch_phones(request: Request) -> Response:
    """Let phones in at an address of this computer, or shut them out; then return to the page with the switch."""
    form, phones = await form_data(request), phones_of(request)
    hosts = [address.host for address in phones.addresses()]
    if form.get("on") != "1":
        await phones.close()
    elif hosts:
        host = form.get("address", "")
        await phones.open(host if host in hosts else hosts[0], app_of(request).settings.port)
    page = form.get("page", "")
    # A second slash would lead to another computer.
    return redirect(page if page[:1] == "/" and page[1:2] not in ("/", "\\") else "/hands")
